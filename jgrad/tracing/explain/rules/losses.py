"""Losses, and what they are given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Step, TraceLayer
from jgrad.tracing.document.syntax import parsed
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, at_step, calls_of, read_as, renamed
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.meaning import meaning
from jgrad.tracing.explain.operands import Operand, elements, failing_tree, in_expression, known_tensors
from jgrad.tracing.explain.repairs import NAME, argument_as, at_incident, given_as, mended
from jgrad.tracing.explain.rule import RUNTIME, USER_WARNING, Rules

OPERATIONS = Rules()
WARNINGS = Rules()
NOTES = Rules()

DIFFERENCES = ("sub", "rsub", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
# Operations with which a layer without an activation ends.
LAYERS = ("linear", "addmm", "mm", "matmul", "baddbmm")
# What functions of the library are called by.
MODULES = ("torch", "jgrad", "F", "nn", "functional")
VIEWS = ("reshape", "view", "flatten", "squeeze", "unsqueeze", "transpose", "permute", "contiguous", "t")
SCORES = "Leave out the {op}() of {made}."
AS_COLUMN = re.compile(r"None\]|unsqueeze\(")  # what makes a column on purpose
# Remarks on what may have made the nan that a loss gets later.
MAKE_NAN = {
    "backward-is-wrong", "step-uphill", "loss-negated", "likelihood-minimized", "grad-accumulated", "step-too-large", "nan-appears", "grad-not-finite",
}  # fmt: skip
SQUASHED = {  # operation -> what must not come before it, what it does with probabilities, what to do
    "log_softmax": (("softmax",), "computes the softmax itself", SCORES),
    "binary_cross_entropy_with_logits": (("sigmoid",), "computes the sigmoid itself", SCORES),
    "nll_loss": (("softmax", "sigmoid"), "needs their logarithms", "Use log_softmax() instead of the {op}() of {made}, or cross_entropy() of the scores."),
}  # fmt: skip


def _made_first(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The loss is made, then called: `MSELoss()(output, target)`."""
    for call in (n for n in ast.walk(statement) if isinstance(n, ast.Call)):
        if code.text(call.func) == case["loss"] and len(call.args) > 1:
            settings = ", ".join([f"{k.arg}={code.text(k.value)}" for k in call.keywords if k.arg])
            given = ", ".join(map(code.text, call.args))
            yield code.replaced(call, f"{case['loss']}({settings})({given})")
            return


@OPERATIONS.rule(
    "loss-made-of-tensors", "error", "a loss module gets tensors where it is made",
    "{lead}{loss}(...) makes the loss and takes settings, not tensors.",
    "{repair}",
    """
output = jgrad.ones(3, requires_grad=True)
loss = jgrad.nn.MSELoss(output, jgrad.zeros(3))
""", """
output = jgrad.ones(3, requires_grad=True)
loss = jgrad.nn.MSELoss()(output, jgrad.zeros(3))
""",
    raised=(RUNTIME, r"Boolean value of Tensor with more than one value is ambiguous"),
)  # fmt: skip
def loss_made_of_tensors(incident: Incident) -> Iterator[dict]:
    """nn.MSELoss(output, target) makes a loss with strange settings; and so does `criterion(output, target)` after `criterion = nn.MSELoss`."""
    for node in ast.walk(parsed(incident.failing().strip().split("\n"))):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        meant = meaning(called, incident.variables)
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        if (
            isinstance(meant, type)
            and meant.__name__.endswith("Loss")
            and called.isidentifier()
            and called != meant.__name__
        ):
            yield {"loss": called} | _called_where_made(incident, called, meant.__name__)
            return
        if re.search(r"\b[A-Z]\w*Loss$", called):
            place = at_incident(incident)
            edits = [] if place is None else [*_made_first(*place, {"loss": called})]
            yield {
                "loss": called,
                "repair": f"Make it first, then call it, as in {called}()(output, target).",
                "edits": edits,
            }
            return


