"""The TypeScript declarations of translated modules, from the annotations in Python."""

from __future__ import annotations

import ast

from js.translator.program import Module, Program, Signature
from js.translator.scope import member, spelled
from js.translator.statements import kind_of_method
from js.translator.types import NUMBERS, Type

PLAIN = {"text": "string", "bool": "boolean", "none": "null", "pattern": "RegExp", "match": "RegExpExecArray"}


def declarations(
    program: Program, module: Module, names: list[str], methods: dict[tuple[str, str], dict[str, str]]
) -> str:
    """The declarations of these names of a module."""
    writer = Writer(program)
    lines = [writer.interface(module, node) for node in program.records_in(module)]
    for name in names:
        node = module.definitions[name]
        if isinstance(node, ast.FunctionDef):
            lines.append(
                f"export function {spelled(name)}{writer.signature(program.signature(module, node))};"
            )
        elif isinstance(node, ast.ClassDef):
            lines.append(writer.of_class(module, node, list(methods[module.name, name])))
        elif isinstance(node, ast.AnnAssign):
            lines.append(f"export const {name}: {writer.written(program.type_of(module, node.annotation))};")
    head = [f"// Made from {module.path.as_posix()} by js/translator."]
    for path, types in sorted(writer.imports.items()):
        if path != f"./{module.short}":
            head.append(f'import type {{ {", ".join(sorted(types))} }} from "{path}";')
    return "\n".join([*head, *lines]) + "\n"


class Writer:
    """Writes types in TypeScript, and collects what they need from other files."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.imports: dict[str, set[str]] = {}

    def written(self, type_: Type) -> str:
        text = self.plain(type_)
        return f"{text} | null" if type_.optional else text

    def plain(self, type_: Type) -> str:
        kind = type_.kind
        if kind in NUMBERS:
            return "boolean" if kind == "bool" else "number"
        if kind in PLAIN:
            return PLAIN[kind]
        args = [self.written(arg) for arg in type_.args]
        if kind == "list":
            return f"Array<{args[0]}>"
        if kind == "tuple":
            return f"[{', '.join(args)}]"
        if kind in ("set", "dict"):
            return f"{'Set' if kind == 'set' else 'Map'}<{', '.join(args)}>"
        if kind == "function":
            return f"(...args: any[]) => {args[0] if args else 'any'}"
        if kind in ("record", "object") and type_.name:
            return self.named(type_, args)
        return "any"

    def named(self, type_: Type, args: list[str]) -> str:
        """A class or a record by its name. Documents and scenes are declared in TypeScript."""
        if type_.module.endswith(".schema"):
            path = "../src/document"
        elif type_.name in ("Item", "Scene"):
            path = "../src/scene"
        elif self.program.class_of(type_) is not None:
            path = f"./{type_.module.rsplit('.', 1)[-1]}"
        else:
            return "any"
        self.imports.setdefault(path, set()).add(type_.name)
        return type_.name + (f"<{', '.join(args)}>" if args else "")

    def interface(self, module: Module, node: ast.ClassDef) -> str:
        """A TypedDict."""
        lines = [f"export interface {node.name} {{"]
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                name = part.target.id
                of = Type("record", (), node.name, module.name)
                type_, required = self.program.field(of, name)
                lines.append(f"  {name}{'' if required else '?'}: {self.written(type_)};")
        return "\n".join([*lines, "}"])

    def signature(self, signature: Signature) -> str:
        first = len(signature.names) - signature.optional
        parts = [
            f"{spelled(name)}{'?' if i >= first else ''}: {self.written(type_)}"
            for i, (name, type_) in enumerate(zip(signature.names, signature.types, strict=True))
        ]
        rest = [f"...{signature.starred}: any[]"] if signature.starred else []
        returns = "void" if signature.returns.kind == "none" else self.written(signature.returns)
        return f"({', '.join(parts + rest)}): {returns}"

    def of_class(self, module: Module, node: ast.ClassDef, methods: list[str]) -> str:
        type_ = self.program.type_of(module, ast.Name(node.name))
        base = self.program.as_dict(type_)
        generic = any(ast.unparse(part).startswith("Generic[") for part in node.bases)
        head = f"export class {node.name}{'<T>' if generic else ''}"
        lines = [head + (f" extends {self.written(base)}" if base else "") + " {"]
        for name, field in self.program.fields.get((module.name, node.name), {}).items():
            lines.append(f"  {member(name)}: {self.written(field)};")
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name in methods:
                signature = self.program.signature(module, part, method=True)
                if part.name == "__init__":
                    lines.append(f"  constructor{self.signature(signature).rsplit(':', 1)[0]};")
                elif kind_of_method(part):
                    lines.append(f"  readonly {member(part.name)}: {self.written(signature.returns)};")
                else:
                    lines.append(f"  {member(part.name)}{self.signature(signature)};")
        return "\n".join([*lines, "}"])
