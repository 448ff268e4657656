"""The options of optimizers: what they mean, what is refused, and which only choose an implementation."""

from __future__ import annotations

import inspect
from typing import Any

from jgrad.tensor import Tensor

DESCRIPTIONS = {
    "lr": "the learning rate, a number or a tensor of one element",
    "betas": "how much of the running means of the gradient and of its square stays at each step",
    "eps": "added to the divisor, so that it is not zero",
    "weight_decay": "how many times the parameter is added to its gradient",
    "decoupled_weight_decay": "multiply the parameter by 1 - lr * weight_decay instead",
    "amsgrad": "divide by the largest mean square so far",
    "momentum": "how much of the running sum of gradients stays at each step",
    "momentum_decay": "how fast the momentum grows to its full value",
    "dampening": "how much less than the whole gradient is added to the running sum",
    "nesterov": "Nesterov's momentum, which looks one step ahead",
    "alpha": "how much of the running mean stays at each step",
    "beta2_decay": "the power of the step with which new squares count less and less",
    "d": "how many times its usual size a step may have",
    "ns_coefficients": "the coefficients of the polynomial that is iterated",
    "ns_steps": "how often it is iterated",
    "adjust_lr_fn": 'how the rate follows the shape of the matrix, "original" or "match_rms_adamw"',
    "rho": "how much of the running means stays at each step",
    "centered": "subtract the square of the mean gradient from the mean square",
    "lr_decay": "how much smaller the steps become",
    "initial_accumulator_value": "what the sum of squares begins with",
    "lambd": "the decay of the parameter and of the steps",
    "t0": "the step at which the average begins",
    "etas": "the factors by which a step shrinks and grows",
    "step_sizes": "the smallest and the largest step",
    "maximize": "go up instead of down",
    "foreach": "accepted and without effect: only chooses an implementation",
    "fused": "accepted and without effect: only chooses an implementation",
    "capturable": "accepted and without effect: only chooses an implementation",
    "differentiable": "must be False: steps are not recorded",
}
DESCRIPTIONS_ELSEWHERE = {
    ("ASGD", "alpha"): "the power with which the steps become smaller",
    (
        "Adafactor",
        "eps",
    ): "the least mean of squares (by default that of the dtype), and the least scale of a step",
}

# The names that PyTorch's errors have for options.
SHOWN = {"eps": "epsilon"}


def described(optimizer: type, names: str) -> str:
    """The docstring of an optimizer, with its options."""
    lines = [inspect.cleandoc(optimizer.__doc__ or ""), "", "Options:"]
    for name, parameter in inspect.signature(optimizer).parameters.items():
        if name in names.split():
            text = DESCRIPTIONS_ELSEWHERE.get((optimizer.__name__, name)) or DESCRIPTIONS[name]
            lines.append(f"    {name} (default {parameter.default}): {text}.")
    return "\n".join(lines)


def check(name: str, options: dict[str, Any]) -> None:
    """Raise PyTorch's ValueError for a value that an option can't have."""
    value = options[name]
    if name == "lr":
        if isinstance(value, Tensor) and value.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not value >= 0.0:
            raise ValueError(f"Invalid learning rate: {value}")
    elif name == "betas":
        for i, beta in enumerate(value):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
    elif name == "etas":
        if not 0.0 < value[0] < 1.0 < value[1]:
            raise ValueError(f"Invalid eta values: {value[0]}, {value[1]}")
    elif name == "nesterov":
        if value and (options["momentum"] <= 0 or options["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
    elif not value >= 0.0 or (name == "rho" and not value <= 1.0):
        raise ValueError(f"Invalid {SHOWN.get(name, name)} value: {value}")


def require(condition: bool, rule: str, value: Any) -> None:
    """Raise ValueError with the rule and the value unless the condition holds."""
    if not condition:
        raise ValueError(f"{rule} but is: {value}")


def refuse_variants(optimizer: str, options: dict[str, Any]) -> None:
    """Raise for implementations that exclude each other, as PyTorch does, and for the one that jgrad does not have."""
    if options.get("fused") and options.get("differentiable"):
        raise RuntimeError("`fused` does not support `differentiable`")
    if options.get("fused") and options["foreach"]:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
    if options.get("differentiable"):
        raise NotImplementedError(
            f"{optimizer}(differentiable=True): steps of jgrad's optimizers are not recorded"
        )


def number(value: Any) -> Any:
    """An option that may be a tensor of one element."""
    return value.item() if isinstance(value, Tensor) else value
