"""Calls of backward() and autograd.grad() that can not begin, or not come to their end."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.syntax import left_off
from jgrad.tracing.explain.edits import Code, Edit
from jgrad.tracing.explain.history import instead_of
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.repairs import instead, mended, root_of_backward
from jgrad.tracing.explain.rule import RUNTIME, USER_WARNING, Rules, Said, first
from jgrad.tracing.explain.rules.no_history import cut_off, never_had

ERRORS = Rules()
# Losses that give a number for each sample or element.
LOSSES = (
    "nll_loss", "nll_loss2d", "nll_loss_nd", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
)  # fmt: skip
WARNINGS = Rules()
ROOTS_UNRECORDED = Rules()
ROOTS = Rules()


@ERRORS.rule(
    "root-without-history", "error", "backward() starts at a tensor without grad_fn",
    "{lead}backward() starts at a tensor that does not require grad: {why}",
    "",
    """
w = jgrad.ones(1, requires_grad=True)
y = (w * 2).detach()
loss = y * 3
loss.backward()
""", """
w = jgrad.ones(1, requires_grad=True)
y = w * 2
loss = y * 3
loss.backward()
""",
    raised=(RUNTIME, r"element \d+ of tensors does not require grad and does not have a grad_fn"), knows_more=True,
)  # fmt: skip
def root_without_history(incident: Incident) -> Iterator[dict]:
    known = [*_known_roots(incident)]
    said: Said | None = first(ROOTS_UNRECORDED, incident)
    for log, number, end in known:
        said = said or cut_off(log, number, end)
    for log, number, end in known:
        said = said or never_had(log, number, end, incident.variables)
    said = said or first(ROOTS, incident)
    if said is not None:
        yield {"why": said.text, "edits": said.edits}


@ROOTS_UNRECORDED.rule(
    "recording-left-off", "info", "backward() runs while set_grad_enabled(False) has switched recording off for good",
    "set_grad_enabled(False){where} has switched recording off, and nothing has switched it on again.",
    "{repair}",
)  # fmt: skip
def recording_left_off(incident: Incident) -> Iterator[dict]:
    if not incident.roots or mirrors.library_of(*map(mirrors.original, incident.roots)).is_grad_enabled():
        return
    blanks = {"where": "", "repair": "Write jgrad.set_grad_enabled(True) before what should be recorded."}
    log = incident.log
    for source, code in enumerate(Code.all_of(log) if log is not None else (), -1):
        line = left_off(code.lines)
        if log is None or line is None:
            continue
        at = log.places.of_line(line) if source < 0 else f"line {line + code.first - 1} of {code.file}"
        blanks["where"] = f" in {at}"
        statement = code.statement_at(line + code.first - 1)
        around = [f for f in code.statements if isinstance(f, ast.FunctionDef) and statement in f.body]
        if around and statement is not None and "set_grad_enabled(True)" not in code.text(around[0]):
            library = code.text(statement).rpartition("set_grad_enabled")[0]
            blanks["repair"] = f"Write @{library}no_grad() before {around[0].name}(), in place of this line."
            first = min([around[0].lineno, *(d.lineno for d in around[0].decorator_list)])
            begin = (first, 0, first, 0)
            indent = " " * around[0].col_offset
            mended = [code.without(statement), Edit(code.file, begin, f"{indent}@{library}no_grad()\n")]
            yield blanks | {"edits": mended}
            return
    yield blanks


@ROOTS.rule(
    "no-variable-requires-grad", "info", "no variable requires grad",
    "nothing that it was computed from requires grad, and no variable does.",
    "Make the tensors that should learn with requires_grad=True.",
)  # fmt: skip
def no_variable_requires_grad(incident: Incident) -> Iterator[dict]:
    if incident.variables and next(requiring(incident.variables.values()), None) is None:
        yield {}


@ROOTS.rule(
    "cut-suspected", "info", "no trace shows what the root was computed from, and a line of the cell cuts graphs",
    "nothing that it was computed from requires grad, or something cut the graph, as {words} in {at} does.",
    "{repair}",
)  # fmt: skip
def cut_suspected(incident: Incident) -> Iterator[dict]:
    suspect = next(cuts_in(incident.code, incident.line), None)
    if suspect is not None:
        line, words = suspect
        chosen = re.match(r"arg\w+", words)
        repair = instead_of(chosen[0]) if chosen else ""
        yield {"words": words, "at": incident.of_line(line), "repair": repair}


@ROOTS.rule(
    "cut-unknown", "info", "nothing shows what the root was computed from",
    "nothing that it was computed from requires grad, or detach(), .data or no_grad() cut the graph.",
    "",
)  # fmt: skip
def cut_unknown(incident: Incident) -> Iterator[dict]:
    yield {}


def _known_roots(incident: Incident) -> Iterator[tuple[Log, int, int]]:
    """What backward may have started at: (log, tensor, step before which it was made)."""
    mentioned = dict.fromkeys(
        re.findall(r"\w+\.grad\b", incident.what) + re.findall(r"[A-Za-z_]\w*", incident.what)
    )
    if incident.log is not None:
        log = incident.log
        numbers = [
            log.numbered(name, incident.step) or _assigned(log, incident.step, name) for name in mentioned
        ]
        made = [
            step["makes"][-1] for step in log.steps[: incident.step]
            if step.get("makes") and step["kind"] in ("op", "view") and step["line"] == incident.line and incident.line is not None
        ]  # fmt: skip
        yield from ((log, n, incident.step) for n in [*made[-1:], *numbers] if n is not None)
    named = [incident.variables.get(name) for name in mentioned]
    for tensor in [*incident.roots, *(t for t in named if isinstance(t, Tensor))]:
        for trace in incident.traces if not tensor.requires_grad else ():
            number = trace.number_of(tensor)
            if number is not None:
                ended = (
                    incident.log
                    if incident.log is not None and incident.log.document is trace.document
                    else None
                )
                log = ended or Log(trace.document, asked_elsewhere=True)
                yield log, number, len(log.steps)


def _assigned(log: Log, end: int, name: str) -> int | None:
    """What the function that raised gave to a variable. When an error ends the function, its variables are gone before their names are noted."""
    function = _function(log, end)
    for i in range(end - 1, -1, -1):
        step = log.steps[i]
        if step["kind"] in ("op", "view") and step.get("makes") and _function(log, i) == function:
            lines, span = log.places.written(step)
            if span is not None and re.match(rf"\s*{re.escape(name)}\s*=(?!=)", lines[span[0] - 1]):
                return step["makes"][-1]
    return None


def _function(log: Log, index: int) -> str:
    """The function in which a step ran; "" outside of functions."""
    call = log.steps[index].get("call")
    return "" if call is None else log.places.calls[call]["function"]


def requiring(values: Iterable[Any]) -> Iterator[Tensor]:
    """Of some values, and what lies in them, the tensors that require grad."""
    for value in map(mirrors.mirror, values):
        if isinstance(value, Tensor):
            if value.requires_grad:
                yield value
        elif isinstance(value, (list, tuple)):
            yield from requiring(value)
        elif isinstance(value, dict):
            yield from requiring(value.values())
        elif mirrors.is_module(value):
            yield from requiring(value.parameters())


CUTS = re.compile(
    r"\b(?:detach|item|tolist|numpy|long|int)\(\)|\barg(?:max|min|sort)\(|\.data\b|\b(?:no_grad|inference_mode)\(\)|\bset_grad_enabled\(False\)|\.tensor\("
)


def cuts_in(source: str, end: int | None) -> Iterator[tuple[int, str]]:
    """(line, words) of what may have cut a graph in a cell, the last one before line `end` first."""
    for number, line in reversed(list(enumerate(source.split("\n"), 1))):
        found = CUTS.findall(line.partition("#")[0]) if end is None or number <= end else []
        for words in reversed(found):
            yield number, f"{words.removeprefix('.')})" if words.endswith("(") else words


def _reduced(incident: Incident) -> Iterator[dict]:
    """A loss for each sample is meant to be averaged; anything else to be added up."""
    reduced = "mean" if _is_loss(incident) else "sum"
    found = mended(root_of_backward, instead("backward", f"{{owner}}.{reduced}().backward({{arguments}})"))
    yield from (case | {"reduced": reduced} for case in found(incident))


def _is_loss(incident: Incident) -> bool:
    """Whether backward() began at the values of a loss, as reduction="none" leaves them, or at squares of differences."""
    log = incident.log
    if log is None:
        return re.search(r"reduction\s*=\s*['\"]none", incident.code) is not None
    names = [case["bare"] for case in root_of_backward(incident)]
    found = (log.numbered(name, incident.step) for name in names)
    # A local variable has no name any more: the last result before is what it means.
    last = (t for step in reversed(log.steps[: incident.step]) for t in step.get("makes", ()))
    root = next((t for t in found if t is not None), next(last, None))
    for t in () if root is None else (root, *log.sources(root, incident.step)):
        step = None if t not in log.maker else log.steps[log.maker[t]]
        if step is None or not log.tensors[t]["shape"]:
            continue
        if step["op"] in LOSSES:
            return True
        made = (
            log.maker.get(step["reads"][0])
            if step["op"] in ("pow", "square", "abs") and step.get("reads")
            else None
        )
        if made is not None and log.steps[made]["op"] == "sub":
            return True
    return False


ERRORS.by_words(
    "root-not-scalar", "error", "backward() starts at a tensor of several elements",
    "{lead}backward() starts at a tensor with several elements, but only a scalar can start without gradient=.",
    "Write {root}.{reduced}().backward(), or {root}.backward(gradient=jgrad.ones_like({bare})).",
    """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.backward()
