# %% Recurrent layers over sequences, packed and padded
import warnings

warnings.filterwarnings("ignore", message=".*oneDNN.*")
nn, R = torch.nn, torch.nn.utils.rnn
torch.manual_seed(0)
x = torch.randn(5, 3, 4)
lengths = [2, 5, 3]
for make in (
    lambda: nn.RNN(4, 3),
    lambda: nn.RNN(4, 3, 2, nonlinearity="relu", bidirectional=True, bias=False),
    lambda: nn.LSTM(4, 3, 2, bidirectional=True, dropout=0.4),
    lambda: nn.LSTM(4, 5, proj_size=2, num_layers=2),
    lambda: nn.GRU(4, 3, 2, batch_first=True),
    lambda: nn.GRU(4, 3, bidirectional=True),
):
    layer = make()
    show(
        layer, [(n, tuple(p.shape)) for n, p in layer.named_parameters()], layer.mode, len(layer.all_weights)
    )
    several = isinstance(layer, nn.LSTM)
    out, state = layer(x)
    show(out.shape, out.sum(), [s.shape for s in state] if several else state.shape)
    (out.pow(2).sum() + (state[0] * state[1].sum(-1, keepdim=True) if several else state).sum()).backward()
    show([f"{p.grad.abs().sum():.2f}" for p in layer.parameters()])
    layer.eval()
    one, last = layer(x[0] if layer.batch_first else x[:, 0])
    show(one.shape, one.sum(), last[0].shape if several else last.shape)
    packed = R.pack_padded_sequence(
        x.transpose(0, 1) if layer.batch_first else x,
        lengths,
        batch_first=layer.batch_first,
        enforce_sorted=False,
    )
    out, state = layer(packed)
    padded, n = R.pad_packed_sequence(out, batch_first=layer.batch_first)
    show(type(out).__name__, out.batch_sizes, padded, n, state)
    layer.zero_grad()
    padded.sum().backward()
    show([f"{p.grad.abs().sum():.2f}" for p in layer.parameters()])
    begin = torch.randn_like(state[0]) if several else torch.randn_like(state)
    again, _ = layer(packed, (begin, torch.ones_like(state[1])) if several else begin)
    show(again.data.sum())


# %% Cells
nn = torch.nn
torch.manual_seed(1)
x = torch.randn(2, 4, requires_grad=True)
for cell in (
    nn.RNNCell(4, 3),
    nn.RNNCell(4, 3, bias=False, nonlinearity="relu"),
    nn.LSTMCell(4, 3),
    nn.GRUCell(4, 3),
):
    state = None
    for _ in range(3):
        state = cell(x, state)
    out = state[0] + state[1] if isinstance(state, tuple) else state
    x.grad = None
    out.sum().backward()
    show(cell, out, x.grad, [p.grad.sum() for p in cell.parameters()])
    show(cell(x[0])[0].shape)


# %% What recurrent layers refuse
nn, R = torch.nn, torch.nn.utils.rnn
r, l, g = nn.RNN(3, 4), nn.LSTM(3, 4, num_layers=2), nn.GRU(3, 4)
x, one = torch.ones(5, 2, 3), torch.ones
for f in (
    lambda: r(one(2)),
    lambda: g(one(2)),
    lambda: r(one(5, 2, 7)),
    lambda: r(x, one(1, 2, 5)),
    lambda: r(x, one(2, 4)),
    lambda: r(one(5, 3), one(1, 2, 4)),
    lambda: l(x, (one(1, 2, 4), one(1, 2, 4))),
    lambda: l(x, (one(2, 4), one(2, 4))),
    lambda: l(one(5, 3), (one(2, 1, 4), one(2, 1, 4))),
    lambda: nn.RNN(3, 0),
    lambda: nn.LSTM(0, 3),
    lambda: nn.GRU(-1, 3),
    lambda: nn.RNN(3, 4, num_layers=0),
    lambda: nn.RNN(3, 4, nonlinearity="x"),
    lambda: nn.RNN(3, 4, dropout=2),
    lambda: nn.RNN(3, 4, proj_size=2),
    lambda: nn.LSTM(3, 4, proj_size=4),
    lambda: nn.LSTM(3, 4, proj_size=-1),
    lambda: nn.RNN(3, "4"),
    lambda: l(x.double()),
    lambda: nn.RNNCell(3, 4)(one(2, 5)),
    lambda: nn.RNNCell(3, 4)(one(2, 3), one(2, 5)),
    lambda: nn.LSTMCell(3, 4)(one(2, 2, 3)),
    lambda: nn.GRUCell(3, 4)(one(3), one(2, 2, 4)),
    lambda: nn.GRUCell(3, 4)(one(2, 3), one(3, 4)),
    lambda: nn.RNNCell(3, 4, nonlinearity="x")(one(3)),
    lambda: nn.GRU(3, 4, dropout=0.5),
):
    show(result_or_error(f))
