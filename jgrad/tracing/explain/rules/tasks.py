"""Losses that do not fit their targets, or what the last layer can give. These are exact: the program can't do what it is meant to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.schema import Objective
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, at_step, calls_of
from jgrad.tracing.explain.learning import REGRESSION, Learning
from jgrad.tracing.explain.repairs import argument_as
from jgrad.tracing.explain.rule import Rules

NOTES = Rules()

SOME = 0.05  # a part of the targets that is no accident
UNNORMALIZED = 0.05
ALL = 0.95
RANGES = {  # what an operator gives, by its place in `Objective.outside`, and what it can't give
    "relu": (0, "0 and more"),
    "softplus": (0, "positive numbers"),
    "exp": (0, "positive numbers"),
    "sigmoid": (1, "numbers between 0 and 1"),
    "softmax": (1, "numbers between 0 and 1"),
    "tanh": (2, "numbers between -1 and 1"),
}
WITHIN = ("numbers below 0", "numbers outside of 0 to 1", "numbers outside of -1 to 1")
BATCHES = 10  # calls after which one label only is no accident
PER_CLASS = 20  # labels for each class among which some must be met
MOST_CLASSES = 100

TRAIN = """
jgrad.manual_seed(0)
nn, F = jgrad.nn, jgrad.nn.functional
x = jgrad.randn(60, 4)
{targets}
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), {last})
opt = jgrad.optim.Adam(net.parameters(), lr=0.01)
for epoch in range({rounds}):
    opt.zero_grad()
    loss = {loss}
    loss.backward()
    opt.step()
