"""The names and signatures of `jgrad.distributions`, and that distributions go along with transforms of functions, copies and pickles."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
from tests.distributions.families import MAKERS, Side, close  # noqa: E402

MODULES = [m.name for m in pkgutil.iter_modules(torch.distributions.__path__)]


def parameters(function: Callable) -> list[tuple]:
    """Names, kinds and defaults."""
    found = inspect.signature(function).parameters.values()
    return [(p.name, p.kind, "Size" if "Size" in repr(p.default) else repr(p.default)) for p in found]


@pytest.mark.parametrize("module", MODULES)
def test_signatures(module):
    theirs = importlib.import_module(f"torch.distributions.{module}")
    mine = importlib.import_module(f"jgrad.distributions.{module}")
    for name in getattr(theirs, "__all__", []):
        one, other = getattr(theirs, name), getattr(mine, name)
        if callable(one) and name not in ("biject_to", "transform_to", "identity_transform"):
            assert isinstance(one, type) == isinstance(other, type) or name == "lazy_property"
            if inspect.isfunction(one) or "__init__" in vars(one):
                assert parameters(other) == parameters(one), name
        if isinstance(one, type):
            for key in (key for key in dir(one) if not key.startswith("_")):
                assert hasattr(other, key), f"{name}.{key}"
                if inspect.isfunction(method := inspect.getattr_static(one, key)):
                    assert parameters(inspect.getattr_static(other, key)) == parameters(method), (
                        f"{name}.{key}"
                    )


@pytest.mark.parametrize("name", [name for name in MAKERS if name.endswith("-0")])
def test_copies_and_pickles(name):
    side = Side(jgrad, "float64")
    side.f = side.fixed  # tensors with a history are not copied
    d = MAKERS[name](side)
    value = d.mean if "Wishart" in name else d.sample()  # whose samples come with PyTorch's warning
    for twin in (copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
        assert twin.log_prob(value).equal(d.log_prob(value))
        assert repr(twin) == repr(d)


def test_under_transforms_of_functions():
    """With validation, which looks at the parameters of all examples."""
    calls: list[Callable[[Any], Any]] = [
        lambda lib: lib.vmap(lambda m: lib.distributions.Normal(m, 1.0).log_prob(m + 1))(lib.arange(3.0)),
        lambda lib: lib.func.grad(lambda a: lib.distributions.Gamma(a, 2.0).log_prob(lib.tensor(1.0)))(
            lib.tensor(2.0)
        ),
        lambda lib: lib.func.hessian(
            lambda m: lib.distributions.Normal(m[0], m[1].exp()).log_prob(lib.tensor(1.0))
        )(lib.ones(2)),
        lambda lib: lib.vmap(lib.func.grad(lambda r: lib.distributions.Exponential(r).entropy()))(
            lib.arange(1.0, 4)
        ),
    ]
    for i, call in enumerate(calls):
        close(call(jgrad), call(torch), str(i))
    # PyTorch's fails on the way to its message.
    with pytest.raises(ValueError, match="Expected parameter rate"):
        jgrad.vmap(lambda r: jgrad.distributions.Exponential(r).entropy())(jgrad.tensor([1.0, -1.0]))
