"""Functions of matrices that are composed of others: norms, condition numbers, powers, chains of products, tensor equations.

Also what PyTorch has removed and only explains: `jgrad.eig`, `jgrad.symeig`, `jgrad.solve`, `jgrad.lstsq`, `jgrad.matrix_rank`.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

from jgrad import warn
from jgrad.dispatch import autocast, composite
from jgrad.dispatch import out as out_tensors
from jgrad.dispatch.batched import whole_array
from jgrad.dispatch.options import LINALG, Options
from jgrad.dtypes import FROM_NUMPY, HALVES
from jgrad.errors import class_name
from jgrad.kernels import libraries
from jgrad.kernels.numpy.factorizations import _check_floating, _check_matrix, _check_square, raise_info
from jgrad.kernels.numpy.shape import c_name, wrap_dim
from jgrad.ops.by_name import (
    amax,
    amin,
    cat,
    conj,
    cumprod,
    diagonal,
    linalg_inv,
    linalg_inv_ex,
    linalg_lu_factor_ex,
    linalg_qr,
    linalg_solve,
    linalg_svd,
    linalg_svdvals,
    linalg_vector_norm,
    matmul,
    mm,
    randn,
    reciprocal,
    sum,
    vdot,
)
from jgrad.ops.copying import to_dtype
from jgrad.ops.creation import eye, ones, zeros
from jgrad.ops.statistics import check_dtype_of_norm
from jgrad.tensor import Tensor, wrap

# ----- Norms -----

NORM: Options = {
    "out_dtype": "linalg.norm expected out tensor dtype {result} but got: {out}",
    **LINALG,
}
MATRIX_NORM: Options = {
    "out_dtype": "linalg.matrix_norm expected out tensor dtype {result} but got: {out}",
    **LINALG,
}


@composite(
    "linalg_norm(Tensor self, Number? ord=None, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor", out_copied=True, **NORM)  # fmt: skip
def linalg_norm(
    self: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """A norm of vectors or of matrices. Without `ord` it is the 2-norm of all elements: the root of the sum of their squares."""
    if ord is None:
        return linalg_vector_norm(self, 2, dim, keepdim, dtype=_given(dtype))
    _check_norm_dims(self, dim)
    if len(dim) == 2 if dim is not None else self._a.ndim == 2:
        return linalg_matrix_norm(self, ord, (0, 1) if dim is None else dim, keepdim, dtype=_given(dtype))
    return linalg_vector_norm(self, ord, dim, keepdim, dtype=_given(dtype))


@composite(
    "linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor", out_copied=True, **NORM)  # fmt: skip
def _norm_by_name(
    self: Tensor, ord: str, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    _check_norm_dims(self, dim)
    return linalg_matrix_norm(self, ord, (0, 1) if dim is None else dim, keepdim, dtype=_given(dtype))


def _check_norm_dims(self: Tensor, dim: tuple | None) -> None:
    if dim is not None and len(dim) not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dim)}")
    if dim is None and self._a.ndim not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {self._a.ndim}D."
        )


def _given(dtype: Any) -> Any:
    """A dtype as the public functions take it."""
    return None if dtype is None else FROM_NUMPY[dtype]


@composite(
    "linalg_matrix_norm(Tensor self, Number ord, int[] dim=(-2, -1), bool keepdim=False, *, dtype? dtype=None) -> Tensor", out_copied=True, **MATRIX_NORM)  # fmt: skip
def linalg_matrix_norm(
    self: Tensor, ord: Any, dim: tuple = (-2, -1), keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """Norms of matrices."""
    size = abs(ord)
    if size not in (1, 2, math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    first, second = _matrix_dims(self, dim, dtype)
    extreme = amax if ord > 0 else amin
    if size == 2:
        values = _singular_values_over(self, first, second, dtype)
        # Of no values the greatest is 0, and the least is refused.
        result = sum(values, -1) if ord > 0 and not values._a.shape[-1] else extreme(values, -1)
        return _with_dims(result, self._a.ndim, first, second) if keepdim else result
    if size == math.inf:
        first, second = second, first
    sums = linalg_vector_norm(self, 1, (first,), keepdim, dtype=_given(dtype))
    if second > first and not keepdim:
        second -= 1
    if ord > 0 and sums._a.shape[second] == 0:
        return sum(sums, second, keepdim)
    return extreme(sums, second, keepdim)


@composite(
    "linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=(-2, -1), bool keepdim=False, *, dtype? dtype=None) -> Tensor", out_copied=True, **MATRIX_NORM)  # fmt: skip
def _matrix_norm_by_name(
    self: Tensor, ord: str = "fro", dim: tuple = (-2, -1), keepdim: bool = False, dtype: Any = None
) -> Tensor:
    if ord not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    first, second = _matrix_dims(self, dim, dtype)
    if ord == "fro":
        return linalg_vector_norm(self, 2, (first, second), keepdim, dtype=_given(dtype))
    result = sum(_singular_values_over(self, first, second, dtype), -1)
    return _with_dims(result, self._a.ndim, first, second) if keepdim else result


def _matrix_dims(self: Tensor, dim: tuple, dtype: Any) -> tuple[int, int]:
    """The two dimensions of the matrices, after the checks of `linalg.matrix_norm`."""
    name = "linalg.matrix_norm"
    _check_matrix(name, self._a)
    _check_floating(name, self._a, half=True)
    if len(dim) != 2:
        raise RuntimeError(f"{name}: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    first, second = (wrap_dim(d, self._a.ndim) for d in dim)
    if first == second:
        raise RuntimeError(f"{name}: dims must be different. Got ({first}, {second})")
    if dtype is not None:
        check_dtype_of_norm(name, self, dtype)
    return first, second


def _singular_values_over(self: Tensor, first: int, second: int, dtype: Any) -> Tensor:
    """The singular values of the matrices in two dimensions."""
    _check_floating("linalg.matrix_norm", self._a)
    a = self if dtype is None else to_dtype(self, dtype)
    return linalg_svdvals(
        a.permute((*[d for d in range(a._a.ndim) if d not in (first, second)], first, second))
    )


def _with_dims(a: Tensor, ndim: int, first: int, second: int) -> Tensor:
    """Two dimensions of size 1 put back."""
    others = [d for d in range(ndim) if d not in (first, second)]
    order = [*others, first, second]
    return a.unsqueeze(-1).unsqueeze(-1).permute([order.index(d) for d in range(ndim)])


@composite(
    "linalg_cond(Tensor self, Number? p=None) -> Tensor",
    out_copied=True,
    out_dtype="castable linalg.cond",
    **LINALG,
)
def linalg_cond(input: Tensor, p: Any = None) -> Tensor:
    """The condition number of matrices: how much the solution of a linear system may magnify errors."""
    return _condition(input, p)


@composite(
    "linalg_cond.p_str(Tensor self, str p) -> Tensor",
    out_copied=True,
    out_dtype="castable linalg.cond",
    **LINALG,
)
def _cond_by_name(input: Tensor, p: str) -> Tensor:
    return _condition(input, p)


def _condition(input: Tensor, p: Any) -> Tensor:
    if input._a.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p is not None and not isinstance(p, str) and abs(p) not in (1, 2, math.inf):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    if input._a.size == 0:
        return zeros(input._a.shape[:-2], dtype=FROM_NUMPY[input._a.real.dtype], device=input.device)
    if p in (None, 2, -2):
        values = linalg_svdvals(input)
        largest, smallest = values.narrow(-1, 0, 1), values.narrow(-1, -1, 1)
        return (smallest / largest if p == -2 else largest / smallest).squeeze(-1)
    _check_square(f"linalg.cond(ord={p})", input._a)
    if p == "nuc":
        values = linalg_svdvals(input)
        return sum(values, -1) * sum(reciprocal(values), -1)
    if isinstance(p, str) and p != "fro":
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    inverse, info = linalg_inv_ex(input)
    inverse.masked_fill_(wrap(libraries.as_array(info._a[..., None, None] > 0)), math.inf)
    result = linalg_matrix_norm(input, p) * linalg_matrix_norm(inverse, p)
    return result.nan_to_num_(math.inf, math.inf, -math.inf)


# ----- Powers and products -----


@composite("linalg_matrix_power(Tensor self, int n) -> Tensor", out_name="matmul", **LINALG)
def linalg_matrix_power(input: Tensor, n: int) -> Tensor:
    """The matrix multiplied by itself n times. If n is negative, its inverse is multiplied by itself."""
    _check_square("linalg.matrix_power", input._a)
    if n == 0:
        return input.clone().copy_(eye(input._a.shape[-1], dtype=input.dtype, device=input.device))
    if n == 1:
        return input.clone()
    if n < 0:
        return linalg_inv(input) if n == -1 else linalg_matrix_power(linalg_inv(input), -n)
    if n == 3:
        return matmul(matmul(input, input), input)
    power, result = input, None
    while True:  # the binary digits of n, from the last
        n, digit = divmod(n, 2)
        if digit:
            result = power if result is None else matmul(result, power)
        if not n:
            return result
        power = matmul(power, power)


@composite("matrix_power(Tensor self, int n) -> Tensor", out_name="matmul", forms="function method out")
def matrix_power(input: Tensor, n: int) -> Tensor:
    """The matrix multiplied by itself n times. If n is negative, its inverse is multiplied by itself. It is `linalg.matrix_power`."""
    return linalg_matrix_power(input, n)


@composite("linalg_matmul(Tensor self, Tensor other) -> Tensor", **LINALG)
def linalg_matmul(input: Tensor, other: Tensor) -> Tensor:
    """The matrix product of vectors, matrices and batches of matrices. It is `jgrad.matmul`."""
    return matmul(input, other)


@composite("linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", out_name="sum",
           out_dtype="linalg.vecdot: Expected out of dtype{result} but found {out}", **LINALG)  # fmt: skip
def linalg_vecdot(x: Tensor, y: Tensor, dim: int = -1) -> Tensor:
    """The sums of the products of two tensors along a dimension: the dot products of many vectors. The elements of `x` are conjugated."""
    _check_floating("linalg.vecdot", x._a, half=True)
    if x._a.dtype != y._a.dtype:
        raise RuntimeError(
            f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type {x.dtype.type_name} and y of type "
            f"{y.dtype.type_name} instead"
        )
    if x._a.ndim == y._a.ndim == 1:
        return vdot(x, y)
    return sum(conj(x) * y, dim)


@composite("linalg_multi_dot(Tensor[] tensors) -> Tensor", out_name="mm",
           out_dtype="multi_dot(): expected out tensor to have dtype {result} but got {out}", **LINALG)  # fmt: skip
def linalg_multi_dot(tensors: list[Tensor]) -> Tensor:
    """The product of a chain of matrices, multiplied in the order that needs the fewest multiplications of numbers."""
    n = len(tensors)
    if n < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {n}")
    first, last = tensors[0], tensors[-1]
    for name, t in (("first", first), ("last", last)):
        if t._a.ndim not in (1, 2):
            raise RuntimeError(f"multi_dot(): the {name} tensor must be 1D or 2D but got {t._a.ndim}D")
    shape = ()
    if first._a.ndim == 2:
        shape = (first._a.shape[0],)
    if last._a.ndim == 2:
        shape += (last._a.shape[1],)
    matrices = list(tensors)
    matrices[0] = first.unsqueeze(0) if first._a.ndim == 1 else first
    matrices[-1] = last.unsqueeze(-1) if last._a.ndim == 1 else last
    for i, t in enumerate(matrices):
        if t._a.ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {i} must be 2D but got {t._a.ndim}D")
        if t._a.dtype != first._a.dtype:
            raise RuntimeError(
                f"multi_dot(): all tensors must have be the same dtype but tensor 0 is {c_name(first._a)} and tensor {i} {c_name(t._a)}"
            )
        if i and matrices[i - 1]._a.shape[1] != t._a.shape[0]:
            shapes = f"{list(tensors[i - 1]._a.shape)} and {list(tensors[i]._a.shape)}"
            raise RuntimeError(
                f"multi_dot(): tensors {i - 1} and {i} with shapes {shapes} cannot be multiplied"
            )
    return _chain(matrices, _cheapest_splits(matrices), 0, n - 1).view(shape)


def _cheapest_splits(matrices: list[Tensor]) -> dict[tuple[int, int], int]:
    """For every part of the chain the place of the product that is best done last."""
    sizes = [matrices[0]._a.shape[0], *[m._a.shape[1] for m in matrices]]
    cost = {(i, i): 0 for i in range(len(matrices))}
    split = {}
    for length in range(1, len(matrices)):
        for i in range(len(matrices) - length):
            j = i + length
            price = {
                k: cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)
            }
            split[i, j] = min(price, key=price.__getitem__)
            cost[i, j] = price[split[i, j]]
    return split


def _chain(matrices: list[Tensor], split: dict[tuple[int, int], int], i: int, j: int) -> Tensor:
    if i == j:
        return matrices[i]
    k = split[i, j]
    return mm(_chain(matrices, split, i, k), _chain(matrices, split, k + 1, j))


def chain_matmul(*matrices: Tensor, out: Any = None) -> Tensor:
    """The product of a chain of matrices, in the order that needs the fewest multiplications of numbers. Use `linalg.multi_dot` in new code."""
    for i, m in enumerate(matrices):
        if not isinstance(m, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {class_name(m)}")
    warn.once(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot instead, which "
        "accepts a list of two or more tensors rather than multiple parameters.",
    )
    for m in matrices:
        if m._a.ndim != 2:
            raise RuntimeError(f"Tensor dimension is {m._a.ndim}, expected 2 instead.")
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    if out is not None:
        out_tensors.accept("mm", out)
        out_tensors.refuse_lost_gradients("mm", out, list(matrices))
        return linalg_multi_dot(list(matrices), out=out)
    return matrices[0].clone() if len(matrices) == 1 else linalg_multi_dot(list(matrices))


@composite("linalg_vander(Tensor x, *, int? N=None) -> Tensor", namespace="linalg", forms="function")
def linalg_vander(x: Tensor, N: int | None = None) -> Tensor:
    """Vandermonde matrices: the powers 0, 1, ..., N - 1 of every element, in a new last dimension."""
    kind = x._a.dtype
    if kind.kind == "b" or x.dtype in HALVES:
        raise RuntimeError(
            f"linalg.vander supports floating point, complex, and integer tensors, but got {x.dtype.type_name}"
        )
    count = N if N is not None else x._a.shape[-1] if x._a.ndim else 0
    if count <= 1:
        raise RuntimeError("N must be greater than 1.")
    if not x._a.ndim:
        x = x.unsqueeze(-1)
    powers = cumprod(x.unsqueeze(-1).expand((*x._a.shape, count - 1)), -1)
    return cat([ones((*x._a.shape, 1), dtype=powers.dtype, device=x.device), powers], -1)


@composite(
    "linalg_diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
    namespace="linalg",
    forms="function",
)
def linalg_diagonal(A: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The diagonals of matrices. It is `jgrad.diagonal`, but the matrices are in the last two dimensions by default."""
    return diagonal(A, offset, dim1, dim2)


