"""The fast path of composites: the function under the declaration, called without the binding of arguments where they plainly fit."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import fast
from jgrad.dispatch.fast.function import Function, General, unpacked
from jgrad.dispatch.overload import Composite
from jgrad.kernels import libraries
from jgrad.tensor import Tensor

# The class of a plain argument, by the kind of its parameter. Of a list of ints one int may be given, as a composite's function takes it.
PLAIN = {
    "Tensor": Tensor,
    "Tensor(a!)": Tensor,
    "int": int,
    "int[]": tuple,
    "int[1]": int,
    "bool": bool,
}


def composite_path(overload: Composite, general: General) -> Function:
    """The fast path of a composite, with `general(args, kwargs)` for everything else."""
    required = [p for p in overload.params if p.required]
    if any([p.keyword_only for p in required]):
        return unpacked(general)
    body, named = overload.body, overload.named
    kinds, all_kinds = _kinds(overload)
    single = next((i for i, p in enumerate(overload.params) if p.required and p.kind == "int[1]"), None)
    sizes = next((i for i, p in enumerate(overload.params) if p.required and p.kind == "int[]"), None)
    varargs = overload.schema.varargs

    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        if fast.ENABLED and not kwargs:
            packed = args
            if varargs and len(args) > 1 and all([n.__class__ is int for n in args[1:]]):
                packed = (args[0], args[1:])
            given = tuple([Tensor if (c := a.__class__) is fast.Parameter else c for a in packed])
            if given in (kinds, all_kinds) and (
                sizes is None or all([n.__class__ is int for n in packed[sizes]])
            ):
                if single is not None:
                    packed = (*packed[:single], (packed[single],), *packed[single + 1 :])
                if libraries.many:
                    with libraries.device_guard(packed):
                        result = body(*packed)
                else:
                    result = body(*packed)
                return overload.returned(result) if named else result
        return general(args, kwargs)

    return call


def _kinds(overload: Composite) -> tuple[tuple[type | None, ...], tuple[type | None, ...]]:
    """The classes of plain arguments: of those without a default, and of all that may be given by position, if these are plain too."""
    kinds = tuple([PLAIN.get(p.kind) for p in overload.params if p.required])
    all_kinds = tuple([PLAIN.get(p.kind) for p in overload.params if not p.keyword_only])
    if None in all_kinds or any([p.kind.startswith("int[") for p in overload.params if not p.required]):
        return kinds, kinds
    return kinds, all_kinds
