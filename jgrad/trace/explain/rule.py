"""What a rule of the catalogue is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

SEVERITIES = ("error", "warning", "info")
RUNTIME = "RuntimeError"


@dataclass(frozen=True)
class Rule:
    """`find` yields a dict for each case: the blanks of `text` and `repair`, and what else its kind of rule gives.

    `example` is a program that makes the mistake and `repaired` one that does not; `ask` is what to ask `%why` after the example, nothing for
    an error or a remark. A rule about something raised has in `raised` the name of its class and a pattern of its words, whose named groups
    are blanks too.
    """

    code: str
    severity: str
    when: str
    text: str
    repair: str
    find: Callable[[Any], Iterator[dict[str, Any]]]
    example: str = ""
    repaired: str = ""
    ask: str = ""
    raised: tuple[str, str] = ("", "")

    def say(self, blanks: dict[str, Any]) -> str:
        """The sentence and how to repair what it tells of."""
        return f"{self.text} {self.repair}".format(**blanks).strip()


def told(incident: Any) -> Iterator[dict[str, Any]]:
    """For rules about something raised, the words of which say it all."""
    yield {}


def listed(parts: list) -> str:
    """A list in words; nothing for an empty one."""
    words = [str(p) for p in parts]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def line_numbers(numbers: list[int]) -> str:
    """ "line 3" or "lines 3 and 5"."""
    if not numbers:
        return "not in this cell"
    return f"line {numbers[0]}" if len(numbers) == 1 else f"lines {listed(numbers)}"
