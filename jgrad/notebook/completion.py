"""What the Tab key offers in a line with one of our magics: what fits there, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

from jgrad import mirrors
from jgrad import trace as tracing
from jgrad.notebook.lines import expressions
from jgrad.tracing.record.held import held

OPTIONS = {
    "trace": (
        "--view",
        "--name",
        "--watch",
        "--into",
        "--max-steps",
        "--rounds",
        "--stop",
        "--at",
        "--present",
        "--no-show",
    ),
    "grad": ("--order",),
    "attributes": ("--all",),
    "storage": ("--live",),
    "graph": ("--live",),
    "accumulate": ("--live",),
}
# Options whose value only the user knows.
FREE = (
    "--name",
    "--into",
    "--max-steps",
    "--rounds",
    "--stop",
    "--at",
    "--order",
)
STATES = ("on", "off")  # of `%trace` for every cell
OF_TENSOR = ("grad", "requires_grad", "is_leaf", "grad_fn", "backward()")  # what %why can be asked
MOST = 100  # names of the parameters of a model

Offer = tuple[str, list[str]]  # the end of the line that is replaced, and by what


class Nothing(list[SimpleCompletion]):
    """No completion. IPython lets a matcher that found nothing suppress no other one; so this says that it is not empty."""

    def __len__(self) -> int:
        return 1


class Completer:
    """Completes the lines of our magics, with the variables of a shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        tensors = self._named(lambda v: mirrors.is_tensor(v))
        self.magics: dict[str, Callable[[str, str], Offer | None]] = {
            "trace": self._trace,
            "grad": self._grad,
            "why": self._why,
            "compare": self._compare,
            "storage": tensors,
            "attributes": tensors,
            "graph": self._named(lambda v: mirrors.is_tensor(v) and v.requires_grad),
            "accumulate": self._named(lambda v: mirrors.is_tensor(v) and v.requires_grad and v.is_leaf),
            "leaves": lambda sigil, rest: ("", []),
        }

    def __call__(self, context: CompletionContext) -> dict[str, Any]:
        mirrors.load()
        offer = self.offer(context.line_with_cursor[: context.cursor_position])
        if offer is None:
            return {"completions": []}
        end, texts = offer
        found = [SimpleCompletion(text=text, type="param") for text in texts]
        return {
            "completions": found or Nothing(),
            "matched_fragment": end,
            "suppress": True,
            "ordered": True,
        }

    def offer(self, line: str) -> Offer | None:
        """What could stand where this line ends. None if IPython is to decide: in other lines, and within expressions."""
        found = re.match(r"\s*(?:[\w, ]+=\s*)?(%{1,2})(\w+)\s+(.*)$", line, re.S)
        if found is None or found[2] not in self.magics:
            return None
        sigil, magic, rest = found.groups()
        option = re.search(r"(?<!\S)--?[\w-]*$", rest)
        if option is not None and (option[0] != "-" or magic not in ("grad", "why")):
            given = rest[: option.start()].split()
            options = [o for o in OPTIONS.get(magic, ()) if o not in given]
            return option[0], [o for o in (*options, "--help") if o.startswith(option[0])]
        if rest.split()[-1:] and rest.split()[-1] in FREE and rest[-1].isspace():
            return "", []
        return self.magics[magic](sigil, rest)

    def _variables(self, fits: Callable[[Any], bool]) -> list[str]:
        """The names of the variables whose values fit."""
        return sorted(n for n, v in list(self.shell.user_ns.items()) if not n.startswith("_") and fits(v))

    def _named(self, fits: Callable[[Any], bool]) -> Callable[[str, str], Offer | None]:
        """For magics that take the names of such variables."""

        def complete(sigil: str, rest: str) -> Offer | None:
            word = re.search(r"[^\s,]*$", rest)[0]  # type: ignore[index]
            if not re.fullmatch(r"\w*", word):
                return None  # an expression such as b[1:]
            given = re.split(r"[\s,]+", rest[: len(rest) - len(word)])
            return word, [n for n in self._variables(fits) if n.startswith(word) and n not in given]

        return complete

    def _trace(self, sigil: str, rest: str) -> Offer | None:
        if sigil == "%" and any(state.startswith(rest) for state in STATES):
            names = [n for n in self._variables(lambda v: True) if n not in self.shell.user_ns_hidden]
            return rest, [one for one in (*STATES, *names) if one.startswith(rest)]
        option, _, values = rest.rpartition("--")[2].partition(" ")
        if "--" not in rest or "=" in option:
            option, values = "", ""
        value = re.search(r"[^\s,]*$", values)[0]  # type: ignore[index]
        given = [v for v in re.split(r"[\s,]+", values[: len(values) - len(value)]) if v]
        begun = not given or values[: len(values) - len(value)].rstrip().endswith(",")
        if option == "view" and (sigil == "%%" or begun):
            from jgrad.views import VIEWS

            return value, [v for v in VIEWS if v.startswith(value) and v not in given]
        if option == "watch" and (sigil == "%%" or begun):
            names = self._variables(lambda v: mirrors.is_tensor(v))
            return value, [n for n in names if n.startswith(value) and n not in given]
        if sigil == "%%" and rest[-1:].strip() == "":
            return "", [o for o in OPTIONS["trace"] if o not in rest.split()]
        return None if sigil == "%" else ("", [])

    def _compare(self, sigil: str, rest: str) -> Offer:
        word = re.search(r"""(?:(?<![^\s,])['"][^'"]*|[^\s,'"]*)$""", rest)[0]  # type: ignore[index]
        given = [name.strip("\"'") for name in expressions(rest[: len(rest) - len(word)])]
        names = sorted({t.name for t in tracing.recent}.difference(given))
        quoted = [repr(n) if re.search(r"[\s,'\"]", n) or word[:1] in ("'", '"') else n for n in names]
        if word[:1] == '"':
            quoted = [f'"{n}"' for n in names]
        return word, [n for n in quoted if n.startswith(word)] if len(given) < 2 else []

    def _why(self, sigil: str, rest: str) -> Offer | None:
        name = re.match(r"[^\W\d]\w*", rest)
        if not re.search(r"[.\[]", rest):
            found: Iterable[str] = self._subjects()
        elif name is not None and not rest.endswith(" "):
            found = list(_within(name[0], self.shell.user_ns.get(name[0]), rest))
        else:
            return None
        texts = [text for text in found if text.startswith(rest)]
        return (rest, texts) if texts or not rest else None

    def _subjects(self) -> Iterator[str]:
        """The variables that `%why` knows something about."""
        for name in self._variables(lambda v: _is_known(v)):
            value = self.shell.user_ns[name]
            yield f"{name}.step()" if mirrors.is_optimizer(value) else name
            if mirrors.is_tensor(value) and value.requires_grad:
                yield f"{name}.grad"

    def _grad(self, sigil: str, rest: str) -> Offer | None:
        word = re.search(r"\w*$", rest)[0]  # type: ignore[index]
        before = rest[: len(rest) - len(word)]
        if before.endswith("."):
            return None
        names = self._variables(_differentiable)
        expression, wrt, given = before.rpartition("wrt ")
        if wrt:
            named = re.findall(r"\w+", given)
            used = [n for n in names if n in re.findall(r"\w+", expression)]
            return word, [n for n in used or names if n.startswith(word) and n not in named]
        if before.endswith(" ") and _complete(before):
            return (word, ["wrt"]) if "wrt".startswith(word) else (word, [])
        found = [n for n in names if n.startswith(word)]
        return (word, found) if found and not word else None


