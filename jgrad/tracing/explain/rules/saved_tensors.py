"""Tensors that backward saved and that were written to in place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from jgrad.graph.node import Node
from jgrad.tensor import Tensor
from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log, called_in
from jgrad.tracing.document.places import run_at
from jgrad.tracing.document.sentences import short
from jgrad.tracing.document.syntax import in_loop
from jgrad.tracing.explain.edits import Code, Edit, applied, at_step, read_as
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.repairs import NAME, instead_of, out_of_place
from jgrad.tracing.explain.rule import RUNTIME, Rules, listed
from jgrad.tracing.explain.suspects import Suspect, suspect, variable
from jgrad.tracing.explain.training import Training

ERRORS = Rules()
NOTES = Rules()

OVERWRITTEN = "`{name}` was saved by `{op}` ({saver}) and overwritten by {writer}"
LEAF = "Run backward() before {at}, or compute the result anew after {at}."
UNSEEN = "a line that was not traced"
RETAINED = "retain_graph=True kept the graph of an earlier round: leave it out, and write h = h.detach() for the tensor h that each round takes over."
ACTIVATIONS = re.compile(
    r"(?:\w*relu6?|r?relu|c?elu|selu|silu|mish|hard\w+|threshold|\w*dropout|clamp(?:_min)?|bernoulli)_"
)
PART = re.compile(r"[\w.]+\[.*\]\s*[-+*/@]*=(?!=)")  # out[i] = ..., out[i] += ...
# The variable in x[0] = ..., x += ..., x.add_(.
TARGET = re.compile(r"([^\W\d]\w*)(?:\[[^\]]*\])?(?:\s*[-+*/@%&|^]*=(?!=)|\.\w+_\()")
RAISED = "modified by an inplace operation"


@ERRORS.rule(
    "saved-overwritten", "error", "backward() finds that a tensor it saved was written to in place",
    "{saver} saved {name} at version {saved} for {node}, and {writer} then wrote to {again}{through} in place (version {now}). So {node} "
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
    raised=(RUNTIME, r"modified by an inplace operation"), knows_more=True, headline=OVERWRITTEN,
)  # fmt: skip
def saved_overwritten(incident: Incident) -> Iterator[dict]:
    """Who saved the tensor, who wrote to it."""
    if incident.log is not None:
        record = incident.log.steps[incident.step]
        # (While the recorder slept, no node was met: those in the log are of other rounds.)
        since = incident.log.gaps[-1] if incident.log.gaps else -1
        known = [n["id"] for n in incident.log.nodes if n["created_step"] >= since]
        numbers = [record["node"]] if "node" in record else known
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
            suspected = suspect(incident, cell)
            if suspected is not None and suspected.sure and saver:
                place, statement = suspected.writes[0]
                writer = f"{UNSEEN} ({place}: {statement})"
        if saver or writer:
            label = variable(incident, cell) or "a tensor"
            other = f" through {through}" if through and through != label else ""
            yield {
                "saver": saver or UNSEEN, "name": label, "again": _again(label), "saved": version, "node": short(incident.node.name()),  # type: ignore[union-attr]
                "writer": run_at(doing, writer or UNSEEN), "through": other, "now": cell[0], "op": short(incident.node.name()),  # type: ignore[union-attr]
                "repair": LEAF.format(at=writer) if writer and _is_leaf(incident, label, doing) else repair(label, doing),
            }  # fmt: skip
            return


def _has_other_name(statement: str, name: str) -> bool:
    """Whether a statement writes to another variable than this one."""
    target = TARGET.match(statement)
    return target is not None and target[1] != name


def _is_leaf(incident: Incident, name: str, statement: str) -> bool:
    """Whether a statement writes to a variable by its own name that is a leaf and learns."""
    held = incident.variables.get(name)
    learns = isinstance(held, Tensor) and held.is_leaf and held.requires_grad
    return learns and not _has_other_name(statement, name)


@ERRORS.rule(
    "saved-overwritten-unseen", "error", "the same, where no trace saw the write",
    "{lead}{node} needs {what}, but a later write in place changed this tensor{now}{suspect}.",
    "{repair}",
    raised=(RUNTIME, r"modified by an inplace operation"), knows_more=True,
)  # fmt: skip
def saved_overwritten_unseen(incident: Incident) -> Iterator[dict]:
    """The same from the exception and the graph alone."""
    words = re.search(r"which is output \d+ of (\w+)", incident.message)
    versions = re.search(r"is at version (\d+); expected version (\d+)", incident.message)
    cell = next((cell for _, cell, _ in stale_saved(incident.node)), None)
    known = suspect(incident, cell)
    name = variable(incident, cell) or (f"the result of {words[1]}" if words else "")
    yield {
        "node": "backward()" if incident.node is None else short(incident.node.name()),
        "what": f"{name or 'a saved tensor'}{f' at version {versions[2]}' if versions else ''}",
        "now": f" (it is at version {versions[1]} now)" if versions else "",
        "suspect": "" if known is None else f", as {_phrase(known)}",
        "repair": _repair_unseen(incident, name, known),
    }


def _phrase(known: Suspect) -> str:
    """ "line 3 (y.mul_(2)) does", "line 2 of f or line 3 of g may have done"."""
    if known.sure:
        place, statement = known.writes[0]
        return f"{place} ({statement}) does"
    return f"{listed([run_at(statement, place) for place, statement in known.writes], 'or')} may have done"


def _repair_unseen(incident: Incident, name: str, known: Suspect | None) -> str:
    """What to do about a write that no trace saw."""
    statement = known.writes[0][1] if known is not None and len(known.writes) == 1 else ""
    if _is_leaf(incident, name, statement):
        return LEAF.format(at="the write" if known is None else known.writes[0][0])
    if known is None:
        return repair(name, "")
    if statement.endswith("with inplace=True"):
        return "Leave inplace=True out of that layer."
    target = TARGET.match(statement)
    return repair(target[1] if target else name, statement)


@NOTES.rule(
    "saved-stale", "warning", "a tensor that backward will need was written to in place",
    "{saver} saved {name} at version {saved} for {node}, and {writer} then wrote to {again}{through} in place (version {now}). A backward() "
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
    headline=OVERWRITTEN + "\nA backward() through {node} will raise an error",
)  # fmt: skip
def saved_stale(log: Log) -> Iterator[dict]:
    if any(RAISED in step["error"]["message"] for _, step in log.of("error")):
        return
    ends = {t["grad_fn"] for t in log.left if t["grad_fn"] is not None}
    yield from stale(
        log,
        [
            n
            for n in sorted(log.nodes_behind(*ends))
            if log.nodes[n]["freed_step"] is None
            and n not in log.runs
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
                late = i < end if end is not None else not Training.of(log).is_of_step(i)
                if write["versions"][1] > saved["version"] and i >= node["created_step"] and late:
                    made = log.node_maker.get(number)
                    name, writer = (log.known_as(t, i) for t in (saved["tensor"], write["tensor"]))
                    doing = log.doing(i)
                    yield {
                        "step": i if end is None else end, "tensors": [saved["tensor"]], "lines": log.lines(made, i),
                        "saver": log.at(made), "name": name, "again": _again(name), "saved": saved["version"], "node": short(node["name"]),
                        "op": short(node["name"]) if made is None else log.steps[made]["op"],
                        "writer": log.ran(i, made), "through": "" if writer in (name, doing) or name in writer else f" through {writer}",
                        "now": write["versions"][1], "since": node["created_step"],
                    } | _mended(log, Clash(i, made, name, saved["tensor"], write["tensor"], end))  # fmt: skip
                    return


class Clash(NamedTuple):
    """A write, by a step, to the tensor that another one saved."""

    writer: int
    saver: int | None
    name: str  # of what was saved
    saved: int
    written: int
    end: int | None  # the step of the backward() that failed


def _mended(log: Log, clash: Clash) -> dict[str, Any]:
    """What to do about a clash: the sentence, and edits where some fit."""
    writer, name = clash.writer, clash.name
    place, code = at_step(log, writer), out_of_place(log.doing(writer), name)
    state = log.state(clash.written, writer)
    # Under no_grad() the new tensor has no history: `w = w - 1` does not learn, and no gradient passes `y = y + 1`.
    loses = state["requires_grad"] and log.steps[writer].get("node") is None
    alone = writer != clash.saver and not loses and not _is_seen_elsewhere(log, clash)
    if place is not None and code and alone and not log.doing(writer).endswith(".step()"):
        return {
            "repair": f"Write `{code}`, which makes a new tensor.",
            "edits": [place[0].replaced(place[1], code)],
        }
    own = writer != clash.saver and not log.doing(writer).endswith(".step()")
    own = own and not _are_of_one_call(log, clash)
    leaf = state["is_leaf"]
    found = (
        _copied(log, clash)
        if own and not leaf and not log.doing(writer).startswith("embedding_renorm_")
        else None
    )
    if found is None:
        edits = _not_in_place(log) if ACTIVATIONS.fullmatch(log.steps[writer]["op"]) else []
        return _past_a_step(log, clash) or {"repair": _repair_of(log, *clash[:5]), "edits": edits}
    text, edits = found
    return {
        "repair": f"Write `{text}` in {log.spot(clash.saver or 0)}, so that what is saved keeps its values.",
        "edits": edits,
    }


def _are_of_one_call(log: Log, clash: Clash) -> bool:
    """Whether one call of a module both saved and wrote: a copy of its result comes too late."""
    if clash.saver is None or clash.saver == clash.writer:
        return False
    saver, writer = log.steps[clash.saver], log.steps[clash.writer]
    return log.places.where(saver) == log.places.where(writer) and " in " in log.doing(clash.writer)


def _not_in_place(log: Log) -> list[Edit]:
    """The only layer of the code that works in place, without `inplace=True`."""
    found = [
        (code, call)
        for code in Code.all_of(log)
        for call in ast.walk(code.tree)
        if isinstance(call, ast.Call) and any(k.arg == "inplace" for k in call.keywords)
    ]
    if len(found) != 1:
        return []
    code, call = found[0]
    given = [code.text(a) for a in call.args]
    given += [f"{k.arg}={code.text(k.value)}" for k in call.keywords if k.arg not in ("inplace", None)]
    return [code.replaced(call, f"{code.text(call.func)}({', '.join(given)})")]


def _past_a_step(log: Log, clash: Clash) -> dict[str, Any]:
    """What to do where an optimizer changed its parameters before another loss went back through them: what it trains by a loss of its own, the other
    loss takes without its history. Nothing if the other loss is not computed from such a tensor with a name."""
    stepped = log.text(clash.writer)
    optimizer = next(
        (o for o in log.document.get("optimizers", ()) if stepped == f"{o['name']}.step()"), None
    )
    calls = [(i, s) for i, s in log.of("backward") if clash.end is not None and i < clash.end]
    if optimizer is None or not calls or not any(i < clash.writer for i, _ in calls[:-1]):
        return {}
    start, call = calls[-1]
    own, behind = (
        {*optimizer["parameters"]},
        log.nodes_behind(*filter(None, (log.node_at(t, start) for t in call["roots"]))),
    )
    for t in reversed(log.tensors):
        node, name = log.node_at(t["id"], start), name_at(t, start)
        users = [i for i in log.users.get(t["id"], ()) if log.steps[i].get("node") in behind]
        if (
            node in behind
            and users
            and NAME.fullmatch(name)
            and t["id"] not in call["roots"]
            and _leaves(log, node) <= own
        ):
            place = at_step(log, users[0])
            edits = [] if place is None else read_as(*place, name, f"{name}.detach()")
            if edits:
                why = f"{optimizer['name']} has trained what {name} was computed from"
                return {
                    "repair": f"Write {name}.detach() in {log.spot(users[0])}, because {why}.",
                    "edits": edits,
                }
    return {}


def _leaves(log: Log, node: int) -> set[int]:
    """The leaves behind a node."""
    return {t for n in log.nodes_behind(node) if (t := log.nodes[n]["variable"]) is not None}


def _is_seen_elsewhere(log: Log, clash: Clash) -> bool:
    """Whether other variables see a write, so that it must stay a write: a view, or a second name in a list."""
    storage = log.state(clash.written, clash.writer)["storage"]
    for n in {*log.tensors_on.get(storage, ())} - {clash.written, clash.saved}:
        freed = log.tensors[n]["freed_step"]
        lives = log.tensors[n]["created_step"] < clash.writer and (freed is None or freed > clash.writer)
        if lives and name_at(log.tensors[n], clash.writer):
            return True
    return False


def _saved_beside(log: Log, clash: Clash) -> set[int]:
    """What the node of a clash saved of the same memory, all of which a write may reach."""
    counter, node = log.tensors[clash.saved]["version_counter"], log.steps[clash.saver or 0].get("node")
    saved = [] if node is None else [one["tensor"] for one in log.nodes[node]["saved"]]
    return {clash.saved} | {
        t for t in saved if t is not None and log.tensors[t]["version_counter"] == counter
    }


def _copied(log: Log, clash: Clash) -> tuple[str, list[Edit]] | None:
    """The statement that saved a tensor, computing with a copy: its text and the edits; None where the source does not show it. Values and
    gradients are those that the statement had without the write."""
    place = None if clash.saver is None else at_step(log, clash.saver)
    if place is None or clash.saver is None:
        return None
    code, statement = place
    if isinstance(statement, (ast.For, ast.While, ast.If, ast.With, ast.FunctionDef, ast.ClassDef)):
        return None
    step = log.steps[clash.saver]
    if clash.saved in step.get("makes", ()):
        nodes = [
            n
            for n in ast.walk(statement)
            if isinstance(n, ast.expr) and code.text(n) == log.text(clash.saver)
        ]
        whole = [
            f"({code.text(n)})" if isinstance(n, (ast.BinOp, ast.UnaryOp)) else code.text(n)
            for n in nodes[:1]
        ]
        edits = [code.replaced(n, f"{text}.clone()") for n, text in zip(nodes, whole, strict=False)]
    else:
        texts = {
            _reading(log, t, clash.saver) or log.known_as(t, clash.saver) for t in _saved_beside(log, clash)
        }
        edits = [edit for text in sorted(texts) for edit in read_as(code, statement, text, f"{text}.clone()")]
    if not edits:
        return None
    first = code.first
    after = Code(applied(code.lines, edits, first), code.file, first).statement_at(statement.lineno)
    return (" ".join(ast.unparse(after).split()), edits) if after is not None else None


def _repair_of(log: Log, writer: int, saver: int | None, name: str, saved: int, written: int) -> str:
    """What to do about a write, by a step, to the tensor that another saved."""
    doing = log.doing(writer)
    if writer == saver:
        return instead_of(
            doing,
            name,
            "Use the operation that makes a new tensor, because the derivative needs what the in-place one overwrites.",
        )
    own = not doing.endswith(".step()") and not doing.startswith("embedding_renorm_")
    # Also where a leaf is written to by no other name: a copy of a leaf would learn nothing.
    written_leaf, saved_leaf = (
        log.state(t, writer)["is_leaf"] and log.state(t, writer)["requires_grad"] for t in (written, saved)
    )
    if own and (written_leaf or (saved_leaf and not _has_other_name(doing, name))):
        return LEAF.format(at=log.spot(writer))
    if PART.match(doing) and any(
        in_loop("\n".join(lines), line) for lines, line in log.places.around(log.steps[writer])
    ):
        read = _reading(log, saved, saver) or name
        return f"Collect the parts in a list and join them with jgrad.stack(parts), or read from a copy, as in {read}.clone()."
    text, op = log.text(writer), log.steps[writer]["op"]
    called = called_in(text)  # also where the sentence is too short for it
    return repair(name, f"{op} in {text}" if called and called.strip("_") != op.strip("_") else doing)


def _reading(log: Log, saved: int, saver: int | None) -> str:
    """The code that gave a step what it saved: h[t - 1] of `h[t - 1] * w`. Nothing if it is a variable."""
    span = None if saver is None else log.steps[saver]["span"]
    while (made := log.maker.get(saved)) is not None and log.steps[made]["kind"] == "view":
        if log.steps[made]["span"] != span:
            return log.text(made)
        saved = log.steps[made]["reads"][0]  # a layer made this view of what it was given
    return ""


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
    alias = TARGET.match(writer)
    # A copy of the saved tensor itself would not help: the other name still writes to the saved one.
    copied = alias[1] if alias else name
    # It would save parts of the very copy that it writes to.
    reads_itself = re.search(rf"=.*\b{re.escape(copied)}\b", writer)
    copy = "Write to a clone() of the saved tensor."
    if NAME.fullmatch(copied):
        copy = f"Write {copied} = {copied}.clone() before the write in place."
        copy = f"Compute with {copied}.clone() in the line that writes." if reads_itself else copy
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
