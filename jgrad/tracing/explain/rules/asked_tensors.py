"""What `%why x` says of a tensor: what it is to autograd, what nobody trains, what is in it, whose memory it has. All rules are asked."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from jgrad import mirrors
from jgrad.storage import owner
from jgrad.tensor import Tensor
from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.edits import Edit, at_step, cloned
from jgrad.tracing.explain.elements import elements_of
from jgrad.tracing.explain.meaning import meaning
from jgrad.tracing.explain.related import are_related
from jgrad.tracing.explain.rule import Rules, each, listed
from jgrad.tracing.explain.rules.copies import memory_of_copy
from jgrad.tracing.explain.rules.first_nan import first_nan
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.record.held import held

TENSORS = Rules()
CHANGED = Rules()

MOST = 6  # variables that a sentence lists
GROUPS = "param_groups["  # in what `held` calls a tensor of an optimizer
NET = """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = jgrad.nn.Linear(2, 1)
        self.scale = {}

    def forward(self, x):
        return self.fc(x) * self.scale

net = Net()
scale = net.scale
net(jgrad.ones(1, 2)).sum().backward()
"""
HELD = "w = jgrad.ones(2, requires_grad=True)\nb = jgrad.ones(2, requires_grad=True)\nopt = jgrad.optim.SGD([{}], lr=0.1)\n(w * b).sum().backward()"


@dataclass
class AskedTensor:
    """A tensor that the user asks about. `cells`: the sources of the notebook's cells by number."""

    name: str
    tensor: Tensor
    variables: Mapping[str, Any]
    traces: Sequence[Recorded]
    cells: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def subject(self) -> Subject:
        """With the trace that knows most of it."""
        return Subject.best(self.name, self.tensor, self.traces)

    @cached_property
    def held(self) -> dict[str, Tensor]:
        """The tensors that variables hold, apart from optimizers."""
        return {n: v for n, v in held(self.variables).items() if GROUPS not in n}

    @cached_property
    def sharing(self) -> dict[str, Tensor]:
        """Those that lie in the same storage."""
        root, own = owner(self.tensor._a), self.name.replace('"', "'")
        return {n: v for n, v in self.held.items() if owner(v._a) is root and n != own}

    @property
    def others(self) -> dict[str, Tensor]:
        """Those of them that are other tensors."""
        return {n: v for n, v in self.sharing.items() if v is not self.tensor}

    @property
    def arrays(self) -> list[str]:
        """The NumPy arrays that lie there."""
        return [
            n for n, v in self.variables.items()
            if isinstance(v, np.ndarray) and v.size and not n.startswith("_") and np.may_share_memory(v, self.tensor._a)
        ]  # fmt: skip

    @property
    def same(self) -> list[str]:
        """The other names of the tensor itself."""
        found = [n for n, v in self.sharing.items() if v is self.tensor]
        return found + [f"{n}.grad" for n, v in self.held.items() if v._grad is self.tensor and f"{n}.grad" != self.name]  # fmt: skip


def describe(asked: AskedTensor) -> str:
    """Who changed a tensor by surprise, what it is to autograd, whose memory it has, and what is with its .grad: a line for each. Of one that was
    changed so and has no gradient, nobody asks for the latter."""
    changed, said = [*each(CHANGED, asked.subject)], [*each(TENSORS, asked)]
    if changed and not asked.subject.requires_grad:
        return "\n".join(one.text for one in [*changed, *(s for s in said if s.rule.code == "tensor-memory")])
    if asked.arrays:  # which is seldom meant, and seen nowhere else
        said.sort(key=lambda one: one.rule.code != "tensor-memory")
    return "\n".join([*[one.text for one in (*changed, *said)], reason(asked.subject)["text"]])


def repair_of_changed(asked: AskedTensor) -> list[Edit]:
    """The edits that keep a tensor from being changed through another name."""
    return [edit for one in each(CHANGED, asked.subject) for edit in one.edits]


