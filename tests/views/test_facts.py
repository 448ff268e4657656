"""The arithmetic under the pictures, against NumPy and against jgrad itself."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jgrad
from jgrad import views
from jgrad.views.rows import key_of, lanes_of
from jgrad.views.scatter import family, general_rule, moves, rule
from jgrad.views.scene import Frame, brief, clip, columns_of, number, r1, wrap
from jgrad.views.storage import index_text, indexes

from .documents import documents, record

small = st.integers(0, 3)


@given(st.lists(st.tuples(st.integers(0, 3), small), max_size=3), small, st.integers(0, 20))
def test_the_index_at_an_element_is_where_the_tensor_reads_it(dims: list, offset: int, element: int) -> None:
    tensor = {"shape": [n for n, _ in dims], "stride": [s for _, s in dims], "offset": offset}
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
            index_text(t := {"shape": shape, "stride": stride, "offset": offset}, indexes(t, e))
            for e in range(6)
        ]

    assert marks([6], [1]) == ["0", "1", "2", "3", "4", "5"]
    assert marks([2], [1], 1) == ["", "0", "1", "", "", ""]
    assert marks([3, 2], [1, 3]) == ["0,0", "1,0", "2,0", "0,1", "1,1", "2,1"]
    assert marks([6, 2], [1, 0]) == ["0,*", "1,*", "2,*", "3,*", "4,*", "5,*"]
    assert marks([2, 3], [1, 1]) == ["0,0", "×2", "×2", "1,2", "", ""]
    assert marks([], [], 2) == ["", "", "·", "", "", ""]
    assert marks([1, 1, 2, 3], [6, 6, 3, 1]) == ["#0", "#1", "#2", "#3", "#4", "#5"]
    assert index_text({"shape": [1000, 1000], "stride": [1, 1000], "offset": 0}, [[999, 998]]) == "999,998"


@given(st.lists(st.lists(st.integers(0, 30), max_size=3), min_size=1, max_size=14), st.data())
def test_no_two_edges_share_a_lane(uses: list[list[int]], data: st.DataObject) -> None:
    rows = []
    for i, above in enumerate(uses):
        rows.append(
            {"kind": "node", "id": i, "nodes": [i], "next": sorted({m % i for m in above}) if i else []}
        )
    home = {r["id"]: key_of(r) for r in rows}
    begin = data.draw(st.integers(0, len(rows) - 1))
    end = data.draw(st.integers(begin + 1, len(rows)))
    lane_of, lanes = lanes_of(rows, home, begin, end)
    last = {}
    for r in rows[begin:end]:
        for m in r["next"]:
            last[m] = r["id"]
    for r in rows[begin:end]:
        assert 0 <= lane_of[key_of(r)] < lanes
        for m, until in last.items():
            # The lane of m runs from its row (or from above) down to the row that uses it last; nothing else stands in it.
            if m != r["id"] and max(m, begin - 1) < r["id"] < until:
                assert lane_of[home[m]] != lane_of[key_of(r)]
    for m, n in itertools.combinations(last, 2):
        if lane_of[home[m]] == lane_of[home[n]]:
            a, b = sorted((m, n))
            assert last[a] <= max(b, begin), "two edges in one lane at the same time"


@given(st.integers(1, 3), st.integers(1, 3), st.integers(0, 1), st.data())
def test_moves_do_what_the_operation_does(rows: int, columns: int, dim: int, data: st.DataObject) -> None:
    extent = 3
    shape = [rows, columns]
    target = [max(rows, extent), columns] if dim == 0 else [rows, max(columns, extent)]
    index = np.array(
        data.draw(st.lists(st.integers(0, target[dim] - 1), min_size=rows * columns, max_size=rows * columns))
    ).reshape(shape)
    source = np.arange(1, rows * columns + 1).reshape(shape)
    document = record(
        f"""
        out = jgrad.zeros({target[0]}, {target[1]}, dtype=jgrad.int64)
        out.scatter_({dim}, jgrad.tensor({index.tolist()}), jgrad.tensor({source.tolist()}))
    """
    )
    m = document["steps"][-1]["index"]
    out = np.zeros(target, int).ravel()
    for i, s, t in moves(m):
        assert str(index.ravel()[i]) == m["index"]["text"][i]
        out[t] = source.ravel()[s]
    assert [str(x) for x in out] == m["out"]["text"]


def torch_maps() -> list[tuple[dict[str, Any], Any]]:
    """Index maps of the whole family, as a recorder would write them, with what PyTorch makes of them."""
    torch = pytest.importorskip("torch")

    def grid(name: str, t: Any) -> dict[str, Any]:
        flat = t.reshape(-1).tolist()
        g = {"tensor": None, "name": name, "shape": list(t.shape), "text": [str(x) for x in flat]}
        return g | {"data": [int(x) for x in flat]} if name == "index" else g

    def m(op: str, dim: int | None, target: Any, index: Any, src: Any, out: Any) -> dict[str, Any]:
        source = None if src is None else grid("src", src)
        return {
            "op": op, "dim": dim, "reduce": None, "include_self": True, "self": grid("self", target), "index": grid("index", index),
            "src": source, "out": grid("out", out),
        }  # fmt: skip

    base = torch.arange(100, 112).view(3, 4)
    src = torch.arange(1, 13).view(3, 4)
    index = torch.tensor([[2, 0, 1, 1], [0, 1, 2, 0]])
    rows, places = torch.tensor([2, -3]), torch.tensor([[11, 0], [-5, 3]])
    mask = base % 3 == 0
    maps = [
        m("scatter_", 0, base, index, src, base.scatter(0, index, src)),
        m("scatter_", -1, base, index, None, base.scatter(-1, index, 7)),
        m("gather", 0, base, index, None, base.gather(0, index)),
        m("gather", -2, base, index, None, base.gather(-2, index)),
        m("take_along_dim", 0, base, index, None, base.take_along_dim(index, 0)),
        m("take_along_dim", None, base, places.view(-1), None, base.take_along_dim(places.view(-1) % 12)),
        m("index_select", 1, base, rows % 4, None, base.index_select(1, rows % 4)),
        m("index_copy_", 0, base, rows % 3, src[:2], base.index_copy(0, rows % 3, src[:2])),
        m("index_fill_", 1, base, rows % 4, None, base.index_fill(1, rows % 4, 7)),
        m("take", None, base, places, None, base.take(places)),
        m("put_", None, base, places, src[0], base.put(places, src[0].view(2, 2))),
        m("masked_select", None, base, mask, None, base.masked_select(mask)),
        m("masked_fill_", None, base, mask, None, base.masked_fill(mask, 7)),
        m("masked_scatter_", None, base, mask, src, base.masked_scatter(mask, src)),
        m(
            "scatter_",
            0,
            base[0, 0],
            torch.tensor(0),
            torch.tensor(5),
            base[0, 0].scatter(0, torch.tensor(0), torch.tensor(5)),
        ),
    ]
    return [(x, x["out"]["text"]) for x in maps]


@pytest.mark.parametrize("n", range(15))
def test_moves_of_the_whole_family_do_what_pytorch_does(n: int) -> None:
    m, true = torch_maps()[n]
    gathers = family(m["op"]) == "gather"
    out = [""] * len(true) if gathers else list(m["self"]["text"])
    for i, source, target in moves(m):
        assert 0 <= i < len(m["index"]["data"])
        out[target] = (
            m["self"]["text"][source] if gathers else "7" if source < 0 else m["src"]["text"][source]
        )
        said = rule(m, (i, source, target))
        assert said.startswith("out[" if gathers else "self"), said
    assert out == true
    assert general_rule(m)


def test_rules_say_what_pytorch_s_documentation_says() -> None:
    step = next(s for s in documents()["scatter"]["steps"] if s["op"] == "scatter_")
    m = step["index"]
    assert general_rule(m) == "self[index[i][j]][j] = src[i][j]"
    assert [rule(m, move) for move in moves(m)][3] == "self[index[0][3]][3] = src[0][3] = 4, at self[0][3]"
    assert general_rule(m | {"dim": 1, "reduce": "sum"}) == "self[i][index[i][j]] += src[i][j]"
    assert general_rule(m | {"op": "gather", "dim": 1}) == "out[i][j] = self[i][index[i][j]]"
    assert (
        general_rule(m | {"op": "index_add_", "dim": 0, "reduce": "sum"}) == "self[index[i]][j] += src[i][j]"
    )


def test_a_frame_is_the_state_after_its_steps() -> None:
    d = documents()["sharing"]
    write = next(i for i, s in enumerate(d["steps"]) if s["kind"] == "write")
    w = d["steps"][write]["writes"][0]
    before, after = Frame(d, write), Frame(d, write + 1)
    assert before.versions[w["counter"]] == w["versions"][0]
    assert after.versions[w["counter"]] == w["versions"][1]
    assert after.cells[w["storage"]] == w["cells"]
    assert before.cells[w["storage"]] != w["cells"]
    for change in d["steps"][write]["changes"]:
        assert after.state[change["tensor"]]["node"] == change["node"]
    assert Frame(d, 0).tensors() == []


def test_the_graph_s_last_step_has_the_true_gradients() -> None:
    w = jgrad.tensor([1.0], requires_grad=True)
    y = (jgrad.tensor([2.0]) + w) * (w + 1)
    y.backward()
    first = w.grad.clone()
    text = views.text(documents()["paths"], "accumulation")
    assert f"[{first.item():.0f}.]" in text
    assert f"[{2 * first.item():.0f}.]" in text


@given(st.text(), st.integers(2, 40))
def test_clipped_and_wrapped_text_fits(s: str, n: int) -> None:
    assert columns_of(clip(s, n)) <= n
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
    v = {"shape": [6], "dtype": "float32", "text": ["1.", "3.", "3.", "1.", "1.", "1."], "norm": 4.69}
    assert brief(v, 40) == "[1., 3., 3., 1., 1., 1.]"
    assert brief(v, 14) == "[1., 3., …]"
    assert brief(v, 4) == "nor…"
    assert brief(v | {"text": ["2."] * 6}, 8) == "2. ×6"
    assert brief(v | {"shape": [3, 2]}, 40) == "[[1., 3.], [3., 1.], [1., 1.]]"
    assert brief(v | {"text": None}, 40) == "norm 4.69"
    assert brief({"shape": [], "dtype": "float32", "text": ["7."]}, 40) == "7."
    assert brief({"shape": [0], "dtype": "float32", "text": []}, 40) == "[]"
    assert brief(None, 40) == "None"
