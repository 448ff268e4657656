"""`%fix --try`: a cell runs again with a repair, in copies of its variables as they were before it."""

from __future__ import annotations

import random
import shelve
import threading
from collections import OrderedDict, defaultdict, deque
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

import jgrad
from jgrad.notebook import copies
from jgrad.notebook.copies import Copier, NotCopied
from jgrad.tracing import explain
from tests.notebook.cells import run

LOOP = """%%trace --no-show
for epoch in range(4):
    loss = (net(x) - torch.rand(4, 1)).pow(2).mean()
    loss.backward()
    opt.step()
    sched.step()"""


@pytest.fixture(params=["jgrad", "torch"])
def library(request: pytest.FixtureRequest, shell: InteractiveShell) -> ModuleType:
    module: ModuleType = jgrad if request.param == "jgrad" else pytest.importorskip("torch")
    shell.user_ns["torch"] = module
    return module


def tried(shell: InteractiveShell) -> tuple[str, Any]:
    """What `%fix --try` prints, and the comparison that it gives."""
    out, err, result = run(shell, "%fix --try")
    assert err == "", err
    assert result.success
    return out, result.result


def refused(shell: InteractiveShell) -> str:
    """Why it does not try."""
    with pytest.raises(UsageError) as wrong:
        shell.run_line_magic("fix", "--try")
    return str(wrong.value)


def state(module: Any, variables: dict[str, Any]) -> list[Any]:
    """All that a training changes, and the state of random numbers."""
    net, opt = variables["net"], variables["opt"]
    tensors = [
        t for p in net.parameters() for t in (p, p.grad, opt.state[p].get("momentum_buffer")) if t is not None
    ]
    numbers = [t.detach().numpy().copy() for t in tensors] + [module.get_rng_state().numpy()]
    return [
        *[n.tolist() for n in numbers],
        opt.param_groups[0]["lr"],
        random.getstate(),
        np.random.get_state()[1].tolist(),
    ]


def _gradient(document: Any) -> list[float]:
    """The last gradient of the weight that a trace saw."""
    log = explain.Log(document)
    weight = log.numbered("net.weight", len(log.steps))
    return np.array(log.grads_of[weight][-1][1]["after"]["elements"], float).ravel().tolist()


def train(shell: InteractiveShell) -> None:
    """A training whose gradients add up."""
    run(
        shell,
        """torch.manual_seed(3)
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)
sched = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.5)
x = torch.linspace(0, 1, 8).view(4, 2)""",
    )
    run(shell, LOOP)


def test_a_repair_is_tried_from_where_the_cell_began(
    shell: InteractiveShell, library: ModuleType, shown: list
) -> None:
    train(shell)
    run(shell, "%why")
    assert "This may help; it was not tried." in run(shell, "%fix")[0]
    before = state(library, shell.user_ns)
    objects = {name: id(shell.user_ns[name]) for name in ("net", "opt", "sched", "x", "loss")}
    out, compared = tried(shell)
    # A second try begins there too.
    assert _gradient(tried(shell)[1].documents[1]) == _gradient(compared.documents[1])
    assert "+    opt.zero_grad()" in out
    assert "The trouble is gone: %why does not say this" in out
    assert state(library, shell.user_ns) == before  # nothing of the user's has changed
    assert {name: id(shell.user_ns[name]) for name in objects} == objects
    assert "not tried" not in run(shell, "%fix")[0]
    # The mended run ended where the mended program ends.
    mended = _gradient(compared.documents[1])
    train_again = LOOP.replace("    loss.backward", "    opt.zero_grad()\n    loss.backward")
    run(
        shell,
        "torch.manual_seed(3)\nnet = torch.nn.Linear(2, 1)\nopt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)\nsched = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.5)",
    )
    run(shell, train_again)
    # (A trace has four digits.)
    assert shell.user_ns["net"].weight.grad.flatten().tolist() == pytest.approx(mended, rel=1e-3)


def test_a_cell_that_was_not_traced_runs_both_ways(shell: InteractiveShell, library: ModuleType) -> None:
    run(shell, "w = torch.ones(2, requires_grad=True)")
    run(shell, "y = w * 2\ny.backward()")
    run(shell, "%why")
    out, compared = tried(shell)
    assert "The trouble is gone: the cell ran to its end." in out
    assert "Now w got a gradient." in out
    assert shell.user_ns["w"].grad is None
    assert [document["name"] for document in compared.documents] == ["the cell as it was", "the mended cell"]


def test_a_repair_that_does_not_help_is_said_to(shell: InteractiveShell, library: ModuleType) -> None:
    run(shell, "w = torch.ones(2, requires_grad=True)\ny = w * 2\ny.backward()\nraise KeyError('x')")
    run(shell, "%why")
    assert "the cell raises an error too, another one: KeyError: 'x'" in tried(shell)[0]


