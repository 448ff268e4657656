"""The rules about errors of autograd, recognised by their words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad import return_types
from jgrad.tensor import Tensor
from jgrad.trace.document.syntax import numbers_taken, parsed, returns
from jgrad.trace.explain.functions import FUNCTIONS
from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.rule import RUNTIME, Rule, told


def _overwritten(incident: Incident) -> Iterator[dict]:
    yield from incident.overwritten()


def _overwritten_unseen(incident: Incident) -> Iterator[dict]:
    yield from incident.overwritten_unseen()


def _second_time(incident: Incident) -> Iterator[dict]:
    yield incident.freer()


def _second_round(incident: Incident) -> Iterator[dict]:
    freer = incident.freer()
    when = incident.again_in_a_loop(freer["freer"])
    if when:
        yield freer | {"when": when} | incident.carried()


def _no_history(incident: Incident) -> Iterator[dict]:
    yield {"why": incident.why_no_history()}


def _number(incident: Incident) -> Iterator[dict]:
    source = incident.code.split("\n") if incident.log is None else incident.log.source
    names = set(re.findall(r"[A-Za-z_]\w*", "\n".join(source)))
    made = "item(), float() or tolist() made it of a tensor, or nothing here ever was one"
    for line, text in numbers_taken(source, names):
        if re.search(r"\b(?:item|tolist|numpy)\(\)|^(?:float|int)\(", text) and (
            incident.line is None or line <= incident.line
        ):
            made = f"{text} in line {line} made plain numbers of a tensor"
    yield {"made": made}


def _things(incident: Incident) -> Iterator[dict]:
    """backward(), or another method of tensors, of what holds tensors."""
    attribute = incident.missing()
    kind = re.findall(r"'([\w.]+)'", incident.message)[0].rpartition(".")[2]
    named = kind in vars(return_types)
    if (
        attribute is None
        or not hasattr(Tensor, attribute[1])
        or not (named or kind in ("list", "tuple", "dict"))
    ):
        return
    name, method = attribute
    values = f"{name}.values()" if kind == "dict" else name
    repair = f"Join them first, as in jgrad.stack({f'list({values})' if kind == 'dict' else name}), or take one of them."
    if named:
        repair = f"Take one of them by its name, as in {name}.values."
    elif kind == "tuple":
        repair = f"Take one of them, as in {name}[0], or give each a name: out, state = rnn(x)."
    elif method == "backward":
        repair = f"Call backward() of their sum, as in sum({values}).backward()."
    yield {
        "name": name,
        "kind": f"named tuple ({kind})" if named else kind,
        "method": method,
        "repair": repair,
    }


def _nothing(incident: Incident) -> Iterator[dict]:
    """A method of what a function that has no return was to give."""
    attribute = incident.missing()
    if attribute is None:
        return
    tree = parsed(incident.code.split("\n") if incident.log is None else incident.log.source)
    given = [
        n.value.func.id for n in ast.walk(tree)
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and isinstance(n.value.func, ast.Name)
        and attribute[0] in [ast.unparse(t) for t in n.targets]
    ]  # fmt: skip
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in given and not returns(function):
            yield {"name": attribute[0], "function": function.name, "line": function.lineno}
            return


def _uncalled(incident: Incident) -> Iterator[dict]:
    attribute = incident.missing()
    if attribute is not None:
        yield {"name": attribute[0]}


def _size_of_hooked(incident: Incident) -> Iterator[dict]:
    yield {"words": "the size" if "size" in incident.message else "the dtype"}


def _none_grad(incident: Incident) -> Iterator[dict]:
    for name in incident.none_grads():
        clearing = re.search(rf"{re.escape(name)}\.grad(?:\.data)?\.(?:zero_|fill_)\(", incident.failing())
        repair = f" Write {name}.grad = None, which clears it whether it is there or not." if clearing else ""
        yield {"name": name, "why": incident.why_none(name).rstrip() + repair}
        return


def _of_grad(incident: Incident) -> Iterator[dict]:
    source = incident.code if incident.log is None else "\n".join(incident.log.source)
    if "autograd.grad(" in source:
        yield {}


ERRORS = (
    Rule(
        "saved-overwritten", "error", "backward() finds that a tensor it saved was written to in place",
        "{saver} saved {name} (version {saved}) for {node}; {writer} wrote to it{through} (version {now}), so its gradient can no "
        "longer be computed.",
        "{repair}",
        _overwritten,
        """
