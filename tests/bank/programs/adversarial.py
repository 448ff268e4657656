"""Two networks against each other: one makes points, the other tells them from real ones."""

import torch
import torch.nn as nn

torch.manual_seed(3)
G = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
g_opt = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
d_opt = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
for step in range(8):
    real = torch.randn(16, 2) * 0.3 + 1.0
    noise = torch.randn(16, 4)
    fake = G(noise)
    d_opt.zero_grad()
    d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    d_loss.backward()
    d_opt.step()
    g_opt.zero_grad()
    g_loss = bce(D(fake), ones)
    g_loss.backward()
    g_opt.step()
    print(step, d_loss.item(), g_loss.item())
