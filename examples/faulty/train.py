"""A program with a mistake that raises no error: `jgrad run examples/faulty/train.py` names it."""

import jgrad as torch
from jgrad import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 32)
        self.last = nn.Linear(32, 1)

    def forward(self, x):
        h = torch.relu(self.first(x))
        return self.last(h.detach())


torch.manual_seed(0)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
x = torch.randn(256, 4)
y = (x[:, :1] - x[:, 1:2]).abs()
for _ in range(100):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
