"""Reading the lines of magics: their options, names and expressions. What can not be read is a `UsageError`, one line that shows what to write."""

from __future__ import annotations

import ast
import re
from contextlib import suppress

from IPython.core.error import UsageError

from jgrad.tracing.record.stopping import Condition


def grad_line(line: str) -> tuple[str, list[str], int]:
    """(expression, names after wrt, order) of the line of `%grad`."""
    order = 1
    found = re.search(r"(?:^|\s)--order(?:\s+|=)?(\S*)", line)
    if found:
        order = positive_number(found[1], "%grad --order") or 1
        line = line[: found.start()] + " " + line[found.end() :]
    unknown = re.search(r"(?:^|\s)(--[A-Za-z][\w-]*)", line)
    if unknown:
        raise UsageError(f"%grad: there is no option {unknown[1]}; write %grad EXPR [wrt A, B] [--order N]")
    text, names = _wrt(line)
    text = text.strip()
    if not text:
        raise UsageError("%grad: no expression; write for example %grad (x + w) * (w + 1) wrt w")
    wrt = expressions(names or "")
    if names is not None and not wrt:
        raise UsageError(f"%grad: no variable after wrt; write for example %grad {text} wrt w")
    return text, wrt, order


def _wrt(line: str) -> tuple[str, str | None]:
    """What stands before and after the last `wrt` that is not inside quotes; None if there is none."""
    outside = re.sub(r"""(["'])(?:\\.|(?!\1).)*\1""", lambda quoted: "-" * len(quoted[0]), line)
    found = [m.span() for m in re.finditer(r"\bwrt\b", outside)]
    return (line[: found[-1][0]], line[found[-1][1] :]) if found else (line, None)


def views_named(texts: list[str] | None) -> list[str] | None:
    """The views that the words after `--view` name; None, which stands for all that apply, without the option."""
    if texts is None:
        return None
    from jgrad.views import VIEWS

    chosen = names_in(",".join(texts))
    for view in chosen:
        if view not in VIEWS:
            raise UsageError(f"%%trace --view: there is no view {view!r}; choose from {', '.join(VIEWS)}")
    if not chosen:
        raise UsageError(f"%%trace --view: no view named; choose from {', '.join(VIEWS)}")
    return chosen


def without_live(line: str) -> tuple[str, bool]:
    """A line without its `--live`, and whether it has one."""
    rest = re.sub(r"(?:^|\s)--live(?=\s|$)", " ", line)
    return rest.strip(), rest != line


def names_in(text: str) -> list[str]:
    """The names of a list with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def expressions(line: str) -> list[str]:
    """The expressions of a line, separated by commas, or else by blanks, outside of brackets and quotes. A line that is one operation is one."""
    with suppress(SyntaxError, ValueError):
        if isinstance(ast.parse(line.strip(), mode="eval").body, ast.BinOp | ast.UnaryOp | ast.Compare):
            return [line.strip()]
    parts: dict[str, list[str]] = {}
    for separator in ", ":
        depth, quote, current, found = 0, "", "", []
        for c in line.strip():
            if quote:
                quote = "" if c == quote else quote
            elif c in "'\"":
                quote = c
            depth += (c in "([{") - (c in ")]}")
            if c == separator and depth == 0 and not quote:
                found.append(current.strip())
                current = ""
            else:
                current += c
        parts[separator] = [p for p in [*found, current.strip()] if p]
    return parts[","] if len(parts[","]) > 1 or not parts[" "] else parts[" "]


def rounds_named(text: str | None) -> tuple[int, int] | None:
    """The value of `--rounds`: "5310:5320", or "5310" for one round."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+)(?::(\d+))?", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last:
        raise UsageError(
            f"%%trace --rounds: {text or 'nothing'} are no rounds; write for example --rounds 310:320"
        )
    return first, last


def condition_named(text: str | None) -> Condition | None:
    """The value of `--stop`: an expression, maybe in quotes."""
    if text is None:
        return None
    quoted = re.fullmatch(r"(['\"])(.*)\1", text, re.DOTALL)
    try:
        return Condition(quoted[2] if quoted else text)
    except ValueError as error:
        raise UsageError(f"%%trace --stop: {error}") from None


PLACES = ("write", "backward", "error", "end")


def place_named(text: str | None) -> str | int | None:
    """The value of `--at`: the number of a step, or one of `PLACES`. None without the option."""
    if text is None or text in PLACES:
        return text
    if text.isdigit():
        return int(text)
    raise UsageError(f"%%trace --at: {text} is no step; write a number, or one of {', '.join(PLACES)}")


def positive_number(text: str | None, option: str) -> int | None:
    """The value of an option that takes a whole number from 1 on; None without it."""
    if text is None:
        return None
    if not text.isdigit() or int(text) < 1:
        raise UsageError(
            f"{option}: {text or 'nothing'} is not a positive whole number; write for example {option.split()[-1]} 2"
        )
    return int(text)
