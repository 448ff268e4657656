"""Random programs of views, writes, detaches and backward passes: after every statement both libraries show the same.

A program is text, so that a failure can be read and run. Statements that fail are part of it: they must fail alike.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import jgrad
from jgrad import fast

torch = pytest.importorskip("torch")

LEAVES = [
    "torch.tensor([[1.5, -2.0], [0.5, 3.0]], dtype=torch.float64, requires_grad={flag})",
    "torch.arange(4.0, dtype=torch.float64, requires_grad={flag})",
    "torch.ones(2, dtype=torch.float64, requires_grad={flag})",
    "torch.tensor(0.5, dtype=torch.float64, requires_grad={flag})",
]
VIEWS = [
    "{a}[0]", "{a}[1:]", "{a}[..., 0]", "{a}[::2]", "{a}[None]", "{a}.view(-1)", "{a}.view(2, 2)", "{a}.t()", "{a}.reshape(-1)",
    "{a}.transpose(0, -1)", "{a}.unsqueeze(-1)", "{a}.squeeze()", "{a}.expand(2, 2)", "{a}.narrow(0, 0, 1)", "{a}.unbind()[0]",
    "{a}.split(1)[0]", "{a}.chunk(2)[-1]", "{a}.flatten()", "{a}.view_as({b})", "{a}.permute(1, 0)", "{a}.detach()", "{a}.data",
    "{a}.select(-1, 1)", "{a}.as_strided((2,), (1,), 0)", "{a}.contiguous()", "{a}.view(-1)[1:]", "{a}.t()[0]",
    "{a}.diagonal()", "{a}.unfold(0, 2, 1)", "{a}.movedim(0, -1)", "{a}.swapaxes(0, -1)", "{a}.tensor_split(2)[0]", "{a}.mT",
]  # fmt: skip
VALUES = [
    "{a} * {b}", "{a} + {b}", "{a} * 2", "{a} - {b}", "{a}.exp()", "{a}.sigmoid()", "{a} ** 2", "{a}.sum()", "{a}.clone()", "{a}.tanh()",
    "{a}.mean()", "-{a}", "{a}.relu()", "{a} / {b}", "{a}[[0, 1]]", "{a} @ {b}", "{a}.to(torch.float32)", "torch.cat([{a}, {b}])",
    "torch.where({a} > 1, {a}, {b})", "{a}.detach().clone()", "torch.stack([{a}, {b}])", "{a}.sqrt()", "{a}.log()", "{a}.abs()",
    "{a}.max(0)[0]", "{a}.max()", "{a}.sort()[0]", "{a}.cumsum(0)", "{a}.var()", "{a}.softmax(0)", "{a}.flip(0)", "{a}.repeat(2)",
    "{a}.prod()", "{a}.clamp(0, 1)", "{a}.logsumexp(0)", "{a}.topk(1)[0]", "{a}.norm()", "torch.maximum({a}, {b})", "torch.lerp({a}, {b}, 0.5)",
    "torch.zeros_like({a})", "{a}.index_select(0, torch.tensor([0]))", "{a}.masked_fill({b} > 1, 0.5)", "{a}.sum(0)",
]  # fmt: skip
WRITES = [
    "{a}.mul_({b})", "{a}.add_(1)", "{a}.add_({b}, alpha=2)", "{a}.exp_()", "{a}.zero_()", "{a}.fill_(0.25)", "{a}.copy_({b})",
    "{a}.sigmoid_()", "{a}[0] = 2.0", "{a}[0] = {b}", "{a}[..., 0] = {b}", "{a} += {b}", "{a} *= 3", "{a}.sub_({b})", "{a}.pow_(2)",
    "{a}.fill_({b})", "{a}[{a} > 1] = 0.5", "{a}.tanh_()", "{a}.data.mul_(2)", "{a}.detach().add_(1)", "{a}.neg_()", "{a}.div_({b})",
    "{a}[[0]] = {b}", "{a}.uniform_()", "{a}.masked_fill_({b} > 1, 0.5)", "{a}.t_()", "{a}.squeeze_()", "{a}.unsqueeze_(0)",
    "{a}.transpose_(0, -1)", "{a}.as_strided_((2,), (1,))", "{a}.clamp_(0, 1)", "{a}.cumsum_(0)", "{a}.diagonal().mul_(2)",
    "{a}.index_fill_(0, torch.tensor([0]), 2.0)", "{a}.fill_diagonal_(3)", "{a}.addcmul_({a}, {b})", "{a}.lerp_({b}, 0.5)",
]  # fmt: skip
# (register_hook on a view that is no longer valid crashes PyTorch; reading its grad_fn raises first.)
STATES = [
    "{a}.requires_grad_()", "{a}.requires_grad_(False)", "{a}.requires_grad = True", "{a}.detach_()", "{a}.retain_grad()",
    "{a}.grad = None", "{a}.grad = torch.ones_like({a})", "{a}.grad.zero_()", "{a}.grad_fn; {a}.register_hook(lambda g: g * 2)", "del {a}",
    "{a}.data = {a}.detach() + 1", "{a}.grad.mul_(2)", "{a}.requires_grad_().retain_grad()",
]  # fmt: skip
BACKWARD = [
    "{a}.backward()", "{a}.sum().backward()", "{a}.sum().backward(retain_graph=True)", "{a}.backward(torch.ones_like({a}))",
    "{a}.sum().backward(inputs=[{b}])", "{n} = torch.autograd.grad({a}.sum(), {b}, retain_graph=True)[0].clone()",
    "({a} * {b}).sum().backward()",
    "({a} ** 2).sum().backward(create_graph=True)",
]  # fmt: skip
MODES = [
    "",
    "",
    "",
    "",
    "",
    "with torch.no_grad(): ",
    "with torch.set_grad_enabled(False): ",
    "with torch.enable_grad(): ",
]


@st.composite
def programs(draw: Any) -> list[str]:
    """Statements over the variables v0, v1, ...; each new result gets the next name."""
    count = draw(st.integers(1, 3))
    flags = st.sampled_from(["True", "True", "False"])
    statements = [f"v{i} = {draw(st.sampled_from(LEAVES)).format(flag=draw(flags))}" for i in range(count)]
    for _ in range(draw(st.integers(3, 12))):
        a, b = (f"v{draw(st.integers(max(0, count - 4), count - 1))}" for _ in range(2))
        kind = draw(st.sampled_from([VIEWS, VIEWS, VALUES, VALUES, WRITES, WRITES, WRITES, STATES, BACKWARD]))
        text = draw(st.sampled_from(kind)).format(a=a, b=b, n=f"v{count}")
        if kind is VIEWS or kind is VALUES:
            text = f"v{count} = {text}"
        count += text.startswith(f"v{count} =")
        statements.append(draw(st.sampled_from(MODES)) + text)
    return statements


def graph(node: Any) -> list[Any]:
    """The nodes behind a grad_fn and how they are connected, numbered as they are met."""
    numbers: dict[Any, int] = {}
    found: list[Any] = []

    def visit(node: Any) -> int | None:
        if node is None:
            return None
        if node not in numbers:
            numbers[node] = len(numbers)
            place = len(found)
            found.append(None)
            found[place] = (node.name(), [(visit(f), i) for f, i in node.next_functions])
        return numbers[node]

    visit(node)
    return found


def worded(text: str) -> str:
    """A message without what the libraries cannot share: names of modules, addresses, the place in PyTorch's sources."""
    return re.sub("0x[0-9a-f]+", "", text.partition(" (Triggered")[0]).replace("torch.", "jgrad.")


