"""Layers that learn the number of their input features from the first input; `torch.nn.modules.lazy`."""

from __future__ import annotations

import inspect
from typing import Any

import jgrad
from jgrad.nn.modules import conv, linear, normalization
from jgrad.nn.modules.module import Module
from jgrad.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy
from jgrad.tensor import Tensor


class LazyModuleMixin:
    """The base class of layers whose parameters get their shapes from the first input. Put it before the module class among the bases of a class.

    The class has parameters of the class `UninitializedParameter`. Before the first `forward`, `initialize_parameters(*args, **kwargs)` is called
    with the arguments of the call. It has to `materialize` them. Then the module becomes an instance of `cls_to_become`, unless that is None.

    Args:
        *args, **kwargs: the arguments of the module class

    Raises RuntimeError in the first call if `initialize_parameters` leaves a parameter without a shape.

    >>> class Scale(jgrad.nn.modules.lazy.LazyModuleMixin, jgrad.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = jgrad.nn.UninitializedParameter()
    ...     def initialize_parameters(self, x):
    ...         self.factor.materialize(x.shape[-1:])
    ...         jgrad.nn.init.constant_(self.factor, 2)
    ...     def forward(self, x):
    ...         return x * self.factor
    >>> layer = Scale()
    >>> layer(jgrad.tensor([[1., 5.]])).detach()
    tensor([[ 2., 10.]])
    """

    cls_to_become: type | None = None

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes, from the arguments of the first `forward`. Every derived class has its own method."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self: Any) -> bool:
        """Whether a parameter or buffer still waits for the first input."""
        return any(map(is_lazy, (*self._parameters.values(), *self._buffers.values())))

    def _infer_parameters(self: Any, module: Any, args: tuple, kwargs: dict | None = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _save_to_state_dict(self: Any, destination: dict, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._persistent().items():
            destination[prefix + name] = tensor if keep_vars or is_lazy(tensor) else tensor.detach()

    def _lazy_load_hook(self: Any, state_dict: dict, prefix: str, *rest: Any) -> None:
        """Give parameters that wait the shapes of those that are loaded."""
        for name, tensor in (*self._parameters.items(), *self._buffers.items()):
            given = state_dict.get(prefix + name)
            if given is not None and tensor is not None and is_lazy(tensor) and not is_lazy(given):
                with jgrad.no_grad():
                    tensor.materialize(given.shape)


def _without_first(base: type[Module]) -> Any:
    """The signature of a layer without its first parameter, which is inferred."""
    signature = inspect.signature(base)
    return signature.replace(parameters=list(signature.parameters.values())[1:])


class LazyLinear(LazyModuleMixin, linear.Linear):
    """`Linear` without `in_features`: the layer learns this number from the last dimension of the first input.

    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `Linear`. Until then the parameters are of
    the class `UninitializedParameter` and have no shape.

    Args:
        out_features: the size of the last dimension of the result
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(*, out_features)` for an input of shape `(*, in_features)`.

    >>> layer = jgrad.nn.LazyLinear(3)
    >>> layer.weight
    <UninitializedParameter>
    >>> _ = layer(jgrad.ones(2, 5))
    >>> layer
    Linear(in_features=5, out_features=3, bias=True)
    >>> layer.weight.shape
    jgrad.Size([3, 5])
    """

    cls_to_become = linear.Linear

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:  # type: ignore[override]
        """Take `in_features` from an input, and draw the parameters."""
        if self.has_uninitialized_params():
            with jgrad.no_grad():
                self.in_features = input.shape[-1]
                self.weight.materialize((self.out_features, self.in_features))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()
        if self.in_features == 0:  # the parameters were loaded
            if input.shape[-1] != self.weight.shape[-1]:
                raise AssertionError(
                    f"The in_features inferred from input: {input.shape[-1]} is not equal to in_features from self.weight: "
                    f"{self.weight.shape[-1]}"
                )
            self.in_features = input.shape[-1]


class _LazyConv(LazyModuleMixin):
    """A convolution with `in_channels` taken from the first input."""

    _dims: int

    def __init__(self, out_channels: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(0, out_channels, *args, **kwargs)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.cls_to_become is not None:
            cls.__signature__ = _without_first(cls.cls_to_become)  # type: ignore[attr-defined]

    def _make_weights(self: Any, bias: bool, device: Any, dtype: Any) -> None:
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        made = UninitializedParameter(device=device, dtype=dtype) if bias else None
        self.register_parameter("bias", made)

    def reset_parameters(self: Any) -> None:
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self: Any, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """Take `in_channels` from an input, and draw the parameters."""
        if self.has_uninitialized_params():
            self.in_channels = self._channels_of(input)
            if self.in_channels % self.groups != 0:
                raise ValueError("in_channels must be divisible by groups")
            self.weight.materialize(self._weight_shape())
            if self.bias is not None:
                self.bias.materialize((self.out_channels,))
            self.reset_parameters()

    def _channels_of(self, input: Tensor) -> int:
        alone, batch = self._dims + 1, self._dims + 2
        if input.dim() not in (alone, batch):
            raise RuntimeError(
                f"Expected {alone}D (unbatched) or {batch}D (batched) input to {type(self).__name__}, but got input of size: {input.shape}"
            )
        return input.shape[1] if input.dim() == batch else input.shape[0]


class LazyConv1d(_LazyConv, conv.Conv1d):
    """`Conv1d` without `in_channels`: the layer learns this number from the channels of the first input.

    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `Conv1d`. Until then the parameters are of
    the class `UninitializedParameter` and have no shape.

    Args:
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the length of the window, an int or a tuple of one int
        stride: how far the window moves from one output to the next, an int or a tuple of one int
        padding: how many elements are added at both ends of the input: an int, a tuple of one int, "valid" (none) or "same" (as many as the result
            needs to have the length of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of one int
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, L_out)` for an input of shape `(N, in_channels, L)`. The batch dimension `N` may be
    missing.

    >>> layer = jgrad.nn.LazyConv1d(8, kernel_size=3)
    >>> layer(jgrad.zeros(2, 4, 10)).shape
    jgrad.Size([2, 8, 8])
    >>> layer
    Conv1d(4, 8, kernel_size=(3,), stride=(1,))
    >>> layer.weight.shape
    jgrad.Size([8, 4, 3])
    """

    cls_to_become = conv.Conv1d


class LazyConv2d(_LazyConv, conv.Conv2d):
    """`Conv2d` without `in_channels`: the layer learns this number from the channels of the first input.

    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `Conv2d`. Until then the parameters are of
    the class `UninitializedParameter` and have no shape.

    Args:
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the size of the window, an int for both dimensions or a tuple (height, width)
        stride: how far the window moves from one output to the next, an int or a tuple of two
        padding: how many rows and columns are added at each side of the input: an int, a tuple of two, "valid" (none) or "same" (as many as the
            result needs to have the size of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of two
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, H_out, W_out)` for an input of shape `(N, in_channels, H, W)`. The batch dimension
    `N` may be missing.

    >>> layer = jgrad.nn.LazyConv2d(8, kernel_size=3, padding=1)
    >>> layer(jgrad.zeros(2, 3, 32, 32)).shape
    jgrad.Size([2, 8, 32, 32])
    >>> layer
    Conv2d(3, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    >>> layer.weight.shape
    jgrad.Size([8, 3, 3, 3])
    """

    cls_to_become = conv.Conv2d


class LazyConv3d(_LazyConv, conv.Conv3d):
    """`Conv3d` without `in_channels`: the layer learns this number from the channels of the first input.

    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `Conv3d`. Until then the parameters are of
    the class `UninitializedParameter` and have no shape.

    Args:
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the size of the window, an int for all dimensions or a tuple (depth, height, width)
        stride: how far the window moves from one output to the next, an int or a tuple of three
        padding: how many elements are added at each side of the input: an int, a tuple of three, "valid" (none) or "same" (as many as the result
            needs to have the size of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of three
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, D_out, H_out, W_out)` for an input of shape `(N, in_channels, D, H, W)`. The batch
    dimension `N` may be missing.

    >>> layer = jgrad.nn.LazyConv3d(8, kernel_size=3)
    >>> layer(jgrad.zeros(2, 1, 6, 6, 6)).shape
    jgrad.Size([2, 8, 4, 4, 4])
    >>> layer
    Conv3d(1, 8, kernel_size=(3, 3, 3), stride=(1, 1, 1))
    >>> layer.weight.shape
    jgrad.Size([8, 1, 3, 3, 3])
    """

    cls_to_become = conv.Conv3d


class LazyConvTranspose1d(_LazyConv, conv.ConvTranspose1d):
    """`ConvTranspose1d` without `in_channels`: the layer learns this number from the channels of the first input.

    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `ConvTranspose1d`. Until then the parameters
    are of the class `UninitializedParameter` and have no shape.

    Args:
        out_channels: the number of channels of the result
        kernel_size: the length of the window, an int or a tuple of one int
        stride: how far the window moves in the result from one input to the next, an int or a tuple of one int
        padding: how many elements are left out at both ends of the result, an int or a tuple of one int
        output_padding: how many elements the result is longer at its end, an int or a tuple of one int
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of one int
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, L_out)` for an input of shape `(N, in_channels, L)`. The batch dimension `N` may be
    missing. A second argument `output_size` asks for a certain size instead of `output_padding`.

    >>> layer = jgrad.nn.LazyConvTranspose1d(8, kernel_size=2, stride=2)
    >>> layer(jgrad.zeros(2, 4, 10)).shape
    jgrad.Size([2, 8, 20])
    >>> layer
    ConvTranspose1d(4, 8, kernel_size=(2,), stride=(2,))
    >>> layer.weight.shape
    jgrad.Size([4, 8, 2])
    """

    cls_to_become = conv.ConvTranspose1d


class LazyConvTranspose2d(_LazyConv, conv.ConvTranspose2d):
    """`ConvTranspose2d` without `in_channels`: the layer learns this number from the channels of the first input.

    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `ConvTranspose2d`. Until then the parameters
    are of the class `UninitializedParameter` and have no shape.

    Args:
        out_channels: the number of channels of the result
        kernel_size: the size of the window, an int for both dimensions or a tuple (height, width)
        stride: how far the window moves in the result from one input to the next, an int or a tuple of two
        padding: how many rows and columns are left out at each side of the result, an int or a tuple of two
        output_padding: how many rows and columns the result is larger at its end, an int or a tuple of two
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of two
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, H_out, W_out)` for an input of shape `(N, in_channels, H, W)`. The batch dimension
    `N` may be missing. A second argument `output_size` asks for a certain size instead of `output_padding`.

    >>> layer = jgrad.nn.LazyConvTranspose2d(8, kernel_size=2, stride=2)
    >>> layer(jgrad.zeros(2, 3, 16, 16)).shape
    jgrad.Size([2, 8, 32, 32])
    >>> layer
    ConvTranspose2d(3, 8, kernel_size=(2, 2), stride=(2, 2))
    >>> layer.weight.shape
    jgrad.Size([3, 8, 2, 2])
    """

    cls_to_become = conv.ConvTranspose2d


class LazyConvTranspose3d(_LazyConv, conv.ConvTranspose3d):
    """`ConvTranspose3d` without `in_channels`: the layer learns this number from the channels of the first input.

    The first call takes it from the input, creates the parameters, and turns the layer into an ordinary `ConvTranspose3d`. Until then the parameters
    are of the class `UninitializedParameter` and have no shape.

    Args:
        out_channels: the number of channels of the result
        kernel_size: the size of the window, an int for all dimensions or a tuple (depth, height, width)
        stride: how far the window moves in the result from one input to the next, an int or a tuple of three
        padding: how many elements are left out at each side of the result, an int or a tuple of three
        output_padding: how many elements the result is larger at its end, an int or a tuple of three
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group; both numbers of
            channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of three
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, D_out, H_out, W_out)` for an input of shape `(N, in_channels, D, H, W)`. The batch
    dimension `N` may be missing. A second argument `output_size` asks for a certain size instead of `output_padding`.

    >>> layer = jgrad.nn.LazyConvTranspose3d(8, kernel_size=2, stride=2)
    >>> layer(jgrad.zeros(2, 1, 3, 3, 3)).shape
    jgrad.Size([2, 8, 6, 6, 6])
    >>> layer
    ConvTranspose3d(1, 8, kernel_size=(2, 2, 2), stride=(2, 2, 2))
    >>> layer.weight.shape
    jgrad.Size([1, 8, 2, 2, 2])
    """

    cls_to_become = conv.ConvTranspose3d


class _LazyNorm(LazyModuleMixin):
    """A normalization with `num_features` taken from the second dimension of the first input."""

    def __init__(
        self: Any,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine, self.track_running_stats = affine, track_running_stats
        made = {"device": device, "dtype": dtype}
        if affine:
            self.weight = UninitializedParameter(**made)
            if bias:
                self.bias = UninitializedParameter(**made)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(**made)
            self.running_var = UninitializedBuffer(**made)
            self.num_batches_tracked = jgrad.tensor(0, dtype=jgrad.long, device=device)

    def reset_parameters(self: Any) -> None:
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self: Any, input: Tensor) -> None:
        """Take `num_features` from an input, and make the parameters and statistics."""
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            waiting = (self.weight, self.bias, self.running_mean, self.running_var)
            for tensor in waiting:
                if tensor is not None:
                    tensor.materialize((self.num_features,))
            self.reset_parameters()


class LazyBatchNorm1d(_LazyNorm, normalization.BatchNorm1d):
    """`BatchNorm1d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.

    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `BatchNorm1d`.
    Until then they have no shape.

    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C)` or `(N, C, L)`.

    >>> layer = jgrad.nn.LazyBatchNorm1d()
    >>> layer.running_mean
    <UninitializedBuffer>
    >>> layer(jgrad.ones(4, 3, 5)).shape
    jgrad.Size([4, 3, 5])
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm1d', 3)
    >>> layer.running_mean
    tensor([0.1000, 0.1000, 0.1000])
    """

    cls_to_become = normalization.BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, normalization.BatchNorm2d):
    """`BatchNorm2d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.

    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `BatchNorm2d`.
    Until then they have no shape.

    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, H, W)`.

    >>> layer = jgrad.nn.LazyBatchNorm2d()
    >>> layer.running_mean
    <UninitializedBuffer>
    >>> layer(jgrad.ones(4, 3, 8, 8)).shape
    jgrad.Size([4, 3, 8, 8])
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm2d', 3)
    >>> layer.running_mean
    tensor([0.1000, 0.1000, 0.1000])
    """

    cls_to_become = normalization.BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, normalization.BatchNorm3d):
    """`BatchNorm3d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.

    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `BatchNorm3d`.
    Until then they have no shape.

    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them. None keeps the mean of all batches
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics for evaluation mode; if False, it always uses those of the batch
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, D, H, W)`.

    >>> layer = jgrad.nn.LazyBatchNorm3d()
    >>> layer.running_mean
    <UninitializedBuffer>
    >>> layer(jgrad.ones(4, 3, 2, 8, 8)).shape
    jgrad.Size([4, 3, 2, 8, 8])
    >>> type(layer).__name__, layer.num_features
    ('BatchNorm3d', 3)
    >>> layer.running_mean
    tensor([0.1000, 0.1000, 0.1000])
    """

    cls_to_become = normalization.BatchNorm3d


class LazyInstanceNorm1d(_LazyNorm, normalization.InstanceNorm1d):
    """`InstanceNorm1d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.

    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `InstanceNorm1d`.
    Until then they have no shape.

    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, L)`. The first input must have the batch dimension `N`. Other
    than in `InstanceNorm1d`, `affine` and `track_running_stats` are True by default.

    >>> layer = jgrad.nn.LazyInstanceNorm1d()
    >>> layer.weight
    <UninitializedParameter>
    >>> layer(jgrad.zeros(4, 3, 5)).shape
    jgrad.Size([4, 3, 5])
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm1d', 3)
    >>> layer.weight.shape
    jgrad.Size([3])
    """

    cls_to_become = normalization.InstanceNorm1d


class LazyInstanceNorm2d(_LazyNorm, normalization.InstanceNorm2d):
    """`InstanceNorm2d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.

    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `InstanceNorm2d`.
    Until then they have no shape.

    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, H, W)`. The first input must have the batch dimension `N`. Other
    than in `InstanceNorm2d`, `affine` and `track_running_stats` are True by default.

    >>> layer = jgrad.nn.LazyInstanceNorm2d()
    >>> layer.weight
    <UninitializedParameter>
    >>> layer(jgrad.zeros(4, 3, 8, 8)).shape
    jgrad.Size([4, 3, 8, 8])
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm2d', 3)
    >>> layer.weight.shape
    jgrad.Size([3])
    """

    cls_to_become = normalization.InstanceNorm2d


class LazyInstanceNorm3d(_LazyNorm, normalization.InstanceNorm3d):
    """`InstanceNorm3d` without `num_features`: the layer learns the number of channels from dimension 1 of the first input.

    The first call takes it from the input, creates the parameters and the running statistics, and turns the layer into an ordinary `InstanceNorm3d`.
    Until then they have no shape.

    Args:
        eps: a small number that is added to the variance, so that nothing is divided by zero
        momentum: how far the running statistics move towards those of the input: 0 leaves them, 1 replaces them, None counts as 0. It has no effect
            without `track_running_stats`
        affine: whether the layer learns a factor `weight` and an offset `bias` for each channel; if False, both are None
        track_running_stats: whether the layer keeps running statistics and uses them in evaluation mode; if False, it always uses those of the input
        device, dtype: the device and dtype of the parameters and the running statistics; None means the default ones
        bias: whether the layer learns an offset for each channel; without `affine` it has no effect

    Returns, when called, a new tensor with the shape of the input, which is `(N, C, D, H, W)`. The first input must have the batch dimension `N`.
    Other than in `InstanceNorm3d`, `affine` and `track_running_stats` are True by default.

    >>> layer = jgrad.nn.LazyInstanceNorm3d()
    >>> layer.weight
    <UninitializedParameter>
    >>> layer(jgrad.zeros(4, 3, 2, 8, 8)).shape
    jgrad.Size([4, 3, 2, 8, 8])
    >>> type(layer).__name__, layer.num_features
    ('InstanceNorm3d', 3)
    >>> layer.weight.shape
    jgrad.Size([3])
    """

    cls_to_become = normalization.InstanceNorm3d