x = jgrad.ones(3, requires_grad=True)
y = x * 2
z = y * y
y.mul_(2)
z.sum().backward()
""", """
x = jgrad.ones(3, requires_grad=True)
y = x * 2
z = y * y
y = y * 2
z.sum().backward()
""",
        raised=(RUNTIME, r"modified by an inplace operation"),
    ),
    Rule(
        "saved-overwritten-unseen", "error", "the same, and no trace saw who wrote",
        "{lead}{node} needs {what}, but it was written to in place since{now}{suspect}.",
        "Write to {copy}, or use the operation that makes a new tensor; %%trace in the first line of the cell names both lines.",
        _overwritten_unseen,
        raised=(RUNTIME, r"modified by an inplace operation"),
    ),
    Rule(
        "second-round", "error", "backward() runs in a loop through what an earlier round computed",
        "{lead}backward freed the saved tensors {when} and needs them again: {what}.",
        "{repair}",
        _second_round,
        """
w = jgrad.ones(2, requires_grad=True)
h = jgrad.zeros(2)
for i in range(2):
    h = jgrad.tanh(h + w * w)
    h.sum().backward()
    w.grad = None
""", """
w = jgrad.ones(2, requires_grad=True)
h = jgrad.zeros(2)
for i in range(2):
    h = jgrad.tanh(h.detach() + w * w)
    h.sum().backward()
    w.grad = None
""",
        raised=(RUNTIME, r"Trying to backward through the graph a second time"),
    ),
    Rule(
        "second-backward", "error", "backward() runs again through a graph whose saved tensors were freed",
        "{freer} ran backward and freed the saved tensors{of}; {at} needs them again.",
        "{repair}",
        _second_time,
        """
x = jgrad.ones(2, requires_grad=True)
y = (x * x).sum()
y.backward()
y.backward()
""", """
x = jgrad.ones(2, requires_grad=True)
y = (x * x).sum()
y.backward(retain_graph=True)
y.backward()
""",
        raised=(RUNTIME, r"Trying to backward through the graph a second time"),
    ),
    Rule(
        "root-without-history", "error", "backward() starts at a tensor without grad_fn",
        "{lead}backward starts at a tensor that has no grad_fn and does not require grad: {why}",
        "",
        _no_history,
        """
w = jgrad.ones(1, requires_grad=True)
y = (w * 2).detach()
loss = y * 3
loss.backward()
""", """
w = jgrad.ones(1, requires_grad=True)
y = w * 2
loss = y * 3
loss.backward()
""",
        raised=(RUNTIME, r"element \d+ of tensors does not require grad and does not have a grad_fn"),
    ),
    Rule(
        "root-not-scalar", "error", "backward() starts at a tensor of several elements",
        "{lead}backward starts at a tensor of several elements.",
        "Reduce it first, as in .sum().backward(), or pass gradient=.",
        told,
        """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.backward()
""", """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
""",
        raised=(RUNTIME, r"grad can be implicitly created only for"),
    ),
    Rule(
        "gradient-shape", "error", "the gradient= given to backward() has another shape than the tensor it starts at",
        "{lead}the gradient to start with has shape {given}, the tensor has shape {shape}: one number for each element is needed.",
        "Pass jgrad.ones_like(...) of the tensor, or the weights of its elements.",
        told,
        """
x = jgrad.ones(3, requires_grad=True)
y = x * 2
y.backward(jgrad.ones(2))
""", """
x = jgrad.ones(3, requires_grad=True)
y = x * 2
y.backward(jgrad.ones_like(y))
""",
        raised=(RUNTIME, r"Mismatch in shape: grad_output\[\d+\] has a shape of \w+\.Size\((?P<given>.*?)\) and output\[\d+\] has a shape "
                         r"of \w+\.Size\((?P<shape>.*?)\)"),
    ),
    Rule(
        "input-unused", "error", "autograd.grad() is asked about a tensor that the result was not computed from",
        "{lead}the result was not computed from input {index} in a way that the graph knows.",
        "Differentiate by the very tensor that was used (not by a copy or a part of it made since), or pass allow_unused=True to get None.",
        told,
        """
