"""What a rule of the catalogue is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from jgrad.tracing.explain import protocol
from jgrad.tracing.explain.edits import Edit

SEVERITIES = ("error", "warning", "info")
RUNTIME = "RuntimeError"
USER_WARNING = "UserWarning"
BEGINS = re.compile(r"\{lead\}(?:[a-z]+|NumPy) ")  # a text whose first word is English, not code
AFTER_POINT = re.compile(r"(?<=\d\.)\.(?=\s|$)")  # a full stop after a number that ends with a point: "2.."
Finder = TypeVar("Finder", bound=Callable[..., Iterator[dict[str, Any]]])


@dataclass(frozen=True)
class Rule:
    """`find` yields a dict for each case: the blanks of `text` and `repair`, under "edits" the repair as edits of the user's code (see `edits`), and
    what else its kind of rule gives.

    `example` is a program that makes the mistake and `repaired` one that does not; `ask` is what to ask `%why` after the example, nothing for
    an error or a remark. A rule about something raised has in `raised` the name of its class and a pattern of its words, whose named groups
    are blanks too. With `knows_more` it can tell
    more if the cell that raised was traced. With `final` it says what holds in the end, or what never happened: so it does not apply if the
    last steps were not kept. `headline` says the same as `text` in at most two lines of large type, where the first clauses of
    `text` would not do. A rule about a warning has in `traced` the code of the remark that says the same of a traced cell.
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
    knows_more: bool = False
    headline: str = ""
    final: bool = False
    traced: str = ""

    def cases(self, subject: Any) -> Iterator[dict[str, Any]]:
        """The cases in a log, or in what has one: a tensor or an error that the user asks about."""
        log = getattr(subject, "log", subject)
        if self.final and log is not None and log.may_end_otherwise:
            protocol.silent(self, "the last steps were not kept")
            return
        yield from protocol.watched(self, subject)

    def words_in(self, kind: str, message: str) -> dict[str, Any] | None:
        """The blanks that the words of something raised fill in; None if the rule is about other words."""
        wanted, pattern = self.raised
        found = re.search(pattern, message) if re.fullmatch(wanted, kind) else None
        if found is None:
            protocol.silent(self, protocol.OTHER_WORDS)
        return None if found is None else found.groupdict()

    def sentence(self, blanks: dict[str, Any]) -> str:
        """The text and the repair, with their blanks filled in."""
        said = f"{self.cause(blanks)} {self.cure(blanks)}".strip()
        return said[0].upper() + said[1:] if said.startswith(("this tensor", "this call ")) else said

    def cause(self, blanks: dict[str, Any]) -> str:
        """The text with its blanks filled in."""
        text = self.text
        if not blanks.get("lead", "?") and BEGINS.match(text):  # the sentence begins with a word of the text
            text = text.replace("{lead}", "")
            text = text[0].upper() + text[1:]
        return AFTER_POINT.sub("", text.format(**blanks))

    def cure(self, blanks: dict[str, Any]) -> str:
        """The repair with its blanks filled in."""
        return self.repair.format(**blanks)


@dataclass(frozen=True)
class Said:
    """What a rule says of a case."""

    rule: Rule
    blanks: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The cause and the repair."""
        return self.rule.sentence(dict(self.blanks))

    @property
    def cause(self) -> str:
        """What happened."""
        return self.rule.cause(dict(self.blanks))

    @property
    def repair(self) -> str:
        """What to do."""
        return self.rule.cure(dict(self.blanks))

    @property
    def edits(self) -> list[Edit]:
        """The same as edits of the user's code; none where none fits."""
        return [*self.blanks.get("edits", ())]


def first(rules: Iterable[Rule], subject: Any) -> Said | None:
    """What the first rule says that applies to a subject; None if none does."""
    return next(each(rules, subject), None)


def each(rules: Iterable[Rule], subject: Any) -> Iterator[Said]:
    """What all rules say that apply to a subject."""
    for rule in rules:
        for case in rule.cases(subject):
            yield Said(rule, case)


def always(subject: Any) -> Iterator[dict[str, Any]]:
    """One case without blanks: the finder of a rule that applies whenever its words are there."""
    yield {}


class Rules(list[Rule]):
    """The rules of one topic and kind, in the order in which they are tried. Each is declared next to the function that finds its cases."""

    def rule(
        self,
        code: str,
        severity: str,
        when: str,
        text: str,
        repair: str,
        example: str = "",
        repaired: str = "",
        *,
        ask: str = "",
        raised: tuple[str, str] = ("", ""),
        knows_more: bool = False,
        headline: str = "",
        final: bool = False,
        traced: str = "",
    ) -> Callable[[Finder], Finder]:
        """A decorator: the function finds the cases of a rule with these texts (see `Rule`)."""

        def declare(find: Finder) -> Finder:
            texts = (code, severity, when, text, repair)
            self.append(
                Rule(*texts, find, example, repaired, ask, raised, knows_more, headline, final, traced)
            )
            return find

        return declare

    def by_words(
        self,
        code: str,
        severity: str,
        when: str,
        text: str,
        repair: str,
        example: str,
        repaired: str,
        *,
        raised: tuple[str, str],
        blanks: Callable[[Any], Iterator[dict[str, Any]]] = always,
        traced: str = "",
    ) -> None:
        """Declare a rule about an error or a warning that applies wherever its words are there. `blanks` gives those of its text that the words
        do not hold."""
        self.rule(code, severity, when, text, repair, example, repaired, raised=raised, traced=traced)(blanks)


def listed(parts: list, last: str = "and") -> str:
    """A list in words, with "and" before the last; nothing for an empty one."""
    words = [str(p) for p in parts]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
