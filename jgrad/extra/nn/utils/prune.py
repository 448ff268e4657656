"""Pruning: parameters of layers lose the entries that matter least; `torch.nn.utils.prune`.

A pruned parameter `weight` becomes `weight_orig`, a buffer `weight_mask` of ones and zeros is added, and before each forward pass `weight` is set to
their product. So gradients go to `weight_orig`, and what is masked has none.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn.modules.module import Module
from jgrad.tensor import Tensor


class BasePruningMethod(ABC):
    """The base class of ways to prune. A derived class sets `PRUNING_TYPE` and defines `compute_mask(t, default_mask)`."""

    _tensor_name: str

    def __call__(self, module: Module, inputs: Any) -> None:
        """Set the parameter to its masked values: a hook before the forward pass."""
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask for a tensor."""

    def apply_mask(self, module: Module) -> Tensor:
        """The product of a parameter and its mask."""
        mask = getattr(module, self._tensor_name + "_mask")
        orig = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=orig.dtype) * orig

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Tensor | None = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prune a parameter of a layer. One that is pruned already is pruned further."""
        method: BasePruningMethod = cls(*args, **kwargs)
        method._tensor_name = name
        before = [
            (number, hook)
            for number, hook in module._forward_pre_hooks.items()
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
        ]
        for number, old in before:
            if not isinstance(old, PruningContainer):
                old = PruningContainer(old)
            old.add_pruning_method(method)
            method = old
            del module._forward_pre_hooks[number]
        orig = getattr(module, name)
        scores = orig if importance_scores is None else importance_scores
        if scores.shape != orig.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter                 {name} of {module}"
            )
        if before:
            mask = getattr(module, name + "_mask").detach().clone(memory_format=jgrad.contiguous_format)
        else:
            module.register_parameter(name + "_orig", orig)
            del module._parameters[name]
            mask = jgrad.ones_like(orig)
        try:
            module.register_buffer(name + "_mask", method.compute_mask(scores, default_mask=mask))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not before:
                orig = getattr(module, name + "_orig")
                module.register_parameter(name, orig)
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(
        self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Tensor | None = None
    ) -> Tensor:
        """A pruned copy of a tensor."""
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as tensor t, got {scores.shape} vs {t.shape}".replace(
                    "jgrad.Size", "torch.Size"
                )
            )
        mask = jgrad.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=mask)

    def remove(self, module: Module) -> None:
        """Make the pruning of a parameter permanent: it becomes a usual parameter with zeros."""
        name = self._tensor_name
        masked = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        orig = module._parameters[name + "_orig"]
        assert orig is not None
        orig.data = masked.data
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, orig)


class PruningContainer(BasePruningMethod):
    """Several ways to prune one parameter, one after the other. Each looks at what those before it have left."""

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if isinstance(args, Iterable) and len(args) == 1:
            self._tensor_name = args[0]._tensor_name
            self.add_pruning_method(args[0])
            return
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a way to prune, after those that are here."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer {self}. Found "
                f"'{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[BasePruningMethod]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: int) -> BasePruningMethod:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask of the newest method, for what the others have left."""
        method: Any = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        left = _left_by(mask, method, t)
        found = method.compute_mask(t[left], default_mask=default_mask[left])
        mask[left] = found.to(mask.dtype)
        return mask


def _left_by(mask: Tensor, method: Any, t: Tensor) -> Any:
    """The index of what a mask has left for a method."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "structured":
        if not hasattr(method, "dim"):
            raise AttributeError(
                "Pruning methods of PRUNING_TYPE structured need to have the attribute `dim` defined."
            )
        dim = method.dim % t.dim() if -t.dim() <= method.dim else method.dim
        kept = mask.sum(dim=[d for d in range(t.dim()) if d != dim]) != 0
        return (*[slice(None)] * dim, kept)
    if method.PRUNING_TYPE == "global":
        return (slice(None),) * t.dim()
    raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")


# Ways to prune --------------------------------------------------------------------------------------------------------------------


class Identity(BasePruningMethod):
    """Prunes nothing, but gives a parameter a mask."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask so far."""
        return default_mask

    @classmethod
    def apply(cls, module: Module, name: str) -> BasePruningMethod:  # type: ignore[override]
        """Give a parameter a mask of ones."""
        return super().apply(module, name)


class _Amount(BasePruningMethod):
    """A method that prunes a number or a fraction of entries or slices."""

    def __init__(self, amount: Any) -> None:
        _check_amount(amount)
        self.amount = amount

    def _number(self, size: int) -> int:
        """How many of so many are pruned."""
        n = self.amount if isinstance(self.amount, numbers.Integral) else round(self.amount * size)
        if isinstance(self.amount, numbers.Integral) and self.amount > size:
            raise ValueError(
                f"amount={self.amount} should be smaller than the number of parameters to prune={size}"
            )
        return n  # type: ignore[return-value]


