"""Making tensors, copying them, filling them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import cuda, devices, dtypes, formats, observer, switches, warn
from jgrad.devices import device, resolve
from jgrad.dispatch.out import resize
from jgrad.dispatch.schema import NUMBERS, as_ints
from jgrad.dispatch.signatures import OMITTED, shown_as
from jgrad.dtypes import FROM_NUMPY, INEXACT, PYTHON_TYPES, dtype
from jgrad.errors import class_name
from jgrad.graph import grad_mode
from jgrad.graph.batched import for_every_example, on_the_values
from jgrad.kernels import libraries
from jgrad.kernels.lazy import alike
from jgrad.kernels.narrow import is_narrow, rounded
from jgrad.kernels.numbers import fill_number, python_number
from jgrad.kernels.numpy.shape import refuse_large_strides
from jgrad.ops.by_name import from_dlpack, frombuffer, home_of, lent
from jgrad.ops.reading import array_of, refuse_negative_strides, warn_if_read_only
from jgrad.storage import lend
from jgrad.tensor import Tensor, layout, strided, wrap

# Arguments that all factories share -----------------------------------------------------------------------------------------------

_Layout, _Device = layout, device
_EMPTY: Any = object()
# Of factories, and of those that follow a tensor.
_COMMON = lambda *, dtype=None, layout=strided, device=None, requires_grad=False, pin_memory=False: None
_LIKE = lambda *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=formats.preserve_format: None  # fmt: skip


def made(
    name: str,
    array: Any,
    *,
    inputs: tuple = (),
    arguments: dict[str, Any] | None = None,
    out: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    within: Any = None,
) -> Tensor:
    """Wrap what a factory computed, after the checks of the arguments that all factories take. Reports to the observer, which gets the
    `inputs` that were read, or the tensors in the lists `within`."""
    if layout is not None and not isinstance(layout, _Layout):
        raise TypeError(f"{name}(): argument 'layout' must be torch.layout, not {class_name(layout)}")
    if layout is not None and layout is not strided:
        raise NotImplementedError(f"{name}(): jgrad has no sparse tensors, so no layout={layout}")
    if device is not None or not (inputs or out is not None):
        home = resolve(device)
        if libraries.several:
            array = libraries.moved(array, home)
    elif out is not None and libraries.several:
        array = libraries.moved(array, out.device)
    if pin_memory and not cuda.is_available():
        raise RuntimeError(
            "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this system."
        )
    if pin_memory and array.__class__ is not np.ndarray:
        raise RuntimeError("Only dense CPU tensors can be pinned")
    if pin_memory:
        cuda.loaded()
        array = libraries.pinned(array)
    if requires_grad and array.dtype.kind not in INEXACT:
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    if out is not None:
        with libraries.on_device_of((out,)):
            return _written_to(out, name, array, inputs, arguments or {}, bool(requires_grad))
    if switches.deterministic and "empty" in name:
        with libraries.on_device_of((array,)):
            switches.fill_if_deterministic(array)
    result = wrap(array, bool(requires_grad))
    if (watch := observer.current) is not None:
        inputs = inputs or _tensors_within(within)
        watch.op(name, "op" if inputs else "create", inputs, (result,), None, arguments or {})
    return result


def _tensors_within(value: Any, most: int = 64) -> tuple[Tensor, ...]:
    """The first tensors in nested lists."""
    found, todo = [], [value]
    for thing in todo:  # grows while it is walked
        if isinstance(thing, Tensor):
            found.append(thing)
        elif isinstance(thing, (list, tuple)) and len(todo) < 1000:
            todo += thing[:1000]
    return tuple(found[:most])


def _written_to(
    out: Any, name: str, array: Any, inputs: tuple, arguments: dict[str, Any], requires_grad: bool
) -> Tensor:
    """`out=`, after what a factory computed was written to it."""
    if not isinstance(out, Tensor):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {class_name(out)}")
    if out.requires_grad and grad_mode.mode.enabled:
        raise RuntimeError(
            f"aten::{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
            "requires grad."
        )
    if out._a.dtype != array.dtype:
        raise RuntimeError(
            f"dtype {FROM_NUMPY[array.dtype].type_name} does not match dtype of out parameter ({out.dtype.type_name})"
        )
    if (watch := observer.current) is not None:
        watch.writing(out)
    shape = out._a.shape
    if name in ("arange", "linspace", "logspace"):  # which are content with any shape of so many elements
        if out._a.size != array.size and name == "arange":
            resize(out, array.shape)
        elif out._a.size != array.size:
            out._a = alike(libraries.of(out._a).kernels.resized(out._a, array.shape), out._a)
        array = array.reshape(out._a.shape)
    elif out._a.shape != array.shape:  # the other factories do it without a warning
        out._a = alike(libraries.of(out._a).kernels.resized(out._a, array.shape), out._a)
    if name != "empty":
        out._a[...] = array
    if name != "empty" or out._a.shape != shape:
        out._counter[0] += 1
    if (watch := observer.current) is not None:
        watch.op(name, "write", (out, *inputs), (out,), None, arguments)
    if out.requires_grad != requires_grad:
        out.requires_grad_(requires_grad)
    return out


def numpy_dtype(name: str, given: Any, default: dtype | None = None) -> np.dtype:
    """The NumPy dtype of a factory's `dtype` argument; None means the default dtype."""
    if given is None:
        return (default or dtypes.get_default_dtype()).numpy
    if isinstance(given, dtype):
        return given.numpy
    if given in PYTHON_TYPES:
        return PYTHON_TYPES[given].numpy
    raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {class_name(given)}")


