"""Less memory for more time: what a function saves for backward is not kept but computed again; `torch.utils.checkpoint`.

Note [Two ways to compute again]: with `use_reentrant=True` the function runs unrecorded as one custom `Function`, whose backward runs it
once more, recorded, and differentiates that graph in a backward pass of its own. With `use_reentrant=False` it runs recorded as usual, but
saved-tensor hooks leave a `_Place` where each saved tensor would be. The first place that backward asks for runs the function again under
hooks that collect what is saved this time: the n-th tensor saved is the one for the n-th place. Whatever a place got is given out once,
so that nothing computed again outlives the pass it was computed for.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from jgrad import observer, random, warn
from jgrad.autograd import engine
from jgrad.autograd.differentiate import backward
from jgrad.autograd.function import Function
from jgrad.autograd.saved_tensors import saved_tensors_hooks
from jgrad.graph import anomaly_mode, grad_mode
from jgrad.graph.saved import SavedTensor
from jgrad.tensor import Tensor

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
    """`function(*args, **kwargs)`, of which backward keeps the arguments alone and computes the rest again when it is needed.

    `preserve_rng_state` (default True) has it draw the same random numbers then. See Note [Two ways to compute again] for `use_reentrant`;
    everything else is for `use_reentrant=False`: `context_fn` returns a context for the first and one for the second run,
    `determinism_check` ("default" or "none") compares shapes and dtypes of the two, `debug` lists their operations where they differ,
    `early_stop` ends the second run as soon as everything that was saved is there.
    """
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
        logs = _Log(), _Log()
        context_fn, on_error = (lambda: (logs[0].kept(), logs[1].kept())), _reporter(*logs)
    if determinism_check not in _CHECKS:
        raise ValueError(f"determinism_check should be one of {list(_CHECKS)}, but got {determinism_check}")
    first_context, second_context = context_fn()
    state = random.states() if preserve else None
    if not grad_mode.is_grad_enabled():
        return function(*args, **kwargs)

    def again(*inputs: Any) -> None:
        with _drawing_from(state), second_context:
            function(*inputs, **kwargs)

    run = _Run(again, args, _CHECKS[determinism_check], early_stop if _early_stop is None else _early_stop)
    result = _NOTHING
    with run.first_time(on_error), first_context:
        result = function(*args, **kwargs)
    if result is _NOTHING:
        raise RuntimeError(
            "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception raised during the checkpointed "
            "forward. This is not supported because checkpoint cannot return a value for a failed forward."
        )
    run.complete = True
    return result


def checkpoint_sequential(
    functions: Any, segments: int, input: Tensor, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Run functions (or an `nn.Sequential`) one after the other, in so many checkpointed segments, the last of them as usual."""
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
    """The contexts of the first and of the second run, unless `context_fn` says others: none."""
    return contextlib.nullcontext(), contextlib.nullcontext()


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Whether what is checkpointed in this block stops the second run as soon as it can, whatever its `early_stop` says."""
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Whether what is checkpointed in this block is debugged, whatever its `debug` says (None: as that says)."""
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


# use_reentrant=True -----------------------------------------------------------------------------------------------------------


