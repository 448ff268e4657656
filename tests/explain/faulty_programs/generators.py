# %% grad-accumulated: wrong zero grad gan
import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)
for it in range(20):
    real = torch.randn(32, 2) + 2
    fake = G(torch.randn(32, 4))
    opt_d.zero_grad()
    loss_d = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    loss_d.backward()
    opt_d.step()
    opt_d.zero_grad()
    loss_g = bce(D(fake), ones)
    loss_g.backward()
    opt_g.step()
print(loss_d.item(), loss_g.item())


# %% generator-found-out: labels that are filled in place
import torch
from torch import nn

torch.manual_seed(0)
netG = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
netD = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())
optD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
criterion = nn.BCELoss()
for i in range(6):
    netD.zero_grad()
    label = torch.full((16,), 0.9)
    errD_real = criterion(netD(torch.randn(16, 2) + 2).view(-1), label)
    errD_real.backward()
    fake = netG(torch.randn(16, 3))
    label.fill_(0.0)
    errD_fake = criterion(netD(fake.detach()).view(-1), label)
    errD_fake.backward()
    optD.step()
    netG.zero_grad()
    errG = criterion(netD(fake).view(-1), label)
    errG.backward()
    optG.step()


# %% generator-found-out: labels with names, in a function
import torch
from torch import nn


def train(G, D, rounds):
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
    bce = nn.BCEWithLogitsLoss()
    valid, made_up = torch.ones(16, 1), torch.zeros(16, 1)
    for i in range(rounds):
        fake = G(torch.randn(16, 4))
        loss_d = (bce(D(torch.randn(16, 2) * 0.3 + 2), valid) + bce(D(fake.detach()), made_up)) / 2
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()
        loss_g = bce(D(fake), made_up)
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
    return loss_g.item()


torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
last = train(G, D, 8)
