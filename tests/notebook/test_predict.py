"""`%%predict`: the cell runs as without it, and what is said of a prediction is true of what the cell printed."""

from __future__ import annotations

import json
import math
import random
import re
import sys
from collections.abc import Sequence
from itertools import combinations

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import jgrad
from jgrad.notebook import predicting, prediction
from jgrad.notebook.hidden import ASKED_FOR, strip, without_verdict
from jgrad.notebook.predicting import without_line
from jgrad.notebook.prediction import Seen, in_order, judged, seen_of, split
from jgrad.notebook.printed import Value, lines, read
from tests.notebook.cells import run
from tests.notebook.predictions import TABLE

pytestmark = pytest.mark.quick

RIGHT = [
    ("2, None, 5", "2\nNone\n5"),
    ("5, 2", "tensor([5.]) tensor([2.])"),
    ("5., [2]", "tensor([5.], requires_grad=True)\ntensor([2.], grad_fn=<AddBackward0>)"),
    ("2, 4, 6", "tensor([2., 4., 6.])"),
    ("[[1, 2], [3, 4]]", "tensor([[1., 2.],\n        [3., 4.]])"),
    ("float32, (3,)", "jgrad.float32 jgrad.Size([3])"),
    ("float32, 3", "dtype: torch.float32, shape: torch.Size([3])"),
    ("1/3", "0.3333"),
    ("5", "5.001"),
    ("2.3", "2.3026"),
    ("float, -infinity", "jgrad.float32 -inf"),
    ("long", "torch.int64"),
    ("ok", ""),
    ("2 * 3", "6"),
    ("nan, inf", "tensor([nan, inf])"),
    ("yes, no", "True False"),
    ("yes, True", "True"),
    ("MulBackward0", "<MulBackward0 object at 0x7f0>"),
    ("3.00001", "a = 3"),
    ("tensor([1., 2.])", "[1.0, 2.0]"),
    ("[]", "tensor([])"),
    ("'one', two", "one two"),
    ("-2", "tensor(-2)"),
    ("1e3", "1000.0"),
    # Sums, and what a keyboard has no sign for.
    ("[1/2, 2**3], 7 // 2, -(1/3)", "[0.5, 8] 3 -0.3333"),
    ("3 > 2, not True", "True False"),
    ("1_000, 0x10, 1e-3", "1000 16 0.001"),
    ("\u22121, 2\u00d73, \u00bd", "-1 6 0.5"),
    ("\uff13\uff0c\uff08\uff11\uff0c\uff12\uff09", "3 (1, 2)"),
    ("1+2j", "tensor([1.+2.j])"),
    # Texts with commas, and texts that would be other values.
    ("'a, b', 3", "a, b\n3"),
    ("'5', 'None'", "5\nNone"),
    # One answer for each line, which prints more.
    ("True, False", "a True [3]\nb False [4]"),
    ("False, True", "leaf * 3 (it doesn't ask)  False\nw * 3 > 1  True"),
    ("yes, no", "weight 3 4 True\nbias 5 False"),
]


@pytest.mark.parametrize(("answer", "printed"), RIGHT)
def test_a_right_answer_in_any_form_is_right(answer: str, printed: str) -> None:
    verdict = judged(answer, Seen(printed))
    assert verdict.is_right, verdict.text()


