"""One sentence for each step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.places import Places
from jgrad.tracing.document.schema import Change, Gap, Step, TraceDocument, Value, Write
from jgrad.tracing.record.records import EXCHANGES, OUTSIDE

# Operations that write to some elements of their target.
PARTIAL = re.compile(r"_?(index|scatter|masked|put)")
RUNS = frozenset(("create", "op", "view", "write", "mark"))  # kinds of steps that code runs by itself
MADE_BY_HOOK = "which a hook computed from"
AFTER_HOOK = "after a hook ran on"
IDLE = ("step", "clip_grad_norm_")  # reported also where it does nothing
SHOWN = 6  # elements of a gradient that are written out
MANY = 5  # the most gradients that a sentence names
# Kinds of steps whose sentences tell of values.
SPEAKING = frozenset(("backward", "node", "accumulate", "grad"))


# The sentence of a step as a form, where %d stands for whole numbers and %s for the texts of values, and these numbers and values. What
# the rounds of a loop say differs in them alone, so packing has not to look for numbers in texts.
Sentence = tuple[str, tuple]

DECIMALS = re.compile(r"\d\.(\d*)(?:e([-+]?\d+))?")
NUMBER = re.compile(r"(?<![\w.])(?:0|[1-9]\d{0,14})(?![\w.])|%")


def tell(document: TraceDocument, say: Callable[[Any], str]) -> Iterator[Sentence]:
    """Fill in the `text` of the steps, one after the other, and give their forms. `say` is `brief`."""
    teller = Teller(document, say)
    kinds = {kind: getattr(teller, kind) for kind in {step["kind"] for step in document["steps"]}}
    for index, step in enumerate(document["steps"]):
        kind = step["kind"]
        form, parts = kinds[kind](index, step)
        form = teller.place(step)[0] + form
        if kind in SPEAKING:
            step["text"] = form % tuple([say(part) if part.__class__ is dict else part for part in parts])
        else:
            step["text"] = form % parts
        yield form, parts
        if "changes" in step:
            for change in step["changes"]:
                if "storage" in change:
                    teller.lies_on[change["tensor"]] = change["storage"]


class Teller:
    """Sentences about the steps of a document; a method for each kind."""

    def __init__(self, document: TraceDocument, say: Callable[[Any], str]) -> None:
        self.document = document
        self.tensors = document["tensors"]
        self.nodes = document["nodes"]
        self.places = Places(document)
        self.say = say
        self.steps = document["steps"]
        self.lies_on: dict[int, int] = {}  # tensors that were put on another storage
        self.maker = {t: i for i, s in enumerate(self.steps) if "makes" in s for t in s["makes"]}
        # By the identity of a span, by line and call: what a sentence begins with, the source, the span.
        self._places: dict[tuple[int, int | None, int | None], tuple[str, str, Any]] = {}
        self._names: dict[str, Sentence] = {}  # names as forms
        self._kinds: dict[str, str] = {}  # of nodes

    def place(self, step: Step) -> tuple[str, str, Any]:
        """How the sentence of a step begins ("line 3: "), and its expression, both as parts of a form; nothing if there is none, or it is long."""
        span = step["span"]
        key = id(span), step["line"], step.get("call")
        known = self._places.get(key)
        if known is None:
            at, text = self.places.at(step), self.places.text(step)
            known = self._places[key] = (plain(f"{at}: " if at else ""), plain(text or ""), span)
        return known

    def source(self, step: Step) -> str:
        """The expression of a step, as part of a form; nothing if it is long."""
        return self.place(step)[1]

    def called(self, name: str) -> Sentence:
        """A name as a form: of xs[0] and xs[1] it is the same."""
        known = self._names.get(name)
        if known is None:
            numbers = tuple([int(n) for n in NUMBER.findall(name) if n != "%"])
            known = self._names[name] = NUMBER.sub(lambda m: "%%" if m[0] == "%" else "%d", name), numbers
        return known

    def label(self, number: int, index: int) -> Sentence:
        """What to call a tensor: its name, or what it was called, or the expression that made it, or its number."""
        now = earlier = ""
        for since, name in self.tensors[number]["names"]:
            if since > index:
                break
            now, earlier = name, name or earlier
        if earlier:
            return self.called(now or f"old {earlier}")
        made = self.maker.get(number)
        text = ""
        if made is not None and self.steps[made]["kind"] in ("op", "view", "create"):
            step = self.steps[made]
            text = (
                f"the result of {step['op']}" if within(self.places, self.steps, made) else self.source(step)
            )
        return (text, ()) if text else ("tensor %d", (number + 1,))

    def what(self, index: int, step: Step) -> str:
        """What a step ran: the expression, or which of the operations that it runs."""
        text = self.source(step)
        if not text:
            return step["op"]
        return f"{step['op']} in {text}" if within(self.places, self.steps, index) else text

    def create(self, index: int, step: Step) -> Sentence:
        made, parts = self._made(index, step)
        made_first = [self.tensors[t] for t in step.get("makes", ())[:1]]
        leaf = any(t["requires_grad"] and t["is_leaf"] for t in made_first)
        return f"{step['op']}() made {made}" + ("; it is a leaf that requires grad" if leaf else ""), parts

    def op(self, index: int, step: Step) -> Sentence:
        what = self.what(index, step)
        if not step.get("makes"):
            if "node" in step:  # a Function: what forward made was seen before
                what += f" gave its result the grad_fn {self._node_name(step)}"
            elif step["op"] in IDLE:
                return f"{what} changed nothing: the .grad of every parameter is None", ()
            else:
                what += " made no new tensor"
            return self._counted(step, what)
        made, parts = self._made(index, step)
        if step["op"] == "clone":
            source, numbers = self.label(step["reads"][0], index)
            return f"{what} copied {source} to {made}{self._history(step)}", numbers + parts
        return f"{what} made {made}{self._history(step)}", parts

    def view(self, index: int, step: Step) -> Sentence:
        what = self.what(index, step)
        if not step.get("makes"):
            what, parts = self._looks(index, step, what)
            return self._counted(step, what, parts)
        number = step["makes"][0]
        tensor = self.tensors[number]
        storage = tensor["storage"] + 1
        name, parts = self._name_of_made(number, index)
        if step["op"] == "detach" and tensor["origin"] == "create":
            # Parameter() detaches what it is given: the user asked for no detach.
            what, (shape, numbers) = self.source(step) or "Parameter()", _listed(tensor["shape"])
            made = f"{name} {shape}, a parameter" if name != "a tensor" else f"a parameter {shape}"
            return f"{what} made {made} in storage %d", (*parts, *numbers, storage)
        if step["op"] in ("detach", "data"):
            source, numbers = self.label(step["reads"][0], index) if step.get("reads") else ("its source", ())
            if step["op"] == "data":
                sentence = f"{what} made {name}, which shares storage %d, but has its own version counter and no history"
                return sentence, (*parts, storage)
            sentence = f"{what} made {name}, which shares storage %d and the version counter of {source}, but has no history"
            return sentence, (*parts, storage, *numbers)
        if len(step["makes"]) > 1:
            made, parts = self._made(index, step, where=False)
            return f"{what} made {made}, views of storage %d{self._history(step)}", (*parts, storage)
        shape, numbers = _listed(tensor["shape"])
        parts = (*parts, *numbers, storage)
        how = ""
        if tensor["stride"] != _contiguous(tensor["shape"]):
            how = f" with strides {_tuple(tensor['stride'])}"
            parts += tuple(tensor["stride"])
        return f"{what} made {name} {shape}, a view of storage %d{how}{self._history(step)}", parts

    def _looks(self, index: int, step: Step, what: str) -> Sentence:
        """What an operation did to the very tensor that it was given."""
        number = step["reads"][0]
        change = next((c for c in step.get("changes", ()) if c["tensor"] == number), None)
        if step["op"] == "data":
            what += " = ..."
        if change is None:
            return f"{what} ran", ()
        name, parts = self.label(number, index)
        if "storage" not in change:
            return self._flagged(change, what, (name, parts))
        if change["storage"] != self.lies_on.get(number, self.tensors[number]["storage"]):
            return f"{what} moved {name} to storage %d", (*parts, change["storage"] + 1)
        return f"{what} changed the shape, strides or offset of {name}", parts

    def _counted(self, step: Step, what: str, parts: tuple = ()) -> Sentence:
        """With the words for a step that counts as a write."""
        for write in step.get("writes", ()):
            what += "; version %d to %d"
            parts += tuple(write["versions"])
        return what, parts

    def write(self, index: int, step: Step) -> Sentence:
        what = self.what(index, step)
        if not step.get("writes"):
            return what, ()
        write = step["writes"][0]
        if (PARTIAL.match(step["op"]) or step["op"] == OUTSIDE) and write["changed_elements"] is not None:
            verb, number = "changed", len(write["changed_elements"])
        else:
            verb, number = "wrote", write["numel"]
        elements = "element" if number == 1 else "elements"
        where, parts = self._written(index, step, write)
        before, after = write["versions"]
        if step["op"] == OUTSIDE:
            sentence = f"%d {elements} of {where} changed through other code, such as a NumPy array that shares the memory"
        else:
            others = " from other processes" if step["op"] in EXCHANGES else ""
            sentence = f"{what} {verb} %d {elements} of {where}{others}"
        if before == after:
            return f"{sentence}; its version stays %d", (number, *parts, after)
        counter, names = self._of_its_own(index, write["tensor"])
        return f"{sentence}; version %d to %d{counter}", (number, *parts, before, after, *names)

    def _of_its_own(self, index: int, number: int) -> Sentence:
        """Whose version a write through `.data`, or through a view of it, counts: that of the tensor it is taken from stays."""
        while True:
            made = self.maker.get(number)
            reads = [] if made is None else self.steps[made].get("reads", [])
            if made is None or not reads or reads[0] >= number:
                return "", ()
            if self.steps[made]["op"] == "data":
                break
            if self.tensors[reads[0]]["version_counter"] != self.tensors[number]["version_counter"]:
                return "", ()
            number = reads[0]
        (own, numbers), (owner, more) = self.label(number, index), self.label(reads[0], index)
        return f" of {own}, and not of {owner}", (*numbers, *more)

    def _written(self, index: int, step: Step, write: Write) -> Sentence:
        """The storage that a write changed, with the name of the tensor if the expression does not have it: opt.step() writes to many."""
        names = [name for since, name in self.tensors[write["tensor"]]["names"] if since <= index]
        source = self.source(step)
        if not names or not names[-1] or any([name in source for name in names if name]):
            return "storage %d", (write["storage"] + 1,)
        name, numbers = self.called(names[-1])
        return f"{name} (storage %d)", (*numbers, write["storage"] + 1)

    def backward(self, index: int, step: Step) -> Sentence:
        roots, numbers = _joined([self.label(t, index) for t in step["roots"]])
        values, parts = _joined([_started(v) for v in step["grads_in"]])
        kind = "backward" if step["op"] == "backward" else "autograd.grad: backward"
        sentence = f"{kind} %d starts at {roots} with {values}"
        return sentence, (step["backward_call"] + 1, *numbers, *parts)

    def node(self, index: int, step: Step) -> Sentence:
        node = self.nodes[step["node"]]
        came = [v for v in step["grads_in"] if v is not None]  # of a result nobody used nothing came
        sent = [
            (target, value)
            for (target, _), value in zip(node["next_functions"], step["grads_out"])  # noqa: B905
            if target is not None and value is not None
        ]
        if len(sent) == 1:
            target, value = sent[0]
            to, numbers = self._target(target, index)
            there, more = f"%s to {to}", (value, *numbers)
        else:
            there, more = self._sent(sent, index)
        gone, parts = ("%s", (came[0],)) if len(came) == 1 else _first_few([("%s", (v,)) for v in came])
        freed = "; its saved tensors were freed" if "frees" in step else ""
        comma = "," if len(came) > 1 else ""
        sentence = f"{self._node_name(step)} got {gone or 'no gradient'}{comma} and sent {there or 'no gradient'}{freed}"
        return sentence, parts + more

    def _sent(self, sent: list[tuple[int, Value]], index: int) -> Sentence:
        """What a node sent to which others."""
        going: dict[str, tuple[Value, list[Sentence]]] = {}
        for target, value in sent:
            going.setdefault(self.say(value), (value, []))[1].append(self._target(target, index))
        clauses = []
        for value, targets in going.values():
            to, numbers = targets[0] if len(targets) == 1 else _and(_times(targets))
            clauses.append((f"%s to {to}", (value, *numbers)))
        return _first_few(clauses)

    def accumulate(self, index: int, step: Step) -> Sentence:
        grad = step["grad"]
        name, numbers = self.label(grad["tensor"], index)
        arrived = [part["value"] for part in grad["contributions"]]
        total, came, added = "%s", "", grad["added"]
        values: tuple[Value | None, ...] = (added,)
        node = step.get("node")
        hooks = self.nodes[node].get("hooks", ()) if node is not None else ()
        hooked = bool(arrived) and any(sentence.startswith("hook") for _, sentence in hooks)
        made = True
        if hooked and len(arrived) == 1:  # a hook that returned what it got, or nothing, made nothing
            made = hooked = self.say(arrived[0]) != self.say(added)
        elif hooked and added is not None and added["elements"] is not None:
            made = hooked = not is_sum(added["elements"], arrived)
        elif hooked:
            made = False  # or it did, of numbers that are not kept
        if hooked or len(arrived) > 1:
            few = len(arrived) <= 4
            came = " + ".join(["%s"] * len(arrived)) if few else f"the sum of {len(arrived)} gradients"
            parts = tuple(arrived) if few else ()
            how = MADE_BY_HOOK if made else AFTER_HOOK
            total = f"%s, {how} {came}" if hooked else f"{came} = %s"
            values = (added, *parts) if hooked else (*parts, added)
        if grad["before"] is None:
            return f"{name}.grad is {total}", numbers + values
        sentence = f"{name}.grad was %s, received {total} and is now %s"
        return sentence, (*numbers, grad["before"], *values, grad["after"])

    def grad(self, index: int, step: Step) -> Sentence:
        grad = step["grad"]
        name, numbers = self.label(grad["tensor"], index)
        if grad["action"] == "none":
            return f"{name}.grad was set to None", numbers
        if grad["action"] == "zero":
            return f"{name}.grad was set to zero in place", numbers
        after, parts = _value(grad["after"])
        if step["op"] in EXCHANGES:
            return f"{step['op']} with other processes made {name}.grad {after}", numbers + parts
        how = "changed in place" if step.get("writes") else "set"
        return f"{name}.grad was {how} to {after}", numbers + parts

    def mark(self, index: int, step: Step) -> Sentence:
        what, changes = self.what(index, step), step.get("changes", [])
        if not changes:
            return f"{what} ran", ()
        change = changes[0]
        if step["op"] == "requires_grad":
            what += f" = {change.get('requires_grad')}"
        return self._flagged(change, what, self.label(change["tensor"], index))

    def _flagged(self, change: Change, what: str, label: Sentence) -> Sentence:
        """What an operation changed about the part that a tensor has in autograd."""
        (name, parts), node = label, change.get("grad_fn")
        if node is not None:
            return f"{what} gave {name} the grad_fn {self._short(self.nodes[node]['name'])}", parts
        if "grad_fn" in change:
            return f"{what} took {name} out of the graph: it is a leaf that does not require grad", parts
        if "requires_grad" in change:
            now = "requires grad" if change["requires_grad"] else "does not require grad"
            return f"{what} made {name} a leaf that {now}", parts
        return f"{what} made {name} keep its .grad", parts

    def error(self, index: int, step: Step) -> Sentence:
        error = step["error"]
        first = error["message"].split("\n", 1)[0]
        return plain(f"{error['type']}: {first}" if first else error["type"]), ()

    def gap(self, index: int, step: Step) -> Sentence:
        return described_gap(step["gap"]), ()

    def _made(self, index: int, step: Step, where: bool = True) -> Sentence:
        """The tensors that a step made, with their shapes, and their storages if `where`."""
        made = step.get("makes", [])
        if len(made) > 3:
            return f"{len(made)} tensors", ()
        found = []
        for t in made:
            tensor = self.tensors[t]
            name, parts = self._name_of_made(t, index)
            shape, numbers = _listed(tensor["shape"])
            if where:
                found.append((f"{name} {shape} in storage %d", (*parts, *numbers, tensor["storage"] + 1)))
            else:
                found.append((f"{name} {shape}", (*parts, *numbers)))
        return found[0] if len(found) == 1 else _and(found)

    def _name_of_made(self, number: int, index: int) -> Sentence:
        for since, name in self.tensors[number]["names"]:
            if since == index and name:
                return self.called(name)
            if since > index:
                break
        return "a tensor", ()

    def _history(self, step: Step) -> str:
        return f"; its grad_fn is {self._node_name(step)}" if "node" in step else ""

    def _node_name(self, step: Step) -> str:
        return self._short(self.nodes[step["node"]]["name"])

    def _short(self, name: str) -> str:
        """The name of a node as part of a form."""
        known = self._kinds.get(name)
        if known is None:
            known = self._kinds[name] = plain(short(name))
        return known

    def _target(self, number: int, index: int) -> Sentence:
        node = self.nodes[number]
        if node["variable"] is None:
            return self._short(node["name"]), ()
        name, numbers = self.label(node["variable"], index)
        return f"{name}'s AccumulateGrad", numbers


def plain(text: str) -> str:
    """Any text as part of a form."""
    return text.replace("%", "%%") if "%" in text else text


def _value(value: Value | None) -> Sentence:
    return ("None", ()) if value is None else ("%s", (value,))


def _started(value: Value | None) -> Sentence:
    """What a backward pass starts with: "gradient 1.", "a gradient [100] of norm 10"."""
    form, parts = _value(value)
    return form if value is not None and not _is_written(value) else f"gradient {form}", parts


def within(places: Places, steps: list[Step], index: int) -> bool:
    """Whether a step is one of the operations that an expression runs, such as a layer, and not the last of them."""
    step, after = steps[index], steps[index + 1] if index + 1 < len(steps) else None
    if after is None or after["span"] != step["span"] or after["op"] == step["op"]:
        return False
    call, span = places.where(step)
    return (
        span is not None and places.where(after) == (call, span) and after["kind"] in RUNS and (step["kind"], after["kind"]) != ("view", "write")  # x[0] = 1 writes to a view
    )  # fmt: skip


def described_gap(gap: Gap) -> str:
    """Which steps are missing: "rounds 12 to 5,316 were not kept"."""
    rounds, steps = gap["rounds"], gap["steps"]
    if rounds is None:
        if steps == 1:
            return "1 step was not kept"
        return "some steps were not kept" if steps is None else f"{steps:,} steps were not kept"
    first, last = rounds
    which = f"round {first:,}" if first == last else f"rounds {first:,} to {last:,}"
    verb = "was" if first == last else "were"
    return f"{which} {verb} not kept in full"


def short(name: str) -> str:
    """A node's name without PyTorch's namespace."""
    return name.removeprefix("torch::autograd::")


def brief(value: Value | None) -> str:
    """A gradient in few words."""
    if value is None:
        return "None"
    texts, shape = value["elements"], value["shape"]
    if texts is not None and _is_written(value):
        for extent in reversed(shape[1:]):
            step = max(extent, 1)
            texts = [f"[{', '.join(texts[i : i + step])}]" for i in range(0, len(texts), step)]
        return f"[{', '.join(texts)}]" if shape else texts[0]
    norm = value.get("norm")
    if value.get("nan_count") or value.get("inf_count"):
        return f"a gradient {shape} of norm {'nan' if value.get('nan_count') else 'inf'}"
    return f"a gradient {shape}" + (f" of norm {number(norm)}" if norm is not None else "")


def _is_written(value: Value) -> bool:
    """Whether the elements of a gradient are written out."""
    return value["elements"] is not None and len(value["elements"]) <= SHOWN


class Brief:
    """`brief`, remembering the text of each value."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[str, Any]] = {}  # by identity, which the value, kept here, holds on to

    def __call__(self, value: Value | None) -> str:
        sentence = self._texts.get(id(value))
        if sentence is None:
            sentence = self._texts[id(value)] = brief(value), value
        return sentence[0]