"""


def example(targets: str, last: str, loss: str, rounds: int = 6) -> str:
    """A small training with these parts."""
    return TRAIN.format(targets=targets, last=last, loss=loss, rounds=rounds)


BINARY = "y = (x[:, :1] > 0).float()"
CLASSES = "y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()"
NUMBERS = "y = 3 * x[:, :1]"


def _prediction(learning: Learning) -> tuple[int, str] | None:
    """(step, operator) that made what a loss compares with its targets; before the log_softmax() of cross_entropy()."""
    compared, log = learning.compared, learning.log
    if compared is None:
        return None
    step = log.made_by(compared.prediction)
    if (
        step is not None
        and log.steps[step]["op"] == "log_softmax"
        and log.steps[step]["span"] == log.steps[compared.step]["span"]
    ):
        step = log.made_by(log.steps[step]["reads"][0])
    return None if step is None else (step, log.steps[step]["op"].rstrip("_"))


def _cases(log: Log) -> Iterator[tuple[Learning, Objective, dict]]:
    """The loss of a training, and the blanks that all remarks on it have."""
    learning = Learning.of(log)
    if learning is not None and learning.objective is not None:
        yield learning, learning.objective, learning.place()


def without_activation(log: Log, step: int, name: str) -> list[Edit]:
    """The last layer without the activation: `nn.Sequential(..., nn.Sigmoid())`, `torch.sigmoid(x)`, `x.sigmoid()` in one place of the code."""
    found: list[Edit] = []
    place = at_step(log, step)
    if place is None:
        return []
    code, statement = place
    for call in [n for n in ast.walk(statement) if isinstance(n, ast.Call)]:
        called = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if called == name and call.args:
            found.append(code.cut(call, call.args[0]))
        elif called == name and isinstance(call.func, ast.Attribute):
            found.append(code.cut(call, call.func.value))
    if found:
        return found if len(found) == 1 else []
    for node in ast.walk(code.tree):
        parts = (
            node.args if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Sequential") else []
        )
        last = parts[-1] if len(parts) > 1 else None
        if isinstance(last, ast.Call) and ast.unparse(last.func).split(".")[-1].lower() == name:
            begin, end = code.span(parts[-2]), code.span(last)
            found.append(Edit(code.file, (*begin[2:], *end[2:]), ""))
    return found if len(found) == 1 else []


ATTENTION = """
jgrad.manual_seed(0)
x = jgrad.randn(2, 3, 4)
w = jgrad.randn(4, 4, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(3):
    opt.zero_grad()
    scores = (x @ w) @ x.transpose(1, 2)
    y = jgrad.softmax(scores, dim=%s) @ x
    y.pow(2).mean().backward()
    opt.step()
"""


@NOTES.rule(
    "attention-over-queries", "warning", "the softmax of attention does not run over the keys",
    "{at}: the softmax runs over dimension {dim}, and the product in {used} adds up over the last one. So the weights of a query do not add up to 1.",
    "Write dim=-1: each query then spreads its weight over the keys.",
    ATTENTION % 1,
    ATTENTION % -1,
)  # fmt: skip
def attention_over_queries(log: Log) -> Iterator[dict]:
    """The softmax of a product of batches of square matrices, over their rows or over batches, is at once multiplied from the left."""
    for i, step in log.operations.get("softmax", ()):
        shape = log.tensors[step["makes"][0]]["shape"]
        place = at_step(log, i)
        products = [*_products(log, step["makes"][0])]
        if (
            place is None
            or "node" not in step
            or len(shape) < 3
            or shape[-1] != shape[-2]
            or shape[-1] == 1
            or not products
        ):
            continue
        scores = log.maker.get(step["reads"][0])
        while scores is not None and log.steps[scores]["op"] in (
            "div",
            "mul",
            "masked_fill",
            "add",
            "reshape",
            "view",
            "_unsafe_view",
        ):
            scores = log.maker.get(log.steps[scores]["reads"][0])
        dims = [
            d for n in ast.walk(place[1]) if isinstance(n, ast.Call) and (d := _dim_of_softmax(n)) is not None
        ]
        if scores is None or log.steps[scores]["op"] not in ("matmul", "bmm", "baddbmm") or len(dims) != 1:
            continue
        node, dim = dims[0]
        if dim % len(shape) != len(shape) - 1:
            yield {
                "step": i, "tensors": step["makes"], "lines": log.lines(i), "at": log.at(i), "dim": dim, "used": log.spot(products[0]),
                "edits": [place[0].replaced(node, "-1")],
            }  # fmt: skip
            return


def _products(log: Log, tensor: int) -> Iterator[int]:
    """The steps that multiply batches of matrices by others from the left."""
    for k in log.users.get(tensor, ()):
        step = log.steps[k]
        if step["op"] in ("matmul", "bmm") and step["reads"][0] == tensor:
            yield k
        elif step["op"] in ("expand", "view", "reshape") and all(
            log.tensors[t]["shape"][-2:] == log.tensors[tensor]["shape"][-2:] for t in step["makes"]
        ):
            yield from (j for t in step["makes"] for j in _products(log, t))


def _dim_of_softmax(call: ast.Call) -> tuple[ast.expr, int] | None:
    """The dimension of a call of softmax() that is written as a number."""
    if ast.unparse(call.func).rpartition(".")[2] != "softmax":
        return None
    given = [k.value for k in call.keywords if k.arg == "dim"] or call.args[-1:]
    try:
        dim = ast.literal_eval(given[0]) if given else None
    except ValueError:
        return None
    return (given[0], dim) if isinstance(dim, int) else None


MULTIPLIED = """
jgrad.manual_seed(0)
x, mask = jgrad.randn(2, 3, 4), jgrad.tril(jgrad.ones(3, 3))
w = jgrad.randn(4, 4, requires_grad=True)
scores = (x @ w) @ x.transpose(1, 2)
%s
y = jgrad.softmax(scores, dim=-1) @ x
y.pow(2).mean().backward()
"""


@NOTES.rule(
    "mask-multiplied", "warning", "the scores of attention are multiplied by a mask before the softmax",
    "{at} multiplies the scores by {mask}: a score of 0 still gets weight in the softmax, so what should be hidden is seen.",
    "Fill in -inf there: {instead}.",
    MULTIPLIED % "scores = scores * mask",
    MULTIPLIED % 'scores = scores.masked_fill(mask == 0, float("-inf"))',
)  # fmt: skip
def mask_multiplied(log: Log) -> Iterator[dict]:
    """What the softmax of attention gets is a product with zeros and ones that no gradient goes to."""
    for i, step in log.operations.get("softmax", ()):
        made = log.maker.get(step["reads"][0])
        reads = [] if made is None else log.steps[made].get("reads", [])
        if (
            made is None
            or log.steps[made]["op"] != "mul"
            or len(reads) != 2
            or not [*_products(log, step["makes"][0])]
        ):
            continue
        masks = [
            k for k, t in enumerate(reads)
            if not log.state(t, made)["requires_grad"] and {float(x == "True" or (x != "False" and float(x))) for x in log.held(t, made)} == {0.0, 1.0}
        ]  # fmt: skip
        place = at_step(log, made) if len(masks) == 1 else None
        value = getattr(place[1], "value", None) if place is not None else None
        if place is None or not isinstance(value, ast.BinOp):
            continue
        code = place[0]
        mask, scores = (value.left, value.right) if masks == [0] else (value.right, value.left)
        instead = f'{code.text(scores) if isinstance(scores, ATOMS) else f"({code.text(scores)})"}.masked_fill({code.text(mask)} == 0, float("-inf"))'
        yield {
            "step": made, "tensors": [reads[masks[0]]], "lines": log.lines(made, i), "at": log.at(made), "mask": code.text(mask), "instead": instead,
            "edits": [code.replaced(value, instead)],
        }  # fmt: skip
        return


PADDED = """
attention = jgrad.nn.MultiheadAttention(4, 1, batch_first=True)
x, lengths = jgrad.randn(2, 3, 4), jgrad.tensor([2, 1])
mask = jgrad.arange(3)[None] %s lengths[:, None]
y, _ = attention(x, x, x, key_padding_mask=mask)
y.sum().backward()
"""
PADDING = ("key_padding_mask", "src_key_padding_mask", "tgt_key_padding_mask", "memory_key_padding_mask")


@NOTES.rule(
    "padding-mask-inverted", "warning", "a padding mask is True where there is no padding",
    "{at}: {name} is True where there is no padding, and {keyword} hides what is True. So attention sees the padding alone.",
    "Write {keyword}=~{name}.",
    PADDED % "<",
    PADDED % ">=",
)  # fmt: skip
def padding_mask_inverted(log: Log) -> Iterator[dict]:
    """What a variable for it holds was made by `arange(n) < lengths` or by `tokens != pad`."""
    for code in Code.all_of(log):
        for call in (n for n in ast.walk(code.tree) if isinstance(n, ast.Call)):
            for given in (k for k in call.keywords if k.arg in PADDING and isinstance(k.value, ast.Name)):
                name = ast.unparse(given.value)
                held = [
                    t["id"]
                    for t in log.tensors
                    if t["dtype"] == "bool" and any(n == name for _, n in t["names"])
                ]
                makers = [log.maker.get(t) for t in held]
                if makers and all(i is not None and _marks_what_counts(log, i) for i in makers):
                    i = makers[-1] or 0
                    yield {
                        "step": i, "tensors": held[-1:], "lines": [] if code.file else [call.lineno], "at": code.place(log, call.lineno),
                        "name": name, "keyword": given.arg, "edits": [code.replaced(given.value, f"~{name}")],
                    }  # fmt: skip
                    return


def _marks_what_counts(log: Log, index: int) -> bool:
    """Whether a step compared positions with lengths by `<`, or tokens with a number by `!=`."""
    step = log.steps[index]
    reads = step.get("reads", ())
    first = log.made_by(reads[0]) if reads else None
    counted = first is not None and log.steps[first]["op"] == "arange"
    return (step["op"] == "ne" and len(reads) == 1) or (step["op"] == "lt" and counted)


@NOTES.rule(
    "softmax-of-one", "warning", "a softmax over a dimension of size 1 gives 1 whatever it gets",
    "{at}: the softmax runs over a dimension of size 1, so each result is 1 and no gradient comes through.",
    "{repair}",
    example(BINARY, "nn.Linear(8, 1), nn.Softmax(dim=1)", "F.binary_cross_entropy(net(x), y)"),
    example(BINARY, "nn.Linear(8, 1), nn.Sigmoid()", "F.binary_cross_entropy(net(x), y)"),
)  # fmt: skip
def softmax_of_one(log: Log) -> Iterator[dict]:
    rounds = log.document.get("rounds")
    if rounds is None or not any(n["op"] == "softmax" for n in rounds.get("narrow", ())):
        return
    lines = {n["line"] for n in rounds.get("narrow", ()) if n["op"] == "softmax"}
    steps = [i for i, s in log.operations.get("softmax", ()) if s["line"] in lines and _is_narrow(log, i)]
    if steps:
        last = steps[-1]
        width = log.tensors[log.steps[last]["makes"][0]]["shape"][-1]
        repair = "Use sigmoid() for one output, or a last layer with one output for each class."
        if width > 1:
            repair = f"If the {width} numbers of the last dimension are to add up to 1, write dim=-1."
        yield {
            "step": last, "tensors": [], "lines": log.lines(last), "at": log.at(last), "repair": repair,
            "edits": _of_another_dim(log, last) if width > 1 else _sigmoid(log, last),
        }  # fmt: skip


def _of_another_dim(log: Log, step: int) -> list[Edit]:
    """-1 for the dimension of the only softmax() of a statement, or of the only Softmax() of the code."""
    place = at_step(log, step)
    calls = [] if place is None else [(place[0], call) for call in calls_of(place[1], "softmax")]
    calls = calls or [(code, call) for code in Code.all_of(log) for call in calls_of(code.tree, "Softmax")]
    given = [
        (code, n)
        for code, call in calls
        for n in (*call.args[-1:], *(k.value for k in call.keywords if k.arg == "dim"))
    ]
    dims = [(code, n) for code, n in given if isinstance(n, ast.Constant) and isinstance(n.value, int)]
    return [dims[0][0].replaced(dims[0][1], "-1")] if len(calls) == len(dims) == 1 else []


def _sigmoid(log: Log, step: int) -> list[Edit]:
    """sigmoid() in place of the only softmax() of a statement, or Sigmoid() in place of the only Softmax() of the code."""
    place = at_step(log, step)
    calls = [] if place is None else calls_of(place[1], "softmax")
    if place is not None and len(calls) == 1 and isinstance(calls[0].func, ast.Attribute):
        code, call = place[0], calls[0]
        owner = code.text(call.func.value)  # type: ignore[attr-defined]
        of_module = owner.split(".")[0] in ("torch", "jgrad", "nn", "F")
        if of_module and call.args:
            whole = "torch" if owner == "F" or "functional" in owner else owner
            return [
                code.replaced(
                    call, f"{whole.replace('torch', code.library)}.sigmoid({code.text(call.args[0])})"
                )
            ]
        return [] if of_module else [code.replaced(call, f"{owner}.sigmoid()")]
    layers = [(code, call) for code in Code.all_of(log) for call in calls_of(code.tree, "Softmax")]
    if len(layers) != 1:
        return []
    code, call = layers[0]
    return [code.replaced(call, f"{code.text(call.func).removesuffix('Softmax')}Sigmoid()")]


def _is_narrow(log: Log, step: int) -> bool:
    return 1 in log.tensors[log.steps[step]["makes"][0]]["shape"]


@NOTES.rule(
    "cross-entropy-of-one", "warning", "cross_entropy() gets one column of scores, so that its loss is always 0",
    "{at}: cross_entropy() gets the scores of one class, which it always takes for right: the loss is 0 from the start.",
    "For two classes give the last layer 2 outputs, or use binary_cross_entropy_with_logits() with targets of 0. and 1.",
    example("y = jgrad.zeros(60).long()", "nn.Linear(8, 1)", "F.cross_entropy(net(x), y)"),
    example(CLASSES, "nn.Linear(8, 3)", "F.cross_entropy(net(x), y)"),
)  # fmt: skip
def cross_entropy_of_one(log: Log) -> Iterator[dict]:
    """Also of one-hot targets with one column."""
    rounds = log.document.get("rounds")
    narrow = [] if rounds is None else [n for n in rounds.get("narrow", ()) if n["op"] == "log_softmax"]
    if not narrow or not any(o["op"] == "cross_entropy" for o in rounds.get("objectives", ())):  # type: ignore[union-attr]
        return
    steps = [
        i
        for i, s in log.operations.get("log_softmax", ())
        if s["line"] == narrow[0]["line"] and _is_narrow(log, i)
    ]
    if steps:
        yield {"step": steps[-1], "tensors": [], "lines": log.lines(steps[-1]), "at": log.at(steps[-1])}


@NOTES.rule(
    "output-cannot-reach-target", "warning", "the last activation can't give what the targets are",
    "{at}: {op}() gives {gives}. But {share} % of the targets are {outside} (from {least} to {largest}).",
    "Leave out the {op}() at the end, or scale the targets to what it gives.",
    example(NUMBERS, "nn.Linear(8, 1), nn.Sigmoid()", "F.mse_loss(net(x), y)"),
    example(NUMBERS, "nn.Linear(8, 1)", "F.mse_loss(net(x), y)"),
)  # fmt: skip
def output_cannot_reach_target(log: Log) -> Iterator[dict]:
    for learning, objective, place in _cases(log):
        made = _prediction(learning)
        if (
            made is None
            or objective["op"] not in REGRESSION
            or made[1] not in RANGES
            or "outside" not in objective
        ):
            continue
        which, gives = RANGES[made[1]]
        share, (least, largest, _) = objective["outside"][which], objective["targets"]
        if share > SOME:
            yield place | {
                "op": made[1], "gives": gives, "share": f"{100 * share:.0f}", "outside": WITHIN[which], "least": number(least), "largest": number(largest),
                "edits": without_activation(log, made[0], made[1]),
            }  # fmt: skip


@NOTES.rule(
    "scores-limited", "warning", "a relu or sigmoid right before a loss that takes scores",
    "{at}: {loss}() takes scores of any size, but {made} ({doing}) lets through only {gives}.",
    "Leave out the {op}() before the loss.",
    example(CLASSES, "nn.Linear(8, 3), nn.ReLU()", "F.cross_entropy(net(x), y)"),
    example(CLASSES, "nn.Linear(8, 3)", "F.cross_entropy(net(x), y)"),
)  # fmt: skip
def scores_limited(log: Log) -> Iterator[dict]:
    """A sigmoid before binary_cross_entropy_with_logits(), and a softmax, have a rule of their own."""
    limited = {"cross_entropy": ("relu", "sigmoid"), "binary_cross_entropy_with_logits": ("relu",)}
    for learning, objective, place in _cases(log):
        made = _prediction(learning)
        if made is not None and made[1] in limited.get(objective["op"], ()):
            yield place | {
                "loss": objective["op"], "op": made[1], "made": log.at(made[0]), "doing": log.doing(made[0]), "gives": RANGES[made[1]][1],
                "edits": without_activation(log, *made),
            }  # fmt: skip


@NOTES.rule(
    "nll-of-scores", "warning", "nll_loss() or ctc_loss() gets scores, not logarithms of probabilities",
    "{at}: {what} needs the logarithms of probabilities, but gets numbers whose exponentials do not add up to 1. So the loss can fall without end.",
    "{repair}",
    example(CLASSES, "nn.Linear(8, 3)", "F.nll_loss(net(x), y)"),
    example(CLASSES, "nn.Linear(8, 3)", "F.cross_entropy(net(x), y)"),
)  # fmt: skip
def nll_of_scores(log: Log) -> Iterator[dict]:
    for learning, objective, place in _cases(log):
        made = _prediction(learning)
        # Of which another rule knows more.
        probabilities = made is not None and made[1] in (
            "softmax",
            "sigmoid",
        )
        if (
            objective["op"] == "nll_loss"
            and objective.get("unnormalized", 0.0) > UNNORMALIZED
            and not probabilities
        ):
            over = [*_over_the_batch(log)]
            if len(over) == 1:
                code, dim = over[0]
                repair = f"Compute the softmax over the classes, with 1 in place of 0 in {code.place(log, dim.lineno)}."
                what = log.doing(place["step"] if learning.compared is None else learning.compared.step)
                yield place | {"what": what, "repair": repair, "edits": [code.replaced(dim, "1")]}
                continue
            yield place | {
                "what": log.doing(place["step"] if learning.compared is None else learning.compared.step),
                "repair": "Use cross_entropy() instead of nll_loss().",
                "edits": renamed(log, learning, {"nll_loss": "cross_entropy", "NLLLoss": "CrossEntropyLoss"}),
            }
    for i, step in log.operations.get("ctc_loss", ()):
        scored = log.made_by(step["reads"][0], ("reshape", "clone"))
        if scored is not None and log.steps[scored]["op"] in (
            "addmm",
            "linear",
            "matmul",
            "mm",
            "bmm",
            "add",
        ):
            found = at_step(log, i)
            edits = (
                []
                if found is None
                else [*argument_as(0, "{argument}.log_softmax(-1)", "softmax")(*found, {})]
            )
            yield {
                "step": i, "tensors": step["reads"][:1], "lines": log.lines(i), "at": log.at(i), "what": log.text(i) or "ctc_loss()",
                "repair": "Give it log_softmax(-1) of them.", "edits": edits,
            }  # fmt: skip
            return


def _over_the_batch(log: Log) -> Iterator[tuple[Code, ast.expr]]:
    """The dimension 0 of each softmax in the code that has it."""
    for code in Code.all_of(log):
        for call in [n for n in ast.walk(code.tree) if isinstance(n, ast.Call)]:
            if re.search(r"(?:log_?)?softmax$", ast.unparse(call.func), re.IGNORECASE):
                given = [*call.args[-1:], *(k.value for k in call.keywords if k.arg == "dim")][-1:]
                yield from ((code, n) for n in given if isinstance(n, ast.Constant) and n.value == 0)


@NOTES.rule(
    "several-labels", "warning", "cross_entropy() gets targets with several ones in a row",
    "{at}: {share} % of the rows of the targets do not add up to 1. But cross_entropy() takes a row for the probabilities of one class.",
    "For several labels at once use binary_cross_entropy_with_logits().",
    example("y = (x[:, :3] > 0).float()", "nn.Linear(8, 3)", "F.cross_entropy(net(x), y)"),
    example("y = (x[:, :3] > 0).float()", "nn.Linear(8, 3)", "F.binary_cross_entropy_with_logits(net(x), y)"),
)  # fmt: skip
def several_labels(log: Log) -> Iterator[dict]:
    learning = Learning.of(log)
    for objective in () if learning is None else learning.rounds.get("objectives", ()):
        share = objective.get("wrong_sums", 0.0)
        if objective["op"] == "cross_entropy" and share > SOME and learning is not None:
            names = {
                "cross_entropy": "binary_cross_entropy_with_logits",
                "CrossEntropyLoss": "BCEWithLogitsLoss",
            }
            steps = [i for i, s in log.operations.get("log_softmax", ()) if s["line"] == objective["line"]]
            here = (
                {}
                if not steps
                else {"step": steps[-1], "lines": log.lines(steps[-1]), "at": log.at(steps[-1])}
            )
            yield (
                learning.place()
                | here
                | {"share": f"{100 * share:.0f}", "edits": renamed(log, learning, names)}
            )


@NOTES.rule(
    "bce-of-softmax", "info", "binary cross entropy of a softmax with one class per sample",
    "{at}: each sample has one class, and {loss}() of a softmax counts each class by itself.",
    "Use cross_entropy() of the scores, with the numbers of the classes: y.argmax(1).",
    example("y = F.one_hot((x[:, 0] > 0).long() + (x[:, 1] > 0).long()).float()", "nn.Linear(8, 3), nn.Softmax(dim=1)", "F.binary_cross_entropy(net(x), y)"),
    example("y = F.one_hot((x[:, 0] > 0).long() + (x[:, 1] > 0).long()).float()", "nn.Linear(8, 3)", "F.cross_entropy(net(x), y)"),
)  # fmt: skip
def bce_of_softmax(log: Log) -> Iterator[dict]:
    for learning, objective, place in _cases(log):
        made = _prediction(learning)
        if (
            made is not None
            and made[1] == "softmax"
            and objective["op"].startswith("binary")
            and objective.get("one_hot", 0.0) >= ALL
        ):
            yield place | {"loss": objective["op"]}


@NOTES.rule(
    "target-no-probability", "warning", "binary cross entropy gets targets that are no probabilities",
    "{at}: {loss}() takes targets between 0 and 1, but {share} % are outside (from {least} to {largest}), so the loss has no lower bound.",
    "Give it targets of 0. and 1.; for several classes use cross_entropy(), for measurements mse_loss().",
    example("y = (x[:, :1] > 0).float() + (x[:, 1:2] > 0).float()", "nn.Linear(8, 1)", "F.binary_cross_entropy_with_logits(net(x), y)"),
    example(BINARY, "nn.Linear(8, 1)", "F.binary_cross_entropy_with_logits(net(x), y)"),
)  # fmt: skip
def target_no_probability(log: Log) -> Iterator[dict]:
    for _, objective, place in _cases(log):
        share = objective.get("outside", (0.0, 0.0, 0.0))[1]
        if objective["op"].startswith("binary") and share > SOME:
            least, largest, _ = objective["targets"]
            yield place | {
                "loss": objective["op"],
                "share": f"{100 * share:.0f}",
                "least": number(least),
                "largest": number(largest),
            }


@NOTES.rule(
    "one-label-only", "warning", "all labels of a training are the same",
    "{at}: all {labels} labels of {count} rounds are {label}, so the model learns to answer that.",
    "Look at how the labels are made, and at what selects the samples.",
    example("y = (x[:, 0] > 9).long()", "nn.Linear(8, 2)", "F.cross_entropy(net(x), y)", 12),
    example("y = (x[:, 0] > 0).long()", "nn.Linear(8, 2)", "F.cross_entropy(net(x), y)", 12),
)  # fmt: skip
def one_label_only(log: Log) -> Iterator[dict]:
    for _, objective, place in _cases(log):
        labels = objective.get("labels", [])
        if (
            len(labels) == 1
            and objective["calls"] >= BATCHES
            and labels[0][1] > PER_CLASS
            and objective.get("width", 1) > 1
        ):
            yield place | {"label": labels[0][0], "labels": f"{labels[0][1]:,}"}


@NOTES.rule(
    "classes-without-label", "info", "most classes of the last layer have no label",
    "{at}: the last layer tells {width} classes apart, but only {known} of them were ever a label of the {labels} that were seen.",
    "Give the last layer one output for each class, or look at how the labels are made.",
    example("y = (x[:, 0] > 0).long()", "nn.Linear(8, 10)", "F.cross_entropy(net(x), y)"),
    example("y = (x[:, 0] > 0).long()", "nn.Linear(8, 2)", "F.cross_entropy(net(x), y)"),
)  # fmt: skip
def classes_without_label(log: Log) -> Iterator[dict]:
    for _, objective, place in _cases(log):
        width, labels = objective.get("width", 0), objective.get("labels", [])
        met = sum(count for _, count in labels)
        if 1 < len(labels) <= width / 2 and width <= MOST_CLASSES and met > PER_CLASS * width:
            yield place | {"width": width, "known": len(labels), "labels": f"{met:,}"}


def renamed(log: Log, learning: Learning, names: dict[str, str]) -> list[Edit]:
    """Another loss in place of one, where its name stands once in the code that ran."""
    found = []
    for source, tree in log.code:
        code = Code.of_log(log, source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in names:
                found.append(code.replaced(node, f"{code.text(node.value)}.{names[node.attr]}"))
            elif isinstance(node, ast.Name) and node.id in names:
                return []  # which another line imports
    return found if len(found) == 1 else []
