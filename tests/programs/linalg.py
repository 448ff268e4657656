# %% solving: matrices, vectors, batches, from the right
A = torch.tensor([[4.0, 1.0, 2.0], [1.0, 3.0, 0.0], [2.0, 0.0, 5.0]], dtype=torch.float64, requires_grad=True)
B = torch.arange(6.0, dtype=torch.float64).view(3, 2).requires_grad_()
X = torch.linalg.solve(A, B)
show(X, X.stride(), X.grad_fn.next_functions[0][1])
X.sum().backward()
show(A.grad, B.grad)
b = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
for x in (
    torch.linalg.solve(A, b),
    torch.linalg.solve(A.expand(2, 3, 3), b),
    torch.linalg.solve(A, B.mT, left=False),
):
    show(x, x.shape, x.stride(), x.grad_fn.name())
show(torch.linalg.solve_ex(A.detach(), B.detach()))
torch.linalg.solve(A, B.mT)


# %% what is singular is said with its place in the batch
Z = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
many = torch.stack([torch.eye(2), Z, torch.eye(2)])
calls = [
    lambda: torch.linalg.inv(Z),
    lambda: torch.inverse(many),
    lambda: torch.linalg.solve(many, many),
    lambda: torch.linalg.inv_ex(Z, check_errors=True),
    lambda: torch.linalg.cholesky(-many),
    lambda: torch.linalg.cholesky_ex(-Z, check_errors=True),
    lambda: torch.linalg.lu_factor(many),
    lambda: torch.linalg.tensorinv(torch.ones(4, 2, 2), ind=1),
    lambda: torch.linalg.lstsq(
        torch.eye(3)[:, [1, 1]] * torch.tensor([2.0, 0.0]), torch.ones(3, 1), driver="gels"
    ),
    lambda: torch.linalg.svd(torch.full((2, 2), float("nan"))),
    lambda: torch.linalg.eig(torch.full((2, 2), float("inf"))),
]
for call in calls:
    try:
        call()
    except torch.linalg.LinAlgError as error:
        show("LinAlgError", type(error).__name__, error)
    except RuntimeError as error:
        show("RuntimeError", error)
show(issubclass(torch.linalg.LinAlgError, RuntimeError))
show(torch.linalg.inv_ex(many).info, torch.linalg.cholesky_ex(-many)[1], torch.linalg.lu_factor_ex(many).info)


# %% named results, and their strides
A = torch.tensor([[2.0, 1.0], [1.0, 3.0], [0.0, 1.0]], dtype=torch.float64)
S = A.mT @ A
for r in (
    torch.linalg.qr(A),
    torch.linalg.svd(A),
    torch.linalg.eigh(S),
    torch.linalg.lu(A),
    torch.linalg.lu_factor(A),
    torch.linalg.slogdet(S),
    torch.linalg.inv_ex(S),
    torch.linalg.cholesky_ex(S),
    torch.linalg.lstsq(A, A),
    torch.svd(A),
):
    show(type(r).__name__, [t.shape for t in r], [t.stride() for t in r], [t.dtype for t in r])
show(torch.linalg.slogdet(S))
show(
    torch.linalg.eigh(S).eigenvalues,
    torch.linalg.svd(A).S,
    torch.linalg.lu(A).P,
    torch.lu_unpack(*torch.linalg.lu_factor(A)).U,
)


# %% eigenvalues: what is unique of them
S = torch.tensor(
    [[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]], dtype=torch.float64, requires_grad=True
)
values, vectors = torch.linalg.eigh(S)
# (What is zero but for rounding is so by another processor too.)
rounded = lambda x: x.detach().abs().round(decimals=6)
show(values, vectors.grad_fn, rounded(vectors), rounded((vectors * values) @ vectors.mT))
(values * torch.arange(3.0, dtype=torch.float64)).sum().backward()
show(S.grad.dtype, rounded(S.grad))
upper = torch.triu(S.detach())
show(torch.linalg.eigvalsh(upper, UPLO="U"), torch.linalg.eigvalsh(upper), torch.linalg.eigvalsh(upper, "u"))
R = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])
show(torch.linalg.eigvals(R), torch.linalg.eigvals(R).dtype, torch.linalg.eig(R.double()).eigenvectors.abs())
torch.linalg.eigh(S, UPLO="X")


