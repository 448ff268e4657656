"""Modules and layers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from types import CodeType, FunctionType
from typing import Any

from jgrad import mirrors
from jgrad.tracing.document.syntax import around, parsed, returns
from jgrad.tracing.document.user_sources import name_of
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, keyword, library_in, read_as
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.meaning import meaning
from jgrad.tracing.explain.models import modules_of
from jgrad.tracing.explain.operands import Operand, elements, failing_tree, known_tensors
from jgrad.tracing.explain.repairs import (
    argument_as,
    at_incident,
    call_of_layer,
    given_as,
    gives_none,
    mended,
)
from jgrad.tracing.explain.rule import RUNTIME, Rules, always
from jgrad.tracing.record.user_code import UserCode

OPERATIONS = Rules()

OF_ATTENTION = ("MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer")


def _begun(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """`super().__init__()` as the first statement of the `__init__` that has the statement."""
    for function in code.statements:
        if (
            isinstance(function, ast.FunctionDef)
            and function.name == "__init__"
            and statement in function.body
        ):
            for late in (s for s in function.body if ast.unparse(s).startswith("super().__init__(")):
                yield code.without(late)
            yield code.before(function.body[0], "super().__init__()")


OPERATIONS.by_words(
    "one-value-per-channel", "error", "batch_norm() in training gets a single sample",
    "{lead}batch norm in training needs the variance of a batch, and a single sample has none.",
    "Use larger batches, as with drop_last=True, or call eval() on the model to use its running averages.",
    """
bn = jgrad.nn.BatchNorm1d(2)
bn(jgrad.ones(1, 2))
""", """
bn = jgrad.nn.BatchNorm1d(2)
bn.eval()
bn(jgrad.ones(1, 2))
""",
    raised=("ValueError", r"Expected more than 1 value per channel when training"),
)  # fmt: skip


def _as_parameter(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """What is assigned, made a parameter."""
    if isinstance(statement, ast.Assign):
        yield code.replaced(
            statement.value, f"{library_in(code, 'Linear')}.Parameter({code.text(statement.value)})"
        )


def assigned(incident: Incident) -> Iterator[dict]:
    """What is assigned to which attribute; and the parameter itself where a copy of it is assigned."""
    for node in ast.walk(failing_tree(incident)):
        if isinstance(node, ast.Assign):
            whole = re.sub(r"\.(?:clone|detach)\(\)|\.data\b", "", ast.unparse(node.value))
            shared = (
                f", or `{ast.unparse(node.targets[0])} = {whole}` to share one"
                if whole.endswith((".weight", ".bias"))
                else ""
            )
            yield {"name": ast.unparse(node.targets[0]), "value": ast.unparse(node.value), "shared": shared}
            return


OPERATIONS.by_words(
    "parameter-as-tensor", "error", "a plain tensor is assigned to what holds a parameter",
    "{lead}{name} holds a parameter, and {value} is a plain tensor.",
    "Write `{name} = jgrad.nn.Parameter({value})`{shared}.",
    """
layer = jgrad.nn.Linear(2, 1)
layer.weight = jgrad.ones(1, 2)
""", """
layer = jgrad.nn.Linear(2, 1)
layer.weight = jgrad.nn.Parameter(jgrad.ones(1, 2))
""",
    raised=("TypeError", r"cannot assign '.*' as parameter '\w+' \(.*Parameter or None expected\)"),
    blanks=mended(assigned, _as_parameter),
)  # fmt: skip


def _unsorted(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """enforce_sorted=False in the call."""
    yield from keyword(code, statement, "pack_padded_sequence", "enforce_sorted", "False")


OPERATIONS.by_words(
    "lengths-not-sorted", "error", "pack_padded_sequence() gets lengths that do not fall",
    "{lead}the lengths of the sequences do not fall from row to row.",
    "Pass enforce_sorted=False: then it sorts the rows and puts the results back in order.",
    """
x = jgrad.ones(2, 3, 1)
packed = jgrad.nn.utils.rnn.pack_padded_sequence(x, jgrad.tensor([2, 3]), batch_first=True)
""", """
x = jgrad.ones(2, 3, 1)
packed = jgrad.nn.utils.rnn.pack_padded_sequence(x, jgrad.tensor([2, 3]), batch_first=True, enforce_sorted=False)
""",
    raised=(RUNTIME, r"`lengths` array must be sorted in decreasing order"),
    blanks=mended(always, _unsorted),
)  # fmt: skip

OPERATIONS.by_words(
    "mask-of-other-length", "error", "a mask of attention is made for another number of steps",
    "{lead}the mask has shape {given}, and the sequences need {wanted}: a row and a column for each step.",
    "Make it for the number of steps: x.size(1) with batch_first=True, x.size(0) without.",
    """
