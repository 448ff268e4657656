"""PyTorch's samples of each operation in an `autocast` block: the same dtypes, graphs, values and gradients."""

from __future__ import annotations

import warnings

import pytest

import jgrad

torch = pytest.importorskip("torch")

from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

from tests.differential.test_operations import (  # noqa: E402
    UNINITIALIZED,
    Comparison,
    excused,
    forms,
    names_of,
    samples_of,
)
from tests.differential.twins import Unsupported, shown  # noqa: E402

OPERATIONS = [
    pytest.param(info, names[0], id=info.formatted_name)
    for info in op_db
    if (names := names_of(info))
    and names[0] not in ("svd_lowrank", "pca_lowrank")  # whose samples are not of one dtype
    and torch.float32 in info.supported_dtypes("cpu")
]


@pytest.mark.one_in(18)
@pytest.mark.parametrize(("info", "name"), OPERATIONS)
def test_samples(info, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, sample in enumerate(samples_of(info, torch.float32, 2)):
            # Once as it is, once with its first tensor in bfloat16.
            compare(info, name, sample)
            if number == 0 and isinstance(sample.input, torch.Tensor) and name not in UNINITIALIZED:
                sample.input = sample.input.detach().bfloat16().requires_grad_(sample.input.requires_grad)
                compare(info, name, sample)


def compare(info, name, sample):
    _, callable_of = forms(sample, name, info.formatted_name)[0]

    def within(library):
        return library.autocast("cpu")(callable_of(library))

    try:
        comparison = Comparison(sample, name, "function", within)
    except Unsupported:
        return
    # What is float32 in the end was rounded to bfloat16 on the way, in steps that depend on the processor.
    met = [*comparison.outputs[1], *comparison.sides[1].tensors]
    if any(t.dtype is torch.bfloat16 for t in met):
        comparison.through = jgrad.bfloat16.numpy
    given = f"{shown(sample.input)}, {shown(sample.args)}, {shown(sample.kwargs)}"
    try:
        if not comparison.same_error():
            comparison.same_results()
            comparison.same_gradients()
    except AssertionError as error:
        failure = f"function {name}: {error}"
        assert excused(failure) or excused(f"bfloat16 {failure}") or excused(f"autocast {failure}"), (
            f"{failure}\n    of {given}"
        )
