"""Derivatives of functions as functions: `grad`, `vjp`, `jvp`, Jacobians, the Hessian; `torch.func`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, cast

import jgrad
from jgrad import manual
from jgrad._pytree import (
    tree_flatten,
    tree_leaves,
    tree_map,
    tree_unflatten,
    treespec_pprint,
)
from jgrad.autograd.functional import unit_vectors
from jgrad.autograd.graph import disable_saved_tensors_hooks
from jgrad.dispatch import batched
from jgrad.dispatch.tangents import dual, ignored
from jgrad.dispatch.tangents import parts as primal_and_tangent
from jgrad.engine import differentiate
from jgrad.func.vmap import vmap
from jgrad.graph import grad_mode, levels
from jgrad.graph.levels import Level
from jgrad.tensor import Tensor
from jgrad.transforms.tracking import cut, has_history, input_of

Function = Callable[..., Any]
P = ParamSpec("P")

ALL = object()  # the number of all arguments

NO_HOOKS = "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. Please open an issue with your use case."


# Backwards --------------------------------------------------------------------------------------------------------------------


def grad(func: Callable[P, Any], argnums: Any = 0, has_aux: bool = False) -> Callable[P, Any]:
    """The function that computes the gradient of `func`, which must return a tensor without dimensions."""

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        result, value = _grad_and_value(func, argnums, has_aux, args, kwargs)
        return (result, value[1]) if has_aux else result

    return gradient


def grad_and_value(func: Callable[P, Any], argnums: Any = 0, has_aux: bool = False) -> Callable[P, Any]:
    """The function that computes the gradient of `func` and its value; `func` must return a tensor without dimensions."""

    @functools.wraps(func)
    def gradient_and_value(*args: Any, **kwargs: Any) -> tuple:
        __tracebackhide__ = True
        return _grad_and_value(func, argnums, has_aux, args, kwargs)

    return gradient_and_value


def _grad_and_value(func: Function, argnums: Any, has_aux: bool, args: tuple, kwargs: dict) -> tuple:
    __tracebackhide__ = True
    name = "grad_and_value(f)(*args)"
    with disable_saved_tensors_hooks(NO_HOOKS), levels.level() as level:
        inputs = _Inputs(args, argnums, level)
        with grad_mode.enable_grad():
            output, aux = _called(func, inputs.args, kwargs, has_aux, name)
            if not isinstance(output, Tensor):
                raise RuntimeError(f"{name}: Expected f(*args) to return a Tensor, got {type(output)}")
            if output.dim() != 0:
                raise RuntimeError(
                    f"{name}: Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} dims. Maybe you wanted to use "
                    "the vjp or jacrev APIs instead?"
                )
            result = inputs.gradients([output], None, True)
    result, output, aux = inputs.returned((result, output, aux if has_aux else ()))
    return (result, (output, aux)) if has_aux else (result, output)


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> tuple:
    """The value of a function, and a function that multiplies vectors with its Jacobian from the left."""
    return _vjp(func, primals, ALL, has_aux)


def _vjp(func: Function, args: tuple, argnums: Any, has_aux: bool) -> tuple:
    __tracebackhide__ = True
    name = "vjp(f, *primals)"
    with disable_saved_tensors_hooks(NO_HOOKS), levels.level() as level:
        inputs = _Inputs(args, argnums, level)
        with grad_mode.enable_grad():
            output, aux = _called(func, inputs.args, {}, has_aux, name)
        outputs, spec = tree_flatten(output)
        _check_outputs(outputs, name)
        for t in outputs:
            if not (t.is_floating_point() or t.is_complex()):
                raise RuntimeError(
                    f"vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype {t.dtype}"
                )

    def backward(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        """The gradients of the primals."""
        __tracebackhide__ = True
        given, given_spec = tree_flatten(cotangents)
        if given_spec != spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. cotangents: "
                f"{treespec_pprint(given_spec)}, primal output: {treespec_pprint(spec)}"
            )
        if create_graph is None:
            create_graph = grad_mode.is_grad_enabled()
        with grad_mode.set_grad_enabled(create_graph):
            return inputs.returned(inputs.gradients(outputs, given, retain_graph))

    returned = inputs.returned(output)
    return (returned, backward, inputs.returned(aux)) if has_aux else (returned, backward)


class _Inputs:
    """The arguments of a function that is differentiated backwards; see Note [Inputs of a transform] in `jgrad/transforms/tracking.py`."""

    def __init__(self, args: tuple, argnums: Any, level: Level) -> None:
        self.level = level
        chosen = args if argnums is ALL else _chosen(args, argnums)
        leaves, self.spec = tree_flatten(chosen)
        self.aliases = [self.alias(leaf) for leaf in leaves]
        self.originals = {id(a): leaf for a, leaf in zip(self.aliases, leaves, strict=True)}
        replaced = tree_unflatten(self.aliases, self.spec)
        self.args = replaced if argnums is ALL else _with_chosen(args, argnums, replaced)

    def alias(self, original: Any) -> Tensor:
        """The tensor that the function gets for this one."""
        if not isinstance(original, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(original)}")
        if not (original.is_floating_point() or original.is_complex()):
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        return input_of(self.level, original)

    def gradients(self, outputs: list[Tensor], cotangents: list | None, retain_graph: bool) -> Any:
        """The tree of the gradients of the inputs."""
        __tracebackhide__ = True
        pairs = [
            (out, weight)
            for out, weight in zip(outputs, cotangents or [None] * len(outputs), strict=True)
            if out.requires_grad
        ]
        found: tuple = (None,) * len(self.aliases)
        if pairs and self.aliases:
            outs, weights = zip(*pairs, strict=True)
            # It must be recorded itself only if a transform outside can ask for its derivative, or if it is computed for a batch.
            recorded = bool(
                set(levels.stack.levels) - {self.level}
                or any(isinstance(t, Tensor) and t.requires_grad for t in weights)
                or has_history(outs, self.level)
            )
            found = differentiate.grad(
                outs, self.aliases, weights, retain_graph or recorded, recorded, allow_unused=True
            )
        filled = [jgrad.zeros_like(a) if g is None else g for a, g in zip(self.aliases, found, strict=True)]
        return tree_unflatten(filled, self.spec)

    def returned(self, tree: Any) -> Any:
        """What the function made, as those outside of the transform get it."""

        return tree_map(
            lambda t: self.originals[id(t)] if id(_tensor(t)) in self.originals else cut(t, self.level), tree
        )


def _tensor(t: Any) -> Tensor:
    if not isinstance(t, Tensor):
        raise RuntimeError(f"Expected tensors, got unsupported type {type(t)}")
    return t


def _called(func: Function, args: Any, kwargs: dict, has_aux: bool, name: str) -> tuple:
    """The output of a function and what else it returns."""
    __tracebackhide__ = True
    output = func(*args, **kwargs)
    if not has_aux:
        return output, None
    if not (isinstance(output, tuple) and len(output) == 2):
        raise RuntimeError(
            f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return output


def _check_outputs(outputs: list, name: str) -> None:
    if not outputs or outputs == [None]:
        raise RuntimeError(
            f"{name}: Expected f to be a function that has non-empty output (got output = {outputs})"
        )
    for t in outputs:
        if not isinstance(t, Tensor):
            raise RuntimeError(
                f"{name}: expected f(*primals) to return only tensors, got unsupported type {type(t)}"
            )


# Arguments by number ----------------------------------------------------------------------------------------------------------


def _numbers(argnums: Any, count: int) -> tuple[int, ...]:
    """The numbers of the arguments that are meant, none negative."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    for number in numbers:
        if not isinstance(number, int):
            raise RuntimeError(f"argnum must be int, got: {type(number)}")
        if not -count <= number < count:
            raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    numbers = tuple([number % count for number in numbers])
    if not numbers:
        raise RuntimeError("argnums must be non-empty")
    if len(set(numbers)) != len(numbers):
        raise RuntimeError(f"argnums elements must be unique, got {numbers}")
    return numbers


