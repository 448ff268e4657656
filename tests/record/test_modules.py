"""In which module's forward a step ran, as a trace document tells it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jgrad
from jgrad import nn
from jgrad.tracing.document.check import DocumentError, check
from jgrad.tracing.document.packing import pack, unpack

pytestmark = pytest.mark.quick


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.q = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        return x + self.q(self.norm(x)).tanh()


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(2)])
        self.head = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.0), nn.Linear(8, 1))

    def forward(self, x: Any) -> Any:
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def where(document: dict[str, Any]) -> list[tuple[str, str]]:
    """Each operator and the module that it ran in, by name."""
    found = []
    for step in document["steps"]:
        if step["kind"] in ("op", "view"):
            call = step.get("layer_call")
            name = "" if call is None else document["layers"][document["layer_calls"][call][0]]["name"]
            found.append((step["op"], name))
    return found


def of_a_net() -> dict[str, Any]:
    """A net that runs forward and backward. (Pytest reads `locals()` in functions with asserts; so no names are read there.)"""
    with jgrad.trace() as t:
        net = Net()
        loss = net(jgrad.ones(2, 4)).sum()
        loss.backward()
    return t.document


def test_steps_know_the_module_that_they_ran_in() -> None:
    found = [pair for pair in where(of_a_net()) if pair[0] != "detach"]
    assert found == [
        ("layer_norm", "net.blocks[0].norm"), ("t", "net.blocks[0].q"), ("addmm", "net.blocks[0].q"), ("tanh", "net.blocks[0]"),
        ("add", "net.blocks[0]"), ("layer_norm", "net.blocks[1].norm"), ("t", "net.blocks[1].q"), ("addmm", "net.blocks[1].q"),
        ("tanh", "net.blocks[1]"), ("add", "net.blocks[1]"), ("t", "net.head[0]"), ("addmm", "net.head[0]"), ("relu", "net.head[1]"),
        ("t", "net.head[3]"), ("addmm", "net.head[3]"), ("sum", ""),
    ]  # fmt: skip


def test_what_is_said_of_a_module() -> None:
    document = of_a_net()
    layers = {layer["name"]: layer for layer in document["layers"]}
    assert layers["net"]["type"] == "Net"
    assert layers["net"]["parameters"] == []
    q = layers["net.blocks[1].q"]
    assert (q["type"], q["arguments"]) == ("Linear", "4, 4")
    names = {t["id"]: t["names"][-1][1] for t in document["tensors"] if t["names"]}
    assert [(n, names[number]) for n, number in q["parameters"]] == [
        ("weight", "net.blocks[1].q.weight"), ("bias", "net.blocks[1].q.bias"),
    ]  # fmt: skip
    assert layers["net.blocks[0].norm"]["arguments"] == "4"


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (nn.Linear(2, 3), "2, 3"),
        (nn.Conv2d(3, 64, 7, 2, 3), "3, 64, kernel_size=7, stride=2"),
        (nn.Conv2d(3, 8, (3, 5)), "3, 8, kernel_size=(3, 5)"),
        (nn.LSTM(4, 8), "4, 8"),
        (nn.ReLU(), ""),
    ],
)
def test_arguments(module: nn.Module, said: str) -> None:
    from jgrad.tracing.record.layers import _arguments

    assert _arguments(module) == said


def test_code_of_the_users_own_classes_does_not_run() -> None:
    class Mine(nn.Linear):
        def extra_repr(self) -> str:
            raise AssertionError

    with jgrad.trace() as t:
        mine = Mine(2, 2)
        mine(jgrad.ones(2))
    assert t.document["layers"][0]["arguments"] == ""


def test_a_module_whose_forward_fails() -> None:
    class Fails(nn.Module):
        def forward(self, x: Any) -> Any:
            raise ValueError(x + 1)

    with jgrad.trace() as t:
        fails = Fails()
        x = jgrad.ones(1)
        try:
            fails(x)
        except ValueError:
            y = x * 2
    assert where(t.document)[-2:] == [("add", "fails"), ("mul", "")], y


def test_a_call_of_the_same_module_is_another_call() -> None:
    with jgrad.trace() as t:
        cell = nn.RNNCell(2, 2)
        h = jgrad.zeros(1, 2)
        for _ in range(3):
            h = cell(jgrad.ones(1, 2), h)
    assert [layer["name"] for layer in t.document["layers"]] == ["cell"]
    assert t.document["layer_calls"] == [[0, None]] * 3


def test_modules_without_names() -> None:
    with jgrad.trace() as t:
        y = nn.Sequential(nn.Linear(2, 2))(jgrad.ones(2))
    assert [(layer["name"], layer["type"]) for layer in t.document["layers"]] == [
        ("", "Sequential"),
        ("[0]", "Linear"),
    ], y


def of_a_long_run() -> dict[str, Any]:
    x = jgrad.ones(1, 2)
    with jgrad.trace(max_steps=60) as t:
        net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        optimizer = jgrad.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(100):
            optimizer.zero_grad()
            net(x).sum().backward()
            optimizer.step()
    return t.document


def test_a_long_run_keeps_the_modules_of_the_steps_that_are_left() -> None:
    document = of_a_long_run()
    assert any(step["kind"] == "gap" for step in document["steps"])
    assert {pair for pair in where(document) if pair[0] in ("addmm", "relu", "sum")} == {
        ("addmm", "net[0]"), ("relu", "net[1]"), ("sum", ""),
    }  # fmt: skip
    assert len(document["layer_calls"]) < 60
    parameters = [document["tensors"][number] for _, number in document["layers"][1]["parameters"]]
    assert [p["names"][-1][1] for p in parameters] == ["net[0].weight", "net[0].bias"]


def test_a_document_with_layers_travels() -> None:
    recorded = of_a_net()
    document = json.loads(json.dumps(recorded))
    check(document)
    assert json.loads(json.dumps(unpack(json.loads(pack(recorded))))) == document
    document["layer_calls"][1][1] = 1
    with pytest.raises(DocumentError, match=r"layer_calls\[1\] comes before its caller"):
        check(document)
