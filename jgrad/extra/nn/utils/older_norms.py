"""The older forms of weight and spectral normalization: hooks that set a weight before each forward; `torch.nn.utils`.

`jgrad.nn.utils.parametrizations` has the newer ones.
"""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.modules.conv import _ConvTransposeNd
from jgrad.nn.modules.module import Module
from jgrad.nn.parameter import Parameter, is_lazy
from jgrad.tensor import Tensor
from jgrad.warn import say


def _refuse_second(module: Module, kind: type, called: str, name: str) -> None:
    if _number_of_hook(module, kind, name) is not None:
        raise RuntimeError(f"Cannot register two {called} hooks on the same parameter {name}")


def _number_of_hook(module: Module, kind: type, name: str) -> int | None:
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, kind) and hook.name == name:  # type: ignore[attr-defined]
            return number
    return None


def _refuse_waiting(weight: Any, kind: str, words: str) -> None:
    if is_lazy(weight):
        raise ValueError(
            f"The module passed to `{kind}` can't have uninitialized parameters. Make sure to run the dummy forward before applying {words}"
        )


class WeightNorm:
    """The hook of `weight_norm`."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Tensor:
        """The weight with the trained norm and direction."""
        norm, direction = (getattr(module, f"{self.name}_{part}") for part in "gv")
        return jgrad._weight_norm(direction, norm, self.dim)

    def remove(self, module: Module) -> None:
        """Make the weight an ordinary parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        for part in "gv":
            del module._parameters[f"{self.name}_{part}"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Divide a weight of a module into its norm and its direction, which are trained instead of it. Both are new parameters."""
    say(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
    )
    _refuse_second(module, WeightNorm, "weight_norm", name)
    hook = WeightNorm(name, dim)
    weight = getattr(module, name)
    _refuse_waiting(weight, "WeightNorm", "weight normalization")
    del module._parameters[name]
    module.register_parameter(f"{name}_g", Parameter(jgrad.norm_except_dim(weight, 2, hook.dim).data))
    module.register_parameter(f"{name}_v", Parameter(weight.data))
    setattr(module, name, hook.compute_weight(module))
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Undo `weight_norm`: make the weight one ordinary parameter again, with its current value."""
    number = _number_of_hook(module, WeightNorm, name)
    if number is None:
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    module._forward_pre_hooks.pop(number).remove(module)
    return module


class SpectralNorm:
    """The hook of `spectral_norm`."""

    _version = 1  # of what `state_dict()` holds

    def __init__(
        self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name, self.dim, self.n_power_iterations, self.eps = name, dim, n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """The weight as a matrix with the rows of `dim`."""
        if self.dim != 0:
            weight = weight.permute(self.dim, *[d for d in range(weight.dim()) if d != self.dim])
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """The weight divided by the estimate of its largest singular value."""
        weight, u, v = (getattr(module, f"{self.name}_{part}") for part in ("orig", "u", "v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with jgrad.no_grad():
                for _ in range(self.n_power_iterations):
                    v = F.normalize(jgrad.mv(matrix.t(), u), dim=0, eps=self.eps, out=v)
                    u = F.normalize(jgrad.mv(matrix, v), dim=0, eps=self.eps, out=u)
                # Copies, since the next forward changes the vectors, and backward needs these.
                u, v = (vector.clone(memory_format=jgrad.contiguous_format) for vector in (u, v))
        return weight / jgrad.dot(u, jgrad.mv(matrix, v))

    def remove(self, module: Module) -> None:
        """Make the weight an ordinary parameter again."""
        with jgrad.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for name in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + name)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    def note_version(self, module: Module, state_dict: dict, prefix: str, local_metadata: dict) -> None:
        """The hook of `state_dict()`."""
        versions = local_metadata.setdefault("spectral_norm", {})
        key = f"{self.name}.version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self._version


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight of a module by its largest singular value, before each forward. So the layer enlarges no vector."""
    if dim is None:
        dim = 1 if isinstance(module, _ConvTransposeNd) else 0
    _refuse_second(module, SpectralNorm, "spectral_norm", name)
    hook = SpectralNorm(name, n_power_iterations, dim, eps)
    weight = module._parameters[name]
    if weight is None:
        raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
    _refuse_waiting(weight, "SpectralNorm", "spectral normalization")
    with jgrad.no_grad():
        lengths = hook.reshape_weight_to_matrix(weight).shape
        u, v = (F.normalize(weight.new_empty(n).normal_(0, 1), dim=0, eps=eps) for n in lengths)
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.data)  # an ordinary attribute, which each forward sets
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(hook)
    module._register_state_dict_hook(hook.note_version)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Undo `spectral_norm`: make the weight one ordinary parameter again, with its current value."""
    number = _number_of_hook(module, SpectralNorm, name)
    if number is None:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    hook: Any = module._forward_pre_hooks.pop(number)
    hook.remove(module)
    for number, other in list(module._state_dict_hooks.items()):
        if getattr(other, "__self__", None) is hook:
            del module._state_dict_hooks[number]
    return module


manual.attach(__name__)
