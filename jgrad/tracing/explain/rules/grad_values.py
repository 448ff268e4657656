"""A .grad that is there: whether it is wrong, not finite, a sum, zero or of another shape than the result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jgrad.tracing.document.log import UNKNOWN_STEPS, Log
from jgrad.tracing.document.sentences import MADE_BY_HOOK, brief
from jgrad.tracing.explain.flow import where_zeroed, zero, zero_factor
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.rules.accumulation import clearings, gathered, sums
from jgrad.tracing.explain.rules.grad_not_filled import grad_asked_too_late
from jgrad.tracing.explain.rules.nonfinite import PRODUCTS, UNDEFINED, remedy, spoilt
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.record.records import EXCHANGES, OUTSIDE

WHY = Rules()

W = "w = jgrad.ones(1, requires_grad=True)\n"


@WHY.rule(
    "grad-spoilt-unseen", "warning", "it may be wrong, because a saved tensor was overwritten without a change of its version",
    "{name}.grad may be wrong, without an error: {by}. {node} computed with the new numbers.",
    "Move the write behind backward(), or write under no_grad(), which autograd notices.",
    "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nw.data.clamp_(0, 1)\nloss.backward()",
    "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nloss.backward()\nwith jgrad.no_grad():\n    w.clamp_(0, 1)",
    ask="w.grad",
)  # fmt: skip
def grad_spoilt_unseen(s: Subject) -> Iterator[dict]:
    """A node on the way computed with memory that was written to past the version counter that it looks at."""
    if not s.has_grad or s.log is None or s.number is None:
        return
    log, towards = s.log, s.log.nodes_towards(s.number)
    for i, step in enumerate(log.steps):
        node = log.nodes[step["node"]] if step["kind"] == "node" and step["node"] in towards else None
        for saved in () if node is None else node["saved"]:
            if saved["tensor"] is None:
                continue
            t = log.tensors[saved["tensor"]]
            for k, write in log.writes:
                outside = log.steps[k]["op"] == OUTSIDE
                exchanged = log.steps[k]["op"] in EXCHANGES
                unseen = write["storage"] == t["storage"] and (
                    outside or exchanged or write["version_counter"] != t["version_counter"]
                )
                if (
                    unseen
                    and node is not None
                    and node["created_step"] < k < i
                    and write["changed_elements"] != []
                ):
                    saved_name, writer = log.name(t["id"], k), log.name(write["tensor"], k)
                    by = f"{log.at(k)} wrote to the memory of {saved_name} through {writer}, which did not change the version of {saved_name}"
                    if exchanged:
                        by = f"{log.at(k)} wrote to the memory of {saved_name}, which did not change its version"
                    if outside:
                        by = f"a NumPy array or other code wrote to the memory of {saved_name} before {log.at(k)}, which did not change its version"
                    yield {
                        "by": by, "node": log.node(node["id"]), "step": k, "lines": log.lines(k, i),
                    }  # fmt: skip
                    return


@WHY.rule(
    "grad-of-other-data", "warning", "it may be wrong, because the .data of a saved tensor was set before backward()",
    "{name}.grad may be wrong, without an error: {at} put other numbers into {saved} through .data, which changes no version. {node} "
    "computed with these numbers.",
    "Set {saved}.data after backward(), or use {saved}.copy_(...) under no_grad(), which autograd notices.",
    "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nw.data = jgrad.tensor(1.)\nloss.backward()",
    "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nloss.backward()\nw.data = jgrad.tensor(1.)",
    ask="w.grad",
)  # fmt: skip
def grad_of_other_data(s: Subject) -> Iterator[dict]:
    """A node on the way computed with other numbers than those it was made for: `.data` of what it saved was set since."""
    if not s.has_grad or s.log is None or s.number is None:
        return
    log, towards = s.log, s.log.nodes_towards(s.number)
    for i, step in log.of("node"):
        node = log.nodes[step["node"]]
        for saved in node["saved"] if step["node"] in towards else ():
            tensor = saved["tensor"]
            if tensor is None:
                continue
            for k, change in log.changes.get(tensor, ()):
                if "storage" in change and node["created_step"] < k < i and log.steps[k]["op"] == "data":
                    name = log.name(tensor, k)
                    yield {
                        "at": log.at(k),
                        "saved": name,
                        "node": log.node(node["id"]),
                        "step": k,
                        "lines": log.lines(k, i),
                    }
                    return


@WHY.rule(
    "grad-not-finite", "warning", "it holds nan or inf",
    "{name}.grad is {value}: {culprit}.",
    "{advice}",
    """
