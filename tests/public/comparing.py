"""The base class of PyTorch's tests: values are equal within the tolerances of their dtype, and dtypes unless said otherwise."""

from __future__ import annotations

import contextlib
import random
import re
import unittest
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
import torch

# By how much values may differ: relatively, and absolutely.
TOLERANCES = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}
NUMBERS = (bool, int, float, complex)
HANDLES: list[Any] = []
"""Hooks of all modules, taken away after each test, for which PyTorch's tests use private names."""


def remember_hooks_of_all_modules() -> None:
    module = torch.nn.modules.module
    for name in dir(module):
        if name.startswith("register_module_"):
            setattr(module, name, remembered(getattr(module, name)))


def remembered(register: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        HANDLES.append(register(*args, **kwargs))
        return HANDLES[-1]

    return call


def as_torch(text: str) -> str:
    return text.replace("jgrad", "torch")


def as_tensor(x: Any) -> Any:
    if isinstance(x, torch.Tensor):
        return x
    if isinstance(x, np.ndarray | np.generic):
        return torch.from_numpy(np.ascontiguousarray(np.asarray(x)).reshape(np.shape(x)))
    wide = {float: torch.float64, complex: torch.complex128}.get(type(x))
    return torch.tensor(x, dtype=wide)


def to_numpy(x: Any) -> Any:
    if x.is_quantized:
        return x.int_repr().numpy()
    if x.dtype == torch.bfloat16:
        x = x.to(torch.float32)
    return x.detach().resolve_conj().resolve_neg().cpu().numpy()


class Exactness(NamedTuple):
    """What has to be the same, and how nearly. A tolerance that is None is the dtype's."""

    atol: float | None = None
    rtol: float | None = None
    least: tuple[float, float] = (0.0, 0.0)
    """The test's own tolerances, if they are larger: absolute, relative."""
    nan: bool = True
    dtype: bool = True
    stride: bool = False

    def tolerances(self, *dtypes: Any) -> tuple[float, float]:
        """The absolute and the relative one for values of these dtypes."""
        usual = [TOLERANCES.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        rtol = max(relative for relative, _ in usual) if self.rtol is None else self.rtol
        atol = max(absolute for _, absolute in usual) if self.atol is None else self.atol
        return max(atol, self.least[0]), max(rtol, self.least[1])


def difference(x: Any, y: Any, exact: Exactness) -> str:
    """In what two values differ; nothing if they are equal."""
    if any(isinstance(value, torch.Tensor) and value.is_sparse for value in (x, y)):
        return difference_of_sparse(x, y, exact)
    if any(isinstance(value, torch.Tensor | np.ndarray | np.generic) for value in (x, y)):
        return difference_from_array(x, y, exact)
    whole = isinstance(x, int) and isinstance(y, int) and exact.atol is None
    if isinstance(x, NUMBERS) and isinstance(y, NUMBERS) and not whole:
        return difference_of_tensors(as_tensor(x), as_tensor(y), exact._replace(dtype=False, stride=False))
    if isinstance(x, str) and isinstance(y, str):
        return different(as_torch(x) == as_torch(y), x, y)
    if isinstance(x, Mapping) and isinstance(y, Mapping):
        if set(x) != set(y):
            return f"keys {list(x)} are not {list(y)}"
        return first(difference(x[key], y[key], exact) for key in x)
    if all(isinstance(value, Sequence) and not isinstance(value, str | bytes) for value in (x, y)):
        if len(x) != len(y):
            return f"length {len(x)} is not {len(y)}: {x!r} {y!r}"[:500]
        return first(difference(a, b, exact) for a, b in zip(x, y, strict=True))
    return different(x == y, x, y)


def first(differences: Iterator[str]) -> str:
    return next(filter(None, differences), "")


def different(same: bool, x: Any, y: Any) -> str:
    return "" if same else f"{x!r} is not {y!r}"[:500]


def difference_of_sparse(x: Any, y: Any, exact: Exactness) -> str:
    if not all(isinstance(value, torch.Tensor) and value.is_sparse for value in (x, y)):
        dense = [v.to_dense() if isinstance(v, torch.Tensor) and v.is_sparse else v for v in (x, y)]
        return difference(dense[0], dense[1], exact)
    x, y = x.coalesce(), y.coalesce()
    return difference(x.indices(), y.indices(), exact) or difference(x.values(), y.values(), exact)


def difference_from_array(x: Any, y: Any, exact: Exactness) -> str:
    """Of two values of which at least one is an array. Where the other is a number, only the numbers count."""
    if any(value is None or isinstance(value, str) for value in (x, y)):
        return f"{x!r} is not {y!r}"
    arrays = all(isinstance(value, torch.Tensor | np.ndarray) for value in (x, y))
    a, b = as_tensor(x), as_tensor(y)
    if arrays:
        return difference_of_tensors(a, b, exact)
    if a.ndim != b.ndim and a.numel() == b.numel() == 1:
        a, b = a.reshape(()), b.reshape(())
    return difference_of_tensors(a, b, exact._replace(dtype=False, stride=False))


def difference_of_tensors(x: Any, y: Any, exact: Exactness) -> str:
    if x.shape != y.shape:
        return f"shape {tuple(x.shape)} is not {tuple(y.shape)}"
    if exact.dtype and x.dtype != y.dtype:
        return f"dtype {x.dtype} is not {y.dtype}"
    if exact.stride and x.stride() != y.stride():
        return f"strides {x.stride()} are not {y.stride()}"
    if "meta" in (x.device.type, y.device.type) or x.numel() == 0:
        return ""
    atol, rtol = exact.tolerances(x.dtype, y.dtype)
    if x.dtype != y.dtype:
        wide = torch.promote_types(x.dtype, y.dtype)
        x, y = x.to(wide), y.to(wide)
    return difference_of_values(to_numpy(x), to_numpy(y), atol, rtol, exact.nan)


def difference_of_values(a: Any, b: Any, atol: float, rtol: float, nan: bool) -> str:
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        same = np.isclose(a.astype(wide), b.astype(wide), rtol=rtol, atol=atol, equal_nan=nan)
    if a.dtype.kind in "biu" and not (atol or rtol):
        same = a == b
    if np.all(same):
        return ""
    where = tuple(map(int, np.argwhere(~same)[0])) if same.ndim else ()
    return f"values {a[where]!r} and {b[where]!r} at {where}, {(~same).sum()} of {same.size} differ"


@contextlib.contextmanager
def heard() -> Iterator[list[warnings.WarningMessage]]:
    """The warnings of a block, also those that are given once."""
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            yield found
    finally:
        torch.set_warn_always(before)


class TestCase(unittest.TestCase):
    maxDiff = None
    exact_dtype = True
    precision = 0.0
    rel_tol = 0.0
    tolerance: float | tuple[float, float] = 0.0

    def run(self, result: unittest.TestResult | None = None) -> unittest.TestResult | None:
        torch.manual_seed(1234)
        random.seed(1234)
        np.random.seed(1234)
        try:
            return super().run(result)
        finally:
            while HANDLES:
                HANDLES.pop().remove()
            torch.set_default_dtype(torch.float32)
            torch.use_deterministic_algorithms(False)
            torch.set_grad_enabled(True)
            self.tolerance = 0.0

    def assertEqual(self, x: Any, y: Any, msg: Any = None, *, atol: Any = None, rtol: Any = None, equal_nan: bool = True, exact_dtype: bool = True, exact_stride: bool = False, **_: Any) -> None:  # type: ignore[override]  # fmt: skip
        own = self.tolerance if isinstance(self.tolerance, tuple) else (self.tolerance, self.rel_tol)
        least = (max(own[0], self.precision if isinstance(self.precision, float) else 0.0), own[1])
        exact = Exactness(atol, rtol, least, equal_nan, exact_dtype and self.exact_dtype, exact_stride)
        if found := difference(x, y, exact):
            said = msg(found) if callable(msg) else msg
            raise self.failureException(f"{found}{f' : {said}' if said else ''}"[:2000])

    def assertNotEqual(self, x: Any, y: Any, msg: Any = None, **options: Any) -> None:  # type: ignore[override]
        with self.assertRaises(AssertionError, msg=msg):
            self.assertEqual(x, y, msg, **options)

    def assertRaisesRegex(self, kind: Any, regex: Any, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        if isinstance(regex, str):
            regex = regex.replace("torch", "(?:torch|jgrad)")
        return super().assertRaisesRegex(kind, regex, *args, **kwargs)

    assertRaisesRegexIfHop = assertRaisesRegex

    def assertExpectedInline(self, actual: str, expect: str, skip: int = 0) -> None:
        if as_torch(actual).strip() != expect.strip():
            raise self.failureException(f"text: {actual!r} is not {expect!r}"[:1000])

    def assertExpectedInlineMunged(self, kind: Any, function: Any, expect: str, **_: Any) -> None:
        with self.assertRaises(kind) as caught:
            function()
        self.assertExpectedInline(str(caught.exception), expect)

    def stored_texts(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise unittest.SkipTest("compares with a file")

    assertExpected = assertExpectedRaises = stored_texts

    def assertLeaksNoCudaTensors(self, name: Any = None) -> Any:
        return contextlib.nullcontext()

    @contextlib.contextmanager
    def assertWarnsOnceRegex(self, category: Any, regex: str = "") -> Iterator[None]:
        with heard() as found:
            yield
        if not any(issubclass(w.category, category) and re.search(regex, str(w.message)) for w in found):
            raise self.failureException(f"no warning {regex!r} among {[str(w.message) for w in found]}")

    def assertNotWarn(self, function: Any, msg: Any = None) -> None:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            function()
        if found:
            raise self.failureException(f"warned: {[str(w.message) for w in found]}")

    @contextlib.contextmanager
    def maybeWarnsRegex(self, category: Any, regex: str = "") -> Iterator[None]:
        with heard():
            yield

    def compare_with_numpy(self, torch_fn: Any, np_fn: Any, tensor_like: Any, device: Any = None, dtype: Any = None, **options: Any) -> None:  # fmt: skip
        tensor = tensor_like
        if not isinstance(tensor_like, torch.Tensor):
            tensor = torch.tensor(tensor_like, device=device, dtype=dtype)
        self.assertEqual(np_fn(to_numpy(tensor)), torch_fn(tensor), **{"exact_dtype": False, **options})

    @staticmethod
    def get_device_type() -> str:
        return "cpu"

    @classmethod
    def get_primary_device(cls) -> str:
        return "cpu"


class NNTestCase(TestCase):
    def _forward(self, module: Any, input: Any) -> Any:
        return module(input)

    def _backward(self, module: Any, input: Any, output: Any, grad_output: Any, create_graph: bool = False) -> Any:  # fmt: skip
        output.backward(grad_output, retain_graph=True, create_graph=create_graph)
        return input.grad

    def _zero_grad_parameters(self, module: Any) -> None:
        for parameter in module.parameters():
            if parameter.grad is not None:
                parameter.grad.detach().zero_()

    def _get_parameters(self, module: Any) -> Any:
        parameters = list(module.parameters())
        return parameters, [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
