# %% Every optimizer with its options
nn, optim = torch.nn, torch.optim


def train(make, steps=15):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = torch.randn(8, 3)
    y = x.sum(1, keepdim=True).sin()
    o = make(m)

    def closure():
        o.zero_grad()
        loss = nn.functional.mse_loss(m(x), y)
        loss.backward()
        return loss

    losses = [o.step(closure).item() for _ in range(steps)]
    show(o)
    show(
        [f"{v:.4f}" for v in losses[::3]],
        {k: sorted(v) for k, v in o.state_dict()["state"].items()},
        list(o.state_dict()["param_groups"][0].items()),
    )
    other = make(m)
    other.load_state_dict(o.state_dict())
    other.step(closure)
    show(f"{closure().item():.4f}")
    return o


for make in [
    lambda m: optim.NAdam(m.parameters(), lr=0.01),
    lambda m: optim.NAdam(
        m.parameters(), lr=0.01, weight_decay=0.1, decoupled_weight_decay=True, maximize=True
    ),
    lambda m: optim.RAdam(m.parameters(), lr=0.02),
    lambda m: optim.RAdam(m.parameters(), lr=0.02, betas=(0.5, 0.8), weight_decay=0.05),
    lambda m: optim.ASGD(m.parameters(), lr=0.1, t0=5, lambd=0.01, weight_decay=1e-3),
    lambda m: optim.Rprop(m.parameters(), lr=0.02),
    lambda m: optim.Rprop(m.parameters(), etas=(0.3, 1.5), step_sizes=(1e-3, 0.1)),
]:
    o = train(make)
show([f"{v:.3f}" for v in o.state_dict()["state"][0]["step_size"].flatten().tolist()])


# %% L-BFGS
nn, optim = torch.nn, torch.optim
# Rosenbrock's valley and a regression, by L-BFGS.
for options in (
    {"line_search_fn": "strong_wolfe"},
    {"lr": 0.1, "max_iter": 5},
    {"history_size": 3, "max_iter": 4, "line_search_fn": "strong_wolfe"},
    {"max_eval": 3, "lr": 0.01},
):
    p = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
    o = optim.LBFGS([p], **options)

    def closure():
        o.zero_grad()
        loss = (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
        loss.backward()
        return loss

    for _ in range(3):
        loss = o.step(closure)
        state = o.state_dict()["state"][0]
        show(
            f"{loss.item():.5f}",
            [f"{v:.5f}" for v in p.tolist()],
            state["func_evals"],
            state["n_iter"],
            len(state["old_dirs"]),
        )
    show(o, sorted(state))
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1)).double()
x = torch.randn(10, 2).double()
y = x.prod(1, keepdim=True)
o = optim.LBFGS(m.parameters(), max_iter=6, line_search_fn="strong_wolfe")


def closure():
    o.zero_grad()
    loss = nn.functional.mse_loss(m(x), y)
    loss.backward()
    return loss


show([f"{o.step(closure).item():.3f}" for _ in range(3)])
p, q = torch.ones(2, requires_grad=True), torch.ones(1, requires_grad=True)
for f in (
    lambda: optim.NAdam([p], momentum_decay=-1),
    lambda: optim.NAdam([p], betas=(2, 0)),
    lambda: optim.RAdam([p], eps=-1),
    lambda: optim.RAdam([p], weight_decay=-1),
    lambda: optim.ASGD([p], lr=-1),
    lambda: optim.ASGD([p], weight_decay=-1),
    lambda: optim.Rprop([p], lr=-1),
    lambda: optim.Rprop([p], etas=(1, 2)),
    lambda: optim.LBFGS([p], lr=-1),
    lambda: optim.LBFGS([{"params": [p]}, {"params": [q]}]),
):
    show(result_or_error(f))


# %% Schedules that change momentum, and schedules of several kinds
optim, S = torch.optim, torch.optim.lr_scheduler
p, q = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)


def momentum(g):
    return g.get("momentum", g.get("betas", (None,))[0])