def _called_where_made(incident: Incident, name: str, kind: str) -> dict:
    """`criterion = nn.MSELoss()` for `criterion = nn.MSELoss`, wherever that stands."""
    codes = [Code(incident.cell)] if incident.log is None else Code.all_of(incident.log)
    made = [
        (code, s) for code in codes for s in code.statements
        if isinstance(s, ast.Assign) and name in map(ast.unparse, s.targets) and ast.unparse(s.value).rpartition(".")[2] == kind
    ]  # fmt: skip
    edits = (
        [made[0][0].replaced(made[0][1].value, f"{made[0][0].text(made[0][1].value)}()")]
        if len(made) == 1
        else []
    )
    text = made[0][0].text(made[0][1].value) if made else kind
    return {"repair": f"{name} is the class {kind} itself. Write {name} = {text}().", "edits": edits}


OPERATIONS.by_words(
    "classes-and-labels", "error", "cross_entropy() gets class labels of a floating point dtype",
    "{lead}class labels must be whole numbers of dtype Long, but these are {given}.",
    "Write {target}.long(); class probabilities need the shape of the scores.",
    """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([0., 1., 1.])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([0., 1., 1.]).long()
jgrad.nn.functional.cross_entropy(scores, target)
""",
    raised=(RUNTIME, r"expected target dtype to be Long or Byte, but got (?P<given>\w+)"),
    blanks=mended(given_as(1, "target", "target"), argument_as(1, "{argument}.long()")),
)  # fmt: skip

OPERATIONS.by_words(
    "label-without-class", "error", "a label names a class for which there is no score",
    "{lead}there is no class {label}: classes are the columns of the scores, counted from 0.",
    "Count labels from 0, or give the last layer one output for each class.",
    """
scores = jgrad.ones(2, 3)
target = jgrad.tensor([1, 3])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(2, 3)
target = jgrad.tensor([1, 3]) - 1
jgrad.nn.functional.cross_entropy(scores, target)
""",
    raised=("IndexError", r"Target (?P<label>-?\d+) is out of bounds"),
)  # fmt: skip

OPERATIONS.by_words(
    "scores-and-labels", "error", "the number of labels is not the number of rows of scores",
    "{lead}there are scores for {a} samples but labels for {b}: each row of scores needs one label.",
    "Give the scores the shape (samples, classes) with scores.view(-1, classes), or check the size of the last batch.",
    """
scores = jgrad.ones(4, 3)
target = jgrad.tensor([0, 1, 2])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(4, 3)
target = jgrad.tensor([0, 1, 2, 0])
jgrad.nn.functional.cross_entropy(scores, target)
""",
    raised=("ValueError", r"Expected input batch_size \((?P<a>\d+)\) to match target batch_size \((?P<b>\d+)\)"),
)  # fmt: skip


OPERATIONS.by_words(
    "weights-of-other-classes", "error", "a loss gets weights for another number of classes",
    "{lead}there are scores for {classes} classes, and weight has shape {given}: it needs a number for each class.",
    "Make it with {classes} numbers; of counts, give jgrad.bincount() minlength={classes}.",
    """
scores = jgrad.ones(2, 3)
jgrad.nn.functional.cross_entropy(scores, jgrad.tensor([0, 1]), weight=jgrad.ones(2))
""", """
scores = jgrad.ones(2, 3)
jgrad.nn.functional.cross_entropy(scores, jgrad.tensor([0, 1]), weight=jgrad.ones(3))
""",
    raised=(RUNTIME, r"weight tensor should be defined either for all (?P<classes>\d+) classes or no classes but got weight tensor of shape: (?P<given>\[.*?\])"),
)  # fmt: skip


def labels_of_pixels(incident: Incident) -> Iterator[dict]:
    """The labels as the code names them, and what takes the dimension away that they have too much."""
    for call in (n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) and len(n.args) > 1):
        known = known_tensors(incident).get(ast.unparse(call.args[1]))
        if known is not None and len(known.shape) == 4:
            without = "squeeze(1)" if known.shape[1] == 1 else "argmax(1)"
            place = at_incident(incident)
            edits = [] if place is None else read_as(*place, known.name, f"{known.name}.{without}")
            yield {
                "target": f"{known.name} has shape {known.shape}",
                "repair": f"Write {known.name}.{without}.",
                "edits": edits,
            }
            return
    yield {
        "target": "these have another number of dimensions",
        "repair": "Write target.squeeze(1) if it has one channel.",
    }


