# %% Dual tensors through operations, views and writes
fw = torch.autograd.forward_ad
x, t, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, -1.0, 2.0]), torch.tensor([2.0, 0.0, -1.0])


def attempt(f, *args, **kwargs):
    try:
        show(f(*args, **kwargs))
    except (TypeError, RuntimeError, ValueError, NotImplementedError, AttributeError) as e:
        show(type(e), e)


with fw.dual_level():
    d = fw.make_dual(x, t)
    show(fw.unpack_dual(d).primal, fw.unpack_dual(d).tangent, type(fw.unpack_dual(d)).__name__, d)
    for f in (
        lambda d: d * y,
        lambda d: d.sin() + d,
        lambda d: d.sum(),
        lambda d: d[1:],
        lambda d: d.view(3, 1).t(),
        lambda d: torch.cat([d, y]),
        lambda d: d.detach(),
        lambda d: d.sort()[0],
        lambda d: d.max(),
        lambda d: d / (d * d).sum(),
        lambda d: torch.where(d > 1.5, d, y),
        lambda d: d.clone(),
        lambda d: d.int(),
        lambda d: d.double(),
        lambda d: d.softmax(0),
        lambda d: y * 2,
    ):
        p, g = fw.unpack_dual(f(d))
        show(p, g)
    w = fw.make_dual(x * 1, t)
    w.mul_(2)
    w[0] = 5.0
    w[1:].add_(d[:2])
    show(fw.unpack_dual(w))
    u = torch.zeros(3)
    u.copy_(d)
    u[0] = d[2]
    show(fw.unpack_dual(u))
    v = torch.zeros(3)
    v[1:] = d[1:]
    show(fw.unpack_dual(v), fw.unpack_dual(v[1]))
    with torch.no_grad():
        show(fw.unpack_dual(d * d))
    show(fw.unpack_dual(x), d._is_view(), d.requires_grad, d.is_leaf, x.data_ptr() == d.data_ptr())
show(fw.unpack_dual(d), fw.unpack_dual(d * 2))


# %% What dual levels refuse
fw = torch.autograd.forward_ad
x, t = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, -1.0, 2.0])


def attempt(f, *args, **kwargs):
    try:
        show(f(*args, **kwargs))
    except (TypeError, RuntimeError, ValueError, NotImplementedError, AttributeError) as e:
        show(type(e), e)


attempt(fw.make_dual, x, t)
attempt(fw.exit_dual_level)
attempt(lambda: fw.unpack_dual(x))
attempt(fw.make_dual, x, t, level=0)
attempt(fw.make_dual, x, t, level=-1)
attempt(fw.make_dual, x, t, level=2)
attempt(fw.unpack_dual, x, level=0)
attempt(fw.exit_dual_level, level=0)
with fw.dual_level():
    attempt(fw.enter_dual_level)
    attempt(fw.make_dual, x, t[:2])
    attempt(fw.make_dual, x.int(), t)
    attempt(fw.make_dual, x, t.int())
    attempt(fw.make_dual, x, t.double())
    attempt(fw.make_dual, fw.make_dual(x, t), t)
    attempt(fw.make_dual, x, 3)
    attempt(fw.make_dual, 3, x)
    attempt(fw.exit_dual_level, level=3)
    attempt(fw.unpack_dual, 3)
    attempt(fw.make_dual, x, t, level=0)
    attempt(fw.make_dual, x, t, level=-1)
    attempt(fw.make_dual, x, t, level=2)
    attempt(fw.unpack_dual, x, level=1)
    show(
        fw.make_dual(x.view(3, 1).expand(3, 2) * 1, torch.ones(3, 2)),
        fw.make_dual(x, t)[0],
        torch.arange(200.0) * fw.make_dual(x[0], t[0]),
    )
    attempt(lambda: fw.make_dual(x, t).item())
    attempt(lambda: fw.unpack_dual(fw.make_dual(x * 1j, t * 1j).abs()))
show(fw.enter_dual_level())
d = fw.make_dual(x, t)
fw.exit_dual_level()
show(fw.unpack_dual(d))


@fw.dual_level()
def f():
    return fw.unpack_dual(fw.make_dual(x, t) ** 2).tangent


show(f())


# %% Tangents that require grad themselves
fw = torch.autograd.forward_ad
x, t = torch.tensor([1.0, 2.0, 3.0], requires_grad=True), torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
with fw.dual_level():
    d = fw.make_dual(x, t)
    g = fw.unpack_dual((d**3).sum()).tangent
    show(g.detach(), g.requires_grad, torch.autograd.grad(g, (x, t), retain_graph=True))
    g.backward()
    show(x.grad, t.grad)
    h = torch.autograd.grad((d**3).sum(), d, create_graph=True)[0]
    show(fw.unpack_dual(h).primal.detach(), fw.unpack_dual(h).tangent.detach())
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.arange(1.0, p.numel() + 1).view_as(p) / (p.numel() + i) - 0.5)
with fw.dual_level():
    out = net(fw.make_dual(x.detach(), t.detach()))
    show(fw.unpack_dual(out).tangent.detach())


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.y = y
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.y

    @staticmethod
    def jvp(ctx, t):
        return ctx.y * t


class NoJvp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


