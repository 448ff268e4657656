"""What `%grad` and `%scatter` do: evaluate an expression once in a trace, differentiate it, and list the paths by which each gradient came.

No IPython here: what the user got wrong is a `BadInput`, one line that shows what to write instead.
"""

from __future__ import annotations

import ast
import builtins
import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from jgrad import mirrors
from jgrad.asking.naming import BadInput, kind_of, value_of
from jgrad.notebook.arrays import as_tensor, mark
from jgrad.notebook.tables import Table, summary
from jgrad.tensor import Tensor
from jgrad.trace import Trace
from jgrad.tracing import explain
from jgrad.tracing.document.document import build
from jgrad.tracing.document.replay import Replay
from jgrad.tracing.document.schema import TraceDocument
from jgrad.tracing.document.sentences import brief, short
from jgrad.tracing.document.source import Source
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.record.held import held, kept_grads
from jgrad.tracing.record.recorder import Recorder
from jgrad.tracing.record.scope import Scope, mentioned

EXAMPLE = "write an expression of your tensors, as in %grad (x + w) * (w + 1) wrt w"


class Gradients(Mapping):
    """What `%grad` found: `g["w"]` is the gradient (the last derivative) with respect to w, `g.value` the value of the expression,
    `g.orders[0]["w"]` the first derivative, `g.document` the trace."""

    def __init__(
        self,
        expression: str,
        value: Any,
        inputs: dict[str, Any],
        orders: list[dict[str, Any]],
        document: TraceDocument,
    ) -> None:
        self.expression = expression
        self.value = value
        self.inputs = inputs
        self.orders = orders
        self.document = document
        self.display: Callable[[Gradients], None] = print

    def __getitem__(self, name: str) -> Any:
        return self.orders[-1][name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.orders[-1])

    def __len__(self) -> int:
        return len(self.orders[-1])

    @property
    def table(self) -> Table:
        """name, value, gradient and the paths it came by."""
        rows = []
        for k, grads in enumerate(self.orders):
            for name, grad in grads.items():
                paths = "\n".join(contributions(self.document, name)) if k == 0 else ""
                label = "gradient" if k == 0 else f"derivative {k + 1}"
                rows.append([name, summary(self.inputs[name]), summary(grad), paths if k == 0 else label])
        return Table(["name", "value", "gradient", "by"], rows)

    def __repr__(self) -> str:
        return f"{self.expression} = {summary(self.value)}\n{self.table!r}"

    def _repr_html_(self) -> str:
        return f"<p><code>{html.escape(self.expression)} = {html.escape(summary(self.value))}</code></p>{self.table._repr_html_()}"

    def _ipython_display_(self) -> None:
        self.display(self)


def differentiate(text: str, wrt: list[str], order: int, variables: Mapping[str, Any]) -> Gradients:
    """Evaluate an expression once and differentiate it, in a trace."""
    mirrors.load()
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise BadInput(
            f"%grad: {text} is not an expression ({error.msg}); write %grad EXPR [wrt A, B] [--order N]"
        ) from None
    namespace = dict(variables)
    own = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}  # of lambdas; and of comprehensions:
    own |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    used = dict.fromkeys(n.id for n in ast.walk(tree) if isinstance(n, ast.Name))
    names = [n for n in used if n not in own]
    inputs = _inputs(text, wrt or _by_default(text, names, namespace), namespace)

    def run(value: Any) -> tuple[Any, list[dict[str, Any]]]:
        if not mirrors.is_tensor(value):
            raise BadInput(f"%grad: {text} gives {kind_of(value)}, not a tensor; {EXAMPLE}")
        if value.numel() != 1:
            rest = f" wrt {', '.join(wrt)}" if wrt else ""
            raise BadInput(
                f"%grad: {text} has {value.numel()} elements, but a gradient needs a result of one element; write %grad ({text}).sum(){rest}"
            )
        targets = list(inputs.values())
        found: Sequence[Any] = [None] * len(targets)
        if value.requires_grad:
            found = mirrors.library_of(
                value
            ).autograd.grad(  # retained: the graph may be one that the user is to run yet
                value, targets, retain_graph=True, create_graph=order > 1, allow_unused=True
            )
        unused = [n for n, g in zip(inputs, found, strict=True) if g is None]
        if unused:
            raise BadInput(
                f"%grad: {text} does not depend on {listed(unused)} through operations that autograd records"
            )
        orders = [dict(zip(inputs, found, strict=True))]
        for k in range(2, order + 1):
            orders.append({n: _next(orders[-1][n], t, k < order) for n, t in inputs.items()})
        return value, orders

    with mirrors.library_of(*inputs.values()).enable_grad(), kept_grads(variables):
        (value, orders), trace = evaluate(text, namespace, "grad", run, list(inputs))
    orders = [{n: g.detach() for n, g in grads.items()} for grads in orders]
    return Gradients(text, value.detach(), inputs, orders, trace.document)


