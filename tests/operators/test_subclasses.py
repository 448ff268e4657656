"""Subclasses of Tensor and `__torch_function__`, on jgrad and on PyTorch."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import jgrad
import jgrad._C
import jgrad.overrides

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.quick

CALLS = """
x + 1; 1 + x; x - 1; x * 2; 2 * x; x / 2; x // 2; x % 2; x ** 2; -x; abs(x); x < 1; x != 1; x @ x; 1 - x; 2 ** x; 2 // x; 2 % x; 1 / x
x[0]; x.sum(); T.sum(x); T.add(x, x); x.T; x.data; x.detach(); x.clone(); T.relu(x); T.cat([x, x]); T.stack((x, x)); x.new_zeros(2)
x.reshape(2, 1); x.view(-1); x.to(T.float64); x.double(); x.add_(1); x.mul_(2); x.max(0); T.max(x, 0); x.unbind(0); list(x); x.split(1)
x.shape; x.size(); x.dtype; x.requires_grad; x.device; x.is_leaf; x.numpy(); x.tolist(); len(x); repr(x); bool(x[0]); float(x[0]); int(x[0])
T.where(x > 0, x, x); T.linalg.norm(x); T.fft.fft(x); x.unique(); x.ndim; x.numel(); x.stride(); x.is_contiguous(); T.equal(x, x); 1 in x
T.nn.functional.linear(x, x[None]); T.nn.functional.relu(x); T.nn.functional.mse_loss(x, x); T.nn.Linear(2, 2)(x).shape; T.einsum("i,i->", x, x)
T.ones_like(x); T.zeros_like(x); T.full_like(x, 1); T.empty_like(x).shape; x.copy_(x); x.masked_fill(x > 0, 1.0); x.real; x.type(); x.cumsum(0)
T.ones(2) + x; T.ones(2) * x; T.ones(2).add(x); [x.requires_grad_(), x.sum().backward(), x.grad][2]; T.broadcast_tensors(x, x); T.norm(x)
"""


def subclass_of(library: ModuleType, seen: list[str]) -> Any:
    class Seen(library.Tensor):  # type: ignore[name-defined, misc]
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    return Seen


def shown(value: Any) -> str:
    """A value as it is printed, with the classes of the parts of a list."""
    classes = [type(v).__name__ for v in value] if isinstance(value, (list, tuple)) else []
    return f"{type(value).__name__} {classes} {value!r}".replace("jgrad", "torch")


@pytest.mark.parametrize("call", [c.strip() for c in CALLS.replace("\n", ";").split(";") if c.strip()])
def test_what_is_computed_from_an_instance_is_one_and_its_class_is_asked(call: str) -> None:
    results: list[str] = []
    asked: list[list[str]] = []
    for library in (jgrad, torch):
        seen: list[str] = []
        x = library.tensor([1.0, 2.0]).as_subclass(subclass_of(library, seen))
        with library.random.fork_rng() if hasattr(library.random, "fork_rng") else library.no_grad():
            results.append(shown(eval(call, {"T": library, "x": x})))
        assert seen
        asked.append([name for name in seen if name not in ("__get__", "dim")])
    assert results[0] == results[1]
    assert asked[0] == asked[1]


# What makes a tensor of an instance asks nobody, apart from the numbers of a list; or it asks once about itself. `x` is one number, `v` holds two.
FACTORIES = """
T.as_tensor(v); T.as_tensor(v) is v; T.as_tensor(v, dtype=T.float64); T.as_tensor(v, dtype=T.float32) is v; T.as_tensor(v, device="cpu") is v
T.asarray(v); T.asarray(v) is v; T.asarray(v, dtype=T.float64); T.asarray(v, copy=True); T.asarray(v, copy=False) is v
T.asarray(v, requires_grad=True) is v; T.asarray(v, requires_grad=False) is v; T.asarray(r, requires_grad=False); T.asarray(r) is r
T.tensor(v); T.tensor([x, x]); T.tensor([1, x]); T.tensor([[x]], dtype=T.float64); T.tensor([x], dtype=T.complex64); T.tensor([x], dtype=T.int64)
T.tensor([i, i]); T.tensor([1.5, i]); T.tensor([i], dtype=T.bool); T.as_tensor([x]); T.asarray([i]); T.ones(1).new_tensor([x]); v.new_tensor([1])
T.Tensor(v); T.Tensor(r).requires_grad; T.FloatTensor(v); T.ones(1).new(v); T.autograd.Variable(v); T.full((2,), x); T.full((2,), i)
v.new_full((2,), 1); T.ones(1).new_full((2,), x); T.scalar_tensor(x); T.arange(x); T.arange(0, 3, x); T.range(x, 3)
T.linspace(x, 3, 2); T.linspace(T.zeros(()), x, 2); T.logspace(x, 2, 2); T.sparse_coo_tensor(T.zeros(1, 2).long(), v, (3,)); T.ones(2, out=v)
T.randn(2, out=v).shape; T.arange(2.0, out=v); T.zeros_like(v); T.from_numpy(v.numpy()); T.nn.Parameter(v).shape
""".replace("\n", ";")


@pytest.mark.parametrize("call", [c.strip() for c in FACTORIES.split(";") if c.strip()])
def test_what_makes_a_tensor_asks_as_in_pytorch(call: str) -> None:
    results = []
    for library in (jgrad, torch):
        seen: list[str] = []
        cls = subclass_of(library, seen)
        names = {
            "x": library.tensor(1.5),
            "v": library.ones(2),
            "r": library.ones(2, requires_grad=True),
            "i": library.tensor(3),
        }
        try:
            found = eval(call, {"T": library, **{name: t.as_subclass(cls) for name, t in names.items()}})
            asked = list(seen)
            results.append((asked, shown(found)))
        except Exception as error:
            results.append((list(seen), f"{type(error).__name__}: {error}"))
    assert results[0] == results[1]


PROGRAMS = [
    "type(S([1.0, 2.0])), S([1.0, 2.0])",
    "type(T.ones(2).as_subclass(S)), T.ones(2).as_subclass(T.Tensor)",
    "T.ones(2).as_subclass(int)",
    "T.ones(2).as_subclass('x')",
    "[x := T.ones(2, requires_grad=True), y := x.as_subclass(S), y.grad_fn.name(), (y * y).sum().backward(), x.grad]",
    "[x := T.ones(2), y := x.as_subclass(S), y.add_(1), x]",
    "[s := T.Tensor._make_subclass(S, T.ones(2), True), s.requires_grad, s.is_leaf]",
    "T.add(Duck(), 1), T.sum(Duck()), T.cat([Duck(), T.ones(1)]), T.ones(2).add(Duck()), T.ones(2) + Duck()",
    "T.add(Refusing(), 1)",
    "T.ones(2) + Refusing()",
    "T.ones(2).add(Refusing())",
    "[O.has_torch_function(v) for v in ([S([1.0])], [T.ones(1)], [Duck()], [3], [])]",
    "[O.has_torch_function_unary(Duck()), O.has_torch_function_variadic(3, Duck())]",
    "[O.is_tensor_like(v) for v in (Duck(), 3, T.ones(1))]",
    "[O.resolve_name(f) for f in (T.add, T.Tensor.add, T.Tensor.shape.__get__)]",
    "[O.is_tensor_method_or_property(f) for f in (T.Tensor.add, T.add, T.Tensor.shape.__get__)]",
    "O.handle_torch_function(double, (Refusing(),), 1)",
    "O.handle_torch_function(T.add, (Duck(),), 1)",
    "[O.wrap_torch_function(lambda x: (x,))(double)(v) for v in (2, T.ones(1))]",
    "T.nn.Parameter(T.ones(2)) + 1",
    "[type(T.nn.Linear(2, 2)(S([1.0, 2.0]))).__name__]",
]


class Duck:
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return f"{func.__name__} of {types}"


class Refusing:
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return NotImplemented


def double(x: Any) -> Any:
    return x * 2


def outcome(program: str, library: ModuleType) -> str:
    names = {"T": library, "O": library.overrides, "S": type("S", (library.Tensor,), {})}
    names |= {"Duck": Duck, "Refusing": Refusing, "double": double}
    try:
        found = repr(eval(program, names))
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    return found.replace("jgrad", "torch")


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_on_subclasses(program: str) -> None:
    assert outcome(program, jgrad) == outcome(program, torch)


@pytest.mark.parametrize("library", [jgrad, torch])
def test_a_mode_is_asked_about_operators_and_not_while_it_answers(library: Any) -> None:
    seen = []

    class Mode(library.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append(func.__name__)
            return func(*args, **(kwargs or {}))

    x = library.ones(2)
    with Mode():
        y = (x + 1).exp()
        library.relu(y)
    assert seen == ["add", "exp", "relu"]
    x + 1
    assert len(seen) == 3


@pytest.mark.parametrize("library", [jgrad, torch])
def test_nobody_is_asked_in_a_block_without_it(library: Any) -> None:
    seen: list[str] = []
    x = library.ones(2).as_subclass(subclass_of(library, seen))
    with library._C.DisableTorchFunctionSubclass():
        assert type(x + 1) is library.Tensor
        assert not library.overrides.has_torch_function((x,))
    assert seen == []


@pytest.mark.parametrize("library", [jgrad, torch])
def test_functions_may_be_looked_up(library: Any) -> None:
    """As the docs of PyTorch show it: a dict from functions to what a class does."""
    library.ones(1).add(library.add(library.ones(1), 1))
    handled = {
        library.add: lambda *a: "add",
        library.Tensor.add: lambda *a: "method",
        library.Tensor.shape.__get__: lambda *a: "shape",
    }

    class Diagonal(library.Tensor):  # type: ignore[name-defined, misc]
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return handled[func](*args)

    x = library.ones(2).as_subclass(Diagonal)
    assert (library.add(x, 1), x.add(1), x + 1, x.shape) == ("add", "method", "method", "shape")
