"""Models and optimizers that a loop makes anew, so that what they learned or kept is lost."""

from __future__ import annotations

import ast
import re
from bisect import bisect
from collections.abc import Iterator

from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import TraceOptimizer
from jgrad.tracing.document.syntax import around, parsed
from jgrad.tracing.explain.edits import Code, Edit, assigned_to, at_step, frames, names_in
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.training import Training

NOTES = Rules()

LEAST = 3  # models that are made anew
EPOCHS = re.compile(r"epochs?|e|ep|epoch_\w+|\w*_epoch")
# Loops that train several models on purpose.
SEVERAL = re.compile(
    r"\w*(?:seed|fold|trial|run|restart|member|model|head|rate|lr|config|depth|width|name)\w*"
)
ANEW = """
jgrad.manual_seed(0)
x, y = jgrad.randn(8, 2), jgrad.randn(8, 1)
%sfor epoch in range(4):
%s    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
"""
# Optimizers that keep averages of the gradients from step to step.
AVERAGING = {"Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop", "SparseAdam"}
LOADER = """
class Rows(jgrad.utils.data.Dataset):
    def __init__(self):
        self.x = jgrad.rand(12, 2)

    def __len__(self):
        return 12

    def __getitem__(self, index):
        return self.x[%s]

loader = jgrad.utils.data.DataLoader(Rows(), batch_size=4)
net = jgrad.nn.Linear(2, 1)
for x in loader:
    loss = net(x).sum()
"""
CELLS = ("RNNCell", "GRUCell", "LSTMCell")
CELL = """
cell = jgrad.nn.RNNCell(2, 4)
xs = jgrad.ones(5, 3, 2)
%sfor x in xs:
%s    h = cell(x, h)
h.sum().backward()
"""
FORWARD = """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
%s        self.head = jgrad.nn.Linear(4, 1)

    def forward(self, x):
%s        return self.head(self.layer(x))

net = Net()
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    opt.zero_grad()
    net(jgrad.ones(3, 2)).sum().backward()
    opt.step()
"""
NET = "net = jgrad.nn.Linear(2, 1)\n"
ADAM = "opt = jgrad.optim.Adam(net.parameters(), lr=0.1)\n"
MADE = NET + "opt = jgrad.optim.SGD(net.parameters(), lr=0.1)\n"


@NOTES.rule(
    "model-made-anew", "warning", "a loop makes its model anew in each round",
    "{at} makes {model} anew in each round of the loop over {loop}, so what the {count} rounds learned is lost.",
    "Make {model} and {opt} once, before the loop.",
    ANEW % ("", "".join(f"    {line}\n" for line in MADE.split("\n") if line)),
    ANEW % (MADE, ""),
)  # fmt: skip
def model_made_anew(log: Log) -> Iterator[dict]:
    """One place made several optimizers of new parameters, of which all but the last are gone; each made a step, or all steps of an epoch."""
    training = Training.of(log)
    made: dict[tuple[str, str, str], list[tuple[TraceOptimizer, int]]] = {}
    for optimizer in training.optimizers:
        makers = [log.maker[p] for p in optimizer["parameters"] if p in log.maker]
        if makers and not _is_copy(log, optimizer):
            key = (optimizer["name"], optimizer["type"], log.places.at(log.steps[makers[-1]]))
            made.setdefault(key, []).append((optimizer, makers[-1]))
    for (name, _, _), found in made.items():
        parameters = [p for optimizer, _ in found for p in optimizer["parameters"]]
        rates = {tuple(optimizer["rates"]) for optimizer, _ in found}
        if (
            len(found) < LEAST
            or len({*parameters}) < len(parameters)
            or len(rates) > 1
            or not _are_lost(training, [o for o, _ in found[:-1]])
        ):
            continue
        step = found[-1][1]
        loop = _loop(log, step)
        once = all(len({i for i, _ in training.steps_of(p)}) <= 1 for o, _ in found for p in o["parameters"])
        if loop is None or SEVERAL.fullmatch(loop[0]) or not (once or EPOCHS.fullmatch(loop[0])):
            continue
        own = found[-1][0]["parameters"]
        model = training.root(own, max((i for p in own for i in training.filled(p)), default=step + 1))
        yield {
            "step": step, "tensors": own, "lines": log.lines(step), "at": _made_at(log, step), "model": model, "opt": name,
            "loop": loop[0], "count": log.times(len(found)), "edits": _made_before(log, step, [model, name]),
        }  # fmt: skip


