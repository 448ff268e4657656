"""The rules that read a whole trace document and become its notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from jgrad.trace.explain.answers import why_raised
from jgrad.trace.explain.grads import reason
from jgrad.trace.explain.incident import Incident, stale
from jgrad.trace.explain.log import Log, name_at
from jgrad.trace.explain.rule import SEVERITIES, Rule, line_numbers, listed
from jgrad.trace.explain.subject import Subject, accumulations
from jgrad.trace.sentences import short

MOST = 100  # notes of one document
RAISED = "modified by an inplace operation"


def _saved_stale(log: Log) -> Iterator[dict]:
    if any(step["kind"] == "error" and RAISED in step["error"]["message"] for step in log.steps):
        return
    ran = {s["node"] for s in log.steps if s["kind"] == "node"}
    yield from stale(log, [n["id"] for n in log.nodes if n["freed"] is None and n["id"] not in ran], None)


def _accumulated(log: Log) -> Iterator[dict]:
    for leaf, calls in accumulations(log).items():
        if len(calls) > 1 and log.tensors[leaf]["is_leaf"]:
            name = log.name(leaf, calls[-1])
            yield {
                "step": calls[1], "tensors": [leaf], "lines": log.lines(*calls), "name": name, "count": len(calls),
                "where": line_numbers(log.lines(*calls)),
            }  # fmt: skip


def _data_write(log: Log) -> Iterator[dict]:
    told = set()
    for i, write in log.writes():
        storage = write["storage"]
        others = [
            t for t in (log.final[n] for n in log.lying_on.get(storage, ()))
            if t["storage"] == storage and t["counter"] != write["counter"] and t["born"] < i and (t["died"] is None or t["died"] > i)
        ]  # fmt: skip
        if others and storage not in told:
            told.add(storage)
            counters = {t["counter"] for t in others}
            savers = [
                n for n in log.nodes
                if n["born"] < i and (n["freed"] is None or n["freed"] > i)
                and any(s["tensor"] is not None and log.tensors[s["tensor"]]["counter"] in counters for s in n["saved"])
            ]  # fmt: skip
            danger = ""
            if savers:
                danger = f", and {short(savers[0]['name'])} (line {savers[0]['line']}) saved it: its gradient will be wrong without an error"
            yield {
                "step": i, "tensors": [write["tensor"], *(t["id"] for t in others)], "lines": log.lines(i), "at": log.at(i),
                "writer": log.name(write["tensor"], i), "storage": storage + 1, "danger": danger,
                "others": listed([log.name(t["id"], i) for t in others[:4]]), "severity": "error" if savers else "warning",
                "repair": f"Write to {log.name(others[0]['id'], i)} itself under no_grad(), which autograd counts.",
            }  # fmt: skip


def _shared(log: Log) -> Iterator[dict]:
    told = set()
    for i, write in log.writes():
        if log.steps[i]["kind"] != "write":
            continue
        written = log.through(write["tensor"], i)  # a[0] = 1 writes to a
        key = (write["storage"], written)
        if written is None or key in told:
            continue
        owner = log.tensors[written]
        others = {
            name: t["id"] for t in (log.tensors[n] for n in log.lying_on.get(write["storage"], ()))
            if t["storage"] == write["storage"] and t["id"] != written and t["born"] < i and (t["died"] is None or t["died"] > i)
            for name in [name_at(t, i)] if name and shows(t, write)
        }  # fmt: skip
        times = shows(owner, write)
        many = write["changed"] is not None and times > len(write["changed"]) > 0
        if others or many:
            told.add(key)
            name = name_at(owner, i)
            writer = name if written == write["tensor"] else f"a part of {name}"
            also = [*others][:4] + ([f"other elements of {name}"] if many else [])
            shared = (
                f"they share storage {write['storage'] + 1}" if others else "they are one place in memory"
            )
            yield {
                "step": i, "tensors": [written, *others.values()], "lines": log.lines(i), "at": log.at(i), "writer": writer,
                "others": listed(also), "shared": shared,
            }  # fmt: skip


def shows(tensor: dict, write: dict) -> int:
    """How many elements of a tensor show what a write changed; 1 where that is too much to count."""
    if write["changed"] is None:
        return 1
    places = {tensor["offset"]: 1}
    for extent, stride in zip(tensor["shape"], tensor["stride"], strict=True):
        if len(places) * extent > 4096:
            return 1
        before, places = places, {}
        for place, n in before.items():
            for here in range(place, place + extent * stride, stride) if stride else [place] * extent:
                places[here] = places.get(here, 0) + n
    return sum([places.get(p, 0) for p in write["changed"]])


def _sum_keeps_graphs(log: Log) -> Iterator[dict]:
    """A sum over the steps of a loop takes in a result with its history, although backward ran from it."""
    roots = {t for step in log.steps if step["kind"] == "backward" for t in step["roots"]}
    times: dict[tuple[int, str], list[int]] = {}
    for i, step in enumerate(log.steps):
        if step["op"] in ("add", "add_") and step["line"] is not None and "node" in step:
            root = next((t for t in step.get("reads", ()) if t in roots), None)
            total = [*step.get("makes", ()), *(w["tensor"] for w in step.get("writes", ()))]
            if root is not None and total and not roots.intersection(total):
                times.setdefault((step["line"], log.name(root, i)), []).append(i)
    for (_, root), steps in times.items():
        if len(steps) > 1:
            last = log.steps[steps[-1]]
            total = (last.get("makes") or [last["writes"][0]["tensor"]])[0]
            yield {
                "step": steps[-1], "tensors": [total], "lines": log.lines(steps[-1]), "at": log.at(steps[-1]), "root": root,
                "count": len(steps), "total": log.name(total),
            }  # fmt: skip


def _not_finite(log: Log) -> Iterator[dict]:
    for i, step in enumerate(log.steps):
        if step["kind"] == "node":
            bad = [v for v in step["grads_out"] if v and (v.get("nan") or v.get("inf"))]
            arrived = [v for v in step["grads_in"] if v and (v.get("nan") or v.get("inf"))]
            if bad and not arrived:
                node = log.nodes[step["node"]]
                yield {
                    "step": i, "tensors": [], "lines": sorted({x for x in (node["line"], step["line"]) if x}), "node": short(node["name"]),
                    "where": "" if node["line"] is None else f" (line {node['line']})", "what": "nan" if bad[0].get("nan") else "inf",
                }  # fmt: skip
                return


def _stretched(log: Log) -> Iterator[dict]:
    for i, step in enumerate(log.steps):
        if (
            step["kind"] == "op"
            and step["op"] in ("sub", "rsub")
            and len(step.get("reads", ())) == 2
            and step.get("makes")
        ):
            shapes = [log.tensors[t]["shape"] for t in step["reads"]]
            wide = log.tensors[step["makes"][0]]["shape"]
            column_and_row = sorted(shapes, key=len) == [wide[:1], [*wide[:1], 1]]
            if column_and_row and len({log.tensors[t]["storage"] for t in step["reads"]}) == 2:
                names = [log.name(t, i) for t in step["reads"]]
                yield {
                    "step": i, "tensors": step["reads"], "lines": log.lines(i), "at": log.at(i), "wide": wide,
                    "a": names[0], "b": names[1], "shape_a": shapes[0], "shape_b": shapes[1],
                }  # fmt: skip
                return


def _collisions(log: Log) -> Iterator[dict]:
    for i, step in enumerate(log.steps):
        m = step.get("index")
        if not m or m["gathers"] or m["reduce"] is not None or "of" in m or m["source"] is None:
            continue
        seen = Counter(target for _, _, target in m["moves"])
        twice = [target for target, n in seen.items() if n > 1]
        if twice:
            rest, where = twice[0], ""
            for extent in reversed(m["out"]["shape"]):
                rest, k = divmod(rest, extent)
                where = f"[{k}]{where}"
            name = log.name(m["out"]["tensor"], i) if m["out"]["tensor"] is not None else "out"
            yield {
                "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "op": m["op"], "place": f"{name}{where}", "count": seen[twice[0]],
                "more": f" (and {len(twice) - 1} more)" if len(twice) > 1 else "",
            }  # fmt: skip


def _mentioned_grads(log: Log) -> Iterator[dict]:
    """What `WHY` says of every `name.grad` that the source reads and that is None in the end."""
    text = "\n".join(log.source)
    for name in dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)\.grad\b(?!\s*(?:=[^=]|_fn))", text)):
        subject = Subject.of(log, name)
        if subject is not None and not subject.has_grad:
            found = reason(subject)
            if found["code"] not in ("grad-cleared", "grad-no-backward"):
                yield found | {"tensors": [subject.number]}


NOTES = (
    Rule(
        "saved-stale", "warning", "a tensor that backward will need was written to in place",
        "{saver} saved {name} (version {saved}) for {node}; {writer} wrote to it{through} (version {now}): backward through {node} will raise.",
        "Write to {name}.clone(), or use the operation that makes a new tensor.",
        _saved_stale,
        """
