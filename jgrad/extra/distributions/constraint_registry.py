"""Which transform leads from unconstrained tensors to a constraint.

`biject_to` gives bijective transforms, for changes of variables. `transform_to` gives cheap ones, for optimizers, which may not be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad import manual
from jgrad.distributions import constraints, transforms
from jgrad.distributions.constraints import Constraint
from jgrad.distributions.transforms import Transform
from jgrad.distributions.utils import NUMBERS

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]

Factory = Callable[[Any], Transform]


class ConstraintRegistry:
    """A table from constraints to transforms."""

    def __init__(self) -> None:
        self._registry: dict[type, Factory] = {}
        super().__init__()

    def register(self, constraint: Any, factory: Factory | None = None) -> Any:
        """Give the transform for a class of constraints, or for that of this constraint; without `factory`, a decorator of one."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, Constraint) else constraint
        if not (isinstance(kind, type) and issubclass(kind, Constraint)):
            raise TypeError(
                f"Expected constraint to be either a Constraint subclass or instance, but got {kind}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Constraint) -> Transform:
        """The transform to this constraint."""
        try:
            factory = self._registry[type(constraint)]
        except KeyError:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints") from None
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _from(constraint: Any) -> Transform:
    return transforms.ComposeTransform(
        [transforms.ExpTransform(), transforms.AffineTransform(constraint.lower_bound, 1)]
    )


def _up_to(constraint: Any) -> Transform:
    return transforms.ComposeTransform(
        [transforms.ExpTransform(), transforms.AffineTransform(constraint.upper_bound, -1)]
    )


def _between(constraint: Any) -> Transform:
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, NUMBERS) and low == 0 and isinstance(high, NUMBERS) and high == 1:
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform(
        [transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)]
    )


def _parts(registry: ConstraintRegistry) -> dict[Any, Factory]:
    """The transforms to constraints that are made of others."""
    return {
        constraints.independent: lambda c: transforms.IndependentTransform(
            registry(c.base_constraint), c.reinterpreted_batch_ndims
        ),
        constraints.cat: lambda c: transforms.CatTransform(
            [registry(part) for part in c.cseq], c.dim, c.lengths
        ),
        constraints.stack: lambda c: transforms.StackTransform([registry(part) for part in c.cseq], c.dim),
    }


_BOTH: dict[Any, Factory] = {
    constraints.real: lambda c: transforms.identity_transform,
    constraints.greater_than: _from,
    constraints.greater_than_eq: _from,
    constraints.less_than: _up_to,
    constraints.interval: _between,
    constraints.half_open_interval: _between,
    constraints.corr_cholesky: lambda c: transforms.CorrCholeskyTransform(),
}
_BIJECTIVE: dict[Any, Factory] = {
    constraints.simplex: lambda c: transforms.StickBreakingTransform(),
}
_CHEAP: dict[Any, Factory] = {
    constraints.simplex: lambda c: transforms.SoftmaxTransform(),
    constraints.lower_cholesky: lambda c: transforms.LowerCholeskyTransform(),
    constraints.positive_definite: lambda c: transforms.PositiveDefiniteTransform(),
    constraints.positive_semidefinite: lambda c: transforms.PositiveDefiniteTransform(),
}
for _registry, _own in ((biject_to, _BIJECTIVE), (transform_to, _CHEAP)):
    for _constraint, _factory in {**_BOTH, **_own, **_parts(_registry)}.items():
        _registry.register(_constraint, _factory)


manual.attach(__name__)