LARGEST = 2**61  # elements: of 4 bytes each, more than the 64 bits of an address can tell


def size_of(name: str, size: tuple, keyword: Any, position: int = 1) -> tuple:
    """A shape given as one sequence, one by one, or as `size=`."""
    if keyword is not None:
        size = (keyword,)
    elif not size:
        raise TypeError(
            f'{name}() received an invalid combination of arguments - got (), but expected a tuple of ints "size"'
        )
    where = "" if keyword is not None else f" (position {position})"
    listed = len(size) == 1 and isinstance(size[0], (tuple, list))
    if listed:
        size = tuple(size[0])
    try:
        shape = as_ints(size, name, "size")
    except ValueError:
        got = class_name(size[0])
        found = f"but found element of type {got} at pos 0" if listed and where else f"not {got}"
        raise TypeError(f"{name}(): argument 'size'{where} must be tuple of ints, {found}") from None
    if any(n < 0 for n in shape):
        if name in ("zeros", "ones"):
            raise RuntimeError(f"{name}: Dimension size must be non-negative.")
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    if math.prod(shape) >= LARGEST:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)}")
    refuse_large_strides(shape)
    return shape


# From data ---------------------------------------------------------------------------------------------------------------


@shown_as(lambda data, *, dtype=None, device=None, requires_grad=False, pin_memory=False: None)
def tensor(
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    data: Any = _EMPTY,
) -> Tensor:
    """A new tensor with a copy of the data.

    Args:
        data: a number, numbers in nested lists or tuples, a NumPy array, or another tensor (of which `clone().detach()` is the clearer copy)
        dtype: the dtype of the new tensor; None means int64 for integers, bool for bools, the default dtype for floats, and the complex
            dtype of the same precision for complex numbers; arrays and tensors keep their dtype
        device: the device of the new tensor; None means the device of `data` if it is a tensor, else the default device
        requires_grad: if True, the gradient with respect to the new tensor is computed; only for floating and complex dtypes
        pin_memory: if True, the copy lies in page-locked memory, from which copies to a GPU are faster; needs a GPU

    Returns a new leaf: it shares no memory with the data, and no gradient flows to the data. Raises ValueError if nested lists differ in
    length.

    >>> jgrad.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> jgrad.tensor([1, 2.5])
    tensor([1.0000, 2.5000])
    >>> jgrad.tensor(3., requires_grad=True)
    tensor(3., requires_grad=True)
    """
    if len(args) > 1:
        raise TypeError(f"tensor() takes 1 positional argument but {len(args)} were given")
    if not args and data is _EMPTY:
        raise TypeError('tensor() missing 1 required positional arguments: "data"')
    value = args[0] if args else data
    if pin_memory:
        _check_pinned(value)
    if isinstance(value, Tensor):
        _warn_copy_construct("torch.tensor(sourceTensor)")
    np_dtype = None if dtype is None else numpy_dtype("tensor", dtype)
    inputs = (value,) if isinstance(value, Tensor) else ()
    if value.__class__ not in _PLAIN:
        value, device = _borrowed(value, device)
    return made(
        "tensor",
        array_of(value, np_dtype),
        inputs=inputs,
        device=device,
        requires_grad=requires_grad,
        pin_memory=pin_memory,
        within=value,
    )


_PLAIN = {list, tuple, float, int, bool}  # classes of data that nobody need ask for its memory


def _borrowed(data: Any, device: Any) -> tuple[Any, Any]:
    """What offers memory (by the CUDA array interface, by DLPack) as a tensor on it, which stays where it is unless there is a device to
    go to; anything else as it is."""
    if isinstance(data, (Tensor, np.ndarray, np.generic)):
        return data, device

    tensor = lent(data)
    if tensor is None:
        return data, device
    return tensor, home_of(tensor) if device is None else device


