"""Kernels: what an operator calls for raw arrays.

`numpy/` holds them, a file per chapter, written once on NumPy. `libraries.py` knows the array libraries and binds the same source to another
one. `cupy/` replaces the functions that need other words there.
"""

from jgrad import devices
from jgrad.kernels import libraries, numpy

libraries.NUMPY.take(numpy)


def _open_meta(requested: devices.device) -> devices.device:
    """The meta device. From now on there may be tensors on it."""
    if libraries.registered("meta") is None:
        from jgrad.kernels import meta

        libraries.register(meta.make())
    return devices.device("meta")


devices.openers["meta"] = _open_meta
