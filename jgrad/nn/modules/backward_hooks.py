"""Backward hooks of modules: identity nodes around a module tell the gradients of its outputs and of its inputs."""

from __future__ import annotations

import functools
import weakref
from typing import Any

import jgrad
from jgrad.autograd import Function
from jgrad.tensor import Tensor
from jgrad.warn import say


class BackwardHookFunction(Function):
    """Several tensors passed through one node."""

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> Any:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        return args


class BackwardHooks:
    """The hooks of one call of a module: they wait for the gradients of the outputs, then for those of the inputs."""

    def __init__(self, module: Any, hooks: list, pre_hooks: list, older: list) -> None:
        self.module = module
        self.hooks, self.pre_hooks = hooks, pre_hooks
        self.older = older  # those of the last node alone
        self.grad_outputs: tuple | None = None
        self.inputs: list[int] | None = None  # where the inputs are tensors, None if no gradient flows there
        self.outputs: list[int] | None = None
        self.n_inputs = self.n_outputs = 0

    def called_by(self, hook: Any) -> list[Any]:
        """The user's hooks that one of the hooks of a node calls, for the recorder."""
        return self.hooks if hook.__func__ is BackwardHooks._inputs_known else self.pre_hooks

    def _through_node(self, values: tuple, hook: Any) -> tuple[tuple, list[int] | None]:
        """The values, their tensors passed through one node that has the hook; and where those tensors are."""
        places = [i for i, value in enumerate(values) if isinstance(value, Tensor)]
        if not (jgrad.is_grad_enabled() and any(values[i].requires_grad for i in places)):
            return values, None
        passed = BackwardHookFunction.apply(*[values[i] for i in places])
        node = next(t.grad_fn for t in passed if t.grad_fn is not None)
        node.register_hook(hook)
        changed = list(values)
        for i, tensor in zip(places, passed, strict=True):
            changed[i] = tensor
        named = hasattr(values, "_fields")
        return (type(values)(*changed) if named else tuple(changed)), places

    def around_inputs(self, args: tuple) -> tuple:
        """The arguments for `forward`."""
        if not self.hooks:
            return args
        self.n_inputs = len(args)
        args, self.inputs = self._through_node(args, self._inputs_known)
        return args

    def around_outputs(self, args: tuple, result: Any) -> Any:
        """What `forward` gave, for the user."""
        if self.hooks or self.pre_hooks:
            result = self._through_output_node(result)
        if self.older:
            hook_last_node(self.module, self.older, args, result)
        return result

    def _through_output_node(self, result: Any) -> Any:
        values = result if isinstance(result, tuple) else (result,)
        if not any(isinstance(value, Tensor) for value in values):
            say(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                f"{type(result)}",
            )
        self.n_outputs = len(values)
        values, self.outputs = self._through_node(values, self._outputs_known)
        return values if isinstance(result, tuple) else values[0]

    @staticmethod
    def _spread(places: list[int] | None, gradients: Any, n: int) -> tuple:
        """Gradients where the tensors are, None elsewhere."""
        found: list[Any] = [None] * n
        for i, gradient in zip(places or (), gradients, strict=True):
            found[i] = gradient
        return tuple(found)

    def _outputs_known(self, _: Any, gradients: tuple) -> Any:
        grads = self._spread(self.outputs, gradients, self.n_outputs)
        for hook in self.pre_hooks:
            changed = hook(self.module, grads)
            if changed is not None:
                if len(changed) != len(grads):
                    raise RuntimeError(
                        "Backward pre hook returned an invalid number of grad_output, "
                        f"got {len(changed)}, but expected {len(grads)}"
                    )
                grads = changed
        self.grad_outputs = grads
        if self.inputs is None and self.hooks:
            say(
                "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
                "gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.register_full_backward_hook "
                "for more details.",
            )
            for hook in self.hooks:
                changed = hook(self.module, (None,) * self.n_inputs, grads)
                if changed is not None and not (
                    isinstance(changed, tuple) and all(g is None for g in changed)
                ):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or None for all "
                        "gradients."
                    )
            self.grad_outputs = None
        return tuple(grads[i] for i in self.outputs or ())

    def _inputs_known(self, gradients: tuple, _: Any) -> Any:
        if self.grad_outputs is None:  # reached around the outputs, as in a second derivative
            return None
        grads = self._spread(self.inputs, gradients, self.n_inputs)
        for hook in self.hooks:
            changed = hook(self.module, grads, self.grad_outputs)
            if changed is not None:
                if len(changed) != len(grads):
                    raise RuntimeError(
                        "Backward hook returned an invalid number of grad_input, "
                        f"got {len(changed)}, but expected {len(grads)}"
                    )
                grads = changed
        self.grad_outputs = None
        return tuple(grads[i] for i in self.inputs or ())

    _inputs_known.__name__ = _outputs_known.__name__ = "hook"  # so PyTorch's errors call them


def hook_last_node(module: Any, hooks: list, args: tuple, result: Any) -> None:
    """Register the older backward hooks of a call on the node of its first result, and warn where this node isn't all of the module."""
    first = result
    while not isinstance(first, Tensor):
        first = (
            next(v for v in first.values() if isinstance(v, Tensor)) if isinstance(first, dict) else first[0]
        )
    node: Any = first.grad_fn
    if node is None:
        return
    alive = weakref.ref(module)
    for hook in hooks:
        node.register_hook(_of_module(hook, alive))
    missing = _what_is_missing(node, args, result)
    if missing is not None:
        say(
            f"Using {missing} Please use register_full_backward_hook to get the documented behavior.",
            FutureWarning,
        )


def _of_module(hook: Any, alive: weakref.ref) -> Any:
    @functools.wraps(hook)
    def called(*gradients: Any) -> Any:
        module = alive()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return hook(module, *gradients)

    return called


def _what_is_missing(node: Any, args: tuple, result: Any) -> str | None:
    """What the hooks of the last node don't see, as PyTorch says it."""
    results = result if isinstance(result, tuple) else (result,)
    ending = "is deprecated and will be removed in future versions. This hook will be missing some"
    if not all([isinstance(t, Tensor) for t in results]):
        return f"non-full backward hooks on a Module that does not return a single Tensor or a tuple of Tensors {ending} of the grad_output."
    if not all([isinstance(t, Tensor) for t in args]):
        return (
            "non-full backward hooks on a Module that does not take as input a single Tensor or a tuple of Tensors "
            f"{ending} of the grad_input."
        )
    if len({t.grad_fn for t in results} - {None}) > 1:
        return f"a non-full backward hook when outputs are generated by different autograd Nodes {ending} grad_output."
    if {t.grad_fn for t in args} - {None} != {before for before, _ in node.next_functions}:
        return (
            f"a non-full backward hook when the forward contains multiple autograd Nodes {ending} grad_input."
        )
    return None
