"""What `%%predict` says of a prediction: how much of it is right, and where it differs from what the cell printed."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from jgrad.notebook.printed import Unreadable, Value, evaluated, lines, numbers_of, read

TOLERANCE = 1e-4
MOST_SAID = 6  # answers that differ and are named one by one
RAISES = ("raises", "raise", "error", "an error", "it raises")
WARNS = ("warns", "warn", "warning", "a warning", "it warns")


@dataclass
class Seen:
    """What a cell showed: the text that it printed, its last value at the end, the class of the error that it raised, whether it warned."""

    text: str
    error: str | None = None
    warned: bool = False


@dataclass
class Verdict:
    """How many answers are right, of how many, and a sentence for each that is not."""

    right: int = 0
    total: int = 0
    sentences: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        return self.right == self.total > 0 and not self.sentences

    def text(self) -> str:
        if not self.total:
            return "\n".join(self.sentences)
        head = "Right." if self.is_right and self.total == 1 else f"{self.right} of {self.total} right."
        return "\n".join([head, *self.sentences])


def split(text: str) -> list[str]:
    """The answers in a line: what stands between the commas outside of brackets and quotation marks."""
    parts, depth, quote = [""], 0, ""
    for c in text.strip():
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def judged(text: str, seen: Seen) -> Verdict:
    """Compare the answers in a line with what a cell showed."""
    verdict = Verdict()
    answers = []
    for answer in split(text) or [text.strip()]:
        if answer.lower() in RAISES or re.fullmatch(r"\w+Error", answer):
            _about_error(answer, seen, verdict)
        elif answer.lower() in WARNS:
            verdict.total += 1
            if seen.warned:
                verdict.right += 1
            else:
                verdict.sentences.append("You said that it warns. It gave no warning.")
        else:
            try:
                answers.append(_read(answer))
            except Unreadable:
                return Verdict(
                    sentences=[f"I can't read `{_short(answer)}`. The cell ran; here is what it printed."]
                )
    if seen.error is not None and answers and not verdict.total:
        verdict.total += 1
        verdict.sentences.append(f"You did not say that it raises. It raised {seen.error}.")
    if answers and (seen.text.strip() or not verdict.total):
        _compare(answers, seen, verdict)
    return verdict


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."


def _read(answer: str) -> list[Value]:
    number = evaluated(answer)
    values = read(answer) if number is None else [number]
    if not values:
        raise Unreadable
    return values


def _about_error(answer: str, seen: Seen, verdict: Verdict) -> None:
    verdict.total += 1
    if seen.error is None:
        verdict.sentences.append("You said that it raises an error. It raised none.")
    elif answer.lower() in RAISES or answer == seen.error:
        verdict.right += 1
    else:
        verdict.sentences.append(f"You said {answer}. It raised {seen.error}.")


def _compare(answers: list[list[Value]], seen: Seen, verdict: Verdict) -> None:
    """Pair the answers with what was printed, in one of the ways in which there are as many of both."""
    rows = lines(seen.text)
    one_each = [(n, value) for n, values in rows for value in values]
    said = [values[0] if len(values) == 1 else values for values in answers]
    by_line = [(n, values[0] if len(values) == 1 else values) for n, values in rows]
    atoms = [a for value in said for a in numbers_of(value)]
    printed = [(n, a) for n, value in one_each for a in numbers_of(value)]
    if not one_each:
        verdict.sentences.append("The cell printed nothing to compare with: look at what it shows.")
        return
    place = "Answer"
    if len(said) == len(one_each):
        pairs = [(n, a, b) for a, (n, b) in zip(said, one_each, strict=True)]
        place = "Line" if len(one_each) == len(by_line) else "Answer"
    elif len(said) == len(by_line):
        pairs = [(n, a, b) for a, (n, b) in zip(said, by_line, strict=True)]
        place = "Line"
    elif len(atoms) == len(printed):
        pairs = [(n, a, b) for a, (n, b) in zip(atoms, printed, strict=True)]
    else:
        pairs = [(n, a, b) for a, (n, b) in zip(said, one_each, strict=False)]
        verdict.sentences.append(
            f"You gave {_counted(len(said), 'answer')}, and the cell printed {_counted(len(one_each), 'value')}."
        )
    verdict.total += len(pairs)
    wrong = [(i, n, a, b) for i, (n, a, b) in enumerate(pairs, 1) if not equal(a, b)]
    verdict.right += len(pairs) - len(wrong)
    for i, n, a, b in wrong[:MOST_SAID]:
        where = "" if len(pairs) == 1 else f"{place} {n if place == 'Line' else i}: "
        how = form(a, b)
        start = "You" if not where else "you"
        verdict.sentences.append(f"{where}{start} said {shown(a)}, it printed {shown(b)}.{how and f' {how}'}")
    if len(wrong) > MOST_SAID:
        verdict.sentences.append(f"{len(wrong) - MOST_SAID} more differ.")


def equal(said: Value, printed: Value) -> bool:
    """Whether an answer is right. A number stands for a list of this one number, too."""
    return _same(said, printed) or _same(_bare(said), _bare(printed))


def _same(said: Value, printed: Value) -> bool:
    if isinstance(said, list) and isinstance(printed, list):
        return len(said) == len(printed) and all(map(_same, said, printed))
    if isinstance(said, float) and isinstance(printed, float):
        return (
            said == printed
            or (math.isnan(said) and math.isnan(printed))
            or math.isclose(said, printed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        )
    if isinstance(said, str) and isinstance(printed, str):
        return _plain(said) == _plain(printed)
    return type(said) is type(printed) and said == printed


def form(said: Value, printed: Value) -> str:
    """In which way an answer is wrong, if a sentence says it; an empty text if not."""
    a, b = _bare(said), _bare(printed)
    if isinstance(b, list) and not isinstance(a, list):
        inner = [*numbers_of(b)]
        if inner and all(equal(a, one) for one in inner):
            return f"Each element is {shown(a)}; there are {len(inner)}."
        return ""
    if isinstance(a, list) and isinstance(b, list):
        x, y = [*numbers_of(a)], [*numbers_of(b)]
        if len(x) != len(y):
            return f"You gave {_counted(len(x), 'number')}, and it has {len(y)}."
        if len(x) > 1 and equal(_turned(said), printed):
            return "Rows and columns are exchanged."
        if equal(x, y):
            return "The numbers are right, and the shape is another one."
        factors = {_factor(p, q) for p, q in zip(x, y, strict=True) if not (p == q == 0)}
        return _of_factor(factors.pop()) if len(factors) == 1 else ""
    return _of_factor(_factor(a, b))


def shown(value: Value) -> str:
    """A value as a learner would write it."""
    if isinstance(value, list):
        inner = [shown(one) for one in value[:8]]
        return f"[{', '.join(inner)}{', ...' if len(value) > 8 else ''}]"
    if isinstance(value, float):
        return f"{value:.6g}"
    return _short(str(value))


def _bare(value: Value) -> Value:
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().lower()


def _turned(value: Value) -> Value:
    """A table with rows and columns exchanged; anything else as it is."""
    rows = value if isinstance(value, list) else []
    if rows and all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows):
        return [[*column] for column in zip(*rows, strict=True)]
    return value


def _factor(said: Value, printed: Value) -> float | None:
    if isinstance(said, float) and isinstance(printed, float) and said and math.isfinite(printed):
        return round(printed / said, 4)
    return None


def _of_factor(factor: float | None) -> str:
    if factor == -1:
        return "The sign is the other one."
    if factor in (2, 3, 4, 5, 10):
        return f"It is {factor:g} times as much."
    if factor in (0.5, 0.25, 0.1):
        return f"You said {1 / factor:g} times as much."
    return ""


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
