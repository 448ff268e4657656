"""What a node gets when a call of an overload is recorded: edges, saved tensors and values, and metadata.

`Recording` describes it, once per overload. Two paths follow the description. The general path calls `edges`, `save` and `save_results`.
The fast path consists of source, for which each part of a node gives its `lines`. What a part does and the lines that do the same stand
next to each other here. The lines may be shorter: on the fast path no saved-tensor hooks are on, no transform is open, and an argument is
known to be a tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jgrad.devices import CPU
from jgrad.dispatch.batched import same_without_history
from jgrad.dispatch.immutable import Immutable
from jgrad.dispatch.saved import NEVER, Packed, hooks, packed
from jgrad.dispatch.schema import Param
from jgrad.graph import levels
from jgrad.graph.node import Edge, Node
from jgrad.graph.view import edge_to
from jgrad.tensor import Tensor

Formula = Callable[..., Any]
NodeEdge = Node | Edge | Tensor | None  # see `jgrad/graph/node.py`: an edge to a leaf is the leaf

# Parameters of formulas that are no arguments: the cotangent, the cotangents of several results, and which gradients are needed.
GRADIENTS = ("grad", "grads", "output_mask")


def parameters(formula: Formula) -> tuple[str, ...]:
    """The names of a formula's parameters."""
    return formula.__code__.co_varnames[: formula.__code__.co_argcount]


def argument_of(name: str) -> str:
    """The argument that a formula's parameter NAME_shape, NAME_strides, NAME_dtype or NAME_device is about."""
    return name.removesuffix("_shape").removesuffix("_strides").removesuffix("_dtype").removesuffix("_device")


def attribute(name: str, value: Any) -> Any:
    """The value of a formula's parameter NAME_shape, NAME_strides (in bytes), NAME_dtype or NAME_device. `value`: the argument NAME."""
    if name.endswith("_shape"):
        if value.__class__ is list:
            return [t._a.shape for t in value]
        return value._a.shape if isinstance(value, Tensor) else ()
    if name.endswith("_strides"):
        return value._a.strides if isinstance(value, Tensor) else ()
    if name.endswith("_dtype"):
        return value._a.dtype if isinstance(value, Tensor) else None
    return value.device if isinstance(value, Tensor) else CPU


# The parts of a node ----------------------------------------------------------------------------------------------------------


def new_node_lines(edges: str, array: str) -> list[str]:
    """The lines that make a node with these edges and the metadata of this array, as `Node.__init__` does.

    They are written out because a call of a class with an `__init__` in Python takes three times as long.
    """
    return [
        "node = new(node_class)",
        f"node._next = {edges}",
        "node._seq = next(sequence_numbers)",
        f"node._shape = {array}.shape",
        f"node._dtype = {array}.dtype",
        "node._extras = None",
        "node._outputs = 1",
    ]


def edge_lines(edge: str, tensor: str) -> list[str]:
    """The lines that find the edge to a tensor. Without a view it is known without the call of `edge_to`."""
    return [
        f"{edge} = {tensor}._fn",
        f"if {tensor}._view is not None or {tensor}._nr:",
        f"    {edge} = edge_to({tensor})",
        f"elif {edge} is None and {tensor}._rg:",
        f"    {edge} = {tensor}",
    ]


class SavedTensor(Immutable):
    """An argument that formulas name: the slot s_NAME, and v_NAME for its version.

    It is saved if one of the `edges` leads somewhere, whose formulas name it.
    """

    position: int  # of the argument
    name: str
    edges: tuple[int, ...]

    def save(self, node: Node, value: Any) -> None:
        """Keep the value of the argument: a tensor, a number, or None."""
        setattr(node, "v_" + self.name, version_to_save(value) if isinstance(value, Tensor) else 0)
        setattr(node, "s_" + self.name, packed(value))

    def lines(self, argument: str, is_tensor: str) -> list[str]:
        """`is_tensor`: the test whether the argument is a tensor; empty if it is one for certain."""
        no_tensor = f"not {is_tensor} or " if is_tensor else ""
        return [
            f"node.s_{self.name} = {argument}",
            f"node.v_{self.name} = 0 if {no_tensor}{argument}._vc is None else {argument}._vc[0]",
        ]


class SavedList(Immutable):
    """A list of index tensors that formulas name: the slots s_NAME and v_NAME. No fast path has one."""

    position: int  # of the argument
    name: str

    def save(self, node: Node, tensors: Sequence[Tensor | None]) -> None:
        setattr(node, "s_" + self.name, tuple(map(packed, tensors)))
        setattr(node, "v_" + self.name, [0 if t is None else version_to_save(t) for t in tensors])


class SavedValue(Immutable):
    """An argument that is no tensor, or the shape, strides, dtype or device of one that is: the slot p_NAME."""

    position: int  # of the argument
    name: str
    whole: bool  # the argument itself
    of_list: bool  # of a list of tensors

    def save(self, node: Node, value: Any) -> None:
        setattr(node, "p_" + self.name, value if self.whole else attribute(self.name, value))

    def lines(self, argument: str, array: str, is_tensor: str) -> list[str]:
        attribute = "shape" if self.name.endswith("_shape") else "strides"
        if self.whole:
            value = argument
        elif self.of_list:
            value = f"[array.{attribute} for array in {array}]"
        elif is_tensor:
            value = f"{array}.{attribute} if {is_tensor} else ()"
        else:
            value = f"{array}.{attribute}"
        return [f"node.p_{self.name} = {value}"]


