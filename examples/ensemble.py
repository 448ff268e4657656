"""An ensemble of networks that are trained together with `vmap`, and averaged weights beside it.

Ten networks begin differently and see different parts of the data. `stack_module_state` puts their
parameters into one tensor each, and `vmap` of `grad` computes all gradients in one call. Where the
networks disagree, none of them should be trusted. One more network shows another way to average: its
weights are averaged along the way (SWA), and the statistics of its batch norm are computed again
(`update_bn`).
"""

import jgrad
from jgrad import nn
from jgrad.func import functional_call, grad_and_value, stack_module_state, vmap
from jgrad.nn import functional as F
from jgrad.optim.swa_utils import SWALR, AveragedModel, update_bn
from jgrad.utils.data import DataLoader, TensorDataset

MEMBERS, HIDDEN = 10, 24
POINTS, STEPS = 120, 150


def truth(x):
    return (3 * x).sin() + 0.3 * x


def make_data(count):
    """Measurements on both sides, and none in the middle."""
    x = 1 + jgrad.rand(count, 1)
    x = jgrad.where(jgrad.rand(count, 1) < 0.5, -x, x)
    return x, truth(x) + 0.1 * jgrad.randn(count, 1)


def make_network():
    return nn.Sequential(
        nn.Linear(1, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1)
    )


def resampled(x, y):
    """The data of each member: as many points, drawn with replacement."""
    index = jgrad.randint(0, len(x), (MEMBERS, len(x)))
    return x[index], y[index]


class Ensemble:
    """Networks of one shape. Their parameters are stacked: the first dimension is the member."""

    def __init__(self):
        networks = [make_network() for _ in range(MEMBERS)]
        self.parameters, self.buffers = stack_module_state(networks)
        self.skeleton = networks[0]  # only its structure is used

    def member(self, parameters, buffers, x):
        return functional_call(self.skeleton, (parameters, buffers), (x,))

    def loss(self, parameters, buffers, x, y):
        return F.mse_loss(self.member(parameters, buffers, x), y)

    def gradients(self, x, y):
        """The gradients and the loss of each member, for its own data."""
        return vmap(grad_and_value(self.loss))(self.parameters, self.buffers, x, y)

    def __call__(self, x):
        """What each member says about the same points."""
        return vmap(self.member, in_dims=(0, 0, None))(self.parameters, self.buffers, x)


def train_ensemble(ensemble, x, y):
    optimizer = jgrad.optim.Adam(ensemble.parameters.values(), lr=0.02)
    for step in range(STEPS):
        gradients, losses = ensemble.gradients(x, y)
        for name, parameter in ensemble.parameters.items():
            parameter.grad = gradients[name].detach()
        optimizer.step()
        if step % 30 == 29:
            print(
                f"step {step + 1:3}  loss {losses.mean().item():.5f}  worst member {losses.max().item():.5f}"
            )


def check_one_member(ensemble, x, y):
    """The gradients of member 3 as one would compute them without vmap."""
    parameters = {name: p[3].detach().requires_grad_() for name, p in ensemble.parameters.items()}
    network = make_network()
    loss = F.mse_loss(functional_call(network, parameters, (x[3],)), y[3])
    alone = jgrad.autograd.grad(loss, list(parameters.values()))
    together, _ = ensemble.gradients(x, y)
    return all(jgrad.allclose(a, t[3], atol=1e-5) for a, t in zip(alone, together.values(), strict=True))


def train_with_averaged_weights(x, y):
    """SGD, whose last third is averaged. Returns the losses of the last network and of the averaged one."""
    network = nn.Sequential(nn.Linear(1, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))
    average = AveragedModel(network)
    loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
    optimizer = jgrad.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
    schedule = SWALR(optimizer, swa_lr=0.1, anneal_epochs=3)
    for epoch in range(30):
        for inputs, targets in loader:
            loss = F.mse_loss(network(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch >= 20:
            average.update_parameters(network)
            schedule.step()
    update_bn(loader, average)
    new = make_data(300)
    with jgrad.no_grad():
        return [F.mse_loss(model.eval()(new[0]), new[1]).item() for model in (network, average)]


def main():
    jgrad.manual_seed(0)
    x, y = make_data(POINTS)
    ensemble = Ensemble()
    shares = resampled(x, y)
    print("vmap finds the gradients of a single network:", check_one_member(ensemble, *shares))
    train_ensemble(ensemble, *shares)
    with jgrad.no_grad():
        for place, points in (("near data", make_data(100)[0]), ("in the middle", jgrad.rand(100, 1) - 0.5)):
            answers = ensemble(points)
            error = (answers.mean(0) - truth(points)).abs().mean().item()
            print(f"{place}: error {error:.4f}, the members differ by {answers.std(0).mean().item():.4f}")
    last, averaged = train_with_averaged_weights(x, y)
    print(f"held-out loss of the last weights {last:.5f}, of averaged weights {averaged:.5f}")


if __name__ == "__main__":
    main()
