"""A new head on a body that stays as it is, and the average of the head's weights."""

import copy

import torch
from torch import nn

torch.manual_seed(10)
x, y = torch.randn(40, 6), torch.randint(0, 2, (40,)).float()
body = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU())
for parameter in body.parameters():
    parameter.requires_grad = False
body.eval()
head = nn.Linear(12, 1)
average = copy.deepcopy(head)
optimizer = torch.optim.Adam(head.parameters(), lr=0.02)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(8):
    with torch.no_grad():
        features = body(x)
    logits = head(features).squeeze(1)
    loss = criterion(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for slow, fast in zip(average.parameters(), head.parameters(), strict=True):
            slow.mul_(0.9).add_(fast, alpha=0.1)
    print(epoch, loss.item())
