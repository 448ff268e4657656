"""Custom Functions inside of transforms: on a batch, and with tangents."""

from __future__ import annotations

from typing import Any, NamedTuple

from jgrad._pytree import tree_map
from jgrad.dispatch import TABLE, batched, tangents
from jgrad.dispatch.batched import Batched
from jgrad.dtypes import INEXACT
from jgrad.graph import levels
from jgrad.graph.levels import Level
from jgrad.kernels import libraries
from jgrad.tensor import Tensor
from jgrad.transforms.batching import nth

GUIDE = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"


class VmapInfo(NamedTuple):
    """The batch, as the `vmap` of a Function gets it described."""

    batch_size: int
    randomness: str


def check_style(separate: bool) -> None:
    """Inside a transform forward can't get a ctx: what it would do with it depends on the level."""
    if not separate:
        raise RuntimeError(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override the "
            f"setup_context staticmethod. {GUIDE}"
        )


def forward_of_batch(cls: Any, overridden: bool, args: tuple, level: Level) -> Any:
    """What forward gives for a batch: by the Function's own `vmap` (if it is `overridden`), or example by example."""
    if overridden and cls.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an overridden vmap staticmethod. Please set "
            f"generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid ambiguity. {GUIDE}"
        )
    if not overridden and not cls.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Please override and implement the vmap staticmethod "
            f"or set generate_vmap_rule=True. {GUIDE}"
        )
    assert level.size is not None

    def here(a: Any) -> bool:
        return isinstance(a, Batched) and a.level is level

    with levels.suspended(level):
        if not any(here(a) and a.bdim is not None for a in args):
            return tree_map(
                lambda t: batched.batched(t, None, level) if isinstance(t, Tensor) else t,
                cls.apply(*[a.value if here(a) else a for a in args]),
            )
        if not overridden:
            return one_by_one(cls, args, level)
        dims: Any = tuple([a.bdim if here(a) else None for a in args])
        values = [a.value if here(a) else a for a in args]
        returned = cls.vmap(VmapInfo(level.size, level.randomness), dims, *values)
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise RuntimeError(
            "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure compatible with the output. "
            f"Got a {type(returned)} instead"
        )
    output, out_dims = returned
    if not isinstance(output, tuple):
        return batched.batched(output, out_dims, level)
    dims = out_dims if isinstance(out_dims, (tuple, list)) else (out_dims,) * len(output)
    return tuple(
        [tree_map(lambda t, d=d: batched.batched(t, d, level), o) for o, d in zip(output, dims, strict=True)]
    )


def one_by_one(cls: Any, args: tuple, level: Level) -> Any:
    """Forward for each example, stacked."""
    stack = TABLE["stack"].function
    assert level.size is not None
    found = [cls.apply(*nth(list(args), n)) for n in range(level.size)]
    if not isinstance(found[0], tuple):
        return batched.batched(stack(found), 0, level)
    return tuple(
        [
            batched.batched(stack(list(results)), 0, level) if isinstance(results[0], Tensor) else results[0]
            for results in zip(*found, strict=True)
        ]
    )


def carry_tangents(cls: Any, ctx: Any, args: tuple, outputs: tuple, dirty: tuple, at: list[Level]) -> None:
    """Give the outputs of a Function the tangents that its `jvp` makes. None stands among the outputs for one that can have none."""
    __tracebackhide__ = True
    for level in at:
        directions = []
        for a in args:
            tangent = tangents.tangents_of(a).get(level) if isinstance(a, Tensor) else None
            if tangent is None and isinstance(a, Tensor) and a._a.dtype.kind in INEXACT:
                tangent = tangents.zeros(a)
            directions.append(tangent)
        versions = [None if t is None else t._version for t in directions]
        ctx.in_jvp = level
        try:
            results = cls.jvp(ctx, *directions)
        finally:
            ctx.in_jvp = None
        results = results if isinstance(results, tuple) else (results,)
        if len(results) != len(outputs):
            raise RuntimeError(
                f"Function's jvp returned an invalid number of forward gradients (expected {len(outputs)} but got {len(results)})"
            )
        for i, (output, result) in enumerate(zip(outputs, results, strict=True)):
            if not isinstance(output, Tensor):
                if isinstance(result, Tensor):
                    raise RuntimeError(
                        f"Function's jvp returned a gradient at position {i}, but  the corresponding forward output is not a differentiable "
                        "Tensor.You should return None at that position instead."
                    )
                continue
            if result is None:
                raise RuntimeError(
                    "Expected both tensor and its forward grad to be floating point or complex"
                )
            sources = [
                (t, version)
                for a, t, version in zip(args, directions, versions, strict=True)
                if t is not None and _overlap(a, output)
            ]
            written = any(output is t for t in dirty)
            if written or output._view is not None:
                _check_same_memory(output, result, sources, written)
            _check_shape(output, result)
            if (
                output._view is None
                and not written
                and any(t is not None and _overlap(t, result) for t in directions)
            ):
                result = result.clone()
            tangents.attach(output, level, result)


def _overlap(a: Tensor, b: Tensor) -> bool:
    return libraries.library_of(a._a).kernels.overlap(a._a, b._a)


def _check_shape(output: Tensor, result: Tensor) -> None:
    if result._a.shape != output._a.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. "
            f"Tensor is of size {list(output._a.shape)} while the given forward gradient is of size {list(result._a.shape)}."
        )


def _check_same_memory(output: Tensor, result: Tensor, sources: list, written: bool) -> None:
    """What forward did to an input in place, or what it showed of it, `jvp` must have done to its tangent. `sources`: the tangents of the inputs
    in whose memory the output lies, and the versions that they had before."""
    __tracebackhide__ = True
    if written:
        if any(version == result._version for _, version in sources):
            raise RuntimeError(
                "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is modifying an "
                "input inplace, then the jvp function must modify the corresponding gradient inplace."
            )
        if not any(t is result for t, _ in sources):
            raise RuntimeError(
                "An inplace custom Function is not returning the forward mode gradients as-is. If the forward is modifying an "
                "input inplace, then the jvp function must modify the gradient inplace and return it as-is."
            )
        return
    if result._view is None:
        raise RuntimeError(
            "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
        )
    if sources and not any(_overlap(t, result) for t, _ in sources):
        where = "the given" if sources[0][0]._view is None else "the same base as the given"
        raise RuntimeError(
            f"A custom Function is returning a view but the jvp is not returning a view of {where} grad input."
        )
