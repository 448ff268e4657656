"""What stands beside the lines of a traced cell in JupyterLab's editor: what became of what each line made, and where an error came from.

This is no view of its own. The JupyterLab extension puts these words at the ends of lines (`js/src/lab/editor.ts`).
"""

from __future__ import annotations

from typing import Any

from jgrad.tracing.document.numbers import exponential, number
from jgrad.tracing.document.schema import Step, TraceTensor, Value
from jgrad.views.parts import elements_at
from jgrad.views.scene import Frame, brief, clip, columns_of, nested, plural, shape_text, short

# {"line": number, "parts": [[text, class], ...], "mark": class of a mark in the gutter}.
LineNote = dict[str, Any]

ROOM = 60  # columns of a note: one line
TENSORS = 3  # of a line are named at most
VALUE = 40  # columns of a value at most
SMALL = 6  # elements of a tensor whose value is shown at most


def notes(f: Frame) -> list[LineNote]:
    """The notes of the lines that have run by the frame, in the order of lines."""
    found: list[LineNote] = []
    made: dict[int, list[TraceTensor]] = {}  # the tensors with a name, by the line that made them
    for t in f.tensors():
        name, maker = f.named(t["id"]), f.maker(t["id"])
        # (What an optimizer keeps for itself is none of the user's.)
        if (
            name
            and not name.endswith(".grad")
            and ".state[" not in name
            and maker is not None
            and maker["line"] is not None
        ):
            made.setdefault(maker["line"], []).append(t)
    marks = _marks(f)
    done = _done_by_line(f)
    for line in range(1, len(f.document["source"]) + 1):
        parts = _fitting([*_of_tensors(f, made.get(line, [])), *done.get(line, [])])
        mark = marks.get(line, "")
        if parts or mark:
            found.append({"line": line, "parts": parts, "mark": mark})
    return found


def _fitting(parts: list[list[str]]) -> list[list[str]]:
    """The parts for which one line has room; the first one always."""
    found: list[list[str]] = []
    room = ROOM
    for said, meaning in parts:
        if columns_of(said) <= room or not found:
            found.append([clip(said, ROOM), meaning])
        room -= columns_of(said) + 3
    return found


def _of_tensors(f: Frame, tensors: list[TraceTensor]) -> list[list[str]]:
    """What a line made."""
    if len(tensors) == 1:
        return _of_tensor(f, tensors[0])
    if len(tensors) > TENSORS:
        leaves = all([t["is_leaf"] and t["requires_grad"] for t in tensors])
        return [[f"{len(tensors)} leaves", "leaf"] if leaves else [f"{len(tensors)} tensors", ""]]
    return [[f"{f.named(t['id'])}: {_of_tensor(f, t)[0][0]}", _of_tensor(f, t)[0][1]] for t in tensors]


def _of_tensor(f: Frame, t: TraceTensor) -> list[list[str]]:
    """What there is to say of a tensor, the most important first."""
    leaf = t["is_leaf"] and t["requires_grad"]
    over = _line_over(f, t)
    made, now = _value(f, t, over), _value(f, t, f.cursor)
    value = "" if leaf else made
    kind = "leaf" if leaf else "intermediate" if t["requires_grad"] else ""
    parts = [[value or f"{'leaf' if leaf else 'shape'} {shape_text(t['shape'])}", kind]]
    if made and now and now != made:
        changed = f"now {now}"
        parts.append([changed if columns_of(value) + columns_of(changed) <= ROOM else "changed", "write"])
    named: list[str] = []
    for other in f.tensors():
        name = f.named(other["id"])
        if other["storage"] == t["storage"] and other["id"] != t["id"] and name and name not in named:
            named.append(name)
    if named:
        parts.append([f"shares memory with {clip(', '.join(named), VALUE)}", "alias"])
    if leaf or t["retains_grad"]:
        grad = f.grad(t["id"])
        parts.append([f".grad {brief(grad, VALUE)}", "muted" if grad is None else "gradient"])
    node = f.index.state(t["id"], over)["grad_fn"]
    if node is not None:
        parts.append([short(f.document["nodes"][node]["name"]), "muted"])
    elif not leaf:
        parts.append(["no gradient", "muted"])
    return parts