w = jgrad.ones(1, requires_grad=True)
b = jgrad.ones(1, requires_grad=True)
y = w * 2
jgrad.autograd.grad(y, [w, b])
""", """
w = jgrad.ones(1, requires_grad=True)
b = jgrad.ones(1, requires_grad=True)
y = w * 2
jgrad.autograd.grad(y, [w, b], allow_unused=True)
""",
        raised=(RUNTIME, r"The differentiated Tensor at index (?P<index>\d+) appears to not have been used in the graph"),
    ),
    Rule(
        "input-without-grad", "error", "autograd.grad() is asked about a tensor that does not require grad",
        "{lead}one of the tensors to differentiate by does not require grad, so nothing was recorded for it.",
        "Call requires_grad_() on it before the result is computed.",
        told,
        """
w = jgrad.ones(1, requires_grad=True)
x = jgrad.ones(1)
y = w * x
jgrad.autograd.grad(y, x)
""", """
w = jgrad.ones(1, requires_grad=True)
x = jgrad.ones(1).requires_grad_()
y = w * x
jgrad.autograd.grad(y, x)
""",
        raised=(RUNTIME, r"One of the differentiated Tensors does not require grad"),
    ),
    Rule(
        "leaf-inplace", "error", "an in-place operation meets a leaf that requires grad",
        "{lead}{what} writes in place to a leaf that requires grad, while autograd records.",
        "Write inside `with jgrad.no_grad():`, or to a clone().",
        told,
        """
w = jgrad.ones(2, requires_grad=True)
w.add_(1)
""", """
w = jgrad.ones(2, requires_grad=True)
with jgrad.no_grad():
    w.add_(1)
""",
        raised=(RUNTIME, r"^a leaf Variable that requires grad is being used in an in-place operation"),
    ),
    Rule(
        "leaf-view-inplace", "error", "an in-place operation meets a view of a leaf that requires grad",
        "{lead}{what} writes in place to a part of a leaf that requires grad, while autograd records.",
        "Write inside `with jgrad.no_grad():`, or to a clone() of the leaf.",
        told,
        """
w = jgrad.ones(3, requires_grad=True)
w[0] = 5
""", """
w = jgrad.ones(3, requires_grad=True)
with jgrad.no_grad():
    w[0] = 5
""",
        raised=(RUNTIME, r"a view of a leaf Variable that requires grad is being used in an in-place operation"),
    ),
    Rule(
        "flag-of-computed", "error", "requires_grad is switched off on a tensor that was computed",
        "{lead}only a leaf has a requires_grad of its own; that of a computed tensor follows from what it was computed from.",
        "Take x.detach() and go on with that.",
        told,
        """
x = jgrad.ones(1, requires_grad=True)
y = x * 2
y.requires_grad = False
""", """
x = jgrad.ones(1, requires_grad=True)
y = x * 2
y = y.detach()
""",
        raised=(RUNTIME, r"you can only change requires_grad flags of leaf variables"),
    ),
    Rule(
        "dtype-without-gradient", "error", "a tensor of whole numbers or bools is to require grad",
        "{lead}a gradient says how a result changes when an input changes a little, which whole numbers and bools can't.",
        "Make the tensor with a floating point: write 1. for 1, or pass dtype=jgrad.float32.",
        told,
        """
w = jgrad.tensor([1, 2, 3], requires_grad=True)
""", """
w = jgrad.tensor([1., 2., 3.], requires_grad=True)
""",
        raised=(RUNTIME, r"(?i)only Tensors of floating point (and complex )?dtype can require gradients"),
    ),
    Rule(
        "out-with-gradient", "error", "out= is used where a gradient would be recorded",
        "{lead}out= writes into a tensor that is there already, and {op} keeps no record of that; but one of its arguments requires grad.",
        "Use the value that the call returns, or compute inside `with jgrad.no_grad():`.",
        told,
        """
