"""How an operation is declared, and what is made from the declaration.

    @op("mul(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method inplace out")
    class mul:
        \"\"\"Multiply two tensors element by element.\"\"\"

        self = lambda grad, other: grad * conj(other)
        other = lambda grad, self: grad * conj(self)

The schema is PyTorch's: argument names, types, defaults; `Tensor(a)` as the result says "a view of self", `Tensor(a!) self` "writes to self".
The kernel is the function of the same name in `jgrad.kernels.numpy`; it gets the raw arrays in the order of the schema. Each lambda is the
derivative for the argument it is named after, and *its parameters are what backward needs*: `grad`, any argument, `result`, and
`NAME_shape` for an argument's shape only. Nothing else is saved, and nothing at all for an input that needs no gradient.

Note [One formula, two lowerings]: a formula is written once, against the names of its module, where `conj` and `exp` are the public
operations; so run with tensors it records itself, which is what `create_graph=True` does. For the first order the same code object is
rebound to the names of `jgrad.kernels.numpy`, where `conj` and `exp` are NumPy's, and runs on raw arrays without any of our overhead.

From one declaration come: the function, the method, the operators, `name_`, `out=`, the node class (`MulBackward0`) with its `_saved_*`,
both backward passes, the docstring, and what the recorder says about it. `TABLE` lists all of them.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import textwrap
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jgrad import dtypes, observer
from jgrad.autograd import grad_mode
from jgrad.autograd.node import FREED, Node, sequence_numbers, stale
from jgrad.autograd.view import (
    MULTI_OUTPUT_NODE,
    assert_no_internal_overlap,
    assert_no_overlap,
    become_view,
    bump,
    check_inplace,
    edge_to,
    rebase_history,
)
from jgrad.dtypes import FROM_NUMPY, dtype
from jgrad.kernels import numpy as kernels
from jgrad.tensor import Tensor, _plain

TABLE: dict[str, Op] = {}

# The fast paths run while this is set: nobody observes, no mode is on that they do not know. See Note [Fast paths].
FAST = True


def refresh_fast() -> None:
    """Decide anew whether the fast paths may be taken."""
    global FAST
    FAST = observer.current is None


# Schemas ----------------------------------------------------------------------------------------------------------------------


class Param:
    """One argument of a schema."""

    __slots__ = ("name", "type", "default", "required", "keyword_only")

    def __init__(self, text: str, keyword_only: bool) -> None:
        declaration, _, default = text.partition("=")
        self.type, self.name = declaration.split()
        self.required = not default
        self.default = ast.literal_eval(default) if default else None
        self.keyword_only = keyword_only

    def shown(self, method: bool) -> str:
        """As PyTorch writes it in its error texts."""
        name = "input" if self.name == "self" and self.type.startswith("Tensor") else self.name
        kind = SHOWN_TYPES[self.type.rstrip("?")]
        return f"{kind} {name}" if self.required else f"{kind} {name} = {self.default}"


SHOWN_TYPES = {
    "Tensor": "Tensor", "Tensor(a)": "Tensor", "Tensor(a!)": "Tensor", "Tensor[]": "tuple of Tensors", "Number": "Number", "int": "int",
    "int[]": "tuple of ints", "int[1]": "tuple of ints", "bool": "bool", "dtype": "torch.dtype", "str": "str", "float": "float",
    "memory_format": "torch.memory_format", "any": "object",
}  # fmt: skip

NUMBERS = (bool, int, float, complex, np.number, np.bool_)


def _int(value: Any) -> int:
    if isinstance(value, (float, str)) or value is None:
        raise ValueError
    return value.__index__()


def accept(param: Param, value: Any, numbers: bool) -> Any:
    """The value an argument stands for; raises ValueError if PyTorch's parser would refuse it."""
    kind = param.type
    if value is None:
        if kind.endswith("?") or param.default is None and not param.required:
            return None
        raise ValueError
    kind = kind.rstrip("?")
    if kind.startswith("Tensor"):
        if kind == "Tensor[]":
            if not isinstance(value, (tuple, list)):
                raise ValueError
            for i, item in enumerate(value):
                if not isinstance(item, Tensor):
                    raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(item).__name__}")
            return list(value)
        if isinstance(value, Tensor) or (numbers and isinstance(value, NUMBERS)):
            return value
        raise ValueError
    if kind == "Number":
        if isinstance(value, Tensor) and value._a.ndim == 0 and not value.requires_grad:
            return value._a.item()
        if isinstance(value, NUMBERS):
            return value
        raise ValueError
    if kind == "int":
        try:
            return _int(value)
        except (AttributeError, TypeError):
            raise ValueError from None
    if kind in ("int[]", "int[1]"):
        if isinstance(value, (tuple, list)):
            try:
                return tuple([_int(v) for v in value])
            except (AttributeError, TypeError):
                raise ValueError from None
        if kind == "int[1]":
            try:
                return (_int(value),)
            except AttributeError:
                raise ValueError from None
        raise ValueError
    if kind == "bool" and isinstance(value, bool):
        return value
    if kind == "float" and isinstance(value, (float, int)):
        return float(value)
    if kind == "dtype" and isinstance(value, dtype):
        return value.numpy
    if kind == "str" and isinstance(value, str):
        return value
    if kind in ("memory_format", "any"):
        return value
    raise ValueError


