"""A test file of PyTorch's as a module, on whichever library `torch` names, also where a name that it imports is not there."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.abc
import importlib.util
import sys
import types
import unittest
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

from tests.public.missing import Missing, with_missing

# Modules of helpers: of PyTorch's, and those that lie next to the tests.
HELPERS = ("torch.testing._internal", "common_", "functorch_additional", "autograd.test_")
# An old name of `torch.func`.
OLD_NAMES = {"functorch": "torch.func"}


class AsTorch(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """`import torch.nn` gives the module of jgrad's of this name."""

    def __init__(self) -> None:
        self.specs: dict[str, ModuleSpec | None] = {}

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name.startswith("torch.") else None

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        try:
            module = importlib.import_module("jgrad." + spec.name.removeprefix("torch."))
        except ImportError:
            raise ImportError(f"needs {spec.name}") from None
        self.specs[module.__name__] = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        # The import gave the module the spec of the other name.
        module.__spec__ = self.specs[module.__name__]


def jgrad_as_torch() -> None:
    sys.modules["torch"] = importlib.import_module("jgrad")
    sys.meta_path.insert(0, AsTorch())


def named(module: str, name: str, helper: Callable[[str], Any]) -> Any:
    """What `from module import name` gives, or `import module` without a name; a `Missing` if it is not there."""
    module = OLD_NAMES.get(module, module)
    if module.startswith(HELPERS):
        return helper(name) if name else Missing(module)
    full = f"{module}.{name}" if name else module
    try:
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    except AttributeError:
        return named(full, "", helper)
    except ImportError:
        return Missing(full)


class Imports(ast.NodeTransformer):
    """Imports of PyTorch's modules, and decorators that are called, so that they may fail one by one."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        module = node.module or ""
        ours = module.startswith((*HELPERS, "torch.", "functorch")) or module == "torch"
        if not ours or node.names[0].name == "*":
            return node
        return [self.assigned(node, alias.asname or alias.name, module, alias.name) for alias in node.names]

    def visit_Import(self, node: ast.Import) -> Any:
        return [self.one_import(node, alias) for alias in node.names]

    def one_import(self, node: ast.Import, alias: ast.alias) -> ast.stmt:
        first = alias.name.partition(".")[0]
        if first not in ("torch", "torchvision", "functorch") or alias.name == "torch":
            return ast.copy_location(ast.Import([alias]), node)
        if alias.asname or first != "torch":
            return self.assigned(node, alias.asname or first, alias.name if alias.asname else first, "")
        return self.assigned(node, "_", alias.name, "")

    def assigned(self, node: ast.stmt, target: str, module: str, name: str) -> ast.stmt:
        return ast.copy_location(ast.parse(f"{target} = __named__({module!r}, {name!r})").body[0], node)

    def decorated(self, node: Any) -> Any:
        self.generic_visit(node)
        node.decorator_list = [self.late(decorator) for decorator in node.decorator_list]
        return node

    visit_FunctionDef = visit_ClassDef = decorated

    def late(self, decorator: ast.expr) -> ast.expr:
        if not isinstance(decorator, ast.Call):
            return decorator
        made: Any = ast.parse("__decorator__(lambda: 0)", mode="eval").body
        made.args[0].body = decorator
        return ast.copy_location(made, decorator)


def decorator(make: Callable[[], Any]) -> Any:
    """A decorator; where it can't be made for a name that is not there, one that takes the test away."""
    try:
        return with_missing(make)
    except NameError as error:
        return unittest.skip(str(error))


def load(file: Path, helper: Callable[[str], Any]) -> types.ModuleType:
    """The module of a test file. A statement that needs a name that is not there is left out; what needs the statement fails."""
    module = types.ModuleType("tested")
    sys.modules["tested"] = module
    module.__file__ = str(file)
    vars(module).update(__named__=lambda m, n: named(m, n, helper), __decorator__=decorator)
    tree = ast.fix_missing_locations(Imports().visit(ast.parse(file.read_text(encoding="utf-8"))))
    future = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    for statement in tree.body:
        code = compile(ast.Module([*future, statement], []), str(file), "exec")
        try:
            with_missing(functools.partial(exec, code, vars(module)))
        except (
            NameError,
            ImportError,
            AttributeError,
            TypeError,
            AssertionError,
            unittest.SkipTest,
        ) as error:
            print(f"{file.name}:{statement.lineno} is left out: {error}", file=sys.stderr)
    return module
