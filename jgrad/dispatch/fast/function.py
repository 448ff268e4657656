"""The fast path of functions and methods: its source, part by part, and the function that is made of it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from jgrad import observer
from jgrad.dispatch import fast
from jgrad.dispatch.fast.fits import WITHOUT_ALPHA
from jgrad.dispatch.overload import Kernel, Overload
from jgrad.dispatch.recording import edge_lines, new_node_lines
from jgrad.dispatch.schema import Param
from jgrad.dispatch.source import Source, is_no_tensor, is_tensor, load
from jgrad.kernels import libraries
from jgrad.kernels.narrow import is_narrow
from jgrad.tensor import Tensor

Function = Callable[..., Any]
General = Callable[[Any, dict[str, Any]], Any]  # takes the arguments of a call as a tuple and a dict


class FunctionSource:
    """Writes the source of a fast path, whose globals are what it needs of the overload: `kernel`, `array_class`, `node_class`, `general`, `beyond`,
    `elsewhere` and `returned`.

    In what is written the parameters have their own names. Of a tensor `self` the raw array is `self_array` and the edge `self_edge`. Where
    `other` may be a number or None; `other_is_tensor` says whether it is a tensor. The result is `result`; several are `result_0`, `result_1` and so on.
    """

    def __init__(self, overload: Overload) -> None:
        self.overload = overload
        self.params = overload.params
        positional = [p.name for p in self.params if not p.keyword_only]
        self.varargs = overload.schema.varargs
        self.first = positional[0]
        # The arguments as they are passed on. Of `varargs` the last are ints, given one by one or in a tuple.
        rest = ["*" + positional[-1]] if self.varargs else [positional[-1], "*extra"]
        self.given = ", ".join([*positional[:-1], *rest])
        self.arrays = {p.name: f"{p.name}_array" for p in self.params if p.is_tensor}
        # Operands are promoted: the first one decides about the dtype. It is the first argument, except for `where`.
        self.deciding = self.first
        if overload.promote is not None and overload.promoted_names:
            self.deciding = next(p.name for p in self.params if p.name in overload.promoted_names)
        self.uncertain = [p.name for p in self.params[1:] if self.may_be_none_or_number(p)]
        self.results = (
            ["result"] if overload.outputs == 1 else [f"result_{i}" for i in range(overload.outputs)]
        )
        self.code = Source()

    def write(self) -> str:
        """The source."""
        code = self.code
        with code.block(f"def fast({self.signature()}):"):
            code.add("__tracebackhide__ = True")
            self.guards()
            for i, param in enumerate(self.params):
                self.argument(i, param)
            self.other_libraries()
            self.kernel_call()
            self.strides()
            self.tensors()
            self.view()
            if self.overload.node is not None:
                with code.block("if grad_mode.may_be_off and not grad_mode.mode.enabled:"):
                    self.end()
                self.recording()
            self.end()
        return code.text()

    def may_be_none_or_number(self, param: Param) -> bool:
        """Whether the fast path takes a number or None for this tensor, which is not the first argument."""
        promotes = self.overload.promote is not None
        number = promotes and bool(self.overload.schema.numbers) and param.name != self.deciding
        return param.is_tensor and (param.optional or number)

    def is_tensor(self, name: str) -> str:
        """The test whether an argument is a tensor; empty if it is one for certain."""
        return f"{name}_is_tensor" if name in self.uncertain else ""

    def signature(self) -> str:
        """The parameters. Those without a default are MISSING if they are not given: the general path knows PyTorch's error."""
        positional = [p for p in self.params if not p.keyword_only]
        parts = [f"{p.name}={'MISSING' if p.required else repr(p.default)}" for p in positional]
        if self.varargs:
            parts[-1] = "*" + positional[-1].name
        else:
            parts.append("*extra")
        # (Nobody may call a tensor "self": PyTorch's name for it is "input".)
        if parts[0] == "self=MISSING":
            parts.insert(1, "/")
        return ", ".join([*parts, "**kwargs"])

    def give_up(self) -> None:
        """The line that leaves the call to the general path."""
        self.code.add(f"return general(({self.given}), kwargs)")

    def give_up_if(self, test: str) -> None:
        """The lines that do so if a test is true."""
        with self.code.block(f"if {test}:"):
            self.give_up()

    # Arguments ----------------------------------------------------------------------------------------------------------------

    def guards(self) -> None:
        """Before anything else: more arguments than the overload has, keywords, and a first argument that is no tensor."""
        if not self.varargs:
            self.code.add("if extra:", f"    return beyond({self.given}, **kwargs)")
        self.give_up_if(f"not now.ENABLED or kwargs or {is_no_tensor(self.first)}")
        self.code.add(f"{self.first}_array = {self.first}._a")
        if isinstance(self.overload.result_writes, dict):
            self.give_up_if(f"{self.first}_array.dtype.kind in {tuple(self.overload.result_writes)!r}")

    def argument(self, i: int, param: Param) -> None:
        """Check one argument; what the fast path does not take is left to the general path."""
        name, kind = param.name, param.kind
        unless = f"{name} is not None and " if param.optional else ""
        if param.is_tensor:
            self.tensor(param)
        elif param.keyword_only:
            self.code.add(f"{name} = {param.default!r}")
        elif kind == "Number":
            self.give_up_if(f"{unless}{name}.__class__ is not float and {name}.__class__ is not int")
        elif kind in ("int", "bool"):
            self.give_up_if(f"{unless}{name}.__class__ is not {kind}")
        elif kind == "int[]" and self.varargs:
            self.sizes(name)
        elif kind == "int[]":
            self.give_up_if(
                f"{name}.__class__ is not tuple or any([number.__class__ is not int for number in {name}])"
            )
        elif kind == "int[1]":
            self.int_or_ints(param)
        elif kind != "any":
            self.give_up_if(f"{name} is not {param.default!r}")

    def tensor(self, param: Param) -> None:
        """Check an argument that is a tensor, or maybe a number or None, and take its array."""
        name, overload, code = param.name, self.overload, self.code
        array = self.arrays[name]
        promotes = overload.promote is not None
        if name == self.deciding and promotes:
            if name != self.first:
                self.give_up_if(is_no_tensor(name))
                code.add(f"{array} = {name}._a")
            code.add(f"common_dtype = {array}.dtype")
            self.give_up_if("common_dtype is not F32 and common_dtype is not F64")
        elif name == self.first:
            pass  # `guards` has checked it
        elif param.optional:
            with code.block(f"if {is_tensor(name)}:"):
                code.add(f"{name}_is_tensor = True", f"{array} = {name}._a")
            with code.block(f"elif {name} is None:"):
                code.add(f"{name}_is_tensor = False", f"{array} = None")
            self.otherwise_give_up()
        elif name in self.uncertain:
            with code.block(f"if {is_tensor(name)}:"):
                code.add(f"{name}_is_tensor = True", f"{array} = {name}._a")
                self.give_up_if(f"{array}.dtype is not common_dtype")
            with code.block(f"elif {name}.__class__ is float or {name}.__class__ is int:"):
                code.add(f"{name}_is_tensor = False", f"{array} = {name}")
            self.otherwise_give_up()
        else:
            promoted = promotes and name in overload.promoted_names
            other_dtype = f" or {name}._a.dtype is not common_dtype" if promoted else ""
            self.give_up_if(f"({is_no_tensor(name)}){other_dtype}")
            code.add(f"{array} = {name}._a")

    def otherwise_give_up(self) -> None:
        with self.code.block("else:"):
            self.give_up()

    def sizes(self, name: str) -> None:
        """Check ints that are given one by one or as a tuple, and make a tuple of them."""
        code = self.code
        self.give_up_if(f"not {name}")
        code.add(
            f"as_given = {name}",
            f"if len({name}) == 1 and {name}[0].__class__ is tuple and {name}[0]:",
            f"    ({name},) = {name}",
        )
        with code.block(f"for number in {name}:"), code.block("if number.__class__ is not int:"):
            code.add(f"return general(({self.given.replace(f'*{name}', '*as_given')}), kwargs)")

    def int_or_ints(self, param: Param) -> None:
        """Check an int or a tuple of ints, and make a tuple of it."""
        name, code = param.name, self.code
        code.add(f"if {name}.__class__ is int:", f"    {name} = ({name},)")
        with code.block(f"elif {name}.__class__ is tuple:"):
            self.give_up_if(f"any([number.__class__ is not int for number in {name}])")
        with code.block(f"elif {name} is not None:" if param.optional else "else:"):
            self.give_up()

    # Computing ----------------------------------------------------------------------------------------------------------------

    def other_libraries(self) -> None:
        """Leave arrays of another library, or of several, and narrow floats to `elsewhere`."""
        (_, first), *others = self.arrays.items()
        tests = [f"{first}.__class__ is not array_class"]
        tests += [f"{array} is not {name} and {array}.__class__ is not array_class" for name, array in others]
        if self.overload.promote is None and not self.overload.view:  # (others have looked at the dtype)
            tests += [f"{first}.dtype in NARROW"]
            tests += [f"{array}.__class__ is array_class and {array}.dtype in NARROW" for _, array in others]
        self.code.add(f"if libraries.unusual and ({' or '.join(tests)}):")
        self.code.add(f"    return elsewhere({self.given})")

    def kernel_call(self) -> None:
        """Call the kernel. If it raises, the general path does so again, outside of the handler: its error shall come alone."""
        passed = [p for p in self.params if not (p.name == "alpha" and self.overload.name in WITHOUT_ALPHA)]
        arguments = ", ".join([self.arrays.get(p.name, p.name) for p in passed])
        result = "result_array" if self.overload.outputs == 1 else "result_arrays"
        self.code.add(
            "try:",
            f"    {result} = kernel({arguments})",
            "except (ValueError, OverflowError, TypeError):",
            f"    {result} = MISSING",
        )
        self.give_up_if(f"{result} is MISSING")
        if self.overload.outputs > 1:
            self.code.add(f"{', '.join([f'{name}_array' for name in self.results])} = result_arrays")

    def strides(self) -> None:
        """Order the result's strides as PyTorch does. NumPy does so itself if the first of two operands is contiguous, of more if all are."""
        if self.overload.promote is None:
            return
        arrays = f"[{', '.join(self.arrays.values())}]"
        decided_by_first = self.deciding == self.first and len(self.arrays) < 3
        for name in [self.first] if decided_by_first else self.arrays:
            array = self.arrays[name]
            certain = f"{name}_is_tensor and " if name in self.uncertain else ""
            self.code.add(
                f"if {certain}{array}.ndim > 1 and not {array}.flags.c_contiguous:",
                f"    result_array = libraries.of(result_array).kernels.laid_out(result_array, {arrays})",
            )

    def tensors(self) -> None:
        """Make the tensors of the results, as `_plain` does. Written out, this saves a call."""
        for name in self.results:
            self.code.add(
                f"if {name}_array.__class__ is not array_class:",
                f"    {name}_array = as_array({name}_array)",
                f"{name} = new(Tensor)",
                f"{name}._a = {name}_array",
                f"{name}._rg = False",
                f"{name}._fn = {name}._grad = {name}._rare = None",
                f"{name}._nr = 0",
            )

    def view(self) -> None:
        """Make the result a view of the first argument, or a tensor with memory of its own.

        The common case of `become_view` is written out: a call of it, and of `View` within, would take longer than all the rest.
        """
        if not self.overload.view:
            for name in self.results:
                self.code.add(f"{name}._vc = {name}._view = None")
            return
        self.code.add(
            f"version_cell = {self.first}._vc",
            "if version_cell is None:",
            f"    version_cell = {self.first}._counter",
            "if grad_mode.may_be_off or version_cell.__class__ is not list:",
            "    result._vc = result._view = None",
            f"    become_view(result, {self.first})",
            "else:",
            "    result._vc = version_cell",
            f"    parent = {self.first}._view",
            "    result._view = view = new(View)",
            "    view.attr_version = version_cell[0]",
            "    if parent is None:",
            f"        view.base = {self.first}",
            "        view.creation_meta = 0",
            "    else:",
            "        view.base = parent.base",
            "        view.creation_meta = parent.creation_meta",
        )

    def end(self) -> None:
        """Report the call to the observer, and return the results."""
        kind = "view" if self.overload.view else "op"
        inputs = [maybe_input(name, self.is_tensor(name)) for name in self.arrays]
        node = f"{self.results[0]}._fn"
        report = report_line(self.overload, kind, self.overload.name, inputs, self.results, node)
        self.code.add(IF_WATCHED, f"    {report}")
        several = f"returned(({', '.join(self.results)}))"
        self.code.add(f"return {self.results[0] if self.overload.outputs == 1 else several}")

    # Recording ----------------------------------------------------------------------------------------------------------------

    def recording(self) -> None:
        """Make the node, as `Overload.record_results` does, if an edge leads somewhere."""
        code, overload = self.code, self.overload
        if self.varargs:  # the ints are in a tuple by now, and functions take them only so
            self.given = self.given.replace("*", "")
        edges = [self.edge(i) for i in overload.recording.inputs]
        array = f"{self.results[0]}_array"
        with code.block(f"if {' or '.join([f'{e} is not None' for e in edges])}:"):
            if overload.real_gradient or overload.keeps_dtype:
                self.give_up_if(f"{array}.dtype.kind != 'f'")
            code.add(*new_node_lines(f"({', '.join(edges)},)", array))
            self.history()
            self.saved(edges)
        # A view made under no_grad has no edge of its own, but requires grad if its base does. That is rare: the general path takes it.
        for i in overload.recording.inputs:
            name = self.params[i].name
            certain = f"{name}_is_tensor and " if name in self.uncertain else ""
            with code.block(f"elif {certain}{name}._view is not None and {name}._view.base._rg:"):
                self.give_up()

    def edge(self, i: int) -> str:
        """Write the lines that find the edge to an argument; returns the name of the edge."""
        name, code = self.params[i].name, self.code
        edge = f"{name}_edge"
        if name in self.uncertain:
            code.add(f"{edge} = None")
            with code.block(f"if {name}_is_tensor:"):
                code.add(*edge_lines(edge, name))
        else:
            code.add(*edge_lines(edge, name))
        return edge

    def history(self) -> None:
        """Make the node the history of the results that can have a gradient."""
        code, overload = self.code, self.overload
        if overload.outputs == 1:
            code.add("result._rg = True", "result._fn = node")
            return
        metadata = ", ".join([f"({name}_array.shape, {name}_array.dtype)" for name in self.results])
        code.add(f"node.others = [{metadata}]")
        for i, name in enumerate(self.results):
            if overload.result_names[i] not in overload.constant:
                code.add(
                    f"if {name}_array.dtype.kind in 'fc':",
                    f"    {name}._rg = True",
                    f"    {name}._fn = node",
                    f"    {name}._nr = {i}",
                    f"    node._outputs = {i + 1}",
                )

    def saved(self, edges: list[str]) -> None:
        """Keep what the formulas of the needed gradients name."""
        code, recording = self.code, self.overload.recording
        for tensor in recording.tensors:
            name = self.params[tensor.position].name
            lines = tensor.lines(name, self.is_tensor(name))
            if len(edges) == 1:  # as in `Recording.save`
                code.add(*lines)
                continue
            with code.block(f"if {' or '.join([f'{edges[e]} is not None' for e in tensor.edges])}:"):
                code.add(*lines)
            code.add("else:", f"    node.s_{tensor.name} = None")
        for value in recording.values:
            name = self.params[value.position].name
            code.add(*value.lines(name, self.arrays.get(name, name), self.is_tensor(name)))
        for result in recording.results:
            name = self.results[result.position]
            code.add(*result.lines(name, f"{name}_array"))


