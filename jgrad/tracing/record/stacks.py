"""The places in user code that lead to an operation: the innermost one, and those of the calls that led there.

Note [Call stacks]: the frames between an operation and the traced code are walked from the inside out. Those of user code become a chain of
`Place`s, which are interned: the places in a function are kept with the place that called it. Frames are never kept. A function mostly runs
several operations. So the callers of the last one are remembered, as pairs of code and offset, and compared first.
"""

from __future__ import annotations

import sys
import types
from bisect import bisect
from collections.abc import Callable
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

from jgrad.tracing.record.records import Place
from jgrad.tracing.record.scope import Scope
from jgrad.tracing.record.user_code import UserCode

LIBRARY, USER, TOP = range(3)
MISSING: Any = object()
ANY = -2  # no offset of an instruction
Step = tuple[CodeType, int]  # code, and the offset of the instruction that runs or calls


class MetCode(NamedTuple):
    """A function of the user's that ran, as it was when it was first met."""

    code: CodeType
    older: bool  # whether its name meant another function by then
    loaded: bool  # whether Python itself compiled it from its file
    file: str  # of the module whose variables it uses; "" if it has none
    module: (
        str  # its name, if Python knows it; "" otherwise, since nobody keeps the variables of an exec() alive
    )

    @property
    def variables(self) -> dict[str, Any]:
        """Those of the module, or of the notebook."""
        return vars(sys.modules[self.module]) if self.module in sys.modules else {}


class Known(NamedTuple):
    """How an operation was reached last from the code that called it."""

    library: tuple[CodeType, ...]  # that code and its callers, as long as they are library code
    code: CodeType  # the innermost user code
    places: dict[int, Place | None]  # the places of that code, by offset
    callers: tuple[Step, ...]  # its callers; of library code the offset is ANY


class Stacks:
    """The places of one recording."""

    __slots__ = ("scope", "count", "met", "modules", "_meet", "user", "_kinds", "_alive", "_tops", "_known")

    def __init__(self, scope: Scope, meet: Callable[[CodeType], None] | None = None) -> None:
        """`meet` is called with each function, apart from the traced code, that uses the variables of the traced code and runs the first time."""
        self.scope = scope
        self.count = 0  # places that are known
        self._meet = meet
        self.met: dict[int, MetCode] = {}  # functions of the user's, by the address of their code
        # The variables of other modules of the user's, by address.
        self.modules: dict[int, dict[str, Any]] = {}
        self.user = UserCode(scope.into)
        self._kinds: dict[int, int] = {}  # LIBRARY, USER or TOP, by the address of code
        self._alive: list[CodeType] = []  # keeps the addresses
        # The places where a chain begins, by code and offset; None for lines of the traced file that are not traced:
        self._tops: dict[int, dict[int, Place | None]] = {}
        self._known: dict[int, Known] = {}  # by the address of the code that called an operation

    def find(self, frame: FrameType) -> tuple[Place, FrameType, Known] | None:
        """The place from which a frame called the engine, and the frame that it is in. None if no traced code led there."""
        known = self._known.get(id(frame.f_code))
        if known is not None:
            library, own, places, callers = known
            at: Any = frame
            for code in library:
                if at is None or at.f_code is not code:
                    return self._walk(frame)
                at = at.f_back
            if at is not None and at.f_code is own:
                place = places.get(at.f_lasti)
                if place is not None and (not callers or called_by(at, callers)):
                    return place, at, known
        return self._walk(frame)

    def of_traceback(self, traceback: TracebackType | None) -> Place | None:
        """The innermost place of user code through which an error came."""
        trail: list[Step] = []
        while traceback is not None:
            code, offset = traceback.tb_frame.f_code, traceback.tb_lasti
            kind = self._kind(traceback.tb_frame)
            if kind == TOP and self._top(code, offset) is not None:
                trail = []
            if kind:
                trail.append((code, offset))
            traceback = traceback.tb_next
        return self._chain(trail[::-1])

    def _walk(self, frame: FrameType) -> tuple[Place, FrameType, Known] | None:
        kinds = self._kinds
        trail: list[Step] = []  # of user code, the innermost first
        passed: list[Step] = []
        innermost, up = frame, 0
        at: FrameType | None = frame
        while at is not None:
            code, offset = at.f_code, at.f_lasti
            kind = kinds.get(id(code))
            if kind is None:
                kind = self._kind(at)
            passed.append((code, offset if kind else ANY))
            if kind:
                if not trail:
                    innermost, up = at, len(passed) - 1
                trail.append((code, offset))
                if kind == TOP and self._top(code, offset) is not None:
                    break
            at = at.f_back
        place = self._chain(trail)
        if place is None:
            return None
        # (Of a chain that does not begin in the traced code itself some steps were dropped.)
        outermost = place
        while outermost.caller is not None:
            outermost = outermost.caller
        while passed[-1] != (outermost.code, outermost.offset):
            passed.pop()
        caller = place.caller
        places: Any = self._tops[id(place.code)] if caller is None else caller.inner[id(place.code)]
        library = tuple([code for code, _ in passed[:up]])
        known = Known(library, place.code, places, tuple(passed[up + 1 :]))
        self._known[id(frame.f_code)] = known
        return place, innermost, known

    def _chain(self, trail: list[Step]) -> Place | None:
        """The place of the first of some steps, each called by the next. It begins with the last one in traced code: without the traced code
        itself for a coroutine that an event loop runs."""
        place = None
        for code, offset in reversed(trail):
            if place is None:
                place = self._top(code, offset)
                continue
            places = place.inner.get(id(code))
            if places is None:
                places = place.inner[id(code)] = {}
            inner = places.get(offset)
            if inner is None:
                line = line_of(code, offset)
                here = self._is_traced(code, line)
                inner = places[offset] = Place(code, offset, line, place, False, here)
                self.count += 1
            place = inner
        return place

    def _top(self, code: CodeType, offset: int) -> Place | None:
        """The place of a step without a caller; None if it is not in traced code."""
        places = self._tops.setdefault(id(code), {})
        place = places.get(offset, MISSING)
        if place is MISSING:
            line = line_of(code, offset)
            traced = self._is_traced(code, line)
            top = self._kinds.get(id(code)) == TOP
            place = places[offset] = Place(code, offset, line, None, top) if traced else None
            self.count += traced
        return place

    def _is_traced(self, code: CodeType, line: int) -> bool:
        scope = self.scope
        return code.co_filename == scope.filename and scope.first <= line <= scope.last

    def _kind(self, frame: FrameType) -> int:
        """Whether a frame runs library code, user code, or the traced code itself."""
        code = frame.f_code
        kind = self._kinds.get(id(code))
        if kind is None:
            self._alive.append(code)
            scope = self.scope
            within = scope.within is not None and scope.within[0] is code
            if within or (code.co_filename == scope.filename and code.co_name == "<module>"):
                kind = TOP
            elif code.co_filename == scope.filename or self.user.has(code, frame.f_globals):
                kind = USER
            else:
                kind = LIBRARY
            if kind == USER and self._meet is not None and frame.f_globals is scope.namespace:
                self._meet(code)
            elif kind == USER and not within and frame.f_globals is not scope.namespace:
                self.modules[id(frame.f_globals)] = frame.f_globals
            if kind != LIBRARY:
                variables = frame.f_globals
                file = str(variables.get("__file__") or "")
                older, loaded = _is_older(code, variables), _is_loaded(variables)
                self.met[id(code)] = MetCode(code, older, loaded, file, _module_of(variables))
            self._kinds[id(code)] = kind
        return kind


