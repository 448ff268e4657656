"""A physics-informed network: it solves a differential equation, and finds a constant of it.

The network u(x, t) has to satisfy the heat equation u_t = k u_xx. Its derivatives in x and t come from
`autograd.grad` with `create_graph=True`, so that the loss can be differentiated once more, in the
parameters. First k is known and the temperature is not. Then k is a parameter too, found from a few
measurements. L-BFGS finishes what Adam began. The exact solution is known here, to compare with.
"""

import math

import jgrad
from jgrad import nn

CONDUCTIVITY = 0.2
INSIDE, EDGE = 128, 32  # points at which the equation and the boundary are looked at


def exact(x, t, k=CONDUCTIVITY):
    """The heat of a rod whose ends are kept at zero."""
    return jgrad.exp(-k * math.pi**2 * t) * jgrad.sin(math.pi * x)


class Temperature(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1)
        )
        for layer in self.net:
            if isinstance(layer, nn.Linear):
                nn.init.xavier_normal_(layer.weight)
                nn.init.zeros_(layer.bias)

    def forward(self, x, t):
        return self.net(jgrad.cat([x, t], dim=1))


def derivative(of, by):
    """The derivative of each row of one column by the same row of another. It can be differentiated again."""
    (result,) = jgrad.autograd.grad(of, by, jgrad.ones_like(of), create_graph=True)
    return result


def residual(model, x, t, k):
    """By how much the equation is not satisfied."""
    x, t = x.requires_grad_(), t.requires_grad_()
    u = model(x, t)
    return derivative(u, t) - k * derivative(derivative(u, x), x)


class Problem:
    """The points, and the losses at them."""

    def __init__(self):
        self.inside = jgrad.rand(INSIDE, 1), jgrad.rand(INSIDE, 1)
        begin = jgrad.rand(EDGE, 1), jgrad.zeros(EDGE, 1)
        left = jgrad.zeros(EDGE, 1), jgrad.rand(EDGE, 1)
        right = jgrad.ones(EDGE, 1), jgrad.rand(EDGE, 1)
        self.edge = tuple(jgrad.cat(columns) for columns in zip(begin, left, right, strict=True))
        measured = jgrad.rand(24, 1), jgrad.rand(24, 1)
        self.measured = *measured, exact(*measured) + 0.01 * jgrad.randn(24, 1)

    def loss(self, model, k, with_measurements=False):
        loss = residual(model, *self.inside, k).square().mean()
        loss = loss + (model(*self.edge) - exact(*self.edge)).square().mean()
        if with_measurements:
            x, t, u = self.measured
            loss = loss + (model(x, t) - u).square().mean()
        return loss


@jgrad.no_grad()
def error(model, cells=20):
    """The relative error on a grid."""
    line = jgrad.linspace(0, 1, cells)
    x, t = (each.reshape(-1, 1) for each in jgrad.meshgrid(line, line, indexing="ij"))
    return ((model(x, t) - exact(x, t)).norm() / exact(x, t).norm()).item()


def minimise(loss_of, parameters, adam_steps, lbfgs_steps):
    """Adam far away, L-BFGS near the minimum."""
    adam = jgrad.optim.Adam(parameters, lr=1e-2)
    for step in range(adam_steps):
        adam.zero_grad()
        loss = loss_of()
        loss.backward()
        adam.step()
        if step % 50 == 49:
            print(f"  Adam {step + 1:3}  loss {loss.item():.6f}")
    lbfgs = jgrad.optim.LBFGS(parameters, max_iter=20, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        loss = loss_of()
        loss.backward()
        return loss

    for step in range(lbfgs_steps):
        loss = lbfgs.step(closure)
        print(f"  L-BFGS {step + 1}  loss {loss.item():.6f}")


def main():
    jgrad.manual_seed(0)
    problem = Problem()
    model = Temperature()
    print("the temperature, for a known conductivity")
    minimise(lambda: problem.loss(model, CONDUCTIVITY), [*model.parameters()], 200, 4)
    print(f"  relative error {error(model):.3f}")

    print("the conductivity, from measurements")
    model = Temperature()
    log_k = nn.Parameter(jgrad.tensor(0.0))  # its logarithm is learned, so that it stays positive
    minimise(lambda: problem.loss(model, log_k.exp(), True), [*model.parameters(), log_k], 200, 4)
    print(f"  found {log_k.exp().item():.2f}, where the truth is {CONDUCTIVITY}")


if __name__ == "__main__":
    main()
