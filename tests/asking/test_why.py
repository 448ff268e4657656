"""`jgrad.why` and `trace.why`: the answers of `%why` without IPython, as objects."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
import traceback
from pathlib import Path
from typing import Any

import pytest

import jgrad
from jgrad.asking.answer import Place
from jgrad.asking.frames import entries_of, shown_with
from jgrad.warn import is_ours

LIBRARIES = [jgrad, pytest.importorskip("torch")]
NAMES = ["jgrad", "torch"]
HERE = Path(__file__).name


@pytest.fixture(params=LIBRARIES, ids=NAMES)
def torch(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_a_gradient_is_asked_about_by_its_expression(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)
    assert str(jgrad.why(w.grad)).startswith("w.grad is None")
    assert str(jgrad.why("w.grad")) == str(jgrad.why(w.grad))
    layers = {"a": [torch.nn.Linear(2, 1)]}
    assert str(jgrad.why(layers["a"][0].weight.grad)).startswith("layers['a'][0].weight.grad is None")


def test_a_tensor_a_model_and_what_has_no_name(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)
    assert str(jgrad.why(w)).startswith("w is a leaf")
    assert "value" in str(jgrad.why(w * 2))
    model = torch.nn.Linear(2, 1)
    assert "model" in str(jgrad.why(model))


def test_a_trace_that_a_bug_broke_is_passed_over(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)
    with jgrad.trace("whole"):
        loss = (w * w).sum()
    with jgrad.trace("broken") as broken:
        w.sum()
    broken._recorder.tensors = None  # so no document can be made of it
    try:
        assert f"it was computed ({HERE}:" in str(jgrad.why(loss))
        with pytest.raises(RuntimeError) as raised:
            w.add_(1)
        assert "leaf" in str(jgrad.why(raised.value))
        with pytest.raises(RuntimeError, match="because of a bug in jgrad"):
            broken.why()
    finally:
        jgrad.trace.recent.remove(broken)


@pytest.mark.parametrize(("asked", "said"), [
    ("w.grad", "w.grad is None"), ("held['a'][-1].grad", "held['a'][-1].grad is None"), ("w", "w is a leaf"), ("w * 2", "value is not a leaf"),
])  # fmt: skip
def test_what_is_typed_at_a_prompt_or_into_a_debugger_is_read_from_its_code(
    asked: str, said: str, torch: Any
) -> None:
    w = torch.ones(2, requires_grad=True)
    typed = {"jgrad": jgrad, "w": w, "held": {"a": [torch.zeros(1), w]}}
    assert str(eval(f"str(jgrad.why({asked}))", typed)).startswith(said)


def test_an_error_that_a_debugger_handles_is_not_the_programs(torch: Any) -> None:
    typed = (
        "import pdb, jgrad, torch\nw = torch.ones(2, requires_grad=True)\n"
        "try:\n    w.add_(1)\nexcept RuntimeError:\n    breakpoint()\n    w = 1\n"
    ).replace("torch", torch.__name__)
    done = subprocess.run(
        [sys.executable, "-c", typed], input="jgrad.why()\nc\n", capture_output=True, text=True
    )
    assert "leaf that requires grad" in done.stdout
    assert "do_jgrad" not in done.stdout


def test_nothing_is_run_twice(torch: Any) -> None:
    calls = []

    def f() -> Any:
        calls.append(1)
        return torch.ones(2, requires_grad=True) * 2

    jgrad.why(f())
    assert calls == [1]


def test_a_call_is_tried_without_changing_anything(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)
    loss = (w * w).sum()
    assert "would add" in str(jgrad.why("loss.backward()"))
    assert w.grad is None
    loss.backward()


def test_an_error_is_explained_with_rule_place_and_repair(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)

    @jgrad.traced
    def step() -> Any:
        try:
            h = w.exp()
            h.add_(1)
            h.sum().backward()
        except RuntimeError as error:
            return jgrad.why(), jgrad.why(error)

    same, answer = step()
    assert str(same) == str(answer)
    line = step.__wrapped__.__code__.co_firstlineno + 4
    assert answer
    assert answer.rules
    assert Place(HERE, line) in answer.places
    assert f"{HERE}:{line}" in str(answer)
    assert "h.add(1)" in str(answer)
    assert "jgrad-why" in answer._repr_html_()


def test_a_trace_says_what_is_remarkable_or_the_facts(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)
    with jgrad.trace() as wrong:
        (w * w).sum().backward()
        w = w * 2
        (w * w).sum().backward()
        w.grad  # noqa: B018
    assert wrong.why()
    w = torch.ones(2, requires_grad=True)
    with jgrad.trace() as right:
        (w * w).sum().backward()
    facts = right.why()
    assert not facts
    assert facts.rules == []
    assert "backward() ran and gave w a gradient." in str(facts)


def test_inside_a_traced_block_the_trace_so_far_answers(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)
    with jgrad.trace():
        y = w.detach() * 2
        answer = str(jgrad.why(y))
    assert f"{HERE}:{sys._getframe().f_lineno - 2}" in answer


def raises(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)
    with jgrad.trace():
        h = w.exp()
        h.add_(1)
        h.sum().backward()


def test_an_error_that_leaves_a_block_carries_its_answer(torch: Any) -> None:
    with pytest.raises(RuntimeError) as caught:
        raises(torch)
    (note,) = caught.value.__notes__
    first = raises.__code__.co_firstlineno
    assert note.startswith(f"jgrad: {HERE}:{first + 3} saved h")
    assert f"{HERE}:{first + 4}" in note
    shown = "".join(traceback.format_exception(caught.value))
    assert "/jgrad/mirrors/" not in shown.replace("\\", "/")
    assert "/jgrad/engine/" not in shown.replace("\\", "/")
    assert "h.sum().backward()" in shown


def _wraps(kind: str, torch: Any) -> None:
    try:
        torch.ones(2, requires_grad=True).add_(1)
    except RuntimeError as error:
        if kind == "group":
            raise ExceptionGroup("several", [ValueError("another"), error]) from None
        if kind == "cause":
            raise KeyError("wrapped") from error
        raise KeyError("wrapped")  # noqa: B904


@pytest.mark.parametrize("kind", ["group", "cause", "context"])
def test_an_error_that_came_from_another_has_the_answer_of_that(kind: str, torch: Any) -> None:
    with pytest.raises((KeyError, ExceptionGroup)) as caught, jgrad.trace():
        _wraps(kind, torch)
    assert "writes in place to a leaf" in caught.value.__notes__[0]
    for error in shown_with(caught.value):
        assert not any(is_ours(entry.tb_frame) for entry in entries_of(error.__traceback__))


def test_an_error_that_jgrad_does_not_know_gets_no_note() -> None:
    with pytest.raises(ZeroDivisionError) as caught, jgrad.trace():
        1 / 0  # noqa: B018
    assert not hasattr(caught.value, "__notes__")


def test_a_traced_function_does_the_same_and_explains_what_it_raises(torch: Any) -> None:
    @jgrad.traced
    def step(w: Any, factor: int = 2) -> Any:
        "Its text."
        h = w.exp()
        if factor:
            h.mul_(factor)
        h.sum().backward()
        return 3

    w = torch.ones(2, requires_grad=True)
    assert step.__name__ == "step"
    assert step.__doc__ == "Its text."
    assert step(w, factor=0) == 3
    assert jgrad.trace.recent[-1].name == "step"
    with pytest.raises(RuntimeError) as caught:
        step(w)
    assert "h.mul" in caught.value.__notes__[0]
    assert f"{HERE}:" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("1 +", "jgrad.why: 1 + is not an expression"),
        ("nosuch.grad", "jgrad.why: nosuch is not defined"),
        (3, "jgrad.why: 3 is not a tensor but an int"),
    ],
)
def test_what_can_not_be_asked_about_is_one_sentence(question: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        jgrad.why(question)
    assert str(caught.value).startswith(message.replace("3 is", "question is"))
    assert "%" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_none_without_source_says_how_to_ask() -> None:
    code = "import jgrad\nw = jgrad.ones(2, requires_grad=True)\ntry:\n    print(jgrad.why(getattr(w, 'grad')))\nexcept ValueError as e:\n    print(e)\nprint(jgrad.why(w.grad))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    first, second = done.stdout.splitlines()
    assert first.startswith("jgrad.why: None says nothing about where it came from; write jgrad.why(")
    assert second.startswith("w.grad is None")


def test_in_the_debugger(tmp_path: Path) -> None:
    script = tmp_path / "s.py"
    script.write_text(
        textwrap.dedent(
            """
            import jgrad
            w = jgrad.ones(2, requires_grad=True)
            with jgrad.trace():
                y = (w * 2).detach()
                breakpoint()
            """
        )
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        input='p jgrad.why("y.requires_grad")\nc\n',
        capture_output=True,
        text=True,
    )
    assert "detach()" in done.stdout
    assert "s.py:5" in done.stdout, done.stdout


# assert_trains ------------------------------------------------------------------------------------------------------------------------


def test_a_model_that_trains(torch: Any) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    x = torch.ones(4, 2)
    jgrad.testing.assert_trains(model, model(x).sum())
    jgrad.testing.assert_trains(model, lambda: model(x).sum())
    assert all(p.grad is None for p in model.parameters())
    loss = model(x).sum()
    jgrad.testing.assert_trains(model, loss)
    loss.backward()


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (lambda model, x, torch: model[0](x).sum(), "2 of 4 parameters of Sequential would not learn from this loss:\n  2.weight and 2.bias get no gradient"),
        (lambda model, x, torch: model(x).sum() * 0, "4 of 4 parameters of Sequential would not learn from this loss:\n  0.weight, 0.bias, 2.weight and 2.bias get a gradient that is exactly zero"),
        (lambda model, x, torch: model(x).sum() * float("nan"), "a gradient that holds nan"),
        (lambda model, x, torch: model(x).sum() * 1e-30, "too small to change them, even at a learning rate of 1"),
        (lambda model, x, torch: model(x).detach().sum(), "this loss does not require grad, so none of Sequential would learn from it"),
    ],
)  # fmt: skip
def test_a_model_that_does_not_train(loss: Any, message: str, torch: Any) -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    with pytest.raises(AssertionError) as caught:
        jgrad.testing.assert_trains(model, loss(model, torch.ones(4, 2), torch))
    assert message in str(caught.value)


def test_the_reason_is_said_where_it_was_recorded(torch: Any) -> None:
    model = torch.nn.Linear(2, 1)
    with jgrad.trace():
        loss = model(torch.ones(3, 2)).detach().sum()
        with pytest.raises(AssertionError) as caught:
            jgrad.testing.assert_trains(model, loss)
    assert "detach()" in str(caught.value)


def test_frozen_parameters_need_not_train(torch: Any) -> None:
    model = torch.nn.Linear(2, 1)
    model.bias.requires_grad_(False)
    jgrad.testing.assert_trains(model, model(torch.ones(3, 2)).sum())
    model.weight.requires_grad_(False)
    with pytest.raises(AssertionError, match="no parameter of Linear requires grad"):
        jgrad.testing.assert_trains(model, model(torch.ones(3, 2)).sum())


def test_the_facts_name_what_no_optimizer_holds() -> None:
    jgrad.manual_seed(0)
    net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 2), jgrad.nn.ReLU(), jgrad.nn.Linear(2, 1))
    optimizer = jgrad.optim.SGD(net[2].parameters(), lr=0.1)
    x, y = jgrad.randn(8, 2), jgrad.randn(8, 1)
    with jgrad.trace() as trace:
        for _ in range(5):
            optimizer.zero_grad()
            jgrad.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
    assert "No optimizer holds net[0].weight and net[0].bias: no step" in str(trace.why())


def test_an_answer_goes_to_another_process_as_it_is() -> None:
    """As from a worker of Dask, or of multiprocessing."""
    with jgrad.trace() as trace:
        v = jgrad.ones(2, requires_grad=True)
        h = (v * 2).exp()
        (h.detach() * v.detach()).sum().requires_grad_().backward()
    for answer in (trace.why("v.grad"), trace.why(), jgrad.why(h)):
        copy = pickle.loads(pickle.dumps(answer))
        assert (str(copy), bool(copy), copy.rules, copy.places) == (
            str(answer),
            bool(answer),
            answer.rules,
            answer.places,
        )
        assert (copy.repairs, copy.diff, copy._repr_html_()) == (
            answer.repairs,
            answer.diff,
            answer._repr_html_(),
        )


def test_a_deep_recursion_is_recorded_and_answered() -> None:
    def deep(x: Any, left: int) -> Any:
        return x.exp() if left == 0 else deep(x, left - 1)

    with jgrad.trace() as trace:
        w = jgrad.ones(2, requires_grad=True)
        deep(w, sys.getrecursionlimit() - 250).sum().backward()
    assert trace.failures == []
    assert "[2.7183, 2.7183]" in str(trace.why("w.grad"))


def test_gradients_that_no_step_uses_are_among_the_facts(torch: Any) -> None:
    model = torch.nn.Linear(2, 1)
    with jgrad.trace() as t:
        for _ in range(6):
            model.zero_grad()
            (model(torch.ones(3, 2)) ** 2).mean().backward()
    said = str(t.why())
    assert not t.why()
    assert "None of them changed from the first round to the last: no step used these gradients." in said


def test_code_without_a_file_is_answered_by_its_steps() -> None:
    """As a worker of Dask runs what was sent to it."""
    sent = "def f():\n    w = jgrad.ones(2, requires_grad=True)\n    with jgrad.trace() as t:\n        for i in range(3):\n            (w * 2).sum().backward()\n    return t.why(), t.why('w.grad')"
    names: dict[str, Any] = {"jgrad": jgrad}
    exec(compile(sent, "<dynamic-code>", "exec"), names)
    for answer in names["f"]():
        assert answer.rules == ["grad-accumulated"]
        assert "the sum of 3 backward passes (step 6, step 12 and step 18), because" in str(answer)
