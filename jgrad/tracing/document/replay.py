"""From the recorder's event log to the rows of a trace document: what each step read, made, wrote and changed.

A replay goes on where it stopped, so that the document of a block that still runs costs what is new in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any, cast

from jgrad.tracing.document.calls import Calls
from jgrad.tracing.document.formulas import by_hand
from jgrad.tracing.document.layers import LayerTable
from jgrad.tracing.document.schema import Contents, Span, Value
from jgrad.tracing.document.source import Source
from jgrad.tracing.document.values import cells_of, fill_changed, fill_texts, value_of
from jgrad.tracing.record import events
from jgrad.tracing.record.contents import Ends, Held, dtype_name
from jgrad.tracing.record.declared import Plain, part, read, replaced
from jgrad.tracing.record.events import GradChange, GradWrite, Write, told
from jgrad.tracing.record.layers import LayerCall
from jgrad.tracing.record.recorder import Recorder
from jgrad.tracing.record.records import (
    OUTSIDE,
    NodeRecord,
    Place,
    SeenTensor,
    StorageMet,
    StorageRecord,
    TensorMet,
    TensorRecord,
    TensorState,
)

IN_GRAPH = ("requires_grad", "is_leaf", "grad_fn", "retains_grad")  # what the graph says of a tensor
IN_MEMORY = ("storage", "shape", "strides", "dtype", "offset")  # and where its elements are
state_when_met = part(TensorMet, TensorState)
graph_of: Any = attrgetter(*IN_GRAPH)
memory_of: Any = attrgetter(*IN_MEMORY)


class Replay:
    """The steps of a recording as rows of its document, `rows`, and its records filled in."""

    def __init__(self, recorder: Recorder, source: Source) -> None:
        self.recorder = recorder
        self.source = source
        self.compactions = recorder.compactions  # when steps were dropped since, it is no longer valid
        self.rows: list[dict[str, Any]] = []
        self.storages: list[StorageMet] = []
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
        self._uncompared: list[tuple[dict[str, Any], Any, bytes, Any]] = []
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
            event = told(log[i])
            HANDLERS[event.__class__](self, event)
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

    def elements(self, most: int) -> dict[int, bytes]:
        """The elements of contents that were copied in full, by the address of what the document has of them: at most so many bytes, the shortest first."""
        found: dict[int, bytes] = {}
        for (_, held), shown in sorted(
            [(raw, c) for (raw, _), c in self._cells.items()], key=lambda one: one[0][0]
        ):
            whole = (held.sample or None) if isinstance(held, Ends) and held.step == 1 else held
            if isinstance(whole, bytes) and len(whole) <= most:
                found[id(shown)] = whole
                most -= len(whole)
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
            s.freed = None
            self.storages.append(read(StorageMet, s.raw))
        for r in recorder.tensors[tensors:]:
            met = read(TensorMet, r.raw)
            t = r.seen = SeenTensor(r.id, met, state_when_met(r.raw), self._counter(met.counter))
            self.tensors.append(t)
            self._versions.setdefault(t.counter, met.version)
        for n in recorder.nodes[nodes:]:
            n.freed = None
            n.edges = [e if isinstance(e, tuple) else (e, 0) for e in n.next]
            if n.born is None:
                assert n.variable is not None
                n.born = recorder.tensors[n.variable].seen.met.born

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

    def _operation(self, event: events.Operation) -> None:
        row = self._row(event.kind, event.operator, event.place)
        if self._within is not None:
            row["layer_call"] = self.layers.number_of(self._within)
        if event.operator == OUTSIDE:
            row["span"] = None  # where it shows is not what did it
            row.pop("call", None)
        reads, makes = event.reads, event.makes
        if reads:
            row["reads"] = [*dict.fromkeys(reads)] if len(reads) > 1 else [*reads]
        if makes:
            row["makes"] = list(makes)
        self._finish(row)
        if event.node is not None:
            row["node"] = event.node
        if event.call is not None:
            row["backward_call"] = event.call
        self._where = event.place

    def _wrote(self, event: events.Wrote) -> None:
        """What the step before wrote."""
        step = event.step
        row = self.rows[step]
        row["writes"] = [self._write(event.write)]
        for change in row.get("changes", ()):
            made = change.get("grad_fn")
            if made is not None:  # the new grad_fn of a view
                record = self.recorder.nodes[made]
                if record.where is None and record.born == step:
                    record.where = self._where
        if event.grad is not None:
            row["kind"] = "grad"
            grad = read(GradWrite, event.grad)
            action = "zero" if row["op"] == "zero_" else "set"
            row["grad"] = self._grad(grad.tensor, action, grad.before, None, grad.after)

    def _returned(self, event: events.Returned) -> None:
        """A tensor that the step before gave back: it may have counted as a write, though no element was written."""
        write = read(Write, event.write)
        if write.version > self._versions.get(self._counter(write.counter), write.version):
            unwritten = replaced(Write, event.write, elements=0, changed=[])
            self.rows[event.step].setdefault("writes", []).append(self._write(unwritten))

    def _write(self, written: Plain[Write]) -> dict[str, Any]:
        write = read(Write, written)
        changed, version, contents = write.changed, write.version, write.contents
        counter, seen = self._counter(write.counter), self.recorder.tensors[write.tensor].seen
        # Batch statistics are written to and not counted. Of a tensor that was not met before, the version is that after the step.
        new = seen.met.seen >= len(self.rows) - 1 and self.rows[-1]["op"] != OUTSIDE
        counted = new or self._versions.get(counter) != version
        self._versions[counter] = version
        seen.counter = counter  # copy.copy() makes a tensor that gets one of its own only now
        row = {
            "tensor": write.tensor, "storage": write.storage, "version_counter": counter, "versions": [version - counted, version],
            "numel": write.elements, "changed_elements": changed, "contents": self.cells(contents, write.dtype),
        }  # fmt: skip
        _, held = contents
        if isinstance(changed, tuple):
            _, _, before = changed
            self._uncompared.append((row, write.dtype, before, held))
        self._held[write.storage] = held
        return row

    def _gap(self, event: events.Gap) -> None:
        """Steps that were not kept: what they changed, in sum."""
        row = self._row("gap", "gap", None)
        rounds = None if event.first_round is None else [event.first_round, event.last_round]
        row["gap"] = {"rounds": rounds, "steps": event.steps}
        self._finish(row)
        written = [write for w in event.writes.values() if (write := self._write_in_gap(w)) is not None]
        if written:
            row["writes"] = written
        updates = []
        for whose, change in event.grads.items():
            after = read(GradChange, change).after
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

    def _write_in_gap(self, written: Plain[Write]) -> dict[str, Any] | None:
        """The sum of all writes to a storage in a gap, None if nothing changed."""
        write = read(Write, written)
        counter, seen = self._counter(write.counter), self.recorder.tensors[write.tensor].seen
        before = self._versions.get(counter, write.version)
        held = self._held.get(write.storage, self.storages[write.storage].held)
        _, now = write.contents
        if before == write.version and held == now:
            return None
        row = self._write(written)
        row["versions"] = [before, write.version]
        seen.counter = counter
        return row

    def _grad(
        self, whose: int, action: str, before: Any, add: Any, after: Any, parts: Any = ()
    ) -> dict[str, Any]:
        self._last_grads[whose] = self.value(after)
        return {
            "tensor": whose, "action": action, "before": self.value(before), "added": self.value(add), "after": self.value(after),
            "contributions": [{"node": n, "edge": e, "value": self.value(v)} for n, e, v in parts],
        }  # fmt: skip

    def _backward(self, event: events.Backward) -> None:
        row = self._row("backward", event.name, event.place)
        row["reads"] = event.roots
        self._finish(row)
        arrived = [self.value(g) for g in event.gradients]
        row |= {"backward_call": event.call, "grads_in": arrived, "roots": list(event.roots)}
        self._calls[event.call] = row

    def _node_ran(self, event: events.NodeRan) -> None:
        number, value = event.node, self.value
        record = self.recorder.nodes[number]
        row = self._row("node", record.name, event.place)
        for nr in range(len(event.arrived)):
            self._parts.pop((number, nr), None)
        for i, (edge, sent) in enumerate(zip(record.edges, event.sent, strict=False)):
            if sent is not None:
                self._parts.setdefault(edge, []).append((number, i, sent))
        row["node"] = number
        if event.call is not None:
            row["backward_call"] = event.call
        row["grads_in"] = [value(v) for v in event.arrived]
        row["grads_out"] = [value(v) for v in event.sent]
        self._finish(row)

    def _backward_done(self, event: events.BackwardDone) -> None:
        self._parts.clear()

    def _enter(self, event: events.Within) -> None:
        """Another call of a module, or none, is the innermost from now on."""
        self._within = event.call

    def _accumulated(self, event: events.Accumulated) -> None:
        row = self._row("accumulate", "backward", event.place)
        if event.makes is not None:
            row["makes"] = [event.makes]
        if event.write is not None:
            row["writes"] = [self._write(event.write)]
        self._finish(row)
        arrived: Any = ()
        if event.call in self._calls:
            # backward(inputs=...), which looks like autograd.grad() to an observer
            self._calls[event.call]["op"] = "backward"
        if event.node is not None:
            row["node"] = event.node
            # The node of a tensor that retains its grad begins after this, and needs what arrived too.
            if event.is_leaf:
                arrived = self._parts.pop((event.node, 0), ())
            else:
                arrived = self._parts.get((event.node, event.output_nr), ())
        if event.call is not None:
            row["backward_call"] = event.call
        row["grad"] = self._grad(event.tensor, "add", event.before, event.added, event.after, arrived)

    def _assigned(self, event: events.Assigned) -> None:
        row = self._row("grad", "grad", event.place)
        if event.grad is not None:
            row["reads"] = [event.grad]
        self._finish(row)
        action = "none" if event.after is None else "set"
        row["grad"] = self._grad(event.tensor, action, event.before, None, event.after)

    def _marked(self, event: events.Marked) -> None:
        row = self._row("mark", event.name, event.place)
        self._finish(row)
        if event.call is not None:
            row["backward_call"] = event.call

    def _raised(self, event: events.Raised) -> None:
        row = self._row("error", "", event.place)
        called = re.findall(r"(\w+)\s*\(", self.calls.text(event.place))
        row["op"] = called[-1] if called else ""
        if event.node is not None:
            row["node"] = event.node
            if event.call is not None:
                row["backward_call"] = event.call
        row["error"] = {"type": event.type, "message": event.message[:2000]}

    def _tensor_died(self, record: TensorRecord) -> None:
        record.seen.died = len(self.rows)

    def _storage_freed(self, record: StorageRecord) -> None:
        record.freed = len(self.rows)

    def _released(self, record: NodeRecord) -> None:
        if record.freed is not None or not self.rows:
            return
        last, step = self.rows[-1], len(self.rows) - 1
        if last["kind"] == "gap" and record.born == step:
            record.freed = step + 1  # both were in the gap
        elif last["kind"] == "gap" or last.get("node") == record.id:
            record.freed = step
            last.setdefault("frees", []).append(record.id)

    def _mapped(self, event: events.Mapped) -> None:
        step, made = event.step, cast("dict | None", event.map)
        if made is not None:
            if step < len(self.rows):
                self.rows[step]["index_map"] = made
                self.maps += 1
            else:
                self._waiting[step] = (self._waiting.get(step, ({}, None))[0], made)

    def _changed(self, event: events.Changed) -> None:
        """A tensor is not what it was: by the step of the event, or unseen, after it."""
        tensor, step = event.record.seen, event.step
        before, now = tensor.now, read(TensorState, event.state)
        moved = memory_of(now) != memory_of(before)
        same = (now.grad_fn, now.requires_grad, now.retains_grad) == (
            before.grad_fn,
            before.requires_grad,
            before.retains_grad,
        )
        if same and not moved:
            return
        tensor.now = now
        in_graph = zip(IN_GRAPH, graph_of(now), graph_of(before), strict=True)
        change: dict[str, Any] = {key: new for key, new, old in in_graph if new != old}
        born = dict(change)
        if moved:
            strides = [s // now.dtype.itemsize for s in now.strides]
            change |= {
                "storage": now.storage, "shape": list(now.shape), "stride": strides, "storage_offset": now.offset,
            }  # fmt: skip
            if now.dtype != before.dtype:  # x.data = y
                change["dtype"] = dtype_name(now.dtype)
        if not event.own and step <= tensor.met.born:  # before anything else happened: so it was born
            tensor.met = tensor.met._replace(**born)
        elif step < len(self.rows):
            self._add_change(self.rows[step], tensor.id, change)
        else:
            changes = self._waiting.setdefault(step, ({}, None))[0]
            changes[tensor.id] = {**changes.get(tensor.id, {}), **change}


HANDLERS: dict[type, Callable[[Replay, Any], None]] = {
    events.Operation: Replay._operation,
    events.Backward: Replay._backward,
    events.NodeRan: Replay._node_ran,
    events.Accumulated: Replay._accumulated,
    events.Assigned: Replay._assigned,
    events.Marked: Replay._marked,
    events.Raised: Replay._raised,
    events.Gap: Replay._gap,
    events.Changed: Replay._changed,
    events.Wrote: Replay._wrote,
    events.Returned: Replay._returned,
    events.Mapped: Replay._mapped,
    events.BackwardDone: Replay._backward_done,
    events.Within: Replay._enter,
    TensorRecord: Replay._tensor_died,
    StorageRecord: Replay._storage_freed,
    NodeRecord: Replay._released,
}
