"""The rules that read a whole trace document and become its notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

from jgrad.tensor import Tensor
from jgrad.trace.document.index import name_at
from jgrad.trace.document.log import Log, Sharers
from jgrad.trace.document.schema import Step, TraceDocument, TraceTensor, Write
from jgrad.trace.document.sentences import short
from jgrad.trace.document.source import gathered
from jgrad.trace.explain.answers import why_raised
from jgrad.trace.explain.findings import UNDEFINED, remedy
from jgrad.trace.explain.grads import reason
from jgrad.trace.explain.incident import Incident, stale
from jgrad.trace.explain.nonfinite import first_nan
from jgrad.trace.explain.outside import OUTSIDE_WRITES
from jgrad.trace.explain.rule import SEVERITIES, Rule, line_numbers, listed
from jgrad.trace.explain.slips import SLIPS
from jgrad.trace.explain.subject import Subject, clearings, sums
from jgrad.trace.explain.training import TRAINING
from jgrad.trace.record.records import OUTSIDE

MOST = 100  # notes of one document
DIFFERENCES = ("sub", "rsub", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
LOGITS = "takes it of them a second time. Give it the scores from before"
SQUASHED = {  # what an operation expects not to be done before it
    "log_softmax": (("softmax",), LOGITS),
    "binary_cross_entropy_with_logits": (("sigmoid",), LOGITS),
    "nll_loss": (("softmax", "sigmoid"), "expects their logarithms. Use log_softmax() there, or cross_entropy() of the scores"),
}  # fmt: skip
SHOWN = 5  # names that a sentence lists
RAISED = "modified by an inplace operation"


def _saved_stale(log: Log) -> Iterator[dict]:
    if any(RAISED in step["error"]["message"] for _, step in log.of("error")):
        return
    ran = {step["node"] for _, step in log.of("node")}
    yield from stale(
        log, [n["id"] for n in log.nodes if n["freed_step"] is None and n["id"] not in ran], None
    )


def _accumulated(log: Log) -> Iterator[dict]:
    together: dict[tuple, list[tuple[int, list[int]]]] = {}
    known = sums(log)
    used = {
        i for runs in known.values() for run in runs if run.uses for i in run.adds
    }  # with their backward calls somebody learned
    calls_used = {log.steps[i].get("backward_call") for i in used}
    for leaf, runs in known.items():
        t = log.tensors[leaf]
        told = {severity: run.adds for run in runs for severity in [run.severity()]}
        severity = "warning" if "warning" in told else "info"
        calls = told.get(severity, [])
        if not any(run.uses for run in runs) and calls_used.intersection(
            log.steps[i].get("backward_call") for i in calls
        ):
            severity = "info"  # these came along
        lost = calls and t["names"] and not name_at(t, calls[-1])  # the variable means something else by then
        if calls and t["is_leaf"] and not lost:
            together.setdefault((severity, len(calls), *log.lines(*calls)), []).append((leaf, calls))
    for (severity, count, *lines), found in together.items():
        found.sort()
        names = [f"{log.name(leaf, calls[-1])}.grad" for leaf, calls in found]
        shown = names if len(names) <= SHOWN else [*names[: SHOWN - 1], f"{len(names) - SHOWN + 1} more"]
        yield {
            "step": min(calls[1] for _, calls in found), "tensors": [leaf for leaf, _ in found], "lines": lines, "count": count,
            "where": line_numbers(lines), "severity": severity,
        } | gathered(shown, log.source, lines, clearings(log, [leaf for leaf, _ in found]))  # fmt: skip


def _data_write(log: Log) -> Iterator[dict]:
    told, sharers = set(), Sharers(log)
    for i, write in log.writes:
        storage = write["storage"]
        if log.steps[i]["op"] == OUTSIDE or storage in told:
            continue
        there = sorted(sharers.on(storage, i))
        others = [
            t for t in map(log.final.__getitem__, there) if t["storage"] == storage and t["version_counter"] != write["version_counter"]
        ]  # fmt: skip
        if others:
            told.add(storage)
            counters = {t["version_counter"] for t in others}
            savers = [
                n for n in log.nodes
                if n["created_step"] < i and (n["freed_step"] is None or n["freed_step"] > i)
                and any(s["tensor"] is not None and log.tensors[s["tensor"]]["version_counter"] in counters for s in n["saved"])
            ]  # fmt: skip
            danger = ""
            if savers:
                danger = f", and {short(savers[0]['name'])} (line {savers[0]['line']}) saved it: its gradient will be wrong without an error"
            yield {
                "step": i, "tensors": [write["tensor"], *(t["id"] for t in others)], "lines": log.lines(i), "at": log.at(i),
                "writer": log.name(write["tensor"], i), "storage": storage + 1, "danger": danger,
                "others": listed([log.name(t["id"], i) for t in others[:4]]), "severity": "error" if savers else "info",
                "repair": _instead(log, write["tensor"], others[0]["id"], i),
            }  # fmt: skip


def _instead(log: Log, writer: int, other: int, index: int) -> str:
    """What to do about a write that the version counter of another tensor did not see."""
    name = log.name(other, index)
    if log.tensors[writer]["origin"] == "data":
        return f"Write to {name} itself under no_grad(), which autograd counts."
    if log.tensors[other]["origin"] == "data" or not log.final[other]["requires_grad"]:
        return f"Take .clone() of it where {name} is to keep its numbers."
    return f"If {name} is to be the same tensor, assign the tensor itself instead of its .data; if it is not, take .clone()."


def _shared(log: Log) -> Iterator[dict]:
    told, sharers = set(), Sharers(log)
    for i, write in log.writes:
        if log.steps[i]["kind"] != "write" or log.steps[i]["op"] == OUTSIDE:
            continue
        written = log.through(write["tensor"], i)  # a[0] = 1 writes to a
        key = (write["storage"], written)
        if written is None or key in told:
            continue
        owner = log.tensors[written]
        others = {
            name: t["id"] for t in map(log.tensors.__getitem__, sorted(sharers.on(write["storage"], i)))
            if t["storage"] == write["storage"] and t["id"] != written
            for name in [name_at(t, i)] if name and shows(t, write)
        }  # fmt: skip
        times = shows(owner, write)
        many = write["changed_elements"] is not None and times > len(write["changed_elements"]) > 0
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


def shows(tensor: TraceTensor, write: Write) -> int:
    """How many elements of a tensor show what a write changed; 1 where that is too much to count."""
    if write["changed_elements"] is None:
        return 1
    places = {tensor["storage_offset"]: 1}
    for extent, stride in zip(tensor["shape"], tensor["stride"], strict=True):
        if len(places) * extent > 4096:
            return 1
        before, places = places, {}
        for place, n in before.items():
            for here in range(place, place + extent * stride, stride) if stride else [place] * extent:
                places[here] = places.get(here, 0) + n
    return sum([places.get(p, 0) for p in write["changed_elements"]])


def _not_finite(log: Log) -> Iterator[dict]:
    for i, step in log.of("node"):
        bad = [v for v in step["grads_out"] if v and (v.get("nan_count") or v.get("inf_count"))]
        arrived = [v for v in step["grads_in"] if v and (v.get("nan_count") or v.get("inf_count"))]
        if bad and not arrived:
            node = log.nodes[step["node"]]
            of, repair = remedy(log, i)
            yield {
                "step": i, "tensors": [], "lines": sorted({x for x in (node["line"], step["line"]) if x}), "node": short(node["name"]), "of": of,
                "repair": "Keep its input away from where the derivative is infinite or undefined." if repair == UNDEFINED else repair,
                "where": "" if node["line"] is None else f" (line {node['line']})", "what": "nan" if bad[0].get("nan_count") else "inf",
            }  # fmt: skip
            return


def _stretched(log: Log) -> Iterator[dict]:
    for i, step in sorted(
        [pair for op in DIFFERENCES for pair in log.operations.get(op, ())], key=itemgetter(0)
    ):
        if len(step.get("reads", ())) == 2 and step.get("makes"):
            reads = [_before_expand(log, t, step) for t in step["reads"]]
            shapes = [log.tensors[t]["shape"] for t in reads]
            wide = [*shapes[0][:1]] * 2
            column_and_row = sorted(shapes, key=len) == [wide[:1], [*wide[:1], 1]] and wide[:1] != [1]
            if column_and_row and len({log.tensors[t]["storage"] for t in reads}) == 2:
                names = [log.name(t, i) for t in reads]
                yield {
                    "step": i, "tensors": reads, "lines": log.lines(i), "at": log.at(i), "wide": wide,
                    "a": names[0], "b": names[1], "shape_a": shapes[0], "shape_b": shapes[1],
                }  # fmt: skip
                return


def _before_expand(log: Log, number: int, step: Step) -> int:
    """The tensor that a loss function expanded."""
    made = log.steps[log.maker[number]] if number in log.maker else {}
    return made["reads"][0] if made.get("op") == "expand" and made["span"] == step["span"] else number


def _softmax_twice(log: Log) -> Iterator[dict]:
    """A loss gets probabilities, and takes the softmax or sigmoid of them itself; or logarithms are meant and it gets probabilities."""
    told = set()
    for i, step in [pair for op in SQUASHED for pair in log.operations.get(op, ())]:
        first, instead = SQUASHED[step["op"]]
        made = log.maker.get(step["reads"][0]) if step.get("reads") else None
        if (
            made is not None
            and log.steps[made]["op"] in first
            and (step["line"], log.steps[made]["line"]) not in told
        ):
            told.add((step["line"], log.steps[made]["line"]))
            yield {
                "step": i, "tensors": step["reads"][:1], "lines": log.lines(made, i), "at": log.at(i), "what": log.doing(i), "op": step["op"],
                "made": log.at(made), "first": log.doing(made), "instead": instead,
            }  # fmt: skip


def _collisions(log: Log) -> Iterator[dict]:
    for i, m in log.maps:
        if m["gathers"] or m["reduce"] is not None or "forward_step" in m or m["source"] is None:
            continue
        seen = Counter(target for _, _, target in m["moves"])
        twice = [target for target, n in seen.items() if n > 1]
        if twice:
            rest, where = twice[0], ""
            for extent in reversed(m["target"]["shape"]):
                rest, k = divmod(rest, extent)
                where = f"[{k}]{where}"
            name = log.name(m["target"]["tensor"], i) if m["target"]["tensor"] is not None else "out"
            line = log.steps[i]["line"]
            added = line is not None and re.search(r"\]\s*[-+*/]=", log.source[line - 1])
            put = m["op"].startswith("index_put")
            trained = (
                ", and backward() sends a gradient to all of them"
                if "node" in log.steps[i] and not put
                else ""
            )
            if not (m["undefined_order"] or added or trained):
                continue  # all write the same value
            yield {
                "which": "each of them from the value before, so it counts once" if added else "PyTorch does not say which write stays" + trained,
                "repair": "Use index_put_((index,), values, accumulate=True) or index_add_()" if put else "Use scatter_add_ or scatter_reduce_",
                "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "op": m["op"], "place": f"{name}{where}", "count": seen[twice[0]],
                "more": f" (and {len(twice) - 1} more)" if len(twice) > 1 else "",
            }  # fmt: skip


def _hooked_late(log: Log) -> Iterator[dict]:
    """A computed tensor got a hook when backward had run through it already."""
    runs: dict[int, int] = {step["node"]: i for i, step in log.of("node")}
    for node in log.nodes:
        late = [said for since, said in node.get("hooks", ()) if since > runs.get(node["id"], since)]
        made = [t["id"] for t in log.final if t["grad_fn"] == node["id"] and any(n for _, n in t["names"])]
        if made and node["variable"] is None and any(said.startswith("hook") for said in late):
            ran = runs[node["id"]]
            yield {
                "step": ran,
                "tensors": made,
                "lines": log.lines(ran),
                "name": log.name(made[0]),
                "at": log.at(ran),
            }


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
        "{repair}",
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
        "{grads} the sum of {count} backward passes ({where}), since nothing cleared {them} in between.",
        "{repair}",
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
        "{node}{where} made {what} out of finite gradients{of}: it is the first to do so.",
        "{repair}",
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
        "nan-appears", "warning", "nan appears in what is computed",
        "{text}",
        "{repair}",
        first_nan,
        """
