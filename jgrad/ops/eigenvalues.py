"""Eigenvalues, singular values, and what is computed with them: determinants, ranks, pseudoinverses, least squares; the exponential."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.batched import whole_array
from jgrad.dispatch.options import INTERNAL, LAPACK, LINALG, Options
from jgrad.dispatch.tangents import differentiated
from jgrad.dtypes import finfo
from jgrad.graph.grad_mode import is_grad_enabled
from jgrad.kernels import libraries
from jgrad.kernels.numpy.factorizations import _check_floating, _check_square
from jgrad.ops.by_name import (
    cat,
    conj,
    diag_embed,
    diagonal,
    linalg_solve,
    linalg_solve_ex,
    log,
    matmul,
    prod,
    real,
    reshape,
    unsqueeze,
    where,
)
from jgrad.ops.comparison import has_zero
from jgrad.ops.complex_numbers import COMPLEX
from jgrad.ops.creation import zeros_like, zeros_of
from jgrad.ops.decompositions import unit_matrix
from jgrad.ops.linalg import adjoint_of
from jgrad.tensor import Tensor, wrap


def ramp(like: Tensor) -> Tensor:
    """1, 2, 3, ... as many as the matrices of `like` have columns."""
    return wrap(libraries.of(like._a).kernels.ramp(like._a))


def must_be_free_of_phase(diagonal: Tensor, text: str) -> None:
    """Refuse a gradient that depends on the phase of complex eigenvectors, which is nobody's choice."""
    array = whole_array(diagonal)
    libraries.of(array).kernels.must_be_free_of_phase(array, text)


# ----- Eigenvalues -----


@op(
    "linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)",
    out_dtype="castable torch.linalg.eig",
    batches="leading",
    **LAPACK,
)
class linalg_eig:
    """The eigenvalues and eigenvectors of square matrices: `A @ V = V @ diag(L)`. For symmetric matrices `linalg.eigh` is faster and more exact."""

    self = lambda grads, self_dtype, eigenvalues, eigenvectors: as_real_as(
        eig_backward(grads[0], grads[1], eigenvalues, eigenvectors), self_dtype
    )


@composite(
    "linalg_eigvals(Tensor self) -> Tensor",
    out_copied=True,
    out_dtype="castable torch.linalg.eigvals",
    **LAPACK,
)
def linalg_eigvals(input: Tensor) -> Tensor:
    """The eigenvalues of square matrices. For symmetric matrices `linalg.eigvalsh` is faster and more exact."""
    libraries.of(input._a).kernels.check_eigvals(whole_array(input))
    return linalg_eig(input)[0]


@formula
def as_real_as(a: Any, dtype: Any) -> Any:
    """The gradient of a real matrix whose results are complex is real."""
    return a if dtype in COMPLEX else real(a)


@formula
def eig_backward(grad_values: Any, grad_vectors: Any, values: Any, vectors: Any) -> Any:
    """V^-H (diag(gL) + (V^H gV - V^H V diag(Re V^H gV)) / conj(L_j - L_i)) V^H."""
    adjoint = adjoint_of(vectors)
    if grad_vectors is None:
        return linalg_solve_ex(adjoint, unsqueeze(grad_values, -1) * adjoint)[0]
    product = matmul(adjoint, grad_vectors)
    along = diagonal(product, 0, -2, -1)
    must_be_free_of_phase(along, "linalg_eig_backward: The eigenvectors in the complex case are specified up to multiplication by e^{i phi}. The specified loss function depends on this quantity, so it is ill-defined.")  # fmt: skip
    product = product - matmul(adjoint, vectors * unsqueeze(real(along), -2))
    return linalg_solve_ex(adjoint, matmul(divided_by_gaps(product, conj(values), grad_values), adjoint))[0]


@formula
def divided_by_gaps(a: Any, values: Any, diagonal: Any) -> Any:
    """a_ij / (values_j - values_i), with another diagonal."""
    one = unit_matrix(a)
    gaps = unsqueeze(values, -2) - unsqueeze(values, -1) + unit_matrix(values)
    result = a / gaps * (1 - one)
    return result if diagonal is None else result + diag_embed(diagonal)


