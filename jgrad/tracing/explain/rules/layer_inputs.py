"""Layers whose input has another size than they were made for, and operators that whole numbers can not go through."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.document.syntax import parsed
from jgrad.tracing.explain.edits import Code, Edit, linear_of
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.operands import Operand, failing_tree, in_expression, known_tensors
from jgrad.tracing.explain.repairs import mended
from jgrad.tracing.explain.rule import RUNTIME, Rules

OPERATIONS = Rules()

PRODUCT = re.compile(r"@|\b(?:mm|matmul|bmm|addmm|einsum|linear)\(")  # code that multiplies matrices itself


@OPERATIONS.rule(
    "layer-of-other-size", "error", "the input of a Linear layer has another number of features than the layer",
    "{lead}{layer} takes {features} features (in_features={features}), and the last dimension of its input has {given}.",
    "{repair}",
    """
layer = jgrad.nn.Linear(4, 3)
x = jgrad.ones(2, 5)
layer(x)
""", """
layer = jgrad.nn.Linear(5, 3)
x = jgrad.ones(2, 5)
layer(x)
""",
    raised=(RUNTIME, r"mat1 and mat2 shapes cannot be multiplied \(\d+x(?P<given>\d+) and (?P<features>\d+)x\d+\)"),
)  # fmt: skip
def layer_of_other_size(incident: Incident) -> Iterator[dict]:
    """The matrix product is that of a layer: the size of its weight is the second of the message."""
    sizes = re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", incident.message)
    if sizes is None or PRODUCT.search(incident.failing()):
        return
    n, given, features, out = map(int, sizes.groups())
    weights = [
        x.name.removesuffix(".weight") for x in known_tensors(incident).values()
        if x.name.endswith(".weight") and x.shape == [out, features]
    ]  # fmt: skip
    made = re.search(rf"Linear\(\s*{features}\s*,\s*{out}\b", incident.failing())
    if not weights and not made:
        return
    called = {ast.unparse(n.func) for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call)}
    own = weights if len(weights) == 1 else [name for name in weights if name in called]
    layer = own[0] if own else "the layer"
    columns = next(
        (x for x in in_expression(incident) if len(x.shape) == 2 and x.shape == [n, given] and n == features),
        None,
    )
    repair = f"Make it with jgrad.nn.Linear({given}, {out}), or pass an input with {features} features."
    if columns is not None:
        repair = f"If the samples are the columns of {columns.name}, pass {columns.name}.T; else make it with jgrad.nn.Linear({given}, {out})."
    yield {
        "layer": layer,
        "repair": repair,
        "edits": [] if columns is not None else _resized(incident, features, out, given),
    }


def _resized(incident: Incident, features: int, out: int, given: int) -> list[Edit]:
    """The only layer that the code makes with these sizes, made for another number of features."""
    made = [] if incident.log is None else linear_of(incident.log, features, out)
    return [made[0][0].replaced(made[0][1].args[0], str(given))] if len(made) == 1 else []


OPERATIONS.by_words(
    "norm-of-other-size", "error", "a LayerNorm meets an input of another size",
    "{lead}the layer norm was made for a last size of {size}, and the input has shape {shape}.",
    "Make it with the last size of that input, as in jgrad.nn.LayerNorm(x.shape[-1]).",
    """
norm = jgrad.nn.LayerNorm(2)
norm(jgrad.ones(1, 3))
""", """
norm = jgrad.nn.LayerNorm(3)
norm(jgrad.ones(1, 3))
""",
    raised=(RUNTIME, r"Given normalized_shape=(?P<size>\[.*?\]), expected input with shape \[.*?\], but got input of size(?P<shape>\[.*?\])"),
)  # fmt: skip


def _channels_last(incident: Incident) -> Iterator[dict]:
    """What to do about an input of batch norm; `there` and `back` reorder one whose last dimension has the channels."""
    given, expected = map(int, re.findall(r"\d+", incident.message)[:2])
    log = incident.log
    made = (
        [t for step in log.steps[: incident.step] for t in step.get("makes", ())] if log is not None else []
    )
    shapes = [x.shape for x in in_expression(incident)] + [
        log.tensors[t]["shape"] for t in made[-1:] if log is not None
    ]
    last = [shape for shape in shapes if len(shape) > 2 and (shape[1], shape[-1]) == (given, expected)]
    if last:
        n = len(last[0])
        there, back = (0, n - 1, *range(1, n - 1)), (0, *range(2, n), 1)
        ways = [
            f".permute({', '.join(map(str, order))})" if n > 3 else ".transpose(1, 2)"
            for order in (there, back)
        ]
        repair = (
            f"Its last dimension has {expected}: write {ways[0]} behind it, and {ways[1]} behind the result."
        )
        yield {"repair": repair, "there": ways[0], "back": ways[1]}
    else:
        repair = f"Make it with {given} channels, as in jgrad.nn.BatchNorm1d({given}), or reorder the dimensions with permute()."
        yield {"repair": repair, "there": "", "back": ""}


def _reordered(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The call of the layer alone, between two changes of the order."""
    for call in ast.walk(statement):
        if (
            case["there"]
            and isinstance(call, ast.Call)
            and code.text(call) == case["ran"]
            and isinstance(call.args[0], ast.Name)
        ):
            yield code.replaced(
                call, f"{code.text(call.func)}({call.args[0].id}{case['there']}){case['back']}"
            )
            return


