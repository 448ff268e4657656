"""How each library is used: how its tensors are made, and how it runs forward and backward."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks import THREADS

Run = Callable[[], Any]
Arrays = Sequence[Any]


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def incoming(result: np.ndarray) -> np.ndarray:
    """The gradient for a result: the same random one in all libraries, or 1 if the result is a number."""
    gradient = random(*result.shape, seed=99) if result.shape else np.ones(())
    return gradient.astype(result.dtype)


class System:
    """NumPy by hand. The class of a library overrides what differs. `lib` is the module that the function of a row gets."""

    name = "NumPy"

    def __init__(self, lib: Any = np) -> None:
        self.lib = lib

    def leaf(self, value: np.ndarray) -> Any:
        """A tensor whose operators are recorded."""
        return value

    def plain(self, value: np.ndarray) -> Any:
        """A tensor whose operators are not recorded."""
        return value

    def constant(self, value: Any) -> Any:
        """An operand without a gradient, such as an index, in the form that users of the library would give it."""
        return value

    def array(self, tensor: Any) -> np.ndarray:
        return np.asarray(tensor)

    def differentiate(
        self,
        function: Callable[..., Any],
        inputs: Arrays,
        constants: Arrays = (),
        gradient: np.ndarray | None = None,
    ) -> Run:
        """A run that goes forward and backward from a gradient of the result (random, but the same for all systems). It returns the result and
        the gradients of the inputs. By hand, `function` returns its result, and the function from its gradient to those of the inputs."""
        if gradient is None:
            gradient = incoming(np.asarray(function(*inputs, *constants)[0]))

        def run() -> Any:
            result, backward = function(*inputs, *constants)
            return result, *backward(gradient)

        return run


class TorchLike(System):
    """jgrad and PyTorch: one text for both."""

    def leaf(self, value: np.ndarray) -> Any:
        return self.lib.tensor(value, requires_grad=True)

    def plain(self, value: np.ndarray) -> Any:
        return self.lib.tensor(value)

    def constant(self, value: Any) -> Any:
        return self.lib.tensor(value) if isinstance(value, np.ndarray) else value

    def array(self, tensor: Any) -> np.ndarray:
        return tensor.detach().numpy().copy() if hasattr(tensor, "detach") else np.asarray(tensor)

    def differentiate(
        self,
        function: Callable[..., Any],
        inputs: Arrays,
        constants: Arrays = (),
        gradient: np.ndarray | None = None,
    ) -> Run:
        lib, leaves, fixed = self.lib, [*map(self.leaf, inputs)], [*map(self.constant, constants)]
        if gradient is None:
            gradient = incoming(self.array(function(lib, *leaves, *fixed)))
        given = lib.tensor(gradient) if gradient.shape else None

        def run() -> Any:
            for leaf in leaves:
                leaf.grad = None
            result = function(lib, *leaves, *fixed)
            result.backward(given)
            return result, *[leaf.grad for leaf in leaves]

        return run


class JGrad(TorchLike):
    name = "jgrad"

    def __init__(self) -> None:
        super().__init__(importlib.import_module("jgrad"))


class PyTorch(TorchLike):
    name = "PyTorch"

    def __init__(self) -> None:
        super().__init__(importlib.import_module("torch"))
        self.lib.set_num_threads(THREADS)


class Autograd(System):
    """HIPS autograd: functions of arrays, which are traced with boxes in every run."""

    name = "autograd"

    def __init__(self) -> None:
        super().__init__(importlib.import_module("autograd.numpy"))
        self.autograd = importlib.import_module("autograd")
        self.core, self.tracer = (importlib.import_module(f"autograd.{part}") for part in ("core", "tracer"))

    def leaf(self, value: np.ndarray) -> Any:
        """The box that a traced function gets, so that one operator can be measured without the start of a trace."""
        return self.tracer.new_box(value, 0, self.core.VJPNode.new_root())

    def array(self, tensor: Any) -> np.ndarray:
        return np.asarray(getattr(tensor, "_value", tensor))

    def differentiate(
        self,
        function: Callable[..., Any],
        inputs: Arrays,
        constants: Arrays = (),
        gradient: np.ndarray | None = None,
    ) -> Run:
        lib = self.lib
        if len(inputs) == 1:
            traced = self.autograd.make_vjp(lambda x: function(lib, x, *constants))
            given, gradients = inputs[0], lambda back: (back,)
        else:
            traced = self.autograd.make_vjp(lambda values: function(lib, *values, *constants))
            given, gradients = tuple(inputs), tuple
        if gradient is None:
            gradient = incoming(np.asarray(traced(given)[1]))

        def run() -> Any:
            vjp, result = traced(given)
            return result, *gradients(vjp(gradient))

        return run


class MyGrad(System):
    """mygrad, without its memory guarding, which is on by default and slow."""

    name = "mygrad"

    def __init__(self) -> None:
        super().__init__(importlib.import_module("mygrad"))
        self.lib.turn_memory_guarding_off()

    def leaf(self, value: np.ndarray) -> Any:
        return self.lib.tensor(value, copy=False)

    def plain(self, value: np.ndarray) -> Any:
        return self.lib.tensor(value, constant=True)

    def array(self, tensor: Any) -> np.ndarray:
        return np.asarray(tensor.data if isinstance(tensor, self.lib.Tensor) else tensor).copy()

    def differentiate(
        self,
        function: Callable[..., Any],
        inputs: Arrays,
        constants: Arrays = (),
        gradient: np.ndarray | None = None,
    ) -> Run:
        lib, leaves = self.lib, [*map(self.leaf, inputs)]
        if gradient is None:
            gradient = incoming(function(lib, *leaves, *constants).data)

        def run() -> Any:
            result = function(lib, *leaves, *constants)
            result.backward(gradient)  # this replaces what was in .grad
            return result, *[leaf.grad for leaf in leaves]

        return run


KINDS: tuple[type[System], ...] = (JGrad, PyTorch, System, Autograd, MyGrad)
NAMES = tuple(kind.name for kind in KINDS)
JGRAD, TORCH, NUMPY, AUTOGRAD, MYGRAD = NAMES


def installed() -> dict[str, System]:
    """The systems by name. Those that are not installed are left out, with a message."""
    found = {}
    for kind in KINDS:
        try:
            found[kind.name] = kind()
        except ImportError:
            print(f'{kind.name} is not installed and left out: pip install ".[bench]"', file=sys.stderr)
    return found
