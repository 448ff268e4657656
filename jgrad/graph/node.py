"""Nodes of the backward graph, the edges between them, and what they save.

A forward operation that needs a gradient leaves one `Node` behind as the `grad_fn` of its results. `node._next` holds an edge per tensor
input: `None` where no gradient is needed, the leaf tensor itself, the node that made the input, or an `Edge` where the input was not the
first output of its node. An edge to a leaf stands for that leaf's `AccumulateGrad`, which is only built when a user looks at it
(building one for every use of a leaf would cost more than the rest of recording).

Note [Saved tensors]: an input is saved as the tensor itself and the version it had; a result is saved as its raw array, its version cell
and version, since a node that held its own result would be a reference cycle. Reading a saved tensor compares versions: an in-place write
in between would make the derivative silently wrong. After a backward pass the slots hold `FREED`, whose every use raises.
"""

from __future__ import annotations

import gc
import itertools
import re
import sys
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from jgrad import manual, observer
from jgrad.devices import CPU
from jgrad.dtypes import FROM_NUMPY
from jgrad.graph import anomaly_mode
from jgrad.kernels.numpy.shape import full_type_name

sequence_numbers = itertools.count()
HIGHEST = (1 << 64) - 1  # the sequence number of nodes that run before all others, whenever they were made


def _read_only(getter: Callable) -> property:
    def refuse(self: Any, value: Any) -> NoReturn:
        raise AttributeError(
            f"attribute '{getter.__name__}' of '{type(self).__name__}' objects is not writable"
        )

    return property(getter, refuse, doc=getter.__doc__)


