"""`%compare` of two trainings: what is said of them, on jgrad and on PyTorch."""

from __future__ import annotations

from types import ModuleType

import pytest

import jgrad
from jgrad.views.trainings import Trainings

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.quick
LIBRARIES = pytest.mark.parametrize("library", [jgrad, torch], ids=["jgrad", "torch"])


def trained(
    library: ModuleType,
    name: str,
    rate: float = 0.1,
    seed: int = 0,
    rounds: int = 12,
    late: int = 0,
    momentum: float = 0,
) -> jgrad.trace.Trace:
    """A small training. From round `late` on, its first layer is not trained."""
    library.manual_seed(seed)
    net = library.nn.Sequential(library.nn.Linear(2, 3), library.nn.Tanh(), library.nn.Linear(3, 1))
    opt = library.optim.SGD(net.parameters(), lr=rate, momentum=momentum)
    x = library.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.25]])
    y = library.tensor([[1.0], [1.0], [0.0], [0.5]])
    with jgrad.trace(name) as t:
        for i in range(rounds):
            opt.zero_grad()
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            if late and i + 1 >= late:
                net[0].weight.grad.zero_()
            opt.step()
    return t


@LIBRARIES
def test_the_round_and_the_parameter_that_part_first_are_named(library) -> None:
    found = jgrad.trace.compare(trained(library, "all"), trained(library, "part", late=5))
    assert isinstance(found, Trainings)
    assert found.parting is not None
    assert found.parting.round > 5
    assert found.parted[0].name == "net[0].weight"
    assert found.parted[0].first is not None
    assert (found.parted[0].first.round, found.parted[0].first.what) == (5, "gradient")
    assert found.parted[0].first.sides[1] == 0
    assert found.sentence.startswith(f"The losses part in round {found.parting.round}: ")
    said = " ".join(repr(found).split())
    assert "net[0].weight parts first: its gradient in round 5 is " in said
    assert "0 in part" in said
    assert len(repr(found).splitlines()) <= 40


@LIBRARIES
def test_other_rates_seeds_and_rounds_are_said(library) -> None:
    found = jgrad.trace.compare(trained(library, "a"), trained(library, "b", rate=0.2, rounds=8))
    assert "The learning rate differs from round 1 on: 0.1 in a, 0.2 in b." in found.reasons()
    assert "after 12 rounds in a" in found.reasons()[-1]
    assert "after 8 in b." in found.reasons()[-1]
    found = jgrad.trace.compare(trained(library, "a"), trained(library, "b", seed=1))
    assert "They start from other values of net[0].weight and 3 more." in found.reasons()
    assert found.opens == 1


@LIBRARIES
def test_the_same_training_twice_differs_in_nothing(library) -> None:
    found = jgrad.trace.compare(trained(library, "a"), trained(library, "b"))
    assert found.sentence == "No figure of the 12 rounds differs."
    assert found.reasons() == []
    assert found.parted == []
    assert found.opens == 12


def test_two_libraries_add_in_another_order_and_differ_in_nothing() -> None:
    ours, theirs = trained(jgrad, "ours", rate=0.5, rounds=40), trained(torch, "theirs", rate=0.5, rounds=40)
    assert jgrad.trace.compare(ours, theirs).sentence == "No figure of the 40 rounds differs."


def test_a_loss_that_becomes_nan_parts_there() -> None:
    def run(name: str, at: int) -> jgrad.trace.Trace:
        w = jgrad.ones(1, requires_grad=True)
        opt = jgrad.optim.SGD([w], lr=0.1)
        with jgrad.trace(name) as t:
            for i in range(8):
                opt.zero_grad()
                loss = (w * w).sum() + (float("nan") if i == at else 0)
                loss.backward()
                opt.step()
        return t

    found = jgrad.trace.compare(run("never", -1), run("once", 3))
    assert found.parting is not None
    assert found.parting.round == 4
    assert "nan in once." in found.sentence


def test_networks_of_other_shapes_are_compared_by_their_losses() -> None:
    def run(name: str, wide: int) -> jgrad.trace.Trace:
        net = jgrad.nn.Linear(wide, 1)
        opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
        with jgrad.trace(name) as t:
            for _ in range(5):
                opt.zero_grad()
                loss = (net(jgrad.ones(2, wide)) ** 2).mean()
                loss.backward()
                opt.step()
        return t

    found = jgrad.trace.compare(run("narrow", 2), run("wide", 3))
    assert [pair.name for pair in found.pairs_of_parameters] == ["net.bias"]
    assert found.sentence.startswith("The losses part in round 1: ")
    assert found.scene()["height"] > 0


def test_a_loop_without_a_loss_at_a_number_can_be_compared() -> None:
    def run(name: str, rate: float) -> jgrad.trace.Trace:
        w = jgrad.ones(2, requires_grad=True)
        opt = jgrad.optim.SGD([w], lr=rate)
        with jgrad.trace(name) as t:
            for _ in range(6):
                w.grad = w.detach().clone()
                opt.step()
        return t

    found = jgrad.trace.compare(run("a", 0.1), run("b", 0.2))
    assert found.parting is None
    assert found.sentence == "The losses of 6 rounds are the same, and w differs."
    assert len(found.document()["steps"]) == 6
