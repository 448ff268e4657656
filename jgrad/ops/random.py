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
from jgrad.ops.factories import built, made, require_tensor, size_of, take_size
from jgrad.random import Generator, default_generator
from jgrad.tensor import Tensor

# Filling a tensor ---------------------------------------------------------------------------------------------


@op(
    "uniform_(Tensor(a!) self, float from=0.0, float to=1.0, *, Generator? generator=None) -> Tensor",
    forms="method",
)
class uniform_:
    """Fill this tensor with random numbers that are equally likely anywhere from `from_` to `to`."""

    self = ZERO


@op(
    "normal_(Tensor(a!) self, float mean=0.0, float std=1.0, *, Generator? generator=None) -> Tensor",
    forms="method",
)
class normal_:
    """Fill this tensor with random numbers of a normal distribution."""

    self = ZERO


@op(
    "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor",
    forms="method",
    kernel="random_from_",
)
class random_:
    """Fill this tensor with random integers that are equally likely."""

    self = ZERO


@op("random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor", kernel="random_to_")
class random_to_:
    self = ZERO


@op("random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor")
class random_any_:
    self = ZERO


@op("exponential_(Tensor(a!) self, float lambd=1.0, *, Generator? generator=None) -> Tensor", forms="method")
class exponential_:
    """Fill this tensor with random numbers of an exponential distribution, whose mean is `1 / lambd`."""

    self = ZERO


@op(
    "bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor",
    forms="method",
    node="BernoulliBackward1",
)
class bernoulli_:
    """Fill this tensor with random zeros and ones."""

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
    """Fill this tensor with random numbers whose logarithms have a normal distribution."""

    self = ZERO


@op(
    "cauchy_(Tensor(a!) self, float median=0.0, float sigma=1.0, *, Generator? generator=None) -> Tensor",
    forms="method",
)
class cauchy_:
    """Fill this tensor with random numbers of a Cauchy distribution, which has no mean: very large numbers occur now and then."""

    self = ZERO


@op("geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor", forms="method")
class geometric_:
    """Fill this tensor with random numbers of a geometric distribution: how many trials are needed until the first success."""

    self = ZERO


# Drawing from tensors of parameters ---------------------------------------------------------------------------


@op(
    "bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
    forms="function method out",
    out_resized_silently=True,
    draws_into_out=True,
    real_gradient=True,
)
class bernoulli:
    """Random zeros and ones: each is one with the probability at its place."""

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
    draws_into_out=True,
)
class normal:
    """Random numbers of normal distributions. Mean and standard deviation are tensors, or numbers together with a size."""

    mean = std = ZERO


@op(
    "normal.Tensor_float(Tensor mean, float std=1.0, *, Generator? generator=None) -> Tensor",
    node="NormalBackward1",
    real_gradient=True,
    broadcasts_with_out=True,
    draws_into_out=True,
)
class normal_of_mean:
    mean = ZERO


@op(
    "normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
    node="NormalBackward2",
    draws_into_out=True,
)
class normal_of_std:
    std = ZERO


@op("poisson(Tensor self, Generator? generator=None) -> Tensor", forms="function")
class poisson:
    """Random numbers of Poisson distributions: how many events occur if the mean number is given."""

    self = ZERO


@op(
    "binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor",
    forms="function",
    undifferentiable=True,
)
class binomial:
    """Random numbers of binomial distributions: how many of some trials succeed."""


