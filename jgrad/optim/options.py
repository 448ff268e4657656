"""The options of optimizers: their annotations, what is refused, and which only choose an implementation."""

from __future__ import annotations

import re
from typing import Any

from jgrad import manual
from jgrad.tensor import Tensor

# The annotation of an option wherever an optimizer has it.
KINDS = {
    "params": "Any",
    "lr": "Any",
    "betas": "tuple[float, float]",
    "eps": "float",
    "weight_decay": "float",
    "decoupled_weight_decay": "bool",
    "amsgrad": "bool",
    "momentum": "float",
    "momentum_decay": "float",
    "dampening": "float",
    "nesterov": "bool",
    "alpha": "float",
    "beta2_decay": "float",
    "d": "float",
    "ns_coefficients": "tuple[float, float, float]",
    "ns_steps": "int",
    "adjust_lr_fn": "str | None",
    "rho": "float",
    "centered": "bool",
    "lr_decay": "float",
    "initial_accumulator_value": "float",
    "lambd": "float",
    "t0": "float",
    "etas": "tuple[float, float]",
    "step_sizes": "tuple[float, float]",
    "maximize": "bool",
    "foreach": "bool | None",
    "fused": "bool | None",
    "capturable": "bool",
    "differentiable": "bool",
}

# The names that PyTorch's errors have for options.
SHOWN = {"eps": "epsilon"}


BETWEEN = re.compile(r", (?![^(\[]*[)\]])")  # parameters, not what is in brackets
PARAMETER = re.compile(r"(\w+)(?:: ([^=]+?))?(?: ?= ?(.+))?")  # its name, annotation and default


def initializer(optimizer: type) -> Any:
    """`__init__` with the parameters that the `_signature` of an optimizer lists."""
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


def check(name: str, options: dict[str, Any]) -> None:
    """Raise PyTorch's ValueError for a value that an option can't have. (Of a text, Python's own TypeError names the operands in their order.)"""
    value = options[name]
    if name == "lr":
        check_number(value)
        if not 0.0 <= value:  # noqa: SIM300
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
    elif not 0.0 <= value or (name == "rho" and not value <= 1.0):  # noqa: SIM300
        raise ValueError(f"Invalid {SHOWN.get(name, name)} value: {value}")


def check_number(lr: Any) -> None:
    """Raise PyTorch's ValueError for a learning rate that is a tensor of several elements."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def require(condition: bool, rule: str, value: Any) -> None:
    """Raise ValueError with the rule and the value unless the condition holds."""
    if not condition:
        raise ValueError(f"{rule} but is: {value}")


def refuse_variants(options: dict[str, Any]) -> None:
    """Raise for implementations that exclude each other, as PyTorch does."""
    if options.get("fused") and options.get("differentiable"):
        raise RuntimeError("`fused` does not support `differentiable`")
    if options.get("fused") and options["foreach"]:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def number(value: Any) -> Any:
    """An option that may be a tensor of one element. One that requires grad stays a tensor: steps that are recorded lead to it."""
    return value.item() if isinstance(value, Tensor) and not value.requires_grad else value


def plus(grad: Tensor, param: Tensor, decay: Any) -> Tensor:
    """The gradient and a part of the parameter: a number, or a tensor of one element that requires grad."""
    return grad.addcmul(param.clone(), decay) if isinstance(decay, Tensor) else grad.add(param, alpha=decay)


def kept(tensor: Tensor, group: dict[str, Any]) -> Tensor:
    """A tensor that the next operation reads and a later one writes to: a copy if the step is recorded."""
    return tensor.clone() if group.get("differentiable") else tensor


manual.attach(__name__)
