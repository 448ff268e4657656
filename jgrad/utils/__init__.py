"""Tools for work with tensors; `torch.utils`."""

from typing import Any as _Any

from jgrad import _pytree as _pytree
from jgrad import loading as _loading
from jgrad.utils import checkpoint as checkpoint
from jgrad.utils import deterministic as deterministic
from jgrad.utils import dlpack as dlpack
from jgrad.utils import hooks as hooks

_loading.offer(__name__, {"data": "jgrad.utils.data"})


def __getattr__(name: str) -> _Any:
    return _loading.offered(__name__, name)
