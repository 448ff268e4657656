"""Writes `cupy_api.json`: which names and parameters CuPy has. `python tests/foreign/read_cupy_api.py` where CuPy is installed.

No GPU is needed: what an array or a function takes can be read without one.
"""

import ast
import inspect
import json
import re
import types
from pathlib import Path
from typing import Any

import cupy
import cupyx
import numpy

MODULES = {
    "": cupy,
    "linalg": cupy.linalg,
    "fft": cupy.fft,
    "random": cupy.random,
    "lib.stride_tricks": cupy.lib.stride_tricks,
    "cupyx": cupyx,
}
# Classes of `cupy.cuda` that the library has a counterpart of.
CUDA = ("Device", "Event", "Memory", "MemoryHook", "MemoryPointer", "MemoryPool", "PinnedMemory", "PinnedMemoryPointer", "Stream", "UnownedMemory")  # fmt: skip
# Compiled or compiling things: a library in host memory has no counterpart.
KERNELS = {"fuse", "memoize", "clear_memo", "vectorize"}


def parameters(function: Any) -> str | None:
    """What stands between the parentheses of its signature; defaults that are no literals become `...`."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return of_docstring(function.__doc__ or "")
    found = [
        p if p.default is p.empty or is_literal(repr(p.default)) else p.replace(default=...)
        for p in signature.parameters.values()
    ]
    return str(
        inspect.Signature(
            [p.replace(annotation=p.empty) for p in found], return_annotation=inspect.Signature.empty
        )
    )[1:-1].replace("Ellipsis", "...")


def of_docstring(doc: str) -> str | None:
    """The same of compiled code, which writes it into the first line: `_ndarray_base.sort(self, int axis=-1, kind=None)`."""
    match = re.match(r"[\w.]+\((.*?)\)( ->.*)?$", doc.partition("\n")[0])
    if match is None:
        return None
    words = [word.strip() for word in match[1].split(",") if word.strip() not in ("", "self")]
    return ", ".join(
        word if word.startswith("*") else re.sub(r"^[\w ]+ (?=\w+(=|$))", "", word) for word in words
    )


def is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


def functions(module: types.ModuleType) -> dict[str, str]:
    """The functions of a module by name, with their parameters."""
    found = {}
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or name in KERNELS or isinstance(value, (type, types.ModuleType, cupy.ufunc)):
            continue
        if callable(value) and value is not getattr(numpy, name, None):
            words = parameters(value)
            if words is not None:
                found[name] = words
    return found


def ufunc(function: Any) -> dict[str, Any]:
    """Loops and methods; where reduce, accumulate and the like are but refusals shows in what CuPy wrote of them."""
    return {
        "nin": function.nin,
        "nout": function.nout,
        "types": function.types,
        "casting": function._default_casting,
        "at": function._scatter_op is not None,
        # CuPy's own code asks for these names.
        "reduce": function.name in ("cupy_add", "cupy_multiply"),
        "reduceat": function.name == "cupy_add",
    }


def methods(of: type) -> dict[str, str | None]:
    """The methods of a class with their parameters; attributes have None."""
    found = {}
    for name in sorted(dir(of)):
        value = getattr(of, name)
        if not name.startswith("_"):
            words = parameters(value) if callable(value) else None
            found[name] = words.removeprefix("self").lstrip(", ") if words is not None else None
    return found


def cuda() -> dict[str, Any]:
    """The names of `cupy.cuda`, what its classes have, and the functions of CUDA's runtime."""
    return {
        "names": sorted(name for name in dir(cupy.cuda) if not name.startswith("_")),
        "runtime": sorted(
            name for name, value in vars(cupy.cuda.runtime).items() if name[0] != "_" and callable(value)
        ),
        **{name: methods(getattr(cupy.cuda, name)) for name in CUDA},
    }


def main() -> None:
    api = {
        "cupy": cupy.__version__,
        "numpy": numpy.__version__,
        # Objects that NumPy and CuPy share: dtypes, constants, functions of shapes and dtypes.
        "shared": sorted(
            name
            for name, value in vars(cupy).items()
            if not name.startswith("_") and value is getattr(numpy, name, "")
        ),
        "ufuncs": {
            name: ufunc(value) for name, value in sorted(vars(cupy).items()) if isinstance(value, cupy.ufunc)
        },
        "functions": {name: functions(module) for name, module in MODULES.items()},
        "ndarray": methods(cupy.ndarray),
        "cuda": cuda(),
        "operators": sorted(
            name for name in dir(cupy.ndarray) if name.startswith("__") and name not in dir(object)
        ),
    }
    text = json.dumps(api, indent=1, ensure_ascii=False)
    # One line per ufunc, and per list of names: they are many and alike.
    text = re.sub(r"\{[^{}]*\"nin\"[^{}]*\}", lambda m: re.sub(r"\s+", " ", m[0]), text)
    text = re.sub(r"\"(names|runtime)\": \[[^]]*\]", lambda m: re.sub(r"\s+", " ", m[0]), text)
    Path(__file__).with_name("cupy_api.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