OPERATIONS.by_words(
    "channels-of-batch-norm", "error", "a batch norm meets an input with another number of channels",
    "{lead}the batch norm was made for {expected} channels, and the input has {given}: channels are the dimension after the batch.",
    "{repair}",
    """
norm = jgrad.nn.BatchNorm1d(2)
x = jgrad.ones(4, 3, 2)
norm(x)
""", """
norm = jgrad.nn.BatchNorm1d(2)
x = jgrad.ones(4, 3, 2)
norm(x.transpose(1, 2)).transpose(1, 2)
""",
    raised=(RUNTIME, r"running_mean should contain (?P<given>\d+) elements not (?P<expected>\d+)"),
    blanks=mended(_channels_last, _reordered),
)  # fmt: skip

OPERATIONS.by_words(
    "features-of-rnn", "error", "an RNN, LSTM or GRU meets an input with another number of features",
    "{lead}the layer takes {expected} features (its first argument, input_size), and the last dimension of the input has {given}.",
    "Make it with input_size={given}, or pass an input with {expected} features.",
    """
rnn = jgrad.nn.RNN(2, 4)
rnn(jgrad.ones(5, 1, 3))
""", """
rnn = jgrad.nn.RNN(3, 4)
rnn(jgrad.ones(5, 1, 3))
""",
    raised=("RuntimeError|ValueError", r"input\.size\(-1\) must be equal to input_size\. Expected (?P<expected>\d+), got (?P<given>\d+)"),
)  # fmt: skip

OPERATIONS.by_words(
    "matrix-and-vector-do-not-fit", "error", "a matrix product meets a vector of another length",
    "{lead}a matrix of {mat} times a vector of {vec} elements: the matrix must have as many columns as the vector has elements.",
    "Make the vector as long as a row of the matrix, or make the matrix with {vec} columns.",
    """
w = jgrad.ones(2, 3)
x = jgrad.ones(4)
w @ x
""", """
w = jgrad.ones(2, 3)
x = jgrad.ones(3)
w @ x
""",
    raised=(RUNTIME, r"size mismatch, got input \(\d+\), mat \((?P<mat>\w+)\), vec \((?P<vec>\d+)\)"),
)  # fmt: skip


@OPERATIONS.rule(
    "whole-numbers", "error", "an operator is asked for the mean, the softmax or the like of whole numbers",
    "{lead}{what} needs floating point numbers, and {name} has dtype {dtype}.",
    "Convert it first, as in {code}.",
    """
counts = jgrad.tensor([1, 2, 3])
counts.mean()
""", """
counts = jgrad.tensor([1, 2, 3])
counts.float().mean()
""",
    raised=("RuntimeError|NotImplementedError",
            r"(?:(?P<op>\w+)\(\): could not infer output dtype\. .* Got: (?:Long|Int|Short|Char|Byte|Bool)$|\"\w+\" not implemented for '(?:Long|Int|Short|Char|Byte)'|"
            r"std and var only support floating point and complex dtypes|Expected a floating point or complex tensor as input\. Got \w+)"),
)  # fmt: skip
def whole_numbers(incident: Incident) -> Iterator[dict]:
    """Which tensor it is: what the operator was called on, or what the expression names of whole numbers."""
    got = re.search(r"(?:Got: |for ')(\w+)", incident.message)
    called = next(_operand_of_call(incident), None)
    names = [x for x in in_expression(incident) if x.dtype.startswith(("int", "uint", "bool"))]
    found: Operand | None = next((x for x in names if called is None or x.name == ast.unparse(called)), None)
    if found is None and called is not None and isinstance(called, (ast.Compare, ast.BinOp)):
        text = ast.unparse(called)
        yield {
            "what": incident.what,
            "name": text,
            "dtype": got[1] if got else "",
            "code": f"({text}).float()",
        }
        return
    found = found or next(iter(names), None)
    yield {
        "what": incident.what, "name": "its input" if found is None else found.name,
        "dtype": found.dtype if found is not None else got[1] if got else "", "code": f"{'x' if found is None else found.name}.float()",
    }  # fmt: skip


def _operand_of_call(incident: Incident) -> Iterator[ast.expr]:
    """What the operator that raised was called on: `a == b` of `(a == b).mean()` and of `torch.mean(a == b)`."""
    op = re.match(r"(\w+)\(\)", incident.message)
    for node in ast.walk(parsed(incident.what.split("\n"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and op
            and node.func.attr == op[1]
        ):
            yield (
                node.args[0]
                if ast.unparse(node.func.value) in ("torch", "jgrad") and node.args
                else node.func.value
            )
