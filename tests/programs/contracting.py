# %% tensordot
I = torch.tensor
nan = float("nan")
inf = float("inf")
v = I([1, 2, 3])
A = torch.ones(2, 3, 4)
B = torch.ones(4, 3, 2)
attempt_each(
    lambda: torch.tensordot(A, B, 1).shape,
    lambda: torch.tensordot(A, B, ([1], [1])).shape,
    lambda: torch.tensordot(A, B, ([1, 2], [1, 0])).shape,
    lambda: torch.tensordot(A, B),
    lambda: torch.tensordot(A, B, 0).shape,
    lambda: torch.tensordot(A, B, -1),
    lambda: torch.tensordot(A, B, 4),
    lambda: torch.tensordot(A, B, ([1], [0])),
    lambda: torch.tensordot(A, B, ([1], [0, 1])),
    lambda: torch.tensordot(A, B, dims=I([[1, 2], [1, 0]])).shape,
    lambda: torch.tensordot(A, B, dims=I(1)).shape,
    lambda: torch.tensordot(v, v, 1),
    lambda: torch.tensordot(v, v.float(), 1),
    lambda: torch.tensordot(A, B, (1, 1)).shape,
    lambda: torch.tensordot(A, B, dims=([0], [-1])).shape,
    lambda: torch.tensordot(A, B, ([1, 1], [1, 1])),
    lambda: torch.tensordot(A[:, :1], B, ([1], [1])).shape,
    lambda: torch.tensordot(A, B, (0, (1, 2))),
    lambda: torch.tensordot(v, v, 1.5),
    lambda: torch.tensordot(A, B, dims=([1], [1]), out=torch.zeros(2, 4, 4, 2)).shape,
    lambda: torch.tensordot(A, B, dims=([1], [1]), out=torch.zeros(2, 4, 4, 2).double()).shape,
    lambda: torch.tensordot(A, B, dims=([1], [1]), out=torch.zeros(3)).shape,
)


# %% kron
I = torch.tensor
nan = float("nan")
inf = float("inf")
x = torch.arange(6).view(2, 3)
v = I([1, 2, 3])
attempt_each(
    lambda: torch.kron(x, v),
    lambda: torch.kron(I(2), v),
    lambda: torch.kron(v.float(), v),
    lambda: torch.kron(v, torch.zeros(0)),
    lambda: torch.kron(torch.ones(2, 2).t(), torch.ones(2, 1, 2)).stride(),
    lambda: torch.kron(v, 2),
    lambda: torch.kron(v, v, out=torch.zeros(9)),
    lambda: torch.kron(v, v, out=torch.zeros(3)),
    lambda: torch.kron(x.t(), x.t()).stride(),
)


# %% einsum: what each equation gives, its nodes, its gradients
def tree(node, depth=0):
    if node is None or depth > 7:
        return ""
    inner = ", ".join(tree(f, depth + 1) for f, _ in node.next_functions)
    return node.name().replace("torch::autograd::", "") + (f"({inner})" if inner else "")


a = torch.arange(6.0).reshape(2, 3).requires_grad_()
b = (torch.arange(12.0).reshape(3, 4) - 5).requires_grad_()
s = torch.arange(9.0).reshape(3, 3).requires_grad_()
v = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
t = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
for equation, operands in (
    ("ij,jk->ik", (a, b)),
    ("ij,jk", (a, b)),
    ("ij->ji", (a,)),
    ("ii->i", (s,)),
    ("ii", (s,)),
    ("ij->", (a,)),
    ("i,i->", (v, v)),
    ("i,j->ij", (v, v)),
    ("ij,j->i", (a, v)),
    ("bij,jk->bik", (t, t[0].T)),
    ("...j,j", (a, v)),
    ("...ij->...ji", (t,)),
    ("ij,jk,kl->il", (a, s, b)),
    ("ij,ij->j", (a, a)),
    ("bij,bij->b", (t, t)),
    ("i j , j k -> i k", (a, b)),
    ("Ij,jK->KI", (a, b)),
    ("ijk,il->", (t, a)),
    ("iij->j", (s.expand(3, 3, 3).diagonal().expand(3, 3, 3),)),
    ("i,j,k->ijk", (v, v, v)),
    ("a,ab,b", (v, s, v)),
    ("...,...", (a, v)),
    ("ki,kj->ij", (a, a)),
):
    r = torch.einsum(equation, *operands)
    show(equation, r.tolist(), r.stride(), tree(r.grad_fn))
    g = torch.autograd.grad((r**2).sum(), [o for o in (a, b, s, v, t)], create_graph=True, allow_unused=True)
    show([None if x is None else x.tolist() for x in g])


# %% einsum: ways of calling it, and what it refuses
a, b = torch.ones(2, 3), torch.ones(3, 4)
attempt_each(
    lambda: torch.einsum("ij,jk->ik", [a, b]),
    lambda: torch.einsum(a, [0, 1], b, [1, 2], [0, 2]),
    lambda: torch.einsum(a, [0, 1], b, [1, 2]),
    lambda: torch.einsum(a, [..., 1], [..., 1]),
    lambda: torch.einsum("ij,jk->ik", a),
    lambda: torch.einsum("ij->ik", a),
    lambda: torch.einsum("ij->ii", a),
    lambda: torch.einsum("ijk->ij", a),
    lambda: torch.einsum("i->i", a),
    lambda: torch.einsum("ij,jk->ik", a, a),
    lambda: torch.einsum("ii->i", a),
    lambda: torch.einsum("i1->i", a),
    lambda: torch.einsum("i.->i", a),
    lambda: torch.einsum("...i...->i", a),
    lambda: torch.einsum("ij->...i...", a),
    lambda: torch.einsum("ij->.i", a),
    lambda: torch.einsum("ij"),
    lambda: torch.einsum("ij,jk->ik", a, b, b),
    lambda: torch.einsum("", torch.tensor(2.0)),
    lambda: torch.einsum(",", torch.tensor(2.0), torch.tensor(3.0)),
    lambda: torch.einsum("...ijk->ij", a),
    lambda: torch.einsum("ij,jk->ik", a, b.double()),
    lambda: torch.einsum("ij->ij1", a),
    lambda: torch.einsum("ij,jk->ik", a.long(), b.long()),
    lambda: torch.einsum("ij,jk->ik", torch.ones(1, 3), torch.ones(1, 4)),
    lambda: torch.einsum("ij,jk->ik", torch.ones(0, 3), b),
    lambda: torch.einsum("ij->i", 3),
    lambda: torch.einsum(a, [0, 60]),
    lambda: torch.einsum("ij-ij", a),
)
