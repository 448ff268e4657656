"""A vision transformer: a picture is cut into patches, which are read like words.

`unfold` cuts the patches. Each becomes a vector, gets a learned position, and goes through
`nn.TransformerEncoder`, together with a token whose last state is classified. The pictures show a ring
and a cross, and the question is which one is further left: no single patch can answer it, so the token
has to look at several. Matrices, and only these, decay; the rate follows a warm-up and a cosine, chained
by `SequentialLR`.
"""

import jgrad
from jgrad import nn
from jgrad.nn import functional as F
from jgrad.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR
from jgrad.utils.data import DataLoader, TensorDataset

SIDE, PATCH = 16, 4
GRID = SIDE // PATCH
PICTURES, BATCH, EPOCHS = 512, 16, 6


def make_pictures(count):
    """Pictures with a ring and a cross, and whether the ring is further left."""
    row, other_row = jgrad.randint(0, GRID, (2, count))
    column = jgrad.randint(0, GRID, (count,))
    other_column = (column + jgrad.randint(1, GRID, (count,))) % GRID
    pictures = 0.2 * jgrad.randn(count, GRID, PATCH, GRID, PATCH)
    every = jgrad.arange(count)
    ring = jgrad.tensor([[0.0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
    pictures[every, row, :, column] += 2 * ring
    pictures[every, other_row, :, other_column] += 2 * (1 - ring)
    return pictures.reshape(count, 1, SIDE, SIDE), (column < other_column).long()


class VisionTransformer(nn.Module):
    def __init__(self, size=32, heads=4, layers=2, kinds=2):
        super().__init__()
        self.embed = nn.Linear(PATCH * PATCH, size)
        self.token = nn.Parameter(jgrad.zeros(1, 1, size))
        self.position = nn.Parameter(jgrad.randn(1, 1 + GRID * GRID, size))
        layer = nn.TransformerEncoderLayer(
            size, heads, 2 * size, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(
            layer, layers, norm=nn.LayerNorm(size), enable_nested_tensor=False
        )
        self.head = nn.Linear(size, kinds)

    def forward(self, pictures):
        patches = F.unfold(pictures, PATCH, stride=PATCH).transpose(1, 2)  # (picture, patch, pixel)
        x = self.embed(patches)
        x = jgrad.cat([self.token.expand(len(x), -1, -1), x], dim=1) + self.position
        return self.head(self.encoder(x)[:, 0])


def groups_of(model):
    """Parameters that decay, and those that don't."""
    matrices = [p for p in model.parameters() if p.dim() == 2]
    rest = [p for p in model.parameters() if p.dim() != 2]
    return [{"params": matrices, "weight_decay": 0.05}, {"params": rest, "weight_decay": 0.0}]


def train_one_epoch(model, loader, optimizer, schedule):
    model.train()
    total = 0.0
    for pictures, answers in loader:
        loss = F.cross_entropy(model(pictures), answers)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        total += loss.item()
    return total / len(loader)


@jgrad.no_grad()
def part_right(model, pictures, answers):
    model.eval()
    return (model(pictures).argmax(dim=1) == answers).float().mean().item()


def attention_of_token(model, picture):
    """How much the token looks at each patch in the first layer."""
    weights = []
    first = model.encoder.layers[0]

    def look(module, inputs):
        x = first.norm1(inputs[0])
        _, found = first.self_attn(x, x, x, need_weights=True)
        weights.append(found[0, 0, 1:])

    hook = first.register_forward_pre_hook(look)
    model.train()  # in eval mode the library may take a way of its own, which this hook would not see
    with jgrad.no_grad():
        model(picture[None])
    hook.remove()
    return weights[0].view(GRID, GRID)


def main():
    jgrad.manual_seed(0)
    pictures, answers = make_pictures(PICTURES)
    new_pictures, new_answers = make_pictures(128)
    loader = DataLoader(TensorDataset(pictures, answers), BATCH, shuffle=True)
    model = VisionTransformer()
    optimizer = jgrad.optim.AdamW(groups_of(model), lr=2e-3)
    warm_up, steps = len(loader), EPOCHS * len(loader)
    schedule = SequentialLR(
        optimizer,
        [LinearLR(optimizer, 0.1, total_iters=warm_up), CosineAnnealingLR(optimizer, steps - warm_up)],
        milestones=[warm_up],
    )
    for epoch in range(EPOCHS):
        loss = train_one_epoch(model, loader, optimizer, schedule)
        right = part_right(model, new_pictures, new_answers)
        print(
            f"epoch {epoch + 1:2}  loss {loss:.5f}  right {right:.3f}  rate {schedule.get_last_lr()[0]:.6f}"
        )
    looks = attention_of_token(model, new_pictures[0])
    least, most = looks.min().item(), looks.max().item()
    print(f"the token looks at {looks.numel()} patches, with weights between {least:.3f} and {most:.3f}")


if __name__ == "__main__":
    main()