def _is_known(value: Any) -> bool:
    return mirrors.is_tensor(value) or mirrors.is_module(value) or mirrors.is_optimizer(value)


def _within(name: str, value: Any, word: str) -> Iterator[str]:
    """What `%why` can be asked about a tensor, or about the layers and parameters of a model."""
    if mirrors.is_tensor(value):
        yield from (f"{name}.{attribute}" for attribute in OF_TENSOR)
        return
    tensors = [n for n, t in held({name: value}).items() if n.startswith(word) or word.startswith(f"{n}.")]
    for tensor in tensors[:MOST]:
        layer = tensor.rpartition(".")[0]
        if layer != name:
            yield layer
        yield tensor
        yield f"{tensor}.grad"


def _differentiable(value: Any) -> bool:
    return mirrors.is_tensor(value) and (value.is_floating_point() or value.is_complex())


def _complete(text: str) -> bool:
    """Whether a text is an expression to which nothing needs to be added."""
    try:
        ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return False
    return True


def register(ipython: Any) -> None:
    """Have a shell ask a `Completer` before it asks others."""
    completer = Completer(ipython)

    @context_matcher(identifier="jgrad", priority=1000)
    def complete(context: CompletionContext) -> dict[str, Any]:
        return completer(context)

    ipython.Completer.custom_matchers.append(complete)


def unregister(ipython: Any) -> None:
    """Undo `register`."""
    matchers = ipython.Completer.custom_matchers
    matchers[:] = [m for m in matchers if getattr(m, "matcher_identifier", "") != "jgrad"]
