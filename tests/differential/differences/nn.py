"""Activations, losses, normalizations: where jgrad differs from PyTorch, and why."""

DIFFERENCES = {
    r"out of nn\.functional\.gelu to transposed: ": "PyTorch writes nothing into a transposed out=",
    r"function nn\.functional\.tanhshrink: gradient": "the last bit of 1 - tanh² where tanh is almost 1",
    r"function nn\.functional\.cosine_similarity: gradient of input 0: 0\.0\n": "of two numbers the gradient is 0 up to rounding",
    r"function nn\.functional\.triplet_margin_with_distance_loss: jgrad: TypeError": "the sample's distance is a module of PyTorch's",
    r"function native_layer_norm: jgrad: None\n.*Expected a proper Tensor but got None": "a second derivative that PyTorch fails to give",
    r"function native_group_norm: jgrad: None\n.*is_contiguous": "PyTorch wants a contiguous input here",
    r"out of native_batch_norm to larger: ": "PyTorch refuses to resize an out= here",
    r"function nn\.functional\.scaled_dot_product_attention: \[\[\[\[ 6\.5648": "scores near 300, whose rounding is that of the matrix product",
    r"function nn\.functional\.ctc_loss: gradient of input 0: \[\[\[ *-?\d\.\d+e-": "sums over 50 steps of exponentials: rounding",
    r"function nn\.functional\.linear_cross_entropy: .*linear_cross_entropy_batch_chunked": "options= does not save memory: all is computed at once",
    # Rows of one or two elements: the gradient is zero, but for eps and rounding.
    r"function (nn\.functional\.|native_)?(layer|batch)_norm: gradient of input \d: (\[+ *-?\d\.\d+e-0[5-9]|\[0\.\]\n)": "rounding",
    r"function nn\.functional\.normalize: gradient of input 0: \[+ *-?\d\.\d+e\S+ +-?\d\.\d+e-(0[78]|1\d)": "rounding",
    r"function (nn\.functional\.)?rms_norm: gradient of input \d: \[-?\d\.\d+e-1\d": "rounding",
}

LEFT_OUT = {
    r"nn\.functional\.(grouped_mm|scaled_mm|scaled_grouped_mm)": "products for accelerators, of numbers of 8 and 16 bits",
}
