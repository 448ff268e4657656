"""Kernels: what an operator calls for raw arrays.

`numpy/` holds them, a file per chapter, written once on NumPy. `libraries.py` knows the array libraries and binds the same source to another
one. `cupy/` replaces the functions that need other words there.
"""

from jgrad.kernels import libraries, numpy

libraries.NUMPY.take(numpy)
