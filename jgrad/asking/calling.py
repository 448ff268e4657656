"""`jgrad.why` and `trace.why`: questions that a program asks by a call."""

from __future__ import annotations

import ast
import dis
import linecache
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from keyword import iskeyword
from types import FrameType
from typing import Any

from jgrad import manual, warn
from jgrad.asking.answer import Answer, about_error, about_warnings, active, recent, remarks, whole
from jgrad.asking.facts import facts
from jgrad.asking.frames import entries_of, shown_with
from jgrad.asking.naming import BadInput
from jgrad.asking.question import CALL, answer
from jgrad.tracing import explain
from jgrad.tracing.document.passage import Passage
from jgrad.tracing.document.user_sources import name_of
from jgrad.tracing.document.wording import Wording
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.record.user_code import UserCode

NOTHING: Any = object()
# The nodes of an expression that names something: `model.layers[0].weight.grad`.
NAMING = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.UnaryOp, ast.USub, ast.expr_context)
NOTE = "jgrad: "  # with which the note of an error begins
VALUE = "value"  # what a question calls an object for which the program has no name


def why(question: Any = NOTHING, /) -> Answer:
    """Say why a `.grad` is what it is, what a tensor is to autograd, what in a model does not train, or why something raised."""
    frame = sys._getframe(1)
    traces = [*reversed(active), *reversed(recent)]
    if question is NOTHING:
        return _without_question(frame, traces)
    return asked(question, frame, traces)


def asked(question: Any, frame: FrameType, traces: Sequence[Recorded]) -> Answer:
    """The answer to a question that a frame asks by a call."""
    if isinstance(question, BaseException):
        return answer_to(question, traces)
    variables = {**frame.f_globals, **frame.f_locals}
    text = question if isinstance(question, str) else _written(frame, question, variables)
    wording = wording_of(frame.f_code.co_filename)
    return Answer(answer(text, variables, whole(traces), {}, CALL), wording, names=frozenset(variables))


def answer_to(error: BaseException, traces: Sequence[Recorded]) -> Answer:
    """Why an error was raised, or one that it came from."""
    answers = (_answer_about(one, traces) for one in shown_with(error))
    first = next(answers)
    return first or next(filter(None, answers), first)


def _answer_about(error: BaseException, traces: Sequence[Recorded]) -> Answer:
    user = UserCode()
    begin = next((e.tb_frame for e in entries_of(error.__traceback__) if user.runs(e.tb_frame)), None)
    variables: Mapping[str, Any] = {} if begin is None else begin.f_globals
    wording = None if begin is None else wording_of(begin.f_code.co_filename)
    # The lines of a block in a file count from its own first line. So a block in which this error was not raised is not asked.
    known = [t for t in whole(traces) if t.ended_with(error) or t.document.get("first", 1) == 1]
    passages = about_error(error, variables, known, is_recorded=any(t in active for t in traces))
    return Answer(passages, wording, bool(passages[0].code), frozenset(variables))


def note(error: BaseException, answer: Answer) -> None:
    """Have an error carry its answer, unless it carries one already: a trace that was nearer knows more of it."""
    if answer and not is_noted(error):
        BaseException.add_note(error, f"{NOTE}{answer}")


def is_noted(error: BaseException) -> bool:
    """Whether an error carries an answer."""
    notes = vars(error).get("__notes__", ())
    return any(isinstance(one, str) and one.startswith(NOTE) for one in notes)


def about_trace(trace: Recorded, warnings: Sequence[warn.Said] = ()) -> Answer:
    """What is remarkable about a trace, and about the warnings that were given in it."""
    return about_steps(explain.Log(trace.document), warnings)


def about_steps(log: explain.Log, warnings: Sequence[warn.Said] = ()) -> Answer:
    """What is remarkable about the steps of a document. If nothing is: what was looked at, and the facts that stand out."""
    wording = Wording.of(log.document)
    found = [*remarks(log), *about_warnings(warnings, log.document["notes"])]
    if found:
        return Answer(found, wording)
    return Answer([Passage(text, log) for text in facts(log)], wording, found=False)


def wording_of(filename: str, before: int = 0) -> Wording | None:
    """How answers read in the program of a file; None for a cell of a notebook. `before`: how many lines of the file come before those that were
    traced."""
    name = name_of(filename)
    return None if name.startswith(("cell ", "another cell")) else Wording(name, before)


def _without_question(frame: FrameType, traces: Sequence[Recorded]) -> Answer:
    user = UserCode()
    error = sys.exc_info()[1]
    # A debugger asks while it handles errors of its own.
    while error is not None and not any(user.runs(e.tb_frame) for e in entries_of(error.__traceback__)):
        error = error.__context__
    error = error or getattr(sys, "last_value", None)
    if error is not None:
        return answer_to(error, traces)
    if not traces:
        raise BadInput(f"jgrad.why: no error was raised, and no trace was recorded yet; {CALL.help}")
    return about_trace(traces[0])


def _written(frame: FrameType, value: Any, variables: dict[str, Any]) -> str:
    """How the program writes the object that it asks about. One that it computes in the question is called `value`."""
    argument = _argument(frame)
    if argument is not None and all(isinstance(node, NAMING) for node in ast.walk(argument)):
        return ast.unparse(argument)
    typed = None if argument is not None else _argument_by_code(frame)
    if typed is not None:
        return typed
    names = (name for name, known in variables.items() if known is value and name.isidentifier())
    name = None if value is None else next(names, None)
    if name is None and value is None:
        raise BadInput(f"jgrad.why: None says nothing about where it came from; {CALL.help}")
    if name is None:
        variables[VALUE] = value
    return name or VALUE


def _argument(frame: FrameType) -> ast.expr | None:
    """The first argument of the call that a frame makes, if its source is known."""
    place = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
    line, end_line, start, end = place
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    if line is None or end_line is None or end_line > len(lines):
        return None
    text = [one.encode() for one in lines[line - 1 : end_line]]
    text[-1] = text[-1][:end]
    text[0] = text[0][start:]
    try:
        call = ast.parse(b"".join(text), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return call.args[0] if isinstance(call, ast.Call) and call.args else None


def _argument_by_code(frame: FrameType) -> str | None:
    """The same of code without a source, as it is typed at a prompt or into a debugger: of its instructions, if the argument names something."""
    stack: list[str] = []
    ran = [one for one in dis.get_instructions(frame.f_code) if one.offset <= frame.f_lasti]
    for one in ran[:-1]:  # the last one is the call
        if one.opname == "LOAD_NAME":
            stack.append(one.argval)
        elif one.opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
            stack.append(repr(one.argval))
        elif one.opname in ("LOAD_ATTR", "LOAD_METHOD") and stack:
            stack.append(f"{stack.pop()}.{one.argval}")
        elif (one.opname == "BINARY_SUBSCR" or one.argrepr == "[]") and len(stack) > 1:
            index = stack.pop()
            stack.append(f"{stack.pop()}[{index}]")
        elif one.opname not in ("PUSH_NULL", "PRECALL", "CACHE"):
            stack.clear()
    root = re.split(r"[.\[]", stack[-1])[0] if stack else ""
    return stack[-1] if root.isidentifier() and not iskeyword(root) else None


manual.attach(__name__)
