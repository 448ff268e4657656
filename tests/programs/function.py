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


# %% A saved result that was written to
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return ctx.saved_tensors[0] * g


x = torch.ones(2, requires_grad=True)
z = F.apply(x)
z.add_(1)
show(z.grad_fn, z.grad_fn.next_functions)
z.sum().backward()


# %% What save_for_backward and the marks may be given
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, what):
        if what == 1:
            ctx.save_for_backward(3)
        if what == 2:
            ctx.save_for_backward(x, None)
            show(ctx.saved_tensors)
        if what == 3:
            ctx.mark_dirty(3)
        if what == 4:
            ctx.mark_non_differentiable(3)
        if what == 5:
            return 3
        if what == 6:
            return x, 3, None, [x]
        if what == 7:
            return [x * 1, x]
        if what == 8:
            return None
        if what == 9:
            ctx.to_save = 3
        if what == 10:
            ctx.save_for_backward([x])
        if what == 11:
            return ()
        return x * 2

    @staticmethod
    def backward(ctx, g, *others):
        show("backward", g, others, ctx.saved_tensors)
        return g, None


for rg in (True, False):
    x = torch.ones(2, requires_grad=rg)
    for what in range(12):
        try:
            r = F.apply(x, what)
            show(what, r)
        except (TypeError, RuntimeError, ValueError, AttributeError) as e:
            show(what, type(e), e)
r = F.apply(torch.ones(2, requires_grad=True), 2)
show(r.grad_fn.saved_tensors)
r.sum().backward()


# %% What backward may return
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n, y):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return answer(g)


x, y = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
for a in [
    lambda g: g,
    lambda g: (g,),
    lambda g: (g, g, g),
    lambda g: (g, None, g),
    lambda g: (g, None, None, None),
    lambda g: (g, None, None, g),
    lambda g: (g, None),
    lambda g: (None, None, None),
    lambda g: None,
    lambda g: (3, None, None),
    lambda g: [g, None, None],
    lambda g: (g.sum(), None, None),
    lambda g: (g[0].expand(2, 2), None, None),
    lambda g: (g.double(), None, None),
    lambda g: (g.int(), None, None),
    lambda g: (g * 1j, None, None),
    lambda g: (g.expand(3, 2), None, None),
]:
    answer = a
    globals()["answer"] = a
    try:
        x.grad = y.grad = None
        F.apply(x, 1, y).sum().backward()
        show(x.grad, y.grad)
    except (TypeError, RuntimeError) as e:
        show(type(e), e)


# %% mark_dirty of the only input
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


a = torch.ones(3, requires_grad=True)
b = a.clone()
v = b._version
c = F.apply(b)
show(c is b, c, b._version, v, b.grad_fn.next_functions)
c.sum().backward()
show(a.grad)
b = a.clone()
s = b[1:]
r = F.apply(s)
show(r is s, b, s, s.grad_fn.next_functions, b.grad_fn.next_functions)
a.grad = None
b.sum().backward()
show(a.grad)
p = torch.ones(2)
q = F.apply(p)
show(q is p, q, q._version)
try:
    F.apply(a)
except RuntimeError as e:
    show(e, a)
try:
    F.apply(a[1:])
except RuntimeError as e:
    show(e, a)


# %% mark_dirty of one of two inputs
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.mark_dirty(x)
        x.add_(y)
        return (x, y * 2) if both else y * 3

    @staticmethod
    def backward(ctx, *g):
        show("backward", g)
        return (g[0], g[0] + g[1] * 2) if len(g) > 1 else (g[0], g[0])


both = globals()["both"] = True
x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
b = x * 1
r, s = F.apply(b, y)
show(r is b, r, s, r.output_nr, s.output_nr, r.grad_fn is s.grad_fn)
(r * s).sum().backward()
show(x.grad, y.grad)
try:
    F.apply((x * 1)[1:], y[1:])
except RuntimeError as e:
    show(e)
both = globals()["both"] = False
try:
    F.apply(x * 1, y)
except RuntimeError as e:
    show(e)


# %% mark_dirty of what is not an input
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * 2


x = torch.ones(3, requires_grad=True)
show(F.apply(x))


# %% mark_non_differentiable of indices
class Sort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, idx = x.sort()
        ctx.mark_non_differentiable(idx)
        ctx.save_for_backward(x, idx)
        return values, idx

    @staticmethod
    def backward(ctx, g1, g2):
        show("backward", g1, g2)
        x, idx = ctx.saved_tensors
        return torch.zeros_like(x).index_add_(0, idx, g1)