@NOTES.rule(
    "optimizer-made-anew", "warning", "a loop makes its optimizer anew in each round",
    "{at} makes {opt} anew in each round, so {kind} forgets its averages: each of the {count} steps is a first one.",
    "Make {opt} once, before the loop.",
    ANEW % (NET, f"    {ADAM}"),
    ANEW % (NET + ADAM, ""),
)  # fmt: skip
def optimizer_made_anew(log: Log) -> Iterator[dict]:
    """Several optimizers that keep averages have the same parameters, and none made two steps."""
    training = Training.of(log)
    made: dict[tuple, list[TraceOptimizer]] = {}
    for one in training.optimizers:
        key = one["name"], one["type"], tuple(one["parameters"]), tuple(one["rates"])
        made.setdefault(key, []).append(one)
    for (name, kind, parameters, _), found in made.items():
        most = max([len({i for i, _ in training.steps_of(p)}) for p in parameters], default=0)
        if kind not in AVERAGING or len(found) < LEAST or not 0 < most <= len(found):
            continue
        step = found[-1]["met_step"]
        source, _ = log.places.line(log.steps[step])
        making = assigned_to(Code.of_log(log, source), name)
        if making is not None:
            yield {
                "step": step, "tensors": [*parameters], "lines": [] if source is not None else [making.lineno],
                "at": log.places.of_line(making.lineno) if source is None else f"line {making.lineno} of {log.places.sources[source]['name']}",
                "opt": name, "kind": kind, "count": len(found), "edits": _made_before(log, step, [name]),
            }  # fmt: skip


@NOTES.rule(
    "layer-made-anew", "warning", "forward() makes a layer anew each time it runs",
    "{at} makes a new {layer} each time forward() runs, so no optimizer has it, and it never learns.",
    "Make it once, in __init__().",
    FORWARD % ("", "        self.layer = jgrad.nn.Linear(x.shape[1], 4)\n"),
    FORWARD % ("        self.layer = jgrad.nn.Linear(2, 4)\n", ""),
)  # fmt: skip
def layer_made_anew(log: Log) -> Iterator[dict]:
    """One line of a forward() made several layers that got gradients, and that no optimizer and no use of their gradients ever changed."""
    training = Training.of(log)
    found: dict[tuple[str, str], list[tuple[int, list[int]]]] = {}
    for layer in log.document.get("layers", ()):
        parameters = [p for _, p in layer["parameters"] if p is not None]
        makers = [log.maker[p] for p in parameters if p in log.maker]
        filled = [p for p in parameters if training.filled(p)]
        idle = not any(
            p in training.optimized or training.moved(p) or training.uses_of_grad(p) for p in parameters
        )
        if makers and filled and idle and _in_forward(log, makers[0]):
            found.setdefault((log.at(makers[0]), layer["type"]), []).append((makers[0], parameters))
    for (at, kind), made in found.items():
        if len(made) >= LEAST and training.optimizers:
            step = made[-1][0]
            yield {
                "step": step, "tensors": [p for _, own in made for p in own], "lines": log.lines(step), "at": at, "layer": kind, "edits": [],
            }  # fmt: skip


def _in_forward(log: Log, step: int) -> bool:
    """Whether a step ran in a forward() of the program, or in an __init__ that one called."""
    number = log.steps[step].get("call")
    while number is not None and log.places.calls[number]["function"].endswith("__init__"):
        number = log.places.calls[number]["caller"]
    return number is not None and log.places.calls[number]["function"].endswith(".forward")


