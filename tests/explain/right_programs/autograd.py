# %% A derivative of second order
x = torch.tensor(2.0, requires_grad=True)
y = x**4
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)


# %% Derivatives of a network at points, as a differential equation needs them
net = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
t = torch.linspace(0, 1, 8)[:, None].requires_grad_(True)
for step in range(3):
    u = net(t)
    (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    loss = ((du + u) ** 2).mean() + (net(torch.zeros(1, 1)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A second derivative in a loss
net = torch.nn.Sequential(torch.nn.Linear(1, 6), torch.nn.Tanh(), torch.nn.Linear(6, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.rand(5, 1, requires_grad=True)
for step in range(2):
    u = net(x)
    (ux,) = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)
    (uxx,) = torch.autograd.grad(ux, x, torch.ones_like(ux), create_graph=True)
    loss = (uxx - u).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A Hessian-vector product
w = torch.randn(3, requires_grad=True)
v = torch.randn(3)
loss = (w**3).sum()
(g,) = torch.autograd.grad(loss, w, create_graph=True)
(hv,) = torch.autograd.grad(g @ v, w)


# %% A Jacobian, row by row
x = torch.randn(3, requires_grad=True)
y = torch.stack([x[0] * x[1], x[2].sin()])
rows = [torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(2)]
jacobian = torch.stack(rows)


# %% A Jacobian by function
from torch.autograd.functional import hessian, jacobian

x = torch.randn(3)
j = jacobian(lambda v: v**2, x)
h = hessian(lambda v: (v**3).sum(), x)


# %% Gradients for each example by transforms
from torch.func import grad, vmap

w = torch.randn(3)
x, y = torch.randn(5, 3), torch.randn(5)


def loss(w, x, y):
    return (x @ w - y) ** 2


each = vmap(grad(loss), in_dims=(None, 0, 0))(w, x, y)


# %% A functional call of a module under a transform
from torch.func import functional_call, grad

net = torch.nn.Linear(3, 1)
params = {name: p.detach() for name, p in net.named_parameters()}
x, y = torch.randn(4, 3), torch.randn(4, 1)


def loss_of(params):
    return torch.nn.functional.mse_loss(functional_call(net, params, (x,)), y)


grads = grad(loss_of)(params)
params = {name: p - 0.1 * grads[name] for name, p in params.items()}


# %% Forward and reverse mode together
from torch.func import jacfwd, jacrev

x = torch.randn(3)
second = jacfwd(jacrev(lambda v: v.sin().sum()))(x)


# %% Learning how to learn in one inner step
w = torch.randn(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
x, y = torch.randn(4, 2), torch.randn(4)
for step in range(2):
    inner = ((x @ w - y) ** 2).mean()
    (g,) = torch.autograd.grad(inner, w, create_graph=True)
    quick = w - 0.1 * g
    outer = ((x @ quick - y - 0.1) ** 2).mean()
    opt.zero_grad()
    outer.backward()
    opt.step()


# %% A learning rate that is learned
w0, rate = torch.tensor([1.0, -2.0]), torch.tensor(0.1, requires_grad=True)
w = w0.clone().requires_grad_(True)
for step in range(2):
    (g,) = torch.autograd.grad((w**2).sum(), w, create_graph=True)
    w = w - rate * g
loss = (w**2).sum()
loss.backward()
slope = rate.grad.item()


# %% A Function of one's own
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad


x = torch.randn(4, requires_grad=True)
Cube.apply(x).sum().backward()


# %% A Function with an argument that needs no gradient
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


x = torch.randn(3, requires_grad=True)
Scale.apply(x, 2.0).sum().backward()


# %% A Function that turns gradients around
class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


features, domain = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)
opt = torch.optim.SGD([*features.parameters(), *domain.parameters()], lr=0.1)
x, d = torch.randn(6, 3), torch.randint(0, 2, (6,))
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(domain(Reverse.apply(features(x))), d).backward()
    opt.step()


# %% A sign with a gradient that passes through
class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= 1).float()


layer = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
for step in range(2):
    opt.zero_grad()
    Sign.apply(layer(torch.randn(4, 3))).pow(2).mean().backward()
    opt.step()


# %% Segments that are computed twice to save memory
from torch.utils.checkpoint import checkpoint

first, second = torch.nn.Linear(3, 4), torch.nn.Linear(4, 1)
opt = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
x = torch.randn(5, 3)
for step in range(2):
    opt.zero_grad()
    h = checkpoint(lambda v: torch.tanh(first(v)), x, use_reentrant=False)
    second(h).pow(2).mean().backward()
    opt.step()


# %% Gradients of what lies in between
x = torch.randn(3, requires_grad=True)
h = x * 2
h.retain_grad()
(h**2).sum().backward()
inner = h.grad.clone()


# %% A hook that watches gradients
w = torch.randn(3, requires_grad=True)
seen = []
h = w * 2
h.register_hook(lambda g: seen.append(g.norm().item()))
(h**2).sum().backward()


# %% A hook that scales gradients on purpose
w = torch.ones(3, requires_grad=True)
handle = w.register_hook(lambda g: g * 0.5)
(w**2).sum().backward()
handle.remove()


# %% Hooks that look at activations
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
kept = {}
handle = net[1].register_forward_hook(lambda module, args, out: kept.update(relu=out.detach()))
with torch.no_grad():
    net(torch.randn(2, 3))
handle.remove()


# %% backward() from several roots
x = torch.randn(3, requires_grad=True)
a, b = x.sum(), (x**2).sum()
torch.autograd.backward([a, b])


# %% backward() with a gradient to start with
x = torch.randn(3, requires_grad=True)
y = x**2
y.backward(torch.tensor([1.0, 0.0, 2.0]))


# %% backward() for some inputs only
a, b = torch.randn(2, requires_grad=True), torch.randn(2, requires_grad=True)
(a * b).sum().backward(inputs=[a])


# %% A number taken for a decision
x = torch.randn(3, requires_grad=True)
y = (x**2).sum()
if y.item() > 1:
    y = y.sqrt()
y.backward()


# %% A number that scales a loss
w = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for step in range(2):
    a, b = (w**2).sum(), (w - 1).abs().sum()
    weight = (a / b).item()
    loss = a + weight * b
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% Weights that follow the size of the gradients
w = torch.randn(3, requires_grad=True)
loss = (w**2).sum()
loss.backward()
with torch.no_grad():
    w -= 0.1 * w.grad / (w.grad.norm() + 1e-8)


# %% Implicit reparameterization by a distribution
mean, spread = torch.zeros(2, requires_grad=True), torch.zeros(2, requires_grad=True)
opt = torch.optim.Adam([mean, spread], lr=0.05)
for step in range(3):
    q = torch.distributions.Normal(mean, spread.exp())
    z = q.rsample()
    prior = torch.distributions.Normal(torch.zeros(2), torch.ones(2))
    loss = (z - 1).pow(2).sum() + torch.distributions.kl_divergence(q, prior).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()


# %% A variational autoencoder
encoder, decoder = torch.nn.Linear(4, 4), torch.nn.Linear(2, 4)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
x = torch.rand(6, 4)
for step in range(3):
    mean, log_var = encoder(x).chunk(2, dim=1)
    z = mean + (0.5 * log_var).exp() * torch.randn_like(mean)
    fit = torch.nn.functional.binary_cross_entropy_with_logits(decoder(z), x, reduction="sum") / 6
    kl = -0.5 * (1 + log_var - mean**2 - log_var.exp()).sum(1).mean()
    opt.zero_grad()
    (fit + kl).backward()
    opt.step()


# %% A prediction whose graph stays, before training goes on
net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 2), torch.randn(6, 1)
before = net(x)
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()
change = (net(x) - before).abs().max().item()


# %% Learning how to learn, over two tasks
from torch.func import functional_call

net = torch.nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.randn(6, 3), torch.randn(6, 1)
for step in range(2):
    opt.zero_grad()
    total = 0
    for task in range(2):
        params = dict(net.named_parameters())
        inner = torch.nn.functional.mse_loss(functional_call(net, params, (x,)), y + task)
        grads = torch.autograd.grad(inner, list(params.values()), create_graph=True)
        quick = {name: p - 0.1 * g for (name, p), g in zip(params.items(), grads)}
        total = total + torch.nn.functional.mse_loss(functional_call(net, quick, (x,)), y + task)
    total.backward()
    opt.step()
