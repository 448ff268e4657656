"""A second backward pass through a graph whose saved tensors were freed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from jgrad import mirrors
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.sentences import short
from jgrad.tracing.document.syntax import LOOPS, has, in_loop, loops_around
from jgrad.tracing.explain.edits import Code, Edit, at_step, calls_of, parameter_last
from jgrad.tracing.explain.incident import LONGEST, Incident
from jgrad.tracing.explain.repairs import NAME
from jgrad.tracing.explain.rule import RUNTIME, Rules
from jgrad.tracing.explain.rules.two_losses import for_two_losses

ERRORS = Rules()


@ERRORS.rule(
    "second-round", "error", "backward() in a loop runs through what an earlier round computed",
    "{lead}backward() needs saved tensors that were freed {when}: {what}.",
    "{repair}",
    """
w = jgrad.ones(2, requires_grad=True)
h = jgrad.zeros(2)
for i in range(2):
    h = jgrad.tanh(h + w * w)
    h.sum().backward()
    w.grad = None
""", """
w = jgrad.ones(2, requires_grad=True)
h = jgrad.zeros(2)
for i in range(2):
    h = jgrad.tanh(h.detach() + w * w)
    h.sum().backward()
    w.grad = None
""",
    raised=(RUNTIME, r"Trying to backward through the graph a second time"), knows_more=True,
)  # fmt: skip
def second_round(incident: Incident) -> Iterator[dict]:
    freer = _freer(incident)
    when = _again_in_a_loop(incident)
    if when:
        yield freer | {"when": when} | _carried(incident)


@ERRORS.rule(
    "second-backward", "error", "backward() runs again through a graph whose saved tensors were freed",
    "{freer} ran backward() and freed the saved tensors{of}, but {at} needs them again.",
    "{repair}",
    """
