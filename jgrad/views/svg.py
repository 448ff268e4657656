"""A scene as a self-contained SVG, for light and dark themes. In a page of JupyterLab it has JupyterLab's colours."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from jgrad.views.scene import CHAR, wrap
from jgrad.views.scene import width as width_of

LEAST = 600  # the least width of a picture: its caption needs space

# One colour for each meaning, on a light and on a dark background, with enough contrast for text.
LIGHT = {
    "bg": "#fff", "fg": "#1f2328", "line": "#d0d7de", "leaf": "#00704f", "intermediate": "#0b63b5", "gradient": "#b84a00",
    "saved": "#7a5c00", "write": "#a8327e", "alias": "#0d6f83", "error": "#c3182b", "muted": "#656d76",
}  # fmt: skip
DARK = {
    "bg": "#111", "fg": "#e6e6e6", "line": "#3d434b", "leaf": "#4fd1a5", "intermediate": "#79b8ff", "gradient": "#ff9f55",
    "saved": "#e3c04b", "write": "#f291cf", "alias": "#5fd0e0", "error": "#ff7b7b", "muted": "#9a9fa6",
}  # fmt: skip
PAGE = {
    "bg": "--jp-layout-color0",
    "fg": "--jp-ui-font-color1",
    "muted": "--jp-ui-font-color2",
    "line": "--jp-border-color1",
}
FONT = "12px ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',monospace"

# (class, its style); later rules win. A picture for an <img> has only the rules that its scene needs. A picture that may be in a page next to
# others has all of them, because there the styles of all pictures apply to each.
RULES = [
    ("", "text{fill:var(--c);white-space:pre}"),
    ("", "rect{stroke:var(--c);fill:var(--c);fill-opacity:.1}"),
    ("", "path{fill:none;stroke:var(--c);stroke-width:1.5}"),
    *[(m, f".{m}{{--c:var(--{m})}}") for m in LIGHT if m not in ("bg", "fg", "line")],
    ("title", ".title{font-weight:700}"),
    ("box", "rect.box{stroke-opacity:.55;fill-opacity:.07}"),
    ("box", "rect.box.muted{fill-opacity:.03}"),
    ("chip", "rect.chip{rx:9px}"),
    ("lens", "rect.lens{rx:3px;fill-opacity:.16}"),
    ("step", "rect.step{rx:3px;fill-opacity:.16}"),
    ("unused", "rect.unused{stroke-dasharray:3 2;fill:none}"),
    ("later", "rect.later{fill-opacity:0;stroke-opacity:.5}"),
    ("later", "text.later{opacity:.6}"),
    ("now", "rect.now{stroke-width:2;stroke-opacity:1;fill-opacity:.38}"),
    ("now", "text.now{font-weight:700}"),
    ("now", "path.now{stroke-width:2}"),
    ("band", "rect.band{--c:var(--fg);stroke:none;fill-opacity:.07}"),
    ("bar", "rect.bar{stroke:none;fill-opacity:.55}"),
    ("bar", "rect.bar.muted{fill-opacity:.3}"),
    ("lost", "rect.bar.lost{fill:none;stroke:var(--c);stroke-dasharray:3 2}"),
    ("pill", "rect.pill{fill:var(--bg);fill-opacity:1}"),
    ("end", "rect.end{stroke:none;fill-opacity:1}"),
    ("edge", "path.edge.muted{stroke:var(--line)}"),
    ("rule", "path.rule{stroke-width:1;stroke-opacity:.6}"),
    ("cut", "path.cut{stroke-dasharray:4 3;stroke:var(--c)}"),
    ("arrow", "path.arrow{stroke-opacity:.6}"),
    ("dot", "path.dot{fill:var(--c)}"),
    ("mark", "path.mark{stroke-width:2.5}"),
    ("gone", ".gone{opacity:.45}"),
]


def lower(scene: dict[str, Any], alone: bool = False) -> str:
    """A scene as the text of an SVG document, with its title above and its caption below.

    `alone`: the SVG is for an `<img>`, where no tooltip is shown and no style of the page applies. It then has half the size.
    """
    width, height = min(max(math.ceil(_extent(scene["items"])) + 10, LEAST), scene["width"]), scene["height"]
    lines = wrap(scene["caption"], int((width - 20) / CHAR))
    top = 34
    whole = f"{top + height + 17 * len(lines) + 14:g}"
    parts: list[str] = []
    for item in scene["items"]:
        _item(item, parts, not alone)
    used: set[str] = {"title"}
    _classes(scene["items"], used)
    said = "".join(
        [
            f'<text x="10" y="{top + height + 16 + 17 * i:g}">{_text(lines[i])}</text>'
            for i in range(len(lines))
        ]
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="jg" role="img" viewBox="0 0 {width} {whole}" width="{width}" height="{whole}">'
        f"<title>{_text(scene['title'])}</title><desc>{_text(scene['caption'])}</desc><style>{_style(used, not alone)}</style>"
        f'<rect x="0" y="0" width="{width}" height="{whole}" style="fill:var(--bg);stroke:none;fill-opacity:1"/>'
        f'<text class="title" x="10" y="20">{_text(scene["title"])}</text><g transform="translate(0 {top})">{"".join(parts)}</g>{said}</svg>'
    )


def _style(used: set[str], page: bool) -> str:
    """The styles of the classes in use. With `page`, all styles, and colours that follow the page around the picture."""

    def tokens(colours: dict[str, str]) -> str:
        wanted = [k for k in colours if page or k in used or k in ("bg", "fg", "line")]
        return "".join(
            [
                f"--{k}:var({PAGE[k]},{colours[k]});" if page and k in PAGE else f"--{k}:{colours[k]};"
                for k in wanted
            ]
        )

    light, dark = tokens(LIGHT), tokens(DARK)
    style = f".jg{{{light}--c:var(--fg);font:{FONT};color-scheme:light dark}}@media(prefers-color-scheme:dark){{.jg{{{dark}}}}}"
    if page:
        style += f"[data-jp-theme-light=true] .jg{{{light}}}[data-jp-theme-light=false] .jg{{{dark}}}"
    return style + "".join([f".jg {rule}" for name, rule in RULES if page or not name or name in used])


def _extent(items: list[dict[str, Any]]) -> float:
    """The right end of the items, where the picture ends, so that a small drawing is not scaled down. Edges never go further than what they
    join, so they don't count."""
    right = 0.0
    for item in items:
        if item["t"] == "group":
            right = max(right, _extent(item["items"]))
        elif item["t"] == "rect" and not item["c"].startswith("band"):
            right = max(right, item["x"] + item["w"])
        elif item["t"] == "text":
            share = {"end": 0.0, "middle": 0.5}.get(item.get("a", ""), 1.0)
            right = max(right, item["x"] + width_of(item["s"]) * share)
    return right


