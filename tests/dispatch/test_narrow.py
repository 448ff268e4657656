"""bfloat16 and float8, where the samples of operations (tests/differential) don't look: conversions, numbers, exchange, files, and programs."""

from __future__ import annotations

import copy
import io
import itertools
import math
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import jgrad
from jgrad import dtypes

torch = pytest.importorskip("torch")
pytest.importorskip("ml_dtypes")

pytestmark = pytest.mark.quick

NARROW = [d.name for d in dtypes.NARROW]
BOTH = (jgrad, torch)


def same(program):
    """What a program returns, or the error that it raises, with both libraries."""
    found = []
    for library in BOTH:
        library.manual_seed(0)
        try:
            result = program(library)
        except Exception as error:
            result = f"{type(error).__name__}: {str(error).partition('Exception raised from')[0]}"
        found.append(str(result).replace("torch.", "jgrad."))
    assert found[0] == found[1]


def bits(t):
    return t.view(sys.modules[type(t).__module__.partition(".")[0]].uint8).tolist()


def numbers():
    random = np.random.default_rng(0)
    some = random.standard_normal(4000) * 10.0 ** random.integers(-45, 39, 4000)
    ends = [
        0,
        1,
        3,
        240,
        247,
        248,
        249,
        447,
        448,
        449,
        464,
        480,
        57344,
        61439,
        61440,
        65504,
        1e38,
        3.38e38,
        3.4e38,
        2.0**-127,
        2.0**-128,
    ]
    return np.concatenate([some, ends, np.negative(ends), [math.inf, -math.inf]])


@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("source", ["float64", "float32", "float16", "int64"])
def test_conversion(name, source):
    with np.errstate(all="ignore"):
        given = numbers().astype(source)
    ours = jgrad.tensor(given).to(getattr(jgrad, name))
    theirs = torch.tensor(given).to(getattr(torch, name))
    assert bits(ours) == bits(theirs)
    assert str(ours.float().tolist()) == str(theirs.float().tolist())
    for target in (torch.float64, torch.float16, torch.bfloat16, torch.float8_e5m2):
        there = ours.to(getattr(jgrad, str(target)[6:]))
        assert str(there.double().tolist()) == str(theirs.to(target).double().tolist())


@pytest.mark.parametrize("name", NARROW)
def test_all_numbers(name):
    count = 2**8 if getattr(dtypes, name).itemsize == 1 else 2**16
    whole = np.arange(count).astype("uint8" if count == 2**8 else "uint16").view(np.uint8)
    ours = jgrad.tensor(whole).view(getattr(jgrad, name))
    theirs = torch.tensor(whole).view(getattr(torch, name))
    assert str(ours.float().tolist()) == str(theirs.float().tolist())
    assert ours.isnan().tolist() == theirs.isnan().tolist()


@pytest.mark.parametrize(("one", "other"), [*itertools.product(NARROW, [d.name for d in dtypes.ALL])])
def test_promotion(one, other):
    same(lambda lib: lib.promote_types(getattr(lib, one), getattr(lib, other)))
    same(lambda lib: lib.can_cast(getattr(lib, one), getattr(lib, other)))


@pytest.mark.parametrize("name", NARROW)
def test_dtypes(name):
    def program(lib):
        d = getattr(lib, name)
        info = lib.finfo(d)
        return (
            d, d.itemsize, d.is_floating_point, d.is_complex, d.is_signed, d.to_real(), info, info.bits, info.eps, info.max, info.min, info.tiny,
            info.smallest_normal, info.resolution, pickle.loads(pickle.dumps(d)) is d, copy.deepcopy(d) is d, lib.zeros(2, dtype=d).type(),
        )  # fmt: skip

    same(program)
    same(lambda lib: getattr(lib, name).to_complex())
    same(lambda lib: lib.iinfo(getattr(lib, name)))


