"""Tools for parameters and their gradients; `torch.nn.utils`."""

from typing import Any as _Any

from jgrad import loading as _loading
from jgrad.nn.utils import clip_grad as clip_grad
from jgrad.nn.utils import convert_parameters as convert_parameters
from jgrad.nn.utils import fusion as fusion
from jgrad.nn.utils import parametrizations as parametrizations
from jgrad.nn.utils import parametrize as parametrize
from jgrad.nn.utils import rnn as rnn
from jgrad.nn.utils.clip_grad import clip_grad_norm as clip_grad_norm
from jgrad.nn.utils.clip_grad import clip_grad_norm_ as clip_grad_norm_
from jgrad.nn.utils.clip_grad import clip_grad_value_ as clip_grad_value_
from jgrad.nn.utils.clip_grad import clip_grads_with_norm_ as clip_grads_with_norm_
from jgrad.nn.utils.clip_grad import get_total_norm as get_total_norm
from jgrad.nn.utils.convert_parameters import parameters_to_vector as parameters_to_vector
from jgrad.nn.utils.convert_parameters import vector_to_parameters as vector_to_parameters
from jgrad.nn.utils.fusion import fuse_conv_bn_eval as fuse_conv_bn_eval
from jgrad.nn.utils.fusion import fuse_conv_bn_weights as fuse_conv_bn_weights
from jgrad.nn.utils.fusion import fuse_linear_bn_eval as fuse_linear_bn_eval
from jgrad.nn.utils.fusion import fuse_linear_bn_weights as fuse_linear_bn_weights
from jgrad.nn.utils.init import skip_init as skip_init


def __getattr__(name: str) -> _Any:
    return _loading.offered(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_loading.names_of(__name__)})
