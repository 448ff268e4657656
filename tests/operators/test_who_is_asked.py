"""Which functions ask `__torch_function__`, and about what: as in PyTorch, for instances of classes and for modes.

PyTorch lists its functions that ask, with the arguments of each, for tests of its own (`get_testing_overrides`).
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

import jgrad
import jgrad.autograd
import jgrad.func
import jgrad.nn.functional
import jgrad.nn.init
import jgrad.overrides

torch = pytest.importorskip("torch")

from torch.overrides import get_testing_overrides, resolve_name  # noqa: E402
from torch.testing._internal.generated.annotated_fn_args import annotated_args  # noqa: E402

pytestmark = pytest.mark.quick


class Duck:
    """No tensor, but its class says what functions do with it."""

    asked: ClassVar[list[Any]] = []

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        cls.asked.append(func)


class Subclass(jgrad.Tensor):
    """Functions that are written in Python look for objects such as Ducks as soon as there is a subclass of Tensor."""


VALUES = {
    "IntArrayRef": [1, 2], "SymIntArrayRef": [1, 2], "SymInt": 1, "int64_t": 1, "double": 1.5, "bool": True, "Scalar": 1,
    "c10::string_view": "mean", "std::string_view": "mean", "ArrayRef<double>": [1.0, 2.0], "std::array<bool,3>": [True] * 3,
}  # fmt: skip
LISTS = ("TensorList", "ITensorListRef", "c10::List<std::optional<Tensor>>")


def arguments(function: Any, override: Any) -> tuple[list[Any], dict[str, Any]]:
    """Arguments for a function, a Duck for each tensor."""
    if function not in annotated_args:
        found = inspect.getfullargspec(override)
        return [Duck() for _ in range(len(found.args) - len(found.defaults or ()))], {}
    values, named = [], {}
    for argument in annotated_args[function]:
        kind = argument["simple_type"].removesuffix("?")
        value = Duck() if kind == "Tensor" else [Duck()] * 2 if kind in LISTS else VALUES.get(kind)
        if argument["is_kwarg_only"] == "True":
            named[argument["name"]] = value
        else:
            values.append(value)
    return values, named


def found(library: Any, name: str) -> Any:
    for part in name.split(".")[1:]:
        library = getattr(library, part, None)
    return library


def asks_about_itself(function: Any, given: tuple[list[Any], dict[str, Any]]) -> bool:
    Duck.asked = []
    try:
        function(*given[0], **given[1])
    except Exception:
        return False
    return bool(Duck.asked) and Duck.asked[0] is function


# What jgrad has another function for under this name.
OTHERS = {"torch.trace"}
PLACES = ("torch.", "torch.nn.functional.", "torch.nn.init.", "torch.linalg.", "torch.fft.", "torch.special.")


def functions() -> list[Any]:
    """The functions of PyTorch that ask about themselves, where jgrad has them too."""
    cases = []
    for function, override in get_testing_overrides().items():
        name = resolve_name(function) or ""
        name = name.replace("torch.functional.", "torch.")
        if name.rpartition(".")[0] + "." not in PLACES or name in OTHERS:
            continue
        if found(torch, name) is function and found(jgrad, name) is not None:
            given = arguments(function, override)
            if asks_about_itself(function, given):
                cases.append(pytest.param(name, given, id=name))
    return cases


FUNCTIONS = functions()


def test_there_are_many() -> None:
    assert len(FUNCTIONS) > 450


@pytest.mark.parametrize(("name", "given"), FUNCTIONS)
def test_a_function_asks_about_itself(name: str, given: Any) -> None:
    assert asks_about_itself(found(jgrad, name), given)


SPECIAL = """
einsum("i,i->", D, D); tensordot(D, D, 1); norm(D); split(D, 1); cdist(D, D); meshgrid(D, D); unique(D); block_diag(D, D); atleast_2d(D)
nn.functional.interpolate(D, scale_factor=2); nn.functional.fractional_max_pool2d(D, 2, output_size=1); nn.functional.pad(D, (1, 1))
stack([D, D]); cat((D, D)); nn.functional.softmax(D, dim=0); nn.functional.dropout(D, training=False); broadcast_tensors(D, D)
autograd.grad(D, D); autograd.grad([D], [D]); nn.functional.sigmoid(D); is_floating_point(D); nn.functional.multi_head_attention_forward
"""


@pytest.mark.parametrize("call", [c.strip() for c in SPECIAL.replace("\n", ";").split(";") if "(" in c])
def test_a_call_with_other_arguments_asks(call: str) -> None:
    asked = []
    for library in (jgrad, torch):
        Duck.asked = []
        try:
            eval(f"library.{call}", {"library": library, "D": Duck()})
        except Exception as error:
            Duck.asked.append(type(error))
        asked.append([function.__name__ for function in Duck.asked])
    assert asked[0] == asked[1]


UNDER_A_MODE = """
T.arange(3); T.as_tensor([1.0]); T.asarray([1.0]); T.empty(2); T.empty_permuted((2, 3), (1, 0)); T.empty_strided((2,), (1,)); T.eye(2)
T.full((2,), 1.0); T.linspace(0, 1, 3); T.logspace(0, 1, 3); T.ones(2); T.scalar_tensor(1.0); T.tensor([1.0]); T.zeros(2); T.rand(2); T.randn(2)
T.randint(3, (2,)); T.randperm(3); T.normal(0.0, 1.0, (2,)); T.hann_window(3); T.tril_indices(2, 2); T.sparse_coo_tensor([[0]], [1.0], (2,))
T.from_numpy(np.ones(2)); T.Tensor([1.0]); T.is_tensor(x); T.manual_seed(0); T.get_default_dtype(); T.result_type(x, 1); T.typename(x)
T.promote_types(T.float32, T.int64); T.can_cast(T.float32, T.int64); T.broadcast_shapes((2,), (1,)); T.zeros_like(x); T.full_like(x, 1.0)
T.empty_like(x); T.rand_like(x); T.is_floating_point(x); T.numel(x); T.is_nonzero(x[0]); T.einsum("i,i->", x, x); T.norm(x); T.split(x, 1)
T.tensordot(x, x, 1); T.meshgrid(x, x, indexing="ij"); T.block_diag(x, x); T.cartesian_prod(x, x); T.broadcast_tensors(x, x); T.atleast_2d(x)
T.nn.functional.relu(x); T.nn.functional.sigmoid(x); T.nn.functional.softmax(x, 0); T.nn.functional.mse_loss(x, x); T.nn.functional.dropout(x)
T.nn.functional.linear(x, x[None]); T.nn.functional.one_hot(T.tensor([0, 1])); T.nn.functional.cross_entropy(x[None], T.tensor([1]))
T.nn.functional.upsample(x[None, None], scale_factor=2); T.nn.functional.hardswish(x); T.nn.functional.pad(x, (1, 1)); T.nn.init.uniform_(x)
T.nn.init.constant_(x, 1.0); layer(x); x.shape; x.dtype; x.device; x.requires_grad; x.grad; x.data; x.is_leaf; x.T; x.grad_fn; x._version; x.ndim
x.real; x.itemsize; x.nbytes; x.output_nr; x.retains_grad; x._base; x.is_sparse; x.layout; x.size(); x.stride(); x.dim(); x.numel(); x.tolist()
x.numpy(); np.asarray(x); len(x); repr(x); x[0]; x[0:1]; float(x[0]); bool(x[0]); int(x[0]); x + 1; 1 + x; x - 1; 1 - x; x * 2; x / 2; 2 / x; x // 2
2 // x; x**2; 2**x; x % 2; 2 % x; -x; abs(x); x @ x; x == x; x != x; x < 1; 1 in x; x.new_zeros(2); x.to(T.float64); x.double(); x.cpu(); x.detach()
x.clone(); x.requires_grad_(); x.view(-1); x.unique(); x.norm(); x.split(1); x.type(); x.type_as(x); x.bool(); x.is_contiguous(); x.data_ptr()
x.element_size(); x.untyped_storage(); x.get_device(); x.is_complex(); x.is_signed(); x.is_shared(); (p * 2).sum().backward(); setattr(p, "grad", None)
T.autograd.grad((p * 2).sum(), p); T.autograd.backward((p * 2).sum()); setattr(x, "requires_grad", False); x.__setitem__(0, 1.0); x.add_(1)
hash(x); x.nelement(); T.fft.fft(x); T.linalg.norm(x); T.special.expit(x); x.max(0); T.where(x > 0, x, x); isinstance(x, T.Tensor)
"""


def under_a_mode(library: ModuleType, call: str) -> list[str]:
    """What a mode is asked about in a call."""
    seen: list[str] = []

    class Mode(library.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append(library.overrides.resolve_name(func) or func.__name__)
            return func(*args, **(kwargs or {}))

    x, p = library.tensor([1.0, 2.0]), library.ones(2, requires_grad=True)
    names = {"T": library, "x": x, "p": p, "np": np, "layer": library.nn.Linear(2, 2)}
    with Mode():
        eval(call, names)
    return seen


def renamed(name: str) -> str:
    """PyTorch has some functions in a module of their own, and does not resolve the names of others."""
    name = name.replace("jgrad", "torch").replace("torch.functional.", "torch.")
    return name.removeprefix("torch.autograd.")


@pytest.mark.parametrize("call", [c.strip() for c in UNDER_A_MODE.replace("\n", ";").split(";") if c.strip()])
def test_a_mode_is_asked_about_the_same_functions(call: str) -> None:
    ours, theirs = ([renamed(name) for name in under_a_mode(library, call)] for library in (jgrad, torch))
    assert ours == theirs


SUBCLASS = "type('Subclass', (jgrad.Tensor,), {})"
MODE = "jgrad.overrides.TorchFunctionMode().__enter__()"


def printed(*lines: str) -> str:
    """What a program prints in a process of its own: here functions ask already."""
    program = "\n".join(["import inspect, pickle, sys, jgrad, jgrad.overrides", *lines])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.parametrize("start", [SUBCLASS, MODE])
def test_nn_can_be_imported_when_functions_ask(start: str) -> None:
    shown = "print(inspect.signature(jgrad.nn.HuberLoss), inspect.signature(jgrad.nn.functional.huber_loss))"
    assert printed(start, "import jgrad.nn", shown) == printed("import jgrad.nn", start, shown)
    assert "delta: 'float' = 1.0" in printed(start, "import jgrad.nn", shown)


@pytest.mark.parametrize("start", [SUBCLASS, MODE])
def test_functions_stay_themselves_when_they_ask(start: str) -> None:
    read = """
