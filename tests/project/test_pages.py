"""What the pages of `docs/` say of other files: links lead somewhere, every decision record is listed, notes are where pointers say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / folder / "README.md" for folder in ("examples", "js", "tests")),
]


def anchors(page: Path) -> set[str]:
    """What a link to a heading of a page may name."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    # The second heading of a name gets a number.
    return {
        f"{slug}-{times}" if times else slug
        for i, slug in enumerate(slugs)
        for times in [slugs[:i].count(slug)]
    }


def broken_links(page: Path) -> Iterator[str]:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = link.partition("#")
        if ":" in file:
            continue
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(page: Path) -> None:
    assert not list(broken_links(page))


def test_every_decision_record_is_listed() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    contents = (ROOT / "docs" / "site" / "contents.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[.+\]\((.+)\)", index, re.MULTILINE) == [path.name for path in RECORDS]
    assert re.findall(r"^docs/decisions/([0-9].+)$", contents, re.MULTILINE) == [
        path.stem for path in RECORDS
    ]


def test_the_numbers_of_decision_records_are_one_two_three() -> None:
    assert [int(path.name[:2]) for path in RECORDS] == list(range(1, len(RECORDS) + 1))


# A note is a paragraph on which several places rely. It begins with "Note [Its name]:". A place says "see Note [Its name]", and if the note is in another
# file, "in `FILE`".
SOURCES = [*(ROOT / "jgrad").rglob("*.py"), *(ROOT / "js" / "src").rglob("*.ts")]
NOTE = re.compile(r"Note \[([^]]+)\](:)?(?: in `([^`]+)`)?")


def notes(path: Path) -> Iterator[tuple[str, bool, Path]]:
    """The notes that a file names: name, whether it is written here, and the file where it must be written."""
    text = re.sub(r"\s+(?:# |\* |// )?\s*", " ", path.read_text(encoding="utf-8"))
    for name, begins, file in NOTE.findall(text):
        yield name, bool(begins), ROOT / file if file else path


def test_notes_are_where_pointers_to_them_say() -> None:
    named = [(path, *note) for path in SOURCES for note in notes(path)]
    written = Counter((name, path) for path, name, begins, _ in named if begins)
    assert len({name for name, _ in written}) == written.total(), "two notes have one name"
    lost = [
        f"{path.relative_to(ROOT)}: no Note [{name}] in {file.relative_to(ROOT)}"
        for path, name, begins, file in named
        if not begins and (name, file) not in written
    ]
    assert not lost, "\n".join(lost)


FILE = re.compile(r"`((?:[\w-]+/)+[\w-]+\.(?:py|ts|mjs|md|json))`")
THEIRS = ("torch/", "jupyter/")  # files of other projects


def test_files_that_the_code_names_exist() -> None:
    """A path begins at the checkout, at `jgrad/`, or beside the folder of the file that names it."""
    lost = [
        f"{path.relative_to(ROOT)}: {file}"
        for path in SOURCES
        for file in FILE.findall(path.read_text(encoding="utf-8"))
        if not file.startswith(THEIRS)
        and not any(
            (start / file).exists() for start in (ROOT, ROOT / "jgrad", path.parent, path.parent.parent)
        )
    ]
    assert not lost, "\n".join(lost)


REGISTERED = False  # whether a package index has jgrad: a release says so here


def test_nobody_is_told_to_install_a_name_that_anybody_may_take() -> None:
    """Until jgrad is on an index, all texts say what works from a checkout or a wheel. A JupyterLite has an index of its own."""
    told = re.compile(r"pip install (?:-\S+ )*[\"']?jgrad(?=[\s`\"'\[]|$)", re.MULTILINE)
    texts = [*PAGES, *SOURCES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "notebooks").rglob("*.ipynb")]
    found = [
        path.relative_to(ROOT).as_posix()
        for path in texts
        if "lite" not in path.parts and told.search(path.read_text(encoding="utf-8"))
    ]
    assert REGISTERED or found == []
