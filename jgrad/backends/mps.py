"""Apple's GPUs, on which jgrad has no tensors: `torch.backends.mps`."""


def is_built() -> bool:
    """Whether jgrad was built for them: always False."""
    return False


def is_available() -> bool:
    """Whether one can be used: always False."""
    return False
