"""The one slot through which somebody can watch the engine.

The recorder of `jgrad.trace` fills it. While it is empty an operation pays a single flag test; while it is filled every operation takes
the general path and reports what it did, after the fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class Observer:
    """What the engine tells whoever looks; every method does nothing here. Gradients are raw arrays (or NumPy scalars) or None."""

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

    def hookable(self, node: Any) -> None:
        """A node is about to get its first hook, or something else that is rare."""

    def released(self, node: Any) -> None:
        """The tensors that this node had saved are gone."""


class Relay:
    """Stands between the engine and whoever watches already: hears what it has methods for, and passes the rest on."""

    def __init__(self) -> None:
        self.next = current or Observer()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.next, name)


current: Observer | None = None

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


@contextmanager
def observe(observer: Observer) -> Iterator[Observer]:
    """Let `observer` watch the engine in this block; the one that watched before is back afterwards."""
    global current
    from jgrad import fast  # late: the engine must not need this module to start

    before, current = current, observer
    fast.refresh()
    try:
        yield observer
    finally:
        current = before
        fast.refresh()


@contextmanager
def unobserved() -> Iterator[None]:
    """A block in which nobody watches: for what is done on the way to a result and would only puzzle."""
    global current
    before, current = current, None
    try:
        yield
    finally:
        current = before
