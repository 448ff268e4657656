"""What gradients a cell without a mistake got, as one would say it: "All 14 parameters got a gradient, largest `head.weight` 0.95"."""

from __future__ import annotations

from jgrad.tracing.document.curves import brief_number
from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import IndexMap, Value
from jgrad.tracing.explain.learned import held_by, named
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject

WHOLE = 10_000  # whole numbers below it are said with all digits
FEW = 3  # leaves, and results, that are named
ROWS = 12  # of an embedding, of which each is told
STATES = 4  # of a recurrent net: fewer are not told apart
TOLD = {  # what is to be known of one gradient before anything else
    "grad-changed-by-hook",
    "grad-vanished",
    "grad-zero",
    "grad-zero-factor",
}


def odd_gradient(log: Log) -> dict | None:
    """What `%why` says of a gradient that hooks changed, or that is zero: of the first such one of a few leaves."""
    few = leaves(log)
    if log.gaps or log.is_cut or len(few) > FEW or "rounds" in log.document:
        return None
    hooked = any(node.get("hooks") for node in log.nodes)
    for number, value in few.items():
        if hooked or value.get("norm") == 0:
            subject = Subject.of(log, log.name(number))
            found = None if subject is None or subject.number != number else reason(subject)
            if found is not None and found["code"] in TOLD:
                return found
    return None


def arrived(log: Log) -> str:
    """The headline of a cell that ran backward() without a loop of training; nothing where the gradients of a few leaves say it all."""
    if log.gaps or log.is_cut or "rounds" in log.document:
        return ""
    return _picked(log) or _parameters(log) or _derivatives(log)


def leaves(log: Log) -> dict[int, Value]:
    """The leaves that have a gradient in the end, with it. (Not those that are gone, such as the inputs of gradient penalties.)"""
    last = {t: updates[-1][1]["after"] for t, updates in log.grads_of.items()}
    return {
        t: value
        for t, value in last.items()
        if value is not None and log.tensors[t]["freed_step"] is None and log.final[t]["is_leaf"]
    }


def _parameters(log: Log) -> str:
    """Which parameters of modules got a gradient, and how large."""
    filled = leaves(log)
    held, owners = held_by(log, set(filled), ())
    got = {t: filled[t] for t in filled if t in held}
    if not got:
        if len(filled) <= FEW:
            return ""
        got, held = filled, set(filled)
    word = "parameters" if owners else "leaves"
    rest = sorted(held - got.keys())
    count = len(got)
    if rest:
        who = named(log, rest, held, owners)
        said = f"{count:,} of {len(held):,} {word} got a gradient" + (f": {who}" if who else "")
    elif count == 1:
        ((t, value),) = got.items()
        norm = value.get("norm")
        return f"`{log.name(t)}` got a gradient" + ("" if norm is None else f" of norm {_norm(norm)}")
    else:
        said = f"{'Both' if count == 2 else f'All {count:,}'} {word} {_received(log, list(got))}"
    if states := _through_states(log):
        return said + states
    norms = [(value.get("norm"), t) for t, value in got.items()]
    sized = sorted((norm, t) for norm, t in norms if norm is not None)
    if len(sized) < max(count, 2) or rest:
        return said
    ends = {"largest": sized[-1], "smallest": sized[0]}
    return said + "".join(f", {word} `{log.name(t)}` {_norm(norm)}" for word, (norm, t) in ends.items())


def _norm(norm: float) -> str:
    """Two digits, or the whole number that the tensor prints too."""
    return f"{norm:.0f}" if norm < WHOLE and norm == int(norm) else brief_number(norm)


def _received(log: Log, leaves: list[int]) -> str:
    """What all leaves have: a gradient, or the sum of as many."""
    counts = set()
    for t in leaves:
        added = 0
        for _, update in log.grads_of[t]:
            added = added + 1 if update["action"] == "add" and update["before"] is not None else 1
        counts.add(added)
    most = max(counts)
    return f"hold the sum of {most:,} backward passes" if counts == {most} and most > 1 else "got a gradient"


def _through_states(log: Log) -> str:
    """How the gradient changed on its way from the last state of a recurrent net back to the first: of the states that one operator stacked, each
    computed from the one before."""
    stacks = [node for node in log.nodes if node["name"].startswith("Stack")]
    for node in reversed(stacks):
        states = [number for number, _ in node["next_functions"] if number is not None]
        # Where a stack lies between them, they are the last states of several layers.
        if len(states) < STATES or any(states[0] < other["id"] < states[-1] for other in stacks):
            continue
        first, last = (_came_to(log, number) for number in (states[0], states[-1]))
        if first is None or last is None or states[0] not in log.nodes_behind(states[-1]):
            continue
        goes = "falls" if first < last else "grows"
        made = node["created_step"]
        word = "time steps" if _is_recurrent(log, made) else "states"
        return f"; through {len(states)} {word} ({log.at(made)}) it {goes} from {_norm(last)} at the last to {_norm(first)} at the first"
    return ""


