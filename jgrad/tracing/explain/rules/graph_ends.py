"""Operators at which the path from a loss to a leaf ends: an index, a comparison, an integer, a copy of the numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.syntax import around, numbers_taken
from jgrad.tracing.explain import leaving
from jgrad.tracing.explain.edits import Code, at_step, kept_as_tensor
from jgrad.tracing.explain.history import FLOATING, MODES, goes_into, taken_as_numbers, with_gradient
from jgrad.tracing.explain.repairs import library
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.rules.grad_not_filled import cut_between, names_of
from jgrad.tracing.explain.rules.no_history import cut_off, never_had
from jgrad.tracing.explain.training import Training

NOTES = Rules()

COPIES = ("tensor", "as_tensor", "new_tensor")
COPYING = re.compile(r"\b(?:as_|new_)?tensor\(")
FROM_NUMBERS = (*COPIES, "from_numpy")
BEST = """
scores = jgrad.tensor([0.1, 0.7, 0.2], requires_grad=True)
table = jgrad.ones(3, requires_grad=True)
{choice}
loss.backward()
"""

TERM = """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x = jgrad.ones(3, 2, requires_grad=True)
y = net(x).sum()
slope, = jgrad.autograd.grad(y, {})
penalty = (slope ** 2).sum()
loss = y + penalty
loss.backward()
opt.step()
"""


@NOTES.rule(
    "path-ends", "warning", "the path from the loss to a leaf ends in an index, a comparison or a whole number",
    "{grads} {stay} None: {root} was computed from {names}. The path ends in {at}, in {what}.",
    "{repair}",
    BEST.format(choice="best = scores.argmax()\nloss = table[best] ** 2"),
    BEST.format(choice="p = scores.softmax(0)\nloss = (table * p).sum() ** 2"),
)  # fmt: skip
def path_ends(log: Log) -> Iterator[dict]:
    """A leaf from which a result was computed never got a gradient, since what it went through has none."""
    # The tensor at which the path ends -> call, root, leaves.
    cuts: dict[int, tuple[int, int, list[int]]] = {}
    for i, root, leaf in _left_out(log):
        cut = cut_between(log, leaf, root, i)
        if cut is not None and _ends_here(log, cut) and not _is_target(log, cut):
            known = cuts.setdefault(cut, (i, root, []))
            if leaf not in known[2]:
                known[2].append(leaf)
    for cut, (i, root, leaves) in cuts.items():
        made = log.maker[cut]
        yield _names(log, leaves, i) | {
            "step": i, "tensors": leaves, "lines": log.lines(made, i), "root": log.name(root, i), "at": log.at(made), "what": log.cutter(cut),
            "repair": with_gradient(log, cut),
        }  # fmt: skip


@NOTES.rule(
    "path-ends-in-numbers", "warning", "the path from the loss to a leaf ends in item(), float(), int() or numpy()",
    "{grads} {stay} None: {at} takes plain numbers of what was computed from {names} ({what}), and {root} is computed from those.",
    "Compute with the tensor itself.",
    BEST.format(choice="factor = scores.sum().item()\nloss = (table * factor).sum()"),
    BEST.format(choice="factor = scores.sum()\nloss = (table * factor).sum()"),
)  # fmt: skip
def path_ends_in_numbers(log: Log) -> Iterator[dict]:
    """The numbers of a leaf that never got a gradient are in a result, and no operator leads there."""
    if Training.of(log).optimized:
        return  # the rules about networks know which leaves are to learn
    found: dict[tuple[int | None, int, str], tuple[int, int, list[int]]] = {}
    for i, root, leaf in _left_out(log):
        if leaf in log.sources(root, i) or cut_between(log, leaf, root, i) is not None:
            continue
        for source, line, text in _numbers_taken(log, leaf, root, i):
            known = found.setdefault((source, line, text), (i, root, []))
            if leaf not in known[2]:
                known[2].append(leaf)
    for (source, line, text), (i, root, leaves) in found.items():
        here = source is None
        yield _names(log, leaves, i) | {
            "step": i, "tensors": leaves, "lines": sorted({*([line] if here else []), *log.lines(i)}), "root": log.name(root, i),
            "at": log.places.of_line(line) if source is None else f"{log.places.sources[source]['name']}, line {line}", "what": text,
            "edits": kept_as_tensor(Code.of_log(log, source), line, text),
        }  # fmt: skip


@NOTES.rule(
    "term-without-history", "warning", "a term of a loss has no history, so nothing learns from it",
    "Nothing learns from {term}, which {at} adds to {root}: {why}",
    "{repair}",
    TERM.format("x, create_graph=False"),
    TERM.format("x, create_graph=True"),
)  # fmt: skip
def term_without_history(log: Log) -> Iterator[dict]:
    """A penalty of gradients without create_graph=True, or of weights under no_grad() or of their `.data`; a score that counts hits."""
    optimized = Training.of(log).optimized
    said = set()
    for i, step in log.of("backward"):
        for root, made, term in _plain_terms(log, step["roots"], i) if step["op"] == "backward" else ():
            line = log.steps[made]["line"]
            if term is None:
                case = _of_number(log, root, made, i) if optimized and line not in said else None
                said |= {line} if case else set()
                yield from [case] if case else ()
                continue
            why = never_had(log, term, i)
            of_numbers = optimized and why is not None and why.rule.code == "made-of-numbers"
            numbers = of_numbers and any(taken_as_numbers(log, t) for t in (term, *log.origins(term, i)))
            if not numbers and (why is None or why.rule.code != "gradient-without-history"):
                cuts = log.cuts(term, i)
                cut = next((t for t, parents in cuts if not optimized.isdisjoint(parents)), None)
                known = cut is not None and log.cutter(cut) in (".data", *MODES)
                # A count, or what was compared or rounded to whole numbers, of what the parameters gave.
                counted = cuts and not any(log.tensors[t]["dtype"].startswith(FLOATING) for t, _ in cuts)
                counted = counted and not optimized.isdisjoint(log.sources(term, i))
                why = cut_off(log, term, i) if known or counted else None
            if why is not None and line not in said:
                said.add(line)
                yield {
                    "step": made, "tensors": [term], "lines": log.lines(made), "term": log.name(term, i), "at": log.at(made),
                    "root": log.name(root, i), "why": why.cause, "repair": why.repair, "edits": why.edits,
                }  # fmt: skip


COPIED = """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    y = net(jgrad.ones(3, 2))
    a, b = y.mean(), y.pow(2).mean()
    loss = jgrad.{}.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@NOTES.rule(
    "results-copied", "warning", "a new leaf is made of the numbers of results, and backward() ends there",
    "{at} copies the numbers of {names} to a new tensor, without their history. So backward() ends there, and {params} {get} no gradient.",
    "{repair}",
    COPIED.format("tensor([a, b], requires_grad=True)"),
    COPIED.format("stack([a, b])"),
)  # fmt: skip
def results_copied(log: Log) -> Iterator[dict]:
    """A leaf was made of what parameters of an optimizer made. It gets gradients that nothing reads, and they get none."""
    training = Training.of(log)
    begun = {root for _, step in log.of("backward") for root in step["roots"]}
    for leaf in sorted(begun | {t for t in training.grads if training.filled(t)}):
        i = log.maker.get(leaf)
        if (
            i is None
            or leaf in training.optimized
            or not log.tensors[leaf]["is_leaf"]
            or not COPYING.search(log.text(i))
        ):
            continue
        reads = log.steps[i].get("reads", [])
        # PyTorch detaches a single tensor first.
        reads = (
            log.read_for(reads[0], i)
            if [log.steps[k]["op"] for k in map(log.maker.get, reads) if k] == ["detach"]
            else reads
        )
        taken = [r for r in reads if log.state(r, i)["requires_grad"]]
        params = sorted(training.optimized & log.sources(taken[0], i)) if taken else []
        if (
            not params
            or training.uses_of_grad(leaf)
            or any(training.filled(p) or p in training.fed for p in params)
        ):
            continue
        names = listed([*dict.fromkeys(log.name(r, i) for r in taken)][:3])
        blanks = {"names": names, "repair": "Join them with stack() or cat(), which keep it.", "edits": []}
        # A single tensor has the shape of what was made of it; else the numbers stood in a list.
        alone = len(reads) == 1 and log.tensors[reads[0]]["shape"] == log.tensors[leaf]["shape"]
        if alone or not any(log.tensors[r]["shape"] for r in reads):
            blanks |= _with_history(log, i, alone)
        yield blanks | {
            "step": i, "tensors": [leaf, *params], "lines": log.lines(i), "at": log.at(i), "params": training.names_or_number(params, i),
            "get": "gets" if len(params) == 1 else "get",
        }  # fmt: skip
        return