# %% a loss that depends on the phase of eigenvectors has no gradient
C = torch.tensor(
    [[2.0, 1j, 1.0], [-1j, 3.0, 0.5], [1.0, 0.5, 5.0]], dtype=torch.complex128, requires_grad=True
)
torch.linalg.eigh(C).eigenvectors.abs().sum().backward()
show(C.grad.shape)
for loss in (
    lambda: torch.linalg.eigh(C)[1].real.sum(),
    lambda: torch.linalg.svd(C)[0].real.sum(),
    lambda: torch.linalg.eig(C)[1].real.sum(),
):
    try:
        loss().backward()
    except RuntimeError as error:
        show(error)


# %% determinants, also of singular and of empty matrices
A = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)
d = torch.det(A)
show(d, torch.linalg.det(A), A.det(), torch.logdet(A), torch.slogdet(A))
(g,) = torch.autograd.grad(d, A, create_graph=True)
show(g, torch.autograd.grad(g.sum(), A))
show(
    torch.det(torch.ones(2, 2)),
    torch.det(torch.zeros(0, 0)),
    torch.slogdet(torch.zeros(2, 2)),
    torch.logdet(torch.eye(3)),
)
Z = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)
show(torch.autograd.grad(torch.det(Z), Z, create_graph=True)[0].detach())
torch.slogdet(torch.ones(2, 3))


# %% LU: pivots, unpacking, solving with it
A = torch.tensor([[1.0, 2.0, 0.0], [3.0, 4.0, 1.0], [5.0, 7.0, 9.0]], dtype=torch.float64)
LU, pivots = torch.linalg.lu_factor(A)
show(LU, pivots, LU.stride())
P, L, U = torch.lu_unpack(LU, pivots)
show(P, L, U, (P @ L @ U).round())
show(torch.lu_unpack(LU, pivots, unpack_data=False), torch.lu_unpack(LU, pivots, unpack_pivots=False).P)
show(
    torch.linalg.lu_solve(LU, pivots, A).round().abs(),
    torch.linalg.lu_solve(LU, pivots, torch.eye(3, dtype=torch.float64), adjoint=True),
)
show(torch.lu_solve(A, LU, pivots).shape, type(torch.lu(A)).__name__, len(A.lu(get_infos=True)))
torch.linalg.lu(A, pivot=False)


# %% pivots that no factorization gives
LU, pivots = torch.linalg.lu_factor(torch.ones(3, 2, 2) + torch.eye(2))
for pivot in (0, -1, 3):
    pivots[0] = pivot
    for left in (True, False):
        attempt(lambda: torch.linalg.lu_solve(LU, pivots, torch.ones(3, 2, 2), left=left))
    attempt(lambda: torch.lu_unpack(LU, pivots))


# %% the dtype asked of a norm
for given in (torch.bfloat16, torch.float16, torch.float32, torch.complex64, torch.int64):
    a = torch.ones(2, 2, dtype=given)
    for asked in (torch.bfloat16, torch.float16, torch.float32, torch.float64, torch.complex128, torch.int64):
        for norm in (torch.linalg.vector_norm, torch.linalg.norm, torch.linalg.matrix_norm):
            attempt(lambda: norm(a, dtype=asked))


# %% the sum of products that have no rows, no columns or nothing between
for n, p, q, r in ((3, 0, 4, 5), (3, 4, 0, 5), (3, 4, 5, 0), (0, 4, 5, 6)):
    for dtype in (torch.float32, torch.bfloat16, torch.int64):
        batches = torch.ones(n, p, q, dtype=dtype), torch.ones(n, q, r, dtype=dtype)
        show(torch.addbmm(torch.ones(p, r, dtype=dtype), *batches, beta=2))
        show(torch.ones(p, r, dtype=dtype).addbmm_(*batches))


# %% triangular systems read one triangle
A = torch.tensor([[2.0, 5.0], [7.0, 4.0]], dtype=torch.float64, requires_grad=True)
B = torch.tensor([[2.0, 4.0], [8.0, 8.0]], dtype=torch.float64)
for options in (
    {"upper": True},
    {"upper": False},
    {"upper": True, "left": False},
    {"upper": False, "unitriangular": True},
):
    X = torch.linalg.solve_triangular(A, B, **options)
    show(X, torch.autograd.grad(X.sum(), A))
