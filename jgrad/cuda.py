"""What a program asks before it goes to a GPU; there is none to go to yet."""


def is_available() -> bool:
    """Whether tensors can live on a GPU."""
    return False


def device_count() -> int:
    """How many GPUs there are to use."""
    return 0
