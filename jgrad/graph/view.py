"""Views and in-place writes: what keeps gradients right when several tensors share memory.

Every view knows its base, the root tensor whose memory it shows. All of them share one version cell, so a write through any of them is
seen by the others. When the base gets a new history, the `grad_fn` that a view was made with is out of date; the view notices
this by its version, and gets a new one when it is next read.

Note [In-place on a view]:

    y = x * 2; v = y[1:3]; v.mul_(k)

    before:   y.grad_fn --> MulBackward0(x)              after:   y.grad_fn --> CopySlices --> MulBackward0(x)
              v.grad_fn --> SliceBackward0 --^                                      \\--> k
                                                                  v.grad_fn --> AsStridedBackward0 --> CopySlices

`CopySlices` holds the node of the write itself (MulBackward0 of v and k). Backwards, the part of the gradient in the slice goes
through that node, the rest goes on as it is. Geometry (shape, strides, offset), not indices, describes the slice, so it works alike
for slices, transposes and whatever else shows part of the memory.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from jgrad.graph import grad_mode, written
from jgrad.graph.grad_mode import InferenceCell
from jgrad.graph.node import FREED, Edge, Node, display_name, extras_of
from jgrad.kernels import lazy, libraries
from jgrad.kernels.numpy.shape import check_storage, reach
from jgrad.storage import offset_of

# PyTorch's CreationMeta.
DEFAULT, NO_GRAD_MODE, MULTI_OUTPUT_NODE, IN_CUSTOM_FUNCTION, INFERENCE_MODE = range(5)


operators: Any = None  # on views, and the classes of their nodes: `jgrad.ops.shaping` registers itself here


class View:
    """The state of a tensor that is a view: its base, the version at which its grad_fn was up to date, how it was created."""

    __slots__ = ("base", "attr_version", "creation_meta")

    def __init__(self, base: Any, attr_version: int, creation_meta: int) -> None:
        self.base = base
        self.attr_version = attr_version
        self.creation_meta = creation_meta

    def refresh(self, tensor: Any) -> None:
        """Give the view a new grad_fn if its base got another history since."""
        version = tensor._vc[0]
        if version == self.attr_version or not (tensor._fn is not None or self.base._rg):
            return
        if self.creation_meta != DEFAULT:
            raise RuntimeError(forbidden(tensor, indirect=True))
        node = regenerated(self.base, tensor._a)
        move_retained(tensor, node)
        tensor._fn = node
        tensor._nr = 0
        tensor._rg = True
        self.attr_version = version


def geometry_of(array: Any) -> tuple:
    """(shape, strides in elements, offset in elements): the place of an array in its storage."""
    item = array.itemsize
    return array.shape, tuple([s // item for s in array.strides]), offset_of(array)


def parts_of(array: Any) -> tuple:
    """The geometry of the real and imaginary parts of a complex array."""
    shape, strides, offset = geometry_of(array)
    return (*shape, 2), (*[2 * s for s in strides], 1), 2 * offset


def common_geometries(base: Any, view: Any) -> tuple:
    """The places of both in one storage, in elements of one size: of a complex array its parts if the other one is real."""
    if base.dtype.kind == view.dtype.kind:
        return geometry_of(base), geometry_of(view)
    return parts_of(base) if base.dtype.kind == "c" else geometry_of(base), (
        parts_of(view) if view.dtype.kind == "c" else geometry_of(view)
    )


def numbers_of(geometry: tuple) -> tuple | None:
    """The place of the complex numbers whose parts are here; None if these are no whole numbers."""
    shape, strides, offset = geometry
    if shape[-1:] != (2,) or strides[-1] != 1 or any([n % 2 for n in (offset, *strides[:-1])]):
        return None
    return shape[:-1], tuple([s // 2 for s in strides[:-1]]), offset // 2


def regenerated(base: Any, view: Any) -> Node:
    """The node that leads from the base to a view, by geometry alone, and by what is postponed until elements are read."""
    edge: Any = edge_to(base)
    if not lazy.in_use:
        return _regenerated(edge, base, view)
    before, after = lazy.bits_of(base._a), lazy.bits_of(view)
    if base._a.dtype.kind == view.dtype.kind:  # what both postpone needs no nodes
        before, after = (False, False), (before[0] is not after[0], before[1] is not after[1])
    edge = _turned(edge, before, base._a)
    if any(after) and geometry_of(base._a) == geometry_of(view):
        return _turned(edge, after, view)
    return _turned(_regenerated(edge, base, view), after, view)


def _turned(edge: Any, bits: tuple[bool, bool], array: Any) -> Any:
    """The node behind an edge that conjugates, the one that negates, or both."""
    for postponed, name in zip(bits, ("_conj", "_neg_view"), strict=True):
        if postponed:
            edge = operators.node_of(name)((edge,), array.shape, array.dtype)
    return edge


def _regenerated(edge: Any, base: Any, view: Any) -> Node:
    """The node that leads along an edge from the base to a view, by geometry alone."""
    there, here, dtype, last = geometry_of(base._a), geometry_of(view), view.dtype, ""
    if view.dtype.kind == "c" != base._a.dtype.kind:
        here, dtype, last = parts_of(view), view.real.dtype, "view_as_complex"
    elif base._a.dtype.kind == "c" != view.dtype.kind:
        numbers = numbers_of(here)
        if numbers is not None:
            here, dtype, last = numbers, base._a.dtype, "view_as_real"
        else:
            there = parts_of(base._a)
            edge = operators.node_of("view_as_real")((edge,), there[0], dtype)
    if not last or there != here:
        edge = operators.node_of("as_strided")((edge,), here[0], dtype)
        edge.p_geometries = there, here
    return operators.node_of(last)((edge,), view.shape, view.dtype) if last else edge


def history_of_part(view: Any) -> Callable[[], Node | None]:
    """What gives the node that leads to a view that was just written to: its own, or if that is gone with the view, one like it. It keeps no
    node alive."""
    node, whole = weakref.ref(view._fn), weakref.ref(view._view.base._fn)
    shape, dtype = view._a.shape, view._a.dtype

    def history() -> Node | None:
        found, write = node(), whole()
        if found is not None or write is None or write.complex_base or write.complex_slice:
            return found
        if any((*write.lazy_base, *write.lazy_slice)):
            return None
        made: Node = operators.node_of("as_strided")((write,), shape, dtype)
        made.p_geometries = write.base, write.slice_  # type: ignore[attr-defined]
        return made

    return history


def become_view(result: Any, source: Any, creation_meta: int = DEFAULT) -> None:
    """Make `result`, whose array shows memory of `source`, a view of it; set its grad_fn afterwards."""
    cell = result._vc = source._counter
    if cell.__class__ is InferenceCell:
        return
    parent = source._view
    if creation_meta == DEFAULT and not grad_mode.mode.enabled:
        creation_meta = INFERENCE_MODE if grad_mode.mode.inference else NO_GRAD_MODE
    if parent is None:
        result._view = View(source, cell[0], creation_meta)
    else:
        if parent.creation_meta == INFERENCE_MODE:
            creation_meta = INFERENCE_MODE
        result._view = View(parent.base, cell[0], creation_meta or parent.creation_meta)


def edge_to(tensor: Any) -> Any:
    """The edge that a gradient for this tensor flows along: None, the leaf, a node, or one of a node's later outputs."""
    if tensor._view is not None:
        tensor._view.refresh(tensor)
    node = tensor._fn
    if node is None:
        return tensor if tensor._rg else None
    return node if tensor._nr == 0 else Edge(node, tensor._nr)


