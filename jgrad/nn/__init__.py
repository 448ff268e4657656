"""Neural networks: `torch.nn`."""

from jgrad.nn import functional as functional
