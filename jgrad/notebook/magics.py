"""The IPython magics: `%%trace` records a cell, `%grad` differentiates an expression, and small ones for a single look.

Everything here works in a terminal too, where the views are text. Bad input is answered by one line (a `UsageError`) that shows what to
write instead. `cell` compiles and runs a traced cell, as `%%time` does, so that it behaves as it would without the magic.
"""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, cast

import numpy as np
from IPython.core.error import UsageError
from IPython.core.magic import (
    Magics,
    cell_magic,
    line_cell_magic,
    line_magic,
    magics_class,
    needs_local_scope,
    no_var_expand,
)
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from jgrad import manual, mirrors, warn
from jgrad import trace as tracing
from jgrad.asking.answer import Answer, about_error, about_warnings, remarks, whole
from jgrad.asking.facts import facts
from jgrad.asking.naming import BadInput, no_tensor, value_of
from jgrad.asking.question import about_incident, answer, named
from jgrad.notebook import completion, fixing, tracebacks, trial
from jgrad.notebook.arrays import as_tensor
from jgrad.notebook.attributes import attributes
from jgrad.notebook.before import Before
from jgrad.notebook.cell import AwaitTransformer, Code, Traced, above, code_of, compile_cell, compile_line
from jgrad.notebook.derivative import Gradients, differentiate, evaluate, snapshot, still
from jgrad.notebook.every import EveryCell
from jgrad.notebook.help import helped, option_words, with_options
from jgrad.notebook.lines import (
    condition_named,
    expressions,
    grad_line,
    names_in,
    place_named,
    positive_number,
    rounds_named,
    views_named,
    without_live,
)
from jgrad.notebook.nested import transformed
from jgrad.notebook.opening import Shown, cursor_at
from jgrad.notebook.predicting import Predictions
from jgrad.notebook.tables import Table, summary
from jgrad.tensor import Tensor
from jgrad.tracing import explain
from jgrad.tracing.document.comparison import Comparison
from jgrad.tracing.document.passage import Passage, Repair
from jgrad.tracing.document.schema import TraceDocument
from jgrad.tracing.explain import protocol
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.record.held import held
from jgrad.tracing.record.recorder import MAX_STEPS
from jgrad.tracing.record.scope import parse
from jgrad.tracing.record.user_code import UserCode, files_of

USAGE = "%%trace [--view storage,graph] [--name NAME] [--watch a,b] [--into nn] [--max-steps N] [--rounds 310:320] [--stop EXPRESSION] [--at STEP] [--present] [--no-show]"
# A cell that only asks for something: a line magic that runs no statement, a help, a comment.
LOOKS = re.compile(r"(?:%(?!(?:trace|time|timeit|prun|run)\b)[^%\n].*|\?.*|.*\?|#.*)?")


class Named(dict[str, Any]):
    """The tensors that a line names, by their texts; mirrors live no longer than their tensors, which nothing else may hold."""

    def __init__(self) -> None:
        super().__init__()
        self.originals: list[Any] = []


