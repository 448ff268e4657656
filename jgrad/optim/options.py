"""The options of optimizers: what they mean, what is refused, and which only choose an implementation."""

from __future__ import annotations

import inspect
import re
from typing import Any

from jgrad.tensor import Tensor

# What an option is wherever an optimizer has it: its annotation, and what it means.
OPTIONS = {
    "params: Any": 'the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options',
    "lr: Any": "the learning rate, which scales the steps, a number or a tensor of one element",
    "betas: tuple[float, float]": "how much of the running means of the gradient and of its square stays at each step, each from 0 to below 1",
    "eps: float": "added to the divisor, so that it is not zero",
    "weight_decay: float": "the parameter times this number is added to its gradient, which draws the parameter to zero",
    "decoupled_weight_decay: bool": "whether the parameter is multiplied by 1 - lr * weight_decay, and the gradient stays as it is",
    "amsgrad: bool": "whether to divide by the largest running mean of squares so far, instead of the current one",
    "momentum: float": "how much of the running sum of gradients stays at each step; 0 means that only the current gradient counts",
    "momentum_decay: float": "how fast the momentum grows to its full value",
    "dampening: float": "from the second step on, the gradient is multiplied by 1 - dampening before it is added to the running sum",
    "nesterov: bool": "whether to use Nesterov's momentum, which looks one step ahead; it needs a momentum and no dampening",
    "alpha: float": "how much of the running mean of the squared gradient stays at each step",
    "beta2_decay: float": "the squared gradient of step t counts t ** beta2_decay in the running mean; at most 0",
    "d: float": "the largest root mean square that the divided gradient may have; larger ones are scaled down to it",
    "ns_coefficients: tuple[float, float, float]": "the three coefficients of the polynomial that makes the steps orthogonal",
    "ns_steps: int": "how often this polynomial is applied",
    "adjust_lr_fn: str | None": 'how the learning rate follows the shape of the matrix: "original" (also None) or "match_rms_adamw"',
    "rho: float": "how much of the two running means stays at each step",
    "centered: bool": "whether to divide by the standard deviation of the gradient, instead of its root mean square",
    "lr_decay: float": "at step t the learning rate is divided by 1 + (t - 1) * lr_decay",
    "initial_accumulator_value: float": "what the sum of squares begins with",
    "lambd: float": "how fast parameters and steps become smaller",
    "t0: float": "the step after which the average begins",
    "etas: tuple[float, float]": "the two factors by which a step shrinks and grows",
    "step_sizes: tuple[float, float]": "the smallest and the largest step",
    "maximize: bool": "whether to go up instead of down: to maximize the loss",
    "foreach: bool | None": "accepted, but without effect in jgrad; in PyTorch, a choice of implementation",
    "fused: bool | None": "accepted, but without effect in jgrad; in PyTorch, a choice of implementation",
    "capturable: bool": "accepted, but without effect in jgrad; in PyTorch, a choice of implementation",
    "differentiable: bool": "must be False in jgrad, which does not record steps; True raises NotImplementedError",
}
KINDS = dict(option.split(": ") for option in OPTIONS)
TEXTS = dict(zip(KINDS, OPTIONS.values(), strict=True))
DECOUPLED = "before each step the parameter is multiplied by 1 - lr * weight_decay"
TEXTS_ELSEWHERE = {
    ("ASGD", "alpha"): "the power with which the steps become smaller",
    ("AdamW", "weight_decay"): DECOUPLED,
    ("Adafactor", "weight_decay"): DECOUPLED,
    ("Muon", "weight_decay"): DECOUPLED,
    ("Adafactor", "lr"): "the largest step, relative to the root mean square of the parameter; at step t it is at most 1 / sqrt(t)",
    ("Adafactor", "eps"): "two numbers: the least mean of squares (None means that of the dtype), and the least scale of a step",
    ("Adadelta", "eps"): "added to both running means before their roots are taken",
    ("Adamax", "eps"): "added to the absolute value of the gradient",
    ("Adamax", "betas"): "how much of the running mean of the gradient, and of its largest absolute value, stays at each step",
    ("RMSprop", "momentum"): "how much of the running sum of divided gradients stays at each step; 0 means that only the current one counts",
    ("Muon", "momentum"): "how much of the running mean of gradients stays at each step",
    ("Muon", "nesterov"): "whether to use Nesterov's momentum, which looks one step ahead",
    ("Muon", "eps"): "the least norm by which the mean of gradients is divided",
    ("Rprop", "lr"): "the first step of every number, a number or a tensor of one element",
}  # fmt: skip

# The names that PyTorch's errors have for options.
SHOWN = {"eps": "epsilon"}


BETWEEN = re.compile(r", (?![^(\[]*[)\]])")  # parameters, not what is in brackets
PARAMETER = re.compile(r"(\w+)(?:: ([^=]+?))?(?: ?= ?(.+))?")  # its name, annotation and default


def initializer(optimizer: type) -> Any:
    """`__init__` with the parameters that the `_signature` of an optimizer lists.

    An annotation is that of the option wherever it is, unless the signature has another. A switch without a default is off.
    """
    lines = [
        f"def __init__(self, params: Any, {', '.join(map(_parameter, BETWEEN.split(optimizer._signature)))}) -> None:",  # type: ignore[attr-defined]
        "    self._begin(params, locals())",
    ]
    defined: dict[str, Any] = {}
    source = "from __future__ import annotations\n" + "\n".join(lines)
    exec(compile(source, f"<jgrad optim.{optimizer.__name__}>", "exec"), {}, defined)
    made = defined["__init__"]
    made.__qualname__, made.__module__ = f"{optimizer.__qualname__}.__init__", optimizer.__module__
    return made


def _parameter(text: str) -> str:
    """A parameter as Python writes it."""
    found = PARAMETER.fullmatch(text)
    if found is None:
        return text  # the star
    name, kind, default = found.groups()
    kind = kind or KINDS[name]
    return f"{name}: {kind} = {default or {'bool': 'False', 'bool | None': 'None'}[kind]}"


def described(optimizer: type, names: str) -> str:
    """The docstring of an optimizer: its own text, and its parameters before the example; those that mean the same are in one line."""
    own, mark, example = inspect.cleandoc(optimizer.__doc__ or "").partition("\n\n>>> ")
    by_text: dict[str, list[str]] = {}
    for name in inspect.signature(optimizer).parameters:
        if name in ("params", *names.split()):
            text = TEXTS_ELSEWHERE.get((optimizer.__name__, name)) or TEXTS[name]
            by_text.setdefault(text, []).append(name)
    lines = [f"    {', '.join(group)}: {text}" for text, group in by_text.items()]
    return "\n".join([own, "", "Args:", *lines]) + mark + example


def check(name: str, options: dict[str, Any]) -> None:
    """Raise PyTorch's ValueError for a value that an option can't have."""
    value = options[name]
    if name == "lr":
        check_number(value)
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


def check_number(lr: Any) -> None:
    """Raise PyTorch's ValueError for a learning rate that is a tensor of several elements."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


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
