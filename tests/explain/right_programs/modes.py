# %% Dropout that stays on for the uncertainty of a prediction
net = torch.nn.Sequential(
    torch.nn.Linear(2, 8), torch.nn.ReLU(), torch.nn.Dropout(0.5), torch.nn.Linear(8, 1)
)
x = torch.randn(5, 2)
net.train()
with torch.no_grad():
    samples = torch.stack([net(x) for _ in range(4)])
mean, spread = samples.mean(0), samples.std(0)


# %% Dropout alone put back into training mode for samples
net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 3))
x = torch.randn(5, 2)
net.eval()
for layer in net.modules():
    if isinstance(layer, torch.nn.Dropout):
        layer.train()
probabilities = 0
with torch.no_grad():
    for _ in range(4):
        probabilities = probabilities + net(x).softmax(1) / 4
guess = probabilities.argmax(1)


# %% Batch norm that keeps its averages while the rest is tuned
net = torch.nn.Sequential(
    torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.ReLU(), torch.nn.Linear(4, 2)
)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
for step in range(3):
    net.train()
    for layer in net.modules():
        if isinstance(layer, torch.nn.BatchNorm1d):
            layer.eval()
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% A frozen body in evaluation mode, a head in training mode
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
        self.head = torch.nn.Sequential(torch.nn.Dropout(0.2), torch.nn.Linear(4, 2))

    def forward(self, x):
        with torch.no_grad():
            h = self.body(x)
        return self.head(h)


net = Net()
net.body.requires_grad_(False).eval()
opt = torch.optim.SGD(net.head.parameters(), lr=0.1)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% A whole model in evaluation mode that is tuned on purpose
net = torch.nn.Sequential(
    torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.ReLU(), torch.nn.Linear(4, 2)
)
net.eval()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
for step in range(2):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


# %% An evaluation with a graph that nobody needs
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.1), torch.nn.Linear(4, 2))
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
net.eval()
accuracy = (net(x).argmax(1) == y).float().mean().item()


# %% Averages of a batch norm that are computed anew
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))
net.train()
with torch.no_grad():
    for _ in range(3):
        net(torch.randn(8, 3))
net.eval()
with torch.no_grad():
    out = net(torch.randn(2, 3))


# %% Predictions in batches, in evaluation mode
net = torch.nn.Sequential(
    torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.2), torch.nn.Linear(4, 3)
)
x, y = torch.randn(9, 3), torch.randint(0, 3, (9,))
was = net.training
net.eval()
with torch.inference_mode():
    found = torch.cat([net(part).argmax(1) for part in x.split(3)])
correct = (found == y).sum().item()
net.train(was)


# %% Accuracy while training, from the results of training
net = torch.nn.Sequential(
    torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Dropout(0.2), torch.nn.Linear(8, 2)
)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.randn(8, 3), torch.randint(0, 2, (8,))
for step in range(3):
    out = net(x)
    loss = torch.nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        accuracy = (out.argmax(1) == y).float().mean().item()


# %% Pictures of a generator, made while it learns
G = torch.nn.Sequential(
    torch.nn.Linear(2, 4), torch.nn.BatchNorm1d(4), torch.nn.ReLU(), torch.nn.Linear(4, 2)
)
opt = torch.optim.Adam(G.parameters(), lr=0.01)
noise = torch.randn(3, 2)
for step in range(2):
    opt.zero_grad()
    (G(torch.randn(6, 2)) - 1).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        pictures = G(noise).clamp(0, 1)


# %% Evaluation averaged over changed inputs
net = torch.nn.Sequential(
    torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2), torch.nn.Flatten(), torch.nn.Linear(32, 2)
)
x = torch.randn(3, 1, 6, 6)
net.eval()
with torch.no_grad():
    guess = (net(x).softmax(1) + net(x.flip(3)).softmax(1)).argmax(1)


# %% The training mode comes back after each evaluation
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x, y = torch.randn(8, 3), torch.randn(8, 1)


