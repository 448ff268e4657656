# %% Rnn carry, as it should be
import torch
from torch import nn

torch.manual_seed(1)


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, 8)
        self.rnn = nn.GRU(8, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h):
        y, h = self.rnn(self.emb(x), h)
        return self.out(y), h


def main():
    data = torch.randint(0, 12, (4, 101))
    model = CharRNN(12, 16)
    optimizer = torch.optim.Adam(model.parameters())
    loss_fn = nn.CrossEntropyLoss()
    hidden = torch.zeros(1, 4, 16)
    for i in range(0, 100, 10):
        x, y = data[:, i : i + 10], data[:, i + 1 : i + 11]
        logits, hidden = model(x, hidden.detach())
        loss = loss_fn(logits.reshape(-1, 12), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())


main()

# %% Ctc logits, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class ASR(nn.Module):
    def __init__(self, feats, vocab):
        super().__init__()
        self.rnn = nn.LSTM(feats, 16, batch_first=True)
        self.fc = nn.Linear(16, vocab)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.fc(out)


model = ASR(6, 5)
ctc = nn.CTCLoss(blank=0)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(3, 12, 6)
targets = torch.randint(1, 5, (3, 4))
in_len, tgt_len = torch.full((3,), 12), torch.full((3,), 4)
for step in range(10):
    logits = model(x).transpose(0, 1).log_softmax(-1)
    loss = ctc(logits, targets, in_len, tgt_len)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Gather unbatched hidden, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 16, padding_idx=0)
        self.lstm = nn.LSTM(16, 12, num_layers=2, batch_first=True)
        self.fc = nn.Linear(12, 2)

    def forward(self, tokens, hidden):
        out, hidden = self.lstm(self.embedding(tokens), hidden)
        return self.fc(out[:, -1]), hidden

    def init_hidden(self, n):
        return torch.zeros(2, n, 12), torch.zeros(2, n, 12)


model = Sentiment()
opt = torch.optim.Adam(model.parameters())
for _ in range(2):
    tokens, y = torch.randint(0, 50, (4, 7)), torch.randint(0, 2, (4,))
    out, _ = model(tokens, model.init_hidden(4))
    loss = nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Seq last wrong dim, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class LSTMClf(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 16, batch_first=True)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.fc(out[:, -1, :])


model = LSTMClf()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
X = torch.randn(64, 9, 3)
y = (X[:, :, 0].sum(1) > 0).long()
for epoch in range(40):
    loss = nn.functional.cross_entropy(model(X), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Cosine max steps, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def warmup(step):
    return (step + 1) / 10


sched = torch.optim.lr_scheduler.LambdaLR(opt, warmup)
x = torch.randn(50, 5)
y = x.sum(1, keepdim=True)
for i in range(9):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(loss.item())

# %% Stateful hidden attr, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 8, batch_first=True)
        self.fc = nn.Linear(8, 1)
        self.state = None

    def forward(self, x):
        out, self.state = self.lstm(x, self.state)
        self.state = tuple(s.detach() for s in self.state)
        return self.fc(out)


series = torch.sin(torch.linspace(0, 20, 201)).reshape(1, -1, 1)
model = Forecaster()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for t in range(0, 200, 20):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(series[:, t : t + 20]), series[:, t + 1 : t + 21])
    loss.backward()
    opt.step()
print(loss.item())

# %% Pack unsorted, as it should be
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