def describe_recorded(subject: Subject) -> str:
    """The same of a tensor that is not there any more, as far as its trace knows."""
    said = [one.text for one in each(CHANGED, subject)]
    return "\n".join(said if said and not subject.requires_grad else [*said, reason(subject)["text"]])


@CHANGED.rule(
    "tensor-changed", "info", "a tensor was changed in place through another name",
    "{ran} changed {name} in place: {via}.",
    "{repair}",
    "def half(t):\n    t /= 2\n    return t\n\nx = jgrad.ones(2)\ny = half(x)",
    "def half(t):\n    return t / 2\n\nx = jgrad.ones(2)\ny = half(x)",
    ask="x",
)  # fmt: skip
def tensor_changed(s: Subject) -> Iterator[dict]:
    """A tensor without a gradient was written to by statements that name it otherwise. A layer's own numbers are its own business."""
    if s.log is None or s.number is None or s.requires_grad:
        return
    storage, born = s.log.final[s.number]["storage"], s.log.tensors[s.number]["created_step"]
    ran: dict[str, tuple[str, bool]] = {}
    for i, write in s.log.writes:
        own = write["tensor"] == s.number
        if write["storage"] == storage and i > born and "layer_call" not in s.log.steps[i]:
            via = (not own and name_at(s.log.tensors[write["tensor"]], i)) or _written(s.log, i)
            if via not in ("", s.name, "self"):
                ran.setdefault(s.log.ran(i), (via, own))
    if not ran:
        return
    via, own = next(iter(ran.values()))
    other = next((t["id"] for t in s.log.tensors if any(name == via for _, name in t["names"])), None)
    copied = (s.number, s.name) if other is None or other < s.number else (other, via)
    yield {
        "name": s.name, "ran": listed([*ran][:MOST]), "via": f"{via} is the same tensor" if own else f"{via} has the same memory",
        "repair": f"Pass {s.name}.clone(), or compute a new tensor there, if {s.name} should keep its numbers."
        if own
        else _apart(s, via),
        "edits": [] if own else cloned(s.log, *copied),
    }  # fmt: skip


def _apart(s: Subject, via: str) -> str:
    """What to do so that a tensor and another name share no memory: copy the one that was made from the other."""
    assert s.log is not None
    assert s.number is not None
    other = next((t["id"] for t in s.log.tensors if any(name == via for _, name in t["names"])), s.number + 1)
    return f"Make {via if other > s.number else s.name} with clone() if {s.name} should keep its numbers."


# What functions that write in place are called through.
MODULES = ("torch", "jgrad", "nn", "F", "init")


def _written(log: Log, index: int) -> str:
    """The variable that a statement writes to in place: t of `t /= 2`, `t[0] = 1`, `t.mul_(2)` and `torch.relu_(t)`; nothing if it is no
    variable, as in `optimizer.step()`."""
    place = at_step(log, index)
    statement = None if place is None else place[1]
    target: ast.AST | None = None
    if isinstance(statement, ast.AugAssign):
        target = statement.target
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        target = statement.targets[0]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and call.func.attr.endswith("_"):
            of_module = _root(call.func) in MODULES
            target = next(iter(call.args), None) if of_module else call.func
    return _root(target)


def _root(target: ast.AST | None) -> str:
    """The variable that an expression begins with: x of `x.t()[0]`."""
    while isinstance(target, (ast.Subscript, ast.Attribute, ast.Call)):
        target = target.func if isinstance(target, ast.Call) else target.value
    return target.id if isinstance(target, ast.Name) else ""


@TENSORS.rule(
    "tensor-is-plain", "info", "a tensor does not require grad",
    "{name} is a leaf that does not require grad{made}: autograd does not record operations on {name} alone.",
    "",
    "x = jgrad.ones(2)",
    ask="x",
)  # fmt: skip
def tensor_is_plain(asked: AskedTensor) -> Iterator[dict]:
    if not asked.tensor.requires_grad:
        yield {"name": asked.name, "made": asked.subject.made()}


