"""`jgrad.teach`: what `check` says of right answers, of those that learners give, and of anything else, on jgrad and on PyTorch."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import json
import linecache
import os
import random
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

import jgrad.teach
from jgrad.teach import Pictures, check, digits, hint, progress, running, solved
from jgrad.teach.checking import UNWRITTEN, verdict
from jgrad.teach.exercises import EXERCISES

sys.path.insert(0, str(Path(__file__).parents[1] / "notebooks"))
import cells

pytestmark = pytest.mark.quick

# By the name of an exercise: what is said of each wrong answer of its list. `python -m tests.teach.test_teach` writes it again.
SENTENCES = Path(__file__).with_name("sentences.json")
LIBRARIES = ["jgrad", "torch"]
# What an operator of a solution is exchanged with.
EXCHANGED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Eq: ast.NotEq,
    ast.Gt: ast.Lt,
    ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
}
# What may be left out of a solution without a mistake.
NEEDLESS = "manual_seed"
LIBRARY_NAMES = {"jgrad", "nn", "optim", "F", "math"}

each_exercise = pytest.mark.parametrize("name", EXERCISES)
each_library = pytest.mark.parametrize("library", LIBRARIES)


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is solved here is not kept at home."""
    monkeypatch.setattr(solved.Path, "home", lambda: tmp_path)
    monkeypatch.delenv("JGRAD_NO_PROGRESS", raising=False)


@cache
def checked() -> dict[str, tuple[Path, Any]]:
    """By the name of an exercise: its notebook, and its cell of text."""
    found = {}
    for path in cells.paths():
        for name, cell in cells.checked(cells.load(path)).items():
            found[name] = path, cell
    return found


@cache
def above(path: Path, library: str) -> dict[str, Any]:
    """The names that the exercises of a lesson need: those that its cells of imports, functions and classes define."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with cells.named_jgrad(library), warnings.catch_warnings():
        for cell in cells.code_cells(cells.load(path)):
            defines = re.search(r"^(def|class|import|from) ", cell.source, re.M)
            if defines and "check(" not in cell.source and "raises-exception" not in cells.tags(cell):
                # (Below its definitions, a cell may need what other cells have made.)
                with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(NameError):
                    exec(cells.plain(cell.source), names)
    return names


def answer(name: str, code: str, library: str) -> Any:
    """The value of `answer` after code, as a learner's cell below those of the lesson. What the code raises is an answer, too."""
    names = dict(above(checked()[name][0], library))
    with warnings.catch_warnings():
        try:
            exec(compile(code, f"<cell of {name}>", "exec"), names)
        except Exception as error:
            return error
    return names["answer"]


@each_library
@each_exercise
def test_the_solution_is_right(name: str, library: str) -> None:
    pytest.importorskip(library)
    assert verdict(name, answer(name, EXERCISES[name].solution, library)) == "Right."


@each_library
@each_exercise
def test_each_wrong_answer_gets_its_sentence(name: str, library: str) -> None:
    pytest.importorskip(library)
    said = [verdict(name, answer(name, code, library)) for code in EXERCISES[name].wrong]
    assert said == json.loads(SENTENCES.read_text(encoding="utf-8"))[name]


@each_exercise
def test_no_sentence_gives_the_answer_away(name: str) -> None:
    stored = json.loads(SENTENCES.read_text(encoding="utf-8"))[name]
    assert "Right." not in stored
    solution = EXERCISES[name].solution
    lines = [
        line.strip() for line in solution.splitlines() if "answer" not in line and len(line.strip()) > 12
    ]
    right = eval(solution.removeprefix("answer = ")) if solution.startswith("answer = ") else None
    for sentence in stored:
        assert not [line for line in lines if line in sentence]
        assert len(sentence) < 250
        assert not isinstance(right, int) or not re.search(rf"\b{right}\b", sentence)


def test_different_mistakes_get_different_sentences() -> None:
    for name, said in json.loads(SENTENCES.read_text(encoding="utf-8")).items():
        twice = {sentence for sentence in said if said.count(sentence) > 1}
        assert len(twice) == 0, (name, twice)


def raises(*arguments: Any) -> Any:
    raise ValueError("a mistake")


def loops(*arguments: Any) -> Any:
    """Ends at last, so that a test of a clock that stops nothing fails and does not hang."""
    k = 0
    while k < 3_000_000:
        try:
            k += 1
        except Exception:
            k = 0
    return "the loop has ended"


