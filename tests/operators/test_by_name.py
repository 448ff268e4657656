"""Names of operators of other chapters: `jgrad/ops/by_name.py`."""

import importlib.util
import sys
from types import ModuleType

import pytest

from jgrad.ops import CHAPTERS, by_name

pytestmark = pytest.mark.quick


@pytest.fixture
def fresh(monkeypatch):
    """A second copy of the module, of chapters that are still being loaded."""
    spec = importlib.util.spec_from_file_location("fresh", by_name.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "fresh", module)
    return module


def chapter(name, text):
    module = ModuleType(name)
    exec(text, vars(module))
    return module


FIRST = "from fresh import second\ndef call(): return second(3)"
SECOND = "def second(n): return n + 1"


def test_a_placeholder_becomes_the_function_of_another_chapter(fresh):
    first, second = chapter("first", FIRST), chapter("second", SECOND)
    with pytest.raises(
        RuntimeError, match=r"second\(\) was called while the chapters are still being loaded"
    ):
        first.call()
    fresh.settle([first, second])
    assert first.call() == 4
    assert chapter("late", FIRST).call() == 4


def test_an_unknown_name_is_an_error(fresh):
    with pytest.raises(ImportError, match="first imports second by name, but no chapter defines it"):
        fresh.settle([chapter("first", FIRST)])


def test_two_functions_of_one_name_are_an_error(fresh):
    with pytest.raises(ImportError, match="third: there is another second in a chapter before"):
        fresh.settle([chapter(name, text) for name, text in (("1", FIRST), ("2", SECOND), ("third", SECOND))])


def test_no_placeholder_is_left():
    for module in CHAPTERS:
        assert not [n for n, v in vars(module).items() if isinstance(v, by_name.Placeholder)]


def test_a_name_that_nobody_imported_in_time_is_not_there():
    with pytest.raises(ImportError, match="cannot import name 'no_such_operator'"):
        exec("from jgrad.ops.by_name import no_such_operator")
