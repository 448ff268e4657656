"""The LKJ distribution of correlation matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import broadcast_all
from jgrad.extra.distributions.beta import Beta
from jgrad.tensor import Size, Tensor


class LKJCholesky(Distribution):
    """Cholesky factors of correlation matrices, whose density is proportional to det(matrix)^(concentration - 1)."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky
    _parameters = {"concentration": 0, "_beta": 1}
    _kept = ("dim",)

    def __init__(
        self, dim: int, concentration: Tensor | float = 1.0, validate_args: bool | None = None
    ) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        # The square of the length of each row without its last element; the first row has no other element.
        row = jgrad.arange(dim, dtype=self.concentration.dtype, device=self.concentration.device)
        row = (row - 1).clamp(min=0)
        self._beta = Beta(row + 0.5, (self.concentration + 0.5 * (dim - 2)).unsqueeze(-1) - 0.5 * row)
        super().__init__(self.concentration.shape, Size((dim, dim)), validate_args)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        """Factors, by the onion method: each row is a point on a sphere of the dimension of its number."""
        with jgrad.no_grad():
            square = self._beta.sample(sample_shape).unsqueeze(-1)
            shape = self._extended_shape(sample_shape)
            direction = jgrad.randn(shape, dtype=square.dtype, device=square.device).tril(-1)
            direction = direction / direction.norm(dim=-1, keepdim=True)
            direction[..., 0, :] = 0.0
            w = square.sqrt() * direction
            last = (1 - (w**2).sum(-1)).clamp(min=jgrad.finfo(w.dtype).tiny).sqrt()
            return w + jgrad.diag_embed(last)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        c, more = self.concentration, self.dim - 1
        order = jgrad.arange(2, self.dim + 1, device=c.device)
        order = 2 * (c - 1).unsqueeze(-1) + self.dim - order
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        alpha = c + 0.5 * more
        normalizer = (
            0.5 * more * math.log(math.pi) + jgrad.mvlgamma(alpha - 0.5, more) - jgrad.lgamma(alpha) * more
        )
        return (order * diagonal.log()).sum(-1) - normalizer


manual.attach(__name__)
