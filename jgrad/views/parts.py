"""What the textbook graph consists of: operations, leaves, other inputs, cuts and results, and the edges between them.

The parts are those of the whole trace, whatever the cursor: so a picture doesn't move while one steps. Only the rounds of a loop take turns: of
pieces of a graph that are alike, the one of the cursor is shown.

The call of a layer of `nn`, such as a `Linear`, is one part.
"""

from __future__ import annotations

from typing import TypedDict

from jgrad.trace.document.index import TraceIndex, name_at
from jgrad.trace.document.schema import Step, TraceTensor
from jgrad.views.scene import Frame

CUTS = 6  # at most so many cuts that nothing uses are shown


class Edge(TypedDict):
    """Where a value goes from one part to another, and its gradient back."""

    source: str
    """The key of the part that it comes from."""
    node: int
    """The node that sends the gradient back; -1 at a result, where a backward call starts."""
    input: int
    """The position of the edge in its `next_functions`; -1 if no gradient goes along it."""
    target: int
    """The node that gets the gradient, -1 if there is none."""
    output: int
    """The number of its output."""
    tensor: int
    """What goes along it; -1 if that is not known."""
    step: int
    """The step that reads it."""
    times: int
    """How often a layer uses it: an LSTM uses its weights at each step. All are one edge, and `node` is that of the first."""
    inner: bool
    """Whether its node is only one of several that a layer consists of: what that node got is not what the layer got."""


class Part(TypedDict):
    """A part of the textbook graph."""

    key: str
    """`n3`: the operation of node 3; `t5`: a leaf, an input or a cut; `r3`: the result of node 3."""
    kind: str
    """`op`, `leaf` (it collects a gradient), `input` (it gets none), `cut` (`detach` or no_grad), `result`."""
    nodes: list[int]
    """The nodes of an operation."""
    tensor: int
    """The tensor that it is, or that it computes; -1 if that is not known."""
    since: int
    """The step that made it."""
    place: int
    """Of an operation: its position in the order of execution."""
    layer: int
    """The module whose call it is, -1 for none."""
    edges: list[Edge]
    """What comes in, in the order of the arguments."""


class Piece(TypedDict):
    """A connected piece of the graph. Leaves connect nothing: a loop of training shares them in all its rounds."""

    operations: list[Part]
    sign: str
    """Pieces with the same sign are drawn alike: the rounds of a loop."""


class Picture(TypedDict):
    """What is to be drawn."""

    parts: list[Part]
    """In the order in which they were made."""
    key: str
    """Equal for pictures of the same parts."""
    round: int
    """Which of the pieces that are alike it shows, counted from 1; 0 if there is only one."""
    rounds: int


def picture_of(f: Frame) -> Picture:
    """The parts to show at a frame."""
    index = f.index
    pieces: list[Piece] = index.kept.get("pieces", [])
    if not pieces:
        pieces = _pieces(index, _groups(index))
        index.kept["pieces"] = pieces
    shown, at, rounds = _turn(f, pieces)
    key = "parts " + ",".join([p["operations"][0]["key"] for p in shown])
    parts: list[Part] = index.kept.get(key, [])
    if not parts:
        operations = sorted([o for p in shown for o in p["operations"]], key=lambda o: o["place"])
        home = {n: o["key"] for o in operations for n in o["nodes"]}
        parts = _with_inputs(index, operations, home)
        parts.extend(_results(index, operations, parts))
        index.kept[key] = parts
    return {"parts": parts, "key": key, "round": at, "rounds": rounds}


# Operations ---------------------------------------------------------------------------------------


def _groups(index: TraceIndex) -> list[Part]:
    """The operations, in the order of execution: a part for each node, but one for the call of a layer of `nn`."""
    layers = index.document.get("layers", [])
    calls = index.document.get("layer_calls", [])
    calling = {caller for _, caller in calls if caller is not None}
    found: list[Part] = []
    of_call: dict[int, Part] = {}
    births, order, _ = index.nodes_in_order
    for i in range(len(order)):
        n = order[i]
        step = step_of(index, n)
        call = -1 if step is None else step.get("layer_call", -1)
        single = call >= 0 and call not in calling and layers[calls[call][0]]["arguments"] != ""
        if single and call in of_call:
            of_call[call]["nodes"].append(n)
            continue
        layer = calls[call][0] if single else -1
        part = _part("op", f"n{n}", births[i], [n], layer)
        part["place"] = i
        found.append(part)
        if single:
            of_call[call] = part
    for p in found:
        owner = index.owner(p["nodes"][-1], len(index.steps))
        p["tensor"] = -1 if owner is None else owner
    return found


