# %% Hooks of nodes and tensors with backward(inputs=)
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
z = (y * y).sum()
y.grad_fn.register_hook(lambda a, b: show("y node post", a, b))
y.grad_fn.register_prehook(lambda a: show("y node pre", a))
y.register_hook(lambda g: show("y hook", g))
z.backward(inputs=[y], retain_graph=True)
show(y.grad, x.grad)
z.backward(inputs=y, retain_graph=True)
show(y.grad)
show(torch.autograd.grad(z, y, retain_graph=True))
show(torch.autograd.grad(z, [y, x], retain_graph=True))
show(torch.autograd.grad(z, [x, y], retain_graph=True))
y.grad = None
z.backward(inputs=[y, x])
show(y.grad, x.grad)


# %% needs_input_grad and saved tensors of a Function in partial passes
x = torch.tensor([1.0, 2.0], requires_grad=True)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * 2

    @staticmethod
    def backward(ctx, g):
        show("ran", ctx.needs_input_grad)
        ctx.saved_tensors
        return g * 2


y = F.apply(x)
z = y.sin()
z.sum().backward(inputs=[y])
show(y.grad)
try:
    y.sum().backward()
except RuntimeError as e:
    show(e)
y = F.apply(x)
z = y.sin()
show(torch.autograd.grad(z.sum(), y))
y.sum().backward()


# %% backward(inputs=) of a tensor that is not a leaf, then of the rest
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
z = y.sin()
z.sum().backward(inputs=[y])
show(y.grad)
y.sum().backward()
show(x.grad)


# %% What grad() fills where a tensor retains its gradient
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
y.retain_grad()
z = y.sin()
y.register_hook(lambda g: g * 10)
show(torch.autograd.grad(z.sum(), y, retain_graph=True), y.grad)
show(torch.autograd.grad(z.sum(), [y, x], retain_graph=True), y.grad)
show(torch.autograd.grad(z.sum(), x, retain_graph=True), y.grad)
y.grad_fn.register_prehook(lambda g: (g[0] * 100,))
show(torch.autograd.grad(z.sum(), [y, x], retain_graph=True), y.grad)
show(torch.autograd.grad(z.sum(), y, retain_graph=True), y.grad)
x.register_hook(lambda g: g * 3)
x.register_post_accumulate_grad_hook(lambda t: show("post", t.grad))
show(torch.autograd.grad(z.sum(), x, retain_graph=True), x.grad)
acc = torch.autograd.graph.get_gradient_edge(x).node
acc.register_prehook(lambda g: (g[0] * 7,))
acc.register_hook(lambda a, b: show("acc post", a, b))
show(torch.autograd.grad(z.sum(), x, retain_graph=True), x.grad)
z.sum().backward(inputs=[x])
show(x.grad)


# %% detach_ before and after others were computed from a tensor
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 1
y2 = y.detach_()
show(y is y2, y.requires_grad, y.grad_fn)
a = x * 2
b = a * a
c = a.exp()
a.detach_()
show(a.requires_grad, a.is_leaf)
try:
    b.sum().backward()
except RuntimeError as e:
    show(e)
a = x * 2
b = a.exp()
c = b * 3
b.detach_()
try:
    c.sum().backward()
    show(x.grad)
except RuntimeError as e:
    show(e)
a = x.exp()
b = a.sin()
a.detach_()
try:
    b.sum().backward()
    show(x.grad)
except RuntimeError as e:
    show(e)
a = x * 2
v = a[:1]
try:
    v.detach_()
except RuntimeError as e:
    show(e)


# %% What a node saved after detach_ of its result or its input
x = torch.tensor([1.0, 2.0], requires_grad=True)
a = x.exp()
n = a.grad_fn
a.detach_()
try:
    show(n._saved_result)
except RuntimeError as e:
    show(e)
a = x * 2
b = a * a
n = b.grad_fn
a.detach_()
try:
    show(n._saved_self, n._saved_self is a)
except RuntimeError as e:
    show(e)


# %% A leaf transposed in place before backward
w = torch.arange(6.0).view(2, 3).requires_grad_()
y = w * 2
with torch.no_grad():
    w.t_()
