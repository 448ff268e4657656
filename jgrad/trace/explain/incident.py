"""Something that was raised, with all that can be known of it: its words, its line, the trace it ended, the graph it failed in, the
traces before. The rules of `errors.py` ask it."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from jgrad.graph.grad_mode import is_grad_enabled
from jgrad.graph.node import Node
from jgrad.nn import Module
from jgrad.tensor import Tensor
from jgrad.trace.document.log import Log, called_in, statement
from jgrad.trace.document.sentences import short
from jgrad.trace.document.source import loops_around, parsed
from jgrad.trace.explain.grads import reason
from jgrad.trace.explain.history import cut_off, never_had
from jgrad.trace.explain.subject import Subject

if TYPE_CHECKING:
    from jgrad.trace import Trace

UNSEEN = "a line that was not traced"
RETAINED = (
    "Backward goes through a graph of an earlier round, which retain_graph=True kept: take what is carried over without its history, as in "
    "h = h.detach(), and leave retain_graph=True out."
)
ACTIVATIONS = re.compile(
    r"(?:\w*relu6?|r?relu|c?elu|selu|silu|mish|hard\w+|threshold|\w*dropout|clamp(?:_min)?|bernoulli)_"
)
PART = re.compile(r"[\w.]+\[.*\]\s*[-+*/@]*=(?!=)")  # out[i] = ..., out[i] += ...
LONGEST = 60  # characters of an expression that a sentence repeats


class Incident:
    """An error or a warning. `log` and `step` if it ended a trace; `error` if the exception itself is there."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        self.line: int | None = None
        self.what = "this"  # the expression that raised, as it stands in the source
        self.log: Log | None = None
        self.step = -1
        self.roots: Sequence[Tensor] = ()  # where the backward pass that failed began
        self.node: Node | None = None  # and in which node it failed
        self.variables: Mapping[str, Any] = {}
        self.source = ""  # the line, or lines, of the expression
        self.code = ""  # the whole cell
        self.traces: Sequence[Trace] = ()  # those before, the last one first
        self.cells: Mapping[int, str] = {}  # the sources of a notebook's cells, by number

    @classmethod
    def of_step(cls, log: Log, step: int) -> Incident:
        """The error that ended a trace."""
        record = log.steps[step]
        made = cls(record["error"]["type"], record["error"]["message"])
        made.log, made.step, made.line = log, step, record["line"]
        span = record["span"]
        if span is not None:
            made.source = "\n".join(log.source[span[0] - 1 : span[2]])
            made.what = statement(log.source, span, LONGEST) or made.what
        return made

    @classmethod
    def of_error(
        cls,
        error: BaseException,
        variables: Mapping[str, Any],
        traces: Sequence[Trace] = (),
        cells: Mapping[int, str] | None = None,
    ) -> Incident:
        """An exception of code whose global variables these are."""
        made = cls(type(error).__name__, str(error))
        made.variables, made.cells = variables, cells or {}
        made.traces = traces
        tb = error.__traceback__
        place = None
        while tb is not None:
            frame = tb.tb_frame
            if frame.f_globals is variables:
                place = tb
                made.variables = {**variables, **frame.f_locals}
            module, function = frame.f_globals.get("__name__"), frame.f_code.co_name
            if module == "jgrad.autograd.engine" and isinstance(frame.f_locals.get("node"), Node):
                made.node = frame.f_locals["node"]
            elif module == "jgrad.autograd.differentiate" and function == "_differentiate":
                made.roots = [t for t in frame.f_locals["outputs"] if isinstance(t, Tensor)]
            tb = tb.tb_next
        if place is not None:
            made._locate(place)
        if traces:
            last = Log(traces[0].document)
            step = last.steps[-1] if last.steps else None
            if step is not None and step.get("error") == {"type": made.kind, "message": made.message[:2000]}:
                made.log, made.step, made.line = last, len(last.steps) - 1, step["line"]
        return made

    def _locate(self, tb: Any) -> None:
        """The line and the expression at a traceback's place."""
        from jgrad.trace.document.document import Source

        code = tb.tb_frame.f_code
        lines = [text.rstrip("\n") for text in linecache.getlines(code.co_filename, tb.tb_frame.f_globals)]
        self.line = None if code.co_filename.startswith("<%") else tb.tb_lineno
        self.code = "\n".join(lines)
        source = Source(lines)
        span = source.span((code, tb.tb_lasti, tb.tb_lineno))
        if span is not None:
            self.source = "\n".join(lines[span[0] - 1 : span[2]])
            self.what = statement(lines, span, LONGEST) or self.what
        elif 1 <= tb.tb_lineno <= len(lines):
            self.source = lines[tb.tb_lineno - 1]

    # What the sentences say ---------------------------------------------------------------------------------------------------------------

    @property
    def at(self) -> str:
        """ "line 3", or what raised."""
        return self.what if self.line is None else f"line {self.line}"

    def blanks(self) -> dict[str, Any]:
        """What every sentence may say."""
        lead = "" if self.line is None else f"line {self.line}: "
        return {"lead": lead, "at": self.at, "what": self.what}

    def failing(self) -> str:
        """The source of what raised, as far as it is known."""
        known = self.log is not None and self.line is not None and not self.source
        return self.log.source[self.line - 1] if known else self.source  # type: ignore[union-attr,operator]

    def missing(self) -> tuple[str, str] | None:
        """("losses", "backward") of losses.backward() that raised for want of that attribute."""
        attribute = re.search(r"has no attribute '(\w+)'", self.message)
        for node in ast.walk(parsed(self.failing().strip().removesuffix(":").split("\n"))):
            if attribute is not None and isinstance(node, ast.Attribute) and node.attr == attribute[1]:
                owner = ast.unparse(node.value)
                return (owner if len(owner) <= LONGEST else "it"), attribute[1]
        return None

    def _in(self, log: Log, place: str) -> str:
        """A place in a trace, with the trace's name unless it is the one that failed."""
        here = self.log is not None and log.document is self.log.document
        return place if here else f"{place} of {log.title()}"

    def _name(self, cell: Any) -> str:
        """The variable whose version counter this is: one that is no view of another, if there is one."""
        names = {
            n: v
            for n, v in self.variables.items()
            if isinstance(v, Tensor) and v._counter is cell and n[0] != "_"
        }
        return next((n for n, v in names.items() if v._base is None), next(iter(names), ""))

    # modified by an inplace operation -----------------------------------------------------------------------------------------------------

    def overwritten(self) -> Iterator[dict]:
        """Who saved the tensor, who wrote to it."""
        if self.log is not None:
            record = self.log.steps[self.step]
            numbers = [record["node"]] if "node" in record else range(len(self.log.nodes))
            for found in stale(self.log, numbers, self.step):
                calls = [i for i, s in self.log.of("backward") if s["line"] == self.line][
                    :-1
                ]  # before that which failed
                earlier = any(found["since"] < i for i in calls)
                retained = earlier and "retain_graph" in self.source and ".step())" in found["writer"]
                yield found | ({"repair": RETAINED} if retained else {})
                return
        for name, cell, version in stale_saved(self.node):
            saver = self._saver()
            writer, doing, through = self._writer(cell, version)
            if not writer:
                suspect = self._suspect(cell)
                writer = f"{UNSEEN} ({suspect[0]}: {suspect[1]})" if suspect and saver else ""
            if saver or writer:
                label = self._name(cell) or f"its {name}"
                other = f" through {through}" if through and through != label else ""
                yield {
                    "saver": saver or UNSEEN, "name": label, "saved": version, "node": short(self.node.name()),  # type: ignore[union-attr]
                    "writer": f"{writer or UNSEEN} ({doing})" if doing else writer or UNSEEN, "through": other, "now": cell[0],
                    "repair": repair(label, doing),
                }  # fmt: skip
                return

    def overwritten_unseen(self) -> Iterator[dict]:
        """The same from the exception and the graph alone."""
        words = re.search(r"which is output \d+ of (\w+)", self.message)
        versions = re.search(r"is at version (\d+); expected version (\d+)", self.message)
        cell = next((cell for _, cell, _ in stale_saved(self.node)), None)
        suspect = self._suspect(cell)
        name = self._name(cell) or (f"the result of {words[1]}" if words else "")
        yield {
            "node": "backward" if self.node is None else short(self.node.name()),
            "what": f"{name or 'a tensor'} as it was at version {versions[2]}"
            if versions
            else f"{name or 'a tensor'} as it was when it was saved",
            "now": f" (version {versions[1]})" if versions else "",
            "suspect": "" if suspect is None else f"; {suspect[0]} writes to it: {suspect[1]}",
            "copy": f"{name}.clone()" if name and not name.startswith("the result") else "a clone() of it",
        }

    def _saver(self) -> str:
        """Where the node that failed was made: from a trace, or from anomaly mode's traceback."""
        for trace in self.traces:
            number = trace.number_of_node(self.node)
            if number is not None:
                log = Log(trace.document)
                line = log.nodes[number]["line"]
                if line is not None:
                    return self._in(log, f"line {line}")
        stack = [] if self.node is None else self.node.metadata.get("traceback_", [])
        found = re.search(r"line (\d+)", stack[-1]) if stack else None
        return f"line {found[1]}" if found else ""

    def _writer(self, cell: Any, version: int) -> tuple[str, str, str]:
        """(place, operation, tensor) of the first write that a version counter knows after it stood at this version."""
        first = None
        for trace in self.traces:
            counter = trace.counter_of(cell)
            if counter is None:
                continue
            log = Log(trace.document)
            for step, write in log.writes_to.get(counter, ()):
                after = write["versions"][1]
                if after > version and (first is None or after < first[2]["versions"][1]):
                    first = log, step, write
        if first is None:
            return "", "", ""
        log, step, write = first
        return self._in(log, log.at(step)), log.doing(step), log.name(write["tensor"], step)

    def _suspect(self, cell: Any) -> tuple[str, str] | None:
        """(place, statement) of the last line that writes in place to a variable with this version counter: of the cell that failed, or of those before it back to
        the one that gave the variable its value."""
        names = {name for name, v in self.variables.items() if isinstance(v, Tensor) and v._counter is cell}
        cells = [
            (0, self.code),
            *sorted(((k, c) for k, c in self.cells.items() if c.strip() != self.code.strip()), reverse=True),
        ]
        for number, source in cells:
            writes, bound = writes_in(source, names)
            last = next(
                ((n, text) for n, text in reversed(writes) if number or self.line is None or n < self.line),
                None,
            )
            if last is not None:
                return f"line {last[0]}{f' of cell {number}' if number else ''}", last[1]
            names -= bound
        return None

    # a second time, no history, None ------------------------------------------------------------------------------------------------------

    def freed(self) -> tuple[Log, int, int | None] | None:
        """(trace, step, node) by which the saved tensors that backward needs again were freed."""
        if self.log is not None:
            number = self.log.steps[self.step].get("node")
            freed = None if number is None else self.log.nodes[number]["freed_step"]
            if freed is None:
                freed = max(
                    (n["freed_step"] for n in self.log.nodes if n["freed_step"] is not None), default=None
                )
            if freed is not None:
                return self.log, freed, number
        for trace in self.traces:
            number = trace.number_of_node(self.node)
            freed = None if number is None else trace.document["nodes"][number]["freed_step"]
            if freed is not None:
                return Log(trace.document), freed, number
        return None

    def freer(self) -> dict[str, Any]:
        """Which line freed the saved tensors, and what to do about it."""
        found = self.freed()
        blanks: dict[str, Any] = {
            "freer": "an earlier call",
            "of": "" if self.node is None else f" of {short(self.node.name())}",
            "lines": [],
        }
        repair = "Pass retain_graph=True to the first, or compute the result anew."
        if found is not None:
            log, step, node = found
            blanks["freer"] = self._in(log, log.at(step))
            if node is not None:
                blanks["of"] = f" of {log.node(node) if log is self.log else short(log.nodes[node]['name'])}"
            if log is self.log:
                blanks["lines"] = log.lines(step, self.step)
                roots = [
                    log.name(s["roots"][0], i)
                    for i, s in enumerate(log.steps)
                    if s["kind"] == "backward" and s["roots"]
                ]
                if len(roots) > 1 and len({*roots[-2:]}) == 2:
                    repair = (
                        f"Run one backward() from {roots[-2]} + {roots[-1]}, or pass retain_graph=True to the first; if one of them should not "
                        "go through it, cut the graph there with detach()."
                    )
        return blanks | {"repair": repair}

    def carried(self) -> dict[str, str]:
        """What a round of a loop took over from the round before, or from before the loop: a sentence, and what to do about it."""
        source = self.code.split("\n") if self.log is None else self.log.source
        loop = next(iter(loops_around(source, [] if self.line is None else [self.line])), None)
        found = self.freed()
        if found is not None and found[0] is self.log:
            log, freed, _ = found
            calls = [(i, s) for i, s in log.of("backward") if i < self.step]
            roots = [(calls[-1][0], t) for t in calls[-1][1]["roots"]] if calls else []
            for i, t in roots:
                if log.tensors[t]["created_step"] <= freed:
                    return self._from_before(log.name(t, i), log.maker.get(t), f"{self.at} starts at", loop)
            for i in range(freed + 1, self.step):
                step = log.steps[i]
                for t in step.get("reads", ()) if step["kind"] in ("op", "view", "write") else ():
                    known = log.state(t, i)
                    name = log.name(t, i - 1)
                    if (
                        known["created_step"] <= freed
                        and known["grad_fn"] is not None
                        and not known["is_leaf"]
                        and re.fullmatch(r"[A-Za-z_][\w.]*", name)
                    ):
                        return self._from_before(name, log.maker.get(t), f"{log.at(i)} went on from", loop)
        elif loop is not None:
            root = re.match(r"\w+(?=\.backward\()", self.what)
            given = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            if root is not None and root[0] not in given:
                return self._from_before(root[0], None, f"{self.at} starts at", loop)
        return {
            "what": "something in this round was computed from a result of that one",
            "repair": "Take it over without its history, as in h = h.detach(), or compute it anew in each round.",
        }

    def _from_before(
        self, name: str, maker: int | None, goes_on: str, loop: ast.stmt | None
    ) -> dict[str, str]:
        """The same for what has this name, which a step made: in a round of the loop, or before it."""
        line = None if maker is None or self.log is None else self.log.steps[maker]["line"]
        again: list[Any] = [] if loop is None else [loop]
        if self.log is not None:  # what a function computes, it may compute in each round
            again += [n for n in ast.walk(self.log.tree) if isinstance(n, (ast.FunctionDef, ast.Lambda))]
        repair = f"Take it over without its history, as in {name} = {name}.detach(), or compute it anew in each round."
        if line is not None and any(n.lineno <= line <= (n.end_lineno or line) for n in again):
            return {"what": f"{goes_on} {name}, a result of that one", "repair": repair}
        each = "anew each time" if loop is None else "within the loop, anew in each round"
        when = "" if loop is None else " the loop" if line is None else ", before the loop"
        computed = f"was computed before{when}" if line is None else f"line {line} computed once{when}"
        if goes_on.endswith("starts at"):
            repair = f"Compute {name} {each}."
        return {"what": f"{goes_on} {name}, which {computed}", "repair": repair}

    def again_in_a_loop(self, freed: str) -> str:
        """ "in an earlier round of the loop" if it was the same line that freed what the backward that fails needs; nothing if it was not."""
        loop = self.line is not None and in_loop(
            self.code if self.log is None else "\n".join(self.log.source), self.line
        )
        if self.log is not None and freed == self.at:
            return "in an earlier round of the loop" if loop else "when this line ran before"
        return "in an earlier round of the loop" if loop and self.log is None else ""

    def why_no_history(self) -> str:
        """Why the tensor that backward starts at has no grad_fn."""
        if self.roots and not is_grad_enabled():
            return "recording is switched off, since set_grad_enabled(False)."
        known = list(self._known_roots())
        for log, number, end in known:
            why = cut_off(log, number, end, partial(self._in, log))
            if why:
                return why
        for log, number, end in known:
            why = never_had(log, number, end, partial(self._in, log), self.variables)
            if why:
                return why
        why = "nothing it was computed from requires grad"
        if self.variables and next(requiring(self.variables.values()), None) is None:
            return f"{why}, as no variable does. Make what is to be learned with requires_grad=True."
        suspect = next(cuts_in(self.code, self.line), None)
        if suspect is not None:
            return f"{why}, or something cut it off, as {suspect[1]} in line {suspect[0]} does."
        return f"{why}, or detach(), .data or no_grad() cut it off."

    def _known_roots(self) -> Iterator[tuple[Log, int, int]]:
        """What backward may have started at: (log, tensor, step before which it was made)."""
        said = dict.fromkeys(re.findall(r"\w+\.grad\b", self.what) + re.findall(r"[A-Za-z_]\w*", self.what))
        if self.log is not None:
            log = self.log
            numbers = [log.numbered(name, self.step) for name in said]
            made = [
                step["makes"][-1] for step in log.steps[: self.step]
                if step.get("makes") and step["kind"] in ("op", "view") and step["line"] == self.line and self.line is not None
            ]  # fmt: skip
            yield from ((log, n, self.step) for n in [*made[-1:], *numbers] if n is not None)
        named = [self.variables.get(name) for name in said]
        for tensor in [*self.roots, *(t for t in named if isinstance(t, Tensor))]:
            for trace in self.traces if not tensor.requires_grad else ():
                number = trace.number_of(tensor)
                if number is not None:
                    log = Log(trace.document)
                    yield log, number, len(log.steps)

    def maker_of_viewed(self) -> str:
        """ ", since line 2 made it with t()", of the tensor whose view() failed."""
        said = re.search(r"(\w+)\.view\(", self.what)
        number = None if self.log is None or said is None else self.log.numbered(said[1], self.step)
        if self.log is None or number not in self.log.maker:
            return ", as after a transpose"
        step = self.log.maker[number]
        return f", since {self.log.at(step)} made it with {self.log.steps[step]['op']}()"

    def none_grads(self) -> Iterator[str]:
        """The tensors whose .grad the failing line reads though it is None."""
        for name in dict.fromkeys(re.findall(r"([A-Za-z_]\w*(?:\.\w+|\[\d+\])*)\.grad\b", self.failing())):
            subject = self._subject(name)
            if subject is not None and not subject.has_grad:
                yield name

    def why_none(self, name: str) -> str:
        """Why the .grad of a tensor is None."""
        subject = self._subject(name)
        assert subject is not None
        return reason(subject)["text"].removeprefix(f"{subject.name}.grad is None: ")

    def _subject(self, name: str) -> Subject | None:
        subject = None if self.log is None else Subject.of(self.log, name)
        if subject is not None:
            return subject  # else p of a loop over parameters, which have names of their own
        try:
            value = eval(name, {}, dict(self.variables))
        except Exception:
            return None
        if not isinstance(value, Tensor):
            return None
        subject = Subject.best(name, value, self.traces)
        if subject.log is not None and subject.number is not None:
            names = [n for _, n in subject.log.tensors[subject.number]["names"] if n]
            subject.name = name if name in names or not names else names[-1]
        subject.code = self.code
        return subject