x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
v, i = Sort.apply(x)
show(v, i, i.requires_grad, v.output_nr, i.output_nr)
(v * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
show(x.grad)


# %% set_materialize_grads with several outputs
class Two(torch.autograd.Function):
    materialize = True

    @staticmethod
    def forward(ctx, x, y):
        ctx.set_materialize_grads(Two.materialize)
        return x * 2, y * 3, (x > 0).int(), x.detach().double()

    @staticmethod
    def backward(ctx, *gs):
        show("backward", gs)
        return gs[0], gs[1]


x, y = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
a, b, c, d = Two.apply(x, y)
show(a, b, c, d, a.grad_fn is b.grad_fn, b.output_nr, d.output_nr, b.grad_fn.next_functions)
a.sum().backward(retain_graph=True)
show(x.grad, y.grad)
b.sum().backward(retain_graph=True)
show(x.grad, y.grad)
Two.materialize = False
x.grad = y.grad = None
a, b, c, d = Two.apply(x, y)
a.sum().backward()
show(x.grad, y.grad)
show(torch.autograd.grad(Two.apply(x, y)[1].sum(), [x, y], allow_unused=True))
a.add_(1)


# %% A Function without a gradient in the middle
class Nothing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        show("nothing", g)
        return None


class Id(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(Id.on)
        return x * 1

    @staticmethod
    def backward(ctx, g):
        show("id", g)
        return g


for Id.on in (True, False):
    x = torch.ones(2, requires_grad=True)
    Nothing.apply(Id.apply(x * 1)).sum().backward()
    show(x.grad)


# %% A Function that returns its input
class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 5


x = torch.ones(3, requires_grad=True)
y = Same.apply(x)
show(y is x, y, y._is_view(), y._base is x, y.is_leaf)
y.sum().backward()
show(x.grad)
b = x * 1
z = Same.apply(b)
for f in (
    lambda: z.add_(1),
    lambda: z[0].add_(1),
    lambda: (b.add_(1), show(z.grad_fn)),
    lambda: z.detach().add_(1),
):
    try:
        show(f())
    except RuntimeError as e:
        show(e)
p = torch.ones(2)
q = Same.apply(p)
show(q is p, q._is_view(), q.requires_grad)
q.add_(1)
show(p)
with torch.no_grad():
    r = Same.apply(x)
    show(r is x, r._is_view(), r.requires_grad)


# %% A Function that returns two views of its input
class Cut(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[1:], x[:1]

    @staticmethod
    def backward(ctx, a, b):
        return torch.cat([b, a])


x = torch.ones(3, requires_grad=True)
a, b = Cut.apply(x)
show(a, b, a._base is x, a._is_view())
(a.sum() * 2 + b.sum()).backward()
show(x.grad)
y = x * 1
a, b = Cut.apply(y)
try:
    a.add_(1)
except RuntimeError as e:
    show(e)
y.add_(1)
a.grad_fn


# %% once_differentiable
from_ = torch.autograd.function.once_differentiable


class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    @from_
    def backward(ctx, g):
        show(torch.is_grad_enabled())
        (x,) = ctx.saved_tensors
        return g * 2 * x


x = torch.tensor([3.0], requires_grad=True)
y = Once.apply(x)
y.backward()
show(x.grad)
(g,) = torch.autograd.grad(Once.apply(x), x, create_graph=True)
show(g)
one = torch.ones(1, requires_grad=True)
(g,) = torch.autograd.grad(Once.apply(x), x, one, create_graph=True)
show(g, g.grad_fn)
g.backward()


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


# %% Hooks of a Function's node
order = []


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        order.append("F")
        return g * 2


x = torch.ones(2, requires_grad=True)
y = F.apply(x)
y.grad_fn.register_hook(lambda gi, go: order.append((gi, go)))
y.grad_fn.register_prehook(lambda go: order.append(go))
y.register_hook(lambda g: order.append(g))
y.retain_grad()
y.grad_fn.metadata["a"] = 1
y.sum().backward()
show(order, y.grad, y.grad_fn.metadata)
y.grad_fn.__class__ = 3


# %% needs_input_grad in partial passes
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y

    @staticmethod
    def backward(ctx, g):
        show(ctx.needs_input_grad, torch.is_grad_enabled())
        return g, g


x, y, z = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True), torch.ones(2)
torch.autograd.grad(F.apply(x, y).sum(), x)
torch.autograd.grad(F.apply(x * 1, y).sum(), [y])
r = F.apply(x, z)
show(r.grad_fn.next_functions[1], len(r.grad_fn.next_functions))
r.sum().backward()
show(z.grad)


class G(torch.autograd.Function):
    @staticmethod
    def forward(ctx, n, x, s, y):
        return x * y

    @staticmethod
    def backward(ctx, g):
        return None, g, None, g


r = G.apply(1, x, "s", y)
show(len(r.grad_fn.next_functions), r.grad_fn.needs_input_grad)


# %% Differentiation inside of forward
class Inner(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            d = x.detach().requires_grad_()
            y = (d**3).sum()
            (ctx.g,) = torch.autograd.grad(y, d)
        return y.detach()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.g


x = torch.tensor([1.0, 2.0], requires_grad=True)
Inner.apply(x).backward()
show(x.grad)


class Leak(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 9


y = Leak.apply(x)
show(y, y.grad_fn.next_functions)
with torch.no_grad():
    y = Leak.apply(x)
    show(y)


# %% setup_context that saves an input returned as output
class F(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        return g


x = torch.ones(2, requires_grad=True)
F.apply(x)


# %% InplaceFunction
class F(torch.autograd.function.InplaceFunction):
    @staticmethod
    def forward(ctx, x, inplace):
        if inplace:
            ctx.mark_dirty(x)
            return x.mul_(3)
        return x * 3

    @staticmethod
    def backward(ctx, g):
        return g * 3, None, None


x = torch.ones(2, requires_grad=True)
y = F.apply(x * 1, True)
y.sum().backward()
show(
    y,
    x.grad,
    isinstance(F, torch.autograd.function.FunctionMeta),
    torch.autograd.function.Function is torch.autograd.Function,
    issubclass(F, torch.autograd.function.FunctionCtx),
)
show(
    isinstance(y.grad_fn, torch.autograd.function.FunctionCtx),
    isinstance(y.grad_fn, torch.autograd.function.BackwardCFunction),
    F.__mro__[1:3],
)


# %% The order of hooks of an accumulating node
order = []
x = torch.ones(2, requires_grad=True)
y = x * 2
acc = x.grad_fn or torch.autograd.graph.get_gradient_edge(x).node
acc.register_hook(lambda gi, go: order.append(("post", gi, go, x.grad)))
acc.register_prehook(lambda go: order.append(("pre", go)))
x.register_hook(lambda g: order.append(("tensor", g)))
x.register_post_accumulate_grad_hook(lambda p: order.append(("acc", p.grad)))
y.sum().backward()
show(order)


# %% Anomaly mode and the metadata of a node
with torch.autograd.set_detect_anomaly(True):
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.add_(1)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            y.sum().backward()
        except RuntimeError as e:
            show(str(e))
show(sorted(y.grad_fn.metadata))


# %% A backward that raises, with and without anomaly mode
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        raise ValueError("mine")


x = torch.ones(2, requires_grad=True)
try:
    F.apply(x).sum().backward()
except ValueError as e:
    show(e)
F.apply(x).add_(1).sum().backward()


# %% Saved inputs come back as the same objects
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        show(x is X, y is Y, ctx.saved_tensors is ctx.saved_tensors)
        return g * y, g * x


X, Y = torch.ones(2, requires_grad=True), torch.ones(2)
globals().update(X=X, Y=Y)
z = F.apply(X, Y)
z.sum().backward(retain_graph=True)
z.sum().backward()
show(X.grad)


# %% A view made by a Function and written under no_grad
x = torch.ones(3, requires_grad=True)


class V(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, g):
        return g.view(3) * 2


y = V.apply(x * 1)
with torch.no_grad():
    y.mul_(2)
show(y)
try:
    show(y.grad_fn)
except RuntimeError as e:
    show(e)
y = V.apply(x * 1)
show(y.view(3).grad_fn.next_functions, y[0].grad_fn)


# %% mark_dirty of a tensor that has or retains a gradient
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


x = torch.ones(3)
x.grad = torch.ones(3)
w = torch.ones(3, requires_grad=True)
b = w.clone()
b.retain_grad()
h = []
b.register_hook(lambda g: h.append(("old", g)))
F.apply(b)
b.register_hook(lambda g: h.append(("new", g)))
b.sum().backward()
show(h, b.grad, w.grad)


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


# %% The gradient of a Function is looked at where only another tensor is asked for too
class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * 2, b * 2

    @staticmethod
    def backward(ctx, g, h):
        return torch.ones(5), torch.ones(3)


x = torch.ones(3, requires_grad=True)
z, w = x * 1, x * 2
for ask in (
    lambda a, b: torch.autograd.grad(a.sum() + b.sum(), w),
    lambda a, b: torch.autograd.grad(a.sum() + b.sum(), z),
    lambda a, b: a.sum().backward(inputs=[a]),
    lambda a, b: b.sum().backward(inputs=[a]),
):
    try:
        show(ask(*Two.apply(z, w)))
    except RuntimeError as e:
        show(e)


# %% Backward passes within backward passes
def nested(depth):
    class Nested(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, left):
            ctx.left = left
            return x * 1

        @staticmethod
        def backward(ctx, g):
            if not ctx.left:
                return g * 2, None
            with torch.enable_grad():
                x = torch.ones(1, requires_grad=True)
                Nested.apply(x, ctx.left - 1).sum().backward()
            return g * x.grad, None

    x = torch.ones(1, requires_grad=True)
    Nested.apply(x, depth).sum().backward()
    return x.grad


show(nested(10), nested(400))
