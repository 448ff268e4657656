# %% bfloat16: numbers, promotion, printing
x = torch.tensor([1.0, 2.5, 3.3, 1e-5, 300.7], dtype=torch.bfloat16)
show(x, x.dtype, x * 2.1, x + 1, x / 3, x.float(), x.double() - x.float())
show(
    x + torch.ones(5),
    x * torch.tensor(2.0),
    (x + torch.arange(5)).dtype,
    (x + 1j).dtype,
    torch.promote_types(torch.float16, x.dtype),
)
show(
    torch.arange(5).bfloat16(),
    torch.linspace(0, 1, 5, dtype=torch.bfloat16),
    torch.full((2,), 0.1).to(torch.bfloat16),
)
show(x.sort(), x.max(0), x.cumsum(0), x.softmax(0), x > 2, x.round(), x.int())
show(torch.finfo(torch.bfloat16))


# %% Gradients in bfloat16
w = torch.tensor([[0.5, -1.25], [2.0, 0.75]], dtype=torch.bfloat16, requires_grad=True)
b = torch.tensor([0.1, 0.2], dtype=torch.bfloat16, requires_grad=True)
y = torch.tanh(torch.ones(3, 2, dtype=torch.bfloat16) @ w + b)
show(y, y.grad_fn)
y.sum().backward()
show(w.grad, b.grad)
(y.detach() @ w).pow(2).mean().backward()
show(w.grad)
(g,) = torch.autograd.grad((w * w * b).sum(), w, create_graph=True)
g.sum().backward()
show(g, w.grad, b.grad)


# %% What bfloat16 refuses
x = torch.ones(2, 2, dtype=torch.bfloat16)
for f in (
    lambda: x.numpy(),
    lambda: x.mm(torch.ones(2, 2)),
    lambda: torch.linalg.inv(x),
    lambda: torch.fft.fft(x),
    lambda: x.fill_(1e39),
    lambda: torch.nn.functional.linear(torch.ones(1, 2), x),
    lambda: x & 1,
    lambda: torch.complex(x, x),
    lambda: x.index_add_(0, torch.tensor([0]), torch.ones(1, 2)),
    lambda: torch.ones(2, dtype=torch.int64).add_(x[0]),
    lambda: torch.promote_types(torch.float8_e5m2, torch.bfloat16),
):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n")[0])


# %% float8 is for keeping numbers
x = torch.tensor([1.0, 2.5, 3.3, 1000.0])
for d in (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz):
    y = x.to(d)
    show(y, y.float(), y[1:3], torch.cat([y, y]).shape, y.element_size(), y == y)
    try:
        y + y
    except NotImplementedError as e:
        show(e)


# %% Autocast: products in bfloat16, losses in float32
model = torch.nn.Linear(3, 2)
with torch.no_grad():
    model.weight.copy_(torch.tensor([[0.5, -0.25, 1.0], [1.5, 0.75, -1.0]]))
    model.bias.zero_()
x = torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 0.25]])
with torch.autocast("cpu"):
    y = model(x)
    loss = torch.nn.functional.mse_loss(y, torch.zeros(2, 2))
    show(y, y.dtype, loss, loss.dtype, (x + x).dtype, (y + x[:, :2]).dtype, torch.is_autocast_enabled("cpu"))
    with torch.autocast("cpu", enabled=False):
        show(model(x).dtype, torch.is_autocast_enabled("cpu"))
    show(
        torch.cat([y, x], 1).dtype,
        y.softmax(-1).dtype,
        torch.nn.functional.cross_entropy(y, torch.tensor([0, 1])),
    )
loss.backward()
show(model.weight.grad, model.bias.grad, torch.is_autocast_enabled("cpu"))


# %% A scaler that backs off
p = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([p], lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=2)
for factor in (1.0, float("inf"), 0.5, 0.25, 2.0):
    optimizer.zero_grad()
    scaler.scale((p * factor).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    show(p, scaler.get_scale())