OPERATIONS.by_words(
    "labels-with-channels", "error", "cross_entropy() gets labels of pixels with a dimension for channels",
    "{lead}labels of pixels have shape (batch, height, width), and {target}.",
    "{repair}",
    """
scores = jgrad.ones(2, 3, 4, 4)
mask = jgrad.zeros(2, 1, 4, 4).long()
jgrad.nn.functional.cross_entropy(scores, mask)
""", """
scores = jgrad.ones(2, 3, 4, 4)
mask = jgrad.zeros(2, 1, 4, 4).long()
jgrad.nn.functional.cross_entropy(scores, mask.squeeze(1))
""",
    raised=(RUNTIME, r"only batches of spatial targets supported"),
    blanks=labels_of_pixels,
)  # fmt: skip


def _classes(incident: Incident) -> tuple[list[int], list[int]] | None:
    """The shape that cross_entropy() wants its labels to have, or that of the scores, and the shape of the labels, as the message says them."""
    found = [[int(n) for n in part.split(",")] for part in re.findall(r"\[([\d, ]+)\]", incident.message)]
    return (found[0], found[1]) if len(found) == 2 else None


@OPERATIONS.rule(
    "classes-in-other-dimension", "error", "cross_entropy() gets scores whose classes are not in dimension 1",
    "{lead}cross_entropy() takes the classes from dimension 1 of the scores, and {where}. The labels have shape {labels}.",
    "{repair}",
    """
scores = jgrad.ones(4, 7, 5)
tags = jgrad.zeros(4, 7).long()
jgrad.nn.functional.cross_entropy(scores, tags)
""", """
scores = jgrad.ones(4, 7, 5)
tags = jgrad.zeros(4, 7).long()
jgrad.nn.functional.cross_entropy(scores.movedim(-1, 1), tags)
""",
    raised=(RUNTIME, r"Expected target size \[[\d, ]+\], got \[[\d, ]+\]|size mismatch \(got input: \[[\d, ]+\] , target: \[[\d, ]+\]"),
)  # fmt: skip
def classes_in_other_dimension(incident: Incident) -> Iterator[dict]:
    """The classes are in the last dimension, as layers give them, or the scores have a dimension too many."""
    shapes = _classes(incident)
    call = next(
        (n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) and len(n.args) > 1), None
    )
    if shapes is None or call is None:
        return
    wanted, labels = shapes
    name = ast.unparse(call.args[0])
    known = known_tensors(incident).get(name)
    # The message has the shape of the scores only where they have four dimensions.
    scores = wanted if "input" in incident.message else known.shape if known is not None else []
    shown = name if NAME.fullmatch(name) else "the scores"
    where = (
        f"{shown} has {scores[1]} there (shape {scores})"
        if scores
        else f"so it wants labels of shape {wanted}"
    )
    if scores[:-1] == labels or (not scores and len(labels) == 2):
        text = f"{name}.movedim(-1, 1)"
        yield {
            "where": where, "labels": labels, "edits": _first_argument(incident, ".movedim(-1, 1)"),
            "repair": f"If they are in the last dimension, move them: {text}." if NAME.fullmatch(name) else "If they are in the last dimension, append .movedim(-1, 1) to the scores.",
        }  # fmt: skip
    elif scores[1:2] == [1] and scores[:1] + scores[2:-1] == labels:
        yield {
            "where": where, "labels": labels, "edits": _first_argument(incident, ".squeeze(1)"),
            "repair": f"Leave out the dimension of size 1: {shown}.squeeze(1).",
        }  # fmt: skip
    else:
        yield {
            "where": where,
            "labels": labels,
            "repair": "Give each score vector one label: scores (samples, classes, ...), labels (samples, ...).",
        }


def _first_argument(incident: Incident, method: str) -> list[Edit]:
    """The call that raised, with a method of its first argument."""
    place = at_incident(incident)
    if place is None:
        return []
    code, statement = place
    text = ast.unparse(
        next(n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) and len(n.args) > 1)
    )
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call) and ast.unparse(n) == text]
    return [
        code.replaced(n.args[0], f"{code.text(n.args[0])}{method}")
        for n in calls[:1]
        if isinstance(n.args[0], ATOMS)
    ]


