"""How a place in the user's code is worded, and what is written there. All sentences name places by these functions.

A line of the cell is "line 3". In a function of another cell or file it is "line 2 of f (cell 4, called at line 7)". Asked about from another
cell, the cell of the trace is named too: "cell 9, line 3".
"""

from __future__ import annotations

from collections.abc import Iterator

from jgrad.tracing.document.schema import Call, Excerpt, Span, Step, TraceDocument
from jgrad.tracing.document.source import LONGEST_EXPRESSION

PROBLEMS = {"missing": "without source", "changed": "changed since it was loaded"}


class Places:
    """The places of a trace document. `cell`: what to call the cell itself where it is not the one that is read."""

    def __init__(self, document: TraceDocument, cell: str = "") -> None:
        self.source = document["source"]
        self.calls: list[Call] = document.get("calls", [])
        self.sources: list[Excerpt] = document.get("sources", [])
        self.cell = cell
        self._several: dict[tuple[int, str], set[int | None]] | None = None
        self._words: dict[tuple[int | None, int | None], str] = {}

    # Words -------------------------------------------------------------------------------------------------------------------------

    def at(self, step: Step, before: Step | None = None) -> str:
        """ "line 3", "line 2 of f (cell 4, called at line 7)"; nothing where no line is known. `before`: a step that the sentence names before;
        of the same call of a function no more is repeated than "line 3 of f"."""
        if before is not None and self._same_function(step, before):
            call = self.calls[step["call"]]
            return f"line {call['line']} of {self._function(call)}"
        return self.words(step["line"], step.get("call"))

    def words(self, line: int | None, number: int | None) -> str:
        """The words for a line of the cell, or for the place of a call."""
        key = line, number
        known = self._words.get(key)
        if known is None:
            known = self._words[key] = self._at(*key)
        return known

    def _at(self, line: int | None, number: int | None) -> str:
        call = None if number is None else self.calls[number]
        if number is None or call is None:
            return "" if line is None else self.of_line(line)
        here = call["source"] is None
        if here and not self._is_reached_in_several_ways(call):
            return self.of_line(call["line"])
        about = [self._file(call)] if not here else [self.cell] if self.cell else []
        about += ["an older definition of it"] if call.get("older") else []
        about += [self._reached(number)] if call["caller"] is not None else []
        what = self._function(call)
        if not what:
            what = f"line {call['line']}"
            return f"{what} of {about[0]}" + (f" ({', '.join(about[1:])})" if about[1:] else "")
        return f"line {call['line']} of {what}" + (f" ({', '.join(about)})" if about else "")

    def _same_function(self, step: Step, other: Step) -> bool:
        """Whether two steps ran in one call of a function of another cell or file."""
        if "call" not in step or "call" not in other:
            return False
        a, b = self.calls[step["call"]], self.calls[other["call"]]
        same = all(a[key] == b[key] for key in ("source", "function", "caller"))
        return same and a["source"] is not None and bool(self._function(a))

    def of_line(self, line: int) -> str:
        """A line of the cell: "line 3" or "cell 9, line 3"."""
        return self._in_cell(f"line {line}")

    def at_line(self, call: Call, line: int) -> str:
        """Another line of the source that a call is in: "line 3", "line 3 of model.py"."""
        return self.of_line(line) if call["source"] is None else f"line {line} of {self._file(call)}"

    def _in_cell(self, lines: str) -> str:
        if self.cell.startswith("cell "):
            return f"{self.cell}, {lines}"
        return f"{lines} of {self.cell}" if self.cell else lines

    def short(self, step: Step) -> str:
        """The same for parentheses: "line 3", "cell 4, line 2"; nothing where no line is known."""
        number = step.get("call")
        call = None if number is None else self.calls[number]
        if call is None or call["source"] is None:
            line = step["line"] if call is None else call["line"]
            return "" if line is None else self.of_line(line)
        return f"{self._file(call)}, line {call['line']}"

    def _file(self, call: Call) -> str:
        """ "cell 4", "model.py", "<string>, without source"."""
        assert call["source"] is not None
        excerpt = self.sources[call["source"]]
        problem = excerpt.get("problem")
        return excerpt["name"] + (f", {PROBLEMS[problem]}" if problem else "")

    def _function(self, call: Call) -> str:
        """What the function of a call is called: "f", "Net.forward", "a lambda"; nothing for a module."""
        name = call["function"].rpartition("<locals>.")[2]
        return {"<module>": "", "<lambda>": "a lambda", "<genexpr>": "a generator expression"}.get(name, name)

    def _reached(self, number: int) -> str:
        """ "called at line 7", "called through g at line 7"."""
        through: list[str] = []
        caller = self.calls[number]["caller"]
        verb = "called" if self._function(self.calls[number]) else "run"
        while caller is not None and self.calls[caller]["source"] is not None:
            through.append(self._function(self.calls[caller]))
            caller = self.calls[caller]["caller"]
        names = list(dict.fromkeys(name for name in through if name))
        if len(names) > 2:
            names = [names[0], f"{len(names) - 1} more"]
        way = f" through {' and '.join(names)}" if names else ""
        if caller is None:
            return f"{verb}{way}" if way else verb
        return f"{verb}{way} at {self.of_line(self.calls[caller]['line'])}"

    def _is_reached_in_several_ways(self, call: Call) -> bool:
        """Whether a line of the cell is in a function that was called at several lines of it."""
        if self._several is None:
            self._several = {}
            for one in self.calls:
                if one["source"] is None and one["caller"] is not None:
                    callers = self._several.setdefault((one["line"], one["function"]), set())
                    callers.add(self.calls[one["caller"]]["line"])
        return len(self._several.get((call["line"], call["function"]), ())) > 1

    def of_lines(self, lines: list[int]) -> str:
        """Lines of the cell: "line 3", "cell 9, lines 3 and 5"."""
        if len(lines) == 1:
            return self.of_line(lines[0])
        listed = f"{', '.join(map(str, lines[:-1]))} and {lines[-1]}"
        return self._in_cell(f"lines {listed}")

    def line(self, step: Step) -> tuple[int | None, int | None]:
        """The innermost line of user code of a step: (its source, None for the cell; the line)."""
        number = step.get("call")
        if number is None:
            return None, step["line"]
        return self.calls[number]["source"], self.calls[number]["line"]

    # Code --------------------------------------------------------------------------------------------------------------------------

    def where(self, step: Step) -> tuple[int | None, Span | None]:
        """What tells the place of a step from others: its call, and the expression."""
        number = step.get("call")
        return number, step["span"] if number is None else self.calls[number]["span"]

    def runs(self, outer: Step, inner: Step) -> bool:
        """Whether the call in which one step ran has called the function in which another one did."""
        place, number = self.where(outer), inner.get("call")
        while number is not None and (caller := self.calls[number]["caller"]) is not None:
            call, number = self.calls[caller], caller
            if place == (caller, call["span"]) or (call["caller"] is None and place == (None, call["span"])):
                return True
        return False

    def written(self, step: Step) -> tuple[list[str], Span | None]:
        """The lines of a step's place, and where its expression is in them."""
        number = step.get("call")
        if number is None:
            return self.source, step["span"]
        return self._lines(self.calls[number])

    def _lines(self, call: Call) -> tuple[list[str], Span | None]:
        span, source = call["span"], call["source"]
        if source is None:
            return self.source, span
        excerpt = self.sources[source]
        off = excerpt["first"] - 1
        return excerpt["lines"], None if span is None else (span[0] - off, span[1], span[2] - off, span[3])

    def text(self, step: Step) -> str | None:
        """What is written at a place, if it is within one line and short."""
        lines, span = self.written(step)
        if span is None or span[0] != span[2] or not 0 < span[3] - span[1] <= LONGEST_EXPRESSION:
            return None
        return lines[span[0] - 1][span[1] : span[3]]

    def around(self, step: Step) -> Iterator[tuple[list[str], int]]:
        """The code that led to a step, from the inside out: lines, and which of them, counted from 1."""
        number = step.get("call")
        if number is None and step["line"] is not None:
            yield self.source, step["line"]
        while number is not None:
            call = self.calls[number]
            if call["source"] is None:
                yield self.source, call["line"]
            elif lines := self.sources[call["source"]]["lines"]:
                yield lines, call["line"] - self.sources[call["source"]]["first"] + 1
            number = call["caller"]


def run_at(doing: str, at: str) -> str:
    """What ran, and where: "line 3 (y.mul_(2))", "y.mul_(2) in line 2 of f (cell 4)"."""
    if not doing:
        return at
    return f"{doing} in {at}" if at.endswith(")") else f"{at} ({doing})"
