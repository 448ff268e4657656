# %% Where the first gradient is kept, and what the next one is added to
x = torch.ones(2, 3, requires_grad=True)
(x * 2).sum().backward()
g = x.grad
s = g.data_ptr()
(x * 3).sum().backward()
show(x.grad is g, g.data_ptr() == s, g, g._version, g.requires_grad)
x.grad = None
(x * 2).sum().backward()
show(x.grad is g)
x.grad.zero_()
show(x.grad._version)
(x * 2).sum().backward(create_graph=True)
show(x.grad is g, x.grad.requires_grad, x.grad.grad_fn and x.grad.grad_fn.name())
g2 = x.grad
(x * x).sum().backward(create_graph=True)
show(x.grad is g2, x.grad.grad_fn.name(), x.grad._version, g2._version)
(x * x).sum().backward()
show(x.grad.requires_grad, x.grad)
x.grad = None
y = x * 1
y.retain_grad()
y.sum().backward()
show(x.grad.stride(), y.grad.stride(), x.grad.data_ptr() == y.grad.data_ptr(), x.grad is y.grad)
z = torch.ones(3, 2).t().requires_grad_()
(z * 2).sum().backward()
show(z.grad.stride())
z.grad = None
z.sum().backward()
show(z.grad.stride(), z.grad._version)
z.grad = None
z.exp().t().sum().backward()
show(z.grad.stride())
e = torch.ones(1, 3).expand(2, 3).detach().requires_grad_()
attempt(lambda: e.sum().backward())
show(e.grad, e.grad.stride())
n = torch.ones(4, 6)[:2, ::2].detach().requires_grad_()
n.sum().backward()
show(n.grad.stride())
n.grad = None
(n * 2).sum().backward()
show(n.grad.stride())
w = torch.ones(3, requires_grad=True)
v = torch.ones(3, requires_grad=True)
(w + v).sum().backward()
show(w.grad.data_ptr() == v.grad.data_ptr(), w.grad._version, v.grad._version, w.grad.stride())
w.grad = None
w.backward(torch.ones(3))
show(w.grad)
u = torch.ones(3)
w.grad = None
w.backward(u)
show(w.grad is u, w.grad.data_ptr() == u.data_ptr())
w.backward(u)
show(u, w.grad)
u.add_(1)
show(w.grad)
w.grad = None
(w * 1).backward(u)
show(w.grad.data_ptr() == u.data_ptr(), u)


# %% What may be assigned to .grad
x = torch.ones(2, 3, requires_grad=True)
for v in (
    3,
    "a",
    torch.ones(3),
    torch.ones(2, 3, dtype=torch.float64),
    torch.ones(2, 3, dtype=torch.int64),
    torch.ones(2, 3, dtype=torch.complex64),
    None,
    torch.ones(3, 2).t(),
    torch.ones(2, 3, requires_grad=True),
    torch.ones(1, 3),
    np.ones((2, 3)),
    [1.0],
    torch.ones(2, 3).requires_grad_() * 2,
):
    attempt(lambda: setattr(x, "grad", v))
    attempt(lambda: x.grad)
attempt(lambda: setattr(x, "grad", x))
x.grad = torch.ones(2, 3)
g = x.grad
(x * 2).sum().backward()
show(g, x.grad is g)
attempt(lambda: delattr(x, "grad"))
show(x.grad)
i = torch.ones(2, dtype=torch.int64)
attempt(lambda: setattr(i, "grad", torch.ones(2)))
attempt(lambda: setattr(i, "grad", torch.ones(2, dtype=torch.int64)))
show(i.grad)
y = x * 2
attempt(lambda: setattr(y, "grad", torch.ones(2, 3)))
attempt(lambda: y.grad)
n = torch.ones(2)
n.grad = torch.zeros(2)
show(n.grad, n.requires_grad)
x.grad = torch.ones(2, 3).t().contiguous().t()
(x * 1).sum().backward()
show(x.grad.stride(), x.grad)
x.grad = torch.ones(2, 1).expand(2, 3)
attempt(lambda: (x * 1).sum().backward())
x.grad = torch.ones(2, 3)[:, :]
b = torch.zeros(2, 3)
x.grad = b.view(2, 3)
(x * 1).sum().backward()
show(b, b._version)


# %% zero_grad of optimizers and modules, to zeros and to None
m = torch.nn.Linear(2, 1)
with torch.no_grad():
    m.weight.fill_(1.0)
    m.bias.fill_(2.0)
o = torch.optim.SGD(m.parameters(), lr=0.1)
m(torch.ones(3, 2)).sum().backward()
g = m.weight.grad
o.zero_grad(set_to_none=False)
show(m.weight.grad is g, g)
m(torch.ones(3, 2)).sum().backward()
show(m.weight.grad is g, g)
o.zero_grad()
show(m.weight.grad, g)
m.zero_grad()
m(torch.ones(3, 2)).sum().backward()
m.zero_grad(set_to_none=False)
show(m.weight.grad, m.bias.grad)
m(torch.ones(3, 2)).sum().backward(create_graph=True)
g = m.weight.grad
show(g.requires_grad, g.grad_fn and g.grad_fn.name())
o.zero_grad(set_to_none=False)
show(m.weight.grad, m.weight.grad is g, m.weight.grad.requires_grad)
m.requires_grad_(False)
m.zero_grad()
show(m.weight.grad)