def _target_argument(incident: Incident) -> tuple[str, list[Edit]]:
    """The second argument of the call that raised, and the edit by which it becomes floating point."""
    call = next(
        (n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) and len(n.args) > 1), None
    )
    place = at_incident(incident)
    if call is None:
        return "the target", []
    text = ast.unparse(call.args[1])
    edits = [] if place is None else read_as(*place, text, f"{text}.float()")
    return (text if NAME.fullmatch(text) else "the target"), edits


def _probabilities(incident: Incident) -> Iterator[dict]:
    """What is taken for probabilities."""
    name, edits = _target_argument(incident)
    yield {"name": name, "edits": edits}


OPERATIONS.by_words(
    "one-hot-whole", "error", "cross_entropy() gets one-hot rows of whole numbers",
    "{lead}{name} has the shape of the scores, so cross_entropy() takes it for probabilities, but its dtype is {given}.",
    "Write {name}.float(), or pass the numbers of the classes: {name}.argmax(1) gives those of one-hot rows.",
    """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([[1, 0], [0, 1], [0, 1]])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([[1, 0], [0, 1], [0, 1]]).float()
jgrad.nn.functional.cross_entropy(scores, target)
""",
    raised=(RUNTIME, r"Expected floating point type for target with class probabilities, got (?P<given>\w+)"),
    blanks=_probabilities,
)  # fmt: skip


def _begins(node: ast.expr) -> str:
    """The variable of which an expression takes a part, or a view: x of `x[:, 1:].reshape(-1)`; nothing for another one."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS:
            node = node.func.value
        else:
            return ""
    return node.id


@OPERATIONS.rule(
    "loss-of-labels", "error", "a loss gets the labels first and the scores second",
    "{lead}{call} gets the labels {labels} as its first argument, which must be the scores.",
    "Swap the arguments: {right}.",
    """
scores = jgrad.ones(3, 2, requires_grad=True)
labels = jgrad.tensor([0, 1, 1])
jgrad.nn.functional.cross_entropy(labels, scores)
""", """
scores = jgrad.ones(3, 2, requires_grad=True)
labels = jgrad.tensor([0, 1, 1])
jgrad.nn.functional.cross_entropy(scores, labels)
""",
    raised=("RuntimeError|NotImplementedError|ValueError", r"not implemented for '(?:Long|Int)'|0D or 1D target tensor expected|Found dtype Float but expected|batch_size"),
)  # fmt: skip
def loss_of_labels(incident: Incident) -> Iterator[dict]:
    """A loss whose first argument holds whole numbers, and whose second has the scores."""
    known = known_tensors(incident)
    for call in [n for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Call) and len(n.args) > 1]:
        called = ast.unparse(call.func)
        first, second = (known.get(ast.unparse(a)) for a in call.args[:2])
        first = first or known.get(_begins(call.args[0]))
        if (
            first is None
            or not first.dtype.startswith("int")
            or not re.search(r"loss|crit|entropy", called, re.IGNORECASE)
        ):
            continue
        if second is not None and (
            not second.dtype.startswith("float") or len(second.shape) < len(first.shape)
        ):
            continue
        if (
            second is None
            and (other := known.get(_begins(call.args[1]))) is not None
            and not other.dtype.startswith("float")
        ):
            continue
        a, b = (ast.unparse(x) for x in call.args[:2])
        place = at_incident(incident)
        edits = [] if place is None else [*_swapped(*place, ast.unparse(call))]
        yield {"call": f"{called}()", "labels": a, "right": f"{called}({b}, {a})", "edits": edits}
        return


def _swapped(code: Code, statement: ast.stmt, text: str) -> Iterator[Edit]:
    """A call with its first two arguments in the other order."""
    for call in [n for n in ast.walk(statement) if isinstance(n, ast.Call) and ast.unparse(n) == text][:1]:
        yield code.replaced(call.args[0], code.text(call.args[1]))
        yield code.replaced(call.args[1], code.text(call.args[0]))


def _rows(tensors: dict[str, Operand], text: str) -> Operand | None:
    """The rows that a slice takes of a tensor, `labels[i : i + 8]`; how many is not known."""
    body = parsed([text]).body
    node = getattr(body[0], "value", None) if body else None
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice | ast.Name):
        return None
    whole = tensors.get(ast.unparse(node.value))
    return (
        None if whole is None or len(whole.shape) != 2 else Operand(text, [-1, whole.shape[1]], whole.dtype)
    )


def labels_in_columns(incident: Incident) -> Iterator[dict]:
    """Whether they are one column, or one-hot rows, if that is known."""
    name = next(given_as(1, "name", "target")(incident))["name"]
    tensors = known_tensors(incident)
    known = tensors.get(name) or _rows(tensors, name)
    column, rows = f"{name}.squeeze(1)", f"{name}.argmax(1)"
    if known is None or len(known.shape) != 2:
        yield {
            "these": "these have another dimension",
            "repair": f"Write {column}, or {rows} for one-hot rows.",
        }
        return
    shape = str(known.shape).replace("-1", "...")
    if known.shape[1] == 1:
        place = at_incident(incident)
        edits = [] if place is None else read_as(*place, name, column)
        yield {"these": f"{name} has shape {shape}", "repair": f"Write {column}.", "edits": edits}
    else:
        yield {
            "these": f"{name} has shape {shape}",
            "repair": f"If each row of {name} is one-hot, write {rows}.",
        }


OPERATIONS.by_words(
    "labels-in-columns", "error", "cross_entropy() gets class labels with one dimension too many",
    "{lead}class labels need shape (samples,), one number for each sample, but {these}.",
    "{repair}",
    """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([[0], [1], [1]])