@magics_class
class JgradMagics(Magics):
    """`%%trace`, `%grad` and related magics."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._following: list[tuple[Any, Callable[[], TraceDocument]]] = []
        self.before: list[Before] = []  # how things were before the last cells
        self.ran: deque[tuple[Any, str]] = deque(maxlen=50)  # the cells that ran: where, and their text
        self.tried: deque[Repair] = deque(maxlen=10)
        self.every = EveryCell(shell)
        self.ends = ExitStack()  # what lasts until the extension is unloaded
        self.predictions = Predictions(shell)

    @no_var_expand
    @cell_magic
    @helped
    def predict(self, line: str, cell: str) -> None:
        """Run a cell as ever, and say how much of your prediction is right."""
        # A `%%predict` in the first line never gets here: `Predictions` takes the line away before IPython reads the cell.
        if cell.strip():
            raise UsageError("%%predict: write it in the first line of the cell, above the other magics")
        raise UsageError("%%predict: the cell is empty; write the code to run below the %%predict line")

    @with_options("    %%trace [OPTIONS]\n    CELL\n\n    %trace [OPTIONS] STATEMENT")
    @magic_arguments()
    @argument(
        "--view",
        nargs="*",
        help="views to show first: training, timeline, storage, graph, accumulation, scatter. Live, the others that apply are tabs behind them.",
    )
    @argument("--name", default=None, help="what to call the trace. Default: the cell's number.")
    @argument("--watch", nargs="*", help="further variables to follow.")
    @argument(
        "--max-steps", default=None, help=f"steps to keep. Default: {MAX_STEPS}, or more of long rounds."
    )
    @argument("--rounds", default=None, help="rounds of a training loop to keep in full: 310:320.")
    @argument(
        "--stop",
        default=None,
        help="stop the cell when this is true after a backward() or a step: 'loss != loss'.",
    )
    @argument(
        "--into",
        nargs="*",
        help="libraries whose lines to name too, such as nn.",
    )
    @argument(
        "--at",
        default=None,
        help="the step at which the views open: a number, write, backward, error or end. Default: the end.",
    )
    @argument(
        "--present",
        action="store_true",
        help="open the views over the whole window, for a lecture. Keys: Page Down, Page Up; p or Esc ends it.",
    )
    @argument(
        "--no-show",
        action="store_true",
        help="do not show. %%why, %%accumulate and jgrad.trace.recent know the trace.",
    )
    @no_var_expand
    @needs_local_scope
    @line_cell_magic
    @helped
    def trace(self, line: str, cell: str | None = None, local_ns: dict[str, Any] | None = None) -> Any:
        """Run a cell, or one line, as ever. Record what autograd does in it, and show it.
        `%trace on` records every cell, quietly, until `%trace off`.

        Examples:

            %%trace --view storage,graph
            x = jgrad.tensor([1., 2., 3.], requires_grad=True)
            y = (x * x).sum()
            y.backward()

            %trace (x * x).sum().backward()
        """
        if cell is None and line.strip() in ("on", "off"):
            self.every.turn(line.strip() == "on")
            return None
        words, statement = (line, "") if cell is not None else option_words(self.trace.parser, line)
        options = self._arguments("trace", words)
        views = views_named(options.view)
        watch = names_in(",".join(options.watch or ()))
        for name in watch:
            if not name.isidentifier():
                raise UsageError(f"%%trace --watch: {name!r} is not a variable name; write --watch a,b")
        into = names_in(",".join(options.into or ()))
        for module in into:
            try:
                files_of(module)
            except ValueError as wrong:
                raise UsageError(f"%%trace --into: {wrong}; write for example --into nn") from None
        steps = positive_number(options.max_steps, "%%trace --max-steps")
        name = options.name and options.name.strip("\"'")
        rounds = rounds_named(options.rounds)
        condition = condition_named(options.stop)
        at = place_named(options.at)
        if cell is None:
            code = self._code_of_line(words, statement)
            name = name or statement
        else:
            code = self._code_of_cell(line, cell)
        run = Traced(self.shell, code, name, watch, steps, local_ns if cell is None else None, into, rounds)
        run.trace.condition = condition
        if not options.no_show:
            from jgrad.views.widget import early

            run.trace.early = early(views)
        shown = None if options.no_show else Shown(views, at, options.present)
        if run.awaits:
            return self._traced_async(run, shown)
        value, error = run.line() if cell is None else (None, run.sync())
        self._finish(run, shown, error)
        return value

    def _code_of_cell(self, line: str, cell: str) -> Code:
        """What `%%trace` runs, with the lines above it, such as one of `%%time`."""
        python = transformed(self.shell, cell)
        if not parse(code_of(python)).body:
            raise UsageError("%%trace: the cell is empty; write the code to trace below the %%trace line")
        return compile_cell(self.shell, above(self.running, cell), f"%%trace {line}".rstrip(), cell, python)

    def _code_of_line(self, words: str, statement: str) -> Code:
        """What `%trace` runs."""
        if not statement:
            raise UsageError(
                "%trace: nothing to trace; write for example %trace y.backward(), %%trace above a cell, or %trace on for every cell"
            )
        try:
            return compile_line(self.shell, f"%trace {words} ".replace("  ", " "), statement)
        except SyntaxError as error:
            raise UsageError(f"%trace: {statement} is not a statement of Python ({error.msg})") from None

    async def _traced_async(self, run: Traced, shown: Shown | None) -> None:
        error = await run.asynchronous()
        self._finish(run, shown, error)

    def _finish(self, run: Traced, shown: Shown | None, error: BaseException | None) -> None:
        tracing.recent.append(run.trace)
        if shown is not None and not isinstance(error, (SystemExit, GeneratorExit)):
            from jgrad import views

            self.predictions.pause()
            recorder = run.trace._recorder  # is taken apart when all is shown: that takes a while too
            try:
                document = run.trace.document
                cursor = len(document["steps"]) if error is not None else None
                if shown.at is not None:
                    cursor = cursor_at(document, shown.at)
                widget = views.show(document, shown.views, cursor, early=run.trace.early)
                run.trace.shown_in(widget)
                if widget is not None:
                    widget.present = shown.present
            except Exception as e:  # the cell's own result matters more
                print(f"%%trace: the views could not be shown ({type(e).__name__}: {e})", file=sys.stderr)
            del recorder
        condition = run.trace.condition
        if condition is not None and not condition.stopped:
            print(f"%%trace {condition.remark()}", file=sys.stderr)
        for failure in run.trace.failures[:1]:
            what = f"{type(failure).__name__}: {failure}"
            print(f"%%trace: part of the trace is missing ({what})", file=sys.stderr)
        if error is not None:
            run.trim(error)
            raise error
        self.last_error = None

    @no_var_expand
    @line_magic
    @helped
    def grad(self, line: str) -> Gradients:
        """Differentiate an expression with respect to variables, without touching any
        `.grad`."""
        text, names, order = grad_line(line)
        with _one_line():
            found = differentiate(text, names, order, self.shell.user_ns)
        found.display = self._display
        return found

    def _display(self, found: Gradients) -> None:
        self.shell.display_pub.publish({"text/plain": repr(found), "text/html": found._repr_html_()})
        self._show(found.document, ["graph"])

    @no_var_expand
    @line_magic
    @helped
    def storage(self, line: str) -> None:
        """Show how tensors lie in memory, and which of them share it."""
        line, live = without_live(line)
        tensors = self._tensors(line, "storage", arrays=True)
        widget = self._show(snapshot(tensors, self.shell.user_ns), ["storage"])
        if live:
            self._follow("storage", widget, [*tensors], lambda texts: still(texts, self.shell.user_ns))

    @no_var_expand
    @line_magic
    @helped
    def graph(self, line: str) -> None:
        """Show the backward graph that leads to a tensor."""
        line, live = without_live(line)
        tensors = self._tensors(line, "graph")
        for name, tensor in tensors.items():
            if not tensor.requires_grad:
                raise UsageError(
                    f"%graph: {name} does not require grad, so it has no graph; ask %why {name}.grad"
                )
        widget = self._show(snapshot(tensors, self.shell.user_ns), ["graph"])
        if live:
            self._follow("graph", widget, [*tensors], lambda texts: still(texts, self.shell.user_ns))

    @no_var_expand
    @line_magic
    @helped
    def accumulate(self, line: str) -> None:
        """Show what each backward() of the last trace added to the `.grad` of tensors, by
        default of all."""
        line, live = without_live(line)
        names = names_in(line.replace(" ", ","))
        widget = self._show(self._accumulated(names), ["accumulation"])
        if live:
            self._follow("accumulate", widget, names, self._accumulated)

    def _accumulated(self, names: list[str]) -> TraceDocument:
        """The last trace in which gradients arrived at these tensors."""
        if not tracing.recent:
            raise UsageError(
                "%accumulate: no trace was recorded yet; run a cell that calls backward() with %%trace in its first line"
            )
        known: dict[str, None] = {}
        for trace in reversed(tracing.recent):
            log = explain.Log(trace.document)
            here = dict.fromkeys(log.name(s["grad"]["tensor"]) for s in log.steps if "grad" in s)
            if here and all(name in here for name in names):
                return _only(trace.document, names) if names else trace.document
            known |= here
        others = f"; gradients arrived at {', '.join(known)}" if known else ""
        raise UsageError(
            f"%accumulate: no gradient arrived at {listed(names) if names else 'any tensor'} in the last traces{others}"
        )

    @no_var_expand
    @line_magic
    @helped
    def scatter(self, line: str) -> Any:
        """Run an expression of the scatter and gather family, and show which element went
        where."""
        if not line.strip():
            raise UsageError(
                "%scatter: no expression; write for example %scatter out.scatter_(0, index, src)"
            )
        with _one_line():
            _, trace = evaluate(line.strip(), self.shell.user_ns, "scatter", lambda value: None)
        document = trace.document
        if not any("index_map" in step for step in document["steps"]):
            raise UsageError(
                f"%scatter: {line.strip()} moves no elements by an index; use scatter_, gather, index_add_, take_along_dim or a related operator"
            )
        self._show(document, ["scatter"])

    @no_var_expand
    @line_magic
    @helped
    def leaves(self, line: str) -> Table:
        """List the leaves that collect gradients, also those in models, lists and dicts,
        with their values and gradients."""
        if line.strip():
            raise UsageError(
                "%leaves: this magic lists all leaves and takes no argument; write %attributes x to look at x"
            )
        rows, seen = [], set()
        for name, value in held(self.shell.user_ns).items():
            if value.requires_grad and value.is_leaf and id(value) not in seen:
                seen.add(id(value))
                grad = "None" if value._grad is None else summary(value._grad)
                rows.append([name, str(list(value.shape)), value.dtype.name, summary(value), grad])
        return Table(
            ["name", "shape", "dtype", "value", "grad"],
            rows,
            "no variable holds a leaf that requires grad",
        )

    @no_var_expand
    @line_magic
    @helped
    def attributes(self, line: str) -> Table:
        """Show the eight main attributes of tensors, side by side."""
        every = re.search(r"(?:^|\s)--all(?:\s|$)", line)
        return attributes(
            self._tensors(line.replace("--all", "") if every else line, "attributes"), bool(every)
        )

    @no_var_expand
    @line_magic
    @helped
    def compare(self, line: str) -> Comparison:
        """Show two traces side by side: where they part, and what differs. Without names:
        the last two."""
        names = expressions(line)
        if len(names) not in (0, 2):
            raise UsageError(
                f"%compare: two traces are needed, not {len(names)}; write for example %compare a b"
            )
        if not names and len(tracing.recent) < 2:
            raise UsageError(
                "%compare: fewer than two traces were recorded; record two cells with %%trace --name a and %%trace --name b"
            )
        a, b = [self._trace(name) for name in names] or [t.document for t in list(tracing.recent)[-2:]]
        return tracing.compare(a, b)

    def _trace(self, name: str) -> TraceDocument:
        """The document that a name means: of a trace, of a variable, of a file."""
        name = name.strip("\"'")
        for trace in reversed(tracing.recent):
            if trace.name == name:
                return trace.document
        value = self.shell.user_ns.get(name)
        try:
            if isinstance(value, (tracing.Trace, dict)):
                return tracing.document_of(value)
            if os.path.isfile(name):
                return tracing.document_of(name)
        except (ValueError, OSError) as error:
            raise UsageError(f"%compare: {error}") from None
        known = ", ".join(dict.fromkeys(t.name for t in tracing.recent))
        there = f"the last ones are {known}" if known else "no trace was recorded yet"
        raise UsageError(
            f"%compare: there is no trace {name!r}, {there}; write %%trace --name {name} in the first line of a cell"
        )

    @no_var_expand
    @line_magic
    @helped
    def why(self, line: str) -> None:
        """Say why a `.grad` is what it is, why something raised, what a tensor is to
        autograd, what in a model does not train."""
        asked = re.fullmatch(r"(--trace(?=\s|$))?(.*?)(\s--trace)?\s*", line.strip(), re.DOTALL)
        assert asked is not None
        text, traced = asked[2].strip(), bool(asked[1] or asked[3])
        self.question = text
        if not traced:
            self.answered = self._passages(text)
            Answer(self.answered, names=self.shell.user_ns).show()
            return
        with protocol.kept() as rules:
            self.answered = self._passages(text)
            if not text and tracing.recent:  # the rules about a trace were asked when it ended
                trace = tracing.recent[-1]
                explain.findings(explain.Log(trace.document), trace.living)
        Answer(self.answered, names=self.shell.user_ns).show()
        print(protocol.listing(rules))

    @no_var_expand
    @line_magic
    @helped
    def fix(self, line: str) -> Comparison | None:
        """Show the repair that the last answer of `%why` proposes, as a diff."""
        option = line.strip()
        if option not in ("", "--try", "--apply"):
            raise UsageError(f"%fix: {option!r} is no option; write %fix, %fix --try or %fix --apply")
        if not self.answered:
            raise UsageError("%fix: nothing was asked yet; write %why after an error or a trace, then %fix")
        passage = next((p for p in self.answered if p.repair is not None), None)
        if passage is None or passage.repair is None:
            raise UsageError(
                "%fix: no edit of your code fits the last answer for certain; its sentence says what may help"
            )
        try:
            fixing.current(passage.repair, self.ran)
            print(fixing.shown(passage.repair))
            text = fixing.new_cell(passage.repair) if option else ""
        except (fixing.Overlap, fixing.Elsewhere, fixing.Edited) as wrong:
            raise UsageError(f"%fix: {wrong}") from None
        if option == "--try":
            with _one_line():
                return self._try(passage, text)
        if option:
            self.shell.set_next_input(text)
        elif passage.repair not in self.tried:
            print(fixing.NOT_TRIED)
        return None

    def _try(self, passage: Passage, text: str) -> Comparison:
        """What came of a repair. `text`: the mended cell."""
        assert passage.repair is not None
        cell = "\n".join(passage.repair.cell)
        before = next((b for b in reversed(self.before) if fixing.same(b.cell, cell)), None)
        if before is None:
            raise BadInput("%fix --try: the cell is not the last that ran, so how things were before it is not known; nothing was run")  # fmt: skip
        line = next((one for one in before.cell.split("\n") if trial.MAGIC.match(one)), "")
        options = self._arguments("trace", line.strip().removeprefix("%%trace").strip())
        steps = positive_number(options.max_steps, "%%trace --max-steps")
        attempt = trial.Trial(self.shell, before, text, {"max_steps": steps, "rounds": rounds_named(options.rounds)})  # fmt: skip
        undone = before.undone()
        if undone:
            print(f"%fix --try runs the cell again. This can't be undone: {listed(undone)}.")
        first = None
        if passage.log is not None:
            first = next((t for t in tracing.recent if t.document is passage.log.document), None)
        one, other, said = attempt.run(first, self.question, passage.code)
        if passage.repair not in self.tried:
            self.tried.append(passage.repair)
        print("\n".join(said))
        print("Your variables are as they were before %fix. Write %fix --apply to put the mended cell into the next cell.")  # fmt: skip
        return tracing.compare(one, other)

    answered: Sequence[Passage] = ()  # the last answer of %why
    question = ""  # what was asked

    def _passages(self, text: str) -> list[Passage]:
        traces = whole(reversed(tracing.recent))
        variables = self.shell.user_ns
        cells = dict(enumerate(self.shell.history_manager.input_hist_raw))
        if not text:
            return self._what_happened(traces, variables, cells)
        error = self.last_error
        if error is not None and not re.fullmatch(r"[\w.]+", text):
            incident = explain.Incident.of_error(error, variables, traces, cells)
            if text in incident.source:
                return named([about_incident(incident)], variables)
        with _one_line():
            return answer(text, variables, traces, cells)

    def _what_happened(self, traces: list[Any], variables: dict, cells: dict[int, str]) -> list[Passage]:
        """About the error of the cell before, or else about the last trace, or else about the warnings of the cell before."""
        if self.last_error is not None:
            return about_error(self.last_error, variables, traces, cells)
        log = explain.Log(tracing.recent[-1].document) if tracing.recent else None
        found = [] if log is None else remarks(log)
        notes = log.document["notes"] if log is not None and self.just_traced else []
        warned = named(about_warnings(self.warned, notes), variables)
        if self.just_traced:
            found += warned
        elif warned:
            found = warned
        elif found and log is not None:
            found.insert(0, Passage(f"In {log.title()}, the last one that was traced:", log))
        if found:
            return found
        if log is None:
            raise UsageError(
                "%why: the last cell raised no error, and no trace was recorded yet; name a gradient, as in %why x.grad"
            )
        return [Passage(text, log) for text in facts(log)]

    def remember(self, result: Any) -> None:
        """Called after each cell: keep what it raised and warned of for `%why`, until another cell of code has run."""
        if getattr(result.info, "raw_cell", None) == self.running:
            self.running = ""
        error = result.error_in_exec
        source = (getattr(result.info, "raw_cell", None) or "").strip()
        if not (isinstance(error, UsageError) or LOOKS.fullmatch(source)):
            self.last_error = error if isinstance(error, (Exception, KeyboardInterrupt)) else None
            newest = tracing.recent[-1] if tracing.recent else None
            self.just_traced, self.newest = newest is not self.newest, newest
            self.warned = list(warn.said)
            warn.said.clear()

    def begins(self, info: Any) -> None:
        """Called before each cell. A cell may run another one, as that of `%%capture` does: the outer one is what the user sees."""
        if info.raw_cell.strip() not in self.running:
            self.running = info.raw_cell
            if not LOOKS.fullmatch(info.raw_cell.strip()):
                self._remember_before(info)

    def _remember_before(self, info: Any) -> None:
        """Keep how things are before a cell: of the last one, and of the last one that is traced."""
        cell = info.raw_cell
        self.ran.append((getattr(info, "cell_id", None), cell))
        traced = [b for b in self.before if any(map(trial.MAGIC.match, b.cell.split("\n")))][-1:]
        self.before[:] = [*traced, Before(self.shell, cell, trial.codes_of(self.shell, cell))]

    running = ""  # the text of the cell that runs
    last_error: Exception | KeyboardInterrupt | None = None
    newest: tracing.Trace | None = None
    just_traced = False  # whether the cell before was traced
    warned: Sequence[warn.Said] = ()

    # ------------------------------------------------------------------------------------------------------------------------------

    def _arguments(self, name: str, line: str) -> Any:
        try:
            return parse_argstring(getattr(self, name), line)
        except (UsageError, ValueError) as error:  # ValueError: a quotation mark without its twin
            raise UsageError(f"%%{name}: {error}; write {USAGE}") from None

    def _tensors(
        self, line: str, magic: str, several: bool = True, arrays: bool = False
    ) -> dict[str, Tensor]:
        """The tensors that a line names, by their texts. `arrays`: NumPy arrays may be among them."""
        mirrors.load()
        texts = expressions(line) if several else [line.strip()]
        if not texts:
            raise UsageError(f"%{magic}: no tensor named; write for example %{magic} x")
        found = Named()
        for text in texts:
            with _one_line():
                found.originals.append(value_of(text, self.shell.user_ns, f"%{magic}"))
                value = mirrors.mirror(found.originals[-1])
                if arrays and isinstance(value, np.ndarray):
                    value = as_tensor(value, text)
            if not isinstance(value, Tensor):
                raise UsageError(f"%{magic}: {no_tensor(text, value)}; write for example %{magic} x")
            found[text] = value
        return found

    def _show(self, document: TraceDocument, chosen: list[str] | None, cursor: int | None = None) -> Any:
        from jgrad import views

        return views.show(document, chosen, cursor)

    def _follow(
        self, magic: str, widget: Any, texts: list[str], look: Callable[[list[str]], TraceDocument]
    ) -> None:
        """Have a widget show what `look` finds after each later cell, until it is closed; what it names is looked for anew each time,
        so nothing is kept alive."""
        if widget is None:
            raise UsageError(f"%{magic} --live: views follow later cells in notebooks only; leave --live out")
        called = [t for t in texts if re.search(r"[\w\])]\s*\(", t)]
        if called:
            raise UsageError(
                f"%{magic} --live: {called[0]} would be called after each cell; give its result a name first"
            )
        self._following.append((widget, lambda: look(texts)))

    def look_again(self, result: Any) -> None:
        """Called after each cell: views that follow show how things are now. One whose tensors are gone shows what it showed last."""
        from jgrad.views.widget import refresh

        self._following[:] = [one for one in self._following if one[0].comm is not None]
        for widget, look in self._following:
            with suppress(BadInput, UsageError):
                refresh(widget, look())


@contextmanager
def _one_line() -> Iterator[None]:
    """Bad input is reported as IPython does it: in one line."""
    try:
        yield
    except BadInput as error:
        raise UsageError(str(error)) from None


def _only(document: TraceDocument, names: list[str]) -> TraceDocument:
    """A document in which only these tensors accumulate."""
    log = explain.Log(document)
    chosen = {
        s["grad"]["tensor"]
        for s in document["steps"]
        if "grad" in s and log.name(s["grad"]["tensor"]) in names
    }
    steps = [
        s
        if s.get("grad", {}).get("tensor") in chosen or "grad" not in s
        else {k: v for k, v in s.items() if k != "grad"} | {"kind": "op"}
        for s in document["steps"]
    ]
    return cast(TraceDocument, {**document, "steps": steps})


def load_ipython_extension(ipython: Any) -> None:
    """Register the magics; a second time does nothing new."""
    unload_ipython_extension(ipython)
    magics = JgradMagics(ipython)
    ipython.register_magics(magics)
    magics.predictions.register()
    ipython.events.register("pre_run_cell", magics.begins)
    ipython.events.register("pre_run_cell", magics.every.begins)
    ipython.events.register("post_run_cell", magics.every.ends)
    ipython.events.register("post_run_cell", magics.remember)
    ipython.events.register("post_run_cell", magics.look_again)
    ipython.input_transformers_post.append(AwaitTransformer(ipython))
    magics.ends.enter_context(warn.listening(UserCode().runs))
    completion.register(ipython)
    tracebacks.install(ipython)


def unload_ipython_extension(ipython: Any) -> None:
    """Take the magics and everything that came with them away."""
    for kind in ("line", "cell"):
        registered = ipython.magics_manager.magics[kind]
        for name in [
            n for n, f in registered.items() if isinstance(getattr(f, "__self__", None), JgradMagics)
        ]:
            del registered[name]
    magics = ipython.magics_manager.registry.pop(JgradMagics.__name__, None)
    if magics is not None:
        magics.ends.close()
        magics.predictions.unregister()
        magics.every.turn(False)
        ipython.events.unregister("pre_run_cell", magics.every.begins)
        ipython.events.unregister("post_run_cell", magics.every.ends)
        ipython.events.unregister("pre_run_cell", magics.begins)
        ipython.events.unregister("post_run_cell", magics.remember)
        ipython.events.unregister("post_run_cell", magics.look_again)
    ipython.input_transformers_post[:] = [
        t for t in ipython.input_transformers_post if not isinstance(t, AwaitTransformer)
    ]
    completion.unregister(ipython)
    tracebacks.uninstall(ipython)


manual.attach(__name__)
