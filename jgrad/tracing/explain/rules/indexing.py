"""Indexes of tensors."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, read_as
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.operands import failing_tree, known_tensors
from jgrad.tracing.explain.repairs import at_incident, mended, operand
from jgrad.tracing.explain.rule import RUNTIME, Rules, always

OPERATIONS = Rules()
NOTES = Rules()


def _whole_argument(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The index of gather() and scatter() as whole numbers."""
    for call in (n for n in ast.walk(statement) if isinstance(n, ast.Call)):
        moves = re.match(r".*\.(?:gather|scatter|index_)\w*$", ast.unparse(call.func))
        if moves and len(call.args) > 1 and isinstance(call.args[1], ATOMS):
            yield code.replaced(call.args[1], f"{code.text(call.args[1])}.long()")


def _whole_subscript(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The tensor in brackets as whole numbers, where it is the only thing there."""
    found = [
        n.slice
        for n in ast.walk(statement)
        if isinstance(n, ast.Subscript) and isinstance(n.slice, (ast.Name, ast.Attribute))
    ]
    if len(found) == 1:
        yield code.replaced(found[0], f"{code.text(found[0])}.long()")


def indexed(incident: Incident) -> Iterator[dict]:
    """The shapes of a tensor and of an index with too few dimensions; and the index with the dimension that it lacks, where its shape shows which: an index
    of one element for each row, along the columns, becomes a column."""
    unknown = {
        "shapes": "",
        "repair": "Give the index the dimension that it lacks, as in index.unsqueeze(dim).",
    }
    for call in (n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call)):
        method = isinstance(call.func, ast.Attribute) and call.func.attr.startswith(("gather", "scatter"))
        known = known_tensors(incident)
        owner = (
            known.get(ast.unparse(call.func.value))
            if isinstance(call.func, ast.Attribute) and method
            else None
        )
        dim, index = ([*call.args, None, None])[:2]
        asked = None if index is None else known.get(ast.unparse(index))
        if owner is None or asked is None or not isinstance(dim, (ast.Constant, ast.UnaryOp)):
            continue
        shapes = f": {owner.name} has shape {owner.shape}, {asked.name} has shape {asked.shape}"
        place = int(ast.literal_eval(dim)) % len(owner.shape)
        rest = [size for d, size in enumerate(owner.shape) if d != place]
        if asked.shape != rest:
            repair = f"Give {asked.name} the dimension that it lacks, as in {asked.name}.unsqueeze(dim)."
            yield {"shapes": shapes, "repair": repair}
            return
        text = f"{asked.name}.unsqueeze({place})"
        found = at_incident(incident)
        edits = [] if found is None else read_as(*found, asked.name, text)
        yield {"shapes": shapes, "repair": f"Write {text}.", "edits": edits}
        return
    yield unknown


OPERATIONS.by_words(
    "index-dtype", "error", "gather() or scatter() gets an index that is not of dtype int64",
    "{lead}{op}() needs an index of dtype int64.",
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
    raised=(RUNTIME, r"(?P<op>\w+)\(\): Expected dtype (int32/)?int64 for index"),
    blanks=mended(always, _whole_argument),
)  # fmt: skip

OPERATIONS.by_words(
    "index-dimensions", "error", "gather() or scatter() gets an index with another number of dimensions than the tensor",
    "{lead}gather() and scatter() need an index with as many dimensions as the tensor{shapes}.",
    "{repair}",
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
    blanks=indexed,
)  # fmt: skip

OPERATIONS.by_words(
    "index-too-long", "error", "gather() or scatter() gets an index that is longer than the tensor in another dimension",
    "{lead}the index has shape {index} and the tensor has shape {shape}, but outside of dimension {dim} the index can't be larger than the "
    "tensor.",
    "Shorten the index, or take whole rows with x[index] or index_select().",
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
    "index-out-of-range", "error", "an index is beyond the end",
    "{lead}the index {index} is out of range: dimension {dim} has size {size}, so an index can be 0 to {last}.",
    "Look at {name}.shape.",
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
    last = int(re.findall(r"\d+", incident.message)[-1]) - 1
    yield from ({"last": last, **case} for case in operand(incident))


OPERATIONS.by_words(
    "index-not-whole", "error", "a tensor of a floating point dtype is used as an index",
    "{lead}a tensor used as an index needs an integer dtype, or bool for a mask.",
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
    blanks=mended(always, _whole_subscript),
)  # fmt: skip


@NOTES.rule(
    "scatter-collision", "warning", "scatter_ writes several times to one place",
    "{at}: {op} writes {count} times to {place}{more}; {which}.",
    "{repair}",
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
                ", but backward() sends a gradient to all of them"
                if "node" in log.steps[i] and not put
                else ""
            )
            same = len({*m["source"]["elements"]}) == 1 and m["source"]["elements"][0] in ("True", "False")
            if not (m["undefined_order"] or added or trained) or same:
                continue  # all write the same value
            yield {
                "which": "each write adds to the old value, so only one of them counts" if added else "PyTorch does not define which write stays" + trained,
                "repair": "Use index_put_((index,), values, accumulate=True) or index_add_() to add the values."
                if put else "Use scatter_add_() to add the values, or scatter_reduce_().",
                "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "op": m["op"], "place": f"{name}{where}", "count": seen[twice[0]],
                "more": f" (and {len(twice) - 1} more)" if len(twice) > 1 else "",
            }  # fmt: skip
