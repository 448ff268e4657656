"""`python -m stubs` writes `jgrad-stubs`: type stubs of what jgrad makes at run time of declarations, for editors and type checkers.

A build makes them (`build_hook.py`), and pip puts them beside the other packages. The command writes them there again, after a change of a declaration. `python -m stubs
FOLDER` writes them to another folder.

The functions of `jgrad`, `linalg`, `fft`, ... and the methods of a tensor are made from their declarations. No tool that reads source can see them.
Everything else it reads in jgrad itself (`jgrad/py.typed`): `jgrad-stubs` is a partial stub package (PEP 561).
"""

from __future__ import annotations

import ast
import inspect
import shutil
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import jgrad
import jgrad.nn
from jgrad import loading
from jgrad.dispatch import TABLE
from jgrad.dispatch.operators import Op
from jgrad.tensor import Tensor
from stubs import plain
from stubs.signatures import named, signatures

NAME = "jgrad-stubs"
HEAD = """\
# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, SupportsIndex, overload

import numpy as _np

from jgrad import return_types
"""
TYPES = """\
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator
"""
TENSORS = "from jgrad.tensor import Number, Size as _Size, Tensor, layout as _layout\n"
# A module that can be called, which no stub of a module can say.
TRACE = """
class _TraceModule:
    Trace: _type[_Trace]
    compare: Any
    load: Any
    @overload
    def __call__(self, name: Tensor) -> Tensor: ...
    @overload
    def __call__(self, *, input: Tensor) -> Tensor: ...
    @overload
    def __call__(
        self, name: _str = "trace", *, watch: Iterable[_str] = (), max_steps: _int = ..., rounds: tuple[_int, _int] | None = None,
        show: _bool = False, into: _str | Iterable[_str] = (),
    ) -> _Trace: ...
trace: _TraceModule
"""
SIZE = """
class Size(tuple[_int, ...]):
    def numel(self) -> _int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> _int: ...
    @overload
    def __getitem__(self, index: slice, /) -> Size: ...
    def __add__(self, other: tuple[_int, ...], /) -> Size: ...  # type: ignore[override]
    def __mul__(self, times: SupportsIndex, /) -> Size: ...
    def __rmul__(self, times: SupportsIndex, /) -> Size: ...
"""
ARITHMETIC = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
]
COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
ONE = {
    "__neg__": "Tensor", "__pos__": "Tensor", "__abs__": "Tensor", "__invert__": "Tensor", "__len__": "_int", "__bool__": "_bool",
    "__int__": "_int", "__float__": "_float", "__index__": "_int", "__complex__": "_complex", "__iter__": "Iterator[Tensor]",
}  # fmt: skip
ATTRIBUTES = {
    "shape": "_Size", "grad": "Tensor | None", "dtype": "_dtype", "device": "_device", "layout": "_layout", "requires_grad": "_bool",
    "is_leaf": "_bool", "ndim": "_int", "itemsize": "_int", "nbytes": "_int", "output_nr": "_int", "retains_grad": "_bool",
    **dict.fromkeys(("T", "mT", "H", "mH", "data", "real", "imag"), "Tensor"),
}  # fmt: skip
OPTIMIZERS = (
    "optim.adaptive",
    "optim.sgd",
    "extra.optim.adafactor",
    "extra.optim.muon",
    "extra.optim.sparse_adam",
)
SETTABLE = ("grad", "requires_grad", "data")
# What a method gives of all dimensions, and of one.
BY_DIMENSION = {"size": ("_Size", "_int"), "stride": ("tuple[_int, ...]", "_int")}


def operator(op: Op, name: str, method: bool, indent: str = "", inplace: bool = False) -> Iterator[str]:
    """The lines of a function or method of an operator."""
    ways = signatures(op, method, inplace)
    for i, way in enumerate(ways):
        if len(ways) > 1:
            yield f"{indent}@overload"
        yield f"{indent}def {name}({', '.join(['self'] * method + list(way.parameters))}) -> {way.result}:"
        yield from plain.documented(_documentation(op, method, inplace, i == 0), indent)


def _documentation(op: Op, method: bool, inplace: bool, first: bool) -> str:
    """The docstring of one overload: the whole of it once, and where it is not, the summary."""
    if inplace:
        return f"{op.name}() in place: the result is written to self."
    if first and (not method or "function" not in op.forms):
        return op.doc
    summary = inspect.cleandoc(op.doc).partition("\n\n")[0]
    return f"{summary}\n\nSee `jgrad.{op.name}`." if first else summary


