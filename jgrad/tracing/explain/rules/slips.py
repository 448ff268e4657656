"""Slips of the pen: code that Python accepts and that does nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.syntax import around
from jgrad.tracing.explain.edits import Code
from jgrad.tracing.explain.repairs import library
from jgrad.tracing.explain.rule import Rules

NOTES = Rules()

# Layers with parameters.
LAYER = re.compile(
    r"(?:^|\.)(?:\w*Linear|\w*Conv\w*|\w*LSTM|\w*GRU|RNN|Embedding|\w+Norm\w*|Transformer\w+|MultiheadAttention)$"
)
METHODS = (
    "zero_grad",
    "step",
    "backward",
    "requires_grad_",
    "retain_grad",
    "detach_",
    "zero_",
    "eval",
    "train",
)
MISSPELT = (
    "require_grad",
    "required_grad",
    "require_gradient",
    "requires_gradient",
    "requires_grads",
    "require_grads",
)
# What gives a new tensor and leaves the old one as it is.
NEW = ("relu", "gelu", "elu", "leaky_relu", "silu", "selu", "tanh", "sigmoid", "softmax", "log_softmax", "dropout", "normalize", "layer_norm",
       "clamp", "masked_fill", "unsqueeze", "squeeze", "reshape", "view", "permute", "transpose", "flatten")  # fmt: skip
LABELS = re.compile(r"(?:\w*_)?(?:y|ys|labels?|targets?|classes)(?:_\w*)?", re.IGNORECASE)
OPTIMIZERS = re.compile(r"SGD|ASGD|Rprop|RMSprop|LBFGS|Ada\w+|NAdam|RAdam|SparseAdam|Muon")
OPTIONS = ("lr", "weight_decay", "momentum", "betas", "eps")
HOOKS = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_full_backward_pre_hook",
)
EMBEDDING = """
emb = jgrad.nn.Embedding.from_pretrained(jgrad.randn(5, 3)%s)
head = jgrad.nn.Linear(3, 1)
opt = jgrad.optim.SGD([*emb.parameters(), *head.parameters()], lr=0.1)
for i in range(2):
    opt.zero_grad()
    head(emb(jgrad.tensor([0, 3]))).sum().backward()
    opt.step()
"""
LOOP = """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(2):
    {}
    (w * 2).sum().backward()
    opt.step()
"""
BUFFERED = """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)
        %s

    def forward(self, x):
        return self.layer(x) * self.gain

net = Net()
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    net(jgrad.ones(3, 2)).sum().backward()
    opt.step()
