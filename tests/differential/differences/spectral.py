"""Fourier transforms and windows."""

DIFFERENCES = {
    r"out of fft\.(ifft|ihfft) to (empty|larger)": "an out= that is resized is row-major; PyTorch's strides depend on its path",
    r"out of fft\.ihfftn to ": "with one dimension PyTorch leaves out= as it was (a bug); jgrad writes the result",
}
LEFT_OUT: dict[str, str] = {}
