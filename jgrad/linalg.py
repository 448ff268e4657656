"""Linear algebra: `jgrad.linalg.solve`, `jgrad.linalg.svd`, ... declared in `jgrad/ops/{linalg,decompositions,eigenvalues,norms}.py`."""

from jgrad import ops as _ops  # noqa: F401  declares them
from jgrad.kernels import _LinAlgError as LinAlgError  # noqa: F401
from jgrad.op import public as _public

globals().update(_public("linalg"))