def prints(*arguments: Any) -> Any:
    print("x" * 10_000_000)
    sys.stderr.write("x" * 1_000_000)


def leaves(*arguments: Any) -> Any:
    sys.exit(3)


def contains_itself() -> list:
    found: list = []
    found.append(found)
    return found


class Hostile:
    """An answer whose own methods raise."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __repr__(self) -> str:
        raise RuntimeError

    def __bool__(self) -> bool:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]

    def tolist(self) -> Any:
        raise RuntimeError


def returns(value: Any) -> Any:
    return lambda *arguments, **named: value


def unwritten(*arguments: Any) -> Any: ...


def generates(*arguments: Any) -> Any:
    yield 1


async def awaits(*arguments: Any) -> Any:
    return 1


def without_arguments() -> int:
    return 1


def recurses(*arguments: Any) -> Any:
    return recurses(*arguments)


def fills_memory(*arguments: Any) -> Any:
    raise MemoryError


def is_interrupted(*arguments: Any) -> Any:
    raise KeyboardInterrupt


class Empty:
    """What is left of an exercise that asks for a class, if nobody has written its methods."""

    def __init__(self, *arguments: Any) -> None: ...

    def zero_grad(self) -> None: ...

    def step(self) -> None: ...


def strange_values(lib: Any) -> dict[str, Any]:
    """Values that are no answer to any exercise."""
    values = {
        "None": None,
        "...": ...,
        "a list of ...": [..., ...],
        "nested ...": [[...]],
        "a text": "a text",
        "a long text": "x" * 1_000_000,
        "bytes": b"x",
        "infinity": float("inf"),
        "a complex number": 1j,
        "a number too large for a float": 10**400,
        "an empty list": [],
        "an empty dict": {},
        "a set": {1},
        "many numbers": list(range(1000)),
        "deep lists": [[[[[[]]]]]],
        "itself": contains_itself(),
        "five times None": [None] * 5,
        "four texts": ["a"] * 4,
        "an object": object(),
        "a hostile object": Hostile(),
        "another shape": lib.zeros(7, 3),
        "another dtype": lib.zeros(2, dtype=lib.int8),
        "a bool": lib.tensor(True),
        "nan": lib.tensor(float("nan")),
        "an empty tensor": lib.zeros(0),
        "a complex tensor": lib.tensor(1j),
        "a tensor without numbers": lib.zeros(2, device="meta"),
        "a computed tensor": lib.ones(2, requires_grad=True) * 2,
        "a module": lib.nn.Module(),
    }
    return values | {f"a function that returns {what}": returns(value) for what, value in values.items()}


def strange_functions(lib: Any) -> dict[str, Any]:
    """Functions and classes that are no answer to any exercise, and that do what an answer should not do."""

    def changes_modes(*arguments: Any) -> Any:
        lib.set_grad_enabled(False)
        lib.set_default_dtype(lib.float64)
        lib.set_default_device("meta")
        lib.manual_seed(7)
        lib.inference_mode().__enter__()

    class Unwritten(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any: ...

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any: ...

    class Text(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            return "text"

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            return "text"

    class WrongBackward(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            return inputs[0].clone()

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            return ("text",) * 5

    functions = (raises, loops, prints, leaves, unwritten, generates, awaits, without_arguments, recurses)
    functions += (fills_memory, is_interrupted, changes_modes)
    classes = (object, Empty, Unwritten, Text, WrongBackward, lib.nn.Module)
    layers = lib.nn.Linear(3, 3), lib.nn.Linear(64, 10)
    return (
        {one.__name__: one for one in (*functions, *classes)}
        | {"returns its argument": lambda *arguments: arguments[0] if arguments else None}
        | {
            "returns a layer": returns(layers[0]),
            "returns layers": returns(layers),
            "returns a class": returns(object),
        }
    )


def modes(lib: Any) -> tuple[Any, ...]:
    grad, inference = lib.is_grad_enabled(), lib.is_inference_mode_enabled()
    return grad, inference, lib.get_default_dtype(), lib.get_default_device(), lib.rand(2).tolist()


@pytest.mark.slow
@pytest.mark.one_in(4)
@each_library
@each_exercise
def test_any_other_answer_gets_one_sentence_and_changes_nothing(
    name: str, library: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lib = pytest.importorskip(library)
    monkeypatch.setattr(running.Clock.__init__, "__defaults__", (0.3,))
    monkeypatch.setattr(running.run, "__kwdefaults__", {"seconds": 0.3, "what": ""})
    lib.manual_seed(5)
    before = modes(lib)
    for what, strange in (strange_values(lib) | strange_functions(lib)).items():
        lib.manual_seed(5)
        assert check(name, strange) is None
        out, err = capsys.readouterr()
        assert err == "", what
        assert out.count("\n") == 1, what
        assert out != "Right.\n", what
        assert len(out) < 400, what
        assert modes(lib) == before, what


@each_exercise
def test_an_answer_that_nobody_has_written_is_not_judged(name: str) -> None:
    given = checked()[name][1]
    cell = cells.load(checked()[name][0]).cells
    stub = cell[[one.id for one in cell].index(given.id) + 1]
    for one in ("...", "[..., ...]", unwritten):
        answer = eval(one) if isinstance(one, str) else one
        assert verdict(name, answer) == "Write your answer in place of `...`, then run the cell again."
    if "..." in stub.source:
        (output,) = stub.outputs
        assert output.text == "Write your answer in place of `...`, then run the cell again.\n"


WRONG_MOMENTUM = EXERCISES["momentum"].solution.replace(
    "for p in self.parameters:\n            p.grad = None", "{body}"
)


@pytest.mark.parametrize("body", ["pass", "return None", "self"])
def test_a_written_class_is_judged_though_a_method_does_nothing(
    body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = WRONG_MOMENTUM.replace("{body}", body)
    assert body in code
    monkeypatch.setitem(linecache.cache, "<cell of momentum>", (len(code), None, code.splitlines(True), ""))
    said = verdict("momentum", answer("momentum", code, "jgrad"))
    assert said.startswith("The first step is right, and the second is not."), said


@pytest.mark.parametrize("body", ["...", '"""What it does."""\n        ...'])
def test_a_class_is_unwritten_while_one_method_is(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code = WRONG_MOMENTUM.replace("{body}", body)
    monkeypatch.setitem(linecache.cache, "<cell of momentum>", (len(code), None, code.splitlines(True), ""))
    assert verdict("momentum", answer("momentum", code, "jgrad")) == UNWRITTEN


@each_library
def test_a_check_is_the_same_whatever_modes_the_notebook_has_set(library: str) -> None:
    lib = pytest.importorskip(library)
    for name in ("softplus", "never-there", "step"):
        right = answer(name, EXERCISES[name].solution, library)
        with lib.no_grad():
            assert verdict(name, right) == "Right."
            assert not lib.is_grad_enabled()


def test_a_loop_without_end_is_stopped_and_its_line_is_named() -> None:
    with pytest.raises(
        running.Failed, match=r"did not finish in 0\.2 seconds\. Line \d+ .* ran [\d,]+ times"
    ):
        running.run(loops, seconds=0.2)


def test_a_loop_within_one_line_is_stopped() -> None:
    """In a process of its own, which a clock that does not stop it would keep."""
    code = "from jgrad.teach.running import run, Failed\ndef f():\n    while True: pass\ntry: run(f, seconds=0.2)\nexcept Failed as e: print(e)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert "did not finish in 0.2 seconds" in done.stdout
    # Python 3.15 counts each jump back to the line.
    assert re.search(r"It does not leave line \d+|ran [\d,]+ times", done.stdout)
    assert "ran 1 times" not in done.stdout


@pytest.mark.parametrize("loading", [0.02, 0.3], ids=["within the time", "beyond its end"])
def test_the_time_in_which_a_library_is_loaded_does_not_count(
    loading: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock of its own: a line of loading, then lines of the learner's that need 0.04 of the 0.05 seconds."""
    clock = [0.0]
    monkeypatch.setattr(running, "now", lambda: clock[0])

    def calls(loads: bool) -> int:
        for k in range(1000):
            if k == 300:
                clock[0] += loading
                if loads:
                    monkeypatch.setitem(sys.modules, "loaded_by_a_test", sys)
            if k == 700:
                clock[0] += 0.04
        return k

    assert running.run(calls, True, seconds=0.05) == 999
    with pytest.raises(running.Failed, match="did not finish"):
        running.run(calls, False, seconds=0.05)