CALLS = {
    "numpy": lambda lib, x: x.numpy(),
    "array": lambda lib, x: np.asarray(x),
    "force": lambda lib, x: x.numpy(force=True),
    "item": lambda lib, x: (x[0, 0].item(), float(x[0, 1]), int(x[1, 0]), bool(x[0, 0]), x.tolist()),
    "format": lambda lib, x: f"{x[0, 1]:.2f}",
    "views": lambda lib, x: (
        x.t(),
        x[1],
        x[:, 1:],
        x.view(-1).stride(),
        x.expand(2, 2, 2),
        x.view(lib.uint8),
    ),
    "memory": lambda lib, x: (
        x.element_size(),
        x.nbytes,
        x.untyped_storage().nbytes(),
        x.t().storage_offset(),
    ),
    "moves": lambda lib, x: (
        x.clone(),
        x.t().contiguous(),
        x.flip(0),
        x.roll(1),
        x.repeat(2, 1),
        lib.cat([x, x]),
        lib.stack([x, x]),
    ),
    "indexing": lambda lib, x: (
        x[lib.tensor([1])],
        x[x.isnan()],
        x.index_select(0, lib.tensor([1, 0])),
        x.masked_select(x == x),
    ),
    "writes": lambda lib, x: (x.fill_(2.0), x.zero_(), x.copy_(lib.ones(2)), x[0].fill_(0.5), x),
    "set": lambda lib, x: (x.__setitem__(0, 1.5), x.__setitem__((1, 1), 2), x),
    "tests": lambda lib, x: (x == 1, x != 1, x.all(), x.any(), x.isnan()),
    "abs": lambda lib, x: x.abs(),
    "isfinite": lambda lib, x: x.isfinite(),
    "isinf": lambda lib, x: x.isinf(),
    "mm": lambda lib, x: x.mm(x),
    "factories": lambda lib, x: (
        lib.zeros_like(x),
        lib.ones(2, dtype=x.dtype),
        lib.full((2,), 3.3, dtype=x.dtype),
        x.new_tensor([3.3]),
        x.new_full((1,), 7),
    ),
    "overflow of full": lambda lib, x: lib.full((2,), 1e39, dtype=x.dtype),
    "overflow of fill": lambda lib, x: x.fill_(1e39),
    "overflow of tensor": lambda lib, x: lib.tensor([1e39, -1e39], dtype=x.dtype),
    "requires_grad": lambda lib, x: x.requires_grad_(),
    "gradient of a conversion": lambda lib, x: (x.requires_grad_().float().mul(3).sum().backward(), x.grad),
    "from_numpy": lambda lib, x: lib.from_numpy(
        np.ones(2, getattr(dtypes, str(x.dtype).partition(".")[2]).numpy)
    ),
    "deepcopy": lambda lib, x: (copy.deepcopy(x), x.element_size() > 1 and pickle.loads(pickle.dumps(x))),
    "round trip": lambda lib, x: (
        x.double().to(x.dtype),
        x.half(),
        x.bfloat16(),
        x.int(),
        x.bool(),
        x.to(lib.complex64),
    ),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", NARROW)
def test_calls(name, call):
    same(lambda lib: CALLS[call](lib, lib.tensor([[1.0, 2.5], [3.3, 0.1]]).to(getattr(lib, name))))


REFUSED = ["add", "mul", "div", "sum", "exp", "sort", "relu", "lt", "cumsum", "neg", "max", "isneginf"]


@pytest.mark.parametrize("name", NARROW[1:])
@pytest.mark.parametrize("operation", REFUSED)
def test_what_float8_refuses(name, operation):
    for lib in BOTH:
        x = lib.ones(2, 2).to(getattr(lib, name))
        given = {"add": 1, "mul": 2, "div": 2, "lt": 1, "cumsum": 0}.get(operation, x)
        arguments = [given] if operation in ("add", "mul", "div", "lt", "cumsum") else []
        with pytest.raises(
            NotImplementedError, match=f"not implemented for '{getattr(dtypes, name).type_name}'"
        ):
            getattr(x, operation)(*arguments)


RANDOM = {
    "rand": lambda lib, n: lib.rand(n, dtype=lib.bfloat16),
    "randn": lambda lib, n: lib.randn(n, dtype=lib.bfloat16),
    "uniform_": lambda lib, n: lib.empty(n, dtype=lib.bfloat16).uniform_(-1, 3),
    "normal_": lambda lib, n: lib.empty(n, 2, dtype=lib.bfloat16).t().normal_(1, 2),
    "random_": lambda lib, n: lib.empty(n, dtype=lib.bfloat16).random_(),
    "random_ to": lambda lib, n: lib.empty(n, dtype=lib.bfloat16).random_(2, 9),
    "bernoulli": lambda lib, n: lib.bernoulli(lib.full((n,), 0.3, dtype=lib.bfloat16)),
    "bernoulli_": lambda lib, n: lib.empty(n, dtype=lib.bfloat16).bernoulli_(0.3),
    "exponential_": lambda lib, n: lib.empty(n, dtype=lib.bfloat16).exponential_(2.0),
    "cauchy_": lambda lib, n: lib.empty(n, dtype=lib.bfloat16).cauchy_(),
    "log_normal_": lambda lib, n: lib.empty(n, dtype=lib.bfloat16).log_normal_(),
    "geometric_": lambda lib, n: lib.empty(n, dtype=lib.bfloat16).geometric_(0.3),
    "normal": lambda lib, n: lib.normal(lib.zeros(n, dtype=lib.bfloat16), 2.0),
    "multinomial": lambda lib, n: lib.multinomial(lib.arange(1, n + 1).bfloat16(), 2 if n > 1 else 1),
    "randperm": lambda lib, n: lib.randperm(n, dtype=lib.bfloat16),
    "randint": lambda lib, n: lib.randint(5, (n,), dtype=lib.bfloat16),
    "randn_like": lambda lib, n: lib.randn_like(lib.ones(n, dtype=lib.bfloat16)),
    "dropout": lambda lib, n: lib.nn.functional.dropout(lib.ones(n, dtype=lib.bfloat16), 0.4),
    "poisson": lambda lib, n: lib.poisson(lib.full((n,), 4.0, dtype=lib.bfloat16)),
}


@pytest.mark.parametrize("call", RANDOM)
@pytest.mark.parametrize("n", [1, 5, 16, 37])
def test_random_numbers(call, n):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(lambda lib: RANDOM[call](lib, n).tolist())


def layers(lib):
    nn, functional = lib.nn, lib.nn.functional
    x = lib.randn(2, 3, 8, 8, dtype=lib.bfloat16, requires_grad=True)
    y = nn.Conv2d(3, 4, 3, padding=1, dtype=lib.bfloat16)(x)
    y = functional.max_pool2d(functional.gelu(y), 2)
    y = nn.GroupNorm(2, 4, dtype=lib.bfloat16)(y).flatten(1)
    loss = functional.cross_entropy(nn.Linear(64, 5, dtype=lib.bfloat16)(y), lib.tensor([1, 4]))
    loss.backward()
    return y, loss, x.grad


def attention(lib):
    layer = lib.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True).bfloat16()
    x = lib.randn(2, 3, 8).bfloat16().requires_grad_()
    (layer(x) * lib.arange(8).bfloat16()).mean().backward()
    return x.grad, [p.grad for p in layer.parameters()]


