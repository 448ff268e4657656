"""Lines in functions, wherever these were defined: `%why` names the innermost line of the user's own code, its cell or file, and how it was reached."""

from __future__ import annotations

import importlib
import marshal
import os
import re
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import jgrad
from jgrad.tracing.document.check import DocumentError, check
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.passage import Passage
from jgrad.views.answer import Traces, blocks
from tests.notebook.cells import run, why

pytestmark = pytest.mark.quick

F = "def f(x):\n    y = x.exp()\n    y.add_(1)\n    return y"
W = "%%trace --no-show\nw = jgrad.ones(2, requires_grad=True)\n"
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a module that cells can import."""
    monkeypatch.syspath_prepend(tmp_path)
    written = []

    def write(name: str, source: str) -> Path:
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(source).lstrip("\n"), encoding="utf-8")
        later = 1 + max((p.stat().st_mtime for p in tmp_path.glob("*.py")), default=0)
        os.utime(path, (later, later))  # as the bytecode is only as old as the seconds of this
        importlib.invalidate_caches()
        written.append(name)
        return path

    yield write
    for name in written:
        sys.modules.pop(name, None)


def said(shell: InteractiveShell, *cells: str) -> str:
    """What `%why` says after some cells: who saved a tensor, and who wrote to it."""
    for cell in cells:
        run(shell, cell)
    found = re.match(r"(.*?) saved .*? at version 0 for ExpBackward0, and (.*?) then wrote to", why(shell))
    assert found is not None
    return f"{found[1]} | {found[2]}"


def texts() -> list[str]:
    return [step["text"] for step in jgrad.trace.recent[-1].document["steps"]]


# Where functions come from ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("define", "call", "expected"), [
    (F, "f(w)", "line 2 of f (cell 1, called at line 3) | line 3 of f (y.add_(1))"),
    ("f = lambda x: (y := x.exp()).add_(1)", "y = f(w)",
     "line 1 of a lambda (cell 1, called at line 3) | line 1 of a lambda ((y := x.exp()).add_(1))"),
    (F + "\ndef g(x):\n    return f(x)", "g(w)", "line 2 of f (cell 1, called through g at line 3) | line 3 of f (y.add_(1))"),
    (F + "\ndef g(x):\n    return f(x)\ndef h(x):\n    return g(x)", "h(w)",
     "line 2 of f (cell 1, called through g and h at line 3) | line 3 of f (y.add_(1))"),
    (F + "\nfrom functools import partial\ng = partial(f)", "g(w)", "line 2 of f (cell 1, called at line 3) | line 3 of f (y.add_(1))"),
    ("import functools\ndef deco(g):\n    @functools.wraps(g)\n    def wrapper(*args):\n        return g(*args)\n    return wrapper\n@deco\n" + F, "f(w)",
     "line 9 of f (cell 1, called through wrapper at line 3) | line 10 of f (y.add_(1))"),
    ("class Net(jgrad.nn.Module):\n    def forward(self, x):\n        y = x.exp()\n        y.add_(1)\n        return y\nnet = Net()", "net(w)",
     "line 3 of Net.forward (cell 1, called at line 3) | line 4 of Net.forward (y.add_(1))"),
    ("class A:\n    @property\n    def p(self):\n        y = self.w.exp()\n        y.add_(1)\n        return y", "a = A(); a.w = w; a.p",
     "line 4 of A.p (cell 1, called at line 3) | line 5 of A.p (y.add_(1))"),
    ("def g(x):\n    for i in range(1):\n        y = x.exp()\n        y.add_(1)\n        yield y", "for v in g(w):\n    pass",
     "line 3 of g (cell 1, called at line 3) | line 4 of g (y.add_(1))"),
    (F, "ys = [f(x) for x in [w]]", "line 2 of f (cell 1, called at line 3) | line 3 of f (y.add_(1))"),
    ("def g(xs):\n    return [(y := x.exp()).add_(1) for x in xs]", "g([w])",
     "line 2 of g (cell 1, called at line 3) | line 2 of g ((y := x.exp()).add_(1))"),
    (F, "ys = sum(f(x).sum() for x in [w])", "line 2 of f (cell 1, called at line 3) | line 3 of f (y.add_(1))"),
    (F + "\ndef r(x, n):\n    return f(x) if n == 0 else r(x, n - 1)", "r(w, 5)",
     "line 2 of f (cell 1, called through r at line 3) | line 3 of f (y.add_(1))"),
    ("async def f(x):\n    y = x.exp()\n    y.add_(1)\n    return y", "await f(w)",
     "line 2 of f (cell 1, called at line 3) | line 3 of f (y.add_(1))"),
    ("from dataclasses import dataclass\n@dataclass\nclass A:\n    x: object\n    def __post_init__(self):\n        y = self.x.exp()\n        y.add_(1)\n"
     "        self.y = y", "a = A(w)",
     "line 6 of A.__post_init__ (cell 1, called at line 3) | line 7 of A.__post_init__ (y.add_(1))"),
], ids=["function", "lambda", "through", "through two", "partial", "decorator", "module", "property", "generator", "comprehension",
        "comprehension in a function", "generator expression", "recursion", "coroutine", "dataclass"])  # fmt: skip
def test_functions_of_another_cell(shell: InteractiveShell, define: str, call: str, expected: str) -> None:
    assert said(shell, define, W + call) == expected


def test_functions_of_a_file(shell: InteractiveShell, write: Write) -> None:
    write(
        "stacked",
        f"import jgrad\n\n{F}\n\nclass Net(jgrad.nn.Module):\n    def forward(self, x):\n        return f(x)\n",
    )
    expected = "line 4 of f (stacked.py, called through Net.forward at line 3) | line 5 of f (y.add_(1))"
    assert said(shell, "import stacked\nnet = stacked.Net()", W + "net(w)") == expected
    document = jgrad.trace.recent[-1].document
    assert [(s["name"], s["first"], s["lines"][0]) for s in document["sources"]] == [
        ("stacked.py", 3, "def f(x):"), ("stacked.py", 9, "    def forward(self, x):"),
    ]  # fmt: skip
    assert "y" in {name for t in document["tensors"] for _, name in t["names"]}


def test_files_of_one_name_are_told_apart(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for folder in ("stacked_a", "stacked_b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
        (tmp_path / folder / "ops.py").write_text("def g(x):\n    return x * 2\n", encoding="utf-8")
    run(shell, "import stacked_a.ops as a, stacked_b.ops as b")
    run(shell, W + "a.g(w) + b.g(w)")
    assert [text.split(":")[0] for text in texts()][1:3] == [
        f"line 2 of g ({folder}/ops.py, called at line 3)" for folder in ("stacked_a", "stacked_b")
    ]
    for name in [name for name in sys.modules if name.startswith("stacked_")]:
        del sys.modules[name]


def test_a_module_that_the_cell_imports(shell: InteractiveShell, write: Write) -> None:
    write("stacked", "import jgrad\nx = jgrad.ones(2)\n")
    run(shell, W + "import stacked")
    assert texts()[1].startswith("line 2 of stacked.py (run at line 3): ones() made")


def test_functions_of_the_cell_itself(shell: InteractiveShell) -> None:
    """Their lines are lines of the cell. How they were reached is said if there are several ways."""
    assert said(shell, f"{W}{F}\nf(w)") == "line 4 | line 5 (y.add_(1))"
    run(shell, f"{W}{F}\nf(w)\nf(w)")
    assert texts()[1].startswith("line 4 of f (called at line 7): x.exp() made y")
    assert texts()[3].startswith("line 4 of f (called at line 8): x.exp() made y")


def test_a_cell_that_redefines_its_function(shell: InteractiveShell) -> None:
    twice = f"{W}{F}\nf(w)\n{F.replace('exp', 'tanh')}\nf(w)"
    run(shell, twice)
    assert [text.split(" made")[0] for text in texts() if " made y" in text] == [
        "line 4: x.exp()",
        "line 9: x.tanh()",
    ]


def test_library_code_is_closed_unless_asked_for(shell: InteractiveShell) -> None:
    run(shell, "net = jgrad.nn.Linear(2, 1)")
    run(shell, W + "net(w)")
    assert all(text.startswith(("line 2: ", "line 3: ")) for text in texts())
    run(shell, W.replace("--no-show", "--no-show --into nn") + "net(w)")
    line = next(
        n for n, text in enumerate(Path(jgrad.nn.modules.linear.__file__).read_text().split("\n"), 1) if "return F.linear(input" in text
    )  # fmt: skip
    assert texts()[-1].startswith(
        f"line {line} of Linear.forward (linear.py, called through Module.__call__ at line 3): "
    )
    with jgrad.trace(into="nn") as t:
        jgrad.nn.ReLU()(jgrad.ones(1))
    assert "activation" in {
        source["name"].removesuffix("s.py").removesuffix(".py") for source in t.document["sources"]
    }
    _, err, _ = run(shell, "%%trace --into nosuch\n1")
    assert err == "UsageError: %%trace --into: there is no module 'nosuch'; write for example --into nn\n"
    with pytest.raises(ValueError, match="there is no module 'nosuch'"):
        jgrad.trace(into="nosuch")


def test_hooks_and_functions_with_a_backward(shell: InteractiveShell) -> None:
    run(shell, "def hook(g):\n    return g * 2")
    run(shell, W + "y = w * 1\ny.register_hook(hook)\ny.sum().backward()")
    assert next(text for text in texts() if "g * 2" in text).startswith(
        "line 2 of hook (cell 1, called at line 5): g * 2 made"
    )


def test_code_in_threads_is_not_traced(shell: InteractiveShell) -> None:
    run(shell, F)
    run(shell, W + "from threading import Thread\nt = Thread(target=f, args=(w,)); t.start(); t.join()")
    assert len(texts()) == 1


# Sources that are not there, or not what they were ------------------------------------------------------------------------------------


def test_a_function_that_was_redefined(shell: InteractiveShell) -> None:
    define = "class A:\n    def f(self, x):\n        y = x.exp()\n        y.add_(1)\n        return y\n"
    expected = (
        "line 3 of A.f (cell 1, an older definition of it, called at line 3) | line 4 of A.f (y.add_(1))"
    )
    assert said(shell, f"{define}a = A()", define, W + "a.f(w)") == expected
    assert (
        said(shell, W + "A().f(w)") == "line 3 of A.f (cell 2, called at line 3) | line 4 of A.f (y.add_(1))"
    )


def test_a_cell_that_was_run_twice(shell: InteractiveShell) -> None:
    assert said(shell, F, F, W + "f(w)").startswith("line 2 of f (cell 2, called at line 3)")


def test_a_file_that_was_changed(shell: InteractiveShell, write: Write) -> None:
    write("stacked", F)
    run(shell, "import stacked")
    write("stacked", F.replace("add_(1)", "add_(2)"))
    expected = "line 2 of f (stacked.py, changed since it was loaded, called at line 3) | line 3 of f (add_)"
    assert said(shell, W + "stacked.f(w)") == expected
    assert jgrad.trace.recent[-1].document["sources"][0]["lines"] == []
    write("stacked", "def f(x:")
    assert said(shell, W + "stacked.f(w)") == expected


def test_a_function_that_moved_within_its_file(shell: InteractiveShell, write: Write) -> None:
    write("stacked", F)
    run(shell, "import stacked")
    write("stacked", f"# A comment.\n{F}\n\ndef more():\n    pass\n")
    assert (
        said(shell, W + "stacked.f(w)")
        == "line 3 of f (stacked.py, called at line 3) | line 4 of f (y.add_(1))"
    )


def test_a_file_that_is_gone(shell: InteractiveShell, write: Write) -> None:
    path = write("stacked", F)
    run(shell, "import stacked")
    path.unlink()
    assert (
        said(shell, W + "stacked.f(w)")
        == "line 2 of f (stacked.py, without source, called at line 3) | line 3 of f (add_)"
    )


def test_a_module_that_autoreload_loaded_again(shell: InteractiveShell, write: Write) -> None:
    write("stacked", F)
    run(shell, "%load_ext autoreload\n%autoreload 2\nimport stacked\nfrom stacked import f")
    run(shell, W + "f(w)")
    write("stacked", "# A comment.\n" + F.replace("add_(1)", "add_(2)"))
    assert said(shell, W + "f(w)") == "line 3 of f (stacked.py, called at line 3) | line 4 of f (y.add_(2))"


def test_a_function_that_autoreload_added(shell: InteractiveShell, write: Write) -> None:
    """IPython compiles it as "<string>". Its lines are those of the file."""
    write("stacked", F)
    run(shell, "%load_ext autoreload\n%autoreload 2\nimport stacked\nfrom stacked import f")
    run(shell, W + "f(w)")
    write("stacked", "# A comment.\n" + F.replace("y.add_(1)", "add(y)") + "\n\ndef add(y):\n    y.add_(2)\n")
    assert said(shell, W + "f(w)") == (
        "line 3 of f (stacked.py, called at line 3) | y.add_(2) in line 8 of add (stacked.py, called through f at line 3)"
    )


def test_code_from_a_text(shell: InteractiveShell) -> None:
    define = f"exec({F!r})"
    expected = "line 2 of f (<string>, without source, called at line 3) | line 3 of f (add_)"
    assert said(shell, define, W + "f(w)") == expected


def test_a_function_of_another_session(shell: InteractiveShell) -> None:
    code = compile(F, "/tmp/ipykernel_1/2.py", "exec").co_consts[0]
    shell.user_ns["f"] = types.FunctionType(marshal.loads(marshal.dumps(code)), {"__name__": "__main__"})
    expected = (
        "line 2 of f (a cell of another session, without source, called at line 3) | line 3 of f (add_)"
    )
    assert said(shell, W + "f(w)") == expected


# Errors -------------------------------------------------------------------------------------------------------------------------------


DEEP = "def a(x):\n    return b(x)\ndef b(x):\n    return c(x)\ndef c(x):\n    return x.view(3)"


@pytest.mark.parametrize("traced", ["%%trace --no-show\n", "# untraced\n"])
def test_an_error_three_functions_deep(shell: InteractiveShell, traced: str) -> None:
    run(shell, DEEP)
    run(shell, f"{traced}w = jgrad.ones(2)\na(w)")
    assert why(shell).startswith("line 6 of c (cell 1, called through b and a at line 3): ")


def test_an_error_in_a_file(shell: InteractiveShell, write: Write) -> None:
    write("stacked", DEEP)
    run(shell, "import stacked\nw = jgrad.ones(2)")
    run(shell, "stacked.a(w)")
    assert why(shell).startswith("line 6 of c (stacked.py, called through b and a at line 1): ")
    assert why(shell, "stacked.a(w)").startswith("line 6 of c (stacked.py")


def test_an_interrupt(shell: InteractiveShell) -> None:
    run(shell, "def f(x):\n    y = x * 2\n    raise KeyboardInterrupt")
    run(shell, W + "f(w)")
    assert texts()[-1] == "line 3 of f (cell 1, called at line 3): KeyboardInterrupt"


def test_a_cell_with_a_syntax_error(shell: InteractiveShell) -> None:
    run(shell, F)
    *_, result = run(shell, W + "f(w")
    assert isinstance(result.error_before_exec or result.error_in_exec, SyntaxError)
    assert said(shell, W + "f(w)") == "line 2 of f (cell 1, called at line 3) | line 3 of f (y.add_(1))"


# Other cells --------------------------------------------------------------------------------------------------------------------------


def test_an_older_cell_is_named(shell: InteractiveShell) -> None:
    run(shell, W + "(w * 2).sum().backward()")
    run(shell, "%%trace --no-show\nv = jgrad.ones(1)")
    assert why(shell, "w.grad") == "w.grad is [2., 2.]: backward() in cell 1, line 3 computed it."
    run(shell, "%%trace --no-show\nw.grad = None")
    assert why(shell, "w.grad").startswith("w.grad is None: cell 4, line 2 set it to None")


def test_objects_of_unrelated_cells_do_not_appear(shell: InteractiveShell) -> None:
    run(
        shell,
        "old = jgrad.nn.Linear(2, 1)\nold_opt = jgrad.optim.SGD(old.parameters(), lr=0.1)\nold(jgrad.ones(2)).sum().backward()",
    )
    run(shell, W + "(w * 2).sum().backward()")
    assert "opt" not in why(shell, "w")
    run(shell, "opt = jgrad.optim.SGD([jgrad.ones(1, requires_grad=True)], lr=0.1)")
    assert why(shell, "opt.step()").endswith("every parameter has .grad None. Call backward() first.")
    run(shell, "v = jgrad.ones(1, requires_grad=True); adam = jgrad.optim.Adam([jgrad.ones(1)])")
    assert "adam does not hold v" in why(shell, "v")


# The document -------------------------------------------------------------------------------------------------------------------------


def test_the_table_of_calls(shell: InteractiveShell) -> None:
    run(shell, DEEP.replace(".view(3)", " * 2"))
    run(shell, W + "for i in range(3):\n    a(w)")
    document = jgrad.trace.recent[-1].document
    assert [(c["function"], c["line"], c["caller"]) for c in document["calls"]] == [
        ("<module>", 4, None), ("a", 2, 0), ("b", 4, 1), ("c", 6, 2),
    ]  # fmt: skip
    assert [step.get("call") for step in document["steps"]] == [None, 3, 3, 3]
    for wrong in ({"caller": 3}, {"source": 9}, {"span": [99, 0, 99, 1]}):
        calls = [*document["calls"][:3], document["calls"][3] | wrong]
        with pytest.raises(DocumentError):
            check({**document, "calls": calls})
    without = {k: v for k, v in document.items() if k not in ("calls", "sources")}
    with pytest.raises(DocumentError):
        check(without)
    steps = [{k: v for k, v in step.items() if k != "call"} for step in document["steps"]]
    check({**without, "steps": steps})  # a document from before calls were recorded


def test_lines_of_functions_are_links(shell: InteractiveShell) -> None:
    """Each moves the trace to the step that ran there, not to that of a line of the cell with the same number."""
    run(shell, F)
    run(shell, W + "z = f(w)")
    log = Log(jgrad.trace.recent[-1].document)
    traces = Traces({log.title(): (log, types.SimpleNamespace(model_id="model"))})
    found = [
        [(text, cursor) for kind, text, model, cursor in parts if kind == "line" and model == 0]
        for text in (why(shell), "cell 1, line 3 wrote", "cell 2, line 2 made", "line 3 of g (cell 9, called at line 3)")
        for _, parts in blocks([Passage(text, log, None)], traces, {}.__contains__)[:1]
    ]  # fmt: skip
    assert found[0][:3] == [("line 2", 2), ("line 3", 3), ("line 3", 3)]
    assert found[1:] == [[("line 3", 3)], [("line 2", 1)], [("line 3", 3)]]
