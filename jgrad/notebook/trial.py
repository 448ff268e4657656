"""`%fix --try`: runs a cell again with a repair, in copies of its variables as they were before it, and says whether the trouble is gone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import CodeType
from typing import Any

from jgrad.asking.naming import BadInput
from jgrad.asking.question import answer
from jgrad.notebook.before import Before
from jgrad.notebook.cell import Code, Traced, compile_cell
from jgrad.notebook.copies import NotCopied
from jgrad.notebook.nested import transformed
from jgrad.trace import Trace
from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.rule import listed
from jgrad.warn import silence

MAGIC = re.compile(r"\s*%%trace(?=\s|$)")
ESCAPES = re.compile(r"\s*(?:!|%%?(?:bash|sh|script|system|sx|pip|conda|run)\b)")


class NotTried(BadInput):
    """Why a repair can't be tried, in a sentence; nothing was run."""


def codes_of(shell: Any, cell: str) -> list[CodeType]:
    """The code of a cell, whose names are those that it mentions; none of a cell that is not Python."""
    lines = cell.split("\n")
    while lines and re.match(r"\s*(%%|$)", lines[0]):
        lines.pop(0)
    try:
        with silence():
            return [compile(transformed(shell, "\n".join(lines)), "<cell>", "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return []


class Trial:
    """What came of it: the traces of the cell as it was, and with the repair."""

    def __init__(self, shell: Any, before: Before, text: str, options: dict[str, Any]) -> None:
        self.shell, self.before, self.options, self.mended = shell, before, options, text
        self._check(text)

    def _check(self, text: str) -> None:
        """Refuse, before anything runs, what can't run twice."""
        before = self.before
        if before.refused:
            raise NotTried(f"%fix --try: {before.refused}; nothing was run")
        beside = before.separate() or next((w.strip() for w in text.split("\n") if ESCAPES.match(w)), "")
        if beside:
            raise NotTried(f"%fix --try: the cell starts something that runs beside it ({beside}), which can't be tried in a copy; nothing was run")  # fmt: skip
        if not codes_of(self.shell, text):
            raise NotTried("%fix --try: the cell awaits, or is not Python alone; nothing was run")

    def run(self, first: Trace | None, question: str, code: str) -> tuple[Trace, Trace, list[str]]:
        """Run the cell as it was, if it was not traced, and with the repair. `question`: what was asked, nothing for the cell itself; `code`: the rule
        that answered. Gives both traces and what is to be said."""
        if first is None:
            first, _ = self._run(self.before.cell, "the cell as it was", "")
        second, codes = self._run(self.mended, "the mended cell", question)
        return first, second, [*_verdict(first, second, question, code, codes), *_who_learns(first, second)]

    def _run(self, cell: str, name: str, question: str) -> tuple[Trace, list[str]]:
        """One run in copies: its trace, and the rules that answer the question after it."""
        code = self._compiled(cell)
        try:
            with self.before.again(self.shell, code.codes):
                run = Traced(self.shell, code, name, [], **self.options)
                error = run.sync()
                if isinstance(error, KeyboardInterrupt):
                    raise NotTried("%fix --try: interrupted; your variables are as they were")
                assert run.trace.document
                return run.trace, self._asked(question, run.trace) if question else []
        except NotCopied as why:
            raise NotTried(f"%fix --try: {why}; nothing was run") from None

    def _compiled(self, cell: str) -> Code:
        """The cell below its line of `%%trace`; its lines keep their numbers."""
        lines = cell.split("\n")
        at = next((i for i, line in enumerate(lines) if MAGIC.match(line)), -1)
        below = "\n".join(lines[at + 1 :])
        shown = self.shell.ast_node_interactivity
        try:
            self.shell.ast_node_interactivity = "none"
            return compile_cell(self.shell, lines[: at + 1], None, below, transformed(self.shell, below))
        finally:
            self.shell.ast_node_interactivity = shown

    def _asked(self, question: str, trace: Trace) -> list[str]:
        try:
            return [passage.code for passage in answer(question, self.shell.user_ns, [trace], {})]
        except BadInput:
            return []


def _verdict(first: Trace, second: Trace, question: str, code: str, codes: Sequence[str]) -> list[str]:
    """Whether the trouble is gone."""
    before, after = _error(first), _error(second)
    if after and (before is None or after != before):
        return [f"With this edit the cell raises an error{' too, another one' if before else ''}: {after}"]
    if after:
        return ["The trouble is still there: the cell raises the same error with this edit."]
    said = {n["code"] for n in first.document["notes"]}
    later = [n for n in second.document["notes"] if n["severity"] != "info" and n["code"] not in said]
    still = code in codes if question else code in {n["code"] for n in second.document["notes"]}
    if still and not before:
        found = ["The trouble is still there: %why says the same of the cell with this edit."]
    else:
        found = ["The trouble is gone: " + ("the cell ran to its end." if before else "%why does not say this of the cell with this edit.")]  # fmt: skip
    return found + [f"But now: {note['text']}" for note in later[:2]]


def _error(trace: Trace) -> str | None:
    last = trace.document["steps"][-1:]
    return next((f"{step['error']['type']}: {step['error']['message']}".split("\n")[0] for step in last if "error" in step), None)  # fmt: skip


def _who_learns(first: Trace, second: Trace) -> list[str]:
    """Which leaves have a gradient with the repair and had none, or the other way round."""
    before, after = _with_gradient(first), _with_gradient(second)
    new, lost = [n for n in after if n not in before], [n for n in before if n not in after]
    found = [f"Now {listed(new[:4])} got a gradient{'s' * (len(new) > 1)}."] if new else []
    return found + ([f"No gradient arrives any more at {listed(lost[:4])}."] if lost else [])


def _with_gradient(trace: Trace) -> list[str]:
    log = Log(trace.document)
    return list(dict.fromkeys(log.name(number) for number in log.grads_of))


__all__ = ["NotTried", "Trial", "codes_of"]
