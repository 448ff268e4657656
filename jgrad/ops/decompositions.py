"""Factorizations of matrices, and what is solved and computed by them: `jgrad.linalg`.

Everything works on batches: the matrices are the last two dimensions. A gradient is written for the complex case; for real numbers the
adjoint is the transposed. The derivatives are those of the matrix calculus of M. B. Giles (2008) and of S. F. Walter and L. Lehmann (2018).
"""

from __future__ import annotations

from typing import Any

from jgrad import warn
from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.batched import whole_array
from jgrad.dispatch.options import INTERNAL, LAPACK, LINALG, Options
from jgrad.kernels import libraries
from jgrad.kernels.numpy.factorizations import raise_info
from jgrad.ops.by_name import cat, conj, matmul, slice_backward, squeeze_dim, transpose, tril, triu, unsqueeze
from jgrad.ops.creation import zeros_like
from jgrad.ops.linalg import adjoint_of
from jgrad.tensor import Tensor, wrap

OLD: Options = {"forms": "function method out", "out_layout": "result"}  # outside of the namespace


def unit_matrix(like: Tensor) -> Tensor:
    """Ones on the diagonal, as large as the matrices of `like`."""
    return wrap(libraries.of(like._a).kernels.unit_matrix(like._a))


# ----- Triangular systems -----


@op(
    "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor",
    out_dtype="expected scalar type {result} but found {out}",
    batches="leading",
    **LAPACK,
)
class linalg_solve_triangular:
    """The solution X of the linear system A X = B for a triangular matrix A. Only that triangle of A is read."""

    self = B = lambda grad, self, result, upper, left, unitriangular, output_mask: triangular_backward(
        grad, self, result, upper, left, unitriangular
    )


@formula
def triangular_backward(grad: Any, a: Any, x: Any, upper: bool, left: bool, unit: bool) -> tuple:
    """Of a triangular system: the gradients of A and B."""
    grad_b = linalg_solve_triangular(adjoint_of(a), grad, upper=not upper, left=left, unitriangular=unit)
    grad_a = matmul(-grad_b, adjoint_of(x)) if left else matmul(-adjoint_of(x), grad_b)
    return triu(grad_a, int(unit)) if upper else tril(grad_a, -int(unit)), grad_b


@op(
    "_triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False)"
    " -> (Tensor solution, Tensor cloned_coefficient)",
    kernel="triangular_solve",
    node="TriangularSolveBackward0",
    **INTERNAL,
)
class _triangular_solve:
    """X of A X = B for a triangular A, and a copy of A."""

    self = A = lambda grads, A, solution, upper, transpose, unitriangular, output_mask: (
        triangular_solve_backward(grads[0], grads[1], A, solution, upper, transpose, unitriangular)
    )


@formula
def triangular_solve_backward(
    grad: Any, grad_copy: Any, a: Any, x: Any, upper: bool, transposed: bool, unit: bool
) -> tuple:
    grad_b, grad_a = None, grad_copy
    if grad is not None:
        matrix = transpose(a, -2, -1) if transposed else a
        turned, grad_b = triangular_backward(grad, matrix, x, upper != transposed, True, unit)
        grad_a = transpose(turned, -2, -1) if transposed else turned
        if grad_copy is not None:
            grad_a = grad_a + grad_copy
    return grad_b, grad_a


# ----- LU -----


@op("linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)", batches="leading",
    **LAPACK)  # fmt: skip
class linalg_lu_factor_ex:
    """The LU factorization A = P L U of matrices, in a compact form. It does not stop at a matrix where the factorization breaks down."""

    A = lambda grad, LU, pivots: lu_factor_backward(grad, LU, pivots)


@composite(
    "linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)",
    out_name="linalg_lu_factor_ex",
    **LAPACK,
)
def linalg_lu_factor(A: Tensor, pivot: bool = True) -> tuple:
    """The LU factorization A = P L U of matrices, in a compact form: L and U are stored in one matrix, P as exchanges of rows."""
    factors, pivots, info = linalg_lu_factor_ex(A, pivot=pivot)
    raise_info(whole_array(info), "torch.linalg.lu_factor", "lu_factor")
    return factors, pivots


