"""The fast paths: what an operation does when nothing unusual is asked of it, written out as straight-line Python.

Most calls are of one kind: positional arguments of the plain classes, float tensors of one dtype. For them everything that
the general path (`Overload.run`) decides is known from the declaration, and what is left is the kernel, a tensor, and if a gradient is
wanted a node. `source` writes that down per overload; it is compiled when the operation is first called, since importing must stay cheap.
Whatever does not fit goes to `slow`, the general path, which also says all errors in PyTorch's words. Both must do the same: a test runs
the same programs with and without the fast paths.
"""

from __future__ import annotations

import linecache
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import observer
from jgrad.graph import general_path, grad_mode
from jgrad.graph.grad_mode import InferenceCell  # noqa: F401  (these three: for what `source` writes)
from jgrad.graph.node import sequence_numbers
from jgrad.graph.view import View, become_view, edge_to  # noqa: F401
from jgrad.kernels import libraries
from jgrad.kernels import numpy as numpy_kernels
from jgrad.tensor import Tensor, _plain

Parameter: type[Tensor] = (
    Tensor  # `jgrad.nn`, once loaded, puts its class here: parameters take the fast paths too
)
ENABLED = True  # tests turn the fast paths off
WATCHING = False  # somebody observes: `jgrad.observer` sets it
_before_request = True  # what ENABLED was when the first request for the general path was opened


def _on_request(requested: bool) -> None:
    """Go to the general path while a request is open, then back to what `ENABLED` was before."""
    global ENABLED, _before_request
    if requested:
        _before_request, ENABLED = ENABLED, False
    else:
        ENABLED = _before_request


def _on_watch(watching: bool) -> None:
    global WATCHING
    WATCHING = watching


general_path.listeners.append(_on_request)
observer.listeners.append(_on_watch)


