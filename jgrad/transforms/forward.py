"""Forward-mode differentiation: tensors that carry a tangent, the derivative along one direction.

Note [The derivative of the derivative]: no operation declares a forward derivative. Its declaration describes how a gradient goes back through
it, `v -> J^H v`, and that map is linear in `v`; so its own gradient is the way forward, `t -> J t`, and the engine knows how to get it. One
formula stays the only source of all derivatives, at the price of evaluating it twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad import observer
from jgrad.dispatch.batched import same_without_history, tensors_among
from jgrad.dispatch.recording import argument_of, attribute, parameters
from jgrad.dispatch.tangents import attach, carried, stripped, tangent_of_view, tangents_of, zeros
from jgrad.engine.differentiate import grad
from jgrad.graph import grad_mode
from jgrad.graph.levels import Level
from jgrad.graph.view import geometry_of
from jgrad.kernels import libraries
from jgrad.tensor import Tensor

NOT_IMPLEMENTED = (
    "Trying to use forward AD with {} that does not support it because it has not been implemented yet.\nPlease file an issue to PyTorch "
    "at https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml so that we can prioritize its implementation or submit "
    "a PR adding the implementation to derivatives.yaml"
)


def propagate(overload: Any, values: list[Any], outputs: tuple, at: list[Level]) -> None:
    """Give the results of an operation their tangents."""
    __tracebackhide__ = True
    with observer.unobserved():
        for level in at:
            for output, tangent in zip(outputs, derivatives(overload, values, outputs, level), strict=True):
                if tangent is not None:
                    attach(output, level, tangent)


def propagate_write(overload: Any, values: list[Any], before: Tensor, at: list[Level]) -> None:
    """After an in-place write: the tangent of what was written to, in place too, so that views and base see it."""
    __tracebackhide__ = True
    target: Tensor = values[0]
    for level in at:
        (tangent,) = derivatives(overload, [before, *values[1:]], (target,), level)
        present = tangents_of(target).get(level)
        if tangent is None:
            tangent = zeros(target)
        if present is None and target._view is not None:
            present = tangent_of_view(target, level)
        if present is None:
            attach(target, level, tangent)
        else:
            present.copy_(tangent)


# A level that is never open. It stands for the transform of which the gradients to be transposed are the inputs.
OVER = Level(0, None, "error", False, False)
OVER.open = False


def derivatives(overload: Any, values: list[Any], outputs: tuple, level: Level) -> list[Tensor | None]:
    """The tangents of an operation's results at one level, None for results that have no derivative.

    See Note [The derivative of the derivative].
    """
    __tracebackhide__ = True
    differentiable = [overload.differentiable(i, t) for i, t in enumerate(outputs)]
    if not any(differentiable) or overload.node is None:
        return [None] * len(outputs)
    tangent = tangents_of(values[0]).get(level) if overload.view else None
    if tangent is not None and (
        overload.name != "as_strided" or geometry_of(tangent._a) == geometry_of(values[0]._a)
    ):  # the same view of the tangent
        found = overload.run([tangent, *values[1:]])
        return list(found) if len(outputs) > 1 or overload.outputs != 1 else [found]
    if not overload.formulas:
        raise NotImplementedError(NOT_IMPLEMENTED.format(overload.name))
    given = [_stripped(v, level) for v in values]
    with grad_mode.enable_grad():
        cotangents = [_seed(t) if can else None for t, can in zip(outputs, differentiable, strict=True)]
        gradients, directions = _gradients(overload, values, given, outputs, cotangents, level)
    seeds = [v for v in cotangents if v is not None]
    results = _transposed(overload, gradients, seeds, directions)
    # Where the formula is the identity the tangent is the argument's own; a write to it would reach that one too.
    results = [
        r.clone()
        if r is not None and any(libraries.of(r._a).kernels.overlap(r._a, d._a) for d in directions)
        else r
        for r in results
    ]
    if not any(t.requires_grad for t in tensors_among([*given, *outputs, *directions])):
        # Some formulas leave a trace of the gradient that was made up for them.
        results = [r if r is None else same_without_history(r) for r in results]
    by_output = iter(results)
    return [
        None if not can else zeros(t) if (r := next(by_output)) is None else r
        for can, t in zip(differentiable, outputs, strict=True)
    ]


def _stripped(value: Any, level: Level) -> Any:
    """An argument without its tangents at a level."""
    if value.__class__ is list or value.__class__ is tuple:
        return type(value)([_stripped(v, level) for v in value])
    return stripped(value, level) if isinstance(value, Tensor) else value


def _seed(output: Tensor) -> Tensor:
    """A gradient of zeros for a result, which the gradients of the arguments then depend on."""
    seed = zeros(output)
    seed._rg = True
    # Where a formula is not linear in the gradient by its form alone (that of matrix_exp) the result still leads here.
    vars(seed)["input_of"] = OVER
    return seed


def _gradients(
    overload: Any,
    values: list[Any],
    given: list[Any],
    outputs: tuple,
    cotangents: list[Tensor | None],
    level: Level,
) -> tuple[list[Tensor], list[Tensor]]:
    """The recorded gradients of those arguments that have a tangent, and these tangents in the shapes and dtypes of the gradients.

    `values` are the arguments with their tangents, `given` those without.
    """
    moving = [i for i in overload.recording.inputs if level in carried([values[i]])]
    backward = going_back(overload, given, [_stripped(t, level) for t in outputs], cotangents, moving)
    gradients, directions = [], []
    for i in moving:
        pairs: Any = [(values[i], backward(i))]
        if values[i].__class__ is list:
            pairs = zip(values[i], pairs[0][1], strict=True)
        for argument, gradient in pairs:
            tangent = tangents_of(argument).get(level) if isinstance(argument, Tensor) else None
            if tangent is None or gradient is None or not gradient.requires_grad:
                continue
            if gradient._a.dtype.kind == "c" != tangent._a.dtype.kind:
                tangent = tangent.to(gradient.dtype)
            elif gradient._a.dtype.kind != "c" == tangent._a.dtype.kind:
                tangent = tangent.real
            gradients.append(gradient)
            directions.append(tangent.expand(gradient._a.shape).to(gradient.dtype))
    return gradients, directions


def _transposed(
    overload: Any, gradients: list[Tensor], seeds: list[Tensor], directions: list[Tensor]
) -> list[Tensor | None]:
    """The derivatives of the gradients with respect to the seeds, which are the tangents of the results."""
    __tracebackhide__ = True
    if not gradients:
        return [None] * len(seeds)
    try:
        found = grad(gradients, seeds, directions, create_graph=grad_mode.mode.enabled, allow_unused=True)
    except RuntimeError as error:  # (NotImplementedError is one)
        if "is not implemented" not in str(error):
            raise
        raise NotImplementedError(NOT_IMPLEMENTED.format(overload.name)) from None
    return list(found)


def going_back(
    overload: Any, values: list[Any], outputs: list[Any], gradients: list[Any], moving: list[int]
) -> Callable:
    """A function that returns the recorded gradient for argument i of an operation, by its declared formula.

    It is only called for the arguments in `moving`. `gradients` are those of the results, None for results without a derivative.
    """
    positions = {p.name: i for i, p in enumerate(overload.params)}
    computed: dict[Any, Any] = {}

    def named(name: str, output_mask: tuple) -> Any:
        if name == "grad":
            return gradients[0]
        if name == "grads":
            return gradients
        if name == "output_mask":
            return output_mask
        if name in overload.derived:
            return overload.derived[name](*values)
        if name in overload.result_names:
            return outputs[overload.result_names.index(name)]
        if name in positions:
            return values[positions[name]]
        return attribute(name, values[positions[argument_of(name)]])

    def backward(i: int) -> Any:
        formula = overload.formulas[overload.params[i].name]
        sharing = [
            j for j in overload.recording.inputs if overload.formulas[overload.params[j].name] is formula
        ]
        if formula not in computed:
            output_mask = tuple([j in moving for j in sharing])
            result = formula(*[named(name, output_mask) for name in parameters(formula)])
            computed[formula] = result if len(sharing) > 1 else (result,)
        return computed[formula][sharing.index(i)]

    return backward
