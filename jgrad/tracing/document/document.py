"""From a recorder to a trace document: plain JSON data, as `docs/trace-document.md` describes it."""

from __future__ import annotations

import bisect
import json
import math
from collections.abc import Iterable, Iterator
from operator import itemgetter
from types import CodeType
from typing import Any, cast

import numpy as np

from jgrad.tracing.document import sentences
from jgrad.tracing.document.forms import texts_of
from jgrad.tracing.document.index_words import in_words
from jgrad.tracing.document.local import Expression, Tensors, derivatives
from jgrad.tracing.document.noticed import notice
from jgrad.tracing.document.packing import Packer, RecordedDocument, rows_of
from jgrad.tracing.document.replay import Replay
from jgrad.tracing.document.rounds import LEAST, rounds_of
from jgrad.tracing.document.schema import (
    SCHEMA,
    Gap,
    Step,
    TraceDocument,
    TraceModule,
    TraceOptimizer,
)
from jgrad.tracing.document.sentences import Sentence
from jgrad.tracing.document.source import Source
from jgrad.tracing.document.user_sources import name_of
from jgrad.tracing.record.contents import dtype_name
from jgrad.tracing.record.recorder import Recorder
from jgrad.tracing.record.records import (
    Hook,
    NodeRecord,
    Place,
    SeenTensor,
    StorageMet,
    StorageRecord,
    TensorMet,
)

LIMIT = 3_500_000  # bytes of a packed document: deflated and in base64, as it is sent, less than 1.5 MB
A_STEP = 800  # of them that a step takes at most, with the things it made but without values
RESERVED = 60_000  # for notes and what ends the log


def build(replay: Replay, name: str, main: Recorder | None = None) -> TraceDocument:
    """The trace document of what a recorder saw. `main`: the recorder that sleeps while this one had a look for it."""
    replay.go_on()
    recorder, source = replay.recorder, replay.source
    names = _names(recorder)
    # Of a block that still runs rows may change.
    steps = [row.copy() for row in replay.rows] if recorder.running else replay.rows
    end = whole = len(steps)
    slopes = Slopes(replay, names)
    recorded = RecordedDocument(
        schema=SCHEMA, name=name, source=source.lines,
        storages=[_storage(r, met, replay, end) for r, met in zip(recorder.storages, replay.storages, strict=True)],
        tensors=[_tensor(t, names[t.id], replay, end) for t in replay.tensors],
        nodes=[_node(r, replay, end) | slopes.of(r) for r in recorder.nodes],
        steps=steps, notes=[], truncated=None,
    )  # fmt: skip
    calls, excerpts = replay.calls.tables()
    if calls:
        recorded |= {"sources": excerpts, "calls": calls}
    layers, layer_calls = replay.layers.tables(recorder)
    if layers:
        recorded |= {"layers": layers, "layer_calls": layer_calls}
    document = cast(TraceDocument, recorded)
    _add_models(document, recorder, replay)
    if replay.maps:
        recorded["steps"] = steps = [*steps]
        in_words(document)
    replay.fill_texts()
    met = {
        "storages": [met.seen for met in replay.storages],
        "tensors": [t.met.seen for t in replay.tensors],
        "nodes": [r.seen for r in recorder.nodes],
    }
    _name_rounds(steps, recorder)
    say = sentences.Brief()
    written = sentences.tell(document, say)
    # If it can't be too large it is packed when it is sent.
    if replay.maps or A_STEP * len(steps) + replay.written > LIMIT:
        # Each step is packed right after its sentence is made, while it is in the processor's cache.
        texts: list[Sentence] = []
        recorded.texts = texts
        fits = _pack(recorded, met, say, LIMIT, _noted(written, texts))
        if fits is not None:
            whole = fits
            _cut(document, texts, met, fits)
            _pack(recorded, met, say, math.inf, texts)
        recorded.texts = None
    else:
        recorded.texts = [*written]
    if recorder.seen > len(steps) or any(step["kind"] == "gap" for step in steps):
        gaps = len([step for step in steps if step["kind"] == "gap"])
        document["truncated"] = {
            "kept_steps": len(steps) - gaps,
            "seen_steps": max(recorder.seen, len(steps)),
        }
    if main is None:
        rounds = rounds_of(recorder, source, lambda n: _name(names[n]))
    else:
        rounds = rounds_of(main, source, lambda n: _name(main.names.shown.get(n, [])))
    if rounds is not None:
        rounds["kept"] = [part for part in rounds["kept"] if main is None and part[2] <= whole]
        # (The numbers are those of the main recorder.)
        known = len(document["tensors"]) if main is None else 0
        for parameter in rounds["parameters"]:
            parameter["tensor"] = _below(parameter["tensor"], known)
        document["rounds"] = rounds
        rounds["vanished"], rounds["noticed"] = notice(document)
    return document


