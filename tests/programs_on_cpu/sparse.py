# %% Sparse gradients of an embedding, and how they add up
torch.sparse.check_sparse_tensor_invariants.disable()
emb = torch.nn.Embedding(5, 2, sparse=True, padding_idx=1)
emb.weight.data.fill_(1)
i = torch.tensor([[1, 2], [2, 4]])
(emb(i) * torch.arange(8.0).view(2, 2, 2)).sum().backward()
g = emb.weight.grad
show(
    g, g._version, g.is_coalesced(), g.grad_fn, g.layout, g.is_sparse, g._nnz(), g.sparse_dim(), g.dense_dim()
)
show(
    g._indices().stride(),
    g._values().stride(),
    g._indices().dtype,
    g.requires_grad,
    g.is_leaf,
    g.shape,
    g.dtype,
)
(emb(i)).sum().backward()
show(emb.weight.grad is g, g, g._version)
show(g.coalesce(), g.coalesce().indices(), g.coalesce().values(), g.to_dense())
emb.zero_grad(set_to_none=False)
show(emb.weight.grad is g, g, g._version)
emb(i).sum().backward()
show(g)
emb.zero_grad()
show(emb.weight.grad)

# %% Many passes without coalescing
emb = torch.nn.Embedding(4, 2, sparse=True)
i = torch.tensor([1, 1, 2])
for _ in range(4):
    emb(i).sum().backward()
    show(emb.weight.grad._indices(), emb.weight.grad._version)
emb.weight.grad = None
for _ in range(3):
    (emb(i) * torch.ones(3, 2)).sum().backward()
    show(emb.weight.grad, emb.weight.grad._version)

# %% Dense and sparse gradients of one weight
emb = torch.nn.Embedding(3, 2, sparse=True)
emb.weight.data.fill_(1.0)
(emb(torch.tensor([1, 1])).sum() + emb.weight.sum()).backward()
show(emb.weight.grad)
emb.weight.grad = None
emb.weight.sum().backward()
emb(torch.tensor([1])).sum().backward()
show(emb.weight.grad, emb.weight.grad._version)
emb.weight.grad = None
emb(torch.tensor([1])).sum().backward()
emb.weight.sum().backward()
show(emb.weight.grad, emb.weight.grad._version)
emb.weight.grad = None
(emb(torch.tensor([1])).sum() + emb(torch.tensor([2, 0])).sum()).backward()
show(emb.weight.grad, emb.weight.grad._version)

# %% Hooks and autograd.grad get sparse gradients
emb = torch.nn.Embedding(4, 2, sparse=True)
handle = emb.weight.register_hook(lambda g: show("hook", g.layout, g.is_coalesced(), g))
emb(torch.tensor([1, 1])).sum().backward()
show(torch.autograd.grad(emb(torch.tensor([1, 3])).sum(), emb.weight))
handle.remove()
emb.weight.register_hook(lambda g: g * 2)
emb.weight.register_post_accumulate_grad_hook(lambda p: show("after", p.grad))
emb.weight.grad = None
emb(torch.tensor([1, 3])).sum().backward()
show(emb.weight.grad)
emb.weight.grad = torch.zeros(4, 2)
show(emb.weight.grad)
emb.weight.grad = torch.sparse_coo_tensor([[0]], [[1.0, 2.0]], (4, 2))
show(emb.weight.grad)
attempt(lambda: setattr(emb.weight, "grad", torch.sparse_coo_tensor([[0]], [[1.0, 2.0]], (5, 2))))

# %% Bags, functional forms, gather
F, nn = torch.nn.functional, torch.nn
torch.manual_seed(0)
i, o = torch.tensor([0, 1, 1, 3]), torch.tensor([0, 3])
for mode in ("sum", "mean", "max"):
    try:
        bag = nn.EmbeddingBag(4, 2, sparse=True, mode=mode)
        bag(i, o).sum().backward()
        show(bag.weight.grad)
    except Exception as error:
        show(type(error).__name__, error)
bag = nn.EmbeddingBag(4, 2, sparse=True, mode="sum", padding_idx=1)
bag(i, o).sum().backward()
show(bag.weight.grad)
w = torch.tensor([1.0, 2, 3, 4], requires_grad=True)
bag = nn.EmbeddingBag(4, 2, sparse=True, mode="sum")
bag(i, o, w).sum().backward()
show(bag.weight.grad, w.grad)
for make in (nn.EmbeddingBag, nn.Embedding):
    bag = make(4, 2, sparse=True, scale_grad_by_freq=True)
    attempt(lambda: bag(*([i, o] if make is nn.EmbeddingBag else [i])).sum().backward())
