"""cuDNN, which jgrad does not use: `torch.backends.cudnn`."""

enabled, benchmark, deterministic, allow_tf32 = True, False, False, True


def is_available() -> bool:
    """Whether cuDNN can be used: always False."""
    return False


def version() -> None:
    """The version of cuDNN: always None."""
