# %% Multi-head attention
nn = torch.nn
torch.manual_seed(0)
q, k, v = torch.randn(4, 2, 8), torch.randn(5, 2, 8), torch.randn(5, 2, 8)
causal = nn.Transformer.generate_square_subsequent_mask(4)
show(causal)
for options in (
    {},
    {"bias": False},
    {"add_bias_kv": True},
    {"add_zero_attn": True},
    {"kdim": 8, "vdim": 8, "dropout": 0.3},
    {"batch_first": True},
):
    m = nn.MultiheadAttention(8, 2, **options)
    show(m, [(n, tuple(p.shape), p.abs().sum()) for n, p in m.named_parameters()])
    a = (q, k, v) if not m.batch_first else (q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1))
    out, weights = m(*a)
    show(out.shape, out.sum(), weights)
    out.pow(2).sum().backward()
    show([f"{p.grad.abs().sum():.3f}" for p in m.parameters()])
    padding = torch.tensor([[False, False, False, True, True], [False] * 5])
    out, weights = m(*a, key_padding_mask=padding, average_attn_weights=False)
    show(out.sum(), weights.shape, weights[0, :, 0])
    out, weights = m(a[0], a[0], a[0], attn_mask=causal, need_weights=False, is_causal=True)
    show(out.sum(), weights)
    show(m(q[:, 0], k[:, 0], v[:, 0])[0].shape)
m = nn.MultiheadAttention(8, 4, kdim=3, vdim=5)
show(
    [(n, tuple(p.shape)) for n, p in m.named_parameters()],
    m(q, torch.ones(5, 2, 3), torch.ones(5, 2, 5))[0].sum(),
)


# %% Encoder and decoder layers
nn = torch.nn
torch.manual_seed(1)
weight = torch.arange(8.0)


def size(x):
    return f"{(x * weight).abs().sum():.3f}"


src, tgt = torch.randn(5, 2, 8), torch.randn(3, 2, 8)
mask = nn.Transformer.generate_square_subsequent_mask
for options in (
    {},
    {"norm_first": True, "activation": "gelu"},
    {"bias": False, "dropout": 0.0},
    {"activation": torch.tanh, "batch_first": True},
):
    e, d = nn.TransformerEncoderLayer(8, 2, 16, **options), nn.TransformerDecoderLayer(8, 2, 16, **options)
    show(e, d)
    encoder, decoder = nn.TransformerEncoder(e, 2), nn.TransformerDecoder(d, 2, nn.LayerNorm(8))
    a, b = (src.transpose(0, 1), tgt.transpose(0, 1)) if "batch_first" in options else (src, tgt)
    for mode in (True, False):
        encoder.train(mode)
        decoder.train(mode)
        memory = encoder(a)
        show(
            size(memory),
            size(encoder(a, mask=mask(5), is_causal=True)),
            size(encoder(a, mask(5))),
            size(encoder(a, mask=torch.eye(5).bool())),
        )
        out = decoder(b, memory, tgt_mask=mask(3))
        show(
            size(out),
            size(
                decoder(
                    b,
                    memory,
                    tgt_mask=mask(3),
                    tgt_is_causal=True,
                    memory_key_padding_mask=torch.tensor([[False] * 4 + [True]] * 2),
                )
            ),
        )
        encoder.zero_grad()
        decoder.zero_grad()
        (out * weight).abs().sum().backward()
        show([f"{p.grad.abs().sum():.1f}" for p in [*encoder.parameters(), *decoder.parameters()]])


# %% Transformer, and its fast path
import warnings

warnings.filterwarnings("ignore", message=".*nested tensors is in prototype.*")
nn = torch.nn
torch.manual_seed(2)
t = nn.Transformer(8, 2, 1, 2, 16)
show(t, [(n, f"{p.abs().sum():.2f}") for n, p in t.named_parameters()])
src, tgt = torch.randn(5, 2, 8), torch.randn(3, 2, 8)
show(
    t(src, tgt, tgt_mask=t.generate_square_subsequent_mask(3))[0],
    t.eval()(src, tgt)[0],
    t(src[:, 0], tgt[:, 0]).shape,
)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).eval()
padding = torch.tensor([[False, False, True], [False, False, False]])
show(encoder(tgt.transpose(0, 1), src_key_padding_mask=padding))
with torch.no_grad():
    show(encoder(tgt.transpose(0, 1), src_key_padding_mask=padding))