def test_an_error_is_told_with_its_line() -> None:
    with pytest.raises(
        running.Failed, match=r"ValueError in line \d+ \(`raise ValueError\(\"a mistake\"\)`\): a mistake"
    ):
        running.run(raises)


@each_library
def test_names_that_an_answer_deletes_or_changes_are_put_back(library: str) -> None:
    lib = pytest.importorskip(library)
    before = print, lib.tensor

    def changes() -> None:
        del builtins.print
        del lib.tensor
        builtins.len = lib.zeros = None

    with contextlib.suppress(running.Failed):  # Who looks at the clock has no `len` either.
        running.run(changes)
    assert before == (print, lib.tensor)
    assert len(lib.zeros(2)) == 2


def test_what_an_answer_changes_of_the_process_is_put_back(tmp_path: Path) -> None:
    def changes() -> None:
        os.chdir(tmp_path)
        sys.setrecursionlimit(sys.getrecursionlimit() + 100)
        random.seed(7)
        np.random.seed(7)

    before = os.getcwd(), sys.getrecursionlimit(), random.getstate(), np.random.get_state()[1].tolist()
    running.run(changes)
    after = os.getcwd(), sys.getrecursionlimit(), random.getstate(), np.random.get_state()[1].tolist()
    assert after == before


@each_library
def test_modes_that_an_answer_changes_are_put_back(library: str) -> None:
    lib = pytest.importorskip(library)

    def changes() -> None:
        lib.set_grad_enabled(False)
        lib.set_default_dtype(lib.float64)
        lib.manual_seed(7)
        warnings.simplefilter("error")

    lib.manual_seed(3)
    expected = lib.rand(2).tolist()
    lib.manual_seed(3)
    running.run(changes)
    assert lib.is_grad_enabled()
    assert lib.get_default_dtype() is lib.float32
    assert lib.rand(2).tolist() == expected


