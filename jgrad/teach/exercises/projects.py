"""The three projects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad.teach.exercise import Exercise, is_number, library_of, plain, same
from jgrad.teach.exercises.training import accuracy
from jgrad.teach.running import run

LESSON = "projects"
READS = 0.9
SCORES = 10
STARTS = ([1.0, -2.0], 3.0)  # of the parameters that are trained with Momentum
UNMOVED = "step() moves no parameter. Write into each one, as p -= ... does: p = ... gives the name p to another tensor."
ONCE = "step() moves no parameter. Like `net.parameters()`, what Momentum gets can be gone through only once: keep a list of it."
UNSEEN = (
    "The numbers are right, but autograd did not see the writes: p._version is what it was, as after a write through .data. "
    "If step() is called before backward() by mistake, no error says so. Write to p itself under no_grad()."
)
KEPT = "The losses still require grad, so they keep the graphs of all rounds."
TRAINING = "The net is still in training mode at the end, so its dropout is on when it is used."
CUT = "No gradient arrives at some parameters. Where is the graph cut?"
BATCHES = 28
# Of the epochs of the repaired program, rounded. The random numbers are the same in both libraries.
LOSSES = (56.1, 30.0, 17.3, 12.6, 9.6)


def judge_relu(answer: Any) -> str | None:
    """The learner's function `relu`, on the class `Value` of the project."""
    if not callable(answer):
        return "This is no function. Write `def relu(a): ...`, and give `relu` to check."
    value_class: Any = getattr(answer, "__globals__", {}).get("Value")
    if not isinstance(value_class, type):
        return "There is no class Value. Run the cells above first."
    for x in (2.0, -3.0, 0.5, -0.1):
        given: Any = run(value_class, x, what="Value")
        result: Any = run(answer, given, what="Your relu")
        if result is given:
            return "relu(a) returned a itself. Make a new Value, which remembers a as its parent, for a positive number too."
        if not issubclass(type(result), value_class):
            return "relu(a) must return a new Value."
        if not is_number(result.data) or result.data != max(x, 0.0):
            return (
                "The number is wrong: relu leaves a positive number as it is, and makes 0 of a negative one."
            )
        if len(result.parents) != 1 or result.parents[0] is not given or len(result.slopes) != 1:
            return "The result must remember one parent, a, and one slope."
        if result.slopes[0] != (x > 0):
            return "The slope is wrong. Nudge a negative number: how much does relu move? And a positive one?"
    return None


def judge_shop(answer: Any) -> str | None:
    """A function that trains a net, and returns it with the losses of its epochs."""
    if not callable(answer) or hasattr(answer, "parameters"):
        return "Give the repaired function itself to check: shop, without brackets."
    library = library_of(answer)
    found = run(answer, seconds=20.0, what="shop()")
    if not isinstance(found, list | tuple) or len(found) != 2 or not hasattr(found[0], "parameters"):
        return "shop() must still return two things, the net and the losses."
    net, losses = found
    if not isinstance(losses, list) or len(losses) != 5:
        return "There must be five losses, one for each epoch."
    left = [
        sentence
        for is_left, sentence in (
            (any(getattr(loss, "requires_grad", False) for loss in losses), KEPT),
            (net.training, TRAINING),
            (any(parameter.grad is None for parameter in net.parameters()), CUT),
        )
        if is_left
    ]
    if left:
        return f"At least {len(left)} of the mistakes are left. {left[0]}" if len(left) > 1 else left[0]
    if run(accuracy, net, library, what="The trained net") < READS:
        return "The net reads too few digits. Ask for each line of the loop: what is it for, and is it in the right place?"
    if [*net.parameters()][-1].numel() != SCORES:
        return "The net must still give ten scores, one for each digit."
    return _wrong_losses([plain(loss) for loss in losses])


def _wrong_losses(losses: list[Any]) -> str | None:
    """Each may be the sum over the batches of its epoch, or their mean."""
    if not all(is_number(loss) for loss in losses) or losses[-1] >= losses[0]:
        return "The losses must be numbers, and the last one smaller than the first."
    batches = 1 if losses[0] > LOSSES[0] / 2 else BATCHES
    if any(abs(loss * batches / right - 1) > 0.03 for loss, right in zip(losses, LOSSES, strict=True)):
        return "The net learns, and its losses are not the sums over the batches of each epoch. Leave the seed, the rate and the batches as they were."
    return None


def judge_momentum(answer: Any) -> str | None:
    """An optimizer of the learner's, beside the library's own."""
    if not isinstance(answer, type):
        return "Give the class itself to check: Momentum, without brackets."
    if not (hasattr(answer, "zero_grad") and hasattr(answer, "step")):
        return "Momentum needs the methods zero_grad() and step()."
    library = library_of(answer)
    # As `net.parameters()`, which can be gone through only once.
    sentence = _compared(answer, library, iter)
    if sentence == UNMOVED and _compared(answer, library, list) != UNMOVED:
        return ONCE
    return sentence


