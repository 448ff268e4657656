"""Linear algebra: `jgrad.linalg.solve`, `jgrad.linalg.svd`, ... declared in `jgrad/ops/{linalg,decompositions,eigenvalues,norms}.py`."""

from jgrad import ops as _ops  # noqa: F401  declares them
from jgrad.dispatch import public as _public
from jgrad.kernels.libraries import _LinAlgError as LinAlgError  # noqa: F401

globals().update(_public("linalg"))
