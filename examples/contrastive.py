"""Contrastive learning (SimCLR): good features without a single label.

Each picture is changed in two ways at random. The network should give both versions similar features,
and other pictures different ones; the loss is a cross entropy in which each picture has to find its twin
among all others. Afterwards a linear classifier is fitted to the features of few labelled pictures, and
compared with one that is fitted to the pixels.
"""

import jgrad
from jgrad import nn
from jgrad.nn import functional as F

SIDE = 12
KINDS = 4  # an L, a T, a ring, and a diagonal
BATCH, STEPS = 48, 80
TEMPERATURE = 0.2


def stencils():
    """The four shapes, 5 x 5."""
    rows = [
        "#.... ##### .###. #....",
        "#.... ..#.. #...# .#...",
        "#.... ..#.. #...# ..#..",
        "#.... ..#.. #...# ...#.",
        "##### ..#.. .###. ....#",
    ]
    pixels = [[[c == "#" for c in shape] for shape in row.split()] for row in rows]
    return jgrad.tensor(pixels, dtype=jgrad.get_default_dtype()).transpose(0, 1)


def make_pictures(count):
    """Each picture has one shape at a place of its own."""
    kinds = jgrad.randint(0, KINDS, (count,))
    pictures = jgrad.zeros(count, 1, SIDE, SIDE)
    shapes = stencils()
    for picture, kind in zip(pictures, kinds.tolist(), strict=True):
        x, y = jgrad.randint(1, SIDE - 6, (2,)).tolist()
        picture[0, y : y + 5, x : x + 5] = shapes[kind]
    return pictures, kinds


def change(pictures):
    """Another version of each picture: moved, brighter or darker, with noise."""
    count = len(pictures)
    up, left = jgrad.randint(0, 5, (2,)).tolist()
    moved = F.pad(pictures, (2, 2, 2, 2))[:, :, up : up + SIDE, left : left + SIDE]
    brightness = 0.5 + jgrad.rand(count, 1, 1, 1)
    noise = 0.2 * jgrad.randn(count, 1, SIDE, SIDE)
    return moved * brightness + noise


class Encoder(nn.Module):
    """From a picture to 32 features. Lazy layers find out the number of their inputs from the first batch."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.LazyConv2d(16, 3, padding=1),
            nn.LazyBatchNorm2d(),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.LazyConv2d(32, 3, padding=1, bias=False),
            nn.LazyBatchNorm2d(),
            nn.ReLU(),
            nn.AdaptiveMaxPool2d(1),
            nn.Flatten(),
        )
        self.projection = nn.Sequential(nn.LazyLinear(32), nn.ReLU(), nn.LazyLinear(16))

    def forward(self, x):
        return F.normalize(self.projection(self.features(x)), dim=1)


def contrastive_loss(first, second):
    """Picture i of the first half belongs to picture i of the second half, and to no other one."""
    both = jgrad.cat([first, second])
    similar = both @ both.t() / TEMPERATURE
    similar.fill_diagonal_(float("-inf"))  # nobody is its own twin
    twin = jgrad.arange(len(both)).roll(len(first))
    return F.cross_entropy(similar, twin)


def classify(features, kinds, new_features, new_kinds):
    """Fit a linear classifier, and return the part of new pictures that it names right."""
    mean, scale = features.mean(0), features.std(0) + 1e-3
    features, new_features = (features - mean) / scale, (new_features - mean) / scale
    head = nn.Linear(features.shape[1], KINDS)
    optimizer = jgrad.optim.LBFGS(head.parameters(), max_iter=15, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(head(features), kinds) + 0.01 * head.weight.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return (head(new_features).argmax(dim=1) == new_kinds).float().mean().item()


def main():
    jgrad.manual_seed(0)
    pictures, _ = make_pictures(480)
    encoder = Encoder()
    encoder(pictures[:2])  # the lazy layers get their parameters
    optimizer = jgrad.optim.Adam(encoder.parameters(), lr=5e-3)
    for step in range(STEPS):
        batch = pictures[jgrad.randperm(len(pictures))[:BATCH]]
        loss = contrastive_loss(encoder(change(batch)), encoder(change(batch)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 16 == 15:
            print(f"step {step + 1:2}  loss {loss.item():.5f}")
    labelled, kinds = make_pictures(40)
    new, new_kinds = make_pictures(200)
    encoder.eval()
    with jgrad.no_grad():
        features, new_features = encoder.features(labelled), encoder.features(new)
    print(
        f"from pixels   {classify(labelled.flatten(1), kinds, new.flatten(1), new_kinds):.2f} are named right"
    )
    print(f"from features {classify(features, kinds, new_features, new_kinds):.2f} are named right")


if __name__ == "__main__":
    main()
