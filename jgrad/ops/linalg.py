"""Products of vectors and matrices."""

from __future__ import annotations

import math
from typing import Any

from jgrad.dispatch import TABLE, composite, formula, install_operator, install_swapped, op
from jgrad.dispatch.options import INTERNAL
from jgrad.graph.view import bump
from jgrad.kernels.numpy.shape import common_shape
from jgrad.ops.by_name import _unsafe_view, conj, mul, scaled, t, transpose, unsqueeze
from jgrad.ops.reshaping import expand
from jgrad.tensor import Tensor


@op("mm(Tensor self, Tensor mat2) -> Tensor", forms="function method out")
class mm:
    """The product of two matrices: element (i, j) is the sum of the products of row i of the first and column j of the second.

    Args:
        input: a matrix of shape (n, m)
        mat2: a matrix of shape (m, p), with the dtype of `input`

    Returns a new tensor of shape (n, p). Nothing is broadcast; `matmul` also takes vectors and batches.

    >>> a = jgrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    >>> b = jgrad.tensor([[1., 0.], [1., 1.]])
    >>> c = jgrad.mm(a, b)
    >>> c
    tensor([[3., 2.],
            [7., 4.]], grad_fn=<MmBackward0>)
    >>> c.sum().backward()
    >>> a.grad  # each row holds the sums of the rows of b
    tensor([[1., 2.],
            [1., 2.]])
    """

    self = lambda grad, mat2, self_strides: mm_mat1(grad, mat2, self_strides)
    mat2 = lambda grad, self, mat2_strides: mm_mat2(grad, self, mat2_strides)


@formula
def mm_mat1(grad: Any, mat2: Any, strides: Any) -> Any:
    """grad @ mat2^H, in memory column by column if what it is the gradient for has such strides (the weight of a linear layer)."""
    if len(strides) == 2 and strides[0] == grad.itemsize and strides[1] == grad.itemsize * grad.shape[0]:
        return t(mm(conj(mat2), t(grad)))
    return mm(grad, conj(t(mat2)))


@formula
def repeated(grad: Any, times: int) -> Any:
    """The gradient of a sum over a batch: the same one for each of its matrices."""
    return expand(unsqueeze(grad, 0), (times, *grad.shape))


@formula
def mm_mat2(grad: Any, mat1: Any, strides: Any) -> Any:
    """mat1^H @ grad, likewise."""
    if len(strides) == 2 and strides[0] == grad.itemsize and strides[1] == grad.itemsize * mat1.shape[1]:
        return t(mm(t(grad), conj(mat1)))
    return mm(conj(t(mat1)), grad)


@op("bmm(Tensor self, Tensor mat2) -> Tensor", keeps_dtype=True, forms="function method out")
class bmm:
    """The products of two batches of matrices: each matrix of the first is multiplied by the matrix at the same place of the second.

    Args:
        input: matrices in a tensor of shape (b, n, m)
        mat2: as many matrices, in a tensor of shape (b, m, p), with the dtype of `input`

    Returns a new tensor of shape (b, n, p). Nothing is broadcast; `matmul` broadcasts the batches.

    >>> a = jgrad.tensor([[[1., 2.]], [[3., 4.]]])  # two matrices of shape (1, 2)
    >>> b = jgrad.tensor([[[1.], [1.]], [[1.], [-1.]]])  # two matrices of shape (2, 1)
    >>> jgrad.bmm(a, b)
    tensor([[[ 3.]],
    <BLANKLINE>
            [[-1.]]])
    """

    self = lambda grad, mat2: bmm(grad, conj(transpose(mat2, 1, 2)))
    mat2 = lambda grad, self: bmm(conj(transpose(self, 1, 2)), grad)


@op("mv(Tensor self, Tensor vec) -> Tensor", forms="function method out")
class mv:
    """A matrix times a vector: element i is the sum of the products of row i and the vector.

    Args:
        input: a matrix of shape (n, m)
        vec: a vector of shape (m,), with the dtype of `input`

    Returns a new tensor of shape (n,).

    >>> jgrad.mv(jgrad.tensor([[1., 2.], [3., 4.]]), jgrad.tensor([1., -1.]))
    tensor([-1., -1.])
    """

    self = lambda grad, vec: outer_product(grad, conj(vec))
    vec = lambda grad, self: mv(conj(t(self)), grad)