@pytest.mark.parametrize(
    ("answer", "printed", "said"),
    [
        ("2, None, 3", "2\nNone\n5", "2 of 3 right.\nLine 3: you said 3, it printed 5."),
        ("8", "tensor([8., 8., 8.])", "Each element is 8; there are 3."),
        ("[[1, 3], [2, 4]]", "tensor([[1., 2.],\n        [3., 4.]])", "Rows and columns are exchanged."),
        ("[[1, 2]]", "[[1], [2]]", "Rows and columns are exchanged."),
        ("[[1, 2, 3, 4]]", "[[1, 2], [3, 4]]", "The numbers are right, and the shape is another one."),
        ("[1, 2]", "[2, 4]", "The right one is 2 times yours."),
        ("-5", "5", "The sign is the other one."),
        ("5", "2.5", "Yours is 2 times the right one."),
        ("[1, 2]", "[1, 2, 3]", "You gave 2 numbers, and it has 3."),
        ("None", "5", "You said None, it printed 5."),
        ("1", "False", "You said 1, it printed False."),
        (
            "1, 4",
            "1 2 3",
            "You gave 2 answers, and the cell printed 3 values.\nNot found among them, in this order: 4.",
        ),
        ("4", "1\n2\n3", "Not found among them: 4."),
        ("3, 2", "1 2 3", "Not found among them, in this order: 3."),
        ("1, 2, 3, 4", "1 2 3", "Not found among them, in this order: 4."),
        ("True, True", "a True 3\nb False 4", "Line 2: you said True, it printed False."),
        ("3", "", "The cell printed nothing to compare with"),
        ("float64", "torch.float32", "You said float64, it printed float32."),
        ("raises", "3", "It raised none."),
        ("warns", "3", "It gave no warning."),
    ],
)
def test_a_wrong_answer_is_told_what_is_wrong(answer: str, printed: str, said: str) -> None:
    verdict = judged(answer, Seen(printed))
    assert not verdict.is_right
    assert said in verdict.text()


@pytest.mark.parametrize(
    ("answer", "printed", "said"),
    [
        (
            "1, 3",
            "1 2 3",
            "You gave 2 answers, and the cell printed 3 values. Yours are among them, in this order.",
        ),
        ("2", "1\n[2]\n3", "You gave 1 answer, and the cell printed 3 values. Yours is among them."),
        ("True, True", "torch.ByteTensor [5056]\nTrue\nTrue", "You gave 2 answers, and the cell printed 3"),
        ("[1, 2], 0", "0.25\ntensor([1., 2.])\n0.", "You gave 2 answers, and the cell printed 3"),
    ],
)
def test_a_part_of_what_is_printed_may_be_predicted(answer: str, printed: str, said: str) -> None:
    verdict = judged(answer, Seen(printed))
    assert verdict.text().startswith(said)
    assert verdict.is_right


PARTS = [
    ("True", "True False", "1 of 1 right, compared with value 1 of the line."),
    ("False", "True False", "1 of 1 right, compared with value 2 of the line."),
    ("True", "True [1] False", "1 of 1 right, compared with value 1 of the line."),
    ("1, 2", "step 1 loss 7\nstep 2 loss 9", "2 of 2 right, compared with value 1 of each line."),
    ("7, 9", "step 1 loss 7\nstep 2 loss 9", "2 of 2 right, compared with value 2 of each line."),
    (
        "7, 8",
        "step 1 loss 7\nstep 2 loss 9",
        "1 of 2 right, compared with value 2 of each line.\nLine 2: you said 8, it printed 9.",
    ),
    ("4, 5", "1 2 4 9\n5 3", "2 of 2 right, compared with value 2 from the end of each line."),
    ("4, 3", "1 4\n7 9 3", "2 of 2 right, compared with the last value of each line."),
    ("warns, 7, 9", "1 7\n2 9", "3 of 3 right, compared with value 2 of each line."),
]


@pytest.mark.parametrize(("answer", "printed", "said"), PARTS)
def test_what_is_compared_is_said_if_it_is_a_part_of_the_lines(answer: str, printed: str, said: str) -> None:
    assert said in judged(answer, Seen(printed, warned=True)).text()


@pytest.mark.parametrize("seed", range(20))
def test_no_two_different_answers_are_both_plainly_right(seed: int) -> None:
    """An answer that is right without a word about a part is the whole of what was printed."""
    numbers = random.Random(seed)
    for _ in range(50):
        rows = [
            [numbers.randint(0, 9) for _ in range(numbers.randint(1, 3))]
            for _ in range(numbers.randint(1, 3))
        ]
        printed = "\n".join(" ".join(map(str, row)) for row in rows)
        width = min(map(len, rows))
        picked = [row[numbers.randrange(width)] for row in rows]
        text = judged(", ".join(map(str, picked)), Seen(printed)).text()
        if [value for row in rows for value in row] != picked:
            assert not re.fullmatch(r"Right\.|(\d) of \1 right\.", text), (printed, picked)


