# %% Degenerate variances and implicit dimensions warn
x = torch.ones(4)
with torch.no_grad():
    v = x[1:]
torch.nn.functional.softmax(v)
v.var(dim=0, correction=5)
torch.nn.functional.log_softmax(v)
w = torch.ones(4, requires_grad=True)
with torch.no_grad():
    v = w[1:]
torch.nn.functional.softmax(v)
v.var(dim=0, correction=5)
torch.nn.functional.log_softmax(v)
v.var(correction=3)
v.std(correction=3)


# %% Versions of copies
import copy

x = torch.ones(2, requires_grad=True)
show(copy.copy(x)._version, copy.deepcopy(x)._version, copy.copy(torch.ones(2))._version)


# %% The attributes of ctx and of a Function's node
x = torch.tensor([1.0, 2.0], requires_grad=True)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b=3):
        ctx.save_for_backward(a)
        ctx.k = b
        return a * b

    @staticmethod
    def backward(ctx, g):
        return g * ctx.k, None


y = F.apply(x)
n = y.grad_fn
attempt(lambda: n.saved_variables)
attempt(lambda: n.dirty_tensors)
attempt(lambda: n.non_differentiable)
attempt(lambda: n.to_save)
attempt(lambda: n.needs_input_grad)
attempt(lambda: n.saved_for_forward)
attempt(lambda: n.k)
attempt(lambda: n._forward_cls is F)
attempt(lambda: n.saved_tensors)
y = F.apply(x)
n = y.grad_fn
attempt(lambda: n._sequence_nr() >= 0)
attempt(lambda: n.name())
attempt(lambda: n.next_functions)
attempt(lambda: n.metadata)
attempt(lambda: [(m.shape, m.dtype) for m in n._input_metadata])
attempt(lambda: isinstance(n, torch.autograd.function.BackwardCFunction))
attempt(lambda: F._backward_cls is type(n))
attempt(lambda: F.apply())
attempt(lambda: F.apply(x, 1, 2))
attempt(lambda: F())
attempt(lambda: F.forward(None, x))
attempt(lambda: F.backward(3, 4))
attempt(lambda: F.apply(3))
attempt(lambda: F.apply(None))
attempt(lambda: F.apply(torch.tensor([1, 2])).requires_grad)
attempt(lambda: F.apply(x.to(torch.complex64)))


class B(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *args):
        return args

    @staticmethod
    def backward(ctx, *g):
        show(len(g), ctx.needs_input_grad)
        return g


attempt(lambda: B.apply(x, x, 3, "a", None, torch.tensor(1)))
a = B.apply(x, x * 2, 3)
attempt(lambda: (a[0].sum() + a[1].sum()).backward())
show(x.grad)


