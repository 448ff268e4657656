"""The training view: its figures are those of the same loop in PyTorch, what it says is true, and it stays small and quick to draw."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from jgrad import views
from jgrad.tracing.document.curves import Training, folded, stem_of
from jgrad.tracing.document.index import TraceIndex
from jgrad.views.drawing import scene_of
from jgrad.views.scene import Frame

from .documents import record
from .test_scenes import extent, flat

pytestmark = pytest.mark.quick

NET = """
        from jgrad import nn
        jgrad.manual_seed(0)
        X = jgrad.randn(32, 2)
        Y = (X[:, :1] * X[:, 1:] > 0).float()
        net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
"""
TRAINED = (
    NET
    + """
        optimizer = jgrad.optim.SGD(net.parameters(), lr=0.5, momentum=0.5)
        for i in range(40):
            x = X * float("nan") if i == 31 else X
            optimizer.zero_grad()
            loss = ((net(x) - Y) ** 2).mean()
            loss.backward()
            optimizer.step()
"""
)


@cache
def _recorded(program: str) -> str:
    return json.dumps(record(program))


LONG = """
        from jgrad import nn
        classifier_of_the_course = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
        optimizer = jgrad.optim.SGD(classifier_of_the_course.parameters(), lr=0.1)
        for i in range(4):
            optimizer.zero_grad()
            classifier_of_the_course(jgrad.ones(2)).sum().backward()
            optimizer.step()
