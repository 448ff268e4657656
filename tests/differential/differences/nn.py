"""Activations, losses, normalizations: where jgrad differs from PyTorch, and why."""

DIFFERENCES = {
    r"autocast function nn\.functional\.bilinear: ": "under autocast it is computed in float32; PyTorch rounds a product within to bfloat16",
    r"bfloat16 function histogram: ": "of bfloat16: refused; PyTorch computes it where the bins or their range are given",
    r"bfloat16 function (native_batch_norm|nn\.functional\.batch_norm): recorded and unrecorded": "of bfloat16: rounding; a recorded backward pass rounds more often, in PyTorch too",
    r"out of nn\.functional\.gelu to transposed: ": "PyTorch writes nothing into a transposed out=",
    r"out of native_batch_norm to larger: ": "PyTorch refuses to resize an out= here",
    r"function _weight_norm: of second derivatives": "its second derivatives are those of the formula; PyTorch's fused kernel gives wrong ones",
}

WRONG_IN_PYTORCH = {
    r"function nn\.functional\.linear_cross_entropy: jgrad: RuntimeError\('linear_cross_entropy with options can be differentiated only once": "a second derivative through `options=`, which PyTorch does not support and gives without an error",
    r"function native_layer_norm: jgrad: None\n.*Expected a proper Tensor but got None": "a second derivative that PyTorch fails to give",
}

LEFT_OUT = {
    r"nn\.functional\.(grouped_mm|scaled_mm|scaled_grouped_mm)": "products for accelerators, of numbers of 8 and 16 bits",
}

# What cancels or is summed over many steps before the result comes.
ROUNDING = {
    "nn.functional.normalize": 2**8,
    "nn.functional.ctc_loss": 2**8,
    "nn.functional.scaled_dot_product_attention": 2**10,
}
