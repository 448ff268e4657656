"""What stands beside the lines of a traced cell in JupyterLab's editor: what became of what each line made, and where an error came from.

This is no view of its own. The JupyterLab extension puts these words at the ends of lines (`js/src/lab/editor.ts`).
"""

from __future__ import annotations

import math
from typing import Any

from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.schema import GradUpdate, Step, TraceTensor, Write
from jgrad.views.scene import Frame, brief, clip, columns_of, nested, norm_of, plural, shape_text, short

# {"line": number, "parts": [[text, class], ...], "mark": class of a mark in the gutter}.
LineNote = dict[str, Any]

ROOM = 60  # columns of a note: one line
TENSORS = 3  # of a line are named at most
SHARERS = 3  # of a storage are named at most
VALUE = 40  # columns of a value at most
SMALL = 6  # elements of a tensor whose value is shown at most


def notes(f: Frame) -> list[LineNote]:
    """The notes of the lines that have run by the frame, in the order of lines."""
    found: list[LineNote] = []
    made = _made_by_line(f)
    done = _done_by_line(f)
    marks = _marks(f)
    for line in range(1, len(f.document["source"]) + 1):
        tensors = made.get(line, [])
        parts = _of_tensors(f, tensors)
        if line in done:
            parts.extend(_said(f, done[line], line, marks))
        if len(tensors) == 1:
            parts.extend(_details(f, tensors[0]))
        parts = _fitting(parts)
        mark = marks.get(line, "")
        if parts or mark:
            found.append({"line": line, "parts": parts, "mark": mark})
    return found


def _fitting(parts: list[list[str]]) -> list[list[str]]:
    """The parts for which one line has room; the first one always."""
    found: list[list[str]] = []
    used = 0
    for said, meaning in parts:
        used += columns_of(said) + 3 * bool(found)
        if not found:
            found.append([clip(said, ROOM), meaning])
        elif used <= ROOM:
            found.append([said, meaning])
    return found


def _made_by_line(f: Frame) -> dict[int, list[TraceTensor]]:
    """The tensors with a name, by the line that made them. What an optimizer keeps for itself is none of the user's."""
    found: dict[int, list[TraceTensor]] = {}
    for t in f.tensors():
        name = f.named(t["id"])
        made = f.maker(t["id"])
        own = name.endswith(".grad") or ".state[" in name
        if name and not own and made is not None and made["line"] is not None:
            found.setdefault(made["line"], []).append(t)
    return found


def _of_tensors(f: Frame, tensors: list[TraceTensor]) -> list[list[str]]:
    """What a line made, the most important first."""
    leaves = [t for t in tensors if t["is_leaf"] and t["requires_grad"]]
    if len(tensors) > TENSORS and len(leaves) == len(tensors):
        return [[_leaves(len(leaves)), "leaf"]]
    parts: list[list[str]] = []
    for t in tensors[:TENSORS]:
        said = _of_tensor(f, t)
        if len(tensors) > 1:
            said = [[f"{f.named(t['id'])}: {said[0][0]}", said[0][1]]]
        parts.extend(said)
    if len(tensors) > TENSORS:
        more = [f"{plural(len(tensors) - TENSORS, 'more tensor')}", "muted"]
        # It is said how many there are, whatever room their names leave.
        return [[clip(parts[0][0], ROOM - columns_of(more[0]) - 3), parts[0][1]], more, *parts[1:]]
    return parts


def _leaves(n: int) -> str:
    return "1 leaf" if n == 1 else f"{n:,} leaves"


def _of_tensor(f: Frame, t: TraceTensor) -> list[list[str]]:
    """What there is to say of a tensor, the most important first."""
    kind = "leaf" if t["is_leaf"] else "intermediate"
    parts: list[list[str]] = []
    if t["requires_grad"] and t["is_leaf"]:
        parts.append([f"leaf {shape_text(t['shape'])}", "leaf"])
    else:
        value = _value(f, t)
        shown = [value, kind if t["requires_grad"] else ""]
        parts.append(shown if value else [f"shape {shape_text(t['shape'])}", "muted"])
    named: list[str] = []
    for other in f.tensors():
        name = f.named(other["id"])
        if other["storage"] == t["storage"] and other["id"] != t["id"] and name and name not in named:
            named.append(name)
    if named:
        rest = f" and {len(named) - SHARERS} more" if len(named) > SHARERS else ""
        parts.append([f"shares memory with {', '.join(named[:SHARERS])}{rest}", "alias"])
    if (t["is_leaf"] and t["requires_grad"]) or t["retains_grad"]:
        grad = f.grad(t["id"])
        parts.append([f".grad {brief(grad, VALUE)}", "muted" if grad is None else "gradient"])
    return parts


def _details(f: Frame, t: TraceTensor) -> list[list[str]]:
    """What is said of a tensor where there is room left."""
    if not t["requires_grad"]:
        return [["no gradient", "muted"]]
    return [] if t["grad_fn"] is None else [[short(f.document["nodes"][t["grad_fn"]]["name"]), "muted"]]


def _value(f: Frame, t: TraceTensor) -> str:
    """The value of a small tensor, as far as its elements are kept; nothing of others."""
    count = math.prod(t["shape"])
    contents = f.contents(t["storage"])
    if count > SMALL or count < 1 or len(contents["elements"]) < contents["numel"]:
        return ""
    elements: list[str] = []
    for i in range(count):
        rest, at = i, t["storage_offset"]
        for d in range(len(t["shape"]) - 1, -1, -1):
            at += rest % t["shape"][d] * t["stride"][d]
            rest = rest // t["shape"][d]
        if at >= len(contents["elements"]):
            return ""
        elements.append(contents["elements"][at])
    whole = nested(elements, t["shape"]) if t["shape"] else elements[0]
    return whole if len(whole) <= VALUE else ""


