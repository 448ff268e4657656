"""Mixtures of distributions of one family."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.categorical import Categorical
from jgrad.distributions.distribution import Distribution
from jgrad.tensor import Size, Tensor


class MixtureSameFamily(Distribution):
    """Samples of one of K components, which is drawn for each sample anew."""

    arg_constraints: dict[str, constraints.Constraint] = {}
    has_rsample = False
    _parameters = {"_component_distribution": 1, "_mixture_distribution": 0}
    _kept = ("_num_component", "_event_ndims")

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        mixture, component = mixture_distribution, component_distribution
        if not isinstance(mixture, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of torch.distributions.Categorical"
            )
        if not isinstance(component, Distribution):
            raise ValueError(
                "The Component distribution needs to be an instance of torch.distributions.Distribution"
            )
        of_mixture, of_component = mixture.batch_shape, component.batch_shape[:-1]
        pairs = zip(reversed(of_mixture), reversed(of_component), strict=False)
        if any([m not in (1, c) and c != 1 for m, c in pairs]):
            raise ValueError(
                f"`mixture_distribution.batch_shape` ({of_mixture}) is not compatible with "
                f"`component_distribution.batch_shape`({of_component})"
            )
        weights, components = mixture.logits.shape[-1], component.batch_shape[-1]
        if weights != components:
            raise ValueError(
                f"`mixture_distribution component` ({weights}) does not equal `component_distribution.batch_shape[-1]` ({components})"
            )
        self._mixture_distribution, self._component_distribution = mixture, component
        self._num_component, self._event_ndims = weights, len(component.event_shape)
        super().__init__(of_component, component.event_shape, validate_args=validate_args)

    @constraints.dependent_property
    def support(self) -> constraints.Constraint:
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Categorical:
        """The distribution of the components' numbers."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """The components, along the last batch dimension."""
        return self._component_distribution

    def _pad(self, x: Tensor) -> Tensor:
        """Values with a dimension for the components."""
        return x.unsqueeze(-1 - self._event_ndims)

    def _average(self, of_components: Tensor) -> Tensor:
        """The weighted mean over the components."""
        probs = self.mixture_distribution.probs
        mixtures = len(self.mixture_distribution.batch_shape)
        missing = 0 if mixtures == 1 else len(self.batch_shape) - mixtures
        shape = probs.shape[:-1] + (1,) * missing + probs.shape[-1:] + (1,) * self._event_ndims
        return (probs.reshape(shape) * of_components).sum(-1 - self._event_ndims)

    @property
    def mean(self) -> Tensor:
        return self._average(self.component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        """The mean of the components' variances and the variance of their means."""
        apart = (self.component_distribution.mean - self._pad(self.mean)).pow(2.0)
        return self._average(self.component_distribution.variance) + self._average(apart)

    def cdf(self, x: Tensor) -> Tensor:
        return (self.component_distribution.cdf(self._pad(x)) * self.mixture_distribution.probs).sum(-1)

    def log_prob(self, x: Tensor) -> Tensor:
        self._check(x)
        of_components = self.component_distribution.log_prob(self._pad(x))
        return jgrad.logsumexp(of_components + jgrad.log_softmax(self.mixture_distribution.logits, -1), -1)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        with jgrad.no_grad():
            chosen = self.mixture_distribution.sample(sample_shape)
            samples = self.component_distribution.sample(sample_shape)
            dim = len(sample_shape) + len(self.batch_shape)
            event = (1,) * len(self.event_shape)
            index = chosen.reshape(chosen.shape + (1,) + event)
            index = index.repeat((1,) * chosen.dim() + (1, *self.event_shape))
            return samples.gather(dim, index).squeeze(dim)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"


manual.attach(__name__)
