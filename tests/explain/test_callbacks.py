"""A framework runs the loop and calls back: what a callback breaks is named at its own line, and a step is known though no code of the user's makes it."""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.record.tracing import trace

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("ignore")]

# Its step runs the forward and backward pass, as Lightning's does.
FRAMEWORK = """
class Trainer:
    def fit(self, model, optimizer, data, loss_of, callback):
        callback.start(model)
        for x, y in data:
            def closure():
                optimizer.zero_grad()
                loss = loss_of(model(x), y)
                loss.backward()
                callback.after_backward(model, optimizer)
                return loss
            optimizer.step(closure)
            callback.after_step(model, optimizer)
"""
PROGRAM = """
import {library} as torch

class Callback:
    def start(self, model): pass
    def after_backward(self, model, optimizer): pass
    def after_step(self, model, optimizer): pass

class Mine(Callback):
    def {method}:
        {body}

def main():
    torch.manual_seed(0)
    x = torch.randn(40, 16, 4)
    y = (x[..., 0] > 0.4).long() + (x[..., 0] > -0.4).long()
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    fit(model, optimizer, [*zip(x, y)], torch.nn.functional.cross_entropy, Mine())

main()
"""
LINE = 10  # of the body
BACKWARD, STEP = "after_backward(self, model, optimizer)", "after_step(self, model, optimizer)"


def framework(folder: Path) -> Any:
    """The method fit() of the framework, from a file that is a library's by its place."""
    file = folder / "site-packages" / "framework.py"
    file.parent.mkdir()
    file.write_text(FRAMEWORK)
    spec = importlib.util.spec_from_file_location("framework", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Trainer().fit


@pytest.mark.parametrize("library", ["jgrad", "torch"])
@pytest.mark.parametrize(
    ("method", "body", "code", "said"),
    [
        (BACKWARD, "self.norm = sum(p.grad.norm() for p in model.parameters())", None, ""),
        (BACKWARD, "for p in model.parameters():\n    p.grad.zero_()", "step-in-vain", f"line {LINE + 1} had set the gradients to zero. Leave out"),
        (BACKWARD, "for p in model.parameters():\n    p.grad = p.grad * 0", "step-in-vain", f"line {LINE + 1}"),
        (BACKWARD, "model.zero_grad()", "step-without-gradients", f"line {LINE} cleared the gradients"),
        (STEP, "optimizer.step()", "step-twice", f"line {LINE} makes another step"),
        (STEP, "model[0].reset_parameters()", "drawn-anew", f"line {LINE}"),
        ("start(self, model)", "model.requires_grad_(False)\nmodel[2].bias.requires_grad_()", "frozen-parameters", f"line {LINE}"),
    ],
)  # fmt: skip
def test_what_a_callback_breaks_is_named_at_its_line(
    library: str, method: str, body: str, code: str | None, said: str, tmp_path: Path
) -> None:
    pytest.importorskip(library)
    lines = textwrap.indent(body, " " * 8).strip()
    t = trace(PROGRAM.format(library=library, method=method, body=lines), {"fit": framework(tmp_path)})
    assert t.error is None, repr(t.error)
    notes = {note["code"]: note["text"] for note in t.document["notes"]}
    if code is None:
        assert notes == {}
        return
    assert said in notes[code]
    # It is no lack of a step, and other suspicions are silent where the cause is known.
    assert {*notes} == {code}


def test_the_step_of_an_optimizer_that_the_user_wrote_is_known() -> None:
    t = trace("""
class Plain(jgrad.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})

    @jgrad.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.sub_(p.grad)

w = jgrad.ones(2, requires_grad=True)
opt = Plain([w])
for i in range(3):
    opt.zero_grad()
    (w * 2).sum().backward()
    w.grad.zero_()
    opt.step()
""")
    [note] = t.document["notes"]
    assert note["code"] == "step-in-vain"
    assert (
        "line 16 had set the gradients to zero. Move line 16 before backward(), or after opt.step()."
        in note["text"]
    )
