"""Pointwise operations and comparisons."""

DIFFERENCES = {
    r"(function|method) isclose: .*'version'": "PyTorch writes several times into its result, which its version counts",
    r"(?s)inplace ldexp: .*ldexp can't be cast": "into integers: the error names the result's dtype",
}
LEFT_OUT: dict[str, str] = {}