"""
FAST = """
w = jgrad.ones(2, requires_grad=True)
weights = [w]
grads = jgrad.autograd.grad((w * w).sum(), weights, create_graph=True)
fast = [p - 0.1 * g for p, g in zip(weights, grads)]
loss = (%s * 3).pow(2).sum()
loss.backward()
"""
SHUFFLED = """x, y = jgrad.arange(12.).view(6, 2), jgrad.arange(6)
x = %s
y = %s
total = x.sum() + y.sum()
"""
CARRIED = """
w = jgrad.ones(1, requires_grad=True)
h = w * 2
{}
loss = (h * 3).sum()
loss.backward()
"""


@NOTES.rule(
    "method-not-called", "warning", "a method is named but not called",
    "{at}: {text} names the method without calling it, so nothing happens.",
    "Write {text}().",
    LOOP.format("opt.zero_grad"),
    LOOP.format("opt.zero_grad()"),
)  # fmt: skip
def method_not_called(log: Log) -> Iterator[dict]:
    for source, node in _statements(log, ast.Expr):
        if isinstance(node.value, ast.Attribute) and node.value.attr in METHODS:
            yield _case(log, source, node, ast.unparse(node)) | _edit(
                log, source, node, f"{ast.unparse(node)}()"
            )


@NOTES.rule(
    "compared-not-assigned", "warning", "== is written where = was meant",
    "{at}: {text} compares and sets nothing.",
    "Write {code}.",
    "x = jgrad.ones(2)\nx.requires_grad == True\ny = x * 2",
    "x = jgrad.ones(2)\nx.requires_grad = True\ny = x * 2",
)  # fmt: skip
def compared_not_assigned(log: Log) -> Iterator[dict]:
    for source, node in _statements(log, ast.Expr):
        value = node.value
        left = value.left if isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq) else None
        if isinstance(left, ast.Attribute) and left.attr in ("requires_grad", "grad", "data"):
            code = f"{ast.unparse(left)} = {ast.unparse(value.comparators[0])}"
            yield _case(log, source, node, ast.unparse(node), code=code) | _edit(log, source, node, code)


@NOTES.rule(
    "attribute-misspelt", "warning", "an attribute is set that autograd does not know",
    "{at}: {written} = ... has no effect, because {why}.",
    "Write {code}.",
    "x = jgrad.ones(2)\nx.require_grad = True\ny = x * 2",
    "x = jgrad.ones(2)\nx.requires_grad = True\ny = x * 2",
)  # fmt: skip
def attribute_misspelt(log: Log) -> Iterator[dict]:
    for source, node in _statements(log, ast.Assign):
        target = node.targets[0]
        if not isinstance(target, ast.Attribute):
            continue
        owner, value = ast.unparse(target.value), ast.unparse(node.value)
        is_module = (target.attr in MISSPELT or target.attr == "requires_grad") and _is_module(
            log, source, target.value
        )
        if target.attr in MISSPELT or is_module:
            code, why = f"{owner}.requires_grad = {value}", "autograd knows no such attribute"
            if is_module:
                code, why = (
                    f"{owner}.requires_grad_({value})",
                    f"{owner} is a module, and only its parameters have requires_grad",
                )
            blanks = {"written": ast.unparse(target), "code": code, "why": why}
            yield _case(log, source, node, ast.unparse(node), **blanks) | _edit(log, source, node, code)


@NOTES.rule(
    "option-set-elsewhere", "warning", "an attribute of an optimizer is set that no step reads",
    "{at}: {written} = ... has no effect, because {owner} reads {option} from its param_groups.",
    "Set it there, in each group: group['{option}'] = {value}.",
    LOOP.format("opt.zero_grad()\n    opt.lr = 0.05"),
    LOOP.format("opt.zero_grad()\n    opt.param_groups[0]['lr'] = 0.05"),
)  # fmt: skip
def option_set_elsewhere(log: Log) -> Iterator[dict]:
    """`opt.lr = ...` of an optimizer of the library, which a function may know under the last part of its name."""
    names = {
        o["name"].rpartition(".")[2]
        for o in log.document.get("optimizers", ())
        if OPTIMIZERS.fullmatch(o["type"])
    }
    for source, node in _statements(log, ast.Assign):
        target = node.targets[0]
        if not isinstance(target, ast.Attribute) or target.attr not in OPTIONS:
            continue
        owner = ast.unparse(target.value)
        if owner.rpartition(".")[2] in names:
            code = Code.of_log(log, source)
            value = code.text(node.value)
            blanks = {"written": ast.unparse(target), "owner": owner, "option": target.attr, "value": value}
            inside = f"for group in {owner}.param_groups:\n{' ' * node.col_offset}    group['{target.attr}'] = {value}"
            alone = not code.line(node.lineno)[: node.col_offset].strip()
            yield _case(log, source, node, ast.unparse(node), **blanks) | (
                _edit(log, source, node, inside) if alone else {}
            )


@NOTES.rule(
    "sum-thrown-away", "warning", "a sum with the loss is computed and not used",
    "{at}: {text} computes a new tensor that no variable keeps, so {name} stays as it was.",
    "Write {name} = {text}.",
    CARRIED.format("loss = (h * 3).sum()\nloss + h.sum()").replace("\nloss = (h * 3).sum()\nloss.backward()", "\nloss.backward()"),
    CARRIED.format("loss = (h * 3).sum()\nloss = loss + h.sum()").replace("\nloss = (h * 3).sum()\nloss.backward()", "\nloss.backward()"),
)  # fmt: skip
def sum_thrown_away(log: Log) -> Iterator[dict]:
    """`loss + penalty` by itself, of what backward() is called on; at the end of a cell it is shown."""
    roots = {
        ast.unparse(n.func.value)
        for _, n in _statements(log, ast.Call)
        if isinstance(n.func, ast.Attribute) and n.func.attr == "backward"
    }
    for source, node in _statements(log, ast.Expr):
        value, first = node.value, node.value
        while isinstance(first, ast.BinOp) and isinstance(first.op, (ast.Add, ast.Sub)):
            first = first.left
        name = ast.unparse(first)
        shown = source is None and node is log.tree.body[-1]
        if first is not value and name in roots and not shown:
            text = ast.unparse(value)
            yield _case(log, source, node, text, name=name) | _edit(log, source, node, f"{name} = {text}")


@NOTES.rule(
    "buffer-that-learns", "warning", "a tensor that should learn is registered as a buffer",
    "{at}: parameters() leaves buffers out, so no optimizer is given {name}, and it never learns.",
    "Write {code}.",
    BUFFERED % 'self.register_buffer("gain", jgrad.ones(1, requires_grad=True))',
    BUFFERED % "self.gain = jgrad.nn.Parameter(jgrad.ones(1))",
)  # fmt: skip
def buffer_that_learns(log: Log) -> Iterator[dict]:
    """`self.register_buffer("gain", torch.ones(1, requires_grad=True))`."""
    for source, node in _statements(log, ast.Expr):
        call = node.value
        if (
            not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Attribute)
            or call.func.attr != "register_buffer"
            or len(call.args) < 2
        ):
            continue
        name, value = call.args[:2]
        marks = (
            [k for k in value.keywords if k.arg == "requires_grad" and ast.unparse(k.value) == "True"]
            if isinstance(value, ast.Call)
            else []
        )
        if (
            not isinstance(name, ast.Constant)
            or not isinstance(name.value, str)
            or not isinstance(value, ast.Call)
            or not marks
        ):
            continue
        code = Code.of_log(log, source)
        kept = [code.text(a) for a in value.args] + [
            f"{k.arg}={code.text(k.value)}" for k in value.keywords if k not in marks
        ]
        nn = (
            "nn"
            if any(isinstance(n, ast.Name) and n.id == "nn" for n in ast.walk(code.tree))
            else f"{library(code)}.nn"
        )
        text = f"{code.text(call.func.value)}.{name.value} = {nn}.Parameter({code.text(value.func)}({', '.join(kept)}))"
        yield _case(log, source, node, ast.unparse(node), name=name.value, code=text) | _edit(
            log, source, node, text
        )


@NOTES.rule(
    "weights-unused", "warning", "weights after a step are computed and nothing uses them",
    "{at} computes {name}, the weights after a step, and nothing reads {name}. So the loss is that of the old weights.",
    "Compute the loss with {name}, as with functional_call(model, {name}, x).",
    FAST % "w",
    FAST % "fast[0]",
)  # fmt: skip
def weights_unused(log: Log) -> Iterator[dict]:
    """`fast = [p - 0.1 * g for p, g in zip(weights, grads)]`, where grads come from autograd.grad(..., create_graph=True)."""
    for code in Code.all_of(log):
        graded = {
            ast.unparse(s.targets[0]) for _, s, call in code.made
            if ast.unparse(call.func).endswith("autograd.grad") and any(k.arg == "create_graph" for k in call.keywords)
        }  # fmt: skip
        loaded = {
            n.id for n in ast.walk(code.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        }
        for s in code.statements:
            made = s.value if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) else None
            if (
                not isinstance(s, ast.Assign)
                or not isinstance(made, (ast.ListComp, ast.DictComp))
                or ast.unparse(s.targets[0]) in loaded
            ):
                continue
            new = made.elt if isinstance(made, ast.ListComp) else made.value
            of = {n.id for g in made.generators for n in ast.walk(g.iter) if isinstance(n, ast.Name)}
            if isinstance(new, ast.BinOp) and isinstance(new.op, ast.Sub) and of & graded:
                yield {
                    "step": -1,
                    "tensors": [],
                    "lines": [] if code.file else [s.lineno],
                    "at": code.place(log, s.lineno),
                    "name": ast.unparse(s.targets[0]),
                }


@NOTES.rule(
    "shuffled-apart", "warning", "inputs and labels are each shuffled in their own order",
    "{at} puts {first} and {second} in two orders, each from a randperm() of its own. So rows and labels may no longer belong together.",
    "Make one order, and index both with it.",
    SHUFFLED % ("x[jgrad.randperm(6)]", "y[jgrad.randperm(6)]"),
    "order = jgrad.randperm(6)\n" + SHUFFLED % ("x[order]", "y[order]"),
)  # fmt: skip
def shuffled_apart(log: Log) -> Iterator[dict]:
    """Two assignments of one block, one after the other, each of which indexes with a randperm() of the same size."""
    for code in Code.all_of(log):
        found = [s for s in code.statements if isinstance(s, ast.Assign) and _shuffles(s.value)]
        for a, b in pairwise(found):
            size = [ast.unparse(s.value.slice) for s in (a, b)]  # type: ignore[attr-defined]
            if size[0] != size[1] or not code.stand_together(a, b) or b.lineno - (a.end_lineno or 0) > 1:
                continue
            alone = not code.line(a.lineno)[: a.col_offset].strip()
            edits = [code.before(a, f"order = {size[0]}")] if alone else []
            edits += [code.replaced(s.value.slice, "order") for s in (a, b)] if edits else []  # type: ignore[attr-defined]
            names = [ast.unparse(s.value.value) for s in (a, b)]  # type: ignore[attr-defined]
            if sum(bool(LABELS.fullmatch(name.rpartition(".")[2])) for name in names) == 1:
                yield {
                    "step": -1, "tensors": [], "lines": [] if code.file else [a.lineno, b.lineno], "at": code.place(log, a.lineno), "first": names[0],
                    "second": names[1], "edits": edits,
                }  # fmt: skip


def _shuffles(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Subscript)
        and isinstance(value.slice, ast.Call)
        and ast.unparse(value.slice.func).endswith("randperm")
    )


@NOTES.rule(
    "frozen-embedding", "warning", "an optimizer is given an embedding that from_pretrained() froze",
    "{at}: from_pretrained() freezes its weight, unless it gets freeze=False. So {text}, which an optimizer is given, never learns.",
    "Write {code}.",
    EMBEDDING % "",
    EMBEDDING % ", freeze=False",
)  # fmt: skip
def frozen_embedding(log: Log) -> Iterator[dict]:
    """`nn.Embedding.from_pretrained(vectors)`, of which an optimizer gets the parameters by name, and nothing ever sets requires_grad."""
    if any("requires_grad" in ast.unparse(n) for _, tree in log.code for n in tree.body):
        return
    calls = [
        ast.unparse(n)
        for _, n in _statements(log, ast.Call)
        if "optim" in ast.unparse(n.func) or ast.unparse(n.func).startswith(("SGD", "Adam"))
    ]
    for source, node in _statements(log, ast.Assign):
        made, target = node.value, node.targets[0]
        if not (
            isinstance(made, ast.Call)
            and re.search(r"Embedding\w*\.from_pretrained$", ast.unparse(made.func))
        ):
            continue
        name = ast.unparse(target).removeprefix("self.")
        given = next(
            (
                m[0]
                for c in calls
                if (m := re.search(rf"(?:\w+\.)*\b{re.escape(name)}\.(?:parameters\(\)|weight)", c))
            ),
            None,
        )
        if (
            given is not None
            and len(made.args) < 2
            and not any(k.arg in ("freeze", None) for k in made.keywords)
        ):
            code = Code.of_log(log, source)
            new = f"{code.text(made)[:-1].rstrip().removesuffix(',')}, freeze=False)"
            yield _case(log, source, node, given, code=new) | {"edits": [code.replaced(made, new)]}


@NOTES.rule(
    "forward-past-hooks", "warning", "forward() of a module with hooks is called",
    "{at}: {text} bypasses the hooks of {owner}, which run only when {owner} itself is called.",
    "Write {owner}(...).",
    """
