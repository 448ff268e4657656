"""Operations with a backward pass of their own: `torch.autograd.Function`.

A subclass says in `forward` what is computed and in `backward` what becomes of the gradients. `apply` runs `forward` unrecorded and leaves
one node behind, of a class made for the subclass: `class Exp(Function)` gives `ExpBackward`. That node is also the `ctx` that forward and
backward get, so what forward keeps on `ctx` lives exactly as long as the graph.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NoReturn

from jgrad import observer, warn
from jgrad.autograd.gradients import as_tensor
from jgrad.autograd.hooks import users_code
from jgrad.devices import CPU
from jgrad.graph import batched, grad_mode, levels, tangents
from jgrad.graph.node import FREED, Node
from jgrad.graph.saved import Packed, RawSaved, SavedTensor
from jgrad.graph.view import (
    IN_CUSTOM_FUNCTION,
    MULTI_OUTPUT_NODE,
    bump,
    check_inplace,
    edge_to,
    move_retained,
    rebase_history,
)
from jgrad.kernels import libraries
from jgrad.tensor import Tensor, _plain
from jgrad.transforms import transformed_function


class FunctionCtx:
    """What `forward` and `setup_context` call on `ctx`."""

    to_save: Any
    saved_for_forward: Any
    dirty_tensors: Any
    non_differentiable: Any
    materialize_grads: bool

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep these tensors (or None) for backward, which finds them as `ctx.saved_tensors` and is told if they were written to."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep these tensors (or None) for `jvp`."""
        for tensor in tensors:
            if not (isinstance(tensor, Tensor) or tensor is None):
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say that forward wrote to these inputs; it must return them too."""
        self.dirty_tensors = tensors

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Nothing: shared memory is noticed anyway."""
        warn.say(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. Note that calls to `set_()` are "
            "not tracked",
            FutureWarning,
        )

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say that these outputs have no gradient, as indices."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward gets zeros (the default) or None for outputs that nobody used."""
        self.materialize_grads = value