def called_by(frame: FrameType, callers: tuple[Step, ...]) -> bool:
    """Whether these are the callers of a frame."""
    at: Any = frame
    for code, offset in callers:
        at = at.f_back
        if at is None or at.f_code is not code or (offset != ANY and at.f_lasti != offset):
            return False
    return True


@lru_cache(256)
def _lines_of(code: CodeType) -> tuple[list[int], list[int]]:
    """The offsets at which a line begins in some code, and the lines."""
    starts, lines = [], []
    for start, _, line in code.co_lines():
        starts.append(start)
        lines.append(code.co_firstlineno if line is None else line)
    return starts, lines


def line_of(code: CodeType, offset: int) -> int:
    """The line of an instruction; that of the function where the instruction has none."""
    starts, lines = _lines_of(code)
    return lines[max(bisect(starts, offset) - 1, 0)]


def _is_older(code: CodeType, variables: dict[str, Any]) -> bool:
    """Whether the name of a function means another one by now: it was redefined, and this is the code of the older definition."""
    first, *rest = code.co_qualname.split(".")
    found: Any = variables.get(first)
    for name in rest:
        held = vars(found) if isinstance(found, type) else {}
        found = held.get(name)
    while not isinstance(found, types.FunctionType):
        inner = getattr(found, "__func__", None) if isinstance(found, (staticmethod, classmethod)) else None
        inner = found.fget if isinstance(found, property) else inner
        if inner is None:
            return False
        found = inner
    while isinstance(vars(found).get("__wrapped__"), types.FunctionType):
        found = vars(found)["__wrapped__"]
    now = found.__code__
    return now is not code and now.co_qualname == code.co_qualname


def _module_of(variables: dict[str, Any]) -> str:
    """The name of the module that has these variables; "" if there is none."""
    name = variables.get("__name__")
    return name if isinstance(name, str) and vars(sys.modules.get(name, types)) is variables else ""


def _is_loaded(variables: dict[str, Any]) -> bool:
    """Whether Python itself compiled a module from its file, or no import system did. Others may have changed what they compiled."""
    loader = getattr(variables.get("__spec__"), "loader", variables.get("__loader__"))
    return loader is None or type(loader) is SourceFileLoader
