# %% Writing to a leaf, to what is saved and to one of several views
leaf = torch.ones(4, requires_grad=True)
k = torch.tensor(3.0, requires_grad=True)
attempt(lambda: leaf.add_(1))
attempt(lambda: leaf[1:3].add_(1))
y = leaf * 2
w = y * y
y.mul_(2)
attempt(lambda: w.sum().backward())
y = leaf.exp()
y.add_(1)
attempt(lambda: y.sum().backward())
y = leaf * 2
a, b = y.split(2)
attempt(lambda: a.mul_(2))
a, b = y.chunk(2)
attempt(lambda: a.mul_(2))
with torch.no_grad():
    v = y[1:3]
attempt(lambda: v.mul_(2))
y = leaf * 2
with torch.no_grad():
    v = y[1:3]
y.mul_(2)
attempt(lambda: v.grad_fn)
base = leaf * 1
v = base[1:3]
base.mul_(2)
show(history(v), history(base))
z = torch.zeros(4)
s = z[1:3]
s.copy_(k)
show(z.requires_grad, history(z), history(s))
z.sum().backward()
show(k.grad)
y = torch.ones(4)
v = y[1:3]
y.mul_(k)
show(v.requires_grad, history(v))
a = torch.ones(4, requires_grad=True)
b = a.clone()
b.view(2, 2)[0].zero_()
b.sum().backward()
show(a.grad, history(b))
x = torch.ones(2, requires_grad=True)
y = x * 1
y.register_hook(lambda g: show("earlier", g))
y.mul_(2)
y.register_hook(lambda g: show("later", g))
y.sum().backward()
y = x * 1
y.retain_grad()
y.mul_(3)
y.sum().backward()
show(y.grad)
z = (x + x).sum()
z.backward()
attempt(lambda: z.backward())
z = (x * x).sum()
z.backward()
attempt(lambda: z.backward())
attempt(lambda: torch.add(x, x, out=torch.ones(2)))
attempt(lambda: torch.ones(3).expand(3, 3).add_(1))
attempt(lambda: torch.arange(3.0)[1:].mul_(torch.arange(3.0)[:-1]))
a = torch.arange(3.0)
attempt(lambda: a[1:].mul_(a[:-1]))
attempt(lambda: torch.ones(2, dtype=torch.int64).add_(1.5))
attempt(lambda: torch.ones(3).add_(torch.ones(2, 3)))
src = torch.ones(2, 3, requires_grad=True)
i = torch.tensor([[0, 1]])
attempt(lambda: torch.zeros(3, 3).scatter(0, i, src).sum().backward())
attempt(lambda: torch.zeros(3, 3).scatter_add(0, i, src).sum().backward())
g = torch.ones(3, requires_grad=True)
g.gather(0, torch.tensor([0, 0, 1])).sum().backward()
show(g.grad)
s = torch.ones(3, requires_grad=True)
torch.zeros(3).scatter(0, torch.tensor([0, 0, 1]), s).sum().backward()
show(s.grad)
x = torch.ones(6, requires_grad=True)
b = x * 1
m = b.view(2, 3)
u, v = m.unbind(0)
attempt(lambda: u[1:].mul_(2))
attempt(lambda: m[0].mul_(2))
x = torch.ones(6, requires_grad=True)
b = x * 1
m = b.view(2, 3)
m.retain_grad()
w = m[0]
w.mul_(2)
(m.sum() + w.sum()).backward()
show(m.grad, x.grad)


# %% Views of every kind, written and differentiated
x = torch.arange(12.0).view(3, 4).requires_grad_()
for f in (
    lambda b: b.t(),
    lambda b: b.diagonal(),
    lambda b: b[::2, 1:],
    lambda b: b.as_strided((2, 2), (1, 4), 2),
    lambda b: b.permute(1, 0)[1:],
    lambda b: b.select(1, 2),
    lambda b: b.narrow(0, 1, 2),
    lambda b: b.view(-1)[3:7],
    lambda b: b.reshape(2, 6),
    lambda b: b.flatten(),
    lambda b: b[1],
    lambda b: b[..., None],
    lambda b: b.movedim(0, 1),
    lambda b: b.swapaxes(0, 1),
    lambda b: b.unsqueeze(0).squeeze(),
    lambda b: b.expand(3, 4),
    lambda b: b.view_as(b),
    lambda b: b.detach(),
    lambda b: b.real,
    lambda b: b.T,
    lambda b: b.mT,
    lambda b: b.ravel(),
    lambda b: b.broadcast_to(3, 4),
    lambda b: b.unflatten(1, (2, 2)),
    lambda b: b.split(2)[0][0],
    lambda b: b.data,
):
    b = x * 1
    x.grad = None
    v = f(b)
    attempt(lambda: v.mul_(3))
    show(history(v), history(b), b._version, v._version, v._is_view())
    attempt(lambda: (b * b).sum().backward())
    show(x.grad)
    b = x * 1
    v = f(b)
    b.mul_(2)
    attempt(lambda: history(v))
    attempt(lambda: v.sum().backward())
    show(x.grad)


# %% Writes whose gradients are differentiated again
x = torch.arange(6.0).view(2, 3).requires_grad_()
y = torch.ones(2, 3, requires_grad=True)
b = x * 1
v = b[0]
v.mul_(y[0])
(g,) = torch.autograd.grad((b**2).sum(), x, create_graph=True)
show(g)
g.sum().backward()
show(x.grad, y.grad)
b = x * 1
b[0] = y[1]
b[:, 1] = 5.0
b[1:] += y[1:]
show(b, history(b))
x.grad = y.grad = None
(b * b).sum().backward()
show(x.grad, y.grad)
b = x * 1
c = b.t()
c.unsqueeze_(0)
show(c.shape, history(c), c._is_view(), c._base is b)
b.mul_(2)
show(history(c))
attempt(lambda: c.sum().backward())
b = x * 1
b.t_()
show(b.shape, history(b))
b.squeeze_()
b.unsqueeze_(0)
b.transpose_(0, 1)
show(b.shape, history(b))
x.grad = None
(b * torch.arange(6.0).view(b.shape)).sum().backward()
show(x.grad)
b = x * 1
v = b[0]
v.t_()
v.unsqueeze_(1)
show(v.shape, history(v), b.shape, history(b))
v.mul_(2)
show(history(b), history(v))
x.grad = None
b.sum().backward()
show(x.grad)
b = x * 1
v = b.view(6)
v.as_strided_((2, 2), (1, 2))
show(v, history(v))
attempt(lambda: v.zero_())
show(b, history(b))
b = torch.zeros(2, 3)
v = b[0]
w = v[1:]
w.add_(y[0, 1:])
show(history(b), history(v), history(w), b.is_leaf, v.requires_grad)
v.mul_(2)
y.grad = None
b.sum().backward()
show(y.grad)
c = torch.zeros(2, dtype=torch.complex64)
r = torch.view_as_real(c)
r.add_(torch.ones(2, 2, requires_grad=True))
show(history(c), history(r))
c.abs().sum().backward()
c = torch.ones(2, dtype=torch.complex64, requires_grad=True) * 1
c.real.mul_(2)
c.imag.add_(1)
show(c, history(c))