x = jgrad.ones(3, requires_grad=True)
y = x.exp()
y[0] = 1
""", """
x = jgrad.ones(3, requires_grad=True)
y = x.exp().clone()
y[0] = 1
""",
    ),
    Rule(
        "grad-accumulated", "warning", "several backward passes add to one .grad",
        "{name}.grad holds the sum of {count} backward passes ({where}), since nothing cleared it in between.",
        "Set {name}.grad = None before each, unless the sum is wanted.",
        _accumulated,
        """
w = jgrad.ones(1, requires_grad=True)
for i in range(4):
    (w * 5).backward()
""", """
w = jgrad.ones(1, requires_grad=True)
for i in range(4):
    w.grad = None
    (w * 5).backward()
""",
    ),
    Rule(
        "data-write", "warning", "a write that no version counter saw",
        "{at} wrote to storage {storage} through {writer}, whose version counter is not that of {others}: autograd did not notice{danger}.",
        "{repair}",
        _data_write,
        """
x = jgrad.ones(2, requires_grad=True)
y = x * x
x.data.mul_(3)
y.sum().backward()
""", """
x = jgrad.ones(2, requires_grad=True)
y = x * x
y.sum().backward()
with jgrad.no_grad():
    x.mul_(3)
""",
    ),
    Rule(
        "shared-memory", "info", "a write shows in another variable too, since they share memory",
        "{at} wrote to {writer}, and so to {others}: {shared}.",
        "",
        _shared,
        """
