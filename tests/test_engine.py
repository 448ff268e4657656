"""What a comparison with PyTorch can't show: depth, memory, threads, and the rules that declarations keep."""

import builtins
import gc
import inspect
import sys
import threading
import types
import warnings
import weakref

import numpy as np
import pytest

import jgrad
from jgrad import fast, op
from jgrad.kernels import numpy as kernels
from jgrad.observer import Observer, observe


def test_a_chain_of_100_000_nodes_needs_no_recursion():
    x = jgrad.ones(2, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    del y  # neither does taking it apart


def one_of_everything():
    x = jgrad.ones(4, requires_grad=True)
    y = ((x * 2)[1:3].exp().sigmoid() ** 2).sum()
    y.backward()
    z = x.clone()
    z[0].mul_(2)
    jgrad.cat([z, x.reshape(2, 2).t().reshape(4)]).sum().backward()
    return x


def test_nothing_is_part_of_a_reference_cycle():
    one_of_everything()
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(20):
            one_of_everything()
        assert len(gc.get_objects()) - before <= 1
    finally:
        gc.enable()


def test_backward_lets_go_of_what_was_saved():
    x = jgrad.ones(3, requires_grad=True)
    y = x * 2
    saved = weakref.ref(y)
    z = (y * y).sum()
    del y
    assert saved() is not None
    z.backward()
    assert saved() is None


def test_grad_mode_is_per_thread():
    x = jgrad.ones(2, requires_grad=True)
    found = {}

    def other():
        found["enabled"] = jgrad.is_grad_enabled()
        found["recorded"] = (x * 2).requires_grad

    with jgrad.no_grad():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert not (x * 2).requires_grad
    assert found == {"enabled": True, "recorded": True}


def formulas():
    for name, operation in op.TABLE.items():
        for overload in operation.overloads:
            for argument, formula in getattr(overload, "formulas", {}).items():
                yield pytest.param(formula, id=f"{name}-{overload.schema.overload}-{argument}")


@pytest.mark.parametrize("formula", list(formulas()))
def test_a_formula_uses_names_that_both_rooms_have(formula):
    """It runs on the public operations and on the kernels; a name that one of them lacks would fail only when backward runs."""
    for name in formula.__code__.co_names:
        public = name in formula.__globals__ or hasattr(jgrad.Tensor, name) or hasattr(builtins, name)
        raw = hasattr(kernels, name) or hasattr(np.ndarray, name) or hasattr(builtins, name)
        assert public, f"{name} is not a name of {formula.__module__}"
        assert raw, f"{name} is not a name of the kernels"


def test_kernels_of_different_files_have_different_names():
    """The façade takes the names of all files together, so of two that are the same it would take the last."""
    owners = {}
    gathered = inspect.getsource(kernels)
    for name, module in list(sys.modules.items()):
        if f"from {name} import *" in gathered:
            for key, value in vars(module).items():
                if isinstance(value, types.FunctionType) and value.__module__ == name and key[0] != "_":
                    assert owners.setdefault(key, name) == name, key


@pytest.mark.parametrize("name", sorted(op.TABLE))
def test_every_operation_says_what_it_does(name):
    operation = op.TABLE[name]
    assert operation.doc, name
    assert operation.function.__doc__


def test_importing_needs_numpy_alone():
    import subprocess

    code = (
        "import sys; import jgrad; "
        "print(sorted(m for m in ('IPython', 'anywidget', 'ipywidgets', 'torch', 'cupy') if m in sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


def test_written_code_is_shown_in_tracebacks():
    import linecache

    x = jgrad.ones(2, requires_grad=True)
    (x * x).sum().backward()
    text = "".join(linecache.getlines("<jgrad MulBackward0.apply>"))
    assert "def apply(node, grad, needed):" in text


class Diary(Observer):
    """Writes down what an operation reported, in plain values."""

    def __init__(self):
        self.lines = []

    def op(self, name, kind, inputs, outputs, node, arguments):
        plain = {k: v for k, v in arguments.items() if not isinstance(v, jgrad.Tensor)}
        made_by = node and node.name()
        self.lines.append(
            (name, kind, [t.tolist() for t in inputs], [t.tolist() for t in outputs], made_by, plain)
        )


def test_the_fast_paths_report_what_the_general_path_reports(monkeypatch):
    def work():
        x = jgrad.ones(2, 3, requires_grad=True)
        y = (x * 2 + x.t().t() - 1).exp().sum(1)
        with jgrad.no_grad():
            z = y * 3
            z += 1
            z[0] = 5
        return (y.view(2, 1)[0] @ x[:1]).clone().transpose(0, 0).reshape(3, 1)

    diaries = []
    for enabled in (True, False):
        monkeypatch.setattr(fast, "ENABLED", enabled)
        with observe(Diary()) as diary:
            work()
        diaries.append(diary.lines)
    assert diaries[0] == diaries[1]
    assert len(diaries[0]) > 12


@pytest.mark.parametrize("ask", [lambda: jgrad.ones(1, device="cuda"), lambda: jgrad.ones(1).cuda()])
def test_without_a_gpu_cuda_is_refused(ask):
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        ask()


@pytest.mark.parametrize(
    "call",
    [
        "(x * 2).grad",
        "jgrad.nn.functional.softmax(x)",
        "jgrad.ones(1).var()",
        "jgrad.ones(2, 3, 4).T",
        "jgrad.add(y, y, out=jgrad.ones(3))",
    ],
)
def test_a_warning_points_at_the_line_of_the_user(call, monkeypatch):
    monkeypatch.setattr(jgrad.warn, "_always", True)
    names = {"jgrad": jgrad, "x": jgrad.ones(2, requires_grad=True), "y": jgrad.ones(2)}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        eval(compile(call, "<the user's cell>", "eval"), names)
    assert [w.filename for w in caught if w.category is UserWarning] == ["<the user's cell>"]