show(torch.triangular_solve(B, A.detach(), upper=False, transpose=True))
torch.linalg.solve_triangular(A, B)


# %% Cholesky, its inverse and its solutions
A = torch.tensor([[4.0, 2.0], [2.0, 3.0]], dtype=torch.float64, requires_grad=True)
L = torch.linalg.cholesky(A)
show(L, torch.linalg.cholesky(A, upper=True), torch.cholesky(A))
L.sum().backward()
show(A.grad)
show(
    torch.cholesky_inverse(L),
    torch.cholesky_solve(torch.ones(2, 1, dtype=torch.float64), L),
    L.cholesky_inverse().grad_fn.name(),
)
torch.linalg.cholesky(torch.ones(2, 3))


# %% QR and what can't be derived
A = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], dtype=torch.float64, requires_grad=True)
Q, R = torch.linalg.qr(A)
show(Q, R)
(Q.sum() + R.sum()).backward()
show(A.grad)
show(torch.linalg.qr(A, mode="complete").Q.shape, torch.linalg.qr(A, "r").Q, torch.qr(A, some=False).R.shape)
for mode in ("complete", "r"):
    try:
        torch.linalg.qr(A, mode).R.sum().backward()
    except RuntimeError as error:
        show(error)
torch.linalg.qr(A, mode="full")


# %% least squares
A = torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([[1.0], [2.0], [2.0], [4.0]], dtype=torch.float64)
for driver in (None, "gels", "gelsy", "gelsd", "gelss"):
    r = torch.linalg.lstsq(A, b, driver=driver)
    show(driver, r.solution, r.residuals, r.rank, r.singular_values)
torch.linalg.lstsq(A, b, driver="gelsd").residuals.sum().backward()
show(A.grad)
short = torch.linalg.lstsq(torch.ones(2, 3), torch.ones(2, 1))
show(short.solution, short.rank, torch.linalg.lstsq(A, b[:, 0]).solution)
torch.linalg.lstsq(A, b, driver="svd")


# %% ranks, pseudoinverses and their tolerances
A = torch.tensor([[1.0, 2.0], [2.0, 4.000001], [3.0, 6.0]], dtype=torch.float64)
show(
    torch.linalg.matrix_rank(A),
    torch.linalg.matrix_rank(A, tol=1e-3),
    torch.linalg.matrix_rank(A, rtol=1e-3),
    torch.linalg.matrix_rank(A, atol=1e-9, rtol=0.0),
)
show(
    torch.linalg.matrix_rank(torch.stack([torch.eye(2), torch.ones(2, 2)]), atol=torch.tensor([0.5, 3.0])),
    torch.linalg.matrix_rank(torch.ones(2, 2), hermitian=True),
)
show(
    torch.linalg.pinv(A, rtol=1e-3),
    torch.pinverse(A, 1e-3),
    torch.linalg.pinv(torch.ones(2, 2), hermitian=True),
)
show(torch.linalg.pinv(torch.zeros(2, 3)), torch.linalg.pinv(torch.zeros(0, 3)).shape)
torch.linalg.matrix_rank(A, atol=torch.tensor(1j), rtol=torch.tensor(1.0))


# %% norms of vectors and matrices, condition numbers
A = torch.tensor([[3.0, -4.0], [0.0, 12.0]], dtype=torch.float64, requires_grad=True)
for p in ("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")):
    n = torch.linalg.matrix_norm(A, p)
    show(
        p,
        n,
        torch.linalg.norm(A, p).item(),
        torch.linalg.cond(A, p),
        n.grad_fn.name(),
        torch.autograd.grad(n, A),
    )
