"""The functions of the foreign library: NumPy's, with what CuPy takes and gives."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.foreign.api import API, checker
from tests.foreign.arrays import (
    WAITING,
    SynchronisationError,
    check_atomic,
    check_devices,
    fresh,
    ndarray,
    unsupported,
    unwrap,
    waits,
    wrap,
)

NUMBERS = (bool, int, float, complex)


class ufunc:
    """A universal function of CuPy's: its loops, its few keywords, its results in C order."""

    def __init__(self, name: str, facts: dict[str, Any]) -> None:
        self.__name__, self.name, self._host = name, f"cupy_{name}", getattr(np, name)
        self.nin, self.nout, self.nargs = facts["nin"], facts["nout"], facts["nin"] + facts["nout"]
        self.types, self._casting, self._facts = facts["types"], facts["casting"], facts
        # Rows of (dtypes in, dtypes out), in the order in which CuPy tries them.
        self._loops = [[tuple(map(np.dtype, side)) for side in row.split("->")] for row in self.types]

    def __repr__(self) -> str:
        return f"<ufunc '{self.name}'>"

    def __call__(
        self, *args: Any, out: Any = None, dtype: Any = None, casting: str | None = None, **kwargs: Any
    ) -> Any:
        if kwargs:
            raise TypeError(f"Wrong arguments {list(kwargs)}")
        if not self.nin <= len(args) <= self.nargs:
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. It must be either {self.nin} or {self.nargs} (with outputs), "
                f"but given {len(args)}."
            )
        outputs = list(args[self.nin :]) or (list(out) if isinstance(out, tuple) else [out])
        outputs += [None] * (self.nout - len(outputs))
        inputs = args[: self.nin]
        for value in (*inputs, *outputs):
            if not (value is None or isinstance(value, (ndarray, np.generic, *NUMBERS))):
                raise unsupported(value)
        if None in [i if i is None else 0 for i in inputs]:
            raise unsupported(None)
        arrays = [value for value in (*inputs, *outputs) if isinstance(value, ndarray)]
        check_devices(arrays)
        dtypes, results = self._loop(inputs, dtype)
        try:
            shape = np.broadcast_shapes(*[a.shape for a in arrays])
        except ValueError:
            shapes = ", ".join([str(a.shape) for a in arrays])
            raise ValueError(f"operands could not be broadcast together with shapes {shapes}") from None
        for output, result in zip(outputs, results, strict=True):
            if output is None:
                continue
            if output.shape != shape:
                raise ValueError("Out shape is mismatched")
            if not np.can_cast(result, output.dtype, casting or self._casting):
                raise TypeError(
                    f"Cannot cast ufunc '{self.name}' output operand from {result!r} to {output.dtype!r} "
                    f"with casting rule '{casting or self._casting}'"
                )
        values = [
            i._host.astype(t, copy=False) if isinstance(i, ndarray) else t.type(i)
            for i, t in zip(inputs, dtypes, strict=True)
        ]
        with np.errstate(all="ignore"):
            found = self._host(*values)
            found = found if isinstance(found, tuple) else (found,)
            final = []
            for output, value, result in zip(outputs, found, results, strict=True):
                if output is None:
                    filled = np.empty(shape, result)
                    filled[...] = value
                    final.append(fresh(filled))
                else:
                    output._host[...] = value.astype(result)
                    final.append(output)
        return final[0] if self.nout == 1 else tuple(final)

    def _loop(self, inputs: Any, dtype: Any) -> tuple[tuple[np.dtype, ...], tuple[np.dtype, ...]]:
        """The first loop whose inputs all arguments can be cast to, or whose outputs have the wanted dtype."""
        if dtype is not None:
            for ins, outs in self._loops:
                if all(o == dtype for o in outs):
                    return ins, outs
        else:
            given = [i.dtype if isinstance(i, ndarray | np.generic) else i for i in inputs]
            # A Python number is weak beside an array (or NumPy's number) of its own kind or a higher one, else it counts as Python's dtype.
            ranks = [
                [rank(g) for g in given if isinstance(g, np.dtype) is strong] for strong in (True, False)
            ]
            weak = max(ranks[0], default=-1) >= max(ranks[1], default=4)
            for ins, outs in self._loops:
                if all(fits(g, t, weak) for g, t in zip(given, ins, strict=True)):
                    return ins, outs
        raise TypeError(f"Wrong type ({dtype or given}) of arguments for {self.name}")

    def reduce(
        self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> ndarray:
        """Only sums and products are there."""
        if not self._facts["reduce"]:
            raise NotImplementedError(f"`{self.name}.reduce` is not supported yet")
        return (array.sum if self.__name__ == "add" else array.prod)(axis, dtype, out, keepdims)

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> ndarray:
        """Only sums and products are there."""
        if not self._facts["reduce"]:
            raise NotImplementedError(f"`{self.name}.accumulate` is not supported yet")
        return (array.cumsum if self.__name__ == "add" else array.cumprod)(axis, dtype, out)

    def reduceat(
        self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None
    ) -> ndarray:
        """Only sums are there."""
        if not self._facts["reduceat"]:
            raise NotImplementedError(f"`{self.name}.reduceat` is not supported yet")
        return fresh(self._host.reduceat(array._host, indices._host, axis, dtype))

    def at(self, a: ndarray, indices: Any, b: Any = None) -> None:
        """In place, counting what occurs several times."""
        if not self._facts["at"]:
            raise NotImplementedError(f"`{self.name}.at` is not supported yet")
        check_atomic(
            {np.add: "add", np.subtract: "sub", np.maximum: "max", np.minimum: "min"}.get(self._host, "and"),
            a.dtype,
        )
        sources: list[ndarray] = []
        b = unwrap(b, sources)
        check_devices([a, *sources])
        with np.errstate(all="ignore"):
            self._host.at(a._host, a._index(indices), b)

    def outer(self, A: Any, B: Any, **kwargs: Any) -> Any:  # noqa: N803
        """For all pairs."""
        return self(A.reshape(A.shape + (1,) * B.ndim), B, **kwargs)


def rank(given: Any) -> int:
    """Bool, integer, or what has fractions."""
    kind = given.kind if isinstance(given, np.dtype) else np.dtype(type(given)).kind
    return {"b": 0, "i": 1, "u": 1}.get(kind, 2)


def fits(given: Any, loop: np.dtype, weak: bool) -> bool:
    """Whether an argument, a dtype or a Python number, can go into a loop of this dtype."""
    if isinstance(given, np.dtype):
        return np.can_cast(given, loop)
    if type(given) is bool or not weak:
        natural = np.dtype(type(given)) if type(given) is not int or given < 2**63 else np.dtype(np.uint64)
        return np.can_cast(natural, loop)
    try:
        return np.result_type(type(given)(0), loop) == loop
    except TypeError:
        return False


# Functions ------------------------------------------------------------------------------------------------------------------------

# Results of these keep the order of their source; others are in C order.
KEEP_ORDER = {
    "array", "asarray", "asanyarray", "copy", "astype", "asfortranarray", "empty_like", "full_like", "ones_like", "zeros_like",
    "empty", "zeros", "ones", "full", "eye",
}  # fmt: skip
# An array may come from the host here, and only here.
TRANSFER = {"array", "asarray", "asanyarray"}
# Their first argument may be a number.
NUMBERS_TOO = {
    "arange", "linspace", "logspace", "full", "empty", "zeros", "ones", "eye", "identity", "tri", "isscalar", "ndim",
    "shape", "size", "real", "imag", "iscomplexobj", "isrealobj", "result_type", "can_cast", "common_type", "tril_indices",
    "triu_indices", "diag_indices", "indices", "unravel_index", "ravel_multi_index", "fromfunction", "fftfreq", "rfftfreq", "einsum",
    "base_repr", "binary_repr", "bartlett", "blackman", "hamming", "hanning", "kaiser", "min_scalar_type", "mask_indices",
    "apply_along_axis", "apply_over_axes", "broadcast_arrays",
}  # fmt: skip


# Parameters that say a shape, a place or a number, for which CuPy would have to read an array.
PLAIN = {
    "shape", "newshape", "axis", "axes", "axis1", "axis2", "offset", "reps", "N", "M", "k", "n", "start", "stop", "step", "num", "ndim",
    "decimals", "source", "destination", "indices_or_sections", "kth", "minlength", "ndmin", "ord", "rtol", "atol",
}  # fmt: skip


def refuse_arrays(name: str, values: dict[str, Any]) -> None:
    """Refuse arrays where a plain number or a shape is wanted."""
    for key, value in values.items():
        if key in PLAIN and any(
            isinstance(v, ndarray) for v in (value if isinstance(value, tuple | list) else (value,))
        ):
            raise SynchronisationError(f"{name}({key}=...) reads device memory")


def function(name: str, parameters: str, host: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's function of this name with the parameters that CuPy's has."""
    check = checker(name, parameters)
    keep_order = name in KEEP_ORDER
    names = check.__code__.co_varnames[: check.__code__.co_argcount]  # type: ignore[attr-defined]

    def call(*args: Any, **kwargs: Any) -> Any:
        check(*args, **kwargs)
        refuse_arrays(name, {**dict(zip(names, args, strict=False)), **kwargs})
        if name == "array" and isinstance(args[0], tuple | list):
            refuse_mixture(args[0])
        if args and isinstance(args[0], (np.generic, *NUMBERS)) and name not in NUMBERS_TOO | TRANSFER:
            raise unsupported(args[0])
        sources: list[ndarray] = []
        if not (name in TRANSFER and args and isinstance(args[0], np.ndarray)):
            args = unwrap(args, sources)
        kwargs = {key: unwrap(value, sources) for key, value in kwargs.items()}
        check_devices(sources)
        if name in WAITING or (name == "repeat" and len(sources) > 1) or (name == "where" and len(args) == 1):
            waits.append(name)
        with np.errstate(all="ignore"):
            return wrap(host(*args, **kwargs), sources, keep_order)

    call.__name__ = call.__qualname__ = name
    return call


def refuse_mixture(values: Any) -> None:
    """CuPy joins arrays of one shape, and makes an array of numbers, but not of both."""
    leaves = list(leaves_of(values))
    if (
        any(isinstance(v, ndarray) for v in leaves)
        and len({v.shape if isinstance(v, ndarray) else None for v in leaves}) > 1
    ):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")


def leaves_of(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple | list):
            yield from leaves_of(value)
        else:
            yield value


def select(condlist: list, choicelist: list, default: Any = 0) -> ndarray:
    """The choices must be arrays, and the default a number."""
    if not isinstance(default, (np.generic, *NUMBERS)):
        raise TypeError("default only accepts scalar values")
    if not all(isinstance(c, ndarray) for c in choicelist):
        raise TypeError("choicelist only accepts lists of cupy ndarrays")
    sources: list[ndarray] = []
    return fresh(np.select(unwrap(condlist, sources), unwrap(choicelist, sources), default))


def reduced(method: Callable[..., Any], axis: Any, dtype: Any, out: Any, keepdims: bool) -> ndarray:
    if not isinstance(method.__self__, ndarray):  # type: ignore[attr-defined]
        raise unsupported(method.__self__)  # type: ignore[attr-defined]
    options = {"dtype": dtype, "out": out}
    return method(
        axis, keepdims=keepdims, **{key: value for key, value in options.items() if value is not None}
    )


def lexsort(keys: ndarray) -> ndarray:
    """The keys must be the rows of one array."""
    check_devices([keys])
    return fresh(np.lexsort(keys._host))


def copyto(dst: ndarray, src: Any, casting: str = "same_kind", where: Any = None) -> None:
    """Copies values, where a mask is true."""
    sources = [dst]
    src, where = unwrap(src, sources), unwrap(where, sources)
    check_devices(sources)
    with np.errstate(all="ignore"):
        np.copyto(dst._host, src, casting, where=True if where is None else where)


def asnumpy(
    a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True
) -> np.ndarray:
    """The values in host memory."""
    return a.get(stream, order, out, blocking) if isinstance(a, ndarray) else np.asarray(a)


def as_strided(x: ndarray, shape: Any = None, strides: Any = None) -> ndarray:
    """Any geometry over the memory of `x`. It owns the pointer alone: no base."""
    return ndarray(
        x.shape if shape is None else shape, x.dtype, x.data, x.strides if strides is None else strides
    )


def array_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """A comparison of arrays, of which CuPy gives the answer on the device."""
    return lambda *args, **kwargs: fresh(np.array(unwrapped(function, *args, **kwargs)))


def unwrapped(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    sources: list[ndarray] = []
    args = unwrap(args, sources)
    check_devices(sources)
    return function(*args, **kwargs)


def sort(a: ndarray, axis: int | None = -1, kind: str | None = None) -> ndarray:
    """A sorted copy."""
    copied = a.ravel().copy() if axis is None else a.copy()
    copied.sort(-1 if axis is None else axis, kind)
    return copied


def take(a: ndarray, indices: Any, axis: int | None = None, out: Any = None) -> ndarray:
    """Elements by index; what is beyond the end wraps around."""
    sources = [a]
    indices, out_host = unwrap(indices, sources), unwrap(out, sources)
    check_devices(sources)
    return wrap(np.take(a._host, indices, axis, out_host, "wrap"), sources, keep_order=False)


class broadcast:
    """The shape that arrays have together, and the arrays in it."""

    def __init__(self, *arrays: Any) -> None:
        sources = [a for a in arrays if isinstance(a, ndarray)]
        self.shape = np.broadcast_shapes(*[a.shape for a in sources])
        self.nd, self.size = len(self.shape), int(np.prod(self.shape))
        self.values = [
            a
            if not isinstance(a, ndarray) or a.shape == self.shape
            else wrap(np.broadcast_to(a._host, self.shape), [a])
            for a in arrays
        ]


@contextlib.contextmanager
def errstate(*, linalg: str | None = None) -> Iterator[None]:
    """A block in which linear algebra raises its errors ("raise"). Else ("ignore") CuPy goes on with whatever came out."""
    before = errors[0]
    errors[0] = linalg or before
    try:
        yield
    finally:
        errors[0] = before


errors = ["ignore"]


def solving(function: Callable[..., Any]) -> Callable[..., Any]:
    """A solver that says nothing of a matrix it can't solve, unless asked to."""

    def call(a: Any, *rest: Any, **options: Any) -> Any:
        if rest and rest[0].ndim > 1 and rest[0].shape[:-1] != a.shape[:-1]:
            raise ValueError(
                "a must have (..., M, M) shape and b must have (..., M, K) for multidimensional b"
            )
        try:
            return function(a, *rest, **options)
        except np.linalg.LinAlgError:
            if errors[0] == "raise" or a.ndim < 2 or a.shape[-1] != a.shape[-2]:
                raise
            return fresh(np.full((rest[0] if rest else a).shape, 12345, a.dtype))

    return call


OWN: dict[str, Callable[..., Any]] = {
    "copyto": copyto,
    "sum": lambda a, axis=None, dtype=None, out=None, keepdims=False: reduced(
        a.sum, axis, dtype, out, keepdims
    ),
    "mean": lambda a, axis=None, dtype=None, out=None, keepdims=False: reduced(
        a.mean, axis, dtype, out, keepdims
    ),
    "broadcast_arrays": lambda *args: broadcast(*args).values,
    "select": select,
    "lexsort": lexsort,
    "asnumpy": asnumpy,
    "sort": sort,
    "take": take,
    "allclose": array_argument(np.allclose),
    "array_equal": array_argument(np.array_equal),
    "array_equiv": array_argument(np.array_equiv),
}


def special(function: Callable[[float], float]) -> Callable[[ndarray], ndarray]:
    """One of `cupyx.scipy.special`, of which half-precision numbers become double."""

    def call(a: ndarray) -> ndarray:
        check_devices([a])
        if a.dtype.char not in "efd":
            raise TypeError(f"Wrong type ({a.dtype}) of arguments for {function.__name__}")
        values = [function(x) for x in a._host.ravel().tolist()]
        return fresh(np.array(values, "f" if a.dtype.char == "f" else "d").reshape(a.shape).copy())

    return call


def scatter(op: str) -> Callable[[ndarray, Any, Any], None]:
    return lambda a, slices, value: a._scatter_op(slices, value, op)


def namespace(module: str, host: Any) -> dict[str, Any]:
    """The functions of one module by name."""
    found = {}
    for name, parameters in API["functions"][module].items():
        if not module and name in OWN:
            found[name] = OWN[name]
        elif hasattr(host, name):
            found[name] = function(name, parameters, getattr(host, name))
            if module == "linalg" and name in ("solve", "inv", "cholesky"):
                found[name] = solving(found[name])
    return found


ndarray.take = lambda self, indices, axis=None, out=None: take(self, indices, axis, out)  # type: ignore[attr-defined]
UFUNCS = {name: ufunc(name, facts) for name, facts in API["ufuncs"].items() if hasattr(np, name)}
OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "power", "lshift": "left_shift", "rshift": "right_shift", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "divmod": "divmod",
}  # fmt: skip


def operator(f: Callable[..., Any], swapped: bool = False) -> Callable[..., Any]:
    if swapped:
        return lambda self, other: f(other, self)
    return lambda self, other: f(self, other)


_matmul = function(
    "matmul", "x1, x2, /, out=None, *, axes=None, axis=None, dtype=None, casting='same_kind'", np.matmul
)
ndarray.__matmul__ = lambda self, other: _matmul(self, other)  # type: ignore[attr-defined]
ndarray.__rmatmul__ = lambda self, other: _matmul(other, self)  # type: ignore[attr-defined]
for _name, _function in OPERATORS.items():
    _f = UFUNCS[_function]
    setattr(ndarray, f"__{_name}__", operator(_f))
    setattr(ndarray, f"__r{_name}__", operator(_f, swapped=True))
    if _name != "divmod":
        setattr(ndarray, f"__i{_name}__", (lambda f: lambda self, other: f(self, other, self))(_f))
for _name, _function in {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}.items():
    setattr(ndarray, f"__{_name}__", operator(UFUNCS[_function]))
for _name, _function in {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}.items():
    setattr(ndarray, f"__{_name}__", (lambda f: lambda self: f(self))(UFUNCS[_function]))


def compare(f: Callable[..., Any], otherwise: bool) -> Callable[..., Any]:
    """`==` and `!=`: an object that is no number differs everywhere."""

    def method(self: ndarray, other: Any) -> Any:
        if other is None or type(other).__eq__ is object.__eq__:
            return fresh(np.full(self.shape, otherwise))
        return f(self, other)

    return method


ndarray.__eq__ = compare(UFUNCS["equal"], False)  # type: ignore[method-assign]
ndarray.__ne__ = compare(UFUNCS["not_equal"], True)  # type: ignore[method-assign]