class BackwardCFunction(Node, FunctionCtx):
    """The node that a Function leaves behind, and the `ctx` of its forward and backward."""

    __slots__ = (
        "needs_input_grad",
        "to_save",
        "saved_for_forward",
        "in_jvp",
        "dirty_tensors",
        "non_differentiable",
        "materialize_grads",
        "_outputs",
        "_metadata",
        "_place",
        "_dtypes",
        "_entries",
    )
    _forward_cls: Any
    _takes_none = True
    materializes = False

    def __init__(self) -> None:
        super().__init__((), None, None)
        self.needs_input_grad: tuple[bool, ...] = ()
        self.to_save = self.saved_for_forward = self.dirty_tensors = self.non_differentiable = None
        self.materialize_grads = True
        self.in_jvp: levels.Level | None = None  # the level whose tangents `jvp` is asked for
        self._outputs = 1
        self._place: Any = CPU
        self._metadata: list[tuple | None] = []  # shape and dtype of each output, None if it is no tensor
        self._dtypes: tuple = ()  # of the arguments, None for what is no tensor
        self._entries: Any = ()  # SavedTensors or None, FREED after backward

    __repr__ = object.__repr__

    def __dir__(self) -> list[str]:
        return list(object.__dir__(self))

    def __call__(self, *grads: Any) -> NoReturn:
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    @property
    def saved_tensors(self) -> tuple:
        """What `save_for_backward` was given, checked: raises if it was written to or freed since; in `jvp` what `save_for_forward` was."""
        if self.in_jvp is not None:
            kept = self.saved_for_forward or ()
            return tuple([t if t is None else tangents.stripped(t, self.in_jvp) for t in kept])
        return tuple([None if entry is None else entry.restore(self) for entry in self._entries])

    @property
    def saved_variables(self) -> tuple:
        """The older name of `saved_tensors`."""
        warn.say("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple:
        return tuple([RawSaved(self, "tensors", i) for i, _ in enumerate(self._entries)])

    # What these work with.
    def kept(self, name: str, index: int) -> Any:
        entry = FREED if self._entries is FREED else self._entries[index]
        return entry.packed or entry if isinstance(entry, SavedTensor) else entry

    def looked_at(self, name: str, index: int) -> Any:
        entry = self._entries[index]
        return None if entry is None else entry.restore(self)

    def keep_packed(self, name: str, index: int, packed: Packed) -> None:
        entry = self._entries[index]
        entry.packed, entry.tensor, entry.array = packed, None, None

    def metadata_of(self, output_nr: int) -> tuple:
        return self._metadata[output_nr]  # type: ignore[return-value]

    # What the engine calls ----------------------------------------------------------------------------------------------------

    def apply(self, grad: Any, needed: Any) -> tuple:
        __tracebackhide__ = True
        return tuple([None if g is None else g._a for g in self._differentiate(grad, False)])

    def apply_public(self, grad: Any, needed: Any) -> tuple:
        __tracebackhide__ = True
        return self._differentiate(grad, True)

    def _differentiate(self, grad: Any, create_graph: bool) -> tuple:
        """The user's backward with the gradients as tensors; its results for the arguments that are tensors, checked."""
        __tracebackhide__ = True
        gradients = list(grad) if self._outputs > 1 else [grad]
        for nr, metadata in enumerate(self._metadata):
            if gradients[nr] is None and self.materialize_grads and metadata is not None:
                shape, dtype = metadata
                gradients[nr] = libraries.full(0, shape, dtype, self._place)
        with users_code(create_graph):
            results = self._backward_of_user()(self, *map(as_tensor, gradients))
        if not isinstance(results, tuple):
            results = (results,)
        name, expected = self.name(), len(self._dtypes)
        if len(results) > expected and all([r is None for r in results[expected:]]):
            results = results[:expected]
        if len(results) != expected:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {expected}, got {len(results)})"
            )
        found = []
        for position, (result, dtype) in enumerate(zip(results, self._dtypes, strict=True), 1):
            if dtype is not None:
                if result is not None and not isinstance(result, Tensor):
                    raise RuntimeError(f"expected Variable or None (got {type(result).__name__})")
                if result is not None and result._a.dtype.kind == "c" != dtype.kind:
                    raise RuntimeError(
                        "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be true, but got false.  "
                        "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
                    )
                found.append(result)
            elif result is not None:
                raise RuntimeError(
                    f"function {name} returned a gradient different than None at position {position}, but the corresponding forward input "
                    "was not a Variable"
                )
        return tuple(found)

    def _backward_of_user(self) -> Callable:
        backward, vjp = self._forward_cls.backward, self._forward_cls.vjp
        if vjp is Function.vjp:
            return backward
        if backward is not Function.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of them."
            )
        return vjp

    def release(self) -> bool:
        self._entries = FREED
        return True

    def _formulas(self) -> dict[str, str]:
        return {}

    def _saved(self) -> list[tuple]:
        return [
            (name, entry.restore(self), entry.version)
            for name, entry in self._entries_by_name()
            if entry.packed is None and entry.cell[0] == entry.version
        ]

    def _saved_results(self) -> tuple[tuple[int, str], ...]:
        return tuple(
            [
                (e.output_nr, name)
                for name, e in self._entries_by_name()
                if e.tensor is None and e.packed is None
            ]
        )

    def _entries_by_name(self) -> list[tuple[str, SavedTensor]]:
        entries = () if self._entries is FREED else self._entries
        return [(f"saved_tensors[{i}]", e) for i, e in enumerate(entries) if e is not None]


class FunctionMeta(type):
    """Makes the node class of every Function."""

    _backward_cls: type[BackwardCFunction]

    def __init__(cls, name: str, bases: tuple, body: dict) -> None:
        cls._backward_cls = type(
            name + "Backward", (BackwardCFunction,), {"_forward_cls": cls, "__module__": __name__}
        )
        super().__init__(name, bases, body)