x = jgrad.tensor([0., 1.], requires_grad=True)
y = jgrad.where(x > 0, x.log(), 0.)
y.sum().backward()
""",
    """
x = jgrad.tensor([0., 1.], requires_grad=True)
y = jgrad.where(x > 0, x, 1.).log()
y.sum().backward()
""",
    ask="x.grad",
)  # fmt: skip
def grad_not_finite(s: Subject) -> Iterator[dict]:
    """The node on the way that made nan or inf of a gradient that had none, or what else did."""
    if s.value is None or not spoilt(s.value):
        return
    first = next((e for e in reversed(s.events()) if not spoilt(e[1]["before"])), None)
    if s.log is None or first is None:
        culprit = f"a derivative on the way is infinite or undefined{TRACE}"
        yield {"value": brief(s.value), "culprit": culprit, "advice": UNDEFINED} | s.place(None)
        return
    at, grad = first
    here = {"value": brief(s.value)}
    if grad["action"] != "add":
        before = "" if grad["before"] is None else f"; it was {brief(grad['before'])} before"
        yield here | {"culprit": f"{s.log.ran(at)} changed it{before}", "advice": ""} | s.place(at)
        return
    towards, last = s.log.nodes_towards(s.number), s.log.steps[at].get("backward_call")
    for i, step in s.log.of("node"):
        bad = next(filter(spoilt, step["grads_out"]), None)
        if (
            bad is not None
            and step.get("backward_call") == last
            and step["node"] in towards
            and not any(map(spoilt, step["grads_in"]))
        ):
            got = next((v for v in step["grads_in"] if v is not None), None)
            of, advice = remedy(s.log, i)
            culprit = f"{s.log.node(step['node'])} got {brief(got)} and computed {brief(bad)}{of}"
            yield here | {"culprit": culprit, "advice": advice} | s.place(i)
            return
    came = [part["value"] for part in grad["contributions"]]
    started = next(
        (v for _, b in s.asked() if b["backward_call"] == last for v in b["grads_in"] if spoilt(v)), None
    )
    if started is not None:
        culprit = f"backward() started with {brief(started)}"
    elif last not in s.log.calls or s.log.has_gap(s.log.calls[last], at):
        culprit = f"it arose in {UNKNOWN_STEPS}"
    else:
        culprit = "a hook on the way changed the gradient"
    if came and not any(map(spoilt, came)):
        culprit = (
            f"a hook or the addition computed {brief(grad['added'])} from {listed([brief(v) for v in came])}"
        )
    yield here | {"culprit": culprit, "advice": ""} | s.place(at)


@WHY.rule(
    "grad-accumulated", "warning", "it is the sum of several backward passes",
    "{grads} the sum of {count} backward passes ({where}), because nothing cleared {them} in between.",
    "{repair}",
    W + "(w * 5).backward()\n(w * 5).backward()",
    W + "(w * 5).backward()\nw.grad = None\n(w * 5).backward()",
    ask="w.grad",
)  # fmt: skip
def grad_accumulated(s: Subject) -> Iterator[dict]:
    runs = [] if s.log is None or s.number is None else sums(s.log).get(s.number, [])
    if s.has_grad and runs and runs[-1].cleared is None and len(runs[-1].adds) > 1:
        assert s.log is not None
        adds = runs[-1].adds
        lines = s.log.lines(*adds)
        yield {
            "count": s.log.many(len(adds)),
            "where": s.log.at_all(adds),
            "step": adds[-1],
            "lines": lines,
        } | gathered([f"{s.name}.grad"], s.log, adds, clearings(s.log, [s.number]))


@WHY.rule(
    "grad-asked-late", "warning", "it misses what was computed before the tensor required grad",
    "{name}.grad misses a part: {ran} used {name} when {name} did not require grad yet.",
    "Call {name}.requires_grad_() before anything is computed from {name}.",
    """
x = jgrad.tensor([1., 2.])
squares = x * x
x.requires_grad_()
(squares + x).sum().backward()
""",
    """