class CheckpointFunction(Function):
    """A function run as a whole: unrecorded at first, and once more by its backward."""

    @staticmethod
    def forward(ctx: Any, run_function: Callable, preserve_rng_state: bool, *args: Any) -> Any:
        check_backward_validity(args)
        engine.following = True  # backward must know whether it runs in a pass to all leaves
        ctx.run_function = run_function
        ctx.state = random.states() if preserve_rng_state else None
        ctx.inputs = [None if isinstance(a, Tensor) else a for a in args]
        ctx.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        with grad_mode.no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        current = engine.current.task
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
        with _drawing_from(ctx.state), grad_mode.enable_grad():
            outputs = ctx.run_function(*detached)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        wanted = [i for i, o in enumerate(outputs) if isinstance(o, Tensor) and o.requires_grad]
        if not wanted:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([outputs[i] for i in wanted], [grads[i] for i in wanted])
        return (None, None, *[t.grad if isinstance(t, Tensor) else None for t in detached])


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn if no input requires grad."""
    if not any([t.requires_grad for t in inputs if isinstance(t, Tensor)]):
        warn.say("None of the inputs have requires_grad=True. Gradients will be None")


def detach_variable(inputs: tuple) -> tuple:
    """The inputs as leaves that require grad as before; what is no tensor stays."""
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


# use_reentrant=False ----------------------------------------------------------------------------------------------------------


class CheckpointError(RuntimeError):
    """The second run did not save what the first one did."""


class _Done(Exception):
    """Ends a second run early."""


_NOTHING = object()
_USED = object()
_CHECKS: dict[str, Callable[[Tensor], Any]] = {
    "default": lambda t: {"shape": t.shape, "dtype": t.dtype, "device": t.device},
    "none": lambda t: None,
}
_UNEXPECTED = "Something went unexpectedly wrong in activation checkpoint. Please report this bug by filing an issue to PyTorch."
_TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint‑debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""


class _Place:
    """Stands where a tensor was to be saved; dies with the node that holds it."""

    __slots__ = ("number", "__weakref__")

    def __init__(self, number: int) -> None:
        self.number = number


class _Run:
    """One checkpointed call: how to run it again, from what, and what it saved the first time."""

    def __init__(
        self, again: Callable, inputs: tuple, describe: Callable[[Tensor], Any], early_stop: bool
    ) -> None:
        # Saved as nodes save: checked when they are used, and packed by an outer checkpoint's hooks.
        self.inputs = [SavedTensor(a, None) if isinstance(a, Tensor) else a for a in inputs]
        self.again, self.describe, self.early_stop = again, describe, early_stop
        self.places: list[weakref.ref[_Place]] = []
        self.descriptions: list[Any] = []
        self.complete = False
        # By backward pass: what was computed again for it.
        self.second: weakref.WeakKeyDictionary[Any, _Second] = weakref.WeakKeyDictionary()
        engine.following = True

    def first_time(self, on_error: Callable | None) -> saved_tensors_hooks:
        """The hooks of the first run."""

        def pack(tensor: Tensor) -> _Place:
            place = _Place(len(self.places))
            self.places.append(weakref.ref(place))
            self.descriptions.append(self.describe(tensor))
            return place

        def unpack(place: _Place) -> Tensor:
            try:
                return self.computed_again(place)
            except CheckpointError as error:
                if on_error is not None:
                    on_error(error)
                raise

        return saved_tensors_hooks(pack, unpack)

    def computed_again(self, place: _Place) -> Tensor:
        # Outside of backward passes every look at a saved tensor is on its own.
        reader = GraphExecGroup.current or engine.current.task or _Place(0)
        second = self.second.get(reader)
        if second is None:
            second = self.second[reader] = _Second(self)
            second.compute()
        tensor = second.found.get(place.number)
        if tensor is None:
            raise AssertionError(_UNEXPECTED)
        if tensor is _USED:
            overlap = (
                "Performing two backward calls that overlap (i.e. require the same saved activation in order to compute gradients) is not "
                "allowed while under the torch.utils.checkpoint.GraphExecGroup context. "
            )
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. "
                f"{overlap if GraphExecGroup.current else ''}If you are calling ctx.saved_tensors in backward, make sure to do so only "
                "once. Otherwise please open an issue with details on your use case."
            )
        second.found[place.number] = _USED
        return tensor


class _Second:
    """A second run and the tensors it saved, by number."""

    def __init__(self, run: _Run) -> None:
        self.run = run
        self.found: dict[int, Any] = {}
        self.count = 0
        self.differentiated_before_the_end = False

    def compute(self) -> None:
        """Run the function again, collect, and compare with the first time."""
        run = self.run
        inputs = [a.restore(None) if isinstance(a, SavedTensor) else a for a in run.inputs]
        # (What it saves stays usable: the function may itself differentiate what it computes.)
        hooks = saved_tensors_hooks(self.collect, lambda tensor: tensor)
        with contextlib.suppress(_Done), hooks, grad_mode.enable_grad():
            run.again(*inputs)
        if not self.differentiated_before_the_end:
            self.compare()

    def collect(self, tensor: Tensor) -> Tensor:
        run, number = self.run, self.count
        tensor = tensor.detach() if tensor.requires_grad else tensor
        self.count += 1
        if number >= len(run.places):
            if run.complete:
                raise CheckpointError(
                    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass.\n"
                    + _TIP
                )
            self.differentiated_before_the_end = True
            return tensor
        if run.places[number]() is not None:  # otherwise a backward pass within the function was done with it
            self.found[number] = tensor
        if run.early_stop and self.count == len(run.places):
            raise _Done
        return tensor

    def compare(self) -> None:
        run = self.run
        if self.count != len(run.places):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(run.places)}\n"
                f"Number of tensors saved during recomputation: {self.count}.\n{_TIP}"
            )
        differences = ""
        for number, tensor in self.found.items():
            before, now = run.descriptions[number], run.describe(tensor)
            if run.places[number]() is not None and before != now:
                differences += (
                    f"tensor at position {number}:\nsaved metadata: {before}\nrecomputed metadata: {now}\n"
                )
        if differences:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward "
                f"pass.\n{differences}.\n{_TIP}"
            )


class GraphExecGroup:
    """In this block each checkpointed call is computed again once for all backward passes, which must not need the same saved tensor."""

    current: GraphExecGroup | None = None

    def __enter__(self) -> GraphExecGroup:
        if GraphExecGroup.current is not None:
            raise RuntimeError(
                f"GraphExecGroup contexts cannot be nested. Already inside group {GraphExecGroup.current}"
            )
        GraphExecGroup.current = self
        return self

    def __exit__(self, *_: object) -> None:
        GraphExecGroup.current = None


# debug=True -------------------------------------------------------------------------------------------------------------------


class _Log(observer.ForwardingObserver):
    """Writes down the operations of one run and where each was called."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.stacks: list[str] = []
        self.numbers: dict[int, int] = {}
        self.alive: list[Tensor] = []  # numbers are by identity

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        with observer.observe(self):  # type: ignore[arg-type]
            yield

    def op(self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict) -> None:
        called_with = [f"${self.number_of(t)}" for t in inputs]
        others = [f"{k}={v}" for k, v in arguments.items() if not isinstance(v, Tensor) and v is not None]
        made = ", ".join(f"${self.number_of(t)}: {t.dtype.name}{list(t.shape)}" for t in outputs)
        self.lines.append(f"{made} = {name}({', '.join([*called_with, *others])})")
        self.stacks.append("".join(anomaly_mode.forward_stack()))
        self.next.op(name, kind, inputs, outputs, node, arguments)

    def number_of(self, tensor: Tensor) -> int:
        if id(tensor) not in self.numbers:
            self.alive.append(tensor)
            self.numbers[id(tensor)] = len(self.numbers)
        return self.numbers[id(tensor)]


def _reporter(first: _Log, second: _Log) -> Callable[[CheckpointError], None]:
    """What raises the error about two runs that differ, with the operations of both."""

    def chapter(title: str, lines: list[str]) -> str:
        return "\n".join([title, "-" * len(title), "", *lines, ""])

    def report(error: CheckpointError) -> None:
        parts = []
        for label, log in (("the original forward", first), ("recomputation", second)):
            calls = [f"{a}\n{b}" for a, b in zip(log.lines, log.stacks, strict=True)]
            parts.append(chapter(f"Where the operations of {label} were called", calls))
        for label, log in (("the original forward", first), ("recomputation", second)):
            parts.append(chapter(f"Operations executed during {label}", log.lines))
        parts.append(
            "ERROR: Detected non-determinism while running activation checkpointing. Compare the two lists above: where they begin to "
            "differ, the function did something else the second time."
        )
        raise CheckpointError("\n".join(parts)) from error

    return report


__all__ = [
    "checkpoint",
    "checkpoint_sequential",
    "CheckpointError",
    "CheckpointFunction",
    "check_backward_validity",
    "detach_variable",
    "noop_context_fn",
    "set_checkpoint_early_stop",
    "set_checkpoint_debug_enabled",
    "GraphExecGroup",
]
