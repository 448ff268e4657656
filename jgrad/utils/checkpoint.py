"""Less memory for more time: what a function saves for backward is not kept but computed again; `torch.utils.checkpoint`.

There are two ways. With `use_reentrant=True` the function runs unrecorded as one custom `Function`, whose backward runs it once more,
recorded, and differentiates that graph in a backward pass of its own. With `use_reentrant=False` see `_recomputation.py`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import jgrad
from jgrad import cuda, manual, random, warn
from jgrad._pytree import tree_leaves
from jgrad.autograd.function import Function
from jgrad.engine import graph_task
from jgrad.engine.differentiate import backward
from jgrad.graph import grad_mode
from jgrad.tensor import Tensor
from jgrad.utils._checkpoint_debug import Log, reporter
from jgrad.utils._recomputation import CHECKS, CheckpointError, FirstRun, GraphExecGroup
from jgrad.utils._selective import (
    SAC_IGNORED_OPS,
    CheckpointPolicy,
    SelectiveCheckpointContext,
    create_selective_checkpoint_contexts,
)

NOTHING = object()
_debug: bool | None = None
_early_stop: bool | None = None


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[AbstractContextManager, AbstractContextManager]] | None = None,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Call `function(*args, **kwargs)`, and keep only the arguments for the backward pass. This saves memory, and takes more time."""
    __tracebackhide__ = True
    if use_reentrant is None:
        warn.say(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling checkpoint "
            "without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to preserve the current "
            "default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants."
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    context_fn = context_fn or noop_context_fn
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve, *args)

    on_error = None
    if debug if _debug is None else _debug:
        if context_fn is not noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        logs = Log(), Log()
        context_fn, on_error = (lambda: (logs[0].kept(), logs[1].kept())), reporter(*logs)
    if determinism_check not in CHECKS:
        raise ValueError(f"determinism_check should be one of {list(CHECKS)}, but got {determinism_check}")
    first_context, second_context = context_fn()
    state = random.states() if preserve else None
    if not grad_mode.is_grad_enabled():
        return function(*args, **kwargs)

    autocast = _autocast_as_now()

    def again(*inputs: Any) -> None:
        with _drawing_from(state), autocast(), second_context:
            function(*inputs, **kwargs)

    run = FirstRun(again, args, CHECKS[determinism_check], early_stop if _early_stop is None else _early_stop)
    result = NOTHING
    with run.first_time(on_error), first_context:
        result = function(*args, **kwargs)
    if result is NOTHING:
        raise RuntimeError(
            "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception raised during the checkpointed "
            "forward. This is not supported because checkpoint cannot return a value for a failed forward."
        )
    run.complete = True
    return result


