"""A variational autoencoder, with the loss of the paper."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(4)
data = (torch.rand(64, 12) > 0.6).float()


class VAE(nn.Module):
    def __init__(self, size=12, code=3):
        super().__init__()
        self.encode = nn.Linear(size, 16)
        self.mu = nn.Linear(16, code)
        self.logvar = nn.Linear(16, code)
        self.decode = nn.Sequential(nn.Linear(code, 16), nn.ReLU(), nn.Linear(16, size))

    def forward(self, x):
        h = F.relu(self.encode(x))
        mu, logvar = self.mu(h), self.logvar(h)
        std = torch.exp(0.5 * logvar)
        z = mu + std * torch.randn_like(std)
        return torch.sigmoid(self.decode(z)), mu, logvar


def loss_of(x, out, mu, logvar):
    bce = F.binary_cross_entropy(out, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (bce + kld) / len(x)


vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-2)
for epoch in range(4):
    vae.train()
    for batch in data.split(16):
        optimizer.zero_grad()
        out, mu, logvar = vae(batch)
        loss = loss_of(batch, out, mu, logvar)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
