"""Recording what the engine does, as a trace document (`docs/trace-document.md`).

    with jgrad.trace() as t:
        y = (x + w) * (w + 1)
        y.backward()
    t.document            # plain data
    t.save("trace.json")  # and jgrad.trace.load("trace.json")
    jgrad.trace.compare(t, "trace.json")

    with jgrad.trace(show=True):  # in a notebook: shown as soon as it runs long, and at its end
        train()

The module is itself callable, so that `jgrad.trace` is the context manager, the place of `load`, and of a matrix the sum of its diagonal.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import math
import os
import re
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

import numpy as np

from jgrad import manual, mirrors, warn
from jgrad.asking.answer import Answer, active, recent
from jgrad.asking.calling import NOTHING, about_trace, answer_to, asked, note, wording_of
from jgrad.asking.frames import leave_out_ours
from jgrad.asking.moment import Moment, moment
from jgrad.asking.naming import BadInput
from jgrad.dispatch import TABLE
from jgrad.garbage import few_collections
from jgrad.graph.node import Node
from jgrad.observer import Watch
from jgrad.tensor import Tensor
from jgrad.tracing import explain
from jgrad.tracing.document.check import check
from jgrad.tracing.document.comparison import Comparison
from jgrad.tracing.document.document import build
from jgrad.tracing.document.files import load
from jgrad.tracing.document.packing import pack
from jgrad.tracing.document.replay import Replay
from jgrad.tracing.document.schema import SCHEMA, Note, TraceDocument
from jgrad.tracing.document.source import EVERYWHERE, Source, block
from jgrad.tracing.document.user_sources import shell
from jgrad.tracing.document.wording import Wording
from jgrad.tracing.record.keeping import NO_ROUNDS
from jgrad.tracing.record.live import Live
from jgrad.tracing.record.models import LOCAL
from jgrad.tracing.record.recorder import MAX_STEPS, Recorder
from jgrad.tracing.record.scope import Scope, local, mentioned, replaced
from jgrad.tracing.record.stopping import Condition, Stopped
from jgrad.tracing.record.user_code import UserCode, files_of

if TYPE_CHECKING:  # the views are loaded when something is shown
    from jgrad.views.filmstrip import Filmstrip
    from jgrad.views.widget import Early

__all__ = ["MAX_STEPS", "SCHEMA", "Recorder", "Stopped", "Trace", "compare", "load", "recent", "traced"]

P = ParamSpec("P")
R = TypeVar("R")

REMEMBERED = 16_000_000  # bytes of elements that a trace keeps
MARKS = "_jgrad_ended"  # the attribute of an exception that holds a mark of each trace that it ended


class Outcome:
    """How a recorded block ended."""

    error: BaseException | None = None


class Trace:
    """What `with jgrad.trace() as t` gives: records the block, then holds its document. `into` names modules of libraries whose lines steps name
    too, such as `"nn"`."""

    def __init__(
        self,
        name: str = "trace",
        *,
        watch: Iterable[str] = (),
        max_steps: int | None = None,
        rounds: tuple[int, int] | None = None,
        show: bool = False,
        into: str | Iterable[str] = (),
        stop: str | None = None,
    ) -> None:
        """`rounds`: the first and the last round of a training loop that are to be kept in full, counted from 1. `stop`: an expression; the program is
        stopped after the backward pass or the step of an optimizer after which it is true."""
        self.name = name
        self.rounds = NO_ROUNDS if rounds is None else range(rounds[0] - 1, rounds[1])
        self.watch = tuple(watch)
        self.into = (into,) if isinstance(into, str) else tuple(into)
        for module in self.into:
            files_of(module)  # raises an error for a name that is no module's
        self.max_steps = MAX_STEPS if max_steps is None else max_steps
        self.grows = max_steps is None  # whether more steps are kept where rounds are long
        self.condition = None if stop is None else Condition(stop)
        self._shows = show
        self.patience = math.inf  # a recording that nobody asked to see tells less: see `Keeping`
        self.wording: Wording | None = None  # whose lines these are, if they are not a notebook's
        self.early: Early | None = None  # shows the document of a block that runs long
        self._document: TraceDocument | None = None
        self._recorder: Recorder | None = None
        self._view: weakref.ref[Any] | None = None
        self._watching = ExitStack()
        self._watches: Any = None  # the other libraries that are watched
        self._replay: Replay | None = None
        self._warned: list[warn.Said] = []
        self._tensors: list[Any] = []  # weak references in the order of the document's tensors and nodes
        self._nodes: list[Any] = []
        self.elements: dict[int, bytes] = {}  # of contents, by the address of what the document has of them
        # What went wrong inside the recorder: empty unless jgrad has a bug.
        self.failures: list[Exception] = []
        # The mark on the exception that ended the block; the exception itself would keep its frames alive.
        self._ending = object()

    def __enter__(self) -> Trace:
        frame = _user_frame(sys._getframe(1))
        code = frame.f_code
        self._source, lines, own = block(frame)
        self.wording = wording_of(frame.f_code.co_filename, self._source.first - 1)
        names = (*self.watch, *mentioned(code, own))
        within = code, local(code, own) | {*self.watch}
        if self._shows:
            from jgrad.views.widget import early

            self.early = early(None)
        # What a variable means that the block gives a new value first is of no interest, such as the y of an earlier block.
        optimized = code.co_flags & inspect.CO_OPTIMIZED
        variables = frame.f_locals if optimized else frame.f_globals
        unread = replaced([code], own) - {*self.watch}
        old = {LOCAL * bool(optimized) + n: id(variables[n]) for n in unread if n in variables}
        try:
            self._begin(Scope(code.co_filename, frame.f_globals, names, lines, old, within, self.into), frame)
            return self
        except BaseException:
            self._leave()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end(error, _user_frame(sys._getframe(1)))
        recent.append(self)
        if isinstance(error, Exception):
            self._explain(error)
        if self._shows and not isinstance(error, (SystemExit, GeneratorExit)):
            try:
                self.show(cursor=None if error is None else len(self.document["steps"]))
            except Exception as failure:  # the block's own result matters more
                what = f"{type(failure).__name__}: {failure}"
                print(f"jgrad.trace: the views could not be shown ({what})", file=sys.stderr)

    def _begin(self, scope: Scope, frame: FrameType | None = None) -> None:
        self._document = self._replay = self._recorder = None
        recorder = Recorder(scope, self.max_steps, self.rounds, condition=self.condition)
        recorder.watch = Watch(recorder)
        assert recorder.keeping is not None
        recorder.keeping.patience, recorder.keeping.grows = self.patience, self.grows
        self._warned = [*warn.said]  # before the block; after it, what the block warned of
        self._recorder = recorder
        self.failures = recorder.failures
        active.append(self)
        watching = self._watching = ExitStack()
        watching.enter_context(warn.listening(UserCode().runs))
        # A whole program, or any cell, is to find the collector of garbage as ever.
        if self.patience == math.inf:
            often = watching.enter_context(ExitStack())
            often.enter_context(few_collections())
            recorder.when_full = often.close
        if self.early is not None:
            recorder.live = Live(recorder, self._so_far, self.early)
            watching.callback(recorder.live.close)
        mirrors.load()
        recorder.start(frame)
        self._watches = watching.enter_context(mirrors.watching(self.failures))
        recorder.watch.__enter__()

    def _end(self, error: BaseException | None, frame: FrameType | None = None) -> None:
        assert self._recorder is not None
        self._leave()
        if error is not None and not isinstance(error, (SystemExit, GeneratorExit)):
            self._recorder.failed(error)
            # (As a class of the user's may have a __setattr__ of its own, which must not run.)
            BaseException.__setattr__(error, MARKS, (*vars(error).get(MARKS, ()), self._ending))
        with few_collections(0):
            self._recorder.stop(frame)
        before = {id(said) for said in self._warned}
        self._warned = [said for said in warn.said if id(said) not in before]

    def statement_ended(self) -> None:
        """A statement of the recorded cell is over, and another one follows."""
        recorder = self._recorder
        if recorder is not None and recorder.asleep and recorder.keeping is not None:
            recorder._guard(recorder.keeping.statement_ended)

    def around(self, code: types.CodeType, variables: dict[str, Any]) -> Scope:
        """The scope of a function that is recorded from its first line to its last; its file is the source."""
        lines = [line.rstrip("\n") for line in linecache.getlines(code.co_filename, variables)]
        self._source = Source(lines)
        self.wording = wording_of(code.co_filename)
        within = code, local(code, EVERYWHERE)
        return Scope(
            code.co_filename, variables, (*self.watch, *mentioned(code)), within=within, into=self.into
        )

    @contextmanager
    def recording(self, scope: Scope) -> Iterator[Outcome]:
        """Record a block that runs code of `scope`; what it raises is caught, and is then the `error` of the outcome."""
        outcome = Outcome()
        try:
            self._begin(scope)
            try:
                yield outcome
            except BaseException as error:
                outcome.error = error
            self._end(outcome.error)
        finally:
            self._leave()

    def _leave(self) -> None:
        """Watch no more; also a second time, as an interrupt may have come in the middle of the first."""
        active[:] = [trace for trace in active if trace is not self]
        try:
            self._watching.close()
        finally:
            if self._recorder is not None:
                self._recorder.watch.__exit__()

    @property
    def document(self) -> TraceDocument:
        """The trace document: plain data. Inside the block, what happened so far."""
        if self._document is not None:
            return self._document
        recorder = self._recorder
        if recorder is None:
            raise RuntimeError(
                "no trace was recorded yet: use with jgrad.trace() as t: and read t.document after the block"
            )
        try:
            with few_collections(0), np.errstate(all="ignore"):
                replay = self._replay
                if replay is None or replay.compactions != recorder.compactions:
                    replay = self._replay = Replay(recorder, self._source)
                document = build(replay, self.name)
                if self.wording is not None:
                    document |= self.wording.entries()
                library = self._library()
                if library != "jgrad":
                    document["library"] = library
                functions = {} if recorder.running else recorder.functions
                modules = recorder.modules or mirrors.modules_in(recorder.scope.namespace)
                log = explain.Log(document)
                found = explain.findings(log, lambda nr: recorder.tensors[nr](), functions, self.failures)
                for one in found:
                    explain.named(one, log, library, modules)
                unfollowed = [_not_followed(*one) for one in recorder.unfollowed.items()]
                document["notes"] = [
                    *map(_missing, self.failures[:1]),
                    *unfollowed,
                    *[one.note for one in found],
                ]
                document["diagnosis"] = explain.diagnosis(log, found, self._warned)
                if unfollowed and not document["diagnosis"]["code"]:
                    document["diagnosis"]["more"] += explain.parts(document, unfollowed[0]["text"])
        except BaseException as error:
            self._replay = None  # an interrupt may have come in the middle of it
            if not isinstance(error, Exception):
                raise
            first = (self.failures or [error])[0]
            raise RuntimeError(
                f"this trace was not recorded because of a bug in jgrad: {type(first).__name__}: {first}"
            ) from first
        if not recorder.running:
            self.elements = replay.elements(REMEMBERED)
            self._document, self._recorder, self._replay = document, None, None
            self._tensors = recorder.tensors[: len(document["tensors"])]
            self._nodes = recorder.nodes[: len(document["nodes"])]
        return document

    def _library(self) -> str:
        """The library that sentences name: PyTorch if the block used it, and does not name jgrad."""
        named = any(re.search(r"\bjgrad\.", line) for line in self._source.lines)
        return "jgrad" if named else next(iter(self._watches.reporting), "jgrad")

    def _so_far(self, glimpse: Recorder | None, since: str) -> TraceDocument:
        """The document while the block runs: of all that was kept, or of what a later glimpse saw, from that step or backward call on."""
        if glimpse is None:
            return self.document
        return build(Replay(glimpse, self._source), f"{self.name}, now running: from {since}", self._recorder)

    def living(self, number: int) -> Tensor | None:
        """The tensor that has this number in the document, None if it is gone."""
        return self._numbered("tensors")[number]()

    def number_of(self, tensor: Tensor) -> int | None:
        """The number that a living tensor has in the document, None if it is not there."""
        return next((r.id for r in self._numbered("tensors") if r() is tensor), None)

    def number_of_node(self, node: Node | None) -> int | None:
        """The number that a living backward node has in the document, None if it is not there."""
        return next((r.id for r in self._numbered("nodes") if node is not None and r() is node), None)

    def counter_of(self, cell: Any) -> int | None:
        """The number that a version counter (`tensor._counter`) has in the document, None if no living tensor in it has that one."""
        tensors = self.document["tensors"]
        for record in self._numbered("tensors"):
            other = record()
            if other is not None and other._counter is cell:
                return tensors[record.id]["version_counter"]
        return None

    def _numbered(self, what: Literal["tensors", "nodes"]) -> list[Any]:
        """Weak references to the tensors or nodes of the document, in its order; while it is recorded, to those that are in it so far."""
        document = self.document
        recorder = self._recorder
        if recorder is None:
            return self._tensors if what == "tensors" else self._nodes
        return (recorder.tensors if what == "tensors" else recorder.nodes)[: len(document[what])]

    def ended_with(self, error: BaseException) -> bool:
        """Whether this very exception, and not one like it, ended the recorded block."""
        return any(mark is self._ending for mark in vars(error).get(MARKS, ()))

    def save(self, path: str | os.PathLike) -> None:
        """Write the document to a file, packed, as JSON; or, if its name ends in .html, a page with the live views, which any browser opens."""
        if os.fspath(path).lower().endswith((".html", ".htm")):
            from jgrad.views.page import page_of  # late: recording needs no views

            text = page_of(self.document)
        else:
            text = pack(self.document)
        with open(
            path, "w", encoding="utf-8", errors="backslashreplace"
        ) as file:  # half of a character as \ud800
            file.write(text)

    def link(self, page: str) -> str:
        """The address of a page that shows this trace; the document is in the address itself. `page` is where `jgrad link` has written a page for it."""
        from jgrad.views.page import link_of  # late: recording needs no views

        return link_of(self.document, page)

    def show(self, views: list[str] | None = None, cursor: int | None = None) -> None:
        """Show it, as `%%trace` does: all views that apply or those named, after `cursor` steps or at the end."""
        from jgrad import views as show_room  # late: recording needs no views

        early, self.early = self.early, None  # what is there already becomes this; shown again it is another
        self.shown_in(show_room.show(self.document, views, cursor, early=early))

    def filmstrip(self, steps: Iterable[int], view: str = "graph", width: float | None = None) -> Filmstrip:
        """Pictures of a view after these numbers of steps, side by side: for notebooks, and for slides (`save`)."""
        from jgrad.views import Filmstrip

        return Filmstrip(self.document, steps, view, width)

    def shown_in(self, widget: Any) -> None:
        """Remember the live widget that shows this trace, None if there is none. It is not kept alive."""
        self._view = None if widget is None else weakref.ref(widget)

    def view(self) -> Any:
        """The live widget that shows this trace; None if there is none, or if it was closed."""
        widget = None if self._view is None else self._view()
        return None if widget is None or widget.comm is None else widget

    def opened(self) -> Any:
        """The live widget that shows this trace: the one that is there, or a new one, which is not displayed."""
        from jgrad.views import widget

        if self.view() is None:
            self.shown_in(widget.undisplayed(self.document))
        return self.view()

    @property
    def made(self) -> TraceDocument | None:
        """The document; None as long as nobody has asked for it."""
        return self._document

    def at(self, step: int, /) -> Moment:
        """The values that the variables had after so many steps, as tensors, by name; `missing` says why others are not there."""
        if self._is_open():
            raise BadInput("at: the trace goes on; ask after its block has ended")
        return moment(self, step)

    def why(self, question: Any = NOTHING, /) -> Answer:
        """What is remarkable about this trace, or the answer to a question about it, as `jgrad.why` takes one. The answer is text, HTML and data."""
        if question is NOTHING:
            return about_trace(self, self._warned)
        return asked(question, sys._getframe(1), [self])

    def _explain(self, error: Exception) -> None:
        """Have an error that ended the block carry its answer, and its traceback no frames of ours."""
        try:
            note(error, answer_to(error, [self]))
        except Exception as failure:  # the user's error matters more
            self.failures.append(failure)
        if shell() is None:  # IPython hides our frames, and %why reads them
            leave_out_ours(error)

    def _ipython_display_(self) -> None:
        self.show()

    def _display_(self) -> Any:
        """What marimo shows of a trace."""
        from jgrad.views import widget

        return widget.in_marimo(self.document)

    def _repr_html_(self) -> str:
        from jgrad import views
        from jgrad.views.svg import address

        pictures = {view: address(views.svg(self.document, view)) for view in views.applicable(self.document)}
        return "".join(
            f'<img src="{picture}" alt="{view} of the trace">' for view, picture in pictures.items()
        )

    def __str__(self) -> str:
        if self._is_open():
            return repr(self)
        from jgrad.views import widget

        return widget.in_brief(self.document).rstrip("\n")

    def _is_open(self) -> bool:
        """Whether there is no document yet, because the block runs or has not begun."""
        return self._document is None and (self._recorder is None or self._recorder.running)

    def __repr__(self) -> str:
        if self._is_open():
            return f"<jgrad.trace {self.name!r}>"
        d = self.document
        return f"<jgrad.trace {self.name!r}: {len(d['steps'])} steps, {len(d['tensors'])} tensors, {len(d['storages'])} storages>"


def _missing(failure: Exception) -> Note:
    """The note of a document in which what the recorder failed to see is missing."""
    text = f"A part of this trace is missing because of a bug in jgrad: {type(failure).__name__}: {failure}"
    return {
        "step": 0,
        "code": "recorder-failed",
        "severity": "error",
        "text": text,
        "tensors": [],
        "lines": [],
    }


def _not_followed(what: str, line: int | None) -> Note:
    """The note of a document about something that ran unseen."""
    where = "" if line is None else f"line {line}: "
    return {
        "step": 0, "code": "not-followed", "severity": "info", "tensors": [], "lines": [] if line is None else [line],
        "text": f"{where}{what}",
    }  # fmt: skip


def _user_frame(frame: FrameType) -> FrameType:
    """The frame of the user's code; `ExitStack` and its like come in between."""
    while frame.f_back is not None and frame.f_globals.get("__name__") == "contextlib":
        frame = frame.f_back
    return frame


