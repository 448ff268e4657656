"""Reductions and statistics: where jgrad differs from PyTorch, and why."""

DIFFERENCES = {
    r"out of (nansum|nanmean) to int: ": "PyTorch refuses an integer out= for a sum of floats without nan; here it is converted as that of sum is",
    r"(function|method) mode: [^,]*nan": (
        "PyTorch sorts nan wherever its comparison leaves it, so that equal elements may lie apart; here each nan is a value of its own, larger "
        "than all others"
    ),
    r"(function|method) (std|var|std_mean|var_mean) with dim=\(\): gradient": (
        "with an empty tuple of dimensions PyTorch reduces all elements, but its gradient counts one (its own gradcheck refuses it); here it "
        "is that of the value"
    ),
    r"(function|method) (median|nanmedian) of an expanded tensor: ": (
        "PyTorch 2.13 reads memory that it never wrote (the values change from run to run); here they are the medians"
    ),
}

LEFT_OUT = {
    "hash_tensor": "a checksum of the bits of a tensor, whose value is not specified",
}