class Overload:
    """One schema of an operation, with its kernel and derivatives."""

    def __init__(self, operation: Op, schema: str, body: type, options: dict[str, Any]) -> None:
        head, _, returns = schema.partition(" -> ")
        name, _, arguments = head.partition("(")
        self.op = operation
        self.name = name.partition(".")[0]
        self.schema = schema
        self.body = body
        self.params: list[Param] = []
        keyword_only = False
        for text in re.split(r",\s*(?![^(\[]*[)\]])", arguments[: arguments.rindex(")")]):
            if text == "*":
                keyword_only = True
            elif text:
                self.params.append(Param(text, keyword_only))
        self.positional = sum(not p.keyword_only for p in self.params)
        self.view = "(a)" in returns
        self.writes = any("(a!)" in p.type for p in self.params)
        self.outputs = returns.count("Tensor") if returns.startswith("(") else -1 if returns.endswith("[]") else 1
        self.promote: str | None = options.get("promote")
        self.kernel: Callable = getattr(kernels, options.get("kernel", self.name.rstrip("_")))
        self.tensor_list = next((i for i, p in enumerate(self.params) if p.type == "Tensor[]"), None)
        self.tensor_indexes = [i for i, p in enumerate(self.params) if p.type.startswith("Tensor")]
        self.formulas = {p.name: vars(body)[p.name] for p in self.params if p.name in vars(body)}
        if "not_differentiable" in options or not self.formulas:
            self.node: type[RecordedNode] | None = None
        else:
            self.node = node_class(self, options.get("node"))

    def bind(self, args: Sequence[Any], kwargs: dict[str, Any], method: bool, strict: bool) -> list[Any] | None:
        """Arguments in the order of the schema, or None if they don't fit; `strict` raises PyTorch's TypeError instead."""
        params = self.params
        name, shift = self.op.name, 1 if method else 0
        values: list[Any] = []
        # Sizes may be given one by one where the schema's last positional argument is a list of ints.
        if len(args) > self.positional or (len(args) == self.positional and args and isinstance(args[-1], int)):
            last = self.positional - 1
            if self.positional and self.op.varargs and params[last].type == "int[]":
                args = (*args[:last], tuple(args[last:]))
        if len(args) > self.positional:
            if not strict:
                return None
            least = sum(p.required and not p.keyword_only for p in params) - shift
            most, given = self.positional - shift, len(args) - shift
            if method and most == 0 and not self.op.keywords:
                raise TypeError(f"TensorBase.{name}() takes no arguments ({given} given)")
            takes = f"{most}" if least == most else f"from {least} to {most}"
            plural = "" if takes == "1" else "s"
            verb = "was" if given == 1 else "were"
            raise TypeError(f"{name}() takes {takes} positional argument{plural} but {given} {verb} given")
        used = 0
        for i, param in enumerate(params):
            if i < len(args) and not param.keyword_only:
                value = args[i]
            else:
                key = param.name
                if key not in kwargs:
                    key = "input" if key == "self" else "axis" if key == "dim" else key
                if key in kwargs:
                    value = kwargs[key]
                    used += 1
                elif param.required:
                    if not strict:
                        return None
                    missing = [p.shown(False).split()[-1] for p in params[i:] if p.required and p.name not in kwargs]
                    listed = ", ".join(f'"{m}"' for m in missing)
                    raise TypeError(f"{name}() missing {len(missing)} required positional arguments: {listed}")
                else:
                    values.append(dtypes_default(param))
                    continue
            try:
                values.append(accept(param, value, self.promote is not None or self.op.numbers))
            except ValueError:
                if not strict:
                    return None
                shown = param.shown(False)
                kind, label = shown.split(" =")[0].rsplit(" ", 1)
                where = f" (position {i + 1 - shift})" if i < len(args) else ""
                raise TypeError(f"{name}(): argument '{label}'{where} must be {kind}, not {type(value).__name__}") from None
        if used != len(kwargs):
            if not strict:
                return None
            known = {p.name for p in params} | {"input", "axis"}
            unknown = next((k for k in kwargs if k not in known), None)
            if unknown is None:
                raise TypeError(f"{name}() got multiple values for argument '{next(iter(kwargs))}'")
            raise TypeError(f"{name}() got an unexpected keyword argument '{unknown}'")
        return values

    def shown(self, method: bool, out: bool) -> str:
        """The signature as PyTorch's error texts list it."""
        parts, starred = [], False
        for i, p in enumerate(self.params):
            if method and i == 0:
                continue
            if p.keyword_only and not starred:
                parts.append("*")
                starred = True
            parts.append(p.shown(method))
        if out and not method:
            parts += [] if starred else ["*"]
            parts.append("Tensor out = None")
        return f" * ({', '.join(parts)})"

    # Running ------------------------------------------------------------------------------------------------------------------

    def _raw(self, values: list[Any]) -> tuple[list[Any], list[Tensor]]:
        """The kernel's arguments (promoted where the declaration says so) and the tensors among the values."""
        raw, tensors = list(values), []
        for i in self.tensor_indexes:
            v = values[i]
            if v.__class__ is list:
                raw[i] = [t._a for t in v]
                tensors += v
            elif isinstance(v, Tensor):
                raw[i] = v._a
                tensors.append(v)
        if self.promote is not None:
            operands = [raw[i] for i in self.tensor_indexes if raw[i] is not None]
            if self.tensor_list is not None:
                operands = raw[self.tensor_list]
            common = dtypes.result_of(operands)
            if self.promote == "float" and common.category < dtypes.FLOATING:
                common = dtypes.get_default_dtype()
            target = common.numpy
            for i in self.tensor_indexes:
                raw[i] = [cast(a, target) for a in raw[i]] if raw[i].__class__ is list else cast(raw[i], target)
        return raw, tensors

    def run(self, values: list[Any], out: Any = None) -> Any:
        """The general path: any arguments, any mode, anybody watching."""
        if self.writes:
            return self.run_inplace(values)
        raw, tensors = self._raw(values)
        recorded = self.node is not None and grad_mode.mode.enabled and any([t.requires_grad for t in tensors])
        result = self.kernel(*raw)
        if out is not None:
            return self._into(out, result, tensors, values)
        if result.__class__ is tuple or result.__class__ is list:
            outputs = tuple([_plain(np.asarray(a)) for a in result])
        else:
            outputs = (_plain(np.asarray(result)),)
        if self.view and (self.outputs == -1 or np.may_share_memory(outputs[0]._a, raw[0])):
            for t in outputs:
                become_view(t, tensors[0], MULTI_OUTPUT_NODE if self.outputs != 1 and grad_mode.mode.enabled else 0)
        node = None
        if recorded and outputs and outputs[0]._a.dtype.kind in "fc":
            node = self._record(values, raw, outputs)
        if observer.current is not None:
            kind = "view" if self.view and outputs and outputs[0]._view is not None else "op" if tensors else "create"
            self._report(kind, self.name, values, tensors, outputs, node)
        return outputs if self.outputs == -1 else outputs[0] if self.outputs == 1 else self.op.bundle(outputs)

    def _record(self, values: list[Any], raw: list[Any], outputs: tuple, saved_self: Any = None) -> Node | None:
        """Make the node of this call and make it the history of `outputs`; `saved_self` stands for a self that is overwritten."""
        edges: list[Any] = []
        for i in self.tensor_indexes:
            v = values[i]
            if v.__class__ is list:
                edges += [edge_to(t) for t in v]
            else:
                edges.append(edge_to(v) if isinstance(v, Tensor) else None)
        first = outputs[0]
        node = self.node(tuple(edges), first._a.shape, first._a.dtype)  # type: ignore[misc]
        node.save(values, outputs, saved_self)
        if saved_self is None:
            for i, t in enumerate(outputs):
                t._fn = node
                t._nr = i
                t._rg = True
        if len(outputs) > 1 or self.outputs == -1:
            node.outputs = len(outputs)
            node.others = [(t._a.shape, t._a.dtype) for t in outputs]
        return node

    def run_inplace(self, values: list[Any]) -> Tensor:
        """The general path of `name_`: the result goes into the memory of the first argument."""
        target: Tensor = values[0]
        raw, tensors = self._raw(values)
        grad_on = grad_mode.mode.enabled
        recorded = grad_on and any([t.requires_grad for t in tensors])
        check_inplace(target, recorded)
        array = target._a
        if self.op.checks_overlap:
            assert_no_internal_overlap(array)
            for t in tensors[1:]:
                assert_no_overlap(array, t._a)
        if observer.current is not None:
            observer.current.writing(target)
        # The old values, if a derivative asks for them: they are about to be lost.
        before = None
        if recorded and self.node is not None and "self" in self.node.saved_names:
            before = _plain(array.copy())
            before._fn, before._rg, before._nr = target.grad_fn, target.requires_grad, target._nr
        if self.writes:
            self.kernel(*raw[:1], *raw[1:]) if self.promote is None else self.kernel(array, *raw[1:])
        else:
            result = self.kernel(*raw)
            kind = FROM_NUMPY[np.asarray(result).dtype]
            if not dtypes.can_cast(kind, target.dtype):
                raise RuntimeError(f"result type {kind.type_name} can't be cast to the desired output type {target.dtype.type_name}")
            if np.shape(result) != array.shape:
                raise RuntimeError(
                    f"output with shape {list(array.shape)} doesn't match the broadcast shape {list(np.shape(result))}"
                )
            array[...] = result
        bump(target)
        node = None
        if recorded and array.dtype.kind in "fc":
            if self.node is None:
                raise RuntimeError(f"derivative for aten::{self.op.name} is not implemented")
            edges_from = [target if before is None else target, *values[1:]]
            node = self._record(edges_from, raw, (target,), before if before is not None else UNSAVED)
            rebase_history(target, node)
        if observer.current is not None:
            self._report("write", self.op.name if self.writes else self.name + "_", values, tensors, (target,), node)
        return target

    def _into(self, out: Tensor, result: Any, tensors: list[Tensor], values: list[Any]) -> Tensor:
        """Put a result into the tensor given as `out=`."""
        name = self.op.name
        if not isinstance(out, Tensor):
            raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type(out).__name__}")
        if grad_mode.mode.enabled and (out.requires_grad or any([t.requires_grad for t in tensors])):
            raise RuntimeError(
                f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires "
                "grad."
            )
        result = np.asarray(result)
        kind = FROM_NUMPY[result.dtype]
        if not dtypes.can_cast(kind, out.dtype):
            raise RuntimeError(f"result type {kind.type_name} can't be cast to the desired output type {out.dtype.type_name}")
        if observer.current is not None:
            observer.current.writing(out)
        resize_out(out, result.shape)
        out._a[...] = result
        bump(out)
        if observer.current is not None:
            self._report("write", name, [out, *values], [out, *tensors], (out,), None)
        return out

    def _report(self, kind: str, name: str, values: list, tensors: list, outputs: tuple, node: Node | None) -> None:
        arguments = {p.name: v for p, v in zip(self.params, values, strict=False) if not p.name == "self"}
        assert observer.current is not None
        observer.current.op(name, kind, tuple(tensors), outputs, node, arguments)


