"""Stubs of functions that are written in Python: their signatures, with the types that a stub knows."""

from __future__ import annotations

import ast
import inspect
from typing import Any

# Types that the head of a stub imports, by the name that annotations have for them.
KNOWN = {
    "Any": "Any", "Tensor": "Tensor", "None": "None", "int": "_int", "float": "_float", "bool": "_bool", "str": "_str", "complex": "_complex",
    "type": "_type", "tuple": "tuple", "list": "list", "dict": "dict", "Sequence": "Sequence", "Callable": "Callable", "Iterator": "Iterator",
    "Iterable": "Iterable", "np": "_np", "dtype": "_dtype", "device": "_device", "Generator": "_Generator", "Size": "_Size",
}  # fmt: skip


def stub(function: Any, name: str, indent: str = "", first: str = "") -> list[str]:
    """The lines of a function. `first`: what a method calls its first argument."""
    signature = inspect.signature(function)
    ways = [signature]
    size = signature.parameters.get("size")
    if size and size.kind is size.VAR_POSITIONAL:  # it is given one by one, or as one argument
        ways = [_with(signature, size.replace(annotation="int"))]
        ways.append(_with(signature, size.replace(annotation="Any", kind=size.POSITIONAL_OR_KEYWORD)))
    lines = []
    for way in ways:
        lines += [f"{indent}@overload"] * (len(ways) > 1)
        returned = typed(signature.return_annotation)
        lines.append(f"{indent}def {name}({', '.join(_parts(way, first))}) -> {returned}:")
        lines += documented(function.__doc__, indent)
    return lines


def _with(signature: inspect.Signature, other: inspect.Parameter) -> inspect.Signature:
    """A signature with another parameter in place of that of the same name."""
    return signature.replace(
        parameters=[other if p.name == other.name else p for p in signature.parameters.values()]
    )


def _parts(signature: inspect.Signature, first: str) -> list[str]:
    """The parameters, as a stub writes them."""
    parts: list[str] = []
    starred = False
    only = [p.name for p in signature.parameters.values() if p.kind == p.POSITIONAL_ONLY]
    for p in signature.parameters.values():
        if p.kind == p.KEYWORD_ONLY and not starred:
            parts.append("*")
        starred |= p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        if not parts and first:
            parts.append(first)
        else:
            parts.append(
                f"{mark}{p.name}: {typed(p.annotation)}{'' if p.default is p.empty else ' = ' + default(p.default)}"
            )
        if p.name in only[-1:]:
            parts.append("/")
    return parts


def default(value: Any) -> str:
    plain = (
        isinstance(value, int | float | bool | str | None)
        and value == value
        and abs(value if isinstance(value, float) else 0) < 1e300
    )
    return repr(value) if plain else "..."


def typed(annotation: Any) -> str:
    """An annotation in the words of a stub; Any if it has a word that stubs do not know."""
    if not isinstance(annotation, str):
        annotation = "None" if annotation is None else getattr(annotation, "__name__", "Any")
    try:
        tree = ast.parse(annotation, mode="eval").body
    except SyntaxError:
        return "Any"
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    if any(node.id not in KNOWN for node in names):
        return "Any"
    for node in names:
        node.id = KNOWN[node.id]
    return ast.unparse(tree)


def has_types_of_its_own(function: Any) -> bool:
    """Whether annotations of a function have words that stubs do not know."""
    annotations = inspect.get_annotations(function).values()
    return any(typed(a) == "Any" and a not in (Any, "Any", "object") for a in annotations)


def documented(doc: str | None, indent: str) -> list[str]:
    """The body of a function: its docstring, or nothing."""
    if not doc:
        return [f"{indent}    ..."]
    text = inspect.cleandoc(doc).replace("\\", "\\\\").replace('"""', "'''")
    text = (text + "\n" * ("\n" in text)).replace("\n", f"\n{indent}    ")
    return [f'{indent}    """{text}"""']