torch.manual_seed(0)
emb, rnn, fc = nn.Embedding(30, 8), nn.GRU(8, 8, batch_first=True), nn.Linear(8, 2)
params = [*emb.parameters(), *rnn.parameters(), *fc.parameters()]
opt = torch.optim.Adam(params)
tok = torch.randint(1, 30, (4, 6))
lengths = torch.tensor([3, 6, 2, 5])
y = torch.tensor([0, 1, 0, 1])
for _ in range(3):
    packed = pack_padded_sequence(emb(tok), lengths, batch_first=True, enforce_sorted=False)
    _, h = rnn(packed)
    loss = nn.functional.cross_entropy(fc(h[-1]), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Emb oov, as it should be
import torch
from torch import nn

torch.manual_seed(0)
sentences = ["the cat sat", "a dog ran fast", "the bird flew"]
vocab = {}
for s in sentences[:2]:
    for w in s.split():
        vocab.setdefault(w, len(vocab))


def encode(s):
    return torch.tensor([vocab.get(w, len(vocab)) for w in s.split()])


class Bag(nn.Module):
    def __init__(self, n, d=8):
        super().__init__()
        self.emb = nn.Embedding(n, d)
        self.fc = nn.Linear(d, 2)

    def forward(self, t):
        return self.fc(self.emb(t).mean(0, keepdim=True))


model = Bag(len(vocab) + 1)
opt = torch.optim.Adam(model.parameters())
for s, y in zip(sentences, [0, 1, 0]):
    loss = nn.functional.cross_entropy(model(encode(s)), torch.tensor([y]))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Mean over padding, as it should be
import torch
from torch import nn

torch.manual_seed(0)
emb = nn.Embedding(10, 4, padding_idx=0)
query = torch.randn(4)
opt = torch.optim.SGD(emb.parameters(), lr=0.1)
tok = torch.tensor([[1, 2, 0], [3, 0, 0]])
mask = tok == 0
for _ in range(3):
    scores = emb(tok) @ query
    scores[mask] = float("-inf")
    att = scores.softmax(1)
    loss = (att.unsqueeze(-1) * emb(tok)).sum(1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Lstm batch first last, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 16, batch_first=True)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1])


X = torch.randn(40, 12, 3)
Y = (X.sum((1, 2)) > 0).long()
net = Classifier()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(10):
    for i in range(0, 40, 8):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(X[i : i + 8]), Y[i : i + 8])
        loss.backward()
        opt.step()
print(loss.item())

# %% Hn view layers, as it should be
import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self, vocab=20, dim=8, hidden=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, 3)

    def forward(self, tokens):
        _, h = self.rnn(self.emb(tokens))
        h = h.transpose(0, 1).reshape(tokens.shape[0], -1)
        return self.out(h)


tokens = torch.randint(0, 20, (16, 7))
labels = tokens[:, 0] % 3
net = Encoder()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for i in range(30):
    loss = nn.functional.cross_entropy(net(tokens), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Gru tuple, as it should be
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(12, 6), nn.GRU(6, 8, batch_first=True))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = model
        self.out = nn.Linear(8, 4)

    def forward(self, t):
        h, _ = self.encode(t)
        return self.out(h)


net = Tagger()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
t = torch.randint(0, 12, (5, 9))
y = t % 4
for i in range(4):
    loss = nn.functional.cross_entropy(net(t).transpose(1, 2), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# %% Hidden states carried over from chunk to chunk, reset at each epoch
import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self, words=8, width=12):
        super().__init__()
        self.emb, self.rnn = nn.Embedding(words, 6), nn.GRU(6, width, batch_first=True)
        self.out = nn.Linear(width, words)

    def forward(self, ids, state):
        y, state = self.rnn(self.emb(ids), state)
        return self.out(y), state


def repackage(state):
    return None if state is None else state.detach()


# %%
text = torch.arange(60).remainder(8).view(2, 30)
model = Model()
opt = torch.optim.Adam(model.parameters(), lr=2e-2)
for epoch in range(4):
    state = None
    for i in range(0, 28, 7):
        state = repackage(state)
        scores, state = model(text[:, i : i + 7], state)
        loss = nn.functional.cross_entropy(scores.transpose(1, 2), text[:, i + 1 : i + 8])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
print(loss.item())

# %% A translator that is taught with its own words now and then
import torch
from torch import nn

torch.manual_seed(0)


class Seq2Seq(nn.Module):
    def __init__(self, words=7, h=12):
        super().__init__()
        self.emb, self.enc, self.dec = (
            nn.Embedding(words, h),
            nn.GRU(h, h, batch_first=True),
            nn.GRUCell(h, h),
        )
        self.out = nn.Linear(h, words)

    def forward(self, src, dst, forced):
        _, state = self.enc(self.emb(src))
        state, word, scores = state.squeeze(0), dst[:, 0], []
        for t in range(1, dst.shape[1]):
            state = self.dec(self.emb(word), state)
            scores.append(self.out(state))
            word = dst[:, t] if forced[t] else scores[-1].argmax(1)
        return torch.stack(scores, 1)


# %%
src = torch.randint(1, 7, (16, 4))
dst = torch.cat([torch.zeros(16, 1, dtype=torch.long), src.flip(1)], 1)
model = Seq2Seq()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for it in range(15):
    scores = model(src, dst, torch.rand(5) < 0.5)
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), dst[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