jgrad.nn.functional.cross_entropy(scores, target)
""", """
scores = jgrad.ones(3, 2)
target = jgrad.tensor([[0], [1], [1]]).squeeze(1)
jgrad.nn.functional.cross_entropy(scores, target)
""",
    raised=(RUNTIME, r"0D or 1D target tensor expected, multi-target not supported"),
    blanks=labels_in_columns,
)  # fmt: skip


def _of_one_shape(incident: Incident) -> Iterator[dict]:
    """Which of the two has a dimension of size 1 more, and what it is called."""
    repair = "Give both the same shape with scores.squeeze(1) or target[:, None], and write target.float() for whole numbers."
    sizes = [
        [int(n) for n in re.findall(r"\d+", s)] for s in re.findall(r"Size\((.*?)\)", incident.message)[:2]
    ]
    place = at_incident(incident)
    calls = (
        []
        if place is None
        else [n for n in ast.walk(place[1]) if isinstance(n, ast.Call) and len(n.args) > 1]
    )
    calls = [
        c for c in calls if re.search(r"loss|crit|entropy|bce", ast.unparse(c.func), re.IGNORECASE)
    ] or calls
    target, shape = (*sizes, [], [])[:2]
    longer = 0 if shape == [*target, 1] else 1 if target == [*shape, 1] else None
    if place is None or longer is None or len(calls) != 1 or isinstance(calls[0].args[longer], ast.Starred):
        yield {"repair": repair}
        return
    given, dim = calls[0].args[longer], len(target) if longer == 0 else len(shape)
    flat = f"{_operand(place[0].text(given))}.squeeze({dim})"
    yield {"repair": f"Write {flat}.", "edits": [place[0].replaced(given, flat)]}


OPERATIONS.by_words(
    "target-of-other-shape", "error", "binary cross entropy gets a target of another shape than the input",
    "{lead}the input has shape {shape} but the target has shape {target}, and each score needs one number.",
    "{repair}",
    """
scores = jgrad.ones(3, 1)
target = jgrad.tensor([0., 1., 1.])
jgrad.nn.functional.binary_cross_entropy_with_logits(scores, target)
""", """
scores = jgrad.ones(3, 1)
target = jgrad.tensor([0., 1., 1.])[:, None]
jgrad.nn.functional.binary_cross_entropy_with_logits(scores, target)
""",
    raised=("ValueError", r"(?:Target|Using a target) size \(\w+\.Size\((?P<target>.*?)\)\) (?:must be the same as|that is different to the) input size \(\w+\.Size\((?P<shape>.*?)\)\)"),
    blanks=_of_one_shape,
)  # fmt: skip


@OPERATIONS.rule(
    "no-probabilities", "error", "binary_cross_entropy() gets numbers that are no probabilities",
    "{lead}binary_cross_entropy() takes probabilities, and its {name} {what}.",
    "{repair}",
    """
