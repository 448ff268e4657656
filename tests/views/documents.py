"""Documents for the tests of the views: the shared fixtures, and programs recorded here."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jgrad

FIXTURES = Path(__file__).parent.parent / "fixtures"

PROGRAMS = {
    "loop": """
        w = jgrad.tensor([1.0, -2.0], requires_grad=True)
        x = jgrad.tensor([3.0, 4.0])
        for i in range(12):
            y = (w * x).sum()
            loss = (y - 5) * (y - 5)
            loss.backward()
            with jgrad.no_grad():
                w.sub_(w.grad * 0.01)
            w.grad = None
    """,
    "gaps": """
        w = jgrad.tensor([1.0, -2.0], requires_grad=True)
        optimizer = jgrad.optim.SGD([w], lr=0.01, momentum=0.5)
        for i in range(40):
            loss = (w * w).sum()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    """,
    "epochs": """
        w = jgrad.tensor([1.0], requires_grad=True)
        for epoch in range(4):
            for x in range(8):
                y = w * x
                y.sum().backward()
            with jgrad.no_grad():
                w -= 0.01 * w.grad
            w.grad = None
    """,
    "chain": """
        w = jgrad.tensor([1.5], requires_grad=True)
        h = w
        for i in range(60):
            h = h * w
            h = h + 1
        h.backward()
    """,
    "recurrent": """
        W = jgrad.full((2, 2), 0.5, requires_grad=True)
        b = jgrad.zeros(2, requires_grad=True)
        def cell(x, h):
            z = x + h @ W + b
            i = z * 0.5
            g = z * z
            c = i * g - 1
            o = (c * c + 1) * 0.25
            n = o * i - g * 0.5
            return n * o + c * 2 - h
        x, h = jgrad.ones(1, 2), jgrad.zeros(1, 2)
        for t in range(9):
            h = cell(x, h) * 0.125
        h.sum().backward()
    """,
    "lines": """
        x = jgrad.tensor([1.0, 2.0], requires_grad=True)
        y = (x * x + x * 2 - x * x * x) * (x + 1) - (x - 3) * (x + 4)
        z = (y * y + y * 2 - y * y * y) * (y + 1) - (y - 3) * (y + 4)
        s = (z - y) * (z + y) - z * (y + 1) * (y + 2)
        s.sum().backward()
    """,
    "layers": """
        X = jgrad.ones(16, 4)
        W1 = jgrad.ones(4, 8, requires_grad=True)
        b1 = jgrad.zeros(8, requires_grad=True)
        W2 = jgrad.ones(8, 1, requires_grad=True)
        h = (X @ W1 + b1).exp()
        h.retain_grad()
        out = h @ W2
        loss = (out * out).mean()
        loss.backward()
    """,
    "detached": """
        a = jgrad.tensor(1.0, requires_grad=True)
        b = a.clone()
        d = b * 3
        e = b.detach()
        e.requires_grad_()
        (e * 3 + d).backward()
        f = a.data
    """,
    "large": """
        x = jgrad.ones(1000, 1000, requires_grad=True)
        t = x.T
        s = x[10:20, ::2]
        e = x[0].expand(5, 1000)
        with jgrad.no_grad():
            x[3] = 7.0
        y = (x * 2).sum()
        y.backward()
    """,
    "many": """
        tensors = [jgrad.ones(3) for i in range(30)]
        views = [tensors[0][:1] for i in range(30)]
        leaves = [jgrad.ones(1, requires_grad=True) for i in range(20)]
        total = sum(l * l for l in leaves)
        total.backward()
    """,
    "wide": """
        w = jgrad.tensor([1.5], requires_grad=True)
        """
    + "\n        ".join([f"a{i} = w * {i}" if i % 4 else f"a{i} = (w + {i}).detach()" for i in range(60)])
    + """
        both = jgrad.cat([a1, a2, a3, a5, a6, a7, a9, a59, a58, a57])
        total = a1 + a2
        both.sum().backward()
    """,
    "three-dimensions": """
        src = jgrad.arange(1, 25).view(2, 3, 4)
        index = jgrad.tensor([[[0, 1, 1, 0], [2, 0, 1, 2], [0, 0, 0, 1]]])
        out = jgrad.zeros(2, 3, 4, dtype=jgrad.int64)
        out.scatter_(1, index, src)
        out.scatter_(0, jgrad.tensor([[[0, 1]]]), 7)
    """,
    "second-order": """
        x = jgrad.tensor([2.0], requires_grad=True)
        y = x * x * x
        (g,) = jgrad.autograd.grad(y, x, create_graph=True)
        (h,) = jgrad.autograd.grad(g, x)
    """,
    "hooks": """
        def clip(g):
            return g * 10
        x = jgrad.tensor([2.0], requires_grad=True)
        y = x * 3
        y.register_hook(clip)
        x.register_hook(lambda g: g + 1)
        x.register_post_accumulate_grad_hook(lambda t: None)
        z = y * y
        z.grad_fn.register_hook(lambda sent, got: None)
        z.grad_fn.register_prehook(lambda got: (got[0] * 2,))
        y.retain_grad()
        z.backward()
    """,
    "function": """
        class Double(jgrad.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a)
                return a * 2 + b
            @staticmethod
            def backward(ctx, g):
                return g * 2, g
        x = jgrad.tensor([2.0], requires_grad=True)
        w = jgrad.tensor([5.0], requires_grad=True)
        y = Double.apply(x, w)
        (y * x).backward()
        with jgrad.no_grad():
            z = y + 1
    """,
    "in-place": """
        x = jgrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x * 2
        v = y[1:]
        v.mul_(10)
        a = y.detach() * x
        p, q = (y.data * y * y).split([1, 2])
        (q.sum() + p.sum() + a.sum()).backward()
    """,
    "checkpoint": """
        from jgrad.utils.checkpoint import checkpoint
        x = jgrad.tensor([2.0], requires_grad=True)
        def f(a):
            return (a * a).exp()
        y = checkpoint(f, x, use_reentrant=False)
        (y * 2).backward()
    """,
    "indexing": """
        x = jgrad.arange(12.0).view(3, 4).requires_grad_()
        table = jgrad.ones(3, 2, requires_grad=True)
        i = jgrad.tensor([[0, 2, 1, 0], [0, 0, 1, 1]])
        rows = jgrad.tensor([2, 0, -1])
        y = x.gather(0, i)
        (y * y).sum().backward(retain_graph=True)
        z = x * 1
        z[rows, rows] = y[0, :3]
        z[z > 8] = 0.0
        z = z.scatter_reduce(0, i, y, "amax", include_self=False)
        z = z.index_add(1, rows % 4, x[:, :3], alpha=2)
        (z.take(rows).sum() + table[rows].sum() + z.masked_select(z > 2).sum()).backward()
    """,
    "window": """
        x = jgrad.zeros(200, 300)
        i = (jgrad.arange(60000).view(200, 300) * 7919) % 200
        y = x.scatter_add(0, i, jgrad.ones(200, 300))
        v = y.view(20, 10, 300)[:, :, jgrad.tensor([5, 299, 5])]
        n = jgrad.arange(100000.0).take(jgrad.arange(0, 100000, 3))
    """,
    "odd": """
        e = jgrad.zeros(0, requires_grad=True)
        n = jgrad.zeros(2, 0, 3)
        b = jgrad.tensor([True, False])
        q = jgrad.tensor([float("nan"), float("inf"), -1e30])
        f = jgrad.ones(2, 1, 2, 1, 2, 2, requires_grad=True)
        名前の長い変数 = f[0].sum() + e.sum()
        a_name_so_long_that_nobody_would_ever_want_to_read_it_to_its_end = f * 123456.789
        名前の長い変数.backward()
        a_name_so_long_that_nobody_would_ever_want_to_read_it_to_its_end.sum().backward()
        if True:
        \tdel 名前の長い変数
        f.grad.zero_()
        f.grad = jgrad.ones_like(f)
        f.grad.mul_(2)
        for k in range(12): f.sum().backward()
    """,
    "crowded": """
        many = jgrad.zeros(1000000)
        for i in range(12): many[i % 3] = i
        a_name_so_long_that_it_does_not_fit_anywhere = many[10:]
        also_long = many.view(1000, 1000).t()[::2, 5:]
        w = jgrad.ones(3, requires_grad=True)
        kept = w * 2
        alias_longer = kept[:]
        y = alias_longer * kept * w
        alias_longer.detach().add_(1)
    """,
    "infinite": """
        w = jgrad.tensor([1.0, 0.0], requires_grad=True)
        v = jgrad.tensor([300.0, 0.5], requires_grad=True)
        (w.sqrt().sum() + (v * v).sum()).backward()
        (0.001 * w).sum().backward()
        w.grad = None
        (0.001 * w).sum().backward()
        (w - w * 0.9).sum().backward()
    """,
    "adversaries": """
        from jgrad import nn
        maker, critic = nn.Linear(2, 2), nn.Linear(2, 1)
        def layer(x, module):
            return jgrad.addmm(module.bias, x, module.weight.t())
        fake = layer(jgrad.ones(4, 2), maker)
        layer(fake, critic).mean().backward()
        (-layer(fake, critic).mean()).backward()
    """,
    "kept-history": """
        from jgrad import nn
        cell = nn.RNNCell(2, 3)
        h = jgrad.zeros(1, 3)
        for t in range(12):
            h = cell(jgrad.ones(1, 2), h)
        h.sum().backward()
        (h * 2).sum().backward()
    """,
    "fails": """
        x = jgrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x.exp()
        y.mul_(2)
        y.sum().backward()
    """,
}

KEPT = {"gaps": 60}  # steps that are kept of longer programs


def record(program: str, name: str = "trace") -> dict[str, Any]:
    """The document of a program, run as a cell is."""
    from jgrad.trace import MAX_STEPS, Trace
    from jgrad.tracing.document.source import Source
    from jgrad.tracing.record.scope import Scope, mentioned

    lines = [line[8:] for line in program.strip("\n").rstrip().split("\n")]
    namespace = {"jgrad": jgrad}
    code = compile("\n".join(lines), f"<{name}>", "exec")
    trace = Trace(name, max_steps=KEPT.get(name, MAX_STEPS))
    trace._source = Source(lines)
    with trace.recording(Scope(f"<{name}>", namespace, mentioned(code))):
        exec(code, namespace)
    assert not trace.failures
    return trace.document


def aged(document: dict[str, Any], by: int) -> dict[str, Any]:
    """The document of the same program, had everything been written to so many times before."""
    for tensor in document["tensors"]:
        tensor["version"] += by
    for node in document["nodes"]:
        for saved in node["saved"]:
            saved["version"] += by
    for step in document["steps"]:
        for write in step.get("writes", []):
            write["versions"] = [v + by for v in write["versions"]]
    return document


@cache
def _all() -> str:
    found = {
        f.stem: json.loads(f.read_text(encoding="utf-8"))
        for f in sorted((FIXTURES / "documents").glob("*.json"))
    }
    for name, program in PROGRAMS.items():
        found[name] = record(program, name)
    found["crowded"] = aged(found["crowded"], 123_456)
    return json.dumps(found)


def documents() -> dict[str, dict[str, Any]]:
    """All of them, by name; fresh, so that a test may damage them."""
    return json.loads(_all())


NAMES = sorted({*PROGRAMS, *[f.stem for f in (FIXTURES / "documents").glob("*.json")]})