def _add_models(document: TraceDocument, recorder: Recorder, replay: Replay) -> None:
    """Add the modules and optimizers, if there are any and the block has ended."""
    models = recorder.names.models
    if models.modules:
        document["modules"] = cast("list[TraceModule]", models.modules)
    if models.optimizers:
        known = replay.calls.known
        document["optimizers"] = cast("list[TraceOptimizer]", [
            o | {"stepped": [*filter(None, map(known, o["stepped"]))]} if "stepped" in o else o for o in models.optimizers
        ])  # fmt: skip


def _name(names: list) -> str:
    """The last name of a tensor."""
    return next((name for _, name in reversed(names) if name), "")


def _noted(written: Iterable[Sentence], texts: list[Sentence]) -> Iterator[Sentence]:
    """Sentences one after the other, put on a list as well."""
    for one in written:
        texts.append(one)
        yield one


def _pack(
    recorded: RecordedDocument,
    met: dict[str, list[int]],
    say: sentences.Brief,
    limit: float,
    texts: Iterable[Sentence],
) -> int | None:
    """Pack a document; how many of its steps fit into so many bytes, None if all do. `met`: how many steps there were when things were
    met. Index maps take a quarter of the room at most."""
    document = cast(TraceDocument, recorded)
    steps, maps = document["steps"], 0
    for step in steps:
        if "index_map" in step:
            maps += len(json.dumps(step["index_map"]))
            if maps > limit / 4:
                del step["index_map"]
    packer = recorded.packer = Packer(say)
    # By each step and the things that were new with it; by what was found in the end.
    taken = np.zeros(len(steps) + 1)
    for key, seen in met.items():
        when = np.minimum(np.array(seen, np.intp), len(steps))
        taken += np.bincount(when, packer.add(key, rows_of(document, key), texts_of(key, texts)), len(taken))
    taken[:-1] += packer.add("steps", rows_of(document, "steps"), texts)
    others = [
        document.get(key)
        for key in ("source", "sources", "calls", "layers", "layer_calls", "modules", "optimizers")
    ]
    room = limit - len(json.dumps(others)) - RESERVED
    fit = int(np.searchsorted(taken.cumsum(), room, side="right"))
    return fit if fit <= len(steps) else None


def _name_rounds(steps: list[dict[str, Any]], recorder: Recorder) -> None:
    """A gap names only rounds that there were: steps behind the last round look like the beginning of another one. (An error may come in a round that
    did not end, and a block that still runs may end its round.)"""
    total = recorder.rounds.count + any(step["kind"] == "error" for step in steps[-1:])
    for step in steps:
        gap = step.get("gap")
        if gap is not None and gap["rounds"] is not None and not recorder.running:
            first, last = gap["rounds"]
            known = recorder.rounds.count >= LEAST and first <= total
            gap["rounds"] = [first, min(last, total)] if known else None