from jgrad.graph import overriding
import jgrad.nn.init, jgrad.autograd
def read():
    functions = [names[name] for names, offered, _ in overriding._offered for name in offered]
    return functions, [(str(inspect.signature(f)), f.__doc__, f.__name__, f.__qualname__, f.__module__) for f in functions]
functions, before = read()
"""
    same = "print(len(functions), read() == (functions, before), pickle.loads(pickle.dumps(functions)) == functions)"
    count, *held = printed(read, start, same).split()
    assert int(count) > 100
    assert held == ["True", "True"]


def test_a_function_can_be_called_at_any_moment_while_it_learns_to_ask() -> None:
    """Another thread may do so. Here it is called before each bytecode of the function that changes it."""
    calls = """
from jgrad.graph import overriding
def f(x, /, y=2, *, z=3):
    return x, y, z
results = []
def watch(frame, event, _):
    if frame.f_code is not overriding.let_ask.__code__:
        return None
    frame.f_trace_opcodes = True
    results.append(f(1))
    return watch
sys.settrace(watch)
overriding.let_ask(f, f, "f")
sys.settrace(None)
print(len(results) > 50, set(results), f(1), f.__code__.co_name)
"""
    assert printed(calls) == "True {(1, 2, 3)} (1, 2, 3) asking\n"


@pytest.mark.parametrize("keyword", ["ask_first", "args", "kwargs", "function"])
@pytest.mark.parametrize(
    ("name", "given"), [("zeros", 2), ("nn.functional.relu", jgrad.ones(2)), ("einsum", "i->")]
)
def test_every_unknown_keyword_is_refused(name: str, given: Any, keyword: str) -> None:
    with pytest.raises(TypeError, match=f"got an unexpected keyword argument '{keyword}'"):
        found(jgrad, f"jgrad.{name}")(given, **{keyword: 1})


@pytest.mark.parametrize("library", [jgrad, torch])
def test_a_mode_may_answer_for_a_factory(library: Any) -> None:
    class Ones(library.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return (library.ones if func is library.zeros else func)(*args, **(kwargs or {}))

    with Ones():
        assert library.zeros(2).tolist() == [1.0, 1.0]
    assert library.zeros(2).tolist() == [0.0, 0.0]


AFTER = """
import jgrad, warnings
class Asks(jgrad.Tensor):
    pass
user = compile("import jgrad\\njgrad.nn.functional.softmax(jgrad.ones(2, 2))", "<the user's cell>", "exec")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    exec(user)
print([(w.filename, w.lineno) for w in said])
with jgrad.trace() as t:
    a, b = jgrad.ones(2, requires_grad=True), jgrad.ones(3, requires_grad=True)
    for i in range(30):
        (a * a).sum().backward()
        (b * b).sum().backward()
print(len(t.document["rounds"]["losses"]))
"""


def test_code_that_asks_is_no_code_of_the_user() -> None:
    """Warnings point at the user's line, and two backward calls are two places."""
    found = subprocess.run([sys.executable, "-c", AFTER], capture_output=True, text=True, check=False)
    assert found.stdout.splitlines() == ['[("<the user\'s cell>", 2)]', "2"], found.stderr