def stale(log: Log, numbers: Any, end: int | None) -> Iterator[dict]:
    """Of some nodes of a log the first that saved a tensor which something wrote to later (before step `end`)."""
    for number in numbers:
        node = log.nodes[number]
        for saved in node["saved"]:
            if saved["tensor"] is None:
                continue
            counter = log.tensors[saved["tensor"]]["version_counter"]
            for i, write in log.writes_to.get(counter, ()):
                late = end is None or i < end
                if write["versions"][1] > saved["version"] and i >= node["created_step"] and late:
                    made = log.node_maker.get(number)
                    name, writer = (log.known_as(t, i) for t in (saved["tensor"], write["tensor"]))
                    doing = log.doing(i)
                    yield {
                        "step": i if end is None else end, "tensors": [saved["tensor"]], "lines": log.lines(made, i),
                        "saver": log.at(made), "name": name, "saved": saved["version"], "node": short(node["name"]),
                        "writer": f"{log.at(i)} ({doing})", "through": "" if writer in (name, doing) or name in writer else f" through {writer}",
                        "now": write["versions"][1], "repair": _repair_of(log, i, made, name, write["tensor"]), "since": node["created_step"],
                    }  # fmt: skip
                    return


def _repair_of(log: Log, writer: int, saver: int | None, name: str, written: int) -> str:
    """What to do about a write, by a step, to what another saved."""
    doing, line = log.doing(writer), log.steps[writer]["line"]
    if writer == saver:
        return "Use the operation that makes a new tensor: its derivative needs what it overwrites."
    target = log.state(written, writer)
    own = not doing.endswith(".step()") and not doing.startswith("embedding_renorm_")
    if own and target["is_leaf"] and target["requires_grad"]:
        return f"Run every backward() that goes through it before {log.at(writer)}, or compute the result anew after it."
    if PART.match(doing) and line is not None and in_loop("\n".join(log.source), line):
        return f"Collect the parts in a list and join them with stack() or cat(), or read a copy, as in {name}[0].clone()."
    text, op = log.text(writer), log.steps[writer]["op"]
    called = called_in(text)  # also where the sentence is too short for it
    return repair(name, f"{op} in {text}" if called and called.strip("_") != op.strip("_") else doing)


