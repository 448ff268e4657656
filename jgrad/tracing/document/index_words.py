"""Index maps in the words of the program: its names for the tensors, and the function that it called."""

from __future__ import annotations

import ast
import re
from operator import itemgetter
from typing import cast

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.places import LONGEST_EXPRESSION, Places
from jgrad.tracing.document.schema import Grid, IndexMap, Step, TraceDocument

geometry_of = itemgetter("shape", "stride", "storage_offset", "dtype")
RESULT = "result"  # what an operator makes, if it has no name: what writes to a copy, or where a variable is called `out`
LONGEST = 40  # characters of a name that may stand in a rule
# The operators of subscripts, and what code has behind these.
SUBSCRIPTS = {"index": "", "index_put_": " = ..."}


def in_words(document: TraceDocument) -> None:
    """Put the words of the program into the index maps of a document. The rows that change are new: a recording may need the others again."""
    steps, places = document["steps"], Places(document)
    known: dict[int, dict[str, str]] = {}  # by step: a name for each argument
    for i, step in enumerate(steps):
        if "index_map" in step:
            m = step["index_map"]
            forward = m.get("forward_step")
            known[i] = _names(document, m, i) if forward is None else known.get(forward, {})
            before = m["before"] and m["before"]["tensor"]
            worded = _worded(m, known[i], _name(document, before, i) if before is not None else "")
            called = (
                {}
                if forward is not None
                else _called(m["op"], worded["description"], _expression(places, step))
            )
            steps[i] = cast(Step, {**step, "index_map": {**worded, **called}})


def _names(document: TraceDocument, m: IndexMap, step: int) -> dict[str, str]:
    """What variables call the arguments of an operation."""
    words = {grid["name"] for grid in _grids(m)}
    letters = {*re.findall(r"\b[a-z]\b", m["rule"])}
    found: dict[str, str] = {}
    for grid in _grids(m):
        if grid["tensor"] is not None:
            name = _name(document, grid["tensor"], step)
            # A name that is a letter of the rule would make it ambiguous, as would the word for another argument,
            if name and len(name) <= LONGEST and name not in letters:
                found[grid["name"]] = name
    # unless that argument has a name as well. An index stays an index in sentences.
    target = m["target"]["name"]
    if target in found.values() and RESULT not in found.values():
        found.setdefault(target, RESULT)
    indexes = {grid["name"] for grid in m["indices"]}
    while clashing := [
        word for word, name in found.items() if name in {*words - found.keys(), *indexes} - {word}
    ]:
        del found[clashing[0]]
    # The argument `self` stays as it is. What is written to is the result, which may have no name.
    if _is_a_copy(m) and RESULT not in {*words, *found.values()}:
        found.setdefault("self", RESULT)
    return found


def _is_a_copy(m: IndexMap) -> bool:
    """Whether an operator writes to a copy of a tensor: `scatter`, and not `scatter_`."""
    return m["before"] is not None and m["before"]["tensor"] is not None


def _name(document: TraceDocument, number: int, step: int) -> str:
    """What variables call a tensor, or the one that it shows as it is: some operators take a view of their arguments first."""
    tensors, steps = document["tensors"], document["steps"]
    tensor = given = tensors[number]
    while not (name := name_at(tensor, step)):
        born = tensor["created_step"]
        made = steps[born] if born >= 0 else None
        if (
            made is None
            or made["kind"] != "view"
            or tensor["id"] not in made.get("makes", ())
            or not made.get("reads")
        ):
            return ""
        tensor = tensors[made["reads"][0]]
        if geometry_of(tensor) != geometry_of(given):
            return ""
    return name


def _expression(places: Places, step: Step) -> str:
    """The expression that ran a step; empty if it is not known."""
    lines, span = places.written(step)
    if span is None:
        return ""
    first, begin, last, end = span
    found = lines[first - 1 : last]
    found[-1:] = [found[-1][:end]]
    found[0] = found[0][begin:]
    return "\n".join(found)


def _grids(m: IndexMap) -> list[Grid]:
    return [grid for grid in (*m["indices"], m["source"], m["target"]) if grid is not None]


def _worded(m: IndexMap, names: dict[str, str], copied: str) -> IndexMap:
    """A map with these names for its arguments. In sentences an index stays an index. `copied`: the name of the tensor whose copy is written to."""
    indexes = {grid["name"] for grid in m["indices"]}
    said = {name: names[name] for name in names if name not in indexes}
    worded = cast(IndexMap, {
        **m, "rule": _renamed(m["rule"], names), "description": _renamed(m["description"], said), "summary": _renamed(m["summary"], said),
        "indices": [_grid(grid, names) for grid in m["indices"]], "target": _grid(m["target"], names),
    })  # fmt: skip
    if "backward_rule" in m:
        worded["backward_rule"] = _renamed(m["backward_rule"], names)
    if m["source"] is not None:
        worded["source"] = _grid(m["source"], names)
    if m["before"] is not None:
        worded["before"] = before = _grid(m["before"], names)
        if _is_a_copy(m):
            before["title"] = copied or "before"
            worded["target"]["title"] = worded["target"]["name"]
    return worded


def _grid(grid: Grid, names: dict[str, str]) -> Grid:
    renamed = {**grid, "name": _renamed(grid["name"], names)}
    if "title" in grid:
        renamed["title"] = _renamed(grid["title"], names)
    return cast(Grid, renamed)


def _renamed(text: str, names: dict[str, str]) -> str:
    """A text with the names of variables in place of the words for arguments, also in `grad_self`."""
    if not names:
        return text

    def name(match: re.Match) -> str:
        grad, word = match.groups()
        known = names[word]
        return match[0] if grad and not known.isidentifier() else f"{grad or ''}{known}"

    return re.sub(rf"\b(grad_)?({'|'.join(names)})\b", name, text)


def _called(operator: str, description: str, text: str) -> dict[str, str]:
    """What the code called, and the description that begins with it. `text`: the expression that ran the operator."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return {}
    if isinstance(node, ast.Subscript):
        if operator not in SUBSCRIPTS or len(text) > LONGEST_EXPRESSION or "\n" in text:
            return {}
        said = text + SUBSCRIPTS[operator]
        return {"op": said, "description": f"{said};{description.partition(';')[2]}"}
    function = node.func if isinstance(node, ast.Call) else None
    name = getattr(function, "attr", getattr(function, "id", ""))
    if not name or name.strip("_") == operator.strip("_"):
        return {}
    return {"op": name, "description": f"{name}, by {description}"}