T = torch.arange(12.0, dtype=torch.float64).view(2, 3, 2)
show(
    torch.linalg.norm(T),
    torch.linalg.norm(T, dim=(0, 2)),
    torch.linalg.matrix_norm(T, 1, dim=(2, 0), keepdim=True),
    torch.linalg.norm(T[0, 0], 1),
)
show(
    torch.linalg.matrix_norm(T.float(), 2, dtype=torch.float64),
    torch.linalg.norm(T, 3, dim=1),
    torch.linalg.cond(torch.zeros(2, 2)),
)
for wrong in (
    lambda: torch.linalg.norm(T, 2),
    lambda: torch.linalg.matrix_norm(A, 3),
    lambda: torch.linalg.norm(T[0, 0], "nuc"),
    lambda: torch.linalg.cond(T, "nuc"),
    lambda: torch.linalg.matrix_norm(A, dim=(0,)),
    lambda: torch.linalg.matrix_norm(A, dtype=torch.float32),
):
    try:
        show(wrong())
    except RuntimeError as error:
        show(error)


# %% powers and the exponential
A = torch.tensor([[0.0, 1.0], [-1.0, 0.5]], dtype=torch.float64, requires_grad=True)
for n in (-2, -1, 0, 1, 2, 3, 7):
    r = torch.linalg.matrix_power(A, n)
    show(n, r, r.grad_fn.name(), r._version)
E = torch.linalg.matrix_exp(A)
show(E, torch.matrix_exp(torch.zeros(2, 2)), A.matrix_exp().grad_fn.name(), torch.matrix_exp(20 * A.detach()))
(g,) = torch.autograd.grad(E.sum(), A, create_graph=True)
show((g + 1).round(decimals=6), torch.autograd.grad(g.sum(), A))
show(torch.matrix_power(torch.tensor([[1, 2], [3, 4]]), 5))
torch.matrix_power(torch.tensor([[1, 2], [3, 4]]), -1)


# %% beta * self + alpha * product
M = torch.arange(6.0).view(2, 3).requires_grad_()
N = torch.arange(12.0).view(3, 4)
c = torch.ones(4, requires_grad=True)
r = torch.addmm(c, M, N, beta=2, alpha=0.5)
r.sum().backward()
show(r, M.grad, c.grad, r.grad_fn.name(), r.grad_fn._saved_alpha)
show(
    torch.addmm(torch.full((2, 4), float("nan")), M.detach(), N, beta=0),
    torch.ones(2, 4).addmm_(M.detach(), N),
)
show(
    torch.addmv(torch.ones(2), M.detach(), torch.ones(3)),
    torch.addr(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), alpha=2),
)
show(
    torch.baddbmm(torch.ones(1, 1, 2), torch.ones(3, 2, 4), torch.ones(3, 4, 2)),
    torch.addbmm(torch.ones(2, 2), torch.ones(3, 2, 4), torch.ones(3, 4, 2)),
)
show(
    torch.addmm(
        torch.ones(2, 2, dtype=torch.int64),
        torch.ones(2, 2, dtype=torch.int64),
        torch.ones(2, 2, dtype=torch.int64),
        alpha=1.5,
    )
)
for wrong in (
    lambda: torch.addmm(c, N, M),
    lambda: torch.addmm(c, M, N.double()),
    lambda: torch.ones(4).addmm_(M.detach(), N),
    lambda: torch.addmv(c, M, c),
    lambda: torch.addr(c, M, c),
):
    try:
        wrong()
    except RuntimeError as error:
        show(error)


# %% products of vectors, chains of products
v, w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True), torch.tensor([4.0, 5.0, 6.0])
show(
    torch.dot(v, w),
    torch.inner(v, w),
    torch.vdot(v, w),
    torch.outer(v, w),
    torch.ger(v, w),
    torch.linalg.vecdot(v, w),
)
show(
    torch.vdot(torch.tensor([1j, 2.0]), torch.tensor([1j, 1.0])),
    torch.dot(torch.tensor([1j, 2.0]), torch.tensor([1j, 1.0])),
)
show(
    torch.inner(torch.ones(2, 3), torch.ones(4, 3)).shape,
    torch.inner(v, torch.tensor(2.0)),
    torch.inner(v, w).grad_fn.name(),
    torch.outer(v, w).grad_fn.name(),
)
show(
    torch.linalg.multi_dot([v, torch.ones(3, 4), torch.ones(4, 5), torch.ones(5)]),
    torch.chain_matmul(torch.ones(2, 3), torch.ones(3, 4), torch.ones(4, 1)),
)
show(torch.linalg.multi_dot([torch.ones(2, 30), torch.ones(30, 3), torch.ones(3, 40)]).shape)
for wrong in (
    lambda: torch.linalg.multi_dot([v]),
    lambda: torch.linalg.multi_dot([v, w.unsqueeze(0)]),
    lambda: torch.dot(v, w[:2]),
    lambda: torch.outer(v, torch.ones(2, 2)),
    lambda: torch.chain_matmul(),
):
    try:
        show(wrong())
    except RuntimeError as error:
        show(error)


