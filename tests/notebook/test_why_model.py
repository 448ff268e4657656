"""`%why model`: which parameters do not train, and why."""

from __future__ import annotations

import re

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.notebook.cells import run, why

pytestmark = pytest.mark.quick

NET = """\
nn = jgrad.nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.drop = nn.Dropout(0.0)
        self.last = nn.Linear(3, 1)
    def forward(self, x):
        return self.last(self.drop(self.first(x)))
net = Net()
sgd = jgrad.optim.SGD(net.parameters(), 0.1)
"""
STEP = "loss = net(jgrad.ones(1, 2)).sum()\nloss.backward()\nsgd.step()"
WELL = "net trains: sgd holds all 4 parameters of its 2 layers, and the last backward() filled every .grad."

# What is changed before the training step, and what %why says of it; `{}` is the sentence about the number of parameters.
CASES = {
    "frozen": (
        "net.first.requires_grad_(False)",
        2,
        "net.first (Linear): requires_grad is False, so backward()",
    ),
    "half frozen": ("net.first.bias.requires_grad_(False)", 1, "net.first.bias: requires_grad is False"),
    "replaced after the optimizer": (
        "net.last = nn.Linear(3, 1)",
        2,
        "net.last (Linear): not in sgd, so step() changes nothing. Make the optimizer from net.parameters() after",
    ),
    "a learning rate of zero": (
        "sgd.param_groups[0]['lr'] = 0",
        4,
        "all parameters of net: the learning rate in sgd is 0",
    ),
    "unused": (
        "net.extra = nn.Linear(3, 1)\nsgd = jgrad.optim.SGD(net.parameters(), 0.1)",
        2,
        "net.extra (Linear): net.extra.weight.grad is None",
    ),
    "detached": (
        "net.first.register_forward_hook(lambda m, a, out: out.detach())",
        2,
        "net.first (Linear): net.first.weight.grad is None",
    ),
    "zero gradients": (
        "net.drop = nn.ReLU()\nnet.first.bias.data.fill_(-100.)",
        3,  # the input of the last layer is zero, so the gradient of its weight is zero too
        "net.first (Linear): net.first.weight.grad is zero: ReluBackward0",
    ),
    "well": ("pass", 0, WELL),
}