@pytest.mark.parametrize("seed", range(20))
def test_as_many_answers_as_possible_are_found_in_their_order(seed: int) -> None:
    numbers = random.Random(seed)
    for _ in range(50):
        said = [float(numbers.randint(0, 3)) for _ in range(numbers.randint(1, 5))]
        printed = [float(numbers.randint(0, 3)) for _ in range(numbers.randint(0, 7))]
        found = in_order(said, printed)
        longest = max(
            len(chosen)
            for size in range(len(said) + 1)
            for chosen in combinations(said, size)
            if _occurs(chosen, printed)
        )
        assert found == sorted(set(found))
        assert _occurs([said[i] for i in found], printed)
        assert len(found) == longest


def _occurs(values: Sequence[float], within: list[float]) -> bool:
    rest = iter(within)
    return all(value in rest for value in values)


def test_the_judge_says_what_the_table_holds() -> None:
    for case in json.loads(TABLE.read_text(encoding="utf-8")):
        seen = seen_of(case["shown"])
        assert {answer: judged(answer, seen).text() for answer in case["said"]} == case["said"]


def test_errors_and_warnings_can_be_predicted() -> None:
    raised = Seen("", "RuntimeError", warned=True)
    assert judged("raises", raised).is_right
    assert judged("RuntimeError", raised).is_right
    assert judged("warns, raises", raised).text() == "2 of 2 right."
    assert judged("ValueError", raised).text().endswith("You said ValueError. It raised RuntimeError.")
    assert "You did not say that it raises. It raised RuntimeError." in judged("5", raised).text()


@pytest.mark.parametrize("answer", ["[2,", "'", ")", "(]", ",", "[" * 500, "3, [", "'a"])
def test_what_cannot_be_read_is_said_in_a_sentence(answer: str) -> None:
    verdict = judged(answer, Seen("3"))
    assert not verdict.is_right
    assert verdict.text().startswith("I can't read `")
    assert len(verdict.text()) < 200


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("1/0", "it divides by 0"),
        ("[2, 3 % 0]", "it divides by 0"),
        ("9**9**9", "the number is too large"),
        ("(-8)**0.5", "it has no real value"),
        ("2 * nosuch", "`nosuch` is not a number"),
        ("[1, 2] * 2", "`[1, 2]` is not a number"),
        ("2x", "it is no expression that can be computed"),
        ("3 *", "it is no expression that can be computed"),
        ("1/2 of it", "it is no expression that can be computed"),
    ],
)
def test_why_an_answer_cannot_be_read_is_said(answer: str, reason: str) -> None:
    for seen in (Seen("3"), Seen("", "RuntimeError")):
        said = judged(f"3, {answer}" if answer[0] != "[" else answer, seen).text()
        assert f"`: {reason}. The cell ran; here is what it printed." in said


def test_a_name_of_a_variable_stands_for_its_value(shell: InteractiveShell) -> None:
    run(shell, "x = 4\nw = jgrad.ones(2)\nname = 'red, green'")
    assert "Right." in run(shell, "%%predict x\nprint(4)")[0]
    assert "3 of 3 right." in run(shell, "%%predict x * 2, w, [x, 1]\nprint(8, [1, 1], [4, 1])")[0]
    assert "You said 4, it printed 5." in run(shell, "%%predict x\nx += 1\nprint(x)")[0], (
        "its value before the cell"
    )
    assert "2 of 2 right." in run(shell, "%%predict x, 4\nprint('x'); print(4)")[0], "a word that is printed"
    assert "Right." in run(shell, "%%predict float32\nfloat32 = 3\nprint(jgrad.float32)")[0]


def test_a_cell_that_runs_too_early_is_compared_with_nothing(shell: InteractiveShell) -> None:
    said = run(shell, "%%predict 5\nprint(nosuch + 1)")[0]
    assert (
        "`nosuch` is not defined, so nothing was compared. If a cell above makes it, run that one first."
        in said
    )
    assert "Right." in run(shell, "%%predict NameError\nprint(nosuch + 1)")[0]


@pytest.mark.parametrize(
    "answer",
    ["9**9**9", "1/0", "1e999999", "\x00", "é", "__import__('os').system('x')", "x" * 100_000, "1," * 9999],
)
def test_no_answer_raises_or_is_run(answer: str) -> None:
    assert len(judged(answer, Seen("3")).text()) < 3_000


def test_answers_are_split_outside_of_brackets_and_quotes() -> None:
    assert split("2, [3, 4], (5, {6, 7}), 'a, b'") == ["2", "[3, 4]", "(5, {6, 7})", "'a, b'"]


