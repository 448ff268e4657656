"""What the textbook graph consists of: operations, leaves, other inputs, cuts and results, and the edges between them.

The parts are those of the whole trace, whatever the cursor: so a picture doesn't move while one steps. Only the rounds of a loop take turns: of
pieces of a graph that are alike, the one of the cursor is shown.

The call of a layer of `nn`, such as a `Linear`, is one part.
"""

from __future__ import annotations

from typing import TypedDict

from jgrad.tracing.document.index import TraceIndex, name_at
from jgrad.tracing.document.schema import Step, TraceDocument, TraceTensor
from jgrad.views.operations import Picture, operations_of, shows, step_of
from jgrad.views.scene import Frame, called

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
    layer: int
    """The module whose call it is, -1 for none."""
    edges: list[Edge]
    """What comes in, in the order of the arguments."""


def parts_of(f: Frame, picture: Picture) -> list[Part]:
    """The parts of a picture, in the order in which they were made."""
    index = f.index
    parts: list[Part] = index.kept.get(picture["key"] + " drawn", [])
    if not parts:
        operations = [part_of(index, i) for i in picture["operations"]]
        parts = _with_inputs(index, picture, operations)
        parts.extend(_results(index, operations, parts))
        index.kept[picture["key"] + " drawn"] = parts
    return parts


def part_of(index: TraceIndex, i: int) -> Part:
    """The part of an operation, with its edges in the order of its nodes."""
    all_ = operations_of(index)
    nodes = all_.nodes(i)
    owner = index.owner(nodes[-1], len(index.steps))
    tensor = -1 if owner is None else owner
    part = _part("op", f"n{nodes[0]}", all_.births[i], nodes, all_.layer(i), tensor)
    part["edges"] = _edges_of_part(index, part)
    return part


def _part(kind: str, key: str, since: int, nodes: list[int], layer: int = -1, tensor: int = -1) -> Part:
    return {
        "key": key, "kind": kind, "nodes": nodes, "tensor": tensor, "since": since, "layer": layer, "edges": [],
    }  # fmt: skip


# What goes in -------------------------------------------------------------------------------------


def _with_inputs(index: TraceIndex, picture: Picture, operations: list[Part]) -> list[Part]:
    """The operations, each behind the leaves, inputs and cuts that it is the first to use."""
    found: list[Part] = []
    known: set[str] = set()
    for p in operations:
        for e in p["edges"]:
            if e["source"].startswith("t") and e["source"] not in known:
                known.add(e["source"])
                part = outside(index, picture, e["tensor"], e["step"], e["input"] >= 0)
                leaf = _detached_leaf(index, index.state(e["tensor"], e["step"]))
                if leaf is not None:
                    _add_leaf(index, leaf, known, found)
                    part = _cut(index, index.state(e["tensor"], e["step"]), leaf)
                found.append(part)
        found.append(arranged(index, p))
    # Without any operation, as within no_grad(), what leaves were used for is all there is to be shown.
    bare = not operations
    unused = 0
    for t in index.tensors:
        cuts = t["origin"] in ("detach", "data") or (bare and t["created_step"] >= 0)
        if f"t{t['id']}" in known or not cuts or unused >= CUTS:
            continue
        last = index.state(t["id"], len(index.steps))
        source = _cut_source(index, last)
        node = -1 if source is None else node_of(index, source, t["created_step"])
        if source is not None and (shows(index, picture, node) or (bare and node < 0)):
            if node < 0:
                _add_leaf(index, source, known, found)
            found.append(_cut(index, last, source))
            unused += 1
    return found


def _add_leaf(index: TraceIndex, leaf: int, known: set[str], found: list[Part]) -> None:
    """Add the leaf that something was cut from."""
    if f"t{leaf}" not in known:
        known.add(f"t{leaf}")
        found.append(_part("leaf", f"t{leaf}", index.tensors[leaf]["created_step"], [], -1, leaf))


