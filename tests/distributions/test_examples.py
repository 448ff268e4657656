"""The examples in the docstrings of `jgrad.distributions` run, on jgrad and on PyTorch; and what importing jgrad loads."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
from jgrad import loading  # noqa: E402

MODULES = sorted(
    f"{package}.{m.name}"
    for package in ("jgrad.distributions", "jgrad.extra.distributions")
    for m in pkgutil.iter_modules(importlib.import_module(package).__path__)
)


class Finder(doctest.DocTestFinder):
    """Finds the examples of what a module defines. What `jgrad/extra/` defines says that it is of another module."""

    def _from_module(self, module, object):
        return getattr(object, "__module__", module.__name__) == loading.public(module.__name__)


EXAMPLES = [
    pytest.param(test, id=loading.public(test.name).removeprefix("jgrad.distributions."))
    for module in MODULES
    for test in Finder().find(importlib.import_module(module), globs={})
    if test.examples
]


@pytest.fixture(autouse=True)
def forget_registered_divergences():
    before = [dict(lib.distributions.kl._KL_REGISTRY) for lib in (torch, jgrad)]
    yield
    for lib, kept in zip((torch, jgrad), before, strict=True):
        lib.distributions.kl._KL_REGISTRY.clear()
        lib.distributions.kl._KL_REGISTRY.update(kept)
        lib.distributions.kl._KL_MEMOIZE.clear()


@pytest.mark.parametrize("library", [jgrad, torch], ids=["jgrad", "torch"])
@pytest.mark.parametrize("test", EXAMPLES)
def test_example(test, library):
    globs = {"jgrad": library}
    said: list[str] = []
    examples = [
        doctest.Example(e.source, e.want.replace("jgrad.Size", f"{library.__name__}.Size"))
        for e in test.examples
    ]
    example = doctest.DocTest(examples, globs, test.name, test.filename, test.lineno, None)
    doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert not said, "".join(said)


def test_every_public_name_has_an_example():
    d = jgrad.distributions
    names = {name: getattr(d, name) for name in d.__all__}
    shown = {p.values[0].name.rpartition(".")[2] for p in EXAMPLES}
    for name, thing in names.items():
        if isinstance(thing, (type, type(test_example))):
            assert name in shown, name


def test_importing_jgrad_does_not_load_it():
    code = "import sys, jgrad; before = 'jgrad.distributions' in sys.modules; jgrad.distributions.Normal; print(before)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False\n"
    )