@op(
    "_linalg_eigh(Tensor A, str UPLO='L', bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)",
    kernel="eigh_decompose",
    node="LinalgEighBackward0",
    batches="leading",
    **INTERNAL,
)
class eigh_decompose:
    """Eigenvalues in ascending order and eigenvectors of symmetric or Hermitian matrices."""

    A = lambda grads, eigenvalues, eigenvectors: eigh_backward(grads[0], grads[1], eigenvalues, eigenvectors)


@formula
def eigh_backward(grad_values: Any, grad_vectors: Any, values: Any, vectors: Any) -> Any:
    """V (diag(gL) + V^H gV / (L_j - L_i)) V^H."""
    adjoint = adjoint_of(vectors)
    if grad_vectors is None:
        return matmul(vectors * unsqueeze(grad_values, -2), adjoint)
    product = matmul(adjoint, grad_vectors)
    if vectors.dtype in COMPLEX:
        must_be_free_of_phase(diagonal(product, 0, -2, -1), "linalg_eigh_backward: The eigenvectors in the complex case are specified up to multiplication by e^{i phi}. The specified loss function depends on this quantity, so it is ill-defined.")  # fmt: skip
    product = (product - adjoint_of(product)) / 2  # only what rotates the vectors
    return matmul(vectors, matmul(divided_by_gaps(product, values, grad_values), adjoint))


@composite(
    "linalg_eigh(Tensor self, str UPLO='L') -> (Tensor eigenvalues, Tensor eigenvectors)",
    out_name="_linalg_eigh",
    **LAPACK,
)
def linalg_eigh(input: Tensor, UPLO: str = "L") -> tuple:
    """The eigenvalues and eigenvectors of symmetric (complex: Hermitian) matrices: `A = V @ diag(L) @ V.mH`."""
    return tuple(eigh_decompose(input, UPLO))


@composite("linalg_eigvalsh(Tensor self, str UPLO='L') -> Tensor", out_name="_linalg_eigh", **LAPACK)
def linalg_eigvalsh(input: Tensor, UPLO: str = "L") -> Tensor:
    """The eigenvalues of symmetric (complex: Hermitian) matrices, in ascending order."""
    return eigh_decompose(input, UPLO, differentiated(input))[0]


# ----- Singular values -----


@op(
    "_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
    kernel="svd_decompose",
    node="LinalgSvdBackward0",
    batches="leading",
    **INTERNAL,
)
class svd_decompose:
    """A = U diag(S) Vh."""

    A = lambda grads, U, S, Vh: svd_backward(grads[0], grads[1], grads[2], U, S, Vh)


@composite(
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
    out_name="_linalg_svd",
    **LAPACK,
)
def linalg_svd(A: Tensor, full_matrices: bool = True, driver: str | None = None) -> tuple:
    """The singular value decomposition of matrices: `A = U @ diag(S) @ Vh`. U and Vh have orthogonal columns and rows of length 1."""
    return tuple(svd_decompose(A, full_matrices, True, driver=driver))


@composite("linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor", out_name="_linalg_svd", **LAPACK)
def linalg_svdvals(A: Tensor, driver: str | None = None) -> Tensor:
    """The singular values of matrices, in descending order."""
    return svd_decompose(A, False, differentiated(A), driver=driver)[1]


@composite(
    "svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
    out_name="_linalg_svd",
    forms="function method out",
    out_layout="result",
)
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> tuple:
    """The singular value decomposition of matrices: `A = U @ diag(S) @ V.mH`. Use `linalg.svd` in new code, which gives `V.mH` itself."""
    if input._a.ndim < 2:
        raise RuntimeError(
            f"linalg.svd: input should have at least 2 dimensions, but has {input._a.ndim} dimensions instead"
        )
    if not compute_uv:
        batch, (m, n) = input._a.shape[:-2], input._a.shape[-2:]
        u, v = (zeros_of(input, (*batch, size, size)) for size in (m, n))
        return u.zero_(), linalg_svdvals(input), v.zero_().mT
    u, s, vh = svd_decompose(input, not some)
    return u, s, adjoint_of(vh)


