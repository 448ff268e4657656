"""The kernels on NumPy arrays: products of vectors and matrices. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import numpy as np

from jgrad.kernels.numpy_shape import Array, c_name, refuse_bool, scalar_name


def mm(a: Array, b: Array) -> Array:
    if a.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if b.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_name(a)} != {c_name(b)}")
    refuse_bool("addmm_impl_cpu_", a)
    return np.matmul(a, b)


def bmm(a: Array, b: Array) -> Array:
    if a.ndim != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if b.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]}, {a.shape[2]}] but got: "
            f"[{b.shape[0]}, {b.shape[1]}]."
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(a)} but found {scalar_name(b)}")
    refuse_bool("bmm", a)
    return np.matmul(a, b)


def mv(a: Array, b: Array) -> Array:
    if a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {b.ndim}, {a.ndim}, {b.ndim}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({b.shape[0]})"
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {scalar_name(b)}, {scalar_name(a)}, and {scalar_name(b)}"
        )
    refuse_bool("addmv_impl_cpu", a)
    return np.matmul(a, b)


def dot(a: Array, b: Array) -> Array:
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {scalar_name(a)} and {scalar_name(b)}"
        )
    if a.size != b.size:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the same number of elements, but got "
            f"{a.size} and {b.size} elements respectively"
        )
    refuse_bool("dot", a)
    return np.dot(a, b)


def outer_product(a: Array, b: Array) -> Array:
    return np.multiply.outer(a, b)
