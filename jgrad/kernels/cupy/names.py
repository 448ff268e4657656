"""NumPy's names as CuPy has them: CuPy's own namespace, and what it lacks in its own words."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy

# What has no arrays in it, or shapes alone, is NumPy's for both.
SAME = {
    "broadcast_shapes",
    "dtype",
    "errstate",
    "finfo",
    "generic",
    "iinfo",
    "isscalar",
    "ndindex",
    "result_type",
}
MISSING = object()


class Names:
    """Stands for `numpy` in the kernels. What CuPy can't do raises NotImplementedError, which names it."""

    def __init__(self, cupy: Any, cupyx: Any) -> None:
        self.cupy, self.cupyx = cupy, cupyx
        self.ufunc = Ufunc

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(numpy if name in SAME else self.cupy, name, None)
        if found is None:
            raise NotImplementedError(f"CuPy has no counterpart of numpy.{name}")
        if isinstance(getattr(numpy, name, None), numpy.ufunc) and hasattr(found, "nin"):
            found = Ufunc(found, name, self)
        setattr(self, name, found)
        return found


class Ufunc:
    """A ufunc of CuPy's with what NumPy's can do beside: `where=`, and more ways to reduce."""

    REDUCTIONS: ClassVar[dict[str, str]] = {
        "add": "sum",
        "multiply": "prod",
        "maximum": "amax",
        "minimum": "amin",
        "logical_and": "all",
        "logical_or": "any",
    }

    def __init__(self, ufunc: Any, name: str, names: Names) -> None:
        self.ufunc, self.__name__, self._np = ufunc, name, names
        self.nin, self.nout = ufunc.nin, ufunc.nout

    def __call__(self, *args: Any, where: Any = True, order: str = "K", **options: Any) -> Any:
        if not any([isinstance(a, self._np.ndarray) for a in args]):
            return getattr(numpy, self.__name__)(*args, **options)  # of numbers
        if where is True:
            return self.ufunc(*args, **options)
        args, target = args[: self.nin], options.pop("out", args[self.nin] if len(args) > self.nin else None)
        found = self.ufunc(*args, **options)
        if target is None:
            return found
        target[...] = self._np.where(where, found, target)
        return target

    def reduce(
        self,
        a: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = MISSING,
    ) -> Any:
        if self.__name__ not in self.REDUCTIONS:
            raise NotImplementedError(f"CuPy has no counterpart of numpy.{self.__name__}.reduce")
        if initial is not MISSING and not a.size:
            shape = numpy.add.reduce(
                numpy.broadcast_to(numpy.int8(0), a.shape), axis, keepdims=keepdims
            ).shape
            return self._np.full(shape, initial, a.dtype if dtype is None else dtype)
        if dtype is not None and self.__name__ in ("add", "multiply"):
            found = getattr(self._np, self.REDUCTIONS[self.__name__])(a, axis, dtype=dtype, keepdims=keepdims)
        else:
            found = getattr(self._np, self.REDUCTIONS[self.__name__])(a, axis, keepdims=keepdims)
            if self.__name__ in ("add", "multiply") and found.dtype != a.dtype and a.dtype.kind in "iu":
                found = found.astype(a.dtype)  # as NumPy's ufuncs, unlike its sum()
        if initial is not MISSING:
            found = self.ufunc(found, initial)
        if out is None:
            return found
        out[...] = found
        return out

    def accumulate(self, a: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        if self.__name__ in ("add", "multiply"):
            whole = self._np.cumsum if self.__name__ == "add" else self._np.cumprod
            found = whole(a, axis, dtype=a.dtype if dtype is None else dtype)
        else:
            # The sums of 2, 4, 8, ... neighbours, one step for each doubling.
            found, step = a if dtype is None else a.astype(dtype), 1
            ahead = (slice(None),) * (axis % max(a.ndim, 1))
            while step < a.shape[axis]:
                later = self.ufunc(found[(*ahead, slice(step, None))], found[(*ahead, slice(None, -step))])
                found = self._np.concatenate([found[(*ahead, slice(None, step))], later], axis)
                step *= 2
        if out is None:
            return found.copy() if found is a else found
        out[...] = found
        return out

    def at(self, a: Any, *rest: Any) -> None:
        self.ufunc.at(a, *rest)

    def outer(self, a: Any, b: Any) -> Any:
        return self.ufunc(a[(...,) + (None,) * b.ndim], b)

    def reduceat(self, a: Any, places: Any, axis: int = 0) -> Any:
        return self.ufunc.reduceat(a, places, axis)
