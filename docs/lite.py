"""`python -m docs.lite` makes a JupyterLite of the course: JupyterLab as a static site, with jgrad in it. `--to DIR` names another folder than build/lite.

The reader's browser fetches the kernel, which is Pyodide. What was saved in the notebooks is alive without it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import nbformat

from docs.site.folder import ROOT, target_of
from jgrad import cli

INSTALL = """\
# Here the kernel runs in your browser, and jgrad is installed into it first.
%pip install -q jgrad"""
# The wheels in the site are of the versions that are installed here, as the extension of anywidget is.
WHEELS = ("anywidget", "psygnal")
EXTENSIONS = ("anywidget", "@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension")
TORCH = "10-your-own-pytorch.ipynb"  # PyTorch is not there


def main(arguments: list[str]) -> int:
    target = target_of(
        arguments, "docs.lite", "lite", "Make a JupyterLite of the course.", "jupyter-lite.json"
    )
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), target)
    print(f"{target}: serve it, for instance with `python -m http.server -d {target}`")
    return 0


def build(work: Path, target: Path) -> None:
    """Make the site, with a folder for what it is made of."""
    contents, wheels = work / "contents", work / "wheels"
    write_course(contents)
    run("hatchling", "build", "-t", "wheel", "-d", str(wheels), cwd=ROOT)
    of_pyodide = [
        "--only-binary=:all:",
        "--python-version=3.14",
        "--implementation=py",
        "--abi=none",
        "--platform=any",
    ]
    wanted = [f"{name}=={version(name)}" for name in WHEELS]
    run("pip", "download", "-q", "--no-deps", *of_pyodide, "-d", str(wheels), *wanted)
    installed = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
    extensions = [cli.extension(work / "extensions") / "jgrad", *(installed / name for name in EXTENSIONS)]
    options = [f"--piplite-wheels={wheel}" for wheel in sorted(wheels.glob("*.whl"))]
    options += [f"--LiteBuildConfig.federated_extensions={path}" for path in extensions]
    options += ["--LiteBuildConfig.ignore_sys_prefix=True"]
    run(
        "jupyterlite_core", "build", "--apps=lab", "--apps=notebooks", "--no-sourcemaps", f"--contents={contents}",
        f"--output-dir={target}", *options, cwd=work,
    )  # fmt: skip


def write_course(folder: Path) -> None:
    """Write the notebooks, each with a first cell that installs jgrad."""
    folder.mkdir()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        if path.name != TORCH:
            notebook = nbformat.read(path, 4)
            notebook.cells.insert(0, nbformat.v4.new_code_cell(INSTALL, id="install"))
            nbformat.write(notebook, folder / path.name)


def run(module: str, *arguments: str, cwd: Path | None = None) -> None:
    """Run a module of Python; what it prints is shown if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{module} failed:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
