"""Tensors that stand for a whole batch: what `vmap` hands to a function that was written for one example.

A `Batched` has the shape of one example; the batch is in `value`, along `bdim`. Operations on it run on the whole batch at once, by the
rules in `jgrad/transforms/batching.py`. Inside another `vmap` the value is batched itself; see Note [Levels] in `jgrad/graph/levels.py`.

Note [No data]: `_a` of a Batched has the geometry of the first example. So shape, strides, dtype and overlap can be read from it, but reading an
element raises an error. Thus code that computes with `_a` directly can't use the first example's numbers for all examples.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import numpy as np

from jgrad.devices import device
from jgrad.graph import levels, overriding
from jgrad.graph.levels import Level
from jgrad.kernels import libraries
from jgrad.kernels.lazy import resolved
from jgrad.storage import owner
from jgrad.tensor import Tensor, _plain


def wrap(tensor: Tensor, bdim: int, at: Level) -> Batched:
    """One example of a batch; the batch is dimension `bdim` of this tensor."""
    return batched(tensor, bdim, at)


def unwrap(result: Tensor, dim: int, at: Level) -> Tensor:
    """The whole batch of results, along `dim`; what is the same for all examples is repeated."""
    if isinstance(result, Batched) and result.level is at:
        if result.bdim is not None:
            return result.value if result.bdim == dim else result.value.movedim(result.bdim, dim)
        result = result.value
    dim = dim + result._a.ndim + 1 if dim < 0 else dim
    shape = result._a.shape
    return result.unsqueeze(dim).expand(*shape[:dim], at.size, *shape[dim:])


def lift(tensor: Tensor) -> Tensor:
    """This tensor as an example of the innermost open batch. It is returned unchanged if it is one already, or if no batch is open."""
    level = levels.batching()
    if level is None or (isinstance(tensor, Batched) and tensor.level is level):
        return tensor
    return batched(tensor, None, level)


# The tensor -------------------------------------------------------------------------------------------------------------------


class NoData(np.ndarray):
    """The geometry of an array whose elements must not be read; see Note [No data]."""

    def __array_ufunc__(self, *_: Any, **__: Any) -> NoReturn:
        raise RuntimeError(CONTROL_FLOW)

    def __array_function__(self, function: Callable, types: Any, args: Any, kwargs: Any) -> Any:
        if function in GEOMETRY:
            return function(*[a.view(np.ndarray) if isinstance(a, NoData) else a for a in args], **kwargs)
        raise RuntimeError(CONTROL_FLOW)

    def _unreadable(self, *_: Any, **__: Any) -> NoReturn:
        raise RuntimeError(CONTROL_FLOW)

    astype = copy = tobytes = take = sort = dot = searchsorted = round = clip = _unreadable
    __bool__ = __int__ = __float__ = __complex__ = __index__ = __iter__ = __contains__ = _unreadable
    __setitem__ = fill = put = itemset = _unreadable

    def item(self, *_: Any) -> NoReturn:
        raise RuntimeError(ITEM)

    tolist = item


GEOMETRY = (np.may_share_memory, np.shares_memory, np.shape, np.ndim, np.size)
CONTROL_FLOW = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that yet, please file an "
    "issue at https://github.com/pytorch/pytorch/issues ."
)
ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, please try to rewrite "
    "what you're doing with other operations. If error is occurring somewhere inside PyTorch internals, please file a bug report."
)


class Batched(Tensor):
    """One example of a batch. `value` holds all of them along `bdim`, or what is the same for all if `bdim` is None."""

    __slots__ = ("value", "bdim", "level")
    __torch_function__ = overriding.disabled_torch_function_impl
    value: Tensor
    bdim: int | None
    level: Level

    @property
    def device(self) -> device:
        return self.value.device

    @property
    def front(self) -> Tensor:
        """The batch along the first dimension."""
        return self.value if self.bdim == 0 else self.value.movedim(self.bdim, 0)

    def __repr__(self) -> str:
        return levels.rules.text(self)

    def __format__(self, spec: str) -> str:
        return self.item() if spec else object.__format__(self, spec)

    def __bool__(self) -> NoReturn:
        raise RuntimeError(CONTROL_FLOW)

    def item(self) -> NoReturn:
        raise RuntimeError(ITEM)

    __int__ = __float__ = __complex__ = item

    def __index__(self) -> NoReturn:
        raise TypeError("only integer tensors of a single element can be converted to an index")

    def _no_pointer(self, *_: Any, **__: Any) -> NoReturn:
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    data_ptr = numpy = tolist = __array__ = _no_pointer

    def _no_storage(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError("Cannot access storage of BatchedTensorImpl")

    untyped_storage = __copy__ = __deepcopy__ = __reduce__ = __reduce_ex__ = _no_storage

    @property  # type: ignore[misc]
    def data(self) -> Tensor:
        raise RuntimeError("accessing `data` under vmap transform is not allowed")


_blank = object.__new__


def batched(value: Tensor, bdim: int | None, at: Level) -> Batched:
    """A tensor without history of its own that stands for the examples along `bdim`."""
    t = _blank(Batched)
    t.value, t.bdim, t.level = value, bdim, at
    t._rg, t._fn, t._nr = False, None, 0
    t._vc = t._view = t._grad = t._rare = None
    t._a = example(value._a, bdim)
    return t


def example(array: Any, bdim: int | None) -> Any:
    """The geometry of the first example."""
    if libraries.library_of(array) is not libraries.NUMPY:
        array = here(array)
    array = array.view(np.ndarray)
    if bdim is not None and array.shape[bdim]:
        array = array[(slice(None),) * bdim + (0, ...)]
    elif bdim is not None:
        array = np.empty(array.shape[:bdim] + array.shape[bdim + 1 :], array.dtype)
    return array.view(NoData)


class Elsewhere:
    """Memory on another device, with its address there, as NumPy takes it."""

    def __init__(self, address: int, size: int) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (size,),
            "typestr": "|u1",
            "version": 3,
        }


def here(array: Any) -> np.ndarray:
    """The geometry of an array on another device, over memory that must not be read."""
    root, address = owner(array), libraries.library_of(array).kernels.address
    memory = np.asarray(Elsewhere(address(root), root.nbytes))
    return np.ndarray(array.shape, array.dtype, memory, address(array) - address(root), array.strides)


def same_without_history(t: Tensor) -> Tensor:
    """Another tensor on the same memory and version counter, with the same tangents, outside of the graph."""
    result: Tensor = batched(t.value, t.bdim, t.level) if isinstance(t, Batched) else _plain(t._a)
    result._vc = t._counter
    if t._rare is not None and t._rare.tangents:
        result._extras().tangents = t._rare.tangents
    return result


def whole_array(t: Tensor) -> Any:
    """The array of all examples, for checks of values that hold for each; the batch is in front."""
    while isinstance(t, Batched):
        t = t.value if t.bdim is None else t.front
    return resolved(t._a)


def level_of(values: Iterable[Any]) -> Level | None:
    """The innermost level that any of an operation's arguments is batched at."""
    found: Level | None = None
    for v in values:
        if v.__class__ is list or v.__class__ is tuple:
            within = level_of(v)
            if within is not None and (found is None or within.number > found.number):
                found = within
        elif isinstance(v, Batched) and (found is None or v.level.number > found.number):
            found = v.level
    return found


