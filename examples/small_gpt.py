"""A small GPT that learns to sort.

The model reads some digits, a mark, and then the same digits in order. It has to guess each next token
after the mark. It has what large language models have: causal attention, residual streams with layer
norms before each block, tied embeddings, AdamW with decay for matrices only, a warm-up followed by a
cosine schedule, and clipped gradients. At the end it sorts new digits, one token after the other.
"""

import math

import jgrad
from jgrad import nn
from jgrad.nn import functional as F

DIGITS = 5  # different digits
LENGTH = 6  # how many of them are sorted
MARK = DIGITS  # the token between question and answer
CONTEXT = 2 * LENGTH  # tokens that the model sees
STEPS, WARM_UP, BATCH = 120, 15, 32


class CausalSelfAttention(nn.Module):
    """Each position looks at itself and at those before it."""

    def __init__(self, size, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(size, 3 * size)
        self.out = nn.Linear(size, size)
        self.register_buffer("mask", jgrad.tril(jgrad.ones(CONTEXT, CONTEXT)).bool(), persistent=False)

    def forward(self, x):
        batch, length, size = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~self.mask[:length, :length], float("-inf"))
        mixed = F.softmax(scores, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, length, size))


class Block(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.attention_norm = nn.LayerNorm(size)
        self.attention = CausalSelfAttention(size, heads)
        self.mlp_norm = nn.LayerNorm(size)
        self.mlp = nn.Sequential(nn.Linear(size, 4 * size), nn.GELU(), nn.Linear(4 * size, size))

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.mlp(self.mlp_norm(x))


class GPT(nn.Module):
    def __init__(self, tokens=DIGITS + 1, size=32, heads=4, layers=2):
        super().__init__()
        self.token = nn.Embedding(tokens, size)
        self.position = nn.Embedding(CONTEXT, size)
        self.blocks = nn.ModuleList(Block(size, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        self.head = nn.Linear(size, tokens, bias=False)
        self.apply(self.start_small)
        self.head.weight = self.token.weight  # one matrix for both directions

    @staticmethod
    def start_small(module):
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.05)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, tokens):
        x = self.token(tokens) + self.position(jgrad.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def questions(count):
    """Some digits, the mark, and the digits in order. Only the answer counts for the loss: -100 is ignored."""
    digits = jgrad.randint(0, DIGITS, (count, LENGTH))
    whole = jgrad.cat([digits, jgrad.full((count, 1), MARK), digits.sort(dim=1).values], dim=1)
    targets = whole[:, 1:].clone()
    targets[:, :LENGTH] = -100
    return whole[:, :-1], targets


def make_optimizer(model):
    """AdamW. Matrices decay; biases and gains of norms do not."""
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}]
    return jgrad.optim.AdamW(groups, lr=5e-3, betas=(0.9, 0.95))


def rate(step):
    """The factor of the learning rate: up in a straight line, then down along a cosine."""
    if step < WARM_UP:
        return (step + 1) / WARM_UP
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - WARM_UP) / (STEPS - WARM_UP)))


@jgrad.no_grad()
def answer(model, digits):
    """Sort by writing one token after the other, each time the most likely one."""
    tokens = jgrad.cat([digits, jgrad.tensor([MARK])])[None]
    for _ in range(LENGTH):
        following = model(tokens)[:, -1].argmax(dim=-1, keepdim=True)
        tokens = jgrad.cat([tokens, following], dim=1)
    return tokens[0, LENGTH + 1 :]


def main():
    jgrad.manual_seed(1)
    model = GPT()
    optimizer = make_optimizer(model)
    schedule = jgrad.optim.lr_scheduler.LambdaLR(optimizer, rate)
    print(f"{sum(p.numel() for p in model.parameters())} parameters")
    for step in range(STEPS):
        inputs, targets = questions(BATCH)
        scores = model(inputs)
        loss = F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=-100)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 20 == 19:
            print(f"step {step + 1:3}  loss {loss.item():.5f}  learning rate {schedule.get_last_lr()[0]:.6f}")
    for _ in range(3):
        digits = jgrad.randint(0, DIGITS, (LENGTH,))
        print(digits.tolist(), "sorted:", answer(model, digits).tolist())


if __name__ == "__main__":
    main()
