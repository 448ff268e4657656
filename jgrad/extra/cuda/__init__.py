"""What is left of `jgrad.cuda`."""
