"""Running sums, products and extremes along a dimension, differences, and integrals by the trapezoidal rule."""

from __future__ import annotations

from typing import Any

from jgrad import dtypes
from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.errors import class_name
from jgrad.kernels.numpy.shape import wrap_dim
from jgrad.ops.by_name import _div_scalar, _mul_scalar, cat, conj, exp, flip, scatter_add, slice_, where
from jgrad.ops.comparison import has_zero
from jgrad.ops.copying import to_dtype
from jgrad.ops.creation import zeros_like, zeros_of
from jgrad.tensor import Tensor

SCALAR_TYPE = "expected scalar_type {result} but found {out}"

# ----- Running totals -----


@op(
    "cumsum(Tensor self, int dim, *, dtype? dtype=None) -> Tensor",
    batches="dim",
    forms="function method inplace out",
)
class cumsum:
    """The sums of the elements up to each one, along a dimension."""

    self = lambda grad, self_dtype, dim: reverse_cumsum(to_dtype(grad, self_dtype), dim)


def reverse_cumsum(self: Tensor, dim: int) -> Tensor:
    """The sums from each element to the last."""
    if self.numel() <= 1 or self.shape[dim] == 1:
        return self
    return flip(cumsum(flip(self, (dim,)), dim), (dim,))


@op(
    "cumprod(Tensor self, int dim, *, dtype? dtype=None) -> Tensor",
    batches="dim",
    forms="function method inplace out",
)
class cumprod:
    """The products of the elements up to each one, along a dimension."""

    self = lambda grad, self, self_dtype, dim, result: to_dtype(
        cumprod_backward(grad, self, dim, result), self_dtype
    )


@formula
def cumprod_backward(grad: Any, self: Any, dim: int, result: Any) -> Any:
    """Element i is a factor of result[j] from j = i on. Without zeros the other factors are result[j] / self[i]; with zeros they are
    those before i, times those from i to j: grad[i] + self[i + 1] * (grad[i + 1] + self[i + 2] * ...)."""
    if self.ndim == 0 or 0 in self.shape or self.shape[dim] == 1:
        return grad
    if not has_zero(self):
        return reverse_cumsum(grad * conj(result), dim) / conj(self)
    dim %= self.ndim
    n = self.shape[dim]
    before = cat([zeros_like(slice_(result, dim, 0, 1, 1)) + 1, slice_(result, dim, 0, n - 1, 1)], dim)
    return conj(before) * linked_sums(grad, conj(followers(self, dim)), dim, True)


@op(
    "logcumsumexp(Tensor self, int dim) -> Tensor",
    forms="function method out",
    out_dtype=SCALAR_TYPE,
    batches="dim",
)
class logcumsumexp:
    """The logarithms of the sums of the exponentials of the elements up to each one, along a dimension. Large elements do not overflow."""

    self = lambda grad, self, dim, result: logcumsumexp_backward(grad, self, dim, result)


@formula
def logcumsumexp_backward(grad: Any, self: Any, dim: int, result: Any) -> Any:
    """exp(self[i]) times the sum of grad[j] / exp(result[j]) from j = i on, of which only ratios are formed, so that nothing overflows."""
    if self.ndim == 0 or 0 in self.shape:
        return grad
    later = followers(result, dim)
    ratios = exp(where(result == later, zeros_like(result), result - later))
    return conj(exp(self - result)) * linked_sums(grad, conj(ratios), dim, True)


@formula
def followers(a: Any, dim: int) -> Any:
    """What comes after each element along a dimension; after the last the last."""
    dim %= a.ndim
    n = a.shape[dim]
    return cat([slice_(a, dim, 1, n, 1), slice_(a, dim, n - 1, n, 1)], dim)


