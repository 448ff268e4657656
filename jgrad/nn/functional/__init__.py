"""What layers of neural networks are made of, as functions: `torch.nn.functional`.

PyTorch has some of these as Python functions, which raise Python's own TypeErrors, and others built in. jgrad does the same: the former are in
the modules of this package, the latter are operators.
"""

import jgrad as _jgrad
from jgrad.dispatch import public as _public
from jgrad.graph import overriding as _overriding
from jgrad.nn.functional.activations import *  # noqa: F403
from jgrad.nn.functional.attention import *  # noqa: F403
from jgrad.nn.functional.dropouts import *  # noqa: F403
from jgrad.nn.functional.embeddings import *  # noqa: F403
from jgrad.nn.functional.losses import *  # noqa: F403
from jgrad.nn.functional.normalizations import *  # noqa: F403
from jgrad.nn.functional.pooling import *  # noqa: F403
from jgrad.nn.functional.resizing import *  # noqa: F403
from jgrad.nn.functional.windows import *  # noqa: F403

# The same in both namespaces.
for _name in (
    "adaptive_avg_pool1d", "avg_pool1d", "bilinear", "celu_", "channel_shuffle", "conv1d", "conv2d", "conv3d", "conv_transpose1d",
    "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "hardshrink", "native_channel_shuffle", "pairwise_distance",
    "pixel_shuffle", "pixel_unshuffle", "prelu", "relu_", "rrelu_", "selu_", "threshold_",
):  # fmt: skip
    globals()[_name] = getattr(_jgrad, _name)
globals().update(_public("nn.functional"))

# Users and pickles know the functions by this module alone.
for _made in list(globals().values()):
    if getattr(_made, "__module__", "").startswith(f"{__name__}."):
        _made.__module__ = __name__

# PyTorch writes these in terms of methods, which ask, or of functions of this module.
_UNASKED = {"sigmoid", "tanh", "upsample", "upsample_bilinear", "upsample_nearest"}
_overriding.offer(
    globals(),
    [
        _name
        for _name, _made in globals().items()
        if getattr(_made, "__module__", "") == __name__
        and _made.__class__ is type(_public)
        and not (hasattr(_made, "op") or _name.startswith("_") or _name.endswith("_") or _name in _UNASKED)
    ],
)
