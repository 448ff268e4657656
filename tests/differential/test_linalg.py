"""Linear algebra in the variants that PyTorch's samples leave out: sides, triangles, drivers, orders, tall and wide, with their derivatives."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402

pytestmark = pytest.mark.quick

# An expression and the shapes of x, y, z. A letter before a shape: R regular, P positive-definite, without one anything.
# "*" stands for a batch, which is nothing or 2.
EXPRESSIONS = """
L.solve(x, y) | R*33 32 ; R*33 *3 ; R*33 3 ; R33 *32
L.solve(x, y, left=False) | R*33 *23
L.lstsq(x, y, driver="gelsd").solution | *53 *52
L.lstsq(x, y).solution | *35 *32 ; *53 *5
L.lstsq(x, y, driver="gelss").residuals | *53 *52
L.lstsq(x, y, driver="gels")[:2] | *53 *52
L.solve_triangular(x, y, upper=True) | R*33 32
L.solve_triangular(x, y, upper=False) | R*33 32
L.solve_triangular(x, y, upper=True, left=False, unitriangular=True) | R*33 *23
L.solve_triangular(x, y, upper=False, left=False, unitriangular=True) | R*33 *23
lib.triangular_solve(y, x, upper=True, transpose=True) | R*33 *32
lib.triangular_solve(y, x, upper=False, transpose=True, unitriangular=True) | R*33 32
lib.cholesky_solve(y, x) | P*33 32
lib.cholesky_solve(y, x, upper=True) | P*33 *32
lib.cholesky_inverse(x, upper=True) | P*33
L.cholesky(x, upper=True) | P*33
L.lu_solve(*L.lu_factor(x), y, adjoint=True) | R*33 32
L.lu_solve(*L.lu_factor(x), y, left=False) | R*33 *23
L.lu_solve(*L.lu_factor(x), y, left=False, adjoint=True) | R*33 *23
L.lu(x)[1:] | *35 ; *53
L.lu(x)[1] | *35 ; *53
L.lu(x)[2] | *35 ; *53
lib.lu_unpack(*L.lu_factor(x))[1:] | *35 ; *53
L.inv(x) | R*33
L.pinv(x) | *43 ; *34
L.pinv(x, hermitian=True) | P*33
L.det(x) | R*33
lib.slogdet(x) | R*33
L.matrix_exp(x) | *33
L.matrix_power(x, -3) | R*33
L.qr(x) | *53 ; *35
L.qr(x, "complete") | *35
L.qr(x)[0] | *35
L.qr(x)[1] | *53
L.svdvals(x) | *43
sizes(L.svd(x, full_matrices=False)) | *43 ; *34
L.svd(x, full_matrices=False)[0].abs() | *43
L.svd(x, full_matrices=False)[2].abs() | *43 ; *23
lib.svd(x)[2].abs() | *43
sizes(L.eigh(x)) | P*33
L.eigh(x, UPLO="U")[1].abs() | P*33
L.eigvals(x) | *33
sizes(L.eig(x)) | *33
L.eig(x)[1].abs() | *33
L.householder_product(x, y) | *53 *3 ; *53 *2
lib.ormqr(x, y, z) | *53 *3 *52
lib.ormqr(x, y, z, transpose=True) | *53 *3 *52
lib.ormqr(x, y, z, False) | *53 *3 *25
lib.ormqr(x, y, z, False, True) | *53 *3 *25
L.tensorsolve(x, y, dims=(0,)) | 422 22
L.cond(x) | R*33
L.cond(x, "nuc") | R*33
L.matrix_norm(x, "nuc", dim=(0, -1), keepdim=True) | 243
L.matrix_norm(x, -2, dim=(-1, 0)) | 243
L.norm(x, 2, dim=(2, 0)) | 243
L.multi_dot([x, y, z]) | 34 42 2
lib.addmm(z, x, y, beta=0.5, alpha=2.0) | 34 42 2
lib.addmv(z, x, y, beta=0.5, alpha=2.0) | 34 4 3
lib.addr(z, x, y, beta=0.5, alpha=2.0) | 3 4 34
lib.baddbmm(z, x, y, beta=0.5, alpha=2.0) | 534 542 32
lib.addbmm(z, x, y, beta=0.5, alpha=2.0) | 534 542 32
"""

CASES = [
    pytest.param(
        expression.strip(), variant.split(), batch, id=f"{expression.strip()}-{variant.strip()}-{batch}"
    )
    for line in EXPRESSIONS.strip().splitlines()
    for expression, _, variants in [line.partition("|")]
    for variant in variants.split(";")
    for batch in (("", "2") if "*" in variant else ("",))
]


def array(shape: str, batch: str, is_complex: bool, random: np.random.Generator) -> np.ndarray:
    sizes = tuple(map(int, re.sub("[RP]", "", shape).replace("*", batch)))
    a = random.standard_normal(sizes)
    if is_complex:
        a = a + 1j * random.standard_normal(sizes)
    if shape[0] == "P":
        a = a @ np.conj(np.swapaxes(a, -1, -2)) + 3 * np.eye(sizes[-1])
    return a + 4 * np.eye(sizes[-1]) if shape[0] == "R" else a


def derivatives(library: Any, expression: str, arrays: list[np.ndarray]) -> list[Any]:
    """Results, gradients of both backward passes, second derivatives."""
    leaves = [library.tensor(a, dtype=getattr(library, str(a.dtype)), requires_grad=True) for a in arrays]
    names = {"lib": library, "L": library.linalg, "sizes": lambda results: [t.abs() for t in results]}
    result = eval(expression, names | dict(zip("xyz", leaves, strict=False)))
    outputs = [t for t in (result if isinstance(result, (tuple, list)) else [result]) if t.requires_grad]
    random = np.random.default_rng(1)

    def seed(t: Any) -> Any:
        values = random.standard_normal(tuple(t.shape))
        if t.is_complex():
            values = values + 1j * random.standard_normal(tuple(t.shape))
        return library.tensor(values, dtype=t.dtype)

    seeds = [seed(t) for t in outputs]
    grad = library.autograd.grad
    recorded = grad(outputs, leaves, seeds, create_graph=True, allow_unused=True)
    plain = grad(outputs, leaves, seeds, retain_graph=True, allow_unused=True)
    again = [g for g in recorded if g is not None and g.requires_grad]
    second = grad(again, leaves, [seed(g) for g in again], allow_unused=True) if again else ()
    return [*outputs, *recorded, *plain, *second]


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize(("expression", "shapes", "batch"), CASES)
def test_variant(expression: str, shapes: list[str], batch: str, dtype: str) -> None:
    random = np.random.default_rng(0)
    arrays = [array(shape, batch, dtype == "complex128", random) for shape in shapes]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = (derivatives(library, expression, arrays) for library in (jgrad, torch))
    for mine, its in zip(ours, theirs, strict=True):
        assert (mine is None) == (its is None)
        if mine is not None:
            a, b = mine.detach()._a, its.detach().resolve_conj().resolve_neg().clone().numpy()
            assert a.shape == b.shape
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6 * np.abs(b).max(initial=1))
