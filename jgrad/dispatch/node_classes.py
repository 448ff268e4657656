"""The classes of nodes, made from declarations.

`node_class` makes `MulBackward0` of `class mul`. Its slots are those that the overload's `Recording` describes. Its backward pass is written
by `jgrad/dispatch/backward.py` when a node of the class first runs: importing must stay cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from jgrad.dispatch import backward
from jgrad.dispatch.recorded import RecordedNode
from jgrad.dispatch.recording import Recording


def node_class(
    name: str, recording: Recording, refused: str, materializes: bool, gradient_writes: int
) -> type[RecordedNode]:
    """The class of the nodes that calls of an overload make. `refused`: without formulas, the name in the error that their backward pass raises.

    The overload holds its node classes and is set on them when it has been made.
    """
    tensors = tuple(sorted([t.name for t in recording.tensors] + [t.name for t in recording.lists]))
    slots = ["p_" + n for n in recording.plain_names]
    slots += [prefix + n for n in tensors for prefix in ("s_", "v_")]
    slots += [prefix + saved.name for saved in recording.results for prefix in ("s_", "c_", "v_", "w_")]
    body = {
        "__slots__": tuple(slots),
        "__module__": "jgrad.autograd",
        "saved_names": tensors,
        "plain_names": recording.plain_names,
        "saved_results": tuple([(saved.position, saved.name) for saved in recording.results]),
        "materializes": materializes,
        "runs_first": bool(refused),
        "gradient_writes": gradient_writes,
        "release": _written_later("release"),
        "apply": _refusal(refused) if refused else _written_later("apply"),
        "apply_public": _refusal(refused) if refused else _written_later("apply_public"),
    }
    if refused:
        body["name"] = lambda self: "torch::autograd::NotImplemented"
    return type(name, (RecordedNode,), body)


def _refusal(name: str) -> Callable[..., NoReturn]:
    def refuse(self: RecordedNode, grad: Any, needed: Any) -> NoReturn:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return refuse


def _written_later(method: str) -> Callable[..., Any]:
    """Takes the place of a method until the method is written, at its first call."""

    def first_call(self: RecordedNode, *args: Any) -> Any:
        __tracebackhide__ = True
        cls = type(self)
        written: Callable[..., Any]
        if method == "release":
            written = backward.write_release(cls)
        else:
            written = backward.write_backward(cls, raw=method == "apply")
        setattr(cls, method, written)
        return written(self, *args)

    return first_call


def look_for_detached() -> None:
    """From now on backward passes check whether a saved tensor was detached in place: they are written anew, with that test.

    A saved tensor that lost its history by `detach_()` is refused. That is rare, so the test is left out until a tensor with a history is
    first detached in place.
    """
    if not backward.looks_for_detached:
        backward.looks_for_detached = True
        backward.elsewhere_written.clear()
        for cls in RecordedNode.__subclasses__():
            if not cls.runs_first:
                cls.apply = _written_later("apply")  # type: ignore[method-assign]
                cls.apply_public = _written_later("apply_public")  # type: ignore[method-assign]