class _Missing:
    """Stands for an argument that was not given."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
# What their kernels are if nobody says alpha.
WITHOUT_ALPHA = {"add": numpy_kernels.plain_add, "sub": numpy_kernels.plain_sub}
PLAIN_DEFAULTS = (int, bool, tuple, type(None))


def fits(overload: Any) -> bool:
    """Whether an overload can have a fast path."""
    node = overload.node
    return not (
        overload.writes
        or overload.outputs < 1
        or (overload.outputs > 1 and (overload.view or overload.promote is not None))
        or overload.tensor_list is not None
        or overload.index_lists
        or overload.derived
        or not overload.params
        or overload.params[0].kind not in ("Tensor", "Tensor(a)")
        or any(
            p.is_tensor and p.optional and (i == 0 or p.keyword_only or overload.promote is not None)
            for i, p in enumerate(overload.params)
        )
        or (
            node is not None
            and (not overload.formulas or any(n.endswith(("_dtype", "_device")) for n in node.plain_names))
        )
        or any(p.default.__class__ not in PLAIN_DEFAULTS for p in overload.params)
        or any(p.required and p.keyword_only for p in overload.params)
        or any(
            p.kind == "Generator" for p in overload.params
        )  # what draws must not run twice, see `_recording`
        or overload.options.get("warns")
    )


def source(overload: Any) -> str:
    """The fast path of an overload as the source of a factory of closures."""
    params, node = overload.params, overload.node
    positional = [p for p in params if not p.keyword_only]
    varargs = overload.schema.varargs
    names = [p.name for p in positional]
    first = names[0]
    signature = [f"{p.name}=MISSING" if p.required else f"{p.name}={p.default!r}" for p in positional]
    if varargs:
        signature[-1] = "*" + names[-1]
        extra, rest = False, f"*{names[-1]}"
    else:
        signature.append("*extra")
        extra, rest = True, ", ".join([names[-1], "*extra"])
    given = ", ".join([*names[:-1], rest])
    missing = {p.name: p.default for p in positional}
    arrays: dict[str, str] = {}
    lines = [
        "def make(kernel, array, elsewhere, node_type, slow, beyond, returned):",
        f"    def fast({', '.join(signature)}, **kwargs):",
        "        __tracebackhide__ = True",
        *([f"        if extra:\n            return beyond({given}, **kwargs)"] if extra else []),
        f"        if not ENABLED or kwargs or {not_tensor(first)}:",
        f"            return slow(({given},), kwargs)",
        f"        a_{first} = {first}._a",
    ]
    refuse = f"            return slow(({given},), kwargs)"
    # The dtype is that of the first operand that is promoted: all are, but for the condition of `where`.
    deciding = first
    if overload.promote is not None and overload.promoted_names:
        deciding = next(p.name for p in params if p.name in overload.promoted_names)
    for p in params:
        name = p.name
        if p.is_tensor:
            arrays[name] = f"a_{name}"
            if name == deciding and overload.promote is not None:
                if name != first:
                    lines += [
                        f"        if {not_tensor(name)}:",
                        refuse,
                        f"        a_{name} = {name}._a",
                    ]
                lines += [f"        d = a_{name}.dtype", "        if d is not F32 and d is not F64:", refuse]
                continue
            if name == first:
                continue
            if p.optional:
                lines += [
                    f"        if {is_tensor(name)}:",
                    f"            a_{name} = {name}._a",
                    f"        elif {name} is None:",
                    f"            a_{name} = None",
                    "        else:",
                    refuse,
                ]
                continue
            same = (
                f" or {name}._a.dtype is not d"
                if overload.promote is not None and name in overload.promoted_names
                else ""
            )
            if overload.promote is not None and overload.schema.numbers:
                lines += [
                    f"        if {is_tensor(name)}:",
                    f"            a_{name} = {name}._a",
                    f"            if a_{name}.dtype is not d:",
                    "    " + refuse,
                    f"        elif {name}.__class__ is float or {name}.__class__ is int:",
                    f"            a_{name} = {name}",
                    "        else:",
                    refuse,
                ]
            else:
                lines += [
                    f"        if ({not_tensor(name)}){same}:",
                    refuse,
                    f"        a_{name} = {name}._a",
                ]
        elif p.keyword_only:
            lines.append(f"        {name} = {p.default!r}")
        elif p.kind == "Number":
            unless = f"{name} is not None and " if p.optional else ""
            lines += [
                f"        if {unless}{name}.__class__ is not float and {name}.__class__ is not int:",
                refuse,
            ]
        elif p.kind in ("int", "bool"):
            unless = f"{name} is not None and " if p.optional else ""
            lines += [f"        if {unless}{name}.__class__ is not {p.kind}:", refuse]
        elif p.kind == "int[]":
            if varargs:
                lines += [
                    f"        if not {name}:",
                    refuse,
                    f"        given = {name}",
                    f"        if len({name}) == 1 and {name}[0].__class__ is tuple and {name}[0]:",
                    f"            ({name},) = {name}",
                    f"        for n in {name}:",
                    "            if n.__class__ is not int:",
                    "    " + refuse.replace(f"*{name}", "*given"),
                ]
            else:
                lines += [
                    f"        if {name}.__class__ is not tuple or any([n.__class__ is not int for n in {name}]):",
                    refuse,
                ]
        elif p.kind == "int[1]":
            lines += [
                f"        if {name}.__class__ is int:",
                f"            {name} = ({name},)",
                f"        elif {name}.__class__ is tuple:",
                f"            if any([n.__class__ is not int for n in {name}]):",
                "    " + refuse,
                f"        elif {name} is not None:" if p.optional else "        else:",
                refuse,
            ]
        elif p.kind != "any":
            lines += [f"        if {name} is not {missing[name]!r}:", refuse]
    passed = [p for p in params if not (overload.name in WITHOUT_ALPHA and p.name == "alpha")]
    arguments = ", ".join(arrays.get(p.name, p.name) for p in passed)
    numbers = result_numbers(overload)
    others = [f"{a}.__class__ is not array" for a in list(arrays.values())[:1]] + [
        f"{a} is not {name} and {a}.__class__ is not array" for name, a in list(arrays.items())[1:]
    ]
    lines += [
        f"        if libraries.several and ({' or '.join(others)}):",
        f"            return elsewhere({given})",
        "        try:",
        f"            r = kernel({arguments})",
        "        except (ValueError, OverflowError, TypeError):",
        "            r = MISSING",  # (so that what the general path raises comes alone)
        "        if r is MISSING:",
        refuse,
    ]
    made = "t" if overload.outputs == 1 else f"returned(({', '.join(f't{n}' for n in numbers)}))"
    if overload.outputs > 1:
        lines.append(f"        {', '.join(f'r{n}' for n in numbers)} = r")
    if overload.promote is not None:
        # NumPy orders the result's strides as PyTorch does if the first of two operands is contiguous, of more if all are.
        for name in [first] if deciding == first and len(arrays) < 3 else arrays:
            given_tensor = "" if name in (first, deciding) else f"{is_tensor(name)} and "
            lines += [
                f"        if {given_tensor}a_{name}.ndim > 1 and not a_{name}.flags.c_contiguous:",
                f"            r = libraries.of(r).kernels.laid_out(r, [{', '.join(arrays.values())}])",
            ]
    for n in numbers:
        lines += [
            f"        if r{n}.__class__ is not array:",
            f"            r{n} = as_array(r{n})",
            f"        t{n} = new(Tensor)",
            f"        t{n}._a = r{n}",
            f"        t{n}._rg = False",
            f"        t{n}._fn = t{n}._grad = t{n}._rare = None",
            f"        t{n}._nr = 0",
        ]
    if overload.view:
        lines += [
            f"        cell = {first}._vc",
            "        if cell is None:",
            f"            cell = {first}._counter",
            "        if grad_mode.may_be_off or cell.__class__ is not list:",
            "            t._vc = t._view = None",
            f"            become_view(t, {first})",
            "        else:",  # the same written out: a call of View(...) alone takes longer
            "            t._vc = cell",
            f"            parent = {first}._view",
            "            t._view = shown = new(View)",
            "            shown.attr_version = cell[0]",
            "            if parent is None:",
            f"                shown.base = {first}",
            "                shown.creation_meta = 0",
            "            else:",
            "                shown.base = parent.base",
            "                shown.creation_meta = parent.creation_meta",
        ]
    else:
        lines += [f"        t{n}._vc = t{n}._view = None" for n in numbers]
    told = ["        if WATCHING:", f"            {_reporting(overload)}"]
    if node is not None:
        early = ["    " + line for line in told]
        lines += [
            "        if grad_mode.may_be_off and not grad_mode.mode.enabled:",
            *early,
            f"            return {made}",
        ]
        # (Sizes given one by one are a tuple by now, which functions take too.)
        lines += _recording(
            overload,
            arrays,
            f"            return slow(({', '.join(names)}, *extra), kwargs)"
            if not varargs
            else f"            return slow(({', '.join(names)},), kwargs)",
        )
    lines += [*told, f"        return {made}", "    return fast"]
    return "\n".join(lines) + "\n"


def is_tensor(name: str) -> str:
    """The test whether an argument is a tensor, as source."""
    return f"({name}.__class__ is Tensor or {name}.__class__ is Parameter)"


def not_tensor(name: str) -> str:
    """The test whether an argument is no tensor, as source that may stand among others joined by `or`."""
    return f"{name}.__class__ is not Tensor and {name}.__class__ is not Parameter"


def result_numbers(overload: Any) -> list[str]:
    """What the variables of the results end with: a single one is `t`, several are `t0`, `t1` and so on."""
    return [""] if overload.outputs == 1 else [str(n) for n in range(overload.outputs)]


def _reporting(overload: Any, written: str = "") -> str:
    """The line that tells whoever observes, as `Overload.report` does. `written`: what an operation that writes to `self` is called."""
    params = overload.params
    kind = "write" if written else "view" if overload.view else "op"
    name = written or overload.name
    name = observer.SHOWN_NAMES.get(name, name.lstrip("_"))
    values = ", ".join(f"{p.name!r}: {p.name}" for p in params if p.name != "self")
    tensors = []
    for i, p in enumerate(params):
        if p.is_tensor:
            number = maybe_no_tensor(overload, i)
            tensors.append(f"*([{p.name}] if {is_tensor(p.name)} else [])" if number else p.name)
    results = [params[0].name] if written else [f"t{n}" for n in result_numbers(overload)]
    return (
        f"observer.current.op({name!r}, {kind!r}, ({', '.join(tensors)},), ({', '.join(results)},), "
        f"{'None' if written else f'{results[0]}._fn'}, {{{values}}})"
    )


def maybe_no_tensor(overload: Any, i: int) -> bool:
    """Whether a number or None may stand where a parameter says tensor."""
    return bool(i > 0 and (overload.schema.numbers or overload.params[i].optional))


def _recording(overload: Any, arrays: dict[str, str], refuse: str) -> list[str]:
    """The lines that leave a node behind."""
    params, node, numbers = overload.params, overload.node, result_numbers(overload)
    lines = []
    edges = []
    for position, i in enumerate(overload.edges_from):
        name, edge = params[i].name, f"e{position}"
        edges.append(edge)
        indent = "        "
        if maybe_no_tensor(overload, i):
            lines += [f"        {edge} = None", f"        if {is_tensor(name)}:"]
            indent += "    "
        lines += [
            f"{indent}{edge} = {name}._fn",
            f"{indent}if {name}._view is not None or {name}._nr:",
            f"{indent}    {edge} = edge_to({name})",
            f"{indent}elif {edge} is None and {name}._rg:",
            f"{indent}    {edge} = {name}",
        ]
    lines += [
        f"        if {' or '.join(f'{e} is not None' for e in edges)}:",
        *(
            [f"            if r{numbers[0]}.dtype.kind != 'f':", "    " + refuse]
            if overload.options.get("real_gradient") or overload.options.get("keeps_dtype")
            else []
        ),
        "            node = new(node_type)",
        f"            node._next = ({', '.join(edges)},)",
        "            node._seq = next(sequence_numbers)",
        f"            node._shape = r{numbers[0]}.shape",
        f"            node._dtype = r{numbers[0]}.dtype",
        "            node._extras = None",
        "            node._outputs = 1",
    ]
    if overload.outputs == 1:
        lines += ["            t._rg = True", "            t._fn = node"]
    else:
        lines.append(f"            node.others = [{', '.join(f'(r{n}.shape, r{n}.dtype)' for n in numbers)}]")
        for i, n in enumerate(numbers):
            if overload.result_names[i] not in overload.constant:
                lines += [
                    f"            if r{n}.dtype.kind in 'fc':",
                    f"                t{n}._rg = True",
                    f"                t{n}._fn = node",
                    f"                t{n}._nr = {n}",
                    f"                node._outputs = {i + 1}",
                ]
    always = len(edges) == 1  # with one differentiable input PyTorch saves without asking
    for i, name in overload.saved_at:
        users = [e for e, names in zip(edges, overload.names_by_edge, strict=True) if name in names]
        number = maybe_no_tensor(overload, i)
        version = f"0 if {not_tensor(name)} or {name}._vc is None else {name}._vc[0]" if number else (
            f"0 if {name}._vc is None else {name}._vc[0]"
        )  # fmt: skip
        keep = [f"node.s_{name} = {name}", f"node.v_{name} = {version}"]
        if always:
            lines += ["            " + line for line in keep]
        else:
            lines.append(f"            if {' or '.join(f'{e} is not None' for e in users)}:")
            lines += ["                " + line for line in keep]
            lines += ["            else:", f"                node.s_{name} = None"]
    for i, name, slot in overload.plain_at:
        given = params[i].name
        of_shape = (
            name.endswith("_shape") and name != given
        )  # an argument may itself be called so: normalized_shape
        value = f"{arrays[given]}.shape" if of_shape else given
        if name.endswith("_strides") and name != given:
            value = f"{arrays[given]}.strides"
        if of_shape and maybe_no_tensor(overload, i):
            value = f"{given}._a.shape if {is_tensor(given)} else ()"
        lines.append(f"            node.{slot} = {value}")
    for i, name in node.saved_results:
        lines += [
            f"            node.s_{name} = r{numbers[i]}",
            f"            node.c_{name} = t{numbers[i]}._vc = [0]",
            f"            node.v_{name} = 0",
            f"            node.w_{name} = None",
        ]
    # A view that was made under no_grad has no edge of its own, but requires grad if its base does: rare enough for the general path.
    for i in overload.edges_from:
        name = params[i].name
        guard = f"{is_tensor(name)} and " if maybe_no_tensor(overload, i) else ""
        lines += [f"        elif {guard}{name}._view is not None and {name}._view.base._rg:", refuse]
    return lines


new = object.__new__
as_array, ndarray = libraries.as_array, np.ndarray
F32, F64 = np.dtype("float32"), np.dtype("float64")


def path(overloads: list[Any], general: Callable[[tuple, dict], Any]) -> Callable:
    """The quickest way to call an operation: the fast paths of its overloads, each of which passes on what does not fit, then `general`."""
    quick = None
    for overload in reversed(overloads):
        following = general if quick is None else repacked(quick)
        if isinstance(overload.body, types.FunctionType):
            quick = composite(overload, following)
            if "usually" in overload.options:
                name, kernel = overload.options["usually"].split()
                quick = usual(name, kernel, repacked(quick))
        elif overload.tensor_list == 0 and len(overload.params) == 2 and overload.promote == "default":
            quick = joining(overload, following)
        elif fits(overload):
            quick = compiled(overload, following, beyond=quick)
        elif overload.writes and fits_inplace(overload):
            quick = inplace(overload, following)
    if quick is None:
        return unpacked(general)
    return positional(quick, general) if disagreeing(overloads) else quick


def disagreeing(overloads: list[Any]) -> bool:
    """Whether an argument of the same name stands in different places of the overloads, so that one called by name fits not every path."""
    places: dict[str, Any] = {}
    for overload in overloads:
        for i, p in enumerate(overload.params):
            if places.setdefault(p.name, place := None if p.keyword_only else i) != place:
                return True
    return False


def positional(quick: Callable, general: Callable[[tuple, dict], Any]) -> Callable:
    """A fast path for calls without keywords."""

    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        return general(args, kwargs) if kwargs else quick(*args)

    return call


def together(quick: Callable, general: Callable[[tuple, dict], Any]) -> Callable:
    """The function of an operation whose method takes sizes one by one, too; here they come in a tuple."""

    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        plain = len(args) == 2 and args[1].__class__ is tuple and not kwargs
        return quick(*args) if plain else general(args, kwargs)

    return call


def repacked(function: Callable) -> Callable[[tuple, dict], Any]:
    """A function that takes its arguments as a tuple and a dict."""

    def call(args: tuple, kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        return function(*args, **kwargs)

    return call


def usual(name: str, kernel: str, general: Callable[[tuple, dict], Any]) -> Callable:
    """The fast path of another operation, with a kernel that raises ValueError where this one is something else."""
    from jgrad.dispatch.op import TABLE

    return compiled(TABLE[name].overloads[0], general, getattr(numpy_kernels, kernel))


def compiled(
    overload: Any, general: Callable[[tuple, dict], Any], kernel: Any = None, beyond: Callable | None = None
) -> Callable:
    """The fast path of an overload, with `general(args, kwargs)` for everything else, and `beyond` for more arguments than it has."""
    factory = getattr(overload, "factory", None)
    if factory is None:
        text = source(overload)
        filename = f"<jgrad fast {overload.schema.overload}>"
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        found: dict[str, Any] = {}
        exec(compile(text, filename, "exec"), globals(), found)
        factory = overload.factory = found["make"]
    names = [p.name for p in overload.params if not p.keyword_only]
    defaults = [MISSING if p.required else p.default for p in overload.params if not p.keyword_only]

    def slow(args: tuple, kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        # Trailing arguments that were not given are dropped; those given by name after a gap are passed by name.
        if len(args) <= len(names) and not overload.schema.varargs:
            keep = len(args)
            while keep and args[keep - 1] is defaults[keep - 1]:
                keep -= 1
            args = args[:keep]
        if any([a is MISSING for a in args]):
            gap = next(i for i, a in enumerate(args) if a is MISSING)
            kwargs = {
                **kwargs,
                **{n: a for n, a in zip(names[gap:], args[gap:], strict=False) if a is not MISSING},
            }
            args = args[:gap]
        return general(args, kwargs)

    paths: dict[libraries.Library, Callable] = {}
    on_numpy = kernel or WITHOUT_ALPHA.get(overload.name, overload.kernel)

    def bound(library: libraries.Library) -> Callable:
        kernel = library.counterpart(on_numpy)
        made = factory(
            kernel,
            library.array,
            elsewhere,
            overload.node,
            slow,
            beyond or unpacked(slow),
            overload.returned,
        )
        made.__qualname__ = overload.op.name  # (which Python's error for an argument given twice begins with)
        return made

    def elsewhere(*args: Any) -> Any:
        """The call with arrays that are not, or not all, of the library whose path was taken."""
        __tracebackhide__ = True
        tensors = [a for a in args if isinstance(a, Tensor)]
        library = libraries.of(tensors[0]._a)
        if library.many or any([libraries.of(t._a) is not library for t in tensors]):
            first = len(names) - 1  # sizes given one by one go in a tuple, as functions want them
            return slow((*args[:first], args[first:]) if overload.schema.varargs else args, {})
        if library not in paths:
            paths[library] = bound(library)
        return paths[library](*args)

    return bound(libraries.NUMPY)


def joining(overload: Any, general: Callable[[tuple, dict], Any]) -> Callable:
    """The fast path of `cat` and `stack`: floats of one dtype, and a dimension."""
    kernel, node_type, report = overload.kernel, overload.node, overload.report
    default = overload.params[1].default
    slots = [(slot, name.endswith("_shape")) for _, name, slot in overload.plain_at]  # no tensor is saved

    def fast(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        if not ENABLED or kwargs or not 0 < len(args) < 3:
            return general(args, kwargs)
        tensors, dim = args[0], default if len(args) == 1 else args[1]
        if (tensors.__class__ is not tuple and tensors.__class__ is not list) or dim.__class__ is not int:
            return general(args, kwargs)
        recording = not grad_mode.may_be_off or grad_mode.mode.enabled
        arrays: list[Any] = []
        edges: list[Any] = []
        dtype, wanted = None, False
        for t in tensors:
            if t.__class__ is not Tensor and t.__class__ is not Parameter:
                return general(args, kwargs)
            a = t._a
            if a.dtype is not dtype:
                if dtype is not None or (a.dtype is not F32 and a.dtype is not F64):
                    return general(args, kwargs)
                dtype = a.dtype
            arrays.append(a)
            if recording:
                edge: Any = t._fn
                if t._view is not None or t._nr:
                    edge = edge_to(t)
                    if edge is None and t._view.base._rg:
                        return general(args, kwargs)  # a view made under no_grad
                elif edge is None and t._rg:
                    edge = t
                wanted = wanted or edge is not None
                edges.append(edge)
        if dtype is None or (libraries.several and any([a.__class__ is not ndarray for a in arrays])):
            return general(args, kwargs)
        made = _plain(kernel(arrays, dim))
        if wanted:
            node = made._fn = new(node_type)
            node._next = tuple(edges)
            node._seq = next(sequence_numbers)
            node._shape, node._dtype = made._a.shape, dtype
            node._extras = None
            node._outputs = 1
            for slot, is_shapes in slots:
                setattr(node, slot, [a.shape for a in arrays] if is_shapes else dim)
            made._rg = True
        if WATCHING:
            values = list(tensors)
            report("op", overload.name, [values, dim], values, (made,), made._fn)
        return made

    return fast


def unpacked(general: Callable[[tuple, dict], Any]) -> Callable:
    """An ordinary function that takes the general path."""

    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        return general(args, kwargs)

    return call


def inplace(overload: Any, general: Callable[[tuple, dict], Any]) -> Callable:
    """The fast path of what writes to a tensor, with `general(args, kwargs)` for everything else."""
    if not fits_inplace(overload):
        return unpacked(general)
    text = inplace_source(overload)
    filename = f"<jgrad fast {overload.schema.overload} in place>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    found: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), globals(), found)
    return found["make"](WITHOUT_ALPHA.get(overload.name, overload.kernel), general)


def fits_inplace(overload: Any) -> bool:
    """Whether the in-place form of an overload can have a fast path: it takes tensors and numbers, which may overlap as one."""
    return not (
        overload.view
        or overload.outputs != 1
        or overload.derived
        or any([p.kind not in ("Tensor", "Tensor(a!)", "Number") for p in overload.params if p.required])
        or any([p.kind == "Generator" for p in overload.params])
        or any([p.default.__class__ not in PLAIN_DEFAULTS for p in overload.params if not p.required])
        or overload.checks_overlap == "all"
        or (overload.kernel_inplace is not None and not overload.writes)
        or overload.options.get("warns")
        or overload.options.get("boolean")
        or (
            isinstance(overload.kernel, np.ufunc)
            and not any(["f" in kinds for kinds in overload.kernel.types])
        )
    )


def inplace_source(overload: Any) -> str:
    """That fast path, as the source of a factory of closures: floats of one dtype, the target in memory of its own, and nothing recorded."""
    params = overload.params
    first, *others = required = [p.name for p in params if p.required]
    factor = next((p for p in params if p.keyword_only and p.kind == "Number"), None)  # alpha, value
    refuse = "            return general(args, kwargs)"
    lines = [
        "def make(kernel, general):",
        "    def fast(*args, **kwargs):",
        "        __tracebackhide__ = True",
        f"        if not ENABLED or len(args) != {len(required)}{' or kwargs' if factor is None else ''}:",
        refuse,
        f"        {', '.join(required)}, = args",
    ]
    lines += [f"        {p.name} = {p.default!r}" for p in params if not p.required]
    if factor is not None:
        lines += [
            "        if kwargs:",
            f"            {factor.name} = kwargs.get({factor.name!r})",
            f"            if len(kwargs) != 1 or {factor.name}.__class__ not in (float, int):",
            "    " + refuse,
        ]
    lines += [
        f"        if {not_tensor(first)}:",
        refuse,
        f"        a = {first}._a",
        "        d = a.dtype",
        "        if a.__class__ is not ndarray or a.base is not None or (d is not F32 and d is not F64):",
        refuse,
        f"        if {first}._view is not None or {first}._vc.__class__ is InferenceCell:",
        refuse,
        f"        needs = {first}._rg",
    ]
    arrays = {first: "a"}
    for p in params[1:]:
        name = p.name
        if name not in others:
            continue
        if p.is_tensor:
            arrays[name] = f"a_{name}"
            lines += [
                f"        if {is_tensor(name)}:",
                f"            a_{name} = {name}._a",
                f"            if a_{name}.dtype is not d or a_{name}.__class__ is not ndarray or a_{name}.base is not None:",
                "    " + refuse,
                f"            needs = needs or {name}.requires_grad",
            ]
            if overload.schema.numbers and not overload.writes:
                lines += [
                    f"        elif {name}.__class__ is float or {name}.__class__ is int:",
                    f"            a_{name} = {name}",
                ]
            lines += ["        else:", refuse]
        else:
            lines += [f"        if {name}.__class__ is not float and {name}.__class__ is not int:", refuse]
    lines += ["        if needs and not (grad_mode.may_be_off and not grad_mode.mode.enabled):", refuse]
    told = ["        if WATCHING:", f"            observer.current.writing({first})"]
    kernel = WITHOUT_ALPHA.get(overload.name, overload.kernel)
    if isinstance(kernel, np.ufunc):
        for name in others:
            number = f"{name}.__class__ is not float and {name}.__class__ is not int and "
            lines += [f"        if {number}a_{name}.shape != a.shape:", refuse]
        if factor is not None:
            lines += [
                f"        if {factor.name} != 1:",
                f"            a_{others[-1]} = a_{others[-1]} * {factor.name}",
            ]
        lines += [*told, f"        kernel({', '.join(arrays.values())}, a)"]
    else:
        given = ", ".join(arrays.get(p.name, p.name) for p in params)
        lines += [
            *told,
            "        try:",
            f"            r = kernel({given})",
            "        except (ValueError, OverflowError, TypeError):",
            "            r = MISSING",
            "        if r is MISSING:",
            refuse,
        ]
        if not overload.writes:
            lines += ["        if r.dtype is not d or r.shape != a.shape:", refuse, "        a[...] = r"]
    lines += [
        f"        cell = {first}._vc",
        "        if cell is None:",
        f"            {first}._vc = [1]",
        "        else:",
        "            cell[0] += 1",
        "        if WATCHING:",
        f"            {_reporting(overload, written=overload.op.name if overload.writes else overload.name + '_')}",
        f"        return {first}",
        "    return fast",
    ]
    return "\n".join(lines) + "\n"


def composite(overload: Any, general: Callable[[tuple, dict], Any]) -> Callable:
    """An operation composed of others, called without the binding of arguments where they plainly fit."""
    body, varargs, named = overload.body, overload.schema.varargs, overload.named
    plain = {"Tensor": Tensor, "Tensor(a!)": Tensor, "int": int, "int[]": tuple, "int[1]": int, "bool": bool}
    kinds = tuple([plain.get(p.kind) for p in overload.params if p.required])
    # Also with everything else that may be given by position, but for types that would have to be looked at more closely.
    all_kinds = tuple([plain.get(p.kind) for p in overload.params if not p.keyword_only])
    if None in all_kinds or any(p.kind.startswith("int[") for p in overload.params if not p.required):
        all_kinds = kinds
    if any(p.required and p.keyword_only for p in overload.params):
        return unpacked(general)
    single = next((i for i, p in enumerate(overload.params) if p.required and p.kind == "int[1]"), None)
    sizes = next((i for i, p in enumerate(overload.params) if p.required and p.kind == "int[]"), None)

    def fast(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        if not kwargs:
            packed = args
            if (
                varargs
                and len(args) > 1
                and args[1].__class__ is int
                and all([n.__class__ is int for n in args[1:]])
            ):
                packed = (args[0], args[1:])
            given = tuple([Tensor if (c := a.__class__) is Parameter else c for a in packed])
            if given in (kinds, all_kinds) and (
                sizes is None or all([n.__class__ is int for n in packed[sizes]])
            ):
                if single is not None:
                    packed = (*packed[:single], (packed[single],), *packed[single + 1 :])
                if libraries.many:
                    with libraries.on_device_of(packed):
                        result = body(*packed)
                else:
                    result = body(*packed)
                return overload.returned(result) if named else result
        return general(args, kwargs)

    return fast
