"""PyTorch's own public tests, on PyTorch and on jgrad, with stand-ins for the private helpers that they import."""
