"""Two traces side by side: the first step where they part, in a sentence, and the steps and variables that differ.

Steps are compared by what they did, not by what lines, variables and things are called: a storage of one trace is a storage of the other
if the same step made them. What is uninitialised memory, or was computed from it, is no difference. Between two libraries, which add in another
order, neither is rounding.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Contents, Step, TraceDocument, TraceTensor, Value
from jgrad.tracing.document.sentences import brief, short
from jgrad.tracing.document.uninitialized import NONE, Shown, Uninitialized

TOO_MANY = 4_000_000  # pairs of steps; above, steps are paired in their order
Pair = tuple[int | None, int | None]  # a step of each trace, None where one has none

# What a step did, in the order of the sentence: (token that is compared, words).
Facts = dict[str, tuple[Hashable, str]]
UNKNOWN = "?"  # what is shown for an uninitialised element


class Comparison:
    """What differs between two trace documents. `sentence` says where they part, `steps` are the pairs of steps that differ, `rows` the table."""

    def __init__(self, a: TraceDocument, b: TraceDocument, names: tuple[str, str] | None = None) -> None:
        self.documents = a, b
        self.names = names or (a["name"], b["name"])
        if self.names[0] == self.names[1]:
            self.names = f"{self.names[0]} (first)", f"{self.names[1]} (second)"
        self.logs = Log(a), Log(b)
        self._uninitialized = Uninitialized(self.logs[0]), Uninitialized(self.logs[1])
        self.pairs = list(_aligned(a["steps"], b["steps"], self.logs))
        self._rounds = a.get("library") != b.get("library")  # whether numbers may differ by rounding
        self._together = {*self.pairs, (-1, -1)}  # (-1: what was there before)
        self._storages: dict[int, int] = {}  # of a -> of b
        self.differences: dict[int, str] = {}  # place in `pairs` -> what differs
        self._clauses: dict[int, tuple[str, ...]] = {}  # what each did, without the names
        for place, pair in enumerate(self.pairs):
            clauses = self._difference(*pair)
            if clauses is not None:
                self._clauses[place] = clauses
                phrases = [
                    f"in {name}, {clause}" if clause else f"{name} has no such step"
                    for name, clause in zip(self.names, clauses, strict=True)
                ]
                if not clauses[0]:
                    phrases.reverse()
                self.differences[place] = "; ".join(phrases)

    @property
    def sentence(self) -> str:
        """Where the two part."""
        if not self.differences:
            ends = self.endings()
            return (
                "No step differs." if not ends else f"No step differs, but {ends[0][0]} differs at the end."
            )
        place = next(iter(self.differences))
        i, j = self.pairs[place]
        return f"They first differ at {self._place(i, j)}: {self.differences[place]}."

    @property
    def steps(self) -> list[Pair]:
        """The pairs of steps that differ, as positions in the two documents."""
        return [self.pairs[place] for place in self.differences]

    def rows(self) -> list[tuple[str, str, str]]:
        """(step, what the first did, what the second did); a row for each stretch of steps that are alike, and the variables that differ."""
        found: list[tuple[str, str, str]] = []
        alike: list[Pair] = []
        for place, pair in enumerate(self.pairs):
            if place in self.differences:
                found += _alike(alike)
                alike = []
                i, j = pair
                a, b = self._text(0, i), self._text(1, j)
                if a == b:  # the sentence of a step doesn't say all that it did
                    a, b = (
                        f"{text} ({clause})"
                        for text, clause in zip((a, b), self._clauses[place], strict=True)
                    )
                found.append((_number(i, j), a, b))
            else:
                alike.append(pair)
        return found + _alike(alike) + [(f"end: {name}", a, b) for name, a, b in self.endings()]

    def endings(self) -> list[tuple[str, str, str]]:
        """The variables of both that are something else in the end."""
        first, second = map(_variables, self.logs, self._uninitialized)
        return [
            (
                name,
                f"{''.join(first[name][0])}{first[name][1]}",
                f"{''.join(second[name][0])}{second[name][1]}",
            )
            for name in first
            if name in second and not self._same(first[name], second[name])
        ]

    def _same(self, a: Hashable, b: Hashable) -> bool:
        """Whether two facts are the same."""
        return a == b or (self._rounds and _alike_but_for_rounding(a, b))

    def _difference(self, i: int | None, j: int | None) -> tuple[str, ...] | None:
        """What a step and its counterpart did, as far as it differs; None if nothing does."""
        if i is None or j is None:
            return tuple("" if k is None else self._clause(side, k, []) for side, k in enumerate((i, j)))
        step_a, step_b = self.documents[0]["steps"][i], self.documents[1]["steps"][j]
        self._pair_storages(step_a, step_b)
        hidden_a, hidden_b = self._hidden(0, i), self._hidden(1, j)
        hidden = {k: hidden_a.get(k, NONE) | hidden_b.get(k, NONE) for k in {**hidden_a, **hidden_b}}
        facts_a = _facts(
            self.logs[0], i, lambda s: ("b", self._storages[s]) if s in self._storages else ("a", s), hidden
        )
        facts_b = _facts(self.logs[1], j, lambda s: ("b", s), hidden)
        keys = [
            k
            for k in {**facts_a, **facts_b}
            if not self._same(facts_a.get(k, (None,))[0], facts_b.get(k, (None,))[0])
        ]
        if step_a["op"] == step_b["op"] and step_a["kind"] == step_b["kind"] and not keys:
            return None
        first = keys[:1] if keys and (keys[0] == "storage" or step_a["op"] != step_b["op"]) else keys[:2]
        return self._clause(0, i, first), self._clause(1, j, first)

    def _hidden(self, side: int, index: int) -> dict[str, Shown]:
        """Of which facts about a step the values, or the elements at some positions, are uninitialised."""
        log, known = self.logs[side], self._uninitialized[side]
        step = log.steps[index]
        storages = {
            f"contents{k or ''}": log.tensors[t]["storage"] for k, t in enumerate(step.get("makes", ()))
        }
        if step.get("writes"):
            storages["contents"] = step["writes"][-1]["storage"]
        found = {key: known.contents.get((index, s), NONE) for key, s in storages.items()}
        values = {key: NONE for key in ("grad", "grads_in", "grads_out") if (index, key) in known.values}
        return {key: positions for key, positions in found.items() if positions} | values

    def _pair_storages(self, step_a: Step, step_b: Step) -> None:
        """Storages that steps which belong together made are one another's counterparts; so are those that both knew before anything happened."""
        pairs = [
            (self.logs[0].tensors[t]["storage"], self.logs[1].tensors[u]["storage"])
            for key in ("reads", "makes")
            for t, u in zip(step_a.get(key, ()), step_b.get(key, ()), strict=False)  # type: ignore[call-overload]
        ]
        writes = zip(step_a.get("writes", ()), step_b.get("writes", ()), strict=False)
        pairs += [(w["storage"], x["storage"]) for w, x in writes]  # those that resize_ made, for example
        for s, t in pairs:
            born = (
                self.documents[0]["storages"][s]["created_step"],
                self.documents[1]["storages"][t]["created_step"],
            )
            if born in self._together:
                self._storages.setdefault(s, t)

    def _clause(self, side: int, index: int, keys: list[str]) -> str:
        step = self.documents[side]["steps"][index]
        if step["kind"] == "grad":
            return re.sub(r"^line \d+: ", "", step["text"])
        facts = _facts(self.logs[side], index, lambda s: s, self._hidden(side, index))
        what = step["op"] or step["kind"]
        if step["kind"] == "node":
            what = short(self.documents[side]["nodes"][step["node"]]["name"])
        words = [facts[k][1] for k in keys if k in facts] or [words for _, words in facts.values()][:1]
        return f"{what} {' and '.join(words) or 'ran'}"

    def _text(self, side: int, index: int | None) -> str:
        return "" if index is None else self.documents[side]["steps"][index]["text"]

    def _place(self, i: int | None, j: int | None) -> str:
        at = [
            "" if k is None else log.places.at(log.steps[k]) for log, k in zip(self.logs, (i, j), strict=True)
        ]
        places = [
            f"{words} of {name}" if re.fullmatch(r"line \d+", words) else f"in {name}, {words}"
            for words, name in zip(at, self.names, strict=True)
            if words
        ]
        where = at[0] if at[0] == at[1] else ", ".join(places)
        return f"step {_number(i, j)}" + (f" ({where})" if where else "")


