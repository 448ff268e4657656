"""What is known of the tensors in an expression that failed: their shapes, their dtypes and where they come from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from jgrad.trace.document.index import name_at
from jgrad.trace.document.syntax import parsed
from jgrad.trace.explain.incident import Incident
from jgrad.trace.record.held import held


@dataclass
class Operand:
    """A tensor that a variable means."""

    name: str
    shape: list[int]
    dtype: str
    number: int | None = None  # in the log of the incident


def known_tensors(incident: Incident) -> dict[str, Operand]:
    """The tensors that have a name where something failed."""
    found = {}
    log = incident.log
    if log is not None:
        for t in log.tensors:
            name = name_at(t, incident.step)
            gone = t["freed_step"] is not None and t["freed_step"] < incident.step
            if name and not gone:
                now = log.state(t["id"], incident.step)
                found[name] = Operand(name, now["shape"], now["dtype"], t["id"])
    for name, tensor in held(incident.variables).items():
        if "param_groups[" not in name:
            found.setdefault(name, Operand(name, list(tensor.shape), tensor.dtype.name))
    return found


def failing_tree(incident: Incident) -> ast.AST:
    """The expression that failed."""
    return parsed(incident.failing().strip().split("\n"))


def in_expression(incident: Incident) -> list[Operand]:
    """The tensors that the failing expression names, in order."""
    known, found = known_tensors(incident), []
    for node in ast.walk(failing_tree(incident)):
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            operand = known.get(ast.unparse(node))
            if operand is not None and operand not in found:
                found.append(operand)
    return found


def pairs(incident: Incident) -> Iterator[tuple[str, Operand, Operand]]:
    """(operator, left, right) of the operators between two named tensors in the failing expression."""
    known = known_tensors(incident)
    for node in ast.walk(failing_tree(incident)):
        if isinstance(node, ast.BinOp):
            left, right = known.get(ast.unparse(node.left)), known.get(ast.unparse(node.right))
            sign = SIGNS.get(type(node.op).__name__)
            if left is not None and right is not None and sign is not None:
                yield sign, left, right


SIGNS = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "MatMult": "@", "Pow": "**"}


def origin(incident: Incident, operand: Operand) -> tuple[str, str]:
    """(place, code) of what first gave a tensor its dtype: "line 2", "jgrad.from_numpy(data)"; nothing if that is not known."""
    log = incident.log
    if log is not None and operand.number is not None:
        same = [
            t for t in log.sources(operand.number, incident.step) if log.tensors[t]["dtype"] == operand.dtype
        ]
        first = [
            t
            for t in sorted(same)
            if t in log.maker and not any(r in same for r in log.read_for(t, incident.step))
        ]
        if first:
            step = log.maker[first[0]]
            return log.at(step), log.doing(step)
        return "", ""
    for node in reversed(list(ast.walk(parsed(incident.cell)))):
        if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == [operand.name]:
            return f"line {node.lineno}", ast.unparse(node.value)
    return "", ""


NUMPY = re.compile(r"\b(?:from_numpy|numpy|np)\b")


def from_numpy(incident: Incident, code: str) -> bool:
    """Whether code makes a tensor of a NumPy array."""
    if NUMPY.search(code):
        return True
    assigned = {
        ast.unparse(t): ast.unparse(node.value) for node in ast.walk(parsed(incident.cell)) if isinstance(node, ast.Assign) for t in node.targets
    }  # fmt: skip
    names = {n.id for n in ast.walk(parsed([code])) if isinstance(n, ast.Name)}
    return any(NUMPY.search(assigned.get(name, "")) for name in names)
