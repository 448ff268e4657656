"""Diffusion: a network learns to take noise away, and so makes points from pure noise.

Data become noise in many small steps. The network sees a point with some noise and the time, and guesses
which noise was added. To make new points, one begins with noise and goes the same way back (DDPM), or
the same way in fewer steps without drawing anything (DDIM). The weights that make points are a moving
average of the trained ones.
"""

import math

import jgrad
from jgrad import nn
from jgrad.nn import functional as F
from jgrad.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

TIMES = 60
BATCH, STEPS = 256, 300


def spiral(count):
    """Points on a spiral, with a little noise."""
    along = jgrad.rand(count).sqrt()
    angle = 3 * math.pi * along
    points = along[:, None] * jgrad.stack([angle.cos(), angle.sin()], dim=1)
    return 2 * points + 0.05 * jgrad.randn(count, 2)


class Schedule:
    """How much of the data is left after each time: points are sqrt(kept) * data + sqrt(1 - kept) * noise."""

    def __init__(self):
        self.beta = jgrad.linspace(1e-3, 0.15, TIMES)
        self.alpha = 1 - self.beta
        self.kept = self.alpha.cumprod(0)

    def add_noise(self, data, noise, time):
        kept = self.kept[time][:, None]
        return kept.sqrt() * data + (1 - kept).sqrt() * noise


class TimeEmbedding(nn.Module):
    """The time as sines and cosines of many frequencies."""

    def __init__(self, size):
        super().__init__()
        self.register_buffer("frequency", jgrad.exp(-math.log(1000) * jgrad.arange(size // 2) / (size // 2)))

    def forward(self, time):
        angle = time[:, None] * self.frequency
        return jgrad.cat([angle.sin(), angle.cos()], dim=1)


class Denoiser(nn.Module):
    """Guesses the noise in a point. Layers get the time as a scale and a shift."""

    def __init__(self, size=64, layers=3):
        super().__init__()
        self.time = nn.Sequential(TimeEmbedding(16), nn.Linear(16, size), nn.SiLU())
        self.first = nn.Linear(2, size)
        self.layers = nn.ModuleList(nn.Linear(size, size) for _ in range(layers))
        self.of_time = nn.ModuleList(nn.Linear(size, 2 * size) for _ in range(layers))
        self.out = nn.Linear(size, 2)

    def forward(self, x, time):
        time = self.time(time)
        h = self.first(x)
        for layer, of_time in zip(self.layers, self.of_time, strict=True):
            scale, shift = of_time(time).chunk(2, dim=1)
            h = h + F.silu(layer(h) * (1 + scale) + shift)
        return self.out(h)


@jgrad.no_grad()
def make_by_ddpm(model, schedule, count):
    """All steps back; each takes noise away and adds a little new noise."""
    x = jgrad.randn(count, 2)
    for t in reversed(range(TIMES)):
        noise = model(x, jgrad.full((count,), t))
        x = (x - schedule.beta[t] / (1 - schedule.kept[t]).sqrt() * noise) / schedule.alpha[t].sqrt()
        if t:
            x = x + schedule.beta[t].sqrt() * jgrad.randn_like(x)
    return x


@jgrad.no_grad()
def make_by_ddim(model, schedule, count, steps=15):
    """A few long steps without new noise."""
    x = jgrad.randn(count, 2)
    times = jgrad.linspace(TIMES - 1, 0, steps).round().long().tolist()
    for t, following in zip(times, [*times[1:], None], strict=True):
        noise = model(x, jgrad.full((count,), t))
        data = (x - (1 - schedule.kept[t]).sqrt() * noise) / schedule.kept[t].sqrt()
        kept = schedule.kept[following] if following is not None else jgrad.tensor(1.0)
        x = kept.sqrt() * data + (1 - kept).sqrt() * noise
    return x


def distance(points, data):
    """The mean distance of a point to the nearest one of the data."""
    return (points[:, None] - data).norm(dim=-1).min(dim=1).values.mean().item()


def main():
    jgrad.manual_seed(0)
    schedule, model = Schedule(), Denoiser()
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.97))
    optimizer = jgrad.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(STEPS):
        data = spiral(BATCH)
        time, noise = jgrad.randint(0, TIMES, (BATCH,)), jgrad.randn(BATCH, 2)
        loss = F.mse_loss(model(schedule.add_noise(data, noise, time), time), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update_parameters(model)
        if step % 50 == 49:
            print(f"step {step + 1:3}  loss {loss.item():.5f}")
    data = spiral(500)
    print(f"noise is {distance(jgrad.randn(300, 2), data):.3f} from the data")
    print(f"points made by DDPM are {distance(make_by_ddpm(average, schedule, 300), data):.3f} from the data")
    print(f"points made by DDIM are {distance(make_by_ddim(average, schedule, 300), data):.3f} from the data")


if __name__ == "__main__":
    main()
