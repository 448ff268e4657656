"""`%trace on`: cells run as without it, a line says what is remarkable, and `%why` knows the rest."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

import jgrad
from jgrad import observer
from jgrad.notebook import every
from jgrad.notebook.meeting import has_only_plain_words, may_meet_tensors
from jgrad.tracing.record.recorder import Recorder
from tests.notebook.cells import run, why

pytestmark = pytest.mark.quick

FAILS = "w = {library}.ones(3, requires_grad=True)\nh = w.exp()\nh.add_(1)\nh.sum().backward()"
SUMS = "w = jgrad.ones(1, requires_grad=True)\nfor i in range(3):\n    (w * 2).sum().backward()"


@pytest.fixture
def on(shell: InteractiveShell) -> InteractiveShell:
    assert run(shell, "%trace on")[0] == ""
    return shell


@pytest.mark.parametrize("library", ["jgrad", "torch"])
def test_an_error_is_explained_below_its_traceback(on: InteractiveShell, library: str) -> None:
    pytest.importorskip(library)
    run(on, f"import {library}")
    said = run(on, FAILS.format(library=library))[0]
    assert (
        "jgrad: h was saved by exp (line 2) and overwritten by h.add_(1) (line 3). %why says more.\n" in said
    )
    assert why(on).startswith(
        "line 2 saved h at version 0 for ExpBackward0, and line 3 (h.add_(1)) then wrote to h"
    )


def test_a_remark_is_a_line_and_nothing_is_said_without_one(on: InteractiveShell) -> None:
    said = run(on, SUMS)[0]
    assert said.startswith("jgrad: w.grad holds the sum of 3 backward passes (line 3)")
    assert said.endswith(". %why says more.\n")
    assert said.count("\n") == 1
    assert run(on, "w.grad = None\n(w * 2).sum().backward()")[0] == ""
    assert "No mistake" in why(on)


@pytest.mark.parametrize("above", ["%%capture\n", "%%capture out\n# a comment\n"])
def test_the_lines_of_a_cell_that_a_magic_runs_are_those_of_the_cell_that_is_seen(
    on: InteractiveShell, above: str
) -> None:
    line = 3 + above.count("\n")
    assert f"3 backward passes (line {line})" in run(on, above + SUMS)[0]
    assert f"line {line})" in why(on)


CELLS = [
    "x = 3", "x", "1 / 0", "", "# nothing", "import math\nmath.pi", "print('a')\n'b';", "import asyncio\nawait asyncio.sleep(0)\n'c'",
    "raise KeyboardInterrupt", "%time 3", "%%time\n4", "?x", "!true", "w = jgrad.ones(2)\nw * 2", "%nosuch", "x = jgrad.ones(2)\nx[5]", "%%writefile /dev/null\na", "_",
]  # fmt: skip


@pytest.mark.parametrize("cell", CELLS)
def test_a_cell_does_what_it_does_without(shell: InteractiveShell, cell: str) -> None:
    def result() -> tuple[Any, ...]:
        done = shell.run_cell(cell)
        error = done.error_before_exec or done.error_in_exec
        value = done.result
        return type(error), str(error), str(value)

    run(shell, "%trace off")
    plain = result()
    run(shell, "%trace on")
    assert result() == plain
    assert observer.current is None


def test_only_cells_that_may_meet_tensors_are_recorded(
    on: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    scope = every.Scope
    monkeypatch.setattr(every, "Scope", lambda *args, **named: begun.append(args[0]) or scope(*args, **named))
    for cell in (
        "import math\ny = math.sin(3)",
        "z = [1, 2]\nlen(z)",
        "print(y, z)",
        "import numpy as np\na = np.ones(3)",
        "a + 1",
    ):
        run(on, cell)
    assert begun == []
    for cell in (
        "t = jgrad.ones(2)",
        "kept = [t]",
        "kept",
        "def f():\n    return t",
        "f()",
        "eval('t')",
        "print('%d%%' % len(t))",
        'text = """\n%%bash\n"""\nt',
        "import unknown_module",
        "get_ipython()",
    ):
        before = len(begun)
        run(on, cell)
        assert len(begun) == before + 1, cell


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [
        ("import math\ny = x", True), ("from math import sin, cos\nx", True), ("import os.path as p", True), ("y = x\nnp.ones(3)", True),
        ("import torch", False), ("import math, torch", False), ("import math; import torch", False), ("from math import sin; w", False),
        ("from math import sin\nw", False), ("from math import (sin,\n    cos)\nw", False), ("from math import sin \\\n, w\nw", False), ("y = w", False),
        ("if x: import torch", False), ("from torch import nn", False), ("from . import a", False), ("import math\nimport torch", False),
        ("__import__('torch')", False), ("exec('1')", False), ("\N{LATIN SMALL LIGATURE FI} = x", False),
    ],
)  # fmt: skip
def test_the_words_of_a_cell_show_that_it_is_plain(text: str, is_plain: bool) -> None:
    """A cell that is not known to be plain by its words is compiled, and then it is known."""
    variables = {"x": 3, "np": np, "w": jgrad.ones(1)}
    assert has_only_plain_words(text, variables) is is_plain


NET = "net = jgrad.nn.Linear(1, 1)\nopt = jgrad.optim.SGD(net.parameters(), 0.1)"
LEADS = {
    "deque": "deque([net])", "dict": "OrderedDict(a=net)", "default": "defaultdict(list, a=[net])", "space": "SimpleNamespace(net=net)",
    "part": "partial(f)", "bound": "opt.step", "forward": "net.forward", "builtin": "[net].pop", "cycled": "cycle([net])", "cached": "lru_cache(f)",
    "both": "ChainMap({}, {'a': net})", "data": "MappingProxyType({'a': net})", "reference": "weakref.ref(net)", "proxy": "weakref.proxy(net)",
    "context": "contextmanager(f)", "chosen": "singledispatch(f)", "runs": "iter([net])", "objects": "np.array([net, None])", "var": "ContextVar('a', default=net)",
    "arguments": "Namespace(a=net)",
}  # fmt: skip
PLAIN = {
    "numbers": "deque([1, 2])", "path": "Path('.')", "day": "date(2020, 1, 1)", "exact": "Decimal(1)", "third": "Fraction(1, 3)", "pattern": "re.compile('a')",
    "chance": "random.random", "chooses": "random.Random(0).choice", "root": "math.sqrt", "upper": "'a'.upper", "adds": "[1].append", "kind": "Counter",
    "floats": "np.ones(3)", "mean": "np.mean", "span": "range(3)", "copies": "copy.deepcopy",
}  # fmt: skip
IMPORTS = """
import copy, math, random, re, weakref
import numpy as np
from argparse import Namespace
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial, singledispatch
from itertools import cycle
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
def f(*args):
    pass
