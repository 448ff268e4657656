"""Switches of CUDA: `torch.backends.cuda`."""

from types import SimpleNamespace

from jgrad import cuda as _cuda

matmul = SimpleNamespace(
    allow_tf32=False, allow_fp16_reduced_precision_reduction=True, allow_bf16_reduced_precision_reduction=True
)


def is_built() -> bool:
    """Whether CuPy and a GPU can be used."""
    return _cuda.is_available()
