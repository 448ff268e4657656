"""The fast paths: elementwise operations on float tensors of one dtype, while nobody watches.

Most operations on small tensors are of this kind, and for them everything that the general path decides is known beforehand; what is left
is the kernel, a tensor, and if a gradient is wanted a node. The closures made here are that path, written out. Whatever does not fit goes to
`slow`, the general path. They must do what `Overload.run` does: a test runs both on the same programs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import observer
from jgrad.autograd import grad_mode
from jgrad.autograd.node import sequence_numbers
from jgrad.autograd.view import edge_to
from jgrad.tensor import Tensor

ENABLED = True  # nobody observes


def refresh() -> None:
    """Decide anew whether the fast paths may be taken."""
    global ENABLED
    ENABLED = observer.current is None


def front(overload: Any, slow: Callable) -> Callable:
    """The fast path of an overload if it can have one, else `slow` itself."""
    if overload.promote is None or overload.writes or overload.view or not overload.kernel_is_ufunc_like:
        return slow
    tensors = [p for p in overload.params if p.is_tensor]
    rest = overload.params[len(tensors) :]
    node = overload.node
    if any(p.required or not p.keyword_only for p in rest) or (node is not None and (node.plain_names not in ((), ("alpha",)) or not overload.formulas)):
        return slow
    if len(tensors) == 1 and not rest:
        return unary(overload, slow)
    if len(tensors) == 2 and [p.name for p in tensors] == ["self", "other"] and (node is None or not node.saves_result):
        return binary(overload, slow)
    return slow


_new = object.__new__
_ndarray = np.ndarray
_F32, _F64 = np.dtype("float32"), np.dtype("float64")


def unary(overload: Any, slow: Callable) -> Callable:
    kernel, node_type = overload.kernel, overload.node
    saves_self = node_type is not None and "self" in node_type.saved_names
    saves_result = node_type is not None and node_type.saves_result

    def fast(input: Any) -> Any:
        if not ENABLED or input.__class__ is not Tensor:
            return slow(input)
        a = input._a
        d = a.dtype
        if d is not _F32 and d is not _F64:
            return slow(input)
        r = kernel(a)
        if r.__class__ is not _ndarray:
            r = np.asarray(r)
        t = _new(Tensor)
        t._a = r
        t._rg = False
        t._fn = None
        t._nr = 0
        t._vc = None
        t._view = None
        t._grad = None
        t._rare = None
        if node_type is None or (grad_mode.may_be_off and not grad_mode.mode.enabled):
            return t
        if input._view is None:
            edge = input._fn
            edge = edge_to(input) if edge is not None else input if input._rg else None
        else:
            edge = edge_to(input)
        if edge is not None and r.dtype is d:
            t._rg = True
            t._fn = node = _new(node_type)
            node.next = (edge,)
            node.seq = next(sequence_numbers)
            node.shape = r.shape
            node.dtype = d
            node.extras = None
            node.outputs = 1
            if saves_self:
                node.s_self = input
                node.v_self = 0 if input._vc is None else input._vc[0]
            if saves_result:
                node.s_result = r
                node.c_result = t._vc = [0]
                node.v_result = 0
        return t

    return fast


def binary(overload: Any, slow: Callable) -> Callable:
    kernel, node_type = overload.kernel, overload.node
    saves_self = saves_other = self_for_self = self_for_other = other_for_self = other_for_other = alpha = False
    if node_type is not None:
        for_self, for_other = overload.names_by_edge
        saves_self, saves_other = "self" in node_type.saved_names, "other" in node_type.saved_names
        self_for_self, self_for_other = "self" in for_self, "self" in for_other
        other_for_self, other_for_other = "other" in for_self, "other" in for_other
        alpha = "alpha" in node_type.plain_names

    def fast(input: Any, other: Any) -> Any:
        if not ENABLED or input.__class__ is not Tensor:
            return slow(input, other)
        a = input._a
        d = a.dtype
        if d is not _F32 and d is not _F64:
            return slow(input, other)
        if other.__class__ is Tensor:
            b = other._a
            if b.dtype is not d:
                return slow(input, other)
        elif other.__class__ is float or other.__class__ is int:
            b = other
        else:
            return slow(input, other)
        try:
            r = kernel(a, b)
        except (ValueError, OverflowError):
            return slow(input, other)  # which says it in PyTorch's words
        if r.__class__ is not _ndarray:
            r = np.asarray(r)
        t = _new(Tensor)
        t._a = r
        t._rg = False
        t._fn = None
        t._nr = 0
        t._vc = None
        t._view = None
        t._grad = None
        t._rare = None
        if node_type is None or (grad_mode.may_be_off and not grad_mode.mode.enabled):
            return t
        edge0 = input._fn
        if edge0 is not None or input._view is not None:
            edge0 = edge_to(input)
        elif input._rg:
            edge0 = input
        edge1 = None
        if b is not other:
            edge1 = other._fn
            if edge1 is not None or other._view is not None:
                edge1 = edge_to(other)
            elif other._rg:
                edge1 = other
        if edge0 is not None or edge1 is not None:
            t._rg = True
            t._fn = node = _new(node_type)
            node.next = (edge0, edge1)
            node.seq = next(sequence_numbers)
            node.shape = r.shape
            node.dtype = d
            node.extras = None
            node.outputs = 1
            if saves_self:
                if (self_for_other and edge1 is not None) or (self_for_self and edge0 is not None):
                    node.s_self = input
                    node.v_self = 0 if input._vc is None else input._vc[0]
                else:
                    node.s_self = None
            if saves_other:
                if (other_for_self and edge0 is not None) or (other_for_other and edge1 is not None):
                    node.s_other = other
                    node.v_other = 0 if b is other or other._vc is None else other._vc[0]
                else:
                    node.s_other = None
            if alpha:
                node.p_alpha = 1
        return t

    return fast
