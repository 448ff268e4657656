"""Modules as functions of their parameters: `functional_call`, `stack_module_state`, and batch norms that fit under vmap."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn import Module
from jgrad.nn.modules.normalization import _BatchNorm
from jgrad.tensor import Tensor


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other tensors in the places of its parameters and buffers. So the output is a function of these tensors too."""
    if isinstance(parameter_and_buffer_dicts, dict):
        given = parameter_and_buffer_dicts
    elif not isinstance(parameter_and_buffer_dicts, Sequence):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(parameter_and_buffer_dicts)}"
        )
    else:
        if not all(isinstance(d, dict) for d in parameter_and_buffer_dicts):
            raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        names = [name for d in parameter_and_buffer_dicts for name in d]
        repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if repeated:
            raise ValueError(
                f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
            )
        given = {name: t for d in parameter_and_buffer_dicts for name, t in d.items()}
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _replaced(module, given, tie_weights, strict):
        return module(*args, **(kwargs or {}))


@contextlib.contextmanager
def _replaced(module: Module, given: dict[str, Tensor], tie_weights: bool, strict: bool) -> Iterator[None]:
    """While this block runs, the module has these tensors instead of its own."""
    replacements = _with_tied(module, given) if tie_weights else given
    if strict:
        known = {name for name, _ in _named_tensors(module)}
        unexpected = sorted(map(repr, replacements.keys() - known))
        missing = sorted(map(repr, known - replacements.keys()))
        lines = [f"Unexpected key(s): {', '.join(unexpected)}."] if unexpected else []
        lines += [f"Missing key(s): {', '.join(missing)}."] if missing else []
        if lines:
            raise RuntimeError(
                "Error(s) in reparametrizing for {}:\n\t{}".format(module._get_name(), "\n\t".join(lines))
            )
    before: dict[str, Any] = {}
    try:
        for name, t in replacements.items():
            before[name] = _swap(module, name, t)
        yield
    finally:
        for name, t in before.items():
            after = _swap(module, name, t)
            if name in given:
                given[name] = after


def _named_tensors(module: Module) -> list[tuple[str, Tensor]]:
    return [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]


def _with_tied(module: Module, given: dict[str, Tensor]) -> dict[str, Tensor]:
    """What is given, also under the other names of the same tensors."""
    tied: dict[Tensor, set[str]] = {}
    for name, t in _named_tensors(module):
        tied.setdefault(t, set()).add(name)
    result = dict(given)
    for names in tied.values():
        present = [name for name in given if name in names]
        if len({id(given[name]) for name in present}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(names)}, which are tied. Consider using tie_weights=False"
            )
        if present:
            result |= dict.fromkeys(names, given[present[0]])
    return result


_ABSENT = object()


def _swap(module: Module, path: str, tensor: Any) -> Any:
    """Put a tensor into its place; what was there. (A place that there is not is made, and removed by putting `_ABSENT`.)"""
    prefix, _, name = path.rpartition(".")
    for part in prefix.split(".") if prefix else ():
        if not hasattr(module, part):
            raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
        module = getattr(module, part)
    if tensor is not _ABSENT and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if not name:
        raise KeyError('tensor name can\'t be empty string ""')
    places: tuple[dict[str, Any], ...] = (module._parameters, module._buffers)
    for place in places:
        if name in place:
            before = place.pop(name) if tensor is _ABSENT else place[name]
            if tensor is not _ABSENT:
                place[name] = tensor
            return before
    found = getattr(module, name, _ABSENT)
    if found is not _ABSENT and found is not None and not isinstance(found, Tensor):
        raise TypeError(f"attribute `{name}`: {found} is not an instance of torch.Tensor")
    if tensor is _ABSENT:
        delattr(module, name)
    else:
        setattr(module, name, tensor)
    return found


def stack_module_state(models: Any) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters and the buffers of several models of one class, stacked along a new first dimension."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return (
        {name: _stacked([p[name] for p in parameters], name) for name in parameters[0]},
        {name: _stacked([b[name] for b in buffers], name) for name in buffers[0]},
    )


def _stacked(tensors: list[Tensor], name: str) -> Tensor:
    """A leaf made of these tensors."""
    if len({t.requires_grad for t in tensors}) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    result = jgrad.stack(tensors)
    return result.detach().requires_grad_() if tensors[0].requires_grad else result


def replace_all_batch_norm_modules_(root: Module) -> Module:
    """Take away the running statistics of every batch norm in a module, in place."""
    for module in root.modules():
        if isinstance(module, _BatchNorm) and module.track_running_stats:
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


manual.attach(__name__)
