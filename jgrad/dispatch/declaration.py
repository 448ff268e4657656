"""A declaration as it is written, and how it is read: at the first use of its operator.

There are more than 900, so importing them must stay cheap. What is read is an immutable `Overload` or `Composite`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from jgrad.dispatch.facts import OperatorFacts
from jgrad.dispatch.node_classes import node_class
from jgrad.dispatch.options import Options
from jgrad.dispatch.overload import AnyOverload, Composite, Overload
from jgrad.dispatch.recorded import RecordedNode
from jgrad.dispatch.recording import Recording, recording_of
from jgrad.dispatch.schema import Schema
from jgrad.kernels import numpy as kernels

_reading = threading.RLock()  # several threads may be the first to use an operator


class Operator(OperatorFacts):
    """An operator: one or more overloads under one name."""

    def __init__(self, name: str, options: Options) -> None:
        super().__init__(name, options)
        self.declarations: list[Declaration] = []
        self._overloads: tuple[AnyOverload, ...] = ()

    @property
    def overloads(self) -> tuple[AnyOverload, ...]:
        """The overloads, in the order of their declarations. The first use reads the declarations."""
        if len(self._overloads) != len(self.declarations):
            self._overloads = tuple([d.overload() for d in self.declarations])
        return self._overloads


class Declaration:
    """The schema, the options, and the class (or for a composite the function) that follows them."""

    __slots__ = ("op", "text", "body", "options", "_overload")

    def __init__(self, op: Operator, text: str, body: type | Callable[..., Any], options: Options) -> None:
        self.op, self.text, self.body, self.options = op, text, body, options
        self._overload: AnyOverload | None = None

    def overload(self) -> AnyOverload:
        """What the declaration says, read when it is first asked for."""
        if self._overload is None:
            with _reading:
                if self._overload is None:
                    self._overload = self._read()
        return self._overload

    def _read(self) -> AnyOverload:
        op, options = self.op, self.options
        out = "out" in op.forms and not options.get("without_out", False)
        schema = Schema(self.text, op.name, op.numbers, op.varargs, out)
        outputs, result_names = schema.results()
        common: dict[str, Any] = {
            "op": op,
            "name": schema.overload.partition(".")[0],
            "text": self.text,
            "body": self.body,
            "schema": schema,
            "params": schema.params,
            "names_of_params": tuple([p.name for p in schema.params]),
            "outputs": outputs,
            "result_names": result_names,
            "named": outputs > 1 and result_names[0] != "result0",
            "out_dtype": options.get("out_dtype"),
        }
        if isinstance(self.body, type):
            return self._read_class(common, schema, result_names)
        return Composite(**common, promote=None, tensor_list=None, usually=options.get("usually", ""))

    def _read_class(self, common: dict[str, Any], schema: Schema, result_names: tuple[str, ...]) -> Overload:
        """The overload of a class, whose attributes are formulas."""
        options, params, name = self.options, schema.params, common["name"]
        kernel = options.get("kernel", name)
        before_overlap = options.get("checked_before_overlap")
        tensor_indexes = tuple([i for i, p in enumerate(params) if p.is_tensor and p.kind != "Tensor?[]"])
        promoted = options.get("promoted")
        promoted_names = frozenset(
            [p.name for p in params if p.is_tensor] if promoted is None else promoted.split()
        )
        formulas = {p.name: vars(self.body)[p.name] for p in params if p.name in vars(self.body)}
        refuses = options.get("undifferentiable", False)
        inputs = tuple([i for i in tensor_indexes if refuses or params[i].name in formulas])
        derived = options.get("derived", {})
        recording = recording_of(params, result_names, formulas, derived, inputs)
        view = "(a)" in schema.returns
        node, node_inplace = self._node_classes(
            name, view, bool(formulas), recording, common["outputs"] == -1
        )
        overload = Overload(
            **common,
            view=view,
            writes=any("(a!)" in p.type for p in params),
            kernel=getattr(kernels, kernel),
            kernel_inplace=getattr(kernels, kernel + "_", None),
            crosses_devices=options.get("crosses_devices", False),
            warns=options.get("warns", False),
            result_writes=options.get("result_writes", 0),
            tensor_list=next((i for i, p in enumerate(params) if p.type == "Tensor[]"), None),
            index_lists=tuple([i for i, p in enumerate(params) if p.kind == "Tensor?[]"]),
            tensor_indexes=tensor_indexes,
            promote=options.get("promote"),
            promoted=tuple([i for i in tensor_indexes if params[i].name in promoted_names]),
            promoted_names=promoted_names,
            promotes_numbers=not promoted,
            boolean=options.get("boolean", False),
            row_major=options.get("row_major", False),
            refuses=options.get("refuses", ""),
            numbers_in_single=options.get("numbers_in_single", False),
            refuses_overflow=options.get("refuses_overflow", False),
            keeps_dtype=options.get("keeps_dtype", False),
            c_names=options.get("c_names", False),
            formulas=formulas,
            derived=derived,
            constant=frozenset(options.get("constant", "").split()),
            real_gradient=options.get("real_gradient", False),
            recording=recording,
            node=node,
            node_inplace=node_inplace,
            inplace_of_number=None,
            inplace_cast_error=options.get("inplace_cast_error", ""),
            broadcasts_with_out=options.get("broadcasts_with_out", False),
            draws_into_out=options.get("draws_into_out", False),
            inplace_resizes=options.get("inplace_resizes", False),
            checks_overlap=options.get("checks_overlap", True),
            checked_before_overlap=getattr(kernels, f"refuse_{before_overlap}") if before_overlap else None,
            batches=options.get("batches"),
        )
        for cls in (node, node_inplace):
            if cls is not None:
                cls.overload = overload
        if overload.boolean and formulas:
            return _with_number(overload, camel(name))
        return overload

    def _node_classes(
        self, name: str, view: bool, formulas: bool, recording: Recording, materializes: bool
    ) -> tuple[type[RecordedNode] | None, type[RecordedNode] | None]:
        """The classes of the nodes of the function and, where it has one of its own, of the in-place form; named as PyTorch's."""
        op, options = self.op, self.options

        def made(name: str, refused: str = "") -> type[RecordedNode]:
            return node_class(name, recording, refused, materializes, options.get("gradient_writes", 0))

        if options.get("undifferentiable"):
            return made("NotImplemented", name), made("NotImplemented", name + "_")
        if not formulas:
            return None, None
        if options.get("boolean"):  # written in place, the result is a float
            return None, made(f"{camel(name)}Backward1")
        before = op.declarations[: op.declarations.index(self)]
        number = sum(d.overload().node is not None for d in before)
        node = made(options.get("node") or f"{camel(name)}Backward{number}")
        if view and "inplace" in op.forms:
            return node, made(f"{camel(name)}Backward{number + len(op.declarations)}")
        return node, None


def camel(name: str) -> str:
    """The name of an operator as it begins the names of its nodes."""
    return "".join(part.capitalize() for part in name.rstrip("_").split("_"))


def _with_number(overload: Overload, name: str) -> Overload:
    """A comparison, with the overload for its in-place form with a number: its node has one edge and a name of its own, as `lt_.Scalar` of PyTorch's."""
    formulas = {"self": overload.formulas["self"]}
    recording = recording_of(overload.params, overload.result_names, formulas, overload.derived, (0,))
    node = node_class(f"{name}Backward0", recording, "", False, 0)
    node.overload = of_number = overload.changed(formulas=formulas, recording=recording, node_inplace=node)
    return overload.changed(inplace_of_number=of_number)