@NOTES.rule(
    "rows-alike", "warning", "a batch is one row of the data, several times",
    "{at}: the {count} rows of this batch are one and the same row of the data, and so in {batches} batches.",
    "Let __getitem__ use its index, as in x[index].",
    LOADER % "0",
    LOADER % "index",
)  # fmt: skip
def rows_alike(log: Log) -> Iterator[dict]:
    """stack() gets several views of one place in memory, again and again, as a loader does that asks a data set for one row after the other."""
    found: dict[str, list[tuple[int, bool]]] = {}
    for i, step in log.operations.get("stack", ()):
        parts = [log.tensors[t] for t in step.get("reads", ())]
        where = {(t["storage"], t["storage_offset"], tuple(t["shape"])) for t in parts}
        views = len({t["id"] for t in parts}) == len(parts) > 3 and all(
            log.maker.get(t["id"]) is not None for t in parts
        )
        place = at_step(log, i)
        loads = place is not None and isinstance(place[1], ast.For)  # the loop asks the loader for it
        alike = loads and views and len(where) == 1 and not log.state(parts[0]["id"], i)["requires_grad"]
        found.setdefault(log.at(i), []).append((i, alike))
    for at, batches in found.items():
        if len(batches) > 2 and all(same for _, same in batches):
            i = batches[0][0]
            yield {
                "step": i, "tensors": log.steps[i]["makes"], "lines": log.lines(i), "at": at, "count": len(log.steps[i]["reads"]),
                "batches": log.times(len(batches)), "edits": [],
            }  # fmt: skip
            return


OFTEN = 4  # so many times as many draws, of so many times as many samples
SAMPLER = """
x, y = jgrad.arange(48.).view(24, 2), jgrad.arange(24) %% 3
weights = 1 / jgrad.bincount(y).float()
sampler = jgrad.utils.data.WeightedRandomSampler(%s, num_samples=24, replacement=True)
loader = jgrad.utils.data.DataLoader(jgrad.utils.data.TensorDataset(x, y), batch_size=8, sampler=sampler)
net = jgrad.nn.Linear(2, 3)
for a, b in loader:
    loss = jgrad.nn.functional.cross_entropy(net(a), b)
"""


@NOTES.rule(
    "sampler-of-classes", "warning", "a WeightedRandomSampler gets a weight for each class, not for each sample",
    "{at}: the sampler drew only the first {count} of {many} samples, {draws} times. So it has a weight for each class, and needs one for each sample.",
    "Give each sample the weight of its class: {instead}.",
    SAMPLER % "weights",
    SAMPLER % "weights[y]",
)  # fmt: skip
def sampler_of_classes(log: Log) -> Iterator[dict]:
    """Of the labels only the first rows were ever taken, again and again, and the code has one such sampler."""
    made = [
        (code, call)
        for code in Code.all_of(log)
        for call in ast.walk(code.tree)
        if isinstance(call, ast.Call)
        and call.args
        and ast.unparse(call.func).endswith("WeightedRandomSampler")
    ]
    for labels, taken in _rows_taken(log).items() if len(made) == 1 else ():
        (code, call), few, many = made[0], max(taken) + 1, log.tensors[labels]["shape"][0]
        if few * OFTEN <= min(len(taken), many):
            name, weights = log.name(labels), code.text(call.args[0])
            known = isinstance(call.args[0], ast.Name) and bool(names_in(code.tree, name))
            instead = f"{weights}[{name}]" if known else "weights[labels]"
            yield {
                "step": -1, "tensors": [labels], "lines": [] if code.file else [call.lineno], "at": code.place(log, call.lineno), "draws": log.times(len(taken)),
                "count": few, "many": many, "instead": instead, "edits": [code.replaced(call.args[0], instead)] if known else [],
            }  # fmt: skip
            return


