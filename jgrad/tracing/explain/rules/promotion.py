"""Dtypes that change without anybody having asked for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.operands import NUMPY
from jgrad.tracing.explain.repairs import NAME
from jgrad.tracing.explain.rule import Rules

NOTES = Rules()

ASKED = re.compile(r"float64|double|set_default_dtype")  # code that means it
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
