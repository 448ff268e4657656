"""The storages, tensors and backward nodes that a recorder has met, each with a number and a record.

Note [Identity]: records are themselves weak references, found by address; a record counts only while it refers to the very
object at hand. So nothing lives longer than the user lets it, and no object is mistaken for another. (Version cells are one-element lists, which
can't be weakly referenced; those few bytes are kept.) Records are compared by identity, never by what they refer to.

Most of the time of a recording is spent here and in `Recorder.op`. So the fast path is written in line,
and functions are called for what is rare.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from jgrad import mirrors
from jgrad.graph.node import HIGHEST, AccumulateGrad, Edge, Node
from jgrad.kernels.numpy.memory import Array
from jgrad.storage import exposed, offset_of, owner
from jgrad.tensor import Tensor
from jgrad.tracing.record.contents import COMPARED, WHOLE, Look, kept_of
from jgrad.tracing.record.events import Noted, changed
from jgrad.tracing.record.nodes import PLANS, UNPLANNED, formulas_of, plan_of, target_of, unpacked
from jgrad.tracing.record.records import (
    NodeRecord,
    Place,
    StorageRecord,
    TensorRecord,
    storage_met,
    tensor_met,
    tensor_state,
)
from jgrad.tracing.record.unrecorded import GroupRecord, Unrecorded

OLD_NODES = 500  # so many of the nodes that existed before the block are described
NOTHING: dict[str, str] = {}
ndarray = np.ndarray


class Registry:
    """Numbers and records of what was met, and `events`: the log of what happens to it."""

    __slots__ = (
        "events", "_note", "kept", "storages", "tensors", "nodes", "tensor_of", "storage_of", "node_of", "accumulators", "hookables",
        "grad_links", "grads", "_grad_of", "outside", "look", "_first_node", "_newest_node", "_old_nodes", "unmet",
        "unrecorded",
    )  # fmt: skip

    def __init__(self) -> None:
        self.events: list[Noted] = []  # see Note [Event log] in `jgrad/tracing/record/recorder.py`
        self._note = self.events.append
        self.kept = 0  # steps in it
        self.storages: list[StorageRecord] = []
        self.tensors: list[TensorRecord] = []
        self.nodes: list[NodeRecord] = []
        self.tensor_of: dict[int, TensorRecord] = {}  # by address: see Note [Identity]
        self.storage_of: dict[int, StorageRecord] = {}
        self.node_of: dict[int, NodeRecord] = {}
        self.accumulators: dict[int, int] = {}  # leaf -> its AccumulateGrad
        self.hookables: list[weakref.ref] = []  # nodes that may have hooks
        # (step, tensor, the tensor whose .grad it became; None if it no longer is one)
        self.grad_links: list[tuple[int, int, int | None]] = []
        self.grads: dict[int, int] = {}  # tensor that is a .grad now -> its owner; and owner -> tensor:
        self._grad_of: dict[int, int] = {}
        # Storages whose memory NumPy has too -> what they held when last seen:
        self.outside: dict[int, tuple[int, Any, bytes]] = {}
        self.look = Look()  # reads the contents of storages
        self._first_node = sys.maxsize  # nodes with a lower sequence number existed before the block
        self._newest_node = -1  # the highest sequence number of a node that is described
        self._old_nodes = 0
        self.unrecorded = Unrecorded(self)
        # The step since which a tensor may have existed that nothing reported: -1, or that of the last gap.
        self.unmet = -1

    # Tensors and storages ---------------------------------------------------------------------------------------------------------

    def record_of(self, value: Any) -> TensorRecord | None:
        """The record of this very object, None if it is not a tensor that was met."""
        record = self.tensor_of.get(id(value))
        return record if record is not None and record() is value is not None else None

    def known_tensor(self, tensor: Tensor, born: int | None) -> TensorRecord:
        """The record of a tensor. One that was not reported existed before the block, or came with the last step (`born` None)."""
        record = self.tensor_of.get(id(tensor))
        if record is None or record() is not tensor:
            born = self.kept - 1 if born is None else born
            record = unpacked(self.tensors, tensor) or self.meet(
                tensor, born, "op" if tensor._fn is not None else "create"
            )
        return record

    def meet(self, tensor: Tensor, born: int, how: str, node: int | None = None) -> TensorRecord:
        """Describe a tensor that was not seen before. `node`: the number of its grad_fn, if that is known."""
        record = TensorRecord(tensor, self._note)
        record.fn = 0  # until it is known: its base may be met first
        tensors = self.tensors
        record.id = number = len(tensors)
        tensors.append(record)
        self.tensor_of[id(tensor)] = record
        array = tensor._a
        root = array if array.base is None else owner(array)
        storage = self.storage_of.get(id(root))
        if storage is None or storage() is not root:
            if exposed or root.__class__ is not ndarray or root.size > WHOLE:
                storage = self._new_storage(root, born, record)
            else:
                storage = self.storage_of[id(root)] = StorageRecord(root, self._note)
                storage.id, storage.born, storage.sharers = len(self.storages), born, number
                held = root.tobytes() if root.ndim < 2 else self.look(root)
                storage.raw = storage_met(self.kept, root.dtype, root.size, "cpu", held)
                self.storages.append(storage)
        else:
            self._share(storage, number)
            if storage.born > born:
                born = storage.born
        version = 0
        cell = tensor._vc
        if cell is not None:
            version = cell[0] if cell.__class__ is list else tensor._writes
        elif born == self.kept:  # new, so that no other thread knows it
            cell = tensor._vc = [0]
        else:
            cell = tensor._counter
        fn = tensor._fn
        # The attributes is_leaf and grad_fn would give a stale view its new node before the user asks for it. So the fields are read.
        if tensor._view is None:
            base = None
            requires, leaf = tensor._rg, fn is None
        else:
            of: Any = tensor._base
            base = self.known_tensor(of, self.unmet).id
            requires = tensor.requires_grad
            leaf = fn is None and not of.requires_grad
        if fn is not None and node is None:
            known = self.node_of.get(id(fn))
            node = known.id if known is not None and known() is fn else self.meet_node(fn, born)
        record.storage, record.array, record.fn, record.requires = storage, id(array), id(fn), requires
        record.state = None
        offset = 0 if root is array else offset_of(array)
        retains = tensor._rare is not None and tensor.retains_grad
        record.raw = tensor_met(
            self.kept, born, how, storage.id, array.shape, array.strides, array.dtype, offset,
            cell, version, base, requires, leaf, retains, node, tensor._nr,
        )  # fmt: skip
        if tensor._grad is not None:
            self.link_grad(born, number, self.known_tensor(tensor._grad, born).id)
        return record

    def recheck(self, record: TensorRecord, tensor: Tensor, index: int, own: bool = False) -> None:
        """Note what changed about a tensor: by the step at `index` if `own`, else without a report, after that step."""
        array = tensor._a
        storage = record.storage
        root = array if array.base is None else owner(array)
        if storage() is not root:
            before = storage.sharers
            storage.sharers = [
                n for n in (before if isinstance(before, list) else [before]) if n != record.id
            ]
            storage = record.storage = self._storage_record(root, max(index, -1), record)
        fn = tensor._fn
        node: int | None = None
        if fn is not None:
            known = self.node_of.get(id(fn))
            node = known.id if known is not None and known() is fn else self.meet_node(fn, index)
        plain = tensor._view is None
        requires = tensor._rg if plain else tensor.requires_grad
        retains = tensor._rare is not None and tensor.retains_grad
        leaf = fn is None and (plain or not tensor._base.requires_grad)  # type: ignore[union-attr]  # a view has a base
        record.array, record.fn, record.requires = id(array), id(fn), requires
        offset = 0 if root is array else offset_of(array)
        state = tensor_state(
            requires, leaf, node, retains, storage.id, array.shape, array.strides, array.dtype, offset
        )
        if state != record.state:
            record.state = state
            self.events.append(changed(record, index, own, state))

    def recheck_all(self) -> None:
        """Note what changed about any tensor since it was last seen without a report, as by `requires_grad = True`."""
        mirrors.refresh()
        for record in self.tensors:
            tensor = record()
            if tensor is not None:
                self.recheck(record, tensor, self.kept - 1)

    def _storage_record(self, root: Array, born: int, sharer: TensorRecord) -> StorageRecord:
        storage = self.storage_of.get(id(root))
        if storage is None or storage() is not root:
            return self._new_storage(root, born, sharer)
        self._share(storage, sharer.id)
        return storage

    def _share(self, storage: StorageRecord, sharer: int) -> None:
        """One more tensor uses a storage."""
        if isinstance(storage.sharers, list):
            storage.sharers.append(sharer)
        else:
            storage.sharers = [storage.sharers, sharer]

    def _new_storage(self, root: Array, born: int, sharer: TensorRecord) -> StorageRecord:
        storage = StorageRecord(root, self._note)
        storages = self.storages
        storage.id, storage.born, storage.sharers = len(storages), born, sharer.id
        storages.append(storage)
        self.storage_of[id(root)] = storage
        device = "cpu" if root.__class__ is ndarray else str(getattr(sharer(), "device", "cpu"))
        storage.raw = storage_met(self.kept, root.dtype, root.size, device, self.look(root))
        if id(root) in exposed and root.size <= COMPARED:
            self.outside[storage.id] = kept_of(root)
        return storage

    # Nodes ------------------------------------------------------------------------------------------------------------------------

    def fresh_node(self, node: Node, index: int, where: Place | None, made: int) -> int | None:
        """The number of a node that was just made, described as `meet_node` and `note_saved` do it, but at once. `made`: the first result.
        None in rare cases: not all nodes that it leads to and tensors that it saves are known."""
        kind = node.__class__
        plan = PLANS.get(kind)
        if plan is None:
            plan = PLANS[kind] = plan_of(node)
        name, formulas, arguments, results, mirrored = plan
        node_of, tensor_of = self.node_of, self.tensor_of
        following: list[int | tuple[int, int] | None] = []
        for e in node._next:
            if e is None:
                following.append(None)
                continue
            known: Any = node_of.get(id(e))  # of a leaf, its AccumulateGrad
            if known is None or known() is not e:
                return None
            following.append(known.id)
        saved: Sequence[tuple[str, int | None, int]] = ()
        if arguments or results:
            saved = []
            for key, slot, version in arguments:
                value = getattr(node, slot)
                known = tensor_of.get(id(value))
                if known is not None and known() is value:
                    saved.append((key, known.id, getattr(node, version)))
                elif value is not None and value.__class__ is not int and value.__class__ is not float:
                    return None
            for i, key, slot, version in results:
                if i or getattr(node, slot).__class__ is not ndarray:
                    return None
                saved.append((key, made, getattr(node, version)))
        elif mirrored:
            mirrors_saved = self._saved_by_mirror(node, made)
            if mirrors_saved is None:
                return None
            saved = mirrors_saved
        elif plan is UNPLANNED:
            return None
        record = NodeRecord(node)
        nodes = self.nodes
        record.id = number = len(nodes)
        nodes.append(record)
        node_of[id(node)] = record
        record.name, record.formulas, record.next, record.saved = name, formulas, following, saved
        record.born, record.seen, record.where = index, self.kept, where
        record.hooks, record.variable = (), None
        self._note_age(node)
        return number

    def _note_age(self, node: Any) -> None:
        if self._newest_node < node._seq < HIGHEST:
            self._newest_node = node._seq

    def _saved_by_mirror(self, node: Any, made: int) -> Sequence[tuple[str, int | None, int]] | None:
        """What the mirror of a node saved; None if a tensor is not known. `made`: the first result."""
        if node._forward_cls is not None:  # its use is to be noted
            return None
        saved: list[tuple[str, int | None, int]] = []
        for key, ref, version in node._kept:
            tensor = ref()
            known = self.tensor_of.get(id(tensor))
            if known is not None and known() is tensor:
                saved.append((key, known.id, version))
            elif node._results == ((0, key),):
                saved.append((key, made, version))
            else:
                return None
        return saved

    def meet_node(self, node: Node, index: int) -> int | None:
        """The number of a node; one not seen before is described, and so is what it leads to, down to nodes that are known, or to those that were made
        while the recorder slept and of which there are too many. None for a node from before the block when enough of those were described."""
        if node.__class__ is AccumulateGrad:
            return self.accumulator(self.known_tensor(node.variable, self.unmet))
        node_of = self.node_of
        found = node_of.get(id(node))
        if found is not None and found() is node:
            return found.id
        fresh = []
        stack = [node]
        sleeps = bool(self.unrecorded.sleeps)
        while stack:
            n = stack.pop()
            known = node_of.get(id(n))
            if known is not None and known() is n:
                continue
            # (The number of nodes that run first says nothing of their age.)
            old = n._seq < self._first_node or (n._seq == HIGHEST and n is not node)
            if old:
                self._old_nodes += 1
                if self._old_nodes > OLD_NODES:
                    continue
            elif sleeps:
                if n is not node and not self.unrecorded.has_room(n):
                    continue
                self.unrecorded.described(n)
            record = self.new_node(n, n.name(), -1 if old else index)
            node_of[id(n)] = record
            if n._extras is not None:
                self.hookables.append(weakref.ref(n))
            fresh.append((n, record))
            for e in n._next:
                if e is not None and e.__class__ is not Tensor:
                    target = target_of(e)
                    if isinstance(target, Node):
                        known = node_of.get(id(target))
                        if known is None or known() is not target:
                            stack.append(target)
        for n, record in fresh:
            record.formulas = formulas_of(n)
            self._note_age(n)
            record.next = [self._edge(e, index) for e in n._next]
            if n is not node or record.born == -1:
                self.note_saved(record, n, None)
        return fresh[0][1].id if fresh else None

    def _edge(self, edge: Any, index: int) -> int | tuple[int, int] | None:
        """What an edge of a described node leads to, as `NodeRecord.next` has it."""
        target = edge if edge is None or edge.__class__ is Tensor else target_of(edge)
        if target is None:
            return None
        if not isinstance(target, Node):
            return self.accumulator(self.known_tensor(target, self.unmet))
        known = self.node_of.get(id(target))
        if known is not None and known() is target:
            number: int | None = known.id
        else:
            number = self.unrecorded.group(target, index) if self.unrecorded.sleeps else None
        return (number, edge.nr) if edge.__class__ is Edge and number is not None else number

    def follow(self, record: NodeRecord, node: Node) -> None:
        """A node runs: describe those that it sends gradients to, if one record stands for them and others."""
        following = record.next
        for i, (edge, known) in enumerate(zip(node._next, following, strict=False)):
            number = known[0] if isinstance(known, tuple) else known
            if number is not None and self.nodes[number].__class__ is GroupRecord:
                made = self.meet_node(target_of(edge), self.kept)
                following[i] = (made, known[1]) if isinstance(known, tuple) and made is not None else made  # type: ignore[index]

    def note_saved(self, record: NodeRecord, node: Node, made: Sequence[int] | None) -> None:
        """Note what a node saved. `made`: the results, if it is new."""
        tensor_of = self.tensor_of
        found: list[tuple[str, int | None, int]] = []
        numbers = {name: i for i, name in node._saved_results()}
        for name, tensor, version in node._saved():
            known = tensor_of.get(id(tensor))
            if known is not None and known() is tensor:
                number: int | None = known.id
            elif name in numbers:
                # A saved result is handed out as a new tensor: it is the one that the operation made.
                number = made[numbers[name]] if made else None
            elif tensor._fn is None or self._knows(tensor._fn):
                number = self.meet(tensor, record.born or 0, "copy").id
            else:
                number = None
            found.append((name, number, version))
        record.saved = found

    def _knows(self, node: Node) -> bool:
        record = self.node_of.get(id(node))
        return (record is not None and record() is node) or node.__class__ is AccumulateGrad

    def accumulator(self, leaf: TensorRecord) -> int:
        """The number of the AccumulateGrad of a leaf."""
        number = self.accumulators.get(leaf.id)
        if number is None:
            target: Any = leaf()
            record = self.new_node(target, "torch::autograd::AccumulateGrad", None)
            record.variable = leaf.id
            number = self.accumulators[leaf.id] = record.id
            self.node_of[id(leaf())] = record
        return number

    def new_node(
        self, target: Node | Tensor, name: str, born: int | None, kind: type[NodeRecord] = NodeRecord
    ) -> NodeRecord:
        """The record of a node, or of a leaf for its AccumulateGrad. `born` None: it exists since the leaf does."""
        record = kind(target)
        record.id, record.name = len(self.nodes), name
        record.formulas = NOTHING
        record.next = record.saved = record.hooks = ()
        record.born, record.seen = born, self.kept
        record.variable = record.where = None
        self.nodes.append(record)
        return record

    # Gradients --------------------------------------------------------------------------------------------------------------------

    def link_grad(self, index: int, whose: int, grad: int | None) -> None:
        """Note that a tensor became the `.grad` of another. None: that has no `.grad` any more."""
        before = self._grad_of.get(whose)
        if before is not None and before != grad and self.grads.get(before) == whose:
            del self.grads[before]
            if self.tensors[before]() is not None:
                self.grad_links.append((index, before, None))
        if grad is None:
            self._grad_of.pop(whose, None)
        elif before != grad or self.grads.get(grad) != whose:
            self.grads[grad] = whose
            self._grad_of[whose] = grad
            self.grad_links.append((index, grad, whose))
