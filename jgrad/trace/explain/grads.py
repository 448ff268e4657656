"""Why the `.grad` of a tensor is what it is: the rules in the order in which they stand, the first that applies is the reason."""

from __future__ import annotations

from typing import Any

from jgrad.trace.explain import findings
from jgrad.trace.explain.rule import Rule
from jgrad.trace.explain.subject import Subject

W = "w = jgrad.ones(1, requires_grad=True)\n"

WHY = (
    Rule(
        "grad-spoilt-unseen", "warning", "it is wrong, since a saved tensor was overwritten past its version counter",
        "{name}.grad is wrong, without an error: {by}, which its version counter does not "
        "see, and {node} computed with what it found there.",
        "Write after backward(), under no_grad().",
        findings.has_spoilt,
        "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nw.data.clamp_(0, 1)\nloss.backward()",
        "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nloss.backward()\nwith jgrad.no_grad():\n    w.clamp_(0, 1)",
        ask="w.grad",
    ),
    Rule(
        "grad-of-other-data", "warning", "it is wrong, since the .data of a saved tensor was set before backward()",
        "{name}.grad is wrong, without an error: {at} put other numbers into {saved} through .data, which no version counter sees, and {node} "
        "computed with those.",
        "Set it after backward(), or write to it under no_grad(), which autograd notices.",
        findings.has_moved,
        "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nw.data = jgrad.tensor(1.)\nloss.backward()",
        "w = jgrad.tensor(3., requires_grad=True)\nloss = w * w\nloss.backward()\nw.data = jgrad.tensor(1.)",
        ask="w.grad",
    ),
    Rule(
        "grad-not-finite", "warning", "it holds nan or inf",
        "{name}.grad is {value}: {culprit}.",
        "{advice}",
        findings.has_nan,
        """
x = jgrad.tensor([0., 1.], requires_grad=True)
y = jgrad.where(x > 0, x.log(), 0.)
y.sum().backward()
""",
        """
x = jgrad.tensor([0., 1.], requires_grad=True)
y = jgrad.where(x > 0, x, 1.).log()
y.sum().backward()
""",
        ask="x.grad",
    ),
    Rule(
        "grad-accumulated", "warning", "it is the sum of several backward passes",
        "{grads} the sum of {count} backward passes ({where}), since nothing cleared {them} in between.",
        "{repair}",
        findings.has_sum,
        W + "(w * 5).backward()\n(w * 5).backward()",
        W + "(w * 5).backward()\nw.grad = None\n(w * 5).backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-asked-late", "warning", "it misses what was computed before the tensor was asked to require grad",
        "{name}.grad misses a part: {at} computed {what} from {name}, which did not require grad yet.",
        "Call {name}.requires_grad_() before anything is computed from {name}.",
        findings.has_late,
        """
x = jgrad.tensor([1., 2.])
squares = x * x
x.requires_grad_()
(squares + x).sum().backward()
""",
        """
x = jgrad.tensor([1., 2.])
x.requires_grad_()
squares = x * x
(squares + x).sum().backward()
""",
        ask="x.grad",
    ),
    Rule(
        "grad-vanished", "warning", "it is zero, since the gradient became too small on the way",
        "{name}.grad is zero: {node} got {arrived}, and what it made of that is too small for the dtype.",
        "Each operation on the way scales the gradient, as a sigmoid does by at most a quarter: take fewer of them, others (relu), or ways around "
        "them (y = x + f(x)).",
        findings.has_vanished,
        "w = jgrad.tensor([0.5], requires_grad=True)\nh = w\nfor i in range(200):\n    h = h.sigmoid()\nh.backward()",
        "w = jgrad.tensor([0.5], requires_grad=True)\nh = w\nfor i in range(20):\n    h = h + h.sigmoid()\nh.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-zero-factor", "info", "it is zero, since the tensor was multiplied by zeros",
        "{name}.grad is zero: {node} multiplied {arrived} by {factor}, and that gave zeros.",
        "{advice}",
        findings.has_zero_factor,
        "w = jgrad.ones(2, requires_grad=True)\nv = jgrad.zeros(2, requires_grad=True)\n(w * v).sum().backward()",
        "w = jgrad.ones(2, requires_grad=True)\nv = jgrad.full((2,), 0.1, requires_grad=True)\n(w * v).sum().backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-zero", "info", "it is zero, since the derivative of something on the way is zero",
        "{name}.grad is zero: {node} got {arrived} and sent zeros on: its derivative is zero there.",
        "{advice}",
        findings.has_zero,
        "w = jgrad.tensor(1.2, requires_grad=True)\nloss = ((w * 3).round() - 6) ** 2\nloss.backward()",
        "w = jgrad.tensor(1.2, requires_grad=True)\nloss = (w * 3 - 6) ** 2\nloss.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-broadcast", "info", "it has another shape than the result, since the tensor was broadcast",
        "{name}.grad has {name}'s shape {shape}: {at} broadcast {name} to {wide}, so the gradient is summed over the copies.",
        "",
        findings.has_broadcast,
        "b = jgrad.tensor(1., requires_grad=True)\nx = jgrad.ones(2, 3)\n(x * b).sum().backward()",
        "x = jgrad.ones(2, 3)\nb = jgrad.ones(2, 3, requires_grad=True)\n(x * b).sum().backward()",
        ask="b.grad",
    ),
    Rule(
        "grad-present", "info", "it is what one backward pass left there",
        "{name}.grad is there{last}.",
        "",
        findings.has,
        W + "y = w * 5 + w.clone()\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-integer", "info", "it is None, and the tensor holds whole numbers or bools",
        "{name}.grad is None: {name} has dtype {dtype}, and only floating point and complex tensors have gradients.",
        "",
        findings.integer,
        W + "n = w.long()\n(w * n).backward()",
        W + "n = w.double()\nn.retain_grad()\n(w * n).backward()",
        ask="n.grad",
    ),
    Rule(
        "grad-detached", "info", "it is None, and the tensor comes from detach() or .data",
        "{name}.grad is None: {name} was made by {how}{made}, so it has no history and does not require grad.",
        "",
        findings.detached,
        W + "d = w.detach()\n(w * d).backward()",
        W + "d = w.clone()\nd.retain_grad()\n(w * d).backward()",
        ask="d.grad",
    ),
    Rule(
        "grad-rebound-no-grad", "info", "it is None, and the variable was assigned anew under no_grad()",
        "{name}.grad is None: {at} gave the name {name} to a new tensor, computed under {mode}, which does not require grad; the leaf that was "
        "called {name} before stays as it was.",
        "Write to it in place: {name} -= ... or {name}.copy_(...).",
        findings.rebound_without,
        W + "(w * 5).backward()\nwith jgrad.no_grad():\n    w = w - 0.1 * w.grad",
        W + "(w * 5).backward()\nwith jgrad.no_grad():\n    w -= 0.1 * w.grad",
        ask="w.grad",
    ),
    Rule(
        "grad-no-grad-mode", "info", "it is None, and the tensor was computed under no_grad()",
        "{name}.grad is None: {name} was computed under {mode}{made}, so it has no history and does not require grad.",
        "",
        findings.no_grad_mode,
        W + "with jgrad.no_grad():\n    y = w * 2\n(w * y).backward()",
        W + "y = w * 2\ny.retain_grad()\n(w * y).backward()",
        ask="y.grad",
    ),
    Rule(
        "grad-without-history", "info", "it is None, and the tensor was computed from nothing that has a history",
        "{name}.grad is None: {name} does not require grad: {why}",
        "",
        findings.without_history,
        W + "d = (w * 2).detach()\nloss = d * 3",
        W + "d = w * 2\nloss = d * 3\nloss.retain_grad()\nloss.backward()",
        ask="loss.grad",
    ),
    Rule(
        "grad-not-required", "info", "it is None, and the tensor does not require grad",
        "{name}.grad is None: {name} does not require grad.",
        "Call {name}.requires_grad_() before it is used.",
        findings.not_required,
        W + "x = jgrad.ones(1)\n(w * x).backward()",
        W + "x = jgrad.ones(1).requires_grad_()\n(w * x).backward()",
        ask="x.grad",
    ),
    Rule(
        "grad-rebound", "info", "it is None, and the variable meant a leaf before it was assigned anew",
        "{name}.grad is None: {at} gave the name {name} to the result of {grad_fn}, which is not a leaf; the gradient goes to the leaf that "
        "was called {name} before.",
        "Give the result a name of its own; to change a parameter, write to it in place under no_grad().",
        findings.rebound,
        W + "w = w * 2\nw.backward()",
        W + "y = w * 2\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-computed-at-birth", "info", "it is None, and the tensor was computed in the line that made its leaf",
        "{name}.grad is None: {name} is not a leaf, it was computed{made} by {grad_fn} from the leaf {leaf}, which has no name.",
        "Compute first and call requires_grad_() last.",
        findings.computed_at_birth,
        "w = jgrad.ones(2, requires_grad=True) * 0.1\nw.sum().backward()",
        "w = (jgrad.ones(2) * 0.1).requires_grad_()\nw.sum().backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-kept-late", "info", "it is None, since retain_grad() came after backward()",
        "{name}.grad is None: {name} keeps gradients since its retain_grad() was called, and none has come through it after that.",
        "Call retain_grad() before backward().",
        findings.kept_late,
        W + "y = w * 2\ny.backward()\ny.retain_grad()\nz = y * 3",
        W + "y = w * 2\ny.retain_grad()\ny.backward()\nz = y * 3",
        ask="y.grad",
    ),
    Rule(
        "grad-beside", "info", "it is None, and the tensor was computed but not used for the result",
        "{name}.grad is None: {name} is not a leaf, {grad_fn} made it{made}, and backward ran from {root}, which was not computed from {name}.",
        "{advice}",
        findings.beside,
        "x = jgrad.ones(3, requires_grad=True)\nfirst = x[0]\n(x * 2).sum().backward()",
        "x = jgrad.ones(3, requires_grad=True)\nfirst = x[0]\nfirst.retain_grad()\n(first * 2).backward()",
        ask="first.grad",
    ),
    Rule(
        "grad-not-leaf", "info", "it is None, and the tensor was computed from others",
        "{name}.grad is None: {name} is not a leaf, {grad_fn} made it{made}, and only leaves keep their gradient.",
        "{advice}",
        findings.not_leaf,
        W + "y = w * 2\ny.backward()",
        W + "y = w * 2\ny.retain_grad()\ny.backward()",
        ask="y.grad",
    ),
    Rule(
        "grad-cleared", "info", "it is None, since it was set to None",
        "{name}.grad is None: {at} set it to None, and no backward has filled it since.",
        "",
        findings.cleared,
        W + "(w * 2).backward()\nw.grad = None",
        W + "w.grad = None\n(w * 2).backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-asked-too-late", "warning", "it is None, since the tensor was used before it was asked to require grad",
        "{name}.grad is None: {at} computed {what} from {name}, which did not require grad yet.",
        "Call {name}.requires_grad_() before anything is computed from {name}.",
        findings.late,
        W + "x = jgrad.ones(1)\ny = w * x\nx.requires_grad_()\ny.backward()",
        W + "x = jgrad.ones(1)\nx.requires_grad_()\ny = w * x\ny.backward()",
        ask="x.grad",
    ),
    Rule(
        "grad-no-backward", "info", "it is None, since backward() has not run",
        "{name}.grad is None: {what}.",
        "",
        findings.no_backward,
        W + "y = w * 2",
        W + "y = w * 2\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-returned", "info", "it is None, since autograd.grad() does not fill it",
        "{name}.grad is None: autograd.grad() ({at}) returns the gradients and leaves every .grad as it is.",
        "Use what it returns, or call backward().",
        findings.returned,
        W + "y = w * 2\njgrad.autograd.grad(y, w)",
        W + "y = w * 2\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-failed", "info", "it is None, since backward() raised before it came there",
        "{name}.grad is None: the backward pass of {at} raised before it came to {name}.",
        "",
        findings.failed,
        W + "y = w.exp()\ny.add_(1)\ny.backward()",
        W + "y = w.exp() + 1\ny.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-undefined", "info", "it is None, since a node on the way gave no gradient",
        "{name}.grad is None: {node} gave no gradient (None) for what leads to {name}.",
        "A custom Function has to return one for each input that requires grad.",
        findings.undefined,
        """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad, None

w = jgrad.ones(1, requires_grad=True)
x = jgrad.ones(1, requires_grad=True)
Scale.apply(x, w).backward()
""",
        """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x, factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        x, factor = ctx.saved_tensors
        return grad * factor, grad * x

w = jgrad.ones(1, requires_grad=True)
x = jgrad.ones(1, requires_grad=True)
Scale.apply(x, w).backward()
""",
        ask="w.grad",
    ),
    Rule(
        "grad-left-out", "info", "it is None, since backward(inputs=...) named other tensors",
        "{name}.grad is None: {at} called backward with inputs=, which fills the .grad of those tensors alone.",
        "Add {name} to inputs, or leave inputs out.",
        findings.left_out,
        W + "b = jgrad.ones(1, requires_grad=True)\n(w * b).backward(inputs=[b])",
        W + "b = jgrad.ones(1, requires_grad=True)\n(w * b).backward(inputs=[b, w])",
        ask="w.grad",
    ),
    Rule(
        "grad-cut", "info", "it is None, since the graph was cut on the way",
        "{name}.grad is None: {root} was computed from {name}, but {at} cut the graph with {what}.",
        "",
        findings.cut,
        W + "b = jgrad.ones(1, requires_grad=True)\nd = (w * 2).detach()\nloss = d * b\nloss.backward()",
        W + "b = jgrad.ones(1, requires_grad=True)\nd = w * 2\nloss = d * b\nloss.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-left-as-numbers", "info", "it is None, since numbers were taken out of the graph",
        "{name}.grad is None: line {line} made plain numbers of it ({what}), and what is computed from those has no history.",
        "Go on with the tensor itself.",
        findings.left_as_numbers,
        W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * w.item()\nloss.backward()",
        W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * w\nloss.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-unused", "info", "it is None, since the result does not depend on the tensor",
        "{name}.grad is None: backward ran from {root}, to which no recorded operation leads from {name}.",
        "",
        findings.unused,
        W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * 2\nloss.backward()",
        W + "b = jgrad.ones(1, requires_grad=True)\nloss = b * 2 + w\nloss.backward()",
        ask="w.grad",
    ),
    Rule(
        "grad-not-reached", "info", "it is None, and no trace knows more",
        "{name}.grad is None: no backward() has reached {name} since it was made, or since its .grad was cleared.",
        "",
        findings.unknown,
    ),
)  # fmt: skip


def reason(subject: Subject) -> dict[str, Any]:
    """Why the `.grad` of a tensor is what it is: `code`, `text`, `step` and `lines`."""
    for rule in WHY:
        for case in rule.find(subject):
            blanks = {
                "name": subject.name,
                "dtype": subject.dtype,
                "grad_fn": subject.grad_fn,
                "made": subject.made(),
            }
            return {
                "code": rule.code,
                "text": rule.say(blanks | case),
                "step": case["step"],
                "lines": case["lines"],
            }
    raise AssertionError("the last rule applies to everything")