def _part(kind: str, key: str, since: int, nodes: list[int], layer: int = -1, tensor: int = -1) -> Part:
    return {
        "key": key, "kind": kind, "nodes": nodes, "tensor": tensor, "since": since, "place": 0, "layer": layer, "edges": [],
    }  # fmt: skip


def step_of(index: TraceIndex, node: int) -> Step | None:
    """The step that made a node."""
    number = index.node_maker.get(node, -1)
    return index.steps[number] if number >= 0 else None


def _pieces(index: TraceIndex, groups: list[Part]) -> list[Piece]:
    """The connected pieces of the graph."""
    above = list(range(len(groups)))  # by operation: another one of its piece
    where = {n: i for i in range(len(groups)) for n in groups[i]["nodes"]}

    def root(i: int) -> int:
        while above[i] != i:
            above[i] = above[above[i]]
            i = above[i]
        return i

    for i in range(len(groups)):
        for n in groups[i]["nodes"]:
            for m, _ in index.nodes[n]["next_functions"]:
                if m is not None and m in where:
                    a, b = root(where[m]), root(i)
                    above[max(a, b)] = min(a, b)
    found: dict[int, list[Part]] = {}
    for i in range(len(groups)):
        found.setdefault(root(i), []).append(groups[i])
    pieces: list[Piece] = []
    for operations in found.values():
        signs = [f"{index.nodes[n]['name']} {index.nodes[n]['line']}" for p in operations for n in p["nodes"]]
        pieces.append({"operations": operations, "sign": ",".join(signs)})
    return pieces


def _turn(f: Frame, pieces: list[Piece]) -> tuple[list[Piece], int, int]:
    """The pieces to show, and which one of how many that are alike. Of those, the last that had begun is shown, or the one that the step at
    the cursor is about."""
    node = -1
    if f.step is not None and f.step.get("node") is not None:
        node = f.step["node"]
    chosen: dict[str, Piece] = {}
    counts: dict[str, int] = {}
    numbers: dict[str, int] = {}
    fixed: set[str] = set()
    for piece in pieces:
        sign = piece["sign"]
        counts[sign] = counts.get(sign, 0) + 1
        if sign in fixed:
            continue
        first = piece["operations"][0]
        if sign not in chosen or first["since"] < f.cursor:
            chosen[sign] = piece
            numbers[sign] = counts[sign]
        if node >= 0 and first["nodes"][0] <= node and any(node in p["nodes"] for p in piece["operations"]):
            chosen[sign] = piece
            numbers[sign] = counts[sign]
            fixed.add(sign)
    rounds, at = 1, 0
    for sign in counts:
        if counts[sign] > rounds:
            rounds, at = counts[sign], numbers[sign]
    return list(chosen.values()), at, rounds


# What goes in -------------------------------------------------------------------------------------


def _with_inputs(index: TraceIndex, operations: list[Part], home: dict[int, str]) -> list[Part]:
    """The operations with their edges, each behind the leaves, inputs and cuts that it is the first to use."""
    found: list[Part] = []
    known: set[str] = set()
    for p in operations:
        p["edges"] = []  # (It may be drawn with other pieces than before.)
        for n in p["nodes"]:
            for e in _edges_of(index, n):
                if e["target"] >= 0 and home.get(e["target"], "") == p["key"]:
                    continue  # within the part
                if e["target"] >= 0 and e["target"] in home:
                    e["source"] = home[e["target"]]
                elif e["tensor"] >= 0:
                    _outside(index, e, home, found, known)
                else:
                    continue
                same = [o for o in p["edges"] if o["source"] == e["source"]] if p["layer"] >= 0 else []
                if same:
                    same[0]["times"] += 1
                else:
                    p["edges"].append(e)
        if p["layer"] >= 0:
            for e in p["edges"]:
                e["inner"] = len(p["nodes"]) > 1
            p["edges"] = _around(p["edges"], index.document["layers"][p["layer"]]["parameters"])
        found.append(p)
    unused = 0
    for t in index.tensors:
        if f"t{t['id']}" in known or t["origin"] not in ("detach", "data") or unused >= CUTS:
            continue
        source = _cut_source(index, index.state(t["id"], len(index.steps)))
        if source is not None and home.get(node_of(index, source, t["created_step"]), ""):
            found.append(_cut(index, t, source, home))
            unused += 1
    return found


