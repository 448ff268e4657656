"""Tensors that `multiprocessing` sends to another process, by a queue or as arguments: their memory moves to where both processes have it.

This module is imported after `multiprocessing.reduction`, if a program imports that.
"""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.reduction import ForkingPickler

import numpy as np

from jgrad import shared_memory
from jgrad.ops.pickling import parts_of
from jgrad.storage import UntypedStorage, expose
from jgrad.tensor import Tensor


def _reduced(tensor: Tensor) -> tuple[Callable[..., Tensor], tuple]:
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing process "
            "boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing (e.g., putting it on "
            "the queue)."
        )
    if tensor.is_cpu and not tensor.is_sparse:
        tensor.share_memory_()
    return parts_of(tensor)


def _reduced_storage(storage: UntypedStorage) -> tuple[Callable[..., UntypedStorage], tuple]:
    if storage.device.type != "cpu" or not storage.nbytes():
        return storage.__reduce__()  # type: ignore[return-value]
    return _received, shared_memory.reduced(storage.share_memory_()._owner)


def _received(array_of: Callable[..., np.ndarray], parts: tuple) -> UntypedStorage:
    root = array_of(*parts)
    expose(root)
    return UntypedStorage.of(root)


ForkingPickler.register(Tensor, _reduced)
ForkingPickler.register(UntypedStorage, _reduced_storage)
