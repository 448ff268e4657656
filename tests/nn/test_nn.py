"""Layers and optimizers beyond what programs show: signatures, what exists, files, memory. Numbers are in `layers.py`, `modules.py` and `optimizers.py` of tests/programs."""

import gc
import inspect
import pickle
import weakref

import pytest

import jgrad
from jgrad.dispatch import Overload, fast

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.quick

# Layers that jgrad does not have; asking for one is an AttributeError.
LEFT_OUT = {
    "AdaptiveLogSoftmaxWithLoss",
    "Container",
    "CrossMapLRN2d",
    "DataParallel",
    "LinearCrossEntropyLoss",
    "MultiheadAttention",
    "NLLLoss2d",
    "SyncBatchNorm",
}
PREFIXES = ("Lazy", "RNN", "GRU", "LSTM", "Transformer")
LAYERS = sorted(
    name
    for name, value in vars(torch.nn).items()
    if inspect.isclass(value)
    and issubclass(value, torch.nn.Module)
    and name not in LEFT_OUT
    and not name.startswith(PREFIXES)
)
OPTIMIZERS = ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax"]
SCHEDULES = [
    "LambdaLR",
    "MultiplicativeLR",
    "StepLR",
    "MultiStepLR",
    "ConstantLR",
    "LinearLR",
    "ExponentialLR",
]
SCHEDULES += ["PolynomialLR", "CosineAnnealingLR", "ReduceLROnPlateau"]


def parameters(function):
    """Names, kinds and defaults: how a function may be called."""
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


def test_every_layer_exists():
    missing = [name for name in LAYERS if not hasattr(jgrad.nn, name)]
    assert not missing


@pytest.mark.parametrize("name", LAYERS)
def test_signature_of_layer(name):
    ours, theirs = getattr(jgrad.nn, name), getattr(torch.nn, name)
    if name != "Identity" and [*inspect.signature(theirs).parameters] == ["args", "kwargs"]:
        # PyTorch's says nothing. What its own code reads them with does, or it is Module's, which takes none.
        _, *rest = [*inspect.signature(torch.nn.RNNBase).parameters]
        own = [*inspect.signature(ours).parameters]
        assert [n for n in own if n != "nonlinearity"] == [n for n in rest if n in own]
        assert bool(own) == issubclass(theirs, torch.nn.RNNBase)
    else:
        assert parameters(ours.__init__) == parameters(theirs.__init__)
    if name not in ("ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Module"):
        assert parameters(ours.forward) == parameters(theirs.forward)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_signature_of_optimizer(name):
    assert parameters(getattr(jgrad.optim, name).__init__) == parameters(getattr(torch.optim, name).__init__)


@pytest.mark.parametrize("name", SCHEDULES)
def test_signature_of_schedule(name):
    ours, theirs = getattr(jgrad.optim.lr_scheduler, name), getattr(torch.optim.lr_scheduler, name)
    assert parameters(ours.__init__) == parameters(theirs.__init__)


def public(cls):
    return {name for name in dir(cls) if not name.startswith("_")}


@pytest.mark.parametrize(
    "name", ["Module", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"]
)
def test_methods(name):
    ours, theirs = getattr(jgrad.nn, name), getattr(torch.nn, name)
    elsewhere = {
        "bfloat16",
        "compile",
        "ipu",
        "mtia",
        "xpu",
        "to_empty",
    }
    elsewhere |= {"T_destination", "call_super_init", "dump_patches"}
    assert public(theirs) - public(ours) <= elsewhere


@pytest.mark.parametrize(
    "name", sorted(n for n, f in vars(torch.nn.init).items() if n.endswith("_") and inspect.isfunction(f))
)
def test_signature_of_initialization(name):
    if not name.startswith("_"):
        assert parameters(getattr(jgrad.nn.init, name)) == parameters(getattr(torch.nn.init, name))


def test_state_survives_a_file(tmp_path):
    model = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.BatchNorm1d(3))
    optimizer = jgrad.optim.Adam(model.parameters())
    model(jgrad.randn(4, 2)).sum().backward()
    optimizer.step()
    jgrad.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, tmp_path / "checkpoint")
    loaded = jgrad.load(tmp_path / "checkpoint")
    other = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.BatchNorm1d(3))
    assert repr(other.load_state_dict(loaded["model"])) == "<All keys matched successfully>"
    again = jgrad.optim.Adam(other.parameters())
    again.load_state_dict(loaded["optimizer"])
    for kept, was in zip(other.parameters(), model.parameters(), strict=True):
        assert jgrad.equal(kept, was)
        assert jgrad.equal(again.state[kept]["exp_avg"], optimizer.state[was]["exp_avg"])


def test_pickled_optimizer_goes_on():
    parameter = jgrad.nn.Parameter(jgrad.ones(2))
    optimizer = jgrad.optim.SGD([parameter], lr=0.1, momentum=0.9)
    parameter.grad = jgrad.ones(2)
    optimizer.step()
    copy = pickle.loads(pickle.dumps(optimizer))
    (group,) = copy.param_groups
    group["params"][0].grad = jgrad.ones(2)
    copy.step()
    optimizer.step()
    assert jgrad.equal(group["params"][0], parameter)


def test_memory_returns_without_the_garbage_collector():
    gc.disable()
    try:
        model = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.ReLU(), jgrad.nn.Linear(3, 1))
        optimizer = jgrad.optim.Adam(model.parameters())
        model(jgrad.ones(4, 2)).sum().backward()
        optimizer.step()
        seen = [weakref.ref(p) for p in model.parameters()]
        del model, optimizer
        assert not any(ref() is not None for ref in seen)
    finally:
        gc.enable()


def test_parameters_take_the_fast_path(monkeypatch):
    """The general path is for the unusual, and a model's weights are not."""
    # A request of another test for the general path may still wait for the garbage collector.
    monkeypatch.setattr(fast, "ENABLED", True)
    monkeypatch.setattr(fast, "WATCHING", False)
    weight = jgrad.nn.Parameter(jgrad.ones(2))
    (weight * weight).sum()  # compiles
    calls = []
    run = Overload.run
    monkeypatch.setattr(Overload, "run", lambda self, *a, **k: calls.append(self.name) or run(self, *a, **k))
    (weight * weight).sum()
    assert not calls
