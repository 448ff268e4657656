"""How samples become a batch; `torch.utils.data.default_collate` and `default_convert`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import jgrad
from jgrad import manual
from jgrad.tensor import Tensor
from jgrad.utils.data._utils import worker
from jgrad.utils.data._utils.containers import is_named_tuple, refilled_mapping, refilled_sequence

CollateMap = dict[type | tuple[type, ...], Callable]

np_str_obj_array_pattern = re.compile(r"[SaUO]")
default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def default_convert(data: Any) -> Any:
    """NumPy arrays, also those within containers, as tensors that share their memory; anything else as it is."""
    cls = type(data)
    if isinstance(data, Tensor):
        return data
    if cls.__module__ == "numpy" and cls.__name__ not in ("str_", "string_"):
        if isinstance(data, np.ndarray) and np_str_obj_array_pattern.search(data.dtype.str):
            return data
        return jgrad.as_tensor(data)
    if isinstance(data, Mapping):
        return refilled_mapping(data, {key: default_convert(data[key]) for key in data})
    if is_named_tuple(data):
        return cls(*map(default_convert, data))
    if isinstance(data, tuple):
        return [default_convert(element) for element in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return refilled_sequence(data, [default_convert(element) for element in data])
    return data


def default_collate(batch: Any) -> Any:
    """A list of samples as one batch: tensors are stacked along a new first dimension."""
    return collate(batch, collate_fn_map=default_collate_fn_map)


def collate(batch: Any, *, collate_fn_map: CollateMap | None = None) -> Any:
    """As `default_collate`, with functions of one's own for types."""
    first = batch[0]
    cls = type(first)
    if collate_fn_map is not None:
        kinds = (
            [cls] if cls in collate_fn_map else [kind for kind in collate_fn_map if isinstance(first, kind)]
        )
        if kinds:
            return collate_fn_map[kinds[0]](batch, collate_fn_map=collate_fn_map)

    def collated(samples: Any) -> Any:
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(first, Mapping):
        return refilled_mapping(first, {key: collated([sample[key] for sample in batch]) for key in first})
    if is_named_tuple(first):
        return cls(*map(collated, zip(*batch, strict=False)))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = [collated(samples) for samples in zip(*batch, strict=True)]
        return columns if isinstance(first, tuple) else refilled_sequence(first, columns)
    raise TypeError(default_collate_err_msg_format.format(cls))


def collate_tensor_fn(batch: Sequence[Tensor], *, collate_fn_map: CollateMap | None = None) -> Tensor:
    """Tensors, stacked."""
    if worker.get_worker_info() is None:
        return jgrad.stack(batch, 0)
    # A worker of PyTorch stacks into memory that it shares with the main process. So the result has the dtype of the first tensor, its
    # inputs can't require grad, and tensors that are too small are noticed here.
    first = batch[0]
    if len(batch) * first.numel() > sum(tensor.numel() for tensor in batch):
        raise RuntimeError("Trying to resize storage that is not resizable")
    return jgrad.stack(batch, 0, out=first.new_empty((len(batch), *first.shape)))


def collate_numpy_array_fn(batch: Sequence[np.ndarray], *, collate_fn_map: CollateMap | None = None) -> Any:
    """NumPy arrays, stacked as tensors."""
    dtype = batch[0].dtype
    if np_str_obj_array_pattern.search(dtype.str):
        raise TypeError(default_collate_err_msg_format.format(dtype))
    return collate([jgrad.as_tensor(array) for array in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: Any, *, collate_fn_map: CollateMap | None = None) -> Tensor:
    """NumPy's numbers as a tensor of their dtype."""
    return jgrad.as_tensor(batch)


def collate_float_fn(batch: Any, *, collate_fn_map: CollateMap | None = None) -> Tensor:
    """Python's floats as a tensor of float64."""
    return jgrad.tensor(batch, dtype=jgrad.float64)


def collate_int_fn(batch: Any, *, collate_fn_map: CollateMap | None = None) -> Tensor:
    """Python's integers and bools as a tensor."""
    return jgrad.tensor(batch)


def collate_str_fn(batch: Any, *, collate_fn_map: CollateMap | None = None) -> Any:
    """Strings, as they are."""
    return batch


default_collate_fn_map: CollateMap = {
    Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


manual.attach(__name__)
