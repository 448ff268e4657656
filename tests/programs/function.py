# %% exp as a Function, from PyTorch's documentation
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result


x = torch.tensor([1.0], requires_grad=True)
ret = Exp.apply(x)
show(
    ret,
    type(ret.grad_fn),
    ret.grad_fn.name(),
    ret.grad_fn,
    repr(type(ret.grad_fn).__bases__[0]),
    type(ret.grad_fn)._forward_cls is Exp,
    Exp._backward_cls is type(ret.grad_fn),
)
show(
    ret.grad_fn.next_functions[0][0].variable is x,
    ret.grad_fn.saved_tensors[0].grad_fn is ret.grad_fn,
    ret.is_leaf,
    ret._version,
)
ret.backward()
show(x.grad)
for f in (lambda: ret.backward(), lambda: ret.grad_fn.saved_tensors):
    try:
        f()
    except RuntimeError as e:
        show(e)
show(
    Exp.apply(torch.tensor([2.0])),
    torch.autograd.gradcheck(Exp.apply, torch.rand(3, dtype=torch.double, requires_grad=True)),
    torch.autograd.gradgradcheck(Exp.apply, torch.rand(3, dtype=torch.double, requires_grad=True)),
)


# %% A Function with a coefficient that is not a tensor
class GradCoeff(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, coeff):
        ctx.coeff = coeff
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.coeff * grad_output, None


x = torch.tensor([2.0], requires_grad=True)
ret = GradCoeff.apply(x, -0.1)
show(
    ret,
    ret is x,
    ret._is_view(),
    ret._base is x,
    ret.data_ptr() == x.data_ptr(),
    ret.grad_fn.coeff,
    ret.grad_fn.needs_input_grad,
    ret.grad_fn.next_functions,
)
ret = ret**2
show(ret)
ret.backward()
show(x.grad)
try:
    GradCoeff.apply(x, 0.5).add_(1)
except RuntimeError as e:
    show(e)


