"""What editors and type checkers see of jgrad: the stubs are what the declarations say, and mypy finds just the mistakes of a program."""

from __future__ import annotations

import inspect
import operator
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

import jgrad
import jgrad.nn
from stubs import __main__ as stubs
from tests.project.wheel import CHECKOUT, build, unpack

# Each line says what mypy shows for it: the type that is revealed, or the code of the error.
PROGRAM = """
from typing import Any

import jgrad
from jgrad import nn, optim
from jgrad.utils.data import DataLoader, TensorDataset
import jgrad.nn.functional as F

w = jgrad.tensor([1.0, 2.0], requires_grad=True)
reveal_type(w)  # jgrad.tensor.Tensor
reveal_type(w.grad)  # jgrad.tensor.Tensor | None
reveal_type(2 - w.exp().sum() * 2)  # jgrad.tensor.Tensor
reveal_type(w.shape)  # jgrad.tensor.Size
reveal_type(w.reshape(2, 1).view(-1).permute(0).T)  # jgrad.tensor.Tensor
reveal_type(jgrad.max(w, 0).values)  # jgrad.tensor.Tensor
reveal_type(jgrad.linalg.svd(w).Vh)  # jgrad.tensor.Tensor
reveal_type(jgrad.zeros(2, 3, dtype=jgrad.float64).dtype)  # jgrad.dtypes.dtype
reveal_type(F.cross_entropy(F.relu(w), w))  # jgrad.tensor.Tensor
reveal_type(w.split(2))  # tuple[jgrad.tensor.Tensor, ...]
reveal_type(jgrad.trace(w))  # jgrad.tensor.Tensor
reveal_type(w.shape[:-1] + (2,))  # jgrad.tensor.Size
reveal_type(w.numpy())  # numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]
reveal_type(w.tolist())  # list[Any]
reveal_type(jgrad.channels_last)  # jgrad.formats.memory_format
reveal_type(jgrad.autograd.grad(w.sum(), [w]))  # tuple[Any, ...]
reveal_type(nn.Linear(2, 3).to("cpu").eval())  # jgrad.nn.modules.linear.Linear
reveal_type(optim.Muon([w]).state_dict())  # dict[str, Any]
reveal_type(jgrad.distributions.Gamma(1.0, 1.0).sample())  # jgrad.tensor.Tensor
reveal_type(w[1:, None])  # jgrad.tensor.Tensor
reveal_type(~(w > 0) & (2**w == 1))  # jgrad.tensor.Tensor
reveal_type(w.size())  # jgrad.tensor.Size
reveal_type(w.size(-1))  # int
reveal_type(w.stride())  # tuple[int, ...]
reveal_type(w.element_size() * w.numel())  # int
reveal_type(list(w))  # list[jgrad.tensor.Tensor]
reveal_type(w.to("cpu", non_blocking=True).to(jgrad.float64))  # jgrad.tensor.Tensor
reveal_type(w.mean(dim=(0, 1), keepdim=True))  # jgrad.tensor.Tensor
reveal_type(w.max())  # jgrad.tensor.Tensor
reveal_type(w.sort(descending=True).indices)  # jgrad.tensor.Tensor
reveal_type(jgrad.stack([w, w], dim=1).chunk(2)[0])  # jgrad.tensor.Tensor
reveal_type(jgrad.einsum("i,j->ij", w, w))  # jgrad.tensor.Tensor
reveal_type(jgrad.where(w > 0, w, 0.0))  # jgrad.tensor.Tensor
reveal_type(jgrad.fft.rfft(jgrad.special.erf(w)))  # jgrad.tensor.Tensor
reveal_type(jgrad.randint(0, 2, (3,), generator=jgrad.manual_seed(0)))  # jgrad.tensor.Tensor
reveal_type(jgrad.finfo(jgrad.float32).eps)  # float
reveal_type(jgrad.func.vjp(jgrad.exp, w))  # tuple[Any, ...]
reveal_type(jgrad.load("w.pt", weights_only=True))  # Any
reveal_type(F.conv2d(w, w, padding=1))  # jgrad.tensor.Tensor
reveal_type(F.scaled_dot_product_attention(w, w, w, is_causal=True))  # jgrad.tensor.Tensor
reveal_type(nn.init.xavier_uniform_(w))  # jgrad.tensor.Tensor
reveal_type(nn.utils.parameters_to_vector([w]))  # jgrad.tensor.Tensor
reveal_type(dict(nn.Linear(2, 2).named_parameters()))  # dict[str, jgrad.nn.parameter.Parameter]
reveal_type(len(DataLoader(TensorDataset(w, w), batch_size=2, shuffle=True)))  # int
adam = optim.AdamW([{"params": [w], "lr": 0.1}], weight_decay=0.1)
optim.lr_scheduler.CosineAnnealingLR(adam, 10).step()
nn.CrossEntropyLoss(reduction="sum")(w, w).backward()
w.register_hook(lambda grad: grad * 2).remove()
with jgrad.autograd.detect_anomaly(), jgrad.autocast("cpu"), jgrad.set_grad_enabled(True):
    w.pow(2).sum().backward(retain_graph=True)
adam.zero_grad()
w[0] = 3
w += 1
nn.utils.clip_grad_norm_([w], 1.0)
jgrad.nn.utils.clip_grad_norm_([w], 1.0)

@jgrad.no_grad()
def shown(x: jgrad.Tensor) -> str:
    return str(x)

@jgrad.inference_mode()
def counted(x: jgrad.Tensor, many: int = 1) -> int:
    return many

class Square(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: jgrad.Tensor) -> jgrad.Tensor:
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: jgrad.Tensor) -> jgrad.Tensor:
        return grad

reveal_type(shown(w))  # str
reveal_type(counted(w, many=2))  # int
reveal_type(jgrad.vmap(shown)(w))  # str
reveal_type(isinstance(w.storage(), jgrad.FloatStorage))  # bool

class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 3)
        self.between = nn.Sequential(nn.ReLU(inplace=True), nn.Dropout(0.5))

    def forward(self, x: jgrad.Tensor, twice: bool = False) -> jgrad.Tensor:
        y: jgrad.Tensor = self.between(self.layer(x))
        return y

net = Net()
reveal_type(net.layer.weight)  # jgrad.nn.parameter.Parameter
optimizer = optim.SGD(net.parameters(), lr=0.1)
with jgrad.trace() as t, jgrad.no_grad():
    w.sub_(0.1 * w)
reveal_type(t)  # jgrad.trace.Trace
net(w).sum().backward()
optimizer.step()

w.summ()  # [attr-defined]
jgrad.expp(w)  # [attr-defined]
w.sum(dim="a")  # [arg-type]
jgrad.softmax(w, 0, dimension=0)  # [call-arg]
w.grad.sum()  # [union-attr]
jgrad.linalg.inv("a")  # [arg-type]
w.reshape("a")  # [arg-type]
number: int = w.exp()  # [assignment]
nn.Linear("a", 2)  # [arg-type]
nn.MaxPool2d(2, steps=1)  # [call-arg]
nn.ReLU(inplaced=True)  # [call-arg]
shown(2)  # [arg-type]
counted(w, more=2)  # [call-arg]
optim.Muon([w], rate=1)  # [call-arg]
nn.LSTM(2, 3, layers=2)  # [call-arg]
jgrad.flip(w, 0, 1)  # [arg-type]
jgrad.abs_(w, out=w)  # [call-arg]
jgrad.cat(w)  # [arg-type]
w.exp_().view(2.5)  # [call-overload]
"""