def _alike(pairs: list[Pair]) -> list[tuple[str, str, str]]:
    if not pairs:
        return []
    same = "the same" if len(pairs) == 1 else f"{len(pairs)} steps, the same"
    ranges = []
    for side in (0, 1):
        first, last = (pair[side] for pair in (pairs[0], pairs[-1]))
        assert first is not None
        assert last is not None
        ranges.append(str(first + 1) if first == last else f"{first + 1} to {last + 1}")
    return [(ranges[0] if ranges[0] == ranges[1] else " | ".join(ranges), same, same)]


def _number(i: int | None, j: int | None) -> str:
    numbers = [str(k + 1) for k in (i, j) if k is not None]
    return numbers[0] if len(set(numbers)) == 1 else " | ".join(numbers)


def _aligned(a: list[Step], b: list[Step], logs: tuple[Log, Log]) -> Iterator[Pair]:
    """Which step of one belongs to which of the other."""
    keys = [[_kind(step, log) for step in log.steps] for log in logs]
    start = 0
    while start < min(len(a), len(b)) and keys[0][start] == keys[1][start]:
        yield start, start
        start += 1
    rest = [k[start:] for k in keys]
    if len(rest[0]) * len(rest[1]) > TOO_MANY:
        blocks: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(rest[0]), 0, len(rest[1]))]
    else:
        blocks = SequenceMatcher(a=rest[0], b=rest[1], autojunk=False).get_opcodes()
    for _, i, i_end, j, j_end in blocks:
        for k in range(max(i_end - i, j_end - j)):
            yield (start + i + k if i + k < i_end else None), (start + j + k if j + k < j_end else None)


