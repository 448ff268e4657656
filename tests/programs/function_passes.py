# %% What backward may return
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n, y):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return answer(g)


x, y = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
for a in [
    lambda g: g,
    lambda g: (g,),
    lambda g: (g, g, g),
    lambda g: (g, None, g),
    lambda g: (g, None, None, None),
    lambda g: (g, None, None, g),
    lambda g: (g, None),
    lambda g: (None, None, None),
    lambda g: None,
    lambda g: (3, None, None),
    lambda g: [g, None, None],
    lambda g: (g.sum(), None, None),
    lambda g: (g[0].expand(2, 2), None, None),
    lambda g: (g.double(), None, None),
    lambda g: (g.int(), None, None),
    lambda g: (g * 1j, None, None),
    lambda g: (g.expand(3, 2), None, None),
]:
    answer = a
    globals()["answer"] = a
    try:
        x.grad = y.grad = None
        F.apply(x, 1, y).sum().backward()
        show(x.grad, y.grad)
    except (TypeError, RuntimeError) as e:
        show(type(e), e)


# %% A Function without a gradient in the middle
class Nothing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        show("nothing", g)
        return None


class Id(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(Id.on)
        return x * 1

    @staticmethod
    def backward(ctx, g):
        show("id", g)
        return g


for Id.on in (True, False):
    x = torch.ones(2, requires_grad=True)
    Nothing.apply(Id.apply(x * 1)).sum().backward()
    show(x.grad)


# %% Hooks of a Function's node
order = []


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        order.append("F")
        return g * 2


x = torch.ones(2, requires_grad=True)
y = F.apply(x)
y.grad_fn.register_hook(lambda gi, go: order.append((gi, go)))
y.grad_fn.register_prehook(lambda go: order.append(go))
y.register_hook(lambda g: order.append(g))
y.retain_grad()
y.grad_fn.metadata["a"] = 1
y.sum().backward()
show(order, y.grad, y.grad_fn.metadata)
y.grad_fn.__class__ = 3


# %% needs_input_grad in partial passes
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y

    @staticmethod
    def backward(ctx, g):
        show(ctx.needs_input_grad, torch.is_grad_enabled())
        return g, g


x, y, z = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True), torch.ones(2)
torch.autograd.grad(F.apply(x, y).sum(), x)
torch.autograd.grad(F.apply(x * 1, y).sum(), [y])
r = F.apply(x, z)
show(r.grad_fn.next_functions[1], len(r.grad_fn.next_functions))
r.sum().backward()
show(z.grad)


class G(torch.autograd.Function):
    @staticmethod
    def forward(ctx, n, x, s, y):
        return x * y

    @staticmethod
    def backward(ctx, g):
        return None, g, None, g


r = G.apply(1, x, "s", y)
show(len(r.grad_fn.next_functions), r.grad_fn.needs_input_grad)


