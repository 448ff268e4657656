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
