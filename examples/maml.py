"""MAML: learning to learn. The network should get good at a new task after two steps of gradient descent.

A task is a sine curve of its own height and phase, of which ten points are shown. The inner steps give
new parameters, without changing the module: `functional_call` runs it with them. The outer loss is
measured after these steps, and its gradient passes through them, so `create_graph=True` keeps the graph
of the inner gradients. A network trained on all curves at once, for comparison, can only learn their
mean.
"""

import math

import jgrad
from jgrad import nn
from jgrad.func import functional_call
from jgrad.nn import functional as F

TASKS, SHOWN = 8, 10  # tasks in a batch, points that are shown of each
INNER_STEPS, INNER_RATE = 2, 0.1
STEPS = 100


class Curve:
    """One task: height * sin(x + phase)."""

    def __init__(self):
        self.height = 0.5 + 2.5 * jgrad.rand(())
        self.phase = math.pi * jgrad.rand(())

    def points(self, count):
        x = 10 * jgrad.rand(count, 1) - 5
        return x, self.height * (x + self.phase).sin()


def make_network(hidden=40):
    return nn.Sequential(
        nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1)
    )


def adapt(network, parameters, x, y, create_graph, steps=INNER_STEPS):
    """The parameters after some steps of gradient descent. `create_graph`: one can differentiate through them."""
    for _ in range(steps):
        loss = F.mse_loss(functional_call(network, parameters, (x,)), y)
        gradients = jgrad.autograd.grad(loss, tuple(parameters.values()), create_graph=create_graph)
        parameters = {
            name: p - INNER_RATE * g for (name, p), g in zip(parameters.items(), gradients, strict=True)
        }
    return parameters


def loss_after_steps(network, task, create_graph=True):
    """Learn from the points that are shown, then be asked about others."""
    parameters = adapt(network, dict(network.named_parameters()), *task.points(SHOWN), create_graph)
    x, y = task.points(SHOWN)
    return F.mse_loss(functional_call(network, parameters, (x,)), y)


def train(network, loss_of):
    """Adam on the mean of a loss over some tasks."""
    optimizer = jgrad.optim.Adam(network.parameters(), lr=5e-3)
    total = 0.0
    for step in range(STEPS):
        loss = jgrad.stack([loss_of(network, Curve()) for _ in range(TASKS)]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if step % 20 == 19:
            print(f"  step {step + 1:3}  loss {total / 20:.5f}")
            total = 0.0


def plain_loss(network, task):
    """The loss without any adapting."""
    x, y = task.points(SHOWN)
    return F.mse_loss(network(x), y)


def error_by_steps(network, tasks, most=5):
    """The mean error on new tasks after 0, 1, ... steps."""
    errors = jgrad.zeros(most + 1)
    for task in tasks:
        x, y = task.points(SHOWN)
        others = task.points(50)
        parameters = dict(network.named_parameters())
        for step in range(most + 1):
            if step:
                parameters = adapt(network, parameters, x, y, create_graph=False, steps=1)
            with jgrad.no_grad():
                errors[step] += F.mse_loss(functional_call(network, parameters, (others[0],)), others[1])
    return " ".join(f"{e:.3f}" for e in (errors / len(tasks)).tolist())


def main():
    jgrad.manual_seed(0)
    learner, plain = make_network(), make_network()
    plain.load_state_dict(learner.state_dict())
    print("learning to learn")
    train(learner, loss_after_steps)
    print("learning all curves at once")
    train(plain, plain_loss)
    tasks = [Curve() for _ in range(20)]
    print("errors on new curves after 0, 1, 2, ... steps:")
    print("  learned to learn:", error_by_steps(learner, tasks))
    print("  all at once:     ", error_by_steps(plain, tasks))


if __name__ == "__main__":
    main()
