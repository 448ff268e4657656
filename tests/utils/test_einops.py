"""einops and opt_einsum on tensors of jgrad, without a word from the user."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import jgrad

einops = pytest.importorskip("einops")
torch = pytest.importorskip("torch")

OWN_TESTS = """
import sys
import jgrad, pytest
from einops import _backends
from jgrad.utils.einops_backend import JgradBackend
_backends.TorchBackend = JgradBackend  # among those that the tests collect
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--pyargs", "einops.tests.test_ops", "einops.tests.test_einsum", "einops.tests.test_packing"]))
"""


@pytest.mark.deep
def test_the_tests_of_einops_pass_with_the_backend() -> None:
    environment = {**os.environ, "EINOPS_TEST_BACKENDS": "jgrad"}
    ran = subprocess.run([sys.executable, "-c", OWN_TESTS], env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:]


@pytest.mark.quick
@pytest.mark.parametrize("first", ["einops", "jgrad"])
def test_einops_knows_tensors_whichever_is_imported_first(first: str) -> None:
    second = "jgrad" if first == "einops" else "einops"
    code = f"import {first}, {second}; print(einops.rearrange(jgrad.ones(2, 3), 'a b -> b a').shape)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == "jgrad.Size([3, 2])", ran.stderr


@pytest.mark.quick
@pytest.mark.parametrize(
    "call",
    [
        "rearrange(x, 'a b c -> b (a c)')", "reduce(x, 'a b c -> c', 'max')", "reduce(x, 'a b (c 2) -> a c', 'mean')",
        "reduce(x, 'a b c -> a', 'prod')", "repeat(x, 'a b c -> a b r c', r=2)", "einsum(x, x, 'a b c, a b c -> b')", "pack([x, x], 'a * c')[0]",
        "asnumpy(x)", "rearrange([x, x], 'n a b c -> a n b c')", "parse_shape(x, 'a b _')",
    ],
)  # fmt: skip
def test_an_operation_of_einops_is_as_on_pytorch(call: str) -> None:
    results = []
    for library in (jgrad, torch):
        found = eval(f"einops.{call}", {"einops": einops, "x": library.arange(24.0).reshape(2, 3, 4)})
        results.append(repr(found))
    assert results[0] == results[1]


@pytest.mark.quick
def test_its_layers_are_modules() -> None:
    from einops.layers.jgrad import EinMix, Rearrange, Reduce  # type: ignore[import-not-found]

    mix = EinMix("b c -> b d", weight_shape="c d", bias_shape="d", c=8, d=5)
    model = jgrad.nn.Sequential(
        Reduce("b c (h 2) (w 2) -> b c h w", "max"), Rearrange("b c h w -> b (c h w)"), mix
    )
    assert [name for name, _ in model.named_parameters()] == ["2.weight", "2.bias"]
    result = model(jgrad.ones(3, 2, 4, 4))
    result.sum().backward()
    assert result.shape == (3, 5)
    assert mix.weight.grad.tolist() == [[3.0] * 5] * 8


@pytest.mark.quick
def test_opt_einsum_contracts_tensors() -> None:
    opt_einsum = pytest.importorskip("opt_einsum")
    a, b, c = (np.arange(float(m * n)).reshape(m, n) for m, n in ((2, 3), (3, 4), (4, 2)))
    for equation, operands in (
        ("ij,jk,kl->il", (a, b, c)),
        ("ij,jk->ki", (a, b)),
        ("ij,ij->", (a, a)),
        ("ij->ji", (a,)),
    ):
        tensors: Any = [jgrad.from_numpy(x) for x in operands]
        found = opt_einsum.contract(equation, *tensors)
        np.testing.assert_array_equal(found.numpy(), np.einsum(equation, *operands))