def _cut(document: TraceDocument, texts: list[Sentence], met: dict[str, list[int]], end: int) -> None:
    """Take all steps from `end` on out of a document, and all that was not there before them."""
    steps = document["steps"]
    last, last_text = steps[-1], texts[-1]
    stays = last["kind"] == "error"  # which is what the reader looks for
    gap: Gap = {"rounds": None, "steps": len(steps) - end - stays}
    del steps[end:], texts[end:]
    for key, seen in met.items():
        kept = bisect.bisect_right(seen, end - 1)
        del rows_of(document, key)[kept:], seen[kept:]
    # (Its gap holds nothing of what these steps changed.)
    if gap["steps"]:
        steps.append(
            cast(
                Step,
                {
                    "kind": "gap",
                    "line": None,
                    "span": None,
                    "op": "gap",
                    "text": sentences.described_gap(gap),
                    "gap": gap,
                },
            )
        )
        texts.append((sentences.described_gap(gap), ()))
    if stays:
        steps.append(last)
        texts.append(last_text)
    _close(document, end)


def _close(document: TraceDocument, end: int) -> None:
    """Take out what refers to things that came later than the first steps of a document that was cut."""
    tensors, nodes = len(document["tensors"]), len(document["nodes"])
    below = _below
    for storage in document["storages"]:
        storage["freed_step"] = below(storage["freed_step"], end)
    for node in document["nodes"]:
        node["freed_step"] = below(node["freed_step"], end)
        if "hooks" in node:
            node["hooks"] = [h for h in node["hooks"] if h[0] < max(end, 1)]
        for edge in cast("list[list[int | None]]", node["next_functions"]):
            edge[0] = below(edge[0], nodes)
        for saved in node["saved"]:
            saved["tensor"] = below(saved["tensor"], tensors)
    for tensor in document["tensors"]:
        tensor["freed_step"] = below(tensor["freed_step"], end)
        tensor["names"] = [n for n in tensor["names"] if n[0] < max(end, 1)]
        tensor["grad_fn"] = below(tensor["grad_fn"], nodes)
    for model in (*document.get("modules", ()), *document.get("optimizers", ())):
        model["parameters"] = [t for t in model["parameters"] if t < tensors]
    for module in document.get("modules", ()):
        module["unlisted"] = [u for u in module["unlisted"] if max(u["parameters"]) < tensors]
        for switched in module["switched"]:
            switched["running_mean"] = below(switched["running_mean"], tensors)
    for layer in document.get("layers", ()):
        layer["parameters"] = [named for named in layer["parameters"] if named[1] < tensors]
    for step in document["steps"]:
        for change in step.get("changes", ()):
            if "grad_fn" in change:
                change["grad_fn"] = below(change["grad_fn"], nodes)
        if "node" in step and step["node"] >= nodes:
            del step["node"]


def _below(number: int | None, end: int) -> int | None:
    return None if number is None or number >= end else number


def _storage(r: StorageRecord, met: StorageMet, replay: Replay, end: int) -> dict[str, Any]:
    itemsize = met.dtype.itemsize
    return {
        "id": r.id, "nbytes": met.numel * itemsize, "itemsize": itemsize, "dtype": dtype_name(met.dtype), "device": met.device,
        "numel": met.numel, "created_step": r.born, "freed_step": _below(r.freed, end), "contents": replay.cells((met.numel, met.held), met.dtype),
    }  # fmt: skip


def _tensor(t: SeenTensor, names: list, replay: Replay, end: int) -> dict[str, Any]:
    met = t.met
    device = replay.storages[met.storage].device
    return {
        "id": t.id, "storage": met.storage, "shape": list(met.shape), "stride": _stride(met), "storage_offset": met.offset,
        "dtype": dtype_name(met.dtype), "device": device, "version_counter": t.counter, "version": met.version, "base": met.base,
        "created_step": met.born, "freed_step": _below(t.died, end), "names": names, "is_leaf": met.is_leaf,
        "requires_grad": met.requires_grad, "retains_grad": met.retains_grad, "grad_fn": met.grad_fn, "output_nr": met.output_nr,
        "origin": met.origin,
    }  # fmt: skip


