"""Convolution, pooling, padding, resizing: where jgrad differs from PyTorch, and what it leaves out."""

DIFFERENCES = {
    r"bfloat16 function (nn\.functional\.grid_sample|grid_sampler_[23]d): ": "of bfloat16: positions are computed in float32; PyTorch rounds them to bfloat16",
    r"bfloat16 function nn\.functional\.fractional_max_pool2d: ": "of bfloat16: windows are computed in float32; PyTorch rounds their borders to bfloat16",
    r"out of nn.functional.avg_pool3d to transposed: ": "PyTorch fills an out= that is not contiguous in the order of its memory, so that elements are misplaced",
    r"(?s)function nn\.functional\.conv(_transpose)?[123]d: .*MKLDNN": "of two dtypes the message is that for small inputs; for large ones PyTorch asks another library, which words it otherwise",
    r"function (nn.functional.grid_sample|grid_sampler_[23]d): .*create_graph": "the gradient of the image does not depend on the image: with create_graph=True it requires grad only if the grid does; PyTorch's always does",
}

LEFT_OUT: dict[str, str] = {
    r"nn\.functional\.(Optional|assert_int_or_pair|boolean_dispatch|handle_torch_function|has_torch_function\w*)": "helpers that PyTorch's own module uses",
    r"(nn\.functional\.)?conv_tbc": "the layout (time, batch, channel) is used by one old family of models; conv1d does the same",
}