# PyTorch counts only the results that have a derivative: L and U are the outputs 0 and 1 of their node, and P comes last here.


@op(
    "_linalg_lu(Tensor A, bool pivot=True) -> (Tensor L, Tensor U, Tensor P)",
    constant="P",
    kernel="lu_parts",
    node="LinalgLuBackward0",
    **INTERNAL,
)
class _linalg_lu:
    """L, U and P of A = P L U."""

    A = lambda grads, L, U, P: lu_backward(grads[0], grads[1], P, L, U)


@composite("linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)", **LAPACK)
def linalg_lu(A: Tensor, pivot: bool = True) -> tuple:
    """The LU factorization A = P L U of matrices: P is a permutation of the rows, L is lower triangular, U is upper triangular."""
    lower, upper, permutation = _linalg_lu(A, pivot)
    return permutation, lower, upper


@op(
    "_lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor L, Tensor U, Tensor P)",
    constant="P",
    kernel="lu_parts_of",
    node="LuUnpackBackward0",
    **INTERNAL,
)
class _lu_unpack:
    """L, U and P from what `lu_factor` gave."""

    LU_data = lambda grads, LU_data_shape: lu_unpack_backward(grads[0], grads[1], LU_data_shape)


@composite(
    "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
    forms="function out",
)
def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple:
    """The matrices P, L and U from the compact form that `linalg.lu_factor` returns."""
    lower, upper, permutation = _lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots)
    return permutation, lower, upper


@formula
def lu_unpack_backward(grad_l: Any, grad_u: Any, shape: tuple) -> Any:
    """The gradients of L below the diagonal and of U on and above it, in one matrix."""
    below = None if grad_l is None else padded(tril(grad_l, -1), shape)
    above = None if grad_u is None else padded(triu(grad_u), shape)
    if below is None or above is None:
        return above if below is None else below
    return below + above


@formula
def padded(a: Any, shape: tuple) -> Any:
    """Matrices with zeros to the right and below, up to a shape."""
    rows = slice_backward(a, (*a.shape[:-1], shape[-1]), len(shape) - 1, 0, a.shape[-1], 1)
    return slice_backward(rows, shape, len(shape) - 2, 0, a.shape[-2], 1)


@formula
def lu_factor_backward(grad: Any, factors: Any, pivots: Any) -> Any:
    permutation, lower, upper = lu_unpack(factors, pivots)
    k = lower.shape[-1]
    return lu_backward(grad[..., :k], grad[..., :k, :], permutation, lower, upper)


@formula
def lu_backward(grad_l: Any, grad_u: Any, permutation: Any, lower: Any, upper: Any) -> Any:
    """Of the square part L1 U1: L1^-H (tril(L1^H gL1) + triu(gU1 U1^H)) U1^-H; the rest of a longer side goes through the other factor."""
    k = lower.shape[-1]
    lower1, upper1 = lower[..., :k, :], upper[..., :k]
    middle = None
    if grad_l is not None:
        strict = tril(grad_l, -1)
        middle = tril(matmul(adjoint_of(lower1), strict[..., :k, :]), -1)
        if lower.shape[-2] > k:
            middle = middle - triu(matmul(adjoint_of(lower[..., k:, :]), strict[..., k:, :]))
    if grad_u is not None:
        kept = triu(grad_u)
        from_u = triu(matmul(kept[..., :k], adjoint_of(upper1)))
        if upper.shape[-1] > k:
            from_u = from_u - tril(matmul(kept[..., k:], adjoint_of(upper[..., k:])), -1)
        middle = from_u if middle is None else middle + from_u
    result = linalg_solve_triangular(adjoint_of(upper1), middle, upper=False, left=False)
    result = linalg_solve_triangular(adjoint_of(lower1), result, upper=True, unitriangular=True)
    if lower.shape[-2] > k:
        below = zeros_like(lower[..., k:, :]) if grad_l is None else strict[..., k:, :]
        below = linalg_solve_triangular(adjoint_of(upper1), below, upper=False, left=False)
        result = cat([result, below], -2)
    elif upper.shape[-1] > k:
        right = zeros_like(upper[..., k:]) if grad_u is None else kept[..., k:]
        right = linalg_solve_triangular(adjoint_of(lower1), right, upper=True, unitriangular=True)
        result = cat([result, right], -1)
    return matmul(permutation, result)