def lifted(values: list[Any], at: Level) -> list[Any]:
    """An operation's arguments, with every tensor an example at this level."""

    def lift_one(v: Any) -> Any:
        if v.__class__ is list or v.__class__ is tuple:
            return type(v)([lift_one(x) for x in v])
        if isinstance(v, Tensor) and not (isinstance(v, Batched) and v.level is at):
            example = batched(v, None, at)
            if v._rare is not None and v._rare.tangents:
                # It was written to inside of this batch: those of levels further out are known to the value.
                example._extras().tangents = {
                    level: t for level, t in v._rare.tangents.items() if level.number > at.number
                }
            return example
        return v

    return [lift_one(v) for v in values]


def outside(value: Any) -> Any:
    """An argument that is the same for all examples, as a tensor of no batch. Any other is returned unchanged."""
    if value.__class__ is list or value.__class__ is tuple:
        return type(value)([outside(v) for v in value])
    if isinstance(value, Batched) and value.bdim is None and not value.requires_grad:
        return outside(value.value)
    return value


def tensors_among(values: Iterable[Any]) -> list[Tensor]:
    """The tensors in an operation's arguments."""
    found: list[Tensor] = []
    for v in values:
        if v.__class__ is list or v.__class__ is tuple:
            found += tensors_among(v)
        elif isinstance(v, Tensor):
            found.append(v)
    return found


def on_the_values(function: Callable) -> Callable:
    """For functions that give a tensor like their first argument, element for element: a batch in, a batch out."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if overriding.in_use and (asked := overriding.asked(args, kwargs)) is not None:
            return overriding.call(call, f"torch.{function.__name__}", asked, args, kwargs)
        if levels.anywhere and args and isinstance(args[0], Batched):
            t = args[0]
            return batched(call(t.value, *args[1:], **kwargs), t.bdim, t.level)
        return function(*args, **kwargs)

    return call


def for_every_example(method: Callable) -> Callable:
    """For methods that make a tensor of any size: what is made for one example of a batch is made for each."""

    @functools.wraps(method)
    def call(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(self, Batched):
            return method(self, *args, **kwargs)
        made = call(self.value, *args, **kwargs)
        if self.bdim is None:
            return batched(made, None, self.level)
        return batched(made.unsqueeze(0).expand((self.level.size, *made._a.shape)).clone(), 0, self.level)

    return call


def everywhere(v: Batched, like: Batched) -> Tensor:
    """The value with the batch in front; repeated where it is the same for all."""
    if v.bdim is not None:
        return v.front
    size = like.front._a.shape[0] if like.bdim is not None else v.level.size
    return v.value.unsqueeze(0).expand(size, *v.value._a.shape)