for make in (
    lambda o: S.OneCycleLR(o, 0.5, total_steps=8),
    lambda o: S.OneCycleLR(
        o, 0.5, epochs=2, steps_per_epoch=4, three_phase=True, anneal_strategy="linear", pct_start=0.4
    ),
    lambda o: S.OneCycleLR(o, 0.2, 10, cycle_momentum=False, div_factor=5),
    lambda o: S.CyclicLR(o, 0.1, 0.5, 3),
    lambda o: S.CyclicLR(o, 0.1, 0.5, 2, 3, mode="triangular2"),
    lambda o: S.CyclicLR(o, 0.01, 0.5, 2, mode="exp_range", gamma=0.9),
    lambda o: S.CyclicLR(o, 0.01, 0.5, 2, scale_fn=lambda x: 1 / x, cycle_momentum=False),
    lambda o: S.CosineAnnealingWarmRestarts(o, 2),
    lambda o: S.CosineAnnealingWarmRestarts(o, 2, 2, 0.01),
    lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.5, 2), S.ExponentialLR(o, 0.9)], [3]),
    lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1), S.CosineAnnealingLR(o, 5)], [4]),
    lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.5, 2), S.ExponentialLR(o, 0.9)]),
    lambda o: S.ChainedScheduler([S.LinearLR(o, 0.5, 1.0, 3), S.StepLR(o, 2, 0.5)], o),
):
    for base in (optim.SGD([p], lr=0.1, momentum=0.9), optim.AdamW([p], lr=0.1)):
        s = make(base)
        rates = []
        for _ in range(8):
            rates.append((f"{s.get_last_lr()[0]:.6f}", momentum(base.param_groups[0])))
            base.step()
            s.step()
        show(type(s).__name__, rates, sorted(s.state_dict()), sorted(base.param_groups[0]))
        other = make(type(base)([p], lr=0.1))
        other.load_state_dict(s.state_dict())
        show(other.get_last_lr() == s.get_last_lr())
o = optim.SGD([p], lr=0.1)
s = S.CosineAnnealingWarmRestarts(o, 2, 2)
for epoch in (0.5, 1.5, 2.25, 7, 1):
    s.step(epoch)
    show(s.get_last_lr(), s.T_cur, s.T_i, s.last_epoch)


def make(**options):
    return optim.SGD([p], lr=0.1, momentum=0.9)


for f in (
    lambda: S.OneCycleLR(make(), 0.1),
    lambda: S.OneCycleLR(make(), 0.1, total_steps=-1),
    lambda: S.OneCycleLR(make(), 0.1, total_steps=1.5),
    lambda: S.OneCycleLR(make(), 0.1, epochs=0, steps_per_epoch=1),
    lambda: S.OneCycleLR(make(), 0.1, total_steps=5, pct_start=2),
    lambda: S.OneCycleLR(make(), 0.1, total_steps=5, anneal_strategy="x"),
    lambda: S.OneCycleLR(optim.Adagrad([p]), 0.1, total_steps=5),
    lambda: S.CosineAnnealingWarmRestarts(make(), 0),
    lambda: S.CosineAnnealingWarmRestarts(make(), 2, 0),
    lambda: S.SequentialLR(make(), [], []),
    lambda: S.SequentialLR(make(), [S.StepLR(make(), 1)], []),
    lambda: S.CyclicLR(make(), 0.1, 0.2, mode="x"),
    lambda: S.CyclicLR(optim.Adagrad([p]), 0.1, 0.2),
    lambda: S.ChainedScheduler([]),
    lambda: S.ChainedScheduler([S.StepLR(make(), 1), S.StepLR(make(), 1)]),
    lambda: S.OneCycleLR(make(), [0.1, 0.2], total_steps=5),
    lambda: S.SequentialLR(o, [S.StepLR(o, 1)], [2]),
    lambda: S.CosineAnnealingWarmRestarts(o, 2).step(-1),
    lambda: S.OneCycleLR(3, 1),
):
    show(result_or_error(f))
s = S.OneCycleLR(make(), 0.5, total_steps=2)
for _ in range(3):
    s.step()


