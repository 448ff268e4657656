"""Differences of shaping, joining and indexing."""

DIFFERENCES = {
    r"out of narrow_copy to transposed: ": "PyTorch fills an out= that is not contiguous in the wrong order",
    r"error of narrow_copy: ": "a dimension out of range is an IndexError, as everywhere; PyTorch shows an internal check",
}

WRONG_IN_PYTORCH = {
    r"(function|method) as_strided_scatter: gradient of input": "PyTorch's gradient for self is wrong: it is kept where src was written, and lost elsewhere",
    r"(function|method) as_strided_scatter: jgrad: None\s+torch: .*INTERNAL ASSERT": "self that requires grad need not be contiguous",
}

LEFT_OUT = {
    r"Tensor\.index": "for first-class dimensions (functorch.dim); x[...] reads by index",
    r"(Tensor\.)?slice_inverse": "for PyTorch's compiler, which turns writes into copies",
}
