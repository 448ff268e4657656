"""Tools beside tensors; `torch.utils`."""

from jgrad.utils import dlpack as dlpack