# ----- Tensor equations -----


@composite(
    "linalg_tensorinv(Tensor self, int ind=2) -> Tensor",
    out_copied=True,
    out_dtype="castable tensorinv",
    **LINALG,
)
def linalg_tensorinv(input: Tensor, ind: int = 2) -> Tensor:
    """The inverse of a tensor with regard to `tensordot`."""
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    front, back = input._a.shape[:ind], input._a.shape[ind:]
    rows, columns = math.prod(front), math.prod(back)
    if rows != columns:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{columns} != {rows}"
        )
    result, info = linalg_inv_ex(input.reshape((columns, rows)))
    raise_info(whole_array(info), "inv", "inverse")
    return result.reshape(back + front)


@composite(
    "linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor",
    out_copied=True,
    out_dtype="castable tensorsolve",
    **LINALG,
)
def linalg_tensorsolve(input: Tensor, other: Tensor, dims: tuple | None = None) -> Tensor:
    """The solution X of the tensor equation `tensordot(input, X, X.ndim) = other`."""
    if dims:
        moved = [wrap_dim(d, input._a.ndim) for d in dims]
        input = input.permute((*[d for d in range(input._a.ndim) if d not in moved], *moved))
    given, shape = input._a.shape[: other._a.ndim], input._a.shape[other._a.ndim :]
    rows, columns = math.prod(given), math.prod(shape)
    if rows != columns or columns != other._a.size:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got "
            f"{columns} != {other._a.size}"
        )
    return linalg_solve(input.reshape((columns, columns)), other.reshape((columns,))).reshape(shape)


