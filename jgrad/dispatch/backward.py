"""Writes the backward function of a node class, as Python source without loops, when a node of the class first runs.

This function gets and checks the saved tensors, and calls the formulas whose gradients are needed. `apply` does so on raw arrays, with the formulas
bound to the kernels; `apply_public` on tensors (see Note [One formula, two lowerings] in `jgrad/dispatch/declare.py`). `docs/dispatch.md` shows what is written for `mul`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jgrad import dtypes
from jgrad.dispatch.arithmetic import of_tensors
from jgrad.dispatch.narrow import backward_path, on_tensors
from jgrad.dispatch.recorded import PLAIN, RecordedNode
from jgrad.dispatch.recording import Formula, parameters
from jgrad.dispatch.source import Source, load
from jgrad.graph import written
from jgrad.graph.node import FREED, Edge
from jgrad.kernels import lazy, libraries, sparse
from jgrad.kernels.narrow import is_narrow
from jgrad.tensor import Tensor

looks_for_detached = False  # see `look_for_detached` in `jgrad/dispatch/node_classes.py`
elsewhere_written: dict[
    tuple[type, libraries.Library], Callable[..., Any]
] = {}  # backward passes for other libraries than NumPy
resolving_written: dict[type, Callable[..., Any]] = {}  # and for lazy arrays


def write_release(cls: type[RecordedNode]) -> Callable[..., bool]:
    """The method that drops what was saved: every slot is set to FREED. It returns whether there was anything."""
    slots = ["s_" + n for n in cls.saved_names] + ["c_" + n for _, n in cls.saved_results]
    code = Source()
    with code.block("def release(node):"):
        for slot in slots:
            code.add(f"if node.{slot} is not None: node.{slot} = FREED")
        for _, name in cls.saved_results:
            code.add(f"node.s_{name} = None")
        code.add(f"return {bool(slots)}")
    return load(code.text(), f"{cls.__name__}.release", "release", {"FREED": FREED})


def write_backward(
    cls: type[RecordedNode],
    raw: bool,
    library: libraries.Library = libraries.NUMPY,
    lower: Callable[[Formula], Formula] | None = None,
    resolving: bool = False,
) -> Callable[..., tuple]:
    """The backward pass of a node class: on raw arrays with the kernels of one library, or on tensors, maybe with its formulas lowered.
    `resolving`: arrays may be lazy."""
    title = f"{cls.__name__}.{'apply' if raw else 'apply_public'}"
    namespace: dict[str, Any] = {
        "PLAIN": PLAIN,
        "Tensor": Tensor,
        "is_needed": _is_needed,
        "libraries": libraries,
        "elsewhere": _elsewhere,
        "resolved": lazy.resolved,
        "count": written.count,
    }
    for name, formula in formulas_of(cls):
        if raw:
            bound = library.lower(formula)
        else:
            bound = lower(formula) if lower else of_tensors(formula, bool(cls.overload.schema.numbers))
        namespace[f"{name}_formula"] = bound
    return load(source(cls, raw, library, resolving), title, "apply", namespace)


def formulas_of(cls: type[RecordedNode]) -> list[tuple[str, Formula]]:
    """The formulas of a node class, each once, with the name of the first argument that it is the derivative for."""
    overload = cls.overload
    found: dict[Formula, str] = {}
    for i in overload.recording.inputs:
        name = overload.params[i].name
        found.setdefault(overload.formulas[name], name)
    return [(name, formula) for formula, name in found.items()]


def source(
    cls: type[RecordedNode],
    raw: bool,
    library: libraries.Library = libraries.NUMPY,
    resolving: bool = False,
) -> str:
    """The source of a backward pass."""
    overload = cls.overload
    inputs = [overload.params[i] for i in overload.recording.inputs]
    formulas = formulas_of(cls)
    code = Source()
    with code.block("def apply(node, grad, needed):"):
        code.add("__tracebackhide__ = True", "edges = node._next")
        if resolving:
            code.add("grad = resolved(grad)")
        elif raw and library is libraries.NUMPY:
            code.add(
                "if libraries.unusual and (path := elsewhere(node, grad)) is not None:",
                "    return path(node, grad, needed)",
            )
        # All saved tensors are read first, also those that are not needed: a stale or freed one raises an error, as in PyTorch.
        results = [name for _, name in cls.saved_results]
        names = {name for _, formula in formulas for name in parameters(formula)} - {"output_mask"}
        fetched = {
            name: _fetch(name, cls, raw, code) for name in sorted(names, key=lambda n: (n in results, n))
        }
        if resolving:
            code.add(*[f"{value} = resolved({value})" for value in fetched.values() if value.isidentifier()])
        fetched["output_mask"] = "output_mask"
        for name, formula in formulas:
            positions = [e for e, p in enumerate(inputs) if overload.formulas[p.name] is formula]
            gradients = [f"{inputs[e].name}_grad" for e in positions]
            passed = [fetched[n] for n in parameters(formula)]
            of_list = inputs[positions[0]].type == "Tensor[]"
            _call_formula(code, name, formula, passed, positions, gradients, of_list)
        if raw and library is libraries.NUMPY and cls.gradient_writes:
            for param in inputs:
                code.add(f"if {param.name}_grad is not None: count({param.name}_grad, {cls.gradient_writes})")
        returned = [("*" if p.type == "Tensor[]" else "") + f"{p.name}_grad" for p in inputs]
        code.add(f"return ({', '.join(returned)},)")
    return code.text()


def _call_formula(
    code: Source,
    name: str,
    formula: Formula,
    passed: list[str],
    positions: list[int],
    gradients: list[str],
    of_list: bool,
) -> None:
    """Write the call of one formula, which computes the gradients for the edges at these positions."""
    needed = [
        f"edges[{e}] is not None and (needed is None or edges[{e}] in needed or is_needed(edges[{e}], needed))"
        for e in positions
    ]
    several = len(positions) > 1
    if several:
        code.add(f"output_mask = ({', '.join(needed)})")
    unchanged = formula.__code__.co_code == _unchanged.__code__.co_code  # as for addition: not worth a call
    call = passed[0] if unchanged else f"{name}_formula({', '.join(passed)})"
    if of_list:  # its gradients are computed for all tensors or none
        code.add(f"{', '.join(gradients)} = {call}")
        return
    code.add(f"{' = '.join(gradients)} = None")
    with code.block(f"if {'any(output_mask)' if several else needed[0]}:"):
        code.add(f"{', '.join(gradients)} = {call}")


def _unchanged(grad: Any) -> Any:
    return grad


def _fetch(name: str, cls: type[RecordedNode], raw: bool, code: Source) -> str:
    """Write the lines that fetch and check what a formula's parameter names; returns the expression to pass."""
    if name == "grad":
        return "(grad[0] if node._outputs > 1 else grad)" if cls.overload.outputs > 1 else "grad"
    if name == "grads":
        return "(grad if node._outputs > 1 else [grad])"
    if name in cls.plain_names:
        return f"node.p_{name}"
    result = any([name == n for _, n in cls.saved_results])
    of_list = any([name == saved.name for saved in cls.overload.recording.lists])
    if raw:
        _fetch_array(name, result, of_list, code)
    elif result or of_list:
        code.add(f"{name} = node.tensor_saved({name!r})")
    else:
        stale = f"{name}._vc is not None and {name}._vc[0] != node.v_{name}"
        detached = f" or {name}._fn is None" if looks_for_detached else ""
        code.add(
            f"{name} = node.s_{name}",
            f"if {name}.__class__ is not Tensor or {stale}{detached}: {name} = node.tensor_saved({name!r})",
        )
    return name


