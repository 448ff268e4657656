"""Tensors that backward saved and that were written to in place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from jgrad.graph.node import Node
from jgrad.tensor import Tensor
from jgrad.trace.document.log import Log, called_in
from jgrad.trace.document.places import run_at
from jgrad.trace.document.sentences import short
from jgrad.trace.document.syntax import in_loop, parsed
from jgrad.trace.explain.incident import LONGEST, Incident
from jgrad.trace.explain.repairs import NAME, instead_of
from jgrad.trace.explain.rule import RUNTIME, Rules
from jgrad.trace.explain.training import STEP

ERRORS = Rules()
NOTES = Rules()

UNSEEN = "a line that was not traced"
RETAINED = "retain_graph=True kept the graph of an earlier round: leave it out, and write h = h.detach() for the tensor h that each round takes over."
ACTIVATIONS = re.compile(
    r"(?:\w*relu6?|r?relu|c?elu|selu|silu|mish|hard\w+|threshold|\w*dropout|clamp(?:_min)?|bernoulli)_"
)
PART = re.compile(r"[\w.]+\[.*\]\s*[-+*/@]*=(?!=)")  # out[i] = ..., out[i] += ...
RAISED = "modified by an inplace operation"


@ERRORS.rule(
    "saved-overwritten", "error", "backward() finds that a tensor it saved was written to in place",
    "{saver} saved {name} at version {saved} for {node}, and {writer} then wrote to {again}{through} in place (version {now}), so {node} "
    "can no longer compute a gradient.",
    "{repair}",
    """
x = jgrad.ones(3, requires_grad=True)
y = x * 2
z = y * y
y.mul_(2)
z.sum().backward()
""", """
x = jgrad.ones(3, requires_grad=True)
y = x * 2
z = y * y
y = y * 2
z.sum().backward()
""",
    raised=(RUNTIME, r"modified by an inplace operation"), knows_more=True,
)  # fmt: skip
def saved_overwritten(incident: Incident) -> Iterator[dict]:
    """Who saved the tensor, who wrote to it."""
    if incident.log is not None:
        record = incident.log.steps[incident.step]
        numbers = [record["node"]] if "node" in record else range(len(incident.log.nodes))
        for found in stale(incident.log, numbers, incident.step):
            calls = [i for i, s in incident.log.of("backward") if s["line"] == incident.line]
            earlier = any(found["since"] < i for i in calls[:-1])  # the last is the one that failed
            retained = earlier and "retain_graph" in incident.source and ".step())" in found["writer"]
            yield found | ({"repair": RETAINED} if retained else {})
            return
    for _, cell, version in stale_saved(incident.node):
        saver = _saver(incident)
        writer, doing, through = _writer(incident, cell, version)
        if not writer:
            suspect = _suspect(incident, cell)
            writer = f"{UNSEEN} ({suspect[0]}: {suspect[1]})" if suspect and saver else ""
        if saver or writer:
            label = _name(incident, cell) or "a tensor"
            other = f" through {through}" if through and through != label else ""
            yield {
                "saver": saver or UNSEEN, "name": label, "again": _again(label), "saved": version, "node": short(incident.node.name()),  # type: ignore[union-attr]
                "writer": run_at(doing, writer or UNSEEN), "through": other, "now": cell[0],
                "repair": repair(label, doing),
            }  # fmt: skip
            return


@ERRORS.rule(
    "saved-overwritten-unseen", "error", "the same, and no trace knows the line that wrote",
    "{lead}{node} needs {what}, but a later write in place changed this tensor{now}{suspect}.",
    "{repair}",
    raised=(RUNTIME, r"modified by an inplace operation"), knows_more=True,
)  # fmt: skip
def saved_overwritten_unseen(incident: Incident) -> Iterator[dict]:
    """The same from the exception and the graph alone."""
    words = re.search(r"which is output \d+ of (\w+)", incident.message)
    versions = re.search(r"is at version (\d+); expected version (\d+)", incident.message)
    cell = next((cell for _, cell, _ in stale_saved(incident.node)), None)
    suspect = _suspect(incident, cell)
    name = _name(incident, cell) or (f"the result of {words[1]}" if words else "")
    yield {
        "node": "backward()" if incident.node is None else short(incident.node.name()),
        "what": f"{name or 'a saved tensor'}{f' at version {versions[2]}' if versions else ''}",
        "now": f" (it is at version {versions[1]} now)" if versions else "",
        "suspect": "" if suspect is None else f", as {suspect[0]} ({suspect[1]}) does",
        "repair": repair(name, "" if suspect is None else suspect[1]),
    }


@NOTES.rule(
    "saved-stale", "warning", "a tensor that backward will need was written to in place",
    "{saver} saved {name} at version {saved} for {node}, and {writer} then wrote to {again}{through} in place (version {now}): a backward() "
    "through {node} will raise an error.",
    "{repair}",
    """
