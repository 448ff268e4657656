"""Which overload of an operator a call means, and PyTorch's words for a call that fits none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from jgrad import warn
from jgrad.dispatch.declaration import Operator
from jgrad.dispatch.overload import AnyOverload
from jgrad.dispatch.schema import Schema
from jgrad.errors import class_name
from jgrad.tensor import Tensor


def match(
    operator: Operator, args: Sequence[Any], kwargs: dict[str, Any], method: bool, name: str
) -> tuple[AnyOverload, list[Any]]:
    """The first overload that the arguments fit, and the arguments in its order; `name` is what errors call it."""
    __tracebackhide__ = True
    if name == operator.name:
        return _matched(operator, args, kwargs, method, name)
    try:
        return _matched(operator, args, kwargs, method, name)
    except TypeError as error:
        raise TypeError(str(error).replace(f"{operator.name}(", f"{name}(", 1)) from None


def _matched(
    operator: Operator, args: Sequence[Any], kwargs: dict[str, Any], method: bool, name: str
) -> tuple[AnyOverload, list[Any]]:
    __tracebackhide__ = True
    overloads = operator.overloads
    if len(overloads) == 1:
        schema = overloads[0].schema
        values = schema.bind(
            args,
            kwargs,
            method,
            not (operator.deprecated or operator.also) and operator.numbers in ("", "any"),
        )
        numbers_alone = operator.numbers == "either" and not any(
            [isinstance(v, Tensor) for v in values or ()]
        )
        if values is None or numbers_alone:
            values = _otherwise(operator, schema, args, kwargs, method, name)
        return overloads[0], values
    second: tuple[AnyOverload, list[Any]] | None = None
    for overload in overloads:
        values = overload.schema.bind(args, kwargs, method, False)
        if values is not None:
            # A 0-d tensor may stand for a number, but an overload that takes it as a tensor comes first.
            if not any(
                [
                    p.kind in ("Number", "int") and isinstance(a, Tensor)
                    for p, a in zip(overload.params, args, strict=False)
                ]
            ):
                return overload, values
            second = second or (overload, values)
    if second is None:
        refuse(operator.name, [o.schema for o in overloads], args, kwargs, method)
    return second


def _otherwise(
    operator: Operator, schema: Schema, args: Sequence[Any], kwargs: dict[str, Any], method: bool, name: str
) -> list[Any]:
    """The arguments of a schema that stands for several signatures: tensors or numbers, or a current and a deprecated order."""
    __tracebackhide__ = True
    if operator.also:
        other = Schema(operator.also, operator.name, "", False, False)
        values = other.bind(args, kwargs, method, False)
        if values is None:
            refuse(operator.name, [schema, other], args, kwargs, method)
        return values
    if not operator.deprecated:
        names = ("self", "other") if operator.numbers == "either" else ("other",)
        schemas = [
            Schema(schema.text.replace(f"Tensor {p}", f"Number {p}"), operator.name, "", False, p == "other")
            for p in names
        ]
        refuse(operator.name, [schema, *schemas], args, kwargs, method)
    for text in operator.deprecated.split("; "):
        if method:  # its first argument is self, wherever the function takes it
            text = text.replace("Tensor self, ", "").replace("(", "(Tensor self, ")
        old = Schema(text, operator.name, operator.numbers, False, schema.out)
        values = old.bind(args, kwargs, method, False)
        if values is not None:
            break
    else:
        refuse(operator.name, [schema], args, kwargs, method)
    was, new = (f"{name}({', '.join(s.shown(method))})" for s in (old, schema))
    warn.once(
        f"This overload of {name} is deprecated:\n\t{was}\nConsider using one of the following signatures instead:\n\t{new}",
        key="deprecated overload",
    )
    by_name = dict(zip([p.name for p in old.params], values, strict=True))
    return [by_name.get(p.name, p.default) for p in schema.params]


def type_text(value: Any, inside: bool = False) -> str:
    """The type of an argument as PyTorch's error texts have it; `inside`: with the types of what it holds."""
    cls = type(value)
    if inside and cls in (list, tuple):
        types = ", ".join(map(type_text, value))
        return f"list of [{types}]" if cls is list else f"tuple of ({types}{',' * (len(value) == 1)})"
    return class_name(value)


