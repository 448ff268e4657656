"""The overloads of operators: the general path of a call.

The general path takes any arguments in any mode, with or without an observer. It raises all errors in PyTorch's words. For the usual
arguments there are fast paths (`jgrad/dispatch/fast/`), which must do the same: tests run the same programs with and without them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import numpy as np

from jgrad import dtypes, observer
from jgrad.dispatch import batched, intercepting, narrow, tangents
from jgrad.dispatch import out as out_tensors
from jgrad.dispatch.facts import BaseOverload, Kernel, OverloadFacts
from jgrad.dispatch.promotion import half_of, raw_arguments, refuse
from jgrad.dispatch.recorded import RecordedNode
from jgrad.dtypes import FROM_NUMPY, INEXACT
from jgrad.errors import of_dimensions
from jgrad.graph import grad_mode, levels
from jgrad.graph.view import (
    MULTI_OUTPUT_NODE,
    assert_no_internal_overlap,
    assert_no_overlap,
    become_view,
    bump,
    check_inplace,
    edge_to,
    move_retained,
    rebase_history,
    same_elements,
)
from jgrad.kernels import lazy, libraries, sparse
from jgrad.kernels import numpy as kernels
from jgrad.kernels.narrow import rounded
from jgrad.tensor import Tensor, _plain

Path = TypeVar("Path", bound=Callable[..., Any])


def on_device_of_arguments(path: Path) -> Path:
    """Run a path of an overload on the device of its arguments; see Note [Several devices] in `jgrad/kernels/libraries.py`."""
    in_place = path.__name__ == "run_inplace"

    @functools.wraps(path)
    def chosen(self: AnyOverload, values: list[Any], *rest: Any) -> Any:
        __tracebackhide__ = True
        # (Composites and the function form of a write reach the paths of other overloads.)
        reached = intercepting.in_use and not isinstance(self, Composite) and in_place >= self.writes
        if reached and (around := intercepting.slots.around) is not None:
            return around(self, in_place, values, lambda: path(self, values, *rest))
        if not libraries.many:
            return path(self, values, *rest)
        with libraries.device_guard(values):
            return path(self, values, *rest)

    return chosen  # type: ignore[return-value]


class Composite(BaseOverload):
    """The overload of an operator that calls others: an ordinary Python function, called with bound arguments."""

    usually: str  # see `Options`

    view: ClassVar[bool] = False
    writes: ClassVar[bool] = False
    node: ClassVar[None] = None

    @on_device_of_arguments
    def run(self, values: list[Any], out: Any = None) -> Any:
        """Call the function; `out=` gets its result, unless the function has an `out` of its own."""
        __tracebackhide__ = True
        body: Callable[..., Any] = self.body
        if out is None:
            result = body(*values)
            return self.returned(result) if self.named else result
        for i, p in enumerate(self.params):
            if p.name == "out":
                return body(*values[:i], out, *values[i + 1 :])
        if self.op.out_copied and isinstance(out, Tensor):
            result = body(*values)
            out_tensors.check_dtype(self, out, result._a)
            out_tensors.resize(out, result._a.shape)
            return out.copy_(result)
        tensors = [t for v in values for t in (v if v.__class__ is list else [v]) if isinstance(t, Tensor)]
        out_tensors.accept(self.op.out_name, out, self.outputs == 1)
        out_tensors.refuse_lost_gradients(self.op.out_name, out, tensors)
        with grad_mode.no_grad():
            result = body(*values)
        raw = result._a if self.outputs == 1 else [t._a for t in result]
        return out_tensors.write(self, out, raw, tensors, values)


class Overload(OverloadFacts):
    """One schema of an operator, with its kernel and derivatives."""

    node: type[RecordedNode] | None
    node_inplace: type[RecordedNode] | None

    # The function -------------------------------------------------------------------------------------------------------------

    @on_device_of_arguments
    def run(self, values: list[Any], out: Any = None) -> Any:
        """The general path of the function and the method: `values` are the arguments in the order of the schema."""
        __tracebackhide__ = True
        if self.writes:
            return self.run_inplace(values)
        if levels.anywhere and (level := self.drawn_at(values) or batched.level_of(values)) is not None:
            return self.run_batched(values, out, level)
        raw, tensors = raw_arguments(self, values)
        refuse(self, values)
        if out is not None:
            out_tensors.accept(self.op.out_name, out, self.outputs == 1)
            # (Without formulas the dtype of `out=` is looked at first, when the result is there to be written.)
            if self.formulas:
                out_tensors.refuse_lost_gradients(self.op.out_name, out, tensors)
            if self.broadcasts_with_out:
                raw[0] = out_tensors.broadcast(raw[0], out)
            if self.draws_into_out:
                raw.append(out._a)
        result = self.compute(self.kernel, raw)
        if self.promote is not None and self.tensor_list is None:
            if (
                len(tensors) == 1
                and self.numbers_in_single
                and (half := half_of(self, tensors[0])) is not None
            ):
                result = result.astype(half.numpy)
            result = libraries.as_array(result)
            bound = libraries.library_of(result).kernels
            result = bound.contiguous(result) if self.row_major else bound.laid_out(result, raw)
        if out is not None:
            return out_tensors.write(self, out, result, tensors, values)
        if result.__class__ is tuple or result.__class__ is list:
            outputs = tuple([_plain(libraries.as_array(a)) for a in result])
        else:
            outputs = (_plain(libraries.as_array(result)),)
            if (writes := self.result_writes) != 0:
                if isinstance(writes, dict):
                    writes = writes.get(raw[0].dtype.kind, 0)
                for _ in range(writes(*raw) if callable(writes) else writes):
                    bump(outputs[0])
        return self.finish(values, tensors, outputs)

    def drawn_at(self, values: list[Any]) -> levels.Level | None:
        """The level at which the `randomness` of a `vmap` tells what to draw, also from tensors of no batch."""
        draws = any([p.kind == "Generator" for p in self.params]) and batched.tensors_among(values)
        return levels.batching() if draws else None

    def run_batched(self, values: list[Any], out: Any, level: levels.Level) -> Any:
        """The general path where some argument is one example of a batch."""
        __tracebackhide__ = True
        values = batched.lifted(values, level)
        outputs = levels.rules.compute(self, values, out, level)
        return self.finish(values, batched.tensors_among(values), outputs)

    def compute(self, kernel: Kernel, raw: list[Any]) -> Any:
        """Run a kernel; an error of NumPy's is raised in PyTorch's words."""
        __tracebackhide__ = True
        if intercepting.in_use and (given := intercepting.taken()) is not None:
            return given(lambda: self.compute(kernel, raw), raw)
        if sparse.in_use and (sparse_kernel := sparse.around(self, kernel, raw)) is not None:
            return sparse_kernel(*raw)
        if lazy.in_use:
            kernel = lazy.around(self, kernel, raw)
        if libraries.several:
            library = libraries.library_among(raw) if self.crosses_devices else libraries.result_library(raw)
            kernel = library.counterpart(kernel)
        if dtypes.narrow_in_use and not (libraries.several and libraries.library_among(raw).device == "meta"):
            kernel = narrow.around(self, kernel, raw)
        try:
            return kernel(*raw)
        except ValueError as error:
            if "negative integer powers" in str(error):
                raise RuntimeError(str(error)) from None
            if "broadcast" not in str(error):
                raise of_dimensions(error) from None
            raise RuntimeError(kernels.broadcast_error([a for a in raw if libraries.is_array(a)])) from None
        except TypeError as error:
            if "ufunc" not in str(error) and "Wrong type" not in str(error):  # NumPy's words, CuPy's
                raise
            first = libraries.as_array(raw[0])
            kind, device = FROM_NUMPY[first.dtype].type_name, libraries.library_of(first).device
            raise NotImplementedError(f"\"{self.op.name}_{device}\" not implemented for '{kind}'") from None

    def finish(self, values: list[Any], tensors: list[Tensor], outputs: tuple[Tensor, ...]) -> Any:
        """The results as the user gets them: views know their base, tangents are carried on, the call is recorded and reported."""
        __tracebackhide__ = True
        if self.view and not (sparse.in_use and sparse.is_sparse(tensors[0]._a)):
            several = self.outputs != 1 and grad_mode.mode.enabled
            for t in outputs:
                become_view(t, tensors[0], MULTI_OUTPUT_NODE if several else 0)
        node = self.record_results(values, outputs)
        # In this order: a tangent may be computed from the results and thus have their history; with them it is saved.
        if levels.anywhere and (at := tangents.carried(values)):
            levels.rules.propagate(self, values, outputs, at)
        if node is not None:
            self.recording.save_results(node, outputs, self.differentiable)
        if observer.current is not None:
            kind = "view" if self.view else "op" if tensors else "create"
            self.report(kind, self.name, values, tensors, outputs, node)
        return outputs[0] if self.outputs == 1 else self.returned(outputs)

    # Recording ----------------------------------------------------------------------------------------------------------------

    def record_results(self, values: list[Any], outputs: tuple[Tensor, ...]) -> RecordedNode | None:
        """Make the node of this call, if one is needed, and make it the history of the results."""
        needed = (
            self.node is not None
            and grad_mode.mode.enabled
            and any([needs_grad(values[i]) for i in self.recording.inputs])
            and (
                not grad_mode.leaves_inferred
                or self.op.name in ("clone", "_to_copy")
                or grad_mode.records(batched.tensors_among(values))
            )
        )
        if not needed:
            return None
        differentiable = [i for i, t in enumerate(outputs) if self.differentiable(i, t)]
        if not differentiable:
            if self.keeps_dtype or any(p.kind == "dtype" for p in self.params):
                raise RuntimeError(f"Autograd not support dtype: {outputs[0].dtype.type_name}")
            return None
        node = self.record(values, outputs[0]._a)
        for i in differentiable:
            t = outputs[i]
            t._fn, t._nr, t._rg = node, i, True
        node._outputs = differentiable[-1] + 1  # the node knows nothing of outputs after the last of them
        if self.outputs != 1:
            node.others = [(t._a.shape, t._a.dtype) for t in outputs]
        return node

    def record(
        self,
        values: list[Any],
        first: np.ndarray,
        saved_self: Tensor | None = None,
        node_class: type[RecordedNode] | None = None,
    ) -> RecordedNode:
        """The node of this call, with all it saves but results. `first`: the array of the first result. `saved_self` stands for a self that
        is overwritten."""
        if first.dtype.kind == "c" and node_class is None and self.real_gradient:
            name = self.op.name if self.real_gradient is True else self.real_gradient
            raise RuntimeError(
                f"{name} does not support automatic differentiation for outputs with complex dtype."
            )
        if self.formulas:
            edges = self.recording.edges(values)
        else:  # a node that only refuses: PyTorch ties it to what needs a gradient
            edges = [edge_to(t) for t in batched.tensors_among(values) if t.requires_grad]
        node_class = node_class or self.node
        assert node_class is not None
        node = node_class(tuple(edges), first.shape, first.dtype)
        self.recording.save(node, values, saved_self)
        return node

    # In place -----------------------------------------------------------------------------------------------------------------

    @on_device_of_arguments
    def run_inplace(self, values: list[Any]) -> Tensor:
        """The general path of `name_`: the result is written to the memory of the first argument."""
        __tracebackhide__ = True
        if self.view:
            return self.run_inplace_view(values)
        if self.inplace_of_number is not None and not isinstance(values[1], Tensor):
            of_number: Overload = self.inplace_of_number
            return of_number.run_inplace(values)
        level = batched.level_of(values) if levels.anywhere else None
        if level is None and levels.anywhere and (drawn := self.drawn_at(values)) is not None:
            levels.rules.check_shared_draw(drawn)
        outside = values
        if level is not None and not (isinstance(values[0], batched.Batched) and values[0].level is level):
            outside = [batched.outside(v) for v in values]
            if batched.level_of(outside) is not None:
                raise RuntimeError(levels.rules.write_to_shared(self, level))
            level = None
        if level is not None:
            values = batched.lifted(values, level)
            raw, tensors = values, batched.tensors_among(values)
        else:
            raw, tensors = raw_arguments(self, outside)
        target: Tensor = values[0]
        recorded = self.records_writes and grad_mode.mode.enabled and any([t.requires_grad for t in tensors])
        if recorded and self.name == "copy_" and target._a.dtype.kind not in INEXACT:
            recorded = False  # `copy_` alone does not check writes to tensors that can't have gradients
        check_inplace(target, recorded)
        if level is None:
            try:
                refuse(self, values)
            except NotImplementedError:
                self.check_fit(target._a, raw)
                raise
        self.check_overlap(target._a, raw, tensors)
        if (watch := observer.current) is not None:
            watch.writing(target)
        # The node saves its tensors, with their versions, before the write: one that the write changes must be found stale.
        tangents_at = tangents.carried(values) if levels.anywhere else []
        before = None
        if tangents_at or (recorded and self.node is not None and "self" in self.node.saved_names):
            before = before_write(target)
        node = None
        if recorded and target._a.dtype.kind in INEXACT:
            node_class = self.node_inplace or self.node
            if node_class is not None:  # (without one the kernel refuses numbers that could have a gradient)
                node = self.record(values, target._a, before, node_class)
        if level is not None:
            levels.rules.write(self, values)
        else:
            self.write(target, raw)
        bump(target)
        if node is not None:
            node._shape = target._a.shape
            rebase_history(target, node)
        if tangents_at:
            assert before is not None
            levels.rules.propagate_write(self, values, before, tangents_at)
        if node is not None:
            self.recording.save_results(node, (target,), self.differentiable)
            node.written_to_view(target)
        if observer.current is not None:
            name = self.op.name if self.writes else self.name + "_"
            self.report("write", name, values, tensors, (target,), node)
        return target

    @property
    def records_writes(self) -> bool:
        """Whether autograd takes note of the in-place form. Of `logical_and_` and its like PyTorch knows not even that they have no derivative: they
        may write to leaves."""
        return not (self.boolean and self.node_inplace is None)

    def check_overlap(self, target: np.ndarray, raw: list[Any], tensors: list[Tensor]) -> None:
        """Refuse a write to memory that is read at the same time, as far as the declaration asks for the check."""
        if sparse.in_use and sparse.is_sparse(target):
            return
        if self.checks_overlap and not (self.name == "copy_" and same_elements(target, raw[1])):
            some = self.checks_overlap in ("operands", "all operands")
            try:
                if not some:
                    assert_no_internal_overlap(target)
                for t in tensors[1 : 2 if some else None] if self.checks_overlap != "target" else ():
                    assert_no_overlap(target, t._a, same_is_fine=self.checks_overlap in (True, "operands"))
            except RuntimeError:
                if self.checked_before_overlap is not None:
                    self.compute(self.checked_before_overlap, raw)
                raise

    def write(self, target: Tensor, raw: list[Any]) -> None:
        """Compute, and write the result to the memory of the target."""
        __tracebackhide__ = True
        array = target._a
        if sparse.in_use and sparse.is_sparse(array):
            sparse.refuse_write(array, self.name)
        elif sparse.in_use and sparse.added_to(array, self.name, raw):
            return
        if self.writes:
            self.compute(self.kernel, raw)
        elif self.inplace_resizes:
            result = self.compute(self.kernel, raw)
            out_tensors.reshape(target, result.shape)
            target._a[...] = result
        elif self.kernel_inplace is not None:
            self.compute(self.kernel_inplace, raw)
        elif not (libraries.several and libraries.library_of(array).into(self.kernel, raw, array)):
            try:
                result = self.compute(self.kernel, raw)
            except NotImplementedError:
                self.check_fit(array, raw)
                raise
            result = libraries.as_array(result)
            if self.inplace_cast_error:  # PyTorch looks itself, before its iterator looks at shapes
                self.check_cast(FROM_NUMPY[result.dtype], target.dtype)
            check_shape(array, result.shape)
            self.check_cast(FROM_NUMPY[result.dtype], target.dtype)
            if sparse.in_use and (sparse.is_sparse(array) or sparse.is_sparse(result)):
                sparse.written(array, result, self.name, raw[-1])
                return
            array[...] = rounded(result, array.dtype) if dtypes.narrow_in_use else result

    def check_fit(self, array: Any, raw: list[Any]) -> None:
        """Refuse a result that would not fit, which PyTorch finds before it finds that there is no kernel for it."""
        if self.promote is not None and self.promoted:
            shapes = [raw[i].shape for i in self.promoted if libraries.is_array(raw[i])]
            check_shape(array, np.broadcast_shapes(*shapes))
            if not self.boolean:
                self.check_cast(FROM_NUMPY[raw[self.promoted[0]].dtype], FROM_NUMPY[array.dtype])

    def check_cast(self, kind: dtypes.dtype, target: dtypes.dtype) -> None:
        """Refuse to write a result of one dtype to a tensor of another that can't hold it."""
        if not dtypes.can_cast(kind, target):
            if self.inplace_cast_error and target.category < dtypes.FLOATING:
                text = self.inplace_cast_error
                raise RuntimeError(text.format(result=kind.type_name, target=target.type_name))
            shown = kernels.c_name_of(target.numpy) if self.c_names else target.type_name
            raise RuntimeError(
                f"result type {kind.type_name} can't be cast to the desired output type {shown}"
            )

    def run_inplace_view(self, values: list[Any]) -> Tensor:
        """`t_()` and related operators: no element is written, the tensor itself gets another geometry over its memory."""
        __tracebackhide__ = True
        target: Tensor = values[0]
        if isinstance(target, batched.Batched):
            raw = list(values)
            tensors: list[Tensor] = [target]
            raw[0] = target._a.view(np.ndarray)
        else:
            raw, tensors = raw_arguments(self, values)
        recorded = grad_mode.mode.enabled and target.requires_grad
        check_inplace(target, recorded)
        try:
            array = self.compute(self.kernel, raw)
        except RuntimeError as error:
            raise RuntimeError(str(error).replace(f"{self.op.name}()", f"{self.op.name}_()")) from None
        node = self.record(values, array, node_class=self.node_inplace) if recorded else None
        carried = tangents.tangents_of(target) if levels.anywhere else {}
        if isinstance(target, batched.Batched):
            levels.rules.reshape_in_place(self, values)
        else:
            target._get_geometry(array)
        bump(target)
        for level, tangent in carried.items():
            tangents.attach(target, level, self.run([tangent, *values[1:]]))
        if node is not None:
            move_retained(target, node)
            target._fn, target._nr, target._rg = node, 0, True
            if target._view is not None:
                target._view.attr_version = target._version
        if observer.current is not None:
            self.report("view", self.op.name + "_", values, tensors, (target,), node)
        return target


AnyOverload = Overload | Composite


def before_write(target: Tensor) -> Tensor:
    """A copy of a tensor as it is before it is overwritten, at its place in the graph, with its tangents: derivatives need the old values."""
    if isinstance(target, batched.Batched):
        before: Tensor = batched.batched(target.value.clone(), target.bdim, target.level)
    else:
        before = _plain(target._a.copy())
    if target._rare is not None:
        for level, tangent in tangents.tangents_of(target).items():
            tangents.attach(before, level, tangent.clone())
    before._fn, before._rg, before._nr = target.grad_fn, target.requires_grad, target._nr
    return before


def check_shape(array: np.ndarray, shape: tuple[int, ...]) -> None:
    """Refuse to write a result of this shape to an array of another one."""
    if shape != array.shape:
        raise RuntimeError(
            f"output with shape {list(array.shape)} doesn't match the broadcast shape {list(shape)}"
        )


def needs_grad(value: Any) -> bool:
    """Whether an argument (a tensor, a list of tensors, a number) requires grad."""
    if value.__class__ is list:
        return any([t.requires_grad for t in value])
    return isinstance(value, Tensor) and value.requires_grad
