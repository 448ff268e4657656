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
    """The product of two matrices: element (i, j) is the sum of the products of row i of the first and column j of the second."""

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
    """The products of two batches of matrices: each matrix of the first is multiplied by the matrix at the same place of the second."""

    self = lambda grad, mat2: bmm(grad, conj(transpose(mat2, 1, 2)))
    mat2 = lambda grad, self: bmm(conj(transpose(self, 1, 2)), grad)


@op("mv(Tensor self, Tensor vec) -> Tensor", forms="function method out")
class mv:
    """A matrix times a vector: element i is the sum of the products of row i and the vector."""

    self = lambda grad, vec: outer_product(grad, conj(vec))
    vec = lambda grad, self: mv(conj(t(self)), grad)


@op(
    "dot(Tensor self, Tensor tensor) -> Tensor",
    forms="function method out",
    out_dtype="result dtype {out} does not match input dtype {result}",
)
class dot:
    """The sum of the products of two vectors. Complex elements are not conjugated (`vdot` conjugates those of the first vector)."""

    self = lambda grad, tensor: mul(grad, conj(tensor))
    tensor = lambda grad, self: mul(grad, conj(self))


@op(
    "vdot(Tensor self, Tensor other) -> Tensor",
    forms="function method out",
    out_dtype="result dtype {out} does not match input dtype {result}",
)
class vdot:
    """The sum of the products of two vectors, where the elements of the first one are conjugated. For real numbers it is `dot`."""

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
    """The matrix product of `mat1` and `mat2`, scaled and added to a tensor: `beta * input + alpha * (mat1 @ mat2)`."""

    self = lambda grad, beta: scaled(grad, conj(beta))
    mat1 = lambda grad, mat2, mat1_strides, alpha: scaled(mm_mat1(grad, mat2, mat1_strides), conj(alpha))
    mat2 = lambda grad, mat1, mat2_strides, alpha: scaled(mm_mat2(grad, mat1, mat2_strides), conj(alpha))


@op("addmv(Tensor self, Tensor mat, Tensor vec, *, Number beta=1, Number alpha=1) -> Tensor",
    forms="function method inplace function_ out", deprecated="addmv(Number beta, Tensor self, Number alpha, Tensor mat, Tensor vec); addmv(Number beta, Tensor self, Tensor mat, Tensor vec)")  # fmt: skip
class addmv:
    """The product of a matrix and a vector, scaled and added to a tensor: `beta * input + alpha * (mat @ vec)`."""

    self = lambda grad, beta: scaled(grad, conj(beta))
    mat = lambda grad, vec, alpha: scaled(outer_product(grad, conj(vec)), conj(alpha))
    vec = lambda grad, mat, alpha: scaled(mv(conj(t(mat)), grad), conj(alpha))


@op("addr(Tensor self, Tensor vec1, Tensor vec2, *, Number beta=1, Number alpha=1) -> Tensor", out_dtype="castable",
    deprecated="addr(Number beta, Tensor self, Number alpha, Tensor vec1, Tensor vec2); addr(Number beta, Tensor self, Tensor vec1, Tensor vec2)", batches="examples", forms="function method inplace out")  # fmt: skip
class addr:
    """The outer product of two vectors, scaled and added to a tensor: `beta * input + alpha * outer(vec1, vec2)`."""

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
    """The products of two batches of matrices, scaled and added to a tensor: `beta * input + alpha * bmm(batch1, batch2)`."""

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
    """The sum of the products of two batches of matrices, scaled and added to a tensor: `beta * input + alpha * bmm(batch1, batch2).sum(0)`."""

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
    """The sums of products along the last dimension of both tensors. If one tensor has no dimensions, it is the plain product."""
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
    """The outer product of two vectors: element (i, j) is element i of the first times element j of the second."""
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
    """The outer product of two vectors. This is the older name of `outer`."""
    return outer(input, vec2)


@composite(
    "matmul(Tensor self, Tensor other) -> Tensor",
    forms="function method out",
    usually="mm product_of_matrices",
)
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The matrix product of vectors, matrices and batches of matrices. It is also written `input @ other`."""
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
    # (The product of a matrix from the left would have to be copied, so it is one only for the sake of its gradient.)
    if n <= 2 and (input.requires_grad or (n == 1 and _folds(other.mT, input))):
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
