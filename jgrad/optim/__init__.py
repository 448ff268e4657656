"""Optimizers: `torch.optim`."""

from jgrad.optim import lr_scheduler as lr_scheduler
from jgrad.optim.adaptive import Adadelta as Adadelta
from jgrad.optim.adaptive import Adagrad as Adagrad
from jgrad.optim.adaptive import Adam as Adam
from jgrad.optim.adaptive import Adamax as Adamax
from jgrad.optim.adaptive import AdamW as AdamW
from jgrad.optim.adaptive import RMSprop as RMSprop
from jgrad.optim.optimizer import Optimizer as Optimizer
from jgrad.optim.sgd import SGD as SGD
