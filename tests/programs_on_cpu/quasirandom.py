# %% Sobol points
E = torch.quasirandom.SobolEngine
for d in (0, -1):
    try:
        E(d)
    except ValueError as error:
        show(str(error).partition("[")[0])
s = E(3)
show(s, s.draw(1), s.draw(3))
attempt(lambda: s.draw_base2(2))
attempt(lambda: s.draw_base2(3))
show(
    s.reset() is s,
    s.draw_base2(2),
    s.fast_forward(3),
    s.draw(2),
    s.num_generated,
    s.quasi,
    s.shift,
    s.seed,
    s.scramble,
    s.dimension,
)
show(s.MAXBIT)
s = E(2)
show(s.fast_forward(5).quasi, s.num_generated, s.fast_forward(4).quasi, s.num_generated)
show(s.reset().draw(9), s.quasi)
attempt(lambda: s.draw(-1))
attempt(lambda: s.draw(2, dtype=torch.int64))
attempt(lambda: s.draw(1.5))
attempt(lambda: E(2).draw(0))
show(s.draw(2, dtype=torch.float64).dtype, E(1).fast_forward(0).draw(2))

# %% Scrambled points
E = torch.quasirandom.SobolEngine
s = E(2, scramble=True, seed=5)
show(s, s.draw(4, dtype=torch.float64), s.shift, s.sobolstate)
out = torch.empty(0)
show(s.draw(2, out=out) is out, out)
torch.manual_seed(3)
s = E(2, True)
show(s.shift, s.seed, s.draw(2), torch.rand(2), s.reset().draw(2))

# %% Many dimensions
import pickle

E = torch.quasirandom.SobolEngine
for d in (17, 40, 250, 1111):
    for options in ({}, {"scramble": True, "seed": d}):
        s = E(d, **options)
        points = s.fast_forward(100).draw(3, dtype=torch.float64)
        show(
            d,
            options,
            s.sobolstate.sum(),
            (s.sobolstate * torch.arange(1, 31)).sum(1)[-5:],
            points[:, -3:],
            points.sum(0)[:4],
        )
s = pickle.loads(pickle.dumps(s))
show(s.draw(1)[0, -2:])
