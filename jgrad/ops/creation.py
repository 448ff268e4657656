"""Tensors of a given size: filled with one number, the identity matrix, memory that is not filled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import dtypes, formats
from jgrad.devices import resolve
from jgrad.dispatch.batched import for_every_example, on_the_values
from jgrad.dispatch.signatures import OMITTED, shown_as
from jgrad.dtypes import FROM_NUMPY
from jgrad.errors import class_name, of_dimensions
from jgrad.kernels import libraries
from jgrad.kernels.numbers import fill_number
from jgrad.ops.factories import (
    COMMON,
    EMPTY,
    LIKE,
    built,
    input_of,
    made,
    named,
    number_of,
    numpy_dtype,
    refuse_unknown,
    size_of,
)
from jgrad.tensor import Tensor

# The docstrings of factories, in which only some lines differ.
_ABOUT = """\
    requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU"""

_FILLED_DOC = """{what}

Args:
    size: the shape, as integers or as one tuple or list of integers
    dtype: the dtype; None means the default dtype, or that of `out`
    layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
    device: the device of the new tensor; None means the default device
{about}

Returns a new tensor.

{example}
"""

_LIKE_DOC = """{what}

Args:
    input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
    dtype: the dtype; None means that of `input`
    layout: None or `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
    device: the device of the new tensor; None means that of `input`
{about}
    memory_format: the order of the dimensions in memory; `preserve_format` keeps that of `input`, if it has no gaps

Returns a new tensor. No gradient flows to `input`.

{example}
"""

_NEW_DOC = """{what} By default it has the dtype and the device of this tensor.

Args:
{arguments}
    dtype: the dtype; None means that of this tensor
    layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
    device: the device of the new tensor; None means that of this tensor
{about}

Returns a new tensor.

{example}
"""


def _filled(name: str, what: str, example: str) -> Callable:
    def factory(*args: Any, size: Any = None, out: Any = None, dtype: Any = None, **common: Any) -> Tensor:
        shape = size_of(name, args, size)
        default = FROM_NUMPY[out._a.dtype] if isinstance(out, Tensor) else None
        given = common.pop("memory_format", None) if name == "empty" else None
        refuse_unknown(name, common)
        formats.check(name, given)
        np_dtype = numpy_dtype(name, dtype, default)
        if given is not None:
            return _empty_in(given, shape, np_dtype, out, common)
        array = built(common.get("device"), lambda np: getattr(np, name)(shape, np_dtype))
        return made(name, array, out=out, arguments={"size": shape}, **common)

    formatted = [lambda *, memory_format=formats.contiguous_format: None] if name == "empty" else []
    about = _ABOUT
    if formatted:
        about += "\n    memory_format: the order of the dimensions in memory: `contiguous_format`, or `channels_last` for images"
    doc = _FILLED_DOC.format(what=what, about=about, example=example)
    return shown_as(lambda *size, out=None: None, COMMON, *formatted)(named(factory, name, doc))


def _empty_in(given: Any, shape: tuple, np_dtype: np.dtype, out: Any, common: dict[str, Any]) -> Tensor:
    """An uninitialised tensor in a memory format."""
    if given is formats.preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    strides = formats.strides_in(shape, given)
    if out is not None:
        out.resize_(shape, memory_format=given)
        return out
    home = resolve(common.get("device"))
    library = libraries.library_on(home)
    with library.on_device(home):
        array = library.kernels.empty_strided(shape, strides, np_dtype)
    return made("empty", array, arguments={"size": shape}, **common)


def _filled_like(name: str, fill: Callable[[np.ndarray], None], what: str, example: str) -> Callable:
    @on_the_values
    def factory(*args: Any, dtype: Any = None, memory_format: Any = None, **common: Any) -> Tensor:
        source = input_of(name, args, common)
        refuse_unknown(name, common)
        formats.check(name, memory_format)
        np_dtype = numpy_dtype(name, dtype, source.dtype)
        if common.get("device") is not None and source.device != resolve(common["device"]):
            return made(
                name,
                _filled_elsewhere(source, fill, np_dtype, memory_format, common),
                inputs=(source,),
                **common,
            )
        with libraries.device_guard((source,)):
            array = libraries.library_of(source._a).kernels.empty_like(source._a, np_dtype, memory_format)
            fill(array)
        return made(name, array, inputs=(source,), **common)

    doc = _LIKE_DOC.format(what=what, about=_ABOUT, example=example)
    return shown_as(lambda input: None, LIKE)(named(factory, name, doc))


def _filled_elsewhere(
    source: Tensor, fill: Callable, np_dtype: np.dtype, memory_format: Any, common: dict[str, Any]
) -> Any:
    """An array like that of a tensor, on another device, which needs none of its elements."""
    home = resolve(common["device"])
    library = libraries.library_on(home)
    with library.on_device(home):
        strides = tuple(
            [
                s // source._a.itemsize
                for s in libraries.library_of(source._a)
                .kernels.empty_like(source._a, None, memory_format)
                .strides
            ]
        )
        array = library.kernels.empty_strided(source._a.shape, strides, np_dtype)
        fill(array)
    return array


def _nothing(array: np.ndarray) -> None:
    pass


zeros = _filled(
    "zeros",
    "A tensor of some size, filled with 0.",
    """>>> jgrad.zeros(2, 3)
tensor([[0., 0., 0.],
        [0., 0., 0.]])""",
)
ones = _filled(
    "ones",
    "A tensor of some size, filled with 1.",
    """>>> jgrad.ones(2, 3, dtype=jgrad.int64)
tensor([[1, 1, 1],
        [1, 1, 1]])""",
)
empty = _filled(
    "empty",
    "A tensor of some size with arbitrary values: memory that is not filled. With deterministic algorithms, it is filled with nan or "
    "the largest integer.",
    """>>> jgrad.empty(2, 3).shape  # the values may be anything
jgrad.Size([2, 3])""",
)
zeros_like = _filled_like(
    "zeros_like",
    lambda a: a.fill(fill_number(0, a.dtype)),
    "A tensor with the size of another one, filled with 0.",
    """>>> x = jgrad.tensor([[1, 2], [3, 4]])
>>> jgrad.zeros_like(x)
tensor([[0, 0],
        [0, 0]])""",
)


class _Zero:
    """`self = ZERO` in a declaration: the derivative for `self` is zero everywhere."""

    def __set_name__(self, declaration: type, argument: str) -> None:
        # A formula of its own for each argument: one under several names gives all their gradients together.
        setattr(declaration, argument, lambda grad: zeros_like(grad))


ZERO = _Zero()
ones_like = _filled_like(
    "ones_like",
    lambda a: a.fill(1),
    "A tensor with the size of another one, filled with 1.",
    """>>> x = jgrad.tensor([[1, 2], [3, 4]])
>>> jgrad.ones_like(x, dtype=jgrad.float32)
tensor([[1., 1.],
        [1., 1.]])""",
)
empty_like = _filled_like(
    "empty_like",
    _nothing,
    "A tensor with the size of another one, with arbitrary values: memory that is not filled.",
    """>>> x = jgrad.zeros(3, 2).t()
>>> y = jgrad.empty_like(x)  # the values may be anything
>>> y.shape, y.stride() == x.stride()
(jgrad.Size([2, 3]), True)""",
)


@shown_as(lambda size, fill_value, *, out=None: None, COMMON)
def full(*args: Any, out: Any = None, dtype: Any = None, **common: Any) -> Tensor:
    """A tensor of some size, filled with one number."""
    if len(args) > 2:
        raise TypeError(f"full() takes 2 positional arguments but {len(args)} were given")
    size = args[0] if args else common.pop("size", EMPTY)
    value = args[1] if len(args) > 1 else common.pop("fill_value", EMPTY)
    missing = [f'"{n}"' for n, v in (("size", size), ("fill_value", value)) if v is EMPTY]
    if missing:
        raise TypeError(f"full() missing {len(missing)} required positional arguments: {', '.join(missing)}")
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {class_name(size)}")
    refuse_unknown("full", common)
    value = number_of("full", "fill_value", value, " (position 2)" if len(args) > 1 else "")
    shape = size_of("full", (size,), None)
    default = FROM_NUMPY[out._a.dtype] if isinstance(out, Tensor) else dtypes.of_number(value)
    np_dtype = numpy_dtype("full", dtype, default)
    return made(
        "full",
        built(common.get("device"), lambda np: np.full(shape, fill_number(value, np_dtype), np_dtype)),
        out=out,
        arguments={"size": shape},
        **common,
    )


@shown_as(lambda input, fill_value: None, LIKE)
@on_the_values
def full_like(
    input: Tensor, fill_value: Any, *, dtype: Any = None, memory_format: Any = None, **common: Any
) -> Tensor:
    """A tensor with the size of another one, filled with one number."""
    refuse_unknown("full_like", common)
    formats.check("full_like", memory_format)
    fill_value = number_of("full_like", "fill_value", fill_value, " (position 2)")
    np_dtype = numpy_dtype("full_like", dtype, input.dtype)
    with libraries.device_guard((input,)):
        array = libraries.library_of(input._a).kernels.empty_like(input._a, np_dtype, memory_format)
        array.fill(fill_number(fill_value, np_dtype))
    return made("full_like", array, inputs=(input,), **common)


@shown_as(lambda size, physical_layout: None, COMMON)
def empty_permuted(size: Any, physical_layout: Any, *, dtype: Any = None, **common: Any) -> Tensor:
    """A tensor with arbitrary values, without gaps in memory, whose dimensions lie in memory in a given order."""
    refuse_unknown("empty_permuted", common)
    shape, order = tuple(size), tuple(physical_layout)
    if len(order) != len(shape):
        raise RuntimeError(
            f"Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = {len(shape)} is not equal "
            f"to len(physical_layout) = {len(order)}"
        )
    for i, d in enumerate(order):
        if not 0 <= d < len(shape):
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {len(shape) - 1}, but got {d} at index {i}).  NB: negative dims "
                "not currently supported; file an issue if you want it."
            )
        if d in order[:i]:
            raise RuntimeError("Duplicate dim not allowed")
    array = np.empty([shape[d] for d in order], numpy_dtype("empty_permuted", dtype))
    return made("empty_permuted", array.transpose(np.argsort(order)), **common)


@shown_as(lambda n, m=OMITTED, *, out=None: None, COMMON)
def eye(n: int, m: Any = EMPTY, *, out: Any = None, dtype: Any = None, **common: Any) -> Tensor:
    """A matrix with ones on the diagonal, and zeros elsewhere."""
    refuse_unknown("eye", common)
    m = n if m is EMPTY else m
    for name, extent in (("n", n), ("m", m)):
        if extent is None:
            raise TypeError(f"eye(): argument '{name}' must be int, not NoneType")
        if extent < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {extent}")
    np_dtype = numpy_dtype("eye", dtype, FROM_NUMPY[out._a.dtype] if isinstance(out, Tensor) else None)
    array = built(common.get("device"), lambda np: np.eye(n, m, dtype=np_dtype))
    return made("eye", array, out=out, **common)


@shown_as(lambda size, stride: None, COMMON)
def empty_strided(size: Any, stride: Any, *, dtype: Any = None, **common: Any) -> Tensor:
    """A tensor with arbitrary values, with a given size and given strides."""
    refuse_unknown("empty_strided", common)
    if len(size) != len(stride):
        raise RuntimeError(
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides ({len(stride)})"
        )
    np_dtype, home = numpy_dtype("empty_strided", dtype), resolve(common.get("device"))
    library = libraries.library_on(home)
    with library.on_device(home):
        try:
            array = library.kernels.empty_strided(tuple(size), tuple(stride), np_dtype)
        except ValueError as error:
            if "dimension exceeded" not in str(error):
                raise of_dimensions(error) from None
            raise RuntimeError(
                f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}"
            ) from None
    return made("empty_strided", array, **common)


def _new(name: str, factory: Callable, pattern: Callable, arguments: str, what: str, example: str) -> None:
    @shown_as(pattern, COMMON)
    @for_every_example
    def method(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, **common: Any) -> Tensor:
        dtype, device = self.dtype if dtype is None else dtype, self.device if device is None else device
        try:
            return factory(*args, dtype=dtype, device=device, **common)
        except TypeError as error:
            raise TypeError(str(error).replace(f"{name}(", f"new_{name}(", 1)) from None

    doc = _NEW_DOC.format(what=what, arguments=arguments, about=_ABOUT, example=example)
    setattr(Tensor, "new_" + name, named(method, "new_" + name, doc))


_SIZES = lambda self, *size: None
_SIZE_DOC = "    size: the shape, as integers or as one tuple or list of integers"
_new(
    "zeros",
    zeros,
    _SIZES,
    _SIZE_DOC,
    "A tensor of some size, filled with 0.",
    """>>> x = jgrad.tensor([1, 2])
>>> x.new_zeros(3)
tensor([0, 0, 0])""",
)
_new(
    "ones",
    ones,
    _SIZES,
    _SIZE_DOC,
    "A tensor of some size, filled with 1.",
    """>>> x = jgrad.tensor([1, 2])
>>> x.new_ones(3)
tensor([1, 1, 1])""",
)
_new(
    "empty",
    empty,
    _SIZES,
    _SIZE_DOC,
    "A tensor of some size with arbitrary values: memory that is not filled.",
    """>>> x = jgrad.tensor([1, 2])
>>> y = x.new_empty(2, 3)  # the values may be anything
>>> y.shape, y.dtype
(jgrad.Size([2, 3]), jgrad.int64)""",
)
_new(
    "empty_strided",
    empty_strided,
    lambda self, size, stride: None,
    """\
    size: the shape, a tuple or list of integers
    stride: for each dimension, how many elements of memory lie between neighbours along it""",
    "A tensor with arbitrary values, with a given size and given strides.",
    """>>> x = jgrad.tensor([1, 2])
>>> y = x.new_empty_strided((2, 3), (1, 2))
>>> y.stride(), y.dtype
((1, 2), jgrad.int64)""",
)
_new(
    "full",
    full,
    lambda self, size, fill_value: None,
    """\
    size: the shape, a tuple or list of integers
    fill_value: the number, or a tensor without dimensions""",
    "A tensor of some size, filled with one number.",
    """>>> x = jgrad.tensor([1., 2.])
>>> x.new_full((3,), 7)
tensor([7., 7., 7.])""",
)


def zeros_of(a: Tensor, shape: Any) -> Tensor:
    """Zeros of this shape, of the dtype and on the device of a tensor."""
    return zeros(shape, dtype=a.dtype, device=a.device)


__all__ = [
    "empty", "empty_like", "empty_permuted", "empty_strided", "eye", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like",
]  # fmt: skip