PYRIGHT = "pyright@1.1.414"

# In the examples mypy takes a tuple of unknown length for a long one, a layer that is replaced by one of another class, and a best model that
# may not have been found. PyTorch's types say the same.
SAID_OF_EXAMPLES = {("maml.py", "call-arg"), ("resnet.py", "assignment"), ("resnet.py", "arg-type")}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python in whose packages jgrad is, as a user has it."""
    folder = tmp_path_factory.mktemp("types")
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    (packages,) = (folder / "venv").glob("lib/*/site-packages")
    unpack(build(folder), packages)
    (packages / "numpy").symlink_to(Path(np.__file__).parent)
    return folder / "venv" / "bin" / "python"


def mypy(python: Path, folder: Path, *files: Path) -> list[str]:
    """What mypy says of files, in a folder. What it found out of the packages is kept for the next test."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file=",
        f"--cache-dir={python.parents[2] / 'cache'}",
        f"--python-executable={python}",
    ]
    done = subprocess.run(
        [*command, "--check-untyped-defs", "--no-error-summary", *map(str, files)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.stdout.splitlines()


def test_mypy_finds_just_the_mistakes(python: Path, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    said: dict[int, str] = {}
    for line in mypy(python, tmp_path, file):
        number, kind, text = re.match(r"program\.py:(\d+): (\w+): (.*)", line).groups()  # type: ignore[union-attr]
        if kind == "error":
            said[int(number)] = re.search(r"\[[\w-]+\]$", text)[0]  # type: ignore[index]
        elif "Revealed" in text:
            said[int(number)] = text.split('"')[1]
    wanted = {
        i: line.partition("  # ")[2] for i, line in enumerate(PROGRAM.splitlines(), 1) if "  # " in line
    }
    assert said == wanted


@pytest.mark.parametrize("name", ["nn.Linear", "nn.LSTM", "optim.Adam", "optim.lr_scheduler.StepLR"])
def test_jedi_knows_the_parameters(name: str, python: Path) -> None:
    """Jedi completes in Jupyter, and reads stubs and sources."""
    jedi = pytest.importorskip("jedi")
    (packages,) = python.parents[1].glob("lib/*/site-packages")
    project = jedi.Project(packages, sys_path=[str(packages)], load_unsafe_extensions=False)
    (seen,) = jedi.Script(f"import jgrad\njgrad.{name}(", project=project).get_signatures()
    there = inspect.signature(operator.attrgetter(name)(jgrad))
    assert [p.name for p in seen.params] == list(there.parameters)


def reports(command: list[str], folder: Path) -> set[int]:
    """The lines of the program on which a checker reports a mistake. A revealed type is no mistake."""
    (folder / "program.py").write_text(PROGRAM)
    done = subprocess.run([*command, "program.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    found = re.findall(r"program\.py:(\d+)(?::\d+)?(?:: | - )error", done.stdout)
    assert found, done.stdout + done.stderr
    return set(map(int, found))


MISTAKES = {i for i, line in enumerate(PROGRAM.splitlines(), 1) if re.search(r"  # \[[\w-]+\]$", line)}


def test_ty_finds_just_the_mistakes(python: Path, tmp_path: Path) -> None:
    """ty reads stubs in its own way, as editors do."""
    ty = shutil.which("ty", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if ty is None:
        pytest.skip('needs ty: pip install ".[lint]"')
    command = [ty, "check", "--python", str(python), "--output-format", "concise"]
    assert reports(command, tmp_path) == MISTAKES


@pytest.mark.deep
def test_pyright_finds_just_the_mistakes(python: Path, tmp_path: Path) -> None:
    """npx fetches it."""
    if shutil.which("npx") is None:
        pytest.skip("needs Node")
    assert reports(["npx", "--yes", PYRIGHT, "--pythonpath", str(python)], tmp_path) == MISTAKES


@pytest.mark.deep
def test_strict_mypy_finds_just_the_mistakes(python: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={tmp_path / 'cache'}",
    ]
    assert reports([*command, f"--python-executable={python}"], tmp_path) == MISTAKES


def test_what_the_stubs_import_is_there(python: Path, tmp_path: Path) -> None:
    """Of errors in an installed package mypy says nothing. So the stubs are looked at in the place of the modules."""
    shutil.copytree(CHECKOUT / "jgrad", tmp_path / "jgrad")
    (packages,) = python.parents[1].glob("lib/*/site-packages")
    shutil.copytree(packages / stubs.NAME, tmp_path / "jgrad", dirs_exist_ok=True)
    lines = mypy(
        python,
        tmp_path,
        *(tmp_path / "jgrad" / path for path in stubs.files() if path.endswith("pyi")),
    )
    overlaps = ("overload-overlap", "overload-cannot-match")  # the first overload that fits is meant
    assert [
        line
        for line in lines
        if ".pyi:" in line and "error:" in line and not line.endswith(tuple(f"[{code}]" for code in overlaps))
    ] == []


def test_mypy_understands_the_examples(python: Path, tmp_path: Path) -> None:
    lines = mypy(python, tmp_path, *sorted((CHECKOUT / "examples").glob("*.py")))
    errors = [re.search(r"(\w+\.py):\d+: error: .*\[([\w-]+)\]$", line) for line in lines]
    assert {error.groups() for error in errors if error} == SAID_OF_EXAMPLES, "\n".join(lines)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stubs that a fresh process writes as a build does, which has NumPy alone."""
    folder = tmp_path_factory.mktemp("stubs")
    (folder / stubs.NAME).mkdir()
    (folder / stubs.NAME / "of-before.pyi").touch()
    program = "import sys; sys.modules['IPython'] = None; from stubs.__main__ import main; main()"
    subprocess.run([sys.executable, "-c", program, str(folder)], cwd=CHECKOUT, check=True)
    assert not (folder / stubs.NAME / "of-before.pyi").exists()
    return folder


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The stubs as this process writes them."""
    # A call replaces the function by its fast path, which the stubs must not show.
    jgrad.ones(1).arcsin()
    return stubs.files()


@pytest.mark.parametrize(
    "path",
    [
        "py.typed",
        "__init__.pyi",
        "tensor.pyi",
        "return_types.pyi",
        "linalg.pyi",
        "nn/functional/__init__.pyi",
    ],
)
def test_the_stubs_are_what_the_declarations_say(path: str, written: Path, texts: dict[str, str]) -> None:
    assert (written / stubs.NAME / path).read_text(encoding="utf-8") == texts[path]


def test_every_public_name_has_a_stub(texts: dict[str, str]) -> None:
    for path, there in (
        ("__init__.pyi", jgrad),
        ("nn/functional/__init__.pyi", jgrad.nn.functional),
        ("linalg.pyi", jgrad.linalg),
    ):
        names = {
            n for n, v in vars(there).items() if n[0] != "_" and (callable(v) or isinstance(v, jgrad.dtype))
        }
        missing = [
            n
            for n in names
            if not re.search(rf"(def |class |as |import |^){re.escape(n)}\b", texts[path], re.M)
        ]
        assert missing == []
