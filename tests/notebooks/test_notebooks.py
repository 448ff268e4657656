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

from jgrad.notebook.hidden import is_hidden, strip
from tests.same_as_torch.oracle import ABOUT_CUDA, built_with_cuda

EXAMPLES = {
    "five-ways-to-copy.ipynb": ["doc2.1a", "doc2.1b", "doc2.2a", "doc2.2b", "doc2.3a", "doc2.4a", "doc2.5a"],
    "clone-copy-detach-data.ipynb": [
        *["doc1.1a", "doc1.2a", "doc1.4a", "doc1.4b", "doc1.5a", "doc1.7a", "doc1.7b", "doc1.8a", "doc1.8b"],
        *["doc1.P1", "doc1.P2", "doc1.P3"],
    ],
    "what-detach-and-clone-keep.ipynb": [
        *["doc0.1a", "doc0.1b", "doc0.1c", "doc0.1d", "doc0.1e", "doc0.1f", "doc0.1g", "doc0.1h", "doc0.1i"],
        *["doc0.2a", "doc0.2b", "doc0.2c", "doc0.3a", "doc0.4a", "doc0.4b", "doc0.5a", "doc0.5b"],
        *["doc0.6a", "doc0.6b", "doc0.7a", "doc0.7b", "doc0.7c"],
    ],
    "copy-or-convert.ipynb": [
        *["doc3.0a", "doc3.1a", "doc3.2a", "doc3.2b", "doc3.2c", "doc3.3a", "doc3.4a", "doc3.5a"],
    ],
    "tensors-1-what-a-tensor-is.ipynb": [
        *["doc4.6a", "doc4.7a", "doc4.8a", "doc4.8b", "doc4.9a", "doc4.10a", "doc4.11a", "doc4.12a"],
        *["doc4.13a", "doc4.14a", "doc4.14b", "doc4.P1", "doc4.P2", "doc4.P3"],
    ],
    "tensors-2-operations.ipynb": ["doc4.15", "doc4.16a", "doc4.16b"],
    "tensors-3-memory-products-families.ipynb": ["doc4.17a", "doc4.18a", "doc4.19a", "doc4.20a", "doc4.22"],
    "tensors-4-graphs.ipynb": ["doc4.27a", "doc4.P4", "doc4.P5", "doc4.P6", "doc4.P7", "doc4.P8"],
    "tensors-5-autograd.ipynb": [
        "doc4.32a",
        "doc4.32b",
        "doc4.33a",
        "doc4.40a",
        "doc4.41a",
        "doc4.42a",
        "doc4.43a",
    ],
    "tensors-6-your-own-functions.ipynb": ["doc4.35a", "doc4.36a", "doc4.37a", "doc4.38a"],
}
SECTIONS = {
    "five-ways-to-copy.ipynb": ("doc2", range(1, 6)),
    "clone-copy-detach-data.ipynb": ("doc1", range(1, 9)),
    "what-detach-and-clone-keep.ipynb": ("doc0", range(1, 8)),
    "copy-or-convert.ipynb": ("doc3", range(7)),
    "tensors-1-what-a-tensor-is.ipynb": ("doc4", [*range(1, 15), 21]),
    "tensors-2-operations.ipynb": ("doc4", [15, 16]),
    "tensors-3-memory-products-families.ipynb": ("doc4", [*range(17, 21), 22, 23]),
    "tensors-4-graphs.ipynb": ("doc4", range(24, 31)),
    "tensors-5-autograd.ipynb": ("doc4", [31, 32, 33, *range(39, 45)]),
    "tensors-6-your-own-functions.ipynb": ("doc4", range(34, 39)),
}
# What a notebook says it shows by running: the functions its document lists.
LISTED = {
    "tensors-1-what-a-tensor-is.ipynb": """
        tensor Tensor zeros ones full empty zeros_like ones_like full_like empty_like empty_strided arange linspace logspace eye
        normal rand rand_like randint randint_like randn randn_like randperm bernoulli uniform_ from_numpy as_tensor
        seed manual_seed initial_seed get_rng_state set_rng_state manual_seed_all set_default_tensor_type Variable
    """,
    "tensors-2-operations.ipynb": """
        cat concat conj chunk column_stack dsplit dstack gather hsplit hstack index_select masked_select movedim moveaxis narrow
        nonzero permute reshape row_stack scatter scatter_add split squeeze stack swapaxes swapdims t take take_along_dim
        tensor_split tile transpose unbind unsqueeze vsplit vstack where scatter_ argmax argsort
    """,
    "tensors-3-memory-products-families.ipynb": """
        abs cos sin floor floor_divide pow argmax argmin all any mean norm var ge gt le lt eq argsort isnan topk stft clone
        diag flip addmm dot inner svd matmul mm bmm einsum view permute add_
    """,
    "tensors-4-graphs.ipynb": "add mul backward retain_grad register_hook mm tanh",
    "tensors-5-autograd.ipynb": """
        add mul cat backward grad pow zero_ zero_grad detach detach_ no_grad enable_grad inference_mode
    """,
    "tensors-6-your-own-functions.ipynb": """
        apply forward backward exp save_for_backward view_as conv2d conv_transpose2d mse_loss randn_like gradcheck transpose
    """,
}
NOT_COMPARED = {"nbval-ignore-output", "jgrad-only"}
LACKS = re.compile(
    r"jgrad\s+(still\s+)?(has\s+(no|only)|(does\s+not|doesn't)\s+(yet\s+)?(have|know|support)|lacks|supports\s+only)\b"
)
MACHINE = re.compile(r"ipykernel_\d|site-packages|/home/|/root/|/tmp/|0x[0-9a-f]{6}")