def key_of(index: TraceIndex, node: int) -> str:
    """The key of the operation of a node; empty if it has none."""
    all_ = operations_of(index)
    i = all_.of_node[node] if node >= 0 else -1
    return "" if i < 0 else f"n{all_.heads[i]}"


def _edges_of_part(index: TraceIndex, p: Part) -> list[Edge]:
    """What goes into an operation from other parts."""
    found: list[Edge] = []
    for n in p["nodes"]:
        for e in edges_of(index, n):
            source = key_of(index, e["target"])
            if source == p["key"]:
                continue  # within the part
            if source:
                e["source"] = source
            elif e["tensor"] >= 0:
                e["source"] = f"t{e['tensor']}"
            else:
                continue
            same = [o for o in found if o["source"] == e["source"]] if p["layer"] >= 0 else []
            if same:
                same[0]["times"] += 1
            else:
                found.append(e)
    for e in found:
        e["inner"] = p["layer"] >= 0 and len(p["nodes"]) > 1
    return found


def arranged(index: TraceIndex, p: Part) -> Part:
    """An operation, with the parameters of a layer above and below what else comes in."""
    if p["layer"] >= 0:
        p["edges"] = _around(p["edges"], index.document["layers"][p["layer"]]["parameters"])
    return p


def _around(edges: list[Edge], parameters: list[tuple[str, int]]) -> list[Edge]:
    """What comes into a layer, with its parameters above and below the rest."""
    own = {number for _, number in parameters}
    above = [e for e in edges if e["tensor"] in own]
    half = (len(above) + 1) // 2
    return [*above[:half], *[e for e in edges if e["tensor"] not in own], *above[half:]]


def edges_of(index: TraceIndex, n: int) -> list[Edge]:
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


def outside(index: TraceIndex, picture: Picture, number: int, step: int, needed: bool) -> Part:
    """The part of a tensor that no operation of the picture computed: a leaf, a cut, or an input without gradient. `step`: what reads it first.
    `needed`: whether a gradient goes to it."""
    t = index.state(number, step)
    source = _cut_source(index, t)
    if source is not None and shows(index, picture, node_of(index, source, t["created_step"])):
        return _cut(index, t, source)
    kind = "leaf" if needed and t["is_leaf"] else "input"
    return _part(kind, f"t{number}", t["created_step"], [], -1, number)


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


def _detached_leaf(index: TraceIndex, t: TraceTensor) -> int | None:
    """The leaf of which a tensor is the `detach()` or `.data`."""
    source = _cut_source(index, t) if t["origin"] in ("detach", "data") else None
    return source if source is not None and node_of(index, source, t["created_step"]) < 0 else None


def _cut(index: TraceIndex, t: TraceTensor, source: int) -> Part:
    node = node_of(index, source, t["created_step"])
    part = _part("leaf" if t["requires_grad"] else "cut", f"t{t['id']}", t["created_step"], [], -1, t["id"])
    part["edges"].append({
        "source": key_of(index, node) if node >= 0 else f"t{source}", "node": -1, "input": -1, "target": -1, "output": 0, "tensor": source, "step": t["created_step"], "times": 1, "inner": False,
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
    return name and called(f.index, name, tensor, False)


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
        excerpt = f.document["sources"][place["source"]]
        lines, first = excerpt["lines"], excerpt["first"]
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


def line_of(document: TraceDocument, step: Step) -> str:
    """The line that a step ran: "line 3" of a cell or a block, "train.py:3" of a program (as `in_its_words` says it)."""
    if "file" in document and "first" not in document:
        return f"{document['file']}:{step['line']}"
    return f"line {step['line']}"


def line_within(document: TraceDocument, step: Step) -> str:
    """The line of another cell or file that a step ran, as "net.py:3"; nothing if it ran a line of the cell or program."""
    number = step.get("call")
    call = None if number is None else document["calls"][number]
    if call is None or call["source"] is None:
        return ""
    return f"{document['sources'][call['source']]['name']}:{call['line']}"
