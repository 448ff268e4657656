"""What a comparison with PyTorch can't show: depth, memory, threads, and the rules that declarations keep."""

import builtins
import contextlib
import copy
import gc
import inspect
import pickle
import subprocess
import sys
import threading
import types
import warnings
import weakref

import numpy as np
import pytest

import jgrad
from jgrad import storage
from jgrad.dispatch import TABLE, fast
from jgrad.kernels import numpy as kernels
from jgrad.observer import Observer, observe

pytestmark = pytest.mark.quick


@pytest.mark.slow
def test_a_chain_of_a_million_nodes_needs_no_recursion():
    x = jgrad.ones(1, requires_grad=True)
    y = x
    for _ in range(1_000_000):
        y = y + 1
    y.sum().backward()
    assert x.grad.tolist() == [1.0]
    assert repr(y) == "tensor([1000001.], grad_fn=<AddBackward0>)"
    assert pickle.loads(pickle.dumps(y)).tolist() == y.tolist()
    with pytest.raises(RuntimeError, match="graph leaves"):
        copy.deepcopy(y)
    del y  # neither does taking it apart


def test_tensors_travel_beside_their_pickle_and_can_be_written_to():
    base = jgrad.arange(1000.0)
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps([base, base[10:20], jgrad.eye(20).t()], 5, buffer_callback=buffers.append)
    assert len(data) < 1000
    assert [b.raw().nbytes for b in buffers] == [4000, 1600]  # not one byte twice
    for kind in (bytes, bytearray):  # a receiver may give read-only memory
        received = [kind(b.raw()) for b in buffers]
        copy, part, turned = pickle.loads(data, buffers=received)
        part.mul_(2)
        turned[0] = 7
        assert copy[10:20].tolist() == [2.0 * n for n in range(10, 20)]
        assert turned.stride() == (1, 20)
        assert not isinstance(received[0], bytes) or received[0] == base.numpy().tobytes()
    assert not storage._copies
    assert base[10] == 10


class Times(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 1

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0].sign()


def hooked(y):
    y = y + 1
    y.register_hook(lambda g: g * 1)
    y.grad_fn.register_hook(lambda inputs, outputs: None)
    y.grad_fn.register_prehook(lambda outputs: None)
    y.retain_grad()
    return y