@pytest.mark.parametrize("cleared", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_it_finds_exactly_the_parameters_that_stay(shell: InteractiveShell, case: str, cleared: bool) -> None:
    change, number, expected = CASES[case]
    run(shell, f"{NET}{change}\nbefore = {{n: p.detach().clone() for n, p in net.named_parameters()}}")
    if case == "zero gradients" and cleared:
        number, expected = 0, WELL  # backward() filled them; that they were zero is gone
    run(shell, f"%%trace --no-show\n{STEP}" + "\nsgd.zero_grad()" * cleared)
    run(shell, "stayed = [n for n, p in net.named_parameters() if p.equal(before[n])]")
    stayed = shell.user_ns["stayed"]
    answers = why(shell, "net").split("\n")
    if number:
        verb = "does" if number == 1 else "do"
        total = len(shell.user_ns["before"])
        assert answers[0] == f"{number} of {total} parameters of net {verb} not train."
        assert len(stayed) == number
        assert answers[1].startswith(expected)
        assert len(answers) == 2 + (case == "zero gradients")
    else:
        assert answers == [expected]
        assert stayed == [] or cleared


def test_nan(shell: InteractiveShell) -> None:
    run(
        shell,
        f"{NET}net.last = nn.Sequential()\nnet.drop = type('Root', (nn.Module,), {{'forward': lambda self, x: (x * 0).sqrt()}})()",
    )
    run(shell, f"%%trace --no-show\n{STEP.replace('sgd.step()', '')}")
    answers = why(shell, "net")
    assert answers.startswith(
        "2 of 2 parameters of net do not train.\nall parameters of net: net.first.weight.grad holds nan"
    )
    assert "SqrtBackward0" in answers


def test_without_a_trace_nothing_is_guessed(shell: InteractiveShell) -> None:
    run(shell, NET)
    assert why(shell, "net") == (
        "net: sgd holds all 4 parameters of its 2 layers. Every .grad is None: no backward() has run, or the gradients were cleared since. "
        "Trace a step of the training with %%trace, then %why net can say more."
    )
    run(shell, STEP)
    assert why(shell, "net") == WELL
    run(shell, "net.last.bias.grad = None")
    assert why(shell, "net").split("\n")[1] == (
        "net.last.bias: net.last.bias.grad is None while other parameters have one: backward() did not reach it."
    )


def test_without_an_optimizer(shell: InteractiveShell) -> None:
    run(shell, f"{NET}del sgd\nnet(jgrad.ones(1, 2)).sum().backward()")
    assert why(shell, "net").startswith(
        "net can train: all 4 parameters of its 2 layers require grad, and the last"
    )


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("[nn.Linear(2, 2), nn.Linear(2, 1)]", "list, so net.parameters() leaves out 4 parameters in it. Make it with jgrad.nn.ModuleList(...)."),
        ("{'a': [nn.Linear(2, 2)]}", "dict, so net.parameters() leaves out 2 parameters in it. Make it with jgrad.nn.ModuleDict(...)."),
        ("[nn.Parameter(jgrad.ones(1))]", "list, so net.parameters() leaves out 1 parameter in it. Make it with jgrad.nn.ParameterList(...)."),
        ("jgrad.ones(1, requires_grad=True)", "tensor, so net.parameters() leaves out 1 parameter. Make it with jgrad.nn.Parameter(...)."),
        ("[net.first]", None),
        ("jgrad.ones(1)", None),
        ("[nn.Linear(2, 2).requires_grad_(False)]", None),  # a teacher that should not learn
    ],
)  # fmt: skip
def test_what_parameters_leaves_out(shell: InteractiveShell, made: str, expected: str | None) -> None:
    run(shell, f"{NET}{STEP}\nnet.kept = {made}")
    answers = why(shell, "net").split("\n")
    if expected is None:
        assert answers == [WELL]
    else:
        assert answers == [f"net.kept is a plain {expected}", f"The rest of {WELL}"]


def test_layers_in_a_plain_list_that_the_optimizer_holds(shell: InteractiveShell) -> None:
    run(
        shell,
        f"{NET}net.kept = [nn.Linear(2, 2)]\nsgd.add_param_group({{'params': net.kept[0].parameters()}})\n{STEP}",
    )
    assert why(shell, "net").split("\n")[0] == (
        "net.kept is a plain list, so net.state_dict() does not save the 2 parameters in it, although sgd trains them. "
        "Make it with jgrad.nn.ModuleList(...)."
    )


@pytest.mark.parametrize(
    ("magic", "expected"),
    [
        (
            "%%trace --no-show\n",
            "all parameters of net: trained until round 4 (cell 2). The learning rate in sgd is 0 now, so another step() changes nothing. "
            "To train on, make a new optimizer, and a new schedule if there is one.",
        ),
        ("", "all parameters of net: a schedule has taken the learning rate in sgd from 0.1 to 0, so step() changes nothing now."),
    ],
)  # fmt: skip
def test_a_schedule_that_has_ended_is_no_reason_why_nothing_trained(
    shell: InteractiveShell, magic: str, expected: str
) -> None:
    run(shell, f"{NET}schedule = jgrad.optim.lr_scheduler.CosineAnnealingLR(sgd, 4)")
    step = "\n".join(f"    {line}" for line in [*STEP.split("\n"), "schedule.step()"])
    run(shell, f"{magic}for i in range(4):\n{step}")
    assert why(shell, "net") == expected


