"""Tools for work with tensors; `torch.utils`."""

from jgrad.utils import checkpoint as checkpoint
from jgrad.utils import dlpack as dlpack
from jgrad.utils import hooks as hooks