def _fetch_array(name: str, result: bool, of_list: bool, code: Source) -> None:
    """Write the lines that fetch a saved tensor, result or list of tensors as raw arrays."""
    if of_list:
        code.add(f"{name} = [t if t is None else t._a for t in node.indexes_saved({name!r})]")
        return
    code.add(f"{name} = node.s_{name}")
    if result:
        code.add(f"if node.c_{name}[0] != node.v_{name}: {name} = node.array_saved({name!r})")
        return
    with code.block(f"if {name}.__class__ not in PLAIN:"):
        code.add(f"if {name}._vc is not None and {name}._vc[0] != node.v_{name}: node.tensor_saved({name!r})")
        if looks_for_detached:
            code.add(f"if {name}._fn is None: node.tensor_saved({name!r})")
        code.add(f"{name} = {name}._a")


# What the source calls --------------------------------------------------------------------------------------------------------


def _elsewhere(node: RecordedNode, grad: Any) -> Callable[..., tuple] | None:
    """The backward pass of a node for gradients of another library than NumPy, sparse ones, or narrow floats; None for the usual ones."""
    grads = grad if grad.__class__ is list else (grad,)
    if lazy.in_use and any([isinstance(a, lazy.Lazy) for a in (*grads, *node.arrays())]):
        written = resolving_written.get(type(node))
        if written is None:
            written = resolving_written[type(node)] = write_backward(type(node), raw=True, resolving=True)
        return written
    if sparse.in_use and any([sparse.is_sparse(a) for a in (*grads, *node.arrays())]):
        # The operators in the formulas have a sparse form, or refuse.
        return functools.partial(on_tensors, type(node).apply_public)
    if dtypes.narrow_in_use and any([is_narrow(getattr(g, "dtype", None)) for g in (*grads, *node.arrays())]):
        return functools.partial(backward_path, _write_narrow)
    library = libraries.among(grads)
    if library is libraries.NUMPY:
        return None
    key = type(node), library
    written = elsewhere_written.get(key)
    if written is None:
        written = elsewhere_written[key] = write_backward(type(node), raw=True, library=library)
    return written


def _write_narrow(cls: type[RecordedNode], lower: Callable[[Formula], Formula]) -> Callable[..., tuple]:
    """The backward pass of a node class on tensors, with its formulas lowered."""
    return write_backward(cls, raw=False, lower=lower)


def _is_needed(edge: Any, needed: Any) -> bool:
    """Whether an edge that is not itself among the needed ones leads to one that is: past its number, or to the leaf behind it."""
    if edge.__class__ is Edge:
        edge = edge.node
    return getattr(edge, "variable", edge) in needed
