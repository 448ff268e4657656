"""Memory that tensors share: writes that no version counter sees, views that need a copy, and out=."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log, Sharers
from jgrad.tracing.document.schema import TraceNode, TraceTensor, Write
from jgrad.tracing.document.syntax import around
from jgrad.tracing.explain.edits import Edit, at_step, calls_of, cloned
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.repairs import (
    argument_as,
    copied_operand,
    in_place_write,
    instead,
    library,
    mended,
    mending,
)
from jgrad.tracing.explain.rule import RUNTIME, USER_WARNING, Rules, listed
from jgrad.tracing.record.records import EXCHANGES, OUTSIDE

ERRORS = Rules()
OPERATIONS = Rules()
WARNINGS = Rules()
NOTES = Rules()

LEAST = 3  # tensors of one array: two may be meant as views of it

ERRORS.by_words(
    "out-with-gradient", "error", "out= is used where a gradient would be recorded",
    "{lead}autograd can't record {op}(out=...), but one of the arguments requires grad.",
    "Use the result that {op}() returns, as in out = {op}(...), or call it under no_grad().",
    """
w = jgrad.ones(2, requires_grad=True)
out = jgrad.zeros(2)
jgrad.add(w, 1, out=out)
""", """
w = jgrad.ones(2, requires_grad=True)
out = jgrad.add(w, 1)
""",
    raised=(RUNTIME, r"(?P<op>\w+)\(\): functions with out=\.\.\. arguments don't support automatic differentiation"),
)  # fmt: skip


@OPERATIONS.rule(
    "view-needs-a-copy", "error", "view() gets a shape that the memory does not allow",
    "{lead}view() never copies, and the elements are not in memory in the order it needs{maker}.",
    "Write {code}, which copies if it must.",
    """
a = jgrad.arange(6.).view(2, 3)
b = a.t()
b.view(6)
""", """
a = jgrad.arange(6.).view(2, 3)
b = a.t()
b.reshape(6)
""",
    raised=(RUNTIME, r"view size is not compatible with input tensor's size and stride"), knows_more=True,
)  # fmt: skip
@mending(instead("view", "{owner}.reshape({arguments})"))
def view_needs_a_copy(incident: Incident) -> Iterator[dict]:
    code = incident.what.replace(".view(", ".reshape(") if ".view(" in incident.what else "x.reshape(...)"
    yield {"maker": _maker_of_viewed(incident), "code": code}


def _maker_of_viewed(incident: Incident) -> str:
    """ ", because line 2 made b with t()", of the tensor whose view() failed."""
    viewed = re.search(r"(\w+)\.view\(", incident.what)
    number = (
        None if incident.log is None or viewed is None else incident.log.numbered(viewed[1], incident.step)
    )
    if incident.log is None or number not in incident.log.maker:
        return ", as after a transpose"
    step = incident.log.maker[number]
    return f", because {incident.log.at(step)} made {viewed[1]} with {incident.log.steps[step]['op']}()"  # type: ignore[index]


OPERATIONS.by_words(
    "elements-share-memory", "error", "a tensor whose elements share memory, as after expand(), is written to",
    "{lead}several elements of the tensor share one place in memory, as after expand(), so a write to one would change the others.",
    "Write {name} = {name}.clone() first.",
    """
a = jgrad.ones(3)
b = a.expand(2, 3)
b.add_(1)
""", """
a = jgrad.ones(3)
b = a.expand(2, 3).clone()
b.add_(1)
""",
    raised=(RUNTIME, r"unsupported operation: more than one element of the written-to tensor refers to a single memory location"),
    blanks=in_place_write,
)  # fmt: skip

OPERATIONS.by_words(
    "operands-share-memory", "error", "an in-place operation reads memory that it writes to",
    "{lead}{what} reads elements that it also writes to, so the result would depend on the order.",
    "Read from a copy, as in {code}.",
    """
a = jgrad.arange(4.)
a[1:].add_(a[:-1])
""", """
a = jgrad.arange(4.)
a[1:].add_(a[:-1].clone())
""",
    raised=(RUNTIME, r"unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory"),
    blanks=mended(copied_operand, argument_as(0, "{argument}.clone()", ".clone()")),
)  # fmt: skip

WARNINGS.by_words(
    "out-resized", "warning", "out= has another shape than the result",
    "{lead}out= had shape {shape} but the result has shape {wide}, so out= was resized, and its views may now show other memory.",
    "Pass an out= of shape {wide}, or out=jgrad.empty(0).",
    """
