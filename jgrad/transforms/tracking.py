"""Which transforms follow a tensor: the inputs of derivatives backwards, what depends on them, and how it is printed.

Note [Inputs of a transform]: for a derivative backwards the function gets an alias of each input that requires grad. The alias is made by
a recorded operation, so that gradients (and tangents) of transforms outside of this one flow on into the input; if the input needs no
gradient outside, it is a leaf. The graph distinguishes inputs by identity, so nested transforms need nothing more: what depends on one alias
does not depend on another. When the transform is over, the aliases that are leaves are dead: what depends on nothing else comes back
without history.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jgrad import manual, printing
from jgrad.dispatch import batched
from jgrad.dispatch.batched import Batched
from jgrad.dispatch.tangents import tangents_of
from jgrad.engine.graph_task import target_of
from jgrad.graph import grad_mode
from jgrad.graph.levels import Level
from jgrad.graph.node import Node
from jgrad.graph.view import edge_to
from jgrad.tensor import Tensor, _plain


class InputOfTransform(Node):
    """Where an input of a transform, which the function sees as a leaf, goes on to the outside."""

    __slots__ = ("level",)
    level: Level
    of_leaf = True

    def apply(self, grad: Any, needed: Any) -> tuple:
        return (grad,)

    apply_public = apply

    def name(self) -> str:
        return "AliasBackward0"


def input_of(level: Level, original: Tensor) -> Tensor:
    """The alias of a tensor that a function gets as its input; see Note [Inputs of a transform]."""
    t = batched.lift(original)
    with grad_mode.enable_grad():
        alias: Tensor = t.view_as(t)
    alias._view = None
    if alias._rg:
        alias._fn = InputOfTransform((edge_to(t),), t._a.shape, t._a.dtype)
        alias._fn.level = level
    alias._rg = True
    vars(alias).update(input_of=level, original=original)
    return alias


def followed(tensors: Iterable[Tensor]) -> tuple[set[Level], bool]:
    """The open transforms whose inputs these tensors depend on, and whether they depend on other tensors that require grad."""
    found: set[Level] = set()
    outside = False
    seen: set = set()
    waiting = [edge_to(t) for t in tensors]
    while waiting:
        edge = waiting.pop()
        if edge is None or (target := target_of(edge)) in seen:
            continue
        seen.add(target)
        level = target.level if isinstance(target, InputOfTransform) else None
        if isinstance(target, Node):
            waiting += target._next
        else:
            level = vars(target).get("input_of")
            outside = outside or level is None
        if level is not None and level.open:
            found.add(level)
    return found, outside


def has_history(tensors: Iterable[Tensor], level: Level) -> bool:
    """Whether tensors depend on anything but inputs of this transform and of those that are over."""
    found, outside = followed(tensors)
    return outside or bool(found - {level})


def cut(t: Tensor, level: Level) -> Tensor:
    """A result of a transform, without history if that leads nowhere outside of it; likewise its batch and its tangents."""
    lost = t.requires_grad and not (grad_mode.is_grad_enabled() and has_history([t], level))
    value: Any = cut(t.value, level) if isinstance(t, Batched) else None
    present = tangents_of(t)
    tangents = {at: cut(tangent, level) for at, tangent in present.items()}
    same_value = value is None or value is t.value
    if not lost and same_value and all(tangents[at] is present[at] for at in present):
        return t
    result: Tensor = batched.batched(value, t.bdim, t.level) if isinstance(t, Batched) else _plain(t._a)
    result._vc = t._counter
    if not lost:
        result._fn, result._nr, result._rg, result._view = t._fn, t._nr, t._rg, t._view
    if tangents:
        result._extras().tangents = {**tangents}
    return result


def text(t: Tensor) -> str:
    """`repr(t)` while transforms are at work: a wrapper for each that follows it."""
    found, outside = followed([t])
    found |= {level for level in tangents_of(t) if level.of_function}
    if "original" in vars(t):
        inner = repr(t.original)
    elif isinstance(t, Batched):
        inner = repr(t.value)
        if t.bdim is not None:
            inner = f"BatchedTensor(lvl={t.level.number}, bdim={t.bdim}, value={_indented(inner)})"
    elif found and not outside:
        inner = printing.tensor_repr(_plain(t._a))
    else:
        inner = printing.tensor_repr(t)
    for level in sorted(found, key=lambda level: level.number):
        if "original" not in vars(t) or level is t.input_of:
            inner = f"GradTrackingTensor(lvl={level.number}, value={_indented(inner)})"
    return inner


def debug_unwrap(tensor: Tensor, *, recurse: bool = True) -> Tensor:
    """What a transform wraps around a tensor is taken off, to look at it while debugging."""
    found = followed([tensor])[0] | set(tangents_of(tensor))
    if "original" in vars(tensor):
        inner: Tensor = tensor.original
    elif isinstance(tensor, Batched):
        inner = tensor.value
    else:
        inner = _plain(tensor._a) if found else tensor
    return debug_unwrap(inner) if recurse and inner is not tensor else inner


def _indented(text: str) -> str:
    return "\n    " + text.replace("\n", "\n    ") + "\n"


manual.attach(__name__)
