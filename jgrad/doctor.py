"""`jgrad doctor`: which packages are there, what is missing for what, and what to do.

Each package is imported by a process of its own, from the folder where the command runs. So a package that is broken stops nothing, and a file of
the user's that hides a package is found.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import jgrad

LONGEST_IMPORT = 120  # seconds


class Need(NamedTuple):
    """A package that jgrad uses: what for, under which name it is imported, whether jgrad's magics need it, and its oldest version."""

    package: str
    module: str
    purpose: str
    always: bool = False
    oldest: str = ""


# The oldest versions of the others are those that jgrad's own metadata names.
NEEDS = [
    Need("numpy", "numpy", "tensors", always=True),
    Need("ipython", "IPython", "the magics: %%trace, %why, %grad, ...", always=True),
    Need("ipywidgets", "ipywidgets", "the views in a notebook", always=True),
    Need("anywidget", "anywidget", "the views in a notebook", always=True),
    Need("jupyterlab", "jupyterlab", "jgrad lab"),
    Need("nbconvert", "nbconvert", "jgrad export"),
    Need("latex2mathml", "latex2mathml", "formulas in pages that jgrad export writes"),
    Need("torch", "torch", "watching PyTorch's own tensors", oldest="2.4"),
    Need("safetensors", "safetensors", "files of safetensors"),
    Need("ml-dtypes", "ml_dtypes", "the dtypes bfloat16 and float8"),
    Need(
        "scipy", "scipy", "LU, triangular systems, sparse products and the incomplete gamma function, faster"
    ),
    Need("argcomplete", "argcomplete", "jgrad's commands, completed by a shell"),
    Need("cupy-cuda12x", "cupy", 'tensors on a GPU: device="cuda"'),
]


class Finding(NamedTuple):
    """What is known of a package: whether it works, is missing, is too old, is broken or hidden, with what to do."""

    name: str
    state: str
    version: str
    purpose: str
    advice: str = ""
    optional: bool = True

    @property
    def is_problem(self) -> bool:
        return self.state != "works" and not (self.state == "missing" and self.optional)


def findings() -> Iterator[Finding]:
    """All that is to be said, in the order in which it is shown."""
    yield from about_python()
    yield from map(about, NEEDS)
    yield from about_gpu()
    yield from about_extension()


# Python and its folders ---------------------------------------------------------------------------------------------------------


def about_python() -> Iterator[Finding]:
    """What is to be said of the interpreter, and of the folder that `pip install` writes to."""
    yield Finding("python", "works", sys.version.split()[0], sys.executable, optional=False)
    yield Finding("jgrad", "works", jgrad.__version__, str(Path(jgrad.__file__).parent), optional=False)
    packages = sysconfig.get_path("purelib")
    if not os.access(packages, os.W_OK):
        advice = "make an environment of your own: python -m venv jgrad-env, and install jgrad there"
        yield Finding("pip", "read-only", "", f"{packages} can't be written to", advice)


# Packages -----------------------------------------------------------------------------------------------------------------------


def about(need: Need) -> Finding:
    """What is to be said of one package."""
    oldest = need.oldest or oldest_of(need.package)
    install = f'pip install "{need.package}>={oldest}"' if oldest else f"pip install {need.package}"

    def finding(state: str, version: str, advice: str = "") -> Finding:
        return Finding(need.package, state, version, need.purpose, advice, not need.always)

    found = imported(need.module)
    if found.error.startswith("ModuleNotFoundError") and f"'{need.module}'" in found.error:
        return finding("missing", "", install)
    version = version_of(need.module) or found.version
    if Path(found.file).parent == Path.cwd() or Path(found.file).parent.parent == Path.cwd():
        return finding("hidden", version, f"your file {found.file} has its name: rename your file")
    if found.error:
        return finding("broken", version, f"{found.error}: pip install --force-reinstall {need.package}")
    if oldest and numbers(version) < numbers(oldest):
        return finding("too old", version, install)
    return finding("works", version)


class Imported(NamedTuple):
    """What a process says that imported a module."""

    file: str
    version: str
    error: str


_PROGRAM = """
import importlib, json, sys
file = version = error = ""
try:
    module = importlib.import_module(sys.argv[1])
    file, version = module.__file__ or "", str(getattr(module, "__version__", ""))
except BaseException as e:
    error = f"{type(e).__name__}: {e}".split("\\n")[0]
    trace = e.__traceback__
    while trace is not None:
        file, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
print("\\n" + json.dumps([file, version, error]))
"""


