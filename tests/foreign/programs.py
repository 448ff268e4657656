"""Programs that make every kind of fused kernel: operations by name, forward and backward, as expressions of `x` and what belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jgrad
from tests.foreign import fusing
from tests.foreign.device import on_the_device

POINTWISE = """
x.sigmoid() | x.tanh() | x.relu() | x.lerp(y, 0.3) | x.lerp(y, 0.7) | x.addcmul(y, z, value=0.5) | x.addcmul(y, z) | x.addcdiv(y, z, value=2) |
lib.add(x, y, alpha=3) | x.sub(y, alpha=0.5) | x / (y + 1) | x.clamp(-0.5, 0.5) | x.abs() | x.where(x > 0, y) | x.rsqrt() | x.sinh() | x.cosh() |
x.asin() | x.acos() | x.atan() | x.asinh() | x.acosh() | x.atanh() | x.exp2() | x.log1p() | x.log2() | x.expm1() | x.erf() | x.erfc() | x.square() |
lib.atan2(x, y) | lib.hypot(x, y) | x.xlogy(y) | lib.logaddexp(x, y) | x.tan() | x.sign() * y | x.deg2rad() | lib.maximum(x, y) | lib.fmin(x, y) |
F.gelu(x) | F.gelu(x, approximate="tanh") | F.silu(x) | F.mish(x) | F.softplus(x) | F.softplus(x, 2.0) | F.elu(x, 0.7) | F.selu(x) | F.celu(x, 1.5) |
F.leaky_relu(x, 0.2) | F.leaky_relu(x, 2.0) | F.hardtanh(x) | F.hardsigmoid(x) | F.hardswish(x) | F.hardshrink(x) | F.softshrink(x) | F.logsigmoid(x) |
F.threshold(x, 0.1, 5.0) | F.prelu(x, w) | F.glu(x)
"""
REDUCING = """
x.softmax(1) | x.log_softmax(0) | F.layer_norm(x, (6,), w6, w6) | F.layer_norm(x, (6,)) | F.batch_norm(x, m, v, w6, w6, True) | F.batch_norm(x, m, v) |
F.batch_norm(image, m4, v4, None, None, True) | F.group_norm(image, 2) | F.max_pool2d(image, 2) | F.max_pool2d(image, 3, 2, 1) |
F.cross_entropy(x, c) | F.cross_entropy(x, c, w6.detach().abs()) | F.nll_loss(x, c, reduction="sum", ignore_index=2) | F.mse_loss(x, y) | x.norm(dim=1) | x.var(1) |
F.embedding(c, y) | x.gather(1, c[:, None]) | x.scatter_add(1, c[:, None], y[:, :1]) | F.dropout(x) | F.binary_cross_entropy_with_logits(x, y.sigmoid()) |
lib.bernoulli(x.sigmoid()) * x | F.scaled_dot_product_attention(image, image, image)
"""
IN_PLACE = "mul_(3) | add_(y) | add_(y, alpha=2.5) | div_(y) | sub_(1.5) | lerp_(y, 0.2) | addcmul_(y, z, value=0.1) | sigmoid_() | neg_() | clamp_(0, 1)"
DRAWN = """
uniform_(-1, 2) | normal_(1, 3) | exponential_(2) | cauchy_(1, 2) | log_normal_() | geometric_(0.2) | bernoulli_(0.4) | random_() | random_(7)
"""


def texts(several: str) -> list[str]:
    return " ".join(several.split()).split(" | ")


def run(text: str, dtype: Any, place: str = "cuda") -> list[Any]:
    """A program of this dtype: its result, the gradients and what it updates. Numbers are drawn on the CPU, except by the program."""
    shapes: dict[str, tuple[int, ...]] = {
        "x": (5, 6),
        "y": (5, 6),
        "z": (5, 6),
        "image": (2, 4, 6, 6),
        "w": (1,),
        "w6": (6,),
    }
    inputs = {
        name: jgrad.randn(*shape).to(dtype).to(place).requires_grad_() for name, shape in shapes.items()
    }
    state = {
        name: jgrad.ones(n, dtype=dtype, device=place)
        for name, n in {"m": 6, "v": 6, "m4": 4, "v4": 4}.items()
    }
    classes = jgrad.randint(0, 5, (5,)).to(place)
    names = {"lib": jgrad, "F": jgrad.nn.functional, "c": classes, **inputs, **state}
    result = eval(text, names)
    found = [result, *state.values()]
    if result.requires_grad:
        ones = jgrad.ones_like(result)
        found += jgrad.autograd.grad(result, list(inputs.values()), ones, allow_unused=True)
    return found


def kernels() -> list[Any]:
    """The fused kernels, in what they compute all different."""
    before = len(fusing.every)
    with on_the_device():
        for name in ("float16", "float32", "float64"):
            dtype = getattr(jgrad, name)
            for text in texts(POINTWISE) + texts(REDUCING):
                run(text, dtype)
            for text in texts(IN_PLACE):
                run(f"x.detach().{text}", dtype)
            for text in texts(DRAWN):
                run(f"x.detach().{text}", dtype)
        for name in ("int64", "int32", "uint8", "bool"):
            jgrad.empty(9, dtype=getattr(jgrad, name), device="cuda").random_()
        jgrad.randint(-(2**62), 2**62, (9,), device="cuda")
    found = {k.arguments: k for k in fusing.every[before:]}
    return list(found.values())


def step_of(optimizer: Callable[..., Any]) -> Callable[[], None]:
    """A step of an optimizer of one parameter, after a first one."""
    parameter = jgrad.nn.Parameter(jgrad.randn(64, 128, device="cuda"))
    parameter.grad = jgrad.randn(64, 128, device="cuda")
    chosen = optimizer([parameter])
    chosen.step()
    return chosen.step