# %% A Legendre polynomial as a Function
class LegendrePolynomial3(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 0.5 * (5 * x**3 - 3 * x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 1.5 * (5 * x**2 - 1)


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = 1 + 2 * LegendrePolynomial3.apply(3 + 4 * x)
show(y)
y.sum().backward()
show(x.grad)
show(
    torch.autograd.gradgradcheck(
        LegendrePolynomial3.apply, torch.rand(3, dtype=torch.double, requires_grad=True)
    )
)


class Plain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 0.5 * (5 * x**3 - 3 * x)


show(Plain.apply(3), type(Plain.apply(3)))
LegendrePolynomial3.apply(3)


# %% A convolution as a Function whose backward uses the library
import importlib

F = torch.nn.functional
from_ = torch.autograd.function.once_differentiable


class Conv(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return F.conv2d(x, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = None
        if ctx.needs_input_grad[0]:
            grad_x = F.conv_transpose2d(grad_output, weight)
        if ctx.needs_input_grad[1]:
            grad_weight = F.conv2d(x.transpose(0, 1), grad_output.transpose(0, 1)).transpose(0, 1)
        return grad_x, grad_weight


x = torch.rand(2, 3, 5, 5, dtype=torch.double, requires_grad=True)
w = torch.rand(4, 3, 3, 3, dtype=torch.double, requires_grad=True)
show(torch.autograd.gradcheck(Conv.apply, (x, w)), torch.autograd.gradgradcheck(Conv.apply, (x, w)))
y = Conv.apply(x, w)
show(y.shape, y.grad_fn, w.grad)
F.mse_loss(y, torch.ones_like(y)).backward()
gx, gw = torch.autograd.grad(F.mse_loss(F.conv2d(x, w), torch.ones_like(y)), (x, w))
show(w.grad.shape, torch.allclose(gx, x.grad), torch.allclose(gw, w.grad))


# %% setup_context
class Square(torch.autograd.Function):
    @staticmethod
    def forward(x, power=2):
        return x**power

    @staticmethod
    def setup_context(ctx, inputs, output):
        show("setup", inputs, output)
        ctx.save_for_backward(inputs[0])
        ctx.power = inputs[1]

    @staticmethod
    def backward(ctx, g):
        show("backward", g, torch.is_grad_enabled())
        (x,) = ctx.saved_tensors
        return g * ctx.power * x ** (ctx.power - 1), None


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Square.apply(x)
show(y, y.grad_fn.saved_tensors[0] is x)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
show(g)
show(torch.autograd.grad(g.sum(), x))
show(Square.apply(x, 3), Square.apply(x, power=4), y.grad_fn.needs_input_grad)
Square.apply(x, 1, 2)


# %% The mode, needs_input_grad and saved tensors inside of forward
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        show("forward", torch.is_grad_enabled(), ctx.needs_input_grad, ctx.saved_tensors)
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return ctx.saved_tensors[0] * g


x = torch.ones(2, requires_grad=True)
y = x * 1
z = F.apply(y)
y.add_(1)
try:
    z.sum().backward()
except RuntimeError as e:
    show(e)
w = torch.ones(2, requires_grad=True)
z = F.apply(w)
with torch.no_grad():
    w.add_(1)
try:
    z.grad_fn.saved_tensors
except RuntimeError as e:
    show(e)
with torch.no_grad():
    z = F.apply(x)
    show(z, z.requires_grad)
z = F.apply(torch.ones(2))
show(z, z.grad_fn)


# %% Attributes of ctx with names that the class has
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, shape, k=1):
        ctx.shape, ctx.dtype, ctx.next, ctx.seq, ctx.outputs, ctx.extras = x.shape, x.dtype, 1, 2, 3, 4
        return x * 2

    @staticmethod
    def backward(ctx, g):
        show(ctx.shape, ctx.dtype, ctx.next, ctx.seq, ctx.outputs, ctx.extras, sorted(ctx.__dict__))
        return g * 2, None, None


x = torch.ones(2, requires_grad=True)
F.apply(x, (2,)).sum().backward(retain_graph=True)
show(x.grad)
y = F.apply(x, (2,))
show(y.grad_fn.shape, y.grad_fn._sequence_nr() >= 0)
for f in (
    lambda: F.apply(x, shape=(2,)),
    lambda: F.apply(x),
    lambda: F.apply(),
    lambda: F(),
    lambda: F()(x),
    lambda: F.apply(x, 1, 1).sum().backward(),
    lambda: F.jvp(None),
    lambda: F.vmap(None, None),
    lambda: torch.autograd.Function.apply(x),
    lambda: torch.autograd.Function.setup_context(None, None, None),
    lambda: torch.autograd.Function.backward(None),
):
    try:
        show(f())
    except Exception as e:
        show(type(e), e)


# %% backward and vjp, one or both of them
class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g

    @staticmethod
    def vjp(ctx, g):
        return g * 7


class Vjp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def vjp(ctx, g):
        return g * 7


class Neither(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


x = torch.ones(2, requires_grad=True)
Vjp.apply(x).sum().backward()
show(x.grad)
for F in (Both, Neither):
    try:
        F.apply(x).sum().backward()
    except Exception as e:
        show(type(e), e)


# %% Arguments with defaults
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, shape, k=1, y=None):
        show("forward", x, shape, k, y, ctx.needs_input_grad)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        show(len(ctx.needs_input_grad))
        return (g * 2,) + (None,) * (len(ctx.needs_input_grad) - 1)


x = torch.ones(2, requires_grad=True)
for f in (
    lambda: F.apply(x, shape=3),
    lambda: F.apply(x=x, shape=3),
    lambda: F.apply(shape=3, x=x),
    lambda: F.apply(x, 1, y=x),
    lambda: F.apply(x, 1, k=x, y=2),
    lambda: F.apply(x, 1, z=2),
    lambda: F.apply(x, x=x),
    lambda: F.apply(x, y=3),
    lambda: F.apply(x, 1, 2, 3, 4),
    lambda: F.apply(x, 1, y=3, k=3),
    lambda: F.apply(y=x, shape=3),
):
    try:
        r = f()
        show(r, len(r.grad_fn.next_functions), r.grad_fn.needs_input_grad)
        r.sum().backward()
    except (TypeError, RuntimeError) as e:
        show(type(e).__name__, e)


# %% Keyword arguments of apply
class G(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *xs, **kw):
        show(xs, kw)
        return xs[0] * 2

    @staticmethod
    def backward(ctx, g):
        return g


x = torch.ones(2, requires_grad=True)
for f in (lambda: G.apply(x, k=3), lambda: G.apply(x, x)):
    try:
        show(f())
    except (TypeError, RuntimeError) as e:
        show(type(e).__name__, e)


# %% Keyword arguments of forward with setup_context
class G(torch.autograd.Function):
    @staticmethod
    def forward(x, *, k=2):
        return x * k

    @staticmethod
    def setup_context(ctx, inputs, output):
        show(inputs, ctx.needs_input_grad)

    @staticmethod
    def backward(ctx, g):
        return g


x = torch.ones(2, requires_grad=True)
for f in (lambda: G.apply(x, k=3), lambda: G.apply(x), lambda: G.apply(x=x)):
    try:
        show(f())
    except (TypeError, RuntimeError) as e:
        show(type(e).__name__, e)
