"""Comparisons with other systems: `python -m benchmarks`. They are no part of the tests."""

import os
import sys

THREADS = int(os.environ.get("BENCHMARK_THREADS", "1"))
if "numpy" not in sys.modules:  # NumPy reads these variables when it is imported
    for _pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[_pool] = str(THREADS)