@op("linked_sums(Tensor terms, Tensor links, int dim, bool backwards) -> Tensor", batches="dim", **INTERNAL)
class linked_sums:
    """s[i] = terms[i] + links[i - 1] * s[i - 1], or backwards s[i] = terms[i] + links[i] * s[i + 1]."""

    terms = lambda grad, links, dim, backwards: linked_sums(grad, conj(links), dim, not backwards)
    links = lambda grad, links, dim, backwards, result: linked_sums_links(
        linked_sums(grad, conj(links), dim, not backwards), conj(result), dim, backwards
    )


@formula
def linked_sums_links(adjoint: Any, sums: Any, dim: int, backwards: bool) -> Any:
    """The derivative for the links: what arrives at one end times the sum at the other."""
    dim %= sums.ndim
    n = sums.shape[dim]
    first, second = (adjoint, sums) if backwards else (sums, adjoint)
    products = slice_(first, dim, 0, n - 1, 1) * slice_(second, dim, 1, n, 1)
    return cat([products, zeros_like(slice_(sums, dim, 0, 1, 1))], dim)


@op(
    "cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
    forms="function method out",
    out_dtype=SCALAR_TYPE,
    real_gradient=True,
    batches="dim",
    gradient_writes=2,
)
class cummax:
    """The largest element up to each one, along a dimension, and where it is."""

    self = lambda grad, self, dim, indices: scatter_add(zeros_of(grad, self.shape), dim, indices, grad)


@op(
    "cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
    forms="function method out",
    out_dtype=SCALAR_TYPE,
    real_gradient=True,
    batches="dim",
    gradient_writes=2,
)
class cummin:
    """The smallest element up to each one, along a dimension, and where it is."""

    self = lambda grad, self, dim, indices: scatter_add(zeros_of(grad, self.shape), dim, indices, grad)


# ----- Differences -----


@composite(
    "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
    forms="function method out",
    exclusive=True,
    out_dtype="castable",
)
def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """The differences of neighbours along a dimension: each element minus the one before it. For bools: whether the two differ."""
    shape = input._a.shape
    if not shape:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    d = wrap_dim(dim, len(shape))
    for extra in (prepend, append):
        if extra is None:
            continue
        if extra._a.ndim != len(shape):
            raise RuntimeError("diff expects prepend or append to be the same dimension as input")
        for i, (expected, given) in enumerate(zip(shape, extra._a.shape, strict=True)):
            if i != d and expected != given:
                raise RuntimeError(
                    "diff expects the shape of tensor to prepend or append to match that of input except along the differencing "
                    f"dimension; input.size({i}) = {expected}, but got tensor.size({i}) = {given}"
                )
    if n == 0:
        return zeros_like(input).copy_(input)
    parts = [t for t in (prepend, input, append) if t is not None]
    result = cat(parts, d) if len(parts) > 1 else input
    for _ in range(min(n, result._a.shape[d])):
        size = result._a.shape[d]
        later, earlier = result.narrow(d, 1, size - 1), result.narrow(d, 0, size - 1)
        result = later ^ earlier if result._a.dtype.kind == "b" else later - earlier
    return result