net = jgrad.nn.Linear(2, 1)
net.register_forward_hook(lambda module, inputs, output: print(output.shape))
y = net.forward(jgrad.ones(1, 2))
""",
    """
net = jgrad.nn.Linear(2, 1)
net.register_forward_hook(lambda module, inputs, output: print(output.shape))
y = net(jgrad.ones(1, 2))
""",
)  # fmt: skip
def forward_past_hooks(log: Log) -> Iterator[dict]:
    """`net.forward(x)` of a module that has hooks."""
    calls = [(k, n.func) for k, n in _statements(log, ast.Call) if isinstance(n.func, ast.Attribute)]
    hooked = {ast.unparse(f.value) for _, f in calls if f.attr in HOOKS}
    for source, f in calls:
        owner = ast.unparse(f.value)
        if f.attr == "forward" and owner in hooked:
            edits = [Code.of_log(log, source).replaced(f, owner)]
            yield _case(log, source, f, f"{owner}.forward()", owner=owner) | {"edits": edits}


@NOTES.rule(
    "result-thrown-away", "warning", "the result of detach(), relu() or the like is not used",
    "{at}: {text} returns a new tensor that no variable keeps, and {owner} {stays}.",
    "Write {owner} = {text}{but}.",
    CARRIED.format("h.detach()"),
    "w = jgrad.ones(1, requires_grad=True)\nh = w * 2\nh = h.detach()\nloss = (w * h * 3).sum()\nloss.backward()",
)  # fmt: skip
def result_thrown_away(log: Log) -> Iterator[dict]:
    """`h.detach()` by itself, which at the end of a cell is shown; or `relu(h)` in a function that goes on with h."""
    for source, node in _statements(log, ast.Expr):
        called = node.value.func if isinstance(node.value, ast.Call) else None
        if not isinstance(called, ast.Attribute):
            continue
        text = ast.unparse(node)
        if called.attr == "detach" and (source is not None or node.lineno != log.tree.body[-1].lineno):
            owner = ast.unparse(called.value)
            but = f" if {owner} should send no gradient, or leave the line out"
            yield _case(log, source, node, text, owner=owner, stays="still has its history", but=but)
        elif owner := _read_later(log, source, node, called):
            kept = _edit(log, source, node, f"{owner} = {text}")
            yield _case(log, source, node, text, owner=owner, stays="stays as it was", but="") | kept


def _read_later(log: Log, source: int | None, node: ast.Expr, called: ast.Attribute) -> str:
    """The variable that a statement as `F.relu(h)`, `self.relu(h)` or `h.relu()` computes something of, if its function reads it afterwards; nothing for others, and for
    one that writes to it, as a layer with inplace=True does."""
    assert isinstance(node.value, ast.Call)
    given = [called.value, *node.value.args[:1]]
    own = [n.id for n in given if isinstance(n, ast.Name) and n.id not in ("F", "torch", "jgrad", "self")]
    tree = next(tree for number, tree in log.code if number == source)
    functions = around(tree, node.lineno, ast.FunctionDef)
    if called.attr not in NEW or len(own) != 1 or not functions or not _only_makes(log, source, node):
        return ""
    later = (
        n for n in ast.walk(functions[-1]) if isinstance(n, ast.Name) and n.lineno > (node.end_lineno or 0)
    )
    first = min(
        (n for n in later if n.id == own[0]),
        key=lambda n: (n.lineno, isinstance(n.ctx, ast.Store)),
        default=None,
    )
    return own[0] if first is not None and isinstance(first.ctx, ast.Load) else ""


def _only_makes(log: Log, source: int | None, node: ast.stmt) -> bool:
    """Whether a statement was seen to make tensors, and to write to none."""
    lines = [(source, line) for line in range(node.lineno, (node.end_lineno or 0) + 1)]
    steps = [step for step in log.steps if log.places.line(step) in lines]
    return any(step.get("makes") for step in steps) and not any(step.get("writes") for step in steps)


@NOTES.rule(
    "backward-after-loop", "warning", "backward() stands after the loop instead of inside it",
    "{at}: {text} stands after the loop, so only the {name} of the last round gets a gradient.",
    "Indent it, and what follows it, so that each round of the loop runs it.",
    """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = (w * i).sum()
