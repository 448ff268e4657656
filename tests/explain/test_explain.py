"""The catalogue, rule by rule: that the mistake is PyTorch's too, what is said of it, and that nothing is said once it is mended."""

from __future__ import annotations

import re
import warnings

import numpy
import pytest

import jgrad
from jgrad.tracing import explain
from jgrad.tracing.explain import Rule
from tests.explain import mistakes
from tests.explain.mistakes import RULES, heard, outcome, said, said_after
from tests.record.tracing import trace

# Pytest forgets the filter of `import jgrad`.
pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore:.*:RuntimeWarning"),
]

SHOWN = [rule for rule in RULES if rule.example]
W = "w = jgrad.ones(2, requires_grad=True)\n"


def named(rule: Rule) -> str:
    return rule.code


@pytest.mark.slow
@pytest.mark.parametrize("rule", SHOWN, ids=named)
def test_pytorch_does_the_same(rule: Rule) -> None:
    torch = pytest.importorskip("torch")
    for source in filter(None, (rule.example, rule.repaired)):
        expected, found = outcome(source, torch), outcome(source, jgrad)
        assert found["raised"] == expected["raised"]
        assert found["warned"] == expected["warned"]
        if rule.ask.endswith(".grad"):
            name = rule.ask.removesuffix(".grad")
            ours, theirs = found["variables"][name], expected["variables"][name]
            assert (ours.is_leaf, ours.requires_grad) == (theirs.is_leaf, theirs.requires_grad)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                if theirs.grad is None:
                    assert ours.grad is None
                else:
                    assert ours.grad.numpy() == pytest.approx(theirs.grad.numpy(), nan_ok=True)
    kind, pattern = rule.raised
    if kind:
        done = outcome(rule.example, torch)
        raised = [done["raised"]] if done["raised"] else done["warned"]
        assert any(re.fullmatch(kind, k) and re.search(pattern, message) for k, message in raised)


@pytest.mark.parametrize("rule", SHOWN, ids=named)
def test_what_is_said(rule: Rule) -> None:
    assert said(rule, rule.example), "the rule does not apply to its example"


@pytest.mark.slow
@pytest.mark.parametrize("rule", [rule for rule in SHOWN if rule.repaired], ids=named)
def test_nothing_is_said_of_the_mended_program(rule: Rule) -> None:
    with heard(jgrad) as warned:
        t = trace(rule.repaired)
    assert (t.error, warned) == (None, [])
    assert said_after(rule, t, warned) == []
    assert [n["code"] for n in t.document["notes"] if n["severity"] != "info"] == []


@pytest.mark.deep
def test_the_page_holds_the_catalogue() -> None:
    assert mistakes.PAGE.read_text(encoding="utf-8") == "\n".join(mistakes.page()), (
        "run python -m tests.explain.mistakes"
    )


# Suspicions about a training that no short example shows. Their thresholds are those of docs/decisions/22-training-in-silence.md, and
# tests/explain/failing_training has programs on which they must be silent.
UNSHOWN = {
    "batches-of-one",
    "batches-of-one-class",
    "signal-lost-in-layers",
    "still-falling",
    "test-inputs-of-other-scale",
    "units-died",
}


def test_codes_and_blanks() -> None:
    for rules in mistakes.CHAPTERS.values():
        codes = [rule.code for rule in rules]
        assert len(codes) == len(set(codes))
    # What no trace knows is asked in tests/notebook/test_why.py and tests/notebook/test_why_model.py.
    untraced = {
        "no-variable-requires-grad",
        "cut-suspected",
        "cut-unknown",
        "step-would-miss-gradients",
        "step-would-come-first",
    }
    untraced |= {
        "recording-left-off",
        "parameter-not-reached",
        "parameter-untraced",
        "model-trained-until-error",
        "step-can-not-be-tried",
    }
    assert {rule.code for rule in RULES if not rule.example} == untraced | {
        "saved-overwritten-unseen",
        "grad-not-reached",
        "grad-in-gap",
        *UNSHOWN,
    }
    assert {rule.severity for rule in RULES} <= set(explain.SEVERITIES)