@op(
    "dot(Tensor self, Tensor tensor) -> Tensor",
    forms="function method out",
    out_dtype="result dtype {out} does not match input dtype {result}",
)
class dot:
    """The sum of the products of two vectors. Complex elements are not conjugated (`vdot` conjugates those of the first vector).

    Args:
        input: a vector, that is a tensor with one dimension
        tensor: a vector with the same number of elements and the same dtype

    Returns a new tensor with no dimensions. The gradient of one vector is the other vector.

    >>> a = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> product = jgrad.dot(a, jgrad.tensor([4., 5., 6.]))
    >>> product
    tensor(32., grad_fn=<DotBackward0>)
    >>> product.backward()
    >>> a.grad
    tensor([4., 5., 6.])
    """

    self = lambda grad, tensor: mul(grad, conj(tensor))
    tensor = lambda grad, self: mul(grad, conj(self))


@op(
    "vdot(Tensor self, Tensor other) -> Tensor",
    forms="function method out",
    out_dtype="result dtype {out} does not match input dtype {result}",
)
class vdot:
    """The sum of the products of two vectors, where the elements of the first one are conjugated. For real numbers it is `dot`.

    Args:
        input: a vector, whose complex elements are conjugated
        other: a vector with the same number of elements and the same dtype

    Returns a new tensor with no dimensions.

    >>> a = jgrad.tensor([1 + 2j, 3 + 0j])
    >>> jgrad.vdot(a, a)  # the sum of the squares of the absolute values
    tensor(14.+0.j)
    >>> jgrad.dot(a, a)
    tensor(6.+4.j)
    """

    self = lambda grad, other: mul(conj(grad), other)
    other = lambda grad, self: mul(grad, self)


@op("_drop_dim(Tensor self, int dim) -> Tensor", kernel="squeeze_dim", node="SqueezeBackward4", **INTERNAL)
class _drop_dim:
    """A fresh result without a dimension of size 1: PyTorch squeezes it in place, so for autograd it is not a view."""

    self = lambda grad, self_shape: grad.reshape(self_shape)


def adjoint_of(a: Tensor) -> Tensor:
    """The transposed conjugate of matrices."""
    return conj(transpose(a, -2, -1))


def outer_product(a: Tensor, b: Tensor) -> Tensor:
    return a.view(-1, 1) * b


# ----- beta * self + alpha * (a product) -----


@op(
    "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Number beta=1, Number alpha=1) -> Tensor",
    deprecated="addmm(Number beta, Tensor self, Number alpha, Tensor mat1, Tensor mat2); addmm(Number beta, Tensor self, Tensor mat1, Tensor mat2)",
    forms="function method inplace out",
)
class addmm:
    """The matrix product of `mat1` and `mat2`, scaled and added to a tensor: `beta * input + alpha * (mat1 @ mat2)`.

    Args:
        input: what is added; it is broadcast to the shape of the product
        mat1: a matrix of shape (n, m)
        mat2: a matrix of shape (m, p)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the product

    Returns a new tensor of shape (n, p). All tensors must have the same dtype.

    >>> bias = jgrad.tensor([10., 20.])
    >>> mat1 = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> mat2 = jgrad.tensor([[1., 0.], [0., 2.]])
    >>> jgrad.addmm(bias, mat1, mat2)
    tensor([[11., 24.],
            [13., 28.]])
    >>> jgrad.addmm(bias, mat1, mat2, beta=0, alpha=10)
    tensor([[10., 40.],
            [30., 80.]])
    """

    self = lambda grad, beta: scaled(grad, conj(beta))
    mat1 = lambda grad, mat2, mat1_strides, alpha: scaled(mm_mat1(grad, mat2, mat1_strides), conj(alpha))
    mat2 = lambda grad, mat1, mat2_strides, alpha: scaled(mm_mat2(grad, mat1, mat2_strides), conj(alpha))


