"""Programs that `python` and `jgrad run` must run alike: by name the files, the arguments, what is typed, and how they end."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Program:
    """Files, of which the first is run, unless `module` names what `-m` runs."""

    files: dict[str, str]
    arguments: list[str] = field(default_factory=list)
    module: str = ""
    typed: str = ""
    status: int = 0


TRAIN = """
import jgrad as torch
torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
for i in range(6):
    loss = ((w - 1) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
print(loss.item())
"""

# It prints the errors that it catches, and its own stack. PyTorch calls us on the way to most of them.
TRACEBACKS = """\
try:
    import torch
except ImportError:
    raise SystemExit
import logging, sys, traceback

logging.basicConfig(stream=sys.stdout)
w = torch.ones(3, requires_grad=True)
x = torch.ones(2, requires_grad=True)


def in_place():
    y = w.exp()
    y += 1
    y.sum().backward()


def fails(gradient):
    raise ValueError("in a hook")


def hooked():
    y = x * 2
    y.register_hook(fails)
    y.sum().backward()


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        raise KeyError("no")


class Model(torch.nn.Module):
    def forward(self, q):
        return torch.nn.functional.linear(q, torch.ones(3, 5))


for wrong in (
    in_place, hooked, lambda: Fails.apply(x).sum().backward(), lambda: Model()(x), lambda: torch.optim.SGD([x], lr=0.1).step(lambda: 1 / 0),
):
    try:
        wrong()
    except Exception as error:
        traceback.print_exc(file=sys.stdout)
        logging.exception("again")
        print(traceback.format_tb(error.__traceback__), len(traceback.extract_tb(error.__traceback__)))


def where(gradient=None):
    traceback.print_stack(file=sys.stdout)


where()
y = x * 2
y.register_hook(where)
y.sum().backward()
print(traceback.format_list(traceback.extract_stack()))
"""

# What PyTorch compiles of the program's functions has nothing of ours in it.
COMPILED = """\
try:
    import torch
except ImportError:
    raise SystemExit
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU())
x = torch.ones(3, 4)
traced, scripted = torch.jit.trace(net, x), torch.jit.script(net)
print(traced.inlined_graph, scripted.code)
for compiled in (traced, scripted):
    optimizer = torch.optim.SGD(compiled.parameters(), lr=0.1)
    for i in range(3):
        optimizer.zero_grad()
        compiled(x).sum().backward()
        optimizer.step()
    print(net[0].weight.grad)

def within():
    @torch.jit.script
    class Inner:
        def __init__(self, x: int):
            self.x = x

    @torch.jit.script
    class Outer:
        def __init__(self, x: int):
            self.inner = Inner(x)

    print(Outer(2).inner.x)

within()
"""

WARNS = """\
try:
    import torch
except ImportError:
    raise SystemExit
import warnings

class Warns(torch.nn.Module):
    def forward(self, x):
        for level in range(1, 5):
            warnings.warn(f"level {level}", stacklevel=level)
        return x * 2

x = torch.ones(3, 4)
layer = torch.nn.Linear(4, 2)
layer.register_full_backward_hook(lambda *given: None)
layer(x).sum().backward()
torch.nn.Sequential(Warns())(x)
torch.nn.Sequential(torch.nn.Softmax())(x)
print((x.requires_grad_() * 2).grad)
h = x * 2
h.register_hook(lambda gradient: warnings.warn("in a hook", stacklevel=3))
h.sum().backward()
"""

# It sees what the program calls, and nothing of ours.
MODE = """\
try:
    import torch
except ImportError:
    raise SystemExit
from collections import Counter

calls = Counter()

