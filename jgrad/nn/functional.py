"""What layers of neural networks are made of, as functions: `torch.nn.functional`.

PyTorch has some of these as Python functions (with Python's own TypeErrors) and others built in; so has jgrad: the former lie in
`_functional.py` (activations, normalizations), `_losses.py` and `_spatial.py` (convolution, pooling, resizing), the latter are operations.
"""

import jgrad as _jgrad
from jgrad.dispatch import public as _public
from jgrad.nn._attention import *  # noqa: F403
from jgrad.nn._functional import *  # noqa: F403
from jgrad.nn._losses import *  # noqa: F403
from jgrad.nn._spatial import *  # noqa: F403

for _name in (
    "bilinear",
    "celu_",
    "cosine_similarity",
    "hardshrink",
    "pairwise_distance",
    "prelu",
    "relu_",
    "rrelu_",
    "selu_",
    "threshold_",
):
    globals()[_name] = getattr(_jgrad, _name)  # the same in both namespaces
globals().update(_public("nn.functional"))
