"""What stands beside the lines of a traced cell in JupyterLab's editor: what became of what each line made, and where an error came from.

This is no view of its own. The JupyterLab extension puts these words at the ends of lines (`js/src/lab/editor.ts`).
"""

from __future__ import annotations

import math
from typing import Any

from jgrad.tracing.document.schema import Step, TraceTensor
from jgrad.views.scene import Frame, brief, clip, nested, plural, shape_text, short

# {"line": number, "parts": [[text, class], ...], "mark": class of a mark in the gutter}.
LineNote = dict[str, Any]

TENSORS = 3  # of a line are named at most
SHARERS = 3  # of a storage are named at most
VALUE = 40  # columns of a value at most
ERROR = 120  # columns of an error at most
SMALL = 6  # elements of a tensor whose value is shown at most


def notes(f: Frame) -> list[LineNote]:
    """The notes of the lines that have run by the frame, in the order of lines."""
    found: list[LineNote] = []
    made = _made_by_line(f)
    done = _done_by_line(f)
    marks = _marks(f)
    for line in range(1, len(f.document["source"]) + 1):
        parts: list[list[str]] = []
        tensors = made.get(line, [])
        for t in tensors[:TENSORS]:
            parts.extend(_of_tensor(f, t, len(tensors) > 1))
        if len(tensors) > TENSORS:
            parts.append([f"{plural(len(tensors) - TENSORS, 'more tensor')}", "muted"])
        parts.extend(done.get(line, []))
        mark = marks.get(line, "")
        if parts or mark:
            found.append({"line": line, "parts": parts, "mark": mark})
    return found


def _made_by_line(f: Frame) -> dict[int, list[TraceTensor]]:
    """The tensors with a name, by the line that made them."""
    found: dict[int, list[TraceTensor]] = {}
    for t in f.tensors():
        name = f.named(t["id"])
        made = f.maker(t["id"])
        if name and not name.endswith(".grad") and made is not None and made["line"] is not None:
            found.setdefault(made["line"], []).append(t)
    return found


def _of_tensor(f: Frame, t: TraceTensor, several: bool) -> list[list[str]]:
    """What there is to say of a tensor, the most important first."""
    kind = "leaf" if t["is_leaf"] else "intermediate"
    parts: list[list[str]] = []
    if t["requires_grad"] and t["is_leaf"]:
        parts.append(["leaf", "leaf"])
    value = _value(f, t)
    if value and not (t["requires_grad"] and t["is_leaf"]):
        parts.append([value, kind if t["requires_grad"] else ""])
    else:
        parts.append([f"shape {shape_text(t['shape'])}", "muted"])
    if not t["requires_grad"]:
        parts.append(["no gradient", "muted"])
    elif t["grad_fn"] is not None:
        parts.append([short(f.document["nodes"][t["grad_fn"]]["name"]), "muted"])
    named: list[str] = []
    for other in f.tensors():
        name = f.named(other["id"])
        if other["storage"] == t["storage"] and other["id"] != t["id"] and name and name not in named:
            named.append(name)
    if named:
        rest = f" and {len(named) - SHARERS} more" if len(named) > SHARERS else ""
        parts.append([f"shares its storage with {', '.join(named[:SHARERS])}{rest}", "alias"])
    version = f.version(t["version_counter"])
    if version:
        parts.append([f"v{version}", "write"])
    if (t["is_leaf"] and t["requires_grad"]) or t["retains_grad"]:
        grad = f.grad(t["id"])
        parts.append([f".grad {brief(grad, VALUE)}", "muted" if grad is None else "gradient"])
    if several:
        text, meaning = parts[0]
        parts[0] = [f"{f.named(t['id'])}: {text}", meaning]
    return parts


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


def _done_by_line(f: Frame) -> dict[int, list[list[str]]]:
    """What lines did to tensors that they did not make, in their last run: writes, and gradients that arrived."""
    found: dict[int, list[list[str]]] = {}
    places: dict[str, int] = {}  # of what was done to what on which line: its position in the list
    for i in range(f.cursor):
        step = f.index.steps[i]
        line = step["line"]
        if line is None:
            continue
        parts = found.setdefault(line, [])
        for key, part in _effects(f, step):
            at = places.setdefault(f"{line} {key}", len(parts))
            if at < len(parts):
                parts[at] = part
            else:
                parts.append(part)
    return found


def _effects(f: Frame, step: Step) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for write in step.get("writes", []):
        before, after = write["versions"]
        if before != after and "grad" not in step:
            what = f"writes storage {write['storage'] + 1}, v{before} → v{after}"
            found.append((f"w{write['storage']}", [what, "write"]))
    update = step.get("grad")
    if update is not None:
        name = f.named(update["tensor"]) or f.label(update["tensor"])
        found.append((f"g{update['tensor']}", [f"{name}.grad {brief(update['after'], VALUE)}", "gradient"]))
    if step["kind"] == "error":
        found.append(("error", [_error(f, step), "error"]))
    return found


def _error(f: Frame, step: Step) -> str:
    """What went wrong, in short: the headline of the diagnosis, if that is about this error."""
    diagnosis = f.document.get("diagnosis")
    if diagnosis is not None and diagnosis["severity"] == "error":
        words = [part["text"] for part in diagnosis["headline"] if not part.get("aside")]
        return clip("".join(words).replace("  ", " ").strip(), ERROR)
    error = step.get("error")
    return clip(step["text"] if error is None else f"{error['type']}: {error['message']}", ERROR)


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
