"""How an operation is declared, and what is made from the declaration.

    @op("mul(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method inplace out")
    class mul:
        \"\"\"Multiply two tensors element by element.\"\"\"

        self = lambda grad, other: grad * conj(other)
        other = lambda grad, self: grad * conj(self)

The schema is PyTorch's (see `jgrad/dispatch/schema.py`). The kernel is the function of the same name in `jgrad.kernels.numpy`; it gets the raw arrays
in the order of the schema. Each lambda is the derivative for the argument it is named after, and *its parameters are what backward needs*:
`grad` (`grads` for several results), any argument, `result`, and `NAME_shape`, `NAME_strides` or `NAME_dtype` for that much of an argument. Nothing else is
saved, and nothing at all for an input that needs no gradient.

Note [One formula, two lowerings]: a formula is written once, against the names of its module, where `conj` and `exp` are the public
operations; so run with tensors it records itself, which is what `create_graph=True` does. For the first order the same code object is
rebound to the names of `jgrad.kernels.numpy`, where `conj` and `exp` are NumPy's, and runs on raw arrays without any of our overhead.

Note [Tracebacks]: functions that stand between the user's line and an error set `__tracebackhide__`, which IPython and pytest heed: what
is shown is the user's line and PyTorch's words, not how they were found.

From one declaration come: the function, the method, `name_`, `out=`, the node class (`MulBackward0`) with its `_saved_*`, both backward
passes, the docstring, and what the recorder says about it. `TABLE` lists all of them; `OPTIONS` says what else a declaration can say.
"""

from __future__ import annotations

import copy
import functools
import inspect
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jgrad import dtypes, observer, return_types
from jgrad.dispatch import fast
from jgrad.dispatch import out as out_tensors
from jgrad.dispatch.matching import match, refuse
from jgrad.dispatch.recorded import RecordedNode, node_class
from jgrad.dispatch.schema import NUMBERS, Schema
from jgrad.dtypes import FROM_NUMPY
from jgrad.graph import batched, grad_mode, levels, tangents
from jgrad.graph.node import Node
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
from jgrad.kernels import libraries
from jgrad.kernels import numpy as kernels
from jgrad.return_types import named
from jgrad.tensor import Tensor, _plain

TABLE: dict[str, Op] = {}

# What a declaration can say beside its schema, docstring and formulas.
OPTIONS = {
    "forms": 'which of "function method inplace function_ out" there are ("function_": the in-place one in the namespace, `jgrad.abs_`)',
    "namespace": 'where the function lives if not in jgrad itself: "linalg"',
    "kernel": "the name of the kernel if it is not the operation's",
    "node": "the name of the node class if it is not NameBackward and the number of the overload",
    "promote": 'the operands are brought to a common dtype: "default", or "float", which makes floats of integers',
    "promoted": "the arguments that promotion is about, if not all tensors",
    "numbers": 'Python numbers may stand for tensors: "any", "either": but not for all, or "other": not for the first',
    "varargs": "the last list of ints may be given one by one",
    "undifferentiable": "the result requires grad, and its node refuses to run",
    "constant": "results that carry no gradient, beside integers and bools",
    "derived": "more names for formulas: what a function makes of the arguments",
    "checks_overlap": 'of an in-place write with its operands: True, False, "target": with itself alone, "all": with the same elements too',
    "exclusive": "`out=` may not be an input either",
    "out_dtype": '`out=` must have the very dtype ("exact") or one that holds it ("castable"; "castable NAME": said so), or bool or uint8 ("truth"), or else this text is said',
    "out_layout": 'a resized `out=` gets the strides of the result ("result"), or only if it was empty ("empty")',
    "out_name": "what PyTorch calls the operation when `out=` meets a gradient",
    "without_out": "this overload has no `out=`, though others have",
    "out_copied": "`out=` takes a copy, gradient and all",
    "deprecated": 'older signatures, divided by "; ", that are still accepted with a warning',
    "boolean": "the result is bool whatever the operands are",
    "refuses_bool": "bools are refused as subtraction does it",
    "numbers_in_single": "half-precision tensors and a number are computed in single precision",
    "real_gradient": "complex results have no derivative; may say PyTorch's name of the operation",
    "keeps_dtype": "the result has the dtype of self whatever those of other tensors are, so it may be one that has no gradient",
    "c_names": "errors about dtypes name C's types",
    "crosses_devices": "the arguments may lie on several devices",
    "usually": "of a composite: an operation that it is in the usual case, and the kernel that refuses any other",
    "batches": 'how it runs on a whole batch under `vmap`: "elementwise", along a "dim", with the batch as "leading" dimension, as so many more '
    '"images", "examples" one after the other, or not at all, since the shape of the result is "dynamic"; without this option elementwise if it '
    "promotes its operands, by a rule of its own if `jgrad/transforms` has one, else one after the other",
    "warns": "the kernel may warn each time, so no call may run it twice",
}


