"""cuDNN, which is not used here: `torch.backends.cudnn`."""

enabled, benchmark, deterministic, allow_tf32 = True, False, False, True


def is_available() -> bool:
    """Whether cuDNN is used: no."""
    return False


def version() -> None:
    """The number of its version: there is none."""
