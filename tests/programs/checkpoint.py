# %% A checkpoint runs its function again, reentrant or not
from_ = torch.utils.checkpoint
n = [0]


def f(x, y, k=1):
    n[0] += 1
    return (x * y).sin().exp() * k


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
for reentrant in (True, False):
    z = from_.checkpoint(f, x, y, use_reentrant=reentrant)
    show(z, n)
    z.sum().backward()
    show(x.grad, y.grad, n)
    x.grad = y.grad = None
z = from_.checkpoint(f, x, y, k=3, use_reentrant=False)
show(z.grad_fn.name(), torch.autograd.grad(z.sum(), x), n)
z = from_.checkpoint(f, x, y, use_reentrant=True)
show(z.grad_fn.name(), [g[0].name() if g[0] else None for g in z.grad_fn.next_functions])
try:
    torch.autograd.grad(z.sum(), x)
except RuntimeError as e:
    show(e)
try:
    z.sum().backward(inputs=[x])
except RuntimeError as e:
    show(e)
z.sum().backward()
show(x.grad)
try:
    z.sum().backward()
except RuntimeError as e:
    show(e)


# %% A checkpoint without use_reentrant warns, and takes no other arguments when reentrant
from_ = torch.utils.checkpoint
x = torch.ones(2, requires_grad=True)
y = from_.checkpoint(lambda t: t * t, x)
y.sum().backward()
show(x.grad)
from_.checkpoint(lambda t: t * t, x, use_reentrant=True, k=2)


# %% Options that only one kind of checkpoint takes
from_ = torch.utils.checkpoint
x = torch.ones(2, requires_grad=True)
for call in (
    lambda: from_.checkpoint(lambda t: t * t, x, use_reentrant=True, debug=True),
    lambda: from_.checkpoint(lambda t: t * t, x, use_reentrant=True, context_fn=lambda: 1),
    lambda: from_.checkpoint(lambda t: t * t, x, use_reentrant=False, determinism_check="some"),
    lambda: from_.checkpoint(lambda t: t * t, x, use_reentrant=False, debug=True, context_fn=lambda: 1),
    lambda: from_.detach_variable([x]),
    lambda: from_.detach_variable((x, 1, torch.ones(1))),
    lambda: from_.check_backward_validity([torch.ones(1), 3]),
    lambda: from_.checkpoint_sequential([torch.sin], 1, x, k=3, use_reentrant=True),
):
    try:
        show(call())
    except Exception as e:
        show(type(e), e)


# %% A function that computes other tensors the second time
from_ = torch.utils.checkpoint
x = torch.ones(2, requires_grad=True)
n = [0]


def f(t):
    n[0] += 1
    t = t.sin()
    return (t if n[0] == 1 else t.cos()).exp()


y = from_.checkpoint(f, x, use_reentrant=False)
y.sum().backward()
show(x.grad)
n[0] = 0
y = from_.checkpoint(f, x, use_reentrant=False, early_stop=False)
try:
    y.sum().backward()
except from_.CheckpointError as e:
    show(e)
n[0] = 0
with from_.set_checkpoint_early_stop(False):
    y = from_.checkpoint(f, x, use_reentrant=False)
try:
    y.sum().backward()
except from_.CheckpointError as e:
    show(e)


def g(t):
    n[0] += 1
    t = t.sin()
    return (t if n[0] > 1 else t.cos()).exp()


n[0] = 0
y = from_.checkpoint(g, x, use_reentrant=False)
try:
    y.sum().backward()
except from_.CheckpointError as e:
    show(e)


def h(t):
    n[0] += 1
    return t.sin() if n[0] == 1 else t.repeat(2).double().sin()


for check in ("default", "none"):
    n[0] = 0
    y = from_.checkpoint(h, x, use_reentrant=False, determinism_check=check)
    try:
        y.sum().backward()
    except RuntimeError as e:
        show(type(e).__name__, e)


# %% Random numbers of a checkpoint, preserved or not
from_ = torch.utils.checkpoint
torch.manual_seed(3)
x = torch.ones(4, requires_grad=True)
noise = []


def f(t):
    r = torch.rand(4)
    noise.append(r)
    return (t * r).sin()


for preserve in (True, False):
    for reentrant in (True, False):
        y = from_.checkpoint(f, x, use_reentrant=reentrant, preserve_rng_state=preserve)
        torch.rand(3)
        y.sum().backward()
        show(torch.equal(noise[-1], noise[-2]), x.grad, torch.rand(1))


# %% A checkpoint within a checkpoint
from_ = torch.utils.checkpoint
x = torch.tensor([1.0, 2.0], requires_grad=True)
n = []


