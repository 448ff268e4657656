"""Operations with a backward pass of their own: `torch.autograd.Function`.

In a subclass, `forward` computes the results and `backward` the gradients. `apply` runs `forward` unrecorded and makes one node, of a class
made for the subclass: `class Exp(Function)` gives `ExpBackward`. That node is also the `ctx` that forward and backward get
(`function_node.py`). So what forward keeps on `ctx` lives exactly as long as the graph.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NoReturn

from jgrad import manual, observer, warn
from jgrad.autograd.differentiable_once import once_differentiable
from jgrad.autograd.function_node import BackwardCFunction, FunctionCtx
from jgrad.autograd.function_outputs import among, finish
from jgrad.dispatch import batched, tangents
from jgrad.dtypes import INEXACT
from jgrad.engine.hooks import users_code
from jgrad.graph import grad_mode, levels
from jgrad.graph.view import edge_to
from jgrad.tensor import Tensor
from jgrad.transforms import transformed_function


class FunctionMeta(type):
    """Makes the node class of every Function."""

    _backward_cls: type[BackwardCFunction]

    def __init__(cls, name: str, bases: tuple, body: dict) -> None:
        cls._backward_cls = type(
            name + "Backward", (BackwardCFunction,), {"_forward_cls": cls, "__module__": __name__}
        )
        super().__init__(name, bases, body)


def own_arguments(method: Callable[..., Any]) -> Callable[..., Any]:
    """For type checkers: what overrides this method may name its arguments one by one."""
    return method


class Function(FunctionCtx, metaclass=FunctionMeta):
    """Base class of operations with a backward pass of their own; used through `apply`, never instantiated."""

    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warn.say(
            f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should invoke them on the "
            "class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function with static "
            "forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    @own_arguments
    def forward(*args: Any, **kwargs: Any) -> Any:
        """The computation: `forward(ctx, *args)`, or `forward(*args)` if the class defines `setup_context`. A subclass must define it."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> Any:
        """Keep on `ctx` what backward needs, where `forward` takes no `ctx`. It is called after `forward`."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    @own_arguments
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients of the arguments of `forward`, computed from those of its results; also called `vjp`. A subclass must define one of them."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @staticmethod
    @own_arguments
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """The derivatives of the results along the tangents of the arguments, for forward mode. A subclass may define it."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: tuple, *args: Any) -> Any:
        """The operation on a whole batch, for `vmap`. A subclass may define it, or set `generate_vmap_rule = True`."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run `forward` on these arguments, without recording what it does; the results get a node whose backward pass is `backward`."""
        __tracebackhide__ = True
        separate = cls.setup_context is not Function.setup_context
        args = cls._positional(args, kwargs, separate)
        ctx = cls._backward_cls()
        ctx._dtypes = tuple([a._a.dtype if isinstance(a, Tensor) else None for a in args])
        inputs = [a for a in args if isinstance(a, Tensor)]
        ctx.needs_input_grad = tuple([isinstance(a, Tensor) and a.requires_grad for a in args])
        recorded = grad_mode.mode.enabled and any(ctx.needs_input_grad)
        if recorded:
            ctx._next = tuple([edge_to(t) for t in inputs])
        output = cls._run_forward(ctx, args, separate)
        results = output if isinstance(output, tuple) else (output,)
        dirty, constant = ctx.dirty_tensors or (), ctx.non_differentiable or ()
        try:
            outputs = finish(ctx, inputs, results, recorded, separate)
        except Exception:
            # What was marked has a new version all the same.
            if dirty and (watch := observer.current) is not None:
                known = tuple([t for t in inputs if among(t, dirty)])
                watch.op(cls.__name__, "op", tuple(inputs), known, None, {})
            raise
        if levels.anywhere and (at := tangents.carried(list(args))):
            differentiable = tuple(
                [
                    o
                    if isinstance(o, Tensor) and o._a.dtype.kind in INEXACT and not among(r, constant)
                    else None
                    for o, r in zip(outputs, results, strict=True)
                ]
            )
            transformed_function.carry_tangents(cls, ctx, args, differentiable, dirty, at)
        if (watch := observer.current) is not None:
            tensors = tuple([t for t in outputs if isinstance(t, Tensor)])
            other = {f"{i}": a for i, a in enumerate(args) if not isinstance(a, Tensor)}
            watch.op(cls.__name__, "op", tuple(inputs), tensors, ctx if recorded else None, other)
        return outputs if isinstance(output, tuple) else outputs[0]

    @classmethod
    def _positional(cls, args: tuple, kwargs: dict[str, Any], separate: bool) -> tuple:
        """The arguments of `apply` in the order of the parameters of forward."""
        if separate:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        return all_positional(cls.forward, args, kwargs, skipped=0 if separate else 1) if kwargs else args

    @classmethod
    def _run_forward(cls, ctx: BackwardCFunction, args: tuple, separate: bool) -> Any:
        """Run forward, unrecorded, and `setup_context` if there is one; on the whole batch where an argument is batched."""
        __tracebackhide__ = True
        level = None
        if levels.anywhere and levels.inside_function():
            transformed_function.check_style(separate)
            level = batched.level_of(args)
        if level is not None:
            output = transformed_function.forward_of_batch(cls, cls.vmap is not Function.vmap, args, level)
        with users_code(False), tangents.ignored(True):
            if not separate:
                return cls.forward(ctx, *args)
            if level is None:
                output = cls.forward(*args)
            cls.setup_context(ctx, args, output)
        return output

    @classmethod
    def _backward_of_user(cls) -> Callable:
        """The user's `backward`, or `vjp`, which is another name for it."""
        if cls.vjp is Function.vjp:
            return cls.backward
        if cls.backward is not Function.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of them."
            )
        return cls.vjp


def all_positional(forward: Callable, args: tuple, kwargs: dict[str, Any], skipped: int) -> tuple:
    """The arguments in the order of the parameters, those given by name included: backward returns a gradient for each.

    `skipped` is 1 if the first parameter is ctx, else 0.
    """
    code = getattr(forward, "__code__", None)
    names = () if code is None else code.co_varnames[skipped : code.co_argcount]
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if names.index(name) < len(args):
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    last = max(map(names.index, kwargs))
    for i in range(len(args), last):
        if names[i] not in kwargs:
            raise TypeError(f"forward() missing required argument: '{names[i]}' (position {i})")
    return (*args, *[kwargs[name] for name in names[len(args) : last + 1]])


class InplaceFunction(Function):
    """For old programs only: a Function with a flag that says whether to write in place."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "once_differentiable",
]


manual.attach(__name__)
