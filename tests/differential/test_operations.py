"""Every operation that jgrad has and PyTorch keeps samples of: called on both, alike in all that a user can see.

The samples come from PyTorch's own tests (`op_db`). Each is called as a function, as a method, in place and with `out=`; results, errors,
gradients (of both backward passes) and second derivatives are compared. What differs and is left so is listed in `differences/`, and
published in docs/differences.md. How many calls were compared is kept in `counts.json`: neither may that number fall nor may the number
of known differences rise.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

import jgrad  # noqa: E402
from jgrad.dispatch import TABLE  # noqa: E402
from tests.differential.differences import DIFFERENCES, ROUNDING, WRONG_IN_PYTORCH  # noqa: E402
from tests.differential.page import COUNTS  # noqa: E402
from tests.differential.twins import (  # noqa: E402
    Side,
    Unsupported,
    attempt,
    described,
    differ,
    flat,
    plain,
    shown,
    worded,
)

# The first dtype that an operation supports is of the quick tier.
SAMPLES = {
    torch.float32: 6,
    torch.float64: 20,
    torch.int64: 6,
    torch.bool: 4,
    torch.complex128: 8,
    torch.bfloat16: 3,
}


def of_product(function: Any) -> Any:
    """A function that draws, of the product of two matrices."""
    library = sys.modules[function.__module__.partition(".")[0]]

    def call(a: Any, b: Any, **options: Any) -> Any:
        library.manual_seed(0)
        return function(a @ b.mT, **options)

    return call


LARGEST = 200_000  # elements of a sample

# Where PyTorch's samples give the arguments in another order than the function takes them.
ADAPTED = {
    "where": lambda where: lambda self, condition, *other: where(condition, self, *other),
    "einsum": lambda einsum: lambda tensors, equation: einsum(equation, *tensors),
    "polygamma": lambda polygamma: lambda self, n: polygamma(n, self),
    "special.polygamma": lambda polygamma: lambda self, n: polygamma(n, self),
    "svd_lowrank": of_product,
    "pca_lowrank": of_product,
    "linalg_pinv_singular": lambda pinv: lambda a, b: pinv(a @ b.mT),
    "linalg_lstsq_grad_oriented": lambda lstsq: lambda a, b, driver: lstsq(a, b, driver=driver)[:2],
    "nn.functional.embedding": lambda f: lambda weight, index, **options: f(index, weight, **options),
    "nn.functional.embedding_bag": lambda f: lambda weight, index, **options: f(index, weight, **options),
}


# What these hold is nobody's business.
UNINITIALIZED = {
    "empty",
    "empty_like",
    "empty_strided",
    "empty_permuted",
    "new_empty",
    "new_empty_strided",
    "resize_",
    "resize_as_",
}


def found_in(library: Any, name: str) -> Any:
    """A function of a library by its dotted name, None if it has none."""
    for part in name.split("."):
        library = getattr(library, part, None)
    return library


def names_of(info: Any) -> list[str]:
    """The names under which jgrad has an operation: as a function, a method, a property, an operator. Those that make sparse tensors are compared in
    `tests/operators/test_sparse.py`: they have no memory to look at."""
    if "sparse" in info.name:
        return []
    names = [info.name, *(a.name for a in info.aliases)]
    return [n for n in names if found_in(jgrad, n) is not None or hasattr(jgrad.Tensor, n)]


def operations() -> list[Any]:
    """Samples of the operations that jgrad has, by dtype."""
    return [
        pytest.param(info, dtype, known, id=f"{info.formatted_name}-{str(dtype)[6:]}")
        for info in op_db
        if (known := names_of(info))
        for dtype in SAMPLES
        if dtype in info.supported_dtypes("cpu")
    ]


OPERATIONS = operations()


def excused(failure: str) -> str | None:
    """Why a difference is left as it is, if it is one of those that are known."""
    known = DIFFERENCES | WRONG_IN_PYTORCH
    return next((reason for pattern, reason in known.items() if re.match(pattern, failure)), None)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def forms(sample: Any, name: str, variant: str = "") -> list[tuple[str, Any]]:
    """The ways in which PyTorch lets this operation be called: (form, given a library the callable)."""
    found = []
    adapt = ADAPTED.get(variant) or ADAPTED.get(name, lambda function: function)
    if callable(found_in(torch, name)):
        found.append(("function", lambda library: adapt(found_in(library, name))))
    if not isinstance(sample.input, torch.Tensor) or name in ADAPTED or variant in ADAPTED:
        return found
    method = getattr(torch.Tensor, name, None)
    if callable(method):
        found.append(("method", lambda library: getattr(library.Tensor, name)))
    elif method is not None:
        found.append(("property", lambda library: lambda self: getattr(self, name)))
    inplace = name + "_"
    if not name.endswith("_") and hasattr(torch.Tensor, inplace):
        found.append(("inplace", lambda library: getattr(library.Tensor, inplace)))
    return found


class Comparison:
    """One sample in one form, on both sides."""

    def __init__(self, sample: Any, name: str, form: str, callable_of: Any, sides: Any = None) -> None:
        self.sides = sides or [Side(jgrad), Side(torch)]
        self.results: list[Any] = []
        self.errors: list[Any] = []
        self.outputs: list[list[Any]] = []
        for side in self.sides:
            first, args, kwargs = side.copy(sample.input), side.copy(sample.args), side.copy(sample.kwargs)
            side.module.manual_seed(0)
            if form == "inplace" and isinstance(first, side.module.Tensor):
                first = first.clone()
            result, error = attempt(lambda: callable_of(side.module)(first, *args, **kwargs))  # noqa: B023
            self.results.append(result)
            self.errors.append(error)
            self.outputs.append(flat(result, side.module.Tensor))
        if name in UNINITIALIZED:
            for t in [t for outputs in self.outputs for t in outputs]:
                t.detach().zero_()
        self.rounding = ROUNDING.get(name, 1)
        self.through: Any = None  # (see differ)
        self.unique = sample.output_process_fn_grad  # what of the results is unique: not the signs of Q, say

    def same_error(self) -> bool:
        """Whether both raised; fails if only one did or they raised different classes."""
        ours, theirs = self.errors
        assert worded(ours) == worded(theirs), f"jgrad: {ours!r}\ntorch: {theirs!r}"
        return ours is not None

    def same_results(self) -> None:
        assert plain(self.results[0]) == plain(self.results[1])
        for ours, theirs in zip(*self.outputs, strict=True):
            a, b = described(ours, self.sides[0]), described(theirs, self.sides[1])
            assert not (odd := {k: (a[k], b[k]) for k in a if a[k] != b[k]}), f"(jgrad, torch): {odd}"
        self.outputs = [
            flat(self.unique(result), side.module.Tensor)
            for result, side in zip(self.results, self.sides, strict=True)
        ]
        for ours, theirs in zip(*self.outputs, strict=True):
            assert not (text := differ(ours, theirs, self.rounding, 0, self.through)), text
        for ours, theirs in zip(*(side.tensors for side in self.sides), strict=True):
            assert ours._version == theirs._version, (
                f"version of an argument: {ours._version}, {theirs._version}"
            )
            assert not (text := differ(ours, theirs)), f"argument: {text}"

    def same_gradients(self) -> None:
        """Both backward passes: plain, and recorded so that it can be differentiated again."""
        roots = [[t for t in outputs if t.requires_grad] for outputs in self.outputs]
        if not roots[0]:
            return
        leaves = [[t for t in side.tensors if t.requires_grad] for side in self.sides]
        seeds = [side.seeds(r) for side, r in zip(self.sides, roots, strict=True)]
        first = self._gradients(
            roots, leaves, [[s.detach() for s in given] for given in seeds], retain_graph=True
        )
        if first is None:
            return
        recorded = self._gradients(roots, leaves, seeds, create_graph=True)
        if recorded is None:  # both refuse, with one class
            return
        for plainly, ours in zip(first[0], recorded[0], strict=True):
            assert not (text := differ(plainly, ours, self.rounding, 1, self.through)), (
                f"recorded and unrecorded backward: {text}"
            )
        again = [[g for g in given if g is not None and g.requires_grad] for given in recorded]
        assert len(again[0]) == len(again[1])
        if not again[0]:
            return
        seeds_again = [side.seeds(g) for side, g in zip(self.sides, again, strict=True)]
        inputs = [a + b for a, b in zip(leaves, seeds, strict=True)]
        self._gradients(again, inputs, [[s.detach() for s in given] for given in seeds_again], scale=16)

    def _gradients(self, roots: Any, inputs: Any, seeds: Any, scale: float = 4, **options: Any) -> Any:
        found = []
        for side, r, i, s in zip(self.sides, roots, inputs, seeds, strict=True):
            grad = side.module.autograd.grad
            found.append(attempt(lambda: grad(r, i, s, allow_unused=True, **options)))  # noqa: B023
        (ours, our_error), (theirs, their_error) = found
        if our_error is not None or their_error is not None:
            assert type(our_error) is type(their_error), f"jgrad: {our_error!r}\ntorch: {their_error!r}"
            return None
        for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            text = differ(a, b, scale * self.rounding, 1, self.through)
            assert not text, f"gradient of input {number}: {text}"
            if a is not None:
                assert a.requires_grad == b.requires_grad, f"gradient of input {number} requires grad"
        return ours, theirs


def size_of(sample: Any) -> int:
    """The elements of all tensors of a sample."""
    tensors = flat([sample.input, sample.args, list(sample.kwargs.values())], torch.Tensor)
    return sum(t.numel() for t in tensors)


def samples_of(info: Any, dtype: Any, number: int | None, seed: int = 7) -> list[Any]:
    """The first of PyTorch's samples of an operation (None: all), and of some float64 ones the same in other memory."""
    differentiable = dtype.is_floating_point or dtype.is_complex
    torch.manual_seed(seed)
    generated = info.sample_inputs("cpu", dtype, requires_grad=differentiable and info.supports_autograd)
    samples = [s for s in itertools.islice(generated, number) if size_of(s) <= LARGEST]
    if dtype is torch.float64:
        samples += [s.noncontiguous() for s in samples[::4]]
    return samples


