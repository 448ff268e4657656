"""Distributions whose parameters are out of their range."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.explain.edits import ATOMS, Code, Edit
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.operands import failing_tree
from jgrad.tracing.explain.repairs import mended
from jgrad.tracing.explain.rule import Rules

OPERATIONS = Rules()
# What a constraint asks for, by its class.
RANGES = {
    "GreaterThan": "above 0",
    "Interval": "between 0 and 1",
    "Simplex": "at least 0",
}
# Which argument a parameter is where it has no keyword.
PLACES = {"scale": 1, "probs": 0}


def _given(tree: ast.AST, kind: str, name: str) -> tuple[ast.Call, ast.expr] | None:
    """The call that makes a distribution, and what it gets for a parameter."""
    for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
        if ast.unparse(call.func).rpartition(".")[2] == kind:
            place = PLACES.get(name, len(call.args))
            found = [k.value for k in call.keywords if k.arg == name] + call.args[place : place + 1]
            if found and not isinstance(found[0], ast.Starred):
                return call, found[0]
    return None


def _out_of_range(incident: Incident) -> Iterator[dict]:
    """One case: what the parameter must be, and what makes it so. A nan has another cause."""
    words = re.search(
        r"parameter (\w+) .* of distribution (\w+)\(.* constraint (\w+)\(", incident.message, re.DOTALL
    )
    if words is None or words[3] not in RANGES or "nan" in incident.message.partition("invalid values")[2]:
        return
    name, kind, constraint = words.groups()
    given = _given(failing_tree(incident), kind, name)
    text = name if given is None else ast.unparse(given[1])
    own = text if given is None or isinstance(given[1], ATOMS) else f"({text})"
    new, repair = "", f"Make it positive, as softplus() or exp() does with {text}."
    if constraint != "GreaterThan":
        new, repair = f"logits={text}", f"If these are scores of any size, write {kind}(logits={text})."
    elif name == "scale" and "log" in text.lower():
        new = f"(0.5 * {text}).exp()" if "var" in text.lower() else f"{own}.exp()"
        repair = f"If {text} is a logarithm, write {new}."
    yield {"parameter": name, "kind": kind, "range": RANGES[constraint], "repair": repair, "new": new}


def _within_range(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    given = _given(statement, case["kind"], case["parameter"])
    if (
        given is not None
        and case["new"]
        and not any(k.value is given[1] and "=" in case["new"] for k in given[0].keywords)
    ):
        yield code.replaced(given[1], case["new"])


OPERATIONS.by_words(
    "parameter-out-of-range", "error", "a distribution gets a parameter that is out of its range",
    "{lead}{parameter} of {kind} must be {range}, and some of its elements are not.",
    "{repair}",
    """
log_std = jgrad.tensor([-1., 0.5])
jgrad.distributions.Normal(jgrad.zeros(2), log_std)
""", """
log_std = jgrad.tensor([-1., 0.5])
jgrad.distributions.Normal(jgrad.zeros(2), log_std.exp())
""",
    raised=("ValueError", r"Expected parameter \w+ \(\w+ of shape .*\) of distribution \w+\("),
    blanks=mended(_out_of_range, _within_range),
)  # fmt: skip
