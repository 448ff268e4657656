"""The meta device: results have the shape, strides and dtype that they have on the CPU, and no memory."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch.testing._internal.common_methods_invocations import op_db

import jgrad
import jgrad.nn
import jgrad.optim
from tests.differential.test_operations import forms, names_of, samples_of
from tests.differential.twins import Side, Unsupported, flat

OPERATIONS = [
    pytest.param(info, names[0], id=info.formatted_name)
    for info in op_db
    if (names := names_of(info)) and torch.float32 in info.supported_dtypes("cpu")
][::4]  # all of them take minutes
# What fails for the numbers that kernels get here, or makes tensors of its own on the CPU.
OTHERS = {"lu_unpack", "multinomial", "linalg.ldl_solve", "linalg.lstsq", "normal"}


def geometry(t):
    strides = tuple(s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1) if t.numel() else ()
    return tuple(t.shape), strides, t.dtype, t.requires_grad


def on_meta(side_value):
    if isinstance(side_value, jgrad.Tensor):
        moved = jgrad.empty_strided(
            side_value.shape, side_value.stride(), dtype=side_value.dtype, device="meta"
        )
        return moved.requires_grad_(side_value.requires_grad)
    if isinstance(side_value, (tuple, list)):
        return type(side_value)([on_meta(v) for v in side_value])
    if isinstance(side_value, dict):
        return {k: on_meta(v) for k, v in side_value.items()}
    return side_value


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("info", "name"), OPERATIONS)
def test_geometry(info, name):
    for sample in samples_of(info, torch.float32, 1):
        _, callable_of = forms(sample, name, info.formatted_name)[0]
        side = Side(jgrad)
        if not isinstance(sample.input, torch.Tensor) or info.name in OTHERS or name in OTHERS:
            continue
        try:
            arguments = side.copy((sample.input, *sample.args)), side.copy(sample.kwargs)
        except Unsupported:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                expected = flat(callable_of(jgrad)(*arguments[0], **arguments[1]), jgrad.Tensor)
            except Exception:
                continue
            try:
                found = flat(
                    callable_of(jgrad)(*on_meta(arguments[0]), **on_meta(arguments[1])), jgrad.Tensor
                )
            except (NotImplementedError, RuntimeError) as error:
                if "meta" in str(error).lower():  # what depends on elements
                    continue
                raise
        assert [geometry(t) for t in found] == [geometry(t) for t in expected]


def outcome(lib, function):
    m = lib.empty(2, 3, device="meta")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(lib, m)
        except Exception as error:
            return type(error).__name__, str(error).split("(")[0][:60]
    return str(found).replace("jgrad", "torch")


CALLS = [
    lambda lib, m: (m, m.device, m.is_meta, m.is_cpu, m.data_ptr(), m.untyped_storage().nbytes(), m.stride(), m.type()),
    lambda lib, m: m[0, 0].item(),
    lambda lib, m: m.tolist(),
    lambda lib, m: m.numpy(),
    lambda lib, m: m.cpu(),
    lambda lib, m: bool((m == m).all()),
    lambda lib, m: float(m.sum()),
    lambda lib, m: m + lib.ones(3),
    lambda lib, m: (m + lib.tensor(1.0), lib.ones(3).to("meta"), m @ m.T, m.max(), m.clone(), lib.empty_like(m, device="cpu").device),
    lambda lib, m: lib.ones(3).copy_(m[0]),
    lambda lib, m: (m.copy_(lib.ones(3)), m.add_(1)._version, m.__setitem__(0, 1.0)),
    lambda lib, m: (m.view(6)._base is m, m.t().stride(), m[1:].storage_offset(), m[[0, 1], [1, 2]].shape),
    lambda lib, m: (lib.manual_seed(0) and None, lib.randn(3, device="meta"), lib.randn(1)),
    lambda lib, m: (lib.zeros(2, device="meta", requires_grad=True), lib.tensor([1.0], device="meta"), lib.arange(3, device="meta")),
    lambda lib, m: lib.empty(10**6, 10**6, device="meta").sum(0).shape,
    lambda lib, m: (lib.empty(10**6, 10**5, device="meta") @ lib.empty(10**5, 7, device="meta")).shape,
    lambda lib, m: (lib.empty(10**5, 10**4, device="meta").t() * 2 + 1).stride(),
    lambda lib, m: lib.nn.Linear(10**6, 10**6, device="meta").weight.numel(),
    lambda lib, m: lib.nn.Linear(3, 4, device="meta").to("cpu"),
    lambda lib, m: lib.nn.Linear(3, 4, device="meta")(m),
    lambda lib, m: lib.nn.LSTM(3, 4, device="meta")(lib.empty(5, 2, 3, device="meta"))[0].shape,
    lambda lib, m: lib.nn.TransformerEncoderLayer(8, 2, device="meta")(lib.empty(5, 2, 8, device="meta")).shape,
    lambda lib, m: lib.nn.functional.cross_entropy(lib.empty(4, 3, device="meta"), lib.empty(4, dtype=lib.long, device="meta")),
    lambda lib, m: (lib.nn.Linear(3, 4, device="meta").to_empty(device="cpu").weight.shape, lib.nn.utils.skip_init(lib.nn.Linear, 3, 4).weight.device),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_as_in_pytorch(number):
    assert outcome(jgrad, CALLS[number]) == outcome(torch, CALLS[number])


def test_gradients_have_no_elements_either():
    layer = jgrad.nn.Linear(3, 4, device="meta")
    layer(jgrad.empty(2, 3, device="meta")).sum().backward()
    assert (layer.weight.grad.shape, layer.weight.grad.device.type) == ((4, 3), "meta")


def test_where_the_shape_depends_on_elements():
    m = jgrad.empty(2, 3, device="meta")
    for function in (m.nonzero, m.unique, lambda: m[m > 0], lambda: jgrad.masked_select(m, m > 0)):
        with pytest.raises(NotImplementedError, match="Meta tensors"):
            function()


def test_lengths_that_are_computed_with_are_refused():
    with pytest.raises(NotImplementedError, match="on the meta device"):
        jgrad.nn.functional.max_pool1d(jgrad.empty(100, 1000, 1000, device="meta"), 3)
