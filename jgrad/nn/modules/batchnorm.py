"""Where PyTorch has batch normalization; `torch.nn.modules.batchnorm`. Programs import `_BatchNorm` from here, to find such layers."""

from jgrad.nn.modules.normalization import BatchNorm1d as BatchNorm1d
from jgrad.nn.modules.normalization import BatchNorm2d as BatchNorm2d
from jgrad.nn.modules.normalization import BatchNorm3d as BatchNorm3d
from jgrad.nn.modules.normalization import SyncBatchNorm as SyncBatchNorm
from jgrad.nn.modules.normalization import _BatchNorm as _BatchNorm
from jgrad.nn.modules.normalization import _NormBase as _NormBase
