"""Normalizations: over the batch, over instances, over features."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn import init
from jgrad.nn.modules.module import Module, fields
from jgrad.nn.parameter import Parameter
from jgrad.tensor import Tensor
from jgrad.warn import say


def _scale_and_shift(module: Module, shape: Any, weight: bool, bias: bool, device: Any, dtype: Any) -> None:
    """Give a module its weight of ones and bias of zeros, or None."""
    for name, needed in (("weight", weight), ("bias", bias)):
        value = Parameter(jgrad.empty(shape, device=device, dtype=dtype)) if needed else None
        module.register_parameter(name, value)


def _reset(module: Module) -> None:
    if module.weight is not None:
        init.ones_(module.weight)
    if module.bias is not None:
        init.zeros_(module.bias)


class _NormBase(Module):
    _version = 2  # since when num_batches_tracked is part of the state
    _input_dims: tuple[int, ...]
    _expected: str

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        _scale_and_shift(self, num_features, affine, affine and bias, device, dtype)
        made = {"device": device, "dtype": dtype}
        track = track_running_stats
        self.register_buffer("running_mean", jgrad.zeros(num_features, **made) if track else None)
        self.register_buffer("running_var", jgrad.ones(num_features, **made) if track else None)
        self.register_buffer(
            "num_batches_tracked", jgrad.tensor(0, dtype=jgrad.long, device=device) if track else None
        )
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget the statistics of the batches so far: set the running mean to 0, the running variance to 1 and the count to 0."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Set statistics, weight and bias back to what they were at the beginning."""
        self.reset_running_stats()
        _reset(self)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in self._input_dims:
            raise ValueError(f"expected {self._expected} input (got {input.dim()}D input)")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, bias={self.bias is not None}, "
            f"track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(self, state_dict: dict, prefix: str, local_metadata: dict, *rest: Any) -> None:
        if (local_metadata.get("version") or 0) < 2 and self.track_running_stats:
            counted = self.num_batches_tracked
            state_dict.setdefault(
                f"{prefix}num_batches_tracked",
                jgrad.tensor(0, dtype=jgrad.long) if counted is None else counted,
            )
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the mean of all batches
                share = 1.0 / float(self.num_batches_tracked)
        mean, var = self.running_mean, self.running_var
        of_batch = self.training or (mean is None and var is None)
        if self.training and not self.track_running_stats:
            mean = var = None
        return F.batch_norm(input, mean, var, self.weight, self.bias, of_batch, share, self.eps)


class BatchNorm1d(_BatchNorm):
    """Normalizes each feature over the batch: subtracts its mean and divides by its standard deviation. Then it multiplies by `weight` and adds
    `bias`."""

    _input_dims, _expected = (2, 3), "2D or 3D"


class BatchNorm2d(_BatchNorm):
    """Normalizes each channel of images over the batch: subtracts its mean and divides by its standard deviation. Then it multiplies by `weight` and
    adds `bias`."""

    _input_dims, _expected = (4,), "4D"


class BatchNorm3d(_BatchNorm):
    """Normalizes each channel of volumes over the batch: subtracts its mean and divides by its standard deviation. Then it multiplies by `weight` and
    adds `bias`."""

    _input_dims, _expected = (5,), "5D"


class SyncBatchNorm(_BatchNorm):
    """Batch normalization with the statistics of all processes that train together. jgrad trains in one process, so they are those of the batch."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any = None,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """Replace all layers of batch normalization in a module by `SyncBatchNorm`. They keep their parameters and statistics."""
        converted = module
        if isinstance(module, _BatchNorm):
            converted = SyncBatchNorm(
                module.num_features,
                module.eps,
                module.momentum,
                module.affine,
                module.track_running_stats,
                process_group,
                bias=module.bias is not None,
            )
            if module.affine:
                converted.weight, converted.bias = module.weight, module.bias
            for name in ("running_mean", "running_var", "num_batches_tracked", "training"):
                setattr(converted, name, getattr(module, name))
        for name, child in module.named_children():
            converted.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return converted


class _InstanceNorm(_NormBase):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        unbatched = self._input_dims[0]
        dim = input.dim() - unbatched
        if input.size(dim) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={dim} to match num_features ({self.num_features}), but got: {input.size(dim)}."
                )
            say(
                f"input's size at dim={dim} does not match num_features. You can silence this warning by not passing in "
                "num_features, which is not used because affine=False",
            )
        if input.dim() == unbatched:
            return self._normalize(input.unsqueeze(0)).squeeze(0)
        return self._normalize(input)

    def _normalize(self, input: Tensor) -> Tensor:
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0,
            self.eps,
        )


class InstanceNorm1d(_InstanceNorm):
    """Normalizes each channel of each sample by itself: subtracts its mean and divides by its standard deviation. No other sample has an effect."""

    _input_dims, _expected = (2, 3), "2D or 3D"


class InstanceNorm2d(_InstanceNorm):
    """Normalizes each channel of each image by itself: subtracts its mean and divides by its standard deviation. No other image has an effect."""

    _input_dims, _expected = (3, 4), "3D or 4D"


class InstanceNorm3d(_InstanceNorm):
    """Normalizes each channel of each volume by itself: subtracts its mean and divides by its standard deviation. No other volume has an effect."""

    _input_dims, _expected = (4, 5), "4D or 5D"


class LayerNorm(Module):
    """Normalizes each sample over its last dimensions: subtracts the mean and divides by the standard deviation. Then it multiplies by `weight` and
    adds `bias`."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        _scale_and_shift(self, shape, elementwise_affine, elementwise_affine and bias, device, dtype)
        self.reset_parameters()

    reset_parameters = _reset

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"


class GroupNorm(Module):
    """Normalizes groups of channels of each sample: subtracts the mean of the group and divides by its standard deviation. Then it multiplies by
    `weight` and adds `bias`."""

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        _scale_and_shift(self, num_channels, affine, affine and bias, device, dtype)
        self.reset_parameters()

    reset_parameters = _reset

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}"


class RMSNorm(Module):
    """Divides each sample by the root of its mean square over the last dimensions, then multiplies by `weight`. No mean is subtracted."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        weight = Parameter(jgrad.empty(shape, device=device, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the scale to 1."""
        if self.elementwise_affine:
            init.ones_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


@fields("size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0", ".size alpha beta k")
class LocalResponseNorm(Module):
    """Divides each element by `(k + alpha * m) ** beta`, where m is the mean of the squares of the `size` channels around it."""

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


manual.attach(__name__)
