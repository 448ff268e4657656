"""The one slot through which somebody can watch the engine.

The recorder of `jgrad.trace` fills it. While it is empty an operation pays a single flag test; while it is filled an operation reports
what it did, after the fact, from whichever path it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from threading import RLock, get_ident
from typing import Any


class Observer:
    """What the engine tells whoever looks; every method does nothing here. Gradients are raw arrays (or NumPy scalars) or None."""

    __slots__ = ()

    def op(
        self, name: str, kind: str, inputs: tuple, outputs: tuple, node: Any, arguments: dict[str, Any]
    ) -> None:
        """An operation ran. `kind` is "create", "op", "view" or "write"; a write has its target as first input and as output."""

    def writing(self, tensor: Any) -> None:
        """An operation is about to write to this tensor."""

    def backward(self, roots: tuple, gradients: tuple, inputs: tuple | None) -> None:
        """A `backward()` (inputs is None or what it was limited to) or an `autograd.grad()` begins."""

    def backward_done(self, error: BaseException | None) -> None:
        """It ended, with this error or well."""

    def node_begins(self, node: Any, gradients: Sequence) -> None:
        """A backward node runs: one gradient per output of the forward operation."""

    def node_done(self, node: Any, gradients: Sequence) -> None:
        """It ran: one gradient per entry of `node.next_functions`."""

    def keep(self, array: Any) -> Any:
        """What `accumulated` is to be told of a `.grad` as it was before."""

    def accumulated(self, tensor: Any, before: Any, added: Any, after: Any) -> None:
        """A `.grad` received a gradient; `before` is what `keep` gave, or None the first time."""

    def grad_assigned(self, tensor: Any, before: Any, after: Any) -> None:
        """The user assigned `.grad`."""

    def exposed(self, root: Any) -> None:
        """Memory of tensors is handed out to others, who may write to it: the array that owns it."""

    def marked(self, tensor: Any) -> None:
        """The user set whether this tensor requires grad, or keeps its own."""

    def hookable(self, node: Any) -> None:
        """A node is about to get its first hook, or something else that is rare."""

    def released(self, node: Any) -> None:
        """The tensors that this node had saved are gone."""


class Passing(Observer):
    """Lets everything pass unwatched, at full speed, and is `told` when a backward call is over."""

    def __init__(self, told: Callable[[], None]) -> None:
        self.told = told

    def backward_done(self, error: BaseException | None) -> None:
        self.told()


class Post:
    """From where somebody watches while a block runs, in the thread that enters it; who that is may change on the way. None: nobody.

    Blocks need not end in the order in which they began: those of threads, of generators, of tasks don't. So a post is taken away
    wherever it stands, and what stood beneath it is looked up when it is needed.
    """

    def __init__(self, observer: Observer | None) -> None:
        self.observer: Any = observer  # or a Relay
        self.thread = get_ident()

    def __enter__(self) -> Post:
        try:
            with _lock:
                _posts.append(self)
                _settle()
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
            if self in _posts:
                _posts.remove(self)
            self.observer = None
            _settle()

    def put(self, observer: Observer | None, instead: Observer | None = None) -> None:
        """Have somebody else watch from here; with `instead`, only if that one still does."""
        with _lock:
            if instead is None or self.observer is instead:
                self.observer = observer
                _settle()


class Relay:
    """Stands between the engine and whoever watches already: hears what it has methods for, and passes the rest on."""

    @property
    def next(self) -> Any:
        posts = list(_posts)
        at = next((i for i, post in enumerate(posts) if post.observer is self), 0)
        return _last(posts[:at], posts[at].thread) if posts else NOBODY

    def __getattr__(self, name: str) -> Any:
        return getattr(self.next, name)


class _ByThread:
    """Watches while blocks of several threads are watched: each hears of its own."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_last(list(_posts), get_ident()), name)


NOBODY = Observer()
BY_THREAD: Any = _ByThread()

current: Observer | None = None  # follows from the posts, as `passed` and `fast.WATCHING` do
passed: Callable[[], None] | None = None  # is told that a backward call is over which nobody watched
_posts: list[Post] = []
_lock = RLock()


def _last(posts: list[Post], thread: int) -> Observer:
    """Who watches a thread from these posts."""
    return next((post.observer for post in reversed(posts) if post.thread == thread), None) or NOBODY


def _settle() -> None:
    """Let the last post be that which the engine tells."""
    global current, passed
    from jgrad import fast  # late: the engine must not need this module to start

    last = _posts[-1].observer if _posts else None
    if len({post.thread for post in _posts}) > 1:
        last = BY_THREAD
    unwatched = last is None or isinstance(last, Passing)
    if unwatched:
        fast.WATCHING = False  # first, since another thread may be between a look at it and one at `current`
    current = None if unwatched else last
    passed = last.told if isinstance(last, Passing) else None
    fast.WATCHING = not unwatched


def nobody_watches() -> None:
    """Take all observers away: in a process that was forked, they are copies of which nobody will read anything."""
    global _lock
    _lock = RLock()  # another thread of the process may have held it when this one was forked
    _posts.clear()
    _settle()


# Internal operations under the name of what the user called.
SHOWN_NAMES = {
    "_to_copy": "to", "_pin_memory": "pin_memory", "_unsafe_view": "reshape", "_reshape_alias": "reshape", "_mul_scalar": "mul", "_div_scalar": "div",
    "_add_scalar": "add", "_unique2": "unique", "unique_dim": "unique", "_cdist_forward": "cdist", "_euclidean_dist": "cdist",
    "_pdist_forward": "pdist", "_histogramdd_counts": "histogramdd", "_histogramdd_edges": "histogramdd",
    "nll_loss_forward": "nll_loss", "nll_loss2d_forward": "nll_loss2d", "log_sigmoid_forward": "logsigmoid",
    "multilabel_margin_loss_forward": "multilabel_margin_loss", "native_layer_norm": "layer_norm", "native_batch_norm": "batch_norm",
    "native_group_norm": "group_norm", "_trilinear": "bilinear", "_prelu_kernel": "prelu", "rrelu_with_noise": "rrelu",
    "_scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention", "_safe_softmax": "softmax",
}  # fmt: skip


def told_of_nothing(name: str, params: tuple) -> None:
    """Report what works on the gradients of parameters if none of them has one: it does nothing, of which nobody else would tell."""
    if current is not None and params and all([p._grad is None for p in params]):
        current.op(name, "op", params, (), None, {})


@contextmanager
def observe(observer: Observer) -> Iterator[Observer]:
    """Let `observer` watch the engine in this block; the one that watched before is back afterwards."""
    with Post(observer):
        yield observer


@contextmanager
def unobserved() -> Iterator[None]:
    """A block in which nobody watches: for what is done on the way to a result and would only puzzle."""
    with Post(None) if _posts else nullcontext():
        yield