@op("addmv(Tensor self, Tensor mat, Tensor vec, *, Number beta=1, Number alpha=1) -> Tensor",
    forms="function method inplace function_ out", deprecated="addmv(Number beta, Tensor self, Number alpha, Tensor mat, Tensor vec); addmv(Number beta, Tensor self, Tensor mat, Tensor vec)")  # fmt: skip
class addmv:
    """The product of a matrix and a vector, scaled and added to a tensor: `beta * input + alpha * (mat @ vec)`.

    Args:
        input: what is added; it is broadcast to the shape of the product
        mat: a matrix of shape (n, m)
        vec: a vector of shape (m,)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the product

    Returns a new tensor of shape (n,). All tensors must have the same dtype.

    >>> mat = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.addmv(jgrad.tensor([10., 20.]), mat, jgrad.tensor([1., 1.]), alpha=2)
    tensor([16., 34.])
    """

    self = lambda grad, beta: scaled(grad, conj(beta))
    mat = lambda grad, vec, alpha: scaled(outer_product(grad, conj(vec)), conj(alpha))
    vec = lambda grad, mat, alpha: scaled(mv(conj(t(mat)), grad), conj(alpha))


@op("addr(Tensor self, Tensor vec1, Tensor vec2, *, Number beta=1, Number alpha=1) -> Tensor", out_dtype="castable",
    deprecated="addr(Number beta, Tensor self, Number alpha, Tensor vec1, Tensor vec2); addr(Number beta, Tensor self, Tensor vec1, Tensor vec2)", batches="examples", forms="function method inplace out")  # fmt: skip
class addr:
    """The outer product of two vectors, scaled and added to a tensor: `beta * input + alpha * outer(vec1, vec2)`.

    Args:
        input: what is added; it is broadcast to the shape of the product
        vec1: a vector of shape (n,)
        vec2: a vector of shape (m,)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the product

    Returns a new tensor of shape (n, m).

    >>> jgrad.addr(jgrad.zeros(2, 3), jgrad.tensor([1., 2.]), jgrad.tensor([1., 2., 3.]))
    tensor([[1., 2., 3.],
            [2., 4., 6.]])
    """

    self = lambda grad, beta: scaled(grad, conj(beta))
    vec1 = lambda grad, vec2, alpha: scaled(mv(grad, conj(vec2)), conj(alpha))
    vec2 = lambda grad, vec1, alpha: scaled(mv(t(grad), conj(vec1)), conj(alpha))


@op(
    "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Number beta=1, Number alpha=1) -> Tensor",
    deprecated="baddbmm(Number beta, Tensor self, Number alpha, Tensor batch1, Tensor batch2); baddbmm(Number beta, Tensor self, Tensor batch1, Tensor batch2)",
    keeps_dtype=True,
    forms="function method inplace out",
)
class baddbmm:
    """The products of two batches of matrices, scaled and added to a tensor: `beta * input + alpha * bmm(batch1, batch2)`.

    Args:
        input: what is added; it is broadcast to the shape of the products
        batch1: matrices in a tensor of shape (b, n, m)
        batch2: as many matrices, in a tensor of shape (b, m, p)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the products

    Returns a new tensor of shape (b, n, p). All tensors must have the same dtype.

    >>> batch1 = jgrad.tensor([[[1., 2.]], [[3., 4.]]])  # two matrices of shape (1, 2)
    >>> batch2 = jgrad.ones(2, 2, 1)
    >>> jgrad.baddbmm(jgrad.tensor([100.]), batch1, batch2)
    tensor([[[103.]],
    <BLANKLINE>
            [[107.]]])
    """

    self = lambda grad, beta: scaled(grad, conj(beta))
    batch1 = lambda grad, batch2, alpha: scaled(bmm(grad, conj(transpose(batch2, 1, 2))), conj(alpha))
    batch2 = lambda grad, batch1, alpha: scaled(bmm(conj(transpose(batch1, 1, 2)), grad), conj(alpha))