def _rows_taken(log: Log) -> dict[int, list[int]]:
    """By labels, which are whole numbers in one dimension: which elements were taken alone, in order."""
    found: dict[int, list[int]] = {}
    for _, step in log.of("view"):
        if step["op"] != "select" or not step.get("reads"):
            continue
        base, one = (log.tensors[t[0]] for t in (step["reads"], step["makes"]))
        if len(base["shape"]) == 1 and base["dtype"] == "int64":
            row = (one["storage_offset"] - base["storage_offset"]) // max(base["stride"][0], 1)
            found.setdefault(base["id"], []).append(row)
    return found


SEEDED = """
net = jgrad.nn.Linear(2, 1)
x = jgrad.arange(80.).view(40, 2) / 80
def batch():
%s    return x[jgrad.randint(0, 40, (16,))]

for i in range(4):
    net(batch()).pow(2).mean().backward()
    net.zero_grad()
"""
DRAWS = ("randint", "randperm", "rand", "randn", "multinomial", "normal", "bernoulli")


@NOTES.rule(
    "seeded-anew", "warning", "a seed is set in each round, so each batch is the same",
    "{at} sets the seed each time, so {doing} draws the same numbers in each of {count} rounds.",
    "Set the seed once, at the beginning of the program.",
    SEEDED % "    jgrad.manual_seed(0)\n",
    SEEDED % "",
)  # fmt: skip
def seeded_anew(log: Log) -> Iterator[dict]:
    """In one block a seed is set and numbers are drawn, which were the same ones in all rounds that were kept; losses were computed from them."""
    found: dict[str, list[tuple[int, int]]] = {}
    draws = [i for i, step in enumerate(log.steps) if step["op"] in DRAWS and step.get("makes")]
    roots = [(i, log.sources(r, i)) for i, s in log.of("backward") for r in s["roots"]] if draws else []
    roots = [(i, behind | {k for t in behind for k in log.indexes_of(t, i)}) for i, behind in roots]
    for i in draws:
        used = next(
            (k for k, behind in roots if k > i and not behind.isdisjoint(log.steps[i]["makes"])), None
        )
        if used is not None:
            found.setdefault(log.at(i), []).append((i, used))
    for pairs in found.values():
        i, count = pairs[0][0], len({k for _, k in pairs})
        drawn = [tuple(log.held(log.steps[k]["makes"][0], k + 1)) for k, _ in pairs]
        place = at_step(log, i)
        if place is None or count < LEAST or len({*drawn}) > 1 or len(drawn[0]) < LEAST:
            continue
        code, statement = place
        seeds = [
            s
            for s in code.statements
            if isinstance(s, ast.Expr)
            and "manual_seed(" in ast.unparse(s)
            and code.stand_together(s, statement)
        ]
        if seeds and seeds[-1].lineno < statement.lineno:
            yield {
                "step": i, "tensors": [], "lines": log.lines(i), "at": code.place(log, seeds[-1].lineno), "doing": f"{log.steps[i]['op']}()",
                "count": log.times(count), "edits": [code.without(seeds[-1])],
            }  # fmt: skip
            return


@NOTES.rule(
    "state-made-anew", "warning", "a recurrent cell gets a new state of zeros at each step of a sequence",
    "{at} makes a new state of zeros for each of the {count} calls of {cell}, so {cell} remembers nothing.",
    "Make it once, before the loop over the steps.",
    CELL % ("", "    h = jgrad.zeros(3, 4)\n"),
    CELL % ("h = jgrad.zeros(3, 4)\n", ""),
)  # fmt: skip
def state_made_anew(log: Log) -> Iterator[dict]:
    """Several calls of a cell between two backward passes, each with zeros that one place made; nothing reads what all but the last gave."""
    calls, layers = log.document.get("layer_calls", []), log.document.get("layers", [])
    # cell, place, backward passes before -> zeros, result
    found: dict[tuple[str, str, int], list[tuple[int, int]]] = {}
    passes = [i for i, _ in log.of("backward")]
    results: dict[int, int] = {}  # call of a layer -> the last tensor that it made
    for step in log.steps:
        if "layer_call" in step and step.get("makes"):
            results[step["layer_call"]] = step["makes"][-1]
    for i, step in enumerate(log.steps):
        if step["op"] not in ("zeros", "new_zeros", "zeros_like"):
            continue
        made = step["makes"][0] if step.get("makes") else None
        users = (
            [k for k in log.users.get(made, ()) if "layer_call" in log.steps[k]] if made is not None else []
        )
        number = log.steps[users[0]]["layer_call"] if users else None
        layer = None if number is None else layers[calls[number][0]]
        if (
            layer is not None
            and number is not None
            and layer["type"] in CELLS
            and log.places.line(step) != log.places.line(log.steps[users[0]])
            and number in results
        ):
            key = layer["name"], log.at(i), bisect(passes, i)
            found.setdefault(key, []).append((i, results[number]))
    for (cell, at, _), made_anew in found.items():
        if len(made_anew) > 1 and not any(log.users.get(result) for _, result in made_anew[:-1]):
            at_first = made_anew[0][0]
            yield {
                "step": at_first, "tensors": log.steps[at_first]["makes"], "lines": log.lines(at_first), "at": at, "count": len(made_anew), "cell": cell,
                "edits": _before_loop(log, at_first),
            }  # fmt: skip
            return