def forbidden(tensor: Any, indirect: bool) -> str:
    """PyTorch's error text for a write that can't be recorded through a view."""
    view = tensor._view
    what = (
        "its base or another view of its base has been modified inplace"
        if indirect
        else "is being modified inplace"
    )
    node = tensor._fn
    if view.creation_meta == INFERENCE_MODE:
        subject = "A view was" if node is None else (
            f"Output {tensor._nr} of {display_name(node)} is a view of a view which was"
        )  # fmt: skip
        return (
            f"{subject} created in inference mode and {what} in normal mode. Given that this use case is ambiguous and error-prone, it is "
            "forbidden. You can clarify your code by moving both the view and the inplace either both inside the inference_mode block (if "
            "you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
        )
    if view.creation_meta == NO_GRAD_MODE:
        subject = "A view was created in no_grad mode and " if node is None else (
            f"Output {tensor._nr} of {display_name(node)} is a view of a view which was created in no_grad mode and "
        )  # fmt: skip
        return (
            f"{subject}{what} with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can "
            "clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the "
            "inplace to be tracked) or both outside (if you want the inplace to be tracked)."
        )
    if node is None:
        subject, what = "A view was created in no_grad mode and ", what + " with grad mode enabled"
    else:
        subject = f"Output {tensor._nr} of {display_name(node)} is a view and "
    if view.creation_meta == MULTI_OUTPUT_NODE:
        return (
            f"{subject}{what}. This view is the output of a function that returns multiple views. Such functions do not allow the "
            "output views to be modified inplace. You should replace the inplace operation by an out-of-place one."
        )
    return (
        f"{subject}{what}. This view was created inside a custom Function (or because an input was returned as-is) and the autograd "
        "logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect "
        "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
    )


