"""Operators on narrow floats: bfloat16 and float8.

PyTorch's kernels read narrow floats as float32, compute in it, and round their results once. So does jgrad, here, for all operators: what
a kernel gets is float32 (`computed`), so kernels know nothing of narrow floats. Exceptions are views, which share memory and compute
nothing, and random numbers, which are drawn for a dtype.

In a backward pass the formulas run on tensors, as they do with `create_graph=True` (`backward_path`): each operator of a formula rounds its
result, as PyTorch's do.

If dtypes are mixed, or if an operator refuses numbers of 16 bits, the kernel first runs with float16 instead of the narrow floats
(`asked_with_half`). If it refuses float16, PyTorch refuses bfloat16 too, with the same text.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jgrad import dtypes, observer
from jgrad.dispatch.facts import Kernel, OverloadFacts
from jgrad.graph import grad_mode
from jgrad.graph.node import Node
from jgrad.kernels import libraries, sparse
from jgrad.kernels import numpy as kernels
from jgrad.kernels.narrow import SINGLE, is_narrow, rounded, widened
from jgrad.kernels.numpy import random
from jgrad.tensor import Tensor, _plain

HALF = np.dtype(np.float16)

# Where kernels refuse numbers of 16 bits: chapters (what LAPACK and Fourier transforms compute, Bessel functions), and single operators.
REFUSING_CHAPTERS = ("bessel", "ctc", "eigenvalues", "factorizations", "gamma", "indefinite", "spectral")
REFUSING = {
    "avg_pool3d", "histogram", "histogramdd_counts_flat", "multi_margin_loss", "multilabel_margin_loss_forward", "special_erfcx",
    "special_log_ndtr", "special_ndtri", "special_zeta",
}  # fmt: skip

# Operators of these chapters that take empty arrays nevertheless.
CONTENT_WITH_NOTHING = (
    "_linalg_eigh",
    "_linalg_svd",
    "linalg_cholesky",
    "linalg_cholesky_ex",
    "linalg_det",
    "linalg_ldl_factor_ex",
)

# Kernels that get narrow floats as they are: their results share memory although they are no views to autograd, they refuse them, or
# what they do depends on the dtype.
AS_THEY_ARE = frozenset(
    """
    unsafe_split unsafe_split_with_sizes complex polar fill_ nan_to_num nextafter rsqrt