class Node:
    """A step of the backward pass, which an operation leaves behind as the `grad_fn` of its results; `torch.autograd.graph.Node`."""

    __slots__ = ("_next", "_seq", "_shape", "_dtype", "_extras", "__weakref__")
    _outputs = 1
    _takes_none = False  # whether it runs although no gradient came
    materializes = True
    of_leaf = False  # whether users are to take its output for a leaf
    runs_first = False  # as leaves do, and nodes that only raise

    def __init__(self, edges: tuple, shape: Any, dtype: Any) -> None:
        self._next = edges
        self._seq = HIGHEST if self.runs_first else next(sequence_numbers)
        self._shape = shape
        self._dtype = dtype
        self._extras: Extras | None = None
        if anomaly_mode.enabled:
            anomaly_mode.remember(self)

    def __lt__(self, other: object) -> bool:
        return False  # in the heap, nodes of one sequence number are equal

    # What the engine calls. `needed` is None, or the set of nodes and leaves to which the pass is limited.
    def apply(self, grad: Any, needed: set | None) -> tuple:
        """Raw gradients for `next`, from the raw gradient (a list of them where `outputs > 1`)."""
        raise NotImplementedError(type(self).__name__)

    def apply_public(self, grad: Any, needed: set | None) -> tuple:
        """The same on tensors, recorded: what `create_graph=True` runs."""
        raise NotImplementedError(type(self).__name__)

    def apply_undefined(self) -> tuple:
        """The same where no gradient came: none goes on, but what was saved must be there."""
        return (None,) * len(self._next)

    def release(self) -> bool:
        """Let go of what was saved; True if there was anything."""
        return False

    def metadata_of(self, output_nr: int) -> tuple:
        """Shape and NumPy dtype of one output of the forward operation."""
        return self._shape, self._dtype

    # What users see. (`jgrad/engine/graph_task.py` adds `__call__`.)
    def name(self) -> str:
        """The name of the node, such as 'MulBackward0'."""
        return type(self).__name__

    @_read_only
    def next_functions(self) -> tuple:
        """The edges of the graph: a pair (node or None, number of its output) for each tensor input of the operation.

        The gradients go to these nodes. None stands where no gradient is needed.
        """
        pairs = []
        edges = list(self._next)
        for i, edge in enumerate(edges):
            if edge is None or isinstance(edge, Node):
                pairs.append((edge, 0))
            elif edge.__class__ is Edge:
                pairs.append((edge.node, edge.nr))
            else:
                # From now on this graph keeps the leaf's AccumulateGrad alive, so that looking twice gives the same object.
                edges[i] = accumulator = accumulator_of(edge)
                pairs.append((accumulator, 0))
        self._next = tuple(edges)
        return tuple(pairs)

    @_read_only
    def metadata(self) -> dict:
        """A dictionary for the user's own notes."""
        return extras_of(self).metadata

    @_read_only
    def requires_grad(self) -> bool:
        """Whether the node takes part in backward passes: always True."""
        return True

    @_read_only
    def _input_metadata(self) -> tuple:
        """Shape, dtype and device of the gradient for each output of the forward operation."""
        return tuple([InputMetadata(*self.metadata_of(nr)) for nr in range(self._outputs)])

    def _sequence_nr(self) -> int:
        return self._seq

    def _set_sequence_nr(self, number: int) -> None:
        """Have backward come to this node as if it had been made at another time."""
        if not isinstance(number, int):
            raise TypeError("an integer is required")
        self._seq = number

    def __dir__(self) -> list[str]:
        """What PyTorch's nodes have."""
        own = ["_input_metadata", "_sequence_nr", "_set_sequence_nr", "metadata", "name", "next_functions"]
        own += ["register_hook", "register_prehook", "requires_grad"]
        return [*own, *[n for n in object.__dir__(self) if n.startswith("__")]]

    def register_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function after this node ran in a backward pass."""
        return RemovableHandle(extras_of(self).post_hooks, hook)

    def register_prehook(self, hook: Callable) -> RemovableHandle:
        """Call a function before this node runs in a backward pass."""
        return RemovableHandle(extras_of(self).pre_hooks, hook)

    def _formulas(self) -> dict[str, str]:
        """The derivative for each input as it is written in the declaration."""
        return {}

    def _saved(self) -> list[tuple]:
        """(name, tensor or None, version when saved) of everything kept for backward."""
        return []

    def _saved_results(self) -> tuple[tuple[int, str], ...]:
        """(number, name) of those among them that are results of this node."""
        return ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {hex(id(self))}>"


class InputMetadata:
    """Shape, dtype and device of a gradient that arrives at a node."""

    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape: tuple, dtype: Any) -> None:
        self.shape, self.dtype, self.device = list(shape), FROM_NUMPY[dtype], CPU


class Edge:
    """An edge to an output other than the first of `node`."""

    __slots__ = ("node", "nr")

    def __init__(self, node: Node, nr: int) -> None:
        self.node = node
        self.nr = nr


class GradientEdge(NamedTuple):
    """A place in the graph: a node and the number of one of its outputs."""

    node: Node
    output_nr: int
    ownership_token: Any = None


class Extras:
    """The rare part of a node's state."""

    __slots__ = ("metadata", "tensor_hooks", "retains", "pre_hooks", "post_hooks")

    def __init__(self) -> None:
        self.metadata: dict = {}
        # By output: the hooks of the tensor that is this output.
        self.tensor_hooks: dict[int, dict[int, Callable]] = {}
        self.retains: dict[int, weakref.ref] = {}  # by output: the tensor that retains its gradient
        self.pre_hooks: dict[int, Callable] = {}
        self.post_hooks: dict[int, Callable] = {}


def extras_of(node: Node) -> Extras:
    if node._extras is None:
        node._extras = Extras()
        if (watch := observer.current) is not None:
            watch.hookable(node)
    return node._extras


class RemovableHandle:
    """What registering a hook returns; `remove()` takes the hook away, as leaving a `with` block does."""

    _ids = itertools.count()

    def __init__(self, hooks: dict, hook: Callable | tuple, *options: dict[int, bool]) -> None:
        self.hooks = hooks
        self.options = options  # where it is noted that the hook has an option
        self.id = next(self._ids)
        hooks[self.id] = hook
        for option in options:
            option[self.id] = True

    def hooks_dict_ref(self) -> dict:
        """The hooks among which this one is, by `id`."""
        return self.hooks

    def remove(self) -> None:
        """Take the hook away. It does nothing if the hook was removed already."""
        for place in (self.hooks, *self.options):
            place.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