UNSAVED: Any = object()  # "self is overwritten, and no formula wants it"


def dtypes_default(param: Param) -> Any:
    return param.default


def cast(operand: Any, target: np.dtype) -> Any:
    """An operand of a promoted operation in the common dtype; Python numbers stay as they are where NumPy lets them follow."""
    if operand.__class__ is np.ndarray:
        return operand if operand.dtype is target else operand.astype(target)
    if operand is None:
        return None
    if target.kind in "iub":
        # A number that does not fit wraps around, as in C.
        return np.asarray(operand, np.int64 if isinstance(operand, (int, np.integer)) else None).astype(target)
    return np.asarray(operand, target)


def resize_out(out: Tensor, shape: tuple, silent: bool = False) -> None:
    """Give an `out=` tensor the shape of the result, with PyTorch's warning unless it was empty."""
    if out._a.shape == shape:
        return
    if out._a.size and not silent:
        warnings.warn(
            f"An output with one or more elements was resized since it had shape {list(out._a.shape)}, which does not match the required "
            f"output shape {list(shape)}. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless "
            "they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
            UserWarning,
            stacklevel=5,
        )
    out._a = kernels.resized(out._a, shape)


# Nodes ------------------------------------------------------------------------------------------------------------------------


class RecordedNode(Node):
    """What the node classes made from declarations share. `others`: shape and dtype of each output where there are several."""

    __slots__ = ("outputs", "others")
    overload: Overload
    saved_names: tuple[str, ...] = ()  # tensors: the slots s_NAME, and v_NAME for the version
    plain_names: tuple[str, ...] = ()  # anything else: the slot p_NAME
    saves_result = False

    def __init__(self, edges: tuple, shape: Any, dtype: Any) -> None:
        super().__init__(edges, shape, dtype)
        self.outputs = 1

    def metadata_of(self, output_nr: int) -> tuple:
        return (self.shape, self.dtype) if self.outputs == 1 else self.others[output_nr]

    def save(self, values: list[Any], outputs: tuple, saved_self: Any) -> None:
        """Keep what the formulas of the wanted gradients name."""
        overload = self.overload
        wanted = overload.parameters_for(self.next)
        for i, param in enumerate(overload.params):
            name = param.name
            if name in self.saved_names:
                value = values[i] if name in wanted else None
                if i == 0 and saved_self is not None and value is not None:
                    value = saved_self
                setattr(self, "s_" + name, value)
                setattr(self, "v_" + name, value._version if isinstance(value, Tensor) else 0)
            elif name in self.plain_names:
                setattr(self, "p_" + name, values[i])
            if name + "_shape" in self.plain_names:
                v = values[i]
                shape = [t._a.shape for t in v] if v.__class__ is list else v._a.shape if isinstance(v, Tensor) else ()
                setattr(self, "p_" + name + "_shape", shape)
            if name + "_dtype" in self.plain_names:
                v = values[i]
                setattr(self, "p_" + name + "_dtype", v._a.dtype if isinstance(v, Tensor) else None)
        if self.saves_result:
            if "result" in wanted:
                self.s_result, self.c_result, self.v_result = outputs[0]._a, outputs[0]._counter, outputs[0]._version
            else:
                self.s_result = self.c_result = None

    def release(self) -> bool:
        for name in self.saved_names:
            setattr(self, "s_" + name, FREED)
        if self.saves_result:
            self.s_result, self.c_result = None, FREED
        return bool(self.saved_names) or self.saves_result

    def tensor_saved(self, name: str) -> Any:
        """A saved tensor as a tensor (or number), checked; a result gets its history back."""
        if name == "result":
            if self.c_result[0] != self.v_result:
                stale(self, None, self.s_result, self.c_result[0], self.v_result, 0)
            t = _plain(self.s_result)
            t._fn, t._rg, t._vc = self, True, self.c_result
            return t
        value = getattr(self, "s_" + name)
        if value is None or isinstance(value, NUMBERS):
            return value
        cell = value._vc
        if cell is not None and cell[0] != getattr(self, "v_" + name):
            stale(self, value, value._a, cell[0], getattr(self, "v_" + name), None)
        return value

    def _saved(self) -> list[tuple]:
        found = []
        for name in self.saved_names:
            value = getattr(self, "s_" + name)
            if isinstance(value, Tensor):
                found.append((name, value, getattr(self, "v_" + name)))
        if self.saves_result and self.c_result is not None and self.c_result is not FREED:
            found.append(("result", self.tensor_saved("result"), self.v_result))
        return found

    def _formulas(self) -> dict[str, str]:
        return self.overload.formula_texts()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            key = name.removeprefix("_saved_")
            if key in self.saved_names or (key == "result" and self.saves_result):
                value = self.tensor_saved(key)
                return value if value is None or isinstance(value, Tensor) else _plain(np.asarray(value))
            key = key.replace("_sym_sizes", "_shape")
            if key in self.plain_names:
                return getattr(self, "p_" + key)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def parameters(formula: Callable) -> tuple[str, ...]:
    return formula.__code__.co_varnames[: formula.__code__.co_argcount]


