"""Why the `.grad` of a tensor is what it is: the rules in the order in which they stand, the first that applies is the reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from jgrad.trace.explain.rule import Rule, line_numbers, listed
from jgrad.trace.explain.subject import Subject, accumulations
from jgrad.trace.sentences import brief, short


def _has_sum(s: Subject) -> Iterator[dict]:
    runs = [] if s.log is None or s.number is None else accumulations(s.log).get(s.number, [])
    if s.has_grad and len(runs) > 1:
        assert s.log is not None
        yield {
            "count": len(runs),
            "where": line_numbers(s.log.lines(*runs)),
            "step": runs[-1],
            "lines": s.log.lines(*runs),
        }


def _has_broadcast(s: Subject) -> Iterator[dict]:
    if not s.has_grad or s.log is None or s.number is None:
        return
    shape = s.log.tensors[s.number]["shape"]
    for i, step in enumerate(s.log.steps):
        reads = step.get("reads", ())
        if step["kind"] == "op" and s.number in reads and len(reads) > 1 and "node" in step:
            shapes = [s.log.tensors[t]["shape"] for t in reads]
            wide = s.log.tensors[step["makes"][0]]["shape"] if step.get("makes") else shape
            if wide != shape and _broadcast(shapes) == wide:
                yield {"shape": shape, "wide": wide, "at": s.log.at(i)} | _place(s, i)
                return


def _broadcast(shapes: list[list[int]]) -> list[int] | None:
    """The shape that shapes broadcast to, None if they do not."""
    length = max(map(len, shapes))
    columns = zip(*([1] * (length - len(shape)) + shape for shape in shapes), strict=True)
    extents = [{n for n in column if n != 1} or {1} for column in columns]
    return [next(iter(e)) for e in extents] if all(len(e) == 1 for e in extents) else None


def _has_late(s: Subject) -> Iterator[dict]:
    """Something was computed from it before it was asked to require grad."""
    if (
        not s.requires_grad
        or not s.is_leaf
        or s.log is None
        or s.number is None
        or s.log.tensors[s.number]["requires_grad"]
    ):
        return
    for i, step in enumerate(s.log.steps):
        made = [s.log.tensors[t] for t in step.get("makes", ())]
        if step["kind"] == "op" and s.number in step["reads"] and made and made[0]["is_leaf"]:
            if s.log.text(i):
                yield {"at": s.log.at(i), "what": s.log.name(made[0]["id"], i)} | _place(s, i)
            return
        if any(c["tensor"] == s.number and c.get("requires_grad") for c in step.get("changes", ())):
            return


def _has_zero_factor(s: Subject) -> Iterator[dict]:
    for case in _has_zero(s):
        if PRODUCTS.match(case["node"]):
            yield case


def _has_zero(s: Subject) -> Iterator[dict]:
    """The node that turned a gradient on the way to it into zeros."""
    events = s.events()
    if not s.has_grad or not events or not zero(events[-1][1]["after"]) or events[-1][1]["action"] != "add":
        return
    assert s.log is not None
    towards = s.log.nodes_towards(s.number)
    for i, step in enumerate(s.log.steps):
        if step["kind"] == "node" and step["node"] in towards and not all(zero(v) for v in step["grads_in"]):
            edges = zip(s.log.nodes[step["node"]]["next"], step["grads_out"], strict=False)
            sent = [value for (target, _), value in edges if target in towards]
            if sent and all(zero(v) for v in sent):
                arrived = next(v for v in step["grads_in"] if not zero(v))
                yield {"node": s.log.node(step["node"]), "arrived": brief(arrived)} | _place(s, i)
                return


def _has_nan(s: Subject) -> Iterator[dict]:
    """The node on the way that made nan or inf of a gradient that had none."""
    if s.value is None or not spoilt(s.value):
        return
    place, culprit = None, f"an operation on the way met a derivative that is infinite or undefined{TRACE}"
    if s.log is not None:
        towards = s.log.nodes_towards(s.number)
        for i, step in enumerate(s.log.steps):
            if step["kind"] == "node" and step["node"] in towards and not any(map(spoilt, step["grads_in"])):
                bad = next(filter(spoilt, step["grads_out"]), None)
                got = next((v for v in step["grads_in"] if v is not None), None)
                if bad is not None:
                    place = i
                    culprit = f"{s.log.node(step['node'])} got {brief(got)} and made {brief(bad)} of it"
                    break
    yield {"value": brief(s.value), "culprit": culprit} | _place(s, place)


def spoilt(value: dict | None) -> bool:
    """Whether a gradient holds nan or inf."""
    return value is not None and bool(value.get("nan") or value.get("inf"))


def _has_spoilt(s: Subject) -> Iterator[dict]:
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
            for k, write in log.writes():
                unseen = write["storage"] == t["storage"] and write["counter"] != t["counter"]
                if unseen and node is not None and node["born"] < k < i and write["changed"] != []:
                    yield {
                        "at": log.at(k), "saved": log.name(t["id"], k), "writer": log.name(write["tensor"], k), "node": log.node(node["id"]),
                        "step": k, "lines": log.lines(k, i),
                    }  # fmt: skip
                    return


def zero(value: dict | None) -> bool:
    """Whether a gradient is all zeros, or is none."""
    return value is None or (value.get("norm") == 0 and not value.get("nan"))


def _has(s: Subject) -> Iterator[dict]:
    if s.has_grad:
        events = s.events()
        last = f" ({brief(s.value)})"
        if events and s.log is not None:
            step, grad = events[-1]
            last = f": {s.log.at(step)} left {brief(grad['after'])} there"
            parts = [f"{brief(p['value'])} from {s.log.node(p['node'])}" for p in grad["parts"]]
            if 1 < len(parts) <= 4:
                last += f", the sum of {listed(parts)}"
            hooked = re.search(r", which (?:a hook|hooks) made of .*", s.log.steps[step]["text"])
            last += hooked[0] if hooked else ""
        yield {"last": last} | _place(s, events[-1][0] if events else None)


def _integer(s: Subject) -> Iterator[dict]:
    if not s.requires_grad and not s.dtype.startswith(("float", "bfloat", "complex")):
        yield _place(s, s.made_at())


def _detached(s: Subject) -> Iterator[dict]:
    how = "" if s.log is None or s.number is None else s.log.tensors[s.number]["how"]
    if not s.requires_grad and how in ("detach", "data"):
        yield {"how": "detach()" if how == "detach" else ".data"} | _place(s, s.made_at())


def _no_grad_mode(s: Subject) -> Iterator[dict]:
    step = s.made_at()
    if step is not None and s.log is not None and not s.requires_grad:
        reads = s.log.steps[step].get("reads", ())
        if s.log.steps[step]["kind"] == "op" and any(s.log.tensors[r]["requires_grad"] for r in reads):
            yield _place(s, step)


def _not_required(s: Subject) -> Iterator[dict]:
    if not s.requires_grad:
        yield _place(s, s.made_at())


def _rebound(s: Subject) -> Iterator[dict]:
    """The name meant a leaf before, from which this tensor was computed."""
    if s.is_leaf or s.retains_grad:
        return
    if s.log is None or s.number is None:
        given = [n for n in ast.walk(parsed(s.code.split("\n"))) if isinstance(n, ast.Assign)]
        for assign in given:
            itself = s.name in {n.id for n in ast.walk(assign.value) if isinstance(n, ast.Name)}
            if itself and [ast.unparse(t) for t in assign.targets] == [s.name]:
                yield {"at": f"line {assign.lineno}"} | _place(s, None)
                return
        return
    for t in s.log.final:
        names = [n for _, n in t["names"]]
        leaf = t["is_leaf"] and t["requires_grad"]
        if leaf and s.name in names and t["id"] != s.number and s.number in s.log.computed_from(t["id"]):
            yield {"at": s.log.at(s.made_at()) if s.made_at() is not None else "a later line"} | _place(
                s, s.made_at()
            )
            return


def _computed_at_birth(s: Subject) -> Iterator[dict]:
    """It was computed from a leaf that was made on the same line and never had a name."""
    step = s.made_at()
    if s.log is None or step is None or s.is_leaf or s.retains_grad:
        return
    line = s.log.steps[step]["line"]
    for r in s.log.steps[step].get("reads", ()):
        t, maker = s.log.tensors[r], s.log.maker.get(r)
        nameless = (
            not any(n for _, n in t["names"]) and maker is not None and s.log.steps[maker]["line"] == line
        )
        if nameless and t["is_leaf"] and t["requires_grad"]:
            yield {"leaf": s.log.name(r)} | _place(s, step)
            return


def _kept_late(s: Subject) -> Iterator[dict]:
    """It was asked to keep its gradient after that had come through."""
    waits = not s.is_leaf and s.retains_grad and not s.has_grad and not s.events()
    if waits and (s.log is None or s.number is None or _came_through(s)):
        yield _place(s, s.made_at())


def _came_through(s: Subject) -> bool:
    """Whether a backward pass ran the node that made it."""
    assert s.log is not None
    assert s.number is not None
    node = s.log.final[s.number]["node"]
    return any(step["kind"] == "node" and step["node"] == node for step in s.log.steps)


def _beside(s: Subject) -> Iterator[dict]:
    """It was computed, and no backward pass came through it."""
    calls = s.backwards()
    if s.log is None or s.number is None or s.is_leaf or s.retains_grad or not calls or _came_through(s):
        return
    step = s.made_at()
    viewed = (
        s.log.steps[step]["reads"][0] if step is not None and s.log.steps[step]["kind"] == "view" else None
    )
    advice = f"Compute from {s.name} what backward() starts at, and call {s.name}.retain_grad() before."
    if viewed is not None and s.log.final[viewed]["is_leaf"]:
        advice = f"The gradient is in {s.log.name(viewed)}.grad."
    root = listed([s.log.name(r, calls[-1][0]) for r in calls[-1][1]["roots"]])
    yield {"root": root, "advice": advice} | _place(s, calls[-1][0])


def _not_leaf(s: Subject) -> Iterator[dict]:
    if not s.is_leaf and not s.retains_grad:
        yield _place(s, s.made_at())


def _cleared(s: Subject) -> Iterator[dict]:
    events = s.events()
    if events and events[-1][1]["action"] == "none":
        assert s.log is not None
        yield {"at": s.log.at(events[-1][0])} | _place(s, events[-1][0])


def _no_backward(s: Subject) -> Iterator[dict]:
    if s.log is not None and not s.backwards():
        asked = [i for i, step in enumerate(s.log.steps) if step["kind"] == "backward"]
        if not asked:
            end = len(s.log.steps) - 1
            failed = end >= 0 and s.log.steps[end]["kind"] == "error" and s.log.steps[end]["op"] == "backward"
            what = (
                f"the backward() of {s.log.at(end)} raised"
                if failed
                else f"no backward() ran in {s.log.title()}"
            )
            yield {"what": what} | _place(s, end if failed else s.made_at())


def _returned(s: Subject) -> Iterator[dict]:
    if s.log is not None and not s.backwards():
        for i, step in enumerate(s.log.steps):
            if step["kind"] == "backward":
                yield {"at": s.log.at(i)} | _place(s, i)
                return


def _failed(s: Subject) -> Iterator[dict]:
    if s.log is not None and s.log.steps[-1]["kind"] == "error" and "backward" in s.log.steps[-1]:
        yield {"at": s.log.at(len(s.log.steps) - 1)} | _place(s, len(s.log.steps) - 1)


def _undefined(s: Subject) -> Iterator[dict]:
    """A node on the way ran and gave no gradient for the edge that leads here."""
    for i, step in s.backwards():
        assert s.log is not None
        if "inputs" in s.log.text(i):
            continue
        towards = s.log.nodes_towards(s.number)
        for k, node in enumerate(s.log.steps):
            if node["kind"] == "node" and node.get("backward") == step["backward"]:
                edges = zip(s.log.nodes[node["node"]]["next"], node["grads_out"], strict=False)
                if any(value is None and target in towards for (target, _), value in edges):
                    record = s.log.nodes[node["node"]]
                    where = "" if record["line"] is None else f" (line {record['line']})"
                    yield {
                        "node": short(record["name"]),
                        "where": where,
                        "step": k,
                        "lines": s.log.lines(k, i),
                    }
                    return


def _left_out(s: Subject) -> Iterator[dict]:
    """The backward pass could have come here, and did not."""
    for i, step in s.backwards():
        assert s.log is not None
        if "inputs" not in s.log.text(i):
            continue
        towards = s.log.nodes_towards(s.number)
        roots = [s.log.node_at(t, i) for t in step["roots"]]
        if any(node in towards for node in roots if node is not None):
            yield {"at": s.log.at(i)} | _place(s, i)
            return


def _cut(s: Subject) -> Iterator[dict]:
    for i, step in s.backwards():
        assert s.log is not None
        assert s.number is not None
        for root in step["roots"]:
            cut = s.log.cut(s.number, root, i)
            if cut is not None:
                made = s.log.maker[cut]
                yield {
                    "root": s.log.name(root, i), "at": s.log.at(made), "what": s.log.cutter(cut), "step": i,
                    "lines": s.log.lines(made, i),
                }  # fmt: skip
                return


def _left_as_numbers(s: Subject) -> Iterator[dict]:
    """The source takes numbers out of it, or out of what was computed from it."""
    if s.log is None or s.number is None or not s.backwards():
        return
    derived = s.log.computed_from(s.number) | {s.number}
    names = {n for t in derived for _, n in s.log.tensors[t]["names"] if n}
    for line, text in numbers_taken(s.log.source, names):
        yield {"line": line, "what": text, "step": s.backwards()[-1][0], "lines": [line]}
        return


def numbers_taken(source: list[str], names: set[str]) -> Iterator[tuple[int, str]]:
    """(line, expression) of what makes Python numbers, arrays or fresh tensors of variables: `w.item()`, `float(w)`, `tensor(w)`."""
    for node in ast.walk(parsed(source)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in ("item", "tolist", "numpy"):
            taken: list[ast.AST] = [called.value]
        elif (isinstance(called, ast.Name) and called.id in ("float", "int", "complex")) or (
            isinstance(called, ast.Attribute) and called.attr in ("tensor", "array", "asarray")
        ):
            taken = list(node.args)
        else:
            continue
        if any(isinstance(n, ast.Name) and n.id in names for t in taken for n in ast.walk(t)):
            text = ast.get_source_segment("\n".join(source), node) or ""
            yield node.lineno, text if "\n" not in text and len(text) <= 60 else "it"
            return


def parsed(lines: list[str]) -> ast.Module:
    """The tree of a cell without its magics; an empty one if it is not Python."""
    try:
        return ast.parse("\n".join(["" if line.lstrip().startswith(("%", "!")) else line for line in lines]))
    except SyntaxError:
        return ast.Module([], [])


def _unused(s: Subject) -> Iterator[dict]:
    for i, step in s.backwards()[-1:]:
        assert s.log is not None
        yield {"root": listed([s.log.name(r, i) for r in step["roots"]])} | _place(s, i)


def _unknown(s: Subject) -> Iterator[dict]:
    yield _place(s, None)


def _place(s: Subject, step: int | None) -> dict:
    return {"step": -1 if step is None else step, "lines": [] if s.log is None else s.log.lines(step)}


W = "w = jgrad.ones(1, requires_grad=True)\n"
TRACE = "; with %%trace in the first line of the cell, %why names it"
PRODUCTS = re.compile(
    r"(?:Mul|Mm|Mv|Dot|Bmm|Addmm|Addmv|Baddbmm|Linear|LinalgVecdot|ConvolutionOverrideable|Convolution)Backward"
)

WHY = (
    Rule(
        "grad-spoilt-unseen", "warning", "it is wrong, since a saved tensor was overwritten past its version counter",
        "{name}.grad is wrong, without an error: {at} wrote to the memory of {saved} through {writer}, which its version counter does not "
        "see, and {node} computed with what it found there.",
        "Write after backward(), under no_grad().",
        _has_spoilt,
        "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nw.data.clamp_(0, 1)\nloss.backward()",
        "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nloss.backward()\nwith jgrad.no_grad():\n    w.clamp_(0, 1)",
        ask="w.grad",
    ),
    Rule(
        "grad-accumulated", "warning", "it is the sum of several backward passes",
        "{name}.grad holds the sum of {count} backward passes ({where}), since nothing cleared it in between.",
        "Set {name}.grad = None before each, unless the sum is wanted.",
        _has_sum,
        W + "(w * 5).backward()\n(w * 5).backward()",
        W + "(w * 5).backward()\nw.grad = None\n(w * 5).backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-broadcast", "info", "it has another shape than the result, since the tensor was broadcast",
        "{name}.grad has {name}'s shape {shape}: {at} broadcast {name} to {wide}, so the gradient is summed over the copies.",
        "",
        _has_broadcast,
        "b = jgrad.tensor(1., requires_grad=True)\nx = jgrad.ones(2, 3)\n(x * b).sum().backward()",
        "x = jgrad.ones(2, 3)\nb = jgrad.ones(2, 3, requires_grad=True)\n(x * b).sum().backward()",
        ask="b.grad",
    ),
    Rule(
        "grad-asked-late", "warning", "it misses what was computed before the tensor was asked to require grad",
        "{name}.grad misses a part: {at} computed {what} from {name}, which did not require grad yet.",
        "Call {name}.requires_grad_() before anything is computed from {name}.",
        _has_late,
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
    ),
    Rule(
        "grad-not-finite", "warning", "it holds nan or inf",
        "{name}.grad is {value}: {culprit}.",
        "Keep the operation's input away from there: a where() before it helps, as in log(where(x > 0, x, 1)); one after it does not, for it "
        "sends back a 0, and 0 times infinity is nan.",
        _has_nan,
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
    ),
    Rule(
        "grad-zero-factor", "info", "it is zero, since the tensor was multiplied by zeros",
        "{name}.grad is zero: {node} multiplied {arrived} by the other factor, and that gave zeros.",
        "Start weights with random numbers instead of zeros.",
        _has_zero_factor,
        "w = jgrad.ones(2, requires_grad=True)\nv = jgrad.zeros(2, requires_grad=True)\n(w * v).sum().backward()",
        "w = jgrad.ones(2, requires_grad=True)\nv = jgrad.full((2,), 0.1, requires_grad=True)\n(w * v).sum().backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-zero", "info", "it is zero, since the derivative of something on the way is zero",
        "{name}.grad is zero: {node} got {arrived} and sent zeros on, for its derivative is zero there.",
        "Use something with a slope, as softplus for relu, or no rounding while training.",
        _has_zero,
        "w = jgrad.tensor(1.2, requires_grad=True)\nloss = ((w * 3).round() - 6) ** 2\nloss.backward()",
        "w = jgrad.tensor(1.2, requires_grad=True)\nloss = (w * 3 - 6) ** 2\nloss.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-present", "info", "it is what one backward pass left there",
        "{name}.grad is there{last}.",
        "",
        _has,
        W + "y = w * 5 + w.clone()\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-integer", "info", "it is None, and the tensor holds whole numbers or bools",
        "{name}.grad is None: {name} has dtype {dtype}, and only floating point and complex tensors have gradients.",
        "",
        _integer,
        W + "n = w.long()\n(w * n).backward()",
        W + "n = w.double()\nn.retain_grad()\n(w * n).backward()",
        ask="n.grad",
    ),
    Rule(
        "grad-detached", "info", "it is None, and the tensor comes from detach() or .data",
        "{name}.grad is None: {name} was made by {how}{made}, so it has no history and does not require grad.",
        "",
        _detached,
        W + "d = w.detach()\n(w * d).backward()",
        W + "d = w.clone()\nd.retain_grad()\n(w * d).backward()",
        ask="d.grad",
    ),
    Rule(
        "grad-no-grad-mode", "info", "it is None, and the tensor was computed under no_grad()",
        "{name}.grad is None: {name} was computed under no_grad(){made}, so it has no history and does not require grad.",
        "",
        _no_grad_mode,
        W + "with jgrad.no_grad():\n    y = w * 2\n(w * y).backward()",
        W + "y = w * 2\ny.retain_grad()\n(w * y).backward()",
        ask="y.grad",
    ),
    Rule(
        "grad-not-required", "info", "it is None, and the tensor does not require grad",
        "{name}.grad is None: {name} does not require grad.",
        "Call {name}.requires_grad_() before it is used.",
        _not_required,
        W + "x = jgrad.ones(1)\n(w * x).backward()",
        W + "x = jgrad.ones(1).requires_grad_()\n(w * x).backward()",
        ask="x.grad",
    ),
    Rule(
        "grad-rebound", "info", "it is None, and the variable meant a leaf before it was assigned anew",
        "{name}.grad is None: {at} gave the name {name} to the result of {grad_fn}, which is not a leaf; the gradient goes to the leaf that "
        "was called {name} before.",
        "Give the result a name of its own; to change a parameter, write to it in place under no_grad().",
        _rebound,
        W + "w = w * 2\nw.backward()",
        W + "y = w * 2\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-computed-at-birth", "info", "it is None, and the tensor was computed in the line that made its leaf",
        "{name}.grad is None: {name} is not a leaf, it was computed{made} by {grad_fn} from the leaf {leaf}, which has no name.",
        "Compute first and call requires_grad_() last.",
        _computed_at_birth,
        "w = jgrad.ones(2, requires_grad=True) * 0.1\nw.sum().backward()",
        "w = (jgrad.ones(2) * 0.1).requires_grad_()\nw.sum().backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-kept-late", "info", "it is None, since retain_grad() came after backward()",
        "{name}.grad is None: {name} keeps gradients since its retain_grad() was called, and none has come through it after that.",
        "Call retain_grad() before backward().",
        _kept_late,
        W + "y = w * 2\ny.backward()\ny.retain_grad()\nz = y * 3",
        W + "y = w * 2\ny.retain_grad()\ny.backward()\nz = y * 3",
        ask="y.grad",
    ),
    Rule(
        "grad-beside", "info", "it is None, and the tensor was computed but not used for the result",
        "{name}.grad is None: {name} is not a leaf, {grad_fn} made it{made}, and backward ran from {root}, which was not computed from {name}.",
        "{advice}",
        _beside,
        "x = jgrad.ones(3, requires_grad=True)\nfirst = x[0]\n(x * 2).sum().backward()",
        "x = jgrad.ones(3, requires_grad=True)\nfirst = x[0]\nfirst.retain_grad()\n(first * 2).backward()",
        ask="first.grad",
    ),
    Rule(
        "grad-not-leaf", "info", "it is None, and the tensor was computed from others",
        "{name}.grad is None: {name} is not a leaf, {grad_fn} made it{made}, and only leaves keep their gradient.",
        "Call {name}.retain_grad() before backward().",
        _not_leaf,
        W + "y = w * 2\ny.backward()",
        W + "y = w * 2\ny.retain_grad()\ny.backward()",
        ask="y.grad",
    ),
    Rule(
        "grad-cleared", "info", "it is None, since it was set to None",
        "{name}.grad is None: {at} set it to None, and no backward has filled it since.",
        "",
        _cleared,
        W + "(w * 2).backward()\nw.grad = None",
        W + "w.grad = None\n(w * 2).backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-no-backward", "info", "it is None, since backward() has not run",
        "{name}.grad is None: {what}.",
        "",
        _no_backward,
        W + "y = w * 2",
        W + "y = w * 2\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-returned", "info", "it is None, since autograd.grad() does not fill it",
        "{name}.grad is None: autograd.grad() ({at}) returns the gradients and leaves every .grad as it is.",
        "Use what it returns, or call backward().",
        _returned,
        W + "y = w * 2\njgrad.autograd.grad(y, w)",
        W + "y = w * 2\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-failed", "info", "it is None, since backward() raised before it came there",
        "{name}.grad is None: the backward pass of {at} raised before it came to {name}.",
        "",
        _failed,
        W + "y = w.exp()\ny.add_(1)\ny.backward()",
        W + "y = w.exp() + 1\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-undefined", "info", "it is None, since a node on the way gave no gradient",
        "{name}.grad is None: {node} gave no gradient (None) for what leads to {name}.",
        "A custom Function has to return one for each input that requires grad.",
        _undefined,
        """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad, None

