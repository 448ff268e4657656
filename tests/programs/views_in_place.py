# %% Writing to several views of one operation
x = torch.ones(4, requires_grad=True)
for make in (
    lambda y: y.split(2),
    lambda y: y.chunk(2),
    lambda y: y.unbind(0),
    lambda y: y.view(2, 2).unbind(1),
    lambda y: y.tensor_split(2),
    lambda y: y.split([1, 3]),
    lambda y: y.view(2, 2).hsplit(2),
    lambda y: y.view(2, 2).vsplit(2),
    lambda y: tuple(y),
    lambda y: y.split_with_sizes([2, 2]) if hasattr(y, "split_with_sizes") else y.split(2),
):
    y = x * 2
    a, *rest = make(y)
    show(history(a), a._is_view(), a._base is y, a.output_nr)
    attempt(lambda: a.mul_(2))
    attempt(lambda: a.zero_())
    attempt(lambda: a.detach().mul_(2))
    v = a.view(-1)
    attempt(lambda: v.mul_(2))
    attempt(lambda: v[:1].add_(1))
    y.add_(1)
    attempt(lambda: a.grad_fn)
    attempt(lambda: a * 2)
    attempt(lambda: a.requires_grad)
    attempt(lambda: a.is_leaf)
    attempt(lambda: v.grad_fn)
    with torch.no_grad():
        attempt(lambda: a.mul_(2))


# %% Writing to views made under no_grad
x = torch.ones(4, requires_grad=True)
y = x * 2
with torch.no_grad():
    v = y[1:]
    w = y.view(2, 2)
    s = y.split(2)
show(v.requires_grad, v.grad_fn, v._is_view(), v._base is y, v.is_leaf)
attempt(lambda: v.mul_(2))
attempt(lambda: v[:1].mul_(2))
attempt(lambda: s[0].mul_(2))
attempt(lambda: w.t_())
with torch.no_grad():
    attempt(lambda: v.mul_(2))
    attempt(lambda: v._version)
attempt(lambda: v.grad_fn)
attempt(lambda: v * 2)
attempt(lambda: y.sum().backward())
y = x * 2
with torch.no_grad():
    v = y[1:]
y.mul_(2)
attempt(lambda: v.grad_fn)
attempt(lambda: v * 2)
attempt(lambda: v.requires_grad)
attempt(lambda: v.is_leaf)
attempt(lambda: v.detach())
attempt(lambda: v.clone())
attempt(lambda: repr(v))
attempt(lambda: v.sum())
attempt(lambda: v[0])
z = torch.ones(4)
with torch.no_grad():
    v = z[1:]
v.mul_(2)
show(v, z)
attempt(lambda: v.mul_(x[1:]))
attempt(lambda: z.mul_(x))
attempt(lambda: v.grad_fn)
attempt(lambda: v.requires_grad)
leaf = torch.ones(4, requires_grad=True)
with torch.no_grad():
    v = leaf[1:]
attempt(lambda: v.mul_(2))
attempt(lambda: v.add_(x[1:]))
attempt(lambda: v.requires_grad)
attempt(lambda: v.requires_grad_())
attempt(lambda: v.mul_(2))
attempt(lambda: v.is_leaf)
with torch.no_grad():
    with torch.enable_grad():
        v = y[1:]
attempt(lambda: v.mul_(2))


