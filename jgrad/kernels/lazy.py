"""Arrays that are conjugated or negated when they are read.

`x.conj()` computes nothing. It is a view of x's memory, and its array is of a class that says what is still to be done with each element:
`Conjugated`, `Negated`, or both. The class belongs to the array, as shape and strides do, so views of such an array have it too.

Kernels get plain arrays. The general path of an operator (`around`) and the backward pass (`resolved`) do what was postponed before they call
one, and what a kernel writes to such an array is undone on its way to memory. Fast paths leave these arrays to the general path
(`libraries.unusual`).

Any other code may use these arrays as it uses others: NumPy's functions and the methods below resolve them too, and an assignment
`a[...] = values` writes through. What NumPy does in C without asking the class, as `np.asarray(a)`, would read the memory as it is. So code
that calls it on the array of a tensor calls `resolved` first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from jgrad.kernels import libraries

in_use = False  # whether there may be such arrays


class Lazy(np.ndarray):
    """An array whose elements are to be conjugated, negated or both when they are read."""

    conjugated: ClassVar[bool]
    negated: ClassVar[bool]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: tuple = (), **kwargs: Any) -> Any:
        if method == "at":
            raise TypeError(f"{ufunc.__name__}.at() of an array that is conjugated or negated lazily")
        given = [resolved(a) for a in inputs]
        if not out:
            return getattr(ufunc, method)(*given, **kwargs)
        work = tuple([resolved(a) for a in out])
        getattr(ufunc, method)(*given, out=work, **kwargs)
        for target, values in zip(out, work, strict=True):
            if isinstance(target, Lazy):
                target[...] = values
        return out[0] if len(out) == 1 else out

    def __array_function__(self, function: Callable, types: Any, args: Any, kwargs: Any) -> Any:
        if function in WRITING:
            raise TypeError(f"{function.__name__}() of an array that is conjugated or negated lazily")
        turn = memory_of if function in GEOMETRIC else resolved
        return function(*turn(args), **{name: turn(value) for name, value in kwargs.items()})

    def __getitem__(self, key: Any) -> Any:
        found = memory_of(self)[key]
        return found.view(type(self)) if isinstance(found, np.ndarray) else turned(found, type(self))

    def __setitem__(self, key: Any, value: Any) -> None:
        memory_of(self)[key] = turned(resolved(value), type(self))

    def fill(self, value: Any) -> None:
        self[...] = value

    def view(self, *args: Any) -> Any:  # type: ignore[override]
        """The same memory as an array of another class; as one of another dtype after what was postponed is done."""
        if args and not (isinstance(args[0], type) and issubclass(args[0], np.ndarray)):
            return resolved(self).view(*args)
        return np.ndarray.view(self, *args)

    @property  # type: ignore[misc]
    def real(self) -> Any:
        part = memory_of(self).real
        return part.view(Negated) if self.negated else part

    @property  # type: ignore[misc]
    def imag(self) -> Any:
        part = memory_of(self).imag
        return part.view(Negated) if self.negated is not self.conjugated else part


class Conjugated(Lazy):
    """An array whose elements are conjugated when they are read."""

    conjugated, negated = True, False


class Negated(Lazy):
    """An array whose elements are negated when they are read."""

    conjugated, negated = False, True


class ConjugatedNegated(Lazy):
    """An array whose elements are conjugated and negated when they are read."""

    conjugated, negated = True, True


CLASSES = {
    (False, False): np.ndarray, (True, False): Conjugated, (False, True): Negated, (True, True): ConjugatedNegated,
}  # fmt: skip
GEOMETRIC = (np.may_share_memory, np.shares_memory, np.shape, np.ndim, np.size)
WRITING = (np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal)


def _resolving(name: str) -> Callable:
    def method(self: Lazy, *args: Any, **kwargs: Any) -> Any:
        return getattr(resolved(self), name)(*args, **kwargs)

    return method


for _name in (
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "byteswap", "choose", "clip", "compress", "conj", "conjugate",
    "copy", "cumprod", "cumsum", "dot", "dump", "dumps", "flatten", "item", "max", "mean", "min", "nonzero", "prod", "repeat", "round",
    "searchsorted", "std", "sum", "take", "tobytes", "tofile", "tolist", "trace", "var", "__bool__", "__complex__", "__copy__",
    "__deepcopy__", "__float__", "__int__", "__reduce__", "__reduce_ex__",
):  # fmt: skip
    setattr(Lazy, _name, _resolving(_name))


def bits_of(array: Any) -> tuple[bool, bool]:
    """Whether an array is to be conjugated, and whether it is to be negated, when it is read."""
    return (array.conjugated, array.negated) if isinstance(array, Lazy) else (False, False)


def toggled(array: np.ndarray, conjugated: bool = False, negated: bool = False) -> np.ndarray:
    """The same memory, to be conjugated or negated once more when it is read."""
    if not in_use:
        _begin()
    before = bits_of(array)
    return memory_of(array).view(CLASSES[before[0] is not conjugated, before[1] is not negated])


def _begin() -> None:
    """From now on there may be such arrays."""
    global in_use
    in_use = True
    libraries.register_classes(Conjugated, Negated, ConjugatedNegated)


def turned(values: Any, cls: type) -> Any:
    """What the elements of an array of a class stand for, or what is to be written there so that it stands for these values."""
    if not issubclass(cls, Lazy):
        return values
    values = np.conjugate(values) if cls.conjugated else values
    return np.negative(values) if cls.negated else values


def alike(array: np.ndarray, model: Any) -> np.ndarray:
    """An array over memory, with what another array postpones."""
    return array.view(type(model)) if isinstance(model, Lazy) else array


def memory_of(value: Any) -> Any:
    """An array as its memory has it, without what was postponed; in tuples and lists too."""
    if isinstance(value, Lazy):
        return np.ndarray.view(value, np.ndarray)
    return type(value)([memory_of(v) for v in value]) if value.__class__ in (tuple, list) else value


def resolved(value: Any) -> Any:
    """An array after what was postponed is done: a copy, or itself if there was nothing; in tuples and lists too."""
    if isinstance(value, Lazy):
        return np.asarray(turned(memory_of(value), type(value)))
    return type(value)([resolved(v) for v in value]) if value.__class__ in (tuple, list) else value


# Kernels that work on memory: what they get is not resolved, and what they return says itself what is postponed.
ON_MEMORY = ("_conj", "_neg_view", "view_as_real")


def around(overload: Any, kernel: Callable, raw: list[Any]) -> Callable:
    """A kernel for arguments of which some may be lazy. They are resolved here, in `raw`.

    A view of a lazy array is one too. What a kernel writes to its first argument is written through to the lazy array.
    """
    if overload.name in ON_MEMORY or not any([_is_lazy(value) for value in raw]):
        return kernel
    first, cls = raw[0], type(raw[0])
    if overload.view and isinstance(first, Lazy):
        raw[0] = memory_of(first)

        def seen(*args: Any) -> Any:
            found = kernel(*args)
            several = found.__class__ in (tuple, list)
            return [part.view(cls) for part in found] if several else found.view(cls)

        return seen
    raw[:] = resolved(raw)
    if not (isinstance(first, Lazy) and (overload.writes or kernel is overload.kernel_inplace)):
        return kernel

    def written(*args: Any) -> Any:
        result = kernel(*args)
        first[...] = args[0]
        return result

    return written


def _is_lazy(value: Any) -> bool:
    return any(map(_is_lazy, value)) if value.__class__ in (tuple, list) else isinstance(value, Lazy)
