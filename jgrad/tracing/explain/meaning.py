"""What an expression of the user's means, as far as the code and the variables show it. No code of the user's runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from jgrad import mirrors
from jgrad.tracing.document.syntax import has, parsed

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
MOST = 10_000  # rounds of a comprehension that are looked at


def meaning(text: str, variables: Mapping[str, Any]) -> Any:
    """The value of `x`, `model.fc.weight`, `xs[0]` or the like; None where only running it would tell."""
    body = parsed([text]).body
    return (
        mirrors.mirror(_value(body[0].value, variables)) if body and isinstance(body[0], ast.Expr) else None
    )


def in_comprehensions(
    tree: ast.AST, name: str, line: int | None, variables: Mapping[str, Any]
) -> Iterator[tuple[list[Any], bool]]:
    """What a name stands for, round by round, in each comprehension at a line (None: at any) that binds it; and whether an `if` leaves some
    rounds out."""
    for node in ast.walk(tree):
        if (
            isinstance(node, Comprehension)
            and (line is None or has(node, line))
            and any(name in _names(g.target) for g in node.generators)
        ):
            rounds = islice(_rounds(node.generators, variables), MOST)
            yield [one[name] for one in rounds], any(g.ifs for g in node.generators)


def _names(target: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}


def _rounds(
    generators: Sequence[ast.comprehension], variables: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """The variables in each round of a comprehension."""
    if not generators:
        yield variables
        return
    for item in _items(generators[0].iter, variables):
        bound = _bound(generators[0].target, item)
        yield from _rounds(generators[1:], {**variables, **bound})


def _bound(target: ast.expr, item: Any) -> dict[str, Any]:
    """The names of a target with what they stand for; None for one that is not known."""
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, ast.Tuple) and isinstance(item, tuple) and len(item) == len(target.elts):
        return {
            n: v for part, one in zip(target.elts, item, strict=True) for n, v in _bound(part, one).items()
        }
    return dict.fromkeys(_names(target))


def _value(node: ast.expr, variables: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return variables.get(node.id)
    if isinstance(node, ast.Attribute):
        return _attribute(_value(node.value, variables), node.attr)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return _item(_value(node.value, variables), node.slice.value)
    return None


def _attribute(holder: Any, name: str) -> Any:
    """What an object holds under a name. Properties are not asked."""
    if holder is None or isinstance(holder, type) or not hasattr(type(holder), "__dict__"):
        return None
    try:
        held = object.__getattribute__(holder, "__dict__")
    except AttributeError:
        return None
    places = [held, *(held.get(key, {}) for key in ("_parameters", "_buffers", "_modules"))]
    return next((place[name] for place in places if name in place), None)


def _item(holder: Any, key: Any) -> Any:
    """`holder[key]`. A `Sequential` and the like have their layers by number, a `ModuleDict` by name."""
    if mirrors.is_module(holder):
        layers = vars(holder)["_modules"]
        return layers.get(str(key)) if not isinstance(key, int) or key >= 0 else None
    if type(holder) is dict:
        return holder.get(key) if isinstance(key, (str, int)) else None
    if type(holder) in (list, tuple) and isinstance(key, int):
        return holder[key] if -len(holder) <= key < len(holder) else None
    return None


def _items(node: ast.expr, variables: Mapping[str, Any]) -> Sequence[Any]:
    """What a loop over an expression goes through; nothing where only running it would tell."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(one, variables) for one in node.elts]
    if not isinstance(node, ast.Call):
        value = _value(node, variables)
        if mirrors.is_module(value):
            return [*vars(value)["_modules"].values()]
        return [*value] if type(value) in (list, tuple, dict) else ()
    if isinstance(node.func, ast.Name) and node.func.id not in variables:
        parts = [_items(part, variables) for part in node.args]
        if node.func.id in ("list", "tuple", "enumerate") and len(parts) == 1:
            return [*enumerate(parts[0])] if node.func.id == "enumerate" else parts[0]
        if node.func.id == "zip":
            return [*zip(*parts, strict=False)]
    elif isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
        return _called(_value(node.func.value, variables), node.func.attr)
    return ()


def _called(holder: Any, method: str) -> Sequence[Any]:
    """What `holder.parameters()` and the like give."""
    if type(holder) is dict and method in ("values", "items", "keys"):
        return [*getattr(holder, method)()]
    if not mirrors.is_module(holder) or not mirrors.is_own_method(holder, method):
        return ()  # a method of the user's may give anything
    modules = _modules_in("", holder)
    if method in ("modules", "children"):
        return [m for _, m in modules] if method == "modules" else [*vars(holder)["_modules"].values()]
    if method not in ("parameters", "named_parameters"):
        return ()
    named: dict[int, tuple[str, Any]] = {}  # a parameter that is shared appears once
    for path, module in modules:
        for name, parameter in vars(module)["_parameters"].items():
            if parameter is not None:
                named.setdefault(id(parameter), (f"{path}{name}", parameter))
    return [*named.values()] if method == "named_parameters" else [p for _, p in named.values()]


def _modules_in(path: str, module: Any, seen: set[int] | None = None) -> list[tuple[str, Any]]:
    """A module and all within it, with the beginning of their parameters' names."""
    seen = set() if seen is None else seen
    if id(module) in seen:
        return []
    seen.add(id(module))
    found = [(path, module)]
    for name, layer in vars(module)["_modules"].items():
        if layer is not None:
            found += _modules_in(f"{path}{name}.", layer, seen)
    return found
