"""From the log to sentences: why a `.grad` is None, doubled or wrong, which line spoilt what backward needs, which line saved it.

Each `Rule` is data: a code, how grave it is, a sentence with blanks, and a function that finds what to fill in. Some rules read the whole
document (`NOTES`) and become its notes; the others (`WHY`) answer for one tensor, in the order in which they stand: the first that
applies is the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from jgrad.trace.contents import as_value, measure
from jgrad.trace.sentences import brief, short

SEVERITIES = ("error", "warning", "info")
MOST = 100  # notes of one document


@dataclass(frozen=True)
class Rule:
    """`find` yields a dict for each case: the blanks of `text`, and `step`, `tensors`, `lines` of the note."""

    code: str
    severity: str
    text: str
    find: Callable[[Any], Iterator[dict[str, Any]]]


class Log:
    """A trace document with what the rules ask of it."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.tensors: list[dict] = document["tensors"]
        self.nodes: list[dict] = document["nodes"]
        self.steps: list[dict] = document["steps"]
        self.source: list[str] = document["source"]
        self.maker: dict[int, int] = {}  # tensor -> the step that made it
        self.final = [dict(t) for t in self.tensors]  # tensors as they were in the end
        self.node_maker: dict[int, int] = {}
        self.writes_to: dict[int, list[tuple[int, dict]]] = {}  # version counter -> (step, write)
        for i, step in enumerate(self.steps):
            for t in step.get("makes", ()):
                self.maker[t] = i
            if step["kind"] in ("create", "op", "view", "write") and "node" in step:
                self.node_maker.setdefault(step["node"], i)
            for write in step.get("writes", ()):
                self.writes_to.setdefault(write["counter"], []).append((i, write))
            for change in step.get("changes", ()):
                self.final[change["tensor"]] |= change

    def name(self, number: int, index: int | None = None) -> str:
        """What the user called a tensor at a step (in the end), or the source that made it, or its number."""
        found = ""
        for since, name in self.tensors[number]["names"]:
            if index is None or since <= index:
                found = name or (found if index is None else "")
        if not found and number in self.maker:
            step = self.steps[self.maker[number]]
            span = step["span"]
            if (
                step["kind"] in ("op", "view", "create")
                and span
                and span[0] == span[2]
                and span[3] - span[1] <= 40
            ):
                found = self.source[span[0] - 1][span[1] : span[3]]
        return found or f"tensor {number + 1}"

    def at(self, index: int | None) -> str:
        """ "line 3", or which step where no line is known."""
        if index is None:
            return "something before this cell"
        line = self.steps[index]["line"]
        return f"step {index + 1}" if line is None else f"line {line}"

    def lines(self, *indexes: int | None) -> list[int]:
        """The lines of steps."""
        found = [self.steps[i]["line"] for i in indexes if i is not None]
        return sorted({line for line in found if line is not None})

    def error(self, *phrases: str) -> Iterator[tuple[int, dict]]:
        """The error steps whose message contains one of the phrases."""
        for i, step in enumerate(self.steps):
            if step["kind"] == "error" and any(p in step["error"]["message"] for p in phrases):
                yield i, step

    def writes(self) -> Iterator[tuple[int, dict]]:
        """(step, write) in order."""
        yield from sorted((w for writes in self.writes_to.values() for w in writes), key=lambda w: w[0])

    def cutter(self, number: int) -> str:
        """What made a tensor that has no history though it was computed from one that has."""
        op = self.steps[self.maker[number]]["op"]
        known = {"detach": "detach()", "data": ".data"}
        return known.get(op, "no_grad() or an operation without derivative")

    def cut(self, source: int, root: int, index: int) -> int | None:
        """The tensor at which the way from `source` to `root` leaves the graph: it has no gradient though it was computed from one that
        has. None if the root was not computed from the source."""
        seen, todo, found = {root}, [root], None
        children: dict[int, list[int]] = {}
        while todo:
            t = todo.pop()
            maker = self.maker.get(t)
            reads = () if maker is None or maker >= index else self.steps[maker].get("reads", ())
            for r in reads:
                children.setdefault(r, []).append(t)
                if r not in seen:
                    seen.add(r)
                    todo.append(r)
        if source not in seen:
            return None
        todo, passed = [source], {source}
        while todo:
            t = todo.pop()
            for child in children.get(t, ()):
                if not self.tensors[child]["requires_grad"] and self.tensors[t]["requires_grad"]:
                    found = child if found is None else min(found, child)
                elif child not in passed:
                    passed.add(child)
                    todo.append(child)
        return found


