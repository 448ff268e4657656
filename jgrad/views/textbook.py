"""The graph as textbooks draw it: leaves at the left, operations as circles, the loss at the right.

A value stands above its edge, and the gradient that came back below it. Arrows point the way that gradients go. Of a single number the
gradient is written as the product that made it. A leaf says what arrived and what it holds.

The picture is that of the whole trace: what has not happened yet is pale. So nothing moves while one steps.
"""

from __future__ import annotations

from jgrad.tracing.document.schema import Value
from jgrad.views.labels import (
    factor_of,
    gradient_lines,
    held_lines,
    is_write,
    sum_of,
    value_lines,
)
from jgrad.views.layout import How, Laid, Slot, lay
from jgrad.views.operations import picture_of, say_round
from jgrad.views.parts import Edge, Part, name_of, parts_of
from jgrad.views.places import (
    LEVELS,
    LINE,
    PARTS,
    RADIUS,
    RESULT,
    SUM,
    Level,
    Place,
    caption_of,
    grad_of,
    gradient_of,
    places_of,
    so_far,
    started,
)
from jgrad.views.rows import Flow, flow_at, got, sent
from jgrad.views.scene import (
    Frame,
    Item,
    Scene,
    bad_of,
    brief,
    columns_of,
    cross,
    finished,
    gem,
    group,
    labelled,
    legend,
    note_width,
    path,
    plural,
    points,
    r1,
    rect,
    short,
    tensor_class,
    text,
    width,
)
from jgrad.views.stale import panel

COLUMNS = ["line", "operation", "inputs", "result", "gradient", "saved"]
MOST = 40  # at most so many operations are drawn
FANNED = 8  # at most so many leaves and inputs of one operation, which stand one below the other
WIDEST = 1.25  # at most so many times as wide as there is room
BANDS = 4  # at most so many rows of columns, one below the other
HIGHEST = 1100  # at most so high
IN_SIGHT = 500  # the same, if there are layers, whose lanes are lower
LEGEND = [
    ("node intermediate", "operation"),
    ("node gradient", "has run backward"),
    ("node write", "writes in place"),
    ("node error", "raised the error"),
    ("chip leaf", "leaf, collects .grad"),
    ("mark error", "history cut here"),
    ("gem saved", "keeps saved tensors"),
    ("gem muted", "saved tensors freed"),
    ("gem error", "saved tensor overwritten"),
    ("step write", "a hook reads it"),
    ("edge gradient", "value above, gradient below"),
    ("1→", "1→ goes on below"),
]


def scene(f: Frame) -> Scene | None:
    """The scene of the textbook graph at a frame; None if the graph is too large for it."""
    picture = picture_of(f)
    if len(picture["operations"]) > MOST:
        return None
    parts = parts_of(f, picture)
    if not parts or max([_fan(p) for p in parts]) > FANNED:
        return None
    places: list[Place] = []
    level = LEVELS[0]
    laid: Laid = {"width": 1e9, "height": 0.0, "curve": 0.0, "bands": 1, "left": 12.0}
    # As wide as there is room; else it goes on below, like a text.
    for wrapped in (False, True):
        for one in LEVELS:
            if laid["width"] > f.width and (not wrapped or one["curve"] < LEVELS[0]["curve"]):
                level = one
                places = places_of(f, parts, level)
                how: How = {"curve": level["curve"], "room": f.width - 12, "wrapped": wrapped}
                laid = lay([p["box"] for p in places], 12, 10, how)
    highest = IN_SIGHT if any([p["layer"] >= 0 for p in parts]) else HIGHEST
    if laid["width"] > max(f.width, 360) * WIDEST or laid["height"] > highest or laid["bands"] > BANDS:
        return None
    for p in places:
        p["end"] = max(
            [o["box"]["x"] + o["box"]["width"] / 2 for o in places if o["box"]["rank"] == p["box"]["rank"]]
        )
    drawing = Drawing(f, places, level, laid)
    items = drawing.draw()
    y = laid["height"] + 4
    y += 20 * say_round(picture, y, items)
    flow = drawing.flow
    y = panel(f, flow, _right(places), y, _starts(f, places), items)
    y = legend(LEGEND, y, items, f.width)
    rows = [_row(f, flow, p) for p in places if p["part"]["kind"] != "result"]
    return finished("graph", "Graph", f, y + 4, items, {"columns": COLUMNS, "rows": rows})


def _fan(part: Part) -> int:
    """How many leaves and inputs an operation uses. An LSTM of two layers has eight weights."""
    return len({e["source"] for e in part["edges"] if e["source"].startswith("t")})


