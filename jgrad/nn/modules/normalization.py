"""Normalizations: over the batch, over instances, over features."""

from __future__ import annotations

from typing import Any

import jgrad
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
    `bias`.

    In training mode mean and variance are those of the batch, and `running_mean` and `running_var` move towards them. In evaluation mode the running
    ones are used.

    Args:
        num_features: the number C of features (or channels), the size of dimension 1 of the input
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C)` or `(N, C, L)`. For `(N, C, L)` the mean is over N and L.

    `weight` begins with ones and `bias` with zeros. The variance that is used divides by n, the one for `running_var` by n - 1. In training mode the
    gradient flows through mean and variance, so each sample's gradient depends on the others. Raises ValueError if the statistics of the batch are
    needed and there is only one value for each channel.

    >>> layer = jgrad.nn.BatchNorm1d(2, eps=1e-12, momentum=0.5)
    >>> layer(jgrad.tensor([[1., 0.], [3., 8.]])).detach()
    tensor([[-1., -1.],
            [ 1.,  1.]])
    >>> layer.running_mean, layer.running_var
    (tensor([1., 2.]), tensor([ 1.5000, 16.5000]))
    >>> layer.num_batches_tracked
    tensor(1)
    """

    _input_dims, _expected = (2, 3), "2D or 3D"


class BatchNorm2d(_BatchNorm):
    """Normalizes each channel of images over the batch: subtracts its mean and divides by its standard deviation. Then it multiplies by `weight` and
    adds `bias`.

    In training mode mean and variance are those of the batch (over samples and pixels), and `running_mean` and `running_var` move towards them. In
    evaluation mode the running ones are used.

    Args:
        num_features: the number C of channels, the size of dimension 1 of the input
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, H, W)`.

    `weight` begins with ones and `bias` with zeros. The variance that is used divides by n, the one for `running_var` by n - 1. In training mode the
    gradient flows through mean and variance, so each sample's gradient depends on the others. Raises ValueError if the statistics of the batch are
    needed and there is only one value for each channel.

    >>> layer = jgrad.nn.BatchNorm2d(3)
    >>> layer.weight.shape, layer.running_mean
    (jgrad.Size([3]), tensor([0., 0., 0.]))
    >>> x = jgrad.ones(4, 3, 8, 8)
    >>> layer(x).abs().max().item()  # in training mode the mean of the batch, 1, is subtracted
    0.0
    >>> layer.running_mean
    tensor([0.1000, 0.1000, 0.1000])
    >>> layer.eval()(x).shape
    jgrad.Size([4, 3, 8, 8])
    """

    _input_dims, _expected = (4,), "4D"


class BatchNorm3d(_BatchNorm):
    """Normalizes each channel of volumes over the batch: subtracts its mean and divides by its standard deviation. Then it multiplies by `weight` and
    adds `bias`.

    In training mode mean and variance are those of the batch (over samples and positions), and `running_mean` and `running_var` move towards them. In
    evaluation mode the running ones are used.

    Args:
        num_features: the number C of channels, the size of dimension 1 of the input
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, D, H, W)`.

    `weight` begins with ones and `bias` with zeros. The variance that is used divides by n, the one for `running_var` by n - 1. In training mode the
    gradient flows through mean and variance, so each sample's gradient depends on the others. Raises ValueError if the statistics of the batch are
    needed and there is only one value for each channel.

    >>> layer = jgrad.nn.BatchNorm3d(1, eps=1e-12, momentum=None)
    >>> _ = layer(jgrad.full((1, 1, 2, 2, 2), 4.))
    >>> _ = layer(jgrad.full((1, 1, 2, 2, 2), 8.))
    >>> layer.running_mean  # momentum=None: the mean of both batches
    tensor([6.])
    """

    _input_dims, _expected = (5,), "5D"


class SyncBatchNorm(_BatchNorm):
    """Batch normalization with the statistics of all processes that train together. jgrad trains in one process, so they are those of the batch.

    Args:
        num_features: the number C of channels, the size of dimension 1 of the input
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        process_group: kept as an attribute, but has no effect
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which has at least two dimensions.

    >>> layer = jgrad.nn.SyncBatchNorm(2, eps=1e-12)
    >>> layer(jgrad.tensor([[1., 0.], [3., 8.]])).detach()
    tensor([[-1., -1.],
            [ 1.,  1.]])
    """

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
        """Replace all layers of batch normalization in a module by `SyncBatchNorm`. They keep their parameters and statistics.

        Args:
            module: the module; its parts are replaced in place
            process_group: what the new layers get as theirs; it has no effect

        Returns the module itself, or a new layer if the module is a layer of batch normalization.

        >>> model = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.BatchNorm1d(3))
        >>> model = jgrad.nn.SyncBatchNorm.convert_sync_batchnorm(model)
        >>> type(model[1]).__name__
        'SyncBatchNorm'
        """
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
    """Normalizes each channel of each sample by itself: subtracts its mean and divides by its standard deviation. No other sample has an effect.

    Args:
        num_features: the number C of channels of the input
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, L)` or `(C, L)`.

    The variance divides by n, the number of elements of a channel. Raises ValueError if the statistics of the input are needed and a channel has only
    one element. Without `affine` and `track_running_stats` an input may have another number of channels; then there is a warning.

    >>> layer = jgrad.nn.InstanceNorm1d(2, eps=1e-12)
    >>> layer(jgrad.tensor([[[1., 3.], [10., 30.]]]))
    tensor([[[-1.,  1.],
             [-1.,  1.]]])
    """

    _input_dims, _expected = (2, 3), "2D or 3D"


class InstanceNorm2d(_InstanceNorm):
    """Normalizes each channel of each image by itself: subtracts its mean and divides by its standard deviation. No other image has an effect.

    Args:
        num_features: the number C of channels of the input
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, H, W)` or `(C, H, W)`.

    The variance divides by n, the number of elements of a channel. Raises ValueError if the statistics of the input are needed and a channel has only
    one element. Without `affine` and `track_running_stats` an input may have another number of channels; then there is a warning.

    >>> layer = jgrad.nn.InstanceNorm2d(1, eps=1e-12)
    >>> layer(jgrad.tensor([[[[1., 3.], [3., 1.]]]]))
    tensor([[[[-1.,  1.],
              [ 1., -1.]]]])
    >>> layer.weight is None, layer.running_mean is None
    (True, True)
    """

    _input_dims, _expected = (3, 4), "3D or 4D"


class InstanceNorm3d(_InstanceNorm):
    """Normalizes each channel of each volume by itself: subtracts its mean and divides by its standard deviation. No other volume has an effect.

    Args:
        num_features: the number C of channels of the input
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, D, H, W)` or `(C, D, H, W)`.

    The variance divides by n, the number of elements of a channel. Raises ValueError if the statistics of the input are needed and a channel has only
    one element. Without `affine` and `track_running_stats` an input may have another number of channels; then there is a warning.

    >>> layer = jgrad.nn.InstanceNorm3d(2, affine=True)
    >>> layer(jgrad.zeros(4, 2, 3, 3, 3)).shape
    jgrad.Size([4, 2, 3, 3, 3])
    >>> layer.weight.shape
    jgrad.Size([2])
    """

    _input_dims, _expected = (4, 5), "4D or 5D"


class LayerNorm(Module):
    """Normalizes each sample over its last dimensions: subtracts the mean and divides by the standard deviation. Then it multiplies by `weight` and
    adds `bias`.

    Args:
        normalized_shape: the sizes of the last dimensions, over which mean and variance are computed; an int stands for the last dimension alone
        eps: a small number that is added to the variance, so that nothing is divided by zero
        elementwise_affine: whether the layer learns `weight` and `bias` of shape `normalized_shape`; if False, both are None
        bias: whether the layer learns `bias`; without `elementwise_affine` it has no effect
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor with the shape of the input, which must end with `normalized_shape`. It computes the same in training and in
    evaluation mode.

    `weight` begins with ones and `bias` with zeros. The variance divides by n. The gradient flows through mean and variance: without `weight` the
    gradient of the input sums to 0 for each sample.

    >>> layer = jgrad.nn.LayerNorm(2, eps=1e-12)
    >>> layer(jgrad.tensor([[1., 3.], [10., 30.]])).detach()
    tensor([[-1.,  1.],
            [-1.,  1.]])
    >>> layer.weight.shape, layer.bias.shape
    (jgrad.Size([2]), jgrad.Size([2]))
    """

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
    `weight` and adds `bias`.

    Args:
        num_groups: the number of groups. 1 normalizes each sample as a whole, `num_channels` normalizes each channel by itself
        num_channels: the number C of channels, the size of dimension 1 of the input; it must be divisible by `num_groups`
        eps: a small number that is added to the variance, so that nothing is divided by zero
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        device, dtype: the device and dtype of the parameters; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, *)`. It computes the same in training and in evaluation mode.
    Raises ValueError if `num_channels` is not divisible by `num_groups`.

    >>> layer = jgrad.nn.GroupNorm(2, 4, eps=1e-12)
    >>> layer(jgrad.tensor([[1., 3., 10., 30.]])).detach()
    tensor([[-1.,  1., -1.,  1.]])
    """

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
    """Divides each sample by the root of its mean square over the last dimensions, then multiplies by `weight`. No mean is subtracted.

    Args:
        normalized_shape: the sizes of the last dimensions, over which the mean of the squares is computed; an int stands for the last dimension alone
        eps: a small number that is added to the mean square; None stands for `finfo(dtype).eps`
        elementwise_affine: whether the layer learns `weight` of shape `normalized_shape`; if False, it is None
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor with the shape of the input, which must end with `normalized_shape`. `weight` begins with ones.

    >>> layer = jgrad.nn.RMSNorm(2)
    >>> layer(jgrad.tensor([[1., 7.], [10., 70.]])).detach()  # the mean squares are 25 and 2500
    tensor([[0.2000, 1.4000],
            [0.2000, 1.4000]])
    """

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
    """Divides each element by `(k + alpha * m) ** beta`, where m is the mean of the squares of the `size` channels around it.

    Args:
        size: the number of channels of which the mean is computed; channels outside the tensor count as 0
        alpha: the factor of the mean
        beta: the power
        k: the number that is added, so that nothing is divided by zero

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, *)` with at least three dimensions.

    >>> layer = jgrad.nn.LocalResponseNorm(size=1, alpha=1.0, beta=1.0, k=0.0)
    >>> layer(jgrad.tensor([[[1.], [2.], [4.]]]))  # x / x ** 2
    tensor([[[1.0000],
             [0.5000],
             [0.2500]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)
