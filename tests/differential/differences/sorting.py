"""Sorting, running totals, combining."""

DIFFERENCES = {
    r"(function|method) (sort|argsort): \[\d+ +\d+[^.]*\.\.\.": (
        "equal elements keep their order also without stable=True; PyTorch's order of more than 16 of them depends on its C++ library"
    ),
    r"(function|method) logcumsumexp: gradient of input 0: ": (
        "computed from ratios, where PyTorch's goes through logarithms and loses four digits of the gradient for inputs of 10,000"
    ),
    r"(function|method) (linalg\.)?cross: gradient of input \d: [\[\]0.\s-]+instead of": (
        "exactly 0 where PyTorch, which rounds one product of two, leaves 1e-17"
    ),
    r"out of cumsum to int: ": "summed in the dtype of self and then rounded, where PyTorch sums in the dtype of out",
    r"out of isin to (double|int): ": "the error names the dtype of out as Double, not double",
    r"out of kron to fitting: .*'version': (True|False)": "PyTorch does not count the write into out",
}

LEFT_OUT: dict[str, str] = {}
