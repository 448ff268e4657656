"""A scene as a self-contained SVG, for light and dark themes. In a page of JupyterLab it has JupyterLab's colours."""

from __future__ import annotations

import math
import re
from html import escape
from typing import Any

from jgrad.views.scene import NOTE_CHAR, wrap

LEAST = 600  # the least width of a picture: its caption needs space

# One colour for each meaning, on a light and on a dark background, with enough contrast for text.
LIGHT = {
    "bg": "#fff", "fg": "#1f2328", "line": "#d0d7de", "leaf": "#00704f", "intermediate": "#0b63b5", "gradient": "#b84a00",
    "saved": "#7a5c00", "write": "#a8327e", "alias": "#0d6f83", "error": "#c3182b", "muted": "#59626c",
}  # fmt: skip
DARK = {
    "bg": "#111", "fg": "#e6e6e6", "line": "#3d434b", "leaf": "#4fd1a5", "intermediate": "#79b8ff", "gradient": "#ff9f55",
    "saved": "#e3c04b", "write": "#f291cf", "alias": "#5fd0e0", "error": "#ff7b7b", "muted": "#a6adb6",
}  # fmt: skip
PAGE = {
    "bg": "--jp-layout-color0",
    "fg": "--jp-ui-font-color1",
    "muted": "--jp-ui-font-color2",
    "line": "--jp-border-color1",
}
GROUNDS = ("bg", "fg", "line")  # colours that are no class
FONT = "13px ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',monospace"

# (class, its style); later rules win. A picture for an <img> has only the rules that its scene needs. A picture that may be in a page next to
# others has all of them, because there the styles of all pictures apply to each.
RULES = [
    ("", "text{fill:var(--c);white-space:pre}"),
    ("", "rect{stroke:var(--c);fill:var(--c);fill-opacity:.1}"),
    ("", "path{fill:none;stroke:var(--c);stroke-width:1.5}"),
    *[(m, f".{m}{{--c:var(--{m})}}") for m in LIGHT if m not in GROUNDS],
    ("title", ".title{font-weight:700}"),
    ("note", ".note{font-size:12px}"),
    ("note", ".note:is(.muted,.said):not(.mono){font-family:system-ui,sans-serif}"),
    ("box", "rect.box{stroke-opacity:.55;fill-opacity:.07}"),
    ("box", "rect.box.muted{fill-opacity:.03}"),
    ("node", "rect.node{rx:20px;fill:var(--bg);fill-opacity:1;stroke-width:2}"),
    ("node", "rect.node.now{stroke-width:4;fill:color-mix(in srgb,var(--c) 14%,var(--bg));fill-opacity:1}"),
    ("square", "rect.square{rx:5px}"),
    ("sign", ".sign{font-size:20px}"),
    ("struck", "text.struck{text-decoration:line-through}"),
    ("chip", "rect.chip{rx:10px}"),
    ("lens", "rect.lens{rx:3px;fill-opacity:.16}"),
    ("step", "rect.step{rx:3px;fill-opacity:.16}"),
    ("unused", "rect.unused{stroke-dasharray:3 2;fill:none}"),
    ("later", "rect.later{fill-opacity:0;stroke-opacity:.5}"),
    ("later", "text.later{opacity:.6}"),
    ("later", "path.later{opacity:.4}"),
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
    ("ring", "path.ring{fill:var(--bg);stroke-width:2}"),
    ("gem", "path.gem{fill:var(--c);stroke:var(--bg)}"),
    ("gem", "path.gem.muted{fill:var(--bg);stroke:var(--c)}"),
    ("mark", "path.mark{stroke-width:2.5}"),
    ("gone", ".gone{opacity:.45}"),
    ("heat", "path.heat{stroke-width:19px}"),
    ("heat", "rect.heat{stroke:none}"),
    *[(f"h{n}", f".h{n}{{opacity:{n / 10:g}}}") for n in range(11)],
    ("key", "path.key{stroke-width:10px}"),
    ("nan", "rect.nan{stroke:none;fill-opacity:.18}"),
    ("spread", "path.spread{stroke-opacity:.35}"),
    ("outline", "rect.outline{fill:none;stroke:var(--line);stroke-width:1px}"),
    ("halo", "text.halo{paint-order:stroke;stroke:var(--bg);stroke-width:4px}"),
    ("brush", "rect.brush{fill:none;stroke:var(--fg);stroke-width:1.5;rx:2px}"),
    ("flag", "rect.flag{fill:var(--fg);fill-opacity:1;stroke:none;rx:4px}"),
    ("onflag", "text.onflag{fill:var(--bg)}"),
    ("struck", "text.struck{text-decoration:line-through}"),
    ("hatch", "path.hatch{stroke-width:1}"),
    ("bare", "rect.bare{fill:none}"),
]
# In a picture for an <img>, these stand for the attribute text-anchor: a class is shorter.
ANCHORS = [("middle", ".middle{text-anchor:middle}"), ("end", "text.end{text-anchor:end}")]
STYLED = {name for name, _ in RULES + ANCHORS if name} | {"mono", "said"}