@op(
    "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor",
    batches="leading",
    **LAPACK,
)
class linalg_lu_solve:
    """The solution X of the linear system A X = B, from the LU factorization of A. One factorization serves many systems."""

    LU = lambda grad, LU, pivots, result, left, adjoint: lu_solve_backward(grad, LU, pivots, result, left, adjoint)  # fmt: skip
    B = lambda grad, LU, pivots, left, adjoint: linalg_lu_solve(
        LU, pivots, grad, left=left, adjoint=not adjoint
    )


@formula
def lu_solve_backward(grad: Any, factors: Any, pivots: Any, x: Any, left: bool, adjoint: bool) -> Any:
    """The gradient of A, then of its factors."""
    grad_b = linalg_lu_solve(factors, pivots, grad, left=left, adjoint=not adjoint)
    grad_a = matmul(-grad_b, adjoint_of(x)) if left else matmul(-adjoint_of(x), grad_b)
    if adjoint:
        grad_a = adjoint_of(grad_a)
    permutation, lower, upper = lu_unpack(factors, pivots)
    turned = matmul(adjoint_of(permutation), grad_a)
    return tril(matmul(turned, adjoint_of(upper)), -1) + triu(matmul(adjoint_of(lower), turned))


# ----- Linear systems and inverses -----


@op(
    "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)",
    out_name="_linalg_solve_ex",
    batches="leading",
    **LAPACK,
)
class linalg_solve_ex:
    """The solution X of the linear system A X = B. It does not stop at a singular matrix."""

    A = B = lambda grad, A, result, B_shape, left, output_mask: solve_backward(
        grad, A, result, B_shape, left, output_mask
    )


@formula
def solve_backward(grad: Any, a: Any, x: Any, b_shape: tuple, left: bool, output_mask: tuple) -> tuple:
    vector = len(b_shape) == 1 or (len(b_shape) == a.ndim - 1 and b_shape == a.shape[:-1])
    if vector:
        grad, x = unsqueeze(grad, -1), unsqueeze(x, -1)
    grad_b = linalg_solve_ex(adjoint_of(a), grad, left=left)[0]
    grad_a = None
    if output_mask[0]:
        grad_a = matmul(-grad_b, adjoint_of(x)) if left else matmul(-adjoint_of(x), grad_b)
    return grad_a, squeeze_dim(grad_b, -1) if vector else grad_b


@composite(
    "linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", out_name="_linalg_solve_ex", **LAPACK
)
def linalg_solve(A: Tensor, B: Tensor, left: bool = True) -> Tensor:
    """The solution X of the linear system A X = B, where every matrix A is square and has an inverse."""
    result, info = linalg_solve_ex(A, B, left=left)
    raise_info(whole_array(info), "torch.linalg.solve", "solve")
    return result


@op(
    "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
    batches="leading",
    **LAPACK,
)
class linalg_inv_ex:
    """The inverse of matrices. It does not stop at a singular matrix."""

    A = lambda grad, inverse: matmul(-adjoint_of(inverse), matmul(grad, adjoint_of(inverse)))


@composite("linalg_inv(Tensor A) -> Tensor", out_name="linalg_inv_ex", **LAPACK)
def linalg_inv(A: Tensor) -> Tensor:
    """The inverse of matrices. To solve a linear system, `linalg.solve` is faster and more exact."""
    result, info = linalg_inv_ex(A)
    raise_info(whole_array(info), "linalg.inv", "inverse")
    return result


@composite("inverse(Tensor self) -> Tensor", out_name="linalg_inv_ex", forms="function method out")
def inverse(input: Tensor) -> Tensor:
    """The inverse of matrices. It is `linalg.inv`."""
    return linalg_inv(input)


# ----- Cholesky -----


@op(
    "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)",
    batches="leading",
    **LAPACK,
)
class linalg_cholesky_ex:
    """The Cholesky factorization A = L L^H of positive-definite matrices. It does not stop at a matrix that is not positive-definite."""

    self = lambda grad, upper, L: cholesky_backward(grad, upper, L)