@formula
def svd_backward(grad_u: Any, grad_s: Any, grad_vh: Any, u: Any, s: Any, vh: Any) -> Any:
    """U (diag(gS) + (skew(U^H gU) S + S skew(V^H gV)) / (S_j^2 - S_i^2)) Vh, and what of gU and gV is across U and V."""
    k = s.shape[-1]
    if u.shape[-1] > k or vh.shape[-2] > k:
        u, vh = u[..., :k], vh[..., :k, :]
    if grad_u is None and grad_vh is None:
        return matmul(u * unsqueeze(grad_s, -2), vh)
    row, column = unsqueeze(s, -2), unsqueeze(s, -1)
    inner = None
    if grad_u is not None:
        grad_u = grad_u[..., :k] if grad_u.shape[-1] > k else grad_u
        left = matmul(adjoint_of(u), grad_u)
        skew_left = left - adjoint_of(left)
        phase = diagonal(skew_left, 0, -2, -1)
        inner = divided_by_gaps(skew_left, s * s, None) * row
    if grad_vh is not None:
        grad_vh = grad_vh[..., :k, :] if grad_vh.shape[-2] > k else grad_vh
        right = matmul(vh, adjoint_of(grad_vh))
        skew_right = right - adjoint_of(right)
        from_v = divided_by_gaps(skew_right, s * s, None) * column
        phase = diagonal(skew_right, 0, -2, -1) if grad_u is None else phase + diagonal(skew_right, 0, -2, -1)
        inner = from_v if inner is None else inner + from_v
    if u.dtype in COMPLEX:
        must_be_free_of_phase(phase / 2, "svd_backward: The singular vectors in the complex case are specified up to multiplication by e^{i phi}. The specified loss function depends on this phase term, making it ill-defined.")  # fmt: skip
        if grad_u is not None and grad_vh is not None:
            inner = inner + diag_embed(diagonal(skew_left, 0, -2, -1) / (2 * s))
    if grad_s is not None:
        inner = inner + diag_embed(grad_s)
    result = matmul(u, matmul(inner, vh))
    if grad_u is not None and u.shape[-2] > k:
        result = result + matmul((grad_u - matmul(u, left)) / row, vh)
    if grad_vh is not None and vh.shape[-1] > k:
        result = result + matmul(u / row, grad_vh - matmul(adjoint_of(right), vh))
    return result


# ----- Determinants -----


@op("linalg_det(Tensor A) -> Tensor", out_name="_linalg_det", **LAPACK)
class linalg_det:
    """The determinant of square matrices."""

    A = lambda grad, A, result: det_backward(grad, A, result)


@formula
def det_backward(grad: Any, a: Any, det: Any) -> Any:
    """The matrix of cofactors: det A^-1; of a singular matrix by its singular value decomposition."""
    if 0 in a.shape:
        return zeros_like(a)
    shape = (*det.shape, 1, 1)
    if a.shape[-1] == 1:
        return reshape(grad, shape)
    regular_ones = is_regular(det)
    singular = reshape(~regular_ones, shape)
    one = unit_matrix(a)
    scaled = one * reshape(grad * conj(det), shape)
    if not has_zero(regular_ones):
        return solved_for_det(a, scaled)
    regular = solved_for_det(where(singular, one, a), scaled)
    # Where nothing is singular a diagonal without equal values takes the place of the matrix, whose own might have no derivative.
    u, s, vh = svd_decompose(where(singular, a, one * ramp(a)))
    flags = unit_matrix(s)
    others = prod(unsqueeze(s, -2) * (1 - flags) + flags, -1)  # all singular values but one
    turn = conj(linalg_det(u) * linalg_det(vh)) * grad
    cofactors = matmul(u * unsqueeze(others, -2), vh) * reshape(turn, shape)
    return where(singular, cofactors, regular)


def is_regular(det: Any) -> Any:
    """Which determinants are not too small for the inverse: under `create_graph=True` PyTorch allows for rounding. (Raw arrays have a kernel of this name.)"""
    return det.abs() >= 100 * finfo(det.dtype).eps


def solved_for_det(a: Any, b: Any) -> Any:
    """The solution of A^H X = B for a diagonal B. (Raw arrays have a kernel of this name.)"""
    return linalg_solve_ex(adjoint_of(a), b)[0]


@composite("det(Tensor self) -> Tensor")
def det(input: Tensor) -> Tensor:
    """The determinant of square matrices. It is `linalg.det`."""
    return linalg_det(input)


