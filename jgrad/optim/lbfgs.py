"""L-BFGS: steps along directions that know the curvature from the last gradients; `torch.optim.LBFGS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jgrad
from jgrad import manual
from jgrad.optim.optimizer import Optimizer
from jgrad.optim.options import check, number
from jgrad.tensor import Tensor


class LBFGS(Optimizer):
    """L-BFGS: steps along directions that take the curvature into account, which it knows from the last gradients."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        check("lr", defaults)
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params: list[Tensor] = self.param_groups[0]["params"]

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._params = self.param_groups[0]["params"]

    def _gradient(self) -> Tensor:
        """The gradients of all parameters as one vector."""
        grads = [jgrad.zeros_like(p) if p.grad is None else p.grad.to_dense() for p in self._params]
        return jgrad.cat([(jgrad.view_as_real(g) if g.is_complex() else g).reshape(-1) for g in grads])

    def _move(self, length: float, direction: Tensor) -> None:
        """Change the parameters along a direction."""
        start = 0
        for p in self._params:
            values = jgrad.view_as_real(p) if p.is_complex() else p
            n = values.numel()
            values.add_(direction.narrow(0, start, n).view_as(values), alpha=length)
            start += n

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Minimize the loss: make up to `max_iter` steps."""
        with jgrad.no_grad():
            return self._minimize(jgrad.enable_grad()(closure))

    def _minimize(self, closure: Callable[[], Any]) -> Any:
        group = self.param_groups[0]
        lr, change = number(group["lr"]), group["tolerance_change"]
        search = group["line_search_fn"]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss, evaluations = float(first_loss), 1
        state["func_evals"] += 1
        grad = self._gradient()
        if grad.abs().max() <= group["tolerance_grad"]:
            return first_loss
        iteration = 0
        while iteration < group["max_iter"]:
            iteration += 1
            state["n_iter"] += 1
            direction = self._direction(state, grad, group["history_size"])
            state["d"] = direction
            if "prev_flat_grad" in state:
                state["prev_flat_grad"].copy_(grad)
            else:
                state["prev_flat_grad"] = grad.clone()
            previous = state["prev_loss"] = loss
            length: Any = min(1.0, float(1.0 / grad.abs().sum())) * lr if state["n_iter"] == 1 else lr
            state["t"] = length
            slope = grad.dot(direction)
            if slope > -change:
                break
            calls = 0
            if search is not None:
                if search != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                begin = [p.clone() for p in self._params]

                def evaluate(
                    t: float, begin: list = begin, direction: Tensor = direction
                ) -> tuple[float, Tensor]:
                    self._move(t, direction)
                    value = float(closure())
                    found = self._gradient()
                    for p, old in zip(self._params, begin, strict=True):
                        p.copy_(old)
                    return value, found

                most = group["max_eval"] - evaluations
                loss, grad, length, calls = strong_wolfe(evaluate, length, direction, loss, grad, slope, most)
                self._move(length, direction)
                state["t"] = length
            else:
                self._move(length, direction)
                if iteration != group["max_iter"]:
                    loss = float(closure())
                    grad = self._gradient()
                    calls = 1
            evaluations += calls
            state["func_evals"] += calls
            if (
                iteration == group["max_iter"]
                or evaluations >= group["max_eval"]
                or grad.abs().max() <= group["tolerance_grad"]
                or direction.mul(length).abs().max() <= change
                or abs(loss - previous) < change
            ):
                break
        return first_loss

    def _direction(self, state: dict[str, Any], grad: Tensor, history: int) -> Tensor:
        """Where to go: minus the gradient, corrected by what the last steps did to it."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1, al=[None] * history)
            return grad.neg()
        differences, steps, ro = state["old_dirs"], state["old_stps"], state["ro"]
        difference, step = grad.sub(state["prev_flat_grad"]), state["d"].mul(state["t"])
        curvature = difference.dot(step)
        if curvature > 1e-10:
            if len(differences) == history:
                for kept in (differences, steps, ro):
                    kept.pop(0)
            differences.append(difference)
            steps.append(step)
            ro.append(1.0 / curvature)
            state["H_diag"] = curvature / difference.dot(difference)
        al = state["al"]
        q = grad.neg()
        for i in reversed(range(len(differences))):
            al[i] = steps[i].dot(q) * ro[i]
            q.add_(differences[i], alpha=-al[i])
        result = q.mul(state["H_diag"])
        for i in range(len(differences)):
            result.add_(steps[i], alpha=al[i] - differences[i].dot(result) * ro[i])
        return result


