"""The multivariate normal distribution with a covariance of low rank."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import lazy_property, standard_normal
from jgrad.extra.distributions.multivariate_normal import half_log_det, square_of_solved, times
from jgrad.tensor import Size, Tensor


def _plus_identity(matrix: Tensor) -> Tensor:
    return matrix + jgrad.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)


def capacitance_tril(w: Tensor, d: Tensor) -> Tensor:
    """The Cholesky factor of I + W^T D^-1 W, by which the inverse and the determinant of D + W W^T are found."""
    return jgrad.linalg.cholesky(_plus_identity((w.mT / d.unsqueeze(-2)) @ w))


def log_det(w: Tensor, d: Tensor, capacitance: Tensor) -> Tensor:
    """log det(D + W W^T), by the matrix determinant lemma."""
    return 2 * half_log_det(capacitance) + d.log().sum(-1)


def square_of_solved_low_rank(w: Tensor, d: Tensor, x: Tensor, capacitance: Tensor) -> Tensor:
    """x^T (D + W W^T)^-1 x, by the Woodbury identity."""
    return (x.pow(2) / d).sum(-1) - square_of_solved(capacitance, times(w.mT / d.unsqueeze(-2), x))


class LowRankMultivariateNormal(Distribution):
    """Normally distributed vectors with the covariance W W^T + D: a few common factors, and a variance of each element."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True
    _parameters = {"loc": 1, "cov_factor": 2, "cov_diag": 1}
    _kept = ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril")

    def __init__(
        self, loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: bool | None = None
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch dimensions"
            )
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            columns = jgrad.broadcast_tensors(loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1))
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from error
        self.loc, self.cov_factor, self.cov_diag = columns[0][..., 0], columns[1], columns[2][..., 0]
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = capacitance_tril(cov_factor, cov_diag)
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    @property
    def _low_rank(self) -> tuple[Tensor, Tensor]:
        return self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag

    def _whole(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean

    @lazy_property
    def variance(self) -> Tensor:
        w, d = self._low_rank
        return (w.pow(2).sum(-1) + d).expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        w, d = self._low_rank
        root = d.sqrt().unsqueeze(-1)
        scaled = w / root
        return self._whole(root * jgrad.linalg.cholesky(_plus_identity(scaled @ scaled.mT)))

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        w, d = self._low_rank
        return self._whole(w @ w.mT + jgrad.diag_embed(d))

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance, by the Woodbury identity."""
        w, d = self._low_rank
        a = jgrad.linalg.solve_triangular(self._capacitance_tril, w.mT / d.unsqueeze(-2), upper=False)
        return self._whole(jgrad.diag_embed(d.reciprocal()) - a.mT @ a)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        w, d = self._low_rank
        shape = self._extended_shape(sample_shape)
        common = standard_normal(shape[:-1] + self.cov_factor.shape[-1:], self.loc)
        return self.loc + times(w, common) + d.sqrt() * standard_normal(shape, self.loc)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        square = square_of_solved_low_rank(*self._low_rank, value - self.loc, self._capacitance_tril)
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + log_det(*self._low_rank, self._capacitance_tril) + square)

    def entropy(self) -> Tensor:
        constant = self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        found = 0.5 * (constant + log_det(*self._low_rank, self._capacitance_tril))
        return found.expand(self._batch_shape)


manual.attach(__name__)
