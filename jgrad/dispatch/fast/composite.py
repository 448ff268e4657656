"""The fast path of composites: the function under the declaration, called without the binding of arguments where they plainly fit."""

from __future__ import annotations

from types import FunctionType

from jgrad.dispatch import fast
from jgrad.dispatch.fast.function import General, unpacked
from jgrad.dispatch.overload import Composite
from jgrad.dispatch.source import Source, load
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


def composite_path(overload: Composite, general: General) -> FunctionType:
    """The fast path of a composite, with `general(args, kwargs)` for everything else."""
    required = [p for p in overload.params if p.required]
    if any([p.keyword_only for p in required]):
        return unpacked(general)
    kinds, all_kinds = _kinds(overload)
    made = load(source(overload), f"fast {overload.schema.overload}", "fast", {**fast.NAMES})
    needs = {"body": overload.body, "returned": overload.returned, "kinds": kinds, "all_kinds": all_kinds}
    return fast.bound(made, general=general, **needs)


def source(overload: Composite) -> str:
    """Its source. `kinds` and `all_kinds` are what `_kinds` says."""
    single = next((i for i, p in enumerate(overload.params) if p.required and p.kind == "int[1]"), None)
    sizes = next((i for i, p in enumerate(overload.params) if p.required and p.kind == "int[]"), None)
    code = Source()
    with code.block("def fast(*args, **kwargs):"):
        code.add("__tracebackhide__ = True", "packed = args")
        with code.block("if now.ENABLED and not kwargs:"):
            if overload.schema.varargs:
                code.add(
                    "if len(args) > 1 and all([n.__class__ is int for n in args[1:]]):",
                    "    packed = (args[0], args[1:])",
                )
            code.add("given = tuple([Tensor if (c := a.__class__) is now.Parameter else c for a in packed])")
            ints = "" if sizes is None else f" and all([n.__class__ is int for n in packed[{sizes}]])"
            with code.block(f"if given in (kinds, all_kinds){ints}:"):
                if single is not None:
                    code.add(f"packed = (*packed[:{single}], (packed[{single}],), *packed[{single + 1} :])")
                code.add(
                    "if libraries.many:",
                    "    with libraries.on_device_of(packed):",
                    "        result = body(*packed)",
                    "else:",
                    "    result = body(*packed)",
                    "return returned(result)" if overload.named else "return result",
                )
        code.add("return general(args, kwargs)")
    return code.text()


def _kinds(overload: Composite) -> tuple[tuple[type | None, ...], tuple[type | None, ...]]:
    """The classes of plain arguments: of those without a default, and of all that may be given by position, if these are plain too."""
    kinds = tuple([PLAIN.get(p.kind) for p in overload.params if p.required])
    all_kinds = tuple([PLAIN.get(p.kind) for p in overload.params if not p.keyword_only])
    if None in all_kinds or any([p.kind.startswith("int[") for p in overload.params if not p.required]):
        return kinds, kinds
    return kinds, all_kinds