def test_the_question_is_asked_again(shell: InteractiveShell, library: ModuleType, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show\nw = torch.ones(2, requires_grad=True)\nh = (w * 2).detach()\nv = torch.ones(2, requires_grad=True)\n(h * v).sum().backward()",
    )
    run(shell, "%why w.grad")
    out, _ = tried(shell)
    assert "The trouble is gone: %why does not say this" in out
    assert "Now w got a gradient." in out
    assert shell.user_ns["w"].grad is None


FLOWS = {
    "f = open(path, 'w')": "f is an open file",
    "f = (i for i in range(9))": "f is a generator, which runs only once",
    "f = zip([1], [2])": "f is a zip, which runs only once",
    "import threading\nf = {'of': [threading.Lock()]}": "f['of'][0] is a lock, of which there is no copy",
    "import numpy as np\nf = np.zeros(40 << 20)": "f takes 320 MB, and with the other variables that is too much to copy",
    "import subprocess\ndef f(): subprocess.run(['true'])": "the cell starts something that runs beside it (subprocess)",
    "w = torch.ones(2, requires_grad=True)\nf = w * 2": "f was computed with history in an earlier cell, and a graph can't be copied",
}


@pytest.mark.parametrize("before", FLOWS)
def test_what_can_not_run_twice_is_refused_before_anything_runs(
    shell: InteractiveShell, before: str, tmp_path: Path
) -> None:
    shell.user_ns |= {"torch": jgrad, "path": str(tmp_path / "written"), "ran": []}
    run(shell, before)
    run(shell, "ran.append(f)\nv = torch.ones(2, requires_grad=True)\ny = v * 2\ny.backward()")
    run(shell, "%why")
    said = refused(shell)
    assert FLOWS[before] in said
    assert said.endswith("nothing was run")
    assert len(shell.user_ns["ran"]) == 1


def test_a_large_tensor_is_copied_when_it_is_needed_and_may_not_have_changed(shell: InteractiveShell) -> None:
    run(shell, "x = jgrad.zeros(10 << 20)\nw = jgrad.ones(2, requires_grad=True)")  # 40 MB
    run(shell, "y = w * x[0] * x[-1]\ny.backward()")
    run(shell, "%why")
    assert "ran to its end" in tried(shell)[0]
    run(shell, "x[0] = 1\ny = w * x[0]\ny.backward()")
    run(shell, "%why")
    assert "x is large, and the cell has changed it" in refused(shell)


def test_a_cell_edited_since_is_said(shell: InteractiveShell) -> None:
    cell = "w = jgrad.ones(2, requires_grad=True)\ny = w * 2\ny.backward()"
    shell.run_cell(cell, cell_id="one")
    run(shell, "%why")
    shell.run_cell("a = 1", cell_id="two")
    assert "+y.sum().backward()" in run(shell, "%fix")[0]
    shell.run_cell(cell.replace("y.backward", "y.exp().backward"), cell_id="one")
    with pytest.raises(
        UsageError, match="the cell was edited and ran again since %why answered; ask %why again"
    ):
        shell.run_line_magic("fix", "--apply")
    assert "the cell was edited" in refused(shell)


def test_what_is_not_the_last_cell_is_not_tried(shell: InteractiveShell) -> None:
    run(shell, "w = jgrad.ones(2, requires_grad=True)\ny = w * 2\ny.backward()")
    run(shell, "%why")
    run(shell, "w = 1")
    assert "the cell is not the last that ran" in refused(shell)


def test_what_is_not_undone_is_said(shell: InteractiveShell, tmp_path: Path) -> None:
    shell.user_ns["path"] = str(tmp_path / "log")
    run(shell, "def log(text):\n    with open(path, 'a') as f:\n        f.write(text)")
    run(shell, "print('hello')\nlog('x')\nw = jgrad.ones(2, requires_grad=True)\ny = w * 2\ny.backward()")
    run(shell, "%why")
    out, _ = tried(shell)
    assert "This can't be undone: what it prints and what it writes to files." in out


