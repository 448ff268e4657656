"""Small operations: functions of a few floats that need several calls of NumPy, forward only."""

from __future__ import annotations

from typing import Any

from benchmarks.layer_rows import softmax
from benchmarks.layers_by_hand import convolved
from benchmarks.rows import FOUR, STEP, statement


def small(name: str, *ways: Any, **values: Any) -> None:
    statement(*ways, name=name, group="small operations", **values)


small(
    "max of 4 x 4 over dim 1", "x.max(1).values", "x[range(4), x.argmax(1)]", "lib.max(x, axis=1)", x=(4, 4)
)
small(
    "softmax of 4 x 4",
    "x.softmax(1)",
    softmax,
    autograd=softmax,
    mygrad="lib.nnet.softmax(x, axis=1)",
    x=(4, 4),
)
small("cat of two", "lib.cat((x, w))", "lib.concatenate((x, w))", "lib.concatenate((x, w))", x=FOUR, w=STEP)
small(
    "linear, 4 to 3",
    "lib.nn.functional.linear(x, w, b)",
    "x @ w.T + b",
    "lib.matmul(x, w.T) + b",
    x=(2, 4),
    w=(3, 4),
    b=(3,),
)
small(
    "conv2d of 4 x 4 with 3 x 3",
    "lib.nn.functional.conv2d(x, w)",
    lambda lib, x, w: convolved(x, w)[0],
    mygrad="lib.nnet.conv_nd(x, w, stride=1)",
    x=(1, 1, 4, 4),
    w=(1, 1, 3, 3),
)