"""


@pytest.mark.parametrize("name", [*LEADS, *PLAIN])
def test_what_may_lead_to_tensors(shell: InteractiveShell, name: str) -> None:
    run(shell, f"{NET}{IMPORTS}{name} = {(LEADS | PLAIN)[name]}")
    code = compile(f"{name}\n", "cell", "exec")
    assert may_meet_tensors(code, shell.user_ns) == (name in LEADS)


def test_a_partial_is_explained_as_its_function_is(on: InteractiveShell) -> None:
    run(on, "import functools\nw = jgrad.ones(2, requires_grad=True)")
    run(
        on,
        "def train():\n    for i in range(3):\n        (w * w).sum().backward()\n\np = functools.partial(train)",
    )
    assert run(on, "p()")[0].startswith("jgrad: w.grad holds the sum of 3 backward passes")


WARNED = ["x = 3\nx is 1", "len('\\d')", "import warnings\nwarnings.warn('once')"]


def warned(shell: InteractiveShell, cell: str) -> list[str]:
    """What Python warns of if a cell runs twice."""
    texts: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        shown = warnings.showwarning
        warnings.showwarning = lambda message, *rest, **named: texts.append(str(message))
        try:
            for _ in range(2):
                run(shell, cell)
        finally:
            warnings.showwarning = shown
    return texts


@pytest.mark.parametrize("cell", WARNED)
@pytest.mark.parametrize("switch", ["", "%trace on", "%%trace --no-show"])
def test_python_warns_as_often_as_without_us(shell: InteractiveShell, cell: str, switch: str) -> None:
    cell += "\njgrad.ones(1)"
    run(shell, "%unload_ext jgrad")
    plain = warned(shell, cell)
    assert plain
    shell.user_ns.pop("__warningregistry__", None)
    run(shell, "%load_ext jgrad")
    if switch.startswith("%%"):
        cell = f"{switch}\n{cell}"
    else:
        run(shell, switch)
    found = warned(shell, cell)
    # IPython compiles a cell twice, and what stands below a magic once.
    assert {*found} == {*plain} if switch.startswith("%%") else found == plain
    assert len(found) <= len(plain)


def test_what_was_traced_by_name_is_not_pushed_out(on: InteractiveShell) -> None:
    run(on, "%%trace --no-show --name mine\nw = jgrad.ones(2, requires_grad=True) * 2")
    for _ in range(20):
        run(on, "w * 2")
    assert "mine" in [trace.name for trace in jgrad.trace.recent]


def test_a_syntax_error_is_pythons(on: InteractiveShell) -> None:
    done = on.run_cell("w = jgrad.ones(2)\ndef f(:")
    assert isinstance(done.error_before_exec, SyntaxError)
    assert done.error_before_exec.lineno == 2


def test_off_and_unloading_end_it(on: InteractiveShell) -> None:
    run(on, "%trace off")
    assert "jgrad:" not in run(on, SUMS)[0]
    run(on, "%trace on")
    run(on, "%unload_ext jgrad")
    assert "jgrad:" not in run(on, SUMS)[0]
    assert observer.current is None


def test_bad_input_is_one_line(shell: InteractiveShell) -> None:
    assert run(shell, "%trace on now")[1].startswith(
        "UsageError: %trace: on now is not a statement of Python"
    )
    assert "or %trace on for every cell" in run(shell, "%trace")[1]


@pytest.mark.parametrize("broken", ["begin", "end", "document", "words"])
def test_a_failure_of_ours_leaves_the_cell(
    on: InteractiveShell, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def fail(*args: Any) -> Callable[..., Any]:
        raise RuntimeError("ours")

    if broken in ("begin", "end"):
        monkeypatch.setattr(Recorder, "start" if broken == "begin" else "stop", fail)
    elif broken == "document":
        monkeypatch.setattr(jgrad.trace.Trace, "document", property(fail))
    else:
        monkeypatch.setattr("jgrad.views.headline.words", fail)
    said = run(on, f"{SUMS}\nprint('done')")
    assert "done\n" in said[0]
    what = "recorded" if broken == "begin" else "explained"
    assert f"%trace on: this cell could not be {what} (RuntimeError: ours)\n" in said[0]
    assert "Error in callback" not in said[0] + said[1]


def test_a_cell_that_a_magic_times_is_not_recorded_and_that_is_said_once(on: InteractiveShell) -> None:
    run(on, "import jgrad")
    kept = len(jgrad.trace.recent)
    said = [run(on, f"%%time\n{SUMS}")[0].split("\n")[0] for _ in range(2)]
    assert said[0].startswith(
        "%trace on: a cell that %%time runs is not recorded. To record one, write %%trace"
    )
    assert "%trace on" not in said[1]
    assert len(jgrad.trace.recent) == kept
    for cell in ("%%time\n3", f"%%time\n%%trace --no-show\n{SUMS}", "%%prun -q\nimport math"):
        assert "%trace on" not in run(on, cell)[0]


def test_the_line_about_a_captured_cell_is_not_captured(on: InteractiveShell) -> None:
    run(on, "import jgrad")
    said = run(on, f"%%capture found\nprint(3)\n{SUMS}")[0]
    assert said.startswith("jgrad: w.grad holds the sum of 3 backward passes")
    assert on.user_ns["found"].stdout == "3\n"
