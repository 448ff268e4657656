# %% A Function in transforms
# A Function in transforms: with a rule made for it, with a vmap of its own, without either, and in the old style.
F, Function = torch.func, torch.autograd.Function


class Square(Function):
    @staticmethod
    def forward(x):
        return x**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 * x

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return tangent * 2 * x


class Generated(Square):
    generate_vmap_rule = True


class Ruled(Square):
    @staticmethod
    def vmap(info, in_dims, x):
        show(info.batch_size, info.randomness, in_dims, tuple(x.shape))
        return Ruled.apply(x), in_dims[0]


class Both(Ruled):
    generate_vmap_rule = True


class Old(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


x = torch.arange(3.0)
for kind in (Square, Generated, Ruled, Both, Old):
    show(result_or_error(lambda: F.vmap(kind.apply)(x)))
    show(result_or_error(lambda: F.grad(lambda v: kind.apply(v).sum())(x)))
    show(result_or_error(lambda: F.vmap(F.grad(kind.apply))(x)))
    show(result_or_error(lambda: F.grad(lambda v: F.vmap(kind.apply)(v).sum())(x)))
    show(result_or_error(lambda: F.jacfwd(kind.apply)(x)))
    show(result_or_error(lambda: F.jacrev(kind.apply)(x)))
    show(result_or_error(lambda: F.hessian(lambda v: kind.apply(v).sum())(x)))
show(F.vmap(Generated.apply)(torch.ones(2, 2)))


# %% jvp of a Function
# jvp: several outputs, arguments that are no tensors or have no tangent, tensors kept for it.
forward_ad, Function = torch.autograd.forward_ad, torch.autograd.Function


class Two(Function):
    @staticmethod
    def forward(ctx, x, k, y):
        ctx.save_for_forward(x, y)
        ctx.k = k
        return x * y * k, x + 1

    @staticmethod
    def jvp(ctx, dx, dk, dy):
        x, y = ctx.saved_tensors
        show(dx, dk, dy)
        return (dx * y + dy * x) * ctx.k, dx


x, y = torch.arange(3.0), torch.tensor([1.0, 0.5, 2.0])
with forward_ad.dual_level():
    for result in Two.apply(forward_ad.make_dual(x, torch.ones(3)), 3, y):
        show(*forward_ad.unpack_dual(result))


# %% What jvp must not return
forward_ad, Function = torch.autograd.forward_ad, torch.autograd.Function


class View(Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def jvp(ctx, t):
        return t.view_as(t)


class NoView(View):
    @staticmethod
    def jvp(ctx, t):
        return t * 2


class Write(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def jvp(ctx, t):
        return t.mul_(2)


class NoWrite(Write):
    @staticmethod
    def jvp(ctx, t):
        return t * 2


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class Wrong(Double):
    @staticmethod
    def jvp(ctx, t):
        return torch.ones(2)


class TooMany(Double):
    @staticmethod
    def jvp(ctx, t):
        return t, t


def run(kind):
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.arange(3.0), torch.ones(3))
        return forward_ad.unpack_dual(kind.apply(x))


for kind in (View, NoView, Write, NoWrite, Double, Wrong, TooMany):
    show(kind.__name__, result_or_error(lambda: run(kind)))


# %% Jacobians of gelu
F, func = torch.nn.functional, torch.func
x = torch.linspace(-2, 2, 6, dtype=torch.float64).reshape(3, 2)
for approximate in ("none", "tanh"):

    def gelu(x):
        return F.gelu(x, approximate=approximate)

    show(func.jacrev(gelu)(x[0]), func.jacfwd(gelu)(x[0]), func.hessian(lambda x: gelu(x).sum())(x[0]))
    show(func.vmap(func.grad(lambda x: gelu(x).sum()))(x), func.vmap(func.jacrev(gelu))(x))
