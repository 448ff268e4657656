"""Blocks in which the user decides how nodes keep the tensors that they save: hooks, and copies before writes."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from jgrad import cuda, manual, observer
from jgrad import storage as storages
from jgrad.dispatch.saved import hooks
from jgrad.graph import general_path, grad_mode
from jgrad.tensor import Tensor


class saved_tensors_hooks:
    """In this block, what nodes save goes through `pack_hook`, and comes back through `unpack_hook` when backward asks for it."""

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if hooks.disabled is not None:
            raise RuntimeError(hooks.disabled)
        if not (callable(self.pack_hook) and callable(self.unpack_hook)):
            raise TypeError(
                "_push_saved_tensors_default_hooks(): incompatible function arguments. The following argument types are supported:\n"
                "    1. (arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
                f"Invoked with: {self.pack_hook}, {self.unpack_hook}"
            )
        hooks.stack.append((self.pack_hook, self.unpack_hook))
        general_path.request()

    def __exit__(self, *_: object) -> None:
        hooks.stack.pop()
        general_path.withdraw()


class save_on_cpu(saved_tensors_hooks):
    """In this block, what nodes save is kept in the memory of the CPU. Backward copies it back to the device where it was."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(t: Tensor) -> tuple[Any, Tensor]:
            kept = t.cpu()
            return t.device, kept.pin_memory() if pin_memory and cuda.is_available() else kept

        super().__init__(pack, lambda content: content[1].to(content[0], non_blocking=pin_memory))


class _Kept:
    """A tensor that a node saved while writing to such tensors is allowed: itself, or a copy made before the first write."""

    __slots__ = ("tensor", "is_copy", "__weakref__")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor: Tensor | None = tensor
        self.is_copy = False


class _BeforeWrites(observer.ForwardingObserver):
    """Copies what was saved of a storage before the storage is written to."""

    def __init__(self) -> None:
        self.saved: dict[int, weakref.WeakSet[_Kept]] = {}  # by the identity of the storage

    def pack(self, tensor: Tensor) -> _Kept:
        kept = _Kept(tensor)
        self.saved.setdefault(id(storages.owner(tensor._a)), weakref.WeakSet()).add(kept)
        return kept

    def unpack(self, kept: _Kept) -> Tensor:
        if _writer is None or kept.tensor is None:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally recorded."
            )
        return kept.tensor

    def writing(self, tensor: Tensor) -> None:
        for kept in self.saved.get(id(storages.owner(tensor._a)), ()):
            if not kept.is_copy and kept.tensor is not None:
                with grad_mode.no_grad():  # (the node gives it its history)
                    kept.tensor, kept.is_copy = kept.tensor.clone(), True
        self.next.writing(tensor)

    def clear(self) -> None:
        """Keep nothing that was saved in a block that is over."""
        for group in self.saved.values():
            for kept in group:
                kept.tensor = None
        self.saved.clear()


_writer: _BeforeWrites | None = None


@contextlib.contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_BeforeWrites]:
    """In this block, tensors that were saved for backward may be written to: they are copied before the first write."""
    global _writer
    if _writer is not None:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    _writer = writes = _BeforeWrites()
    try:
        with saved_tensors_hooks(writes.pack, writes.unpack), observer.observe(writes):  # type: ignore[arg-type]
            yield writes
    finally:
        writes.clear()
        _writer = None


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """In this block, `saved_tensors_hooks` raises RuntimeError."""
    if hooks.stack:
        raise RuntimeError(error_message)
    before, hooks.disabled = hooks.disabled, error_message
    try:
        yield
    finally:
        hooks.disabled = before


manual.attach(__name__)
