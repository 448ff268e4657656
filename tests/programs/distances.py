# %% renorm
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6.0).view(2, 3)
attempt_each(
    lambda: x.renorm(2, 0, 1),
    lambda: x.renorm(0, 0, 1),
    lambda: x.renorm(-1, 0, 1),
    lambda: x.renorm(inf, 0, 1),
    lambda: x.renorm(2, 0, -1),
    lambda: I([1.0]).renorm(2, 0, 1),
    lambda: x.renorm(2, 2, 1),
    lambda: x.long().renorm(2, 0, 1),
    lambda: x.renorm(1j, 0, 1),
    lambda: x.half().renorm(2, 0, 1),
    lambda: torch.zeros(0, 2).renorm(2, 0, 1),
    lambda: x.cfloat().renorm(2, 0, 1),
    lambda: x.renorm(1.5, 1, 2.5),
    lambda: x.clone().renorm_(2, 0, 1),
    lambda: torch.renorm(x, p=2, dim=0, maxnorm=1),
    lambda: x.renorm(2, 0, 1, out=1),
)


# %% cross
I = torch.tensor
nan = float("nan")
inf = float("inf")
a = I([1, 0, 0])
b = I([0, 1, 0])
attempt_each(
    lambda: torch.cross(a, b),
    lambda: torch.cross(a, b, dim=0),
    lambda: torch.linalg.cross(a, b),
    lambda: torch.linalg.cross(torch.ones(3, 2), torch.ones(3, 2)),
    lambda: torch.linalg.cross(torch.ones(3, 2), torch.ones(3, 2), dim=0),
    lambda: torch.cross(torch.ones(3, 2), torch.ones(3, 2)),
    lambda: torch.cross(torch.ones(2, 2), torch.ones(2, 2)),
    lambda: torch.cross(torch.ones(2, 2), torch.ones(2, 2), dim=1),
    lambda: torch.linalg.cross(a, torch.ones(2, 3).long()),
    lambda: torch.cross(torch.ones(2, 3), torch.ones(3), dim=-1),
    lambda: torch.linalg.cross(torch.ones(2, 3), torch.ones(1, 3)),
    lambda: torch.linalg.cross(a, b.float()),
    lambda: torch.linalg.cross(a.bool(), b.bool()),
    lambda: torch.linalg.cross(torch.ones(2, 3), torch.ones(4, 3)),
    lambda: torch.cross(torch.ones(2, 3), torch.ones(4, 3), dim=1),
    lambda: torch.cross(I(1), I(1)),
    lambda: torch.cross(torch.ones(0, 3), torch.ones(0, 3), dim=1),
    lambda: torch.cross(torch.ones(2, 3), torch.ones(2, 3), 5),
)


# %% cdist
I = torch.tensor
nan = float("nan")
inf = float("inf")
p = torch.arange(6.0).view(3, 2)
q = p[:2] + 1
attempt_each(
    lambda: torch.cdist(p, q),
    lambda: torch.cdist(p, q, p=1),
    lambda: torch.cdist(p, q, p=0),
    lambda: torch.cdist(p, q, p=inf),
    lambda: torch.cdist(p, q, p=-1),
    lambda: torch.cdist(p, q, p=1.5),
    lambda: torch.cdist(p, torch.ones(2, 3)),
    lambda: torch.cdist(p[0], q),
    lambda: torch.cdist(p, q[0]),
    lambda: torch.cdist(p.long(), q.long()),
    lambda: torch.cdist(p, q.double()),
    lambda: torch.cdist(p, q.long()),
    lambda: torch.cdist(p, q, compute_mode="foo"),
    lambda: torch.cdist(p, q, compute_mode="donot_use_mm_for_euclid_dist"),
    lambda: torch.cdist(p, q, compute_mode="use_mm_for_euclid_dist"),
    lambda: torch.cdist(torch.ones(2, 3, 2), torch.ones(3, 2)).shape,
    lambda: torch.cdist(torch.ones(2, 3, 2), torch.ones(3, 3, 2)).shape,
    lambda: torch.cdist(torch.ones(0, 2), torch.ones(3, 2)),
    lambda: torch.cdist(torch.ones(2, 0), torch.ones(3, 0)),
    lambda: torch.cdist(p.half(), q.half()),
    lambda: torch.cdist(p.cfloat(), q.cfloat()),
    lambda: torch.cdist(p, q, p="a"),
    lambda: torch.cdist([1], q),
    lambda: torch.cdist(p.bool(), q.bool()),
)


# %% cdist of no rows, by a matrix product too
for first, second in (((0, 5), (4, 5)), ((4, 5), (0, 5)), ((4, 0), (3, 0)), ((0, 2, 5), (0, 4, 5))):
    for mode in ("use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"):
        a, b = torch.ones(first, requires_grad=True), torch.ones(second, requires_grad=True)
        found = torch.cdist(a, b, compute_mode=mode)
        found.sum().backward()
        show(found, a.grad, b.grad)


# %% pdist
I = torch.tensor
nan = float("nan")
inf = float("inf")
F = torch.nn.functional.pdist
p = torch.arange(6.0).view(3, 2)
attempt_each(
    lambda: F(p),
    lambda: F(p, 1),
    lambda: F(p, 0),
    lambda: F(p, inf),
    lambda: F(p, -1),
    lambda: F(p[0]),
    lambda: F(p[:1]),
    lambda: F(p[:0]),
    lambda: F(p.long()),
    lambda: F(p.half()),
    lambda: F(torch.ones(3, 0)),
    lambda: torch.pairwise_distance(p, p),
)


# %% Distances have one derivative; Euclidean ones by a matrix product have two
x = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [3.0, -1.0]], dtype=torch.float64, requires_grad=True)
y = torch.tensor([[1.0, 2.0], [0.5, 0.0]], dtype=torch.float64, requires_grad=True)
for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, float("inf")):
    for f in (lambda: torch.cdist(x, y, p), lambda: torch.nn.functional.pdist(x, p)):
        r = f()
        w = torch.arange(1.0, r.numel() + 1, dtype=torch.float64).view(r.shape)
        show(
            p,
            r.tolist(),
            [
                None if g is None else g.tolist()
                for g in torch.autograd.grad((r * w).sum(), (x, y), allow_unused=True)
            ],
        )
z = torch.tensor([[0.0, 1.0], [2.0, 5.0]], dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad(
    torch.cdist(z, y, compute_mode="use_mm_for_euclid_dist").sum(), z, create_graph=True
)
show(torch.autograd.grad(g.sum(), z)[0].tolist())
(g,) = torch.autograd.grad(torch.cdist(z, y, p=1.0).sum(), z, create_graph=True)
g.sum().backward()


# %% renorm and its derivatives, for every kind of norm
x = torch.tensor([[3.0, 4.0], [0.1, 0.2], [0.5, -2.0]], dtype=torch.float64, requires_grad=True)
for p in (1, 2, 2.5, float("inf")):
    r = x.renorm(p, 0, 1.0)
    (g,) = torch.autograd.grad((r * r * torch.arange(1.0, 7.0).view(3, 2)).sum(), x, create_graph=True)
    show(p, r.tolist(), g.tolist())
    if p in (2, 2.5):
        show(torch.autograd.grad(g[:2].sum(), x)[0].tolist())