class R(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return self_returned[0]


for r in (
    3,
    None,
    torch.ones(3),
    torch.ones(2, 2),
    torch.ones(1),
    torch.ones(2, dtype=torch.int64),
    torch.ones(2, dtype=torch.float64),
    torch.ones(2, dtype=torch.complex64),
    (torch.ones(2), torch.ones(2)),
    (torch.ones(2), None),
    [torch.ones(2)],
    (),
    torch.ones(2, requires_grad=True),
    "a",
):
    self_returned = [r]
    x.grad = None
    attempt(lambda: R.apply(x).sum().backward())
    attempt(lambda: x.grad)
for ret in (3, None, "a", (1, 2), [torch.ones(2)], (torch.ones(2), 3), {}, ()):

    class O(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return ret

        @staticmethod
        def backward(ctx, *g):
            return None

    attempt(lambda: O.apply(x))


# %% mark_dirty, then what the written tensor shows
x = torch.tensor([1.0, 2.0], requires_grad=True)


class D(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.mark_dirty(a)
        a.add_(b)
        return a

    @staticmethod
    def backward(ctx, g):
        return g, g * 2


y = x * 1
z = D.apply(y, x)
show(z is y, y.grad_fn.name(), y._version)
z.sum().backward()
show(x.grad)
attempt(lambda: D.apply(x, x))
attempt(lambda: D.apply((x * 1)[:1], x[:1]))
y = x * 1
v = y[:1]
D.apply(v, x[:1])
show(y.grad_fn.name(), v.grad_fn.name(), y)
x.grad = None
y.sum().backward()
show(x.grad)
with torch.no_grad():
    attempt(lambda: D.apply(x, x))
    show(x, x._version)


class N(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        i = a.argmax()
        b = a * 1
        c = a.detach() * 2
        ctx.mark_non_differentiable(i, c)
        return i, b, c

    @staticmethod
    def backward(ctx, gi, gb, gc):
        show(gi, gb, gc)
        return gb


i, b, c = N.apply(x)
show(i, b, c, i.requires_grad, c.requires_grad)
b.sum().backward()


class S(torch.autograd.Function):
    @staticmethod
    def forward(a, b):
        return a * b

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        show(len(inputs), output)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a


attempt(lambda: S.apply(x, x).sum().backward())
attempt(lambda: S.apply(x))
attempt(lambda: S.apply(a=x, b=x) if False else S.apply(x, b=x))


class OD(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * 2


(g,) = torch.autograd.grad(OD.apply(x).sum(), x, create_graph=True)
show(g)
attempt(lambda: g.sum().backward())
(g,) = torch.autograd.grad(OD.apply(x * x).sum(), x, create_graph=True)
show(g, g.requires_grad)
attempt(lambda: g.sum().backward())


# %% The names of torch.autograd
show(
    [
        n
        for n in (
            "backward",
            "grad",
            "Function",
            "Variable",
            "detect_anomaly",
            "enable_grad",
            "grad_mode",
            "gradcheck",
            "gradgradcheck",
            "graph",
            "functional",
            "forward_ad",
            "function",
            "inference_mode",
            "no_grad",
            "set_detect_anomaly",
            "set_grad_enabled",
            "set_multithreading_enabled",
            "anomaly_mode",
        )
        if hasattr(torch.autograd, n)
    ]
)
with torch.autograd.set_multithreading_enabled(False):
    attempt(lambda: (torch.ones(2, requires_grad=True) * 2).sum().backward())
show(
    torch.autograd.grad_mode.no_grad is torch.no_grad,
    torch.autograd.anomaly_mode.detect_anomaly is torch.autograd.detect_anomaly,
)
show(
    torch.autograd.grad_mode.__name__.split(".")[-1],
    torch.autograd.function.once_differentiable.__name__,
    torch.autograd.function.FunctionCtx.__name__,
)


# %% Gradients of another kind than the arguments of a Function
def returning(first, second):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return b * 2

        @staticmethod
        def backward(ctx, grad):
            return first, second

    return Twice


c, f = torch.ones(2, dtype=torch.complex64), torch.ones(2)
gradients = (c, f, f.bool(), f.long(), None, "x")
for kind in (torch.bool, torch.int64, torch.float32, torch.complex64):
    for requires_grad in (False, True):
        if requires_grad and kind in (torch.bool, torch.int64):
            continue
        a = torch.ones(2).to(kind).requires_grad_(requires_grad)
        b = torch.ones(2, dtype=torch.complex64, requires_grad=True)
        for first in gradients:
            for second in gradients:

                def gradients_of():
                    a.grad = b.grad = None
                    returning(first, second).apply(a, b).sum().abs().backward()
                    return a.grad, b.grad

                attempt(gradients_of)


# %% A custom Function written in every wrong way
# A custom Function: forgotten static, wrong count, None, needs_input_grad, mark_dirty, non differentiable.
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, k):
        ctx.save_for_backward(a, b)
        ctx.k = k
        show(ctx.needs_input_grad)
        r = a * b * k
        i = r > 0
        ctx.mark_non_differentiable(i)
        return r, i

    @staticmethod
    def backward(ctx, g, gi):
        a, b = ctx.saved_tensors
        show(g, gi, ctx.needs_input_grad)
        return g * b * ctx.k, None, None


a = torch.ones(2, requires_grad=True)
b = torch.full((2,), 3.0)
r, i = F.apply(a, b, 2)
show(r, i, i.requires_grad, r.grad_fn.name())
r.sum().backward()
show(a.grad)
try:
    r.sum().backward()
except RuntimeError as error:
    show(error)
try:
    i.sum().backward()
except RuntimeError as error:
    show(error)
try:
    F.apply(a)
except TypeError as error:
    show(error)
try:
    F()(a)
except RuntimeError as error:
    show(error)
show(F.apply(b, b, 1)[0].requires_grad)
with torch.no_grad():
    show(F.apply(a, b, 1)[0].requires_grad)


# %% Functions that everyone writes wrong: which line raises
# Checkpoints of thought: which line raises in a function that everyone writes wrong.
def softmax(x):
    e = torch.exp(x)
    e /= e.sum(-1, keepdim=True)
    return e


def normalise(x):
    x -= x.mean()
    x /= x.std()
    return x


def clip(x):
    x[x > 1] = 1
    return x


def first(x):
    x.data.clamp_(max=1)
    return x * 2


x = torch.tensor([0.5, 1.5, 2.0], requires_grad=True)
for f in (softmax, normalise, clip, first):
    for arg in (x, x * 1, x.detach().clone()):
        x.grad = None
        try:
            r = f(arg)
            show(f.__name__, r)
            r.sum().backward()
            show(x.grad)
        except RuntimeError as error:
            show(f.__name__, str(error).split("Hint")[0])