"""


def recorded(program: str) -> dict[str, Any]:
    return json.loads(_recorded(program))


def notes(document: dict[str, Any]) -> str:
    return " ".join(views.scene(document, "training")["notes"])


def in_pytorch(program: str) -> list[dict[str, Any]]:
    """By round: the loss and the norms of gradient, update and value, by parameter."""
    torch = pytest.importorskip("torch")
    lines = [line[8:] for line in program.strip("\n").split("\n")]
    code = "\n".join(lines).replace("from jgrad import nn", "from torch import nn").replace("jgrad", "torch")
    found: list[dict[str, Any]] = []
    # The same random numbers: those of jgrad's generator are PyTorch's.
    namespace: dict[str, Any] = {"torch": torch}

    def look() -> None:
        net, before = namespace["net"], namespace["before"]
        row: dict[str, Any] = {"loss": namespace["loss"].item()}
        for name, p in net.named_parameters():
            at, what = name.split(".")
            figures = p.grad, p.detach() - before[name], p.detach()
            row[f"net[{at}].{what}"] = [figure.norm().item() for figure in figures]
        begin()
        found.append(row)

    def begin() -> None:
        namespace["before"] = {name: p.detach().clone() for name, p in namespace["net"].named_parameters()}

    namespace |= {"look": look, "begin": begin}
    code = re.sub(r"( +)optimizer\.step\(\)", r"\1optimizer.step()\n\1look()", code)
    exec(code.replace("optimizer = ", "begin()\noptimizer = "), namespace)
    return found


def near(found: float, expected: float) -> bool:
    if not math.isfinite(expected):
        return found != found if expected != expected else found == expected
    return abs(found - expected) <= 0.004 * abs(expected) + 1e-30


def test_figures_are_those_of_pytorch() -> None:
    document, expected = recorded(TRAINED), in_pytorch(TRAINED)
    training = Training(document)
    assert [row.name for row in training.rows] == [name for name in expected[0] if name != "loss"]
    for number, row_of in enumerate(expected):
        scene = views.scene(document, "training", 0, number)
        for row, cells in zip(training.rows, scene["table"]["rows"], strict=True):
            gradient, update, value = row_of[row.name]
            assert near(row.gradient_at(number), gradient), (row.name, number)
            assert near(row.value_at(number), value), (row.name, number)
            assert near(row.update_at(number), update), (row.name, number)
            for cell, figure in zip(cells[1:], (gradient, update, value), strict=False):
                if math.isfinite(figure):
                    assert float(cell) == pytest.approx(figure, rel=0.055)
                else:
                    assert cell == "nan"
        assert scene["caption"].startswith(f"round {number + 1} of 40, loss ")


def cells_of(scene: dict[str, Any]) -> dict[tuple[int, int], int]:
    """The shade of each cell of the heat map, by row and round."""
    axis = scene["axis"]
    outline = next(i for i in scene["items"] if i["t"] == "rect" and "outline" in i["c"])
    found = {}
    for item in scene["items"]:
        shade = re.search(r"heat gradient h(\d+)$", item.get("c", "")) if item["t"] == "path" else None
        if shade and "key" not in item["c"]:
            for x, y, w in re.findall(r"M (\S+) (\S+) h (\S+)", item["d"]):
                row = math.floor((float(y) - outline["y"]) / 20)
                for number in range(axis["total"]):
                    middle = axis["x"] + axis["w"] * (number + 0.5) / axis["total"]
                    if float(x) <= middle < float(x) + float(w):
                        found[row, number] = int(shade[1])
    return found


def test_shades_stand_for_the_norms() -> None:
    document, expected = recorded(TRAINED), in_pytorch(TRAINED)
    cells = cells_of(views.scene(document, "training"))
    names = [name for name in expected[0] if name != "loss"]
    sizes = {
        (r, n): math.log10(expected[n][name][0])
        for r, name in enumerate(names)
        for n in range(40)
        if math.isfinite(expected[n][name][0])
    }
    assert set(cells) == set(sizes), "cells that are nan have no shade"
    pairs = sorted((size, cells[place]) for place, size in sizes.items())
    shades = [shade for _, shade in pairs]
    assert len(set(shades)) > 3
    # A darker cell has a larger norm; what two digits can't tell apart may have either shade.
    for (size, shade), (larger, darker) in pairwise(pairs):
        assert darker >= shade or larger - size < 0.005
    hatched = [i for i in scene_items(document) if i["t"] == "rect" and "nan" in i["c"].split()]
    axis = views.scene(document, "training")["axis"]
    assert any(abs(i["x"] - (axis["x"] + axis["w"] * 31 / 40)) <= 1 for i in hatched)


def scene_items(document: dict[str, Any]) -> list[dict[str, Any]]:
    return flat(views.scene(document, "training")["items"])


def test_a_slow_loss_is_a_line_and_a_drop_is_a_drop() -> None:
    document = recorded("""
        w = jgrad.tensor(0.0, requires_grad=True)
        for i in range(200):
            w.grad = None
            loss = w * 0 + (0.7 - 0.0004 * i if i < 150 else 0.4)
            loss.backward()
    """)
    [line] = [i for i in scene_items(document) if i.get("label") == "loss"]
    corners = [(float(x), float(y)) for x, y in re.findall(r"[ML] (\S+) (\S+)", line["d"])]
    slopes = [(y - before[1]) / (x - before[0]) for before, (x, y) in pairwise(corners)]
    *slow, last, drop, end = slopes
    # Figures have two to three digits. A slow loss has some 15 different ones here, which are no stairs.
    assert all(0 < slope < 1 for slope in slow)
    # It drops within one round, and from there on it stays.
    assert (last, end) == (0, 0)
    assert drop > 10


def test_nan_is_said_with_its_round_and_origin() -> None:
    said = notes(recorded(TRAINED))
    assert "The loss is nan from round 32 on. All weights were finite before it" in said
    assert "the forward pass of round 32" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("x = X", "The loss falls from"),
        ("if i > 7: optimizer.param_groups[0]['lr'] = 0.0", "The loss"),
        ("loss_scale = 1", "usual is about 0.001"),
    ],
)
def test_a_loop_without_a_fault_gets_no_warning(change: str, said: str) -> None:
    program = TRAINED.replace(
        'x = X * float("nan") if i == 31 else X', f"x = X; {change}" if "if" not in change else "x = X"
    )
    document = recorded(program)
    assert said in notes(document)
    assert all(n["severity"] == "info" for n in document["rounds"]["noticed"])


def test_a_vanished_layer_is_framed_and_named() -> None:
    program = """
        from jgrad import nn
        jgrad.manual_seed(0)
        net = nn.Sequential(*[layer for k in range(12) for layer in (nn.Linear(4, 4), nn.Sigmoid())], nn.Linear(4, 1))
        optimizer = jgrad.optim.SGD(net.parameters(), lr=0.0001)
        for i in range(30):
            optimizer.zero_grad()
            loss = net(jgrad.ones(3, 4)).pow(2).mean()
            loss.backward()
            optimizer.step()
    """
    document = recorded(program)
    (band,) = document["rounds"]["vanished"]
    training = Training(document)
    for number in range(band["rounds"][0] - 1, band["rounds"][1]):
        sizes = {place: row.gradient_at(number) for row in training.rows for place in row.places}
        assert all(sizes[place] < 1e-5 * max(sizes.values()) for place in band["parameters"])
        outside = [size for place, size in sizes.items() if place not in band["parameters"]]
        assert max(outside) == max(sizes.values())
    items = scene_items(document)
    assert any("unused error" in i.get("c", "") for i in items)
    assert any(i.get("s", "").startswith("vanished") for i in items)
    assert "of the largest gradient, that of [24]" in notes(document)


def test_what_each_round_makes_anew_needs_no_optimizer() -> None:
    """The input of a gradient penalty requires grad, and is not to learn."""
    program = """
        net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 8), jgrad.nn.Tanh(), jgrad.nn.Linear(8, 1))
        optimizer = jgrad.optim.SGD(net.parameters(), lr=0.01)
        for i in range(20):
            x = jgrad.randn(4, 2).requires_grad_()
            (slope,) = jgrad.autograd.grad(net(x).sum(), x, create_graph=True)
            loss = (slope.norm(dim=1) - 1).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    """
    assert "no optimizer has" not in notes(recorded(program))


def test_a_parameter_that_no_optimizer_has() -> None:
    program = TRAINED.replace("net.parameters()", "[*net[0].parameters(), *net[4].parameters()]").replace(
        ' * float("nan") if i == 31 else X', ""
    )
    document = recorded(program)
    assert "[2].weight and [2].bias require grad, but no optimizer has them." in notes(document)
    assert "no round changes the values" not in notes(document)
    said = [i.get("s", "") for i in scene_items(document)]
    assert said.count("no optimizer") == 2


def test_a_frozen_parameter_has_no_gradient() -> None:
    program = TRAINED.replace("optimizer =", "net[2].requires_grad_(False)\n        optimizer =")
    document = recorded(program)
    assert "[2].weight and [2].bias have no gradient in any round" in notes(document)
    assert any(i.get("label") == "no gradient" for i in scene_items(document))


def test_a_loop_in_a_function_with_epochs_and_batches() -> None:
    program = (
        NET
        + """
        def train(model, epochs):
            optimizer = jgrad.optim.SGD(model.parameters(), lr=0.1)
            for _ in range(epochs):
                for batch in range(4):
                    optimizer.zero_grad()
                    loss = ((model(X[batch * 8 : batch * 8 + 8]) - Y[batch * 8 : batch * 8 + 8]) ** 2).mean()
                    loss.backward()
                    optimizer.step()
        train(net, 6)