def _check_pinned(data: Any) -> None:
    """Raise PyTorch's errors for what `tensor` does not make a pinned copy of."""
    for kind, refused in {
        "a variable": isinstance(data, Tensor),
        "numpy": isinstance(data, np.ndarray),
        "__cuda_array_interface__": hasattr(data, "__cuda_array_interface__"),
    }.items():
        if refused:
            raise RuntimeError(f"Can't pin tensor constructed from {kind}")


def _warn_copy_construct(rather_than: str) -> None:
    warn.say(
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
        f"sourceTensor.detach().clone().requires_grad_(True), rather than {rather_than}.",
    )


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """The data as a tensor, without a copy if possible.

    Args:
        data: a tensor, a NumPy array, a number, or numbers in nested lists or tuples
        dtype: the dtype of the result; None means that of `data`, or the one that `jgrad.tensor` would choose
        device: the device of the result; None means the device of `data` if it is a tensor, else the default device

    Returns the tensor itself, or a tensor that shares the memory of the NumPy array, if dtype and device already fit. Else it returns a copy.
    If the copied data is a tensor with a gradient, the copy is part of the graph.

    >>> x = jgrad.tensor([1., 2.])
    >>> jgrad.as_tensor(x) is x
    True
    >>> jgrad.as_tensor(x, dtype=jgrad.int64)
    tensor([1, 2])
    """
    home = resolve(device)
    np_dtype = None if dtype is None else numpy_dtype("as_tensor", dtype)
    if isinstance(data, Tensor):
        target = data.device if device is None else home
        return data.to(target, data.dtype if np_dtype is None else FROM_NUMPY[np_dtype])
    if isinstance(data, np.ndarray) and (np_dtype is None or np_dtype == data.dtype) and home.type == "cpu":
        return from_numpy(data)
    if isinstance(data, np.ndarray):
        warn_if_read_only(data)
    elif data.__class__ not in _PLAIN:
        data, target = _borrowed(data, device)
        if isinstance(data, Tensor):
            return data.to(target, data.dtype if np_dtype is None else FROM_NUMPY[np_dtype])
    return made("as_tensor", array_of(data, np_dtype), device=home, within=data)


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """The data as a tensor, which shares the memory of the data if possible.

    Args:
        obj: a tensor, a NumPy array, an object with the buffer protocol (as bytes), a DLPack capsule, a number, or numbers in nested lists
        dtype: the dtype of the result; None means that of `obj`; of a buffer it is the default dtype
        device: the device of the result; None means the device of `obj` if it is a tensor, else the default device
        copy: True always copies, False raises ValueError where a copy is needed, None copies only where it must
        requires_grad: whether the result requires a gradient; None means as `obj` does if it is a tensor, else False

    Returns a tensor, which may be `obj` itself. Then `requires_grad` changes `obj` too. If `requires_grad` is False and the result would be
    part of a graph, it is detached.

    >>> x = jgrad.tensor([1., 2.])
    >>> y = jgrad.asarray(x)
    >>> y is x
    True
    >>> jgrad.asarray(x, copy=True) is x
    False
    """
    if requires_grad is None and isinstance(obj, Tensor) and obj.requires_grad:
        warn.once(
            "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass requires_grad=False "
            "explicitly to get the old behavior and silence this warning.",
        )
        requires_grad = True
    source = obj
    if isinstance(obj, (bytes, bytearray, memoryview)):
        source = frombuffer(obj, dtype=dtype or dtypes.get_default_dtype())
    elif type(obj).__name__ == "PyCapsule":
        source = from_dlpack(obj)
    result = as_tensor(source, dtype, device)
    if copy:
        result = result.clone()
    elif (
        copy is False
        and not (isinstance(source, Tensor) and result is source)
        and not (isinstance(obj, np.ndarray) and not result.is_cuda and np.shares_memory(result._a, obj))
    ):
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    if requires_grad:
        if result._a.dtype.kind not in INEXACT:
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        return result.requires_grad_()
    if not result.requires_grad:
        return result
    return result.requires_grad_(False) if result.is_leaf else result.detach()


