"""The storage map: what it draws agrees with the tensors, also in random programs; copies, bands, and what is near a step."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad import views
from jgrad.tracing.document.bfloat16 import codes, figure
from jgrad.tracing.document.index import living
from jgrad.views import storage
from jgrad.views.copies import differ, relation_of
from jgrad.views.drawing import frame_of
from jgrad.views.drawing import scene as scene_of
from jgrad.views.geometry import covers, place_of, rule_of, unravel
from jgrad.views.holding import holding_of
from tests.record.tracing import trace

from .documents import documents, record
from .test_scenes import flat

pytestmark = pytest.mark.quick


def drawn(document: dict[str, Any], cursor: int | None = None, **more: Any) -> list[dict[str, Any]]:
    return flat(scene_of(document, "storage", cursor, **more)["items"])


def words(items: list[dict[str, Any]]) -> list[str]:
    return [i["s"] for i in items if i["t"] == "text"]


STATEMENTS = [
    "{n} = {a}.clone()", "{n} = {a}[1:]", "{n} = {a}.t()", "{n} = {a}[:, :1]", "{n} = {a}[0]", "{n} = {a}.detach()", "{n} = {a}.data",
    "{n} = {a}.reshape(-1)", "{n} = {a}.contiguous()", "{n} = {a}.expand(2, *{a}.shape)", "{n} = {a}.float()", "{n} = {a} * 2",
    "{n} = jgrad.arange(6.0).view(2, 3)", "{n} = {a}.unfold(0, 2, 1)", "{a}.add_(1)", "{a}.fill_({i})", "{a}.view(-1)[0] = {i}",
    "{n} = {a}.as_strided((3, 2), (1, 1))", "{n} = {a}.unsqueeze(0)",
]  # fmt: skip


def program(seed: int) -> str:
    """A random program of views, copies and writes. What PyTorch refuses is skipped when it runs."""
    choose = random.Random(seed)
    lines = ["x0 = jgrad.arange(12.0).view(3, 4)"]
    for i in range(1, 14):
        statement = choose.choice(STATEMENTS).format(
            n=f"x{i}", a=f"x{choose.randrange(max(i - 5, 0), i)}", i=i
        )
        name = statement.split(" = ")[0] if statement.startswith("x") and " = " in statement else ""
        keep = f"{name} = x{i - 1}" if name == f"x{i}" else "pass"
        lines += ["try:", f"    {statement}", "except (RuntimeError, IndexError):", f"    {keep}"]
        lines.append(f"try: x{i}\nexcept NameError: x{i} = x{i - 1}")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_drawn_agrees_with_the_tensors(seed: int) -> None:
    t = trace(program(seed))
    document = t.document
    everything = 0
    for choice in range(max(len(scene_of(document, "storage").get("choices", [])), 1)):
        scene = scene_of(document, "storage", choice=choice)
        values = {}
        for item in flat(scene["items"]):
            if item["t"] == "rect" and item["c"].startswith("box") and " is " in item.get("label", ""):
                values[(int(item["k"][0][1:]), item["label"].split(" is ")[0].split("[")[-1])] = item
        for number in {key[0] for key in values}:
            row = document["tensors"][number]
            named = [n for since, n in row["names"] if n]
            tensor = t.namespace.get(named[-1]) if named else None
            if tensor is None or tensor.data_ptr() is None or list(tensor.shape) != row["shape"]:
                continue
            for (which, index), item in values.items():
                if which == number and tensor.dim() and item["label"].startswith(named[-1] + "["):
                    at = tuple(int(i) for i in index.rstrip("]").split(", "))
                    text = item["label"].split(" is ")[1].split(",")[0]
                    assert float(text) == pytest.approx(tensor[at].item(), abs=1e-3), (named, at)
                    everything += 1
    assert everything > 5


@pytest.mark.parametrize("seed", range(12))
def test_the_differences_of_copies_are_true(seed: int) -> None:
    t = trace(program(seed))
    for row in views.scene(t.document, "storage")["table"]["rows"]:
        relation = row[6]
        if not relation.startswith("a copy of ") or row[1] not in t.namespace:
            continue
        source = relation.removeprefix("a copy of ").split(", by ")[0]
        if source not in t.namespace:
            continue
        mine, theirs = t.namespace[row[1]].flatten().tolist(), t.namespace[source].flatten().tolist()
        if "holds the same as" in relation:
            assert mine == theirs, (row, program(seed))
        if "differs from" in relation:
            assert mine != theirs, (row, program(seed))


def test_a_copy_says_of_what_it_is_one_and_where_it_differs() -> None:
    document = record("""
        a = jgrad.arange(6).view(2, 3)
        turned = a.t()
        copied = a.clone()
        laid = turned.reshape(6)
        half = a.to(jgrad.float16)
        a[:, 1][0] = 10
    """)
    answers = " ".join(words(drawn(document))).replace("  ", " ")
    assert "a copy of a, by clone() in line 3" in answers
    assert "differs from a since line 6: [0, 1] is 1, in a it is 10" in answers
    assert "a copy of turned, by reshape() in line 4, since its elements don't lie in this order" in answers
    assert "differs from turned since line 6: [2] is 1, in turned [1, 0] is 10" in answers
    assert "a copy of a, by to() in line 5, as float16" in answers
    before = " ".join(words(drawn(document, len(document["steps"]) - 2)))
    assert "holds the same as a" in before
    assert "differs" not in before


def test_a_parameter_is_made_by_no_detach() -> None:
    """Parameter() detaches what it is given. The user wrote no detach, but for the last tensor."""
    source = "p = jgrad.nn.Parameter(jgrad.ones(2))\nnet = jgrad.nn.Linear(2, 1, bias=False)\nd = p.detach()"
    frame = frame_of(trace(source).document, None)
    named = {t["names"][-1][1]: t for t in frame.index.tensors if t["names"]}
    relations = {name: relation_of(frame, t) for name, t in named.items()}
    assert relations == {"p": "made by Parameter()", "net.weight": "made by Parameter()", "d": "detach of p"}


def test_printed_numbers_differ_only_if_they_certainly_do() -> None:
    for a, b in [
        ("1.", "1.0000"),
        ("0.0012", "1.2346e-03"),
        ("nan", "nan"),
        ("1.+2.j", "1.0000+2.0000j"),
        ("1", "1."),
    ]:
        assert not differ(a, b), (a, b)
    for a, b in [
        ("1.", "2."),
        ("0.0012", "0.0014"),
        ("nan", "1."),
        ("inf", "-inf"),
        ("1.+2.j", "1.+3.j"),
        ("True", "False"),
    ]:
        assert differ(a, b), (a, b)


def test_a_write_is_seen_in_all_that_share_the_memory() -> None:
    document = record("""
        a = jgrad.arange(6).view(2, 3)
        column = a[:, 1]
        turned = a.t()
        column[0] = 10
    """)
    items = drawn(document)
    hot = [
        i["label"]
        for i in items
        if i["t"] == "rect" and i["c"] == "box write now" and "element" in i.get("label", "")
    ]
    assert hot == [
        "storage 1, element 1: 10, it was 1", "a[0, 1] is 10, element 1 of storage 1, it was 1",
        "column[0] is 10, element 1 of storage 1, it was 1", "turned[1, 0] is 10, element 1 of storage 1, it was 1",
    ]  # fmt: skip
    assert [i["s"] for i in items if i.get("c") == "mono muted struck"] == ["1"]
    curves = [i for i in items if i["t"] == "path" and i["c"] == "edge write"]
    assert len(curves) == 3
    assert len(drawn(document, width=380)) == len(items), "on a phone too"
    assert "[i, j]" in words(items)
    assert "3·i + j" in words(items)
    assert "1 + 3·i" in words(items)


def test_what_is_there_once_is_dashed_when_it_is_seen_again() -> None:
    document = record("""
        row = jgrad.ones(2).expand(3, 2)
        windows = jgrad.arange(4).unfold(0, 2, 1)
    """)
    boxes = [
        i
        for i in drawn(document)
        if i["t"] == "rect" and i["c"] in ("box", "box unused") and " is " in i.get("label", "")
    ]
    dashed = [i["label"].split(" is")[0] for i in boxes if i["c"] == "box unused"]
    assert sorted(dashed) == [
        "row[1, 0]",
        "row[1, 1]",
        "row[2, 0]",
        "row[2, 1]",
        "windows[1, 0]",
        "windows[2, 0]",
    ]


@pytest.mark.parametrize("n", [65, 100, 101, 250, 1023, 1024, 5000, 100_000])
def test_bands_are_means(n: int) -> None:
    document = record(f"""
        x = jgrad.sin(jgrad.arange({n}) * 0.01)
    """)
    bands = document["storages"][-1]["contents"]["bands"]
    x = np.sin(np.arange(n, dtype=np.float32) * np.float32(0.01))
    size = bands["size"]
    assert size == math.ceil(n / 100)
    assert bands["step"] == 1
    means = [x[i : i + size].mean() for i in range(0, n, size)]
    assert [figure(c) for c in codes(bands["means"])] == pytest.approx(means, rel=0.005, abs=1e-6)
    assert float(bands["least"]) == pytest.approx(x.min(), abs=1e-4)
    assert float(bands["largest"]) == pytest.approx(x.max(), abs=1e-4)


def test_bands_say_what_is_no_number_and_change_with_a_write() -> None:
    document = record("""
        x = jgrad.zeros(100_000)
        x[77] = float("nan")
        x[-1] = float("-inf")
        x[50_000] = 5
        big = jgrad.full((70_000,), 3e38)
    """)
    end = drawn(document)
    assert "nan or inf in 2 bands" in words(end)
    assert len([i for i in end if i.get("c") == "hatch error"]) == 2
    writes = [k for k, s in enumerate(document["steps"]) if s.get("writes")]
    changed = [[i["label"] for i in drawn(document, k + 1) if i.get("c") == "bar write now"] for k in writes]
    assert [label for (label,) in changed] == [
        "storage 1, elements 0 to 999: mean not finite, changed",
        "storage 1, elements 99,000 to 99,999: mean not finite, changed",
        "storage 1, elements 50,000 to 50,999: mean 0.005, changed",
    ]
    big = document["storages"][-1]["contents"]["bands"]
    assert all(math.isfinite(figure(c)) for c in codes(big["means"])), "the sum overflows, the mean does not"


def test_of_very_large_storages_a_sample_is_read_and_that_is_said() -> None:
    document = record("""
        x = jgrad.ones(40_000_000, dtype=jgrad.int8)
    """)
    bands = document["storages"][0]["contents"]["bands"]
    assert bands["step"] > 1
    assert all(math.gcd(bands["step"], p) == 1 for p in (2, 3, 5, 7))
    assert [figure(c) for c in codes(bands["means"])] == [1.0] * 100
    answers = words(drawn(document))
    assert any(f"of its {bands['size']:,} elements" in s for s in answers)


def test_only_what_is_near_is_shown_and_the_rest_can_be_opened() -> None:
    document = documents()["many"]
    scene = scene_of(document, "storage")
    hidden = [s for s in words(flat(scene["items"])) if s.startswith("+")]
    assert len(hidden) == 1
    assert hidden[0].endswith("more storages, not touched near this step")
    assert scene["unchosen"] == "near this step"
    found = set()
    for choice in range(len(scene["choices"])):
        page = scene_of(document, "storage", choice=choice)
        found |= {row[0] for row in page["table"]["rows"]}
    living = {f"storage {s['id'] + 1}" for s in document["storages"] if s["freed_step"] is None}
    assert found >= living


@pytest.mark.parametrize(
    ("shape", "stride", "offset"),
    [([2, 3], [3, 1], 0), ([3, 2], [1, 3], 0), ([4], [-1], 3), ([2, 2], [0, 1], 1)],
)
def test_the_rule_is_that_of_numpy(shape: list[int], stride: list[int], offset: int) -> None:
    t: Any = {"shape": shape, "stride": stride, "storage_offset": offset}
    memory = np.arange(10)
    view = np.lib.stride_tricks.as_strided(memory[offset:], shape, [s * 8 for s in stride])
    index, said = rule_of(t)
    python = said.replace("·", "*").replace("−", "-")
    for k in range(math.prod(shape)):
        at = unravel(k, shape)
        letters = dict(zip("ijkl", at, strict=False))
        assert eval(python, {}, letters) == place_of(t, at) == view[tuple(at)], index


def test_covers() -> None:
    def whole(shape: list[int], stride: list[int], numel: int) -> bool:
        return covers({"shape": shape, "stride": stride, "storage_offset": 0}, numel)  # type: ignore[typeddict-item]

    assert whole([2, 3], [3, 1], 6)
    assert whole([3, 2], [1, 3], 6)
    assert whole([3, 2], [0, 1], 2)
    assert not whole([2, 2], [3, 1], 6)
    assert not whole([3, 2], [1, 1], 4)
    assert jgrad.arange(6).view(2, 3).t().is_contiguous() is False


def test_only_storages_that_are_drawn_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph keeps a storage for each of 300 operations."""
    with jgrad.trace() as t:
        w = jgrad.ones(2, requires_grad=True)
        y = w
        for _ in range(300):
            y = y.exp()
    made = []
    panel = storage.Panel
    monkeypatch.setattr(storage, "Panel", lambda *given: made.append(given) or panel(*given))
    scene = scene_of(t.document, "storage")
    assert len(made) <= storage.STORAGES
    left = 301 - len(made)
    assert f"+{left} more storages, not touched near this step" in words(flat(scene["items"]))


