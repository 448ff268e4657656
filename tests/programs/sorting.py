# %% isin
I = torch.tensor
nan = float("nan")
inf = float("inf")
attempt_each(
    lambda: torch.isin(I([1, 2, 3]), 2),
    lambda: torch.isin(2, I([1, 2, 3])),
    lambda: torch.isin(I([1, 2, 3]), I([2, 3]), invert=True),
    lambda: torch.isin(I([1.0, 2, 3]), I([2, 3])),
    lambda: torch.isin(I([1.0, float("nan")]), I([float("nan")])),
    lambda: torch.isin(1, 2),
    lambda: torch.isin(I([1 + 2j]), I([1 + 2j])),
    lambda: torch.isin(I([True]), I([True, False])),
    lambda: torch.isin(I([[1], [2]]), I([[2]])),
    lambda: torch.isin(elements=I([1]), test_elements=I([1])),
    lambda: torch.isin(elements=I([1]), test_element=1),
    lambda: torch.isin(I([1, 2]), 2.5),
    lambda: torch.isin(2.5, I([1, 2])),
    lambda: torch.isin(I([1, 2]), I([])),
    lambda: torch.isin(I([1, 2]).half(), I([1]).half()),
    lambda: torch.isin([1], 2),
)


# %% unique and unique_consecutive
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = I([3, 1, 2, 1, 3])
attempt_each(
    lambda: x.unique(),
    lambda: x.unique(False),
    lambda: x.unique(True, True),
    lambda: x.unique(True, True, True),
    lambda: torch.unique(x, return_counts=True),
    lambda: torch.unique(I([[1, 2], [1, 2], [0, 1]]), dim=0, return_inverse=True, return_counts=True),
    lambda: torch.unique(I([[1, 2], [1, 2], [0, 1]]), return_inverse=True, return_counts=True),
    lambda: I([[1, 2, 1], [1, 2, 1], [0, 1, 0]]).unique(dim=1),
    lambda: I([1.0, float("nan"), float("nan")]).unique(return_inverse=True, return_counts=True),
    lambda: I([True, False, True]).unique(return_inverse=True, return_counts=True),
    lambda: I([1 + 2j]).unique(),
    lambda: I(3).unique(return_inverse=True, return_counts=True),
    lambda: I([]).unique(return_inverse=True, return_counts=True),
    lambda: torch.zeros(0, 3).unique(dim=1),
    lambda: torch.zeros(0, 3).unique(dim=0),
    lambda: torch.zeros(3).unique(dim=2),
    lambda: I(3).unique(dim=0),
    lambda: torch.unique([1]),
    lambda: x.unique_consecutive(return_inverse=True, return_counts=True),
    lambda: torch.unique_consecutive(
        I([[1, 2], [1, 2], [0, 1]]), dim=0, return_inverse=True, return_counts=True
    ),
    lambda: torch.unique_consecutive(I([[1, 2], [1, 2], [0, 1]]), return_inverse=True, return_counts=True),
    lambda: I([1.0, 1, float("nan"), float("nan")]).unique_consecutive(return_counts=True),
    lambda: torch.unique(I([0.0, -0.0])),
    lambda: torch.unique(I([-0.0, 0.0])),
    lambda: torch.unique(I([[0.0, 1], [-0.0, 1]]), dim=0),
    lambda: torch.unique(I([[1, float("nan")], [1, float("nan")]]), dim=0, return_inverse=True),
    lambda: I([]).unique_consecutive(True, True),
    lambda: I(5).unique_consecutive(True, True),
    lambda: I([1 + 2j]).unique_consecutive(),
    lambda: I([3, 1, 2]).unique(sorted=False),
)


