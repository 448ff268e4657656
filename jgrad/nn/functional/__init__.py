"""What layers of neural networks are made of, as functions: `torch.nn.functional`.

PyTorch has some of these as Python functions, which raise Python's own TypeErrors, and others built in. jgrad does the same: the former are in
the modules of this package, the latter are operators.
"""

import jgrad as _jgrad
from jgrad.dispatch import public as _public
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
