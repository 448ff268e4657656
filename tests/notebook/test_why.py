"""`%why`: errors, warnings, gradients, tensors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

import jgrad
from tests.notebook.cells import run, why

pytestmark = pytest.mark.quick


def test_why(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show\nw = jgrad.ones(1, requires_grad=True)\ny = w * 2\nfor i in range(2):\n    (w * 2).backward()",
    )
    assert run(shell, "%why y.grad")[0].startswith(
        "y.grad is None: y was computed (cell 1, line 3), so it is not a leaf"
    )
    assert run(shell, "%why w.grad")[0].startswith(
        "w.grad holds the sum of 2 backward passes (cell 1, line 5)"
    )
    assert run(shell, "%why w")[0].split("\n") == [
        "w is a leaf that requires grad (cell 1, line 2): backward() adds its gradient to w.grad.",
        "w shares its memory with no other variable. Its version counter has counted no write in place.",
        run(shell, "%why w.grad")[0].rstrip(),
        "",
    ]
    assert "w.grad holds the sum of 2 backward passes" in run(shell, "%why")[0]
    run(shell, "%%trace --no-show\nz = w + 1")  # a later trace that knows w, but not how its .grad came about
    assert run(shell, "%why w.grad")[0].startswith(
        "w.grad holds the sum of 2 backward passes (cell 1, line 5)"
    )
    run(shell, "w.grad = jgrad.zeros(1)")
    assert run(shell, "%why w.grad")[0] == "w.grad is [0.].\n"
    run(shell, "fresh = jgrad.ones(1)")
    assert run(shell, "%why fresh.grad")[0].startswith("fresh.grad is None: fresh does not require grad")


def test_a_trace_that_a_bug_broke_is_passed_over(shell: InteractiveShell, shown: list) -> None:
    run(shell, "%%trace --no-show\nw = jgrad.ones(1, requires_grad=True)\ny = w * 2")
    run(shell, "%%trace --no-show\nw + 1")
    jgrad.trace.recent[-1]._document, jgrad.trace.recent[-1]._recorder = None, object()
    assert run(shell, "%why y.grad")[0].startswith("y.grad is None: y was computed (cell 1, line 3)")


def test_why_of_the_error_of_the_cell_before(shell: InteractiveShell, shown: list) -> None:
    run(shell, "x = jgrad.ones(3, requires_grad=True)\ny = x.exp()\n\ny[0] = 2\ny.sum().backward()")
    said = why(shell)
    assert said.startswith(
        "line 5: ExpBackward0 needs y at version 0, but a later write in place changed this tensor (it is at version 1 now), as line 4 (y[0] = 2) does."
    )
    assert why(shell) == said  # asking does not forget it
    assert why(shell, "y.sum().backward()") == said
    run(shell, "%why nosuch.grad")
    assert why(shell) == said
    run(shell, "z = 1")
    assert run(shell, "%why")[1].startswith(
        "UsageError: %why: the last cell raised no error, and no trace was recorded yet"
    )


def test_why_looks_for_who_wrote(shell: InteractiveShell, shown: list) -> None:
    run(shell, "y = jgrad.ones(1)\ny.zero_()")  # another y
    run(shell, "x = jgrad.ones(1, requires_grad=True)\ny = x * 1\nz = y * y\ny.grad_ = None")
    run(shell, "y.detach()[0] = 999")
    cell = shell.displayhook.prompt_count
    run(shell, "z.backward()")
    assert f"(it is at version 1 now), as cell {cell}, line 1 (y.detach()[0] = 999) does." in why(shell)
    run(shell, "y = x * 1\nz = y * y\nother = [y]\nother[0].mul_(2)\nz.backward()")
    # Which no line of the cells shows: nobody is blamed.
    assert "(it is at version 1 now). Write" in why(shell)


NET = """\
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = jgrad.nn.Sequential(jgrad.nn.Linear(2, 2), jgrad.nn.Sigmoid()%s)
    def forward(self, x):
        count = 0
        count += 1
        h = self.body(x)
        %s
        return h.sum()
