"""The comparisons hold where PyTorch was built with CUDA and there is no GPU: here that build is imitated."""

from __future__ import annotations

import types

import pytest

torch = pytest.importorskip("torch")

from tests.cuda import test_memory as devices  # noqa: E402
from tests.same_as_torch import oracle  # noqa: E402
from tests.same_as_torch.random_programs import always_warning  # noqa: E402
from tests.same_as_torch.test_programs import OF_THE_BUILD, compare, on_pytorch  # noqa: E402

pytestmark = pytest.mark.quick

NO_DRIVER = (
    "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from "
    "http://www.nvidia.com/Download/index.aspx"
)


@pytest.fixture
def built_with_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch has CUDA's functions, and finds no driver when it calls them."""

    def refuse() -> None:
        raise RuntimeError(NO_DRIVER)

    on_pytorch.cache_clear()
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.cuda, "_cudart", types.SimpleNamespace())
    monkeypatch.setattr(torch._C, "_cuda_init", refuse, raising=False)
    monkeypatch.setattr(torch._C, "_cuda_getDeviceCount", lambda: 0, raising=False)


def test_another_build_says_other_things(built_with_cuda: None) -> None:
    assert oracle.built_with_cuda()
    for use in (torch.cuda.current_device, torch.ones(1).cuda, lambda: torch.ones(1, device="cuda")):
        with pytest.raises(RuntimeError, match="Found no NVIDIA driver"):
            use()


def test_programs_do_not_depend_on_the_build(built_with_cuda: None) -> None:
    assert len(OF_THE_BUILD) > 5
    with always_warning():
        for program in OF_THE_BUILD:
            compare(program)


def test_other_programs_do_not_ask_for_cuda(built_with_cuda: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not recognised as depending on the build doesn't."""
    from tests.programs import PROGRAMS, run

    asked = []
    monkeypatch.setattr(torch._C, "_cuda_init", lambda: asked.append(1), raising=False)
    for program in PROGRAMS:
        if program not in OF_THE_BUILD and "cuda" in program.text:
            run(torch, program)
    assert not asked


@pytest.mark.parametrize("expression", devices.ALIKE)
def test_devices_do_not_depend_on_the_build(expression: str, built_with_cuda: None) -> None:
    devices.test_without_a_gpu(expression)


def test_an_answer_that_is_no_longer_pytorchs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "cuda", None)
    with pytest.raises(AssertionError, match="stores the answer anew"):
        oracle.without_cuda("cuda.is_available()", lambda: ["True"])
