"""Mirrors of PyTorch's backward nodes. The mirror of a node is kept in the node's own `metadata`, which lives as long as the node: nodes can't be
referenced weakly."""

from __future__ import annotations

import re
import weakref
from typing import Any, ClassVar

import torch

from jgrad.dispatch import TABLE
from jgrad.dispatch.recorded import formula_texts
from jgrad.graph import overriding
from jgrad.graph.node import Edge, Node
from jgrad.mirrors.torch import private, tensors
from jgrad.mirrors.torch.memory import DTYPES
from jgrad.tensor import Tensor

KEY = "jgrad"  # of a node's metadata
RESULTS = {"total_weight": 1}  # results that have a name, and which they are
COPY_SLICES = "torch::autograd::CopySlices"
RELEASED = object()  # in the place of what a node had saved
UNKNOWN = -1  # how many results the operation of a node has, in a release that does not say it
ACCUMULATES: Any = torch._C._functions.AccumulateGrad
_classes: dict[Any, type] = {}  # by name, and by PyTorch's class if its nodes have that name


class MirrorNode(Node):
    """Stands for a PyTorch node. There is a class for each name, as PyTorch has."""

    __slots__ = ("_outputs", "_kept", "_results", "_others", "_forward_cls")
    called: ClassVar[str] = ""
    saves: ClassVar[tuple[str, ...]] = ()
    formulas: ClassVar[dict[str, str] | None] = None
    _others: dict[int, tuple[tuple, Any]]  # shape and dtype of each output, as far as they are known
    _kept: list[tuple]  # what it saved: (name, reference to the mirror, version)
    _results: tuple  # which of these are results

    def name(self) -> str:
        return self.called

    def metadata_of(self, output_nr: int) -> tuple:
        return self._others.get(output_nr, (self._shape, self._dtype))

    def _formulas(self) -> dict[str, str]:
        kind: Any = type(self)
        if self.called == COPY_SLICES:
            return {"base": "grad outside the slice"}
        if kind.formulas is None:
            kind.formulas = _declared(self.called)
        return kind.formulas

    def _saved(self) -> list[tuple]:
        return [(name, m, version) for name, ref, version in self._kept if (m := ref()) is not None]

    def release(self) -> bool:
        return bool(self.saves) or self.called == COPY_SLICES

    def _saved_results(self) -> tuple:
        return self._results


class SavedResult(Tensor):
    """Stands for a result that a node saved, by its place among the node's results."""

    __slots__ = ()
    __torch_function__ = overriding.disabled_torch_function_impl


def node(n: Any, version: int = 0, result: Any = None) -> Node:
    """The mirror of a node, and of all nodes that it leads to. `result`: a tensor that the node made, and its version."""
    return n.metadata.get(KEY) or new_node(n, version, result)


def new_node(n: Any, version: int, result: Any, single: Any = None) -> Node:
    """The same of a node that has no mirror. `single`: the elements of the result, if it is known that the operation has only this one."""
    edges = _edges(n)
    if edges is None:
        stack = [n]
        while stack:
            top = stack[-1]
            if KEY in top.metadata or (found := _edges(top)) is not None:
                stack.pop()
                if KEY not in top.metadata and top is not n:
                    top.metadata[KEY] = _made(top, found, version, None)
            else:
                stack += [
                    f for f, _ in top.next_functions if f is not None and f.__class__ is not ACCUMULATES
                ]
        edges = _edges(n)
    made = n.metadata[KEY] = _made(n, edges, version, result, single)
    return made


def _edges(n: Any) -> tuple | None:
    """The mirrors of the nodes that a node leads to; None if some of them have no mirror."""
    edges: list[Any] = []
    for f, nr in n.next_functions:
        if f is None:
            edges.append(None)
        elif f.__class__ is ACCUMULATES:
            edges.append(tensors.mirror(f.variable))
        else:
            to = f.metadata.get(KEY)
            if to is None:
                return None
            edges.append(Edge(to, nr) if nr else to)
    return tuple(edges)


def _class_of(n: Any) -> type:
    name = n.name()
    found = _classes.get(name)
    if found is None:
        saves = (*sorted(names_saved(n), key=_is_result),)  # arguments first, as in jgrad
        found = _classes[name] = type(name, (MirrorNode,), {"__slots__": (), "called": name, "saves": saves})
    if n.__class__.__name__ == name and not hasattr(n.__class__, "_forward_cls"):
        _classes[n.__class__] = found  # (nodes of some kinds have a class in common)
    return found


def _is_result(name: str) -> bool:
    """Whether what a node saved under this name is a result."""
    return name.startswith(("result", "output")) or name in RESULTS