def test_every_reason_is_given(shell: InteractiveShell) -> None:
    run(shell, f"{NET}net = Net()\nnet.first.register_forward_hook(lambda m, a, out: out.detach())")
    run(shell, "%%trace --no-show\nnet(jgrad.ones(1, 2)).sum().backward()")
    answers = why(shell, "net").split("\n")
    assert answers[0] == "4 of 4 parameters of net do not train."
    assert answers[1].startswith("all parameters of net: not in sgd")
    assert answers[2].startswith("net.first (Linear): net.first.weight.grad is None")
    assert len(answers) == 3


def test_layers_in_eval_mode(shell: InteractiveShell) -> None:
    run(shell, f"{NET}{STEP}\nnet.drop.eval()")
    assert (
        why(shell, "net").split("\n")[0]
        == "net.drop (Dropout) is in eval mode. Call net.train() before training."
    )
    run(shell, "net.eval()")
    assert (
        why(shell, "net")
        .split("\n")[0]
        .startswith("net is in eval mode, in which Dropout works differently.")
    )
    run(shell, "net.train()")
    assert why(shell, "net") == WELL


def test_two_hundred_layers_are_a_few_lines(shell: InteractiveShell) -> None:
    run(
        shell,
        "nn = jgrad.nn\nbig = nn.Sequential(*[nn.Linear(2, 2) for _ in range(200)])\nfor layer in big[:150]: layer.requires_grad_(False)\n"
        "for layer in big[160:200:2]: layer.bias.requires_grad_(False)\nsgd = jgrad.optim.SGD(big[:199].parameters(), 0.1)\n"
        "for p in big.parameters(): p.grad = jgrad.ones_like(p)",
    )
    answers = why(shell, "big").split("\n")
    assert answers[0] == "322 of 400 parameters of big do not train."
    assert answers[1].startswith("big[0] to big[149] (Linear), big[160].bias, big[162].bias,")
    assert answers[2].startswith("big[199] (Linear): not in sgd")
    assert len(answers) == 3
    assert max(map(len, answers)) < 300


def test_names_are_those_that_a_user_can_write(shell: InteractiveShell) -> None:
    run(
        shell,
        "nn = jgrad.nn\nclass Deep(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.heads = nn.ModuleDict({'a b': nn.ModuleList([nn.Linear(1, 1)])})\n        self.tied = self.heads['a b'][0]\n"
        "deep = Deep()\ndeep.tied.weight.requires_grad_(False)",
    )
    answers = why(shell, "deep").split("\n")
    assert answers[0] == "1 of 2 parameters of deep does not train."
    name = re.match(r"(.*?): requires_grad is False", answers[1])[1]  # type: ignore[index]
    assert name == "deep.heads['a b'][0].weight"
    assert eval(name, shell.user_ns) is shell.user_ns["deep"].tied.weight
    assert why(shell, "deep.heads").startswith("1 of 2 parameters of deep.heads does not train.")


def test_a_module_without_parameters(shell: InteractiveShell) -> None:
    assert why(shell, "jgrad.nn.ReLU()") == "jgrad.nn.ReLU() has no parameters."


FREED = """\
kept = net.first.weight.exp().sum()
for _ in range(2):
    sgd.zero_grad()
    (net(jgrad.ones(1, 2)).sum() + kept).backward()
    sgd.step()
"""


def test_after_a_backward_that_raised_the_gradients_are_those_of_the_one_before(
    shell: InteractiveShell,
) -> None:
    run(shell, NET)
    shell.run_cell("%%trace --no-show\n" + FREED)
    assert why(shell, "net") == WELL.replace(
        "the last backward() filled every .grad.",
        "a backward() filled every .grad before the last one raised an error, which did not fill them all.",
    )


def test_a_copy_is_a_cause_of_its_own(shell: InteractiveShell) -> None:
    """deepcopy() uses .data, which nobody can leave out there."""
    run(shell, "import copy\n" + NET)
    run(shell, "%%trace --no-show\nother = copy.deepcopy(net)\nother(jgrad.ones(1, 2)).sum().backward()")
    assert "cut the graph with copy.deepcopy(net), which makes a new leaf." in why(
        shell, "net.last.weight.grad"
    )
    assert ".data" not in why(shell, "net.last.weight.grad")
