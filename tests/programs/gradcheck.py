# %% gradcheck and gradgradcheck accept and refuse
gc, ggc = torch.autograd.gradcheck, torch.autograd.gradgradcheck


def t(f):
    try:
        show(f())
    except Exception as e:
        show(
            type(e).__name__, str(e).split("\n\nNOTE")[0].split("\n\nIf you are")[0].split("\n(This could")[0]
        )


def x(*s, **k):
    torch.manual_seed(1)
    return torch.rand(*s, dtype=k.get("dtype", torch.float64)).requires_grad_()


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * a

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0] * 3


for fast in (False, True):
    t(lambda: gc(torch.sin, x(3), fast_mode=fast))
    t(lambda: gc(lambda a, b: (a * b, a.exp()), (x(2), x(2)), fast_mode=fast))
    t(lambda: gc(Wrong.apply, x(2), fast_mode=fast))
    t(lambda: gc(Wrong.apply, x(2), fast_mode=fast, raise_exception=False))
    t(lambda: gc(Wrong.apply, (x(2),), atol=10, fast_mode=fast))
    t(lambda: gc(lambda a: a.detach() * 2, x(2), fast_mode=fast))
    t(lambda: gc(lambda a: torch.ones(2), x(2), fast_mode=fast))
    t(lambda: gc(torch.sin, torch.ones(2), fast_mode=fast))
    t(lambda: gc(torch.sin, x(2, dtype=torch.float32), eps=1e-2, atol=1e-2, fast_mode=fast))
    t(
        lambda: gc(
            torch.sin, torch.ones(1, dtype=torch.float64).expand(3).detach().requires_grad_(), fast_mode=fast
        )
    )
    t(lambda: gc(lambda a: a.abs(), x(2, dtype=torch.complex128), fast_mode=fast))
    t(lambda: gc(lambda a: a * a, x(2, dtype=torch.complex128), fast_mode=fast))
    t(lambda: gc(lambda a: a.to(torch.complex128) * 1j, x(2), fast_mode=fast))
    t(lambda: gc(Wrong.apply, x(1, dtype=torch.complex128), fast_mode=fast))
    t(lambda: ggc(torch.sin, x(3), fast_mode=fast))
    t(
        lambda: ggc(
            lambda a, b: a * b,
            (x(2), x(2)),
            torch.ones(2, dtype=torch.float64, requires_grad=True),
            fast_mode=fast,
        )
    )
    t(lambda: ggc(Wrong.apply, x(2), fast_mode=fast))
    t(lambda: ggc(lambda a: a * 3, x(2), gen_non_contig_grad_outputs=True, fast_mode=fast))
    t(lambda: ggc(lambda a: a.sin(), x(2), fast_mode=fast, check_fwd_over_rev=True))
    t(lambda: gc(torch.sin, x(3), fast_mode=fast, check_forward_ad=True))
    t(lambda: gc(lambda a: a * a, x(2, dtype=torch.complex128), fast_mode=fast, check_forward_ad=True))
    t(
        lambda: gc(
            lambda a, b: (a * b, b.sum()),
            (x(2), x(2)),
            fast_mode=fast,
            check_forward_ad=True,
            check_backward_ad=False,
        )
    )
    t(lambda: gc(Wrong.apply, x(2), fast_mode=fast, check_forward_ad=True))
    t(lambda: gc(torch.sin, x(3), fast_mode=fast, check_batched_grad=True))
    t(
        lambda: gc(
            lambda a, b: (a * b, b.sum()),
            (x(2), x(2)),
            fast_mode=fast,
            check_batched_grad=True,
            check_forward_ad=True,
            check_batched_forward_grad=True,
        )
    )


# %% The options of gradcheck and what they exclude
gc, ggc = torch.autograd.gradcheck, torch.autograd.gradgradcheck


def t(f):
    try:
        show(f())
    except Exception as e:
        show(type(e).__name__, str(e).split("\n\nNOTE")[0])