class RandomUnstructured(_Amount):
    """Prunes entries at random."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """A mask with zeros at random places."""
        n, mask = self._number(t.nelement()), default_mask.clone(memory_format=jgrad.contiguous_format)
        if n != 0:
            chances = jgrad.rand_like(t)
            mask.view(-1)[jgrad.topk(chances.view(-1), k=n).indices] = 0
        return mask

    @classmethod
    def apply(cls, module: Module, name: str, amount: Any) -> BasePruningMethod:  # type: ignore[override]
        """Prune a parameter; see `random_unstructured`."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_Amount):
    """Prunes the entries with the smallest absolute values."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """A mask with zeros at the smallest absolute values."""
        n, mask = self._number(t.nelement()), default_mask.clone(memory_format=jgrad.contiguous_format)
        if n != 0:
            mask.view(-1)[jgrad.topk(jgrad.abs(t).view(-1), k=n, largest=False).indices] = 0
        return mask

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Module, name: str, amount: Any, importance_scores: Tensor | None = None
    ) -> BasePruningMethod:
        """Prune a parameter; see `l1_unstructured`."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class _Structured(_Amount):
    """A method that prunes slices along a dimension."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def _slices(self, t: Tensor) -> tuple[int, int]:
        """How many slices there are, and how many are pruned."""
        if len(t.shape) <= 1:
            raise ValueError(
                f"Structured pruning can only be applied to multidimensional tensors. Found tensor of shape torch.Size({list(t.shape)}) with "
                f"{len(t.shape)} dims"
            )
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size torch.Size({list(t.shape)})")
        size = t.shape[self.dim]
        return size, self._number(size)

    def _mask(self, t: Tensor, kept: Tensor, default_mask: Tensor) -> Tensor:
        """The mask in which some slices stay."""
        mask = jgrad.zeros_like(t)
        mask[(*[slice(None)] * (self.dim % t.dim()), kept)] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask


class RandomStructured(_Structured):
    """Prunes slices along a dimension at random."""

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """A mask with slices of zeros at random."""
        size, n = self._slices(t)
        if n == 0:
            return default_mask
        chances = jgrad.rand(size)
        return self._mask(t, chances > jgrad.kthvalue(chances, k=n).values, default_mask)

    @classmethod
    def apply(cls, module: Module, name: str, amount: Any, dim: int = -1) -> BasePruningMethod:  # type: ignore[override]
        """Prune a parameter; see `random_structured`."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_Structured):
    """Prunes the slices along a dimension that have the smallest norms."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """A mask with zeros for the slices of the smallest norms."""
        size, n = self._slices(t)
        if n == 0:
            return default_mask
        others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        norms = jgrad.norm(t, p=self.n, dim=others)
        return self._mask(t, jgrad.topk(norms, k=size - n, largest=True).indices, default_mask)

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Module, name: str, amount: Any, n: Any, dim: int, importance_scores: Tensor | None = None
    ) -> BasePruningMethod:
        """Prune a parameter; see `ln_structured`."""
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """Prunes what a mask says."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The product of both masks."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape torch.Size({list(default_mask.shape)}) must match self.mask shape torch.Size({list(self.mask.shape)})"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module: Module, name: str, mask: Tensor) -> BasePruningMethod:  # type: ignore[override]
        """Prune a parameter; see `custom_from_mask`."""
        return super().apply(module, name, mask=mask)


# Functions ------------------------------------------------------------------------------------------------------------------------


def identity(module: Module, name: str) -> Module:
    """Give a parameter of a layer a mask of ones, without pruning anything."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: Any) -> Module:
    """Prune entries of a parameter of a layer at random."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(
    module: Module, name: str, amount: Any, importance_scores: Tensor | None = None
) -> Module:
    """Prune the entries of a parameter of a layer that have the smallest absolute values."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount: Any, dim: int) -> Module:
    """Prune slices of a parameter of a layer at random."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Module, name: str, amount: Any, n: Any, dim: int, importance_scores: Tensor | None = None
) -> Module:
    """Prune the slices of a parameter of a layer that have the smallest norms."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Module, name: str, mask: Tensor) -> Module:
    """Prune a parameter of a layer with a mask."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune entries of several parameters together, as if they were one: some may lose more than others."""
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = [(module, name) for module, name in parameters]
    tensors = [getattr(module, name) for module, name in pairs]
    flat = jgrad.cat([scores.get(pair, t).reshape(-1) for pair, t in zip(pairs, tensors, strict=True)])
    masks = [getattr(module, name + "_mask", None) for module, name in pairs]
    default = jgrad.cat(
        [(jgrad.ones_like(t) if m is None else m).reshape(-1) for t, m in zip(tensors, masks, strict=True)]
    )
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
            f"{pruning_method} of type {method.PRUNING_TYPE}"
        )
    container = PruningContainer()
    container._tensor_name = method._tensor_name = "temp"
    container.add_pruning_method(method)
    mask = container.compute_mask(flat, default)
    start = 0
    for (module, name), t in zip(pairs, tensors, strict=True):
        custom_from_mask(module, name, mask=mask[start : start + t.numel()].view_as(t))
        start += t.numel()


def remove(module: Module, name: str) -> Module:
    """Make the pruning of a parameter permanent: it gets its own name back and has zeros where it was masked."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[number]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module: Module) -> bool:
    """Whether a parameter of a layer, or of a layer within it, is pruned and the pruning was not made permanent."""
    return any(
        isinstance(hook, BasePruningMethod)
        for m in module.modules()
        for hook in m._forward_pre_hooks.values()
    )


def _check_amount(amount: Any) -> None:
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    whole = isinstance(amount, numbers.Integral)
    if amount < 0 or (not whole and amount > 1):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )


manual.attach(__name__)