# What happened -------------------------------------------------------------------------------------------------------------------------


def _saved_overwritten(log: Log) -> Iterator[dict]:
    for i, step in log.error("modified by an inplace operation"):
        yield from _stale(log, [step["node"]] if "node" in step else range(len(log.nodes)), i)


def _saved_stale(log: Log) -> Iterator[dict]:
    if any(True for _ in log.error("modified by an inplace operation")):
        return
    ran = {s["node"] for s in log.steps if s["kind"] == "node"}
    yield from _stale(log, [n["id"] for n in log.nodes if n["freed"] is None and n["id"] not in ran], None)


def _stale(log: Log, nodes: Any, index: int | None) -> Iterator[dict]:
    for number in nodes:
        node = log.nodes[number]
        for saved in node["saved"]:
            if saved["tensor"] is None:
                continue
            counter = log.tensors[saved["tensor"]]["counter"]
            for i, write in log.writes_to.get(counter, ()):
                if (
                    write["versions"][0] >= saved["version"]
                    and i >= node["born"]
                    and (index is None or i < index)
                ):
                    made = log.node_maker.get(number)
                    name, writer = log.name(saved["tensor"], i), log.name(write["tensor"], i)
                    through = "" if writer == name else f" through {writer}"
                    yield {
                        "step": i if index is None else index, "tensors": [saved["tensor"]], "lines": log.lines(made, i),
                        "saver": log.at(made), "name": name, "saved": saved["version"], "node": short(node["name"]),
                        "writer": log.at(i), "op": log.steps[i]["op"], "through": through, "now": write["versions"][1],
                    }  # fmt: skip
                    return