def _kind(step: Step, log: Log) -> tuple[str, str]:
    return step["kind"], log.nodes[step["node"]]["name"] if step["kind"] == "node" else step["op"]


def _facts(log: Log, index: int, same: Callable[[int], Hashable], hidden: Mapping[str, Shown]) -> Facts:
    """What a step did. `same` gives what stands for a storage in comparisons; `hidden` has what is uninitialised."""
    step = log.steps[index]
    facts: Facts = {}
    for k, number in enumerate(step.get("makes", ())[:4]):
        made = _made(log, index, number, same, hidden.get(f"contents{k or ''}", NONE))
        facts |= {f"{key}{k or ''}": fact for key, fact in made.items()}
    for write in step.get("writes", ()):
        where = f"storage {write['storage'] + 1}"
        fresh = log.document["storages"][write["storage"]]["created_step"] == index
        facts["write"] = (
            ("new" if fresh else same(write["storage"]), write["numel"]),
            f"wrote {write['numel']} {'element' if write['numel'] == 1 else 'elements'} of {where}",
        )
        facts["version"] = tuple(write["versions"]), f"left the version at {write['versions'][1]}"
        unknown = hidden.get("contents", NONE)
        facts["contents"] = (
            _texts(write["contents"], unknown),
            f"left {_shown(write['contents'], unknown)} in {where}",
        )
    for change in step.get("changes", ()):
        if "grad_fn" in change or "requires_grad" in change:
            node = change.get("grad_fn")
            name = None if node is None else short(log.nodes[node]["name"])
            facts["change"] = (
                (name, change.get("requires_grad")),
                f"gave the tensor the grad_fn {name}" if name else "changed requires_grad",
            )
    grad = step.get("grad")
    if grad is not None:
        name = log.name(grad["tensor"], index)
        facts["grad"] = _value(grad["after"], "grad" in hidden), f"left {brief(grad['after'])} in {name}.grad"
    for key, values, word in (
        ("grads_in", step.get("grads_in"), "began with" if step["kind"] == "backward" else "got"),
        ("grads_out", step.get("grads_out"), "sent"),
    ):
        if values is not None:
            shown = ", ".join(brief(v) for v in values if v is not None) or "nothing"
            facts[key] = tuple(_value(v, key in hidden) for v in values), f"{word} {shown}"
    if "error" in step:
        first = step["error"]["message"].split("\n", 1)[0]
        facts["error"] = (
            (step["error"]["type"], step["error"]["message"]),
            f"raised {step['error']['type']}: {first[:100]}",
        )
    return facts


