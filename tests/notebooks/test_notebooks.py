"""What a notebook stores is what PyTorch prints, every example of its document is there, the file is clean.

That jgrad prints and draws the same is nbval's part, which runs every cell again and compares strictly:

    pytest tests/notebooks notebooks

nbval's options are in pytest's `addopts`. With xdist the cells of one notebook stay in one process: `--dist=loadfile`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.notebooks import cells

pytest.importorskip("torch")

from jgrad.notebook.hidden import is_hidden, stretches, strip
from tests.same_as_torch.oracle import ABOUT_CUDA, built_with_cuda

# Where each section of the documents is told first, and each of their examples and pictures is run.
SECTIONS = {
    "02-tensors.ipynb": "doc3.3 doc4.1 doc4.2 doc4.4 doc4.5 doc4.6 doc4.9 doc4.21",
    "03-graphs.ipynb": "doc4.24 doc4.25 doc4.26 doc4.27 doc4.28 doc4.29 doc4.30",
    "04-autograd.ipynb": "doc0.3 doc4.31 doc4.32 doc4.33 doc4.39 doc4.40 doc4.41 doc4.44",
    "05-memory.ipynb": "doc0.1 doc0.5 doc1.5 doc1.6 doc4.17 doc4.18 doc4.20 doc4.23 doc4.42 doc4.43",
    "06-copies.ipynb": """
        doc0.2 doc0.4 doc0.6 doc0.7 doc1.1 doc1.2 doc1.3 doc1.4 doc1.7 doc1.8
        doc2.1 doc2.2 doc2.3 doc2.4 doc2.5 doc3.0 doc3.1 doc3.2 doc3.4 doc3.5 doc3.6
    """,
    "09-your-own-functions.ipynb": "doc4.34 doc4.35 doc4.36 doc4.37 doc4.38",
    "20-making-tensors.ipynb": "doc4.3 doc4.7 doc4.8 doc4.10 doc4.11 doc4.12 doc4.13 doc4.14",
    "21-operations.ipynb": "doc4.15 doc4.16 doc4.19 doc4.22",
}
EXAMPLES = {
    "02-tensors.ipynb": "doc3.3a doc4.6a doc4.9a doc4.P2 doc4.P3",
    "03-graphs.ipynb": "doc4.27a doc4.P4 doc4.P5 doc4.P6 doc4.P7 doc4.P8",
    "04-autograd.ipynb": "doc0.3a doc4.32a doc4.32b doc4.33a doc4.40a doc4.41a",
    "05-memory.ipynb": """
        doc0.1a doc0.1b doc0.1c doc0.1d doc0.1e doc0.1f doc0.1g doc0.1h doc0.5a doc0.5b
        doc1.5a doc4.17a doc4.18a doc4.20a doc4.42a doc4.43a
    """,
    "06-copies.ipynb": """
        doc0.2b doc0.2c doc0.4a doc0.4b doc0.6a doc0.7c doc1.1a doc1.2a doc1.4b doc1.8a doc1.8b
        doc2.1b doc2.2b doc2.5a doc3.0a doc3.2c doc1.P1 doc1.P2 doc1.P3
    """,
    "09-your-own-functions.ipynb": "doc4.35a doc4.36a doc4.38a",
    "20-making-tensors.ipynb": "doc4.7a doc4.8a doc4.8b doc4.10a doc4.11a doc4.12a doc4.13a doc4.14a doc4.14b doc4.P1",
    "21-operations.ipynb": "doc4.16a doc4.16b doc4.19a",
    "23-sources.ipynb": """
        doc0.1i doc0.2a doc0.6b doc0.7a doc0.7b doc1.4a doc1.7a doc1.7b doc2.1a doc2.2a doc2.3a doc2.4a
        doc3.1a doc3.2a doc3.2b doc3.4a doc3.5a doc4.37a
    """,
}
# What is shown by running: the functions that the documents list.
LISTED = """
    tensor Tensor zeros ones full empty zeros_like ones_like full_like empty_like empty_strided arange linspace logspace eye
    normal rand rand_like randint randint_like randn randn_like randperm bernoulli uniform_ from_numpy as_tensor
    seed manual_seed initial_seed get_rng_state set_rng_state manual_seed_all set_default_tensor_type Variable
    cat concat conj chunk column_stack dsplit dstack gather hsplit hstack index_select masked_select movedim moveaxis narrow
    nonzero permute reshape row_stack scatter scatter_add split squeeze stack swapaxes swapdims t take take_along_dim
    tensor_split tile transpose unbind unsqueeze vsplit vstack where scatter_ argmax argsort
    abs cos sin floor floor_divide pow all any mean norm var ge gt le lt eq isnan topk stft clone
    diag flip addmm dot inner svd matmul mm bmm einsum view add_ add mul backward retain_grad register_hook tanh
    grad zero_ zero_grad detach detach_ no_grad enable_grad inference_mode
    apply forward exp save_for_backward view_as conv2d conv_transpose2d mse_loss gradcheck