def node_class(overload: Overload, given_name: str | None) -> type[RecordedNode]:
    """The class of the nodes that calls of this overload leave behind."""
    wanted: dict[str, None] = {}
    for formula in overload.formulas.values():
        wanted.update(dict.fromkeys(p for p in parameters(formula) if p not in ("grad", "grads", "result")))
    tensors = {p.name for p in overload.params if p.type.startswith("Tensor")}
    saved = tuple(w for w in wanted if w in tensors)
    plain = tuple(w for w in wanted if w not in tensors)
    saves_result = any("result" in parameters(f) for f in overload.formulas.values())
    slots = ["p_" + n for n in plain] + [x + n for n in saved for x in ("s_", "v_")]
    if saves_result:
        slots += ["s_result", "c_result", "v_result"]
    name = given_name
    if name is None:
        camel = "".join(part.capitalize() for part in overload.name.rstrip("_").split("_"))
        number = sum(o.node is not None for o in overload.op.overloads)
        name = f"{camel}Backward{number}"
    cls = type(
        name,
        (RecordedNode,),
        {
            "__slots__": tuple(slots),
            "__module__": "jgrad.autograd",
            "overload": overload,
            "saved_names": saved,
            "plain_names": plain,
            "saves_result": saves_result,
        },
    )
    # Compiled when first needed: importing must stay cheap.
    cls.apply = _compile_later("apply", overload, cls)  # type: ignore[assignment]
    cls.apply_public = _compile_later("apply_public", overload, cls)  # type: ignore[assignment]
    return cls