def repair(name: str, writer: str) -> str:
    """What to do about a write to a tensor that was saved."""
    if writer.endswith(".step()"):
        return (
            "Run every backward() that goes through it before that step, or compute the result anew after it."
        )
    if writer.startswith("embedding_renorm_"):
        return f"Each lookup with max_norm= rescales rows of the weight in place: look up first, or compute from {name}.clone()."
    operation, within, _ = writer.partition(" in ")
    if within and (ACTIVATIONS.fullmatch(operation) or "inplace=True" in writer):
        return "A layer or function with inplace=True does that: leave inplace=True out."
    if within:
        return f"What is called there writes in place by {operation}(): use the operation that makes a new tensor, or leave inplace=True out."
    return f"Write to {name}.clone(), or use the operation that makes a new tensor."


def stale_saved(node: Any) -> Iterator[tuple[str, Any, int]]:
    """(name, version cell, version when saved) of what a living node saved and something wrote to since."""
    found = [] if node is None else [(name, t._counter, version) for name, t, version in node._saved()]
    for _, name in getattr(
        node, "saved_results", ()
    ):  # of results, a node of an operation keeps the array and the cell
        found.append((name, getattr(node, f"c_{name}"), getattr(node, f"v_{name}")))
    if hasattr(node, "_entries_by_name"):  # of a custom Function
        found += [(name, entry.cell, entry.version) for name, entry in node._entries_by_name()]
    for name, cell, version in found:
        if isinstance(cell, list) and cell[0] != version:
            yield name, cell, version