def _made(log: Log, index: int, number: int, same: Callable[[int], Hashable], unknown: Shown) -> Facts:
    """About a tensor that a step made."""
    t = log.tensors[number]
    storage = log.document["storages"][t["storage"]]
    fresh = storage["created_step"] == index
    word = "made" if fresh else "uses"
    facts: Facts = {"storage": ("new" if fresh else same(t["storage"]), f"{word} storage {t['storage'] + 1}")}
    reads = log.steps[index].get("reads", [])
    shares = bool(reads) and log.tensors[reads[0]]["version_counter"] == t["version_counter"]
    source = log.name(reads[0], index) if reads else ""
    counter = f"shares the version counter of {source}" if shares else "has its own version counter"
    facts["counter"] = shares, counter
    node = None if t["grad_fn"] is None else short(log.nodes[t["grad_fn"]]["name"])
    history = (
        f"has the grad_fn {node}"
        if node
        else "is a leaf that requires grad"
        if t["requires_grad"]
        else "has no history"
    )
    facts["history"] = (node, t["requires_grad"]), history
    facts["shape"] = tuple(t["shape"]), f"has shape {t['shape']}"
    facts["dtype"] = t["dtype"], f"has dtype {t['dtype']}"
    facts["layout"] = (
        (tuple(t["stride"]), t["storage_offset"]),
        f"has strides {tuple(t['stride'])} and storage offset {t['storage_offset']}",
    )
    if fresh:
        cells = _own(t, storage["contents"])
        facts["contents"] = _texts(cells, unknown), f"gave {_shown(cells, unknown)}"
    return facts


def _own(t: TraceTensor, cells: Contents) -> Contents:
    """The elements of a tensor at the beginning of a storage that may have more: PyTorch computes a loss in memory that held one of each element."""
    n = math.prod(t["shape"])
    if (
        t["storage_offset"]
        or n >= cells["numel"]
        or n > cells["head"]
        or list(t["stride"]) != _contiguous(t["shape"])
    ):
        return cells
    return {"numel": n, "elements": cells["elements"][:n], "head": n, "tail": 0}


def _contiguous(shape: Sequence[int]) -> list[int]:
    return [math.prod(shape[k + 1 :]) for k in range(len(shape))]


def _value(value: Value | None, unknown: bool) -> Hashable:
    if value is None:
        return None
    text = value["elements"]
    known = None if unknown else tuple(text) if text is not None else value.get("norm")
    return tuple(value["shape"]), value["dtype"], known


def _elements_of(cells: Contents, unknown: Shown) -> list[str]:
    return [UNKNOWN if k in unknown else text for k, text in enumerate(cells["elements"])]


