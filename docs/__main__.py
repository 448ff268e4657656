"""`python -m docs` builds the site: docs, course and reference, without a network. `--to DIR` names another folder than build/site.

The sources lie in a folder that has the layout of the checkout. So a link in a page works on a forge and on the site alike.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

from myst_parser.slugs import github_slugify
from sphinx.cmd.build import build_main

from docs.site import front, reference, search
from docs.site.folder import ROOT, target_of
from jgrad.notebook import hidden

CONFIGURATION = Path(__file__).parent / "site"
PAGES = (
    "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/decisions/*.md", "docs/*.json", "docs/images/*.svg", "examples/**/*.md", "examples/**/*.py", "js/README.md",
    "notebooks/*.ipynb", "tests/README.md", "tests/**/*.py", "tests/words/words.md",
)  # fmt: skip
SCORER = "scorer.js"  # beside the pages
# A link to a cell of another notebook.
CELL = re.compile(r"\(([\w-]+)\.ipynb#cell-id=([\w-]+)\)")


def linked(notebook: str) -> str:
    """A notebook of which the links to its own headings are those of the site. JupyterLab keeps capital letters and full stops in them."""
    return re.sub(
        r"\]\(#((?:[^()]|\([^()]*\))*)\)", lambda link: f"](#{github_slugify(unquote(link[1]))})", notebook
    )


def named_cells() -> set[tuple[str, str]]:
    """The notebook and the id of each text cell that a link between notebooks names, as in `05-memory.ipynb#cell-id=detach`. JupyterLab opens a
    notebook at such a cell, and nbconvert gives each cell this place in its page. MyST-NB does not."""
    texts = (path.read_text(encoding="utf-8") for path in ROOT.glob("notebooks/**/*.ipynb"))
    return {found for text in texts for found in CELL.findall(text)}


def placed(notebook: str, name: str, named: set[tuple[str, str]]) -> str:
    """A notebook with a target of MyST above each text cell that is named, and with links to such targets."""
    found = json.loads(CELL.sub(r"(\1.ipynb#cell-\1-\2)", notebook))
    for cell in found["cells"]:
        if cell["cell_type"] == "markdown" and (name, cell["id"]) in named:
            cell["source"] = f"(cell-{name}-{cell['id']})=\n\n{''.join(cell['source'])}"
    return json.dumps(found)


def boxed(notebook: str) -> str:
    """A notebook of which the stretches below hidden results are marked, with their style sheet. MyST-NB makes classes of the tags of code; a text
    gets a box for them."""
    found = json.loads(notebook)
    cells = found["cells"]
    questions = hidden.marked(cells)
    for cell in cells:
        marks = [f"tag_{tag}" for tag in cell["metadata"].get("tags", ()) if tag.startswith(hidden.BELOW)]
        if cell["cell_type"] == "markdown" and marks:
            text = "".join(cell["source"])
            cell["source"] = f"::::{{container}} {' '.join(marks)}\n{text.rstrip()}\n::::\n"
        elif hidden.is_hidden(cell) and not hidden.is_asked(cell):
            cell["metadata"]["mystnb"] = {"code_prompt_show": hidden.on_fold(cell, "", "en")}
    if questions:
        sheet = hidden.style(questions, "tag_")
        # A section that a link names holds stretches: it does not open them.
        sheet = re.sub(r", :target \.tag_jgrad-below-\d+", "", sheet)
        # The class of a box has no underscore.
        sheet = re.sub(r"\.tag_(jgrad-below-\d+)", r":is(.tag_\1, .tag-\1)", f"<style>\n{sheet}</style>")
        cells[0]["source"] = f"{''.join(cells[0]['source'])}\n\n```{{raw}} html\n{sheet}\n```\n"
    return json.dumps(found)


def write_sources(folder: Path) -> None:
    """Copy the pages, and write those that are made."""
    named = named_cells()
    for pattern in PAGES:
        for path in ROOT.glob(pattern):
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
            if path.suffix == ".ipynb":
                notebook = boxed(linked(path.read_text(encoding="utf-8")))
                copy.write_text(placed(notebook, path.stem, named), encoding="utf-8")
    readme, contents = (
        path.read_text(encoding="utf-8") for path in (ROOT / "README.md", CONFIGURATION / "contents.md")
    )
    (folder / "index.ipynb").write_text(front.notebook(readme, contents), encoding="utf-8")
    (folder / SCORER).write_text(search.scorer(contents), encoding="utf-8")
    reference.write(folder / "reference")


def main(arguments: list[str]) -> int:
    target = target_of(arguments, "docs", "site", "Build the site of the docs and the course.", ".buildinfo")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        write_sources(source)
        quiet = "" if sys.stdout.isatty() else "-q"  # on a terminal Sphinx shows how far it is
        options = f"-b html -W --keep-going -n {quiet} -d {folder}/doctrees".split()
        options += ["-D", f"html_search_scorer={source / SCORER}", "-c"]
        status = build_main([*options, str(CONFIGURATION), str(source), str(target)])
    if not status:
        print(f"{target / 'index.html'}: {len(list(target.rglob('*.html')))} pages")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