x = jgrad.ones(3, requires_grad=True)
y = x.exp()
y[0] = 1
""", """
x = jgrad.ones(3, requires_grad=True)
y = x.exp().clone()
y[0] = 1
""",
)  # fmt: skip
def saved_stale(log: Log) -> Iterator[dict]:
    if any(RAISED in step["error"]["message"] for _, step in log.of("error")):
        return
    ran = {step["node"] for _, step in log.of("node")}
    ends = {t["grad_fn"] for t in log.final if t["freed_step"] is None and t["grad_fn"] is not None}
    yield from stale(
        log,
        [
            n
            for n in sorted(log.nodes_behind(*ends))
            if log.nodes[n]["freed_step"] is None
            and n not in ran
            and not log.has_gap(log.nodes[n]["created_step"], len(log.steps))
        ],
        None,
    )


def stale(log: Log, numbers: Iterable[int], end: int | None) -> Iterator[dict]:
    """The first of these nodes that saved a tensor which was written to later, before step `end` (None: at any time)."""
    for number in numbers:
        node = log.nodes[number]
        for saved in node["saved"]:
            if saved["tensor"] is None:
                continue
            counter = log.tensors[saved["tensor"]]["version_counter"]
            for i, write in log.writes_to.get(counter, ()):
                # An optimizer may change what a graph saved that nobody goes back through, such as that of a validation.
                late = i < end if end is not None else not STEP.match(log.text(i))
                if write["versions"][1] > saved["version"] and i >= node["created_step"] and late:
                    made = log.node_maker.get(number)
                    name, writer = (log.known_as(t, i) for t in (saved["tensor"], write["tensor"]))
                    doing = log.doing(i)
                    yield {
                        "step": i if end is None else end, "tensors": [saved["tensor"]], "lines": log.lines(made, i),
                        "saver": log.at(made), "name": name, "again": _again(name), "saved": saved["version"], "node": short(node["name"]),
                        "writer": log.ran(i, made), "through": "" if writer in (name, doing) or name in writer else f" through {writer}",
                        "now": write["versions"][1], "repair": _repair_of(log, i, made, name, write["tensor"]), "since": node["created_step"],
                    }  # fmt: skip
                    return


def _repair_of(log: Log, writer: int, saver: int | None, name: str, written: int) -> str:
    """What to do about a write, by a step, to what another saved."""
    doing = log.doing(writer)
    if writer == saver:
        return instead_of(
            doing,
            name,
            "Use the operation that makes a new tensor, because the derivative needs what the in-place one overwrites.",
        )
    target = log.state(written, writer)
    own = not doing.endswith(".step()") and not doing.startswith("embedding_renorm_")
    if own and target["is_leaf"] and target["requires_grad"]:
        return (
            f"Run backward() before {log.spot(writer)}, or compute the result anew after {log.spot(writer)}."
        )
    if PART.match(doing) and any(
        in_loop("\n".join(lines), line) for lines, line in log.places.around(log.steps[writer])
    ):
        return f"Collect the parts in a list and join them with jgrad.stack(parts), or read from a copy, as in {name}[0].clone()."
    text, op = log.text(writer), log.steps[writer]["op"]
    called = called_in(text)  # also where the sentence is too short for it
    return repair(name, f"{op} in {text}" if called and called.strip("_") != op.strip("_") else doing)


def repair(name: str, writer: str) -> str:
    """What to do about a write to a tensor that was saved."""
    if writer.endswith(".step()"):
        return f"Run backward() before {writer.rpartition(' in ')[2]}, or compute the result anew after it."
    if writer.startswith("embedding_renorm_"):
        return f"A lookup with max_norm= rescales rows of the weight in place: look up first, or compute from {name}.clone()."
    operation, _, within = writer.partition(" in ")
    if within and (ACTIVATIONS.fullmatch(operation) or "inplace=True" in writer):
        return "Leave inplace=True out of the layer or function that wrote."
    if within:
        return f"{within} writes in place with {operation}(): use an operation that makes a new tensor, or leave inplace=True out."
    copy = (
        f"Write {name} = {name}.clone() before the write in place."
        if NAME.fullmatch(name)
        else "Write to a clone() of the saved tensor."
    )
    return instead_of(writer, name, copy)


def _again(name: str) -> str:
    """How a sentence names a tensor for the second time."""
    return name if NAME.fullmatch(name) else "it"


def stale_saved(node: Node | None) -> Iterator[tuple[str, Any, int]]:
    """(name, version cell, version when saved) of what a living node saved and something wrote to since."""
    found = [] if node is None else [(name, t._counter, version) for name, t, version in node._saved()]
    # Of results, the node of an operator keeps the array and the version cell.
    for _, name in getattr(node, "saved_results", ()):
        found.append((name, getattr(node, f"c_{name}"), getattr(node, f"v_{name}")))
    if node is not None and hasattr(node, "_entries_by_name"):  # of a custom Function
        found += [(name, entry.cell, entry.version) for name, entry in node._entries_by_name()]
    for name, cell, version in found:
        if isinstance(cell, list) and cell[0] != version:
            yield name, cell, version


def _saver(incident: Incident) -> str:
    """Where the node that failed was made: from a trace, or from anomaly mode's traceback."""
    for trace in incident.traces:
        number = trace.number_of_node(incident.node)
        if number is not None:
            log = Log(trace.document, asked_elsewhere=True)
            step, line = log.node_maker.get(number), log.nodes[number]["line"]
            if step is not None or line is not None:
                return log.places.of_line(line) if step is None else log.at(step)  # type: ignore[arg-type]
    stack = [] if incident.node is None else incident.node.metadata.get("traceback_", [])
    found = re.search(r"line (\d+)", stack[-1]) if stack else None
    return f"line {found[1]}" if found else ""