w = jgrad.ones(2, requires_grad=True)
out = jgrad.zeros(2)
jgrad.add(w, 1, out=out)
""", """
w = jgrad.ones(2, requires_grad=True)
out = jgrad.add(w, 1)
""",
        raised=(RUNTIME, r"(?P<op>\w+)\(\): functions with out=\.\.\. arguments don't support automatic differentiation"),
    ),
    Rule(
        "view-of-several-inplace", "error", "one of several views that came out of one operation is written to in place",
        "{lead}{op}() gave several views at once, and autograd can't tell what a write to one of them does to the others.",
        "Write to a clone() of it, or take the part by itself, as in x[:2].",
        told,
        """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
a, b = y.split(2)
a.mul_(3)
""", """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
a = y[:2]
a.mul_(3)
""",
        raised=(RUNTIME, r"Output \d+ of (?P<op>\w+?)(?:Backward\d*)? is a view and is being modified inplace\. This view is the output of a "
                         r"function that returns multiple views"),
    ),
    Rule(
        "view-spoilt", "error", "a view is used after a write to its base that autograd can't follow into the view",
        "{lead}this needs the history of a view whose base, or another view of that, was written to in place since: autograd can't tell "
        "what became of it.",
        "Make the view after the write, or write out of place.",
        told,
        """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
a, b = y.split(2)
y.mul_(3)
a.sum().backward()
""", """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
y.mul_(3)
a, b = y.split(2)
a.sum().backward()
""",
        raised=(RUNTIME, r"and its base or another view of its base has been modified inplace"),
    ),
    Rule(
        "view-under-no-grad-inplace", "error", "a view made under no_grad() is written to in place with a gradient",
        "{lead}the view was made under no_grad(), where nothing is recorded, so autograd can't follow a write through it.",
        "Make the view outside of no_grad(), or write under no_grad() too.",
        told,
        """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
with jgrad.no_grad():
    v = y[:2]
v.mul_(3)
""", """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
v = y[:2]
v.mul_(3)
""",
        raised=(RUNTIME, r"A view was created in no_grad mode and is being modified inplace with grad mode enabled"),
    ),
    Rule(
        "hooked-module-inplace", "error", "the result of a module with a full backward hook is written to in place",
        "{lead}a module with register_full_backward_hook() hands its result on as a view that watches for the gradient, and a write in place to "
        "that would get around the hook.",
        "Leave inplace=True out of what comes after the module, or write to a clone() of what it returned.",
        told,
        """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 2), jgrad.nn.ReLU(inplace=True))
net[0].register_full_backward_hook(lambda module, before, after: None)
net(jgrad.ones(1, 2))
""", """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 2), jgrad.nn.ReLU())
net[0].register_full_backward_hook(lambda module, before, after: None)
net(jgrad.ones(1, 2))
""",
        raised=(RUNTIME, r"Output \d+ of BackwardHookFunction\w* is a view and is being modified inplace"),
    ),
    Rule(
        "view-of-function-inplace", "error", "a view that a custom Function returned is written to in place",
        "{lead}{op} returned a view of its input, and a write to it would put another derivative in the place of the one that {op} has.",
        "Write to a clone() of what it returned.",
        told,
        """