out = jgrad.zeros(2)
jgrad.add(jgrad.ones(3), 1, out=out)
""", """
out = jgrad.zeros(3)
jgrad.add(jgrad.ones(3), 1, out=out)
""",
    raised=(USER_WARNING, r"An output with one or more elements was resized since it had shape (?P<shape>\[.*?\]), which does not match the "
                  r"required output shape (?P<wide>\[.*?\])"),
)  # fmt: skip


@NOTES.rule(
    "data-write", "warning", "a write that no version counter saw",
    "{at} wrote to the memory of {others} through {writer}, which has another version counter. So autograd did not notice the write{danger}.",
    "{repair}",
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
)  # fmt: skip
def data_write(log: Log) -> Iterator[dict]:
    reported, sharers = set(), Sharers(log)
    for i, write in log.writes:
        storage = write["storage"]
        if _is_alone(log, write) or log.steps[i]["op"] in (OUTSIDE, "gap") or storage in reported:
            continue
        there = sorted(sharers.on(storage, i))
        others = [
            t for t in map(log.final.__getitem__, there)
            if t["storage"] == storage and t["version_counter"] != write["version_counter"] and not _within_one_call(log, t["id"], i)
            # What has no name and was made by steps that were not kept may be the library's own, as in an RNN.
            and (name_at(t, i) or not log.are_lost([t["id"]]))
        ]  # fmt: skip
        if others:
            counters = {t["version_counter"] for t in others}
            savers = _savers(log, i, lambda saved: saved["version_counter"] in counters)  # noqa: B023
            if not savers and not any(log.state(t["id"], i)["requires_grad"] for t in others):
                continue  # only of a tensor without a gradient the counter stays: autograd counts for the others
            reported.add(storage)
            if not savers and len(counters) == 1 and not name_at(log.tensors[write["tensor"]], i):
                continue  # x.data.clamp_() changes x on purpose, and no derivative needs what was there
            if _is_undone(log, i, storage):
                continue
            danger = ""
            if savers:
                kept = [s["tensor"] for s in savers[0]["saved"] if s["tensor"] is not None]
                saved = next(log.name(t, i) for t in kept if log.tensors[t]["version_counter"] in counters)
                danger = f", and {log.node(savers[0]['id'])} had saved {saved}: its gradient may be wrong without an error"
            yield {
                "step": i, "tensors": [write["tensor"], *(t["id"] for t in others)], "lines": log.lines(i), "at": log.at(i),
                "writer": log.name(write["tensor"], i), "storage": storage + 1, "danger": danger,
                "others": listed([log.name(t["id"], i) for t in others[:4]]), "severity": "error" if savers else "info",
                "repair": _instead(log, write["tensor"], others[0]["id"], i, bool(savers)),
            }  # fmt: skip


def _savers(log: Log, index: int, is_meant: Callable[[TraceTensor], bool]) -> list[TraceNode]:
    """The nodes that hold such a tensor when a step runs and that a backward pass can still reach."""
    found = [
        n for n in log.nodes
        if n["created_step"] < index and (n["freed_step"] is None or n["freed_step"] > index)
        and any(s["tensor"] is not None and is_meant(log.tensors[s["tensor"]]) for s in n["saved"])
    ]  # fmt: skip
    if not found:
        return []
    # Nodes that no backward pass can reach any more may be as wrong as they like.
    return [n for n in found if log.node_ends[n["id"]] > index]


def _is_undone(log: Log, index: int, storage: int) -> bool:
    """Whether the last write of the same line to a storage puts back what was there before, as a check of gradients by differences does."""
    line = log.steps[index]["line"]
    here = [i for i, write in log.writes if write["storage"] == storage and log.steps[i]["line"] == line]
    last = max(here)
    if any(index < i < last for i, _ in log.of("backward")):
        return False
    before, after = log.contents(storage, index), log.contents(storage, last + 1)
    whole = before["head"] == before["numel"]  # else a write in the middle would not show
    return last > index and whole and before["elements"] == after["elements"]


def _within_one_call(log: Log, number: int, index: int) -> bool:
    """Whether a tensor without a name was made by the very call of the user's that also made the step: PyTorch's LSTMCell splits its gates with
    unsafe_split() and writes to the parts, which is nobody's mistake."""
    made = log.maker.get(number)
    if made is None or name_at(log.tensors[number], index):
        return False
    a, b = log.steps[made], log.steps[index]
    return (
        a["span"] is not None
        and a["line"] is not None
        and (a["line"], a["span"], a.get("call")) == (b["line"], b["span"], b.get("call"))
    )


