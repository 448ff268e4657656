"""Parametrizations of weights: orthogonal ones, and those with a norm that is trained or bounded; `torch.nn.utils.parametrizations`."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.modules.conv import _ConvTransposeNd
from jgrad.nn.modules.module import Module
from jgrad.nn.utils import parametrize
from jgrad.tensor import Tensor

MAPS = ("matrix_exp", "cayley", "householder")


def _is_orthogonal(matrix: Tensor) -> bool:
    n, k = matrix.shape[-2:]
    identity = jgrad.eye(k, dtype=matrix.dtype, device=matrix.device)
    return jgrad.allclose(matrix.mH @ matrix, identity, atol=10.0 * n * jgrad.finfo(matrix.dtype).eps)


def _make_orthogonal(matrix: Tensor) -> Tensor:
    """The orthogonal factor of a QR decomposition, with the signs that make it unique."""
    packed, tau = jgrad.geqrf(matrix)
    result = jgrad.linalg.householder_product(packed, tau)
    result *= packed.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return result


class _Orthogonal(Module):
    def __init__(self, weight: Tensor, orthogonal_map: str, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)  # the matrix that the map of zero gives

    def forward(self, X: Tensor) -> Tensor:  # noqa: N803
        wide = X.size(-2) < X.size(-1)
        tall = X.mT if wide else X
        result = self._by_reflections(tall) if self.orthogonal_map == "householder" else self._by_map(tall)
        if hasattr(self, "base"):
            result = self.base @ result
        return result.mT if wide else result

    def _by_map(self, tall: Tensor) -> Tensor:
        """The exponential, or the Cayley map, of a skew matrix."""
        n, k = tall.shape[-2:]
        lower = tall.tril()
        if n != k:
            zeros = lower.new_zeros(n, n - k).expand(*lower.shape[:-2], -1, -1)
            lower = jgrad.cat([lower, zeros], dim=-1)
        skew = lower - lower.mH
        if self.orthogonal_map == "matrix_exp":
            result = jgrad.matrix_exp(skew)
        else:
            identity = jgrad.eye(n, dtype=skew.dtype, device=skew.device)
            result = jgrad.linalg.solve(
                jgrad.add(identity, skew, alpha=-0.5), jgrad.add(identity, skew, alpha=0.5)
            )
        return result if n == k else result[..., :k]

    def _by_reflections(self, tall: Tensor) -> Tensor:
        below = tall.tril(diagonal=-1)
        tau = 2.0 / (1.0 + (below * below).sum(dim=-2))
        signs = tall.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        return jgrad.linalg.householder_product(below, tau) * signs

    @jgrad.no_grad()
    def right_inverse(self, Q: Tensor) -> Tensor:  # noqa: N803
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        wide = Q.size(-2) < Q.size(-1)
        tall = Q.mT if wide else Q
        if not hasattr(self, "base"):
            return self._reflections_of(tall, wide)
        n, k = tall.shape[-2:]
        if n != k:
            rest = jgrad.randn(*tall.shape[:-2], n, n - k, dtype=tall.dtype, device=tall.device)
            self.base = _make_orthogonal(jgrad.cat([tall, rest], dim=-1))
        else:
            self.base = tall.clone() if _is_orthogonal(tall) else _make_orthogonal(tall)
        minus_identity = jgrad.zeros_like(Q)
        minus_identity.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return minus_identity

    def _reflections_of(self, tall: Tensor, wide: bool) -> Tensor:
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations when use_trivialization=False."
            )
        packed, tau = jgrad.geqrf(tall)
        packed.diagonal(dim1=-2, dim2=-1).sign_()
        packed.diagonal(dim1=-2, dim2=-1)[tau == 0.0] *= -1
        return packed.mT if wide else packed


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """Let a matrix (or batch of matrices) of a module stay orthogonal: its columns, or its rows if it is wide."""
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in MAPS:
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return parametrize.register_parametrization(module, name, made, unsafe=True)


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return jgrad._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        return jgrad.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Train the norm of a weight for each index of `dim`, `original0`, apart from its direction, `original1`."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename(state_dict: dict, prefix: str, *rest: Any) -> None:
        """Take over what the older `nn.utils.weight_norm` saved."""
        keys = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if all(key in state_dict for key in keys):
            for i, key in enumerate(keys):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(rename)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._as_matrix(weight)
            for buffer, length in zip(("_u", "_v"), matrix.shape, strict=True):
                drawn = matrix.new_empty(length).normal_(0, 1)
                self.register_buffer(buffer, F.normalize(drawn, dim=0, eps=eps))
            self._improve(matrix, 15)

    def _as_matrix(self, weight: Tensor) -> Tensor:
        if self.dim != 0:
            weight = weight.permute(self.dim, *[d for d in range(weight.dim()) if d != self.dim])
        return weight.flatten(1)

    @jgrad.no_grad()
    def _improve(self, matrix: Tensor, times: int) -> None:
        """Bring the estimates of the first singular vectors nearer to them. They are changed in place, for copies that share them."""
        for _ in range(times):
            self._u = F.normalize(jgrad.mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
            self._v = F.normalize(jgrad.mv(matrix.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Tensor) -> Tensor:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._as_matrix(weight)
        if self.training:
            self._improve(matrix, self.n_power_iterations)
        # Copies, since the next forward changes the vectors, and backward needs these.
        u, v = (vector.clone(memory_format=jgrad.contiguous_format) for vector in (self._u, self._v))
        return weight / jgrad.vdot(u, jgrad.mv(matrix, v))

    def right_inverse(self, value: Tensor) -> Tensor:
        return value  # as if it had the norm already


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight by its largest singular value, which each forward in training mode estimates better."""
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = 1 if isinstance(module, _ConvTransposeNd) else 0
    made = _SpectralNorm(weight, n_power_iterations, dim, eps)
    return parametrize.register_parametrization(module, name, made)


manual.attach(__name__)
