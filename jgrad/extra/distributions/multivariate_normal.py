"""The multivariate normal distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import lazy_property, standard_normal
from jgrad.tensor import Size, Tensor


def times(matrix: Tensor, vector: Tensor) -> Tensor:
    """Products of batches of matrices and of vectors."""
    return jgrad.matmul(matrix, vector.unsqueeze(-1)).squeeze(-1)


def square_of_solved(factor: Tensor, x: Tensor) -> Tensor:
    """x^T (L L^T)^-1 x, for batches of lower triangular factors L and of vectors x."""
    if factor.dim() == 2:  # all vectors at once
        rows = x.reshape(-1, x.shape[-1])
        return jgrad.linalg.solve_triangular(factor, rows.mT, upper=False).pow(2).sum(0).reshape(x.shape[:-1])
    return jgrad.linalg.solve_triangular(factor, x.unsqueeze(-1), upper=False).pow(2).sum(-2).squeeze(-1)


def half_log_det(factor: Tensor) -> Tensor:
    """log det L: half of that of L L^T."""
    return factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def factor_of_inverse(matrix: Tensor) -> Tensor:
    """The Cholesky factor of the inverse of positive-definite matrices."""
    # With rows and columns reversed, the factor is that of the matrix as the product of an upper and a lower triangular one.
    upper = jgrad.linalg.cholesky(matrix.flip((-2, -1))).flip((-2, -1)).mT
    identity = jgrad.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
    return jgrad.linalg.solve_triangular(upper, identity, upper=False)


def factor_of(covariance: Tensor | None, precision: Tensor | None, scale_tril: Tensor | None) -> Tensor:
    """The Cholesky factor of the covariance, however that is given."""
    if scale_tril is not None:
        return scale_tril
    if covariance is not None:
        return jgrad.linalg.cholesky(covariance)
    assert precision is not None
    return factor_of_inverse(precision)


class MultivariateNormal(Distribution):
    """Normally distributed vectors."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True
    _parameters = {"loc": 1, "covariance_matrix": 2, "scale_tril": 2, "precision_matrix": 2}
    _kept = ("_unbroadcasted_scale_tril",)

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        forms = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = {name: matrix for name, matrix in forms.items() if matrix is not None}
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        ((name, matrix),) = given.items()
        if matrix.dim() < 2:
            shown = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(
                f"{shown} must be at least two-dimensional, with optional leading batch dimensions"
            )
        batch_shape = jgrad.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = factor_of(covariance_matrix, precision_matrix, scale_tril)

    def _whole(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        return self._whole(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        return self._whole(self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.mT)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        return self._whole(jgrad.cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        normal = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + times(self._unbroadcasted_scale_tril, normal)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        factor = self._unbroadcasted_scale_tril
        square = square_of_solved(factor, value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + square) - half_log_det(factor)

    def entropy(self) -> Tensor:
        found = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        return (found + half_log_det(self._unbroadcasted_scale_tril)).expand(self._batch_shape)


manual.attach(__name__)
