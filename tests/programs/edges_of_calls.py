# %% Hooks on nodes get gradients in the shape and dtype of what they are for
def logged(name):
    def hook(inputs, outputs):
        show(name, [None if g is None else (g.tolist(), tuple(g.shape), g.dtype) for g in inputs])

    return hook


x = torch.ones(3, 1, requires_grad=True)
y = torch.ones(4, requires_grad=True)
for make in (
    lambda: x * torch.ones(3, 4),
    lambda: x + torch.ones(2, 3, 1, dtype=torch.float64),
    lambda: (x.exp() * torch.ones(2, 3, 1, dtype=torch.complex64)).abs(),
    lambda: torch.addcmul(torch.zeros(2, 4, requires_grad=True), y, y),
    lambda: torch.lerp(x, torch.ones(3, 4), x),
    lambda: torch.atan2(x, torch.ones(3, 4, dtype=torch.float64)),
    lambda: torch.addmm(y, torch.ones(2, 3), torch.ones(3, 4)),
    lambda: torch.maximum(y, torch.ones(2, 4, dtype=torch.float64)),
    lambda: torch.nn.functional.linear(torch.ones(5, 2, requires_grad=True), torch.ones(4, 2), y),
):
    z = make()
    z.grad_fn.register_hook(logged(z.grad_fn.name()))
    z.sum().backward()


# %% Unused inputs of grad with materialize_grads
x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
for create_graph in (False, True):
    show(torch.autograd.grad((x**2).sum(), [x, y], create_graph=create_graph, materialize_grads=True))


# %% Derivatives of activations at their bends
bends = torch.tensor([0.0, -0.0, 1, -1, float("inf"), -float("inf"), 3, -3, 6, 0.5, -0.5])
F = torch.nn.functional
for activation in (F.elu, F.celu, F.selu, F.hardswish, F.leaky_relu):
    for dtype in (torch.float32, torch.float64):
        x = bends.to(dtype).requires_grad_()
        (g,) = torch.autograd.grad(activation(x).sum(), x, create_graph=True)
        show(activation.__name__, g)
        if activation is not F.leaky_relu:
            show(torch.autograd.grad(g.sum(), x))
x = torch.tensor([1e-300, 0, 1e-20, 0.5], dtype=torch.float64, requires_grad=True)
show(torch.autograd.grad(torch.sinc(x).sum(), x))


# %% Tensors of NumPy's arrays that are read-only, reversed or in a list
import warnings

fixed = np.ones(3)
fixed.flags.writeable = False
for make in (
    lambda: torch.from_numpy(fixed),
    lambda: torch.as_tensor(fixed),
    lambda: torch.as_tensor(fixed, dtype=torch.float32),
    lambda: torch.asarray(fixed),
    lambda: torch.tensor(fixed),
    lambda: torch.ones(3) == fixed,
    lambda: torch.tensor([np.ones(2), np.ones(2)]),
    lambda: torch.tensor([np.ones(2), [1, 2]]),
    lambda: torch.tensor([np.ones(0)]),
    lambda: torch.tensor(np.arange(3)[::-1]),
    lambda: torch.from_numpy(np.arange(3)[::-1]),
):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        attempt_each(make)
    show([str(w.message)[:60] for w in caught if "NumPy 2" not in str(w.message)])


# %% Evenly spaced integers
for start, end, steps in ((-68, 53, 100), (1, 127, 25), (-100, 100, 8), (3, 90, 50), (5, 5, 3), (7, 100, 1)):
    for dtype in (torch.int8, torch.int16, torch.int32, torch.int64):
        show(torch.linspace(start, end, steps, dtype=dtype))
show(torch.linspace(-750741557, 874638060, 1, dtype=torch.int32))
show(torch.linspace(484399750, 558978567, 3, dtype=torch.int64))
show(torch.linspace(-11134, 14132, 10, dtype=torch.int16))