# %% Differentiation inside of forward
class Inner(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            d = x.detach().requires_grad_()
            y = (d**3).sum()
            (ctx.g,) = torch.autograd.grad(y, d)
        return y.detach()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.g


x = torch.tensor([1.0, 2.0], requires_grad=True)
Inner.apply(x).backward()
show(x.grad)


class Leak(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 9


y = Leak.apply(x)
show(y, y.grad_fn.next_functions)
with torch.no_grad():
    y = Leak.apply(x)
    show(y)


# %% The order of hooks of an accumulating node
order = []
x = torch.ones(2, requires_grad=True)
y = x * 2
acc = x.grad_fn or torch.autograd.graph.get_gradient_edge(x).node
acc.register_hook(lambda gi, go: order.append(("post", gi, go, x.grad)))
acc.register_prehook(lambda go: order.append(("pre", go)))
x.register_hook(lambda g: order.append(("tensor", g)))
x.register_post_accumulate_grad_hook(lambda p: order.append(("acc", p.grad)))
y.sum().backward()
show(order)


# %% Anomaly mode and the metadata of a node
with torch.autograd.set_detect_anomaly(True):
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.add_(1)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            y.sum().backward()
        except RuntimeError as e:
            show(str(e))
show(sorted(y.grad_fn.metadata))


# %% A backward that raises, with and without anomaly mode
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        raise ValueError("mine")


x = torch.ones(2, requires_grad=True)
try:
    F.apply(x).sum().backward()
except ValueError as e:
    show(e)
F.apply(x).add_(1).sum().backward()


# %% The gradient of a Function is looked at where only another tensor is asked for too
class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * 2, b * 2

    @staticmethod
    def backward(ctx, g, h):
        return torch.ones(5), torch.ones(3)


x = torch.ones(3, requires_grad=True)
z, w = x * 1, x * 2
for ask in (
    lambda a, b: torch.autograd.grad(a.sum() + b.sum(), w),
    lambda a, b: torch.autograd.grad(a.sum() + b.sum(), z),
    lambda a, b: a.sum().backward(inputs=[a]),
    lambda a, b: b.sum().backward(inputs=[a]),
):
    try:
        show(ask(*Two.apply(z, w)))
    except RuntimeError as e:
        show(e)


# %% Backward passes within backward passes
def nested(depth):
    class Nested(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, left):
            ctx.left = left
            return x * 1

        @staticmethod
        def backward(ctx, g):
            if not ctx.left:
                return g * 2, None
            with torch.enable_grad():
                x = torch.ones(1, requires_grad=True)
                Nested.apply(x, ctx.left - 1).sum().backward()
            return g * x.grad, None

    x = torch.ones(1, requires_grad=True)
    Nested.apply(x, depth).sum().backward()
    return x.grad


show(nested(10), nested(400))


# %% Sparse gradients of two leaves lie in memory of their own
class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, grad):
        ctx.seen.append(grad._values().data_ptr())
        return grad, grad


Sum.seen = seen = []
index, offsets = torch.tensor([1, 2, 4, 5, 4, 3]), torch.tensor([0, 4])
F = torch.nn.functional
for add in (Sum.apply, torch.add):
    for embed in (
        lambda t: F.embedding_bag(t, index, offsets, sparse=True),
        lambda t: F.embedding(index, t, sparse=True),
    ):
        a, b = torch.ones(7, 3, requires_grad=True), torch.ones(7, 3, requires_grad=True)
        loss = embed(add(a, b)).sum()
        loss.backward(retain_graph=True)
        places = [t.grad._values().data_ptr() for t in (a, b)]
        show(places[0] == places[1], [p in seen for p in places])
        for _ in range(2):
            loss.backward(retain_graph=True)
        if a.grad.is_coalesced() or not a.grad._values().stride()[0] == 0:
            attempt(lambda a=a: a.grad._values().mul_(5).sum())
        show(a.grad.to_dense().sum(), b.grad.to_dense().sum())
kept = []
x = torch.ones(7, 3, requires_grad=True)
x.register_hook(kept.append)
F.embedding(index, x, sparse=True).sum().backward()
show(kept[0]._values().data_ptr() == x.grad._values().data_ptr())


# %% Dense and sparse gradients on a gradient that is there
sparse = torch.tensor([0.0, 2.0]).to_sparse()
for create_graph in (False, True):
    for first in (sparse, torch.ones(2)):
        for second in (sparse, torch.ones(2)):
            p = torch.tensor([1.5, 1.5]).requires_grad_()
            p.grad = before = first.clone()
            p.backward(second, create_graph=create_graph)
            show(p.grad.to_dense(), p.grad.layout, p.grad is before)


# %% Hooks of several tensors where one that is asked for is not reached
t = [torch.full((2,), i + 1.0, requires_grad=True) for i in range(4)]
handle = torch.autograd.graph.register_multi_grad_hook(t, lambda gs: show([g is not None for g in gs]))
out = t[1] * t[2]
for asked in ((1, 2), (0, 3), (0, 2), (2,), None, (0, 1)):
    show(asked)
    attempt(
        lambda asked=asked: out.sum().backward(
            inputs=None if asked is None else [t[i] for i in asked], retain_graph=True
        )
    )