class Elements(tuple[str, ...]):
    """The elements of a storage as text. Some may be unknown: then they are equal to any, and the others count as equal if their digits agree, since
    the format of all numbers of a storage depends on each of them."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Elements) or (UNKNOWN not in self and UNKNOWN not in other):
            return tuple.__eq__(self, other) is True
        return len(self) == len(other) and all(map(_agree, self, other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return len(self)


def _agree(a: str, b: str) -> bool:
    """Whether two elements are the same number, as far as their digits go; one of them may be unknown."""
    if a == b or UNKNOWN in (a, b):
        return True
    try:
        return math.isclose(float(a), float(b), rel_tol=1e-4, abs_tol=1e-4)
    except ValueError:  # complex numbers, and what stands between elements
        return False


NUMBER = re.compile(r"-?\b\d+(?:\.\d*)?(?:e[+-]?\d+)?")


def _alike_but_for_rounding(a: Hashable, b: Hashable) -> bool:
    """Whether two facts are the same, as far as two libraries compute the same number: up to a thousandth, a hundred thousandth of the largest, or a millionth: a
    gradient that ought to be 0 is nothing but rounding."""
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        if all(isinstance(x, str) for x in (*a, *b)):
            return _alike_but_for_rounding(", ".join(a), ", ".join(b))
        return all(map(_alike_but_for_rounding, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-6)
    if not isinstance(a, str) or not isinstance(b, str):
        return a == b
    numbers = [[float(text) for text in NUMBER.findall(one)] for one in (a, b)]
    if NUMBER.sub("0", a) != NUMBER.sub("0", b):
        return UNKNOWN in (a, b)
    scale = max(map(abs, numbers[0] + numbers[1]), default=0.0)
    return all(
        math.isclose(x, y, rel_tol=1e-3, abs_tol=max(scale * 1e-5, 1e-6))
        for x, y in zip(*numbers, strict=True)
    )


def _texts(cells: Contents, unknown: Shown) -> Hashable:
    return cells["numel"], Elements(_elements_of(cells, unknown))


def _shown(cells: Contents, unknown: Shown) -> str:
    text = _elements_of(cells, unknown)
    if text and len(unknown) == len(text):
        return "uninitialised memory"
    return f"[{', '.join(text)}]" if len(text) <= 6 else f"[{', '.join(text[:5])}, …]"


# What a variable is in the end: its elements and what stands between them, the rest.
Ending = tuple[Elements, str]


def _variables(log: Log, uninitialized: Uninitialized) -> dict[str, Ending]:
    """What the variables are in the end: value, memory, part in autograd, gradient."""
    end = len(log.steps)
    cells = [s["contents"] for s in log.document["storages"]]
    grads: dict[int, str] = {}
    for step in log.steps:
        for write in step.get("writes", ()):
            cells[write["storage"]] = write["contents"]
        if step.get("grad"):
            grads[step["grad"]["tensor"]] = brief(step["grad"]["after"])
    alive = [t for t in log.final if (t["freed_step"] is None or t["freed_step"] >= end) and name_at(t, end)]
    found = {}
    for t in alive:
        name = name_at(t, end)
        if name.endswith(".grad"):
            continue
        sharing = [name_at(o, end) for o in alive if o["storage"] == t["storage"] and o is not t]
        elements = _elements(t, cells[t["storage"]], uninitialized.end.get(t["storage"], NONE))
        parts = [f"shares memory with {', '.join(sharing[:4])}"] if sharing else []
        if t["requires_grad"]:
            parts.append(
                "a leaf that requires grad"
                if t["is_leaf"]
                else f"grad_fn {short(log.nodes[t['grad_fn']]['name'])}"
                if t["grad_fn"] is not None
                else "requires grad"
            )
            unknown = t["id"] in uninitialized.grads
            parts.append(f"grad {UNKNOWN if unknown else grads.get(t['id'], 'None')}")
        found[name] = elements, "".join(f"; {part}" for part in parts)
    return found


def _elements(tensor: TraceTensor, cells: Contents, unknown: Shown) -> Elements:
    """The elements of a tensor, as far as the contents of its storage are known, with brackets and commas."""
    places = [tensor["storage_offset"]]
    for extent, stride in zip(tensor["shape"], tensor["stride"], strict=True):
        places = [p + k * stride for p in places for k in range(min(extent, 8))][:8]
    if cells["tail"] or any(p >= len(cells["elements"]) for p in places):
        return Elements([f"{tensor['dtype']} {tensor['shape']}"])
    texts = _elements_of(cells, unknown)
    separated = [part for p in places for part in (", ", texts[p])][1:]
    more = ", …]" if len(places) == 8 else "]"
    return Elements(["[", *separated, more] if tensor["shape"] else separated)