def _is_recurrent(log: Log, at: int) -> bool:
    """Whether a step is part of a call of an RNN, a GRU or an LSTM."""
    call = log.steps[at].get("layer_call", -1)
    if call < 0:
        return False
    layer = log.document["layer_calls"][call][0]
    return log.document["layers"][layer]["type"] in ("RNN", "GRU", "LSTM")


def _came_to(log: Log, node: int) -> float | None:
    """The norm of the gradient with which a node ran last."""
    runs = log.runs.get(node, [])
    for value in log.steps[runs[-1]]["grads_in"] if runs else ():
        if value is not None:
            return value.get("norm")
    return None


# Indexes ------------------------------------------------------------------------------------------


def _picked(log: Log) -> str:
    """What the only index operation of a cell read, and so where its gradient goes. That of a model is not what its cell is about."""
    types = {layer["type"] for layer in log.document.get("layers", ())}
    found = [i for i, step in enumerate(log.steps) if "index_map" in step]
    forward = [i for i in found if "forward_step" not in log.steps[i]["index_map"]]
    if types - {"Embedding"} or len(forward) != 1 or not log.steps[forward[0]]["index_map"]["gathers"]:
        return ""
    read = log.steps[forward[0]]["index_map"]
    back = next((log.steps[i]["index_map"] for i in found if i != forward[0]), None)
    source = read["source"]
    if source is None or "kept" in source or not source["elements"]:
        return ""
    what = read["op"] if read["op"].isidentifier() else "the index"
    rows = _rows(read)
    if rows:
        gets = [] if back is None else _rows(back)
        kept = [i for i, count in enumerate(rows) if count and gets and not gets[i]]
        said = f"`{what}` reads {_by_count(rows, source['name'])} ({log.at(forward[0])})"
        return said + (f"; row {kept[0]} is padding and gets no gradient" if kept else "")
    known = [count for count in read["source_counts"] if count >= 0]
    used = sum(count > 0 for count in known)
    return f"`{what}` reads {used:,} of {len(known):,} cells of `{source['name']}` ({log.at(forward[0])}); only these get a gradient from it"


def _rows(m: IndexMap) -> list[int]:
    """How often each row was read, or written, of a table of a few rows; nothing where rows don't move as a whole."""
    table, counts = (m["source"], m["source_counts"]) if m["gathers"] else (m["target"], m["target_counts"])
    if table is None or len(table["shape"]) != 2 or m["indexed_dims"] != [0] or "kept" in table:
        return []
    rows, columns = table["shape"]
    of_row = [counts[i * columns : (i + 1) * columns] for i in range(rows)]
    if not columns or rows > ROWS or any(len({*row}) != 1 or row[0] < 0 for row in of_row):
        return []
    return [row[0] for row in of_row]


def _by_count(rows: list[int], name: str) -> str:
    """ "row 4 of `emb.weight` 3 times, rows 1 and 2 once"."""
    said: list[str] = []
    for count in sorted({*rows} - {0}, reverse=True):
        which = [str(i) for i, n in enumerate(rows) if n == count]
        often = {1: "once", 2: "twice"}.get(count, f"{count:,} times")
        of = "" if said else f" of `{name}`"
        said.append(f"row{'s' * (len(which) > 1)} {listed(which)}{of} {often}")
    return ", ".join(said)


# Derivatives --------------------------------------------------------------------------------------


def _derivatives(log: Log) -> str:
    """What `autograd.grad` gave: the names of the results, and which of them is a derivative of another."""
    calls = [(i, step) for i, step in log.of("backward") if "autograd.grad" in step["text"]]
    if not calls or leaves(log) or len(calls) > FEW:
        return ""
    ends = [i for i, _ in calls[1:]] + [len(log.steps)]
    said: list[str] = []
    for (i, step), end in zip(calls, ends, strict=True):
        names = [
            name
            for t in log.final
            for since, name in t["names"]
            if name
            and i <= since < end
            and log.steps[since]["line"] == step["line"]
            and name_at(t, len(log.steps)) == name
        ]
        roots = [log.name(t, i) for t in step.get("roots", ())]
        if not names or len(names) > FEW or len(roots) != 1:
            return ""
        are = "is the derivative" if len(names) == 1 else "are the derivatives"
        said.append(f"`{listed(names)}` {are} of `{roots[0]}`")
    return " and ".join(said)