show(w.shape, w._version, w.is_leaf)
try:
    y.sum().backward()
    show(w.grad, w.grad.shape)
except RuntimeError as e:
    show(e)
w = torch.arange(6.0).view(2, 3).requires_grad_()
y = w * w
with torch.no_grad():
    w.t_()
y.sum().backward()


# %% A leaf that gets a dimension in place before backward
w = torch.arange(6.0).requires_grad_()
y = w.exp()
with torch.no_grad():
    w.unsqueeze_(0)
y.sum().backward()
show(w.grad)


# %% A leaf whose data is replaced by another shape before backward
w = torch.arange(6.0).requires_grad_()
y = w.exp()
w.data = torch.ones(3)
try:
    y.sum().backward()
    show(w.grad)
except RuntimeError as e:
    show(e)
del y
w.grad = None
y = w.exp()
y.sum().backward()
show(w.grad)
w.grad = None
w.data = torch.ones(4)
del y
w.grad = None
y = w.exp()
y.sum().backward()
show(w.grad)


# %% A leaf whose data is replaced by another dtype before backward
w = torch.arange(6.0).requires_grad_()
y = w.exp()
w.data = torch.ones(6, dtype=torch.float64)
try:
    y.sum().backward()
    show(w.grad)
except RuntimeError as e:
    show(e)
try:
    (w * 2).sum().backward()
    show(w.grad)
except RuntimeError as e:
    show(e)


# %% grad_dtype of a leaf, and what it allows
x = torch.ones(2, requires_grad=True)
show(x.grad_dtype, torch.ones(2).grad_dtype)
x.grad_dtype = torch.float64
show(x.grad_dtype)
(x * 2).sum().backward()
show(x.grad)
attempt(lambda: setattr(x, "grad", torch.ones(2)))
attempt(lambda: setattr(x, "grad", torch.ones(2, dtype=torch.float64)))
x.grad_dtype = None
show(x.grad_dtype)
x.grad = None
(x * 2).sum().backward()
show(x.grad)
attempt(lambda: setattr(x, "grad_dtype", torch.float64))
attempt(lambda: setattr(x, "grad_dtype", torch.float32))
show(x.grad_dtype)
x.grad = None
attempt(lambda: setattr(x, "grad_dtype", 3))
y = x * 2
attempt(lambda: setattr(y, "grad_dtype", torch.float64))
attempt(lambda: y.grad_dtype)


# %% grad_dtype set before requires_grad, and with grad()
z = torch.ones(2)
z.grad_dtype = torch.float64
show(z.grad_dtype)
z.requires_grad_()
(z * 2).sum().backward()
show(z.grad)
show(torch.autograd.grad((z * 2).sum(), z))
w = torch.ones(2, requires_grad=True)
w.grad_dtype = torch.float64
w.sum().backward()
show(w.grad)
w.grad = None
w.expand(3, 2).sum().backward(create_graph=True)
show(w.grad)
w = torch.ones(2, requires_grad=True)
w.grad_dtype = None
w.grad = torch.ones(2, dtype=torch.float64)
show(w.grad)
(w * w).sum().backward()
show(w.grad)
w = torch.ones(2, requires_grad=True)
v = w * 2
w.grad_dtype = torch.float64
v.sum().backward()
show(w.grad)
w = torch.ones(2, requires_grad=True)
v = w * 2
w.grad_dtype = None
v.sum().backward()
show(w.grad)
w = torch.ones(2, requires_grad=True)
w.grad_dtype = None
w.double().sum().backward()
show(w.grad)
import copy, pickle

w = torch.ones(2, requires_grad=True)
w.grad_dtype = torch.float64
show(
    w.detach().grad_dtype,
    w.data.grad_dtype,
    copy.deepcopy(w).grad_dtype,
    copy.copy(w).grad_dtype,
    pickle.loads(pickle.dumps(w)).grad_dtype,
)
w.data = torch.ones(2, dtype=torch.float16)
show(w.grad_dtype, w.dtype)
w = torch.ones(2, requires_grad=True)
w.data = torch.ones(2, dtype=torch.float16)
show(w.grad_dtype, w.dtype)
w = torch.ones(2, requires_grad=True)
w.grad_dtype = torch.float64
w.register_hook(lambda g: show(g))
w.register_hook(lambda g: g.float())
try:
    (w * 2).sum().backward()
    show(w.grad)