class SavedResult(Immutable):
    """A result that formulas name: the slots s_NAME for its array, c_NAME for the version cell, v_NAME for the version, w_NAME for the
    node that wrote to the view it is. The tensor itself is not kept: it holds the node, and that would be a reference cycle."""

    position: int  # of the result
    name: str

    def save(self, node: Node, result: Tensor, differentiable: bool) -> None:
        setattr(node, "s_" + self.name, result._a)
        setattr(node, "c_" + self.name, result._counter)
        setattr(node, "v_" + self.name, result._version)
        setattr(node, "w_" + self.name, None)
        # (All slots are set by now: a pack hook may run operators on the result, and a recorder then looks at this node.)
        if hooks.stack:
            setattr(node, "s_" + self.name, Packed(result, differentiable))
            setattr(node, "c_" + self.name, NEVER)
        elif levels.anywhere:  # there is more to a batched tensor, or one with a tangent, than its array
            setattr(node, "s_" + self.name, same_without_history(result))
            setattr(node, "c_" + self.name, NEVER)

    def lines(self, result: str, array: str) -> list[str]:
        return [
            f"node.s_{self.name} = {array}",
            f"node.c_{self.name} = {result}._vc = [0]",
            f"node.v_{self.name} = 0",
            f"node.w_{self.name} = None",
        ]


def version_to_save(tensor: Tensor) -> int:
    """The version of a tensor that is saved; an inference tensor can't be."""
    return 0 if tensor._vc is None else tensor._vc[0]


# The whole --------------------------------------------------------------------------------------------------------------------


class Recording(Immutable):
    """What a node of one overload gets."""

    inputs: tuple[int, ...]  # the arguments that edges lead to
    tensors: tuple[SavedTensor, ...]
    lists: tuple[SavedList, ...]
    values: tuple[SavedValue, ...]
    derived: Mapping[str, Callable[..., Any]]  # slots p_NAME: what a function computes from all arguments
    results: tuple[SavedResult, ...]

    def edges(self, values: Sequence[Any]) -> list[NodeEdge]:
        """The edges of a call; an argument that is a list has one for each of its tensors."""
        edges: list[NodeEdge] = []
        for i in self.inputs:
            value = values[i]
            if value.__class__ is list:
                edges += [edge_to(t) for t in value]
            else:
                edges.append(edge_to(value) if isinstance(value, Tensor) else None)
        return edges

    def save(self, node: Node, values: Sequence[Any], saved_self: Tensor | None) -> None:
        """Keep what the formulas of the needed gradients name; `saved_self` stands for a self that is overwritten."""
        always = len(self.inputs) == 1  # with one differentiable input PyTorch saves without asking
        edges = node._next
        for saved in self.tensors:
            needed = always or any([p < len(edges) and edges[p] is not None for p in saved.edges])
            value = values[saved.position] if needed else None
            if saved.position == 0 and saved_self is not None and value is not None:
                value = saved_self
            saved.save(node, value)
        for tensors in self.lists:
            tensors.save(node, values[tensors.position])
        for plain_value in self.values:
            plain_value.save(node, values[plain_value.position])
        for name, compute in self.derived.items():
            setattr(node, "p_" + name, compute(*values))

    def save_results(
        self, node: Node, outputs: Sequence[Tensor], differentiable: Callable[[int, Tensor], bool]
    ) -> None:
        """Keep the results that the formulas name. `differentiable`: whether a result can have a gradient, given its position."""
        for saved in self.results:
            result = outputs[saved.position]
            saved.save(node, result, differentiable(saved.position, result))

    @property
    def plain_names(self) -> tuple[str, ...]:
        """The names of what is saved and is neither a tensor nor a result."""
        return (*[v.name for v in self.values], *self.derived)


def recording_of(
    params: Sequence[Param],
    result_names: Sequence[str],
    formulas: Mapping[str, Formula],
    derived: Mapping[str, Callable[..., Any]],
    inputs: tuple[int, ...],
) -> Recording:
    """Read off the formulas what nodes save. The order is that in which PyTorch saves and unpacks, which saved-tensor hooks see: by name."""
    named = dict.fromkeys([name for formula in formulas.values() for name in parameters(formula)])
    positions = {p.name: i for i, p in enumerate(params)}
    arguments = [name for name in named if name not in (*GRADIENTS, *result_names)]
    tensors = sorted([n for n in arguments if n in positions and params[positions[n]].is_tensor])
    values = [n for n in arguments if n not in tensors and n not in derived]
    naming = [parameters(formulas[params[i].name]) if formulas else () for i in inputs]
    is_list = {n: params[positions[n]].kind == "Tensor?[]" for n in tensors}
    at = {n: positions[n if n in positions else argument_of(n)] for n in values}
    return Recording(
        inputs=inputs,
        tensors=tuple(
            [
                SavedTensor(
                    position=positions[n],
                    name=n,
                    edges=tuple([e for e, names in enumerate(naming) if n in names]),
                )
                for n in tensors
                if not is_list[n]
            ]
        ),
        lists=tuple([SavedList(position=positions[n], name=n) for n in tensors if is_list[n]]),
        values=tuple(
            [
                SavedValue(
                    position=at[n], name=n, whole=n in positions, of_list=params[at[n]].kind == "Tensor[]"
                )
                for n in values
            ]
        ),
        derived={name: compute for name, compute in derived.items() if name in arguments},
        results=tuple(
            [
                SavedResult(position=i, name=n)
                for n, i in sorted((n, i) for i, n in enumerate(result_names) if n in named)
            ]
        ),
    )
