"""What the rules about a `.grad` look for: each function yields the blanks of its rule's sentence, if the rule applies."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.trace.document.log import Log
from jgrad.trace.document.schema import Value
from jgrad.trace.document.sentences import brief, short
from jgrad.trace.document.source import gathered, loaded, numbers_taken, parsed, rebinds
from jgrad.trace.explain.history import cut_off, never_had
from jgrad.trace.explain.rule import line_numbers, listed
from jgrad.trace.explain.subject import Subject, clearings, sums
from jgrad.trace.record.records import OUTSIDE

# A node whose derivative is zero, and what to do about it.
FLAT = (
    (r"(?:Relu|Threshold|Hardtanh|Clamp\w*|Hardsigmoid)Backward",
     "All its inputs lie where it is flat: start from other numbers or take smaller steps, or use something with a slope, as softplus for relu."),
    (r"(?:Round|Floor|Ceil|Trunc|Sign|Heaviside)Backward", "It is flat everywhere: use no rounding while training."),
    (r"Embedding\w*Backward", "Either the row of padding_idx alone was looked up, which gets no gradient, or the gradients of each row cancel."),
    (r"(?:Pow|Abs|MseLoss|L1Loss|LinalgVectorNorm|Norm|Cdist)Backward", "All its inputs are 0 there, as differences are once there is nothing left to learn."),
    (r"(?:Sigmoid|Tanh|Softmax|LogSoftmax|Erf)\w*Backward", "All its inputs are so large that it is flat there: scale them down, or start from smaller numbers."),
    ("", ""),
)  # fmt: skip
VANISHING = 1e-35  # float32 holds nothing below 1.4e-45, and products of such numbers not at all
STRETCHES = re.compile(
    r"(?:r?sub|add|mul|(?:true_|floor_)?div|pow|where|f?m(?:ax|in)|m(?:ax|in)imum|atan2|hypot|lerp|addc(?:mul|div)|fmod|remainder|masked_fill|"
    r"clamp|xlogy|logaddexp|copysign)_?$"
)  # operations that broadcast
TRACE = "; with %%trace in the first line of the cell, %why names it"
UNDEFINED = (
    "Keep its input away from there: add a small number, as in sqrt(x + 1e-12), or put a where() before it, as in log(where(x > 0, x, 1)); one "
    "after it does not help, for it sends back a 0, and 0 times infinity is nan."
)
TOO_LARGE = (
    "One of its factors is infinite or too large: look where that was made. Where a training diverges, a lower learning rate or clipped gradients "
    "keep it in bounds."
)
PRODUCTS = re.compile(
    r"(?:Mul|Mm|Mv|Dot|Bmm|Addmm|Addmv|Baddbmm|Linear|LinalgVecdot|ConvolutionOverrideable|Convolution)Backward"
)


REMEDIES = (  # a node that made nan or inf, and what to do about it
    (PRODUCTS, TOO_LARGE),
    (r"(?:Acos|Asin|Atanh|Erfinv)Backward", "Keep its input away from -1 and 1, as with x.clamp(-1 + 1e-6, 1 - 1e-6)."),
    (r"(?:Std|Var)(?:Mean)?Backward", "A single number has no spread: give it at least two, or pass correction=0."),
    (r"(?:Div|Reciprocal)Backward", "Keep the divisor away from 0: add a small number to it, or put a where() before it, as in x / where(y != 0, y, 1)."),
    ("", UNDEFINED),
)  # fmt: skip
LARGE = 1e15  # the powers of such numbers soon leave what float32 can hold


def has_sum(s: Subject) -> Iterator[dict]:
    runs = [] if s.log is None or s.number is None else sums(s.log).get(s.number, [])
    if s.has_grad and runs and runs[-1].cleared is None and len(runs[-1].adds) > 1:
        assert s.log is not None
        adds = runs[-1].adds
        lines = s.log.lines(*adds)
        yield {"count": len(adds), "where": line_numbers(lines), "step": adds[-1], "lines": lines} | gathered(
            [f"{s.name}.grad"], s.log.source, lines, clearings(s.log, [s.number])
        )


def has_broadcast(s: Subject) -> Iterator[dict]:
    if not s.has_grad or s.log is None or s.number is None:
        return
    shape = s.log.tensors[s.number]["shape"]
    for i, step in enumerate(s.log.steps):
        reads = step.get("reads", ())
        if step["kind"] == "op" and s.number in reads and len(reads) > 1 and STRETCHES.match(step["op"]):
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


def has_late(s: Subject) -> Iterator[dict]:
    if s.has_grad:
        yield from late(s)


def late(s: Subject) -> Iterator[dict]:
    """Something was computed from it before it was asked to require grad."""
    if (
        not s.requires_grad
        or not s.is_leaf
        or s.log is None
        or s.number is None
        or s.log.tensors[s.number]["requires_grad"]
    ):
        return
    roots = [(root, i) for i, step in s.backwards() for root in step["roots"]]
    used = {t for root, i in roots for t in s.log.sources(root, i)}
    for i in s.log.users.get(s.number, ()):
        step, made = s.log.steps[i], s.log.steps[i].get("makes", [])
        early = step["kind"] == "op" and made and not s.log.state(s.number, i)["requires_grad"]
        if early and s.log.text(i) and (made[0] in used or not roots):
            yield {"at": s.log.at(i), "what": s.log.name(made[0], i)} | _place(s, i)
            return


def has_zero_factor(s: Subject) -> Iterator[dict]:
    for case in has_zero(s):
        if PRODUCTS.match(case["node"]):
            assert s.log is not None
            factor, advice = "the other factor", ""
            for t in _saved(s.log, case["step"]):
                whole = (
                    t if s.log.tensors[t]["base"] is None else s.log.tensors[t]["base"]
                )  # a weight is used transposed
                if whole == s.number:
                    continue
                if {"0.", "-0."}.issuperset(s.log.held(t, case["step"])):
                    factor = s.log.name(whole, case["step"])
                if s.log.final[whole]["is_leaf"] and s.log.final[whole]["requires_grad"]:
                    advice = "Start weights with random numbers instead of zeros."
            yield case | {"factor": factor, "advice": advice}


def _saved(log: Log, step: int) -> list[int]:
    """The tensors that the node had saved which runs in a step."""
    saved = log.nodes[log.steps[step]["node"]]["saved"]
    return [t["tensor"] for t in saved if t["tensor"] is not None]


def has_vanished(s: Subject) -> Iterator[dict]:
    """A gradient on the way became smaller than its dtype can hold."""
    for case in has_zero(s):
        if case["norm"] is not None and case["norm"] < VANISHING:
            yield case


def has_zero(s: Subject) -> Iterator[dict]:
    """The node that turned a gradient on the way to it into zeros."""
    events = s.events()
    if not s.has_grad or not events or not zero(events[-1][1]["after"]) or events[-1][1]["action"] != "add":
        return
    assert s.log is not None
    towards = s.log.nodes_towards(s.number)
    last = s.log.steps[events[-1][0]].get("backward_call")
    for i, step in s.log.of("node"):
        here = step["node"] in towards and step.get("backward_call") == last
        if here and not all(zero(v) for v in step["grads_in"]):
            edges = zip(s.log.nodes[step["node"]]["next_functions"], step["grads_out"], strict=False)
            sent = [value for (target, _), value in edges if target in towards]
            if sent and all(zero(v) for v in sent):
                arrived = next(v for v in step["grads_in"] if not zero(v))
                node = s.log.node(step["node"])
                advice = next(said for pattern, said in FLAT if re.match(pattern, node))
                known = [v.get("norm") for v in step["grads_in"] if v is not None and not zero(v)]
                norm = max([n for n in known if n is not None], default=None)
                yield {"node": node, "arrived": brief(arrived), "advice": advice, "norm": norm} | _place(s, i)
                return


def has_nan(s: Subject) -> Iterator[dict]:
    """The node on the way that made nan or inf of a gradient that had none, or what else did."""
    if s.value is None or not spoilt(s.value):
        return
    first = next((e for e in reversed(s.events()) if not spoilt(e[1]["before"])), None)
    if s.log is None or first is None:
        culprit = f"an operation on the way met a derivative that is infinite or undefined{TRACE}"
        yield {"value": brief(s.value), "culprit": culprit, "advice": UNDEFINED} | _place(s, None)
        return
    at, grad = first
    here = {"value": brief(s.value)}
    if grad["action"] != "add":
        before = "" if grad["before"] is None else f"; it was {brief(grad['before'])} before"
        yield (
            here
            | {"culprit": f"{s.log.at(at)} ({s.log.doing(at)}) made it so{before}", "advice": ""}
            | _place(s, at)
        )
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
            culprit = f"{s.log.node(step['node'])} got {brief(got)} and made {brief(bad)} of it{of}"
            yield here | {"culprit": culprit, "advice": advice} | _place(s, i)
            return
    came = [part["value"] for part in grad["contributions"]]
    started = next(
        (v for _, b in s.asked() if b["backward_call"] == last for v in b["grads_in"] if spoilt(v)), None
    )
    culprit = "a hook on the way made it so" if started is None else f"backward started with {brief(started)}"
    if came and not any(map(spoilt, came)):
        culprit = (
            f"{brief(grad['added'])} was made of {listed([brief(v) for v in came])} by a hook or in adding up"
        )
    yield here | {"culprit": culprit, "advice": ""} | _place(s, at)


def remedy(log: Log, step: int) -> tuple[str, str]:
    """Of a node that made nan or inf in a step: what it had saved that was so already, and what to do about it."""
    node = log.steps[step]["node"]
    name = short(log.nodes[node]["name"])
    for t in _saved(log, step):
        if log.maker.get(t) == log.node_maker.get(node):
            continue  # its own result
        texts = log.held(t, step)
        bad = next((kind for kind in ("nan", "inf") if kind in texts or f"-{kind}" in texts), None)
        if bad is not None:
            called = log.name(t, step)
            where = (
                f"%why {called} says where that comes from."
                if re.fullmatch(r"[A-Za-z_][\w.]*", called)
                else ""
            )
            return f", since {called} holds {bad}", where or TOO_LARGE.replace(
                "One of its factors is infinite or too large: look", "Look"
            )
        if name.startswith("PowBackward") and any(
            abs(float(x)) > LARGE for x in texts if re.fullmatch(r"-?[\d.]+(?:e[+-]?\d+)?", x)
        ):
            return "", TOO_LARGE
    after = [short(log.nodes[n]["name"]) for n, _ in log.nodes[node]["next_functions"] if n is not None]
    if name.startswith("LogBackward") and after == ["SoftmaxBackward0"]:
        return "", "Use log_softmax(), which takes the logarithm before a small probability can become 0."
    return "", next(said for pattern, said in REMEDIES if re.match(pattern, name))


def spoilt(value: Value | None) -> bool:
    """Whether a gradient holds nan or inf."""
    return value is not None and bool(value.get("nan_count") or value.get("inf_count"))


def has_spoilt(s: Subject) -> Iterator[dict]:
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
                unseen = write["storage"] == t["storage"] and (
                    outside or write["version_counter"] != t["version_counter"]
                )
                if (
                    unseen
                    and node is not None
                    and node["created_step"] < k < i
                    and write["changed_elements"] != []
                ):
                    saved_name, writer = log.name(t["id"], k), log.name(write["tensor"], k)
                    by = f"{log.at(k)} wrote to the memory of {saved_name} through {writer}"
                    if outside:
                        by = f"before {log.at(k)} the memory of {saved_name} had changed from outside, as by a NumPy array that shares it"
                    yield {
                        "by": by, "node": log.node(node["id"]), "step": k, "lines": log.lines(k, i),
                    }  # fmt: skip
                    return


def has_moved(s: Subject) -> Iterator[dict]:
    """A node on the way computed with other numbers than those it was made for: `.data` of what it saved was set since."""
    if not s.has_grad or s.log is None or s.number is None:
        return
    log, towards = s.log, s.log.nodes_towards(s.number)
    for i, step in log.of("node"):
        node = log.nodes[step["node"]]
        for saved in node["saved"] if step["node"] in towards else ():
            for k, change in log.changes.get(saved["tensor"], ()) if saved["tensor"] is not None else ():
                if "storage" in change and node["created_step"] < k < i and log.steps[k]["op"] == "data":
                    name = log.name(saved["tensor"], k)
                    yield {
                        "at": log.at(k),
                        "saved": name,
                        "node": log.node(node["id"]),
                        "step": k,
                        "lines": log.lines(k, i),
                    }
                    return


def zero(value: Value | None) -> bool:
    """Whether a gradient is all zeros, or is none."""
    return value is None or (value.get("norm") == 0 and not value.get("nan_count"))


def has(s: Subject) -> Iterator[dict]:
    if s.has_grad:
        events = s.events()
        last = f" ({brief(s.value)})"
        if events and s.log is not None:
            step, grad = events[-1]
            last = f": {s.log.at(step)} left {brief(grad['after'])} there"
            if grad["action"] != "add":
                before = "" if grad["before"] is None else f"; it was {brief(grad['before'])} before"
                last = f": {s.log.at(step)} ({s.log.doing(step)}) set it to {brief(grad['after'])}{before}"
            parts = [f"{brief(p['value'])} from {s.log.node(p['node'])}" for p in grad["contributions"]]
            if 1 < len(parts) <= 4:
                last += f", the sum of {listed(parts)}"
            hooked = re.search(r", which (?:a hook|hooks) made of .*", s.log.steps[step]["text"])
            last += hooked[0] if hooked else ""
        yield {"last": last} | _place(s, events[-1][0] if events else None)


def integer(s: Subject) -> Iterator[dict]:
    if not s.requires_grad and not s.dtype.startswith(("float", "bfloat", "complex")):
        yield _place(s, s.made_at())


def detached(s: Subject) -> Iterator[dict]:
    how = "" if s.log is None or s.number is None else s.log.tensors[s.number]["origin"]
    if not s.requires_grad and how in ("detach", "data"):
        yield {"how": "detach()" if how == "detach" else ".data"} | _place(s, s.made_at())


def no_grad_mode(s: Subject) -> Iterator[dict]:
    step = s.made_at()
    if step is not None and s.log is not None and not s.requires_grad:
        reads = s.log.steps[step].get("reads", ())
        if s.log.steps[step]["kind"] == "op" and any(s.log.tensors[r]["requires_grad"] for r in reads):
            mode = s.log.switch(step).removesuffix(", under which it ran")
            yield {"mode": mode} | _place(s, step)


def without_history(s: Subject) -> Iterator[dict]:
    """It was computed, from nothing that has a history."""
    if s.requires_grad or s.log is None or s.number is None:
        return
    step, born = s.made_at(), s.log.tensors[s.number]["created_step"]
    gradient = born >= 0 and s.log.steps[born]["kind"] in ("backward", "node", "accumulate")
    if not gradient and (step is None or not s.log.steps[step].get("reads")):
        return
    end = len(s.log.steps)
    why = cut_off(s.log, s.number, end) or never_had(s.log, s.number, end)
    if why:
        yield {"why": why} | _place(s, step)


def not_required(s: Subject) -> Iterator[dict]:
    if not s.requires_grad:
        yield _place(s, s.made_at())


def rebound(s: Subject) -> Iterator[dict]:
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
    if _leaf_before(s):
        step = s.made_at()
        yield {"at": s.log.at(step) if step is not None else "a later line"} | _place(s, step)


def _leaf_before(s: Subject) -> bool:
    """Whether the name meant a leaf that requires grad before, from which this tensor was computed."""
    assert s.log is not None
    step, placed = s.made_at(), set()
    line = None if step is None else s.log.steps[step]["line"]
    if (
        line is not None and rebinds(s.log.source, line) == s.name
    ):  # p in a list has the name of its place there
        read = {r for one in s.log.steps if one["line"] == line for r in one.get("reads", ())}
        itself = loaded(s.log.source, line)
        placed = {r for r in read if itself.isdisjoint(re.findall(r"^\w+", s.log.name(r, step)))}
    for t in s.log.final:
        leaf = t["is_leaf"] and t["requires_grad"] and t["id"] != s.number
        known = leaf and (t["id"] in placed or s.name in [n for _, n in t["names"]])
        if known and s.number in s.log.computed_from(t["id"]):
            return True
    return False


def rebound_without(s: Subject) -> Iterator[dict]:
    """The same under no_grad()."""
    for case in no_grad_mode(s):
        if (
            s.log is not None
            and rebinds(s.log.source, s.log.steps[case["step"]]["line"]) == s.name
            and _leaf_before(s)
        ):
            yield case | {"at": s.log.at(case["step"])}


def computed_at_birth(s: Subject) -> Iterator[dict]:
    """It was computed from a leaf that was made on the same line and never had a name."""
    step = s.made_at()
    if s.log is None or step is None or s.is_leaf or s.retains_grad:
        return
    line = s.log.steps[step]["line"]
    for r in s.log.steps[step].get("reads", ()):
        t, maker = s.log.tensors[r], s.log.maker.get(next(iter(s.log.parameter_of.get(r, ())), r))
        nameless = (
            not any(n for _, n in t["names"]) and maker is not None and s.log.steps[maker]["line"] == line
        )
        if nameless and t["is_leaf"] and t["requires_grad"]:
            yield {"leaf": s.log.name(r)} | _place(s, step)
            return


def kept_late(s: Subject) -> Iterator[dict]:
    """It was asked to keep its gradient after that had come through."""
    waits = not s.is_leaf and s.retains_grad and not s.has_grad and not s.events()
    if waits and (s.log is None or s.number is None or _came_through(s)):
        yield _place(s, s.made_at())


def _came_through(s: Subject) -> bool:
    """Whether a backward pass ran the node that made it."""
    assert s.log is not None
    assert s.number is not None
    node = s.log.final[s.number]["grad_fn"]
    return any(step["kind"] == "node" and step["node"] == node for step in s.log.steps)


def beside(s: Subject) -> Iterator[dict]:
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


def not_leaf(s: Subject) -> Iterator[dict]:
    if not s.is_leaf and not s.retains_grad:
        step, advice = s.made_at(), f"Call {s.name}.retain_grad() before backward()."
        if s.log is not None and step is not None and s.log.steps[step]["kind"] == "view":
            viewed = s.log.steps[step]["reads"][0]
            if s.log.final[viewed]["is_leaf"] and s.log.final[viewed]["requires_grad"]:
                advice = f"Its part is in {s.log.name(viewed)}.grad; to have it by itself, call {s.name}.retain_grad() before backward()."
        yield {"advice": advice} | _place(s, step)


def cleared(s: Subject) -> Iterator[dict]:
    events = s.events()
    if events and not s.has_grad:
        assert s.log is not None
        seen = events[-1][1]["action"] == "none"
        at = s.log.at(events[-1][0]) if seen else "a line that was not traced"
        yield {"at": at} | _place(s, events[-1][0] if seen else None)


def no_backward(s: Subject) -> Iterator[dict]:
    if s.log is not None and not s.backwards():
        asked = [i for i, step in enumerate(s.log.steps) if step["kind"] == "backward"]
        if not asked:
            end = len(s.log.steps) - 1
            failed = end >= 0 and s.log.steps[end]["kind"] == "error" and s.log.steps[end]["op"] == "backward"
            what = (
                f"the backward() of {s.log.at(end)} raised{_raised(s.log, end)}"
                if failed
                else f"no backward() ran in {s.log.title()}"
            )
            yield {"what": what} | _place(s, end if failed else s.made_at())


def _raised(log: Log, step: int) -> str:
    """What the notes say about an error."""
    note = next(
        (n for n in log.document.get("notes", ()) if n["step"] == step and n["severity"] == "error"), None
    )
    return "" if note is None else f": {note['text'].removeprefix(f'{log.at(step)}: ').rstrip('.')}"


def returned(s: Subject) -> Iterator[dict]:
    if s.log is not None and not s.backwards():
        for i, step in enumerate(s.log.steps):
            if step["kind"] == "backward":
                yield {"at": s.log.at(i)} | _place(s, i)
                return


def failed(s: Subject) -> Iterator[dict]:
    """The log ends with an error, before which came nothing but a backward pass: in a node, or in a hook."""
    if s.log is not None and s.log.steps[-1]["kind"] == "error":
        for i, step in s.backwards()[-1:] or s.asked()[-1:]:
            if all(later.get("backward_call") == step["backward_call"] for later in s.log.steps[i:-1]):
                yield {"at": s.log.at(i)} | _place(s, len(s.log.steps) - 1)


def undefined(s: Subject) -> Iterator[dict]:
    """A node on the way ran and gave no gradient for the edge that leads here."""
    for i, step in s.backwards():
        assert s.log is not None
        if "inputs" in s.log.text(i):
            continue
        towards = s.log.nodes_towards(s.number)
        for k, node in enumerate(s.log.steps):
            if node["kind"] == "node" and node.get("backward_call") == step["backward_call"]:
                edges = zip(s.log.nodes[node["node"]]["next_functions"], node["grads_out"], strict=False)
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


def left_out(s: Subject) -> Iterator[dict]:
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


def cut(s: Subject) -> Iterator[dict]:
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


def left_as_numbers(s: Subject) -> Iterator[dict]:
    """The source takes numbers out of it, or out of what was computed from it."""
    if s.log is None or s.number is None or not s.backwards():
        return
    derived = s.log.computed_from(s.number) | {s.number}
    names = {n for t in derived for _, n in s.log.tensors[t]["names"] if n}
    for line, text in numbers_taken(s.log.source, names):
        yield {"line": line, "what": text, "step": s.backwards()[-1][0], "lines": [line]}
        return


def unused(s: Subject) -> Iterator[dict]:
    for i, step in s.backwards()[-1:]:
        assert s.log is not None
        yield {"root": listed([s.log.name(r, i) for r in step["roots"]])} | _place(s, i)


def unknown(s: Subject) -> Iterator[dict]:
    yield _place(s, None)


def _place(s: Subject, step: int | None) -> dict:
    return {"step": -1 if step is None else step, "lines": [] if s.log is None else s.log.lines(step)}