# %% Writing to views that a Function made
class V(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a.view(2, 2)

    @staticmethod
    def backward(ctx, g):
        return g.view(4)


class I(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a

    @staticmethod
    def backward(ctx, g):
        return g * 3


class T(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a[:2], a[2:]

    @staticmethod
    def backward(ctx, g, h):
        return torch.cat([g, h])


x = torch.ones(4, requires_grad=True)
for F in (V, I):
    y = x * 2
    v = F.apply(y)
    show(v.grad_fn.name(), v._is_view(), v._base is y)
    attempt(lambda: v.mul_(2))
    attempt(lambda: v[0].mul_(2))
    attempt(lambda: v.clone().mul_(2))
    y.mul_(2)
    attempt(lambda: v.grad_fn)
    attempt(lambda: v.sum())
    attempt(lambda: v.requires_grad)
y = x * 2
a, b = T.apply(y)
attempt(lambda: a.mul_(2))
attempt(lambda: b.view(1, 2).mul_(2))
y.mul_(2)
attempt(lambda: a.grad_fn)
v = V.apply(torch.ones(4))
show(v.requires_grad, v._is_view())
attempt(lambda: v.mul_(2))
attempt(lambda: v.mul_(x.view(2, 2)))
with torch.no_grad():
    v = V.apply(x * 2)
    show(v._is_view())
attempt(lambda: v.mul_(2))
v = V.apply(x)
attempt(lambda: v.mul_(2))
v = I.apply(x)
attempt(lambda: v.mul_(2))
attempt(lambda: v._base is x)


# %% A view of a plain tensor that is made to require grad
a = torch.zeros(4)
v = a[1:3]
attempt(lambda: v.requires_grad_())
show(a.requires_grad, v.requires_grad, v.is_leaf, v._is_view(), history(v))
attempt(lambda: v.mul_(2))
attempt(lambda: a.mul_(2))
show(v, v._version)
(v * 3).sum().backward()
show(v.grad, a.grad)
attempt(lambda: a.mul_(torch.ones(4, requires_grad=True)))
attempt(lambda: v.grad_fn)
show(v.requires_grad, v.is_leaf, history(a))
a = torch.zeros(4, requires_grad=True)
v = a[1:3]
attempt(lambda: v.requires_grad_(False))
attempt(lambda: v.requires_grad_())
attempt(lambda: v.detach_())
attempt(lambda: setattr(v, "requires_grad", False))
a = torch.zeros(4)
v = a[1:3]
v.requires_grad = True
attempt(lambda: a.requires_grad)
a.requires_grad_()
attempt(lambda: history(v))
attempt(lambda: v.is_leaf)
attempt(lambda: (v * 2).sum().backward())
show(a.grad, v.grad)
a = torch.zeros(4)
v = a[1:3]
a.requires_grad_()
show(v.requires_grad, v.is_leaf, history(v))
attempt(lambda: v * 2)
attempt(lambda: v.mul_(2))
attempt(lambda: v.requires_grad_(False))
show(v.requires_grad)


# %% data assigned to views and bases
x = torch.arange(4.0).requires_grad_()
y = x * 1
v = y[1:]
v.data = torch.ones(2)
show(v, y, v._base is y, history(v), v._version)
attempt(lambda: v.mul_(2))
attempt(lambda: y.sum().backward())
show(x.grad)
y = x * 1
v = y[1:]
y.data = torch.ones(4) * 7
show(y, v, v._is_view())
attempt(lambda: v.mul_(2))
show(v, y, history(y))
attempt(lambda: y.sum().backward())
show(x.grad)
y = x * 1
s = y._version
y.data.mul_(2)
show(y._version - s)
y.detach().mul_(2)
show(y._version - s)
attempt(lambda: setattr(x, "data", torch.ones(2, dtype=torch.int64)))
attempt(lambda: setattr(x, "data", 3))
attempt(lambda: setattr(x, "data", torch.ones(3)))
show(x)
x = torch.arange(4.0).requires_grad_()
y = x * 1
attempt(lambda: y.set_(torch.ones(4)))
attempt(lambda: x.set_(torch.ones(4)))
attempt(lambda: y.detach().set_(torch.ones(2)))
z = torch.ones(4)
v = z[1:]
attempt(lambda: z.set_(torch.zeros(2)))
show(z, v, v._base is z, z._version, v._version)
attempt(lambda: v.mul_(2))
show(z)
with torch.no_grad():
    attempt(lambda: x.set_(torch.ones(2)))
show(x, x.requires_grad, x._version)


# %% Writing to expanded and overlapping tensors
a = torch.arange(6.0)
attempt(lambda: a.expand(2, 6).add_(1))
attempt(lambda: a[:1].expand(3).add_(1))
attempt(lambda: a[:1].expand(3).zero_())
attempt(lambda: a[:1].expand(3).fill_(1))
attempt(lambda: a[:1].expand(3).copy_(torch.ones(3)))
attempt(lambda: a[:1].expand(1).add_(1))
attempt(lambda: a[1:].add_(a[:-1]))
attempt(lambda: a[1:].mul_(a[1:]))
attempt(lambda: a[::2].add_(a[1::2]))
attempt(lambda: a.view(2, 3).t().add_(a.view(3, 2)))
attempt(lambda: a.add_(a))
attempt(lambda: a.view(6).add_(a))
attempt(lambda: a.flip(0).add_(a))
attempt(lambda: torch.add(a[1:], a[:-1], out=a[1:]))
attempt(lambda: torch.add(a, a, out=a))
attempt(lambda: torch.mul(a[:3], 2, out=a[1:4]))
attempt(lambda: torch.cat([a[:2], a[2:4]], out=a[1:5]))
attempt(lambda: a[1:].copy_(a[:-1]))
show(a)
attempt(lambda: a.as_strided((2, 2), (0, 1)).zero_())
attempt(lambda: a.index_add_(0, torch.tensor([0, 0]), a[:2]))
attempt(lambda: a.scatter_(0, torch.tensor([0, 1]), a[1:3]))
attempt(lambda: a[:2].masked_fill_(a[:2] > 0, a[0]))
show(a)
attempt(lambda: a.index_copy_(0, torch.tensor([0]), a[:1]))
attempt(lambda: a.gather(0, torch.tensor([0]), out=a[:1]))
attempt(lambda: torch.sort(a, out=(a, torch.empty(6, dtype=torch.int64))))
attempt(lambda: a.cumsum_(0))
attempt(lambda: torch.cumsum(a, 0, out=a))
show(a)
attempt(lambda: a.t_() is a)


# %% Writes in place where nothing is recorded, to all kinds of targets, from all kinds of operands
def attempt(call, *tensors):
    try:
        result = call()
        show(result is tensors[0] if tensors else result, *tensors, *[t._version for t in tensors])
    except (RuntimeError, TypeError, IndexError) as error:
        show(type(error).__name__, error)


x, y, column = torch.arange(6.0).view(2, 3).clone(), torch.full((2, 3), 2.0), torch.tensor([[1.0], [2.0]])
for number in (3, 0.5, 1, -0.0):
    attempt(lambda: x.add_(y, alpha=number), x)
    attempt(lambda: x.sub_(number, alpha=2), x)
    attempt(lambda: x.addcmul_(y, y, value=number), x)
    attempt(lambda: x.addcdiv_(y, y, value=number), x)
    attempt(lambda: x.lerp_(y, number), x)
    attempt(lambda: x.fill_(number).mul_(y), x)
for operand in (column, y[0], y.t(), y[:, :2], y.double(), y.long(), x, x[0], x.t(), torch.tensor(2.0)):
    attempt(lambda: x.mul_(operand), x)
    attempt(lambda: x.copy_(operand), x)
    attempt(lambda: x.addcmul_(y, operand), x)
    attempt(lambda: column.add_(operand), column)
for target in (x[0], x.t(), x[:, 1:], column.expand(2, 3), x.long(), x.half(), x.detach(), torch.tensor(1.0)):
    attempt(lambda: target.add_(1), target)
    attempt(lambda: target.mul_(target), target)
    attempt(lambda: target.copy_(torch.ones(())), target)
    attempt(lambda: target.sqrt_(), target)
    attempt(lambda: target.clamp_(0, 1), target)
    attempt(lambda: target.zero_(), target)
w = torch.ones(3, requires_grad=True)
v = w * 1
attempt(lambda: w.add_(1))
attempt(lambda: v.mul_(3), v)
attempt(lambda: v.detach().exp_())
attempt(lambda: torch.ones(3).mul_(w))
attempt(lambda: torch.ones(3).copy_(w))
attempt(lambda: torch.ones(3).lerp_(w, 0.5))
with torch.no_grad():
    attempt(lambda: w.addcdiv_(torch.ones(3), v, value=2), w)
    attempt(lambda: torch.ones(3).copy_(w))
attempt(lambda: x.add_())
attempt(lambda: x.add_(1, beta=2))
attempt(lambda: x.add_("one"))
attempt(lambda: x.add_(y, alpha="one"))


# %% A leaf takes its first gradient as it is, without a copy, where nobody else holds it
x, w = torch.ones(2, 3, requires_grad=True), torch.ones(3, 2, requires_grad=True)
(x @ w).exp().sum().backward()
show(x.grad._version, w.grad._version)
(x @ w).sum().backward()
show(x.grad._version, w.grad._version)


# %% A write through a view whose data lies outside of the base
for base, new in ((3, (4,)), (2, (4,)), (4, (4,)), (4, (2, 2)), (4, ())):
    for start in (0, 1):
        k = torch.full(new, 2.0, requires_grad=True)
        v = torch.ones(base, requires_grad=True)
        w = v * 1
        u = w[start : start + 2]
        u.data = torch.ones(new)
        u.mul_(k)
        attempt(lambda: (u.sum().backward(), v.grad, k.grad))


# %% A first gradient that is a transposed view
m = torch.tensor([[2.0, 1.0], [0.5, 3.0]], dtype=torch.float64).t().requires_grad_()
q, r = torch.linalg.qr(m)
(q.sum() + r.sum()).backward()
show(m.grad.stride(), m.grad)


# %% Views of views written at both ends; versions and bases
x = torch.zeros(2, 3, requires_grad=True)
y = x * 1
a = y[0]
b = a[1:]
c = y.t()
d = c[1]
b.fill_(2)
show(y, a, b, c, d)
show([t._version for t in (x, y, a, b, c, d)], [t._base is y for t in (a, b, c, d)])
show([t.grad_fn.name() for t in (y, a, b, c, d)])
d.mul_(4)
show([t.grad_fn.name() for t in (y, a, b, c, d)])
(y * torch.arange(6.0).view(2, 3)).sum().backward()
show(x.grad)


# %% Writing to a leaf's view, under no_grad, after detach, on clone
w = torch.zeros(3, requires_grad=True)
for code in (
    "w[0] = 1",
    "w[0:2] += 1",
    "w.view(3)[1] = 2",
    "w.detach()[0] = 5",
    "w.data[1] = 6",
    "w.clone()[0] = 9",
    "w.add_(1)",
    "w.fill_(7)",
    "w.unsqueeze(0).mul_(2)",
    "w.T.zero_()",
    "w.expand(2, 3).mul_(2)",
    "w.numpy()[0] = 1",
    "w.detach().numpy()[0] = 11",
    "w.requires_grad_(False).mul_(2)",
    "w.resize_(2)",
    "w.copy_(torch.ones(3))",
    "w.zero_()",
):
    try:
        exec(code)
        show(code, w.detach(), w._version, w.requires_grad)
    except Exception as error:
        show(code, type(error).__name__, error)


# %% What overlaps in memory cannot be written
x = torch.arange(4.0)
for code in (
    "x.expand(2, 4).add_(1)",
    "x[1:].copy_(x[:-1])",
    "x[:3].add_(x[1:])",
    "x.add_(x)",
    "x.expand(2, 4).fill_(1)",
    "x.as_strided((2, 2), (1, 1)).zero_()",
    "torch.add(x[1:], 1, out=x[:-1])",
    "x.expand(2, 4).zero_()",
    "x.view(2, 2).t().copy_(x.view(2, 2))",
    "x.mul_(x.flip(0))",
):
    try:
        show(code, eval(code), x)
    except RuntimeError as error:
        show(code, error)


# %% Swapping halves in place and reading an old view
# Swapping halves in place, writing a result into its own input, and reading an old view afterwards.
x = torch.arange(4.0, requires_grad=True)
y = x * 1
a, b = y[:2], y[2:]
t = a.clone()
a.copy_(b)
b.copy_(t)
(y * torch.tensor([1.0, 10.0, 100.0, 1000.0])).sum().backward()
show(y, x.grad)
show(a, b, a._version, t._version)
y = x * 1
old = y[0]
s = old * 2
y[0] = 5
show(old, s, old.grad_fn.name())
x.grad = None
(old + s).backward()
show(x.grad)
y = x.sigmoid()
v = y[1]
y.mul_(2)
x.grad = None
try:
    v.backward()
    show(x.grad)
except RuntimeError as error:
    show(error)


# %% The pieces of unbind, split, chunk and where
# The pieces of unbind, split, chunk and where() with indices, written and differentiated.
x = torch.arange(4.0, requires_grad=True)
y = x * 1
for code in (
    "y.unbind()[0]",
    "y.split(2)[0]",
    "y.chunk(2)[1]",
    "torch.where(y > 1)[0]",
    "y.tensor_split(2)[0]",
    "y.view(2, 2).unbind(1)[0]",
    "next(iter(y))",
    "y.unsafe_split(2)[0]",
    "y.hsplit(2)[0]",
    "y.view(2, 2).vsplit(2)[0]",
    "torch.split(y, [1, 3])[1]",
):
    p = eval(code)
    show(code, p._is_view(), p.grad_fn and p.grad_fn.name(), p.output_nr)
    try:
        p.mul_(2)
        show(y, y._version)
    except RuntimeError as error:
        show(error)
    try:
        p.sum().backward(retain_graph=True)
        show(x.grad)
    except RuntimeError as error:
        show(str(error))
    x.grad = None


# %% Expanded tensors of narrow floats that are filled
for dtype in (torch.bfloat16, torch.float16, torch.float32):
    for write in (
        lambda x: x.zero_(),
        lambda x: x.fill_(3),
        lambda x: x.masked_fill_(x == 1, 2),
        lambda x: x.add_(1),
    ):
        x = torch.ones(3, dtype=dtype)
        attempt(lambda: write(x.expand(2, 3)))
        show(x)

# %% Windows of narrow floats that share their elements, written by index
for dtype in (torch.bfloat16, torch.float32):
    for write in (
        lambda x: x.index_fill_(1, torch.tensor([1]), 9.0),
        lambda x: x.index_put_((torch.tensor([1]),), torch.tensor(5, dtype=x.dtype)),
        lambda x: x.__setitem__(0, 7),
    ):
        x = torch.arange(4).to(dtype)
        attempt(lambda: write(x.as_strided((3, 2), (1, 1))))
        show(x)