def state(names: dict[str, Any], library: Any) -> dict[str, Any]:
    """All that can be seen of all variables, apart from the values themselves."""
    storages: dict[int, str] = {}
    shown: dict[str, Any] = {}
    for name, t in names.items():
        if not isinstance(t, library.Tensor):
            shown[name] = worded(repr(t))
            continue
        memory = t.untyped_storage().data_ptr()
        base = next((n for n, other in names.items() if other is t._base), t._base is not None)
        seen = {
            # A stride that is never taken says nothing, and NumPy keeps no geometry of empty arrays.
            "stride": [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1 and t.numel()],
            "offset": t.storage_offset() if t.numel() else 0, "shape": tuple(t.shape), "dtype": worded(str(t.dtype)),
            "memory of": storages.setdefault(memory, name), "version": t._version, "requires_grad": t.requires_grad,
            "retains_grad": t.retains_grad, "base": base, "output_nr": t.output_nr,
        }  # fmt: skip
        try:
            seen["graph"] = graph(t.grad_fn)
            seen["is_leaf"] = t.is_leaf
        except RuntimeError as error:  # a view that is no longer what its graph says
            seen["graph"] = worded(str(error))
        grad = grad_of(t)
        # Strides and versions of gradients tell how they were computed, which is each library's own affair.
        seen["grad"] = (
            None if grad is None else (tuple(grad.shape), grad.requires_grad, worded(str(grad.dtype)))
        )
        shown[name] = seen
    return shown


def numbers(names: dict[str, Any], library: Any) -> list[np.ndarray]:
    """The values of all variables and of their gradients."""
    tensors = [t for t in names.values() if isinstance(t, library.Tensor)]
    gradients = [g for t in tensors if (g := grad_of(t)) is not None]
    return [t.detach().clone().numpy() for t in tensors + gradients]


def grad_of(t: Any) -> Any:
    """The gradient, unless asking for it warns or fails."""
    try:
        return t.grad if t.is_leaf or t.retains_grad else None
    except RuntimeError:
        return None


