"""nan and inf: which operation made the first, forwards and backwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jgrad.storage import owner
from jgrad.tensor import Tensor
from jgrad.trace.document.log import Log
from jgrad.trace.document.schema import Contents, Step, Value
from jgrad.trace.document.sentences import short
from jgrad.trace.document.values import cells_of, fill_texts
from jgrad.trace.explain.rule import RUNTIME, Rules, line_numbers, listed
from jgrad.trace.record.contents import WHOLE, contents, on_host

ERRORS = Rules()
NOTES = Rules()

ERRORS.by_words(
    "nan-in-backward", "error", "anomaly detection finds nan in a backward pass",
    "{lead}{node} is the first to make nan in the backward pass.",
    "Keep its input away from where the derivative is infinite or undefined: clamp it, or add a small number before sqrt, log or a division.",
    """
w = jgrad.zeros(1, requires_grad=True)
with jgrad.autograd.set_detect_anomaly(True):
    (w.sqrt() * 0).backward()
""", """
w = jgrad.zeros(1, requires_grad=True)
with jgrad.autograd.set_detect_anomaly(True):
    ((w + 1e-8).sqrt() * 0).backward()
""",
    raised=(RUNTIME, r"Function '(?P<node>\w+)' returned nan values in its \d+th output"),
)  # fmt: skip

UNDEFINED = (
    "Keep its input away from there: add a small number, as in sqrt(x + 1e-12), or put a where() before it, as in log(where(x > 0, x, 1)); one "
    "after it does not help, for it sends back a 0, and 0 times infinity is nan."
)
TOO_LARGE = (
    "One of its factors is infinite or too large: look where that was made. Where a training diverges, a lower learning rate or clipped gradients "
    "keep it in bounds."
)
PRODUCTS = re.compile(
    r"(?:Mul|Mm|Mv|Dot|Bmm|Addmm|Addmv|Baddbmm|Linear|LinalgVecdot|ConvolutionOverrideable|Convolution)Backward"
)
REMEDIES = (  # a node that made nan or inf, and what to do about it
    (PRODUCTS, TOO_LARGE),
    (r"(?:Acos|Asin|Atanh|Erfinv)Backward", "Keep its input away from -1 and 1, as with x.clamp(-1 + 1e-6, 1 - 1e-6)."),
    (r"(?:Std|Var)(?:Mean)?Backward", "A single number has no spread: give it at least two, or pass correction=0."),
    (r"(?:Div|Reciprocal)Backward", "Keep the divisor away from 0: add a small number to it, or put a where() before it, as in x / where(y != 0, y, 1)."),
    ("", UNDEFINED),
)  # fmt: skip
LARGE = 1e15  # the powers of such numbers soon leave what float32 can hold


@NOTES.rule(
    "grad-not-finite", "warning", "nan or inf appears in a backward pass",
    "{node}{where} made {what} out of finite gradients{of}: it is the first to do so.",
    "{repair}",
    """