@pytest.mark.parametrize(
    "rule", [rule for rule in (*explain.ERRORS, *explain.OPERATIONS) if rule.example], ids=named
)
def test_an_error_that_nothing_traced(rule: Rule) -> None:
    """The exception alone is enough for a sentence; lines and names may be missing."""
    variables: dict = {"jgrad": jgrad, "__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(rule.example, "<cell>", "exec"), variables)
        except Exception as error:
            incident = explain.Incident.of_error(error, variables)
            incident.source = incident.code = rule.example  # a cell's is found in linecache
            known = explain.why_raised(incident)
    assert known is not None
    assert known[0].code == (rule.code if rule.code != "saved-overwritten" else "saved-overwritten-unseen")
    assert "{" not in known[1]
    assert explain.why_raised(explain.Incident("ZeroDivisionError", incident.message)) is None


@pytest.mark.parametrize("source", [
    "x = jgrad.ones(3, requires_grad=True)\ny = (x * x).sum()\ny.backward()",
    "x = jgrad.ones(3, requires_grad=True)\ny = x * 2\ny.mul_(2)\ny.sum().backward()",
    "x = jgrad.ones(3, requires_grad=True)\n(x * x).sum().backward()\nwith jgrad.no_grad():\n    x.sub_(1)",
    "a = jgrad.ones(4)\nb = a[2:]\na[0] = 2",
    "out = jgrad.zeros(3)\nout.scatter_add_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))",
    "w = jgrad.ones(1, requires_grad=True)\ng, = jgrad.autograd.grad(w * 2, w)\ng, = jgrad.autograd.grad(w * 2, w)",
    "x = jgrad.arange(3.)\nd = x[:, None] - x",
])  # fmt: skip
def test_nothing_to_say(source: str) -> None:
    assert trace(source).document["notes"] == []


# code: (cell, the lines of the note)
LINES = {
    "saved-overwritten": [3, 4], "saved-stale": [2, 3], "second-backward": [3, 4], "leaf-inplace": [2], "grad-accumulated": [3],
    "data-write": [3], "shared-memory": [3], "grad-not-finite": [2, 3], "scatter-collision": [2], "root-without-history": [4],
}  # fmt: skip


@pytest.mark.parametrize("code", LINES)
def test_lines_of_a_note(code: str) -> None:
    rule = next(rule for rule in RULES if rule.code == code)
    [note] = [n for n in trace(rule.example).document["notes"] if n["code"] == code]
    assert note["lines"] == LINES[code]


@pytest.mark.parametrize("rule", [rule for rule in explain.WHY if rule.example], ids=named)
def test_the_document_alone_knows_as_much(rule: Rule) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        t = trace(rule.example)
    name = rule.ask.removesuffix(".grad")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # asking must not set off PyTorch's warning about .grad of a non-leaf
        found = explain.reason(explain.Subject.best(name, t.namespace[name], [t]))
    subject = explain.Subject.of(explain.Log(t.document), name)
    assert subject is not None
    assert explain.reason(subject) == found


def test_a_tensor_that_no_trace_knows() -> None:
    w = jgrad.ones(1, requires_grad=True)
    assert explain.reason(explain.Subject.best("w", w, []))["code"] == "grad-not-reached"


def test_a_grad_that_the_cell_reads_and_that_is_none() -> None:
    source = "w = jgrad.ones(1, requires_grad=True)\ny = w * 2\nz = y * 3\nz.backward()\nfound = y.grad"
    with pytest.warns(UserWarning, match="not a leaf"):
        [note] = trace(source).document["notes"]
    assert note["code"] == "grad-not-leaf"
    assert "so it is not a leaf" in note["text"]


@pytest.mark.parametrize(("line", "cutter", "repair"), [
    ("d = w.detach()", "detach()", " Leave out detach() in line 2 if w needs a gradient."),
    ("d = w.data", ".data", " Leave out .data in line 2 if w needs a gradient."),
    # Without it, the write would be one to the leaf.
    ("d = w.detach()\nd[0] = 2", "detach()", " Write clone() instead of detach() in line 2 if w needs a gradient."),
    ("with jgrad.no_grad(): d = w * 2", "no_grad()", " Move line 2 out of no_grad() if w needs a gradient."),
    ("d = w.long()", "w.long(), because a tensor of dtype int64 has no gradient", " Leave the numbers unrounded, or let the gradient pass straight through: y = x + (x.round() - x).detach()."),
    ("d = sum(v.argmax() for v in [w])", "v.argmax(), because a tensor of dtype int64 has no gradient",
     " Use a weighted sum of all values instead of one choice: p = scores.softmax(-1); y = (p * values).sum(-1)."),
    ("d = (w.argmax(0) == 0).float()", "w.argmax(0), because a tensor of dtype int64 has no gradient",
     " A count of hits has no derivative. Train with a loss that has one, such as jgrad.nn.functional.cross_entropy(scores, labels)."),
])  # fmt: skip
def test_backward_from_a_root_that_was_cut_off_names_the_line(line: str, cutter: str, repair: str) -> None:
    t = trace(f"w = jgrad.ones(1, requires_grad=True)\n{line}\nloss = d * 3\nloss.backward()")
    [note] = [n for n in t.document["notes"] if n["code"] == "root-without-history"]
    assert note["text"].endswith(f"it was computed from w, but line 2 cut the graph with {cutter}.{repair}")


@pytest.mark.parametrize(("source", "why"), [
    ("x = jgrad.ones(2)\nb = jgrad.ones(2)\n(x * b).sum().backward()", "it was computed from x and b, which do not require grad. Make"),
    ("x = jgrad.ones(2)\ny = (x * 2).sum()\nx.requires_grad_()\nz = x * 2\ny.backward()",
     "line 2 computed it from x, which did not require grad yet. Call x.requires_grad_()"),
    ("x = jgrad.ones(1, requires_grad=True)\ng, = jgrad.autograd.grad(x ** 3, x)\ng.backward()",
     "it is a gradient, which line 2 computed without a history. Pass create_graph=True"),
    ("x = jgrad.ones(1, requires_grad=True)\n(x ** 3).backward()\nx.grad.backward()",
     "it is a gradient, which line 2 computed without a history. Pass create_graph=True"),
    ("x = jgrad.ones(2, requires_grad=True)\n(x > 0).float().sum().backward()",
     "it was computed from x, but line 2 cut the graph with x > 0, because a tensor of dtype bool"),
    ("w = jgrad.ones(1, requires_grad=True)\nparts = [w * k for k in (1., 2.)]\njgrad.tensor(parts).sum().backward()",
     "it was computed from w, but line 3 cut the graph with jgrad.tensor(parts), which copies the numbers"),
    ("m = jgrad.nn.Linear(1, 1)\nfor p in m.parameters():\n    p.requires_grad = False\nm(jgrad.ones(1)).sum().backward()",
     "it was computed from the parameters of m, whose requires_grad became False in line 3. Keep requires_grad=True"),
    ("x = jgrad.ones(2)\ny = (x * 2).sum()\nx.requires_grad = True\ny.backward()",
     "line 2 computed it from x, which did not require grad yet. Call x.requires_grad_()"),
    ("x = jgrad.ones(2, requires_grad=True)\ng, = jgrad.autograd.grad((x ** 3).sum(), x)\n(g.norm() - 1).backward()",
     "it was computed from g, a gradient, which line 2 computed without a history. Pass create_graph=True"),
    ("from jgrad.utils.checkpoint import checkpoint\nm = jgrad.nn.Linear(1, 1)\nx = jgrad.ones(1)\n"
     "y = checkpoint(m, x, use_reentrant=True)\ny.backward()", "it was computed from m.weight, but line 4 cut the graph with checkpoint("),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_backward_from_a_root_without_history(source: str, why: str) -> None:
    [note] = [n for n in trace(source).document["notes"] if n["code"] == "root-without-history"]
    assert note["text"].split("does not require grad: ")[1].startswith(why)


@pytest.mark.parametrize(("source", "why"), [
    ("x = jgrad.ones(2)\nx.sum().backward()", "nothing that it was computed from requires grad, and no variable does. Make"),
    ("x = jgrad.ones(2, requires_grad=True)\nwith jgrad.no_grad():\n    y = x.sum()\ny.backward()", "as no_grad() in line 2 does."),
    ("x = jgrad.ones(2, requires_grad=True)\ny = jgrad.tensor(x.sum())\ny.backward()", "as tensor() in line 2 does."),
    ("m = [jgrad.nn.Linear(1, 1)]\nx = jgrad.ones(1)\nx.backward()", "or detach(), .data or no_grad() cut the graph."),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_backward_from_a_root_without_history_that_nothing_traced(source: str, why: str) -> None:
    variables: dict = {"jgrad": jgrad, "__name__": "__main__"}
    with pytest.raises(RuntimeError) as raised:
        exec(compile(source, "<cell>", "exec"), variables)
    incident = explain.Incident.of_error(raised.value, variables)
    incident.code = source
    assert why in explain.because(incident)


def test_a_parameter_made_of_a_computed_tensor_is_a_cut() -> None:
    t = trace(
        "w = jgrad.ones(2, requires_grad=True)\nv = jgrad.nn.Parameter(w * 2)\n(v * 3).sum().backward()"
    )
    found = explain.reason(explain.Subject.best("w", t.namespace["w"], [t]))
    assert found["code"] == "grad-cut"
    assert found["text"].endswith(
        "line 2 cut the graph with jgrad.nn.Parameter(w * 2), which makes a new leaf."
    )


def test_a_gradient_of_numbers_that_are_none_names_the_operation() -> None:
    t = trace("x = jgrad.zeros(1, requires_grad=True)\ny = x.sqrt() * 0\ny.backward()")
    found = explain.reason(explain.Subject.best("x", t.namespace["x"], [t]))
    assert found["text"].startswith("x.grad is [nan]: SqrtBackward0 (line 2) got [0.] and computed [nan].")


def test_a_hook_that_changed_a_gradient_is_named() -> None:
    t = trace("w = jgrad.ones(1, requires_grad=True)\nw.register_hook(lambda g: g * 100)\n(w * 2).backward()")
    found = explain.reason(explain.Subject.best("w", t.namespace["w"], [t]))
    assert found["text"] == (
        "w.grad is [200.]: the hook in line 2 got [2.], the gradient of w, and changed it to [200.]. To get the gradient without it, keep the "
        "handle that the registration returns, and call handle.remove()."
    )


@pytest.mark.parametrize(("source", "said"), [
    ("w = jgrad.ones(1, requires_grad=True)\ny = (w * 1e16).pow(4)\ny.backward()",
     "PowBackward0 (line 2) got [1.] and computed [inf]. A factor is infinite, nan or too large"),
    ("w = jgrad.zeros(1, requires_grad=True)\n(1 / w).backward()", "ReciprocalBackward0 (line 2) got [1.] and computed [-inf]. Keep the divisor away"),
    ("w = jgrad.ones(1, requires_grad=True)\nw.acos().backward()", "computed [-inf]. Keep its input away from -1 and 1,"),
    ("w = jgrad.ones(1, requires_grad=True)\nx = jgrad.full((1,), jgrad.nan)\n(w * x).backward()",
     "MulBackward0 (line 3) got [1.] and computed [nan], because x holds nan. Ask %why x where it comes from."),
    ("w = jgrad.tensor(100., requires_grad=True)\njgrad.where(w < 0, w.exp(), w).backward()", "ExpBackward0 (line 2) got 0. and computed nan. Keep its"),
    ("w = jgrad.ones(1, requires_grad=True)\nw.sum().backward(jgrad.tensor(jgrad.inf))", "w.grad is [inf]: backward() started with inf."),
    ("w = jgrad.ones(1, requires_grad=True)\nw.sum().backward()\nw.grad /= 0", "w.grad is [inf]: line 3 (w.grad /= 0) changed it; it was [1.] before."),
    ("w = jgrad.ones(1, requires_grad=True)\nw.register_hook(lambda g: g / 0)\nw.sum().backward()",
     "w.grad is [inf]: a hook or the addition computed [inf] from [1.]."),
    ("w = jgrad.ones(1, requires_grad=True)\ny = w * 2\ny.register_hook(lambda g: g / 0)\ny.sum().backward()",
     "w.grad is [inf]: a hook on the way changed the gradient."),
    ("w = jgrad.ones(1, requires_grad=True)\nw.sqrt().backward()\nw.grad = None\nw.data.zero_()\nw.sqrt().backward()", "SqrtBackward0 (line 5) got [1.]"),
    ("w = jgrad.ones(1, requires_grad=True)\nfor k in (0, jgrad.nan):\n    w.grad = None\n    (w * k).backward()", "got [1.] and computed [nan]"),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_who_made_a_gradient_that_is_not_finite(source: str, said: str) -> None:
    assert said in said_of(source, "w")


def test_a_factor_of_zeros_is_named() -> None:
    source = """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.Linear(3, 1))
jgrad.nn.init.zeros_(net[1].weight)
net(jgrad.ones(1, 2)).sum().backward()
"""
    said = said_of(source, "net[0].weight")
    assert said.endswith(
        "by net[1].weight, which gave zeros. Use random numbers instead of zeros as first weights."
    )


@pytest.mark.parametrize(("source", "said"), [
    ("net = jgrad.nn.RNN(2, 3)\nout = net(jgrad.ones(4, 1, 2))\nout.sum()",
     "line 3: out is a tuple, which has no sum(); the tensors in it have one. Take one of them, as in out[0], or unpack the tuple, as in out, state = rnn(x)."),
    ("jgrad.nn.RNN(2, 3)(jgrad.ones(4, 1, 2)).sum()", "line 1: jgrad.nn.RNN(2, 3)(jgrad.ones(4, 1, 2)) is a tuple, which has no sum();"),
    ("parts = {'a': jgrad.ones(1)}\nparts.mean()", "Join the tensors with jgrad.stack(list(parts.values())), or take one of them."),
    ("largest = jgrad.ones(2).max(0)\nlargest.backward()", "largest is a named tuple (max), which has no backward(); the tensors in it have one. Take"),
    ("x = jgrad.ones(2, requires_grad=True)\nloss = (x * 2).mean\nloss.backward()", "loss is not a tensor: it is"),
    ("x = jgrad.ones(2, requires_grad=True)\nloss = (x * 2).detach().numpy().mean()\nloss.backward()",
     "is a plain number (numpy.float32) without a history: (x * 2).detach().numpy() in line 2 made plain numbers from a tensor."),
    ("x = jgrad.ones(2, requires_grad=True)\nx.register_hook(lambda g: g.double())\nx.sum().backward()", "a tensor of another dtype."),
])  # fmt: skip
def test_what_is_no_tensor(source: str, said: str) -> None:
    [note] = [n for n in trace(source).document["notes"] if n["severity"] == "error"]
    assert said in note["text"]


@pytest.mark.parametrize("source", [
    "[].push(1)", "def f():\n    return None\nf().backward()", "{}.zero()", "x = None\nx.backward()", "x, y = [1]",
])  # fmt: skip
def test_errors_of_python_are_left_alone(source: str) -> None:
    assert [n for n in trace(source).document["notes"] if n["severity"] == "error"] == []


def test_the_gradient_of_a_parameter_that_a_loop_calls_otherwise() -> None:
    source = "net = jgrad.nn.Linear(1, 1)\nnet.bias.requires_grad = False\nnet(jgrad.ones(1)).sum().backward()\nn = [p.grad.norm() for p in net.parameters()]"
    t = trace(source)
    assert t.error is not None
    incident = explain.Incident.of_error(t.error, t.namespace, [t])
    assert explain.because(incident) == (
        "line 4: p.grad is None here: net.bias does not require grad. Call net.bias.requires_grad_() before net.bias is used."
    )


NET = "net = jgrad.nn.Sequential(jgrad.nn.Linear(1, 1), jgrad.nn.Linear(1, 1))\nnet[1].bias.requires_grad = False\nnet(jgrad.ones(1)).sum().backward()\n"


@pytest.mark.parametrize("line", [
    "n = [p.grad.norm() for p in net.parameters()]",
    "n = {p.grad.norm() for p in net.parameters()}",
    "n = {name: p.grad.norm() for name, p in net.named_parameters()}",
    "n = sum(p.grad.norm() for p in net.parameters())",
    "n = [p.grad.norm() for i, p in enumerate(net.parameters())]",
    "n = [p.grad.norm() for p, i in zip(list(net.parameters()), (1, 2, 3, 4))]",
    "n = [p.grad.norm() for layer in net for p in layer.parameters()]",
    "n = [layer.bias.grad.norm() for layer in net]",
    "n = [p.grad.norm() for p in (net[0].weight, net[1].bias)]",
    "n = [p.grad.norm() for p in net.parameters() if p is not net[0].weight]",
    "ps = list(net.parameters())\nn = [p.grad.norm() for p in ps]",
    "def f(model):\n    return [p.grad.norm() for p in model.parameters()]\nf(net)",
    "p = net[0].weight\nn = [p.grad.norm() for p in net.parameters()]",
    "for p in net.parameters():\n    p.grad.norm()",
])  # fmt: skip
def test_the_parameter_that_a_loop_calls_otherwise(line: str) -> None:
    t = trace(NET + line)
    said = explain.because(explain.Incident.of_error(t.error, t.namespace, [t]))
    assert "grad is None here: net.1.bias does not require grad." in said.replace("net[1]", "net.1")


@pytest.mark.parametrize("line", [
    "def parts():\n    calls.append(1)\n    return list(net.parameters())\nn = [p.grad.norm() for p in parts()]",
    "class Net(jgrad.nn.Sequential):\n    def parameters(self):\n        calls.append(1)\n        return list(super().parameters())\n"
    "n = [p.grad.norm() for p in Net(net).parameters()]",
    "class Box:\n    @property\n    def w(self):\n        calls.append(1)\n        return net[1].bias\nbox = Box()\nn = box.w.grad.norm()",
])  # fmt: skip
def test_looking_for_a_parameter_runs_no_code_of_the_users(line: str) -> None:
    t = trace(f"calls = []\n{NET}{line}")
    ran = len(t.namespace["calls"])
    explain.because(explain.Incident.of_error(t.error, t.namespace, [t]))
    assert len(t.namespace["calls"]) == ran == 1


@pytest.mark.parametrize(("source", "said"), [
    (W + "w.long().sum().float().backward()", "w.grad is None: backward() in line 2 raised an error: backward() starts at a tensor that does not require grad: it was computed from w, but line 2 cut the graph with w.long()"),
    (W + "(w * 2).backward()", "w.grad is None: backward() in line 2 raised an error: backward() starts at a tensor with several elements, but only a scalar can start without gradient=. Write"),
])  # fmt: skip
def test_a_backward_that_raised_is_told_with_its_reason(source: str, said: str) -> None:
    found = said_of(source, "w")
    assert found.startswith(said)
    assert ".." not in found


def test_a_gradient_by_another_name() -> None:
    t = trace(W + "(w * 2).sum().backward()\ng = w.grad\nkept = g.clone()")
    said = explain.describe(explain.AskedTensor("g", t.namespace["g"], t.namespace, [t]))
    assert "g is the same tensor as w.grad and shares its memory with no other variable." in said
    assert (
        "g.grad is None: g does not require grad: it is a gradient, which line 2 computed without a history."
        in said
    )
    assert "same tensor" not in explain.describe(
        explain.AskedTensor("kept", t.namespace["kept"], t.namespace, [t])
    )
    assert "same tensor" not in explain.describe(
        explain.AskedTensor("w.grad", t.namespace["g"], {"w": t.namespace["w"]}, [t])
    )


def test_what_an_attribute_carried_over_is_named() -> None:
    source = """
class Cell:
    def __init__(self):
        self.w = jgrad.ones(1, requires_grad=True)
        self.h = jgrad.zeros(1)
    def step(self):
        self.h = (self.h + self.w * self.w).tanh()
        return self.h.sum()
cell = Cell()
for i in range(2):
    cell.step().backward()
"""
    [note] = trace(source).document["notes"]
    assert note["code"] == "second-round"
    assert (
        "line 6 uses cell.h, a result of an earlier round. Write cell.h = cell.h.detach() at" in note["text"]
    )


@pytest.mark.parametrize(("since", "said"), [
    ("w.grad = None", "w.grad is None: a line that was not traced set it to None, and no backward() has filled it since."),
    ("(w * 3).sum().backward()", "w.grad is [5., 5.]."), ("w.grad.mul_(2)", "w.grad is [4., 4.]."), ("", "w.grad is [2., 2.]: backward() in line 2 computed it."),
])  # fmt: skip
def test_what_happened_to_a_gradient_after_the_trace(since: str, said: str) -> None:
    t = trace(W + "(w * 2).sum().backward()")
    exec(since, t.namespace)
    assert explain.reason(explain.Subject.best("w", t.namespace["w"], [t]))["text"] == said


def test_words_of_an_error_that_say_little() -> None:
    said = explain.about_words(
        "one of the variables needed for gradient computation has been modified by an inplace operation"
    )
    assert said is not None
    assert said.startswith(
        "backward() needs a saved tensor, but a later write in place changed this tensor. Write to a clone()"
    )


def test_numbers_of_a_computed_tensor_that_came_back_from_numpy() -> None:
    [note] = trace(
        W + "y = w * 2\nz = jgrad.from_numpy(y.detach().numpy() ** 2)\nz.sum().backward()"
    ).document["notes"]
    assert note["text"].endswith(
        "line 3 made a new tensor of plain numbers. y.detach().numpy() in line 3 took them out of the graph. Compute with the tensors "
        "themselves, with functions such as jgrad.sqrt() in place of NumPy's."
    )


@pytest.mark.parametrize(
    ("copied", "keeps"), [("jgrad.tensor(w.sum())", "clone()"), ("jgrad.tensor([w[0], w[1]])", "stack()")]
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_would_have_kept_the_history(copied: str, keeps: str) -> None:
    [note] = trace(f"{W}y = {copied}\ny.sum().backward()").document["notes"]
    assert f"which copies the numbers without their history ({keeps} keeps it)." in note["text"]


def test_a_long_call_is_named_by_what_it_calls() -> None:
    source = "loss_of = jgrad.nn.CrossEntropyLoss()\np = jgrad.ones(1, 2).softmax(1)\nloss = loss_of(p, jgrad.tensor([0], dtype=jgrad.int64))"
    [note] = trace(source).document["notes"]
    assert note["text"].startswith(
        "line 3: log_softmax in loss_of(...) gets probabilities from jgrad.ones(1, 2).softmax(1) (line 2)"
    )


def test_memory_shared_with_an_array() -> None:
    variables = {"n": numpy.ones(3, numpy.float32)}
    a = variables["a"] = jgrad.from_numpy(variables["n"])
    said = explain.describe(explain.AskedTensor("a", a, variables, []))
    assert (
        "a shares memory with the NumPy array n, but a write through n does not change the version of a."
        in said
    )
    assert "NumPy" not in explain.describe(explain.AskedTensor("b", a.clone(), variables, []))


def test_a_root_without_a_name_is_looked_for_in_the_expression() -> None:
    t = trace("w = jgrad.ones(2, requires_grad=True)\nd = w.detach()\n(d * 3).sum().backward()")
    [note] = [n for n in t.document["notes"] if n["code"] == "root-without-history"]
    assert note["text"].endswith(
        "it was computed from w, but line 2 cut the graph with detach(). Leave out detach() in line 2 if w needs a gradient."
    )


@pytest.mark.parametrize("taken", [
    "w.item()", "float(w)", "jgrad.tensor(w.tolist())", "w.detach().numpy().item()", "jgrad.tensor(w)",
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_numbers_taken_out_of_the_graph(taken: str) -> None:
    source = f"w = jgrad.ones(1, requires_grad=True)\nb = jgrad.ones(1, requires_grad=True)\nloss = b * {taken}\nloss.backward()"
    t = trace(source)
    found = explain.reason(explain.Subject.best("w", t.namespace["w"], [t]))
    assert found["code"] in ("grad-left-as-numbers", "grad-cut")
    assert found["lines"][0] == 3


def test_writes_that_do_not_touch_what_a_view_shows_are_not_shared() -> None:
    notes = trace("a = jgrad.ones(4)\nb = a[2:]\nc = a[:2]\nb.zero_()").document["notes"]
    assert [n["text"] for n in notes] == [
        "line 4 wrote to b and so changed a: they share their memory. Write .clone() where b is made, if b should have its own memory."
    ]


def test_a_hook_that_raises_is_no_missing_dependence() -> None:
    t = trace(
        "def look(g):\n    raise ValueError\nw = jgrad.ones(1, requires_grad=True)\nw.register_hook(look)\ny = w * 2\ny.backward()"
    )
    found = explain.reason(explain.Subject.best("w", t.namespace["w"], [t]))
    assert (
        found["text"]
        == "w.grad is None: backward() in line 6 raised an error before it reached w. Ask %why about the error."
    )


@pytest.mark.parametrize(("source", "said"), [
    ("x = jgrad.ones(2, requires_grad=True)\nnet = jgrad.nn.Sequential(jgrad.nn.Sigmoid(), jgrad.nn.ReLU(True), jgrad.nn.Tanh())\n"
     "y = net(x)\ny.sum().backward()",
     "line 3 saved the result of sigmoid in net(x) at version 0 for SigmoidBackward0, and line 3 (relu_ in net(x)) then wrote to it in place (version 1). So SigmoidBackward0 can no longer compute a gradient. Leave inplace=True out of the layer or function that wrote."),
    ("m = jgrad.nn.Linear(1, 1)\nx = jgrad.ones(1, 1, requires_grad=True)\nopt = jgrad.optim.SGD(m.parameters(), lr=1)\ny = m(x).sum()\n"
     "y.backward(retain_graph=True)\nopt.step()\ny.backward()",
     "line 4 saved m.weight at version 1 for AddmmBackward0, and line 6 (add_ in opt.step()) then wrote to m.weight in place (version 2). So AddmmBackward0 can no longer compute a gradient. Run backward() before opt.step(), or compute the result anew after it."),
    ("x = jgrad.ones(2, requires_grad=True)\ny = x.exp()\ny[0] = 1\ny.sum().backward()",
     "line 2 saved y at version 0 for ExpBackward0, and line 3 (y[0] = 1) then wrote to y in place (version 1). So ExpBackward0 can no longer compute a gradient. "
     "Write `y = x.exp().clone()` in line 2, so that what is saved keeps its values."),
    ("x = jgrad.ones(2, requires_grad=True)\ny = x.exp()\nwith jgrad.no_grad():\n    y += 1\ny.sum().backward()",
     "line 2 saved y at version 0 for ExpBackward0, and line 4 (y += 1) then wrote to y in place (version 1). So ExpBackward0 can no longer compute a gradient. "
     "Write `y = x.exp().clone()` in line 2, so that what is saved keeps its values."),
    ("w = jgrad.ones(2, requires_grad=True)\nw[0] = 5  # by hand",
     "line 2: w[0] = 5 writes in place to a view of a leaf that requires grad, while autograd records. Write inside `with jgrad.no_grad():` if the write needs no record, or write to a clone() of the leaf."),
])  # fmt: skip
def test_a_write_to_what_was_saved_is_named_as_the_source_has_it(source: str, said: str) -> None:
    [note] = [n for n in trace(source).document["notes"] if n["severity"] == "error"]
    assert note["text"] == said


def test_a_copy_of_an_expression_is_written_with_parentheses() -> None:
    [note] = trace("import copy\nw = jgrad.ones(1, requires_grad=True)\ncopy.deepcopy(w * 2)").document[
        "notes"
    ]
    assert "Write copy.deepcopy((w * 2).detach()), or (w * 2).clone()," in note["text"]


@pytest.mark.parametrize(("source", "said"), [
    (W + "loss = (w * w).sum()\nfor i in range(2):\n    loss.backward()",
     "line 4: backward() needs saved tensors that were freed in an earlier round: line 4 starts at loss, which line 2 "
     "computed once, before the loop. Compute loss inside the loop, anew in each round."),
    (W + "base = (w * w).exp()\nfor i in range(2):\n    loss = base.sum()\n    loss.backward()",
     "line 5: backward() needs saved tensors that were freed in an earlier round: line 4 uses base, which line 2 computed once, before the loop. Compute base inside the loop, anew in each round, or write base = base.detach() if it needs no gradient."),
    (W + "loss = (w * w).sum()\ndef go():\n    loss.backward()\ngo()\ngo()",
     "line 4 of go (called at line 6): backward() needs saved tensors that were freed when this line ran before: line 4 starts at loss, which line 2 computed "
     "once. Compute loss anew each time."),
])  # fmt: skip
def test_a_second_backward_of_the_same_line_tells_what_was_computed_once(source: str, said: str) -> None:
    [note] = [n for n in trace(source).document["notes"] if n["severity"] == "error"]
    assert note["text"] == said


def test_a_loss_of_another_cell_was_computed_before_the_loop() -> None:
    loss = (jgrad.ones(2, requires_grad=True) ** 2).sum()
    [note] = trace("for i in range(2):\n    loss.backward()", {"loss": loss}).document["notes"]
    assert (
        "line 2 starts at loss, which was computed before the loop. Compute loss inside the loop"
        in note["text"]
    )


@pytest.mark.parametrize(("source", "advice"), [
    (W + "y = w * w\nwith jgrad.no_grad():\n    w -= 1\ny.sum().backward()",
     "Run backward() before line 4, or compute the result anew after line 4."),
    (W + "out = jgrad.zeros(3)\nfor i in range(1, 3):\n    out[i] = out[i - 1] * w[0]\nout.sum().backward()",
     "Write `out[i] = out[i - 1].clone() * w[0]` in line 4, so that what is saved keeps its values."),
    (W + "y = w.sigmoid()\njgrad.nn.functional.dropout(y, 0.5, inplace=True).sum().backward()", "Write `y = w.sigmoid().clone()` in line 2, so that what is saved keeps its values."),
    (W + "y = w.sigmoid()\njgrad.nn.init.zeros_(y)\ny.sum().backward()",
     "Write `y = w.sigmoid().clone()` in line 2, so that what is saved keeps its values."),
])  # fmt: skip
def test_what_to_do_about_a_write_depends_on_the_write(source: str, advice: str) -> None:
    [note] = [n for n in trace(source).document["notes"] if n["severity"] == "error"]
    assert note["code"] == "saved-overwritten"
    assert note["text"].endswith(advice)


@pytest.mark.parametrize(("switch", "said"), [
    ("with jgrad.inference_mode():\n    y = w * 2", "computed under inference_mode() (line 3)"),
    ("with jgrad.no_grad():\n    y = w * 2\nwith jgrad.inference_mode():\n    z = w * 2", "computed under no_grad() (line 3)"),
    ("@jgrad.no_grad()\ndef f(x):\n    return x * 2\ny = f(w)\nwith jgrad.inference_mode():\n    f(w)", "computed under no_grad() (line 4)"),
    ("jgrad.set_grad_enabled(False)\ny = w * 2\njgrad.set_grad_enabled(True)", "computed under set_grad_enabled(False) (line 3)"),
])  # fmt: skip
def test_what_switched_recording_off_is_called_by_its_name(switch: str, said: str) -> None:
    assert said in said_of(W + switch, "y")


def test_a_running_average_of_a_leaf_was_no_leaf_before() -> None:
    said = said_of(W + "mean = w.clone()\nmean = 0.9 * mean + 0.1 * w", "mean")
    assert said.startswith("mean.grad is None: mean was computed (line 3), so it is not a leaf")


@pytest.mark.parametrize(
    "used", ["table[chosen]", "table.gather(0, chosen)", "table.index_select(0, chosen)"]
)
def test_an_index_that_was_computed_is_a_cut(used: str) -> None:
    source = f"w = jgrad.ones(2, requires_grad=True)\ntable = jgrad.ones(3)\nchosen = w.long()\n{used}.sum().backward()"
    [note] = [n for n in trace(source).document["notes"] if n["severity"] == "error"]
    assert (
        "computed from w, but line 3 cut the graph with w.long(), because a tensor of dtype int64 has no gradient."
        in note["text"]
    )


def said_of(source: str, name: str) -> str:
    """What `%why name.grad` says after a program."""
    t = trace(source)
    found = explain.Subject.best(name, eval(name, {}, t.namespace), [t])
    return explain.reason(found)["text"]


LOOP = """
{a}
opt = jgrad.optim.SGD({b}, lr=0.1)
for i in range(2):
    {c}
    loss = (w * v).sum()
    loss.backward()
    opt.step()
"""
LEAVES = "w = jgrad.ones(1, requires_grad=True); v = jgrad.ones(1, requires_grad=True)"


def test_gradients_that_add_up_are_one_note_that_names_the_optimizer() -> None:
    [note] = trace(LOOP.format(a=LEAVES, b="[w, v]", c="pass")).document["notes"]
    assert note["text"] == (
        "w.grad and v.grad hold the sum of 2 backward passes (line 6), because nothing cleared them in between. Call opt.zero_grad() before each backward(), unless you need the sum."
    )
    assert note["tensors"] == [0, 1]


@pytest.mark.parametrize("made", ["opt_scheduler", "jgrad.optim.lr_scheduler.StepLR(o, 1)"])
def test_a_scheduler_is_no_optimizer_that_clears_gradients(made: str) -> None:
    source = f"""
w = jgrad.ones(1, requires_grad=True)
def build():
    return jgrad.optim.SGD([w], lr=0.1)
o = build()
opt_scheduler = jgrad.optim.lr_scheduler.StepLR(o, 1)
for i in range(2):
    (w * 2).sum().backward()
    o.step()
    {made}.step()
"""
    texts = [note["text"] for note in trace(source).document["notes"]]
    (said,) = [text for text in texts if "the sum of 2 backward passes" in text]
    assert said.endswith("Write w.grad = None before each backward(), unless you need the sum.")


def test_an_optimizer_that_clears_other_tensors_is_named() -> None:
    [note] = trace(LOOP.format(a=LEAVES, b="[w]", c="opt.zero_grad()")).document["notes"]
    assert note["text"] == (
        "v.grad holds the sum of 2 backward passes (line 6), because nothing cleared it in between. opt.zero_grad() in line 4 clears only the tensors that opt holds: pass v to opt too, or cut the graph with detach() if it should not learn."
    )


def test_a_leaf_whose_name_means_something_else_now_is_not_told_to_be_cleared() -> None:
    source = "w = jgrad.ones(1, requires_grad=True)\nfor i in range(2):\n    w.sum().backward()\n    w = w - 0.1 * w.grad"
    with pytest.warns(UserWarning, match="not a leaf"):
        [note] = trace(source).document["notes"]
    assert note["code"] == "none-where-a-gradient-was-meant"
    assert note["text"].startswith(
        "line 4: w.grad is None here: line 4 gave the name w to a computed tensor with grad_fn SubBackward0"
    )


def test_what_set_a_gradient_is_named_with_what_it_was_before() -> None:
    clip = "w = jgrad.ones(1, requires_grad=True)\n(w * 8).backward()\n"
    assert (
        said_of(f"{clip}w.grad.mul_(0.5)", "w")
        == "w.grad is [4.]: line 3 (w.grad.mul_(0.5)) set it (it was [8.] before)."
    )


def test_the_line_that_gave_a_tensor_its_history() -> None:
    source = "x = jgrad.ones(2, requires_grad=True)\nbuf = jgrad.zeros(2)\nbuf.copy_(x)\nbuf.sum().backward()"
    assert said_of(source, "buf").startswith(
        "buf.grad is None: buf was computed (line 3), so it is not a leaf, and only"
    )


def test_the_gradient_of_a_view_of_a_leaf_is_in_that_of_the_leaf() -> None:
    source = "x = jgrad.ones(2, requires_grad=True)\nfirst = x[0]\nfirst.backward()"
    assert said_of(source, "first").endswith(
        "Read the gradient in x.grad, or call first.retain_grad() before backward()."
    )


def test_a_parameter_that_was_scaled_where_it_was_made() -> None:
    source = "w = jgrad.nn.Parameter(jgrad.ones(2)) * 0.1\nw.sum().backward()"
    assert "(line 1) from jgrad.nn.Parameter(jgrad.ones(2)), and only that tensor" in said_of(source, "w")


@pytest.mark.parametrize(("line", "advice"), [
    ("(w - 1) ** 2", "All its inputs are 0, as differences are when a model fits"),
    ("(w - 5).relu()", "Its function is flat at all its inputs:"), ("w.floor()", "write y = x + (x.floor() - x).detach()."), ("(w * 1e4).tanh()", "so large"),
])  # fmt: skip
def test_what_to_do_about_a_zero_depends_on_what_is_flat(line: str, advice: str) -> None:
    assert advice in said_of(f"w = jgrad.ones(1, requires_grad=True)\nloss = {line}\nloss.backward()", "w")


GAN = """\
G, D = jgrad.nn.Linear(2, 2), jgrad.nn.Linear(2, 1)
{}
fake = G(jgrad.ones(4, 2))
out = D(fake).sigmoid()
"""
LD, LG = "ld = {}.mean()\nld.backward()\n", "lg = -{}.mean()\nlg.backward()\n"
GAN, ALONE = (
    GAN.replace("{}", "og, od = [jgrad.optim.SGD(net.parameters(), lr=0.1) for net in (G, D)]"),
    GAN.replace("{}", "{setup}"),
)
TURNS = f"{GAN}{LD}od.step()\nog.zero_grad()\n{LG}"
WITHOUT_FAKE = "Write fake.detach() in place of fake where ld is computed, because od trains nothing that fake was computed from."


@pytest.mark.parametrize(("source", "repair"), [
    (TURNS.format("D(fake)", "D(fake)"), WITHOUT_FAKE),
    (TURNS.format("out", "out"), f"{WITHOUT_FAKE} Compute out anew for lg after line 7 (od.step())."),
    (f"{GAN}{LD}{LG}od.step()\nog.step()".format("D(fake)", "D(fake)"), "If the loss for od should train only what od holds, write "
     "fake.detach() in place of fake where the loss for od is computed; otherwise write (ld + lg).backward() once."),
    (f"{ALONE}{LD}opt.step()\n{LG}".format("out", "out", setup="opt = jgrad.optim.SGD([*G.parameters(), *D.parameters()])"),
     "Compute out anew for lg after line 7 (opt.step()), or write (ld + lg).backward() once before line 7."),
    (f"{ALONE}def d(out):\n    ld = out.mean()\n    ld.backward()\ndef g(out):\n    lg = -out.mean()\n    lg.backward()\nd(out)\ng(out)".format(setup=""),
     "Pass retain_graph=True to the first call, or cut the graph with detach() where lg should send no gradient."),
])  # fmt: skip
def test_what_to_do_about_two_losses_depends_on_their_optimizers(source: str, repair: str) -> None:
    [note] = [n for n in trace(source).document["notes"] if n["code"] == "second-backward"]
    assert note["text"].endswith(f"needs them again. {repair}")


@pytest.mark.parametrize(("source", "said"), [
    ("x = jgrad.ones(1, requires_grad=True)\nh = x * x\na = h * 2\nb = h * 3\na.backward()\nb.backward()",
     "line 5 ran backward() and freed the saved tensors of MulBackward0 (line 2), but line 6 needs them again. Write (a + b).backward() once, pass retain_graph=True to the first call, or cut the graph with detach() where b should send no gradient."),
    ("w = jgrad.ones(1, requires_grad=True)\nstate = jgrad.zeros(1)\nfor i in range(2):\n    state = (state + w * w).tanh()\n"
     "    state.sum().backward()",
     "line 5: backward() needs saved tensors that were freed in an earlier round: line 4 uses state, a result of an earlier round. Write state = state.detach() at the end of each round, or compute state anew in each round."),
    ("x = jgrad.tensor(2., requires_grad=True)\ny = x ** 3\ny.backward(); y.backward()",
     "line 3 ran backward() and freed the saved tensors of PowBackward0 (line 2), but line 3 needs them again. Write y.backward(retain_graph=True) in line 3, or compute the result anew before the second call."),
    ("jgrad.nn.functional.binary_cross_entropy(jgrad.ones(2), jgrad.ones(2) * 3)",
     "line 1: binary_cross_entropy() takes probabilities, and its target has numbers below 0 or above 1, or nan. Scale the target to numbers between 0 and 1."),
    ("x = jgrad.ones(3, requires_grad=True)\ny = x.unbind()\ny[0].mul_(2)",
     "line 3: the operation Unbind returned several views at once, and autograd can't record an in-place write to one of them. Write part = y[0].clone() and change that, or take this part with an index instead."),
    ("def batches():\n    with jgrad.no_grad():\n        yield jgrad.ones(2)\nw = jgrad.ones(2, requires_grad=True)\nfor x in batches():\n    (x * w).sum().backward()",
     "line 6: backward() starts at a tensor that does not require grad: it was computed from w, but line 6 cut the graph with no_grad(). no_grad() stays on while the generator waits at its yield (line 3). Let the with block end before the yield."),
    ("h = jgrad.zeros(4)\nw = jgrad.ones(1, requires_grad=True)\nfor t in range(1, 4):\n    h[t] = h[t - 1] * w[0] + 1\nh.sum().backward()",
     "line 4 saved h at version 2 for MulBackward0, and line 4 (h[t] = h[t - 1] * w[0] + 1) then wrote to h in place (version 3). So MulBackward0 can no longer compute a gradient. Write `h[t] = h[t - 1].clone() * w[0] + 1` in line 4, so that what is saved keeps its values."),
    ("params = [jgrad.ones(2, requires_grad=True) for _ in range(2)]\nfor i in range(2):\n    loss = sum((p ** 2).sum() for p in params)\n    loss.backward()\n    params = [p - 0.1 * p.grad for p in params]",
     "line 5: p.grad is None here: line 5 gave the name params[0] to a computed tensor with grad_fn SubBackward0. The gradient goes to the leaf that was called params[0] before. Give the result another name; to change a parameter, write to it in place under no_grad()."),
    ("t = jgrad.tensor(2.0, requires_grad=True)\nx = jgrad.ones(3)\nscale = t.item()\nloss = (x / scale).sum()\nloss.backward()",
     "line 5: backward() starts at a tensor that does not require grad: x does not require grad, and t.item() (line 3) has no history. Compute with the tensor itself."),
    ("t = jgrad.tensor(2.0, requires_grad=True)\nx = jgrad.ones(3)\nprint(t.item())\nloss = x.sum()\nloss.backward()",
     "line 5: backward() starts at a tensor that does not require grad: it was computed from x, which does not require grad. Make the tensors that should learn with requires_grad=True."),
    ("w = jgrad.ones(1, requires_grad=True)\nlosses = []\nfor x in (1., 2.):\n    losses.append((w * x).item())\nsum(losses).backward()",
     "line 5: sum(losses) is a plain number (float) without a history: (w * x).item() in line 4 made plain numbers from a tensor. Call backward() on the tensor itself, and item() only to show its value."),
])  # fmt: skip
def test_an_error_names_what_the_source_calls_it(source: str, said: str) -> None:
    [note] = [n for n in trace(source).document["notes"] if n["severity"] == "error"]
    assert note["text"] == said


def test_a_place_that_an_index_names_several_times_counts_once() -> None:
    [note] = trace("counts = jgrad.zeros(3)\nwhere = jgrad.tensor([1, 1])\ncounts[where] += 1").document[
        "notes"
    ]
    assert note["text"] == (
        "line 3: counts[where] += 1 writes 2 times to counts[1]; each write adds to the old value, so only one of them counts. Use index_put_((index,), values, accumulate=True) or index_add_() to add the values."
    )


def test_writes_of_the_same_value_need_no_note() -> None:
    source = "x = jgrad.zeros(3)\nx[jgrad.tensor([0, 2, 2])] = {}"
    assert trace(source.format("5.")).document["notes"] == []
    assert len(trace(source.format("jgrad.tensor([1., 2., 3.])")).document["notes"]) == 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_first_nan_and_the_infinity_it_came_of() -> None:
    t = trace("p = jgrad.tensor([0., 1.])\nlogs = p.log()\nparts = p * logs\nloss = parts.sum()")
    [note] = t.document["notes"]
    assert note["text"].startswith(
        "line 3 (p * logs) made the first nan from an infinity that line 2 (p.log()) had made."
    )
    assert note["lines"] == [2, 3]
    assert "\nloss holds nan: line 3 (p * logs) made" in explain.describe(
        explain.AskedTensor("loss", t.namespace["loss"], t.namespace, [t])
    )
    assert trace("jgrad.zeros(2).log().exp()").document["notes"] == []


def test_memory_of_what_lies_in_a_model() -> None:
    t = trace(
        "a = jgrad.nn.Linear(2, 2, bias=False)\nb = jgrad.nn.Linear(2, 2, bias=False)\nb.weight = a.weight\nrow = a.weight[0]\n"
        "opt = jgrad.optim.SGD(b.parameters(), lr=1)\na.weight.data.zero_()"
    )
    said = explain.describe(explain.AskedTensor("b.weight", t.namespace["b"].weight, t.namespace, [t])).split(
        "\n"
    )[1]
    assert said.startswith("b.weight is the same tensor as a.weight and shares memory with row.")
    assert said.endswith("and missed line 6 (a.weight.data.zero_()).")


def test_a_matrix_product_is_no_broadcast() -> None:
    source = "w = jgrad.ones(1, 1, requires_grad=True)\n(jgrad.ones(3, 1) @ w).sum().backward()"
    assert said_of(source, "w") == "w.grad is [[3.]]: backward() in line 2 computed it."


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_training_that_diverges() -> None:
    """The nan that comes of the infinite gradient is not mentioned on its own."""
    t = trace(
        "w = jgrad.full((1,), 1e20, requires_grad=True)\nfor i in range(3):\n    w.grad = None\n    loss = (w * jgrad.ones(2)).pow(4).sum()\n    loss.backward()\n"
        "    with jgrad.no_grad():\n        w -= w.grad"
    )
    reason = explain.reason(explain.Subject.best("w", t.namespace["w"], [t]))["text"]
    assert reason.startswith("w.grad is [nan]:")
    [note] = [n["text"] for n in t.document["notes"]]
    assert note.startswith("PowBackward0 (line 4) got finite gradients and computed inf")
    assert note.endswith("or use a lower learning rate or clipped gradients.")


def test_an_operation_that_overwrites_what_it_needs_itself() -> None:
    [note] = trace("x = jgrad.ones(1, requires_grad=True)\ny = x.exp()\ny *= y\ny.backward()").document[
        "notes"
    ]
    assert note["text"].endswith("Write `y = y * y`, which makes a new tensor.")


def test_what_a_function_keeps_in_a_global_is_named() -> None:
    source = """
w = jgrad.ones(1, requires_grad=True)
cache = None
def step(x):
    global cache
    h = w * x if cache is None else w * x + cache
    cache = h
    return h.sum()
for t in range(2):
    step(t + 1.).backward()
"""
    [note] = [n for n in trace(source).document["notes"] if n["severity"] == "error"]
    assert "uses cache, a result of an earlier round. Write cache = cache.detach()" in note["text"]


@pytest.mark.parametrize(("write", "said"), [
    ("y.detach().zero_()", "line 3 (y.detach().zero_()) then wrote to y in place"), ("y.detach()[0] = 1", "line 3 (y.detach()[0] = 1) then wrote to y in place"),
    ("y.add_(max(1, abs(2)))", "line 3 (y.add_(max(1, abs(2)))) then wrote to y in place"),
    ("jgrad.relu_(y)", "line 3 (jgrad.relu_(y)) then wrote to y in place"), ("jgrad.nn.init.zeros_(y)", "line 3 (zero_ in jgrad.nn.init.zeros_(y)) then wrote to y in place"),
])  # fmt: skip
def test_the_call_that_wrote_is_the_last_of_its_expression(write: str, said: str) -> None:
    t = trace(f"x = jgrad.ones(2, requires_grad=True)\ny = x.exp()\n{write}")
    [note] = t.document["notes"]
    assert said in note["text"]
    assert not any("select in" in s["text"] for s in t.document["steps"])


def test_recording_that_was_switched_off_elsewhere_is_no_no_grad_of_this_cell() -> None:
    with jgrad.set_grad_enabled(False):
        [note] = trace("w = jgrad.ones(1, requires_grad=True)\n(w * 2).backward()").document["notes"]
    assert note["text"].endswith("line 2 cut the graph with no_grad() or set_grad_enabled(False).")


def test_a_leaf_that_required_grad_too_late_for_a_view_and_an_error_elsewhere() -> None:
    """Not backward() raised: the gradient was never on its way to x."""
    source = """
v = jgrad.ones(4, requires_grad=True)
x = jgrad.ones(2, 2)
y = (x.reshape(4) * v).sum()
x.requires_grad_()
y.backward()
x.grad.sign()
"""
    assert said_of(source, "x").startswith("x.grad is None: line 3 (")
    assert "did not require grad yet" in said_of(source, "x")
    alone = "v = jgrad.ones(2, requires_grad=True)\nx = jgrad.ones(2, requires_grad=True)\n(v * 2).sum().backward()\nx.grad.sign()"
    assert "raised an error" not in said_of(alone, "x")


@pytest.mark.parametrize(
    ("write", "text", "repair"),
    [
        ("hot[i] = one + 1", "one + 1 is written into hot", "Write (one + 1).to(hot.dtype)."),
        ("jgrad.scatter(hot, 0, i, one)", "one is written into hot", "Write one.to(hot.dtype)."),
        ("hot.index_add_(0, i, source=one)", "one is written into hot", "Write one.to(hot.dtype)."),
        ("one.index_add_(0, i, hot[:2])", "hot[:2] is written into one", "Make one with the dtype of what is written to it."),
    ],
)  # fmt: skip
def test_a_write_of_another_dtype(write: str, text: str, repair: str) -> None:
    source = f"hot = jgrad.zeros(3)\ni = jgrad.tensor([0, 1])\none = jgrad.tensor([1, 2])\n{write}"
    [note] = trace(source).document["notes"]
    assert note["text"].startswith(f"line 4: {text}, and both need one dtype")
    assert note["text"].endswith(repair)


@pytest.mark.parametrize("mean", ["(p == y).mean()", "jgrad.mean(p == y)"])
def test_the_mean_of_a_comparison(mean: str) -> None:
    """The operands are whole numbers too, and it does not help to convert one of them."""
    [note] = trace(f"p = jgrad.tensor([1, 0])\ny = jgrad.tensor([1, 1])\n{mean}").document["notes"]
    assert note["text"].endswith("p == y has dtype Bool. Convert it first, as in (p == y).float().")


def test_a_tensor_that_an_optimizer_changed_through_another_name() -> None:
    source = """
lin = jgrad.nn.Linear(2, 1)
saved = lin.weight.detach()
optimizer = jgrad.optim.SGD(lin.parameters(), 0.5)
lin(jgrad.ones(1, 2)).sum().backward()
optimizer.step()
"""
    t = trace(source)
    asked = explain.AskedTensor("saved", t.namespace["saved"], t.namespace, [t])
    assert explain.describe(asked).startswith(
        "line 5 (add_ in optimizer.step()) changed saved in place: lin.weight has the same memory. Make saved with clone()"
    )


def test_of_two_names_that_which_was_made_from_the_other_is_copied() -> None:
    for asked, written in (("b", "a"), ("a", "b")):
        t = trace(f"a = jgrad.ones(2, 2)\nb = a.t()\n{written}.mul_(10)")
        said = explain.describe(explain.AskedTensor(asked, t.namespace[asked], t.namespace, [t]))
        assert f"Make b with clone() if {asked} should keep its numbers." in said


def test_numbers_of_numpy_that_go_straight_into_a_layer() -> None:
    source = "import numpy\nlayer = jgrad.nn.Linear(2, 1)\nx = numpy.ones((3, 2))\nlayer(jgrad.from_numpy(x))"
    [note] = trace(source).document["notes"]
    assert "jgrad.from_numpy(x) is float64, as NumPy's numbers are" in note["text"]
    assert note["text"].endswith("Write jgrad.from_numpy(x).float().")
