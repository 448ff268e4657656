"""What the graph must get right: the textbook's picture of small graphs, and the rows of large ones."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from jgrad import views
from jgrad.tracing.document.index import TraceIndex
from jgrad.views import uses
from jgrad.views.drawing import frame_of
from jgrad.views.graph import scene as graph
from jgrad.views.layout import Box, How, lay
from jgrad.views.scene import Frame, brief, text_width
from jgrad.views.stale import sentence
from tests.record.tracing import trace

from .documents import NAMES, documents, record
from .test_scenes import cursors, extent, flat

pytestmark = pytest.mark.quick

TWO_PATHS = """
        x = jgrad.tensor(2., requires_grad=True)
        w = jgrad.tensor(1., requires_grad=True)
        y = (x + w) * (w + 1)
        y.backward()
"""
MODEL = """
        from jgrad import nn
        class Block(nn.Module):
            def __init__(self, scale):
                super().__init__()
                self.fc1, self.fc2, self.scale = nn.Linear(4, 8), nn.Linear(8, 4), scale
            def forward(self, x):
                return x + self.fc2(self.fc1(x).tanh() * self.scale) * 2
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.blocks = nn.ModuleList([Block(SCALES[i]) for i in range(COUNT)])
                self.head = nn.Linear(4, 1)
            def forward(self, x):
                for block in self.blocks:
                    x = block(x)
                return self.head(x)
        net = Net()
        loss = net(jgrad.ones(2, 4)).sum()
        loss.backward()
"""


def drawn(document: dict[str, Any], cursor: int | None = None, **options: Any) -> list[dict[str, Any]]:
    return flat(views.scene(document, "graph", cursor, **options)["items"])


def words(items: list[dict[str, Any]], c: str = "") -> list[str]:
    return [i["s"] for i in items if i["t"] == "text" and (not c or c in i["c"].split())]


def model(count: int, scales: list[float] | None = None) -> dict[str, Any]:
    head = f"        COUNT, SCALES = {count}, {scales or [1.0] * count}\n"
    return record(head + MODEL, "model")


# The textbook's picture ---------------------------------------------------------------------------


def test_a_gradient_is_the_product_that_made_it_and_a_leaf_says_the_sum() -> None:
    items = drawn(record(TWO_PATHS))
    assert sorted(words(items, "sign")) == ["+", "+", "×"]
    products = sorted(s for s in words(items) if s.endswith("= "))
    assert products == ["1. × 2. = ", "1. × 3. = ", "2. × 1. = ", "2. × 1. = ", "3. × 1. = "]
    assert {"3. + 2. = 5.", "w.grad =", "x.grad ="} <= set(words(items))
    assert {"∂y/∂(x + w) = w + 1", "∂y/∂(w + 1) = x + w", "∂/∂x = ∂/∂w = 1"} <= set(words(items))
    assert {"x + w", "w + 1", "(x + w) * (w + 1)"} <= set(words(items))
    assert "value above, gradient below" in words(items)


def test_derivatives_of_an_input_that_occurs_twice_are_added() -> None:
    program = "        w = jgrad.tensor([3.0], requires_grad=True)\n        y = {}\n        y.backward()\n"
    said = {
        "w * w": "∂y/∂w = w + w",
        "w + w": "∂y/∂w = 1 + 1",
        "w - w": "∂y/∂w = 1 + -1",
        "w * 2": "∂y/∂w = 2",
    }
    for y, derivative in said.items():
        assert [s for s in words(drawn(record(program.format(y)))) if s.startswith("∂")] == [derivative]


def test_where_a_graph_goes_on_below_a_legend_says_it() -> None:
    program = "        w = jgrad.tensor([3.0], requires_grad=True)\n        y = w\n"
    program += "".join(f"        y = (y * {n}).exp()\n" for n in range(2, 8))
    for wide, there in ((860, True), (3000, False)):
        said = words(drawn(record(program), width=wide))
        assert said.count("1→") == 2 * there
        assert ("1→ goes on below" in said) == there


def test_stepping_back_lets_gradients_flow() -> None:
    document = record(TWO_PATHS)
    steps = document["steps"]
    flowing = []
    for cursor in range(len(steps) + 1):
        edges = [
            i for i in drawn(document, cursor) if i["t"] == "path" and i["c"].startswith("edge gradient")
        ]
        flowing.append(len(edges) // 2)  # each has an arrow
    first = next(i for i, s in enumerate(steps) if s["kind"] == "backward")
    assert flowing[: first + 1] == [0] * (first + 1)
    assert flowing[first + 1 :] == sorted(flowing[first + 1 :])
    assert flowing[first + 1] == 1, "the gradient that it starts with"
    assert flowing[-1] == 6
    now = [words(drawn(document, k + 1), "now") for k, s in enumerate(steps) if s["kind"] == "node"]
    assert now == [["2.", "3."], ["3."], ["2.", "2."]]
    # Between the nodes that bring w its parts, it says what came so far.
    part = next(
        k for k, s in enumerate(steps) if s["kind"] == "node" and s["grads_out"][0]["elements"] == ["3."]
    )
    assert "3." in words(drawn(document, part + 1), "gradient")


def test_of_gradients_that_are_no_short_numbers_a_leaf_says_how_many_came() -> None:
    document = trace("w = jgrad.ones(2, 3, requires_grad=True)\n(w * 2 + w.exp()).sum().backward()").document
    said = []
    for k, step in enumerate(document["steps"]):
        if step["kind"] == "node":
            found = words(drawn(document, k + 1), "gradient")
            said.append([a for a, b in itertools.pairwise(found) if b == "so far"])
    assert [s for s in said if s] == [["1 gradient"], ["2 gradients"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_nothing_moves_while_one_steps(name: str) -> None:
    """The shapes of the textbook's picture stand at the same places at every step, as long as it shows the same round."""
    document = documents()[name]
    places: dict[str, set[tuple[float, float]]] = {}
    rounds = set()
    for cursor in cursors(document):
        scene = views.scene(document, "graph", cursor)
        if scene["table"]["columns"][0] == "module":
            return
        items = flat(scene["items"])
        rounds.add(next((s for s in words(items, "note") if s.startswith("round ")), ""))
        for i in items:
            if i["t"] == "rect" and i["c"].startswith("node") and "k" in i:
                places.setdefault(i["k"][0], set()).add((i["x"], i["y"]))
    if len(rounds) == 1:
        assert all(len(at) == 1 for at in places.values()), places


