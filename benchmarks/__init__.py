"""Side by side with peers; never part of the tests. `python -m benchmarks`."""

import os

for _pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_pool] = "1"  # one thread for everybody, said before NumPy is imported
