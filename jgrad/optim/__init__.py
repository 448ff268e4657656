"""Optimizers: `torch.optim`."""

from jgrad.optim import lr_scheduler as lr_scheduler
from jgrad.optim import swa_utils as swa_utils
from jgrad.optim.adafactor import Adafactor as Adafactor
from jgrad.optim.adaptive import Adadelta as Adadelta
from jgrad.optim.adaptive import Adagrad as Adagrad
from jgrad.optim.adaptive import Adam as Adam
from jgrad.optim.adaptive import Adamax as Adamax
from jgrad.optim.adaptive import AdamW as AdamW
from jgrad.optim.adaptive import NAdam as NAdam
from jgrad.optim.adaptive import RAdam as RAdam
from jgrad.optim.adaptive import RMSprop as RMSprop
from jgrad.optim.adaptive import SparseAdam as SparseAdam
from jgrad.optim.lbfgs import LBFGS as LBFGS
from jgrad.optim.muon import Muon as Muon
from jgrad.optim.optimizer import Optimizer as Optimizer
from jgrad.optim.sgd import ASGD as ASGD
from jgrad.optim.sgd import SGD as SGD
from jgrad.optim.sgd import Rprop as Rprop
