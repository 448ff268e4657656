"""`RecordedNode`: the nodes that recorded calls make. `jgrad/dispatch/node_classes.py` makes a class of them per overload."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar

from jgrad.dispatch.batched import same_without_history
from jgrad.dispatch.facts import OverloadFacts
from jgrad.dispatch.saved import NEVER, Packed, RawSaved, refuse_detached
from jgrad.dispatch.schema import NUMBERS
from jgrad.graph import grad_mode
from jgrad.graph.node import FREED, AccumulateGrad, Edge, Node, display_name, stale
from jgrad.graph.view import history_of_part
from jgrad.kernels import libraries
from jgrad.tensor import Tensor, _plain

PLAIN = frozenset((*NUMBERS, type(None)))  # classes of what may be saved in place of a tensor


class RecordedNode(Node):
    """What the node classes of declarations share. `others`: shape and dtype of each output where there are several."""

    __slots__ = ("others", "_outputs")
    others: list[tuple[Any, Any]]
    overload: ClassVar[OverloadFacts]
    saved_names: ClassVar[tuple[str, ...]] = ()  # tensors and lists of them
    plain_names: ClassVar[tuple[str, ...]] = ()  # anything else
    saved_results: ClassVar[tuple[tuple[int, str], ...]] = ()  # (position, name) of results
    gradient_writes: ClassVar[int] = 0  # see `jgrad/dispatch/options.py`
    materializes = True  # results that nobody used contribute zeros (or None, which the formula then sees)

    def __init__(self, edges: tuple, shape: Any, dtype: Any) -> None:
        super().__init__(edges, shape, dtype)
        self._outputs = 1

    def metadata_of(self, output_nr: int) -> tuple:
        return (self._shape, self._dtype) if self._outputs == 1 else self.others[output_nr]

    def written_to_view(self, target: Tensor) -> None:
        """After an in-place write: the history of the result of a write to a view is the view's new node, not this one. Errors name that too."""
        if self.saved_results and target._view is not None:
            setattr(self, "w_result", history_of_part(target))  # noqa: B010  (a slot of a subclass)

    def is_result(self, name: str) -> bool:
        """Whether what is saved under this name is a result of the call."""
        return any([name == n for _, n in self.saved_results])

    def is_list(self, name: str) -> bool:
        """Whether what is saved under this name is a list of index tensors."""
        return any([name == saved.name for saved in self.overload.recording.lists])

    def arrays(self) -> list[Any]:
        """The saved tensors as raw arrays. (What hooks have packed stays packed.)"""
        names = [*self.saved_names, *[name for _, name in self.saved_results]]
        contents = [getattr(self, "s_" + name) for name in names]
        return [content._a if isinstance(content, Tensor) else content for content in contents]

    def tensor_saved(self, name: str, to_show: bool = False) -> Any:
        """A saved tensor as a tensor (or number), checked; a result gets its history back. `to_show`: not for a backward pass."""
        __tracebackhide__ = True
        content = getattr(self, "s_" + name)
        if content.__class__ is Packed:
            return content.restore(self)
        for i, result in self.saved_results:
            if result == name:
                return self.result_saved(i, name)
        if content.__class__ in PLAIN:
            return content
        if content.__class__ is tuple:
            return tuple([t.restore(self) if isinstance(t, Packed) else t for t in self.indexes_saved(name)])
        if content._fn is None and not to_show and self.had_history(name):
            refuse_detached()
        cell = content._vc
        if cell is not None and cell[0] != getattr(self, "v_" + name):
            origin = content.grad_fn
            name_of_origin = None if origin is None else display_name(origin)
            stale(name_of_origin, content._nr, content._a, cell[0], getattr(self, "v_" + name))
        return content

    def result_saved(self, i: int, name: str) -> Tensor:
        """A saved result, checked, as a tensor with its history."""
        __tracebackhide__ = True
        array, cell = getattr(self, "s_" + name), getattr(self, "c_" + name)
        version, writer = getattr(self, "v_" + name), getattr(self, "w_" + name)
        node = (writer and writer()) or self
        if isinstance(array, Tensor):
            t = same_without_history(array)
            array, cell = t._a, t._vc
        else:
            t = _plain(array)
        if cell[0] != version:  # (raises if it was freed)
            name_of_origin = display_name(node) if self.overload.differentiable(i, t) else None
            stale(name_of_origin, i, array, cell[0], version)
        t._vc = cell
        if self.overload.differentiable(i, t):
            # The history of what was written to a view leads through the whole write, `CopySlices`, which runs this node as its part.
            t._fn, t._nr, t._rg = node, i, True
        return t

    def array_saved(self, name: str) -> Any:
        """A saved tensor as a raw array, checked."""
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
        """Whether a saved argument was not a leaf when it was saved. Its edge shows this."""
        params = self.overload.params
        for position, i in enumerate(self.overload.recording.inputs):
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
        found: list[tuple] = []
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
            if key in self.saved_names or self.is_result(key):
                value = self.tensor_saved(key, to_show=True)
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
            if self.is_list(key):
                return tuple([RawSaved(self, key, i) for i in range(len(getattr(self, "s_" + key)))])
            if key in self.saved_names or self.is_result(key):
                return RawSaved(self, key)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def unsigned(self, name: str, value: Any) -> Any:
        """Integers as PyTorch shows them: it reads negative ones as unsigned integers of 64 bits."""
        kind = next((p.kind for p in self.overload.params if p.name == name), "")
        if kind == "int" and isinstance(value, int) and value < 0:
            return value + (1 << 64)
        if kind.startswith("int[") and isinstance(value, tuple):
            return tuple([v + (1 << 64) if v < 0 else v for v in value])
        return value

    # What `_raw_saved_NAME` calls.
    def kept(self, name: str, index: int | None) -> Any:
        content = getattr(self, "s_" + name)
        if self.is_result(name) and getattr(self, "c_" + name) is FREED:
            return FREED
        return content if index is None or content is FREED else content[index]

    def looked_at(self, name: str, index: int | None) -> Any:
        value = self.tensor_saved(name, to_show=True)
        return value if index is None else value[index]

    def keep_packed(self, name: str, index: int | None, packed: Packed) -> None:
        content: Any = packed
        if index is not None:
            before = getattr(self, "s_" + name)
            content = (*before[:index], packed, *before[index + 1 :])
        setattr(self, "s_" + name, content)
        if self.is_result(name):
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