scores = jgrad.tensor([2., -1.])
target = jgrad.tensor([1., 0.])
jgrad.nn.functional.binary_cross_entropy(scores, target)
""", """
scores = jgrad.tensor([2., -1.])
target = jgrad.tensor([1., 0.])
jgrad.nn.functional.binary_cross_entropy_with_logits(scores, target)
""",
    raised=(RUNTIME, r"all elements of (?P<name>input|target) should be between 0 and 1"),
)  # fmt: skip
def no_probabilities(incident: Incident) -> Iterator[dict]:
    """Scores instead of probabilities, a target that is none, or numbers that became nan before."""
    what, causes = "has numbers below 0 or above 1, or nan", {"loss-arguments-swapped"}
    repair = "Use binary_cross_entropy_with_logits(), which takes scores, or apply sigmoid() to them first."
    if "input" not in incident.message:
        repair = "Scale the target to numbers between 0 and 1."
    for operand in in_expression(incident):
        if "nan" in elements(incident, operand):
            what = f"{operand.name} holds nan"
            repair = f"Look for the first nan before {operand.name}: often the learning rate is too large."
            causes |= MAKE_NAN
            break
    if incident.log is not None and _ended_with_nan(incident.log, incident.step):
        causes |= MAKE_NAN
    yield {"what": what, "repair": repair, "causes": causes}


def _ended_with_nan(log: Log, step: int) -> bool:
    """Whether the last result before a step has nan in it."""
    made = next((s["makes"] for s in reversed(log.steps[:step]) if s["kind"] == "op" and s.get("makes")), ())
    return any("nan" in log.held(t, step) for t in made)


WARNINGS.by_words(
    "loss-broadcast", "warning", "a loss gets a target of another shape",
    "{lead}the input has shape {shape} and the target has shape {target}, so broadcasting compares every input with every target.",
    "Give both the same shape first, with input.squeeze(1) or target.view(-1, 1).",
    """
pred = jgrad.ones(3, 1, requires_grad=True)
target = jgrad.zeros(3)
jgrad.nn.functional.mse_loss(pred, target)
""", """
pred = jgrad.ones(3, 1, requires_grad=True)
target = jgrad.zeros(3)
jgrad.nn.functional.mse_loss(pred.squeeze(1), target)
""",
    raised=(USER_WARNING, r"Using a target size \(\w+\.Size\((?P<target>.*?)\)\) that is different to the input size \(\w+\.Size\((?P<shape>.*?)\)\)"),
    traced="broadcast-both",
)  # fmt: skip


@NOTES.rule(
    "broadcast-both", "warning", "a difference of a column and a row, where two tensors of one shape were meant",
    "{at}: {a} {shape_a} and {b} {shape_b} were both broadcast to {wide}. So each element of {a} is combined with each element of {b}.",
    "Give both the same shape first, with {flat}.",
    """
