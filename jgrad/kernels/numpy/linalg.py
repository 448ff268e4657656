"""The kernels on NumPy arrays: products of vectors and matrices. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY, can_cast, promote_types
from jgrad.kernels.numpy.shape import Array, c_name, expand, refuse_bool, scalar_name, wrap_dim


def _product(a: Array, b: Array) -> Array:
    """np.matmul; float16 is multiplied in float32 and rounded once."""
    if a.dtype == np.float16:
        return np.asarray(np.matmul(a.astype(np.float32), b.astype(np.float32))).astype(np.float16)
    # The same products; the method spares small matrices what a ufunc costs, half of the time.
    return a.dot(b) if a.ndim <= 2 and b.ndim <= 2 else np.matmul(a, b)


matmul = _product  # the formulas' name: they never multiply what needs a check


def product_of_matrices(a: Array, b: Array) -> Array:
    """What `matmul` usually is; anything else is refused, for its general path."""
    if a.ndim == b.ndim == 2 and a.dtype is b.dtype and a.dtype.char in "fd":
        return a.dot(b)
    raise ValueError("something else")


def mm(a: Array, b: Array) -> Array:
    if a.ndim == b.ndim == 2 and a.dtype is b.dtype and a.shape[1] == b.shape[0] and a.dtype.char in "fd":
        return a.dot(b)
    if a.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if b.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    if a.dtype != b.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_name(a)} != {c_name(b)}")
    if a.size and b.size:  # of nothing there is a product of booleans
        refuse_bool("addmm_impl_cpu_", a)
    return _product(a, b)


def check_batches(a: Array, b: Array) -> None:
    if a.ndim != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if b.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]}, {a.shape[2]}] but got: "
            f"[{b.shape[0]}, {b.shape[1]}]."
        )


def bmm(a: Array, b: Array) -> Array:
    check_batches(a, b)
    if a.dtype != b.dtype or a.dtype.kind == "b":
        return _of_odd_dtypes("bmm", a, b)
    return _product(a, b)


def _of_odd_dtypes(name: str, a: Array, b: Array) -> Array:
    """Products of batches of bools or of two dtypes: refused as the routine does it that PyTorch chooses by their size, if there are any."""
    if not a.shape[0] * a.shape[1] * a.shape[2] * b.shape[2]:
        return np.zeros((*a.shape[:2], b.shape[2]), b.dtype)
    if a.shape[1] * a.shape[2] * b.shape[2] < 400:
        refuse_bool(name, a)
    elif b.dtype.kind in "fc" and b.dtype != np.float16:
        a, b = b, a
    elif a.dtype == b.dtype:
        refuse_bool("addmm_impl_cpu_", a)
    elif name == "bmm":
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_name(a)} != {c_name(b)}")
    else:
        raise RuntimeError(
            f"mat1 and mat2 must have the same dtype, but got {scalar_name(a)} and {scalar_name(b)}"
        )
    raise RuntimeError(f"expected scalar type {scalar_name(a)} but found {scalar_name(b)}")


def mv(a: Array, b: Array) -> Array:
    if a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {a.ndim}, {b.ndim}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({b.shape[0]})"
        )
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {scalar_name(b)}, {scalar_name(a)}, and {scalar_name(b)}"
        )
    if a.size:
        refuse_bool("addmv_impl_cpu", a)
    return _product(a, b)


def dot(a: Array, b: Array) -> Array:
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {scalar_name(a)} and {scalar_name(b)}"
        )
    if a.size != b.size:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the same number of elements, but got "
            f"{a.size} and {b.size} elements respectively"
        )
    refuse_bool("dot", a)
    return _product(a, b)


def vdot(a: Array, b: Array) -> Array:
    return dot(np.conjugate(a) if a.dtype.kind == "c" else a, b)


def outer_product(a: Array, b: Array) -> Array:
    return np.multiply.outer(a, b)


# beta * self + alpha * (a @ b) -------------------------------------------------------------------------------------------------


def _added(a: Array, products: Array, beta: Any, alpha: Any, skipped: bool = True) -> Array:
    """beta * a + alpha * products; with beta 0 whatever is in `a`, nan too, does not count, nor with alpha 0 (if `skipped`) a product.

    float16 comes with products in float32, and is rounded once."""
    if a.dtype != products.dtype:
        return _added(a.astype(products.dtype), products, beta, alpha, skipped).astype(a.dtype)
    if alpha == 0 and skipped:
        products = np.zeros(products.shape, products.dtype)
    elif alpha != 1:
        products = products * _factor(alpha, products.dtype)
    if beta == 0:
        return products
    if a.dtype.kind == "b":  # (of something the product is refused before)
        raise RuntimeError("result type Long can't be cast to the desired output type Bool")
    return np.add(a if beta == 1 else a * _factor(beta, a.dtype), products)


def _single(a: Array) -> Array:
    return a.astype(np.float32) if a.dtype == np.float16 else a


def _factor(number: Any, dtype: np.dtype) -> Any:
    """A factor in the dtype of what it multiplies: integers drop its fraction."""
    if isinstance(number, complex) and dtype.kind != "c":
        if number.imag:
            name = FROM_NUMPY[dtype].type_name.lower()
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
        number = number.real
    return np.dtype(type(number)).type(number).astype(dtype)


def _must_match(a: Array, shape: tuple) -> None:
    """What is written in place is not stretched."""
    if a.shape != shape:
        raise RuntimeError(
            f"Bad in-place call: input tensor size {list(a.shape)} and output tensor size {list(shape)} should match"
        )


def addmm(a: Array, mat1: Array, mat2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    if (
        a.ndim == 1
        and beta == alpha == 1
        and a.dtype == mat1.dtype == mat2.dtype
        and a.dtype.char in "fd"
        and mat1.ndim == mat2.ndim == 2
        and mat1.shape[1] == mat2.shape[0]
        and a.shape[0] == mat2.shape[1]
    ):
        product = mat1.dot(mat2)  # a layer with its bias
        return np.add(a, product, product)
    _check_dtypes(a, mat1, mat2)
    for name, m in (("mat1", mat1), ("mat2", mat2)):
        if m.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {m.ndim}-D tensor")
    if mat1.shape[1] != mat2.shape[0]:
        return mm(mat1, mat2)  # which says so
    a = expand(a, (mat1.shape[0], mat2.shape[1]))
    return _added(a, mm(_single(mat1), _single(mat2)), beta, alpha)


def _check_dtypes(a: Array, mat1: Array, mat2: Array) -> None:
    if not a.dtype == mat1.dtype == mat2.dtype:
        name, m = ("self", a) if a.dtype != mat2.dtype else ("mat1", mat1)
        raise RuntimeError(
            f"{name} and mat2 must have the same dtype, but got {scalar_name(m)} and {scalar_name(mat2)}"
        )


def addmm_(a: Array, mat1: Array, mat2: Array, beta: Any = 1, alpha: Any = 1) -> None:
    _check_dtypes(a, mat1, mat2)
    if mat1.ndim == mat2.ndim == 2 and mat1.shape[1] == mat2.shape[0]:
        _must_match(a, (mat1.shape[0], mat2.shape[1]))
    np.copyto(a, addmm(a, mat1, mat2, beta, alpha))


def addmv(a: Array, mat: Array, vec: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    if mat.ndim != 2 or vec.ndim != 1 or a.ndim > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {a.ndim}, {mat.ndim}, {vec.ndim}")
    rows, columns = mat.shape
    if vec.shape[0] != columns or (a.size != 1 and a.shape != (rows,)):
        if not a.ndim:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        raise RuntimeError(
            f"size mismatch, got input ({a.size}), mat ({rows}x{columns}), vec ({vec.shape[0]})"
        )
    if not a.dtype == mat.dtype == vec.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {scalar_name(a)}, {scalar_name(mat)}, and {scalar_name(vec)}"
        )
    if not mat.size:  # there is nothing to add
        return np.zeros_like(a) if beta == 0 else a * _factor(beta, a.dtype)
    a = expand(a, (rows,))
    if a.dtype == np.float16 and beta not in (0, 1):  # PyTorch rounds here too
        a, beta = a * _factor(beta, a.dtype), 1
    return _added(a, mv(_single(mat), _single(vec)), beta, _factor(alpha, a.dtype))


def addmv_(a: Array, mat: Array, vec: Array, beta: Any = 1, alpha: Any = 1) -> None:
    result = addmv(a, mat, vec, beta, alpha)
    _must_match(a, mat.shape[:1])
    np.copyto(a, result)


def addr(a: Array, vec1: Array, vec2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    for name, v in (("vec1", vec1), ("vec2", vec2)):
        if v.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {v.ndim}-D")
    common = functools.reduce(promote_types, [FROM_NUMPY[b.dtype] for b in (a, vec1, vec2)]).numpy
    a, vec1, vec2 = (b.astype(common, copy=False) for b in (a, vec1, vec2))
    a = expand(a, (vec1.shape[0], vec2.shape[0]))
    kind = a.dtype.kind
    for name, number in (("beta", beta), ("alpha", alpha)):
        if isinstance(number, float) and kind in "iub":
            raise RuntimeError(
                f"For integral input tensors, argument {name} must not be a floating point number."
            )
        if isinstance(number, bool) and kind != "b":
            raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
    if kind == "b":
        return (a & bool(beta)) | (np.logical_and.outer(vec1, vec2) & bool(alpha))
    scaled = vec1 if alpha == 1 else vec1 * _factor(alpha, vec1.dtype)
    return _added(a, np.multiply.outer(scaled, vec2), beta, 1)


def addr_(a: Array, vec1: Array, vec2: Array, beta: Any = 1, alpha: Any = 1) -> None:
    if a.ndim != 2:
        raise RuntimeError(f"2D tensor expected, got {a.ndim}D tensor for input")
    if vec1.ndim == vec2.ndim == 1 and a.shape != (vec1.size, vec2.size):
        sizes = f"input: {list(a.shape)}, v1: {list(vec1.shape)}, v2: {list(vec2.shape)}"
        raise RuntimeError(f"size mismatch, {sizes}")
    result = addr(a, vec1, vec2, beta, alpha)
    kinds = FROM_NUMPY[result.dtype], FROM_NUMPY[a.dtype]
    if not can_cast(*kinds):
        raise RuntimeError(
            f"result type {kinds[0].type_name} can't be cast to the desired output type {kinds[1].type_name}"
        )
    np.copyto(a, result, "unsafe")


def _size(a: Array, dim: int) -> int:
    return a.shape[wrap_dim(dim, a.ndim)]


def baddbmm(a: Array, batch1: Array, batch2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    a = expand(a, (_size(batch1, 0), _size(batch1, 1), _size(batch2, 2)))
    if batch1.dtype != a.dtype:
        raise RuntimeError(
            f"Input dtypes must be the same, got: input {c_name(a)}, batch1: {c_name(batch1)}, batch2: {c_name(batch2)}"
        )
    check_batches(batch1, batch2)
    if batch1.dtype != batch2.dtype or a.dtype.kind == "b":
        return _of_odd_dtypes("baddbmm", batch1, batch2)
    return _added(a, bmm(_single(batch1), _single(batch2)), beta, alpha, False)


def baddbmm_(a: Array, batch1: Array, batch2: Array, beta: Any = 1, alpha: Any = 1) -> None:
    fits = expand(a, (_size(batch1, 0), _size(batch1, 1), _size(batch2, 2))).shape == a.shape
    if batch1.dtype == a.dtype and not (fits and batch1.dtype == batch2.dtype):
        check_batches(batch1, batch2)
        if batch1.dtype != batch2.dtype:
            raise RuntimeError(
                f"Bad in-place call: input tensor dtype {c_name(a)} and output tensor dtype {c_name(batch2)} should match"
            )
        _must_match(a, (batch1.shape[0], batch1.shape[1], batch2.shape[2]))
    np.copyto(a, baddbmm(a, batch1, batch2, beta, alpha))


def addbmm(a: Array, batch1: Array, batch2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    a = expand(a, (_size(batch1, 1), _size(batch2, 2)))
    for name, b in (("batch1", batch1), ("batch2", batch2)):
        if b.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if batch1.shape[0] != batch2.shape[0]:
        raise RuntimeError(
            f"batch1 and batch2 must have same number of batches, got {batch1.shape[0]} and {batch2.shape[0]}"
        )
    if batch1.shape[2] != batch2.shape[1]:
        raise RuntimeError(
            f"Incompatible matrix sizes for bmm ({batch1.shape[1]}x{batch1.shape[2]} and {batch2.shape[1]}x{batch2.shape[2]})"
        )
    if not a.dtype == batch1.dtype == batch2.dtype:
        name, b = ("self", a) if a.dtype != batch2.dtype else ("mat1", batch1)
        raise RuntimeError(
            f"{name} and mat2 must have the same dtype, but got {scalar_name(b)} and {scalar_name(batch2)}"
        )
    refuse_bool("addmm_impl_cpu_", a)
    if a.dtype == np.float16:  # PyTorch adds, and rounds, product by product
        for i in range(batch1.shape[0]):
            a, beta = addmm(a, batch1[i], batch2[i], beta, alpha), 1
        return np.array(a if beta == 1 else a * _factor(beta, a.dtype))
    # The sum of the products is the product of the blocks side by side.
    left = batch1.transpose(1, 0, 2).reshape(batch1.shape[1], batch1.shape[0] * batch1.shape[2])
    right = batch2.reshape(left.shape[1], batch2.shape[2])
    return _added(a, _product(left, right), beta, alpha)