# %% Arguments of the wrong kind
x = torch.ones(3)
c = torch.ones(3, dtype=torch.complex64, requires_grad=True)
attempt_each(
    lambda: torch.arange(3j),
    lambda: torch.ones(15).view(15, -1, -1),
    lambda: torch.ones(15).reshape(15, -1, -1),
    lambda: torch.ones(6).resize_([2, 4, 2**29, 2**29]),
    lambda: torch.ones(6).resize_([8, 8, 2**29, 2**29]),
    lambda: torch.full((-1,), 2.0),
    lambda: torch.nonzero(x, out=torch.empty(0)),
    lambda: torch.take_along_dim(x, torch.tensor([True])),
    lambda: torch.ones(()).take_along_dim(torch.tensor(0), 0),
    lambda: torch.zeros(0, 2).take_along_dim(torch.zeros(1, 2).long(), 0),
    lambda: torch.normal(x, x + 0j),
    lambda: c.scatter_reduce(0, torch.tensor([0, 0, 1]), c * 2, "sum"),
    lambda: c.detach().index_reduce(0, torch.tensor([0, 0, 1]), c.detach(), "prod"),
    lambda: c.detach().index_reduce(0, torch.tensor([0, 0, 1]), c.detach(), "amax"),
    lambda: reversed(torch.arange(3)),
    lambda: reversed(torch.tensor(3)),
)


# %% Forward mode refuses out= and tangents of tangents
fw = torch.autograd.forward_ad
with fw.dual_level():
    d = fw.make_dual(torch.ones(2), torch.ones(2))
    attempt_each(
        lambda: torch.add(d, d, out=torch.ones(2)),
        lambda: torch.sum(torch.ones(2), 0, out=fw.make_dual(torch.ones(()), torch.ones(()))),
        lambda: fw.make_dual(torch.ones(2), d),
        lambda: fw.unpack_dual(d.clone().detach_()).tangent,
    )


# %% Masks of bytes warn each time
import warnings

mask = torch.zeros(3, dtype=torch.uint8)
for _ in range(2):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.ones(3)[mask]
        torch.ones(3).index_put_((mask,), torch.ones(0))
    show([str(w.message)[:60] for w in caught])


# %% A number that the result of where can't hold, and a dtype= that out= does not have
c = torch.tensor([True, False])
small, bytes_ = torch.tensor([1, 2], dtype=torch.int8), torch.tensor([1, 2], dtype=torch.uint8)
attempt_each(
    lambda: torch.where(c, 300, bytes_),
    lambda: torch.where(c, bytes_, 300),
    lambda: bytes_.where(c, 300),
    lambda: torch.where(c, -1, bytes_),
    lambda: torch.where(c, 255, small),
    lambda: torch.where(c, -129, small),
    lambda: torch.where(c, 1e300, torch.ones(2)),
    lambda: torch.where(c, 1e5, torch.ones(2).half()),
    lambda: torch.where(c, torch.tensor(300), bytes_),
)
for reduce in (torch.sum, torch.prod, torch.mean, torch.cumsum, torch.cumprod, torch.softmax):
    for out in (torch.float32, torch.float64, torch.complex64):
        attempt_each(
            lambda: (
                reduce(
                    torch.tensor([[1.5, 2.5]]), 0, dtype=torch.float64, out=torch.empty(2, dtype=out)
                ).shape
            )
        )


# %% Integers at the ends of 64 bits
attempt_each(
    lambda: torch.randint(0, 2**63, (2,)),
    lambda: torch.randint(-(2**64), 3, (2,)),
    lambda: torch.randint_like(torch.ones(2), 2**63),
    lambda: torch.ones(2).random_(2**63),
    lambda: torch.ones(2, dtype=torch.int64).random_(-(2**63), 2**63 - 1).shape,
)
for start, end, steps in (
    (0, 2**62, 3),
    (0, 2**63 - 1, 5),
    (-(2**63), 2**63 - 1, 5),
    (2**62, 2**63 - 1, 4),
    (2**62 + 1, 5, 1),
    (-(2**62), 2**62 + 1, 8),
):
    show(torch.linspace(start, end, steps, dtype=torch.int64))