def imported(module: str, program: str = _PROGRAM) -> Imported:
    """Import a module in another process."""
    command = [sys.executable, "-c", program, module]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_IMPORT)
    except subprocess.TimeoutExpired:
        return Imported("", "", f"importing it takes more than {LONGEST_IMPORT} seconds")
    try:
        return Imported(*json.loads(run.stdout.splitlines()[-1]))
    except (IndexError, ValueError, TypeError):
        return Imported("", "", f"importing it ends Python (exit status {run.returncode})")


def version_of(module: str) -> str:
    """The version of the installed package that has a module, "" if none is known."""
    for package in importlib.metadata.packages_distributions().get(module, []):
        return importlib.metadata.version(package)
    return ""


def oldest_of(package: str) -> str:
    """The oldest version of a package that jgrad's metadata allows, "" if it says nothing."""
    try:
        requirements = importlib.metadata.requires("jgrad") or []
    except importlib.metadata.PackageNotFoundError:
        return ""
    for requirement in requirements:
        found = re.match(r"([\w.-]+)>=([\w.]+)", requirement)
        if found and found[1].lower().replace("_", "-") == package:
            return found[2]
    return ""


def numbers(version: str) -> list[int]:
    """The numbers with which a version begins: "2.10.1+cpu" gives [2, 10, 1]."""
    return [int(part) for part in re.findall(r"\d+", re.match(r"[\d.]*", version)[0])]  # type: ignore[index]


# What needs more than a package -------------------------------------------------------------------------------------------------

_GPU = """
import json, cupy
try:
    count = cupy.cuda.runtime.getDeviceCount()
    assert int((cupy.arange(3) + 1).sum()) == 6
    print("\\n" + json.dumps(["", f"{count} GPU" + "s" * (count > 1), ""]))
except BaseException as e:
    print("\\n" + json.dumps(["", "", f"{type(e).__name__}: {e}".split("\\n")[0]]))
"""


def about_gpu() -> Iterator[Finding]:
    """Whether CuPy, where it is installed, can compute on a GPU."""
    if version_of("cupy"):
        found = imported("cupy", _GPU)
        advice = f"{found.error}: look whether nvidia-smi shows a GPU, and whether CuPy is built for its CUDA"
        yield Finding(
            "gpu", *(("broken", "", "CuPy", advice) if found.error else ("works", found.version, "CuPy"))
        )


def about_extension() -> Iterator[Finding]:
    """Whether the extension that JupyterLab loads is the one of this jgrad."""
    for folder in extension_folders():
        try:
            version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        purpose = f"jgrad in JupyterLab ({folder})"
        if numbers(version) == numbers(jgrad.__version__):
            yield Finding("extension", "works", version, purpose)
        else:
            advice = f"it is not of jgrad {jgrad.__version__}: remove {folder}, or install jgrad again"
            yield Finding("extension", "other version", version, purpose, advice)
        return


def extension_folders() -> Iterator[Path]:
    """Where JupyterLab looks for the extension. The first one that is there counts."""
    roots = [Path(root) for root in os.environ.get("JUPYTER_PATH", "").split(os.pathsep) if root]
    for root in [
        *roots,
        Path(sys.prefix) / "share" / "jupyter",
        Path.home() / ".local" / "share" / "jupyter",
    ]:
        yield root / "labextensions" / "jgrad"


# The command --------------------------------------------------------------------------------------------------------------------


def run(as_json: bool) -> int:
    """Print what is found. The exit status is 1 if something must be mended."""
    found = []
    for one in findings():
        found.append(one)
        if not as_json:
            print(line(one), flush=True)
    problems = [one for one in found if one.is_problem]
    if as_json:
        print(json.dumps([one._asdict() | {"is_problem": one.is_problem} for one in found], indent=1))
    elif problems:
        print(f"\nTo mend: {', '.join(one.name for one in problems)}.")
    else:
        print("\nAll that jgrad needs works. What is missing is needed only for what stands beside it.")
    return 1 if problems else 0


def line(one: Finding) -> str:
    """A finding on one line."""
    text = f"{one.state:13} {f'{one.name} {one.version}':27} {one.purpose}"
    return f"{text}\n{'':13} {one.advice}" if one.advice else text