weight = torch.ones(4, 2, requires_grad=True)
F.embedding(torch.tensor([[3], [3]]), weight, sparse=True).sum().backward()
show(weight.grad)
weight.grad = None
F.embedding_bag(i, weight, o, sparse=True).sum().backward()
show(weight.grad)
g = torch.nn.Parameter(torch.eye(3))
g.gather(0, torch.tensor([[0, 1, 2]]), sparse_grad=True).sum().backward()
show(g.grad)
double = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
F.embedding(torch.tensor([2, 2]), double, sparse=True).sum().backward()
show(double.grad)

# %% A second derivative through a sparse gradient
weight = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
y = (torch.nn.functional.embedding(torch.tensor([1, 1]), weight, sparse=True) ** 2).sum()
attempt(lambda: torch.autograd.grad(y, weight, create_graph=True)[0].to_dense())

# %% Making sparse tensors
torch.sparse.check_sparse_tensor_invariants.disable()
S = torch.sparse_coo_tensor
for call in (
    lambda: S([[0, 1]], [1.0, 2]),
    lambda: S([[0, 1]], [1, 2], (3,)),
    lambda: S([[0, 1], [1, 2]], [[1.0, 2], [3, 4]], (2, 3, 2)),
    lambda: S([[0, 5]], [1.0, 2], (3,), check_invariants=True),
    lambda: S([[0, -1]], [1.0, 2], (3,), check_invariants=True),
    lambda: S([0, 1], [1.0, 2], (3,)),
    lambda: S([[0.0, 1]], [1.0, 2], (3,)),
    lambda: S([[0, 1]], [1.0, 2, 3], (3,)),
    lambda: S([[0, 1]], [1.0, 2], (3, 4)),
    lambda: S((2, 3)),
    lambda: S(size=(2, 3)),
    lambda: S(1, 2, 3),
    lambda: S([[0, 1]], [1.0, 2], (3,), dtype=torch.float64),
    lambda: S([[0, 1]], [1.0, 2], (3,), dtype=torch.int64),
    lambda: S([[0, 1]], [1.0, 2], (3,), requires_grad=True),
    lambda: S([[0, 1]], [1, 2], (3,), requires_grad=True),
    lambda: S([[0, 1]], [1.0, 2], (3,), is_coalesced=True).is_coalesced(),
    lambda: S(torch.empty(2, 0), torch.empty(0), (2, 3)),
    lambda: S(torch.empty(2, 0, dtype=torch.int64), torch.empty(0, 2), (2, 3, 2)),
    lambda: S(torch.tensor([[0, 1]], dtype=torch.int32), [1.0, 2], (3,))._indices().dtype,
    lambda: S([[1, 0, 1]], [1.0, 2, 3], (2,)).coalesce(),
    lambda: S(torch.empty(0, 2, dtype=torch.int64), [1.0, 2], ()).coalesce(),
    lambda: S(torch.empty(0, 2, dtype=torch.int64), [1.0, 2], ()).to_dense(),
    lambda: S([[0, 1]], [1j, 2], (3,)),
    lambda: S([[0]], [True], (3,)),
    lambda: torch.zeros(2, 3, layout=torch.sparse_coo),
    lambda: torch.empty(2, 3, layout=torch.sparse_coo),
    lambda: torch.ones(2, 3, layout=torch.sparse_coo),
    lambda: torch.full((2,), 1.0, layout=torch.sparse_coo),
    lambda: torch.zeros_like(S((2, 3))),
    lambda: torch.empty_like(S((2, 3))),
    lambda: torch.eye(3).to_sparse(),
    lambda: torch.eye(3).to_sparse(1),
    lambda: torch.eye(3).to_sparse(4),
    lambda: torch.eye(3).to_sparse(0),
    lambda: torch.eye(3).to_sparse(layout=torch.strided),
    lambda: torch.eye(3).to_sparse_coo(),
    lambda: torch.tensor(3.0).to_sparse(),
    lambda: torch.tensor(0.0).to_sparse(),
    lambda: torch.eye(2).to_dense(torch.float64),
    lambda: S([[0, 1]], [1.0, 2], (3,)).to_dense(dtype=torch.float64),
    lambda: S(torch.arange(2000)[None], torch.arange(2000.0), (3000,)),
    lambda: S([[0, 1]], [[1.0, 2], [3, 4]], (3, 2)).double().requires_grad_(),
):
    attempt(call)

