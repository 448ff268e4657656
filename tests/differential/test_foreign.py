"""Every operation on a device that is not the CPU: the same calls on `device="cuda"`, bound to an array library that stands in for CuPy,
and on the CPU, alike in all that a user can see.

The library (`tests/foreign`) refuses what a device refuses: to turn into a NumPy array by itself, to be mixed with one, to be read
outside of `item`, `tolist` and `get`. What CuPy has no words for raises NotImplementedError; `tests/foreign/missing.txt` lists these
operations, and docs/differences.md publishes the list.
"""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
from tests import foreign  # noqa: E402
from tests.differential.test_operations import (  # noqa: E402
    OPERATIONS,
    UNINITIALIZED,
    Comparison,
    forms,
    samples_of,
)
from tests.differential.twins import Side, Unsupported, shown  # noqa: E402
from tests.foreign.device import on_the_device  # noqa: E402

SAMPLES = {torch.float64: 4, torch.float32: 1, torch.int64: 1, torch.bool: 1, torch.complex128: 2}
MISSING = Path(foreign.__file__).with_name("missing.txt")
MISSED = set(MISSING.read_text().split())
# What draws numbers draws others on another device.
DRAWS = {
    *[
        "bernoulli",
        "multinomial",
        "normal",
        "rand",
        "rand_like",
        "randint",
        "randint_like",
        "randn",
        "randn_like",
        "uniform",
        "normal_",
        "cauchy",
        "exponential",
    ],
    *[
        "geometric",
        "log_normal",
        "rrelu",
        "dropout",
        "alpha_dropout",
        "feature_alpha_dropout",
        "dropout2d",
        "dropout3d",
        "multi_head_attention_forward",
        "fractional_max_pool2d",
        "fractional_max_pool3d",
    ],
}


# Which of equal elements comes first, or is chosen, is the CPU's own affair: the number of the result that tells it.
TIES = {"argsort": 0, "kthvalue": 1, "sort": 1, "topk": 1}


@pytest.fixture(autouse=True)
def silence():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def draws(name: str, sample) -> bool:
    return (
        bool(sample.kwargs.get("dropout_p"))
        or name.rpartition(".")[2] in DRAWS
        or name in UNINITIALIZED
        or "lowrank" in name
        or "rrelu" in name
    )


# Numbers of 16 bits that NumPy does not have are not tried on devices.
ON_DEVICES = [case for case in OPERATIONS if case.values[1] in SAMPLES and case.values[0].name != "bfloat16"]


@pytest.mark.one_in(96)
@pytest.mark.parametrize(("info", "dtype", "names"), ON_DEVICES)
def test_samples_on_the_device(info, dtype, names):
    """In turn on the only device, and on the second of two while the first is the current one."""
    failures: dict[str, str] = {}
    missing = False
    calls = [
        (sample, *form)
        for sample in samples_of(info, dtype, SAMPLES[dtype])
        for form in forms(sample, names[0], info.formatted_name)
    ]
    for number, (sample, form, callable_of) in enumerate(calls):
        devices = 1 + (number + len(info.name)) % 2
        with on_the_device(devices):
            sides = [Side(jgrad, device=f"cuda:{devices - 1}"), Side(jgrad)]
            try:
                comparison = Comparison(sample, names[0], form, callable_of, sides)
            except Unsupported:
                continue
            try:
                if without_counterpart(comparison.errors[0]):
                    missing = True
                elif not same_error(*comparison.errors):
                    for outputs in comparison.outputs:
                        for number, t in enumerate(outputs):
                            tied = not dtype.is_floating_point and TIES.get(names[0]) == number
                            if tied or draws(names[0], sample):
                                t.detach().zero_()
                    comparison.same_results()
                    if not draws(names[0], sample):
                        comparison.same_gradients()
            except AssertionError as error:
                conjugated = any([t.is_conj() for t in comparison.outputs[1]])
                if conjugated and "'is_view': (False, True)" in str(error):
                    continue  # conj() copies on devices
                if "CuPy has no" in str(error):
                    missing = True
                    continue
                given = f"{shown(sample.input)}, {shown(sample.args)}, {shown(sample.kwargs)}"
                failures.setdefault(f"{form}: {error}", given)
    report = "\n".join(f"{failure}\n    of {given}" for failure, given in failures.items())
    assert not failures, report
    if missing and "JGRAD_MISSING" in os.environ:
        with open(os.environ["JGRAD_MISSING"], "a") as file:
            file.write(f"{info.formatted_name}\n")
    else:
        assert not missing or info.formatted_name in MISSED, (
            "CuPy has no counterpart, and the list does not say so"
        )


def without_counterpart(error) -> bool:
    return isinstance(error, NotImplementedError) and "CuPy has no" in str(error)


def same_error(ours, theirs) -> bool:
    """Whether both raised; fails unless they said the same of their devices."""

    def said(error):
        return re.sub(r"cuda(:[01])?", "cpu", f"{type(error).__name__}: {error}")

    assert said(ours) == said(theirs), f"on the device: {ours!r}\non the CPU: {theirs!r}"
    return ours is not None
