"""Random programs under the recorder: it changes nothing, and what its document says in the end is what the tensors say."""

from __future__ import annotations

import contextlib
import linecache
import random
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad import views
from jgrad.asking.question import answer
from jgrad.trace import MAX_STEPS, Trace
from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.source import Source
from jgrad.tracing.record import keeping, live
from jgrad.tracing.record.contents import dtype_name
from jgrad.tracing.record.scope import Scope, mentioned
from jgrad.views.scene import Frame
from tests.record.tracing import valid

pytest.importorskip("torch")

from tests.same_as_torch.random_programs import (
    PRELUDE,
    always_warning,
    grad_of,
    numbers,
    program,
    state,
    worded,
)

COUNT = 200
# Functions that count a write and then refuse leave a version that no step tells.
REFUSES = re.compile(r"Triple_|Add_")


@pytest.fixture(autouse=True)
def warnings_come_every_time() -> Iterator[None]:
    with always_warning():
        yield


@contextlib.contextmanager
def all_warnings() -> Iterator[list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")
        yield caught


def source_of(statements: list[str]) -> str:
    """One piece of source that goes on after statements that fail."""
    parts = [
        f"try:\n{textwrap.indent(s, '    ')}\nexcept Exception as e: errors.append(str(e))"
        for s in statements
    ]
    return "\n".join(parts)


def fresh() -> dict[str, Any]:
    namespace = {"torch": jgrad, "__name__": "__main__", "errors": [], "log": lambda *_: None}
    exec(PRELUDE, namespace)
    jgrad.manual_seed(0)
    return namespace


def tensors_of(namespace: dict[str, Any]) -> dict[str, jgrad.Tensor]:
    return {k: v for k, v in namespace.items() if re.fullmatch(r"v\d+", k) and isinstance(v, jgrad.Tensor)}


def seen(namespace: dict[str, Any], caught: list[warnings.WarningMessage]) -> tuple:
    said = [worded(e) for e in namespace["errors"]], [worded(str(w.message)) for w in caught]
    return *said, state(tensors_of(namespace), jgrad, True)


def recorded(
    source: str,
    early: Callable[[dict[str, Any]], None] | None = None,
    max_steps: int = MAX_STEPS,
    before: CodeType | None = None,
) -> tuple[Trace, dict[str, Any], list[warnings.WarningMessage]]:
    """The trace of a source, its variables and its warnings. `before`: what another cell or a file defines."""
    namespace, code = fresh(), compile(source, "<cell>", "exec")
    if before is not None:
        exec(before, namespace)
    t = Trace("cell", max_steps=max_steps)
    t.early = early
    t._source = Source(source.split("\n"))
    with all_warnings() as caught, t.recording(Scope("<cell>", namespace, mentioned(code))) as outcome:
        exec(code, namespace)
    assert outcome.error is None
    assert t.failures == []
    return t, namespace, caught


def number(text: str) -> complex:
    return complex(text == "True") if text in ("True", "False") else complex(re.sub(r"\.(?!\d)", "", text))


def agree(texts: list[str], x: jgrad.Tensor) -> None:
    """What a document writes of numbers is what they are, in four digits."""
    is_, really = np.array([number(text) for text in texts]), np.array(x.detach().flatten().tolist(), complex)
    assert np.allclose(is_, really, rtol=1e-3, atol=6e-5, equal_nan=True), (texts, x)


def check_tensor(
    name: str, x: jgrad.Tensor, t: Trace, f: Frame, rooms: dict[int, int], counted: bool
) -> None:
    n = t.number_of(x)
    assert n is not None
    s = f.state[n]
    said = [s["freed_step"], s["shape"], s["dtype"]]
    assert said == [None, list(x.shape), dtype_name(x._a.dtype)], name
    assert f.named(n) in {k for k, v in tensors_of(t.namespace).items() if v is x}
    if x.numel():
        strides = [[k for k, m in zip(of, x.shape, strict=True) if m > 1] for of in (s["stride"], x.stride())]
        assert strides[0] == strides[1], name
        assert s["storage_offset"] == x.storage_offset(), name
        assert rooms.setdefault(x.untyped_storage().data_ptr(), s["storage"]) == s["storage"], name
    if counted and not x.is_inference():
        assert f.version(s["version_counter"]) == x._version, name
    if not x._is_view():  # whose history may be made anew when it is asked for
        node = None if s["grad_fn"] is None else f.document["nodes"][s["grad_fn"]]["name"]
        said = [s["requires_grad"], s["is_leaf"], s["retains_grad"], node]
        assert said == [x.requires_grad, x.is_leaf, x.retains_grad, x.grad_fn and x.grad_fn.name()], name
    cells = f.contents(s["storage"])
    if f.document["storages"][s["storage"]]["dtype"] == s["dtype"] and 0 < cells["numel"] <= 64:
        places = s["storage_offset"] + sum(
            np.indices(x.shape)[k] * stride for k, stride in enumerate(s["stride"])
        )
        agree(
            [cells["elements"][k] for k in np.ravel(places)],
            x.resolve_conj().resolve_neg() if not x.is_conj() else x.conj(),
        )
    grad = grad_of(x)
    known = f.grad(n)
    assert grad is None or known is not None, name
    if grad is not None and known is not None and known["elements"] is not None:
        agree(known["elements"], grad)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(COUNT))
