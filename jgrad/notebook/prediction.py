"""What `%%predict` says of a prediction: how much of it is right, and where it differs from what the cell printed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from jgrad.language import say
from jgrad.notebook.answers import CONSTANTS, meaning, typed
from jgrad.notebook.printed import WORDS, Unreadable, Value, lines, numbers_of, read

TOLERANCE = 1e-4
ROUNDED = 5e-3  # as far may an answer be from a number that is not whole: 5 is right for 5.001
MOST_SAID = 6  # answers that differ and are named one by one
MOST_SOUGHT = 60  # answers that are looked for among what was printed
MOST_SEARCHED = 1_000  # printed values that they are looked for in
# The second names of dtypes.
DTYPES = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "cfloat": "complex64",
}
DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
RAISES = re.compile(r"(it )?((raises?|throws?|fails?)( an)?( error| exception| one)?|crash(es)?|does(n't| not) work)|(there is )?(an )?(error|exception)")  # fmt: skip
# What a person says instead of yes or no.
SAID = dict.fromkeys(("it does", "it is", "是", "对"), "yes")
SAID |= dict.fromkeys(("it does not", "it doesn't", "it is not", "it isn't", "不是", "否", "不对"), "no")
# Answers of a test of true and false, by their first letters.
LETTERS = re.compile(r"(?:(?:t|f|true|false|none|yes|no)[\s,;./]+)*(?:t|f|true|false|none|yes|no)\.?", re.I)
LETTER = re.compile(r"(?<![^\s,;])(?:(t)|f)(?![^\s,;.])", re.I)
MINUS = re.compile(r"(?<![\w.])(?:minus|negative)\s+(?=[\w.])", re.I)
NAMED = re.compile(r"([^\W\d][\w.]*)\s*(?:=(?!=)|:|\bis\b)\s*(.+)")  # "w.grad = 5"
# Numbers in words, where a number is meant: "five".
NUMBERS = "zero one two three four five six seven eight nine ten".split()
NUMBER = re.compile(rf"(-?)({'|'.join(NUMBERS)})(?: [^\W\d]+)?", re.I)  # "five times"
TIMES = re.compile(r"(?<=\d) ?[\u00d7x] ?(?=\d)")
NO_ERROR = re.compile(r"(no error|nothing|ok|fine|never|(it )?(works|runs|does(n't| not) (raise|fail))( an)?( error| exception)?)")  # fmt: skip
WARNS = ("warns", "warn", "warning", "a warning", "it warns")


@dataclass
class Seen:
    """What a cell showed: the text that it printed, its last value at the end, the class of the error that it raised, whether it warned. `asked`:
    the expressions that the cell asks for, and their values. `missing`: the name that was not defined. `whole`: those expressions whose values
    are whole numbers by their type: counts, sizes, places."""

    text: str
    error: str | None = None
    warned: bool = False
    asked: list[tuple[str, Value]] = field(default_factory=list)
    missing: str | None = None
    whole: set[str] = field(default_factory=set)


def seen_of(shown: Mapping[str, Any]) -> Seen:
    """What a cell showed, of plain data: an exported page holds these of the cells that it folds (`js/src/predict/` reads them there)."""
    seen = Seen(shown["text"], shown["error"], shown["warned"], missing=shown["missing"])
    for one in shown["asked"]:
        values = [one["text"]] if "text" in one else read(one["shows"])
        seen.asked.append((one["name"], values[0] if len(values) == 1 else values))
        if not re.search(r"\d\.|\.\d", one.get("text", one.get("shows", ""))):
            seen.whole.add(one["name"])
    return seen


@dataclass
class Verdict:
    """How many answers are right, of how many, and a sentence for each that is not. `head` is what is said instead of these numbers."""

    right: int = 0
    total: int = 0
    sentences: list[str] = field(default_factory=list)
    head: str = ""

    @property
    def is_right(self) -> bool:
        return self.right == self.total > 0 and not self.sentences

    def text(self) -> str:
        if not self.total:
            return "\n".join(self.sentences)
        one = self.is_right and self.total == 1
        head = say("Right.") if one else say("{right} of {total} right.", right=self.right, total=self.total)
        return "\n".join([self.head or head, *self.sentences])


def split(text: str) -> list[str]:
    """The answers in a line: what stands between the commas outside of brackets and quotation marks."""
    parts, depth, quote = [""], 0, ""
    for c in text.strip():
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"" and not parts[-1][-1:].isalnum():  # not that of "doesn't"
            quote = c
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def judged(text: str, seen: Seen, variables: Mapping[str, str] | None = None) -> Verdict:
    """Compare the answers in a line with what a cell showed. `variables`: what those that the line names printed before the cell ran."""
    verdict = Verdict()
    # A word that the cell prints is meant as a word.
    known = {n: v for n, v in (variables or {}).items() if not re.search(rf"(?<![\w.]){n}(?!\w)", seen.text)}
    answers = []
    if any(isinstance(value, list) for _, value in seen.asked):
        text = TIMES.sub("x", text)  # 3 × 3 is a shape where one is asked for
    text = MINUS.sub("-", typed(text))
    letters = LETTERS.fullmatch(text.strip())
    if letters and not known:
        text = ",".join(re.split(r"[\s,;./]+", text.strip()))
    # Beside other answers, T stands for True where one is true or false and no T is printed.
    asks = not LETTER.search(seen.text) and any(isinstance(one, bool) for one in _values(seen))
    if (letters or asks) and not known:
        text = LETTER.sub(lambda one: str(bool(one[1])), text)
    for answer in _in_order_asked(_without_yes(split(text), seen), seen.asked) or [text.strip()]:
        answer = SAID.get(answer.lower(), re.sub(r"(?<=[a-z])\.$", "", answer))
        number = NUMBER.fullmatch(answer)
        if number and number[2].lower() not in seen.text.lower() and answer not in known:
            answer = number[1] + str(NUMBERS.index(number[2].lower()))
        if answer.lower() == "nothing" and seen.asked:
            answer = "None"
        raises = _raises(answer, seen)
        if raises is not None:
            _about_error(answer, raises, seen, verdict)
        elif answer.lower() in WARNS:
            verdict.total += 1
            if seen.warned:
                verdict.right += 1
            else:
                verdict.sentences.append(say("You said that it warns. It gave no warning."))
        else:
            try:
                answers.append(meaning(answer, known, seen.text))
            except Unreadable as why:
                then = _how(seen.asked) or say("The cell ran; here is what it printed.")
                return Verdict(sentences=[_unreadable(answer, str(why), then)])
    if seen.missing and not verdict.total:
        told = say(
            "`{name}` is not defined, so nothing was compared. If a cell above makes it, run that one first.",
            name=seen.missing,
        )
        return Verdict(sentences=[told])
    if seen.error is not None and answers and not verdict.total:
        verdict.total += 1
        verdict.sentences.append(say("You did not say that it raises. It raised {error}.", error=seen.error))
    if DECIMAL_COMMA.fullmatch(text.strip()) and _is_one_number(seen):
        pointed = text.strip().replace(",", ".")
        told = say("Write {number} with a point: a comma stands between two answers.", number=pointed)
        return Verdict(sentences=[told])
    if seen.asked and (answers or not verdict.total):
        _compare_asked(answers, seen, verdict)
    elif answers and (seen.text.strip() or not verdict.total):
        _compare(answers, _quoted(text, seen.text), verdict)
    if not verdict.total and re.search(r"\d,\d", text) and "[" not in text:
        verdict.sentences.append(say("In a number, write a point: a comma begins the next answer."))
    return verdict


def _without_yes(answers: list[str], seen: Seen) -> list[str]:
    """The answers without a yes or no that stands before the only one and agrees with it: "yes, True", "no, it raises"."""
    if len(answers) != 2 or answers[0].lower() not in ("yes", "no"):
        return answers
    first, second = map(str.lower, answers)
    is_only = len(_values(seen)) < 2 or RAISES.fullmatch(second)
    return answers[1:] if is_only and WORDS.get(second) in (None, WORDS[first]) else answers


def _in_order_asked(answers: list[str], asked: list[tuple[str, Value]]) -> list[str]:
    """The answers in the order of what the cell asks for, if each says by name which one it is: "x.grad = 5, w.grad = 12"."""
    named = {one[1]: one[2] for one in map(NAMED.fullmatch, answers) if one is not None}
    names = [name for name, _ in asked]
    return [named[name] for name in names] if len(answers) == len(names) and {*named} == {*names} else answers


def _values(seen: Seen) -> list[Value]:
    """What the cell asks for, or else what it printed."""
    return [value for _, value in seen.asked] or [v for _, row in lines(seen.text) for v in row]


def _is_one_number(seen: Seen) -> bool:
    """Whether what is asked for, or else what was printed, is a single number."""
    values = _values(seen)
    return len(values) == 1 and isinstance(_bare(values[0]), float)


def _quoted(answers: str, printed: str) -> str:
    """What was printed, with marks around the texts that stand in quotation marks in the answers: so a text with commas is one value."""
    for found in re.finditer(r"'([^'\"]+)'|\"([^'\"]+)\"", answers):
        said = found[1] or found[2]
        if said.isidentifier() and said.lower() not in WORDS:
            continue  # a word is one value in any case
        said = re.escape(said)
        printed = re.sub(rf"(?<![\w'\"]){said}(?![\w'\"])", lambda one: f"'{one[0]}'", printed)
    return printed


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."


def _raises(answer: str, seen: Seen) -> bool | None:
    """Whether an answer says that the cell raises; None if it is about something else. Where nothing printed is true or false, yes and no are meant so;
    True and False are, where nothing was printed."""
    word = answer.lower()
    if RAISES.fullmatch(word) or re.fullmatch(r"\w+Error", answer):
        return True
    if seen.asked:
        return None
    if NO_ERROR.fullmatch(word):
        return False
    told = WORDS.get(word)
    if not isinstance(told, bool):
        return None
    printed = [one for _, values in lines(seen.text) for one in numbers_of(values)]
    is_value = word in ("true", "false") and printed and seen.error is None
    return None if is_value or any(isinstance(one, bool) for one in printed) else told


def _about_error(answer: str, raises: bool, seen: Seen, verdict: Verdict) -> None:
    verdict.total += 1
    if raises != (seen.error is not None):
        verdict.sentences.append(
            say("You said that it raises an error. It raised none.")
            if raises
            else say("You said that it raises no error. It raised {error}.", error=seen.error)
        )
    elif not raises or answer == seen.error or not re.fullmatch(r"\w+Error", answer):
        verdict.right += 1
    else:
        verdict.sentences.append(say("You said {said}. It raised {error}.", said=answer, error=seen.error))


def _how(asked: list[tuple[str, Value]]) -> str:
    """How an answer to what a cell asks for is written."""
    names = ", ".join(f"`{name}`" for name, _ in asked)
    if len(asked) > 1:
        return say("Write one answer for each of {names}, with commas between.", names=names)
    return say("Write the value of {name}.", name=names) if asked else ""


def _unreadable(answer: str, why: str, then: str) -> str:
    if why:
        return say("I can't read `{answer}`: {why}. {then}", answer=_short(answer), why=why, then=then)
    return say("I can't read `{answer}`. {then}", answer=_short(answer), then=then)


def _compare_asked(answers: list[list[Value]], seen: Seen, verdict: Verdict) -> None:
    """Pair the answers with what the cell asks for. One value may be written without its brackets."""
    asked = seen.asked
    said = [values[0] if len(values) == 1 else values for values in answers]
    parts = [[*numbers_of(value)] for _, value in asked]
    atoms = [one for value in said for one in numbers_of(value)]
    if len(said) != len(asked) and len(atoms) == sum(map(len, parts)):
        ends = [*accumulate(map(len, parts))]
        said = [_bare(atoms[end - len(part) : end]) for end, part in zip(ends, parts, strict=True)]
    if len(said) != len(asked):
        verdict.sentences.append(say("You gave {gave}. {how}", gave=_answers(len(said)), how=_how(asked)))
        return
    verdict.total += len(asked)
    for one, (name, value) in zip(said, asked, strict=True):
        if isinstance(one, str) and isinstance(_bare(value), float):
            one = CONSTANTS.get(one, one)
        if equal(one, value):
            verdict.right += 1
        elif _can_be_no_number(one) and all(isinstance(part, float) for part in numbers_of(value)):
            words = " ".join(map(str, numbers_of(one)))
            told = say("I can't read `{words}` as a number for `{name}`.", words=_short(words), name=name)
            verdict.sentences.append(told)
            verdict.total -= 1  # what can't be read is not wrong
        elif _can_be_no_truth(one) and isinstance(_bare(value), bool):
            verdict.sentences.append(say("Write True or False for `{name}`.", name=name))
            verdict.total -= 1
        else:
            how = "" if name in seen.whole and _are_numbers(one, value) else form(one, value)
            if (
                isinstance(one, str)
                and isinstance(value, str)
                and re.fullmatch(rf"{re.escape(one)}\d+", value)
                and one not in DTYPES
            ):
                how = say("Only the number at its end is missing.")
            meant = DTYPES.get(one, "") if isinstance(one, str) else ""
            told = (
                say(
                    "`{name}` is {value}. You said {said}, which is {meant}.",
                    name=name,
                    value=shown(value),
                    said=shown(one),
                    meant=meant,
                )
                if meant
                else say(
                    "`{name}` is {value}. You said {said}.", name=name, value=shown(value), said=shown(one)
                )
            )
            verdict.sentences.append(f"{told} {how}".rstrip())


def _can_be_no_number(value: Value) -> bool:
    """Whether an answer can't be meant as a number. None can: a number may be missing."""
    return any(isinstance(part, str | bool) for part in numbers_of(value))


