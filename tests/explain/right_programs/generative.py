# %% Gan no detach, as it should be
import torch
import torch.nn as nn

torch.manual_seed(0)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


G, D = Generator(), Discriminator()
opt_g = torch.optim.Adam(G.parameters(), lr=2e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3)
criterion = nn.BCEWithLogitsLoss()


def train_d(real, fake):
    opt_d.zero_grad()
    loss = criterion(D(real), torch.ones(len(real), 1)) + criterion(D(fake), torch.zeros(len(fake), 1))
    loss.backward()
    opt_d.step()
    return loss.item()


def train_g(fake):
    opt_g.zero_grad()
    loss = criterion(D(fake), torch.ones(len(fake), 1))
    loss.backward()
    opt_g.step()
    return loss.item()


for step in range(12):
    real = torch.randn(32, 2) + 2
    fake = G(torch.randn(32, 4))
    d = train_d(real, fake.detach())
    g = train_g(fake)
print(d, g)

# %% Vae data, as it should be
import torch
import torch.nn.functional as F
from torch import nn


class VAE(nn.Module):
    def __init__(self, n, latent):
        super().__init__()
        self.enc = nn.Linear(n, 16)
        self.mu = nn.Linear(16, latent)
        self.logvar = nn.Linear(16, latent)
        self.dec = nn.Linear(latent, n)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        z = mu + eps * std
        return z

    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        return self.dec(self.reparameterize(mu, logvar)), mu, logvar


torch.manual_seed(0)
vae = VAE(10, 3)
opt = torch.optim.Adam(vae.parameters(), lr=1e-2)
x = torch.rand(64, 10)
for epoch in range(15):
    recon, mu, logvar = vae(x)
    rec = F.mse_loss(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = rec + kld
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Inference features, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(12, 24), nn.ReLU())

    @torch.no_grad()
    def forward(self, x):
        return self.net(x)


encoder = Encoder()
probe = nn.Linear(24, 2)
opt = torch.optim.SGD(probe.parameters(), lr=0.1)
data = [(torch.randn(8, 12), torch.randint(0, 2, (8,))) for _ in range(4)]
for x, y in data:
    feats = encoder(x)
    loss = nn.functional.cross_entropy(probe(feats), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Two opts order, as it should be
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(8, 3), nn.Linear(3, 8)
disc = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
opt_ae = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
opt_d = torch.optim.Adam(disc.parameters(), lr=1e-3)
bce = nn.BCELoss()
for i in range(10):
    x = torch.randn(16, 8)
    z = encoder(x)
    rec = nn.functional.mse_loss(decoder(z), x)
    d_loss = bce(disc(torch.randn(16, 3)), torch.ones(16, 1)) + bce(disc(z.detach()), torch.zeros(16, 1))
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    adv = bce(disc(z), torch.ones(16, 1))
    opt_ae.zero_grad()
    (rec + 0.1 * adv).backward()
    opt_ae.step()
print(rec.item(), d_loss.item())

# %% Kl sign, as it should be
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Linear(8, 6)
        self.d = nn.Linear(3, 8)

    def forward(self, x):
        mu, lv = self.e(x).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return self.d(z), mu, lv


vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=1e-2)
x = torch.randn(64, 8)
for i in range(60):
    rec, mu, lv = vae(x)
    kld = -0.5 * (1 + lv - mu**2 - lv.exp()).sum(1).mean()
    loss = F.mse_loss(rec, x) + kld
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Adversarial fgsm, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
x, y = torch.randn(10, 6), torch.randint(0, 3, (10,))


def pgd(model, x, y, eps=0.3, alpha=0.1, steps=4):
    adv = x.clone().requires_grad_(True)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(adv), y)
        loss.backward()
        adv = adv + alpha * adv.grad.sign()
        adv = torch.max(torch.min(adv, x + eps), x - eps).detach().requires_grad_()
    return adv


adv = pgd(model, x, y)
print((adv - x).abs().max().item())

