"""What a training loop worked on, as a trace document has it: see `jgrad/tracing/record/evidence.py`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad.tracing.document.source import Source
from jgrad.tracing.record.evidence import Activation, Objective, Weight
from jgrad.tracing.record.figures import Array, Series
from jgrad.tracing.record.recorder import Recorder
from jgrad.tracing.record.records import Place

FEW_LABELS = 100  # labels that are listed
LAST = 10  # dead units are those of the last of so many parts of the rounds
LEAST_LOOKS = 4  # or of so many looks
NARROW = 3  # calls of a softmax over one element that are no accident


def evidence_of(recorder: Recorder, source: Source, series: list[Series]) -> dict[str, Any]:
    """The fields of `Rounds`. `series`: the parameters, in the order of the document."""
    found = recorder.evidence
    line = _lines(source)
    position = {id(s.record): i for i, s in enumerate(series) if s.record is not None}
    dropouts = {(line(p), _short(drops)): None for p, drops in found.dropouts.values()}
    weights = [w for w in found.weights.values() if w.trained and id(w.record) in position]
    fields: dict[str, Any] = {
        "objectives": [_objective(o, found.passes, line) for o in found.objectives.values()],
        "weights": [{"parameter": position[id(w.record)], **_weight(w)} for w in weights],
        "activations": [_activation(a, line) for a in found.activations.values()],
        "dropouts": [{"line": at, "drops": drops} for at, drops in dropouts],
        "narrow": [
            {"op": op, "line": line(p), "calls": narrow}
            for (op, _), (p, calls, narrow) in found.softmaxes.items()
            if narrow == calls >= NARROW
        ],
    }
    return {key: value for key, value in fields.items() if value}


def _lines(source: Source) -> Callable[[Place | None], int | None]:
    """What gives the innermost line of the traced code that led to a place."""

    def line(place: Place | None) -> int | None:
        while place is not None and not place.here:
            place = place.caller
        return None if place is None else source.line(place.line)

    return line


def _short(number: float) -> Any:
    """A number as a document has it: five digits, null if it is not finite."""
    return float(f"{number:.5g}") if math.isfinite(number) else None


def _objective(o: Objective, passes: int, line: Callable[[Place | None], int | None]) -> dict[str, Any]:
    constant = constant_loss(o)
    found: dict[str, Any] = {
        "op": o.op, "line": line(o.place), "calls": o.calls, "roots": _short(o.roots / max(passes, 1)), "constant": None if constant is None else _short(constant),
    }  # fmt: skip
    if o.width is not None:
        found["width"] = o.width
    if o.labels is not None:
        known = np.flatnonzero(o.labels)
        found["labels"] = [[int(k), int(o.labels[k])] for k in known[:FEW_LABELS]]
        size = o.sizes / o.calls
        part = o.labels / o.labels.sum()
        expected = float((1 - (1 - part) ** size).sum())
        found["batches"] = [_short(o.distinct / o.calls), _short(expected)]
    if o.rows:
        rows = np.concatenate(o.rows)
        shares = [(rows < 0).mean(), ((rows < 0) | (rows > 1)).mean(), (np.abs(rows) > 1).mean()]
        found["targets"] = [
            _short(float(x)) for x in (rows.min(), rows.max(), np.sqrt(np.square(rows).mean()))
        ]
        found["outside"] = [_short(float(x)) for x in shares]
        if rows.shape[1] > 1:
            whole = ((rows == 0) | (rows == 1)).all(1) & (rows.sum(1) == 1)
            found["one_hot"] = _short(float(whole.mean()))
        if None in found["targets"]:
            del found["targets"], found["outside"]
    if o.looks:
        which = "unnormalized" if o.op == "nll_loss" else "wrong_sums"
        far = (o.unnormalized if o.op == "nll_loss" else o.wrong_sums) / o.looks
        found[which] = _short(far) if math.isfinite(far) else 0.0
    return found


def constant_loss(o: Objective) -> float | None:
    """The loss of the best constant prediction, as the backward call sees it; None if that is not known."""
    if not o.plain:
        return None
    if o.op == "cross_entropy" and o.labels is not None:
        return _entropy(o.labels / o.labels.sum()) * o.factor
    if not o.rows or o.op == "nll_loss":
        return None
    rows = np.concatenate(o.rows)
    if not np.isfinite(rows).all():
        return None
    if o.op.startswith("binary"):
        part = rows.mean(0)
        within = (part >= 0).all() and (part <= 1).all()
        return float(np.mean([_entropy(np.array([p, 1 - p])) for p in part])) * o.factor if within else None
    return float(_of_constant(o.op, rows)) * o.factor


def _of_constant(op: str, rows: Array) -> Any:
    if op == "mse_loss":
        return rows.var(0).mean()
    far = np.abs(rows - np.median(rows, 0))
    if op == "l1_loss":
        return far.mean()
    near = np.where(far < 1, far**2 / 2, far - 0.5)
    away = np.abs(rows - rows.mean(0))
    other = np.where(away < 1, away**2 / 2, away - 0.5)
    return np.minimum(near.mean(0), other.mean(0)).mean()


def _entropy(parts: Array) -> float:
    known = parts[parts > 0]
    return float(-(known * np.log(known)).sum())


def _weight(w: Weight) -> dict[str, Any]:
    def rms(squares: list[float]) -> Any:
        return _short(math.sqrt(float(np.median(squares)))) if squares else None

    return {
        "first": w.first, "inputs": rms(w.trained), "evaluated": rms(w.evaluated), "inside": w.inside, "units": w.units, "alike": w.alike,
        "spread": _short(w.spread) or 0.0,
    }  # fmt: skip


def _activation(a: Activation, line: Callable[[Place | None], int | None]) -> dict[str, Any]:
    dead = None
    if a.alive:
        last = [alive for call, alive in a.alive if call > a.calls - a.calls // LAST]
        last = last if len(last) >= LEAST_LOOKS else [alive for _, alive in a.alive[-LEAST_LOOKS:]]
        alive = np.any([np.frombuffer(one, bool) for one in last], axis=0)
        dead = _short(1 - float(alive.mean()))
    flat = [_short(a.flat[0]), _short(a.flat[-1])] if a.flat else None
    return {
        "op": a.op,
        "line": line(a.place),
        "units": a.units,
        "dead": dead,
        "flat": flat,
        "spread": _short(a.spread) or 0.0,
    }
