"""The things that a recorder has met: storages, tensors and backward nodes, each with a number and a record.

Note [Identity]: records are themselves weak references, found by address; one counts only while it refers to the very thing at hand. So
nothing lives longer than the user lets it, and nothing is mistaken for something else. (Version cells are one-element lists, which
can't be weakly referenced; those few bytes are kept.) Records are compared by identity, never by what they refer to.

Most of the time of a recording is spent here and in `Recorder.op`. So what is usual stands in line, and a call is made for what is rare.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from jgrad.autograd.node import Edge, Node
from jgrad.storage import offset_of, owner
from jgrad.tensor import Tensor
from jgrad.trace.contents import contents
from jgrad.trace.nodes import PLANS, UNPLANNED, formulas_of, plan_of, target_of
from jgrad.trace.records import NodeRecord, StorageRecord, TensorRecord

OLD_NODES = 500  # nodes made before the block that are described
NOTHING: dict[str, str] = {}
NOWHERE = (None, 0)
ndarray = np.ndarray

# What a tuple on the tape begins with: steps first.
OP, BACKWARD, NODE, ACCUMULATE, ASSIGNED, ERROR, CHANGE, WRITTEN, MAP, DONE, RELEASED = range(11)


class Things:
    """Numbers and records of what was met, and the `tape` on which is put what happens to it."""

    def __init__(self) -> None:
        self.tape: list[Any] = []  # see Note [Tape] in `jgrad/trace/capture.py`
        self.kept = 0  # steps on it
        self.storages: list[StorageRecord] = []
        self.tensors: list[TensorRecord] = []
        self.nodes: list[NodeRecord] = []
        self.tensor_of: dict[int, TensorRecord] = {}  # by address: see Note [Identity]
        self.storage_of: dict[int, StorageRecord] = {}
        self.node_of: dict[int, NodeRecord] = {}
        self.accumulators: dict[int, int] = {}  # leaf -> its AccumulateGrad
        self.hookables: list[weakref.ref] = []  # nodes that may have hooks
        # (step, tensor, whose .grad it became, or None: it no longer is)
        self.grad_links: list[tuple[int, int, int | None]] = []
        self.grads: dict[int, int] = {}  # tensor that is a .grad now -> whose, and the other way round:
        self._grad_of: dict[int, int] = {}
        self._first_node = sys.maxsize  # nodes with a lower number were there before the block
        self._old_nodes = 0

    # Tensors and storages ---------------------------------------------------------------------------------------------------------

    def known_tensor(self, tensor: Any, born: int | None) -> TensorRecord:
        """The record of a tensor; one that nobody reported was there before the block, or came with the last step (`born` None)."""
        record = self.tensor_of.get(id(tensor))
        if record is None or record() is not tensor:
            born = self.kept - 1 if born is None else born
            record = self.meet(tensor, born, "op" if tensor._fn is not None else "create")
        return record

    def meet(self, tensor: Any, born: int, how: str) -> TensorRecord:
        """Describe a tensor that was not seen before."""
        record = TensorRecord(tensor, self.tape.append)
        tensors = self.tensors
        record.id = number = len(tensors)
        tensors.append(record)
        self.tensor_of[id(tensor)] = record
        array = tensor._a
        root = array if array.base is None else owner(array)
        room = self.storage_of.get(id(root))
        if room is None or room() is not root:
            room = self._new_storage(root, born, record)
        elif room.sharers.__class__ is list:
            room.sharers.append(record)
        else:
            room.sharers = [room.sharers, record]
        record.room = room
        if room.born > born:
            born = room.born
        version = 0
        cell = tensor._vc
        if cell is not None:
            version = cell[0] if cell.__class__ is list else tensor._writes
        elif born == self.kept:  # new, so that no other thread knows it
            cell = tensor._vc = [0]
        else:
            cell = tensor._counter
        fn = tensor._fn
        # is_leaf and grad_fn would give a stale view its new node before the user asks for it; so read what is there.
        if tensor._view is None:
            base = None
            requires, leaf = tensor._rg, fn is None
        else:
            of = tensor._base
            base = self.known_tensor(of, -1).id
            requires = tensor.requires_grad
            leaf = fn is None and not of.requires_grad
        node: int | None = None
        if fn is not None:
            known = self.node_of.get(id(fn))
            node = known.id if known is not None and known() is fn else self.meet_node(fn, born)
        record.array, record.fn, record.requires, record.node, record.state = (
            id(array),
            id(fn),
            requires,
            node,
            None,
        )
        record.raw = (
            self.kept, born, how, room.id, array.shape, array.strides, array.dtype, 0 if root is array else offset_of(array),
            cell, version, base, requires, leaf, tensor._rare is not None and tensor.retains_grad, node, tensor._nr,
        )  # fmt: skip
        if tensor._grad is not None:
            self.link_grad(born, number, self.known_tensor(tensor._grad, born).id)
        return record

    def recheck(self, record: TensorRecord, tensor: Any, index: int, own: bool = False) -> None:
        """Note what changed about a tensor: by the step at `index` (`own`), or unseen, after it."""
        array = tensor._a
        room = record.room
        root = array if array.base is None else owner(array)
        if room() is not root:
            before = room.sharers
            room.sharers = [r for r in (before if before.__class__ is list else [before]) if r is not record]
            room = record.room = self._room_of(root, max(index, -1), record)
        fn = tensor._fn
        node: int | None = None
        if fn is not None:
            known = self.node_of.get(id(fn))
            node = known.id if known is not None and known() is fn else self.meet_node(fn, index)
        plain = tensor._view is None
        requires = tensor._rg if plain else tensor.requires_grad
        retains = tensor._rare is not None and tensor.retains_grad
        leaf = fn is None and (plain or not tensor._base.requires_grad)
        record.array, record.fn, record.requires, record.node = id(array), id(fn), requires, node
        state = (requires, leaf, node, retains, room.id, array.shape, array.strides)
        if state != record.state:
            record.state = state
            offset = 0 if root is array else offset_of(array)
            self.tape.append((CHANGE, record, index, own, state, array.itemsize, offset))

    def _room_of(self, root: Any, born: int, sharer: TensorRecord) -> StorageRecord:
        room = self.storage_of.get(id(root))
        if room is None or room() is not root:
            return self._new_storage(root, born, sharer)
        room.sharers = [*(room.sharers if room.sharers.__class__ is list else [room.sharers]), sharer]
        return room

    def _new_storage(self, root: Any, born: int, sharer: TensorRecord) -> StorageRecord:
        room = StorageRecord(root, self.tape.append)
        storages = self.storages
        room.id = len(storages)
        storages.append(room)
        self.storage_of[id(root)] = room
        device = "cpu" if root.__class__ is ndarray else str(getattr(sharer(), "device", "cpu"))
        room.raw = (self.kept, root.dtype, root.size, device, contents(root))
        room.born = born
        room.sharers = sharer
        return room

    # Nodes ------------------------------------------------------------------------------------------------------------------------

    def fresh_node(
        self, node: Any, index: int, where: tuple | None, inputs: Sequence, records: list[TensorRecord]
    ) -> NodeRecord | None:
        """The record of a node that was just made, as `meet_node` makes it; in the usual case, that all it leads to is known, at once.
        `inputs` of its operation, and their records."""
        node_of = self.node_of
        following: list[tuple[int | None, int]] = []
        given = len(records)
        k = -1
        for e in node._next:
            k += 1
            if e is None:
                following.append(NOWHERE)
                continue
            number = None
            if k < given and (t := inputs[k]) is e:
                number = self.accumulators.get(records[k].id)
            elif k < given and t._fn is e:
                number = records[k].node
            else:
                known = node_of.get(id(e))
                if known is not None and known() is e:
                    number = known.id
            if number is None:
                number = self.meet_node(node, index)
                if number is None:
                    return None
                record = self.nodes[number]
                record.where = where
                return record
            following.append((number, 0))
        kind = node.__class__
        plan = PLANS.get(kind)
        if plan is None:
            plan = PLANS[kind] = plan_of(node)
        record = NodeRecord(node)
        nodes = self.nodes
        record.id, record.born, record.seen, record.where = len(nodes), index, self.kept, where
        nodes.append(record)
        node_of[id(node)] = record
        record.name, record.formulas = plan[0] or node.name(), plan[1] or formulas_of(node)
        record.next = following
        record.saved = record.hooks = ()
        record.variable = None
        return record

    def meet_node(self, node: Any, index: int) -> int | None:
        """The number of a node; one not seen before is described, and so is what it leads to, down to nodes that are known. None for a
        node from before the block when enough of those were described."""
        node_of = self.node_of
        found = node_of.get(id(node))
        if found is not None and found() is node:
            return found.id
        fresh = []
        stack = [node]
        while stack:
            n = stack.pop()
            known = node_of.get(id(n))
            if known is not None and known() is n:
                continue
            old = n._seq < self._first_node
            if old:
                self._old_nodes += 1
                if self._old_nodes > OLD_NODES:
                    continue
            record = self._new_node(n, n.name(), -1 if old else index)
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
            following: list[tuple[int | None, int]] = []
            record.next = following
            for e in n._next:
                if e is None:
                    following.append(NOWHERE)
                    continue
                target = e if e.__class__ is Tensor else target_of(e)
                if isinstance(target, Node):
                    known = node_of.get(id(target))
                    number = None if known is None or known() is not target else known.id
                    following.append((number, e.nr if e.__class__ is Edge else 0))
                else:
                    following.append((self.accumulator(self.known_tensor(target, -1)), 0))
            if n is not node or record.born == -1:
                self.note_saved(record, n, None)
        return fresh[0][1].id if fresh else None

    def note_saved(self, record: NodeRecord, node: Any, made: Sequence[int] | None) -> None:
        """Note what a node saved. `made`: the results, if it is new."""
        tensor_of = self.tensor_of
        plan = PLANS.get(node.__class__)
        if made is not None and plan is not None and plan is not UNPLANNED:
            _, _, inputs, results = plan
            saved: list[tuple[str, int | None, int]] = []
            for name, slot, version in inputs:
                value = getattr(node, slot)
                known = tensor_of.get(id(value))
                if known is not None and known() is value:
                    saved.append((name, known.id, getattr(node, version)))
                elif value is not None and value.__class__ is not int and value.__class__ is not float:
                    break
            else:
                for i, name, slot, version in results:
                    if getattr(node, slot).__class__ is not ndarray:
                        break
                    saved.append((name, made[i], getattr(node, version)))
                else:
                    record.saved = saved
                    return
        found: list[tuple[str, int | None, int]] = []
        numbers = {name: i for i, name in node._saved_results()}
        for name, tensor, version in node._saved():
            known = tensor_of.get(id(tensor))
            if known is not None and known() is tensor:
                number: int | None = known.id
            elif name in numbers:  # handed out as a tensor of its own: it is what the operation made
                number = made[numbers[name]] if made else None
            elif tensor._fn is None or self._knows(tensor._fn):
                number = self.meet(tensor, record.born or 0, "copy").id
            else:
                number = None
            found.append((name, number, version))
        record.saved = found

    def _knows(self, node: Any) -> bool:
        record = self.node_of.get(id(node))
        return record is not None and record() is node

    def accumulator(self, leaf: TensorRecord) -> int:
        """The number of the AccumulateGrad of a leaf."""
        number = self.accumulators.get(leaf.id)
        if number is None:
            record = self._new_node(leaf(), "torch::autograd::AccumulateGrad", None)
            record.variable = leaf.id
            number = self.accumulators[leaf.id] = record.id
        return number

    def _new_node(self, thing: Any, name: str, born: int | None) -> NodeRecord:
        """`born` None: with the leaf that it is for."""
        record = NodeRecord(thing)
        record.id, record.name = len(self.nodes), name
        record.formulas = NOTHING
        record.next = record.saved = record.hooks = ()
        record.born, record.seen = born, self.kept
        record.variable = record.where = None
        self.nodes.append(record)
        return record

    # Gradients --------------------------------------------------------------------------------------------------------------------

    def link_grad(self, index: int, whose: int, grad: int | None) -> None:
        """Note that a tensor became the `.grad` of another; None: it has none any more."""
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