attention = jgrad.nn.MultiheadAttention(4, 1, batch_first=True)
x = jgrad.ones(2, 3, 4)
attention(x, x, x, attn_mask=jgrad.zeros(2, 2))
""", """
attention = jgrad.nn.MultiheadAttention(4, 1, batch_first=True)
x = jgrad.ones(2, 3, 4)
attention(x, x, x, attn_mask=jgrad.zeros(3, 3))
""",
    raised=(RUNTIME, r"The shape of the 2D attn_mask is (?:\w+\.Size\()?(?P<given>\[.*?\])\)?, but should be (?P<wanted>\(.*?\))"),
)  # fmt: skip


def _turned(incident: Incident) -> Iterator[dict]:
    """The mask that a call gets by its keyword, and whether its rows are the steps; or whether the layer takes its input the other way round."""
    dim, wanted, size = re.findall(r"\d+", incident.message)
    given = [
        k.value for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) for k in n.keywords
        if k.arg in ("key_padding_mask", "src_key_padding_mask", "tgt_key_padding_mask")
    ]  # fmt: skip
    name = ast.unparse(given[0]) if given and isinstance(given[0], ATOMS) else "mask"
    mask = known_tensors(incident).get(name)
    turned = mask is not None and dim == "0" and mask.shape[1:] == [int(wanted)]
    if mask is not None and turned and _ends_in_padding(elements(incident, mask), mask.shape):
        what = f"{name} is for {size} samples of {wanted} steps, and the layer takes its input for {wanted} samples of {size} steps"
        yield {
            "what": what,
            "repair": "Make the layer with batch_first=True.",
            "name": "",
            "edits": _batch_first(incident),
        }
        return
    of = "as pad_sequence() makes it with batch_first=True"
    yield {
        "what": f"a padding mask has a row for each sample and a column for each step. Its size in dimension {dim} is {size}, and should be {wanted}",
        "name": name if turned else "",
        "repair": f"It was made the other way round: write {name}.T, or make it {of}."
        if turned
        else f"Make it of the shape (samples, steps), {of}.",
    }  # fmt: skip


def _ends_in_padding(mask: list[str], shape: list[int]) -> bool:
    """Whether padding stands at the end of the rows of a mask, and not at the end of its columns."""
    rows = [mask[k : k + shape[1]] for k in range(0, len(mask), shape[1])]
    return (
        len(rows) == shape[0]
        and all(r == sorted(r) for r in rows)
        and not all([*c] == sorted(c) for c in zip(*rows, strict=True))
    )


def _batch_first(incident: Incident) -> list[Edit]:
    """batch_first=True for the only layer of attention that the code makes."""
    codes = [] if incident.log is None else Code.all_of(incident.log)
    calls = [(code, n) for code in codes for n in ast.walk(code.tree) if isinstance(n, ast.Call)]
    made = [
        (code, n, k) for code, n in calls if (k := ast.unparse(n.func).rpartition(".")[2]) in OF_ATTENTION
    ]
    return keyword(*made[0], "batch_first", "True") if len(made) == 1 else []


def _turned_back(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    yield from case.get("edits", ())
    for call in (n for n in ast.walk(statement) if isinstance(n, ast.Call) and case["name"]):
        for given in (k.value for k in call.keywords if (k.arg or "").endswith("key_padding_mask")):
            yield code.replaced(given, f"{code.text(given)}.T")


OPERATIONS.by_words(
    "padding-mask-of-other-shape", "error", "a padding mask of attention has another shape than its batch",
    "{lead}{what}.",
    "{repair}",
    """