def from_numpy(ndarray: np.ndarray, /) -> Tensor:
    """A tensor on the memory of a NumPy array: a change of one is a change of the other.

    Args:
        ndarray: an array of a dtype that tensors have, without negative strides

    Returns a new tensor that shares the memory of the array. It is a leaf, and requires no gradient. Raises TypeError for other dtypes, and
    ValueError for negative strides: copy such an array first.

    >>> import numpy
    >>> array = numpy.array([1., 2., 3.])
    >>> x = jgrad.from_numpy(array)
    >>> array[0] = 10
    >>> x
    tensor([10.,  2.,  3.], dtype=jgrad.float64)
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {class_name(ndarray)})")
    dtypes.from_numpy(ndarray.dtype)
    refuse_negative_strides(ndarray)
    warn_if_read_only(ndarray)
    array = ndarray.view(np.ndarray)
    lend(array)
    return made("from_numpy", array, device=devices.CPU)


@shown_as(lambda s: None, _COMMON)
def scalar_tensor(s: Any, *, dtype: Any = None, **common: Any) -> Tensor:
    """A tensor without dimensions, that holds one number.

    Args:
        s: the number
        dtype: the dtype; None means the default dtype, also for integers
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new tensor.

    >>> jgrad.scalar_tensor(3)
    tensor(3.)
    >>> jgrad.tensor(3)  # keeps the integer
    tensor(3)
    """
    _known("scalar_tensor", common)
    np_dtype = numpy_dtype("scalar_tensor", dtype)
    return made("scalar_tensor", scalar_array(s, np_dtype), **common)


def as_operand(value: Any) -> Tensor:
    """A Python number as the 0-d tensor that an operation sees in its place."""
    return value if isinstance(value, Tensor) else wrap(np.asarray(value, dtypes.of_number(value).numpy))


# Filled with one value --------------------------------------------------------------------------------------------------------


def built(device: Any, build: Callable[[Any], Any]) -> Any:
    """What `build(np)` gives with the array library of a device."""
    home = resolve(device)
    if home.type == "cpu":
        return build(np)
    library = libraries.on(home)
    with library.at(home):
        return build(library.np)


# The docstrings of factories, in which only some lines differ.
_ABOUT = """\
    requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU"""

_FILLED_DOC = """{what}

Args:
    size: the shape, as integers or as one tuple or list of integers
    dtype: the dtype; None means the default dtype, or that of `out`
    layout: only `jgrad.strided`, because there are no sparse tensors
    device: the device of the new tensor; None means the default device
{about}

Returns a new tensor.

{example}
"""

_LIKE_DOC = """{what}

Args:
    input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
    dtype: the dtype; None means that of `input`
    layout: only None or `jgrad.strided`, because there are no sparse tensors
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
    layout: only `jgrad.strided`, because there are no sparse tensors
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
        _known(name, common)
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
    return shown_as(lambda *size, out=None: None, _COMMON, *formatted)(_named(factory, name, doc))


def _empty_in(given: Any, shape: tuple, np_dtype: np.dtype, out: Any, common: dict[str, Any]) -> Tensor:
    """An uninitialised tensor in a memory format."""
    if given is formats.preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    strides = formats.strides_in(shape, given)
    if out is not None:
        out.resize_(shape, memory_format=given)
        return out
    home = resolve(common.get("device"))
    library = libraries.on(home)
    with library.at(home):
        array = library.kernels.empty_strided(shape, strides, np_dtype)
    return made("empty", array, arguments={"size": shape}, **common)


def _filled_like(name: str, fill: Callable[[np.ndarray], None], what: str, example: str) -> Callable:
    @on_the_values
    def factory(*args: Any, dtype: Any = None, memory_format: Any = None, **common: Any) -> Tensor:
        source = _input(name, args, common)
        _known(name, common)
        formats.check(name, memory_format)
        np_dtype = numpy_dtype(name, dtype, source.dtype)
        if common.get("device") is not None and source.device != resolve(common["device"]):
            return made(
                name,
                _filled_elsewhere(source, fill, np_dtype, memory_format, common),
                inputs=(source,),
                **common,
            )
        with libraries.on_device_of((source,)):
            array = libraries.of(source._a).kernels.empty_like(source._a, np_dtype, memory_format)
            fill(array)
        return made(name, array, inputs=(source,), **common)

    doc = _LIKE_DOC.format(what=what, about=_ABOUT, example=example)
    return shown_as(lambda input: None, _LIKE)(_named(factory, name, doc))


def _filled_elsewhere(
    source: Tensor, fill: Callable, np_dtype: np.dtype, memory_format: Any, common: dict[str, Any]
) -> Any:
    """An array like that of a tensor, on another device, which needs none of its elements."""
    home = resolve(common["device"])
    library = libraries.on(home)
    with library.at(home):
        strides = tuple(
            [
                s // source._a.itemsize
                for s in libraries.of(source._a).kernels.empty_like(source._a, None, memory_format).strides
            ]
        )
        array = library.kernels.empty_strided(source._a.shape, strides, np_dtype)
        fill(array)
    return array


def _input(name: str, args: tuple, keywords: dict, count: int = 1) -> Tensor:
    if len(args) > count:
        raise TypeError(
            f"{name}() takes {count} positional argument{'s' * (count > 1)} but {len(args)} were given"
        )
    if not args and "input" not in keywords:
        raise TypeError(f'{name}() missing 1 required positional arguments: "input"')
    source = args[0] if args else keywords.pop("input")
    if not isinstance(source, Tensor):
        raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {class_name(source)}")
    return source