pred = jgrad.ones(3, 1, requires_grad=True)
target = jgrad.zeros(3)
loss = ((pred - target) ** 2).mean()
""", """
pred = jgrad.ones(3, 1, requires_grad=True)
target = jgrad.zeros(3)
loss = ((pred.squeeze(1) - target) ** 2).mean()
""",
)  # fmt: skip
def broadcast_both(log: Log) -> Iterator[dict]:
    """In a loss, a difference, or a comparison whose hits are counted. Outside a loss, a column that the statement itself makes, as `x[:, None]`, is
    meant so."""
    found = [pair for op in (*DIFFERENCES, "eq") for pair in log.operations.get(op, ())]
    for i, step in sorted(found, key=itemgetter(0)):
        if len(step.get("reads", ())) != 2 or not step.get("makes"):
            continue
        reads = [_before_expand(log, t, step) for t in step["reads"]]
        shapes = [log.tensors[t]["shape"] for t in reads]
        row, longer = sorted(shapes, key=len)
        # Or a column, and a target with a dimension more.
        column_and_row = longer == [*row, 1] and row[:1] not in ([], [1]) and {*row[1:]} <= {1}
        if not column_and_row or len({log.tensors[t]["storage"] for t in reads}) != 2:
            continue
        names = [log.name(t, i) for t in reads]
        column, place = names[0] if len(shapes[0]) > len(row) else names[1], at_step(log, i)
        if AS_COLUMN.search(column) and step["op"] in ("sub", "rsub", "eq"):
            continue
        if step["op"] == "eq" and not _is_counted(log, step["makes"][0]):
            continue
        yield {
            "step": i, "tensors": reads, "lines": log.lines(i), "at": log.at(i), "wide": [row[0], *row],
            "a": names[0], "b": names[1], "shape_a": shapes[0], "shape_b": shapes[1],
            "flat": _flat(_operand(column)), "edits": [] if place is None else _flattened(*place, column),
        }  # fmt: skip
        return


def _is_counted(log: Log, tensor: int) -> bool:
    """Whether all elements of a tensor are added up to one number, perhaps as numbers of another dtype."""
    for i in log.users.get(tensor, ()):
        step = log.steps[i]
        for made in step.get("makes", ()):
            if step["op"] in ("sum", "mean") and not log.tensors[made]["shape"]:
                return True
            if step["op"] in ("to", "_to_copy", "float", "type") and _is_counted(log, made):
                return True
    return False


def _operand(text: str) -> str:
    """A name, or an expression in parentheses, of which a method can be called."""
    body = parsed([text]).body
    atom = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ATOMS)
    return text if atom else f"({text})"


def _flat(column: str) -> str:
    """The row of which a column has the elements."""
    return (
        column.removesuffix(".unsqueeze(1)") if column.endswith(".unsqueeze(1)") else f"{column}.squeeze(1)"
    )


def _flattened(code: Code, statement: ast.stmt, column: str) -> list[Edit]:
    """`pred.squeeze(1)` for the only `pred` of a statement."""
    found = [n for n in ast.walk(statement) if isinstance(n, ATOMS) and ast.unparse(n) == column]
    return [code.replaced(found[0], _flat(code.text(found[0])))] if len(found) == 1 else []


def _before_expand(log: Log, number: int, step: Step) -> int:
    """The tensor that a loss function expanded."""
    made = log.steps[log.maker[number]] if number in log.maker else step
    return made["reads"][0] if made["op"] == "expand" and made["span"] == step["span"] else number


@NOTES.rule(
    "softmax-twice", "warning", "a loss that computes the softmax or the sigmoid itself gets probabilities",
    "{at}: {what} gets probabilities from {first} ({made}), but {instead}.",
    "{repair}",
    """
