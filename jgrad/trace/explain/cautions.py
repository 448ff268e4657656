"""The rules about warnings, recognised by their words."""

from __future__ import annotations

from jgrad.trace.explain.rule import Rule, told

USER = "UserWarning"

WARNINGS = (
    Rule(
        "grad-of-computed", "warning", "the .grad of a tensor that is not a leaf is read",
        "{lead}only leaves keep their gradient; this tensor was computed, so its .grad stays None.",
        "Call retain_grad() on it before backward(), or read the .grad of the leaf.",
        told,
        """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
y.grad
""", """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.retain_grad()
y.sum().backward()
y.grad
""",
        raised=(USER, r"The \.grad attribute of a Tensor that is not a leaf Tensor is being accessed"),
    ),
    Rule(
        "tensor-of-tensor", "warning", "tensor() is called with a tensor",
        "{lead}tensor(x) of a tensor is a copy without history, which is easily mistaken for one with.",
        "Write x.detach().clone() if that is meant, and x.clone() to stay in the graph.",
        told,
        """
x = jgrad.ones(2, requires_grad=True)
y = jgrad.tensor(x)
""", """
x = jgrad.ones(2, requires_grad=True)
y = x.detach().clone()
""",
        raised=(USER, r"To copy construct from a tensor, it is recommended to use"),
    ),
    Rule(
        "out-resized", "warning", "out= has another shape than the result",
        "{lead}the tensor given as out= had shape {shape} and was resized to {wide}; what looked at its memory before may now look at other memory.",
        "Give an out= of the result's shape, or an empty one.",
        told,
        """
out = jgrad.zeros(2)
jgrad.add(jgrad.ones(3), 1, out=out)
""", """
out = jgrad.zeros(3)
jgrad.add(jgrad.ones(3), 1, out=out)
""",
        raised=(USER, r"An output with one or more elements was resized since it had shape (?P<shape>\[.*?\]), which does not match the "
                      r"required output shape (?P<wide>\[.*?\])"),
    ),
    Rule(
        "create-graph-cycle", "warning", "backward(create_graph=True)",
        "{lead}the .grad will have a history that leads back to its own tensor: a circle, which keeps memory until .grad is set to None.",
        "Use autograd.grad(y, x, create_graph=True), which returns the gradient.",
        told,
        """
x = jgrad.ones(1, requires_grad=True)
(x ** 3).backward(create_graph=True)
""", """
x = jgrad.ones(1, requires_grad=True)
g, = jgrad.autograd.grad(x ** 3, x, create_graph=True)
""",
        raised=(USER, r"Using backward\(\) with create_graph=True will create a reference cycle"),
    ),
    Rule(
        "loss-broadcast", "warning", "a loss is given a target of another shape",
        "{lead}the input has shape {shape}, the target {target}: they are broadcast, so every input is compared with every target.",
        "Bring them to one shape first, with squeeze(1) or view(-1, 1).",
        told,
        """
pred = jgrad.ones(3, 1, requires_grad=True)
target = jgrad.zeros(3)
jgrad.nn.functional.mse_loss(pred, target)
""", """
pred = jgrad.ones(3, 1, requires_grad=True)
target = jgrad.zeros(3)
jgrad.nn.functional.mse_loss(pred.squeeze(1), target)
""",
        raised=(USER, r"Using a target size \(\w+\.Size\((?P<target>.*?)\)\) that is different to the input size \(\w+\.Size\((?P<shape>.*?)\)\)"),
    ),
    Rule(
        "number-of-requiring", "warning", "float() or int() of a tensor that requires grad",
        "{lead}a Python number has no history, so the gradient ends here.",
        "Say that you mean it, with x.detach() or x.item(); to stay in the graph, go on with the tensor.",
        told,
        """
x = jgrad.ones(1, requires_grad=True)
float(x)
""", """
x = jgrad.ones(1, requires_grad=True)
x.item()
""",
        raised=(USER, r"Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior"),
    ),
    Rule(
        "scheduler-before-optimizer", "warning", "the schedule of the learning rate steps before the optimizer did",
        "{lead}scheduler.step() came before optimizer.step(): the first value of the schedule is skipped.",
        "Call optimizer.step() first.",
        told,
        """
w = jgrad.ones(1, requires_grad=True)
optimizer = jgrad.optim.SGD([w], lr=0.1)
scheduler = jgrad.optim.lr_scheduler.StepLR(optimizer, 1)
(w * 2).backward()
scheduler.step()
optimizer.step()
""", """
w = jgrad.ones(1, requires_grad=True)
optimizer = jgrad.optim.SGD([w], lr=0.1)
scheduler = jgrad.optim.lr_scheduler.StepLR(optimizer, 1)
(w * 2).backward()
optimizer.step()
scheduler.step()
""",
        raised=(USER, r"Detected call of `lr_scheduler\.step\(\)` before `optimizer\.step\(\)`"),
    ),
    Rule(
        "clip-of-nothing", "warning", "clip_grad_norm_() is given a generator that was used up",
        "{lead}a generator, as parameters() gives one, can be gone through once; this one had been, so there was nothing to clip.",
        "Call parameters() anew, or keep list(net.parameters()).",
        told,
        """
net = jgrad.nn.Linear(2, 1)
params = net.parameters()
opt = jgrad.optim.SGD(params, lr=0.1)
net(jgrad.ones(1, 2)).sum().backward()
jgrad.nn.utils.clip_grad_norm_(params, 1.0)
""", """
net = jgrad.nn.Linear(2, 1)
params = list(net.parameters())
opt = jgrad.optim.SGD(params, lr=0.1)
net(jgrad.ones(1, 2)).sum().backward()
jgrad.nn.utils.clip_grad_norm_(params, 1.0)
""",
        raised=(USER, r"`parameters` is an empty generator, no gradient clipping will occur"),
    ),
)  # fmt: skip