@TENSORS.rule(
    "tensor-is-leaf", "info", "a tensor is a leaf that requires grad",
    "{name} is a leaf that requires grad{made}: backward() adds its gradient to {name}.grad.",
    "",
    "x = jgrad.ones(2, requires_grad=True)",
    ask="x",
)  # fmt: skip
def tensor_is_leaf(asked: AskedTensor) -> Iterator[dict]:
    if asked.tensor.requires_grad and asked.tensor.is_leaf:
        yield {"name": asked.name, "made": asked.subject.made()}


@TENSORS.rule(
    "tensor-is-result", "info", "a tensor was computed",
    "{name} is not a leaf: it was computed{made}, and its grad_fn {grad_fn} passes its gradient on to the inputs.",
    "",
    "x = jgrad.ones(2, requires_grad=True) * 2",
    ask="x",
)  # fmt: skip
def tensor_is_result(asked: AskedTensor) -> Iterator[dict]:
    if asked.tensor.requires_grad and not asked.tensor.is_leaf:
        yield {"name": asked.name, "made": asked.subject.made(), "grad_fn": asked.subject.grad_fn}


@TENSORS.rule(
    "attribute-is-no-parameter", "warning", "a module holds a tensor that requires grad and is no parameter",
    "{name} is not a parameter of {module}, so {module}.parameters() leaves it out.",
    "Write {name} = jgrad.nn.Parameter({name}).",
    NET.format("jgrad.ones(1, requires_grad=True)"),
    NET.format("jgrad.nn.Parameter(jgrad.ones(1))"),
    ask="net.scale",
)  # fmt: skip
def attribute_is_no_parameter(asked: AskedTensor) -> Iterator[dict]:
    if not (asked.tensor.is_leaf and asked.tensor.requires_grad):
        return
    module_name, _, attribute = asked.name.rpartition(".")
    module = meaning(module_name, asked.variables) if module_name else None
    if mirrors.is_module(module) and mirrors.mirror(vars(module).get(attribute)) is asked.tensor:
        yield {"name": asked.name, "module": module_name}


@TENSORS.rule(
    "tensor-not-held", "info", "no optimizer holds a leaf that requires grad",
    "{optimizers} {do} not hold {name}, so step() does not change {name}.",
    "",
    HELD.format("w"),
    HELD.format("w, b"),
    ask="b",
)  # fmt: skip
def tensor_not_held(asked: AskedTensor) -> Iterator[dict]:
    if not (asked.tensor.is_leaf and asked.tensor.requires_grad):
        return
    optimizers = {
        n: [mirrors.mirror(p) for group in v.param_groups for p in group["params"]]
        for n, v in asked.variables.items() if mirrors.is_optimizer(v) and n[0] != "_"
    }  # fmt: skip
    if any(p is asked.tensor for params in optimizers.values() for p in params):
        return
    near = [n for n, params in optimizers.items() if are_related(asked.name, [asked.tensor], n, params, asked.traces, asked.cells)]  # fmt: skip
    if near:
        yield {"optimizers": listed(near), "do": "does" if len(near) == 1 else "do", "name": asked.name}


@TENSORS.rule(
    "tensor-holds-nan", "warning", "a tensor holds nan",
    "{name} holds nan{why}",
    "",
    "a = jgrad.zeros(2)\nx = a / a",
    "a = jgrad.ones(2)\nx = a / a",
    ask="x",
)  # fmt: skip
def tensor_holds_nan(asked: AskedTensor) -> Iterator[dict]:
    values = elements_of(asked.tensor) if asked.tensor.dtype.is_floating_point else None
    if values is not None and values.isnan().any():
        yield {"name": asked.name, "why": _why_nan(asked)}


