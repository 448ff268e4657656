"""The schema of trace documents and what is derived from it."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import jgrad
from jgrad.tracing.document import check, schema
from jgrad.tracing.document.check import fields_of
from tests.document import schema_files
from tests.record.tracing import only_known_fields, trace
from tests.views.documents import NAMES, documents

DOCUMENTS = sorted((Path(__file__).parent.parent / "fixtures" / "documents").glob("*.json"))
VALIDATOR = jsonschema.Draft202012Validator(schema_files.json_schema())


@pytest.mark.parametrize("path", schema_files.files(), ids=lambda path: path.name)
def test_what_is_derived_is_up_to_date(path: Path) -> None:
    """Otherwise run `python -m tests.document.schema_files`."""
    assert path.read_text(encoding="utf-8") == schema_files.files()[path]


def test_every_field_is_described() -> None:
    for name, about in schema_files.descriptions().items():
        missing = [field for field, text in about.items() if not text.endswith((".", "`"))]
        changed = name == "Change"  # its fields are those of a tensor
        assert not missing or (changed and about["Change"]), (name, missing)


def test_a_change_has_fields_of_a_tensor() -> None:
    tensor = fields_of(schema.TraceTensor)
    for field, (kind, required) in fields_of(schema.Change).items():
        assert required == (field == "tensor")
        assert field == "tensor" or tensor[field][0] == kind


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_documents_are_as_the_json_schema_says(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(VALIDATOR.schema)
    VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", NAMES)
def test_recorded_documents_are_as_the_schema_says(name: str) -> None:
    document = documents()[name]
    check.check(document)
    only_known_fields(document, schema.TraceDocument)


def parts_of(thing: Any, path: tuple[str, ...] = ()) -> Any:
    """Each kind of part of a document: what holds it, and its key there."""
    seen = set()
    todo = [(thing, path)]
    while todo:
        holder, path = todo.pop()
        entries = [*holder.items()] if isinstance(holder, dict) else [*enumerate(holder)]
        for key, part in entries:
            here = (*path, key if isinstance(key, str) else "")
            if here not in seen:
                seen.add(here)
                yield holder, key
            if isinstance(part, (dict, list)):
                todo.append((part, here))


@pytest.mark.parametrize("nonsense", [None, "x", [], {}], ids=repr)
def test_the_check_refuses_what_the_json_schema_refuses(nonsense: Any) -> None:
    """They are derived from the same types, by different code."""
    path = next(path for path in DOCUMENTS if path.stem == "scatter")
    document = json.loads(path.read_text(encoding="utf-8"))
    both = 0
    for holder, key in [*parts_of(document)]:
        sound, holder[key] = holder[key], deepcopy(nonsense)
        try:
            check.check(document)
        except check.DocumentError:
            both += not VALIDATOR.is_valid(document)
        else:
            assert VALIDATOR.is_valid(document), (key, nonsense)
        holder[key] = sound
    assert both > 20


def test_a_refusal_names_the_place() -> None:
    document = dict(trace("x = jgrad.ones(2, requires_grad=True)\n(x * 2).sum().backward()").document)
    document["steps"] = deepcopy(document["steps"])
    document["steps"][1]["reads"] = ["x"]
    with pytest.raises(check.DocumentError, match=re.escape("damaged: steps[1].reads[0] refers to an entry")):
        check.check(document)
    document["steps"][1]["reads"] = [0]
    document["steps"][1]["span"] = [1, 2, 3]
    with pytest.raises(check.DocumentError, match=re.escape("steps[1].span is [1, 2, 3], not a list of 4")):
        check.check(document)


def test_documents_of_the_first_version_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"schema": "jgrad-trace/1", "packed": 1}')
    with pytest.raises(
        ValueError, match=r"schema 'jgrad-trace/1'; this jgrad reads 'jgrad-trace/2'"
    ) as caught:
        jgrad.trace.load(tmp_path / "t.json")
    assert "\n" not in str(caught.value)