attention = jgrad.nn.MultiheadAttention(4, 1, batch_first=True)
x, mask = jgrad.ones(2, 3, 4), jgrad.zeros(3, 2, dtype=jgrad.bool)
attention(x, x, x, key_padding_mask=mask)
""", """
attention = jgrad.nn.MultiheadAttention(4, 1, batch_first=True)
x, mask = jgrad.ones(2, 3, 4), jgrad.zeros(3, 2, dtype=jgrad.bool)
attention(x, x, x, key_padding_mask=mask.T)
""",
    raised=("AssertionError", r"Expected key_padded_mask\.shape\[\d\] to be \d+, but got \d+"),
    blanks=mended(_turned, _turned_back),
)  # fmt: skip

OPERATIONS.by_words(
    "row-not-whole", "error", "an embedding gets row numbers of a floating point dtype",
    "{lead}an embedding takes row numbers of dtype Long or Int, but these are {given}.",
    "Write {index}.long(), or 1 instead of 1. where the numbers are made.",
    """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([1., 2.]))
""", """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([1, 2]))
""",
    raised=(RUNTIME, r"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
                     r"torch\.(?:cuda\.)?(?P<given>\w+)Tensor instead"),
    blanks=mended(given_as(0, "index", "index"), argument_as(0, "{argument}.long()")),
)  # fmt: skip


@OPERATIONS.rule(
    "row-out-of-range", "error", "an embedding gets the number of a row that it does not have",
    "{lead}{what}.",
    "Make it with at least {need} rows, as in jgrad.nn.Embedding({need}, {size}), or correct {index}.",
    """
rows = jgrad.nn.Embedding(4, 2)
index = jgrad.tensor([1, 4])
rows(index)
""", """
rows = jgrad.nn.Embedding(5, 2)
index = jgrad.tensor([1, 4])
rows(index)
""",
    raised=("IndexError|RuntimeError", r"index out of range in self|of input takes value -?\d+ which is not in the valid range"),
)  # fmt: skip
def row_out_of_range(incident: Incident) -> Iterator[dict]:
    """Which row, and how many there are, as far as the layer and the index are known."""
    known = known_tensors(incident)
    tree = parsed(incident.expression.strip().split("\n")) if incident.expression else failing_tree(incident)
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.args]
    for call in calls:
        weight = _weight_of(call, known)
        index = known.get(ast.unparse(call.args[0]))
        if weight is None or (
            len(calls) > 1 if index is None else not index.dtype.startswith(("int", "uint"))
        ):
            continue
        count, size = weight.shape
        named = "the row numbers" if index is None else index.name
        rows = "one row, number 0" if count == 1 else f"{count} rows, numbered 0 to {count - 1}"
        bad = None if index is None else _outside(incident, index, count)
        if bad is None:
            what = f"the embedding has {rows}, and a row number lies outside"
            yield {"what": what, "need": "int(index.max()) + 1", "size": size, "index": named}
        elif bad < 0:
            what = f"{named} asks for row {bad}, and rows of an embedding are counted from 0"
            yield {"what": what, "need": count, "size": size, "index": named}
        else:
            what = f"{named} asks for row {bad}, and the embedding has {rows}"
            yield {
                "what": what,
                "need": bad + 1,
                "size": size,
                "index": named,
                "edits": _more_rows(incident, call, count, size, bad + 1),
            }
        return
    yield {
        "what": "a row number is negative, or not less than the number of rows of the embedding",
        "need": "int(index.max()) + 1", "size": "size", "index": "the index",
    }  # fmt: skip


def _weight_of(call: ast.Call, known: Mapping[str, Operand]) -> Operand | None:
    """The weight of the embedding that a call runs."""
    called = ast.unparse(call.func)
    if called.endswith("embedding") and len(call.args) > 1:
        return known.get(ast.unparse(call.args[1]))
    end = f"{called.removeprefix('self')}.weight"
    found = [x for name, x in known.items() if name.endswith(end) and len(x.shape) == 2]
    return found[0] if len({(*x.shape,) for x in found}) == 1 else None


def _outside(incident: Incident, index: Operand, count: int) -> int | None:
    """The first element of an index that names no row; None if it is not known."""
    try:
        values = [int(x) for x in elements(incident, index)]
    except ValueError:
        return None
    return next((x for x in values if not 0 <= x < count), None)


def _more_rows(incident: Incident, call: ast.Call, count: int, size: int, need: int) -> list[Edit]:
    """The layer made with more rows, where its number stands in the code as such."""
    for code in [] if incident.log is None else Code.all_of(incident.log):
        made = [
            n.args[0] for n in ast.walk(code.tree)
            if isinstance(n, ast.Call) and ast.unparse(n.func).endswith("Embedding") and [*map(ast.unparse, n.args[:2])] == [str(count), str(size)]
        ]  # fmt: skip
        if len(made) == 1:
            return [code.replaced(made[0], str(need))]
    return []


@OPERATIONS.rule(
    "hidden-of-other-shape", "error", "an RNN, LSTM or GRU gets a hidden state of another shape",
    "{lead}the hidden state has shape {got}, and it must have (layers, batch, features) = ({wanted}). The reason: {why}.",
    "{repair}",
    """
