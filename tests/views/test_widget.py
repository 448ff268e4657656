"""Showing: text in a terminal, the twin and then the widget in a notebook, and nothing kept alive."""

from __future__ import annotations

import base64
import json
import re
import sys
import types
import xml.etree.ElementTree as ET
import zlib
from functools import partial
from typing import Any
from urllib.parse import unquote

import IPython.display
import ipywidgets
import pytest
from IPython.core.displaypub import CapturingDisplayPublisher

from jgrad import views
from jgrad.tracing.document.packing import unpack
from jgrad.tracing.document.thinning import thinned
from jgrad.views import transport, widget
from jgrad.views.compare import SideBySide
from jgrad.views.transport import TRACE
from tests.document.test_thinning import training

from .documents import documents


class Shell:
    """As much of a notebook's shell as showing looks at."""

    run = "1"
    display_pub: Any = None

    def get_parent(self) -> dict[str, Any]:
        return {"header": {"msg_id": self.run}}


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> tuple[Shell, list[Any]]:
    shown: list[Any] = []
    shell = Shell()
    monkeypatch.setattr(widget, "_shell", lambda: shell)
    monkeypatch.setattr(IPython.display, "display", partial(display, shown))
    return shell, shown


class Handle:
    """Of an output that can be replaced."""

    def __init__(self, shown: list[Any]) -> None:
        self.shown = shown
        self.place = len(shown) - 1

    def update(self, thing: Any, raw: bool) -> None:
        self.shown[self.place] = thing


def display(shown: list[Any], thing: Any, display_id: bool = False, **options: Any) -> Handle | None:
    shown.append(thing)
    return Handle(shown) if display_id else None


def test_in_a_terminal_text_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    document = documents()["paths"]
    views.show(document, ["graph", "accumulation"], 10)
    out = capsys.readouterr().out
    assert out.startswith("w.grad holds the sum of 2 backward passes (line 4) and (line 5)")
    headline, *rest = out.split("\n\n")
    assert len(headline.split("\n")) == 2
    assert "\n\n".join(rest) == views.text(document, "graph", 10) + "\n" + views.text(
        document, "accumulation", 10
    )


