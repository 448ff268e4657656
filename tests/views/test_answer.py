"""The answers of `%why`: which lines are links and where they lead, what is code, what can be copied."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import IPython.display
import pytest

import jgrad
from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.passage import Passage
from jgrad.views import answer, widget
from jgrad.views.transport import plain

pytestmark = pytest.mark.quick
NAMES = {"x", "y", "w", "h", "e", "jgrad", "net"}
STATIC = answer.Traces({})


@pytest.fixture
def log() -> TraceIndex:
    with jgrad.trace("mine") as t:
        w = jgrad.ones(2, requires_grad=True)
        for _ in range(2):
            (w * 3).sum().backward()
    return TraceIndex(t.document)


def shown(log: TraceIndex) -> answer.Traces:
    return answer.Traces({"trace 'mine'": (log, SimpleNamespace(model_id="model", observe=lambda *_: None))})


def lines(passage: Passage, traces: answer.Traces) -> list[tuple[str, int]]:
    """The links of a passage: (text, cursor)."""
    found = answer.blocks([passage], traces, NAMES.__contains__)
    return [(text, cursor) for _, parts in found for kind, text, model, cursor in parts if kind == "line"]


def line_of(log: TraceIndex, op: str) -> list[tuple[int, int]]:
    """(line, position) of the steps of an operator."""
    return [(s["line"], i) for i, s in enumerate(log.steps) if s["op"] == op and s["line"]]


def test_a_line_leads_to_its_last_step_at_best_before_the_one_that_is_meant(log: TraceIndex) -> None:
    (line, first), (_, second) = line_of(log, "mul")
    last = max(i for i, s in enumerate(log.steps) if s["line"] == line)
    text = f"line {line} did it"
    assert lines(Passage(text, log), shown(log)) == [(f"line {line}", last + 1)]
    assert lines(Passage(text, log, until=first), shown(log)) == [(f"line {line}", first + 1)]
    assert lines(Passage(text, log, until=second), shown(log)) == [(f"line {line}", second + 1)]
    assert lines(Passage("line 999 did it", log), shown(log)) == []


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("line {a} saved y; line {b} wrote to it", ["line {a}", "line {b}"]),
        ("holds the sum of 2 passes (lines {a} and {b})", ["lines {a}", "{b}"]),
        ("written to (lines {a}, {b} and {a})", ["lines {a}", "{b}", "{a}"]),
        ("line {a} of trace 'mine' cut it", ["line {a}"]),
        ("line {a} of trace 'other' cut it", []),
        ("line {a} of cell 2 cut it", []),
        ("line {a} of another cell: it raised", []),
        ("a guideline {a} and 3 lines", []),
    ],
)
def test_which_lines_are_links(log: TraceIndex, text: str, links: list[str]) -> None:
    numbers = {"a": line_of(log, "ones")[0][0], "b": line_of(log, "mul")[0][0]}
    found = [text for text, _ in lines(Passage(text.format(**numbers), log), shown(log))]
    assert found == [link.format(**numbers) for link in links]
    whole = answer.blocks([Passage(text.format(**numbers), log)], shown(log), NAMES.__contains__)
    assert "".join(part[1] for part in whole[0][1]) == text.format(**numbers)  # no word is lost


def test_a_line_of_a_numbered_cell_is_one_link(log: TraceIndex) -> None:
    line = line_of(log, "ones")[0][0]
    traces = answer.Traces({"cell 7": (log, SimpleNamespace(model_id="model", observe=lambda *_: None))})
    text = f"w.grad is there: cell 7, line {line} left it there (cell 8, line {line})."
    [(_, parts)] = answer.blocks([Passage(text, log)], traces, NAMES.__contains__)
    assert [part[1] for part in parts if part[0] == "line"] == [f"line {line}"]
    assert "".join(part[1] for part in parts) == text


def test_without_the_trace_on_the_screen_lines_are_text(log: TraceIndex) -> None:
    text = f"line {line_of(log, 'ones')[0][0]} made it"
    assert lines(Passage(text, log), STATIC) == []
    assert lines(Passage(text, None), shown(log)) == []


@pytest.mark.parametrize(
    ("text", "code", "proposed"),
    [
        ("y.grad is None: y is no leaf. Call y.retain_grad() before backward().", ["y.grad", "y.retain_grad()", "backward()"], ["y.retain_grad()"]),
        ("It holds a sum. Set w.grad = None before each.", ["w.grad = None"], ["w.grad = None"]),
        ("It goes on. Take it over without its history, as in h = h.detach(), or so.", ["h = h.detach()"], ["h = h.detach()"]),
        ("Write inside `with jgrad.no_grad():`, or so.", ["with jgrad.no_grad():"], []),
        ("Not in sgd. Make the optimizer from net.parameters() again.", ["net.parameters()"], []),
        ("It is gone. Pass retain_graph=True to the first.", ["retain_graph=True"], []),
        ("It is a list. Make it with jgrad.nn.ModuleList(...).", ["jgrad.nn.ModuleList(...)"], []),
        ("x.exp() raised. Call nosuch.exp() instead.", ["x.exp()", "nosuch.exp()"], []),
        ("y.mul_(2) wrote to it.", ["y.mul_(2)"], []),
        ("W.grad is None: W comes from jgrad.rand(3). Compute first.", ["W.grad", "jgrad.rand(3)"], []),
        ("Net(3): Net comes from h.abs(). Write h = h + 1.", ["Net(3)", "h.abs()", "h = h + 1"], ["h = h + 1"]),
        ("The net is large: Write h = h + 1.", ["h = h + 1"], ["h = h + 1"]),
        ("e[0] and x.sum(0, keepdim=True)[1:].exp() are code.", ["e[0]", "x.sum(0, keepdim=True)[1:].exp()"], []),
        ("These are words. No code here (or here).", [], []),
    ],
)  # fmt: skip
def test_what_is_code_and_what_can_be_copied(text: str, code: list[str], proposed: list[str]) -> None:
    found = answer.blocks([Passage(text)], STATIC, NAMES.__contains__)
    assert [part[1] for part in found[0][1] if part[0] == "code"] == code
    assert [parts[0][1] for kind, parts in found if kind == "pre"] == proposed


def test_a_block_takes_in_the_line_that_raised() -> None:
    passage = Passage(
        "w += 1 writes to a leaf. Write inside `with jgrad.no_grad():`.", source="    w += 1  # so\n"
    )
    [_, (kind, [(_, code, *_)])] = answer.blocks([passage], STATIC, NAMES.__contains__)
    assert (kind, code) == ("pre", "with jgrad.no_grad():\n    w += 1  # so")


def test_the_html_that_is_saved_holds_no_markup_of_the_users() -> None:
    found = answer.blocks(
        [Passage("<script>x</script> & \x1b[31mred. Call x.exp('<b>')\nsecond")], STATIC, NAMES.__contains__
    )
    html = answer.static(found, "name")
    body = html.partition("</style>")[2]
    assert re.findall(r"</?(\w+)", body) == ["div", "p", "code", "code", "p", "pre", "pre", "p", "p", "div"]
    assert "&lt;script&gt;" in body
    assert "\x1b" not in body
    assert "<button" not in body


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    displayed: list[Any] = []
    shell = SimpleNamespace(get_parent=lambda: {"header": {"msg_id": "1"}, "metadata": {"cellId": "c"}})
    monkeypatch.setattr(widget, "_shell", lambda: shell)
    monkeypatch.setattr(IPython.display, "display", lambda thing, **options: displayed.append(thing))
    return displayed


def test_in_a_notebook_a_widget_comes_with_links_only(notebook: list[Any], log: TraceIndex) -> None:
    assert (
        answer.show([Passage("%why found no mistake in the last trace.")], shown(log), NAMES.__contains__)
        is None
    )
    [bundle] = notebook
    assert bundle["text/plain"] == "%why found no mistake in the last trace."
    line = line_of(log, "ones")[0][0]
    live = answer.show([Passage(f"line {line} made w", log)], shown(log), NAMES.__contains__)
    bundle, last = notebook[1:]
    assert last is live
    assert bundle["text/plain"] == f"line {line} made w"
    assert f'data-jgrad-answer="{live.twin}"' in bundle["text/html"]
    assert live.models == ["model"]
    assert live.blocks == [
        ["p", [["line", f"line {line}", 0, live.blocks[0][1][0][3]], ["text", " made w", -1, 0]]]
    ]
    live.close()


def test_an_answer_says_that_the_views_of_its_trace_are_gone(notebook: list[Any], log: TraceIndex) -> None:
    one, other = (widget.live("{}", ["timeline"], None, "") for _ in range(2))
    traces = answer.Traces(
        {"trace 'mine'": (log, one), "trace 'other'": (TraceIndex({**log.document}), other)}
    )
    line = line_of(log, "ones")[0][0]
    live = answer.show([Passage(f"line {line} made w", log)], traces, NAMES.__contains__)
    before = live.blocks
    other.close()  # to which no line leads
    assert live.blocks == before
    one.close()  # as when its cell runs again
    assert {part[0] for _, parts in live.blocks for part in parts} == {"text"}
    assert live.blocks[-1] == ["p", answer.GONE]
    live.close()


def test_a_link_opens_the_views_of_a_trace_that_nobody_displayed(
    notebook: list[Any], log: TraceIndex
) -> None:
    made: list[Any] = []

    def opened() -> Any:
        made.append(widget.undisplayed(log.document))
        return made[-1]

    line = line_of(log, "ones")[0][0]
    traces = answer.Traces({"trace 'mine'": (log, answer.Hidden(opened))})
    live = answer.show([Passage(f"line {line} made w", log)], traces, NAMES.__contains__)
    assert live.models == [""]
    for content in ({}, {"open": 7}, {"open": "x"}, None):
        live._handle_custom_msg(content, [])
    assert made == []
    for _ in range(2):  # the second time it is there
        live._handle_custom_msg({"open": 0}, [])
    assert [one.model_id for one in made] == live.models
    assert json.loads(plain(made[0].document))["name"] == "mine"
    made[0].close()
    assert live.blocks[-1] == ["p", answer.GONE]
    live.close()


def test_elsewhere_text_is_printed(capsys: pytest.CaptureFixture[str], log: TraceIndex) -> None:
    passages = [Passage("line 1 did it"), Passage("and \x1b[31mmore")]
    assert answer.show(passages, shown(log), NAMES.__contains__) is None
    printed = capsys.readouterr().out
    assert printed.startswith("line 1 did it\nand ")
    assert "\x1b" not in printed
