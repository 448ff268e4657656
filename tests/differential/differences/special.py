"""Special functions."""

DIFFERENCES = {
    r"function special\.log_ndtr: gradient of input 0": "its second derivative is a difference of nearly equal numbers, in PyTorch too: the last digits "
    "(of float32 the last four) are rounding",
}

WRONG_IN_PYTORCH = {
    r"function special\.(bessel_[jy][01]|airy_ai): [-\[\d]": "PyTorch's float64 values are off by up to 1e-6 (airy_ai: 2e-6); jgrad's are right to the last "
    "digits, which tests/kernels/test_special.py checks",
}

LEFT_OUT: dict[str, str] = {}
