"""What a program asks before it goes to a GPU; there is none to go to yet."""


def is_available() -> bool:
    """Whether tensors can live on a GPU."""
    return False


def device_count() -> int:
    """How many GPUs there are to use."""
    return 0


def manual_seed(seed: int) -> None:
    """Seed the current GPU's random numbers: without a GPU, nothing."""
    int(seed)


def manual_seed_all(seed: int) -> None:
    """Seed every GPU's random numbers: without a GPU, nothing."""
    int(seed)
