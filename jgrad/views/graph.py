"""The graph: backward nodes in order of execution beside their source lines, edges in lanes as in `git log --graph`.

A node's lane goes down from its row to the last row that uses it. Leaves are not in lanes: they are chips, repeated at each use, because long
edges to shared parameters are what makes graphs unreadable. A detach is a row of its own, its edge cut. After a backward step each edge
carries the gradient that went along it, and each node says what it got and by which formula it passed it on.
"""

from __future__ import annotations

from typing import Any

from jgrad.views.scene import (
    CHAR, WIDTH, Frame, Item, Scene, brief, chip, chip_width, clip, columns_of, finished, group, path, plural, points, rect, short, status,
    tensor_class, text, width, window,
)  # fmt: skip

ROWS = 24  # drawn at most
SOURCE = 24  # characters of a source line
LANES = 210  # where the lanes begin
CHIPS = 4  # leaf chips of a row at most
LINE = 16  # height of a line of text

# A row: a node, a leaf (a tensor that collects a gradient), or a cut (a tensor that detach or .data made).
#   {"kind", "id", "line", "tensor", "next": [node in a lane], "chips": [[tensor, edge nr or -1, solid]], "gone", "lines": [...]}
Row = dict[str, Any]


def scene(document: dict[str, Any], cursor: int) -> Scene:
    """The autograd graph after `cursor` steps."""
    f = Frame(document, cursor)
    flow = _flow(f)
    rows = _rows(f, flow)
    hidden = 0
    if len(rows) > ROWS:
        hidden = len([r for r in rows if r["gone"]])
        rows = [r for r in rows if not r["gone"]]
    focus = _focus(f, rows)
    begin, end = window(len(rows), focus, ROWS)
    drawn = rows[begin:end]
    lane_of, lanes = _lanes(rows, begin, end)
    spacing = 60 if lanes <= 3 else 44 if lanes <= 5 else 18 if lanes <= 14 else 10
    wide = spacing >= 44
    chips_at = LANES + lanes * spacing + 8
    for r in drawn:
        r["lines"] = _lines(f, r, flow)
    longest = max([chip_width(clip(f.label(t), 12)) for r in drawn for t, _, _ in r["chips"]] + [0])
    pills = any(r["chips"] for r in drawn if r["kind"] != "leaf")
    text_at = chips_at + (longest + (74 if pills else 8) if longest else 0) + 10
    items: list[Item] = []
    y = 8.0
    if hidden:
        items.append(text(LANES, y + 12, f"{plural(hidden, 'node')} of graphs that are gone", "muted"))
        y += 22
    if begin > 0:
        items.append(text(LANES, y + 12, f"… {plural(begin, 'row')} above", "muted"))
        y += 22
    tops: dict[str, float] = {}
    for r in drawn:
        r["y"] = y
        r["h"] = max(len(r["lines"]) * LINE + 12, min(len(r["chips"]), CHIPS + 1) * 24 + 6, 30 if not wide else 36)
        tops[_key(r)] = y
        y += r["h"]
    behind: list[Item] = []  # edges lie under the dots
    front: list[Item] = []
    line_before: int | None = None
    for i in range(len(drawn)):
        r = drawn[i]
        if r["line"] is not None and r["line"] != line_before:
            _source(f, r, items)
        line_before = r["line"]
        _edges(f, r, flow, lane_of, spacing, tops, begin > 0, behind, front)
        front.append(_row(f, r, flow, lane_of, spacing, chips_at, longest, text_at))
    items.extend(behind)
    items.extend(front)
    if end < len(rows):
        items.append(text(LANES, y + 12, f"… {plural(len(rows) - end, 'row')} below", "muted"))
        y += 22
    if not rows:
        items.append(text(10, y + 14, "no operation has been recorded by autograd yet", "muted"))
        y += 24
    table = _table(f, drawn, flow, lane_of, lanes)
    return finished("graph", f, y + 8, items, ["line", "graph", "tensor", "grad_fn", "inputs", "saved", "gradient"], table)


def _key(r: Row) -> str:
    return f"{r['kind']}{r['id']}"


# What is drawn ------------------------------------------------------------------------------------


