"""The Python functions of `jgrad.nn.functional`: dropout."""

from __future__ import annotations

import jgrad
from jgrad import manual, warn
from jgrad.tensor import Tensor


def _drop(name: str, input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return getattr(jgrad, name + "_" if inplace else name)(input, p, training)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Sets elements to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean."""
    return _drop("dropout", input, p, training, inplace)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Sets elements to the negative limit of `selu` at random, with the probability `p`.
    Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`."""
    return _drop("alpha_dropout", input, p, training, inplace)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Sets whole channels to the negative limit of `selu` at random, with the probability `p`.
    Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`."""
    return _drop("feature_alpha_dropout", input, p, training, inplace)


def _drop_channels(input: Tensor, p: float, training: bool, inplace: bool, batched: bool) -> Tensor:
    """Dropout of whole channels; a single sample becomes a batch of one for it."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)  # noqa: A001
    result = (jgrad.feature_dropout_ if inplace else jgrad.feature_dropout)(input, p, training)
    if batched:
        return result
    return result.squeeze_(0) if inplace else result.squeeze(0)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Sets whole channels of rows to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean."""
    n = input.dim()
    if n not in (2, 3) and 0.0 <= p <= 1.0:
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {n}D input. Note that dropout1d exists to provide channel-wise dropout on "
            "inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    return _drop_channels(input, p, training, inplace, n == 3)


def _warn_of_dimensions(name: str, n: int, spatial: int) -> None:
    warn.say(
        f"{name}: Received a {n}-D input to {name}, which is deprecated and will result in an error in a future release. To retain the "
        f"behavior and silence this warning, please use dropout instead. Note that {name} exists to provide channel-wise dropout on inputs "
        f"with {spatial} spatial dimensions, a channel dimension, and an optional batch dimension (i.e. {spatial + 1}D or {spatial + 2}D "
        "inputs).",
    )


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Sets whole channels of images to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean."""
    n = input.dim()
    if n not in (3, 4) and 0.0 <= p <= 1.0:
        _warn_of_dimensions("dropout2d", n, 2)
    if n == 3 and 0.0 <= p <= 1.0:
        warn.say(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is "
            "interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret the "
            "input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please switch "
            "to using dropout1d instead.",
        )
    return _drop_channels(input, p, training, inplace, True)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Sets whole channels of volumes to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean."""
    n = input.dim()
    if n not in (4, 5) and 0.0 <= p <= 1.0:
        _warn_of_dimensions("dropout3d", n, 3)
    return _drop_channels(input, p, training, inplace, n != 4)


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]


manual.attach(__name__)
