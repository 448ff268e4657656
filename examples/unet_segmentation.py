"""A U-Net finds the cells of a picture, pixel by pixel.

The network goes down to small pictures with many channels and up again. On each level what it saw on the
way down is added as channels on the way up. It says for each pixel whether it belongs to a cell, to the
wall of one, or to neither. Walls are rare, so the loss has weights, and a second part (Dice) that
compares areas. One block is checkpointed: its backward pass computes the forward pass again, and so
needs less memory.
"""

import jgrad
from jgrad import nn
from jgrad.nn import functional as F
from jgrad.utils.checkpoint import checkpoint
from jgrad.utils.data import DataLoader, TensorDataset

SIDE = 24
CLASSES = ["outside", "wall", "cell"]
PICTURES, BATCH, EPOCHS = 48, 8, 8


def make_pictures(count):
    """Noisy pictures of round cells with bright walls, and the class of each pixel."""
    y, x = jgrad.meshgrid(jgrad.arange(SIDE), jgrad.arange(SIDE), indexing="ij")
    classes = jgrad.zeros(count, SIDE, SIDE, dtype=jgrad.long)
    for picture in classes:
        for _ in range(3):
            cx, cy = jgrad.randint(4, SIDE - 4, (2,))
            radius = 3 + 2 * jgrad.rand(())
            distance = jgrad.hypot((x - cx) * 1.0, (y - cy) * 1.0)
            picture[distance < radius + 1] = 1
            picture[distance < radius] = 2
    brightness = jgrad.tensor([0.0, 1.0, 0.4])[classes]
    shade = jgrad.linspace(0, 0.5, SIDE)  # the light comes from one side
    noisy = brightness + shade + 0.3 * jgrad.randn(count, SIDE, SIDE)
    return noisy[:, None], classes


def block(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1),
        nn.GroupNorm(4, outputs),
        nn.SiLU(),
        nn.Conv2d(outputs, outputs, 3, padding=1),
        nn.GroupNorm(4, outputs),
        nn.SiLU(),
    )


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down1, self.down2 = block(1, width), block(width, 2 * width)
        self.bottom = block(2 * width, 4 * width)
        self.wider2 = nn.ConvTranspose2d(4 * width, 2 * width, 2, stride=2)
        self.up2 = block(4 * width, 2 * width)
        self.wider1 = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)
        self.up1 = block(3 * width, width)
        self.out = nn.Conv2d(width, len(CLASSES), 1)

    def forward(self, x):
        large = self.down1(x)
        middle = self.down2(F.max_pool2d(large, 2))
        small = checkpoint(self.bottom, F.max_pool2d(middle, 2), use_reentrant=False)
        middle = self.up2(jgrad.cat([self.wider2(small), middle], dim=1))
        large = self.up1(jgrad.cat([self.wider1(middle), large], dim=1))
        return self.out(large)


def dice_loss(scores, classes):
    """One minus the overlap of each class with what is said to be it."""
    probability = scores.softmax(dim=1)
    truth = F.one_hot(classes, len(CLASSES)).permute(0, 3, 1, 2).to(probability.dtype)
    both = (probability * truth).sum(dim=(0, 2, 3))
    either = probability.sum(dim=(0, 2, 3)) + truth.sum(dim=(0, 2, 3))
    return 1 - (2 * both / (either + 1e-6)).mean()


@jgrad.no_grad()
def overlaps(model, pictures, classes):
    """For each class, the common area of truth and answer as a part of both (intersection over union)."""
    answer = model(pictures).argmax(dim=1)
    found = []
    for number in range(len(CLASSES)):
        said, true = answer == number, classes == number
        found.append((said & true).sum().item() / max(1, (said | true).sum().item()))
    return found


def draw(classes):
    return "\n".join("".join(" o."[pixel] for pixel in row) for row in classes.tolist())


def main():
    jgrad.manual_seed(0)
    pictures, classes = make_pictures(PICTURES + 8)
    loader = DataLoader(TensorDataset(pictures[8:], classes[8:]), BATCH, shuffle=True)
    held_out = pictures[:8], classes[:8]
    frequency = jgrad.bincount(classes.flatten(), minlength=len(CLASSES)) / classes.numel()
    weights = 1 / frequency.sqrt()
    model = UNet()
    optimizer = jgrad.optim.AdamW(model.parameters(), lr=5e-3)
    for epoch in range(EPOCHS):
        total = 0.0
        for x, y in loader:
            scores = model(x)
            loss = F.cross_entropy(scores, y, weight=weights) + dice_loss(scores, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 2 == 1:
            print(f"epoch {epoch + 1}  loss {total / len(loader):.5f}")
    for name, overlap in zip(CLASSES, overlaps(model, *held_out), strict=True):
        print(f"held out, {name}: overlap {overlap:.3f}")
    with jgrad.no_grad():
        print(draw(model(held_out[0][:1]).argmax(dim=1)[0]))


if __name__ == "__main__":
    main()
