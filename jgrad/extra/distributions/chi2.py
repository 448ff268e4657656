"""The chi-squared distribution."""

from __future__ import annotations

from jgrad.distributions import constraints
from jgrad.extra.distributions.gamma import Gamma
from jgrad.tensor import Tensor


class Chi2(Gamma):
    """Sums of squares of `df` independent normal numbers: Gamma(df / 2, 1 / 2).

    Parameters: `df`, the degrees of freedom, a number or a tensor.

    >>> jgrad.distributions.Chi2(jgrad.tensor(3.0)).mean
    tensor(3.)
    """

    arg_constraints = {"df": constraints.positive}
    _parameters = Gamma._parameters

    def __init__(self, df: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self.concentration * 2