def test_values_are_read_line_by_line() -> None:
    assert lines("a: 1\n\ntensor([[1.],\n        [2.]])\nx y") == [
        (1, [1.0]),
        (3, [[[1.0], [2.0]]]),
        (5, ["x", "y"]),
    ]
    assert read("Parameter containing:\ntensor([2.], requires_grad=True)") == [[2.0]]


def test_the_line_is_taken_away_and_the_others_keep_their_numbers() -> None:
    assert without_line(["%%predict 3\n", "x = 1\n"]) == ["\n", "x = 1\n"]
    assert without_line(["%%predict\n", "%%trace\n", "x\n"]) == ["%%trace\n", "x\n"]
    assert without_line(["x\n", "%%predict\n"]) == ["x\n", "%%predict\n"]
    assert without_line(["%%predictable\n", "x\n"]) == ["%%predictable\n", "x\n"]


def test_without_an_answer_the_cell_runs_as_ever(shell: InteractiveShell) -> None:
    before = sys.stdout
    with capture_output() as out:
        shell.run_cell("%%predict\nprint(2)\n3")
    assert out.stdout.startswith("2\n")
    assert sys.stdout is before


def test_the_first_empty_line_says_once_what_it_is_for(shell: InteractiveShell) -> None:
    first, second = (run(shell, "%%predict\nprint(2)")[0] for _ in range(2))
    assert first.startswith("2\n")
    assert "write what you expect behind `%%predict`" in first
    assert second == "2\n"
    assert "No prediction." in run(shell, "%%predict 2\nprint(2)")[0] + run(shell, "%%predict\nprint(2)")[0]


def test_who_has_predicted_needs_no_explanation(shell: InteractiveShell) -> None:
    run(shell, "%%predict 2\nprint(2)")
    assert run(shell, "%%predict\nprint(2)")[0] == "No prediction.\n2\n"


def test_what_was_said_to_nobody_is_not_stored() -> None:
    said = {
        "output_type": "display_data",
        "data": predicting._bundle("", False, predicting.UNPREDICTED),
        "metadata": {},
    }
    assert without_verdict(said)["data"] == {"text/plain": ""}
    other = {"output_type": "display_data", "data": {"text/html": "<b>2</b>"}, "metadata": {}}
    assert without_verdict(other)["data"] == {"text/html": "<b>2</b>"}


@pytest.mark.parametrize(
    "line",
    [
        "%predict 5",
        "%% predict 5",
        "%%Predict 5",
        "%%predict5",
        "%%predicts 5",
        " %%predict 5",
        "# a comment\n%%predict 5",
        "%%predict = 5",
        "%%predict five",
    ],
)
def test_a_line_that_is_mistyped_is_read_as_it_is_meant(shell: InteractiveShell, line: str) -> None:
    assert run(shell, f"{line}\nprint(5)")[0].endswith("5\nRight.\n")


def test_a_number_in_words_is_a_word_where_the_cell_prints_words() -> None:
    assert judged("five", Seen("five")).is_right
    assert judged("five", Seen("5")).is_right
    assert not judged("four", Seen("5")).is_right


def test_a_prediction_is_judged_below_the_cell(shell: InteractiveShell) -> None:
    assert run(shell, "%%predict 2\nprint(2)")[0].endswith("2\nRight.\n")
    assert "You said 3, it printed 2." in run(shell, "%%predict 3\nprint(2)")[0]
    assert "No prediction." in run(shell, "%%predict\nprint(2)")[0], "after the first one"


def test_the_last_value_counts(shell: InteractiveShell) -> None:
    assert "Right." in run(shell, "%%predict 7\n7")[0]


def test_a_picture_is_nothing_to_compare_with() -> None:
    """What a notebook shows of it is no text."""
    with jgrad.trace() as trace:
        jgrad.ones(2) + 1
    with jgrad.trace() as other:
        jgrad.ones(2) + 2
    assert predicting._is_picture(trace.filmstrip([0, 1]))
    assert predicting._is_picture(jgrad.trace.compare(trace, other))
    assert not any(
        map(predicting._is_picture, (jgrad.ones(2), jgrad.ones(2).shape, jgrad.float32, 3, [1.0], "x"))
    )


