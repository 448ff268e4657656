"""What all functions that make tensors share: the arguments `dtype`, `device`, `requires_grad`, `out`, and sizes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import cuda, dtypes, formats, observer, switches, warn
from jgrad.devices import device, resolve
from jgrad.dispatch import out as out_tensors
from jgrad.dispatch.schema import NUMBERS, as_ints
from jgrad.dtypes import FROM_NUMPY, INEXACT, PYTHON_TYPES, dtype
from jgrad.errors import class_name, of_dimensions
from jgrad.graph import grad_mode, overriding
from jgrad.graph.view import assert_no_internal_overlap, bump
from jgrad.kernels import libraries, sparse
from jgrad.kernels.numbers import fill_number, python_number
from jgrad.kernels.numpy.shape import refuse_large_strides
from jgrad.tensor import Tensor, layout, sparse_coo, strided, wrap

_Layout, _Device = layout, device
EMPTY: Any = object()
# Of factories, and of those that follow a tensor.
COMMON = lambda *, dtype=None, layout=strided, device=None, requires_grad=False, pin_memory=False: None
LIKE = lambda *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=formats.preserve_format: None  # fmt: skip


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
        array = _sparse(name, array, layout)
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
        with libraries.device_guard((out,)):
            return _written_to(out, name, array, inputs, arguments or {}, bool(requires_grad))
    if switches.deterministic and "empty" in name:
        with libraries.device_guard((array,)):
            switches.fill_if_deterministic(array)
    result = wrap(array, bool(requires_grad))
    if (watch := observer.current) is not None:
        inputs = inputs or _tensors_within(within)
        watch.op(name, "op" if inputs else "create", inputs, (result,), None, arguments or {})
    return result


def _sparse(name: str, array: Any, layout: Any) -> Any:
    """What a factory makes in a sparse layout: zeros are all that PyTorch makes so."""
    if layout is not sparse_coo:
        raise NotImplementedError(f"{name}(): jgrad has no tensors of the layout {layout}")
    if name.removeprefix("new_").removesuffix("_like") in ("zeros", "empty"):
        return sparse.empty(array.shape, array.dtype)
    if name.removeprefix("new_").removesuffix("_like") in ("ones", "full"):
        raise RuntimeError("full(...) is not implemented for sparse layout")
    raise sparse.refused(name)


def _tensors_within(value: Any, most: int = 64) -> tuple[Tensor, ...]:
    """The first tensors in nested lists."""
    found, todo = [], [value]
    for thing in todo:  # grows while it is walked
        if isinstance(thing, Tensor):
            found.append(thing)
        elif isinstance(thing, (list, tuple)) and len(todo) < 1000:
            todo += thing[:1000]
    return tuple(found[:most])


def require_tensor(name: str, out: Any) -> None:
    """Refuse an `out=` that is no tensor."""
    if out is not None and not isinstance(out, Tensor):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {class_name(out)}")


def _written_to(
    out: Any, name: str, array: Any, inputs: tuple, arguments: dict[str, Any], requires_grad: bool
) -> Tensor:
    """`out=`, after what a factory computed was written to it."""
    require_tensor(name, out)
    if out._a.dtype != array.dtype:
        raise RuntimeError(
            f"dtype {FROM_NUMPY[array.dtype].type_name} does not match dtype of out parameter ({out.dtype.type_name})"
        )
    if sparse.is_sparse(array) != sparse.is_sparse(out._a):
        kinds = ["Sparse" if sparse.is_sparse(a) else "Strided" for a in (array, out._a)]
        raise RuntimeError(f"layout {kinds[0]} does not match layout of out parameter ({kinds[1]})")
    if name == "empty":
        take_size(out, array.shape)
    if out.requires_grad and grad_mode.mode.enabled:
        raise RuntimeError(
            f"aten::{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
            "requires grad."
        )
    if (watch := observer.current) is not None:
        watch.writing(out)
    shape = out._a.shape
    # Which are content with any shape of so many elements.
    if name in (
        "arange",
        "linspace",
        "logspace",
        "range",
    ):
        if out._a.size not in (0, array.size) and name == "arange":
            warn.say(
                f"The number of elements in the out tensor of shape {list(shape)} is {out._a.size} which does not match the computed number of "
                f"elements {array.size}. Note that this may occur as a result of rounding error. The out tensor will be resized to a tensor of "
                f"shape ({array.size},)."
            )
        if out._a.size != array.size:
            out_tensors.reshape(out, array.shape)
        array = array.reshape(out._a.shape)
    elif out._a.shape != array.shape:  # the other factories do it without a warning
        out_tensors.reshape(out, array.shape)
    if name in ("arange", "linspace", "logspace", "range", "rand", "randn", "randint", "normal"):
        assert_no_internal_overlap(out._a)
    if name == "empty":
        if switches.fill_if_deterministic(out._a):
            bump(out)
    else:
        out._a[...] = array
        bump(out)
    if (watch := observer.current) is not None:
        watch.op(name, "write", (out, *inputs), (out,), None, arguments)
    if out.requires_grad != requires_grad:
        out.requires_grad_(requires_grad)
    return out


def take_size(out: Tensor, shape: tuple) -> None:
    """Give `out=` the size of the result as `resize_` does, which some factories of PyTorch begin with."""
    if out.requires_grad and not grad_mode.mode.inference:
        raise RuntimeError("cannot resize variables that require grad")
    if out._a.shape != shape:
        if (watch := observer.current) is not None:
            watch.writing(out)
        out_tensors.reshape(out, shape)
        bump(out)


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


def built(device: Any, build: Callable[[Any], Any]) -> Any:
    """What `build(np)` gives with the array library of a device."""
    home = resolve(device)
    try:
        if home.type == "cpu":
            return build(np)
        library = libraries.library_on(home)
        with library.on_device(home):
            return build(library.np)
    except ValueError as error:
        raise of_dimensions(error) from None


def input_of(name: str, args: tuple, keywords: dict, count: int = 1) -> Tensor:
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


def refuse_unknown(name: str, keywords: dict) -> None:
    for key in keywords:
        if key not in ("layout", "device", "requires_grad", "pin_memory"):
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")


def named(function: Callable, name: str, doc: str) -> Callable:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    function.__module__ = "jgrad"
    return function


def number_of(name: str, argument: str, value: Any, place: str = "") -> Any:
    """The Python number that an argument gives. A tensor may stand for it that has no dimensions and needs no gradient; its class is not asked."""
    if isinstance(value, Tensor):
        with overriding.DisableTorchFunction():
            if not value.ndim and not value.requires_grad:
                return value.item()
    if not isinstance(value, NUMBERS):
        raise TypeError(f"{name}(): argument '{argument}'{place} must be Number, not {class_name(value)}")
    return python_number(value)


def scalar_array(value: Any, np_dtype: np.dtype) -> np.ndarray:
    """A number as a 0-d array; one of half precision is a double first, and so may become infinite."""
    first = np.dtype(np.float64) if np_dtype == np.float16 else np_dtype
    return np.asarray(fill_number(value, first), first).astype(np_dtype, copy=False)