x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
t(lambda: gc(torch.sin, x, check_forward_ad=False, check_backward_ad=False))
t(lambda: gc(torch.sin, x, check_batched_grad=True, check_backward_ad=False, check_forward_ad=True))
t(lambda: gc(torch.sin, x, check_batched_forward_grad=True))
t(lambda: ggc(torch.sin, x, check_rev_over_rev=False))
t(lambda: ggc(torch.sin, x, check_rev_over_rev=False, check_fwd_over_rev=True))
t(lambda: ggc(torch.sin, x, check_rev_over_rev=False, check_fwd_over_rev=True, check_undefined_grad=False))
n = [0]


class Noisy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        n[0] += 1
        return g * 2 + n[0] * 1e-8 * (g != 0)


t(lambda: gc(Noisy.apply, x))
t(lambda: gc(Noisy.apply, x, nondet_tol=1e-5))
t(lambda: gc(Noisy.apply, x, nondet_tol=1e-5, check_undefined_grad=False))


class Constant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return torch.full_like(g, 2.0) * (g.abs().sum() > 0) * g + 1e-9


t(lambda: gc(Constant.apply, x))
t(lambda: gc(Constant.apply, x, masked=True))


class Fragile(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.set_materialize_grads(False)
        return a * 2, a * 3

    @staticmethod
    def backward(ctx, g, h):
        if g is None or h is None:
            raise RuntimeError("none")
        return g * 2 + h * 3


t(lambda: gc(lambda a: Fragile.apply(a), x))
t(lambda: gc(lambda a: Fragile.apply(a), x, check_undefined_grad=False))


class Filling(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.set_materialize_grads(False)
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return torch.ones(2, dtype=torch.float64) if g is None else g * 2


t(lambda: gc(Filling.apply, x))
t(lambda: gc(Filling.apply, x, check_undefined_grad=False))


class Single(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return (g * 2).float()


t(lambda: gc(Single.apply, x))
t(lambda: gc(Single.apply, x, check_grad_dtypes=True))
k = [0]


def growing(a):
    k[0] += 1
    return a.repeat(k[0])


t(lambda: gc(growing, x))


def changing(a):
    k[0] += 1
    return a.float() if k[0] % 2 else a * 1


t(lambda: gc(changing, x))
t(lambda: gc(lambda a: (a * 2, a.argmax()), x))
t(lambda: gc(lambda a, b: a * b, (x, 3.0)))
t(lambda: gc(lambda a, b: a * b, [x, torch.ones(2, dtype=torch.float64)]))
t(lambda: gc(lambda a: [a * 2, a.sum()], x))
show(
    issubclass(
        torch.autograd.GradcheckError if hasattr(torch.autograd, "GradcheckError") else RuntimeError,
        RuntimeError,
    )
)
show(x, x.grad)
e = torch.ones(0, dtype=torch.float64, requires_grad=True)
t(lambda: gc(torch.sin, e))
t(lambda: gc(torch.sum, e))
t(lambda: gc(lambda a, b: (a * b).cumsum(0), (x, x)))
t(lambda: ggc(lambda a, b: a * b, (x, x)))
t(lambda: gc(lambda a: a.t() @ a, torch.ones(2, 2, dtype=torch.float64).t().requires_grad_()))


# %% Gradcheck of batches for a Function whose forward takes a ctx
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        ctx.save_for_forward(x, y)
        return x**3 * y, x.clone()

    @staticmethod
    def backward(ctx, grad, other):
        x, y = ctx.saved_tensors
        return 3 * x**2 * y * grad + other, x**3 * grad

    @staticmethod
    def jvp(ctx, x_tangent, y_tangent):
        x, y = ctx.saved_tensors
        return 3 * x**2 * y * x_tangent + x**3 * y_tangent, x_tangent.clone()


x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
y = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
for inputs in ((x, y), (x, y.detach())):
    attempt(
        lambda: torch.autograd.gradcheck(
            Cube.apply,
            inputs,
            check_forward_ad=True,
            check_batched_forward_grad=True,
            check_batched_grad=True,
        )
    )
attempt(
    lambda: torch.autograd.gradcheck(
        lambda x: x * torch.sin(x),
        (x,),
        check_forward_ad=True,
        check_batched_forward_grad=True,
        check_batched_grad=True,
    )
)
