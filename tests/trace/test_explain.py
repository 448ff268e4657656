"""The catalogue, rule by rule: that the mistake is PyTorch's too, what is said of it, and that nothing is said once it is mended."""

from __future__ import annotations

import re
import warnings

import numpy
import pytest

import jgrad
from jgrad.trace import explain
from jgrad.trace.explain import Rule
from tests.trace import mistakes
from tests.trace.mistakes import RULES, outcome, said, section
from tests.trace.tracing import trace

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*:RuntimeWarning"
)  # pytest forgets the filter of `import jgrad`

SHOWN = [rule for rule in RULES if rule.example]


def named(rule: Rule) -> str:
    return rule.code


@pytest.mark.parametrize("rule", SHOWN, ids=named)
def test_pytorch_does_the_same(rule: Rule) -> None:
    torch = pytest.importorskip("torch")
    for source in filter(None, (rule.example, rule.repaired)):
        expected, found = outcome(source, torch), outcome(source, jgrad)
        assert found["raised"] == expected["raised"]
        assert found["warned"] == expected["warned"]
        if rule.ask:
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
    assert section(rule) in mistakes.PAGE.read_text(encoding="utf-8"), (
        "docs/mistakes.md: run python -m tests.trace.mistakes"
    )


@pytest.mark.parametrize("rule", [rule for rule in SHOWN if rule.repaired], ids=named)
def test_nothing_is_said_of_the_mended_program(rule: Rule) -> None:
    done = outcome(rule.repaired, jgrad)
    assert (done["raised"], done["warned"]) == (None, [])
    assert said(rule, rule.repaired) == []


def test_the_page_holds_the_catalogue() -> None:
    assert mistakes.PAGE.read_text(encoding="utf-8") == "\n".join(mistakes.page())


def test_codes_and_blanks() -> None:
    for rules in mistakes.CHAPTERS.values():
        codes = [rule.code for rule in rules]
        assert len(codes) == len(set(codes))
    assert {rule.code for rule in RULES if not rule.example} == {
        "saved-overwritten-unseen",
        "grad-not-reached",
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
    assert "y is not a leaf" in note["text"]


@pytest.mark.parametrize(("line", "cutter"), [
    ("d = w.detach()", "detach()"), ("d = w.data", ".data"), ("with jgrad.no_grad(): d = w * 2", "no_grad()"),
    ("d = w.long()", "w.long(), whose result has dtype int64 and so no gradient"),
])  # fmt: skip
def test_backward_from_a_root_that_was_cut_off_names_the_line(line: str, cutter: str) -> None:
    t = trace(f"w = jgrad.ones(1, requires_grad=True)\n{line}\nloss = d * 3\nloss.backward()")
    [note] = [n for n in t.document["notes"] if n["code"] == "root-without-history"]
    assert note["text"].endswith(f"it was computed from w, but line 2 cut the graph with {cutter}.")


@pytest.mark.parametrize(("source", "why"), [
    ("x = jgrad.ones(2)\nb = jgrad.ones(2)\n(x * b).sum().backward()", "it was computed from x and b, which do not require grad. Make"),
    ("x = jgrad.ones(2)\ny = (x * 2).sum()\nx.requires_grad_()\nz = x * 2\ny.backward()",
     "it was computed from x in line 2, when x did not require grad yet. Call x.requires_grad_()"),
    ("x = jgrad.ones(1, requires_grad=True)\ng, = jgrad.autograd.grad(x ** 3, x)\ng.backward()",
     "it is a gradient, which line 2 computed without history. Pass create_graph=True"),
    ("x = jgrad.ones(1, requires_grad=True)\n(x ** 3).backward()\nx.grad.backward()",
     "it is a gradient, which line 2 computed without history. Pass create_graph=True"),
    ("x = jgrad.ones(2, requires_grad=True)\n(x > 0).float().sum().backward()",
     "it was computed from x, but line 2 cut the graph with x > 0, whose result has dtype bool"),
])  # fmt: skip
def test_backward_from_a_root_without_history(source: str, why: str) -> None:
    [note] = [n for n in trace(source).document["notes"] if n["code"] == "root-without-history"]
    assert note["text"].split("does not require grad: ")[1].startswith(why)


@pytest.mark.parametrize(("source", "why"), [
    ("x = jgrad.ones(2)\nx.sum().backward()", "nothing it was computed from requires grad, as no variable does. Make"),
    ("x = jgrad.ones(2, requires_grad=True)\nwith jgrad.no_grad():\n    y = x.sum()\ny.backward()", "as no_grad() in line 2 does."),
    ("x = jgrad.ones(2, requires_grad=True)\ny = jgrad.tensor(x.sum())\ny.backward()", "as tensor() in line 2 does."),
    ("m = [jgrad.nn.Linear(1, 1)]\nx = jgrad.ones(1)\nx.backward()", "or detach(), .data or no_grad() cut it off."),
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
        "line 2 cut the graph with jgrad.nn.Parameter(w * 2), which makes a leaf of its own."
    )


def test_a_gradient_of_numbers_that_are_none_names_the_operation() -> None:
    t = trace("x = jgrad.zeros(1, requires_grad=True)\ny = x.sqrt() * 0\ny.backward()")
    found = explain.reason(explain.Subject.best("x", t.namespace["x"], [t]))
    assert found["text"].startswith("x.grad is [nan]: SqrtBackward0 (line 2) got [0.] and made [nan] of it.")


def test_a_hook_that_changed_a_gradient_is_named() -> None:
    t = trace("w = jgrad.ones(1, requires_grad=True)\nw.register_hook(lambda g: g * 100)\n(w * 2).backward()")
    found = explain.reason(explain.Subject.best("w", t.namespace["w"], [t]))
    assert found["text"] == "w.grad is there: line 3 left [200.] there, which a hook made of [2.]."


def test_memory_shared_with_an_array() -> None:
    variables = {"n": numpy.ones(3, numpy.float32)}
    a = variables["a"] = jgrad.from_numpy(variables["n"])
    said = explain.describe("a", a, variables, [])
    assert (
        "a shares memory with the NumPy array n; of a write through n its version counter knows nothing."
        in said
    )
    assert "NumPy" not in explain.describe("b", a.clone(), variables, [])


def test_a_root_without_a_name_is_looked_for_in_the_expression() -> None:
    t = trace("w = jgrad.ones(2, requires_grad=True)\nd = w.detach()\n(d * 3).sum().backward()")
    [note] = [n for n in t.document["notes"] if n["code"] == "root-without-history"]
    assert note["text"].endswith("it was computed from w, but line 2 cut the graph with detach().")


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
    assert [n["text"] for n in notes] == ["line 4 wrote to b, and so to a: they share storage 1."]
