"""Reductions and statistics: where jgrad differs from PyTorch, and why."""

NOISE = r"(0\.0|-?\d\.\d+e-(0[89]|1\d))"

DIFFERENCES = {
    rf"function linalg\.vector_norm: gradient of input 0: {NOISE}\s+instead of\s+{NOISE}\b": (
        "the second derivative of the norm of a single number is zero, and both libraries give the rounding errors of their computing it"
    ),
    r"(function|method) corrcoef: gradient of input 0: [^i]*e-(0[89]|1[5-9])[^i]*\s+instead of\s[^i]*e-(0[89]|1[5-9])": (
        "the correlation of two observations is 1 or -1 whatever they are, so its gradient is zero, and both libraries give rounding errors"
    ),
    r"out of (nansum|nanmean) to int: ": "PyTorch refuses an integer out= for a sum of floats without nan; here it is converted as that of sum is",
    r"(function|method) mode: [^,]*nan": (
        "PyTorch sorts nan wherever its comparison leaves it, so that equal elements may lie apart; here each nan is a value of its own, larger "
        "than all others"
    ),
}

LEFT_OUT = {
    "hash_tensor": "a checksum of the bits of a tensor, whose value is not specified",
}