p = jgrad.tensor([0., 1.], requires_grad=True)
entropy = -(p * p.log()).sum()
""", """
p = jgrad.tensor([0., 1.], requires_grad=True)
entropy = -jgrad.special.xlogy(p, p).sum()
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
        "softmax-twice", "warning", "a loss that takes the softmax, or the sigmoid, itself gets probabilities",
        "{at}: {what} gets the probabilities of {first} ({made}), and {instead}.",
        "",
        _softmax_twice,
        """
scores = jgrad.tensor([[2., 1., 0.]], requires_grad=True)
p = scores.softmax(1)
loss = jgrad.nn.functional.cross_entropy(p, jgrad.tensor([0]))
loss.backward()
""", """
scores = jgrad.tensor([[2., 1., 0.]], requires_grad=True)
loss = jgrad.nn.functional.cross_entropy(scores, jgrad.tensor([0]))
loss.backward()
""",
    ),
    Rule(
        "scatter-collision", "warning", "scatter_ writes several times to one place",
        "{at}: {op} writes {count} times to {place}{more}; {which}.",
        "{repair} if they are to be brought together.",
        _collisions,
        """
out = jgrad.zeros(3)
out.scatter_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))
""", """
out = jgrad.zeros(3)
out.scatter_add_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))
""",
    ),
    Rule(
        "hook-too-late", "info", "a computed tensor gets a hook after backward()",
        "{name} got a hook after {at} had run backward through it, and none has come through since: the hook was not called.",
        "Call {name}.register_hook() before backward().",
        _hooked_late,
        """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
y.register_hook(print)
""", """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.register_hook(print)
y.sum().backward()
""",
    ),
    *OUTSIDE_WRITES,
    *TRAINING,
    *SLIPS,
)  # fmt: skip


