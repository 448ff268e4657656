"""How near jgrad is to PyTorch, in numbers: `python -m tests.numbers` prints them."""