def lower(scene: dict[str, Any], alone: bool = False) -> str:
    """A scene as the text of an SVG document, with its title above and its caption below.

    `alone`: the SVG is for an `<img>`, where no tooltip is shown and no style of the page applies. It then has half the size.
    """
    width, height = max(math.ceil(scene["width"]), LEAST), scene["height"]
    lines = wrap(scene["caption"], int((width - 20) / NOTE_CHAR))
    top = 34
    whole = f"{top + height + 17 * len(lines) + 14:g}"
    within, known = ("", "") if alone else (".jg ", ' class="jg" role="img"')
    used: set[str] = {"title", "note"}
    drawn = drawing(scene, used, not alone)
    said = "".join(
        [
            f'<text class="note said" x="10" y="{top + height + 16 + 17 * i:g}">{escaped(lines[i])}</text>'
            for i in range(len(lines))
        ]
    )
    # Of a picture in an `<img>`, nobody sees these two; the `alt` there says the same.
    words = (
        "" if alone else f"<title>{escaped(scene['title'])}</title><desc>{escaped(scene['caption'])}</desc>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{known} viewBox="0 0 {width} {whole}" width="{width}" height="{whole}">'
        f"{words}<style>{style_of(used, not alone, within)}</style>"
        f'<rect x="0" y="0" width="{width}" height="{whole}" style="fill:var(--bg);stroke:none;fill-opacity:1"/>'
        f'<text class="title" x="10" y="20">{escaped(scene["title"])}</text><g transform="translate(0 {top})">{drawn}</g>{said}</svg>'
    )


def address(svg: str) -> str:
    """The picture as a data URL, which may stand in double quotes in HTML. In base64 it would be a third larger.

    A `"` is always around an attribute here, since `escaped` leaves none in a text.
    """
    text = svg.replace('"', "'")
    for character in "%#&\n\t":  # what ends a URL, or has a meaning in one or in HTML
        text = text.replace(character, f"%{ord(character):02X}")
    return f"data:image/svg+xml,{text}"


def drawing(scene: dict[str, Any], used: set[str], labels: bool) -> str:
    """The items of a scene. The classes of their styles are added to `used`. `labels`: with tooltips."""
    parts: list[str] = []
    for item in scene["items"]:
        _item(item, parts, labels)
    _classes(scene["items"], used)
    return "".join(parts)


