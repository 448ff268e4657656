"""What is said of mistakes in code as people write it: in functions of other cells, in classes and partials, in modules, of an interrupt."""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import jgrad
from tests.explain.test_right_programs import PROGRAMS, cells
from tests.words.page import a_shell

MODULE = """
import jgrad
net = jgrad.nn.Linear(3, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
def train(n):
    for i in range(n):
        opt.zero_grad
        loss = net(jgrad.ones(2, 3)).pow(2).mean()
        loss.backward()
        opt.step()
"""
MODEL = "import jgrad\nmodel = jgrad.nn.Linear(2, 1)\nopt = jgrad.optim.SGD(model.parameters(), lr=0.1)\n"
WEIGHT = "import jgrad\nw = jgrad.ones(2, requires_grad=True)\n"

# The first cell, the traced one, a question, what the answer says, and the notes that there are.
CASES: dict[str, tuple[str, str, str, str, list[str]]] = {
    "a loop in a function never clears": (
        MODEL + "def train(n):\n    for i in range(n):\n        model(jgrad.ones(4, 2)).pow(2).mean().backward()\n        opt.step()",
        "train(6)", "%why",
        "model.weight.grad and model.bias.grad hold the sum of 6 backward passes (line 6 of train (cell 1, called at line 2)), because nothing "
        "cleared them in between. Call opt.zero_grad() before each backward(), unless you need the sum.",
        ["grad-accumulated"],
    ),
    "a total keeps its history, and a mean of it too": (
        MODEL + "def train(n):\n    total = 0\n    for i in range(n):\n        opt.zero_grad()\n        loss = model(jgrad.ones(4, 2)).pow(2).mean()\n"
        "        loss.backward()\n        opt.step()\n        total += loss\n    return total / n",
        "mean = train(6)", "%why",
        "line 11 of train (cell 1, called at line 2) adds loss with its history to total, so total keeps the graphs of 6 results",
        ["sum-keeps-graphs"],
    ),
    "a hook of another cell": (
        WEIGHT + "def louder(g):\n    return g * 10\nw.register_hook(louder)", "(w * 3).sum().backward()", "%why w.grad",
        "the hook louder in cell 1, line 3 got [3., 3.], the gradient of w, and changed it to [30., 30.].", [],
    ),
    "backward() after the loop": (
        MODEL + "def fit(data):\n    for x in data:\n        opt.zero_grad()\n        loss = model(x).pow(2).mean()\n    loss.backward()\n    opt.step()",
        "fit([jgrad.ones(4, 2), jgrad.zeros(4, 2)])", "%why",
        "cell 1, line 8: loss.backward() stands after the loop, so only the loss of the last round gets a gradient.",
        ["backward-after-loop"],
    ),
    "zero_grad() in a function, between backward() and step()": (
        MODEL + "def update(loss):\n    loss.backward()\n    opt.zero_grad()\n    opt.step()",
        "for i in range(3):\n    update(model(jgrad.ones(2, 2)).pow(2).mean())", "%why",
        "changed nothing, 3 times, because every parameter has .grad None", ["step-without-gradients"],
    ),
    "numbers taken in a function": (
        WEIGHT + "import numpy as np\ndef f(x):\n    a = np.tanh(x.detach().numpy())\n    return jgrad.tensor(a, requires_grad=True)",
        "f(w * 2).sum().backward()", "%why",
        "w.grad stays None: cell 1, line 5 takes plain numbers of what was computed from w (x.detach().numpy())", ["path-ends-in-numbers"],
    ),
    "the layer of a block": (
        "import jgrad\nclass Block(jgrad.nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.fc = jgrad.nn.Linear(n, n)\n"
        "    def forward(self, x):\n        return self.fc(x)\nnet = jgrad.nn.Sequential(Block(4), Block(5))",
        "net(jgrad.ones(2, 4))", "%why", "self.fc takes 5 features (in_features=5), and the last dimension of its input has 4.",
        ["layer-of-other-size"],
    ),
    "an argmax in a function decides which expert runs": (
        "import jgrad",
        "gate, experts = jgrad.nn.Linear(2, 2), [jgrad.nn.Linear(2, 1), jgrad.nn.Linear(2, 1)]\n"
        "opt = jgrad.optim.SGD([*gate.parameters(), *experts[0].parameters(), *experts[1].parameters()], lr=0.1)\n"
        "def best(x):\n    return gate(x).argmax(-1)\n"
        "for i in range(2):\n    xs = jgrad.tensor([[1., 9.], [9., 1.], [-9., 0.], [0., -9.]])\n    opt.zero_grad()\n    k = best(xs)\n"
        "    jgrad.stack([experts[i](x) for i, x in zip(k.tolist(), xs)]).sum().backward()\n    opt.step()",
        "%why", "The path ends in line 5, in gate(x).argmax(-1), because a tensor of dtype int64 has no gradient. Use a weighted sum of all "
        "values instead of one choice: p = scores.softmax(-1); y = (p * values).sum(-1).", ["path-ends"],
    ),
    "a leaf that is replaced in a function, which raises": (
        WEIGHT, "def fit(n):\n    w = jgrad.zeros(2, requires_grad=True)\n    for i in range(n):\n        loss = (w - 1).pow(2).mean()\n"
        "        loss.backward()\n        with jgrad.no_grad():\n            w = w - 0.1 * w.grad\n        w.grad = None\nfit(3)",
        "%why", "line 6: backward() starts at a tensor that does not require grad: line 8 gave w a new tensor, which no_grad() "
        "cut off.", ["grad-rebound-no-grad", "root-without-history"],
    ),
    "a model whose optimizer never makes a step": (
        MODEL, "model = jgrad.nn.Linear(2, 1)\nopt = jgrad.optim.SGD(model.parameters(), lr=0.1)\nfor i in range(5):\n    opt.zero_grad()\n"
        "    model(jgrad.ones(4, 2)).pow(2).mean().backward()",
        "%why model", "2 of 2 parameters of model do not train. all parameters of model: no step() of opt ran in cell 2. Write it after backward().",
        ["step-forgotten"],
    ),
    "a row that a bag of embeddings does not have": (
        "import jgrad\nrows = jgrad.nn.EmbeddingBag(3, 2)", "rows(jgrad.tensor([[1, 3]]))", "%why",
        "a row number is negative, or not less than the number of rows of the embedding.", ["row-out-of-range"],
    ),
    "a finding and a warning": (
        MODEL + "rate = jgrad.optim.lr_scheduler.StepLR(opt, 2)",
        "rate.step()\nfor i in range(3):\n    model(jgrad.ones(4, 2)).pow(2).mean().backward()\n    opt.step()",
        "%why", "scheduler.step() ran before optimizer.step(), so the first learning rate of the schedule is skipped.", ["grad-accumulated"],
    ),
    "parameters that were frozen elsewhere, and data": (
        MODEL + "model.requires_grad_(False)\nx = jgrad.ones(2, 2)", "model(x).mean().backward()", "%why",
        "it was computed from model.weight and model.bias, which do not require grad.", ["root-without-history"],
    ),
    "a float64 tensor of another cell": (
        MODEL + "import numpy as np\nx = jgrad.from_numpy(np.ones((3, 2)))", "model(x)", "%why",
        "x has dtype float64 since cell 1, line 5 (jgrad.from_numpy(np.ones((3, 2)))), as NumPy's numbers are float64", ["dtypes-do-not-fit"],
    ),
    "an average in a method of another cell, which a local name gets": (
        MODEL + "import copy\nclass Average:\n    def __init__(self, model):\n        self.model = copy.deepcopy(model)\n    @jgrad.no_grad()\n"
        "    def update(self, model):\n        for a, p in zip(self.model.parameters(), model.parameters()):\n            a = 0.9 * a + 0.1 * p\n"
        "average = Average(model)",
        "for i in range(3):\n    opt.zero_grad()\n    model(jgrad.ones(4, 2)).pow(2).mean().backward()\n    opt.step()\n    average.update(model)",
        "%why", "gives it to a, a local name. So no parameter changed by it in 3 rounds.", ["average-of-local-name"],
    ),
    "a slip in a module": (
        "import truth_library", "truth_library.train(4)", "%why", "truth_library.py, line 7: opt.zero_grad names the method without calling it",
        ["grad-accumulated", "method-not-called"],
    ),
    "names of a module": (
        "import truth_library", "truth_library.train(4)", "%why", "net.weight.grad and net.bias.grad hold the sum of 4 backward passes",
        ["grad-accumulated", "method-not-called"],
    ),
}  # fmt: skip


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    (tmp_path / "truth_library.py").write_text(MODULE)
    sys.path.insert(0, str(tmp_path))
    InteractiveShell.clear_instance()
    try:
        with a_shell() as found:
            with capture_output():
                found.run_line_magic("load_ext", "jgrad")
            yield found
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("truth_library", None)