def _leaf_inplace(log: Log) -> Iterator[dict]:
    for i, step in log.error("leaf Variable that requires grad is being used in an in-place operation"):
        span = step["span"]
        text = (
            log.source[span[0] - 1][span[1] : span[3]]
            if span and span[0] == span[2]
            else step["op"] or "this"
        )
        yield {"step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "what": text}


def _second_time(log: Log) -> Iterator[dict]:
    for i, step in log.error("backward through the graph a second time"):
        freed = log.nodes[step["node"]]["freed"] if "node" in step else None
        if freed is None:
            freed = max((n["freed"] for n in log.nodes if n["freed"] is not None), default=None)
        yield {
            "step": i,
            "tensors": [],
            "lines": log.lines(freed, i),
            "at": log.at(i),
            "freer": log.at(freed),
        }


def _no_history(log: Log) -> Iterator[dict]:
    for i, step in log.error("does not require grad and does not have a grad_fn"):
        span = step["span"]
        text = log.source[span[0] - 1][span[1] : span[3]] if span and span[0] == span[2] else ""
        named = re.match(r"(\w+)\.backward\(", text)
        root = named and next((t["id"] for t in reversed(log.tensors) if _named(t, i) == named[1]), None)
        cut = None if not isinstance(root, int) else _first_cut(log, root, i)
        why = "nothing it was computed from requires grad, or detach(), .data or no_grad() cut it off"
        if cut is not None:
            leaf, place = cut
            made = log.maker[place]
            why = f"it was computed from {log.name(leaf, i)}, but {log.at(made)} cut the graph with {log.cutter(place)}"
        yield {"step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "why": why}


def _first_cut(log: Log, root: int, index: int) -> tuple[int, int] | None:
    """(leaf, tensor at which the way from it to `root` leaves the graph)."""
    for t in log.tensors:
        if t["requires_grad"] and t["is_leaf"] and t["id"] != root:
            cut = log.cut(t["id"], root, index)
            if cut is not None:
                return t["id"], cut
    return None


def _not_scalar(log: Log) -> Iterator[dict]:
    for i, _ in log.error("grad can be implicitly created only for scalar outputs"):
        yield {"step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i)}


def _accumulated(log: Log) -> Iterator[dict]:
    for leaf, calls in _accumulations(log).items():
        if len(calls) > 1 and log.tensors[leaf]["is_leaf"]:
            name = log.name(leaf, calls[-1])
            yield {
                "step": calls[1], "tensors": [leaf], "lines": log.lines(*calls), "name": name, "count": len(calls),
                "where": _lines(log.lines(*calls)),
            }  # fmt: skip


def _accumulations(log: Log) -> dict[int, list[int]]:
    """For each tensor the steps that added to the longest run of its `.grad` that nothing cleared."""
    longest: dict[int, list[int]] = {}
    current: dict[int, list[int]] = {}
    for i, step in enumerate(log.steps):
        grad = step.get("grad")
        if grad is None:
            continue
        leaf = grad["tensor"]
        if grad["action"] == "add":
            run = current.setdefault(leaf, [])
            run.append(i)
            if len(run) > len(longest.get(leaf, ())):
                longest[leaf] = list(run)
        else:
            current[leaf] = []
    return longest


def _data_write(log: Log) -> Iterator[dict]:
    told = set()
    for i, write in log.writes():
        storage = write["storage"]
        others = [
            t for t in log.final
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
                "others": _listed([log.name(t["id"], i) for t in others[:4]]), "severity": "error" if savers else "warning",
            }  # fmt: skip


def _shared(log: Log) -> Iterator[dict]:
    told = set()
    for i, write in log.writes():
        writer = log.tensors[write["tensor"]]
        named = {
            name: t["id"] for t in log.tensors
            if t["storage"] == write["storage"] and t["id"] != writer["id"] and t["born"] < i and (t["died"] is None or t["died"] > i)
            for name in [_named(t, i)] if name and _touches(t, write)
        }  # fmt: skip
        key = (write["storage"], writer["id"])
        if named and key not in told and _named(writer, i) and log.steps[i]["kind"] == "write":
            told.add(key)
            yield {
                "step": i, "tensors": [writer["id"], *named.values()], "lines": log.lines(i), "at": log.at(i),
                "writer": log.name(writer["id"], i), "storage": write["storage"] + 1, "others": _listed(list(named)[:4]),
            }  # fmt: skip


def _touches(tensor: dict, write: dict) -> bool:
    """Whether a tensor shows an element that a write changed."""
    if write["changed"] is None:
        return True
    places = {tensor["offset"]}
    for extent, stride in zip(tensor["shape"], tensor["stride"], strict=True):
        if extent == 0:
            return False
        if len(places) * extent > 4096:
            return True
        places = {p + k * stride for p in places for k in range(extent if stride else 1)}
    return not places.isdisjoint(write["changed"])


def _named(tensor: dict, index: int) -> str:
    found = ""
    for since, name in tensor["names"]:
        if since <= index:
            found = name
    return found


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


def _collisions(log: Log) -> Iterator[dict]:
    for i, step in enumerate(log.steps):
        m = step.get("index")
        if (
            not m
            or not m["op"].startswith(("scatter", "index_copy", "put"))
            or m["reduce"] is not None
            or m["dim"] is None
        ):
            continue
        shape, dim = m["index"]["shape"], m["dim"]
        seen: dict[tuple, int] = {}
        if m["op"].startswith("scatter"):
            for flat, value in enumerate(m["index"]["data"]):
                place: list[int] = []
                rest = flat
                for extent in reversed(shape):
                    rest, k = divmod(rest, extent)
                    place.insert(0, k)
                if place:
                    place[dim] = value
                seen[tuple(place)] = seen.get(tuple(place), 0) + 1
        else:
            for value in m["index"]["data"]:
                seen[(value,)] = seen.get((value,), 0) + 1
        twice = [p for p, n in seen.items() if n > 1]
        if twice:
            where = "".join(f"[{k}]" for k in twice[0])
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


def _listed(parts: list) -> str:
    words = [str(p) for p in parts]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def _lines(numbers: list[int]) -> str:
    return (
        f"line {numbers[0]}"
        if len(numbers) == 1
        else f"lines {_listed(numbers)}"
        if numbers
        else "not in this cell"
    )


NOTES = (
    Rule("saved-overwritten", "error",
         "{saver} saved {name} (version {saved}) for {node}; {writer} ({op}) wrote to it{through} (version {now}), so its gradient can no "
         "longer be computed. Write to {name}.clone(), or use the operation that makes a new tensor.", _saved_overwritten),
    Rule("saved-stale", "warning",
         "{saver} saved {name} (version {saved}) for {node}; {writer} ({op}) wrote to it{through} (version {now}): backward through {node} "
         "will raise.", _saved_stale),
    Rule("leaf-inplace", "error",
         "{at}: {what} writes in place to a leaf that requires grad, whose value backward starts from. Write inside "
         "`with jgrad.no_grad():`, or to a clone().", _leaf_inplace),
    Rule("second-backward", "error",
         "{freer} ran backward and freed the saved tensors; {at} needs them again. Pass retain_graph=True to the first, or compute the "
         "result anew.", _second_time),
    Rule("root-without-history", "error",
         "{at}: backward starts at a tensor that has no grad_fn and does not require grad: {why}.", _no_history),
    Rule("root-not-scalar", "error",
         "{at}: backward starts at a tensor of several elements. Reduce it first, as in .sum().backward(), or pass gradient=.", _not_scalar),
    Rule("grad-accumulated", "warning",
         "{name}.grad holds the sum of {count} backward passes ({where}), since nothing cleared it in between. Set {name}.grad = None "
         "before each, unless the sum is wanted.", _accumulated),
    Rule("data-write", "warning",
         "{at} wrote to storage {storage} through {writer}, whose version counter is not that of {others}: autograd did not notice{danger}.",
         _data_write),
    Rule("shared-memory", "info",
         "{at} wrote to {writer}, and so to {others}: they share storage {storage}.", _shared),
    Rule("grad-not-finite", "warning",
         "{node}{where} made {what} out of finite gradients: it is the first to do so.", _not_finite),
    Rule("scatter-collision", "warning",
         "{at}: {op} writes {count} times to {place}{more}; PyTorch does not say which write stays.", _collisions),
)  # fmt: skip


def notes(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The notes of a trace document, in the order of their steps."""
    log = Log(document)
    found = [
        _note(rule.code, case.get("severity", rule.severity), rule.text.format(**case), case)
        for rule in NOTES
        for case in rule.find(log)
    ]
    found += [_note(case["code"], "info", case["text"], case) for case in _mentioned_grads(log)]
    gravest = sorted(found, key=lambda note: SEVERITIES.index(note["severity"]))[:MOST]
    return sorted(gravest, key=lambda note: note["step"])


def _note(code: str, severity: str, text: str, case: dict) -> dict[str, Any]:
    found = {"step": case["step"], "code": code, "severity": severity, "text": text}
    return found | {"tensors": case["tensors"], "lines": case["lines"]}


# Why is this .grad what it is? ---------------------------------------------------------------------------------------------------------


@dataclass
class Subject:
    """A tensor that somebody asks about, with the log it appears in, if there is one."""

    name: str
    requires_grad: bool
    is_leaf: bool
    retains_grad: bool
    dtype: str
    has_grad: bool
    grad_fn: str | None = None
    log: Log | None = None
    number: int | None = None
    lines: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, log: Log, name: str) -> Subject | None:
        """The tensor that had this name last in a log, as it was in the end."""
        numbers = [t["id"] for t in log.tensors if any(n == name for _, n in t["names"])]
        if not numbers:
            return None
        number = max(numbers, key=lambda k: max(since for since, n in log.tensors[k]["names"] if n == name))
        t = log.final[number]
        node = None if t["node"] is None else short(log.nodes[t["node"]]["name"])
        has_grad = False
        for step in log.steps:
            if "grad" in step and step["grad"]["tensor"] == number:
                has_grad = step["grad"]["after"] is not None
        return cls(
            name, t["requires_grad"], t["is_leaf"], t["retains_grad"], t["dtype"], has_grad, node, log, number
        )

    @classmethod
    def live(cls, name: str, tensor: Any, log: Log | None = None) -> Subject:
        """A tensor that is there now; `log` is the last trace, which may know it by this name."""
        node = None if tensor.grad_fn is None else short(tensor.grad_fn.name())
        made = cls(
            name,
            tensor.requires_grad,
            tensor.is_leaf,
            tensor.retains_grad,
            tensor.dtype.name,
            tensor._grad is not None,
            node,
        )
        known = None if log is None else cls.of(log, name)
        if known is not None and (known.requires_grad, known.is_leaf) == (made.requires_grad, made.is_leaf):
            made.log, made.number = log, known.number
        return made

    def explains(self, tensor: Any) -> bool:
        """Whether the log ends with the `.grad` that the tensor has now."""
        events = self.events()
        after = events[-1][1]["after"] if events else None
        return bool(events) and after == as_value(measure(None if tensor._grad is None else tensor._grad._a))

    # What the rules below ask.
    def made_at(self) -> int | None:
        """The step that made it."""
        return None if self.log is None or self.number is None else self.log.maker.get(self.number)

    def made(self) -> str:
        """ " by line 3", if known."""
        step = self.made_at()
        return "" if step is None or self.log is None else f" ({self.log.at(step)})"

    def events(self) -> list[tuple[int, dict]]:
        """The steps that changed its `.grad`."""
        if self.log is None:
            return []
        return [
            (i, s["grad"])
            for i, s in enumerate(self.log.steps)
            if s.get("grad", {}).get("tensor") == self.number
        ]

    def backwards(self) -> list[tuple[int, dict]]:
        """The backward calls of the log that ended in `.grad`s."""
        return (
            []
            if self.log is None
            else [
                (i, s)
                for i, s in enumerate(self.log.steps)
                if s["kind"] == "backward" and s["op"] == "backward"
            ]
        )


def _has_sum(s: Subject) -> Iterator[dict]:
    runs = [] if s.log is None or s.number is None else _accumulations(s.log).get(s.number, [])
    if s.has_grad and len(runs) > 1:
        assert s.log is not None
        yield {
            "count": len(runs),
            "where": _lines(s.log.lines(*runs)),
            "step": runs[-1],
            "lines": s.log.lines(*runs),
        }


def _has_broadcast(s: Subject) -> Iterator[dict]:
    if not s.has_grad or s.log is None or s.number is None:
        return
    shape = s.log.tensors[s.number]["shape"]
    for i, step in enumerate(s.log.steps):
        reads = step.get("reads", ())
        if step["kind"] == "op" and s.number in reads and len(reads) > 1 and "node" in step:
            shapes = [s.log.tensors[t]["shape"] for t in reads]
            wide = s.log.tensors[step["makes"][0]]["shape"] if step.get("makes") else shape
            if wide != shape and _broadcast(shapes) == wide:
                yield {"shape": shape, "wide": wide, "at": s.log.at(i)} | _place(s, i)
                return


def _broadcast(shapes: list[list[int]]) -> list[int] | None:
    """The shape that shapes broadcast to, None if they do not."""
    length = max(map(len, shapes))
    columns = zip(*([1] * (length - len(shape)) + shape for shape in shapes), strict=True)
    extents = [{n for n in column if n != 1} or {1} for column in columns]
    return [next(iter(e)) for e in extents] if all(len(e) == 1 for e in extents) else None


def _has(s: Subject) -> Iterator[dict]:
    if s.has_grad:
        events = s.events()
        last = (
            f": {s.log.at(events[-1][0])} left {brief(events[-1][1]['after'])} there"
            if events and s.log is not None
            else ""
        )
        yield {"last": last} | _place(s, events[-1][0] if events else None)


def _integer(s: Subject) -> Iterator[dict]:
    if not s.requires_grad and not s.dtype.startswith(("float", "bfloat", "complex")):
        yield _place(s, s.made_at())


def _detached(s: Subject) -> Iterator[dict]:
    how = "" if s.log is None or s.number is None else s.log.tensors[s.number]["how"]
    if not s.requires_grad and how in ("detach", "data"):
        yield {"how": "detach()" if how == "detach" else ".data"} | _place(s, s.made_at())


def _no_grad_mode(s: Subject) -> Iterator[dict]:
    step = s.made_at()
    if step is not None and s.log is not None and not s.requires_grad:
        reads = s.log.steps[step].get("reads", ())
        if s.log.steps[step]["kind"] == "op" and any(s.log.tensors[r]["requires_grad"] for r in reads):
            yield _place(s, step)


def _not_required(s: Subject) -> Iterator[dict]:
    if not s.requires_grad:
        yield _place(s, s.made_at())


def _not_leaf(s: Subject) -> Iterator[dict]:
    if not s.is_leaf and not s.retains_grad:
        yield _place(s, s.made_at())


def _cleared(s: Subject) -> Iterator[dict]:
    events = s.events()
    if events and events[-1][1]["action"] == "none":
        assert s.log is not None
        yield {"at": s.log.at(events[-1][0])} | _place(s, events[-1][0])


def _no_backward(s: Subject) -> Iterator[dict]:
    if s.log is not None and not s.backwards():
        yield {"trace": s.log.document["name"]} | _place(s, s.made_at())


def _cut(s: Subject) -> Iterator[dict]:
    for i, step in s.backwards():
        assert s.log is not None
        assert s.number is not None
        for root in step["roots"]:
            cut = s.log.cut(s.number, root, i)
            if cut is not None:
                made = s.log.maker[cut]
                yield {
                    "root": s.log.name(root, i), "at": s.log.at(made), "what": s.log.cutter(cut), "step": i,
                    "lines": s.log.lines(made, i),
                }  # fmt: skip
                return


def _unused(s: Subject) -> Iterator[dict]:
    for i, step in s.backwards()[-1:]:
        assert s.log is not None
        yield {"root": _listed([s.log.name(r, i) for r in step["roots"]])} | _place(s, i)


def _unknown(s: Subject) -> Iterator[dict]:
    yield _place(s, None)


def _place(s: Subject, step: int | None) -> dict:
    return {"step": -1 if step is None else step, "lines": [] if s.log is None else s.log.lines(step)}


WHY = (
    Rule("grad-accumulated", "warning",
         "{name}.grad holds the sum of {count} backward passes ({where}), since nothing cleared it in between. Set {name}.grad = None "
         "before each, unless the sum is wanted.", _has_sum),
    Rule("grad-broadcast", "info",
         "{name}.grad has {name}'s shape {shape}: {at} broadcast {name} to {wide}, so the gradient is summed over the copies.",
         _has_broadcast),
    Rule("grad-present", "info", "{name}.grad is there{last}.", _has),
    Rule("grad-integer", "info",
         "{name}.grad is None: {name} has dtype {dtype}, and only floating point and complex tensors have gradients.", _integer),
    Rule("grad-detached", "info",
         "{name}.grad is None: {name} was made by {how}{made}, so it has no history and does not require grad.", _detached),
    Rule("grad-no-grad-mode", "info",
         "{name}.grad is None: {name} was computed under no_grad(){made}, so it has no history and does not require grad.", _no_grad_mode),
    Rule("grad-not-required", "info",
         "{name}.grad is None: {name} does not require grad. Call {name}.requires_grad_() before it is used.", _not_required),
    Rule("grad-not-leaf", "info",
         "{name}.grad is None: {name} is not a leaf, {grad_fn} made it{made}, and only leaves keep their gradient. Call "
         "{name}.retain_grad() before backward().", _not_leaf),
    Rule("grad-cleared", "info", "{name}.grad is None: {at} set it to None, and no backward has filled it since.", _cleared),
    Rule("grad-no-backward", "info", "{name}.grad is None: no backward() ran in {trace}.", _no_backward),
    Rule("grad-cut", "info",
         "{name}.grad is None: {root} was computed from {name}, but {at} cut the graph with {what}.", _cut),
    Rule("grad-unused", "info",
         "{name}.grad is None: backward ran from {root}, which does not depend on {name}.", _unused),
    Rule("grad-not-reached", "info",
         "{name}.grad is None: no backward() has reached {name} since it was made, or since its .grad was cleared.", _unknown),
)  # fmt: skip


def reason(subject: Subject) -> dict[str, Any]:
    """Why the `.grad` of a tensor is what it is: `code`, `text`, `step` and `lines`."""
    for rule in WHY:
        for case in rule.find(subject):
            blanks = {
                "name": subject.name,
                "dtype": subject.dtype,
                "grad_fn": subject.grad_fn,
                "made": subject.made(),
            }
            return {
                "code": rule.code,
                "text": rule.text.format(**blanks, **case),
                "step": case["step"],
                "lines": case["lines"],
            }
    raise AssertionError("the last rule applies to everything")