RemovableHandle.__module__ = "jgrad.utils.hooks"


class AccumulateGrad(Node):
    """The sink of a leaf: what arrives here is added to the leaf's `.grad`, by `jgrad/engine/accumulate.py`."""

    __slots__ = ("variable", "_heir")
    runs_first = True

    def __init__(self, variable: Any) -> None:
        super().__init__((), None, None)
        self._heir: _Heir | None = None
        self.variable = variable

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def register_hook(self, hook: Callable) -> RemovableHandle:
        _hold(self)
        return super().register_hook(hook)

    def register_prehook(self, hook: Callable) -> RemovableHandle:
        _hold(self)
        return super().register_prehook(hook)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), "variable"]

    def metadata_of(self, output_nr: int) -> tuple:
        array = self.variable._a
        return array.shape, array.dtype


def accumulator_of(leaf: Any) -> AccumulateGrad:
    """The leaf's AccumulateGrad: the same object as long as something refers to it."""
    meta = leaf._extras()
    node = meta.accumulator() if meta.accumulator is not None else None
    if node is None:
        node = AccumulateGrad(leaf)
        meta.accumulator = weakref.ref(node)
    return node


def _hold(node: AccumulateGrad) -> None:
    """Have the graphs that lead to a leaf keep its node, which has hooks now: their edges to the leaf become edges to the node. Only a
    hook needs this, so the graphs are searched for."""
    leaf = node.variable
    for edges in gc.get_referrers(leaf):
        if edges.__class__ is tuple:
            held = tuple([node if edge is leaf else edge for edge in edges])
            for graph in gc.get_referrers(edges):
                if isinstance(graph, Node) and graph._next is edges:
                    graph._next = held
                    node._heir = node._heir or _Heir(node)


class _Heir:
    """Goes with the node of a leaf that has hooks. If graphs that were made since then lead to the leaf, they get a node with these hooks."""

    __slots__ = ("leaf", "extras")

    def __init__(self, node: AccumulateGrad) -> None:
        self.leaf, self.extras = node.variable, extras_of(node)

    def __del__(self) -> None:
        if sys.is_finalizing() or not (self.extras.pre_hooks or self.extras.post_hooks):
            return
        node = accumulator_of(self.leaf)
        node._extras = self.extras
        _hold(node)


class _Freed:
    """Stands where a saved tensor was; any use of it raises the error that the graph was freed."""

    __slots__ = ()

    def _raise(self, *_: object) -> Any:
        raise RuntimeError(
            "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). "
            "Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True "
            "if you need to backward through the graph a second time or if you need to access saved tensors after calling backward."
        )

    _vc = _fn = property(_raise)
    __getitem__ = _raise
    __iter__ = _raise


FREED = _Freed()


def stale(origin: str | None, output_nr: int, array: Any, version: int, expected: int) -> NoReturn:
    """Raise PyTorch's error for a saved tensor that was written to; `origin` names the node that made it, None for a leaf."""
    which = "" if origin is None else f", which is output {output_nr} of {origin},"
    shape = ", ".join(map(str, array.shape))
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in question was changed in "
        "there or anywhere later. Good luck!"
        if anomaly_mode.enabled
        else "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    raise RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{full_type_name(array)} [{shape}]]{which} is at version {version}; expected version {expected} "
        f"instead. Hint: {hint}"
    )


def display_name(node: Node) -> str:
    """The node's name as error texts have it: `Mul` for MulBackward0, `Sum1` for SumBackward1."""
    return re.sub(r"Backward(\d*)$", lambda match: match[1].removeprefix("0"), node.name())


manual.attach(__name__)
