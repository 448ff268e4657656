"""The kernels on NumPy arrays.

Each kernel takes the arguments of the operation of the same name, raw arrays in place of tensors. Derivative formulas run on these names
too, so a kernel must not mutate its arguments (those whose name ends in an underscore write to their first one and nothing else).
There is a file of kernels per chapter; this one gathers them.
"""

from __future__ import annotations

from jgrad.kernels.numpy.bessel import *  # noqa: F403
from jgrad.kernels.numpy.choosing import *  # noqa: F403
from jgrad.kernels.numpy.combining import *  # noqa: F403
from jgrad.kernels.numpy.convolution import *  # noqa: F403
from jgrad.kernels.numpy.counting import *  # noqa: F403
from jgrad.kernels.numpy.ctc import *  # noqa: F403
from jgrad.kernels.numpy.cumulative import *  # noqa: F403
from jgrad.kernels.numpy.eigenvalues import *  # noqa: F403
from jgrad.kernels.numpy.elementary import *  # noqa: F403
from jgrad.kernels.numpy.factorizations import *  # noqa: F403
from jgrad.kernels.numpy.fusing import *  # noqa: F403
from jgrad.kernels.numpy.gamma import *  # noqa: F403
from jgrad.kernels.numpy.indefinite import *  # noqa: F403
from jgrad.kernels.numpy.indexing import *  # noqa: F403
from jgrad.kernels.numpy.joining import *  # noqa: F403
from jgrad.kernels.numpy.layers import *  # noqa: F403
from jgrad.kernels.numpy.lending import *  # noqa: F403
from jgrad.kernels.numpy.linalg import *  # noqa: F403
from jgrad.kernels.numpy.loss import *  # noqa: F403
from jgrad.kernels.numpy.masking import *  # noqa: F403
from jgrad.kernels.numpy.memory import *  # noqa: F403
from jgrad.kernels.numpy.nn import *  # noqa: F403
from jgrad.kernels.numpy.normalization import *  # noqa: F403
from jgrad.kernels.numpy.padding import *  # noqa: F403
from jgrad.kernels.numpy.pointwise import *  # noqa: F403
from jgrad.kernels.numpy.pooling import *  # noqa: F403
from jgrad.kernels.numpy.random import *  # noqa: F403
from jgrad.kernels.numpy.rearranging import *  # noqa: F403
from jgrad.kernels.numpy.reduction import *  # noqa: F403
from jgrad.kernels.numpy.resampling import *  # noqa: F403
from jgrad.kernels.numpy.shape import *  # noqa: F403
from jgrad.kernels.numpy.sorting import *  # noqa: F403
from jgrad.kernels.numpy.special import *  # noqa: F403
from jgrad.kernels.numpy.spectral import *  # noqa: F403
from jgrad.kernels.numpy.statistics import *  # noqa: F403
from jgrad.kernels.numpy.subscript import *  # noqa: F403
from jgrad.kernels.numpy.values import *  # noqa: F403
from jgrad.kernels.numpy.writing import *  # noqa: F403

# These are the same for every library.
from jgrad.kernels.sparse import *  # noqa: F403
from jgrad.kernels.sparse_operators import *  # noqa: F403
