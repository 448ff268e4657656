"""Indexes of tensors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from jgrad.trace.document.log import Log
from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.rule import RUNTIME, Rules

OPERATIONS = Rules()
NOTES = Rules()

OPERATIONS.by_words(
    "index-dtype", "error", "gather() or scatter() with an index that is not of dtype int64",
    "{lead}{op}() takes an index of dtype int64.",
    "Write index.long().",
    """
x = jgrad.ones(3)
index = jgrad.tensor([0., 2.])
x.gather(0, index)
""", """
x = jgrad.ones(3)
index = jgrad.tensor([0., 2.]).long()
x.gather(0, index)
""",
    raised=(RUNTIME, r"(?P<op>\w+)\(\): Expected dtype int32/int64 for index"),
)  # fmt: skip

OPERATIONS.by_words(
    "index-dimensions", "error", "gather() or scatter() with an index that has not as many dimensions as the tensor",
    "{lead}gather() and scatter() take an index with as many dimensions as the tensor: it has a cell for each element that is to be moved.",
    "Add the dimension, as in index[:, None] or index.unsqueeze(0).",
    """
x = jgrad.ones(2, 3)
index = jgrad.tensor([0, 2])
x.gather(1, index)
""", """
x = jgrad.ones(2, 3)
index = jgrad.tensor([0, 2])[:, None]
x.gather(1, index)
""",
    raised=(RUNTIME, r"Index tensor must have the same number of dimensions as \w+ tensor"),
)  # fmt: skip

OPERATIONS.by_words(
    "index-too-long", "error", "gather() or scatter() with an index that is longer than the tensor in another dimension",
    "{lead}the index has shape {index}, the tensor {shape}: apart from dimension {dim}, along which places are looked up, an index may "
    "not be longer than the tensor (nor than what scatter() takes the values from).",
    "Each row of the index belongs to the same row of the tensor; to look up whole rows, write x[index] or index_select().",
    """
x = jgrad.ones(2, 3)
index = jgrad.tensor([[0], [2], [1]])
x.gather(1, index)
""", """
x = jgrad.ones(2, 3)
index = jgrad.tensor([[0], [2]])
x.gather(1, index)
""",
    raised=(RUNTIME, r"xpected index (?P<index>\[.*?\]) to be no larger than self (?P<shape>\[.*?\]) apart from dimension (?P<dim>\d+)"),
)  # fmt: skip


@OPERATIONS.rule(
    "index-out-of-range", "error", "an index beyond the end",
    "{lead}there is no element {index} along dimension {dim}, which has {size}: they are counted from 0 to {last}.",
    "x.shape shows how many there are.",
    """
x = jgrad.ones(3)
x[3]
""", """
x = jgrad.ones(3)
x[2]
""",
    raised=("IndexError|RuntimeError", r"index (?P<index>-?\d+) is out of bounds for dimension (?P<dim>\d+) with size (?P<size>\d+)"),
)  # fmt: skip
def index_out_of_range(incident: Incident) -> Iterator[dict]:
    yield {"last": int(re.findall(r"\d+", incident.message)[-1]) - 1}


OPERATIONS.by_words(
    "index-not-whole", "error", "a tensor of a floating dtype is used as an index",
    "{lead}an index counts elements, so it has an integer dtype (or bool, as a mask of what to take); this one has another.",
    "Write index.long().",
    """
x = jgrad.ones(3)
index = jgrad.tensor([0., 2.])
x[index]
""", """
x = jgrad.ones(3)
index = jgrad.tensor([0., 2.]).long()
x[index]
""",
    raised=("IndexError", r"tensors used as indices must be long, int, byte or bool tensors"),
)  # fmt: skip


@NOTES.rule(
    "scatter-collision", "warning", "scatter_ writes several times to one place",
    "{at}: {op} writes {count} times to {place}{more}; {which}.",
    "{repair} if they are to be brought together.",
    """
out = jgrad.zeros(3)
out.scatter_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))
""", """
out = jgrad.zeros(3)
out.scatter_add_(0, jgrad.tensor([1, 1, 2]), jgrad.ones(3))
""",
)  # fmt: skip
def scatter_collision(log: Log) -> Iterator[dict]:
    for i, m in log.maps:
        if m["gathers"] or m["reduce"] is not None or "forward_step" in m or m["source"] is None:
            continue
        seen = Counter(target for _, _, target in m["moves"])
        twice = [target for target, n in seen.items() if n > 1]
        if twice:
            rest, where = twice[0], ""
            for extent in reversed(m["target"]["shape"]):
                rest, k = divmod(rest, extent)
                where = f"[{k}]{where}"
            name = log.name(m["target"]["tensor"], i) if m["target"]["tensor"] is not None else "out"
            line = log.steps[i]["line"]
            added = line is not None and re.search(r"\]\s*[-+*/]=", log.source[line - 1])
            put = m["op"].startswith("index_put")
            trained = (
                ", and backward() sends a gradient to all of them"
                if "node" in log.steps[i] and not put
                else ""
            )
            same = len({*m["source"]["elements"]}) == 1 and m["source"]["elements"][0] in ("True", "False")
            if not (m["undefined_order"] or added or trained) or same:
                continue  # all write the same value
            yield {
                "which": "each of them from the value before, so it counts once" if added else "PyTorch does not say which write stays" + trained,
                "repair": "Use index_put_((index,), values, accumulate=True) or index_add_()" if put else "Use scatter_add_ or scatter_reduce_",
                "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "op": m["op"], "place": f"{name}{where}", "count": seen[twice[0]],
                "more": f" (and {len(twice) - 1} more)" if len(twice) > 1 else "",
            }  # fmt: skip
