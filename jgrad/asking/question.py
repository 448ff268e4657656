"""What a question does, by `%why` or `jgrad.why`: find out what is asked about, try out what may raise, and ask `explain`."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from jgrad import mirrors
from jgrad.asking.naming import BadInput, no_tensor, value_of
from jgrad.tensor import Tensor
from jgrad.tracing import explain
from jgrad.tracing.document.passage import Passage, Repair
from jgrad.tracing.explain.edits import Edit, importing
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.record.held import held, kept_grads

# Errors about values that a training which grew may have made.
OF_VALUES = re.compile(r"(?i)\bnan\b|\binf|invalid value|finite")
ASKED = ("grad", "requires_grad", "is_leaf", "grad_fn")  # of a tensor


class Asker(NamedTuple):
    """By what a question is asked."""

    name: str
    help: str
    """What to write instead of a question that can't be answered."""
    ask: str
    """How a question about something is written."""


MAGIC = Asker("%why", "write %why x.grad, %why y.backward() or %why x", "%why {}")
CALL = Asker(
    "jgrad.why", 'write jgrad.why("x.grad"), jgrad.why("y.backward()") or jgrad.why(x)', "jgrad.why({})"
)


def answer(
    text: str,
    variables: dict[str, Any],
    traces: Sequence[Recorded],
    cells: Mapping[int, str],
    asker: Asker = MAGIC,
) -> list[Passage]:
    """The answer to the question `text`. `variables` are the user's, `traces` the recordings, the last one first, `cells` the sources of the
    notebook's cells by number."""
    mirrors.load()
    return named(_Question(text, variables, traces, cells, asker).answer(), variables)


def named(passages: list[Passage], variables: Mapping[str, Any]) -> list[Passage]:
    """Passages that name the library at hand."""
    for passage in passages:
        document: Any = {} if passage.log is None else passage.log.document
        library = document.get("library") or mirrors.name_among(variables.values())
        modules = mirrors.modules_in(variables)
        passage.text = mirrors.named_in(passage.text, library, modules)
        if passage.repair is not None:
            own = [e._replace(text=mirrors.named_in(e.text, library, modules)) for e in passage.repair.edits]
            passage.repair.edits = importing(own, passage.repair.cell, library, modules)
    return passages


