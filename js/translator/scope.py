"""Names and their types while a function is translated."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from js.translator.types import NEVER, Type, join

# Words of JavaScript and names of its library that the translation uses, which may be names in Python.
TAKEN = frozenset(
    ["arguments", "await", "case", "catch", "const", "debugger", "default", "delete", "do", "enum", "eval", "export", "extends", "function", "implements", "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public", "static", "super", "switch", "this", "throw", "true", "false", "try", "typeof", "undefined", "var", "void", "with", "yield", "Array", "Map", "Math", "Number", "Object", "RegExp", "Set", "String"]
)  # fmt: skip


def spelled(name: str) -> str:
    """A Python name in JavaScript."""
    return name + "$" if name in TAKEN else name


def member(name: str) -> str:
    """An attribute or a method of an object in JavaScript. No record has a field of this form, so the build can shorten it."""
    return name + "$"


@dataclass
class Scope:
    """The variables of a function or a comprehension. `known` are the types that an earlier pass over the function has found."""

    parent: Scope | None = None
    names: set[str] = field(default_factory=set)
    known: dict[str, Type] = field(default_factory=dict)
    found: dict[str, Type] = field(default_factory=dict)
    # Those with an annotation: assignments don't change their types.
    fixed: set[str] = field(default_factory=set)

    def home_of(self, name: str) -> Scope | None:
        """The innermost scope that has a variable."""
        if name in self.names:
            return self
        return self.parent.home_of(name) if self.parent else None

    def type_of(self, name: str) -> Type:
        return join(self.known.get(name, NEVER), self.found.get(name, NEVER))

    def assigned(self, name: str, type_: Type) -> None:
        if name not in self.fixed:
            self.found[name] = join(self.found.get(name, NEVER), type_)

    def declared(self, name: str, type_: Type) -> None:
        self.known[name] = self.found[name] = type_


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def stored_in(body: list[ast.stmt]) -> Iterator[str]:
    """The variables that statements assign, without those of functions and comprehensions inside of them."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.FunctionDef):
            yield node.name
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, COMPREHENSIONS):
            # A walrus in a comprehension assigns a variable of the function.
            walruses = [part.target for part in ast.walk(node) if isinstance(part, ast.NamedExpr)]
            yield from [target.id for target in walruses]
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        stack.extend(ast.iter_child_nodes(node))


def names_in(target: ast.expr) -> list[str]:
    return [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
