"""The rules about training loops: steps of an optimizer that change nothing, clipping out of turn, sums that keep graphs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from jgrad.trace.document.index import name_at
from jgrad.trace.document.log import Log
from jgrad.trace.document.sentences import IDLE, brief
from jgrad.trace.explain.rule import Rule, listed
from jgrad.trace.explain.subject import sums

STEP = re.compile(r"[\w.\[\]'\"]+\.step\(")
CLIP = re.compile(r"\bclip_grad\w*_\(")
GROWTH = 1000.0  # a loss that became so many times larger diverges,
ROUNDS = 4  # if it grew in the last so many rounds
SHOWN = 4  # names that a sentence lists


class Training:
    """What a log says about each parameter, in order: what came to its .grad, what cleared, clipped and used it."""

    def __init__(self, log: Log) -> None:
        self.log = log
        ran = [pair for op in IDLE for pair in log.operations.get(op, ())]
        self.idle = [(i, s) for i, s in ran if "reads" in s and "makes" not in s and "node" not in s]
        self.grads: dict[int, list[tuple[int, dict]]] = {}  # tensor -> (step, what happened to its .grad)
        for i, grad in log.grads:
            self.grads.setdefault(grad["tensor"], []).append((i, grad))
        self._texts: dict[tuple, str] = {}

    @classmethod
    def of(cls, log: Log) -> Training:
        """That of a log, made once."""
        if log.training is None:
            log.training = cls(log)
        return log.training

    def text(self, index: int) -> str:
        """`log.text`, remembered: a loop has the same expressions again and again."""
        span = self.log.steps[index]["span"]
        if span is None:
            return ""
        return self._texts.setdefault(tuple(span), self._texts.get(tuple(span)) or self.log.text(index))

    def steps_of(self, parameter: int) -> list[tuple[int, dict]]:
        """(step, write) by which optimizers changed a parameter."""
        writes = self.log.writes_to.get(self.log.tensors[parameter]["version_counter"], ())
        return [(i, w) for i, w in writes if w["tensor"] == parameter and STEP.match(self.text(i))]

    def clips_of(self, parameter: int) -> list[tuple[int, bool]]:
        """(step, whether there was anything to clip) of the calls that clip its gradient."""
        found = [(i, True) for i, _ in self.grads.get(parameter, ()) if CLIP.search(self.text(i))]
        return found + [(i, False) for i, s in self.idle if s["op"] != "step" and parameter in s["reads"]]

    def names(self, numbers: list[int], index: int, ending: str = "") -> str:
        """What some tensors are called, a few of them."""
        known = dict.fromkeys(f"{self.log.name(t, index)}{ending}" for t in numbers)
        names = list(known)
        return listed(
            names if len(names) <= SHOWN else [*names[: SHOWN - 1], f"{len(names) - SHOWN + 1} more"]
        )

    # Steps that change nothing --------------------------------------------------------------------------------------------------------

    def why_none(self, params: list[int], index: int, what: str) -> tuple[str, str, list[int]]:
        """Why none of these has a gradient when `what` runs, at a step: the reason, what to do, the steps that it names."""
        log = self.log
        if not any(log.state(p, index)["requires_grad"] for p in params):
            return "none of them requires grad", "Call requires_grad_() on what is to be learned.", []
        events = sorted((i, g["action"], p) for p in params for i, g in self.grads.get(p, ()) if i < index)
        cleared = events[-1][0] if events else None
        filled = max((i for i, action, _ in events if action == "add"), default=None)
        used = [i for p in params for i, _ in self.steps_of(p) if filled is not None and filled < i < index]
        if cleared is not None and filled is not None and not used:
            why = f"{log.at(cleared)} cleared them after {log.at(filled)} had filled them"
            return why, f"Clear them before backward(), or after {what}.", [filled, cleared]
        since = -1 if cleared is None else cleared
        others = dict.fromkeys(
            t for t, events in self.grads.items() if t not in params and log.final[t]["is_leaf"]
            for i, grad in events if since < i < index and grad["action"] == "add"
        )  # fmt: skip
        if others:
            found = [t for t in others if self.named(t, index)] or [*others]
            what = self.names(found, index, ".grad")
            nameless = all(not self.named(p, index) for p in params)
            remade = self.remade([*others], found[0], index)
            root = self.root(found, index) if self.named(found[0], index) else "what is used"
            repair = (
                f"Make it once, and write to it in place under no_grad(): {log.at(remade)} makes a new {log.name(found[0], index)} each time."
                if nameless and remade is not None else
                f"Make the optimizer from the tensors that are used, after {root} was made, copied or loaded for the last time."
                if nameless else f"Give it those too, or compute what backward() starts at from {self.names(params, index)}."
            )  # fmt: skip
            last = max(i for t in others for i, g in self.grads[t] if i < index and g["action"] == "add")
            return f"backward filled {what}, which this optimizer does not hold", repair, [last]
        if any(s["op"] == "grad" for i, s in log.of("backward") if since < i < index):
            return (
                "autograd.grad() returns the gradients and leaves every .grad as it is",
                "Assign them to .grad, or call backward().",
                [],
            )
        if cleared is not None:
            why = f"{log.at(cleared)} cleared them, and no backward() has filled them since"
            return why, "Call backward() before each step.", [cleared]
        if any(since < i < index for i, _ in log.of("backward")):
            return "no backward() reached them", "Compute what backward() starts at from them.", []
        return "no backward() ran before", "Call backward() before each step.", []

    def remade(self, numbers: list[int], number: int, index: int) -> int | None:
        """The step that made a tensor, if its line has made several of these, one after the other."""
        made = {t: self.log.maker.get(next(iter(self.log.parameter_of.get(t, ())), t)) for t in numbers}
        lines = [self.log.steps[i]["line"] for i in made.values() if i is not None]
        here = made.get(number)
        names = {n for t in numbers for _, n in self.log.tensors[t]["names"] if n}
        again = here is not None and lines.count(self.log.steps[here]["line"]) > 1 and len(names) == 1
        return here if again else None

    def named(self, number: int, index: int) -> bool:
        """Whether a variable holds a tensor, apart from optimizers."""
        name = name_at(self.log.tensors[number], index)
        return bool(name) and "param_groups[" not in name

    def root(self, numbers: list[int], index: int) -> str:
        """The variable in which some tensors lie: "net" of net.weight."""
        names = dict.fromkeys(re.split(r"[.\[]", self.log.name(t, index))[0] for t in numbers)
        return listed([*names][:SHOWN])


def called(text: str) -> str:
    """ "opt.step()" of a call with whatever arguments."""
    return re.sub(r"\(.*\)$", "()", text, flags=re.DOTALL) or "step()"


def step_without_gradients(log: Log) -> Iterator[dict]:
    training = Training.of(log)
    times: dict[Any, list[tuple[int, dict]]] = {}
    for i, step in training.idle:
        if step["op"] == "step":
            times.setdefault(step["line"], []).append((i, step))
    for found in times.values():
        i, step = found[-1]
        what = called(training.text(i))
        why, repair, at = training.why_none(step["reads"], i, what)
        computed = any("node" in s for _, s in log.of("op"))
        yield {
            "step": i, "tensors": step["reads"], "lines": log.lines(*at, i), "at": log.at(i), "what": what, "why": why,
            "repair": repair, "times": f", {len(found)} times" if len(found) > 1 else "", "severity": "warning" if computed else "info",
        }  # fmt: skip


def step_in_vain(log: Log) -> Iterator[dict]:
    """Every step of an optimizer wrote what had been there before."""
    training = Training.of(log)
    steps: dict[
        str, list[tuple[int, int, bool]]
    ] = {}  # "opt.step()" -> (step, parameter, whether it changed something)
    for p, last in enumerate(log.final):
        if last["is_leaf"] and last["requires_grad"] and p in training.grads:
            for i, write in training.steps_of(p):
                steps.setdefault(called(training.text(i)), []).append((i, p, write["changed_elements"] != []))
    for what, found in steps.items():
        if any(changed for *_, changed in found):
            continue
        found.sort()
        i, parameter, _ = found[-1]
        before = [(k, g) for k, g in training.grads[parameter] if k < i]
        grad = before[-1][1]["after"] if before else None
        made = re.compile(rf"\b{re.escape(what.split('.')[0])}\s*=[^#]*\blr\s*=\s*0(?:\.0*)?(?![\d.e])")
        rate = next((n for n, line in enumerate(log.source, 1) if made.search(line)), None)
        lines, severity = log.lines(i), "info"
        params = list(dict.fromkeys(p for _, p, _ in found))
        name, given = training.names(params, i), f"{log.name(parameter, i)}.grad is {brief(grad)}"
        if grad is not None and grad.get("norm") == 0 and not grad.get("nan_count"):
            if before[-1][1]["action"] == "zero" and any(g["action"] == "add" for _, g in before):
                lines, severity = log.lines(before[-1][0], i), "warning"
                why = f"{log.at(before[-1][0])} set the gradients to zero before it"
                repair = f"Clear them before backward(), or after {what}."
            else:
                why, repair = (
                    "the gradients are zero",
                    f"%why {log.name(parameter, i)}.grad says where that comes from.",
                )
        elif rate is not None:
            lines, severity = sorted({rate, *lines}), "warning"
            why, repair = f"line {rate} gives it a learning rate of 0 ({given})", "Choose a larger one."
        else:
            why = f"{given}, but the learning rate is 0 or so small that the sum is rounded to what was there"
            repair = "Choose a larger one."
        yield {
            "step": i, "tensors": params, "lines": lines, "at": log.at(i), "what": what, "name": name, "why": why, "repair": repair,
            "severity": severity,
        }  # fmt: skip


def clip_out_of_turn(log: Log) -> Iterator[dict]:
    """What optimizers used had not been clipped, though clipping was asked for, or was clipped after they had used it."""
    if not any(CLIP.search(line) for line in log.source):
        return
    training, told = Training.of(log), set()
    for p, events in training.grads.items():
        adds = [i for i, g in events if g["action"] == "add"]
        stepped = [i for i, _ in training.steps_of(p)]
        clips = training.clips_of(p)
        changed = {i for i, g in events if g["before"] is not None and g["before"] != g["after"]}
        for c, full in clips:
            line = log.steps[c]["line"]
            if line in told:
                continue
            added = max((i for i in adds if i < c), default=None)
            late = [i for i in stepped if added is not None and added < i < c]
            use = min((i for i in stepped if i > c), default=None)
            after = max((i for i in adds if use is not None and c < i < use), default=None)
            if late and c in changed:
                told.add(line)
                why = f"{log.at(late[0])} ({called(training.text(late[0]))}) had used them already"
                yield _clip(log, training, c, why, log.lines(late[0], c))
            elif after is not None and use is not None and not late and (c in changed or not full):
                if any(after < other < use for other, _ in clips):
                    continue
                told.add(line)
                none = "there were none yet" if not full else "they were those of an earlier backward pass"
                why = f"{none}; {log.at(after)} added those that {log.at(use)} ({called(training.text(use))}) used, unclipped"
                yield _clip(log, training, c, why, log.lines(c, after, use))


def _clip(log: Log, training: Training, index: int, why: str, lines: list[int]) -> dict:
    text = CLIP.search(training.text(index))
    what = text[0] + ")" if text else f"{log.steps[index]['op']}()"
    return {"step": index, "tensors": [], "lines": lines, "at": log.at(index), "what": what, "why": why}


def histories(log: Log) -> Iterator[tuple[dict, str, set[int]]]:
    """(tensor, name, nodes) of what variables hold in the end with a history through which no backward pass came."""
    if len(log.of("backward")) < 2:
        return
    ran = {step["node"] for _, step in log.of("node")}
    told = set()
    for t in reversed(log.final):  # what a name meant before may have died after the last step
        computed = (
            t["grad_fn"] is not None
            and t["freed_step"] is None
            and not t["is_leaf"]
            and t["grad_fn"] not in ran
        )
        name = log.name(t["id"]) if computed and any(n for _, n in t["names"]) else ""
        if name and name not in told:
            told.add(name)
            yield t, name, log.nodes_behind(t["grad_fn"])


def history_kept(log: Log) -> Iterator[dict]:
    """Such a history holds several results of one line that backward ran from."""
    roots: dict[int, tuple[int, int]] = {}  # node -> (step of the first call, root)
    for i, step in log.of("backward"):
        for t in step["roots"]:
            node = log.node_at(t, i)
            if node is not None:
                roots.setdefault(node, (i, t))
    for known, name, nodes in histories(log):
        kept = _of_one_line(log, nodes & roots.keys())
        if len(kept) < 2 or log.node_maker.get(known["grad_fn"], -1) <= roots[kept[0]][0]:
            continue
        root = roots[kept[-1]][1]
        steps = [
            *log.users.get(root, ()),
            log.maker.get(known["id"], -1),
            log.node_maker.get(known["grad_fn"], -1),
        ]
        i = next((k for k in steps if k > roots[kept[-1]][0] and "node" in log.steps[k]), steps[-1])
        yield {
            "step": i, "tensors": [known["id"]], "lines": log.lines(i), "at": log.at(i), "root": log.name(root, i), "count": len(kept),
            "total": name,
        }  # fmt: skip


def history_grows(log: Log) -> Iterator[dict]:
    """Such a history holds the same operation of several rounds, between which backward ran from something else."""
    if any("second time" in step["error"]["message"] for _, step in log.of("error")):
        return  # which tells it already
    calls = log.of("backward")
    roots = {log.node_at(t, i) for i, step in calls for t in step["roots"]}
    for known, name, nodes in histories(log):
        last = log.nodes[known["grad_fn"]]
        same = {
            n for n in nodes if (log.nodes[n]["line"], log.nodes[n]["name"]) == (last["line"], last["name"])
        }
        first = log.nodes[min(same)]["created_step"]
        between = any(first < i < last["created_step"] for i, _ in calls)
        if (
            len(same) > 1
            and last["line"] is not None
            and between
            and len(_of_one_line(log, nodes & roots)) < 2
        ):
            i = log.node_maker.get(known["grad_fn"], -1)
            yield {
                "step": i, "tensors": [known["id"]], "lines": [last["line"]], "line": last["line"], "name": name, "count": len(same),
            }  # fmt: skip


def rounds_run_again(log: Log) -> Iterator[dict]:
    """A backward pass in a loop goes through what earlier rounds computed, since their graphs were retained."""
    if not any("retain_graph" in line for line in log.source):
        return
    passes: dict[int, set[int]] = {}  # number of a backward call -> the nodes it ran
    for _, step in log.of("node"):
        passes.setdefault(step.get("backward_call", -1), set()).add(step["node"])
    calls: dict[int | None, list[tuple[int, dict]]] = {}
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
                "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "first": len(runs[0]), "last": len(runs[-1]),
                "name": next(carried, "h"),
            }  # fmt: skip


def loss_grows(log: Log) -> Iterator[dict]:
    """What backward runs from, round by round, becomes larger and larger."""
    values: dict[int | None, list[tuple[int, float, str]]] = {}
    for i, step in log.of("backward"):
        root = log.tensors[step["roots"][0]] if step["op"] == "backward" and len(step["roots"]) == 1 else None
        cells = (
            log.document["storages"][root["storage"]]["contents"]
            if root is not None and not root["shape"]
            else None
        )
        if (
            cells is not None
            and cells["numel"] == 1
            and root is not None
            and root["dtype"].startswith(("float", "bfloat"))
        ):
            values.setdefault(step["line"], []).append((i, float(cells["elements"][0]), cells["elements"][0]))
    for found in values.values():
        known = [one for one in found if one[1] - one[1] == 0]
        tail = known[-ROUNDS:]
        grows = len(tail) == ROUNDS and all(0 < a[1] < b[1] for a, b in pairwise(tail))
        if (
            grows
            and tail[-1][1] > GROWTH * known[0][1] > 0
            and any(run.uses for runs in sums(log).values() for run in runs)
        ):
            i = tail[-1][0]
            yield {
                "step": i, "tensors": log.steps[i]["roots"], "lines": log.lines(i), "name": log.name(log.steps[i]["roots"][0], i), "at": log.at(i),
                "first": known[0][2], "last": tail[-1][2], "count": len(known),
            }  # fmt: skip


def _of_one_line(log: Log, nodes: Iterable[int]) -> list[int]:
    """The largest group of nodes that one line made."""
    lines: defaultdict[int | None, list[int]] = defaultdict(list)
    for node in sorted(nodes):
        lines[log.nodes[node]["line"]].append(node)
    return max(lines.values(), key=lambda group: len(group), default=[])


def history_listed(log: Log) -> Iterator[dict]:
    """A list keeps results that backward ran from."""
    lists: defaultdict[tuple[str, int | None], list[dict]] = defaultdict(list)
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
                "step": len(log.steps) - 1 if made is None else made, "tensors": [t["id"] for t in found], "lines": log.lines(made), "name": name,
                "of": "" if made is None else f" of {log.at(made)}",
            }  # fmt: skip


STALE_OPTIMIZER = """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
net = jgrad.nn.Linear(2, 1)
opt.zero_grad()
net(jgrad.ones(3, 2)).sum().backward()
opt.step()
"""
FITTED = """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=%s)
loss = ((w * 2 - 6) ** 2).sum()
loss.backward()
opt.step()
"""
CLIPPED = """
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = (w * 5).sum()
    %s
    %s
    opt.step()