def _with_history(log: Log, index: int, alone: bool) -> dict[str, Any]:
    """What a call copied, as it is written, and what to write for it: the tensor itself, or stack() of a list of numbers. Nothing where that is not known."""
    place = at_step(log, index)
    calls = [n for n in ast.walk(place[1]) if isinstance(n, ast.Call) and n.args] if place is not None else []
    own = [n for n in calls if place is not None and place[0].text(n) == log.text(index)]
    if place is None or len(own) != 1 or not isinstance(own[0].args[0], (ast.Name, ast.List, ast.ListComp)):
        return {}
    code, given = place[0], own[0].args[0]
    text = code.text(given)
    names = listed([*map(code.text, given.elts)]) if isinstance(given, ast.List) else text
    new = text if alone else f"{library(code)}.stack({text})"
    return {
        "names": names,
        "repair": f"Write {new} there, which keeps it.",
        "edits": [code.replaced(own[0], new)],
    }


def _plain_terms(log: Log, roots: list[int], index: int) -> Iterator[tuple[int, int, int | None]]:
    """(root, the step of a sum, its term without history) of the numbers that were added up to a root which has one; None for a Python number."""
    for root in roots:
        todo = [root]
        while todo:
            made = log.maker.get(todo.pop(), index)
            step = log.steps[made]
            reads = [r for r in step.get("reads", ()) if not log.tensors[r]["shape"]]
            if made >= index or step["op"] not in ("add", "sub", "neg", "mul", "div"):
                continue
            history = [r for r in reads if log.state(r, made)["requires_grad"]]
            todo += history
            if step["op"] in ("add", "sub") and history:
                yield from ((root, made, r) for r in reads if r not in history and r in log.maker)
                if len(step["reads"]) == 1:
                    yield root, made, None