def requiring(values: Iterable[Any]) -> Iterator[Tensor]:
    """Of some values, and what lies in them, the tensors that require grad."""
    for value in values:
        if isinstance(value, Tensor):
            if value.requires_grad:
                yield value
        elif isinstance(value, (list, tuple)):
            yield from requiring(value)
        elif isinstance(value, dict):
            yield from requiring(value.values())
        elif isinstance(value, Module):
            yield from requiring(value.parameters())


CUTS = re.compile(
    r"\b(?:detach|item|tolist|numpy|long|int|argmax|argsort|round)\(\)|\.data\b|\b(?:no_grad|inference_mode)\(\)|\bset_grad_enabled\(False\)|\.tensor\("
)


def cuts_in(source: str, end: int | None) -> Iterator[tuple[int, str]]:
    """(line, words) of what may have cut a graph in a cell, the last one before line `end` first."""
    for number, line in reversed(list(enumerate(source.split("\n"), 1))):
        found = CUTS.findall(line.partition("#")[0]) if end is None or number <= end else []
        for words in reversed(found):
            yield number, f"{words.removeprefix('.')})" if words.endswith("(") else words


def in_loop(source: str, line: int) -> bool:
    """Whether a line of a cell stands in a loop."""
    loops = [node for node in ast.walk(parsed(source.split("\n"))) if isinstance(node, (ast.For, ast.While))]
    return any(loop.body[0].lineno <= line <= (loop.end_lineno or line) for loop in loops)