def _can_be_no_truth(value: Value) -> bool:
    return not isinstance(_bare(value), bool | None) and _bare(value) not in (0.0, 1.0)


def _are_numbers(*values: Value) -> bool:
    """Whether each is one number. How many times larger a count is than another one says nothing."""
    return all(isinstance(_bare(value), float) for value in values)


def _compare(answers: list[list[Value]], printed_text: str, verdict: Verdict) -> None:
    """Pair the answers with what was printed, in one of the ways in which there are as many of both."""
    rows = lines(printed_text)
    one_each = [(n, value) for n, values in rows for value in values]
    said = [values[0] if len(values) == 1 else values for values in answers]
    by_line = [(n, values[0] if len(values) == 1 else values) for n, values in rows]
    atoms = [a for value in said for a in numbers_of(value)]
    printed = [(n, a) for n, value in one_each for a in numbers_of(value)]
    if not one_each:
        verdict.sentences.append(say("The cell printed nothing to compare with: look at what it shows."))
        return
    place, part = "Answer", ""
    if len(said) == len(one_each):
        pairs = [(n, a, b) for a, (n, b) in zip(said, one_each, strict=True)]
        place = "Line" if len(one_each) == len(by_line) else "Answer"
    elif len(said) == len(by_line):
        asked, part = _asked(said, [values for _, values in rows])
        pairs = [(n, a, b) for a, (n, _), b in zip(said, by_line, asked, strict=True)]
        place = "Line"
    elif len(atoms) == len(printed):
        pairs = [(n, a, b) for a, (n, b) in zip(atoms, printed, strict=True)]
    else:
        _look_for(said, [[b for _, b in one_each], [b for _, b in by_line], [b for _, b in printed]], verdict)
        return
    if any(_can_be_no_truth(a) and isinstance(_bare(b), bool) for _, a, b in pairs):
        verdict.sentences.append(say("Write True or False where the cell prints one of them."))
        return
    if any(_can_be_no_number(a) and isinstance(_bare(b), float) for _, a, b in pairs):
        verdict.sentences.append(say("Write a number where the cell prints one."))
        return
    verdict.total += len(pairs)
    wrong = [(i, n, a, b) for i, (n, a, b) in enumerate(pairs, 1) if not equal(a, b)]
    verdict.right += len(pairs) - len(wrong)
    if part:
        verdict.head = say(
            "{right} of {total} right, compared with {part}.",
            right=verdict.right,
            total=verdict.total,
            part=part,
        )
    for i, n, a, b in wrong[:MOST_SAID]:
        parts = {"said": shown(a), "printed": shown(b)}
        if len(pairs) == 1:
            told = say("You said {said}, it printed {printed}.", **parts)
        elif place == "Line":
            told = say("Line {number}: you said {said}, it printed {printed}.", number=n, **parts)
        else:
            told = say("Answer {number}: you said {said}, it printed {printed}.", number=i, **parts)
        verdict.sentences.append(f"{told} {form(a, b)}".rstrip())
    if len(wrong) > MOST_SAID:
        verdict.sentences.append(say("{number} more differ.", number=len(wrong) - MOST_SAID))