"""
    )
    document = recorded(program)
    scene = views.scene(document, "training")
    assert scene["axis"]["total"] == 24
    assert [row[0] for row in scene["table"]["rows"]] == [
        f"net[{i}].{w}" for i in (0, 2, 4) for w in ("weight", "bias")
    ]


def test_two_optimizers_have_one_round_and_a_loss_each() -> None:
    program = """
        from jgrad import nn
        jgrad.manual_seed(0)
        G, D = nn.Linear(2, 1), nn.Linear(1, 1)
        g, d = jgrad.optim.Adam(G.parameters(), lr=0.01), jgrad.optim.Adam(D.parameters(), lr=0.01)
        for i in range(25):
            z = jgrad.randn(8, 2)
            d.zero_grad()
            (nn.functional.softplus(D(G(z).detach())).mean() + nn.functional.softplus(-D(jgrad.randn(8, 1) + 2)).mean()).backward()
            d.step()
            g.zero_grad()
            nn.functional.softplus(-D(G(z))).mean().backward()
            g.step()
    """
    document = recorded(program)
    scene = views.scene(document, "training")
    assert scene["axis"]["total"] == 25
    names = [i["s"] for i in flat(scene["items"]) if i["t"] == "text" and i["s"][0] in "━┅"]
    assert names == ["━ line 8", "┅ line 11"]  # at the ends of their curves


def test_a_curve_is_called_what_its_loss_is_called() -> None:
    program = """
        a, b = jgrad.nn.Linear(2, 1), jgrad.nn.Linear(2, 1)
        for i in range(6):
            for p in [*a.parameters(), *b.parameters()]:
                p.grad = None
            d_loss, g_loss = a(jgrad.ones(1, 2)).sum(), b(jgrad.ones(1, 2)).sum()
            d_loss.backward()
            g_loss.backward()
    """
    assert Training(recorded(program)).called == ["d_loss", "g_loss"]


def test_the_round_of_the_cursor_and_back() -> None:
    document = recorded(TRAINED)
    training = Training(document)
    for number, begin, end in document["rounds"]["kept"]:
        assert training.round_of(end) == number - 1
        assert training.round_of(begin + 1) == number - 1
        assert training.cursor_of(number - 1) == end
    scene = views.scene(document, "training", 0, 7)
    assert scene["axis"]["at"] == 7
    assert any(i.get("s") == "round 8" for i in flat(scene["items"]))
    chip = next(i for i in flat(scene["items"]) if i.get("c", "").startswith("chip open"))
    assert chip["k"] == [f"p{training.steps_of(7)[0] + 1}"]


def test_a_round_that_was_not_kept_says_how_to_keep_it() -> None:
    program = """
        w = jgrad.ones(3, requires_grad=True)
        optimizer = jgrad.optim.SGD([w], lr=0.001)
        for i in range(3000):
            optimizer.zero_grad()
            loss = (w * w).sum()
            loss.backward()
            optimizer.step()
    """
    document = recorded(program)
    scene = views.scene(document, "training", 0, 1499)
    assert any(i.get("s") == "%%trace --rounds 1499:1501 keeps them" for i in flat(scene["items"]))
    assert not any("chip open" in i.get("c", "") for i in flat(scene["items"]))
    gap = document["steps"][scene["axis"]["cursor"] - 1]
    assert gap["kind"] == "gap"
    assert gap["gap"]["rounds"][0] <= 1500 <= gap["gap"]["rounds"][1]
    assert views.scene(document, "training")["axis"]["at"] == 2999


MANY = """
        parameters = [jgrad.ones(2, requires_grad=True) for i in range(%d)]
        optimizer = jgrad.optim.SGD(parameters, lr=0.01)
        for i in range(6):
            optimizer.zero_grad()
            loss = jgrad.stack(parameters).square().sum()
            loss.backward()
            optimizer.step()
