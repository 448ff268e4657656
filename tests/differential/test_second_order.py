"""The graph that `create_graph=True` records has PyTorch's nodes: of each operation, the names of all nodes behind its gradients.

`second_order.json` lists the operations whose nodes differ, by the reason. It may only shrink: `python -m tests.differential.test_second_order` takes out those that do
not differ any more.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import jgrad
from jgrad.dispatch import TABLE, arithmetic

torch = pytest.importorskip("torch")

from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

from tests.differential.test_operations import Comparison, forms, names_of, samples_of  # noqa: E402
from tests.differential.twins import Unsupported  # noqa: E402

LISTED = Path(__file__).parent / "second_order.json"
OPERATIONS = {
    info.formatted_name: info
    for info in op_db
    if names_of(info) and info.supports_autograd and torch.float64 in info.supported_dtypes("cpu")
}


def nodes_behind(gradients: Any) -> Counter[str]:
    """The names of the nodes in the graph of some gradients, and how many of each there are."""
    names: Counter[str] = Counter()
    todo = [g.grad_fn for g in gradients if g is not None and g.grad_fn is not None]
    met = {}  # (holds the nodes of PyTorch, which are made anew for each look)
    while todo:
        node = todo.pop()
        if node in met:
            continue
        met[node] = True
        names[node.name()] += 1
        todo += [edge for edge, _ in node.next_functions if edge is not None]
    return names


def differences(info: Any) -> list[tuple[Counter[str], Counter[str]]]:
    """Of the first samples of an operation: the nodes of jgrad, and those of PyTorch, where they differ."""
    found = []
    name = names_of(info)[0]
    for sample in samples_of(info, torch.float64, 2)[:2]:
        try:
            comparison = Comparison(sample, name, "function", forms(sample, name, info.formatted_name)[0][1])
        except Unsupported:
            continue
        both = []
        for side, outputs, error in zip(comparison.sides, comparison.outputs, comparison.errors, strict=True):
            roots = [t for t in outputs if t.requires_grad]
            leaves = [t for t in side.tensors if t.requires_grad]
            if error is not None or not roots or not leaves:
                break
            seeds = [side.module.ones_like(t).detach().requires_grad_() for t in roots]
            options = {"allow_unused": True, "create_graph": True}
            try:
                both.append(nodes_behind(side.module.autograd.grad(roots, leaves, seeds, **options)))
            except (RuntimeError, NotImplementedError):  # no second derivative
                break
        if len(both) == 2 and both[0] != both[1]:
            found.append((both[0] - both[1], both[1] - both[0]))
    return found


@pytest.mark.one_in(18)
@pytest.mark.parametrize("name", OPERATIONS)
def test_nodes_of_gradients(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = differences(OPERATIONS[name])
    listed = json.loads(LISTED.read_text())
    assert not found or any(name in names for names in listed.values()), f"jgrad instead of PyTorch: {found}"


def test_the_source_of_each_formula_is_found() -> None:
    """Its tree compiles to the code that it has."""
    for operator in TABLE.values():
        for overload in operator.overloads:
            for formula in getattr(overload, "formulas", {}).values():
                tree = arithmetic.tree_of(formula)
                code = arithmetic.code_in(compile(tree, "", "exec"))
                assert (code.co_code, code.co_names) == (formula.__code__.co_code, formula.__code__.co_names)


def test_without_source_a_formula_stays_as_it_is() -> None:
    made: dict[str, Any] = {}
    exec("formula = lambda grad: grad * 2", made)
    formula = made["formula"]
    formula.__module__ = (
        "jgrad.ops.of_no_chapter"  # (The names that rewritten formulas see are kept by module.)
    )
    g = jgrad.ones(2, requires_grad=True)
    assert arithmetic.of_tensors(formula)(g).grad_fn.name() == "MulBackward0"


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reasons = json.loads(LISTED.read_text())
        for reason, names in reasons.items():
            reasons[reason] = [name for name in names if differences(OPERATIONS[name])]
        LISTED.write_text(json.dumps(reasons, indent=1) + "\n")
