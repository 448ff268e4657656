"""What a trace document holds about modules and optimizers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.record.tracing import Trace, trace

pytestmark = pytest.mark.quick

NET = """
nn = jgrad.nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Dropout(0.5))
        self.heads = [nn.Linear(3, 1)]
        self.scale = jgrad.ones(1, requires_grad=True)
        self.steps = [1, 2]
"""


def names(t: Trace, numbers: list[int]) -> list[str]:
    """The names that some tensors had last."""
    return [t.document["tensors"][n]["names"][-1][1] for n in numbers]


def only(t: Trace, key: str) -> dict[str, Any]:
    [found] = t.document[key]
    return found


def test_a_module() -> None:
    t = trace(NET + "net = Net()\nnet.eval()\nx = jgrad.ones(1)")
    net = only(t, "modules")
    assert (net["name"], net["type"], net["training"]) == ("net", "Net", False)
    assert names(t, net["parameters"]) == [
        "net.body[0].weight",
        "net.body[0].bias",
        "net.body[1].weight",
        "net.body[1].bias",
    ]
    [heads, scale] = net["unlisted"]
    assert (heads["name"], heads["kind"], heads["layers"]) == ("net.heads", "list", True)
    assert names(t, heads["parameters"]) == ["net.heads[0].weight", "net.heads[0].bias"]
    assert (scale["name"], scale["kind"], scale["layers"]) == ("net.scale", "tensor", False)
    normal, dropout = net["switched"]
    assert (normal["name"], normal["type"], normal["training"]) == ("net.body[1]", "BatchNorm1d", False)
    assert names(t, [normal["running_mean"]]) == ["net.body[1].running_mean"]
    assert (dropout["name"], dropout["type"], dropout["running_mean"]) == ("net.body[2]", "Dropout", None)


def test_what_is_registered_elsewhere_in_the_module_is_listed() -> None:
    source = "net = jgrad.nn.Sequential(jgrad.nn.Linear(1, 1))\nnet.order = [net[0]]\nx = jgrad.ones(1)"
    assert only(trace(source), "modules")["unlisted"] == []


def test_an_optimizer() -> None:
    source = """
w, v = jgrad.ones(1, requires_grad=True), jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([{"params": [w]}, {"params": [v], "lr": 2}], lr=0.5, maximize=True)
x = jgrad.ones(1)
opt.param_groups[0]["lr"] = 0.25
"""
    t = trace(source)
    opt = only(t, "optimizers")
    assert (opt["name"], opt["type"], opt["rates"], opt["maximize"]) == ("opt", "SGD", [0.25, 2.0], True)
    assert names(t, opt["parameters"]) == ["w", "v"]
    assert opt["met_step"] == 1  # w and v had been made


def test_those_of_a_function_and_of_an_object() -> None:
    source = """
class Trainer:
    pass
def make():
    net = jgrad.nn.Linear(1, 1)
    opt = jgrad.optim.Adam(net.parameters())
    net(jgrad.ones(1)).backward()
make()
trainer = Trainer()
trainer.net = jgrad.nn.Linear(1, 1)
trainer.opt = jgrad.optim.SGD(trainer.net.parameters(), lr=1)
trainer.net(jgrad.ones(1)).backward()
"""
    document = trace(source).document
    assert [(m["name"], m["training"]) for m in document["modules"]] == [("net", None), ("trainer.net", True)]
    assert [(o["name"], o["type"]) for o in document["optimizers"]] == [
        ("opt", "Adam"),
        ("trainer.opt", "SGD"),
    ]


def test_those_that_the_cell_does_not_mention() -> None:
    before = trace(
        "net = jgrad.nn.Linear(1, 1)\nopt = jgrad.optim.SGD(net.parameters(), lr=1)\nf = lambda: net(jgrad.ones(1))"
    )
    document = trace("y = f()\ny.backward()", before.namespace).document
    assert [m["name"] for m in document["modules"]] == ["net"]
    assert [(o["name"], o["met_step"] >= 0) for o in document["optimizers"]] == [("opt", True)]


def test_a_document_without_any() -> None:
    document = trace("x = jgrad.ones(1)").document
    assert "modules" not in document
    assert "optimizers" not in document


def test_what_an_optimizer_has_of_a_log_that_was_cut() -> None:
    """References to tensors that are not in the document are left out."""
    source = """
opt = jgrad.optim.SGD([jgrad.ones(1, requires_grad=True)], lr=1)
for i in range(40):
    opt.add_param_group({"params": [jgrad.ones(1, requires_grad=True)]})
"""
    t = trace(source, max_steps=10)
    assert len(only(t, "optimizers")["parameters"]) <= len(t.document["tensors"])