def test_what_has_not_happened_is_pale_and_has_no_value() -> None:
    items = drawn(record(TWO_PATHS), 3)
    shapes = [i for i in items if i["t"] == "rect" and i["c"].startswith("node") and "k" in i]
    assert [("later" in i["c"]) for i in shapes] == [False, True, True]
    assert "6." not in words(items)
    assert {"2.", "1."} <= set(words(items, "leaf"))


def test_the_values_are_those_that_the_operation_read() -> None:
    """A value above an edge is that of the time: a later write does not change it."""
    document = record("""
        x = jgrad.tensor([1.0, 2.0], requires_grad=True)
        h = x * 2
        y = h + 1
        h.add_(10)
        z = h + y
        z.sum().backward()
    """)
    items = drawn(document)
    assert {"+=", "+"} <= set(words(items))
    assert words(items).count("2.") + words(items).count("4.") >= 4, "what h held before the write"
    assert {"12.", "14."} <= set(words(items)), "what it held after it"
    squares = [i for i in items if "square" in i.get("c", "")]
    assert len(squares) == 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_not_a_number_is_red() -> None:
    document = record("""
        x = jgrad.tensor([0.0, 1.0], requires_grad=True)
        y = (x * 0).sqrt()
        y.sum().backward()
    """)
    items = drawn(document)
    assert "nan" in " ".join(words(items, "error"))
    assert any(i["t"] == "path" and i["c"].startswith("edge error") for i in items)


def test_a_detach_is_a_cut_and_a_leaf_behind_it_has_its_own_gradient() -> None:
    items = drawn(documents()["detached"])
    assert [i["c"] for i in items if i["t"] == "path"].count("mark error") == 2, "the cut, and the legend"
    assert "e.grad =" in words(items)
    document = record("""
        x = jgrad.tensor([2.0], requires_grad=True)
        y = x * 3
        z = y.detach() * x
        z.backward()
    """)
    items = drawn(document)
    assert "detach" in words(items)
    assert [i["c"] for i in items if i["t"] == "path"].count("mark error") == 2


