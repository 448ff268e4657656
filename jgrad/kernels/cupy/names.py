"""NumPy's names as CuPy has them: CuPy's own namespace, and what it lacks in its own words."""

from __future__ import annotations

import operator
from typing import Any, ClassVar

import numpy

from jgrad.kernels.cupy.layout import ordered
from jgrad.kernels.cupy.tracing import Fused, Number, Sum, Traced

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
}
MISSING = object()


class Names:
    """Stands for `numpy` in the kernels. What CuPy can't do raises NotImplementedError, which names it."""

    def __init__(self, cupy: Any, cupyx: Any) -> None:
        self.cupy, self.cupyx = cupy, cupyx
        self.ufunc, self.linalg = Ufunc, Linalg(cupy, cupyx)
        self.products = Fused(cupy, operator.mul, Sum, lambda a, b, axis: (a * b).sum(axis))

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

    def asarray(self, a: Any, dtype: Any = None, **options: Any) -> Any:
        if type(a) is Traced and not options:
            return a if dtype is None else a.astype(dtype, copy=False)
        if type(a) is Number:
            return a if dtype is None else a.astype(dtype)
        return self.cupy.asarray(a, dtype, **options)

    def where(self, condition: Any, *choices: Any) -> Any:
        for a in (condition, *choices):
            if type(a) is Traced:
                return a.trace.where(condition, *choices)
        if isinstance(condition, numpy.generic):  # a comparison of numbers
            if not any([a.__class__ is self.ndarray for a in choices]):
                return numpy.where(condition, *choices)[()]
            condition = self.cupy.asarray(condition)
        return self.cupy.where(condition, *choices)

    def clip(self, a: Any, *limits: Any, **options: Any) -> Any:
        return a.clip(*limits, **options)

    def copyto(self, target: Any, source: Any, casting: str = "same_kind", where: Any = None) -> None:
        if type(target) is Traced:
            target.become(target.trace.where(True if where is None else where, source, target))
        else:
            self.cupy.copyto(target, source, casting, where)

    def select(self, conditions: list, choices: list, default: Any) -> Any:
        """Of each element the first choice whose condition holds; CuPy's takes no numbers."""
        found = default
        for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
            found = self.cupy.where(condition, choice, found)
        return found

    def lexsort(self, keys: Any) -> Any:
        """The order by several keys, the last of which counts first."""
        return self.cupy.lexsort(self.cupy.stack(keys))

    def vecdot(self, a: Any, b: Any) -> Any:
        """The products of the vectors of the last dimension."""
        return (self.cupy.conj(a) * b).sum(-1) if a.dtype.kind == "c" else self.products((a, b), -1)


class Linalg:
    """CuPy's linear algebra that raises what NumPy's raises, where CuPy would go on with whatever came out."""

    def __init__(self, cupy: Any, cupyx: Any) -> None:
        self.cupy, self.cupyx = cupy, cupyx

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self.cupy.linalg, name, None)
        if found is None:
            raise NotImplementedError(f"CuPy has no counterpart of numpy.linalg.{name}")
        if not isinstance(found, type):
            found = self.raising(found)
        setattr(self, name, found)
        return found

    def raising(self, function: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            with self.cupyx.errstate(linalg="raise"):
                return function(*args, **options)

        return call

    def solve(self, a: Any, b: Any) -> Any:
        """X of A X = B, also for batches that are to be broadcast."""
        if b.ndim > 1:
            batch = numpy.broadcast_shapes(a.shape[:-2], b.shape[:-2])
            a, b = (self.cupy.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, b))
        return self.raising(self.cupy.linalg.solve)(a, b)


