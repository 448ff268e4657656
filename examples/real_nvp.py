"""A normalizing flow (RealNVP): the density of points, learned exactly.

A flow is a chain of invertible maps. It carries data to noise, and noise back to data. The density of a
point is that of its noise, times the volume that the maps stretch (`log_abs_det_jacobian`). Each map
here scales and shifts one coordinate by amounts that depend on the other one. So its inverse and its
determinant are known, whatever the network inside computes. The maps are `distributions.Transform`s.
"""

import math

import jgrad
from jgrad import nn
from jgrad.distributions import Independent, Normal, TransformedDistribution, constraints
from jgrad.distributions.transforms import Transform

LAYERS, HIDDEN = 6, 32
BATCH, STEPS = 128, 200


def moons(count):
    """Two half circles that reach into each other."""
    angle = math.pi * jgrad.rand(count)
    upper = jgrad.rand(count) < 0.5
    x = jgrad.where(upper, angle.cos(), 1 - angle.cos())
    y = jgrad.where(upper, angle.sin(), 0.5 - angle.sin())
    return jgrad.stack([x - 0.5, y - 0.25], dim=1) + 0.08 * jgrad.randn(count, 2)


class Conditioner(nn.Module):
    """From the coordinates that stay to the scale and shift of the others."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 4)
        )
        nn.init.zeros_(self.net[-1].weight)  # the flow begins as the identity
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        log_scale, shift = self.net(x).chunk(2, dim=-1)
        return log_scale.tanh(), shift


class Coupling(Transform):
    """y = x where the mask is 1, and x * scale + shift where it is 0."""

    domain = codomain = constraints.real_vector
    bijective = True

    def __init__(self, mask, conditioner):
        super().__init__()
        self.mask, self.conditioner = mask, conditioner

    def parts(self, kept):
        log_scale, shift = self.conditioner(kept * self.mask)
        return log_scale * (1 - self.mask), shift * (1 - self.mask)

    def _call(self, x):
        log_scale, shift = self.parts(x)
        return x * log_scale.exp() + shift

    def _inverse(self, y):
        log_scale, shift = self.parts(y)  # what is kept is the same in x and y
        return (y - shift) * (-log_scale).exp()

    def log_abs_det_jacobian(self, x, y):
        return self.parts(x)[0].sum(-1)


class Flow(nn.Module):
    """A distribution whose parameters are those of networks."""

    def __init__(self):
        super().__init__()
        self.conditioners = nn.ModuleList(Conditioner() for _ in range(LAYERS))
        self.register_buffer("masks", jgrad.tensor([[1.0, 0.0], [0.0, 1.0]]).repeat(LAYERS // 2, 1))

    def forward(self):
        noise = Independent(Normal(jgrad.zeros(2), jgrad.ones(2)), 1)
        return TransformedDistribution(
            noise, [Coupling(m, c) for m, c in zip(self.masks, self.conditioners, strict=True)]
        )


def total_probability(distribution, edge=4.0, cells=80):
    """The density summed over a grid. It must be 1."""
    line = jgrad.linspace(-edge, edge, cells)
    grid = jgrad.cartesian_prod(line, line)
    area = (2 * edge / (cells - 1)) ** 2
    return (distribution.log_prob(grid).exp().sum() * area).item()


def check_determinant(distribution):
    """The stretched volume by hand, against the Jacobian that automatic differentiation finds."""
    point = jgrad.tensor([0.3, -0.2])

    def carry(x):
        for transform in distribution.transforms:
            x = transform(x)
        return x

    jacobian = jgrad.autograd.functional.jacobian(carry, point)
    exact = jgrad.linalg.slogdet(jacobian).logabsdet
    by_hand = distribution.base_dist.log_prob(point) - distribution.log_prob(carry(point))
    return (exact - by_hand).abs().item()


def main():
    jgrad.manual_seed(0)
    flow = Flow()
    optimizer = jgrad.optim.Adam(flow.parameters(), lr=5e-3)
    schedule = jgrad.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    for step in range(STEPS):
        loss = -flow().log_prob(moons(BATCH)).mean()  # the negative log-likelihood
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(flow.parameters(), 0.5)
        optimizer.step()
        schedule.step()
        if step % 40 == 39:
            print(f"step {step + 1:3}  loss {loss.item():.5f}")
    with jgrad.no_grad():
        print(f"held out: {-flow().log_prob(moons(1000)).mean().item():.4f}")
        print(f"probability of the whole plane: {total_probability(flow()):.3f}")
        made = flow().sample((1000,))
        print(f"means of made points: {made.mean(0)[0].item():.3f}, {made.mean(0)[1].item():.3f}")
    print("the determinant by hand is right:", check_determinant(flow()) < 1e-4)


if __name__ == "__main__":
    main()
