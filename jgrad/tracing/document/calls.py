"""The tables `calls` and `sources` of a trace document: the places in functions from which steps came, and the lines of these functions."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dis import get_instructions
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, cast

from jgrad.tracing.document.schema import Call, Excerpt, Problem, Span
from jgrad.tracing.document.source import Source
from jgrad.tracing.document.syntax import parsed
from jgrad.tracing.document.user_sources import Found, UserSources, cells, last_line, name_of
from jgrad.tracing.record.records import Place
from jgrad.tracing.record.stacks import MetCode, line_of
from jgrad.tracing.record.user_code import UserCode

# Comprehensions were functions before Python 3.12. They count as part of the function around them.
ASSIGNED = re.compile(r"\s*(\w+) *= *\Z")
# Methods that are called by no name in the code.
BY_ITSELF = ("__init__", "forward", "backward", "setup_context", "__call__")
# How bytecode loads a variable that is not of its function.
LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
COMPREHENSION = re.compile(r"<(?:list|set|dict)comp>")


class Calls:
    """The calls of one recording, numbered as a replay meets them."""

    def __init__(self, cell: Source, met: dict[int, MetCode]) -> None:
        self.cell = cell
        self.met = met
        self.sources = UserSources(met)
        self._calls: list[Call] = []
        self._made_of: list[Found | None] = []  # the source of each call, if that is not the cell
        self._numbers: dict[int, tuple[Place, int | None]] = {}  # by the address of a place

    def of(self, place: Place | None) -> int | None:
        """The number of the call that a place is; None for a place in no function."""
        return None if place is None or _is_in_no_function(place) else self._number(place)

    def known(self, place: Place) -> list[int | Span | None] | None:
        """What tells a place from others: its call, or the expression of the cell; None if the calls do not have it."""
        if _is_in_no_function(place):
            return [None, self.in_cell(place)[1]]
        number = self._numbers.get(id(place), (place, None))[1]
        return None if number is None else [number, None]

    def in_cell(self, place: Place | None) -> tuple[int | None, Span | None]:
        """The innermost line of the cell that led to a place, and the expression there."""
        while place is not None and not place.here:
            place = place.caller
        if place is None:
            return None, None
        return self.cell.line(place.line), self.cell.span(place.code, place.offset)

    def text(self, place: Place | None) -> str:
        """The expression at the innermost place, if it is within one line and short."""
        if place is None:
            return ""
        source, code, _ = self._found(place)
        return "" if source is None else source.text(source.span(code, place.offset)) or ""

    def expression(self, place: Place) -> tuple[str, str]:
        """The expression at a place, and the variable that it is assigned to, if that is all that its line does."""
        source, code, _ = self._found(place)
        span = None if source is None else source.span(code, place.offset)
        text = "" if source is None else source.text(span) or ""
        if source is None or span is None or not text:
            return "", ""
        before, after = source.lines[span[0] - 1][: span[1]], source.lines[span[0] - 1][span[3] :]
        assigned = ASSIGNED.match(before)
        return text, assigned[1] if assigned and not after.split("#")[0].strip() else ""

    def _found(self, place: Place) -> Found:
        return Found(self.cell, place.code) if place.here else self.sources.of(place.code)

    def _number(self, place: Place) -> int | None:
        # The outermost first: a recursion may be deeper than one of ours could be.
        todo: list[Place] = []
        at: Place | None = place
        while at is not None and id(at) not in self._numbers:
            todo.append(at)
            at = _function_at(at)[1]
        for one in reversed(todo):
            self._numbers[id(one)] = one, self._add(one)
        return self._numbers[id(place)][1]

    def _add(self, place: Place) -> int | None:
        function, caller = _function_at(place)
        number = None if caller is None else self._number(caller)
        found = self._found(place)
        source, code, _ = found
        line = self.cell.line(place.line) if place.here else line_of(code, place.offset)
        if line is None:
            return number
        call: Call = {
            "function": function.co_qualname, "source": None, "line": line,
            "span": None if source is None else source.span(code, place.offset), "caller": number,
        }  # fmt: skip
        met = self.met.get(id(function))
        if met is not None and met.older:
            call["older"] = True
        self._calls.append(call)
        self._made_of.append(None if place.here else found)
        return len(self._calls) - 1

    def tables(self) -> tuple[list[Call], list[Excerpt]]:
        """The calls, and the excerpts that they are in."""
        by_file: dict[tuple[str, str], dict[int, tuple[Found, list[int]]]] = {}
        for call, found in zip(self._calls, self._made_of, strict=True):
            if found is not None:
                functions = by_file.setdefault((found.code.co_filename, found.problem), {})
                functions.setdefault(id(found.code), (found, []))[1].append(call["line"])
        for found in self._helpers() if self._calls else ():
            functions = by_file.setdefault((found.code.co_filename, ""), {})
            functions.setdefault(id(found.code), (found, [found.code.co_firstlineno]))
        names = _distinct_names({filename for filename, _ in by_file})
        excerpts: list[Excerpt] = []
        numbers: dict[int, int] = {}  # code -> its excerpt
        for (filename, problem), functions in by_file.items():
            ordered = sorted(
                [(*_lines_of(f.code, at), f) for f, at in functions.values()], key=itemgetter(0, 1)
            )
            end = 0
            for first, last, found in ordered:
                if not end or (first > end and not problem):
                    excerpts.append({"name": names[filename], "first": first, "lines": []})
                numbers[id(found.code)], end = len(excerpts) - 1, max(end, last)
                if found.source is None:
                    excerpts[-1]["problem"] = cast(Problem, problem)
                else:
                    excerpts[-1]["lines"] = found.source.lines[excerpts[-1]["first"] - 1 : end]
        calls = [
            call if found is None else cast(Call, {**call, "source": numbers[id(found.code)]})
            for call, found in zip(self._calls, self._made_of, strict=True)
        ]
        known = {(one["name"], one["first"] + k) for one in excerpts for k in range(len(one["lines"]))}
        excerpts += [one for one in self._makings() if (one["name"], one["first"]) not in known]
        return calls, excerpts

    def _makings(self) -> Iterator[Excerpt]:
        """The statements of earlier cells that made what the code which ran uses: an optimizer, a schedule, another name for a model."""
        used, made, own = set[str](), set[str](), set[str]()
        for code in [one.code for one in self.met.values()]:
            used |= {one.argval for one in get_instructions(code) if one.opname in LOADS}
            if code.co_name == "<module>":
                own.add(code.co_filename)
                made |= {one.argval for one in get_instructions(code) if one.opname == "STORE_NAME"}
        last: dict[str, Excerpt] = {}
        for _, filename, source in sorted(cells(), key=itemgetter(0)):
            for target, first, end in _assignments("\n".join(source.lines)) if filename not in own else ():
                name = re.split(r"[.\[]", target)[0]
                if name in used and name not in made:
                    last[target] = {
                        "name": name_of(filename),
                        "first": first,
                        "lines": source.lines[first - 1 : end],
                    }
        yield from {(one["name"], one["first"]): one for one in last.values()}.values()

    def _helpers(self) -> Iterator[Found]:
        """The user's functions that those which ran call by their names, though no step came from them: they may take numbers out of tensors."""
        user, seen = UserCode(), {id(one.code) for one in self.met.values()}
        own = {one.code.co_filename for one in self.met.values() if one.code.co_name == "<module>"}
        todo = [(one.code, one.variables) for one in self.met.values()]
        while todo:
            code, variables = todo.pop()
            for function in _named_in(code, variables):
                inner = function.__code__
                if id(inner) in seen or not user.has(inner, function.__globals__):
                    continue
                seen.add(id(inner))
                todo.append((inner, function.__globals__))
                found = self.sources.of(inner)
                if found.source is not None and inner.co_filename not in own:
                    yield found


