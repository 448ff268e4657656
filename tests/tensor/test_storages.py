"""Storage objects: slices, copies, sizes, as in PyTorch."""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import jgrad


def shared_growth(lib, x, s):
    z = x[2:]
    y = x.detach()
    s.resize_(48)
    x.fill_(3)
    before = z.tolist(), y.tolist(), z.untyped_storage().nbytes(), z.data_ptr() - x.data_ptr()
    x.resize_(20).fill_(5)
    return before, z.tolist(), z.untyped_storage().nbytes(), z._version


def there_and_back(lib, x, s):
    s.resize_(0)
    gone = s.nbytes(), x.shape, x.untyped_storage().nbytes(), s.data_ptr()
    s.resize_(24)
    return gone, s.nbytes(), x.fill_(1).tolist()


def graph_over_it(lib, x, s):
    w = lib.ones(6, requires_grad=True)
    y = w * x
    s.resize_(100)
    (y * y).sum().backward()
    return w.grad.tolist()


def shared_memory(lib, x, s):
    view, base, pointer = x[2:], x.detach(), x.data_ptr()
    first = (
        x.is_shared(),
        x.share_memory_() is x,
        x.is_shared(),
        view.is_shared(),
        base.is_shared(),
        s.is_shared(),
    )
    moved = (
        x.data_ptr() != pointer,
        view.data_ptr() - x.data_ptr(),
        view._base is x,
        x._version,
        x.untyped_storage() is s,
    )
    x.fill_(4)
    pointer = x.data_ptr()
    view.share_memory_()
    return (
        first,
        moved,
        view.tolist(),
        base.tolist(),
        x.data_ptr() == pointer,
        s.filename,
        x.storage().is_shared(),
    )


def shared_in_a_graph(lib, x, s):
    w = lib.ones(3, requires_grad=True)
    y = (w * w).sum()
    w.share_memory_()
    y.backward()
    z = w * 2
    z.share_memory_()
    return w.grad.tolist(), w.is_leaf, w.grad.is_shared(), z.is_shared(), z.grad_fn.name()


def shared_layers(lib, x, s):
    layers = lib.nn.Sequential(lib.nn.Linear(2, 2), lib.nn.BatchNorm1d(2))
    layers(lib.ones(2, 2)).sum().backward()
    held = [*layers.parameters(), *layers.buffers()]
    return layers.share_memory() is layers, [
        (t.is_shared(), t.is_leaf, t.grad is None or t.grad.is_shared()) for t in held
    ]


CASES = [
    shared_memory,
    shared_in_a_graph,
    shared_layers,
    lambda lib, x, s: (x.share_memory_().clone().is_shared(), copy.copy(x).is_shared(), copy.deepcopy(x).is_shared()),
    lambda lib, x, s: (lib.empty(0).share_memory_().is_shared(), lib.UntypedStorage(4).share_memory_().is_shared()),
    lambda lib, x, s: (x.storage().share_memory_().is_shared(), lib.UntypedStorage._new_shared(4).nbytes()),
    lambda lib, x, s: (lib.empty(2, device="meta").is_shared(), lib.empty(2, device="meta").share_memory_()),
    lambda lib, x, s: lib.eye(2).to_sparse().is_shared(),
    lambda lib, x, s: lib.eye(2).to_sparse().share_memory_(),
    lambda lib, x, s: lib.nn.LazyLinear(2).share_memory(),
    lambda lib, x, s: (x.share_memory_().numpy().__setitem__(0, 9), x.tolist()),
    lambda lib, x, s: lib.ones(2, dtype=lib.complex64).conj().share_memory_().tolist(),
    lambda lib, x, s: (len(s), s.nbytes(), s.size(), s.element_size(), str(s.device), type(s).__name__),
    lambda lib, x, s: (s[4:8].tolist(), type(s[0:4]).__name__, s[7], s[-1]),
    lambda lib, x, s: (s[4:8].__setitem__(3, 64), x.tolist()),
    lambda lib, x, s: s[0:8:2],
    lambda lib, x, s: s[24],
    lambda lib, x, s: (s.__setitem__(slice(0, 8), 0), x.tolist()),
    lambda lib, x, s: (s.clone().tolist() == s.tolist(), s.clone().data_ptr() == s.data_ptr()),
    lambda lib, x, s: (s.copy_(lib.ones(6).untyped_storage()) is s, x.tolist()),
    lambda lib, x, s: s.copy_(lib.ones(5).untyped_storage()),
    lambda lib, x, s: (s.fill_(0) is s, x.tolist()),
    lambda lib, x, s: (s.resize_(40) is s, s.nbytes(), x.tolist(), x.untyped_storage().nbytes()),
    there_and_back,
    shared_growth,
    graph_over_it,
    lambda lib, x, s: (s is x.untyped_storage(), s._cdata == x.untyped_storage()._cdata, s.is_shared(), s.is_pinned(), s.resizable(), s.type()),
    lambda lib, x, s: (lib.UntypedStorage(4).nbytes(), lib.UntypedStorage([1, 2, 3]).tolist(), str(lib.UntypedStorage([1, 2])), bool(lib.UntypedStorage(0))),
    lambda lib, x, s: (copy.copy(lib.UntypedStorage([1, 2])).tolist(), copy.deepcopy(lib.UntypedStorage([1, 2])).tolist()),
    lambda lib, x, s: (len(x.storage()), x.storage()[1], x.storage().tolist(), x.storage().dtype, x.storage().nbytes()),
    lambda lib, x, s: x.storage()[1:3],
    lambda lib, x, s: x.storage()[6],
    lambda lib, x, s: (x.storage().__setitem__(slice(0, 2), 7.0), x.storage().fill_(2.0).tolist(), x.storage().clone().tolist(), x.tolist()),
    lambda lib, x, s: (x.storage().resize_(8), s.nbytes(), x.storage().type(), x.storage().pickle_storage_type()),
    lambda lib, x, s: (lib.TypedStorage([1, 2], dtype=lib.int64).tolist(), lib.empty(0).set_(lib.TypedStorage([1.0, 2.0], dtype=lib.float32)).tolist()),
    lambda lib, x, s: (lib.empty(0).set_(s).tolist(), lib.empty(0).set_(s, 2, (2, 2), (2, 1)).tolist(), lib.empty(0).set_(s, 2, (2,)).tolist()),
    lambda lib, x, s: (lib.empty(0).set_(s, 4, (4,)).shape, s.nbytes(), x.tolist()),
    lambda lib, x, s: (lib.empty(0, dtype=lib.int32).set_(s).tolist(), lib.empty(0, dtype=lib.uint8).set_(s[4:8]).tolist()),
    lambda lib, x, s: lib.empty(0).set_(s, -1, (2,)),
    lambda lib, x, s: lib.empty(0, dtype=lib.int32).set_(x),
]  # fmt: skip


