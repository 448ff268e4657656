"""The arithmetic under the pictures, against NumPy and against jgrad itself."""

from __future__ import annotations

import importlib
import itertools
import json
import math
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jgrad
from jgrad import views
from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.loops import folded, loops_of
from jgrad.tracing.document.numbers import number
from jgrad.tracing.record import recorder
from jgrad.views.geometry import index_text, indexes
from jgrad.views.indexed import rule
from jgrad.views.rows import lanes_of
from jgrad.views.scene import Frame, brief, clip, clip_name, columns_of, r1, wrap
from jgrad.views.timeline import _wrapped

from .documents import documents, record
from .test_scenes import flat

pytestmark = pytest.mark.quick

small = st.integers(0, 3)


@given(st.lists(st.tuples(st.integers(0, 3), small), max_size=3), small, st.integers(0, 20))
def test_the_index_at_an_element_is_where_the_tensor_reads_it(dims: list, offset: int, element: int) -> None:
    tensor = {"shape": [n for n, _ in dims], "stride": [s for _, s in dims], "storage_offset": offset}
    true = [
        index
        for index in itertools.product(*[range(n) for n, _ in dims])
        if offset + sum(i * s for i, (_, s) in zip(index, dims, strict=True)) == element
    ]
    found = indexes(tensor, element)
    starred = {
        tuple(-1 if s == 0 and n > 1 else i for i, (n, s) in zip(index, dims, strict=True)) for index in true
    }
    assert {tuple(i) for i in found} <= starred
    assert len(found) == min(len(starred), 9)
    assert (index_text(tensor, found) == "") == (not true)


def test_marks_of_kinds_of_views() -> None:
    def marks(shape: list[int], stride: list[int], offset: int = 0) -> list[str]:
        return [
            index_text(t := {"shape": shape, "stride": stride, "storage_offset": offset}, indexes(t, e))
            for e in range(6)
        ]

    assert marks([6], [1]) == ["0", "1", "2", "3", "4", "5"]
    assert marks([2], [1], 1) == ["", "0", "1", "", "", ""]
    assert marks([3, 2], [1, 3]) == ["0,0", "1,0", "2,0", "0,1", "1,1", "2,1"]
    assert marks([6, 2], [1, 0]) == ["0,*", "1,*", "2,*", "3,*", "4,*", "5,*"]
    assert marks([2, 3], [1, 1]) == ["0,0", "×2", "×2", "1,2", "", ""]
    assert marks([], [], 2) == ["", "", "·", "", "", ""]
    assert marks([1, 1, 2, 3], [6, 6, 3, 1]) == ["#0", "#1", "#2", "#3", "#4", "#5"]
    assert (
        index_text({"shape": [1000, 1000], "stride": [1, 1000], "storage_offset": 0}, [[999, 998]])
        == "999,998"
    )


short = st.text("ab", max_size=3)