# The head of a block that reports to the observer. It is read once: another thread may end its trace at any time.
IF_WATCHED = "if now.WATCHING and (watch := observer.current) is not None:"


def report_line(
    overload: Overload, kind: str, name: str, inputs: list[str], results: list[str], node: str
) -> str:
    """The line that reports a call to the observer, as `Overload.report` does. It stands below `IF_WATCHED`."""
    name = observer.SHOWN_NAMES.get(name, name.lstrip("_"))
    values = ", ".join([f"{p.name!r}: {p.name}" for p in overload.params if p.name != "self"])
    return (
        f"watch.op({name!r}, {kind!r}, ({', '.join(inputs)},), ({', '.join(results)},), {node}, {{{values}}})"
    )


def maybe_input(name: str, is_tensor: str) -> str:
    """An argument among those of a tuple of tensors; none if it is a number."""
    return f"*([{name}] if {is_tensor} else [])" if is_tensor else name


# The path that is made of the source --------------------------------------------------------------------------------------------


@functools.cache
def template(overload: Overload) -> FunctionType:
    """The fast path of an overload without what it needs of it, compiled once for all its uses."""
    text = FunctionSource(overload).write()
    return load(text, f"fast {overload.schema.overload}", "fast", {**fast.NAMES})


def function_path(
    overload: Overload, general: General, kernel: Kernel | None = None, beyond: Function | None = None
) -> FunctionType:
    """The fast path of an overload, with `general(args, kwargs)` for everything else, and `beyond` for more arguments than it has."""
    names = [p.name for p in overload.params if not p.keyword_only]
    defaults = [fast.MISSING if p.required else p.default for p in overload.params if not p.keyword_only]

    def as_called(args: tuple, kwargs: dict[str, Any]) -> Any:
        """The general path, for a call that has its defaults filled in."""
        __tracebackhide__ = True
        # Trailing arguments that were not given are dropped; those given by name after a gap are passed by name.
        if len(args) <= len(names) and not overload.schema.varargs:
            keep = len(args)
            while keep and args[keep - 1] is defaults[keep - 1]:
                keep -= 1
            args = args[:keep]
        if any([a is fast.MISSING for a in args]):
            gap = next(i for i, a in enumerate(args) if a is fast.MISSING)
            after = zip(names[gap:], args[gap:], strict=False)
            kwargs = {**kwargs, **{n: a for n, a in after if a is not fast.MISSING}}
            args = args[:gap]
        return general(args, kwargs)

    paths: dict[libraries.Library, Function] = {}
    on_numpy = kernel or WITHOUT_ALPHA.get(overload.name, overload.kernel)

    def bound(library: libraries.Library) -> FunctionType:
        """The fast path with the kernel of one library."""
        counterpart = library.counterpart(on_numpy)
        made = fast.bound(
            template(overload),
            kernel=counterpart,
            array_class=library.array,
            node_class=overload.node,
            general=as_called,
            beyond=beyond or unpacked(as_called),
            elsewhere=elsewhere,
            returned=overload.returned,
        )
        made.__qualname__ = overload.op.name  # (which Python's error for an argument given twice begins with)
        return made

    def elsewhere(*args: Any) -> Any:
        """The call with arrays that are not, or not all, of the library whose path was taken."""
        __tracebackhide__ = True
        tensors = [a for a in args if isinstance(a, Tensor)]
        library = libraries.of(tensors[0]._a)
        arrays: list[Any] = [t._a for t in tensors]
        unusual = [is_narrow(array.dtype) or array.__class__ is not library.array for array in arrays]
        if library.many or library.general or any(unusual):
            first = len(names) - 1  # ints given one by one go in a tuple, as functions take them
            return as_called((*args[:first], args[first:]) if overload.schema.varargs else args, {})
        if library not in paths:
            paths[library] = bound(library)
        return paths[library](*args)

    return bound(libraries.NUMPY)


def unpacked(general: General) -> FunctionType:
    """An ordinary function that takes the general path."""
    return short("return general(args, kwargs)", general=general)


def short(line: str, **names: Any) -> FunctionType:
    """A path of one line, which knows `args`, `kwargs` and these names."""
    return fast.bound(_short_template(line), **names)


@functools.cache
def _short_template(line: str) -> FunctionType:
    text = f"def fast(*args, **kwargs):\n    __tracebackhide__ = True\n    {line}\n"
    return load(text, f"fast {line}", "fast", {**fast.NAMES})