def _around(edges: list[Edge], parameters: list[tuple[str, int]]) -> list[Edge]:
    """What comes into a layer, with its parameters above and below the rest."""
    own = {number for _, number in parameters}
    above = [e for e in edges if e["tensor"] in own]
    half = (len(above) + 1) // 2
    return [*above[:half], *[e for e in edges if e["tensor"] not in own], *above[half:]]


def _edges_of(index: TraceIndex, n: int) -> list[Edge]:
    """What goes into the operation of a node."""
    node = index.nodes[n]
    step = step_of(index, n)
    since = node["created_step"]
    reads = [] if step is None else step.get("reads", [])
    edges = node["next_functions"]
    tensors: list[int] = []
    for m, output in edges:
        variable = None if m is None else index.nodes[m]["variable"]
        found_there = -1 if m is None else _result(index, m, output, reads, since)
        tensors.append(found_there if variable is None else variable)
    # Whether the edges are those of the tensors that the step reads, in this order. (A condition of `where` has no edge.)
    aligned = len(reads) == len(edges) and all([t in (-1, r) for t, r in zip(tensors, reads, strict=True)])
    rest = [t for t in reads if t not in tensors and not index.state(t, since)["requires_grad"]]
    found: list[Edge] = []
    for i in range(len(edges)):
        m, output = edges[i]
        tensor = tensors[i]
        if m is None and aligned:
            tensor = reads[i]
        elif m is None and rest:
            tensor = rest[0]  # Which argument it is is not known.
            rest = rest[1:]
        found.append({
            "source": "", "node": n, "input": -1 if m is None else i, "target": -1 if m is None else m, "output": output,
            "tensor": tensor, "step": since, "times": 1, "inner": False,
        })  # fmt: skip
    return found


def _result(index: TraceIndex, node: int, output: int, reads: list[int], step: int) -> int:
    """The tensor that an output of a node is, at a step: if one that the step reads, then that one."""
    for t in reads:
        if node_of(index, t, step) == node and index.tensors[t]["output_nr"] == output:
            return t
    owner = index.owner(node, step)
    return -1 if owner is None or index.tensors[owner]["output_nr"] != output else owner


def node_of(index: TraceIndex, tensor: int, step: int) -> int:
    """The grad_fn of a tensor when a step ran, -1 if it had none."""
    node = index.node_at(tensor, step)
    return -1 if node is None else node


def _outside(index: TraceIndex, e: Edge, home: dict[int, str], found: list[Part], known: set[str]) -> None:
    """Add the part that an edge comes from: a leaf, a cut, or an input without gradient."""
    number = e["tensor"]
    e["source"] = f"t{number}"
    if e["source"] in known:
        return
    known.add(e["source"])
    t = index.state(number, e["step"])
    source = _cut_source(index, t)
    if source is not None and home.get(node_of(index, source, t["created_step"]), ""):
        found.append(_cut(index, t, source, home))
        return
    kind = "leaf" if e["input"] >= 0 and t["is_leaf"] else "input"
    found.append(_part(kind, e["source"], t["created_step"], [], -1, number))


def _cut_source(index: TraceIndex, t: TraceTensor) -> int | None:
    """The tensor with a history that this one comes from, though no gradient goes back, because of detach, `.data`, or disabled grad mode. It may
    have become a leaf since."""
    made = index.makers.latest(t["id"], len(index.steps))
    if t["origin"] not in ("detach", "data", "op") or not t["dtype"].startswith(
        ("float", "bfloat", "complex")
    ):
        return None
    if made is None or made["op"].endswith("_like") or (t["requires_grad"] and t["origin"] == "op"):
        return None
    reads = made.get("reads", [])
    for source in reads if t["origin"] == "op" else reads[:1]:
        if index.state(source, t["created_step"])["requires_grad"]:
            return source
    return None


