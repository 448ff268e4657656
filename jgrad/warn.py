"""Warnings that PyTorch gives once per process."""

import warnings

_given: set[str] = set()
_always = False


def once(text: str, stacklevel: int, key: str | None = None) -> None:
    """Warn, unless this text (or another one under the same key) was given before; see `set_warn_always`."""
    if _always or (key or text) not in _given:
        _given.add(key or text)
        warnings.warn(text, UserWarning, stacklevel=stacklevel + 1)


def set_warn_always(b: bool, /) -> None:
    """Have warnings that are given once per process given every time."""
    global _always
    _always = bool(b)


def is_warn_always_enabled() -> bool:
    """Whether `set_warn_always(True)` holds."""
    return _always