# %% Schedules after a group was added
optim, S = torch.optim, torch.optim.lr_scheduler
for make in [
    lambda o: S.StepLR(o, 2),
    lambda o: S.MultiStepLR(o, [2, 4]),
    lambda o: S.ConstantLR(o),
    lambda o: S.LinearLR(o),
    lambda o: S.ExponentialLR(o, 0.9),
    lambda o: S.CosineAnnealingLR(o, 5),
    lambda o: S.CosineAnnealingWarmRestarts(o, 3),
    lambda o: S.PolynomialLR(o),
    lambda o: S.LambdaLR(o, lambda e: 0.5**e),
    lambda o: S.MultiplicativeLR(o, lambda e: 0.9),
    lambda o: S.CyclicLR(o, 0.01, 0.1),
    lambda o: S.OneCycleLR(o, 0.1, total_steps=9),
    lambda o: S.ReduceLROnPlateau(o, patience=0),
    lambda o: S.ReduceLROnPlateau(o, patience=0, min_lr=[0.01]),
    lambda o: S.SequentialLR(o, [S.ConstantLR(o), S.ExponentialLR(o, 0.9)], [2]),
    lambda o: S.ChainedScheduler([S.ConstantLR(o), S.ExponentialLR(o, 0.9)]),
]:
    first, added = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
    o = optim.SGD([first], lr=0.1, momentum=0.5)
    s = make(o)

    def go_on():
        o.step()
        s.step(*([1.0] if isinstance(s, S.ReduceLROnPlateau) else []))
        show([f"{g['lr']:.9f}" for g in o.param_groups], [f"{r:.9f}" for r in s.get_last_lr()])

    for i in range(7):
        attempt(go_on)
        if i == 1:
            o.add_param_group({"params": [added], "lr": 0.03})


# %% Adafactor
nn, optim = torch.nn, torch.optim
for options in (
    {},
    {"lr": 0.1, "weight_decay": 0.1},
    {"maximize": True, "d": 2.0, "beta2_decay": -0.5},
    {"eps": (1e-3, 1e-2)},
):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1, bias=False))
    cube, number = torch.randn(2, 3, 4, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    x = torch.randn(8, 3)
    o = optim.Adafactor([*m.parameters(), cube, number], **options)
    for _ in range(5):
        o.zero_grad()
        loss = (m(x) - x.sum(1, keepdim=True).sin()).square().mean() + cube.pow(2).mean() * number
        loss.backward()
        o.step()
        show(f"{loss.item():.5f}")
    show(o, {k: {n: v.shape for n, v in s.items()} for k, s in o.state_dict()["state"].items()})
    show([f"{p.abs().sum().item():.4f}" for p in [*m.parameters(), cube, number]])
for wrong in (
    {"lr": -1.0},
    {"beta2_decay": 1.0},
    {"eps": (-1.0, 1e-3)},
    {"eps": (None, -1.0)},
    {"d": 0.5},
    {"weight_decay": -1.0},
    {"lr": torch.ones(2)},
):
    attempt(lambda: optim.Adafactor([torch.ones(2, requires_grad=True)], **wrong))
z = torch.ones(2, dtype=torch.complex64, requires_grad=True)
z.grad = torch.ones_like(z)
attempt(lambda: optim.Adafactor([z]).step())


# %% Averaged weights
nn, optim = torch.nn, torch.optim
swa = optim.swa_utils
torch.manual_seed(0)
x = torch.randn(12, 3)
batches = [x[:4], [x[4:8], 1], (x[8:],)]


def averaged(**options):
    torch.manual_seed(1)
    m = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 1))
    o = optim.SGD(m.parameters(), lr=0.5)
    a = swa.AveragedModel(m, **options)
    s = swa.SWALR(o, swa_lr=0.05, anneal_epochs=3, anneal_strategy="linear")
    for _ in range(4):
        o.zero_grad()
        m(x).square().mean().backward()
        o.step()
        s.step()
        a.update_parameters(m)
    show(a, a.n_averaged, sorted(s.state_dict()), [f"{g['lr']:.6f}" for g in o.param_groups])
    show(
        [f"{p.sum().item():.5f}" for p in a.parameters()],
        [f"{b.float().sum().item():.5f}" for b in a.buffers()],
    )
    a.eval()
    swa.update_bn(batches, a)
    show([f"{b.float().sum().item():.5f}" for b in a.buffers()], a.training, a.module[1].momentum)
    show([f"{v:.5f}" for v in a(x).flatten().tolist()])


