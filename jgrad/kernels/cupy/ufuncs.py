"""CuPy's universal functions with what NumPy's can do besides: `order`, `where`, `reduce` and `accumulate` of more than sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from numpy import broadcast_shapes

# What joins all elements along an axis, as a method of arrays.
REDUCTIONS = {"maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}


class Ufunc:
    """Stands for a `numpy.ufunc` in the kernels."""

    def __init__(self, name: str, function: Any, cupy: Any) -> None:
        self.__name__, self.function, self.array = name, function, cupy.ndarray
        self.nin, self.nout = function.nin, function.nout
        self.cupy, self.outer = cupy, function.outer

    def __repr__(self) -> str:
        return f"<ufunc {self.__name__!r} of CuPy>"

    def __call__(self, *args: Any, order: str = "K", where: Any = None, **options: Any) -> Any:
        if where is not None:
            self.cupy.copyto(options.pop("out"), self.function(*args, **options), where=where)
            return None
        if order == "K" and len(args) == self.nin and not options.get("out"):
            for a in args:
                if a.__class__ is self.array and not a._c_contiguous:
                    return self.in_order(args, options)
        return self.function(*args, **options)

    def in_order(self, args: tuple, options: dict[str, Any]) -> Any:
        """The result in the order of strides that NumPy would give it; CuPy's is row-major always."""
        from jgrad.kernels.numpy.shape import packed_strides

        shape = broadcast_shapes(*[a.shape for a in args if a.__class__ is self.array])
        n = len(shape)
        args = tuple(
            [
                a if a.__class__ is not self.array or a.shape == shape else self.cupy.broadcast_to(a, shape)
                for a in args
            ]
        )
        strides = packed_strides(shape, [a.strides for a in args if a.__class__ is self.array])
        order = sorted(range(n), key=lambda d: -strides[d])
        back = sorted(range(n), key=order.__getitem__)
        found = self.function(
            *[a.transpose(order) if a.__class__ is self.array else a for a in args], **options
        )
        return (
            tuple([r.transpose(back) for r in found]) if found.__class__ is tuple else found.transpose(back)
        )

    def reduce(
        self,
        a: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        **options: Any,
    ) -> Any:
        """Joins along axes; `initial` only for the greatest and the least."""
        method = REDUCTIONS.get(self.__name__)
        if method is None:
            return self.function.reduce(a, axis, dtype, out, keepdims, **options)
        if dtype is not None and method in ("max", "min"):
            a = a.astype(dtype, copy=False)
        if "initial" not in options:
            return getattr(a, method)(axis, out, keepdims)
        initial = options["initial"]
        if a.size:
            return self.function(getattr(a, method)(axis, None, keepdims), initial)
        axes = (
            range(a.ndim)
            if axis is None
            else [d % a.ndim for d in (axis if isinstance(axis, tuple) else (axis,))]
        )
        shape = [1 if d in axes else n for d, n in enumerate(a.shape) if keepdims or d not in axes]
        return self.cupy.full(tuple(shape), initial, a.dtype)

    def accumulate(self, a: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        """Joins what came before along an axis: in as many steps as the length has bits, where CuPy has no scan."""
        if self.__name__ in ("add", "multiply"):
            return self.function.accumulate(a, axis, dtype, out)
        result = a.astype(a.dtype if dtype is None else dtype, order="C")
        along = self.cupy.moveaxis(result, axis, 0)
        for step in range(math.ceil(math.log2(len(along))) if len(along) else 0):
            before = 1 << step
            along[before:] = self.function(along[before:], along[:-before])
        if out is None:
            return result
        out[...] = result
        return out

    @property
    def at(self) -> Callable[..., None]:
        """In place, counting what occurs several times."""
        return self.function.at

    @property
    def reduceat(self) -> Callable[..., Any]:
        """Joins between borders."""
        return self.function.reduceat