def _compile_later(method: str, overload: Overload, cls: type) -> Callable:
    def first_time(self: Node, grad: Any, needed: Any) -> tuple:
        compiled = compile_backward(overload, cls, raw=method == "apply")
        setattr(cls, method, compiled)
        return compiled(self, grad, needed)

    return first_time


def compile_backward(overload: Overload, cls: Any, raw: bool) -> Callable:
    """Write the backward pass of a node class as straight-line Python: check and fetch what was saved, call the formulas."""
    lines = ["def apply(node, grad, needed):", "    edges = node.next"]
    namespace: dict[str, Any] = {"stale": stale, "NUMBERS": frozenset(NUMBERS), "wanted": _wanted}
    results = []
    for position, i in enumerate(overload.tensor_indexes):
        param = overload.params[i]
        formula = overload.formulas.get(param.name)
        result = f"g{position}"
        if param.type == "Tensor[]":
            if formula is None:
                raise NotImplementedError(f"{overload.name}: no derivative for {param.name}")
            namespace[f"f{position}"] = lower(formula) if raw else formula
            args = [_fetch(name, cls, raw, lines, "    ") for name in parameters(formula)]
            lines.append(f"    {result} = f{position}({', '.join(args)})")
            results.append("*" + result)
            continue
        if formula is None:
            results.append("None")
            continue
        lines.append(f"    {result} = None")
        lines.append(f"    if edges[{position}] is not None and (needed is None or wanted(edges[{position}], needed)):")
        namespace[f"f{position}"] = lower(formula) if raw else formula
        args = [_fetch(name, cls, raw, lines, "        ") for name in parameters(formula)]
        lines.append(f"        {result} = f{position}({', '.join(args)})")
        results.append(result)
    lines.append(f"    return ({', '.join(results)},)")
    source = "\n".join(lines) + "\n"
    filename = f"<jgrad {cls.__name__}.{'apply' if raw else 'apply_public'}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), namespace)
    return namespace["apply"]