def compare(a: Any, b: Any) -> Comparison:
    """Compare two traces: what `with jgrad.trace() as t` gave, a document, or the path of a saved one."""
    from jgrad.views.compare import SideBySide
    from jgrad.views.trainings import Trainings

    documents = document_of(a), document_of(b)
    kind = Trainings if all("rounds" in document for document in documents) else SideBySide
    return kind(*documents)


def document_of(trace: Any) -> TraceDocument:
    """The document of a trace, of a document itself, or of a path; refuses anything else with a sentence."""

    if isinstance(trace, Trace):
        return trace.document
    document: Any = load(trace) if isinstance(trace, (str, os.PathLike)) else trace
    check(document)
    return document


def traced(function: Callable[P, R]) -> Callable[P, R]:
    """A decorator: each call of the function is recorded, as by `with jgrad.trace()`. An error that leaves it carries its answer."""
    code = inspect.unwrap(function).__code__
    variables = inspect.unwrap(function).__globals__

    @functools.wraps(function)
    def recorded(*args: P.args, **named: P.kwargs) -> R:
        __tracebackhide__ = True
        trace = Trace(function.__name__)
        result = None
        with trace.recording(trace.around(code, variables)) as outcome:
            result = function(*args, **named)
        recent.append(trace)
        if outcome.error is not None:
            if isinstance(outcome.error, Exception):
                trace._explain(outcome.error)
            raise outcome.error
        return result

    return recorded


class _CallableModule(types.ModuleType):
    def __call__(
        self,
        name: Any = "trace",
        *,
        watch: Iterable[str] = (),
        max_steps: int | None = None,
        rounds: tuple[int, int] | None = None,
        show: bool = False,
        into: str | Iterable[str] = (),
        stop: str | None = None,
        input: Any = None,
    ) -> Any:
        """Record what a `with` block does, see `jgrad.trace.Trace`; of a matrix the sum of its diagonal, as `torch.trace`."""
        if isinstance(name, Tensor) or input is not None:
            return TABLE["trace"].function(name if input is None else input)
        return Trace(name, watch=watch, max_steps=max_steps, rounds=rounds, show=show, into=into, stop=stop)


sys.modules[__name__].__class__ = _CallableModule


manual.attach(__name__)