def _contiguous(shape: list[int]) -> list[int]:
    strides: list[int] = []
    n = 1
    for extent in reversed(shape):
        strides.insert(0, n)
        n *= max(extent, 1)
    return strides


def _listed(numbers: list[int]) -> Sentence:
    """Numbers as a list is written."""
    n = len(numbers)
    return LISTS[n] if n < len(LISTS) else f"[{', '.join(['%d'] * n)}]", tuple(numbers)


LISTS = [f"[{', '.join(['%d'] * n)}]" for n in range(8)]


def is_sum(total: list[str], parts: list[Value]) -> bool:
    """Whether elements are the sums of those of values, as far as their digits tell."""
    try:
        for texts in zip(total, *[part["elements"] or [] for part in parts], strict=True):
            whole, *numbers = [complex(t) for t in texts]
            added = sum(numbers)
            nans = whole != whole and added != added
            if not (nans or whole == added or abs(whole - added) <= sum([_doubt(t) for t in texts])):
                return False
        return True
    except (TypeError, ValueError):  # of another shape
        return False


def _doubt(number: str) -> float:
    """How far a number may be from its text: half of its last digit; whole numbers are exact."""
    return sum(
        0.5 * 10.0 ** (int(exponent or 0) - len(digits))
        for digits, exponent in DECIMALS.findall(number)
        if digits
    )


