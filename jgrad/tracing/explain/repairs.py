"""Repairs as code that can be copied: with the names of the user's source, where it holds them."""

from __future__ import annotations

import ast
import dis
import re
from collections.abc import Callable, Iterable, Iterator
from types import CodeType

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.document.syntax import parsed
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, at_step, calls_of, names_in
from jgrad.tracing.explain.incident import LONGEST, Incident
from jgrad.tracing.explain.meaning import meaning

NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+|\[-?\d+\])*")  # what code may assign to: w, net.weight, xs[0]


def before(incident: Incident, attribute: str, otherwise: str = "x") -> str:
    """What stands before an attribute in the code that raised: `w` of `w.grad = g`; `otherwise` if that is not known, or long."""
    for text in (incident.what, incident.failing()):
        for node in ast.walk(parsed(text.strip().removesuffix(":").split("\n"))):
            if isinstance(node, ast.Attribute) and node.attr == attribute:
                found = ast.unparse(node.value)
                return found if len(found) <= LONGEST else otherwise
    return otherwise


def named(attribute: str, otherwise: str = "x") -> Callable[[Incident], Iterator[dict[str, str]]]:
    """A finder of one case: its `name` is what stands before an attribute, and so is its `subject`. What has no name gets one that the program has not,
    and the subject says so."""

    def find(incident: Incident) -> Iterator[dict[str, str]]:
        found = before(incident, attribute, "")
        if NAME.fullmatch(found):
            yield {"name": found, "subject": found}
        else:
            name = next(n for n in ("h", "t", f"new_{otherwise}") if n not in incident.variables)
            yield {"name": name, "subject": f"{found or 'this tensor'}, here called {name},"}

    return find


