"""What all magics share: `%why --help` prints what `%why?` shows, and they look at tensors as they are now."""

from __future__ import annotations

import argparse
import inspect
import re
import textwrap
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from jgrad import mirrors

WIDTH = 79  # of the lines of a help
Magic = TypeVar("Magic", bound=Callable[..., Any])


def helped(magic: Magic) -> Magic:
    """A decorator of magics: with `--help` they print their docstring, and do nothing else. What they look at is up to date."""

    @wraps(magic)
    def answered(self: Any, line: str, *cell: str, **others: Any) -> Any:
        if "--help" in line.split():
            print(inspect.cleandoc(getattr(self, magic.__name__).__doc__))
            return None
        mirrors.refresh()  # nobody reports what other libraries did since a magic looked last
        return magic(self, line, *cell, **others)

    return answered  # type: ignore[return-value]


def with_options(usage: str) -> Callable[[Magic], Magic]:
    """A decorator of magics whose options are declared: list these in the docstring, in the form that the other magics have."""

    def describe(magic: Magic) -> Magic:
        parser = magic.parser  # type: ignore[attr-defined]
        what, _, examples = inspect.cleandoc(parser.description).partition("Examples:")
        options = "\n".join(_option(action) for action in parser._actions)
        magic.__doc__ = (
            f"{what.rstrip()}\n\nUsage:\n\n{usage}\n\nOptions:\n\n{options}\n\nExamples:{examples}"
        )
        return magic

    return describe


def _option(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else f" {action.dest.upper().replace('MAX_STEPS', 'N')}"
    head = f"    {'/'.join(action.option_strings) + value:<17}"
    text = (action.help or "").replace("%%", "%")
    return textwrap.fill(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def option_words(parser: argparse.ArgumentParser, line: str) -> tuple[str, str]:
    """The options at the beginning of a line, and what comes after them. An option takes one word, as in `--view storage,graph`."""
    words: list[str] = []
    rest = line.strip()
    while found := re.match(r"(--[A-Za-z][\w-]*)(=\S+)?(?:\s+|$)", rest):
        word = found[0].strip()
        rest = rest[found.end() :]
        action = parser._option_string_actions.get(found[1])
        if action is not None and action.nargs != 0 and found[2] is None:
            value = re.match(r"""(?:"[^"]*"|'[^']*'|\S+)\s*""", rest)
            word += f" {value[0].strip()}" if value else ""
            rest = rest[value.end() :] if value else rest
        words.append(word)
    return " ".join(words), rest