def _wanted(edge: Any, needed: Any) -> bool:
    return getattr(edge, "node", edge) in needed


def _fetch(name: str, cls: Any, raw: bool, lines: list[str], indent: str) -> str:
    """Lines that fetch and check what a formula's parameter names; returns the expression to pass."""
    if name in ("grad", "grads"):
        return "grad"
    if name in cls.plain_names:
        return f"node.p_{name}"
    if not raw:
        return f"node.tensor_saved({name!r})"
    if name == "result":
        lines.append(f"{indent}if node.c_result[0] != node.v_result: node.tensor_saved('result')")
        return "node.s_result"
    lines += [
        f"{indent}{name} = node.s_{name}",
        f"{indent}if {name}.__class__ not in NUMBERS:",
        f"{indent}    if {name}._vc is not None and {name}._vc[0] != node.v_{name}: node.tensor_saved({name!r})",
        f"{indent}    {name} = {name}._a",
    ]
    return name


def lower(formula: Callable) -> Callable:
    """The same formula on raw arrays; see Note [One formula, two lowerings]."""
    assert isinstance(formula, types.FunctionType) and formula.__closure__ is None
    return types.FunctionType(formula.__code__, kernels.__dict__, formula.__name__, formula.__defaults__)


# Operations -------------------------------------------------------------------------------------------------------------------


class Op:
    """An operation: one or more overloads under one name, and the public functions made from them."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.name = name
        self.overloads: list[Overload] = []
        self.forms: list[str] = options.get("forms", "function method").split()
        self.varargs: bool = options.get("varargs", False)
        self.numbers: bool = options.get("numbers", False)
        self.keywords: bool = options.get("keywords", False)
        self.checks_overlap: bool = options.get("checks_overlap", True)
        self.bundle: Callable = options.get("bundle", tuple)
        self.doc = ""

    def match(self, args: Sequence[Any], kwargs: dict[str, Any], method: bool) -> tuple[Overload, list[Any]]:
        """The first overload that the arguments fit, and the arguments in its order."""
        overloads = self.overloads
        if len(overloads) == 1:
            return overloads[0], overloads[0].bind(args, kwargs, method, True)  # type: ignore[return-value]
        for overload in overloads:
            values = overload.bind(args, kwargs, method, False)
            if values is not None:
                return overload, values
        most = max(o.positional for o in overloads)
        if len(args) > most and not any(o.params[o.positional - 1].type == "int[]" and self.varargs for o in overloads):
            overloads[-1].bind(args, kwargs, method, True)
        given = [type(a).__name__ for a in (args[1:] if method else args)]
        named = [f"{k}={type(v).__name__}" for k, v in kwargs.items()]
        got = f"({', '.join(given + named)}{', ' if named else ''})"
        listed = "\n".join(o.shown(method, "out" in self.forms) for o in overloads)
        raise TypeError(f"{self.name}() received an invalid combination of arguments - got {got}, but expected one of:\n{listed}\n")

    def call(self, args: Sequence[Any], kwargs: dict[str, Any], method: bool = False) -> Any:
        """The general path of the function and the method."""
        out = None
        if "out" in kwargs and "out" in self.forms:
            kwargs = dict(kwargs)
            out = kwargs.pop("out")
        overload, values = self.match(args, kwargs, method)
        return overload.run(values, out)

    def call_inplace(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The general path of `name_`."""
        overload, values = self.match(args, kwargs, True)
        return overload.run_inplace(values)


