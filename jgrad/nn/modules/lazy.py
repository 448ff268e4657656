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
    """Put before a Module, it lets parameters wait for the first input.

    The class has parameters of the class `UninitializedParameter`. Before the first `forward`, `initialize_parameters(*args, **kwargs)` is
    called with the arguments. It has to `materialize` them. Then the module becomes an instance of `cls_to_become`, unless that is None.
    """

    cls_to_become: type | None = None

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Materialize the parameters for the arguments of the first `forward`; every derived class has its own."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self: Any) -> bool:
        """Whether a parameter or buffer still waits for an input."""
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
    """Linear, with `in_features` taken from the last dimension of the first input."""

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
    """Conv1d, with `in_channels` taken from the first input."""

    cls_to_become = conv.Conv1d


class LazyConv2d(_LazyConv, conv.Conv2d):
    """Conv2d, with `in_channels` taken from the first input."""

    cls_to_become = conv.Conv2d


class LazyConv3d(_LazyConv, conv.Conv3d):
    """Conv3d, with `in_channels` taken from the first input."""

    cls_to_become = conv.Conv3d


class LazyConvTranspose1d(_LazyConv, conv.ConvTranspose1d):
    """ConvTranspose1d, with `in_channels` taken from the first input."""

    cls_to_become = conv.ConvTranspose1d


class LazyConvTranspose2d(_LazyConv, conv.ConvTranspose2d):
    """ConvTranspose2d, with `in_channels` taken from the first input."""

    cls_to_become = conv.ConvTranspose2d


class LazyConvTranspose3d(_LazyConv, conv.ConvTranspose3d):
    """ConvTranspose3d, with `in_channels` taken from the first input."""

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
    """BatchNorm1d, with `num_features` taken from the first input."""

    cls_to_become = normalization.BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, normalization.BatchNorm2d):
    """BatchNorm2d, with `num_features` taken from the first input."""

    cls_to_become = normalization.BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, normalization.BatchNorm3d):
    """BatchNorm3d, with `num_features` taken from the first input."""

    cls_to_become = normalization.BatchNorm3d


class LazyInstanceNorm1d(_LazyNorm, normalization.InstanceNorm1d):
    """InstanceNorm1d, with `num_features` taken from the first input."""

    cls_to_become = normalization.InstanceNorm1d


class LazyInstanceNorm2d(_LazyNorm, normalization.InstanceNorm2d):
    """InstanceNorm2d, with `num_features` taken from the first input."""

    cls_to_become = normalization.InstanceNorm2d


class LazyInstanceNorm3d(_LazyNorm, normalization.InstanceNorm3d):
    """InstanceNorm3d, with `num_features` taken from the first input."""

    cls_to_become = normalization.InstanceNorm3d
