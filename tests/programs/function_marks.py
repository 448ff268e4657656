# %% A saved result that was written to
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return ctx.saved_tensors[0] * g


x = torch.ones(2, requires_grad=True)
z = F.apply(x)
z.add_(1)
show(z.grad_fn, z.grad_fn.next_functions)
z.sum().backward()


# %% What save_for_backward and the marks may be given
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, what):
        if what == 1:
            ctx.save_for_backward(3)
        if what == 2:
            ctx.save_for_backward(x, None)
            show(ctx.saved_tensors)
        if what == 3:
            ctx.mark_dirty(3)
        if what == 4:
            ctx.mark_non_differentiable(3)
        if what == 5:
            return 3
        if what == 6:
            return x, 3, None, [x]
        if what == 7:
            return [x * 1, x]
        if what == 8:
            return None
        if what == 9:
            ctx.to_save = 3
        if what == 10:
            ctx.save_for_backward([x])
        if what == 11:
            return ()
        return x * 2

    @staticmethod
    def backward(ctx, g, *others):
        show("backward", g, others, ctx.saved_tensors)
        return g, None


for rg in (True, False):
    x = torch.ones(2, requires_grad=rg)
    for what in range(12):
        try:
            r = F.apply(x, what)
            show(what, r)
        except (TypeError, RuntimeError, ValueError, AttributeError) as e:
            show(what, type(e), e)
r = F.apply(torch.ones(2, requires_grad=True), 2)
show(r.grad_fn.saved_tensors)
r.sum().backward()


# %% mark_dirty of the only input
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


a = torch.ones(3, requires_grad=True)
b = a.clone()
v = b._version
c = F.apply(b)
show(c is b, c, b._version, v, b.grad_fn.next_functions)
c.sum().backward()
show(a.grad)
b = a.clone()
s = b[1:]
r = F.apply(s)
show(r is s, b, s, s.grad_fn.next_functions, b.grad_fn.next_functions)
a.grad = None
b.sum().backward()
show(a.grad)
p = torch.ones(2)
q = F.apply(p)
show(q is p, q, q._version)
try:
    F.apply(a)
except RuntimeError as e:
    show(e, a)
try:
    F.apply(a[1:])
except RuntimeError as e:
    show(e, a)


# %% mark_dirty of one of two inputs
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.mark_dirty(x)
        x.add_(y)
        return (x, y * 2) if both else y * 3

    @staticmethod
    def backward(ctx, *g):
        show("backward", g)
        return (g[0], g[0] + g[1] * 2) if len(g) > 1 else (g[0], g[0])


both = globals()["both"] = True
x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
b = x * 1
r, s = F.apply(b, y)
show(r is b, r, s, r.output_nr, s.output_nr, r.grad_fn is s.grad_fn)
(r * s).sum().backward()
show(x.grad, y.grad)
try:
    F.apply((x * 1)[1:], y[1:])
except RuntimeError as e:
    show(e)
both = globals()["both"] = False
try:
    F.apply(x * 1, y)
except RuntimeError as e:
    show(e)


# %% mark_dirty of what is not an input
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * 2


x = torch.ones(3, requires_grad=True)
show(F.apply(x))


# %% mark_non_differentiable of indices
class Sort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, idx = x.sort()
        ctx.mark_non_differentiable(idx)
        ctx.save_for_backward(x, idx)
        return values, idx

    @staticmethod
    def backward(ctx, g1, g2):
        show("backward", g1, g2)
        x, idx = ctx.saved_tensors
        return torch.zeros_like(x).index_add_(0, idx, g1)