# %% tensor equations, Vandermonde matrices, reflections
A = torch.eye(6, dtype=torch.float64).view(2, 3, 6) * 2
show(
    torch.linalg.tensorinv(A, ind=2).shape, torch.linalg.tensorsolve(A, torch.ones(2, 3, dtype=torch.float64))
)
show(torch.linalg.vander(torch.tensor([1, 2, 3])), torch.linalg.vander(torch.tensor([[2.0, 3.0]]), N=4))
a, tau = torch.geqrf(torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=torch.float64))
show(a, tau, torch.linalg.householder_product(a, tau), torch.orgqr(a, tau).shape)
show(
    torch.linalg.diagonal(torch.arange(8).view(2, 2, 2)), torch.linalg.matmul(torch.ones(2, 3), torch.ones(3))
)
torch.linalg.tensorsolve(torch.ones(2, 3, 5), torch.ones(2, 3))


# %% what has been removed explains itself
S = torch.eye(2)
for name, arguments in (
    ("eig", (S,)),
    ("symeig", (S,)),
    ("solve", (S, S)),
    ("lstsq", (S, S)),
    ("matrix_rank", (S,)),
):
    try:
        getattr(torch, name)(*arguments)
    except RuntimeError as error:
        show(name, error)
show([hasattr(S, name) for name in ("eig", "symeig", "solve", "lstsq", "matrix_rank")])


# %% out=: shapes, orders, dtypes
A = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
out = torch.empty(0)
show(torch.linalg.inv(A, out=out) is out, out, out.stride())
rows = torch.zeros(2, 2)
show(torch.linalg.inv(A, out=rows).stride(), rows)
Q, R = torch.empty(0), torch.empty(0)
r = torch.linalg.qr(A, out=(Q, R))
show(type(r).__name__, r.Q is Q, R)
for wrong in (
    torch.linalg.inv,
    torch.linalg.eig,
    torch.cholesky_inverse,
    torch.linalg.pinv,
    torch.linalg.vector_norm,
):
    try:
        target = torch.zeros(2, 2, dtype=torch.int32)
        show(wrong(A, out=(target, target) if wrong is torch.linalg.eig else target))
    except RuntimeError as error:
        show(error)


# %% no half, no integers
H, K = torch.eye(2, dtype=torch.float16), torch.eye(2, dtype=torch.int64)
for f in (
    torch.linalg.inv,
    torch.linalg.det,
    torch.linalg.qr,
    torch.linalg.svd,
    torch.linalg.eigh,
    torch.linalg.eigvalsh,
    torch.linalg.cholesky,
    torch.linalg.lu,
    torch.linalg.pinv,
    torch.linalg.matrix_rank,
    torch.slogdet,
    torch.linalg.matrix_norm,
    torch.matrix_exp,
    torch.cholesky_inverse,
):
    for x in (H, K, torch.ones(2), torch.ones(2, 3)):
        try:
            r = f(x)
            show(type(r).__name__)
        except (RuntimeError, NotImplementedError) as error:
            show(type(error).__name__, error)
show(
    torch.mm(H, H),
    torch.mv(H, H[0]).dtype,
    torch.dot(H[0], H[1]),
    torch.addmm(H, H, H, alpha=0.5),
    torch.mm(K, K),
)


# %% beta and alpha in the order of old
M, v = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 2.0])
show(torch.addmv(2, v, 3, M, v), torch.addmv(2, v, M, v), v.addmv(2, 3, M, v), v.clone().addmv_(2, M, v))
show(
    torch.addr(2, M, 3, v, v),
    M.addr(2, v, v),
    M.addmm(2, 3, M, M),
    M.unsqueeze(0).baddbmm(2, M.unsqueeze(0), M.unsqueeze(0)),
    torch.addbmm(2, M, 3, M.unsqueeze(0), M.unsqueeze(0)),
)
M.addmm(2, M)