def inner(t):
    n.append("inner")
    return t.sin() * t


def outer(t):
    n.append("outer")
    return from_.checkpoint(inner, t * 2, use_reentrant=False).exp()


y = from_.checkpoint(outer, x, use_reentrant=False)
y.sum().backward()
show(x.grad, n)
n.clear()
y = from_.checkpoint(outer, x, use_reentrant=False, early_stop=False)
y.sum().backward()
show(x.grad, n)
n.clear()


def outer(t):
    n.append("outer")
    return from_.checkpoint(inner, t * 2, use_reentrant=True).exp()


y = from_.checkpoint(outer, x, use_reentrant=True)
y.sum().backward()
show(x.grad, n)
n.clear()
y = from_.checkpoint(outer, x, use_reentrant=False)
try:
    y.sum().backward()
    show(x.grad, n)
except RuntimeError as e:
    show(e)


# %% Backward twice through a checkpoint, and grad of its parts
from_ = torch.utils.checkpoint
x = torch.tensor([1.0, 2.0], requires_grad=True)
n = []


def f(t):
    n.append(1)
    return (t * t).exp()


y = from_.checkpoint(f, x, use_reentrant=False)
y.sum().backward(retain_graph=True)
y.sum().backward(retain_graph=True)
show(x.grad, n)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
show(g, n)
(h,) = torch.autograd.grad(g.sum(), x)
show(h, n)
y = from_.checkpoint(f, x, use_reentrant=False)
y.sum().backward(create_graph=True)
show(x.grad, x.grad.grad_fn.name())
y = from_.checkpoint(f, x, use_reentrant=False)
n.clear()
show(y.grad_fn._saved_result, n)
show(y.grad_fn._saved_result, n)
y.sum().backward()
y.sum().backward()


# %% Context managers around forward and recomputation
from_ = torch.utils.checkpoint
x = torch.tensor([1.0, 2.0], requires_grad=True)
import contextlib

said = []


@contextlib.contextmanager
def context(name):
    said.append("enter " + name)
    yield
    said.append("leave " + name)


y = from_.checkpoint(
    lambda t: t.sin().exp(), x, use_reentrant=False, context_fn=lambda: (context("first"), context("second"))
)
show(said)
try:
    y.sum().backward()
except Exception as e:
    show(type(e))
show(said, x.grad)


def wrong(t):
    raise ValueError("here")


for reentrant in (True, False):
    try:
        from_.checkpoint(wrong, x, use_reentrant=reentrant)
    except ValueError as e:
        show(e)
from_.checkpoint(
    wrong,
    x,
    use_reentrant=False,
    context_fn=lambda: (contextlib.suppress(ValueError), contextlib.nullcontext()),
)


# %% Inputs that need no gradient
from_ = torch.utils.checkpoint
x = torch.ones(2)
w = torch.tensor([3.0, 4.0], requires_grad=True)
y = from_.checkpoint(lambda t: t * w, x, use_reentrant=True)
show(y.requires_grad)
y = from_.checkpoint(lambda t: t * w, x, use_reentrant=False)
y.sum().backward()
show(w.grad)
with torch.no_grad():
    show(
        from_.checkpoint(lambda t: t * w, x, use_reentrant=False).requires_grad,
        from_.checkpoint(lambda t: t * w, w, use_reentrant=True).requires_grad,
    )
y = from_.checkpoint(lambda t: (t * 2).detach(), w, use_reentrant=True)
show(y.requires_grad)
try:
    y.sum().backward()
except RuntimeError as e:
    show(e)
a, b = from_.checkpoint(lambda t: (t * 2, t.exp()), w, use_reentrant=True)
b.sum().backward()
show(w.grad)
a, b, c = from_.checkpoint(lambda t: (t * 2, 3, (t * t).detach()), w, use_reentrant=True)
show(a, b, c)
a.sum().backward()
show(w.grad)
y = from_.checkpoint(lambda d, l: d["a"] * l[0], {"a": w}, [w, 2], use_reentrant=False)
y.sum().backward()
show(w.grad)


# %% An input that was written to before the recomputation
from_ = torch.utils.checkpoint
x = torch.ones(2, requires_grad=True)
y = x * 2
z = from_.checkpoint(lambda t: t.exp().sin(), y, use_reentrant=False)
y.add_(1)
try:
    z.sum().backward()
except RuntimeError as e:
    show(e)
y = x * 2
z = from_.checkpoint(lambda t: t.exp().sin(), y, use_reentrant=True)
y.add_(1)
z.sum().backward()


# %% Early stop, with grad() inside of the function
from_ = torch.utils.checkpoint
x = torch.tensor([1.0, 2.0], requires_grad=True)
n = []