def test_modes_names_and_modules_are_put_back(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state_of_mine.py").write_text(
        "import jgrad\ncount = 0\nmodel = jgrad.nn.Linear(1, 1)\ndef count_up():\n    global count\n    count += 1\n    model.extra = count\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    run(shell, "from state_of_mine import count_up\nimport state_of_mine")
    run(
        shell,
        "new = 1\ncount_up()\njgrad.set_grad_enabled(True)\nw = jgrad.ones(2, requires_grad=True)\ny = w * 2\ny.backward()",
    )
    run(shell, "%why")
    shell.user_ns["new"] = 5
    jgrad.set_grad_enabled(False)
    try:
        out, _ = tried(shell)
        assert not jgrad.is_grad_enabled()
    finally:
        jgrad.set_grad_enabled(True)
    assert "ran to its end" in out
    assert shell.user_ns["new"] == 5
    module = shell.user_ns["state_of_mine"]
    assert (module.count, module.model.extra) == (1, 1)


def test_an_interrupt_leaves_everything_as_it_was(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(shell, "w = jgrad.ones(2, requires_grad=True)\nclass Stop:\n    on = False")
    run(shell, "y = w * 2\nif Stop.on:\n    raise KeyboardInterrupt\ny.backward()")
    run(shell, "%why")
    shell.user_ns["Stop"].on = True
    w = shell.user_ns["w"]
    assert "interrupted; your variables are as they were" in refused(shell)
    assert shell.user_ns["w"] is w


def test_a_hostile_name_stays_text(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(
        shell,
        "w = jgrad.ones(2, requires_grad=True)\ny = w * 2  # \x1b[31m<img src=x onerror=alert(1)>\ny.backward()",
    )
    run(shell, "%why")
    out = run(shell, "%fix")[0]
    assert "\x1b" not in out
    assert "<img src=x onerror=alert(1)>" in out


# Copies -------------------------------------------------------------------------------------------------------------------------------


class Counter:
    """It says when its own code runs."""

    ran: ClassVar[list[str]] = []
    __slots__ = ("tensor", "__dict__")

    def __init__(self, tensor: Any) -> None:
        self.ran.append("init")
        self.tensor, self.twice = tensor, [tensor, tensor]

    def __deepcopy__(self, memo: Any) -> Any:
        self.ran.append("deepcopy")

    def __getattr__(self, name: str) -> Any:
        self.ran.append(name)
        raise AttributeError(name)


def test_copies_keep_who_shares_what(library: ModuleType) -> None:
    base = library.arange(6.0)
    leaf = library.ones(2, requires_grad=True)
    leaf.grad = library.zeros(2)
    calls: list[Any] = []
    leaf.register_hook(lambda g: calls.append(g))
    tied = library.nn.Linear(2, 2)
    tied.other = tied.weight
    held = OrderedDict(
        a=base.view(2, 3),
        b=base[1:3],
        leaf=leaf,
        net=tied,
        state=tied.state_dict(),
        last=deque([leaf], maxlen=2),
    )
    opt = library.optim.Adam([*tied.parameters(), leaf])
    many = defaultdict(list, {"x": [base]})
    rows = np.arange(6).reshape(2, 3)
    made = Copier(1 << 20, late=False).copy([held, opt, many, rows, rows[1], Counter(leaf)], "v")
    copied, opt2, many2, rows2, row2, counter = made
    copied["a"][0, 1] = 7
    assert copied["b"][0] == 7
    assert many2["x"][0][1] == 7
    assert base[1] == 1
    assert many2["new"] == []
    assert opt2.param_groups[0]["params"][0] is copied["net"].weight is copied["net"].other
    assert (
        opt2.param_groups[0]["params"][-1]
        is copied["leaf"]
        is copied["last"][0]
        is counter.tensor
        is counter.twice[1]
    )
    assert copied["last"].maxlen == 2
    assert type(copied["net"].weight) is library.nn.Parameter
    with library.no_grad():
        copied["net"].weight.zero_()
    assert copied["state"]["weight"].sum() == 0
    assert tied.weight.abs().sum() != 0
    row2[0] = 9
    assert rows2[1, 0] == 9
    assert rows[1, 0] == 3
    copied["leaf"].sum().backward()
    assert calls == []  # the hook's list is a copy too
    assert len(next(iter(copies._hooks(copied["leaf"])[0])).__closure__[0].cell_contents) == 1
    assert leaf.grad.sum() == 0
    assert Counter.ran == ["init"]
    Counter.ran.clear()


def test_closures_and_methods_belong_to_the_copies() -> None:
    net = jgrad.nn.Linear(1, 1)
    found = Copier(1 << 20, late=False).copy({"net": net, "f": lambda: net, "call": net.forward}, "v")
    assert found["f"]() is found["net"] is found["call"].__self__
    assert found["net"] is not net
    assert Copier(0, late=False).copy(len, "v") is len


def test_the_notebook_itself_has_no_copy(shell: InteractiveShell) -> None:
    # The shell is reached through what a program holds: a display, a widget, the answer of a magic.
    display = shell.display_pub
    held = {"shell": shell, "show": shell.run_cell, "display": display, "numbers": [1]}
    made = Copier(1 << 20, late=False).copy(held, "held")
    assert made["shell"] is shell
    assert made["show"].__self__ is shell
    assert made["display"] is display
    assert made["numbers"] == [1]
    assert made["numbers"] is not held["numbers"]


def test_what_ends_with_a_del_is_refused() -> None:
    # Also a class of a library: its copy would close what the original uses.
    with pytest.raises(NotCopied, match="bar has a __del__, which would run a second time"):
        Copier(1 << 20, late=False).copy(shelve.Shelf({}), "bar")


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MOST_OBJECTS", 50)
    with pytest.raises(NotCopied, match="holds more than 50 objects"):
        Copier(0, late=False).copy([[i] for i in range(100)], "v")
    nested: list[Any] = []
    nested.append(nested)
    copied = Copier(0, late=False).copy(nested, "v")
    assert copied[0] is copied
    with pytest.raises(NotCopied, match="v is a lock"):
        Copier(0, late=False).copy(threading.Lock(), "v")
