"""Draw the pictures of README.md anew, from the traced cell that stands in it: `python docs/images/draw.py`."""

from __future__ import annotations

import linecache
import re
from pathlib import Path

import jgrad
from jgrad import views

HERE = Path(__file__).parent
README = HERE.parents[1] / "README.md"


def main() -> None:
    cell = re.search(r"```python\n%%trace\n(.*?)```", README.read_text(encoding="utf-8"), re.S)[1]
    source = "with jgrad.trace('') as t:\n" + "".join(f"    {line}\n" for line in cell.splitlines())
    linecache.cache["README"] = (len(source), None, source.splitlines(keepends=True), "README")
    scope = {"jgrad": jgrad}
    exec(compile(source, "README", "exec"), scope)
    document = scope["t"].document
    for view in ("storage", "graph"):
        (HERE / f"{view}.svg").write_text(views.svg(document, view), encoding="utf-8")


if __name__ == "__main__":
    main()
