# %% Gradients of a product of sums
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
y = (x + w) * (w + 1)
y.sum().backward()
show(x.grad.tolist(), w.grad.tolist(), y.grad_fn.name(), [f[0].name() for f in y.grad_fn.next_functions])


# %% A second derivative
x = torch.tensor(2.0, requires_grad=True)
y = x**3
(g,) = torch.autograd.grad(y, x, create_graph=True)
(g2,) = torch.autograd.grad(g, x, create_graph=True)
show(g.item(), g2.item(), g.grad_fn.name(), g2.grad_fn.name())


# %% A row of a result multiplied in place
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
y = x * 2
v = y[0]
v.mul_(3)
y.sum().backward()
show(
    x.grad.tolist(),
    v._version,
    y._version,
    y.grad_fn.name(),
    v.grad_fn.name(),
    v.grad_fn.next_functions[0][0].name(),
)


# %% Writing to a leaf
x = torch.ones(3, requires_grad=True)
x.add_(1)


# %% Writing to a result that backward needs
x = torch.ones(3, requires_grad=True)
y = x.exp()
y.mul_(2)
y.sum().backward()


# %% A matrix product
a = torch.ones(2, 3, requires_grad=True)
b = torch.ones(3, 2, requires_grad=True)
c = a @ b
c.sum().backward()
show(a.grad.tolist(), b.grad.tolist(), c.grad_fn.name())


# %% scatter_ with duplicates left out
x = torch.zeros(3, 5)
s = torch.arange(1, 11).reshape(2, 5).float()
x.scatter_(0, torch.tensor([[0, 1, 2, 0]]), s)
show(x.tolist(), x._version)


# %% backward twice
x = torch.ones(2, requires_grad=True)
y = (x * x).sum()
y.backward()
y.backward()


# %% backward from a vector
x = torch.ones(2, requires_grad=True)
y = x * 2
y.backward()


# %% Writes through detach() and through .data
x = torch.ones(2, requires_grad=True)
d = x.detach()
d.zero_()
show(x._version, x.tolist(), d._version)
y = x.data
y.add_(1)
show(x._version, y._version)


# %% retain_grad of a clone
x = torch.ones(2, requires_grad=True)
y = x.clone()
y.retain_grad()
z = (y * y).sum()
z.backward()
show(y.grad.tolist(), x.grad.tolist(), z.is_leaf)


# %% .grad of a tensor that is not a leaf
x = torch.ones(2, requires_grad=True)
y = x * 2
show(y.grad)


# %% Gradients through cat
x = torch.ones(2, 2, requires_grad=True)
c = torch.cat([x, x * 2], 1)
(c * c).sum().backward()
show(x.grad.tolist(), c.grad_fn.name())


# %% Nodes of views
x = torch.ones(2, 3, requires_grad=True)
y = x.t().reshape(6)
show(
    y.grad_fn.name(),
    y.grad_fn.next_functions[0][0].name(),
    x.view(3, 2).grad_fn.name(),
    x.permute(1, 0).grad_fn.name(),
    x[None].grad_fn.name(),
    x[...].grad_fn.name(),
    x[:, 1:].grad_fn.name(),
    x[[0, 1]].grad_fn.name(),
)


