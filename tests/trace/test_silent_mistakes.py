"""Mistakes that raise nothing: what is said of them, and that nothing is said of right programs that look alike."""

from __future__ import annotations

import numpy as np
import pytest

import jgrad
from jgrad.notebook import asking
from tests.trace.tracing import Trace, trace

pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore:.*:RuntimeWarning", "ignore:.*:UserWarning"),
]


def ran(source: str) -> Trace:
    jgrad.manual_seed(0)
    return trace(source, {"np": np})


def asked(text: str, source: str) -> str:
    """What `%why text` says after a program."""
    t = ran(source)
    return asking.answer(text, t.namespace, [t], {})


def codes(source: str) -> list[str]:
    return [note["code"] for note in ran(source).document["notes"]]


# Hooks --------------------------------------------------------------------------------------------------------------------------------

HOOKED = [
    ("x = jgrad.ones(2, requires_grad=True)\nh = x * 2\nh.register_hook(lambda g: g * 10)\n(h * h).sum().backward()", "x.grad",
     "x.grad is [80., 80.]: the hook in line 3 got [2., 2.] + [2., 2.], the gradient of h, and made [40., 40.] of it."),
    ("x = jgrad.ones(2, requires_grad=True)\nh = x * 2\nh.register_hook(lambda g: g * 10)\nh.retain_grad()\nh.sum().backward()", "h.grad",
     "h.grad is [10., 10.]: the hook in line 3 got [1., 1.], the gradient of h, and made [10., 10.] of it."),
    ("net = jgrad.nn.Linear(2, 2, bias=False)\njgrad.nn.init.ones_(net.weight)\ndef ten(module, came, went):\n    return (came[0] * 10,)\n"
     "net.register_full_backward_hook(ten)\nx = jgrad.ones(2, requires_grad=True)\nnet(x * 1).sum().backward()", "x.grad",
     "x.grad is [20., 20.]: the module hook in line 3 got [2., 2.], a gradient of the module's input or output, and made [20., 20.] of it."),
    ("w = jgrad.ones(2, requires_grad=True)\ny = (w * 2).sum()\ny.grad_fn.next_functions[0][0].register_hook(lambda a, b: (a[0] * 10, a[1]))\n"
     "y.backward()", "w.grad", "w.grad is [20., 20.]: the node hook in line 3 may have changed what MulBackward0 (line 2) sent ([20., 20.])."),
    ("w = jgrad.ones(10, 10, requires_grad=True)\nw.register_hook(lambda g: g.clamp(-1, 1))\n(w * 2).sum().backward()", "w.grad",
     "w.grad is a gradient [10, 10] of norm 10: the hook in line 2 got a gradient [10, 10] of norm 20, the gradient of w, and made"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "ask", "said"), HOOKED)
def test_a_hook_is_named_only_when_the_gradient_is_asked_for(source: str, ask: str, said: str) -> None:
    assert asked(ask, source).startswith(said)
    assert codes(source) == []


@pytest.mark.parametrize("hook", ["lambda g: None", "lambda g: g", "print", "lambda g: g * 1"])
def test_a_hook_that_changes_nothing_is_no_reason(hook: str) -> None:
    source = f"w = jgrad.ones(2, requires_grad=True)\nw.register_hook({hook})\n(w * 2).sum().backward()"
    assert asked("w.grad", source) == "w.grad is there: line 3 left [2., 2.] there."
