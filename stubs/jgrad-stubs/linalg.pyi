# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from jgrad import return_types
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator
from jgrad.tensor import Number, Size as _Size, Tensor, layout as _layout

from jgrad.kernels.libraries import _LinAlgError as LinAlgError
def cholesky(input: Tensor, *, upper: _bool = False, out: Tensor | None = None) -> Tensor:
    """L of A = L L^H (or U of A = U^H U); a matrix that is not positive-definite is an error."""
def cholesky_ex(input: Tensor, *, upper: _bool = False, check_errors: _bool = False, out: Any = None) -> return_types.linalg_cholesky_ex:
    """A = L L^H of a positive-definite matrix; info is the order of the first leading minor that is not positive."""
@overload
def cond(input: Tensor, p: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """How much a linear system magnifies errors: the norm of A times that of its inverse; the ratio of singular values by default."""
@overload
def cond(input: Tensor, p: _str, *, out: Tensor | None = None) -> Tensor:
    """How much a linear system magnifies errors: the norm of A times that of its inverse; the ratio of singular values by default."""
def cross(input: Tensor, other: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The vectors perpendicular to two given ones, along a dimension of size 3."""
def det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The determinant."""
def diagonal(A: Tensor, *, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """The diagonals of matrices; a view."""
def eig(input: Tensor, *, out: Any = None) -> return_types.linalg_eig:
    """Eigenvalues and eigenvectors of any square matrices, complex."""
def eigh(input: Tensor, UPLO: _str = 'L', *, out: Any = None) -> return_types.linalg_eigh:
    """Eigenvalues in ascending order and eigenvectors of symmetric or Hermitian matrices, of which one triangle is read."""
def eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of any square matrices, complex."""
def eigvalsh(input: Tensor, UPLO: _str = 'L', *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of symmetric or Hermitian matrices, in ascending order."""
def householder_product(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The first columns of the product of the reflections 1 - tau v v^H, whose vectors are below the diagonal of input."""
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse; a singular matrix is an error."""
def inv_ex(A: Tensor, *, check_errors: _bool = False, out: Any = None) -> return_types.linalg_inv_ex:
    """The inverse; info tells which zero pivot makes a matrix singular."""
def ldl_factor(input: Tensor, *, hermitian: _bool = False, out: Any = None) -> return_types.linalg_ldl_factor:
    """A = L D L^T (hermitian: L D L^H) of a symmetric matrix; a zero block in D is an error."""
def ldl_factor_ex(input: Tensor, *, hermitian: _bool = False, check_errors: _bool = False, out: Any = None) -> return_types.linalg_ldl_factor_ex:
    """A = L D L^T (hermitian: L D L^H) of a symmetric matrix, with blocks of one or two rows in D; info is the first zero block."""
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """X of A X = B, from the LDL factorization of A."""
def lstsq(input: Tensor, b: Tensor, rcond: _float | None = None, *, driver: _str | None = None, out: Any = None) -> return_types.linalg_lstsq:
    """The shortest X that brings A X nearest to B. Drivers: gels (A of full rank), gelsy, gelsd, gelss."""
def lu(A: Tensor, *, pivot: _bool = True, out: Any = None) -> return_types.linalg_lu:
    """A = P L U with a permutation P, L with ones on its diagonal, and an upper U."""
def lu_factor(A: Tensor, *, pivot: _bool = True, out: Any = None) -> return_types.linalg_lu_factor:
    """A = P L U, L and U in one matrix, P as exchanges of rows; a zero on U's diagonal is an error."""
def lu_factor_ex(A: Tensor, *, pivot: _bool = True, check_errors: _bool = False, out: Any = None) -> return_types.linalg_lu_factor_ex:
    """A = P L U, L and U in one matrix, P as exchanges of rows; info is the number of the first zero on U's diagonal."""
def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: _bool = True, adjoint: _bool = False, out: Tensor | None = None) -> Tensor:
    """X of A X = B (or X A = B, or with A^H for A), from the LU factorization of A."""
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix product; see `jgrad.matmul`."""
def matrix_exp(input: Tensor) -> Tensor:
    """The sum of A^k / k!."""
@overload
def matrix_norm(input: Tensor, ord: Number, dim: Sequence[_int] = ..., keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """Norms of matrices: 1, -1 (columns), inf, -inf (rows), 2, -2 (singular values), "fro", "nuc" (their sum)."""
@overload
def matrix_norm(input: Tensor, ord: _str = 'fro', dim: Sequence[_int] = ..., keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """Norms of matrices: 1, -1 (columns), inf, -inf (rows), 2, -2 (singular values), "fro", "nuc" (their sum)."""
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The matrix multiplied with itself n times; of its inverse, if n is negative."""
@overload
def matrix_rank(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """How many singular values exceed the greater of atol and rtol times the largest one."""
@overload
def matrix_rank(input: Tensor, *, atol: _float | None = None, rtol: _float | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """How many singular values exceed the greater of atol and rtol times the largest one."""
@overload
def matrix_rank(input: Tensor, tol: Tensor, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """How many singular values exceed the greater of atol and rtol times the largest one."""
@overload
def matrix_rank(input: Tensor, tol: _float, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """How many singular values exceed the greater of atol and rtol times the largest one."""
def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The product of a chain of matrices, in the order that costs least; the first and the last may be vectors."""
@overload
def norm(input: Tensor, ord: Number | None = None, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """A norm of matrices (two dimensions) or of vectors; without `ord` the 2-norm of all elements."""
@overload
def norm(input: Tensor, ord: _str, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """A norm of matrices (two dimensions) or of vectors; without `ord` the 2-norm of all elements."""
@overload
def pinv(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The Moore-Penrose inverse; singular values up to the greater of atol and rtol times the largest count as zero."""
@overload
def pinv(input: Tensor, *, atol: _float | None = None, rtol: _float | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The Moore-Penrose inverse; singular values up to the greater of atol and rtol times the largest count as zero."""
@overload
def pinv(input: Tensor, rcond: _float, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The Moore-Penrose inverse; singular values up to the greater of atol and rtol times the largest count as zero."""
@overload
def pinv(input: Tensor, rcond: Tensor, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The Moore-Penrose inverse; singular values up to the greater of atol and rtol times the largest count as zero."""
def qr(A: Tensor, mode: _str = 'reduced', *, out: Any = None) -> return_types.linalg_qr:
    """A = Q R with orthogonal columns in Q and an upper R; mode "complete" has all columns of Q, "r" none."""
def slogdet(A: Tensor, *, out: Any = None) -> return_types.linalg_slogdet:
    """The sign (for complex matrices the phase) of the determinant, and the logarithm of its absolute value."""
def solve(A: Tensor, B: Tensor, *, left: _bool = True, out: Tensor | None = None) -> Tensor:
    """X of A X = B (or X A = B); a singular A is an error."""
def solve_ex(A: Tensor, B: Tensor, *, left: _bool = True, check_errors: _bool = False, out: Any = None) -> return_types.linalg_solve_ex:
    """X of A X = B (or X A = B); B may be a batch of vectors; info tells which zero pivot makes a matrix singular."""
def solve_triangular(input: Tensor, B: Tensor, *, upper: _bool, left: _bool = True, unitriangular: _bool = False, out: Tensor | None = None) -> Tensor:
    """X of A X = B (or X A = B) for a triangular A, of which only that triangle is read."""
def svd(A: Tensor, full_matrices: _bool = True, *, driver: _str | None = None, out: Any = None) -> return_types.linalg_svd:
    """A = U diag(S) Vh, the singular values in descending order; without full_matrices only as many columns as there are values."""
def svdvals(A: Tensor, *, driver: _str | None = None, out: Tensor | None = None) -> Tensor:
    """The singular values, in descending order."""
def tensorinv(input: Tensor, ind: _int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the map from the dimensions behind the first `ind` ones to those."""
def tensorsolve(input: Tensor, other: Tensor, dims: Sequence[_int] | None = None, *, out: Tensor | None = None) -> Tensor:
    """X of tensordot(A, X) = B; `dims` of A are moved to its end first."""
def vander(x: Tensor, *, N: _int | None = None) -> Tensor:
    """Vandermonde matrices: the powers of every element from 0 to N - 1."""
def vecdot(x: Tensor, y: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """Sums of products along a dimension, those of x conjugated."""
def vector_norm(input: Tensor, ord: Number = 2, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The norm of order `ord` of all elements as one vector, or over some dimensions."""