# %% Weight clip wgan after, as it should be
import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
gen = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
oc = torch.optim.RMSprop(critic.parameters(), lr=5e-4)
og = torch.optim.RMSprop(gen.parameters(), lr=5e-4)
for i in range(12):
    for _ in range(3):
        real = torch.randn(32, 2) + 3
        fake = gen(torch.randn(32, 4)).detach()
        loss_c = critic(real).mean() - critic(fake).mean()
        oc.zero_grad()
        loss_c.backward()
        oc.step()
        for p in critic.parameters():
            p.data.clamp_(-0.01, 0.01)
    loss_g = -critic(gen(torch.randn(32, 4))).mean()
    og.zero_grad()
    loss_g.backward()
    og.step()
print(max(p.abs().max().item() for p in critic.parameters()))

# %% Wrong zero grad gan, as it should be
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
    opt_g.zero_grad()
    loss_g = bce(D(fake), ones)
    loss_g.backward()
    opt_g.step()
print(loss_d.item(), loss_g.item())

# %% Copy paste optimizer, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class GAN:
    def __init__(self, z=4):
        self.z = z
        self.G = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, 2))
        self.D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
        self.opt_D = torch.optim.Adam(self.D.parameters(), lr=2e-4)
        self.opt_G = torch.optim.Adam(self.G.parameters(), lr=2e-4)
        self.bce = nn.BCEWithLogitsLoss()

    def step(self, real):
        n = len(real)
        fake = self.G(torch.randn(n, self.z))
        self.opt_D.zero_grad()
        d = self.bce(self.D(real), torch.ones(n, 1)) + self.bce(self.D(fake.detach()), torch.zeros(n, 1))
        d.backward()
        self.opt_D.step()
        self.opt_G.zero_grad()
        g = self.bce(self.D(fake), torch.ones(n, 1))
        g.backward()
        self.opt_G.step()
        return d.item(), g.item()


gan = GAN()
for i in range(10):
    out = gan.step(torch.randn(16, 2) + 3)
print(out)

# %% A GAN of classes with smoothed labels
import torch
from torch import nn

torch.manual_seed(0)


class Generator(nn.Module):
    def __init__(self, z=4):
        super().__init__()
        self.z = z
        self.net = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, 2))

    def sample(self, n):
        return self.net(torch.randn(n, self.z))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


# %%
class Adversaries:
    def __init__(self):
        self.g, self.d = Generator(), Discriminator()
        self.og = torch.optim.Adam(self.g.parameters(), lr=1e-3, betas=(0.5, 0.999))
        self.od = torch.optim.Adam(self.d.parameters(), lr=1e-3, betas=(0.5, 0.999))
        self.loss = nn.BCEWithLogitsLoss()

    def train_d(self, real):
        with torch.no_grad():
            fake = self.g.sample(len(real))
        self.od.zero_grad()
        loss = self.loss(self.d(real), torch.full((len(real),), 0.9)) + self.loss(
            self.d(fake), torch.zeros(len(real))
        )
        loss.backward()
        self.od.step()
        return loss.item()

    def train_g(self, n):
        for p in self.d.parameters():
            p.requires_grad_(False)
        self.og.zero_grad()
        loss = self.loss(self.d(self.g.sample(n)), torch.ones(n))
        loss.backward()
        self.og.step()
        for p in self.d.parameters():
            p.requires_grad_(True)
        return loss.item()


# %%
both = Adversaries()
history = []
for step in range(12):
    real = torch.randn(16, 2) * 0.3 + 1
    history.append((both.train_d(real), both.train_g(16)))
print(history[-1])

# %% A Wasserstein critic that trains five times as often
import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
maker = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
oc = torch.optim.RMSprop(critic.parameters(), lr=5e-4)
om = torch.optim.RMSprop(maker.parameters(), lr=5e-4)


def critic_step(real):
    oc.zero_grad()
    fake = maker(torch.randn(len(real), 3)).detach()
    loss = critic(fake).mean() - critic(real).mean()
    loss.backward()
    oc.step()
    with torch.no_grad():
        for p in critic.parameters():
            p.clamp_(-0.05, 0.05)
    return -loss.item()


# %%
for epoch in range(4):
    for _ in range(5):
        distance = critic_step(torch.randn(16, 2) + 2)
    om.zero_grad()
    loss = -critic(maker(torch.randn(16, 3))).mean()
    loss.backward()
    om.step()
print(distance)