def _chosen(args: tuple, argnums: Any) -> Any:
    """The arguments with these numbers: a tuple if the numbers are one."""
    chosen = tuple([args[number] for number in _numbers(argnums, len(args))])
    return chosen if isinstance(argnums, tuple) else chosen[0]


def _with_chosen(args: tuple, argnums: Any, chosen: Any) -> tuple:
    """All arguments, with others in the places of the chosen ones."""
    result = list(args)
    for number, arg in zip(
        _numbers(argnums, len(args)), chosen if isinstance(argnums, tuple) else (chosen,), strict=True
    ):
        result[number] = arg
    return tuple(result)


# Forwards ---------------------------------------------------------------------------------------------------------------------

JVP = "jvp(f, primals, tangents)"


def jvp(func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> tuple:
    """The value of a function and its derivative along tangents, both computed in one forward pass."""
    return _jvp(func, primals, tangents, None, strict, has_aux)


def _jvp(func: Function, args: Any, tangents: Any, argnums: Any, strict: bool, has_aux: bool) -> tuple:
    __tracebackhide__ = True
    if not isinstance(args, tuple):
        raise RuntimeError(
            f"{JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    primals, spec = tree_flatten(args if argnums is None else _chosen(args, argnums))
    directions, tangents_spec = tree_flatten(tangents)
    if spec != tangents_spec:
        raise RuntimeError(
            f"{JVP}: Expected primals and tangents to have the same python structure. For example, if primals is a tuple of 3 tensors, "
            f"tangents also must be. Got primals with structure {spec} and tangents with structure {tangents_spec}"
        )
    for name, leaves in (("primals", primals), ("tangents", directions)):
        if not leaves:
            raise RuntimeError(f"{JVP}: Expected {name} to contain at least one Tensor.")
        for t in leaves:
            if not isinstance(t, Tensor):
                raise RuntimeError(f"{JVP}: Expected {name} to only contain Tensors, got {type(t)}")
    with levels.level(forward=True) as level, ignored(False):
        duals = []
        for primal, tangent in zip(primals, directions, strict=True):
            for name, t in (("primal", primal), ("tangent", tangent)):
                if not (t.is_floating_point() or t.is_complex()):
                    raise ValueError(f"Expected {name} to be floating point or complex, but got: {t.dtype}")
            duals.append(dual(batched.lift(primal), batched.lift(tangent), level))
        chosen = tree_unflatten(duals, spec)
        output, aux = _called(
            func, chosen if argnums is None else _with_chosen(args, argnums, chosen), {}, has_aux, JVP
        )
        outputs, output_spec = tree_flatten(output)
        _check_outputs(outputs, JVP)
        values, derivatives = [], []
        for t in outputs:
            value, derivative = primal_and_tangent(t, level)
            if derivative is None:
                if strict:
                    raise RuntimeError(
                        "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not allowed with "
                        "strict=True."
                    )
                derivative = jgrad.zeros_like(value)
            values.append(cut(value, level))
            derivatives.append(cut(derivative, level))
        if has_aux:
            aux = tree_map(lambda t: primal_and_tangent(_tensor(t), level)[0], aux)
    result = tree_unflatten(values, output_spec), tree_unflatten(derivatives, output_spec)
    return (*result, aux) if has_aux else result


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """The value of a function, and its derivative as a linear function of tangents."""
    output, backward = vjp(func, *primals)
    outputs, output_spec = tree_flatten(output)
    with grad_mode.enable_grad():
        weights = [jgrad.zeros_like(t) for t in outputs]
        for weight in weights:
            weight._rg = True  # (`zeros_like(t, requires_grad=True)` of an example would be a batch that requires grad, not an example)
        gradients = tree_leaves(backward(tree_unflatten(weights, output_spec)))
    leaves, spec = tree_flatten(primals)

    def derivative(*tangents: Any) -> Any:
        """The derivative along the tangents."""
        __tracebackhide__ = True
        given, given_spec = tree_flatten(tangents)
        if given_spec != spec:
            raise RuntimeError(
                f"Expected the tangents {given_spec} to have the same argspec as the primals {spec}"
            )
        for i, (tangent, primal) in enumerate(zip(given, leaves, strict=True)):
            for what in ("shape", "device", "dtype"):
                if getattr(tangent, what) != getattr(primal, what):
                    raise RuntimeError(
                        f"tangent:{i} with {what} {getattr(tangent, what)} in flattened pytree doesn't match the {what} "
                        f"{getattr(primal, what)} of the corresponding primal."
                    )
        pairs = [(g, tangent) for g, tangent in zip(gradients, given, strict=True) if g.requires_grad]
        found: tuple = (None,) * len(weights)
        if pairs:
            found = differentiate.grad(
                [g for g, _ in pairs], weights, [tangent for _, tangent in pairs], create_graph=True, allow_unused=True
            )  # fmt: skip
        with_zeros = [jgrad.zeros_like(w) if t is None else t for w, t in zip(weights, found, strict=True)]
        return tree_unflatten([t.detach() for t in with_zeros], output_spec)

    return output, derivative


# Jacobians --------------------------------------------------------------------------------------------------------------------


def jacrev(
    func: Callable[P, Any],
    argnums: Any = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[P, Any]:
    """The function that computes the Jacobian of `func` by rows, going backward."""
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        __tracebackhide__ = True
        _refuse_complex("jacrev", args, "inputs")
        output, backward, *aux = _vjp(func, args, argnums, has_aux)
        outputs, output_spec = tree_flatten(output)
        _refuse_complex("jacrev", outputs, "outputs")
        primals, spec = tree_flatten(_chosen(args, argnums))
        sizes = [t.numel() for t in outputs]
        total = sum(sizes)
        parts = []
        at_once = chunk_size or max(total, 1)
        for start in range(0, max(total, 1), at_once):
            rows: list[Any] = unit_vectors(outputs, start, min(start + at_once, total))
            if chunk_size == 1:
                gradients = backward(tree_unflatten([row[0] for row in rows], output_spec))
                parts.append([g.unsqueeze(0) for g in tree_leaves(gradients)])
            else:
                parts.append(tree_leaves(vmap(backward)(tree_unflatten(rows, output_spec))))
        columns = [jgrad.cat(list(p)) if len(p) > 1 else p[0] for p in zip(*parts, strict=True)]
        blocks = [column.split(sizes) for column in columns]
        jacobians = [
            tree_unflatten(
                [block[i].view(t.shape + primal.shape) for block, primal in zip(blocks, primals, strict=True)], spec
            )
            for i, t in enumerate(outputs)
        ]  # fmt: skip
        result = tree_unflatten(jacobians, output_spec)
        return (result, *aux) if has_aux else result

    return cast(Callable[P, Any], jacobian)


def jacfwd(
    func: Callable[P, Any], argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[P, Any]:
    """The function that computes the Jacobian of `func` by columns, going forward, all at once."""

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        __tracebackhide__ = True
        _refuse_complex("jacfwd", args, "inputs")
        primals, spec = tree_flatten(args if argnums is None else _chosen(args, argnums))

        def derivative(tangents: Any) -> Any:
            output, along, *aux = _jvp(func, args, tangents, argnums, False, has_aux)
            _refuse_complex("jacfwd", tree_leaves(output), "outputs")
            return along, aux

        columns, aux = vmap(derivative, randomness=randomness)(tree_unflatten(unit_vectors(primals), spec))
        sizes = [primal.numel() for primal in primals]
        outputs, output_spec = tree_flatten(columns)
        jacobians = [
            tree_unflatten(
                [
                    block.reshape(block.shape[:-1] + primal.shape)
                    for block, primal in zip(output.movedim(0, -1).split(sizes, -1), primals, strict=True)
                ],
                spec,
            )
            for output in outputs
        ]
        result = tree_unflatten(jacobians, output_spec)
        return (result, *tree_map(lambda t: t[0], aux)) if has_aux else result

    return cast(Callable[P, Any], jacobian)


def hessian(func: Callable[P, Any], argnums: Any = 0) -> Callable[P, Any]:
    """The function that computes the second derivatives of `func`. It goes forward over backward: `jacfwd(jacrev(func))`."""
    return jacfwd(jacrev(func, argnums), argnums)


def _refuse_complex(name: str, tree: Any, what: str) -> None:
    for i, t in enumerate(tree_leaves(tree)):
        if isinstance(t, Tensor) and t.is_complex():
            raise RuntimeError(
                f"{name}: Expected all {what} to be real but received complex tensor at flattened input idx: {i}"
            )


manual.attach(__name__)