net = Net()
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
def train():
    loss = net(jgrad.ones(1, 2, requires_grad=True))
    %s
    loss.backward()
train()"""


@pytest.mark.parametrize(("source", "expected"), [
    (
        "def scale(t):\n    t.mul_(2)\ndef run(w):\n    y = w.exp()\n    scale(y)\n    y.sum().backward()\nrun(jgrad.ones(2, requires_grad=True))",
        ", as t.mul_(2) in line 2 of scale (cell 1) may have done. Write `t = t.mul(2)`, which makes a new tensor.",
    ),
    (NET % ("", "h += 1", ""), ", as h += 1 in line 9 of Net.forward (cell 1) may have done. Write `h = h + 1`, which makes a new tensor."),
    (NET % (", jgrad.nn.ReLU(inplace=True)", "", ""), ", as net.body[2] (ReLU with inplace=True) may have done. Leave inplace=True out of that layer."),
    (
        NET % (", jgrad.nn.ReLU(inplace=True)", "h += 1", ""),
        ", as net.body[2] (ReLU with inplace=True) or h += 1 in line 9 of Net.forward (cell 1) may have done. Write to a clone() of the saved tensor.",
    ),
    (
        NET % ("", "", "loss.backward(retain_graph=True); opt.step()"),
        "AddmmBackward0 needs net.body[0].weight at version 1, but a later write in place changed this tensor (it is at version 2 now), "
        "as line 15 (opt.step()) does. Run backward() before opt.step(), or compute the result anew after it.",
    ),
])  # fmt: skip
def test_why_knows_who_may_have_written_in_what_was_called(
    shell: InteractiveShell, source: str, expected: str
) -> None:
    run(shell, source)
    assert expected in why(shell)


def test_why_of_the_error_of_a_traced_cell(shell: InteractiveShell, shown: list) -> None:
    run(shell, "%%trace --no-show\nx = jgrad.ones(2, requires_grad=True)\n(x * 2).backward()")
    assert why(shell).startswith("line 3: backward() starts at a tensor with several elements")
    run(shell, "%%trace --no-show\ny = x * 2")
    said = why(shell)
    assert said.startswith(
        "No mistake of the kinds that jgrad knows was found. This does not mean that there is none."
    )
    assert said.endswith("backward() was not called.")


UNTRACED = (
    "The line that raised was not traced: write %%trace in the first line of its cell, and %why can say more."
)
# A cell that raises, another cell that raises the same words, and what %why says of the second, which was not traced.
SAME_WORDS = {
    "a saved tensor is written to": (
        "w = jgrad.ones(2, requires_grad=True)\nh = w.exp()\nh += 1\nh.sum().backward()",
        "v = jgrad.ones(2, requires_grad=True)\n\nz = v.exp()\nz.mul_(3)\nz.sum().backward()",
        "line 5: ExpBackward0 needs z at version 0, but a later write in place changed this tensor (it is at version 1 now), as line 4 (z.mul_(3)) does.",
    ),
    "backward twice": (
        "w = jgrad.ones(2, requires_grad=True)\nu = (w * w).sum()\nu.backward()\nu.backward()",
        "v = jgrad.ones(2, requires_grad=True)\n\nz = (v * v).sum()\nz.backward()\nz.backward()",
        "An earlier call ran backward() and freed the saved tensors of MulBackward0, but line 5 needs them again.",
    ),
    "backward twice in a loop": (
        "w = jgrad.ones(2, requires_grad=True)\nu = (w * w).sum()\nu.backward()\nu.backward()",
        "v = jgrad.ones(2, requires_grad=True)\nz = (v * v).sum()\nz.backward()\nfor i in range(2):\n    z.backward()",
        "line 5: backward() needs saved tensors that were freed before, perhaps in an earlier round of the loop: line 5 starts at z,",
    ),
    "a root without history": (
        "w = jgrad.ones(2, requires_grad=True)\nu = w.detach().sum()\nu.backward()",
        "v = jgrad.ones(2, requires_grad=True)\n\nz = v.data.sum()\nz.backward()",
        "line 4: backward() starts at a tensor that does not require grad: nothing that it was computed from requires grad, "
        "or something cut the graph, as .data in line 3 does.",
    ),
    "no .grad": (
        "w = jgrad.ones(2, requires_grad=True)\nw.grad.sum()",
        "v = jgrad.ones(2)\n\nv.grad.sum()",
        "line 3: v.grad is None here: v does not require grad.",
    ),
}


@pytest.mark.parametrize("case", SAME_WORDS)
def test_why_of_an_error_does_not_answer_about_another_cell(
    shell: InteractiveShell, shown: list, case: str
) -> None:
    first, second, expected = SAME_WORDS[case]
    run(shell, f"%%trace --no-show\n{first}")
    traced = why(shell)
    assert UNTRACED not in traced
    run(shell, second)
    untraced = why(shell)
    assert untraced.startswith(expected)
    assert untraced.endswith(UNTRACED)
    run(shell, f"%%trace --no-show\n{first}")
    cell = shell.displayhook.prompt_count
    assert why(shell) == traced.replace("cell 1", f"cell {cell}")
    run(shell, first)  # the same source, not traced
    assert why(shell).endswith(UNTRACED)


def test_why_finds_the_trace_that_the_error_ended(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show\nw = jgrad.ones(2, requires_grad=True)\ndef block(f):\n    with jgrad.trace():\n        h = w.exp()\n"
        "        f(h)\n        h.sum().backward()",
    )
    blocks = "caught = []\nfor f in (jgrad.Tensor.zero_, jgrad.Tensor.neg_):\n    try:\n        block(f)\n    except RuntimeError as error:\n"
    run(shell, f"{blocks}        caught.append(error)\nraise caught[0]")
    said = why(shell)
    assert "zero_" in said
    assert "neg_" not in said
    assert UNTRACED not in said
    assert [t.ended_with(e) for t in list(jgrad.trace.recent)[-2:] for e in shell.user_ns["caught"]] == [
        True,
        False,
        False,
        True,
    ]


def test_why_of_an_error_in_a_function_of_another_cell(shell: InteractiveShell, shown: list) -> None:
    run(shell, "def spoil(t):\n    y = t.exp()\n    y.add_(1)\n    y.sum().backward()")
    cell = shell.displayhook.prompt_count
    run(shell, "spoil(jgrad.ones(2, requires_grad=True))")
    assert why(shell).startswith(
        f"line 4 of spoil (cell {cell}, called at line 1): ExpBackward0 needs y at version 0, but a later write in place changed this tensor "
        f"(it is at version 1 now), as cell {cell}, line 3 (y.add_(1)) does."
    )


def test_why_tries_an_expression_without_the_lines_of_an_error_like_it(
    shell: InteractiveShell, shown: list
) -> None:
    run(shell, "v = jgrad.ones(2, requires_grad=True)\nz = v.exp()\nz.mul_(3)")
    run(
        shell,
        "%%trace --no-show\nw = jgrad.ones(2, requires_grad=True)\nh = w.exp()\nh += 1\nh.sum().backward()",
    )
    said = why(shell, "z.sum().backward()")
    assert "needs z at version 0" in said
    assert "h += 1" not in said
    assert UNTRACED not in said


def test_an_error_of_a_class_that_forbids_attributes(shell: InteractiveShell, shown: list) -> None:
    source = "class Strict(Exception):\n    __slots__ = ()\n    def __setattr__(self, name, value):\n        raise TypeError(name)\n"
    _, _, result = run(shell, f"%%trace --no-show\n{source}raise Strict('as it is')")
    assert type(result.error_in_exec).__name__ == "Strict"
    assert jgrad.trace.recent[-1].ended_with(result.error_in_exec)


def test_why_names_lines_of_earlier_cells(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show --name forward\nx = jgrad.ones(3, requires_grad=True)\ny = x * 2\nz = (y * y).sum()",
    )
    run(shell, "%%trace --no-show --name write\ny.mul_(2)")
    run(shell, "z.backward()")
    assert why(shell).startswith(
        "line 4 of trace 'forward' saved y at version 0 for MulBackward0, and line 2 of trace 'write' (y.mul_(2)) then wrote to y in place (version 1)"
    )
    run(shell, "%%trace --no-show --name once\nu = (x * x).sum()\nu.backward()")
    run(shell, "u.backward()")
    assert why(shell).startswith(
        "line 3 of trace 'once' ran backward() and freed the saved tensors of MulBackward0, but line 1 needs them again."
    )
    run(shell, "%%trace --no-show --name cut\nv = x.detach() * 2")
    run(shell, "v.sum().backward()")
    assert "it was computed from x, but line 2 of trace 'cut' cut the graph with detach()." in why(shell)
    run(shell, "v = v.sum()\nv.backward()")
    assert why(shell).startswith("line 2: backward() starts at a tensor that does not require grad")


def test_why_names_a_cell_that_nothing_traced(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "%%trace --no-show --name forward\nx = jgrad.ones(3, requires_grad=True)\ny = x * 2\nz = (y * y).sum()",
    )
    run(shell, "y.mul_(2)")
    run(shell, "z.backward()")
    assert (
        ", and a line that was not traced (cell 2, line 1: y.mul_(2)) then wrote to y in place (version 1)"
        in why(shell)
    )


def test_why_writes_an_expression_in_brackets_before_a_dot(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.ones(2, requires_grad=True)")
    assert "Call (w * 2).retain_grad()" in why(shell, "(w * 2).grad")
    said = why(shell, "(w * 2) * (w + 1)")
    assert said.startswith("(w * 2) * (w + 1) is not a leaf")
    assert "((w * 2) * (w + 1)).grad is None: (w * 2) * (w + 1) was computed" in said
    assert why(shell, "w.grad").startswith("w.grad is None")


def test_why_looks_at_a_backward_without_running_it(shell: InteractiveShell, shown: list) -> None:
    run(
        shell,
        "w = jgrad.ones(2, requires_grad=True); b = jgrad.ones(2, requires_grad=True); y = (w * b).sum()",
    )
    said = why(shell, "y.backward()")
    assert said.startswith(
        "y.backward() raises no error. It would add [1., 1.] to w.grad and [1., 1.] to b.grad; %why itself added nothing"
    )
    assert shell.user_ns["w"].grad is None
    assert "add [1., 1.] to w.grad; %why" in why(shell, "y.backward(inputs=[w])")
    run(shell, "y.backward()")  # nothing was freed either
    assert why(shell, "y.backward()").startswith(
        "An earlier call ran backward() and freed the saved tensors of MulBackward0, but y.backward() needs them again."
    )
    assert why(shell, "(w * b).backward()").startswith("backward() starts at a tensor with several elements")
    assert why(shell, "w.sum().backward(jgrad.ones(3))").startswith(
        "gradient= has shape [3], but the tensor that backward() starts at has shape []"
    )
    assert shell.user_ns["w"].grad.tolist() == [1, 1]


def test_why_of_other_expressions(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.ones(2, requires_grad=True); a = jgrad.ones(2, 3)")
    assert why(shell, "w.add_(1)").startswith("w.add_(1) writes in place to a leaf that requires grad")
    assert why(shell, "a @ a").startswith("A 2x3 matrix can't be multiplied by a 2x3 matrix")
    assert why(shell, "w += 1").startswith("w += 1 writes in place to a leaf")
    assert why(shell, "jgrad.tensor(w)").startswith(
        "tensor(w) copies the numbers of the tensor w without its history"
    )
    assert why(shell, "'cannot register a hook on a tensor that doesn\\'t require gradient'").startswith(
        "This tensor, here called h, does not require grad"
    )
    assert why(shell, "Boolean value of Tensor with more than one value is ambiguous").startswith(
        "A tensor of several elements"
    )
    assert why(shell, "w * 2").startswith("w * 2 is not a leaf: it was computed")


@pytest.mark.parametrize(("asked", "said"), [
    ("y.grad is None", "y.grad is None: y was computed, so it is not a leaf"), ("y.grad == None", "y.grad is None: y was computed, so it is not a leaf"),
    ("not y.is_leaf", "y is not a leaf: it was computed"), ("w.requires_grad == False", "w is a leaf that requires grad"),
    ("n.backward()", "n is a plain number (int)"),
])  # fmt: skip
def test_why_of_what_a_stuck_person_types(
    shell: InteractiveShell, shown: list, asked: str, said: str
) -> None:
    run(shell, "w = jgrad.ones(1, requires_grad=True); y = w * 2; n = 3")
    out, err, _ = run(shell, f"%why {asked}")
    assert out.startswith(said)
    assert err == ""


def test_why_leaves_variables_as_they_are(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = before = jgrad.ones(1)")
    run(shell, "%why w = 3")
    assert shell.user_ns["w"] is shell.user_ns["before"]


@pytest.mark.parametrize(("call", "said"), [
    ("jgrad.autograd.backward(net(x).sum())", "It would add [[1., 1.]] to net.weight.grad and [1.] to net.bias.grad;"),
    ("jgrad.autograd.backward([net.weight.sum(), net.bias.sum()])", "It would add [[1., 1.]] to net.weight.grad and [1.] to net.bias.grad;"),
    ("net(x).backward(jgrad.full((1, 1), 2.))", "It would add [[2., 2.]] to net.weight.grad and [2.] to net.bias.grad;"),
])  # fmt: skip
def test_why_looks_at_a_backward_of_a_module(
    shell: InteractiveShell, shown: list, call: str, said: str
) -> None:
    run(shell, "net = jgrad.nn.Linear(2, 1); x = jgrad.ones(1, 2)")
    out, _, _ = run(shell, f"%why {call}")
    assert said in out
    assert shell.user_ns["net"].weight.grad is None


def test_why_of_a_tensor(shell: InteractiveShell, shown: list) -> None:
    run(shell, "a = jgrad.ones(4); b = a[2:]; c = a.data; d = a.clone(); d.mul_(2); d.mul_(2)")
    assert why(shell, "b").split("\n") == [
        "b is a leaf that does not require grad: autograd does not record operations on b alone.",
        "b shares memory with a and c, but a write through c does not change the version of b. Its version counter has counted no write in place.",
        "b.grad is None: b does not require grad. Call b.requires_grad_() before b is used.",
    ]
    assert (
        "d shares its memory with no other variable. Its version counter has counted 2 writes in place."
        in why(shell, "d")
    )
    run(shell, "%%trace --no-show --name writes\na.zero_()\nb.add_(1)")
    assert (
        "Its version counter has counted 2 writes in place (line 2 of trace 'writes' and line 3 of trace 'writes')."
        in why(shell, "a.requires_grad")
    )


def test_why_of_a_warning_of_an_optimizer(shell: InteractiveShell, shown: list) -> None:
    run(shell, "opt = jgrad.optim.SGD([jgrad.ones(1, requires_grad=True)], 0.1)")
    with pytest.warns(UserWarning, match="Detected call of"):
        run(shell, "jgrad.optim.lr_scheduler.StepLR(opt, 1).step()")
    assert "before opt" in why(shell)


def test_a_warning_names_the_tensor_that_it_is_about(shell: InteractiveShell, shown: list) -> None:
    """Also if others are on the line, or if the line is in a function of another cell."""
    run(shell, "w = jgrad.ones(1, requires_grad=True); x = w * 2; y = x * 2")
    run(shell, "def show(t):\n    return t.grad")
    with pytest.warns(UserWarning, match="is not a leaf Tensor is being accessed"):
        run(shell, "print(w.grad, x.grad)")
    assert why(shell).startswith("line 1: x was computed")
    with pytest.warns(UserWarning, match="is not a leaf Tensor is being accessed"):
        run(shell, "show(y)")
    assert re.match(r"cell \d+, line 2: t was computed", why(shell))
    with pytest.warns(UserWarning, match="To copy construct"):
        run(shell, "z = [w, jgrad.tensor(y)]")
    assert why(shell).startswith("line 1: tensor(y) copies the numbers of the tensor y")


def test_a_warning_about_a_grad_is_not_repeated_after_a_trace(shell: InteractiveShell, shown: list) -> None:
    """The trace knows where the tensor was computed."""
    with pytest.warns(UserWarning, match="is not a leaf Tensor is being accessed"):
        run(
            shell, "%%trace --no-show\nw = jgrad.ones(1, requires_grad=True)\ny = w * 2\ny.backward()\ny.grad"
        )
    assert why(shell).count("y.grad") == 1


def test_why_of_a_warning_of_the_cell_before(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.ones(1, requires_grad=True); y = w * 2")
    with pytest.warns(UserWarning, match="is not a leaf Tensor is being accessed"):
        run(shell, "y.grad")
    said = why(shell)
    assert said.startswith(
        "line 1: y was computed, and only leaves keep their gradient, so y.grad stays None."
    )
    assert why(shell) == said
    run(shell, "z = 1")
    assert run(shell, "%why")[1].startswith("UsageError: %why: the last cell raised no error")


def test_why_prints_no_control_characters(shell: InteractiveShell, shown: list) -> None:
    for message in (
        "\\x1b[31mred\\x07{0}",
        "\\x1b[31m a view of a leaf Variable that requires grad is being used in an in-place operation",
    ):
        run(shell, f"raise RuntimeError('{message}')")
        assert "[31m" in why(shell) or "writes in place" in why(shell)
        assert why(shell).isprintable()
    run(shell, "bad = {'\\x1b[31m': jgrad.ones(1)}")
    assert why(shell, "bad['\\x1b[31m'].grad").isprintable()


@pytest.mark.parametrize("magic", ["%trace --no-show", "%time"])
def test_why_of_the_error_of_a_line(shell: InteractiveShell, magic: str) -> None:
    run(shell, "x = jgrad.ones(2, requires_grad=True)\n1 / 0")
    run(shell, f"{magic} x.exp().backward()")
    assert "backward() starts at a tensor with several elements" in why(shell)
    run(shell, f"{magic} y = x.exp()")
    assert "backward starts" not in run(shell, "%why")[0]


def test_why_lists_the_rules_that_were_asked(shell: InteractiveShell, shown: list) -> None:
    run(shell, "w = jgrad.ones(1, requires_grad=True)\nx = jgrad.ones(1)\n(w * x).backward()")
    text, listing = run(shell, "%why --trace x.grad")[0].split("\n", 1)
    assert text == "x.grad is None: x does not require grad. Call x.requires_grad_() before x is used."
    lines = listing.strip().split("\n")
    assert re.fullmatch(r"\d+ times a rule was asked, and 1 times? one spoke:", lines[0])
    assert lines[-1] == "SPOKE   grad-not-required: it is None, and the tensor does not require grad"
    silent = [line for line in lines if line.startswith("silent  grad-without-history: ")]
    assert re.fullmatch(r".*: it came to `if [^`]+` \(rules/grad_not_kept\.py:\d+\)", silent[0])
    assert "SPOKE" not in run(shell, "%why x.grad")[0]
    run(shell, "w.backward(jgrad.ones(3))")
    assert "rules about other words: " in run(shell, "%why --trace")[0]


def test_fix_shows_the_repair_and_puts_it_into_the_next_cell(shell: InteractiveShell, shown: list) -> None:
    with pytest.raises(UsageError, match="nothing was asked yet"):
        shell.run_line_magic("fix", "")
    cell = "x = jgrad.ones(3, requires_grad=True)\ny = x.exp()  # keep\ny[0] = 2\ny.sum().backward()"
    run(shell, f"%%trace --no-show\n{cell}")
    run(shell, "%why")
    diff = run(shell, "%fix")[0]
    assert "-y = x.exp()  # keep\n+y = x.exp().clone()  # keep" in diff
    shell.set_next_input = lambda text, replace=False: shown.append(text)
    run(shell, "%fix --apply")
    assert shown == [f"%%trace --no-show\n{cell.replace('x.exp()', 'x.exp().clone()')}"]
    run(shell, shown.pop())
    assert shell.user_ns["x"].grad is not None
    run(shell, "a = jgrad.ones(2, requires_grad=True)\nb = a * 2\nb.backward()")  # not traced
    run(shell, "%why")
    assert "-b.backward()\n+b.sum().backward()" in run(shell, "%fix")[0]


def test_fix_of_a_file_is_shown_and_not_applied(
    shell: InteractiveShell, shown: list, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "def f(x):\n    return (x * 2).detach()\n"
    (tmp_path / "helper_of_mine.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    run(
        shell,
        "%%trace --no-show\nfrom helper_of_mine import f\nw = jgrad.ones(2, requires_grad=True)\nf(w).sum().backward()",
    )
    run(shell, "%why")
    assert "+++ helper_of_mine.py, mended" in run(shell, "%fix")[0]
    with pytest.raises(UsageError, match=r"the repair is in helper_of_mine\.py"):
        shell.run_line_magic("fix", "--apply")
    assert (tmp_path / "helper_of_mine.py").read_text() == text
    run(shell, "%why w")
    with pytest.raises(UsageError, match="no edit of your code fits"):
        shell.run_line_magic("fix", "")
    with pytest.raises(UsageError, match="is no option"):
        shell.run_line_magic("fix", "--now")


def test_numbers_that_were_only_printed_elsewhere_are_not_blamed(shell: InteractiveShell) -> None:
    run(
        shell,
        "def report(loss):\n    print((loss * 1).item())\n\ndef number(loss):\n    value = (loss * 1).item()\n    return value",
    )
    run(shell, "net = jgrad.nn.Linear(1, 1)\nopt = jgrad.optim.SGD(net.parameters(), 0.1)")
    loop = (
        "%%trace --no-show\nfor i in range(3):\n    loss = net(jgrad.ones(1, 1)).sum()\n    report(loss)\n"
        "    objective = jgrad.tensor({}, requires_grad=True)\n    objective.backward()\n    opt.step()"
    )
    run(shell, loop.format("5.0"))
    assert ".item()" not in why(shell)
    run(shell, loop.format("number(loss)"))
    assert "(loss * 1).item() in line 5 of cell 1 took them out of the graph" in why(shell)


def test_who_changed_a_tensor_is_said_first(shell: InteractiveShell) -> None:
    run(shell, "def half(t):\n    t /= 2\n    return t\nbase = jgrad.zeros(4)\nx = jgrad.ones(2)")
    run(shell, "%%trace --no-show\ny = half(x)\nrow = base.view(2, 2)[0]\nrow += 5\nbase[1] = 3")
    assert why(shell, "x").startswith(
        "t /= 2 in line 2 of half (cell 1, called at cell 2, line 2) changed x in place: t is the same tensor."
    )
    assert why(shell, "base").startswith(
        "cell 2, line 4 (row += 5) changed base in place: row has the same memory. Make row with clone()"
    )
    assert why(shell, "row").startswith(
        "cell 2, line 5 (base[1] = 3) changed row in place: base has the same memory."
    )


def test_what_an_earlier_cell_made_is_known(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The statement that gave the loss its name, and no other one; and a repair changes it there."""
    monkeypatch.setattr(InteractiveShell, "_instance", shell)
    shell.run_cell("nn = jgrad.nn\nnet = nn.Linear(2, 1)", store_history=True)
    shell.run_cell("other = nn.Linear(1, 1)\ncriterion = nn.MSELoss", store_history=True)
    shell.run_cell(
        "%%trace\ndef fit():\n    return criterion(net(jgrad.ones(3, 2)), jgrad.zeros(3, 1))\nfit()",
        store_history=True,
    )
    sources = jgrad.trace.recent[-1].document["sources"]
    assert ["criterion = nn.MSELoss"] in [one["lines"] for one in sources]
    assert not any("other" in line for one in sources for line in one["lines"])
    capsys.readouterr()
    shell.run_line_magic("why", "")
    assert "Write criterion = nn.MSELoss()." in capsys.readouterr().out