@pytest.mark.parametrize(
    "program", ["y.sum().backward()", "y.sum().backward(retain_graph=True)", "del y", "w.mul_(2); y = w"]
)
def test_what_the_graph_keeps_is_what_can_be_reached(program: str) -> None:
    """At each step, against a walk from all tensors that exist."""
    document = trace(
        f"w = jgrad.ones(2, requires_grad=True).clone()\ny = w\nfor i in range(3):\n    y = (y * w).exp()\nz = y.detach()\n{program}"
    ).document
    for cursor in range(len(document["steps"]) + 1):
        f = frame_of(document, cursor)
        stack = [t["grad_fn"] for t in f.tensors() if t["grad_fn"] is not None]
        if f.step is not None and f.step.get("node") is not None:
            stack.append(f.step["node"])
        reached = set()
        while stack:
            n = stack.pop()
            if n not in reached:
                reached.add(n)
                stack.extend(m for m, _ in document["nodes"][n]["next_functions"] if m is not None)
        kept = {
            (s["tensor"], s["version"])
            for n in (document["nodes"][n] for n in sorted(reached, reverse=True))
            if n["created_step"] < cursor and (n["freed_step"] is None or cursor <= n["freed_step"])
            for s in n["saved"]
            if s["tensor"] is not None
        }
        holding = holding_of(f.index)
        for tensor in document["tensors"]:
            version = holding.saved(tensor["id"], cursor)
            versions = {v for t, v in kept if t == tensor["id"]}
            assert version in versions if versions else version is None, (cursor, tensor["id"])


@pytest.mark.parametrize(
    "name", ["function", "checkpoint", "in-place", "kept-history", "sharing", "second-order"]
)
def test_the_storages_in_use_are_those_with_a_tensor_or_a_node_that_keeps_one(name: str) -> None:
    """They are found once for all steps."""
    document = documents()[name]
    for cursor in range(len(document["steps"]) + 1):
        f = frame_of(document, cursor)
        holding = holding_of(f.index)
        with_tensors = {t["storage"] for t in f.tensors()}
        expected = [
            s for s in living(f.index.storage_lives, cursor) if s in with_tensors or holding.keeper(f, s) >= 0
        ]
        assert holding.storages(cursor) == expected, cursor