def recurrent(lib):
    layer = lib.nn.GRU(4, 5).bfloat16()
    out, state = layer(lib.randn(3, 2, 4).bfloat16())
    out.sum().backward()
    return out, state, [p.grad for p in layer.parameters()]


def optimizing(lib, name):
    model = lib.nn.Linear(4, 3).bfloat16()
    optimizer = getattr(lib.optim, name)(model.parameters(), lr=0.05)
    x, losses = lib.randn(6, 4).bfloat16(), []
    for _ in range(5):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses, list(model.parameters())


def mixed(lib):
    a = lib.randn(3, 4, requires_grad=True)
    b = lib.randn(4, dtype=lib.bfloat16, requires_grad=True)
    c = lib.randn(3, 4).half()
    result = (a * b + c).sin() / (b.abs() + 1) - b.float().mean() * 2 + lib.where(b > 0, b, 0.5)
    result.sum(dtype=lib.float32).backward()
    return result, a.grad, b.grad, (b + 1j), b + lib.ones(4, dtype=lib.int64), b.sum(dtype=lib.float64)


def writes(lib):
    x = lib.zeros(3, 4, dtype=lib.bfloat16)
    x[1] = lib.tensor([1.001, 2.002, 3.003, 4.004])
    x[:, 2] += 0.1
    x.index_add_(0, lib.tensor([0, 0, 2]), lib.ones(3, 4, dtype=lib.bfloat16))
    x.scatter_add_(1, lib.tensor([[0, 0, 0]]), lib.full((1, 3), 0.1, dtype=lib.bfloat16))
    x[x > 1] = 7
    x.mul_(1.1).add_(x, alpha=0.5).clamp_(max=6)
    return (
        x,
        x._version,
        lib.add(x, 1, out=lib.empty(0, dtype=lib.float32)),
        lib.mm(x, x.t(), out=lib.empty(3, 3, dtype=lib.bfloat16)),
    )