rnn = jgrad.nn.GRU(6, 12, batch_first=True)
x, h = jgrad.ones(8, 5, 6), jgrad.zeros(8, 1, 12)
rnn(x, h)
""", """
rnn = jgrad.nn.GRU(6, 12, batch_first=True)
x, h = jgrad.ones(8, 5, 6), jgrad.zeros(8, 1, 12)
rnn(x, h.transpose(0, 1))
""",
    raised=(RUNTIME, r"Expected hidden(?:\[\d\])? size \((?P<wanted>[\d, ]+)\), got (?P<got>\[[\d, ]+\])"),
)  # fmt: skip
def hidden_of_other_shape(incident: Incident) -> Iterator[dict]:
    """Which of the three sizes is another, or whether batch_first= was thought to reorder the hidden state too."""
    wanted, got = (
        [int(n) for n in re.findall(r"\d+", part)]
        for part in re.findall(r"[(\[]((?:\d+, )+\d+)[)\]]", incident.message)[:2]
    )
    calls = [n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) and len(n.args) > 1]
    name = (
        ast.unparse(calls[0].args[1])
        if calls and isinstance(calls[0].args[1], (ast.Name, ast.Attribute))
        else "h"
    )
    layers, batch, features = wanted
    edits: list[Edit] = []
    if got == [batch, layers, features]:
        why = "batch_first=True reorders the input and the output, not the hidden state"
        of_each = "of h and of c" if "hidden[" in incident.message else f"of {name}"
        repair = f"Swap the first two dimensions {of_each}: {name if of_each.endswith(name) else 'h'}.transpose(0, 1)."
        edits = [] if "hidden[" in incident.message else [*_reads(incident, name, f"{name}.transpose(0, 1)")]
    elif got[1] != batch:
        why = f"it is for a batch of {got[1]}, and this one has {batch} sample{'s' * (batch != 1)}"
        repair = "Make it anew for each batch, of the size of the input, or leave it out: then it is zeros. A last batch that is smaller can be left out by drop_last=True."
    elif got[0] != layers:
        why = f"it is for {got[0]} layer{'s' * (got[0] != 1)}, and there are {layers} (num_layers, twice that if bidirectional=True)"
        repair = f"Make it with {layers} as its first size."
    else:
        why = f"it has {got[2]} features, and hidden_size is {features}"
        repair = f"Make it with {features} as its last size."
    yield {"why": why, "repair": repair, "edits": edits}


def _reads(incident: Incident, name: str, text: str) -> list[Edit]:
    place = at_incident(incident)
    return [] if place is None else read_as(*place, name, text)


def _hidden_argument(incident: Incident) -> Iterator[dict]:
    """What lacks a dimension, or has one too many."""
    calls = [n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) and len(n.args) > 1]
    x, h = (ast.unparse(a) for a in calls[0].args[:2]) if calls else ("x", "h")
    h = h if h.isidentifier() else "h"
    batched = "For batched" in incident.message
    yield {
        "what": "has one dimension for each sample of the batch, and the hidden state has none" if batched else "has no dimension for the samples of a batch, and the hidden state has one",
        "repair": f"Give the hidden state its shape (layers, batch, features), as with {h}.unsqueeze(0) for one layer." if batched else f"Give the input its batch: {x}.unsqueeze(0) with batch_first=True, {x}.unsqueeze(1) without.",
    }  # fmt: skip


OPERATIONS.by_words(
    "hidden-without-batch", "error", "of the input and the hidden state of an RNN, LSTM or GRU one has a dimension for the batch",
    "{lead}the input {what}.",
    "{repair}",
    """