a = jgrad.ones(4)
b = a[2:]
b.zero_()
""", """
a = jgrad.ones(4)
b = a[2:].clone()
b.zero_()
""",
    ),
    Rule(
        "grad-not-finite", "warning", "nan or inf appears in a backward pass",
        "{node}{where} made {what} out of finite gradients: it is the first to do so.",
        "Keep its input away from where the derivative is infinite or undefined.",
        _not_finite,
        """
w = jgrad.zeros(1, requires_grad=True)
y = w.sqrt() * 0
y.backward()
""", """
w = jgrad.zeros(1, requires_grad=True)
y = (w + 1e-8).sqrt() * 0
y.backward()
""",
    ),
    Rule(
        "broadcast-both", "warning", "a difference of a column and a row, where one of the same shape was meant",
        "{at}: {a} {shape_a} and {b} {shape_b} were both stretched, to {wide}: each element of one meets each of the other.",
        "Bring them to one shape first, with squeeze(1) or [:, None].",
        _stretched,
        """
pred = jgrad.ones(3, 1, requires_grad=True)
target = jgrad.zeros(3)
loss = ((pred - target) ** 2).mean()
""", """
pred = jgrad.ones(3, 1, requires_grad=True)
target = jgrad.zeros(3)
loss = ((pred.squeeze(1) - target) ** 2).mean()
""",
    ),
    Rule(
        "sum-keeps-graphs", "warning", "losses are added up with their history",
        "{at} adds {root} to {total} with its history, {count} times: no graph can be freed while {total} lives.",
        "Add {root}.item() or {root}.detach().",
        _sum_keeps_graphs,
        """
w = jgrad.tensor(1.2, requires_grad=True)
total = 0
for i in range(3):
    w.grad = None
    loss = w * w
    loss.backward()
    total += loss
""",
        """
w = jgrad.tensor(1.2, requires_grad=True)
total = 0
for i in range(3):
    w.grad = None
    loss = w * w
    loss.backward()
    total += loss.item()
""",
    ),
    Rule(
        "scatter-collision", "warning", "scatter_ writes several times to one place",
        "{at}: {op} writes {count} times to {place}{more}; PyTorch does not say which write stays.",
        "Use scatter_add_ or scatter_reduce_ if they are to be brought together.",
        _collisions,
        """
out = jgrad.zeros(3)
out.scatter_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))
""", """
out = jgrad.zeros(3)
out.scatter_add_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))
""",
    ),
)  # fmt: skip


def notes(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The notes of a trace document, in the order of their steps."""
    log = Log(document)
    found = [
        _note(rule.code, case.get("severity", rule.severity), rule.say(case), case)
        for rule in NOTES
        for case in rule.find(log)
    ]
    for i, step in enumerate(log.steps):
        if step["kind"] == "error":
            incident = Incident.of_step(log, i)
            because = why_raised(incident)
            if because is not None:
                rule, text, case = because
                place = {
                    "step": i,
                    "tensors": case.get("tensors", []),
                    "lines": case.get("lines", log.lines(i)),
                }
                found.append(_note(rule.code, rule.severity, text, place))
    found += [_note(case["code"], "info", case["text"], case) for case in _mentioned_grads(log)]
    gravest = sorted(found, key=lambda note: SEVERITIES.index(note["severity"]))[:MOST]
    return sorted(gravest, key=lambda note: note["step"])


def _note(code: str, severity: str, text: str, case: dict) -> dict[str, Any]:
    found = {"step": case["step"], "code": code, "severity": severity, "text": text}
    return found | {"tensors": case["tensors"], "lines": case["lines"]}