def answer(shell: InteractiveShell, cells: list[str]) -> str:
    for cell in cells:
        with capture_output() as printed:
            shell.run_cell(cell, store_history=True)
    return " ".join((printed.stdout + "".join(o.data.get("text/plain", "") for o in printed.outputs)).split())


@pytest.mark.parametrize("title", CASES)
def test_what_is_said_of_code_elsewhere(shell: InteractiveShell, title: str) -> None:
    first, traced, question, said, codes = CASES[title]
    answers = answer(shell, [first, f"%%trace\n{traced}", question])
    assert " ".join(said.split()) in answers
    trace = jgrad.trace.recent[-1]
    assert not trace.failures
    assert sorted(note["code"] for note in trace.document["notes"]) == codes


def test_the_headline_of_an_interrupted_cell_says_where(shell: InteractiveShell) -> None:
    loop = "for i in range(10):\n    w.grad = None\n    (w * i).sum().backward()\n    if i == 4:\n        raise KeyboardInterrupt"
    answer(shell, [WEIGHT, f"%%trace\n{loop}"])
    answers = jgrad.trace.recent[-1].document["diagnosis"]
    assert (
        "".join(part["text"] for part in answers["headline"])
        == "The cell was interrupted in line 6 after 5 rounds"
    )
    assert answers["error"] == "KeyboardInterrupt"


