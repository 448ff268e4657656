"""Signals: `jgrad.signal.windows`."""

from jgrad.extra.signal import windows as windows

__all__ = ["windows"]