STEPS = {
    "products": lambda y: y * y.detach(), "writes": lambda y: y.mul_(1.0), "views": lambda y: y.view(1, 2).view(2),
    "writes to views": lambda y: (y[0].mul_(1.0), y)[1], "several results": lambda y: y.sort()[0], "Functions": Times.apply,
    "lists": lambda y: jgrad.cat([y, y])[:2], "hooks": hooked,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_deep_graphs_of_all_kinds_need_no_recursion(step):
    x = jgrad.ones(2, requires_grad=True)
    y = x * 1
    for _ in range(20_000):
        y = step(y)
    (grad,) = jgrad.autograd.grad(y.sum(), x, create_graph=True)
    assert (grad[0] != 0).item()
    del y
    if grad.requires_grad:
        (grad * x).sum().backward()
    nodes, node = 0, grad.grad_fn
    while node is not None:  # looking at each node makes an object of it that users hold
        nodes, node = nodes + 1, next((n for n, _ in node.next_functions if n is not None), None)
    del grad


def one_of_everything():
    x = jgrad.ones(4, requires_grad=True)
    y = ((x * 2)[1:3].exp().sigmoid() ** 2).sum()
    y.backward()
    z = x.clone()
    z[0].mul_(2)
    jgrad.cat([z, x.reshape(2, 2).t().reshape(4)]).sum().backward()


def hooks_of_all_kinds():
    x = jgrad.ones(4, requires_grad=True)
    y = hooked(x * x.exp())
    x.register_hook(lambda g: g * 2)
    x.register_post_accumulate_grad_hook(lambda t: None)
    jgrad.autograd.graph.register_multi_grad_hook([x, y], lambda grads: None).remove()
    y.sum().backward(retain_graph=True)
    y.sum().backward()


def functions():
    x = jgrad.ones(4, requires_grad=True)
    y = Times.apply(x)
    Times.apply(y.exp()).sum().backward(retain_graph=True)
    y.max(0)[0].backward()


def saved_through_hooks():
    def to_numpy(t):
        return t.detach().numpy().copy()

    x = jgrad.ones(4, requires_grad=True)
    with jgrad.autograd.graph.saved_tensors_hooks(to_numpy, jgrad.from_numpy):
        y = (x.exp() * x).tanh_().max(0)[0]
        z = Times.apply(x.sigmoid())
    y.backward(retain_graph=True)
    jgrad.autograd.grad(z.sum(), x)


def second_derivatives():
    x = jgrad.ones(4, requires_grad=True)
    (grad,) = jgrad.autograd.grad((x.exp() * x).tanh().sum(), x, create_graph=True)
    (grad**2).sum().backward()
    grad.sum()  # and one that nobody runs


def never_run():
    x = jgrad.ones(4, requires_grad=True)
    y = Times.apply((x * 2).exp().max(0)[0][None])
    assert y.grad_fn.next_functions[0][0].next_functions
    y.grad_fn.metadata["note"] = 1


def a_step_of_training():
    model = jgrad.nn.Sequential(
        jgrad.nn.Linear(2, 3), jgrad.nn.BatchNorm1d(3), jgrad.nn.ReLU(), jgrad.nn.Linear(3, 1)
    )
    optimizer = jgrad.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        jgrad.nn.functional.mse_loss(model(jgrad.ones(4, 2)), jgrad.zeros(4, 1)).backward()
        optimizer.step()


@pytest.mark.slow
@pytest.mark.parametrize(
    "work",
    [
        one_of_everything,
        hooks_of_all_kinds,
        functions,
        saved_through_hooks,
        second_derivatives,
        never_run,
        a_step_of_training,
    ],
)
def test_nothing_is_part_of_a_reference_cycle(work):
    for _ in range(2):
        work()
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(20):
            work()
        assert len(gc.get_objects()) - before < 20  # other threads make objects too, but not one a time
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


@pytest.fixture
def impatient_threads():
    """Threads take turns after every few instructions, so that what can be torn apart is."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(count, work):
    """Run `work(number)` in so many threads at once; their errors."""
    errors, barrier = [], threading.Barrier(count, timeout=300)

    def run(number):
        barrier.wait()
        try:
            work(number)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@pytest.mark.usefixtures("impatient_threads")
@pytest.mark.parametrize("size", [1, 2000])
def test_no_gradient_of_a_leaf_that_threads_share_is_lost(size):
    for _ in range(250):
        leaf = jgrad.zeros(size, requires_grad=True)

        def work(number, leaf=leaf):
            for _ in range(2):  # the first gradient becomes .grad, the second is added to it
                (leaf * number).sum().backward()

        assert together(4, work) == []
        assert leaf.grad.tolist() == [12.0] * size


def test_threads_that_make_views_give_a_tensor_one_version_counter(monkeypatch):
    base, cell = jgrad.zeros(2, 2), [0]

    class AnotherThreadIsFaster:
        def __enter__(self):
            base._vc = cell

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(sys.modules["jgrad.tensor"], "_giving_cells", AnotherThreadIsFaster())
    assert base.t()._counter is cell
    assert base.detach()._counter is cell


@pytest.mark.usefixtures("impatient_threads")
def test_threads_have_graphs_modes_and_hooks_of_their_own():
    def work(number):
        x = jgrad.ones(3, requires_grad=True)
        seen = []
        for k in range(30):
            y = x * k
            y.register_hook(lambda g: seen.append(jgrad.is_grad_enabled()))
            y.retain_grad()
            y.sum().backward(create_graph=bool(number % 2) and k == 0)
            assert y.grad.tolist() == [1.0] * 3
            with jgrad.no_grad():
                assert not (x * 2).requires_grad
            assert (x * 2).requires_grad
            with jgrad.inference_mode():
                assert jgrad.ones(1).is_inference()
            assert not jgrad.ones(1).is_inference()
        assert x.grad.tolist() == [435.0] * 3
        assert sum(seen) == number % 2

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert together(8, work) == []


@pytest.mark.usefixtures("impatient_threads")
def test_threads_may_differentiate_one_graph():
    x = jgrad.ones(3, requires_grad=True)
    y = ((x * 2).exp() * x).sum()

    def work(number):
        for _ in range(20):
            (grad,) = jgrad.autograd.grad(y, x, retain_graph=True, create_graph=bool(number % 2))
            assert np.allclose(grad.detach(), 3 * np.exp(2.0))

    assert together(8, work) == []


FIRST_USES = """
import sys, threading
import jgrad
from jgrad import storage
sys.setswitchinterval(1e-6)
names = "sin cos tan exp log sqrt tanh sigmoid relu abs neg square rsqrt erf floor ceil sinh cosh atan asin sgn sign".split()
failed, barrier = [], threading.Barrier(8, timeout=300)
def work():
    x = jgrad.full((3,), 0.5, requires_grad=True)
    barrier.wait()
    try:
        for name in names:
            getattr(x, name)().sum().backward()
        x.sort()[0].sum().backward()
        jgrad.nn.functional.layer_norm(x, (3,)).sum().backward()
        jgrad.linalg.norm(x).backward()
    except Exception as error:
        failed.append(error)
threads = [threading.Thread(target=work) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
print(failed)
"""


def test_threads_may_be_the_first_to_use_an_operation():
    """Declarations are read, and code is written, at the first call."""
    code = [sys.executable, "-c", FIRST_USES]
    assert subprocess.run(code, capture_output=True, text=True, check=True).stdout == "[]\n"


def formulas():
    for name, operation in TABLE.items():
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
            given = getattr(module, "__all__", [key for key in vars(module) if key[0] != "_"])
            for key in given:
                value = vars(module)[key]
                if isinstance(value, types.FunctionType) and value.__module__ == name:
                    assert owners.setdefault(key, name) == name, key


@pytest.mark.parametrize("name", sorted(TABLE))
def test_every_operation_says_what_it_does(name):
    operation = TABLE[name]
    assert operation.doc, name
    assert operation.function.__doc__


@pytest.mark.parametrize("name", sorted(TABLE))
def test_every_operation_shows_its_arguments(name):
    """To Shift-Tab and to Tab inside of a call: every overload can be called as the signature says."""
    operation = TABLE[name]
    if not hasattr(operation.function, "op"):
        return  # it is written out, and so is its signature
    signature = inspect.signature(operation.function)
    for overload in operation.overloads:
        needed = [p.label() for p in overload.schema.params if p.required]
        several = {p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL}
        by_name = {n: None for n in needed if n in signature.parameters and n not in several}
        assert set(needed) - set(by_name) <= several | {"from"}
        only = [
            p.name for p in signature.parameters.values() if p.kind is p.POSITIONAL_ONLY and p.name in by_name
        ]
        signature.bind(*[by_name.pop(n) for n in only], **by_name)


def test_signatures_of_overloads_methods_and_sizes():
    def shown(function):
        before = str(inspect.signature(function))
        with contextlib.suppress(TypeError):  # the first call puts another function in its place
            function()
        return before

    assert shown(jgrad.sum) == "(input, dim=..., keepdim=False, *, dtype=None, out=None)"
    assert shown(jgrad.ones(2).sum) == "(dim=..., keepdim=False, *, dtype=None)"
    assert shown(jgrad.max) == "(input, dim=..., keepdim=False, *, other=..., out=None)"
    assert shown(jgrad.reshape) == "(input, shape)"
    assert shown(jgrad.Tensor.reshape) == "(self, *shape)"
    assert shown(jgrad.Tensor.add_) == "(self, other, *, alpha=1)"
    assert shown(jgrad.Tensor.random_) == "(self, from_=..., /, to=..., *, generator=None)"
    assert str(inspect.signature(jgrad.sum)) == "(input, dim=..., keepdim=False, *, dtype=None, out=None)"


@pytest.mark.parametrize("owner", ["", "Tensor."])
def test_factories_show_the_parameters_of_pytorch(owner):
    names = (
        "new_tensor new_full new_empty new_ones new_zeros new_empty_strided polygamma"
        if owner
        else "tensor zeros ones empty full arange zeros_like ones_like empty_like full_like eye linspace logspace empty_strided einsum "
        "is_complex is_floating_point is_nonzero is_inference numel"
    )
    torch = pytest.importorskip("torch")
    for name in names.split():
        ours, theirs = ((m.Tensor if owner else m) for m in (jgrad, torch))
        first = getattr(theirs, name).__doc__.strip().partition(") ->")[0].partition("(")[2]
        said = [part.partition("=")[0].partition(":")[0].strip(" \n\\*") for part in first.split(",")]
        shown = [n for n in inspect.signature(getattr(ours, name)).parameters if n != "self"]
        assert set(said) - {""} <= {*shown, "layout", "pin_memory"}, name
        assert set(shown) - set(said) <= {"pin_memory", "layout"}, name
        plain = ("out", "dtype", "layout", "device", "requires_grad", "pin_memory", "memory_format")
        assert [n for n in shown if n not in plain] == [n for n in said if n and n not in plain], name


def test_functions_that_read_their_arguments_themselves_show_them():
    def shown(function):
        return str(inspect.signature(function)).replace("'", "")

    nn = jgrad.nn.functional
    assert shown(jgrad.is_same_size) == "(input: Tensor, other) -> bool"
    assert shown(jgrad.arange).startswith("(start=0, end=..., step=1, *, out=None, dtype=None, ")
    for dims in "123":
        for pool in (f"max_pool{dims}d", f"adaptive_max_pool{dims}d", f"fractional_max_pool{dims}d"):
            if hasattr(nn, pool):
                given = inspect.signature(getattr(nn, pool)).parameters
                assert next(iter(given)) == "input"
                assert given["return_indices"].default is False


def test_importing_needs_numpy_alone():
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


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x @ x,
        lambda x: x + x.t(),
        lambda x: x.view(5),
        lambda x: x.reshape(5),
        lambda x: x.mul_(x.t()),
        lambda x: x.copy_(x.t()),
    ],
)
def test_an_error_of_numpy_is_not_shown_beside_ours(call):
    with pytest.raises(RuntimeError) as caught:
        call(jgrad.ones(2, 3))
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


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