# %% searchsorted
I = torch.tensor
nan = float("nan")
inf = float("inf")
s = I([1, 3, 5, 7, 9])
v = I([3, 6, 9])
attempt_each(
    lambda: torch.searchsorted(s, v),
    lambda: torch.searchsorted(s, v, right=True),
    lambda: torch.searchsorted(s, v, side="right"),
    lambda: torch.searchsorted(s, v, side="lft"),
    lambda: torch.searchsorted(s, v, right=True, side="left"),
    lambda: torch.searchsorted(s, 3),
    lambda: torch.searchsorted(s, 3.5),
    lambda: torch.searchsorted(s, v, out_int32=True),
    lambda: torch.searchsorted(s, v.float()),
    lambda: torch.searchsorted(torch.stack([s, s]), v),
    lambda: torch.searchsorted(torch.stack([s, s]), torch.stack([v, v, v])),
    lambda: torch.searchsorted(torch.stack([s, s]), torch.stack([v, v + 1])),
    lambda: torch.searchsorted(I([5, 1, 3]), v, sorter=I([1, 2, 0])),
    lambda: torch.searchsorted(I([5, 1, 3]), v, sorter=I([1, 2])),
    lambda: torch.searchsorted(I([5, 1, 3]), v, sorter=I([1, 2, 7])),
    lambda: torch.searchsorted(I([5, 1, 3]), v, sorter=I([1.0, 2, 0])),
    lambda: torch.searchsorted(I(5), v),
    lambda: torch.searchsorted(s, I(3)),
    lambda: torch.searchsorted(torch.stack([s, s]), I(3)),
    lambda: torch.searchsorted(torch.stack([s, s]), 3),
    lambda: torch.searchsorted(I([1.0, float("nan")]), I([float("nan"), 0.0])),
    lambda: torch.searchsorted(I([1.0, 2, float("nan")]), I([float("nan"), 0.0]), right=True),
    lambda: torch.searchsorted(I([]), I([1.0])),
    lambda: torch.searchsorted(I([3, 1, 2]), I([2])),
    lambda: torch.searchsorted(torch.stack([s, s]).t(), torch.zeros(5, 3).long()),
    lambda: torch.searchsorted(I([True]), I([False])),
    lambda: torch.searchsorted(I([1 + 2j]), I([1 + 2j])),
    lambda: torch.searchsorted(s, v, out=torch.empty(2, dtype=torch.int64)),
    lambda: torch.searchsorted(s, v, out_int32=True, out=torch.empty(3, dtype=torch.int32)),
    lambda: torch.searchsorted(sorted_sequence=s, input=v),
    lambda: torch.searchsorted(s, torch.stack([v, v]).t()),
)


# %% bucketize
I = torch.tensor
nan = float("nan")
inf = float("inf")
s = I([1, 3, 5, 7, 9])
v = I([3, 6, 9])
attempt_each(
    lambda: torch.bucketize(v, s),
    lambda: torch.bucketize(v, s, right=True),
    lambda: torch.bucketize(4, s),
    lambda: torch.bucketize(v, torch.stack([s, s])),
    lambda: torch.bucketize(v.float(), s, out_int32=True),
    lambda: torch.bucketize(torch.stack([v, v]), boundaries=s),
    lambda: torch.bucketize(torch.zeros(2, 3).t(), I([1.0])),
)