def root_of_backward(incident: Incident) -> Iterator[dict[str, str]]:
    """One case: its `root` is the expression that backward() is called on, in parentheses where it needs them."""
    for node in ast.walk(parsed(incident.what.split("\n"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "backward"
        ):
            owner = node.func.value
            owner = node.args[0] if ast.unparse(owner).endswith("autograd") and node.args else owner
            text = ast.unparse(owner)
            simple = isinstance(owner, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
            if len(text) <= LONGEST:
                yield {"root": text if simple else f"({text})", "bare": text}
                return
    yield {"root": "y", "bare": "y"}


def in_place_write(incident: Incident) -> Iterator[dict[str, str]]:
    """One case about a write in place: `code` is the statement, `name` what it writes to, `part` a variable for it: a tuple's element can't be
    given a new value."""
    name = written_to(incident) or "x"
    yield {"code": incident.what or "...", "name": name, "part": name if name.isidentifier() else "part"}


def copied_operand(incident: Incident) -> Iterator[dict[str, str]]:
    """One case: `code` is the in-place call with a copy of its argument."""
    code = "a[1:].add_(a[:-1].clone())"
    for node in ast.walk(parsed([incident.what])):
        if (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], (ast.Name, ast.Attribute, ast.Subscript))
        ):
            code = f"{ast.unparse(node.func)}({ast.unparse(node.args[0])}.clone())"
            break
    yield {"code": code}


def operand(incident: Incident) -> Iterator[dict[str, str]]:
    """One case: its `name` is the tensor that a method was called on, or that was indexed; "x" if that is not known."""
    for node in ast.walk(parsed(incident.what.split("\n"))):
        owner = node.value if isinstance(node, ast.Subscript) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
        if owner is not None and _is_a_tensor(incident, ast.unparse(owner)):
            yield {"name": ast.unparse(owner)}
            return
    yield {"name": "x"}


def _is_a_tensor(incident: Incident, name: str) -> bool:
    """Whether a name means a tensor where something was raised."""
    traced = incident.log is not None and incident.log.numbered(name, incident.step) is not None
    return traced or isinstance(meaning(name, incident.variables), Tensor)


def argument(otherwise: str = "y") -> Callable[[Incident], Iterator[dict[str, str]]]:
    """A finder of one case: its `name` is the first argument of the call; `otherwise` if that is no name."""

    def find(incident: Incident) -> Iterator[dict[str, str]]:
        for node in ast.walk(parsed(incident.what.split("\n"))):
            if isinstance(node, ast.Call) and node.args and NAME.fullmatch(ast.unparse(node.args[0])):
                yield {"name": ast.unparse(node.args[0])}
                return
        yield {"name": otherwise}

    return find


def given_as(place: int, blank: str, otherwise: str) -> Callable[[Incident], Iterator[dict[str, str]]]:
    """A finder of one case: its `blank` is an argument of the outermost call as the user wrote it; `otherwise` if that is not known, or long."""

    def find(incident: Incident) -> Iterator[dict[str, str]]:
        calls = [n for n in ast.walk(parsed(incident.what.split("\n"))) if isinstance(n, ast.Call)]
        given = [n for n in calls[0].args[place : place + 1] if isinstance(n, ATOMS)] if calls else []
        text = ast.unparse(given[0]) if given else ""
        yield {blank: text if 0 < len(text) <= LONGEST else otherwise}

    return find


def written_to(incident: Incident) -> str:
    """The variable that the statement which raised writes to in place: `y` of `y.mul_(2)`, `y[0] = 1` and `y += 1`; nothing if it is no tensor."""
    body = parsed([incident.what]).body
    first = body[0] if len(body) == 1 else None
    targets: list[ast.expr] = []
    if isinstance(first, ast.AugAssign):
        targets = [first.target]
    elif isinstance(first, ast.Assign):
        targets = first.targets[:1]
    elif isinstance(first, ast.Expr) and isinstance(first.value, ast.Call):
        function = first.value.func
        targets = [*([function.value] if isinstance(function, ast.Attribute) else []), *first.value.args[:1]]
    for target in targets:
        while isinstance(target, ast.Subscript) and not _is_a_tensor(incident, ast.unparse(target)):
            target = target.value
        if _is_a_tensor(incident, ast.unparse(target)):
            return ast.unparse(target)
    return ""


def out_of_place(statement: str, tensor: str) -> str:
    """The statement that makes a new tensor instead of a write to `tensor`: `y = y.mul(2)` for `y.mul_(2)`, `y = y + 1` for `y += 1`; nothing if
    it is not known."""
    body = parsed([statement]).body
    first = body[0] if len(body) == 1 and NAME.fullmatch(tensor) else None
    if isinstance(first, ast.AugAssign) and ast.unparse(first.target) == tensor:
        return (
            f"{tensor} = {ast.unparse(ast.BinOp(ast.parse(tensor, mode='eval').body, first.op, first.value))}"
        )
    call = first.value if isinstance(first, ast.Expr) else None
    if (
        not isinstance(call, ast.Call)
        or not isinstance(call.func, ast.Attribute)
        or not call.func.attr.endswith("_")
    ):
        return ""
    owner, operation = call.func.value, call.func.attr
    arguments = [ast.unparse(part) for part in (*call.args, *call.keywords)]
    method = ast.unparse(owner) == tensor
    function = isinstance(owner, ast.Name) and arguments[:1] == [tensor]  # jgrad.relu_(y)
    if (method or function) and hasattr(Tensor, operation[:-1]):
        return f"{tensor} = {ast.unparse(owner)}.{operation[:-1]}({', '.join(arguments)})"
    return ""


def instead_of(statement: str, tensor: str, otherwise: str) -> str:
    """The sentence that replaces a write to a tensor by the statement that makes a new one; `otherwise` if that is not known."""
    code = out_of_place(statement, tensor)
    return f"Write `{code}`, which makes a new tensor." if code else otherwise


# Edits --------------------------------------------------------------------------------------------------------------------------------

Finder = Callable[[Incident], Iterator[dict]]
Mend = Callable[[Code, ast.stmt, dict], Iterable[Edit]]


def at_incident(incident: Incident) -> tuple[Code, ast.stmt] | None:
    """The statement that raised, with its text; None where that is not known."""
    if incident.log is not None:
        return at_step(incident.log, incident.step)
    lines, line = incident.raising
    code = Code(lines, incident.file, library=mirrors.name_among(incident.variables.values()))
    statement = None if line is None else code.statement_at(line)
    return None if statement is None else (code, statement)


def mended(find: Finder, mend: Mend) -> Finder:
    """A finder whose cases have the edits that `mend` makes of the statement that raised."""

    def both(incident: Incident) -> Iterator[dict]:
        place = at_incident(incident)
        for case in find(incident):
            yield (
                case
                if place is None
                else case | {"edits": [*mend(*place, {"ran": incident.expression, **case})]}
            )

    return both


def mending(mend: Mend) -> Callable[[Finder], Finder]:
    """A decorator of a finder: the same as `mended`."""
    return lambda find: mended(find, mend)


def argument_as(number: int, text: str, *others: str) -> Mend:
    """The argument of this number of the call that raised becomes `text`, with the blank `argument`; where that is not known, of the outermost call that has so
    many. `others`: words that must not stand in it yet."""

    def mend(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
        calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call)]
        for call in [n for n in calls if code.text(n) == case.get("ran")] or calls:
            if len(call.args) > number and not isinstance(call.args[number], ast.Starred):
                given = call.args[number]
                plain = isinstance(given, ATOMS) and not isinstance(given, ast.Constant)
                old = code.text(given) if plain else f"({code.text(given)})"
                if not any(word in old for word in others):
                    yield code.replaced(given, text.format(argument=old))
                return

    return mend


