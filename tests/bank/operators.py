"""Operators that plant a mistake into a program: each changes its syntax tree at one place, as people do by accident."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import NamedTuple

Test = Callable[[ast.AST], bool]


class Operator(NamedTuple):
    """`plant` yields programs with the mistake. `causes`: the rules that name it; `vague`: those that say something true that is only its
    consequence."""

    name: str
    plant: Callable[[ast.Module], Iterator[ast.Module]]
    causes: str
    vague: str = ""


OPERATORS: list[Operator] = []


def operator(name: str, causes: str, vague: str = "") -> Callable:
    """A decorator: the function plants this mistake. `causes` and `vague` are codes of rules, with blanks between them."""

    def declare(plant: Callable[[ast.Module], Iterator[ast.Module]]) -> Callable:
        OPERATORS.append(Operator(name, plant, causes, vague))
        return plant

    return declare


# Tools --------------------------------------------------------------------------------------------------------------------------------


def attribute_of(node: ast.AST) -> str:
    """The method or function that a call names last: "step" of `opt.step()`."""
    function = node.func if isinstance(node, ast.Call) else None
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def owner_of(node: ast.AST) -> str:
    """What stands before it: "opt" of `opt.step()`."""
    function = node.func if isinstance(node, ast.Call) else None
    return ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""


def calls(*names: str, owner: str = "") -> Test:
    """Statements, or expressions, that call one of these; `owner`: with this in what stands before it."""

    def test(node: ast.AST) -> bool:
        call = node.value if isinstance(node, ast.Expr) else node
        return attribute_of(call) in names and owner in owner_of(call)

    return test


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """All blocks of statements."""
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def without(tree: ast.Module, test: Test) -> Iterator[ast.Module]:
    """Programs without one of the statements."""
    for i, block in enumerate(blocks(tree)):
        for j, statement in enumerate(block):
            if isinstance(statement, ast.Expr) and test(statement):
                made = copy.deepcopy(tree)
                left = [*blocks(made)][i]
                left[j : j + 1] = [] if len(left) > 1 else [ast.Pass()]
                yield made


def replaced(tree: ast.Module, change: Callable[[ast.AST], ast.AST | None]) -> Iterator[ast.Module]:
    """Programs in which one expression is another one. `change` gives it, or None."""
    for i, node in enumerate(ast.walk(tree)):
        if not isinstance(node, ast.expr) or change(copy.deepcopy(node)) is None:
            continue
        made = copy.deepcopy(tree)
        old = [*ast.walk(made)][i]
        new = change(copy.deepcopy(old))

        class Put(ast.NodeTransformer):
            def visit(self, node: ast.AST) -> ast.AST:
                return new if node is old else self.generic_visit(node)  # noqa: B023

        yield Put().visit(made)


def before(tree: ast.Module, moved: Test, other: Test) -> Iterator[ast.Module]:
    """Programs in which a statement stands before an earlier one of its block."""
    for i, block in enumerate(blocks(tree)):
        firsts = [j for j, s in enumerate(block) if other(s)]
        later = [j for j, s in enumerate(block) if moved(s) and firsts and j > firsts[0]]
        if later:
            made = copy.deepcopy(tree)
            changed = [*blocks(made)][i]
            changed.insert(max(f for f in firsts if f < later[0]), changed.pop(later[0]))
            yield made


def argument(node: ast.AST, name: str) -> ast.keyword | None:
    """A keyword argument of a call."""
    return next((k for k in getattr(node, "keywords", ()) if k.arg == name), None)


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


# Statements left out ------------------------------------------------------------------------------------------------------------------


@operator("zero_grad() left out", "grad-accumulated", "loss-grows gradient-explodes loss-rose")
def no_zero_grad(tree: ast.Module) -> Iterator[ast.Module]:
    yield from without(tree, calls("zero_grad"))


@operator("grad.zero_() left out", "grad-accumulated", "loss-grows loss-rose")
def no_zero(tree: ast.Module) -> Iterator[ast.Module]:
    yield from without(tree, calls("zero_", owner=".grad"))


@operator("optimizer.step() left out", "step-forgotten", "grad-accumulated")
def no_step(tree: ast.Module) -> Iterator[ast.Module]:
    yield from without(tree, lambda s: calls("step", owner="opt")(s))


@operator(
    "backward() left out",
    "step-without-gradients no-backward-before-step none-where-a-gradient-was-meant cleared-and-not-filled step-in-vain",
    "nothing-to-clip",
)
def no_backward(tree: ast.Module) -> Iterator[ast.Module]:
    yield from without(tree, calls("backward"))


@operator("eval() left out", "evaluated-in-train-mode")
def no_eval(tree: ast.Module) -> Iterator[ast.Module]:
    yield from without(tree, calls("eval"))


@operator("train() left out", "trained-in-eval-mode")
def no_train(tree: ast.Module) -> Iterator[ast.Module]:
    yield from without(tree, calls("train"))


@operator(
    "detach() left out",
    "second-round second-backward target-learns target-with-history number-of-requiring numpy-with-history history-grows",
    "saved-overwritten grad-accumulated",
)
def no_detach(tree: ast.Module) -> Iterator[ast.Module]:
    yield from replaced(
        tree, lambda n: n.func.value if isinstance(n, ast.Call) and attribute_of(n) == "detach" else None
    )  # type: ignore[attr-defined]


@operator(
    "no_grad() left out",
    "leaf-inplace leaf-view-inplace target-learns target-with-history grad-rebound leaf-rebound second-backward second-round update-of-local-name none-where-a-gradient-was-meant",
)
def no_no_grad(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        for j, s in enumerate(block):
            if isinstance(s, ast.With) and "no_grad" in ast.unparse(s.items[0]):
                made = copy.deepcopy(tree)
                changed = [*blocks(made)][i]
                changed[j : j + 1] = changed[j].body  # type: ignore[attr-defined]
                yield made


# Statements moved ---------------------------------------------------------------------------------------------------------------------


@operator("clipping after step()", "clip-out-of-turn")
def clip_after(tree: ast.Module) -> Iterator[ast.Module]:
    yield from before(tree, calls("step", owner="opt"), calls("clip_grad_norm_", "clip_grad_value_"))


@operator("clipping before backward()", "clip-out-of-turn nothing-to-clip clip-of-nothing")
def clip_before(tree: ast.Module) -> Iterator[ast.Module]:
    yield from before(tree, calls("clip_grad_norm_", "clip_grad_value_"), calls("backward"))


@operator(
    "step() before backward()",
    "step-without-gradients no-backward-before-step cleared-before-step cleared-and-not-filled step-in-vain",
)
def step_before(tree: ast.Module) -> Iterator[ast.Module]:
    yield from before(tree, calls("step", owner="opt"), calls("backward"))


@operator(
    "zero_grad() between backward() and step()",
    "cleared-before-step step-without-gradients step-in-vain",
    "step-forgotten nothing-to-clip",
)
def zero_between(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        cleared = [j for j, s in enumerate(block) if calls("zero_grad")(s)]
        filled = [j for j, s in enumerate(block) if calls("backward")(s)]
        if cleared and filled and cleared[0] < filled[0]:
            made = copy.deepcopy(tree)
            changed = [*blocks(made)][i]
            changed.insert(filled[0], changed.pop(cleared[0]))
            yield made


@operator(
    "backward() after the loop",
    "backward-after-loop step-without-gradients",
    "nothing-to-clip none-where-a-gradient-was-meant",
)
def backward_after(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        for j, s in enumerate(block):
            if isinstance(s, ast.For):
                inside = [k for k, t in enumerate(s.body) if calls("backward")(t)]
                if inside and len(s.body) > 1:
                    made = copy.deepcopy(tree)
                    changed = [*blocks(made)][i]
                    changed.insert(j + 1, changed[j].body.pop(inside[-1]))  # type: ignore[attr-defined]
                    yield made


@operator(
    "a scheduler per batch",
    "scheduler-per-batch schedule-per-batch rate-of-schedule-zero rate-is-zero scheduler-steps-often",
    "step-in-vain",
)
def schedule_per_batch(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        steps = [j for j, s in enumerate(block) if calls("step", owner="sched")(s)]
        loops = [j for j, s in enumerate(block) if isinstance(s, ast.For) and steps and j < steps[0]]
        if loops:
            made = copy.deepcopy(tree)
            changed = [*blocks(made)][i]
            changed[loops[-1]].body.append(changed.pop(steps[0]))  # type: ignore[attr-defined]
            yield made


@operator("a scheduler before the optimizer", "scheduler-before-optimizer")
def schedule_first(tree: ast.Module) -> Iterator[ast.Module]:
    yield from before(
        tree,
        lambda s: calls("step", owner="sched")(s) or calls("step", owner="warm")(s),
        calls("step", owner="opt"),
    )


# Another expression -------------------------------------------------------------------------------------------------------------------


def _with_arguments_swapped(n: ast.AST) -> ast.AST | None:
    if (
        isinstance(n, ast.Call)
        and (
            attribute_of(n) in ("cross_entropy", "criterion", "binary_cross_entropy")
            or owner_of(n) == "criterion"
        )
        and len(n.args) == 2
    ):
        n.args.reverse()
        return n
    return None


@operator(
    "arguments of a loss swapped",
    "classes-and-labels loss-of-labels scores-and-labels loss-arguments-swapped target-with-history target-requires-grad arguments-swapped no-probabilities label-without-class scores-and-labels-swapped loss-swapped",
    "shapes-do-not-fit",
)
def swapped(tree: ast.Module) -> Iterator[ast.Module]:
    yield from replaced(tree, _with_arguments_swapped)


def _with_another_dim(n: ast.AST) -> ast.AST | None:
    dim = argument(n, "dim") if attribute_of(n) in ("softmax", "sum", "mean", "argmax") else None
    if dim is None:
        return None
    dim.value = ast.Constant(0)
    return n


@operator(
    "another dim",
    "softmax-of-one softmax-over-batch softmax-over-one scores-and-labels loss-broadcast shapes-do-not-fit softmax-dimension dimension-of-softmax",
    "nan-appears loss-not-finite row-out-of-range index-out-of-range number-of-several",
)
def another_dim(tree: ast.Module) -> Iterator[ast.Module]:
    yield from replaced(tree, _with_another_dim)


def _stepping_up(n: ast.AST) -> ast.AST | None:
    losses = ("cross_entropy", "mse_loss", "criterion", "smooth_l1_loss", "loss_of")
    return ast.UnaryOp(ast.USub(), n) if isinstance(n, ast.Call) and attribute_of(n) in losses else None


@operator(
    "the sign of the loss",
    "loss-grows loss-falls-below-zero loss-with-wrong-sign step-uphill loss-rose negative-loss loss-negated",
    "nan-appears grad-not-finite loss-not-finite gradient-not-finite",
)
def wrong_sign(tree: ast.Module) -> Iterator[ast.Module]:
    yield from replaced(tree, _stepping_up)


@operator("probabilities for a loss that takes scores", "softmax-twice")
def softmax_twice(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        if isinstance(n, ast.Call) and (attribute_of(n) in ("cross_entropy", "criterion", "bce")) and n.args:
            squash = "torch.sigmoid" if "BCEWithLogits" in ast.unparse(tree) else "torch.softmax"
            more = "" if squash.endswith("sigmoid") else ", dim=-1"
            n.args[0] = expression(f"{squash}({ast.unparse(n.args[0])}{more})")
            return n
        return None

    yield from replaced(tree, change)


@operator("scores for a loss that takes probabilities", "no-probabilities")
def no_squash(tree: ast.Module) -> Iterator[ast.Module]:
    if "binary_cross_entropy(" in ast.unparse(tree):
        yield from replaced(
            tree, lambda n: n.args[0] if isinstance(n, ast.Call) and attribute_of(n) == "sigmoid" else None
        )


@operator("labels of another dtype", "classes-and-labels")
def float_labels(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        if (
            isinstance(n, ast.Call)
            and attribute_of(n) in ("cross_entropy", "criterion")
            and "CrossEntropy" in ast.unparse(tree) + "CrossEntropy" * (attribute_of(n) == "cross_entropy")
            and len(n.args) == 2
        ):
            n.args[1] = expression(f"{ast.unparse(n.args[1])}.float()")
            return n
        return None

    yield from replaced(tree, change)


@operator(
    "targets with one dimension more", "loss-broadcast labels-in-columns target-of-other-shape broadcast-both"
)
def another_shape(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        if (
            isinstance(n, ast.Call)
            and attribute_of(n) in ("mse_loss", "smooth_l1_loss", "cross_entropy", "criterion")
            and len(n.args) == 2
        ):
            n.args[1] = expression(f"{ast.unparse(n.args[1])}.unsqueeze(1)")
            return n
        return None

    yield from replaced(tree, change)


@operator("an index of another dtype", "index-dtype index-not-whole row-not-whole")
def float_index(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        if isinstance(n, ast.Call) and attribute_of(n) == "gather":
            n.args[1] = expression(f"{ast.unparse(n.args[1])}.float()")
            return n
        if isinstance(n, ast.Call) and attribute_of(n) in ("user", "film", "embed"):
            n.args[0] = expression(f"{ast.unparse(n.args[0])}.float()")
            return n
        return None

    yield from replaced(tree, change)


@operator("an index one too large", "row-out-of-range index-out-of-range label-without-class")
def large_index(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        if (
            isinstance(n, ast.Call)
            and attribute_of(n) in ("user", "film", "embed", "cross_entropy", "criterion")
            and n.args
            and ("CrossEntropy" in ast.unparse(tree) or attribute_of(n) != "criterion")
        ):
            n.args[-1] = expression(f"{ast.unparse(n.args[-1])} + 1")
            return n
        return None

    yield from replaced(tree, change)


@operator("layers in a plain list", "layers-in-plain-list left-out nothing-to-optimize", "parameter-not-held")
def plain_list(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        if not isinstance(n, ast.Call) or attribute_of(n) != "ModuleList":
            return None
        given = n.args[0]
        return ast.ListComp(given.elt, given.generators) if isinstance(given, ast.GeneratorExp) else given

    yield from replaced(tree, change)


@operator(
    "a parameter that is a plain tensor",
    "attribute-is-no-parameter layers-in-plain-list optimizer-lacks-parameter nothing-to-optimize",
)
def plain_tensor(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        if isinstance(n, ast.Call) and attribute_of(n) == "Parameter":
            return expression(f"({ast.unparse(n.args[0])}).requires_grad_()")
        return None

    yield from replaced(tree, change)


@operator(
    "a layer size that does not fit",
    "layer-of-other-size matrices-do-not-fit norm-of-other-size channels-do-not-fit features-of-rnn channels-of-batch-norm shapes-do-not-fit",
)
def another_size(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        if (
            isinstance(n, ast.Call)
            and attribute_of(n) in ("Linear", "GRU", "LayerNorm", "Conv2d")
            and isinstance(n.args[0], ast.Constant)
        ):
            n.args[0] = ast.Constant(n.args[0].value + 1)
            return n
        return None

    yield from [*replaced(tree, change)][-2:]


@operator(
    "an update that rebinds the name",
    "grad-rebound-no-grad update-of-local-name none-where-a-gradient-was-meant parameter-made-anew leaf-rebound grad-rebound",
)
def rebound(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        for j, s in enumerate(block):
            if isinstance(s, ast.AugAssign) and ".grad" in ast.unparse(s.value):
                made = copy.deepcopy(tree)
                [*blocks(made)][i][j] = ast.parse(
                    f"{ast.unparse(s.target)} = {ast.unparse(s.target)} - {ast.unparse(s.value)}"
                ).body[0]
                yield made


@operator(
    "detach() too much",
    "network-cut root-without-history history-cut path-ends step-in-vain step-without-gradients",
    "parameters-not-reached",
)
def too_much_detach(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        for j, s in enumerate(block):
            if (
                isinstance(s, ast.Assign)
                and isinstance(s.value, ast.Call)
                and ast.unparse(s.targets[0]) in ("loss", "prediction", "x", "h", "logits", "q", "outputs")
                and calls("relu", "pool", "model", "head", "squeeze", "net", "embed")(s.value)
            ):
                made = copy.deepcopy(tree)
                changed = [*blocks(made)][i][j]
                changed.value = expression(f"{ast.unparse(s.value)}.detach()")  # type: ignore[attr-defined]
                yield made


@operator("item() too early", "number-without-backward made-of-numbers path-ends-in-numbers")
def early_item(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        for j, s in enumerate(block):
            if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == "loss":
                made = copy.deepcopy(tree)
                changed = [*blocks(made)][i][j]
                changed.value = expression(f"({ast.unparse(s.value)}).item()")  # type: ignore[attr-defined]
                yield made


@operator("a sum of losses with their history", "sum-keeps-graphs list-keeps-graphs")
def kept_history(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        for j, s in enumerate(block):
            if (isinstance(s, ast.AugAssign) or calls("append")(s)) and "loss.item()" in ast.unparse(s):
                made = copy.deepcopy(tree)
                changed = [*blocks(made)][i]
                changed[j] = ast.parse(ast.unparse(s).replace("loss.item()", "loss")).body[0]
                yield made


@operator(
    "a rate a thousand times as large",
    "step-too-large loss-grows loss-not-finite gradient-explodes rate-too-high",
    "dead-relu saturated loss-rose dead-units nan-appears grad-not-finite softmax-saturated",
)
def large_rate(tree: ast.Module) -> Iterator[ast.Module]:
    def change(n: ast.AST) -> ast.AST | None:
        rate = argument(n, "lr")
        if rate is None or not isinstance(rate.value, ast.Constant):
            return None
        rate.value = ast.Constant(rate.value.value * 1000)
        return n

    yield from replaced(tree, change)


@operator(
    "an optimizer of another model",
    "optimizer-lacks-parameter parameters-not-reached step-in-vain optimizer-of-old-parameters parameter-not-held step-without-gradients optimizer-too-old",
)
def another_model(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        for j, s in enumerate(block):
            if isinstance(s, ast.Assign) and ".parameters()" in ast.unparse(s) and "optim" in ast.unparse(s):
                model = ast.unparse(s).split("(", 1)[1].split(".parameters()")[0]
                made = copy.deepcopy(tree)
                [*blocks(made)][i].insert(
                    j + 1, ast.parse(f"import copy as other\n{model} = other.deepcopy({model})").body[1]
                )
                [*blocks(made)][i].insert(j + 1, ast.parse("import copy as other").body[0])
                yield made


@operator(
    "a call without its parentheses",
    "method-not-called method-for-its-result",
    "nothing-to-clip none-where-a-gradient-was-meant",
)
def not_called(tree: ast.Module) -> Iterator[ast.Module]:
    yield from replaced(
        tree,
        lambda n: (
            n.func
            if isinstance(n, ast.Call) and attribute_of(n) in ("zero_grad", "step", "backward") and not n.args
            else None
        ),
    )


@operator("a name misspelt", "attribute-misspelt")
def misspelt(tree: ast.Module) -> Iterator[ast.Module]:
    for i, block in enumerate(blocks(tree)):
        for j, s in enumerate(block):
            if (
                isinstance(s, ast.Assign)
                and isinstance(s.targets[0], ast.Attribute)
                and s.targets[0].attr == "requires_grad"
            ):
                made = copy.deepcopy(tree)
                [*blocks(made)][i][j].targets[0].attr = "require_grad"  # type: ignore[attr-defined]
                yield made