_reading = threading.RLock()


def on_device_of_arguments(way: Callable) -> Callable:
    """A way through an operation, on which the device works that holds the arguments; see Note [Several devices] in `jgrad/kernels/libraries.py`."""

    @functools.wraps(way)
    def chosen(self: Any, values: list[Any], *rest: Any) -> Any:
        __tracebackhide__ = True
        if not libraries.many:
            return way(self, values, *rest)
        with libraries.on_device_of(values):
            return way(self, values, *rest)

    return chosen


class Overload:
    """One schema of an operation, with its kernel and derivatives."""

    def __init__(self, operation: Op, schema: str, body: type, options: dict[str, Any]) -> None:
        self.op, self.text, self.body, self.options = operation, schema, body, options
        self.out_dtype: str | None = options.get("out_dtype")
        self.name = schema.partition("(")[0].partition(".")[0]

    def __getattr__(self, attribute: str) -> Any:
        # A declaration is only read when it is first used: there are hundreds, and importing must stay cheap.
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        with _reading:
            if attribute in self.__dict__:  # another thread has read it meanwhile
                return self.__dict__[attribute]
            if "schema" in self.__dict__:
                raise AttributeError(attribute)
            self.prepare()
        return getattr(self, attribute)

    def prepare(self) -> None:
        """Read the declaration: the schema, the kernel, the formulas, the class of nodes."""
        operation, body, options = self.op, self.body, self.options
        out = "out" in operation.forms and not options.get("without_out")
        self.schema = Schema(self.text, operation.name, operation.numbers, operation.varargs, out)
        self.params = self.schema.params
        self.names_of_params = tuple([p.name for p in self.params])
        returns = self.schema.returns
        self.view = "(a)" in returns
        self.writes = any("(a!)" in p.type for p in self.params)
        self.outputs, self.result_names = self.schema.results()
        self.named = self.outputs > 1 and self.result_names[0] != "result0"
        self.constant: set[str] = set(options.get("constant", "").split())
        self.promote: str | None = options.get("promote")
        self.checks_overlap: bool | str = options.get("checks_overlap", True)
        self.kernel: Callable = getattr(kernels, options.get("kernel", self.name))
        self.kernel_inplace: Callable | None = getattr(kernels, options.get("kernel", self.name) + "_", None)
        self.tensor_list = next((i for i, p in enumerate(self.params) if p.type == "Tensor[]"), None)
        self.index_lists = [i for i, p in enumerate(self.params) if p.kind == "Tensor?[]"]
        self.tensor_indexes = [
            i for i, p in enumerate(self.params) if p.is_tensor and i not in self.index_lists
        ]
        promoted = options.get("promoted")
        self.promoted_names = (
            {p.name for p in self.params if p.is_tensor} if promoted is None else set(promoted.split())
        )
        self.promoted = [i for i in self.tensor_indexes if self.params[i].name in self.promoted_names]
        self.derived: dict[str, Callable] = options.get("derived", {})
        self.formulas = {p.name: vars(body)[p.name] for p in self.params if p.name in vars(body)}
        self.edges_from = [i for i in self.tensor_indexes if self.params[i].name in self.formulas]
        self.node: type[RecordedNode] | None = None
        self.node_inplace: type[RecordedNode] | None = None
        camel = "".join(part.capitalize() for part in self.name.rstrip("_").split("_"))
        if options.get("undifferentiable"):
            self.edges_from = self.tensor_indexes
            self.node = node_class(self, "NotImplemented")
        elif self.formulas and options.get("boolean"):  # written in place, the result is a float
            self.node_inplace = node_class(self, f"{camel}Backward1")
        elif self.formulas:
            before = operation.overloads[: operation.overloads.index(self)]
            number = sum(o.node is not None for o in before)
            self.node = node_class(self, options.get("node") or f"{camel}Backward{number}")
            if self.view and "inplace" in operation.forms:
                self.node_inplace = node_class(self, f"{camel}Backward{number + len(operation.overloads)}")

    def arguments(self, values: list[Any]) -> tuple[list[Any], list[Tensor]]:
        """The kernel's arguments (promoted where the declaration says so) and the tensors among the values."""
        raw, tensors = list(values), []
        for i in self.index_lists:
            raw[i] = tuple([t if t is None else t._a for t in values[i]])
        for i in self.tensor_indexes:
            v = values[i]
            if v.__class__ is list:
                raw[i] = [t._a for t in v]
                tensors += v
            elif isinstance(v, Tensor):
                raw[i] = v._a
                tensors.append(v)
        if self.promote is not None:
            operands: list[Any] = []
            for i in self.promoted:
                operands += raw[i] if raw[i].__class__ is list else [] if raw[i] is None else [raw[i]]
            # Numbers that may stand where a tensor is expected take part too: `2 ** x`.
            operands += [
                v
                for p, v in zip(self.params, raw, strict=True)
                if p.kind == "Number"
                and v is not None
                and not p.keyword_only
                and (p.name in self.promoted_names or not self.options.get("promoted"))
            ]
            common = dtypes.result_of(operands) if operands else dtypes.get_default_dtype()
            if self.promote == "float" and common.category < dtypes.FLOATING:
                common = dtypes.get_default_dtype()
            target = common.numpy
            if (
                common is dtypes.float16
                and self.options.get("numbers_in_single")
                and libraries.is_array(raw[0])
                and not libraries.is_array(raw[1])
            ):
                # A number beyond the range of half precision may still give a result within it.
                target = dtypes.float32.numpy
            for i in self.promoted:
                raw[i] = (
                    [cast(a, target) for a in raw[i]] if raw[i].__class__ is list else cast(raw[i], target)
                )
            for i, p in enumerate(self.params):
                if p.name == "alpha":
                    dtypes.check_alpha(raw[i], common)
            if self.options.get("refuses_bool") and common.category:
                kernels.refuse_subtraction(values[:2])
        return raw, tensors

    def compute(self, kernel: Callable, raw: list[Any]) -> Any:
        """Run a kernel; what NumPy refuses is said in PyTorch's words."""
        __tracebackhide__ = True
        if libraries.several:
            mixed = self.options.get("crosses_devices")
            library = libraries.among(raw) if mixed else libraries.together(raw)
            kernel = library.counterpart(kernel)
        try:
            return kernel(*raw)
        except ValueError as error:
            if "negative integer powers" in str(error):
                raise RuntimeError(str(error)) from None
            if "broadcast" not in str(error):
                raise
            raise RuntimeError(kernels.broadcast_error([a for a in raw if libraries.is_array(a)])) from None
        except TypeError as error:
            if "ufunc" not in str(error) and "Wrong type" not in str(error):  # NumPy's words, CuPy's
                raise
            first = libraries.as_array(raw[0])
            kind, device = FROM_NUMPY[first.dtype].type_name, libraries.of(first).device
            raise NotImplementedError(f"\"{self.op.name}_{device}\" not implemented for '{kind}'") from None

    @on_device_of_arguments
    def run(self, values: list[Any], out: Any = None) -> Any:
        """The general path: any arguments, any mode, anybody watching."""
        __tracebackhide__ = True
        if self.writes:
            return self.run_inplace(values)
        if levels.anywhere and (level := batched.level_of(values)) is not None:
            return self.run_batched(values, out, level)
        raw, tensors = self.arguments(values)
        if out is not None:
            out_tensors.accept(self.op.out_name, out, tensors if self.formulas else [])
        result = self.compute(self.kernel, raw)
        if self.promote is not None and self.tensor_list is None:
            if (
                len(tensors) == 1
                and self.options.get("numbers_in_single")
                and tensors[0].dtype is dtypes.float16
            ):
                result = result.astype(np.float16)
            result = libraries.as_array(result)
            result = libraries.of(result).kernels.laid_out(result, raw)
        if out is not None:
            return out_tensors.write(self, out, result, tensors, values)
        if result.__class__ is tuple or result.__class__ is list:
            outputs = tuple([_plain(libraries.as_array(a)) for a in result])
        else:
            outputs = (_plain(libraries.as_array(result)),)
        return self.finish(values, tensors, outputs)

    def run_batched(self, values: list[Any], out: Any, level: levels.Level) -> Any:
        """The general path where some argument is one example of a batch."""
        __tracebackhide__ = True
        values = batched.lifted(values, level)
        outputs = levels.rules.compute(self, values, out, level)
        return self.finish(values, batched.tensors_among(values), outputs)

    def finish(self, values: list[Any], tensors: list[Tensor], outputs: tuple[Tensor, ...]) -> Any:
        """The results of an operation as the user gets them: views are tied to their base, tangents are carried on, a node is left."""
        __tracebackhide__ = True
        if self.view:
            for t in outputs:
                become_view(
                    t, tensors[0], MULTI_OUTPUT_NODE if self.outputs != 1 and grad_mode.mode.enabled else 0
                )
        recorded = (
            self.node is not None
            and grad_mode.mode.enabled
            and any([needs_grad(values[i]) for i in self.edges_from])
        )
        node = None
        if recorded and any([self.differentiable(i, t) for i, t in enumerate(outputs)]):
            node = self.record(values, outputs[0]._a)
            for i, t in enumerate(outputs):
                if self.differentiable(i, t):
                    t._fn, t._nr, t._rg = node, i, True
                    node._outputs = i + 1  # indices after the last of them are none of the node's business
            if self.outputs != 1:
                node.others = [(t._a.shape, t._a.dtype) for t in outputs]
        elif recorded and (self.options.get("keeps_dtype") or any(p.kind == "dtype" for p in self.params)):
            raise RuntimeError(f"Autograd not support dtype: {outputs[0].dtype.type_name}")
        # In this order: a tangent may be computed from the results and thus have their history; with them it is saved.
        if levels.anywhere and (at := tangents.carried(values)):
            levels.rules.propagate(self, values, outputs, at)
        if node is not None:
            node.save_results(outputs)
        if observer.current is not None:
            self.report(
                "view" if self.view else "op" if tensors else "create",
                self.name,
                values,
                tensors,
                outputs,
                node,
            )
        return outputs[0] if self.outputs == 1 else self.returned(outputs)

    def differentiable(self, i: int, output: Tensor) -> bool:
        """Whether this result can have a gradient."""
        return output._a.dtype.kind in "fc" and not (self.constant and self.result_names[i] in self.constant)

    def returned(self, outputs: Any, suffix: str = "") -> Any:
        """Several results as the user gets them."""
        return named(self.op.name + suffix, self.result_names, outputs) if self.named else outputs

    def record(
        self, values: list[Any], first: np.ndarray, saved_self: Any = None, made_by: Any = None
    ) -> RecordedNode:
        """Make the node of this call, with all it saves but the result; `saved_self` stands for a self that is overwritten."""
        if first.dtype.kind == "c" and made_by is None and (name := self.options.get("real_gradient")):
            raise RuntimeError(
                f"{self.op.name if name is True else name} does not support automatic differentiation for outputs with complex dtype."
            )
        edges: list[Any] = []
        for i in self.edges_from:
            v = values[i]
            if v.__class__ is list:
                edges += [edge_to(t) for t in v]
            else:
                edges.append(edge_to(v) if isinstance(v, Tensor) else None)
        if not self.formulas:  # a node that only refuses: PyTorch ties it to what needs a gradient
            edges = [e for i, e in zip(self.edges_from, edges, strict=True) if needs_grad(values[i])]
        kind = made_by or self.node
        assert kind is not None
        node = kind(tuple(edges), first.shape, first.dtype)
        node.save(values, saved_self)
        return node

    @on_device_of_arguments
    def run_inplace(self, values: list[Any]) -> Tensor:
        """The general path of `name_`: the result goes into the memory of the first argument."""
        __tracebackhide__ = True
        if self.view:
            return self.run_inplace_view(values)
        level = batched.level_of(values) if levels.anywhere else None
        if level is not None:
            if not (isinstance(values[0], batched.Batched) and values[0].level is level):
                raise RuntimeError(levels.rules.write_to_shared(self, level))
            values = batched.lifted(values, level)
            raw, tensors = values, batched.tensors_among(values)
        else:
            raw, tensors = self.arguments(values)
        target: Tensor = values[0]
        recorded = grad_mode.mode.enabled and any([t.requires_grad for t in tensors])
        check_inplace(target, recorded)
        array = target._a
        if self.checks_overlap and not (self.name == "copy_" and same_elements(array, raw[1])):
            assert_no_internal_overlap(array)
            for t in tensors[1:] if self.checks_overlap in (True, "all") else ():
                assert_no_overlap(array, t._a, same_is_fine=self.checks_overlap is True)
        if observer.current is not None:
            observer.current.writing(target)
        # The node saves its tensors, with their versions, before the write: one that the write changes must be found stale.
        node: RecordedNode | None = None
        at = tangents.carried(values) if levels.anywhere else []
        before = None
        if at or (self.node is not None and recorded and "self" in self.node.saved_names):
            before = self.before_write(
                target
            )  # the old values, which a derivative asks for, are about to be lost
        if recorded and array.dtype.kind in "fc":
            kind_of_node = self.node or self.node_inplace
            if kind_of_node is None:
                raise RuntimeError(f"derivative for aten::{self.op.name} is not implemented")
            node = self.record(values, array, before, kind_of_node)
        if level is not None:
            levels.rules.write(self, values)
        elif self.writes:
            self.compute(self.kernel, raw)
        elif self.kernel_inplace is not None:
            self.compute(self.kernel_inplace, raw)
        elif not (libraries.several and libraries.of(array).into(self.kernel, raw, array)):
            try:
                result = self.compute(self.kernel, raw)
            except NotImplementedError:
                # That the result would not fit comes before that there is no kernel for it.
                if self.promote is not None and self.promoted:
                    shapes = [raw[i].shape for i in self.promoted if libraries.is_array(raw[i])]
                    check_shape(array, np.broadcast_shapes(*shapes))
                    if not self.options.get("boolean"):
                        self.check_cast(FROM_NUMPY[raw[self.promoted[0]].dtype], target.dtype)
                raise
            result = libraries.as_array(result)
            check_shape(array, result.shape)
            self.check_cast(FROM_NUMPY[result.dtype], target.dtype)
            array[...] = result
        bump(target)
        if node is not None:
            rebase_history(target, node)
        if at:
            assert before is not None
            levels.rules.propagate_write(self, values, before, at)
        if node is not None:
            node.save_results((target,))
            node.written_to_view(target)
        if observer.current is not None:
            self.report(
                "write", self.op.name if self.writes else self.name + "_", values, tensors, (target,), node
            )
        return target

    def before_write(self, target: Tensor) -> Tensor:
        """A copy of a tensor as it is before it is overwritten, at its place in the graph, with its tangents."""
        if isinstance(target, batched.Batched):
            before: Tensor = batched.batched(target.value.clone(), target.bdim, target.level)
        else:
            before = _plain(target._a.copy())
        if target._rare is not None:
            for level, tangent in tangents.tangents_of(target).items():
                tangents.attach(before, level, tangent.clone())
        before._fn, before._rg, before._nr = target.grad_fn, target.requires_grad, target._nr
        return before

    def check_cast(self, kind: dtypes.dtype, wanted: dtypes.dtype) -> None:
        """Refuse to write a result of one dtype into a tensor of another that can't hold it."""
        if not dtypes.can_cast(kind, wanted):
            c_names = self.options.get("c_names")
            shown = kernels.c_name(np.empty(0, wanted.numpy)) if c_names else wanted.type_name
            raise RuntimeError(
                f"result type {kind.type_name} can't be cast to the desired output type {shown}"
            )

    def run_inplace_view(self, values: list[Any]) -> Tensor:
        """`t_()` and its kin: no element is written, the tensor itself gets another geometry over its memory."""
        __tracebackhide__ = True
        target: Tensor = values[0]
        if isinstance(target, batched.Batched):
            raw = list(values)
            tensors: list[Tensor] = [target]
            raw[0] = target._a.view(np.ndarray)
        else:
            raw, tensors = self.arguments(values)
        recorded = grad_mode.mode.enabled and target.requires_grad
        check_inplace(target, recorded)
        try:
            array = self.compute(self.kernel, raw)
        except RuntimeError as error:
            raise RuntimeError(str(error).replace(f"{self.op.name}()", f"{self.op.name}_()")) from None
        node = self.record(values, array, made_by=self.node_inplace) if recorded else None
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

    def report(
        self, kind: str, name: str, values: list, tensors: list, outputs: tuple, node: Node | None
    ) -> None:
        """Tell whoever watches. Of an operation on examples the one on the whole batch has told already."""
        if outputs and outputs[0].__class__ is not Tensor and isinstance(outputs[0], batched.Batched):
            return
        arguments = dict(zip(self.names_of_params, values, strict=False))
        arguments.pop("self", None)
        name = observer.SHOWN_NAMES.get(name, name.lstrip("_"))
        assert observer.current is not None
        observer.current.op(name, kind, tuple(tensors), outputs, node, arguments)