def _instead(log: Log, writer: int, other: int, index: int, saved: bool) -> str:
    """What to do about a write that the version counter of another tensor did not see."""
    name = log.name(other, index)
    through = log.tensors[writer]["origin"] == "data"
    if not through and (log.tensors[other]["origin"] == "data" or not log.final[other]["requires_grad"]):
        return f"Make {name} with clone() if it should keep its numbers."
    if saved:
        return f"Write to {name} itself, under no_grad() and after backward(): its version counter counts such a write."
    return f"Write to {name} itself under no_grad(), which its version counter counts."


# Who passes out= wants the write to show there.
OUT = re.compile(r"\bout=")


@NOTES.rule(
    "shared-memory", "info", "a write shows in another variable too, because they share memory",
    "{at} wrote to {writer} and so changed {others}: {memory}.",
    "{repair}",
    """
a = jgrad.ones(4)
b = a[2:]
b.zero_()
""", """
a = jgrad.ones(4)
b = a[2:].clone()
b.zero_()
""",
    headline="`{doing}` also changed {marked} ({at})\n{shared}",
)  # fmt: skip
def shared_memory(log: Log) -> Iterator[dict]:
    reported, sharers = set(), Sharers(log)
    overlap: dict[int, bool] = {}  # tensors without others on their storage
    for i, write in log.writes:
        if _is_alone(log, write):
            number = write["tensor"]
            if number not in overlap:
                overlap[number] = max((_places(log.tensors[number]) or {}).values(), default=1) > 1
            if not overlap[number]:
                continue
        if log.steps[i]["kind"] != "write" or log.steps[i]["op"] == OUTSIDE:
            continue
        written = log.through(write["tensor"], i)  # a[0] = 1 writes to a
        key = (write["storage"], written)
        if written is None or key in reported:
            continue
        owner = log.tensors[written]
        others = {
            name: t["id"] for t in map(log.tensors.__getitem__, sorted(sharers.on(write["storage"], i)))
            if t["storage"] == write["storage"] and t["id"] != written
            for name in [name_at(t, i)] if name and shows(t, write)
        }  # fmt: skip
        times = shows(owner, write)
        many = write["changed_elements"] is not None and times > len(write["changed_elements"]) > 0
        name = name_at(owner, i)
        if (
            (others or many)
            and not _is_of_loop(log, i, name, others)
            and (log.at(i), *others) not in reported
        ):
            reported |= {key, (log.at(i), *others)}
            writer = name if written == write["tensor"] else f"a part of {name}"
            also = [f"the {n} that it is a part of" if n == name else n for n in [*others][:4]] + (
                [f"other elements of {name}"] if many else []
            )
            memory = "they share their memory" if others else "they share one place in memory"
            on_it = listed([f"`{n}`" for n in [name, *[*others][:4]]])
            shared = f"{on_it} share storage {write['storage'] + 1}" if others else memory
            # To be a copy: the one that was written to, or if all others were made of that, the last of them.
            last = written if not others or written > min(others.values()) else max(others.values())
            called, meant = log.name(last, i), bool(others) and not OUT.search(log.doing(i))
            yield {
                "step": i, "tensors": [written, *others.values()], "lines": log.lines(i), "at": log.at(i), "writer": writer, "doing": log.doing(i),
                "marked": listed([f"`{n}`" if n in others else n for n in also]),
                "others": listed(also), "shared": shared, "memory": memory, "repair": _apart(called) if meant else "",
                "edits": cloned(log, last, called) if meant else [],
            }  # fmt: skip


def _is_of_loop(log: Log, index: int, name: str, others: dict[str, int]) -> bool:
    """Whether a loop gives a name to one part of another tensor after the other: `for row in table: row[0] = 1` means the table."""
    place = at_step(log, index)
    for loop in around(place[0].tree, place[1].lineno, ast.For) if place is not None else ():
        target = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        own = {name, *others}
        if own & target and own <= target | {ast.unparse(n) for n in ast.walk(loop.iter)}:
            return True
    return False


def _apart(name: str) -> str:
    """What to do so that a tensor shares no memory with others."""
    if (held := re.fullmatch(r"(\w+)\[\d+\]", name)) is not None:
        return f"Make the elements of {held[1]} with clone() if they should have their own memory."
    return f"Write .clone() where {name} is made, if {name} should have its own memory."


