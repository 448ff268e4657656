"""Reports what other processes write to the tensors of a watched block: the exchanges of `torch.distributed`, and the gradients that
`DistributedDataParallel` and its like average.

Both are done by C++, which no mode sees. A program begins an exchange by a method of a `ProcessGroup`, and `Work.wait()` ends it: then it is reported,
as a write to each tensor that changed. The averaging is begun by no call of the program. So the gradients after a pass are compared with those that the
pass accumulated.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, NamedTuple

import torch

from jgrad import observer
from jgrad.mirrors.torch import tensors
from jgrad.mirrors.torch.memory import array_of
from jgrad.mirrors.torch.tensors import Mirror, all_in, current, gradient, mirrored

AVERAGED = "all_reduce"
# The methods of a ProcessGroup whose first argument is written to, and what users call.
METHODS = {
    "allreduce": "all_reduce", "allreduce_coalesced": "all_reduce_coalesced", "broadcast": "broadcast", "reduce": "reduce",
    "allgather": "all_gather", "_allgather_base": "all_gather_into_tensor", "all_gather_single": "all_gather_into_tensor",
    "allgather_coalesced": "all_gather_coalesced", "allgather_into_tensor_coalesced": "all_gather_into_tensor",
    "all_gather_single_coalesced": "all_gather_into_tensor", "gather": "gather", "scatter": "scatter",
    "reduce_scatter": "reduce_scatter", "_reduce_scatter_base": "reduce_scatter_tensor", "reduce_scatter_single": "reduce_scatter_tensor",
    "reduce_scatter_tensor_coalesced": "reduce_scatter_tensor", "reduce_scatter_single_coalesced": "reduce_scatter_tensor",
    "alltoall": "all_to_all", "alltoall_base": "all_to_all_single", "all_to_all_single": "all_to_all_single",
    "recv": "recv", "recv_anysource": "recv",
}  # fmt: skip


def are_several() -> bool:
    """Whether this process is one of several that exchange tensors."""
    group: Any = torch.distributed
    return bool(group.is_available() and group.is_initialized() and group.get_world_size() > 1)


def exchanging(asking: Callable[[], Any]) -> Iterator[tuple[Any, str, Callable]]:
    """What replaces methods of PyTorch's, as (class, name, function), so that exchanges are reported to the watch that `asking` gives."""
    if not torch.distributed.is_available():
        return
    group: Any = torch.distributed.ProcessGroup
    for method, name in METHODS.items():
        if method in vars(group):
            yield group, method, _beginning(getattr(group, method), name, asking)
    yield torch.distributed.Work, "wait", _waiting(torch.distributed.Work.wait)


class Exchange(NamedTuple):
    """An exchange in progress."""

    watch: Any
    name: str
    targets: list[Any]
    sources: list[Any]
    before: list[int]


_begun: weakref.WeakKeyDictionary[Any, Exchange] = weakref.WeakKeyDictionary()


def _beginning(method: Callable, name: str, asking: Callable[[], Any]) -> Callable:
    """A method that begins an exchange."""

    @wraps(method)
    def begin(group: Any, *args: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        watch = asking()
        if watch is None:
            return method(group, *args, **options)
        watch.flush()
        exchange = watch.quietly(_exchange, watch, name, args)
        work = watch.unseen(method, (group, *args), options)
        if work is not None and exchange is not None:
            _begun[work] = exchange
        return work

    return begin


def _exchange(watch: Any, name: str, args: tuple) -> Exchange:
    targets = all_in(args[:1])
    watch._before_write(targets)
    return Exchange(watch, name, targets, all_in(args[1:]), [*map(_fingerprint, targets)])


def _waiting(wait: Callable) -> Callable:
    """`Work.wait`, after which the tensors of the exchange are written."""

    @wraps(wait)
    def waiting(work: Any, *args: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        result = wait(work, *args, **options)
        exchange = _begun.pop(work, None)
        if exchange is not None and not exchange.watch.left:
            exchange.watch.flush()
            exchange.watch.quietly(_ended, exchange)
        return result

    return waiting


def _ended(exchange: Exchange) -> None:
    seen = observer.current
    if seen is None:
        return
    changed = [t for t, was in zip(exchange.targets, exchange.before, strict=True) if _fingerprint(t) != was]
    sources = mirrored(exchange.sources)
    for target in changed:
        exchange.watch._report_write(exchange.name, target, sources, None, {})
    if not changed:
        seen.op(exchange.name, "op", (*sources, *mirrored(exchange.targets)), (), None, {})


def _fingerprint(t: Any) -> int:
    """A number that changes with the elements of a tensor. All elements count: another process may have changed a single row."""
    if t.layout is not torch.strided:
        return -1
    flat = t.detach().contiguous().reshape(-1)
    words = flat.view(
        torch.int32 if flat.element_size() * flat.numel() % 4 == 0 and flat.numel() else torch.uint8
    )
    return int(words.sum(dtype=torch.int64))


class Gradient(NamedTuple):
    """A `.grad` as this process has computed it."""

    leaf: Mirror
    grad: Any
    """The tensor itself; None if there was none."""
    fingerprint: int
    kept: Any
    """Its elements, as an observer keeps them."""


class Averaged:
    """The gradients of one backward pass that other processes change before it returns."""

    def __init__(self, seen: Any) -> None:
        self.seen = seen
        self.known: dict[int, Gradient] = {}
        for leaf in [*tensors.tensors.values()]:
            if leaf._rg and leaf._fn is None:
                self.note(leaf)

    def note(self, leaf: Mirror) -> None:
        """The `.grad` of a leaf is now what this process has computed."""
        grad = leaf._given_grad()
        mirrored_grad = None if grad is None else gradient(grad)
        if mirrored_grad is None:
            self.known[id(leaf)] = Gradient(leaf, None, 0, None)
        else:
            self.known[id(leaf)] = Gradient(
                leaf, grad, _fingerprint(grad), self.seen.keep(mirrored_grad._a)[1]
            )

    def report(self) -> None:
        """Report what has changed since."""
        for leaf, grad, before, kept in self.known.values():
            now = leaf._given_grad()
            if now is None or (now is grad and _fingerprint(now) == before):
                continue
            m = gradient(now)
            t = leaf.of()
            if m is None or t is None:
                continue
            if now is grad:
                self.seen.held(m, kept)
                self.seen.op(AVERAGED, "write", (m,), (m,), None, {})
            else:
                self.seen.grad_assigned(current(t), array_of(grad), m._a)