rnn = jgrad.nn.GRU(3, 4)
x, h = jgrad.ones(5, 2, 3), jgrad.zeros(2, 4)
rnn(x, h)
""", """
rnn = jgrad.nn.GRU(3, 4)
x, h = jgrad.ones(5, 2, 3), jgrad.zeros(2, 4)
rnn(x, h.unsqueeze(0))
""",
    raised=(RUNTIME, r"For (?:un)?batched \d-D input, hx (?:and cx )?should also be \d-D but got"),
    blanks=_hidden_argument,
)  # fmt: skip


def _as_one(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The second and the third argument of a call as one pair."""
    for call in (n for n in ast.walk(statement) if isinstance(n, ast.Call) and len(n.args) == 3):
        h, c = call.args[1:]
        if case["h"] == ast.unparse(h) and not isinstance(c, ast.Starred):
            yield code.replaced(h, f"({code.text(h)}")
            yield code.replaced(c, f"{code.text(c)})")
            return


def _two_states(incident: Incident) -> Iterator[dict]:
    """The call of an LSTM with three arguments."""
    for call in (n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) and len(n.args) == 3):
        x, h, c = map(ast.unparse, call.args)
        yield {"h": h, "call": f"{ast.unparse(call.func)}({x}, ({h}, {c}))"}
        return
    yield {"h": "h", "call": "lstm(x, (h, c))"}


OPERATIONS.by_words(
    "states-apart", "error", "an LSTM gets its two states as two arguments",
    "{lead}an LSTM takes its two states as one pair, and gets them as two arguments.",
    "Write {call}.",
    """
lstm = jgrad.nn.LSTM(2, 3)
h = c = jgrad.zeros(1, 1, 3)
out, state = lstm(jgrad.ones(4, 1, 2), h, c)
""", """
lstm = jgrad.nn.LSTM(2, 3)
h = c = jgrad.zeros(1, 1, 3)
out, state = lstm(jgrad.ones(4, 1, 2), (h, c))
""",
    raised=("TypeError", r"^LSTM(?:Cell)?\.forward\(\) takes from 2 to 3 positional arguments but 4 were given"),
    blanks=mended(_two_states, _as_one),
)  # fmt: skip

OPERATIONS.by_words(
    "hidden-of-other-batch", "error", "an LSTMCell or GRUCell gets a hidden state for another number of samples",
    "{lead}the input has {batch} samples, and the hidden state has {given}.",
    "Make the hidden state anew for each batch, with x.shape[0] rows, or leave it out: then it is zeros.",
    """
cell = jgrad.nn.GRUCell(3, 4)
cell(jgrad.ones(5, 3), jgrad.zeros(2, 4))
""", """
cell = jgrad.nn.GRUCell(3, 4)
cell(jgrad.ones(5, 3), jgrad.zeros(5, 4))
""",
    raised=(RUNTIME, r"Input batch size (?P<batch>\d+) doesn't match hidden\d? batch size (?P<given>\d+)"),
)  # fmt: skip


def _channels(incident: Incident) -> Iterator[dict[str, str]]:
    """One case: what to do about an image with other channels than the layer has. `order`: how to permute one whose last dimension has them."""
    sizes = re.search(r"expected input\[(.*?)\] to have (\d+) channels, but got (\d+)", incident.message)
    shape = [] if sizes is None else sizes[1].split(", ")
    if sizes is not None and len(shape) > 2 and shape[-1] == sizes[2]:
        order = ", ".join(map(str, (0, len(shape) - 1, *range(1, len(shape) - 1))))
        yield {
            "order": order,
            "ran": call_of_layer(incident, "Conv"),
            "repair": f"Its last dimension has {sizes[2]}: put the channels right after the batch, with permute({order}).",
        }
    elif sizes is not None:
        yield {
            "order": "",
            "repair": f"Make the layer with in_channels={sizes[3]}, or use permute() to put the channels right after the batch dimension.",
        }


def _permuted(code: Code, statement: ast.stmt, case: dict) -> Iterable[Edit]:
    return (
        argument_as(0, f"{{argument}}.permute({case['order']})")(code, statement, case)
        if case["order"]
        else []
    )


def _three_of_lstm(incident: Incident) -> Iterator[dict[str, str]]:
    """`out, h, c = lstm(x)`: three names, and a call of an LSTM."""
    place = at_incident(incident)
    statement = None if place is None else place[1]
    targets = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if (
        isinstance(statement, ast.Assign)
        and isinstance(targets, ast.Tuple)
        and len(targets.elts) == 3
        and isinstance(statement.value, ast.Call)
    ):
        function = ast.unparse(statement.value.func)
        codes = [Code(incident.cell)] if incident.log is None else Code.all_of(incident.log)
        made = [call for code in codes for name, _, call in code.made if name == function]
        if type(meaning(function, incident.variables)).__name__ == "LSTM" or any(
            ast.unparse(c.func).endswith("LSTM") for c in made
        ):
            yield dict(zip(("first", "h", "c"), map(ast.unparse, targets.elts), strict=True))


