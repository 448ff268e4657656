"""What is left of `jgrad.nn`."""