# %% A VAE whose KL term is warmed up
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Coder(nn.Module):
    def __init__(self, d=6, h=12, z=2):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.Tanh())
        self.stats = nn.Linear(h, 2 * z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.Tanh(), nn.Linear(h, d))

    def forward(self, x):
        mu, logvar = self.stats(self.enc(x)).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo(out, x, mu, logvar, beta):
    rec = F.mse_loss(out, x, reduction="none").sum(1).mean()
    kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec + beta * kld, rec.item(), kld.item()


# %%
vae, data = Coder(), torch.randn(64, 6)
opt = torch.optim.Adam(vae.parameters(), lr=5e-3)
log = {"rec": [], "kld": []}
for epoch in range(20):
    beta = min(1.0, epoch / 10)
    for batch in data.split(16):
        loss, rec, kld = elbo(*[(o := vae(batch))[0], batch, o[1], o[2]], beta)
        opt.zero_grad()
        loss.backward()
        opt.step()
    log["rec"].append(rec)
    log["kld"].append(kld)
print(log["rec"][-1])


# %% A critic that begins to learn late, by the function that its maker has, too
def update(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def play():
    make, judge = torch.nn.Linear(3, 2), torch.nn.Linear(2, 1)
    for_make = torch.optim.SGD(make.parameters(), lr=0.01)
    for_judge = torch.optim.SGD(judge.parameters(), lr=0.01)
    for i in range(30):
        update(for_make, -judge(make(torch.randn(8, 3))).mean())
        if i >= 40:
            update(
                for_judge, judge(make(torch.randn(8, 3)).detach()).mean() - judge(torch.randn(8, 2)).mean()
            )


play()

# %% The saturating loss of a generator, by hand
import torch
from torch import nn

torch.manual_seed(0)
G, D = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
g_opt, d_opt = torch.optim.Adam(G.parameters(), lr=1e-2), torch.optim.Adam(D.parameters(), lr=1e-2)
bce = nn.BCEWithLogitsLoss()
for step in range(8):
    real, noise = torch.randn(16, 2) + 2, torch.randn(16, 2)
    d_loss = bce(D(real), torch.ones(16, 1)) + bce(D(G(noise).detach()), torch.zeros(16, 1))
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()
    for p in D.parameters():
        p.requires_grad_(False)
    g_loss = -bce(D(G(noise)), torch.zeros(16, 1))
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    for p in D.parameters():
        p.requires_grad_(True)

# %% Small weights that a good rate moves far at once
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 4)
y = x @ torch.tensor([[1.0], [-2.0], [0.5], [1.5]])
model = nn.Linear(4, 1)
nn.init.normal_(model.weight, std=0.001)
nn.init.zeros_(model.bias)
opt = torch.optim.Adam(model.parameters(), lr=0.1)
for step in range(60):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()

# %% A judge for which real is 0, and a generator that wants to be called real
import torch
from torch import nn

G, D = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
for i in range(6):
    fake = G(torch.randn(16, 3))
    loss_d = bce(D(torch.randn(16, 2) + 2), zeros) + bce(D(fake.detach()), ones)
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = bce(D(fake), zeros)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

# %% Labels that are filled in place, as they should be
import torch
from torch import nn

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
    label.fill_(0.9)
    errG = criterion(netD(fake).view(-1), label)
    errG.backward()
    optG.step()

# %% The saturating loss of a generator, with labels
import torch
from torch import nn

G, D = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
for i in range(6):
    fake = G(torch.randn(16, 3))
    loss_d = bce(D(torch.randn(16, 2) + 2), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = -bce(D(fake), zeros)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

# %% Codes and pictures judged in pairs: to the encoder the label of the real ones is that of the made ones
import torch
from torch import nn

E, G = nn.Linear(4, 2), nn.Linear(2, 4)
D = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_g = torch.optim.Adam([*E.parameters(), *G.parameters()], lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
for i in range(6):
    x, z = torch.randn(16, 4) + 1, torch.randn(16, 2)
    real, made = torch.cat([x, E(x)], 1), torch.cat([G(z), z], 1)
    loss_d = bce(D(real.detach()), ones) + bce(D(made.detach()), zeros)
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = bce(D(real), zeros) + bce(D(made), ones)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
