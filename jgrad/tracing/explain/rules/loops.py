"""Loops that keep the graphs of earlier rounds, and training that diverges."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Any

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Step, TraceTensor
from jgrad.tracing.document.syntax import LOOPS, around
from jgrad.tracing.explain.edits import Code, Edit, at_step, calls_of, names_in, read_as
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.rules.accumulation import sums
from jgrad.tracing.explain.training import Training

NOTES = Rules()

GROWTH = 1000.0  # a loss that became so many times larger diverges,
FEW = 2  # rounds that show it where the loss is not finite then
STEADY_GROWTH = 5.0  # or so many times, if it grew in each round and nothing but this loss is minimized,
STEADY_ROUNDS = 8  # in so many rounds at least: the losses of five batches are in this order by chance in one of 120 trainings,
ROUNDS = 6  # if it grew in the last so many rounds

TOTAL = """
w = jgrad.tensor(1.2, requires_grad=True)
total = 0
for i in range(3):
    w.grad = None
    loss = w * w
    loss.backward()
    total = 0.9 * total + 0.1 * %s
"""
AVERAGED = """
w = jgrad.ones(2, requires_grad=True)
average = jgrad.ones(2)
for i in range(3):
    w.grad = None
    (w * w).sum().backward()
    %s
"""
DIVERGING = """
w = jgrad.tensor(1., requires_grad=True)
opt = jgrad.optim.SGD([w], lr=%s)
for i in range(8):
    opt.zero_grad()
    loss = (w * 2 - 6) ** 2
    loss.backward()
    opt.step()
"""
RETAINED = """
w = jgrad.ones(2, requires_grad=True)
h = jgrad.zeros(2)
for i in range(3):
    h = jgrad.tanh(%s + w)
    w.grad = None
    h.sum().backward(%s)
"""
LISTED = """
w = jgrad.tensor(1.2, requires_grad=True)
losses = []
for i in range(3):
    w.grad = None
    loss = w * w
    loss.backward()
    losses.append(%s)
