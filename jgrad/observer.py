"""The one slot for an observer of the engine.

The recorder of `jgrad.trace` fills it. While it is empty an operation pays a single flag test; while it is filled an operation reports
what it did, after the fact, from whichever path it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from threading import RLock, get_ident
from types import FrameType
from typing import Any


class Observer:
    """What the engine calls while it runs; here every method does nothing. Gradients are raw arrays (or NumPy scalars) or None."""

    __slots__ = ()

    def op(
        self,
        name: str,
        kind: str,
        inputs: tuple,
        outputs: tuple,
        node: Any,
        arguments: dict[str, Any],
        frame: FrameType | None = None,
    ) -> None:
        """An operation ran. `kind` is "create", "op", "view" or "write"; a write has its target as first input and as output. `frame`: the code that
        called the operation. None: the caller of the function that calls this method."""

    def writing(self, tensor: Any) -> None:
        """An operation is about to write to this tensor."""

    def writing_several(self, tensors: Sequence[Any]) -> None:
        """One operation is about to write to all of these tensors; it is reported as a write to each."""

    def held(self, tensor: Any, kept: Any) -> None:
        """What a tensor held (the second part of what `keep` gives) before a write that is reported next."""

    def backward(self, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        """A `backward()` (inputs is None or what it was limited to) or an `autograd.grad()` begins."""

    def backward_done(self, error: BaseException | None) -> None:
        """It ended, with this error or without one (None)."""

    def node_begins(self, node: Any, gradients: Sequence) -> None:
        """A backward node runs: one gradient per output of the forward operation."""

    def node_done(self, node: Any, gradients: Sequence) -> None:
        """It ran: one gradient per entry of `node.next_functions`."""

    def keep(self, array: Any) -> Any:
        """What `accumulated` will get as `before`: a `.grad` as it is before a gradient is added."""

    def accumulated(self, tensor: Any, before: Any, added: Any, after: Any) -> Any:
        """A `.grad` received a gradient; `before` is what `keep` gave, or None the first time. Gives back what `keep` would give next time, if that
        is known."""

    def grad_assigned(self, tensor: Any, before: Any, after: Any) -> None:
        """The user assigned `.grad`."""

    def exposed(self, root: Any) -> None:
        """Memory of tensors is handed out, and may be written to from outside; `root` is the array that owns it."""

    def marking(self, tensor: Any) -> None:
        """The user is about to change whether this tensor requires grad or retains it."""

    def marked(self, name: str, tensor: Any) -> None:
        """It is done, by `name`: "requires_grad_", "requires_grad" (which was assigned) or "retain_grad"."""

    def hookable(self, node: Any) -> None:
        """A node is about to get its `Extras`: its first hook, or metadata."""

    def released(self, node: Any) -> None:
        """A node has released the tensors that it had saved."""

    def not_followed(self, what: str) -> None:
        """Something is not followed, as a sentence: "code that torch.compile has made runs. The trace does not follow it."."""

    def stepped(self, optimizer: Any) -> None:
        """An optimizer has made a step."""

    def entered(self, module: Any) -> None:
        """The forward of an nn.Module begins."""

    def left(self, module: Any) -> None:
        """It ended, maybe with an error. It is reported to the observer to which the beginning was."""

    def moved(self, thread: int) -> None:
        """What it observes goes on in another thread: see `move`."""


def _no(_: object) -> bool:
    return False


class Listener(Observer):
    """An observer that is only called at the end of backward calls and of optimizers' steps. All operations run at full speed.

    While there are watches of several threads, it is called as every observer is. So it has `backward` and `backward_done` too.
    """

    def __init__(self) -> None:
        # The roots and inputs of the backward calls in progress.
        self._begun: list[tuple[tuple, tuple | None]] = []
        # Ways that take less time: called with the root of a plain backward call that ended without an error, and with an optimizer that has
        # made a step, they return whether `ran` and `stepped` need not be called.
        self.ran_as_before: Callable[[Any], bool] = _no
        self.stepped_as_before: Callable[[Any], bool] = _no

    def ran(self, roots: tuple, inputs: tuple | None, targets: Iterable[Any] | None) -> None:
        """A backward call ended without an error. `targets`: the nodes and leaves that it reached; None if that is not known."""

    def backward(self, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        self._begun.append((roots, inputs))

    def backward_done(self, error: BaseException | None) -> None:
        if self._begun:
            begun = self._begun.pop()
            if error is None and not self._begun:
                self.ran(begun[0], begun[1], None)


class Watch:
    """A block in which an observer is called, in the thread that enters the block. None: no observer is called.

    Watches nest: the innermost one counts. But they need not end in the order in which they began: those of threads, of generators and
    of tasks don't. So a watch can be removed from the middle, and which one is outside of another is looked up when it is needed.
    """

    def __init__(self, observer: Observer | None) -> None:
        self.observer: Any = observer  # or a ForwardingObserver
        self.thread = get_ident()

    def __enter__(self) -> Watch:
        try:
            with _lock:
                _watches.append(self)
                _update()
            return self
        except BaseException:
            self._leave()
            raise

    def __exit__(self, *_: object) -> None:
        try:
            self._leave()
        finally:  # once more, since an interrupt may have come in the middle
            self._leave()

    def _leave(self) -> None:
        with _lock:
            if self in _watches:
                _watches.remove(self)
            self.observer = None
            _update()

    def replace(self, observer: Observer | None, only_if: Observer | None = None) -> None:
        """Call another observer from now on; with `only_if`, only if that one is still the present one."""
        with _lock:
            if only_if is None or self.observer is only_if:
                self.observer = observer
                _update()


class ForwardingObserver:
    """An observer that has methods for some calls, and forwards all others to the observer outside of it."""

    @property
    def next(self) -> Any:
        """The observer outside of this one."""
        watches = list(_watches)
        at = next((i for i, watch in enumerate(watches) if watch.observer is self), 0)
        return _innermost(watches[:at], watches[at].thread) if watches else NO_OBSERVER

    def __getattr__(self, name: str) -> Any:
        return getattr(self.next, name)


class _ByThread:
    """The observer while there are watches of several threads: each call goes to the observer of the calling thread."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_innermost(list(_watches), get_ident()), name)


