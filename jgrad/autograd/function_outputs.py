"""The outputs of a `Function`: their place in the graph, and the saving of what `forward` asked to save."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jgrad import manual, warn
from jgrad.autograd.function_node import BackwardCFunction
from jgrad.devices import CPU
from jgrad.dispatch.saved import SavedTensor
from jgrad.dtypes import INEXACT
from jgrad.errors import class_name
from jgrad.graph import grad_mode
from jgrad.graph.view import (
    IN_CUSTOM_FUNCTION,
    MULTI_OUTPUT_NODE,
    bump,
    check_inplace,
    move_retained,
    rebase_history,
)
from jgrad.tensor import Tensor


class _Marks(NamedTuple):
    """What `forward` was called with and what it marked: tensors, compared by identity."""

    inputs: list[Tensor]
    dirty: tuple[Tensor, ...]
    constant: tuple[Tensor, ...]
    to_save: tuple[Tensor | None, ...]
    separate: bool  # whether the Function has a `setup_context`


def finish(
    ctx: BackwardCFunction, inputs: list[Tensor], results: tuple, recorded: bool, separate: bool
) -> tuple:
    """Give the results of forward their place in the graph, and save what it asked to save. Returns what `apply` returns."""
    __tracebackhide__ = True
    dirty = _marked(ctx.dirty_tensors, "mark_dirty can only accept variables, but argument ")
    constant = _marked(
        ctx.non_differentiable, "mark_non_differentiable only accepts variable arguments, but got "
    )
    for t in dirty:
        bump(t)
    to_save = ctx.to_save
    if to_save is not None and not isinstance(to_save, tuple):
        raise RuntimeError("autograd internal error: to_save attribute is expected to be a tuple but is ")
    _describe(ctx, results)
    marks = _Marks(inputs, dirty, constant, to_save or (), separate)
    several = sum([isinstance(t, Tensor) for t in results]) > 1
    differentiable = 0
    outputs = []
    for nr, t in enumerate(results):
        if isinstance(t, Tensor):
            has_gradient = recorded and t._a.dtype.kind in INEXACT and not among(t, constant)
            differentiable += has_gradient
            t = _placed(ctx, t, nr, has_gradient, several, marks)
        outputs.append(t)
    if differentiable > 1:
        for t in outputs:
            if isinstance(t, Tensor) and t._view is not None:
                t._view.creation_meta = MULTI_OUTPUT_NODE
    for t in dirty:
        if not among(t, results):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified inplace "
                "must all be outputs of the Function."
            )
    if recorded and to_save is not None:
        _save(ctx, to_save)
    ctx.to_save = ctx.non_differentiable = None
    return tuple(outputs)


def _describe(ctx: BackwardCFunction, results: tuple) -> None:
    """Keep the shape, dtype and device of the results, which the gradients that arrive must have."""
    ctx._outputs = len(results)
    ctx._place = next((t.device for t in results if isinstance(t, Tensor)), CPU)
    ctx._metadata = [(t._a.shape, t._a.dtype) if isinstance(t, Tensor) else None for t in results]
    if ctx._outputs == 1 and ctx._metadata[0] is not None:
        ctx._shape, ctx._dtype = ctx._metadata[0]


def _placed(
    ctx: BackwardCFunction, t: Tensor, nr: int, has_gradient: bool, several: bool, marks: _Marks
) -> Tensor:
    """Result number `nr` as an output: with its history, or without one. `several`: it is not the only tensor."""
    __tracebackhide__ = True
    is_input, is_dirty = among(t, marks.inputs), among(t, marks.dirty)
    if not has_gradient:
        t = _without_gradient(t, is_input, is_dirty)
    elif is_dirty:
        _written(ctx, t, nr, is_input, several)
    else:
        if is_input:
            if marks.separate and among(t, marks.to_save):
                raise RuntimeError(
                    "An input that has been returned as-is as output is being saved for backward. This is not supported if you "
                    "override setup_context. You should return and save a view of the input instead, e.g. with x.view_as(x) or setup "
                    "ctx inside the forward function itself."
                )
            t = _alias(t)
        t._fn, t._nr, t._rg = ctx, nr, True
        if t._view is not None:
            t._view.attr_version = t._version
    if t._view is not None and not (is_input and is_dirty):
        t._view.creation_meta = IN_CUSTOM_FUNCTION
    return t


def _save(ctx: BackwardCFunction, to_save: tuple) -> None:
    """Keep what `save_for_backward` was called with."""
    for i, t in enumerate(to_save):
        if t is not None and not isinstance(t, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {i} is of type {class_name(t)}"
            )
    ctx._entries = tuple([None if t is None else SavedTensor(t, ctx) for t in to_save])


def _marked(tensors: tuple | None, complaint: str) -> tuple:
    """What a `mark_...` was called with."""
    if tensors is None:
        return ()
    for t in tensors:
        if not isinstance(t, Tensor):
            raise RuntimeError(complaint)
    return tensors


def among(tensor: Tensor, others: Iterable[object]) -> bool:
    """Whether this very tensor is one of the others."""
    return any([tensor is other for other in others])


def _alias(tensor: Tensor) -> Tensor:
    """An input that forward returns as it is comes out as a view of itself, since one tensor can't have two histories."""
    with grad_mode.no_grad():
        return tensor.view_as(tensor)


def _without_gradient(t: Tensor, is_input: bool, is_dirty: bool) -> Tensor:
    """An output that has no gradient. An input keeps its own: what comes out is detached from it."""
    if not t.requires_grad:
        return _alias(t) if is_input and not is_dirty else t
    if is_input:
        return t.detach()
    if t._view is None:
        t.detach_()
    return t


def _written(ctx: BackwardCFunction, t: Tensor, nr: int, is_input: bool, several: bool) -> None:
    """Give a tensor that forward wrote to the history that this write makes."""
    if t._fn is None and t.requires_grad:
        raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
    if not is_input:
        warn.once(
            "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be passed to "
            "ctx.mark_dirty().",
        )
    if several and t._view is not None:
        raise RuntimeError(
            "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than one Tensor. "
            "This is not supported by the current autograd engine. You should either make sure the input is not a view (using .clone() for "
            "example) or make your Function only return one Tensor (potentially splitting it into two Functions: one doing the inplace that "
            "returns a single Tensor and a second one that does the other operations). You can ask on the forum "
            "https://discuss.pytorch.org/ if you need help to do this change."
        )
    t._grad = None
    if t._view is not None:
        check_inplace(t, True)
        rebase_history(t, ctx)
    else:
        move_retained(t, ctx, nr)
        t._fn, t._nr, t._rg = ctx, nr, True


manual.attach(__name__)
