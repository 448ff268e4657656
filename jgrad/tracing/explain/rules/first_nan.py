"""nan in what was computed: which operation made the first, as far as that can be known.

A trace keeps 64 elements of a storage, or both its ends. Its bands tell whether nan is between them, if all elements were read for them. Otherwise
that is looked up in the tensor, if it still lives and holds what it held then.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jgrad.kernels.numpy.memory import Array
from jgrad.kernels.sparse import SparseArray
from jgrad.storage import owner
from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Contents, Step
from jgrad.tracing.document.syntax import around
from jgrad.tracing.document.uninitialized import places_of
from jgrad.tracing.document.values import fill_texts, holds_infinity, holds_nan
from jgrad.tracing.explain.edits import Edit, at_step
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.record.contents import UNREADABLE, WHOLE, contents, on_host

NOTES = Rules()

# Operations of which finite inputs may give inf:
AT_AN_EDGE = re.compile(r"(?:log|(?:true_)?div|reciprocal|r?sqrt|pow|tan|atanh|erfinv|create|tensor|full)")
EDGE = "Avoid 0 / 0, 0 * inf, inf - inf, and the logarithm or the root of a negative number, as with x.clamp(min=1e-12)."
GROWN = (
    "The numbers became too large for the dtype: use a lower learning rate, clipped gradients, or a function for large numbers (log_softmax, "
    "logsumexp)."
)
PUTS = re.compile(r"(?:masked_fill|where|tensor|full)")
COPIES = re.compile(r"(?:__setitem__|copy_|(?:masked_|index_)?fill_?)$")  # they compute nothing
SUMS = re.compile(r"(?:add|sub|mul|multiply|subtract)_?$")
CHAIN = 4  # steps that a sentence lists
# What fills a tensor with one number or with random ones, so that its ends show whether nan is among them.
FILLS = re.compile(
    r"(?:ones|zeros|full|rand|randn|randint|randperm|arange|linspace|eye)(?:_like)?$|(?:fill|zero|uniform|normal|trunc_normal|bernoulli)_$"
)
MADE = "{at} ({doing}) made the first nan{of}."
PUT_IN = "{at} ({doing}) put in the first nan."
SEEN = (
    "{at} ({doing}) made the first nan that the trace holds, but {names} ({where}) may have held an older one, because a trace keeps all elements "
    "of small tensors only (up to {most} elements)."
)
BETWEEN = (
    "{at} ({doing}) or {chain} made the first nan; the trace can't tell which, because it keeps all elements of small tensors only (up to {most} "
    "elements)."
)
LATE = "Fill the mask in before {softmax}, which then gives 0 there."
PUT_INFINITY = "Put in a finite number there, because inf - inf and 0 * inf are nan."
ROW = "Keep at least one number that is not -inf in each row, because a row of only -inf has no softmax."
Found = dict[str, Any]
Living = Callable[[int], Tensor | None]


@NOTES.rule(
    "nan-appears", "warning", "nan appears in a result",
    "{text}",
    "{repair}",
    """
