"""Networks that are cut in the middle, and targets that are not cut off."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from operator import itemgetter

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Step
from jgrad.tracing.document.syntax import around, has, numbers_taken, parsed
from jgrad.tracing.explain.edits import ATOMS, Code, Edit, at_step, kept_as_tensor
from jgrad.tracing.explain.edits import uncut as without_cut
from jgrad.tracing.explain.history import FLOATING, uncut
from jgrad.tracing.explain.learning import REGRESSION
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.rules.grad_not_filled import cut_between
from jgrad.tracing.explain.training import Training

NOTES = Rules()

# Operators that compare two tensors, which they read first.
COMPARING = ("mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy_with_logits", "sub")
AGAIN = 4  # how many comparisons of one line are looked at: a loop does the same again and again
MOST = 20  # parameters that are looked at of one optimizer
TARGET = re.compile(r"(?:\w*_)?(?:target|label|truth|y_true)(?:s|_\w*)?", re.IGNORECASE)
TEACHER = re.compile(r"(?:.*[._])?(?:teacher|target|ema|old)\w*[.\[]", re.IGNORECASE)
TWO_LAYERS = """
body, head = jgrad.nn.Linear(2, 3), jgrad.nn.Linear(3, 1)
opt = jgrad.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for epoch in range(2):
    opt.zero_grad()
    h = body(jgrad.ones(4, 2))
    loss = head(%s).mean()
    loss.backward()
    opt.step()
"""
SCALED = """
body, scale = jgrad.nn.Linear(2, 3), jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD([*body.parameters(), *scale.parameters()], lr=0.1)
x = jgrad.ones(1, 2)
for epoch in range(2):
    opt.zero_grad()
    s = scale(x)
    loss = (body(x) * %s).mean()
    loss.backward()
    opt.step()