@dataclass
class _Question:
    """What is asked, and what is known when it is asked."""

    text: str
    variables: dict[str, Any]
    traces: Sequence[Recorded]
    cells: Mapping[int, str]
    asker: Asker
    # What the question computed. A mirror lives no longer than its tensor, which nothing else may hold.
    computed: list[Any] = field(default_factory=list)

    def answer(self) -> list[Passage]:
        try:
            tree = ast.parse(self.text)
        except SyntaxError as error:
            known = explain.about_words(self.text)
            if known is None:
                raise self._refused(f"{self.text} is not an expression ({error.msg})") from None
            return [Passage(known)]
        statement = tree.body[0] if len(tree.body) == 1 else None
        expression = _subject_of(statement.value if isinstance(statement, ast.Expr) else None)
        if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
            return [Passage(self._about_message(expression.value))]
        if isinstance(expression, ast.Attribute) and expression.attr in ASKED:
            return self._about_attribute(expression)
        return self._about_code(expression)

    def _about_attribute(self, expression: ast.Attribute) -> list[Passage]:
        """Why `x.grad`, `x.is_leaf` and the like are what they are."""
        name = self._written(expression.value)
        tensor = self._mirror(self._value(expression.value))
        if not isinstance(tensor, Tensor):
            raise self._refused(no_tensor(name, tensor))
        if expression.attr == "grad" and _forbidden_view(tensor) is None:
            subject = explain.Subject.best(name, tensor, self.traces)
            found = explain.reason(subject)
            return [
                Passage(
                    _with_brackets(found["text"], name),
                    subject.log,
                    code=found["code"],
                    repair=repair_of(found["edits"], subject.log),
                )
            ]
        return self._describe(name, tensor)

    def _about_code(self, expression: ast.expr | None) -> list[Passage]:
        """Try the code out: why it raises or warns, or what its value is. `expression` is None for statements."""
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always", UserWarning)
                call = _backward_call(expression)
                if call is not None:
                    return [Passage(self._try_backward(call))]
                optimizer = self._optimizer_of(expression)
                if optimizer is not None:
                    return [Passage(self._about_step(expression, optimizer))]
                value = self._mirror(self._run(expression))
        except BadInput:
            raise
        except Exception as error:
            return self._because(error)
        answers = [
            explain.why_raised(self._of_code(Incident(w.category.__name__, str(w.message)))) for w in warned
        ]
        if any(answers):
            return [Passage(found[1]) for found in answers if found is not None]
        return self._about_value(expression, value)

    def _of_code(self, incident: Incident) -> Incident:
        """Something that the code raised or gave, with the code."""
        incident.line, incident.what, incident.source = None, re.sub(r"\s+", " ", self.text), self.text
        return incident

    def _about_step(self, call: Any, optimizer: Any) -> str:
        """What `opt.step()` would change."""
        if call.func.attr == "zero_grad":
            raise self._refused(f"{self.text} would clear gradients, and {self.asker.name} changes nothing")
        may_be_tried = not call.args and not call.keywords
        return self._would_step(self.text, optimizer, may_be_tried)

    def _would_step(self, text: str, optimizer: Any, may_be_tried: bool) -> str:
        known = self.variables, self.traces
        return explain.would_step(explain.AskedStep(text, optimizer, *known, may_be_tried, self.cells))

    def _about_value(self, expression: ast.expr | None, value: Any) -> list[Passage]:
        """What a value is to autograd."""
        if mirrors.is_module(value):
            return [Passage(*explain.about_model(self.text, value, self.variables, self.traces, self.cells))]
        if mirrors.is_optimizer(value):
            return [Passage(self._would_step(f"{self.text}.step()", value, True))]
        if isinstance(value, Tensor):
            return self._describe(self.text, value)
        if isinstance(value, np.ndarray) and value.size:
            for name, tensor in held(self.variables).items():
                if np.may_share_memory(value, tensor._a):
                    said = f"{self.text} is a NumPy array that shares its memory with {name}: what is written to one shows in both. "
                    copy = f"Write {self.text} = {self.text}.copy() where it is made, if it should keep its numbers."
                    return [Passage(f"{said}{copy}"), *self._describe(name, tensor)]
        if isinstance(value, (list, tuple)) and len({id(v) for v in value}) < len(value):
            names = (
                {id(v): n for n, v in held({self.text: value}).items()} if self.text.isidentifier() else {}
            )
            if names:
                first = next(iter(names.values()))
                said = f"{self.text} holds one and the same tensor several times, as [x] * 3 makes it: a write to one shows in all. "
                copy = "Make each of its own, as in [x.clone() for _ in range(3)]."
                return [Passage(f"{said}{copy}"), *self._describe(first, held({self.text: value})[first])]
        if isinstance(expression, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant)):
            inside = next(iter(held({self.text: value})), None) if self.text.isidentifier() else None
            hint = f"write {self.asker.ask.format(inside)}" if inside else ""
            raise self._refused(no_tensor(self.text, value), hint)
        raise self._refused(f"{self.text} raised no error")

    def _describe(self, name: str, tensor: Tensor) -> list[Passage]:
        """What a tensor is to autograd, or why it is a view that can not be used any more."""
        forbidden = _forbidden_view(tensor)
        if forbidden is not None:
            return self._because(forbidden)
        asked = explain.AskedTensor(name, tensor, self.variables, self.traces, self.cells)
        log = asked.subject.log
        repair = repair_of(explain.repair_of_changed(asked), log)
        return [Passage(_with_brackets(explain.describe(asked), name), log, repair=repair)]

    def _because(self, error: Exception) -> list[Passage]:
        """Why the code raised this."""
        incident = Incident.of_error(error, self.variables, self.traces, self.cells)
        if not incident.file:  # else a function that the code called raised
            self._of_code(incident)
        incident.untraced = False  # %why has just run it: there is no cell to trace
        return [about_incident(incident)]

    def _about_message(self, message: str) -> str:
        """The answer to the words of an error or a warning."""
        known = explain.about_words(message)
        if known is None:
            raise BadInput(f"{self.asker.name} does not know the message {message[:60]!r}; {self.asker.help}")
        return known

    def _optimizer_of(self, expression: ast.expr | None) -> Any:
        """The optimizer whose step() or zero_grad() an expression calls."""
        called = expression.func if isinstance(expression, ast.Call) else None
        if not isinstance(called, ast.Attribute) or called.attr not in ("step", "zero_grad"):
            return None
        owner = self._value(called.value)
        return owner if mirrors.is_optimizer(owner) else None

    def _run(self, expression: ast.expr | None) -> Any:
        """Run the code; the value of an expression, None for statements."""
        mode = "exec" if expression is None else "eval"
        code = compile(self.text, f"<%why {self.text}>", mode, dont_inherit=True)
        try:
            # On a copy: x = 3 must not change the user's x.
            return eval(code, dict(self.variables))
        except NameError as error:
            if error.name and not hasattr(error, "obj"):
                raise self._refused(f"{error.name} is not defined") from None
            raise

    def _try_backward(self, parts: tuple[ast.Call, ast.expr]) -> str:
        """What `root.backward(...)` would do: the same pass, by which no `.grad` and no saved tensor changes."""
        call, before = parts
        asked, args = before, [self._value(arg) for arg in call.args]
        owner = self._value(before)
        roots = [owner]
        if owner in mirrors.autograd_modules() and args:
            asked, first = call.args[0], args.pop(0)
            roots = list(first) if isinstance(first, (list, tuple)) else [first]
        for root in roots:
            if not mirrors.is_tensor(root):
                _ = owner.backward  # what has none raises what the call would raise
                name = self._written(asked)
                raise self._refused(no_tensor(name, root))
        given = {k.arg: self._value(k.value) for k in call.keywords if k.arg}
        start = args[0] if args else given.get("gradient", given.get("grad_tensors"))
        inputs = given.get("inputs")
        leaves = _leaves(roots) if inputs is None else [inputs] if mirrors.is_tensor(inputs) else list(inputs)
        library = mirrors.library_of(*roots)
        with kept_grads(self.variables):
            found = library.autograd.grad(roots, leaves or roots, start, retain_graph=True, allow_unused=True)
        leaves, found = [*map(self._mirror, leaves)], [*map(self._mirror, found)]
        gradients = {id(leaf): g for leaf, g in zip(leaves, found, strict=False)}
        names = {n: id(v) for n, v in held(self.variables).items() if id(v) in gradients}
        named = {number: f"{n}.grad" for n, number in reversed(names.items())}
        nameless = {
            id(t): f"the .grad of a tensor of shape {list(t.shape)} without a name"
            for t in leaves
            if id(t) not in named
        }
        order = [*dict.fromkeys(names.values()), *nameless]
        return explain.would_do(
            self.text, [(named | nameless)[k] for k in order], [gradients[k] for k in order]
        )

    def _written(self, node: ast.expr) -> str:
        """A part of the question."""
        return ast.get_source_segment(self.text, node) or self.text

    def _value(self, node: ast.expr) -> Any:
        """What a part of the question means."""
        return value_of(self._written(node), self.variables, self.asker.name)

    def _mirror(self, value: Any) -> Any:
        """The mirror of what the question has computed."""
        self.computed.append(value)
        return mirrors.mirror(value)

    def _refused(self, what: str, hint: str = "") -> BadInput:
        """The error of a question that can't be answered, with what to write instead."""
        return BadInput(f"{self.asker.name}: {what}; {hint or self.asker.help}")