def _next(gradient: Any, tensor: Any, more: bool) -> Any:
    """The derivative of (the sum of) a derivative."""
    library = mirrors.library_of(tensor)
    if not gradient.requires_grad:
        return library.zeros_like(tensor)
    (found,) = library.autograd.grad(
        gradient.sum(), tensor, retain_graph=True, create_graph=more, allow_unused=True
    )
    return library.zeros_like(tensor) if found is None else found


def _by_default(text: str, names: list[str], namespace: dict[str, Any]) -> list[str]:
    """What an expression is differentiated by if nothing is said: the tensors in it that require grad, or else its floating point numbers."""
    for name in names:
        if name not in namespace and not hasattr(builtins, name):
            raise BadInput(f"%grad: {name} is not defined; {EXAMPLE}")
    wrt = [n for n in names if mirrors.is_tensor(namespace.get(n)) and namespace[n].requires_grad]
    wrt = wrt or [n for n in names if _differentiable(namespace.get(n))]
    if not wrt:
        raise BadInput(f"%grad: {text} has no tensor in it to differentiate by; {EXAMPLE}")
    return wrt


def _inputs(text: str, wrt: list[str], namespace: dict[str, Any]) -> dict[str, Any]:
    """The tensors to differentiate by. What does not require grad yet is replaced in `namespace` by a leaf that does."""
    inputs: dict[str, Any] = {}
    library = mirrors.library_of(*namespace.values())
    for name in wrt:
        value = value_of(name, namespace, "%grad")
        if mirrors.is_tensor(value) and value.requires_grad:
            inputs[name] = value
        elif not _differentiable(value):
            inside = next((n for n, t in held({name: value}).items() if _differentiable(t)), None)
            if inside is not None:
                raise BadInput(
                    f"%grad: {name} is {kind_of(value)}; name the tensors in it, as in wrt {inside}"
                )
            raise BadInput(
                f"%grad: {name} is {kind_of(value)}; a gradient needs a floating point tensor, as in {name} = jgrad.tensor(1.)"
            )
        elif not name.isidentifier():
            raise BadInput(
                f"%grad: {name} does not require grad; give it a name first, as in v = {name}, and write wrt v"
            )
        else:
            leaf = value.detach() if mirrors.is_tensor(value) else library.tensor(value)
            inputs[name] = namespace[name] = leaf.requires_grad_()
    return inputs