def test_a_detach_of_a_leaf_is_a_cut() -> None:
    """The leaf stands behind the cut, also if nothing else uses it."""
    leaf = """
        a = jgrad.tensor(1., requires_grad=True)
        w = jgrad.tensor(2., requires_grad=True)
        (a.detach() * w).backward()
    """
    items = drawn(record(leaf))
    assert "detach" in words(items)
    assert {"a", "w"} <= set(words(items))
    assert [i["c"] for i in items if i["t"] == "path"].count("mark error") == 2, "the cut, and the legend"
    both = drawn(record(leaf.replace("* w)", "* w * a)")))
    assert words(both).count("a") == 1


def test_where_the_error_stopped_is_seen_with_what_autograd_compares() -> None:
    document = documents()["fails"]
    items = drawn(document)
    assert "stops here" in words(items, "error")
    (ring,) = [i for i in items if i["t"] == "rect" and i["c"].startswith("node error") and "k" in i]
    assert ring["k"][0] == f"n{document['steps'][-1]['node']}"
    assert any(i["c"].startswith("edge cut error") for i in items if i["t"] == "path")
    assert {"v0 needed", "v1 found"} <= set(words(items))
    assert "2.7183  7.3891  20.0855" in words(items, "struck")
    assert "→ ≈5.44  ≈14.8  ≈40.2" in words(items)
    assert "→ ≈10.9  ≈29.6  ≈80.3" in words(items)
    assert "With v1 the gradient would be wrong, so none is given." in words(items)
    assert "stops here" not in words(drawn(document, len(document["steps"]) - 1))
    assert sentence(frame_of(document, None)) == "ExpBackward0 needs y as it was at v0, finds v1, and stops."
    assert sentence(frame_of(document, 3)) == ""
    # Where there is room, the storage is beside the graph, so that nobody has to scroll.
    tops = [i["y"] for w in (600, 1500) for i in drawn(document, width=w) if i.get("s") == "v0 needed"]
    assert tops[0] > 150 > tops[1]


OVERWRITTEN = {
    "layer": ("""
        from jgrad import nn
        h = nn.Linear(2, 2)(jgrad.ones(1, 2)).sigmoid()
        h += 1
        h.sum().backward()
    """, "saves its result h", "writes into the same storage"),
    "slice": ("""
        w = jgrad.tensor([1., 2., 3.], requires_grad=True)
        a = w * 2
        b = a.exp()
        c = b * a
        b[0] = 5.0
        d = c.sum() + (a * a).sum()
        d.backward()
    """, "saves b", "writes into the same storage"),
    "no_grad": ("""
        w = jgrad.tensor([1., 2.], requires_grad=True)
        loss = (w * w).sum()
        with jgrad.no_grad():
            w.add_(1)
        loss.backward()
    """, "saves w", "w.add_(1), line 4, writes into the same storage"),
    "optimizer": ("""
        from jgrad import nn, optim
        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        opt = optim.SGD(model.parameters(), lr=0.1)
        loss = model(jgrad.ones(5, 3)).pow(2).mean()
        loss.backward(retain_graph=True)
        opt.step()
        loss.backward()
    """, "saves a view of model[2].weight", "opt.step(), line 6, writes into the same storage"),
    "rows": ("""
        h = jgrad.ones(4, requires_grad=True) * 2
        for i in range(30):
            h = h.sigmoid()
            g = h * 2
            if i == 12:
                h += 1
        h.sum().backward()
    """, "SigmoidBackward0 saves its result h 14", "h += 1, line 6, writes into the same storage"),
    "detached": ("""
        a = jgrad.tensor([1., 2., 3.], requires_grad=True)
        y = a.exp()
        y.detach().zero_()
        y.sum().backward()
    """, "saves its result y", "y.detach().zero_(), line 3, writes into the same storage"),
}  # fmt: skip