# ----- LU under its old name -----


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> tuple:
    """The LU factorization of matrices under its older name. Use `linalg.lu_factor` or `linalg.lu_factor_ex` in new code."""
    if out is not None:
        out_tensors.accept("lu", out)
        out_tensors.refuse_lost_gradients("lu", out, [A])
        for target, result in zip(out, lu(A, pivot, get_infos), strict=True):
            target.resize_(result.shape).copy_(result)
        return out
    warn.once(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in a future PyTorch "
        "release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\nLU, pivots = torch.linalg.lu_factor(A, compute_pivots)\n"
        "and\nLU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)",
    )
    (A,) = autocast.in_single(A)
    factors, pivots, info = linalg_lu_factor_ex(A, pivot=pivot)
    return _lu_with_info(factors, pivots, info) if get_infos else (factors, pivots)


def _lu_with_info(*results: Tensor) -> tuple:
    from jgrad.return_types import named

    return named("_lu_with_info", ("LU", "pivots", "info"), results)


def _lu(self: Tensor, pivot: bool = True, get_infos: bool = False) -> tuple:
    """The LU factorization of this tensor's matrices. It is `jgrad.lu`; use `linalg.lu_factor` in new code."""
    return tuple(lu(self, pivot, get_infos))


# ----- The largest singular values, approximately -----


