"""Optimizers: `torch.optim`."""

from typing import Any as _Any

from jgrad import loading as _loading
from jgrad.optim import lr_scheduler as lr_scheduler
from jgrad.optim import swa_utils as swa_utils
from jgrad.optim.adaptive import Adadelta as Adadelta
from jgrad.optim.adaptive import Adagrad as Adagrad
from jgrad.optim.adaptive import Adam as Adam
from jgrad.optim.adaptive import Adamax as Adamax
from jgrad.optim.adaptive import AdamW as AdamW
from jgrad.optim.adaptive import NAdam as NAdam
from jgrad.optim.adaptive import RAdam as RAdam
from jgrad.optim.adaptive import RMSprop as RMSprop
from jgrad.optim.lbfgs import LBFGS as LBFGS
from jgrad.optim.optimizer import Optimizer as Optimizer
from jgrad.optim.sgd import ASGD as ASGD
from jgrad.optim.sgd import SGD as SGD
from jgrad.optim.sgd import Rprop as Rprop


def __getattr__(name: str) -> _Any:
    return _loading.offered(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_loading.names_of(__name__)})