for base in (2, 3, 7, 10):
    show([torch.logspace(0, 18, steps, base=base, dtype=torch.int64) for steps in (10, 19, 37)])


# %% Powers whose exponents are integers, some of them 0
for x in (
    torch.tensor([2.5, 2.5, 0.0]),
    torch.tensor([2.5, 0.5, 1.0], dtype=torch.float64),
    torch.tensor([2.5 + 1j, 1 + 1j, 1]),
):
    for dtype in (torch.int64, torch.int8, torch.uint8):
        leaf = x.clone().requires_grad_()
        (leaf ** torch.tensor([0, 3, 1], dtype=dtype)).abs().sum().backward()
        show(leaf.grad)
for e in (torch.tensor([0.0, -1, -0.5]), torch.tensor([-1 + 1j, 0j, 1j])):
    show(0j**e, torch.pow(torch.tensor([0j]), e))

# %% A list that contains itself
endless = []
endless.append(endless)
attempt(lambda: torch.tensor(endless))
attempt(lambda: torch.tensor([endless, endless]))
attempt(lambda: torch.tensor((endless,)))
deep = 1.0
for _ in range(40):
    deep = [deep]
show(torch.tensor(deep).dim())
for _ in range(90):
    deep = [deep]
attempt(lambda: torch.tensor(deep))

# %% A linear map whose bias has no dimension or two
x, w = torch.arange(6.0).view(2, 3), torch.ones(4, 3, requires_grad=True)
for bias in (
    torch.tensor(2.0, requires_grad=True),
    torch.ones(1, 4, requires_grad=True),
    torch.ones(1, requires_grad=True),
):
    for given in (x[0], x, x[None], x[None].transpose(0, 1), x.t().contiguous().t()[None]):
        out = torch.nn.functional.linear(given, w, bias)
        show(out, out.grad_fn.next_functions[0][0], out._version, torch.autograd.grad(out.sum(), bias))

# %% Complex numbers written into parts of real ones
z = torch.tensor([1 + 2j, 3 - 1j])
for call in (
    lambda: torch.zeros(2, 2).select_scatter(z, 0, 0),
    lambda: torch.zeros(2, 2).diagonal_scatter(z),
    lambda: torch.zeros(4).slice_scatter(z, 0, 1, 3),
    lambda: torch.zeros(4).as_strided_scatter(z, (2,), (2,)),
):
    attempt(call)

# %% Hooks after a gradient that never came
log = []


class Nothing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * 2, y * 2

    @staticmethod
    def backward(ctx, a, b):
        return None, b


for before in (None, torch.zeros(2)):
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    x.grad = before
    x.register_post_accumulate_grad_hook(lambda t: show("after", t.grad))
    y.register_post_accumulate_grad_hook(lambda t: show("after y", t.grad))
    Nothing.apply(x, y)[1].sum().backward()

# %% Schedules of what is no schedule and of what is no function
optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
S = torch.optim.lr_scheduler
attempt(lambda: S.MultiplicativeLR(optimizer, 0.5))
attempt(lambda: S.MultiplicativeLR(optimizer, [1, 2]))
attempt(lambda: S.LambdaLR(optimizer, 0.5))
attempt(lambda: S.ChainedScheduler(lambda epoch: 1.0))
attempt(lambda: S.SequentialLR(optimizer, lambda epoch: 1.0, [1]))
attempt(lambda: S.ChainedScheduler([]))


# %% Arguments of other dtypes that PyTorch takes
F = torch.nn.functional
x = torch.arange(24.0).reshape(2, 3, 4) / 7
for dtype in (torch.float64, torch.int64, torch.bool, torch.float16):
    for of_input in (True, False):
        mean, var = torch.tensor([1.0, 2, 3]).to(dtype), torch.tensor([1.0, 2, 3])
        result = F.instance_norm(x, mean, var, use_input_stats=of_input, momentum=0.5)
        show(result[0, :, 0], mean.dtype, var)
