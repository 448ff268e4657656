"""What is known of operators and their overloads, as plain facts.

`OverloadFacts` lists all that a declaration says. `Overload` (`jgrad/dispatch/overload.py`) adds what an overload does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jgrad import observer
from jgrad.dispatch import batched
from jgrad.dispatch.immutable import Immutable
from jgrad.dispatch.options import Options
from jgrad.dispatch.recording import Formula, Recording
from jgrad.dispatch.schema import Param, Schema
from jgrad.dtypes import INEXACT
from jgrad.graph.node import Node
from jgrad.return_types import named
from jgrad.tensor import Tensor

Kernel = Callable[..., Any]


class OperatorFacts:
    """What the declarations of one name have in common: the options of the first of them that are about the operator as a whole."""

    def __init__(self, name: str, options: Options) -> None:
        self.name = self.shown = name  # PyTorch's own, under which errors speak of it: linalg_inv
        self.namespace = options.get("namespace", "")
        self.public = name.removeprefix(self.namespace + "_")  # what users write after the namespace: inv
        self.forms = options.get("forms", "function method").split()
        self.varargs = options.get("varargs", False)
        self.numbers: str = options.get("numbers", "")
        self.deprecated = options.get("deprecated", "")
        self.also = options.get("also", "")
        self.exclusive = options.get("exclusive", False)
        self.out_name = options.get("out_name", name)
        self.out_copied = options.get("out_copied", False)
        self.out_layout: str = options.get("out_layout", "")
        self.out_resized_silently = options.get("out_resized_silently", False)
        self.doc = ""
        self.forms_made: list[Any] = []  # the functions and methods that show it


class BaseOverload(Immutable):
    """What overloads with a kernel and composites have in common."""

    op: OperatorFacts
    name: str
    text: str  # the schema as it is declared
    body: type | Callable[..., Any]  # the class or function under the declaration
    schema: Schema
    params: tuple[Param, ...]
    names_of_params: tuple[str, ...]
    outputs: int  # how many results there are; -1: a list of any length
    result_names: tuple[str, ...]
    named: bool  # whether several results are a named tuple
    out_dtype: str | None
    promote: str | None  # "default" or "float" if the operands are converted to their common dtype
    tensor_list: int | None  # the position of the argument that is a list of tensors

    def returned(self, outputs: Any, suffix: str = "") -> Any:
        """Several results as the user gets them."""
        return named(self.op.name + suffix, self.result_names, outputs) if self.named else outputs

    def report(
        self,
        kind: str,
        name: str,
        values: list[Any],
        tensors: list[Tensor],
        outputs: tuple[Tensor, ...],
        node: Node | None,
    ) -> None:
        """Report to the observer, if there still is one. An operator on examples is not reported: the one on the whole batch was."""
        watch = observer.current
        if watch is None or (outputs and isinstance(outputs[0], batched.Batched)):
            return
        arguments = dict(zip(self.names_of_params, values, strict=False))
        arguments.pop("self", None)
        name = observer.SHOWN_NAMES.get(name, name.lstrip("_"))
        watch.op(name, kind, tuple(tensors), outputs, node, arguments)


class OverloadFacts(BaseOverload):
    """One schema of an operator, with its kernel and derivatives."""

    view: bool  # the result is a view of the first argument
    writes: bool  # the kernel writes to the first argument: `copy_`, `fill_`
    kernel: Kernel
    kernel_inplace: Kernel | None
    crosses_devices: bool
    warns: bool
    result_writes: int | dict[str, int] | Callable[..., int]

    # Arguments, by their positions in the schema.
    index_lists: tuple[int, ...]  # those that are lists of index tensors with gaps
    tensor_indexes: tuple[int, ...]  # those that are tensors or lists of tensors

    # Dtypes; `Options` explains the flags.
    promoted: tuple[int, ...]
    promoted_names: frozenset[str]
    promotes_numbers: bool  # numbers among the positional arguments take part in the promotion
    boolean: bool
    row_major: bool
    refuses: str
    numbers_in_single: bool
    refuses_overflow: bool
    keeps_dtype: bool
    c_names: bool

    # Derivatives.
    formulas: Mapping[str, Formula]  # by argument
    derived: Mapping[str, Callable[..., Any]]
    constant: frozenset[str]
    real_gradient: bool | str
    recording: Recording
    node: type[Node] | None
    node_inplace: type[Node] | None  # where it is another class
    inplace_of_number: Any  # the overload of the in-place form with a number, if that has a node of its own

    inplace_cast_error: str
    broadcasts_with_out: bool
    draws_into_out: bool
    inplace_resizes: bool
    checks_overlap: bool | str
    checked_before_overlap: Kernel | None
    batches: str | None

    def differentiable(self, i: int, output: Tensor) -> bool:
        """Whether this result can have a gradient."""
        return output._a.dtype.kind in INEXACT and not (
            self.constant and self.result_names[i] in self.constant
        )