x = jgrad.tensor([1., 2.])
x.requires_grad_()
squares = x * x
(squares + x).sum().backward()
""",
    ask="x.grad",
)  # fmt: skip
def grad_asked_late(s: Subject) -> Iterator[dict]:
    if s.has_grad:
        yield from grad_asked_too_late(s)


# A node whose derivative is zero, and what to do about it.
FLAT = (
    (r"(?:Relu|Threshold|Hardtanh|Clamp\w*|Hardsigmoid)Backward",
     "Its function is flat at all its inputs: use other first values, smaller steps, or a function that is flat nowhere, such as softplus."),
    (r"(?:Round|Floor|Ceil|Trunc|Sign|Heaviside)Backward", "Its function is flat everywhere: leave it out while training."),
    (r"Embedding\w*Backward", "Only the row of padding_idx was looked up, which gets no gradient, or the gradients of each row add up to zero."),
    (r"(?:Pow|Abs|MseLoss|L1Loss|LinalgVectorNorm|Norm|Cdist)Backward", "All its inputs are 0, as differences are when a model fits its data."),
    (r"(?:Sigmoid|Tanh|Softmax|LogSoftmax|Erf)\w*Backward", "All its inputs are so large that its function is flat: scale them down, or use smaller first values."),
    ("", ""),
)  # fmt: skip
ONE_COLUMN = "The softmax runs over a dimension of size 1, so each result is 1: use sigmoid() for one output, or one output for each class."
VANISHING = 1e-35  # float32 holds nothing below 1.4e-45, and products of such numbers not at all
# Operators that broadcast:
STRETCHES = re.compile(
    r"(?:r?sub|add|mul|(?:true_|floor_)?div|pow|where|f?m(?:ax|in)|m(?:ax|in)imum|atan2|hypot|lerp|addc(?:mul|div)|fmod|remainder|masked_fill|"
    r"clamp|xlogy|logaddexp|copysign)_?$"
)
OWN = re.compile(r"[A-Za-z]Backward\b")  # nodes of custom Functions: others have a number
TRACE = "; write %%trace in the first line of the cell, and %why names the operation"


@WHY.rule(
    "grad-vanished", "warning", "it is zero, because the gradient became too small on the way",
    "{name}.grad is zero: {node} got {arrived}, and its result is too small for the dtype.",
    "Use fewer operations that shrink the gradient (a sigmoid keeps at most a quarter of it). Or add a skip connection, as in `y = x + f(x)`.",
    "w = jgrad.tensor([0.5], requires_grad=True)\nh = w * 1e-20 * 1e-20 * 1e-20\nh.backward()",
    "w = jgrad.tensor([0.5], requires_grad=True)\nh = w * 1e-2 * 1e-2 * 1e-2\nh.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_vanished(s: Subject) -> Iterator[dict]:
    """A gradient on the way became smaller than its dtype can hold."""
    for case in grad_zero(s):
        if case["norm"] is not None and case["norm"] < VANISHING:
            yield case


@WHY.rule(
    "grad-zero-factor", "info", "it is zero, because the tensor was multiplied by zeros",
    "{name}.grad is zero: {node} multiplied {arrived} by {factor}, which gave zeros.",
    "{advice}",
    "w = jgrad.ones(2, requires_grad=True)\nv = jgrad.zeros(2, requires_grad=True)\n(w * v).sum().backward()",
    "w = jgrad.ones(2, requires_grad=True)\nv = jgrad.full((2,), 0.1, requires_grad=True)\n(w * v).sum().backward()",
    ask="w.grad",
)  # fmt: skip
def grad_zero_factor(s: Subject) -> Iterator[dict]:
    for case in grad_zero(s):
        if PRODUCTS.match(case["node"]):
            assert s.log is not None
            assert s.number is not None
            factor = zero_factor(s.log, case["step"], s.number)
            advice = ""
            if factor is not None:
                known = s.log.final[factor]
                if known["is_leaf"] and known["requires_grad"]:
                    advice = "Use random numbers instead of zeros as first weights."
            name = "the other factor" if factor is None else s.log.name(factor, case["step"])
            yield case | {"factor": name, "advice": advice}


@WHY.rule(
    "grad-zero", "info", "it is zero, because a derivative on the way is zero",
    "{name}.grad is zero: {node} got {arrived} and sent zeros, because {why}.",
    "{advice}",
    "w = jgrad.tensor(-1.2, requires_grad=True)\nloss = ((w * 3).relu() - 6) ** 2\nloss.backward()",
    "w = jgrad.tensor(1.2, requires_grad=True)\nloss = ((w * 3).relu() - 6) ** 2\nloss.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_zero(s: Subject) -> Iterator[dict]:
    """The node that turned a gradient on the way to it into zeros."""
    found = where_zeroed(s)
    if found is None:
        return
    log, i = found
    step = log.steps[i]
    node = log.node(step["node"])
    arrived = next(v for v in step["grads_in"] if not zero(v))
    advice = (
        ONE_COLUMN if _of_one(log, i) else next(text for pattern, text in FLAT if re.match(pattern, node))
    )
    known = [v.get("norm") for v in step["grads_in"] if v is not None and not zero(v)]
    norm = max([n for n in known if n is not None], default=None)
    why = "its backward() returned zeros" if OWN.search(node) else "its derivative is zero there"
    yield {"node": node, "arrived": brief(arrived), "advice": advice, "norm": norm, "why": why} | s.place(i)


def _of_one(log: Log, index: int) -> bool:
    """Whether the node of a step is that of a softmax which gave only ones: over a dimension of size 1."""
    node = log.nodes[log.steps[index]["node"]]
    result = next((saved["tensor"] for saved in node["saved"] if saved["name"] == "result"), None)
    if (
        not re.match(r"SoftmaxBackward", node["name"])
        or result is None
        or 1 not in log.tensors[result]["shape"]
    ):
        return False
    return {*log.held(result, index)} == {"1."}


@WHY.rule(
    "grad-broadcast", "info", "it has another shape than the result, because the tensor was broadcast",
    "{name}.grad has the shape {shape} of {name}: {at} broadcast {name} to {wide}, so the gradient is summed over the copies.",
    "",
    "b = jgrad.tensor(1., requires_grad=True)\nx = jgrad.ones(2, 3)\n(x * b).sum().backward()",
    "x = jgrad.ones(2, 3)\nb = jgrad.ones(2, 3, requires_grad=True)\n(x * b).sum().backward()",
    ask="b.grad",
)  # fmt: skip
def grad_broadcast(s: Subject) -> Iterator[dict]:
    if not s.has_grad or s.log is None or s.number is None:
        return
    shape = s.log.tensors[s.number]["shape"]
    for i, step in enumerate(s.log.steps):
        reads = step.get("reads", ())
        if step["kind"] == "op" and s.number in reads and len(reads) > 1 and STRETCHES.match(step["op"]):
            shapes = [s.log.tensors[t]["shape"] for t in reads]
            wide = s.log.tensors[step["makes"][0]]["shape"] if step.get("makes") else shape
            if wide != shape and _broadcast(shapes) == wide:
                yield {"shape": shape, "wide": wide, "at": s.log.at(i)} | s.place(i)
                return


def _broadcast(shapes: list[list[int]]) -> list[int] | None:
    """The shape that shapes broadcast to, None if they do not."""
    length = max(map(len, shapes))
    columns = zip(*([1] * (length - len(shape)) + shape for shape in shapes), strict=True)
    extents = [{n for n in column if n != 1} or {1} for column in columns]
    return [next(iter(e)) for e in extents] if all(len(e) == 1 for e in extents) else None


@WHY.rule(
    "grad-present", "info", "it holds what one backward pass left",
    "{name}.grad is {value}{last}.",
    "",
    W + "y = w * 5 + w.clone()\ny.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_present(s: Subject) -> Iterator[dict]:
    if s.has_grad:
        events = s.events()
        last = ""
        if events and s.log is not None:
            step, grad = events[-1]
            before = "" if grad["before"] is None else f" (it was {brief(grad['before'])} before)"
            last = f": {s.log.ran(step)} set it{before}"
            if grad["action"] == "add":
                last = f": backward() in {s.log.at(step)} computed it{before}"
            parts = [f"{brief(p['value'])} from {s.log.node(p['node'])}" for p in grad["contributions"]]
            if 1 < len(parts) <= 4:
                last += f" as the sum of {listed(parts)}"
            hooked = re.search(f", {MADE_BY_HOOK} .*", s.log.steps[step]["text"])
            last += hooked[0] if hooked else ""
        yield {"last": last, "value": brief(s.value)} | s.place(events[-1][0] if events else None)