def _right(places: list[Place]) -> float:
    """Where the drawing ends."""
    return max([p["box"]["x"] + p["box"]["width"] / 2 for p in places])


def _starts(f: Frame, places: list[Place]) -> dict[int, list[float]]:
    """By node: the point below its operation from which an arrow may go to a storage, [x, y]."""
    found: dict[int, list[float]] = {}
    for p in places:
        if p["part"]["kind"] == "op":
            keeps = any([f.index.nodes[n]["saved"] for n in p["part"]["nodes"]])
            for n in p["part"]["nodes"]:
                found[n] = [p["box"]["x"], p["box"]["y"] + RADIUS + (7 if keeps else 0)]
    return found


# Edges --------------------------------------------------------------------------------------------


class Sent:
    """An edge at the cursor: the gradient on it, and how it is drawn."""

    def __init__(self, f: Frame, flow: Flow, e: Edge, source: Part, target: Part) -> None:
        self.e = e
        self.there = source["since"] < f.cursor and target["since"] < f.cursor
        self.back, self.made, now = _sent(f, flow, e)
        self.now = " now" if now else ""
        self.bad = "" if self.back is None else bad_of(self.back)
        self.stopped = self.back is None and _is_failing(f, target) and e["input"] >= 0
        self.is_cut = e["node"] < 0 and e["input"] < 0
        self.keys = [f"t{e['tensor']}"] if e["tensor"] >= 0 else []
        self.keys.extend([f"n{n}" for n in (e["node"], e["target"]) if n >= 0])

    def shade(self) -> str:
        """The class of its line."""
        c = "edge muted"
        if self.bad:
            c = "edge error"
        elif self.back is not None:
            c = "edge gradient"
        elif self.is_cut:
            c = "edge cut muted"
        elif self.stopped:
            c = "edge cut error"
        elif self.e["input"] >= 0:
            c = "edge"
        return c + self.now + ("" if self.there else " later")


class Drawing:
    """The parts where they are placed, and the edges between them. What has a gradient is drawn over edges that have none."""

    def __init__(self, f: Frame, places: list[Place], level: Level, laid: Laid) -> None:
        self.f, self.places, self.level, self.laid = f, places, level, laid
        self.flow = flow_at(f)
        self.where = {p["part"]["key"]: p for p in places}
        self.turns: list[str] = []  # the edges that go on in the next row of columns
        self.edges: list[Item] = []  # without a gradient
        self.gradients: list[Item] = []
        self.paper: list[Item] = []

    def draw(self) -> list[Item]:
        for p in self.places:
            for slot in p["box"]["slots"]:
                self._edge(slot, p)
        for p in self.places:
            self.paper.append(_shape(self.f, self.flow, p))
            _words(self.f, self.flow, p, self.paper)
        return [*self.edges, *self.gradients, *self.paper]

    def _edge(self, slot: Slot, target: Place) -> None:
        """Draw an edge with its value and its gradient."""
        e = target["part"]["edges"][slot["edge"]]
        source = self.where[e["source"]]
        sent = Sent(self.f, self.flow, e, source["part"], target["part"])
        d, c = points(*self._way(slot, source, target, sent.keys)), sent.shade()
        if sent.back is None:
            self.edges.insert(0, path(d, c, sent.keys))
        else:
            self.gradients.append(path(d, c, sent.keys, f"gradient {brief(sent.back, 60)}"))
            x, y = source["box"]["x"] + source["half"], source["box"]["y"]
            tip = points("M", x + 9, y - 5, "L", x + 1, y, "L", x + 9, y + 5)
            self.gradients.append(path(tip, c, sent.keys))
        self._write_above(sent, slot)
        self._write_below(sent, slot)

    def _way(self, slot: Slot, source: Place, target: Place, keys: list[str]) -> list[str | float]:
        """The line of an edge, with a number where it ends at the right and goes on in the next row of columns."""
        laid = self.laid
        at, band = source["box"]["y"], source["box"]["band"]
        bend, y, middle = laid["curve"] / 2, slot["y"], target["box"]["y"]
        d: list[str | float] = ["M", source["box"]["x"] + source["half"], at]
        end = [slot["x"], slot["x"] + slot["width"], y, target["box"]["band"]]
        for from_x, to_x, to_y, to_band in [*slot["via"], end]:
            if band == to_band:
                d.extend(["C", from_x - bend, at, from_x - bend, to_y, from_x, to_y, "H", to_x])
            else:
                d.extend(["H", laid["width"] - 20, "M", laid["left"] + 20, to_y, "H", to_x])
                place = f"{source['part']['key']} {r1(at)}"
                said = f"{self.turns.index(place) + 1}→" if place in self.turns else ""
                if not said:
                    self.turns.append(place)
                    said = f"{len(self.turns)}→"
                    self.paper.append(text(laid["width"] - 17, at + 4, said, "note muted", keys))
                self.paper.append(text(laid["left"], to_y + 4, said, "note muted", keys))
            at, band = to_y, int(to_band)
        tip = target["box"]["x"] - target["half"] + (2 if abs(y - middle) > 4 else 0)
        return [*d, "L", tip, middle + max(min(y - middle, 9), -9)]

    def _write_above(self, sent: Sent, slot: Slot) -> None:
        """The value that goes along an edge."""
        e = sent.e
        if not sent.there or e["tensor"] < 0:
            return
        lines = value_lines(self.f, e, self.level["numbers"])
        t = self.f.index.state(e["tensor"], e["step"])
        bad = any(["nan" in s or "inf" in s for s in lines])
        c = "error" if bad else tensor_class(self.f, t)
        x, top = slot["x"] + slot["width"] / 2, slot["y"] - 6 - LINE * (len(lines) - 1)
        for k in range(len(lines)):
            self.paper.append(text(x, top + LINE * k, lines[k], c + " title", sent.keys, "middle"))

    def _write_below(self, sent: Sent, slot: Slot) -> None:
        """The gradient that came back along an edge, or why there is none."""
        x, y = slot["x"] + slot["width"] / 2, slot["y"]
        if sent.back is not None:
            lines = gradient_of(sent.e, sent.back, self.level["numbers"])
            c = ("error" if sent.bad else "gradient") + sent.now
            before = sent.made if self.level["products"] else ""
            if before:
                x += width(before) / 2
                self.paper.append(text(x - width(lines[0]) / 2, y + 16, before, "muted", sent.keys, "end"))
            for k in range(len(lines)):
                self.paper.append(text(x, y + 16 + LINE * k, lines[k], c, sent.keys, "middle"))
        elif sent.stopped:
            self.paper.append(text(x, y + 16, "none", "error", sent.keys, "middle"))
        elif sent.is_cut and sent.there:
            self.paper.append(path(cross(slot["x"] + slot["width"], y), "mark error"))