w = jgrad.zeros(1, requires_grad=True)
y = w.sqrt() * 0
y.backward()
""", """
w = jgrad.zeros(1, requires_grad=True)
y = (w + 1e-8).sqrt() * 0
y.backward()
""",
)  # fmt: skip
def grad_not_finite(log: Log) -> Iterator[dict]:
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


def remedy(log: Log, step: int) -> tuple[str, str]:
    """Of a node that made nan or inf in a step: what it had saved that was so already, and what to do about it."""
    node = log.steps[step]["node"]
    name = short(log.nodes[node]["name"])
    for t in saved_at(log, step):
        if log.maker.get(t) == log.node_maker.get(node):
            continue  # its own result
        texts = log.held(t, step)
        bad = next((kind for kind in ("nan", "inf") if kind in texts or f"-{kind}" in texts), None)
        if bad is not None:
            called = log.name(t, step)
            where = (
                f"%why {called} says where that comes from."
                if re.fullmatch(r"[A-Za-z_][\w.]*", called)
                else ""
            )
            return f", since {called} holds {bad}", where or TOO_LARGE.replace(
                "One of its factors is infinite or too large: look", "Look"
            )
        if name.startswith("PowBackward") and any(
            abs(float(x)) > LARGE for x in texts if re.fullmatch(r"-?[\d.]+(?:e[+-]?\d+)?", x)
        ):
            return "", TOO_LARGE
    after = [short(log.nodes[n]["name"]) for n, _ in log.nodes[node]["next_functions"] if n is not None]
    if name.startswith("LogBackward") and after == ["SoftmaxBackward0"]:
        return "", "Use log_softmax(), which takes the logarithm before a small probability can become 0."
    return "", next(advice for pattern, advice in REMEDIES if re.match(pattern, name))


def saved_at(log: Log, step: int) -> list[int]:
    """The tensors that the node had saved which runs in a step."""
    saved = log.nodes[log.steps[step]["node"]]["saved"]
    return [t["tensor"] for t in saved if t["tensor"] is not None]


def spoilt(value: Value | None) -> bool:
    """Whether a gradient holds nan or inf."""
    return value is not None and bool(value.get("nan_count") or value.get("inf_count"))


AT_AN_EDGE = re.compile(
    r"(?:log|(?:true_)?div|reciprocal|r?sqrt|pow|tan|atanh|erfinv|create|tensor|full)"
)  # finite inputs may give inf
EDGE = "Keep its input away from where that happens: 0 / 0, 0 * inf, inf - inf, the logarithm or the root of a negative number."
GROWN = (
    "Numbers grew until no float holds them: a lower learning rate, clipped gradients, or a function made for large numbers (log_softmax, "
    "logsumexp) keep them in bounds."
)
PUTS = re.compile(r"(?:masked_fill|where|tensor|full)")
CHAIN = 4  # steps that a sentence lists
# What fills a tensor with one number or with random ones, so that its ends show whether nan is among them.
FILLS = re.compile(
    r"(?:ones|zeros|full|rand|randn|randint|randperm|arange|linspace|eye)(?:_like)?$|(?:fill|zero|uniform|normal|trunc_normal|bernoulli)_$"
)
MADE = "{at} ({doing}) made the first nan{of}."
PUT_IN = "{at} ({doing}) put in the first nan."
SEEN = (
    "{at} ({doing}) is where nan is first seen, but it may be older: a trace keeps no more than {most} elements of a tensor in full, and {names} "
    "({where}) had more."
)
BETWEEN = "{at} ({doing}) is where nan is first seen; it came in there or in {chain}. (A trace keeps no more than {most} elements of a tensor in full.)"
ROW = "A row of nothing but -inf has no softmax: leave one place open in each."
Found = dict[str, Any]
Living = Callable[[int], Tensor | None]


@NOTES.rule(
    "nan-appears", "warning", "nan appears in what is computed",
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
def first_nan(log: Log, living: Living | None = None, among: set[int] | None = None) -> Iterator[Found]:
    """The operation that made the first nan, and the one that made the infinity that it was made of. `living`: the tensor of a number, if it
    is still there; `among`: these tensors alone matter, as what one was computed from."""
    storages = log.document["storages"]
    if among is None:
        held = [storage["contents"] for storage in storages] + [w["contents"] for _, w in log.writes]
        if not any(["nan" in cells["elements"] for cells in held]):
            return
    contents_of = _Contents(log, living)
    matters = (
        None
        if among is None
        else {log.final[t]["storage"] for t in among} | {log.tensors[t]["storage"] for t in among}
    )
    nan: dict[int, bool | None] = {}  # storage -> whether it holds nan, None if that is not known
    inf: dict[int, int | None] = {}  # storage that holds infinities -> the step that made the first of them
    # Storage of which it is not known -> the steps in which nan may have come in, None among them if it may have been there before:
    unknown: dict[int, set[int | None]] = {}
    for storage in storages:
        if storage["created_step"] < 0:
            nan[storage["id"]], infinite = contents_of(storage["id"], storage["contents"], -1)
            if infinite:
                inf[storage["id"]] = None
            if nan[storage["id"]] is None:
                unknown[storage["id"]] = {None}
    for i, step in enumerate(log.steps):
        made = [(w["storage"], w["contents"]) for w in step.get("writes", ())]
        for t in step.get("makes", ()):
            own = storages[log.tensors[t]["storage"]]
            if own["created_step"] == i:
                made.append((own["id"], own["contents"]))
        if not made:
            continue
        read = {log.state(t, i)["storage"]: t for t in step.get("reads", ())}
        source = next((inf[s] for s in read if s in inf), None)
        for s, cells in made:
            garbage = step["op"].startswith(("empty", "new_empty"))
            spoilt, infinite = (False, False) if garbage else contents_of(s, cells, i)
            if spoilt is None and FILLS.match(step["op"]) and cells["numel"] == _wrote(log, step, s):
                spoilt = False
            if infinite:
                inf.setdefault(s, i if source is None else source)
            else:
                inf.pop(s, None)
            runs = step["kind"] in ("create", "op", "write") and (matters is None or s in matters)
            if spoilt and runs and not any(nan.get(r) for r in read):
                doubtful = [r for r in read if nan.get(r, False) is None]
                yield _case(log, i, source, {r: read[r] for r in doubtful}, unknown, living)
                return
            nan[s] = spoilt
            if spoilt is None:
                steps: set[int | None] = {i}
                unknown[s] = steps.union(*[unknown.get(r, set()) for r in {s, *read}])
            else:
                unknown.pop(s, None)


def _wrote(log: Log, step: Step, storage: int) -> int:
    """How many elements of a storage a step filled."""
    for write in step.get("writes", ()):
        if write["storage"] == storage:
            return write["numel"]
    return log.document["storages"][storage]["numel"]


def _case(
    log: Log,
    i: int,
    source: int | None,
    doubtful: dict[int, int],
    unknown: dict[int, set[int | None]],
    living: Living | None,
) -> Found:
    step = log.steps[i]
    found: Found = {
        "step": i,
        "tensors": step.get("makes", []),
        "lines": log.lines(source, i),
        "severity": "warning",
    }
    blanks = {"at": log.at(i), "doing": log.doing(i)}
    if doubtful:
        suspects = set().union(*[unknown.get(s, {None}) for s in doubtful])
        makers = sorted(k for k in suspects if k is not None)
        gone = living is None or any(living(t) is None for t in doubtful.values())
        repair = "Keep that result in a variable and trace once more: %why looks through all of what still lives and was not written to."
        if not gone:
            repair = "It was written to since: look at it with isnan().any() before that."
        found |= {"repair": repair, "lines": log.lines(*makers, i)}
        ran = [k for k in makers if log.steps[k]["kind"] == "op"]
        if None not in suspects and ran == makers and len(makers) <= CHAIN:
            chain = " or ".join(f"{log.at(k)} ({log.doing(k)})" for k in reversed(makers))
            return found | {"text": BETWEEN.format(**blanks, chain=chain, most=WHOLE)}
        where = line_numbers(log.lines(*makers)) if makers else "from before"
        names = listed(list(dict.fromkeys(log.name(t, i) for t in doubtful.values())))
        return found | {"text": SEEN.format(**blanks, names=names, where=where, most=WHOLE)}
    if step["kind"] == "create" and not step.get("reads"):
        return found | {"text": PUT_IN.format(**blanks), "repair": "", "severity": "info"}
    of = (
        "" if source is None else f", out of an infinity that {log.at(source)} ({log.doing(source)}) had made"
    )
    edge = source is None or AT_AN_EDGE.match(log.steps[source]["op"]) or log.steps[source]["kind"] == "write"
    put = source is not None and (log.steps[source]["kind"] == "write" or PUTS.match(log.steps[source]["op"]))
    masked = put and "softmax" in step["op"]
    return found | {
        "text": MADE.format(**blanks, of=of),
        "repair": ROW if masked else EDGE if edge else GROWN,
    }


class _Contents:
    """Whether a storage held nan, and whether infinities, after a step."""

    def __init__(self, log: Log, living: Living | None) -> None:
        self.log = log
        self.living = living
        self.last: dict[int, int] = {
            write["storage"]: i for i, write in log.writes
        }  # storage -> when it was last written to

    def __call__(self, storage: int, cells: Contents, step: int) -> tuple[bool | None, bool]:
        nan, inf = "nan" in cells["elements"], "inf" in cells["elements"] or "-inf" in cells["elements"]
        numbers = self.log.document["storages"][storage]["dtype"].startswith(("float", "bfloat", "complex"))
        if nan or cells["head"] == cells["numel"] or not numbers:
            return nan, inf
        array = self._whole(storage, cells) if self.last.get(storage, step) <= step else None
        if array is None:
            return None, inf
        return bool(np.isnan(array).any()), inf or bool(np.isinf(array).any())

    def _whole(self, storage: int, cells: Contents) -> Any:
        """What a storage holds, if that is what it held when the trace ended."""
        living = self.living
        if living is None:
            return None
        for t in self.log.tensors_on[storage]:
            tensor = living(t)
            if tensor is None or self.log.final[t]["storage"] != storage:
                continue
            root = owner(tensor._a)
            now = cells_of((root.size, b""))
            fill_texts([(now, root.dtype, contents(root))])
            counter = self.log.tensors[t]["version_counter"]
            written = self.log.writes_to.get(counter, ())
            version = written[-1][1]["versions"][1] if written else self.log.tensors[t]["version"]
            if now == cells and tensor._version == version:
                return on_host(root.ravel("K"))
        return None
