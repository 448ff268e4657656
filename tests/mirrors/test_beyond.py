"""What lies beyond plain operators: none of it raises an error in a traced cell, or makes the recorder fail."""

from __future__ import annotations

import queue
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import jgrad
from jgrad import mirrors
from jgrad.asking.answer import about_error
from jgrad.asking.naming import no_tensor
from jgrad.asking.question import answer
from jgrad.notebook.tables import summary
from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.notes import findings
from tests.mirrors.both import on_both, plainly, record
from tests.record.tracing import trace

torch = pytest.importorskip("torch")

from tests.mirrors.watched import graph  # noqa: E402

CELLS = {
    "modes and classes that say what operators do": """
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
calls = []
class Listed(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        calls.append(str(function))
        return function(*args, **(kwargs or {}))
x = torch.ones(2, 3, 4).transpose(1, 2)
with Listed():
    y = x.reshape(6, 4)
    z = x @ torch.ones(3, 2)
with FakeTensorMode():
    a = torch.ones(2, 3, 4).transpose(1, 2)
    b = a.reshape(6, 4)
    a.set_(torch.ones(2))
c = a.reshape(2)
calls += [type(t).__name__ for t in (a, b, c)]
del a, b, c
""",
    "checkpoint": """
from torch.utils.checkpoint import checkpoint
w = torch.ones(3, requires_grad=True)
calls = []
def f(x):
    calls.append(1)
    return (x * w).sin()
y = checkpoint(f, w * 2, use_reentrant=False)
y.sum().backward()
assert len(calls) == 2
z = checkpoint(f, w * 2, use_reentrant=True)
z.sum().backward()
assert len(calls) == 4
""",
    "vmap and grad": """
from torch.func import grad, vmap
x = torch.arange(3.)
g = vmap(grad(lambda t: t ** 2))(x)
h = torch.func.hessian(lambda t: (t ** 3).sum())(x)
""",
    "saved hooks": """
x = torch.ones(3, requires_grad=True)
seen = []
with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append('p') or t, lambda t: seen.append('u') or t):
    y = x.exp() * x
n0 = len(seen)
y.sum().backward()
assert seen == ["p"] * 3 + ["u"] * 3
""",
    "bfloat16 and complex and sparse": """
a = torch.ones(3, dtype=torch.bfloat16, requires_grad=True)
b = (a * 2).float().sum()
b.backward()
c = torch.tensor([1+2j, 3j]); d = c.conj(); e = d * 2; n = d.imag
s = torch.eye(2).to_sparse(); t = s @ torch.ones(2, 2)
m = torch.ones(3, device='meta') * 2
""",
    "jit": """
@torch.jit.script
def f(x):
    y = x * 2
    return y.relu()
w = torch.ones(2, requires_grad=True)
o = f(w).sum()
o.backward()
""",
    "compile": """
@torch.compile(backend="eager")
def f(x):
    return (x * 2).relu()
w = torch.ones(2, requires_grad=True)
o = f(w).sum()
o.backward()
""",
    "compile ahead of time": """
@torch.compile(backend="aot_eager")
def f(x, w):
    return (x @ w).relu().sum()
w = torch.ones(3, 2, requires_grad=True)
o = f(torch.ones(4, 3), w)
o.backward()
""",
    "threads": """
import threading
w = torch.ones(2, requires_grad=True)
def work():
    for _ in range(5): (w * 2).sum()
ts = [threading.Thread(target=work) for _ in range(3)]
[t.start() for t in ts]; [t.join() for t in ts]
o = (w * 3).sum(); o.backward()
""",
    "dataloader": """
from torch.utils.data import DataLoader, TensorDataset
ds = TensorDataset(torch.arange(8.).view(8, 1), torch.ones(8))
for x, y in DataLoader(ds, batch_size=4, num_workers=0): pass
""",
    "parametrize and rnn and bn": """
rnn = torch.nn.LSTM(2, 3); o, h = rnn(torch.ones(4, 1, 2)); o.sum().backward()
bn = torch.nn.BatchNorm1d(2); y = bn(torch.ones(3, 2))
mha = torch.nn.MultiheadAttention(4, 2); r = mha(torch.ones(2,1,4), torch.ones(2,1,4), torch.ones(2,1,4))
tl = torch.nn.TransformerEncoderLayer(4, 2, 8); tl(torch.ones(2,1,4)).sum().backward()
te = torch.nn.TransformerEncoder(tl, 2); te(torch.randn(2,1,4)).sum().backward()
te.eval(); fast = te(torch.randn(2,1,4))
with torch.inference_mode(): faster = te(torch.randn(2,1,4)) * 1
""",
    "deepcopy and save and pickle": """
import copy, io
w = torch.ones(2, requires_grad=True)
v = copy.deepcopy(w)
b = io.BytesIO(); torch.save({'w': w}, b); b.seek(0); u = torch.load(b)
y = w * 2; s = repr(y)
""",
    "forward ad": """
import torch.autograd.forward_ad as fwAD
with fwAD.dual_level():
    d = fwAD.make_dual(torch.ones(2), torch.ones(2))
    y = (d * 3).sin()
    j = fwAD.unpack_dual(y).tangent
""",
    "amp": """
w = torch.ones(2, 2, requires_grad=True)
with torch.autocast('cpu', dtype=torch.bfloat16):
    y = w @ w
y.float().sum().backward()
""",
    "subclass": """
class My(torch.Tensor): pass
a = torch.ones(2).as_subclass(My); b = a * 2
p = torch.nn.Parameter(torch.ones(2)); buf = getattr(torch.nn, "Buffer", torch.nn.Parameter)(torch.ones(1))
""",
    "float8": """
a = torch.arange(300.).to(torch.float8_e4m3fn)
b = a.to(torch.float32) * 2
""",
    "optimizers": """
w = torch.nn.Parameter(torch.ones(3))
for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
    for how in ({"foreach": False}, {"foreach": True}, {"fused": True}):
        opt = kind([w], lr=0.1, **how)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 3)
        (w * w).sum().backward()
        torch.nn.utils.clip_grad_norm_([w], 1.0)
        opt.step()
        scheduler.step()
        opt.zero_grad()
""",
    "data loader with workers": """
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.arange(8.).view(8, 1), torch.ones(8))
total = sum(x.sum().item() for x, y in DataLoader(data, batch_size=4, num_workers=1))
assert total == 28
""",
    "meta": """
with torch.device("meta"):
    big = torch.nn.Linear(30_000, 30_000)
y = big(torch.empty(2, 30_000, device="meta"))
""",
    "nan in anomaly mode": """
w = torch.zeros(1, requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    try:
        (w / w).sum().backward()
    except RuntimeError as error:
        assert "DivBackward0" in str(error)
""",
}


