"""A neural differential equation: the network says how fast the state moves, a solver computes where it goes.

Gradients pass through the solver in two ways. The first records each step of the solver, so memory grows
with the number of steps. The second is the adjoint method, written as an `autograd.Function`: its
backward pass solves a differential equation backwards in time, for the state, for its gradient and for
the gradients of the parameters, and stores nothing on the way. Both give the same gradients, up to the
error of the solver.
"""

import math

import jgrad
from jgrad import nn

STEPS, PARTS = 150, 4  # steps of the optimizer, and steps of the solver between two observed times
POINTS = 8  # observed times of one trajectory
BATCH = 16


def rk4_step(f, state, dt):
    """One step of the classical Runge-Kutta method for a state of several tensors."""

    def moved(slope, by):
        return tuple(s + by * k for s, k in zip(state, slope, strict=True))

    k1 = f(state)
    k2 = f(moved(k1, dt / 2))
    k3 = f(moved(k2, dt / 2))
    k4 = f(moved(k3, dt))
    return tuple(
        s + dt / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4, strict=True)
    )


def solve(f, state, duration):
    for _ in range(PARTS):
        state = rk4_step(f, state, duration / PARTS)
    return state


class Adjoint(jgrad.autograd.Function):
    """The state after some time. Its backward pass solves backwards and needs only the state at the end."""

    @staticmethod
    def forward(ctx, velocity, x, duration, *parameters):
        (end,) = solve(lambda state: (velocity(state[0]),), (x,), duration)
        ctx.velocity, ctx.duration = velocity, duration
        ctx.save_for_backward(end, *parameters)
        return end

    @staticmethod
    def backward(ctx, gradient):
        end, *parameters = ctx.saved_tensors

        def backwards(state):
            """How the state, its adjoint and the gradients of the parameters move."""
            x, adjoint = state[0], state[1]
            with jgrad.enable_grad():
                x = x.detach().requires_grad_()
                v = ctx.velocity(x)
                found = jgrad.autograd.grad(v, (x, *parameters), adjoint)
            return v.detach(), *(-g for g in found)

        begin = (end, gradient, *(jgrad.zeros_like(p) for p in parameters))
        _, adjoint, *gradients = solve(backwards, begin, -ctx.duration)
        return None, adjoint, None, *gradients


class Velocity(nn.Module):
    """How fast a point of the plane moves."""

    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, x):
        return self.net(x**3)


def trajectory(velocity, start, times, adjoint):
    """The states at the times, beginning with `start`."""
    states, x = [start], start
    for dt in times.diff().tolist():
        if adjoint:
            x = Adjoint.apply(velocity, x, dt, *velocity.parameters())
        else:
            (x,) = solve(lambda state: (velocity(state[0]),), (x,), dt)
        states.append(x)
    return jgrad.stack(states)


def true_velocity(x):
    """A spiral that turns faster where it is wide."""
    matrix = jgrad.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    return x**3 @ matrix


def gradient_of_loss(velocity, start, times, target, adjoint):
    velocity.zero_grad()
    loss = (trajectory(velocity, start, times, adjoint) - target).abs().mean()
    loss.backward()
    return loss, jgrad.cat([p.grad.flatten() for p in velocity.parameters()])


def main():
    jgrad.manual_seed(0)
    times = jgrad.linspace(0, 0.7, POINTS)
    angle = 2 * math.pi * jgrad.rand(BATCH)
    start = 1.5 * jgrad.stack([angle.cos(), angle.sin()], dim=1)
    with jgrad.no_grad():
        target = trajectory(true_velocity, start, times, adjoint=False)
    velocity = Velocity()
    _, recorded = gradient_of_loss(velocity, start, times, target, adjoint=False)
    _, by_adjoint = gradient_of_loss(velocity, start, times, target, adjoint=True)
    far = ((recorded - by_adjoint).norm() / recorded.norm()).item()
    print("the adjoint method finds the same gradient:", far < 1e-3)
    optimizer = jgrad.optim.RMSprop(velocity.parameters(), lr=3e-3)
    for step in range(STEPS):
        adjoint = step % 10 == 0  # it takes more time, so only now and then
        loss, _ = gradient_of_loss(velocity, start, times, target, adjoint)
        optimizer.step()
        if step % 30 == 29:
            print(f"step {step + 1:3}  loss {loss.item():.5f}")


if __name__ == "__main__":
    main()
