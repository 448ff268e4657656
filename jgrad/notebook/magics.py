"""The IPython magics: `%%trace` records a cell, `%grad` differentiates an expression, and small ones for a single look.

Everything here works in a terminal too, where the views are text. Bad input is answered by one line (a `UsageError`) that shows what to
write instead. `cell` compiles and runs a traced cell, as `%%time` does, so that it behaves as it would without the magic.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, cast

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from jgrad import trace as tracing
from jgrad import warn
from jgrad.notebook import completion
from jgrad.notebook.asking import answer
from jgrad.notebook.attributes import attributes
from jgrad.notebook.cell import AwaitTransformer, TracedCell, code_of
from jgrad.notebook.derivative import Gradients, differentiate, evaluate, snapshot, still
from jgrad.notebook.lines import (
    expressions,
    grad_line,
    names_in,
    positive_number,
    rounds_named,
    views_named,
    without_live,
)
from jgrad.notebook.naming import BadInput, kind_of, value_of
from jgrad.notebook.tables import Table, summary
from jgrad.tensor import Tensor
from jgrad.trace import explain
from jgrad.trace.document.comparison import Comparison
from jgrad.trace.document.schema import TraceDocument
from jgrad.trace.explain.rule import listed
from jgrad.trace.record.held import held
from jgrad.trace.record.recorder import MAX_STEPS
from jgrad.trace.record.scope import parse

USAGE = "%%trace [--view storage,graph] [--name NAME] [--watch a,b] [--max-steps N] [--no-show]"


@magics_class
class JgradMagics(Magics):
    """`%%trace`, `%grad` and related magics."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._following: list[tuple[Any, Callable[[], TraceDocument]]] = []

    @magic_arguments()
    @argument(
        "--view",
        nargs="*",
        help="views to show: timeline, storage, graph, accumulation, scatter. Default: all that apply.",
    )
    @argument("--name", default=None, help="what to call the trace. Default: the cell's number.")
    @argument("--watch", nargs="*", help="further variables to follow.")
    @argument("--max-steps", default=None, help=f"steps to keep. Default: {MAX_STEPS}.")
    @argument("--rounds", default=None, help="rounds of a training loop to keep in full: 310:320.")
    @argument(
        "--no-show",
        action="store_true",
        help="record only; %%why, %%accumulate and jgrad.trace.recent know the trace.",
    )
    @no_var_expand
    @cell_magic
    def trace(self, line: str, cell: str) -> Any:
        """Run the cell as ever, record what autograd does in it, and show it.

        Example::

            %%trace --view storage,graph
            x = jgrad.tensor([1., 2., 3.], requires_grad=True)
            y = (x * x).sum()
            y.backward()
        """
        options = self._arguments("trace", line)
        chosen = views_named(options.view)
        watch = names_in(",".join(options.watch or ()))
        for name in watch:
            if not name.isidentifier():
                raise UsageError(f"%%trace --watch: {name!r} is not a variable name; write --watch a,b")
        steps = positive_number(options.max_steps, "%%trace --max-steps", MAX_STEPS)
        name = options.name and options.name.strip("\"'")
        shell = self.shell
        transformed = shell.transform_cell(cell)
        if not parse(code_of(transformed)).body:
            raise UsageError("%%trace: the cell is empty; write the code to trace below the %%trace line")
        rounds = rounds_named(options.rounds)
        run = TracedCell(shell, f"%%trace {line}".rstrip(), cell, transformed, name, watch, steps, rounds)
        if not options.no_show:
            from jgrad.views.widget import early

            run.trace.early = early(chosen)
        if run.awaits:
            return self._traced_async(run, chosen, options.no_show)
        error = run.sync()
        self._finish(run, chosen, options.no_show, error)
        return None

    async def _traced_async(self, run: TracedCell, chosen: list[str] | None, silent: bool) -> None:
        error = await run.asynchronous()
        self._finish(run, chosen, silent, error)

    def _finish(
        self, run: TracedCell, chosen: list[str] | None, silent: bool, error: BaseException | None
    ) -> None:
        tracing.recent.append(run.trace)
        if not silent and not isinstance(error, (SystemExit, GeneratorExit)):
            from jgrad import views

            recorder = run.trace._recorder  # is taken apart when all is shown: that takes a while too
            try:
                document = run.trace.document
                cursor = len(document["steps"]) if error is not None else None
                views.show(document, chosen, cursor, early=run.trace.early)
            except Exception as e:  # the cell's own result matters more
                print(f"%%trace: the views could not be shown ({type(e).__name__}: {e})", file=sys.stderr)
            del recorder
        for failure in run.trace.failures[:1]:
            what = f"{type(failure).__name__}: {failure}"
            print(f"%%trace: part of the trace is missing ({what})", file=sys.stderr)
        if error is not None:
            run.trim(error)
            raise error
        self.last_error = None

    @magic_arguments()
    @argument("--order", default=None, help="how often to differentiate. Default: 1.")
    @argument("expression", nargs="*", help="EXPR [wrt A, B]")
    @no_var_expand
    @line_magic
    def grad(self, line: str) -> Gradients:
        """Differentiate an expression with respect to variables, without touching any `.grad`.

        Without `wrt`, with respect to the tensors in the expression that require grad; without any, to the floating point ones. The
        result can be kept; `g["w"]` is a gradient.

        Example::

            %grad (x + w) * (w + 1) wrt w
            g = %grad (w ** 3).sum() wrt w --order 2
        """
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
    def storage(self, line: str) -> None:
        """Show how tensors lie in memory, and which share it; with `--live` also after each later cell.

        Example::

            %storage a b
            %storage a b --live
        """
        line, live = without_live(line)
        tensors = self._tensors(line, "storage")
        widget = self._show(snapshot(tensors, self.shell.user_ns), ["storage"])
        if live:
            self._follow("storage", widget, [*tensors], lambda texts: still(texts, self.shell.user_ns))

    @no_var_expand
    @line_magic
    def graph(self, line: str) -> None:
        """Show the backward graph that leads to a tensor; with `--live` also after each later cell.

        Example::

            %graph y
            %graph y --live
        """
        line, live = without_live(line)
        tensors = self._tensors(line, "graph")
        for name, tensor in tensors.items():
            if not tensor.requires_grad:
                raise UsageError(
                    f"%graph: {name} does not require grad, so it has no graph; %why {name}.grad says why"
                )
        widget = self._show(snapshot(tensors, self.shell.user_ns), ["graph"])
        if live:
            self._follow("graph", widget, [*tensors], lambda texts: still(texts, self.shell.user_ns))

    @no_var_expand
    @line_magic
    def accumulate(self, line: str) -> None:
        """Show what each backward() of the last trace added to the `.grad` of tensors; with `--live` also of each later trace.

        Example::

            %accumulate w
            %accumulate w --live
        """
        line, live = without_live(line)
        names = names_in(line.replace(" ", ","))
        widget = self._show(self._accumulated(names), ["accumulation"])
        if live:
            self._follow("accumulate", widget, names, self._accumulated)

    def _accumulated(self, names: list[str]) -> TraceDocument:
        """The last trace in which gradients arrived at these tensors."""
        if not tracing.recent:
            raise UsageError(
                "%accumulate: nothing was traced yet; run a cell that calls backward() with %%trace in its first line"
            )
        known: dict[str, None] = {}
        for trace in reversed(tracing.recent):
            log = explain.Log(trace.document)
            here = dict.fromkeys(log.name(s["grad"]["tensor"]) for s in log.steps if "grad" in s)
            if here and all(name in here for name in names):
                return _only(trace.document, names) if names else trace.document
            known |= here
        others = f"; it did at {', '.join(known)}" if known else ""
        raise UsageError(
            f"%accumulate: no gradient arrived at {listed(names) if names else 'anything'} in the last traces{others}"
        )

    @no_var_expand
    @line_magic
    def scatter(self, line: str) -> Any:
        """Run an expression of the scatter and gather family and show what went where.

        Example::

            %scatter out.scatter_(0, index, src)
        """
        if not line.strip():
            raise UsageError(
                "%scatter: no expression; write for example %scatter out.scatter_(0, index, src)"
            )
        with _one_line():
            _, trace = evaluate(line.strip(), self.shell.user_ns, "scatter", lambda value: None)
        document = trace.document
        if not any("index_map" in step for step in document["steps"]):
            raise UsageError(
                f"%scatter: {line.strip()} has no index map; use scatter_, gather, index_add_, take_along_dim or one of their kin"
            )
        self._show(document, ["scatter"])

    @no_var_expand
    @line_magic
    def leaves(self, line: str) -> Table:
        """List the leaves that collect gradients, also those in models, lists and dicts, and what they have.

        Example::

            %leaves
        """
        if line.strip():
            raise UsageError(
                "%leaves: it lists all leaves and takes nothing; write %attributes x to look at x"
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
            "no variable is or holds a leaf that requires grad",
        )

    @no_var_expand
    @line_magic
    def attributes(self, line: str) -> Table:
        """Show the eight main attributes of tensors, side by side; with `--all` the further ones too.

        Example::

            %attributes x, y
        """
        every = re.search(r"(?:^|\s)--all(?:\s|$)", line)
        return attributes(
            self._tensors(line.replace("--all", "") if every else line, "attributes"), bool(every)
        )

    @no_var_expand
    @line_magic
    def compare(self, line: str) -> Comparison:
        """Show two traces side by side: where they part, and what differs. Without names, the last two.

        A trace is named with %%trace --name; a variable that holds a trace or a loaded document will do, or the path of a saved one.

        Example::

            %compare a b
        """
        names = expressions(line)
        if len(names) not in (0, 2):
            raise UsageError(
                f"%compare: {len(names)} {'trace' if len(names) == 1 else 'traces'} named; write for example %compare a b"
            )
        if not names and len(tracing.recent) < 2:
            raise UsageError(
                "%compare: there are no two traces yet; record two cells with %%trace --name a and %%trace --name b"
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
        there = f"the last ones are {known}" if known else "nothing was traced yet"
        raise UsageError(
            f"%compare: there is no trace {name!r}, {there}; write %%trace --name {name} in the first line of a cell"
        )

    @no_var_expand
    @line_magic
    def why(self, line: str) -> None:
        """Say why a `.grad` is what it is, why something raised, what a tensor is to autograd.

        Without anything behind it: why the cell before raised, or what is remarkable about the last trace. `%why y.backward()` tries it out
        without adding to any `.grad`, `%why opt.step()` without changing a parameter; another expression is run.

        Example::

            %why x.grad
            %why y.backward()
            %why opt.step()
            %why x
            %why
        """
        text = line.strip()
        traces = list(reversed(tracing.recent))
        variables = self.shell.user_ns
        cells = dict(enumerate(self.shell.history_manager.input_hist_raw))
        if not text:
            _print(self._what_happened(traces, variables, cells))
            return
        error = self.last_error
        if error is not None and not re.fullmatch(r"[\w.]+", text):
            incident = explain.Incident.of_error(error, variables, traces, cells)
            if text in incident.source:
                _print(explain.because(incident))
                return
        with _one_line():
            _print(answer(text, variables, traces, cells))

    def _what_happened(self, traces: list[Any], variables: dict, cells: dict[int, str]) -> str:
        """About the error of the cell before, or else about the last trace, or else about the warnings of the cell before."""
        if self.last_error is not None:
            return explain.because(explain.Incident.of_error(self.last_error, variables, traces, cells))
        notes = traces[0].document["notes"] if traces else []
        found = [n["text"] for n in sorted(notes, key=lambda n: explain.SEVERITIES.index(n["severity"]))]
        answers = [explain.why_raised(explain.Incident(*words)) for words in self.warned]
        found = found or list(dict.fromkeys(known[1] for known in answers if known is not None))
        if not found and not traces:
            raise UsageError("%why: nothing was raised or traced yet; name a gradient, as in %why x.grad")
        return "\n".join(found) or "nothing remarkable"

    def remember(self, result: Any) -> None:
        """Called after each cell: keep what it raised and warned of for `%why`, until another cell of code has run."""
        error = result.error_in_exec
        source = (getattr(result.info, "raw_cell", None) or "").strip()
        asked = (
            isinstance(error, UsageError) or re.fullmatch(r"(?:%[^%\n].*|\?.*|.*\?|#.*)?", source) is not None
        )
        if not asked:
            self.last_error = error if isinstance(error, Exception) else None
            self.warned = list(warn.said)
            warn.said.clear()

    last_error: Exception | None = None
    warned: Sequence[tuple[str, str]] = ()

    # ------------------------------------------------------------------------------------------------------------------------------

    def _arguments(self, name: str, line: str) -> Any:
        try:
            return parse_argstring(getattr(self, name), line)
        except (UsageError, ValueError) as error:  # ValueError: a quotation mark without its twin
            raise UsageError(f"%%{name}: {error}; write {USAGE}") from None

    def _tensors(self, line: str, magic: str, several: bool = True) -> dict[str, Tensor]:
        texts = expressions(line) if several else [line.strip()]
        if not texts:
            raise UsageError(f"%{magic}: no tensor named; write for example %{magic} x")
        found = {}
        for text in texts:
            with _one_line():
                value = value_of(text, self.shell.user_ns, f"%{magic}")
            if not isinstance(value, Tensor):
                raise UsageError(
                    f"%{magic}: {text} is not a tensor but {kind_of(value)}; write for example %{magic} x"
                )
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
                f"%{magic} --live: {called[0]} would be called after each cell; give it a name first"
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


def _print(text: str) -> None:
    """Print what may have names and messages of the user's in it."""
    from jgrad.views.text import printable

    print("\n".join([printable(line) for line in text.split("\n")]))


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
    ipython.events.register("post_run_cell", magics.remember)
    ipython.events.register("post_run_cell", magics.look_again)
    ipython.input_transformers_post.append(AwaitTransformer(ipython))
    completion.register(ipython)


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
        ipython.events.unregister("post_run_cell", magics.remember)
        ipython.events.unregister("post_run_cell", magics.look_again)
    ipython.input_transformers_post[:] = [
        t for t in ipython.input_transformers_post if not isinstance(t, AwaitTransformer)
    ]
    completion.unregister(ipython)
