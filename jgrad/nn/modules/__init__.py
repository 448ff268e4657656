"""The layers; `torch.nn.modules`. Each file holds a family; most layers are a function of `nn.functional` with its arguments kept."""

from typing import Any as _Any

from jgrad import loading as _loading
from jgrad.nn.modules import (
    activation,
    container,
    conv,
    dropout,
    embedding,
    lazy,
    linear,
    loss,
    normalization,
    rnn,
    spatial,
    transformer,
)
from jgrad.nn.modules import batchnorm as batchnorm
from jgrad.nn.modules import utils as utils
from jgrad.nn.modules.module import Module as Module

__all__ = ["Module"]  # and all layers: what `jgrad.nn` has

for _file in (
    activation,
    container,
    conv,
    dropout,
    embedding,
    lazy,
    linear,
    loss,
    normalization,
    rnn,
    spatial,
    transformer,
):
    for _name, _value in vars(_file).items():
        if isinstance(_value, type) and issubclass(_value, Module) and _name[0] != "_":
            globals()[_name] = _value
            __all__.append(_name)


def __getattr__(name: str) -> _Any:
    return _loading.offered(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_loading.names_of(__name__)})
