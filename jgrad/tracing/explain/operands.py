"""What is known of the tensors in an expression that failed: their shapes, their dtypes and where they come from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.syntax import parsed
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.record.held import held


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


def elements(incident: Incident, operand: Operand) -> list[str]:
    """The elements of a tensor where something failed, as far as they are known: of a large one its least and its largest."""
    log = incident.log
    now = held(incident.variables).get(operand.name)
    if now is not None:
        return [str(x) for x in now._a.ravel().tolist()]
    if log is None or operand.number is None:
        return []
    contents = log.contents(log.state(operand.number, incident.step)["storage"], incident.step)
    bands = contents.get("bands")
    ends = [] if bands is None else [x for x in (bands["largest"], bands["least"]) if x is not None]
    return [*ends, *contents["elements"]]


def failing_tree(incident: Incident) -> ast.AST:
    """The expression that failed, or the statement: the head of a loop alone is no text that can be parsed."""
    text = incident.failing().strip()
    return parsed((f"{text} ..." if text.endswith(":") else text).split("\n"))


def in_expression(incident: Incident) -> list[Operand]:
    """The tensors that the failing expression names, in order, and then those that its line names."""
    known, found = known_tensors(incident), []
    for tree in (parsed(incident.expression.split("\n")), failing_tree(incident)):
        for node in ast.walk(tree):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
                operand = _meant(ast.unparse(node), known)
                if operand is not None and operand not in found:
                    found.append(operand)
    return found


def _meant(text: str, known: dict[str, Operand]) -> Operand | None:
    """The tensor that a text means. `self.w` may be what is known as `net[1].w`, if only one tensor is called so."""
    if text in known or not text.startswith("self."):
        return known.get(text)
    same = [x for name, x in known.items() if name.endswith(text[4:])]
    return replace(same[0], name=text) if len(same) == 1 else None


def models_in(incident: Incident) -> list[Operand]:
    """The models that the failing expression names, each as one of its parameters, under the name of the model."""
    tree = parsed(incident.expression.split("\n"))
    names = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))}
    weights = sorted(known_tensors(incident).values(), key=lambda x: x.name)
    found = {}
    for name in names:
        of_it = [x for x in weights if re.match(rf"{re.escape(name)}(?:\.\w+|\[\d+\])*\.weight$", x.name)]
        if of_it and len({x.dtype for x in of_it}) == 1:
            found[name] = replace(of_it[0], name=name)
    return [*found.values()]


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
    elif at := _assigned(incident.cell, operand.name):
        return f"line {at[0]}", at[1]
    for number, cell in sorted(incident.cells.items(), reverse=True):
        at = _assigned(cell.split("\n"), operand.name)
        if at and from_numpy(incident, at[1], cell.split("\n")):
            return f"cell {number}, line {at[0]}", at[1]
    return "", ""


def _assigned(cell: list[str], name: str) -> tuple[int, str] | None:
    """(line, code) of what is assigned last to a name in a cell."""
    for node in reversed(list(ast.walk(parsed(cell)))):
        if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == [name]:
            return node.lineno, ast.unparse(node.value)
    return None


NUMPY = re.compile(r"\b(?:from_numpy|numpy|np)\b")


def from_numpy(incident: Incident, code: str, cell: list[str] | None = None) -> bool:
    """Whether code makes a tensor of a NumPy array. `cell`: where it stands, if that is not the cell that raised."""
    if NUMPY.search(code):
        return True
    assigned = {
        ast.unparse(t): ast.unparse(node.value) for node in ast.walk(parsed(cell or incident.cell)) if isinstance(node, ast.Assign) for t in node.targets
    }  # fmt: skip
    names = {n.id for n in ast.walk(parsed([code])) if isinstance(n, ast.Name)}
    return any(NUMPY.search(assigned.get(name, "")) for name in names)