@pytest.mark.parametrize("name", OVERWRITTEN)
@pytest.mark.parametrize("wide", [360, 600, 860, 1500])
def test_arrows_say_what_was_saved_and_what_overwrote_it(name: str, wide: int) -> None:
    program, *said = OVERWRITTEN[name]
    document = record(program)
    scene = views.scene(document, "graph", None, width=wide)
    items = flat(scene["items"])
    halos = [i for i in items if i["t"] == "text" and "halo" in i["c"]]
    arrows = [
        i for i in items if i["t"] == "path" and i["c"] in ("edge saved cut", "edge write") and "label" in i
    ]
    assert [i["label"] for i in arrows] == [i["s"] for i in halos]
    if wide >= 860:
        # In lanes they name the node, too.
        assert halos[0]["s"].endswith(said[0])
        assert [i["s"] for i in halos[1:]] == said[1:]
    assert "saves" in halos[0]["s"]
    assert halos[1]["s"].endswith("writes into the same storage")
    # Arrows cross no text and no shape, and stay in the picture. Their texts cover nothing either.
    others = [i for i in items if i["t"] == "text" or (i["t"] == "rect" and not i["c"].startswith("band"))]
    for box in itertools.chain.from_iterable(segments(i["d"]) for i in arrows):
        assert box[0] >= 0
        assert box[2] <= scene["width"]
        assert [i for i in others if i not in halos and meet(box, extent(i), 1)] == []
    for text in halos:
        assert [i for i in others if i is not text and meet(extent(text), extent(i), 0)] == []
    # A mark where history is cut is a path of 12 by 10 pixels.
    marks = [
        [float(n) for n in i["d"].split()[1:3]] for i in items if i["t"] == "path" and i["c"] == "mark error"
    ]
    drawn_marks = [(x - 2, y, x + 14, y + 10) for x, y in marks if y < scene["height"] - 60]
    assert not [1 for text in halos for mark in drawn_marks if meet(extent(text), mark, 0)]
    before = drawn(document, len(document["steps"]) - 1, width=wide)
    assert not [i for i in before if i["t"] == "text" and "halo" in i["c"]]


def meet(a: tuple[float, ...], b: tuple[float, ...], by: float) -> bool:
    """Whether two boxes share more than so many pixels."""
    return a[0] < b[2] - by and b[0] < a[2] - by and a[1] < b[3] - by and b[1] < a[3] - by


def segments(d: str) -> list[tuple[float, float, float, float]]:
    """The boxes of the straight pieces of a path of M, H, V."""
    found, x, y = [], 0.0, 0.0
    for letter, numbers in re.findall(r"([MHV])([-0-9. ]+)", d):
        at = [float(n) for n in numbers.split()]
        to = (at[0], at[1]) if letter == "M" else (at[0], y) if letter == "H" else (x, at[0])
        if letter != "M":
            found.append((min(x, to[0]), min(y, to[1]), max(x, to[0]), max(y, to[1])))
        x, y = to
    return found


@pytest.mark.parametrize(
    ("function", "before", "after"),
    [
        ("sigmoid", "0.197", "-1.27"),
        ("tanh", "0.42", "-2.1"),
        ("exp", "2.72", "3.72"),
        ("sqrt", "0.5", "0.25"),
    ],
)
def test_the_gradients_of_an_overwritten_result(function: str, before: str, after: str) -> None:
    document = record(f"""
        x = jgrad.tensor([1.0], requires_grad=True)
        y = x.{function}()
        y += 1
        y.backward()
    """)
    assert [s for s in words(drawn(document)) if s.startswith("→")] == [f"→ ≈{before}", f"→ ≈{after}"]


def test_gradients_of_different_outputs_are_not_added() -> None:
    document = record("""
        a = jgrad.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        u, v = a.unbind(0)
        (u * v).sum().backward()
    """)
    assert not [s for s in words(drawn(document)) if "met" in s or " + " in s]


def test_a_sum_where_paths_meet() -> None:
    document = record("""
        x = jgrad.tensor(3.0, requires_grad=True)
        h = x * 2
        (h * h).backward()
    """)
    assert "6. + 6. = 12." in words(drawn(document), "gradient")


def test_the_rounds_of_a_loop_take_turns() -> None:
    document = documents()["loop"]
    answers = [
        next(s for s in words(drawn(document, k), "note") if s.startswith("round"))
        for k, s in enumerate(document["steps"])
        if s["kind"] == "backward"
    ]
    assert answers == [f"round {n} of 12, which are alike" for n in range(1, 13)]


