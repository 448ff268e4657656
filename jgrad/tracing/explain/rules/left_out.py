"""Parameters that no optimizer was given, though their gradients come in each round: a whole module, or a part of one that is trained."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import TraceModule, TraceOptimizer
from jgrad.tracing.document.syntax import around
from jgrad.tracing.explain.edits import Code, Edit, assigned_to, at_step
from jgrad.tracing.explain.repairs import NAME
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.rules.unchanged_parameters import is_older, untrained
from jgrad.tracing.explain.training import SHOWN, Training

NOTES = Rules()

# Code by which a network may have values worth keeping, or that decides itself what is trained.
KEPT_AS_IS = re.compile(
    r"pretrained|load_(?:state|model|weight|checkpoint|from)|\b(?:torch|jgrad|hub|pickle|joblib|\w*model\w*|\w*net\w*)\.load\(|weights=|requires_grad"
)
PARTS = re.compile(r"[^.\[\]]+|\[[^\]]*\]")  # of a path: "net", "body", "[0]"
LONG = 60  # characters of code in a sentence
SEVERAL = 2  # rounds after which nothing is about to come any more
LEFT_OUT = """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = jgrad.nn.Linear(2, 3), jgrad.nn.Linear(3, 1)

    def forward(self, x):
        return self.head(self.body(x).tanh())

net = Net()
opt = jgrad.optim.SGD(%s.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    net(jgrad.ones(4, 2)).mean().backward()
    opt.step()
"""


@NOTES.rule(
    "left-out-of-optimizer", "warning", "an optimizer was made without a part of the network",
    "{names} {get} gradients, and no optimizer has {them}{made}. {so}.",
    "{repair}",
    LEFT_OUT % "net.body",
    LEFT_OUT % "net",
    final=True,
)  # fmt: skip
def left_out_of_optimizer(log: Log) -> Iterator[dict]:
    """Parameters that this trace made, with random values, and that nothing trains: a module through which the gradients of what is trained come, or
    parts of a module whose other parts are trained."""
    training = Training.of(log)
    swapped = [*_of_the_other(training)]
    yield from swapped
    if swapped or any(KEPT_AS_IS.search("\n".join(code.lines)) for code in Code.all_of(log)):
        return
    for module in training.modules:
        left = [
            p for p in module["parameters"]
            if untrained(training, p) and len(training.filled(p)) > SEVERAL and _is_fresh(log, p)
        ]  # fmt: skip
        optimizer = _optimizer_without(training, module, left) if left else None
        if optimizer is None:
            continue
        i, one = training.filled(left[0])[-1], len(left) == 1
        case = _Case(training, module, optimizer, left, i)
        maker = case.maker()
        yield {
            "step": i, "tensors": left, "lines": case.lines(maker), "names": training.names(left, i), "get": "gets" if one else "get",
            "them": "it" if one else "them", "made": "" if maker is None else maker.words(log, optimizer["name"]),
            "so": f"So {'it keeps its' if one else 'they keep their'} first values while {case.others()}", **case.repair(maker),
        }  # fmt: skip


STACKED = """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = jgrad.nn.ModuleList([jgrad.nn.Linear(2, 2) for i in range(3)])

    def forward(self, x):
        for i in range(3):
            x = self.layers[%s](x).tanh()
        return x

net = Net()
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    net(jgrad.ones(4, 2)).mean().backward()
    opt.step()
"""


@NOTES.rule(
    "one-layer-for-all", "warning", "one layer of a list runs in place of all of them",
    "{at} runs {layer} {count} times in each forward(), as often as there are layers in {owner}. The others never run, so they never learn.",
    "{repair}",
    STACKED % "0",
    STACKED % "i",
    final=True,
)  # fmt: skip
def one_layer_for_all(log: Log) -> Iterator[dict]:
    """Of a list of layers that an optimizer has, one runs as often as there are, and the others are never called and get no gradient."""
    layers, calls, training = (
        log.document.get("layers", []),
        log.document.get("layer_calls", []),
        Training.of(log),
    )
    names = {t: log.name(t, len(log.steps)) for t in training.optimized}
    for number, layer in enumerate(layers):
        owner, bracket, _ = layer["name"].rpartition("[")
        own = re.compile(rf"{re.escape(owner)}(\[\d+\])")
        beside = {f"{owner}{m[1]}": t for t, name in names.items() if bracket and (m := own.match(name))}
        run = {one["name"] for one in layers} & {*beside}
        fed = any(
            t in training.fed or training.filled(t) for name, t in beside.items() if name != layer["name"]
        )
        parents = [parent for which, parent in calls if which == number]
        count = parents.count(parents[0]) if parents else 0
        i = next(
            (
                i
                for i, s in enumerate(log.steps)
                if s.get("layer_call", -1) >= 0 and calls[s["layer_call"]][0] == number
            ),
            None,
        )
        if run != {layer["name"]} or fed or not 1 < count == len(beside) or i is None:
            continue
        place = at_step(log, i)
        edits = [] if place is None else [*_in_turn(*place)]
        yield {
            "step": i, "tensors": [t for name, t in beside.items() if name != layer["name"]], "lines": log.lines(i), "at": log.at(i), "layer": layer["name"],
            "count": count, "owner": owner, "edits": edits,
            "repair": f"Write {edits[0].text} there, which takes one after the other." if edits else "Take one after the other, as in for layer in self.layers.",
        }  # fmt: skip
        return


def _in_turn(code: Code, statement: ast.stmt) -> Iterator[Edit]:
    """`self.layers[i]` for `self.layers[0]` in a loop over the numbers of the layers, or the name of a loop over the layers."""
    loops = [n for n in around(code.tree, statement.lineno, ast.For) if isinstance(n.target, ast.Name)]
    for node in ast.walk(statement):
        if loops and isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            over, name = ast.unparse(loops[-1].iter), ast.unparse(loops[-1].target)
            text = (
                f"{code.text(node.value)}[{name}]"
                if over.startswith("range(")
                else name
                if over == ast.unparse(node.value)
                else ""
            )
            if text:
                yield code.replaced(node, text)
                return


LATE = """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.Tanh(), jgrad.nn.Linear(3, 1))
net[0].requires_grad_(False)
opt = jgrad.optim.SGD(%s, lr=0.1)
for epoch in range(6):
    if epoch == 2:
        net[0].requires_grad_(True)
    opt.zero_grad()
    net(jgrad.ones(4, 2)).mean().backward()
    opt.step()
