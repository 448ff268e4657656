"""Random tensors, with the numbers that PyTorch draws after the same seed (see `jgrad/random.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.dispatch import composite, op
from jgrad.dtypes import FROM_NUMPY, limits_of
from jgrad.graph import levels
from jgrad.kernels import libraries
from jgrad.kernels.numbers import C_NAMES
from jgrad.kernels.streams import permutation
from jgrad.ops.batched_draws import draw_each, draw_like, draw_new
from jgrad.ops.creation import ZERO, zeros_like
from jgrad.ops.factories import built, made, size_of
from jgrad.random import Generator, default_generator
from jgrad.tensor import Tensor

# Filling a tensor ---------------------------------------------------------------------------------------------


@op(
    "uniform_(Tensor(a!) self, float from=0.0, float to=1.0, *, Generator? generator=None) -> Tensor",
    forms="method",
)
class uniform_:
    """Fill this tensor with random numbers that are equally likely anywhere from `from_` to `to`.

    Args:
        from_: the lower end
        to: the upper end, which itself does not occur
        generator: the stream of random numbers; None means the default generator of the device

    Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.

    >>> jgrad.zeros(2).uniform_()
    tensor([0.4963, 0.7682])
    """

    self = ZERO


@op(
    "normal_(Tensor(a!) self, float mean=0.0, float std=1.0, *, Generator? generator=None) -> Tensor",
    forms="method",
)
class normal_:
    """Fill this tensor with random numbers of a normal distribution.

    Args:
        mean: the mean of the distribution
        std: its standard deviation, not negative
        generator: the stream of random numbers; None means the default generator of the device

    Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.

    >>> x = jgrad.zeros(1000).normal_(mean=5., std=0.1)
    >>> bool((x.mean() - 5).abs() < 0.1)
    True
    """

    self = ZERO


@op(
    "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor",
    forms="method",
    kernel="random_from_",
)
class random_:
    """Fill this tensor with random integers that are equally likely.

    Args:
        from_: the smallest integer; 0 if it is left out. If there is one argument, it is `to`.
        to: the integers lie below it; None (or no argument) means that the largest integer the dtype can hold also occurs. For floating dtypes it
            is the largest up to which all integers are exact.
        generator: the stream of random numbers; None means the default generator of the device

    Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.

    >>> x = jgrad.zeros(100, dtype=jgrad.int64).random_(2, 5)
    >>> x.unique()
    tensor([2, 3, 4])
    """

    self = ZERO


@op("random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor", kernel="random_to_")
class random_to_:
    self = ZERO


@op("random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor")
class random_any_:
    self = ZERO


@op("exponential_(Tensor(a!) self, float lambd=1.0, *, Generator? generator=None) -> Tensor", forms="method")
class exponential_:
    """Fill this tensor with random numbers of an exponential distribution, whose mean is `1 / lambd`.

    Args:
        lambd: the rate of the distribution, positive
        generator: the stream of random numbers; None means the default generator of the device

    Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.

    >>> x = jgrad.zeros(1000).exponential_(lambd=2.)
    >>> bool(x.min() >= 0), bool((x.mean() - 0.5).abs() < 0.1)
    (True, True)
    """

    self = ZERO


@op(
    "bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor",
    forms="method",
    node="BernoulliBackward1",
)
class bernoulli_:
    """Fill this tensor with random zeros and ones.

    Args:
        p: the probability of a one: a number, or a tensor that has a probability for each place and broadcasts to the shape of this one
        generator: the stream of random numbers; None means the default generator of the device

    Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a
    gradient. The gradient for `p` is 0.

    >>> jgrad.zeros(3).bernoulli_(jgrad.tensor([0., 1., 1.]))
    tensor([0., 1., 1.])
    """

    self = ZERO
    p = lambda grad, p: zeros_like(p)


@op(
    "bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor",
    kernel="bernoulli_p_",
    node="BernoulliBackward2",
)
class bernoulli_p_:
    self = ZERO


@op(
    "log_normal_(Tensor(a!) self, float mean=1.0, float std=2.0, *, Generator? generator=None) -> Tensor",
    forms="method",
)
class log_normal_:
    """Fill this tensor with random numbers whose logarithms have a normal distribution.

    Args:
        mean: the mean of the logarithms
        std: the standard deviation of the logarithms, positive
        generator: the stream of random numbers; None means the default generator of the device

    Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.

    >>> x = jgrad.zeros(1000).log_normal_(mean=0., std=1.)
    >>> bool((x.log().mean()).abs() < 0.2)
    True
    """

    self = ZERO


@op(
    "cauchy_(Tensor(a!) self, float median=0.0, float sigma=1.0, *, Generator? generator=None) -> Tensor",
    forms="method",
)
class cauchy_:
    """Fill this tensor with random numbers of a Cauchy distribution, which has no mean: very large numbers occur now and then.

    Args:
        median: the number below which half of the numbers lie
        sigma: half of the numbers lie no farther from the median than this; positive
        generator: the stream of random numbers; None means the default generator of the device

    Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.

    >>> x = jgrad.zeros(1001).cauchy_(median=3., sigma=0.5)
    >>> bool((x.median() - 3).abs() < 0.2)
    True
    """

    self = ZERO


@op("geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor", forms="method")
class geometric_:
    """Fill this tensor with random numbers of a geometric distribution: how many trials are needed until the first success.

    Args:
        p: the probability of a success in one trial, above 0 and below 1
        generator: the stream of random numbers; None means the default generator of the device

    Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.

    >>> x = jgrad.zeros(1000).geometric_(0.5)
    >>> x.min()
    tensor(1.)
    """

    self = ZERO


# Drawing from tensors of parameters ---------------------------------------------------------------------------


@op(
    "bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
    forms="function method out",
    out_resized_silently=True,
    real_gradient=True,
)
class bernoulli:
    """Random zeros and ones: each is one with the probability at its place.

    Args:
        input: a tensor of probabilities from 0 to 1, with a floating dtype; with `p`, it gives only shape and dtype
        p: one probability for all places, a number; without it, the probabilities are those in `input`
        generator: the stream of random numbers; None means the default generator of the device

    Returns a new tensor with the shape and dtype of `input`. The gradient for `input` is 0.

    >>> jgrad.bernoulli(jgrad.tensor([0., 1., 1.]))
    tensor([0., 1., 1.])
    """

    self = ZERO


@op(
    "bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
    kernel="bernoulli_p",
    undifferentiable=True,
)
class bernoulli_p:
    pass


@op(
    "normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
    forms="function out",
    node="NormalBackward3",
    real_gradient=True,
)
class normal:
    """Random numbers of normal distributions. Mean and standard deviation are tensors, or numbers together with a size.

    Args:
        mean: a tensor with the mean of each number, or one number for all
        std: a tensor with the standard deviation of each number, or one number for all; not negative; 1 if it is left out with a tensor `mean`
        size: the shape, a tuple or list of integers, if `mean` and `std` are numbers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means the default dtype, if there is a `size`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient

    Returns a new tensor with the shape to which `mean` and `std` broadcast, or of this size. The gradients for `mean` and `std` are 0.

    >>> jgrad.normal(jgrad.tensor([1., 10.]), jgrad.tensor([0., 0.]))
    tensor([ 1., 10.])
    >>> jgrad.normal(0., 1., size=(2, 3)).shape
    jgrad.Size([2, 3])
    """

    mean = std = ZERO


@op(
    "normal.Tensor_float(Tensor mean, float std=1.0, *, Generator? generator=None) -> Tensor",
    node="NormalBackward1",
    real_gradient=True,
    broadcasts_with_out=True,
)
class normal_of_mean:
    mean = ZERO


@op(
    "normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
    node="NormalBackward2",
)
class normal_of_std:
    std = ZERO


@op("poisson(Tensor self, Generator? generator=None) -> Tensor", forms="function")
class poisson:
    """Random numbers of Poisson distributions: how many events occur if the mean number is given.

    Args:
        input: a tensor with the mean for each number, not negative, with a floating dtype
        generator: the stream of random numbers; None means the default generator of the device

    Returns a new tensor with the shape and dtype of `input`. Its gradient is 0. Raises RuntimeError for negative means.

    >>> jgrad.poisson(jgrad.tensor([0., 0.]))
    tensor([0., 0.])
    >>> means = jgrad.poisson(jgrad.full((1000,), 3.))
    >>> bool((means.mean() - 3).abs() < 0.3)
    True
    """

    self = ZERO


@op("binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", forms="function")
class binomial:
    """Random numbers of binomial distributions: how many of some trials succeed.

    Args:
        count: a tensor with the number of trials, with a floating dtype
        prob: a tensor with the probability of a success in one trial; it broadcasts with `count`
        generator: the stream of random numbers; None means the default generator of the device

    Returns a new tensor. The gradients are 0.

    >>> jgrad.binomial(jgrad.tensor([10., 10.]), jgrad.tensor([0., 1.]))
    tensor([ 0., 10.])
    """

    count = prob = ZERO


@op(
    "multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor",
    forms="function method out",
    out_resized_silently=True,
    out_dtype="multinomial expects Long tensor out, got: {out}",
)
class multinomial:
    """Random indices, drawn with given weights.

    Args:
        input: a vector or a matrix with a floating dtype: the weights of the indices, not negative, at least one of
            them positive. For a matrix, each row gives a draw of its own.
        num_samples: how many indices to draw
        replacement: if True, an index may be drawn several times; if False, no index is drawn twice
        generator: the stream of random numbers; None means the default generator of the device

    Returns a new int64 tensor with `num_samples` as its last dimension. Has no gradient. Raises RuntimeError if more indices are drawn than
    there are, and none may be drawn twice.

    >>> jgrad.multinomial(jgrad.tensor([0., 0., 5.]), 4, replacement=True)
    tensor([2, 2, 2, 2])
    >>> jgrad.multinomial(jgrad.tensor([1., 2., 5.]), 3).sort().values
    tensor([0, 1, 2])
    """


# Making tensors -----------------------------------------------------------------------------------------------

_COMMON = "dtype? dtype=None, layout? layout=None, device? device=None, bool? pin_memory=False, bool? requires_grad=False"
_NEW = f"*, Generator? generator=None, Tensor? out=None, {_COMMON}) -> Tensor"
_LIKE = f"*, Generator? generator=None, memory_format? memory_format=None, {_COMMON}) -> Tensor"


def _new(
    name: str,
    fill: Callable[[np.ndarray], None],
    size: tuple,
    out: Tensor | None,
    dtype: np.dtype | None,
    common: tuple,
    default: dtypes.dtype | None = None,
) -> Tensor:
    """A tensor of this size, filled; `out` gives dtype and order of memory if there is one."""
    if levels.anywhere and (level := levels.batching()) is not None:
        with levels.suspended(level):
            return draw_new(lambda size: _new(name, fill, size, out, dtype, common, default), size, level)
    shape = size_of(name, (size,), None)
    if dtype is None:
        dtype = (default or dtypes.get_default_dtype()).numpy if out is None else out._a.dtype
    if out is not None and out._a.shape == shape:
        array = libraries.of(out._a).kernels.empty_like(out._a, dtype)
    else:
        array = built(common[1] if common else None, lambda np: np.empty(shape, dtype))
    with libraries.on_device_of((array,)):
        fill(array)
    return _made(name, array, common, out=out, arguments={"size": shape})


def _like(
    name: str,
    fill: Callable[[np.ndarray], None],
    source: Tensor,
    memory_format: Any,
    dtype: np.dtype | None,
    common: tuple,
) -> Tensor:
    """A tensor with the size, the dtype and the order of memory of another, filled."""
    if levels.anywhere and (level := levels.batching()) is not None:
        with levels.suspended(level):
            return draw_like(lambda t: _like(name, fill, t, memory_format, dtype, common), source, level)
    dtype = source._a.dtype if dtype is None else dtype
    library = libraries.of(source._a)
    with libraries.on_device_of((source,)):
        array = library.kernels.empty_like(source._a, dtype, memory_format)
        fill(array)
    return _made(name, array, common, inputs=(source,))


def _made(name: str, array: np.ndarray, common: tuple, **more: Any) -> Tensor:
    layout, device, pin_memory, requires_grad = common or (None, None, False, False)
    return made(
        name,
        array,
        layout=layout,
        device=device,
        pin_memory=bool(pin_memory),
        requires_grad=bool(requires_grad),
        **more,
    )


@composite(f"rand(int[] size, {_NEW}", forms="function", varargs=True)
def rand(
    size: tuple,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: Any = None,
    *common: Any,
) -> Tensor:
    """Random numbers that are equally likely anywhere from 0 to 1; 1 itself does not occur.

    Args:
        size: the shape, as integers or as one tuple or list of integers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes

    Returns a new tensor.

    >>> jgrad.rand(2)
    tensor([0.4963, 0.7682])
    >>> jgrad.rand(2, 3).shape
    jgrad.Size([2, 3])
    """
    return _new(
        "rand", lambda a: libraries.of(a).kernels.uniform_(a, 0.0, 1.0, generator), size, out, dtype, common
    )


@composite(f"randn(int[] size, {_NEW}", forms="function", varargs=True)
def randn(
    size: tuple,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: Any = None,
    *common: Any,
) -> Tensor:
    """Random numbers of the normal distribution with mean 0 and standard deviation 1.

    Args:
        size: the shape, as integers or as one tuple or list of integers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes

    Returns a new tensor.

    >>> x = jgrad.randn(2, 3)
    >>> x.shape, x.dtype
    (jgrad.Size([2, 3]), jgrad.float32)
    >>> bool(jgrad.randn(1000).mean().abs() < 0.2)
    True
    """
    return _new(
        "randn", lambda a: libraries.of(a).kernels.normal_(a, 0.0, 1.0, generator), size, out, dtype, common
    )


@composite(f"normal.float_float(float mean, float std, int[] size, {_NEW}")
def normal_of_size(
    mean: float,
    std: float,
    size: tuple,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: Any = None,
    *common: Any,
) -> Tensor:
    """Normally distributed numbers; mean and standard deviation are numbers (then with a size) or tensors."""
    return _new(
        "normal", lambda a: libraries.of(a).kernels.normal_(a, mean, std, generator), size, out, dtype, common
    )


@composite(f"randint(int high, int[] size, {_NEW}", forms="function")
def randint(high: int, size: tuple, *rest: Any) -> Tensor:
    """Random integers from `low` up to `high`, without `high`, that are equally likely.

    Args:
        low: the smallest integer; 0 if it is left out
        high: the integers lie below it; if there is one number before the size, it is this one
        size: the shape, a tuple or list of integers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means int64, or that of `out`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes

    Returns a new tensor. Raises RuntimeError if `low` is not less than `high`.

    >>> jgrad.randint(2, 5, (100,)).unique()
    tensor([2, 3, 4])
    >>> jgrad.randint(10, (2, 3)).shape
    jgrad.Size([2, 3])
    """
    return randint_from(0, high, size, *rest)


@composite(f"randint.low(int low, int high, int[] size, {_NEW}")
def randint_from_low(low: int, high: int, size: tuple, *rest: Any) -> Tensor:
    """Integers from low (0) up to but without high."""
    return randint_from(low, high, size, *rest)


def randint_from(
    low: int,
    high: int,
    size: tuple,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: Any = None,
    *common: Any,
) -> Tensor:
    def fill(a: np.ndarray) -> None:
        libraries.of(a).kernels.random_from_(a, low, high, generator)

    return _new("randint", fill, size, out, dtype, common, dtypes.int64)


@composite(f"randperm(int n, {_NEW}", forms="function")
def randperm(
    n: int, generator: Generator | None = None, out: Tensor | None = None, dtype: Any = None, *common: Any
) -> Tensor:
    """The integers from 0 up to `n`, without `n`, in a random order.

    Args:
        n: how many integers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means int64, or that of `out`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes

    Returns a new vector with `n` elements. Every order is equally likely.

    >>> x = jgrad.randperm(5)
    >>> x.sort().values
    tensor([0, 1, 2, 3, 4])
    """
    if levels.anywhere and (level := levels.batching()) is not None:
        with levels.suspended(level):
            return draw_each(lambda: randperm(n, generator, out, dtype, *common), level)
    if dtype is None:
        dtype = np.dtype(np.int64) if out is None else out._a.dtype
    kind = FROM_NUMPY[dtype]
    if dtype.kind in "bc":
        raise NotImplementedError(f"\"randperm\" not implemented for '{kind.type_name}'")
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if kind.is_floating_point:
        most = 2 ** (limits_of(dtype).nmant + 1) + 1
        if n > most:
            raise RuntimeError(f"n cannot be greater than {most} for {kind.type_name} type.")
    elif n and n - 1 > np.iinfo(dtype).max:
        raise RuntimeError(f"value cannot be converted to type {C_NAMES[dtype.name]} without overflow")
    array = permutation(default_generator if generator is None else generator, n).astype(dtype)
    return _made("randperm", array, common, out=out, arguments={"n": n})


@composite(f"rand_like(Tensor self, {_LIKE}", forms="function")
def rand_like(
    input: Tensor,
    generator: Generator | None = None,
    memory_format: Any = None,
    dtype: Any = None,
    *common: Any,
) -> Tensor:
    """Random numbers that are equally likely anywhere from 0 to 1 (which itself does not occur), in the size of another tensor.

    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        generator: the stream of random numbers; None means the default generator of the device
        memory_format: the order of the dimensions in memory; None and `preserve_format` keep that of `input`, if it has no gaps
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means that of `input`
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes

    Returns a new tensor. No gradient flows to `input`. The dtype must be a floating or complex one.

    >>> jgrad.rand_like(jgrad.zeros(2))
    tensor([0.4963, 0.7682])
    """
    return _like(
        "rand_like",
        lambda a: libraries.of(a).kernels.uniform_(a, 0.0, 1.0, generator),
        input,
        memory_format,
        dtype,
        common,
    )


@composite(f"randn_like(Tensor self, {_LIKE}", forms="function")
def randn_like(
    input: Tensor,
    generator: Generator | None = None,
    memory_format: Any = None,
    dtype: Any = None,
    *common: Any,
) -> Tensor:
    """Random numbers of the normal distribution with mean 0 and standard deviation 1, in the size of another tensor.

    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        generator: the stream of random numbers; None means the default generator of the device
        memory_format: the order of the dimensions in memory; None and `preserve_format` keep that of `input`, if it has no gaps
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means that of `input`
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes

    Returns a new tensor. No gradient flows to `input`. The dtype must be a floating or complex one.

    >>> x = jgrad.zeros(2, 3, dtype=jgrad.float64)
    >>> y = jgrad.randn_like(x)
    >>> y.shape, y.dtype
    (jgrad.Size([2, 3]), jgrad.float64)
    """
    return _like(
        "randn_like",
        lambda a: libraries.of(a).kernels.normal_(a, 0.0, 1.0, generator),
        input,
        memory_format,
        dtype,
        common,
    )


@composite(f"randint_like(Tensor self, int high, {_LIKE}", forms="function")
def randint_like(input: Tensor, high: int, *rest: Any) -> Tensor:
    """Random integers from `low` up to `high`, without `high`, in the size and dtype of another tensor.

    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        low: the smallest integer; 0 if it is left out
        high: the integers lie below it; if there is one number, it is this one
        generator: the stream of random numbers; None means the default generator of the device
        memory_format: the order of the dimensions in memory; None and `preserve_format` keep that of `input`, if it has no gaps
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means that of `input`
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes

    Returns a new tensor. No gradient flows to `input`. Raises RuntimeError if `low` is not less than `high`.

    >>> x = jgrad.zeros(100)
    >>> jgrad.randint_like(x, 2, 5).unique()
    tensor([2., 3., 4.])
    """
    return randint_like_from(input, 0, high, *rest)


@composite(f"randint_like.low(Tensor self, int low, int high, {_LIKE}")
def randint_like_from_low(input: Tensor, low: int, high: int, *rest: Any) -> Tensor:
    """`randint` with the size, dtype and strides of the input."""
    return randint_like_from(input, low, high, *rest)


def randint_like_from(
    input: Tensor,
    low: int,
    high: int,
    generator: Generator | None = None,
    memory_format: Any = None,
    dtype: Any = None,
    *common: Any,
) -> Tensor:
    def fill(a: np.ndarray) -> None:
        libraries.of(a).kernels.random_from_(a, low, high, generator)

    return _like("randint_like", fill, input, memory_format, dtype, common)