"""
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

TRAINING = (
    Rule(
        "step-without-gradients", "warning", "an optimizer makes a step while no parameter has a gradient",
        "{at} ({what}) changed nothing{times}, since the .grad of every parameter it holds is None: {why}.",
        "{repair}",
        step_without_gradients,
        STALE_OPTIMIZER,
        "net = jgrad.nn.Linear(2, 1)\n" + STALE_OPTIMIZER.replace("net = jgrad.nn.Linear(2, 1)\n", ""),
    ),
    Rule(
        "step-in-vain", "info", "an optimizer writes to its parameters what was there before",
        "{at} ({what}) wrote to {name} and changed no element: {why}.",
        "{repair}",
        step_in_vain,
        FITTED % "0",
        FITTED % "0.1",
    ),
    Rule(
        "clip-out-of-turn", "warning", "gradients are clipped before backward() or after they were used",
        "{at} ({what}) does not clip the gradients that are used: {why}.",
        "Clip after backward() and before step().",
        clip_out_of_turn,
        CLIPPED % ("jgrad.nn.utils.clip_grad_norm_([w], 1.0)", "loss.backward()"),
        CLIPPED % ("loss.backward()", "jgrad.nn.utils.clip_grad_norm_([w], 1.0)"),
    ),
    Rule(
        "sum-keeps-graphs", "warning", "losses are summed up or averaged with their history",
        "{at} takes {root} into {total} with its history: the graphs of {count} results stay in memory as long as {total}, and each round "
        "adds one.",
        "Take {root}.item() or {root}.detach().",
        history_kept,
        TOTAL % "loss",
        TOTAL % "loss.item()",
    ),
    Rule(
        "history-grows", "warning", "what is carried from round to round keeps its whole history",
        "line {line} computes {name} from what it was before, with its history: that of {count} rounds is in it, and no backward() came through.",
        "Compute it under no_grad(), or of {name}.detach().",
        history_grows,
        AVERAGED % "average = 0.9 * average + 0.1 * w",
        AVERAGED % "average = 0.9 * average + 0.1 * w.detach()",
    ),
    Rule(
        "rounds-run-again", "warning", "retain_graph=True lets each round go through all rounds before it",
        "{at}: backward() went through {first} operations at first and through {last} in the end: each round goes through all rounds before it, "
        "whose graphs retain_graph=True keeps.",
        "Take {name} over without its history, as in {name} = {name}.detach(), and leave retain_graph=True out; or call backward() once, after "
        "the loop.",
        rounds_run_again,
        RETAINED % ("h", "retain_graph=True"),
        RETAINED % ("h.detach()", ""),
    ),
    Rule(
        "loss-grows", "warning", "what is to become small grows from round to round",
        "{name} ({at}) grew from {first} to {last} in {count} rounds: the training diverges.",
        "Take a smaller learning rate, and look whether gradients are cleared and the sign of the step is right.",
        loss_grows,
        DIVERGING % "1.",
        DIVERGING % "0.1",
    ),
    Rule(
        "list-keeps-graphs", "info", "losses are kept in a list with their history",
        "{name} holds results{of} with their history: their graphs stay in memory as long as {name}.",
        "Append .item() or .detach() of them.",
        history_listed,
        LISTED % "loss",
        LISTED % "loss.item()",
    ),
)  # fmt: skip
