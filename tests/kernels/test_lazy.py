"""Conjugates and negatives that are computed when they are read: each call as PyTorch does it, in values, bits, memory, versions, gradients."""

from __future__ import annotations

import copy
import io
import pickle
import warnings

import numpy as np
import pytest
import torch

import jgrad
import jgrad.autograd.forward_ad
import jgrad.func
import jgrad.nn


def numbers(lib, *shape, seed=0):
    random = np.random.default_rng(seed)
    return lib.tensor(random.standard_normal(shape) + 1j * random.standard_normal(shape))


def plain(value):
    """What a call gave, comparable between the two libraries."""
    if isinstance(value, (torch.Tensor, jgrad.Tensor)):
        bits = value.is_conj(), value.is_neg()
        strides = value.is_contiguous(), value.stride(), value.storage_offset()
        node = value.grad_fn and value.grad_fn.name()
        array = value.detach().resolve_conj().resolve_neg().numpy()
        return bits, strides, value._version, value._base is not None, node, (np.round(array, 9) + 0).tolist()
    if isinstance(value, np.ndarray):
        return (np.round(value, 9) + 0).tolist()
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return value.replace("jgrad", "torch") if isinstance(value, str) else value


def outcome(lib, function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(function(lib, numbers(lib, 4, 3), numbers(lib, 4, 3, seed=1)))
        except Exception as error:
            return type(error).__name__, str(error).replace("jgrad", "torch")


def same(function):
    ours, theirs = outcome(jgrad, function), outcome(torch, function)
    assert str(ours) == str(theirs)


def shares(x, view):
    """A view, and whether it shares memory with x."""
    return view, view.data_ptr() == x.data_ptr(), view.untyped_storage().nbytes()


READ = [
    lambda lib, x, y: shares(x, x.conj()),
    lambda lib, x, y: shares(x, x.mH),
    lambda lib, x, y: (x.H, x.adjoint(), x.real.mH, x.real.conj()),
    lambda lib, x, y: shares(x, x.conj().conj()),
    lambda lib, x, y: shares(x, x.conj().imag),
    lambda lib, x, y: shares(x, x.conj().real),
    lambda lib, x, y: (x._neg_view(), x._neg_view().conj(), x._neg_view().imag, x.conj().imag._neg_view()),
    lambda lib, x, y: lib.view_as_real(x.conj()),
    lambda lib, x, y: lib.view_as_real(x._neg_view()),
    lambda lib, x, y: lib.view_as_complex(lib.view_as_real(x)._neg_view()),
    lambda lib, x, y: x.conj().view(lib.float64),
    lambda lib, x, y: x.conj().imag.view(lib.int64),
    lambda lib, x, y: (x.conj().clone(), x.conj().contiguous(), x.mH.contiguous(), x.mH.clone()),
    lambda lib, x, y: (x.conj().reshape(3, 4), x.mH.reshape(12), x.conj()[1:], x.conj()[:, 1], x.conj().view(12)),
    lambda lib, x, y: (x.conj().detach(), x.conj().data, copy.copy(x.conj()), copy.deepcopy(x.conj())),
    lambda lib, x, y: (x.conj().resolve_conj(), x.resolve_conj() is x, x.conj().imag.resolve_neg()),
    lambda lib, x, y: x.conj().numpy(),
    lambda lib, x, y: x.conj().imag.numpy(),
    lambda lib, x, y: np.asarray(x.conj()),
    lambda lib, x, y: x.conj().numpy(force=True),
    lambda lib, x, y: x.conj().__dlpack__(),
    lambda lib, x, y: pickle.loads(pickle.dumps(x.conj())),
    lambda lib, x, y: (x.conj().conj_physical(), lib.zeros_like(x.conj()), x.conj().to(lib.complex64), x.conj().to(lib.complex128)),
    lambda lib, x, y: x.conj()[lib.tensor([0, 2])],
    lambda lib, x, y: (str(x.conj()), str(x.conj().imag), f"{x.conj()[0, 0]:.3f}"),
    lambda lib, x, y: (x.conj()[0].tolist(), x.conj()[0, 0].item(), complex(x.conj()[0, 0]), float(x.conj().imag[0, 0])),
    lambda lib, x, y: (x.conj().as_strided((2,), (1,)), x.conj().expand(2, 4, 3), x.conj().unfold(0, 2, 1), x.conj().unbind()[0]),
    lambda lib, x, y: (lib.cat([x.conj(), y]), lib.stack([y.conj(), x]), lib.where(x.real > 0, x.conj(), y.conj()), lib.outer(x[0].conj(), y[0])),
    lambda lib, x, y: (x.mH @ y.conj(), lib.einsum("ij,kj->ik", x.conj(), y), lib.vdot(x[0].conj(), y[0]), lib.addmm(x[:3].conj(), x.mH, y)),
    lambda lib, x, y: (x.conj().imag.sort()[0], x.conj().imag.softmax(0), x.conj().imag.clamp(0), x.conj().imag.unique()),
    lambda lib, x, y: (lib.linalg.inv((x.mH @ x).conj()), lib.linalg.eigvalsh((x.mH @ x).conj()), lib.fft.hfft(x.conj())),
    lambda lib, x, y: lib.nn.functional.linear(x.conj().imag, y.conj().imag),
    lambda lib, x, y: (lib.tensor([y.conj()[0, 0], y[1, 1]]), lib.as_tensor(y.conj()), lib.tensor(y.conj())),
    lambda lib, x, y: (lib.equal(x.conj(), x), lib.allclose(x.conj(), x.conj().clone()), x.conj()[0, 0].item() in x.conj()),
    lambda lib, x, y: lib.add(x, y.conj(), out=lib.empty(4, 3, dtype=lib.complex128)),
    lambda lib, x, y: lib.sum(x.conj(), 0, out=lib.empty(0, dtype=lib.complex128).conj()),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(READ)))