def check_inplace(tensor: Any, recorded: bool) -> None:
    """Raise PyTorch's error if this tensor must not be written to. `recorded`: some input requires grad and grad mode is on."""
    if recorded:
        _check_recorded_write(tensor)
    check_inference(tensor)


def _check_recorded_write(tensor: Any) -> None:
    view = tensor._view
    if view is not None:
        if view.creation_meta != DEFAULT:
            raise RuntimeError(forbidden(tensor, indirect=False))
        if tensor.requires_grad and (view.base.is_leaf or view.base._fn.of_leaf):
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place operation."
            )
    # As in PyTorch, the grad_fn of a view is not made anew here. So a view whose base has only now come to require grad is refused, unless
    # its grad_fn was read before.
    if tensor.requires_grad and (tensor._fn is None or tensor._fn.of_leaf):
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def check_inference(tensor: Any) -> None:
    """Refuse to write to an inference tensor outside inference mode."""
    if tensor._vc.__class__ is InferenceCell and not grad_mode.mode.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before "
            "doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
        )


def bump(tensor: Any) -> None:
    """Count a write."""
    cell = tensor._vc
    if cell is None:
        tensor._vc = [1]
    elif cell.__class__ is InferenceCell:
        list.__setitem__(cell, 0, cell.writes + 1)
    else:
        cell[0] += 1


def move_retained(tensor: Any, node: Node, output_nr: int = 0) -> None:
    """A tensor that retains its grad does so as the output of its new node: hooks stay with the old one."""
    if tensor.retains_grad and tensor._fn is not None and tensor._fn._extras is not None:
        reference = tensor._fn._extras.retains.pop(tensor._nr, None)
        if reference is not None:
            extras_of(node).retains[output_nr] = reference


def rebase_history(tensor: Any, node: Node) -> None:
    """After an in-place write recorded as `node`: make it the tensor's history, and its base's."""
    view = tensor._view
    if view is None:
        move_retained(tensor, node)
        tensor._fn = node
        tensor._nr = 0
        tensor._rg = True
        return
    base = view.base
    copy_slices = CopySlices(edge_to(base), node, base._a, tensor._a)
    move_retained(base, copy_slices)
    base._fn = copy_slices
    base._nr = 0
    base._rg = True
    view.refresh(tensor)


def turned(ops: Any, grad: Any, bits: tuple[bool, bool]) -> Any:
    """A gradient from a lazy tensor to its memory, or back."""
    grad = ops.conj(grad) if bits[0] else grad
    return -grad if bits[1] else grad


