"""The tensors that variables hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.record.models import LOCAL
from jgrad.tracing.record.recorder import Recorder
from jgrad.tracing.record.scope import Scope

NOT_THE_USERS = ("In", "Out")  # IPython's


def held(variables: Mapping[str, Any]) -> dict[str, Tensor]:
    """The tensors in variables, and in the lists, modules and objects that variables hold. The keys are the names that views show: `w`,
    `layers[0]['b']`, `model.weight`. Tensors in optimizers come last."""
    mirrors.load()
    names = [n for n in variables if n[0] != "_" and n not in NOT_THE_USERS]
    names.sort(key=lambda n: mirrors.is_optimizer(variables[n]))
    recorder = Recorder(Scope("", {n: variables[n] for n in names}, names))
    recorder.start()
    bound = {name.lstrip(LOCAL): recorder.tensors[number]() for name, number in recorder.names.bound.items()}
    recorder.stop()
    return {name: tensor for name, tensor in bound.items() if tensor is not None}


@contextmanager
def kept_grads(variables: Mapping[str, Any]) -> Iterator[None]:
    """A block after which each computed tensor in variables has the `.grad` that it had before. What arrives at one that retains its gradient is
    added to its `.grad`, also by `autograd.grad()`, which changes that of no leaf."""
    tensors = [mirrors.original(tensor) for tensor in held(variables).values() if not tensor.is_leaf]
    before = [(tensor, tensor.grad) for tensor in tensors if tensor.retains_grad]
    try:
        yield
    finally:
        for tensor, grad in before:
            tensor.grad = grad
