"""The room of what few programs name: a program gets it under PyTorch's names, and nothing else loads it."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

import jgrad
import jgrad.distributions
import jgrad.nn
from jgrad import loading

pytestmark = pytest.mark.quick

MODULES = {second: first for second, first in loading.renamed.items() if first.startswith("jgrad.extra.")}
NAMES = [
    (package, name, target)
    for package in ("jgrad", "jgrad.cuda", "jgrad.optim", "jgrad.nn", "jgrad.nn.modules", "jgrad.nn.utils", "jgrad.distributions")
    for name, target in loading.names_of(package).items()
    if target.startswith("jgrad.extra.")
]  # fmt: skip


def in_a_new_process(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


HIDDEN = """
import sys
from importlib import import_module
from types import ModuleType
from jgrad import loading
for second, first in loading.renamed.items():
    parent, _, name = second.rpartition(".")
    there = vars(import_module(parent)).get(name)
    if isinstance(there, ModuleType) and there.__name__ not in (first, second):
        print(second)
"""


def test_a_second_name_of_a_module_hides_no_other_module() -> None:
    """An import gives the package this name, and what its functions called so would be gone."""
    assert in_a_new_process(HIDDEN).split() == []


def test_the_room_is_not_empty() -> None:
    assert len(MODULES) > 40
    assert len(NAMES) > 80


@pytest.mark.parametrize("second", MODULES)
def test_a_module_has_two_names(second: str) -> None:
    assert import_module(second) is import_module(MODULES[second])


@pytest.mark.parametrize(("package", "name", "target"), NAMES)
def test_a_package_gives_what_the_room_has(package: str, name: str, target: str) -> None:
    module, _, inside = target.partition(":")
    found = import_module(module)
    assert getattr(import_module(package), name) is (getattr(found, inside) if inside else found)
    assert not str(getattr(getattr(import_module(package), name), "__module__", "")).startswith("jgrad.extra")
    assert package in ("jgrad", "jgrad.cuda") or name in dir(import_module(package))


def test_packages_load_nothing_of_the_room() -> None:
    program = """
import sys, jgrad
import jgrad.amp, jgrad.cuda, jgrad.distributions as D, jgrad.nn, jgrad.nn.utils, jgrad.optim, jgrad.utils.data, jgrad.func, jgrad.testing
import jgrad.serialization, jgrad.trace
jgrad.optim.Adam(jgrad.nn.Linear(2, 2).parameters())
D.kl_divergence(D.Independent(D.Normal(jgrad.zeros(2), 1.0), 1), D.Independent(D.Normal(jgrad.ones(2), 1.0), 1))
print([name for name in sys.modules if name.startswith("jgrad.extra")])
"""
    assert in_a_new_process(program) == "[]\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "import jgrad.nn.utils.prune as found",
        "from jgrad.nn.utils import prune as found",
        "from jgrad.signal.windows import hann as found",
        "import jgrad.cpu.amp as found",
        "from jgrad.cuda.amp import autocast as found",
        "from jgrad.distributions.lkj_cholesky import LKJCholesky as found",
        "from jgrad.distributions.transforms import StackTransform as found",
        "from jgrad.distributions import *; found = VonMises, StackTransform, biject_to",
        "from jgrad.distributions.transforms import *; found = CatTransform",
        "import jgrad; found = jgrad.quasirandom.SobolEngine",
        "import jgrad; found = jgrad.nn.modules.adaptive",
        "import jgrad; found = jgrad.distributions.gamma.Gamma",
    ],
)
def test_what_a_program_begins_with(statement: str) -> None:
    in_a_new_process(f"{statement}; assert found")


def test_files_have_the_names_of_pytorch() -> None:
    torch: Any = pytest.importorskip("torch")
    for name, arguments in (("distributions.VonMises", (0.5, 2.0)), ("distributions.Gamma", (2.0, 1.0))):
        of_jgrad = getattr(jgrad.distributions, name.partition(".")[2])(*map(jgrad.tensor, arguments))
        file = io.BytesIO()
        jgrad.save(of_jgrad, file)
        read = torch.load(io.BytesIO(file.getvalue()), weights_only=False)
        assert type(read) is getattr(torch.distributions, name.partition(".")[2])
        assert jgrad.load(io.BytesIO(file.getvalue()), weights_only=False).mean.item() == read.mean.item()
        assert pickle.loads(pickle.dumps(of_jgrad)).mean.item() == read.mean.item()


def test_a_divergence_that_a_program_registers_first_is_kept() -> None:
    program = """
from jgrad import distributions as D
D.register_kl(D.Gamma, D.Gamma)(lambda p, q: "mine")
print(D.kl_divergence(D.Gamma(1.0, 1.0), D.Gamma(1.0, 1.0)), D.kl_divergence(D.Chi2(1.0), D.Chi2(1.0)))
print(D.kl_divergence(D.Normal(0.0, 1.0), D.Laplace(0.0, 1.0)).shape)
"""
    assert in_a_new_process(program) == "mine mine\njgrad.Size([])\n"


def test_a_name_that_nobody_has() -> None:
    for package in ("nn", "optim", "nn.utils", "distributions", "distributions.transforms"):
        with pytest.raises(AttributeError, match=f"module 'jgrad.{package}' has no attribute 'Nobody'"):
            _ = import_module(f"jgrad.{package}").Nobody
