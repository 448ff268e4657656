"""Stand-ins for the helpers of PyTorch's own tests, for whichever library `torch` names.

Only what decides how a test runs is here. A test that needs another helper gets a `Missing`, so it fails on both libraries, and is not counted.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import inspect
import io
import itertools
import os
import random
import tempfile
import unittest
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any

import numpy as np
import torch

from tests.public import cases, comparing
from tests.public.missing import Missing

# Decorators


def for_others(*args: Any, **kwargs: Any) -> Any:
    """A decorator that is for other devices and builds: nothing happens, with arguments or without."""
    if len(args) == 1 and not kwargs and (inspect.isfunction(args[0]) or inspect.isclass(args[0])):
        return args[0]
    return lambda test: test


def taken_away(*args: Any, **kwargs: Any) -> Any:
    """A decorator of tests that do not run here."""
    away = unittest.skip("not here")
    if len(args) == 1 and not kwargs and (inspect.isfunction(args[0]) or inspect.isclass(args[0])):
        return away(args[0])
    return away


def skipped_if(condition: Any, reason: str = "", device_type: str | None = None, **_: Any) -> Any:
    return taken_away if condition and device_type in (None, "cpu") else for_others


def suppress_warnings(test: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return test(*args, **kwargs)

    return run


# Dtypes

INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
FLOATS = (torch.float32, torch.float64)
COMPLEX = (torch.complex64, torch.complex128)
# What the helper modules call these groups.
GROUPS: dict[str, tuple[Any, ...]] = {
    "floating_types": FLOATS,
    "integral_types": INTEGERS,
    "complex_types": COMPLEX,
    "all_types": FLOATS + INTEGERS,
    "floating_and_complex_types": FLOATS + COMPLEX,
    "all_types_and_complex": FLOATS + INTEGERS + COMPLEX,
}
NUMPY_TO_TORCH: dict[Any, Any] = {
    kind: getattr(torch, np.dtype(kind).name)
    for kind in (np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64, np.complex64, np.complex128)
}  # fmt: skip


def group_and(group: tuple[Any, ...]) -> Callable[..., tuple[Any, ...]]:
    return lambda *more: group + tuple(dtype for dtype in more if dtype not in group)


def get_all_dtypes(include_half: bool = True, include_bfloat16: bool = True, include_bool: bool = True, include_complex: bool = True, **_: Any) -> list[Any]:  # fmt: skip
    others = [torch.bool] * include_bool + [*COMPLEX] * include_complex
    return [*INTEGERS, *get_all_fp_dtypes(include_half, include_bfloat16), *others]


def get_all_fp_dtypes(include_half: bool = True, include_bfloat16: bool = True) -> list[Any]:
    return [*FLOATS, *[torch.float16] * include_half, *[torch.bfloat16] * include_bfloat16]


DTYPES: dict[str, Any] = {
    **{name: lambda group=group: group for name, group in GROUPS.items()},
    **{f"{name}_and": group_and(group) for name, group in GROUPS.items()},
    "get_all_dtypes": get_all_dtypes,
    "get_all_fp_dtypes": get_all_fp_dtypes,
    "get_all_int_dtypes": lambda: list(INTEGERS),
    "get_all_math_dtypes": lambda device: [*INTEGERS, *FLOATS, *COMPLEX],
    "float_to_corresponding_complex_type_map": dict(zip(FLOATS, COMPLEX, strict=True)),
    "numpy_to_torch_dtype_dict": NUMPY_TO_TORCH,
    "torch_to_numpy_dtype_dict": {ours: kind for kind, ours in NUMPY_TO_TORCH.items()} | {torch.bfloat16: np.float32},
    "dtype_name": lambda dtype: str(dtype).rpartition(".")[2],
}  # fmt: skip


# Blocks


@contextlib.contextmanager
def setting(read: Callable[[], Any], write: Callable[[Any], Any], value: Any) -> Iterator[None]:
    """A block in which something global has another value."""
    before = read()
    write(value)
    try:
        yield
    finally:
        write(before)


def set_default_dtype(dtype: Any) -> Any:
    return setting(torch.get_default_dtype, torch.set_default_dtype, dtype)


def set_warn_always_context(value: bool) -> Any:
    return setting(torch.is_warn_always_enabled, torch.set_warn_always, value)


def freeze_rng_state() -> Any:
    return setting(torch.get_rng_state, torch.set_rng_state, torch.get_rng_state())


def deterministic(value: bool, *, warn_only: bool = False, **_: Any) -> Any:
    def read() -> tuple[bool, bool]:
        return (
            torch.are_deterministic_algorithms_enabled(),
            torch.is_deterministic_algorithms_warn_only_enabled(),
        )

    def write(values: tuple[bool, bool]) -> None:
        torch.use_deterministic_algorithms(values[0], warn_only=values[1])

    return setting(read, write, (value, warn_only))


def typed_storages_warn(value: bool) -> Any:
    storage = torch.storage
    return setting(
        storage._get_always_warn_typed_storage_removal,
        storage._set_always_warn_typed_storage_removal,
        value,
    )


@contextlib.contextmanager
def disable_gc() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextlib.contextmanager
def temporary_file(*args: Any, **kwargs: Any) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield os.path.join(folder, "file")


class BytesIOContext(io.BytesIO):
    """It stays open at the end of a block."""

    def __exit__(self, *_: object) -> None:
        pass


# Derivatives


def gradcheck(function: Any, inputs: Any, **options: Any) -> bool:
    return torch.autograd.gradcheck(function, inputs, **{"check_batched_grad": False, "fast_mode": True, **options})  # fmt: skip


def gradgradcheck(function: Any, inputs: Any, grad_outputs: Any = None, **options: Any) -> bool:
    return torch.autograd.gradgradcheck(function, inputs, grad_outputs, **{"check_batched_grad": False, "fast_mode": True, **options})  # fmt: skip


def check_both_orders(case: unittest.TestCase, function: Any, inputs: Any, **options: Any) -> None:
    case.assertTrue(gradcheck(function, inputs, **options))
    case.assertTrue(gradgradcheck(function, inputs, **options))


# Tensors and modules


def set_seed(seed: int) -> None:
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)


def noncontiguous_like(t: Any) -> Any:
    """The same values, every second element of a larger tensor."""
    if not t.is_contiguous():
        return t
    wider = t.new_ones((*t.shape, 2))
    wider[..., 1] = t.detach()
    return wider[..., 1].requires_grad_(t.requires_grad)


def matrices(make: Callable[[Any], Any]) -> Callable[..., Any]:
    """A maker of random square matrices with a property."""
    return lambda size, *batch, **options: make(torch.randn(*batch, size, size, **options))


def positive(a: Any) -> Any:
    return a @ a.mH + 1e-5 * torch.eye(a.shape[-1], dtype=a.dtype, device=a.device)


def of_singular_values(a: Any, values: Any) -> Any:
    """A matrix with these singular values, and the singular vectors of `a`."""
    u, _, vh = torch.linalg.svd(a, full_matrices=False)
    return (u * values.to(a.dtype).unsqueeze(-2)) @ vh


def with_distinct_singular_values(*shape: int, device: Any, dtype: Any, requires_grad: bool = False) -> Any:
    with torch.no_grad():
        a = torch.testing.make_tensor(shape, device=device, dtype=dtype)
        count = torch.arange(2, min(shape[-2:]) + 2, dtype=a.real.dtype if a.is_complex() else dtype)
        signs = 1 - 2 * (torch.arange(len(count)) % 2)
        made = of_singular_values(a, 1 + signs / count)
    return made.requires_grad_(requires_grad)


def well_conditioned(*shape: int, dtype: Any, device: Any, mean: float = 1.0, sigma: float = 0.001) -> Any:
    a = torch.rand(shape, dtype=dtype, device=device)
    real = torch.randn(*shape[:-2], min(shape[-2:]), dtype=a.abs().dtype, device=device)
    return of_singular_values(a, (real * sigma + mean).sort(-1, descending=True).values)


def square_matrix_of_rank(size: int, rank: int, dtype: Any = torch.double, device: str = "cpu") -> Any:
    a = torch.randn(size, size, dtype=dtype, device=device)
    values = torch.linalg.svdvals(a)
    return of_singular_values(a, torch.where(torch.arange(size) < rank, values.clamp(min=1e-3), 0.0))


class Layer(torch.nn.Module):
    """A parameter and a buffer, under the names that the tests of modules look for."""

    def __init__(self) -> None:
        super().__init__()
        self.layer_dummy_param = torch.nn.Parameter(torch.empty(3, 5))
        self.register_buffer("layer_dummy_buf", torch.zeros(1, 3, 3, 7))


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.l1 = Layer()
        self.dummy_param = torch.nn.Parameter(torch.empty(3, 5))
        self.register_buffer("dummy_buf", torch.zeros(7, 3, 3, 1))


def small_nets() -> tuple[Any, Any, Any]:
    net = Net()
    return Layer(), net, torch.nn.Sequential(net, net)


def check_empty_input(case: Any, module: Any, input: Any, check_size: bool = True, inference: bool = False) -> None:  # fmt: skip
    """A module takes an input without elements, and its gradients are zeros."""
    input.requires_grad_(not inference)
    output = module(input)
    if check_size:
        case.assertEqual(output.size(), input.size())
    if inference:
        return
    output.backward(torch.rand_like(output))
    for tensor in (input, *module.parameters()):
        if tensor.requires_grad and tensor.grad is not None:
            case.assertEqual(tensor.grad, torch.zeros_like(tensor.grad))


def iter_indices(t: Any) -> Any:
    if t.dim() < 2:
        return range(t.size(0)) if t.dim() else range(0)
    return itertools.product(*map(range, t.size()))


def bytes_to_scalar(values: Sequence[int], dtype: Any, device: Any) -> Any:
    kind = next(kind for kind, ours in NUMPY_TO_TORCH.items() if ours == dtype)
    return torch.tensor(np.frombuffer(bytes(values), kind)[0].item(), dtype=dtype, device=device)


def installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


# What runs only on other devices, for hours, or from a list of PyTorch's.
AWAY = "slowTest onlyCUDA deviceCountAtLeast largeTensorTest ops modules skipIfNotRegistered skipIfNoFBGEMM given"
OTHERS = (
    "wrapDeterministicFlagAPITest expectedFailureMeta expectedFailureXLA onlyCPU onlyNativeDeviceTypes onlyNativeDeviceTypesAnd dtypesIfCUDA "
    "dtypesIfMPS disableMkldnn disablecuDNN tf32_on_and_off with_tf32_off gcIfJetson precisionOverrideIfCUDA reduced_f32_on_and_off"
)
LISTS = "module_tests new_module_tests criterion_tests op_db binary_ufuncs unary_ufuncs reduction_ops spectral_funcs module_db"
NAMES: dict[str, Any] = {
    **dict.fromkeys(AWAY.split(), taken_away),
    **dict.fromkeys(OTHERS.split(), for_others),
    **{name: [] for name in LISTS.split()},
    **DTYPES,
    "TestCase": comparing.TestCase,
    "NNTestCase": comparing.NNTestCase,
    "run_tests": lambda: None,
    "load_tests": None,
    "parametrize": cases.parametrize,
    "subtest": cases.subtest,
    "instantiate_parametrized_tests": cases.instantiate_parametrized_tests,
    "instantiate_device_type_tests": cases.instantiate_device_type_tests,
    "dtypes": cases.marked("dtypes"),
    "dtypesIfCPU": cases.marked("dtypes_of_cpu"),
    "precisionOverride": cases.tolerances,
    "toleranceOverride": cases.tolerances,
    "tol": lambda *, atol, rtol: (atol, rtol),
    "make_tensor": torch.testing.make_tensor,
    "gradcheck": gradcheck,
    "gradgradcheck": gradgradcheck,
    "_assertGradAndGradgradChecks": check_both_orders,
    "suppress_warnings": suppress_warnings,
    "DeterministicGuard": deterministic,
    "set_default_dtype": set_default_dtype,
    "freeze_rng_state": freeze_rng_state,
    "set_warn_always_context": set_warn_always_context,
    "AlwaysWarnTypedStorageRemoval": typed_storages_warn,
    "disable_gc": disable_gc,
    "TemporaryFileName": temporary_file,
    "TemporaryDirectoryName": lambda suffix=None: tempfile.TemporaryDirectory(suffix=suffix),
    "BytesIOContext": BytesIOContext,
    "noncontiguous_like": noncontiguous_like,
    "iter_indices": iter_indices,
    "bytes_to_scalar": bytes_to_scalar,
    "_create_basic_net": small_nets,
    "_test_module_empty_input": check_empty_input,
    "set_rng_seed": set_seed,
    "get_all_device_types": lambda: ["cpu"],
    "GRADCHECK_NONDET_TOL": 0.0,
    "TEST_NUMPY": True,
    "TEST_SCIPY": installed("scipy"),
    "TEST_OPT_EINSUM": installed("opt_einsum"),
    "TEST_DILL": installed("dill"),
    "HAS_DILL": installed("dill"),
    "IS_FILESYSTEM_UTF8_ENCODING": True,
    "PYTORCH_CUDA_MEMCHECK": False,
    "PLATFORM_SUPPORTS_FUSED_SDPA": False,
    "NO_MULTIPROCESSING_SPAWN": False,
    "_get_torch_cuda_version": lambda: (0, 0),
    "_get_magma_version": lambda: (0, 0),
    "tf32_is_not_fp32": lambda: False,
    "tf32_off": contextlib.nullcontext,
    "tf32_on": contextlib.nullcontext,
    "skipIfNoSciPy": for_others if installed("scipy") else taken_away,
    "skipCPUIf": skipped_if,
    "skipIf": skipped_if,
    "loss_reference_fns": {},
    "random_symmetric_matrix": matrices(lambda a: (a + a.mT) / 2),
    "random_hermitian_matrix": matrices(lambda a: (a + a.mH) / 2),
    "random_hermitian_psd_matrix": matrices(lambda a: a @ a.mH),
    "random_symmetric_psd_matrix": matrices(lambda a: a @ a.mT),
    "random_hermitian_pd_matrix": matrices(lambda a: a @ a.mH + torch.eye(a.shape[-1], dtype=a.dtype)),
    "random_symmetric_pd_matrix": matrices(positive),
    "make_fullrank_matrices_with_distinct_singular_values": with_distinct_singular_values,
    "random_square_matrix_of_rank": square_matrix_of_rank,
    "random_well_conditioned_matrix": well_conditioned,
}


def helper(name: str) -> Any:
    """What a test file gets that imports this name from one of PyTorch's helper modules."""
    if name in NAMES:
        return NAMES[name]
    if name.startswith("skip"):
        return for_others
    if name.startswith(("IS_", "TEST_", "SM")):
        return False
    return Missing(name)