def _why_nan(asked: AskedTensor) -> str:
    """Which operation made the nan that a tensor holds: what the rules about a nan said of the trace."""
    log, number = asked.subject.log, asked.subject.number
    trace = next((t for t in asked.traces if log is not None and t.document is log.document), None)
    if log is None or number is None or trace is None:
        return "."
    among = log.sources(number, len(log.steps))
    for note in log.document["notes"]:  # found when the trace ended; the tensors may have changed since
        if note["code"] == "nan-appears" and not among.isdisjoint(log.steps[note["step"]].get("makes", ())):
            title = f"in {log.title()}, " if log.places.cell else ""
            return f": {title}{note['text']}"
    log.living = trace.living
    found = next(first_nan(log, among), None) or next(first_nan(log), None)
    return "." if found is None else f": {found['text']} {found['repair']}".rstrip()


@TENSORS.rule(
    "tensor-memory", "info", "whose memory a tensor has, and who wrote to it",
    "{name} {same}{shares}{apart}.{writes}",
    "",
    "x = jgrad.ones(4)\ny = x[:2]\ny[0] = 5",
    ask="x",
)  # fmt: skip
def tensor_memory(asked: AskedTensor) -> Iterator[dict]:
    same = f"is the same tensor as {listed(asked.same[:MOST])} and " if asked.same else ""
    shares, apart = "shares its memory with no other variable", ""
    others, arrays = asked.others, asked.arrays
    if others or arrays:
        sharers = [*others, *(f"the NumPy array {n}" for n in arrays)]
        shown = sharers[:MOST] + ([f"{len(sharers) - MOST} more"] if len(sharers) > MOST else [])
        shares = f"shares memory with {listed(shown)}"
        uncounted = [n for n, v in others.items() if v._counter is not asked.tensor._counter] + arrays
        if uncounted:
            apart = f", but a write through {listed(uncounted[:MOST], 'or')} does not change the version of {asked.name}"  # fmt: skip
    elif asked.tensor._base is not None:
        shares = "is a view of a tensor that has no name"
    writes = "" if asked.tensor.is_inference() else f" {_writes(asked)}"
    yield {"name": asked.name, "same": same, "shares": shares, "apart": apart, "writes": writes}


def _writes(asked: AskedTensor) -> str:
    """How many writes in place the version counter of a tensor knows, and which a trace saw."""
    counted, unseen = _seen_writes(asked)
    version = asked.tensor._version
    wrote = f" ({_distinct(counted)})" if counted else ""
    count = "no write" if version == 0 else "1 write" if version == 1 else f"{version} writes"
    missed = f" and missed {_distinct(unseen)}" if unseen else ""
    return f"Its version counter has counted {count} in place{wrote}{missed}."


def _seen_writes(asked: AskedTensor) -> tuple[list[str], list[str]]:
    """The places of the writes that a trace saw: those that the version counter counted, and the others."""
    for trace in asked.traces:
        counter = trace.counter_of(asked.tensor._counter)
        if counter is None:
            continue
        log = Log(trace.document, asked_elsewhere=True)
        counted = [i for i, w in log.writes_to.get(counter, ()) if w["versions"][0] != w["versions"][1]]
        number = trace.number_of(asked.tensor)
        storage = None if number is None else log.final[number]["storage"]
        unseen = [
            log.ran(i) if log.places.at(log.steps[i]) else f"a write through {log.doing(i)}" for i, w in log.writes
            if w["storage"] == storage and (w["version_counter"] != counter or w["versions"][0] == w["versions"][1])
        ]  # fmt: skip
        return [log.at(i) for i in counted], unseen
    return [], []


def _distinct(places: list[str]) -> str:
    return listed(list(dict.fromkeys(places))[:MOST])


@TENSORS.rule(
    "memory-of-copy", "info", "a tensor that looks like a view is a copy",
    "{name} is a copy, so a write to it does not reach {whose}. Here {copied}. view() raises an error where {call}() copies.",
    "",
    "a = jgrad.arange(6.).view(2, 3)\nx = a.t().reshape(6)",
    ask="x",
)  # fmt: skip
def copy_has_own_memory(asked: AskedTensor) -> Iterator[dict]:
    log, number = asked.subject.log, asked.subject.number
    copied = None if log is None or number is None else memory_of_copy(log, number)
    if copied is not None:
        yield copied | {"name": asked.name}