@pytest.mark.parametrize("cell", CELLS)
def test_it_runs_as_ever(cell: str) -> None:
    torch.manual_seed(0)
    t = record(CELLS[cell], torch)
    assert t.error is None
    torch.manual_seed(0)
    plain = plainly(CELLS[cell], torch)
    for name, value in plain.items():
        if isinstance(value, torch.Tensor):
            assert same(value, t.namespace[name]), name
        elif isinstance(value, torch.nn.Module):
            pairs = zip(value.parameters(), t.namespace[name].parameters(), strict=True)
            assert all(same(a, b) and same(a.grad, b.grad) for a, b in pairs), name
        elif isinstance(value, (int, float, str)) or name == "calls":
            assert value == t.namespace[name], name


def same(a: Any, b: Any) -> bool:
    """Whether two tensors are the same to the last bit, with their gradients."""
    if a is None or b is None:
        return a is b
    if a.is_meta or a.layout is not torch.strided:
        return (a.shape, a.dtype, a.layout) == (b.shape, b.dtype, b.layout)
    grads = (a.grad, b.grad) if a.is_leaf else (None, None)
    plain = [t.detach().as_subclass(torch.Tensor) for t in (a, b)]
    if a.dtype.itemsize == 1:  # PyTorch 2.4 can't compare float8
        plain = [t.view(torch.uint8) for t in plain]
    return torch.equal(*plain) and type(a).__name__ == type(b).__name__ and (grads[0] is a or same(*grads))


