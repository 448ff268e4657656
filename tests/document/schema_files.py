"""Write what is derived from the schema of trace documents anew: `python -m tests.document.schema_files`.

That is the reference in docs/trace-document.md, docs/trace-document.schema.json, and the types of the front end, js/src/schema.ts.
"""

from __future__ import annotations

import ast
import json
import textwrap
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, is_typeddict

from jgrad.tracing.document import schema
from jgrad.tracing.document.check import fields_of
from jgrad.tracing.document.schema import Refers

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "trace-document.md"
BEGIN, END = (
    "<!-- Written by python -m tests.document.schema_files: -->\n",
    "<!-- End of what it wrote. -->\n",
)
WRITTEN = "Written by `python -m tests.document.schema_files` from jgrad/tracing/document/schema.py."

RECORDS: dict[str, type] = {name: found for name, found in vars(schema).items() if is_typeddict(found)}
CHOICES = {found: name for name, found in vars(schema).items() if get_origin(found) is Literal}
ENTRIES = {
    "storages": "storage id",
    "tensors": "tensor id",
    "nodes": "node id",
    "source": "line",
    "sources": "source number",
    "calls": "call number",
    "layers": "layer number",
    "layer_calls": "layer call number",
}


def descriptions() -> dict[str, dict[str, str]]:
    """What the strings of the schema say about each record (under its own name) and each of its fields."""
    found: dict[str, dict[str, str]] = {}
    for record in ast.parse(Path(schema.__file__).read_text(encoding="utf-8")).body:
        if isinstance(record, ast.ClassDef) and record.name in RECORDS:
            about = found[record.name] = {record.name: " ".join((ast.get_docstring(record) or "").split())}
            for field, after in zip(record.body, [*record.body[1:], None], strict=True):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    said = after.value if isinstance(after, ast.Expr) else None
                    text = str(said.value) if isinstance(said, ast.Constant) else ""
                    about[field.target.id] = " ".join(text.split())
    return found


# The page ------------------------------------------------------------------------------------------------------------------------------


def reference() -> str:
    """The fields of all records as tables, from the document down."""
    parts = []
    for name, about in reversed(descriptions().items()):
        rows = ["| field | type | |", "|---|---|---|"]
        for field, (kind, required) in fields_of(RECORDS[name]).items():
            optional = "" if required else ", optional"
            rows.append(f"| `{field}` | {in_words(kind)}{optional} | {about[field]} |")
        parts.append(f"### {name}\n\n{about[name]}\n\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def in_words(kind: Any) -> str:
    """A type as the page names it."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return ENTRIES[parts[1].to] if isinstance(parts[1], Refers) else parts[1]
    if origin in (Union, types.UnionType):
        return f"{in_words(parts[0])} or null"
    if origin is Literal:
        return ", ".join([f"`{word}`" for word in parts])
    if origin is list:
        return f"[{in_words(parts[0])}]"
    if origin is tuple:
        return f"[{', '.join(map(in_words, parts))}]"
    if origin is dict:
        return f"object of {in_words(parts[1])}"
    if is_typeddict(kind):
        return f"[{kind.__name__}](#{kind.__name__.lower()})"
    return {int: "integer", str: "text", bool: "boolean", float: "number"}[kind]


def page() -> str:
    """docs/trace-document.md with the reference in its place."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return f"{before}{BEGIN}\n{reference()}\n{END}{rest.split(END)[1]}"


# JSON Schema ---------------------------------------------------------------------------------------------------------------------------


def json_schema() -> dict[str, Any]:
    """The document in JSON Schema. It can't express that references refer to something."""
    about = descriptions()
    definitions = {}
    for name, record in RECORDS.items():
        fields = fields_of(record)
        definitions[name] = {
            "type": "object",
            "description": about[name][name],
            "properties": {
                field: _property(kind) | {"description": about[name][field]}
                for field, (kind, _) in fields.items()
            },
            "required": [field for field, (_, required) in fields.items() if required],
            "additionalProperties": False,
        }
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": WRITTEN}
    return head | {"$ref": "#/$defs/TraceDocument", "$defs": definitions}


def _property(kind: Any) -> dict[str, Any]:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return {"type": "integer"} | ({"minimum": parts[1].first} if isinstance(parts[1], Refers) else {})
    if origin in (Union, types.UnionType):
        return {"anyOf": [_property(parts[0]), {"type": "null"}]}
    if origin is Literal:
        return {"enum": [*parts]}
    if origin is list:
        return {"type": "array", "items": _property(parts[0])}
    if origin is tuple:
        inside = [_property(part) for part in parts]
        return {"type": "array", "prefixItems": inside, "minItems": len(parts), "maxItems": len(parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _property(parts[1])}
    if is_typeddict(kind):
        return {"$ref": f"#/$defs/{kind.__name__}"}
    return {"type": {int: "integer", str: "string", bool: "boolean", float: "number"}[kind]}


# TypeScript ----------------------------------------------------------------------------------------------------------------------------


def typescript() -> str:
    """The types of the front end."""
    about = descriptions()
    parts = [
        f"/** The types of the trace document. {WRITTEN} */\n",
        f'export const SCHEMA = "{schema.SCHEMA}";\n',
    ]
    for choices, name in CHOICES.items():
        words = [f'"{word}"' for word in get_args(choices)]
        line = f"export type {name} = {' | '.join(words)};\n"
        parts.append(
            line if len(line) <= 111 else f"export type {name} =\n  | " + "\n  | ".join(words) + ";\n"
        )
    for name, record in RECORDS.items():
        lines = [_comment(about[name][name], ""), f"export interface {name} {{\n"]
        for field, (kind, required) in fields_of(record).items():
            lines.append(_comment(about[name][field], "  ") if about[name][field] else "")
            lines.append(f"  {field}{'' if required else '?'}: {_type(kind)};\n")
        parts.append("".join(lines) + "}\n")
    return "\n".join(parts)


def _comment(text: str, indent: str) -> str:
    if len(text) + len(indent) <= 103:
        return f"{indent}/** {text} */\n"
    lines = textwrap.wrap(text, 106 - len(indent), break_on_hyphens=False)
    return f"{indent}/**\n" + "".join([f"{indent} * {line}\n" for line in lines]) + f"{indent} */\n"


def _type(kind: Any) -> str:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return "number"
    if origin in (Union, types.UnionType):
        return f"{_type(parts[0])} | null"
    if origin is Literal:
        return CHOICES[kind]
    if origin is list:
        inner = _type(parts[0])
        return f"({inner})[]" if get_origin(parts[0]) in (Union, types.UnionType) else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(_type, parts))}]"
    if origin is dict:
        return f"Record<string, {_type(parts[1])}>"
    if is_typeddict(kind):
        return kind.__name__
    return {int: "number", str: "string", bool: "boolean", float: "number"}[kind]


def files() -> dict[Path, str]:
    """What is derived from the schema, by file."""
    return {
        PAGE: page(),
        ROOT / "docs" / "trace-document.schema.json": json.dumps(json_schema(), indent=1, ensure_ascii=False)
        + "\n",
        ROOT / "js" / "src" / "schema.ts": typescript(),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