averaged()
averaged(use_buffers=True)
averaged(avg_fn=swa.get_ema_avg_fn(0.9))
averaged(avg_fn=swa.get_swa_avg_fn())
averaged(multi_avg_fn=swa.get_ema_multi_avg_fn(0.5), use_buffers=True)
attempt(lambda: averaged(avg_fn=swa.get_ema_avg_fn(), multi_avg_fn=swa.get_ema_multi_avg_fn()))
attempt(lambda: swa.get_ema_avg_fn(2.0))
attempt(lambda: swa.get_ema_multi_avg_fn(-0.1))
p = torch.ones(1, requires_grad=True)
o = optim.SGD([p], lr=1.0)
for options in ({}, {"anneal_epochs": 0}, {"anneal_strategy": "linear", "anneal_epochs": 2}):
    o = optim.SGD([p], lr=1.0)
    s = swa.SWALR(o, 0.1, **options)
    for _ in range(4):
        o.step()
        s.step()
        show([f"{r:.7f}" for r in s.get_last_lr()])
attempt(lambda: swa.SWALR(o, [0.1, 0.2]))
attempt(lambda: swa.SWALR(o, 0.1, anneal_strategy="other"))
attempt(lambda: swa.SWALR(o, 0.1, anneal_epochs=-1))
swa.update_bn(batches, nn.Linear(3, 1))


# %% SGD of a parameter that is given twice
x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
y = torch.ones(2, dtype=torch.float64, requires_grad=True)
for options in ({"momentum": 0.5}, {"momentum": 0.5, "nesterov": True, "weight_decay": 0.1}):
    optimizer = torch.optim.SGD([x, y, x], lr=0.125, **options)
    for _ in range(3):
        optimizer.zero_grad()
        (x * x * y).sum().backward()
        optimizer.step()
        show(x, y, [state["momentum_buffer"] for state in optimizer.state.values()])


# %% Training of a small image classifier
nn = torch.nn
torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1, bias=False),
    nn.BatchNorm2d(4),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Dropout(0.2),
    nn.Linear(16, 3),
)
x = torch.randn(12, 1, 4, 4)
y = torch.randint(3, (12,))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
loss_fn = nn.CrossEntropyLoss()
for step in range(20):
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    if step % 5 == 0:
        show("%.3f" % loss.item())
model.eval()
with torch.no_grad():
    out = model(x)
show(["%.2f" % v for v in out[0].tolist()], out.requires_grad, out.argmax(1))


# %% Training with every optimizer
nn = torch.nn


def train(make):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = torch.randn(8, 3)
    y = x.sum(1, keepdim=True).sin()
    o = make(m)
    for _ in range(20):
        o.zero_grad()
        loss = nn.functional.mse_loss(m(x), y)
        loss.backward()
        o.step()
    show(o)
    show(
        "%.4f" % loss.item(),
        {k: sorted(v) for k, v in o.state_dict()["state"].items()},
        list(o.state_dict()["param_groups"][0].items()),
    )
    return m, o


optim = torch.optim
for make in [
    lambda m: optim.SGD(m.parameters(), lr=0.1),
    lambda m: optim.SGD(m.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-3),
    lambda m: optim.SGD(m.parameters(), lr=0.01, momentum=0.9, dampening=0.5, maximize=True),
    lambda m: optim.Adam(m.parameters(), lr=0.01),
    lambda m: optim.Adam(m.parameters(), lr=0.01, amsgrad=True, weight_decay=0.1, maximize=True),
    lambda m: optim.AdamW(m.parameters(), lr=0.01),
    lambda m: optim.AdamW(m.parameters(), lr=torch.tensor(0.01)),
    lambda m: optim.RMSprop(m.parameters()),
    lambda m: optim.RMSprop(m.parameters(), centered=True, momentum=0.5, weight_decay=0.1),
    lambda m: optim.Adagrad(m.parameters(), lr=0.1, lr_decay=0.1, initial_accumulator_value=0.1),
    lambda m: optim.Adadelta(m.parameters(), weight_decay=0.1),
    lambda m: optim.Adamax(m.parameters()),
    lambda m: optim.SGD(
        [{"params": m[0].parameters(), "lr": 0.2}, {"params": m[2].parameters(), "momentum": 0.5}], lr=0.1
    ),
]:
    train(make)


# %% SGD with a closure, and its state
optim = torch.optim
p = torch.ones(2, requires_grad=True)
q = torch.ones(1, requires_grad=True)
o = optim.SGD([p], lr=0.1, momentum=0.5)
show(o.state, o.param_groups, o.defaults)


def closure():
    o.zero_grad()
    loss = (p**2).sum()
    loss.backward()
    return loss