def _flow(f: Frame) -> dict[str, Any]:
    """The gradients of the latest backward up to the cursor: what nodes got and sent, what reached each node and leaf."""
    steps = f.document["steps"]
    call = None
    for s in steps[: f.cursor]:
        if s.get("backward") is not None and s["kind"] in ("backward", "node", "accumulate"):
            call = s["backward"]
    flow: dict[str, Any] = {"call": call, "ran": {}, "arrived": {}, "accumulated": {}, "running": None, "roots": {}}
    if call is None:
        return flow
    for s in steps[: f.cursor]:
        if s.get("backward") != call:
            continue
        if s["kind"] == "backward":
            for i in range(len(s.get("roots", []))):
                node = f.state[s["roots"][i]]["node"]
                if node is not None and s["grads_in"][i] is not None:
                    flow["arrived"].setdefault(node, []).append([None, 0, s["grads_in"][i]])
        elif s["kind"] == "node":
            flow["ran"][s["node"]] = s
            node = f.document["nodes"][s["node"]]
            for i in range(min(len(node["next"]), len(s.get("grads_out", [])))):
                target = node["next"][i][0]
                if target is not None and s["grads_out"][i] is not None:
                    flow["arrived"].setdefault(target, []).append([s["node"], i, s["grads_out"][i]])
        elif s["kind"] == "accumulate":
            flow["accumulated"][s["grad"]["tensor"]] = s["grad"]
    if f.step is not None and f.step["kind"] in ("node", "accumulate") and f.step.get("backward") == call:
        flow["running"] = f.step.get("node")
    return flow


def _rows(f: Frame, flow: dict[str, Any]) -> list[Row]:
    """The rows in order of execution, what is used always above what uses it."""
    nodes = f.document["nodes"]
    alive = _alive(f, flow)
    owner = _owners(f)
    born: list[list[Any]] = []
    for n in nodes:
        if n["born"] < f.cursor and n["variable"] is None:
            born.append([n["born"], 1, n["id"], "node"])
    collected = [n["variable"] for n in nodes if n["born"] < f.cursor and n["variable"] is not None]
    for t in f.state:
        if t["born"] >= f.cursor:
            continue
        if t["is_leaf"] and t["requires_grad"] and (f.visible(t) or t["id"] in collected):
            born.append([t["born"], 0, t["id"], "leaf"])
        elif t["how"] in ("detach", "data") and t["id"] in f.maker:
            reads = f.maker[t["id"]].get("reads", [])
            if reads and f.state[reads[0]]["requires_grad"] and (f.visible(t)):
                born.append([t["born"], 2, t["id"], "cut"])
    born.sort(key=lambda b: b[:3])
    rows: list[Row] = []
    placed: set[int] = set()
    for entry in born:
        number = entry[2]
        if entry[3] == "node":
            # A node found later than its user (it was there before the cell) still goes above it.
            stack = [number]
            while stack:
                n = stack[-1]
                if n in placed:
                    stack.pop()
                    continue
                missing = [m for m, _ in nodes[n]["next"] if m is not None and nodes[m]["variable"] is None and m not in placed]
                if missing and len(stack) <= len(nodes):
                    stack.extend(missing)
                    continue
                placed.add(n)
                rows.append(_node_row(f, n, owner.get(n), n not in alive))
                stack.pop()
        elif entry[3] == "leaf":
            made = f.maker.get(number)
            line = made["line"] if made is not None else None
            rows.append({"kind": "leaf", "id": number, "line": line, "tensor": number, "next": [], "chips": [[number, -1, True]], "gone": not f.visible(f.state[number])})
        else:
            source = f.maker[number]["reads"][0]
            node = f.document["tensors"][source]["node"] if f.state[source]["node"] is None else f.state[source]["node"]
            above = [node] if node is not None and node in placed else []
            chips: list[list[Any]] = [[number, -1, False]]
            if not above:
                chips.insert(0, [source, -1, False])
            rows.append({"kind": "cut", "id": number, "line": f.maker[number]["line"], "tensor": number, "next": above, "chips": chips, "gone": False})
    return rows


def _node_row(f: Frame, n: int, tensor: int | None, gone: bool) -> Row:
    """A node's row: what it uses from lanes, and the leaves it uses as chips."""
    node = f.document["nodes"][n]
    made = None if tensor is None else f.maker.get(tensor)
    reads: list[int] = []
    if made is not None and made.get("node") == n:
        reads = made.get("reads", [])
    above: list[int] = []
    chips: list[list[Any]] = []
    for i in range(len(node["next"])):
        m = node["next"][i][0]
        if m is None:
            # An input outside the graph: shown where it is a tensor, not a number.
            if len(reads) == len(node["next"]) and not f.state[reads[i]]["requires_grad"]:
                chips.append([reads[i], i, False])
        elif f.document["nodes"][m]["variable"] is not None:
            chips.append([f.document["nodes"][m]["variable"], i, True])
        elif m not in above:
            above.append(m)
    return {"kind": "node", "id": n, "line": node["line"], "tensor": tensor, "next": above, "chips": chips, "gone": gone}


