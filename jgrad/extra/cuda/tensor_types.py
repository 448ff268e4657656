"""The older names of tensors on a GPU: `torch.cuda.FloatTensor` and its like."""

from __future__ import annotations

from jgrad.ops.constructors import CUDA_TENSOR_TYPES, tensortype

DOC = """The older name for tensors of dtype {dtype} on a GPU. Prefer `jgrad.tensor(..., dtype=jgrad.{dtype}, device="cuda")`.

    Calling it makes such a tensor; without a GPU it raises TypeError. `isinstance` with it asks for the dtype and the kind of device.

    Args:
        size: ints that give the shape of a tensor whose elements are not set; or one list or array, which gives a tensor with these values
        data: such a list or array, by name
        other: a tensor of this dtype; the result is a detached alias that shares its memory
        storage: a storage of this dtype, whose memory the result has
        device: None

    >>> isinstance(jgrad.ones(2, dtype=jgrad.{dtype}), jgrad.cuda.{name})
    False
    """


def _named(name: str) -> tensortype:
    found = CUDA_TENSOR_TYPES[name]
    found.__doc__ = DOC.format(dtype=found.dtype.name, name=name)
    return found


FloatTensor, DoubleTensor, HalfTensor, BFloat16Tensor = map(
    _named, ("FloatTensor", "DoubleTensor", "HalfTensor", "BFloat16Tensor")
)
LongTensor, IntTensor, ShortTensor, CharTensor, ByteTensor, BoolTensor = map(
    _named, ("LongTensor", "IntTensor", "ShortTensor", "CharTensor", "ByteTensor", "BoolTensor")
)