p = jgrad.tensor([0., 1.], requires_grad=True)
entropy = -(p * p.log()).sum()
""", """
p = jgrad.tensor([0., 1.], requires_grad=True)
entropy = -jgrad.special.xlogy(p, p).sum()
""",
)  # fmt: skip
def first_nan(log: Log, among: set[int] | None = None) -> Iterator[Found]:
    """The operation that made the first nan, and the one that made the infinity that it was made of. `among`: these tensors alone matter, as
    what one was computed from."""
    if among is None:
        held = [s["contents"] for s in log.document["storages"]] + [w["contents"] for _, w in log.writes]
        if not any([holds_nan(cells) for cells in held]):
            return
    yield from _Search(log, log.living, among).found()


class _Search:
    """Goes through a log step by step, with what is known of each storage."""

    def __init__(self, log: Log, living: Living | None, among: set[int] | None) -> None:
        self.log = log
        self.living = living
        self.storages = log.document["storages"]
        self.contents = _Contents(log, living)
        self.matters: set[int] | None = None  # the storages of the tensors that matter; None: all
        if among is not None:
            self.matters = {log.final[t]["storage"] for t in among} | {
                log.tensors[t]["storage"] for t in among
            }
        self.nan: dict[int, bool | None] = {}  # storage -> whether it holds nan, None if that is not known
        # Storage that holds infinities -> the step that made the first of them.
        self.inf: dict[int, int | None] = {}
        # Storage of which it is not known -> the steps in which nan may have come in; None among them stands for "before the trace".
        self.suspects: dict[int, set[int | None]] = {}

    def found(self) -> Iterator[Found]:
        """The step that made the first nan, if any did."""
        for storage in self.storages:
            if storage["created_step"] < 0:
                number = storage["id"]
                self.nan[number], infinite = self.contents(number, storage["contents"], -1)
                if infinite:
                    self.inf[number] = None
                if self.nan[number] is None:
                    self.suspects[number] = {None}
        for i, step in enumerate(self.log.steps):
            case = self._look(i, step)
            if case is not None:
                kept = " in the steps that were kept" if self.log.has_gap(0, i) else ""
                first = f"the first nan{kept}{_in_round(self.log, i)}"
                yield case | {"text": case["text"].replace("the first nan", first, 1)}
                return

    def _look(self, i: int, step: Step) -> Found | None:
        """Look at what a step left in storages; the case if it made the first nan."""
        made = self._left(i, step)
        if not made:
            return None
        read = {self.log.state(t, i)["storage"]: t for t in step.get("reads", ())}
        # The step that made an infinity which it read.
        source = next((self.inf[s] for s in read if s in self.inf), None)
        for storage, cells in made:
            nan, infinite = self._holds(i, step, storage, cells)
            if infinite:
                self.inf.setdefault(
                    storage, None if step["kind"] == "gap" else i if source is None else source
                )
            else:
                self.inf.pop(storage, None)
            computes = step["kind"] in ("create", "op", "write") and (
                self.matters is None or storage in self.matters
            )
            if nan and computes and not any(self.nan.get(r) for r in read):
                doubtful = {r: t for r, t in read.items() if self.nan.get(r, False) is None}
                return self._doubtful(i, doubtful) if doubtful else self._certain(i, source)
            self.nan[storage] = nan
            if nan is None:
                here: set[int | None] = {i}
                self.suspects[storage] = here.union(*[self.suspects.get(r, set()) for r in {storage, *read}])
            else:
                self.suspects.pop(storage, None)
        return None

    def _left(self, i: int, step: Step) -> list[tuple[int, Contents]]:
        """(storage, contents) of what a step wrote and made."""
        left = [(w["storage"], w["contents"]) for w in step.get("writes", ())]
        if step["kind"] == "gap":
            left += [(s["id"], s["contents"]) for s in self.storages if s["created_step"] == i]
        for t in step.get("makes", ()):
            own = self.storages[self.log.tensors[t]["storage"]]
            if own["created_step"] == i:
                left.append((own["id"], own["contents"]))
        return left

    def _holds(self, i: int, step: Step, storage: int, cells: Contents) -> tuple[bool | None, bool]:
        """Whether a storage holds nan (None: not known), and whether infinities, after a step. What empty() finds in memory counts as neither."""
        if step["op"].startswith(("empty", "new_empty")):
            return False, False
        nan, infinite = self.contents(storage, cells, i)
        if nan is None and FILLS.match(step["op"]) and cells["numel"] == self._filled(step, storage):
            return False, infinite
        return nan, infinite

    def _filled(self, step: Step, storage: int) -> int:
        """How many elements of a storage a step filled."""
        for write in step.get("writes", ()):
            if write["storage"] == storage:
                return write["numel"]
        return self.storages[storage]["numel"]

    def _empty(self, i: int) -> int | None:
        """The step that gave the first tensor without elements of which a step computed; None if it read none."""
        log, found = self.log, None
        todo = [*log.steps[i].get("reads", ())]
        while empty := [log.maker[t] for t in todo if 0 in log.tensors[t]["shape"] and t in log.maker]:
            found = empty[-1]
            made = log.steps[found]["makes"][0]
            todo = [
                t
                for t in (*log.steps[found].get("reads", ()), *log.indexes_of(made, i))
                if log.maker.get(t, i) < found
            ]
        return found

    def _case(self, i: int, lines: list[int]) -> Found:
        return {
            "step": i,
            "tensors": self.log.steps[i].get("makes", []),
            "lines": lines,
            "severity": "warning",
        }

    def _doubtful(self, i: int, doubtful: dict[int, int]) -> Found:
        """nan is first seen in a step that read tensors of which not all elements are known. `doubtful`: storage -> tensor."""
        log, living = self.log, self.living
        suspects = set().union(*[self.suspects.get(s, {None}) for s in doubtful])
        makers = sorted(k for k in suspects if k is not None)
        repair = "Check with isnan().any() before the tensor is written to again."
        if living is None or any(living(t) is None for t in doubtful.values()):
            repair = (
                "Keep the result in a variable and trace again, so that %why can look at all its elements."
            )
        found = self._case(i, log.lines(*makers, i)) | {"repair": repair}
        blanks = {"at": log.at(i), "doing": log.doing(i), "most": WHOLE}
        ran = [k for k in makers if log.steps[k]["kind"] == "op"]
        if None not in suspects and ran == makers and len(makers) <= CHAIN:
            chain = " or ".join(log.ran(k) for k in reversed(makers))
            return found | {"text": BETWEEN.format(**blanks, chain=chain)}
        where = log.at_all(makers) if makers else "from before"
        names = listed(list(dict.fromkeys(log.name(t, i) for t in doubtful.values())))
        return found | {"text": SEEN.format(**blanks, names=names, where=where)}

    def _certain(self, i: int, source: int | None) -> Found:
        """This step made the first nan, or put it in, out of the infinity that step `source` had made, if there was one."""
        log, step = self.log, self.log.steps[i]
        found = self._case(i, log.lines(source, i))
        blanks = {"at": log.at(i), "doing": log.doing(i)}
        if step["kind"] == "create" and not step.get("reads"):
            return found | {"text": PUT_IN.format(**blanks), "repair": "", "severity": "info"}
        if COPIES.match(step["op"]):
            return found | {"text": PUT_IN.format(**blanks), "repair": ""}
        if source is None and SUMS.match(step["op"]):
            # Finite numbers don't give nan here, and the tensors were finite: the number at their side was not.
            return found | {"text": PUT_IN.format(**blanks), "repair": ""}
        empty = self._empty(i)
        if empty is not None:
            of = f", because {log.name(log.steps[empty]['makes'][0], i)} has no elements"
            repair = f"See why {log.at(empty)} ({log.doing(empty)}) gives none."
            return found | {
                "text": MADE.format(**blanks, of=of),
                "repair": repair,
                "edits": _whole_slice(log, empty),
            }
        if source is None:
            return found | {"text": MADE.format(**blanks, of=""), "repair": EDGE}
        origin = log.steps[source]
        of = f" from an infinity that {log.ran(source)} had made"
        repair = EDGE if AT_AN_EDGE.match(origin["op"]) or origin["kind"] == "write" else GROWN
        if "softmax" in step["op"] and (origin["kind"] == "write" or PUTS.match(origin["op"])):
            repair = ROW
        elif PUTS.match(origin["op"]):
            made = log.maker.get(origin["reads"][0]) if origin.get("reads") else None
            late = made is not None and "softmax" in log.steps[made]["op"]
            repair = (
                LATE.format(softmax=f"{log.at(made)} ({log.doing(made)})")
                if late and made is not None
                else PUT_INFINITY
            )
            found["edits"] = _softmax_last(log, made, source) if late and made is not None else []
        return found | {"text": MADE.format(**blanks, of=of), "repair": repair}


def _whole_slice(log: Log, step: int) -> list[Edit]:
    """`x[start : start + size]` for `x[start:size]`, where a loop has `start` in steps of `size`."""
    place = at_step(log, step)
    for node in ast.walk(place[1]) if place is not None else ():
        if place is None or not isinstance(node, ast.Slice) or node.lower is None or node.upper is None:
            continue
        code, start, size = place[0], ast.unparse(node.lower), ast.unparse(node.upper)
        for loop in around(code.tree, place[1].lineno, ast.For):
            if ast.unparse(loop.target) == start and re.fullmatch(
                rf"range\(.*, {re.escape(size)}\)", ast.unparse(loop.iter)
            ):
                return [code.replaced(node.upper, f"{start} + {size}")]
    return []


def _softmax_last(log: Log, made: int, filled: int) -> list[Edit]:
    """`masked_fill(scores).softmax(-1)` for `masked_fill(scores.softmax(-1))`, in two assignments of one text."""
    places = [at_step(log, made), at_step(log, filled)]
    if places[0] is None or places[1] is None or places[0][0].file != places[1][0].file:
        return []
    code, (first, last) = places[0][0], (place[1] for place in places if place is not None)
    calls = [
        n
        for n in ast.walk(first)
        if isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == "softmax"
    ]
    if len(calls) != 1 or first.lineno == last.lineno or not isinstance(last, ast.Assign):
        return []
    call, value = calls[0], code.text(last.value)
    if (
        isinstance(call.func, ast.Attribute)
        and ast.unparse(call.func.value) not in ("F", "torch", "jgrad")
        and not ast.unparse(call.func.value).endswith("functional")
    ):
        scores, whole = call.func.value, f"{value}.softmax("
        whole += f"{', '.join(map(ast.unparse, [*call.args, *call.keywords]))})"
    elif call.args:
        scores, whole = (
            call.args[0],
            ", ".join(
                [f"{code.text(call.func)}({value}", *map(ast.unparse, [*call.args[1:], *call.keywords])]
            )
            + ")",
        )
    else:
        return []
    return [code.cut(call, scores), code.replaced(last.value, whole)]


def _in_round(log: Log, index: int) -> str:
    """ " in round 21 of 30" of a training loop, if a step is in one."""
    rounds = log.document.get("rounds")
    for number, begin, end in () if rounds is None else rounds["kept"]:
        if rounds is not None and begin <= index < end:
            return f" in round {number:,} of {rounds['total']:,}"
    return ""


class _Contents:
    """Whether a storage held nan, and whether infinities, after a step."""

    def __init__(self, log: Log, living: Living | None) -> None:
        self.log = log
        self.living = living
        # storage -> the step that wrote to it last
        self.last: dict[int, int] = {write["storage"]: i for i, write in log.writes}

    def __call__(self, storage: int, cells: Contents, step: int) -> tuple[bool | None, bool]:
        cells = self._of_tensors(storage, cells)
        nan, inf = holds_nan(cells), holds_infinity(cells)
        numbers = self.log.document["storages"][storage]["dtype"].startswith(("float", "bfloat", "complex"))
        if nan is not None or not numbers:
            return bool(nan), inf
        array = self._whole(storage, cells) if self.last.get(storage, step) <= step else None
        if array is None:
            return None, inf
        return bool(np.isnan(array).any()), inf or bool(np.isinf(array).any())

    def _of_tensors(self, storage: int, cells: Contents) -> Contents:
        """The contents without elements that no tensor shows. Nobody wrote to these: the mean loss of PyTorch is a number in the memory of all
        losses."""
        log, n = self.log, cells["numel"]
        shown = [log.tensors[t] for t in log.tensors_on.get(storage, ())]
        covered = not shown or sum(math.prod(t["shape"]) for t in shown) >= n
        if covered or any(t["id"] in log.changes for t in shown):  # those that changed may have shown others
            return cells
        places = {int(place) for t in shown for place in places_of(t)}
        kept = [*range(cells["head"]), *range(n - cells["tail"], n)]
        texts = [text for place, text in zip(kept, cells["elements"], strict=True) if place in places]
        return {"numel": len(texts), "elements": texts, "head": len(texts), "tail": 0}

    def _whole(self, storage: int, cells: Contents) -> Array | None:
        """What a storage holds, if that is what it held when the trace ended."""
        living = self.living
        if living is None:
            return None
        for t in self.log.tensors_on.get(storage, ()):
            tensor = living(t)
            if tensor is None or self.log.final[t]["storage"] != storage:
                continue
            root = owner(tensor._a)
            if isinstance(root, UNREADABLE):
                continue
            now: Any = {"elements": []}
            fill_texts([(now, root.dtype, contents(root))])
            counter = self.log.tensors[t]["version_counter"]
            written = self.log.writes_to.get(counter, ())
            version = written[-1][1]["versions"][1] if written else self.log.tensors[t]["version"]
            if now["elements"] == cells["elements"] and tensor._version == version:
                # (Of a sparse tensor the other elements are zero.)
                return root.values if isinstance(root, SparseArray) else on_host(root.ravel("K"))
        return None