def test_it_stands_above_and_below_other_magics(shell: InteractiveShell, shown: list) -> None:
    cell = "w = jgrad.ones(1, requires_grad=True)\n(w * 3).backward()\nprint(w.grad)"
    assert "Right." in run(shell, f"%%predict 3\n%%trace\n{cell}")[0]
    assert "Right." in run(shell, f"%%trace\n%%predict 3\n{cell}")[0]
    assert shown[0][0]["source"][:2] == ["%%predict 3", "%%trace"], (
        "so the numbers of the lines are those of the cell"
    )


def test_a_prediction_does_not_change_where_a_trace_opens(shell: InteractiveShell, shown: list) -> None:
    """The text below describes what stands there."""
    run(shell, "w = jgrad.ones(1, requires_grad=True)\n(w * 2).backward()")
    for answer in ("3", "8"):
        run(shell, f"%%predict {answer}\n%%trace\n(w * 3).backward()\nprint(w.grad)")
        assert shown[-1][2] is None


ASKED = """
# asked: a.grad, a.dtype, a.shape, a.is_leaf, a.grad_fn, word
a = jgrad.ones(2, requires_grad=True)
(a * 3).sum().backward()
word = "left"
print("this is", 17, "and not asked for")
"""


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("[3, 3], float32, [2], yes, None, left", "6 of 6 right."),
        ("[3., 3.], jgrad.float32, 2, True, None, 'left'", "6 of 6 right."),
        ("[3, 3], float32, [2], yes, None, right", "`word` is left. You said right."),
        ("[1, 1], float64, [2], no, MulBackward0, left", "`a.grad` is [3, 3]. You said [1, 1]. The right one is 3 times yours."),
        ("[3, 3], float32", "You gave 2 answers. Write one answer for each of `a.grad`, `a.dtype`, "),
        ("[3, 3", "I can't read `[3, 3`. Write one answer for each of `a.grad`, "),
        ("raises", "You said that it raises an error. It raised none."),
    ],
)  # fmt: skip
def test_a_cell_says_what_it_asks_for(shell: InteractiveShell, answer: str, said: str) -> None:
    assert said in run(shell, f"%%predict {answer}{ASKED}")[0]


@pytest.mark.parametrize(
    ("answer", "value", "said"),
    [
        ("minus four", -4.0, "Right."),
        ("no idea", False, "I can't read `no idea`. Write the value of `x`."),
        ("not None", 3.0, "I can't read `not None`."),
        ("not True", False, "Right."),
        ("e", math.e, "Right."),
        ("2 * e", 2 * math.e, "Right."),
        ("exp(1)", math.e, "Right."),
        ("math.sqrt(2)", 2**0.5, "Right."),
        ("sqrt(-1)", 1.0, "I can't read `sqrt(-1)`: it has no real value."),
        ("f(1)", 1.0, "I can't read `f(1)`: it calls `f`, and a prediction is a value."),
        ("3x3", [3.0, 3.0], "Right."),
        ("0,71", 0.71, "Write 0.71 with a point: a comma stands between two answers."),
        ("2,3", [2.0, 3.0], "Right."),
        ("int", "int64", "`x` is int64. You said int, which is int32."),
        ("3×3", [3.0, 3.0], "Right."),
        ("2×3", 6.0, "Right."),
        ("∞", math.inf, "Right."),
        ("e^1", math.e, "Right."),
        ("True.", True, "Right."),
        ("it does not", False, "Right."),
    ],
)
def test_what_people_write(answer: str, value: Value, said: str) -> None:
    assert said in judged(answer, Seen("", asked=[("x", value)])).text()


@pytest.mark.parametrize(
    ("value", "factor"), [("3", False), ("jgrad.tensor(3)", False), ("3.0", True), ("jgrad.tensor(3.)", True)]
)
def test_how_many_times_a_count_is_larger_says_nothing(
    shell: InteractiveShell, value: str, factor: bool
) -> None:
    assert ("3 times yours" in run(shell, f"%%predict 1\n# asked: x\nx = {value}")[0]) == factor