class Function(FunctionCtx, metaclass=FunctionMeta):
    """Base class of operations with a backward pass of their own; used through `apply`, never instantiated.

    >>> class Exp(Function):
    ...     @staticmethod
    ...     def forward(ctx, i):
    ...         result = i.exp()
    ...         ctx.save_for_backward(result)
    ...         return result
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         (result,) = ctx.saved_tensors
    ...         return grad_output * result
    """

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
    def forward(*args: Any, **kwargs: Any) -> Any:
        """The computation: `forward(ctx, *args)`, or `forward(*args)` if there is a `setup_context`."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> Any:
        """What is kept for backward, where `forward` takes no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradient of every argument of forward (None for what is no tensor) from those of its outputs; also called `vjp`."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """The derivative along tangents, for forward mode."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: tuple, *args: Any) -> Any:
        """The operation on batches, for `vmap`."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward on these arguments; what it returns gets a node whose backward pass is `backward`."""
        __tracebackhide__ = True
        separate = cls.setup_context is not Function.setup_context
        if separate:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if kwargs:
            args = all_positional(cls.forward, args, kwargs, skipped=0 if separate else 1)
        ctx = cls._backward_cls()
        ctx._dtypes = tuple([a._a.dtype if isinstance(a, Tensor) else None for a in args])
        inputs = [a for a in args if isinstance(a, Tensor)]
        ctx.needs_input_grad = tuple([isinstance(a, Tensor) and a.requires_grad for a in args])
        recorded = grad_mode.mode.enabled and any(ctx.needs_input_grad)
        if recorded:
            ctx._next = tuple([edge_to(t) for t in inputs])
        level = None
        if levels.anywhere and levels.inside_function():
            transformed_function.check_style(separate)
            level = batched.level_of(args)
        if level is not None:
            output = transformed_function.forward_of_batch(cls, cls.vmap is not Function.vmap, args, level)
        with users_code(False), tangents.no_tangents():
            if not separate:
                output = cls.forward(ctx, *args)
            else:
                if level is None:
                    output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        dirty = ctx.dirty_tensors or ()
        try:
            outputs = finish(
                ctx, inputs, output if isinstance(output, tuple) else (output,), recorded, separate
            )
        except Exception:
            if dirty and observer.current is not None:  # what was marked has a new version all the same
                known = tuple([t for t in inputs if among(t, dirty)])
                observer.current.op(cls.__name__, "op", tuple(inputs), known, None, {})
            raise
        if levels.anywhere and (at := tangents.carried(list(args))):
            transformed_function.carry_tangents(cls, ctx, args, outputs, dirty, at)
        watch = observer.current
        if watch is not None:
            tensors = tuple([t for t in outputs if isinstance(t, Tensor)])
            other = {f"{i}": a for i, a in enumerate(args) if not isinstance(a, Tensor)}
            watch.op(cls.__name__, "op", tuple(inputs), tensors, ctx if recorded else None, other)
        return outputs if isinstance(output, tuple) else outputs[0]


def all_positional(forward: Callable, args: tuple, kwargs: dict[str, Any], skipped: int) -> tuple:
    """The arguments in their order, those given by name included: backward returns a gradient for each. `skipped`: 1 if the first
    parameter is ctx."""
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


def finish(
    ctx: BackwardCFunction, inputs: list[Tensor], results: tuple, recorded: bool, separate: bool
) -> tuple:
    """The results of forward with their place in the graph, and what was to be saved saved."""
    __tracebackhide__ = True
    dirty = marked(ctx.dirty_tensors, "mark_dirty can only accept variables, but argument ")
    constant = marked(
        ctx.non_differentiable, "mark_non_differentiable only accepts variable arguments, but got "
    )
    for t in dirty:
        bump(t)
    to_save = ctx.to_save
    if to_save is not None and not isinstance(to_save, tuple):
        raise RuntimeError("autograd internal error: to_save attribute is expected to be a tuple but is ")
    ctx._outputs = len(results)
    ctx._place = next((t.device for t in results if isinstance(t, Tensor)), CPU)
    ctx._metadata = [(t._a.shape, t._a.dtype) if isinstance(t, Tensor) else None for t in results]
    if ctx._outputs == 1 and ctx._metadata[0] is not None:
        ctx._shape, ctx._dtype = ctx._metadata[0]
    several = sum([isinstance(t, Tensor) for t in results]) > 1
    outputs: list[Any] = []
    differentiable = 0
    for nr, t in enumerate(results):
        if isinstance(t, Tensor):
            is_input, is_dirty = among(t, inputs), among(t, dirty)
            has_gradient = recorded and t._a.dtype.kind in "fc" and not among(t, constant)
            differentiable += has_gradient
            if not has_gradient:
                t = without_gradient(t, is_input, is_dirty)
            elif is_dirty:
                written(ctx, t, nr, is_input, several)
            else:
                if is_input:
                    if separate and to_save is not None and among(t, to_save):
                        raise RuntimeError(
                            "An input that has been returned as-is as output is being saved for backward. This is not supported if you "
                            "override setup_context. You should return and save a view of the input instead, e.g. with x.view_as(x) or setup "
                            "ctx inside the forward function itself."
                        )
                    t = alias(t)
                t._fn, t._nr, t._rg = ctx, nr, True
                if t._view is not None:
                    t._view.attr_version = t._version
            if t._view is not None and not (is_input and is_dirty):
                t._view.creation_meta = IN_CUSTOM_FUNCTION
        outputs.append(t)
    if differentiable > 1:
        for t in outputs:
            if isinstance(t, Tensor) and t._view is not None:
                t._view.creation_meta = MULTI_OUTPUT_NODE
    for t in dirty:
        if not among(t, results):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified inplace "
                "must all be outputs of the Function."
            )
    if recorded and to_save is not None:
        for i, t in enumerate(to_save):
            if t is not None and not isinstance(t, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {i} is of type {type(t).__name__}"
                )
        ctx._entries = tuple([None if t is None else SavedTensor(t, ctx) for t in to_save])
    ctx.to_save = ctx.non_differentiable = None
    return tuple(outputs)


