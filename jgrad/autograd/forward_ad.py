"""`torch.autograd.forward_ad`: tensors that carry a tangent, the derivative along one direction.

    with forward_ad.dual_level():
        x = forward_ad.make_dual(primal, tangent)
        y, derivative = forward_ad.unpack_dual(f(x))

`jgrad/transforms/forward.py` computes the tangents.
"""

from __future__ import annotations

from typing import NamedTuple

from jgrad import manual
from jgrad.dispatch.tangents import dual, parts
from jgrad.errors import class_name
from jgrad.graph import levels
from jgrad.graph.grad_mode import _Context
from jgrad.graph.levels import Level
from jgrad.tensor import Tensor


class UnpackedDualTensor(NamedTuple):
    """What `unpack_dual` returns: the two parts of a dual tensor."""

    primal: Tensor
    tangent: Tensor | None


_dual: list[Level] = []  # the one level that the functions below speak of, if it is open


def enter_dual_level() -> int:
    """Open the level on which dual tensors live. `dual_level()` does it for a block, and is safer."""
    if _dual:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _dual.append(levels.enter(forward=True, of_function=False))
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level of dual tensors: from now on no tensor has a tangent."""
    if level not in (None, len(_dual) - 1):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    if not _dual:
        raise RuntimeError("Dual level must be a positive number.")
    levels.leave(_dual.pop())


class dual_level:
    """A block in which tensors can carry tangents: derivatives that are computed forward, together with the values."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *_: object) -> None:
        exit_dual_level()

    __call__ = _Context.__call__

    def clone(self) -> dual_level:
        return dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A view of a tensor that carries a tangent, the direction along which the derivative is computed."""
    __tracebackhide__ = True
    level = len(_dual) - 1 if level is None else level
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for name, t in (("primal", tensor), ("tangent", tangent)):
        if not (t.is_floating_point() or t.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {t.dtype}")
    if level > 0:
        raise RuntimeError("Invalid level given to _make_dual")
    if not _dual:
        raise RuntimeError(
            "Trying to access a forward AD level with an invalid index. This index was either not created or is already deleted."
        )
    return dual(tensor, tangent, _dual[0])


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The two parts of a dual tensor: the tensor without its tangent, and the tangent."""
    if not _dual:
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {class_name(tensor)}"
        )
    return UnpackedDualTensor(*parts(tensor, _dual[0]))


manual.attach(__name__)