def test_a_variable_that_the_cell_gives_a_value_is_not_what_it_was_before(shell: InteractiveShell) -> None:
    run(shell, "x, w, k = 3, 1, 2")
    cell = "# asked: y\nx, w = 3, 3\ny = 2 * k"
    assert "Right." in run(shell, f"%%predict k * 2\n{cell}")[0]
    assert "`w` is not a number" in run(shell, f"%%predict w * 4\n{cell}")[0]
    assert "`x` is not a number" in run(shell, f"%%predict x + 1\n{cell}")[0]


def test_a_cell_that_ran_without_a_prediction_and_is_the_same_again_needs_no_others(
    shell: InteractiveShell,
) -> None:
    run(shell, "%%predict\nn = 2\nprint(n)")
    assert predicting.AGAIN not in run(shell, "%%predict 3\nn = 2\nprint(n)")[0]
    run(shell, "k = 1")
    run(shell, "%%predict\nk += 1\nprint(k)")
    assert predicting.AGAIN in run(shell, "%%predict 2\nk += 1\nprint(k)")[0]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("1, 2, 3, 4", "2 of 2 right."),
        ("[1, 2], [3, 4]", "2 of 2 right."),
        ("1, 2, 3", "You gave 3 answers."),
    ],
)
def test_values_that_are_asked_for_need_no_brackets(shell: InteractiveShell, answer: str, said: str) -> None:
    cell = "# asked: a, b\na, b = jgrad.tensor([1, 2]), jgrad.tensor([3, 4])"
    assert said in run(shell, f"%%predict {answer}\n{cell}")[0]


@pytest.mark.parametrize(
    ("answer", "cell", "said"),
    [
        ("yes", "1 / 0", "Right."),
        ("no", "n = 1", "Right."),
        ("ok", "n = 1", "Right."),
        ("True", "1 / 0", "Right."),
        ("True", "print(6)", "Write a number where the cell prints one."),
        ("False", "print(6)", "Write a number where the cell prints one."),
        ("False", "n = 1", "Right."),
        ("no", "1 / 0", "You said that it raises no error. It raised ZeroDivisionError."),
        ("yes", "print(2.5)", "You said that it raises an error. It raised none."),
        ("no", "print(False)", "Right."),
        ("raises an error", "1 / 0", "Right."),
        ("Raises.", "1 / 0", "Right."),
        ("it does", "1 / 0", "Right."),
    ],
)
def test_whether_a_cell_raises_may_be_said_by_yes_and_no(
    shell: InteractiveShell, answer: str, cell: str, said: str
) -> None:
    assert said in run(shell, f"%%predict {answer}\n{cell}")[0]


def test_a_wrong_answer_in_a_cell_that_ran_before(shell: InteractiveShell) -> None:
    run(shell, "n = 0")
    assert "ran before" not in run(shell, "%%predict 2\nn += 1\nprint(n)")[0]
    said = run(shell, "%%predict 1\nn += 1\nprint(n)")[0]
    assert "This cell ran before, and may have changed what it uses" in said
    assert "ran before" not in run(shell, "%%predict 3\nn += 1\nprint(n)")[0]


def test_reading_what_is_asked_for_gives_no_warning(shell: InteractiveShell) -> None:
    out, err, _ = run(shell, "%%predict None\n# asked: h.grad\nh = jgrad.ones(1, requires_grad=True) * 2")
    assert "Right." in out
    assert err == ""


def test_what_an_error_left_unknown_is_not_asked_for(shell: InteractiveShell) -> None:
    cell = "# asked: known, unknown\nknown = 1\nunknown = 1 / 0"
    assert "2 of 2 right." in run(shell, f"%%predict 1, raises\n{cell}")[0]
    assert (
        "You did not say that it raises. It raised ZeroDivisionError."
        in run(shell, f"%%predict 1\n{cell}")[0]
    )


def test_a_cell_that_raises_raises(shell: InteractiveShell) -> None:
    result = shell.run_cell("%%predict raises\nundefined")
    assert isinstance(result.error_in_exec, NameError)
    with capture_output() as out:
        shell.run_cell("%%predict 1\n1 +")
    assert "The cell could not run, so nothing was compared." in out.stdout


def test_a_cell_that_prints_without_end_is_compared_by_its_beginning(shell: InteractiveShell) -> None:
    said = run(shell, "%%predict 1, 2\nfor _ in range(60_000): print(7)")[0]
    assert "You gave 2 answers, and the cell printed 50000 values." in said
    assert "Not found among the first 1000 values, in this order: 1, 2." in said


