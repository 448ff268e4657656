"""Sorting, running totals, combining."""

DIFFERENCES = {
    r"(function|method) (sort|argsort|msort|topk|kthvalue): of more than 8192 elements": (
        "in tensors with more than 8192 elements equal ones keep their order; PyTorch, unless asked for stable=True, leaves open what becomes "
        "of their order and which of them are chosen (in smaller ones jgrad does what PyTorch's algorithms do)"
    ),
    r"out of cumsum to int: ": "summed in the dtype of self and then rounded, where PyTorch sums in the dtype of out",
    r"out of diff to (double|int): jgrad: None": "diff(n=0) takes an out= of another dtype, as the others do",
    r"(?s)out of kron to \w+: .*'version': (True|False)": "PyTorch does not count the write into out",
}

WRONG_IN_PYTORCH = {
    r"(function|method) logcumsumexp: gradient of input 0: ": (
        "computed from ratios, where PyTorch's goes through logarithms and loses four digits of the gradient for inputs of 10,000"
    ),
}

LEFT_OUT = {"segment_reduce": "undocumented in PyTorch; scatter_reduce and index_reduce do it"}
