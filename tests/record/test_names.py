"""What tensors are called: by the user's own names, whichever way he holds them."""

from __future__ import annotations

from typing import Any

import pytest

import jgrad
from jgrad.tracing.record.names import MODULES
from jgrad.tracing.record.outlines import OWN_FIELDS
from jgrad.tracing.record.recorder import Recorder
from jgrad.tracing.record.scope import Scope
from tests.record.tracing import trace

pytestmark = pytest.mark.quick

# source: what is said of its last steps
SAID = {
    "w = jgrad.ones(2, requires_grad=True)\nw = w * 2\nw = w + 1": [
        "line 1: ones() made w [2] in storage 1; it is a leaf that requires grad",
        "line 2: w * 2 made w [2] in storage 2; its grad_fn is MulBackward0",
        "line 3: w + 1 made w [2] in storage 3; its grad_fn is AddBackward0",
    ],
    "(jgrad.ones(2) * 2).sum()": [
        "line 1: ones() made a tensor [2] in storage 1",
        "line 1: jgrad.ones(2) * 2 made a tensor [2] in storage 2",
        "line 1: (jgrad.ones(2) * 2).sum() made a tensor [] in storage 3",
    ],
    "xs = [jgrad.ones(2), jgrad.zeros(2)]\nxs[1] = xs[0] * 3\nxs.append(xs[1] + 1)": [
        "line 1: zeros() made xs[1] [2] in storage 2",
        "line 2: xs[0] * 3 made xs[1] [2] in storage 3",
        "line 3: xs[1] + 1 made xs[2] [2] in storage 4",
    ],
    "p = {'w': jgrad.ones(2, requires_grad=True)}\np['y'] = p['w'] * 2": [
        "line 1: ones() made p['w'] [2] in storage 1; it is a leaf that requires grad",
        "line 2: p['w'] * 2 made p['y'] [2] in storage 2; its grad_fn is MulBackward0",
    ],
    "class A: pass\na = A()\na.w = jgrad.ones(2)\na.w = a.w * 2": [
        "line 3: ones() made a.w [2] in storage 1",
        "line 4: a.w * 2 made a.w [2] in storage 2",
    ],
    "ws = [jgrad.ones(2) for k in range(2)]\nws[0].add_(1)": [
        "line 1: ones() made ws[1] [2] in storage 2",
        "line 2: ws[0].add_(1) wrote 2 elements of storage 1; version 0 to 1",
    ],
    "def make():\n    inner = jgrad.ones(2)\n    return lambda y: inner * y\nu = make()\nz = u(jgrad.ones(2))": [
        "line 5: ones() made y [2] in storage 2",
        "line 3: inner * y made z [2] in storage 3",
    ],
    "ws = [jgrad.ones(2), jgrad.zeros(2)]\nfor w in ws:\n    v = w * 2\n    v.add_(1)": [
        "line 3: w * 2 made v [2] in storage 3",
        "line 4: v.add_(1) wrote 2 elements of storage 3; version 0 to 1",
        "line 3: w * 2 made v [2] in storage 4",
        "line 4: v.add_(1) wrote 2 elements of storage 4; version 0 to 1",
    ],
    "def f(x):\n    y = x * 2\n    return g(y)\ndef g(x):\n    y = x + 1\n    y.add_(1)\n    return y\ny = jgrad.ones(2)\nz = f(y)": [
        "line 8: ones() made y [2] in storage 1",
        "line 2: x * 2 made y [2] in storage 2",
        "line 5: x + 1 made y [2] in storage 3",
        "line 6: y.add_(1) wrote 2 elements of storage 3; version 0 to 1",
    ],
    "w = jgrad.ones(2)\nw.data.mul_(2)\nw.detach().mul_(2)": [
        "line 2: w.data.mul_(2) wrote 2 elements of storage 1; version 0 to 1 of w.data, and not of w",
        "line 3: w.detach() made a tensor, which shares storage 1 and the version counter of w, but has no history",
        "line 3: w.detach().mul_(2) wrote 2 elements of storage 1; version 0 to 1",
    ],
    "w = jgrad.ones(2)\np = jgrad.nn.Parameter(w)\nnet = jgrad.nn.Linear(1, 1, bias=False)": [
        "line 2: jgrad.nn.Parameter(w) made p [2], a parameter in storage 1",
        "line 3: empty() made a tensor [1, 1] in storage 2",
        "line 3: jgrad.nn.Linear(1, 1, bias=False) made a parameter [1, 1] in storage 2",
        "line 3: jgrad.nn.Linear(1, 1, bias=False) wrote 1 element of net.weight (storage 2); version 0 to 1",
    ],
    "w = jgrad.ones(2)\nc = w.data\nc[0] = 5.0": [
        "line 3: c[0] made a tensor [], a view of storage 1",
        "line 3: c[0] wrote 1 element of storage 1; version 0 to 1 of c, and not of w",
    ],
    "a, b = jgrad.ones(4).split(2)\na.mul_(2)": [
        "line 1: jgrad.ones(4).split(2) made a [2] and b [2], views of storage 1",
        "line 2: a.mul_(2) wrote 2 elements of storage 1; version 0 to 1",
    ],
    "def items():\n    for k in range(2):\n        item = jgrad.ones(1) * k\n        yield item\nfor e in items():\n    e.add_(1)": [
        "line 3: jgrad.ones(1) * k made e [1] in storage 4",
        "line 6: e.add_(1) wrote 1 element of storage 4; version 0 to 1",
    ],
}