def notes(
    document: TraceDocument, living: Callable[[int], Tensor | None] | None = None
) -> list[dict[str, Any]]:
    """The notes of a trace document, in the order of their steps. `living`: the tensor that has a number, if it is still there."""
    log = Log(document)
    found = [
        _note(rule.code, case.get("severity", rule.severity), rule.say(case), case)
        for rule in NOTES
        for case in (first_nan(log, living) if rule.find is first_nan else rule.find(log))
    ]
    for i, _ in log.of("error"):
        because = why_raised(Incident.of_step(log, i))
        if because is not None:
            rule, text, case = because
            place = {"step": i, "tensors": case.get("tensors", []), "lines": case.get("lines", log.lines(i))}
            found.append(_note(rule.code, rule.severity, text, place))
    mentioned = [_note(case["code"], "info", case["text"], case) for case in _mentioned_grads(log)]
    found += [
        n for n in mentioned if not any(n["text"].split(": ", 1)[1] in known["text"] for known in found)
    ]
    log.training = None  # which knows the log: no cycle stays
    gravest = sorted(found, key=lambda note: SEVERITIES.index(note["severity"]))[:MOST]
    return sorted(gravest, key=lambda note: note["step"])


def _note(code: str, severity: str, text: str, case: dict) -> dict[str, Any]:
    found = {"step": case["step"], "code": code, "severity": severity, "text": text}
    return found | {"tensors": case["tensors"], "lines": case["lines"]}