def _sent(f: Frame, flow: Flow, e: Edge) -> tuple[Value | None, str, bool]:
    """The gradient on an edge, how it was made, and whether the step at the cursor sent it."""
    if e["input"] < 0:
        return None, "", False
    if e["node"] < 0:
        begin = flow.begin
        if begin < 0:
            return None, "", False
        return started(f, f.index.steps[begin], e["target"], begin), "", begin == f.cursor - 1
    step = flow.ran(e["node"])
    value = None if step is None else sent(step, e["input"])
    if step is None or value is None:
        return None, "", False
    made = "" if e["inner"] else factor_of(f, f.index.nodes[e["node"]], step, e["input"])
    return value, made, flow.running == e["node"]


def _is_failing(f: Frame, p: Part) -> bool:
    """Whether a part raised the error of the step at the cursor."""
    step = f.step
    return step is not None and step["kind"] == "error" and step.get("node", -1) in p["nodes"]


# Parts --------------------------------------------------------------------------------------------


def _shape(f: Frame, flow: Flow, p: Place) -> Item:
    """The shape of a part with its name or symbol."""
    part, box = p["part"], p["box"]
    x, y, half = box["x"], box["y"], p["half"]
    items: list[Item] = []
    later = "" if part["since"] < f.cursor else " later"
    keys = [f"n{n}" for n in part["nodes"]][:8] if part["kind"] == "op" else []
    if part["tensor"] >= 0:
        keys.append(f"t{part['tensor']}")
    now = " now" if _is_now(f, part) else ""
    if part["kind"] == "op":
        c = "intermediate"
        if any([flow.ran_at(n) >= 0 for n in part["nodes"]]):
            c = "gradient"
        square = is_write(f, part)
        if _is_failing(f, part):
            c = "error"
        elif square and c != "gradient":
            c = "write"
        round_ = " square" if square else ""
        items.append(
            labelled(
                rect(x - half, y - RADIUS, 2 * half, 2 * RADIUS, f"node {c}{round_}{now}{later}", keys),
                _tooltip(f, part),
            )
        )
        sign = " sign" if columns_of(p["label"]) == 1 else ""
        items.append(text(x, y + (7 if sign else 5), p["label"], f"plain{sign}{later}", keys, a="middle"))
        _marks(f, part, x, y, items)
    elif not p["label"]:
        items.append(labelled(rect(x - 4, y - 4, 8, 8, "chip plain" + now + later, keys), "a tensor"))
    else:
        c, shape = "muted", "node unused "
        if part["kind"] != "cut":
            c, shape = tensor_class(f, f.state[part["tensor"]]) + " title", "chip "
        drawn = rect(x - half, y - 12, 2 * half, 24, shape + c.split(" ")[0] + now + later, keys)
        items.append(labelled(drawn, f.history(part["tensor"])))
        items.append(text(x, y + 5, p["label"], c + later, keys, a="middle"))
    return group(items, keys)


