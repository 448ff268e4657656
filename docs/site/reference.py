"""The reference of the site: what jgrad's docstrings and declarations say of its public names, as pages of reStructuredText.

Sphinx's own autodoc would show `(*args, **kwargs)`: operators are made at run time. Their signatures come from their declarations, as the stubs' do.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import jgrad
import jgrad.nn
from jgrad.dispatch import TABLE
from jgrad.dispatch.operators import Op
from jgrad.tensor import Tensor
from stubs.plain import typed
from stubs.signatures import signatures

# The chapters: what each has, in a sentence, and the files that declare functions of `jgrad`.
THEMES = {
    "Making tensors": (
        "Tensors of given numbers, of zeros and ones, of ranges, of random numbers; copies, and arrays of other libraries.",
        "jgrad ops.creation ops.from_data ops.ranges ops.constructors ops.copying ops.interchange ops.random random ops.windows",
    ),
    "Shapes and indices": (
        "What changes the shape of a tensor, or picks, joins and moves its elements.",
        "ops.shaping ops.reshaping ops.transposing ops.splitting ops.joining ops.combining ops.rearranging ops.indexing ops.subscript ops.choosing ops.resizing ops.padding",
    ),
    "Pointwise operations": (
        "What is computed for each element by itself: arithmetic, comparisons, elementary and special functions, activations.",
        "ops.arithmetic ops.combined_arithmetic ops.rounding ops.limits ops.logic ops.elementary ops.comparison ops.complex_numbers ops.special ops.activation",
    ),
    "Sums, order and statistics": (
        "What is computed from all elements of a dimension: sums, means, maxima, sorted and counted elements, distances.",
        "ops.reduction ops.cumulative ops.sorting ops.statistics ops.counting ops.distances",
    ),
    "Sparse tensors": ("Tensors that hold only their elements that are not 0.", "ops.sparse"),
    "Matrices and spectra": (
        "Products, inverses, factorizations and eigenvalues of matrices, `einsum`, and short-time Fourier transforms.",
        "ops.linalg ops.matrix_functions ops.einsum ops.decompositions ops.eigenvalues ops.spectral",
    ),
    "Layers as functions": (
        "What layers compute, as functions of `jgrad` that get their weights as arguments.",
        "ops.layers ops.convolution ops.pooling ops.normalization ops.resampling ops.recurrent ops.loss ops.ctc",
    ),
    "Modes, types and settings": (
        "Whether graphs are recorded, dtypes and devices, storages, defaults, and how tensors are printed.",
        "graph.grad_mode graph.anomaly_mode dtypes devices tensor storage typed_storage switches printing warn",
    ),
}

# The other modules.
MODULES = {
    "Derivatives": (
        "Gradients, Jacobians and products with them; functions with a derivative of your own; hooks, forward mode, checkpoints.",
        "autograd autograd.functional autograd.forward_ad autograd.graph func utils.checkpoint",
    ),
    "Linear algebra, spectra, special functions": (
        "`linalg`, `sparse`, `fft`, `special` and the windows of `signal`.",
        "linalg sparse fft special signal.windows",
    ),
    "Layers": ("The layers and losses of which a network is made, and the class that they extend.", "nn"),
    "Layers: functions, initial values, tools": (
        "Layers as functions, first values of weights, attention, and tools for parameters, such as clipping.",
        "nn.functional nn.attention nn.init nn.utils",
    ),
    "Optimizers": (
        "Optimizers, schedules of their learning rates, and averages of weights.",
        "optim optim.lr_scheduler optim.swa_utils",
    ),
    "Distributions": (
        "Random variables with densities and samples that have gradients; points that fill space evenly.",
        "distributions quasirandom",
    ),
    "Data, files, devices": (
        "Batches of data sets, saved tensors, mixed precision, GPUs, the profiler, and comparisons for tests.",
        "utils.data serialization amp cuda cpu accelerator profiler testing",
    ),
}
TENSOR = "The class of all tensors: its attributes, and the methods that are no functions of `jgrad`."
TRACE = "What records a block of a program, and what can be asked about the record."
# Classes of which the methods are shown too, and those of a trace that only jgrad calls.
WITH_MEMBERS = (
    "Module",
    "Optimizer",
    "Distribution",
    "Function",
    "Generator",
    "LRScheduler",
    "DataLoader",
    "GradScaler",
    "Trace",
)
INTERNAL = (
    "counter_of",
    "ended_with",
    "living",
    "number_of",
    "number_of_node",
    "recording",
    "shown_in",
    "statement_ended",
)


def write(folder: Path) -> None:
    """Write the pages."""
    folder.mkdir(parents=True)
    pages = {"tensor": [*tensor()]}
    pages |= {slug(title): [*theme(title, *chapter)] for title, chapter in THEMES.items()}
    pages |= {slug(title): [*modules(title, *chapter)] for title, chapter in MODULES.items()}
    pages["trace"] = [*trace()]
    abouts = [TENSOR, *(about for about, _ in [*THEMES.values(), *MODULES.values()]), TRACE]
    chapters = dict(zip(pages, abouts, strict=True))
    names = [*all_names(pages.values())]
    pages |= {"all": names, "index": [*index(chapters)]}
    for name, lines in pages.items():
        (folder / f"{name}.rst").write_text("\n".join(lines) + "\n", encoding="utf-8")


def index(chapters: dict[str, str]) -> Iterator[str]:
    """The first page: each chapter with its sentence."""
    yield from heading("Reference", "=")
    yield (
        "All public names, with what their docstrings say. They have PyTorch's names, parameters and results; what differs is listed in "
        ":doc:`/docs/differences`. :doc:`all` lists each name with its first sentence.\n"
    )
    yield from [f"- :doc:`{name}`. {prose(about)}" for name, about in chapters.items()]
    yield "\n.. toctree::\n   :hidden:\n"
    yield from [f"   {name}" for name in ["all", *chapters]]


def all_names(pages: Iterable[list[str]]) -> Iterator[str]:
    """The page of all functions and classes that other pages describe, by their modules."""
    yield from heading("All functions and classes", "=")
    found: dict[str, dict[str, str]] = {}
    for lines in pages:
        module, text = "", "\n".join(lines)
        for kind, name, after in re.findall(
            r"^\.\. py:(\w+):: ([\w.]+)(.*?)(?=^\.\. py:|\Z)", text, re.M | re.S
        ):
            if kind in ("module", "currentmodule"):
                module = name
            else:
                found.setdefault(module, {}).setdefault(name, summary(after))
    for module in sorted(found):
        yield from heading(module, "-")
        for name, said in sorted(found[module].items(), key=lambda one: one[0].lower()):
            yield f"- :py:obj:`{name} <{module}.{name}>`: {said}"
        yield ""


def summary(text: str) -> str:
    """The first sentence of what stands below a name and its signatures. What it leads to is left out."""
    paragraph = next((part for part in text.split("\n\n")[1:] if part.strip()), "")
    line = " ".join(part.strip() for part in paragraph.strip().split("\n"))
    return re.split(r"(?<=[^.][.:]) ", line)[0].removesuffix(":").removesuffix(".") + "."


def slug(title: str) -> str:
    return re.sub(r"\W+", "-", title.lower())


def heading(title: str, line: str) -> list[str]:
    return [title, line * len(title), ""]


# Pages -------------------------------------------------------------------------------------------------------------------------


def theme(title: str, about: str, files: str) -> Iterator[str]:
    """A page of functions of `jgrad`, a section for each file that declares some."""
    yield from [*heading(title, "="), prose(about), "\n.. py:currentmodule:: jgrad\n"]
    chapters = chapters_of_jgrad()
    for file in files.split():
        name = "jgrad" if file == "jgrad" else f"jgrad.{file}"
        if name in chapters:
            section = first_sentence(import_module(name)).rstrip(".")
            if name != "jgrad" and section != title:
                yield from heading(section, "-")
            for public in chapters[name]:
                yield from entry("jgrad", public, getattr(jgrad, public))


def chapters_of_jgrad() -> dict[str, list[str]]:
    """The public names of `jgrad` that have documentation, by the module that defines them."""
    found: dict[str, list[str]] = {}
    for name in sorted(vars(jgrad)):
        value = getattr(jgrad, name)
        if (
            name.startswith("_")
            or not (inspect.isfunction(value) or isinstance(value, type))
            or value is Tensor
        ):
            continue
        op = operator_of(value)
        if op is not None and name.endswith("_") and hasattr(jgrad, name[:-1]):
            continue  # its operator names it
        module = op.declarations[0].body.__module__ if op else value.__module__
        found.setdefault(module, []).append(name)
    known = {
        "jgrad" if file == "jgrad" else f"jgrad.{file}"
        for _, files in THEMES.values()
        for file in files.split()
    }
    assert found.keys() <= known, f"THEMES lacks {found.keys() - known}"
    return found


def tensor() -> Iterator[str]:
    """The page of tensors."""
    yield from [
        *heading("Tensors", "="),
        prose(TENSOR) + "\n",
        ".. py:currentmodule:: jgrad\n",
        ".. py:class:: Tensor(*args, **kwargs)\n",
    ]
    yield from body(Tensor.__doc__)
    both: list[str] = []
    for name in sorted(vars(Tensor)):
        value = inspect.getattr_static(Tensor, name)
        op = operator_of(value)
        if name.startswith("_") or (op is not None and name == op.shown + "_"):
            continue
        if op is not None and "function" in op.forms and not op.namespace:
            both.append(name)
        elif op is not None:
            yield from indented(described("method", name, op_lines(op, name, True), op.doc))
        elif inspect.isdatadescriptor(value):
            yield from indented(described("attribute", name, [name], value.__doc__))
        elif inspect.isfunction(value):
            yield from indented(described("method", name, [name + plain_signature(value)], value.__doc__))
    yield from heading("Methods that are functions too", "-")
    yield "``x.exp()`` is ``jgrad.exp(x)``, and so with all of these. Many have an in-place form, ``x.exp_()``.\n"
    yield (
        ", ".join(
            f":py:func:`{name} <jgrad.{name}>`" for name in both if name[-1] != "_" and hasattr(jgrad, name)
        )
        + "\n"
    )


def modules(title: str, about: str, names: str) -> Iterator[str]:
    """A page of modules, a section for each."""
    yield from [*heading(title, "="), prose(about), ""]
    for name in names.split():
        path = f"jgrad.{name}"
        module = import_module(path)
        if " " in names:
            yield from heading(path, "-")
        yield f".. py:module:: {path}\n"
        yield from [prose(first_sentence(module)), ""]
        for public in public_names(module):
            yield from entry(path, public, getattr(module, public))


def trace() -> Iterator[str]:
    """The page of traces."""
    yield from [*heading("Traces", "="), prose(TRACE), "\n.. py:module:: jgrad.trace\n"]
    yield "``with jgrad.trace() as t:`` records what a block does. In a notebook, the magics do it: :doc:`/notebooks/22-magics`.\n"
    for name in ("Trace", "compare", "load"):
        yield from entry("jgrad.trace", name, getattr(jgrad.trace, name))


def public_names(module: Any) -> list[str]:
    """The names of a module that are meant for users."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        names = [name for name in listed if not name.startswith("_")]
    else:
        package = module.__name__.rpartition(".")[0] if not hasattr(module, "__path__") else module.__name__
        own = [
            n
            for n, v in vars(module).items()
            if operator_of(v) or str(getattr(v, "__module__", "")).startswith(package)
        ]
        helpers = (
            Tensor,
            *([jgrad.nn.Module, jgrad.optim.Optimizer] if module.__name__.startswith("jgrad.optim.") else []),
        )
        names = [n for n in own if not n.startswith("_") and getattr(module, n) not in helpers]
    there = [
        n for n in names if inspect.isfunction(getattr(module, n)) or isinstance(getattr(module, n), type)
    ]
    there = [n for n in there if not (n.endswith("_") and n[:-1] in there)]
    return sorted((n for n in there if inspect.getdoc(getattr(module, n))), key=str.lower)