def op(schema: str, **options: Any) -> Callable[[type], Any]:
    """Declare an operation (or one more overload of it) by the class that follows; gives the public function."""

    def declare(body: type) -> Any:
        name = schema.partition("(")[0].partition(".")[0]
        operation = TABLE.get(name)
        first = operation is None
        if operation is None:
            operation = TABLE[name] = Op(name, options)
        operation.overloads.append(Overload(operation, schema, body, options))
        operation.doc = operation.doc or inspect.cleandoc(body.__doc__ or "")
        if first:
            install(operation)
        return operation.function

    return declare


def install(operation: Op) -> None:
    """Make the public function, method, operators and in-place method of an operation."""
    overload = operation.overloads[0]
    name = operation.name
    front = fronts.get(fast_kind(operation))
    call = operation.call

    def function(*args: Any, **kwargs: Any) -> Any:
        return call(args, kwargs)

    def method(*args: Any, **kwargs: Any) -> Any:
        return call(args, kwargs, True)

    def inplace(*args: Any, **kwargs: Any) -> Any:
        return operation.call_inplace(args, kwargs)

    operation.function = function  # type: ignore[attr-defined]
    if front is not None:
        function, method = front(operation, overload)
        operation.function = function  # type: ignore[attr-defined]
    for made, shown in ((function, name), (method, name), (inplace, name + "_")):
        made.__name__ = made.__qualname__ = shown
        made.__doc__ = operation.doc
        made.__module__ = "jgrad"
    if "method" in operation.forms:
        setattr(Tensor, name, method)
    if "inplace" in operation.forms:
        setattr(Tensor, name + "_", inplace)


def fast_kind(operation: Op) -> str | None:
    """Which fast path an operation can have: elementwise ones of one or two tensors."""
    overload = operation.overloads[0]
    if overload.promote is None or overload.writes or overload.view:
        return None
    kinds = [p.type for p in overload.params]
    return {("Tensor",): "unary", ("Tensor", "Tensor"): "binary"}.get(tuple(kinds))


# Note [Fast paths]: most operations on small tensors are elementwise, on float tensors of one dtype, while nobody watches. For them
# everything the general path decides is known beforehand, and what is left is: the kernel, a tensor, and if a gradient is wanted a node.
# These two functions are that path, written out; they must do what `Overload.run` does, and a test runs both on the same programs.

_new = object.__new__
_ndarray = np.ndarray
_F32, _F64 = np.dtype("float32"), np.dtype("float64")


def _unary(operation: Op, overload: Overload) -> tuple[Callable, Callable]:
    kernel, node_type = overload.kernel, overload.node
    if node_type is not None:
        saves_self, saves_result = "self" in node_type.saved_names, node_type.saves_result
        simple = node_type.plain_names == ()
    else:
        saves_self = saves_result = False
        simple = True
    call = operation.call

    def method(*args: Any, **kwargs: Any) -> Any:
        if FAST and len(args) == 1 and not kwargs and simple:
            (input,) = args
            if input.__class__ is Tensor:
                a = input._a
                d = a.dtype
                if d is _F32 or d is _F64:
                    r = kernel(a)
                    if r.__class__ is not _ndarray:
                        r = np.asarray(r)
                    t = _new(Tensor)
                    t._a = r
                    t._rg = False
                    t._fn = None
                    t._nr = 0
                    t._vc = None
                    t._view = None
                    t._grad = None
                    t._rare = None
                    if node_type is None or (grad_mode.may_be_off and not grad_mode.mode.enabled):
                        return t
                    edge = edge_to(input)
                    if edge is not None:
                        node = _new(node_type)
                        node.next = (edge,)
                        node.seq = next(sequence_numbers)
                        node.shape = r.shape
                        node.dtype = d
                        node.extras = None
                        node.outputs = 1
                        if saves_self:
                            node.s_self = input
                            node.v_self = 0 if input._vc is None else input._vc[0]
                        if saves_result:
                            node.s_result = r
                            node.c_result = t._vc = [0]
                            node.v_result = 0
                        t._rg = True
                        t._fn = node
                    return t
        return call(args, kwargs, True)

    def function(*args: Any, **kwargs: Any) -> Any:
        if FAST and len(args) == 1 and not kwargs and args[0].__class__ is Tensor:
            return method(args[0])
        return call(args, kwargs)

    return function, method