LOOKS = (
    "detach",
    "view",
    "reshape",
    "t",
    "transpose",
    "permute",
    "expand",
    "squeeze",
    "unsqueeze",
    "flatten",
    "narrow",
    "select",
    "T",
    "mT",
)


def writes_in(source: str, names: set[str]) -> tuple[list[tuple[int, str]], set[str]]:
    """(line, statement) of what writes in place to one of these variables: `y.mul_(2)`, `y += 1`, `y.detach()[0] = 1`, `out=y`; and
    which of them the source gives a value."""
    lines = source.split("\n")
    tree = parsed(lines)
    found: list[tuple[int, str]] = []
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        target: ast.AST | None = None
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and re.fullmatch(r"[a-z]\w*[a-z0-9]_", node.func.attr):
                target = node.func.value
            target = next((k.value for k in node.keywords if k.arg == "out"), target)
        elif isinstance(node, ast.AugAssign):
            target = node.target
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            target = node.targets[0]
        while True:  # to the variable through which it is seen
            if isinstance(target, ast.Subscript) or (
                isinstance(target, ast.Attribute) and target.attr in LOOKS
            ):
                target = target.value
            elif isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute):
                target = target.func
            else:
                break
        if isinstance(target, ast.Name) and target.id in names:
            line = target.lineno
            found.append((line, lines[line - 1].strip()[:LONGEST]))
    return sorted(found), bound & names
