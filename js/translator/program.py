"""The Python files that are translated: their definitions, what a name refers to, and the types in annotations."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from js.translator.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    MATCH,
    NONE,
    PATTERN,
    TEXT,
    Type,
    dict_of,
    join_all,
    list_of,
    or_none,
    set_of,
    tuple_of,
)

Function = ast.FunctionDef
PLAIN = {
    "int": INT, "float": FLOAT, "bool": BOOL, "str": TEXT, "None": NONE, "Any": ANY, "object": ANY, "list": list_of(ANY), "set": set_of(ANY),
    "dict": dict_of(ANY, ANY), "tuple": list_of(ANY), "Callable": Type("function"),
}  # fmt: skip


class OutsideTheSubsetError(Exception):
    """Something that is not translated. The message names the file and the line."""


@dataclass
class Module:
    """A Python file."""

    name: str
    path: Path
    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)  # local name: (module, name there)

    @property
    def short(self) -> str:
        """The name of the JavaScript file."""
        return self.name.rsplit(".", 1)[-1]

    def refuse(self, node: ast.AST, why: str) -> OutsideTheSubsetError:
        return OutsideTheSubsetError(f"{self.path}:{getattr(node, 'lineno', '?')}: {why}")


@dataclass(frozen=True)
class Signature:
    """The parameters of a function, with their types, and the type of what it returns."""

    names: tuple[str, ...]
    types: tuple[Type, ...]
    optional: int  # how many parameters at the end have a default
    starred: str | None
    returns: Type


class Program:
    """The Python files below a folder, read when they are needed."""

    def __init__(self, folder: Path, documents: str = "") -> None:
        """`documents` is the module that describes JSON: a dict in one of its records is an object too."""
        self.folder = folder
        self.documents = documents
        self.modules: dict[str, Module] = {}
        self.fields: dict[tuple[str, str], dict[str, Type]] = {}  # by class: the types of its attributes
        self.declared_fields: set[tuple[str, str, str]] = set()  # those with an annotation
        self._read_classes: set[tuple[str, str]] = set()

    def fields_of(self, module: str, name: str, read: Callable[[], None]) -> dict[str, Type]:
        """The attributes of a class. `read` finds them, and is called once."""
        if (module, name) not in self._read_classes:
            self._read_classes.add((module, name))
            read()
        return self.fields.get((module, name), {})

    def module(self, name: str) -> Module | None:
        """A module, or None if there is no such file below the folder, as for modules of the standard library."""
        if name not in self.modules:
            path = self.folder.joinpath(*name.split(".")).with_suffix(".py")
            if not path.is_file():
                return None
            self.modules[name] = self._read(name, path)
        return self.modules[name]

    def _read(self, name: str, path: Path) -> Module:
        shown = path.relative_to(self.folder)
        made = Module(name, shown)
        for node in ast.parse(path.read_text(encoding="utf-8"), str(shown)).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                made.definitions[node.name] = node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    for part in ast.walk(target):
                        if isinstance(part, ast.Name):
                            made.definitions[part.id] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                made.definitions[node.target.id] = node
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    made.imports[alias.asname or alias.name] = (node.module, alias.name)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    made.imports[alias.asname or alias.name] = (alias.name, "")
        return made

    def find(self, module: Module, name: str) -> tuple[Module, ast.stmt] | None:
        """The definition to which a global name of a module refers."""
        if name in module.definitions:
            return module, module.definitions[name]
        if name in module.imports:
            source, original = module.imports[name]
            found = self.module(source)
            if found is not None:
                return self.find(found, original)
        return None

    def origin(self, module: Module, name: str) -> tuple[str, str]:
        """The module from which a global name was imported, and its name there; two empty texts if it is not imported."""
        return module.imports.get(name, ("", ""))

    # Types ----------------------------------------------------------------------------------------

    def type_of(self, module: Module, node: ast.expr | None) -> Type:
        """The type that an annotation describes."""
        if node is None:
            return ANY
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                return self.type_of(module, ast.parse(node.value, mode="eval").body)
            return NONE if node.value is None else ANY
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._either(self.type_of(module, node.left), self.type_of(module, node.right))
        if isinstance(node, ast.Name):
            return self._named(module, node.id)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return self._generic(module, node.value.id, parts)
        return ANY

    def _either(self, a: Type, b: Type) -> Type:
        if a.kind == "none" or b.kind == "none":
            return or_none(b if a.kind == "none" else a)
        return join_all([a, b])

    def _generic(self, module: Module, name: str, parts: list[ast.expr]) -> Type:
        if name == "Literal":
            values = [type(part.value).__name__ for part in parts if isinstance(part, ast.Constant)]
            return PLAIN.get(values[0], ANY) if len(set(values)) == 1 else ANY
        if name in ("Annotated", "NotRequired", "Final"):
            return self.type_of(module, parts[0])
        if name == "Pattern":
            return PATTERN
        if name == "Match":
            return MATCH
        if name == "Callable":
            return Type("function", (self.type_of(module, parts[-1]),))
        args = [self.type_of(module, part) for part in parts]
        if name == "tuple":
            many = isinstance(parts[-1], ast.Constant) and parts[-1].value is ...
            return list_of(args[0]) if many else tuple_of(*args)
        if name == "list":
            return list_of(args[0])
        if name in ("set", "frozenset"):
            return set_of(args[0])
        if name == "dict":
            # A dict of anything by name is a record.
            return Type("record") if args == [TEXT, ANY] else dict_of(args[0], args[1])
        found = self._named(module, name)
        return Type("object", tuple(args), found.name, found.module) if found.kind == "object" else found

    def _named(self, module: Module, name: str) -> Type:
        found = self.find(module, name)
        if found is None:
            return {"Pattern": PATTERN, "Match": MATCH}.get(name) or PLAIN.get(name, ANY)
        home, node = found
        if isinstance(node, ast.ClassDef):
            kind = "record" if self._is_record(node) else "object"
            return Type(kind, (), node.name, home.name)
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call):
            made = self.type_of(home, node.value)
            return Type("record", (), name, home.name) if made == Type("record") else made
        if isinstance(node, ast.Assign):
            return Type("variable", (), name, home.name)
        return ANY

    def _is_record(self, node: ast.ClassDef) -> bool:
        return any(isinstance(base, ast.Name) and base.id == "TypedDict" for base in node.bases)

    def class_of(self, type_: Type) -> tuple[Module, ast.ClassDef] | None:
        """The class of a record or an object."""
        module = self.module(type_.module) if type_.module else None
        node = module.definitions.get(type_.name) if module else None
        return (module, node) if module and isinstance(node, ast.ClassDef) else None

    def field(self, type_: Type, name: str) -> tuple[Type, bool]:
        """The type of a record's field, and whether every such record has it."""
        found = self.class_of(type_)
        if found is None:
            return ANY, False
        module, node = found
        for part in node.body:
            if (
                isinstance(part, ast.AnnAssign)
                and isinstance(part.target, ast.Name)
                and part.target.id == name
            ):
                shape = part.annotation
                required = not (
                    isinstance(shape, ast.Subscript) and ast.unparse(shape.value) == "NotRequired"
                )
                made = self.type_of(module, shape)
                if self.documents == module.name and made.kind == "dict":
                    made = replace(made, kind="record")
                return made, required
        raise module.refuse(node, f"{type_.name} has no field {name!r}")

    def records_in(self, module: Module) -> list[ast.ClassDef]:
        """The TypedDicts that a module defines."""
        found = [node for node in module.definitions.values() if isinstance(node, ast.ClassDef)]
        return [node for node in found if self._is_record(node)]

    def as_dict(self, type_: Type) -> Type | None:
        """The dict of which an object is a kind: its class is written `class History(dict[int, str])`."""
        found = self.class_of(type_) if type_.kind == "object" else None
        if found is not None:
            for base in found[1].bases:
                made = self.type_of(found[0], base)
                if made.kind == "dict":
                    return self.filled(made, type_)
        return None

    def filled(self, type_: Type, of: Type) -> Type:
        """A type from the definition of a generic class, for objects of type `of`: its type variable stands for their argument."""
        if type_.kind == "variable":
            filler = of.args[0] if of.args else ANY
            return or_none(filler) if type_.optional else filler
        args = tuple([self.filled(arg, of) for arg in type_.args])
        return Type(type_.kind, args, type_.name, type_.module, type_.optional)

    def signature(self, module: Module, node: Function, method: bool = False) -> Signature:
        """What is known of a function from its definition."""
        shape = node.args
        if shape.kwonlyargs or shape.posonlyargs or shape.kwarg:
            raise module.refuse(node, f"{node.name}: parameters by name or by position alone, or **")
        args = shape.args[1 if method else 0 :]
        starred = shape.vararg.arg if shape.vararg else None
        types = tuple([self.type_of(module, arg.annotation) for arg in args])
        returns = self.type_of(module, node.returns)
        return Signature(tuple([arg.arg for arg in args]), types, len(shape.defaults), starred, returns)
