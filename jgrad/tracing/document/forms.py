"""What the rounds of a recorded loop have in common: each row as a key, which says all of it but for some numbers, and these numbers.

The numbers come in the order in which the row has them, values as their numbers in a packed document (`number_of`). Rows with something
rare in them have no key; `jgrad/tracing/document/packing.py` looks through those field by field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any, NotRequired, get_origin, get_type_hints

from jgrad.tracing.document.schema import GradUpdate, Step, Write
from jgrad.tracing.document.sentences import Sentence

Row = dict[str, Any]
Described = tuple[tuple, tuple]
DIGIT = re.compile(r"\d")
SILENT: Sentence = ("", ())


def texts_of(name: str, texts: Iterable[Sentence]) -> Iterable[Sentence]:
    """The sentences of the rows of a list."""
    return texts if name == "steps" else repeat(SILENT)


def _storage(row: Row, sentence: Sentence, number_of: Callable) -> Described | None:
    freed = row["freed_step"]
    until = () if freed is None else (freed,)
    numbers = (
        row["id"],
        row["nbytes"],
        row["itemsize"],
        row["numel"],
        row["created_step"],
        *until,
        number_of(row["contents"]),
    )
    return (row["dtype"], row["device"], freed is None), numbers


def _tensor(row: Row, sentence: Sentence, number_of: Callable) -> Described | None:
    shape, base, died, node, names = (
        row["shape"],
        row["base"],
        row["freed_step"],
        row["grad_fn"],
        row["names"],
    )
    key: tuple = ()
    since: Iterable[int] = ()
    if names:
        since, key = zip(*names)  # noqa: B905
        if any(map(DIGIT.search, key)):
            return None
    key += (
        row["origin"], row["requires_grad"], row["is_leaf"], row["dtype"], len(shape), base is None, died is None, node is None,
        row["retains_grad"], row["device"],
    )  # fmt: skip
    return key, (
        row["id"], row["storage"], *shape, *row["stride"], row["storage_offset"], row["version_counter"], row["version"], *(() if base is None else (base,)),
        row["created_step"], *(() if died is None else (died,)), *since, *(() if node is None else (node,)), row["output_nr"],
    )  # fmt: skip


def _backward_node(row: Row, sentence: Sentence, number_of: Callable) -> Described | None:
    if "hooks" in row or row["variable"] is not None:
        return None
    freed, formulas = row["freed_step"], row["formulas"]
    key: list = [row["name"], row["line"], id(formulas), id(row.get("derivatives")), freed is None]
    numbers = [row["id"]]
    for node, nr in row["next_functions"]:
        key.append(node is None)
        if node is not None:
            numbers.append(node)
        numbers.append(nr)
    for saved in row["saved"]:
        tensor = saved["tensor"]
        key.append((saved["name"], tensor is None))
        if tensor is not None:
            numbers.append(tensor)
        numbers.append(saved["version"])
    numbers.append(row["created_step"])
    if freed is not None:
        numbers.append(freed)
    return tuple(key), tuple(numbers)


def _step(step: Step, sentence: Sentence, number_of: Callable[[Any], int]) -> Described | None:
    """The key and the numbers of a step."""
    form, words = sentence
    found = STEPS[step["kind"]](step, words, number_of)
    if found is None:
        return None
    more, numbers = found
    key = (form, step["op"], id(step["span"]), step["kind"], more)
    if more[0] == len(step):
        return key, numbers
    places = [field for field in ("call", "layer_call") if field in step]
    if more[0] != len(step) - len(places):
        return None
    parts = len(words)
    return (*key, *places), (*numbers[:parts], *[step[field] for field in places], *numbers[parts:])


# Of each kind of step: how many fields it has if this is all, what else tells it from others; its numbers. A field is counted where it is looked at.

HINTS = get_type_hints(Step, include_extras=True)
# The fields of any step:
ALWAYS = len([field for field in HINTS if get_origin(HINTS[field]) is not NotRequired])
IN_BACKWARD = ALWAYS + len(("reads", "backward_call", "grads_in", "roots"))
IN_NODE = ALWAYS + len(("node", "backward_call", "grads_in", "grads_out"))
IN_ACCUMULATE = ALWAYS + len(("node", "backward_call", "grad"))


def _run(step: Step, parts: tuple, number_of: Callable) -> Described | None:
    reads, makes = step.get("reads", ()), step.get("makes", ())
    node, call = step.get("node"), step.get("backward_call")
    many = (ALWAYS + bool(reads) + bool(makes), len(reads), len(makes))
    if node is None and call is None:
        return many, (*parts, *reads, *makes)
    if call is None:
        return (many[0] + 1, many), (*parts, *reads, *makes, node)
    if node is None:
        return (many[0] + 1, many, None), (*parts, *reads, *makes, call)
    return (many[0] + 2, many), (*parts, *reads, *makes, node, call)


def _write(step: Step, parts: tuple, number_of: Callable) -> Described | None:
    written, grad, node = step.get("writes", ()), step.get("grad"), step.get("node")
    if len(written) > 1 or "makes" in step or "backward_call" in step:
        return None
    reads = step.get("reads", ())
    numbers = (*_numbered(parts, number_of), *reads)
    key: tuple = (ALWAYS + bool(reads), len(reads))
    if node is not None:
        key, numbers = (key[0] + 1, key, 0), (*numbers, node)
    if written:
        more, found = _written(written[0], number_of)
        key, numbers = (key[0] + 1, key, more), numbers + found
    if grad is not None:
        more, found = _grad(grad, number_of)
        key, numbers = (key[0] + 1, key, more), numbers + found
    return key, numbers


def _backward(step: Step, parts: tuple, number_of: Callable) -> Described | None:
    reads, arrived, roots = step["reads"], step["grads_in"], step["roots"]
    key = (IN_BACKWARD, len(reads), tuple([v is None for v in arrived]), len(roots))
    given = [number_of(v) for v in arrived if v is not None]
    return key, (*_numbered(parts, number_of), *reads, step["backward_call"], *given, *roots)


def _node(step: Step, parts: tuple, number_of: Callable) -> Described | None:
    call, freed = step.get("backward_call"), step.get("frees", ())
    if call is None:
        return None
    values = [*step["grads_in"], None, *step["grads_out"]]
    key = (IN_NODE + bool(freed), tuple([v is None for v in values]), len(step["grads_in"]), len(freed))
    given = [number_of(v) for v in values if v is not None]
    return key, (*_numbered(parts, number_of), step["node"], call, *given, *freed)


def _accumulate(step: Step, parts: tuple, number_of: Callable) -> Described | None:
    makes, written, node, call = (
        step.get("makes", ()),
        step.get("writes", ()),
        step.get("node"),
        step.get("backward_call"),
    )
    if node is None or call is None or len(written) > 1:
        return None
    wrote, places = _written(written[0], number_of) if written else ((), ())
    grad, numbers = _grad(step["grad"], number_of)
    key = (IN_ACCUMULATE + bool(makes) + bool(written), len(makes), wrote, grad)
    return key, (*_numbered(parts, number_of), *makes, *places, node, call, *numbers)


def _rare(step: Step, parts: tuple, number_of: Callable) -> Described | None:
    return None


def _numbered(parts: tuple, number_of: Callable) -> list[Any]:
    return [number_of(part) if part.__class__ is dict else part for part in parts]


def _written(write: Write, number_of: Callable) -> Described:
    changed, (before, after) = write["changed_elements"], write["versions"]
    places = () if changed is None else changed
    return (changed is None, len(places)), (
        write["tensor"], write["storage"], write["version_counter"], before, after, write["numel"], *places, number_of(write["contents"]),
    )  # fmt: skip


def _grad(grad: GradUpdate, number_of: Callable) -> Described:
    before, add, after, parts = grad["before"], grad["added"], grad["after"], grad["contributions"]
    numbers = [grad["tensor"], *[number_of(v) for v in (before, add, after) if v is not None]]
    for part in parts:
        numbers += part["node"], part["edge"], number_of(part["value"])
    return (grad["action"], before is None, add is None, after is None, len(parts)), tuple(numbers)


STEPS: dict[str, Callable[[Any, tuple, Callable], Described | None]] = {
    "create": _run, "op": _run, "view": _run, "write": _write, "grad": _write, "backward": _backward, "node": _node,
    "accumulate": _accumulate, "mark": _rare, "error": _rare, "gap": _rare,
}  # fmt: skip
DESCRIBED: dict[str, Callable[[Any, Sentence, Callable], Described | None]] = {
    "storages": _storage, "tensors": _tensor, "nodes": _backward_node, "steps": _step,
}  # fmt: skip