def svd_lowrank(A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None) -> tuple:
    """The largest singular values of matrices and their vectors, approximately: A is close to `U @ diag(S) @ V.mH`."""
    wide = A._a.shape[-2] < A._a.shape[-1]
    parts = [A] if M is None else [A, M.broadcast_to(A.shape)]
    parts = [part.mH for part in parts] if wide else parts
    turned = [part.mH for part in parts]
    drawn = randn(parts[0]._a.shape[-1], 6 if q is None else q, dtype=A.dtype, device=A.device)
    basis = linalg_qr(_difference([matmul(part, drawn) for part in parts]))[0]
    for _ in range(2 if niter is None else niter):
        for side in (turned, parts):
            basis = linalg_qr(_difference([matmul(part, basis) for part in side]))[0]
    inner = _difference([matmul(basis.mH, part) for part in parts])
    u, s, vh = linalg_svd(inner, full_matrices=False)
    u, v = matmul(basis, u), vh.mH
    return (v, s, u) if wide else (u, s, v)


def _difference(terms: list[Tensor]) -> Tensor:
    return terms[0] if len(terms) == 1 else terms[0] - terms[1]


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> tuple:
    """The principal components of data, approximately: `svd_lowrank` of A, less the mean of its columns."""
    most = min(A._a.shape[-2:])
    if q is None:
        q = min(6, most)
    elif not 0 <= q <= most:
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={most}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(-2, keepdim=True) if center else A, q, niter)


