"""What a docstring must have: a summary, a line for each parameter, an example that runs the same on jgrad and on PyTorch.

`python -m tests.namespace.docstrings jgrad/ops/reduction.py ...` lists what is missing or wrong in some files.
"""

from __future__ import annotations

import doctest
import functools
import inspect
import re
import sys
import warnings
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import jgrad
from jgrad.dispatch.operators import Op

ROOT = Path(__file__).parents[2]
MODULES = [
    "jgrad", "jgrad.Tensor", "jgrad.nn", "jgrad.nn.functional", "jgrad.nn.init", "jgrad.nn.utils", "jgrad.optim", "jgrad.optim.lr_scheduler",
    "jgrad.optim.swa_utils", "jgrad.linalg", "jgrad.fft", "jgrad.special", "jgrad.signal.windows", "jgrad.autograd", "jgrad.autograd.functional",
    "jgrad.autograd.forward_ad", "jgrad.autograd.graph", "jgrad.func", "jgrad.utils.checkpoint", "jgrad.serialization", "jgrad.amp", "jgrad.cuda",
    "jgrad.cuda.amp", "jgrad.cpu", "jgrad.cpu.amp", "jgrad.nn.modules.utils", "jgrad.accelerator", "jgrad.testing",
]  # fmt: skip
ONLY_HERE = "# jgrad only"  # the mark of an example that PyTorch cannot run
ARGUMENT = re.compile(r"^ {4}(\*{0,2}\w+(?:, \*{0,2}\w+)*): \S")


def public() -> dict[str, Any]:
    """The functions, classes and methods of jgrad that PyTorch has too, each once, by the first of its names."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    for where in MODULES:
        module = jgrad.Tensor if where == "jgrad.Tensor" else import_module(where)
        counterpart = _torch_module(where.replace("jgrad", "torch", 1))
        for name in sorted(
            n for n in dir(module if counterpart is None else counterpart) if hasattr(module, n)
        ):
            value = getattr(module, name)
            key = id(value.op) if isinstance(getattr(value, "op", None), Op) else id(value)
            if name.startswith("_") or key in seen or not _is_own(value):
                continue
            seen.add(key)
            found[f"{where}.{name}"] = value
    return found


def _is_own(value: Any) -> bool:
    """Whether a value is a function or class of jgrad's."""
    callables = inspect.isfunction(value) or isinstance(value, type) or inspect.isbuiltin(value)
    return callables and not isinstance(value, ModuleType) and str(value.__module__).startswith("jgrad")


def file_of(value: Any) -> str:
    """The file, in the repository, where the docstring of a value stands."""
    op = getattr(value, "op", None)
    if isinstance(op, Op):
        value = next((d.body for d in op.declarations if d.body.__doc__), op.declarations[0].body)
    module = sys.modules.get(value.__module__)
    code = getattr(inspect.unwrap(value), "__code__", None)
    path = code.co_filename if code is not None else getattr(module, "__file__", "") or ""
    return str(Path(path).relative_to(ROOT)) if path.startswith(str(ROOT)) else path


def documentation(value: Any) -> str:
    op = getattr(value, "op", None)
    return inspect.cleandoc(op.doc) if isinstance(op, Op) else inspect.cleandoc(value.__doc__ or "")


def parameters(value: Any) -> list[str]:
    """The names that the docstring must explain."""
    if isinstance(value, type) and issubclass(value, Enum):
        return []
    try:
        target = value.__init__ if isinstance(value, type) and "__init__" in vars(value) else value
        names = [*inspect.signature(target).parameters]
    except (TypeError, ValueError):
        return []
    return [n for n in names if n not in ("self", "out", "cls") and not n.startswith("_")]


def problems(name: str, value: Any) -> Iterator[str]:
    """What is missing or wrong in the docstring of a public name."""
    doc = documentation(value)
    summary, _, rest = doc.partition("\n\n")
    if not summary.rstrip().endswith((".", ":")):
        yield "the first paragraph is no sentence"
    op = getattr(value, "op", None)
    if isinstance(op, Op) and (op.name.endswith("_copy") or op.name.endswith("_backward")):
        return  # what they compute is said by the operator of which they are a part
    block = next((b for b in rest.split("\n\n") if b.startswith("Args:\n")), "")
    explained = {
        n.lstrip("*") for line in block.split("\n") if (m := ARGUMENT.match(line)) for n in m[1].split(", ")
    }
    expected = {*parameters(value)}
    if expected - explained:
        yield f"Args lacks {', '.join(sorted(expected - explained))}"
    if explained - expected - {"out", "self", "input"}:
        yield f"Args names {', '.join(sorted(explained - expected))}, which is no parameter"
    views = isinstance(op, Op) and any("Tensor(a)" in d.text for d in op.declarations)
    if views and not re.search(r"\bviews?\b|shares", doc):
        yield "does not say that the result is a view"
    if ">>>" not in doc:
        yield "has no example"
    for library in (jgrad, _torch()):
        if library is not None and not (library is not jgrad and ONLY_HERE in doc):
            yield from ran(name, doc, library)


def _torch_module(where: str) -> Any:
    """PyTorch's module or class of a name; None if it is not there."""
    parent, _, name = where.rpartition(".")
    try:
        return getattr(import_module(parent), name) if name == "Tensor" else import_module(where)
    except ImportError:
        return None


@functools.cache
def _torch() -> Any:
    try:
        return import_module("torch")
    except ImportError:
        return None


def ran(name: str, doc: str, library: ModuleType) -> Iterator[str]:
    """What the examples of a docstring give under a library, where that is not what is written."""
    examples = doctest.DocTestParser().get_examples(doc)
    if library is not jgrad:
        examples = [
            doctest.Example(e.source, e.want.replace("jgrad.", "torch."), e.exc_msg, options=e.options)
            for e in examples
        ]
    said: list[str] = []
    test = doctest.DocTest(examples, {"jgrad": library}, name, None, None, None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library.manual_seed(0)
        doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    if said:
        yield f"under {library.__name__}:\n" + "".join(said)


def main(files: list[str]) -> None:
    """Print the problems of the public names whose docstrings stand in some files."""
    wrong = 0
    for name, value in public().items():
        if not files or file_of(value) in files:
            for problem in problems(name, value):
                wrong += 1
                print(f"{name} ({file_of(value)}): {problem}")
    print(f"{wrong} problems")


if __name__ == "__main__":
    main([file.removeprefix("./") for file in sys.argv[1:]])
