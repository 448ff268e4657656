"""The page of errors in words: PyTorch and jgrad say what it quotes, in programs that make this mistake."""

from __future__ import annotations

import copy
import importlib
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.quick

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"
# By the text on the page, a program that makes the library say it. `copy` and the library, as `lib`, are there.
PROGRAMS = {
    "element 0 of tensors does not require grad and does not have a grad_fn": "lib.ones(2).sum().backward()",
    "grad can be implicitly created only for scalar outputs": "(w * 2).backward()",
    "Trying to backward through the graph a second time": "y = (w * w).sum()\ny.backward()\ny.backward()",
    "one of the variables needed for gradient computation has been modified by an inplace operation": (
        "y = w.exp()\ny += 1\ny.sum().backward()"
    ),
    "a leaf Variable that requires grad is being used in an in-place operation": "w += 1",
    "a view of a leaf Variable that requires grad is being used in an in-place operation": "w[0] = 1.0",
    "you can only change requires_grad flags of leaf variables": "(w * 2).requires_grad = False",
    "can't retain_grad on Tensor that has requires_grad=False": "lib.ones(2).retain_grad()",
    "The differentiated Tensor at index ... appears to not have been used in the graph": (
        "lib.autograd.grad((w * 2).sum(), lib.ones(2, requires_grad=True))"
    ),
    "Only Tensors of floating point and complex dtype can require gradients": "lib.tensor([1, 2], requires_grad=True)",
    "view size is not compatible with input tensor's size and stride": "lib.ones(2, 3).t().view(6)",
    "can't optimize a non-leaf Tensor": "lib.optim.SGD([w * 2], lr=0.1)",
    "Only Tensors created explicitly by the user ... support the deepcopy protocol": "copy.deepcopy(w * 2)",
    "save_for_backward can only save variables": """\
class Scale(lib.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(3)
        return x * 3

Scale.apply(w)""",
    "Jacobian mismatch for output 0 with respect to input 0": """\
class Scale(lib.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, grad):
        return grad * 2

lib.autograd.gradcheck(Scale.apply, w.detach().double().requires_grad_())""",
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed": "(w * 2).grad",
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone()": "lib.tensor(w)",
    "Using a target size ... that is different to the input size": (
        "lib.nn.functional.mse_loss(lib.ones(2, 1), lib.ones(2))"
    ),
    # What goes wrong without an error.
    "None": "w * 2\nassert w.grad is None",
    "nan": "assert lib.zeros(1).log().mul(0).isnan().all()",
}


def rows() -> dict[str, bool]:
    """The texts that the page quotes, and whether it calls them a warning."""
    found = re.findall(r"^\| (?!it says|---)([^|]*)\|", PAGE.read_text(encoding="utf-8"), re.M)
    quoted = {row: re.search(r"`([^`]*)`", row) for row in found}
    assert None not in quoted.values()
    return {text[1]: row.startswith("warning:") for row, text in quoted.items() if text is not None}


def test_each_row_has_a_program() -> None:
    assert set(PROGRAMS) == set(rows())


@pytest.mark.parametrize("library", ["jgrad", "torch"])
@pytest.mark.parametrize("text", PROGRAMS)
def test_the_library_says_what_the_page_quotes(text: str, library: str) -> None:
    pytest.importorskip(library)
    lib = importlib.import_module(library)
    names: dict[str, Any] = {"lib": lib, "copy": copy, "w": lib.tensor([1.0, 2.0], requires_grad=True)}
    said = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            exec(PROGRAMS[text], names)
        except Exception as error:
            said.append(str(error))
    if text in ("None", "nan"):
        assert said == []
        return
    found = [str(one.message) for one in warned] if rows()[text] else said
    pattern = ".*".join(re.escape(part.strip()) for part in text.split("..."))
    assert any(re.search(pattern, one, re.S) for one in found), found or said
    assert bool(said) != rows()[text]