def evaluate(
    text: str, namespace: dict[str, Any], magic: str, then: Callable[[Any], Any], names: Iterable[str] = ()
) -> tuple[Any, Trace]:
    """Evaluate an expression once, in a trace, and go on with its value; gives what came out. What the expression raises is one line."""
    filename = f"<%{magic} {text}>"
    try:
        code = compile(text, filename, "eval", dont_inherit=True)
    except SyntaxError as error:
        raise BadInput(f"%{magic}: {text} is not an expression ({error.msg})") from None
    trace = Trace(text)
    trace._source = Source([text])
    scope = Scope(filename, namespace, [*names, *mentioned(code)])
    result = None
    with trace.recording(scope) as outcome:
        result = then(eval(code, namespace))
    raised = outcome.error
    if isinstance(raised, NameError) and raised.name:
        raise BadInput(f"%{magic}: {raised.name} is not defined; {EXAMPLE}") from None
    if isinstance(raised, Exception) and not isinstance(raised, BadInput):
        first = str(raised).split("\n", 1)[0]
        raise BadInput(f"%{magic}: {text} raised {type(raised).__name__}: {first}") from None
    if raised is not None:
        raise raised
    return result, trace


def contributions(document: TraceDocument, name: str) -> list[str]:
    """How the gradient of a variable came about: "3. by MulBackward0: ∂/∂(w + 1) = x + w, AddBackward0", one for each edge to it."""
    log = explain.Log(document)
    number = next((t["id"] for t in document["tensors"] if any(n == name for _, n in t["names"])), None)
    if number is None:
        return []
    tensor = log.final[number]
    target = (
        next((n["id"] for n in document["nodes"] if n["variable"] == number), None)
        if tensor["is_leaf"]
        else tensor["grad_fn"]
    )
    came: dict[int, list[tuple[int, int, Any]]] = {}
    for step in document["steps"]:
        if step["kind"] == "node" and step.get("backward_call") == 0:
            for edge, ((to, _), value) in enumerate(
                zip(document["nodes"][step["node"]]["next_functions"], step["grads_out"], strict=False)
            ):
                if to is not None and value is not None:
                    came.setdefault(to, []).append((step["node"], edge, value))
    found = []
    for node, edge, value in came.get(target, ()) if target is not None else ():
        path = [_factor(document, node, edge)]
        while len(came.get(node, ())) == 1:
            node, edge, _ = came[node][0]
            path.insert(0, _factor(document, node, edge))
        found.append(f"{brief(value)} by {', '.join(path)}")
    return found


def _factor(document: TraceDocument, node: int, edge: int) -> str:
    """What a node does to a gradient: "MulBackward0: ∂/∂(w + 1) = x + w"; its name alone, if it passes the gradient on or its source is not known."""
    record = document["nodes"][node]
    said = record.get("derivatives", [])[edge : edge + 1]
    factor = said[0] if said and said[0].startswith("∂") else "".join(said).rpartition(": ")[2]
    return ": ".join([short(record["name"])] + [factor] * (factor != "" and not factor.endswith(" = 1")))


def snapshot(tensors: Mapping[str, Tensor], variables: Mapping[str, Any]) -> TraceDocument:
    """A trace document of how things are, without steps. `variables`: where the names of further tensors may be found."""
    mirrors.refresh()
    recorder = Recorder(Scope("", dict(tensors), list(tensors)))
    recorder.start()
    recorder.scope.namespace = {**variables, **tensors}
    recorder.stop()
    document = build(Replay(recorder, Source([])), ", ".join(tensors))
    return mark(document, tensors)


def still(texts: list[str], variables: Mapping[str, Any]) -> TraceDocument:
    """A trace document of how those of some tensors are that are still there."""
    found, computed = {}, []
    for text in texts:
        with suppress(BadInput):
            # A mirror lives no longer than its tensor, which nothing else may hold.
            computed.append(value_of(text, variables, ""))
            value = mirrors.mirror(computed[-1])
            if isinstance(value, np.ndarray):
                value = as_tensor(value, text)
            if isinstance(value, Tensor):
                found[text] = value
    if not found:
        raise BadInput(f"{listed(texts)}: no longer exists")
    return snapshot(found, variables)


def _differentiable(value: Any) -> bool:
    return isinstance(value, float) or (
        mirrors.is_tensor(value) and (value.is_floating_point() or value.is_complex())
    )
