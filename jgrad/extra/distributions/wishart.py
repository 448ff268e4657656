"""The Wishart distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jgrad
from jgrad import manual, warn
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.utils import NUMBERS, lazy_property
from jgrad.extra.distributions.chi2 import Chi2
from jgrad.extra.distributions.multivariate_normal import factor_of, half_log_det
from jgrad.tensor import Size, Tensor

_MOST_TRIES = 10


class Wishart(ExponentialFamily):
    """Sums of x x^T of `df` independent normal vectors with the mean 0: positive-definite matrices."""

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0
    _parameters = {
        "_unbroadcasted_scale_tril": 2,
        "df": 0,
        "covariance_matrix": 2,
        "scale_tril": 2,
        "precision_matrix": 2,
        "_dist_chi2": 1,
    }

    def __init__(
        self,
        df: Tensor | float,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        forms = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = {name: matrix for name, matrix in forms.items() if matrix is not None}
        if len(given) != 1:
            raise AssertionError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        ((name, matrix),) = given.items()
        if matrix.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch dimensions"
            )
        event_shape, batch_shape = matrix.shape[-2:], matrix.shape[:-2]
        if isinstance(df, NUMBERS):
            self.df = jgrad.tensor(df, dtype=matrix.dtype, device=matrix.device)
        else:
            batch_shape = jgrad.broadcast_shapes(batch_shape, df.shape)
            self.df = df.expand(batch_shape)
        n = event_shape[-1]
        if self.df.le(n - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}.")
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        if self.df.lt(n).any():
            warn.say(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim."
            )
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        factor = self._unbroadcasted_scale_tril = factor_of(covariance_matrix, precision_matrix, scale_tril)
        rows = jgrad.arange(n, dtype=factor.dtype, device=factor.device)
        self._dist_chi2 = Chi2(df=self.df.unsqueeze(-1) - rows.expand(batch_shape + (-1,)))

    @property
    def arg_constraints(self) -> dict[str, constraints.Constraint]:
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def _whole(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance of the vectors."""
        return self._whole(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance of the vectors."""
        return self._whole(self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.mT)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance of the vectors."""
        factor = self._unbroadcasted_scale_tril
        identity = jgrad.eye(self._event_shape[-1], dtype=factor.dtype, device=factor.device)
        return self._whole(jgrad.cholesky_solve(identity, factor))

    def _for_matrices(self, x: Tensor) -> Tensor:
        return x.view(self._batch_shape + (1, 1))

    @property
    def mean(self) -> Tensor:
        return self._for_matrices(self.df) * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        factor = self.df - self._event_shape[-1] - 1
        return self._for_matrices(factor.masked_fill(factor <= 0, math.nan)) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        v = self.covariance_matrix
        diagonal = v.diagonal(dim1=-2, dim2=-1)
        products = diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2)
        return self._for_matrices(self.df) * (v.pow(2) + products)

    def _bartlett(self, sample_shape: Sequence[int]) -> Tensor:
        """Samples by Bartlett's decomposition: their factor is that of the covariance times one of independent elements."""
        n, shape = self._event_shape[-1], Size(sample_shape) + self._batch_shape
        diagonal = self._dist_chi2.rsample(sample_shape).sqrt()
        noise = diagonal.clamp(min=jgrad.finfo(diagonal.dtype).eps).diag_embed()
        i, j = jgrad.tril_indices(n, n, offset=-1)
        noise[..., i, j] = jgrad.randn(shape + (n * (n - 1) // 2,), dtype=noise.dtype, device=noise.device)
        factor = self._unbroadcasted_scale_tril @ noise
        return factor @ factor.mT

    def _any_of_batch(self, flags: Tensor) -> Tensor:
        dims = [-(d + 1) for d in range(len(self._batch_shape))]
        return flags.amax(dims) if dims else flags

    def rsample(self, sample_shape: Sequence[int] = Size(), max_try_correction: int | None = None) -> Tensor:
        """Samples. Each is drawn once more, and those that are singular several times: with PyTorch's draws and PyTorch's warning."""
        tries = _MOST_TRIES if max_try_correction is None else max_try_correction
        sample = self._bartlett(Size(sample_shape))
        # PyTorch takes samples that are all right for singular ones here, and the numbers shall be PyTorch's.
        redo = self._any_of_batch(self.support.check(sample))
        if redo.any():
            warn.say("Singular sample detected.")
            for _ in range(tries):
                again = self._bartlett(redo[redo].shape)
                sample[redo] = again
                redo[redo.clone()] = self._any_of_batch(~self.support.check(again))
                if not redo.any():
                    break
        return sample

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        df, n, factor = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        normalizer = df * (n * math.log(2) / 2 + half_log_det(factor)) + jgrad.mvlgamma(df / 2, p=n)
        power = (df - n - 1) / 2 * jgrad.linalg.slogdet(value).logabsdet
        trace = jgrad.cholesky_solve(value, factor).diagonal(dim1=-2, dim2=-1).sum(-1)
        return -normalizer + power - trace / 2

    def entropy(self) -> Tensor:
        df, n = self.df, self._event_shape[-1]
        scale = (n + 1) * (n * math.log(2) / 2 + half_log_det(self._unbroadcasted_scale_tril))
        digammas = jgrad.digamma(df.unsqueeze(-1) / 2 - jgrad.arange(n, dtype=df.dtype, device=df.device) / 2)
        return scale + jgrad.mvlgamma(df / 2, p=n) - (df - n - 1) / 2 * digammas.sum(-1) + df * n / 2

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        n = self._event_shape[-1]
        half = y + (n + 1) / 2
        return half * (n * math.log(2) - jgrad.linalg.slogdet(-2 * x).logabsdet) + jgrad.mvlgamma(half, p=n)


manual.attach(__name__)
