"""One head of attention that learns to copy the token before."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(8)
tokens = torch.randint(0, 6, (16, 7))


class Head(nn.Module):
    def __init__(self, width=16, words=6, length=7):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.place = nn.Parameter(0.1 * torch.randn(length, width))
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, words)

    def forward(self, t):
        x = self.embed(t) + self.place
        scores = self.query(x) @ self.key(x).transpose(-2, -1) / math.sqrt(x.size(-1))
        mask = torch.triu(torch.ones(7, 7, dtype=torch.bool), diagonal=1)
        weights = F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
        return self.out(self.norm(x + weights @ self.value(x)))


model = Head()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
warm = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 4))
for step in range(10):
    logits = model(tokens)[:, 1:]
    loss = F.cross_entropy(logits.reshape(-1, 6), tokens[:, :-1].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    warm.step()
    print(step, loss.item())