def _as_pair(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    if isinstance(statement, ast.Assign):
        yield code.replaced(statement.targets[0], f"{case['first']}, ({case['h']}, {case['c']})")


def _tuple_for_size(incident: Incident) -> Iterator[dict[str, Any]]:
    """An argument to which an assignment gives a tuple of one number, by a comma at its end; or one that is a tuple."""
    calls = [n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call)]
    names = [ast.unparse(given) for call in calls for given in call.args]
    for code in [Code(incident.cell)] if incident.log is None else Code.all_of(incident.log):
        for s in code.statements:
            tuple_of_one = (
                s.value
                if isinstance(s, ast.Assign) and isinstance(s.value, ast.Tuple) and len(s.value.elts) == 1
                else None
            )
            if not isinstance(s, ast.Assign) or tuple_of_one is None:
                continue
            own = ast.unparse(s.targets[0]).rpartition(".")[2]
            for name in (n for n in names if n.rpartition(".")[2] == own):
                comma = f", by the comma at the end of line {s.lineno}" + (
                    f" of {code.file}" if code.file else ""
                )
                edits = [code.replaced(tuple_of_one, code.text(tuple_of_one.elts[0]))]
                yield {
                    "name": name,
                    "value": ast.unparse(tuple_of_one),
                    "comma": comma,
                    "repair": "Leave the comma out.",
                    "edits": edits,
                }
                return
    for name in names:
        value = meaning(name, incident.variables)
        if isinstance(value, tuple) and len(value) == 1:
            yield {"name": name, "value": str(value), "comma": "", "repair": f"Pass {name}[0]."}
            return


OPERATIONS.by_words(
    "channels-do-not-fit", "error", "a convolution gets an image with another number of channels",
    "{lead}the layer expects {expected} channels (its weight is {weight}), but the input of shape {shape} has {given}.",
    "{repair}",
    """
layer = jgrad.nn.Conv2d(3, 2, 3)
layer(jgrad.ones(2, 1, 5, 5))
""", """
layer = jgrad.nn.Conv2d(1, 2, 3)
layer(jgrad.ones(2, 1, 5, 5))
""",
    raised=(RUNTIME, r"weight of size (?P<weight>\[.*?\]), expected input(?P<shape>\[.*?\]) to have (?P<expected>\d+) channels, but got "
                     r"(?P<given>\d+) channels"),
    blanks=mended(_channels, _permuted),
)  # fmt: skip

OPERATIONS.by_words(
    "module-not-begun", "error", "a module gets layers or parameters before super().__init__() was called",
    "{lead}no {kind} can be assigned to a module before Module.__init__() has run.",
    "Call super().__init__() first in __init__().",
    """
class Net(jgrad.nn.Module):
    def __init__(self):
        self.layer = jgrad.nn.Linear(2, 2)

Net()
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 2)

Net()
""",
    raised=("AttributeError", r"cannot assign (?P<kind>module|parameters|buffer)\w* before Module.__init__\(\) call"),
    blanks=mended(always, _begun),
)  # fmt: skip


OPERATIONS.by_words(
    "states-unpacked", "error", "the two results of an LSTM are unpacked into three variables",
    "{lead}an LSTM returns two things: its output, and a pair of its last states.",
    "Write {first}, ({h}, {c}) = ...",
    """
lstm = jgrad.nn.LSTM(2, 3)
out, h, c = lstm(jgrad.ones(4, 1, 2))
""", """
lstm = jgrad.nn.LSTM(2, 3)
out, (h, c) = lstm(jgrad.ones(4, 1, 2))
""",
    raised=("ValueError", r"not enough values to unpack \(expected 3, got 2\)"),
    blanks=mended(_three_of_lstm, _as_pair),
)  # fmt: skip


