"""Switches of CUDA: `torch.backends.cuda`."""

from types import SimpleNamespace

from jgrad import cuda as _cuda
from jgrad import manual
from jgrad import switches as _switches

matmul = SimpleNamespace(
    allow_tf32=False, allow_fp16_reduced_precision_reduction=True, allow_bf16_reduced_precision_reduction=True
)


def is_built() -> bool:
    """Whether CuPy and a GPU can be used."""
    return _cuda.is_available()


def flash_sdp_enabled() -> bool:
    """Whether `scaled_dot_product_attention` may compute attention in one step."""
    return _switches.attention["flash"]


def enable_flash_sdp(enabled: bool) -> None:
    """Set whether `scaled_dot_product_attention` may compute attention in one step."""
    _switches.attention["flash"] = enabled


def math_sdp_enabled() -> bool:
    """Whether `scaled_dot_product_attention` may compute attention by several operations."""
    return _switches.attention["math"]


def enable_math_sdp(enabled: bool) -> None:
    """Set whether `scaled_dot_product_attention` may compute attention by several operations."""
    _switches.attention["math"] = enabled


def mem_efficient_sdp_enabled() -> bool:
    """What `enable_mem_efficient_sdp` was last given. There is no such kernel here."""
    return _switches.attention["mem_efficient"]


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Keep a setting for a kernel that PyTorch has on GPUs only."""
    _switches.attention["mem_efficient"] = enabled


def cudnn_sdp_enabled() -> bool:
    """What `enable_cudnn_sdp` was last given. There is no such kernel here."""
    return _switches.attention["cudnn"]


def enable_cudnn_sdp(enabled: bool) -> None:
    """Keep a setting for a kernel that PyTorch has on GPUs only."""
    _switches.attention["cudnn"] = enabled


manual.attach(__name__)