class Ufunc:
    """A ufunc of CuPy's with what else NumPy's can do: `where=`, and more ways to reduce."""

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
        for a in args:
            if type(a) is Traced:
                return a.trace.call(self.__name__, args, where, order=order, **options)
        array = self._np.ndarray
        arrays = [a for a in args if a.__class__ is array]
        if not arrays:
            return getattr(numpy, self.__name__)(*args, **options)  # of numbers
        if self.__name__.startswith("logical") and any([a.dtype.kind == "c" for a in arrays]):
            return self.ufunc(*[a != 0 if a.__class__ is array else a for a in args], **options)
        if where is True:
            if order == "K" and "out" not in options and len(args) == self.nin:
                for a in arrays:
                    if not a._c_contiguous:
                        return self.in_order(args, arrays, options)
            return self.ufunc(*args, **options)
        args, target = args[: self.nin], options.pop("out", args[self.nin] if len(args) > self.nin else None)
        found = self.ufunc(*args, **options)
        if target is None:
            return found
        target[...] = self._np.where(where, found, target)
        return target

    def in_order(self, args: tuple, arrays: list, options: dict[str, Any]) -> Any:
        """The result in the order of strides that NumPy gives it."""
        try:
            turned, back = ordered(self._np.cupy, arrays)
        except ValueError:
            return self.ufunc(*args, **options)  # which says it in a ufunc's words
        each = iter(turned)
        found = self.ufunc(*[next(each) if a.__class__ is self._np.ndarray else a for a in args], **options)
        return tuple([r.transpose(back) for r in found]) if self.nout > 1 else found.transpose(back)

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
            axes = (
                range(a.ndim)
                if axis is None
                else [d % a.ndim for d in (axis if isinstance(axis, tuple) else (axis,))]
            )
            shape = tuple([1 if d in axes else n for d, n in enumerate(a.shape) if keepdims or d not in axes])
            return self._np.full(shape, initial, a.dtype if dtype is None else dtype)
        join = getattr(self._np, self.REDUCTIONS[self.__name__])
        if self.__name__ in ("add", "multiply"):
            found = join(a, axis, dtype=dtype, keepdims=keepdims)
        else:
            found = join(
                a if dtype is None or dtype is bool else a.astype(dtype, copy=False), axis, keepdims=keepdims
            )
        if initial is not MISSING:
            found = self.ufunc(found, initial)
        if out is None:
            return found
        out[...] = found
        return out

    def accumulate(self, a: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        if self.__name__ in ("add", "multiply"):
            whole = self._np.cumsum if self.__name__ == "add" else self._np.cumprod
            found = whole(a, axis, dtype=dtype)
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

    def at(self, a: Any, places: Any, b: Any) -> None:
        """CuPy's atomic operations know few dtypes: others go by those, or by way of a wider one."""
        if self.__name__ == "subtract":
            self._np.add.at(a, places, -b)
        elif a.dtype.kind == "c" and self.__name__ == "add":
            self.ufunc.at(a.real, places, b.real)
            self.ufunc.at(a.imag, places, b.imag)
        elif (a.dtype.kind in "biu" and a.dtype.itemsize < 4) or (a.dtype == "f2" and self.__name__ != "add"):
            wide = a.astype("i4" if a.dtype.kind in "biu" else "f4")
            self.at(wide, places, b)
            a[...] = wide
        elif self.__name__ == "multiply":
            self.at_by_rounds(a, places, b)
        else:
            self.ufunc.at(a, places, b)

    def at_by_rounds(self, a: Any, places: Any, b: Any) -> None:
        """The same without an atomic operation, for one flat index: first all first visits to a place, then all second ones, and so on."""
        np = self._np
        order = np.argsort(places)
        ranked, count = places[order], np.arange(len(places))
        begins = np.concatenate([np.ones(1, bool), ranked[1:] != ranked[:-1]])[: len(places)]
        visit = count - np.maximum.accumulate(np.where(begins, count, 0))
        for k in range(visit.max().item() + 1 if len(places) else 0):
            now = order[visit == k]
            a[places[now]] = self.ufunc(a[places[now]], b[now] if getattr(b, "ndim", 0) else b)

    def outer(self, a: Any, b: Any) -> Any:
        return self.ufunc(a[(...,) + (None,) * b.ndim], b)

    def reduceat(self, a: Any, places: Any, axis: int = 0) -> Any:
        return self.ufunc.reduceat(a, places, axis)