OPERATIONS.by_words(
    "size-is-tuple", "error", "a layer gets a tuple for a size",
    "{lead}{name} is the tuple {value}{comma}, and the size of a layer is a number.",
    "{repair}",
    """
class Config:
    hidden = 8,

layer = jgrad.nn.Linear(4, Config.hidden)
""", """
class Config:
    hidden = 8

layer = jgrad.nn.Linear(4, Config.hidden)
""",
    raised=("TypeError", r"argument 'size' .*found element of type tuple at pos"),
    blanks=_tuple_for_size,
)  # fmt: skip


@OPERATIONS.rule(
    "forward-missing", "error", "a module is called that has no forward()",
    "{lead}calling a module runs its forward(), and {name} has none{but}.",
    "{repair}",
    """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)

    def foward(self, x):
        return self.layer(x)

net = Net()
net(jgrad.ones(1, 2))
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)

    def forward(self, x):
        return self.layer(x)

net = Net()
net(jgrad.ones(1, 2))
""",
    raised=("NotImplementedError", r'Module \[(?P<name>\w+)\] is missing the required "forward" function'),
)  # fmt: skip
def forward_missing(incident: Incident) -> Iterator[dict]:
    """A method with a similar name, or a forward() that stands within another method, if the class has one."""
    found = re.search(r"Module \[(\w+)\]", incident.message)
    name = "" if found is None else found[1]
    methods, within = _methods(incident, name)
    close = get_close_matches("forward", [m for m in methods if not m.startswith("_")], 1, 0.6)
    close += [m for m in methods if m in ("__forward__", "_forward", "call", "__call__", "predict")]
    if "forward" in within.values():
        outer = next(m for m, inner in within.items() if inner == "forward")
        but = f": its forward() stands inside of {outer}(), one level too deep"
        yield {"but": but, "repair": f"Indent def forward as far as def {outer}."}
    elif close:
        code = class_of(incident, name)
        edits = [] if code is None else _renamed(*code, close[0])
        yield {
            "but": f", but a method {close[0]}()",
            "repair": "Call that method forward: def forward(self, ...).",
            "edits": edits,
        }
    else:
        listlike = name in ("ModuleList", "ModuleDict", "ParameterList", "ParameterDict")
        repair = (
            f"Loop over the {name} in forward() of the module that has it, or use Sequential."
            if listlike
            else "Write def forward(self, x): in the class, which returns the result."
        )
        yield {"but": "", "repair": repair, "edits": _in_sequence(incident) if name == "ModuleList" else []}


def _in_sequence(incident: Incident) -> list[Edit]:
    """The ModuleList that was called with one argument, made as a Sequential of the same layers, where the code makes it once."""
    calls = [n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call)]
    called = next(
        (ast.unparse(n.func) for n in calls if len(n.args) == 1 and ast.unparse(n) == incident.expression), ""
    )
    made = [] if incident.log is None else [
        (code, call) for code in Code.all_of(incident.log) for name, _, call in code.made
        if name == called and isinstance(call.func, ast.Attribute) and call.func.attr == "ModuleList" and len(call.args) == 1
    ]  # fmt: skip
    if len(made) != 1:
        return []
    code, call = made[0]
    return [
        code.replaced(
            call, f"{code.text(call.func).removesuffix('ModuleList')}Sequential(*{code.text(call.args[0])})"
        )
    ]


def _methods(incident: Incident, name: str) -> tuple[list[str], dict[str, str]]:
    """The methods of a class, and those functions that stand inside of one of them."""
    code = class_of(incident, name)
    if code is not None:
        defined = [m for m in code[1].body if isinstance(m, ast.FunctionDef)]
        inner = {
            m.name: n.name
            for m in defined
            for n in ast.walk(m)
            if isinstance(n, ast.FunctionDef) and n is not m
        }
        return [m.name for m in defined], inner
    held = [v for v in incident.variables.values() if mirrors.is_module(v)]
    for module in [part for v in held for _, part in modules_of("", v) if type(part).__name__ == name]:
        functions = {k: f for k, f in vars(type(module)).items() if isinstance(f, FunctionType)}
        inner = {
            k: c.co_name for k, f in functions.items() for c in f.__code__.co_consts if isinstance(c, CodeType) and c.co_name == "forward"
        }  # fmt: skip
        return [*functions], inner
    return [], {}


def class_of(incident: Incident, name: str) -> tuple[Code, ast.ClassDef] | None:
    """A class in the code that is known of what raised."""
    codes = Code.all_of(incident.log) if incident.log is not None else [Code(incident.cell, incident.file)]
    for code in codes:
        for node in ast.walk(code.tree):
            if isinstance(node, ast.ClassDef) and node.name == name:
                return code, node
    return None