def second(lib):
    x = lib.tensor([0.3, -1.2, 2.0], dtype=lib.bfloat16, requires_grad=True)
    (first,) = lib.autograd.grad((x.tanh() * x).sum(), x, create_graph=True)
    first.pow(2).sum().backward()
    return first, x.grad


def large_sums(lib):
    x = lib.ones(3000, dtype=lib.bfloat16)
    return (
        x.sum(),
        x.mean(),
        x.cumsum(0)[-1],
        x @ x,
        x.norm(),
        x.var(),
        (x * 0.1).logsumexp(0),
        x.expand(2, 3000).sum(1),
    )


def hooks(lib):
    x = lib.ones(3, dtype=lib.bfloat16, requires_grad=True)
    seen = []
    y = x * 3.1
    y.register_hook(lambda g: seen.append(g) or g * 2)
    y.grad_fn.register_prehook(lambda g: seen.append(g))
    y.grad_fn.register_hook(lambda a, b: seen.append((a, b)))
    y.retain_grad()
    (y * y).sum().backward()
    return seen, y.grad, x.grad


def custom(lib):
    class Double(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2 + ctx.saved_tensors[0] * 0

    x = lib.ones(3, dtype=lib.bfloat16, requires_grad=True)
    Double.apply(x).sum().backward()
    return x.grad, lib.utils.checkpoint.checkpoint(lambda t: t.exp(), x, use_reentrant=False)


def transforms(lib):
    x = lib.randn(3, 4, dtype=lib.bfloat16)
    function = lambda t: (t * t).sum()  # noqa: E731
    return (
        lib.func.grad(function)(x),
        lib.vmap(lib.func.grad(function))(x),
        lib.func.jvp(lib.sin, (x,), (x,)),
        lib.vmap(lib.mm)(x.expand(2, 3, 4), x.t().expand(2, 4, 3)),
    )


def default_dtype(lib):
    before = lib.get_default_dtype()
    try:
        lib.set_default_dtype(lib.bfloat16)
        x = lib.tensor([1.5, 2.25])
        return (
            x,
            x.dtype,
            lib.ones(2),
            lib.arange(3) / 2,
            lib.nn.Linear(2, 2).weight.dtype,
        )
    finally:
        lib.set_default_dtype(before)


PROGRAMS = {
    f.__name__: f
    for f in (
        layers,
        attention,
        recurrent,
        mixed,
        writes,
        second,
        large_sums,
        hooks,
        custom,
        transforms,
        default_dtype,
    )
} | {
    name: (lambda lib, name=name: optimizing(lib, name))
    for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")
}


UNARY = [
    "{a}.sin()", "{a}.tanh()", "{a}.sigmoid()", "{a}.relu()", "-{a}", "{a}.abs()", "{a} * 1.7", "{a} + 0.3", "{a} / 3", "2 - {a}", "{a}.square()",
    "{a}.clamp(-1, 1.5)", "{a}.t().contiguous().t()", "{a}.softmax(-1)", "{a}.cumsum(0)", "{a}.flip(0)", "{a}[lib.tensor([1, 0, 2])]", "{a}.float().exp().log1p().bfloat16()",
    "lib.nn.functional.gelu({a})", "lib.nn.functional.layer_norm({a}, (3,))", "lib.nn.functional.leaky_relu({a}, 0.2)", "{a}.sum(0, keepdim=True).expand(3, 3)",
    "{a}.mean(1, keepdim=True) + {a}", "{a}.logsumexp(0).unsqueeze(0) - {a}", "{a}.masked_fill({a} > 1, 0.5)", "{a}.sort(0)[0]", "{a}.amax(1, keepdim=True) * {a}",
    "{a}.view(9).roll(2).view(3, 3)", "{a}.clone().mul_(1.1)", "{a}.clone().index_fill_(0, lib.tensor([1]), 0.7)",
]  # fmt: skip
BINARY = [
    "{a} + {b}", "{a} * {b}", "{a} - 2 * {b}", "{a} / ({b}.abs() + 1)", "{a} @ {b}", "lib.where({a} > {b}, {a}, {b} * 2)", "lib.maximum({a}, {b})", "lib.addmm({a}, {b}, {a})",
    "lib.cat([{a}, {b}])[1:4]", "{a}.clone().copy_({b})", "lib.nn.functional.linear({a}, {b})", "{a} * {b}.float()", "lib.lerp({a}, {b}, 0.3)", "{a}.atan2({b})",
    "lib.nn.functional.mse_loss({a}, {b}, reduction='none')", "lib.einsum('ij,kj->ik', {a}, {b})", "lib.nn.functional.smooth_l1_loss({a}, {b}) + {a}",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(120))
def test_random_programs(seed):
    """Random expressions: values and gradients are the same to one step of the last digit for each operation on the way."""
    choose = np.random.default_rng(seed)
    lines, names = [], ["x", "y"]
    for n in range(choose.integers(2, 6)):
        form = str(choose.choice(UNARY if choose.random() < 0.6 else BINARY))
        a, b = (str(choose.choice(names[-3:])) for _ in range(2))
        lines.append(f"v{n} = ({form.format(a=a, b=b)}).bfloat16()")
        names.append(f"v{n}")
    found = []
    for lib in BOTH:
        lib.manual_seed(seed)
        x, y = (lib.randn(3, 3, dtype=lib.bfloat16).requires_grad_() for _ in range(2))
        weights = lib.randn(3, 3, dtype=lib.bfloat16)
        known = {"lib": lib, "x": x, "y": y}
        exec("\n".join(lines), known)
        last = known[names[-1]]
        if last.requires_grad:
            (last * weights).sum().backward()
        found.append([known[n] for n in names[2:]] + [t.grad for t in (x, y) if t.grad is not None])
    for ours, theirs in zip(*found, strict=True):
        assert str(ours.dtype)[6:] == str(theirs.dtype)[6:]
        assert ours.stride() == theirs.stride()
        a, b = np.array(ours.float().tolist()), np.array(theirs.float().tolist())
        steps = 2**-7 * (1 + len(lines)) / 2
        assert np.allclose(a, b, rtol=steps, atol=steps * np.abs(b).max(), equal_nan=True), "\n".join(
            [*lines, f"{a}", f"{b}"]
        )


def flat(value):
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in flat(v)]
    return [value]


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    found = []
    for lib in BOTH:
        lib.manual_seed(0)
        found.append(flat(PROGRAMS[name](lib)))
    for ours, theirs in zip(*found, strict=True):
        if not isinstance(theirs, torch.Tensor):
            assert str(ours) == str(theirs).replace("torch.", "jgrad.")
            continue
        assert str(ours.dtype)[6:] == str(theirs.dtype)[6:]
        assert tuple(ours.shape) == tuple(theirs.shape)
        a, b = np.array(ours.detach().cfloat().tolist()), np.array(theirs.detach().cfloat().tolist())
        # Two steps of bfloat16 in the last digit, of numbers as large as the largest: in which order PyTorch sums depends on the processor.
        assert np.allclose(a, b, rtol=2**-7, atol=2**-7 * max(np.abs(b).max(), 1e-6), equal_nan=True), (
            f"{a}\ninstead of\n{b}"
        )