""", """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
""",
    raised=(RUNTIME, r"grad can be implicitly created only for"),
    blanks=_reduced,
)  # fmt: skip

ERRORS.by_words(
    "gradient-shape", "error", "the gradient= given to backward() has another shape than the tensor it starts at",
    "{lead}gradient= has shape {given}, but the tensor that backward() starts at has shape {shape}.",
    "Write {root}.backward(gradient=jgrad.ones_like({bare})), or pass one weight for each of its elements.",
    """
x = jgrad.ones(3, requires_grad=True)
y = x * 2
y.backward(jgrad.ones(2))
""", """
x = jgrad.ones(3, requires_grad=True)
y = x * 2
y.backward(jgrad.ones_like(y))
""",
    raised=(RUNTIME, r"Mismatch in shape: grad_output\[\d+\] has a shape of \w+\.Size\((?P<given>.*?)\) and output\[\d+\] has a shape "
                     r"of \w+\.Size\((?P<shape>.*?)\)"),
    blanks=mended(root_of_backward, instead("backward", "{owner}.backward(gradient={library}.ones_like({owner}))")),
)  # fmt: skip

ERRORS.by_words(
    "input-unused", "error", "autograd.grad() gets an input that the result was not computed from",
    "{lead}the graph of the result does not contain input {index} of autograd.grad() (counted from 0).",
    "Pass the tensor that the result was computed from, not a copy or a part of it, or pass allow_unused=True to get None.",
    """