def outcome(lib, function):
    x = lib.arange(6, dtype=lib.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(lib, x, x.untyped_storage())
        except Exception as error:
            return type(error).__name__, str(error)
    return str(found).replace("jgrad", "torch")


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_storage_is_as_in_pytorch(number):
    assert outcome(jgrad, CASES[number]) == outcome(torch, CASES[number])


def test_shared_memory_is_not_resized():
    """PyTorch documents this. (It moves the storage away from shared memory.)"""
    x = jgrad.arange(6).share_memory_()
    assert x.resize_(2).tolist() == [0, 1]
    for resize in (lambda: x.resize_(60), lambda: x.untyped_storage().resize_(600)):
        with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
            resize()


LAYOUTS: dict[str, Callable[[], jgrad.Tensor]] = {
    "row by row": lambda: jgrad.arange(6.0).reshape(2, 3) * 1,
    "column by column": lambda: jgrad.arange(6.0).reshape(2, 3).t() * 1,
    "permuted": lambda: jgrad.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1) * 1,
    "channels last": lambda: jgrad.rand(2, 3, 4, 5).to(memory_format=jgrad.channels_last) * 1,
    "a part of it": lambda: (jgrad.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1) * 1)[1:, :, ::2],
    "of NumPy": lambda: jgrad.from_numpy(np.asfortranarray(np.arange(6.0).reshape(2, 3))),
    "a parameter": lambda: jgrad.nn.Parameter(jgrad.arange(6.0).reshape(2, 3).t() * 1),
    "complex": lambda: jgrad.arange(6.0).reshape(2, 3).t() * 1j,
}


def over(x: jgrad.Tensor, storage: Any) -> jgrad.Tensor:
    return jgrad.empty(0, dtype=x.dtype).set_(storage, x.storage_offset(), x.shape, x.stride())


def through_file(x: jgrad.Tensor) -> jgrad.Tensor:
    file = io.BytesIO()
    jgrad.save(x, file)
    file.seek(0)
    return jgrad.load(file)


COPIES: dict[str, Callable[[jgrad.Tensor], jgrad.Tensor]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "deepcopy of two": lambda x: copy.deepcopy([x, x.detach()])[1],
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "file": through_file,
    "clone of the storage": lambda x: over(x, x.untyped_storage().clone()),
    "deepcopy of the storage": lambda x: over(x, copy.deepcopy(x.untyped_storage())),
    "pickle of the storage": lambda x: over(x, pickle.loads(pickle.dumps(x.untyped_storage()))),
    "shared": lambda x: copy.deepcopy(x).share_memory_(),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_copy_has_the_elements_where_they_were(layout, way):
    x = LAYOUTS[layout]()
    y = COPIES[way](x)
    assert jgrad.equal(x, y)
    assert y.stride() == x.stride()