""".split()
)

# Operators that round a Python number, too, to the dtype of the tensor.
ROUNDING_NUMBERS = (
    "fmod", "hardshrink", "hardshrink_backward", "pow", "remainder", "rsub", "searchsorted", "softshrink_backward", "special_xlog1py", "xlogy",
)  # fmt: skip

# The positions of further arguments that a kernel writes to, and of results that are float32 for narrow floats too.
WRITTEN = {"native_batch_norm": (3, 4), "rrelu_with_noise": (1,), "rrelu_with_noise_": (0, 1)}
SINGLE_RESULTS = {"_scaled_dot_product_flash_attention_for_cpu": (1,)}

# What PyTorch does with float8: it moves, copies and converts it, and little else. By operator: the dtypes for which it does not.
WITH_FLOAT8: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        """
            _to_copy all any cat clone constant_pad_nd copy_ eq fill_ flip index index_put_
            index_select isnan masked_select mm ne repeat roll stack where zero_
        """.split(),
        (),
    ),
    "abs": ("Float8_e8m0fnu",),
    "isfinite": ("Float8_e4m3fn", "Float8_e4m3fnuz", "Float8_e5m2fnuz"),
    "isinf": ("Float8_e4m3fn", "Float8_e4m3fnuz", "Float8_e5m2fnuz", "Float8_e8m0fnu"),
    "mm": ("Float8_e8m0fnu",),
}


# The names of PyTorch's kernels in such errors, where it is not that of the operator with "_cpu".
KERNELS = {
    "add": "add_stub", "sub": "add_stub", "exp": "exp_vml_cpu", "sqrt": "sqrt_vml_cpu", "isfinite": "isfinite", "isinf": "isinf",
    "masked_fill": "masked_fill", "mm": "addmm_impl_cpu_", "mul": "mul_cpu_reduced_float", "nan_to_num": "nan_to_num", "pow": "pow",
    "tril": "tril", "triu": "triu", "cumsum": "cumsum_out_cpu", "gather": "scatter_gather_tensor_cpu", "sort": "sorting_kernel_method_name",
}  # fmt: skip


def around(overload: OverloadFacts, kernel: Kernel, raw: list[Any]) -> Kernel:
    """A kernel as it has to be called with these arguments: as it is, if there are no narrow floats among them."""
    if (
        overload.view
        or overload.op.name in AS_THEY_ARE
        or getattr(kernel, "__module__", None) == random.__name__
    ):
        return kernel
    kinds = [kind for kind in _dtypes_in(raw) if is_narrow(kind)]
    if not kinds:
        return kernel
    for kind in kinds:
        name = dtypes.FROM_NUMPY[kind].type_name
        if kind.itemsize == 1 and name in WITH_FLOAT8.get(overload.op.name, (name,)):
            refusing = KERNELS.get(overload.op.name, f"{overload.op.name}_cpu")
            raise NotImplementedError(f"\"{refusing}\" not implemented for '{name}'")
    return lambda *arguments: computed(overload, kernel, arguments)


def _dtypes_in(values: Any) -> Iterator[np.dtype]:
    """The dtypes of arrays among arguments, and dtypes that are arguments themselves."""
    for value in values:
        if value.__class__ is list or value.__class__ is tuple:
            yield from _dtypes_in(value)
        elif isinstance(value, np.dtype):
            yield value
        elif libraries.is_array(value):
            yield value.dtype


def computed(overload: OverloadFacts, kernel: Kernel, raw: tuple[Any, ...]) -> Any:
    """The result of a kernel for narrow floats: computed in float32, and rounded."""
    __tracebackhide__ = True
    asked_for = next((v for v in raw if isinstance(v, np.dtype)), None)
    kinds = list(_dtypes_in(raw))
    narrow = asked_for if asked_for is not None and is_narrow(asked_for) else next(filter(is_narrow, kinds))
    others = [kind for kind in kinds if kind.kind == "f" and not is_narrow(kind)]
    mixed = bool(others) and asked_for is None and overload.op.name != "copy_"
    like_half: Any = None
    chapter = getattr(kernel, "__module__", "").rpartition(".")[2]
    refusing = (
        REFUSING.intersection((overload.op.name, getattr(kernel, "__name__", "")))
        or chapter in REFUSING_CHAPTERS
    )
    if refusing and overload.op.name in CONTENT_WITH_NOTHING:
        refusing = raw[0].size > 0
    if mixed or refusing:
        like_half = asked_with_half(kernel, raw)
    written = list(WRITTEN.get(overload.op.name, ()))
    if overload.writes or kernel is overload.kernel_inplace:
        written.append(0)
    try:
        wide = [_each(v, widened, SINGLE) for v in raw]
        if overload.op.name in ROUNDING_NUMBERS:
            wide = [
                float(rounded(np.asarray(v, SINGLE), narrow)) if v.__class__ is float else v for v in wide
            ]
        result = kernel(*wide)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        if others:
            raise
        raise type(error)(_renamed(str(error), FLOAT, narrow)) from None
    for i in written:
        if wide[i] is not raw[i]:
            raw[i][...] = rounded(wide[i], raw[i].dtype)
    if asked_for is not None and not is_narrow(asked_for):
        return result
    found = _rounded(result, narrow, like_half if mixed else None)
    kept = SINGLE_RESULTS.get(overload.op.name, ())
    return tuple([result[i] if i in kept else r for i, r in enumerate(found)]) if kept else found


def _each(value: Any, change: Callable[[np.ndarray], Any], dtype: np.dtype) -> Any:
    """An argument with each array of narrow floats changed, and each narrow dtype replaced."""
    if value.__class__ is list or value.__class__ is tuple:
        return type(value)([_each(v, change, dtype) for v in value])
    if isinstance(value, np.dtype):
        return dtype if is_narrow(value) else value
    return change(value) if libraries.is_array(value) and is_narrow(value.dtype) else value


def _rounded(result: Any, narrow: np.dtype, like: Any) -> Any:
    """Results in float32 as narrow floats. `like`: what the kernel made of float16, if that is to tell which of them are narrow."""
    if result.__class__ is list or result.__class__ is tuple:
        likes = [None] * len(result) if like is None else like
        return type(result)([_rounded(r, narrow, k) for r, k in zip(result, likes, strict=True)])
    if getattr(result, "dtype", None) != SINGLE or (like is not None and like.dtype != HALF):
        return result
    if libraries.is_array(result) and libraries.library_of(result).device == "meta":
        return result.astype(narrow)  # there is nothing to round
    if sparse.is_sparse(result):
        return sparse.like(result, rounded(result.values, narrow))
    return rounded(np.asarray(result), narrow)


def asked_with_half(kernel: Kernel, raw: tuple[Any, ...]) -> Any:
    """The result of a kernel for these arguments with float16 instead of narrow floats. Its errors name the narrow dtype."""
    __tracebackhide__ = True
    narrow = next(kind for kind in _dtypes_in(raw) if is_narrow(kind))

    def half(a: np.ndarray) -> np.ndarray:
        return widened(a).astype(HALF)

    # (With copies: the kernel may write to its arguments.)
    arguments = [a.copy() if libraries.is_array(a) else a for a in [_each(v, half, HALF) for v in raw]]
    try:
        return kernel(*arguments)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        raise type(error)(_renamed(str(error), HALF_NAME, narrow)) from None


FLOAT = re.compile(r"(?<!Complex)Float(?![a-z0-9_])|\bfloat\b")
HALF_NAME = re.compile(r"(?<!Complex)Half(?![a-z])")


def _renamed(text: str, name: re.Pattern, narrow: np.dtype) -> str:
    """An error text that speaks of the narrow dtype."""
    kind = dtypes.FROM_NUMPY[narrow].type_name
    text = text.replace("torch.HalfTensor", f"CPU{kind}Type")
    return name.sub(lambda found: kind if found[0][0].isupper() else f"c10::{kind}", text)


# Backward ---------------------------------------------------------------------------------------------------------------------


def backward_path(write: Callable[[type, Callable], Callable], node: Node, grad: Any, needed: Any) -> tuple:
    """The backward pass of a node on raw arrays of narrow floats. `write` writes that of a class, with its formulas lowered."""
    __tracebackhide__ = True
    path = written.get(type(node))
    if path is None:
        path = written[type(node)] = write(type(node), lowered)
    return on_tensors(path, node, grad, needed)


def on_tensors(path: Callable[..., tuple], node: Node, grad: Any, needed: Any) -> tuple:
    """A backward pass for tensors, run on raw arrays without being recorded."""
    __tracebackhide__ = True
    several = grad.__class__ is list
    given: Any = [_tensor(g) for g in grad] if several else _tensor(grad)
    with grad_mode.no_grad(), observer.unobserved():
        found = path(node, given, needed)
    return tuple([_array(g) for g in found])


written: dict[type, Callable[..., tuple]] = {}  # by class of nodes


def lowered(formula: Callable) -> Callable:
    """A formula for tensors of narrow floats. It calls operators, but in the place of derivatives that are composed of operators it calls
    their kernels, which round once."""
    assert isinstance(formula, types.FunctionType)
    names = dict(formula.__globals__)
    for name in formula.__code__.co_names:
        function, kernel = names.get(name), vars(kernels).get(name)
        composed = function is not None and not hasattr(function, "op")
        if (
            composed
            and isinstance(function, types.FunctionType)
            and isinstance(kernel, types.FunctionType)
            and kernel.__code__ is not function.__code__
        ):
            names[name] = _of_tensors(kernel)
    return types.FunctionType(formula.__code__, names, formula.__name__, formula.__defaults__)


def _of_tensors(kernel: Callable) -> Callable:
    """A kernel as a function of tensors, computed in float32."""

    def call(*arguments: Any) -> Any:
        raw = [_array(a) for a in arguments]
        narrow = next((kind for kind in _dtypes_in(raw) if is_narrow(kind)), None)
        result = kernel(*[_each(a, widened, SINGLE) for a in raw])
        # (Where dtypes are mixed, gradients are in different ones; the engine rounds those that are to be narrow.)
        if narrow is not None and SINGLE not in _dtypes_in(raw):
            result = _rounded(result, narrow, None)
        several = result.__class__ is tuple or result.__class__ is list
        return tuple([_tensor(r) for r in result]) if several else _tensor(result)

    return call


def _tensor(value: Any) -> Any:
    return None if value is None else _plain(libraries.as_array(value))


def _array(value: Any) -> Any:
    if value.__class__ is list or value.__class__ is tuple:
        return type(value)([_array(v) for v in value])
    return value._a if isinstance(value, Tensor) else value
