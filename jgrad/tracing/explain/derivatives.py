"""Whether the backward of a custom Function is the derivative of its forward: tried out on the numbers of a trace.

The Function runs again, on copies in float64, unobserved. It is blamed only where the numbers leave no doubt. Functions whose backward is
something else on purpose give themselves away: straight-through estimators have a forward that is flat everywhere, reversed or scaled
gradients one that changes nothing, clipped gradients a backward that is not linear. Where a forward is flat in part, as clamp() is, the rest
is compared.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Any

import numpy as np

from jgrad import mirrors
from jgrad.observer import unobserved
from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.purity import pure
from jgrad.tracing.record.records import FunctionUse

STEP = 1e-5  # by which an element is changed, relative to its size
MOST = 100_000  # elements of an input
TRIED = 24  # of which so many are changed
SECONDS = 0.25  # of processor time that a trial may take; a slower Function is left alone
WRONG = 0.05  # relative difference from which a derivative is wrong
SMOOTH = 1e-3  # relative difference up to which the derivatives to the left and to the right are the same
FLAT = 1e-9  # a slope below is none
ALIKE = 1e-3  # relative difference up to which factors are the same


@dataclass
class Wrong:
    """A gradient that is not the derivative: of which argument, and two numbers for one of its elements."""

    argument: int  # position among the tensors
    given: float
    right: float
    factor: float | None  # if all elements are wrong by the same factor


def wrong_derivative(log: Log, use: FunctionUse) -> Wrong | None:
    """What is wrong with the backward of a custom Function, as it was used in a step; None if nothing is, or if that is not sure."""
    step, function, numbers = use.step, use.function, use.tensors
    if function.__module__.startswith(("jgrad.", "torch.")):
        return None
    names = ("forward", "setup_context", "backward", "vjp")
    methods = [value for name in names for value in [vars(function).get(name)] if value is not None]
    library = mirrors.library_of_function(function)
    with unobserved(), library.enable_grad(), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if not all(pure(getattr(method, "__func__", method), log.source) for method in methods):
                return None
            arrays = [_array(log, number, step) for number in numbers]
            if any(array is None for array in arrays):
                return None
            needed = [log.state(number, step)["requires_grad"] for number in numbers]
            return _Trial(function, library, use.arguments, arrays, needed).wrong()
        except Exception:  # of the user's code, on numbers that it may not be made for
            return None


def _array(log: Log, number: int, step: int) -> Any:
    """The numbers of a tensor as a step found them. Of a large one the trace holds the first, and they stand in place of the others too."""
    tensor = log.state(number, step)
    cells = log.contents(tensor["storage"], step)
    numel = cells["numel"]
    if (
        not cells["head"]
        or numel > MOST
        or tensor["dtype"].startswith("complex")
        or log.document["storages"][tensor["storage"]]["dtype"] != tensor["dtype"]
    ):
        return None
    if tensor["dtype"] == "bool":
        flat = np.array([text == "True" for text in cells["elements"]])
    else:
        flat = np.array([float(text) for text in cells["elements"]]).astype(
            np.float64 if "float" in tensor["dtype"] else tensor["dtype"]
        )
    flat = np.resize(flat[: cells["head"]], numel)
    strides = [s * flat.itemsize for s in tensor["stride"]]
    return np.lib.stride_tricks.as_strided(flat[tensor["storage_offset"] :], tensor["shape"], strides).copy()


class _Trial:
    """A custom Function with numbers to try it on."""

    def __init__(
        self, function: Any, library: Any, plain: dict[str, object], arrays: list[Any], needed: Sequence[bool]
    ) -> None:
        self.function, self.library, self.plain, self.arrays = function, library, plain, arrays
        self.until = thread_time() + SECONDS
        self.needed = [
            k for k, (a, n) in enumerate(zip(arrays, needed, strict=True)) if n and a.dtype == np.float64
        ]

    def wrong(self) -> Wrong | None:
        """The first input whose gradient is not the derivative; None also where that is not sure."""
        weights = self._weights()
        if weights is None:
            return None
        gradients, found = self._gradients(weights), None
        for k in self.needed:
            given = gradients[k]
            if given is None or not given.any():
                continue  # no gradient is meant to come here
            pairs, chosen = {}, False
            for place in range(0, given.size, -(-given.size // TRIED)):
                one = given.flat[place]
                left, right = self._slope(k, place, weights)
                slope, scale = (left + right) / 2, max(abs(left), abs(right))
                if not math.isfinite(slope + one):
                    return None
                chosen = chosen or scale < FLAT < abs(one)
                if scale >= FLAT and abs(left - right) <= SMOOTH * scale:  # else it is a corner
                    pairs[place] = one, slope
            if chosen and not pairs:
                return None  # a flat forward has a derivative of choice
            found = found or self._judged(k, pairs, weights, chosen)
        return found

    def _judged(
        self, k: int, pairs: dict[int, tuple[float, float]], weights: list[Any], chosen: bool
    ) -> Wrong | None:
        """What is wrong with the gradient of an input. `pairs`: what backward gives for an element, and its slope. `chosen`: there are others, where
        forward is flat."""
        bad = [p for p, (one, slope) in pairs.items() if abs(one - slope) > WRONG * max(abs(one), abs(slope))]
        if not bad:
            return None
        factors = [one / slope for one, slope in pairs.values()]
        same = not chosen and max(factors) - min(factors) <= ALIKE * max(map(abs, factors))
        # As sum() would have it, for numbers that are easily compared.
        ones = [np.ones_like(w) for w in weights]
        given = self._gradients(ones)[k]
        return Wrong(
            k, float(given.flat[bad[0]]), sum(self._slope(k, bad[0], ones)) / 2, factors[0] if same else None
        )

    def _tensors(self, arrays: list[Any], requires: bool) -> list[Any]:
        made = [self.library.from_numpy(a.copy()) for a in arrays]
        for k in self.needed if requires else ():
            made[k].requires_grad_()
        return made

    def _run(self, tensors: list[Any]) -> list[Any]:
        """The results in float64. What is no tensor has its position among all arguments."""
        if thread_time() > self.until:
            raise TimeoutError
        rest = iter(tensors)
        count = len(tensors) + len(self.plain)
        given = [self.plain[str(i)] if str(i) in self.plain else next(rest) for i in range(count)]
        result = self.function.apply(*given)
        results = result if isinstance(result, tuple) else (result,)
        return [t for t in results if mirrors.is_tensor(t) and t.dtype.is_floating_point]

    def _weights(self) -> list[Any] | None:
        """Positive weights for the elements of the results; None if nothing can be said about this Function."""
        first, second = (self._run(self._tensors(self.arrays, False)) for _ in range(2))
        arrays = [*map(_elements, first)]
        if not self.needed or not arrays or any(a.dtype != np.float64 for a in arrays):
            return None
        if any(not np.array_equal(a, _elements(t)) for a, t in zip(arrays, second, strict=True)):
            return None  # there is chance in it, or state
        if any(np.array_equal(a, b) for a in arrays for b in self.arrays):
            return None  # forward only passes its input on: the gradient is what is changed on purpose
        numbers = np.random.Generator(np.random.PCG64(0))
        weights = [numbers.uniform(0.5, 1.5, a.shape) for a in arrays]
        return weights if self._linear(weights) else None

    def _linear(self, weights: list[Any]) -> bool:
        """Whether backward is linear, as every derivative is."""
        numbers = np.random.Generator(np.random.PCG64(1))
        others = [numbers.uniform(-3, 3, w.shape) for w in weights]
        began = thread_time()
        self._gradients(weights)
        self.until += thread_time() - began  # PyTorch's first backward takes longer than all that follow
        a, b = self._gradients(weights), self._gradients(others)
        both = self._gradients([2 * v + w for v, w in zip(weights, others, strict=True)])
        known = [
            (x, y, z)
            for x, y, z in zip(a, b, both, strict=True)
            if x is not None and y is not None and z is not None
        ]
        return all(np.allclose(2 * x + y, z, rtol=1e-6, atol=1e-9) for x, y, z in known)

    def _gradients(self, weights: list[Any]) -> list[Any]:
        """What backward gives for each input, for the weighted sum of the results."""
        inputs = self._tensors(self.arrays, True)
        for result, weight in zip(self._run(inputs), weights, strict=True):
            if result.requires_grad:
                result.backward(self.library.from_numpy(weight.copy()), retain_graph=True)
        return [None if t.grad is None else _elements(t.grad).copy() for t in inputs]

    def _slope(self, k: int, place: int, weights: list[Any]) -> tuple[float, float]:
        """The slopes of the weighted sum, to the left and to the right of an element of an input."""
        step = STEP * max(1.0, abs(self.arrays[k].flat[place]))
        here, left, right = (self._sum(k, place, by, weights) for by in (0.0, -step, step))
        return (here - left) / step, (right - here) / step

    def _sum(self, k: int, place: int, by: float, weights: list[Any]) -> float:
        changed = [a.copy() for a in self.arrays]
        changed[k].flat[place] += by
        results = self._run(self._tensors(changed, False))
        return sum(float((_elements(t) * w).sum()) for t, w in zip(results, weights, strict=True))


def _elements(tensor: Any) -> Any:
    """The elements of a tensor of any library, as an array."""
    return mirrors.mirror(tensor)._a
