"""Blocks in which the user decides how nodes keep the tensors that they save: hooks, and copies before writes."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from jgrad import cuda, observer
from jgrad import storage as storages
from jgrad.dispatch.saved import hooks
from jgrad.graph import general_path, grad_mode
from jgrad.tensor import Tensor


class saved_tensors_hooks:
    """In this block, what nodes save goes through `pack_hook`, and comes back through `unpack_hook` when backward asks for it.

    Use it to see what is saved, or to keep it in a smaller form. The block need only hold during the forward pass. Of blocks in one another,
    the innermost decides.

    Args:
        pack_hook: a function of a tensor that is saved; what it returns is kept, and may be any object; it must not change the tensor
        unpack_hook: a function of what `pack_hook` returned; it returns a tensor with the same values

    >>> def pack(t):
    ...     print("saved", t.tolist())
    ...     return t
    >>> def unpack(t):
    ...     print("asked for", t.tolist())
    ...     return t
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> with jgrad.autograd.graph.saved_tensors_hooks(pack, unpack):
    ...     y = (x ** 2).sum()
    saved [1.0, 2.0]
    >>> y.backward()
    asked for [1.0, 2.0]
    """

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
    """In this block, what nodes save is kept in the memory of the CPU. Backward copies it back to the device where it was.

    It saves memory of a GPU and costs time. For tensors of the CPU it changes nothing.

    Args:
        pin_memory: whether the copies are in memory from which a GPU can copy while it computes; without a GPU it has no effect
        device_type: "cuda"; the argument exists for programs written for PyTorch

    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> with jgrad.autograd.graph.save_on_cpu():
    ...     y = (x ** 2).sum()
    >>> y.backward()
    >>> x.grad
    tensor([2., 4.])
    """

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
    """In this block, tensors that were saved for backward may be written to: they are copied before the first write.

    Without it, such a write makes backward raise an error. The backward pass must run in the block too. Such blocks cannot be nested.

    >>> x = jgrad.tensor(3., requires_grad=True)
    >>> with jgrad.autograd.graph.allow_mutation_on_saved_tensors():
    ...     y = x.clone()
    ...     z = y * y
    ...     y = y.fill_(100.)
    ...     z.backward()
    >>> x.grad  # 2 * 3, with the old value of y
    tensor(6.)
    """
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
    """In this block, `saved_tensors_hooks` raises RuntimeError.

    Use it around a computation that would be wrong if somebody packed its saved tensors.

    Args:
        error_message: the text of the error; it is raised too if such hooks hold already when the block begins

    >>> def same(t):
    ...     return t
    >>> with jgrad.autograd.graph.disable_saved_tensors_hooks("no hooks, please"):
    ...     try:
    ...         with jgrad.autograd.graph.saved_tensors_hooks(same, same):
    ...             pass
    ...     except RuntimeError as error:
    ...         print(error)
    no hooks, please
    """
    if hooks.stack:
        raise RuntimeError(error_message)
    before, hooks.disabled = hooks.disabled, error_message
    try:
        yield
    finally:
        hooks.disabled = before
