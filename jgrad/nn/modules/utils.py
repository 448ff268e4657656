"""Helpers that layers of users import; `torch.nn.modules.utils`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from jgrad import manual


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple]:
    """A function that makes n equal entries of a number, and a tuple of what has entries."""

    def parse(x: Any) -> tuple:
        return tuple(x) if isinstance(x, Iterable) else (x,) * n

    parse.__name__ = name
    return parse


_single, _pair, _triple, _quadruple = (
    _ntuple(n, name) for n, name in enumerate(("_single", "_pair", "_triple", "_quadruple"), 1)
)


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Take a prefix away from the names in a `state_dict`, for example "module." from one of `DataParallel`. It works in place."""
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key[len(prefix) :]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", {})  # the module itself is there too, without its dot
    for key in [
        key for key in metadata if key and (key == prefix.replace(".", "") or key.startswith(prefix))
    ]:
        metadata[key[len(prefix) :]] = metadata.pop(key)


manual.attach(__name__)