@pytest.mark.parametrize("name", NARROW)
def test_files(name, tmp_path):
    x = jgrad.tensor([[1.0, 2.0], [4.0, 0.5]]).to(getattr(jgrad, name))
    y = torch.tensor([[1.0, 2.0], [4.0, 0.5]]).to(getattr(torch, name))
    held = io.BytesIO()
    jgrad.save({"x": x, "part": x[1], "dtype": x.dtype}, held)
    held.seek(0)
    theirs = torch.load(held)
    assert theirs["x"].dtype is y.dtype
    assert bits(theirs["x"]) == bits(y)
    assert theirs["part"].untyped_storage().data_ptr() == theirs["x"].untyped_storage().data_ptr()
    assert theirs["dtype"] is y.dtype
    held.seek(0)
    assert bits(jgrad.load(held)["x"]) == bits(x)
    held = io.BytesIO()
    torch.save({"x": y, "p": torch.nn.Parameter(y)}, held)
    held.seek(0)
    ours = jgrad.load(held)
    assert ours["x"].dtype is x.dtype
    assert bits(ours["x"]) == bits(ours["p"].detach()) == bits(x)


def test_dlpack():
    for ours, theirs in (
        (jgrad.ones(2, 3, dtype=jgrad.bfloat16).t(), None),
        (None, torch.full((3,), 2.5, dtype=torch.bfloat16)),
    ):
        if theirs is None:
            there = torch.from_dlpack(ours)
            assert (there.dtype, tuple(there.stride())) == (torch.bfloat16, ours.stride())
            there[0, 0] = 7
            assert ours[0, 0].item() == 7
        else:
            here = jgrad.from_dlpack(theirs)
            assert here.dtype is jgrad.bfloat16
            here[1] = 7
            assert theirs[1].item() == 7


