"""Every family with parameters on the array library that stands in for CuPy: the same probabilities as on the CPU, samples on the device."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch")

import jgrad
from tests.distributions.families import MAKERS, Raised, Side, outcome
from tests.foreign.device import on_the_device


class OnDevice(Side):
    """jgrad, with parameters on the device."""

    def f(self, values: Any) -> Any:
        leaf = self.module.tensor(values, dtype=self.dtype, device="cuda", requires_grad=True)
        self.leaves.append(leaf)
        return leaf

    def fixed(self, values: Any) -> Any:
        return self.module.tensor(values, dtype=self.dtype, device="cuda")


@pytest.mark.parametrize("name", [name for name in MAKERS if name.endswith("-0")])
def test_on_a_device(name):
    d = MAKERS[name](Side(jgrad, "float64"))
    with on_the_device():
        e = MAKERS[name](OnDevice(jgrad, "float64"))
        jgrad.manual_seed(0)
        value = e.sample((3,))
        assert value.device.type == "cuda"
        results = [e.log_prob(value)] + [outcome(lambda n=n: getattr(e, n)) for n in ("mean", "variance")]
        results += [outcome(e.entropy)]
        found = [r if isinstance(r, Raised) else r.detach().cpu() for r in [*results, value]]
    value = found.pop()
    expected = [d.log_prob(value)] + [outcome(lambda n=n: getattr(d, n)) for n in ("mean", "variance")]
    expected += [outcome(d.entropy)]
    for mine, theirs in zip(found, expected, strict=True):
        if isinstance(theirs, Raised):
            assert mine == theirs
        else:
            assert jgrad.allclose(mine, theirs, rtol=1e-9, equal_nan=True)