class Run:
    """One library in the middle of a program."""

    def __init__(self, library: Any) -> None:
        self.module = library
        self.names: dict[str, Any] = {}
        library.manual_seed(0)

    def step(self, statement: str) -> list[str]:
        """Execute one statement; its error and its warnings."""
        scope = {"torch": self.module, **self.names}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")
            shown = []
            try:
                exec(statement, scope)
            except Exception as error:
                shown.append(worded(f"{type(error).__name__}: {error}"))
        self.names = {k: v for k, v in scope.items() if re.fullmatch(r"v\d+", k)}
        return shown + [worded(str(w.message)) for w in caught]


def agree(seen: list[str], expected: list[str]) -> bool:
    """Whether errors and warnings are the same. A view that is no longer valid may be refused for something else that is wrong."""
    invalid = [text for text in expected if "is a view and its base" in text or text.startswith(INVALID_VIEW)]
    return seen == expected or bool(invalid and seen and "Error: " in seen[0])


INVALID_VIEW = ("RuntimeError: A view was created in no_grad mode and its base", "RuntimeError: Output 0 of")


def overlapping(statement: str, names: dict[str, Any]) -> bool:
    """Whether a write reads from other elements of the memory it writes to: PyTorch gives no order for that."""
    found = re.search(r"(v\d+)(?:\.data|\.detach\(\))?(?:\[.*\] = |\.\w+_\(| .= )", statement)
    if found and isinstance(target := names.get(found[1]), torch.Tensor) and repeats(target):
        return True
    found = re.search(r"(v\d+)(?:\[.*\] = |\.\w+_\(| .= )(?:v\d+, )?(v\d+)", statement)
    if found is None or not all(isinstance(names.get(n), torch.Tensor) for n in found.groups()):
        return False
    target, source = (names[n] for n in found.groups())
    same = (target.shape, target.stride(), target.data_ptr()) == (
        source.shape,
        source.stride(),
        source.data_ptr(),
    )
    return not same and target.untyped_storage().data_ptr() == source.untyped_storage().data_ptr()


def repeats(t: Any) -> bool:
    """Whether elements of a tensor overlap in memory, as the windows of unfold() do (those of expand() are refused)."""
    strides = t.stride()
    places = {sum(i * s for i, s in zip(index, strides, strict=True)) for index in np.ndindex(*t.shape)}
    return len(places) < t.numel() and 0 not in strides


def reshapes_a_leaf(statement: str, names: dict[str, Any]) -> bool:
    """Whether a leaf gets another shape under no_grad: the graph that it is in already is for the old one, of which jgrad knows nothing."""
    found = re.search(r"(v\d+)\.(t_|squeeze_|unsqueeze_|transpose_|as_strided_)\(", statement)
    target = names.get(found[1]) if found else None
    try:
        return isinstance(target, torch.Tensor) and target.requires_grad and target.is_leaf
    except RuntimeError:  # a view that is no longer valid
        return False


def compare(statements: list[str], every: bool) -> None:
    """Run a program on both sides; look after every statement or only at the end (looking makes grad_fns of views anew)."""
    ours, theirs = Run(jgrad), Run(torch)
    for number, statement in enumerate(statements):
        if overlapping(statement, theirs.names) or reshapes_a_leaf(statement, theirs.names):
            return
        seen, expected = ours.step(statement), theirs.step(statement)
        where = "\n" + "\n".join([*statements[:number], statement + "   # <--"])
        assert agree(seen, expected), f"{where}\njgrad: {seen}\ntorch: {expected}"
        if not every and number + 1 < len(statements):
            continue
        a, b = state(ours.names, jgrad), state(theirs.names, torch)
        odd = {
            (name, key): (a[name][key], b[name][key])
            for name in b
            if isinstance(b[name], dict) and isinstance(a[name], dict)
            for key in b[name]
            if a[name].get(key) != b[name][key]
        }
        assert not odd, f"{where}\n(jgrad, torch): {odd}"
        assert a == b, where
        tolerance = 1e-5 if "float32" in where else 1e-9
        for x, y in zip(numbers(ours.names, jgrad), numbers(theirs.names, torch), strict=True):
            close = np.allclose(x, y, rtol=tolerance, atol=1e-12, equal_nan=True)
            assert close, f"{where}\njgrad: {x}\ntorch: {y}"


@pytest.fixture(autouse=True, scope="module")
def always_warn() -> Any:
    for library in (torch, jgrad):
        library.set_warn_always(True)
    yield
    for library in (torch, jgrad):
        library.set_warn_always(False)


profile = settings(
    max_examples=600,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


@given(programs())
@profile
def test_programs_seen_after_every_statement(statements):
    compare(statements, every=True)


@given(programs())
@profile
def test_programs_seen_at_the_end(statements):
    compare(statements, every=False)


@given(programs())
@settings(profile, max_examples=200)
def test_programs_without_fast_paths(statements):
    before, fast.ENABLED = fast.ENABLED, False
    try:
        compare(statements, every=True)
    finally:
        fast.ENABLED = before
