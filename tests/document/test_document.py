"""Trace documents: their bounds, how numbers are written, saving and loading, and the fixtures that others build on."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jgrad
from jgrad.trace import SCHEMA
from jgrad.tracing.document import values
from jgrad.tracing.document.document import LIMIT
from jgrad.tracing.document.packing import pack, unpack
from jgrad.tracing.record import contents
from tests.fixtures import rebuild
from tests.record.tracing import trace, valid

pytestmark = pytest.mark.quick

DOCUMENTS = sorted((Path(__file__).parent.parent / "fixtures" / "documents").glob("*.json"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.stem)
def test_fixtures_are_valid(path: Path) -> None:
    assert valid(jgrad.trace.load(path))


@pytest.mark.parametrize("name", rebuild.CELLS)
def test_fixtures_are_what_the_recorder_writes(name: str) -> None:
    assert json.loads((rebuild.FOLDER / f"{name}.json").read_text(encoding="utf-8")) == rebuild.document(name)


def test_no_fixture_is_left_over() -> None:
    assert {p.stem for p in DOCUMENTS} == set(rebuild.CELLS) == {p.stem for p in rebuild.PACKED.iterdir()}


@pytest.mark.parametrize("name", rebuild.CELLS)
def test_documents_are_packed_and_unpacked(name: str) -> None:
    stored = (rebuild.PACKED / f"{name}.json").read_text(encoding="utf-8").rstrip("\n")
    document = json.loads((rebuild.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert unpack(json.loads(stored)) == document
    assert pack(rebuild.document(name)) == stored
    assert unpack(json.loads(pack(document))) == document


@pytest.mark.parametrize("source", [
    "a1 = jgrad.tensor([1.5, -2.0, 1e-9, float('nan'), float('inf')], requires_grad=True)\nfor i in range(3):\n    (a1 * 1e10).sum().backward()",
    "d = {'007 ␂3␃ x': jgrad.ones(9, requires_grad=True) * 0.3}\n(d['007 ␂3␃ x'] ** 3).sum().backward()",
    "d = {'{\"\": {}}, {\"\":{}}\\n12\\x01 é3': jgrad.ones(2, requires_grad=True)}\nfor k in d:\n    (d[k] * 3).sum().backward()",
    "x = jgrad.rand(70, requires_grad=True)\nfor i in range(3):\n    (x.exp() / 7).mean().backward()",
    "x = jgrad.zeros(0, 3, requires_grad=True)\nx.sum().backward()\ny = jgrad.ones(2, dtype=jgrad.complex64) * 1j",
])  # fmt: skip
def test_packing_loses_nothing(source: str) -> None:
    document = trace(source).document
    assert unpack(json.loads(pack(document))) == document
    assert unpack(json.loads(pack(dict(document)))) == document


TEXTS = st.text('a1.5 é3␂␃\x01\n"\\\ud800{}[],', max_size=6)
ANYTHING = st.recursive(
    st.none() | st.booleans() | TEXTS | st.integers(-12, 12) | st.sampled_from([0.5, 1e16, -1e-7, 10**15, 10**20, -(10**15)]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b7", "w", "text"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
A_VALUE = st.builds(
    values.as_value,
    st.sampled_from([np.arange(3.0), np.ones((2, 2)) / 3, np.zeros(0), np.array(2), np.ones(100)]).map(contents.measure),
)  # fmt: skip
ROWS = st.lists(
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["op", "node"]), "text": TEXTS, "what": ANYTHING},
        optional={"grads_in": st.lists(st.none() | A_VALUE, max_size=2), "index_map": ANYTHING, "reads": st.lists(st.integers(-3, 99))},
    ),
    max_size=12,
)  # fmt: skip


@given(ROWS)
def test_whatever_rows_hold_is_unpacked_as_it_was(rows: list[dict[str, Any]]) -> None:
    document = {
        "schema": SCHEMA,
        "storages": [],
        "tensors": [{"what": row["what"]} for row in rows],
        "nodes": [],
        "steps": rows,
    }
    document["nodes"] = [{"formulas": {"v": "grad 5"}}]
    unpacked = unpack(json.loads(pack(document)))
    assert json.dumps(unpacked, sort_keys=True) == json.dumps(document, sort_keys=True)  # 1 is not True


@pytest.mark.slow
def test_a_loop_is_packed_small() -> None:
    """Each round of a training loop differs from the one before by its numbers alone."""
    round_ = "    h = (x @ w).tanh()\n    h.sum().backward()\n    with jgrad.no_grad():\n        w -= w.grad\n        w.grad = None"
    start = "x = jgrad.rand(3, 2)\nw = jgrad.rand(2, 1, requires_grad=True)\n"
    t = trace(f"{start}for i in range(1000):\n{round_}", max_steps=10_000)
    assert 9_900 < len(t.document["steps"]) <= 10_000
    packed = pack(t.document)
    assert len(packed) < 1_200_000
    assert unpack(json.loads(packed)) == t.document


@pytest.mark.parametrize("spoil", [
    lambda d: d["variants"][0].append(1), lambda d: d["steps"].append(10**6), lambda d: d.update(values=[]), lambda d: d.update(metas=3),
    lambda d: d["templates"].__setitem__(0, "{"), lambda d: d.pop("nodes"), lambda d: d["templates"].__setitem__(-1, "[]"),
])  # fmt: skip
def test_what_can_not_be_unpacked_is_refused(spoil: Callable[[dict], Any], tmp_path: Path) -> None:
    packed = json.loads(
        pack(trace("x = jgrad.ones(2, requires_grad=True)\n(x * 2).sum().backward()").document)
    )
    spoil(packed)
    (tmp_path / "t.json").write_text(json.dumps(packed))
    with pytest.raises(ValueError, match="is a broken trace document"):
        jgrad.trace.load(tmp_path / "t.json")


@pytest.mark.parametrize(("elements", "expected"), [
    ([1.0, 2.0], ["1.", "2."]),
    ([0.5, 2.0], ["0.5000", "2.0000"]),
    ([1e-5, 1.0], ["1.0000e-05", "1.0000e+00"]),
    ([1e9, 1.0], ["1.0000e+09", "1.0000e+00"]),
    ([float("nan"), float("inf"), -1.0], ["nan", "inf", "-1."]),
    ([float("nan")], ["nan"]),
    ([], []),
])  # fmt: skip
def test_numbers_are_written_as_pytorch_writes_them(elements: list[float], expected: list[str]) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch says what is right")
    assert contents.texts(elements, np.dtype(np.float32)) == expected
    inside = repr(torch.tensor(elements)).removeprefix("tensor([").removesuffix("])")
    assert [part.strip() for part in inside.split(",") if part.strip()] == expected


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64, np.bool_, np.complex64])
def test_values_told_together_say_what_each_says_alone(dtype: Any) -> None:
    random = np.random.default_rng(0)
    special = [0.0, -0.0, 1.0, -3.0, 0.5, 1e-5, 2e8, 1e4, 3e-3, np.nan, np.inf, -np.inf, 7e4]
    with np.errstate(all="ignore"):
        arrays = [random.choice(special, n).astype(dtype) for n in (1, 2, 5, 64) for _ in range(100)]
    raws = [raw for a in arrays if (raw := contents.measure(a)) is not None]
    together = [(values.value_of(raw), raw[1], raw[2]) for raw in raws]
    values.fill_texts(together)
    for (value, *_), a in zip(together, arrays, strict=True):
        assert value["elements"] == contents.texts(a.tolist(), a.dtype)
    writes: list[Any] = [
        ({}, a.dtype, a.tobytes(), b.tobytes()) for a, b in pairwise(arrays) if len(a) == len(b)
    ]
    values.fill_changed(writes)
    for write, kind, before, after in writes:
        places = contents.places_that_differ(np.frombuffer(before, kind), np.frombuffer(after, kind))
        assert write["changed_elements"] == places


@pytest.mark.parametrize("bits", [
    np.array([0x7FA00000, 0x7F800001, 0x3F800000], np.uint32).view(np.float32), np.array([0x7D00, 0x3C00], np.uint16).view(np.float16),
    np.array([0x7FF0000000000001, 0x3FF0000000000000], np.uint64).view(np.float64), np.array([0x7FA00000] * 2, np.uint32).view(np.complex64),
], ids=lambda a: a.dtype.name)  # fmt: skip
@pytest.mark.parametrize("times", [1, 100, 3000])
def test_signalling_nans_as_memory_may_hold_them(bits: Any, times: int) -> None:
    given = jgrad.from_numpy(np.tile(bits, times))
    source = (
        "y = x.detach()\ny[:] = 1\nz = jgrad.ones_like(x, requires_grad=True)\nz.view(-1).backward(given)"
    )
    with np.errstate(all="raise"):
        t = trace(source, {"x": jgrad.from_numpy(np.tile(bits, times)), "given": given})
        assert t.error is None
        assert t.document["steps"][-1]["kind"] == "accumulate"


def test_other_kinds_of_numbers() -> None:
    assert contents.texts([True, False], np.dtype(bool)) == ["True", "False"]
    assert contents.texts([-3, 4], np.dtype(np.int64)) == ["-3", "4"]
    assert contents.texts([1 + 2j, 0.5 - 1j], np.dtype(np.complex64)) == ["1.0000+2.j", "0.5000-1.j"]


def test_values_are_summarised() -> None:
    small = values.as_value(contents.measure(np.array([[3.0, 4.0]], np.float32)))
    assert small == {"shape": [1, 2], "dtype": "float32", "elements": ["3.", "4."], "norm": 5.0}
    spoilt = np.ones(100)
    spoilt[3], spoilt[4] = np.nan, np.inf
    value = values.as_value(contents.measure(spoilt))
    assert value is not None
    assert value["elements"] is None
    assert (value["nan_count"], value["inf_count"], value["norm"]) == (1, 1, None)
    large = values.as_value(contents.measure(np.full(20_000, 2.0, np.float32)))
    assert large is not None
    assert large["norm"] == pytest.approx(282.8427)
    assert "nan_count" not in large
    empty = values.as_value(contents.measure(np.zeros((0, 3))))
    assert empty is not None
    assert (empty["elements"], empty["norm"]) == ([], None)
    assert values.as_value(contents.measure(np.array([True]))) == {
        "shape": [1],
        "dtype": "bool",
        "elements": ["True"],
    }


def test_storages_keep_both_ends() -> None:
    t = trace("x = jgrad.arange(1000.)\nx.add_(1)\ny = jgrad.arange(10_000)\ny.add_(1)")
    x, y = t.document["storages"]
    assert x["contents"]["elements"][-1] == "999."
    assert (y["contents"]["head"], y["contents"]["tail"], y["nbytes"]) == (24, 24, 80_000)
    writes = [s["writes"][0] for s in t.document["steps"] if "writes" in s]
    assert [w["changed_elements"] for w in writes] == [None, None]
    assert writes[0]["contents"]["elements"][-1] == "1000."


@pytest.mark.slow
@pytest.mark.parametrize("source", [
    "x = jgrad.ones(64, requires_grad=True)\nfor i in range(2500):\n    y = (x * x).sum()\n    y.backward()",
    "x = jgrad.zeros(64)\nfor i in range(10_000):\n    x.add_(0.123456)",
    "i = jgrad.zeros(64, 64).long()\nx = jgrad.rand(64, 64)\nfor k in range(200):\n    x.scatter_(0, i, x.clone())",
    "x = jgrad.ones(1)\nxs = []\nfor k in range(9_998):\n    xs.append(x * k)",
])  # fmt: skip
def test_documents_are_bounded(source: str) -> None:
    t = trace(source, max_steps=10_000)
    assert len(pack(t.document)) <= LIMIT
    assert len(t.document["steps"]) > 400 or t.document["truncated"] is None


def test_a_cut_document_keeps_its_error() -> None:
    t = trace(
        "x = jgrad.zeros(64)\nfor i in range(9_000):\n    x.add_(0.123456)\nx.view(63)", max_steps=10_000
    )
    assert t.document["steps"][-1]["kind"] == "error"
    assert len(pack(t.document)) <= LIMIT


def test_long_texts_are_cut() -> None:
    t = trace(f"x = jgrad.ones(1); y = '{'a' * 3_000_000}'; z = x + 1\nraise ValueError('b' * 3_000_000)")
    assert len(json.dumps(t.document)) < 20_000
    assert t.document["steps"][1]["span"] is None


def test_text_that_is_no_unicode(tmp_path: Path) -> None:
    t = trace("x = jgrad.ones(1)\nd = {'\\ud800': x * 2}\nraise ValueError('\\ud800')")
    t.save(tmp_path / "trace.json")
    assert jgrad.trace.load(tmp_path / "trace.json") == t.document


def test_save_and_load(tmp_path: Path) -> None:
    t = trace("größe = jgrad.ones(2, requires_grad=True)\n(größe * 2).sum().backward()")
    t.save(tmp_path / "trace.json")
    assert jgrad.trace.load(tmp_path / "trace.json") == t.document


@pytest.mark.parametrize(("content", "message"), [
    ("nonsense", r"is not a trace document: it is not JSON"),
    ("[1, 2]", r'is not a trace document: it has no "schema"'),
    ('{"schema": "jgrad-trace/7"}', rf"is a trace document of schema 'jgrad-trace/7'; this jgrad reads '{SCHEMA}'"),
    (f'{{"schema": "{SCHEMA}", "name": "x"}}', r"is a broken trace document: source, storages, .* are missing or wrong"),
])  # fmt: skip
def test_foreign_documents_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=message) as caught:
        jgrad.trace.load(path)
    assert "\n" not in str(caught.value)


def traced_block() -> tuple[Any, Any]:
    # (pytest rewrites functions that assert to use locals(), and the variables of such functions are not looked at.)
    with jgrad.trace("mine", max_steps=3) as t:
        x = jgrad.ones(2)
        y = x * 2
    return t, y


def test_jgrad_trace_is_callable_and_holds_load() -> None:
    t, y = traced_block()
    assert t.document["name"] == "mine"
    assert t.document["source"] == ["x = jgrad.ones(2)", "y = x * 2"]
    assert [s["line"] for s in t.document["steps"]] == [1, 2]
    assert [s["span"] for s in t.document["steps"]] == [[1, 4, 1, 17], [2, 4, 2, 9]]
    assert [v["names"] for v in t.document["tensors"]] == [[[0, "x"]], [[1, "y"]]]
    assert repr(t) == "<jgrad.trace 'mine': 2 steps, 2 tensors, 2 storages>"
    assert y.tolist() == [2, 2]


def test_a_document_before_the_block() -> None:
    with pytest.raises(RuntimeError, match="no trace was recorded yet"):
        jgrad.trace().document  # noqa: B018


def test_a_block_that_raises_keeps_its_trace() -> None:
    t = jgrad.trace()
    w = jgrad.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable"), t:
        w.add_(1)
    assert [s["kind"] for s in t.document["steps"]] == ["error"]
    assert [n["code"] for n in t.document["notes"]] == ["leaf-inplace"]


def test_calls_out_of_the_block_are_at_the_line_that_called() -> None:
    def helper(x: Any) -> Any:
        return x * 2

    with jgrad.trace() as t:
        y = helper(jgrad.ones(1))
    assert [s["line"] for s in t.document["steps"]] == [1, 1]
    assert y.tolist() == [2]


def test_a_document_may_be_read_while_it_grows() -> None:
    with jgrad.trace() as t:
        x = jgrad.ones(1)
        before = len(t.document["steps"])
        x.add_(1)
        after = len(t.document["steps"])
    assert [before, after, len(t.document["steps"])] == [1, 2, 2]
    assert t.document is t.document


def in_a_stack() -> Any:
    with ExitStack() as stack:
        t = stack.enter_context(jgrad.trace())
        x = jgrad.ones(1)
        x.add_(1)
    return t


def test_a_block_entered_by_an_exit_stack() -> None:
    t = in_a_stack()
    assert t.document["source"][1:] == ["x = jgrad.ones(1)", "x.add_(1)"]
    assert [s["line"] for s in t.document["steps"]] == [2, 3]


def norm_of(array: np.ndarray) -> float:
    value = values.as_value(contents.measure(array))
    assert value is not None
    return value["norm"]


def test_the_norm_of_elements_seen_many_times() -> None:
    """The gradient of a sum is an expanded number, or row; its norm is that of all its elements."""
    shape = (200, 100)
    expanded = norm_of(np.broadcast_to(np.float32(2), shape))
    assert expanded == norm_of(np.full(shape, 2, np.float32)) == pytest.approx(2 * 20_000**0.5)
    row = np.arange(100.0)
    assert norm_of(np.broadcast_to(row, shape)) == norm_of(np.tile(row, (200, 1)))


def test_one_nan_among_many_is_seen_wherever_it_comes_by() -> None:
    t = trace("""
w = jgrad.ones(200_000, requires_grad=True)
y = w * 2
y.register_hook(lambda g: g.clone().index_fill(0, jgrad.tensor([150_001]), float("nan")))
(y * 3).sum().backward()
""")
    sent = [v for step in t.document["steps"] if step["kind"] == "node" for v in step["grads_out"] if v]
    assert ["nan_count" in v for v in sent] == [False, False, True]
    (last,) = [step["grad"]["after"] for step in t.document["steps"] if step["kind"] == "accumulate"]
    assert last["nan_count"] == 1