# %% sort, argsort, topk and kthvalue
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.tensor([3.0, nan, 1.0, inf])
z = torch.arange(12.0).view(3, 4).t()
attempt_each(
    lambda: torch.sort(x),
    lambda: torch.sort(x, descending=True),
    lambda: x.sort(0, True),
    lambda: torch.sort(torch.tensor([0.0, -0.0, 1.0, -0.0])),
    lambda: torch.sort(torch.tensor([2, 1, 2, 1, 2]), stable=True, descending=True),
    lambda: x.topk(2),
    lambda: x.topk(2, largest=False),
    lambda: x.topk(k=3, dim=0, largest=True, sorted=True),
    lambda: x.kthvalue(2),
    lambda: x.kthvalue(4),
    lambda: torch.sort(torch.tensor([1 + 2j])),
    lambda: torch.topk(torch.tensor([1 + 2j]), 1),
    lambda: torch.tensor([1 + 2j]).kthvalue(1),
    lambda: torch.tensor([True, False]).kthvalue(1),
    lambda: torch.tensor([True, False]).topk(1),
    lambda: torch.tensor([True, False, True]).sort(),
    lambda: torch.tensor(1.0).sort(),
    lambda: torch.tensor(1.0).sort(1),
    lambda: torch.tensor(1.0).topk(1),
    lambda: torch.tensor(1.0).topk(2),
    lambda: torch.tensor(1.0).kthvalue(1),
    lambda: torch.tensor(1.0).kthvalue(2),
    lambda: x.topk(5),
    lambda: x.kthvalue(5),
    lambda: x.kthvalue(0),
    lambda: torch.ones(0).kthvalue(1),
    lambda: torch.ones(3, 0).kthvalue(1, 0),
    lambda: torch.ones(3, 0).kthvalue(1, 1),
    lambda: torch.ones(0).sort(),
    lambda: torch.ones(0).topk(0),
    lambda: x.sort(2),
    lambda: x.sort(stable=None),
    lambda: torch.argsort(x, stable=True, dim=0, descending=True),
    lambda: x.sort("a"),
    lambda: [o.stride() for o in z.sort(0)],
    lambda: [o.stride() for o in z.topk(2, 0)],
    lambda: [o.stride() for o in z.sort(1, descending=True)],
    lambda: z.msort(),
    lambda: z.argsort(0),
    lambda: x.argsort(),
    lambda: x.half().sort(),
    lambda: x.double().topk(3),
    lambda: torch.tensor([3, 1, 2], dtype=torch.uint8).sort(descending=True),
    lambda: torch.tensor([-128, 127, 0], dtype=torch.int8).sort(descending=True),
    lambda: torch.tensor([2**62, -(2**62), 5]).topk(2),
    lambda: torch.tensor([2**62, -(2**62), 5]).sort(descending=True),
    lambda: torch.sort(x).values,
    lambda: torch.sort(x)[1].dtype,
    lambda: torch.topk(x, 2).indices,
    lambda: z.kthvalue(3, 1, True),
    lambda: z.kthvalue(3, 1),
    lambda: torch.sort(input=z, dim=0, descending=True),
    lambda: torch.topk(z, k=2, dim=-2),
    lambda: torch.arange(40)[torch.argsort(torch.arange(40) * 7 % 40)],
    lambda: torch.sort(torch.arange(40.0) * 7 % 40, descending=True)[1],
    lambda: (torch.arange(400.0) * 7 % 401).view(2, 200).topk(3),
    lambda: (torch.arange(400) * 7 % 401).view(2, 200).topk(3, largest=False),
    lambda: (torch.arange(400) * 7 % 401).double().topk(7).indices,
    lambda: torch.sort(x, out=(torch.empty(0), torch.empty(0, dtype=torch.long))),
)


