"""Draw the pictures of README.md and docs/gallery.md anew, from the traced cells that stand in them: `python -m docs.images.draw`.

The name of a picture ends with its view, and after that may have the step at which it is drawn: `gallery-paths-graph-12.svg`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

from jgrad import views
from tests.views.documents import record

HERE = Path(__file__).parent
PAGES = (HERE.parents[1] / "README.md", HERE.parent / "gallery.md")
PARTS = re.compile(r"```python\n%%trace[^\n]*\n(.*?)```|\((?:docs/)?images/([\w-]+)\.svg\)", re.S)


def pictures() -> Iterator[tuple[Path, str]]:
    """The file and the content of each picture; it is of the cell that stands before it."""
    for page in PAGES:
        document = None
        for cell, name in PARTS.findall(page.read_text(encoding="utf-8")):
            if cell:
                document = record(indent(cell, " " * 8), "")
            elif document is not None:
                view, step = re.search(rf"({'|'.join(views.VIEWS)})(?:-(\d+))?$", name).groups()
                yield HERE / f"{name}.svg", views.svg(document, view, step and int(step))


if __name__ == "__main__":
    for file, content in pictures():
        file.write_text(content, encoding="utf-8")
