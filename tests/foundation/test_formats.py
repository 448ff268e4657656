"""Memory formats: which strides results have, as in PyTorch."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch

import jgrad
import jgrad.nn


def tensor(lib, *shape, seed=0):
    return lib.tensor(np.random.default_rng(seed).standard_normal(shape), dtype=lib.float32)


def outcome(lib, function):
    x = tensor(lib, 2, 4, 6, 6)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = function(lib, x, x.to(memory_format=lib.channels_last))
    except Exception as error:
        return type(error).__name__, str(error)
    many = found if isinstance(found, tuple) else (found,)
    return [shown(t) for t in many]


def shown(t):
    if not isinstance(t, (torch.Tensor, jgrad.Tensor)):
        return t
    # (Strides along dimensions of extent 1 say nothing.)
    return tuple(t.shape), [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1], t.sum().item()


CASES = {
    "is_contiguous": lambda lib, x, cl: tuple(
        [t.is_contiguous(memory_format=f) for t in (x, cl, x[0], x[:, :1], cl[:, :1])
         for f in (lib.channels_last, lib.channels_last_3d, lib.contiguous_format, lib.preserve_format)]
    ),
    "contiguous": lambda lib, x, cl: (x.contiguous(memory_format=lib.channels_last), cl.contiguous(), cl.contiguous(memory_format=lib.channels_last) is cl),
    "no images": lambda lib, x, cl: x[0].contiguous(memory_format=lib.channels_last),
    "no volumes": lambda lib, x, cl: x.to(memory_format=lib.channels_last_3d),
    "clone": lambda lib, x, cl: (x.clone(memory_format=lib.channels_last), cl.clone(), cl.clone(memory_format=lib.contiguous_format)),
    "like": lambda lib, x, cl: (lib.zeros_like(cl), lib.ones_like(cl, memory_format=lib.contiguous_format), lib.full_like(x, 2, memory_format=lib.channels_last)),
    "random": lambda lib, x, cl: tuple(t * 0 for t in (lib.rand_like(cl), lib.randn_like(x, memory_format=lib.channels_last))),
    "empty": lambda lib, x, cl: (lib.empty(2, 4, 6, 6, memory_format=lib.channels_last).zero_(), lib.empty(2, 4, 3, 3, 3, memory_format=lib.channels_last_3d).zero_()),
    "to": lambda lib, x, cl: (x.to(lib.float64, memory_format=lib.channels_last), cl.to(lib.float64), cl.to(lib.float64, memory_format=lib.contiguous_format), x.double(memory_format=lib.channels_last), cl.to(memory_format=lib.channels_last) is cl),
    "resize": lambda lib, x, cl: (lib.empty(0).resize_(2, 4, 6, 6, memory_format=lib.channels_last).zero_(), lib.empty(0).resize_as_(cl).zero_(), lib.empty(0).resize_as_(cl, memory_format=lib.preserve_format).zero_()),
    "resize to preserve": lambda lib, x, cl: lib.empty(0).resize_(2, memory_format=lib.preserve_format),
    "no format": lambda lib, x, cl: x.contiguous(memory_format=3),
    "conv2d": lambda lib, x, cl: tuple(lib.nn.functional.conv2d(a, w) for a in (x, cl) for w in (tensor(lib, 3, 4, 2, 2), tensor(lib, 3, 4, 2, 2).to(memory_format=lib.channels_last))),
    "conv of one channel": lambda lib, x, cl: lib.nn.functional.conv2d(cl[:, :1].contiguous(memory_format=lib.channels_last), tensor(lib, 2, 1, 3, 3)),
    "conv_transpose2d": lambda lib, x, cl: lib.nn.functional.conv_transpose2d(cl, tensor(lib, 4, 3, 2, 2)),
    "conv of one image": lambda lib, x, cl: lib.nn.functional.conv2d(cl[0], tensor(lib, 3, 4, 2, 2)),
    "transposed": lambda lib, x, cl: lib.nn.functional.conv2d(x.transpose(2, 3), tensor(lib, 3, 4, 2, 2)),
    "max_pool2d": lambda lib, x, cl: lib.nn.functional.max_pool2d(cl, 2, return_indices=True),
    "of permuted": lambda lib, x, cl: lib.nn.functional.max_pool2d(x.permute(0, 3, 1, 2), 2),
    "every second channel": lambda lib, x, cl: lib.nn.functional.max_pool2d(cl[:, ::2], 2),
    "avg_pool2d": lambda lib, x, cl: (lib.nn.functional.avg_pool2d(cl, 2), lib.nn.functional.adaptive_avg_pool2d(cl, 2), lib.nn.functional.adaptive_max_pool2d(cl, 2)),
    "norms": lambda lib, x, cl: (lib.nn.functional.batch_norm(cl, None, None, training=True), lib.nn.functional.group_norm(cl, 2), lib.nn.functional.instance_norm(cl)),
    "pad": lambda lib, x, cl: tuple(lib.nn.functional.pad(cl, (1, 1, 1, 1), mode=mode) for mode in ("constant", "reflect", "replicate", "circular")),
    "interpolate": lambda lib, x, cl: tuple(lib.nn.functional.interpolate(cl, scale_factor=2, mode=mode) for mode in ("nearest", "bilinear", "bicubic")),
    "shuffle": lambda lib, x, cl: (lib.nn.functional.pixel_shuffle(cl, 2), lib.nn.functional.pixel_unshuffle(cl, 2), lib.nn.functional.channel_shuffle(cl, 2)),
    "elementwise": lambda lib, x, cl: (cl.relu(), cl + x, x + cl, cl + tensor(lib, 1, 4, 1, 1), 2 * cl, cl.sin(), lib.where(cl > 0, cl, 0.0)),
    "permuted numbers": lambda lib, x, cl: (2 ** x[0, 0].t(), 1 - x[0, 0, :3].t(), lib.pow(2, x[0, 0].t().int().abs()), lib.sin((x[0, 0, :3] > 0).t())),
    "volumes": lambda lib, x, cl: tuple(f(tensor(lib, 2, 4, 4, 4, 4).to(memory_format=lib.channels_last_3d)) for f in (
        lambda v: lib.nn.functional.max_pool3d(v, 2), lambda v: lib.nn.functional.avg_pool3d(v, 2),
        lambda v: lib.nn.functional.conv3d(v, tensor(lib, 3, 4, 2, 2, 2)), lambda v: lib.nn.functional.interpolate(v, scale_factor=2))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_strides(name):
    ours, theirs = outcome(jgrad, CASES[name]), outcome(torch, CASES[name])
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        if isinstance(a, tuple) and len(a) == 3:
            assert a[:2] == b[:2]
            assert a[2] == pytest.approx(b[2], rel=1e-4, abs=1e-3)
        else:
            assert a == b


def test_a_module_and_its_gradients():
    found = []
    for lib in (jgrad, torch):
        lib.manual_seed(0)
        module = lib.nn.Sequential(lib.nn.Conv2d(4, 3, 2), lib.nn.BatchNorm2d(3)).to(
            memory_format=lib.channels_last
        )
        x = tensor(lib, 2, 4, 6, 6).to(memory_format=lib.channels_last).requires_grad_()
        result = module(x)
        (result * result.detach()).sum().backward()
        tensors = module[0].weight, result, x.grad, module[0].weight.grad
        found.append([(t.stride(), np.round(t.detach().numpy(), 4).tolist()) for t in tensors])
    assert [s for s, _ in found[0]] == [s for s, _ in found[1]]
    for (_, a), (_, b) in zip(*found, strict=True):
        assert np.allclose(a, b, atol=2e-3)