class CopySlices(Node):
    """The write `fn` to the part of the base that `slice_` describes; see Note [In-place on a view]."""

    __slots__ = (
        "base",
        "complex_base",
        "complex_slice",
        "fn",
        "lazy_base",
        "lazy_slice",
        "released",
        "slice_",
    )

    def __init__(self, base_edge: Any, fn: Node, base: Any, view: Any) -> None:
        super().__init__((base_edge, *fn._next[1:]), base.shape, base.dtype)
        self.fn = fn
        self.released = False
        self.base, self.slice_ = common_geometries(base, view)
        self.lazy_base, self.lazy_slice = lazy.bits_of(base), lazy.bits_of(view)
        # One of both complex, the other real: the gradient is cut in real numbers.
        self.complex_base = base.dtype.kind == "c" != view.dtype.kind
        self.complex_slice = view.dtype.kind == "c" != base.dtype.kind

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def _apply(self, ops: Any, apply: Any, grad: Any) -> tuple:
        if self.released:
            FREED._raise()
        grad = turned(ops, grad, self.lazy_base)
        if self.complex_base:
            grad = ops.view_as_real(ops.resolve_conj(grad))
        self._check_slice(grad.dtype.itemsize)
        part = ops.extract_strided(grad, self.base, self.slice_)
        part = ops.view_as_complex(ops.contiguous(part)) if self.complex_slice else part
        first, *others = apply(turned(ops, part, self.lazy_slice), None)
        if self._next[0] is None:
            return (None, *others)
        rest = ops.clear_strided(grad, self.base, self.slice_)
        if first is not None:
            first = turned(ops, first, self.lazy_slice)
            first = ops.view_as_real(ops.resolve_conj(first)) if self.complex_slice else first
            rest = rest + ops.embed_strided(first, self.base, self.slice_)
        rest = ops.view_as_complex(ops.contiguous(rest)) if self.complex_base else rest
        return (turned(ops, rest, self.lazy_base), *others)

    def _check_slice(self, item: int) -> None:
        """Refuse a slice that is not within the base: a view whose `.data` was assigned may be anywhere."""
        (shape, strides, start), (part, part_strides, part_start) = self.base, self.slice_
        nbytes = reach((shape, strides, 0))[1] * item
        check_storage(part, part_strides, part_start - start, item, nbytes)

    def apply(self, grad: Any, needed: Any) -> tuple:
        gradients = self._apply(libraries.library_of(grad).kernels, self.fn.apply, grad)
        written.count(gradients[0], 2)  # PyTorch copies the gradient, and writes into the slice of the copy
        return gradients

    def apply_public(self, grad: Any, needed: Any) -> tuple:
        return self._apply(operators, self.fn.apply_public, grad)

    def release(self) -> bool:
        self.fn.release()
        self.released = True
        return True

    def _formulas(self) -> dict[str, str]:
        return {
            "base": f"grad outside the slice; in the slice what {self.fn.name()} makes of it",
            **self.fn._formulas(),
        }

    def _saved(self) -> list[tuple]:
        return self.fn._saved()


def assert_no_internal_overlap(array: Any) -> None:
    """Refuse to write to an array in which several elements are the same memory (an expanded one)."""
    if (
        array.size
        and 0 in array.strides
        and any(s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True))
    ):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() "
            "the tensor before performing the operation."
        )


def assert_no_overlap(written: Any, read: Any, same_is_fine: bool = True) -> None:
    """Refuse to write to memory that is also read under another geometry; the very same elements may be fine."""
    if isinstance(written, lazy.Lazy) or isinstance(read, lazy.Lazy):
        return  # a kernel gets copies of these
    if written is read:
        if same_is_fine:
            return
    else:
        library = libraries.library_of(written)
        apart = not written.size or not read.size or library is not libraries.library_of(read)
        if apart or not library.kernels.overlap(written, read):
            return
    same = same_elements(written, read)
    if same and same_is_fine:
        return
    # PyTorch decides for the same elements and for dense arrays, by their byte ranges; anything else it lets pass.
    if same or (dense(written) and dense(read)):
        raise RuntimeError(
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )


def same_elements(a: Any, b: Any) -> bool:
    """Whether two arrays are the same elements of one memory in one order."""
    if a is b:
        return True
    library = libraries.library_of(a)
    same = library is libraries.library_of(b) and libraries.is_array(b)
    same = (
        same
        and a.__class__ is b.__class__
        and a.shape == b.shape
        and a.strides == b.strides
        and a.dtype == b.dtype
    )
    return same and library.kernels.address(a) == library.kernels.address(b)


def dense(array: Any) -> bool:
    """Whether the elements fill their memory range without gaps or repetition, in some order of the dimensions."""
    if array.flags.c_contiguous and array.size:
        return True
    expected = array.itemsize
    for stride, extent in sorted((s, n) for s, n in zip(array.strides, array.shape, strict=True) if n != 1):
        if stride != expected:
            return False
        expected *= extent
    return True
