"""How tensors print: character by character as in PyTorch, with `jgrad.` in place of `torch.`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from jgrad import dtypes, manual
from jgrad.dtypes import REAL
from jgrad.kernels import libraries
from jgrad.kernels.narrow import rounded


@dataclass
class _Options:
    """What `set_printoptions` sets."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}
_options = _Options()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed. It changes the text only, not the numbers."""
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    chosen = _PROFILES.get(profile, {}) if profile is not None else {}
    for name, value in {**chosen, **{n: v for n, v in given.items() if v is not None}}.items():
        setattr(_options, name, value)
    _options.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """The options with which tensors are printed now."""
    return asdict(_options)


@contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """A block in which tensors are printed with other options. After the block, the options are what they were before."""
    before = get_printoptions()
    set_printoptions(**options)
    try:
        yield
    finally:
        set_printoptions(**before)


def _column(shown: np.ndarray) -> tuple[Callable[[Any], str], int]:
    """How each of these real numbers is written, and how wide.

    Zeros, infinities and NaNs take no part in choosing notation and width, so they may stick out.
    """
    if shown.dtype.kind not in REAL:
        width = max((len(str(v)) for v in shown.ravel().tolist()), default=1)
        return lambda v: str(v).rjust(width), width
    zero = rounded(np.zeros(()), shown.dtype)  # float8_e8m0fnu has none: its smallest number stands for it
    measured = shown[np.isfinite(shown) & (shown != zero)].astype(np.float64)
    if not measured.size:
        return lambda v: _whole(v), 1
    magnitudes = np.abs(measured)
    low, high = float(magnitudes.min()), float(magnitudes.max())
    scientific = _options.sci_mode
    if scientific is None:
        scientific = high / low > 1000 or high > 1e8 or low < 1e-4
    write: Callable[[Any], str]
    if scientific:
        write = f"{{:.{_options.precision}e}}".format
    elif (measured == np.ceil(measured)).all():
        write = _whole
    else:
        write = f"{{:.{_options.precision}f}}".format
    width = max(map(len, map(write, measured.tolist())))
    return lambda v: write(v).rjust(width), width


def _whole(value: float) -> str:
    """A float without digits after its point; infinities and NaNs have no point."""
    return f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"


def _edges(array: np.ndarray) -> np.ndarray:
    """The elements that a summary shows: the first and last few along each dimension."""
    n = _options.edgeitems
    for axis, extent in enumerate(array.shape):
        if n and extent > 2 * n:
            ahead = (slice(None),) * axis
            ends = [array[*ahead, :n], array[*ahead, extent - n :]]
            array = libraries.library_of(array).np.concatenate(ends, axis)
    return array


def _body(array: np.ndarray, indent: int) -> str:
    """The bracketed numbers; lines after the first begin with `indent` blanks."""
    summarize = array.size > _options.threshold
    shown = _edges(array) if summarize else array
    # Of an array on a GPU, only what is shown is copied.
    shown = libraries.library_of(shown).kernels.to_host(shown)
    if array.dtype.kind == "c":
        real, real_width = _column(shown.real)
        imag, imag_width = _column(shown.imag)
        width = real_width + imag_width + 1

        def pair(value: complex) -> str:
            part = imag(value.imag).lstrip() + "j"
            return real(value.real) + (part if part[0] in "+-" else "+" + part)

        return _brackets(shown, array.shape, indent, summarize, pair, width)
    write, width = _column(shown)
    return _brackets(shown, array.shape, indent, summarize, write, width)


def _brackets(
    shown: np.ndarray, shape: tuple, indent: int, summarize: bool, write: Callable[[Any], str], width: int
) -> str:
    """The elements shown, of an array of this shape."""
    if not shape:
        return write(shown.item())
    n, cut = _options.edgeitems, summarize and shape[0] > 2 * _options.edgeitems
    parts = [shown[:n], shown[len(shown) - n :]] if cut else [shown]
    if len(shape) > 1:
        texts = [
            [_brackets(row, shape[1:], indent + 1, summarize, write, width) for row in part] for part in parts
        ]
        separator = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
        return "[" + separator.join([*texts[0], "...", *texts[1]] if cut else texts[0]) + "]"
    texts = [[write(value) for value in part.tolist()] for part in parts]
    words = [*texts[0], " ..." if n else "...", *texts[1]] if cut else texts[0]
    per_line = max(1, (_options.linewidth - indent) // (width + 2))
    lines = [", ".join(words[i : i + per_line]) for i in range(0, len(words), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _suffixes(t: Any) -> list[str]:
    """What follows the numbers: dtype, device and history where they are not the default."""
    found = []
    if t.device.type != "cpu":
        found.append(f"device='{t.device}'")
    default = dtypes.get_default_dtype()
    if t.is_meta:
        found.append(f"size={tuple(t.shape)}")
        expected: tuple[dtypes.dtype, ...] = (default,)
    elif t.is_sparse:
        found += [f"size={tuple(t.shape)}", f"nnz={t._a.nnz}"]
        expected = (
            default,
            dtypes.complex128 if default is dtypes.float64 else dtypes.complex64,
            dtypes.int64,
            dtypes.bool_,
        )
    elif not t._a.size:
        if t._a.ndim != 1:
            found.append(f"size={tuple(t.shape)}")
        expected = (default,)
    else:
        if not _options.edgeitems:
            found.append(f"size={tuple(t.shape)}")
        cplx = dtypes.complex128 if default is dtypes.float64 else dtypes.complex64
        expected = (default, cplx, dtypes.int64, dtypes.bool_)
    if t.dtype not in expected:
        found.append(f"dtype={t.dtype}")
    if t.is_sparse:
        found.append("layout=jgrad.sparse_coo")
    try:
        grad_fn = t.grad_fn
    except RuntimeError:
        # A view made under no_grad and written to since: its grad_fn can't be made again.
        found.append("grad_fn=<Invalid>")
    else:
        if grad_fn is not None:
            found.append(f"grad_fn=<{type(grad_fn).__name__}>")
        elif t.requires_grad:
            found.append("requires_grad=True")
    if t._rare is not None and t._rare.tangents:
        present = [level for level, tangent in t._rare.tangents.items() if level.open and tangent is not None]
        found += [f"tangent={t._rare.tangents[level]}" for level in present if not level.of_function]
    return found


def tensor_repr(t: Any) -> str:
    """The text of `repr(t)`."""
    # A parameter has a line before that names it.
    kind = type(t).__name__
    prefix = "tensor(" if kind in ("Tensor", "Parameter") else kind + "("
    indent = len(prefix)
    if t.is_sparse:
        return _sparse_text(t, prefix)
    with libraries.device_guard((t,)):
        text = prefix + ("..." if t.is_meta else _body(t._a, indent) if t._a.size else "[]")
    return _with_suffixes(text, _suffixes(t), indent)


def _with_suffixes(text: str, suffixes: list[str], indent: int, new_line: bool = False) -> str:
    """The text, and after it what is said of the tensor, in new lines where it is too long; `new_line`: in a new line in any case."""
    used = len(text) - text.rfind("\n") + 1  # PyTorch's count of the last line, one more than it has
    for suffix in suffixes:
        if new_line or used + len(suffix) + 2 > _options.linewidth:
            new_line = False
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
        else:
            text += ", " + suffix
            used += len(suffix) + 2
    return text + ")"


def _sparse_text(t: Any, prefix: str) -> str:
    """The text of a sparse tensor: its indices and values, each in the words of a dense tensor."""
    parts = []
    for name, array in (("indices=tensor(", t._a.indices), ("values=tensor(", t._a.values)):
        body = _body(array, len(prefix) + len(name)) if array.size else "[]"
        size = "" if array.size else f", size={tuple(array.shape)}"
        parts.append(f"{name}{body}{size})")
    indent = len(prefix)
    text = prefix + (",\n" + " " * indent).join(parts)
    return _with_suffixes(text, _suffixes(t), indent, new_line=True)


manual.attach(__name__)