show(o.step(closure), p, p._version, p.is_leaf)
show(o.step(), o.state_dict())
o.add_param_group({"params": q, "lr": 1.0})
show(len(o.param_groups), o)
n = optim.SGD([{"params": [p]}, {"params": [q]}], lr=0.3, momentum=0.1)
n.load_state_dict(o.state_dict())
show(n, n.state_dict(), n.state[p]["momentum_buffer"] is o.state[p]["momentum_buffer"])
o.zero_grad(set_to_none=False)
show(p.grad, q.grad)
o.zero_grad()
show(p.grad)
names = optim.SGD([("p", p), ("q", q)])
show(names.param_groups[0]["param_names"], names.state_dict()["param_groups"][0]["param_names"])
import copy, pickle

c = copy.deepcopy(o)
show(c, c.param_groups[0]["params"][0] is p)
h = o.register_step_pre_hook(lambda opt, args, kw: show("pre", len(args), kw))
o.register_step_post_hook(lambda opt, args, kw: show("post", len(args)))
o.step()
h.remove()
o.step(closure=closure)


# %% What optimizers refuse
optim = torch.optim
p = torch.ones(2, requires_grad=True)
attempt(lambda: optim.SGD(p, lr=0.1))
attempt(lambda: optim.SGD([], lr=0.1))
attempt(lambda: optim.SGD([3], lr=0.1))
attempt(lambda: optim.SGD([p * 2], lr=0.1))
attempt(lambda: optim.SGD([p], lr=-1))
attempt(lambda: optim.SGD([p], lr=0.1, momentum=-1))
attempt(lambda: optim.SGD([p], lr=0.1, weight_decay=-1))
attempt(lambda: optim.SGD([p], lr=0.1, nesterov=True))
attempt(lambda: optim.SGD([p], lr=torch.ones(2)))
attempt(lambda: optim.SGD([{"params": {p}}]))
attempt(lambda: optim.SGD([{"params": p}, {"params": p}]))
attempt(lambda: optim.SGD([p, p]))
attempt(lambda: optim.SGD([p]).add_param_group(3))
attempt(lambda: optim.SGD([("a", p), torch.ones(1)]))
attempt(lambda: optim.SGD([p]).load_state_dict({"state": {}, "param_groups": []}))
attempt(lambda: optim.SGD([p]).load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]}))
attempt(lambda: optim.Adam([p], lr=-1))
attempt(lambda: optim.Adam([p], eps=-1))
attempt(lambda: optim.Adam([p], betas=(1, 0)))
attempt(lambda: optim.Adam([p], betas=(0, 1)))
attempt(lambda: optim.Adam([p], weight_decay=-1))
attempt(lambda: optim.RMSprop([p], alpha=-1))
attempt(lambda: optim.RMSprop([p], momentum=-1))
attempt(lambda: optim.Adagrad([p], lr_decay=-1))
attempt(lambda: optim.Adagrad([p], initial_accumulator_value=-1))
attempt(lambda: optim.Adadelta([p], rho=2))
attempt(lambda: optim.Optimizer([p], {}).step())
attempt(lambda: optim.SGD([p], fused=True, foreach=True))
attempt(lambda: optim.lr_scheduler.StepLR(3, 1))
attempt(lambda: optim.lr_scheduler.StepLR(optim.SGD([p]), 1, last_epoch=3))
attempt(lambda: optim.lr_scheduler.LambdaLR(optim.SGD([p]), [1, 2]))
attempt(lambda: optim.lr_scheduler.ConstantLR(optim.SGD([p]), 2))
attempt(lambda: optim.lr_scheduler.LinearLR(optim.SGD([p]), 2))
attempt(lambda: optim.lr_scheduler.ReduceLROnPlateau(optim.SGD([p]), factor=2))
attempt(lambda: optim.lr_scheduler.ReduceLROnPlateau(optim.SGD([p]), "x"))


# %% Schedules
S = torch.optim.lr_scheduler
p = torch.ones(1, requires_grad=True)
for make in [
    lambda o: S.StepLR(o, 3, 0.5),
    lambda o: S.MultiStepLR(o, [2, 4, 4]),
    lambda o: S.ExponentialLR(o, 0.9),
    lambda o: S.LambdaLR(o, lambda e: 1 / (1 + e)),
    lambda o: S.MultiplicativeLR(o, lambda e: 0.95),
    lambda o: S.ConstantLR(o),
    lambda o: S.LinearLR(o),
    lambda o: S.PolynomialLR(o, 4, 2.0),
    lambda o: S.CosineAnnealingLR(o, 4, 0.01),
]:
    o = torch.optim.SGD([p], lr=0.1)
    s = make(o)
    rates = [s.get_last_lr()]
    for _ in range(10):
        o.step()
        s.step()
        rates.append(o.param_groups[0]["lr"])
    show(type(s).__name__, rates, sorted(s.state_dict()))