"""
Q_LEARNING = """
q, q_old = jgrad.nn.Linear(2, 3), jgrad.nn.Linear(2, 3)
opt = jgrad.optim.SGD(q.parameters(), lr=0.1)
state, following = jgrad.randn(4, 2), jgrad.randn(4, 2)
target = 1 + 0.9 * q_old(following).max(1)[0]%s
loss = jgrad.nn.functional.mse_loss(q(state).max(1)[0], target)
loss.backward()
opt.step()
"""
RATIO = """
jgrad.manual_seed(0)
policy = jgrad.nn.Linear(3, 2)
opt = jgrad.optim.SGD(policy.parameters(), lr=0.1)
states = jgrad.randn(8, 3)
for i in range(3):
    new = policy(states).log_softmax(1)[:, 0]
    old = %s
    loss = -((new - old).exp() * states[:, 0]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
LEAF_TARGET = """
net = jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x = jgrad.randn(4, 2)
y = jgrad.randn(4, 1%s)
loss = jgrad.nn.functional.mse_loss(net(x), y)
loss.backward()
opt.step()
"""


CODES = """
jgrad.manual_seed(0)
encoder, decoder, codes = jgrad.nn.Linear(3, 2), jgrad.nn.Linear(2, 3), jgrad.nn.Embedding(4, 2)
opt = jgrad.optim.SGD([*encoder.parameters(), *decoder.parameters(), *codes.parameters()], lr=0.1)
x = jgrad.randn(8, 3)
for epoch in range(3):
    z = encoder(x)
    q = codes(jgrad.cdist(z, codes.weight).argmin(1))
    loss_of_codes = (q - z.detach()).pow(2).mean()
%s    loss = (decoder(q) - x).pow(2).mean() + loss_of_codes
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@NOTES.rule(
    "codes-cut-encoder", "warning", "the output of a network is replaced by its nearest code, and no gradient goes back to it",
    "{at} replaces {z} by the nearest rows of {codes}. No gradient goes through the choice of a row, so {names} {never} one.",
    "Pass the gradient straight through, where the loss of the codes is computed: {q} = {z} + ({q} - {z}).detach().",
    CODES % "",
    CODES % "    q = z + (q - z).detach()\n",
    final=True,
)  # fmt: skip
def codes_cut_encoder(log: Log) -> Iterator[dict]:
    """Rows of a table are taken by argmin() or argmax() of what was computed from that table and from a network, which never gets a gradient."""
    training = Training.of(log)
    taken = [(i, s) for op in ("embedding", "index", "index_select") for i, s in log.operations.get(op, ())]
    for i, step in sorted(taken, key=itemgetter(0)):
        if "node" not in step or not step.get("makes"):
            continue
        row, behind = (
            step["makes"][0],
            {t for n in log.indexes_of(step["makes"][0], i + 1) for t in log.sources(n, i)},
        )
        chosen = {log.steps[log.maker[t]]["op"] for t in behind if t in log.maker}
        tables = {t for t in step.get("reads", ()) if t in behind and t in training.optimized}
        shape = log.tensors[row]["shape"]
        replaced = [
            t
            for t in behind - tables
            if t in log.maker and log.tensors[t]["shape"] == shape and log.state(t, i)["requires_grad"]
        ]
        if not tables or not replaced or chosen.isdisjoint(("argmin", "argmax", "min", "max")):
            continue
        z = next((t for t in sorted(replaced) if training.named(t, i)), min(replaced))
        never = _never_filled(training, [p for p in training.optimized if p in log.sources(z, i)])
        if never:
            named = log.name(z, i)
            q, edits = _straight_through(log, i, named)
            yield {
                "step": i, "tensors": never, "lines": log.lines(i), "at": log.at(i), "z": named, "q": q,
                "codes": log.name(min(tables), i), "edits": edits,
            } | _forms(training, never, i)  # fmt: skip
            return


def _straight_through(log: Log, index: int, z: str) -> tuple[str, list[Edit]]:
    """What the rows are called, and what passes the gradient on, in front of what the function returns: by then the loss of the codes is computed."""
    place = at_step(log, index)
    if place is None or not isinstance(place[1], ast.Assign) or not isinstance(place[1].targets[0], ast.Name):
        return log.doing(index), []
    code, q = place[0], ast.unparse(place[1].targets[0])
    functions = around(code.tree, place[1].lineno, ast.FunctionDef)
    last = functions[-1].body[-1] if functions else None
    fits = isinstance(last, ast.Return) and z.isidentifier()
    return q, [code.before(last, f"{q} = {z} + ({q} - {z}).detach()")] if fits and last is not None else []


@NOTES.rule(
    "network-cut", "warning", "a network is cut in the middle",
    "{names} may be meant to learn, but {never} a gradient: {at} cut {root} off from {them} with {what}.",
    "{repair}",
    TWO_LAYERS % "h.detach()",
    TWO_LAYERS % "h",
    final=True,
)  # fmt: skip
def network_cut(log: Log) -> Iterator[dict]:
    """Of what is trained together some got gradients, and others, from which the same result was computed, never got one."""
    training = Training.of(log)
    last = {step["line"]: (i, step) for i, step in log.of("backward") if step["op"] == "backward"}
    for group, params in training.groups():
        # The tensor that was cut off -> call, root, parameters.
        cuts: dict[int, tuple[int, int, list[int]]] = {}
        for i, step in last.values():
            if not _reached(training, params, step):
                continue
            for p in _never_filled(training, params):
                for root in step["roots"]:
                    cut = log.cut(p, root, i)
                    if cut is not None and log.tensors[cut]["dtype"].startswith(FLOATING):
                        cuts.setdefault(cut, (i, root, []))[2].append(p)
        for cut, (i, root, cut_off) in _of_one_place(log, cuts).items():
            made, forms = log.maker[cut], _forms(training, cut_off, i)
            known = (
                "" if log.cutter(cut) in ("detach()", ".data") else uncut(log, cut, log.name(cut_off[0], i))
            )
            repair = (
                known
                or f"Leave that out; or, if {forms['they']} not to learn, give {group} only the other parameters."
            )
            yield {
                "step": i, "tensors": cut_off, "repair": repair, "lines": log.lines(made, i), "root": log.name(root, i), "at": log.at(made),
                "what": log.cutter(cut), "edits": without_cut(log, cut),
            } | forms  # fmt: skip


def _of_one_place(
    log: Log, cuts: dict[int, tuple[int, int, list[int]]]
) -> dict[int, tuple[int, int, list[int]]]:
    """The cuts, those of one line and one cutter as one: each layer of a network under no_grad() makes a result that is cut off."""
    first: dict[tuple[str, str], int] = {}
    found: dict[int, tuple[int, int, list[int]]] = {}
    for cut, (i, root, cut_off) in cuts.items():
        one = first.setdefault((log.at(log.maker[cut]), log.cutter(cut)), cut)
        found.setdefault(one, (i, root, []))[2].extend(p for p in cut_off if p not in found[one][2])
    return found


@NOTES.rule(
    "network-left-as-numbers", "warning", "a network goes on with plain numbers of what it computed",
    "{names} may be meant to learn, but {never} a gradient: line {line} makes plain numbers of what was computed from {them} ({what}).",
    "Compute with the tensor itself.",
    SCALED % "s.item()",
    SCALED % "s",
    final=True,
)  # fmt: skip
def network_left_as_numbers(log: Log) -> Iterator[dict]:
    """What is trained together got gradients in part; the rest was used, and numbers that were taken of it are in the result."""
    training = Training.of(log)
    last = {step["line"]: (i, step) for i, step in log.of("backward") if step["op"] == "backward"}
    reported = set()
    for _, params in training.groups():
        found: dict[tuple[int, str], tuple[int, list[int]]] = {}
        for i, step in last.values():
            if not _reached(training, params, step):
                continue
            sources = {t for root in step["roots"] for t in log.sources(root, i)}
            lines = {log.steps[log.maker[t]]["line"] for t in sources if t in log.maker}
            for p in _never_filled(training, params):
                derived = log.computed_from(p)
                if (
                    p in sources
                    or not derived
                    or derived & sources
                    or _ends_in_whole_numbers(log, p, step, i)
                ):
                    continue
                names = {n for t in derived for _, n in log.tensors[t]["names"] if n}
                path = log.name(p, i).split(".")  # of net.layer.weight; self is the net
                holders = {path[0], *(["self"] if len(path) > 2 else [])}
                for line, text in numbers_taken(log.source, names | holders):
                    parts = (*names, *path[-2:-1], "it")
                    if any(re.search(rf"\b{re.escape(n)}\b", text) for n in parts) and _goes_into(
                        log, line, lines
                    ):
                        found.setdefault((line, text), (i, []))[1].append(p)
        for (line, text), (i, left) in found.items():
            if line not in reported:
                reported.add(line)
                place = {
                    "step": i,
                    "tensors": left,
                    "lines": sorted({line, *log.lines(i)}),
                    "line": line,
                    "what": text if text != "it" else log.source[line - 1].strip(),
                    "edits": kept_as_tensor(Code.of_log(log), line, text),
                }
                yield place | _forms(training, left, i)


def _ends_in_whole_numbers(log: Log, leaf: int, step: Step, index: int) -> bool:
    """Whether the way from a leaf to what backward starts at ends in a tensor that can have no gradient: that is said elsewhere."""
    cuts = [cut_between(log, leaf, root, index) for root in step["roots"]]
    return any(cut is not None and not log.tensors[cut]["dtype"].startswith(FLOATING) for cut in cuts)


def _reached(training: Training, params: list[int], step: Step) -> bool:
    """Whether a backward call came to some of these."""
    steps = training.log.steps
    return any(
        steps[k].get("backward_call") == step["backward_call"] for p in params for k in training.filled(p)
    )


def _never_filled(training: Training, params: list[int]) -> list[int]:
    """Those that could learn and that no gradient ever came to. What the code writes to itself, as to the copy of a model, isn't meant to."""
    log, found = training.log, []
    begun = min((i for i, _ in log.of("backward")), default=0)
    for p in params:
        written = [
            (i, w)
            for i, w in log.writes_on.get(log.final[p]["storage"], ())
            if i >= begun or not _is_initial(log, log.steps[i], p)
        ]
        first = min(log.users.get(p, ()), default=len(log.steps))
        if (
            log.final[p]["requires_grad"]
            and not training.grads.get(p)
            and p not in training.fed
            # (L-BFGS writes to all that it holds.)
            and not any((i > first and not training.is_of_step(i)) or i in log.gaps for i, _ in written)
        ):
            found.append(p)
    return found[:MOST]


def _is_initial(log: Log, step: Step, parameter: int) -> bool:
    """Whether a write before all training gives a parameter values that come from no other tensor, as normal_() does."""
    storage = log.final[parameter]["storage"]
    return all(log.final[t]["storage"] == storage for t in step.get("reads", ()))


def _forms(training: Training, numbers: list[int], index: int) -> dict[str, str]:
    """The blanks of a sentence about some parameters."""
    one = len(numbers) == 1
    return {
        "names": training.names(numbers, index), "never": "never gets" if one else "never get", "them": "it" if one else "them",
        "they": "it is" if one else "they are",
    }  # fmt: skip


def _goes_into(log: Log, line: int, lines: set[int | None]) -> bool:
    """Whether the statement at a line, or one that reads the variable which it assigns, is among some lines."""
    statements = [n for n in ast.walk(log.tree) if isinstance(n, ast.stmt)]
    at = [n for n in statements if has(n, line)]
    if not at:
        return False
    statement = max(at, key=lambda n: n.lineno)
    if line in lines or _is_returned_by_forward(statement, statements):
        return True
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    names = {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
    return any(
        n.lineno in lines and not isinstance(n, (ast.For, ast.While, ast.With, ast.FunctionDef, ast.ClassDef))
        and any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(n))
        for n in statements
    )  # fmt: skip


def _is_returned_by_forward(statement: ast.stmt, statements: list[ast.stmt]) -> bool:
    """Whether a module gives it back to what called it."""
    functions = [f for f in statements if isinstance(f, ast.FunctionDef) and f.name == "forward"]
    return isinstance(statement, ast.Return) and any(statement in f.body for f in functions)


@NOTES.rule(
    "target-with-history", "warning", "a gradient flows into the target of a loss",
    "{at}: the gradient of {what} also flows into {target}, and from there to {names}, which no optimizer holds.",
    "Compute {target} under jgrad.no_grad(), or compare with {target}.detach().",
    Q_LEARNING % "",
    Q_LEARNING % ".detach()",
    final=True,
)  # fmt: skip
def target_with_history(log: Log) -> Iterator[dict]:
    """One side of a comparison is computed from what an optimizer has; the other from what no optimizer has and nothing else uses."""
    training, reported = Training.of(log), set()
    for i, step, pair in _comparisons(log) if training.optimized else ():
        leaves = [_leaves_of(log, t, i) for t in pair]
        for target, own, others in ((pair[1], leaves[1], leaves[0]), (pair[0], leaves[0], leaves[1])):
            if step["line"] in reported or target in own or not own or own & training.optimized:
                continue
            if others & training.optimized and not own & others and all(_left(training, p) for p in own):
                reported.add(step["line"])
                yield {
                    "step": i, "tensors": [target], "lines": log.lines(i), "at": log.at(i), "what": _doing(log, i),
                    "target": log.known_as(target, i), "names": training.names(sorted(own), i),
                }  # fmt: skip


@NOTES.rule(
    "target-requires-grad", "warning", "the target of a loss is a leaf that requires grad",
    "{at}: {target} is the target of {what} and requires grad, so backward() also fills {target}.grad, which nothing uses.",
    "Make {target} without requires_grad=True.",
    LEAF_TARGET % ", requires_grad=True",
    LEAF_TARGET % "",
    final=True,
)  # fmt: skip
def target_requires_grad(log: Log) -> Iterator[dict]:
    """A leaf on one side of a comparison whose other side is trained. Its gradient is filled and not used."""
    training, reported = Training.of(log), set()
    for i, step, pair in _comparisons(log) if training.optimized else ():
        for target, other in (pair[::-1], pair):
            name = log.name(target, i)
            if not log.state(target, i)["is_leaf"] or name in reported or not _left(training, target):
                continue
            named = (step["op"] != "sub" and target == pair[1]) or name == "y" or TARGET.fullmatch(name)
            is_parameter = any(target in m["parameters"] for m in training.modules)
            used = re.search(rf"\b{re.escape(name)}\.grad\b", "\n".join(log.source))
            if named and not used and not is_parameter and _leaves_of(log, other, i) & training.optimized:
                reported.add(name)
                yield {
                    "step": i, "tensors": [target], "lines": log.lines(i), "at": log.at(i), "what": _doing(log, i), "target": name,
                }  # fmt: skip


@NOTES.rule(
    "target-learns", "warning", "a target is computed by what is trained, with its history",
    "{at}: {target} still has its history. So the loss may also fall because a change of {names} moves {target}, not the prediction.",
    "If {target} should stay fixed, write {target}.detach().",
    Q_LEARNING.replace("q_old(", "q(") % "",
    Q_LEARNING.replace("q_old(", "q(") % ".detach()",
)  # fmt: skip
def target_learns(log: Log) -> Iterator[dict]:
    """Both sides of a comparison are computed from what is trained, and one of them is called a target, or is the best of some scores where the other is a
    chosen one, or comes from what is called a teacher and is used for nothing else, or one optimizer trains a network on each side, and nothing but this comparison is the loss."""
    training, reported = Training.of(log), set()
    for i, step, pair in _comparisons(log) if training.optimized else ():
        names = [log.name(t, i) for t in pair]
        for target, name, other in ((pair[1], names[1], pair[0]), (pair[0], names[0], pair[1])):
            own = _leaves_of(log, target, i) & training.optimized
            if step["line"] in reported or target in own or not own:
                continue
            others = _leaves_of(log, other, i)
            taught = (
                not own & others
                and others & training.optimized
                and (
                    _is_taught(log, target, own, i)
                    or (target == pair[1] and _alone_moves_both(training, i, own, others))
                )
            )
            chosen = bool(own & others) and _is_chosen(log, other) and _is_best(log, target)
            if taught or chosen or (TARGET.fullmatch(name) and own & others):
                reported.add(step["line"])
                body = parsed([name]).body
                atom = bool(body) and isinstance(getattr(body[0], "value", None), ATOMS)
                name = name if atom else f"({name})"
                yield {
                    "step": i, "tensors": [target], "lines": log.lines(i), "at": log.at(i), "target": name,
                    "names": training.names(sorted(own), i), "edits": _detached(log, i, name) if taught or chosen else [],
                }  # fmt: skip


ADVANTAGE = """
actor, critic = jgrad.nn.Linear(2, 3), jgrad.nn.Linear(2, 1)
opt = jgrad.optim.SGD([*actor.parameters(), *critic.parameters()], lr=0.1)
states, action, reward = jgrad.randn(8, 2), jgrad.arange(8) %% 3, jgrad.ones(8)
for i in range(3):
    log_prob, value = actor(states).log_softmax(1)[jgrad.arange(8), action], critic(states).squeeze(1)
    advantage = reward - value%s
    loss = -(log_prob * advantage).mean() + jgrad.nn.functional.mse_loss(value, reward)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
LOG_PROB = re.compile(r"log_?p(?:rob|i)?s?\b")


@NOTES.rule(
    "advantage-learns", "warning", "the loss of a policy also trains the critic, through the advantage",
    "{at}: {name} still has its history, so the loss of the policy also trains {names}, which have a loss of their own.",
    "Write {name}.detach().",
    ADVANTAGE % "",
    ADVANTAGE % ".detach()",
)  # fmt: skip
def advantage_learns(log: Log) -> Iterator[dict]:
    """A log probability times a difference with a history, of something that is also compared with a target."""
    training = Training.of(log)
    compared = {t for op in REGRESSION for _, step in log.operations.get(op, ()) for t in step["reads"]}
    for i, step in log.operations.get("mul", ()):
        for tensor in step["reads"] if len(step.get("reads", ())) == 2 else ():
            made = log.maker.get(tensor)
            if made is None or log.steps[made]["op"] != "sub" or not log.state(tensor, i)["requires_grad"]:
                continue
            values = [t for t in log.steps[made]["reads"] if log.state(t, made)["requires_grad"]]
            name, place = log.name(tensor, i), at_step(log, i)
            if len(values) != 1 or values[0] not in compared or not name.isidentifier() or place is None:
                continue
            own = _leaves_of(log, tensor, i) & training.optimized
            if own and not LOG_PROB.search(name) and LOG_PROB.search(ast.unparse(place[1])):
                yield {
                    "step": i, "tensors": [tensor], "lines": log.lines(i), "at": log.at(i), "name": name, "names": training.names(sorted(own), i),
                    "edits": _detached(log, i, name),
                }  # fmt: skip
                return


def _is_best(log: Log, tensor: int) -> bool:
    """Whether a tensor is the largest of some scores with a history, perhaps times a number and added to others: a target of Q-learning."""
    todo, seen = [tensor], {tensor}
    for t in todo:  # grows while it is walked
        made = log.maker.get(t)
        step = None if made is None else log.steps[made]
        if step is None or "node" not in step:
            continue
        if step["op"] in ("max", "amax"):
            return True
        if step["op"] in ("add", "mul", "sub", "rsub", "to", "_to_copy") or step["kind"] == "view":
            new = [r for r in step.get("reads", ()) if r not in seen]
            todo += new
            seen.update(new)
    return False


def _is_chosen(log: Log, tensor: int) -> bool:
    """Whether a tensor holds some of many scores, which whole numbers chose."""
    made = log.made_by(tensor)
    return made is not None and log.steps[made]["op"] in ("gather", "index", "take_along_dim")


@NOTES.rule(
    "difference-of-equals", "warning", "two equal tensors with the same history are subtracted",
    "{at} subtracts {second} from {first}: both have the same values and the same history, so the gradients cancel out.",
    "If {second} should be the old value, write {second}.detach().",
    RATIO % "policy(states).log_softmax(1)[:, 0]",
    RATIO % "policy(states).log_softmax(1)[:, 0].detach()",
)  # fmt: skip
def difference_of_equals(log: Log) -> Iterator[dict]:
    """In each round that was kept, as in a ratio of a policy to itself."""
    seen: dict[str, list[tuple[int, list[int]]]] = {}
    for i, step in log.operations.get("sub", ()):
        pair = step.get("reads", [])
        if (
            len({*pair}) == 2
            and step.get("node") in log.runs
            and all(log.state(t, i)["requires_grad"] for t in pair)
        ):
            seen.setdefault(log.at(i), []).append((i, pair))
    for at, found in seen.items():
        i, (first, second) = found[-1]
        if len(found) > 1 and all(_same(log, pair, k) for k, pair in found[-AGAIN:]):
            yield {
                "step": i, "tensors": [first, second], "lines": log.lines(i), "at": at, "first": log.name(first, i), "second": log.name(second, i),
                "edits": _detached(log, i, log.name(second, i)),
            }  # fmt: skip


def _same(log: Log, pair: list[int], index: int) -> bool:
    """Whether two tensors of several elements, each with memory of its own, hold the same, computed from the same leaves by the same operation."""
    a, b = (log.state(t, index) for t in pair)
    alike = [(t["shape"], t["stride"], t["storage_offset"]) for t in (a, b)]
    made = [log.maker.get(t) for t in pair]
    ops = {"" if m is None else log.steps[m]["op"] for m in made}
    held = log.held(pair[0], index)
    return (
        a["storage"] != b["storage"] and alike[0] == alike[1] and len(ops) == 1 and len({*held}) > 3 and held == log.held(pair[1], index)
        and _leaves_of(log, pair[0], index) == _leaves_of(log, pair[1], index)
    )  # fmt: skip


def _is_taught(log: Log, target: int, leaves: set[int], index: int) -> bool:
    """Whether all that a target was computed from is of a teacher, and only this comparison uses it."""
    users = [
        k
        for k in log.users.get(target, ())
        if "node" in log.steps[k] and log.steps[k]["line"] != log.steps[index]["line"]
    ]
    return not users and all(TEACHER.match(log.name(p, index)) for p in leaves)


def _alone_moves_both(training: Training, index: int, own: set[int], others: set[int]) -> bool:
    """Whether the loss is a comparison and nothing else, and one optimizer has layers behind both sides: then both sides go to one constant."""
    log = training.log
    layers = [{p for p in side if len(log.tensors[p]["shape"]) > 1} for side in (own, others)]
    one = any(all(side & {*o["parameters"]} for side in layers) for o in training.optimizers)
    begun = next((s["roots"] for i, s in log.of("backward") if i > index), [])
    return one and log.steps[index]["op"] != "sub" and begun == log.steps[index]["makes"]


def _detached(log: Log, index: int, text: str) -> list[Edit]:
    place, bare = at_step(log, index), text[1:-1] if text[:1] == "(" else text
    found = (
        []
        if place is None
        else [n for n in ast.walk(place[1]) if isinstance(n, ast.expr) and place[0].text(n) == bare]
    )
    return [place[0].replaced(found[0], f"{text}.detach()")] if place is not None and len(found) == 1 else []


def _comparisons(log: Log) -> Iterator[tuple[int, Step, list[int]]]:
    """(step, it, the two tensors) of the operators that compare two tensors, both of which require grad, and that backward went through."""
    steps = [pair for op in COMPARING for pair in log.operations.get(op, ())]
    # kl_div() multiplies the target by the input after this:
    for i, step in log.operations.get("xlogy", ()):
        following = log.steps[i + 1 : i + 2]
        if following and following[0]["op"] == "mul" and step["span"] == following[0]["span"]:
            steps.append((i, {**step, "reads": following[0].get("reads", [])[::-1]}))
    seen: dict[int | None, int] = {}
    for i, step in sorted(steps, key=itemgetter(0)):
        pair = step.get("reads", [])[:2]
        if step.get("node") not in log.runs or seen.get(step["line"], 0) == AGAIN:
            continue
        if len({*pair}) == 2 and all(log.state(t, i)["requires_grad"] for t in pair):
            seen[step["line"]] = seen.get(step["line"], 0) + 1
            yield i, step, pair


def _doing(log: Log, index: int) -> str:
    """What compares two tensors."""
    return log.doing(index).replace("xlogy in ", "")


def _left(training: Training, leaf: int) -> bool:
    """Whether gradients come to a leaf that nothing uses."""
    filled = bool(training.filled(leaf)) and leaf not in training.optimized
    return filled and not training.uses_of_grad(leaf)


def _leaves_of(log: Log, number: int, index: int) -> set[int]:
    """The leaves to which a gradient would go on from a tensor; a leaf itself."""
    node = log.node_at(number, index)
    if node is None:
        return {number} if log.state(number, index)["requires_grad"] else set()
    return {v for n in log.nodes_behind(node) if (v := log.nodes[n]["variable"]) is not None}