@pytest.mark.one_in(24)
@pytest.mark.first_is_quick("info")
@pytest.mark.parametrize(("info", "dtype", "names"), OPERATIONS)
def test_samples(info, dtype, names):
    compared, known = compare_samples(info, names, samples_of(info, dtype, SAMPLES[dtype]))
    assert compared
    hold(info, f"{info.formatted_name}-{str(dtype)[6:]}", compared, known)


REFUSING = [
    pytest.param(info, names[0], id=info.formatted_name)
    for info in op_db
    if (names := names_of(info)) and torch.float32 in info.supported_dtypes("cpu")
    if torch.bfloat16 not in info.supported_dtypes("cpu")
]


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("info", "name"), REFUSING)
def test_refused_bfloat16(info, name):
    """What PyTorch refuses of bfloat16, or does although its own list of dtypes says otherwise."""

    def to_bfloat16(t):
        return (
            t.detach().to(torch.bfloat16) if isinstance(t, torch.Tensor) and t.dtype is torch.float32 else t
        )

    for sample in samples_of(info, torch.float32, 3):
        _, callable_of = forms(sample, name, info.formatted_name)[0]
        comparison = Comparison(sample.transform(to_bfloat16), name, "function", callable_of)
        try:
            if not comparison.same_error():
                comparison.same_results()
        except AssertionError as error:
            failure = f"bfloat16 function {name}: {error}"
            assert excused(failure), failure