except RuntimeError as e:
    show(e)


# %% What may be passed as the gradient of backward()
x = torch.ones(2, requires_grad=True)
attempt(lambda: x.sum().backward(gradient=3))
attempt(lambda: x.backward(None))
attempt(lambda: x.sum().backward(torch.ones(1)))
attempt(lambda: x.sum().backward(torch.tensor(1, dtype=torch.int64)))
show(x.grad)
attempt(lambda: x.sum().backward(torch.tensor(1, dtype=torch.float64)))
show(x.grad)
attempt(lambda: x.sum().backward(torch.tensor(1j)))
attempt(lambda: torch.autograd.backward([x.sum(), x.prod()]))
show(x.grad)
attempt(lambda: torch.autograd.backward([x.sum(), x * 2]))
show(x.grad)
attempt(lambda: torch.autograd.backward([x.sum(), x * 2], [None, torch.ones(2)]))
show(x.grad)
attempt(lambda: torch.autograd.backward([x.sum(), x * 2], [None]))
attempt(lambda: torch.autograd.backward([x.sum()], [None, None]))
attempt(lambda: torch.autograd.backward([]))
attempt(lambda: torch.autograd.backward(x.sum(), grad_variables=torch.tensor(2.0)))
show(x.grad)
attempt(lambda: torch.autograd.backward(x.sum(), torch.tensor(1.0), grad_variables=torch.tensor(2.0)))
attempt(lambda: torch.autograd.backward(x.sum(), inputs=[]))
attempt(lambda: torch.autograd.backward(x.sum(), inputs=()))
attempt(lambda: torch.autograd.backward(x.sum(), inputs=[torch.ones(1)]))
attempt(lambda: torch.autograd.backward(x.sum(), inputs=3))
attempt(lambda: torch.autograd.backward(x.sum(), inputs=[3]))
attempt(lambda: torch.autograd.backward(3))
attempt(lambda: torch.autograd.backward([3]))
attempt(lambda: torch.autograd.backward(None))
attempt(lambda: torch.autograd.backward(torch.ones(1)))
attempt(lambda: torch.autograd.backward([x.sum(), torch.ones(1)]))
attempt(lambda: x.sum().backward(retain_variables=True))
attempt(lambda: torch.autograd.backward(x.sum(), retain_variables=True))
attempt(lambda: torch.autograd.grad(x.sum(), []))
attempt(lambda: torch.autograd.grad(x.sum(), x, only_inputs=False))
attempt(lambda: torch.autograd.grad([], x))
attempt(lambda: torch.autograd.grad(x.sum(), 3))
attempt(lambda: torch.autograd.grad(x.sum(), [3]))
attempt(lambda: torch.autograd.grad(x.sum(), None))
attempt(lambda: torch.autograd.grad(x.sum(), x, materialize_grads=True, allow_unused=False))
attempt(lambda: torch.autograd.grad(x * 2, x))
attempt(lambda: torch.autograd.grad(x * 2, x, 3))
attempt(lambda: torch.autograd.grad([x * 2, x.sum()], x, [torch.ones(2)]))
attempt(lambda: torch.autograd.grad([x * 2, x.sum()], x, torch.ones(2)))
attempt(lambda: torch.autograd.grad([x * 2, x.sum()], [x, x], [torch.ones(2), None]))
attempt(lambda: torch.autograd.grad((x * 2,), (x,), (torch.ones(2, 1),)))
attempt(lambda: torch.autograd.grad(x, x, torch.ones(2)))
attempt(lambda: torch.autograd.grad(x.sum(), x.sum()))
attempt(lambda: torch.autograd.grad(iter([x.sum()]), x))
attempt(lambda: torch.autograd.grad(x.sum(), iter([x])))
attempt(lambda: torch.autograd.grad({x.sum(): 1}, x))
attempt(lambda: torch.autograd.grad(x.sum(), x, torch.ones((), requires_grad=True), create_graph=True))
attempt(
    lambda: torch.autograd.grad(
        outputs=x.sum(),
        inputs=x,
        grad_outputs=None,
        retain_graph=True,
        create_graph=False,
        only_inputs=True,
        allow_unused=None,
        is_grads_batched=False,
        materialize_grads=False,
    )
)
attempt(lambda: torch.autograd.grad(x.sum(), x, retain_graph=3))
attempt(lambda: torch.autograd.grad(x.sum(), x, create_graph=3))
attempt(lambda: torch.autograd.grad(x.sum(), x, retain_graph="a"))
attempt(lambda: x.sum().backward(retain_graph=None, create_graph=None))
attempt(lambda: torch.autograd.backward((x.sum() for _ in range(2))))
show(x.grad)


