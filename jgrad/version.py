"""The version, and those of the libraries of GPUs; `torch.version`. `cuda` is None, as in PyTorch's build for the CPU."""

from __future__ import annotations

from jgrad import __version__

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "rocm", "xpu"]

debug = False
cuda: str | None = None
git_version = "Unknown"
hip: str | None = None
rocm: str | None = None
xpu: str | None = None
