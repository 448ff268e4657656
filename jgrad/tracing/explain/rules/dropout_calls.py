"""Dropout that does not know the mode of the model: `F.dropout` without `training=`, and a layer that `forward` makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from jgrad.tracing.document.log import Log, called_in
from jgrad.tracing.document.schema import Call, Step
from jgrad.tracing.document.syntax import has, parsed
from jgrad.tracing.explain.edits import Code, at_step
from jgrad.tracing.explain.rule import Rules

NOTES = Rules()

EXAMPLE = """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 20)

    def forward(self, x):
        return jgrad.nn.functional.dropout(self.layer(x), 0.5%s)

net = Net()
net.eval()
with jgrad.no_grad():
    y = net(jgrad.ones(1, 2))
"""


@NOTES.rule(
    "dropout-in-eval-mode", "warning", "dropout goes on in evaluation mode",
    "{at} sets elements to 0 although {line} put {model} into evaluation mode: {why}.",
    "{repair}",
    EXAMPLE % "",
    EXAMPLE % ", training=self.training",
)  # fmt: skip
def dropout_in_eval_mode(log: Log) -> Iterator[dict]:
    """A dropout whose call says nothing of a mode set elements to 0, in a model that was called after its `eval()`."""
    masks = masks_of(log)
    reported = set()
    for i, step in log.operations.get("mul", ()) if masks else ():
        text = log.text(i)
        if not masks.intersection(step.get("reads", ())) or text in reported or "call" not in step:
            continue
        call = _call_without_mode(text)
        if call is not None and isinstance(call.func, ast.Name | ast.Attribute) and _is_layer(log, step):
            continue
        evaluated = None if call is None else _put_into_eval(log, i) or _put_there_in_a_gap(log, i)
        if call is None or evaluated is None:
            continue
        reported.add(text)
        model, place = evaluated
        yield {
            "step": i, "tensors": step["makes"], "lines": log.lines(i), "at": log.at(i), "line": place, "model": model,
            **_words(call, log.places.calls[step["call"]], at_step(log, i)),
        }  # fmt: skip


def masks_of(log: Log) -> set[int]:
    """The tensors that a dropout drew: the elements that it keeps."""
    return {
        w["tensor"]
        for i, w in log.writes
        if log.steps[i]["op"] == "bernoulli_" and "bernoulli" not in log.text(i)
    }


def _call_without_mode(text: str) -> ast.Call | None:
    """The call of a dropout in an expression that drops in any mode: `dropout(x, 0.5)`, `Dropout(0.5)(x)`."""
    for node in ast.walk(parsed(text.splitlines())):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Call):
            if "Dropout" in called_in(ast.unparse(node.func)):
                return node
        elif "dropout" in called_in(ast.unparse(node)) and not _says_mode(node):
            return node
    return None


def _is_layer(log: Log, step: Step) -> bool:
    """Whether an operator ran in the call of a dropout layer, which knows its mode."""
    number = step.get("layer_call")
    return (
        number is not None
        and "Dropout" in log.document["layers"][log.document["layer_calls"][number][0]]["type"]
    )


def _says_mode(call: ast.Call) -> bool:
    return len(call.args) > 2 or any(k.arg in ("training", "train", None) for k in call.keywords)


def _words(call: ast.Call, place: Call, at: tuple[Code, ast.stmt] | None) -> dict[str, Any]:
    if isinstance(call.func, ast.Call):
        made = ast.unparse(call.func)
        return {
            "why": f"{made} is a new layer in each call, and a new layer is in training mode",
            "repair": f"Make the layer in __init__: self.dropout = {made}. Call self.dropout(...) in forward.",
        }
    mode = "self.training" if "." in place["function"] else "model.training"
    name, before = ast.unparse(call.func), ast.unparse(call)
    call.keywords.append(ast.keyword("training", parsed([mode]).body[0].value))  # type: ignore[attr-defined]
    same = (
        [n for n in ast.walk(at[1]) if isinstance(n, ast.Call) and ast.unparse(n) == before]
        if at is not None
        else []
    )
    return {
        "edits": [
            at[0].replaced(n, f"{at[0].text(n)[:-1]}, training={mode})")
            for n in same
            if at is not None and mode == "self.training"
        ],
        "why": f"without training=, {name} drops in any mode",
        "repair": f"Write {ast.unparse(call)}.",
    }


def _put_into_eval(log: Log, index: int) -> tuple[str, str] | None:
    """The model that was in evaluation mode when it was called on the way to a step, and the place of its `eval()`. None if that is not
    sure: somewhere on the way there may have been a `train()`."""
    step, calls = log.steps[index], log.places.calls
    root = _outermost_layer(log, step)
    number = calls[step["call"]]["caller"]
    while number is not None:
        place = calls[number]
        tree = next(tree for source, tree in log.code if source == place["source"])
        for block, statement in reversed(_blocks_around(tree, place["line"])):
            called = _called_at(statement, place)
            for before in reversed(block[: block.index(statement)]):
                model, evaluated = _switch(before)
                if model and model in (root, called):
                    return (model, log.places.at_line(place, before.lineno)) if evaluated else None
                if _trains(before):
                    return None
            if _trains(statement):
                return None
        number = place["caller"]
    return None


def _put_there_in_a_gap(log: Log, index: int) -> tuple[str, str] | None:
    """The same for the model of a step, if its last steps were not kept: the code calls its `eval()`, and then the model."""
    root = _outermost_layer(log, log.steps[index]) if log.gaps and log.gaps[-1] >= len(log.steps) - 2 else ""
    if not root:
        return None
    for source, tree in log.code:
        blocks = [
            b
            for n in ast.walk(tree)
            for f in ("body", "orelse")
            if isinstance(b := getattr(n, f, None), list)
        ]
        for block in blocks:
            at = next((k for k, s in enumerate(block) if _switch(s) == (root, True)), None)
            if at is None:
                continue
            called = next((s for s in block[at + 1 :] if _trains(s) or _calls(s, root)), None)
            if called is not None and not _trains(called):
                line = block[at].lineno
                return root, log.places.of_line(
                    line
                ) if source is None else f"{log.places.sources[source]['name']}, line {line}"
    return None


def _calls(statement: ast.stmt, model: str) -> bool:
    return any(isinstance(n, ast.Call) and ast.unparse(n.func) == model for n in ast.walk(statement))


def _outermost_layer(log: Log, step: Step) -> str:
    """The name of the model in whose call an operator ran: "net"."""
    calls, number = log.document.get("layer_calls", []), step.get("layer_call")
    name = ""
    while number is not None:
        layer, number = calls[number]
        name = log.document["layers"][layer]["name"] or name
    return name


def _blocks_around(tree: ast.Module, line: int) -> list[tuple[list[ast.stmt], ast.stmt]]:
    """The blocks of the function that a line is in, each with its statement that holds the line, from the outermost on."""
    found: list[tuple[list[ast.stmt], ast.stmt]] = []
    todo: list[list[ast.stmt]] = [tree.body]
    for block in todo:  # grows while it is walked
        statement = next((s for s in block if has(s, line)), None)
        if statement is None:
            continue
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found = []
        else:
            found.append((block, statement))
        parts = [statement, *getattr(statement, "handlers", []), *getattr(statement, "cases", [])]
        fields = [getattr(part, name, None) for part in parts for name in ("body", "orelse", "finalbody")]
        todo += [field for field in fields if isinstance(field, list)]
    return found


def _called_at(statement: ast.stmt, place: Call) -> str:
    """What the call at a place calls: "model" of `model(x)`."""
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call)]
    places: list[list[int | None]] = [[n.lineno, n.col_offset, n.end_lineno, n.end_col_offset] for n in calls]
    span: list[int | None] = list(place["span"] or ())
    return ast.unparse(calls[places.index(span)].func) if span in places else ""


def _switch(statement: ast.stmt) -> tuple[str, bool]:
    """Of `net.eval()` and `net.train()` as a statement: "net", and whether it is in evaluation mode then."""
    call = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        if call.func.attr == "eval" or ast.unparse(call).endswith(".train(False)"):
            return ast.unparse(call.func.value), True
        if call.func.attr == "train":
            return ast.unparse(call.func.value), False
    return "", False


def _trains(statement: ast.stmt) -> bool:
    """Whether a call of `train()` is somewhere in a statement."""
    calls = [n.func for n in ast.walk(statement) if isinstance(n, ast.Call)]
    return any(isinstance(f, ast.Attribute) and f.attr == "train" for f in calls)