def compare_samples(info: Any, names: list[str], samples: list[Any]) -> tuple[int, int]:
    """Compare the samples of an operation in all forms: how many calls were compared, and how many differ for a known reason."""
    compared, known, failures = differences_of(info, names, samples)
    report = "\n".join(f"{failure}\n    of {given}" for failure, given in failures.items())
    assert not failures, report
    return compared, len(known)


def differences_of(info: Any, names: list[str], samples: list[Any]) -> tuple[int, list[str], dict[str, str]]:
    """How many calls were compared, those that differ for a known reason, and the other differences with what was given."""
    compared = 0
    failures: dict[str, str] = {}
    known: list[str] = []
    for number, sample in enumerate(samples):
        for name in names if number == 0 else names[:1]:
            for form, callable_of in forms(sample, name, info.formatted_name):
                try:
                    comparison = Comparison(sample, name, form, callable_of)
                except Unsupported:
                    continue
                compared += 1
                try:
                    if not comparison.same_error():
                        comparison.same_results()
                        comparison.same_gradients()
                except AssertionError as error:
                    given = f"{shown(sample.input)}, {shown(sample.args)}, {shown(sample.kwargs)}"
                    reason = excused(failure := f"{form} {name}: {error}")
                    if reason is None and "bfloat16" in given:
                        reason = excused("bfloat16 " + failure)
                    if reason is None:
                        failures.setdefault(failure, given)
                    elif "rounding" not in reason and reason not in WRONG_IN_PYTORCH.values():
                        # (Every processor has its own rounding.)
                        known.append(failure)
    return compared, known, failures


def hold(info: Any, label: str, compared: int, known: int) -> None:
    """Neither may fewer calls be compared than before nor more of them differ."""
    family = family_of(info)
    if "JGRAD_COUNTS" in os.environ:  # `python -m tests.differential` counts anew
        Path(os.environ["JGRAD_COUNTS"], label).write_text(json.dumps([family, compared, known]))
        return
    before = json.loads(COUNTS.read_text()).get(family, {})
    least, most = before.get(label, (0, compared))
    assert compared >= least, f"{label}: {compared} calls compared, {least} before"
    assert known <= most, f"{label}: {known} known differences, {most} before"


