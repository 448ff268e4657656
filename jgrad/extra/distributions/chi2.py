"""The chi-squared distribution."""

from __future__ import annotations

from jgrad import manual
from jgrad.distributions import constraints
from jgrad.extra.distributions.gamma import Gamma
from jgrad.tensor import Tensor


class Chi2(Gamma):
    """Sums of squares of `df` independent normal numbers: Gamma(df / 2, 1 / 2)."""

    arg_constraints = {"df": constraints.positive}
    _parameters = Gamma._parameters

    def __init__(self, df: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self.concentration * 2


manual.attach(__name__)
