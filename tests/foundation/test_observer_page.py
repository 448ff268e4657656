"""docs/observer.md lists what an observer is told, as `jgrad/observer.py` says it, and its example runs."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from jgrad.observer import Observer

pytestmark = pytest.mark.quick

PAGE = Path(__file__).parents[2] / "docs" / "observer.md"
LISTING = re.compile(
    r"(<!-- Written by python -m tests\.foundation\.test_observer_page: -->\n).*?(?=\n\n[^|\n]|\Z)", re.DOTALL
)


def listing() -> str:
    """A row for each method of an observer: its parameters, and its docstring."""
    rows = ["| call | what happened |", "|---|---|"]
    for name, method in vars(Observer).items():
        if inspect.isfunction(method):
            parameters = [
                p.replace(annotation=p.empty) for p in inspect.signature(method).parameters.values()
            ][1:]
            text = " ".join(inspect.cleandoc(method.__doc__ or "").split())
            rows.append(f"| `{name}{inspect.Signature(parameters)}` | {text} |")
    return "\n".join(rows)


def with_listing(page: str) -> str:
    return LISTING.sub(lambda found: f"{found[1]}\n{listing()}", page)


def test_the_page_lists_every_call() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert LISTING.search(page)
    assert page == with_listing(page), "run python -m tests.foundation.test_observer_page"


def test_the_example_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    example, printed = re.findall(
        r"```(?:python|text)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )[:2]
    exec(compile(example, str(PAGE), "exec"), {})
    assert capsys.readouterr().out == printed


if __name__ == "__main__":
    PAGE.write_text(with_listing(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