@op(
    "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Number beta=1, Number alpha=1) -> Tensor",
    deprecated="addbmm(Number beta, Tensor self, Number alpha, Tensor batch1, Tensor batch2); addbmm(Number beta, Tensor self, Tensor batch1, Tensor batch2)",
    inplace_resizes=True,
    forms="function method inplace out",
)
class addbmm:
    """The sum of the products of two batches of matrices, scaled and added to a tensor: `beta * input + alpha * bmm(batch1, batch2).sum(0)`.

    Args:
        input: what is added; it is broadcast to the shape of one product
        batch1: matrices in a tensor of shape (b, n, m)
        batch2: as many matrices, in a tensor of shape (b, m, p)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the sum of the products

    Returns a new tensor of shape (n, p). All tensors must have the same dtype.

    >>> batch1 = jgrad.tensor([[[1., 2.]], [[3., 4.]]])  # two matrices of shape (1, 2)
    >>> batch2 = jgrad.ones(2, 2, 1)
    >>> jgrad.addbmm(jgrad.tensor([[100.]]), batch1, batch2)  # 100 + 3 + 7
    tensor([[110.]])
    """

    self = lambda grad, beta: scaled(grad, conj(beta))
    batch1 = lambda grad, batch2, alpha: scaled(
        bmm(repeated(grad, batch2.shape[0]), conj(transpose(batch2, 1, 2))), conj(alpha)
    )
    batch2 = lambda grad, batch1, alpha: scaled(
        bmm(conj(transpose(batch1, 1, 2)), repeated(grad, batch1.shape[0])), conj(alpha)
    )


# ----- Composed -----


@composite("inner(Tensor self, Tensor other) -> Tensor", out_copied=True, forms="function method out",
           out_dtype="tensordot: Expected the output tensor to have dtype {result}, but got an output tensor with dtype {out}")  # fmt: skip
def inner(input: Tensor, other: Tensor) -> Tensor:
    """The sums of products along the last dimension of both tensors. If one tensor has no dimensions, it is the plain product.

    Args:
        input: a tensor of shape (..., n) or with no dimensions
        other: a tensor whose last dimension has the same size n, or with no dimensions; the dtypes must be equal if both have dimensions

    Returns a new tensor. Its shape is that of `input` without the last dimension, then that of `other` without the last dimension.

    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.inner(a, jgrad.tensor([1., 10.]))
    tensor([21., 43.])
    >>> jgrad.inner(a, a)  # the products of each row with each row
    tensor([[ 5., 11.],
            [11., 25.]])
    """
    if input._a.ndim == 0 or other._a.ndim == 0:
        return input * other
    if input._a.shape[-1] != other._a.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input._a.shape)} and {list(other._a.shape)}"
        )
    if input._a.dtype != other._a.dtype:
        raise RuntimeError("both inputs should have same dtype")
    if input._a.ndim == other._a.ndim == 1:
        if input is other or (input._a.flags.c_contiguous and other._a.flags.c_contiguous):
            return dot(input, other).view(())
        return (input * other).sum().view(())
    size = input._a.shape[-1]
    left, right = (x.reshape((math.prod(x._a.shape[:-1]), size)) for x in (input, other))
    one = left._a.shape[0] == right._a.shape[0] == 1
    product = dot(left.view((size,)), right.view((size,))) if one else mm(left, right.t())
    return product.view(input._a.shape[:-1] + other._a.shape[:-1])


@composite(
    "outer(Tensor self, Tensor vec2) -> Tensor",
    out_name="mul",
    forms="function method out",
    out_dtype="castable",
)
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors: element (i, j) is element i of the first times element j of the second.

    Args:
        input: a vector of shape (n,)
        vec2: a vector of shape (m,)

    Returns a new tensor of shape (n, m). The vectors may have different dtypes.

    >>> jgrad.outer(jgrad.tensor([1., 2.]), jgrad.tensor([1., 10., 100.]))
    tensor([[  1.,  10., 100.],
            [  2.,  20., 200.]])
    """
    for name, v in (("self", input), ("vec2", vec2)):
        if v._a.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {v._a.ndim}-D")
    return input.reshape((input._a.shape[0], 1)) * vec2


@composite(
    "ger(Tensor self, Tensor vec2) -> Tensor",
    out_name="mul",
    forms="function method out",
    out_dtype="castable",
)
def ger(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors. This is the older name of `outer`.

    Args:
        input: a vector of shape (n,)
        vec2: a vector of shape (m,)

    Returns a new tensor of shape (n, m). Element (i, j) is element i of the first vector times element j of the second.

    >>> jgrad.ger(jgrad.tensor([1., 2.]), jgrad.tensor([1., 10., 100.]))
    tensor([[  1.,  10., 100.],
            [  2.,  20., 200.]])
    """
    return outer(input, vec2)