def _alive(f: Frame, flow: dict[str, Any]) -> set[int]:
    """Nodes that a tensor still holds, that ran in the latest backward, or that this step made."""
    nodes = f.document["nodes"]
    stack = [t["node"] for t in f.tensors() if t["node"] is not None]
    stack.extend(flow["ran"])
    if f.step is not None and f.step.get("node") is not None:
        stack.append(f.step["node"])
    found: set[int] = set()
    while stack:
        n = stack.pop()
        if n not in found:
            found.add(n)
            stack.extend([m for m, _ in nodes[n]["next"] if m is not None])
    return found


def _owners(f: Frame) -> dict[int, int]:
    """The tensor that each node computed."""
    found: dict[int, int] = {}
    for t in f.document["tensors"]:
        if t["node"] is not None and t["node"] not in found and t["born"] < f.cursor:
            found[t["node"]] = t["id"]
    for s in f.document["steps"][: f.cursor]:
        for change in s.get("changes", []):
            if change.get("node") is not None and change["node"] not in found:
                found[change["node"]] = change["tensor"]
    return found


def _focus(f: Frame, rows: list[Row]) -> int:
    """The row that the step at the cursor is about."""
    step = f.step
    if step is None:
        return len(rows) - 1
    touched = f.touched()
    node = step.get("node")
    if step["kind"] == "backward" and step.get("roots"):
        node = f.state[step["roots"][0]]["node"]
    leaf = step["grad"]["tensor"] if step.get("grad") else -1
    for i in range(len(rows) - 1, -1, -1):
        r = rows[i]
        if (r["kind"] == "node" and r["id"] == node) or (r["kind"] == "leaf" and r["id"] == leaf):
            return i
        if r["kind"] == "cut" and r["id"] in touched:
            return i
    return len(rows) - 1


def _lanes(rows: list[Row], begin: int, end: int) -> tuple[dict[str, int], int]:
    """The lane of each row (nodes and cuts), and how many there are. Nodes above the window that it uses have lanes too."""
    above: dict[int, str] = {r["id"]: _key(r) for r in rows if r["kind"] == "node"}
    last: dict[str, int] = {}
    for i in range(begin, end):
        for m in rows[i]["next"]:
            last[above[m]] = i
    lane_of: dict[str, int] = {}
    busy: list[str] = []

    def free() -> int:
        for lane in range(len(busy)):
            if not busy[lane]:
                return lane
        busy.append("")
        return len(busy) - 1

    for i in range(begin):
        key = _key(rows[i])
        if key in last:
            lane_of[key] = free()
            busy[lane_of[key]] = key
    for i in range(begin, end):
        r = rows[i]
        if r["kind"] == "leaf":
            continue
        key = _key(r)
        ending = [above[m] for m in r["next"] if last[above[m]] == i]
        for m in ending:
            busy[lane_of[m]] = ""
        lane = lane_of[ending[0]] if ending else free()
        lane_of[key] = lane
        busy[lane] = key if key in last else ""
    return lane_of, max(len(busy), 1)


# How it is drawn ----------------------------------------------------------------------------------


def _source(f: Frame, r: Row, items: list[Item]) -> None:
    """The source line that a row and those below it come from."""
    k = [f"l{r['line']}"]
    line = f.document["source"][r["line"] - 1].strip()
    here = f.step is not None and f.step["line"] == r["line"]
    items.append(path(points("M", 8, r["y"] + 1, "H", WIDTH - 8), "edge rule muted"))
    items.append(text(26, r["y"] + 19, str(r["line"]), "muted", k, a="end"))
    items.append(text(34, r["y"] + 19, clip(line, SOURCE), "mono now" if here else "mono", k, label=f"line {r['line']}: {line}"))


