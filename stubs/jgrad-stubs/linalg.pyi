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
    """The Cholesky factorization A = L L^H of positive-definite matrices, where L is lower triangular.
    
    Args:
        input: symmetric (complex: Hermitian) matrices in a tensor of shape (..., n, n); only the
            lower triangle is read, with `upper` only the upper one
        upper: whether the factor is upper triangular: A = U^H U
    
    Returns a new tensor, the factor. Raises `linalg.LinAlgError`, a RuntimeError, if a matrix is not positive-definite.
    The gradient is symmetric (complex: Hermitian), although only one triangle is read.
    
    >>> a = jgrad.tensor([[4., 2.], [2., 5.]])
    >>> factor = jgrad.linalg.cholesky(a)
    >>> factor
    tensor([[2., 0.],
            [1., 2.]])
    >>> factor @ factor.mT
    tensor([[4., 2.],
            [2., 5.]])
    """
def cholesky_ex(input: Tensor, *, upper: _bool = False, check_errors: _bool = False, out: Any = None) -> return_types.linalg_cholesky_ex:
    """The Cholesky factorization A = L L^H of positive-definite matrices. It does not stop at a matrix that is not positive-definite.
    
    Args:
        input: symmetric (complex: Hermitian) matrices in a tensor of shape (..., n, n); only the
            lower triangle is read, with `upper` only the upper one
        upper: whether the factor is upper triangular: A = U^H U
        check_errors: whether to raise an error if a matrix is not positive-definite
    
    Returns a named tuple of new tensors: `L`, the factor, and `info`. `info` is 0 for success; else the factorization broke down at that row,
    counted from 1.
    
    >>> jgrad.linalg.cholesky_ex(jgrad.tensor([[1., 0.], [0., -1.]])).info
    tensor(2, dtype=jgrad.int32)
    """