p = R.pack_padded_sequence(torch.arange(12.0).view(3, 4), [3, 2, 2, 1])
show(
    p,
    p.to(torch.float64),
    p.int().data.dtype,
    p.cpu() is p,
    p.is_cuda,
    R.invert_permutation(torch.tensor([2, 0, 1])),
)
a, b = one(2), one(3)
for f in (
    lambda: R.pack_padded_sequence(x, [1, 2]),
    lambda: R.pack_padded_sequence(x, [5, 0]),
    lambda: R.pack_padded_sequence(x, [5]),
    lambda: R.pack_padded_sequence(x, [2, 5], enforce_sorted=False),
    lambda: R.pad_packed_sequence(p, total_length=2),
    lambda: R.pad_packed_sequence(p, batch_first=True, padding_value=-1, total_length=4),
    lambda: R.pad_sequence([]),
    lambda: R.pad_sequence([a, one(2, 2)]),
    lambda: R.pad_sequence([a, b], padding_side="left", batch_first=True, padding_value=7),
    lambda: R.pad_sequence([a], padding_side="x"),
    lambda: R.pad_sequence(one(2, 3)),
    lambda: R.pad_sequence(3),
    lambda: R.pack_sequence([a, b]),
    lambda: R.pack_sequence([a, b], enforce_sorted=False),
    lambda: R.unpack_sequence(R.pack_sequence([b, a])),
    lambda: R.unpad_sequence(one(3, 2), torch.tensor([2, 3])),
):
    show(result_or_error(f))


# %% A language model over characters
# A language model over characters: embeddings, an LSTM whose state is carried from batch to batch, sampling.
import math

nn, F = torch.nn, torch.nn.functional
torch.manual_seed(2)
text = "hello world, this is a little text. " * 3
letters = sorted(set(text))
data = torch.tensor([letters.index(c) for c in text])


class CharLSTM(nn.Module):
    def __init__(self, n, width=12):
        super().__init__()
        self.embed = nn.Embedding(n, 8)
        self.lstm = nn.LSTM(8, width, num_layers=2, batch_first=True, dropout=0.1)
        self.out = nn.Linear(width, n)

    def forward(self, x, state=None):
        h, state = self.lstm(self.embed(x), state)
        return self.out(h), state


model = CharLSTM(len(letters))
show(model, sum(p.numel() for p in model.parameters()))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
state = None
for step in range(8):
    start = (step % 4) * 20
    batch = torch.stack([data[start : start + 21], data[start + 5 : start + 26]])
    logits, state = model(batch[:, :-1], state)
    state = tuple(s.detach() for s in state)
    loss = F.cross_entropy(logits.reshape(-1, len(letters)), batch[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    show(step, f"{loss.item():.4f}")
model.eval()
with torch.no_grad():
    out, state = [data[:1]], None
    for _ in range(10):
        logits, state = model(out[-1].view(1, 1), state)
        out.append(logits[0, -1].argmax().view(1))
show("".join(letters[i] for i in torch.cat(out)))


# %% Hidden states kept between steps, detached or not
# Loops over a graph: the hidden state kept between steps, detached or not.
w = torch.tensor(0.5, requires_grad=True)
for cut in (True, False):
    h = torch.tensor(1.0)
    w.grad = None
    try:
        for step in range(3):
            if cut:
                h = h.detach()
            h = torch.tanh(w * h)
            h.backward()
            show(cut, step, w.grad)
    except RuntimeError as error:
        show(cut, step, error)
h = torch.tensor(1.0)
w.grad = None
losses = []
for step in range(3):
    h = torch.tanh(w * h)
    losses.append(h)
sum(losses).backward()
show(w.grad)
total = 0.0
w.grad = None
for step in range(3):
    loss = (w * step) ** 2
    total += loss
show(total, total.requires_grad)
total.backward()
show(w.grad)