def _line_over(f: Frame, t: TraceTensor) -> int:
    """How many steps were over when the line that made a tensor had run. What later lines did to it is said beside them."""
    steps, at = f.index.steps, t["created_step"]
    line = steps[at]["line"]
    while at < f.cursor and steps[at]["line"] == line:
        at += 1
    return at


def _value(f: Frame, t: TraceTensor, over: int) -> str:
    """The value of a small tensor after so many steps, as far as its elements are kept; nothing of others."""
    elements = elements_at(f.index, t["id"], over, SMALL)
    if not elements:
        return ""
    return nested(elements, t["shape"]) if t["shape"] else elements[0]


def _done_by_line(f: Frame) -> dict[int, list[list[str]]]:
    """What lines did to tensors that they did not make, in their last run: writes, and gradients that arrived."""
    done: dict[int, dict[str, dict[str, Value | None]]] = {}  # by line and verb: what was changed
    found: dict[int, list[list[str]]] = {}
    for step in f.index.steps[: f.cursor]:
        line = step["line"]
        if line is None:
            continue
        verbs = done.setdefault(line, {verb: {} for verb in ("updates", "writes", "")})
        update = step.get("grad")
        if update is not None:
            verbs[""][f.named(update["tensor"]) or f.label(update["tensor"])] = update["after"]
        else:
            for write in step.get("writes", []):
                state, (before, after) = f.state[write["tensor"]], write["versions"]
                if before != after and not _is_made(f, write["storage"], line):
                    verb = "updates" if state["requires_grad"] and state["is_leaf"] else "writes"
                    verbs[verb][f.named(write["tensor"]) or f.label(write["tensor"])] = None
        if step["kind"] == "error":
            found[line] = [[_error(f, step), "error"]]
    for line, verbs in done.items():
        parts = found.setdefault(line, [])
        for verb in ("updates", "writes"):
            names = list(verbs[verb])
            if names:
                several = plural(len(names), "parameter" if verb == "updates" else "tensor")
                parts.append([f"{verb} {several if len(names) > TENSORS else ', '.join(names)}", "write"])
        if len(verbs[""]) > TENSORS:
            parts.append([_range(list(verbs[""].values())), "gradient"])
        else:
            parts.extend(
                [[f"{name}.grad {brief(value, VALUE)}", "gradient"] for name, value in verbs[""].items()]
            )
    return found


def _is_made(f: Frame, storage: int, line: int) -> bool:
    """Whether a line made a storage: then it is no news that it wrote its first values, nor what an optimizer keeps in it."""
    born = f.document["storages"][storage]["created_step"]
    return born >= 0 and f.index.steps[born]["line"] == line


def _range(values: list[Value | None]) -> str:
    """Of many gradients the least norm and the largest: "‖grad‖ 0.02 to 1.9"."""
    known = [value.get("norm") for value in values if value is not None]
    norms = sorted([norm for norm in known if norm is not None])
    if not norms:
        return plural(len(values), "gradient")
    ends = [number(float(exponential(norm, 1))) for norm in (norms[0], norms[len(norms) - 1])]
    return f"‖grad‖ {' to '.join(ends)}"


def _error(f: Frame, step: Step) -> str:
    """What went wrong, in short: the headline of the diagnosis, if that is about this error."""
    diagnosis = f.document.get("diagnosis")
    if diagnosis is not None and diagnosis["severity"] == "error":
        words = [part["text"] for part in diagnosis["headline"] if not part.get("aside")]
        # (What was left out had a space on both sides, or a comma after it.)
        return clip("".join(words).replace("  ", " ").replace(" ,", ",").strip(), ROOM)
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