"""


@NOTES.rule(
    "sum-keeps-graphs", "warning", "losses are added up or averaged with their history",
    "{at} adds {root} with its history to {total}, so {total} keeps the graphs of {count} results in memory, and each round adds one.",
    "Write {here}.detach() in {at}.",
    TOTAL % "loss",
    TOTAL % "loss.item()",
)  # fmt: skip
def sum_keeps_graphs(log: Log) -> Iterator[dict]:
    """Such a history holds several results of one line that backward ran from."""
    roots: dict[int, tuple[int, int]] = {}  # node -> (step of the first call, root)
    for i, step in log.of("backward"):
        for t in step["roots"]:
            started = log.node_at(t, i)
            if started is not None:
                roots.setdefault(started, (i, t))
    mentioned: set[int] = set()
    cases: dict[int | None, dict] = {}  # by line: the sum itself rather than what was computed from it
    # The sum before what is computed from it.
    for known, node, name, nodes in sorted(histories(log), key=itemgetter(1)):
        kept = _of_one_line(log, nodes & roots.keys())
        if len(kept) < 2 or log.node_maker.get(node, -1) <= roots[kept[0]][0]:
            continue
        root = roots[kept[-1]][1]
        steps = [
            *log.users.get(root, ()),
            log.maker.get(known["id"], -1),
            log.node_maker.get(node, -1),
        ]
        i = next((k for k in steps if k > roots[kept[-1]][0] and "node" in log.steps[k]), steps[-1])
        if i in mentioned:
            continue
        mentioned.add(i)
        line = log.steps[i]["line"]
        changed = [*log.steps[i].get("makes", ()), *[w["tensor"] for w in log.steps[i].get("writes", ())]]
        if line not in cases or known["id"] in changed:
            cases[line] = {
                "step": i, "tensors": [known["id"]], "lines": log.lines(i), "at": log.at(i), "root": log.name(root, i),
                "count": log.many(len(kept)), "total": name,
            } | _detached(log, i, log.name(root, i))  # fmt: skip
    yield from cases.values()


@NOTES.rule(
    "history-grows", "warning", "a tensor that is carried from round to round keeps its whole history",
    "{at} computes {name} from its old value with the history, so {name} keeps the graphs of {count} rounds, and no backward() went "
    "through them.",
    "Compute it under no_grad(), or use {name}.detach() in {at}.",
    AVERAGED % "average = 0.9 * average + 0.1 * w",
    AVERAGED % "average = 0.9 * average + 0.1 * w.detach()",
)  # fmt: skip
def history_grows(log: Log) -> Iterator[dict]:
    """Such a history holds the same operation of several rounds, between which backward ran from something else."""
    if any("second time" in step["error"]["message"] for _, step in log.of("error")):
        return  # the error reports it already
    calls = log.of("backward")
    roots = {log.node_at(t, i) for i, step in calls for t in step["roots"]}
    for known, node, name, nodes in histories(log):
        last = log.nodes[node]
        if log.gaps:  # a backward pass may have come through what is older
            nodes = {n for n in nodes if log.nodes[n]["created_step"] > log.gaps[-1]}
        same = {
            n for n in nodes if (log.nodes[n]["line"], log.nodes[n]["name"]) == (last["line"], last["name"])
        }
        first = log.nodes[min(same)]["created_step"]
        between = any(first < i < last["created_step"] for i, _ in calls)
        # Did it begin anew after a backward call? Then it does not grow, as in MAML, where each task begins at the same parameters.
        before = max([i for i, _ in calls if i < first], default=-1)
        since = log.gaps[-1] if log.gaps else -1
        anew = any(
            since < other["created_step"] < before
            for other in log.nodes
            if (other["line"], other["name"]) == (last["line"], last["name"])
        )
        if (
            len(same) > 1
            and last["line"] is not None
            and between
            and not anew
            and len(_of_one_line(log, nodes & roots)) < 2
        ):
            i = log.node_maker.get(node, -1)
            yield {
                "step": i, "tensors": [known["id"]], "lines": [last["line"]], "at": log.at(i), "name": name, "count": log.many(len(same)),
                **_detached(log, i, name),
            }  # fmt: skip


@NOTES.rule(
    "rounds-run-again", "warning", "retain_graph=True makes each round run through all rounds before it",
    "{at}: backward() ran {first} in its first round and {last} in its last round, because retain_graph=True keeps the graphs of all rounds.",
    "Write {name} = {name}.detach() at the end of each round and leave out retain_graph=True, or call backward() once after the loop.",
    RETAINED % ("h", "retain_graph=True"),
    RETAINED % ("h.detach()", ""),
)  # fmt: skip
def rounds_run_again(log: Log) -> Iterator[dict]:
    """A backward pass in a loop goes through what earlier rounds computed, since their graphs were retained."""
    if not any("retain_graph" in line for line in log.source):
        return
    passes: dict[int, set[int]] = {}  # number of a backward call -> the nodes it ran
    for _, step in log.of("node"):
        passes.setdefault(step.get("backward_call", -1), set()).add(step["node"])
    calls: dict[int | None, list[tuple[int, Step]]] = {}
    for i, step in log.of("backward"):
        if step["op"] == "backward":
            calls.setdefault(step["line"], []).append((i, step))
    for found in calls.values():
        runs = [passes.get(step["backward_call"], set()) for _, step in found]
        grows = all(len(a) < len(b) and a & b for a, b in pairwise(runs))
        if len(runs) > 2 and grows:
            (before, _), (i, _) = found[-2:]
            carried = (
                name for k in range(before + 1, i) for t in log.steps[k].get("reads", ())
                if log.node_at(t, k) in runs[-2] and (name := log.name(t, k - 1)).isidentifier()
            )  # fmt: skip
            yield {
                "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "first": _nodes(len(runs[0])), "last": _nodes(len(runs[-1])),
                "name": (name := next(carried, "h")), "edits": _again_without_history(log, i, name),
            }  # fmt: skip


@NOTES.rule(
    "loss-grows", "warning", "a loss grows from round to round",
    "{name} ({at}) grew from {first} to {last} in {count} rounds, so the training diverges{summed}.",
    "{repair}",
    DIVERGING % "1.",
    DIVERGING % "0.1",
)  # fmt: skip
def loss_grows(log: Log) -> Iterator[dict]:
    """What backward runs from, round by round, becomes larger and larger."""
    for found in losses(log).values():
        known = [one for one in found if one[1] - one[1] == 0]
        # Losses that are no numbers: it grew beyond all of them.
        enough = FEW if len(known) < len(found) else ROUNDS
        tail = known[-ROUNDS:]
        grows = len(tail) >= enough and all(
            0 < a[1] < b[1] and not log.has_gap(a[0], b[0]) for a, b in pairwise(tail)
        )
        steadily = (
            len(known) >= STEADY_ROUNDS
            and all(0 < a[1] < b[1] for a, b in pairwise(known))
            and only_minimizes(log)
            and not log.gaps
        )
        least = STEADY_GROWTH if steadily else GROWTH
        if (
            grows
            and tail[-1][1] > least * known[0][1] > 0
            and any(run.uses for runs in sums(log).values() for run in runs)
        ):
            i = tail[-1][0]
            yield {
                "step": i, "tensors": log.steps[i]["roots"], "lines": log.lines(i), "name": log.name(log.steps[i]["roots"][0], i), "at": log.at(i),
                "first": known[0][2], "last": tail[-1][2], "count": log.times(len(known)), **_summed(log),
            }  # fmt: skip


def _summed(log: Log) -> dict:
    """What to do about a loss that grows; if the only loss that the code names adds up its batch, that is why."""
    found = [
        (code, k.value) for code in Code.all_of(log) for n in ast.walk(code.tree) if isinstance(n, ast.Call)
        if re.search(r"[Ll]oss\w*$|cross_entropy\w*$", ast.unparse(n.func)) for k in n.keywords if k.arg == "reduction"
    ]  # fmt: skip
    if len(found) != 1 or ast.unparse(found[0][1]) != "'sum'":
        repair = "Use a smaller learning rate, and check the sign of the step and that gradients are cleared."
        return {"summed": "", "repair": repair, "edits": []}
    code, value = found[0]
    return {
        "summed": ": it adds up the losses of a batch, so the steps are as many times larger",
        "repair": 'Write reduction="mean", or divide the learning rate by the size of a batch.',
        "edits": [code.replaced(value, '"mean"')],
    }


@NOTES.rule(
    "list-keeps-graphs", "info", "losses are kept in a list with their history",
    "{name} holds results{of} with their history, so their graphs stay in memory as long as {name}.",
    "Append {loss}.detach() to {name} instead of {loss}.",
    LISTED % "loss",
    LISTED % "loss.item()",
)  # fmt: skip
def list_keeps_graphs(log: Log) -> Iterator[dict]:
    """A list keeps results that backward ran from."""
    lists: defaultdict[tuple[str, int | None], list[TraceTensor]] = defaultdict(list)
    for _, step in log.of("backward"):
        for t in step["roots"]:
            known = log.final[t]
            item = re.fullmatch(r"(.*)\[\d+\]", name_at(known, len(log.steps)))
            found = lists[item[1], step["line"]] if item else []
            if item and known["freed_step"] is None and known["grad_fn"] is not None and known not in found:
                found.append(known)
    for (name, _), found in lists.items():
        if len(found) > 1:
            made = log.maker.get(found[-1]["id"])
            yield {
                "step": len(log.steps) - 1 if made is None else made, "tensors": [t["id"] for t in found], "lines": log.lines(made), "name": name, "loss": _appended_name(log, name),
                "of": "" if made is None else f" of {log.at(made)}", "edits": _appended(log, name),
            }  # fmt: skip


def _appends(log: Log, name: str) -> Iterator[tuple[Code, ast.expr]]:
    """What the cell appends to a list."""
    code = Code.of_log(log)
    for call in calls_of(code.tree, "append"):
        assert isinstance(call.func, ast.Attribute)
        if ast.unparse(call.func.value) == name and len(call.args) == 1:
            yield code, call.args[0]


def _appended_name(log: Log, name: str) -> str:
    """The variable that is appended to a list; "loss" where that is not one variable."""
    texts = {ast.unparse(node) for _, node in _appends(log, name)}
    return texts.pop() if len(texts) == 1 else "loss"


def _appended(log: Log, name: str) -> list[Edit]:
    """The same appended without its history."""
    return [
        code.replaced(node, f"{code.text(node)}.detach()")
        for code, node in _appends(log, name)
        if isinstance(node, ast.Name)
    ]


def _again_without_history(log: Log, step: int, name: str) -> list[Edit]:
    """A loop that takes a variable over without its history, and whose backward() keeps no graph."""
    place = at_step(log, step)
    if place is None or place[0].file:
        return []
    code, statement = place
    loops = [s for s in around(code.tree, statement.lineno, LOOPS) if s is not statement]
    calls = [c for c in calls_of(statement, "backward") if any(k.arg == "retain_graph" for k in c.keywords)]
    if not loops or not calls:
        return []
    kept = [
        ast.unparse(p) for p in (*calls[0].args, *(k for k in calls[0].keywords if k.arg != "retain_graph"))
    ]
    plain = code.replaced(calls[0], f"{code.text(calls[0].func)}({', '.join(kept)})")
    last = max(loops, key=lambda s: s.lineno).body[-1]
    if last is statement:  # both edits of one statement
        line, column, *_ = code.span(statement)
        return (
            [plain, code.after(statement, f"{name} = {name}.detach()")]
            if code.line(line)[:column].strip() == ""
            else []
        )
    return [plain, code.after(last, f"{name} = {name}.detach()")]


def _detached(log: Log, step: int, name: str) -> dict[str, Any]:
    """A statement that reads a variable without its history, as an edit; and `here`, what the variable is called there."""
    place = at_step(log, step) if step >= 0 else None
    statement = None if place is None else place[1]
    added = statement.value if isinstance(statement, ast.AugAssign) else None
    here = name
    if (
        statement is not None
        and not names_in(statement, name)
        and isinstance(added, (ast.Name, ast.Attribute))
    ):
        here = ast.unparse(added)  # an argument
    return {"here": here, "edits": [] if place is None else read_as(*place, here, f"{here}.detach()")}


def _nodes(count: int) -> str:
    return "1 node" if count == 1 else f"{count} nodes"


def losses(log: Log) -> dict[int | None, list[tuple[int, float, str]]]:
    """(step, value, its text) of what backward ran from, for each line that calls it."""
    values: dict[int | None, list[tuple[int, float, str]]] = {}
    for i, step in log.of("backward"):
        if step["op"] != "backward" or len(step["roots"]) != 1:
            continue
        root = log.tensors[step["roots"][0]]
        storage = log.document["storages"][root["storage"]]
        elements = storage["contents"]["elements"]
        # (Some operators of PyTorch's give a number that lies in a larger storage.)
        place = root["storage_offset"]
        known = (
            not root["shape"] and place < storage["contents"]["head"] and storage["dtype"] == root["dtype"]
        )
        if known and root["dtype"].startswith(("float", "bfloat")):
            values.setdefault(step["line"], []).append((i, float(elements[place]), elements[place]))
    return values


def only_minimizes(log: Log) -> bool:
    """Whether all that learns is there to make one loss smaller: one optimizer, which makes steps, and one backward call in the code."""
    training = Training.of(log)
    one = len(training.optimizers) == 1 and not training.optimizers[0]["maximize"]
    calls = {step["line"] for _, step in log.of("backward")}
    return one and len(calls) == 1 and any(training.steps_of(p) for p in training.optimizers[0]["parameters"])


def histories(log: Log) -> Iterator[tuple[TraceTensor, int, str, set[int]]]:
    """(tensor, its node, name, nodes) of what variables hold in the end with a history through which no backward pass came."""
    if len(log.of("backward")) < 2:
        return
    reported = set()
    for t in reversed(log.left):  # what a name meant before may have died after the last step
        node = t["grad_fn"]
        if node is None or t["is_leaf"] or node in log.runs:
            continue
        if log.has_gap(log.nodes[node]["created_step"], len(log.steps)):
            continue  # a backward pass may have come through in the gap
        name = log.name(t["id"]) if any(n for _, n in t["names"]) else ""
        if name and name not in reported:
            reported.add(name)
            yield t, node, name, log.nodes_behind(node)


def _of_one_line(log: Log, nodes: Iterable[int]) -> list[int]:
    """The largest group of nodes that one line made."""
    lines: defaultdict[int | None, list[int]] = defaultdict(list)
    for node in sorted(nodes):
        lines[log.nodes[node]["line"]].append(node)
    return max(lines.values(), key=lambda group: len(group), default=[])