EARLIER = trace("w = jgrad.tensor([1., 2.], requires_grad=True)\nloss = (w * w).exp().sum()").namespace


def test_the_graph_of_an_earlier_cell_is_not_drawn_where_this_cell_has_its_own() -> None:
    """A notebook's variable `loss` still holds the graph of the last run when the cell runs again."""
    again = trace("loss = (w * 3).sum()\nloss.backward()", EARLIER).document
    assert [n["name"] for n in again["nodes"]].count("ExpBackward0") == 1
    assert not [s for s in words(drawn(again)) if "exp" in s.lower()]
    assert "round" not in " ".join(words(drawn(again)))


@pytest.mark.parametrize(
    "cell",
    [
        "loss.backward()\ny = w * 3",
        "y = loss * 3",
        "loss.shape",
        "y = w * 3\njgrad.autograd.grad(loss, w)",
    ],
)
def test_the_graph_of_an_earlier_cell_is_drawn_where_this_cell_uses_it(cell: str) -> None:
    """It goes on there, a backward pass starts in it, or nothing else is to be seen."""
    document = trace(
        cell, trace("w = jgrad.ones(2, requires_grad=True)\nloss = (w * w).exp().sum()").namespace
    ).document
    assert [s for s in words(drawn(document)) if "exp" in s.lower()]


def test_a_backward_pass_that_fails_at_an_earlier_graph_shows_it() -> None:
    t = trace(
        "loss = (w * 3).sum()\nold.backward()",
        trace("w = jgrad.ones(2, requires_grad=True)\nold = (w * w).exp().sum()\nold.backward()").namespace,
    )
    assert t.error is not None
    assert [s for s in words(drawn(t.document)) if "exp" in s.lower()]


def test_what_a_failed_pass_brought_is_not_the_grad_of_a_leaf() -> None:
    t = trace("""
w = jgrad.tensor(0.5, requires_grad=True)
hidden = jgrad.tensor(1.0)
for x in (1.0, 2.0):
    hidden = (w * hidden + x).tanh()
    hidden.backward()
""")
    assert t.error is not None
    found = words(drawn(t.document), "gradient")
    assert not [s for s in found if "…" in s]
    assert t.namespace["w"].grad is not None
    assert f"{t.namespace['w'].grad.item():.4f}" in found


def test_a_tensor_is_no_leaf_that_learns_before_it_requires_grad() -> None:
    document = trace(
        "x = jgrad.ones(1)\ny = x * 2 * 3\nx.requires_grad_()\n(y + x).sum().backward()"
    ).document
    assert "x" not in words(drawn(document, 2), "leaf")
    assert "x" in words(drawn(document, 4), "leaf")


def test_an_operation_with_many_leaves_is_a_row() -> None:
    """Their edges would cross at one circle."""
    many = """
        ws = [jgrad.ones(2, requires_grad=True) for i in range(COUNT)]
        jgrad.stack(ws).sum().backward()
    """
    for count, rows in ((8, False), (9, True)):
        assert ("forward is downwards" in words(drawn(record(many.replace("COUNT", str(count)))))) == rows


def test_a_layer_is_one_operation_next_to_its_parameters() -> None:
    document = record("""
        from jgrad import nn
        lin = nn.Linear(2, 2)
        lin(jgrad.ones(1, 2)).sum().backward()
    """)
    assert {"lin", "Linear(2, 2)", "weight", "bias", "Σ"} <= set(words(drawn(document)))
    lstm = record("""
        from jgrad import nn
        lstm = nn.LSTM(2, 2)
        out, _ = lstm(jgrad.ones(20, 1, 2))
        out.sum().backward()
    """)
    assert {"lstm", "LSTM(2, 2)", "20 gradients", "Σ"} <= set(words(drawn(lstm)))


def test_values_of_several_elements_stand_below_each_other() -> None:
    document = record("""
        a = jgrad.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        b = jgrad.arange(3.0, requires_grad=True)
        c = jgrad.ones(9, requires_grad=True)
        (a.sum() + b.sum() + c.sum() * 0.5).backward()
    """)
    said = words(drawn(document))
    assert {"1. 2.", "3. 4.", "0.", "[9]", "all 0.5000"} <= set(said)