class Done:
    """What a line did to tensors that it did not make, in its last run."""

    def __init__(self) -> None:
        self.updated: list[int] = []  # leaves that were written to
        self.written: list[int] = []  # other tensors
        self.grads: list[int] = []  # whose .grad was changed
        self.updates: dict[int, GradUpdate] = {}
        self.error = ""


def _done_by_line(f: Frame) -> dict[int, Done]:
    found: dict[int, Done] = {}
    for i in range(f.cursor):
        step = f.index.steps[i]
        line = step["line"]
        if line is None:
            continue
        done = found.setdefault(line, Done())
        update = step.get("grad")
        if update is not None:
            if update["tensor"] not in done.grads:
                done.grads.append(update["tensor"])
            done.updates[update["tensor"]] = update
        else:
            for write in step.get("writes", []):
                _note_write(f, line, write, done)
        if step["kind"] == "error":
            done.error = _error(f, step)
    return found


def _note_write(f: Frame, line: int, write: Write, done: Done) -> None:
    """Note a write, if the reader thinks of it: the first values of what the line itself makes, and what an optimizer keeps, are none."""
    born = f.document["storages"][write["storage"]]["created_step"]
    new = born >= 0 and f.index.steps[born]["line"] == line
    if new or write["versions"][0] == write["versions"][1]:
        return
    tensor = _named(f, write["tensor"], write["storage"])
    state = f.state[tensor]
    where = done.updated if state["requires_grad"] and state["is_leaf"] else done.written
    if tensor not in where:
        where.append(tensor)


def _named(f: Frame, tensor: int, storage: int) -> int:
    """A tensor, or if no variable means it, one in its storage that has a name: `x[0] = 1` writes to x."""
    if f.named(tensor):
        return tensor
    base = f.index.tensors[tensor]["base"]
    if base is not None and f.named(base):
        return base
    for other in f.index.tensors_on.get(storage, []):
        if f.named(other):
            return other
    return tensor


def _said(f: Frame, done: Done, line: int, marks: dict[int, str]) -> list[list[str]]:
    """What a line did, in words."""
    parts: list[list[str]] = []
    if done.error:
        parts.append([done.error, "error"])
    if marks.get(line, "") == "saved":
        at = [str(other) for other in marks if marks[other] == "write"]
        parts.append([f"saved · overwritten in line {', '.join(at)}", "saved"])
    if done.updated:
        parts.append([f"updates {_listed(f, done.updated, 'parameter')}", "write"])
    if done.written:
        parts.append([f"writes {_listed(f, done.written, 'tensor')}", "write"])
    if len(done.grads) <= TENSORS:
        for t in done.grads:
            after = done.updates[t]["after"]
            parts.append([f"{f.named(t) or f.label(t)}.grad {brief(after, VALUE)}", "gradient"])
    else:
        parts.append([_range(f, done), "gradient"])
    return parts


def _listed(f: Frame, tensors: list[int], noun: str) -> str:
    if len(tensors) > TENSORS:
        return plural(len(tensors), noun)
    return ", ".join([f.named(t) or f.label(t) for t in tensors])


def _range(f: Frame, done: Done) -> str:
    """Of many gradients the least norm and the largest: "‖grad‖ 0.02 to 1.9"."""
    norms: list[str] = []
    for t in done.grads:
        after = done.updates[t]["after"]
        if after is not None:
            norms.append(norm_of(after, 1))
    if not norms:
        return f"{plural(len(done.grads), 'gradient')} cleared"
    if "nan" in norms or "inf" in norms or "" in norms:
        return f"{plural(len(norms), 'gradient')}" + (", with nan or inf" if "" not in norms else "")
    found = sorted([float(norm) for norm in norms])
    least, largest = number(found[0]), number(found[len(found) - 1])
    return f"‖grad‖ {least} to {largest}"


def _error(f: Frame, step: Step) -> str:
    """What went wrong, in short: the headline of the diagnosis, if that is about this error."""
    diagnosis = f.document.get("diagnosis")
    if diagnosis is not None and diagnosis["severity"] == "error":
        words = [part["text"] for part in diagnosis["headline"] if not part.get("aside")]
        return clip("".join(words).replace("  ", " ").strip(), ROOM)
    error = step.get("error")
    return clip(step["text"] if error is None else f"{error['type']}: {error['message']}", ROOM)


def _marks(f: Frame) -> dict[int, str]:
    """The class of the mark in the gutter by line: where a backward pass failed, and, if a saved tensor was overwritten, where it was saved and
    where it was written to."""
    step = f.step
    found: dict[int, str] = {}
    if step is None or step["kind"] != "error" or step["line"] is None:
        return found
    for node in f.document["nodes"]:
        if node["created_step"] >= f.cursor or node["freed_step"] is not None:
            continue
        for saved in node["saved"]:
            if saved["tensor"] is None or node["line"] is None:
                continue
            counter = f.state[saved["tensor"]]["version_counter"]
            for at, write in f.index.writes_to.before(counter, f.cursor):
                line = f.index.steps[at]["line"]
                if write["versions"][1] > saved["version"] and write["versions"][0] != write["versions"][1]:
                    found[node["line"]] = "saved"
                    if line is not None:
                        found[line] = "write"
    found[step["line"]] = "error"
    return found
