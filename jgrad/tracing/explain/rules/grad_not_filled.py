"""A .grad that is None though backward() could have filled it."""

from __future__ import annotations

from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.sentences import described_gap, short
from jgrad.tracing.document.syntax import decisions, numbers_taken
from jgrad.tracing.explain.edits import Code, kept_as_tensor
from jgrad.tracing.explain.edits import uncut as without_cut
from jgrad.tracing.explain.history import goes_into, uncut
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.subject import Subject

WHY = Rules()

W = "w = jgrad.ones(1, requires_grad=True)\n"


@WHY.rule(
    "grad-cleared", "info", "it is None, because it was set to None",
    "{name}.grad is None: {at} set it to None, and no backward() has filled it since.",
    "",
    W + "(w * 2).backward()\nw.grad = None",
    W + "w.grad = None\n(w * 2).backward()",
    ask="w.grad",
)  # fmt: skip
def grad_cleared(s: Subject) -> Iterator[dict]:
    events = s.events()
    if events and not s.has_grad:
        assert s.log is not None
        if events[-1][0] in s.log.gaps:
            return
        seen = events[-1][1]["action"] == "none"
        at = s.log.at(events[-1][0]) if seen else "a line that was not traced"
        yield {"at": at} | s.place(events[-1][0] if seen else None)


@WHY.rule(
    "grad-in-gap", "info", "it is None, and the steps that tell why were not kept",
    "{name}.grad is None: {gap}, so the trace does not show why.",
    "Trace the last rounds alone, or ask for them with --rounds.",
)  # fmt: skip
def grad_in_gap(s: Subject) -> Iterator[dict]:
    """No backward() was kept since the last gap."""
    if s.log is not None and s.log.gaps and not s.has_grad:
        last = s.log.gaps[-1]
        if not s.asked():
            yield {"gap": described_gap(s.log.steps[last]["gap"])} | s.place(None)


@WHY.rule(
    "grad-asked-too-late", "warning", "it is None, because the tensor was used before it required grad",
    "{name}.grad is None: {ran} used {name} when {name} did not require grad yet.",
    "Call {name}.requires_grad_() before anything is computed from {name}.",
    W + "x = jgrad.ones(1)\ny = w * x\nx.requires_grad_()\ny.backward()",
    W + "x = jgrad.ones(1)\nx.requires_grad_()\ny = w * x\ny.backward()",
    ask="x.grad",
)  # fmt: skip
def grad_asked_too_late(s: Subject) -> Iterator[dict]:
    """Something was computed from it before it was asked to require grad."""
    if (
        not s.requires_grad
        or not s.is_leaf
        or s.log is None
        or s.number is None
        or s.log.met(s.number)["requires_grad"]
    ):
        return
    roots = [(root, i) for i, step in s.backwards() for root in step["roots"]]
    used = {t for root, i in roots for t in s.log.sources(root, i)}
    for i in s.log.users.get(s.number, ()):
        step, made = s.log.steps[i], s.log.steps[i].get("makes", [])
        early = step["kind"] in ("op", "view") and made and not s.log.state(s.number, i)["requires_grad"]
        if early and s.log.text(i) and (made[0] in used or not roots):
            yield {"ran": s.log.ran(i)} | s.place(i)
            return