def _before_loop(log: Log, step: int) -> list[Edit]:
    """The statement of a step moved out of the loop in which it stands, which its text does not depend on."""
    place = at_step(log, step)
    loops = (
        []
        if place is None
        else [s for s in place[0].statements if isinstance(s, ast.For) and place[1] in s.body]
    )
    if place is None or len(loops) != 1 or len(loops[0].body) < 2:
        return []
    changed = {n.id for n in ast.walk(loops[0]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    read = {n.id for n in ast.walk(place[1]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return [] if changed & read else place[0].moved(place[1], before=loops[0])


def _is_copy(log: Log, optimizer: TraceOptimizer) -> bool:
    """Whether parameters were copied from others, as for steps on a trial copy."""
    parts = [log.maker[p] for p in optimizer["parameters"] if p in log.maker]
    copied = any("copy" in log.steps[i]["op"] or "deepcopy(" in log.text(i) for i in parts)
    written = (
        i for p in optimizer["parameters"] for i, _ in log.writes_on.get(log.tensors[p]["storage"], ())
    )
    return copied or any(log.steps[i]["op"] == "copy_" for i in written)


def _are_lost(training: Training, optimizers: list[TraceOptimizer]) -> bool:
    """Whether each of these made a step, and no variable has its parameters in the end."""
    log, end = training.log, len(training.log.steps)
    return all(
        any(training.steps_of(p) for p in o["parameters"]) and not any(name_at(log.final[p], end) for p in o["parameters"]) for o in optimizers
    )  # fmt: skip


def _loop(log: Log, step: int) -> tuple[str, int] | None:
    """(variable, line) of the innermost `for` around the place of a step, the code that called it included."""
    for lines, line in log.places.around(log.steps[step]):
        loops = [n for n in around(parsed(lines), line, ast.For) if n.body[0].lineno <= line]
        if loops:
            return ast.unparse(loops[-1].target), loops[-1].lineno
    return None


def _made_at(log: Log, step: int) -> str:
    """The place of a step, or of what called the `__init__` in which it is."""
    number = log.steps[step].get("call")
    while number is not None and log.places.calls[number]["function"].endswith("__init__"):
        number = log.places.calls[number]["caller"]
    return log.places.words(log.steps[step]["line"], number)


def _made_before(log: Log, step: int, names: list[str]) -> list[Edit]:
    """What makes the model and its optimizer, moved before the loop in which both stand."""
    for code, line in frames(log, step):
        made = [assigned_to(code, name) for name in names]
        for loop in around(code.tree, line, ast.For):
            if all(s in loop.body for s in made) and len(loop.body) > len(made):
                first, *others = [s for s in loop.body if s in made]
                texts = [code.text(first), *(f"{' ' * loop.col_offset}{code.text(s)}" for s in others)]
                return [code.before(loop, "\n".join(texts)), *map(code.without, (first, *others))]
    return []