def _renamed(code: Code, kind: ast.ClassDef, method: str) -> list[Edit]:
    """A method under the name forward."""
    for node in kind.body:
        if isinstance(node, ast.FunctionDef) and node.name == method:
            line = node.lineno
            column = code.line(line).index(f"def {method}") + len("def ")
            return [Edit(code.file, (line, column, line, column + len(method)), "forward")]
    return []


@OPERATIONS.rule(
    "forward-returns-nothing", "error", "forward() of a module has no return",
    "{lead}forward() of {name} ({at}) returns nothing, so the result of the module is None.",
    "End forward() with return and its result.",
    """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)

    def forward(self, x):
        y = self.layer(x)

net = Net()
net(jgrad.ones(1, 2)).sum()
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)

    def forward(self, x):
        y = self.layer(x)
        return y

net = Net()
net(jgrad.ones(1, 2)).sum()
""",
    raised=("AttributeError|TypeError", r"NoneType"),
)  # fmt: skip
def forward_returns_nothing(incident: Incident) -> Iterator[dict]:
    """A module whose forward has no return: one that ran in the trace, or that the failing expression names, or that the cell defines and calls."""
    for name, at in (*_ran_without_return(incident), *_named_without_return(incident)):
        yield {"name": name, "at": at, "edits": _returning(incident, name)}
        return


def _ran_without_return(incident: Incident) -> Iterator[tuple[str, str]]:
    """(class, place) of what ran in the trace that ended, the last one first."""
    log = incident.log
    calls = [] if log is None else [c for c in log.places.calls if c["function"].endswith(".forward")]
    for call in reversed(calls):
        assert log is not None
        name = call["function"].removesuffix(".forward").rpartition("<locals>.")[2].rpartition(".")[2]
        code = class_of(incident, name)
        method = None if code is None else _forward_in(code[1])
        if code is not None and method is not None and not returns(method):
            place = f"{code[0].file}, line {method.lineno}" if code[0].file else f"line {method.lineno}"
            yield name, place


def _named_without_return(incident: Incident) -> Iterator[tuple[str, str]]:
    """The same of the modules that variables hold, the classes of the cell first."""
    for node in [n for n in ast.walk(parsed(incident.cell)) if isinstance(n, ast.ClassDef)]:
        method = _forward_in(node)
        used = any(
            type(v).__name__ == node.name for held in incident.variables.values() if mirrors.is_module(held) for _, v in modules_of("", held)
        )  # fmt: skip
        if method is not None and not returns(method) and (used or not incident.variables):
            yield node.name, f"line {method.lineno}"
    for held in incident.variables.values():
        for _, module in modules_of("", held) if mirrors.is_module(held) else ():
            forward = type(module).forward
            if (
                isinstance(forward, FunctionType)
                and UserCode().has(forward.__code__, forward.__globals__)
                and gives_none(forward.__code__)
            ):
                yield (
                    type(module).__name__,
                    f"{name_of(forward.__code__.co_filename)}, line {forward.__code__.co_firstlineno}",
                )


def _forward_in(kind: ast.ClassDef) -> ast.FunctionDef | None:
    return next((m for m in kind.body if isinstance(m, ast.FunctionDef) and m.name == "forward"), None)


def _returning(incident: Incident, name: str) -> list[Edit]:
    """forward() with a return of what it assigned last, where its last statement assigns one variable."""
    found = _forward_of(incident, name)
    last = None if found is None else found[1].body[-1]
    if found is None or not isinstance(last, ast.Assign) or not isinstance(last.targets[0], ast.Name):
        return []
    return [found[0].after(last, f"return {last.targets[0].id}")]


def _forward_of(incident: Incident, name: str) -> tuple[Code, ast.FunctionDef] | None:
    """The forward() of a class, which the code that is known has whole, or which ran."""
    known, log = class_of(incident, name), incident.log
    method = None if known is None else _forward_in(known[1])
    if known is not None and method is not None:
        return known[0], method
    for call in log.places.calls if log is not None else ():
        if log is not None and call["source"] is not None and call["function"].endswith(f"{name}.forward"):
            code = Code.of_log(log, call["source"])
            for node in around(code.tree, call["line"], ast.FunctionDef):
                return code, node
    return None