# Layout -------------------------------------------------------------------------------------------


HOW: How = {"curve": 36.0, "room": 2000.0, "wrapped": False}


def box(*sources: int) -> Box:
    slots = [
        {"source": s, "edge": k, "width": 60.0, "above": 20.0, "below": 20.0, "x": 0.0, "y": 0.0, "via": []}
        for k, s in enumerate(sources)
    ]
    return {
        "width": 40.0,
        "above": 20.0,
        "below": 20.0,
        "head": 20.0,
        "foot": 0.0,
        "early": not sources,
        "slots": slots,
        "free": True,
        "rank": 0,
        "band": 0,
        "x": 0.0,
        "y": 0.0,
    }


def test_the_layout_of_a_chain_is_a_line_and_of_a_ladder_has_no_crossing() -> None:
    chain = [box(), box(0), box(1), box(2)]
    lay(chain, 0, 0, HOW)
    assert len({b["y"] for b in chain}) == 1
    ladder = [box(), box(), box(1), box(0), box(3), box(2)]
    lay(ladder, 0, 0, HOW)
    assert (
        (ladder[0]["y"] < ladder[1]["y"])
        == (ladder[3]["y"] < ladder[2]["y"])
        == (ladder[4]["y"] < ladder[5]["y"])
    )


def test_a_chain_that_is_too_wide_goes_on_below() -> None:
    chain = [box(), *[box(i) for i in range(9)]]
    laid = lay(chain, 0, 0, {"curve": 36.0, "room": 600.0, "wrapped": True})
    assert laid["bands"] == 3
    assert laid["width"] <= 600
    for one, other in itertools.pairwise(chain):
        if one["band"] == other["band"]:
            assert one["x"] < other["x"]
            assert one["y"] == other["y"]
        else:
            assert other["x"] < one["x"]
            assert one["y"] + 40 < other["y"]


def test_a_damaged_graph_with_a_circle_is_laid_out_all_the_same() -> None:
    circle = [box(2), box(0), box(1)]
    assert lay(circle, 0, 0, HOW)["height"] > 0


# Rows ---------------------------------------------------------------------------------------------


def names_of(items: list[dict[str, Any]]) -> list[str]:
    """The names in the rows, from above."""
    rows = [i for i in items if i["t"] == "group" and i.get("role") == "row"]
    return [next(t["s"] for t in r["items"] if t["t"] == "text" and t["s"] not in "▸▾") for r in rows]


def test_each_block_is_a_row_and_opens_in_place() -> None:
    document = model(12)
    items = drawn(document)
    assert names_of(items) == ["net", *[f"blocks[{i}]" for i in range(12)], "head", "Σ"]
    key = next(i["o"] for i in items if i["t"] == "group" and "blocks[3]" in i.get("label", ""))
    opened = names_of(drawn(document, toggled=[key]))
    assert opened == [
        "net", *[f"blocks[{i}]" for i in range(4)], "fc1", "tanh", "×", "fc2", "×", "+", *[f"blocks[{i}]" for i in range(4, 12)], "head", "Σ",
    ]  # fmt: skip
    assert names_of(drawn(document, toggled=[key, "nonsense"])) == opened
    closed = next(i["o"] for i in items if i["t"] == "group" and i.get("label", "").startswith("net "))
    assert names_of(drawn(document, toggled=[closed])) == ["net", "Σ"]


def test_rows_say_which_inputs_are_left_out_and_what_an_operation_is_applied_to() -> None:
    document = record("""
        from jgrad import nn
        cell = nn.RNNCell(3, 8)
        xs = [jgrad.randn(4, 3) for i in range(20)]
        h = jgrad.zeros(4, 8)
        for x in xs:
            h = cell(x, h)
        square_of_hidden = h @ h.transpose(0, 1)
        for i in range(30):
            square_of_hidden = square_of_hidden * 2
        square_of_hidden.sum().backward()
    """)
    said = words(drawn(document))
    assert "… 17 more inputs" in said
    for width in (420, 860):
        assert any(s.startswith("h @ h") for s in words(drawn(document, width=width)))