w = jgrad.ones(1, requires_grad=True)
x = jgrad.ones(1, requires_grad=True)
Scale.apply(x, w).backward()
""",
        """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x, factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        x, factor = ctx.saved_tensors
        return grad * factor, grad * x

w = jgrad.ones(1, requires_grad=True)
x = jgrad.ones(1, requires_grad=True)
Scale.apply(x, w).backward()
""",
        ask="w.grad",
    ),
    Rule(
        "grad-left-out", "info", "it is None, since backward(inputs=...) named other tensors",
        "{name}.grad is None: {at} called backward with inputs=, which fills the .grad of those tensors alone.",
        "Add {name} to inputs, or leave inputs out.",
        _left_out,
        W + "b = jgrad.ones(1, requires_grad=True)\n(w * b).backward(inputs=[b])",
        W + "b = jgrad.ones(1, requires_grad=True)\n(w * b).backward(inputs=[b, w])",
        ask="w.grad",
    ),
    Rule(
        "grad-cut", "info", "it is None, since the graph was cut on the way",
        "{name}.grad is None: {root} was computed from {name}, but {at} cut the graph with {what}.",
        "",
        _cut,
        W + "b = jgrad.ones(1, requires_grad=True)\nd = (w * 2).detach()\nloss = d * b\nloss.backward()",
        W + "b = jgrad.ones(1, requires_grad=True)\nd = w * 2\nloss = d * b\nloss.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-left-as-numbers", "info", "it is None, since numbers were taken out of the graph",
        "{name}.grad is None: line {line} made plain numbers of it ({what}), and what is computed from those has no history.",
        "Go on with the tensor itself.",
        _left_as_numbers,
        W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * w.item()\nloss.backward()",
        W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * w\nloss.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-unused", "info", "it is None, since the result does not depend on the tensor",
        "{name}.grad is None: backward ran from {root}, which does not depend on {name}.",
        "",
        _unused,
        W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * 2\nloss.backward()",
        W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * 2 + w\nloss.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-not-reached", "info", "it is None, and no trace knows more",
        "{name}.grad is None: no backward() has reached {name} since it was made, or since its .grad was cleared.",
        "",
        _unknown,
    ),
)  # fmt: skip


def reason(subject: Subject) -> dict[str, Any]:
    """Why the `.grad` of a tensor is what it is: `code`, `text`, `step` and `lines`."""
    for rule in WHY:
        for case in rule.find(subject):
            blanks = {
                "name": subject.name,
                "dtype": subject.dtype,
                "grad_fn": subject.grad_fn,
                "made": subject.made(),
            }
            return {
                "code": rule.code,
                "text": rule.say(blanks | case),
                "step": case["step"],
                "lines": case["lines"],
            }
    raise AssertionError("the last rule applies to everything")
