"""A scene as a self-contained SVG: light and dark, JupyterLab's colours where it stands in a page of JupyterLab's."""

from __future__ import annotations

from html import escape
from typing import Any

from jgrad.views.scene import CHAR, wrap

MEANINGS = ("leaf", "intermediate", "gradient", "saved", "write", "alias", "error", "muted")
# One colour for each meaning, for light and for dark; dark enough, bright enough, for text on the ground.
LIGHT = {
    "bg": "#ffffff", "fg": "#1f2328", "leaf": "#00704f", "intermediate": "#0b63b5", "gradient": "#b84a00", "saved": "#7a5c00",
    "write": "#a8327e", "alias": "#0d6f83", "error": "#c3182b", "muted": "#656d76", "line": "#d0d7de",
}  # fmt: skip
DARK = {
    "bg": "#111111", "fg": "#e6e6e6", "leaf": "#4fd1a5", "intermediate": "#79b8ff", "gradient": "#ff9f55", "saved": "#e3c04b",
    "write": "#f291cf", "alias": "#5fd0e0", "error": "#ff7b7b", "muted": "#9a9fa6", "line": "#3d434b",
}  # fmt: skip
PAGE = {
    "bg": "--jp-layout-color0",
    "fg": "--jp-ui-font-color1",
    "muted": "--jp-ui-font-color2",
    "line": "--jp-border-color1",
}


def _style() -> str:
    tokens = "".join([f"--{k}:var({PAGE[k]},{v});" if k in PAGE else f"--{k}:{v};" for k, v in LIGHT.items()])
    dark = "".join([f"--{k}:var({PAGE[k]},{v});" if k in PAGE else f"--{k}:{v};" for k, v in DARK.items()])
    colours = "".join([f".jg .{m}{{--c:var(--{m})}}" for m in MEANINGS])
    return (
        f".jg{{{tokens}--c:var(--fg);font:12px ui-monospace,'SFMono-Regular',Menlo,'DejaVu Sans Mono',monospace;font-variant-numeric:tabular-nums;color-scheme:light dark}}"
        f"@media(prefers-color-scheme:dark){{.jg{{{dark}}}}}[data-jp-theme-light=true] .jg{{{tokens}}}[data-jp-theme-light=false] .jg{{{dark}}}"
        + colours
        + ".jg .ground{fill:var(--bg)}.jg text{fill:var(--c);white-space:pre}.jg .title{font-weight:700}"
        ".jg rect{stroke:var(--c);stroke-width:1;fill:var(--c);fill-opacity:.1}.jg .box,.jg .plain{--c:var(--fg)}"
        + "".join([f".jg .box.{m},.jg .chip.{m}{{--c:var(--{m})}}" for m in MEANINGS])
        + ".jg rect.box{stroke-opacity:.55;fill-opacity:.07}.jg rect.box.muted{fill-opacity:.03}.jg rect.chip{rx:9px}.jg rect.lens{rx:3px;fill-opacity:.16}"
        ".jg rect.unused{stroke-dasharray:3 2;fill:none}.jg rect.step{rx:3px;fill-opacity:.16}.jg rect.later{fill-opacity:0;stroke-opacity:.5}"
        ".jg rect.now{stroke-width:2;stroke-opacity:1;fill-opacity:.38}.jg rect.band{--c:var(--fg);stroke:none;fill-opacity:.07}"
        ".jg rect.bar{stroke:none;fill-opacity:.55}.jg rect.bar.muted{fill-opacity:.3}.jg rect.bar.lost{fill:none;stroke:var(--c);stroke-dasharray:3 2}"
        ".jg rect.pill{fill:var(--bg);fill-opacity:1}.jg text.now{font-weight:700}.jg text.later{opacity:.6}"
        ".jg path{fill:none;stroke:var(--c);stroke-width:1.5}.jg path.edge.muted{stroke:var(--line)}.jg path.now{stroke-width:2}"
        ".jg path.rule{stroke-width:1;stroke-opacity:.6}.jg path.cut{stroke-dasharray:4 3;stroke:var(--c)}.jg path.dot{fill:var(--c)}.jg path.arrow{stroke-opacity:.6}.jg rect.end{stroke:none;fill-opacity:1}"
        ".jg path.mark{stroke-width:2.5}.jg .gone{opacity:.45}"
    )


STYLE = _style()


def lower(scene: dict[str, Any]) -> str:
    """A scene as the text of an SVG document, its title above and its sentence below."""
    width, height = scene["width"], scene["height"]
    lines = wrap(scene["caption"], int((width - 20) / CHAR))
    top = 34
    whole = top + height + 17 * len(lines) + 14
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="jg" role="img" viewBox="0 0 {width} {_n(whole)}" width="{width}" height="{_n(whole)}">',
        f"<title>{_text(scene['title'])}</title><desc>{_text(scene['caption'])}</desc><style>{STYLE}</style>",
        f'<rect class="ground" x="0" y="0" width="{width}" height="{_n(whole)}" style="stroke:none;fill-opacity:1"/>',
        f'<text class="title" x="10" y="20">{_text(scene["title"])}</text><g transform="translate(0 {top})">',
    ]
    for item in scene["items"]:
        _item(item, parts)
    parts.append("</g>")
    for i, line in enumerate(lines):
        parts.append(f'<text x="10" y="{_n(top + height + 16 + 17 * i)}">{_text(line)}</text>')
    parts.append("</svg>")
    return "".join(parts)


def _item(item: dict[str, Any], parts: list[str]) -> None:
    label = f"<title>{_text(item['label'])}</title>" if item.get("label") else ""
    kind = item["t"]
    if kind == "group":
        parts.append(f"<g>{label}")
        for inner in item["items"]:
            _item(inner, parts)
        parts.append("</g>")
        return
    c = _text(item["c"])
    if kind == "rect":
        parts.append(
            f'<rect class="{c}" x="{_n(item["x"])}" y="{_n(item["y"])}" width="{_n(item["w"])}" height="{_n(item["h"])}">{label}</rect>'
        )
    elif kind == "text":
        anchor = f' text-anchor="{_text(item["a"])}"' if "a" in item else ""
        parts.append(
            f'<text class="{c}" x="{_n(item["x"])}" y="{_n(item["y"])}"{anchor}>{_text(item["s"])}{label}</text>'
        )
    else:
        parts.append(f'<path class="{c}" d="{_text(item["d"])}">{label}</path>')


def _n(x: float) -> str:
    return f"{x:g}"


def _text(s: str) -> str:
    """Text for XML: markup escaped, characters that XML forbids replaced."""
    return escape(
        "".join(
            [
                ch
                if ch in "\t\n" or (ch >= " " and not "\ud800" <= ch <= "\udfff" and ch not in "\ufffe\uffff")
                else "�"
                for ch in s
            ]
        )
    )