# %% What a sparse tensor tells of itself
torch.sparse.check_sparse_tensor_invariants.disable()
x = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4, 5], (2, 3))
d = torch.ones(2, 3)
for call in (
    lambda: (
        x.shape,
        x.size(0),
        x.dim(),
        x.numel(),
        x.dtype,
        x.device,
        x.layout,
        x.is_sparse,
        d.is_sparse,
        x.stride(),
    ),
    lambda: (
        x.is_floating_point(),
        x.is_complex(),
        x.element_size(),
        x.is_contiguous(),
        x.storage_offset(),
        x.type(),
        len(x),
    ),
    lambda: (
        x.requires_grad,
        x.is_leaf,
        x.grad_fn,
        x._version,
        x.is_coalesced(),
        x.coalesce().is_coalesced(),
        x.is_same_size(d),
    ),
    lambda: x.indices(),
    lambda: x.values(),
    lambda: d.indices(),
    lambda: d.values(),
    lambda: d.coalesce(),
    lambda: d.is_coalesced(),
    lambda: (d.sparse_dim(), d.dense_dim(), x.sparse_dim(), x.dense_dim()),
    lambda: x.nbytes,
    lambda: x.numpy(),
    lambda: np.asarray(x),
    lambda: x.tolist(),
    lambda: x.item(),
    lambda: torch.sparse_coo_tensor([[0, 0]], [3.0, 4], (1,)).item(),
    lambda: bool(x),
    lambda: x.untyped_storage(),
    lambda: x.data_ptr(),
    lambda: x.contiguous(),
    lambda: x.copy_(d),
    lambda: d.copy_(x),
    lambda: x.reshape(6),
    lambda: x.flatten(),
    lambda: x.expand(2, 2, 3),
    lambda: x.repeat(1, 2),
    lambda: list(x),
    lambda: x[0],
    lambda: x[0, 0],
    lambda: x[:, 0],
    lambda: x[None],
    lambda: x.__setitem__(0, 1),
    lambda: str(x) == repr(x) == format(x),
    lambda: torch.is_tensor(x),
    lambda: torch.result_type(x, x),
):
    try:
        show(call())
    except Exception as error:
        show(type(error).__name__, str(error) if "Could not run" not in str(error) else "")

# %% Arithmetic of sparse tensors
torch.sparse.check_sparse_tensor_invariants.disable()
x = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4, 5], (2, 3))
c = x.coalesce()
d = torch.ones(2, 3)
h = torch.sparse_coo_tensor([[2, 0, 2]], [[1.0, 2], [3, 4], [5, 6]], (3, 2))
for call in (
    lambda: x + x, lambda: c + c, lambda: c + x, lambda: x - x, lambda: x * x, lambda: c * c, lambda: x * 2, lambda: 2 * x, lambda: x / 2,
    lambda: -x, lambda: x * d, lambda: d * x, lambda: d + x, lambda: d - x, lambda: x + d, lambda: x - d, lambda: x / d, lambda: x / x,
    lambda: d.sub(x, alpha=2), lambda: d.add(x, alpha=2), lambda: x.add(x, alpha=3), lambda: d + x.double(), lambda: d.double() + x,
    lambda: d.long() + x, lambda: x.long() + x, lambda: torch.ones(3) + x, lambda: torch.ones(()) + x, lambda: x + torch.ones(()), lambda: x + 1,
    lambda: 2 - x, lambda: x * torch.tensor(2.0), lambda: x / torch.tensor(2.0), lambda: x // 2, lambda: x.floor_divide(2), lambda: x.pow(2),
    lambda: x**2, lambda: x.sum(), lambda: x.sum(0), lambda: x.sum(1, keepdim=True), lambda: x.sum(dtype=torch.float64), lambda: x.norm(),
    lambda: x.norm(1), lambda: torch.sparse.sum(x), lambda: torch.sparse.sum(x, 0), lambda: h.sum(0), lambda: h.sum(1), lambda: h + h,
    lambda: torch.sparse.sum(h, 1), lambda: torch.sparse.sum(h, (0, 1)), lambda: x.any(), lambda: x.abs(), lambda: x.sqrt(), lambda: x.sign(),
    lambda: x.tanh(), lambda: x.sin(), lambda: x.isnan(), lambda: x.relu(), lambda: x.neg(), lambda: x.round(), lambda: x.bool(), lambda: x.long(),
    lambda: x.double(), lambda: x.half(), lambda: x.to(torch.float64), lambda: x.cpu(), lambda: x.float() is x, lambda: x.conj(),
    lambda: x.t(), lambda: x.T, lambda: x.transpose(0, 1), lambda: x.permute(1, 0), lambda: x.unsqueeze(0), lambda: h.unsqueeze(2),
    lambda: h.select(1, 0), lambda: x.index_select(0, torch.tensor([1])), lambda: h.index_select(1, torch.tensor([1, 0])), lambda: x.unbind(),
    lambda: torch.cat([x, x]), lambda: torch.cat([h, h], 1), lambda: torch.cat([x, d]), lambda: torch.stack([x, x]), lambda: torch.hstack([x, x]),
    lambda: x @ torch.ones(3, 2), lambda: torch.mm(x, torch.ones(3, 2)), lambda: torch.sparse.mm(x, torch.ones(3, 2)),
    lambda: torch.ones(2, 2).mm(x), lambda: x.mv(torch.ones(3)),
    lambda: x.matmul(torch.ones(3)), lambda: torch.addmm(torch.ones(2, 2), x, torch.ones(3, 2)), lambda: x @ torch.ones(2, 2),
    lambda: torch.sparse.addmm(torch.ones(2, 2), x, torch.ones(3, 2), beta=2, alpha=3), lambda: torch.nn.functional.linear(d, x),
    lambda: d.sparse_mask(x), lambda: x.sparse_mask(c), lambda: torch.ones(3).sparse_mask(x), lambda: x.clone(), lambda: h.t(),
):  # fmt: skip
    try:
        result = call()
        sparse = isinstance(result, torch.Tensor) and result.is_sparse
        show(result, result.is_coalesced() if sparse else "")
    except Exception as error:
        show(type(error).__name__, error)