def _asked(said: list[Value], rows: list[list[Value]]) -> tuple[list[Value], str]:
    """What one answer for each line is compared with, and which part of the lines this is: the whole lines, with an empty text; or, if the answers
    are single values and lines have several, the column that fits best."""
    whole = [values[0] if len(values) == 1 else values for values in rows]
    if any(isinstance(one, list) for one in said):
        return whole, ""
    columns = [(whole, ""), *_columns(rows)]
    return max(columns, key=lambda column: sum(map(equal, said, column[0])))


def _columns(rows: list[list[Value]]) -> Iterator[tuple[list[Value], str]]:
    """Each column and its name. Columns are counted from the beginning and from the end: a label may have numbers in it."""
    width = min(map(len, rows))
    one = len(rows) == 1
    for at in range(width):
        place = say("value {number} of the line", number=at + 1)
        yield (
            [values[at] for values in rows],
            place if one else say("value {number} of each line", number=at + 1),
        )
    for at in range(width):
        yield [values[-1 - at] for values in rows], _from_the_end(at, one)


def _from_the_end(at: int, one: bool) -> str:
    """The name of a column that is counted from the end, of one line or of each."""
    if at == 0:
        return say("the last value of the line") if one else say("the last value of each line")
    if one:
        return say("value {number} from the end of the line", number=at + 1)
    return say("value {number} from the end of each line", number=at + 1)