@lru_cache(maxsize=200)
def _assignments(text: str) -> list[tuple[str, int, int]]:
    """What the statements of a text, outside of functions and blocks, make by calls or give a second name: the target, the first and the last line."""
    return [
        (ast.unparse(target), s.lineno, s.end_lineno or s.lineno)
        for s in parsed(text.split("\n")).body if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call | ast.Name | ast.Attribute)
        for target in s.targets if isinstance(target, ast.Name | ast.Attribute)
    ]  # fmt: skip


def _named_in(code: CodeType, variables: Mapping[str, Any]) -> Iterator[FunctionType]:
    """The functions, and the methods of its class, that some code names; of this class and of classes that it names also what Python runs by
    itself."""
    owner = variables.get(code.co_qualname.partition(".")[0])
    for name in code.co_names:
        if isinstance(variables.get(name), FunctionType | type) and _loads(code, name):
            yield from _functions_of(variables.get(name))
        yield from _functions_of(vars(owner).get(name) if isinstance(owner, type) else None)
    yield from _functions_of(owner)


def _loads(code: CodeType, name: str) -> bool:
    """Whether some code uses a variable of this name: the `backward` of `loss.backward()` is none, whatever the user calls so."""
    return any(one.argval == name and one.opname in LOADS for one in get_instructions(code))


def _functions_of(value: Any) -> Iterator[FunctionType]:
    if isinstance(value, type):
        for name in BY_ITSELF:
            yield from _functions_of(getattr(vars(value).get(name), "__func__", vars(value).get(name)))
    elif isinstance(value, FunctionType):
        yield value


def _function_at(place: Place) -> tuple[CodeType, Place | None]:
    """The function that a place is in, and the place that called it."""
    around = place.caller if _in_comprehension(place) else None
    return (place.code, place.caller) if around is None else (around.code, around.caller)


def _is_in_no_function(place: Place) -> bool:
    within = place.caller if _in_comprehension(place) else None
    return place.top or (within is not None and within.top)


def _in_comprehension(place: Place) -> bool:
    return COMPREHENSION.fullmatch(place.code.co_name) is not None


def _lines_of(code: CodeType, at: list[int]) -> tuple[int, int]:
    """The first and the last line of a function; of a module, of what ran of it."""
    if code.co_name == "<module>":
        return min(at), max(at)
    return min(code.co_firstlineno, *at), max(last_line(code), *at)


def _distinct_names(filenames: set[str]) -> dict[str, str]:
    """What to call some files: with as many of their folders as tell them apart."""
    names = {filename: name_of(filename) for filename in filenames}
    for parts in range(2, max([len(Path(f).parts) for f in filenames], default=0) + 1):
        several = {name for name, count in Counter(names.values()).items() if count > 1 and name[:1] != "<"}
        alike = [filename for filename, name in names.items() if name in several]
        names |= {filename: "/".join(Path(filename).parts[-parts:]) for filename in alike}
    return names