def family_of(info: Any) -> str:
    """The chapter of the tensor reference that an operation belongs to."""
    namespace = info.name.rpartition(".")[0]
    operation = TABLE.get(names_of(info)[0])
    room = namespace or (
        operation.overloads[0].body.__module__.rpartition(".")[2] if operation else "methods and creation"
    )
    return room.removesuffix("_backward")


def out_like(result: Any, side: Side, how: str) -> Any:
    """A target for `out=`: as PyTorch would make it, empty, of another shape, of another dtype."""
    library = side.module
    if isinstance(result, (tuple, list)):
        return [out_like(r, side, how) for r in result]
    dtype = side.copy(result.dtype)
    if how == "fitting":
        return library.zeros(tuple(result.shape), dtype=dtype)
    if how == "transposed":
        return library.zeros(tuple(result.shape)[::-1], dtype=dtype).permute(tuple(range(result.ndim))[::-1])
    if how == "empty":
        return library.zeros((0,), dtype=dtype)
    if how == "larger":
        return library.ones((*result.shape, 2), dtype=dtype)
    return library.zeros(tuple(result.shape), dtype=library.float64 if how == "double" else library.int32)


WITH_OUT = [
    pytest.param(info, dtype, names[0], id=p.id)
    for p in OPERATIONS
    for info, dtype, names in [p.values]
    if info.supports_out
    and found_in(torch, names[0])
    and names[0] not in ADAPTED
    and dtype in (torch.float32, torch.int64)
]


@pytest.mark.one_in(48)
@pytest.mark.parametrize(("info", "dtype", "name"), WITH_OUT)
def test_out(info, dtype, name):
    for sample in samples_of(info, dtype, 3):
        with torch.no_grad():
            torch.manual_seed(0)
            call = found_in(torch, name)
            result, error = attempt(lambda: call(sample.input, *sample.args, **sample.kwargs))  # noqa: B023
        if error is not None or not flat(result, torch.Tensor):
            continue
        for how in ("fitting", "transposed", "empty", "larger", "double", "int"):
            found = []
            for side in (Side(jgrad, False), Side(torch, False)):
                first, args, kwargs = (
                    side.copy(sample.input),
                    side.copy(sample.args),
                    side.copy(sample.kwargs),
                )
                out = out_like(result, side, how)
                side.module.manual_seed(0)
                function = found_in(side.module, name)
                given, error = attempt(lambda: function(first, *args, out=out, **kwargs))  # noqa: B023
                seen = [type(error).__name__, plain(given)]
                outs = flat(out, side.module.Tensor)
                if error is None:
                    seen += [
                        a is b
                        for a, b in zip(flat(given, side.module.Tensor), outs, strict=given is not None)
                    ]
                    # PyTorch also counts resizing, here and there.
                    seen += [described(t, side) | {"version": t._version > 0} for t in outs]
                found.append((seen, outs, error))
            (ours, our_outs, our_error), (theirs, their_outs, their_error) = found
            failure = (
                f"jgrad: {our_error!r} {ours}\ntorch: {their_error!r} {theirs}" if ours != theirs else None
            )
            if failure is None and our_error is None and name not in UNINITIALIZED:
                # Into float64 too both compute in float32.
                scale = ROUNDING.get(name, 1) * (2**30 if how == "double" else 1)
                failure = next(
                    (
                        text
                        for o, t in zip(our_outs, their_outs, strict=True)
                        if (text := differ(o, t, scale))
                    ),
                    None,
                )
            given = f"{shown(sample.input)}, {shown(sample.args)}, {shown(sample.kwargs)}"
            assert failure is None or excused(f"out of {name} to {how}: {failure}"), (
                f"{name} of {given}, out= {how}:\n{failure}"
            )


WITH_ERRORS = {p.values[0].formatted_name: p.values for p in OPERATIONS if p.values[0].error_inputs_func}


@pytest.mark.one_in(16)
@pytest.mark.parametrize("label", WITH_ERRORS)
def test_errors(label):
    info, _, (name, *_) = WITH_ERRORS[label]
    for wrong in info.error_inputs("cpu"):
        sample = wrong.sample_input
        for form, callable_of in forms(sample, name, info.formatted_name)[:2]:
            try:
                comparison = Comparison(sample, name, form, callable_of)
            except Unsupported:
                continue
            ours, theirs = comparison.errors
            given = f"{shown(sample.input)}, {shown(sample.args)}, {shown(sample.kwargs)}"
            where = f"{form} {name} of {given}\njgrad: {ours!r}\ntorch: {theirs!r}"
            assert worded(ours) == worded(theirs) or excused(f"error of {name}: "), where
