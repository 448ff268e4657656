"""Programs run with `torch` meaning PyTorch and meaning jgrad: those of `tests/programs`, and random ones."""
