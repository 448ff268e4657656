"""Activations, losses, normalizations: where jgrad differs from PyTorch, and why."""

DIFFERENCES = {
    r"out of nn\.functional\.gelu to transposed: ": "PyTorch writes nothing into a transposed out=",
    r"function nn\.functional\.tanhshrink: gradient": "the last bit of 1 - tanh² where tanh is almost 1",
}

LEFT_OUT: dict[str, str] = {}
