"""nan and inf in a backward pass."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Value
from jgrad.tracing.document.sentences import short
from jgrad.tracing.document.values import holds_nan
from jgrad.tracing.explain.edits import at_step
from jgrad.tracing.explain.rule import RUNTIME, Rules
from jgrad.tracing.explain.rules.first_nan import first_nan

ERRORS = Rules()
NOTES = Rules()

ERRORS.by_words(
    "nan-in-backward", "error", "anomaly detection finds nan in a backward pass",
    "{lead}{node} is the first node of this backward pass that computed nan.",
    "Keep its input away from where the derivative is infinite or undefined, as in sqrt(x + 1e-12) or log(x.clamp(min=1e-12)).",
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
    "Keep its input away from that point, as in sqrt(x + 1e-12) or log(where(x > 0, x, 1)). A where() after it does not help, because "
    "0 * inf is nan."
)
TOO_LARGE = "A factor is infinite, nan or too large: find where it was made, or use a lower learning rate or clipped gradients."
PRODUCTS = re.compile(
    r"(?:Mul|Mm|Mv|Dot|Bmm|Addmm|Addmv|Baddbmm|Linear|LinalgVecdot|ConvolutionOverrideable|Convolution)Backward"
)
REMEDIES = (  # a node that made nan or inf, and what to do about it
    (PRODUCTS, TOO_LARGE),
    (r"(?:Acos|Asin|Atanh|Erfinv)Backward", "Keep its input away from -1 and 1, as in x.clamp(-1 + 1e-6, 1 - 1e-6)."),
    (r"(?:Std|Var)(?:Mean)?Backward", "A single number has no variance: pass at least two numbers, or correction=0."),
    (r"(?:Div|Reciprocal)Backward", "Keep the divisor away from 0, as in x / (y + 1e-12) or x / where(y != 0, y, 1)."),
    ("", UNDEFINED),
)  # fmt: skip
LARGE = 1e15  # the powers of such numbers soon leave what float32 can hold


@NOTES.rule(
    "grad-not-finite", "warning", "nan or inf appears in a backward pass",
    "{node}{where} got finite gradients and computed {what}{of}: it is the first node that did.",
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
        if not bad:
            continue
        arrived = [v for v in step["grads_in"] if v and (v.get("nan_count") or v.get("inf_count"))]
        if not arrived:
            node = log.nodes[step["node"]]
            of, repair = remedy(log, i)
            steep = _steep(log, i) if not of and node["name"].endswith("SqrtBackward0") else {}
            of = steep.pop("of", of)
            yield steep | {
                "step": i, "tensors": [], "lines": sorted({x for x in (node["line"], step["line"]) if x}), "node": short(node["name"]), "of": of,
                "repair": steep.get("repair", repair),
                "where": log.made_node(step["node"]), "what": "nan" if bad[0].get("nan_count") else "inf",
            }  # fmt: skip
            return


def _steep(log: Log, step: int) -> dict[str, Any]:
    """What is said of a sqrt() that had a 0: its derivative there is infinite. The edit keeps its input away from 0."""
    made = log.node_maker.get(log.steps[step]["node"])
    place = None if made is None else at_step(log, made)
    calls = (
        []
        if place is None
        else [
            n for n in ast.walk(place[1]) if isinstance(n, ast.Call) and ast.unparse(n.func).endswith("sqrt")
        ]
    )
    if made is None or place is None or 0 not in map(float, log.held(log.steps[made]["makes"][0], step)):
        return {}
    found: dict[str, Any] = {"of": ", because the slope of sqrt() at 0 is infinite"}
    call = calls[0] if len(calls) == 1 else None
    given = None if call is None else call.args[0] if call.args else getattr(call.func, "value", None)
    if call is not None and given is not None:
        new = f"{place[0].text(given)} + 1e-12"
        edit = place[0].replaced(given, new if call.args else f"({new})")
        found |= {
            "repair": f"Keep its input above 0: {new}. A where() after it does not help, because 0 * inf is nan.",
            "edits": [edit],
        }
    return found


def remedy(log: Log, step: int) -> tuple[str, str]:
    """Of a node that made nan or inf in a step: what it had saved that was so already, and what to do about it."""
    node = log.steps[step]["node"]
    name = short(log.nodes[node]["name"])
    unknown: set[int] = set()
    for t in saved_at(log, step):
        if log.maker.get(t) == log.node_maker.get(node):
            continue  # its own result
        texts = log.held(t, step)
        bad = next((kind for kind in ("nan", "inf") if kind in texts or f"-{kind}" in texts), None)
        nan = holds_nan(log.contents(log.state(t, step)["storage"], step))
        bad = "nan" if nan else bad
        unknown.update([t] * (nan is None))
        if bad is not None:
            return _because(log.name(t, step), bad)
        if name.startswith("PowBackward") and any(
            abs(float(x)) > LARGE for x in texts if re.fullmatch(r"-?[\d.]+(?:e[+-]?\d+)?", x)
        ):
            return "", TOO_LARGE
    maker = log.node_maker.get(node)
    if maker is not None:
        for t in log.steps[maker].get("reads", []):
            nan = holds_nan(log.contents(log.state(t, maker)["storage"], maker))
            if nan:
                return _because(log.name(t, maker), "nan")
            unknown.update([t] * (nan is None))
        # Of a large tensor not all elements are known. If nan was there before, it is the likely cause.
        among = set().union(*[log.sources(t, maker) for t in unknown])
        came = next(first_nan(log, among), None) if among else None
        if came is not None and came["step"] < maker:
            return f", maybe because of the nan of {log.at(came['step'])}", ""
    made = [] if maker is None else log.steps[maker].get("makes", [])
    if any(holds_nan(log.contents(log.state(t, step)["storage"], step)) for t in made):
        return ", because its result was nan already", ""
    after = [short(log.nodes[n]["name"]) for n, _ in log.nodes[node]["next_functions"] if n is not None]
    if name.startswith("LogBackward") and after == ["SoftmaxBackward0"]:
        return "", "Use log_softmax(), which does not round small probabilities to 0."
    return "", next(advice for pattern, advice in REMEDIES if re.match(pattern, name))


def _because(called: str, bad: str) -> tuple[str, str]:
    """That a tensor held what spoilt a gradient, and what to do about it: nan has a cause of its own, somewhere before."""
    simple = re.fullmatch(r"[A-Za-z_][\w.]*", called)
    repair = f"Ask %why {called} where it comes from." if simple else "" if bad == "nan" else TOO_LARGE
    return f", because {called} holds {bad}", repair


def saved_at(log: Log, step: int) -> list[int]:
    """The tensors that the node had saved which runs in a step."""
    saved = log.nodes[log.steps[step]["node"]]["saved"]
    return [t["tensor"] for t in saved if t["tensor"] is not None]


def spoilt(value: Value | None) -> bool:
    """Whether a gradient holds nan or inf."""
    return value is not None and bool(value.get("nan_count") or value.get("inf_count"))
