"""The options of optimizers, compared with PyTorch: signatures, defaults and what is refused."""

import inspect

import pytest

import jgrad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.quick

OPTIMIZERS = [
    "SGD",
    "ASGD",
    "Rprop",
    "Adam",
    "AdamW",
    "NAdam",
    "RAdam",
    "Adamax",
    "RMSprop",
    "Adagrad",
    "Adadelta",
    "Adafactor",
    "Muon",
    "LBFGS",
]
REFUSED = [
    {"lr": -1},
    {"lr": [1.0, 2.0]},
    {"betas": (0.5, 1.5)},
    {"betas": (-0.5, 0.5)},
    {"eps": -1},
    {"weight_decay": -1},
    {"momentum": -1},
    {"momentum_decay": -1},
    {"rho": 2},
    {"rho": -1},
    {"etas": (2, 3)},
    {"nesterov": True},
    {"nesterov": True, "momentum": 0.5, "dampening": 0.5},
    {"alpha": -1},
    {"lr_decay": -1},
    {"initial_accumulator_value": -1},
    {"beta2_decay": 0.5},
    {"d": 0.5},
    {"fused": True, "foreach": True},
    {"fused": True, "differentiable": True},
    {"unknown": 1},
    # The first of several.
    {"lr": -1, "eps": -1},
    {"eps": -1, "betas": (2, 2)},
    {"weight_decay": -1, "betas": (2, 2)},
    {"weight_decay": -1, "momentum": -1},
    {"weight_decay": -1, "momentum_decay": -1},
    {"weight_decay": -1, "lr_decay": -1},
    {"weight_decay": -1, "rho": -1},
]


def made(library, name, **options):
    """The optimizer, or its error."""
    values = {k: library.tensor(v) if isinstance(v, list) else v for k, v in options.items()}
    try:
        return getattr(library.optim, name)([library.ones(2, 2, requires_grad=True)], **values)
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_signature_and_defaults(name):
    ours, theirs = made(jgrad, name), made(torch, name)
    assert list(ours.defaults.items()) == list(theirs.defaults.items())
    assert repr(ours) == repr(theirs)
    signatures = [inspect.signature(type(o)).parameters.values() for o in (ours, theirs)]
    found, expected = ([(p.name, p.kind, p.default) for p in s] for s in signatures)
    assert found == expected


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_what_is_refused(name):
    for options in REFUSED:
        ours, theirs = made(jgrad, name, **options), made(torch, name, **options)
        if isinstance(theirs, tuple):
            assert ours == theirs, options
        else:
            assert repr(ours) == repr(theirs), options