def listed(parts: list[str], all_named: bool) -> str:
    """Parts of a signature or call, joined as PyTorch does: with a comma at the end if all arguments were given by name."""
    return ", ".join(parts) + (", " if all_named and parts else "")


def call_text(args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """The types of the arguments of a call, as PyTorch's error texts have them."""
    return (
        f"({listed([*map(type_text, args), *[f'{k}={type_text(v)}' for k, v in kwargs.items()]], not args)})"
    )


def unmatched(parts: list[str], kwargs: dict[str, Any]) -> str:
    """The keywords that are not the last names of a signature. PyTorch takes the names from its text: that of `Tensor min = None` is None."""
    last = [part.rpartition(" ")[2] for part in parts[max(len(parts) - len(kwargs), 0) :]]
    return ", ".join([key for key in kwargs if key not in last])


def marked(parts: list[str], args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """The types of as many arguments as a signature has parts, with marks at those that do not fit. PyTorch takes the expected types from the
    text of the signature: that of `Tensor min = None` is `Tensor min =`."""
    found = []
    for i, part in enumerate(parts):
        kind, _, name = part.rpartition(" ")
        value = args[i] if i < len(args) else kwargs[name]
        text = ("" if i < len(args) else f"{name}=") + type_text(value, inside=True)
        fits = type_text(value) in {"float": ("float", "int")}.get(kind, (kind,))
        found.append(text if fits else f"!{text}!")
    return f"({listed(found, not args)})"


def refuse(
    name: str, schemas: list[Schema], args: Sequence[Any], kwargs: dict[str, Any], method: bool
) -> NoReturn:
    """Raise PyTorch's TypeError for a call that fits none of several signatures."""
    __tracebackhide__ = True
    if method:  # (a method has no number in place of self)
        schemas = [s for s in schemas if s.params[0].is_tensor]
    given = len(args) + len(kwargs)
    plausible = [s for s in schemas if s.least <= given <= len(s.params) + (s.out and not method)]
    if len(plausible) == 1:  # PyTorch names what is wrong with the only one
        plausible[0].bind(args, kwargs, method, True)
    raise TypeError(mismatch(name, schemas, args[method:], kwargs, method))


def mismatch(
    name: str, schemas: list[Schema], args: Sequence[Any], kwargs: dict[str, Any], method: bool
) -> str:
    """PyTorch's words for a call that fits none of the signatures."""
    # Signatures that take tensors come before those that take numbers.
    schemas = sorted(
        schemas,
        key=lambda s: sum(
            [2**i for i, p in enumerate(s.params) if p.kind == "Number" and not p.keyword_only]
        ),
    )
    # (PyTorch lists what was given by name from a hash table, which has the last one first.)
    got = call_text(args, dict(reversed(kwargs.items())))
    head = f"{name}() received an invalid combination of arguments - got "
    signatures = [schema.shown(method) or [""] for schema in schemas]
    if len(signatures) == 1:
        [parts] = signatures
        if unknown := unmatched(parts, kwargs):
            return f"{head}unrecognized keyword arguments: {unknown}"
        if len(args) + len(kwargs) == len(parts):
            got = marked(parts, args, kwargs)
        return f"{head}{got}, but expected ({', '.join(parts)})"
    lines = [f"{head}{got}, but expected one of:"]
    for parts in signatures:
        lines.append(f" * ({', '.join(parts)})")
        if len(args) + len(kwargs) == len(parts):
            unknown = unmatched(parts, kwargs)
            why = (
                f"keywords were incorrect: {unknown}"
                if unknown
                else f"arguments have invalid types: {marked(parts, args, kwargs)}"
            )
            lines.append(f"      didn't match because some of the {why}")
    return "\n".join(lines) + "\n"