"""
DEEP = """
        from jgrad import nn
        net = nn.Sequential(*[nn.Sequential(nn.Linear(2, 2), nn.LayerNorm(2)) for k in range(60)])
        optimizer = jgrad.optim.SGD(net.parameters(), lr=0.01)
        for i in range(5):
            optimizer.zero_grad()
            net(jgrad.ones(3, 2)).pow(2).mean().backward()
            optimizer.step()
"""


def noisy(document: dict[str, Any], rounds: int, bin: int) -> dict[str, Any]:
    """The same parameters with many more rounds, whose figures jump over all shades."""
    import base64

    import numpy as np

    rng = np.random.default_rng(0)
    found = document["rounds"]
    found["total"], found["bin"], found["kept"], found["remarkable"] = rounds, bin, [], []
    rows = -(-rounds // bin) * (1 if bin == 1 else 3)
    for series in [*found["losses"], *found["parameters"]]:
        for what in ("figures", "gradient", "update", "value"):
            if what in series:
                codes = (np.exp(rng.normal(0, 9, rows)).astype("<f4").view("<u4") >> 16).astype("<u2")
                series[what] = base64.b64encode(codes.tobytes()).decode()
    return document


@pytest.mark.slow
@pytest.mark.one_in(8)
@pytest.mark.parametrize("program", [MANY % 30, MANY % 200, DEEP, TRAINED], ids=["30", "200", "deep", "net"])
@pytest.mark.parametrize(("rounds", "bin"), [(0, 0), (20_000, 1), (1_000_000, 256)])
def test_large_runs_make_small_scenes(program: str, rounds: int, bin: int) -> None:
    document = recorded(program)
    if rounds:
        document = noisy(document, rounds, bin)
    index = TraceIndex(document)
    for width in (340, 600, 860, 1200):
        scene = scene_of(Frame(index, 0, width), "training")
        assert len(json.dumps(scene)) < 250_000
        assert len(flat(scene["items"])) <= 1200
        assert scene["height"] <= 1600
        assert scene["width"] <= width


HOSTILE = ["x" * 500, "<b>&\"'", "\u202eabc", "e\u0301" * 40, "", "[", "..", "a.", "\n\t", "漢字" * 60]


def test_hostile_names() -> None:
    document = recorded(TRAINED)
    for name, parameter in zip(HOSTILE, document["rounds"]["parameters"], strict=False):
        parameter["name"] = name
    for width in (340, 860):
        scene = views.scene(document, "training", width=width)
        assert scene["width"] <= width
        assert views.svg(document, "training")


def test_names_are_folded_by_module() -> None:
    names = [
        f"net.layers[{i}].{part}.{what}"
        for i in range(12)
        for part in ("mlp", "attention")
        for what in ("weight", "bias")
    ]
    assert list(dict.fromkeys(folded(names))) == [
        f"net.layers[{i}].{part}" for i in range(12) for part in ("mlp", "attention")
    ]
    assert stem_of(names) == "net.layers"
    assert stem_of(["a", "b"]) == stem_of(["a.b"]) == stem_of(["ab", "abc"]) == ""
    assert folded(["w", "v"]) == ["w", "v"]


def test_the_head_of_the_names_never_runs_into_that_of_the_gradients() -> None:
    document = recorded(LONG)
    heads = 0
    for width in (340, 360, 380, 420, 500):
        items = flat(views.scene(document, "training", width=width)["items"])
        found = {i["s"]: extent(i) for i in items if i["t"] == "text"}
        ends = [place[2] for said, place in found.items() if said.startswith("in ")]
        assert all(end < found["gradient"][0] for end in ends)
        heads += len(ends)
    assert heads


def opened(document: dict[str, Any], *names: str) -> dict[str, Any]:
    """The scene after a reader has opened the rows with these names, one after the other."""
    keys: list[str] = []
    for name in names:
        scene = views.scene(document, "training", toggled=keys)
        keys.append(next(i["o"] for i in scene["items"] if "o" in i and i["label"].startswith(name + ":")))
    return views.scene(document, "training", toggled=keys)


@pytest.mark.slow
def test_modules_are_opened_and_closed() -> None:
    document = recorded(DEEP)
    closed = views.scene(document, "training")
    names = [row[0] for row in closed["table"]["rows"]]
    assert len(names) == 25
    assert names[-1] == "36 more"
    inside = opened(document, names[0])
    children = [f"{names[0]}[{at}].{what}" for at in (0, 1) for what in ("weight", "bias")]
    assert [row[0] for row in inside["table"]["rows"]] == [names[0], *children, *names[1:]]
    assert inside["height"] == closed["height"] + 4 * 20
    # Nothing is out of reach: what is too much for one view is a row, and that row opens.
    more = [row[0] for row in opened(document, "36 more", "12 more")["table"]["rows"]]
    assert {name for name in more if "more" not in name} == {f"net[{i}]" for i in range(60)}
    deepest = opened(document, "36 more", "12 more", more[-1])
    assert deepest["table"]["rows"][-1][0] == f"{more[-1]}[1].bias"
    for width in (340, 860):
        assert views.scene(document, "training", width=width)["width"] <= width
    many = opened(recorded(MANY % 200), "176 more")  # the items of one list, which no module has
    assert [row[0] for row in many["table"]["rows"]][-2:] == ["parameters[198]", "152 more"]


def test_the_norm_of_a_module_is_that_of_its_parameters() -> None:
    document = recorded(DEEP)
    training = Training(document)
    row = training.rows[0]
    assert row.count > 1
    parts = [
        Training(
            {
                **document,
                "rounds": {**document["rounds"], "parameters": [document["rounds"]["parameters"][i]]},
            }
        ).rows[0]
        for i in row.places
    ]
    assert row.gradient_at(2) == pytest.approx(math.sqrt(sum(part.gradient_at(2) ** 2 for part in parts)))


def test_a_change_of_the_learning_rate_is_marked_and_said() -> None:
    program = TRAINED.replace(
        "            loss.backward()",
        "            if i == 14: optimizer.param_groups[0]['lr'] = 8.0\n            loss.backward()",
    )
    document = recorded(program)
    scene = views.scene(document, "training")
    (mark,) = [i for i in flat(scene["items"]) if i["t"] == "text" and i["s"].startswith("rate ")]
    assert mark["s"] == "rate 8"
    assert mark["label"] == "round 15: the learning rate is 8 from here on"
    index = TraceIndex(document)
    assert scene_of(Frame(index, len(index.steps)), "training", 13)["caption"].endswith(", rate 0.5")
    assert scene_of(Frame(index, len(index.steps)), "training", 14)["caption"].endswith(", rate 8")