@composite(
    "matmul(Tensor self, Tensor other) -> Tensor",
    forms="function method out",
    usually="mm product_of_matrices",
)
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The matrix product of vectors, matrices and batches of matrices. It is also written `input @ other`.

    The last two dimensions are those of the matrices. All dimensions before them are batch dimensions, which are broadcast.
    A vector on the left counts as a matrix with one row, a vector on the right as a matrix with one column; the result lacks that dimension.

    Args:
        input: a tensor of shape (..., n, m) or (m,)
        other: a tensor of shape (..., m, p) or (m,), with the dtype of `input`

    Returns a new tensor of shape (..., n, p). Raises RuntimeError if one tensor has no dimensions, or if the sizes m differ.

    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> v = jgrad.tensor([1., 10.])
    >>> jgrad.matmul(a, v), jgrad.matmul(v, a), jgrad.matmul(v, v)
    (tensor([21., 43.]), tensor([31., 42.]), tensor(101.))
    >>> (jgrad.ones(5, 1, 2, 3) @ jgrad.ones(4, 3, 6)).shape  # the batches (5, 1) and (4,) are broadcast
    jgrad.Size([5, 4, 2, 6])
    """
    n, m = input._a.ndim, other._a.ndim
    if n == 2 and m == 2:
        return mm(input, other)
    if n == 0 or m == 0:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {n}D and {m}D")
    if n == 1 and m == 1:
        return dot(input, other)
    if n == 2 and m == 1:
        return mv(input, other)
    if n == 1 and m == 2:
        product = _drop_dim(mm(input.unsqueeze(0), other), 0)
        bump(product)  # PyTorch drops it in place
        return product
    return _batched(input, other)


def _batched(input: Tensor, other: Tensor) -> Tensor:
    """At least one side has three dimensions or more."""
    n, m = input._a.ndim, other._a.ndim
    if n == m == 3 and (input._a.shape[0] == 1) != (other._a.shape[0] == 1):
        # A batch of one, if it needs a gradient, is a single matrix: its gradient is then summed by the product.
        if other._a.shape[0] == 1 and other.requires_grad:
            return _batched(input, other.squeeze(0))
        if input._a.shape[0] == 1 and input.requires_grad:
            return _batched(input.squeeze(0), other)
    if m <= 2 and _folds(input, other):
        rows = input.reshape((math.prod(input._a.shape[:-1]), input._a.shape[-1]))
        product = mv(rows, other) if m == 1 else mm(rows, other)
        return _unsafe_view(product, input._a.shape[:-1] + other._a.shape[1:])
    if n <= 2 and _folds(other.mT, input):
        flipped = _batched(other.mT, input.t() if n == 2 else input)
        return flipped.mT.contiguous() if n == 2 else flipped
    a = input.unsqueeze(0) if n == 1 else input
    b = other.unsqueeze(-1) if m == 1 else other
    left, right = a._a.shape, b._a.shape
    batch = common_shape(left[:-2], right[:-2])
    count = math.prod(batch)
    product = bmm(
        expand(a, (*batch, *left[-2:])).reshape((count, *left[-2:])),
        expand(b, (*batch, *right[-2:])).reshape((count, *right[-2:])),
    )
    if m == 1:
        product = product.squeeze(-1)
    return _unsafe_view(product, (*batch, *([left[-2]] if n > 1 else []), *([right[-1]] if m > 1 else [])))


def _folds(batch: Tensor, single: Tensor) -> bool:
    """Whether the matrices of a batch, times a single one, are multiplied as the rows of one large matrix."""
    shape, strides = batch._a.shape, batch._a.strides
    if single.requires_grad or 0 in shape:
        return True
    return all([strides[i] == strides[i + 1] * shape[i + 1] for i in range(len(shape) - 2)])


install_operator(TABLE["matmul"], "__matmul__", numbers=())
install_swapped("__rmatmul__", lambda self, other: matmul(other, self))