def test_what_is_read(number):
    same(READ[number])


def several_writes(lib, x, y):
    v = x.conj()
    v[1] = 5j
    v += 1
    v.imag.mul_(3)
    v.imag += 2
    v.real.sub_(1)
    lib.mul(v, v, out=v)
    x.copy_(v)
    v[v.real > 0] = 2j
    v.masked_fill_(v.imag.abs() < 1, 3j)
    v.add_(v.imag, alpha=2)
    v.mul_(x)
    return x, v, v._version


WRITTEN = [
    several_writes,
    lambda lib, x, y: (x.mH.mul_(2), x),
    lambda lib, x, y: (x.conj().fill_(1 + 2j), x),
    lambda lib, x, y: (x.conj()[0].zero_(), x),
    lambda lib, x, y: (x.conj().imag.fill_(3.0), x.conj().imag.exp_(), x),
    lambda lib, x, y: (x.conj().index_put_((lib.tensor([0]),), y[0]), x.conj().index_copy_(0, lib.tensor([1]), y.conj()[:1]), x),
    lambda lib, x, y: (x.index_copy_(0, lib.tensor([1]), y.conj()[:1]), x.copy_(y.conj()), x.conj().copy_(y), x),
    lambda lib, x, y: (x.conj().set_(y), x.conj().t_(), x.conj().resize_(2, 2), x.conj().squeeze_(), x.conj().conj_physical_()),
    lambda lib, x, y: (x.conj().cumsum_(0), x.conj().tril_(), x),
    lambda lib, x, y: (x.__setitem__(slice(1, 3), y.conj()[1:3]), x.__setitem__([0], y.conj()[[1]]), x),
    lambda lib, x, y: (lib.mul(x, 2, out=y.conj()), y),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(WRITTEN)))
def test_what_is_written_goes_through(number):
    same(WRITTEN[number])


def derivatives(function):
    """First derivatives on arrays and recorded, and second ones."""

    def run(lib, x, y):
        a = x[0].clone().requires_grad_()
        found = []
        for recorded in (False, True):
            result = function(lib, a)
            total = (result * result.detach() + result * (0.3j if result.is_complex() else 0.3)).sum()
            total = total.real if result.is_complex() else total
            (g,) = lib.autograd.grad(total, a, create_graph=recorded)
            found.append(g.detach().resolve_conj().numpy())
        second = (g * g.detach().conj() * (1 + 1j)).sum().real
        if second.requires_grad:
            found.append(lib.autograd.grad(second, a, allow_unused=True)[0].resolve_conj().numpy())
        return found

    return run


def writing(write):
    def function(lib, a):
        b = a * (1 + 2j)
        result = write(lib, b)
        return b if result is None else result

    return function


def conj_then_copy(lib, b):
    v = b.conj()
    v[1:].copy_(b[:2] * b[:2])
    return v * v.imag


def stale_view(lib, b):
    v = b.conj()
    b.mul_(2j)
    return v * v


def stale_imag(lib, b):
    v = b.conj().imag[:2]
    b.mul_(2j)
    return v.exp()


def lazy_base(lib, b):
    u = lib.zeros(3, dtype=lib.complex128).conj()
    u[1:] = b[1:].conj()
    u.imag.mul_(b.real)
    return u * u.conj() * (1 + 1j)


def custom(lib, a):
    class Square(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x.conj())
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return (2 * x.conj() * grad.conj()).conj()

    return Square.apply(a.conj())


