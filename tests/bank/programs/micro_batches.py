"""Gradients of four small batches make one step."""

import torch
import torch.nn as nn

torch.manual_seed(11)
x, y = torch.randn(64, 5), torch.randn(64, 1)
model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulate = 4
model.train()
for epoch in range(3):
    optimizer.zero_grad()
    for i, (xb, yb) in enumerate(zip(x.split(8), y.split(8), strict=True)):
        loss = nn.functional.mse_loss(model(xb), yb) / accumulate
        loss.backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        print(epoch, nn.functional.mse_loss(model(x), y).item())
    model.train()
