"""Dtypes that change without anybody having asked for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.operands import NUMPY
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
    "{at} ({doing}) computes in float64, though {parameter} is float32: {made} made {data} from NumPy's numbers, which are float64 unless another "
    "dtype is given.",
    "Convert it once: {data} = {data}.float().",
    DATA.format(convert=""),
    DATA.format(convert=".float()"),
)  # fmt: skip
def float64_from_numpy(log: Log) -> Iterator[dict]:
    """An operator on a float32 leaf that requires grad gives float64, since the other operand is an array of NumPy's default dtype."""
    if ASKED.search("\n".join(log.source)):
        return
    for i, step in log.of("op"):
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
        if leaf is None or wide is None:
            continue
        origins = [
            t
            for t in {wide, *log.sources(wide, i)}
            if log.tensors[t]["dtype"] == "float64" and t in log.maker
        ]
        for t in sorted(origins):
            maker = log.maker[t]
            if log.steps[maker]["op"] in MADE and not log.read_for(t, i) and _of_numpy(log, maker):
                yield {
                    "step": i, "tensors": [leaf, wide], "lines": log.lines(maker, i), "at": log.at(i), "doing": log.doing(i),
                    "parameter": log.name(leaf, i), "made": log.at(maker), "data": log.name(t, i),
                }  # fmt: skip
                return


def _of_numpy(log: Log, index: int) -> bool:
    """Whether the source says that a step made its tensor of a NumPy array: of another array it may be float64 on purpose."""
    return log.steps[index]["op"] == "from_numpy" or NUMPY.search(log.text(index)) is not None
