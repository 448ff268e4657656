"""Layers that learn the number of their input features from the first input; `torch.nn.modules.lazy`."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn.modules import conv, linear, normalization
from jgrad.nn.modules.module import Class, Module
from jgrad.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy
from jgrad.tensor import Tensor


class LazyModuleMixin:
    """The base class of layers whose parameters get their shapes from the first input. Put it before the module class among the bases of a class."""

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


_WIDTH = 146  # of the lines of a docstring
_LEARNS = "`{name}` without `{first}`: the layer learns {what} of the first input."
_BECOMES = "The first call takes it from the input, creates the parameters{kept}, and turns the layer into an ordinary `{name}`. Until then {waiting} no shape."
_PARAMETERS_HAVE = "the parameters are of the class `UninitializedParameter` and have"
_STATISTICS = {"kept": " and the running statistics", "waiting": "they have"}
_OF_INSTANCES = " The first input must have the batch dimension `N`. Other than in `{name}`, `affine` and `track_running_stats` are True by default."
_TAKEN_OVER = ("Returns", "The batch", "A second")  # how the sentences begin that hold for the lazy layer too


def _described(
    what: str, kept: str = "", waiting: str = _PARAMETERS_HAVE, more: str = ""
) -> Callable[[Class], Class]:
    """A decorator for lazy layers. Their docstring is that of the layer which they become, without the parameter that they learn; the manual has their
    examples."""

    def describe(cls: Any) -> Any:
        base = cls.cls_to_become
        if base.__doc__ is None:
            # Python runs without docstrings.
            return cls
        _, arguments, returned = re.split(r"\n\n(?=Args:|Returns)", inspect.getdoc(base) or "", maxsplit=2)
        returned = re.sub(r"\s+", " ", returned.partition("\n\n")[0])
        returned = re.sub(r" or `\(C, [^`]+`", "", returned)  # without the batch dimension
        names = {"name": base.__name__, "first": next(iter(inspect.signature(base).parameters))}
        cls.__doc__ = "\n\n".join([
            _filled(_LEARNS.format(what=what, **names)),
            _filled(_BECOMES.format(kept=kept, waiting=waiting, **names)),
            "\n".join(["Args:", *(_filled(option, "    ") for option in re.split(r"\n    (?! )", arguments)[2:])]),
            _filled(" ".join(s for s in re.split(r"(?<=\.) ", returned) if s.startswith(_TAKEN_OVER)) + more.format(**names)),
        ])  # fmt: skip
        return cls

    return describe


def _filled(text: str, indent: str = "") -> str:
    """A paragraph in lines of a docstring; those after the first of an argument are indented twice."""
    text = " ".join(text.split())
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )


@_described("this number from the last dimension")
class LazyLinear(LazyModuleMixin, linear.Linear):
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


@_described("this number from the channels")
class LazyConv1d(_LazyConv, conv.Conv1d):
    cls_to_become = conv.Conv1d


@_described("this number from the channels")
class LazyConv2d(_LazyConv, conv.Conv2d):
    cls_to_become = conv.Conv2d


@_described("this number from the channels")
class LazyConv3d(_LazyConv, conv.Conv3d):
    cls_to_become = conv.Conv3d


@_described("this number from the channels")
class LazyConvTranspose1d(_LazyConv, conv.ConvTranspose1d):
    cls_to_become = conv.ConvTranspose1d


@_described("this number from the channels")
class LazyConvTranspose2d(_LazyConv, conv.ConvTranspose2d):
    cls_to_become = conv.ConvTranspose2d


@_described("this number from the channels")
class LazyConvTranspose3d(_LazyConv, conv.ConvTranspose3d):
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


@_described("the number of channels from dimension 1", **_STATISTICS)
class LazyBatchNorm1d(_LazyNorm, normalization.BatchNorm1d):
    cls_to_become = normalization.BatchNorm1d


@_described("the number of channels from dimension 1", **_STATISTICS)
class LazyBatchNorm2d(_LazyNorm, normalization.BatchNorm2d):
    cls_to_become = normalization.BatchNorm2d


@_described("the number of channels from dimension 1", **_STATISTICS)
class LazyBatchNorm3d(_LazyNorm, normalization.BatchNorm3d):
    cls_to_become = normalization.BatchNorm3d


@_described("the number of channels from dimension 1", **_STATISTICS, more=_OF_INSTANCES)
class LazyInstanceNorm1d(_LazyNorm, normalization.InstanceNorm1d):
    cls_to_become = normalization.InstanceNorm1d


@_described("the number of channels from dimension 1", **_STATISTICS, more=_OF_INSTANCES)
class LazyInstanceNorm2d(_LazyNorm, normalization.InstanceNorm2d):
    cls_to_become = normalization.InstanceNorm2d


@_described("the number of channels from dimension 1", **_STATISTICS, more=_OF_INSTANCES)
class LazyInstanceNorm3d(_LazyNorm, normalization.InstanceNorm3d):
    cls_to_become = normalization.InstanceNorm3d


manual.attach(__name__)
