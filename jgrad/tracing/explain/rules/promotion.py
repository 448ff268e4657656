"""Dtypes that change without anybody having asked for it, or that can't hold what is computed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.edits import ATOMS, at_step, calls_of, number_of
from jgrad.tracing.explain.operands import NUMPY
from jgrad.tracing.explain.repairs import NAME
from jgrad.tracing.explain.rule import Rules

NOTES = Rules()

FEW = 4  # elements of which nothing can be said
ASKED = re.compile(r"float64|double|set_default_dtype")  # code that means it
# What operators are called that read or write by an index.
INDEXES = ("index", "gather", "scatter", "take", "embedding", "one_hot", "bincount")
# Operators that take the dtype of what they are given.
MADE = (
    "from_numpy",
    "tensor",
    "as_tensor",
    "asarray",
)
DATA = """
import numpy
w = jgrad.ones(3, requires_grad=True)
x = jgrad.from_numpy(numpy.linspace(0, 1, 3)){convert}
loss = (w * x).sum()
loss.backward()
"""


@NOTES.rule(
    "float64-from-numpy", "info", "data from NumPy makes a float32 computation float64",
    "{at} ({doing}) computes in float64, though {parameter} is float32. The cause: {cause}.",
    "Convert it once: {data} = {data}.float().",
    DATA.format(convert=""),
    DATA.format(convert=".float()"),
)  # fmt: skip
def float64_from_numpy(log: Log) -> Iterator[dict]:
    """An operator on a float32 leaf that requires grad gives float64, since the other operand is an array of NumPy's default dtype, or comes from
    a tensor with a name that has it from before."""
    for i, leaf, wide in _promotions(log):
        for t in _origins(log, wide, i):
            maker, name = log.maker.get(t), log.name(t, i)
            if (
                maker is not None
                and log.steps[maker]["op"] in MADE
                and not log.read_for(t, i)
                and _of_numpy(log, maker)
            ):
                cause = f"{log.at(maker)} made {name} from NumPy's numbers, which are float64 unless another dtype is given"
            elif (
                maker is None
                and log.tensors[t]["created_step"] == -1
                and NAME.fullmatch(name)
                and not log.met(t)["requires_grad"]
            ):
                cause = f"{name} has dtype float64, as tensors of NumPy's numbers have"
            else:
                continue
            yield {
                "step": i, "tensors": [leaf, wide], "lines": log.lines(maker, i), "at": log.at(i), "doing": log.doing(i),
                "parameter": log.name(leaf, i), "cause": cause, "data": name,
            }  # fmt: skip
            return


WRAPPED = """
image = jgrad.tensor([120, 130, 140], dtype=jgrad.uint8)
x = %s.float() / 64
"""


@NOTES.rule(
    "bytes-wrap-around", "warning", "a difference of bytes falls below 0 and wraps around",
    "{at}: {text} is computed in uint8, which has no negative numbers. What falls below 0 comes back near 255.",
    "Convert it first: {instead}.",
    WRAPPED % "(image - 128)",
    WRAPPED % "(image.float() - 128)",
)  # fmt: skip
def bytes_wrap_around(log: Log) -> Iterator[dict]:
    """A number is subtracted, and a result is larger than 255 less this number; or the difference of two tensors, which becomes floating point, has an
    element that is larger than all that were subtracted from."""
    for i, step in log.operations.get("sub", ()):
        made = step["makes"][0]
        if log.tensors[made]["dtype"] != "uint8":
            continue
        place, largest = at_step(log, i), _largest(log, made, i + 1)
        for node in ast.walk(place[1]) if place is not None else ():
            if (
                not isinstance(node, ast.BinOp)
                or not isinstance(node.op, ast.Sub)
                or not isinstance(node.left, ATOMS)
            ):
                continue
            number = number_of(node.right)
            most = 255 - number if number is not None else 255
            if number is None and len(step["reads"]) == 2 and _becomes_floating(log, made):
                most = _largest(log, step["reads"][0], i)
            if place is not None and largest > most >= 0:
                left, right = place[0].text(node.left), place[0].text(node.right)
                yield {
                    "step": i, "tensors": [made], "lines": log.lines(i), "at": log.at(i), "text": place[0].text(node),
                    "instead": f"{left}.float() - {right}", "edits": [place[0].replaced(node.left, f"{left}.float()")],
                }  # fmt: skip
                return


def _largest(log: Log, number: int, index: int) -> int:
    """The largest element of a tensor of bytes, or of what it is a view of, where a step found it."""
    contents = log.contents(log.state(number, index)["storage"], index)
    bands = contents.get("bands")
    known = [*contents["elements"], *([bands["largest"]] if bands is not None else [])]
    return max([int(x) for x in known if x is not None], default=-1)


def _becomes_floating(log: Log, number: int) -> bool:
    """Whether floating point numbers are made of a tensor at once."""
    made = [t for i in log.users.get(number, ()) for t in log.steps[i].get("makes", ())]
    return any(log.tensors[t]["dtype"].startswith("float") for t in made)


CUT = """
share = jgrad.tensor([0.25, 0.5, 0.75, 0.9])
y = share%s
loss = (jgrad.ones(4, requires_grad=True) * y).sum()
"""


@NOTES.rule(
    "fractions-cut", "warning", "fractions are made whole numbers, and all become 0",
    "{at}: {name} has fractions below 1, and {text} makes them whole numbers: all are 0 now.",
    "{repair}",
    CUT % ".long()",
    CUT % ".float()",
)  # fmt: skip
def fractions_cut(log: Log) -> Iterator[dict]:
    """A step makes a tensor of whole numbers, all 0, of one of floating point numbers that are not; and what is computed from it is no index. (Points
    of the first cell of a grid are all 0, too.)"""
    for i, step in [
        (i, s) for op in ("to", "_to_copy", "long", "int") for i, s in log.operations.get(op, ())
    ]:
        reads, made = step.get("reads", ()), step.get("makes", ())
        if (
            not reads
            or not made
            or not log.tensors[reads[0]]["dtype"].startswith("float")
            or not log.tensors[made[0]]["dtype"].startswith("int")
        ):
            continue
        before, after = log.held(reads[0], i), log.held(made[0], i + 1)
        if len(after) < FEW or {*after} != {"0"} or not any(0 < abs(float(x)) < 1 for x in before):
            continue
        if not log.users.get(made[0]) or _becomes_an_index(log, made[0], i):
            continue
        place = at_step(log, i)
        names = ("long", "int", "to", "type")
        calls = [] if place is None else [c for name in names for c in calls_of(place[1], name)]
        repair, edits = "Keep them floating point.", []
        if any(log.steps[k]["op"].startswith(("nll_loss", "cross_entropy")) for k in log.users[made[0]]):
            repair = "This loss takes the number of a class. If the target is a quantity, use a loss for it, as mse_loss()."
        elif place is not None and len(calls) == 1:
            code, of = place[0], calls[0].func.value  # type: ignore[attr-defined]
            text = code.text(of)
            said = ", ".join(code.text(a) for a in calls[0].args)
            repair = f"Write float() in place of {calls[0].func.attr}({said})."  # type: ignore[attr-defined]
            edits = [code.replaced(calls[0], f"{text if isinstance(of, ATOMS) else f'({text})'}.float()")]
        yield {
            "step": i, "tensors": [reads[0]], "lines": log.lines(i), "at": log.at(i), "name": log.name(reads[0], i), "text": log.doing(i),
            "repair": repair, "edits": edits,
        }  # fmt: skip
        return


def _becomes_an_index(log: Log, number: int, at: int) -> bool:
    """Whether something is read or written by a tensor of whole numbers, or by one that was computed from it; or whether that is not known."""
    for i, step in enumerate(log.steps[at:], at):
        if step["kind"] != "op" or not step["op"].lstrip("_").startswith(INDEXES):
            continue
        if "index_map" not in step:
            return True
        indexes = [g["tensor"] for g in step["index_map"]["indices"] if g["tensor"] is not None]
        if any(number == t or number in log.sources(t, i) for t in indexes):
            return True
    return False


def _promotions(log: Log) -> Iterator[tuple[int, int, int]]:
    """(step, float32 leaf that learns, float64 operand) of operators whose result is float64, where no code asks for it."""
    code = [line for lines in (log.source, *(one["lines"] for one in log.places.sources)) for line in lines]
    for i, step in [] if ASKED.search("\n".join(code)) else log.of("op"):
        made, reads = step.get("makes", ()), step.get("reads", ())
        if len(reads) < 2 or not made or log.tensors[made[0]]["dtype"] != "float64":
            continue
        leaf = next(
            (t for t in reads if log.tensors[t]["dtype"] == "float32" and log.state(t, i)["requires_grad"]),
            None,
        )
        wide = next(
            (t for t in reads if log.tensors[t]["dtype"] == "float64" and log.tensors[t]["shape"]), None
        )
        if leaf is not None and wide is not None:
            yield i, leaf, wide


def _origins(log: Log, wide: int, index: int) -> list[int]:
    """The float64 tensors from which one was computed, itself among them, the first one first."""
    return sorted(t for t in {wide, *log.sources(wide, index)} if log.tensors[t]["dtype"] == "float64")


def _of_numpy(log: Log, index: int) -> bool:
    """Whether the source says that a step made its tensor of a NumPy array: of another array it may be float64 on purpose."""
    return log.steps[index]["op"] == "from_numpy" or NUMPY.search(log.text(index)) is not None
