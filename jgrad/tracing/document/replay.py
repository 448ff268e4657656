"""From the recorder's event log to the rows of a trace document: what each step read, made, wrote and changed.

A replay goes on where it stopped, so that the document of a block that still runs costs what is new in it.
"""

from __future__ import annotations

import re
from typing import Any

from jgrad.tracing.document.calls import Calls
from jgrad.tracing.document.formulas import by_hand
from jgrad.tracing.document.layers import LayerTable
from jgrad.tracing.document.schema import Contents, Span, Value
from jgrad.tracing.document.source import Source
from jgrad.tracing.document.values import cells_of, fill_changed, fill_texts, value_of
from jgrad.tracing.record import events
from jgrad.tracing.record.contents import Ends, Held, dtype_name
from jgrad.tracing.record.layers import LayerCall
from jgrad.tracing.record.recorder import Recorder
from jgrad.tracing.record.records import OUTSIDE, NodeRecord, Place, SeenTensor, StorageRecord, TensorRecord


class Replay:
    """The steps of a recording as rows of its document, `rows`, and its records filled in."""

    def __init__(self, recorder: Recorder, source: Source) -> None:
        self.recorder = recorder
        self.source = source
        self.compactions = recorder.compactions  # when steps were dropped since, it is no longer valid
        self.rows: list[dict[str, Any]] = []
        self.tensors: list[SeenTensor] = []
        self.written = 0  # about how many characters the texts of values take
        self.maps = 0  # index maps in rows
        self._calls: dict[int | None, dict[str, Any]] = {}  # the rows of backward calls
        self._read = 0  # events so far
        self._where: Place | None = None  # of the last operation
        self._described = [0, 0, 0]  # storages, tensors, nodes
        self._counters: dict[int, int] = {}  # version cells, which the records keep alive
        self._versions: dict[int, int] = {}  # of each counter
        # (node, output) -> what arrived there: (node, edge, value):
        self._parts: dict[tuple[int | None, int], list] = {}
        # Step -> its changes, its index map:
        self._waiting: dict[int, tuple[dict[int, dict], dict | None]] = {}
        self._held: dict[int, Held] = {}  # the last contents of storages that were written to
        self._last_grads: dict[int, Value | None] = {}  # of each tensor
        self._values: dict[tuple, Value] = {}
        self._formulas: dict[int, tuple[dict, dict]] = {}  # address of declared formulas -> they, as shown
        self._cells: dict[tuple, Contents] = {}
        self._without_text: list[tuple[Value | Contents, Any, bytes]] = []  # of these, those without texts
        # Writes whose changed elements are not known yet:
        self._uncompared: list[tuple[dict, Any, bytes, bytes]] = []
        self.calls = Calls(source, recorder.stacks.met)
        self.layers = LayerTable()
        self._within: LayerCall | None = None  # the call of a module that runs
        # By the address of a place: it, its line and span in the cell, its call
        self._places: dict[int, tuple[Place | None, int | None, Span | None, int | None]] = {}

    def go_on(self) -> None:
        """Replay what is new in the event log."""
        self._describe()
        log = self.recorder.events
        end = len(log)
        for i in range(self._read, end):
            entry = log[i]
            if entry.__class__ is tuple:
                HANDLERS[entry[0]](self, *entry[1:])
            elif entry.__class__ is TensorRecord:
                entry.seen.died = len(self.rows)
            elif entry.__class__ is StorageRecord:
                entry.freed = len(self.rows)
            else:
                self._released(entry)
        self._read = end

    def formulas(self, declared: dict[str, str]) -> dict[str, str]:
        """The formulas of a node as they are shown; those of nodes of a class are the same object."""
        known = self._formulas.get(id(declared))
        if known is None:
            shown = {name: by_hand(formula) for name, formula in declared.items()}
            known = self._formulas[id(declared)] = (declared, shown)
        return known[1]

    def value(self, raw: tuple | None) -> Value | None:
        """The `Value` of a measured array; equal ones are the same object, as an array is met at every edge that it passes."""
        if raw is None:
            return None
        if raw[2] is None:
            return value_of(raw)
        key = raw[:3]
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = value_of(raw)
            self._without_text.append((found, raw[1], raw[2]))
        return found

    def cells(self, raw: tuple[int, Held], dtype: Any) -> Contents:
        """Contents as the document has them."""
        key = raw, dtype
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = cells_of(raw, dtype)
            held = raw[1]
            if held is not None:
                self._without_text.append((found, dtype, held.ends if isinstance(held, Ends) else held))
        return found

    def fill_texts(self) -> None:
        """Write out the elements of all values and cells that are new, and what writes changed."""
        fill_changed(self._uncompared)
        self._uncompared = []
        fill_texts(self._without_text)
        self.written += sum([10 * len(data) // dtype.itemsize for _, dtype, data in self._without_text])
        self._without_text = []

    # Records -----------------------------------------------------------------------------------------------------------------------

    def _describe(self) -> None:
        """Fill in the records that are new."""
        recorder = self.recorder
        storages, tensors, nodes = self._described
        self._described = [len(recorder.storages), len(recorder.tensors), len(recorder.nodes)]
        for s in recorder.storages[storages:]:
            s.seen, s.dtype, s.numel, s.device, s.held = s.raw
            s.freed = None
        for r in recorder.tensors[tensors:]:
            t = r.seen = SeenTensor()
            self.tensors.append(t)
            t.id = r.id
            (
                t.seen, t.born, t.how, t.storage, t.shape, t.strides, t.dtype, t.offset, cell, t.version, t.base, t.requires_grad, t.is_leaf,
                t.retains_grad, t.grad_fn, t.output_nr,
            ) = r.raw  # fmt: skip
            t.itemsize, t.died = t.dtype.itemsize, None
            t.now_storage, t.now_shape, t.now_strides, t.now_dtype = t.storage, t.shape, t.strides, t.dtype
            t.now_offset = t.offset
            t.now_leaf, t.now_requires, t.now_retains, t.now_node = (
                t.is_leaf,
                t.requires_grad,
                t.retains_grad,
                t.grad_fn,
            )
            t.counter = self._counter(cell)
            self._versions.setdefault(t.counter, t.version)
        for n in recorder.nodes[nodes:]:
            n.freed = None
            n.edges = [e if isinstance(e, tuple) else (e, 0) for e in n.next]
            if n.born is None:
                assert n.variable is not None
                n.born = recorder.tensors[n.variable].seen.born

    def _counter(self, cell: Any) -> int:
        """The number of a version counter."""
        return self._counters.setdefault(id(cell), len(self._counters))

    # Steps ------------------------------------------------------------------------------------------------------------------------

    def _row(self, kind: str, op: str, where: Place | None) -> dict[str, Any]:
        known = self._places.get(id(where))
        if known is None:  # a place is the same object each time
            known = self._places[id(where)] = (where, *self.calls.in_cell(where), self.calls.of(where))
        row = {"kind": kind, "line": known[1], "span": known[2], "op": op, "text": ""}
        if known[3] is not None:
            row["call"] = known[3]
        self.rows.append(row)
        return row

    def _finish(self, row: dict[str, Any]) -> None:
        """Add to a step what was noticed while it ran."""
        if not self._waiting:
            return
        changes, index = self._waiting.pop(len(self.rows) - 1, ({}, None))
        for tensor, change in changes.items():
            self._add_change(row, tensor, change)
        if index is not None:
            row["index_map"] = index
            self.maps += 1

    def _add_change(self, row: dict[str, Any], tensor: int, change: dict[str, Any]) -> None:
        changes = row.setdefault("changes", [])
        for known in changes:
            if known["tensor"] == tensor:
                known.update(change)
                return
        changes.append({"tensor": tensor} | change)

    def _op(
        self,
        kind: str,
        name: str,
        where: Place | None,
        call: int | None,
        reads: tuple,
        makes: tuple,
        node: int | None,
    ) -> None:
        row = self._row(kind, name, where)
        if self._within is not None:
            row["layer_call"] = self.layers.number_of(self._within)
        if name == OUTSIDE:
            row["span"] = None  # where it shows is not what did it
            row.pop("call", None)
        if reads:
            row["reads"] = [*dict.fromkeys(reads)] if len(reads) > 1 else [*reads]
        if makes:
            row["makes"] = list(makes)
        self._finish(row)
        if node is not None:
            row["node"] = node
        if call is not None:
            row["backward_call"] = call
        self._where = where

    def _written(self, step: int, written: tuple, grad: tuple | None) -> None:
        """What the step before wrote."""
        row = self.rows[step]
        row["writes"] = [self._write(written)]
        for change in row.get("changes", ()):
            made = change.get("grad_fn")
            if made is not None:  # the new grad_fn of a view
                record = self.recorder.nodes[made]
                if record.where is None and record.born == step:
                    record.where = self._where
        if grad is not None:
            row["kind"] = "grad"
            whose, before, after = grad
            row["grad"] = self._grad(whose, "zero" if row["op"] == "zero_" else "set", before, None, after)

    def _seen(self, step: int, written: tuple) -> None:
        """A tensor that the step before gave back: it may have counted as a write, though no element was written."""
        number, storage, cell, version, _, _, raw, dtype = written
        if version > self._versions.get(self._counter(cell), version):
            self.rows[step].setdefault("writes", []).append(
                self._write((number, storage, cell, version, 0, [], raw, dtype))
            )

    def _write(self, written: tuple) -> dict[str, Any]:
        number, storage, cell, version, elements, changed, raw, dtype = written
        before = changed[2] if changed.__class__ is tuple else None
        counter, seen = self._counter(cell), self.recorder.tensors[number].seen
        # Batch statistics are written to and not counted. Of a tensor that was not met before, the version is that after the step.
        new = seen.seen >= len(self.rows) - 1 and self.rows[-1]["op"] != OUTSIDE
        counted = new or self._versions.get(counter) != version
        self._versions[counter] = version
        seen.counter = counter  # copy.copy() makes a tensor that gets one of its own only now
        write = {
            "tensor": number, "storage": storage, "version_counter": counter, "versions": [version - counted, version], "numel": elements,
            "changed_elements": changed, "contents": self.cells(raw, dtype),
        }  # fmt: skip
        if before is not None:
            self._uncompared.append((write, dtype, before, raw[1]))
        self._held[storage] = raw[1]
        return write

    def _gap(
        self,
        first: int | None,
        last: int | None,
        steps: int | None,
        writes: dict[Any, tuple],
        grads: dict[int, tuple],
    ) -> None:
        """Steps that were not kept: what they changed, in sum."""
        row = self._row("gap", "gap", None)
        row["gap"] = {"rounds": None if first is None else [first, last], "steps": steps}
        self._finish(row)
        written = [write for w in writes.values() if (write := self._write_in_gap(w)) is not None]
        if written:
            row["writes"] = written
        updates = []
        for whose, (_, after) in grads.items():
            before, now = self._last_grads.get(whose), self.value(after)
            if before is not now:
                action = "none" if after is None else "set"
                updates.append({
                    "tensor": whose, "action": action, "before": before, "added": None, "after": now, "contributions": [],
                })  # fmt: skip
                self._last_grads[whose] = now
        if updates:
            row["updates"] = updates
        self._parts.clear()

    def _write_in_gap(self, written: tuple) -> dict[str, Any] | None:
        """The sum of all writes to a storage in a gap, None if nothing changed."""
        number, storage, cell, version, _, _, raw, _ = written
        counter, seen = self._counter(cell), self.recorder.tensors[number].seen
        before = self._versions.get(counter, version)
        held = self._held.get(storage, self.recorder.storages[storage].held)
        if before == version and held == raw[1]:
            return None
        write = self._write(written)
        write["versions"] = [before, version]
        seen.counter = counter
        return write

    def _grad(
        self, whose: int, action: str, before: Any, add: Any, after: Any, parts: Any = ()
    ) -> dict[str, Any]:
        self._last_grads[whose] = self.value(after)
        return {
            "tensor": whose, "action": action, "before": self.value(before), "added": self.value(add), "after": self.value(after),
            "contributions": [{"node": n, "edge": e, "value": self.value(v)} for n, e, v in parts],
        }  # fmt: skip

    def _backward(self, name: str, where: Place | None, call: int, roots: list[int], gradients: list) -> None:
        row = self._row("backward", name, where)
        row["reads"] = roots
        self._finish(row)
        row |= {"backward_call": call, "grads_in": [self.value(g) for g in gradients], "roots": list(roots)}
        self._calls[call] = row

    def _node(self, number: int, where: Place | None, call: int | None, arrived: list, sent: list) -> None:
        record = self.recorder.nodes[number]
        row = self._row("node", record.name, where)
        for nr in range(len(arrived)):
            self._parts.pop((number, nr), None)
        for i, (edge, value) in enumerate(zip(record.edges, sent, strict=False)):
            if value is not None:
                self._parts.setdefault(edge, []).append((number, i, value))
        row["node"] = number
        if call is not None:
            row["backward_call"] = call
        value = self.value
        row["grads_in"] = [value(v) for v in arrived]
        row["grads_out"] = [value(v) for v in sent]
        self._finish(row)

    def _done(self) -> None:
        self._parts.clear()

    def _enter(self, call: LayerCall | None) -> None:
        """Another call of a module, or none, is the innermost from now on."""
        self._within = call

    def _accumulate(
        self, tensor: int, where: Place | None, call: int | None, node: int | None, leaf: bool, output: int, before: Any, add: Any,
        after: Any, makes: int | None, written: tuple | None,
    ) -> None:  # fmt: skip
        row = self._row("accumulate", "backward", where)
        if makes is not None:
            row["makes"] = [makes]
        if written is not None:
            row["writes"] = [self._write(written)]
        self._finish(row)
        arrived: Any = ()
        if call in self._calls:
            # backward(inputs=...), which looks like autograd.grad() to an observer
            self._calls[call]["op"] = "backward"
        if node is not None:
            row["node"] = node
            # The node of a tensor that retains its grad begins after this, and needs what arrived too.
            arrived = self._parts.pop((node, 0), ()) if leaf else self._parts.get((node, output), ())
        if call is not None:
            row["backward_call"] = call
        row["grad"] = self._grad(tensor, "add", before, add, after, arrived)

    def _assigned(self, tensor: int, where: Place | None, grad: int | None, before: Any, after: Any) -> None:
        row = self._row("grad", "grad", where)
        if grad is not None:
            row["reads"] = [grad]
        self._finish(row)
        row["grad"] = self._grad(tensor, "none" if after is None else "set", before, None, after)

    def _error(self, where: Place | None, node: int | None, call: int | None, raised: dict[str, str]) -> None:
        row = self._row("error", "", where)
        called = re.findall(r"(\w+)\s*\(", self.calls.text(where))
        row["op"] = called[-1] if called else ""
        if node is not None:
            row["node"] = node
            if call is not None:
                row["backward_call"] = call
        row["error"] = {"type": raised["type"], "message": raised["message"][:2000]}

    def _released(self, record: NodeRecord) -> None:
        if record.freed is not None or not self.rows:
            return
        last, step = self.rows[-1], len(self.rows) - 1
        if last["kind"] == "gap" and record.born == step:
            record.freed = step + 1  # both were in the gap
        elif last["kind"] == "gap" or last.get("node") == record.id:
            record.freed = step
            last.setdefault("frees", []).append(record.id)

    def _map(self, step: int, made: dict | None) -> None:
        if made is not None:
            if step < len(self.rows):
                self.rows[step]["index_map"] = made
                self.maps += 1
            else:
                self._waiting[step] = (self._waiting.get(step, ({}, None))[0], made)

    def _change(self, tensor: TensorRecord, index: int, own: bool, state: tuple) -> None:
        """A tensor is not what it was: by the step at `index`, or unseen, after it."""
        record = tensor.seen
        requires, leaf, node, retains, storage, shape, strides, dtype, offset = state
        moved = storage != record.now_storage or strides != record.now_strides or shape != record.now_shape
        moved = moved or offset != record.now_offset
        moved = moved or dtype != record.now_dtype
        if (node, requires, retains) == (
            record.now_node,
            record.now_requires,
            record.now_retains,
        ) and not moved:
            return
        now = {"requires_grad": requires, "is_leaf": leaf, "grad_fn": node, "retains_grad": retains}
        before = (record.now_requires, record.now_leaf, record.now_node, record.now_retains)
        change = {key: new for (key, new), old in zip(now.items(), before, strict=True) if new != old}
        record.now_requires, record.now_leaf, record.now_node, record.now_retains = (
            requires,
            leaf,
            node,
            retains,
        )
        if moved:
            record.now_storage, record.now_shape, record.now_strides = storage, shape, strides
            record.now_offset = offset
            change |= {
                "storage": storage, "shape": list(shape), "stride": [s // dtype.itemsize for s in strides], "storage_offset": offset,
            }  # fmt: skip
            if dtype != record.now_dtype:  # x.data = y
                change["dtype"] = dtype_name(dtype)
                record.now_dtype = dtype
        if not own and index <= record.born:  # before anything else happened: so it was born
            for key in change.keys() & now.keys():
                setattr(record, key, change[key])
        elif index < len(self.rows):
            self._add_change(self.rows[index], record.id, change)
        else:
            changes = self._waiting.setdefault(index, ({}, None))[0]
            changes[record.id] = {**changes.get(record.id, {}), **change}


HANDLERS: dict[int, Any] = {
    events.OP: Replay._op, events.BACKWARD: Replay._backward, events.NODE: Replay._node, events.ACCUMULATE: Replay._accumulate,
    events.ASSIGNED: Replay._assigned, events.ERROR: Replay._error, events.CHANGE: Replay._change,
    events.WRITTEN: Replay._written, events.SEEN: Replay._seen, events.MAP: Replay._map,
    events.DONE: Replay._done, events.GAP: Replay._gap, events.WITHIN: Replay._enter,
}  # fmt: skip
