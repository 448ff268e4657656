"""`%%predict`: the learner writes in the first line of a cell what it will print, and sees above the output how much of it is right.

The line is taken away before IPython reads the cell. So the cell runs exactly as without it: with `await`, with other magics, with its own
tracebacks. Only while a cell with a prediction runs, what it prints is read along.
"""

from __future__ import annotations

import html
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from IPython.core.error import UsageError
from IPython.display import display

from jgrad import mirrors
from jgrad.language import say
from jgrad.notebook.answers import names_in
from jgrad.notebook.hidden import ASKED_FOR, VERDICT
from jgrad.notebook.prediction import Seen, Verdict, judged, seen_of, split
from jgrad.notebook.printed import MOST, read

# Also as it is mistyped: `%predict 5`, `%% predict 5`, `%%Predict 5`, `%%predict5`, `%%predicts 5`.
LINE = re.compile(r"^%%?[ \t]*predict(?:s|ion)?(?![^\W\d])[ \t]*(.*)", re.I | re.M)
ASKED = re.compile(r"^# asked: (.+)$", re.M)
PROMPT = re.compile(r"^Out\[\d+\]: ?", re.M)
UNPREDICTED = (
    "No prediction. Next time, write what you expect behind `%%predict`, such as `%%predict 3` or `%%predict True, 5`, before you run the cell. "
    "You see here how much of it is right."
)
AGAIN = "This cell ran before, and may have changed what it uses: run the cells above again."
CODE = re.compile(r"`([^`\n]+)`")
# As far from the margin as what a cell prints.
INDENT = "padding-left:calc(var(--jp-code-padding,5px) + 2px)"
GREY = "color:var(--jp-ui-font-color2,#666)"


class Predictions:
    """Judges the predictions in the cells of a shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.running: Running | None = None
        self.has_predicted = False
        self.was_told = False  # what an empty `%%predict` is for
        # The hash of what cells printed when they ran last, by their text without the prediction.
        self.ran: dict[str, int] = {}

    def register(self) -> None:
        self.shell.input_transformers_cleanup.append(without_line)
        self.shell.events.register("pre_run_cell", self.begins)
        self.shell.events.register("post_run_cell", self.ends)

    def unregister(self) -> None:
        transformers = self.shell.input_transformers_cleanup
        transformers[:] = [t for t in transformers if t is not without_line]
        self.shell.events.unregister("pre_run_cell", self.begins)
        self.shell.events.unregister("post_run_cell", self.ends)
        if self.running is not None:
            self.running.stop()
            self.running = None

    def begins(self, info: Any) -> None:
        """Called before each cell."""
        answer = answer_of(info.raw_cell)
        if answer is None or self.running is not None:
            return  # no cell with a prediction, or a cell that such a cell runs
        above = ""
        if answer:
            self.has_predicted = True
            if _is_notebook(self.shell):
                above = say("You predicted: {answer}", answer=answer)
        elif self.has_predicted:
            above = say("No prediction.")
        self.running = Running(self.shell, info.raw_cell, answer, above)

    def ends(self, result: Any) -> None:
        """Called after each cell."""
        running = self.running
        if running is None or getattr(result.info, "raw_cell", None) != running.cell:
            return
        self.running = None
        running.stop()
        error = result.error_in_exec
        if result.error_before_exec is not None or isinstance(error, UsageError):
            if running.answer:
                running.judge(Verdict(sentences=[say("The cell could not run, so nothing was compared.")]))
            return
        seen, body = running.seen(error, result.result), _body(running.cell)
        printed = hash((seen.text, seen.error))
        if not running.answer:
            self.ran[body] = printed
            if self.has_predicted or self.was_told:
                running.keep()
            else:
                self.was_told = True
                running.tell(say(UNPREDICTED))
            return
        verdict = judged(running.answer, seen, running.variables)
        if not verdict.is_right and self.ran.get(body, printed) != printed:
            verdict.sentences.append(say(AGAIN))
        self.ran[body] = printed
        running.judge(verdict)

    def pause(self) -> None:
        """What is shown from now on is no output of the learner's code."""
        if self.running is not None:
            self.running.out.ends = True


