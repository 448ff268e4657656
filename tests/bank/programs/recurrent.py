"""A recurrent network that goes through a long row of numbers in pieces, and carries its state from piece to piece."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2)
row = torch.sin(torch.arange(0, 49) * 0.4)


class Predictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 8, batch_first=True)
        self.out = nn.Linear(8, 1)

    def forward(self, x, h):
        y, h = self.rnn(x, h)
        return self.out(y), h


model = Predictor()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    h = torch.zeros(1, 1, 8)
    for begin in range(0, 48, 8):
        x = row[begin : begin + 8].view(1, 8, 1)
        y = row[begin + 1 : begin + 9].view(1, 8, 1)
        out, h = model(x, h)
        loss = F.mse_loss(out, y)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        h = h.detach()
    print(epoch, loss.item())