def _edges(
    f: Frame, r: Row, flow: dict[str, Any], lane_of: dict[str, int], spacing: float, tops: dict[str, float], cut_off: bool,
    behind: list[Item], front: list[Item],
) -> None:  # fmt: skip
    """The edges from a row up to the rows it uses, with what went along them."""
    if r["kind"] == "leaf":
        return
    x, y = _lane_x(lane_of[_key(r)], spacing), r["y"] + 15
    for m in r["next"]:
        key = f"node{m}"
        mx = _lane_x(lane_of[key], spacing)
        start = tops[key] + 15 if key in tops else 26.0
        values = [a[2] for a in flow["arrived"].get(m, []) if a[0] == r["id"] and r["kind"] == "node"]
        now = " now" if values and flow["running"] == r["id"] else ""
        c = "edge cut muted" if r["kind"] == "cut" else "edge gradient" + now if values else "edge"
        if r["gone"]:
            c += " gone"
        k = [f"n{m}", f"n{r['id']}" if r["kind"] == "node" else f"t{r['id']}"]
        if mx == x:
            d = points("M", mx, start, "V", y)
        else:
            d = points("M", mx, start, "V", y - 22, "C", mx, y - 8, x, y - 16, x, y)
        label = " + ".join([brief(v, 60) for v in values])
        behind.append(path(d, c, k, f"gradient {label}" if label else ""))
        if values and spacing >= 44:
            shown = _pill(values, int((spacing - 6) / CHAR))
            front.extend(_pill_items(mx, y - 23, shown, k, now, f"gradient {label}"))


def _pill(values: list[dict[str, Any]], n: int) -> str:
    """Gradients on an edge in n characters: the number, or their sum as it stands, or a norm."""
    whole = " + ".join([_plain(v, 60) for v in values])
    if columns_of(whole) <= n:
        return whole
    one = _plain(values[0], n)
    if len(values) > 1:
        return "Σ"
    return one


def _plain(value: dict[str, Any], n: int) -> str:
    """A value; of a single element just that element; of a large one its norm."""
    texts = value["text"]
    if texts is not None and len(texts) == 1:
        return clip(texts[0], n)
    if texts is not None and texts and all(t == texts[0] for t in texts) and columns_of(texts[0]) + 3 <= n:
        return f"{texts[0]} ×{len(texts)}" if columns_of(f"{texts[0]} ×{len(texts)}") <= n else clip(texts[0], n)
    s = brief(value, n)
    return s if not s.startswith("norm") and columns_of(s) <= n and n > 8 else "[…]"


def _pill_items(cx: float, y: float, s: str, k: list[str], now: str, label: str) -> list[Item]:
    w = width(s) + 8
    return [rect(cx - w / 2, y - 8, w, 16, "chip gradient pill" + now, k, label), text(cx, y + 4, s, "gradient" + now, k, a="middle")]


def _lane_x(lane: int, spacing: float) -> float:
    return LANES + lane * spacing + spacing / 2


def _row(
    f: Frame, r: Row, flow: dict[str, Any], lane_of: dict[str, int], spacing: float, chips_at: float, longest: float, text_at: float
) -> Item:
    """The dot, the leaf chips and the words of a row."""
    items: list[Item] = []
    y = r["y"] + 15
    node = r["kind"] == "node"
    k = [f"n{r['id']}"] if node else [f"t{r['id']}"]
    if r["tensor"] is not None and node:
        k.append(f"t{r['tensor']}")
    gone = " gone" if r["gone"] else ""
    now = " now" if _is_now(f, r, flow) else ""
    right = chips_at + (longest + 64 if longest and r["kind"] != "leaf" else 0)
    chips = r["chips"]
    for i in range(min(len(chips), CHIPS)):
        tensor, edge, solid = chips[i]
        cy = y + i * 24
        name = clip(f.label(tensor), 12)
        w = chip_width(name)
        cx = text_at - 12 - w
        keys = [f"t{tensor}"] + ([f"n{r['id']}"] if node else [])
        sent = [a[2] for a in _sent(f, r, flow) if a[1] == edge] if node else []
        if r["kind"] != "leaf":
            x = _lane_x(lane_of[_key(r)], spacing)
            c = "edge gradient" + (" now" if flow["running"] == r["id"] else "") if sent else "edge" if solid else "edge cut muted"
            d = points("M", x, y, "H", cx) if i == 0 else points("M", x, y, "C", x + 14, cy, x + 6, cy, x + 26, cy, "H", cx)
            items.append(path(d, c + gone, keys))
            if sent:
                items.extend(_pill_items(cx - 36, cy, _pill(sent, 7), keys, now, f"gradient {brief(sent[0], 60)}"))
        c = tensor_class(f.state[tensor], name) if solid else "muted"
        items.extend(chip(cx, cy + 4, name, c + (now if r["kind"] == "leaf" else "") + gone, keys, f.history(tensor)))
    if len(chips) > CHIPS:
        items.append(text(text_at - 12, y + CHIPS * 24 + 4, f"+ {len(chips) - CHIPS} more", "muted", k, a="end"))
    if node:
        x = _lane_x(lane_of[_key(r)], spacing)
        c = "gradient" if r["id"] in flow["ran"] else "intermediate"
        items.append(path(points("M", x - 6, y, "A", 6, 6, "0 1 0", x + 6, y, "A", 6, 6, "0 1 0", x - 6, y, "Z"), f"dot {c}{now}{gone}", k, _label(f, r)))
    elif r["kind"] == "cut":
        x = _lane_x(lane_of[_key(r)], spacing)
        items.append(path(points("M", x - 6, y - 5, "L", x + 6, y + 5, "M", x - 6, y + 5, "L", x + 6, y - 5), "mark error" + now, k))
    for i in range(len(r["lines"])):
        for s, c, at in r["lines"][i]:
            items.append(text(text_at + at * CHAR, r["y"] + 19 + i * LINE, s, c + (now if i == 0 else "") + gone, k))
    return group(items, k, _label(f, r), "listitem")