# %% Writes to and with sparse tensors
torch.sparse.check_sparse_tensor_invariants.disable()
S = torch.sparse_coo_tensor


def fresh():
    return S([[0, 1, 1], [2, 0, 2]], [3.0, 4, 5], (2, 3))


for call in (
    lambda x, d: x.add_(x), lambda x, d: x.mul_(2), lambda x, d: x.div_(2), lambda x, d: x.sub_(x), lambda x, d: x.neg_(), lambda x, d: x.zero_(),
    lambda x, d: d.add_(x), lambda x, d: d.sub_(x), lambda x, d: d.add_(x, alpha=-0.5), lambda x, d: d.mul_(x), lambda x, d: x.add_(d),
    lambda x, d: x.copy_(S([[0], [0]], [9.0], (2, 3))), lambda x, d: d.t().add_(x.t()), lambda x, d: d.double().add_(x),
):  # fmt: skip
    x, d = fresh(), torch.ones(2, 3)
    try:
        result = call(x, d)
        show(result, result is x or result is d, x._version, d._version, x, d)
    except Exception as error:
        show(type(error).__name__, error)
p = fresh().requires_grad_()
q = p.detach()
q.zero_()
show(p._nnz(), q._nnz(), p._version)
q = p.data
q.mul_(2)
show(p, q, p._version)
p._values().mul_(10)
show(p, p.detach())
x = fresh()
x._coalesced_(True)
show(x.is_coalesced(), x.values())

# %% Derivatives of sparse tensors
torch.sparse.check_sparse_tensor_invariants.disable()
v = torch.tensor([1.0, 2, 3], requires_grad=True)
y = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], v, (2, 3))
show(y, y.is_leaf, history(y))
z = y.coalesce()
show(z, z.values())
(z.values() * torch.tensor([1.0, 10])).sum().backward(retain_graph=True)
show(v.grad)
v.grad = None
(y.to_dense() * torch.arange(6.0).view(2, 3)).sum().backward(retain_graph=True)
show(v.grad)
torch.manual_seed(0)
a = torch.randn(3, 2, requires_grad=True)
for f in (torch.sparse.mm, torch.mm):
    v.grad = a.grad = None
    m = f(y, a)
    show(m.grad_fn.name())
    (m * torch.tensor([[1.0, 2], [3, 4]])).sum().backward(retain_graph=True)
    show(v.grad, a.grad)
s = torch.tensor([[1.0, 0], [0, 3]], requires_grad=True)
q = s.to_sparse()
show(q)
(q * 2).to_dense().sum().backward()
show(s.grad)
p = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2], (2, 2), requires_grad=True)
b = torch.ones(2, 2, requires_grad=True)
for f in (
    lambda: torch.mm(p, b), lambda: torch.sparse.mm(p, b), lambda: torch.sparse.addmm(b, p, b, beta=2, alpha=3), lambda: p * b, lambda: b + p,
    lambda: p.t() @ b, lambda: p * 2, lambda: p.t(), lambda: -p, lambda: p * p, lambda: p / 2, lambda: torch.sparse.sum(p, 0), lambda: p.clone(),
    lambda: p.double(), lambda: p.abs(), lambda: p.pow(2), lambda: p @ b[0], lambda: torch.sparse.sum(p), lambda: p.sum(),
    lambda: b.sparse_mask(p.detach().coalesce()), lambda: p.coalesce().values(), lambda: p.to_dense(),
):  # fmt: skip
    p.grad = b.grad = None
    r = f()
    (r.to_dense() if r.is_sparse else r).sum().backward()
    show(
        r.grad_fn.name(),
        r,
        p.grad if p.grad is None else (p.grad.layout, p.grad.to_dense()),
        b.grad if b.grad is None else b.grad.to_dense(),
    )

