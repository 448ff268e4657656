"""A residual network for pictures, trained with batch norm, momentum and a schedule.

The pictures show discs, squares, crosses and stripes, with noise. Each block of the network adds
something to its input, so gradients have a short way back. Batch norm keeps running means, which
`model.eval()` uses; the state of the best epoch is kept and loaded again.
"""

import copy

import jgrad
from jgrad import nn
from jgrad.nn import functional as F
from jgrad.utils.data import DataLoader, Dataset, random_split

SIDE = 12
KINDS = ["disc", "square", "cross", "stripes"]
EPOCHS = 8


class Shapes(Dataset):
    """Noisy pictures of shapes. Picture i is always the same one."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        if not 0 <= i < self.count:
            raise IndexError(i)
        source = jgrad.Generator().manual_seed(i)
        kind = i % len(KINDS)
        x, y = jgrad.meshgrid(jgrad.arange(SIDE), jgrad.arange(SIDE), indexing="xy")
        cx, cy = jgrad.randint(4, SIDE - 4, (2,), generator=source)
        dx, dy = (x - cx).abs(), (y - cy).abs()
        if kind == 0:
            shape = dx**2 + dy**2 <= 10
        elif kind == 1:
            shape = jgrad.maximum(dx, dy) <= 3
        elif kind == 2:
            shape = (jgrad.minimum(dx, dy) <= 1) & (jgrad.maximum(dx, dy) <= 4)
        else:
            shape = (x + cx) % 4 < 2
        picture = shape.float() + 0.5 * jgrad.randn(SIDE, SIDE, generator=source)
        return picture[None], kind


def flip_at_random(pictures):
    """In half of the pictures left and right change places."""
    flipped = jgrad.rand(len(pictures), 1, 1, 1) < 0.5
    return jgrad.where(flipped, pictures.flip(-1), pictures)


class Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.around = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.around = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x):
        h = F.relu(self.norm1(self.conv1(x)), inplace=True)
        return F.relu(self.norm2(self.conv2(h)) + self.around(x))


class ResNet(nn.Module):
    def __init__(self, widths=(8, 16, 24)):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, widths[0], 3, padding=1, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU()
        )
        sizes = [widths[0], *widths]
        self.blocks = nn.Sequential(
            *[Block(sizes[i], sizes[i + 1], stride=1 if i == 0 else 2) for i in range(len(widths))]
        )
        self.head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(widths[-1], len(KINDS)))
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)))


def train_one_epoch(model, loader, optimizer, schedule):
    model.train()
    total = 0.0
    for pictures, kinds in loader:
        loss = F.cross_entropy(model(flip_at_random(pictures)), kinds, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item()
    return total / len(loader)


@jgrad.no_grad()
def evaluate(model, loader):
    """The mean loss, and the part of the pictures that are named right."""
    model.eval()
    loss = right = count = 0
    for pictures, kinds in loader:
        scores = model(pictures)
        loss += F.cross_entropy(scores, kinds, reduction="sum").item()
        right += (scores.argmax(dim=1) == kinds).sum().item()
        count += len(kinds)
    return loss / count, right / count


def main():
    jgrad.manual_seed(0)
    training, held_out = random_split(Shapes(240), [0.75, 0.25])
    loader = DataLoader(training, batch_size=20, shuffle=True, drop_last=True)
    test_loader = DataLoader(held_out, batch_size=60)
    model = ResNet()
    optimizer = jgrad.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4, nesterov=True)
    steps = EPOCHS * len(loader)
    schedule = jgrad.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=steps)
    best, kept = float("inf"), None
    for epoch in range(EPOCHS):
        loss = train_one_epoch(model, loader, optimizer, schedule)
        test_loss, right = evaluate(model, test_loader)
        print(f"epoch {epoch + 1}  loss {loss:.5f}  held out {test_loss:.5f}  right {right:.3f}")
        if test_loss < best:
            best, kept = test_loss, copy.deepcopy(model.state_dict())
    model.load_state_dict(kept)
    print(f"best model: held out {evaluate(model, test_loader)[0]:.5f}")


if __name__ == "__main__":
    main()