attempt(lambda: F.instance_norm(x, torch.ones(3), torch.ones(3).double()))
for dtype in (torch.float64, torch.int64):
    bias = torch.tensor([1.5, 2.5, 3.5]).to(dtype)
    for padding in ("same", "valid"):
        show(F.conv1d(x[:1], torch.ones(3, 3, 2) / 3, bias, padding=padding))
    attempt(lambda: F.conv1d(x[:1], torch.ones(3, 3, 2), bias))
attempt(lambda: F.conv1d(x[:1].double(), torch.ones(3, 3, 2), torch.ones(3), padding="same"))
weight = torch.arange(12.0).reshape(4, 3)
for dtype in (torch.bool, torch.uint8, torch.int32):
    show(F.embedding_bag(torch.tensor([0, 1, 1]).to(dtype), weight, torch.tensor([0, 2])))
    show(F.embedding_bag(torch.tensor([0, 1, 1]), weight, torch.tensor([0, 1]).to(dtype)))
    attempt(
        lambda: F.embedding_bag(torch.tensor([0, 1, 1]).to(dtype), weight, torch.tensor([0, 1]).to(dtype))
    )
attempt(
    lambda: F.embedding_bag(
        torch.tensor([0, 1]),
        weight,
        torch.tensor([0]),
        per_sample_weights=torch.tensor([True, True]),
        mode="sum",
    )
)
for low, high in ((-0.5, 0.5), (-0.5, 2.5), (-1, 2), (-1.5, 2), (float("nan"), 2)):
    attempt(lambda: F.hardtanh(torch.tensor([0, 1, 2, 3], dtype=torch.uint8), low, high))
for dtype in (torch.int64, torch.bool, torch.complex64):
    nothing = torch.ones(0, 8, 8).to(dtype)
    show(F.adaptive_avg_pool1d(nothing, 5).shape, F.adaptive_avg_pool2d(nothing, 5).dtype)
    attempt(lambda: F.adaptive_avg_pool1d(torch.ones(2, 8, 8).to(dtype), 5))
half = torch.arange(6.0).reshape(3, 2).half()
for mode in ("use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"):
    for p in (0.0, 2.0):
        for other in (half, half.float()):
            attempt(lambda: torch.cdist(half, other, p, mode).dtype)
            attempt(lambda: torch.cdist(other, half, p, mode).dtype)

# %% Products of nothing with a matrix of integers
a = torch.ones(0, 2, 3, requires_grad=True)
for dtype in (torch.int64, torch.bool, torch.float64):
    b = torch.ones(0, 3, 2).to(dtype)
    attempt(lambda: torch.bmm(a, b))
    attempt(lambda: a @ b)
    attempt(lambda: torch.bmm(a.detach(), b))
attempt(lambda: torch.einsum("ij,jk->ik", torch.eye(2, requires_grad=True)[:0], torch.ones(2, 2).long()))
attempt(lambda: torch.tensor(1.0).addmv_(torch.ones(0, 3), torch.ones(3)))
attempt(lambda: torch.ones(1).addmv_(torch.ones(0, 3), torch.ones(3)))
x = torch.ones(2, requires_grad=True)
for y in (
    torch.inner(x, torch.ones(1, 2)),
    torch.inner(x[None], torch.ones(2)),
    torch.inner(x, torch.ones(3, 2)),
):
    show(y, history(y))