def _marks(f: Frame, p: Part, x: float, y: float, items: list[Item]) -> None:
    """The marks of an operation: a diamond for saved tensors (hollow if freed, red if overwritten), a square for hooks."""
    if p["since"] >= f.cursor:
        return
    saved, stale, freed, hooks = 0, 0, 0, 0
    said = ""
    for n in p["nodes"]:
        node = f.index.nodes[n]
        saved += len(node["saved"])
        hooks += len([since for since, _ in node.get("hooks", []) if since < f.cursor])
        if node["freed_step"] is not None and node["freed_step"] < f.cursor:
            freed += len(node["saved"])
            continue
        for s in node["saved"]:
            what = "its result" if s["tensor"] is None else f.label(s["tensor"])
            said += f"{', ' if said else ''}{s['name']}: {what} v{s['version']}"
            if s["tensor"] is not None:
                now = f.version(f.state[s["tensor"]]["version_counter"])
                if now != s["version"]:
                    stale += 1
                    said += f", now v{now}"
    if saved:
        at = y + RADIUS
        c = "gem error" if stale else "gem muted" if freed == saved else "gem saved"
        items.append(
            path(gem(x, at), c, None, f"saved {said}" if said else f"{plural(saved, 'saved tensor')} freed")
        )
    if hooks:
        items.append(labelled(rect(x + RADIUS - 8, y - RADIUS - 2, 10, 10, "step write", None), "a hook"))


def _is_now(f: Frame, p: Part) -> bool:
    step = f.step
    if step is None:
        return False
    if step["kind"] in ("node", "error"):
        return p["kind"] == "op" and step.get("node", -1) in p["nodes"]
    if step.get("grad"):
        return p["kind"] in ("leaf", "input") and step["grad"]["tensor"] == p["tensor"]
    if step["kind"] == "backward":
        return p["kind"] == "result" and p["tensor"] in step.get("roots", [])
    if p["kind"] == "op":
        return step.get("node", -1) in p["nodes"]
    return p["tensor"] in f.touched() and p["kind"] != "result"


def _tooltip(f: Frame, p: Part) -> str:
    names = [short(f.index.nodes[n]["name"]) for n in p["nodes"][:8]]
    caption = caption_of(f, p)
    line = f.index.nodes[p["nodes"][0]]["line"]
    return ", ".join(names) + (f": {caption}" if caption else "") + ("" if line is None else f", line {line}")


def _words(f: Frame, flow: Flow, p: Place, items: list[Item]) -> None:
    """What is written above and below a part."""
    part, box = p["part"], p["box"]
    later = "" if part["since"] < f.cursor else " later"
    if part["kind"] == "leaf":
        _held(f, flow, p, items)
        return
    if part["kind"] != "op":
        return
    slots = box["slots"]
    left = slots[0]["x"] if slots else box["x"] - box["width"] / 2
    right = p["end"] + 8
    room = int((right - left) / 7.2)
    top = min([box["y"] - box["above"], *[s["y"] - s["above"] for s in slots]])
    low = max([box["y"] + box["below"], *[s["y"] + s["below"] for s in slots]])
    failing = _is_failing(f, part)
    head = ["stops here"] if failing else [p["caption"]] if columns_of(p["caption"]) <= room else p["lines"]
    said = [(head[i], top - 6 - LINE * (len(head) - 1 - i)) for i in range(len(head))]
    said.extend([(p["notes"][i], low + 12 + LINE * i) for i in range(len(p["notes"]))])
    for i in range(len(said)):
        words, y = said[i]
        if words and columns_of(words) <= room:
            x = max(min(box["x"], right - note_width(words) / 2), left + note_width(words) / 2)
            c = "error title" if failing and i == 0 else "plain" if i < len(head) else "muted"
            items.append(text(x, y, words, f"note {c}{later}", None, "middle"))
    met = _met(f, flow, part)
    if met:
        if width(met) > right - left and " = " in met:
            met = "sum" + met[met.find(" = ") + 2 :]
        y = low + 12 + LINE * len(p["notes"])
        x = max(min(box["x"], right - width(met) / 2), left + width(met) / 2)
        items.append(text(x, y, met, "gradient", None, "middle"))