def style_of(used: set[str], page: bool, within: str = ".jg ") -> str:
    """The styles of the classes in use. With `page`, all styles, and colours that follow the page around the picture. `within` selects the
    picture; a document that holds nothing else needs no selector."""

    def named(colours: dict[str, str]) -> str:
        if page:
            return "".join(
                [f"--{k}:var({PAGE[k]},{c});" if k in PAGE else f"--{k}:{c};" for k, c in colours.items()]
            )
        return "".join([f"--{k}:{colours[k]};" for k in GROUNDS])

    def at_classes(colours: dict[str, str]) -> str:
        """Alone, a picture has each colour at its class: this is shorter than to give it a name first."""
        there = [k for k in colours if not page and k in used and k not in GROUNDS]
        return "".join([f"{within}.{k}{{--c:{colours[k]}}}" for k in there])

    root = ".jg" if within else "svg"
    light, dark = named(LIGHT), named(DARK)
    style = (
        f"{root}{{{light}--c:var(--fg);font:{FONT};color-scheme:light dark}}{at_classes(LIGHT)}"
        f"@media(prefers-color-scheme:dark){{{root}{{{dark}}}{at_classes(DARK)}}}"
    )
    if page:
        style += f"[data-jp-theme-light=true] .jg{{{light}}}[data-jp-theme-light=false] .jg{{{dark}}}"
        return style + "".join([f"{within}{rule}" for _, rule in RULES])
    rules = [rule for name, rule in RULES + ANCHORS if name not in LIGHT and (not name or name in used)]
    return style + "".join([f"{within}{rule}" for rule in rules])


def _classes(items: list[dict[str, Any]], used: set[str]) -> None:
    for item in items:
        if item["t"] == "group":
            _classes(item["items"], used)
        else:
            used.update([*item["c"].split(" "), item.get("a", "")])


def _shorter(d: str) -> str:
    """The same path in fewer characters: a `L` after a `M` or a `L` goes without saying, as spaces around letters do."""
    before, parts = "", []
    for part in re.findall(r"[A-Za-z][^A-Za-z]*", d):
        is_said = part[0] != "L" or before not in ("M", "L")
        parts.append((part[0] if is_said else " ") + part[1:].strip())
        before = part[0]
    return "".join(parts)


def _item(item: dict[str, Any], parts: list[str], labels: bool) -> None:
    label = f"<title>{escaped(item['label'])}</title>" if labels and item.get("label") else ""
    kind = item["t"]
    if kind == "group":
        if label:
            parts.append(f"<g>{label}")
        for inner in item["items"]:
            _item(inner, parts, labels)
        if label:
            parts.append("</g>")
        return
    if not labels and "live" in item["c"].split(" "):
        return  # it does something where a script runs, and nothing in a picture
    c = f' class="{escaped(item["c"])}"' if labels else _styled(item)
    if kind == "text":
        anchor = f' text-anchor="{escaped(item["a"])}"' if labels and "a" in item else ""
        parts.append(f'<text{c} x="{item["x"]}" y="{item["y"]}"{anchor}>{escaped(item["s"])}{label}</text>')
        return
    if kind == "rect":
        start = f'<rect{c} x="{item["x"]}" y="{item["y"]}" width="{item["w"]}" height="{item["h"]}"'
    else:
        start = f'<path{c} d="{escaped(item["d"] if labels else _shorter(item["d"]))}"'
    parts.append(f"{start}>{label}</{kind}>" if label else f"{start}/>")


def _styled(item: dict[str, Any]) -> str:
    """The classes of an item of a picture for an `<img>`: only those that it has a style for."""
    classes = [name for name in [*item["c"].split(" "), item.get("a", "")] if name in STYLED]
    return f' class="{escaped(" ".join(classes))}"' if classes else ""


# Each name in such a script ends with a mark that nobody sees: else what follows it in a line of code would go to its left.
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff]+")


def escaped(s: str) -> str:
    """Text for XML: markup escaped, characters that XML forbids replaced."""
    return escape("".join([ch if _allowed(ch) else "\ufffd" for ch in RIGHT_TO_LEFT.sub("\\g<0>\u200e", s)]))


def _allowed(ch: str) -> bool:
    return ch in "\t\n" or (ch >= " " and not "\ud800" <= ch <= "\udfff" and ch not in "\ufffe\uffff")