def test_sums_of_what_was_broadcast():
    """They are added up in float32, where bfloat16 would stop at 256."""

    def program(lib):
        b, x = lib.zeros(2, dtype=lib.bfloat16, requires_grad=True), lib.ones(1000, 2, dtype=lib.bfloat16)
        (x + b).sum().backward()
        return b.grad

    same(program)


def test_trace():
    with jgrad.trace() as trace:
        x = jgrad.tensor([1.5, -2.25], dtype=jgrad.bfloat16, requires_grad=True)
        y = (x * jgrad.ones(100, 2, dtype=jgrad.bfloat16)).sum()
        y.backward()
    document = trace.document
    assert [s["dtype"] for s in document["storages"]] == ["bfloat16"] * len(document["storages"])
    assert document["storages"][0]["contents"]["elements"] == ["1.5000", "-2.2500"]
    assert x.grad.tolist() == [100, 100]


def test_without_ml_dtypes():
    """jgrad works without the package, and says what to install."""
    program = """if True:
        import sys
        sys.modules["ml_dtypes"] = None
        import jgrad, pickle
        print(jgrad.bfloat16, jgrad.float8_e5m2.itemsize, jgrad.promote_types(jgrad.bfloat16, jgrad.int64))
        model = jgrad.nn.Linear(2, 2)
        model(jgrad.ones(2)).sum().backward()
        for call in (
            lambda: jgrad.ones(2).bfloat16(), lambda: jgrad.ones(2, dtype=jgrad.float8_e5m2), lambda: jgrad.autocast("cpu").__enter__(),
            lambda: model.to(jgrad.bfloat16), lambda: jgrad.finfo(jgrad.bfloat16),
        ):
            try:
                call()
            except ImportError as error:
                print(error)
        with jgrad.autocast("cpu", dtype=jgrad.float16):
            print(model(jgrad.ones(2)).dtype)
    """
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    text = "tensors of bfloat16 and float8 need the package ml_dtypes, which is not installed. Install it with: pip install ml_dtypes"
    assert printed == ["jgrad.bfloat16 1 jgrad.bfloat16", *[text] * 5, "jgrad.float16"]


def test_importing_jgrad_does_not_import_it():
    program = "import sys, jgrad; jgrad.ones(2).half() + jgrad.ones(2); assert jgrad.bfloat16; print('ml_dtypes' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        == "False\n"
    )


def muon(library, shape, **options):
    """What parameter and state are after some steps, which compute in bfloat16; or the error."""
    library.manual_seed(0)
    p = library.randn(*shape, requires_grad=True)
    try:
        o = library.optim.Muon([p], **options)
        for _ in range(3):
            o.zero_grad()
            (p**2).sum().backward()
            o.step()
    except (ValueError, RuntimeError) as error:
        return repr(error).replace("torch.", "jgrad.")
    kept = o.state_dict()["state"][0]["momentum_buffer"]
    return [[round(v, 3) for v in values.flatten().tolist()] for values in (p, kept)], repr(o)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 4), (2, 2, 2)])
def test_muon(shape):
    for options in (
        {},
        {"nesterov": False},
        {"adjust_lr_fn": "match_rms_adamw", "lr": 0.1},
        {"adjust_lr_fn": "original", "momentum": 0.0, "ns_steps": 3, "weight_decay": 0.0},
        {"lr": -1.0},
        {"momentum": -1.0},
        {"weight_decay": -1.0},
        {"adjust_lr_fn": "other"},
        {"ns_steps": 100},
        {"ns_coefficients": (1.0, 2.0)},
    ):
        assert muon(jgrad, shape, **options) == muon(torch, shape, **options), options