@op(
    "multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor",
    forms="function method out",
    out_resized_silently=True,
    draws_into_out=True,
)
class multinomial:
    """Random indices, drawn with given weights."""


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
    resizes: bool = False,
) -> Tensor:
    """A tensor of this size, filled; `out` gives dtype and order of memory if there is one. `resizes`: it is resized before."""
    if levels.anywhere and (level := levels.batching()) is not None:
        with levels.suspended(level):
            return draw_new(
                lambda size: _new(name, fill, size, out, dtype, common, default, resizes), size, level
            )
    shape = size_of(name, (size,), None)
    require_tensor(name, out)
    if dtype is None:
        dtype = (default or dtypes.get_default_dtype()).numpy if out is None else out._a.dtype
    if out is not None and resizes and dtype == out._a.dtype:
        take_size(out, shape)
    if out is not None and out._a.shape == shape:
        array = libraries.library_of(out._a).kernels.empty_like(out._a, dtype)
    else:
        array = built(common[1] if common else None, lambda np: np.empty(shape, dtype))
    with libraries.device_guard((array,)):
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
    library = libraries.library_of(source._a)
    with libraries.device_guard((source,)):
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
    """Random numbers that are equally likely anywhere from 0 to 1; 1 itself does not occur."""
    return _new(
        "rand",
        lambda a: libraries.library_of(a).kernels.uniform_(a, 0.0, 1.0, generator),
        size,
        out,
        dtype,
        common,
        resizes=generator is not None,
    )


@composite(f"randn(int[] size, {_NEW}", forms="function", varargs=True)
def randn(
    size: tuple,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: Any = None,
    *common: Any,
) -> Tensor:
    """Random numbers of the normal distribution with mean 0 and standard deviation 1."""
    return _new(
        "randn",
        lambda a: libraries.library_of(a).kernels.normal_(a, 0.0, 1.0, generator),
        size,
        out,
        dtype,
        common,
        resizes=True,
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
        "normal",
        lambda a: libraries.library_of(a).kernels.normal_(a, mean, std, generator),
        size,
        out,
        dtype,
        common,
    )


@composite(f"randint(int high, int[] size, {_NEW}", forms="function")
def randint(high: int, size: tuple, *rest: Any) -> Tensor:
    """Random integers from `low` up to `high`, without `high`, that are equally likely."""
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
        libraries.library_of(a).kernels.random_from_(a, low, high, generator)

    return _new("randint", fill, size, out, dtype, common, dtypes.int64)


@composite(f"randperm(int n, {_NEW}", forms="function")
def randperm(
    n: int, generator: Generator | None = None, out: Tensor | None = None, dtype: Any = None, *common: Any
) -> Tensor:
    """The integers from 0 up to `n`, without `n`, in a random order."""
    if levels.anywhere and (level := levels.batching()) is not None:
        with levels.suspended(level):
            return draw_each(lambda: _permuted(n, generator, out, dtype, common), level)
    return _permuted(n, generator, out, dtype, common)


def _permuted(n: int, generator: Generator | None, out: Tensor | None, dtype: Any, common: tuple) -> Tensor:
    require_tensor("randperm", out)
    if n < 0:
        raise RuntimeError(
            f"n must be non-negative, got{n}"
            if out is not None
            else f"Trying to create tensor with negative dimension {n}: [{n}]"
        )
    if dtype is None:
        dtype = np.dtype(np.int64) if out is None else out._a.dtype
    kind = FROM_NUMPY[dtype]
    if dtype.kind in "bc":
        raise NotImplementedError(f"\"randperm\" not implemented for '{kind.type_name}'")
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
    """Random numbers that are equally likely anywhere from 0 to 1 (which itself does not occur), in the size of another tensor."""
    return _like(
        "rand_like",
        lambda a: libraries.library_of(a).kernels.uniform_(a, 0.0, 1.0, generator),
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
    """Random numbers of the normal distribution with mean 0 and standard deviation 1, in the size of another tensor."""
    return _like(
        "randn_like",
        lambda a: libraries.library_of(a).kernels.normal_(a, 0.0, 1.0, generator),
        input,
        memory_format,
        dtype,
        common,
    )


@composite(f"randint_like(Tensor self, int high, {_LIKE}", forms="function")
def randint_like(input: Tensor, high: int, *rest: Any) -> Tensor:
    """Random integers from `low` up to `high`, without `high`, in the size and dtype of another tensor."""
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
        libraries.library_of(a).kernels.random_from_(a, low, high, generator)

    return _like("randint_like", fill, input, memory_format, dtype, common)