"""
STATEMENTS = {f"E{number:03}" for number in range(1, 164)}
ORIGINALS = 123
EXERCISES = 40
NOT_COMPARED = {"nbval-ignore-output", "jgrad-only"}
LACKS = re.compile(
    r"jgrad\s+(still\s+)?(has\s+(no|only)|(does\s+not|doesn't)\s+(yet\s+)?(have|know|support)|lacks|supports\s+only)\b"
)
MACHINE = re.compile(r"ipykernel_\d|site-packages|/home/|/root/|/tmp/|0x[0-9a-f]{6}")

each_notebook = pytest.mark.parametrize("path", cells.paths(), ids=lambda path: path.stem)


@pytest.mark.one_in(9)
@each_notebook
def test_pytorch_prints_what_the_notebook_stores(path: Path) -> None:
    if path.stem == "10-your-own-pytorch":
        return  # it runs on PyTorch itself
    notebook = cells.load(path)
    differing = {}
    for cell, on_torch in zip(
        cells.code_cells(notebook), cells.run_in_new_process(path, "torch"), strict=True
    ):
        if built_with_cuda() and ABOUT_CUDA.search(cell.source):
            continue  # what is stored was compared with PyTorch built without CUDA
        if cells.only_looks(cell) or NOT_COMPARED & set(cells.tags(cell)):
            assert on_torch.error is None, cell.id
        elif (stored := cells.stored(cell)) != on_torch:
            differing[cell.id] = {"stored": stored, "PyTorch": on_torch}
    assert not differing


@pytest.mark.quick
@each_notebook
def test_cells_that_show_something_hold_nothing_else(path: Path) -> None:
    """Otherwise what PyTorch prints could not be compared."""
    for cell in cells.code_cells(cells.load(path)):
        if cells.only_looks(cell):
            assert not re.sub(r"#.*", "", cells.plain(cell.source)).strip(), cell.id


@pytest.mark.quick
def test_every_section_example_and_picture_has_a_place() -> None:
    assert len(" ".join(SECTIONS.values()).split()) == 71
    assert len(" ".join(EXAMPLES.values()).split()) == 75 + 11
    for name, wanted in EXAMPLES.items():
        tagged = {
            tag for cell in cells.code_cells(cells.load(cells.NOTEBOOKS / name)) for tag in cells.tags(cell)
        }
        assert [example for example in wanted.split() if example not in tagged] == [], name
    for name, wanted in SECTIONS.items():
        found = [tag for cell in cells.load(cells.NOTEBOOKS / name).cells for tag in cells.tags(cell)]
        sections = {match[0] for tag in found if (match := re.match(r"doc\d\.\d+", tag))}
        assert set(wanted.split()) - sections == set(), name


@pytest.mark.quick
def test_every_disputed_statement_is_in_exactly_one_place() -> None:
    texts = [cell.source for path in cells.paths() for cell in cells.load(path).cells]
    found = re.findall(r"\bE\d{3}\b", "\n".join(texts))
    assert sorted(found) == sorted(STATEMENTS)


@pytest.mark.quick
def test_a_statement_in_a_box_of_a_lesson_and_its_entry_lead_to_each_other() -> None:
    sources = cells.load(cells.NOTEBOOKS / "23-sources.ipynb")
    entries = {cell.id: cell.source for cell in sources.cells if re.fullmatch(r"e\d{3}", cell.id)}
    boxes = set()
    for path in cells.paths():
        for cell in cells.load(path).cells:
            for name in (
                re.findall(r"\*\*You may have read\*\*.*", cell.source) if path.stem != "23-sources" else ()
            ):
                for entry in re.findall(r"\(23-sources\.ipynb#cell-id=(e\d{3})\)", name):
                    assert entries[entry].endswith(f"({path.name}#cell-id={cell.id})"), entry
                    assert f"**{entry.upper()}**" in entries[entry]
                    boxes.add(entry)
    assert boxes == set(entries)
    assert len(entries) == 20


@pytest.mark.quick
def test_every_statement_leads_to_a_cell_of_a_lesson() -> None:
    text = "\n".join(cell.source for cell in cells.load(cells.NOTEBOOKS / "23-sources.ipynb").cells)
    rows = re.findall(r"^(?:\| E\d{3} \||.*\*\*E\d{3}\*\*,).*$", text, re.M)
    assert len(rows) == len(STATEMENTS)
    assert [row for row in rows if not re.search(r"\.ipynb#cell-id=[\w-]+\)(?: \|)?$", row)] == []


@pytest.mark.quick
def test_the_words_of_the_originals_stand_beside_what_is_said_of_them() -> None:
    """Of all disputed statements that are no code, in the notebook of the sources."""
    texts = [cell.source for path in cells.paths() for cell in cells.load(path).cells]
    assert len(re.findall("「[^「」]+」", "\n".join(texts))) == ORIGINALS
    in_lessons = [
        cell.source for path in cells.paths() if path.stem != "23-sources" for cell in cells.load(path).cells
    ]
    assert [text for text in in_lessons if "「" in text] == []


@pytest.mark.quick
def test_no_lesson_quotes_a_source_without_its_name() -> None:
    """What the documents say is in the notebook of the sources, or in a box with a link to it."""
    for path in cells.paths():
        for cell in cells.load(path).cells:
            if cell.cell_type == "markdown" and path.stem != "23-sources":
                assert not re.search(
                    r"\b[Tt]he (tutorial|article|notes|document)s?('s)?\b[^.]* (say|print|show|writ|list)",
                    cell.source,
                ), cell.id
                boxes = re.findall(r"\*\*You may have read\*\*.*", cell.source)
                assert all(re.search(r"\(23-sources\.ipynb#cell-id=e\d{3}\)", box) for box in boxes), cell.id


@pytest.mark.quick
def test_every_listed_function_is_called() -> None:
    source = "\n".join(cell.source for path in cells.paths() for cell in cells.code_cells(cells.load(path)))
    assert [called for called in LISTED.split() if not re.search(rf"\b{called}\(", source)] == []


@pytest.mark.quick
def test_a_lesson_begins_with_minutes_needs_and_aims() -> None:
    for path in cells.paths():
        if re.match(r"0[1-9]|1", path.name):
            top = cells.load(path).cells[0].source
            assert re.search(r"^\*\d+ minutes\. .*[Yy]ou need .*\*$", top, re.M), path.name
            assert re.search(r"^After this \w+ you can$", top, re.M), path.name


@pytest.mark.quick
@pytest.mark.parametrize("name", EXAMPLES)
def test_pictures_are_views(name: str) -> None:
    for cell in cells.code_cells(cells.load(cells.NOTEBOOKS / name)):
        if any(re.fullmatch(r"doc\d\.P\d+", tag) for tag in cells.tags(cell)):
            assert [output for output in cell.outputs if "text/html" in output.get("data", {})], cell.id


@pytest.mark.quick
@each_notebook
def test_outputs_are_stored(path: Path) -> None:
    notebook = cells.load(path)
    for number, cell in enumerate(cells.code_cells(notebook), 1):
        assert cell.execution_count == number, f"{cell.id}: run python -m tests.notebooks.rebuild"
        at_once = re.sub(r"^def .*\n(?: .*\n|\n)*", "", f"{cell.source}\n", flags=re.M)
        if re.search(r"^(%%trace|%(?!load_ext)|\s*print\()", at_once, re.M):
            assert cell.outputs, cell.id


@pytest.mark.quick
@each_notebook
def test_errors_are_deliberate(path: Path) -> None:
    for cell in cells.code_cells(cells.load(path)):
        raised = any(output.output_type == "error" for output in cell.outputs)
        assert raised == ("raises-exception" in cells.tags(cell)), cell.id


@pytest.mark.quick
@each_notebook
def test_every_error_is_explained(path: Path) -> None:
    """Each kind of error that a notebook shows is followed by `%why` somewhere."""
    shown, explained, waiting = {}, set(), []
    for cell in cells.code_cells(cells.load(path)):
        if (error := cells.stored(cell).error) is not None:
            waiting.append(error[1][:40])
            shown.setdefault(error[1][:40], cell.id)
        else:
            explained.update(waiting if cell.source.startswith("%why") else ())
            waiting = []
    assert {words: cell for words, cell in shown.items() if words not in explained} == {}


@pytest.mark.quick
def test_every_exercise_is_checked() -> None:
    count = 0
    for path in cells.paths():
        notebook = cells.load(path)
        exercises = [cell for cell in notebook.cells if "exercise" in cells.tags(cell)]
        numbers = re.findall(r"^\*\*(\d+)\.\*\* ", "\n".join(cell.source for cell in exercises), re.M)
        assert numbers == [str(number) for number in range(1, len(exercises) + 1)], path.name
        assert len(cells.checked(notebook)) == len(exercises), path.name
        count += len(exercises)
    assert count == EXERCISES


@pytest.mark.quick
@each_notebook
def test_no_answer_is_visible_before_its_question(path: Path) -> None:
    """Below each **Predict** the outputs are hidden up to the next text, and its first cell asks for a prediction."""
    asked, waiting = False, None
    for cell in cells.load(path).cells:
        tags = cells.tags(cell)
        if cell.cell_type == "markdown":
            assert waiting is None, f"{waiting}: a predict cell belongs below it"
            asked = bool(re.search(r"\*\*(Predict|Think first)", cell.source))
            asked &= not {"exercise", "how-to-predict"} & {*tags}
            waiting = cell.id if asked and "**Predict" in cell.source else None
            continue
        is_predicted = "predict" in tags
        assert is_predicted == cell.source.startswith("%%predict\n"), cell.id
        assert is_hidden(cell) == bool(asked and cell.outputs), cell.id
        assert cell.metadata.get("jupyter", {}) == ({"outputs_hidden": True} if is_hidden(cell) else {}), (
            cell.id
        )
        assert is_hidden(cell) or not is_predicted, cell.id
        waiting = None if is_predicted else waiting


@pytest.mark.quick
@each_notebook
def test_a_copy_for_learners_has_no_answer(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    before, after = (json.loads(t)["cells"] for t in (text, strip(text)))
    below = {place for at, below in stretches(before).items() for place in (at, *below)}
    for at, (a, b) in enumerate(zip(before, after, strict=True)):
        if at in below and "outputs" in a:
            a |= {"outputs": []}
        if a["cell_type"] == "code":
            a |= {"execution_count": None}
            assert all(one.pop("execution_count", None) is None for one in b["outputs"])
            for one in a["outputs"]:
                one.pop("execution_count", None)
        assert a == b


@pytest.mark.quick
@each_notebook
def test_no_sentence_says_what_jgrad_lacks(path: Path) -> None:
    """Such a sentence is true until somebody adds it. `docs/differences.md` is generated."""
    for cell in cells.load(path).cells:
        if cell.cell_type == "markdown":
            assert not LACKS.search(cell.source), cell.id


@pytest.mark.quick
@each_notebook
def test_the_file_is_clean(path: Path) -> None:
    """Nothing of the machine, no widget state, metadata that stays the same from run to run."""
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    nbformat.validate(nbformat.from_dict(notebook))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "application/vnd.jupyter.widget" not in text
    for cell in notebook["cells"]:
        assert re.fullmatch(r"[a-z][a-z0-9-]*", cell["id"]), "ids of cells are names, so that they stay"
        assert set(cell["metadata"]) <= {"tags", "jupyter", "slideshow"}, cell["id"]
        for output in cell.get("outputs", []):
            assert not MACHINE.search(_text(output)), cell["id"]
            assert "<jgrad views" not in _text(output), f"{cell['id']}: a widget's words, without the widget"
            assert "%%trace: " not in _text(output), f"{cell['id']}: the trace or its views failed"
    assert len(text) < 350_000


def _text(output: dict[str, Any]) -> str:
    """What can be read in an output, pictures aside."""
    data = {mime: value for mime, value in output.get("data", {}).items() if mime.startswith("text/plain")}
    return json.dumps({**output, "data": data})


@pytest.mark.quick
@each_notebook
def test_links_between_notebooks_lead_somewhere(path: Path) -> None:
    for cell in cells.load(path).cells:
        if cell.cell_type == "markdown":
            for target, place in re.findall(r"\]\(([^)#: ]+)(?:#cell-id=([\w-]+))?[ )]", cell.source):
                assert (path.parent / target).exists(), target
                if place:
                    (found,) = (one for one in cells.load(path.parent / target).cells if one.id == place)
                    assert found.cell_type == "markdown", "the site has no place for a cell of code"


@pytest.mark.quick
def test_the_tour_leads_to_every_notebook() -> None:
    """`jgrad lab` opens the tour, and the file browser beside it knows no order but the alphabet."""
    text = "\n".join(cell.source for cell in cells.load(cells.NOTEBOOKS / "00-tour.ipynb").cells)
    others = {path.name for path in cells.paths()} - {"00-tour.ipynb"}
    assert [name for name in sorted(others) if f"]({name})" not in text] == []
