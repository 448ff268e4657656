"""Side by side with peers; never part of the tests. `python -m benchmarks`."""

import os
import sys

THREADS = int(os.environ.get("BENCHMARK_THREADS", "1"))
if "numpy" not in sys.modules:  # which reads these once
    for _pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[_pool] = str(THREADS)
