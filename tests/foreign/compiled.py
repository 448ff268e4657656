"""The kernels of fused functions compiled for the host, element by element: to see that their C++ computes what their lines say."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jgrad.kernels.cupy.language import PREAMBLE, TYPES

COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
HEAD = f"#include <cmath>\nusing namespace std;\n#define __device__\ntypedef _Float16 float16;\n{PREAMBLE}\n"


def parameters(text: str) -> list[tuple[np.dtype, str]]:
    return [(np.dtype(p.split()[-2]), p.split()[-1]) for p in text.split(", ")]


def source(kernel: Any, name: str) -> str:
    """A C function of this name over arrays of n elements, or over one number where a parameter is a number."""
    takes, gives = (parameters(text) for text in kernel.arguments[:2])
    kinds = [(TYPES[dtype.char], p) for dtype, p in takes]
    given = ", ".join([f"const {kind}* {p}_" for kind, p in kinds])
    made = ", ".join([f"{TYPES[dtype.char]}* {p}_" for dtype, p in gives])
    inner = "\n".join([f"const {kind} {p} = {p}_[{'i' if p[0] == 'x' else 0}];" for kind, p in kinds])
    own = kernel.preamble.removeprefix(PREAMBLE)
    if "raw" in kernel.arguments[1]:
        body = f"auto out = out_; {inner} {kernel.arguments[2]}"
    elif hasattr(kernel, "wide"):  # a sum: the function of the elements alone
        body = f"{inner} y_[i] = {kernel.arguments[2]};"
    else:
        outer = "\n".join([f"{TYPES[dtype.char]}& {p} = {p}_[i];" for dtype, p in gives])
        body = f"{inner}\n{outer}\n{kernel.lines}"
    call = f'extern "C" void {name}(long long n_, {given}, {made}) {{ for (long long i = 0; i < n_; ++i) {{\n{body}\n}} }}'
    return f"namespace of_{name} {{\n{own}\n{call}\n}}"


def on_the_host(kernels: list[Any], folder: Path) -> list[Callable]:
    """The kernels as functions of a number of elements and of NumPy's arrays, the results last."""
    assert COMPILER
    names = [f"kernel_{i}" for i in range(len(kernels))]
    text, library = folder / "kernels.cpp", folder / "kernels.so"
    text.write_text(HEAD + "\n".join([source(k, name) for k, name in zip(kernels, names, strict=True)]))
    # Products and sums are not to be contracted, as NumPy rounds both.
    options = ["-std=c++17", "-O1", "-w", "-fwrapv", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([COMPILER, *options, "-o", library, text], check=True)
    compiled = ctypes.CDLL(str(library))
    return [called(getattr(compiled, name)) for name in names]


def called(function: Any) -> Callable:
    def call(n: int, *arrays: np.ndarray) -> None:
        function(ctypes.c_longlong(n), *[ctypes.c_void_p(a.ctypes.data) for a in arrays])

    return call
