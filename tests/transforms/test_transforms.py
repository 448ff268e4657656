"""Every operation with tangents and in batches: what it gives must follow from what it gives without.

A tangent `t` and a gradient `v` weigh the same derivative from both ends: `<v, J t>` is `<J^H v, t>`. A batch is its examples, stacked.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
import jgrad.func  # noqa: E402
from jgrad.autograd import forward_ad  # noqa: E402
from jgrad.dispatch import batched  # noqa: E402
from jgrad.graph import levels  # noqa: E402
from jgrad.tensor import Tensor  # noqa: E402
from tests.differential.test_gradients import DIFFERENTIABLE, Call, small_samples  # noqa: E402
from tests.differential.test_operations import forms  # noqa: E402
from tests.differential.twins import Unsupported, flat, shown  # noqa: E402


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# Their backward is not differentiable, so that it cannot be transposed.
NO_WAY_FORWARD = {"nn.functional.hardsigmoid", "nn.functional.embedding_bag"}
# What these give depends on where an example lies in memory, or on random numbers.
NOT_OF_EXAMPLES_ALONE = {"as_strided", "as_strided_copy", "as_strided_scatter", "svd_lowrank", "pca_lowrank",
                         "nn.functional.fractional_max_pool2d", "nn.functional.fractional_max_pool3d"}  # fmt: skip


def calls(info: Any, dtype: Any, name: str, number: int):
    for sample in small_samples(info, dtype, number):
        form = forms(sample, name, info.formatted_name)[0][1]
        try:
            call = Call(jgrad, sample, info, form(jgrad))
            call(*call.inputs)
        except Unsupported:
            continue
        yield call, sample, f"{name} of {shown(sample.input)}, {shown(sample.args)}, {shown(sample.kwargs)}"


def numbers_like(t: Any, random: Any) -> Any:
    values = random.standard_normal(tuple(t.shape))
    if t.is_complex():
        values = values + 1j * random.standard_normal(tuple(t.shape))
    return jgrad.from_numpy(np.asarray(values)).to(t.dtype).reshape(t.shape)


def product(a: Any, b: Any) -> float:
    return float(np.vdot(a.detach().numpy(force=True), b.detach().numpy(force=True)).real)


@pytest.mark.one_in(16)
@pytest.mark.parametrize(("info", "dtype", "name"), DIFFERENTIABLE)
def test_the_way_forward_is_the_way_back_transposed(info, dtype, name):
    random = np.random.default_rng(0)
    for call, _, given in calls(info, dtype, name, 2):
        outputs = [t for t in call(*call.inputs) if t.requires_grad]
        weights = [numbers_like(t, random) for t in outputs]
        directions = [numbers_like(t, random) for t in call.inputs]
        back = jgrad.autograd.grad(outputs, call.inputs, weights, allow_unused=True, materialize_grads=True)
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(t, d) for t, d in zip(call.inputs, directions, strict=True)]
            try:
                forward = [forward_ad.unpack_dual(t).tangent for t in call(*duals) if t.requires_grad]
            except NotImplementedError:
                assert not info.supports_forward_ad or name in NO_WAY_FORWARD, given
                continue
        for tangent, output in zip(forward, outputs, strict=True):
            assert tangent is not None, given
            assert (tangent.shape, tangent.dtype) == (output.shape, output.dtype), given
        one = sum(product(w, t) for w, t in zip(weights, forward, strict=True))
        other = sum(product(b, d) for b, d in zip(back, directions, strict=True))
        least = max((float(np.finfo(t._a.dtype).eps) for t in forward), default=0.0)
        assert one == pytest.approx(other, rel=1e4 * least, abs=1e4 * least), given


@pytest.mark.one_in(16)
@pytest.mark.parametrize(
    ("info", "dtype", "name"),
    [case for case in DIFFERENTIABLE if case.values[2] not in NOT_OF_EXAMPLES_ALONE],
)
def test_a_batch_is_its_examples(info, dtype, name):
    for call, sample, given in calls(info, dtype, name, 1):
        first = [t.detach() for t in call.inputs]
        examples = [first, [0.9 * t for t in first]]
        for which in [range(len(first)), *([i] for i in range(len(first)) if len(first) > 1)]:
            separate = [
                flat(call(*[e[i] if i in which else t for i, t in enumerate(first)]), Tensor)
                for e in examples
            ]
            try:
                together = batch(call, examples, which)
            except RuntimeError:
                form = forms(sample, name, info.formatted_name)[0][1]
                if refused_by_torch(Call(torch, sample, info, form(torch)), which):
                    continue
                raise
            for n, (result, *expected) in enumerate(zip(together, *separate, strict=True)):
                assert tuple(result.shape) == (2, *expected[0].shape), (given, n)
                for e, r in zip(expected, result, strict=True):
                    assert r.dtype == e.dtype, (given, n)
                    np.testing.assert_allclose(
                        r.numpy(force=True),
                        e.numpy(force=True),
                        rtol=1e-7,
                        atol=1e-9,
                        err_msg=f"{given}, {n}",
                    )


def batch(call: Call, examples: list, which: Any) -> list:
    """The call on both examples at once; only the arguments `which` differ between them."""
    with levels.level(2) as level:
        inputs = [
            batched.wrap(jgrad.stack([e[i] for e in examples], -1), t.ndim, level) if i in which else t
            for i, t in enumerate(examples[0])
        ]
        return [batched.unwrap(r, 0, level) for r in flat(call(*inputs), Tensor)]


def refused_by_torch(call: Call, which: Any) -> bool:
    inputs = [t.detach() for t in call.inputs]
    stacked = [torch.stack([t, t], -1) if i in which else t for i, t in enumerate(inputs)]
    dims = tuple(-1 if i in which else None for i in range(len(inputs)))
    try:
        torch.vmap(call, dims)(*stacked)
    except RuntimeError:
        return True
    return False


@pytest.mark.one_in(16)
@pytest.mark.parametrize(
    ("info", "dtype", "name"),
    [case for case in DIFFERENTIABLE if case.values[2] not in NOT_OF_EXAMPLES_ALONE],
)
def test_gradients_of_a_batch_are_those_of_its_examples(info, dtype, name):
    random = np.random.default_rng(0)
    for call, sample, given in calls(info, dtype, name, 1):
        first = [t.detach() for t in call.inputs]
        examples = [first, [0.9 * t for t in first]]
        weights = [numbers_like(t, random) for t in call(*call.inputs)]

        def backward(*inputs: Any, call: Call = call, weights: list = weights) -> Any:
            return jgrad.func.vjp(lambda *inputs: call(*inputs), *inputs)[1](tuple(weights))

        separate = [backward(*e) for e in examples]
        stacked = [jgrad.stack(pair, -1) for pair in zip(*examples, strict=True)]
        try:
            together = jgrad.vmap(backward, -1)(*stacked)
        except RuntimeError:
            form = forms(sample, name, info.formatted_name)[0][1]
            if refused_by_torch(Call(torch, sample, info, form(torch)), range(len(first))):
                continue
            raise
        for n, (result, *expected) in enumerate(zip(together, *separate, strict=True)):
            for e, r in zip(expected, result, strict=True):
                assert r.dtype == e.dtype, (given, n)
                np.testing.assert_allclose(
                    r.numpy(force=True), e.numpy(force=True), rtol=1e-6, atol=1e-8, err_msg=f"{given}, {n}"
                )