def formula_texts(overload: OverloadFacts) -> dict[str, str]:
    """The derivatives as the declaration has them, by input, in the order of the inputs."""
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
    return {p.name: texts[p.name] for p in overload.params if p.name in texts}  # in the order of the edges


def _parsed(defined: type | Callable[..., Any]) -> ast.Module:
    lines = _lines_of_class(defined) if isinstance(defined, type) else None
    return ast.parse(textwrap.dedent("".join(lines) if lines else inspect.getsource(defined)))


def _lines_of_class(defined: type) -> list[str] | None:
    """The source of a class, found by its first function. (`inspect.getsource` reads the syntax of the whole file for it, which takes 30 ms.)"""
    begins = f"{defined.__qualname__}."
    firsts = [
        found.__code__.co_firstlineno
        for found in vars(defined).values()
        if isinstance(found, FunctionType)
        and found.__module__ == defined.__module__
        and found.__qualname__.startswith(begins)
    ]
    file = inspect.getsourcefile(defined)
    lines = linecache.getlines(file, vars(sys.modules[defined.__module__])) if firsts and file else []
    heading = re.compile(rf"\s*class {re.escape(defined.__name__)}\b")
    above = (n for n in range(min(firsts, default=0) - 1, -1, -1) if heading.match(lines[n])) if lines else ()
    start = next(iter(above), None)
    return None if start is None else inspect.getblock(lines[start:])