def validate():
    net.eval()
    with torch.no_grad():
        error = torch.nn.functional.mse_loss(net(x), y).item()
    net.train()
    return error


errors = []
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()
    errors.append(validate())


# %% The model ends in evaluation mode
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for step in range(3):
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    opt.step()
net.eval()
with torch.no_grad():
    error = torch.nn.functional.mse_loss(net(x), y)


# %% Dropout of rate zero
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.0), torch.nn.Linear(4, 1))
x = torch.randn(4, 3)
with torch.no_grad():
    error = (net(x) - 1).abs().mean()


# %% Saliency in evaluation mode
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 2))
net.eval()
x = torch.randn(1, 3, requires_grad=True)
net(x)[0, 1].backward()
saliency = x.grad.abs()


# %% Votes of a network with dropout
net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 2))
x = torch.randn(6, 3)
net.train()
votes = torch.zeros(6, 2)
with torch.no_grad():
    for _ in range(5):
        votes += torch.nn.functional.one_hot(net(x).argmax(1), 2)
best = votes.argmax(1)


# %% One function for training and validation
net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2), torch.nn.Linear(2, 3))
opt = torch.optim.Adam(net.parameters())
x = torch.randn(8, 3)


def epoch(train):
    net.train(train)
    with torch.set_grad_enabled(train):
        loss = torch.nn.functional.mse_loss(net(x), x)
    if train:
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


history = [(epoch(True), epoch(False)) for _ in range(3)]


# %% A transformer layer, in both modes
layer = torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.1, batch_first=True)
head = torch.nn.Linear(4, 2)
opt = torch.optim.AdamW([*layer.parameters(), *head.parameters()], lr=1e-3)
x, y = torch.randn(4, 5, 4), torch.randint(0, 2, (4,))
for step in range(2):
    layer.train()
    opt.zero_grad()
    torch.nn.functional.cross_entropy(head(layer(x)[:, 0]), y).backward()
    opt.step()
    layer.eval()
    with torch.no_grad():
        accuracy = (head(layer(x)[:, 0]).argmax(1) == y).float().mean()


# %% What a network with dropout and a softmax at its end gives for zeros
net = torch.nn.Sequential(
    torch.nn.Linear(4, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 3), torch.nn.Softmax(-1)
)
with torch.no_grad():
    size = net(torch.zeros(1, 4)).shape


# %% Dropout that is asked for in evaluation mode, for samples
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = torch.nn.Linear(2, 8), torch.nn.Linear(8, 1)

    def forward(self, x):
        h = torch.nn.functional.dropout(self.hidden(x).relu(), 0.5, training=True)
        return self.out(h)


net = Net()
x = torch.randn(5, 2)
net.eval()
with torch.no_grad():
    samples = torch.stack([net(x) for _ in range(4)])
spread = samples.std(0)


# %% A student with dropout, and a teacher in evaluation mode
class Net(torch.nn.Module):
    def __init__(self, drops):
        super().__init__()
        self.drops = drops
        self.hidden, self.out = torch.nn.Linear(2, 8), torch.nn.Linear(8, 1)

    def forward(self, x):
        h = self.hidden(x).relu()
        if self.drops:
            h = torch.nn.functional.dropout(h, 0.5)
        return self.out(h)


student, teacher = Net(True), Net(False)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(5, 2)
teacher.eval()
for step in range(3):
    with torch.no_grad():
        wanted = teacher(x)
    opt.zero_grad()
    torch.nn.functional.mse_loss(student(x), wanted).backward()
    opt.step()

# %% A model of main() that goes back to training mode after each evaluation
import torch
from torch import nn


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def fit(model, x, y, epochs):
    opt = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        model.train()
        for i in range(0, len(x), 12):
            opt.zero_grad()
            nn.functional.cross_entropy(model(x[i : i + 12]), y[i : i + 12]).backward()
            opt.step()
        evaluate(model, x, y)


def main():
    x = torch.randn(36, 5)
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
    fit(model, x, (x[:, 0] > 0).long(), 3)


main()
