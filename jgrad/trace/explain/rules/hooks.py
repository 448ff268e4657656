"""Hooks of tensors."""

from __future__ import annotations

from collections.abc import Iterator

from jgrad.trace.document.log import Log
from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.repairs import named
from jgrad.trace.explain.rule import RUNTIME, Rules

ERRORS = Rules()
NOTES = Rules()


@ERRORS.rule(
    "hook-changes-shape", "error", "a hook returns a tensor of another shape or dtype than the gradient",
    "{lead}a hook replaced a gradient by a tensor of another {words}.",
    "Return a tensor of the same shape and dtype, or None to keep the gradient.",
    """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad.norm())
(x * 2).sum().backward()
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad / grad.norm())
(x * 2).sum().backward()
""",
    raised=(RUNTIME, r"hook '.*' has changed the (?:size|type) of value"),
)  # fmt: skip
def hook_changes_shape(incident: Incident) -> Iterator[dict]:
    yield {"words": "size" if "size" in incident.message else "dtype"}


ERRORS.by_words(
    "hook-returns-no-tensor", "error", "a hook returns something that is not a tensor",
    "{lead}a hook returned a value of type {kind}, which can't replace the gradient.",
    "Return a tensor, or None to keep the gradient.",
    """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: 0)
(x * 2).sum().backward()
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(lambda grad: grad * 0)
(x * 2).sum().backward()
""",
    raised=("TypeError", r"expected Variable, but hook returned '(?P<kind>[\w.]+)'"),
)  # fmt: skip

ERRORS.by_words(
    "hook-without-grad", "error", "register_hook() of a tensor that does not require grad",
    "{lead}{subject} does not require grad, so it gets no gradient that could run the hook.",
    "Call {name}.requires_grad_() first, or compute {name} from a tensor that requires grad.",
    """
x = jgrad.ones(2)
x.register_hook(print)
""", """
x = jgrad.ones(2, requires_grad=True)
x.register_hook(print)
""",
    raised=(RUNTIME, r"cannot register a hook on a tensor that doesn't require gradient"),
    blanks=named("register_hook"),
)  # fmt: skip


@NOTES.rule(
    "hook-too-late", "info", "a computed tensor gets a hook after backward()",
    "{name} got a hook after {at} had run backward() through {name}, so the hook has not run.",
    "Call {name}.register_hook(...) before backward().",
    """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
y.register_hook(print)
""", """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.register_hook(print)
y.sum().backward()
""",
)  # fmt: skip
def hook_too_late(log: Log) -> Iterator[dict]:
    """A computed tensor got a hook when backward had run through it already."""
    runs: dict[int, int] = {step["node"]: i for i, step in log.of("node")}
    for node in log.nodes:
        late = [text for since, text in node.get("hooks", ()) if since > runs.get(node["id"], since)]
        made = [t["id"] for t in log.final if t["grad_fn"] == node["id"] and any(n for _, n in t["names"])]
        if made and node["variable"] is None and any(text.startswith("hook") for text in late):
            ran = runs[node["id"]]
            yield {
                "step": ran,
                "tensors": made,
                "lines": log.lines(ran),
                "name": log.name(made[0]),
                "at": log.at(ran),
            }