class Same(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad

x = jgrad.ones(2, requires_grad=True)
y = Same.apply(x * 1)
y.add_(1)
""", """
class Same(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad

x = jgrad.ones(2, requires_grad=True)
y = Same.apply(x * 1).clone()
y.add_(1)
""",
        raised=(RUNTIME, r"Output \d+ of (?P<op>\w+?)(?:Backward\d*)? is a view and is being modified inplace\. This view was created inside "
                         r"a custom Function"),
    ),
    Rule(
        "inference-inplace", "error", "a tensor of inference_mode() is written to outside of it",
        "{lead}the tensor was made under inference_mode(), which keeps neither a history nor a version counter for it.",
        "Write to a clone(), which is an ordinary tensor, or make it under no_grad() instead.",
        told,
        """
with jgrad.inference_mode():
    x = jgrad.ones(2)
x.add_(1)
""", """
with jgrad.no_grad():
    x = jgrad.ones(2)
x.add_(1)
""",
        raised=(RUNTIME, r"Inplace update to inference tensor outside InferenceMode is not allowed"),
    ),
    Rule(
        "inference-saved", "error", "a tensor of inference_mode() is used where autograd would save it",
        "{lead}backward would need a tensor that was made under inference_mode(), which nothing keeps watch over.",
        "Use its clone(), or make it under no_grad() instead.",
        told,
        """
with jgrad.inference_mode():
    x = jgrad.ones(2)
w = jgrad.ones(2, requires_grad=True)
w * x
""", """
with jgrad.no_grad():
    x = jgrad.ones(2)
w = jgrad.ones(2, requires_grad=True)
w * x
""",
        raised=(RUNTIME, r"Inference tensors cannot be saved for backward"),
    ),
    Rule(
        "inference-asked", "error", "requires_grad_() of a tensor of inference_mode()",
        "{lead}a tensor that was made under inference_mode() never takes part in autograd.",
        "Use its clone(), or make it under no_grad() instead.",
        told,
        """
with jgrad.inference_mode():
    x = jgrad.ones(2)
x.requires_grad_()
""", """
with jgrad.no_grad():
    x = jgrad.ones(2)
x.requires_grad_()
""",
        raised=(RUNTIME, r"Setting requires_grad=True on inference tensor outside InferenceMode is not allowed"),
    ),
    Rule(
        "nothing-to-clip", "error", "clip_grad_value_() is called while no gradient is there",
        "{lead}the .grad of every parameter is None, and clip_grad_value_() stumbles over that.",
        "Call it after backward() and before step().",
        told,
        """
w = jgrad.ones(2, requires_grad=True)
loss = (w * 5).sum()
jgrad.nn.utils.clip_grad_value_([w], 1.0)
loss.backward()
""", """
w = jgrad.ones(2, requires_grad=True)
loss = (w * 5).sum()
loss.backward()
jgrad.nn.utils.clip_grad_value_([w], 1.0)
""",
        raised=(RUNTIME, r"Expected !nested_tensorlist\[0\]\.empty\(\) to be true"),
    ),
    Rule(
        "tuple-of-gradients", "error", "what autograd.grad() returns is used as if it were one tensor",
        "{lead}autograd.grad() returns a tuple, a gradient for each input, also for a single one.",
        "Unpack it, as in g, = jgrad.autograd.grad(y, x).",
        _of_grad,
        """
x = jgrad.ones(2, requires_grad=True)
g = jgrad.autograd.grad((x * x).sum(), x)
g.sum()
""", """
x = jgrad.ones(2, requires_grad=True)
g, = jgrad.autograd.grad((x * x).sum(), x)
g.sum()
""",
        raised=("AttributeError|TypeError", r"'tuple'"),
    ),
    *FUNCTIONS,
    Rule(
        "assigned-grad-shape", "error", "a tensor of another shape is assigned to .grad",
        "{lead}the tensor has shape {shape}, what is assigned {given}: a gradient has one number for each element of its tensor.",
        "Assign a tensor of the same shape, as jgrad.zeros_like(w).",
        told,
        """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(2)
""", """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3)
""",
        raised=(RUNTIME, r"attempting to assign a gradient of size '(?P<given>.*?)' to a tensor of size '(?P<shape>.*?)'"),
    ),
    Rule(
        "assigned-grad-dtype", "error", "a tensor of another dtype is assigned to .grad",
        "{lead}a .grad has the dtype of its tensor, which is {dtype} here; what is assigned is {given}.",
        "Convert it first, as in w.grad = g.to(w.dtype).",
        told,
        """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3, dtype=jgrad.float64)
""", """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3, dtype=jgrad.float64).to(w.dtype)
""",
        raised=(RUNTIME, r"attempting to assign a gradient with dtype '(?P<given>\w+)' to a tensor with grad_dtype '(?P<dtype>\w+)'"),
    ),
    Rule(
        "things-without-backward", "error", "a list or tuple of tensors is used as if it were one tensor",
        "{lead}{name} is a {kind}, which has no {method}(); the tensors in it have.",
        "{repair}",
        _things,
        """
w = jgrad.ones(1, requires_grad=True)
losses = [w * 2, w * 3]
losses.backward()
""", """
w = jgrad.ones(1, requires_grad=True)
losses = [w * 2, w * 3]
sum(losses).backward()
""",
        raised=("AttributeError", r"'[\w.]+' object has no attribute"),
    ),
    Rule(
        "nothing-returned", "error", "a function that was to compute something has no return",
        "{lead}{name} is None, since {function} (line {line}) returns nothing.",
        "End it with return and what it computed.",
        _nothing,
        """
