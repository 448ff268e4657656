"""`out=`: the results of an operator, written to tensors that the caller gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes, observer, storage, warn
from jgrad.dispatch import tangents
from jgrad.dispatch.facts import BaseOverload
from jgrad.dtypes import FROM_NUMPY
from jgrad.errors import class_name
from jgrad.graph import grad_mode, levels
from jgrad.graph.view import assert_no_internal_overlap, assert_no_overlap, bump, check_inference
from jgrad.kernels import libraries
from jgrad.kernels.lazy import resolved
from jgrad.kernels.narrow import rounded
from jgrad.kernels.numpy.shape import broadcast_error, c_name, c_name_of, is_channels_last
from jgrad.tensor import Tensor


def accept(name: str, out: Any, single: bool = False) -> None:
    """Refuse an `out=` that is no tensor. `single`: it is one tensor, and no list."""
    if single and isinstance(out, (tuple, list)):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {class_name(out)}")
    for o in out if isinstance(out, (tuple, list)) else (out,):
        if not isinstance(o, Tensor):
            raise TypeError(f"{name}(): argument 'out' must be Tensor, not {class_name(o)}")


def refuse_lost_gradients(name: str, out: Any, inputs: list[Tensor]) -> None:
    """Refuse an `out=` where a gradient would be lost: of `out` itself, or of the inputs."""
    for o in out if isinstance(out, (tuple, list)) else (out,):
        if grad_mode.mode.enabled and (o.requires_grad or any([t.requires_grad for t in inputs])):
            raise RuntimeError(
                f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
            )
        if levels.anywhere and any([tangents.tangents_of(t) for t in (o, *inputs)]):
            raise NotImplementedError(
                f"Trying to use forward AD with {name}_out that does not support it because it is an out= function"
            )


def write(overload: BaseOverload, out: Any, result: Any, tensors: list[Tensor], values: list[Any]) -> Any:
    """Write the results of an operator to the tensors given as `out=`; returns what the call returns."""
    outs = (out,) if overload.outputs == 1 else tuple(out)
    if len(outs) != len(results := (result,) if overload.outputs == 1 else tuple(result)):
        raise TypeError(
            f"{overload.op.name}(): argument 'out' must be tuple of Tensors with {len(results)} elements, not {len(outs)}"
        )
    arrays = [libraries.as_array(resolved(r)) for r in results]
    check_requested_dtype(overload, outs[0], values)
    for i, (o, r) in enumerate(zip(outs, arrays, strict=True)):
        if libraries.several and libraries.device_name(o._a) != libraries.device_name(r):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two devices, "
                f"{libraries.device_name(r)} and {libraries.device_name(o._a)}!"
            )
        check_inference(o)
        if not takes_complex(overload, o, r, tensors):
            check_dtype(overload, o, r, overload.result_names[i] if overload.result_names else "result")
    refuse_lost_gradients(overload.op.out_name, outs, [])
    for o, r in zip(outs, arrays, strict=True):
        exclusive = overload.op.exclusive
        if exclusive or o._a.shape == r.shape or overload.promote is not None:
            assert_no_internal_overlap(o._a)
            for t in tensors:
                assert_no_overlap(o._a, t._a, same_is_fine=not exclusive)
        if (watch := observer.current) is not None:
            watch.writing(o)
        layout = overload.op.out_layout
        takes = r.ndim > 1 and (layout == "result" or (layout == "empty" and not o._a.size))
        resize(o, r.shape, r if takes else None, warns=not overload.op.out_resized_silently)
        o._a[...] = rounded(r, o._a.dtype) if dtypes.narrow_in_use else r
        bump(o)
        if observer.current is not None:
            overload.report("write", overload.op.name, [o, *values], [o, *tensors], (o,), None)
    # Of lists PyTorch returns nothing.
    return (
        out if overload.outputs == 1 else None if overload.outputs == -1 else overload.returned(outs, "_out")
    )


def broadcast(array: Any, out: Tensor) -> Any:
    """An argument in the shape to which it and `out=` broadcast."""
    of_array = libraries.library_of(array)
    try:
        return of_array.np.broadcast_to(array, np.broadcast_shapes(array.shape, out._a.shape))
    except ValueError:
        raise RuntimeError(broadcast_error([array, out._a])) from None


def check_requested_dtype(overload: BaseOverload, out: Tensor, values: list[Any]) -> None:
    """Refuse a `dtype=` that is not that of `out=`."""
    for param, requested in zip(overload.params, values, strict=False):
        if param.kind != "dtype" or requested is None or requested == out._a.dtype:
            continue
        raise RuntimeError(
            f"Expected out tensor to have dtype {c_name_of(requested)}, but got {c_name(out._a)} instead"
        )


def takes_complex(overload: BaseOverload, out: Tensor, result: np.ndarray, tensors: list[Tensor]) -> bool:
    """Whether this is `abs` or the like of complex numbers, whose real result may also be written to complex numbers, and to others of less
    precision. Refuses complex numbers of another precision."""
    if overload.promote != "default" or len(overload.params) != 1 or result.dtype.kind == "c":
        return False
    source = tensors[0].dtype
    if source.category != dtypes.COMPLEX:
        return False
    kind = FROM_NUMPY[result.dtype]
    if not dtypes.can_cast(kind, out.dtype):
        raise RuntimeError(
            f"result type {kind.type_name} can't be cast to the desired output type {out.dtype.type_name}"
        )
    if out.dtype.category == dtypes.COMPLEX and out.dtype is not source:
        raise RuntimeError(f"Found dtype {out.dtype.type_name} but expected {source.type_name}")
    return True


def check_dtype(overload: BaseOverload, out: Tensor, result: np.ndarray, name: str = "result") -> None:
    """Refuse an `out=` tensor of a dtype that can't hold this result. `name`: what PyTorch's error calls the result."""
    kind, given = FROM_NUMPY[result.dtype], out.dtype
    if overload.tensor_list is not None:
        if not dtypes.can_cast(kind, given):
            raise TypeError(
                f"torch.cat(): input types can't be cast to the desired output type {given.type_name}"
            )
    elif overload.out_dtype == "truth":
        if given not in (dtypes.bool_, dtypes.uint8):
            raise RuntimeError(
                f"{overload.op.name} only supports bool tensor for result, got: {given.type_name}"
            )
    elif overload.out_dtype is not None and overload.out_dtype.startswith("castable "):
        if not dtypes.can_cast(kind, given):
            raise RuntimeError(
                f"{overload.out_dtype[9:]}: Expected {name} to be safely castable from {kind.type_name} dtype, but got {name} with dtype "
                f"{given.type_name}"
            )
    elif overload.out_dtype is not None and overload.out_dtype not in ("exact", "castable"):
        if kind is not given:
            raise RuntimeError(
                overload.out_dtype.format(
                    out=given.type_name,
                    c_out=c_name(out._a),
                    result=kind.type_name,
                    c_result=c_name(result),
                    name=name,
                    of_32_bits=kind is dtypes.int32,
                )
            )
    elif overload.out_dtype is None and any(p.kind in ("dtype", "Generator") for p in overload.params):
        pass  # computed or drawn in the dtype of `out`
    elif (
        overload.out_dtype != "castable" and overload.promote is None and kind is not given and kind.category
    ):
        raise RuntimeError(
            f"Expected out tensor to have dtype {c_name(result)}, but got {c_name(out._a)} instead"
        )
    elif overload.promote == "default" and len(overload.params) == 1 and kind is not given and kind.category:
        raise RuntimeError(f"Found dtype {given.type_name} but expected {kind.type_name}")
    elif not dtypes.can_cast(kind, given):
        raise RuntimeError(
            f"result type {kind.type_name} can't be cast to the desired output type {given.type_name}"
        )


def resize(out: Tensor, shape: tuple, like: np.ndarray | None = None, warns: bool = True) -> None:
    """Give an `out=` tensor the shape of the result (and the strides of `like`), with PyTorch's warning unless it was empty."""
    if out._a.shape == shape:
        return
    if out._a.size and warns:
        warn.say(
            f"An output with one or more elements was resized since it had shape {list(out._a.shape)}, which does not match the required "
            f"output shape {list(shape)}. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless "
            "they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
        )
    reshape(out, shape, like)


def reshape(out: Tensor, shape: tuple, like: np.ndarray | None = None) -> None:
    """Give a tensor another shape (and the strides of `like`), with more memory if it needs more."""
    storage.give_shape(out, shape)
    if like is not None and (like.swapaxes(-1, -2).flags.c_contiguous or is_channels_last(like)):
        out._a = libraries.library_of(out._a).kernels.strided(out._a, shape, like.strides)