def tensor() -> Iterator[str]:
    """`jgrad/tensor.pyi`."""
    yield HEAD + TYPES
    yield "Number = _int | _float | _complex\n"
    yield SIZE
    yield "class layout:\n    name: _str\n"
    yield "_Size = Size\n_layout = layout\nstrided: layout\nsparse_coo: layout\nsparse_csr: layout\n"
    yield "def is_tensor(obj: Any) -> _bool: ...\n"
    yield "class Tensor:"
    yield from plain.documented(Tensor.__doc__, "")
    yield "    __hash__: Any"
    methods = {op.name: op for op in TABLE.values() if not op.namespace and "method" in op.forms}
    written = {op.name + "_": op for op in TABLE.values() if not op.namespace and "inplace" in op.forms}
    for name in sorted(dir(Tensor)):
        yield from _member(name, methods, written)


def _member(name: str, methods: dict[str, Op], written: dict[str, Op]) -> Iterable[str]:
    """The lines of an attribute or method of a tensor."""
    value = inspect.getattr_static(Tensor, name)
    dunder = name.startswith("__") and name.endswith("__")
    if name in methods:
        return operator(methods[name], name, True, "    ")
    if name in written:
        return operator(written[name], name, True, "    ", inplace=True)
    if dunder:
        return _special(name)
    made = getattr(value, "op", None)
    if isinstance(made, Op):  # another name of an operator
        return operator(made, name, True, "    ", inplace=name.endswith("_") and not made.name.endswith("_"))
    if name.startswith("_"):
        return ()
    if name in BY_DIMENSION:
        return _by_dimension(name, value.__doc__, *BY_DIMENSION[name])
    if inspect.isdatadescriptor(value):
        kind = ATTRIBUTES.get(name, "Any")
        return (
            [f"    {name}: {kind}"]
            if name in SETTABLE
            else ["    @property", f"    def {name}(self) -> {kind}: ..."]
        )
    if isinstance(value, classmethod | staticmethod):
        first = "cls" if isinstance(value, classmethod) else ""
        return [f"    @{type(value).__name__}", *plain.stub(value.__func__, name, "    ", first)]
    return plain.stub(value, name, "    ", "self") if inspect.isfunction(value) else ()


def _by_dimension(name: str, doc: str, of_all: str, of_one: str) -> Iterator[str]:
    """The lines of a method that gives one thing of all dimensions, and another of one dimension."""
    for parameters, result in (("self, dim: None = None", of_all), ("self, dim: _int", of_one)):
        yield f"    @overload\n    def {name}({parameters}) -> {result}:"
        yield from plain.documented(doc, "    ")


def _special(name: str) -> list[str]:
    """A method that Python calls."""
    words = name.strip("_")
    if name in COMPARISONS:
        return [f"    def {name}(self, other: Any) -> Tensor: ...  # type: ignore[override]"]
    if words in ARITHMETIC or (words[:1] in ("r", "i") and words[1:] in ARITHMETIC):
        return [f"    def {name}(self, other: Tensor | Number) -> Tensor: ..."]
    if name in ONE:
        return [f"    def {name}(self) -> {ONE[name]}: ..."]
    return {
        "__getitem__": ["    def __getitem__(self, index: Any) -> Tensor: ..."],
        "__setitem__": ["    def __setitem__(self, index: Any, value: Any) -> None: ..."],
        "__contains__": ["    def __contains__(self, element: Any) -> _bool: ..."],
        "__init__": ["    def __init__(self, *args: Any, **kwargs: Any) -> None: ..."],
        "__array__": ["    def __array__(self, dtype: Any = None) -> Any: ..."],
    }.get(name, [])


def results() -> Iterator[str]:
    """`jgrad/return_types.pyi`: the classes of named results."""
    yield "# Written by `python -m stubs` from jgrad's declarations.\nfrom typing import NamedTuple\n\nfrom jgrad.tensor import Tensor\n"
    for name, op in sorted({op.name: op for op in TABLE.values()}.items()):
        for overload in op.overloads:
            if named(overload.schema):
                yield f"class {name}(NamedTuple):"
                yield from [f"    {field}: Tensor" for field in overload.schema.results()[1]]
                break