w = jgrad.ones(1, requires_grad=True)
b = jgrad.ones(1, requires_grad=True)
y = w * 2
jgrad.autograd.grad(y, [w, b])
""", """
w = jgrad.ones(1, requires_grad=True)
b = jgrad.ones(1, requires_grad=True)
y = w * 2
jgrad.autograd.grad(y, [w, b], allow_unused=True)
""",
    raised=(RUNTIME, r"The differentiated Tensor at index (?P<index>\d+) appears to not have been used in the graph"),
)  # fmt: skip

ERRORS.by_words(
    "input-without-grad", "error", "autograd.grad() gets an input that does not require grad",
    "{lead}an input of autograd.grad() does not require grad, so autograd recorded no operation on it.",
    "Call x.requires_grad_() on this input x before the result is computed.",
    """
w = jgrad.ones(1, requires_grad=True)
x = jgrad.ones(1)
y = w * x
jgrad.autograd.grad(y, x)
""", """
w = jgrad.ones(1, requires_grad=True)
x = jgrad.ones(1).requires_grad_()
y = w * x
jgrad.autograd.grad(y, x)
""",
    raised=(RUNTIME, r"One of the differentiated Tensors does not require grad"),
)  # fmt: skip

ERRORS.by_words(
    "no-derivative", "error", "backward() reaches an operation that has no derivative",
    "{lead}backward() reached {op}(), which has no derivative.",
    "Pass x.detach() to {op}() if its input x needs no gradient, or use an operation that has a derivative.",
    """
x = jgrad.ones(2, requires_grad=True)
y = (x // 2).sum()
y.backward()
""", """
x = jgrad.ones(2, requires_grad=True)
y = (x / 2).floor().sum()
y.backward()
""",
    raised=(RUNTIME, r"derivative for aten::(?P<op>\w+) is not implemented"),
)  # fmt: skip

WARNINGS.by_words(
    "create-graph-cycle", "warning", "backward(create_graph=True)",
    "{lead}backward(create_graph=True) gives .grad a history that leads back to its own tensor, and this cycle keeps memory until .grad is "
    "set to None.",
    "Write `g, = jgrad.autograd.grad(y, x, create_graph=True)`, which returns the gradient.",
    """
x = jgrad.ones(1, requires_grad=True)
(x ** 3).backward(create_graph=True)
""", """
x = jgrad.ones(1, requires_grad=True)
g, = jgrad.autograd.grad(x ** 3, x, create_graph=True)
""",
    raised=(USER_WARNING, r"Using backward\(\) with create_graph=True will create a reference cycle"),
)  # fmt: skip