def _binary(operation: Op, overload: Overload) -> tuple[Callable, Callable]:
    kernel, node_type = overload.kernel, overload.node
    formulas = overload.formulas
    if node_type is not None:
        first, second = [p.name for p in overload.params]
        slot_self, slot_other = "s_" + first, "s_" + second
        self_for_self = first in parameters(formulas[first])
        other_for_self = second in parameters(formulas[first])
        self_for_other = first in parameters(formulas[second])
        other_for_other = second in parameters(formulas[second])
        saves_self, saves_other = first in node_type.saved_names, second in node_type.saved_names
        simple = node_type.plain_names == () and not node_type.saves_result and first == "self" and second == "other"
        simple = simple and not (self_for_self or other_for_other)
        assert not simple or (slot_self, slot_other) == ("s_self", "s_other")
    else:
        other_for_self = self_for_other = saves_self = saves_other = False
        simple = True
    call = operation.call

    def method(*args: Any, **kwargs: Any) -> Any:
        if FAST and len(args) == 2 and not kwargs and simple:
            input, other = args
            if input.__class__ is Tensor:
                a = input._a
                d = a.dtype
                if d is _F32 or d is _F64:
                    if other.__class__ is Tensor:
                        b = other._a
                        if b.dtype is not d:
                            return call(args, kwargs, True)
                    elif other.__class__ is float or other.__class__ is int:
                        b = other
                    else:
                        return call(args, kwargs, True)
                    try:
                        r = kernel(a, b)
                    except (ValueError, OverflowError):
                        return call(args, kwargs, True)  # which says it in PyTorch's words
                    if r.__class__ is not _ndarray:
                        r = np.asarray(r)
                    t = _new(Tensor)
                    t._a = r
                    t._rg = False
                    t._fn = None
                    t._nr = 0
                    t._vc = None
                    t._view = None
                    t._grad = None
                    t._rare = None
                    if node_type is None or (grad_mode.may_be_off and not grad_mode.mode.enabled):
                        return t
                    edge0 = edge_to(input)
                    edge1 = edge_to(other) if b is not other else None
                    if edge0 is not None or edge1 is not None:
                        node = _new(node_type)
                        node.next = (edge0, edge1)
                        node.seq = next(sequence_numbers)
                        node.shape = r.shape
                        node.dtype = d
                        node.extras = None
                        node.outputs = 1
                        if saves_self:
                            if self_for_other and edge1 is not None:
                                node.s_self = input
                                node.v_self = 0 if input._vc is None else input._vc[0]
                            else:
                                node.s_self = None
                        if saves_other:
                            if other_for_self and edge0 is not None:
                                node.s_other = other
                                node.v_other = 0 if b is other or other._vc is None else other._vc[0]
                            else:
                                node.s_other = None
                        t._rg = True
                        t._fn = node
                    return t
        return call(args, kwargs, True)

    def function(*args: Any, **kwargs: Any) -> Any:
        if FAST and len(args) == 2 and not kwargs and args[0].__class__ is Tensor:
            return method(*args)
        return call(args, kwargs)

    return function, method


fronts: dict[str | None, Callable] = {"unary": _unary, "binary": _binary}


def _formula_texts(self: Overload) -> dict[str, str]:
    """The derivatives as they stand in the declaration, by input."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(self.body)))
    texts = {}
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
            name = statement.targets[0].id  # type: ignore[attr-defined]
            if name in self.formulas:
                texts[name] = ast.unparse(statement.value.body)
    return texts


def _parameters_for(self: Overload, edges: tuple) -> set[str]:
    """The names that the formulas of the inputs with an edge mention."""
    wanted: set[str] = set()
    if self.tensor_list is not None:
        for formula in self.formulas.values():
            wanted.update(parameters(formula))
        return wanted
    for position, i in enumerate(self.tensor_indexes):
        formula = self.formulas.get(self.params[i].name)
        if formula is not None and edges[position] is not None:
            wanted.update(parameters(formula))
    return wanted


Overload.formula_texts = _formula_texts  # type: ignore[attr-defined]
Overload.parameters_for = _parameters_for  # type: ignore[attr-defined]