# %% Dtypes of arithmetic
a = torch.tensor([1, 2])
b = torch.tensor([1.5, 2.5])
show(
    (a + b).dtype,
    (a / 2).dtype,
    (a * True).dtype,
    (a + 1.5).dtype,
    (b + 1).dtype,
    (a // 2).tolist(),
    (a % 2).tolist(),
    (2**a).tolist(),
    (5 - a).tolist(),
    (1 / b).tolist(),
    (a == b).tolist(),
)


# %% Sizes that do not broadcast
a = torch.ones(3)
a + torch.ones(4)


# %% In place, with an operand that has more dimensions
a = torch.ones(2, 3)
a.add_(torch.ones(2, 2, 3))


# %% A float added in place to integers
a = torch.tensor([1, 2])
a.add_(1.5)


# %% mul of a tensor and a list
torch.mul(torch.ones(2), [1])


# %% exp of a float
torch.exp(2.0)


# %% exp with an argument too many
torch.ones(2).exp(3)


# %% A tensor plus a string
torch.ones(2) + "a"


# %% A tensor compared with None
show(torch.ones(2) == None)


# %% Results and views made under no_grad
x = torch.ones(2, requires_grad=True)
with torch.no_grad():
    y = x * 2
    v = x[0]
show(y.requires_grad, v._is_view(), v.requires_grad, v.is_leaf)


# %% Writing to a view made under no_grad
x = torch.ones(4, requires_grad=True)
y = x * 1
with torch.no_grad():
    v = y[0:2]
v.mul_(2)


# %% Writing to one of several views of a split
x = torch.ones(4, requires_grad=True)
y = x * 1
a, b = y.split(2)
a.mul_(2)


# %% Items, lists and slices assigned
x = torch.ones(4, requires_grad=True)
y = x * 1
y[0] = 5
y[[1, 2]] = 7
y[:] = 2 * x
show(y.grad_fn.name())
y.sum().backward()
show(x.grad.tolist())


# %% The nodes of items and masks assigned
x = torch.ones(4, requires_grad=True)
y = x * 1
y[0] = 5
show(y.grad_fn.name(), [f[0].name() if f[0] else None for f in y.grad_fn.next_functions])
y[y > 2] = 0.0
show(y.grad_fn.name())
y.sum().backward()
show(x.grad.tolist())


# %% copy_ of what requires grad
a = torch.zeros(2, 2)
b = torch.ones(2, requires_grad=True) * 3
a.copy_(b)
show(a.grad_fn.name(), a.tolist(), type(a.grad_fn).__name__)
a.sum().backward()


# %% The gradient of a mean
x = torch.ones(2, requires_grad=True)
y = x.mean()
y.backward()
show(x.grad.tolist(), y.grad_fn.name())


# %% The gradient of sums along dimensions
x = torch.ones(2, 3, requires_grad=True)
y = x.sum(1)
y.backward(torch.tensor([1.0, 2.0]))
show(x.grad.tolist(), y.grad_fn.name())
x.sum(dim=0, keepdim=True).sum().backward()
show(x.grad.tolist(), x.grad._version)


# %% What is a leaf, and what keeps its grad
a = torch.ones(2, requires_grad=True)
b = a.to(torch.float32)
c = a.to(torch.float64)
d = a.clone()
e = a.detach()
f = a.data
g = a.view(2)
h = a[:]
i = a.contiguous()
j = a.float()
k = a.double()
l = torch.tensor(e)
m = a.detach().requires_grad_()
n = torch.nn.Parameter(a)
o = a.expand(2, 2)
p = a + 0
q = +a
r = a.cpu()
s = a.squeeze()
t = a.requires_grad_()
u = a.type(torch.float32)
v = a.reshape(2)
w = a.flatten()
for name in "abcdefghijklmnopqrstuvw":
    x = eval(name)
    show(
        name,
        x is a,
        x.is_leaf,
        x.requires_grad,
        x.grad_fn and x.grad_fn.name(),
        x._is_view(),
        x._base is a,
        x.data_ptr() == a.data_ptr(),
        x._version,
    )
a.detach().mul_(3)
show([(name, eval(name)._version, eval(name).sum().item()) for name in "abcdefghijklmnopqrstuvw"])


# %% The leaf on another dtype: where is my grad?
w = torch.ones(3).requires_grad_().double()
(w * 2).sum().backward()
show(w.is_leaf, w.grad)
w = torch.ones(3, requires_grad=True) * 0.5
(w * 2).sum().backward()
show(w.grad)
w = torch.ones(3, requires_grad=True)
w = w - 0.1 * w
w.retain_grad()
w.sum().backward()
show(w.grad)
w -= 1
show(w.grad, w.retains_grad)


# %% Printing of what a user looks at
x = torch.tensor([1.0, float("nan"), 1e10, -0.0], requires_grad=True)
y = x * 2
z = y[1:]
for v in (
    x,
    y,
    z,
    y.sum(),
    x.detach(),
    y.view(2, 2),
    x > 0,
    x.double(),
    y.half(),
    x.to(torch.complex64),
    torch.nn.Parameter(x.detach()),
    y.grad_fn,
    y.grad_fn.next_functions,
    torch.zeros(0, requires_grad=True),
    z._base is y,
    x.grad,
    [x, y],
):
    show(v)
y.add_(1)
show(y, y.grad_fn)
z.mul_(2)
show(y, z, y.grad_fn)
y.relu_()
show(y, z)