@composite("gradient(Tensor self, *, any spacing=None, any dim=None, int edge_order=1) -> Tensor[]")
def gradient(input: Tensor, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> tuple:
    """The slopes of a function that is known at some points: estimates of its derivative along each dimension.
    It does not compute derivatives by autograd."""
    if isinstance(spacing, Tensor) and not spacing.ndim:
        spacing = spacing.item()
    if not (spacing is None or isinstance(spacing, (int, float, complex, list, tuple))):
        raise TypeError(
            f"gradient(): argument 'spacing' must be Number, tuple of Scalars or tuple of Tensors, not {class_name(spacing)}"
        )
    ndim = input._a.ndim
    given = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    count = len(spacing) if isinstance(spacing, (list, tuple)) else None
    _check_gradient(input, count, given, edge_order)
    dims = list(range(ndim)) if given is None else [wrap_dim(d, ndim) for d in given]
    steps: Any = spacing if count is not None else [1 if spacing is None else spacing] * len(dims)
    return tuple([_slopes(input, d, step, edge_order) for d, step in zip(dims, steps, strict=False)])


def _check_gradient(input: Tensor, count: int | None, dims: list | None, edge_order: int) -> None:
    """Refuse what has no gradient, in PyTorch's words."""
    ndim = input._a.ndim
    if input.dtype is dtypes.uint8:
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if count is not None and dims is None and count != ndim:
        raise RuntimeError(
            f"torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = {ndim}', since dim "
            f"argument was not given, but got a list of length {count}"
        )
    if count is not None and dims is not None and count != len(dims):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the same length, but "
            f"got a spacing argument of length {count} and a dim argument of length {len(dims)}."
        )
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    wrapped = range(ndim) if dims is None else [wrap_dim(d, ndim) for d in dims]
    for i, d in enumerate(wrapped):
        if d in wrapped[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    if any(input._a.shape[d] < edge_order + 1 for d in wrapped):
        raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")


def _slopes(a: Tensor, d: int, step: Any, edge_order: int) -> Tensor:
    """The slopes along one dimension, with a step or a vector of coordinates."""
    n = a._a.shape[d]

    def part(start: int, end: int) -> Tensor:
        return slice_(a, d, start, end, 1)

    if not isinstance(step, Tensor):
        inside = _div_scalar(part(2, n) - part(0, n - 2), step)
        if edge_order == 1:
            first, last = part(1, 2) - part(0, 1), part(n - 1, n) - part(n - 2, n - 1)
        else:
            first = _mul_scalar(part(0, 1), -1.5) + _mul_scalar(part(1, 2), 2) - _mul_scalar(part(2, 3), 0.5)
            last = (
                _mul_scalar(part(n - 3, n - 2), 0.5)
                - _mul_scalar(part(n - 2, n - 1), 2)
                + _mul_scalar(part(n - 1, n), 1.5)
            )
        return cat([_div_scalar(first, step), _div_scalar(inside, 2), _div_scalar(last, step)], d)
    if step._a.ndim != 1:
        raise RuntimeError(
            f"torch.gradient expected each element of spacing to have one dimension, but got an element with {step._a.ndim} dimensions!"
        )
    steps = diff(step)
    before, after = steps[:-1], steps[1:]
    shape = [-1 if i == d else 1 for i in range(a._a.ndim)]
    # The slope of the parabola through three neighbours, as weights of the three.
    left = (-after / (before * (before + after))).reshape(shape)
    middle = ((after - before) / (before * after)).reshape(shape)
    right = (before / (after * (before + after))).reshape(shape)
    inside = left * part(0, n - 2) + middle * part(1, n - 1) + right * part(2, n)
    if edge_order == 1:
        first, last = (
            (part(1, 2) - part(0, 1)) / steps[0],
            (part(n - 1, n) - part(n - 2, n - 1)) / steps[-1],
        )
    else:
        p, q = before[0], after[0]
        first = (
            -(2.0 * p + q) / (p * (p + q)) * part(0, 1)
            + (p + q) / (p * q) * part(1, 2)
            + -p / (q * (p + q)) * part(2, 3)
        )
        p, q = before[-1], after[-1]
        last = (
            q / (p * (p + q)) * part(n - 3, n - 2)
            + -(q + p) / (p * q) * part(n - 2, n - 1)
            + (2.0 * q + p) / (q * (p + q)) * part(n - 1, n)
        )
    return cat([first, inside, last], d)


# ----- Integrals -----


@composite("trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", forms="function")
def trapezoid(y: Tensor, x: Tensor, dim: int = -1) -> Tensor:
    """The integral of a function that is known at some points, along a dimension. The trapezoidal rule joins neighbouring points by straight lines."""
    d = _integrated_dim(y, dim)
    if not y._a.shape[d]:
        return _no_samples(y, d)
    steps = _steps("trapezoid", y, x, d)
    return _div_scalar((_sums_of_neighbours(y, d) * steps).sum(d), 2.0)


@composite("trapezoid.dx(Tensor y, *, Number dx=1, int dim=-1) -> Tensor", forms="function")
def trapezoid_dx(y: Tensor, dx: Any = 1, dim: int = -1) -> Tensor:
    """The integral along a dimension by the trapezoidal rule, of samples at the points `x` or in steps of `dx`."""
    d = _integrated_dim(y, dim)
    if not y._a.shape[d]:
        return _no_samples(y, d)
    _check_step("trapezoid", y, dx)
    return _mul_scalar(y.sum(d) - _mul_scalar(y.select(d, 0) + y.select(d, -1), 0.5), float(dx))


@composite("trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", forms="function")
def trapz(y: Tensor, x: Tensor, dim: int = -1) -> Tensor:
    """The integral of a function that is known at some points, along a dimension. It is another name for `jgrad.trapezoid`."""
    return trapezoid(y, x, dim=dim)


@composite("trapz.dx(Tensor y, *, float dx=1.0, int dim=-1) -> Tensor", forms="function")
def trapz_dx(y: Tensor, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Another name of trapezoid."""
    return trapezoid(y, dx=dx, dim=dim)


@composite("cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", forms="function")
def cumulative_trapezoid(y: Tensor, x: Tensor, dim: int = -1) -> Tensor:
    """The integrals of a function that is known at some points, from the first point to each of the others. The trapezoidal rule joins neighbouring
    points by straight lines."""
    d = wrap_dim(dim, y._a.ndim)
    steps = _steps("cumulative_trapezoid", y, x, d)
    return _div_scalar((_sums_of_neighbours(y, d) * steps).cumsum(d), 2.0)


@composite("cumulative_trapezoid.dx(Tensor y, *, Number dx=1, int dim=-1) -> Tensor", forms="function")
def cumulative_trapezoid_dx(y: Tensor, dx: Any = 1, dim: int = -1) -> Tensor:
    """The integrals from the first sample to each of the others by the trapezoidal rule, of samples at the points `x` or in steps of `dx`."""
    d = wrap_dim(dim, y._a.ndim)
    _check_step("cumulative_trapezoid", y, dx)
    return _mul_scalar(_sums_of_neighbours(y, d), float(dx) / 2).cumsum(d)


def _integrated_dim(y: Tensor, dim: int) -> int:
    if not y._a.ndim:
        wrap_dim(dim, 0)
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, y._a.ndim)


def _no_samples(y: Tensor, d: int) -> Tensor:
    return zeros_of(y, [n for i, n in enumerate(y._a.shape) if i != d])


def _check_step(name: str, y: Tensor, dx: Any) -> None:
    if y._a.dtype.kind == "b":
        raise RuntimeError(f"{name}: received a bool input for `y`, but bool is not supported")
    if isinstance(dx, (complex, bool)):
        raise RuntimeError(f"{name}: Currently, we only support dx as a real number.")


def _steps(name: str, y: Tensor, x: Tensor, d: int) -> Tensor:
    """The distances between the points, in a shape that broadcasts with y."""
    if y._a.dtype.kind == "b" or x._a.dtype.kind == "b":
        raise RuntimeError(f"{name}: received a bool input for `x` or `y`, but bool is not supported")
    if x._a.ndim == 1:
        if x._a.shape[0] != y._a.shape[d]:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        x = x.view([-1 if i == d else 1 for i in range(y._a.ndim)])
    elif x._a.ndim < y._a.ndim:
        x = x.view((1,) * (y._a.ndim - x._a.ndim) + x._a.shape)
    return slice_(x, d, 1, None, 1) - slice_(x, d, 0, -1, 1)


def _sums_of_neighbours(y: Tensor, d: int) -> Tensor:
    if not y._a.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    return slice_(y, d, 0, -1, 1) + slice_(y, d, 1, None, 1)