loss.backward()
opt.step()
""",
    """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = (w * i).sum()
    loss.backward()
    opt.step()
""",
)  # fmt: skip
def backward_after_loop(log: Log) -> Iterator[dict]:
    """A loop clears gradients and computes a loss anew in each round; backward() runs only from the last one."""
    for source, tree in log.code:
        for block in [
            body
            for node in ast.walk(tree)
            if (body := getattr(node, "body", None)) and isinstance(body, list)
        ]:
            for loop, after in pairwise(block):
                call = after.value if isinstance(after, ast.Expr) else None
                if not isinstance(loop, (ast.For, ast.While)) or not isinstance(call, ast.Call):
                    continue
                called, inner = call.func, [*ast.walk(loop)]
                if (
                    not isinstance(called, ast.Attribute)
                    or called.attr != "backward"
                    or not isinstance(called.value, ast.Name)
                ):
                    continue
                name = called.value.id
                anew = any(
                    isinstance(n, ast.Assign) and name in map(ast.unparse, n.targets)
                    and not any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(n.value))
                    for n in loop.body
                )  # fmt: skip
                methods = {
                    n.func.attr
                    for n in inner
                    if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
                }
                if anew and "zero_grad" in methods and not methods & {"backward", "step"}:
                    yield _case(log, source, after, ast.unparse(after), name=name)


@NOTES.rule(
    "layer-repeated", "info", "a list repeats one layer or model, so all its entries share their parameters",
    "{at}: {text} has one {kind} several times, so its entries share their parameters.",
    "For entries of their own write {instead}.",
    "net = jgrad.nn.Sequential(*[jgrad.nn.Linear(2, 2)] * 3)\nnet(jgrad.ones(1, 2)).sum().backward()",
    "net = jgrad.nn.Sequential(*[jgrad.nn.Linear(2, 2) for _ in range(3)])\nnet(jgrad.ones(1, 2)).sum().backward()",
)  # fmt: skip
def layer_repeated(log: Log) -> Iterator[dict]:
    """`[nn.Linear(2, 2)] * 3`, or `[Net()] * 3`: what is made once stands there three times."""
    models = {
        node.name
        for _, node in _statements(log, ast.ClassDef)
        if any(ast.unparse(base).endswith("Module") for base in node.bases)
    }
    for source in (None, *range(len(log.places.sources))):
        code = Code.of_log(log, source)
        for node in [
            n for n in ast.walk(code.tree) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult)
        ]:
            one = node.left.elts[0] if isinstance(node.left, ast.List) and len(node.left.elts) == 1 else None
            kind = ast.unparse(one.func) if isinstance(one, ast.Call) else ""
            if one is not None and (kind in models or LAYER.search(kind)):
                statement = code.statement_at(node.lineno)
                instead = f"[{code.text(one)} for _ in range({code.text(node.right)})]"
                if statement is not None:
                    yield _case(log, source, statement, code.text(node), kind=kind.rpartition(".")[2]) | {
                        "instead": instead,
                        "edits": [code.replaced(node, instead)],
                    }


SAMPLED = """
net = jgrad.nn.Linear(2, 3)
def act(state):
    dist = jgrad.distributions.Categorical(logits=net(state))
    action = dist.sample()
    return action, dist.log_prob(%s)

