"""A trace document with what the rules ask of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from jgrad.tracing.document.index import TraceIndex, name_at
from jgrad.tracing.document.noticed import listed
from jgrad.tracing.document.places import Places, run_at
from jgrad.tracing.document.rounds import go_on
from jgrad.tracing.document.schema import Gap, Span, TraceDocument, TraceTensor
from jgrad.tracing.document.sentences import short, within
from jgrad.tracing.document.syntax import parsed, switched_off
from jgrad.tracing.record.records import OUTSIDE, FunctionUse
from jgrad.tracing.record.scope import parse

UNNAMED = "trace"  # the name of a trace that the user gave none
ASSIGNED = re.compile(r"(?:\s*[-+*/@%&|^<>]*=(?!=)[^;#]*)?")  # what follows the target of an assignment
UNKNOWN_STEPS = "steps that were not kept"
SOMEHOW = "no_grad() or set_grad_enabled(False)"  # recording was off, and the source does not show why
SHAPE_ONLY = re.compile(r"\w+_like|new_(?:zeros|ones|empty|full)\w*")  # operators that read no element
CHECKPOINT = "checkpoint(), which runs its function under no_grad()"
MANY = 10
SAMPLE = "sample(), which draws under no_grad()"


class Log(TraceIndex):
    """A trace document with what the rules ask of it."""

    def __init__(self, document: TraceDocument, asked_elsewhere: bool = False) -> None:
        """`asked_elsewhere`: places are worded for a reader who looks at another cell, with the name of the trace's cell."""
        super().__init__(document)
        # (A line of a file needs no more than its file.)
        self.asked_elsewhere = asked_elsewhere
        named = asked_elsewhere and document["name"] != UNNAMED and "file" not in document
        self.places = Places(document, self.title() if named else "")
        self._cuts: dict[tuple[int, int], list[tuple[int, list[int]]]] = {}
        self.training: Any = None  # what the rules about training found in it
        self.living: Callable[[int], Any] | None = None  # the tensor that has a number, if it is still there
        # The custom Functions that ran, as long as they are known.
        self.functions: Mapping[type, Sequence[FunctionUse]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """An answer that goes to another process takes the document along, and no living tensor."""
        return type(self), (self.document, self.asked_elsewhere)

    @cached_property
    def gaps(self) -> list[int]:
        """The steps that stand for others, which were not kept. What happened within them is not known: a rule that says what never happened,
        what happened in each round or between two steps asks for them."""
        return [i for i, _ in self.of("gap")]

    @cached_property
    def is_cut(self) -> bool:
        """Whether the last steps were not kept, so that it is not known what holds in the end. (Other gaps hold what they changed.)"""
        return any(
            "writes" not in self.steps[gap] and "updates" not in self.steps[gap]
            for gap in self.gaps
            if gap >= len(self.steps) - 2
        )

    @cached_property
    def may_end_otherwise(self) -> bool:
        """Whether it is not known what holds in the end, or what never happened. If the last steps were rounds that went on like the one before them, it
        is known, though the tensors may be gone."""
        return self.is_cut and not all(self._goes_on(self.steps[gap]["gap"]) for gap in self.gaps[-1:])

    def _goes_on(self, gap: Gap) -> bool:
        rounds = self.document.get("rounds")
        if rounds is None:
            return False
        if gap["rounds"] is None:  # it begins behind the last round, unless it is counted in steps
            return gap["steps"] is None and rounds["total"] > 0
        return go_on(rounds, *gap["rounds"])

    def has_gap(self, first: int, last: int) -> bool:
        """Whether steps from the first to the last of two were not kept."""
        return any(first <= gap <= last for gap in self.gaps)

    def are_lost(self, numbers: Iterable[int]) -> bool:
        """Whether the step that made one of some tensors was not kept, so that it is not known what it was computed from."""
        return any(self.tensors[n]["created_step"] in self.gaps and n not in self.maker for n in numbers)

    def times(self, number: int) -> str:
        """How often something happened: "3", or "at least 3" if there are steps that were not kept."""
        return f"at least {number:,}" if self.gaps else f"{number:,}"

    def many(self, number: int) -> str:
        """How many things were summed or are kept: "3", or a word if there are steps that were not kept. The number of those that were would
        contradict the number of rounds, which is known."""
        return f"{number:,}" if not self.gaps else "many" if number >= MANY else "several"

    @cached_property
    def runs_by_name(self) -> dict[str, list[int]]:
        """The steps in which nodes ran backward, by the names of these nodes."""
        found: dict[str, list[int]] = {}
        for node, ran in self.runs.items():
            found.setdefault(self.nodes[node]["name"], []).extend(ran)
        return found

    @cached_property
    def left(self) -> list[TraceTensor]:
        """The tensors that were still there in the end, as they were then."""
        return [t for t in self.final if t["freed_step"] is None]

    @cached_property
    def parameter_of(self) -> dict[int, list[int]]:
        """Of each Parameter the tensor that it was made of."""
        found: dict[int, list[int]] = {}
        for t in self.tensors:
            made = self.maker.get(t["id"])
            if t["origin"] == "create" and made is not None and self.steps[made]["op"] == "detach":
                found[t["id"]] = self.steps[made].get("reads", [])
        return found

    @cached_property
    def tree(self) -> ast.Module:
        """The source, parsed."""
        return parsed(self.source)

    @cached_property
    def code(self) -> list[tuple[int | None, ast.Module]]:
        """All code of the user's that ran, parsed: that of the cell (None), and functions of other cells and files, by their source."""
        elsewhere = enumerate(self.document.get("sources", ()))
        return [
            (None, self.tree),
            *[(k, parsed(one["lines"], one["first"])) for k, one in elsewhere if one["lines"]],
        ]

    @cached_property
    def nodes_of_code(self) -> list[ast.AST]:
        """The nodes of these trees."""
        return [node for _, tree in self.code for node in ast.walk(tree)]

    def name(self, number: int, index: int | None = None) -> str:
        """What the user called a tensor at a step (in the end), or the source that made it, or its number."""
        found = ""
        for since, name in self.tensors[number]["names"]:
            # (What ends with a step, or goes over to another name, had its name while that ran.)
            if index is None or since < index or (since == index and name and not found):
                found = name or (found if index is None else "")
        if not found and number in self.maker:
            step = self.steps[self.maker[number]]
            lines, span = self.places.written(step)
            if (
                step["kind"] in ("op", "view", "create")
                and span
                and span[0] == span[2]
                and span[3] - span[1] <= 40
            ):
                found = lines[span[0] - 1][span[1] : span[3]]
                if within(self.places, self.steps, self.maker[number]):
                    found = f"the result of {step['op']} in {found}"
            elif span:
                found = f"{step['op']}() in {self.at(self.maker[number])}"
        return found or f"tensor {number + 1}"

    def held(self, number: int, index: int) -> list[str]:
        """The elements that the storage of a tensor held when a step ran, as far as they are known."""
        return self.contents(self.state(number, index)["storage"], index)["elements"]

    def at(self, index: int | None) -> str:
        """ "line 3", or which step where no line is known."""
        if index is None:
            return f"code before this cell, or {UNKNOWN_STEPS}" if self.gaps else "code before this cell"
        step = self.steps[index]
        return self.places.at(step) or (UNKNOWN_STEPS if step["kind"] == "gap" else f"step {index + 1}")

    def at_all(self, steps: Sequence[int]) -> str:
        """The lines of some steps; where no line is known, as in code that came without a file, the steps."""
        lines = self.lines(*steps)
        return self.places.of_lines(lines) if lines else listed([*dict.fromkeys(map(self.at, steps))])

    def ran(self, index: int, before: int | None = None) -> str:
        """What a step ran, and where: "line 3 (y.mul_(2))", "y.mul_(2) in line 2 of f (cell 4, called at line 7)". `before`: a step that the
        sentence names before."""
        if self.steps[index]["kind"] == "gap":
            return UNKNOWN_STEPS
        at = self.places.at(self.steps[index], None if before is None else self.steps[before])
        return run_at(self.doing(index), at or f"step {index + 1}")

    def spot(self, index: int) -> str:
        """Where a step ran, in words for parentheses: "line 3", "cell 4, line 2"."""
        return self.places.short(self.steps[index]) or self.at(index)

    def title(self) -> str:
        """ "cell 3", or "trace 'mine'" of one that the user named."""
        name = self.document["name"]
        if name == UNNAMED:
            return "the trace"
        return name if re.fullmatch(r"cell \d+", name) else f"trace {name!r}"

    def text(self, index: int) -> str:
        """The source of a step's expression, as far as it is known."""
        written, span = self.places.written(self.steps[index])
        if span is None:
            return ""
        lines = written[span[0] - 1 : span[2]]
        lines[-1] = lines[-1][: span[3]]
        return "\n".join([lines[0][span[1] :], *lines[1:]])

    def doing(self, index: int) -> str:
        """What a step ran, in short: "y.mul_(2)", "y[0] = 1", "relu_ in net(x)"; the operation where the source says no more."""
        text, op = statement(*self.places.written(self.steps[index]), 40), self.steps[index]["op"]
        if op == OUTSIDE:
            return "a NumPy array that shares its memory"
        if not text:
            called = called_in(self.text(index))
            return f"{op} in {called}(...)" if called and called.strip("_") != op.strip("_") else op
        if op == "grad":  # opt.zero_grad() sets a .grad
            return text
        called = called_in(text)
        return f"{op} in {text}" if called and called.strip("_") != op.strip("_") else text

    def lines(self, *indexes: int | None) -> list[int]:
        """The lines of steps."""
        found = [self.steps[i]["line"] for i in indexes if i is not None]
        return sorted({line for line in found if line is not None})

    def writes_to_leaf(self, number: int) -> bool:
        """Whether a write to a tensor, made by `detach()`, would be one to a leaf without it: that is an error."""
        leaf, storage = self.steps[self.maker[number]]["reads"][0], self.tensors[number]["storage"]
        written = {w["tensor"] for _, s in self.of("write") for w in s["writes"] if w["storage"] == storage}
        return self.tensors[leaf]["is_leaf"] and bool(written - {leaf})

    def cutter(self, number: int) -> str:
        """What made a tensor that has no history though it was computed from one that has."""
        step, tensor = self.steps[self.maker[number]], self.tensors[number]
        text = self.text(self.maker[number])
        what = text if text and "\n" not in text and len(text) <= 40 else f"{step['op']}()"
        if step["op"] in ("detach", "data"):
            if "Parameter(" in what or "deepcopy(" in what:
                return f"{what}, which makes a new leaf"
            cutter = "detach()" if step["op"] == "detach" else ".data"
            called = called_in(text)  # a function of a library, in whose code it stands
            by_call = called and cutter.strip(".()") not in text
            return f"{called}(...), which uses {cutter}" if by_call else cutter
        if "checkpoint(" in text:
            return CHECKPOINT
        if step["op"] in ("tensor", "as_tensor", "new_tensor"):
            one = len(step["reads"]) == 1 and self.tensors[step["reads"][0]]["shape"] == tensor["shape"]
            return f"{what}, which copies the numbers without their history ({'clone()' if one else 'stack()'} keeps it)"
        if step["op"] == "deepcopy":
            return f"{what}, which makes a new leaf"
        if not tensor["dtype"].startswith(("float", "bfloat", "complex")):
            return f"{what}, because a tensor of dtype {tensor['dtype']} has no gradient"
        off = self.switch(self.maker[number])
        return SAMPLE if ".sample(" in text and off == SOMEHOW else off

    def switch(self, index: int) -> str:
        """What had switched recording off when a step ran."""
        around = self.places.around(self.steps[index])
        found = next((off for lines, line in around if (off := switched_off(lines, line))), "")
        return found or SOMEHOW

    def read_for(self, number: int, index: int) -> list[int]:
        """The tensors that one was made from before a step: those that were read, of a Parameter what it was made of."""
        if number in self.maker:
            return [] if self.maker[number] >= index else self.steps[self.maker[number]].get("reads", [])
        return []

    def indexes_of(self, number: int, index: int) -> list[int]:
        """The tensors that said which elements one was made of, before a step."""
        made = self.maker.get(number, index)
        found = self.steps[made].get("index_map") if made < index else None
        return [] if found is None else [g["tensor"] for g in found["indices"] if g["tensor"] is not None]

    def origins(self, root: int, index: int) -> list[int]:
        """The tensors from which one was computed and that were not computed themselves, Parameters among them."""
        inner = {root, *(t for made_of in self.parameter_of.values() for t in made_of)}
        return sorted(
            t
            for t in self.sources(root, index) - inner
            if t not in self.maker or t in self.parameter_of or not self.read_for(t, index)
        )

    def sources(self, root: int, index: int) -> set[int]:
        """The tensors from which one was computed before a step, itself among them."""
        seen, todo = {root}, [root]
        for t in todo:  # grows while it is walked
            reads = [r for r in dict.fromkeys(self.read_for(t, index)) if r not in seen]
            todo += reads
            seen.update(reads)
        return seen

    def cut(self, source: int, root: int, index: int) -> int | None:
        """The tensor at which the way from `source` to `root` leaves the graph: it has no history though it was computed from one that
        has. Of several that which is nearest to the root on its way. None if the root was not computed from the source."""
        found = [
            t
            for t, parents in self.cuts(root, index)
            if any(source in self.sources(p, index) for p in parents)
        ]
        return self._likeliest(found) if found else self._first_cut_from(source, root, index)

    def met(self, number: int) -> TraceTensor:
        """A tensor as the first step that read it found it; as it was in the end, if none did."""
        used = self.users.get(number)
        return self.state(number, used[0]) if used else self.final[number]

    def cuts(self, root: int, index: int) -> list[tuple[int, list[int]]]:
        """(tensor, those with a history that it was computed from) of the tensors without history that a way back from a root comes to
        first."""
        known = (root, index)
        if known in self._cuts:
            return self._cuts[known]
        seen, todo, found = {root}, [root], []
        for t in todo:  # grows while it is walked
            made = self.maker.get(t, index)
            if made >= index or SHAPE_ONLY.fullmatch(self.steps[made]["op"]):
                continue
            reads = [*self.read_for(t, index), *self.indexes_of(t, index)]
            parents = [r for r in reads if self.state(r, made)["requires_grad"]]
            if self.tensors[t]["is_leaf"] and parents:
                found.append((t, parents))
                continue
            todo += [r for r in dict.fromkeys(reads) if r not in seen]
            seen.update(reads)
        self._cuts[known] = found
        return found

    def _likeliest(self, cuts: list[int]) -> int:
        """The cut that was least meant: a detach() before a mode, and the drawing of samples last; of equal ones the latest."""
        ranks = {"detach()": 0, ".data": 0, SAMPLE: 2}
        return min(cuts, key=lambda t: (ranks.get(self.cutter(t), 1), -t))

    def _first_cut_from(self, source: int, root: int, index: int) -> int | None:
        """The first tensor on a way from `source` to `root` that left the graph, though others came in again behind it."""
        seen, todo, found = {root}, [root], None
        children: dict[int, list[int]] = {}
        while todo:
            t = todo.pop()
            made = self.maker.get(t, index)
            if made < index and SHAPE_ONLY.fullmatch(self.steps[made]["op"]):
                continue
            for r in [*self.read_for(t, index), *self.indexes_of(t, index)]:
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
                made = self.maker.get(child, index)
                if self.tensors[child]["is_leaf"] and self.state(t, made)["requires_grad"]:
                    found = child if found is None else min(found, child)
                elif child not in passed:
                    passed.add(child)
                    todo.append(child)
        return found

    def numbered(self, name: str, index: int) -> int | None:
        """The tensor that a variable meant at a step."""
        return next((t["id"] for t in reversed(self.tensors) if name_at(t, index) == name), None)

    def through(self, number: int, index: int) -> int | None:
        """The tensor with a name that code got hold of an unnamed view by: `a` for `a[0]`."""
        while not name_at(self.tensors[number], index):
            step = self.steps[self.maker[number]] if number in self.maker else None
            if step is None or step["kind"] != "view" or not step.get("reads"):
                return None
            number = step["reads"][0]
        return number

    def made_by(self, number: int, passed: Sequence[str] = ()) -> int | None:
        """The step that made a tensor, or what it is a view of: p of p.squeeze(1). `passed`: operators behind which it looks as behind a view."""
        made = self.maker.get(number)
        while made is not None:
            step = self.steps[made]
            if (step["kind"] != "view" and step["op"] not in passed) or not step.get("reads"):
                break
            made = self.maker.get(step["reads"][0])
        return made

    def known_as(self, number: int, index: int) -> str:
        """What to call a tensor at a step: for an unnamed view the name of what it looks at."""
        named = self.through(number, index)
        return self.name(number if named is None else named, index)

    def computed_from(self, number: int) -> set[int]:
        """The tensors that were computed from one."""
        found = {number}
        for step in self.steps:
            if not found.isdisjoint(step.get("reads", ())):
                found.update(step.get("makes", ()))
        return found - {number}

    def nodes_towards(self, number: int | None) -> set[int]:
        """The nodes through which a gradient would come to a tensor: its own (or its AccumulateGrad), and those that lead there."""
        parents: dict[int, list[int]] = {}
        for node in self.nodes:
            for target, _ in node["next_functions"]:
                if target is not None:
                    parents.setdefault(target, []).append(node["id"])
        todo = [n["id"] for n in self.nodes if number is not None and n["variable"] == number]
        found = set(todo)
        while todo:
            for parent in parents.get(todo.pop(), ()):
                if parent not in found:
                    found.add(parent)
                    todo.append(parent)
        return found

    def nodes_behind(self, *numbers: int) -> set[int]:
        """Some nodes, and those to which a gradient would go on from them."""
        found, todo = {*numbers}, [*numbers]
        while todo:
            following = {
                target for target, _ in self.nodes[todo.pop()]["next_functions"] if target is not None
            } - found
            found |= following
            todo += following
        return found

    def node(self, number: int) -> str:
        """ "MulBackward0 (line 2)"."""
        return short(self.nodes[number]["name"]) + self.made_node(number)

    def made_node(self, number: int) -> str:
        """ " (line 2)": where a node was made; nothing if that is not known."""
        step, line = self.node_maker.get(number), self.nodes[number]["line"]
        at = self.places.short(self.steps[step]) if step is not None else ""
        at = at or ("" if line is None else self.places.of_line(line))
        return f" ({at})" if at else ""

    def first_cut(self, root: int, index: int) -> tuple[int, int] | None:
        """(leaf, tensor at which the way from it to `root` leaves the graph)."""
        met = [self.met(t["id"]) for t in self.tensors if t["id"] != root]
        leaves = [t["id"] for t in met if t["requires_grad"] and t["is_leaf"]]
        found = dict(self.cuts(root, index))
        if found:
            cut = self._likeliest([*found])
            behind = {s for p in found[cut] for s in self.sources(p, index)}
            leaf = next((t for t in leaves if t in behind), None)
            if leaf is not None:
                return leaf, cut
        for leaf in leaves:
            cut_from = self.cut(leaf, root, index)
            if cut_from is not None:
                return leaf, cut_from
        return None


class Sharers:
    """The tensors that lie on a storage, asked step by step: so each is looked at when it comes and when it goes, not at every write."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._waiting: dict[int, list[int]] = {}  # storage -> those to come, the next at the end
        self._there: dict[int, list[int]] = {}

    def on(self, storage: int, index: int) -> list[int]:
        """The numbers of those that are there when a step runs, which is not before the one asked about last."""
        tensors = self.log.tensors
        waiting = self._waiting.get(storage)
        if waiting is None:
            numbers = self.log.tensors_on.get(storage, ())
            waiting = self._waiting[storage] = sorted(numbers, key=lambda n: -tensors[n]["created_step"])
        there = self._there.get(storage, [])
        while waiting and tensors[waiting[-1]]["created_step"] < index:
            there.append(waiting.pop())
        found = [n for n in there if (freed := tensors[n]["freed_step"]) is None or freed > index]
        self._there[storage] = found
        return found


def called_in(text: str) -> str:
    """What an expression calls: "zero_" of y.detach().zero_(); nothing if it is no call."""
    try:
        call = parse(text, "eval").body
    except SyntaxError:
        return ""
    function = call.func if isinstance(call, ast.Call) else None
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def statement(source: list[str], span: Span | None, longest: int) -> str:
    """The expression at a span, with what is assigned to it if that is so; nothing if it is long."""
    if span is None or span[0] != span[2]:
        return ""
    line = source[span[0] - 1]
    text = line[span[1] : span[3]]
    whole = text + ASSIGNED.match(line[span[3] :])[0].rstrip()  # type: ignore[index]
    return next((t for t in (whole, text) if len(t) <= longest), "")
