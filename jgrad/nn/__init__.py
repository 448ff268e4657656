"""Neural networks: `torch.nn`."""

from typing import Any as _Any

from jgrad import loading as _loading
from jgrad.nn import attention as attention
from jgrad.nn import functional as functional
from jgrad.nn import init as init
from jgrad.nn import modules as modules
from jgrad.nn import parallel as parallel
from jgrad.nn import parameter as parameter
from jgrad.nn import utils as utils
from jgrad.nn.modules import *  # noqa: F403
from jgrad.nn.modules import Module as Module
from jgrad.nn.parallel import DataParallel as DataParallel
from jgrad.nn.parameter import Buffer as Buffer
from jgrad.nn.parameter import Parameter as Parameter
from jgrad.nn.parameter import UninitializedBuffer as UninitializedBuffer
from jgrad.nn.parameter import UninitializedParameter as UninitializedParameter


def __getattr__(name: str) -> _Any:
    return _loading.offered(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_loading.names_of(__name__)})