def _sent(f: Frame, r: Row, flow: dict[str, Any]) -> list[list[Any]]:
    """What a node sent to leaves: [node, edge, value]."""
    step = flow["ran"].get(r["id"])
    if step is None:
        return []
    grads = step.get("grads_out", [])
    return [[r["id"], i, grads[i]] for i in range(len(grads)) if grads[i] is not None]


def _is_now(f: Frame, r: Row, flow: dict[str, Any]) -> bool:
    step = f.step
    if step is None:
        return False
    if r["kind"] == "node":
        return step.get("node") == r["id"]
    if step.get("grad"):
        return r["kind"] == "leaf" and step["grad"]["tensor"] == r["id"]
    return r["id"] in f.touched()


def _label(f: Frame, r: Row) -> str:
    if r["kind"] != "node":
        return f.history(r["id"])
    node = f.document["nodes"][r["id"]]
    name = short(node["name"])
    whose = f", the grad_fn of {f.label(r['tensor'])}" if r["tensor"] is not None else ""
    return name + whose + (", gone: nothing holds it any more" if r["gone"] else "")


def _lines(f: Frame, r: Row, flow: dict[str, Any]) -> list[list[list[Any]]]:
    """The words of a row: lines of [text, class, column]."""
    if r["kind"] == "leaf":
        lines = [[[status(f.state[r["id"]]), "muted", 0]]]
        grad = flow["accumulated"].get(r["id"])
        if grad is not None:
            lines.append([[clip(_accumulated(f, r["id"], grad), 60), "gradient", 0]])
        return lines
    if r["kind"] == "cut":
        op = f.maker[r["id"]]["op"]
        return [[["cut here by " + (".data" if op == "data" else "detach()") + ": no gradient passes", "muted", 0]]]
    node = f.document["nodes"][r["id"]]
    name = short(node["name"])
    first: list[list[Any]] = []
    if r["tensor"] is not None:
        label = clip(f.label(r["tensor"]), 16)
        first.append([label, "title intermediate", 0])
        first.append([name, "mono", columns_of(label) + 2])
        if f.state[r["tensor"]]["retains_grad"]:
            first.append(["keeps .grad", "leaf", columns_of(label) + len(name) + 4])
    else:
        first.append([name, "mono", 0])
    lines = [first]
    saved = _saved(f, r["id"])
    if saved:
        freed = node["freed"] is not None and node["freed"] < f.cursor
        late = not freed and _overwritten(f, r["id"])
        lines.append([[clip(saved, 50), "muted" if freed else "error" if late else "saved", 0]])
    if r["id"] in flow["arrived"]:
        lines.append([[clip("got " + _got(flow["arrived"][r["id"]]), 50), "gradient", 0]])
    step = flow["ran"].get(r["id"])
    if step is not None:
        for i in range(min(len(node["next"]), len(step.get("grads_out", [])))):
            if step["grads_out"][i] is not None:
                lines.append([[clip(_passed(node, i, step["grads_out"][i]), 54), "mono", 0]])
        tensor = r["tensor"]
        if tensor is not None and tensor in flow["accumulated"]:
            lines.append([[clip(_accumulated(f, tensor, flow["accumulated"][tensor]), 54), "gradient", 0]])
    return lines