def _tuple(numbers: list[int]) -> str:
    return f"({', '.join(['%d'] * len(numbers))}{',' * (len(numbers) == 1)})"


def _times(clauses: list[Sentence]) -> list[Sentence]:
    """Each once, with how often it stands there."""
    counts: dict[Sentence, int] = {}
    for one in clauses:
        counts[one] = counts.get(one, 0) + 1
    return [
        (form if n == 1 else f"{form} {'twice' if n == 2 else f'{n} times'}", parts)
        for (form, parts), n in counts.items()
    ]


def _joined(clauses: list[Sentence], comma: str = ", ") -> Sentence:
    return comma.join([form for form, _ in clauses]), tuple([part for _, parts in clauses for part in parts])


def _and(clauses: list[Sentence]) -> Sentence:
    if len(clauses) < 2:
        return clauses[0] if clauses else ("nothing", ())
    return _joined([_joined(clauses[:-1]), clauses[-1]], " and ")


def _first_few(clauses: list[Sentence]) -> Sentence:
    """Parts of a sentence, the first of them where there are many."""
    if len(clauses) == 1:
        return clauses[0]
    if len(clauses) <= MANY:
        return _and(clauses) if clauses else ("", ())
    return _joined([*clauses[: MANY - 1], (f"and {len(clauses) - MANY + 1} more", ())])