def mutants(code: str) -> Iterator[str]:
    """The code with one mistake each time: an operator is exchanged, or a statement, a call or a named argument is left out."""
    nodes = [*ast.walk(ast.parse(code))]
    for number, node in enumerate(nodes):
        for change in changes(node):
            tree = ast.parse(code)
            changed = Changed([*ast.walk(tree)][number], change).visit(tree)
            yield ast.unparse(ast.fix_missing_locations(changed))


def changes(node: ast.AST) -> Iterator[Callable[[Any], ast.AST]]:
    """What can be changed at a node of the code: functions of the same node in another tree."""
    operator = getattr(node, "op", None) or getattr(node, "ops", [None])[0]
    if (other := EXCHANGED.get(type(operator))) is not None:
        yield lambda found: with_operator(found, other())
    written = ast.unparse(node)
    if NEEDLESS in written or written.startswith("answer = "):
        return
    if isinstance(node, ast.Call) and (named_by(node) not in LIBRARY_NAMES or node.args):
        yield lambda found: found.args[0] if named_by(found) in LIBRARY_NAMES else found.func.value
    for number in range(len(getattr(node, "keywords", []))):
        yield lambda found, number=number: found.keywords.pop(number) and found
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        yield lambda found: ast.Pass()


def named_by(call: ast.Call) -> str:
    """The name before the dot of a call, or that of the function itself, which is called like one of a library."""
    if isinstance(call.func, ast.Attribute):
        return call.func.value.id if isinstance(call.func.value, ast.Name) else ""
    return "jgrad"


def with_operator(node: Any, operator: ast.AST) -> ast.AST:
    if hasattr(node, "ops"):
        node.ops = [operator]
    else:
        node.op = operator
    return node


class Changed(ast.NodeTransformer):
    """A tree in which one node is changed."""

    def __init__(self, place: ast.AST, change: Callable[[Any], ast.AST]) -> None:
        self.place, self.change = place, change

    def visit(self, node: ast.AST) -> ast.AST:
        return self.change(node) if node is self.place else self.generic_visit(node)


def other_values(code: str) -> Iterator[str]:
    """The code of a plain answer, with one of its words, numbers or truth values exchanged each time."""
    values = [n.value for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Constant)]
    for number, value in enumerate(values):
        tree = ast.parse(code)
        node: Any = [n for n in ast.walk(tree) if isinstance(n, ast.Constant)][number]
        if isinstance(value, bool):
            node.value = not value
        elif isinstance(value, str):
            node.value = next((other for other in values if other != value), "another")
        else:
            node.value = value + 1
        yield ast.unparse(tree)


@pytest.mark.slow
def test_a_solution_with_a_mistake_is_refused() -> None:
    refused, accepted = 0, []
    for name, exercise in EXERCISES.items():
        is_value = exercise.solution.startswith("answer = ")
        right = answer(name, exercise.solution, "jgrad")
        for mutant in (*mutants(exercise.solution), *(other_values(exercise.solution) if is_value else ())):
            given = answer(name, mutant, "jgrad")
            if is_value and given == right:
                continue  # It only writes the answer in another way.
            if verdict(name, given) == "Right.":
                accepted.append((name, mutant))
            else:
                refused += 1
    assert refused > 250
    assert refused / (refused + len(accepted)) >= 0.97, accepted