with fw.dual_level():
    d = fw.make_dual(x.detach(), t.detach())
    show(fw.unpack_dual(Exp.apply(d)))
    try:
        show(fw.unpack_dual(NoJvp.apply(d)))
    except (RuntimeError, NotImplementedError) as e:
        show(type(e), e)


# %% What jvp of a Function must return for each output
fw = torch.autograd.forward_ad


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, marked, returned):
        out = y.clone()
        ctx.returned = returned
        if marked:
            ctx.mark_non_differentiable(out)
        return x.clone(), out

    @staticmethod
    def jvp(ctx, x, y, *_):
        show("y", y)
        return x, {"none": None, "x": x.clone(), "y": y}[ctx.returned]


for y in (torch.tensor(3.0), torch.tensor(3), torch.tensor(True)):
    for marked in (True, False):
        for returned in ("none", "x", "y"):
            if y.is_floating_point() and not marked and returned == "none":
                continue  # PyTorch reports an error of its own
            with fw.dual_level():
                x = fw.make_dual(torch.tensor(2.0), torch.tensor(1.0))
                attempt(lambda: [fw.unpack_dual(t).tangent for t in Both.apply(x, y, marked, returned)])


# %% Where forward returns a view, jvp returns a view of the tangent
fw = torch.autograd.forward_ad


class Rows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, how):
        ctx.how = how
        return x.narrow(0, 0, 2)

    @staticmethod
    def jvp(ctx, x, _):
        rows = x.narrow(0, 0, 2)
        return {
            "a view": lambda: rows,
            "a copy": lambda: rows.clone(),
            "a view of a copy": lambda: rows.clone().view_as(rows),
            "all of it": lambda: x,
            "fewer": lambda: x.view_as(x)[1:2],
        }[ctx.how]()


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, how):
        ctx.how = how
        return x

    @staticmethod
    def jvp(ctx, x, _):
        return [x, x.view_as(x), x * 2, x.clone().view_as(x)][ctx.how]


for n in (4, 2):
    for how in ("a view", "a copy", "a view of a copy", "all of it", "fewer"):
        for of_a_view in (False, True):
            if n == 4 and how == "fewer":
                continue
            with fw.dual_level():
                x = fw.make_dual(torch.ones(n, n, requires_grad=True), torch.full((n, n), 2.0))
                x = x.view_as(x) if of_a_view else x
                attempt(lambda: fw.unpack_dual(Rows.apply(x, how)).tangent)
for how in range(4):
    with fw.dual_level():
        tangent = torch.ones(1)
        x = fw.make_dual(torch.ones(1), tangent)
        attempt(lambda: fw.unpack_dual(Same.apply(x, how)).tangent)


# %% Where forward writes in place, jvp writes in place
fw = torch.autograd.forward_ad


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, how):
        ctx.how = how
        ctx.mark_dirty(x.mul_(2))
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2, None

    @staticmethod
    def jvp(ctx, x, _):
        return [
            lambda: x,
            lambda: x.mul_(2),
            lambda: x * 2,
            lambda: x.mul_(2).view_as(x),
            lambda: x.clone().mul_(2),
        ][ctx.how]()


for requires_grad in (False, True):
    for how in range(5):
        with fw.dual_level():
            tangent = torch.ones(1)
            x = fw.make_dual(torch.ones(1, requires_grad=requires_grad).clone(), tangent)
            attempt(
                lambda: (lambda y: (y is x, fw.unpack_dual(y).tangent is tangent, tangent))(
                    Twice.apply(x, how)
                )
            )


# %% What make_dual shares memory with
fwAD = torch.autograd.forward_ad
ones = torch.ones
pairs = [
    (ones(2), ones(2)),
    (ones(2), ones(5)[1:3]),
    (ones(2), ones(5)[:2]),
    (ones(5)[1:3], ones(5)[1:3]),
    (ones(5)[1:3], ones(2)),
    (ones(1).expand(2), ones(1).expand(2)),
    (ones(1).expand(2), ones(2)),
    (ones(2, 3).t(), ones(3, 2)),
    (ones(3, 2), ones(2, 3).t()),
    (ones(3, 1), torch.empty_strided((3, 1), (1, 5)).fill_(1)),
    (ones(()), ones(())),
    (ones(6)[::2], ones(3)),
    (ones(6)[::2], ones(6)[::2]),
    (ones(3), ones(3).double()),
    (ones(1, 2, 3, 3).to(memory_format=torch.channels_last), ones(1, 2, 3, 3)),
]
with fwAD.dual_level():
    for primal, tangent in pairs:
        try:
            dual = fwAD.make_dual(primal, tangent)
        except RuntimeError as error:
            show(str(error))
            continue
        parts = fwAD.unpack_dual(dual)
        show(
            dual._is_view(),
            dual._base is (primal if primal._base is None else primal._base),
            parts.primal.data_ptr() == primal.data_ptr(),
        )
        shares = parts.tangent.data_ptr() == tangent.data_ptr()
        show(
            shares,
            parts.tangent.stride(),
            parts.tangent.storage_offset(),
            parts.tangent.untyped_storage().nbytes(),
        )
        if not primal.numel() == 0 and 0 not in primal.stride() and shares:
            dual.mul_(3)
            show(primal, tangent, tangent._version, parts.tangent._version)
    x = ones(2)
    parts = fwAD.unpack_dual(x)
    show(parts.primal is x, parts.primal._base is x, parts.tangent)
show(fwAD.unpack_dual(x).primal is x)