def loss_of(y):
    (y * y).sum()

w = jgrad.ones(2, requires_grad=True)
loss = loss_of(w * 2)
loss.backward()
""", """
def loss_of(y):
    return (y * y).sum()

w = jgrad.ones(2, requires_grad=True)
loss = loss_of(w * 2)
loss.backward()
""",
        raised=("AttributeError", r"'NoneType' object has no attribute"),
    ),
    Rule(
        "method-without-backward", "error", "backward() of a method or a loss that was not called",
        "{lead}backward() is called of {name}, which is no tensor but something to be called.",
        "Call it first: x.mean() for x.mean, criterion(output, target) for criterion.",
        _uncalled,
        """
w = jgrad.ones(2, requires_grad=True)
criterion = jgrad.nn.MSELoss()
criterion.backward()
""", """
w = jgrad.ones(2, requires_grad=True)
criterion = jgrad.nn.MSELoss()
criterion(w, jgrad.zeros(2)).backward()
""",
        raised=("AttributeError", r"'(?:function|method|builtin_function_or_method|\w+Loss)' object has no attribute 'backward'"),
    ),
    Rule(
        "hook-changes-shape", "error", "a hook returns something of another size or dtype than the gradient",
        "{lead}what a hook returns takes the place of the gradient it was given, and this one changed {words} of it.",
        "Return a tensor of the shape and dtype of what it gets, or nothing, to leave the gradient as it is.",
        _size_of_hooked,
        """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad.norm())
(x * 2).sum().backward()
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad / grad.norm())
(x * 2).sum().backward()
""",
        raised=(RUNTIME, r"hook '.*' has changed the (?:size|type) of value"),
    ),
    Rule(
        "hook-returns-no-tensor", "error", "a hook returns something that is no tensor",
        "{lead}what a hook returns takes the place of the gradient it was given, and this one returned something of type {kind}.",
        "Return a tensor, or nothing, to leave the gradient as it is.",
        told,
        """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: 0)
(x * 2).sum().backward()
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad * 0)
(x * 2).sum().backward()
""",
        raised=("TypeError", r"expected Variable, but hook returned '(?P<kind>[\w.]+)'"),
    ),
    Rule(
        "number-without-backward", "error", "backward() of a plain number",
        "{lead}backward() is called of a plain number ({kind}), which has no history: {made}.",
        "Call backward() of the tensor itself, and item() only to show its value.",
        _number,
        """
w = jgrad.ones(1, requires_grad=True)
loss = (w * 2).item()
loss.backward()
""", """
w = jgrad.ones(1, requires_grad=True)
loss = w * 2
loss.backward()
""",
        raised=("AttributeError", r"'(?P<kind>float|int|complex|bool|numpy\.\w+)' object has no attribute 'backward'"),
    ),
    Rule(
        "step-without-closure", "error", "LBFGS makes a step without a closure",
        "{lead}LBFGS looks at the loss several times in one step, so it has to be able to compute it.",
        "Give step() a function that clears the gradients, computes the loss, runs backward() and returns the loss.",
        told,
        """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.LBFGS([w])
(w * w).sum().backward()
opt.step()
""", """
w = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.LBFGS([w])
def closure():
    opt.zero_grad()
    loss = (w * w).sum()
    loss.backward()
    return loss
opt.step(closure)
""",
        raised=("TypeError", r"step\(\) missing 1 required positional argument: 'closure'"),
    ),
    Rule(
        "nothing-to-optimize", "error", "an optimizer is given no parameters",
        "{lead}the optimizer found nothing that it could change: the module has no parameters, or they lie where it does not see them, as "
        "layers in a plain list do, or parameters() was used up before.",
        "Put layers into jgrad.nn.ModuleList or Sequential, and tensors into jgrad.nn.Parameter.",
        told,
        """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [jgrad.nn.Linear(2, 2)]

jgrad.optim.SGD(Net().parameters(), lr=0.1)
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = jgrad.nn.ModuleList([jgrad.nn.Linear(2, 2)])