# %% Backward from complex results
x = torch.tensor([1.0, 2.0], requires_grad=True, dtype=torch.complex64)
attempt(lambda: x.sum().backward())
attempt(lambda: x.sum().backward(torch.ones(())))
attempt(lambda: x.sum().backward(torch.ones((), dtype=torch.complex64)))
show(x.grad)
attempt(lambda: torch.autograd.grad(x.abs().sum(), x))
attempt(lambda: torch.autograd.grad(x.sum(), x, torch.ones((), dtype=torch.complex128)))
attempt(lambda: torch.autograd.grad(x.real.sum(), x, torch.ones((), dtype=torch.complex64)))
i = torch.ones(2, dtype=torch.int64)
attempt(lambda: i.sum().backward())
attempt(lambda: torch.autograd.backward(i, torch.ones(2)))
y = torch.ones(1, requires_grad=True)
attempt(lambda: y.backward())
show(y.grad)
attempt(lambda: (y * 2)[None].backward())
show(y.grad)
attempt(lambda: torch.ones(1, 1, requires_grad=True).backward(torch.ones(1)))
e = torch.ones(0, requires_grad=True)
attempt(lambda: e.sum().backward())
show(e.grad)
attempt(lambda: e.backward())
attempt(lambda: e.backward(torch.ones(0)))
show(e.grad)


# %% Gradient edges as outputs and inputs of grad()
g = torch.autograd.graph
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
z = (x * y).sum()
u = x * x
ez, eu, ex, ey = map(g.get_gradient_edge, (z, u, x, y))
attempt(lambda: torch.autograd.grad(ez, ex, retain_graph=True))
attempt(lambda: torch.autograd.grad([ez, eu], [ex, y], [None, torch.ones(2)], retain_graph=True))
attempt(lambda: torch.autograd.grad(eu, x, retain_graph=True))
attempt(lambda: torch.autograd.grad(eu, ey, torch.ones(2), retain_graph=True))
attempt(lambda: torch.autograd.grad(eu, [ex, ey], torch.ones(2), retain_graph=True, allow_unused=True))
attempt(lambda: torch.autograd.grad(eu, [ex, ey], torch.ones(2), retain_graph=True, materialize_grads=True))
attempt(lambda: torch.autograd.grad(eu, [ex, y], torch.ones(2), retain_graph=True, materialize_grads=True))
attempt(lambda: torch.autograd.grad(eu, ex, torch.ones(3), retain_graph=True))
attempt(lambda: torch.autograd.backward(eu, torch.ones(2), retain_graph=True))
show(x.grad)
attempt(lambda: torch.autograd.backward([z, eu], [None, torch.ones(2)], retain_graph=True, inputs=[ex]))
show(x.grad, y.grad)
attempt(lambda: torch.autograd.backward(z, inputs=ey, retain_graph=True))
show(x.grad, y.grad)
attempt(lambda: torch.autograd.backward(z, inputs=[eu], retain_graph=True))
attempt(lambda: z.backward(inputs=(y, ex), retain_graph=True))
show(x.grad, y.grad)
attempt(lambda: torch.autograd.grad(z, g.GradientEdge(z.grad_fn, 0), retain_graph=True))
attempt(lambda: torch.autograd.grad(z, g.GradientEdge(z.grad_fn.next_functions[0][0], 0), retain_graph=True))
attempt(lambda: torch.autograd.grad(g.GradientEdge(u.grad_fn, 3), x, torch.ones(2), retain_graph=True))
a, b = x.split(1)
attempt(lambda: torch.autograd.grad((a * b).sum(), [g.get_gradient_edge(b), a, x], retain_graph=True))
attempt(lambda: torch.autograd.grad(g.get_gradient_edge(b), x, torch.ones(1), retain_graph=True))
show(
    ex == g.get_gradient_edge(x),
    ez.node is z.grad_fn,
    len(ez),
    ez._fields,
    ex.ownership_token is None,
    g.get_gradient_edge(u) == eu,
)


