"""Every operation against PyTorch's own samples of it."""