def call_of_layer(incident: Incident, kind: str) -> str:
    """The only call of a layer of this kind in the statement that raised, as it is written; nothing if there are more."""
    place = at_incident(incident)
    calls = [] if place is None else [n for n in ast.walk(place[1]) if isinstance(n, ast.Call)]
    own = [n for n in calls if kind in type(meaning(ast.unparse(n.func), incident.variables)).__name__]
    return place[0].text(own[0]) if place is not None and len(own) == 1 else ""


def returning(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The function that begins in the line of the case returns what its last statement computes."""
    for function in code.statements:
        if isinstance(function, ast.FunctionDef) and function.lineno == case["line"]:
            last = function.body[-1]
            if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant):
                yield code.replaced(last, f"return {code.text(last)}")
            elif isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
                yield code.after(last, f"return {last.targets[0].id}")


def gives_none(code: CodeType) -> bool:
    """Whether each way out of a function gives None."""
    steps = [*dis.get_instructions(code)]
    ends = [k for k, step in enumerate(steps) if step.opname in ("RETURN_VALUE", "RETURN_CONST")]
    if any(step.opname in ("RAISE_VARARGS", "YIELD_VALUE") for step in steps):
        return False
    return all((steps[k] if steps[k].opname == "RETURN_CONST" else steps[k - 1]).argval is None for k in ends)


def called(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """The method of the case, which the statement names, is called."""
    functions = [n.func for n in ast.walk(statement) if isinstance(n, ast.Call)]
    for node in names_in(statement, case["name"]):
        if node not in functions:
            yield code.replaced(node, f"{code.text(node)}()")


def under_no_grad(code: Code, statement: ast.stmt, case: dict) -> Iterable[Edit]:
    """The statement inside `with no_grad():`."""
    return [code.under(statement, f"with {library(code)}.no_grad():"[:-1])]


def library(code: Code) -> str:
    """The name under which a text uses the library; its own name in a function that does not mention it."""
    names = [n.id for n in ast.walk(code.tree) if isinstance(n, ast.Name)]
    return next((name for name in names if name in ("torch", "jgrad")), code.library)


def instead(attribute: str, text: str) -> Mend:
    """Replaces the calls `owner.attribute(...)`: `text` has the blanks `owner` and `arguments`."""

    def mend(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
        for call in calls_of(statement, attribute):
            assert isinstance(call.func, ast.Attribute)
            owner = code.text(call.func.value)
            plain = isinstance(call.func.value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
            parts = [ast.unparse(p) for p in (*call.args, *call.keywords)]
            owner = owner if plain else f"({owner})"
            yield code.replaced(
                call, text.format(owner=owner, arguments=", ".join(parts), library=library(code))
            )

    return mend


def new_statement(text: str) -> Mend:
    """Replaces the whole statement; `text` has the blanks of the case."""

    def mend(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
        yield code.replaced(statement, text.format(**case))

    return mend
