"""Reports to the observer what a backward pass of PyTorch does. It uses hooks on all nodes that the pass may reach, and removes them at the end."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from threading import get_ident
from typing import Any

import numpy as np
import torch

from jgrad import observer
from jgrad.mirrors.torch import nodes, tensors
from jgrad.mirrors.torch.memory import array_of
from jgrad.mirrors.torch.private import is_wrapped, put_back, set_aside, without_functions
from jgrad.mirrors.torch.processes import Averaged, are_several
from jgrad.mirrors.torch.tensors import Mirror, all_in, current, gradient, mirror, mirrored
from jgrad.mirrors.torch.watch import Pass, Watch

NOT_MEASURED = (None, 0, None)
LARGE = 1024  # elements from which an array is kept as long as its gradient


def run_backward(watch: Watch, run: Callable, roots: Any, args: tuple, options: dict[str, Any]) -> Any:
    """Run a backward pass as `_engine_run_backward` does, and report it to the observer."""
    __tracebackhide__ = True
    seen = observer.current
    if seen is None and observer.listener is not None and not watch.busy:
        result = run(roots, *args, **options)
        if not _ran_as_before(observer.listener, roots, options):
            watch.quietly(_ran, observer.listener, roots, args, options)
        return result
    if seen is None or watch.busy or not watch.acts_here():
        return run(roots, *args, **options)
    if any([isinstance(t, torch.Tensor) and not t.requires_grad for t in roots]):
        return run(roots, *args, **options)  # (which raises an error)
    if any([isinstance(t, torch.Tensor) and is_wrapped(t) for t in roots]):
        watch.not_followed("a function that torch.func transforms runs")
        return run(roots, *args, **options)
    watch.flush()
    watch.reporting.add("torch")
    one = _Watched(watch, seen)
    watch.quietly(one.begin, roots, args, options)
    watch.passes.append(Pass(len(watch.calls), bool(args[2])))
    error: BaseException | None = None
    # Without a dispatch mode PyTorch adds gradients in place, as it does in a program that is not traced. Calls of the user, as in hooks, get
    # it back: see `Watch.called`.
    before, watch.aside = watch.aside, not args[2] and set_aside(watch.operators)
    try:
        with watch.functions:
            result = run(roots, *args, **options)
        if one.averaged is not None:
            watch.quietly(one.averaged.report)
        return result
    except BaseException as raised:
        error = raised
        raise
    finally:
        watch.move_to(get_ident())
        if watch.aside:
            put_back(watch.operators)
        watch.aside = before
        watch.flush()
        watch.passes.pop()
        one.remove()
        watch.quietly(seen.backward_done, error)


class Root:
    """A tensor with which a pass began, as a listener needs it: only its elements. To mirror the tensor, its whole graph would be read."""

    __slots__ = ("_a",)

    def __init__(self, t: Any) -> None:
        is_number = t.numel() == 1 and t.dtype.is_floating_point and not t.is_meta
        self._a: Any = np.float64(t.item()) if is_number else array_of(t)


def _ran_as_before(listener: Any, roots: Any, options: dict[str, Any]) -> bool:
    """Whether a listener has noted all that it needs of a pass. (A mode or a class of the user's is not to see that the root is read.)"""
    try:
        return (
            len(roots) == 1
            and type(roots[0]) is torch.Tensor
            and options.get("accumulate_grad", False)
            and not torch._C._len_torch_function_stack()
            and not torch._C._len_torch_dispatch_stack()
            and listener.ran_as_before(roots[0])
        )
    except Exception:  # the usual way meets it again, and says so
        return False


def _ran(listener: Any, roots: Any, args: tuple, options: dict[str, Any]) -> None:
    """A pass is over while the recorder sleeps."""
    first = [t for t in roots if isinstance(t, torch.Tensor)]
    listener.ran((*map(Root, first),), _inputs(args, options), _leaves(first))


def _leaves(roots: list[Any]) -> Iterator[Mirror]:
    """The leaves that a pass reaches."""
    todo = [t.grad_fn for t in roots]
    seen: set[Any] = set()
    while todo:
        n = todo.pop()
        if n is None or n in seen:
            continue
        seen.add(n)
        if hasattr(n, "variable"):
            leaf = current(n.variable)
            if leaf is not None:
                yield leaf
        todo += [f for f, _ in n.next_functions]


def _inputs(args: tuple, options: dict[str, Any]) -> tuple[Mirror, ...] | None:
    """To what a pass is limited; None for a plain `backward()`."""
    if options.get("accumulate_grad", False):
        return None
    return mirrored(all_in(args[3] if len(args) > 3 and args[3] else ()))


class _Watched:
    """One backward pass, and our hooks in it."""

    def __init__(self, watch: Watch, seen: Any) -> None:
        self.watch = watch
        self.seen = seen
        self.handles: list[Any] = []
        self.hooked: set[int] = set()
        # The arrays of large gradients, by the addresses of the gradients.
        self.arrays: dict[int, tuple[weakref.ref, int, Any]] = {}
        self.keeps = False  # whether saved tensors are retained
        self.averaged: Averaged | None = None  # if other processes may change the gradients

    def begin(self, roots: Any, args: tuple, options: dict[str, Any]) -> None:
        gradients, self.keeps = args[0], bool(args[1])
        asked = _inputs(args, options)
        begins = [
            (current(t), g) for t, g in zip(roots, gradients, strict=False) if isinstance(t, torch.Tensor)
        ]
        known = [(m, array_of(g)) for m, g in begins if m is not None]
        self.seen.backward(tuple([m for m, _ in known]), tuple([g for _, g in known]), asked)
        retaining: dict[int, list[Mirror]] = {}
        for m in tensors.tensors.values():
            if m._rare is not None and m._rare.retains_grad:
                retaining.setdefault(id(m._fn), []).append(m)
        for m in mirrored(all_in(args[3] if len(args) > 3 and args[3] else ())) if asked is None else ():
            among = retaining.setdefault(id(m._fn), [])
            if m._fn is not None and m not in among:  # `backward(inputs=...)` has them retain their gradients
                among.append(m)
        if asked is None and are_several():
            self.averaged = Averaged(self.seen)
        self._hook(roots, retaining)

    def remove(self) -> None:
        """Take the hooks off."""
        self.watch.hooked -= self.hooked
        for handle in self.handles:
            handle.remove()

    def _hook(self, roots: Any, retaining: dict[int, list[Mirror]]) -> None:
        todo = [t.grad_fn if isinstance(t, torch.Tensor) else t.node for t in roots]
        seen: set[Any] = set()
        while todo:
            n = todo.pop()
            if n is None or n in seen:
                continue
            seen.add(n)
            if hasattr(n, "variable"):
                self._hook_leaf(n)
                continue
            m = nodes.node(n)
            self._hook_node(n, m, retaining.get(id(m), []))
            todo += [f for f, _ in n.next_functions]
        for t in roots:
            if isinstance(t, torch.Tensor) and t.grad_fn is None and t.requires_grad:
                with torch.enable_grad():
                    fn = t.view_as(t).grad_fn
                leaf = None if fn is None else fn.next_functions[0][0]
                if leaf is not None:  # else PyTorch is about to raise
                    self._hook_leaf(leaf)

    def _is_hooked(self, m: Any) -> bool:
        """Whether an outer pass already has hooks on this node or leaf. If not, it gets ours."""
        if id(m) in self.watch.hooked:
            return True
        self.watch.hooked.add(id(m))
        self.hooked.add(id(m))
        return False

    def _hook_node(self, n: Any, m: Any, retaining: list[Mirror]) -> None:
        if self._is_hooked(m):
            return
        seen = self.seen
        before = {id(r): seen.keep(r._grad._a) for r in retaining if r._grad is not None}

        def begins(gradients: tuple) -> None:
            for r in retaining:
                grad = r._grad
                if grad is not None and gradients[r._nr] is not None:
                    current(r.of())
                    seen.accumulated(r, before.get(id(r)), self._array(gradients[r._nr]), grad._a)
            if any(g is not None for g in gradients):
                seen.node_begins(m, [self._array(g) for g in gradients])

        def done(sent: tuple, arrived: tuple) -> None:
            if any(g is not None for g in arrived):
                gradients = [self._array(g) for g in sent]
                if m._outputs == nodes.UNKNOWN:
                    nodes.learn_outputs(m, gradients)
                seen.node_done(m, gradients)
            if not self.keeps and m.release():
                seen.released(m)

        self.handles += [n.register_prehook(self._silent(begins)), n.register_hook(self._silent(done))]

    def _hook_leaf(self, n: Any) -> None:
        leaf = mirror(n.variable)
        if leaf is None or self._is_hooked(leaf):
            return
        seen, of = self.seen, leaf.of
        before: list[Any] = [None]

        def begins(gradients: tuple) -> None:
            t: Any = of()
            grad = None if t.grad is None else gradient(t.grad)
            if grad is None:
                before[0] = None
            else:
                ref, version, kept = self.watch.measured.pop(id(leaf), NOT_MEASURED)
                same = ref is not None and ref() is t.grad and version == t.grad._version
                before[0] = kept if same else seen.keep(grad._a)

        def done(sent: Any, arrived: tuple) -> None:
            if arrived[0] is not None:
                t: Any = of()
                grad: Any = None if t.grad is None else gradient(t.grad)
                if grad is not None:  # (a hook of the user may have removed it)
                    kept = seen.accumulated(current(t), before[0], self._array(arrived[0]), grad._a)
                    if kept is not None:
                        self.watch.measured[id(leaf)] = weakref.ref(t.grad), t.grad._version, kept
                    if self.averaged is not None:
                        self.averaged.note(leaf)

        self.handles += [n.register_prehook(self._silent(begins)), n.register_hook(self._silent(done))]

    def _array(self, t: Any) -> Any:
        """The elements of a gradient: the same array as long as it is the same gradient, so that a large one is measured once."""
        if t is None or t.numel() < LARGE:
            return array_of(t)
        key, version = id(t), t._version
        found = self.arrays.get(key)
        if found is None or found[0]() is not t or found[1] != version:
            gone = weakref.ref(t, lambda _: self.arrays.pop(key, None) and None)
            found = self.arrays[key] = (gone, version, array_of(t))
        return found[2]

    def _silent(self, hook: Callable[..., None]) -> Callable[..., None]:
        """A hook of ours: what it does is not recorded."""
        watch = self.watch

        def called(*args: Any) -> None:
            with watch.turn, without_functions():
                if watch.acts_here():
                    watch.flush()
                    watch.quietly(hook, *args)

        return called