# %% Shapes that broadcast by accident
p = torch.ones(3, 1, requires_grad=True)
t = torch.arange(3.0)
loss = ((p - t) ** 2).mean()
loss.backward()
show(loss, p.grad)
show(torch.nn.functional.mse_loss(p, t))
b = torch.zeros(1, requires_grad=True)
(t + b).sum().backward()
show(b.grad)
for code in (
    "p.add_(t)",
    "t.add_(p)",
    "torch.ones(2) + torch.ones(3)",
    "torch.ones(2, 3) @ torch.ones(2)",
    "torch.ones(2, 3).mm(torch.ones(2, 3))",
    "torch.cat([p, t])",
    "torch.stack([p, t])",
    "p.expand(2, 1)",
    "p.view(2)",
    "p.reshape(2, 2)",
    "t.backward()",
    "(p * 2).backward()",
    "(p * 2).backward(torch.ones(3))",
    "(p * 2).backward(t)",
    "p.sum().backward(torch.ones(1))",
    "p.sum().backward(torch.ones(2))",
    "torch.dot(p, t)",
    "p.squeeze(5)",
    "torch.full((2,), 1.)[3]",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% Integers and bools and gradients
for code in (
    "torch.tensor([1, 2], requires_grad=True)",
    "torch.ones(2, dtype=torch.long).requires_grad_()",
    "torch.tensor([True]).requires_grad_()",
    "torch.arange(3, requires_grad=True)",
    "torch.ones(2, requires_grad=True).long()",
    "torch.ones(2, requires_grad=True) > 0",
    "torch.ones(2, requires_grad=True).argmax()",
    "torch.ones(2, requires_grad=True).int() * 1.5",
    "torch.tensor(3.) // torch.tensor(2., requires_grad=True)",
    "torch.ones(2, requires_grad=True).round().sum().backward()",
    "(torch.ones(2, requires_grad=True) > 0).sum().backward()",
    "torch.ones(2, requires_grad=True).bool()",
    "torch.ones(2, requires_grad=True).sign()",
    "torch.ones(2, requires_grad=True).numpy()",
    "torch.ones(2, requires_grad=True).tolist()",
    "float(torch.ones(1, requires_grad=True))",
    "int(torch.ones(1, requires_grad=True))",
    "torch.ones(2, requires_grad=True).item()",
    "bool(torch.ones(2))",
    "torch.tensor(torch.ones(2, requires_grad=True))",
    "torch.as_tensor(torch.ones(2, requires_grad=True))",
    "np.asarray(torch.ones(2, requires_grad=True))",
    "np.sum(torch.ones(2))",
    "torch.from_numpy(np.ones(2)).requires_grad_()",
    "len(torch.tensor(1.))",
    "iter(torch.tensor(1.))",
    "torch.tensor([1.5]).index_select(0, torch.tensor(0.))",
    "[v for v in torch.ones(2, requires_grad=True)]",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)


# %% out=, with and without gradients, and its shape and dtype
x = torch.ones(2, requires_grad=True)
o = torch.empty(2)
for code in (
    "torch.mul(x, 2, out=o)",
    "torch.mul(x.detach(), 2, out=o)",
    "torch.mul(torch.ones(2), 3, out=o)",
    "torch.mul(torch.ones(2).double(), 2, out=o)",
    "torch.mul(torch.ones(2), 2, out=torch.empty(2, dtype=torch.long))",
    "torch.mul(torch.ones(2), 2, out=x)",
    "torch.sum(torch.ones(2), out=o)",
    "torch.max(torch.ones(2, 2), 0, out=(torch.empty(2), torch.empty(2, dtype=torch.long)))",
    "torch.mul(o, 2, out='a')",
    "o.mul(2, out=o)",
    "torch.add(o, o, out=o)",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)
with torch.no_grad():
    show(torch.mul(x, 3, out=o), torch.mul(o, 3, out=x), x.grad_fn)


# %% What torch.jit warns of
import warnings


def double(x):
    return x * 2


def warned(call):
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        call()
    show([(w.category.__name__, str(w.message)) for w in given])
    show(
        ["jit" in w.filename for w in given]
    )  # whether it is at a line of the library, where Python hides it


warned(lambda: torch.jit.script(torch.nn.Linear(2, 2)))
warned(lambda: torch.jit.script(torch.nn.Linear(2, 2), optimize=True))
warned(lambda: torch.jit.ignore(double))
warned(lambda: torch.jit.ignore(drop=True))
warned(lambda: torch.jit.ignore(drop_on_export=True))
warned(lambda: torch.jit.ignore(drop=False)(double))
warned(lambda: torch.jit.unused(double))
warned(lambda: torch.jit.export(double))
warned(lambda: torch.jit.script_if_tracing(double))
warned(lambda: torch.jit.annotate(int, 3))