# %% Copies and files
import copy
import io
import pickle

torch.sparse.check_sparse_tensor_invariants.disable()
x = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4, 5], (2, 3))
c = x.coalesce().requires_grad_()
for one in (x, c):
    for again in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        show(again, again.is_coalesced(), again.requires_grad)
file = io.BytesIO()
torch.save({"x": x, "c": c.detach()}, file)
file.seek(0)
loaded = torch.load(file)  # (weights only)
show(loaded, loaded["x"].is_coalesced(), loaded["c"].is_coalesced())
emb = torch.nn.Embedding(3, 2, sparse=True)
emb(torch.tensor([1])).sum().backward()
show(copy.deepcopy(emb).weight.grad)

# %% Optimizers that take sparse gradients
nn = torch.nn
start = torch.arange(8.0).reshape(4, 2) / 8
for name, options in (
    ("SGD", {}), ("SGD", {"momentum": 0.9}), ("SGD", {"momentum": 0.9, "nesterov": True}), ("SGD", {"momentum": 0.9, "dampening": 0.5}),
    ("SGD", {"maximize": True}), ("Adagrad", {}), ("Adagrad", {"lr_decay": 0.1}), ("Adagrad", {"maximize": True}), ("SparseAdam", {}),
    ("SparseAdam", {"betas": (0.5, 0.9), "eps": 1e-3}), ("SparseAdam", {"maximize": True}), ("SGD", {"weight_decay": 0.1}),
    ("Adagrad", {"weight_decay": 0.1}), ("SGD", {"fused": True}), ("Adagrad", {"fused": True}), ("Adam", {}), ("AdamW", {}), ("NAdam", {}),
    ("RAdam", {}), ("Adamax", {}), ("RMSprop", {}), ("Adadelta", {}), ("ASGD", {}), ("Rprop", {}), ("Adafactor", {}), ("Muon", {}),
):  # fmt: skip
    emb = nn.Embedding.from_pretrained(start.clone(), freeze=False, sparse=True)
    optimizer = getattr(torch.optim, name)(emb.parameters(), lr=0.1234, **options)
    try:
        for rows in ([1, 1, 2], [3, 1], [0, 2, 2, 2]):
            optimizer.zero_grad()
            (emb(torch.tensor(rows)) ** 2).sum().backward()
            optimizer.step()
        show(name, options, emb.weight, optimizer.state_dict()["state"])
    except Exception as error:
        show(name, options, type(error).__name__, error)

# %% SparseAdam
w = torch.nn.Parameter(torch.ones(2))
for options in ({"lr": -1}, {"eps": -1}, {"betas": (1.0, 0)}, {"betas": (0.0, 1.0)}, {"lr": 0}, {}):
    attempt(lambda: torch.optim.SparseAdam([w], **options))
attempt(lambda: torch.optim.SparseAdam([torch.sparse_coo_tensor([[0]], [1.0], (2,))]))
attempt(lambda: torch.optim.SparseAdam([]))
optimizer = torch.optim.SparseAdam([w])
w.sum().backward()
attempt(optimizer.step)
show(optimizer.state_dict(), optimizer.defaults)
emb = torch.nn.Embedding.from_pretrained(torch.ones(3, 2), freeze=False, sparse=True)
optimizer = torch.optim.SparseAdam(emb.parameters(), lr=0.1)
emb(torch.tensor([], dtype=torch.int64)).sum().backward()
optimizer.step()
show(emb.weight, optimizer.state_dict())
emb(torch.tensor([0])).sum().backward()
optimizer.step()
state = optimizer.state_dict()
other = torch.optim.SparseAdam(emb.parameters())
other.load_state_dict(state)
other.step()
show(emb.weight, other.state_dict())

# %% Invariants
C = torch.sparse.check_sparse_tensor_invariants
show(C.is_enabled())
with C():
    show(C.is_enabled())
    with C(False):
        show(C.is_enabled())


@C(True)
def within():
    return C.is_enabled()


show(within(), C.is_enabled())
block = C()
with block:
    attempt(block.__enter__)
C.enable()
show(C.is_enabled())
C.disable()
show(C.is_enabled())
