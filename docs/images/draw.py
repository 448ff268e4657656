"""Draw the pictures of docs/gallery.md anew, from the traced cells that stand in it: `python -m docs.images.draw`.

The name of a picture ends with its view, and after that may have the step at which it is drawn: `gallery-paths-graph-12.svg`. The picture that moves,
`steps.svg` of README.md, shows the steps of the cell STEPS one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from textwrap import indent

from jgrad import views
from tests.views.documents import record

HERE = Path(__file__).parent
PAGE = HERE.parent / "gallery.md"
PARTS = re.compile(r"```python\n%%trace[^\n]*\n(.*?)```|\(images/([\w-]+)\.svg\)", re.S)


def pictures() -> Iterator[tuple[Path, str]]:
    """The file and the content of each picture; it is of the cell that stands before it."""
    document = None
    for cell, name in PARTS.findall(PAGE.read_text(encoding="utf-8")):
        if cell:
            document = record(indent(cell, " " * 8), "")
        elif document is not None:
            view, step = re.search(rf"({'|'.join(views.VIEWS)})(?:-(\d+))?$", name).groups()
            yield HERE / f"{name}.svg", views.svg(document, view, step and int(step))
    yield HERE / "steps.svg", moving()


# What the picture that moves shows: a cell, some of its steps, and seconds for each of them.
STEPS = """\
w = jgrad.tensor([1.0, 2.0], requires_grad=True)
y = w.clone()
y[0] = 5.0
(y * 3).sum().backward()
"""
SHOWN, SECONDS = (1, 2, 4, 6, 8, 10, 11, 12), 2
MARGIN, LINE = 16, 20
FRAMES = """
.frame{{visibility:hidden;animation:frame {total}s step-end infinite}}
@keyframes frame{{0%{{visibility:visible}}{share}%{{visibility:hidden}}}}
@media(prefers-reduced-motion){{.frame{{animation:none}}.frame:last-child{{visibility:visible}}}}"""


def moving() -> str:
    """The picture that moves: the cell, the sentence of a step, and below them the graph and the storage map at this step."""
    document = record(indent(STEPS, " " * 8), "")
    drawn = [(views.svg(document, "graph", step), views.svg(document, "storage", step)) for step in SHOWN]
    graphs, storages = ([size(pair[i]) for pair in drawn] for i in (0, 1))
    top = (STEPS.count("\n") + 2) * LINE + MARGIN
    width = max(one[0] for one in graphs + storages) + 2 * MARGIN
    height = top + max(one[1] for one in graphs) + max(one[1] for one in storages) + 2 * MARGIN
    frames = []
    for i, (graph, storage) in enumerate(drawn):
        at = f'style="animation-delay:{i * SECONDS}s"'
        parts = [
            heading(re.search("<desc>(.*?)</desc>", graph)[1]),
            placed(graph, top),
            placed(storage, top + size(graph)[1] + MARGIN),
        ]
        frames.append(f'<g class="frame" {at}>{"".join(parts)}</g>')
    style = re.search("<style>(.*?)</style>", drawn[0][0])[1]
    style += FRAMES.format(total=len(SHOWN) * SECONDS, share=round(100 / len(SHOWN), 3))
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" class="jg" role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    ground = (
        '<rect width="100%" height="100%" rx="8" style="fill:var(--bg);fill-opacity:1;stroke:var(--line)"/>'
    )
    return f"{opening}<title>A traced cell, step by step</title><style>{style}</style>{ground}{''.join(frames)}</svg>\n"


def heading(described: str) -> str:
    """The lines of the cell, of which that of the step is marked, and the sentence of the step."""
    now, sentence = re.fullmatch(r"step \d+ of \d+ · line (\d+): (.*)", described).groups()
    lines = []
    for number, line in enumerate(STEPS.splitlines(), 1):
        y = MARGIN + number * LINE
        if number == int(now):
            lines.append(f'<rect class="step" x="{MARGIN - 6}" y="{y - 15}" width="470" height="{LINE}"/>')
        lines.append(f'<text x="{MARGIN}" y="{y}">{escape(line)}</text>')
    return "".join(lines) + f'<text class="title" x="{MARGIN}" y="{y + LINE * 1.3:.0f}">{sentence}</text>'


def size(picture: str) -> list[float]:
    """Width and height of a picture, without the sentence below it, which stands above all of them here."""
    width = float(re.search('viewBox="0 0 ([^ ]+)', picture)[1])
    return [width, float(re.search(r'y="([^"]+)">step \d+ of', picture)[1]) - LINE]


def placed(picture: str, y: float) -> str:
    """A picture as a part of another one, which has its style."""
    width, height = size(picture)
    inside = re.sub("<title>.*?</title>|<desc>.*?</desc>|<style>.*?</style>", "", picture, flags=re.S)
    opening = f'<svg class="jg" x="{MARGIN}" y="{y}" width="{width}" height="{height}">'
    return re.sub("<svg [^>]*>", opening, inside, count=1)


if __name__ == "__main__":
    for file, content in pictures():
        file.write_text(content, encoding="utf-8")