def _look_for(said: list[Value], forms: list[list[Value]], verdict: Verdict) -> None:
    """Look for the answers among what was printed, of which there is more or less: a learner may predict a part of it. `forms`: the printed
    values, taken apart in several ways."""
    parts = {"gave": _answers(len(said)), "printed": _values_printed(len(forms[0]))}
    sought = said[:MOST_SOUGHT]
    found = max((in_order(sought, form[:MOST_SEARCHED]) for form in forms), key=len)
    verdict.total += len(said)
    verdict.right += len(found)
    if len(found) == len(said):
        verdict.head = (
            say("You gave {gave}, and the cell printed {printed}. Yours is among them.", **parts)
            if len(said) == 1
            else say(
                "You gave {gave}, and the cell printed {printed}. Yours are among them, in this order.",
                **parts,
            )
        )
        return
    verdict.head = say("You gave {gave}, and the cell printed {printed}.", **parts)
    missing = ", ".join([shown(one) for i, one in enumerate(sought) if i not in found][:MOST_SAID])
    if missing:
        cut = any(len(form) > MOST_SEARCHED for form in forms)
        among = say("the first {number} values", number=MOST_SEARCHED) if cut else say("them")
        verdict.sentences.append(
            say("Not found among {among}: {missing}.", among=among, missing=missing)
            if len(said) == 1
            else say("Not found among {among}, in this order: {missing}.", among=among, missing=missing)
        )
    if len(said) > len(sought):
        verdict.sentences.append(say("Only your first {number} answers were looked for.", number=len(sought)))