def _made(n: Any, edges: Any, version: int, result: Any, single: Any = None) -> Node:
    m: Any = object.__new__(_classes.get(n.__class__) or _class_of(n))
    m._next, m._seq, m._extras = edges, n._sequence_nr(), None
    if single is not None:
        m._outputs, m._others = 1, {}
        m._shape, m._dtype = single.shape, single.dtype
    elif (outputs := private.outputs_of(n)) is None:
        m._outputs = UNKNOWN
        m._others = {} if result is None else {result.output_nr: (tuple(result.shape), DTYPES[result.dtype])}
        m._shape, m._dtype = m._others.get(0, ((), None))
    elif result is not None and len(outputs) == 1:  # (which is read more quickly of the result)
        m._outputs, m._others = 1, {}
        m._shape, m._dtype = tuple(result.shape), DTYPES[result.dtype]
    else:
        m._outputs = len(outputs)
        m._others = {i: (tuple(d.shape), DTYPES[d.dtype]) for i, d in enumerate(outputs)}
        m._shape, m._dtype = m._others.get(0, ((), None))
    m._forward_cls = getattr(n.__class__, "_forward_cls", None)
    if m.saves:
        m._kept, m._results = _saved(n, m, version)
    else:
        m._kept, m._results = (), ()
    return m


def learn_outputs(m: Any, gradients: Any) -> None:
    """Note of the results behind a node's edges what the gradients sent to them show, in a release that does not say it otherwise."""
    for edge, g in zip(m._next, gradients, strict=False):
        to, nr = (edge.node, edge.nr) if edge.__class__ is Edge else (edge, 0)
        if g is not None and isinstance(to, MirrorNode) and to._outputs == UNKNOWN:
            to._others[nr] = g.shape, g.dtype


def _saved(n: Any, m: Any, version: int) -> tuple[list[tuple], tuple]:
    """What a node saved: (name, reference to the mirror, version), and which of these are results. No hook of the user runs."""
    kept: list[tuple] = []
    results = []
    for name, t in read_saved(n, m.saves):
        if not isinstance(t, torch.Tensor):
            continue
        if _is_result(name):
            results.append((RESULTS.get(name, int(name[6:]) if name[6:].isdigit() else 0), name))
            saved = object.__new__(SavedResult)
            saved._fn = None
            kept.append((name, lambda saved=saved: saved, version))
        elif t.dim() or id(t) in tensors.tensors or t.requires_grad:  # else it is a number
            s = tensors.mirror(t)
            if s is not None:
                kept.append((name, weakref.ref(s), 0 if t.is_inference() else t._version))
    return kept, tuple(results)


def names_saved(n: Any) -> list[str]:
    """The names under which nodes of this kind save tensors."""
    return [a.removeprefix("_raw_saved_") for a in dir(type(n)) if a.startswith("_raw_saved_")]


def memory_saved(n: Any, name: str) -> Any:
    """The storage of the one tensor that a node saved under a name; None if there is none, or one with hooks."""
    if not private.saved_can_be_read:
        m: Any = n.metadata.get(KEY)
        kept = [] if m is None else [ref() for one, ref, _ in m._kept if one == name]
        if kept and kept[0].__class__ is SavedResult:
            kept = [o for o in tensors.tensors.values() if o._fn is m]
        return kept[0]._memory.of() if kept and kept[0] is not None else None
    try:
        # Of a list, such as indices, this raises after it was released.
        raw = getattr(n, f"_raw_saved_{name}")
        if isinstance(raw, (tuple, list)) or raw is None or raw.unpack_hook is not None:
            return None
        data = raw.data
    except RuntimeError:  # it was released
        return RELEASED
    return None if data is None else data.untyped_storage()  # None: the node did not need to save it


def read_saved(n: Any, names: tuple[str, ...]) -> list[tuple[str, Any]]:
    """What a node saved under some names, without what has hooks."""
    if not private.saved_can_be_read:
        return private.unpacked(n, names, tensors.careful)
    found: list[tuple[str, Any]] = []
    for name in names:
        try:
            raw = getattr(n, f"_raw_saved_{name}")
        except RuntimeError:  # of a custom Function, after it was released
            continue
        for i, one in enumerate(raw if isinstance(raw, (tuple, list)) else (raw,)):
            if one is not None and one.unpack_hook is None:
                try:
                    found.append((f"saved_tensors[{i}]" if name == "tensors" else name, one.data))
                except RuntimeError:  # it was released
                    continue
    return found


def _declared(name: str) -> dict[str, str]:
    """The formulas of the declaration whose nodes have this name."""
    found = re.fullmatch(r"(\w+?)Backward\d*", name)
    if found is None:
        return {}
    plain = found[1].lower()
    parts = ("", "native", "backward", "linalg")
    likely = {plain.replace(part, "") for part in parts} | {plain + "scalar", plain + "forward"}
    # Operators with the same name come first, because reading a declaration takes time.
    for operator in TABLE.values():
        if re.sub(r"[_.]", "", operator.name) in likely:
            for overload in operator.overloads:
                of_number = getattr(getattr(overload, "inplace_of_number", None), "node_inplace", None)
                for kind in (overload.node, getattr(overload, "node_inplace", None), of_number):
                    if kind is not None and kind.__name__ == name:
                        return formula_texts(kind.overload)
    for operator in TABLE.values():
        for overload in operator.overloads:
            if getattr(overload, "options", {}).get("node") == name and overload.node is not None:
                return formula_texts(overload.node.overload)
    return {}
