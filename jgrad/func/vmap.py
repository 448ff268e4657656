"""`vmap`: a function that was written for one example, run on a whole batch at once.

This file takes the arguments apart, checks them and puts results together; what an operation does with a batch is `jgrad/transforms/batching.py`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

import jgrad
from jgrad import manual
from jgrad._pytree import TreeSpec, _broadcast_to_and_flatten, tree_flatten, tree_leaves, tree_unflatten
from jgrad.dispatch import batched
from jgrad.dispatch.batched import Batched
from jgrad.graph import levels
from jgrad.kernels.numpy.shape import wrap_dim
from jgrad.tensor import Tensor

P = ParamSpec("P")
R = TypeVar("R")


def vmap(
    func: Callable[P, R],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[P, R]:
    """The function that maps `func` over one dimension of its arguments, the batch, which `func` itself does not see."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        for dim in tree_leaves(out_dims):
            if dim is not None and not isinstance(dim, int):
                raise ValueError(
                    f"vmap({_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection of ints "
                    "representing where in the outputs the vmapped dimension should appear."
                )
        batch = _checked(func, in_dims, args)
        if chunk_size is None:
            return _run(func, batch, out_dims, randomness, kwargs)
        state = jgrad.get_rng_state() if randomness == "same" else None
        parts, spec = [], None
        for start in range(0, batch.size, chunk_size):
            if state is not None:
                jgrad.set_rng_state(state)
            part = _run(func, batch.part(start, chunk_size), out_dims, randomness, kwargs)
            leaves, spec = tree_flatten(part)
            parts.append(leaves)
        if spec is None:
            raise AssertionError("arg_spec must not be None")
        dims = _broadcast_to_and_flatten(out_dims, spec) or []
        return tree_unflatten(
            [jgrad.cat(pieces, dim) for pieces, dim in zip(zip(*parts, strict=True), dims, strict=True)],
            spec,
        )

    return mapped


class _Batch(NamedTuple):
    """The arguments of a mapped function: the leaves, along which dimension each is mapped, the tree that they form."""

    size: int
    dims: list[int | None]
    leaves: list[Any]
    spec: TreeSpec

    def part(self, start: int, length: int) -> _Batch:
        """Some consecutive examples."""
        length = min(length, self.size - start)
        leaves = [
            leaf if dim is None else leaf.narrow(dim, start, length)
            for leaf, dim in zip(self.leaves, self.dims, strict=True)
        ]
        return self._replace(size=length, leaves=leaves)


def _checked(func: Callable[..., Any], in_dims: Any, args: tuple) -> _Batch:
    """The arguments with the dimension of each, if `in_dims` fits them."""
    where = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{where}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function with "
            "no inputs. The latter is unsupported."
        )
    leaves, spec = tree_flatten(args)
    dims = _broadcast_to_and_flatten(in_dims, spec)
    if dims is None:
        raise ValueError(
            f"{where}: in_dims is not compatible with the structure of `inputs`. in_dims has structure {tree_flatten(in_dims)[1]} but "
            f"inputs has structure {spec}."
        )
    for i, (leaf, dim) in enumerate(zip(leaves, dims, strict=True)):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(
                f"{where}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if not isinstance(leaf, Tensor):
            raise ValueError(
                f"{where}: Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap over non-Tensor arguments, "
                "please use None as the respective in_dim"
            )
        n = leaf.dim()
        if not -n <= dim < n:
            raise ValueError(
                f"{where}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {n} so expected in_dim to satisfy "
                f"-{n} <= in_dim < {n}."
            )
        dims[i] = dim % n
    sizes = [leaf.size(dim) for leaf, dim in zip(leaves, dims, strict=True) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if len(set(sizes)) > 1:
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension"
        )
    return _Batch(sizes[0], dims, leaves, spec)


def _run(func: Callable[..., Any], batch: _Batch, out_dims: Any, randomness: str, kwargs: dict) -> Any:
    """Call the function with one example that stands for all."""
    __tracebackhide__ = True
    with levels.level(batch.size, randomness) as level:
        examples = [
            leaf if dim is None else batched.wrap(leaf, dim, level)
            for leaf, dim in zip(batch.leaves, batch.dims, strict=True)
        ]
        results = func(*tree_unflatten(examples, batch.spec), **kwargs)
        leaves, spec = tree_flatten(results)
        if isinstance(results, Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:
            dims: list | None = list(out_dims)
        else:
            dims = _broadcast_to_and_flatten(out_dims, spec)
        if dims is None:
            raise ValueError(
                f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of `outputs`. "
                f"out_dims has structure {tree_flatten(out_dims)[1]} but outputs has structure {spec}."
            )
        name = _name(func)
        return tree_unflatten(
            [_unwrapped(name, leaf, dim, level) for leaf, dim in zip(leaves, dims, strict=True)], spec
        )


def _unwrapped(name: str, result: Any, dim: int | None, level: levels.Level) -> Any:
    """The results of all examples together."""
    if dim is None:
        if isinstance(result, Batched):
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return result
    if not isinstance(result, Tensor):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(result)}. Did you mean to set out_dims= to None for output?"
        )
    return batched.unwrap(result, wrap_dim(dim, result.dim() + 1), level)


def _name(func: Callable[..., Any]) -> str:
    """What a function is called in errors."""
    if hasattr(func, "__name__"):
        return func.__name__
    if isinstance(func, functools.partial):
        return f"functools.partial({_name(func.func)}, ...)"
    return repr(func)


manual.attach(__name__)