def test_the_modes_are_gone_after_an_error_and_after_a_default_device() -> None:
    before = torch._C._len_torch_function_stack(), torch._C._len_torch_dispatch_stack()
    apply = vars(torch.autograd.Function)["apply"]
    try:
        t = record("torch.set_default_device('cpu')\ntorch.ones(2) @ torch.ones(3)", torch)
        assert isinstance(t.error, RuntimeError)
        assert torch._C._len_torch_function_stack() == before[0] + 1  # the default device
    finally:
        torch.set_default_device(None)
    assert (torch._C._len_torch_function_stack(), torch._C._len_torch_dispatch_stack()) == before
    assert vars(torch.autograd.Function)["apply"] is apply
    assert torch.autograd.graph._engine_run_backward.__module__ == "torch.autograd.graph"


@pytest.mark.skipif(shutil.which("c++") is None, reason="the compiler of PyTorch needs one for C++")
def test_of_compiled_code_the_compilers_own_tensors_are_not_reported() -> None:
    compiled = CELLS["compile ahead of time"].replace("aot_eager", "inductor")
    t = record(compiled, torch)
    assert t.namespace["w"].grad.tolist() == [[4.0, 4.0]] * 3
    assert not_followed(t.document) == [
        "line 5: code that torch.compile has made runs. The trace does not follow it. What comes out is seen when it is used next."
    ]


def test_what_the_cell_drops_dies_at_once() -> None:
    t = record(
        "import weakref\nx = torch.ones(2, requires_grad=True)\ny = (x * 2).exp()\nr = weakref.ref(y)\ndel y\ndead = r() is None",
        torch,
    )
    assert t.namespace["dead"]
    x = torch.ones(3)
    assert t.document["tensors"][-1]["freed_step"] is not None or len(t.document["tensors"]) > 1
    del x


NOT_FOLLOWED = {
    "compile": "line 5: code that torch.compile has made runs",
    "compile ahead of time": "line 5: code that torch.compile has made runs",
    "vmap and grad": "line 3: a function that torch.func transforms runs",
    "subclass": "line 2: a tensor of the class My is computed",
    "threads": "another thread computes with tensors",
    "data loader with workers": "line 3: the workers of a DataLoader run in other processes",
}


@pytest.mark.parametrize("cell", NOT_FOLLOWED)
def test_what_is_not_followed_is_said(cell: str) -> None:
    document = record(CELLS[cell], torch).document
    assert not_followed(document)[0].startswith(f"{NOT_FOLLOWED[cell]}. The trace does not follow it.")
    first = next(n["text"] for n in document["notes"] if n["code"] == "not-followed")
    assert "".join(part["text"] for part in document["diagnosis"]["more"]).endswith(first)


ATTENTION = {
    "an encoder with dropout": """
layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
y = layer(torch.randn(2, 3, 4))
""",
    "a decoder with dropout": """
layer = torch.nn.TransformerDecoderLayer(4, 2, 8)
y = layer(torch.randn(2, 3, 4), torch.randn(5, 3, 4))
""",
    "three dimensions": """
q, k = torch.randn(2, 3, 4, requires_grad=True), torch.randn(2, 5, 4, requires_grad=True)
y = torch.nn.functional.scaled_dot_product_attention(q, k, k)
""",
}


@pytest.mark.parametrize("cell", ATTENTION)
def test_the_graph_of_attention_has_the_nodes_that_it_has_unwatched(cell: str) -> None:
    """It is made of products of matrices here, which PyTorch reshapes in another way under a dispatch mode."""
    source = "torch.manual_seed(0)\n" + ATTENTION[cell]
    plain, watched = plainly(source, torch)["y"], record(source, torch).namespace["y"]
    assert graph(watched.grad_fn)[0] == graph(plain.grad_fn)[0]
    assert torch.equal(watched, plain)