action, log_prob = act(jgrad.ones(2))
(-log_prob).backward()
"""


@NOTES.rule(
    "log-prob-of-other-sample", "warning", "log_prob() gets another sample than the one that is used",
    "{at}: {text} draws a second sample. So the gradient is that of an action that was not taken.",
    "Pass the first one: {instead}.",
    SAMPLED % "dist.sample()",
    SAMPLED % "action",
)  # fmt: skip
def log_prob_of_other_sample(log: Log) -> Iterator[dict]:
    """`dist.log_prob(dist.sample())` in a function that also assigns `dist.sample()`, or its number, to a variable."""
    for source, function in _statements(log, ast.FunctionDef):
        code = Code.of_log(log, source)
        for call in (n for n in ast.walk(function) if isinstance(n, ast.Call) and len(n.args) == 1):
            drawn = ast.unparse(call.args[0])
            if ast.unparse(call.func).removesuffix("log_prob") + "sample()" != drawn:
                continue
            kept = {
                ast.unparse(s.targets[0]): ast.unparse(s.value).removeprefix(drawn)
                for s in ast.walk(function)
                if isinstance(s, ast.Assign) and ast.unparse(s.value) in (drawn, f"{drawn}.item()")
            }
            known = {ast.unparse(n) for n in ast.walk(function) if isinstance(n, ast.Call)}
            for name, rest in [*kept.items()][:1]:
                if f"{ast.unparse(call.func)}({name})" in known:
                    continue  # the second sample is for something else, as for an entropy
                action = f"{library(code)}.tensor({name})" if rest else name
                yield _case(log, source, call, code.text(call)) | {
                    "instead": f"{code.text(call.func)}({action})",
                    "edits": [code.replaced(call.args[0], action)],
                }


def _is_module(log: Log, source: int | None, owner: ast.expr) -> bool:
    """Whether a name means a module: one that was called is called so, or it stands for one layer after the other in a loop, or is an argument
    that is a module wherever the function is called, also one that is made there."""
    if isinstance(owner, ast.Call):
        return ast.unparse(owner.func) in {layer["type"] for layer in log.document.get("layers", ())}
    text = ast.unparse(owner).removeprefix("self.")
    given = _given(log, source, owner)
    if given:
        return all(_is_module(log, where, argument) for where, argument in given)
    named = [layer["name"] for layer in log.document.get("layers", ())]
    if any(
        name == text or (isinstance(owner, ast.Attribute) and name.endswith(f".{text}")) for name in named
    ):
        return not any(t["is_leaf"] and name_at(t, len(log.steps)) == text for t in log.tensors)
    tree = next(tree for number, tree in log.code if number == source)
    loops = [n for n in ast.walk(tree) if isinstance(n, ast.For) and ast.unparse(n.target) == text]
    return any(re.search(r"\.(?:children|modules)\(\)$", ast.unparse(n.iter)) for n in loops)


def _given(log: Log, source: int | None, owner: ast.expr) -> list[tuple[int | None, ast.expr]]:
    """What the function around a name is given for it, if it is a parameter: (source, argument) of each call."""
    tree = next(tree for number, tree in log.code if number == source)
    function = next(reversed(around(tree, owner.lineno, ast.FunctionDef)), None)
    names = [] if function is None else [a.arg for a in function.args.args if a.arg != "self"]
    if function is None or not isinstance(owner, ast.Name) or owner.id not in names:
        return []
    place, found = names.index(owner.id), []
    for number, other in log.code:
        for call in [n for n in ast.walk(other) if isinstance(n, ast.Call)]:
            if ast.unparse(call.func).rpartition(".")[2] == function.name:
                found += [(number, a) for a in call.args[place : place + 1]]
                found += [(number, k.value) for k in call.keywords if k.arg == owner.id]
    return found


def _statements(log: Log, kind: type) -> list[tuple[int | None, Any]]:
    """The statements, or other nodes, of a kind in the code that ran, with the source that they are in."""
    return [(source, node) for source, tree in log.code for node in ast.walk(tree) if isinstance(node, kind)]


def _edit(log: Log, source: int | None, node: ast.stmt, text: str) -> dict:
    """The blank of an edit that writes another statement."""
    return {"edits": [Code.of_log(log, source).replaced(node, text)]}


def _case(log: Log, source: int | None, node: ast.stmt | ast.expr, text: str, **blanks: str) -> dict:
    line = node.lineno
    places = map(log.places.line, log.steps)
    after = [i for i, (where, its) in enumerate(places) if where == source and (its or 0) >= line]
    at = log.places.of_line(line) if source is None else f"{log.places.sources[source]['name']}, line {line}"
    return {
        "step": min(after, default=-1),
        "tensors": [],
        "lines": [line] if source is None else log.lines(*after[:1]),
        "at": at,
        "text": text,
    } | blanks
