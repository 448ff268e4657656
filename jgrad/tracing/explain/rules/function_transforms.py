"""Functions under `vmap` and `func.grad` that these can not follow."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.explain.edits import Code, Edit, calls_of, keyword
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.operands import failing_tree
from jgrad.tracing.explain.repairs import NAME, at_incident, mended
from jgrad.tracing.explain.rule import RUNTIME, Rules, always

OPERATIONS = Rules()

TRANSFORM = re.compile(r"(?:.*\.)?(?:grad|grad_and_value)$")
# Functions that need a number, and no tensor that stands for many.
NUMBERS = ("max", "min", "int", "float", "bool", "range", "round")
BY_ROW = """
def score(row):
    total = (row * row).sum()
    return %s

jgrad.func.vmap(score)(jgrad.ones(4, 3))
"""
GRADIENT = """
def model(w):
    return %s

w = jgrad.ones(3)
jgrad.func.grad(model)(w)
"""


def _without_item(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The tensor in place of the number, where Python decides nothing by it: that needs where()."""
    if isinstance(statement, (ast.If, ast.While, ast.Assert)) or _decides(code, statement):
        return
    for call in [
        n for n in ast.walk(statement) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]:
        assert isinstance(call.func, ast.Attribute)
        if call.func.attr == "item":
            yield code.cut(call, call.func.value)


def _decides(code: Code, statement: ast.stmt) -> bool:
    """Whether Python needs a number in a statement, or of what it assigns: `max(n, 1)`, `if n > 0`."""
    names = {ast.unparse(target) for target in getattr(statement, "targets", ())}
    for node in ast.walk(code.tree):
        parts: list[ast.expr] = []
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            parts = [node.test]
        elif isinstance(node, ast.Call) and (
            isinstance(node.func, ast.Name) or "math" in ast.unparse(node.func)
        ):
            parts = node.args if ast.unparse(node.func) in NUMBERS or "math" in ast.unparse(node.func) else []
        inner = [n for part in parts for n in ast.walk(part)]
        if any(isinstance(n, ast.Name) and n.id in names for n in inner) or any(
            n in inner for n in calls_of(statement, "item")
        ):
            return True
    return False


OPERATIONS.by_words(
    "item-under-vmap", "error", "item() or float() in a function under vmap()",
    "{lead}under vmap() a tensor stands for one row of many, so it is not one number.",
    "Compute with the tensor itself; instead of a condition use where(condition, a, b).",
    BY_ROW % "row / total.item()",
    BY_ROW % "row / total",
    raised=(RUNTIME, r"vmap: It looks like you're calling \.item\(\) on a Tensor"),
    blanks=mended(always, _without_item),
)  # fmt: skip


@OPERATIONS.rule(
    "condition-under-vmap", "error", "a condition on a tensor in a function under vmap()",
    "{lead}under vmap() a tensor stands for one row of many, so {condition} is true for some rows and false for others.",
    "Compute both and choose: where({condition}, a, b).",
    BY_ROW % "row if total > 1 else -row",
    BY_ROW % "jgrad.where(total > 1, row, -row)",
    raised=(RUNTIME, r"vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow"),
)  # fmt: skip
def condition_under_vmap(incident: Incident) -> Iterator[dict]:
    """The condition of an if, as far as it is known; and the edit of an expression."""
    tests = [n for n in ast.walk(failing_tree(incident)) if isinstance(n, (ast.If, ast.IfExp, ast.While))]
    condition = ast.unparse(tests[0].test) if tests else incident.what
    yield {"condition": condition if len(condition) <= 40 else "the condition", "edits": _chosen(incident)}


def _chosen(incident: Incident) -> list[Edit]:
    """`torch.where(c, a, b)` for `a if c else b`."""
    place = at_incident(incident)
    if place is None:
        return []
    code, statement = place
    found = [n for n in ast.walk(statement) if isinstance(n, ast.IfExp)]
    library = next(
        (n.id for n in ast.walk(code.tree) if isinstance(n, ast.Name) and n.id in ("torch", "jgrad")), ""
    )
    if len(found) != 1 or not library:
        return []
    parts = (found[0].test, found[0].body, found[0].orelse)
    return [code.replaced(found[0], f"{library}.where({', '.join(map(code.text, parts))})")]


OPERATIONS.by_words(
    "mask-under-vmap", "error", "an index by a mask in a function under vmap()",
    "{lead}a mask selects another number of elements in each row, and vmap() needs results of one shape.",
    "Keep the shape: where(mask, x, 0) instead of x[mask].",
    BY_ROW % "row[row > 0].sum()",
    BY_ROW % "jgrad.where(row > 0, row, 0).sum()",
    raised=(RUNTIME, r"vmap: We do not support batching operators that can support dynamic shape"),
)  # fmt: skip


def _random_rows(incident: Incident) -> Iterator[dict]:
    """One case: the call of vmap(), wherever it stands, with randomness."""
    codes = [Code(incident.cell)] if incident.log is None else Code.all_of(incident.log)
    found = [keyword(code, code.tree, "vmap", "randomness", "'different'") for code in codes]
    yield {"edits": next((edits for edits in found if edits), [])}


OPERATIONS.by_words(
    "random-under-vmap", "error", "random numbers in a function under vmap()",
    "{lead}vmap() does not know whether each row gets its own random numbers.",
    "Say it: vmap(f, randomness='different'), or 'same' for the same numbers in all rows.",
    BY_ROW.replace("total = (row * row).sum()", "total = jgrad.rand(3)") % "row + total",
    BY_ROW.replace("total = (row * row).sum()", "total = jgrad.rand(3)").replace("vmap(score)", "vmap(score, randomness='different')") % "row + total",
    raised=(RUNTIME, r"vmap: called random operation while in randomness error mode"),
    blanks=_random_rows,
)  # fmt: skip


@OPERATIONS.rule(
    "gradient-of-several", "error", "func.grad() of a function that returns more than one number",
    "{lead}grad() differentiates one number, and {name} returns a tensor of {dims} dimension{s}.",
    "Return a sum or mean in {name}; for all derivatives of each element use jgrad.func.jacrev({name}).",
    GRADIENT % "w * w",
    GRADIENT % "(w * w).sum()",
    raised=(RUNTIME, r"Expected f\(\*args\) to return a scalar Tensor, got tensor with (?P<dims>\d+) dims"),
)  # fmt: skip
def gradient_of_several(incident: Incident) -> Iterator[dict]:
    """What was differentiated, where the call that raised names it. (No edit fits: the sum and the Jacobian are different programs.)"""
    dims = re.search(r"with (\d+) dims", incident.message)
    yield {"name": _differentiated(incident), "s": "" if dims is not None and dims[1] == "1" else "s"}


def _differentiated(incident: Incident) -> str:
    for node in ast.walk(failing_tree(incident)):
        if isinstance(node, ast.Call) and TRANSFORM.match(ast.unparse(node.func)) and node.args:
            text = ast.unparse(node.args[0])
            if NAME.fullmatch(text):
                return text
    return "the function"


OPERATIONS.by_words(
    "gradient-of-no-tensor", "error", "func.grad() of a function that returns no tensor",
    "{lead}grad() differentiates a tensor without dimensions, but the function returns a {kind}.",
    "Return the tensor itself, without item() or float(). If it returns (loss, rest), pass has_aux=True.",
    GRADIENT % "(w * w).sum().item()",
    GRADIENT % "(w * w).sum()",
    raised=(RUNTIME, r"Expected f\(\*args\) to return a Tensor, got <class '(?P<kind>\w+)'>"),
)  # fmt: skip
