"""The bank of planted mistakes: what `%why` says of programs into which a mistake was planted, on PyTorch.

`python -m tests.bank` runs all of it and writes docs/planted-mistakes.md and `results.json`.
"""

from __future__ import annotations

import ast
import io
import json
import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from jgrad import mirrors
from jgrad.asking.calling import about_trace, answer_to
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.explain.rules.silent_training import SYMPTOMS
from jgrad.tracing.record.scope import Scope, mentioned
from tests.bank.operators import OPERATORS, Operator

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROGRAMS = HERE / "programs"
PAGE = ROOT / "docs" / "planted-mistakes.md"
RESULTS = HERE / "results.json"
ROUNDS = 12  # of a loop of an example, which has hundreds
VERDICTS = ("found", "vague", "silent", "wrong")
INFORMATION = "info"


class Planted(NamedTuple):
    """A program with a mistake."""

    program: str
    operator: Operator
    number: int
    source: str

    @property
    def name(self) -> str:
        return f"{self.program}: {self.operator.name}, {self.number}"


def texts() -> dict[str, str]:
    """The programs without a mistake, by name: those of this folder, and the examples, with fewer rounds."""
    own = {path.stem: path.read_text(encoding="utf-8") for path in sorted(PROGRAMS.glob("*.py"))}
    examples = {
        f"examples/{path.name}": _short(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "examples").glob("*.py"))
    }
    return own | examples


def _short(text: str) -> str:
    """An example on PyTorch, with few rounds."""
    tree = ast.parse(text.replace("jgrad", "torch"))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, int)
        ):
            name = ast.unparse(node.targets[0])
            if name in ("EPOCHS", "STEPS", "ROUNDS", "EPISODES", "ITERATIONS"):
                node.value = ast.Constant(min(node.value.value, ROUNDS))
    return ast.unparse(tree)


def planted(programs: Mapping[str, str]) -> Iterator[Planted]:
    """These programs, each with one mistake."""
    for program, text in programs.items():
        tree = ast.parse(text)
        for operator in OPERATORS:
            for number, made in enumerate(operator.plant(tree), 1):
                source = ast.unparse(ast.fix_missing_locations(made))
                yield Planted(program, operator, number, source)


class Ran(NamedTuple):
    """What a program printed or raised, and what is said of it: the code and the text of each sentence, the gravest first."""

    printed: str
    raised: str
    said: list[tuple[str, str]]


def run(source: str) -> Ran:
    """Run a program on PyTorch in a trace, as `jgrad run` does."""
    import torch

    mirrors.load()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    t = Trace()
    t._source = Source(source.split("\n"))
    code = compile(source, "<program>", "exec")
    out = io.StringIO()
    try:
        with (
            warnings.catch_warnings(record=True),
            redirect_stdout(out),
            t.recording(Scope("<program>", namespace, [*mentioned(code)])) as outcome,
        ):
            warnings.simplefilter("always")
            exec(code, namespace)
    finally:
        torch.set_grad_enabled(True)
    error = outcome.error
    answer = about_trace(t, t._warned) if error is None else answer_to(error, [t])
    grave = {n["text"]: n["severity"] for n in t.document["notes"]}
    said = [
        (p.code, p.text)
        for p in answer.passages
        if grave.get(p.text) != INFORMATION or p.code in ("list-keeps-graphs",)
    ]
    return Ran(out.getvalue(), "" if error is None else f"{type(error).__name__}: {error}", said)


def verdict(one: Planted, right: Ran, ran: Ran) -> str | None:
    """How the answer is; None where the mistake can't be known: the program does the same."""
    of_right = {code for code, _ in right.said}
    codes = [code for code, _ in ran.said if code and code not in of_right]
    if not ran.raised and not codes and _same(ran.printed, right.printed):
        return None
    if any(code in one.operator.causes.split() for code in codes[:2]):
        return "found"
    if any(code in one.operator.vague.split() or code in one.operator.causes.split() for code in codes):
        return "vague"
    if ran.raised and not codes:
        return "vague"  # the error's words again
    if codes and {*codes} <= {*SYMPTOMS}:
        return "vague"  # how the training went, which is true whatever the mistake is
    return "wrong" if codes else "silent"


def _same(printed: str, other: str) -> bool:
    """Whether two programs printed the same, but for rounding."""
    words, others = printed.split(), other.split()
    return len(words) == len(others) and all(map(_near, words, others))


def _near(word: str, other: str) -> bool:
    try:
        return math.isclose(
            float(word.strip("[],()")), float(other.strip("[],()")), rel_tol=1e-4, abs_tol=1e-6
        )
    except ValueError:
        return word == other


def table(known: dict[str, str]) -> str:
    """The table by operator."""
    rows = ["| mistake | found | vague | silent | wrong |", "|---|---:|---:|---:|---:|"]
    total = dict.fromkeys(VERDICTS, 0)
    for operator in OPERATORS:
        own = [v for name, v in known.items() if name.split(": ", 1)[1].rsplit(", ", 1)[0] == operator.name]
        counts = {v: own.count(v) for v in VERDICTS}
        for v in VERDICTS:
            total[v] += counts[v]
        if own:
            rows.append(f"| {operator.name} | {' | '.join(str(counts[v] or '') for v in VERDICTS)} |")
    rows.append(f"| **all {sum(total.values())}** | {' | '.join(f'**{total[v]}**' for v in VERDICTS)} |")
    return "\n".join(rows)


INTRODUCTION = """# Planted mistakes

A script plants mistakes into programs without one: {programs} programs as people publish them (`tests/bank/programs/`) and {examples} of the examples. It changes the syntax tree at one
place, as people do by accident, and runs each program on PyTorch in a trace. `python -m tests.bank` does this and writes this page; a test runs a sample and fails if an answer
becomes worse.

- **Found**: one of the first two sentences names the mistake.
- **Vague**: what is said is true and only a consequence, or repeats the words of the error.
- **Silent**: nothing is said. `%why` then lists facts, and makes no claim.
- **Wrong**: a cause is named that is not the one.

A mistake that changes nothing that the program prints, and of which nothing is said, can't be known and is not counted.

"""


def results() -> dict[str, str]:
    """The verdicts that are stored, by the names of the programs."""
    stored: dict[str, str] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return stored


def write(known: dict[str, str]) -> None:
    """Write the page and the results."""
    programs = len([*PROGRAMS.glob("*.py")])
    examples = len({name.split(": ")[0] for name in known if name.startswith("examples/")})
    introduction = INTRODUCTION.format(programs=programs, examples=examples)
    PAGE.write_text(introduction + table(known) + "\n", encoding="utf-8")
    RESULTS.write_text(json.dumps(known, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
