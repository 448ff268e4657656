"""Every differentiable operation against finite differences: first derivatives, and second ones where there are any.

The other comparison asks PyTorch; this one asks nobody. What PyTorch's own `gradcheck` refuses for a sample (a kink, a pole) is left out.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

import jgrad  # noqa: E402
from jgrad.autograd import GradcheckError, gradcheck, gradgradcheck  # noqa: E402
from tests.differential.test_operations import forms, names_of  # noqa: E402
from tests.differential.twins import Side, Unsupported, flat, shown  # noqa: E402

LARGEST = 40  # elements of inputs and of outputs: a check costs two calls for each
NUMBERS_TO_DRAW = {
    "bernoulli", "normal", "multinomial", "poisson", "nn.functional.dropout", "nn.functional.alpha_dropout", "nn.functional.rrelu",
}  # fmt: skip

DIFFERENTIABLE = [
    pytest.param(info, dtype, names[0], id=f"{info.formatted_name}-{str(dtype)[6:]}")
    for info in op_db
    if info.supports_autograd
    and (names := names_of(info))
    and info.name not in NUMBERS_TO_DRAW
    and not info.name.endswith("_")
    and info.name != "bfloat16"  # whose results PyTorch gives to no NumPy array
    for dtype in (torch.float64, torch.complex128)
    if dtype in info.supported_backward_dtypes("cpu")
]


class Call:
    """A sample on one library as a function of its differentiable tensors."""

    def __init__(self, library: Any, sample: Any, info: Any, function: Any) -> None:
        side = self.side = Side(library)
        self.arguments = [side.copy(sample.input), *side.copy(sample.args)]
        self.options = side.copy(sample.kwargs)
        self.info, self.sample, self.function = info, sample, function
        self.inputs = [t for t in side.tensors if t.requires_grad]

    def __call__(self, *inputs: Any) -> Any:
        given = dict(zip(map(id, self.inputs), inputs, strict=True))

        def put(value: Any) -> Any:
            if isinstance(value, (tuple, list)):
                return type(value)(map(put, value))
            return given.get(id(value), value)

        options = {k: put(v) for k, v in self.options.items()}
        arguments = list(map(put, self.arguments))
        if self.info.name == "cholesky_inverse":  # whose wrapper calls PyTorch itself
            (factor,) = arguments
            diagonal, embed = factor.diagonal(0, -2, -1), self.side.module.diag_embed
            factor = factor + embed(diagonal.abs() + 1 - diagonal)
            result = self.function(factor.triu() if options.get("upper") else factor.tril(), **options)
        else:
            result = self.info.gradcheck_wrapper(self.function, *arguments, **options)
        result = self.sample.output_process_fn_grad(result)
        return tuple(
            t for t in flat(result, self.side.module.Tensor) if t.is_floating_point() or t.is_complex()
        )


def small_samples(info: Any, dtype: Any, number: int) -> Any:
    """The first samples that are small enough, one without elements among them at most."""
    torch.manual_seed(7)
    for sample in info.sample_inputs("cpu", dtype, requires_grad=True):
        tensors = flat([sample.input, sample.args, list(sample.kwargs.values())], torch.Tensor)
        size = sum(t.numel() for t in tensors if t.requires_grad)
        if 0 < size <= LARGEST and number:
            number -= 1
            yield sample


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def refused_by_torch(check: Any, call: Call) -> bool:
    try:
        return not check(call, call.inputs, check_undefined_grad=False, raise_exception=False)
    except RuntimeError:
        return True


@pytest.mark.one_in(80)
@pytest.mark.parametrize(("info", "dtype", "name"), DIFFERENTIABLE)
def test_derivatives_are_differences(info, dtype, name):
    check(info, name, small_samples(info, dtype, 2))


def check(info: Any, name: str, samples: Iterable[Any]) -> None:
    """Compare the derivatives at these samples with finite differences."""
    for sample in samples:
        found = forms(sample, name, info.formatted_name)
        form = found[0][1]
        try:
            ours = Call(jgrad, sample, info, form(jgrad))
        except Unsupported:
            continue
        outputs = ours(*ours.inputs)
        if sum(t.numel() for t in outputs) > 4 * LARGEST:
            continue
        given = f"{name} of {shown(sample.input)}, {shown(sample.args)}, {shown(sample.kwargs)}"
        checks = [(gradcheck, torch.autograd.gradcheck)]
        if info.supports_gradgrad:
            checks.append((gradgradcheck, torch.autograd.gradgradcheck))
        for checked, theirs in checks:
            try:
                checked(ours, ours.inputs, check_undefined_grad=checked is gradcheck)
            except GradcheckError as error:
                if not refused_by_torch(theirs, Call(torch, sample, info, form(torch))):
                    pytest.fail(f"{checked.__name__} of {given}: {error}")