# %% A Function that returns None for one of two inputs
x = torch.tensor([1.0, 2.0], requires_grad=True)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * 2, b * 3

    @staticmethod
    def backward(ctx, g, h):
        show(g, h)
        return None, h


y = torch.ones(2, requires_grad=True)
p, q = F.apply(x, y)
p.sum().backward(retain_graph=True)
show(x.grad, y.grad)
(p.sum() + q.sum()).backward()
show(x.grad, y.grad)
p, q = F.apply(x * 1, y)
p.sum().backward()
show(x.grad, y.grad)


class G(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.set_materialize_grads(False)
        return a * 2, a * 3

    @staticmethod
    def backward(ctx, g, h):
        show(g, h)
        return None


z = x.sin()
z.register_hook(lambda g: show("never", g))
z.grad_fn.register_prehook(lambda g: show("pre", g))
z.grad_fn.register_hook(lambda g, h: show("post", g, h))
p, q = G.apply(z)
q.sum().backward()
show(x.grad)
p, q = G.apply(z)
show(torch.autograd.grad(q.sum(), x, allow_unused=True))
w = torch.ones(2, requires_grad=True)
z = w * 1
z.retain_grad()
p, q = G.apply(z)
q.sum().backward()
show(z.grad, w.grad)
w.register_post_accumulate_grad_hook(lambda t: show("post", t.grad))
w.register_hook(lambda g: show(g))
p, q = G.apply(w)
q.sum().backward()


# %% What hooks of nodes and tensors may return
x = torch.tensor([1.0, 2.0], requires_grad=True)


def named(v):
    def hook(*g):
        return v

    return hook


for v in (
    3,
    torch.ones(2),
    torch.ones(3),
    torch.ones(2).double(),
    (torch.ones(2),),
    (torch.ones(3),),
    (torch.ones(2), torch.ones(2)),
    (),
    [torch.ones(2)],
    (None,),
    (3,),
    torch.ones(2, dtype=torch.int64),
):
    y = x * 2
    y.register_hook(named(v))
    x.grad = None
    attempt(lambda: (y.sum().backward(), x.grad))
    y = x * 2
    y.grad_fn.register_prehook(named(v))
    x.grad = None
    attempt(lambda: (y.sum().backward(), x.grad))
    y = x * x
    y.grad_fn.register_hook(named(v))
    x.grad = None
    attempt(lambda: (y.sum().backward(), x.grad))
    z = torch.ones(2, requires_grad=True)
    z.register_hook(named(v))
    attempt(lambda: ((z * 2).sum().backward(), z.grad))
    z = torch.ones(2, requires_grad=True)
    z.register_post_accumulate_grad_hook(named(v))
    attempt(lambda: ((z * 2).sum().backward(), z.grad))
for v in (
    (torch.ones(2), torch.ones(2)),
    (torch.ones(2), None),
    (None, torch.ones(2)),
    (torch.ones(2),),
    torch.ones(2),
):
    y = x * x
    y.grad_fn.register_hook(named(v))
    x.grad = None
    attempt(lambda: (y.sum().backward(), x.grad))
    a, b = (x * 1).split(1)
    a.grad_fn.register_prehook(named(v))
    x.grad = None
    attempt(lambda: ((a + b).sum().backward(), x.grad))


# %% What may be registered as a hook
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
attempt(lambda: y.register_hook(3))
attempt(lambda: y.grad_fn.register_hook(3))
attempt(lambda: y.grad_fn.register_prehook(3))
attempt(lambda: x.register_post_accumulate_grad_hook(3))
attempt(lambda: torch.ones(2).register_hook(print))
attempt(lambda: y.register_hook(print, 1))
h = y.register_hook(lambda g: show("one"))
y.register_hook(lambda g: show("two"))
k = y.grad_fn.register_prehook(lambda g: show("pre one"))
y.grad_fn.register_prehook(lambda g: show("pre two"))
l = y.grad_fn.register_hook(lambda g, h: show("post one"))
y.grad_fn.register_hook(lambda g, h: show("post two"))
y.sum().backward(retain_graph=True)
h.remove()
k.remove()
l.remove()
h.remove()
y.sum().backward(retain_graph=True)


def removing(g):
    show("removing")
    m.remove()


m = y.register_hook(removing)
n = y.register_hook(lambda g: show("after"))
y.sum().backward(retain_graph=True)
y.sum().backward(retain_graph=True)
n.remove()
with y.register_hook(lambda g: show("with")):
    y.sum().backward(retain_graph=True)
y.sum().backward(retain_graph=True)
show(type(h).__name__, hasattr(h, "id"))


def adding(g):
    y.register_hook(lambda g: show("added"))
    show("adding")


y = x * 2
y.register_hook(adding)
y.sum().backward(retain_graph=True)
y.sum().backward()


# %% The order of all kinds of hooks on a leaf
x = torch.tensor([1.0, 2.0], requires_grad=True)
acc = (x * 1).grad_fn.next_functions[0][0]
x.register_hook(lambda g: show("tensor", g))
x.register_post_accumulate_grad_hook(lambda t: show("post acc", t.grad))
acc.register_prehook(lambda g: show("pre", g))
acc.register_hook(lambda g, h: show("post", g, h))
(x * 2).sum().backward()
acc.register_prehook(lambda g: (g[0] * 3,))
x.register_hook(lambda g: g * 10)
(x * 2).sum().backward()
show(x.grad)
show(
    acc is (x * 5).grad_fn.next_functions[0][0],
    acc.name(),
    acc.variable is x,
    acc.next_functions,
    acc.metadata,
)


# %% Hooks and retain_grad of a tensor that is then written to
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.register_hook(lambda g: show("old", g))
y.retain_grad()
y.grad_fn.register_prehook(lambda g: show("old pre", g))
y.mul_(3)
y.register_hook(lambda g: show("new", g))
y.sum().backward()
show(y.grad, x.grad)
z = x * 2
z.retain_grad()
z.register_hook(lambda g: g * 2)
z.retain_grad()
z.register_hook(lambda g: g * 5)
z.sum().backward()
show(z.grad, x.grad, z.retains_grad, x.retains_grad)
z = x * 2
v = z[:1]
v.register_hook(lambda g: show("v", g))
z.retain_grad()
z.register_hook(lambda g: show("z", g))
v.mul_(2)
v.register_hook(lambda g: show("v new", g))
z.register_hook(lambda g: show("z new", g))
(v.sum() + z.sum()).backward()
show(z.grad)


# %% Multi-grad hooks over partial passes
g = torch.autograd.graph
a, b, c = (torch.ones(2, requires_grad=True) for _ in range(3))
x, y = a * 2, b * 3
h = g.register_multi_grad_hook((x, y, c), lambda gs: show("all", gs))
(x * y * c).sum().backward()
(a * 2 + c).sum().backward()
x, y = a * 2, b * 3
h = g.register_multi_grad_hook([x, y], lambda gs: show("all", gs))
torch.autograd.grad((x * y).sum(), x, retain_graph=True)
torch.autograd.grad((x * y).sum(), [x, y], retain_graph=True)
torch.autograd.grad((x * y).sum(), a, retain_graph=True)
(x * y).sum().backward(inputs=[a, b], retain_graph=True)
h.remove()
(x * y).sum().backward(retain_graph=True)
with g.register_multi_grad_hook([x, y], lambda gs: show("with", gs), mode="any"):
    (x * y).sum().backward(retain_graph=True)
s = x.split(1)
h = g.register_multi_grad_hook([s[0], s[1]], lambda gs: show("split", gs))
s[0].sum().backward(retain_graph=True)
(s[0] + s[1]).sum().backward(retain_graph=True)
g.register_multi_grad_hook([x, x], lambda gs: show("twice", gs))
(x * 1).sum().backward(retain_graph=True)
show(type(h).__name__, len(h.handles))
g.register_multi_grad_hook([], lambda gs: show("none"))


def bad(gs):
    raise ValueError("no")


g.register_multi_grad_hook([x, y], bad, mode="any")
(x * y).sum().backward()


# %% Hooks of a product, with create_graph and without
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([1.0, 2.0], requires_grad=True)
x.register_hook(lambda g: show("x", g))
y.register_hook(lambda g: show("y", g))
x.register_post_accumulate_grad_hook(lambda t: show("x post"))
y.register_post_accumulate_grad_hook(lambda t: show("y post"))
z = x * y
z.register_hook(lambda g: show("z", g, torch.is_grad_enabled(), g.requires_grad))
z.sum().backward(create_graph=True)
x.grad = y.grad = None
z = x * y
z.register_hook(lambda g: show("z", g, torch.is_grad_enabled(), g.requires_grad))
z.sum().backward()

# %% The second derivative through writes to views that save their result
for write in ("exp_", "sigmoid_", "tanh_", "relu_", "sqrt_", "reciprocal_"):
    x = torch.tensor([[0.5, 2.0]], requires_grad=True)
    y = (x * x)[0]
    getattr(y, write)()
    (g,) = torch.autograd.grad(y.pow(2).sum(), x, create_graph=True)
    show(write, g, torch.autograd.grad(g.sum(), x)[0])
x = torch.tensor([[[[1.0, 3.0]]]], requires_grad=True)
y = torch.nn.functional.relu(torch.nn.functional.instance_norm(x), True)
(g,) = torch.autograd.grad(y.pow(2).sum(), x, create_graph=True)
show(torch.autograd.grad(g.sum(), x)[0].shape)
x = torch.tensor([[0.5, 2.0]], requires_grad=True)
y = x * x
y[0].exp_()  # of which only the base is used
(g,) = torch.autograd.grad(y.pow(2).sum(), x, create_graph=True)
show(torch.autograd.grad(g.sum(), x)[0])


# %% backward twice, through what is shared and what is not
x = torch.ones(2, requires_grad=True)
y = x * 2
z = y.exp()
p = y.sum()
q = z.sum()
u = (y * 3).sum()
p.backward()
show(x.grad)
u.backward()
show(x.grad)
try:
    q.backward()
    show(x.grad)
except RuntimeError as error:
    show(error)
try:
    q.backward()
    show(x.grad)
except RuntimeError as error:
    show(error)
try:
    (z + 1).sum().backward()
except RuntimeError as error:
    show(error)
try:
    show(z.grad_fn._saved_result)
except RuntimeError as error:
    show(error)


# %% retain_grad on leaves, on views, twice and where it is refused
# retain_grad before and after, on leaves, on views, on what does not require grad, twice.
x = torch.ones(3, requires_grad=True)
y = x * 2
y.retain_grad()
y.retain_grad()
x.retain_grad()
show(x.retains_grad, y.retains_grad)
v = y[1:]
v.retain_grad()
(v * 5).sum().backward()
show(x.grad, y.grad, v.grad)
y.grad.mul_(10)
show(x.grad, y.grad)
z = y * 1
z.sum().backward()
show(z.grad, y.grad)
try:
    torch.ones(2).retain_grad()
except RuntimeError as error:
    show(error)
y = x * 2
y.retain_grad()
y.mul_(3)
y.sum().backward()
show(y.grad, x.grad)
y = x * 2
y.mul_(3)
y.retain_grad()
y.sum().backward()
show(y.grad)
y = x * 2
y.retain_grad()
z = y.detach_()
show(z.retains_grad, y.grad, z is y)


# %% autograd.grad: unused inputs, several outputs, wrong arguments
# autograd.grad: unused, non-leaf, several outputs, create_graph, wrong things.
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
y = x * w
z = (y**2).sum()
G = torch.autograd.grad
for code in (
    "G(z, x, retain_graph=True)",
    "G(z, [x, w, y], retain_graph=True)",
    "G(z, torch.ones(1, requires_grad=True), retain_graph=True)",
    "G(z, torch.ones(1, requires_grad=True), retain_graph=True, allow_unused=True)",
    "G(z, x.detach(), retain_graph=True)",
    "G(y, x, retain_graph=True)",
    "G(y, x, torch.ones(2), retain_graph=True)",
    "G([z, y.sum()], x, retain_graph=True)",
    "G(z, x, create_graph=True)[0].grad_fn.name()",
    "G(G(z, x, create_graph=True)[0].sum(), x, retain_graph=True)",
    "G(z, [], retain_graph=True)",
    "G([], x)",
    "G(z, 'x')",
    "G(z.item(), x)",
    "G(z, z, retain_graph=True)",
    "G(z, x, materialize_grads=True, retain_graph=True)",
    "G(z, [x, torch.ones(2, requires_grad=True)], materialize_grads=True, retain_graph=True)",
    "G(z, [x, torch.ones(2, requires_grad=True)], materialize_grads=True, allow_unused=False, retain_graph=True)",
    "x.grad",
    "w.grad",
    "G(x.sum(), w)",
    "G(torch.ones(2).sum(), x)",
    "G(z, x)",
    "G(z, x)",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% A gradient of a gradient through .grad
x = torch.tensor(2.0, requires_grad=True)
(x**3).backward(create_graph=True)
show(x.grad)
g = x.grad
x.grad = None
g.backward()
show(x.grad)
x.grad = None
(x**3).backward(create_graph=True)
(x.grad**2).backward()
show(x.grad)
x.grad.zero_()
show(x.grad, x.grad.requires_grad, x.grad.grad_fn and x.grad.grad_fn.name())


# %% A long sum, a long chain and a diamond
# Sums of a thousand terms, a chain of a thousand, and a diamond: counts of accumulation.
x = torch.tensor(1.0, requires_grad=True)
y = sum(x for _ in range(1000))
y.backward()
show(x.grad)
x.grad = None
y = x
for _ in range(1000):
    y = y * 1.001
y.backward()
show(x.grad)
x.grad = None
y = x
for _ in range(10):
    y = y + y
y.backward()
show(x.grad)


# %% Nodes that only raise run first
# What has no derivative runs as soon as a gradient arrives, as leaves do: before nodes that were made after it. So nothing else is filled.
def filled(roots, *leaves):
    ones = [torch.ones_like(root) for root in roots]
    attempt(lambda: torch.autograd.backward(roots, ones))
    show([leaf.grad for leaf in leaves])


def pair():
    return torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 5.0], requires_grad=True)


