"""The notes beside the lines of a traced cell: what they say agrees with the tensors."""

from __future__ import annotations

import pytest

from jgrad.views.drawing import frame_of
from jgrad.views.notes import notes
from tests.record.tracing import trace

pytestmark = pytest.mark.quick


def lines(source: str, cursor: int | None = None) -> dict[int, tuple[str, str]]:
    """By line what is said there, and the mark."""
    document = trace(source).document
    found = notes(frame_of(document, cursor))
    assert [note["line"] for note in found] == sorted({note["line"] for note in found})
    return {note["line"]: (" · ".join(part[0] for part in note["parts"]), note["mark"]) for note in found}


def test_leaves_copies_and_values() -> None:
    assert lines("""
w = jgrad.tensor([1., 2.], requires_grad=True)
frozen = w.detach()
copied = w.clone()
y = (w * copied).sum()
y.backward()
n = jgrad.arange(100)
w[0]
""") == {
        1: ("leaf [2] · shares memory with frozen · .grad [2., 4.]", ""),
        2: ("[1., 2.] · shares memory with w · no gradient", ""),
        3: ("[1., 2.] · CloneBackward0", ""),
        4: ("5. · SumBackward0", ""),
        5: ("w.grad [2., 4.]", ""),
        6: ("shape [100] · no gradient", ""),
    }


def test_they_say_what_held_at_the_step() -> None:
    source = "w = jgrad.tensor([1.], requires_grad=True)\nx = jgrad.zeros(2)\nx += 1\n(w * 2).backward()"
    assert lines(source, 0) == {}
    assert lines(source, 1) == {1: ("leaf [1] · .grad None", "")}
    assert lines(source, 2)[2] == ("[0., 0.] · no gradient", "")
    assert lines(source, 3)[2] == ("[0., 0.] · now [1., 1.] · no gradient", "")
    assert lines(source, 3)[3] == ("writes x", "")
    assert lines(source)[1] == ("leaf [1] · .grad [2.]", "")


def test_a_line_has_the_value_and_the_node_that_it_made() -> None:
    found = lines("v = jgrad.tensor([1., 2.], requires_grad=True)\ne = v * 3\ne.add_(1)", -1)
    assert found[2] == ("[3., 6.] · now [4., 7.] · MulBackward0", "")
    found = lines("a = jgrad.tensor(1., requires_grad=True)\nb = a.detach()\nb += 1", -1)
    assert found[1][0].startswith("leaf [] · now 2. · ")
    found = lines("a = jgrad.arange(6.)\nrows = a.view(2, 3)\na += 10", -1)
    assert found[2][0].startswith("[[0., 1., 2.], [3., 4., 5.]] · changed")


def test_several_tensors_of_a_line_have_their_names() -> None:
    said = lines(
        "a, b = jgrad.ones(2), jgrad.zeros(1)\nc = d = e = f = a\np, q, r, s = jgrad.ones(4, 1).unbind()"
    )
    assert said[1][0] == "a: [1., 1.] · b: [0.]"
    assert said[3][0].startswith("4 tensors")


def test_marks_stand_where_a_saved_tensor_was_saved_and_overwritten_and_where_backward_failed() -> None:
    said = lines("""
w = jgrad.tensor([1.], requires_grad=True)
h = w.exp()
other = w.sin()
other += 1
h += 1
(h + other).sum().backward()
""")
    assert {line: mark for line, (_, mark) in said.items() if mark} == {2: "saved", 5: "write", 6: "error"}
    assert said[6][0].startswith("h was saved by")


def test_an_error_before_backward_has_its_mark_and_its_words() -> None:
    said = lines("a = jgrad.ones(2)\nb = jgrad.ones(3)\na + b")
    assert said[3][1] == "error"
    assert said[3][0]
    assert said[1][1] == ""


def test_a_line_left_out_of_an_error_leaves_no_space() -> None:
    said = lines("columns = jgrad.arange(6).view(2, 3).t()\ncolumns.view(6)")
    assert said[2][0].startswith("view() never copies, and ")


def test_of_a_loop_the_last_round_is_said() -> None:
    said = lines("""
w = jgrad.tensor([1.], requires_grad=True)
for _ in range(40):
    (w * 3).backward()
""")
    assert said[1][0] == "leaf [1] · .grad [120.]"
    assert said[3][0] == "w.grad [120.]"


TRAINING = """
net = jgrad.nn.Sequential(jgrad.nn.Linear(4, 8), jgrad.nn.ReLU(), jgrad.nn.Linear(8, 1))
opt = jgrad.optim.Adam(net.parameters(), lr=0.01)
def train_epoch():
    opt.zero_grad()
    loss = net(jgrad.ones(3, 4)).square().mean()
    loss.backward()
    opt.step()
for _ in range(5):
    train_epoch()
"""


def test_initial_values_and_what_an_optimizer_keeps_are_not_told() -> None:
    said = {line: text for line, (text, _) in lines(TRAINING).items()}
    assert said[1] == "4 leaves"
    assert 2 not in said
    assert said[4] == "4 gradients"
    assert said[6].startswith("‖grad‖ ")
    assert said[7] == "updates 4 parameters"
    whole = " ".join(said.values())
    assert not [word for word in ("storage", "state", "→", "v1") if word in whole]


@pytest.mark.parametrize("layers", [1, 40])
def test_a_note_is_one_line_however_many_parameters_there_are(layers: int) -> None:
    model = ", ".join(["jgrad.nn.Linear(4, 4)"] * layers)
    said = lines(TRAINING.replace("jgrad.nn.Linear(4, 8), jgrad.nn.ReLU(), jgrad.nn.Linear(8, 1)", model))
    assert said[7][0] == ("updates 80 parameters" if layers > 1 else "updates net[0].weight, net[0].bias")
    assert max(len(text) for text, _ in said.values()) <= 60


def test_long_names_and_errors_leave_a_note_one_line() -> None:
    long = "a_name_that_is_as_long_as_names_of_careful_people_are" * 2
    said = lines(f"{long} = jgrad.ones(2, requires_grad=True)\n{long}.exp() + jgrad.ones(3)")
    assert max(len(text) for text, _ in said.values()) <= 60


def test_a_write_to_a_part_names_the_part() -> None:
    assert (
        lines("w = jgrad.ones(3)\nfrozen = w.detach()\nfrozen[0] = 0.\nw[1:].zero_()")[3][0]
        == "writes frozen[0]"
    )