@overload
def cond(input: Tensor, p: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """The condition number of matrices: how much the solution of a linear system may magnify errors.
    
    It is the norm of a matrix times the norm of its inverse. With the default norm it is the largest singular value by the smallest one.
    
    Args:
        input: a tensor of shape (..., n, n) with a floating point or complex dtype; with `p` None, 2 or -2 also of shape (..., m, n)
        p: the norm (see `ord` of `linalg.matrix_norm`); None is the same as 2
    
    Returns a new real tensor with one number for each matrix. For a singular matrix it is inf or, because of rounding, a very large number.
    
    >>> jgrad.linalg.cond(jgrad.tensor([[1., 0.], [0., 100.]]), p=1)
    tensor(100.)
    >>> jgrad.linalg.cond(jgrad.tensor([[1., 1.], [1., 1.]]), p=1)
    tensor(inf)
    """
@overload
def cond(input: Tensor, p: _str, *, out: Tensor | None = None) -> Tensor:
    """The condition number of matrices: how much the solution of a linear system may magnify errors."""
def cross(input: Tensor, other: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The cross products of vectors with three elements: each is perpendicular to both of its vectors.
    
    Args:
        input: a tensor with the first vectors along the dimension `dim`, whose size is 3
        other: a tensor with the second vectors; it has as many dimensions as `input`, and the two are broadcast together
        dim: the dimension of the vectors; negative numbers count from the last one
    
    Returns a new tensor.
    
    >>> jgrad.linalg.cross(jgrad.tensor([1, 0, 0]), jgrad.tensor([0, 1, 0]))
    tensor([0, 0, 1])
    """
def det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The determinant of square matrices.
    
    Args:
        A: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a new tensor with one number for each matrix. The gradient is the matrix of cofactors, also for singular matrices
    (PyTorch gives zeros for those, unless create_graph=True).
    
    >>> a = jgrad.tensor([[2., 1.], [0., 4.]], requires_grad=True)
    >>> det = jgrad.linalg.det(a)
    >>> det
    tensor(8., grad_fn=<LinalgDetBackward0>)
    >>> det.backward()
    >>> a.grad
    tensor([[ 4.,  0.],
            [-1.,  2.]])
    """
def diagonal(A: Tensor, *, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """The diagonals of matrices. It is `jgrad.diagonal`, but the matrices are in the last two dimensions by default.
    
    Args:
        A: a tensor with at least two dimensions
        offset: which diagonal: 0 the main one, positive numbers those above it, negative numbers those below it
        dim1: the dimension of the rows
        dim2: the dimension of the columns
    
    Returns a view of `A`. The diagonals are in its last dimension.
    
    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.linalg.diagonal(a)
    tensor([1., 4.])
    >>> jgrad.linalg.diagonal(a, offset=1)
    tensor([2.])
    """
def eig(input: Tensor, *, out: Any = None) -> return_types.linalg_eig:
    """The eigenvalues and eigenvectors of square matrices: `A @ V = V @ diag(L)`. For symmetric matrices `linalg.eigh` is faster and more exact.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a named tuple of new complex tensors: `eigenvalues` of shape (..., n), in no fixed order, and `eigenvectors` of shape (..., n, n),
    whose columns have length 1. A real matrix gives complex results, too. The gradient of the eigenvectors needs different eigenvalues.
    Eigenvectors may be multiplied by any number of absolute value 1; backward raises RuntimeError if the loss depends on that number.
    
    >>> result = jgrad.linalg.eig(jgrad.tensor([[2., 0.], [0., 3.]]))
    >>> result.eigenvalues
    tensor([2.+0.j, 3.+0.j])
    >>> result.eigenvectors
    tensor([[1.+0.j, 0.+0.j],
            [0.+0.j, 1.+0.j]])
    """
def eigh(input: Tensor, UPLO: _str = 'L', *, out: Any = None) -> return_types.linalg_eigh:
    """The eigenvalues and eigenvectors of symmetric (complex: Hermitian) matrices: `A = V @ diag(L) @ V.mH`.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
        UPLO: which triangle is read: "L", the lower one, or "U", the upper one
    
    Returns a named tuple of new tensors: `eigenvalues` of shape (..., n), real and in ascending order, and `eigenvectors` of shape (..., n, n),
    whose columns are orthogonal and have length 1. The gradient of the eigenvectors needs different eigenvalues. Their sign (complex: their
    phase) has no meaning, so a loss must not depend on it.
    
    >>> values, vectors = jgrad.linalg.eigh(jgrad.tensor([[2., 1.], [1., 2.]]))
    >>> values.round(decimals=3)
    tensor([1., 3.])
    >>> vectors.abs().round(decimals=3)
    tensor([[0.7070, 0.7070],
            [0.7070, 0.7070]])
    """
def eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of square matrices. For symmetric matrices `linalg.eigvalsh` is faster and more exact.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a new complex tensor of shape (..., n). The eigenvalues are in no fixed order. A real matrix gives complex numbers, too.
    
    >>> jgrad.linalg.eigvals(jgrad.tensor([[2., 1.], [0., 3.]]))
    tensor([2.+0.j, 3.+0.j])
    """
def eigvalsh(input: Tensor, UPLO: _str = 'L', *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of symmetric (complex: Hermitian) matrices, in ascending order.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
        UPLO: which triangle is read: "L", the lower one, or "U", the upper one
    
    Returns a new real tensor of shape (..., n). Its gradient is finite also where eigenvalues are equal.
    
    >>> jgrad.linalg.eigvalsh(jgrad.tensor([[2., 1.], [1., 2.]])).round(decimals=3)
    tensor([1., 3.])
    """
def householder_product(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The first n columns of a product of reflections, for instance the Q that `geqrf` describes.
    
    Reflection i is `I - tau[i] v v^H`, where I is the unit matrix. The vector v has
    zeros before element i, then a one, then the numbers below the diagonal in column i.
    
    Args:
        input: a tensor of shape (..., m, n), where n is at most m; the vectors of the reflections stand below its diagonal
        tau: the factors of the reflections, of shape (..., k), where k is at most n
    
    Returns a new tensor of shape (..., m, n).
    
    >>> a, tau = jgrad.geqrf(jgrad.tensor([[3.], [4.]]))
    >>> jgrad.linalg.householder_product(a, tau).round(decimals=3)
    tensor([[-0.6000],
            [-0.8000]])
    """
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of matrices. To solve a linear system, `linalg.solve` is faster and more exact.
    
    Args:
        A: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a new tensor with the shape of `A`. Raises `linalg.LinAlgError`, a RuntimeError, if a matrix is singular.
    
    >>> jgrad.linalg.inv(jgrad.tensor([[2., 1.], [0., 4.]]))
    tensor([[ 0.5000, -0.1250],
            [ 0.0000,  0.2500]])
    """
def inv_ex(A: Tensor, *, check_errors: _bool = False, out: Any = None) -> return_types.linalg_inv_ex:
    """The inverse of matrices. It does not stop at a singular matrix.
    
    Args:
        A: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
        check_errors: whether to raise an error if a matrix is singular
    
    Returns a named tuple of new tensors: `inverse` and `info`, which is 0 for success, else the place (from 1) of the zero on the diagonal
    of the LU factorization. The inverse of a singular matrix holds useless numbers.
    
    >>> matrices = jgrad.tensor([[[2., 0.], [0., 4.]], [[1., 1.], [1., 1.]]])
    >>> result = jgrad.linalg.inv_ex(matrices)
    >>> result.info  # the second matrix is singular
    tensor([0, 2], dtype=jgrad.int32)
    >>> result.inverse[0]
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
def ldl_factor(input: Tensor, *, hermitian: _bool = False, out: Any = None) -> return_types.linalg_ldl_factor:
    """The factorization A = L D L^T of symmetric matrices, which need not be positive-definite. L is lower triangular;
    D has blocks of one or two rows on its diagonal.
    
    Args:
        input: symmetric matrices in a tensor of shape (..., n, n), or Hermitian ones; only the lower triangle is read
        hermitian: whether complex matrices are Hermitian (A = L D L^H) and not symmetric; it makes no difference for real matrices
    
    Returns a named tuple of new tensors: `LD` and `pivots`. `LD` has the blocks of D on its diagonal and L below them. The pivots of
    blocks of two rows are negative. Raises RuntimeError if D has a zero block. The gradient is not implemented.
    
    >>> result = jgrad.linalg.ldl_factor(jgrad.tensor([[4., 2.], [2., -3.]]))
    >>> result.LD  # D is 4 and -4
    tensor([[ 4.0000,  0.0000],
            [ 0.5000, -4.0000]])
    >>> result.pivots
    tensor([1, 2], dtype=jgrad.int32)
    """
def ldl_factor_ex(input: Tensor, *, hermitian: _bool = False, check_errors: _bool = False, out: Any = None) -> return_types.linalg_ldl_factor_ex:
    """The factorization A = L D L^T of symmetric matrices, which need not be positive-definite. It does not stop at a zero block in D.
    
    Args:
        input: symmetric matrices in a tensor of shape (..., n, n), or Hermitian ones; only the lower triangle is read
        hermitian: whether complex matrices are Hermitian (A = L D L^H) and not symmetric; it makes no difference for real matrices
        check_errors: whether to raise an error if D has a zero block
    
    Returns a named tuple of new tensors: `LD`, `pivots` and `info`. `LD` has the blocks of D on its diagonal and L below
    them. The pivots of blocks of two rows are negative. `info` is 0 for success, else the place (from 1) of the first zero block.
    The gradient is not implemented.
    
    >>> jgrad.linalg.ldl_factor_ex(jgrad.tensor([[4., 0.], [0., 0.]])).info
    tensor(2, dtype=jgrad.int32)
    """
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The solution X of the linear system A X = B, from the factorization of A that `linalg.ldl_factor` returns.
    
    Args:
        LD: the factors of A, of shape (..., n, n)
        pivots: the exchanges of rows that belong to them
        B: the right side, of shape (..., n, k)
        hermitian: the same as was given to `linalg.ldl_factor`
    
    Returns a new tensor with the shape of `B`. The gradient is not implemented.
    
    >>> factors, pivots = jgrad.linalg.ldl_factor(jgrad.tensor([[4., 2.], [2., -3.]]))
    >>> jgrad.linalg.ldl_solve(factors, pivots, jgrad.tensor([[6.], [-1.]]))
    tensor([[1.],
            [1.]])
    """
def lstsq(input: Tensor, b: Tensor, rcond: _float | None = None, *, driver: _str | None = None, out: Any = None) -> return_types.linalg_lstsq:
    """The solution of least squares problems: the matrix X for which A X is nearest to B. If there are several, it is the one with the smallest norm.
    
    Args:
        input: A, a tensor of shape (..., m, n) with a floating point or complex dtype
        b: B, of shape (..., m, k), or one vector for each matrix of A, of shape (..., m)
        rcond: singular values up to this number times the largest one count as zero; None is the greater of m and n times the eps of the dtype
        driver: the LAPACK method: "gels" (A must have full rank), "gelsy" (the default), "gelsd" or "gelss"
    
    Returns a named tuple of new tensors: `solution` of shape (..., n, k), `residuals`, `rank` and `singular_values`. `residuals` has the sums of
    the squares of `A X - B` in each column; it is empty with "gelsy", and unless m is greater than n and A has full rank. `rank` is empty
    with "gels"; `singular_values` is empty except with "gelsd" and "gelss". Only `solution` and `residuals` have a gradient.
    
    >>> x = jgrad.tensor([0., 1., 2.])
    >>> a = jgrad.stack([x, jgrad.ones(3)], 1)  # fit a line to three points
    >>> result = jgrad.linalg.lstsq(a, jgrad.tensor([[1.], [3.], [5.]]))
    >>> result.solution.round(decimals=3)  # y = 2 * x + 1
    tensor([[2.],
            [1.]])
    >>> result.rank
    tensor(2)
    """
def lu(A: Tensor, *, pivot: _bool = True, out: Any = None) -> return_types.linalg_lu:
    """The LU factorization A = P L U of matrices: P is a permutation of the rows, L is lower triangular, U is upper triangular.
    
    Args:
        A: a tensor of shape (..., m, n) with a floating point or complex dtype
        pivot: whether rows are exchanged, which makes the factorization more exact; a tensor on the CPU needs True
    
    Returns a named tuple of new tensors: `P` of shape (..., m, m), `L` of shape (..., m, k) with ones on its diagonal, and `U` of shape
    (..., k, n). Here k is the smaller of m and n. `P` has no gradient.
    
    >>> a = jgrad.tensor([[4., 3.], [8., 2.]])
    >>> p, l, u = jgrad.linalg.lu(a)
    >>> p, l
    (tensor([[0., 1.],
            [1., 0.]]), tensor([[1.0000, 0.0000],
            [0.5000, 1.0000]]))
    >>> u
    tensor([[8., 2.],
            [0., 2.]])
    >>> jgrad.equal(p @ l @ u, a)
    True
    """
def lu_factor(A: Tensor, *, pivot: _bool = True, out: Any = None) -> return_types.linalg_lu_factor:
    """The LU factorization A = P L U of matrices, in a compact form: L and U are stored in one matrix, P as exchanges of rows.
    
    Args:
        A: a tensor of shape (..., m, n) with a floating point or complex dtype
        pivot: whether rows are exchanged, which makes the factorization more exact; a tensor on the CPU needs True
    
    Returns a named tuple of new tensors: `LU` and `pivots`. `LU` has U on and above the diagonal, and L below it; the ones on the diagonal of L
    are not stored. Step i exchanged row i and row `pivots[i]`, counted from 1. Raises RuntimeError if U has a zero on its diagonal.
    
    >>> result = jgrad.linalg.lu_factor(jgrad.tensor([[4., 3.], [8., 2.]]))
    >>> result.LU
    tensor([[8.0000, 2.0000],
            [0.5000, 2.0000]])
    >>> result.pivots  # step 1 exchanged rows 1 and 2; step 2 exchanged nothing
    tensor([2, 2], dtype=jgrad.int32)
    >>> jgrad.linalg.lu_solve(*result, jgrad.tensor([[7.], [10.]]))
    tensor([[1.],
            [1.]])
    """
def lu_factor_ex(A: Tensor, *, pivot: _bool = True, check_errors: _bool = False, out: Any = None) -> return_types.linalg_lu_factor_ex:
    """The LU factorization A = P L U of matrices, in a compact form. It does not stop at a matrix where the factorization breaks down.
    
    Args:
        A: a tensor of shape (..., m, n) with a floating point or complex dtype
        pivot: whether rows are exchanged, which makes the factorization more exact; a tensor on the CPU needs True
        check_errors: whether to raise an error if U has a zero on its diagonal
    
    Returns a named tuple of new tensors: `LU`, `pivots` and `info`. `LU` has U on and above the diagonal, and L below it; the ones on the
    diagonal of L are not stored. Step i exchanged row i and row `pivots[i]`, counted from 1. `info` is 0 for success, else the place
    (from 1) of the first zero on the diagonal of U.
    
    >>> a = jgrad.tensor([[1., 2.], [2., 4.]])  # the rows depend on each other
    >>> jgrad.linalg.lu_factor_ex(a).info
    tensor(2, dtype=jgrad.int32)
    """
def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: _bool = True, adjoint: _bool = False, out: Tensor | None = None) -> Tensor:
    """The solution X of the linear system A X = B, from the LU factorization of A. One factorization serves many systems.
    
    Args:
        LU: the factors of A, as `linalg.lu_factor` returns them, of shape (..., n, n)
        pivots: the exchanges of rows that belong to them
        B: the right side, of shape (..., n, k), or (..., k, n) if `left` is False; the batch dimensions are broadcast
        left: whether A stands on the left; False solves X A = B
        adjoint: whether the system has the conjugated, transposed A in place of A
    
    Returns a new tensor with the shape of `B`.
    
    >>> factors, pivots = jgrad.linalg.lu_factor(jgrad.tensor([[4., 3.], [8., 2.]]))
    >>> jgrad.linalg.lu_solve(factors, pivots, jgrad.tensor([[7.], [10.]]))
    tensor([[1.],
            [1.]])
    """
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix product of vectors, matrices and batches of matrices. It is `jgrad.matmul`.
    
    Args:
        input: a tensor of shape (..., n, m) or (m,)
        other: a tensor of shape (..., m, p) or (m,), with the dtype of `input`; the batch dimensions are broadcast
    
    Returns a new tensor of shape (..., n, p). It lacks n or p if the tensor on that side is a vector.
    
    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.linalg.matmul(a, jgrad.tensor([1., 10.]))
    tensor([21., 43.])
    """
def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of square matrices: the sum of all A^k / k!, where A^k is the matrix power. It is not the exponential of each element.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a new tensor with the shape of `input`.
    
    >>> jgrad.linalg.matrix_exp(jgrad.tensor([[0., 2.], [0., 0.]]))  # A @ A is zero, so the sum is 1 + A
    tensor([[1., 2.],
            [0., 1.]])
    """
@overload
def matrix_norm(input: Tensor, ord: Number, dim: Sequence[_int] = ..., keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """Norms of matrices.
    
    With `ord` 1 and -1 it is the largest and the smallest sum of the absolute values in a column, with inf and -inf that in a row.
    With 2 and -2 it is the largest and the smallest singular value, with "nuc" the sum of the singular values.
    With "fro" it is the root of the sum of the squares of all elements.
    
    Args:
        input: a tensor with at least two dimensions and a floating point or complex dtype
        ord: which norm: 1, -1, 2, -2, inf, -inf, "fro" (the default) or "nuc"
        dim: the dimension of the rows and the one of the columns; the others are batch dimensions
        keepdim: whether the two dimensions stay in the result, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with one number for each matrix. It is real.
    
    >>> a = jgrad.tensor([[3., 0.], [4., 0.]])
    >>> jgrad.linalg.matrix_norm(a)
    tensor(5.)
    >>> jgrad.linalg.matrix_norm(a, ord=1)
    tensor(7.)
    >>> jgrad.linalg.matrix_norm(a, ord=float("inf"))
    tensor(4.)
    """
@overload
def matrix_norm(input: Tensor, ord: _str = 'fro', dim: Sequence[_int] = ..., keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """Norms of matrices."""
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The matrix multiplied by itself n times. If n is negative, its inverse is multiplied by itself.
    
    Args:
        input: a square matrix, or a batch of them in a tensor of shape (..., n, n)
        n: the exponent, an int; 0 gives unit matrices
    
    Returns a new tensor with the shape of `input`. Raises an error if n is negative and a matrix has no inverse.
    
    >>> a = jgrad.tensor([[1., 1.], [1., 0.]])
    >>> jgrad.linalg.matrix_power(a, 6)  # the Fibonacci numbers 13, 8, 5
    tensor([[13.,  8.],
            [ 8.,  5.]])
    >>> jgrad.linalg.matrix_power(a, -1)
    tensor([[ 0.,  1.],
            [ 1., -1.]])
    """
@overload
def matrix_rank(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The rank of matrices: how many singular values exceed the greater of `atol` and `rtol` times the largest singular value.
    
    Args:
        input: a tensor of shape (..., m, n) with a floating point or complex dtype
        atol: the absolute tolerance, a number or a tensor that is broadcast to the batch; None is 0
        rtol: the relative tolerance, a number or a tensor that is broadcast to the batch; None is
            the greater of m and n times the eps of the dtype, or 0 if `atol` is given and greater than 0
        hermitian: whether the matrices are symmetric (complex: Hermitian), which is faster; only the lower triangle is read then
        tol: the older name of `atol`, as the second argument; the relative tolerance is then 0
    
    Returns a new int64 tensor with one number for each matrix. Has no gradient.
    
    >>> a = jgrad.tensor([[1., 0.], [0., 0.001]])
    >>> jgrad.linalg.matrix_rank(a)
    tensor(2)
    >>> jgrad.linalg.matrix_rank(a, atol=0.01)
    tensor(1)
    """
@overload
def matrix_rank(input: Tensor, *, atol: _float | None = None, rtol: _float | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The rank of matrices: how many singular values exceed the greater of `atol` and `rtol` times the largest singular value."""
@overload
def matrix_rank(input: Tensor, tol: Tensor, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The rank of matrices: how many singular values exceed the greater of `atol` and `rtol` times the largest singular value."""
@overload
def matrix_rank(input: Tensor, tol: _float, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The rank of matrices: how many singular values exceed the greater of `atol` and `rtol` times the largest singular value."""
def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The product of a chain of matrices, multiplied in the order that needs the fewest multiplications of numbers.
    
    Args:
        tensors: two or more tensors of one dtype, in a list or tuple; all are matrices, but the first and the last may be vectors
    
    Returns a new tensor. It is a matrix, or has one dimension less for each vector at an end of the chain.
    
    >>> a, b, c = jgrad.ones(10, 2), jgrad.ones(2, 50), jgrad.ones(50, 1)
    >>> jgrad.linalg.multi_dot([a, b, c]).shape  # computed as a @ (b @ c): 120 multiplications, not 1500
    jgrad.Size([10, 1])
    """
@overload
def norm(input: Tensor, ord: Number | None = None, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """A norm of vectors or of matrices. Without `ord` it is the 2-norm of all elements: the root of the sum of their squares.
    
    If `ord` is given, the number of dimensions decides: one dimension holds vectors (see `linalg.vector_norm`), two hold matrices
    (see `linalg.matrix_norm`). The same `ord` means different things for vectors and for matrices.
    
    Args:
        input: a tensor with a floating point or complex dtype; if `ord` is given but not `dim`, it must have one or two dimensions
        ord: which norm; for vectors any number; for matrices 1, -1, 2, -2, inf, -inf, "fro" or "nuc"; None is the 2-norm of the elements
        dim: one dimension (vectors) or a pair (matrices); None stands for all dimensions
        keepdim: whether the dimensions of the norm stay in the result, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor without the dimensions of the norm. It is real.
    
    >>> a = jgrad.tensor([[3., 0.], [4., 0.]])
    >>> jgrad.linalg.norm(a)
    tensor(5.)
    >>> jgrad.linalg.norm(a, ord=1, dim=0)  # of each column
    tensor([7., 0.])
    >>> jgrad.linalg.norm(a, ord=1)  # of the matrix: its largest column sum
    tensor(7.)
    """
@overload
def norm(input: Tensor, ord: _str, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """A norm of vectors or of matrices. Without `ord` it is the 2-norm of all elements: the root of the sum of their squares."""
@overload
def pinv(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The pseudoinverse (Moore-Penrose inverse) of matrices. For a square matrix that has an inverse, it is the inverse.
    
    Singular values up to the greater of `atol` and `rtol` times the largest singular value count as zero.
    
    Args:
        input: a tensor of shape (..., m, n) with a floating point or complex dtype
        atol: the absolute tolerance, a number or a tensor that is broadcast to the batch; None is 0
        rtol: the relative tolerance, a number or a tensor that is broadcast to the batch; None is
            the greater of m and n times the eps of the dtype, or 0 if `atol` is given and greater than 0
        hermitian: whether the matrices are symmetric (complex: Hermitian), which is faster; only the lower triangle is read then
        rcond: the older name of `rtol`, as the second argument
    
    Returns a new tensor of shape (..., n, m). The tolerances have no gradient.
    
    >>> a = jgrad.tensor([[2., 0.], [0., 4.], [0., 0.]])
    >>> jgrad.linalg.pinv(a).round(decimals=3) + 0.  # + 0. turns -0. into 0.
    tensor([[0.5000, 0.0000, 0.0000],
            [0.0000, 0.2500, 0.0000]])
    """
@overload
def pinv(input: Tensor, *, atol: _float | None = None, rtol: _float | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The pseudoinverse (Moore-Penrose inverse) of matrices. For a square matrix that has an inverse, it is the inverse."""
@overload
def pinv(input: Tensor, rcond: _float, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The pseudoinverse (Moore-Penrose inverse) of matrices. For a square matrix that has an inverse, it is the inverse."""
@overload
def pinv(input: Tensor, rcond: Tensor, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The pseudoinverse (Moore-Penrose inverse) of matrices. For a square matrix that has an inverse, it is the inverse."""
def qr(A: Tensor, mode: _str = 'reduced', *, out: Any = None) -> return_types.linalg_qr:
    """The QR factorization A = Q R of matrices: the columns of Q are orthogonal and have length 1, R is upper triangular.
    
    Args:
        A: a tensor of shape (..., m, n) with a floating point or complex dtype
        mode: "reduced" gives Q with as many columns as the smaller of m and n; "complete" gives a square Q; "r" computes R alone, and Q is empty
    
    Returns a named tuple of new tensors, `Q` and `R`. The diagonal of R may have negative numbers.
    There is no gradient with mode "r", and none with mode "complete" if m is greater than n. The gradient is useful only if the first columns of
    A, as many as the smaller of m and n, are linearly independent.
    
    >>> a = jgrad.tensor([[3., 5.], [4., 10.]])
    >>> q, r = jgrad.linalg.qr(a)
    >>> r.round(decimals=3)
    tensor([[ -5., -11.],
            [  0.,   2.]])
    >>> (q @ r).round(decimals=3)
    tensor([[ 3.,  5.],
            [ 4., 10.]])
    """
def slogdet(A: Tensor, *, out: Any = None) -> return_types.linalg_slogdet:
    """The sign of the determinant and the logarithm of its absolute value. They stay finite where the determinant itself is too large or too small.
    
    Args:
        A: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a named tuple of new tensors with one number for each matrix: `sign` (1, -1 or 0; for complex matrices a number of absolute value 1,
    or 0) and `logabsdet`, which is real. A singular matrix gives 0 and -inf.
    
    >>> a = 1e20 * jgrad.eye(3)
    >>> jgrad.linalg.det(a)
    tensor(inf)
    >>> jgrad.linalg.slogdet(a)
    jgrad.return_types.linalg_slogdet(
    sign=tensor(1.),
    logabsdet=tensor(138.1551))
    """
def solve(A: Tensor, B: Tensor, *, left: _bool = True, out: Tensor | None = None) -> Tensor:
    """The solution X of the linear system A X = B, where every matrix A is square and has an inverse.
    
    Args:
        A: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
        B: the right side, with the dtype of `A`: matrices of shape (..., n, k), or (..., k, n) if `left` is False, or one vector of
            shape (n,), or one vector for each matrix of `A`
        left: whether A stands on the left; False solves X A = B
    
    Returns a new tensor, X. Raises `linalg.LinAlgError`, a RuntimeError, if a matrix is singular.
    
    >>> a = jgrad.tensor([[2., 0.], [0., 4.]])
    >>> b = jgrad.tensor([2., 2.], requires_grad=True)
    >>> x = jgrad.linalg.solve(a, b)
    >>> x
    tensor([1.0000, 0.5000], grad_fn=<LinalgSolveExBackward0>)
    >>> x.sum().backward()
    >>> b.grad
    tensor([0.5000, 0.2500])
    """
def solve_ex(A: Tensor, B: Tensor, *, left: _bool = True, check_errors: _bool = False, out: Any = None) -> return_types.linalg_solve_ex:
    """The solution X of the linear system A X = B. It does not stop at a singular matrix.
    
    Args:
        A: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
        B: the right side, with the dtype of `A`: matrices of shape (..., n, k), or (..., k, n) if `left` is False, or one vector of
            shape (n,), or one vector for each matrix of `A`
        left: whether A stands on the left; False solves X A = B
        check_errors: whether to raise an error if a matrix is singular
    
    Returns a named tuple of new tensors: `result` and `info`, which is 0 for success, else the place (from 1) of the zero on the diagonal
    of the LU factorization.
    
    >>> a = jgrad.tensor([[1., 2.], [2., 4.]])  # singular
    >>> jgrad.linalg.solve_ex(a, jgrad.tensor([1., 1.])).info
    tensor(2, dtype=jgrad.int32)
    """
def solve_triangular(input: Tensor, B: Tensor, *, upper: _bool, left: _bool = True, unitriangular: _bool = False, out: Tensor | None = None) -> Tensor:
    """The solution X of the linear system A X = B for a triangular matrix A. Only that triangle of A is read.
    
    Args:
        input: A, a triangular matrix or a batch of them in a tensor of shape (..., n, n)
        B: the right side, of shape (..., n, k), or (..., k, n) if `left` is False; the batch dimensions are broadcast
        upper: whether A is upper triangular (True) or lower triangular (False)
        left: whether A stands on the left; False solves X A = B
        unitriangular: whether the diagonal of A is taken to be ones; it is not read then
    
    Returns a new tensor with the shape of `B`. A zero on the diagonal is no error: the result has inf or nan.
    
    >>> a = jgrad.tensor([[2., 1.], [0., 4.]])
    >>> jgrad.linalg.solve_triangular(a, jgrad.tensor([[4.], [8.]]), upper=True)
    tensor([[1.],
            [2.]])
    """
def svd(A: Tensor, full_matrices: _bool = True, *, driver: _str | None = None, out: Any = None) -> return_types.linalg_svd:
    """The singular value decomposition of matrices: `A = U @ diag(S) @ Vh`. U and Vh have orthogonal columns and rows of length 1.
    
    Args:
        A: a tensor of shape (..., m, n) with a floating point or complex dtype
        full_matrices: whether U and Vh are square; if False, they have k columns and k rows, where k is the smaller of m and n
        driver: the method on a CUDA device; on the CPU it must be None
    
    Returns a named tuple of new tensors: `U` of shape (..., m, m) or (..., m, k), `S` of shape (..., k), real and in descending order, and `Vh`
    of shape (..., n, n) or (..., k, n). The additional columns of U and rows of Vh give no gradient, that of the others needs different
    singular values. The sign (complex: phase) of the vectors has no meaning, so a loss must not depend on it.
    
    >>> a = jgrad.tensor([[0., 2.], [3., 0.], [0., 0.]])
    >>> u, s, vh = jgrad.linalg.svd(a, full_matrices=False)
    >>> u.shape, vh.shape
    (jgrad.Size([3, 2]), jgrad.Size([2, 2]))
    >>> s.round(decimals=3)
    tensor([3., 2.])
    >>> jgrad.allclose(u @ jgrad.diag(s) @ vh, a)
    True
    """
def svdvals(A: Tensor, *, driver: _str | None = None, out: Tensor | None = None) -> Tensor:
    """The singular values of matrices, in descending order.
    
    Args:
        A: a tensor of shape (..., m, n) with a floating point or complex dtype
        driver: the method on a CUDA device; on the CPU it must be None
    
    Returns a new real tensor of shape (..., k), where k is the smaller of m and n. Its gradient is finite also where singular values are equal.
    
    >>> jgrad.linalg.svdvals(jgrad.tensor([[0., 2.], [3., 0.]])).round(decimals=3)
    tensor([3., 2.])
    """
def tensorinv(input: Tensor, ind: _int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a tensor with regard to `tensordot`.
    
    The tensor is taken as a square matrix: the first `ind` dimensions together are its rows, the others together are its columns.
    For `y = tensordot(a, x, x.ndim)` the inverse gives back `x = tensordot(tensorinv(a, ind), y, ind)`.
    
    Args:
        input: a tensor of floating point or complex numbers; its first `ind` dimensions have
            together the same size as the others
        ind: how many dimensions are the rows, at least 1
    
    Returns a new tensor of shape `input.shape[ind:] + input.shape[:ind]`. Raises an error if the matrix is singular.
    
    >>> a = 2 * jgrad.eye(6).reshape(2, 3, 6)
    >>> inverse = jgrad.linalg.tensorinv(a)
    >>> inverse.shape
    jgrad.Size([6, 2, 3])
    >>> jgrad.tensordot(inverse, jgrad.ones(2, 3), 2)
    tensor([0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000])
    """
def tensorsolve(input: Tensor, other: Tensor, dims: Sequence[_int] | None = None, *, out: Tensor | None = None) -> Tensor:
    """The solution X of the tensor equation `tensordot(input, X, X.ndim) = other`.
    
    Args:
        input: a tensor of floating point or complex numbers of shape `other.shape + X.shape`, where both parts have the same number of elements
        other: the right side of the equation
        dims: dimensions of `input` that are moved to its end before the equation is solved; None moves none
    
    Returns a new tensor, X. Its shape is what follows the dimensions of `other` in the shape of `input`.
    
    >>> a = 2 * jgrad.eye(6).reshape(2, 3, 6)
    >>> jgrad.linalg.tensorsolve(a, jgrad.tensor([[0., 2., 4.], [6., 8., 10.]]))
    tensor([0., 1., 2., 3., 4., 5.])
    """
def vander(x: Tensor, *, N: _int | None = None) -> Tensor:
    """Vandermonde matrices: the powers 0, 1, ..., N - 1 of every element, in a new last dimension.
    
    Args:
        x: a tensor of shape (..., n) with integers, floating point or complex numbers
        N: how many powers, at least 2; None takes n
    
    Returns a new tensor of shape (..., n, N). Raises RuntimeError if N is less than 2.
    
    >>> jgrad.linalg.vander(jgrad.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [1, 2, 4],
            [1, 3, 9]])
    >>> jgrad.linalg.vander(jgrad.tensor([2, 3]), N=4)
    tensor([[ 1,  2,  4,  8],
            [ 1,  3,  9, 27]])
    """
def vecdot(x: Tensor, y: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The sums of the products of two tensors along a dimension: the dot products of many vectors. The elements of `x` are conjugated.
    
    Args:
        x: a tensor with a floating point or complex dtype, which is conjugated
        y: a tensor with the same dtype; the shapes are broadcast
        dim: the dimension that holds the vectors; negative numbers count from the last one
    
    Returns a new tensor without that dimension.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.linalg.vecdot(x, jgrad.tensor([1., 10.]))
    tensor([21., 43.])
    >>> jgrad.linalg.vecdot(x, x, dim=0)
    tensor([10., 20.])
    """
def vector_norm(input: Tensor, ord: Number = 2, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The norm of order `ord` of all elements as one vector, or of the vectors along some dimensions.
    
    Args:
        input: a tensor of any shape, with a floating or complex dtype
        ord: the order: 2 gives the length, 1 the sum of the absolute values, `float("inf")` the largest absolute value, `-float("inf")` the
            smallest, 0 the number of elements that are not 0. Another number p gives the p-th root of the sum of the p-th powers.
        dim: a dimension, or a tuple of dimensions, to reduce; None means all dimensions
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
        dtype: the elements are converted to this dtype first; it may not be narrower than that of `input`; None keeps that of `input`
    
    Returns a new tensor. The norm of complex numbers is real. Where the norm of order 2 is 0, its gradient is 0. Raises RuntimeError for integers.
    
    >>> x = jgrad.tensor([3., -4.])
    >>> jgrad.linalg.vector_norm(x)
    tensor(5.)
    >>> jgrad.linalg.vector_norm(x, 1)
    tensor(7.)
    >>> jgrad.linalg.vector_norm(x, float("inf"))
    tensor(4.)
    """
