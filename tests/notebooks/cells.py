"""Read the notebooks: their cells, what they stored, and what PyTorch or jgrad prints for the same code."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import linecache
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
# How a warning looks on stderr: "cell.py:3: UserWarning: text", then the source line it points at.
WARNING = re.compile(r"^\S+:\d+: (?P<category>\w+): (?P<text>.*)$")


@dataclass
class Printed:
    """What a reader sees under a code cell, the views aside."""

    stdout: str = ""
    result: str | None = None
    error: tuple[str, str] | None = None
    warnings: list[tuple[str, str]] = field(default_factory=list)


def paths() -> list[Path]:
    return sorted(NOTEBOOKS.glob("*.ipynb"))


def load(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell: Any) -> list[str]:
    return cell.metadata.get("tags", [])


def magics(source: str) -> list[str]:
    """The lines of a cell that are magics, in order; a cell magic comes first."""
    return [line for line in source.splitlines() if re.match(r"%|\w+ = %", line)]


def plain(source: str) -> str:
    """The cell as Python: magics leave empty lines, so that line numbers stay; `%%predict` and `%%trace` keep their body."""
    return "\n".join("" if line in magics(source) else line for line in source.splitlines())


def only_looks(cell: Any) -> bool:
    """Whether a cell asks jgrad to show something, which PyTorch can't: `%storage a b` and its kin."""
    return any(not line.startswith(("%%predict", "%%trace", "%load_ext")) for line in magics(cell.source))


def shared(cell: Any) -> str:
    """The Python of a cell that PyTorch understands too."""
    return "" if "jgrad-only" in tags(cell) else plain(cell.source)


def canonical(text: str) -> str:
    """`jgrad.x` and `torch.x` are the same name; PyTorch adds where in its own sources a warning arose."""
    text = re.sub(r" \(Triggered internally at [^)]*\)", "", text)
    return re.sub(r"\bjgrad\.", "torch.", text)


def stored(cell: Any) -> Printed:
    """What the notebook file holds for a cell."""
    printed = Printed()
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stdout":
            printed.stdout += canonical(output.text)
        elif output.output_type == "stream":
            for line in output.text.splitlines():
                if match := WARNING.match(line):
                    printed.warnings.append((match["category"], canonical(match["text"])))
        elif output.output_type == "execute_result":
            printed.result = canonical(output.data["text/plain"])
        elif output.output_type == "error":
            printed.error = output.ename, canonical(output.evalue)
    return printed


@contextlib.contextmanager
def named_jgrad(library: str) -> Iterator[None]:
    """While this lasts, `import jgrad` imports that library."""
    importlib.import_module("jgrad.teach")  # is the same for both
    before = sys.modules.get("jgrad")
    sys.modules["jgrad"] = importlib.import_module(library)
    try:
        yield
    finally:
        if before is None:
            del sys.modules["jgrad"]
        else:
            sys.modules["jgrad"] = before


RUN = "import pickle, sys; from tests.notebooks import cells; sys.stdout.buffer.write(pickle.dumps(cells.run(*sys.argv[1:])))"


def run_in_new_process(path: Path, library: str) -> list[Printed]:
    """What `run` gives, in a process as fresh as a notebook's: its own seed, defaults, warnings given once."""
    command = [sys.executable, "-c", RUN, str(path), library]
    ran = subprocess.run(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, check=True)
    return pickle.loads(ran.stdout)


def run(path: str, library: str) -> list[Printed]:
    """Run the code cells from top to bottom, as a notebook would, with that library as `jgrad`."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with named_jgrad(library), warnings.catch_warnings():
        return [_run(shared(cell), names) for cell in code_cells(load(Path(path)))]


def checked(notebook: Any) -> dict[str, Any]:
    """By the name of the exercise: the cells of exercises below which the answer is checked."""
    found = {}
    for cell, below in zip(notebook.cells, notebook.cells[1:], strict=False):
        name = re.search(r'^check\("([^"]+)", ', below.source, re.M)
        if "exercise" in tags(cell) and name:
            found[name[1]] = cell
    return found


def _run(source: str, names: dict[str, Any]) -> Printed:
    printed = Printed()

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        printed.warnings.append((category.__name__, canonical(str(message))))

    # As in a notebook, the text of a function can be read.
    linecache.cache["cell.py"] = len(source), None, source.splitlines(keepends=True), "cell.py"
    body = ast.parse(source, "cell.py").body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    quiet = source.rstrip().endswith(";")
    warnings.showwarning = show
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(ast.Module(body, []), "cell.py", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "cell.py", "eval"), names)
                if value is not None and not quiet:
                    printed.result = canonical(repr(value))
        except Exception as error:
            printed.error = type(error).__name__, canonical(str(error))
    printed.stdout = canonical(out.getvalue())
    return printed
