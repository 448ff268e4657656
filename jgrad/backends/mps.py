"""Apple's GPUs, of which jgrad has no tensors: `torch.backends.mps`."""


def is_built() -> bool:
    """Whether there can be tensors on them: no."""
    return False


def is_available() -> bool:
    """Whether there is one: no."""
    return False
