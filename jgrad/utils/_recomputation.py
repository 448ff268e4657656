"""How `checkpoint(..., use_reentrant=False)` computes again what a function saved.

The function runs recorded as usual. But saved-tensor hooks leave a `Place` where each saved tensor would be. The first place that backward
asks for runs the function again, under hooks that collect what is saved this time: the n-th tensor saved is the one for the n-th place.
Each place gets its tensor once, so that nothing that was computed again outlives the backward pass for which it was computed.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable
from typing import Any

from jgrad import manual
from jgrad.autograd.saved_tensors import saved_tensors_hooks
from jgrad.dispatch.saved import SavedTensor
from jgrad.engine import graph_task
from jgrad.graph import grad_mode
from jgrad.tensor import Tensor


class CheckpointError(RuntimeError):
    """The error of a checkpoint of which the second run did not save the tensors that the first one saved."""


class _Done(Exception):
    """Ends a second run early."""


_USED = object()
CHECKS: dict[str, Callable[[Tensor], Any]] = {
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


class Place:
    """Stands where a tensor was to be saved; dies with the node that holds it."""

    __slots__ = ("number", "__weakref__")

    def __init__(self, number: int) -> None:
        self.number = number


class FirstRun:
    """One checkpointed call: how to run it again, from what, and what it saved the first time."""

    def __init__(
        self, again: Callable, inputs: tuple, describe: Callable[[Tensor], Any], early_stop: bool
    ) -> None:
        # Saved as nodes save: checked when they are used, and packed by an outer checkpoint's hooks.
        self.inputs = [SavedTensor(a, None) if isinstance(a, Tensor) else a for a in inputs]
        self.again, self.describe, self.early_stop = again, describe, early_stop
        self.places: list[weakref.ref[Place]] = []
        self.descriptions: list[Any] = []
        self.complete = False
        # By backward pass: what was computed again for it.
        self.second: weakref.WeakKeyDictionary[Any, SecondRun] = weakref.WeakKeyDictionary()
        graph_task.following = True

    def first_time(self, on_error: Callable | None) -> saved_tensors_hooks:
        """The hooks of the first run."""

        def pack(tensor: Tensor) -> Place:
            place = Place(len(self.places))
            self.places.append(weakref.ref(place))
            self.descriptions.append(self.describe(tensor))
            return place

        def unpack(place: Place) -> Tensor:
            try:
                return self.computed_again(place)
            except CheckpointError as error:
                if on_error is not None:
                    on_error(error)
                raise

        return saved_tensors_hooks(pack, unpack)

    def computed_again(self, place: Place) -> Tensor:
        """The tensor for a place; the first one that a backward pass asks for runs the function again."""
        # Outside of backward passes every look at a saved tensor is on its own.
        reader = GraphExecGroup.current or graph_task.current.task or Place(0)
        second = self.second.get(reader)
        if second is None:
            second = self.second[reader] = SecondRun(self)
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


class SecondRun:
    """A second run and the tensors it saved, by number."""

    def __init__(self, run: FirstRun) -> None:
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
    """In this block each checkpointed call is computed again only once, for all backward passes of the block."""

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


CheckpointError.__module__ = GraphExecGroup.__module__ = "jgrad.utils.checkpoint"  # where users find them


manual.attach(__name__)