x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
v, i = Sort.apply(x)
show(v, i, i.requires_grad, v.output_nr, i.output_nr)
(v * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
show(x.grad)


# %% set_materialize_grads with several outputs
class Two(torch.autograd.Function):
    materialize = True

    @staticmethod
    def forward(ctx, x, y):
        ctx.set_materialize_grads(Two.materialize)
        return x * 2, y * 3, (x > 0).int(), x.detach().double()

    @staticmethod
    def backward(ctx, *gs):
        show("backward", gs)
        return gs[0], gs[1]


x, y = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
a, b, c, d = Two.apply(x, y)
show(a, b, c, d, a.grad_fn is b.grad_fn, b.output_nr, d.output_nr, b.grad_fn.next_functions)
a.sum().backward(retain_graph=True)
show(x.grad, y.grad)
b.sum().backward(retain_graph=True)
show(x.grad, y.grad)
Two.materialize = False
x.grad = y.grad = None
a, b, c, d = Two.apply(x, y)
a.sum().backward()
show(x.grad, y.grad)
show(torch.autograd.grad(Two.apply(x, y)[1].sum(), [x, y], allow_unused=True))
a.add_(1)


# %% A Function that returns its input
class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 5


x = torch.ones(3, requires_grad=True)
y = Same.apply(x)
show(y is x, y, y._is_view(), y._base is x, y.is_leaf)
y.sum().backward()
show(x.grad)
b = x * 1
z = Same.apply(b)
for f in (
    lambda: z.add_(1),
    lambda: z[0].add_(1),
    lambda: (b.add_(1), show(z.grad_fn)),
    lambda: z.detach().add_(1),
):
    try:
        show(f())
    except RuntimeError as e:
        show(e)
p = torch.ones(2)
q = Same.apply(p)
show(q is p, q._is_view(), q.requires_grad)
q.add_(1)
show(p)
with torch.no_grad():
    r = Same.apply(x)
    show(r is x, r._is_view(), r.requires_grad)


# %% A Function that returns two views of its input
class Cut(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[1:], x[:1]

    @staticmethod
    def backward(ctx, a, b):
        return torch.cat([b, a])


x = torch.ones(3, requires_grad=True)
a, b = Cut.apply(x)
show(a, b, a._base is x, a._is_view())
(a.sum() * 2 + b.sum()).backward()
show(x.grad)
y = x * 1
a, b = Cut.apply(y)
try:
    a.add_(1)
except RuntimeError as e:
    show(e)
y.add_(1)
a.grad_fn


# %% once_differentiable
from_ = torch.autograd.function.once_differentiable


class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    @from_
    def backward(ctx, g):
        show(torch.is_grad_enabled())
        (x,) = ctx.saved_tensors
        return g * 2 * x


x = torch.tensor([3.0], requires_grad=True)
y = Once.apply(x)
y.backward()
show(x.grad)
(g,) = torch.autograd.grad(Once.apply(x), x, create_graph=True)
show(g)
one = torch.ones(1, requires_grad=True)
(g,) = torch.autograd.grad(Once.apply(x), x, one, create_graph=True)
show(g, g.grad_fn)
g.backward()
two = from_(lambda ctx, g: (g * 2, None, g * 3))
a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
results = two(None, a * 1)
node = results[0].grad_fn
show(
    node.name(),
    node is results[2].grad_fn,
    [t and t.output_nr for t in results],
    node._sequence_nr() == 2**64 - 1,
)
show([(f and type(f).__name__, n) for f, n in node.next_functions])
attempt(lambda: torch.autograd.backward([results[2], b * 3], [torch.ones(2)] * 2))
show(a.grad, b.grad)
attempt(lambda: from_(lambda ctx, g: 5)(None, a))


# %% setup_context that saves an input returned as output
class F(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        return g


x = torch.ones(2, requires_grad=True)
F.apply(x)


# %% InplaceFunction
class F(torch.autograd.function.InplaceFunction):
    @staticmethod
    def forward(ctx, x, inplace):
        if inplace:
            ctx.mark_dirty(x)
            return x.mul_(3)
        return x * 3

    @staticmethod
    def backward(ctx, g):
        return g * 3, None, None


x = torch.ones(2, requires_grad=True)
y = F.apply(x * 1, True)
y.sum().backward()
show(
    y,
    x.grad,
    isinstance(F, torch.autograd.function.FunctionMeta),
    torch.autograd.function.Function is torch.autograd.Function,
    issubclass(F, torch.autograd.function.FunctionCtx),
)
show(
    isinstance(y.grad_fn, torch.autograd.function.FunctionCtx),
    isinstance(y.grad_fn, torch.autograd.function.BackwardCFunction),
    F.__mro__[1:3],
)


# %% Saved inputs come back as the same objects
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        show(x is X, y is Y, ctx.saved_tensors is ctx.saved_tensors)
        return g * y, g * x


X, Y = torch.ones(2, requires_grad=True), torch.ones(2)
globals().update(X=X, Y=Y)
z = F.apply(X, Y)
z.sum().backward(retain_graph=True)
z.sum().backward()
show(X.grad)


# %% A view made by a Function and written under no_grad
x = torch.ones(3, requires_grad=True)


class V(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, g):
        return g.view(3) * 2


y = V.apply(x * 1)
with torch.no_grad():
    y.mul_(2)
show(y)
try:
    show(y.grad_fn)
except RuntimeError as e:
    show(e)
y = V.apply(x * 1)
show(y.view(3).grad_fn.next_functions, y[0].grad_fn)


# %% mark_dirty of a tensor that has or retains a gradient
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


x = torch.ones(3)
x.grad = torch.ones(3)
w = torch.ones(3, requires_grad=True)
b = w.clone()
b.retain_grad()
h = []
b.register_hook(lambda g: h.append(("old", g)))
F.apply(b)
b.register_hook(lambda g: h.append(("new", g)))
b.sum().backward()
show(h, b.grad, w.grad)