def _known(name: str, keywords: dict) -> None:
    for key in keywords:
        if key not in ("layout", "device", "requires_grad", "pin_memory"):
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")


def _named(function: Callable, name: str, doc: str) -> Callable:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    function.__module__ = "jgrad"
    return function


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


@shown_as(lambda size, fill_value, *, out=None: None, _COMMON)
def full(*args: Any, out: Any = None, dtype: Any = None, **common: Any) -> Tensor:
    """A tensor of some size, filled with one number.

    Args:
        size: the shape, a tuple or list of integers
        fill_value: the number, or a tensor without dimensions
        dtype: the dtype; None means that of `fill_value`: int64, bool, or the default dtype for floats; or that of `out`
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new tensor. No gradient flows to `fill_value`.

    >>> jgrad.full((2, 3), 7)
    tensor([[7, 7, 7],
            [7, 7, 7]])
    >>> jgrad.full((2,), 0.5)
    tensor([0.5000, 0.5000])
    """
    if len(args) > 2:
        raise TypeError(f"full() takes 2 positional arguments but {len(args)} were given")
    size = args[0] if args else common.pop("size", _EMPTY)
    value = args[1] if len(args) > 1 else common.pop("fill_value", _EMPTY)
    missing = [f'"{n}"' for n, v in (("size", size), ("fill_value", value)) if v is _EMPTY]
    if missing:
        raise TypeError(f"full() missing {len(missing)} required positional arguments: {', '.join(missing)}")
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {class_name(size)}")
    _known("full", common)
    value = filling("full", value, " (position 2)" if len(args) > 1 else "")
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


def filling(name: str, value: Any, place: str = "") -> Any:
    """The number that a tensor is filled with. A tensor may stand for it that has no dimensions and needs no gradient."""
    if isinstance(value, Tensor) and not value.shape and not value.requires_grad:
        return value.item()
    if not isinstance(value, NUMBERS):
        raise TypeError(f"{name}(): argument 'fill_value'{place} must be Number, not {class_name(value)}")
    return value


@shown_as(lambda input, fill_value: None, _LIKE)
@on_the_values
def full_like(
    input: Tensor, fill_value: Any, *, dtype: Any = None, memory_format: Any = None, **common: Any
) -> Tensor:
    """A tensor with the size of another one, filled with one number.

    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        fill_value: the number
        dtype: the dtype; None means that of `input`
        layout: only None or `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means that of `input`
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        memory_format: the order of the dimensions in memory; `preserve_format` keeps that of `input`, if it has no gaps

    Returns a new tensor. Unlike `jgrad.full`, it does not take the dtype from the number.

    >>> x = jgrad.tensor([1., 2.])
    >>> jgrad.full_like(x, 5)
    tensor([5., 5.])
    """
    _known("full_like", common)
    formats.check("full_like", memory_format)
    fill_value = filling("full_like", fill_value, " (position 2)")
    np_dtype = numpy_dtype("full_like", dtype, input.dtype)
    with libraries.on_device_of((input,)):
        array = libraries.of(input._a).kernels.empty_like(input._a, np_dtype, memory_format)
        array.fill(fill_number(fill_value, np_dtype))
    return made("full_like", array, inputs=(input,), **common)


def scalar_array(value: Any, np_dtype: np.dtype) -> np.ndarray:
    """A number as a 0-d array; one of half precision is a double first, and so may become infinite."""
    first = np.dtype(np.float64) if np_dtype == np.float16 else np_dtype
    return np.asarray(fill_number(value, first), first).astype(np_dtype, copy=False)