def _stride(met: TensorMet) -> list[int]:
    """Strides in elements. Those of nothing are 0 in NumPy; in PyTorch they are as if every dimension had an element at least."""
    if 0 in met.shape and 0 in met.strides:
        return [math.prod(max(n, 1) for n in met.shape[d:]) for d in range(1, len(met.shape) + 1)]
    return [s // met.dtype.itemsize for s in met.strides]


def _node(r: NodeRecord, replay: Replay, end: int) -> dict[str, Any]:
    source = replay.source
    return {
        "id": r.id, "name": r.name, "formulas": replay.formulas(r.formulas), "next_functions": [list(edge) for edge in r.edges],
        "saved": [{"name": name, "tensor": tensor, "version": version} for name, tensor, version in r.saved], "created_step": r.born,
        "freed_step": _below(r.freed, end), "variable": r.variable, "line": replay.calls.in_cell(r.where)[0],
    } | ({"hooks": [_hook(h, source) for h in r.hooks if h.step < max(end, 1)]} if r.hooks else {})  # fmt: skip


class Slopes:
    """The local derivatives of nodes, in the words of the program; those that were made at one place are the same object."""

    def __init__(self, replay: Replay, names: list[list]) -> None:
        self.replay = replay
        self.names = {name for named in names for _, name in named}
        self.complex = {t.met.grad_fn for t in replay.tensors if t.met.dtype.kind == "c"}
        self._known: dict[tuple, dict[str, list[str]]] = {}

    def of(self, r: NodeRecord) -> dict[str, list[str]]:
        """What a node has of them in the document: nothing, if its source is not known or leaves a doubt."""
        if r.where is None or not r.formulas:
            return {}
        needed = [to is not None for to, _ in r.edges]
        key = (id(r.where), id(r.formulas), *needed, r.id in self.complex)
        if key not in self._known:
            said = self._said(r, r.where, needed)
            self._known[key] = {"derivatives": said} if any(said) else {}
        return self._known[key]

    def _said(self, r: NodeRecord, where: Place, needed: list[bool]) -> list[str]:
        dtype = "complex64" if r.id in self.complex else "float32"
        made = Expression(*self.replay.calls.expression(where))
        tensors = Tensors(self.names, where.top, needed)
        said = derivatives(r.name, self.replay.formulas(r.formulas), dtype, made, tensors)
        return [text if needs else "" for text, needs in zip(said, needed, strict=False)]


def _hook(hook: Hook, source: Source) -> list:
    """[step, "hook (line 3)"]: since when a node is known to have it. In other code: "hook louder (cell 4, line 3)"."""
    named, where = f"{hook.kind} {hook.name}", hook.where
    if isinstance(where, CodeType):
        return [hook.step, f"{named} ({name_of(where.co_filename)}, line {where.co_firstlineno})"]
    line = None if where is None else source.line(where)
    return [hook.step, named if line is None else f"{hook.kind} (line {line})"]


def _names(recorder: Recorder) -> list[list]:
    """The names of each tensor, with `x.grad` for what is or was the `.grad` of x."""
    recorder.names.update()
    names = [recorder.names.shown.get(r.id, []) for r in recorder.tensors]
    links: dict[int, list] = {}
    for step, number, whose in recorder.grad_links:
        links.setdefault(number, []).append((step, whose))
    for number, linked in links.items():
        events = [(step, "", name) for step, name in names[number]]
        for i, (step, whose) in enumerate(linked):
            owners = [] if whose is None else names[whose]
            at = bisect.bisect_right(owners, step, key=itemgetter(0))
            until = linked[i + 1][0] if i + 1 < len(linked) else math.inf
            end = bisect.bisect_left(owners, until, at, key=itemgetter(0))
            # Its name at that step, or its first one where that comes later; then what it is called next.
            named = owners[max(at - 1, 0)][1] if owners else ""
            for since, name in [(step, named), *owners[at:end]]:
                events.append((since, "grad", name and f"{name}.grad"))
        current: dict[str, tuple[int, str]] = {}
        shown: list = []
        for step, which, name in sorted(events, key=lambda e: e[0]):
            current.pop(which, None)
            if name:
                current[which] = (step, name)
            first = min(current.values(), default=(0, ""))[1]
            if first != (shown[-1][1] if shown else ""):
                shown.append([step, first])
        names[number] = shown
    return names