NO_OBSERVER = Observer()
BY_THREAD: Any = _ByThread()

# These two follow from the watches: what the engine calls, and what it calls at the end of backward calls and steps if `current` is None.
current: Observer | None = None
listener: Listener | None = None
# Called with whether there is an observer, when that changes: the fast paths test a flag of their own.
listeners: list[Callable[[bool], None]] = []
_watches: list[Watch] = []
_lock = RLock()


def _innermost(watches: list[Watch], thread: int) -> Observer:
    """The observer of a thread, by the last of these watches."""
    return (
        next((watch.observer for watch in reversed(watches) if watch.thread == thread), None) or NO_OBSERVER
    )


def _notify(observed: bool) -> None:
    for listener in listeners:
        listener(observed)


def _update() -> None:
    """Make the observer of the innermost watch the one that the engine calls."""
    global current, listener

    last = _watches[-1].observer if _watches else None
    if len({watch.thread for watch in _watches}) > 1:
        last = BY_THREAD
    idle = last is None or isinstance(last, Listener)
    if idle:
        _notify(False)  # first, since another thread may be between a look at its flag and one at `current`
    current = None if idle else last
    listener = last if isinstance(last, Listener) else None
    if not idle:
        _notify(True)


def move(of: int, to: int) -> None:
    """The work of a thread, which waits, goes on in another one. From now on its observers are called from there."""
    with _lock:
        for watch in _watches:
            if watch.thread == of:
                watch.thread = to
                if watch.observer is not None:
                    watch.observer.moved(to)
        _update()


def remove_all() -> None:
    """Take all observers away: in a process that was forked, they are copies of which nobody will read anything."""
    global _lock
    _lock = RLock()  # another thread of the process may have held it when this one was forked
    _watches.clear()
    _update()


# Internal operations under the name of what the user called.
SHOWN_NAMES = {
    "_to_copy": "to", "_pin_memory": "pin_memory", "_unsafe_view": "reshape", "_reshape_alias": "reshape", "_mul_scalar": "mul", "_div_scalar": "div",
    "_add_scalar": "add", "_unique2": "unique", "unique_dim": "unique", "_cdist_forward": "cdist", "_euclidean_dist": "cdist",
    "_pdist_forward": "pdist", "_histogramdd_from_bin_cts": "histogramdd", "_histogramdd_from_bin_tensors": "histogramdd",
    "nll_loss_forward": "nll_loss", "nll_loss2d_forward": "nll_loss2d", "log_sigmoid_forward": "logsigmoid",
    "multilabel_margin_loss_forward": "multilabel_margin_loss", "native_layer_norm": "layer_norm", "native_batch_norm": "batch_norm",
    "native_group_norm": "group_norm", "_trilinear": "bilinear", "_prelu_kernel": "prelu", "rrelu_with_noise": "rrelu",
    "_scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention", "_safe_softmax": "softmax",
}  # fmt: skip


def report_no_effect(name: str, params: tuple) -> None:
    """Report an operation on the gradients of parameters where no parameter has one: it does nothing, so no operator reports it."""
    if current is not None and params and all([p._grad is None for p in params]):
        current.op(name, "op", params, (), None, {})


@contextmanager
def observe(observer: Observer) -> Iterator[Observer]:
    """Call `observer` in this block; afterwards the observer from before is called again."""
    with Watch(observer):
        yield observer


@contextmanager
def unobserved() -> Iterator[None]:
    """A block in which no observer is called: for internal steps, which would only confuse the user."""
    with Watch(None) if _watches else nullcontext():
        yield
