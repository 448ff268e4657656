"""Text, SVG and the scene tell the same; hostile names stay text; what is no trace document is refused."""

from __future__ import annotations

import contextlib
import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from jgrad import views
from jgrad.views.scene import columns_of
from tests.fixtures.golden import rebuild as golden

from .documents import NAMES, documents
from .test_scenes import cursors, extent, flat

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert("1")</script>&amp;\x1b[31m\x00\ud800'


def words(s: str) -> set[str]:
    return {w for w in s.replace("…", " ").split() if len(w) < 20}


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", NAMES)
def test_text_fits_a_terminal_and_says_all_of_the_table(name: str) -> None:
    document = documents()[name]
    for view in views.VIEWS:
        for cursor in cursors(document):
            scene = views.scene(document, view, cursor)
            lines = views.text(document, view, cursor).split("\n")
            assert all(columns_of(line) <= 110 for line in lines)
            assert lines[0] == scene["title"]
            said = words(" ".join(lines))
            for row in scene["table"]["rows"][:150]:
                for cell in row:
                    assert words(cell) <= said, (view, cursor, cell)


@pytest.mark.parametrize("name", NAMES)
def test_svg_is_xml_with_all_the_texts_of_the_scene(name: str) -> None:
    document = documents()[name]
    for view in views.VIEWS:
        for cursor in (0, len(document["steps"]) // 2, len(document["steps"])):
            scene = views.scene(document, view, cursor)
            root = ET.fromstring(views.svg(document, view, cursor))
            drawn = {"".join(e.itertext()) if len(e) == 0 else e.text for e in root.iter(f"{SVG}text")}
            assert {i["s"] for i in flat(scene["items"]) if i["t"] == "text"} <= drawn
            titles = {e.text for e in root.iter(f"{SVG}title")}
            assert {i["label"] for i in flat(scene["items"]) if i.get("label")} <= titles
            assert root.find(f"{SVG}desc").text == scene["caption"]
            rights = [extent(i)[2] for i in flat(scene["items"]) if i["t"] == "text"]
            assert max(rights) <= float(root.get("width"))
            shapes = sum(1 for e in root.iter() if e.tag in (f"{SVG}rect", f"{SVG}path"))
            assert shapes == 1 + sum(i["t"] in ("rect", "path") for i in flat(scene["items"]))


def test_the_three_forms_tell_of_the_gradient_and_its_parts() -> None:
    document = documents()["paths"]
    for form in (views.text, views.svg, lambda *a: json.dumps(views.scene(*a))):
        assert "10." in form(document, "accumulation")
        assert "backward 2" in form(document, "accumulation")
        assert "AddBackward0" in form(document, "graph")
        assert "w.grad" in form(document, "storage")


def hostile() -> dict[str, Any]:
    """A document in which every text a user can choose is an attack."""
    document = documents()["sharing"]
    document["name"] = HOSTILE
    document["source"] = [line + HOSTILE for line in document["source"]]
    for t in document["tensors"]:
        t["names"] = [[since, n and n + HOSTILE] for since, n in t["names"]]
    for s in document["steps"]:
        s["text"] += HOSTILE
    for s in document["storages"]:
        s["contents"]["elements"] = [t + HOSTILE for t in s["contents"]["elements"]]
    for n in document["nodes"]:
        n["name"] += HOSTILE
        n["formulas"] = {k + HOSTILE: v + HOSTILE for k, v in n["formulas"].items()}
    document["notes"] = [
        {"step": 0, "code": HOSTILE, "severity": "error", "text": HOSTILE, "tensors": [], "lines": [1]}
    ]
    return document


@pytest.mark.parametrize("view", views.VIEWS)
def test_hostile_names_stay_text(view: str) -> None:
    document = hostile()
    for cursor in cursors(document):
        root = ET.fromstring(views.svg(document, view, cursor).encode())
        assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {
            "svg", "title", "desc", "style", "rect", "path", "text", "g",
        }  # fmt: skip
        assert all(not a.startswith("on") for e in root.iter() for a in e.attrib)
        text = views.text(document, view, cursor)
        assert "\x1b" not in text
        assert "\x00" not in text
        text.encode()


def test_hostile_names_in_the_twin() -> None:
    from jgrad.views.twin import twin

    document = hostile()
    html = twin([views.scene(document, v) for v in views.applicable(document)], '"><script>')
    assert "<script" not in html
    assert 'data-jgrad-twin="&quot;&gt;&lt;script&gt;"' in html


BROKEN = {
    "a list": (lambda d: [d], "this is not a trace document but a list"),
    "nothing": (lambda d: None, "this is not a trace document but a NoneType"),
    "no schema": (lambda d: {}, "this document has no schema"),
    "foreign": (lambda d: d | {"schema": "jgrad-trace/1"}, "has the schema 'jgrad-trace/1'; this version of jgrad reads 'jgrad-trace/2'"),
    "no steps": (lambda d: {k: v for k, v in d.items() if k != "steps"}, "damaged: 'steps' is missing"),
    "steps not a list": (lambda d: d | {"steps": {}}, "damaged: 'steps' is missing or not a list"),
    "no name": (lambda d: {k: v for k, v in d.items() if k != "name"}, "damaged: 'name' is missing"),
    "storage missing": (lambda d: d | {"storages": d["storages"][:1]}, "refers to an entry that does not exist"),
    "node missing": (lambda d: d | {"nodes": []}, "refers to an entry that does not exist"),
    "tensor missing": (lambda d: d | {"tensors": d["tensors"][:2]}, "refers to an entry that does not exist"),
    "tensors shuffled": (lambda d: d | {"tensors": d["tensors"][::-1]}, r"tensors\[0\] has the id"),
    "source missing": (lambda d: d | {"source": []}, "is on line 3 of 0"),
    "step of text": (lambda d: d | {"steps": ["boo"]}, "the trace document is damaged"),
    "unknown kind": (lambda d: d | {"steps": [d["steps"][0] | {"kind": "dance"}]}, "of the unknown kind 'dance'"),
}  # fmt: skip


@pytest.mark.parametrize("how", BROKEN)
def test_what_is_no_trace_document_is_refused_with_a_sentence(how: str) -> None:
    damage, message = BROKEN[how]
    broken = damage(documents()["paths"])
    for view in views.VIEWS:
        with pytest.raises(views.DocumentError, match=message) as caught:
            views.scene(broken, view)
        assert "\n" not in str(caught.value)
    with pytest.raises(views.DocumentError, match=message):
        views.applicable(broken)


@pytest.mark.parametrize("name", ["paths", "scatter"])
def test_a_document_with_anything_missing_is_drawn_or_refused(name: str) -> None:
    """Take away each part of each kind of record in turn: a view draws what is left, or says that the document is damaged."""
    whole = documents()[name]
    for key in ("storages", "tensors", "nodes", "steps"):
        for i in range(0, len(whole[key]), 3):
            for part in whole[key][i]:
                for new in (None, "gone", [None], -1):
                    document = json.loads(json.dumps(whole))
                    document[key][i][part] = new
                    for view in views.VIEWS:
                        with contextlib.suppress(views.DocumentError):
                            views.scene(document, view)


@pytest.mark.parametrize("shown", golden.SHOWN, ids=str)
def test_views_of_programs_are_what_was_looked_at(shown: tuple[str, str, int | None]) -> None:
    for name, content in golden.forms(*shown).items():
        expected = (golden.HERE / name).read_text(encoding="utf-8")
        assert content == expected, f"{name}: python -m tests.fixtures.golden.rebuild writes it anew"


SCATTER = """\
Scatter map of scatter
step 5 of 6 · line 4: out.scatter_(0, index, src) changed 4 elements of storage 3; version 0 to 1

index cell  rule                                                   result
[0][0]      out[index[0][0]][0] = src[0][0] = 1, at out[0][0]      1
[0][1]      out[index[0][1]][1] = src[0][1] = 2, at out[1][1]      2
[0][2]      out[index[0][2]][2] = src[0][2] = 3, at out[2][2]      3
[0][3]      out[index[0][3]][3] = src[0][3] = 4, at out[0][3]      4
            4 writes, 11 cells untouched, 6 cells of src not used
"""


def test_the_scatter_map_as_text() -> None:
    assert views.text(documents()["scatter"], "scatter", 5) == SCATTER


STORAGE = """\
Storage map of sharing
step 7 of 25 · line 7: u.add_(1) wrote 6 elements of storage 2; version 0 to 1 of u, and not of c

storage    tensor  shape  stride  offset  version  relation                       elements
storage 2                                          6 elements, float32, 24 bytes  2.*  7.*  10.* 5.*  6.*  7.*
storage 2  c       [6]    (1,)    0       v1       a copy of x, by clone() in     0    1    2    3    4    5
                                                   line 2; differs from x in 6
                                                   elements since line 7: [0] is
                                                   2., in x it is 1.
storage 2  d       [6]    (1,)    0       v1       detach of c                    0    1    2    3    4    5
storage 2  v       [2]    (1,)    1       v1       slice of c                     .    0    1    .    .    .
storage 2  u       [6]    (1,)    0       v1       .data of c                     0    1    2    3    4    5
storage 1                                          6 elements, float32, 24 bytes  1. 2. 3. 4. 5. 6.
storage 1  x       [6]    (1,)    0       v0       made by tensor()               0  1  2  3  4  5
"""


def test_the_storage_map_as_text() -> None:
    assert views.text(documents()["sharing"], "storage", 7) == STORAGE