x = jgrad.ones(2, requires_grad=True)
y = (x * x).sum()
y.backward()
y.backward()
""", """
x = jgrad.ones(2, requires_grad=True)
y = (x * x).sum()
y.backward(retain_graph=True)
x.grad = None
y.backward()
""",
    raised=(RUNTIME, r"Trying to backward through the graph a second time"), knows_more=True,
)  # fmt: skip
def second_backward(incident: Incident) -> Iterator[dict]:
    yield _freer(incident)


def _freer(incident: Incident) -> dict[str, Any]:
    """Which line freed the saved tensors, and what to do about it."""
    found = _freed(incident)
    blanks: dict[str, Any] = {
        "freer": "An earlier call",
        "of": "" if incident.node is None else f" of {short(incident.node.name())}",
        "lines": [],
    }
    repair = "Pass retain_graph=True to the earlier call, or compute the result anew."
    if found is not None:
        log, step, node = found
        blanks["freer"] = log.at(step)
        if node is not None:
            blanks["of"] = f" of {log.node(node) if log is incident.log else short(log.nodes[node]['name'])}"
        if log is incident.log:
            blanks["lines"] = log.lines(step, incident.step)
            repair, edits = _retaining(log, step) or (repair, [])
            repair, edits = for_two_losses(log, incident.step) or (repair, edits)
            # Then the same gradient would be added twice.
            again = {*_roots(log, step)} & {*_roots(log, incident.step)}
            other = _unused_loss(log, incident.step) if again else None
            if other is not None:
                return blanks | _started_at(log, incident.step, other)
            return blanks | {"repair": repair, "edits": [] if again else edits}
    elif len({id(v) for v in incident.variables.values() if mirrors.is_optimizer(v)}) > 1:
        repair = "Compute the result anew, or write detach() where one of the two losses should send no gradient, as in D(fake.detach())."
    return blanks | {"repair": repair}


def _unused_loss(log: Log, end: int) -> int | None:
    """The only number with a name and a history that nothing used: another loss, from which this backward() may have been meant to start."""
    found = [
        t["id"]
        for t in log.tensors
        if not t["shape"] and t["grad_fn"] is not None and t["grad_fn"] not in log.runs and not t["is_leaf"]
        and t["freed_step"] is None and not log.users.get(t["id"]) and NAME.fullmatch(log.name(t["id"], end))
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _started_at(log: Log, step: int, loss: int) -> dict[str, Any]:
    """The blanks of a repair: the backward() of a step begins at another loss."""
    name, place = log.name(loss, step), at_step(log, step)
    calls = [] if place is None else calls_of(place[1], "backward")
    edits = (
        [place[0].replaced(c.func, f"{name}.backward") for c in calls]
        if place is not None and len(calls) == 1
        else []
    )
    repair = (
        f"Write {name}.backward() in {log.spot(step)}: {name} is computed, and no backward() starts at it."
    )
    return {"repair": repair, "edits": edits}


def _roots(log: Log, step: int) -> list[int]:
    """What the backward() call of a step started at."""
    number = log.steps[step].get("backward_call")
    return next((s["roots"] for _, s in log.of("backward") if s["backward_call"] == number), [])


def _retaining(log: Log, freed: int) -> tuple[str, list[Edit]] | None:
    """What to do about the call of backward() by which saved tensors were freed in a step; None if the source does not show it."""
    number = log.steps[freed].get("backward_call")
    call = next((i for i, s in log.of("backward") if s["backward_call"] == number), None)
    text = "" if call is None else log.text(call)
    if (
        call is None
        or "\n" in text
        or len(text) > LONGEST
        or not text.endswith(")")
        or "retain_graph" in text
    ):
        return None
    code = f"{text[:-1]}{'' if text.endswith('()') else ', '}retain_graph=True)"
    place = at_step(log, call)
    calls = [] if place is None else [c for c in calls_of(place[1], "backward") if place[0].text(c) == text]
    edits = [place[0].replaced(c, code) for c in calls[:1]] if place is not None else []
    return f"Write {code} in {log.spot(call)}, or compute the result anew before the second call.", edits


def _freed(incident: Incident) -> tuple[Log, int, int | None] | None:
    """(trace, step, node) by which the saved tensors that backward needs again were freed."""
    if incident.log is not None:
        number = incident.log.steps[incident.step].get("node")
        freed = None if number is None else incident.log.nodes[number]["freed_step"]
        if freed is None or _is_of_failed_pass(incident.log, freed):
            all_freed = (n["freed_step"] for n in incident.log.nodes if n["freed_step"] is not None)
            freed = max((i for i in all_freed if not _is_of_failed_pass(incident.log, i)), default=None)
        if freed is not None:
            return incident.log, freed, number
    for trace in incident.traces:
        number = trace.number_of_node(incident.node)
        freed = None if number is None else trace.document["nodes"][number]["freed_step"]
        if freed is not None:
            return Log(trace.document, asked_elsewhere=True), freed, number
    return None


def _is_of_failed_pass(log: Log, index: int) -> bool:
    """Whether a step belongs to the pass that raised, which has no number."""
    step = log.steps[index]
    return step["kind"] in ("node", "accumulate", "error") and step.get("backward_call") is None


def _again_in_a_loop(incident: Incident) -> str:
    """ "in an earlier round" if it was the same call that freed what the backward that fails needs; nothing if it was not."""
    loop = incident.line is not None and in_loop("\n".join(incident.cell), incident.line)
    found, log = _freed(incident), incident.log
    text = "" if log is None or incident.line is None else log.source[incident.line - 1]
    if log is not None and not loop and "call" not in log.steps[incident.step] and " for " not in text:
        return ""  # a line that can't have run before
    if found is not None and found[0] is log and _is_same_call(log, found[1], incident.step):
        return "in an earlier round" if loop else "when this line ran before"
    unknown = log is None and found is None
    return "before, perhaps in an earlier round of the loop" if loop and unknown else ""


def _is_same_call(log: Log, one: int, other: int) -> bool:
    """Whether two steps ran at one place of the source. A line may call backward() twice."""
    a, b = log.steps[one], log.steps[other]
    return log.places.line(a) == log.places.line(b) and (
        a["span"] is None or b["span"] is None or a["span"] == b["span"]
    )


def _carried(incident: Incident) -> dict[str, Any]:
    """What a round of a loop took over from the round before, or from before the loop: a sentence, and what to do about it."""
    source = incident.cell
    loop = next(iter(loops_around(source, [] if incident.line is None else [incident.line])), None)
    found = _freed(incident)
    if found is not None and found[0] is incident.log:
        log, freed, _ = found
        calls = [(i, s) for i, s in log.of("backward") if i < incident.step]
        roots = [(calls[-1][0], t) for t in calls[-1][1]["roots"]] if calls else []
        for i, t in roots:
            if log.tensors[t]["created_step"] <= freed:
                return _from_before(
                    incident, log.name(t, i), log.maker.get(t), f"{incident.spot} starts at", loop
                )
        for i in range(freed + 1, incident.step):
            step = log.steps[i]
            for t in step.get("reads", ()) if step["kind"] in ("op", "view", "write") else ():
                known = log.state(t, i)
                name = log.name(t, i - 1)
                if (
                    known["created_step"] <= freed
                    and known["grad_fn"] is not None
                    and not known["is_leaf"]
                    and NAME.fullmatch(name)
                ):
                    return _from_before(incident, name, log.maker.get(t), f"{log.at(i)} uses", loop)
    elif loop is not None:
        root = re.match(r"\w+(?=\.backward\()", incident.what)
        given = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if root is not None and root[0] not in given:
            return _from_before(incident, root[0], None, f"{incident.spot} starts at", loop)
    uses = "this round uses" if incident.log is not None else "this round may use"
    return {
        "what": f"{uses} a result of an earlier round",
        "repair": "Write h = h.detach() for the tensor h that each round takes over, or compute h anew in each round.",
    }


def _is_trained(incident: Incident, name: str) -> bool:
    """Whether an optimizer has leaves that a variable was computed from: without its history these would learn no more."""
    log = incident.log
    number = None if log is None else log.numbered(name, incident.step)
    if log is None or number is None:
        return False
    trained = {p for o in log.document.get("optimizers", ()) for p in o["parameters"]}
    node = log.node_at(number, incident.step)
    behind = set() if node is None else {log.nodes[n]["variable"] for n in log.nodes_behind(node)}
    return not trained.isdisjoint(behind)


def _is_used_again(incident: Incident, name: str, maker: int | None) -> bool:
    """Whether the round that failed computed with the leaves again from which a variable had been computed: so they learn without its history."""
    log, found = incident.log, _freed(incident)
    number = None if log is None else log.numbered(name, incident.step)
    if log is None or number is None or found is None or maker is None:
        return False
    leaves = {
        t for t in log.sources(number, maker + 1) if log.met(t)["is_leaf"] and log.met(t)["requires_grad"]
    }
    again = (i for t in leaves for i in log.users.get(t, ()) if found[1] < i < incident.step)
    return any(log.tensors[made]["requires_grad"] for i in again for made in log.steps[i].get("makes", ()))


def _from_before(
    incident: Incident, name: str, maker: int | None, goes_on: str, loop: ast.stmt | None
) -> dict[str, Any]:
    """The same for what has this name, which a step made: in a round of the loop, or before it."""
    if maker is not None and incident.log is not None and (last := parameter_last(incident.log, maker)):
        return {
            "what": f"{goes_on} {name}, which {incident.log.at(maker)} computed once from a parameter",
            "repair": f"Make the result the parameter: {last.text}.", "edits": [last],
        }  # fmt: skip
    line = None if maker is None or incident.log is None else incident.log.steps[maker]["line"]
    given = (
        {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if loop is not None
        else ()
    )
    if (
        loop is not None
        and name.isidentifier()
        and name not in given
        and _is_used_again(incident, name, maker)
    ):
        detached = f"{name} = {name}.detach()"
        code = Code(incident.cell)
        whole_loop = next(
            (s for s in code.statements if s.lineno == loop.lineno and type(s) is type(loop)), None
        )
        return {
            "what": f"{goes_on} {name}, which was computed before the loop",
            "repair": f"Write {detached} before the loop.",
            "edits": [code.before(whole_loop, detached)]
            if whole_loop is not None and incident.log is not None
            else [],
        }
    again: list[Any] = [] if loop is None else [loop]
    if incident.log is not None:  # what a function computes, it may compute in each round
        again += [n for n in ast.walk(incident.log.tree) if isinstance(n, (ast.FunctionDef, ast.Lambda))]
    if any(has(n, line) for n in again):
        whole = name.rpartition("[")[0]  # of a tuple, as an LSTM's state is
        detached = f"{whole} = tuple(t.detach() for t in {whole})" if whole else f"{name} = {name}.detach()"
        repair = f"Write {detached} at the end of each round, or compute {name} anew in each round."
        return {
            "what": f"{goes_on} {name}, a result of {'an earlier round' if loop else 'an earlier run'}",
            "repair": repair,
            "edits": _at_the_end(incident, loop, detached),
        }
    each = "anew each time" if loop is None else "inside the loop, anew in each round"
    when = "" if loop is None else " the loop" if line is None else ", before the loop"
    log = incident.log
    computed = f"was computed before{when}"
    if line is not None and log is not None and maker is not None:
        computed = f"{log.at(maker)} computed once{when}"
    repair = f"Compute {name} {each}."
    if not goes_on.endswith("starts at") and not _is_trained(incident, name):
        repair = f"Compute {name} {each}, or write {name} = {name}.detach() if it needs no gradient."
    edits = _into_the_loop(incident, loop, maker) if repair == f"Compute {name} {each}." else []
    return {"what": f"{goes_on} {name}, which {computed}", "repair": repair, "edits": edits}


def _at_the_end(incident: Incident, loop: ast.stmt | None, text: str) -> list[Edit]:
    """A statement at the end of a loop of the cell."""
    if not isinstance(loop, LOOPS) or incident.log is None:
        return []
    code = Code.of_log(incident.log)
    inside = [s for s in code.statements if isinstance(s, LOOPS) and s.lineno == loop.lineno]
    return [code.after(inside[0].body[-1], text)] if inside else []


def _into_the_loop(incident: Incident, loop: ast.stmt | None, maker: int | None) -> list[Edit]:
    """The statement that a step ran, moved to the begin of a loop in the same text; nothing where it is not there."""
    place = None if incident.log is None or maker is None else at_step(incident.log, maker)
    if place is None or loop is None or place[0].file or not isinstance(place[1], ast.Assign):
        return []
    code, statement = place
    inside = [s for s in code.statements if isinstance(s, LOOPS) and s.lineno == loop.lineno]
    return (
        code.moved(statement, before=inside[0].body[0]) if inside and statement.lineno < loop.lineno else []
    )