@op("linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", out_name="_linalg_slogdet", **LAPACK)
class linalg_slogdet:
    """The sign of the determinant and the logarithm of its absolute value. They stay finite where the determinant itself is too large or too small."""

    A = lambda grads, A, sign: slogdet_backward(grads[0], grads[1], A, sign)


@formula
def slogdet_backward(grad_sign: Any, grad_log: Any, a: Any, sign: Any) -> Any:
    """The phase turns with the imaginary part of d log det = tr(A^-1 dA), the logarithm grows with its real part."""
    if sign.dtype not in COMPLEX:
        if grad_log is None:
            return None
        total = grad_log
    else:
        total = 0 if grad_sign is None else -imaginary_part(conj(grad_sign) * sign)
        total = total if grad_log is None else total + grad_log
    return solved_for_slogdet(adjoint_of(a), unit_matrix(a) * reshape(total, (*sign.shape, 1, 1)))


def solved_for_slogdet(a: Any, b: Any) -> Any:
    """The solution of A X = B. Under `create_graph=True` a singular matrix is an error, as in PyTorch; the kernel of this name divides by zero."""
    return linalg_solve(a, b)


@formula
def imaginary_part(a: Any) -> Any:
    """i Im(a), as a complex number."""
    return (a - conj(a)) / 2


@composite(
    "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)",
    out_name="_linalg_slogdet",
    forms="function method out",
)
def slogdet(input: Tensor) -> tuple:
    """The sign of the determinant and the logarithm of its absolute value. It is `linalg.slogdet`."""
    return tuple(linalg_slogdet(input))