scores = jgrad.tensor([[2., 1., 0.]], requires_grad=True)
p = scores.softmax(1)
loss = jgrad.nn.functional.cross_entropy(p, jgrad.tensor([0]))
loss.backward()
""", """
scores = jgrad.tensor([[2., 1., 0.]], requires_grad=True)
loss = jgrad.nn.functional.cross_entropy(scores, jgrad.tensor([0]))
loss.backward()
""",
)  # fmt: skip
def softmax_twice(log: Log) -> Iterator[dict]:
    """A loss gets probabilities, and takes the softmax or sigmoid of them itself; or logarithms are meant and it gets probabilities."""
    reported = set()
    for i, step in [pair for op in SQUASHED for pair in log.operations.get(op, ())]:
        first, instead, repair = SQUASHED[step["op"]]
        made = log.made_by(step["reads"][0]) if step.get("reads") else None
        if (
            made is not None
            and log.steps[made]["op"] in first
            and not {"0.", "-0."}.issuperset(log.held(step["makes"][0], i + 1))  # of one column: that is said
            and (step["line"], log.steps[made]["line"]) not in reported
        ):
            reported.add((step["line"], log.steps[made]["line"]))
            yield {
                "step": i, "tensors": step["reads"][:1], "lines": log.lines(made, i), "at": log.at(i), "what": log.doing(i), "op": step["op"],
                "made": log.at(made), "first": log.doing(made), "instead": instead,
            } | _unsquashed(log, made, repair)  # fmt: skip


def _unsquashed(log: Log, made: int, repair: str) -> dict:
    """What to do about probabilities that a step made, where a loss takes scores: the sentence, and edits."""
    step, place = log.steps[made], at_step(log, made)
    found: dict[str, Any] = {"repair": repair.format(op=step["op"], made=log.at(made)), "edits": []}
    if repair != SCORES:
        edits = (
            renamed(log, made, {"softmax": "log_softmax", "Softmax": "LogSoftmax"})
            if step["op"] == "softmax"
            else []
        )
        return found | {"edits": edits}
    layer = _layer(log, step)
    name = "" if layer is None else layer["name"]
    if layer is not None and name.endswith("]"):
        edits = [e for code in Code.all_of(log) for e in _taken_out(code, layer["type"])]
        edits = edits if len(edits) == 1 else []
        return {"repair": f"Take {layer['type']}() out of {name.rpartition('[')[0]}.", "edits": edits}
    called = name.rpartition(".")[2] or step["op"]
    calls = [] if place is None else calls_of(place[1], called)
    if place is not None and len(calls) == 1:
        found["edits"] = [place[0].cut(calls[0], _squashed(calls[0], layer is not None))]
    return found


def _layer(log: Log, step: Step) -> TraceLayer | None:
    """The layer in whose forward() an operator ran, if it has a name."""
    number = step.get("layer_call")
    layer = None if number is None else log.document["layers"][log.document["layer_calls"][number][0]]
    return (
        layer
        if layer is not None and layer["name"] and layer["type"].lower() == step["op"].replace("_", "")
        else None
    )


def _taken_out(code: Code, kind: str) -> Iterator[Edit]:
    """The code without a layer of this kind that is the last one of an nn.Sequential()."""
    for call in ast.walk(code.tree):
        if (
            isinstance(call, ast.Call)
            and ast.unparse(call.func).endswith("Sequential")
            and len(call.args) > 1
        ):
            before, last = call.args[-2:]
            if isinstance(last, ast.Call) and ast.unparse(last.func).rpartition(".")[2] == kind:
                yield Edit(code.file, (*code.span(before)[2:], *code.span(last)[2:]), "")


def _squashed(call: ast.Call, of_layer: bool) -> ast.expr:
    """The scores of which a call makes probabilities: x of `x.softmax(1)`, `torch.softmax(x, 1)` and `self.softmax(x)`."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    is_function = of_layer or ast.unparse(owner).partition(".")[0] in MODULES
    return call.args[0] if is_function and call.args else owner


@NOTES.rule(
    "log-softmax-twice", "info", "cross_entropy() gets logarithms of probabilities",
    "{at}: {what} computes log_softmax() of what it gets, and {made} ({first}) computed it already. The second time changes nothing.",
    "Leave the first one out, or use nll_loss() after it.",
    """
scores = jgrad.tensor([[2., 1., 0.]], requires_grad=True)
logs = scores.log_softmax(1)
loss = jgrad.nn.functional.cross_entropy(logs, jgrad.tensor([0]))
loss.backward()
""", """
scores = jgrad.tensor([[2., 1., 0.]], requires_grad=True)
logs = scores.log_softmax(1)
loss = jgrad.nn.functional.nll_loss(logs, jgrad.tensor([0]))
loss.backward()
""",
)  # fmt: skip
def log_softmax_twice(log: Log) -> Iterator[dict]:
    """The log_softmax() of a log_softmax() in one of its own lines."""
    reported = set()
    for i, step in log.operations.get("log_softmax", ()):
        made = log.made_by(step["reads"][0])
        if made is not None and log.steps[made]["op"] == "log_softmax" and step["line"] not in reported:
            reported.add(step["line"])
            yield {
                "step": i, "tensors": step["reads"][:1], "lines": log.lines(made, i), "at": log.at(i), "what": log.doing(i),
                "made": log.at(made), "first": log.doing(made),
            }  # fmt: skip
