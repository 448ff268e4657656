# %% Activations at many points, and their derivatives
F = torch.nn.functional
inf, nan = float("inf"), float("nan")
points = torch.tensor(
    [-50.0, -6, -3.0, -1.0, -0.25, -0.0, 0.0, 0.5, 1.0, 3.0, 6.0, 20.0, 21.0, 100.0], dtype=torch.float64
)
for f in (
    F.relu,
    F.relu6,
    F.hardtanh,
    F.hardsigmoid,
    F.hardswish,
    F.gelu,
    F.silu,
    F.mish,
    F.elu,
    F.selu,
    F.celu,
    F.leaky_relu,
    F.softplus,
    F.softsign,
    F.softshrink,
    F.hardshrink,
    F.logsigmoid,
    F.rrelu,
):
    x = points.clone().requires_grad_()
    y = f(x)
    y.sum().backward()
    show(f.__name__, y.grad_fn.name(), y, x.grad)
x = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
show(
    F.gelu(x, approximate="tanh"),
    F.threshold(x, 0.5, 20),
    F.prelu(x, torch.tensor([0.25])),
    F.softplus(x, 2, 1),
    F.elu(x, 0.5),
    F.hardtanh(x, -1.5, 2),
    F.glu(torch.arange(6.0), 0),
    F.tanhshrink(x),
    F.softmin(x, 0),
)


# %% Activations in place
F = torch.nn.functional
for f in (
    F.relu,
    F.relu6,
    F.hardtanh,
    F.hardsigmoid,
    F.hardswish,
    F.silu,
    F.mish,
    F.elu,
    F.selu,
    F.celu,
    F.leaky_relu,
    F.rrelu,
):
    x = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
    y = x * 1
    z = f(y, inplace=True)
    z.sum().backward()
    show(f.__name__, z is y, z._version, z.grad_fn.name(), z, x.grad)
for name in "relu_ selu_ celu_ rrelu_".split():
    y = torch.tensor([-2.0, 0.5, 3.0])
    show(name, getattr(torch, name)(y) is y, y, getattr(F, name) is not None)
for name in "elu_ hardtanh_ leaky_relu_".split():
    y = torch.tensor([-2.0, 0.5, 3.0])
    show(name, getattr(F, name)(y) is y, y)
show(
    torch.threshold_(torch.tensor([1.0, 2.0]), 1, 7.0),
    hasattr(torch, "elu"),
    hasattr(torch.Tensor, "gelu"),
    hasattr(torch, "hardshrink"),
)


# %% Activations of other dtypes
F = torch.nn.functional

for d in (torch.int64, torch.uint8, torch.bool, torch.complex64, torch.float16):
    x = torch.tensor([1, 0, 1, 0]).to(d)
    for f in (
        F.relu,
        F.relu6,
        F.hardtanh,
        F.hardsigmoid,
        F.hardswish,
        F.gelu,
        F.mish,
        F.elu,
        F.selu,
        F.celu,
        F.leaky_relu,
        F.softplus,
        F.softshrink,
        F.hardshrink,
        F.logsigmoid,
        F.glu,
        F.rrelu,
        lambda x: F.threshold(x, 0.5, 2),
    ):
        attempt_as(f.__name__, lambda: f(x))


# %% What activations refuse
F = torch.nn.functional

x = torch.ones(4, 6)
attempt_as(1, lambda: F.celu(x, 0.0))
attempt_as(2, lambda: F.softshrink(x, -1.0))
attempt_as(3, lambda: F.hardtanh(x, 1.0, -1.0))
attempt_as(4, lambda: F.gelu(x, approximate="a"))
attempt_as(5, lambda: F.rrelu(x, 0.5, 0.2))
attempt_as(6, lambda: F.glu(torch.tensor(1.0)))
attempt_as(7, lambda: F.glu(torch.ones(3)))
attempt_as(8, lambda: F.leaky_relu_(x.clone().requires_grad_().clone(), -0.5).sum().backward())
attempt_as(9, lambda: F.elu_(x.clone().requires_grad_().clone(), -0.5).sum().backward())
for a in [
    (x, x),
    (x[0, 0], torch.ones(2)),
    (x, torch.ones(5)),
    (x, torch.ones(2, 2)),
    (x[0], torch.ones(6)),
    (x.double(), torch.ones(1)),
]:
    attempt_as("prelu", lambda: F.prelu(*a))