def namespace(name: str) -> Iterator[str]:
    """A module whose functions are operators, and functions beside them."""
    module = import_module(name)
    prefix = name.partition(".")[2]
    yield HEAD + TYPES + (TENSORS if prefix else TENSORS.replace("Tensor,", "Tensor as Tensor,"))
    if not prefix:
        yield from _modules()
    offered = loading.names_of(module.__name__)
    for public in sorted({*vars(module), *offered}):
        if public.startswith("_") and public != "__version__":
            continue
        source, _, inside = offered.get(public, "").partition(":")
        if source.startswith("jgrad.notebook."):  # it needs IPython, which a build does not have
            yield f"from {source} import {inside} as {public}"
            continue
        value = getattr(module, public)
        key = f"{prefix}.{public}" if prefix else public
        yield from _global(name, public, value, TABLE.get(key), TABLE.get(key.removesuffix("_")))


def _modules() -> Iterator[str]:
    """The modules that are attributes of `jgrad`, whatever else was imported: what its source re-exports, and what it loads by name."""
    tree = ast.parse(inspect.getsource(jgrad))
    names = [
        a.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for a in node.names
        if node.module == "jgrad" and a.name == a.asname
    ]
    files = {f"jgrad.{name}" for name in names}
    files |= {target for target in loading.names_of("jgrad").values() if ":" not in target}
    for package, _, name in sorted(file.rpartition(".") for file in files - {"jgrad.trace"}):
        yield f"from {package} import {name} as {name}"
    yield "from jgrad.trace import Trace as _Trace"
    yield TRACE


def _global(module: str, name: str, value: Any, op: Op | None, out_of_place: Op | None) -> Iterable[str]:
    """The lines of a name of a module."""
    made = getattr(value, "op", None)
    if isinstance(made, Op):  # a name with "_" may be an operator's own, or that of an in-place form
        inplace = op is None and out_of_place is not None
        return operator(op or out_of_place or made, name, False, inplace=inplace)
    if isinstance(value, types.ModuleType):
        return ()
    if isinstance(value, type):
        if type(value).__name__ == "tensortype":
            return [f"class {name}(Tensor): ..."]
        if value is Tensor:
            return ()  # it is in the head
        if value is jgrad.Size:
            return ["from jgrad.tensor import Size as Size"]
        if value.__module__ != module:
            return [f"from {value.__module__} import {value.__name__} as {name}"]
        if home := _home(value):
            return [f"from {home} import {value.__name__} as {name}"]
        base = value.__mro__[1]
        return [
            f"from {base.__module__} import {base.__name__} as _{base.__name__}",
            f"class {name}(_{base.__name__}): ...",
        ]
    if inspect.isfunction(value):
        if value.__module__ != module and plain.has_types_of_its_own(value):
            return [f"from {value.__module__} import {value.__name__} as {name}"]
        return plain.stub(value, name)
    return [f"{name}: {_kind(value)}"]


def _home(value: type) -> str:
    """The module whose source defines a class that says of itself that it is of another one; "" if it is made at run time."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("jgrad.") and vars(module).get(value.__name__) is value and _defines(name, value):
            return name
    return ""


def _kind(value: Any) -> str:
    kinds = {
        jgrad.dtype: "_dtype",
        jgrad.layout: "_layout",
        jgrad.memory_format: "_memory_format",
        jgrad.Generator: "_Generator",
    }
    kinds |= {float: "_float", int: "_int", str: "_str", type(None): "None"}
    return kinds.get(type(value), "Any")


def layers() -> Iterator[str]:
    """`jgrad/nn/modules/__init__.pyi`: where each layer is, and the layers that are made at run time or by a decorator."""
    modules = jgrad.nn.modules
    yield HEAD + TYPES + TENSORS
    yield from [
        f"from jgrad.nn.modules import {name} as {name}"
        for name, v in sorted(vars(modules).items())
        if isinstance(v, types.ModuleType) and name[0] != "_"
    ]
    # Otherwise `from jgrad.nn.modules import *` would give these modules too, in the place of others of the same name.
    yield f"__all__ = {sorted(modules.__all__)}"
    found = {name: v for name, v in sorted(vars(modules).items()) if isinstance(v, type) and name[0] != "_"}
    for name in loading.public_of("jgrad.nn.modules"):
        yield f"from {getattr(modules, name).__module__} import {name} as {name}"
    for name, layer in found.items():
        if _readable(layer):
            yield f"from {layer.__module__} import {name} as {name}"
            continue
        base = next((cls.__name__ for cls in layer.__mro__[1:] if found.get(cls.__name__) is cls), "Module")
        yield f"class {name}({base}):"
        if layer.__doc__:
            yield from plain.documented(layer.__doc__, "")
        yield from plain.stub(layer.__init__, "__init__", "    ", "self")


def _readable(layer: type) -> bool:
    """Whether the source has this class as it is: without a decorator, which may add to it, and with the parameters that it takes."""
    init = vars(layer).get("__init__")
    shown_otherwise = hasattr(init, "__signature__") and len(inspect.signature(init).parameters) > 1
    return _defines(layer.__module__, layer) and not shown_otherwise


def _defines(module: str, value: type) -> bool:
    """Whether a class statement without a decorator in the source of a module made this class."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return any(
        isinstance(node, ast.ClassDef) and node.name == value.__name__ and not node.decorator_list
        for node in tree.body
    )


