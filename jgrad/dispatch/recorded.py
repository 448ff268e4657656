"""The nodes that declared operations leave behind, made from their declarations.

`node_class` builds `MulBackward0` from `class mul`: its slots are what the formulas name, its backward pass is straight-line Python written
once per class, when it first runs: check and fetch what was saved, call the formulas.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
import weakref
from collections.abc import Callable
from typing import Any, ClassVar

from jgrad.devices import CPU
from jgrad.dispatch.schema import NUMBERS
from jgrad.graph import grad_mode, levels
from jgrad.graph.batched import same_without_history
from jgrad.graph.node import FREED, AccumulateGrad, Edge, Node, display_name, stale
from jgrad.graph.saved import NEVER, Packed, RawSaved, hooks, packed, refuse_detached
from jgrad.kernels import libraries
from jgrad.tensor import Tensor, _plain

_PLAIN = frozenset((*NUMBERS, type(None)))  # what may stand where a tensor was to be saved


class RecordedNode(Node):
    """What the node classes made from declarations share. `others`: shape and dtype of each output where there are several."""

    __slots__ = ("others", "_outputs")
    others: list[tuple]
    overload: Any
    saved_names: tuple[str, ...] = ()  # tensors: the slots s_NAME, and v_NAME for the version
    plain_names: tuple[str, ...] = ()  # anything else: the slot p_NAME
    saved_results: tuple[tuple[int, str], ...] = ()  # (position, name) of results that formulas name
    compiled: ClassVar[
        dict[tuple, Callable]
    ] = {}  # by class of nodes and library: the backward passes beside NumPy's
    materializes = True  # results that nobody used contribute zeros (or None, which the formula then sees)

    def __init__(self, edges: tuple, shape: Any, dtype: Any) -> None:
        super().__init__(edges, shape, dtype)
        self._outputs = 1

    def metadata_of(self, output_nr: int) -> tuple:
        return (self._shape, self._dtype) if self._outputs == 1 else self.others[output_nr]

    def save(self, values: list[Any], saved_self: Any) -> None:
        """Keep what the formulas of the needed gradients name; `saved_self` stands for a self that is overwritten."""
        overload = self.overload
        named: set[str] = set()
        always = (
            len(overload.names_by_edge) == 1
        )  # with one differentiable input PyTorch saves without asking
        for edge, names in zip(self._next, overload.names_by_edge, strict=False):
            if edge is not None or always:
                named |= names
        for i, name in overload.saved_at:
            value = values[i] if name in named else None
            if i == 0 and saved_self is not None and value is not None:
                value = saved_self
            setattr(self, "v_" + name, version_to_save(value) if isinstance(value, Tensor) else 0)
            setattr(self, "s_" + name, packed(value))
        for i, name in overload.index_lists_at:
            setattr(self, "s_" + name, tuple(map(packed, values[i])))
            setattr(self, "v_" + name, [0 if t is None else version_to_save(t) for t in values[i]])
        for i, name, slot in overload.plain_at:
            setattr(self, slot, plain(name, values[i]))
        for name, compute in overload.derived.items():
            setattr(self, "p_" + name, compute(*values))

    def save_results(self, outputs: tuple[Tensor, ...]) -> None:
        """Keep the results that the formulas name: the array and the version cell, so that no cycle arises."""
        for i, name in self.saved_results:
            t = outputs[i]
            setattr(self, "s_" + name, t._a)
            setattr(self, "c_" + name, t._counter)
            setattr(self, "v_" + name, t._version)
            setattr(self, "w_" + name, None)
            if hooks.stack:
                setattr(self, "s_" + name, Packed(t, self.overload.differentiable(i, t)))
                setattr(self, "c_" + name, NEVER)
            elif levels.anywhere:  # there is more to a batched tensor, or one with a tangent, than its array
                setattr(self, "s_" + name, same_without_history(t))
                setattr(self, "c_" + name, NEVER)

    def written_to_view(self, target: Tensor) -> None:
        """After an in-place write: errors about the result of a write to a view name the view's new node, not this one."""
        if self.saved_results and target._view is not None:
            self.w_result = weakref.ref(target._fn)

    def tensor_saved(self, name: str, to_look_at: bool = False) -> Any:
        """A saved tensor as a tensor (or number), checked; a result gets its history back."""
        __tracebackhide__ = True
        content = getattr(self, "s_" + name)
        if content.__class__ is Packed:
            return content.restore(self)
        for i, result in self.saved_results:
            if result == name:
                array, cell = getattr(self, "s_" + name), getattr(self, "c_" + name)
                version, writer = getattr(self, "v_" + name), getattr(self, "w_" + name)
                if isinstance(array, Tensor):
                    t = same_without_history(array)
                    array, cell = t._a, t._vc
                else:
                    t = _plain(array)
                if cell[0] != version:
                    origin = (writer and writer()) or self
                    name = display_name(origin) if self.overload.differentiable(i, t) else None
                    stale(name, i, array, cell[0], version)
                t._vc = cell
                if self.overload.differentiable(i, t):
                    t._fn, t._nr, t._rg = self, i, True
                return t
        value = getattr(self, "s_" + name)
        if value.__class__ in _PLAIN:
            return value
        if value.__class__ is tuple:
            return tuple([t.restore(self) if isinstance(t, Packed) else t for t in self.indexes_saved(name)])
        if value._fn is None and not to_look_at and self.had_history(name):
            refuse_detached()
        cell = value._vc
        if cell is not None and cell[0] != getattr(self, "v_" + name):
            origin = value.grad_fn
            name_of_origin = None if origin is None else display_name(origin)
            stale(name_of_origin, value._nr, value._a, cell[0], getattr(self, "v_" + name))
        return value

    def array_saved(self, name: str) -> Any:
        """The same as a raw array."""
        __tracebackhide__ = True
        with grad_mode.no_grad():
            return self.tensor_saved(name)._a

    def indexes_saved(self, name: str) -> tuple:
        """The tensors of a saved list, checked; what hooks have packed is still packed."""
        tensors = getattr(self, "s_" + name)
        for t, version in zip(tensors, getattr(self, "v_" + name), strict=True):
            if isinstance(t, Tensor) and t._version != version:
                stale(None, 0, t._a, t._version, version)
        return tensors

    def had_history(self, name: str) -> bool:
        """Whether a saved argument was no leaf when it was saved; its edge knows."""
        params = self.overload.params
        for position, i in enumerate(self.overload.edges_from):
            if params[i].name == name and position < len(self._next):
                edge = self._next[position]
                return edge.__class__ is Edge or (
                    isinstance(edge, Node) and edge.__class__ is not AccumulateGrad
                )
        return False

    def apply_undefined(self) -> tuple:
        for name in (*self.saved_names, *(n for _, n in self.saved_results)):
            self.tensor_saved(name)
        return (None,) * len(self._next)

    def _saved(self) -> list[tuple]:
        found = []
        for name in self.saved_names:
            value = getattr(self, "s_" + name)
            if value.__class__ is tuple:
                found += [
                    (name, t, v)
                    for t, v in zip(value, getattr(self, "v_" + name), strict=True)
                    if isinstance(t, Tensor)
                ]
            if isinstance(value, Tensor):
                found.append((name, value, getattr(self, "v_" + name)))
        for _, name in self.saved_results:
            cell, version = getattr(self, "c_" + name), getattr(self, "v_" + name)
            if cell is not FREED and cell[0] == version:
                found.append((name, self.tensor_saved(name), version))
        return found

    def _saved_results(self) -> tuple[tuple[int, str], ...]:
        return self.saved_results

    def _formulas(self) -> dict[str, str]:
        return formula_texts(self.overload)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            key = name.removeprefix("_saved_")
            if key in self.saved_names or any(key == n for _, n in self.saved_results):
                value = self.tensor_saved(key, to_look_at=True)
                return (
                    value
                    if value is None or isinstance(value, (Tensor, tuple))
                    else _plain(libraries.as_array(value))
                )
            key = key.replace("_sym_sizes", "_shape").replace("_sym_strides", "_strides")
            if key in self.plain_names:
                value = getattr(self, "p_" + key)
                if key.endswith("_strides"):
                    return tuple([s // self._dtype.itemsize for s in value])
                return self.unsigned(key, value)
        if name.startswith("_raw_saved_"):
            key = name.removeprefix("_raw_saved_")
            if any(key == n for _, n in self.overload.index_lists_at):
                return tuple([RawSaved(self, key, i) for i in range(len(getattr(self, "s_" + key)))])
            if key in self.saved_names or any(key == n for _, n in self.saved_results):
                return RawSaved(self, key)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def unsigned(self, name: str, value: Any) -> Any:
        """Integers as PyTorch shows them, which takes negative ones for 64 bits without a sign."""
        kind = next((p.kind for p in self.overload.params if p.name == name), "")
        if kind == "int" and isinstance(value, int) and value < 0:
            return value + (1 << 64)
        if kind.startswith("int[") and isinstance(value, tuple):
            return tuple([v + (1 << 64) if v < 0 else v for v in value])
        return value

    # What `_raw_saved_NAME` works with.
    def kept(self, name: str, index: int | None) -> Any:
        content = getattr(self, "s_" + name)
        if any(name == n for _, n in self.saved_results) and getattr(self, "c_" + name) is FREED:
            return FREED
        return content if index is None or content is FREED else content[index]

    def looked_at(self, name: str, index: int | None) -> Any:
        value = self.tensor_saved(name, to_look_at=True)
        return value if index is None else value[index]

    def keep_packed(self, name: str, index: int | None, packed: Packed) -> None:
        content = packed if index is None else list(getattr(self, "s_" + name))
        if index is not None:
            content[index] = packed  # type: ignore[index]
            content = tuple(content)  # type: ignore[arg-type]
        setattr(self, "s_" + name, content)
        if any(name == n for _, n in self.saved_results):
            setattr(self, "c_" + name, NEVER)

    def __dir__(self) -> list[str]:
        tensors = [*self.saved_names, *(n for _, n in self.saved_results)]
        others = [
            n.replace("_shape", "_sym_sizes").replace("_strides", "_sym_strides") for n in self.plain_names
        ]
        return sorted(
            [
                *super().__dir__(),
                *["_saved_" + n for n in tensors + others],
                *["_raw_saved_" + n for n in tensors],
            ]
        )


# A saved tensor that lost its history by `detach_()` is refused. That is so rare that backward passes are written without the test until
# the first `detach_()` of a tensor with a history, and then anew.
_looks_for_detached = False


def look_for_detached() -> None:
    """From now on backward passes look whether a saved tensor was detached in place."""
    global _looks_for_detached
    if not _looks_for_detached:
        _looks_for_detached = True
        RecordedNode.compiled.clear()
        for cls in RecordedNode.__subclasses__():
            if cls.overload.formulas:
                cls.apply = _compile_later("apply")  # type: ignore[method-assign]
                cls.apply_public = _compile_later("apply_public")  # type: ignore[method-assign]


def version_to_save(tensor: Tensor) -> int:
    """The version of a tensor that is saved; an inference tensor can't be."""
    return 0 if tensor._vc is None else tensor._vc[0]


def plain(name: str, value: Any) -> Any:
    """What a formula's parameter NAME, NAME_shape, NAME_strides (in bytes), NAME_dtype or NAME_device stands for."""
    if name.endswith("_shape"):
        if value.__class__ is list:
            return [t._a.shape for t in value]
        # An argument may itself be called so: normalized_shape.
        return value._a.shape if isinstance(value, Tensor) else value if value.__class__ is tuple else ()
    if name.endswith("_strides"):
        return value._a.strides if isinstance(value, Tensor) else ()
    if name.endswith("_dtype"):
        return value._a.dtype if isinstance(value, Tensor) else None
    if name.endswith("_device"):
        return value.device if isinstance(value, Tensor) else CPU
    return value


def argument_of(name: str) -> str:
    """The argument that a formula's parameter NAME_shape, NAME_strides, NAME_dtype or NAME_device is about."""
    return name.removesuffix("_shape").removesuffix("_strides").removesuffix("_dtype").removesuffix("_device")


def parameters(formula: Callable) -> tuple[str, ...]:
    """The names of a formula's parameters."""
    return formula.__code__.co_varnames[: formula.__code__.co_argcount]


def node_class(overload: Any, name: str) -> type[RecordedNode]:
    """The class of the nodes that calls of this overload leave behind. Also tells the overload what a call has to save from where."""
    named: dict[str, None] = {}
    results = overload.result_names
    for formula in overload.formulas.values():
        named.update(dict.fromkeys(parameters(formula)))
    # By name, as PyTorch saves and unpacks them, which saved-tensor hooks see.
    saved_results = tuple(sorted([(i, n) for i, n in enumerate(results) if n in named], key=lambda r: r[1]))
    for taken in ("grad", "grads", "output_mask", *results):
        named.pop(taken, None)
    positions = {p.name: i for i, p in enumerate(overload.params)}
    saved = tuple(sorted([n for n in named if n in positions and overload.params[positions[n]].is_tensor]))
    plain_names = tuple(n for n in named if n not in saved)
    overload.names_by_edge = [
        set(parameters(overload.formulas[overload.params[i].name])) if overload.formulas else set()
        for i in overload.edges_from
    ]
    overload.index_lists_at = [(positions[n], n) for n in saved if positions[n] in overload.index_lists]
    overload.saved_at = [(positions[n], n) for n in saved if positions[n] not in overload.index_lists]
    overload.plain_at = [
        (positions[n if n in positions else argument_of(n)], n, "p_" + n)
        for n in plain_names
        if n not in overload.derived
    ]
    slots = ["p_" + n for n in plain_names] + [x + n for n in saved for x in ("s_", "v_")]
    slots += [x + n for _, n in saved_results for x in ("s_", "c_", "v_", "w_")]
    body = {
        "__slots__": tuple(slots),
        "__module__": "jgrad.autograd",
        "overload": overload,
        "saved_names": saved,
        "plain_names": plain_names,
        "saved_results": saved_results,
        "materializes": overload.outputs == -1,
    }
    cls = type(name, (RecordedNode,), body)
    cls.release = _compile_later("release")  # type: ignore[assignment]
    if not overload.formulas:
        cls.name = lambda self: "torch::autograd::NotImplemented"  # type: ignore[assignment]
        cls.apply = cls.apply_public = _not_implemented  # type: ignore[assignment]
        return cls
    cls.apply = _compile_later("apply")  # type: ignore[assignment]
    cls.apply_public = _compile_later("apply_public")  # type: ignore[assignment]
    return cls


def _not_implemented(self: RecordedNode, grad: Any, needed: Any) -> tuple:
    raise RuntimeError(f"derivative for aten::{self.overload.name} is not implemented")


def _compile_later(method: str) -> Callable:
    """Stands in for a method written from the declaration until it first runs: importing must stay cheap."""

    def first_time(self: RecordedNode, *args: Any) -> Any:
        __tracebackhide__ = True
        cls = type(self)
        compiled = (
            compile_release(cls)
            if method == "release"
            else compile_backward(self.overload, cls, raw=method == "apply")
        )
        setattr(cls, method, compiled)
        return compiled(self, *args)

    return first_time


def compile_release(cls: type[RecordedNode]) -> Callable:
    """Letting go of what was saved: every slot is set to FREED; True if there was anything."""
    slots = ["s_" + n for n in cls.saved_names] + ["c_" + n for _, n in cls.saved_results]
    lines = [
        "def release(node):",
        *(f"    if node.{slot} is not None: node.{slot} = FREED" for slot in slots),
    ]
    lines += [f"    node.s_{name} = None" for _, name in cls.saved_results]
    lines.append(f"    return {bool(slots)}")
    namespace = {"FREED": FREED}
    exec("\n".join(lines), namespace)
    return namespace["release"]  # type: ignore[return-value]


def compile_backward(
    overload: Any, cls: type[RecordedNode], raw: bool, library: libraries.Library = libraries.NUMPY
) -> Callable:
    """The backward pass of a node class, written out as straight-line Python; on raw arrays with the kernels of one library."""
    lines = ["def apply(node, grad, needed):", "    __tracebackhide__ = True", "    edges = node._next"]
    namespace: dict[str, Any] = {"PLAIN": _PLAIN, "Tensor": Tensor, "leads_to": _leads_to}
    if raw and library is libraries.NUMPY:
        lines += [
            "    if libraries.several and (library := library_of(grad)) is not NUMPY:",
            "        return elsewhere(node, library)(node, grad, needed)",
        ]
        namespace |= {
            "libraries": libraries,
            "NUMPY": libraries.NUMPY,
            "library_of": _library_of,
            "elsewhere": _elsewhere,
        }
    # All that was saved is unpacked first, needed or not: what is stale or freed raises, as in PyTorch.
    fetched: dict[str, str] = {}
    groups: dict[
        Callable, list[int]
    ] = {}  # arguments that share one formula get their gradients from one call
    for position, i in enumerate(overload.edges_from):
        groups.setdefault(overload.formulas[overload.params[i].name], []).append(position)
    saved_results = [n for _, n in cls.saved_results]
    names = {name for formula in groups for name in parameters(formula)} - {"output_mask"}
    for name in sorted(names, key=lambda n: (n in saved_results, n)):
        fetched[name] = _fetch(name, cls, raw, lines)
    results = [f"g{position}" for position in range(len(overload.edges_from))]
    for number, (formula, positions) in enumerate(groups.items()):
        namespace[f"f{number}"] = library.lower(formula) if raw else formula
        mask = [
            f"edges[{p}] is not None and (needed is None or edges[{p}] in needed or leads_to(edges[{p}], needed))"
            for p in positions
        ]
        together = len(positions) > 1
        if together:
            lines.append(f"    w = ({', '.join(mask)})")
            fetched["output_mask"] = "w"
        indent = "    "
        gets = ", ".join(results[p] for p in positions)
        if overload.params[overload.edges_from[positions[0]]].type == "Tensor[]":
            results[positions[0]] = "*" + gets
        else:
            lines.append(f"    {' = '.join(results[p] for p in positions)} = None")
            condition = "any(w)" if together else mask[0]
            lines.append(f"    if {condition}:")
            indent += "    "
        passed = ", ".join(fetched[n] for n in parameters(formula))
        unchanged = formula.__code__.co_code == _unchanged.__code__.co_code  # of addition: worth no call
        lines.append(f"{indent}{gets} = {passed if unchanged else f'f{number}({passed})'}")
    lines.append(f"    return ({', '.join(results)},)")
    source = "\n".join(lines) + "\n"
    filename = f"<jgrad {cls.__name__}.{'apply' if raw else 'apply_public'}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), namespace)
    return namespace["apply"]


def _unchanged(grad: Any) -> Any:
    return grad


def _library_of(grad: Any) -> libraries.Library:
    """Where a gradient, or a list of them with gaps, lies."""
    return libraries.among(grad if grad.__class__ is list else (grad,))


def _elsewhere(node: RecordedNode, library: libraries.Library) -> Callable:
    """The backward pass of a node for arrays of another library than NumPy."""
    cls = type(node)
    compiled = cls.compiled.get((cls, library))
    if compiled is None:
        compiled = cls.compiled[cls, library] = compile_backward(cls.overload, cls, raw=True, library=library)
    return compiled


def _leads_to(edge: Any, needed: Any) -> bool:
    """Whether an edge leads to a leaf or node whose gradient is needed."""
    if edge.__class__ is Edge:
        edge = edge.node
    return getattr(edge, "variable", edge) in needed


def _fetch(name: str, cls: type[RecordedNode], raw: bool, lines: list[str]) -> str:
    """Lines that fetch and check what a formula's parameter names; returns the expression to pass."""
    if name == "grad":
        return "(grad[0] if node._outputs > 1 else grad)" if cls.overload.outputs > 1 else "grad"
    if name == "grads":
        return "(grad if node._outputs > 1 else [grad])"
    if name in cls.plain_names:
        return f"node.p_{name}"
    if not raw:
        if any(name == n for _, n in (*cls.saved_results, *cls.overload.index_lists_at)):
            lines.append(f"    {name} = node.tensor_saved({name!r})")
        else:
            stale = f"{name}._vc is not None and {name}._vc[0] != node.v_{name}"
            detached = f" or {name}._fn is None" if _looks_for_detached else ""
            lines += [
                f"    {name} = node.s_{name}",
                f"    if {name}.__class__ is not Tensor or {stale}{detached}: {name} = node.tensor_saved({name!r})",
            ]
        return name
    if any(name == n for _, n in cls.saved_results):
        lines += [
            f"    {name} = node.s_{name}",
            f"    if node.c_{name}[0] != node.v_{name}: {name} = node.array_saved({name!r})",
        ]
        return name
    if any(name == n for _, n in cls.overload.index_lists_at):
        lines.append(f"    {name} = [t if t is None else t._a for t in node.indexes_saved({name!r})]")
        return name
    lines += [
        f"    {name} = node.s_{name}",
        f"    if {name}.__class__ not in PLAIN:",
        f"        if {name}._vc is not None and {name}._vc[0] != node.v_{name}: node.tensor_saved({name!r})",
        *([f"        if {name}._fn is None: node.tensor_saved({name!r})"] if _looks_for_detached else []),
        f"        {name} = {name}._a",
    ]
    return name


def formula_texts(overload: Any) -> dict[str, str]:
    """The derivatives as they stand in the declaration, by input."""
    texts = {}
    for statement in ast.walk(_parsed(overload.body)):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
            for target in statement.targets:
                if isinstance(target, ast.Name) and target.id in overload.formulas:
                    texts[target.id] = ast.unparse(statement.value.body)
    for name in overload.formulas.keys() - texts.keys():  # what the declaration has from elsewhere: ZERO
        for part in ast.walk(_parsed(overload.formulas[name])):
            if isinstance(part, ast.Lambda):
                texts[name] = ast.unparse(part.body)
    return texts


def _parsed(defined: Any) -> ast.Module:
    return ast.parse(textwrap.dedent(inspect.getsource(defined)))
