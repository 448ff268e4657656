"""Forward-mode differentiation: tensors that carry a tangent, the derivative along one direction.

Note [The derivative of the derivative]: no operation declares a forward derivative. Its declaration says how a gradient goes back through
it, `v -> J^H v`, and that map is linear in `v`; so its own gradient is the way forward, `t -> J t`, and the engine knows how to get it. One
formula stays the only source of all derivatives, at the price of evaluating it twice.

Note [Tangents]: `_rare.tangents` of a tensor holds its tangent for each level that is open, the tangent of a view being a view of the
tangent. A tangent may carry tangents of levels further out; of levels further in it knows nothing. That is what keeps nested derivatives
from being confused: the tangent of a level is computed from arguments that were stripped of this level and all levels inside of it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from jgrad import observer
from jgrad.graph import batched, grad_mode, levels
from jgrad.graph.batched import Batched, same_without_history, tensors_among
from jgrad.graph.levels import Level
from jgrad.graph.node import accumulator_of
from jgrad.graph.view import dense, geometry_of
from jgrad.kernels import libraries
from jgrad.tensor import Tensor, _plain

# Tensors and their tangents ---------------------------------------------------------------------------------------------------


def dual(primal: Tensor, tangent: Tensor, level: Level) -> Tensor:
    """A view of `primal` that carries a tangent."""
    __tracebackhide__ = True
    if level in tangents_of(primal):
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not supported."
        )
    if tangent._a.shape != primal._a.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. Tensor is "
            f"of size {list(primal._a.shape)} while the given forward gradient is of size {list(tangent._a.shape)}."
        )
    result = primal.view_as(primal)
    attach(result, level, tangent)
    return result


def parts(tensor: Tensor, level: Level) -> tuple[Tensor, Tensor | None]:
    """The tensor without its tangent of this level, and the tangent."""
    tangent = tangents_of(tensor).get(level)
    return (tensor, None) if tangent is None else (stripped(tensor, level), tangent)


def tangents_of(t: Tensor) -> dict[Level, Tensor]:
    """The tangents that a tensor carries, by level."""
    if t._rare is None or not t._rare.tangents:
        return {}
    return {level: tangent for level, tangent in t._rare.tangents.items() if level.open}


def differentiated(t: Tensor) -> bool:
    """Whether a derivative with respect to this tensor may be asked for, at any level."""
    if (t.requires_grad and grad_mode.mode.enabled) or tangents_of(t):
        return True
    return isinstance(t, Batched) and differentiated(t.value)


def attach(t: Tensor, level: Level, tangent: Tensor) -> None:
    """Give a tensor its tangent, in the tensor's own strides, so that what is a view of the one can be one of the other; and different for
    each example of the batches that are open outside of the level, so that it can be written to whatever the write depends on."""
    if t._view is None:
        tangent = widened(
            tangent, [at for at in levels.stack.levels if at.size is not None and at.number < level.number]
        )
    if tangent._a.strides != t._a.strides and dense(t._a) and not isinstance(t, Batched):
        item = t._a.itemsize
        copy = _plain(t._a).new_empty_strided(
            t._a.shape, tuple([s // item for s in t._a.strides]), dtype=tangent.dtype
        )
        tangent = copy.copy_(tangent)
    t._extras().tangents = {**tangents_of(t), level: tangent}


def widened(t: Tensor, at: list[Level]) -> Tensor:
    """A tensor that has elements of its own for each example at all of these levels, the outermost first."""
    present = set()
    value = t
    while isinstance(value, Batched):
        if value.bdim is not None:
            present.add(value.level)
        value = value.value
    missing = [level for level in at if level not in present]
    if not missing:
        return t
    shape = (*[level.size or 0 for level in missing], *t._a.shape)
    ones: Any = _plain(libraries.full(1, shape, t._a.dtype, t.device))
    for level in missing:
        ones = batched.wrap(ones, 0, level)
    # An operation, which carries along the history of `t` and its tangents of levels further out.
    return ones * t


NOT_IMPLEMENTED = (
    "Trying to use forward AD with {} that does not support it because it has not been implemented yet.\nPlease file an issue to PyTorch "
    "at https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml so that we can prioritize its implementation or submit "
    "a PR adding the implementation to derivatives.yaml"
)


def stripped(t: Tensor, level: Level) -> Tensor:
    """The same tensor, at the same place of the graph, without its tangents of this level and those inside of it."""
    found = tangents_of(t)
    kept = {at: tangent for at, tangent in found.items() if at.number < level.number}
    if len(kept) == len(found):
        return t
    result: Any = object.__new__(Batched if isinstance(t, Batched) else Tensor)
    if isinstance(t, Batched):
        result.value, result.bdim, result.level = t.value, t.bdim, t.level
    result._a, result._vc, result._view = t._a, t._counter, t._view
    result._fn, result._nr, result._rg, result._grad, result._rare = t._fn, t._nr, t._rg, None, None
    if t._fn is None and t._rg:
        result._fn = accumulator_of(t)  # it stands for this very leaf
    if kept:
        result._extras().tangents = kept
    return result


class _Ignoring(threading.local):
    tangents = False


ignoring = _Ignoring()


@contextlib.contextmanager
def no_tangents() -> Iterator[None]:
    """A block in which operations carry no tangents on, as `no_grad` for the way forward."""
    before, ignoring.tangents = ignoring.tangents, True
    try:
        yield
    finally:
        ignoring.tangents = before


def carried(values: list[Any]) -> list[Level]:
    """The levels at which any argument of an operation carries a tangent, the outermost first."""
    if ignoring.tangents:
        return []
    found = {level for t in tensors_among(values) if t._rare is not None for level in tangents_of(t)}
    return sorted(found, key=lambda level: level.number)


# Operations on them -----------------------------------------------------------------------------------------------------------


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


def tangent_of_view(view: Tensor, level: Level) -> Tensor | None:
    """A view of a tensor that had no tangent so far gets one, of zeros, and its base with it."""
    base = view._view.base
    if base._a.dtype != view._a.dtype or isinstance(base, Batched):
        return None
    whole = tangents_of(base).get(level)
    if whole is None:
        attach(base, level, zeros(base))
        whole = tangents_of(base)[level]
    offset = view.storage_offset() - base.storage_offset() + whole.storage_offset()
    part = whole.as_strided(view._a.shape, view.stride(), offset)
    view._extras().tangents = {**tangents_of(view), level: part}
    return part


def zeros(t: Tensor) -> Tensor:
    """Zeros like a tensor, batched where it is."""
    made: Tensor = _plain(libraries.full(0, t._a.shape, t._a.dtype, t.device))
    return batched.batched(made, None, t.level) if isinstance(t, Batched) else made


OVER = Level(
    0, None, "error", False, False
)  # the transform that the gradients to be transposed are inputs of
OVER.open = False


def derivatives(overload: Any, values: list[Any], outputs: tuple, level: Level) -> list[Tensor | None]:
    """The tangents of an operation's results at one level; see Note [The derivative of the derivative]."""
    __tracebackhide__ = True

    def strip(v: Any) -> Any:
        if v.__class__ is list or v.__class__ is tuple:
            return type(v)([strip(x) for x in v])
        return stripped(v, level) if isinstance(v, Tensor) else v

    differentiable = [overload.differentiable(i, t) for i, t in enumerate(outputs)]
    if not any(differentiable) or overload.node is None:
        return [None] * len(outputs)
    tangent = tangents_of(values[0]).get(level) if overload.view else None
    if tangent is not None and (
        overload.name != "as_strided" or geometry_of(tangent._a) == geometry_of(values[0]._a)
    ):
        found = overload.run([tangent, *values[1:]])
        return list(found) if len(outputs) > 1 or overload.outputs != 1 else [found]
    if not overload.formulas:
        raise NotImplementedError(NOT_IMPLEMENTED.format(overload.name))
    given = [strip(v) for v in values]
    with grad_mode.enable_grad():
        gradients = []
        for i, t in enumerate(outputs):
            v = zeros(t) if differentiable[i] else None
            if v is not None:
                v._rg = True
                # Where a formula is not linear in the gradient by its form alone (that of matrix_exp) the result still leads here.
                vars(v)["input_of"] = OVER
            gradients.append(v)
        moving = [i for i in overload.edges_from if level in carried([values[i]])]
        backward = going_back(overload, given, [strip(t) for t in outputs], gradients, moving)
        sources, directions = [], []
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
                sources.append(gradient)
                directions.append(tangent.expand(gradient._a.shape).to(gradient.dtype))
    wanted = [v for v in gradients if v is not None]
    results: Any = [None] * len(wanted)
    if sources:
        from jgrad.autograd.differentiate import grad

        try:
            results = grad(
                sources, wanted, directions, create_graph=grad_mode.mode.enabled, allow_unused=True
            )
        except RuntimeError as error:  # (NotImplementedError is one)
            if "is not implemented" not in str(error):
                raise
            raise NotImplementedError(NOT_IMPLEMENTED.format(overload.name)) from None
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


def going_back(
    overload: Any, values: list[Any], outputs: list[Any], gradients: list[Any], moving: list[int]
) -> Callable:
    """A function that gives the gradient for argument i of an operation, by its declared formula, recorded; only those for the
    arguments that are `moving` will be asked for."""
    from jgrad.dispatch.recorded import argument_of, parameters, plain

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
        return plain(name, values[positions[argument_of(name)]])

    def backward(i: int) -> Any:
        formula = overload.formulas[overload.params[i].name]
        sharing = [j for j in overload.edges_from if overload.formulas[overload.params[j].name] is formula]
        if formula not in computed:
            output_mask = tuple([j in moving for j in sharing])
            result = formula(*[named(name, output_mask) for name in parameters(formula)])
            computed[formula] = result if len(sharing) > 1 else (result,)
        return computed[formula][sharing.index(i)]

    return backward