def checkpoint_sequential(
    functions: Any, segments: int, input: Tensor, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Call functions one after the other, in several segments, each of which is checkpointed. Only the input of each segment is kept for backward."""
    from jgrad.nn.modules.container import Sequential

    if use_reentrant is None:
        warn.say(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version 2.9 we will "
            "raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, but if you need to preserve the current "
            "default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants."
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    steps = list(functions.children()) if isinstance(functions, Sequential) else functions

    def segment(start: int, end: int) -> Callable[[Any], Any]:
        def forward(value: Any) -> Any:
            for i in range(start, end):
                value = steps[i](value)
            return value

        return forward

    size = len(steps) // segments
    value, end = input, 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        value = checkpoint(
            segment(start, end), value, use_reentrant=use_reentrant, preserve_rng_state=preserve
        )
    return segment(end, len(steps))(value)


def noop_context_fn() -> tuple[AbstractContextManager, AbstractContextManager]:
    """Two empty context managers: the `context_fn` of `checkpoint`, if none is given."""
    return contextlib.nullcontext(), contextlib.nullcontext()


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """A block that sets `early_stop` for all calls of `checkpoint` in it: whether the second call ends as soon as all saved tensors are there."""
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """A block that sets `debug` for all calls of `checkpoint` in it: whether an error lists the operations of the first and of the second call."""
    global _debug
    before, _debug = _debug, enabled
    try:
        yield
    finally:
        _debug = before


@contextlib.contextmanager
def _drawing_from(kept: list | None) -> Iterator[None]:
    """Random numbers from where the generators stood, without moving them; None: as they come."""
    with random.fork_rng(enabled=kept is not None):
        if kept is not None:
            random.go_back(kept)
        yield


def _autocast_as_now() -> Callable[[], AbstractContextManager]:
    """What makes a block in which autocast is as it is now: the second call computes in the dtypes of the first."""
    kept = [
        (kind, jgrad.is_autocast_enabled(kind), jgrad.get_autocast_dtype(kind)) for kind in ("cpu", "cuda")
    ]
    caching = jgrad.is_autocast_cache_enabled()

    @contextlib.contextmanager
    def block() -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            for kind, enabled, dtype in kept:
                if enabled or jgrad.is_autocast_enabled(kind):
                    stack.enter_context(jgrad.autocast(kind, dtype, enabled, caching))
            yield

    return block


# use_reentrant=True -----------------------------------------------------------------------------------------------------------


class CheckpointFunction(Function):
    """What `checkpoint` uses for `use_reentrant=True`: a custom function that calls another function as one node of the graph."""

    @staticmethod
    def forward(ctx: Any, run_function: Callable, preserve_rng_state: bool, *args: Any) -> Any:
        check_backward_validity(args)
        graph_task.following = True  # backward must know whether it runs in a pass to all leaves
        ctx.run_function = run_function
        ctx.state = random.states() if preserve_rng_state else None
        ctx.autocast = _autocast_as_now()
        ctx.inputs = [None if isinstance(a, Tensor) else a for a in args]
        ctx.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        with grad_mode.no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        current = graph_task.current.task
        if current is not None and not current.whole:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to "
                ".backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without passing the "
                "`inputs` argument."
            )
        inputs = list(ctx.inputs)
        for i, tensor in zip(ctx.places, ctx.saved_tensors, strict=True):
            inputs[i] = tensor
        detached = detach_variable(tuple(inputs))
        with _drawing_from(ctx.state), ctx.autocast(), grad_mode.enable_grad():
            outputs = ctx.run_function(*detached)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        differentiable = [i for i, o in enumerate(outputs) if isinstance(o, Tensor) and o.requires_grad]
        if not differentiable:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([outputs[i] for i in differentiable], [grads[i] for i in differentiable])
        return (None, None, *[t.grad if isinstance(t, Tensor) else None for t in detached])


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Give a warning if no input of a checkpointed function requires grad, since then all gradients are None. `use_reentrant=True` calls this."""
    if not any([t.requires_grad for t in inputs if isinstance(t, Tensor)]):
        warn.say("None of the inputs have requires_grad=True. Gradients will be None")


def detach_variable(inputs: tuple) -> tuple:
    """The inputs of a function as leaves, which are not connected to the graph. Each of them requires grad if it did before."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}"
        )
    detached = []
    for value in inputs:
        if isinstance(value, Tensor):
            leaf = value.detach()
            leaf.requires_grad = value.requires_grad
            value = leaf
        detached.append(value)
    return tuple(detached)


def get_device_states(*args: Any) -> tuple[list[int], list[Tensor]]:
    """Where the random generators of the GPUs stand that the tensors among the arguments are on."""
    tensors = [t for t in tree_leaves(args) if isinstance(t, Tensor) and t.device.type not in ("cpu", "meta")]
    devices = [t.get_device() for t in tensors]
    return devices, [cuda.get_rng_state(device) for device in devices]


def set_device_states(devices: Iterable[int], states: Iterable[Tensor], *, device_type: Any = None) -> None:
    """Put the random generators of GPUs back to where they stood."""
    if device_type != "meta":
        for device, state in zip(devices, states, strict=False):
            cuda.set_rng_state(state, device)


__all__ = [
    "checkpoint",
    "checkpoint_sequential",
    "CheckpointError",
    "CheckpointFunction",
    "check_backward_validity",
    "detach_variable",
    "get_device_states",
    "set_device_states",
    "noop_context_fn",
    "set_checkpoint_early_stop",
    "set_checkpoint_debug_enabled",
    "CheckpointPolicy",
    "SelectiveCheckpointContext",
    "create_selective_checkpoint_contexts",
    "SAC_IGNORED_OPS",
    "GraphExecGroup",
]


manual.attach(__name__)
