"""Pointwise operations and comparisons."""

DIFFERENCES: dict[str, str] = {}
LEFT_OUT: dict[str, str] = {}