jgrad.optim.SGD(Net().parameters(), lr=0.1)
""",
        raised=("ValueError", r"optimizer got an empty parameter list"),
    ),
    Rule(
        "retain-without-grad", "error", "retain_grad() of a tensor that does not require grad",
        "{lead}this tensor does not require grad, so no gradient will come by that could be kept.",
        "Call requires_grad_() on it, or see that it is computed from something that requires grad.",
        told,
        """
x = jgrad.ones(2)
x.retain_grad()
""", """
x = jgrad.ones(2, requires_grad=True)
x.retain_grad()
""",
        raised=(RUNTIME, r"can't retain_grad on Tensor that has requires_grad=False"),
    ),
    Rule(
        "hook-without-grad", "error", "register_hook() of a tensor that does not require grad",
        "{lead}this tensor does not require grad, so no gradient will come by that could call the hook.",
        "Call requires_grad_() on it, or see that it is computed from something that requires grad.",
        told,
        """
x = jgrad.ones(2)
x.register_hook(print)
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(print)
""",
        raised=(RUNTIME, r"cannot register a hook on a tensor that doesn't require gradient"),
    ),
    Rule(
        "optimize-non-leaf", "error", "an optimizer is given a tensor that was computed",
        "{lead}an optimizer changes leaves; this tensor was computed from others, and the next forward pass would compute it again.",
        "Give it the leaves, or make this one a leaf with .detach().requires_grad_().",
        told,
        """
w = jgrad.ones(2, requires_grad=True) * 0.1
jgrad.optim.SGD([w], lr=0.1)
""", """
w = (jgrad.ones(2) * 0.1).requires_grad_()
jgrad.optim.SGD([w], lr=0.1)
""",
        raised=("ValueError", r"can't optimize a non-leaf Tensor"),
    ),
    Rule(
        "nan-in-backward", "error", "anomaly detection finds nan in a backward pass",
        "{lead}{node} is the first to make nan in the backward pass.",
        "Keep its input away from where the derivative is infinite or undefined: clamp it, or add a small number before sqrt, log or a division.",
        told,
        """
w = jgrad.zeros(1, requires_grad=True)
with jgrad.autograd.set_detect_anomaly(True):
    (w.sqrt() * 0).backward()
""", """
w = jgrad.zeros(1, requires_grad=True)
with jgrad.autograd.set_detect_anomaly(True):
    ((w + 1e-8).sqrt() * 0).backward()
""",
        raised=(RUNTIME, r"Function '(?P<node>\w+)' returned nan values in its \d+th output"),
    ),
    Rule(
        "none-where-a-gradient-was-meant", "error", "code computes with a .grad that is None",
        "{lead}{name}.grad is None there: {why}",
        "",
        _none_grad,
        """
w = jgrad.ones(1, requires_grad=True)
for i in range(2):
    loss = (w * 3).sum()
    loss.backward()
    w = w - 0.1 * w.grad
""", """
w = jgrad.ones(1, requires_grad=True)
for i in range(2):
    loss = (w * 3).sum()
    loss.backward()
    with jgrad.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
""",
        raised=("TypeError|AttributeError", r"NoneType"),
    ),
    Rule(
        "data-of-another-type", "error", "whole numbers are assigned to the .data of a tensor that requires grad",
        "{lead}the tensor requires grad, which only floating point and complex numbers can.",
        "Convert them first, as in w.data = n.float().",
        told,
        """
w = jgrad.ones(3, requires_grad=True)
w.data = jgrad.tensor([1, 2, 3])
""", """
w = jgrad.ones(3, requires_grad=True)
w.data = jgrad.tensor([1, 2, 3]).float()
""",
        raised=(RUNTIME, r"data set to a tensor that requires gradients must be floating point or complex dtype"),
    ),
    Rule(
        "no-derivative", "error", "backward() comes to an operation that has no derivative",
        "{lead}{op}() has no derivative, so the backward pass ends there with an error.",
        "Take x.detach() where no gradient is wanted, or compute it with operations that have one.",
        told,
        """
x = jgrad.ones(2, requires_grad=True)
y = (x // 2).sum()
y.backward()
""", """
x = jgrad.ones(2, requires_grad=True)
y = (x / 2).floor().sum()
y.backward()
""",
        raised=(RUNTIME, r"derivative for aten::(?P<op>\w+) is not implemented"),
    ),
)  # fmt: skip