DERIVED = [
    lambda lib, a: a.conj() * a,
    lambda lib, a: a.conj() * a.conj(),
    lambda lib, a: lib.outer(a.conj(), a).mH @ a,
    lambda lib, a: a.conj().imag * a.real,
    lambda lib, a: a._neg_view().imag * a.conj().real,
    lambda lib, a: a.conj().abs(),
    lambda lib, a: lib.stack([a.conj(), a])[0].exp(),
    lambda lib, a: lib.cat([a.conj(), a]).prod(),
    lambda lib, a: a.conj().cumsum(0) * a.conj().view(1, 3).expand(2, 3).sum(0),
    lambda lib, a: a.conj().resolve_conj() * a,
    lambda lib, a: a.conj()[[0, 1, 1]] * a,
    lambda lib, a: a.conj().exp_() * a,
    custom,
    writing(lambda lib, b: b.conj().mul_(2 - 1j) * b),
    writing(lambda lib, b: None if b.conj().imag.mul_(3) is None else b),
    writing(lambda lib, b: None if b.conj()[1:].imag.exp_() is None else b),
    writing(lambda lib, b: None if b._neg_view()[1:].sin_() is None else b),
    writing(conj_then_copy),
    writing(stale_view),
    writing(stale_imag),
    writing(lazy_base),
]


@pytest.mark.parametrize("number", range(len(DERIVED)))
def test_gradients(number):
    same(derivatives(DERIVED[number]))


def dual(function):
    def run(lib, x, y):
        forward = lib.autograd.forward_ad
        with forward.dual_level():
            found = forward.unpack_dual(function(lib, forward.make_dual(x[0].clone(), y[0].clone()))).tangent
            return found.resolve_conj().resolve_neg().numpy()

    return run


def write_to_part(lib, d):
    v = d.clone()
    v.conj()[1:].mul_(2j)
    return v


def write_where_no_tangent_was(lib, d):
    v = lib.zeros(3, dtype=lib.complex128)
    v.conj()[1:].copy_(d[1:])
    return v


TRANSFORMED = [
    dual(lambda lib, d: d.conj()),
    dual(lambda lib, d: d.conj().imag),
    dual(lambda lib, d: d.conj()[1:] * d[1:]),
    dual(write_to_part),
    dual(write_where_no_tangent_was),
    lambda lib, x, y: lib.func.vmap(lambda r: r.conj() * 2)(x),
    lambda lib, x, y: lib.func.vmap(lambda r: r.conj())(x),
    lambda lib, x, y: lib.func.vmap(lambda r: (r.conj() * r)[1:])(x.conj()),
    lambda lib, x, y: lib.func.vmap(lambda r: r.clone().conj().mul_(2j))(x),
    lambda lib, x, y: lib.func.vmap(lib.func.grad(lambda q: (q.conj()[1:] * q[1:]).real.sum()))(x),
    lambda lib, x, y: lib.func.jacrev(lambda q: q.conj().imag * q.real)(x[0]).resolve_conj(),
]


@pytest.mark.parametrize("number", range(len(TRANSFORMED)))
def test_transforms(number):
    same(TRANSFORMED[number])


def test_a_leaf_and_its_gradient():
    for lib in (torch, jgrad):
        z = numbers(lib, 3).conj().detach().requires_grad_()
        (z.imag * lib.arange(3)).sum().backward()
        assert z.is_leaf
        assert z.is_conj()
        assert z.grad.resolve_conj().tolist() == [0j, 1j, 2j]


def test_files_keep_the_bits():
    x = numbers(torch, 3)
    for t in (x.conj(), x.conj().imag, x._neg_view().conj()):
        file = io.BytesIO()
        torch.save(t, file)
        ours = jgrad.load(io.BytesIO(file.getvalue()))
        assert (ours.is_conj(), ours.is_neg(), ours._base) == (t.is_conj(), t.is_neg(), None)
        file = io.BytesIO()
        jgrad.save(ours, file)
        theirs = torch.load(io.BytesIO(file.getvalue()))
        assert torch.equal(theirs, t)
        assert theirs.is_conj() == t.is_conj()
        assert theirs.is_neg() == t.is_neg()


def test_no_kernel_reads_the_memory_as_it_is():
    """NumPy's own functions on the array of such a tensor give its values too, or refuse."""
    array = numbers(jgrad, 4, 3).conj()._a
    values = np.array(array.tolist())
    assert np.array_equal(np.exp(array), np.exp(values))
    assert np.array_equal(np.concatenate([array]), values)
    assert array[1, 2] == values[1, 2]
    assert np.array_equal(array.T[0].imag + 0, values.T[0].imag)
    assert np.array_equal(array.sum(0), values.sum(0))
    assert np.allclose(array @ values.T, values @ values.T)
    with pytest.raises(TypeError):
        np.copyto(array, values)