o = torch.optim.SGD([p], lr=0.1)
s = S.ReduceLROnPlateau(o, patience=1)
for metric in [3, 2, 2, 2, 2, 2.5, torch.tensor(2.0), 1]:
    s.step(metric)
    show(o.param_groups[0]["lr"], s.num_bad_epochs, s.best)
o = torch.optim.SGD([p], lr=0.1)
s = S.StepLR(o, 2)
s.get_lr()
s.step()
s.step(5)
show(s.get_last_lr())
t = S.StepLR(torch.optim.SGD([p], lr=0.1), 2)
t.load_state_dict(s.state_dict())
show(t.last_epoch, t.get_last_lr())


# %% Utilities: vectors of parameters, clipping
nn, utils = torch.nn, torch.nn.utils
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
v = utils.parameters_to_vector(m.parameters())
show(v)
utils.vector_to_parameters(torch.arange(9.0), m.parameters())
show(list(m.parameters()))
(m(torch.ones(3, 2)) ** 2).sum().backward()
show(utils.clip_grad_norm_(m.parameters(), 1.0), [p.grad for p in m.parameters()])
show(utils.clip_grad_norm_(m.parameters(), 0.5, norm_type=float("inf")), m[0].weight.grad)
utils.clip_grad_value_(m.parameters(), 0.1)
show(m[0].weight.grad, utils.clip_grad_norm_([], 1.0), utils.clip_grad_norm_(m[0].weight, 10, 1))
m[0].weight.grad.fill_(float("nan"))
utils.clip_grad_norm_(m.parameters(), 1.0, error_if_nonfinite=True)


# %% Steps that are recorded
begin = torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64, requires_grad=True)
for name, options in [
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    ("Adam", {}),
    ("AdamW", {}),
    ("NAdam", {}),
    ("RMSprop", {"momentum": 0.5}),
    ("Adagrad", {}),
    ("Adadelta", {}),
    ("ASGD", {"lr": 0.1}),
    ("RAdam", {}),
]:
    gradient = torch.tensor([0.3, 0.2, -0.5], dtype=torch.float64, requires_grad=True)
    p = begin.clone()
    p.grad = gradient.clone()
    o = getattr(torch.optim, name)([p], differentiable=True, **options)
    for _ in range(3):
        o.step()
    show(name, [g.float() for g in torch.autograd.grad((p * p).sum(), (begin, gradient))])
for name in ("SGD", "Adam"):
    lr = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
    p = begin.clone()
    p.grad = torch.tensor([0.3, 0.2, -0.5], dtype=torch.float64)
    getattr(torch.optim, name)([p], lr=lr, differentiable=True).step()
    show(name, [g.float() for g in torch.autograd.grad(p.sum(), (begin, lr))])
begin.grad = begin.detach()
torch.optim.SGD([begin], lr=0.1, differentiable=True).step()


# %% Hooks of all optimizers, and a `step` that a program puts in the place of another
import importlib
import types

hooks = importlib.import_module(torch.__name__ + ".optim.optimizer")
calls = []
before = hooks.register_optimizer_step_pre_hook(lambda o, args, kwargs: calls.append("all before"))
after = hooks.register_optimizer_step_post_hook(lambda o, args, kwargs: calls.append("all after"))
p = torch.zeros(1, requires_grad=True)
o = torch.optim.SGD([p], lr=0.1)
o.register_step_pre_hook(lambda o, args, kwargs: calls.append("before"))
o.register_step_post_hook(lambda o, args, kwargs: calls.append("after"))
o.step()
before.remove()
after.remove()
o.step()
show(calls)
s = torch.optim.lr_scheduler.StepLR(o, 2)
old = o.step
o.step = types.MethodType(lambda self: old(), o)
o.step()
s.step()
s = torch.optim.lr_scheduler.StepLR(o, 2)
o.step()
s.step()
torch.nn.Linear(1, 1).compile(backend="eager")
