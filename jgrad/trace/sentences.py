"""One sentence for each step, for somebody who learns."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

PARTIAL = re.compile(
    r"_?(index|scatter|masked|put)"
)  # operations that write to some elements of their target
SHOWN = 6  # elements of a gradient that are written out
SCALED = re.compile(r"scaled\((-?)grad, alpha\)")
FOUR_DIGITS = Context(4, ROUND_HALF_UP)
CONJUGATE = re.compile(r"conj\((\w+)\)")


def tell(document: dict[str, Any], text_at: Callable[[Any], str | None], say: Callable[[Any], str]) -> None:
    """Fill in the `text` of the steps. `text_at` gives the source text at a span, if it is short; `say` is `brief`."""
    teller = Teller(document, text_at, say)
    kinds = {kind: getattr(teller, kind) for kind in {step["kind"] for step in document["steps"]}}
    for index, step in enumerate(document["steps"]):
        said = kinds[step["kind"]](index, step)
        step["text"] = said if step["line"] is None else f"line {step['line']}: {said}"


class Teller:
    """Sentences about the steps of a document; a method for each kind."""

    def __init__(
        self, document: dict[str, Any], text_at: Callable[[Any], str | None], say: Callable[[Any], str]
    ) -> None:
        self.document = document
        self.text_at = text_at
        self.say = say
        self.maker = {t: s for s in document["steps"] for t in s.get("makes", ())}

    def label(self, number: int, index: int) -> str:
        """What to call a tensor: its name, the expression that made it, or its number."""
        name = ""
        for since, n in self.document["tensors"][number]["names"]:
            if since <= index:
                name = n
        if name:
            return name
        step = self.maker.get(number)
        text = (
            None
            if step is None or step["kind"] not in ("op", "view", "create")
            else self.text_at(step["span"])
        )
        return text or f"tensor {number + 1}"

    def create(self, index: int, step: dict) -> str:
        made = self._made(index, step)
        tensor = self.document["tensors"][step["makes"][0]] if step.get("makes") else {}
        leaf = tensor.get("requires_grad") and tensor.get("is_leaf")
        return f"{step['op']} made {made}" + ("; a leaf that collects a gradient" if leaf else "")

    def op(self, index: int, step: dict) -> str:
        what = self.text_at(step["span"]) or step["op"]
        if not step.get("makes"):
            if "node" in step:  # a Function: what forward made was seen before
                return f"{what} gave its result the grad_fn {short(self.document['nodes'][step['node']]['name'])}"
            return f"{what} made nothing new"
        if step["op"] == "clone":
            what = f"{what} copied {self.label(step['reads'][0], index)} to"
        else:
            what += " made"
        return f"{what} {self._made(index, step)}" + self._history(step)

    def view(self, index: int, step: dict) -> str:
        what = self.text_at(step["span"]) or step["op"]
        if not step.get("makes"):
            return (
                f"{what} changed how {self.label(step['reads'][0], index)} looks at its memory"
                if step.get("changes")
                else what
            )
        number = step["makes"][0]
        tensor = self.document["tensors"][number]
        name, storage = self._name_of_made(number, index), f"storage {tensor['storage'] + 1}"
        source = self.label(step["reads"][0], index) if step.get("reads") else "its source"
        if step["op"] == "detach":
            return f"{what} made {name}, which shares {storage} and the version counter of {source}, but has no history"
        if step["op"] == "data":
            return f"{what} made {name}, which shares {storage} but has no history and a version counter of its own"
        if len(step["makes"]) > 1:
            return f"{what} made {self._made(index, step)}, views of {storage}{self._history(step)}"
        how = (
            f" with strides {tuple(tensor['stride'])}"
            if tensor["stride"] != _contiguous(tensor["shape"])
            else ""
        )
        return f"{what} made {name} {tensor['shape']}, a view of {storage}{how}{self._history(step)}"

    def write(self, index: int, step: dict) -> str:
        what = self.text_at(step["span"]) or step["op"]
        if not step.get("writes"):
            return what
        write = step["writes"][0]
        before, after = write["versions"]
        if PARTIAL.match(step["op"]) and write["changed"] is not None:
            wrote = f"changed {_elements(len(write['changed']))} of"
        else:
            wrote = f"wrote {_elements(write['elements'])} of"
        return f"{what} {wrote} storage {write['storage'] + 1}; version {before} to {after}"

    def backward(self, index: int, step: dict) -> str:
        roots = ", ".join(self.label(t, index) for t in step["roots"])
        values = ", ".join(self.say(v) for v in step["grads_in"])
        kind = "backward" if step["op"] == "backward" else "autograd.grad: backward"
        return f"{kind} {step['backward'] + 1} starts at {roots} with gradient {values}"

    def node(self, index: int, step: dict) -> str:
        node = self.document["nodes"][step["node"]]
        came = [
            self.say(v) for v in step["grads_in"] if v is not None
        ]  # of a result nobody used nothing came
        sent: dict[str, list[str]] = {}
        for (target, _), value in zip(node["next"], step["grads_out"], strict=False):
            if target is not None and value is not None:
                sent.setdefault(self.say(value), []).append(self._target(target, index))
        parts = [
            f"{value} to {targets[0] if len(targets) == 1 else _and(_counted(targets))}"
            for value, targets in sent.items()
        ]
        freed = "; its saved tensors are freed" if step.get("frees") else ""
        return (
            f"{short(node['name'])} got {first_few(came)} and sent {first_few(parts) or 'nothing on'}{freed}"
        )

    def accumulate(self, index: int, step: dict) -> str:
        grad = step["grad"]
        name = f"{self.label(grad['tensor'], index)}.grad"
        parts = [self.say(p["value"]) for p in grad["parts"]]
        total = self.say(grad["add"])
        came = " + ".join(parts) if len(parts) <= 4 else f"the sum of {len(parts)} gradients"
        hooks = self.document["nodes"][step["node"]].get("hooks", ()) if step.get("node") is not None else ()
        if parts and any(said.startswith("hook") for _, said in hooks):
            total = f"{total}, which a hook made of {came}"
        elif len(parts) > 1:
            total = f"{came} = {total}"
        if grad["before"] is None:
            return f"{name} is {total}"
        return f"{name} was {self.say(grad['before'])}, received {total} and is now {self.say(grad['after'])}"

    def grad(self, index: int, step: dict) -> str:
        grad = step["grad"]
        name = f"{self.label(grad['tensor'], index)}.grad"
        if grad["action"] == "none":
            return f"{name} was set to None"
        if grad["action"] == "zero":
            return f"{name} was set to zero in place"
        return (
            f"{name} was {'changed in place' if step.get('writes') else 'set'} to {self.say(grad['after'])}"
        )

    def error(self, index: int, step: dict) -> str:
        error = step["error"]
        first = error["message"].split("\n", 1)[0]
        return f"{error['type']}: {first}" if first else error["type"]

    def _made(self, index: int, step: dict) -> str:
        made = step.get("makes", [])
        if len(made) > 3:
            return f"{len(made)} tensors"
        parts = []
        for t in made:
            tensor = self.document["tensors"][t]
            parts.append(
                f"{self._name_of_made(t, index)} {tensor['shape']} in storage {tensor['storage'] + 1}"
            )
        return _and(parts)

    def _name_of_made(self, number: int, index: int) -> str:
        for since, name in self.document["tensors"][number]["names"]:
            if since == index and name:
                return name
        return "a tensor"

    def _history(self, step: dict) -> str:
        return (
            f"; its grad_fn is {short(self.document['nodes'][step['node']]['name'])}"
            if "node" in step
            else ""
        )

    def _target(self, number: int, index: int) -> str:
        node = self.document["nodes"][number]
        return (
            short(node["name"])
            if node["variable"] is None
            else f"{self.label(node['variable'], index)}'s AccumulateGrad"
        )


def short(name: str) -> str:
    """A node's name without PyTorch's namespace."""
    return name.removeprefix("torch::autograd::")


def brief(value: dict | None) -> str:
    """A gradient in few words."""
    if value is None:
        return "None"
    texts, shape = value["text"], value["shape"]
    if texts is not None and len(texts) <= SHOWN:
        for extent in reversed(shape[1:]):
            step = max(extent, 1)
            texts = [f"[{', '.join(texts[i : i + step])}]" for i in range(0, len(texts), step)]
        return f"[{', '.join(texts)}]" if shape else texts[0]
    norm = value.get("norm")
    return f"a gradient {shape}" + (f" of norm {number(norm)}" if norm is not None else "")


class Brief:
    """`brief`, remembering what it said of each value."""

    def __init__(self) -> None:
        self._said: dict[int, tuple[str, Any]] = {}  # by identity, which the value, kept here, holds on to

    def __call__(self, value: dict | None) -> str:
        said = self._said.get(id(value))
        if said is None:
            said = self._said[id(value)] = brief(value), value
        return said[0]


def number(x: float) -> str:
    """A number in four digits, without exponent where that is readable; halves are rounded up, as JavaScript rounds them."""
    exact = Decimal(x)
    four = FOUR_DIGITS.plus(exact)
    exponent = four.adjusted() if x else 0
    if exponent < -3 or exponent > 5:
        return f"{four.scaleb(-exponent):.3f}e{exponent}"
    s = f"{four if exponent < 4 else exact.to_integral(ROUND_HALF_UP):f}"
    return s.rstrip("0").rstrip(".") if "." in s else s


def _contiguous(shape: list[int]) -> list[int]:
    strides: list[int] = []
    n = 1
    for extent in reversed(shape):
        strides.insert(0, n)
        n *= max(extent, 1)
    return strides


def _elements(n: int) -> str:
    return f"{n} element" if n == 1 else f"{n} elements"


def _counted(words: list[str]) -> list[str]:
    times = {w: words.count(w) for w in words}
    return [w if n == 1 else f"{w} {'twice' if n == 2 else f'{n} times'}" for w, n in times.items()]


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else "nothing"


def readable_formula(formula: str, dtype: str) -> str:
    """A formula as one would write it by hand: without the conjugates of single names, which do nothing to real numbers."""
    formula = SCALED.sub(r"\1alpha * grad", formula)
    return formula if dtype.startswith("complex") else CONJUGATE.sub(r"\1", formula)


MANY = 5


def first_few(parts: list[str]) -> str:
    """Parts of a sentence, the first of them where there are many."""
    shown = parts if len(parts) <= MANY else [*parts[: MANY - 1], f"and {len(parts) - MANY + 1} more"]
    return ", ".join(shown)