def first_sentence(module: Any) -> str:
    text = " ".join((module.__doc__ or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[a-z)`])[.:;](?= |$)", text)[0] + "."


# Entries -----------------------------------------------------------------------------------------------------------------------


def operator_of(value: Any) -> Op | None:
    op = getattr(value, "op", None)
    return op if isinstance(op, Op) else None


def entry(module: str, name: str, value: Any) -> Iterator[str]:
    """The lines of one function or class."""
    op = operator_of(value)
    if op is not None:
        namespace = module.partition(".")[2]
        op = TABLE.get(f"{namespace}.{name}" if namespace else name, op)
        yield from described("function", name, op_lines(op, name, False), op.doc, also(op, module, name))
    elif isinstance(value, type):
        lines = (
            [name + plain_signature(value.__init__, method=True)]
            if inspect.isfunction(value.__init__)
            else [name]
        )
        yield from described("class", name, lines, value.__doc__)
        if name in WITH_MEMBERS:
            for member, function in sorted(vars(value).items()):
                if (
                    not member.startswith("_")
                    and member not in INTERNAL
                    and inspect.isfunction(function)
                    and function.__doc__
                ):
                    yield from indented(
                        described(
                            "method",
                            member,
                            [member + plain_signature(function, method=True)],
                            function.__doc__,
                        )
                    )
    else:
        yield from described("function", name, [name + plain_signature(value)], value.__doc__)


def also(op: Op, module: str, name: str) -> str:
    """The other forms of an operator."""
    if op.namespace or module != "jgrad":
        return ""
    forms = [f"``Tensor.{name}()``"] * ("method" in op.forms)
    forms += [f"``Tensor.{name}_()``"] * ("inplace" in op.forms and hasattr(Tensor, name + "_"))
    forms += [f"``jgrad.{name}_()``"] * hasattr(jgrad, name + "_")
    return f"Also {', '.join(forms)}." if forms else ""


def described(kind: str, name: str, lines: list[str], doc: str | None, more: str = "") -> Iterator[str]:
    """A directive of Sphinx: the signatures, and the text."""
    first = f".. py:{kind}:: "
    yield f"\n{first}" + f"\n{' ' * len(first)}".join(lines) + "\n"
    yield from body(doc)
    if more:
        yield f"   {more}\n"


def op_lines(op: Op, name: str, method: bool) -> list[str]:
    """The signatures of an operator, each once."""
    return [
        f"{name}({', '.join(map(simple, way.parameters))}) -> {simple(way.result)}"
        for way in signatures(op, method)
    ]


def simple(text: str) -> str:
    """A part of a stub in plain words: `_int` is `int` there."""
    return re.sub(r"\b_(?=[a-zA-Z])", "", text).replace("return_types.", "")


def plain_signature(function: Callable[..., Any], method: bool = False) -> str:
    """The signature of a function of Python, without annotations that say nothing."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[
        method or next(iter(signature.parameters), "") == "self" :
    ]
    parts: list[str] = []
    for p in parameters:
        if p.kind == p.KEYWORD_ONLY and not any(part.startswith("*") for part in parts):
            parts.append("*")
        mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        kind = simple(typed(p.annotation))
        text = mark + p.name + (f": {kind}" if kind != "Any" else "")
        if p.default is not p.empty:
            value = repr(p.default) if isinstance(p.default, int | float | bool | str | None) else "..."
            text += f" = {value}" if kind != "Any" else f"={value}"
        parts.append(text)
    result = simple(typed(signature.return_annotation))
    return f"({', '.join(parts)})" + (f" -> {result}" if result not in ("Any", "None") else "")


# Text --------------------------------------------------------------------------------------------------------------------------


def indented(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield "\n".join(f"   {part}" if part else "" for part in line.split("\n"))


def body(doc: str | None) -> Iterator[str]:
    """A docstring in reStructuredText: paragraphs, examples, and the list of arguments."""
    for block in inspect.cleandoc(doc or "").split("\n\n"):
        lines = block.split("\n")
        if lines[0].startswith(">>>"):
            text = "\n".join([".. code-block:: pycon", "", *[f"   {line}" for line in lines]])
        elif len(lines) > 1 and lines[0].endswith(":") and all(line.startswith(" ") for line in lines[1:]):
            text = "\n".join([prose(lines[0]), "", *map(item, items_of(lines[1:]))])
        elif any(line.startswith("    ") for line in lines):
            text = "\n".join(["::", "", *[f"   {line}" for line in lines]])
        else:
            text = prose(" ".join(lines))
        yield "\n".join(f"   {line}" if line else "" for line in text.split("\n")) + "\n"


def items_of(lines: list[str]) -> list[str]:
    """The items of an indented list: a line that is indented more than the first one goes on with the item before."""
    found: list[str] = []
    for line in inspect.cleandoc("\n".join(["", *lines])).split("\n"):
        if line.startswith(" ") and found:
            found[-1] += f" {line.strip()}"
        else:
            found.append(line)
    return found


def item(text: str) -> str:
    """An item of a list. What stands before its colon is the name of an argument, or several."""
    names, colon, rest = text.partition(": ")
    if colon and re.fullmatch(r"[\w*., ]+", names) and not names.count(" ") > names.count(", "):
        return f"- **{prose(names)}**: {prose(rest)}"
    return f"- {prose(text)}"


def prose(text: str) -> str:
    """A text of a docstring: what is in backticks is code, and nothing else is markup."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return re.sub(r"([\\*`|_])", r"\\\1", text)
    plain = [re.sub(r"([\\*|_])", r"\\\1", part) for part in parts]
    return "".join(f"\\ ``{parts[i]}``\\ " if i % 2 else part for i, part in enumerate(plain))
