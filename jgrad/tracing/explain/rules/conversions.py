"""What is made of a tensor: a number, an array, a truth value, a copy, a tensor on a GPU."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, calls_of
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.meaning import meaning
from jgrad.tracing.explain.models import modules_of
from jgrad.tracing.explain.operands import failing_tree
from jgrad.tracing.explain.repairs import (
    argument,
    argument_as,
    at_incident,
    instead,
    library,
    mended,
    named,
    operand,
)
from jgrad.tracing.explain.rule import RUNTIME, USER_WARNING, Rules

OPERATIONS = Rules()
WARNINGS = Rules()


def _computed_within(incident: Incident) -> Iterator[dict[str, str]]:
    """One case about a copy; `held`: the attribute, of a module or of one in it, that holds what was computed."""
    calls = [
        n
        for n in ast.walk(failing_tree(incident))
        if isinstance(n, ast.Call) and ast.unparse(n.func).endswith("deepcopy") and n.args
    ]
    copied = [c.args[0] for c in calls[:1]]
    names = [{"name": ast.unparse(n) if isinstance(n, ATOMS) else f"({ast.unparse(n)})"} for n in copied]
    for case in names or argument()(incident):
        name, value = case["name"], meaning(case["name"], incident.variables)
        modules = modules_of(name, value) if mirrors.is_module(value) else ()
        tensors = [
            (f"{path}.{attribute}", mirrors.mirror(v))
            for path, m in modules
            for attribute, v in vars(m).items()
        ]
        held = next((path for path, t in tensors if isinstance(t, Tensor) and not t.is_leaf), "")
        repair = f"Write copy.deepcopy({name}.detach()), or {name}.clone(), which stays in the graph."
        if held:
            repair = f"{held} is such a tensor, which forward() left there. Write {held} = {held}.detach() before the copy."
        elif value is not None and not isinstance(value, Tensor):
            repair = f"{name} holds such tensors: keep their detach() there."
        yield case | {"held": held, "repair": repair}


def _given_up(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    if case["held"]:
        yield code.before(statement, f"{case['held']} = {case['held']}.detach()")


def _numbers_of(incident: Incident) -> Iterator[dict[str, Any]]:
    """One case about numpy(): what is to be an array; a list of tensors by what was appended to it."""
    for node in ast.walk(failing_tree(incident)):
        for given in node.args if isinstance(node, ast.Call) else ():
            value, name = meaning(ast.unparse(given), incident.variables), ast.unparse(given)
            if (
                isinstance(value, list)
                and value
                and all(isinstance(mirrors.mirror(v), Tensor) for v in value)
            ):
                appended = [(code, c.args[0]) for code, c in _appends(incident, name)]
                text = appended[0][0].text(appended[0][1]) if appended else "loss"
                edits = [
                    code.replaced(node, f"{code.text(node)}.item()")
                    for code, node in appended
                    if isinstance(node, ast.Name)
                ]
                yield {
                    "repair": f"{name} holds tensors with their history. Append the number: {name}.append({text}.item()).",
                    "edits": edits,
                }
                return
    arrays = _functions_of_arrays(incident)
    if arrays is not None:
        yield arrays
        return
    for case in mended(named("numpy"), instead("numpy", "{owner}.detach().numpy({arguments})"))(incident):
        yield case | {
            "repair": f"Write {case['name']}.detach().numpy() if {case['subject']} needs no gradient here."
        }


def _functions_of_arrays(incident: Incident) -> dict[str, Any] | None:
    """What to write where a function of NumPy is given a tensor: that of the library, if it has one of this name."""
    place = at_incident(incident)
    if place is None:
        return None
    code, statement = place
    own = library(code)
    found = [
        n.func
        for n in ast.walk(statement)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)
        and getattr(incident.variables.get(n.func.value.id), "__name__", "") == "numpy" and hasattr(Tensor, n.func.attr)
        and any(isinstance(meaning(ast.unparse(part), incident.variables), Tensor) for part in ast.walk(n) if isinstance(part, ATOMS))
    ]  # fmt: skip
    asked = next((f for f in found if code.text(f) in incident.expression or f.attr in incident.what), None)
    if asked is None:
        return None
    return {
        "repair": f"Write {own}.{asked.attr}() in place of {code.text(asked)}(), which makes an array.",
        "edits": [code.replaced(f, f"{own}.{f.attr}") for f in found],
    }


def _appends(incident: Incident, name: str) -> Iterator[tuple[Code, ast.Call]]:
    """Where one thing is appended to a list."""
    for code in [Code(incident.cell)] if incident.log is None else Code.all_of(incident.log):
        for call in calls_of(code.tree, "append"):
            if (
                isinstance(call.func, ast.Attribute)
                and ast.unparse(call.func.value) == name
                and len(call.args) == 1
            ):
                yield code, call


OPERATIONS.by_words(
    "numpy-with-history", "error", "numpy() of a tensor that requires grad",
    "{lead}a NumPy array has no history, so no gradient can pass through numpy().",
    "{repair}",
    """
