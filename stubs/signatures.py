"""The signatures of operators in Python's words: what a declaration says, and what `jgrad/dispatch/matching.py` accepts."""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from typing import NamedTuple

from jgrad.dispatch.operators import Op
from jgrad.dispatch.schema import Param, Schema

# What an argument of each kind may be. Names with an underscore are builtins: methods of a tensor are called float, int and bool too.
TYPES = {
    "Tensor": "Tensor", "Tensor(a)": "Tensor", "Tensor(a!)": "Tensor", "Tensor[]": "Sequence[Tensor]", "Tensor?[]": "Sequence[Tensor | None]",
    "Number": "Number", "int": "_int", "int[]": "Sequence[_int]", "int[1]": "_int | Sequence[_int]", "bool": "_bool", "float": "_float",
    "str": "_str", "dtype": "_dtype | _type", "layout": "_layout", "device": "_device | _str | _int", "memory_format": "_memory_format",
    "Generator": "_Generator", "any": "Any", "float[]": "Sequence[_float]", "bool[]": "Sequence[_bool]",
}  # fmt: skip
RETURNS = {
    "Tensor": "Tensor",
    "bool": "_bool",
    "int": "_int",
    "float": "_float",
    "dtype": "_dtype",
    "Number": "Number",
}


class Signature(NamedTuple):
    """One way to call a function or method."""

    parameters: tuple[str, ...]
    result: str


def signatures(op: Op, method: bool, inplace: bool = False) -> list[Signature]:
    """The ways to call an operator, each once."""
    found = [s for o in op.overloads for s in _of(op, o.schema, method, inplace)]
    return list(dict.fromkeys(found))


def _of(op: Op, schema: Schema, method: bool, inplace: bool) -> Iterator[Signature]:
    """The ways to call an overload: sizes may be given one by one."""
    result = "Tensor" if inplace else result_of(op, schema)
    params = schema.params[method:]
    takes_out = (
        "out" in op.forms
        and not method
        and not inplace
        and schema.out
        and all(p.name != "out" for p in params)
    )
    last = max((i for i, p in enumerate(params) if not p.keyword_only), default=-1)
    may_be_listed = op.varargs and last >= 0 and params[last].kind == "int[]"
    # Functions of a tensor take them whole.
    several = (False, True) if may_be_listed and (method or not params[0].is_tensor) else (False,)
    for one_by_one in several:
        parts: list[str] = []
        starred = False
        for i, p in enumerate(params):
            if one_by_one and i == last:
                parts.append(f"*{p.name}: _int")
                starred = True
                continue
            if p.keyword_only and not starred:
                parts.append("*")
                starred = True
            parts.append(_parameter(p, i + method >= schema.numbers_from))
            if keyword.iskeyword(p.name) and not p.keyword_only:
                parts.append("/")
        if takes_out:
            parts += [] if starred else ["*"]
            parts.append(f"out: {'Any' if schema.returns[0] == '(' else 'Tensor | None'} = None")
        yield Signature(tuple(parts), result)


def _parameter(p: Param, numbers: bool) -> str:
    kind = (
        TYPES[p.kind]
        + (" | Number" if numbers and p.kind == "Tensor" else "")
        + (" | None" if p.optional else "")
    )
    name = p.label() + ("_" if keyword.iskeyword(p.name) else "")
    if p.required:
        return f"{name}: {kind}"
    plain = isinstance(p.default, int | float | bool | str | None)
    return f"{name}: {kind} = {repr(p.default) if plain else '...'}"


def result_of(op: Op, schema: Schema) -> str:
    """The type of what an overload returns."""
    returns = schema.returns.replace("(a)", "").replace("(a!)", "")
    if returns.endswith("[]"):
        return "tuple[Tensor, ...]"
    if returns.startswith("("):
        if named(schema):
            return f"return_types.{op.name}"
        return f"tuple[{', '.join(['Tensor'] * len(schema.results()[1]))}]"
    return RETURNS.get(returns, "Any")


def named(schema: Schema) -> bool:
    """Whether the results have names."""
    return schema.returns.startswith("(") and all(
        len(part.split()) == 2 for part in schema.returns[1:-1].split(",")
    )