@shown_as(lambda start=0, end=OMITTED, step=1, *, out=None: None, _COMMON)
def arange(*args: Any, dtype: Any = None, out: Any = None, **common: Any) -> Tensor:
    """Numbers from `start` up to `end`, without `end`, in equal steps.

    Args:
        start: the first number; one argument alone is `end`, and then the first number is 0
        end: where the numbers stop; it is not one of them
        step: the difference of two neighbours, not 0; a negative one counts down
        dtype: the dtype; None means int64 if the three are integers, else the default dtype
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new vector. Raises RuntimeError if `step` points away from `end`.

    >>> jgrad.arange(4)
    tensor([0, 1, 2, 3])
    >>> jgrad.arange(1, 6, 2)
    tensor([1, 3, 5])
    >>> jgrad.arange(0, 1, 0.25)
    tensor([0.0000, 0.2500, 0.5000, 0.7500])
    """
    start, end, step = common.pop("start", 0), common.pop("end", None), common.pop("step", 1)
    if len(args) == 1 and end is None:
        (end,) = args
    elif len(args) == 1:
        (start,) = args
    elif len(args) == 2:
        start, end = args
    elif len(args) == 3:
        start, end, step = args
    elif len(args) > 3:
        raise TypeError(f"arange() takes from 1 to 3 positional arguments but {len(args)} were given")
    _known("arange", common)
    names = ("end",) if len(args) == 1 else ("start", "end", "step")
    numbers = []
    for name, value in zip(("start", "end", "step"), (start, end, step), strict=True):
        if isinstance(value, Tensor) and not value.ndim:
            value = value.item()
        if isinstance(value, complex):
            raise RuntimeError("value cannot be converted to type double without overflow")
        if not isinstance(value, NUMBERS):
            where = f" (position {names.index(name) + 1})" if name in names[: len(args)] else ""
            raise TypeError(f"arange(): argument '{name}'{where} must be Number, not {class_name(value)}")
        numbers.append(python_number(value))
    start, end, step = numbers
    inferred = dtypes.get_default_dtype() if any(isinstance(n, float) for n in numbers) else dtypes.int64
    default = FROM_NUMPY[out._a.dtype] if isinstance(out, Tensor) else inferred
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not all(map(math.isfinite, (start, end))):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end < start) if step > 0 else (end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    np_dtype = numpy_dtype("arange", dtype, default)
    if np_dtype.kind in "bc":
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{FROM_NUMPY[np_dtype].type_name}'")
    if np_dtype.kind in "iu":
        start, end, step = int(start), int(end), int(step)
        if not step:
            raise ValueError("step must be nonzero")
        count, kind = -(-(end - start) // step), np.int64
    else:
        count, kind = math.ceil((end - start) / step), np.float64
    return made(
        "arange",
        built(
            common.get("device"), lambda np: (np.arange(count, dtype=kind) * step + start).astype(np_dtype)
        ),
        out=out,
        arguments={"start": start, "end": end, "step": step},
        **common,
    )


def _ends(name: str, start: Any, end: Any) -> tuple:
    """Start and end as numbers; tensors must have no dimensions."""
    dims = [v._a.ndim if isinstance(v, Tensor) else 0 for v in (start, end)]
    if any(dims):
        ends = {"start": start, "end": end}
        got = [
            f"{end} with {n} dimension(s)"
            for (end, v), n in zip(ends.items(), dims, strict=True)
            if isinstance(v, Tensor)
        ]
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got {' and '.join(got)}."
        )
    return tuple(v.item() if isinstance(v, Tensor) else v for v in (start, end))


def _check_steps(name: str, steps: Any) -> None:
    if not isinstance(steps, (int, np.integer)):
        raise TypeError(f"{name}(): argument 'steps' must be int, not {class_name(steps)}")
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")


def _spaced_dtype(name: str, start: Any, end: Any, dtype: Any, out: Any) -> np.dtype:
    """The dtype of `linspace` and `logspace`: complex if one of the ends is."""
    given = FROM_NUMPY[out._a.dtype] if isinstance(out, Tensor) else None
    if isinstance(start, complex) or isinstance(end, complex):
        inferred = dtypes.get_default_dtype().to_complex()
        if isinstance(dtype, dtypes.dtype) and not dtype.is_complex:
            part = "float" if inferred is dtypes.complex64 else "double"
            raise RuntimeError(
                f"torch.{name}(): inferred dtype c10::complex<{part}> can't be safely cast to passed dtype {dtype.type_name}"
            )
        given = given or inferred
    found = numpy_dtype(name, dtype, given)
    if found.kind == "b":
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for 'Bool'")
    return found


@shown_as(lambda start, end, steps, *, out=None: None, _COMMON)
def linspace(
    start: Any, end: Any, steps: int, *, out: Any = None, dtype: Any = None, **common: Any
) -> Tensor:
    """Some number of points from `start` to `end`, both included, at equal distances.

    Args:
        start: the first point, a number or a tensor without dimensions
        end: the last point, a number or a tensor without dimensions
        steps: how many points; 1 gives only `start`
        dtype: the dtype; None means the default dtype, or a complex one if `start` or `end` is complex
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new vector with `steps` elements. No gradient flows to `start` and `end`.

    >>> jgrad.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    _known("linspace", common)
    start, end = _ends("linspace", start, end)
    _check_steps("linspace", steps)
    np_dtype = _spaced_dtype("linspace", start, end, dtype, out)
    start, end = fill_number(start, np_dtype), fill_number(end, np_dtype)
    # As PyTorch: from the start up to the middle, from the end down to it, in the result's own precision.
    computed_in = np.dtype(np.float64 if np_dtype.itemsize == 8 or np_dtype.kind in "iu" else np.float32)
    work = np_dtype if np_dtype.kind in "fc" and not is_narrow(np_dtype) else computed_in
    step = (
        work.type((work.type(end) - work.type(start)) / work.type(steps - 1)) if steps > 1 else work.type(0)
    )
    if np_dtype.kind in "iu":
        only, start, end = int(start), work.type(int(start)), work.type(int(end))
        step = (end - start) / work.type(max(steps - 1, 1))
        work = np.dtype(np.longdouble)  # PyTorch rounds start + step * i once
    if is_narrow(np_dtype):
        step = work.type(rounded(np.asarray(step), np_dtype))
    i = np.arange(steps)
    half = steps // 2
    low = work.type(start) + step * i.astype(work)
    high = work.type(end) - step * (steps - 1 - i).astype(work)
    array = np.where(i < half, low, high) if steps > 1 else np.full(steps, work.type(start))
    if np_dtype.kind in "iu":
        array = array.astype(np.float64) if steps > 1 else np.full(steps, only)
    return made("linspace", array.astype(np_dtype), out=out, **common)


@shown_as(lambda start, end, steps, base=10.0, *, out=None: None, _COMMON)
def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, out: Any = None, dtype: Any = None, **common: Any
) -> Tensor:
    """Powers of a base, whose exponents lie from `start` to `end`, both included, at equal distances.

    Args:
        start: the first exponent, a number or a tensor without dimensions
        end: the last exponent, a number or a tensor without dimensions
        steps: how many powers; 1 gives only that of `start`
        base: the number whose powers are taken
        dtype: the dtype; None means the default dtype, or a complex one if `start` or `end` is complex
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new vector with `steps` elements. No gradient flows to `start` and `end`.

    >>> jgrad.logspace(0, 3, 4, base=2)
    tensor([1., 2., 4., 8.])
    """
    _known("logspace", common)
    start, end = _ends("logspace", start, end)
    if isinstance(base, Tensor):
        base = base.item()
    _check_steps("logspace", steps)
    np_dtype = _spaced_dtype("logspace", start, end, dtype, out)
    start, end = fill_number(start, np_dtype), fill_number(end, np_dtype)
    work = np_dtype if np_dtype.kind in "fc" and np_dtype.itemsize > 2 else np.dtype(np.float32)
    work = np.dtype(np.float64) if np_dtype == np.int64 else work
    if np_dtype.kind in "iu":
        step: Any = work.type((float(end) - float(start)) / (steps - 1)) if steps > 1 else work.type(0)
    else:
        step = (work.type(end) - work.type(start)) / work.type(steps - 1) if steps > 1 else work.type(0)
    i = np.arange(steps)
    low, high = start + step * i.astype(work), end - step * (steps - 1 - i).astype(work)
    exponents = np.where(i < steps // 2, low, high) if steps > 1 else np.full(steps, work.type(start))
    array = np.power(np.asarray(base, work if work.kind == "c" else np.float64), exponents)
    return made("logspace", array.astype(np_dtype), out=out, **common)


@shown_as(lambda start=0, end=OMITTED, step=1, *, out=None: None, _COMMON)
def range_(start: Any = 0, end: Any = None, step: Any = 1, **options: Any) -> Tensor:
    """Numbers from `start` to `end`, the end included, in equal steps. Deprecated: use `jgrad.arange`, which leaves out the end.

    Args:
        start: the first number
        end: the last number, if the steps reach it exactly; no number lies behind it
        step: the difference of two neighbours, not 0; a negative one counts down
        dtype: the dtype; None means the default dtype, also for integers
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new vector. Each call gives a warning.

    >>> jgrad.range(1, 4)
    tensor([1., 2., 3., 4.])
    """
    warn.say(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range "
        "builtin. Instead, use torch.arange, which produces values in [start, end).",
    )
    np_dtype = numpy_dtype("range", options.pop("dtype", None))
    if np_dtype.kind in "bc":
        raise NotImplementedError(f"\"range_cpu\" not implemented for '{FROM_NUMPY[np_dtype].type_name}'")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end < start) if step > 0 else (end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = math.floor((end - start) / step) + 1
    return made("range", (np.arange(count) * step + start).astype(np_dtype), **options)


@shown_as(lambda size, physical_layout: None, _COMMON)
def empty_permuted(size: Any, physical_layout: Any, *, dtype: Any = None, **common: Any) -> Tensor:
    """A tensor with arbitrary values, without gaps in memory, whose dimensions lie in memory in a given order.

    Args:
        size: the shape, a tuple or list of integers
        physical_layout: the dimensions, each once, from the one with the largest stride to the one with the smallest
        dtype: the dtype; None means the default dtype
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new tensor. Raises RuntimeError if `physical_layout` does not name each dimension once.

    >>> jgrad.empty_permuted((2, 3), (1, 0)).stride()
    (1, 2)
    >>> jgrad.empty_permuted((2, 3), (0, 1)).stride()
    (3, 1)
    """
    _known("empty_permuted", common)
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


@shown_as(lambda n, m=OMITTED, *, out=None: None, _COMMON)
def eye(n: int, m: Any = _EMPTY, *, out: Any = None, dtype: Any = None, **common: Any) -> Tensor:
    """A matrix with ones on the diagonal, and zeros elsewhere.

    Args:
        n: the number of rows
        m: the number of columns; if it is left out, there are `n`
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new matrix.

    >>> jgrad.eye(2, 3)
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    _known("eye", common)
    m = n if m is _EMPTY else m
    for name, extent in (("n", n), ("m", m)):
        if extent is None:
            raise TypeError(f"eye(): argument '{name}' must be int, not NoneType")
        if extent < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {extent}")
    np_dtype = numpy_dtype("eye", dtype, FROM_NUMPY[out._a.dtype] if isinstance(out, Tensor) else None)
    array = built(common.get("device"), lambda np: np.eye(n, m, dtype=np_dtype))
    return made("eye", array, out=out, **common)


@shown_as(lambda size, stride: None, _COMMON)
def empty_strided(size: Any, stride: Any, *, dtype: Any = None, **common: Any) -> Tensor:
    """A tensor with arbitrary values, with a given size and given strides.

    Args:
        size: the shape, a tuple or list of integers
        stride: for each dimension, how many elements of memory lie between neighbours along it
        dtype: the dtype; None means the default dtype
        layout: only `jgrad.strided`, because there are no sparse tensors
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU

    Returns a new tensor. Raises RuntimeError if `size` and `stride` differ in length.

    >>> x = jgrad.empty_strided((2, 3), (1, 2))
    >>> x.stride(), x.is_contiguous()
    ((1, 2), False)
    """
    _known("empty_strided", common)
    if len(size) != len(stride):
        raise RuntimeError(
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides ({len(stride)})"
        )
    np_dtype, home = numpy_dtype("empty_strided", dtype), resolve(common.get("device"))
    library = libraries.on(home)
    with library.at(home):
        array = library.kernels.empty_strided(tuple(size), tuple(stride), np_dtype)
    return made("empty_strided", array, **common)


def _new(name: str, factory: Callable, pattern: Callable, arguments: str, what: str, example: str) -> None:
    @shown_as(pattern, _COMMON)
    @for_every_example
    def method(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, **common: Any) -> Tensor:
        dtype, device = self.dtype if dtype is None else dtype, self.device if device is None else device
        try:
            return factory(*args, dtype=dtype, device=device, **common)
        except TypeError as error:
            raise TypeError(str(error).replace(f"{name}(", f"new_{name}(", 1)) from None

    doc = _NEW_DOC.format(what=what, arguments=arguments, about=_ABOUT, example=example)
    setattr(Tensor, "new_" + name, _named(method, "new_" + name, doc))


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


@shown_as(lambda self, data, *, dtype=None, device=None, requires_grad=False: None)
def _new_tensor(
    self: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    data: Any = _EMPTY,
) -> Tensor:
    """A new tensor with a copy of the data. By default it has the dtype and the device of this tensor.

    Args:
        data: a number, numbers in nested lists or tuples, a NumPy array, or another tensor (of which `clone().detach()` is the clearer copy)
        dtype: the dtype of the new tensor; None means that of this tensor
        device: the device of the new tensor; None means that of this tensor
        requires_grad: if True, the gradient with respect to the new tensor is computed; only for floating and complex dtypes

    Returns a new leaf: it shares no memory with the data, and no gradient flows to the data or to this tensor.

    >>> x = jgrad.tensor([0.5, 1.5])
    >>> x.new_tensor([1, 2])
    tensor([1., 2.])
    """
    if len(args) > 1:
        raise TypeError(f"new_tensor() takes 1 positional argument but {len(args)} were given")
    if not args and data is _EMPTY:
        raise TypeError('new_tensor() missing 1 required positional arguments: "data"')
    value = args[0] if args else data
    inputs = ()
    if isinstance(value, Tensor):
        _warn_copy_construct("tensor.new_tensor(sourceTensor)")
        inputs = (value,)
    value, _ = _borrowed(value, device)
    np_dtype = numpy_dtype("new_tensor", dtype, self.dtype)
    return made(
        "new_tensor",
        array_of(value, np_dtype),
        inputs=inputs,
        device=self.device if device is None else device,
        requires_grad=requires_grad,
        within=value,
    )


_new_tensor.__name__ = _new_tensor.__qualname__ = "new_tensor"
Tensor.new_tensor = _new_tensor  # type: ignore[attr-defined]


__all__ = [
    "arange", "as_tensor", "asarray", "empty", "empty_like", "empty_permuted", "empty_strided", "eye", "from_numpy", "full", "full_like",
    "linspace", "logspace", "ones", "ones_like", "scalar_tensor", "tensor", "zeros", "zeros_like",
]  # fmt: skip