@composite("logdet(Tensor self) -> Tensor")
def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant of square matrices."""
    _check_square("logdet", input._a)
    _check_floating("logdet", input._a)
    sign, logabsdet = linalg_slogdet(input)
    if input.is_complex():
        return log(sign) + logabsdet
    return where(sign == -1, float("nan"), logabsdet)


# ----- Rank, pseudoinverse, least squares -----


RANK: Options = {"out_dtype": "castable", "result_writes": 1, **LAPACK}


@op(
    "linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor",
    **RANK,
)
class linalg_matrix_rank:
    """The rank of matrices: how many singular values exceed the greater of `atol` and `rtol` times the largest singular value."""


@op(
    "linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor",
    **RANK,
)
class linalg_matrix_rank_numbers:
    pass


@op(
    "linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
    kernel="matrix_rank_above",
    **RANK,
)
class linalg_matrix_rank_tensor:
    pass


@op(
    "linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor",
    kernel="matrix_rank_above",
    **RANK,
)
class linalg_matrix_rank_number:
    pass


@op(
    "_linalg_pinv(Tensor self, any atol, any rtol, bool hermitian) -> Tensor",
    kernel="linalg_pinv",
    node="LinalgPinvBackward0",
    **INTERNAL,
    gradient_writes=1,
)
class _linalg_pinv:
    """The Moore-Penrose inverse."""

    self = lambda grad, self, result: pinv_backward(grad, result, self)


PINV: Options = {"out_dtype": "castable linalg.pinv", **LAPACK}


@composite(
    "linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor",
    **PINV,
)
def linalg_pinv(
    input: Tensor, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False
) -> Tensor:
    """The pseudoinverse (Moore-Penrose inverse) of matrices. For a square matrix that has an inverse, it is the inverse."""
    return _linalg_pinv(input, _constant("atol", atol), _constant("rtol", rtol), hermitian)


@composite(
    "linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor",
    **PINV,
)
def _pinv_numbers(
    input: Tensor, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Tensor:
    return _linalg_pinv(input, atol, rtol, hermitian)


@composite("linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", **PINV)
def _pinv_number(input: Tensor, rcond: float, hermitian: bool = False) -> Tensor:
    return _linalg_pinv(input, 0.0, rcond, hermitian)


@composite("linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor", **PINV)
def _pinv_tensor(input: Tensor, rcond: Tensor, hermitian: bool = False) -> Tensor:
    return _linalg_pinv(input, 0.0, _constant("rcond", rcond), hermitian)


def _constant(name: str, value: Tensor | None) -> Any:
    """A tolerance as an array: it has no derivative, and is real."""
    if value is None:
        return None
    if value.is_complex():
        raise RuntimeError(
            f"torch.linalg.pinv: {name} tensor of complex type is not supported. Got {value.dtype.type_name}"
        )
    if value.requires_grad and is_grad_enabled():
        raise RuntimeError(
            f"The function 'linalg_pinv' is not differentiable with respect to argument '{'rtol' if name == 'rcond' else name}'. This input "
            "cannot have requires_grad True."
        )
    return value._a


@composite("pinverse(Tensor self, float rcond=1e-15) -> Tensor")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """The pseudoinverse (Moore-Penrose inverse) of matrices. It is the older form of `linalg.pinv`."""
    return linalg_pinv(input, rcond)


@formula
def pinv_backward(grad: Any, inverse: Any, a: Any) -> Any:
    """-P^H G P^H + (1 - A P) G^H P P^H + P^H P G^H (1 - P A), with the products that PyTorch computes: small ones first."""
    adjoint, turned = adjoint_of(inverse), adjoint_of(grad)
    if a.shape[-2] <= a.shape[-1]:
        inner = matmul(turned, inverse)
        outer = matmul(inner, adjoint)
        first = -adjoint_of(matmul(inverse, inner)) + outer - matmul(matmul(a, inverse), outer)
        return first + matmul(matmul(adjoint, inverse), turned - matmul(inner, a))
    inner = matmul(inverse, turned)
    outer = matmul(adjoint, inner)
    first = -adjoint_of(matmul(inner, inverse)) + matmul(matmul(turned - matmul(a, inner), inverse), adjoint)
    return first + outer - matmul(matmul(outer, inverse), a)


@op("linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None)"
    " -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)", constant="singular_values", out_dtype="castable torch.linalg.lstsq", out_layout="empty", **LINALG)  # fmt: skip
class linalg_lstsq:
    """The solution of least squares problems: the matrix X for which A X is nearest to B. If there are several, it is the one with the smallest norm."""

    self = b = lambda grads, self, b, solution, output_mask: lstsq_backward(
        grads[0], grads[1], self, b, solution
    )


@formula
def lstsq_backward(grad: Any, grad_residuals: Any, a: Any, b: Any, x: Any) -> tuple:
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    right = b
    if vector:
        right, x = unsqueeze(b, -1), unsqueeze(x, -1)
    grad_a = grad_b = None
    if grad is not None:
        grad = unsqueeze(grad, -1) if vector else grad
        inverse = linalg_pinv(a)
        grad_b = matmul(adjoint_of(inverse), grad)
        grad_a = pinv_backward(matmul(grad, adjoint_of(right)), inverse, a)
    if grad_residuals is not None and grad_residuals.shape != (0,):
        rest = 2 * (matmul(a, x) - right) * unsqueeze(grad_residuals, -2)
        from_rest = matmul(rest, adjoint_of(x))
        grad_a = from_rest if grad_a is None else grad_a + from_rest
        grad_b = -rest if grad_b is None else grad_b - rest
    if grad_b is not None and vector:
        grad_b = grad_b.reshape(grad_b.shape[:-1])
    return grad_a, grad_b


# ----- The exponential -----


@op("linalg_matrix_exp(Tensor self) -> Tensor", namespace="linalg", forms="function", batches="leading")
class linalg_matrix_exp:
    """The exponential of square matrices: the sum of all A^k / k!, where A^k is the matrix power. It is not the exponential of each element."""

    self = lambda grad, self: matrix_exp_backward(grad, self)


@formula
def matrix_exp_backward(grad: Any, a: Any) -> Any:
    """The upper right block of exp([[A^H, grad], [0, A^H]])."""
    n, adjoint = a.shape[-1], adjoint_of(a)
    above, below = cat([adjoint, grad], -1), cat([zeros_like(adjoint), adjoint], -1)
    return linalg_matrix_exp(cat([above, below], -2))[..., :n, n:]


@composite("matrix_exp(Tensor self) -> Tensor")
def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of square matrices: the sum of all A^k / k!, where A^k is the matrix power. It is `linalg.matrix_exp`."""
    return linalg_matrix_exp(input)