def _compared(answer: Any, library: Any, given: Callable[[Any], Any]) -> str | None:
    """What is said of an optimizer that gets its parameters in this form."""
    ours, theirs = ([library.tensor(one, requires_grad=True) for one in STARTS] for _ in range(2))
    right = library.optim.SGD(theirs, lr=0.1, momentum=0.9)
    mine: Any = run(answer, given(ours), 0.1, 0.9, what="Momentum()")
    before = [p._version for p in ours]
    for number in range(1, 6):
        for parameters, optimizer in ((ours, mine), (theirs, right)):
            run(optimizer.zero_grad, what="zero_grad()")
            ((parameters[0] ** 2).sum() * parameters[1]).backward()
            run(optimizer.step, what="step()")
        if all(same(plain(a.detach()), b) for a, b in zip(ours, STARTS, strict=True)):
            return UNMOVED
        if ours[0].grad_fn is not None or not ours[0].is_leaf:
            return "A parameter is no longer a leaf: the step was recorded."
        if not all(same(plain(a.detach()), plain(b.detach())) for a, b in zip(ours, theirs, strict=True)):
            return _where(number)
    return UNSEEN if [p._version for p in ours] == before else None


def _where(number: int) -> str:
    if number == 1:
        return "The first step is wrong already. There the velocity is the gradient itself."
    if number == 2:
        return "The first step is right, and the second is not. The velocity is 0.9 times the old one, plus the gradient."
    return f"Step {number} is wrong. Is the velocity of each parameter kept, and are the gradients cleared?"


SHOP = """\
def shop():
    jgrad.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10))
    optimizer = optim.SGD(net.parameters(), lr=0.3)
    losses = []
    for epoch in range(5):
        total = 0.0
        for batch in jgrad.randperm(1400).split(50):
            scores = net(x_train[batch])
            loss = F.cross_entropy(scores, y_train[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        losses.append(total)
    net.eval()
    return net, losses


answer = shop
"""
MOMENTUM = """\
class Momentum:
    def __init__(self, parameters, lr, momentum):
        self.parameters = list(parameters)
        self.lr, self.momentum = lr, momentum
        self.velocities = [jgrad.zeros_like(p) for p in self.parameters]

    def zero_grad(self):
        for p in self.parameters:
            p.grad = None

    def step(self):
        with jgrad.no_grad():
            for p, velocity in zip(self.parameters, self.velocities):
                velocity.mul_(self.momentum).add_(p.grad)
                p -= self.lr * velocity


answer = Momentum
"""
RELU = "def relu(a):\n    return Value({}, (a,), ({},))\n\n\nanswer = relu\n"

EXERCISES = (
    Exercise(
        name="relu",
        lesson=LESSON,
        judge=judge_relu,
        solution=RELU.format("max(a.data, 0.0)", "1.0 if a.data > 0 else 0.0"),
        hints=(
            "It has one parent and one slope.",
            "The slope is 1 for a positive number and 0 for a negative one.",
        ),
        wrong=(
            RELU.format("max(a.data, 0.0)", "1.0"),
            RELU.format("abs(a.data)", "1.0 if a.data > 0 else 0.0"),
            "def relu(a):\n    return max(a.data, 0.0)\n\n\nanswer = relu",
            "def relu(a):\n    return a if a.data > 0 else Value(0.0)\n\n\nanswer = relu",
            "def relu(a):\n    return Value(max(a.data, 0.0))\n\n\nanswer = relu",
        ),
    ),
    Exercise(
        name="shop",
        lesson=LESSON,
        judge=judge_shop,
        solution=SHOP,
        hints=(
            "Trace a call, and ask %why. Repair what it names, and ask again.",
            "Look at what is kept in the losses, and at the mode of the net at the end.",
        ),
        wrong=(
            SHOP.replace("            optimizer.zero_grad()\n", "").replace("lr=0.3", "lr=3.0"),
            SHOP.replace("total += loss.item()", "total += loss"),
            SHOP.replace("total = 0.0", "total = 1.0"),
            SHOP.replace("    net.eval()\n", ""),
            SHOP.replace("    net.eval()\n", "").replace("total += loss.item()", "total += loss"),
            SHOP.replace("net(x_train[batch])", "net[3](net[2](net[1](net[0](x_train[batch]))).detach())"),
            SHOP.replace("return net, losses", "return net"),
            SHOP.replace("nn.Linear(64, 10)", "nn.Linear(64, 11)"),
        ),
    ),
    Exercise(
        name="momentum",
        lesson=LESSON,
        judge=judge_momentum,
        solution=MOMENTUM,
        hints=(
            "Each parameter has a velocity, which begins at 0.",
            "Multiply the velocity by momentum, add the gradient, and go against it.",
        ),
        wrong=(
            MOMENTUM.replace(
                "                p -= self.lr * velocity", "                p += self.lr * velocity"
            ),
            MOMENTUM.replace("velocity.mul_(self.momentum).add_(p.grad)", "velocity.copy_(p.grad)"),
            MOMENTUM.replace("list(parameters)", "parameters"),
            MOMENTUM.replace("p -= self.lr", "p = p - self.lr"),
            MOMENTUM.replace("p -= self.lr", "p.data -= self.lr"),
            MOMENTUM.replace(
                "        with jgrad.no_grad():\n            for", "        if True:\n            for"
            ),
        ),
    ),
)