def _accumulated(f: Frame, tensor: int, grad: dict[str, Any]) -> str:
    total = brief(grad["after"], 24)
    parts = [brief(p["value"], 14) for p in grad["parts"]]
    name = clip(f.label(tensor), 16)
    if grad["before"] is not None:
        return f"{name}.grad = {brief(grad['before'], 14)} + {' + '.join(parts) or brief(grad['add'], 14)} = {total}"
    return f"{name}.grad = {' + '.join(parts)} = {total}" if len(parts) > 1 else f"{name}.grad = {total}"


def _got(arrived: list[list[Any]]) -> str:
    """What reached a node: one gradient, or the sum where paths meet."""
    parts = [brief(a[2], 24) for a in arrived]
    if len(parts) == 1:
        return parts[0]
    if len(parts) > 3:
        return f"the sum of {len(parts)} gradients"
    return " + ".join(parts)


def _passed(node: dict[str, Any], i: int, value: dict[str, Any]) -> str:
    """A formula with its result: "self: grad * other = 2."."""
    names = list(node["formulas"])
    name = names[i] if len(names) == len(node["next"]) else names[0] if len(names) == 1 else ""
    result = brief(value, 22)
    return f"{name}: {clip(node['formulas'][name], 28)} = {result}" if name else f"input {i + 1}: {result}"


def _saved(f: Frame, n: int) -> str:
    """What a node keeps for backward."""
    node = f.document["nodes"][n]
    if not node["saved"]:
        return ""
    if node["freed"] is not None and node["freed"] < f.cursor:
        return f"{plural(len(node['saved']), 'saved tensor')} freed"
    parts = []
    for s in node["saved"]:
        what = "its result" if s["tensor"] is None else f.label(s["tensor"])
        stale = ""
        if s["tensor"] is not None:
            now = f.versions.get(f.state[s["tensor"]]["counter"], s["version"])
            if now != s["version"]:
                stale = f", now v{now}!"
        parts.append(f"{s['name']} = {clip(what, 12)} v{s['version']}{stale}")
    return "saved " + ", ".join(parts)


def _overwritten(f: Frame, n: int) -> bool:
    for s in f.document["nodes"][n]["saved"]:
        if s["tensor"] is not None and f.versions.get(f.state[s["tensor"]]["counter"], s["version"]) != s["version"]:
            return True
    return False


# The same as text ---------------------------------------------------------------------------------


def _table(f: Frame, drawn: list[Row], flow: dict[str, Any], lane_of: dict[str, int], lanes: int) -> list[list[str]]:
    last: dict[str, int] = {}
    for i in range(len(drawn)):
        for m in drawn[i]["next"]:
            last[f"node{m}"] = i
    seen = [k for k in last if k not in [_key(r) for r in drawn]]  # lanes that come from above the window
    rows: list[list[str]] = []
    for i in range(len(drawn)):
        r = drawn[i]
        own = lane_of.get(_key(r))
        row = [" "] * (2 * lanes)
        for key in seen:
            if last[key] >= i:
                row[2 * lane_of[key]] = "│"
        if own is not None:
            for m in r["next"]:
                lane = lane_of[f"node{m}"]
                if lane != own:
                    for at in range(2 * min(lane, own) + 1, 2 * max(lane, own)):
                        row[at] = "─"
                    ends = last[f"node{m}"] == i
                    row[2 * lane] = ("╯" if lane > own else "╰") if ends else ("┤" if lane > own else "├")
            row[2 * own] = "×" if r["kind"] == "cut" else "●"
            seen = [k for k in seen if last[k] > i]
            if _key(r) in last:
                seen.append(_key(r))
        elif r["kind"] == "leaf":
            row[0] = row[0] if row[0] != " " else ""
        inputs = [f.label(t) if t != r["id"] or r["kind"] == "node" else "" for t, _, _ in r["chips"]]
        grads = [_got(flow["arrived"][r["id"]])] if r["kind"] == "node" and r["id"] in flow["arrived"] else []
        if r["kind"] == "leaf" and r["id"] in flow["accumulated"]:
            grads.append(_accumulated(f, r["id"], flow["accumulated"][r["id"]]))
        name = short(f.document["nodes"][r["id"]]["name"]) if r["kind"] == "node" else ""
        what = name or (status(f.state[r["id"]]) if r["kind"] == "leaf" else "cut")
        rows.append(
            ["" if r["line"] is None else str(r["line"]), "".join(row).rstrip(), "" if r["tensor"] is None else f.label(r["tensor"]), what,
             ", ".join([s for s in inputs if s]), _saved(f, r["id"]) if r["kind"] == "node" else "", "; ".join(grads)]
        )  # fmt: skip
    return rows
