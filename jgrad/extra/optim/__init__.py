"""What is left of `jgrad.optim`."""
