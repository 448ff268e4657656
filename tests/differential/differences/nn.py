"""Activations, losses, normalizations: where jgrad differs from PyTorch, and why."""

DIFFERENCES = {
    r"out of nn\.functional\.gelu to transposed: ": "PyTorch writes nothing into a transposed out=",
    r"function nn\.functional\.tanhshrink: gradient": "the last bit of 1 - tanh² where tanh is almost 1",
    r"function nn\.functional\.cosine_similarity: gradient of input 0: 0\.0\n": "of two numbers the gradient is 0 up to rounding",
    r"function nn\.functional\.triplet_margin_with_distance_loss: jgrad: TypeError": "the sample's distance is a module of PyTorch's",
}

LEFT_OUT: dict[str, str] = {}