@WHY.rule(
    "grad-no-backward", "info", "it is None, because backward() has not run",
    "{name}.grad is None: {what}.",
    "{repair}",
    W + "y = w * 2",
    W + "y = w * 2\ny.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_no_backward(s: Subject) -> Iterator[dict]:
    if s.log is not None and not s.backwards() and not s.log.gaps:
        asked = [i for i, step in enumerate(s.log.steps) if step["kind"] == "backward"]
        if not asked:
            end = len(s.log.steps) - 1
            failed = end >= 0 and s.log.steps[end]["kind"] == "error" and s.log.steps[end]["op"] == "backward"
            what = (
                f"backward() in {s.log.at(end)} raised an error{_raised(s.log, end)}"
                if failed
                else f"no backward() ran in {s.log.title()}"
            )
            repair = "" if failed else f"Call backward() on a result that was computed from {s.name}."
            yield {"what": what, "repair": repair} | s.place(end if failed else s.made_at())


def _raised(log: Log, step: int) -> str:
    """What the notes say about an error."""
    note = next(
        (n for n in log.document.get("notes", ()) if n["step"] == step and n["severity"] == "error"), None
    )
    return (
        ""
        if note is None
        else f": {note['text'].removeprefix(f'{Log(log.document).at(step)}: ').rstrip('.')}"
    )


@WHY.rule(
    "grad-returned", "info", "it is None, because autograd.grad() does not fill it",
    "{name}.grad is None: autograd.grad() ({at}) returns the gradients and changes no .grad.",
    "Use the result of autograd.grad(), or call backward().",
    W + "y = w * 2\njgrad.autograd.grad(y, w)",
    W + "y = w * 2\ny.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_returned(s: Subject) -> Iterator[dict]:
    if s.log is not None and not s.backwards() and not s.log.gaps:
        for i, step in enumerate(s.log.steps):
            if step["kind"] == "backward":
                yield {"at": s.log.at(i)} | s.place(i)
                return


@WHY.rule(
    "grad-failed", "info", "it is None, because backward() raised an error",
    "{name}.grad is None: backward() in {at} raised an error before it reached {name}.",
    "Ask %why about the error.",
    W + "y = w.exp()\ny.add_(1)\ny.backward()",
    W + "y = w.exp() + 1\ny.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_failed(s: Subject) -> Iterator[dict]:
    """The log ends with an error, before which came nothing but a backward pass that was on its way to the tensor: in a node, or in a hook."""
    if s.log is not None and s.log.steps[-1]["kind"] == "error":
        for i, step in s.backwards()[-1:]:
            last = all(later.get("backward_call") == step["backward_call"] for later in s.log.steps[i:-1])
            if last and s.number in _leaves(s.log, i):
                yield {"at": s.log.at(i)} | s.place(len(s.log.steps) - 1)


def _leaves(log: Log, backward: int) -> set[int | None]:
    """The tensors to which the graph leads that a backward pass starts at."""
    todo = [log.state(root, backward)["grad_fn"] for root in log.steps[backward]["roots"]]
    seen = set(todo)
    for number in todo:  # grows while it is walked
        if number is not None:
            after = [n for n, _ in log.nodes[number]["next_functions"] if n not in seen]
            todo += after
            seen.update(after)
    return {log.nodes[n]["variable"] for n in seen if n is not None}


@WHY.rule(
    "grad-undefined", "info", "it is None, because a node on the way returned no gradient",
    "{name}.grad is None: {node} returned no gradient (None) for the input that leads to {name}.",
    "Return a gradient in backward() for each input that requires grad.",
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
)  # fmt: skip
def grad_undefined(s: Subject) -> Iterator[dict]:
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
                    yield {
                        "node": short(record["name"]),
                        "where": s.log.made_node(node["node"]),
                        "step": k,
                        "lines": s.log.lines(k, i),
                    }
                    return


@WHY.rule(
    "grad-left-out", "info", "it is None, because backward(inputs=...) named other tensors",
    "{name}.grad is None: {at} called backward() with inputs=, which fills the .grad of these inputs only.",
    "Add {name} to inputs=, or leave out inputs=.",
    W + "b = jgrad.ones(1, requires_grad=True)\n(w * b).backward(inputs=[b])",
    W + "b = jgrad.ones(1, requires_grad=True)\n(w * b).backward(inputs=[b, w])",
    ask="w.grad",
)  # fmt: skip
def grad_left_out(s: Subject) -> Iterator[dict]:
    """The backward pass could have come here, and did not."""
    for i, step in s.backwards():
        assert s.log is not None
        if "inputs" not in s.log.text(i):
            continue
        towards = s.log.nodes_towards(s.number)
        roots = [s.log.node_at(t, i) for t in step["roots"]]
        if any(node in towards for node in roots if node is not None):
            yield {"at": s.log.at(i)} | s.place(i)
            return


@WHY.rule(
    "grad-cut", "info", "it is None, because the graph was cut on the way",
    "{name}.grad is None: {root} was computed from {name}, but {at} cut the graph with {what}.",
    "{repair}",
    W + "b = jgrad.ones(1, requires_grad=True)\nd = (w * 2).detach()\nloss = d * b\nloss.backward()",
    W + "b = jgrad.ones(1, requires_grad=True)\nd = w * 2\nloss = d * b\nloss.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_cut(s: Subject) -> Iterator[dict]:
    for i, step in s.backwards():
        assert s.log is not None
        assert s.number is not None
        for root in step["roots"]:
            cut = cut_between(s.log, s.number, root, i)
            if cut is not None:
                made = s.log.maker[cut]
                yield {
                    "root": s.log.name(root, i), "at": s.log.at(made), "what": s.log.cutter(cut), "step": i,
                    "repair": uncut(s.log, cut, s.name),
                    "lines": s.log.lines(made, i), "edits": without_cut(s.log, cut),
                }  # fmt: skip
                return


@WHY.rule(
    "grad-left-as-numbers", "info", "it is None, because numbers were taken out of the graph",
    "{name}.grad is None: {at} made plain numbers ({what}), and what is computed from plain numbers has no history.",
    "Compute with the tensor itself.",
    W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * w.item()\nloss.backward()",
    W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * w\nloss.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_left_as_numbers(s: Subject) -> Iterator[dict]:
    """The source takes numbers out of it, or out of what was computed from it."""
    if s.log is None or s.number is None or not s.backwards():
        return
    last, step = s.backwards()[-1]
    for line, text in numbers_taken(s.log.source, names_of(s.log, s.number)):
        if goes_into(s.log, line, step["roots"], last):
            edits = kept_as_tensor(Code.of_log(s.log), line, text)
            yield {
                "at": s.log.places.of_line(line),
                "what": text,
                "step": last,
                "lines": [line],
                "edits": edits,
            }
        return


def names_of(log: Log, number: int) -> set[str]:
    """What the source calls a tensor, and what was computed from it."""
    derived = log.computed_from(number) | {number}
    return {n for t in derived for _, n in log.tensors[t]["names"] if n}


def cut_between(log: Log, leaf: int, root: int, index: int) -> int | None:
    """The tensor at which the path from a leaf to a root leaves the graph. Some indexes are plain numbers to the operator that takes them,
    as best is in table[best]: then the source has to show that they are used."""
    cut = log.cut(leaf, root, index)
    if cut is None and leaf not in log.sources(root, index):
        for t in sorted(log.computed_from(leaf)):
            whole = log.tensors[t]["dtype"].startswith(("int", "uint"))
            line = log.steps[log.maker[t]]["line"] if whole and t in log.maker else None
            if line is not None and goes_into(log, line, [root], index):
                return t
    return cut


@WHY.rule(
    "grad-decided", "info", "it is None, because the tensor only decides what is computed",
    "{name}.grad is None: {name} only decides in {at} what is computed ({what}), and a decision has no derivative.",
    "Use a weighted sum of both results: p = jgrad.sigmoid({name}); y = p * a + (1 - p) * b.",
    "w = jgrad.tensor(2., requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\nloss = b * 2 if w > 1 else b * 3\nloss.backward()",
    "w = jgrad.tensor(2., requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\np = jgrad.sigmoid(w - 1)\nloss = p * b * 2 + (1 - p) * b * 3\n"
    "loss.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_decided(s: Subject) -> Iterator[dict]:
    """The source decides by its value what backward starts at."""
    if s.log is None or s.number is None or not s.backwards():
        return
    last, step = s.backwards()[-1]
    for line, text in decisions(s.log.source, names_of(s.log, s.number)):
        if goes_into(s.log, line, step["roots"], last):
            yield {"at": s.log.places.of_line(line), "what": text, "step": last, "lines": [line]}
            return


@WHY.rule(
    "grad-unused", "info", "it is None, because the result does not depend on the tensor",
    "{name}.grad is None: backward() ran from {root}, and no recorded operation leads from {name} to {root}.",
    "Compute {root} from {name} if {name} should learn.",
    W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * 2\nloss.backward()",
    W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * 2 + w\nloss.backward()",
    ask="w.grad",
)  # fmt: skip
def grad_unused(s: Subject) -> Iterator[dict]:
    for i, step in s.backwards()[-1:]:
        assert s.log is not None
        if not s.log.are_lost(set().union(*[s.log.sources(r, i) for r in step["roots"]])):
            yield {"root": listed([s.log.name(r, i) for r in step["roots"]])} | s.place(i)


@WHY.rule(
    "grad-not-reached", "info", "it is None, and no trace shows why",
    "{name}.grad is None: no backward() has reached {name} since it was made or its .grad was cleared.",
    "",
)  # fmt: skip
def grad_not_reached(s: Subject) -> Iterator[dict]:
    yield s.place(None)