def package(name: str) -> Iterator[str]:
    """A package that gives names of modules which it loads when they are asked for: what its source imports, and these names."""
    for node in ast.parse(inspect.getsource(import_module(name))).body:
        if isinstance(node, ast.ImportFrom):
            names = [a.name for a in node.names if not (a.asname or a.name).startswith("_")]
            yield from [
                f"from {node.module} import {public}{' as ' + public if public != '*' else ''}"
                for public in names
            ]
    for public, target in loading.names_of(name).items():
        source, _, inside = target.partition(":")
        yield f"from {source if inside else source.rpartition('.')[0]} import {inside or public} as {public}"


def optimizers(name: str) -> Iterator[str]:
    """A module of optimizers, whose `__init__` is made from what they declare."""
    module = import_module(name)
    yield HEAD + TYPES + TENSORS + "from jgrad.optim.optimizer import Optimizer"
    for optimizer in vars(module).values():
        if (
            isinstance(optimizer, type)
            and optimizer.__module__ == loading.public(name)
            and not optimizer.__name__.startswith("_")
        ):
            base = next(cls.__name__ for cls in optimizer.__mro__[1:] if not cls.__name__.startswith("_"))
            yield f"class {optimizer.__name__}({base}):"
            yield from plain.documented(optimizer.__doc__, "")
            yield from plain.stub(optimizer.__init__, "__init__", "    ", "self")


def files() -> dict[str, str]:
    """The texts of the stubs, by their paths."""
    texts = {
        "__init__.pyi": namespace("jgrad"),
        "tensor.pyi": tensor(),
        "return_types.pyi": results(),
        "nn/functional/__init__.pyi": namespace("jgrad.nn.functional"),
        "nn/modules/__init__.pyi": layers(),
        **{f"{name.replace('.', '/')}.pyi": optimizers(f"jgrad.{name}") for name in OPTIMIZERS},
        **{f"{name}.pyi": namespace(f"jgrad.{name}") for name in ("fft", "linalg", "special")},
        **{f"{name}/__init__.pyi": package(f"jgrad.{name}") for name in ("nn", "optim", "distributions")},
        **{
            _place(name): iter([f"from {target} import *"])
            for name, target in loading.renamed.items()
            if not _is_hidden(name)
        },
    }
    return {"py.typed": "partial\n", **{path: "\n".join(lines) + "\n" for path, lines in texts.items()}}


def _place(name: str) -> str:
    """The file of a module's stub."""
    path = name.removeprefix("jgrad.").replace(".", "/")
    return (
        f"{path}/__init__.pyi"
        if any(other.startswith(f"{name}.") for other in loading.renamed)
        else f"{path}.pyi"
    )


def _is_hidden(name: str) -> bool:
    """Whether no program names a module."""
    return name.rpartition(".")[2].startswith("_")


def write(folder: Path) -> None:
    """Write the stubs into a folder where packages lie, in place of those that are there."""
    shutil.rmtree(folder / NAME, ignore_errors=True)
    for path, text in files().items():
        (folder / NAME / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / NAME / path).write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    write(Path(sys.argv[1] if len(sys.argv) > 1 else sysconfig.get_path("purelib")))


if __name__ == "__main__":
    main()