m = nn.MultiheadAttention(8, 2)
for f in (
    lambda: nn.MultiheadAttention(8, 3),
    lambda: nn.MultiheadAttention(0, 3),
    lambda: nn.TransformerDecoderLayer(8, 2, activation="x"),
    lambda: t(src, tgt[:, :1]),
    lambda: t(src[..., :7], tgt),
    lambda: m(src[..., :7], src, src),
    lambda: m(src, src, src, attn_mask=torch.zeros(2, 2)),
    lambda: m(src, src, src, is_causal=True),
    lambda: m(src, src, src, key_padding_mask=torch.zeros(3, 2)),
    lambda: nn.TransformerEncoderLayer(8, 2)(src, is_causal=True),
):
    show(result_or_error(f))


# %% A classifier of sequences
# A classifier of sequences: embeddings, positions, an encoder, trained with warm-up.
import math

nn, F = torch.nn, torch.nn.functional
torch.manual_seed(3)


class Positions(nn.Module):
    def __init__(self, width, longest=20):
        super().__init__()
        place = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        table = torch.zeros(longest, width)
        table[:, 0::2], table[:, 1::2] = torch.sin(place * rate), torch.cos(place * rate)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[: x.size(1)]


class Classifier(nn.Module):
    def __init__(self, words, width=8):
        super().__init__()
        self.embed = nn.Embedding(words, width, padding_idx=0)
        self.positions = Positions(width)
        layer = nn.TransformerEncoderLayer(width, 2, 16, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.out = nn.Linear(width, 2)

    def forward(self, ids):
        hidden = ids == 0
        x = self.encoder(self.positions(self.embed(ids)), src_key_padding_mask=hidden)
        return self.out(x.masked_fill(hidden.unsqueeze(-1), 0).sum(1) / (~hidden).sum(1, keepdim=True))


ids = torch.randint(1, 12, (16, 6))
ids[::3, 4:] = 0
labels = (ids[:, 0] > ids[:, 1]).long()
model = Classifier(12)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, betas=(0.9, 0.98), eps=1e-9)
warmup = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda step: min((step + 1) ** -0.5, (step + 1) * 4**-1.5)
)
for step in range(8):
    loss = F.cross_entropy(model(ids), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    warmup.step()
    show(step, f"{loss.item():.4f}", f"{warmup.get_last_lr()[0]:.5f}")


# %% Ways to compute attention
SDPBackend, sdpa_kernel = torch.nn.attention.SDPBackend, torch.nn.attention.sdpa_kernel
F, cuda = torch.nn.functional, torch.backends.cuda
q = (torch.arange(24.0).reshape(1, 2, 3, 4) / 10).requires_grad_()
enabled = (
    cuda.flash_sdp_enabled,
    cuda.math_sdp_enabled,
    cuda.mem_efficient_sdp_enabled,
    cuda.cudnn_sdp_enabled,
)
for backend in SDPBackend.__members__.values():
    for chosen in (backend, [backend, SDPBackend.MATH]):
        with sdpa_kernel(chosen):
            attempt(lambda: history(F.scaled_dot_product_attention(q, q, q, is_causal=True)))
            if backend is not SDPBackend.FLASH_ATTENTION:  # of which PyTorch says in warnings why it can't
                attempt(lambda: F.scaled_dot_product_attention(q, q, q, dropout_p=1e-9).shape)
            show([f() for f in enabled])
show([f() for f in enabled], repr(SDPBackend.MATH), int(SDPBackend.CUDNN_ATTENTION))
for wrong in ("math", 3, None, []):
    with sdpa_kernel(SDPBackend.MATH):
        attempt(lambda: sdpa_kernel(wrong).__enter__())
cuda.enable_flash_sdp(False)
show(history(F.scaled_dot_product_attention(q, q, q)))
cuda.enable_flash_sdp(True)


@torch.profiler.record_function("forward")
def forward(x):
    with torch.profiler.record_function("inner"):
        return x * 2


show(forward(q[0, 0]))