def _writer(incident: Incident, cell: Any, version: int) -> tuple[str, str, str]:
    """(place, operation, tensor) of the first write that a version counter knows after it stood at this version."""
    first = None
    for trace in incident.traces:
        counter = trace.counter_of(cell)
        if counter is None:
            continue
        log = Log(trace.document, asked_elsewhere=True)
        for step, write in log.writes_to.get(counter, ()):
            after = write["versions"][1]
            if after > version and (first is None or after < first[2]["versions"][1]):
                first = log, step, write
    if first is None:
        return "", "", ""
    log, step, write = first
    return log.at(step), log.doing(step), log.name(write["tensor"], step)


def _name(incident: Incident, cell: Any) -> str:
    """The variable whose version counter this is: one that is no view of another, if there is one."""
    names = {
        n: v
        for n, v in incident.variables.items()
        if isinstance(v, Tensor) and v._counter is cell and n[0] != "_"
    }
    return next((n for n, v in names.items() if v._base is None), next(iter(names), ""))


def _suspect(incident: Incident, cell: Any) -> tuple[str, str] | None:
    """(place, statement) of the last line that writes in place to a variable with this version counter: of the cell that failed, or of those before it back to
    the one that gave the variable its value."""
    names = {name for name, v in incident.variables.items() if isinstance(v, Tensor) and v._counter is cell}
    cells = [
        (0, incident.code),
        *sorted(
            ((k, c) for k, c in incident.cells.items() if c.strip() != incident.code.strip()), reverse=True
        ),
    ]
    for number, source in cells:
        writes, bound = writes_in(source, names)
        last = next(
            (
                (n, text)
                for n, text in reversed(writes)
                if number or incident.line is None or n < incident.line
            ),
            None,
        )
        if last is not None:
            return f"cell {number}, line {last[0]}" if number else incident.of_line(last[0]), last[1]
        names -= bound
    return None


LOOKS = (
    "detach",
    "view",
    "reshape",
    "t",
    "transpose",
    "permute",
    "expand",
    "squeeze",
    "unsqueeze",
    "flatten",
    "narrow",
    "select",
    "T",
    "mT",
)


def writes_in(source: str, names: set[str]) -> tuple[list[tuple[int, str]], set[str]]:
    """(line, statement) of what writes in place to one of these variables: `y.mul_(2)`, `y += 1`, `y.detach()[0] = 1`, `out=y`; and
    which of them the source gives a value."""
    lines = source.split("\n")
    tree = parsed(lines)
    found: list[tuple[int, str]] = []
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        target: ast.AST | None = None
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and re.fullmatch(r"[a-z]\w*[a-z0-9]_", node.func.attr):
                target = node.func.value
            target = next((k.value for k in node.keywords if k.arg == "out"), target)
        elif isinstance(node, ast.AugAssign):
            target = node.target
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            target = node.targets[0]
        while True:  # to the variable through which it is seen
            if isinstance(target, ast.Subscript) or (
                isinstance(target, ast.Attribute) and target.attr in LOOKS
            ):
                target = target.value
            elif isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute):
                target = target.func
            else:
                break
        if isinstance(target, ast.Name) and target.id in names:
            line = target.lineno
            found.append((line, lines[line - 1].strip()[:LONGEST]))
    return sorted(found), bound & names
