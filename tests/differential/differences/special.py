"""Special functions."""

DIFFERENCES = {
    r"function special\.log_ndtr: gradient of input 0": "its second derivative is a difference of nearly equal numbers, in PyTorch too: the last digits "
    "(of float32 the last four) are rounding",
    r"inplace mvlgamma: jgrad: RuntimeError\(.result type": "the text for integers: PyTorch names the two dtypes the wrong way round",
}
LEFT_OUT: dict[str, str] = {}
