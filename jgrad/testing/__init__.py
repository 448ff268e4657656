"""What tests need: `assert_close` compares, `make_tensor` makes random tensors; `torch.testing`. `assert_trains` is of jgrad alone."""

from typing import Any

from jgrad.testing.comparison import assert_close as assert_close
from jgrad.testing.creation import make_tensor as make_tensor


def __getattr__(name: str) -> Any:
    if name == "assert_trains":  # loaded when it is used: it asks the recorder, which is above this room
        from jgrad.asking.training import assert_trains

        return assert_trains
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