@composite(
    "linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", out_name="linalg_cholesky_ex", **LAPACK
)
def linalg_cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """The Cholesky factorization A = L L^H of positive-definite matrices, where L is lower triangular."""
    factor, info = linalg_cholesky_ex(input, upper=upper)
    raise_info(whole_array(info), "linalg.cholesky", "cholesky")
    return factor


@op(
    "_cholesky(Tensor self, bool upper=False) -> Tensor",
    kernel="cholesky",
    node="CholeskyBackward0",
    **INTERNAL,
)
class _cholesky:
    """The older Cholesky factorization."""

    self = lambda grad, upper, result: cholesky_backward(grad, upper, result)


@composite(
    "cholesky(Tensor self, bool upper=False) -> Tensor",
    forms="function method out",
    out_dtype="castable cholesky",
)
def cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """The Cholesky factorization A = L L^H of positive-definite matrices. Use `linalg.cholesky` in new code."""
    warn.once(
        "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a future PyTorch release.\n"
        "L = torch.cholesky(A)\nshould be replaced with\nL = torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\n"
        "should be replaced with\nU = torch.linalg.cholesky(A).mH\n"
        "This transform will produce equivalent results for all valid (symmetric positive definite) inputs.",
    )
    return _cholesky(input, upper)


@formula
def cholesky_backward(grad: Any, upper: bool, factor: Any) -> Any:
    """L^-H sym(L^H gL) L^-1 / 2, where sym mirrors the lower triangle."""
    lower = adjoint_of(factor) if upper else factor
    product = matmul(adjoint_of(lower), adjoint_of(grad) if upper else grad)
    middle = (tril(product) + adjoint_of(tril(product, -1))) * 0.5
    result = linalg_solve_triangular(adjoint_of(lower), middle, upper=True)
    return linalg_solve_triangular(lower, result, upper=False, left=False)


@op(
    "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
    forms="function method out",
    out_dtype="castable cholesky_solve",
    batches="leading",
)
class cholesky_solve:
    """The solution X of the linear system A X = B, from the Cholesky factor of A."""

    self = input2 = lambda grad, self, input2, result, upper, output_mask: cholesky_solve_backward(
        grad, input2, result, upper
    )


@formula
def cholesky_solve_backward(grad: Any, factor: Any, x: Any, upper: bool) -> tuple:
    grad_b = cholesky_solve(grad, factor, upper)
    grad_a = matmul(grad_b, adjoint_of(x))
    grad_a = -(grad_a + adjoint_of(grad_a))
    return grad_b, matmul(factor, grad_a) if upper else matmul(grad_a, factor)


@op(
    "cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
    forms="function method out",
    out_layout="empty",
    out_dtype="castable cholesky_inverse",
    batches="leading",
)
class cholesky_inverse:
    """The inverse of A, from the Cholesky factor of A."""

    self = lambda grad, self, result, upper: cholesky_inverse_backward(grad, self, result, upper)


@formula
def cholesky_inverse_backward(grad: Any, factor: Any, inverse: Any, upper: bool) -> Any:
    grad_a = -matmul(inverse, matmul(grad + adjoint_of(grad), inverse))
    return matmul(factor, grad_a) if upper else matmul(grad_a, factor)


# ----- QR -----


@op("linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)", batches="leading", **LAPACK)
class linalg_qr:
    """The QR factorization A = Q R of matrices: the columns of Q are orthogonal and have length 1, R is upper triangular."""

    A = lambda grads, Q, R, mode: qr_backward(grads[0], grads[1], Q, R, mode)


@composite("qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)", out_name="linalg_qr", **OLD)
def qr(input: Tensor, some: bool = True) -> tuple:
    """The QR factorization A = Q R of matrices: the columns of Q are orthogonal, R is upper triangular. Use `linalg.qr` in new code."""
    warn.once(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\n"
        "The boolean parameter 'some' has been replaced with a string parameter 'mode'.\nQ, R = torch.qr(A, some)\n"
        "should be replaced with\nQ, R = torch.linalg.qr(A, 'reduced' if some else 'complete')",
    )
    return tuple(linalg_qr(input, "reduced" if some else "complete"))


