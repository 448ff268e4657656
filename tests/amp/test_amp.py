"""Mixed precision: `autocast` and `GradScaler` do what PyTorch's do on the CPU. (tests/differential/test_autocast.py has all operations.)"""

from __future__ import annotations

import pickle
import warnings

import pytest

import jgrad

torch = pytest.importorskip("torch")
pytest.importorskip("ml_dtypes")

BOTH = (jgrad, torch)


def said(value):
    return str(value).replace("torch.", "jgrad.")


def same(program):
    """What a program returns with each library, as text, and the warnings that it gave."""
    found = []
    for library in BOTH:
        library.manual_seed(0)
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            try:
                result = program(library)
            except Exception as error:
                result = f"{type(error).__name__}: {error}"
        texts = [(w.category.__name__, str(w.message).partition(" (Triggered")[0]) for w in given]
        found.append(said([result, texts]))
    assert found[0] == found[1]


def model_of(lib):
    return lib.nn.Sequential(
        lib.nn.Linear(4, 8), lib.nn.LayerNorm(8), lib.nn.ReLU(), lib.nn.Linear(8, 3), lib.nn.Softmax(-1)
    )


def training(lib, steps=12, scaler=None, dtype=None):
    model = model_of(lib)
    optimizer = lib.optim.SGD(model.parameters(), lr=0.1)
    x, y = lib.randn(16, 4), lib.randint(0, 3, (16,))
    seen = []
    for _ in range(steps):
        optimizer.zero_grad()
        with lib.autocast("cpu", dtype=dtype and getattr(lib, dtype)):
            out = model(x)
            loss = lib.nn.functional.cross_entropy(out, y)
        if scaler is None:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        seen += [out.dtype, loss.dtype, round(loss.item(), 3)]
    return seen, [p.dtype for p in model.parameters()], [p.grad.dtype for p in model.parameters()]


def test_training():
    same(training)


def test_training_in_float16():
    same(lambda lib: training(lib, dtype="float16"))


def test_training_with_a_scaler():
    def program(lib):
        scaler = lib.amp.GradScaler("cpu", init_scale=4.0, growth_interval=3)
        return training(lib, scaler=scaler), scaler.state_dict()

    same(program)


STATES = [
    lambda lib: lib.is_autocast_enabled(),
    lambda lib: lib.is_autocast_enabled("cpu"),
    lambda lib: lib.get_autocast_dtype("cpu"),
    lambda lib: lib.is_autocast_cache_enabled(),
]


def test_nesting():
    def program(lib):
        seen = []

        def look(x=None):
            seen.append([state(lib) for state in STATES])
            seen.append((lib.ones(2, 2) @ lib.ones(2, 2)).dtype)

        look()
        with lib.autocast("cpu"):
            look()
            with lib.autocast("cpu", enabled=False):
                look()
                with lib.autocast("cpu", dtype=lib.float16, cache_enabled=False):
                    look()
                look()
            look()
            lib.autocast("cpu", enabled=False)(look)()
        look()
        try:
            with lib.autocast("cpu"):
                raise ValueError
        except ValueError:
            look()
        lib.set_autocast_enabled("cpu", True)
        lib.set_autocast_dtype("cpu", lib.float16)
        look()
        lib.set_autocast_enabled("cpu", False)
        lib.set_autocast_dtype("cpu", lib.bfloat16)
        look()
        return seen

    same(program)


def test_weights_are_cast_once():
    def program(lib):
        weight, seen = lib.randn(3, 3, requires_grad=True), []
        for cache in (True, False):
            with lib.autocast("cpu", cache_enabled=cache):
                first, second = weight @ lib.ones(3), weight @ lib.ones(3)
                casts = [t.grad_fn.next_functions[0][0] for t in (first, second)]
                seen.append((casts[0] is casts[1], [c.name() for c in casts]))
                with lib.no_grad():
                    weight.add_(1)
                seen.append((weight @ lib.ones(3)).tolist())
                lib.clear_autocast_cache()
                seen.append((weight @ lib.ones(3)).tolist())
        (first.sum() + second.sum()).backward()
        return seen, weight.grad

    same(program)


def test_double_and_integers_are_left_alone():
    def program(lib):
        with lib.autocast("cpu"):
            x = lib.ones(2, 2, dtype=lib.float64)
            y = lib.ones(2, 2, dtype=lib.int64)
            mixed = lib.cat([lib.ones(2, 2), lib.ones(2, 2).bfloat16()])
            low = lib.stack([lib.ones(2).bfloat16(), lib.zeros(2).bfloat16()])
            out = lib.empty(2, 2)
            lib.mm(lib.ones(2, 2), lib.ones(2, 2), out=out)
            return (x @ x).dtype, (y @ y).dtype, mixed.dtype, low.dtype, lib.ones(2, 2).addmm_(out, out).dtype

    same(program)


@pytest.mark.parametrize("cast", [None, "float32", "bfloat16"])
@pytest.mark.parametrize("inside", [True, False])
def test_custom_functions(cast, inside):
    def program(lib):
        seen = []

        class Product(lib.autograd.Function):
            @staticmethod
            @lib.amp.custom_fwd(device_type="cpu", cast_inputs=cast and getattr(lib, cast))
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                seen.append((a.dtype, lib.is_autocast_enabled("cpu")))
                return a @ b

            @staticmethod
            @lib.amp.custom_bwd(device_type="cpu")
            def backward(ctx, grad):
                a, b = ctx.saved_tensors
                seen.append((grad.dtype, lib.is_autocast_enabled("cpu"), (a @ b).dtype))
                return grad @ b.t(), a.t() @ grad

        a, b = lib.randn(2, 3, requires_grad=True), lib.randn(3, 2, requires_grad=True)
        with lib.autocast("cpu", enabled=inside):
            result = Product.apply(a, b)
        result.float().sum().backward()
        return seen, result, a.grad, b.grad

    same(program)