"""


@NOTES.rule(
    "frozen-when-made", "warning", "parameters were frozen when an optimizer was made that takes only those that learn",
    "{names} did not require grad when {opt} was made, so it does not have {them}: {they} gradients, and no step changes {them}.",
    "Make {opt} of all parameters: it passes over those without a gradient. Or add these later by {opt}.add_param_group().",
    LATE % "filter(lambda p: p.requires_grad, net.parameters())",
    LATE % "net.parameters()",
    final=True,
)  # fmt: skip
def frozen_when_made(log: Log) -> Iterator[dict]:
    """Parts of a module whose other parts an optimizer has."""
    training = Training.of(log)
    for module, optimizer in product(training.modules, training.optimizers):
        late = [
            p for p in module["parameters"] if untrained(training, p) and len(training.filled(p)) > SEVERAL
        ]
        frozen = not any(log.state(p, optimizer["met_step"] + 1)["requires_grad"] for p in late)
        if late and frozen and {*optimizer["parameters"]} & {*module["parameters"]}:
            i, one = training.filled(late[0])[-1], len(late) == 1
            yield {
                "step": i, "tensors": late, "lines": log.lines(i), "names": training.names(late, i), "opt": optimizer["name"],
                "them": "it" if one else "them", "they": "it gets" if one else "they get", "edits": _unfiltered(log, optimizer["name"]),
            }  # fmt: skip
            return


def _unfiltered(log: Log, optimizer: str) -> list[Edit]:
    """`net.parameters()` for `filter(lambda p: p.requires_grad, net.parameters())`, and for the comprehension that says the same."""
    for code in Code.all_of(log):
        made = assigned_to(code, optimizer) or assigned_to(code, f"self.{optimizer.rpartition('.')[2]}")
        value = made.value if isinstance(made, ast.Assign) else None
        first = value.args[0] if isinstance(value, ast.Call) and value.args else None
        if (
            isinstance(first, ast.Call)
            and ast.unparse(first.func) == "filter"
            and "requires_grad" in ast.unparse(first)
        ):
            return [code.replaced(first, code.text(first.args[1]))]
        if isinstance(first, (ast.ListComp, ast.GeneratorExp)) and "requires_grad" in ast.unparse(first):
            return [code.replaced(first, code.text(first.generators[0].iter))]
    return []


def _of_the_other(training: Training) -> Iterator[dict]:
    """A module that learns nothing, where two optimizers have the parameters of another one."""
    log = training.log
    pairs = [
        (a, b) for a, b in combinations(training.optimizers, 2) if {*a["parameters"]} == {*b["parameters"]}
    ]
    idle = [
        m
        for m in training.modules
        if m["parameters"]
        and all(untrained(training, p) and len(training.filled(p)) > 1 for p in m["parameters"])
    ]
    for (a, b), module in product(pairs, idle[:1]):
        own, root = module["parameters"], module["name"]
        i = training.filled(own[0])[-1]
        part = root.rpartition(".")[2].lower()
        # `opt_G` is meant for `G`, or for `generator`.
        meant = [o["name"] for o in (b, a) if part.startswith(re.split(r"[._]", o["name"].lower())[-1])]
        if len(meant) != 1:
            continue  # one after the other may train the same model
        opt = meant[0]
        yield {
            "step": i, "tensors": own, "lines": log.lines(i), "names": training.names(own, i), "get": "get", "them": "them", "made": "",
            "so": f"{a['name']} and {b['name']} have the same parameters", "repair": f"Make {opt} of {root}.parameters().",
            "edits": _made_of(log, opt, root.rpartition(".")[2]),
        }  # fmt: skip


def _made_of(log: Log, optimizer: str, module: str) -> list[Edit]:
    """The optimizer made of the parameters of another module, which stands beside the one that it has."""
    for code in Code.all_of(log):
        for name in (optimizer, f"self.{optimizer.rpartition('.')[2]}"):
            made = assigned_to(code, name)
            value = made.value if isinstance(made, ast.Assign) else None
            first = value.args[0] if isinstance(value, ast.Call) and value.args else None
            if (
                isinstance(first, ast.Call)
                and isinstance(first.func, ast.Attribute)
                and first.func.attr == "parameters"
            ):
                owner = code.text(first.func.value)
                return [code.replaced(first.func.value, f"{owner.rpartition('.')[0]}.{module}".lstrip("."))]
    return []


def _is_fresh(log: Log, parameter: int) -> bool:
    """Whether the trace made a parameter, and nothing wrote to it since it was first used."""
    first = min((i for i in log.users.get(parameter, ()) if "node" in log.steps[i]), default=-1)
    written = log.writes_on.get(log.final[parameter]["storage"], ())
    return log.tensors[parameter]["created_step"] >= 0 and not any(i >= first for i, _ in written)


def _optimizer_without(training: Training, module: TraceModule, left: list[int]) -> TraceOptimizer | None:
    """The optimizer that should have had what is left of a module: it trains the other parts of it, or what lies behind it."""
    own = {*module["parameters"]}
    others = [p for p in own.difference(left) if training.filled(p)]
    if others and not all(p in training.optimized and training.moved(p) for p in others):
        return None  # some of it is trained in another way
    for optimizer in training.optimizers:
        trained = [p for p in optimizer["parameters"] if training.moved(p)]
        if others and own & {*trained} and not is_older(training, optimizer, module, left):
            return optimizer
        if not others and len(left) == len(own) and trained and {*trained} <= _behind(training.log, left):
            return optimizer
    return None


def _behind(log: Log, parameters: list[int]) -> set[int]:
    """The leaves to which gradients go on that came to where some parameters were used."""
    users = {i for p in parameters for i in log.users.get(p, ()) if "node" in log.steps[i]}
    nodes = log.nodes_behind(*(log.steps[i]["node"] for i in users)) if users else set()
    return {v for n in nodes if (v := log.nodes[n]["variable"]) is not None} - {*parameters}


def _is_short(text: str) -> bool:
    """Whether code is short and plain enough to stand in a sentence."""
    return len(text) <= LONG and not re.search(r"[\n{]", text)


class _Maker(NamedTuple):
    """The call that makes an optimizer, and what it is given: `given` is the expression that lists the parameters, perhaps that of a variable."""

    code: Code
    call: ast.Call
    given: ast.expr

    def words(self, log: Log, name: str) -> str:
        """Of what it is made, and where, as the end of a sentence."""
        text, at = self.code.text(self.given), self.code.place(log, self.call.lineno)
        what = f"is made of {text}" if _is_short(text) else "is made"
        return f": {name} {what} ({at})"


class _Case:
    """What is left of a module, the optimizer that should have it, and what code calls the parts."""

    def __init__(self, training: Training, module: TraceModule, optimizer: TraceOptimizer, left: list[int], index: int) -> None:  # fmt: skip
        self.training, self.optimizer, self.index = training, optimizer, index
        self.root = module["name"]
        log = training.log
        paths = {p: log.name(p, index) for p in module["parameters"] if p in left or training.filled(p)}
        held = [paths[p] for p in paths if p not in left]
        missing = [paths[p] for p in left]
        self.leaves = {*held, *missing}
        self.left_parts = _largest(missing, held) if held else [self.root]
        self.held_parts = _largest(held, missing)

    def others(self) -> str:
        """What is trained, as a sentence."""
        trained = [p for p in self.optimizer["parameters"] if self.training.moved(p)]
        names = self.held_parts or self.training.root(trained, self.index).split(" and ")
        if len(names) > SHOWN:
            return "the others learn"
        return f"{listed(names)} {'learns' if len(names) == 1 else 'learn'}"

    def lines(self, maker: _Maker | None) -> list[int]:
        """The lines of the cell to mark: where the optimizer is made, else where the gradients come."""
        log = self.training.log
        return log.lines(self.index) if maker is None or maker.code.file else [maker.call.lineno]

    def maker(self) -> _Maker | None:
        """The call that makes the optimizer, if the code has one that must be it."""
        name, kind = self.optimizer["name"], self.optimizer["type"]
        calls = [
            (code, node) for code in Code.all_of(self.training.log) for node in ast.walk(code.tree)
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == kind
        ]  # fmt: skip
        named = [
            (code, call) for code, call in calls
            if any(isinstance(s, ast.Assign) and s.value is call and name in map(ast.unparse, s.targets) for s in code.statements)
        ]  # fmt: skip
        found = named or calls
        if len(found) != 1:
            return None
        code, call = found[0]
        given = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "params"), None)  # fmt: skip
        if isinstance(given, ast.Name):
            values = [s.value for s in code.statements if isinstance(s, ast.Assign) and [*map(ast.unparse, s.targets)] == [given.id]]  # fmt: skip
            given = values[0] if len(values) == 1 else None
        return None if given is None else _Maker(code, call, given)

    def repair(self, maker: _Maker | None) -> dict:
        """What to do, in words and as an edit of what the optimizer is given."""
        name = self.optimizer["name"]
        text = None if maker is None else self._given(maker)
        should = listed(self.left_parts[:SHOWN])
        if maker is None or text is None:
            return {"repair": f"If {should} should learn, give its parameters to {name} too.", "edits": []}
        do = f"make {name} of {text}" if _is_short(text) else f"give its parameters to {name} too"
        return {
            "repair": f"If {should} should learn, {do}.",
            "edits": [maker.code.replaced(maker.given, text)],
        }

    def _given(self, maker: _Maker) -> str | None:
        """What the optimizer should be given, as code."""
        code, given = maker.code, maker.given
        lists = _lists_in(given)
        if not lists or not NAME.fullmatch(self.root):
            return None
        first = ast.unparse(lists[0].func.value)  # type: ignore[attr-defined]
        root = self.root if not self.held_parts else _owner(first, self.held_parts, self.root)
        if root is None:
            return None
        whole = f"{root}.parameters()"
        if given is lists[0] and len(self.held_parts) == 1 and self._holds_all_others():
            return whole
        parts = [root + part.removeprefix(self.root) for part in self.left_parts]
        if isinstance(given, ast.List) and all(isinstance(group, ast.Dict) for group in given.elts):
            more = [
                f'{{"params": {self._listing(p, q)}}}' for p, q in zip(parts, self.left_parts, strict=True)
            ]
        else:
            more = [f"*{self._listing(p, q)}" if q not in self.leaves else p for p, q in zip(parts, self.left_parts, strict=True)]  # fmt: skip
        if len(more) > SHOWN:
            return None
        if isinstance(given, ast.List):
            return f"{code.text(given)[:-1].rstrip().removesuffix(',')}, {', '.join(more)}]"
        return f"[*{code.text(given)}, {', '.join(more)}]"

    def _listing(self, text: str, path: str) -> str:
        return f"[{text}]" if path in self.leaves else f"{text}.parameters()"

    def _holds_all_others(self) -> bool:
        """Whether no other optimizer has a part of the module."""
        own = {*self.optimizer["parameters"]}
        return bool(self.held_parts) and not any(self.training.optimized - own)


def _lists_in(given: ast.expr) -> list[ast.Call]:
    """The calls of parameters() in what an optimizer is given; none where a comprehension chooses among them."""
    nodes = [*ast.walk(given)]
    if any(isinstance(n, (ast.ListComp, ast.GeneratorExp)) for n in nodes):
        return []
    return [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "parameters"]  # fmt: skip


def _largest(paths: Sequence[str], others: Sequence[str]) -> list[str]:
    """The largest parts of a network that have some parameters and none of the others: "net.head" for net.head.weight and net.head.bias."""
    taken = {beginning for path in others for beginning in _beginnings(path)}
    return [
        *dict.fromkeys(
            next(b for b in (*_beginnings(path), path) if b not in taken)
            for path in paths
            if path not in taken
        )
    ]


def _beginnings(path: str) -> list[str]:
    """ "net", "net.body", "net.body[0]", "net.body[0].weight"."""
    return [path[: part.end()] for part in PARTS.finditer(path)]


def _owner(text: str, paths: list[str], root: str) -> str | None:
    """What code calls the module `root` where it calls a part of it `text`: "self" for "self.body", which is "Net.body"."""
    for path in paths:
        ending = path.removeprefix(root)
        if ending and text.endswith(ending) and text != ending:
            return text.removesuffix(ending)
    return None