def test_a_norm_has_fewer_digits_where_there_is_no_room() -> None:
    value: Any = {"shape": [100], "dtype": "float32", "elements": None, "norm": 0.70710678}
    assert [brief(value, n) for n in (20, 11, 10, 9)] == [
        "norm 0.7071",
        "norm 0.7071",
        "norm 0.707",
        "norm 0.71",
    ]


def test_rows_stay_while_one_steps() -> None:
    document = model(8)
    rows = {tuple(names_of(drawn(document, k))) for k in cursors(document)}
    assert len(rows) == 1


def test_where_the_gradient_vanished_is_open_and_red() -> None:
    document = model(9, [1.0, 1.0, 1.0, 1e-9, 1.0, 1.0, 1.0, 1.0, 1.0])
    items = drawn(document)
    at = names_of(items).index("blocks[3]")
    assert names_of(items)[at + 1 : at + 3] == ["fc1", "tanh"]
    assert any(i["t"] == "path" and i["c"].startswith("ring error") for i in items)
    lost = [i["s"] for i in items if i["t"] == "text" and "error" in i["c"].split()]
    assert [s for s in lost if s.startswith("weight")]
    assert [s for s in lost if re.fullmatch(r"\d\.\de-\d+", s)]
    fine = drawn(model(9))
    assert not [i for i in fine if i["t"] == "path" and i["c"].startswith("ring error")]


def test_the_norms_are_those_of_the_gradients() -> None:
    document = model(12)
    items = drawn(document)
    node = max(n["id"] for n in document["nodes"] if n["name"] == "AddmmBackward0")
    (step,) = [s for s in document["steps"] if s["kind"] == "node" and s["node"] == node]
    (norm,) = [
        i["s"]
        for i in items
        if i["t"] == "text" and f"n{node}" in i.get("k", []) and "gradient" in i["c"].split()
    ]
    assert float(norm) == pytest.approx(step["grads_in"][0]["norm"], rel=6e-3)


def test_functions_and_expressions_are_rows_where_there_are_no_modules() -> None:
    names = names_of(drawn(documents()["recurrent"]))
    assert names.count("cell()") == 9
    document = model(12)
    key = next(i["o"] for i in drawn(document) if i["t"] == "group" and "blocks[0]" in i.get("label", ""))
    assert "tanh" in names_of(drawn(document, toggled=[key]))


def test_what_a_backward_pass_recorded_is_one_row() -> None:
    document = record("""
        x = jgrad.tensor([1.0, 2.0], requires_grad=True)
        f = (x ** 3).sum() + x.sin().prod() + (x * x).exp().sum()
        g, = jgrad.autograd.grad(f, x, create_graph=True)
        h, = jgrad.autograd.grad((g * x.detach()).sum(), x)
    """)
    items = drawn(document)
    names = names_of(items)
    assert names.count("backward 1") == 1
    assert names[-2:] == ["×", "Σ"]  # what the second pass starts from
    assert "from f" in words(items)
    key = next(i["o"] for i in items if i["t"] == "group" and "backward 1" in i.get("label", ""))
    assert len(names_of(drawn(document, toggled=[key]))) > len(names) + 5


def test_a_long_loop_folds() -> None:
    document = documents()["chain"]
    items = drawn(document)
    assert any("58 more like this" in s for s in names_of(items))
    assert len(names_of(items)) < 12