def _classes(items: list[dict[str, Any]], used: set[str]) -> None:
    for item in items:
        if item["t"] == "group":
            _classes(item["items"], used)
        else:
            used.update(item["c"].split(" "))


def _item(item: dict[str, Any], parts: list[str], labels: bool) -> None:
    label = f"<title>{_text(item['label'])}</title>" if labels and item.get("label") else ""
    kind = item["t"]
    if kind == "group":
        if label:
            parts.append(f"<g>{label}")
        for inner in item["items"]:
            _item(inner, parts, labels)
        if label:
            parts.append("</g>")
        return
    c = _text(item["c"])
    if kind == "text":
        anchor = f' text-anchor="{_text(item["a"])}"' if "a" in item else ""
        parts.append(
            f'<text class="{c}" x="{item["x"]}" y="{item["y"]}"{anchor}>{_text(item["s"])}{label}</text>'
        )
        return
    if kind == "rect":
        start = f'<rect class="{c}" x="{item["x"]}" y="{item["y"]}" width="{item["w"]}" height="{item["h"]}"'
    else:
        start = f'<path class="{c}" d="{_text(item["d"])}"'
    parts.append(f"{start}>{label}</{kind}>" if label else f"{start}/>")


def _text(s: str) -> str:
    """Text for XML: markup escaped, characters that XML forbids replaced."""
    return escape("".join([ch if _allowed(ch) else "\ufffd" for ch in s]))


def _allowed(ch: str) -> bool:
    return ch in "\t\n" or (ch >= " " and not "\ud800" <= ch <= "\udfff" and ch not in "\ufffe\uffff")
