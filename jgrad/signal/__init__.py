"""Signals: `jgrad.signal.windows`."""

from jgrad.signal import windows as windows

__all__ = ["windows"]