def cubic(a: tuple, b: tuple, bounds: tuple[float, float] | None = None) -> float:
    """Where the cubic has its minimum that passes two points (place, value, slope), within bounds."""
    (x1, f1, g1), (x2, f2, g2) = a, b
    low, high = bounds if bounds is not None else (min(x1, x2), max(x1, x2))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    if square < 0:
        return (low + high) / 2.0
    d2 = square.sqrt() if isinstance(square, Tensor) else square**0.5
    if x1 <= x2:
        place = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        place = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(place, low), high)


def strong_wolfe(
    evaluate: Callable[[float], tuple[float, Tensor]],
    t: Any,
    direction: Tensor,
    loss: float,
    grad: Tensor,
    slope: Any,
    most: int,
) -> tuple[float, Tensor, Any, int]:
    """A length that lowers the loss enough and the slope too: first a bracket that holds one, then smaller ones."""
    enough, flatter = 1e-4, 0.9
    width = direction.abs().max()

    def at(t: Any) -> tuple:
        value, g = evaluate(float(t))
        return t, value, g.clone(), g.dot(direction)

    before: tuple = (0, loss, grad.clone(), slope)
    now, calls, rounds, done = at(t), 1, 0, False
    bracket: list[tuple] = []
    while rounds < most:
        if now[1] > loss + enough * now[0] * slope or (rounds > 1 and now[1] >= before[1]):
            bracket = [before, now]
        elif abs(now[3]) <= -flatter * slope:
            bracket, done = [now], True
        elif now[3] >= 0:
            bracket = [before, now]
        if bracket:
            break
        bounds = (now[0] + 0.01 * (now[0] - before[0]), now[0] * 10)
        t = cubic((before[0], before[1], before[3]), (now[0], now[1], now[3]), bounds)
        before, now = now, at(t)
        calls, rounds = calls + 1, rounds + 1
    if rounds == most:
        bracket = [(0, loss, grad, slope), now]
    slow = False  # whether the last length lay close to an end of the bracket
    low, high = (0, 1) if bracket[0][1] <= bracket[-1][1] else (1, 0)
    while not done and rounds < most:
        ends = (bracket[0][0], bracket[1][0])
        if abs(ends[1] - ends[0]) * width < 1e-9:
            break
        first, second = ((p[0], p[1], p[3]) for p in bracket)
        t = cubic(first, second)
        margin = 0.1 * (max(ends) - min(ends))
        if min(max(ends) - t, t - min(ends)) < margin:
            if slow or t >= max(ends) or t <= min(ends):
                t = max(ends) - margin if abs(t - max(ends)) < abs(t - min(ends)) else min(ends) + margin
                slow = False
            else:
                slow = True
        else:
            slow = False
        now = at(t)
        calls, rounds = calls + 1, rounds + 1
        if now[1] > loss + enough * now[0] * slope or now[1] >= bracket[low][1]:
            bracket[high] = now
            low, high = (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)
        else:
            if abs(now[3]) <= -flatter * slope:
                done = True
            elif now[3] * (bracket[high][0] - bracket[low][0]) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = now
    best = bracket[low if len(bracket) > 1 else 0]
    return best[1], best[2], best[0], calls


manual.attach(__name__)
