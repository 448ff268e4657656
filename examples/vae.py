"""A variational autoencoder of small pictures, with `distributions`.

The encoder gives for each picture a normal distribution in the plane of codes, the decoder gives for
each code the probability of every pixel. `rsample` draws a code as mean + scale * noise, so that
gradients pass through the draw. The loss is the negative evidence lower bound: how unlikely the picture
is, plus how far the distribution of codes is from a standard normal (`kl_divergence`).
"""

import jgrad
from jgrad import nn
from jgrad.distributions import Bernoulli, Independent, Normal, kl_divergence
from jgrad.utils.data import DataLoader, TensorDataset

SIDE = 10  # pixels
CODE = 2
EPOCHS = 20


def bars(count):
    """Pictures of one vertical and one horizontal bar. A picture is known by two numbers."""
    place = jgrad.randint(1, SIDE - 1, (count, 2))
    pixel = jgrad.arange(SIDE)
    vertical = (pixel[None, None, :] - place[:, :1, None]).abs() <= 1
    horizontal = (pixel[None, :, None] - place[:, 1:, None]).abs() <= 1
    return (vertical | horizontal).float().flatten(1)


class Encoder(nn.Module):
    """From a picture to the distribution of its code."""

    def __init__(self, hidden=64):
        super().__init__()
        self.hidden = nn.Sequential(
            nn.Linear(SIDE * SIDE, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()
        )
        self.mean = nn.Linear(hidden, CODE)
        self.log_scale = nn.Linear(hidden, CODE)

    def forward(self, x):
        h = self.hidden(x)
        return Independent(Normal(self.mean(h), self.log_scale(h).exp()), 1)


class Decoder(nn.Module):
    """From a code to the distribution of a picture."""

    def __init__(self, hidden=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(CODE, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, SIDE * SIDE),
        )

    def forward(self, z):
        return Independent(Bernoulli(logits=self.net(z)), 1)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()
        self.register_buffer("zero", jgrad.zeros(CODE))
        self.register_buffer("one", jgrad.ones(CODE))

    @property
    def prior(self):
        return Independent(Normal(self.zero, self.one), 1)

    def forward(self, x):
        """Both parts of the loss, each a mean over the pictures."""
        codes = self.encoder(x)
        z = codes.rsample()
        unlikely = -self.decoder(z).log_prob(x)
        return unlikely.mean(), kl_divergence(codes, self.prior).mean()


def train(model, loader):
    optimizer = jgrad.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(EPOCHS):
        weight = min(1.0, (epoch + 1) / 10)  # first learn to draw, then to keep the codes in order
        sums = jgrad.zeros(2)
        for (x,) in loader:
            unlikely, divergence = model(x)
            loss = unlikely + weight * divergence
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += jgrad.stack([unlikely, divergence]).detach()
        unlikely, divergence = (sums / len(loader)).tolist()
        if epoch % 4 == 3:
            parts = f"pixels {unlikely:.4f}  divergence {divergence:.4f}"
            print(f"epoch {epoch + 1:2}  loss {unlikely + divergence:.4f}  {parts}")


def draw(picture):
    """A picture of numbers between 0 and 1 as text."""
    return "\n".join(
        "".join(" .+#"[min(3, int(4 * p))] for p in row) for row in picture.view(SIDE, SIDE).tolist()
    )


def main():
    jgrad.manual_seed(0)
    pictures = bars(640)
    loader = DataLoader(TensorDataset(pictures), batch_size=32, shuffle=True)
    model = VAE()
    train(model, loader)
    with jgrad.no_grad():
        shown = model.decoder(model.encoder(pictures[:1]).base_dist.loc).base_dist.probs
        right = ((shown > 0.5) == (pictures[:1] > 0.5)).float().mean().item()
        print(f"the first picture comes back with {right:.2f} of its pixels right")
        made = model.decoder(model.prior.sample((1,))).base_dist.probs
    print("a new picture:", draw(made[0]), sep="\n")


if __name__ == "__main__":
    main()