@pytest.mark.parametrize("source", SAID)
def test_names(source: str) -> None:
    expected = SAID[source]
    assert [step["text"] for step in trace(source).document["steps"]][-len(expected) :] == expected


def names(source: str) -> list[list[str]]:
    return [[name for _, name in t["names"]] for t in trace(source).document["tensors"]]


def test_a_tensor_keeps_its_first_name_and_takes_the_next_when_that_goes() -> None:
    assert names("x = jgrad.ones(2)\ny = x\ny.add_(1)\ndel x\ny.add_(2)") == [["x", "y"]]


def test_what_a_name_meant_before_has_it_no_more() -> None:
    first, second = names("w = jgrad.ones(2)\nw = w * 2\nw.add_(1)")
    assert first == ["w", ""]
    assert second == ["w"]


def test_variables_of_a_function_that_calls_itself() -> None:
    named = names("""
def power(x, n):
    y = x * n
    z = y if n == 1 else power(y, n - 1)
    return z + y
power(jgrad.ones(2), 3)
""")
    assert [[n for n in shown if n] for shown in named] == [["x"], ["y"], ["y"], ["y"], ["z"], ["z"], []]
    assert named[1] == ["y", ""]


@pytest.mark.parametrize("nobody_knew", [False, True])
def test_what_lies_where_a_tensor_was_that_is_gone_is_not_that_tensor(nobody_knew: bool) -> None:
    """As after `r = copy.copy(r)`, of which nobody reports anything, if the copy happens to get the memory of the first."""
    variables: dict[str, Any] = {"r": jgrad.ones(2)}
    recorder = Recorder(Scope("<cell>", variables, ["r"]))
    recorder.start()
    there, gone = recorder.names.globals, recorder.known_tensor(variables["r"], None)
    variables["r"] = copy = jgrad.ones(2)
    assert gone() is None
    recorder.tensor_of[id(copy)] = gone
    there.addresses, there.known = [id(copy)], [None if nobody_knew else gone]
    recorder.names.look(there, variables.get)
    found = recorder.record_of(copy)
    assert found is not None
    assert recorder.names.bound == {"r": found.id}


MODEL = """
class Block(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.norm = jgrad.nn.Linear(2, 2), jgrad.nn.BatchNorm1d(2)
    def forward(self, x):
        return self.norm(self.linear(x))
class Net(jgrad.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = jgrad.nn.ModuleList([Block() for _ in range(n)])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
"""
TRAIN = "net(jgrad.rand(3, 2)).sum().backward()\nopt.step()"


def in_code(path: str) -> str:
    """`blocks.0.norm.weight` as code writes it."""
    return "net" + "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in path.split("."))


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize("layers", [1, 20, MODULES])
@pytest.mark.parametrize("built", ["in the cell", "before", "before, and only the optimizer is named"])
def test_parameters_buffers_and_state_of_a_model_of_any_size(layers: int, built: str) -> None:
    build = f"{MODEL}net = Net({layers})\nopt = jgrad.optim.Adam(net.parameters())\n"
    namespace: dict[str, Any] = {"jgrad": jgrad, "__name__": "__main__"}
    if built != "in the cell":
        exec(build, namespace)
    source = {"in the cell": build + TRAIN, "before": TRAIN}.get(built, "opt.step()")
    if built.endswith("named"):
        exec(TRAIN, namespace)
    t = trace(source, namespace, max_steps=100_000)
    net, opt = t.namespace["net"], t.namespace["opt"]
    tensors = t.document["tensors"]
    expected = {in_code(path): p for path, p in [*net.named_parameters(), *net.named_buffers()]}
    for name, parameter in list(expected.items()):
        expected |= {
            f"opt.state[{name}][{key!r}]": value for key, value in opt.state.get(parameter, {}).items()
        }
    for name, tensor in expected.items():
        number = t.number_of(tensor)
        if number is not None:  # (the buffers don't take part where only the optimizer does)
            assert tensors[number]["names"][-1][1] == name[:80]
    assert None not in {t.number_of(p) for p in net.parameters()}