@each_exercise
def test_the_notebook_folds_the_solution_that_is_tested(name: str) -> None:
    cell = checked()[name][1]
    wanted = EXERCISES[name].solution.split("\n\n\nanswer")[0].strip()
    assert f"<details><summary>Solution</summary>\n\n```python\n{wanted}\n```" in cell.source
    assert wanted not in cell.source.split("<details>")[0]


def test_each_exercise_has_a_check_in_a_notebook() -> None:
    assert set(checked()) == set(EXERCISES)
    assert len(EXERCISES) == 40


@each_exercise
def test_hints_come_one_after_the_other_and_the_solution_last(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from jgrad.teach import checking

    monkeypatch.setattr(checking, "_given", type(checking._given)())
    exercise = EXERCISES[name]
    for expected in (*exercise.hints, exercise.solution, exercise.solution):
        hint(name)
        assert expected.strip() in capsys.readouterr().out
    assert len(exercise.hints) == 2


def test_yes_and_no_are_true_and_false() -> None:
    for answer in ([False, True, True, False], [True, True, False, False]):
        words = ["Yes" if one else "no" for one in answer]
        assert verdict("whose", words) == verdict("whose", answer)


def test_a_name_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    check("slop", 7)
    assert capsys.readouterr().out == "There is no exercise 'slop'. Did you mean 'slope'?\n"
    for strange in (3, None, "x" * 10_000, Hostile()):
        check(strange, 7) if not isinstance(strange, Hostile) else None
    hint("nosuch")
    assert "There is no exercise 'nosuch'." in capsys.readouterr().out
    check()
    hint()
    assert capsys.readouterr().out.count("Which exercise?") == 2


def test_what_was_solved_is_kept_and_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check("slope", 7)
    check("slope", 7)
    assert json.loads((tmp_path / ".jgrad" / "progress.json").read_text()) == ["slope"]
    capsys.readouterr()
    progress()
    assert "1 of 5, next: exp" in capsys.readouterr().out
    monkeypatch.setenv("JGRAD_NO_PROGRESS", "1")
    progress()
    assert "0 of 5, next: slope" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "{", "3", '{"slope": 1}', "[1, null]"])
def test_a_file_that_cannot_be_read_counts_as_nothing_solved(text: str, tmp_path: Path) -> None:
    (tmp_path / ".jgrad").mkdir()
    (tmp_path / ".jgrad" / "progress.json").write_text(text)
    assert solved.solved() in (set(), {"slope"} if "slope" in text and text[0] == "[" else set())
    check("slope", 7)


def test_nothing_is_kept_where_it_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".jgrad").write_text("a file")
    check("slope", 7)
    assert capsys.readouterr().out == "Right.\n"


def test_the_digits() -> None:
    images, labels = digits()
    assert (images.shape, labels.shape) == ((1797, 64), (1797,))
    assert (images.min(), images.max()) == (0, 1)
    assert sorted(set(labels.tolist())) == list(range(10))
    assert (images.dtype, labels.dtype) == ("float32", "int64")


def test_pictures_show_what_is_wrong_in_both_forms() -> None:
    shown = Pictures(digits()[0][:12], [*range(12)], [i == 3 for i in range(12)])
    assert "3 (!)" in repr(shown)
    assert repr(shown).count("(!)") == 1
    page = unquote(shown._repr_html_())
    assert page.count("<text") == 12
    assert page.count("class='w'") == 1
    assert page.count('"') == 8, "nothing in the picture ends the address of the picture"
    assert "<img src=" in page, "JupyterLab draws no other picture in a notebook that it does not trust"
    assert "&lt;b&gt;" in unquote(Pictures(digits()[0][:1], ["<b>"])._repr_html_())
    assert repr(Pictures([])) == ""


def test_teach_says_all_that_it_offers() -> None:
    assert set(jgrad.teach.__all__) == {"Pictures", "check", "digits", "hint", "progress"}


if __name__ == "__main__":
    said = {
        name: [verdict(name, answer(name, code, "jgrad")) for code in exercise.wrong]
        for name, exercise in EXERCISES.items()
    }
    SENTENCES.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
