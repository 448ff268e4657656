"""The JavaScript modules: what of each Python file is needed, in which order, with which imports."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable
from pathlib import Path

from js.translator.declarations import declarations
from js.translator.program import Module, Program
from js.translator.scope import TAKEN
from js.translator.statements import Statements

Key = tuple[str, str]  # a module and a name at its top


class Output:
    """The translation of some names of a program and of all that they need.

    `given` are the modules that are written in both languages, with the path of the JavaScript file.
    """

    def __init__(self, program: Program, roots: list[Key], given: dict[str, str]) -> None:
        self.program = program
        self.given = given
        self.code: dict[Key, str] = {}
        self.methods: dict[Key, dict[str, str]] = {}  # of each class
        self.imports: dict[str, set[str]] = {}  # by module: the names that it uses from others
        self.members: set[str] = set()
        self.waiting = list(roots)
        while self.waiting:
            self._need(*self.waiting.pop())
            if not self.waiting:
                self._more_methods()

    def _need(self, module_name: str, name: str) -> None:
        """Translate a definition, unless that is done."""
        module = self.program.module(module_name)
        if module is None:
            raise LookupError(f"there is no module {module_name}")
        found = self.program.find(module, name)
        if found is None:
            raise LookupError(f"{module_name} has no {name}")
        home, node = found
        key = (home.name, node.name if isinstance(node, ast.ClassDef | ast.FunctionDef) else name)
        if key in self.code or home.name in self.given:
            return
        self.code[key] = ""
        if name in TAKEN and not isinstance(node, ast.FunctionDef):
            raise home.refuse(node, f"{name} has a meaning in JavaScript: give it another name")
        if isinstance(node, ast.ClassDef):
            self.methods[key] = {}
            self.code[key] = self._with(home, lambda t: class_head(t, node))
        elif isinstance(node, ast.FunctionDef):
            self.code[key] = self._with(home, lambda t: t.function(node))
        else:
            self.code[key] = self._with(home, lambda t: constant(t, node, name))

    def _with(self, module: Module, translate: Callable[[Statements], str]) -> str:
        """Translate something of a module, and take down what it uses."""
        translator = Statements(self.program, module)
        code = translate(translator)
        self.members |= translator.members
        for name in translator.needs:
            if name not in module.definitions:
                self.imports.setdefault(module.name, set()).add(name)
            self.waiting.append((module.name, name))
        return code

    def _more_methods(self) -> None:
        """Translate the methods whose names occur, of the classes that are needed."""
        wanted = self.members | {"__init__"}
        for (module_name, name), known in self.methods.items():
            module = self.program.modules[module_name]
            owner = module.definitions[name]
            assert isinstance(owner, ast.ClassDef)
            for node in owner.body:
                if isinstance(node, ast.FunctionDef) and node.name not in known and node.name in wanted:
                    known[node.name] = ""
                    known[node.name] = self._with(module, method(owner, node))

    # The files ------------------------------------------------------------------------------------

    def files(self, helpers: str) -> dict[str, str]:
        """The text of each file, by its name. `helpers` is the path of what Python's words mean."""
        found: dict[str, str] = {}
        for module_name in sorted({module for module, _ in self.code}):
            module = self.program.modules[module_name]
            found[f"{module.short}.js"] = self._file(module, helpers)
            found[f"{module.short}.d.ts"] = declarations(
                self.program, module, self.names(module), self.methods
            )
        found["names.json"] = json.dumps(sorted(self._own_names()), indent=0)
        return found

    def _own_names(self) -> set[str]:
        """The fields of records that only the translated code knows, which the build may shorten."""
        found = set()
        for module in self.program.modules.values():
            if module.name != self.program.documents:
                for node in self.program.records_in(module):
                    found |= {
                        ast.unparse(part.target) for part in node.body if isinstance(part, ast.AnnAssign)
                    }
        return found

    def names(self, module: Module) -> list[str]:
        """What is translated of a module, in its order."""
        return [name for name in module.definitions if (module.name, name) in self.code]

    def _file(self, module: Module, helpers: str) -> str:
        lines = [
            f"// Made from {module.path.as_posix()} by js/translator.",
            f'import * as $ from "{helpers}";',
        ]
        by_source: dict[str, list[str]] = {}
        for local in sorted(self.imports.get(module.name, ())):
            source, original = module.imports[local]
            home = self.program.module(source)
            assert home is not None
            path = self.given.get(source, f"./{home.short}")
            by_source.setdefault(path, []).append(local if local == original else f"{original} as {local}")
        lines += [f'import {{ {", ".join(names)} }} from "{path}";' for path, names in by_source.items()]
        for name in self.names(module):
            key = (module.name, name)
            end = "".join(self.methods[key].values()) + "}\n" if key in self.methods else ""
            lines.append(self.code[key] + end)
        return "\n".join(lines)


def method(owner: ast.ClassDef, node: ast.FunctionDef) -> Callable[[Statements], str]:
    return lambda translator: translator.method_of(owner, node)


def class_head(translator: Statements, node: ast.ClassDef) -> str:
    type_ = translator.program.type_of(translator.module, ast.Name(node.name))
    base = " extends Map" if translator.program.as_dict(type_) else ""
    return f"export class {node.name}{base} {{\n"


def constant(translator: Statements, node: ast.stmt, name: str) -> str:
    """A name at the top of a module that is assigned a value."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        type_ = translator.program.type_of(translator.module, node.annotation)
        return f"export const {name} = {translator.expression(node.value, type_).code};\n"
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name):
            return f"export const {name} = {translator.expression(value).code};\n"
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            at = [ast.unparse(part) for part in target.elts].index(name)
            return f"export const {name} = {translator.expression(value.elts[at]).code};\n"
    raise translator.refuse(node, f"the definition of {name} is outside the subset")


def write(files: dict[str, str], folder: Path) -> None:
    """Write files that differ from what is there, and remove all others."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            # Another process never sees half a file.
            part = path.with_suffix(path.suffix + f".{os.getpid()}")
            part.write_text(text, encoding="utf-8")
            part.replace(path)
