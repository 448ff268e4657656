"""What tests need: `assert_close` compares, `make_tensor` makes random tensors; `torch.testing`."""

from jgrad.testing.comparison import assert_close as assert_close
from jgrad.testing.creation import make_tensor as make_tensor