REENTRANT = """
from torch.utils.checkpoint import checkpoint
net = torch.nn.Linear(4, 4)
y = checkpoint(net, torch.ones(3, 4), use_reentrant=True)
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", [torch, jgrad])
def test_a_checkpoint_is_named_as_what_cut_the_graph(library: Any) -> None:
    t: Any = record(REENTRANT.replace("from torch.", f"from {library.__name__}."), library)
    said = "\n".join(passage.text for passage in answer("y.grad", t.namespace, [t], {}))
    assert (
        "cut the graph with checkpoint(), which runs its function under no_grad(). Pass use_reentrant=False"
        in said
    )


def not_followed(document: Any) -> list[str]:
    """What a document says is not followed, without what this release of PyTorch lacks."""
    said = [n["text"] for n in document["notes"] if n["code"] == "not-followed"]
    return [text for text in said if f"PyTorch {torch.__version__} has no" not in text]


def test_tensors_on_meta_that_pytorch_makes_for_itself_are_not_named() -> None:
    notes = not_followed(record(CELLS["vmap and grad"], torch).document)
    assert notes
    assert not any("meta" in text for text in notes)


QUIET_THREAD = """
import threading
w = torch.ones(2)
seen = []
thread = threading.Thread(target=lambda: seen.append((w.shape, torch.overrides.has_torch_function((w,)))))
thread.start()
thread.join()
"""


def test_a_thread_that_computes_nothing_is_not_named() -> None:
    start = threading.Thread.start
    t = record(QUIET_THREAD, torch)
    assert t.namespace["seen"] == [((2,), False)]
    assert not_followed(t.document) == []
    assert threading.Thread.start is start
    assert vars(t.namespace["thread"]).keys() == vars(threading.Thread()).keys() - {
        "_target", "_args", "_kwargs",
    }  # fmt: skip


def test_a_pool_that_was_there_before_is_named_when_it_computes() -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(threading.get_ident).result()  # now it has its thread
        submit = ThreadPoolExecutor.submit
        t = record("n = pool.submit(lambda: 2).result()", torch, pool=pool)
        assert not_followed(t.document) == []
        t = record("y = pool.submit(lambda: torch.ones(2) * 2).result()", torch, pool=pool)
        assert torch.equal(t.namespace["y"], torch.full((2,), 2.0))
        assert not_followed(t.document)[0].startswith("another thread computes with tensors.")
        assert ThreadPoolExecutor.submit is submit
        assert pool.submit(torch._C._len_torch_function_stack).result() == 0


@pytest.mark.parametrize("call", ["torch.nn.functional.relu(w)", "w.sum().backward()"])
def test_a_thread_that_was_there_before_is_named_when_it_is_seen(call: str) -> None:
    jobs: Any = queue.SimpleQueue()
    done: Any = queue.SimpleQueue()
    w = torch.ones(2, requires_grad=True)

    def work() -> None:
        while jobs.get():
            done.put(eval(call, {"torch": torch, "w": w}))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        t = record("jobs.put(True)\ndone.get()", torch, jobs=jobs, done=done)
        assert not_followed(t.document)[0].startswith("another thread comp")
    finally:
        jobs.put(False)
        thread.join()


# PyTorch's engine runs a pass that is within sixty others in a thread of its own. It does the same with nodes of tensors on a device.
PASSES = """
import threading
here, elsewhere = threading.get_ident(), []
x = torch.ones(2, requires_grad=True)
def run(depth):
    y = x * 2
    def hook(g):
        elsewhere.append(threading.get_ident() != here)
        z = g * 3
        if depth:
            with torch.enable_grad():
                run(depth - 1)
    y.register_hook(hook)
    y.sum().backward()
run(70)
v = (x * 3).sum()
"""


def test_nodes_that_the_engine_runs_in_threads_of_its_own_are_recorded() -> None:
    ours, theirs = on_both(PASSES, torch)
    assert any(theirs.namespace["elsewhere"])
    assert [s["text"] for s in theirs.document["steps"]] == [s["text"] for s in ours.document["steps"]]
    assert not_followed(theirs.document) == []
    assert torch.equal(theirs.namespace["x"].grad, plainly(PASSES, torch)["x"].grad)


def test_a_process_that_is_forked_records_nothing() -> None:
    t = record(FORKED, torch)
    assert t.namespace["said"] == "None 0 0"


FORKED = """
import os
from jgrad import observer
read, write = os.pipe()
if os.fork() == 0:
    modes = torch._C._len_torch_function_stack(), torch._C._len_torch_dispatch_stack()
    os.write(write, f"{observer.current} {modes[0]} {modes[1]}".encode())
    os._exit(0)