def in_order(said: list[Value], printed: list[Value]) -> list[int]:
    """The positions of as many answers as possible that were printed, in the same order."""
    best: list[list[int]] = [[] for _ in range(len(said) + 1)]  # with the first so many answers
    for value in printed:
        for i in range(len(said), 0, -1):
            if len(best[i - 1]) >= len(best[i]) and equal(said[i - 1], value):
                best[i] = [*best[i - 1], i - 1]
        for i in range(1, len(said) + 1):
            if len(best[i - 1]) > len(best[i]):
                best[i] = best[i - 1]
    return best[-1]


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
            or math.isclose(
                said, printed, rel_tol=TOLERANCE if printed % 1 == 0 else ROUNDED, abs_tol=TOLERANCE
            )
        )
    if isinstance(said, float) and isinstance(printed, bool):
        return said == printed
    if isinstance(said, str) and isinstance(printed, str):
        return _plain(said) == _plain(printed)
    return type(said) is type(printed) and said == printed


def form(said: Value, printed: Value) -> str:
    """In which way an answer is wrong, if a sentence says it; an empty text if not."""
    a, b = _bare(said), _bare(printed)
    if isinstance(b, list) and not isinstance(said, list):
        inner = [*numbers_of(b)]
        if inner and all(equal(a, one) for one in inner):
            return say("Each element is {value}; there are {number}.", value=shown(a), number=len(inner))
        return ""
    if isinstance(a, list) and isinstance(b, list):
        x, y = [*numbers_of(a)], [*numbers_of(b)]
        if len(x) != len(y):
            return say("You gave {gave}, and it has {number}.", gave=_numbers(len(x)), number=len(y))
        if len(x) > 1 and equal(_turned(said), printed):
            return say("Rows and columns are exchanged.")
        if equal(x, y):
            return say("The numbers are right, and the shape is another one.")
        factors = {_factor(p, q) for p, q in zip(x, y, strict=True) if not (p == q == 0)}
        return _of_factor(factors.pop()) if len(factors) == 1 else ""
    # 1 and 2 may be a choice, or a position.
    return "" if {str(a), str(b)} == {"1.0", "2.0"} else _of_factor(_factor(a, b))


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
    plain = re.sub(r"\s+", " ", typed(text)).strip().lower()
    return DTYPES.get(plain, plain)


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
        return say("The sign is the other one.")
    if factor in (2, 3, 4, 5, 10):
        return say("The right one is {factor} times yours.", factor=f"{factor:g}")
    if factor in (0.5, 0.25, 0.1):
        return say("Yours is {factor} times the right one.", factor=f"{1 / factor:g}")
    return ""


def _answers(number: int) -> str:
    return say("1 answer") if number == 1 else say("{number} answers", number=number)


def _values_printed(number: int) -> str:
    return say("1 value") if number == 1 else say("{number} values", number=number)


def _numbers(number: int) -> str:
    return say("1 number") if number == 1 else say("{number} numbers", number=number)
