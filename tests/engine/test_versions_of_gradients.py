"""The version of a gradient counts the writes that made it, as PyTorch's does."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import jgrad
from jgrad.graph import written

torch = pytest.importorskip("torch")

from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

from tests.differential.test_operations import forms, names_of  # noqa: E402
from tests.differential.twins import Side, Unsupported, flat  # noqa: E402

SAMPLES = 6
# Nodes that send a leaf a gradient of another version than PyTorch's, which is left so:
OTHERWISE = frozenset((
    # PyTorch writes in a loop, or as often as the other arguments say:
    "BinaryCrossEntropyBackward0", "BinaryCrossEntropyWithLogitsBackward0", "LinalgHouseholderProductBackward0", "OrmqrBackward0",
    # The gradient is zeros, which PyTorch writes:
    "NormalBackward1", "NormalBackward2", "NormalBackward3", "NextafterBackward0", "CopysignBackward0", "RepeatBackward0", "AminmaxBackward0",
    # In one library it is a view or has another layout, so it is copied, or it is not:
    "ToCopyBackward0", "FftR2CBackward0", "ExpandBackward0", "LinalgSolveExBackward0", "LinalgSolveTriangularBackward0", "LinalgLuSolveBackward0",
    "BlockDiagBackward0", "CatBackward0", "StackBackward0", "SqueezeBackward1", "SqueezeBackward2", "CloneBackward0", "CumsumBackward0",
    "ViewBackward0", "ConstantPadNdBackward0", "TriangularSolveBackward0", "UnsqueezeBackward0", "MulBackward0", "AsStridedScatterBackward0",
    # It is made of other operations here:
    "NativeGroupNormBackward0", "LinalgLstsqBackward0",
))  # fmt: skip


def versions(library: Any, sample: Any, form: Any) -> tuple[list[int | None], list[set[str]]]:
    """The version of each gradient of a call, and the names of the nodes that sent it."""
    side = Side(library)
    arguments, options = [side.copy(sample.input), *side.copy(sample.args)], side.copy(sample.kwargs)
    outputs = [t for t in flat(form(library)(*arguments, **options), library.Tensor) if t.requires_grad]
    outputs = [t for t in outputs if t.numel()]
    if outputs:
        library.autograd.backward(outputs, [library.ones_like(t) for t in outputs])
    places = {id(t): i for i, t in enumerate(side.tensors)}
    senders: list[set[str]] = [set() for _ in places]
    todo, seen = [t.grad_fn for t in outputs], set()
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for before, _ in node.next_functions:
            if before is not None and id(getattr(before, "variable", None)) in places:
                senders[places[id(before.variable)]].add(node.name())
        todo += [before for before, _ in node.next_functions]
    return [None if t.grad is None else t.grad._version for t in side.tensors], senders


@pytest.mark.one_in(8)
@pytest.mark.parametrize("part", range(8))
def test_gradients_of_all_operations_have_pytorchs_versions(part: int) -> None:
    """Of several senders one sum is made, whose order two libraries may choose differently: those are compared in the tests below."""
    compared, different = 0, []
    for info in op_db[part::8]:
        names = names_of(info)
        if (
            not names
            or not info.supports_autograd
            or torch.float64 not in info.supported_backward_dtypes("cpu")
        ):
            continue
        torch.manual_seed(7)
        samples = info.sample_inputs("cpu", torch.float64, requires_grad=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for sample, _ in zip(samples, range(SAMPLES), strict=False):
                form = forms(sample, names[0], info.formatted_name)[0][1]
                try:
                    theirs, senders = versions(torch, sample, form)
                    ours, _ = versions(jgrad, sample, form)
                except (Unsupported, NotImplementedError, RuntimeError, TypeError, ValueError):
                    continue  # what is refused is compared elsewhere
                for a, b, sent_by in zip(theirs, ours, senders, strict=True):
                    name = next(iter(sent_by)) if len(sent_by) == 1 else ""
                    if (
                        a is None
                        or b is None
                        or not name
                        or name in OTHERWISE
                        or name.endswith("_copy")
                        or name.startswith("Generated")
                    ):
                        continue
                    compared += 1
                    if a != b:
                        different.append(f"{info.formatted_name} ({name}): {b}, PyTorch {a}")
    assert compared > 100
    assert different == []


PROGRAMS = {
    "two uses": "(w * w).sum().backward()",
    "three uses": "(w * 2 + w * 3 + w * 4).sum().backward()",
    "one gradient for both": "(w + w).sum().backward()",
    "the same in one place": "((w + 1) + (w + 2)).exp().sum().backward()",
    "twice": "(w * 2).sum().backward(); (w * 2).sum().backward()",
    "a scalar": "w = torch.tensor(2.0, requires_grad=True); (w * w + w * 3).backward()",
    "a computed tensor that retains its gradient": "y = w * 1; y.retain_grad(); (y * 2 + y * 3 + y * 4).sum().backward(); w = y",
    "a write to a clone": "c = w.clone(); c[0] = 10; (c * 2).sum().backward(); (w ** 2).sum().backward()",
    "a write to a view": "c = w.clone(); c[1:].mul_(2); (c * c).sum().backward()",
    "rows": "(w[torch.tensor([0, 0])] * 2).sum().backward()",
    "parts": "(w[1:] - w[:-1]).exp().sum().backward()",
    "a product of itself": "w = torch.ones(3, 3, requires_grad=True); w.mm(w).sum().backward()",
    "a hook that keeps": "kept = []; y = w * 2; y.register_hook(kept.append); (y * 2 + y * 3).sum().backward()",
    "grad()": "(g,) = torch.autograd.grad((w * 2 + w * 3).sum(), w); w.grad = g",
    "a leaf's hook sees": "w.register_hook(lambda g: seen.append(g._version)); (w * w).sum().backward()",
    "no graph": "w.sum().backward(); w.sum().backward(create_graph=True)",
}  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("program", PROGRAMS)
def test_versions_of_sums(program: str) -> None:
    found = []
    for library in (torch, jgrad):
        w = library.tensor([1.0, 2.0, 3.0], requires_grad=True)
        variables: dict[str, Any] = {"torch": library, "w": w, "seen": []}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(PROGRAMS[program], variables)
        found.append((variables["w"].grad._version, variables["seen"]))
    assert found[1] == found[0]


@pytest.mark.quick
def test_a_sum_in_place_changes_no_gradient_that_somebody_has() -> None:
    for library in (torch, jgrad):
        w = library.ones(3, requires_grad=True)
        kept: list[Any] = []
        y, z = w * 2, w * 3
        y.register_hook(kept.append)
        z.register_hook(kept.append)
        (y * 2 + z * 4 + w).sum().backward()
        assert [k.tolist() for k in kept] == [[4.0] * 3, [2.0] * 3]
        assert w.grad.tolist() == [17.0] * 3


@pytest.mark.quick
def test_counts_are_forgotten_with_their_arrays() -> None:
    before = dict(written._writes)
    w = jgrad.ones(3, requires_grad=True)
    (w * w + w[jgrad.tensor([0, 0])].sum()).sum().backward()
    assert len(written._writes) > len(before)
    del w
    assert written._writes == before
