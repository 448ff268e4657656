"""Indexes of tensors."""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Grid
from jgrad.tracing.document.syntax import parsed
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, at_step, calls_of
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.learning import Learning
from jgrad.tracing.explain.operands import Operand, failing_tree, known_tensors
from jgrad.tracing.explain.repairs import at_incident, library, mended, operand
from jgrad.tracing.explain.rule import RUNTIME, Rules, always

OPERATIONS = Rules()
NOTES = Rules()

CHANNELS = (3, 4)  # of a picture
RECURRENT = re.compile(r"(?:\w+\.)*(?:LSTM|GRU|RNN)")
# What is made with batch_first, and the layers in which steps of a sequence meet.
SEQUENTIAL = re.compile(
    r"(?:\w+\.)*(?:LSTM|GRU|RNN|MultiheadAttention|Transformer(?:EncoderLayer|DecoderLayer)?)"
)
MEETING = ("LSTM", "GRU", "RNN", "MultiheadAttention")


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
            known.get(ast.unparse(call.func.value)) or _made_by(incident, call.func.value)
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
        # What is gathered then has the shape of the index, as one who gave such an index expects.
        back = f".squeeze({place})" if ast.unparse(call.func).endswith(".gather") else ""
        found = at_incident(incident)
        edits = [] if found is None else [*_with_dimension(*found, call, text, back)]
        after = f", and {back[1:]} behind gather()" if back else ""
        yield {"shapes": shapes, "repair": f"Write {text}{after}.", "edits": edits}
        return
    yield unknown


def _with_dimension(code: Code, statement: ast.stmt, call: ast.Call, index: str, back: str) -> Iterator[Edit]:
    """The call of a statement with another index, and what is done with its result."""
    for own in [
        n for n in ast.walk(statement) if isinstance(n, ast.Call) and ast.unparse(n) == ast.unparse(call)
    ]:
        yield code.replaced(own.args[1], index)
        if back:
            line, column = code.span(own)[2:]
            yield Edit(code.file, (line, column, line, column), back)
        return


def _made_by(incident: Incident, node: ast.expr) -> Operand | None:
    """The tensor that an expression has just made; the last one of all is that of a call."""
    log, text = incident.log, ast.unparse(node)
    for i in range(incident.step - 1, -1, -1) if log is not None else ():
        if log.steps[i].get("makes"):  # type: ignore[union-attr]
            own = isinstance(node, ast.Call) or ast.unparse(parsed([log.text(i)])) == text  # type: ignore[union-attr]
            made = log.tensors[log.steps[i]["makes"][-1]]  # type: ignore[union-attr]
            if own:
                return Operand(text, made["shape"], made["dtype"])
    return None


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
    "{lead}the index has shape {index} and the tensor has shape {shape}. Outside of dimension {dim} the index can't be larger than the "
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
    "{repair}",
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
    for case in operand(incident):
        yield {"last": last, "repair": _padding(incident) or f"Look at {case['name']}.shape."}


