"""What tests need: `assert_close` compares, `make_tensor` makes random tensors; `torch.testing`. `assert_trains` is jgrad's own."""

from typing import Any

from jgrad import loading
from jgrad.testing.comparison import assert_close as assert_close
from jgrad.testing.creation import make_tensor as make_tensor


def __getattr__(name: str) -> Any:
    return loading.offered(__name__, name)