for refusing in (
    lambda w: torch.floor_divide(w, 2.0),
    lambda w: w.clone().floor_divide_(2.0),
    lambda w: torch.heaviside(w, w),
    lambda w: w.clone().heaviside_(torch.ones(2)),
    lambda w: w.clone().set_(w.clone()),
    lambda w: torch.binomial(w, w * 0),
    lambda w: torch.embedding_renorm_(w.view(2, 1).clone(), torch.tensor([0]), 0.1, 2.0).view(2),
    lambda w: torch.histogramdd(w.view(2, 1), [2])[0],
    lambda w: torch.histogramdd(w.view(2, 1), [torch.tensor([0.0, 1.0, 2.0])])[0],
    lambda w: torch.histogramdd(torch.ones(2, 2), [w, w], weight=w)[0].view(1).expand(2),
):
    a, b = pair()
    z = refusing(a * 1)
    node = z.grad_fn
    show(node.name(), [type(f).__name__ for f, _ in node.next_functions], node._sequence_nr() == 2**64 - 1)
    filled([z, b * 3], a, b)
    a, b = pair()
    w = b * 3
    filled([w, refusing(a * 1)], a, b)
    # A leaf and such a node are equal in the queue.
    for turned in (False, True):
        a, b = pair()
        filled([b, refusing(a * 1)] if turned else [refusing(a * 1), b], a, b)
    a, b = pair()
    filled([refusing(a * 1), refusing(b * 1)], a, b)
before = (b * 1).grad_fn._sequence_nr()
b // 2
show((b * 1).grad_fn._sequence_nr() - before)