def test_a_narrow_terminal_is_respected(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    views.show(documents()["sharing"])
    assert max(len(line) for line in capsys.readouterr().out.split("\n")) <= 80


def test_nothing_recorded_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    views.show(documents()["empty"])
    assert capsys.readouterr().out == "nothing was recorded: the cell ran no tensor operation\n"


def test_the_twin_comes_first_and_the_widget_names_it(notebook: tuple[Shell, list[Any]]) -> None:
    document = documents()["paths"]
    views.show(document, key="cell")
    twin, live = notebook[1]
    name = re.search(r'data-jgrad-twin="(\w+)"', twin["text/html"])[1]
    assert live.twin == name
    assert unpack(json.loads(transport.plain(live.document))) == document
    assert live.cursor == -1
    assert live.views == ["accumulation", "graph", "storage", "timeline"]
    assert twin["text/plain"].startswith("w.grad holds the sum of 2 backward passes")
    assert "\n\nAccumulation of paths\n" in twin["text/plain"]
    assert "<code>w.grad</code> holds the sum of 2 backward passes" in twin["text/html"]
    assert twin["text/html"].count("<img") == 1, "the live views have the others"
    views.show(document, live.views, key="all that were asked for")
    twin = notebook[1][-2]
    assert twin["text/html"].count("<details>") == 3  # all but the first view are folded
    pictures = re.findall(r'src="data:image/svg\+xml,([^"]+)"', twin["text/html"])
    titles = [ET.fromstring(unquote(p)).find("{http://www.w3.org/2000/svg}text").text for p in pictures]
    assert titles == ["Accumulation of paths", "Graph of paths", "Storage map of paths", "Timeline of paths"]
    assert len(twin["text/html"]) < 60_000


def test_the_saved_output_of_a_training_leaves_out_what_the_live_views_have(
    notebook: tuple[Shell, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = training()
    monkeypatch.setattr(widget, "WHOLE", 0)
    live = views.show(document, key="cell")
    saved = json.loads(transport.plain(notebook[1][-2][TRACE]["document"]))
    assert unpack(saved) == thinned(document) != document
    assert unpack(json.loads(transport.plain(live.document))) == document
    # Without a live view, what is saved is all that there is.
    monkeypatch.setattr(widget, "widget_class", lambda: None)
    views.show(document, key="other")
    assert unpack(json.loads(transport.plain(notebook[1][-1][TRACE]["document"]))) == document


def test_the_trace_and_the_live_views_do_not_wait_for_the_pictures(
    notebook: tuple[Shell, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, shown = notebook
    before: list[Any] = []

    def draw(*arguments: Any) -> str:
        before.extend(shown)
        return "<img>"

    monkeypatch.setattr(widget, "twin", draw)
    live = views.show(documents()["paths"], key="cell")
    promised, early = before
    assert early is live
    assert promised[TRACE]["twin"] == live.twin
    assert f'data-jgrad-twin="{live.twin}"' in promised["text/html"]
    assert shown[0]["text/html"] == "<img>"
    assert shown[0][TRACE] == promised[TRACE]
    assert len(shown) == 2


def test_what_can_not_be_replaced_is_displayed_once(
    notebook: tuple[Shell, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell, shown = notebook

    def display_once(thing: Any, raw: bool = False, **options: Any) -> None:
        assert "display_id" not in options
        shown.append(thing)

    monkeypatch.setattr(IPython.display, "display", display_once)
    shell.display_pub = CapturingDisplayPublisher()
    views.show(documents()["paths"], key="captured")
    shell.display_pub = None
    output = ipywidgets.Output(msg_id=shell.run)  # what the cell displays goes there
    views.show(documents()["paths"], key="in a widget")
    output.close()
    assert [isinstance(thing, dict) and thing["text/html"].count("<img") for thing in shown] == [
        1,
        False,
        1,
        False,
    ]


def test_a_comparison_is_shown_where_the_two_part(
    notebook: tuple[Shell, list[Any]], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, shown = notebook
    other = documents()["paths"]
    other["steps"] = other["steps"][:4] + other["steps"][5:]
    found = SideBySide(documents()["paths"], other, ("whole", "cut"))
    found._ipython_display_()
    bundle, live = shown
    assert bundle["text/plain"] == repr(found)
    assert live.twin in bundle["text/html"]
    assert live.cursor == 5
    assert live.views == ["storage", "graph", "accumulation"]
    document = unpack(json.loads(transport.plain(live.document)))
    assert document["name"].startswith("They first differ at step 5")
    assert [len(trace["steps"]) for trace in document["compared"]["traces"]] == [15, 14]
    monkeypatch.setattr(widget, "_shell", lambda: None)
    found._ipython_display_()
    assert capsys.readouterr().out.startswith("whole and cut side by side\nThey first differ at step 5")


def test_without_anywidget_the_twin_alone_is_shown(
    notebook: tuple[Shell, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(widget, "widget_class", lambda: None)
    views.show(documents()["paths"])
    assert [set(s) for s in notebook[1]] == [{"text/plain", "text/html", TRACE}]


def test_the_widget_leaves_no_text_of_its_own(notebook: tuple[Shell, list[Any]]) -> None:
    live = widget.live("{}", ["graph"], None, "twin")
    live._ipython_display_()
    assert list(notebook[1][-1]) == ["application/vnd.jupyter.widget-view+json"]


def test_a_cell_that_runs_again_closes_what_it_showed(notebook: tuple[Shell, list[Any]]) -> None:
    shell, shown = notebook
    document = documents()["paths"]
    views.show(document, key="a")
    views.show(document, key="a")
    views.show(document, key="b")
    first, second, other = shown[1::2]
    assert first.twin != second.twin, "two outputs of a cell have twins of their own"
    assert first.comm is not None
    assert second.comm is not None
    shell.run = "2"
    views.show(document, key="a")
    assert first.comm is None
    assert second.comm is None
    assert other.comm is not None
    assert shown[-1].twin == first.twin, "the same cell, the same output"


def test_a_large_document_travels_compressed() -> None:
    document = documents()["paths"]
    document["steps"] = document["steps"] * 300
    data = json.dumps(document)
    assert len(data) > 1_000_000
    sent = widget.live(data, ["timeline"], None, "twin").document
    assert len(sent) < 250_000
    head, body = sent.split(":", 1)
    assert head == "deflate"
    assert json.loads(zlib.decompress(base64.b64decode(body))) == document


def test_the_front_end_travels_as_digits() -> None:
    """js/src/document.test.ts reads the same ones."""
    assert transport.digits(b"jgrad \xff\x00") == "0J8pXyH7JuW"
    assert transport.digits(b"\xff" * 5) == "3{?_4(zzC+("
    every = transport.digits(bytes(range(256)) * 300)
    assert json.dumps(every) == f'"{every}"'


def test_the_same_cell_gives_the_same_picture_under_another_number() -> None:
    document = documents()["paths"]
    pictures = []
    for name in ("cell 1", "cell 27"):
        document["name"] = name
        pictures.append([views.svg(document, v) for v in views.VIEWS])
    assert pictures[0] == pictures[1]
    assert "cell 1" not in "".join(pictures[0])


def test_in_colab_third_party_widgets_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By anywidget, when a widget is made and shown: see docs/hosts.md. The module is as much of Colab's as anywidget uses."""
    from anywidget import _util

    output = types.ModuleType("google.colab.output")
    settings = types.SimpleNamespace(_installed_url=None)
    output._widgets = settings  # type: ignore[attr-defined]
    output.enable_custom_widget_manager = lambda: setattr(
        settings, "_installed_url", "https://colab/manager.js"
    )  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    _util.enable_custom_widget_manager_once.cache_clear()
    shown = widget.live(json.dumps(documents()["paths"]), ["timeline"], None, "twin")
    assert settings._installed_url
    _data, metadata = shown._repr_mimebundle_()
    manager = {"custom_widget_manager": {"url": "https://colab/manager.js"}}
    assert metadata["application/vnd.jupyter.widget-view+json"]["colab"] == manager
    _util.enable_custom_widget_manager_once.cache_clear()