def repeated(body: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Loops over a body, with something around them."""
    return st.builds(lambda a, b, n, c: a + b * n + c, short, body, st.integers(1, 7), short)


@given(repeated(repeated(short)), st.data())
def test_what_folds_is_what_repeats(signs: str, data: st.DataObject) -> None:
    least = data.draw(st.integers(1, 6))
    focus = data.draw(st.integers(-1, max(len(signs) - 1, 0)))
    ends = data.draw(st.booleans())
    units = folded(loops_of(list(signs), least), 0, len(signs), [focus], ends)
    assert [0, *[b for _, b, _ in units]] == [*[a for a, _, _ in units], len(signs)], "no gap, no overlap"
    for a, b, loop in units:
        if loop is None:
            assert b == a + 1
        else:
            period = loop["period"]
            assert not a <= focus < b, "where one looks nothing is hidden"
            assert (b - a) % period == 0
            assert signs[a:b] == signs[a - period : a] * ((b - a) // period)
            assert (loop["times"] - 2) * period >= least


def test_loops_within_loops_fold() -> None:
    (outer,) = loops_of(list("x" + ("abc" * 9 + "d") * 5), 4)
    assert (outer["begin"], outer["period"], outer["times"]) == (1, 28, 5)
    assert [(i["begin"], i["period"], i["times"]) for i in outer["inner"]] == [(0, 3, 9)]
    assert loops_of(list("abcabcabcd"), 4) == [], "what hides little stays"
    units = folded([outer], 0, 141, [1 + 28 + 4])
    # x, the first epoch, the second with its first two times; then what is left of it, its d, and the last three epochs.
    assert [b - a for a, b, _ in units] == [1, 1, 1, 1, 24, 1, *[1] * 6, 21, 1, 84]


class Counted(list):
    """A list that counts how many of its elements are read."""

    read = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.read += len(found) if isinstance(at, slice) else 1
        return found


@pytest.mark.parametrize(
    "signs",
    [
        [str(n) for n in random.Random(0).choices(range(3), k=4000)],
        ["odd" + str(i // 31) if i % 31 == 30 else str(i % 20) for i in range(4000)],
    ],
    ids=["nothing repeats", "it nearly repeats"],
)
def test_what_does_not_repeat_is_read_few_times(signs: list[str]) -> None:
    counted = Counted(signs)
    assert loops_of(counted, 20) == []
    assert counted.read < 64 * 9 * len(signs), "for each of 64 periods a few signs, not a piece of 256"


@given(st.lists(st.lists(st.integers(0, 30), max_size=3), min_size=1, max_size=14))
def test_no_two_edges_share_a_lane(used: list[list[int]]) -> None:
    keys = [str(i) for i in range(len(used))]
    uses = [sorted({str(m % i) for m in above}) if i else [] for i, above in enumerate(used)]
    lane_of, lanes = lanes_of(keys, uses)
    last = {int(m): i for i, above in enumerate(uses) for m in above}
    for i in range(len(keys)):
        assert 0 <= lane_of[keys[i]] < lanes
        for m, until in last.items():
            # The lane of m runs from its row down to the row that uses it last; nothing else stands in it.
            if m < i < until:
                assert lane_of[keys[m]] != lane_of[keys[i]]
    for m, n in itertools.combinations(last, 2):
        if lane_of[keys[m]] == lane_of[keys[n]]:
            a, b = sorted((m, n))
            assert last[a] <= b, "two edges in one lane at the same time"


INDEXED = """
r = y.scatter_(0, i, s)
r = x.scatter(1, i.T[:3], 5.0)
r = x.scatter_add(-2, k, s)
r = y.scatter_reduce_(0, k, s, "sum", include_self=False)
r = x.gather(1, k)
r = x.gather(-2, i)
r = lib.take_along_dim(x, k)
r = x.index_select(1, j)
r = y.index_add_(1, j, s[:, :3], alpha=2)
r = y.index_copy_(1, j, s[:, :3])
r = y.index_fill_(1, j, 3.0)
r = y.index_fill_(0, j, v.sum())
r = x.masked_select(m)
r = x.masked_select(m[0])
r = y.masked_scatter_(m, s)
r = y.masked_fill_(m, 3.0)
r = y.masked_fill_(m, v.sum())
r = y.put_(j, v)
r = y.put_(j, v, accumulate=True)
r = x.take(n)
r = x[n]
r = x[j, j]
r = x[:, j]
r = x[m]
r = x[m[:, 0]]
r = x[m[:, 0], n]
r = x[1:, [0, 1]]
r = x[j[:, None], j[:2]]
r = x.view(3, 2, 2)[n, :, j % 2]
r = x.view(3, 2, 2)[j.view(3, 1), 0, j % 2]
r = y; r[j] = v[0]
r = y; r[m] = 0.0
r = y; r[m] = s[m]
r = y; r[:, j] = s[:, :3]
r = y; r[:, j] = v
r = y.index_put_((j, j), v, accumulate=True)
r = lib.nn.functional.embedding(j, x)
r = x[0].index_select(0, j[0])
r = x[0, 0].scatter(0, j[1], v[0])
""".strip().split("\n")


@pytest.mark.parametrize("statement", INDEXED)
def test_moves_do_what_pytorch_does_forward_and_backward(statement: str) -> None:
    torch = pytest.importorskip("torch")
    program = f"""
        x = lib.arange(12.0).view(3, 4).requires_grad_()
        y = x * 1
        s = lib.arange(100.0, 112.0).view(3, 4).requires_grad_({"i, s" not in statement})
        v = lib.tensor([7.0, 8.0, 9.0], requires_grad=True)
        i, j, n = lib.tensor([[0, 2, 1, 0]]), lib.tensor([2, 0, 1]), lib.tensor([2, 0, -1])
        k, m = lib.tensor([[0, 2, 1, 0], [1, 2, 1, 1], [1, 0, 0, 0]]), lib.arange(12).view(3, 4) % 2 == 0
        {statement}
        weights = lib.arange(2.0, 2 + r.numel()).view(r.shape)
    """
    scope: dict[str, Any] = {"lib": torch}
    exec("\n".join([line.strip() for line in program.strip().split("\n")]), scope)
    document = record(program.replace("lib.", "jgrad.") + "    (r * weights).sum().backward()\n")
    maps = [step["index_map"] for step in document["steps"] if step.get("index_map")]
    forward = next(m for m in reversed(maps) if "forward_step" not in m)
    assert played(forward, forward["before"]) == pytest.approx(scope["r"].flatten().tolist())
    backward = next(m for m in maps if "forward_step" in m)
    gradients = scope["r"].grad_fn(scope["weights"])
    self, source = gradients if isinstance(gradients, tuple) else (gradients, None)
    true = (
        self
        if backward["target"]["name"] in ("grad_x", "grad_y", "grad_r", "grad_self")
        else source.sum_to_size(backward["target"]["shape"])
    )
    assert [number_of(t) for t in backward["target"]["elements"]] == true.flatten().tolist()
    if backward["moves"]:
        assert played(backward, None) == true.flatten().tolist()
    elif backward["before"]:
        assert [number_of(t) for t in backward["before"]["elements"]] == self.flatten().tolist()


def number_of(text: str) -> float:
    return float(text == "True" if text in ("True", "False") else text)


def played(m: dict[str, Any], before: dict[str, Any] | None) -> list[float]:
    """What the moves of an index map make of a target."""
    out = (
        [0.0] * len(m["target"]["elements"]) if before is None else [number_of(t) for t in before["elements"]]
    )
    factor = float(m["factor"].removesuffix(" * ") or 1)
    fresh = "without" in m["description"]
    values = {}
    for cell, source, target in m["moves"]:
        assert 0 <= cell < len(m["indices"][0]["elements"])
        value = number_of(m["source"]["elements"][source] if m["source"] else m["value"]) * factor
        start = 0.0 if fresh and target not in values else out[target]
        values[target] = out[target] = value + start if m["reduce"] == "sum" else value
    return out


def test_rules_say_what_pytorch_s_documentation_says() -> None:
    """The rules of torch.Tensor.scatter_, gather, index_add_ and index_select, with this library's letters, and the names of variables that are none
    of these letters."""
    expected = {
        "x.scatter(1, i, 5.0)": "result[i][index[i][j]] = value",
        "y.scatter_(0, i, s)": "y[index[i][j]][j] = s[i][j]",
        "x.scatter_add(-2, i, s)": "result[index[i][j]][j] += s[i][j]",
        "x.gather(1, i)": "out[i][j] = x[i][index[i][j]]",
        "x.index_select(1, j)": "out[i][j] = x[i][index[j]]",
        "y.index_add_(1, j, s[:, :3], alpha=2)": "y[i][index[j]] += 2 * source[i][j]",
        "x.take(j)": "out[i] = x.flatten()[j[i]]",
        "x[j, j]": "out[i] = x[j[i]][j[i]]",
        "x[:, j]": "out[i][j] = x[i][index[j]]",
        "x[x > 1]": "out = the cells of x where mask[i][j] is True, in reading order",
        "x.masked_fill(x[0] > 1, 0.)": "result[i][j] = value where mask[j] is True",
        "x.masked_fill(x[:, :1] > 1, 0.)": "result[i][j] = value where mask[i][0] is True",
        "x[:, :1].masked_fill(x > 1, 0.)": "result[i][j] = value where mask[i][j] is True",
        "x[:, x[0] > 1]": "out = the cells of x where mask[j] is True, in reading order",
        "y[:, x[0] < 2] = 5.0": "y[i][j] = values where mask[j] is True",
        "z = x[:, rows]": "z[i][j] = x[i][rows[j]]",
        "out = y + 1; z = out.gather(1, i)": "z[i][j] = out[i][index[i][j]]",
        "out = y + 1; out.gather(1, i)": "result[i][j] = out[i][index[i][j]]",
        "index = y + 1; z = index.gather(1, i)": "z[i][j] = self[i][index[i][j]]",
        "src = y + 1; z = src.scatter_(0, i, s)": "src[index[i][j]][j] = s[i][j]",
        "out = s + 1; y.scatter_(0, i, out)": "y[index[i][j]][j] = out[i][j]",
        "z = jgrad.take_along_dim(x, i, dim=0)": "z[i][j] = x[index[i][j]][j]",
    }
    for expression, said in expected.items():
        document = record(f"""
        x = jgrad.ones(3, 4); y = x * 1; s = x + 1
        i, j = jgrad.tensor([[0, 2, 1, 0]]), jgrad.tensor([2, 0, 1]); rows = jgrad.tensor([1])
        {expression}
        """)
        assert [s["index_map"]["rule"] for s in document["steps"] if s.get("index_map")] == [said]
    m = next(s["index_map"] for s in documents()["scatter"]["steps"] if s["op"] == "scatter_")
    values = dict(enumerate(m["source"]["elements"]))
    assert rule(m, m["moves"][3], values) == "out[index[0][3]][3] = src[0][3] = 4, at out[0][3]"


@pytest.mark.parametrize(
    ("expression", "op", "begins"),
    [
        ("jgrad.take_along_dim(x, jgrad.argsort(x, dim=1), dim=1)", "take_along_dim", "take_along_dim, by gather along dim 1;"),
        ("x.gather(1, index)", "gather", "gather along dim 1; each cell of out reads the cell of x that its index names"),
        ("x[x > 1]", "x[x > 1]", "x[x > 1]; out has the cells of x where the mask is True"),
        ("x[index[0]] = 5.0", "x[index[0]] = ...", "x[index[0]] = ...; no reduction"),
        ("x.masked_fill_(x > 1, 0.0)", "masked_fill_", "masked_fill_; no reduction"),
    ],
)  # fmt: skip
def test_a_map_says_what_the_code_called(expression: str, op: str, begins: str) -> None:
    document = record(f"""
        x = jgrad.ones(3, 4)
        index = jgrad.tensor([[0, 2, 1]])
        {expression}
        """)
    (m,) = [s["index_map"] for s in document["steps"] if s.get("index_map")]
    assert m["op"] == op
    assert m["description"].startswith(begins)


def test_a_large_map_is_a_window_that_says_so() -> None:
    document = documents()["window"]
    m = next(s["index_map"] for s in document["steps"] if s["op"] == "scatter_add")
    index = (np.arange(60000).reshape(200, 300) * 7919) % 200
    hits = np.zeros((200, 300), int)
    np.add.at(hits, (index, np.arange(300)[None]), 1)
    rows, columns = m["target"]["kept"]
    assert len(rows) <= 12
    assert len(columns) == 8
    assert m["target_counts"] == hits[np.ix_(rows, columns)].ravel().tolist()
    assert m["total_moves"] == 60000
    assert all(index.ravel()[cell] * 300 + cell % 300 == target for cell, _, target in m["moves"])
    collisions, untouched = int((hits > 1).sum()), int((hits == 0).sum())
    assert (
        f"60,000 writes, {collisions:,} collisions: combined by sum, {untouched:,} cells untouched"
        in m["summary"]
    )
    assert "36 moves of 60,000 drawn" in views.text(
        document,
        "scatter",
        document["steps"].index(next(s for s in document["steps"] if s["op"] == "scatter_add")) + 1,
    )
    assert len(json.dumps(document)) < 60_000


def test_what_was_not_counted_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "COUNTED_MOVES", 0)
    monkeypatch.setattr(recorder, "MAP_COUNTED", 0)
    document = record(
        """
        y = jgrad.zeros(100, 100).scatter_add(0, jgrad.zeros(100, 100, dtype=jgrad.int64), jgrad.ones(100, 100))
        z = y.take(jgrad.arange(5000))
    """
    )
    for cursor in (4, len(document["steps"])):
        text = views.text(document, "scatter", cursor)
        assert "too many to look for cells that meet" in text
        labels = [i.get("label", "") for i in flat(views.scene(document, "scatter", cursor)["items"])]
        assert not any("untouched" in label or "not used" in label for label in labels)


def test_a_picked_slice_is_drawn_alone() -> None:
    document = documents()["three-dimensions"]
    whole = views.scene(document, "scatter", 5)
    assert whole["choices"] == ["[0]", "[1]"]
    picked = views.scene(document, "scatter", 5, 1)
    labels = [
        i["label"]
        for i in flat(picked["items"])
        if i["t"] == "rect" and i.get("label", "").startswith("src[")
    ]
    assert len(labels) == 12
    assert all(label.startswith("src[1]") for label in labels)
    assert whole["table"] == picked["table"]


def test_a_frame_is_the_state_after_its_steps() -> None:
    d = documents()["sharing"]
    write = next(i for i, s in enumerate(d["steps"]) if s["kind"] == "write")
    w = d["steps"][write]["writes"][0]
    index = TraceIndex(d)
    before, after = Frame(index, write), Frame(index, write + 1)
    assert before.version(w["version_counter"]) == w["versions"][0]
    assert after.version(w["version_counter"]) == w["versions"][1]
    assert after.contents(w["storage"]) == w["contents"]
    assert before.contents(w["storage"]) != w["contents"]
    for change in d["steps"][write]["changes"]:
        assert after.state[change["tensor"]]["grad_fn"] == change["grad_fn"]
    assert Frame(TraceIndex(d), 0).tensors() == []


def test_the_graph_s_last_step_has_the_true_gradients() -> None:
    w = jgrad.tensor([1.0], requires_grad=True)
    y = (jgrad.tensor([2.0]) + w) * (w + 1)
    y.backward()
    first = w.grad.clone()
    text = views.text(documents()["paths"], "accumulation")
    assert f"[{first.item():.0f}.]" in text
    assert f"[{2 * first.item():.0f}.]" in text


def test_code_fits_however_deep_it_stands() -> None:
    for depth in (0, 4, 12, 40):
        for code in (
            "for w in weights:",
            "w -= 0.1 * w.grad",
            "loss = F.cross_entropy(scores(x, weights), y)",
        ):
            for room in (20, 26, 40):
                assert max(map(len, _wrapped(" " * depth + code, room))) <= room


@given(
    st.text()
    | st.from_regex(r"-?[0-9]+\.?[0-9]*(e[+-][0-9]+)?\Z")
    | st.from_regex(r"(old )?[a-z.\[\]0-9]+\Z"),
    st.integers(2, 40),
)
def test_clipped_and_wrapped_text_fits(s: str, n: int) -> None:
    assert columns_of(clip(s, n)) <= n
    assert columns_of(clip_name(s, n + 6)) <= n + 6
    assert all(columns_of(line) <= n for line in wrap(s, n))
    blanks = str.maketrans("", "", " \n\t")
    assert "".join(wrap(s, n)).translate(blanks) == s.translate(blanks)


@given(st.floats(0, 5000))
def test_coordinates_are_rounded_to_tenths(x: float) -> None:
    assert abs(r1(x) - x) <= 0.05 + 1e-9
    assert r1(r1(x)) == r1(x)


def test_numbers_and_values_in_few_columns() -> None:
    assert [number(x) for x in (0, 1.0, 0.5, 4.690416, 1234567, 0.0000123, -2.25, 99999.0)] == [
        "0", "1", "0.5", "4.69", "1.235e6", "1.230e-5", "-2.25", "99999",
    ]  # fmt: skip
    v = {"shape": [6], "dtype": "float32", "elements": ["1.", "3.", "3.", "1.", "1.", "1."], "norm": 4.69}
    assert brief(v, 40) == "[1., 3., 3., 1., 1., 1.]"
    assert brief(v, 14) == "[1., 3., …]"
    assert brief(v, 4) == "nor…"
    assert brief(v | {"elements": ["2."] * 6}, 8) == "all 2."
    assert brief(v | {"shape": [3, 2]}, 40) == "[[1., 3.], [3., 1.], [1., 1.]]"
    assert brief(v | {"elements": None}, 40) == "norm 4.69"
    assert brief({"shape": [], "dtype": "float32", "elements": ["7."]}, 40) == "7."
    assert brief({"shape": [0], "dtype": "float32", "elements": []}, 40) == "[]"
    assert brief(None, 40) == "None"


def test_a_write_to_a_part_has_its_backward() -> None:
    """What a write to x[1] sends back is described for that row, not of all of x."""
    with jgrad.trace() as t:
        x = jgrad.zeros(2, 4) * 1
        v = jgrad.tensor([1.0, 2.0], requires_grad=True)
        x[1][jgrad.tensor([0, 2])] = v * 2
        (x * jgrad.arange(8.0).view(2, 4)).sum().backward()
    (step,) = [s for s in t.document["steps"] if s["op"].endswith("CopySlices")]
    index = step["index_map"]
    assert index["rule"] == "grad_values[i] = grad[index[i]]"
    assert index["source"]["elements"] == ["4.", "5.", "6.", "7."]
    assert index["target"]["elements"] == ["4.", "6."]
    assert [move[1:] for move in index["moves"]] == [[0, 0], [2, 1]]


def test_of_a_number_the_size_is_kept_not_its_first_digits() -> None:
    assert clip("-5.7220e-06", 8) == "-5.72e-6"
    assert clip("-5.7220e-06", 7) == "-5.7e-6"
    assert clip("9007199254740993", 11) == "9.007e15"
    assert clip("-9.9999e+20", 6) == "-1e21"
    assert clip("-0.0000e+00", 7) == "0.000e0"
    assert clip("123456.5", 8) == "123456.5"
    assert clip("123.45678", 6) == "123.4…"
    assert clip("1.0000e-06", 3) == "1.…"
    assert clip("w * 1.0000e-06", 8) == "w * 1.0…"
    assert clip("1" * 400, 9) == "Infinity"


def test_of_a_name_both_ends_and_the_last_index_are_kept() -> None:
    assert clip_name("rnn.weight_hh_l0", 12) == "r…ight_hh_l0"
    assert clip_name("model[0].weight", 12) == "m…[0].weight"
    assert clip_name("encoder.layers[1].self_attn.in_proj_weight", 16) == "e…[1]…roj_weight"
    assert clip_name("old encoder.layers[1].weight", 16) == "old e…[1].weight"
    assert clip_name("old encoder.layers[12].weight", 9) == "old e…ght"
    assert clip_name("f(x, y).sum()", 8) == "f(x, y)…"
    assert clip_name("漢字漢字", 5) == "漢字…"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_nan_in_a_gradient_is_not_hidden_by_its_norm() -> None:
    """On the edges of the graph, and in the sentences of steps."""
    document = record("""
        x = jgrad.arange(9.).requires_grad_()
        y = (x * x).sqrt()
        y.sum().backward()
    """)
    pills = {
        i["s"]
        for i in flat(views.scene(document, "graph", len(document["steps"]))["items"])
        if i.get("s", "").startswith("‖")
    }
    assert {"‖inf‖", "‖nan‖"} <= pills
    lines = [s["text"] for s in document["steps"] if s["kind"] == "node"]
    assert lines[1].endswith("sent a gradient [9] of norm inf to MulBackward0; its saved tensors were freed")
    assert "of norm nan to x's AccumulateGrad" in lines[2]
    assert (
        brief({"shape": [9], "dtype": "float32", "elements": None, "norm": 2.0, "nan_count": 1}, 20)
        == "norm nan"
    )


def test_a_sum_that_a_hook_made_says_so() -> None:
    document = record("""
        w = jgrad.ones(1, requires_grad=True)
        w.register_hook(lambda g: g * 10)
        (w * 2).backward()
    """)
    lines = [i.get("s") for i in flat(views.scene(document, "accumulation", len(document["steps"]))["items"])]
    assert "+ [2.]" in lines
    assert "= [20.] by hook" in lines


def test_what_a_name_meant_before_is_called_old_in_views_and_sentences() -> None:
    document = record(
        """
        w = jgrad.tensor([1.0, 2.0], requires_grad=True)
        (w * 2).sum().backward()
        y = w * jgrad.ones(2, requires_grad=True)
        w = y + 1
        y.sum().backward()
        """
    )
    steps = document["steps"]
    f = Frame(TraceIndex(document), len(steps))
    leaf = next(t["id"] for t in document["tensors"] if t["names"][:1] == [[0, "w"]])
    assert f.label(leaf) == "old w"
    labels = {f.label(t["id"]) for t in f.tensors()}
    assert {"w", "old w.grad", "jgrad.ones(2, requires_grad=True).grad"} <= labels
    assert "w.grad" not in labels  # w is another now, and has none
    assert {s["text"].split(": ")[1].split(" ")[0] for s in steps if s["kind"] == "accumulate"} == {
        "w.grad",
        "old",
        "jgrad.ones(2,",
    }
    assert any(s["text"].startswith("line 5: old w.grad was [2., 2.], received [1., 1.]") for s in steps)
    for view in ("storage", "graph", "accumulation"):
        assert "old w" in views.text(document, view), view
        assert "old w" in views.svg(document, view), view


def test_what_a_name_meant_in_the_rounds_of_a_loop_is_counted() -> None:
    document = record(
        """
        w = jgrad.ones(2, requires_grad=True)
        hidden = jgrad.zeros(2)
        for _ in range(3):
            hidden = hidden * w
        hidden.sum().backward()
        """
    )
    table = views.text(document, "graph")
    assert all(f" {name} " in table for name in ("hidden 1", "hidden 2", "hidden 3"))
    assert "old hidden" not in table
    f = Frame(TraceIndex(document), len(document["steps"]))
    order = [f.label(t["id"]) for t in document["tensors"] if "hidden" in [name for _, name in t["names"]]]
    assert order == ["hidden 1", "hidden 2", "hidden 3", "hidden"]


def drawn(document: dict[str, Any], view: str, cursor: int | None = None) -> list[dict[str, Any]]:
    """All items of a view."""
    return flat(views.scene(document, view, cursor)["items"])


def words(items: list[dict[str, Any]], c: str = "") -> list[str]:
    """The texts whose classes begin so."""
    return [i["s"] for i in items if i["t"] == "text" and i["c"].startswith(c)]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(12, 60))
def test_a_value_that_is_cut_keeps_its_rows(shape: list[int], n: int) -> None:
    texts = [str(i) for i in range(math.prod(shape))]
    whole = str(np.arange(len(texts)).reshape(shape).tolist())
    said = brief({"shape": shape, "dtype": "int64", "elements": texts}, n)
    assert len(said) <= n
    if "…" in said:
        begun = said[: said.index("…")].removesuffix(", ")
        assert whole.startswith(begun)
        assert said.count("[") == said.count("]")
        assert whole[len(begun) :].startswith((", ", "]"))
    else:
        assert said == whole


def test_a_write_is_drawn_where_it_went_also_where_nobody_compared_the_elements() -> None:
    document = record("""
        big = jgrad.zeros(10000)
        some = [big[i : i + 9] for i in range(14)]
        column = big.view(100, 100)[:, 3]
        column += 1
    """)
    assert document["steps"][-1]["writes"][0]["changed_elements"] is None
    items = drawn(document, "storage")
    hit = [i["label"] for i in items if i["t"] == "rect" and i["c"] == "bar write now"]
    assert hit[0] == "storage 1, elements 0 to 99: mean 0.01, changed"
    assert len(hit) == 100, "a column has an element in each band"
    assert {"big", "column"} <= {row[1] for row in views.scene(document, "storage")["table"]["rows"]}


def test_memory_without_a_tensor_names_the_node_that_keeps_it_and_is_gone_afterwards() -> None:
    document = record("""
        w = jgrad.ones(3, requires_grad=True)
        x = jgrad.zeros(4)
        x[jgrad.tensor([0, 2, 2])] = w.exp() * 2
        y = x.sum()
        y.backward()
    """)
    at = next(i for i, s in enumerate(document["steps"]) if s["kind"] == "backward")
    kept = words(drawn(document, "storage", at), "note saved")
    assert "kept for backward by ExpBackward0" in kept
    rows = views.scene(document, "storage")["table"]["rows"]
    storages = {row[0] for row in rows}
    assert storages == {row[0] for row in rows if row[1]}  # each has a tensor


def test_five_paths_are_five_lines_and_a_hook_that_changes_nothing_made_nothing() -> None:
    document = record("""
        w = jgrad.ones(1, requires_grad=True)
        w.register_hook(lambda g: None)
        (w * 1 + w * 2 + w * 3 + w * 4 + w * 5).backward()
        v = jgrad.ones(1, requires_grad=True)
        v.register_hook(lambda g: None)
        (v * 3).backward()
    """)
    lines = words(drawn(document, "accumulation"), "gradient")
    assert {"+ [1.]", "+ [2.]", "+ [3.]", "+ [4.]", "+ [5.]"} <= set(lines)
    assert "= [3.]" in lines
    assert document["steps"][-1]["text"] == "line 6: v.grad is [3.]"


def test_empty_tensors_have_pytorch_s_strides() -> None:
    document = record("""
        a = jgrad.empty(0)
        b = jgrad.zeros(2, 0, 3)
        c = jgrad.ones(2)[:0]
    """)
    strides = {row[1]: row[3] for row in views.scene(document, "storage")["table"]["rows"]}
    a, b, c = jgrad.empty(0), jgrad.zeros(2, 0, 3), jgrad.ones(2)[:0]
    assert [strides[name] for name in "abc"] == ["(1,)", "(3, 3, 1)", "(1,)"]
    assert [t.stride() for t in (a, b, c)] == [(1,), (3, 3, 1), (1,)]


@pytest.mark.parametrize("file", ["storage", "textbook", "modules", "accumulation", "scatter"])
def test_a_legend_says_what_occurs_and_nothing_else(file: str) -> None:
    meanings = importlib.import_module(f"jgrad.views.{file}").LEGEND
    view = "graph" if file in ("textbook", "modules") else file
    seen = set()
    for document in documents().values():
        if view not in views.applicable(document):
            continue
        if view == "graph" and (views.scene(document, view)["table"]["columns"][0] == "module") != (
            file == "modules"
        ):
            continue
        items = drawn(document, view)
        said = [i.get(key, "") for i in items for key in ("c", "s")]
        for sign, meaning in meanings:
            # Its own mark in the legend begins so too.
            own = 0 if sign[0] in "#‖v" else 1
            occurs = sum(s.startswith(sign) for s in said) > own * (meaning in said)
            assert (meaning in said) == occurs, (sign, document["name"])
            seen.add(sign) if occurs else None
    assert {sign for sign, _ in meanings} - seen <= {
        "box error",
        "chip error",
        "dot error",
        "node error",
        "node write",
    }


def test_a_grad_is_coloured_as_one_whatever_a_variable_calls_it() -> None:
    document = record("""
        w = jgrad.ones(3, requires_grad=True)
        (w * 2).sum().backward()
        g = w.grad
        w = 0
    """)
    chips = {
        i["label"].split(" ")[0]: i["c"]
        for i in drawn(document, "storage")
        if i.get("c", "").startswith("chip") and "label" in i
    }
    assert chips["g"].startswith("chip gradient")


def test_where_a_view_lies_in_what_is_left_out_is_seen() -> None:
    document = record("""
        big = jgrad.arange(10000.0)
        middle = big[5000:5010]
        late = big[9000:]
        nothing = big[5:5]
        early = big[:2]
    """)
    bars = [i for i in drawn(document, "storage") if i["t"] == "rect" and i["c"] == "bar plain"]
    assert [i["label"] for i in bars] == [
        "middle is between elements 5,000 and 5,009 of storage 1",
        "late is between elements 9,000 and 9,999 of storage 1",
    ]
    frames = [i for i in drawn(document, "storage") if i.get("c") == "outline" and i["h"] == 10]
    middle, late = [((i["x"] - f["x"]) / f["w"], i["w"] / f["w"]) for i, f in zip(bars, frames, strict=True)]
    assert middle == pytest.approx((0.5, 3 / frames[0]["w"]), abs=0.01)
    assert late == pytest.approx((0.9, 0.1), abs=0.01)


def test_of_two_long_names_each_keeps_its_end() -> None:
    """The document has cut them in their middle, and their ends are where they differ."""
    a, b = "weight_abcdefghijkl…stuvwxyz", "weight_abcdefghijkl…tuvwxyz_view"
    assert clip_name(a, 16) == "weight_…stuvwxyz"
    assert clip_name(b, 16) == "weight_…xyz_view"
    for n in range(4, 40):
        assert columns_of(clip_name(b, n)) <= n


def test_what_is_said_below_a_slim_timeline_is_whole() -> None:
    program = "t = jgrad.zeros(3)\nfor i in range(900):\n    t[0] = i\n    t[1] = i"
    document = record("\n".join(8 * " " + line for line in program.split("\n")))
    assert document["truncated"]
    scene = views.scene(document, "timeline", width=240)
    said = [i["s"] for i in flat(scene["items"]) if i["t"] == "text"]
    assert "steps not kept" in " ".join(said)
    assert {"write", "not kept"} <= set(said)


def test_the_squares_of_a_short_trace_carry_words_and_need_no_legend() -> None:
    short, long = [
        [i["s"] for i in flat(views.scene(record(program), "timeline")["items"]) if i["t"] == "text"]
        for program in ("        t = jgrad.ones(2)\n" + times * "        t += 1\n" for times in (2, 30))
    ]
    assert short.count("write") == 2
    assert "w" not in short
    assert long.count("w") > 2
    assert long.count("write") == 1


def test_arrows_of_a_narrow_scatter_map_pass_beside_the_headings() -> None:
    document = record(
        "        out = jgrad.zeros(2, 3)\n        out.scatter_(0, jgrad.tensor([[1, 1, 0]]), jgrad.ones(1, 3))"
    )
    items = flat(views.scene(document, "scatter", width=400)["items"])
    ends = [
        i["x"] + columns_of(i["s"]) * 7.8
        for i in items
        if i["t"] == "text" and i["s"].startswith("out after")
    ]
    arrows = [i["d"] for i in items if i["t"] == "path" and "arrow" in i["c"]]
    assert len(arrows) == 3
    for arrow in arrows:
        assert float(re.search(r"H ?([0-9.]+)", arrow)[1]) >= ends[0]


def test_arrows_between_single_rows_go_straight_down_and_what_was_overwritten_is_struck() -> None:
    document = record(
        "        out = jgrad.zeros(5)\n        last = out.scatter(0, jgrad.tensor([0, 2, 0, 3, 0]), jgrad.arange(1., 6.))\n        x = out + 1"
    )
    for width in (400, 900):
        items = flat(views.scene(document, "scatter", width=width)["items"])
        arrows = [i["d"] for i in items if i["t"] == "path" and "arrow" in i["c"]]
        assert len(arrows) == 5
        assert all("H" not in arrow for arrow in arrows)
        struck = {i["s"] for i in items if i["t"] == "text" and "struck" in i["c"]}
        (made,) = (step["index_map"] for step in document["steps"] if "index_map" in step)
        stays = made["target"]["elements"][0]
        assert struck == {"1.", "3.", "5."} - {stays}


def test_the_map_at_the_end_is_that_of_the_headline() -> None:
    document = record(
        "        i = jgrad.tensor([0, 0])\n        a = jgrad.zeros(3).scatter(0, i, jgrad.ones(2))\n        b = jgrad.zeros(3).scatter_add(0, i, jgrad.ones(2))\n        c = b + 1"
    )
    assert document["diagnosis"]["code"] == "scatter-collision"
    said = views.scene(document, "scatter")["items"][0]
    assert said["s"] == "a[index[i]] = src[i]"
    assert views.scene(document, "scatter", len(document["steps"]) - 1)["items"][0]["s"] != said["s"]


def test_the_map_of_the_headline_stays_in_sight_beside_that_of_the_last_step() -> None:
    document = record(
        "        i = jgrad.tensor([0, 0])\n        a = jgrad.zeros(3).scatter(0, i, jgrad.ones(2))\n        b = jgrad.zeros(3).scatter_add(0, i, jgrad.ones(2))"
    )
    items = flat(views.scene(document, "scatter")["items"])
    rules = [i["s"] for i in items if i["t"] == "text" and "[index[i]]" in i["s"]]
    assert rules == ["a[index[i]] = src[i]", "b[index[i]] += src[i]"]
    # A view scrolls to what is marked so.
    marked = {
        k.split(":")[0] for i in items if "now" in i.get("c", "").split() for k in i["k"] if k[0] == "p"
    }
    assert marked == {f"p{document['diagnosis']['step'] + 1}"}


def test_what_an_earlier_cell_left_is_not_drawn() -> None:
    w = jgrad.tensor([1.0, 2.0], requires_grad=True)
    old = (w * 3).exp()
    with jgrad.trace() as t:
        v = jgrad.tensor([1.0, 2.0], requires_grad=True)
        with jgrad.no_grad():
            h = v * 2
    assert old.requires_grad
    assert h is not None
    graph = flat(views.scene(t.document, "graph")["items"])
    said = {i["s"] for i in graph if i["t"] == "text"}
    assert "v" in said
    assert "no_grad" in said
    assert "from before" not in said
    assert not any("ExpBackward0" in i.get("label", "") for i in graph)
    storage = {i["s"] for i in flat(views.scene(t.document, "storage")["items"]) if i["t"] == "text"}
    assert {"v", "h"} <= storage
    assert not {"w", "old"} & storage


def test_the_names_of_losses_stand_in_the_order_of_their_ends() -> None:
    w = jgrad.tensor([1.0], requires_grad=True)
    opt = jgrad.optim.SGD([w], lr=0.01)
    with jgrad.trace() as t:
        for _ in range(6):
            opt.zero_grad()
            big = (w * 3).square().sum()
            big.backward()
            small = (w * 0.1).square().sum()
            small.backward()
            opt.step()
    items = flat(views.scene(t.document, "training", width=900)["items"])
    y_of = {i["s"][2:]: i["y"] for i in items if i["t"] == "text" and i["s"][2:] in ("big", "small")}
    assert y_of["big"] < y_of["small"]


def test_a_step_that_a_note_names_is_never_hidden_in_a_slim_column() -> None:
    program = "x = jgrad.zeros(3)\ny = x / x\nfor i in range(40):\n    x[0] = i; y = x.exp(); y.add_(1); y = x / x; y = y.sin(); y = y.t()"
    document = record("\n".join(8 * " " + line for line in program.split("\n")))
    # Each of them is on a line with more steps than are drawn.
    line = document["steps"][-1]["line"]
    steps = [i for i, step in enumerate(document["steps"]) if step["line"] == line]
    for at in (steps[0], steps[1], steps[-30], steps[-1]):
        noted = {**document, "notes": [{**document["notes"][0], "step": at, "lines": [line]}]}
        for cursor in (0, len(document["steps"]) // 2, len(document["steps"])):
            items = flat(views.scene(noted, "timeline", cursor, width=240)["items"])
            assert f"p{at + 1}" in {key for i in items for key in i.get("k", [])}


def test_a_step_that_a_note_names_is_drawn_wherever_the_cursor_is() -> None:
    rng = random.Random(0)  # so that nothing repeats, which would fold
    lines = [
        f"v = w.{rng.choice(('exp', 'sin', 'cos', 'tanh', 'abs', 'neg', 'sqrt'))}() * {i}" for i in range(140)
    ]
    rest = "; ".join(f"{line}; u = v + {i}" for i, line in enumerate(lines))
    document = record(f"""
        w = jgrad.ones(2, requires_grad=True)
        (w * 1).sum().backward()
        (w * 1).sum().backward()
        {rest}
    """)
    (noted,) = {n["step"] for n in document["notes"]}
    scene = views.scene(document, "timeline")
    drawn = [
        i["label"] for i in flat(scene["items"]) if i.get("label", "").startswith(f"step {noted + 1:,},")
    ]
    assert len(drawn) == 1
    (before,) = [i["s"] for i in flat(scene["items"]) if i.get("s", "").endswith("steps before")]
    rows = [row for row in scene["table"]["rows"] if row[1].isdigit()]
    assert before == f"… {len(document['steps']) - len(rows):,} steps before"


def test_code_with_names_in_right_to_left_scripts_keeps_its_order() -> None:
    document = record("        משקל = jgrad.zeros(2)\n        משקל += 1")
    drawn = views.svg(document, "timeline")
    # A mark that nobody sees ends each such name, so that what follows it stays at its right.
    assert "משקל\u200e += 1" in drawn


def test_a_cell_that_ended_before_it_made_a_tensor_shows_no_older_graph() -> None:
    w = jgrad.ones(2, requires_grad=True)
    old = (w * 3).exp()
    t = jgrad.trace()
    with pytest.raises(ZeroDivisionError), t:
        1 / 0  # noqa: B018
    assert old.requires_grad
    assert not any("Exp" in i.get("label", "") for i in flat(views.scene(t.document, "graph")["items"]))