def about_incident(incident: Incident) -> Passage:
    """Why something raised. Its lines are those of the trace that it ended, if there is one."""
    step = incident.step if incident.log is not None else None
    known = explain.why_raised(incident)
    cause = explain.cause_of(
        incident,
        {"causes": explain.GROWS if OF_VALUES.search(incident.message) else ()}
        if known is None
        else known[2],
    )
    if cause is not None:
        repair = repair_of(explain.edits_of(cause), incident.log)
        return Passage(cause["text"], incident.log, cause["step"], incident.failing(), cause["code"], repair)
    edits = [] if known is None else [*known[2].get("edits", ())]
    repair = repair_of(edits, incident.log)
    if repair is not None and incident.log is None:
        lines = incident.code.split("\n")
        repair = Repair(edits, [] if incident.file else lines, {incident.file: [(1, lines)]})
    code = "" if known is None else known[0].code
    return Passage(explain.because(incident), incident.log, step, incident.failing(), code, repair)


def repair_of(edits: Sequence[Edit], log: explain.Log | None) -> Repair | None:
    """Edits with the texts that they change, which a log knows; None where there are none."""
    if not edits:
        return None
    known = [] if log is None else log.document.get("sources", [])
    files: dict[str, list[tuple[int, list[str]]]] = {}
    for one in known:
        files.setdefault(one["name"], []).append((one["first"], one["lines"]))
    return Repair(edits, [] if log is None else log.source, files)


def _subject_of(expression: ast.expr | None) -> ast.expr | None:
    """What `x.grad is None` and `not x.is_leaf` ask about."""
    asked = expression
    if isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
        asked = asked.operand
    if isinstance(asked, ast.Compare):
        asked = asked.left
    return asked if isinstance(asked, ast.Attribute) and asked.attr in ASKED else expression


def _with_brackets(text: str, name: str) -> str:
    """A text in which an expression such as `x * 2` stands in brackets before a dot."""
    tree = ast.parse(name, mode="eval").body
    if isinstance(tree, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
        return text
    return re.sub(rf"(?<!\w){re.escape(name)}(?=\.\w)", lambda found: f"({found[0]})", text)


def _forbidden_view(tensor: Tensor) -> RuntimeError | None:
    """What a view raises, whatever is asked about it, after a write that autograd forbids."""
    try:
        mirrors.original(tensor).grad_fn  # noqa: B018
    except RuntimeError as error:
        return error
    return None


def _backward_call(expression: ast.expr | None) -> tuple[ast.Call, ast.expr] | None:
    """(call, what stands before .backward) if an expression is a call of backward()."""
    if (
        isinstance(expression, ast.Call)
        and isinstance(expression.func, ast.Attribute)
        and expression.func.attr == "backward"
    ):
        return expression, expression.func.value
    return None


def _leaves(roots: list[Any]) -> list[Any]:
    """The leaves that a backward pass from some tensors would reach."""
    leaves = {id(root): root for root in roots if root.is_leaf and root.requires_grad}
    todo = [root.grad_fn for root in roots if root.grad_fn is not None]
    seen = {*todo}
    while todo:
        node = todo.pop()
        if hasattr(node, "variable"):
            leaves[id(node.variable)] = node.variable
        for target, _ in node.next_functions:
            if target is not None and target not in seen:
                seen.add(target)
                todo.append(target)
    return list(leaves.values())