# %% LDL of a matrix that is not positive-definite, reflections applied, approximations of low rank
S = torch.tensor([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]], dtype=torch.float64)
r = torch.linalg.ldl_factor(S)
show(
    r,
    torch.linalg.ldl_factor_ex(S).info,
    torch.linalg.ldl_solve(r.LD, r.pivots, torch.eye(3, dtype=torch.float64)),
)
H = torch.tensor([[1.0, 2j], [-2j, 1.0]], dtype=torch.complex128)
show(torch.linalg.ldl_factor(H, hermitian=True).pivots, torch.linalg.ldl_factor_ex(torch.zeros(2, 2)))
a, tau = torch.geqrf(torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], dtype=torch.float64))
C = torch.arange(6.0, dtype=torch.float64).view(3, 2).requires_grad_()
Q = torch.ormqr(a, tau, C)
show(Q, torch.ormqr(a, tau, C.mT, left=False, transpose=True), torch.autograd.grad(Q.sum(), C))
torch.manual_seed(3)
low = torch.randn(6, 2, dtype=torch.float64) @ torch.randn(2, 5, dtype=torch.float64)
U, s, V = torch.svd_lowrank(low, q=2)
show(s, (U * s @ V.mT - low).abs().max() < 1e-12, torch.pca_lowrank(low, q=2)[1], torch.randn(2))
torch.pca_lowrank(low, q=7)


# %% a complex inverse that is written to can't be derived from
C = torch.tensor([[2.0, 1j], [-1j, 3.0]], requires_grad=True)
inverse = torch.linalg.inv(C)
inverse.mul_(2)
try:
    torch.ones(1, 2, 3, dtype=torch.complex64).expand(2, 3)
except RuntimeError as error:
    show(error)
inverse.abs().sum().backward()


# %% out= and gradients: refused where one would be lost
A = torch.tensor([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
for f in (
    torch.linalg.inv,
    torch.linalg.det,
    torch.linalg.eigvalsh,
    torch.linalg.svdvals,
    torch.linalg.cholesky,
    torch.linalg.norm,
    torch.linalg.cond,
    torch.linalg.matrix_rank,
    torch.argmax,
):
    target = torch.zeros(
        0, dtype=torch.int64 if f in (torch.linalg.matrix_rank, torch.argmax) else torch.float32
    )
    try:
        r = f(A, out=target)
        show(r is target, r.requires_grad, r.shape, None if r.grad_fn is None else r.grad_fn.name())
    except RuntimeError as error:
        show(error)


# %% what is not finite
nan, inf = torch.full((2, 3, 3), float("nan")), torch.eye(3)
nan[0] = torch.eye(3)
inf[1, 0] = float("inf")
show(
    torch.linalg.slogdet(nan),
    torch.linalg.det(nan),
    torch.matrix_exp(inf),
    torch.linalg.svdvals(inf),
    torch.linalg.inv_ex(nan).info,
)
for f in (torch.linalg.eigh, torch.linalg.svd, torch.linalg.cholesky, torch.linalg.eig):
    try:
        f(nan)
    except RuntimeError as error:
        show(type(error).__name__, error)


# %% Of two results either may be the one that is differentiated
torch.manual_seed(0)
x = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
for i in (0, 1):
    try:
        torch.geqrf(x)[i].sum().backward()
    except NotImplementedError as error:
        show(error)
for f in (
    torch.std_mean,
    torch.var_mean,
    torch.aminmax,
    torch.linalg.slogdet,
    torch.linalg.qr,
    torch.linalg.eigh,
):
    for i in (0, 1):
        x.grad = None
        f(x.mT @ x)[i].abs().sum().backward()
        show(f.__name__, i, x.grad)


# %% Determinants of singular matrices
for rows in (
    [[0.0, 2], [0, 3]],
    [[0.0, 0], [1, 1]],
    [[1.0, 2, 4], [2, 4, 8], [1, 0, 2]],
    [[0.0, 0], [0, 0]],
    [[0.0, -2], [0, 3]],
):
    a = torch.tensor(rows, dtype=torch.float64)
    for m in (a, a.t(), a.expand(2, -1, -1)):
        show(1 / torch.linalg.det(m), torch.linalg.slogdet(m))
    show(torch.linalg.slogdet(a.to(torch.complex128)).logabsdet)
