"""A mixture density network: when a question has several right answers.

From y to x there are up to three answers here, and their mean is none of them. So the network does not
answer with a number. It gives the weights, means and scales of a mixture of normal distributions
(`MixtureSameFamily`), trained by maximum likelihood. The program also shows weight normalisation, early
stopping on held-out data, and a checkpoint that is written to a file and read again.
"""

import io
import math

import jgrad
from jgrad import nn
from jgrad.distributions import Categorical, MixtureSameFamily, Normal
from jgrad.nn import functional as F
from jgrad.nn.utils.parametrizations import weight_norm

COMPONENTS, HIDDEN = 5, 24
STEPS, BATCH, PATIENCE = 320, 64, 3


def make_data(count):
    """x as a function of y is known; the network has to learn the other direction."""
    answer = jgrad.rand(count, 1)
    question = answer + 0.3 * (2 * math.pi * answer).sin() + 0.05 * (2 * jgrad.rand(count, 1) - 1)
    return question, answer.squeeze(1)


class MixtureNetwork(nn.Module):
    """From a number to a distribution of answers."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(1, HIDDEN), nn.Tanh(), weight_norm(nn.Linear(HIDDEN, HIDDEN)), nn.Tanh()
        )
        self.heads = nn.ModuleDict(
            {name: nn.Linear(HIDDEN, COMPONENTS) for name in ("weights", "means", "scales")}
        )

    def forward(self, x):
        h = self.body(x)
        weights, means, scales = (self.heads[name](h) for name in ("weights", "means", "scales"))
        return MixtureSameFamily(Categorical(logits=weights), Normal(means, F.softplus(scales) + 0.02))


def train(model, training, held_out):
    """Adam, until the held-out loss has not fallen for some time. The best model is kept as a file in memory."""
    optimizer = jgrad.optim.Adam(model.parameters(), lr=0.006)
    schedule = jgrad.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    best, waited, checkpoint = math.inf, 0, io.BytesIO()
    questions, answers = training
    for step in range(STEPS):
        batch = jgrad.randint(0, len(questions), (BATCH,))
        loss = -model(questions[batch]).log_prob(answers[batch]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 40 < 39:
            continue
        with jgrad.no_grad():
            new = -model(held_out[0]).log_prob(held_out[1]).mean().item()
        schedule.step(new)
        rate = optimizer.param_groups[0]["lr"]
        print(f"step {step + 1:3}  loss {loss.item():.5f}  held out {new:.5f}  rate {rate:.4f}")
        if new < best:
            best, waited = new, 0
            checkpoint.seek(0)
            jgrad.save({"model": model.state_dict(), "step": step + 1}, checkpoint)
        else:
            waited += 1
            if waited == PATIENCE:
                break
    checkpoint.seek(0)
    return jgrad.load(checkpoint, weights_only=True)


def mean_only(training, held_out):
    """The same network with one normal distribution of one scale, for comparison: it learns the mean."""
    model = nn.Sequential(nn.Linear(1, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1), nn.Flatten(0))
    optimizer = jgrad.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(200):
        loss = F.mse_loss(model(training[0]), training[1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with jgrad.no_grad():
        error = F.mse_loss(model(held_out[0]), held_out[1])
        return -Normal(model(held_out[0]), error.sqrt()).log_prob(held_out[1]).mean().item()


@jgrad.no_grad()
def show(model, question):
    """The components that matter, from left to right."""
    mixture = model(jgrad.tensor([[question]]))
    weights = mixture.mixture_distribution.probs[0]
    means, scales = mixture.component_distribution.loc[0], mixture.component_distribution.scale[0]
    order = means.argsort()
    parts = [
        f"{means[i]:.2f} (weight {weights[i]:.2f}, scale {scales[i]:.2f})" for i in order if weights[i] > 0.1
    ]
    print(f"{question}: {', '.join(parts)}")


def main():
    jgrad.manual_seed(0)
    training, held_out = make_data(600), make_data(200)
    model = MixtureNetwork()
    checkpoint = train(model, training, held_out)
    model.load_state_dict(checkpoint["model"])
    model.eval()
    with jgrad.no_grad():
        loss = -model(held_out[0]).log_prob(held_out[1]).mean().item()
    print(f"best model, of step {checkpoint['step']}: held out {loss:.5f}")
    print(f"a network that answers with the mean: held out {mean_only(training, held_out):.5f}")
    for question in (0.1, 0.5, 0.9):
        show(model, question)
    with jgrad.no_grad():
        drawn = model(jgrad.full((1000, 1), 0.5)).sample()
    low, high = (drawn < 0.35).float().mean().item(), (drawn > 0.65).float().mean().item()
    print(f"of the answers drawn for 0.5, {low:.2f} are below 0.35 and {high:.2f} above 0.65")


if __name__ == "__main__":
    main()