w = jgrad.ones(2, requires_grad=True)
w.numpy()
""", """
w = jgrad.ones(2, requires_grad=True)
w.detach().numpy()
""",
    raised=(RUNTIME, r"Can't call numpy\(\) on Tensor that requires grad"),
    blanks=_numbers_of,
)  # fmt: skip

OPERATIONS.by_words(
    "array-turned-around", "error", "from_numpy() gets an array that runs backwards through its memory",
    "{lead}a slice as [::-1], or a flip, gives an array that runs backwards through its memory, and a tensor can't share that.",
    "Copy it first: {name}.copy().",
    """
import numpy as np
row = np.arange(4.)[::-1]
x = jgrad.from_numpy(row)
""", """
import numpy as np
row = np.arange(4.)[::-1]
x = jgrad.from_numpy(row.copy())
""",
    raised=("ValueError", r"At least one stride in the given numpy array is negative"),
    blanks=mended(argument("array"), argument_as(0, "{argument}.copy()", ".copy()")),
)  # fmt: skip

OPERATIONS.by_words(
    "number-of-several", "error", "item() of a tensor of several elements",
    "{lead}a tensor of {count} elements is not one number.",
    "Take one element with {name}[0].item(), reduce it with {name}.sum().item(), or take all with {name}.tolist().",
    """
x = jgrad.ones(3)
x.item()
""", """
x = jgrad.ones(3)
x.sum().item()
""",
    raised=(RUNTIME, r"a Tensor with (?P<count>\d+) elements cannot be converted to Scalar"),
    blanks=operand,
)  # fmt: skip

OPERATIONS.by_words(
    "scalar-of-several", "error", "float() or int() of a tensor of several elements",
    "{lead}a tensor of several elements is not one number.",
    "Take one element with {name}[0].item(), reduce it with {name}.sum().item(), or take all with {name}.tolist().",
    """
x = jgrad.ones(3)
float(x)
""", """
x = jgrad.ones(3)
float(x.sum())
""",
    raised=("ValueError", r"only one element tensors can be converted to Python scalars"),
    blanks=argument("x"),
)  # fmt: skip

OPERATIONS.by_words(
    "truth-of-several", "error", "a tensor of several elements is used in if, while, and, or, not",
    "{lead}a tensor of several elements is neither true nor false.",
    "Write (x > 0).any() or (x > 0).all(), and combine conditions with & and |.",
    """
x = jgrad.ones(3)
if x > 0:
    x = -x
""", """
x = jgrad.ones(3)
if (x > 0).all():
    x = -x
""",
    raised=(RUNTIME, r"Boolean value of Tensor with more than one value is ambiguous"),
)  # fmt: skip

OPERATIONS.by_words(
    "deepcopy-of-computed", "error", "copy.deepcopy() of a tensor that was computed",
    "{lead}deepcopy() copies leaves only, because a computed tensor belongs to a graph.",
    "{repair}",
    """
import copy
x = jgrad.ones(2, requires_grad=True)
y = x * 2
copy.deepcopy(y)
""", """
import copy
x = jgrad.ones(2, requires_grad=True)
y = x * 2
copy.deepcopy(y.detach())
""",
    raised=(RUNTIME, r"Only Tensors created explicitly by the user \(graph leaves\) support the deepcopy protocol"),
    blanks=mended(_computed_within, _given_up),
)  # fmt: skip

OPERATIONS.by_words(
    "no-gpu", "error", "a GPU is requested where there is none",
    "{lead}CUDA is not available here.",
    "Leave out device=, cuda() or to(), whichever asks for the GPU, or write `device = 'cuda' if jgrad.cuda.is_available() else 'cpu'`.",
    """
x = jgrad.ones(2)
x.cuda()
""", """
x = jgrad.ones(2)
x.to("cuda" if jgrad.cuda.is_available() else "cpu")
""",
    raised=("AssertionError", r"Torch not compiled with CUDA enabled"),
)  # fmt: skip

WARNINGS.by_words(
    "tensor-of-tensor", "warning", "tensor() gets a tensor",
    "{lead}tensor({name}) copies the numbers of the tensor {name} without its history.",
    "Write {name}.detach().clone() for such a copy, or {name}.clone() to stay in the graph.",
    """
x = jgrad.ones(2, requires_grad=True)
y = jgrad.tensor(x)
""", """
x = jgrad.ones(2, requires_grad=True)
y = x.detach().clone()
""",
    raised=(USER_WARNING, r"To copy construct from a tensor, it is recommended to use"),
    blanks=argument("x"),
)  # fmt: skip

WARNINGS.by_words(
    "number-of-requiring", "warning", "float() or int() of a tensor that requires grad",
    "{lead}a Python number has no history, so no gradient passes through it.",
    "Write x.item() if the tensor x needs no gradient here; otherwise compute with x itself.",
    """
x = jgrad.ones(1, requires_grad=True)
float(x)
""", """
x = jgrad.ones(1, requires_grad=True)
x.item()
""",
    raised=(USER_WARNING, r"Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior"),
)  # fmt: skip