# %% retain_grad twice, after create_graph, on detached and refused tensors
x = torch.ones(2, requires_grad=True)
y = x.clone()
y.retain_grad()
z = y * 3
z.sum().backward(retain_graph=True)
g = y.grad
z.sum().backward(retain_graph=True)
show(y.grad, y.grad is g, g)
z.sum().backward(create_graph=True)
show(y.grad, y.grad.requires_grad, y.grad is g)
y.grad = None
z.sum().backward()
show(y.grad)
w = x * 2
w.retain_grad()
w.retain_grad()
show(w.retains_grad)
w.detach_()
show(w.retains_grad, w.grad)
q = torch.ones(2)
try:
    q.retain_grad()
except RuntimeError as e:
    show(e)
x.retain_grad()
show(x.retains_grad)
with torch.no_grad():
    w = x * 2
try:
    w.retain_grad()
except RuntimeError as e:
    show(e)


# %% Derivatives of derivatives, and where grad refuses them
x = torch.tensor(2.0, requires_grad=True)
y = x**3
(g,) = torch.autograd.grad(y, x, create_graph=True)
(h,) = torch.autograd.grad(g, x, create_graph=True)
(k,) = torch.autograd.grad(h, x, create_graph=True)
show(y, g, h, k)
attempt(lambda: torch.autograd.grad(k, x))
attempt(lambda: torch.autograd.grad(k, x))
y = x * 3
(g,) = torch.autograd.grad(y, x, create_graph=True)
show(g, g.requires_grad, g.grad_fn)
attempt(lambda: torch.autograd.grad(g, x))
attempt(lambda: g.backward())
y = x.detach() * 2
attempt(lambda: torch.autograd.grad(y, x))
y = (x * 2).detach().requires_grad_()
attempt(lambda: torch.autograd.grad(y * 3, x))
attempt(lambda: torch.autograd.grad(y * 3, [x, y], allow_unused=True))
y = x.sin()
z = y.cos()
attempt(lambda: torch.autograd.grad(z, [y, x]))
attempt(lambda: torch.autograd.grad(z, x))
attempt(lambda: y.backward())
show(x.grad)
with torch.no_grad():
    attempt(lambda: torch.autograd.grad((x * 2), x))
y = x * 2
with torch.no_grad():
    attempt(lambda: torch.autograd.grad(y, x, create_graph=True))
    show(torch.is_grad_enabled())
y = x * x
with torch.no_grad():
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    show(g, g.requires_grad)
show(torch.autograd.grad(g, x))
with torch.inference_mode():
    attempt(lambda: (x * x).backward())
y = x * x
with torch.inference_mode():
    attempt(lambda: y.backward())
show(x.grad)

# %% Versions of gradients that were summed over broadcast dimensions
x = torch.arange(24.0).reshape(2, 3, 4)
for shape in [(4,), (3, 4), (1, 4), (3, 1), (1,), (), (2, 1, 4), (2, 1, 1), (1, 3, 4), (2, 3, 4)]:
    b = torch.ones(shape, requires_grad=True)
    ((b * x).sum() + (b + x).exp().sum()).backward()
    versions = [b.grad._version]
    (b * x).sum().backward()
    show(shape, versions, b.grad._version)
for size in (1, 4):
    bias, weight = torch.zeros(size, requires_grad=True), torch.ones(size, 4, requires_grad=True)
    linear = torch.nn.functional.linear
    (linear(x[0], weight, bias).sum() + linear(x[1], weight, bias).pow(2).sum()).backward()
    show(size, bias.grad._version, weight.grad._version)


# %% Accumulation into one .grad from several places
# Accumulation into one .grad from views, expand, and the same tensor twice.
x = torch.ones(3, requires_grad=True)
(x.expand(2, 3) * torch.arange(6.0).view(2, 3)).sum().backward()
show(x.grad)
x.grad = None
(x[0] * x[1] + x[0] * 2).backward()
show(x.grad)
x.grad = None
torch.cat([x, x, x[:1]]).sum().backward()
show(x.grad)
x.grad = None
torch.stack([x, x * 2]).prod().backward()
show(x.grad)
x.grad = None
(x @ x).backward()
show(x.grad)
x.grad = None
(x * x * x).sum().backward()
show(x.grad)
x.grad = None
torch.where(x > 0, x, x * 5).sum().backward()
show(x.grad)
x.grad = None
x.unbind()[1].backward()
show(x.grad)
x.grad = None
sum(x).backward()
show(x.grad)
x.grad = None
max(x).backward()
show(x.grad)
x.grad = None
x.split(2)[1].sum().backward()
show(x.grad)
x.grad = None
a, b, c = x
(a * b).backward()
show(x.grad)
x.grad = None
x.roll(1).cumsum(0)[0].backward()
show(x.grad)
