"""`python -m stubs.check`: whether the stubs and the running jgrad have the same names and parameters, as mypy's stubtest sees it.

A list of exceptions by name would be long, and old soon. So the exceptions are kinds of names, each with its reason.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mypy import stubtest
from mypy.options import Options

import jgrad
from jgrad.dispatch import TABLE
from stubs.__main__ import NAME, files, write

# What stubtest says and what is meant so: the name and the words, and the reason.
MEANT = {
    (r"return_types\..*", ""): "The running class takes one sequence, as PyTorch's does. The stub is a NamedTuple, which gives its fields types.",
    (r"\w*(Storage|Tensor)(\.__new__|\.dtype)?", ""): "Such a class makes a tensor or a storage of another class, by a metaclass.",
    (r"tensor\.Tensor\.__(i|r)?(add|sub|truediv)__", "alpha|rounding_mode"): "The operator is the function, whose keywords nobody gives to a sign.",
    (r"tensor\.Tensor\.__(new|init|array)__", ""): "A program calls tensor(), and NumPy calls __array__.",
    (r"tensor\.(Size\.__new__|layout\.__init__|Number)|_TraceModule", ""): "A type for checkers, which no program makes or names.",
    (r".*", r'stub parameter "(self|input)" differs from runtime parameter "(self|input)"'): "Nobody gives the tensor of a method by its name.",
    (r"einops\.layers\.jgrad", ""): "einops imports this module by the name of its own.",
    (r".*", "failed to import.* No module named '(?!jgrad)"): "It needs a package that is not installed here.",
}  # fmt: skip


def is_meant(name: str, words: str) -> bool:
    """Whether a difference is an exception. Of an operator with several overloads the running function shows one signature, and the stub each."""
    operator = TABLE.get(name.removeprefix("tensor.Tensor."))
    operator = operator or TABLE.get(name.removeprefix("tensor.Tensor.").removesuffix("_"))
    return (operator is not None and len(operator.overloads) > 1) or any(
        re.fullmatch(names, name) and re.search(said, words) for names, said in MEANT
    )


def differences(folder: Path) -> Iterator[str]:
    """A line for each difference that is no exception. The stubs are looked at in the place of the modules, in a copy of jgrad."""
    shutil.copytree(
        Path(jgrad.__file__).parent, folder / "jgrad", ignore=shutil.ignore_patterns("__pycache__")
    )
    write(folder)
    shutil.copytree(folder / NAME, folder / "jgrad", dirs_exist_ok=True)
    # mypy looks into the current folder first.
    os.chdir(folder)
    options = Options()
    options.ignore_errors = True
    options.follow_imports = "skip"
    paths = [Path(path).with_suffix("") for path in files() if path.endswith(".pyi")]
    modules = sorted(".".join(["jgrad", *path.parts]).removesuffix(".__init__") for path in paths)
    stubtest.build_stubs(modules, options)
    for module in modules:
        for error in stubtest.test_module(module):
            name = error.object_desc.removeprefix("jgrad.")
            if not error.is_missing_stub() and not is_meant(name, error.message):
                yield error.get_description(concise=True)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        lines = list(differences(Path(folder)))
        os.chdir("/")
    print(*lines, f"{len(lines)} differences between the stubs and jgrad", sep="\n")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