def f(t):
    n.append(1)
    y = t.sin()
    z = y.cos()
    (g,) = torch.autograd.grad(z.sum(), t)
    return t.cos() * g


for stop in (True, False):
    y = from_.checkpoint(f, x, use_reentrant=False, early_stop=stop)
    show(len(n))
    y.sum().backward()
    show(x.grad, len(n))


def f(t):
    n.append(1)
    y = t.sin()
    z = y.cos()
    (g,) = torch.autograd.grad(z.sum(), t, retain_graph=True)
    return z * g


for stop in (True, False):
    y = from_.checkpoint(f, x, use_reentrant=False, early_stop=stop)
    show(len(n))
    y.sum().backward()
    show(x.grad, len(n))


# %% checkpoint_sequential
from_ = torch.utils.checkpoint
torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Linear(3, 4),
    torch.nn.Tanh(),
    torch.nn.Linear(4, 4),
    torch.nn.Dropout(0.5),
    torch.nn.Linear(4, 1),
)
x = torch.ones(2, 3, requires_grad=True)
for segments in (1, 2, 3):
    for reentrant in (True, False):
        torch.manual_seed(1)
        y = from_.checkpoint_sequential(model, segments, x, use_reentrant=reentrant)
        y.sum().backward()
        show(y, x.grad, model[0].weight.grad)
y = from_.checkpoint_sequential([torch.sin, torch.exp, torch.cos], 2, x)


# %% A group of checkpoints that are recomputed at once
from_ = torch.utils.checkpoint
x = torch.tensor([1.0, 2.0], requires_grad=True)
n = []


def f(t):
    n.append(1)
    return t.sin(), t.exp()


with from_.GraphExecGroup() as group:
    a, b = from_.checkpoint(f, x, use_reentrant=False)
    a.sum().backward()
    b.sum().backward()
    show(n, x.grad)
    try:
        with from_.GraphExecGroup():
            pass
    except RuntimeError as e:
        show(str(e)[:60])
n.clear()
a, b = from_.checkpoint(f, x, use_reentrant=False)
a.sum().backward()
b.sum().backward()
show(n, x.grad)
with from_.GraphExecGroup():
    a, b = from_.checkpoint(f, x, use_reentrant=False)
    a.sum().backward(retain_graph=True)
    a.sum().backward()


# %% A Function inside of a checkpoint
from_ = torch.utils.checkpoint


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.save_for_backward(t)
        return t * 2

    @staticmethod
    def backward(ctx, g):
        ctx.saved_tensors
        return g * ctx.saved_tensors[0]


x = torch.ones(2, requires_grad=True)
from_.checkpoint(lambda t: F.apply(t), x, use_reentrant=False).sum().backward()


# %% A checkpoint around indexing, cat, softmax, max and where
from_ = torch.utils.checkpoint
x = torch.arange(6.0).view(2, 3).requires_grad_()
i = torch.tensor([0, 1, 1])
m = torch.ones(3, 2, requires_grad=True)
n = [0]


def f(t):
    n[0] += 1
    a = t[i]
    b = torch.cat([a, t])
    c = b.softmax(1)
    d = c @ m
    e = d.max(0)[0]
    g = torch.where(e > 0, e, -e).sort()[0].cumsum(0)
    if n[0] > 1:
        g.sin()
    return g.prod() + t.index_select(0, i[:2]).gather(1, i[None]).std() + t[:, i, None].sum() + t.max()


y = from_.checkpoint(f, x, use_reentrant=False)
y.backward()
show(x.grad, m.grad)
n[0] = 0
from_.checkpoint(f, x, use_reentrant=False, early_stop=False).backward()


# %% A checkpoint under autocast, which is over when backward runs
checkpoint = torch.utils.checkpoint.checkpoint


def layers(x, y):
    z = torch.mm(x, y)
    show(z.dtype, torch.is_autocast_enabled("cpu"))
    return torch.mm(z, y)


for enabled in (True, False):
    for reentrant in (True, False):
        torch.manual_seed(1)
        x, y = torch.randn(3, 3, requires_grad=True), torch.randn(3, 3, requires_grad=True)
        with torch.autocast("cpu", enabled=enabled, dtype=torch.bfloat16):
            loss = checkpoint(layers, x, y, use_reentrant=reentrant).sum()
        loss.backward()
        show(loss.dtype, (x.grad.sum() * 10).round(), torch.is_autocast_enabled("cpu"))
        with torch.autocast("cpu", enabled=not enabled, dtype=torch.bfloat16):
            checkpoint(layers, x, y, use_reentrant=reentrant).sum().backward()