class Running:
    """A cell with a prediction, while it runs."""

    def __init__(self, shell: Any, cell: str, answer: str, above: str) -> None:
        self.shell = shell
        self.cell = cell
        self.answer = answer
        # What the cell itself gives a value is not what it was before.
        named = {n: v for n, v in _meant(answer, shell.user_ns).items() if not _gives(cell, n)}
        self.variables = {n: _repr(v) for n, v in named.items()}
        self.asked: list[dict[str, str]] = []
        # What is shown above the output, and can be replaced.
        self.bundle = _bundle("", False, above)
        self.place = show(shell, self.bundle)
        self.out, self.err = ReadAlong(sys.stdout), ReadAlong(sys.stderr)
        sys.stdout, sys.stderr = self.out, self.err

    def stop(self) -> None:
        """The cell prints to where it printed before. What it put in the place of these streams itself stays."""
        if sys.stdout is self.out:
            sys.stdout = self.out.stream
        if sys.stderr is self.err:
            sys.stderr = self.err.stream

    def seen(self, error: BaseException | None, value: Any = None) -> Seen:
        """What the cell showed, with its last value. A terminal prints this value itself."""
        text = PROMPT.sub("", self.out.text())
        if value is not None and _is_notebook(self.shell) and not _is_picture(value):
            text += f"\n{_repr(value)}"
        raised = None if error is None else type(error).__name__
        missing = getattr(error, "name", None) if isinstance(error, NameError) else None
        warned = "Warning:" in self.err.text()
        self.asked = [*self._asked()]
        return seen_of(
            {"text": text, "error": raised, "warned": warned, "missing": missing, "asked": self.asked}
        )

    def _asked(self) -> Iterator[dict[str, str]]:
        """The values of what the cell asks for; of those that there are, if it raised."""
        for expression in asked_of(self.cell):
            with suppress(Exception), warnings.catch_warnings():
                # The cell has given its own.
                warnings.simplefilter("ignore")
                value = eval(expression, self.shell.user_ns)
                shows = _repr(value)
                read(shows)
                kept = {"text": value[:MOST]} if isinstance(value, str) else {"shows": shows}
                yield {"name": expression, **kept}

    def tell(self, sentence: str) -> None:
        """Say something else than a verdict."""
        if self.place is None:
            print(sentence)
        else:
            self._put(_bundle("", False, sentence))

    def keep(self) -> None:
        """Store what the cell asks for: a page without a kernel compares a prediction with it (`input_line.py`)."""
        if self.place is not None and self.asked:
            self._put(self.bundle)

    def _put(self, bundle: dict[str, Any]) -> None:
        self.bundle = bundle
        self.place.update({**bundle, ASKED_FOR: self.asked} if self.asked else bundle, raw=True)

    def judge(self, verdict: Verdict) -> None:
        text = verdict.text()
        if self.place is None:
            print(text)
        else:
            is_certain = verdict.is_right and not verdict.head
            self._put(_bundle(text, is_certain, say("You predicted: {answer}", answer=self.answer)))