LOOP = "for i in range(10):\n    w.grad = None\n    loss = (w * w).sum()\n    loss.backward()\n    if i == 4:\n        raise KeyboardInterrupt"


@pytest.mark.parametrize(("cell", "said"), [
    (f"%%trace\n{LOOP}", "The cell was interrupted in line 7 after 5 rounds, while raise KeyboardInterrupt ran. The loss in line 5 went from 2 to 2. "
     "%why found no mistake in what ran before."),
    ("%%trace\nv = w * 2\nraise KeyboardInterrupt", "The cell was interrupted in line 3, while raise KeyboardInterrupt ran. 1 step ran before."),
    ("%%trace\nfor i in range(2):\n    (w * i).sum().backward()\nraise KeyboardInterrupt", "w.grad holds the sum of 2 backward passes (line 3)"),
    ("def f():\n    raise KeyboardInterrupt\nf()", "The cell was interrupted in line 2, while raise KeyboardInterrupt ran. It was not traced: write "
     "%%trace in its first line, and %why can say how far it came."),
])  # fmt: skip
def test_why_of_an_interrupted_cell(shell: InteractiveShell, cell: str, said: str) -> None:
    assert said in answer(shell, [WEIGHT, cell, "%why"])


def test_an_interrupt_does_not_hide_a_finding(shell: InteractiveShell) -> None:
    answer(
        shell, [WEIGHT, "%%trace\nfor i in range(4):\n    (w * i).sum().backward()\nraise KeyboardInterrupt"]
    )
    answers = jgrad.trace.recent[-1].document["diagnosis"]
    assert "".join(part["text"] for part in answers["headline"]).startswith(
        "The cell was interrupted in line 4"
    )
    assert "w.grad holds the sum of 4 backward passes" in "".join(part["text"] for part in answers["more"])


def test_why_says_which_cell_it_speaks_of(shell: InteractiveShell) -> None:
    cells = [WEIGHT, "%%trace --no-show\nfor i in range(2):\n    (w * i).sum().backward()"]
    found = "w.grad holds the sum of 2 backward passes (line 3)"
    assert answer(shell, [*cells, "%why"]).startswith(found)
    assert answer(shell, ["a = 1", "%why"]).startswith(f"In cell 2, the last one that was traced: {found}")


def test_nothing_is_said_of_right_programs(shell: InteractiveShell) -> None:
    """As `test_right_programs.py`, with functions that are indeed in another cell."""
    programs = [one for one in PROGRAMS if one.name.startswith("elsewhere")]
    assert len(programs) > 20
    for program in programs:
        jgrad.manual_seed(0)
        first, second = cells(program, "jgrad")
        answer(shell, [f"import jgrad as torch\n{first}", f"%%trace\n{second}"])
        assert [note["text"] for note in jgrad.trace.recent[-1].document["notes"]] == [], program.title
    answer(
        shell,
        [
            f"{WEIGHT}def double_(x):\n    return x.mul_(2)",
            "%%trace\nh = w + 1\ndouble_(h)\nh.sum().backward()",
        ],
    )
    assert jgrad.trace.recent[-1].document["notes"] == []


IN_AN_ARCHIVE = """
import sys
sys.path.insert(0, "python.zip")
sys.modules.pop("contextlib", None)
import contextlib
assert contextlib.__file__.endswith("python.zip/contextlib.pyc"), contextlib.__file__
import jgrad
with jgrad.trace() as t:
    w = jgrad.ones(2, requires_grad=True)
    with jgrad.autograd.detect_anomaly():
        for _ in range(3):
            with contextlib.ExitStack() as stack:
                stack.enter_context(jgrad.autograd.graph.save_on_cpu())
                loss = (w * w).sum()
            loss.backward(create_graph=True)
assert all("contextlib" not in step["text"] for step in t.document["steps"]), [step["text"] for step in t.document["steps"]]
"""


def test_modules_of_python_in_an_archive_are_library_code(tmp_path: Path) -> None:
    """In a browser, Python's own modules are compiled files in an archive. What they call their file is not what `__file__` says."""
    source = contextlib.__file__
    code = compile(Path(source).read_text(), str(tmp_path / "python.zip" / "contextlib.py"), "exec")
    compiled = importlib._bootstrap_external._code_to_timestamp_pyc(code)  # type: ignore[attr-defined]
    with zipfile.ZipFile(tmp_path / "python.zip", "w") as archive:
        archive.writestr("contextlib.pyc", bytes(compiled))
    (tmp_path / "cell.py").write_text(IN_AN_ARCHIVE)
    environment = {**os.environ, "PYTHONPATH": str(Path(jgrad.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "cell.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