def _is_alone(log: Log, write: Write) -> bool:
    """Whether no other tensor was ever on the storage of what a write wrote to."""
    return log.tensors_on.get(write["storage"]) == [write["tensor"]]


def shows(tensor: TraceTensor, write: Write) -> int:
    """How many elements of a tensor show what a write changed; 1 where that is too much to count."""
    changed = write["changed_elements"]
    places = None if changed is None else _places(tensor)
    return 1 if changed is None or places is None else sum([places.get(p, 0) for p in changed])


def _places(tensor: TraceTensor) -> dict[int, int] | None:
    """The places in its storage that the elements of a tensor have, and how many have each; None where that is too much to count."""
    places = {tensor["storage_offset"]: 1}
    for extent, stride in zip(tensor["shape"], tensor["stride"], strict=True):
        if len(places) * extent > 4096:
            return None
        before, places = places, {}
        for place, n in before.items():
            for here in range(place, place + extent * stride, stride) if stride else [place] * extent:
                places[here] = places.get(here, 0) + n
    return places


@NOTES.rule(
    "written-from-outside", "info", "a NumPy array that shares a tensor's memory was written to",
    "{at}: {who} changed the memory of {name} without changing its version{danger}.",
    "{repair}",
    """
w = jgrad.ones(2, requires_grad=True)
array = w.detach().numpy()
loss = (w * w).sum()
array += 1
loss.backward()
""",
    """
w = jgrad.ones(2, requires_grad=True)
array = w.detach().numpy().copy()
loss = (w * w).sum()
array += 1
loss.backward()
""",
)  # fmt: skip
def written_from_outside(log: Log) -> Iterator[dict]:
    repair, reported = (
        "If they should not share memory, copy the array, or make the tensor with jgrad.tensor(array).",
        set(),
    )
    for tensors, edits in _of_one_array(log):
        i = log.maker[tensors[0]]
        reported |= {(log.tensors[t]["storage"], True) for t in tensors}
        yield {
            "step": i, "tensors": tensors, "lines": log.lines(i), "at": log.at(i), "name": f"the {len(tensors)} tensors that were made there",
            "danger": ", and now all hold the same: they share the memory of one array", "who": "a NumPy array or other code", "severity": "warning",
            "repair": f"Write {edits[0].text}() there, which copies the array." if edits else repair, "edits": edits,
        }  # fmt: skip
    for i, step in log.of("write"):
        exchanged = step["op"] in EXCHANGES
        if (step["op"] != OUTSIDE and not exchanged) or not step.get("writes"):
            continue
        (write,) = step["writes"]
        storage = write["storage"]
        saver = next(iter(_savers(log, i, lambda saved: saved["storage"] == storage)), None)  # noqa: B023
        if (storage, saver is None) in reported or (exchanged and saver is None):
            continue
        reported.add((storage, saver is None))
        name = log.name(write["tensor"], i)
        who = f"{step['op']} with other processes" if exchanged else "a NumPy array or other code had"
        danger = (
            ""
            if saver is None
            else f". {log.node(saver['id'])} had saved {name}: its gradient may be wrong without an error"
        )
        yield {
            "step": i, "tensors": [write["tensor"]], "lines": log.lines(i), "at": log.at(i), "name": name, "danger": danger, "who": who,
            "severity": "info" if saver is None else "error", "repair": repair,
        }  # fmt: skip


def _of_one_array(log: Log) -> Iterator[tuple[list[int], list[Edit]]]:
    """The tensors that one line made by from_numpy(), and that are read when they hold the same, since an array was written to; with the copy that it may
    make instead."""
    made: dict[tuple, list[int]] = {}
    for i, step in log.of("write"):
        for write in step.get("writes", ()) if step["op"] == OUTSIDE else ():
            held = tuple(log.held(write["tensor"], i + 1))
            # (PyTorch gives each a storage of its own.)
            for t in log.tensors_on.get(write["storage"], ()) if len({*held}) > 1 else ():
                maker, read = log.maker.get(t, i), any(k > i for k in log.users.get(t, ()))
                if read and maker < i and log.steps[maker]["op"] == "from_numpy":
                    made.setdefault((log.at(maker), held), []).append(t)
    for tensors in made.values():
        place = at_step(log, log.maker[tensors[0]])
        calls = [] if place is None else calls_of(place[1], "from_numpy")
        edits = [
            place[0].replaced(c.func, f"{library(place[0])}.tensor")
            for c in calls
            if place and len(calls) == 1
        ]
        if len({*tensors}) >= LEAST:
            yield sorted({*tensors}), edits
