"""What all distributions share: shapes, validation, expansion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jgrad
from jgrad import manual, warn
from jgrad.distributions import constraints
from jgrad.distributions.utils import all_true, lazy_property
from jgrad.tensor import Size, Tensor

SCALAR = Size()


class Distribution:
    """A probability distribution, or a batch of them of one family."""

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__
    _kept: tuple[str, ...] = ()

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether parameters and values are checked where `validate_args` is not given; at first they are, unless Python runs with -O."""
        if value not in [True, False]:
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self, batch_shape: Size = SCALAR, event_shape: Size = SCALAR, validate_args: bool | None = None
    ) -> None:
        self._batch_shape, self._event_shape = batch_shape, event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()
        super().__init__()

    def _validate_parameters(self) -> None:
        try:
            expected = self.arg_constraints
        except NotImplementedError:
            warn.say(
                f"{self.__class__} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize the "
                "distribution with `validate_args=False` to turn off validation."
            )
            return
        for name, constraint in expected.items():
            derived = name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property)
            if derived or constraints.is_dependent(constraint):
                continue
            value = getattr(self, name)
            if not all_true(constraint.check(value)):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} "
                    f"to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """The same distribution with its batch expanded to another shape; its parameters are views of this one's."""
        family = next((c for c in type(self).__mro__ if "_parameters" in vars(c)), None)
        if family is None:
            raise NotImplementedError
        new = self._get_checked_instance(family, _instance)
        batch_shape = Size(batch_shape)
        for name, own in family._parameters.items():  # type: ignore[attr-defined]
            if name in self.__dict__:
                value = self.__dict__[name]
                shape = value.shape if isinstance(value, Tensor) else value.batch_shape
                setattr(new, name, value.expand(batch_shape + shape[len(shape) - own :]))
        for name in family._kept:  # type: ignore[attr-defined]
            setattr(new, name, getattr(self, name))
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """An empty instance for `expand` to fill."""
        if _instance is not None:
            return _instance
        if type(self).__init__ != cls.__init__:  # type: ignore[misc]
            raise NotImplementedError(
                f"Subclass {self.__class__.__name__} of {cls.__name__} that defines a custom __init__ method "
                "must also define a custom .expand() method."
            )
        return self.__new__(type(self))

    @property
    def batch_shape(self) -> Size:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one outcome."""
        return self._event_shape

    @property
    def arg_constraints(self) -> dict[str, constraints.Constraint]:
        """What the parameters must be, by name."""
        raise NotImplementedError

    @property
    def support(self) -> constraints.Constraint | None:
        """What the values are."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The expected value."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most probable value."""
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The expected square of the distance to the mean."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The standard deviation: the square root of the variance."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Sequence[int] = SCALAR) -> Tensor:
        """Independent samples, `sample_shape` of each distribution of the batch, without gradients."""
        with jgrad.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = SCALAR) -> Tensor:
        """Samples that are differentiable functions of the parameters, where `has_rsample` says that there are such."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """`sample((n,))`. Deprecated."""
        warn.say("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning)
        return self.sample(Size((n,)))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density, or of the probability, of each event in `value`."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of a sample up to `value`."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The inverse of `cdf`: the value up to which samples have this probability."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values of a discrete distribution along a new first dimension, expanded over the batch or of size 1 there."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The expected value of -log_prob, of the shape of the batch."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """exp(entropy)."""
        return jgrad.exp(self.entropy())

    def _extended_shape(self, sample_shape: Sequence[int] = SCALAR) -> Size:
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _check(self, value: Tensor) -> None:
        """Refuse values that this distribution can't have, if it is to look."""
        if self._validate_args:
            self._validate_sample(value)

    def _validate_sample(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, event = value.size(), self._event_shape
        if shape[len(shape) - len(event) :] != event:
            raise ValueError(f"The right-most size of value must match event_shape: {shape} vs {event}.")
        expected = self._batch_shape + event
        if any(
            [i not in (1, j) and j != 1 for i, j in zip(reversed(shape), reversed(expected), strict=False)]
        ):
            raise ValueError(
                f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {expected}."
            )
        try:
            support = self.support
        except NotImplementedError:
            warn.say(
                f"{self.__class__} does not define `support` to enable sample validation. Please initialize the distribution with "
                "`validate_args=False` to turn off validation."
            )
            return
        if support is None:
            raise AssertionError("support is unexpectedly None")
        if not all_true(support.check(value)):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the support "
                f"({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def __repr__(self) -> str:
        shown = {name: self.__dict__[name] for name in self.arg_constraints if name in self.__dict__}
        text = [f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in shown.items()]
        return f"{self.__class__.__name__}({', '.join(text)})"


manual.attach(__name__)
