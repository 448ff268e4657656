"""Convolution, pooling, padding, resizing: where jgrad differs from PyTorch, and what it leaves out."""

DIFFERENCES = {
    r"out of nn.functional.avg_pool3d to transposed: ": "PyTorch fills an out= that is not contiguous in the order of its memory, so that elements are misplaced",
}

LEFT_OUT: dict[str, str] = {
    "conv_tbc": "the layout (time, batch, channel) is used by one old family of models; conv1d does the same",
}