def _met(f: Frame, flow: Flow, p: Part) -> str:
    """The sum of the gradients that met at an operation: "3. + 2. = 5."."""
    n = p["nodes"][-1]
    arrived = flow.arrived(n)
    outputs = {a[3] for a in arrived}  # gradients of different outputs are not added
    if len(arrived) < 2 or len(outputs) > 1 or f.index.nodes[n].get("hooks"):
        return ""
    summed = sum_of([a[2] for a in arrived], 18)
    step = flow.ran(n)
    total = None if step is None else got(step, 0)
    if not summed or total is None:
        return f"{len(arrived)} gradients met" if step is not None else ""
    return f"{summed} = {gradient_lines(total)[0]}"


def _held(f: Frame, flow: Flow, p: Place, items: list[Item]) -> None:
    """What arrived at a leaf and what it holds."""
    tensor = p["part"]["tensor"]
    x, y = p["box"]["x"], p["box"]["y"] + 28
    since = p["part"]["since"]
    # Of a leaf from before, nothing is known of its .grad unless a step tells it.
    if since >= f.cursor or not f.state[tensor]["requires_grad"]:
        return
    if since < 0 and tensor not in f.index.grads_of:
        return
    current = f.grad(tensor)
    arrived = [a[2] for n in f.index.sinks.get(tensor, []) for a in flow.arrived(n)]
    added = flow.accumulated(tensor)
    returned = flow.op == "grad"
    lines: list[str] = []
    c = "gradient"
    named = grad_of(p["label"])
    if added is not None and f.index.grads_of.before(tensor, f.cursor)[-1][0] == added[0]:
        lines = held_lines(added[1], SUM)
    elif arrived and added is None and (returned or flow.running is not None):
        named = RESULT  # what autograd.grad() returns, or what comes before it is added
        summed = sum_of(arrived, PARTS)
        lines = [summed] if summed else so_far(len(arrived))
        if returned:
            whole = gradient_lines(arrived[0])
            lines = whole if len(arrived) == 1 and len(whole) == 1 else lines
    elif current is not None:
        lines = gradient_lines(current)
    items.append(
        text(
            x,
            y,
            named if lines else ".grad None",
            "plain" if lines else "note mono muted",
            None,
            "middle",
        )
    )
    now = " now" if _is_now(f, p["part"]) else ""
    for i in range(len(lines)):
        if "nan" in lines[i] or "inf" in lines[i]:
            c = "error"
        items.append(text(x, y + LINE * (i + 1), lines[i], c + now, [f"t{tensor}"], "middle"))


# The same as text ---------------------------------------------------------------------------------


def _row(f: Frame, flow: Flow, p: Place) -> list[str]:
    """A row of the table."""
    part = p["part"]
    if part["kind"] != "op":
        return ["", _kind(part), "", p["label"] or "a tensor", _leaf_says(f, part), ""]
    node = f.index.nodes[part["nodes"][-1]]
    inputs = []
    for e in part["edges"]:
        name = name_of(f, e["tensor"], e["step"])
        inputs.append(f"{name} " + " ".join(value_lines(f, e)) if name else " ".join(value_lines(f, e)))
    step = flow.ran(part["nodes"][-1])
    arrived = None if step is None else got(step, 0)
    saved = ", ".join([s["name"] for n in part["nodes"] for s in f.index.nodes[n]["saved"]][:6])
    line = node["line"]
    return [
        "" if line is None else str(line), _tooltip(f, part), ", ".join(inputs), name_of(f, part["tensor"], len(f.index.steps)),
        "" if arrived is None else brief(arrived, 40), saved,
    ]  # fmt: skip


def _kind(p: Part) -> str:
    return {"leaf": "leaf", "input": "no gradient", "cut": "cut: no gradient passes"}.get(p["kind"], "")


def _leaf_says(f: Frame, p: Part) -> str:
    current = f.grad(p["tensor"]) if p["kind"] == "leaf" else None
    return "" if current is None else brief(current, 40)