os.wait()
said = os.read(read, 100).decode()
"""
WITHOUT_MIRROR = {
    "torch.quantize_per_tensor(torch.ones(2), 0.5, 0, torch.qint8)": "a tensor of the dtype torch.qint8",
    "torch.eye(2).to_sparse()": "a sparse tensor",
    "torch.ones(2, dtype=torch.complex64).conj()": "a tensor that is conjugated or negated lazily",
    "torch.ones(2).as_subclass(type('My', (torch.Tensor,), {}))": "a tensor of the class My",
}


@pytest.mark.parametrize("made", WITHOUT_MIRROR)
def test_magics_say_what_kind_of_tensor_they_cannot_look_at(made: str) -> None:
    mirrors.load()
    answers = no_tensor("x", eval(made, {"torch": torch}))
    assert answers == f"x is {WITHOUT_MIRROR[made]}, whose elements can't be looked at"


def test_a_tensor_in_a_table_has_pytorchs_dtype() -> None:
    mirrors.load()
    t = torch.ones(1, dtype=torch.bfloat16)
    assert summary(mirrors.mirror(t)) == "[1.], dtype=torch.bfloat16"


def test_of_what_is_followed_nothing_is_said() -> None:
    for cell in ("checkpoint", "saved hooks", "parametrize and rnn and bn", "optimizers", "dataloader"):
        assert not_followed(record(CELLS[cell], torch).document) == []


LACKS = """
import torch
del torch._C._autograd._unsafe_set_version_counter, torch._C._DisableTorchDispatch
del torch._C._pop_torch_function_stack, torch._C._functorch.is_functorch_wrapped_tensor
from tests.mirrors.both import record
t = record("w = torch.ones(3, requires_grad=True)\\ny = (w * 2).exp()\\ny.sum().backward()", torch)
assert t.error is None and t.failures == []
assert len(t.document["steps"]) == 9, len(t.document["steps"])
print([n["text"] for n in t.document["notes"]])
assert torch._C._len_torch_dispatch_stack() == 0
"""


def test_a_release_that_lacks_private_names_says_what_is_lost() -> None:
    ran = subprocess.run([sys.executable, "-c", LACKS], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "has no torch._C._DisableTorchDispatch: some graphs have other nodes" in ran.stdout
    assert "has no torch._C._autograd._unsafe_set_version_counter" in ran.stdout


def test_memory_that_no_tensor_shows_is_not_blamed_for_nan() -> None:
    """PyTorch's mean loss is one number in the memory of all losses. The rest of that memory holds whatever was there before."""
    t = trace(
        "x, y = torch.ones(8), torch.zeros(8)\nloss = torch.nn.functional.mse_loss(x, y)\nloss.mul_(2)",
        {"torch": torch},
    )
    document = t.document
    memory = document["storages"][document["tensors"][-1]["storage"]]
    assert memory["numel"] == 8
    writes = [w for s in document["steps"] for w in s.get("writes", ()) if w["storage"] == memory["id"]]
    for contents in [memory["contents"], *[w["contents"] for w in writes]]:
        contents["elements"][1:] = ["nan"] * 7
    assert findings(Log(document)) == []
    memory["contents"]["elements"][0] = "nan"
    assert [found.note["code"] for found in findings(Log(document))] == ["nan-appears"]


def test_nodes_that_a_failed_pass_has_freed_are_read() -> None:
    """A write to the softmax that was saved: the pass that failed has released what the nodes before it saved."""
    source = """
x = torch.ones(3, 4, requires_grad=True)
weights = x.softmax(1)
weights[torch.tensor([[True, False, False, True]] * 3)] = 0
weights.sum().backward()
"""
    t = record(source, torch)
    assert t.error is not None
    mirrors.refresh()
    (passage,) = about_error(t.error, t.namespace, [t])
    assert "weights = x.softmax(1).clone()" in passage.text
    mended = record(source.replace("softmax(1)", "softmax(1).clone()"), torch)
    assert mended.error is None
    assert mended.namespace["x"].grad is not None