def test_a_model_of_300_layers_is_bounded() -> None:
    document = record("""
        from jgrad import nn
        net = nn.Sequential(*[m for i in range(150) for m in (nn.Linear(2, 2), nn.Sigmoid())])
        loss = net(jgrad.ones(1, 2)).sum()
        loss.backward()
    """)
    index = TraceIndex(document)
    for cursor in (0, len(document["steps"]) // 2, len(document["steps"])):
        from jgrad.views.graph import scene

        made = scene(Frame(index, cursor))
        assert made["height"] < 1200
        assert len(flat(made["items"])) < 900


@pytest.mark.parametrize("width", [340, 380, 600, 860, 1200])
def test_rows_keep_within_the_width(width: int) -> None:
    for document in (model(9, [1.0] * 8 + [1e-9]), documents()["chain"], documents()["recurrent"]):
        for item in drawn(document, width=width):
            if item["t"] == "text":
                assert extent(item)[0] + text_width(item) <= max(width, 560) + 1, item


def test_the_inside_of_a_layer_makes_no_product() -> None:
    """Of a Linear the weight's gradient comes from its transposition, which got another gradient than the layer."""
    document = record("""
        from jgrad import nn
        lin = nn.Linear(1, 1)
        (lin(jgrad.full((1, 1), 3.0)) * 2).sum().backward()
    """)
    products = [s for s in words(drawn(document)) if s.endswith("= ") and "×" in s]
    assert products == ["1. × 2. = ", "1. × 1. = "]


def test_an_argument_without_an_edge_is_not_mistaken_for_another() -> None:
    """`where` has no edge for its condition."""
    document = record("""
        x = jgrad.tensor([1.0, 2.0], requires_grad=True)
        y = x * 3
        big = x > 1
        jgrad.where(big, y, 0.0).sum().backward()
    """)
    plain = [i["s"] for i in drawn(document) if i["t"] == "text" and i["c"].split()[:2] == ["plain", "title"]]
    assert "y" not in plain
    assert "big" in plain


def test_of_a_long_chain_only_what_is_drawn_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph of 100,000 nodes took 5 seconds, and 1 second at each step, because each operation became a part with its edges."""
    document = record("""
        w = jgrad.tensor(0.5, requires_grad=True)
        y = jgrad.tensor(1.0)
        for i in range(900):
            y = y * w + 1
    """)
    built: list[int] = []
    make = uses.part_of

    def counted(index: TraceIndex, i: int) -> dict[str, Any]:
        built.append(i)
        return make(index, i)

    monkeypatch.setattr(uses, "part_of", counted)
    index = TraceIndex(document)
    for cursor in (None, 900, 901, 3):
        scene = graph(Frame(index, len(document["steps"]) if cursor is None else cursor))
        assert any("more like this" in row[0] for row in scene["table"]["rows"])
    assert 0 < len(built) < 200
    assert len(built) == len(set(built)), "what was built is kept for the next step"


def test_what_grad_returns_is_not_called_the_grad_of_the_leaf() -> None:
    """`autograd.grad()` changes no `.grad`."""
    t = trace(
        """
w = jgrad.tensor([1.0], requires_grad=True)
g, = jgrad.autograd.grad((w * 3).sum(), w)
"""
    )
    assert t.namespace["w"].grad is None
    said = [item["s"] for item in drawn(t.document) if item["t"] == "text"]
    assert "gradient =" in said
    assert not any(".grad =" in one for one in said)


def test_operations_whose_steps_were_not_kept_are_a_row_of_their_own() -> None:
    """They were part of the layer before them: "113 more like this" was said where 148 were."""
    document = trace(
        """
from jgrad import nn
net = nn.Sequential(*[nn.Sequential(nn.Linear(4, 4), nn.Tanh()) for _ in range(30)])
net(jgrad.ones(1, 4)).sum().backward()
""",
        max_steps=400,
    ).document
    dropped = sum(
        1
        for n in document["nodes"]
        if document["steps"][n["created_step"]]["kind"] == "gap" and n["variable"] is None
    )
    assert dropped > 6
    rows = views.scene(document, "graph")["table"]["rows"]
    assert [row[1] for row in rows if row[0].strip() == "steps not kept"] == [f"{dropped} operations"]
    layers = [row[0].strip() for row in rows[1:-1] if re.match(r"  \S", row[0])]
    gap = layers.index("steps not kept")
    numbers = [int(re.match(r"\[(\d+)", name)[1]) for name in layers if name != "steps not kept"]
    assert numbers == [*range(gap), *range(numbers[gap], 30)]
    assert 3 * (numbers[gap] - gap) <= dropped < 3 * (numbers[gap] - gap + 2)


def test_a_pass_that_needs_what_was_freed_is_not_told_of_versions() -> None:
    """The optimizer wrote to the weights that a node of an earlier round saved; but it is stopped because that node has run."""
    t = trace("""
w = jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
state = jgrad.ones(2, requires_grad=True) * 1
for i in range(3):
    state = state * w
    loss = state.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
""")
    assert "a second time" in str(t.error)
    assert sentence(frame_of(t.document, None)) == ""