attempt_as("gelu", lambda: F.gelu(1))
attempt_as("logsigmoid", lambda: F.logsigmoid(1))
attempt_as("elu_", lambda: F.elu_(1))
attempt_as("selu_", lambda: torch.selu_(1))
attempt_as("silu", lambda: F.silu(1))
attempt_as("one_hot", lambda: F.one_hot(1))
attempt_as("linear", lambda: F.linear(1))
attempt_as("attention", lambda: F.scaled_dot_product_attention(1))
attempt_as("mse", lambda: F.mse_loss(1, 2))
attempt_as("gelu2", lambda: F.gelu(x, "tanh"))
attempt_as("relu", lambda: F.relu(x, alpha=1))


# %% Random activations and gumbel_softmax
F = torch.nn.functional
torch.manual_seed(0)
show(
    F.rrelu(torch.tensor([-1.0, 2, -1, -1]), 0.1, 0.3, True),
    F.rrelu(torch.tensor([-1.0, 2, -1, -1], dtype=torch.float64), 0.1, 0.3, True),
    F.gumbel_softmax(torch.ones(3)),
    F.gumbel_softmax(torch.ones(2, 3), hard=True),
    F.gumbel_softmax(torch.ones(2, 3), tau=0.5, dim=0),
)
x = torch.tensor([[-1.0, 2.0], [3.0, -4.0]], requires_grad=True)
y = F.rrelu(x, training=True)
y.sum().backward()
show(y, y.grad_fn.name(), x.grad)
show(F.gumbel_softmax(x, hard=True).grad_fn)
F.gumbel_softmax(x, eps=1e-5)


# %% Softmax without a dimension
F = torch.nn.functional
x = torch.ones(4, 6)
show(
    F.softmax(x).shape,
    F.log_softmax(x[0]),
    F.softmin(torch.ones(1, 2, 3)),
    F.softmax(x, 1, dtype=torch.float64).dtype,
    F.log_softmax(x, dim=0, dtype=torch.float64).dtype,
)


# %% Dropout of every kind
F = torch.nn.functional
torch.manual_seed(0)
for d in (torch.float32, torch.float64, torch.float16):
    show(
        F.dropout(torch.ones(10, dtype=d)),
        F.dropout(torch.ones(3, 4, dtype=d), 0.3),
        F.alpha_dropout(torch.ones(6, dtype=d), 0.3, True),
        F.dropout2d(torch.ones(2, 3, 2, 2, dtype=d)),
        F.feature_alpha_dropout(torch.ones(2, 3, 2, dtype=d), 0.4, True),
    )
show(
    F.dropout1d(torch.ones(2, 3, 2)),
    F.dropout1d(torch.ones(3, 2)),
    F.dropout3d(torch.ones(3, 1, 1, 2)),
    torch.native_dropout(torch.ones(5), 0.5, True),
    F.dropout(torch.ones(3, 4).t(), 0.3),
    torch.native_dropout(torch.ones(2), 0.5, False),
)
x = torch.ones(3)
show(
    F.dropout(x, 0.0) is x,
    F.dropout(x, 0.5, False) is x,
    F.alpha_dropout(x) is x,
    F.dropout(x, 1.0),
    F.dropout(x, 0.5, inplace=True) is x,
    x,
    x._version,
)
y = torch.ones(6, requires_grad=True)
z = F.dropout(y)
z.sum().backward()
show(z.grad_fn.name(), y.grad)
z, m = torch.native_dropout(y, 0.5, True)
show(z.grad_fn.name(), z, m, torch.autograd.grad(z.sum(), y))


# %% What dropout refuses
F = torch.nn.functional

x, x4 = torch.ones(4, 6), torch.ones(2, 4, 3, 3)
attempt_as(1, lambda: F.dropout(x, 1.5))
attempt_as(2, lambda: F.alpha_dropout(x, -0.5))
attempt_as(3, lambda: F.dropout(x.long()))
attempt_as(4, lambda: torch.dropout(x, 1.5, True))
attempt_as(5, lambda: F.dropout1d(x4))
attempt_as(6, lambda: F.dropout2d(x4[0]).shape)
attempt_as(7, lambda: F.dropout2d(x4[None]).shape)
attempt_as(8, lambda: F.dropout2d(x).shape)
attempt_as(9, lambda: F.dropout3d(x4).shape)
attempt_as(10, lambda: F.dropout3d(x4[0]).shape)
attempt_as(11, lambda: torch.feature_dropout(x[0], 0.5, True))
attempt_as(12, lambda: F.feature_alpha_dropout(x[0], 0.5, True))
attempt_as(13, lambda: F.dropout1d(x, 2.0))
attempt_as(14, lambda: F.dropout2d(x, 2.0))
