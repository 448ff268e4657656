"""`pytest --jgrad`, its fixture and its marker, in runs of pytest of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

TESTS = """
import jgrad, pytest

def saved(x):
    h = x.exp()
    h.add_(1)
    return h.sum()

def test_raises():
    w = jgrad.ones(2, requires_grad=True)
    saved(w).backward()
    assert w.grad is not None

def test_asserts():
    w = jgrad.ones(2, requires_grad=True)
    y = w.detach() * 2
    assert y.requires_grad

def test_passes():
    w = jgrad.ones(2, requires_grad=True)
    (w * w).sum().backward()
    assert w.grad.tolist() == [2, 2]
"""


def ran(
    folder: Path, source: str, *options: str, by: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(textwrap.dedent(source))
    # Two of the plugins take seconds to import.
    without = [f"-pno:{plugin}" for plugin in ("cacheprovider", "nbval", "hypothesispytest")]
    command = [sys.executable, *by, "-m", "pytest", *without, "-q", *options, "test_it.py"]
    # Where CI is set, pytest's summary repeats the whole messages.
    env = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_") and name != "CI"
    }
    env.pop("BUILD_NUMBER", None)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env)


def section(output: str, test: str) -> str:
    """The section "jgrad" of a failing test."""
    part = output.split(f"_ {test} _", 1)[1].split("\n____", 1)[0]
    return part.split("- jgrad -", 1)[1].split("\n", 1)[1] if "- jgrad -" in part else ""


@pytest.mark.parametrize("options", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_a_failing_test_gets_a_section_with_the_answer(tmp_path: Path, options: list[str]) -> None:
    done = ran(tmp_path, TESTS, "--jgrad", *options)
    assert "2 failed, 1 passed" in done.stdout
    raised = section(done.stdout, "test_raises")
    assert raised.startswith("test_it.py:5 ")
    assert "test_it.py:6" in raised
    assert "h = h.add(1)" in raised
    # An assertion of the user's is no error that jgrad knows: the facts of the test are said.
    assert "backward() was not called." in section(done.stdout, "test_asserts")
    assert "assert False" in done.stdout  # pytest's own explanation of the assertion is there
    assert os.sep + "mirrors" + os.sep not in done.stdout


def test_without_the_option_nothing_is_loaded(tmp_path: Path) -> None:
    source = """
        import sys
        def test_it():
            assert "jgrad" not in sys.modules and "numpy" not in sys.modules
    """
    assert "1 passed" in ran(tmp_path, source).stdout
    done = ran(tmp_path, TESTS)
    assert "- jgrad -" not in done.stdout


def test_the_plugin_can_be_switched_off(tmp_path: Path) -> None:
    assert "1 passed" in ran(tmp_path, "def test_it(): pass", "-p", "no:jgrad").stdout


def test_the_marker_and_the_fixture_record_single_tests(tmp_path: Path) -> None:
    source = """
        import jgrad, pytest

        @pytest.mark.jgrad
        def test_marked():
            w = jgrad.ones(2, requires_grad=True)
            w.add_(1)

        def test_with_the_fixture(jgrad_trace):
            w = jgrad.ones(2, requires_grad=True)
            y = w.detach()
            assert "detach()" in str(jgrad_trace.why("y.requires_grad"))
            assert "test_it.py:11" in str(jgrad.why(y))

        class TestInAClass:
            @pytest.mark.jgrad
            @pytest.mark.parametrize("n", [1, 2])
            def test_method(self, n):
                w = jgrad.ones(n, requires_grad=True)
                with jgrad.trace() as inner:
                    (w * w).sum().backward()
                assert len(inner.document["steps"]) == 6 + (n > 99)

        def test_plain():
            w = jgrad.ones(2, requires_grad=True)
            w.add_(1)
    """
    done = ran(tmp_path, source, "--strict-markers")
    assert "a leaf Variable that requires grad is being used in an in-place operation" in done.stdout
    assert section(done.stdout, "test_marked").startswith("test_it.py:7")
    assert section(done.stdout, "test_plain") == ""
    assert "test_with_the_fixture" not in done.stdout.split("short test summary")[1]


def test_pytorch_and_what_can_not_be_recorded(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    source = """
        import torch, pytest

        @pytest.fixture
        def broken():
            raise ValueError("in the fixture")

        def test_torch():
            w = torch.ones(2, requires_grad=True)
            h = w.exp()
            h += 1
            h.sum().backward()

        def test_broken(broken):
            pass

        async def test_coroutine():
            pass

        def test_skipped():
            pytest.skip("not today")

        @pytest.mark.xfail
        def test_expected():
            torch.ones(2).backward()
    """
    done = ran(tmp_path, source, "--jgrad")
    assert section(done.stdout, "test_torch").startswith("test_it.py:10")
    assert "/torch/utils/" not in done.stdout
    assert "1 skipped" in done.stdout
    assert "1 xfailed" in done.stdout
    assert "INTERNALERROR" not in done.stdout


def test_a_collection_error_stays_pytests(tmp_path: Path) -> None:
    done = ran(tmp_path, "import jgrad\n1 / 0\n", "--jgrad")
    assert done.returncode == 2
    assert "ZeroDivisionError" in done.stdout
    assert "INTERNALERROR" not in done.stdout


def test_a_test_of_unittest_is_recorded(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    source = """
        import torch, unittest

        class TestIt(unittest.TestCase):
            def setUp(self):
                self.w = torch.ones(2, requires_grad=True)

            def test_raises(self):
                h = self.w.exp()
                h += 1
                h.sum().backward()

            def test_passes(self):
                (self.w * 2).sum().backward()

            @unittest.skip("not today")
            def test_skipped(self):
                pass
    """
    done = ran(tmp_path, source, "--jgrad")
    assert "1 failed, 1 passed, 1 skipped" in done.stdout
    said = section(done.stdout, "TestIt.test_raises")
    assert said.startswith("test_it.py:9 saved h")
    assert "not traced" not in said
    assert "handle_torch_function" not in done.stdout


def test_what_a_test_has_no_need_of_is_not_said(tmp_path: Path) -> None:
    """A test without tensors has no section. One that traces itself has the answer of its own trace, once."""
    source = """
        import jgrad

        def test_without_tensors():
            assert 1 == 2

        def test_traces_itself():
            w = jgrad.ones(2, requires_grad=True)
            with jgrad.trace():
                h = w.exp()
                h.add_(1)
                h.sum().backward()

        @jgrad.traced
        def step(w):
            h = w.exp()
            h.add_(1)
            h.sum().backward()

        def test_calls_what_is_traced():
            step(jgrad.ones(2, requires_grad=True))
    """
    done = ran(tmp_path, source, "--jgrad", "--tb=short")
    assert "3 failed" in done.stdout
    assert "- jgrad -" not in done.stdout
    assert done.stdout.count("saved h at version 0") == 2
    assert "trace.py" not in done.stdout


def test_a_module_that_can_not_be_collected_is_reported_as_ever(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("import nosuchmodule")
    done = ran(tmp_path, TESTS, "--jgrad", "--continue-on-collection-errors", "test_broken.py")
    assert "ERROR collecting test_broken.py" in done.stdout
    assert "2 failed, 1 passed, 1 error" in done.stdout


FAILS_IN_TORCH = """
import torch

def test_raises():
    y = torch.ones(2, requires_grad=True).exp()
    y.add_(1)
    y.sum().backward()
"""


def test_a_run_of_pytest_under_jgrad_run_prints_what_it_prints_by_python(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    plain, recorded = (
        re.sub(r" in [\d.]+s", "", ran(tmp_path, FAILS_IN_TORCH, by=by).stdout)
        for by in ((), ("-m", "jgrad", "run", "--quiet"))
    )
    assert "1 failed" in plain
    assert recorded == plain
