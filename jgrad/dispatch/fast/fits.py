"""Which overloads can have a fast path."""

from __future__ import annotations

import numpy as np

from jgrad.dispatch.overload import Overload
from jgrad.dispatch.schema import Param
from jgrad.kernels import numpy as kernels

PLAIN_DEFAULTS = (int, bool, tuple, type(None))  # classes of defaults that can be written as they are printed

# The kernels of calls without `alpha`.
WITHOUT_ALPHA = {"add": kernels.plain_add, "sub": kernels.plain_sub}


def fits(overload: Overload) -> bool:
    """Whether the function and the method of an overload can have a fast path."""
    params = overload.params
    return not (
        overload.writes
        or overload.derived
        or overload.warns
        or (overload.result_writes and not isinstance(overload.result_writes, dict))
        or not params
        or params[0].kind not in ("Tensor", "Tensor(a)")
        or overload.tensor_list is not None
        or overload.index_lists
        or any([not fits_argument(overload, i, p) for i, p in enumerate(params)])
        or not fits_results(overload)
    )


def fits_argument(overload: Overload, i: int, param: Param) -> bool:
    """Whether a fast path can take this argument."""
    if param.keyword_only and param.required:
        return False
    # An operator that draws random numbers must not run twice, and a fast path that gives up has run the kernel already.
    if param.kind == "Generator" or param.default.__class__ not in PLAIN_DEFAULTS:
        return False
    if param.is_tensor and param.optional:
        return i > 0 and not param.keyword_only and overload.promote is None
    return True


def fits_results(overload: Overload) -> bool:
    """Whether a fast path can make and record the results."""
    if overload.outputs < 1 or (overload.outputs > 1 and (overload.view or overload.promote is not None)):
        return False
    if overload.node is None:
        return True
    devices_or_dtypes = [n for n in overload.node.plain_names if n.endswith(("_dtype", "_device"))]
    return bool(overload.formulas) and not devices_or_dtypes


def fits_inplace(overload: Overload) -> bool:
    """Whether the in-place form of an overload can have a fast path: it takes tensors and numbers, and they may be the same tensors."""
    return not (
        not overload.params
        or overload.params[0].kind not in ("Tensor", "Tensor(a!)")
        or overload.view
        or overload.outputs != 1
        or overload.derived
        or overload.warns
        or overload.boolean
        or overload.checks_overlap == "all"
        or (overload.kernel_inplace is not None and not overload.writes)
        or any([not fits_inplace_argument(p) for p in overload.params])
        or (
            isinstance(overload.kernel, np.ufunc)
            and not any(["f" in kinds for kinds in overload.kernel.types])
        )
    )


def fits_inplace_argument(param: Param) -> bool:
    """Whether the fast path of an in-place form can take this argument."""
    if param.required:
        return param.kind in ("Tensor", "Tensor(a!)", "Number")
    return param.kind != "Generator" and param.default.__class__ in PLAIN_DEFAULTS
