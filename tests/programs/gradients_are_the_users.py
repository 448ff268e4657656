# %% A hook that writes to its gradient
x = torch.tensor(2.0, requires_grad=True)


def h(g):
    g.mul_(3)
    show("in hook", g)


y = x * 1
y.register_hook(h)
y.backward()
show(x.grad)


# %% Writing to what grad() returned
x = torch.tensor(2.0, requires_grad=True)
(g,) = torch.autograd.grad(x, x)
g.mul_(2)
show(g)
(g,) = torch.autograd.grad(x.sum(), x)
g.mul_(2)
show(g)
(g,) = torch.autograd.grad(x, x, create_graph=True)
g.mul_(2)
show(g)
x.backward()
x.grad.mul_(5)
show(x.grad)
x.backward()
show(x.grad)


# %% Writing to a retained gradient and to one that was recorded
x = torch.tensor(2.0, requires_grad=True)
y = x * 3
y.retain_grad()
y.backward()
y.grad.add_(1)
show(y.grad)
x.backward(create_graph=True)
show(x.grad)
x.grad.data.add_(1)
show(x.grad)


# %% A leaf's hook that writes to its gradient
x = torch.tensor(2.0, requires_grad=True)
x.register_hook(lambda g: show(g.mul_(4)))
x.backward()
show(x.grad)
(x * x).backward()
show(x.grad)


# %% A result one of whose elements is replaced, and backward twice
x = torch.ones(3, requires_grad=True)
y = x + 1
y[0] = x[1]
y.sum().backward()
show(x.grad)
y.sum().backward()


# %% A saved result shares memory with the result
x = torch.ones(3, requires_grad=True)
y = x.exp()
show(y.grad_fn._saved_result.data_ptr() == y.data_ptr(), y.tanh().grad_fn._saved_result.shape)


# %% .grad assigned, shared, of another shape, deleted
x = torch.ones(2, requires_grad=True)
for code in (
    "x.grad = torch.zeros(2)",
    "x.grad = torch.zeros(3)",
    "x.grad = torch.zeros(2).double()",
    "x.grad = 1.0",
    "x.grad = None",
    "x.grad = x",
    "x.grad = x * 2",
    "del x.grad",
    "x.grad += 1",
    "x.grad = torch.ones(2, requires_grad=True)",
    "x.grad = torch.ones(2).int()",
    "x.grad_fn = None",
    "x.is_leaf = True",
    "x.requires_grad = 3",
    "x.requires_grad = 'a'",
    "(x * 2).requires_grad = False",
    "x.shape = (1, 2)",
    "x.data = torch.ones(3)",
    "x.data = 3",
    "x.foo = 3",
):
    try:
        exec(code)
        show(code, x.grad)
    except Exception as error:
        show(code, type(error).__name__, error)