@formula
def qr_backward(grad_q: Any, grad_r: Any, q: Any, r: Any, mode: str) -> Any:
    """(gQ + Q sym(R gR^H - gQ^H Q)) R^-H, where sym mirrors the lower triangle; columns of A beyond its rows follow from Q."""
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, mode='reduced') if you "
            "are going to differentiate through linalg.qr."
        )
    m, k = q.shape[-2], r.shape[-1]
    if mode == "complete" and m > k:
        raise RuntimeError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
        )
    wide = m < k
    square, grad_square = r, grad_r
    if wide:
        square = r[..., :m]
        if grad_r is not None:
            rest = matmul(q, matmul(r[..., m:], adjoint_of(grad_r[..., m:])))
            grad_q = rest if grad_q is None else grad_q + rest
            grad_square = grad_r[..., :m]
    middle = None
    if grad_square is not None:
        middle = matmul(square, adjoint_of(grad_square))
    if grad_q is not None:
        from_q = matmul(adjoint_of(grad_q), q)
        middle = -from_q if middle is None else middle - from_q
    middle = tril(middle, -1) + tril(middle)  # twice what is below, once the diagonal
    result = matmul(q, (middle + adjoint_of(middle)) / 2)
    if grad_q is not None:
        result = result + grad_q
    result = linalg_solve_triangular(adjoint_of(square), result, upper=False, left=False)
    if wide:
        right = zeros_like(r[..., m:]) if grad_r is None else matmul(q, grad_r[..., m:])
        result = cat([result, right], -1)
    return result


@op(
    "linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
    out_layout="empty",
    out_dtype="castable torch.linalg.householder_product",
    batches="leading",
    **LINALG,
)
class linalg_householder_product:
    """The first n columns of a product of reflections, for instance the Q that `geqrf` describes."""

    input = tau = lambda grad, input, tau, output_mask: householder_backward(grad, input, tau)


@composite(
    "orgqr(Tensor self, Tensor input2) -> Tensor",
    forms="function method out",
    out_dtype="castable torch.linalg.householder_product",
    out_layout="empty",
)
def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """The first n columns of a product of reflections. It is another name of `linalg.householder_product`."""
    return linalg_householder_product(input, input2)


@formula
def householder_backward(grad: Any, a: Any, tau: Any) -> tuple:
    if 0 in tau.shape:
        return None, None
    return reflections_backward(grad, a, tau, leading_columns(a), False)[:2]


@formula
def reflections_backward(grad: Any, a: Any, tau: Any, other: Any, adjoint: bool) -> tuple:
    """Of Q C or Q^H C: the gradients of the vectors of the reflections, of their factors, and of C; from the one applied last."""
    n, k = a.shape[-1], tau.shape[-1]
    order = list(range(k))[::-1] if adjoint else list(range(k))
    vectors, factors = [], []
    for i in order:
        v = a[..., i + 1 :, i : i + 1]
        vectors.append(cat([zeros_like(a[..., :i, :1]), zeros_like(a[..., i : i + 1, :1]) + 1, v], -2))
        factor = unsqueeze(tau[..., i : i + 1], -1)
        factors.append(conj(factor) if adjoint else factor)
    partial = [other]
    for j in range(k - 1, 0, -1):
        v, x = vectors[j], partial[-1]
        partial.append(x - matmul(v, matmul(adjoint_of(v), x)) * factors[j])
    columns, grad_tau = [None] * k, [None] * k
    for j in range(k):
        i, v, x, t = order[j], vectors[j], partial[k - 1 - j], factors[j]
        vx, vg = matmul(adjoint_of(v), x), matmul(adjoint_of(v), grad)
        along = -matmul(vg, adjoint_of(vx))
        grad_tau[i] = conj(along) if adjoint else along
        column = -matmul(grad, adjoint_of(vx)) * conj(t) - matmul(x, adjoint_of(vg)) * t
        columns[i] = cat([zeros_like(column[..., : i + 1, :]), column[..., i + 1 :, :]], -2)
        grad = grad - matmul(v, vg) * conj(t)
    if n > k:
        columns.append(zeros_like(a[..., k:]))
    total = cat(grad_tau, -2)
    return cat(columns, -1), total.reshape(total.shape[:-1]), grad