# ----- Removed -----

_REMOVED = "This function was deprecated since version 1.9 and is now removed."


def eig(self: Tensor, eigenvectors: bool = False, *, e: Any = None, v: Any = None) -> NoReturn:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.eig` or `linalg.eigvals`."""
    raise RuntimeError(
        f"{_REMOVED} `torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather than real tensors mimicking complex "
        "tensors.\n\nL, _ = torch.eig(A) should be replaced with:\nL_complex = torch.linalg.eigvals(A)\n\nand\n\n"
        "L, V = torch.eig(A, eigenvectors=True) should be replaced with:\nL_complex, V_complex = torch.linalg.eig(A)"
    )


def symeig(input: Tensor, eigenvectors: bool = False, upper: bool = True, *, out: Any = None) -> NoReturn:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.eigh` or `linalg.eigvalsh`."""
    raise RuntimeError(
        f"{_REMOVED} The default behavior has changed from using the upper triangular portion of the matrix by default to using the lower "
        "triangular portion.\n\nL, _ = torch.symeig(A, upper=upper) should be replaced with:\n"
        "L = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')\n\nand\n\n"
        "L, V = torch.symeig(A, eigenvectors=True) should be replaced with:\nL, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')"
    )


def solve(input: Tensor, A: Tensor, *, out: Any = None) -> NoReturn:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.solve`, which takes A first."""
    raise RuntimeError(
        f"{_REMOVED} `torch.solve` is deprecated in favor of `torch.linalg.solve`. `torch.linalg.solve` has its arguments reversed and does "
        "not return the LU factorization.\n\nTo get the LU factorization see `torch.lu`, which can be used with `torch.lu_solve` or "
        "`torch.lu_unpack`.\nX = torch.solve(B, A).solution should be replaced with:\nX = torch.linalg.solve(A, B)"
    )


def matrix_rank(input: Tensor, tol: Any = None, symmetric: bool = False, *, out: Any = None) -> NoReturn:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.matrix_rank`."""
    raise RuntimeError(
        f"{_REMOVED}\nPlease use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' was renamed in "
        "`torch.linalg.matrix_rank()` to 'hermitian'."
    )


def lstsq(input: Tensor, A: Tensor, *, out: Any = None) -> NoReturn:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.lstsq`, which takes A first."""
    raise RuntimeError(
        f"{_REMOVED} `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.\n`torch.linalg.lstsq` has reversed arguments and does not "
        "return the QR decomposition in the returned tuple (although it returns other information about the problem).\n\nTo get the QR "
        "decomposition consider using `torch.linalg.qr`.\n\nThe returned solution in `torch.lstsq` stored the residuals of the solution in "
        "the last m - n columns of the returned value whenever m > n. In torch.linalg.lstsq, the residuals are in the field 'residuals' of "
        "the returned named tuple.\n\nThe unpacking of the solution, as in\nX, _ = torch.lstsq(B, A).solution[:A.size(1)]\nshould be "
        "replaced with:\nX = torch.linalg.lstsq(A, B).solution"
    )


Tensor.lu = _lu  # type: ignore[attr-defined]
for _removed in (eig, symeig, solve, lstsq):
    setattr(Tensor, _removed.__name__, _removed)