def check_shape(array: np.ndarray, shape: tuple) -> None:
    """Refuse to write a result that has more elements than there is room for."""
    if shape != array.shape:
        raise RuntimeError(
            f"output with shape {list(array.shape)} doesn't match the broadcast shape {list(shape)}"
        )


def needs_grad(value: Any) -> bool:
    """Whether an argument (a tensor, a list of tensors, a number) requires grad."""
    if value.__class__ is list:
        return any([t.requires_grad for t in value])
    return isinstance(value, Tensor) and value.requires_grad


def cast(operand: Any, target: np.dtype) -> Any:
    """An operand of a promoted operation in the common dtype; Python numbers that fit no integer dtype wrap around, as in C."""
    if libraries.is_array(operand):
        # (What is expanded has no order of its own.)
        return (
            operand
            if operand.dtype is target
            else operand.astype(target, "C" if 0 in operand.strides else "K")
        )
    if operand is None:
        return None
    if target.kind in "iub":
        return np.asarray(operand, np.int64 if isinstance(operand, int) else None).astype(target)
    return np.asarray(operand, target)


# Operations -------------------------------------------------------------------------------------------------------------------


class Op:
    """An operation: one or more overloads under one name, and the public functions made from them."""

    function: Callable

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.name = self.shown = name  # PyTorch's own, under which errors speak of it: linalg_inv
        self.namespace: str = options.get("namespace", "")
        self.public = name.removeprefix(self.namespace + "_")  # what users write behind the namespace: inv
        self.overloads: list[Any] = []
        self.forms: list[str] = options.get("forms", "function method").split()
        self.varargs: bool = options.get("varargs", False)
        self.numbers: str = options.get("numbers", "")
        self.deprecated: str = options.get("deprecated", "")
        self.exclusive: bool = options.get("exclusive", False)
        self.out_name: str = options.get("out_name", name)
        self.out_copied: bool = options.get("out_copied", False)
        self.out_layout: str = options.get("out_layout", "")
        self.doc = ""

    def call(self, args: Sequence[Any], kwargs: dict[str, Any], method: bool = False) -> Any:
        """The general path of the function and the method."""
        __tracebackhide__ = True
        out = None
        if "out" in kwargs and "out" in self.forms and not method:
            kwargs = dict(kwargs)
            out = kwargs.pop("out")
        overload, values = match(self, args, kwargs, method, self.shown)
        if out is not None and not overload.schema.out:
            refuse(self.shown, [o.schema for o in self.overloads], args, {**kwargs, "out": out}, method)
        return overload.run(values, out)

    def call_inplace(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The general path of `name_`."""
        __tracebackhide__ = True
        overload, values = match(self, args, kwargs, True, self.shown + "_")
        return overload.run_inplace(values)


class Composite:
    """The overload of an operation that is composed of others: an ordinary Python function, called with bound arguments."""

    node = None
    view = writes = False
    promote = tensor_list = None

    def __init__(self, operation: Op, schema: str, body: Callable, options: dict[str, Any]) -> None:
        self.op, self.name, self.text, self.body = operation, operation.name, schema, body
        self.options, self.out_dtype = options, options.get("out_dtype")

    __getattr__ = Overload.__getattr__

    def prepare(self) -> None:
        out = "out" in self.op.forms and not self.options.get("without_out")
        self.schema = Schema(self.text, self.op.name, self.op.numbers, self.op.varargs, out)
        self.params = self.schema.params
        self.names_of_params = tuple([p.name for p in self.params])
        self.outputs, self.result_names = self.schema.results()
        self.named = self.outputs > 1 and self.result_names[0] != "result0"

    @on_device_of_arguments
    def run(self, values: list[Any], out: Any = None) -> Any:
        __tracebackhide__ = True
        if out is None:
            result = self.body(*values)
            return self.returned(result) if self.named else result  # type: ignore[misc]
        for i, p in enumerate(self.params):
            if p.name == "out":
                return self.body(*values[:i], out, *values[i + 1 :])
        if self.op.out_copied and isinstance(out, Tensor):
            result = self.body(*values)
            out_tensors.check_dtype(self, out, result._a)
            out_tensors.resize(out, result._a.shape)
            return out.copy_(result)
        tensors = [t for v in values for t in (v if v.__class__ is list else [v]) if isinstance(t, Tensor)]
        out_tensors.accept(self.op.out_name, out, tensors)
        with grad_mode.no_grad():
            result = self.body(*values)
        raw = result._a if self.outputs == 1 else [t._a for t in result]
        return out_tensors.write(self, out, raw, tensors, values)

    report = Overload.report
    returned = Overload.returned


def op(schema: str, **options: Any) -> Callable[[type], Any]:
    """Declare an operation (or one more overload of it) by the class that follows; gives the public function."""

    def declare(body: type) -> Any:
        operation, first = _operation(schema, options)
        operation.overloads.append(Overload(operation, schema, body, options))
        operation.doc = operation.doc or inspect.cleandoc(body.__doc__ or "")
        if first:
            install(operation)
        return operation.function

    return declare


def composite(schema: str, **options: Any) -> Callable[[Callable], Callable]:
    """Declare an operation composed of others by the function that follows; autograd sees only what it is composed of."""

    def declare(body: Callable) -> Callable:
        operation, _ = _operation(schema, options)
        operation.overloads.append(Composite(operation, schema, body, options))
        operation.doc = operation.doc or inspect.cleandoc(body.__doc__ or "")
        install(operation)
        return operation.function

    return declare


def _operation(schema: str, options: dict[str, Any]) -> tuple[Op, bool]:
    if unknown := options.keys() - OPTIONS.keys():
        raise TypeError(f"{schema}: no such option: {', '.join(unknown)}")
    operation = Op(schema.partition("(")[0].partition(".")[0], options)
    key = f"{operation.namespace}.{operation.public}" if operation.namespace else operation.name
    first = key not in TABLE
    return TABLE.setdefault(key, operation), first


def _names_of_results(name: str) -> tuple[str, ...] | None:
    named = (
        o
        for operation in list(TABLE.values())
        if operation.name == name
        for o in operation.overloads
        if o.named
    )
    return next((overload.result_names for overload in named), None)


return_types.names_of = _names_of_results


def public(namespace: str) -> dict[str, Callable]:
    """The functions of a namespace ("" for jgrad itself, "linalg", "fft", ...) by name."""
    found = {}
    for key, operation in TABLE.items():
        where, _, name = key.rpartition(".")
        if where == namespace:
            if "function" in operation.forms and not name.endswith("_backward"):
                found[name] = operation.function
            if "function_" in operation.forms:
                found[name + "_"] = getattr(Tensor, operation.name + "_")
    return found


def formula(function: Callable) -> Callable:
    """Mark a helper of derivative formulas: it runs on tensors as it stands, and lowered (under the same name) on raw arrays."""
    libraries.add_formula(function)
    return function


def install(operation: Op) -> None:
    """Make the public function, method and in-place method of an operation."""
    name, call = operation.shown, operation.call

    def method_call(args: tuple, kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        return call(args, kwargs, True)

    operation.function = _public(operation, call, name, lambda: sys.modules.get(module_of(operation)))
    if "method" in operation.forms:
        setattr(Tensor, name, _public(operation, method_call, name, lambda: Tensor))
    if "inplace" in operation.forms:
        install_inplace(operation, name + "_", operation.call_inplace)


def install_inplace(operation: Op, name: str, general: Callable) -> None:
    """Make an in-place method, whose fast path is compiled at the first call."""
    quick = None

    def first(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        nonlocal quick
        if quick is None:
            quick = _described(fast.inplace(operation.overloads[0], general), operation, name)
            setattr(Tensor, name, quick)
        return quick(*args, **kwargs)

    setattr(Tensor, name, _described(first, operation, name))


def _described(made: Any, operation: Op, name: str) -> Callable:
    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"{operation.overloads[0].text.replace('Tensor(a)', 'Tensor')}\n\n{operation.doc}"
    made.__module__ = "jgrad"
    made.op = operation
    return made


def _public(operation: Op, general: Callable, name: str, home: Callable[[], Any]) -> Callable:
    """The public function of an operation. Its fast path is compiled at the first call, and takes its place where it is looked up."""
    quick = None

    def first(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        nonlocal quick
        if quick is None:
            made = fast.path(operation.overloads, general)
            if operation.varargs and "method" in operation.forms and home() is not Tensor:
                made = fast.together(made, general)
            quick = _described(made, operation, name)
            modules = list(sys.modules.items())  # (of which other threads may import more)
            places = [Tensor] if home() is Tensor else [m for n, m in modules if n.startswith("jgrad")]
            for key in {name, operation.public, *[o.body.__name__ for o in operation.overloads]}:
                for place in places:
                    if vars(place).get(key) is described:
                        setattr(place, key, quick)
        return quick(*args, **kwargs)

    described = _described(first, operation, name)
    return described


def module_of(operation: Op) -> str:
    return f"jgrad.{operation.namespace}".rstrip(".")


def operator(operation: Op, dunder: str, inplace: bool = False, numbers: tuple = NUMBERS) -> None:
    """Install an operator like `__mul__`, which leaves operands it does not know to Python."""

    def general(args: tuple, kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        if isinstance(args[1], (Tensor, *numbers)):
            return operation.call_inplace(args, kwargs) if inplace else operation.call(args, kwargs, True)
        return NotImplemented

    if inplace:
        install_inplace(operation, dunder, general)
    else:
        setattr(Tensor, dunder, _public(operation, general, dunder, lambda: Tensor))


def alias_of(name: str, other: str, **options: Any) -> None:
    """Give an operation another name, maybe in another namespace: `alias_of("sigmoid", "special.expit")`."""
    operation = TABLE[other] = copy.copy(TABLE[name])
    operation.namespace, _, operation.public = other.rpartition(".")
    operation.shown = other.replace(".", "_")
    if operation.namespace:
        operation.forms = ["function", "out"]
    operation.__dict__.update(options)
    install(operation)
