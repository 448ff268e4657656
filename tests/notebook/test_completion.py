"""What the Tab key offers, and nothing else: in IPython with and without jedi, and in a kernel."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from jupyter_client import KernelManager
from jupyter_client.blocking import BlockingKernelClient

from jgrad.notebook import completion
from tests.notebook.cells import run

VARIABLES = """\
alpha = jgrad.ones(1, requires_grad=True)
beta = alpha * 2
_hidden = alpha
gamma = 3
count = jgrad.tensor([1])
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 1))
sgd = jgrad.optim.SGD(net.parameters(), 0.1)
"""
TRACES = ["%%trace --no-show --name first\nalpha * 2", "%%trace --no-show --name 'my run'\nalpha * 3"]
TENSORS = ["alpha", "beta", "count"]
OPTIONS = [
    "--view",
    "--name",
    "--watch",
    "--into",
    "--max-steps",
    "--rounds",
    "--stop",
    "--at",
    "--present",
    "--no-show",
]
VIEWS = ["training", "timeline", "storage", "graph", "accumulation", "scatter"]
# By line, with a bar where what is replaced begins: all that is offered there.
LINES = {
    "%%trace |--": [*OPTIONS, "--help"],
    "%%trace |--m": ["--max-steps"],
    "%%trace --no-show |--n": ["--name"],
    "%%trace |": OPTIONS,
    "%%trace |--nosuch": [],
    "%%trace --view |": VIEWS,
    "%%trace --view |s": ["storage", "scatter"],
    "%%trace --view storage,|g": ["graph"],
    "%%trace --view storage |": [v for v in VIEWS if v != "storage"],
    "%%trace --view |x": [],
    "%%trace --name |": [],
    "%%trace --max-steps |": [],
    "%%trace --rounds |": [],
    "%%trace --into |": [],
    "%%trace --watch |": TENSORS,
    "%%trace --watch |al": ["alpha"],
    "%%trace --watch alpha,|": ["beta", "count"],
    "%%trace --stop |": [],
    "%trace |--v": ["--view"],
    "%trace |": ["on", "off", "alpha", "beta", "count", "gamma", "jgrad", "net", "sgd"],
    "%trace |of": ["off"],
    "%trace --view |g": ["graph"],
    "%compare |": ["first", "'my run'"],
    "%compare |f": ["first"],
    "%compare |'m": ["'my run'"],
    "%compare first |": ["'my run'"],
    "%compare first 'my run' |": [],
    "%compare |nosuch": [],
    "%why |": ["alpha", "alpha.grad", "beta", "beta.grad", "count", "net", "sgd.step()"],
    "%why |b": ["beta", "beta.grad"],
    "%why |beta.": ["beta.grad", "beta.requires_grad", "beta.is_leaf", "beta.grad_fn", "beta.backward()"],
    "%why |beta.g": ["beta.grad", "beta.grad_fn"],
    "%why |net[0].w": ["net[0].weight", "net[0].weight.grad"],
    "%why |net[": ["net[0]", "net[0].weight", "net[0].weight.grad", "net[0].bias", "net[0].bias.grad"],
    "%grad |": ["alpha", "beta"],
    "%grad alpha * |": ["alpha", "beta"],
    "%grad alpha * beta |": ["wrt"],
    "%grad alpha * beta wrt |": ["alpha", "beta"],
    "%grad alpha * beta wrt |b": ["beta"],
    "%grad alpha * beta wrt alpha, |": ["beta"],
    "%grad alpha |--": ["--order", "--help"],
    "g = %grad alpha wrt |al": ["alpha"],
    "%storage |": TENSORS,
    "%storage |al": ["alpha"],
    "%storage alpha |be": ["beta"],
    "%storage alpha |-": ["--live", "--help"],
    "%graph |": ["alpha", "beta"],
    "%accumulate |": ["alpha"],
    "%attributes |c": ["count"],
    "%attributes |--": ["--all", "--help"],
    "%leaves |": [],
}
# Where IPython completes as ever.
OTHERS = [
    "%grad alpha + gam",
    "%why alpha + gam",
    "%trace alpha.requires_gra",
    "gam",
    "%timeit gam",
    "%%trace",
    "%gra",
]


@pytest.fixture
def folder(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with files whose names must not be offered."""
    monkeypatch.chdir(str(tmp_path))
    for name in ("alpha.txt", "first.json", "storage", "wrt", "--view.py"):
        open(name, "w").close()


@pytest.fixture
def ready(shell: InteractiveShell, folder: None) -> InteractiveShell:
    for cell in (VARIABLES, *TRACES):
        run(shell, cell)
    return shell


@pytest.mark.quick
@pytest.mark.filterwarnings("ignore:`Completer.complete` is pending deprecation")
@pytest.mark.parametrize("jedi", [False, True])
def test_completion_in_ipython(ready: InteractiveShell, jedi: bool) -> None:
    ready.Completer.use_jedi = jedi
    for marked, expected in LINES.items():
        line, start = marked.replace("|", ""), marked.index("|")
        with provisionalcompleter():
            found = list(ready.Completer.completions(line, len(line)))
        assert [c.text for c in found] == expected, marked
        assert {(c.start, c.end) for c in found} <= {(start, len(line))}, marked
        _, matches = ready.Completer.complete(line_buffer=line, cursor_pos=len(line))
        assert sorted(matches) == sorted(expected), marked


@pytest.mark.quick
@pytest.mark.parametrize("jedi", [False, True])
def test_elsewhere_ipython_completes_as_ever(ready: InteractiveShell, jedi: bool) -> None:
    ready.Completer.use_jedi = jedi

    def offered() -> list[list[str]]:
        with provisionalcompleter():
            return [[c.text for c in ready.Completer.completions(line, len(line))] for line in OTHERS]

    ours = offered()
    assert all(ours[:4]) or jedi
    completion.unregister(ready)
    assert offered() == ours


@pytest.fixture
def kernel(folder: None) -> Iterator[BlockingKernelClient]:
    manager = KernelManager()
    manager.start_kernel(cwd=os.getcwd())
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=300)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("jedi", [False, True])
def test_completion_in_a_kernel(kernel: BlockingKernelClient, jedi: bool) -> None:
    for cell in ("import jgrad\n%load_ext jgrad", f"%config Completer.use_jedi = {jedi}", VARIABLES, *TRACES):
        reply = kernel.execute(cell, reply=True, timeout=300)
        assert reply["content"]["status"] == "ok"
    for marked, expected in LINES.items():
        line, start = marked.replace("|", ""), marked.index("|")
        code = f"{line}\nbeta" if line.startswith("%%") else f"beta = 1\n{line}"
        begin = 0 if line.startswith("%%") else len("beta = 1\n")
        content = kernel.complete(code, begin + len(line), reply=True, timeout=300)["content"]
        assert content["matches"] == expected, marked
        if expected:
            assert (content["cursor_start"], content["cursor_end"]) == (begin + start, begin + len(line)), (
                marked
            )