def test_of_many_answers_only_those_that_were_looked_for_are_called_missing() -> None:
    printed = "\n".join(map(str, range(100)))
    text = judged(", ".join(map(str, range(99))), Seen(printed)).text()
    assert (
        text
        == "You gave 99 answers, and the cell printed 100 values.\nOnly your first 60 answers were looked for."
    )


def test_the_search_for_many_answers_among_many_values_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr(prediction, "equal", lambda said, printed: calls.append(printed))
    judged(", ".join("8" * 5_000), Seen("7\n" * 50_000))
    assert 0 < len(calls) < 200_000


def test_an_awaiting_cell(shell: InteractiveShell) -> None:
    assert "Right." in run(shell, "%%predict 4\nimport asyncio\nawait asyncio.sleep(0)\nprint(4)")[0]


def test_at_names_the_step_to_open_at(shell: InteractiveShell, shown: list) -> None:
    cell = "w = jgrad.ones(2, requires_grad=True)\nv = w * 1\nv[0] = 2.0\nv.sum().backward()"
    kinds = []
    for at in ("0", "2", "write", "backward", "error", "end", "999"):
        run(shell, f"%%trace --at {at}\n{cell}")
        document, _, cursor = shown[-1]
        kinds.append(document["steps"][cursor - 1]["kind"] if cursor else None)
        steps = len(document["steps"])
    assert kinds[2:4] == ["write", "backward"]
    assert [cursor for _, _, cursor in shown][:2] == [0, 2]
    assert [cursor for _, _, cursor in shown][4:] == [steps] * 3
    assert "write a number, or one of write, backward, error, end" in run(shell, "%%trace --at foo\n1")[1]


def test_strip_takes_away_what_is_hidden_and_the_numbers_of_cells() -> None:
    def cell(tags: list[str]) -> dict:
        return {
            "cell_type": "code",
            "metadata": {"tags": tags},
            "outputs": [{"text": "2", "execution_count": 1}],
            "execution_count": 1,
        }

    text = {"cell_type": "markdown", "metadata": {}, "source": ["## A heading"]}
    # What stands below tells the answer, up to the next heading.
    notebook = {
        "cells": [cell(["predict", "hide-output"]), cell(["doc0"]), text, cell(["doc1"])],
    }
    stripped = json.loads(strip(json.dumps(notebook)))
    assert stripped["cells"][0] == {
        **cell(["predict", "hide-output"]),
        "outputs": [],
        "execution_count": None,
    }
    assert stripped["cells"][1]["outputs"] == []
    kept = {"outputs": [{"text": "2", "execution_count": None}], "execution_count": None}
    assert stripped["cells"][2:] == [text, {**cell(["doc1"]), **kept}]


def test_what_is_not_a_value_is_no_prediction() -> None:
    """`import os` was read as two words, and `exit()` as an empty list, which was right where a cell prints one."""
    for answer, printed in (
        ("exit()", "tensor([])"),
        ("import os", "import os"),
        ("del x", "x"),
        ("f(2)", "2"),
    ):
        assert judged(answer, Seen(printed)).text().startswith(f"I can't read `{answer}`: ")
    for answer, printed in (("device(type='cpu')", "device(type='cpu')"), ("set()", "set()"), ("x = 5", "5")):
        assert judged(answer, Seen(printed)).is_right


def test_what_a_cell_asks_for_is_stored_with_its_first_output(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page without a kernel compares with it, also where nobody predicted."""
    kept: list[dict] = []
    handle = type("Handle", (), {"update": lambda self, bundle, raw: kept.append(bundle)})()
    monkeypatch.setattr(predicting, "_is_notebook", lambda shell: True)
    monkeypatch.setattr(predicting, "display", lambda bundle, **options: handle)
    expected = [{"name": "x * 2", "shows": "6"}, {"name": "word", "text": "left"}]
    for line in ("%%predict", "%%predict", "%%predict 6, left"):
        run(shell, f"{line}\n# asked: x * 2, word\nx, word = 3, 'left'")
        assert kept[-1][ASKED_FOR] == expected
        assert without_verdict({"data": kept[-1]})["data"][ASKED_FOR] == expected
