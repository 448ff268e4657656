"""`torch.autograd.forward_ad`: tensors that carry a tangent, the derivative along one direction.

    with forward_ad.dual_level():
        x = forward_ad.make_dual(primal, tangent)
        y, derivative = forward_ad.unpack_dual(f(x))

`jgrad/transforms/forward.py` computes the tangents.
"""

from __future__ import annotations

from typing import NamedTuple

from jgrad.dispatch.tangents import dual, parts
from jgrad.errors import class_name
from jgrad.graph import levels
from jgrad.graph.grad_mode import _Context
from jgrad.graph.levels import Level
from jgrad.tensor import Tensor


class UnpackedDualTensor(NamedTuple):
    """What `unpack_dual` returns: the two parts of a dual tensor.

    Args:
        primal: the tensor without its tangent
        tangent: the tangent, the derivative along one direction; None if the tensor has none

    >>> fwAD = jgrad.autograd.forward_ad
    >>> with fwAD.dual_level():
    ...     primal, tangent = fwAD.unpack_dual(fwAD.make_dual(jgrad.tensor(3.), jgrad.tensor(1.)))
    >>> primal
    tensor(3.)
    >>> tangent
    tensor(1.)
    """

    primal: Tensor
    tangent: Tensor | None


_dual: list[Level] = []  # the one level that the functions below speak of, if it is open


def enter_dual_level() -> int:
    """Open the level on which dual tensors live. `dual_level()` does it for a block, and is safer.

    Returns the number of the level, always 0: one level can be open at a time, another one raises RuntimeError.

    >>> level = jgrad.autograd.forward_ad.enter_dual_level()
    >>> level
    0
    >>> jgrad.autograd.forward_ad.exit_dual_level()
    """
    if _dual:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _dual.append(levels.enter(forward=True, of_function=False))
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level of dual tensors: from now on no tensor has a tangent.

    Args:
        level: the number of the level; None means the one that is open

    Raises RuntimeError if no such level is open.

    >>> level = jgrad.autograd.forward_ad.enter_dual_level()
    >>> dual = jgrad.autograd.forward_ad.make_dual(jgrad.tensor(3.), jgrad.tensor(1.))
    >>> jgrad.autograd.forward_ad.exit_dual_level(level=level)
    >>> jgrad.autograd.forward_ad.unpack_dual(dual).tangent is None
    True
    """
    if level not in (None, len(_dual) - 1):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    if not _dual:
        raise RuntimeError("Dual level must be a positive number.")
    levels.leave(_dual.pop())


class dual_level:
    """A block in which tensors can carry tangents: derivatives that are computed forward, together with the values.

    Blocks cannot be nested. At the end of the block all tangents are lost.

    >>> with jgrad.autograd.forward_ad.dual_level():
    ...     x = jgrad.autograd.forward_ad.make_dual(jgrad.tensor(3.), jgrad.tensor(1.))
    ...     y = x * x
    ...     print(jgrad.autograd.forward_ad.unpack_dual(y).tangent)
    tensor(6.)
    """

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *_: object) -> None:
        exit_dual_level()

    __call__ = _Context.__call__

    def clone(self) -> dual_level:
        return dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A view of a tensor that carries a tangent, the direction along which the derivative is computed.

    Operations on the result compute the tangents of their results too.

    Args:
        tensor: the tensor, of a floating-point or complex dtype; it must not have a tangent yet
        tangent: the tangent, of the same shape and of a floating-point or complex dtype
        level: the number of the level; None means the one that is open

    Returns a view of `tensor`. It shares the memory of `tangent` too, if the strides of both agree. Raises RuntimeError outside of `dual_level`.

    >>> x, direction = jgrad.tensor([1., 2.]), jgrad.tensor([1., 0.])
    >>> with jgrad.autograd.forward_ad.dual_level():
    ...     dual = jgrad.autograd.forward_ad.make_dual(x, direction)
    ...     print(jgrad.autograd.forward_ad.unpack_dual((dual * dual).sum()).tangent)
    tensor(2.)
    """
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
    """The two parts of a dual tensor: the tensor without its tangent, and the tangent.

    Args:
        tensor: any tensor
        level: the number of the level; None means the one that is open

    Returns a named tuple `(primal, tangent)`. `primal` is a view that shares memory with `tensor`, or `tensor` itself. `tangent` is None if
    the tensor has none, or if no level is open.

    >>> with jgrad.autograd.forward_ad.dual_level():
    ...     x = jgrad.autograd.forward_ad.make_dual(jgrad.tensor(2.), jgrad.tensor(1.))
    ...     print(jgrad.autograd.forward_ad.unpack_dual(x ** 3))
    UnpackedDualTensor(primal=tensor(8.), tangent=tensor(12.))
    """
    if not _dual:
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {class_name(tensor)}"
        )
    return UnpackedDualTensor(*parts(tensor, _dual[0]))