def _cut(index: TraceIndex, t: TraceTensor, source: int, home: dict[int, str]) -> Part:
    node = node_of(index, source, t["created_step"])
    part = _part("leaf" if t["requires_grad"] else "cut", f"t{t['id']}", t["created_step"], [], -1, t["id"])
    part["edges"].append({
        "source": home[node], "node": -1, "input": -1, "target": -1, "output": 0, "tensor": source, "step": t["created_step"], "times": 1, "inner": False,
    })  # fmt: skip
    return part


# Results ------------------------------------------------------------------------------------------


def _results(index: TraceIndex, operations: list[Part], parts: list[Part]) -> list[Part]:
    """The results that nothing uses, and those where a backward call starts."""
    used = {e["source"] for p in parts if p["kind"] == "op" for e in p["edges"]}
    roots: set[int] = set()
    for i, step in index.of("backward"):
        roots.update([node_of(index, t, i) for t in step.get("roots", [])])
    found: list[Part] = []
    for p in operations:
        for n in p["nodes"]:
            last = n == p["nodes"][-1]
            if n in roots or (last and p["key"] not in used):
                owner = index.owner(n, len(index.steps))
                result = _part("result", f"r{n}", p["since"], [n], -1, -1 if owner is None else owner)
                result["edges"].append({
                    "source": p["key"], "node": -1, "input": 0, "target": n, "output": 0, "tensor": result["tensor"],
                    "step": index.nodes[n]["created_step"] + 1, "times": 1, "inner": False,
                })  # fmt: skip
                found.append(result)
    return found


# Names and values ---------------------------------------------------------------------------------


def name_of(f: Frame, tensor: int, step: int) -> str:
    """What a tensor was called when a step had read it, or else its first name; empty if it never had one. It is "old w" if w means another
    tensor by the end."""
    if tensor < 0:
        return ""
    t = f.index.tensors[tensor]
    name = name_at(t, step)
    for _, other in t["names"]:
        name = name or other
    latest: dict[str, int] = f.index.kept.get("names", {})
    if not latest:
        end = len(f.index.steps)
        latest = {name_at(each, end): each["id"] for each in f.index.tensors}
        f.index.kept["names"] = latest
    return f"old {name}" if name and latest.get(name, tensor) != tensor else name


def source_of(f: Frame, step: Step | None) -> str:
    """The source text of a step, in the function that it ran in, if it is short."""
    call = -1 if step is None else step.get("call", -1)
    if step is None or call < 0:
        return "" if step is None else f.expression(step)
    place = f.document["calls"][call]
    span = place["span"]
    if span is None or span[0] != span[2] or span[3] - span[1] > 60:
        return ""
    lines, first = f.document["source"], 1
    if place["source"] is not None:
        lines, first = (
            f.document["sources"][place["source"]]["lines"],
            f.document["sources"][place["source"]]["first"],
        )
    return "".join(list(lines[span[0] - first])[span[1] : span[3]])


def elements_at(index: TraceIndex, tensor: int, step: int, most: int) -> list[str] | None:
    """The elements of a tensor as a step found them, in row-major order; None if they are more than `most`, or not known."""
    t = index.state(tensor, step)
    storage = index.document["storages"][t["storage"]]
    count = 1
    for n in t["shape"]:
        count *= n
    if count > most or storage["dtype"] != t["dtype"]:
        return None
    contents = index.contents(t["storage"], step)
    places = [t["storage_offset"]]
    for d in range(len(t["shape"])):
        places = [at + i * t["stride"][d] for at in places for i in range(t["shape"][d])]
    found: list[str] = []
    for at in places:
        if at < contents["head"]:
            found.append(contents["elements"][at])
        elif contents["numel"] - contents["tail"] <= at < contents["numel"]:
            found.append(contents["elements"][at - contents["numel"] + len(contents["elements"])])
        else:
            return None
    return found