each_notebook = pytest.mark.parametrize("path", cells.paths(), ids=lambda path: path.stem)


@pytest.mark.quick
def test_the_notebooks_of_the_documents_are_there() -> None:
    assert set(EXAMPLES) <= {path.name for path in cells.paths()}


@pytest.mark.one_in(6)
@each_notebook
def test_pytorch_prints_what_the_notebook_stores(path: Path) -> None:
    if path.stem == "trace-your-own-pytorch":
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
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_and_picture_has_a_cell(name: str) -> None:
    notebook = cells.load(cells.NOTEBOOKS / name)
    tagged = {tag for cell in cells.code_cells(notebook) for tag in cells.tags(cell)}
    assert [example for example in EXAMPLES[name] if example not in tagged] == []


@pytest.mark.quick
@pytest.mark.parametrize("name", LISTED)
def test_every_listed_function_is_called(name: str) -> None:
    source = "\n".join(cell.source for cell in cells.code_cells(cells.load(cells.NOTEBOOKS / name)))
    assert [called for called in LISTED[name].split() if not re.search(rf"\b{called}\(", source)] == []


@pytest.mark.quick
@pytest.mark.parametrize("name", SECTIONS)
def test_sections_come_in_their_order(name: str) -> None:
    document, sections = SECTIONS[name]
    tagged = [tag for cell in cells.load(cells.NOTEBOOKS / name).cells for tag in cells.tags(cell)]
    numbers = [int(found[1]) for tag in tagged if (found := re.match(rf"{document}\.(\d+)", tag))]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(sections)


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
@each_notebook
def test_every_exercise_has_a_hidden_solution(path: Path) -> None:
    notebook = cells.load(path)
    exercises = [cell for cell in notebook.cells if "exercise" in cells.tags(cell)]
    questions = re.findall(r"^\*\*\d+\.\*\* ", "\n".join(cell.source for cell in notebook.cells), re.M)
    # (`tests/teach` has the second ones.)
    solved = len(cells.solutions(notebook)) + len(cells.checked(notebook))
    assert len(exercises) == len(questions) == solved > 0


@each_notebook
@pytest.mark.parametrize("library", ["jgrad", "torch"])
def test_solutions_print_what_they_say(path: Path, library: str) -> None:
    notebook = cells.load(path)
    printed = cells.run_solutions(notebook, library)
    assert printed == {name: cells.canonical(shown) for name, (_, shown) in cells.solutions(notebook).items()}


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
    for a, b in zip(before, after, strict=True):
        if is_hidden(a):
            a |= {"outputs": [], "execution_count": None}
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
        assert set(cell["metadata"]) <= {"tags", "jupyter"}, cell["id"]
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
            for target in re.findall(r"\]\(([^)#:]+)\)", cell.source):
                assert (path.parent / target).exists(), target


@pytest.mark.quick
def test_the_tour_leads_to_every_notebook() -> None:
    """`jgrad lab` opens the tour, and the file browser beside it knows no order but the alphabet."""
    text = "\n".join(cell.source for cell in cells.load(cells.NOTEBOOKS / "tour.ipynb").cells)
    others = {path.name for path in cells.paths()} - {"tour.ipynb"}
    assert [name for name in sorted(others) if f"]({name})" not in text] == []