# %% Gradients of what is selected go where it was, also twice; indices have none
x = torch.tensor([[3.0, 1.0, 2.0, 2.0], [0.0, 5.0, -1.0, 4.0]], requires_grad=True)
w = torch.tensor([[1.0, 10.0, 100.0, 1000.0], [2.0, 3.0, 4.0, 5.0]])
for name, r in (
    ("sort", x.sort(1)),
    ("stable", x.sort(dim=0, stable=True)),
    ("descending", x.sort(1, True)),
    ("topk", x.topk(4)),
    ("kthvalue", x.kthvalue(2, 1, True)),
    ("cummax", x.cummax(1)),
    ("cummin", x.cummin(0)),
):
    values, indices = r
    n = tuple(slice(k) for k in values.shape)
    (g,) = torch.autograd.grad((values**2 * w[n]).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad((g * g).sum(), x)
    node = values.grad_fn
    show(name, type(r).__name__, node.name(), indices.requires_grad, indices.grad_fn, g.tolist(), h.tolist())
    show(
        node._saved_dim,
        node._saved_indices.tolist() == indices.tolist(),
        sorted(n for n in dir(node) if n == "_saved_indices"),
    )


# %% In place: versions, errors of leaves and of dtypes
x = torch.ones(2, 3, requires_grad=True)
y = x * 2
y.cumsum_(1)
show(y._version, y.grad_fn.name(), y.tolist())
y.sum().backward()
show(x.grad.tolist())
i = torch.tensor([1, 2, 3], dtype=torch.int32)
show(i.cumsum_(0), i.cumprod_(0), i.dtype, i._version)
x.cumsum_(0)


# %% What is composed has the nodes of what it is composed of
def tree(node, depth=0):
    if node is None or depth > 6:
        return ""
    inner = ", ".join(tree(f, depth + 1) for f, _ in node.next_functions)
    return node.name().replace("torch::autograd::", "") + (f"({inner})" if inner else "")


a = torch.arange(6.0).reshape(2, 3).requires_grad_()
b = torch.arange(3.0).requires_grad_()
for r in (
    a.diff(),
    a.diff(2, 0),
    a.diff(prepend=a[:, :1]),
    torch.trapezoid(a),
    torch.trapezoid(a, b),
    torch.trapezoid(a, dx=2.0),
    torch.cumulative_trapezoid(a),
    torch.cumulative_trapezoid(a, b),
    torch.gradient(b)[0],
    torch.gradient(b, edge_order=2)[0],
    torch.gradient(b, spacing=(b.detach(),))[0],
    a.repeat_interleave(2),
    a.repeat_interleave(2, 1),
    a.repeat_interleave(torch.tensor([1, 2]), 0),
    torch.cartesian_prod(b, b),
    torch.combinations(b),
    torch.block_diag(a, b),
    torch.atleast_2d(b),
    torch.atleast_3d(b),
    torch.meshgrid(b, b, indexing="xy")[0],
    torch.tensordot(a, b, 1),
    torch.kron(b, b),
    torch.tensordot(a, a, ([1], [1])),
    torch.tensordot(a, a.T, ([0, 1], [1, 0])),
    torch.cross(a, b.expand(2, 3), dim=1),
    a.msort(),
    a.fliplr(),
    a.rot90(),
    torch.linalg.cross(a, a),
    torch.cdist(a, a),
    torch.cdist(a, a, p=1.0),
    torch.nn.functional.pdist(a),
    a.renorm(2, 0, 1.0),
    a.roll(1, 0),
):
    show(tree(r.grad_fn), r._is_view(), r._version, tuple(r.shape), r.stride())


# %% Equal elements
# Equal elements: PyTorch's algorithms decide which are chosen and in which order they are left.
labels = torch.tensor([3, 1, 2, 1, 3, 3, 0, 2, 1, 1, 0, 2, 3, 0, 1, 2, 3, 1, 0, 2, 2, 1, 3, 0])
show(
    labels.sort()[1].tolist(), labels.argsort(descending=True).tolist(), labels.argsort(stable=True).tolist()
)
for k in (1, 2, 3, 10, 24):
    for largest in (True, False):
        for dtype in (torch.int64, torch.float32):
            show(
                labels.to(dtype).topk(k, largest=largest).indices.tolist(),
                labels.to(dtype).topk(k, 0, largest, False).indices.tolist(),
            )
    show(
        labels.kthvalue(k),
        labels.view(4, 6).sort(0)[1].tolist(),
        labels.view(2, 12).topk(min(k, 12)).indices.tolist(),
    )
x = torch.tensor([0.0, float("nan"), -0.0, 1.0, float("nan"), 0.0] * 5)
show(x.argsort().tolist(), x.topk(12).indices.tolist(), x.kthvalue(3).indices, x.kthvalue(29).indices)
many = torch.arange(300) % 7
show(
    many.topk(4).indices.tolist(),
    many.topk(5, largest=False).indices.tolist(),
    many.argsort()[:50].tolist(),
    many.kthvalue(150).indices,
)
x = torch.tensor([1.0, 1.0, 0.0, 1.0], requires_grad=True)
x.topk(2).values.sum().backward()
show(x.grad)
