"""The fused kernels as CuPy would hand them to the compiler, compiled: `python -m tests.gpu.sources`.

It needs CuPy and NVRTC (`pip install cupy-cuda12x nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12`), but no GPU: the kernels are made by
programs on the library that stands in for CuPy, and CuPy writes its sources without a device. It is read off CuPy 14, by private names.
"""

from __future__ import annotations

import sys
from typing import Any

import cupy
import numpy
from cupy._core import _carray, _kernel, _reduction, _scalar, core
from cupy.cuda import compiler

from tests.foreign import fusing, programs

ARCHITECTURES = "80", "90", "100", "120"
ARRAY, INDEXER, SCALAR = 1, 2, 3
HEADERS = "".join([f"#include <{name}>\n" for name in core._cupy_header_list])


def described(parameter: Any) -> Any:
    """What CuPy knows of an argument: an array without gaps, an index or a number."""
    if parameter.name.endswith("_ind"):
        return _kernel._ArgInfo(INDEXER, _carray.Indexer, None, 1, True, False)
    if parameter.name[0] in "xy" or parameter.raw:
        return _kernel._ArgInfo(ARRAY, cupy.ndarray, parameter.dtype, 1, True, False)
    return _kernel._ArgInfo(SCALAR, _scalar.CScalar, parameter.dtype, 0, True, True)


def source(kernel: Any) -> str:
    """The CUDA source of a kernel."""
    if isinstance(kernel, fusing.ReductionKernel):
        types = _kernel._TypeMap((("IndexT", numpy.int64),))
        *rest, reduce_type = kernel.arguments
        made = cupy.ReductionKernel(*rest, reduce_type=reduce_type, preamble=kernel.preamble)
        indices = _kernel._get_param_info("CIndexer _in_ind, CIndexer _out_ind", False)
        parameters = made.in_params + made.out_params + indices
        parameters += _kernel._get_param_info("int32 _block_stride", True)
        return _reduction._ReductionKernel_get_cached_function_code(
            made.nin, made.nout, parameters, tuple(map(described, parameters)), types, made.name, 256, made.reduce_type, made.identity,
            made.map_expr, made.reduce_expr, made.post_map_expr, made.preamble, made.options,
        )  # fmt: skip
    made = cupy.ElementwiseKernel(*kernel.arguments, preamble=kernel.preamble)
    arguments = tuple(map(described, made.params))
    return _kernel._get_elementwise_kernel_code(
        arguments, _kernel._TypeMap(()), made.params, made.operation, made.name, made.preamble
    )


def main() -> None:
    options = (*core.assemble_cupy_compiler_options(()), "-ftz=true", "--device-as-default-execution-space")
    kernels = programs.kernels()
    for number, kernel in enumerate(kernels, 1):
        text = HEADERS + source(kernel)
        for architecture in ARCHITECTURES:
            program = compiler._NVRTCProgram(text, "kernel.cu", (), (), method="ptx")
            program.compile((*options, f"-arch=compute_{architecture}"))
        if sys.stdout.isatty() or number == len(kernels):
            print(f"\r{number} of {len(kernels)} kernels compiled for {', '.join(ARCHITECTURES)}", end="")
    print()


if __name__ == "__main__":
    main()