def test_what_a_document_says_is_so(seed: int) -> None:
    source = source_of(program(random.Random(seed).choice))
    plain = fresh()
    with all_warnings() as expected:
        exec(compile(source, "<cell>", "exec"), plain)
    t, namespace, caught = recorded(source)
    t.namespace = namespace
    assert valid(t.document)
    steps = len(t.document["steps"])
    f, rooms = Frame(TraceIndex(t.document), steps), {}
    for name, x in tensors_of(namespace).items():
        with all_warnings():
            check_tensor(name, x, t, f, rooms, not REFUSES.search(source))
    for cursor in {0, steps // 2, steps}:
        for view in views.applicable(t.document):
            assert views.text(t.document, view, cursor)
            assert views.svg(t.document, view, cursor).startswith("<svg")
    for name, x in tensors_of(namespace).items():
        with all_warnings():
            assert answer(name, namespace, [t], {})
            why = "\n".join(passage.text for passage in answer(f"{name}.grad", namespace, [t], {}))
            assert x._grad is not None or re.search(r"\bNone\b|no \.grad|the view's history", why), why
    assert seen(namespace, caught) == seen(plain, expected)
    with all_warnings():
        for ours, theirs in zip(
            numbers(tensors_of(namespace), jgrad), numbers(tensors_of(plain), jgrad), strict=True
        ):
            assert np.allclose(ours, theirs, equal_nan=True)


def in_functions(statements: list[str]) -> str:
    """A function for each statement, with global variables."""
    parts = []
    for k, statement in enumerate(statements):
        variables = sorted(set(re.findall(r"\bv\d+\b", statement)))
        given = f"    global {', '.join(variables)}\n" if variables else ""
        parts.append(f"def part{k}():\n{given}{textwrap.indent(source_of([statement]), '    ')}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("where", ["cell", "file"])
@pytest.mark.parametrize("seed", range(30))
def test_what_a_document_says_of_functions_elsewhere_is_so(seed: int, where: str, tmp_path: Path) -> None:
    """Every statement is in a function of another cell or of a file. Each step names the line in the function that ran, and the call."""
    statements = program(random.Random(seed).choice)
    functions, cell = in_functions(statements), "\n".join(f"part{k}()" for k in range(len(statements)))
    filename = str(tmp_path / "parts.py") if where == "file" else "<ipython-input-7-parts>"
    lines = functions.split("\n")
    if where == "file":
        Path(filename).write_text(functions, encoding="utf-8")
    else:
        linecache.cache[filename] = (len(functions), None, [f"{line}\n" for line in lines], filename)
    plain = fresh()
    with all_warnings() as expected:
        exec(compile(functions, filename, "exec"), plain)
        exec(compile(cell, "<cell>", "exec"), plain)
    t, namespace, caught = recorded(cell, before=compile(functions, filename, "exec"))
    t.namespace = namespace
    document = t.document
    assert valid(document)
    f, rooms = Frame(TraceIndex(document), len(document["steps"])), {}
    for name, x in tensors_of(namespace).items():
        with all_warnings():
            check_tensor(name, x, t, f, rooms, not REFUSES.search(functions))
    for step in document["steps"]:
        if step["line"] is None:
            continue
        call = document["calls"][step["call"]]
        excerpt = document["sources"][call["source"]]
        while excerpt["name"] == "<string>":  # a function of the prelude, which has no source
            assert excerpt["problem"] == "missing"
            call = document["calls"][call["caller"]]
            excerpt = document["sources"][call["source"]]
        assert excerpt["name"] == ("cell 7" if where == "cell" else "parts.py")
        assert excerpt["lines"][call["line"] - excerpt["first"]] == lines[call["line"] - 1]
        outermost = call
        while outermost["caller"] is not None:
            outer, outermost = outermost, document["calls"][outermost["caller"]]
        assert outer["function"].split(".")[0] == f"part{outermost['line'] - 1}"
        assert outermost["line"] == step["line"]
    assert seen(namespace, caught) == seen(plain, expected)


@pytest.mark.parametrize(
    ("most", "recorded_times", "sample"), [(12, float("inf"), 1), (12, 1, 1), (30, 2, 3), (3, 2, 128)]
)
@pytest.mark.parametrize("seed", range(20))
def test_what_a_document_with_gaps_says_is_so(
    seed: int, most: int, recorded_times: float, sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most steps of a loop are dropped. What is left says in the end what the tensors say, and of a step that is kept what it said before."""
    monkeypatch.setattr(keeping, "RECORDED", recorded_times)
    monkeypatch.setattr(keeping, "SAMPLE", sample)
    source = "for _ in range(5):\n" + textwrap.indent(source_of(program(random.Random(seed).choice)), "    ")
    plain = fresh()
    with all_warnings() as expected:
        exec(compile(source, "<cell>", "exec"), plain)
    t, namespace, caught = recorded(source, max_steps=most)
    t.namespace = namespace
    document = t.document
    assert valid(document)
    assert len(document["steps"]) <= most
    f, rooms = Frame(TraceIndex(document), len(document["steps"])), {}
    for name, x in tensors_of(namespace).items():
        with all_warnings():
            check_tensor(name, x, t, f, rooms, not REFUSES.search(source))
    for view in views.applicable(document):
        assert views.text(document, view)
    for name in tensors_of(namespace):
        with all_warnings():
            assert answer(name, namespace, [t], {})
    assert seen(namespace, caught) == seen(plain, expected)


@pytest.mark.parametrize("recorded_times", [0, 3, float("inf")])
@pytest.mark.parametrize("seed", range(10))
def test_looking_while_it_runs_changes_nothing(
    seed: int, recorded_times: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EARLY", "FRAME", "SHARE"):
        monkeypatch.setattr(live, name, 0)
    monkeypatch.setattr(live, "GLIMPSE", 5)
    monkeypatch.setattr(live, "UNHEARD", 1e6)
    monkeypatch.setattr(keeping, "RECORDED", recorded_times)
    source = "for _ in range(3):\n" + textwrap.indent(source_of(program(random.Random(seed).choice)), "    ")
    plain = fresh()
    with all_warnings() as expected:
        exec(compile(source, "<cell>", "exec"), plain)
    sent: list[dict[str, Any]] = []
    t, namespace, caught = recorded(source, sent.append, 8)
    assert sent
    assert valid(t.document)
    for document in sent[:: max(len(sent) // 4, 1)]:
        assert all(views.text(document, view) for view in views.applicable(document))
    assert seen(namespace, caught) == seen(plain, expected)