def _of_number(log: Log, root: int, made: int, index: int) -> dict[str, Any] | None:
    """What is said of a Python number that a step added to a loss: which call took it of what had a history. None if none is known."""
    place = at_step(log, made)
    if place is None:
        return None
    nodes = [
        n
        for n in ast.walk(place[1])
        if isinstance(n, (ast.BinOp, ast.AugAssign)) and isinstance(n.op, (ast.Add, ast.Sub))
    ]
    # In the same function before it, or in a function that it calls.
    inner = [f.name for f in around(place[0].tree, place[1].lineno, ast.FunctionDef)][-1:]
    called = {ast.unparse(n.func).rpartition(".")[2] for n in ast.walk(place[1]) if isinstance(n, ast.Call)}
    taken = [
        (code, call) for code, call in leaving.taken_as_numbers(log, made)
        if ((names := [f.name for f in around(code.tree, call.lineno, ast.FunctionDef)][-1:]) == inner and code is place[0] and call.lineno <= place[1].lineno)
        or called.intersection(names)
    ]  # fmt: skip
    if not taken or len(nodes) != 1:
        return None
    (code, call), node = taken[-1], nodes[0]
    first = log.text(log.maker.get(log.steps[made]["reads"][0], made))
    parts = (
        [node.value]
        if isinstance(node, ast.AugAssign)
        else [n for n in (node.right, node.left) if place[0].text(n) not in (first, log.name(root, made))]
    )
    where = code.place(log, call.lineno)
    return {
        "step": made, "tensors": [], "lines": log.lines(made), "term": place[0].text(parts[0]) if parts else "a number", "at": log.at(made),
        "root": log.name(root, index), "why": f"{code.text(call)} in {where} takes a number, which has no history.",
        "repair": "Compute with the tensor itself.", "edits": kept_as_tensor(code, call.lineno, code.text(call)),
    }  # fmt: skip


def _numbers_taken(log: Log, leaf: int, root: int, index: int) -> Iterator[tuple[int | None, int, str]]:
    """(source, line, expression) of code that takes plain numbers of what was computed from a leaf, and from which a root may come."""
    names = names_of(log, leaf)
    for line, text in numbers_taken(log.source, names):
        if goes_into(log, line, [root], index):
            yield None, line, text
    # In a function elsewhere: the same function makes a tensor of plain numbers, and the root was computed from that.
    made = [log.steps[log.maker[t]] for t in log.sources(root, index) | {root} if t in log.maker]
    fresh = {log.places.line(step)[0] for step in made if step["op"] in FROM_NUMBERS}
    for k, one in enumerate(log.places.sources):
        if k in fresh and one["lines"]:
            for line, text in numbers_taken(one["lines"], names):
                yield k, line + one["first"] - 1, text


def _left_out(log: Log) -> Iterator[tuple[int, int, int]]:
    """(step of a backward call, root, leaf with a name) of the leaves that could have got a gradient and never did."""
    training = Training.of(log)
    filled, optimized = {grad["tensor"] for _, grad in log.grads} | training.fed, training.optimized
    last = {step["line"]: (i, step) for i, step in log.of("backward") if step["op"] == "backward"}
    for i, step in last.values():
        arrived = any(s.get("backward_call") == step["backward_call"] for _, s in log.of("accumulate"))
        for t in log.final if arrived else ():
            asks = t["requires_grad"] and t["is_leaf"] and t["dtype"].startswith(FLOATING)
            if optimized and t["id"] not in optimized:
                continue  # it is not to learn
            if asks and t["id"] not in filled and t["created_step"] < i and name_at(t, i):
                for root in step["roots"]:
                    yield i, root, t["id"]


def _ends_here(log: Log, cut: int) -> bool:
    """Whether a path ends in a tensor since it holds whole numbers or truth values, or is a copy of numbers."""
    if not log.tensors[cut]["dtype"].startswith(FLOATING):
        return True
    return log.steps[log.maker[cut]]["op"] in COPIES and not Training.of(log).optimized


def _is_target(log: Log, cut: int) -> bool:
    """Whether a loss compares with a tensor, as with the labels that another network gives."""
    return any(
        "nll_loss" in log.steps[i]["op"] or "cross_entropy" in log.steps[i]["op"]
        for i in log.users.get(cut, ())
    )


def _names(log: Log, leaves: list[int], index: int) -> dict[str, str]:
    """The blanks of a sentence about some leaves."""
    names = [*dict.fromkeys(log.name(t, index) for t in leaves)]
    shown = names if len(names) <= 3 else [*names[:2], f"{len(names) - 2} more"]
    return {
        "names": listed(shown), "grads": listed([f"{n}.grad" if n in names else n for n in shown]), "stay": "stays" if len(names) == 1 else "stay",
    }  # fmt: skip
