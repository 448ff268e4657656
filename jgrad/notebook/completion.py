"""What the Tab key offers in a line with one of our magics."""

from __future__ import annotations

import re
from typing import Any

from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

from jgrad import trace as tracing
from jgrad.tensor import Tensor

OPTIONS = {
    "trace": ("--view", "--name", "--watch", "--max-steps", "--no-show"),
    "grad": ("--order",),
    "attributes": ("--all",),
    "storage": ("--live",),
    "graph": ("--live",),
    "accumulate": ("--live",),
}


class Completer:
    """Completes the options of the magics, the names of views after `--view`, and tensors where a magic takes tensors."""

    TENSORS = ("storage", "graph", "accumulate", "attributes", "why")

    def __init__(self, shell: Any) -> None:
        self.shell = shell

    def __call__(self, context: CompletionContext) -> dict[str, Any]:
        return {
            "completions": [
                SimpleCompletion(text=t, type="param")
                for t in self.options(context.line_with_cursor[: context.cursor_position])
            ]
        }

    def options(self, line: str) -> list[str]:
        """What could stand where this line ends."""
        found = re.match(r"\s*(?:[\w, ]+=\s*)?%{1,2}(\w+)\s(.*)$", line, re.S)
        if found is None:
            return []
        magic, rest = found.groups()
        word = re.search(r"\S*$", rest)[0]  # type: ignore[index]
        before = rest[: len(rest) - len(word)].split()
        if word.startswith("-"):
            return [o for o in OPTIONS.get(magic, ()) if o.startswith(word)]
        if magic == "compare":
            return sorted({t.name for t in tracing.recent if t.name.startswith(word) and " " not in t.name})
        if magic == "trace" and before[-1:] == ["--view"]:
            from jgrad.views import VIEWS

            done, _, start = word.rpartition(",")
            return [
                f"{done},{v}" if done else v
                for v in VIEWS
                if v.startswith(start) and v not in done.split(",")
            ]
        if (
            magic in self.TENSORS
            or (magic == "trace" and before[-1:] == ["--watch"])
            or (magic == "grad" and "wrt" in before)
        ):
            done, _, start = word.rpartition(",")
            names = [
                n
                for n, v in list(self.shell.user_ns.items())
                if isinstance(v, Tensor) and not n.startswith("_") and n.startswith(start)
            ]
            return [f"{done},{n}" if done else n for n in sorted(names)]
        return []


def register(ipython: Any) -> None:
    """Have a shell ask a `Completer` too."""
    completer = Completer(ipython)

    @context_matcher(identifier="jgrad")
    def complete(context: CompletionContext) -> dict[str, Any]:
        return completer(context)

    ipython.Completer.custom_matchers.append(complete)


def unregister(ipython: Any) -> None:
    """Undo `register`."""
    matchers = ipython.Completer.custom_matchers
    matchers[:] = [m for m in matchers if getattr(m, "matcher_identifier", "") != "jgrad"]