@formula
def leading_columns(a: Any) -> Any:
    """The first columns of a unit matrix, as many as `a` has."""
    return zeros_like(a) + padded(unit_matrix(a), (a.shape[-2], a.shape[-1]))


@op("ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor",
    forms="function method out", out_layout="empty",
    out_dtype="torch.ormqr: Expected input and result to have the same dtype, but input has dtype{result} and result has dtype {out}")  # fmt: skip
class ormqr:
    """The product of a matrix and Q, where Q is the square product of reflections that `geqrf` describes. Q itself is not made."""

    self = input2 = input3 = lambda grad, self, input2, input3, left, transpose, output_mask: ormqr_backward(
        grad, self, input2, input3, left, transpose
    )


@formula
def ormqr_backward(grad: Any, a: Any, tau: Any, other: Any, left: bool, adjoint: bool) -> tuple:
    """What is multiplied from the right is the adjoint of what is multiplied from the left."""
    if 0 in tau.shape:
        return None, None, grad
    if left:
        return reflections_backward(grad, a, tau, other, adjoint)
    grad_a, grad_tau, turned = reflections_backward(adjoint_of(grad), a, tau, adjoint_of(other), not adjoint)
    return grad_a, grad_tau, adjoint_of(turned)


@op("_geqrf(Tensor self) -> (Tensor a, Tensor tau)", kernel="geqrf", node="GeqrfBackward0", **INTERNAL)
class _geqrf:
    """The reflections whose product is Q, and R, in one matrix."""

    self = lambda grads: not_implemented("geqrf")


@composite(
    "geqrf(Tensor self) -> (Tensor a, Tensor tau)",
    forms="function method out",
    out_layout="empty",
    out_dtype="castable torch.geqrf",
)
def geqrf(input: Tensor) -> tuple:
    """The QR factorization of matrices in a compact form. `linalg.qr` gives Q and R as matrices of their own."""
    return tuple(_geqrf(input))


@formula
def not_implemented(name: str) -> Any:
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


# ----- Symmetric matrices that are not positive-definite -----


@op("linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)",
    undifferentiable=True, **LAPACK)  # fmt: skip
class linalg_ldl_factor_ex:
    """The factorization A = L D L^T of symmetric matrices, which need not be positive-definite. It does not stop at a zero block in D."""


@composite("linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)", **LAPACK)
def linalg_ldl_factor(input: Tensor, hermitian: bool = False) -> tuple:
    """The factorization A = L D L^T of symmetric matrices, which need not be positive-definite. L is lower triangular;
    D has blocks of one or two rows on its diagonal."""
    factors, pivots, info = linalg_ldl_factor_ex(input, hermitian=hermitian)
    blocks = whole_array(info)
    if blocks.any().item():
        number = blocks.max().item()
        raise RuntimeError(f"torch.linalg.ldl_factor: block {number} of D is zero (error code: {number})")
    return factors, pivots


@op("linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor", undifferentiable=True,
    **LAPACK)  # fmt: skip
class linalg_ldl_solve:
    """The solution X of the linear system A X = B, from the factorization of A that `linalg.ldl_factor` returns."""


# ----- Older names, which PyTorch warns of -----


@composite(
    "triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False)"
    " -> (Tensor solution, Tensor cloned_coefficient)",
    **OLD,
)
def triangular_solve(
    input: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple:
    """The solution X of the linear system A X = B for a triangular matrix A. Use `linalg.solve_triangular` in new code, which takes A first."""
    warn.once(
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be removed in a future PyTorch release.\n"
        "torch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the inputs.\n"
        "X = torch.triangular_solve(B, A).solution\nshould be replaced with\nX = torch.linalg.solve_triangular(A, B).",
    )
    return tuple(_triangular_solve(input, A, upper, transpose, unitriangular))


@composite("lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", **OLD)
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """The solution X of the linear system A X = B, from the LU factorization of A. Use `linalg.lu_solve` in new code, which takes B last."""
    warn.once(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch release.\n"
        "Note that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\n"
        "should be replaced with\nX = torch.linalg.lu_solve(LU, pivots, B)",
    )
    return linalg_lu_solve(LU_data, LU_pivots, input)