def test_scaler_finds_infinities():
    def program(lib):
        seen = []
        p, q = lib.ones(2, requires_grad=True), lib.ones(2, requires_grad=True)
        first, second = lib.optim.SGD([p], lr=0.5), lib.optim.SGD([q], lr=0.5)
        scaler = lib.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
        for factor in (1.0, 2.0, float("inf"), 3.0, 4.0, float("nan"), 1.0):
            first.zero_grad()
            second.zero_grad()
            scaler.scale((p * factor).sum() + (q * q).sum()).backward()
            scaler.unscale_(first)
            seen.append((p.grad, scaler.step(first), scaler.step(second)))
            scaler.update()
            seen.append((p, q, scaler.get_scale(), scaler.state_dict(), scaler.is_enabled()))
        return seen

    same(program)


def wrong_calls():
    def begun(lib):
        scaler = lib.amp.GradScaler("cpu")
        p = lib.ones(2, requires_grad=True)
        optimizer = lib.optim.SGD([p], lr=1.0)
        scaler.scale(p.sum()).backward()
        return scaler, optimizer, p

    def twice(lib, name):
        scaler, optimizer, _ = begun(lib)
        getattr(scaler, name)(optimizer)
        getattr(scaler, name)(optimizer)

    def after_step(lib):
        scaler, optimizer, _ = begun(lib)
        scaler.step(optimizer)
        scaler.unscale_(optimizer)

    def pickled_in_between(lib):
        scaler, optimizer, _ = begun(lib)
        scaler.unscale_(optimizer)
        pickle.dumps(scaler)

    def of_half(lib):
        scaler, _, _ = begun(lib)
        p = lib.ones(2, dtype=lib.float16, requires_grad=True)
        p.sum().backward()
        scaler.unscale_(lib.optim.SGD([p], lr=1.0))

    def without_gradients(lib):
        scaler, _, _ = begun(lib)
        scaler.step(lib.optim.SGD([lib.ones(1, requires_grad=True)], lr=1.0))

    return {
        "unscale twice": lambda lib: twice(lib, "unscale_"),
        "step twice": lambda lib: twice(lib, "step"),
        "unscale after step": after_step,
        "pickled in between": pickled_in_between,
        "half": of_half,
        "no gradients": without_gradients,
        "update at once": lambda lib: lib.amp.GradScaler("cpu").update(),
        "update without step": lambda lib: begun(lib)[0].update(),
        "closure": lambda lib: begun(lib)[0].step(None, closure=print),
        "growth": lambda lib: lib.amp.GradScaler("cpu", growth_factor=1.0),
        "backoff": lambda lib: lib.amp.GradScaler("cpu", backoff_factor=1.0),
        "scale of a number": lambda lib: lib.amp.GradScaler("cpu").scale(3),
        "empty state": lambda lib: lib.amp.GradScaler("cpu").load_state_dict({}),
        "no GPU for the scaler": lambda lib: lib.amp.GradScaler().is_enabled(),
        "no GPU": lambda lib: lib.autocast("cuda") and None,
        "float32": lambda lib: lib.autocast("cpu", lib.float32) and None,
        "unknown device": lambda lib: lib.autocast("foo"),
        "device without autocast": lambda lib: lib.is_autocast_enabled("meta"),
        "dtype of such a device": lambda lib: lib.get_autocast_dtype("meta"),
        "device of a number": lambda lib: lib.autocast(3),
        "state of a number": lambda lib: lib.is_autocast_enabled(3),
        "number for a bool": lambda lib: lib.set_autocast_enabled("cpu", 1),
        "text for a dtype": lambda lib: lib.set_autocast_dtype("cpu", "x"),
        "a number decorated": lambda lib: lib.autocast("cpu")(3),
        "custom_fwd of a number": lambda lib: lib.amp.custom_fwd(device_type=3),
        "older names": lambda lib: (
            lib.is_autocast_cpu_enabled(),
            lib.get_autocast_cpu_dtype(),
            lib.get_autocast_gpu_dtype(),
        ),
    }


@pytest.mark.parametrize("name", wrong_calls())
def test_wrong_calls(name):
    same(wrong_calls()[name])


def test_state_of_the_scaler():
    def program(lib):
        scaler = lib.amp.GradScaler("cpu", init_scale=16.0)
        scaler.scale([lib.ones(1), (lib.ones(2),)])
        other = lib.amp.GradScaler("cpu")
        other.load_state_dict(scaler.state_dict())
        again = pickle.loads(pickle.dumps(scaler))
        off = lib.amp.GradScaler("cpu", enabled=False)
        other.scale(lib.ones(()))
        other.update(2.0)
        other.update(lib.full((), 3.0))
        return (
            other.get_scale(), again.state_dict(), off.state_dict(), off.get_scale(), off.scale(lib.ones(1)),
            other.get_growth_factor(), other.get_backoff_factor(), other.get_growth_interval(),
        )  # fmt: skip

    same(program)