class ReadAlong:
    """A stream that writes to another one and keeps the beginning."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self._kept: list[str] = []
        self._room = MOST
        self.ends = False  # whether nothing more is kept

    def write(self, text: str) -> int:
        if self._room > 0 and not self.ends:
            self._kept.append(text[: self._room])
            self._room -= len(text)
        written: int = self.stream.write(text)
        return written

    def writelines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.write(text)

    def text(self) -> str:
        return "".join(self._kept)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def answer_of(cell: str) -> str | None:
    """The prediction in a cell: in its first line, or below the lines of other magics. None if it has no such line, asks for its help, or has no code."""
    lines = cell.strip().split("\n")
    for number, line in enumerate(lines):
        if (found := LINE.fullmatch(line.strip())) is not None:
            asks = "--help" in found[1].split() or not "".join(lines[number + 1 :]).strip()
            return None if asks else found[1].strip()
        if not line.startswith("%%") and not _says_nothing(line):
            return None
    return None


def _says_nothing(line: str) -> bool:
    """Whether a line is empty, or only a comment."""
    return not line.strip() or line.lstrip().startswith("#")


def _body(cell: str) -> str:
    """A cell without its prediction."""
    return LINE.sub("", cell.strip(), count=1)


def asked_of(cell: str) -> list[str]:
    """The expressions that a cell asks for, in a comment: "# asked: x.grad, y.shape"."""
    found = ASKED.search(cell)
    return split(found[1]) if found is not None else []


def without_line(lines: list[str]) -> list[str]:
    """The lines of a cell without its `%%predict`. An empty line takes its place, so that the numbers of the others stay, unless another magic,
    which must be in the first line, comes next."""
    at = next((i for i, line in enumerate(lines) if not _says_nothing(line)), None)
    if at is None or not LINE.match(lines[at].lstrip()) or answer_of("".join(lines)) is None:
        return lines
    rest = lines[at + 1 :]
    while rest and not rest[0].strip():
        rest = rest[1:]
    return rest if rest[0].startswith("%%") else [*lines[:at], "\n", *lines[at + 1 :]]


def show(shell: Any, bundle: dict[str, Any]) -> Any:
    """Display a grey line, which can be replaced. Where it is empty there is one too: JupyterLab writes the first line of the first output into the bar
    of hidden outputs, which would give the answer away."""
    if not _is_notebook(shell):
        print(bundle["text/plain"], end="\n" if bundle["text/plain"] else "")
        return None
    return display(bundle, raw=True, display_id=True)


def _bundle(verdict: str, is_right: bool, grey: str) -> dict[str, Any]:
    if not verdict and not grey:
        return {"text/plain": ""}
    first, _, rest = verdict.partition("\n")
    mark = "&#10003; " if is_right else ""
    parts = [f"<b>{mark}{_lines(first)}</b>" * bool(first), _lines(rest) if rest else ""]
    parts.append(f'<span style="{GREY}">{_lines(grey)}</span>')
    body = "<br>".join(part for part in parts if part)
    plain = "\n".join(text for text in (verdict, grey) if text)
    return {
        "text/plain": plain,
        "text/html": f'<div class="{VERDICT}" role="status" style="{INDENT}">{body}</div>',
    }


def _lines(text: str) -> str:
    return CODE.sub(r"<code>\1</code>", html.escape(text)).replace("\n", "<br>")


def _meant(answer: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    """The variables with numbers, texts, lists or tensors that an answer names."""
    named = {n: variables[n] for n in names_in(answer) if n in variables}
    plain = bool | int | float | str | list | tuple | None
    return {n: v for n, v in named.items() if isinstance(v, plain) or mirrors.is_tensor(v)}


def _gives(cell: str, name: str) -> bool:
    """Whether a cell gives a variable a value."""
    return (
        re.search(rf"^[ \t]*(?:[\w, ]*, *)?{re.escape(name)}(?: *,[\w, ]*)? *=(?!=)", cell, re.M) is not None
    )


def _is_picture(value: Any) -> bool:
    """Whether a value is shown as a picture of jgrad's. Its text form is for terminals: nobody has predicted it."""
    room = type(value).__module__.partition(".")[0]
    return room == "jgrad" and any(hasattr(value, f"_repr_{form}_") for form in ("html", "mimebundle"))


def _repr(value: Any) -> str:
    try:
        return repr(value)[:MOST]
    except Exception:  # the user's class
        return ""


def _is_notebook(shell: Any) -> bool:
    return hasattr(shell, "kernel")