def marked(tensors: tuple | None, complaint: str) -> tuple:
    """What a `mark_...` was called with."""
    if tensors is None:
        return ()
    for t in tensors:
        if not isinstance(t, Tensor):
            raise RuntimeError(complaint)
    return tensors


def among(tensor: Tensor, others: Any) -> bool:
    """Whether this very tensor is one of the others."""
    return any([tensor is other for other in others])


def alias(tensor: Tensor) -> Tensor:
    """An input that forward returns as it is comes out as a view of itself, since one tensor can't have two histories."""
    with grad_mode.no_grad():
        return tensor.view_as(tensor)


def without_gradient(t: Tensor, is_input: bool, is_dirty: bool) -> Tensor:
    """An output that has no gradient. An input keeps its own: what comes out is detached from it."""
    if not t.requires_grad:
        return alias(t) if is_input and not is_dirty else t
    if is_input:
        return t.detach()
    if t._view is None:
        t.detach_()
    return t


def written(ctx: BackwardCFunction, t: Tensor, nr: int, is_input: bool, several: bool) -> None:
    """Give a tensor that forward wrote to the history that this write makes."""
    if t._fn is None and t.requires_grad:
        raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
    if not is_input:
        warn.once(
            "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be passed to "
            "ctx.mark_dirty().",
        )
    if several and t._view is not None:
        raise RuntimeError(
            "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than one Tensor. "
            "This is not supported by the current autograd engine. You should either make sure the input is not a view (using .clone() for "
            "example) or make your Function only return one Tensor (potentially splitting it into two Functions: one doing the inplace that "
            "returns a single Tensor and a second one that does the other operations). You can ask on the forum "
            "https://discuss.pytorch.org/ if you need help to do this change."
        )
    t._grad = None
    if t._view is not None:
        check_inplace(t, True)
        rebase_history(t, ctx)
    else:
        move_retained(t, ctx, nr)
        t._fn, t._nr, t._rg = ctx, nr, True


class Error(Node):
    """The history of a result that can't be differentiated; asking for its gradient raises."""

    __slots__ = ("message",)

    def __init__(self, edge: Any, array: Any, message: str) -> None:
        super().__init__((edge,), array.shape, array.dtype)
        self.message = message

    def name(self) -> str:
        return "torch::autograd::Error"

    def apply(self, grad: Any, needed: Any) -> tuple:
        raise RuntimeError(self.message)

    apply_public = apply


def once_differentiable(backward: Callable) -> Callable:
    """Decorator of a `backward` that can't be differentiated itself: trying to do so raises instead of giving a wrong result."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        with grad_mode.no_grad():
            results = backward(ctx, *args, **kwargs)
        if not (
            grad_mode.is_grad_enabled() and any([isinstance(a, Tensor) and a.requires_grad for a in args])
        ):
            return results
        return tuple([refusing(t) for t in results]) if isinstance(results, tuple) else refusing(results)

    return wrapper


def refusing(tensor: Tensor | None) -> Tensor | None:
    """The same values with a history that raises."""
    if tensor is None:
        return None
    leaf = tensor.detach()
    leaf._rg = True
    result = _plain(tensor._a)
    result._vc = tensor._vc
    result._rg = True
    result._fn = Error(
        leaf,
        tensor._a,
        "trying to differentiate twice a function that was marked with @once_differentiable",
    )
    return result


class InplaceFunction(Function):
    """For old code only: a Function that is told whether to write in place."""

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