class Counts(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        calls[getattr(function, "__qualname__", "")] += 1
        return function(*args, **(kwargs or {}))

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
with Counts():
    for i in range(40):
        optimizer.zero_grad()
        loss = net(torch.ones(3, 4)).pow(2).sum()
        loss.backward()
        optimizer.step()
print(sorted(calls.items()), loss.item())
"""

IN_THREAD = """\
try:
    import torch
except ImportError:
    raise SystemExit
import threading

def in_place():
    y = torch.ones(3, requires_grad=True).exp()
    y += 1
    y.sum().backward()

thread = threading.Thread(target=in_place, name="T")
thread.start()
thread.join()
"""

PROGRAMS = {
    "a script that is not written in the shortest way": Program({"sub/train.py": "import sys\nprint(__file__, sys.argv, sys.path[0])\n1 / 0\n"}, module="/./sub/../sub/train.py", status=1),
    "an encoding that is not known": Program({"odd.py": "# coding: nosuch\nx = 1\n"}, status=1),
    "an object that says goodbye": Program({"bye.py": TRAIN + "class Log:\n    def __del__(self): print('bye')\ndef f(): return log\nlog = Log()\n"}),
    "a mode of the program": Program({"mode.py": MODE}),
    "torch.jit": Program({"compiled.py": COMPILED}),
    "where warnings point": Program({"warns.py": WARNS}),
    "an error in a thread": Program({"thread.py": IN_THREAD}),
    "an excepthook that fails": Program({"hook.py": "import sys\ndef hook(k, v, t): raise KeyError('h')\nsys.excepthook = hook\nraise ValueError('q')\n"}, status=1),
    "an excepthook that exits": Program({"hook.py": "import sys\nsys.excepthook = lambda k, v, t: sys.exit(44)\nraise ValueError('q')\n"}, status=44),
    "a coroutine that is not awaited": Program({"loop.py": "import asyncio\nasync def f(): pass\nasync def main(): f()\nasyncio.run(main())\n"}),
    "tracebacks of its own": Program({"errors.py": TRACEBACKS}),
    "a training loop": Program({"train.py": TRAIN}),
    "nothing of autograd": Program({"plain.py": "print('hello')\n"}),
    "an empty file": Program({"empty.py": ""}),
    "what the module has": Program({"names.py": "print(sorted(n for n in globals())); print(__name__, __package__, __spec__, __doc__)\nprint(__file__, type(__loader__).__name__)\n"}),
    "a docstring": Program({"doc.py": '"""What it does."""\nprint(__doc__)\n'}),
    "argv and path": Program({"args.py": "import sys\nprint(sys.argv, sys.path[0])\n"}, ["a", "--html", "b", "-m", "--", "-q"]),
    "argparse with our options": Program({"parse.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--save'); p.add_argument('--quiet', action='store_true')\nprint(p.parse_args(), p.prog)\n"}, ["--save", "x", "--quiet"]),
    "argparse that refuses": Program({"parse.py": "import argparse\nargparse.ArgumentParser().parse_args()\n"}, ["--nosuch"], status=2),
    "a module beside it": Program({"main.py": "import helper\nprint(helper.__name__, helper.f())\n", "helper.py": "def f():\n    return __file__\n"}),
    "a package by -m": Program({"pk/__init__.py": "print('init', __name__)\n", "pk/__main__.py": "from . import sub\nimport sys\nprint(sub.VALUE, __package__, __spec__.name, sys.argv[1:], sys.argv[0] == __file__)\n", "pk/sub.py": "VALUE = 3\n"}, ["x"], module="pk"),
    "a module by -m": Program({"pk/__init__.py": "", "pk/tool.py": "import sys\nprint(__package__, __spec__.name, sys.argv[1:], sys.path[0])\n"}, ["--save", "y"], module="pk.tool"),
    "a folder": Program({"app/__main__.py": "import sys, other\nprint(sys.argv, other.__name__, __package__, sys.path[0])\n", "app/other.py": ""}, ["z"], module="/app"),
    "its excepthook deleted": Program({"hook.py": "import sys\ndel sys.excepthook\nsys.exit(3)\n"}, status=3),
    "GeneratorExit": Program({"leave.py": "raise GeneratorExit\n"}, status=1),
    "a group of errors": Program({"group.py": "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])\n"}, status=1),
    "an interrupt in a thread": Program({"thread.py": "import threading\ndef f(): raise KeyboardInterrupt\nt = threading.Thread(target=f, name='T'); t.start(); t.join(); print('end')\n"}),
    "sys.exit with a number": Program({"leave.py": "import sys\nprint('before')\nsys.exit(7)\n"}, status=7),
    "sys.exit with words": Program({"leave.py": "import sys\nsys.exit('words')\n"}, status=1),
    "an error": Program({"fail.py": "def f():\n    raise ValueError('wrong')\nf()\n"}, status=1),
    "a chain of errors": Program({"fail.py": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise KeyError('k') from e\n"}, status=1),
    "an error of its own class": Program({"fail.py": "class Odd(Exception):\n    def __setattr__(self, *a): raise RuntimeError\n    def __str__(self): return 'odd'\nraise Odd\n"}, status=1),
    "a syntax error": Program({"bad.py": "x = 1\ny = (\n"}, status=1),
    "not UTF-8": Program({"latin.py": "# -*- coding: latin-1 -*-\nprint('é', len('é'))\n"}),
    "a warning about what called it": Program({"top.py": "import warnings\nwarnings.warn('two', stacklevel=2)\nwarnings.warn('five', stacklevel=5)\ndef f(): warnings.warn('f', stacklevel=2)\nf()\ndef g(): warnings.warn('g', stacklevel=3)\ng()\n"}),
    "a null byte": Program({"null.py": "x = 1\ny = 2 \0 + 3\n"}, status=1),
    "another program in its place that is not there": Program({"go.py": "import os\ntry:\n    os.execvp('nosuch', ['nosuch'])\nexcept OSError as e:\n    print(type(e))\nprint(os.execv.__name__)\n"}),
    "not UTF-8 and not declared": Program({"bytes.py": "x = 1\ny = 2  # \xe9 as latin-1 has it\n"}, status=1),
    "an error that it catches": Program({"catch.py": "import jgrad\nx = jgrad.ones(2, requires_grad=True)\ntry:\n    x.add_(1)\nexcept RuntimeError as e:\n    print(e, getattr(e, '__notes__', None))\n"}),
    "its own excepthook": Program({"hook.py": "import sys\nsys.excepthook = lambda k, v, t: print('hook', k.__name__, v, t.tb_next is None)\nraise ValueError('x')\n"}, status=1),
    "atexit": Program({"end.py": "import atexit\natexit.register(print, 'at exit')\nprint('body')\n"}),
    "os._exit": Program({"cut.py": "import os, sys\nprint('before', flush=True)\nos._exit(5)\n"}, status=5),
    "a fork": Program({"fork.py": TRAIN + "import os, sys\nsys.stdout.flush()\npid = os.fork()\nif pid == 0:\n    print('child', (w * 2).sum().item())\n    sys.exit(3)\nprint('parent', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"}),
    "a process that is spawned": Program({"spawn.py": "import multiprocessing as mp\ndef f(q):\n    q.put(__name__)\nif __name__ == '__main__':\n    c = mp.get_context('spawn')\n    q = c.Queue()\n    p = c.Process(target=f, args=(q,))\n    p.start(); print(q.get()); p.join(); print(p.exitcode)\n"}),
    "a pool of forked processes": Program({"pool.py": "import multiprocessing as mp\ndef f(x):\n    return x * x\nif __name__ == '__main__':\n    with mp.get_context('fork').Pool(2) as pool:\n        print(pool.map(f, range(5)))\n"}),
    "a thread that outlives it": Program({"thread.py": "import threading, time\ndef f():\n    threading.main_thread().join(); print('thread')\nthreading.Thread(target=f).start()\nprint('main')\n"}),
    "stdin": Program({"ask.py": "name = input()\nimport sys\nprint('hello', name, sys.stdin.read())\n"}, typed="Ada\nrest"),
    "asyncio": Program({"loop.py": "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 3\nprint(asyncio.run(f()))\n"}),
    "another folder": Program({"go.py": "import os, tempfile\nos.chdir(tempfile.gettempdir())\nprint(os.path.isabs(__file__))\n"}),
    "stdout replaced": Program({"quiet.py": "import io, sys\nout = sys.stdout\nsys.stdout = io.StringIO(); sys.stderr = io.StringIO()\nprint('lost')\nprint('kept', file=out)\n"}),
    "stderr closed": Program({"closed.py": "import sys\nsys.stderr.close()\nprint('kept')\n"}),
    "pickling what it defines": Program({"pick.py": "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)\n"}),
    "inspect its own source": Program({"look.py": "import inspect, sys\ndef f():\n    return 1\nprint(inspect.getsource(f), inspect.getsource(sys.modules['__main__'])[:10])\n"}),
    "generators and comprehensions": Program({"gen.py": "import jgrad\ndef g():\n    for i in range(3):\n        yield jgrad.ones(2, requires_grad=True) * i\nprint(sum(t.sum() for t in g()).item(), [t.shape for t in g()])\n"}),
    "workers of a DataLoader": Program({"data.py": "import jgrad\nfrom jgrad.utils.data import DataLoader\nif __name__ == '__main__':\n    print([b.tolist() for b in DataLoader(list(range(6)), 2, num_workers=2)])\n"}),
    "a signal of its own": Program({"term.py": "import os, signal\nsignal.signal(signal.SIGTERM, lambda *a: print('mine'))\nos.kill(os.getpid(), signal.SIGTERM)\nprint('after')\n"}),
    "killed by SIGTERM": Program({"term.py": "import os, signal\nprint('before', flush=True)\nos.kill(os.getpid(), signal.SIGTERM)\n"}, status=-15),
    "interrupted": Program({"stop.py": "import os, signal\nprint('before', flush=True)\nos.kill(os.getpid(), signal.SIGINT)\n"}, status=-2),
    "files that it writes": Program({"write.py": "from pathlib import Path\nimport jgrad\njgrad.save(jgrad.ones(2), 'x.pt')\nPath('y.txt').write_text('y')\n"}),
}  # fmt: skip
