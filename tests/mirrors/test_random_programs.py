"""Random programs on PyTorch show the same to the last bit, watched and unwatched. `tests/deep` runs more of them."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from tests.mirrors import watched
from tests.same_as_torch.random_programs import always_warning


@pytest.mark.one_in(30)
@pytest.mark.parametrize("seed", range(0, 120, 4))
def test_programs_are_the_same_when_they_are_watched(seed: int) -> None:
    with always_warning():
        for statements, every in watched.programs(seed, 4):
            assert watched.difference(statements, every) is None, "\n".join(statements)


# What random programs found, cut down to what it needs.
FOUND = {
    "an index whose memory is gone in the backward pass": """
v2 = torch.tensor([[0.5, 0.25], [1.0, 2.0]], requires_grad=True)
v3 = v2.transpose(0, -1)
with torch.no_grad(): v3.index_fill_(0, torch.tensor([0]), 2.0)
v3.sum().backward()
""",
    "gradients are added in place": """
v1 = torch.tensor([[0.5, -1.5], [2.0, 0.25]], requires_grad=True)
(v1 * v1).sum().backward()
""",
    "a hook refers to the variables among which its tensor is": """
v0 = torch.tensor([0.5, 2.0], requires_grad=True)
v0.register_hook(lambda g: v2.detach().clone())
""",
    "a number in a graph": """
v0 = torch.tensor([0.5, 2.0], requires_grad=True) * 2
v1 = v0.grad_fn._saved_other.detach()
""",
    "an inference tensor outside of inference mode": """
v0 = torch.tensor([[0.5, 2.0], [1.0, 0.25]])
with torch.inference_mode(): v1 = v0.sgn()
v2, v3 = v1.sort(0)
""",
    "a root that PyTorch refuses": """
v2 = torch.nn.Parameter(torch.tensor([2.0, -1.0], dtype=torch.float64))
with torch.set_grad_enabled(False): v3 = v2[1:]
v7, = clones(autograd.grad(v3, v3, v3.detach(), retain_graph=True))
""",
}


@pytest.mark.parametrize("what", FOUND)
def test_what_was_found_is_mended(what: str) -> None:
    assert watched.difference(FOUND[what].strip().split("\n"), False) is None
