"""Dimensions in another order: `swapaxes`, `movedim`, `adjoint`, and the attributes `T`, `H`, `mT` and `mH`."""

from __future__ import annotations

from jgrad import warn
from jgrad.dispatch import composite
from jgrad.kernels.numpy.shape import wrap_dim
from jgrad.ops.by_name import alias, conj, transpose
from jgrad.tensor import Tensor


@composite("swapaxes(Tensor self, int axis0, int axis1) -> Tensor")
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """The tensor with two of its dimensions exchanged: another name of `transpose`."""
    return transpose(input, axis0, axis1)


@composite("swapdims(Tensor self, int dim0, int dim1) -> Tensor")
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """The tensor with two of its dimensions exchanged: another name of `transpose`."""
    return transpose(input, dim0, dim1)


@composite("swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor", forms="method")
def swapaxes_(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchanges two dimensions of the tensor in place. Its elements stay where they are in memory; its shape and strides change."""
    return input.transpose_(axis0, axis1)


@composite("swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor", forms="method")
def swapdims_(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchanges two dimensions of the tensor in place. Its elements stay where they are in memory; its shape and strides change."""
    return input.transpose_(dim0, dim1)


def _moved(input: Tensor, source: tuple, destination: tuple) -> Tensor:
    """Dimensions put elsewhere among the others."""
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should contain the same number of dims as "
            f"destination ({list(destination)} dims)"
        )
    ndim = input._a.ndim
    sources = [wrap_dim(d, ndim) for d in source]
    destinations = [wrap_dim(d, ndim) for d in destination]
    for name, given, dims in (("source", source, sources), ("destination", destination, destinations)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    if not ndim:
        return alias(input)
    order = [d for d in range(ndim) if d not in sources]
    for place, d in sorted(zip(destinations, sources, strict=True)):
        order.insert(place, d)
    return input.permute(tuple(order))


def _declare_move(name: str) -> None:
    def one(input: Tensor, source: int, destination: int) -> Tensor:
        return _moved(input, (source,), (destination,))

    def several(input: Tensor, source: tuple, destination: tuple) -> Tensor:
        return _moved(input, source, destination)

    one.__doc__ = (
        several.__doc__
    ) = f"""The tensor with one dimension, or several, moved to other places. The others keep their order.

    Args:
        input: a tensor of any shape
        source: the dimension to move, or a tuple of dimensions; negative numbers count from the last one
        destination: the place of each of them in the result, as many as in `source`

    Returns a view: it shares the memory of `input`.

    >>> x = jgrad.zeros(2, 3, 5, 7)
    >>> jgrad.{name}(x, 0, 2).shape
    jgrad.Size([3, 5, 2, 7])
    >>> jgrad.{name}(x, (2, 3), (0, 1)).shape
    jgrad.Size([5, 7, 2, 3])
    """
    composite(f"{name}.int(Tensor self, int source, int destination) -> Tensor")(one)
    composite(f"{name}.intlist(Tensor self, int[] source, int[] destination) -> Tensor")(several)


_declare_move("movedim")
_declare_move("moveaxis")


def _matrix(name: str, self: Tensor) -> Tensor:
    """The tensor with its last two dimensions exchanged: each matrix of a batch is transposed."""
    if self._a.ndim == 1:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices or batches of matrices. Got 1-D tensor."
        )
    if self._a.ndim:
        return self.transpose(-2, -1)
    instead = "This function is the identity in these cases." if name == "mT" else "Consider using x.conj()."
    name = name if name == "adjoint()" else f"Tensor.{name}"
    warn.once(f"{name} is deprecated on 0-D tensors. {instead}")
    return self


def _adjoint(name: str, self: Tensor) -> Tensor:
    """The last two dimensions exchanged, and complex numbers conjugated; a view."""
    transposed = _matrix(name, self)
    return conj(transposed) if self._a.dtype.kind == "c" else transposed


@composite("adjoint(Tensor self) -> Tensor")
def adjoint(input: Tensor) -> Tensor:
    """The matrices in the last two dimensions, transposed; complex numbers are also conjugated."""
    return _adjoint("adjoint()", input)


def _reversed(self: Tensor) -> Tensor:
    """The tensor with its dimensions in reverse order: a matrix is transposed."""
    if self._a.ndim == 0:
        warn.once(
            "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.",
        )
    elif self._a.ndim != 2:
        warn.once(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a "
            "future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse "
            "the dimensions of a tensor.",
        )
    return self.permute(tuple(range(self._a.ndim))[::-1])


def _hermitian(self: Tensor) -> Tensor:
    """The transposed matrix; complex numbers are also conjugated."""
    if self._a.ndim not in (0, 2):
        batches = " For batches of matrices, consider using tensor.mH" if self._a.ndim > 2 else ""
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {self._a.ndim}-D tensor.{batches}"
        )
    return _adjoint("H", self)


Tensor.T = property(_reversed)  # type: ignore[attr-defined]
Tensor.H = property(_hermitian)  # type: ignore[attr-defined]
Tensor.mT = property(lambda self: _matrix("mT", self), doc=_matrix.__doc__)  # type: ignore[attr-defined]
Tensor.mH = property(
    lambda self: _adjoint("mH", self),
    doc="The tensor with its last two dimensions exchanged; complex numbers are also conjugated.",
)  # type: ignore[attr-defined]
