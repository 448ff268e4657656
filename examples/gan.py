"""A generative adversarial network: two networks play against each other.

The generator makes points of the plane from noise. The discriminator has to tell them from true points,
which lie on a ring of eight clusters. Each has its own optimizer. When the discriminator learns, the
made points are detached, so the generator gets no gradient. When the generator learns, gradients pass
through the discriminator, whose parameters are frozen for that time.
"""

import math

import jgrad
from jgrad import nn
from jgrad.nn import functional as F

NOISE, HIDDEN = 8, 64
BATCH, STEPS = 128, 300
CLUSTERS = 8


def true_points(count):
    """Points in eight small clusters on a circle."""
    cluster = jgrad.randint(0, CLUSTERS, (count,))
    angle = cluster * (2 * math.pi / CLUSTERS)
    centre = jgrad.stack([angle.cos(), angle.sin()], dim=1)
    return 2 * centre + 0.1 * jgrad.randn(count, 2)


def make_generator():
    return nn.Sequential(
        nn.Linear(NOISE, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, 2),
    )


def make_discriminator():
    return nn.Sequential(
        nn.Linear(2, HIDDEN),
        nn.LeakyReLU(0.2),
        nn.Linear(HIDDEN, HIDDEN),
        nn.LeakyReLU(0.2),
        nn.Linear(HIDDEN, 1),
    )


def set_requires_grad(module, value):
    for parameter in module.parameters():
        parameter.requires_grad_(value)


def discriminator_step(generator, discriminator, optimizer):
    """True points should get the answer 1, made points 0."""
    true = true_points(BATCH)
    made = generator(jgrad.randn(BATCH, NOISE)).detach()  # no gradient for the generator
    answer_true, answer_made = discriminator(true), discriminator(made)
    loss = F.binary_cross_entropy_with_logits(answer_true, jgrad.full_like(answer_true, 0.9))
    loss = loss + F.binary_cross_entropy_with_logits(answer_made, jgrad.zeros_like(answer_made))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def generator_step(generator, discriminator, optimizer):
    """The generator wants its points to be taken for true ones."""
    set_requires_grad(discriminator, False)
    answer = discriminator(generator(jgrad.randn(BATCH, NOISE)))
    loss = F.binary_cross_entropy_with_logits(answer, jgrad.ones_like(answer))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    set_requires_grad(discriminator, True)
    return loss.item()


@jgrad.no_grad()
def quality(generator, count=500):
    """How far made points are from the nearest cluster, and how many clusters have points near them."""
    points = generator(jgrad.randn(count, NOISE))
    angle = jgrad.arange(CLUSTERS) * (2 * math.pi / CLUSTERS)
    centres = 2 * jgrad.stack([angle.cos(), angle.sin()], dim=1)
    distance, nearest = (points[:, None] - centres).norm(dim=-1).min(dim=1)
    found = nearest[distance < 0.5].unique().numel()
    return distance.mean().item(), found


def main():
    jgrad.manual_seed(0)
    generator, discriminator = make_generator(), make_discriminator()
    for_generator = jgrad.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.99))
    for_discriminator = jgrad.optim.Adam(discriminator.parameters(), lr=2e-3, betas=(0.5, 0.99))
    for step in range(STEPS):
        d = discriminator_step(generator, discriminator, for_discriminator)
        g = generator_step(generator, discriminator, for_generator)
        if step % 50 == 49:
            distance, _ = quality(generator)
            print(f"step {step + 1:3}  discriminator {d:.5f}  generator {g:.5f}  distance {distance:.4f}")
    _, found = quality(generator)
    print(f"the generator has found {found} of {CLUSTERS} clusters")


if __name__ == "__main__":
    main()
