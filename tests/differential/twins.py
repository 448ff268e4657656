"""The same arguments for both libraries, and what a call shows of itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import jgrad
from jgrad.dtypes import INEXACT
from jgrad.tensor import wrap

DTYPES = {getattr(torch, d.name): d for d in jgrad.dtypes.ALL if hasattr(torch, d.name)}
NARROW = {
    getattr(torch, d.name): torch.int16 if d.itemsize == 2 else torch.uint8
    for d in jgrad.dtypes.NARROW
    if hasattr(torch, d.name)
}


class Unsupported(Exception):
    """A sample speaks of something that jgrad does not have (complex32, sparse layouts)."""


class Side:
    """One library, and its copies of the tensors of a sample: same bytes, strides and flags, and nothing else in common."""

    def __init__(self, library: Any, requires_grad: bool = True, device: str = "cpu") -> None:
        self.module = library
        self.requires_grad = requires_grad
        self.device = device
        self.made: dict[int, Any] = {}
        self.tensors: list[Any] = []

    def copy(self, value: Any) -> Any:
        """A torch value as this library's own; the same tensor gives the same copy."""
        if isinstance(value, torch.Tensor):
            if id(value) not in self.made:
                self.made[id(value)] = self.tensor(value)
                self.tensors.append(self.made[id(value)])
            return self.made[id(value)]
        if isinstance(value, torch.dtype):
            if value not in DTYPES:
                raise Unsupported
            return value if self.module is torch else DTYPES[value]
        if isinstance(value, (torch.memory_format, torch.layout)):
            name = str(value).removeprefix("torch.")
            if not hasattr(self.module, name):
                raise Unsupported
            return getattr(self.module, name)
        if isinstance(value, torch.device) or value == "cpu":
            return self.module.device(str(value).replace("cpu", self.device))
        if isinstance(value, (tuple, list)):
            copied = [self.copy(v) for v in value]
            return tuple(copied) if isinstance(value, tuple) else copied
        if isinstance(value, torch.nn.PairwiseDistance):
            return self.module.nn.PairwiseDistance(value.norm, value.eps, value.keepdim)
        if isinstance(value, torch.nn.LinearCrossEntropyOptions):
            settings = {f.name: self.copy(getattr(value, f.name)) for f in dataclasses.fields(value)}
            return self.module.nn.LinearCrossEntropyOptions(**settings)
        if isinstance(value, dict):
            return {k: self.copy(v) for k, v in value.items()}
        return value

    def tensor(self, t: torch.Tensor) -> Any:
        if t.device.type != "cpu":
            raise Unsupported
        if t.layout is not torch.strided or t.dtype not in DTYPES or t.is_conj() or t.is_neg() or t.ndim > 64:
            raise Unsupported
        size = t.untyped_storage().nbytes() // t.itemsize
        flat = as_array(torch.empty(0, dtype=t.dtype).set_(t.untyped_storage(), 0, (size,), (1,)).clone())
        if self.module is torch:
            # `.data`: a tensor of its own, neither a view nor of a later version.
            whole = (
                torch.tensor(flat.view(f"u{t.itemsize}")).view(t.dtype)
                if t.dtype in NARROW
                else torch.tensor(flat)
            )
            copied = self.placed(whole.as_strided(t.shape, t.stride(), t.storage_offset()).data)
        else:
            offset, strides = t.storage_offset() * t.itemsize, tuple(s * t.itemsize for s in t.stride())
            place = (flat, offset, strides) if t.numel() else ()
            copied = self.placed(wrap(np.ndarray(tuple(t.shape), flat.dtype, *place)))
        if t.requires_grad and self.requires_grad:
            copied.requires_grad_()
        return copied

    def placed(self, made: Any) -> Any:
        """A tensor on this side's device, over a storage of the same size with the same strides and offset."""
        if self.device == "cpu":
            return made
        whole = made.as_strided((made.untyped_storage().nbytes() // made.itemsize,), (1,), 0)
        there = whole.to(self.device)
        return (
            there.as_strided(made.shape, made.stride(), made.storage_offset()).data
            if made.numel()
            else made.to(self.device)
        )

    def seeds(self, outputs: list[Any]) -> list[Any]:
        """Gradients to begin with, the same numbers on both sides."""
        random = np.random.default_rng(0)
        found = []
        for t in outputs:
            values = random.standard_normal(tuple(t.shape))
            if t.is_complex():
                values = values + 1j * random.standard_normal(tuple(t.shape))
            found.append(self.module.tensor(values, dtype=t.dtype, device=t.device).requires_grad_())
        return found


def flat(value: Any, kind: type) -> list[Any]:
    """The tensors in a (nested) result."""
    if isinstance(value, kind):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in flat(v, kind)]
    return []


def plain(value: Any) -> Any:
    """A result without its tensors: numbers, and the classes around them."""
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return type(value).__name__ if isinstance(value, (torch.Tensor, jgrad.Tensor)) else value


def name_of(node: Any) -> Any:
    return None if node is None else node.name()


def described(t: Any, side: Side) -> dict[str, Any]:
    """What a user can see of a tensor, apart from its values."""
    node = t.grad_fn
    empty = t.numel() == 0
    storages = [s.untyped_storage().data_ptr() for s in side.tensors]
    mine = t.untyped_storage().data_ptr()
    return {
        "dtype": str(t.dtype).partition(".")[2],
        "shape": tuple(t.shape),
        # A stride that is never taken says nothing, and NumPy keeps none for empty arrays.
        "stride": () if empty else tuple(s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1),
        "storage_offset": 0 if empty else t.storage_offset(),
        "requires_grad": t.requires_grad,
        "is_leaf": t.is_leaf,
        "version": t._version,
        "is_view": t._base is not None,
        "shares memory with": [] if empty else [i for i, other in enumerate(storages) if mine == other],
        "grad_fn": name_of(node),
        "next_functions": [] if node is None else [(name_of(f), i) for f, i in node.next_functions],
        "output_nr": t.output_nr,
    }


def as_array(t: torch.Tensor) -> np.ndarray:
    """The elements of a tensor of PyTorch's, also of a dtype that NumPy has from ml_dtypes."""
    if t.dtype in NARROW:
        return t.contiguous().view(NARROW[t.dtype]).numpy().view(DTYPES[t.dtype].numpy)
    return t.numpy()


def values_of(t: Any) -> np.ndarray:
    # The copy makes PyTorch's lazy conjugates, negations and zeros into numbers.
    return (
        as_array(t.detach().clone().resolve_conj().resolve_neg().cpu())
        if isinstance(t, torch.Tensor)
        else t.cpu().resolve_conj().resolve_neg()._a
    )


def worded(error: BaseException | None) -> str:
    """An error as both libraries should say it."""
    # PyTorch's lists of signatures are longer than ours.
    text = "" if isinstance(error, TypeError) else str(error)
    return f"{type(error).__name__}: {text}".replace("torch.", "jgrad.")


def rounding_of(dtype: np.dtype[Any]) -> float:
    """How much results of an operation may differ, relative to the largest one."""
    return float(jgrad.dtypes.limits_of(dtype).eps) * (2 if dtype.name == "bfloat16" else 16)


def differ(ours: Any, theirs: Any, scale: float = 1.0, least: float = 0.0, through: Any = None) -> str | None:
    """In what the values of two tensors (or None) differ more than rounding explains, of numbers that are as large as `least` before they
    cancel. `through`: a NumPy dtype that they were rounded to on the way."""
    if ours is None or theirs is None:
        return None if ours is theirs else f"one is None: {ours} / {theirs}"
    a, b = values_of(ours), values_of(theirs)
    if a.shape != b.shape or a.dtype != b.dtype:
        return f"{a.dtype}{a.shape} instead of {b.dtype}{b.shape}"
    if a.dtype.kind not in INEXACT:
        return None if np.array_equal(a, b) else f"{a}\ninstead of\n{b}"
    epsilon = scale * max(rounding_of(d) for d in (a.dtype, through or a.dtype))
    if a.dtype.name == "bfloat16":
        a, b = a.astype(np.float32), b.astype(np.float32)
    size = float(np.abs(b[np.isfinite(b)]).max(initial=least))
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.allclose(a, b, rtol=epsilon, atol=epsilon * size, equal_nan=True)
    return None if close else f"{a}\ninstead of\n{b}"


def shown(value: Any) -> str:
    """An argument of a sample, in short."""
    if isinstance(value, torch.Tensor):
        strides = "" if value.is_contiguous() else f" strides {value.stride()}"
        numbers = f" {value.tolist()}" if value.numel() < 3 else ""
        return f"{str(value.dtype)[6:]}{list(value.shape)}{strides}{numbers}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(shown, value)) + ")"
    if isinstance(value, dict):
        return ", ".join(f"{k}={shown(v)}" for k, v in value.items())
    return repr(value)


def attempt(call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """What a call gives, or its error."""
    try:
        return call(), None
    except Exception as error:
        return None, error