def _padding(incident: Incident) -> str:
    """What to do about an index below 0 in gather(), which takes none."""
    calls = [
        n
        for n in ast.walk(failing_tree(incident))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    moving = [c for c in calls if re.match(r"gather|scatter|take_along_dim", c.func.attr) and len(c.args) > 1]  # type: ignore[attr-defined]
    if "index -" not in incident.message or not moving:
        return ""
    text = ast.unparse(moving[0].args[1])
    return f"{text} has numbers below 0. If they stand for padding, write {text}.clamp(min=0), and leave these places out with a mask."


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
    said = set()
    for i, m in log.maps:
        where_said = log.places.at(log.steps[i])
        if (
            m["gathers"]
            or m["reduce"] is not None
            or "forward_step" in m
            or m["source"] is None
            or where_said in said
        ):
            continue
        seen = Counter(target for _, _, target in m["moves"])
        # Of many moves only a few are kept, but of each cell that is shown how often it was written to.
        few = m["total_moves"] > len(m["moves"])
        seen |= dict(zip(_cells(m["target"]), m["target_counts"], strict=False)) if few else {}
        twice = [target for target, n in seen.items() if n > 1]
        if twice:
            rest, where = twice[0], ""
            for extent in reversed(m["target"]["shape"]):
                rest, k = divmod(rest, extent)
                where = f"[{k}]{where}"
            name = log.name(m["target"]["tensor"], i) if m["target"]["tensor"] is not None else "out"
            written = at_step(log, i)
            added = written is not None and isinstance(written[1], ast.AugAssign)
            op = log.steps[i]["op"]
            put = op.startswith("index_put")
            trained = (
                ", but backward() sends a gradient to all of them"
                if "node" in log.steps[i] and not put
                else ""
            )
            same = len({*m["source"]["elements"]}) == 1 and m["source"]["elements"][0] in ("True", "False")
            if not (m["undefined_order"] or added or trained) or same:
                continue  # all write the same value
            said.add(where_said)
            repair, edits = "Use scatter_add_() to add the values, or scatter_reduce_().", []
            if put:
                repair = (
                    "Use index_put_((index,), values, accumulate=True) or index_add_() to add the values."
                )
                edits = [] if written is None else [*_accumulated(*written)]
            yield {
                "which": "each write adds to the old value, so only one of them counts" if added else "PyTorch does not define which write stays" + trained,
                "repair": f"Write {edits[0].text}." if edits else repair, "edits": edits,
                "step": i, "tensors": [], "lines": log.lines(i), "at": log.at(i), "place": f"{name}{where}", "count": seen[twice[0]],
                "op": written[0].text(written[1]) if put and written is not None else op,
                "more": "" if len(twice) < 2 else " (and to others)" if few else f" (and {len(twice) - 1} more)",
            }  # fmt: skip


def _cells(table: Grid) -> Iterator[int]:
    """The places in a tensor of the elements that are shown of it, in reading order."""
    shape = table["shape"]
    for where in product(*(table.get("kept") or map(range, shape))):
        place = 0
        for extent, k in zip(shape, where, strict=True):
            place = place * extent + k
        yield place


def _accumulated(code: Code, statement: ast.stmt) -> Iterator[Edit]:
    """`out.index_put_((i,), v, accumulate=True)` for `out[i] += v`."""
    if (
        isinstance(statement, ast.AugAssign)
        and isinstance(statement.op, ast.Add)
        and isinstance(statement.target, ast.Subscript)
    ):
        index, value = statement.target.slice, statement.value
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if not isinstance(value, ast.Constant) and not any(isinstance(part, ast.Slice) for part in parts):
            inner = ", ".join(map(code.text, parts))
            text = f"({inner},)" if len(parts) == 1 else f"({inner})"
            owner = code.text(statement.target.value)
            yield code.replaced(statement, f"{owner}.index_put_({text}, {code.text(value)}, accumulate=True)")


@NOTES.rule(
    "columns-of-every-row", "warning", "an index with a column for each row takes these columns of every row",
    "{at}: {what} takes all {count} columns of every row, {shape} numbers. It has one column for each row.",
    "For one number of each row write {instead}.",
    """
scores = jgrad.ones(4, 3, requires_grad=True)
chosen = jgrad.tensor([0, 2, 1, 0])
loss = scores.log_softmax(1)[:, chosen].mean()
loss.backward()
""", """
scores = jgrad.ones(4, 3, requires_grad=True)
chosen = jgrad.tensor([0, 2, 1, 0])
loss = scores.log_softmax(1)[jgrad.arange(len(chosen)), chosen].mean()
loss.backward()
""",
)  # fmt: skip
def columns_of_every_row(log: Log) -> Iterator[dict]:
    """There are more indexes than columns, and as many as rows, and a loss is one number of all that they take: nothing tells a row from another."""
    said = set()
    for i, step in log.operations.get("index", ()):
        found = step.get("index_map")
        place = at_step(log, i) if found is not None and found["indexed_dims"] == [1] else None
        if place is None or step["line"] in said:
            continue
        result, of = log.tensors[step["makes"][0]], log.tensors[step["reads"][0]]
        rows, columns = of["shape"] if len(of["shape"]) == 2 else (0, 0)
        if not result["requires_grad"] or result["shape"] != [rows, rows] or rows <= columns:
            continue
        if of["is_leaf"] or not _becomes_one_number(log, result["id"]):
            continue
        for node in ast.walk(place[1]):
            if not isinstance(node, ast.Subscript):
                continue
            index = node.slice
            if isinstance(index, ast.Tuple) and ast.unparse(index.elts[0]) == ":" and len(index.elts) == 2:
                said.add(step["line"])
                code, chosen = place[0], place[0].text(index.elts[1])
                each = f"{library(code)}.arange(len({chosen}))"
                yield {
                    "step": i, "tensors": [result["id"]], "lines": log.lines(i), "at": log.at(i), "what": code.text(node), "count": rows,
                    "shape": result["shape"], "instead": f"{code.text(node.value)}[{each}, {chosen}]",
                    "edits": [code.replaced(index.elts[0], each)],
                }  # fmt: skip
                break


PREDICTED = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(4, 3)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x, y = jgrad.randn(6, 4), jgrad.tensor([0, 1, 2, 0, 1, 2])
for i in range(3):
    scores = net(x)
    loss = jgrad.nn.functional.cross_entropy(scores, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    chosen = scores.detach().argmax({})
    right = (chosen == y[:len(chosen)]).sum()
"""
SCORED = ("log_softmax", "softmax", "detach", "_to_copy", "clone", "exp", "sigmoid")


@NOTES.rule(
    "argmax-over-batch", "warning", "a prediction is the row with the largest score, not the class",
    "{at}: {what} gives {given} numbers, one for each class: the sample with the largest score. cross_entropy() has the classes in dimension 1.",
    "For the class of each sample write dim=1.",
    PREDICTED.format("0"),
    PREDICTED.format("1"),
)  # fmt: skip
def argmax_over_batch(log: Log) -> Iterator[dict]:
    """It is compared with something, and its scores are those of which a loss takes the classes in dimension 1."""
    losses = [
        s["reads"][0]
        for op in ("nll_loss", "cross_entropy")
        for _, s in log.operations.get(op, ())
        if s.get("reads")
    ]
    scored = {t for loss in losses for t in _scores(log, loss) if len(log.tensors[t]["shape"]) == 2}
    for i, step in [*log.operations.get("argmax", ()), *log.operations.get("max", ())] if scored else ():
        made = [t for t in step.get("makes", ()) if log.tensors[t]["dtype"] == "int64"]
        if not made or not step.get("reads") or scored.isdisjoint(_scores(log, step["reads"][0])):
            continue
        batch, classes = log.tensors[step["reads"][0]]["shape"]
        compared = any(
            log.steps[k]["op"] in ("eq", "ne")
            for t in {*made, *_looks(log, made)}
            for k in log.users.get(t, ())
        )
        if log.tensors[made[0]]["shape"] in ([classes], [1, classes]) and batch != classes and compared:
            yield {
                "step": i, "tensors": made, "lines": log.lines(i), "at": log.at(i), "what": log.doing(i), "given": classes, "edits": _dimension(log, i),
            }  # fmt: skip
            return


def _scores(log: Log, tensor: int) -> Iterator[int]:
    """A tensor, and the scores of which it is made, of the same shape."""
    shape = log.tensors[tensor]["shape"]
    while log.tensors[tensor]["shape"] == shape:
        yield tensor
        step = log.maker.get(tensor)
        if step is None or log.steps[step]["op"] not in SCORED or not log.steps[step].get("reads"):
            return
        tensor = log.steps[step]["reads"][0]


def _looks(log: Log, tensors: list[int]) -> Iterator[int]:
    """The views of some tensors."""
    for t in tensors:
        yield from (
            made
            for k in log.users.get(t, ())
            if log.steps[k]["kind"] == "view"
            for made in log.steps[k].get("makes", ())
        )


def _dimension(log: Log, step: int) -> list[Edit]:
    """dim=1 for the 0 of the only argmax() or max() of a statement."""
    place = at_step(log, step)
    calls = [] if place is None else [c for name in ("argmax", "max") for c in calls_of(place[1], name)]
    numbers = [
        n
        for call in calls
        for n in (*call.args, *(k.value for k in call.keywords if k.arg in ("dim", "axis")))
        if ast.unparse(n) == "0"
    ]
    return (
        [place[0].replaced(numbers[0], "1")] if place is not None and len(calls) == len(numbers) == 1 else []
    )


@NOTES.rule(
    "channels-mixed", "warning", "images with their channels last are reshaped instead of permuted",
    "{at}: {what} does not move the channels: it reads the numbers in their old order, so each image is mixed up.",
    "Write {instead}.",
    "images = jgrad.rand(2, 8, 6, 3)\nx = images.view(2, 3, 8, 6)\ny = jgrad.nn.Conv2d(3, 4, 3)(x)",
    "images = jgrad.rand(2, 8, 6, 3)\nx = images.permute(0, 3, 1, 2)\ny = jgrad.nn.Conv2d(3, 4, 3)(x)",
)  # fmt: skip
def channels_mixed(log: Log) -> Iterator[dict]:
    """A view of (..., height, width, 3 or 4) with the shape (..., 3 or 4, height, width)."""
    reported = set()
    for i, step in enumerate(log.steps):
        if (
            step["op"] not in ("view", "reshape", "_unsafe_view")
            or not step.get("reads")
            or not step.get("makes")
        ):
            continue
        old, new = (log.tensors[t]["shape"] for t in (step["reads"][0], step["makes"][0]))
        if (
            len(old) not in (3, 4)
            or old[-1] not in CHANNELS
            or min(old[-3:-1]) <= max(CHANNELS)
            or new != [*old[:-3], old[-1], *old[-3:-1]]
        ):
            continue
        if step["line"] in reported:
            continue
        reported.add(step["line"])
        order = "0, 3, 1, 2" if len(old) == 4 else "2, 0, 1"
        place, instead, edits = at_step(log, i), f"permute({order})", []
        calls = (
            []
            if place is None
            else [
                n for n in ast.walk(place[1]) if isinstance(n, ast.Call) and place[0].text(n) == log.text(i)
            ]
        )
        if (
            place is not None
            and len(calls) == 1
            and isinstance(calls[0].func, ast.Attribute)
            and calls[0].func.attr in ("view", "reshape")
        ):
            instead = f"{place[0].text(calls[0].func.value)}.permute({order})"
            edits = [place[0].replaced(calls[0], instead)]
        yield {
            "step": i, "tensors": step["makes"], "lines": log.lines(i), "at": log.at(i), "what": log.text(i) or log.doing(i), "instead": instead, "edits": edits,
        }  # fmt: skip


@NOTES.rule(
    "sequences-mixed", "warning", "the last states of a recurrent layer are reshaped across the sequences of the batch",
    "{at}: {what} mixes the sequences: its input has shape {shape}, whose dimension 1 has the {batch} sequences. A row of the result holds numbers of several of them.",
    "Bring the batch to the front first: {instead}.",
    """
rnn = jgrad.nn.GRU(2, 3, bidirectional=True)
out, h = rnn(jgrad.ones(5, 4, 2))
loss = h.view(4, -1).sum()
loss.backward()
""", """
rnn = jgrad.nn.GRU(2, 3, bidirectional=True)
out, h = rnn(jgrad.ones(5, 4, 2))
loss = h.transpose(0, 1).reshape(4, -1).sum()
loss.backward()
""",
)  # fmt: skip
def sequences_mixed(log: Log) -> Iterator[dict]:
    """`h.view(batch, -1)` of (layers, batch, features), or of (steps, batch, features). Where both sizes are equal, nothing tells them apart."""
    calls = log.document.get("layer_calls", [])
    for i, step in log.of("view"):
        of = (
            log.tensors[step["reads"][0]]
            if step["op"] in ("view", "reshape", "_unsafe_view") and step.get("reads")
            else None
        )
        if of is None or len(of["shape"]) != 3:
            continue
        layers, batch, features = of["shape"]
        made = log.maker.get(of["id"])
        layer = None if made is None else log.steps[made].get("layer_call")
        kind = None if layer is None else log.document["layers"][calls[layer][0]]["type"]
        mixed = (
            log.tensors[step["makes"][0]]["shape"] == [batch, layers * features] and 1 < layers != batch > 1
        )
        if not mixed or kind is None or not RECURRENT.fullmatch(kind) or layer == step.get("layer_call"):
            continue
        place = at_step(log, i)
        calls_here = (
            []
            if place is None
            else [
                n for n in ast.walk(place[1]) if isinstance(n, ast.Call) and place[0].text(n) == log.text(i)
            ]
        )
        function = calls_here[0].func if calls_here else None
        instead, edits = "h.transpose(0, 1).reshape(batch, -1)", []
        if place is not None and isinstance(function, ast.Attribute) and function.attr in ("view", "reshape"):
            new = f"{place[0].text(function.value)}.transpose(0, 1).reshape"
            instead, edits = (
                place[0].text(calls_here[0]).replace(place[0].text(function), new, 1),
                [place[0].replaced(function, new)],
            )
        yield {
            "step": i, "tensors": [of["id"]], "lines": log.lines(i), "at": log.at(i), "what": log.text(i) or step["op"], "shape": of["shape"], "batch": batch,
            "instead": instead, "edits": edits,
        }  # fmt: skip
        return


def _becomes_one_number(log: Log, tensor: int) -> bool:
    """Whether each use of a tensor adds all its elements, before anything as large is combined with it."""
    uses = [log.steps[i] for i in log.users.get(tensor, ()) if log.steps[i]["kind"] == "op"]
    whole = math.prod(log.tensors[tensor]["shape"])
    for use in uses:
        makes = use.get("makes", ())
        if use["op"] in ("mean", "sum") and len(makes) == 1 and not log.tensors[makes[0]]["shape"]:
            continue
        others = [t for t in use.get("reads", ()) if t != tensor]
        if use["op"] not in ("neg", "mul", "add", "sub", "div") or len(makes) != 1:
            return False
        if any(math.prod(log.tensors[t]["shape"]) >= whole for t in others) or not _becomes_one_number(
            log, makes[0]
        ):
            return False
    return bool(uses)


PICKED = """
values = jgrad.ones(4, 2, requires_grad=True)
actions, target = jgrad.tensor([0, 1, 1, 0]), jgrad.zeros(4)
error = values[%s, actions] - target
error.pow(2).mean().backward()
"""


@NOTES.rule(
    "columns-of-all-rows", "warning", "an index takes the columns of all rows from each row",
    "{at}: {what} takes {count} columns from each of {count} rows. If {index} has one column for each row, most of them belong to other rows.",
    "Write {instead}: one element of each row.",
    PICKED % ":",
    PICKED % "jgrad.arange(4)",
)  # fmt: skip
def columns_of_all_rows(log: Log) -> Iterator[dict]:
    """`q[:, actions]` with an action for each row, more of them than there are columns, is combined with a number for each row or becomes one number."""
    for i, m in log.maps:
        made, source = log.steps[i].get("makes", ()), m["source"]
        if (
            not m["gathers"]
            or m["indexed_dims"] != [1]
            or source is None
            or len(source["shape"]) != 2
            or not made
        ):
            continue
        rows, columns = source["shape"]
        others = [
            log.tensors[t]["shape"]
            for k in log.users.get(made[0], ())
            for t in log.steps[k].get("reads", ())
            if t != made[0]
        ]
        used = [rows] in others or (
            log.tensors[made[0]]["requires_grad"] and _becomes_one_number(log, made[0])
        )
        place = (
            at_step(log, i)
            if log.tensors[made[0]]["shape"] == [rows, rows] and columns < rows and used
            else None
        )
        for node in ast.walk(place[1]) if place is not None else ():
            if (
                isinstance(node, ast.Subscript)
                and isinstance(node.slice, ast.Tuple)
                and ast.unparse(node.slice.elts[0]) == ":"
                and place is not None
            ):
                index = place[0].text(node.slice.elts[1])
                instead = f"{place[0].text(node.value)}[{library(place[0])}.arange(len({index})), {index}]"
                yield {
                    "step": i, "tensors": [*made], "lines": log.lines(i), "at": log.at(i), "what": place[0].text(node), "count": rows, "index": index,
                    "instead": instead, "edits": [place[0].replaced(node, instead)],
                }  # fmt: skip
                return


LAST = re.compile(r"\(:, -1(?:, :)?\)|:, -1(?:, :)?")


def _used_outside(log: Log, layer: int) -> set[int]:
    """The steps that read what a call of a layer made, outside of it."""
    made = {t for step in log.steps if step.get("layer_call") == layer for t in step.get("makes", ())}
    return {i for t in made for i in log.users.get(t, ()) if log.steps[i].get("layer_call") != layer}


@NOTES.rule(
    "last-of-batch", "warning", "the last step of a recurrent layer is taken in the dimension of the batch",
    "{at}: {what} takes the last sequence of the batch, not the last step: without batch_first=True dimension 0 has the steps.",
    "If the batch comes first, write {instead}.",
    """
rnn = jgrad.nn.GRU(2, 3)
x = jgrad.ones(4, 5, 2)
out, h = rnn(x)
loss = out[:, -1].sum()
loss.backward()
""", """
rnn = jgrad.nn.GRU(2, 3, batch_first=True)
x = jgrad.ones(4, 5, 2)
out, h = rnn(x)
loss = out[:, -1].sum()
loss.backward()
""",
)  # fmt: skip
def last_of_batch(log: Log) -> Iterator[dict]:
    """No recurrent layer of the code has batch_first, and `out[:, -1]` is all that is used of what one gives: the other sequences are for nothing."""
    calls = [(c, n) for c in Code.all_of(log) for n in ast.walk(c.tree) if isinstance(n, ast.Call) and RECURRENT.fullmatch(ast.unparse(n.func))]  # fmt: skip
    if len(calls) != 1 or "batch_first" in ast.unparse(calls[0][1]):
        return
    code, made = calls[0]
    for i, step in log.of("view"):
        of = log.tensors[step["reads"][0]] if step["op"] == "select" and step.get("reads") else None
        place = at_step(log, i) if of is not None and len(of["shape"]) == 3 and of["shape"][1] > 1 else None
        if of is None or place is None:
            continue
        given = [n for n in ast.walk(place[1]) if isinstance(n, ast.Subscript) and LAST.fullmatch(ast.unparse(n.slice))]  # fmt: skip
        maker = log.maker.get(of["id"])
        layer = None if maker is None else log.steps[maker].get("layer_call")
        if (
            given
            and layer not in (None, step.get("layer_call"))
            and log.tensors[step["makes"][0]]["requires_grad"]
            and _used_outside(log, layer) == {i}
        ):
            instead = _batch_first(code.text(made))
            yield {
                "step": i, "tensors": [of["id"]], "lines": log.lines(i), "at": log.at(i), "what": place[0].text(given[0]),
                "instead": instead, "edits": [code.replaced(made, instead)],
            }  # fmt: skip
            return


TOKENS = """
jgrad.manual_seed(0)
attention = jgrad.nn.MultiheadAttention(4, 1%s)
head = jgrad.nn.Linear(4, 1)
optimizer = jgrad.optim.SGD([*attention.parameters(), *head.parameters()], lr=0.1)
x, y = jgrad.randn(6, 3, 4), jgrad.randn(6, 1)
for i in range(5):
    optimizer.zero_grad()
    h, _ = attention(x, x, x)
    jgrad.nn.functional.mse_loss(head(h.mean(1)), y).backward()
    optimizer.step()
"""


@NOTES.rule(
    "samples-as-steps", "warning", "a layer takes the samples of a batch for the steps of a sequence",
    "{at}: {layer} takes dimension 0 for the steps of a sequence. But the loss compares {count} rows: they are the samples, and each sees the others.",
    "If the batch comes first, write {instead}.",
    TOKENS % "",
    TOKENS % ", batch_first=True",
)  # fmt: skip
def samples_as_steps(log: Log) -> Iterator[dict]:
    """No layer of the code has batch_first, and the rows of the prediction are as many as dimension 0 has; dimension 1 is gone from it."""
    learning = Learning.of(log)
    compared = None if learning is None else learning.compared
    if compared is None or log.state(compared.target, compared.step)["requires_grad"]:
        return  # a target with a history is a result too, as of another sequence
    calls = [(c, n) for c in Code.all_of(log) for n in ast.walk(c.tree) if isinstance(n, ast.Call) and SEQUENTIAL.fullmatch(ast.unparse(n.func))]  # fmt: skip
    own = {n.name for tree in log.code for n in ast.walk(tree[1]) if isinstance(n, ast.ClassDef)}
    if not calls or own & {*MEETING} or any("batch_first" in ast.unparse(n) for _, n in calls):
        return
    rows = log.tensors[compared.prediction]["shape"]
    makers = [
        log.steps[log.maker[t]] for t in log.sources(compared.prediction, compared.step) if t in log.maker
    ]
    taken = any(s["op"] == "select" and len(log.tensors[s["reads"][0]]["shape"]) == 3 for s in makers)
    begun = max([i for i, _ in log.of("backward") if i < compared.step], default=0)
    for i, layer, given in _sequences(log, begun, compared.step):
        samples, steps, _ = log.tensors[given]["shape"]
        gone = 1 not in (samples, steps) and samples != steps and steps not in rows[1:]
        # (What takes one sequence of a recurrent layer's result has a rule of its own.)
        if rows[:1] == [samples] and gone and not (taken and RECURRENT.fullmatch(layer)):
            edits = [code.replaced(n, _batch_first(code.text(n))) for code, n in calls]
            yield {
                "step": i, "tensors": [given], "lines": log.lines(i), "at": log.at(i), "layer": layer, "count": samples,
                "instead": edits[0].text, "edits": edits,
            }  # fmt: skip
            return


def _sequences(log: Log, begin: int, end: int) -> Iterator[tuple[int, str, int]]:
    """(step, type, input of three dimensions) of the calls, between two steps, of layers in which the steps of a sequence meet."""
    layers, calls = log.document.get("layers", ()), log.document.get("layer_calls", ())
    seen: set[int] = set()
    for i, step in enumerate(log.steps[begin:end], begin):
        call = step.get("layer_call", -1)
        if call < 0 or call in seen or layers[calls[call][0]]["type"] not in MEETING:
            continue
        for t in step.get("reads", ()):
            inside = t in log.maker and log.steps[log.maker[t]].get("layer_call") == call
            if len(log.tensors[t]["shape"]) == 3 and not inside:
                seen.add(call)
                yield i, layers[calls[call][0]]["type"], t
                break


def _batch_first(call: str) -> str:
    """The text of a call with batch_first=True at its end."""
    return f"{call[:-1].rstrip().removesuffix(',')}, batch_first=True)"