def test_a_model_in_a_function_and_one_of_a_class_of_another_module() -> None:
    namespace: dict[str, Any] = {"jgrad": jgrad, "__name__": "elsewhere"}
    exec(MODEL, namespace)
    t = trace(
        "def train():\n    net = Net(20)\n    net(jgrad.ones(3, 2)).sum().backward()\n    return net\nkept = train()",
        {"Net": namespace["Net"]},
    )
    names = [
        [n for _, n in t.document["tensors"][t.number_of(p)]["names"] if n]
        for p in t.namespace["kept"].parameters()
    ]
    paths = [path for path, _ in t.namespace["kept"].named_parameters()]
    assert [(n[0], n[-1]) for n in names] == [
        (in_code(p), in_code(p).replace("net", "kept", 1)) for p in paths
    ]


def test_a_parameter_that_is_replaced_and_an_attribute_of_a_module() -> None:
    source = """
net = jgrad.nn.Sequential(*[jgrad.nn.Linear(1, 1) for _ in range(30)])
first = net[29].weight.data
net[29].weight = jgrad.nn.Parameter(jgrad.ones(1, 1))
net[3].scale = jgrad.ones(1)
y = net(jgrad.ones(1)) * net[3].scale
"""
    t = trace(source)
    net = t.namespace["net"]
    tensors = t.document["tensors"]
    for name, tensor in (("net[29].weight", net[29].weight), ("net[3].scale", net[3].scale)):
        assert tensors[t.number_of(tensor)]["names"][-1][1] == name
    assert [x["freed_step"] for x in tensors if [n for _, n in x["names"] if n] == ["net[29].weight"]].count(
        None
    ) == 1


def test_the_fields_of_a_module() -> None:
    assert frozenset(vars(jgrad.nn.Module())) == OWN_FIELDS


def test_a_layer_that_gets_another_class_when_it_first_runs() -> None:
    t = trace("net = jgrad.nn.LazyLinear(1)\nnet(jgrad.ones(2, 3)).sum().backward()")
    tensors = t.document["tensors"]
    for name, parameter in t.namespace["net"].named_parameters():
        assert tensors[t.number_of(parameter)]["names"][-1][1] == f"net.{name}"


def test_long_names_that_differ_at_their_end_stay_apart() -> None:
    long = "w" * 500
    t = trace(f"{long}a = jgrad.ones(2)\n{long}b = {long}a * 2\n{long}c = {long}b * 2")
    named = [[name for _, name in tensor["names"]] for tensor in t.document["tensors"]]
    assert [[name[-2:] for name in names] for names in named] == [["wa"], ["wb"], ["wc"]]
    assert all(len(name) == 80 for names in named for name in names)


def test_items_of_a_long_list_have_their_names_after_the_loop_over_it() -> None:
    document = trace("""
ps = [jgrad.zeros(2) for _ in range(100)]
for p in ps:
    p += 1
""").document
    names = [tensor["names"][-1][1] for tensor in document["tensors"][:100]]
    assert names == [*[f"ps[{i}]" for i in range(99)], "p"]


def test_a_layer_is_named_by_the_layers_around_it_and_not_by_a_list_that_a_wrapper_keeps() -> None:
    t = trace("""
class Wrapper(jgrad.nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module
        self._parameters_of_it = list(module.parameters())
    def forward(self, x):
        return self.module(x)

def main():
    net = Wrapper(jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.Linear(3, 1)))
    net(jgrad.ones(2)).sum().backward()

main()
""")
    shown = {tuple(n for _, n in one["names"] if n) for one in t.document["tensors"]}
    assert ("net.module[0].weight",) in shown
    assert ("net.module[1].bias",) in shown
    assert not any("_parameters_of_it" in name for names in shown for name in names)


def test_the_layers_of_a_wrapper_that_passes_names_on_are_called_as_code_calls_them() -> None:
    """As those of Fabric and of torch.compile; another wrapper has them under the name that it gave them."""
    wrapper = """
class Wrapper(jgrad.nn.Module):
    def __init__(self, module):
        super().__init__()
        self._wrapped = module
    def forward(self, x):
        return self._wrapped(x)
"""
    passes_on = "    def __getattr__(self, name):\n        return super().__getattr__('_modules')['_wrapped'] if name == '_wrapped' else getattr(self._wrapped, name)\n"
    used = "net = Wrapper(jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.Linear(3, 1)))\nnet(jgrad.ones(2)).sum().backward()\n"
    for source, name in (
        (wrapper + passes_on + used, "net[0].weight"),
        (wrapper + used, "net._wrapped[0].weight"),
    ):
        document = trace(source.replace("super().__getattr__('_modules')", "vars(self)['_modules']")).document
        assert name in [n for one in document["tensors"] for _, n in one["names"]]
        assert document["modules"][0]["name"] == "net"
    held = "class Held:\n    def __init__(self, net):\n        self._net = net\nheld = Held(jgrad.nn.Linear(2, 1))\nheld._net(jgrad.ones(2))"
    assert "held._net.weight" in [n for one in trace(held).document["tensors"] for _, n in one["names"]]
