# %% conv2d with its node, strides and gradients
F = torch.nn.functional
x = torch.arange(18.0).reshape(1, 2, 3, 3).requires_grad_()
w = torch.ones(2, 2, 2, 2, requires_grad=True)
b = torch.tensor([1.0, -1.0], requires_grad=True)
y = F.conv2d(x, w, b)
show(y)
show(y.grad_fn.name(), [f.name() for f, _ in y.grad_fn.next_functions], y.is_contiguous())
y.sum().backward()
show(x.grad, w.grad, b.grad)
show(torch.conv2d(x, w).shape, F.conv2d(x, w, stride=2, padding=1).shape)


# %% A convolution without a batch is one with a batch of one, squeezed
F = torch.nn.functional
x, w = torch.arange(8.0).reshape(2, 4).requires_grad_(), torch.ones(3, 2, 2, requires_grad=True)
y = F.conv1d(x, w)
show(
    y, y.grad_fn.next_functions[0][0].name(), y._is_view() if hasattr(y, "_is_view") else y._base is not None
)
show(torch.autograd.grad(y.sum(), (x, w)))


# %% Padding by name, and options that do not fit
F = torch.nn.functional
x = torch.arange(5.0).reshape(1, 1, 5)
w = torch.tensor([[[1.0, 10.0]]])
show(F.conv1d(x, w, padding="same"), F.conv1d(x, w, padding="valid"), F.conv1d(x, w, padding=1, dilation=2))
for arguments in (
    {"padding": "same", "stride": 2},
    {"padding": "full"},
    {"stride": 0},
    {"padding": -1},
    {"groups": 2},
    {"stride": (1, 1)},
):
    try:
        F.conv1d(x, w, **arguments)
    except Exception as error:
        show(type(error).__name__, error)


# %% Sizes that do not fit, also of the transposed convolution
F = torch.nn.functional
for sizes in (
    ((1, 1, 3, 3), (1, 2, 2, 2)),
    ((1, 1, 1, 1), (1, 1, 2, 2)),
    ((3, 3), (1, 1, 2, 2)),
    ((1, 4, 3, 3), (3, 2, 2, 2)),
):
    for transposed in (F.conv2d, F.conv_transpose2d):
        try:
            show(
                transposed(
                    torch.zeros(sizes[0]), torch.zeros(sizes[1]), groups=2 if sizes[0][1] == 4 else 1
                ).shape
            )
        except RuntimeError as error:
            show(error)


# %% dtypes: integers, mixtures, complex numbers
F = torch.nn.functional
x, w = torch.arange(4).reshape(1, 1, 4), torch.tensor([[[1, -1]]])
show(F.conv1d(x, w), F.conv_transpose1d(x, w, stride=2))
for a, b, c in (
    (torch.float64, torch.float32, None),
    (torch.float32, torch.float32, torch.float64),
    (torch.bool, torch.bool, None),
    (torch.complex64, torch.float32, None),
):
    try:
        show(F.conv1d(x.to(a), w.to(b), None if c is None else torch.zeros(1, dtype=c)))
    except Exception as error:
        show(type(error).__name__, error)
z = torch.complex(x.double(), x.double() + 1).requires_grad_()
y = F.conv1d(z, torch.complex(w.double(), w.double() * 2))
show(y, y.grad_fn.name())
show(torch.view_as_real(torch.autograd.grad(y.abs().sum(), z)[0]).round(decimals=4) + 0)


# %% The gradient of a gradient
F = torch.nn.functional
x = torch.tensor([[[1.0, 2.0, 3.0]]], requires_grad=True)
w = torch.tensor([[[1.0, -2.0]]], requires_grad=True)
y = (F.conv1d(x, w) ** 2).sum()
gx, gw = torch.autograd.grad(y, (x, w), create_graph=True)
show(gx.grad_fn.name(), gw.grad_fn.name())
show(torch.autograd.grad((gx * gx).sum() + (gw**3).sum(), (x, w)))


# %% conv_transpose is the transpose of conv, bit by bit: <conv(x), y> == <x, conv_transpose(y)>
F = torch.nn.functional
for stride, padding, dilation, output_padding in ((1, 0, 1, 0), (2, 1, 1, 1), (3, 2, 2, 1)):
    x = torch.arange(1.0, 50.0).reshape(1, 1, 7, 7)
    w = torch.arange(1.0, 7.0).reshape(1, 1, 3, 2)
    y = F.conv_transpose2d(
        x, w, stride=stride, padding=padding, dilation=dilation, output_padding=output_padding
    )
    back = F.conv2d(y, w, stride=stride, padding=padding, dilation=dilation)
    show(y.shape, y.sum(), back.sum())
try:
    F.conv_transpose2d(x, w, output_padding=1)
except RuntimeError as error:
    show(error)
try:
    F.conv_transpose2d(x[..., :1, :1], w, padding=3)
except RuntimeError as error:
    show(error)


# %% Writing to what a convolution saved
F = torch.nn.functional
x, w = torch.ones(1, 1, 3, requires_grad=True), torch.ones(1, 1, 2, requires_grad=True)
y = F.conv1d(x, w)
show(
    y.grad_fn._saved_input.shape,
    y.grad_fn._saved_weight.shape,
    y.grad_fn._saved_stride,
    y.grad_fn._saved_groups,
)
with torch.no_grad():
    w += 1
y.sum().backward()


# %% unfold and fold
F = torch.nn.functional
x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
columns = F.unfold(x, 3, padding=1, stride=2)
show(columns, columns.grad_fn.name())
image = F.fold(columns, (4, 4), 3, padding=1, stride=2)
show(image, image.grad_fn.name())
show(torch.autograd.grad(image.pow(2).sum(), x))
for call in (
    lambda: F.unfold(x, 9),
    lambda: F.fold(columns, (5, 5), 2),
    lambda: F.unfold(x[0, 0], 2),
    lambda: F.unfold(x.long(), 2),
):
    try:
        show(call())
    except Exception as error:
        show(type(error).__name__, error)


# %% Pooling: the first of equal elements, the last NaN
F = torch.nn.functional
x = torch.tensor([[1.0, 3.0, 3.0, 2.0, float("nan"), 0.0, float("nan"), -1.0]], requires_grad=True)
values, places = F.max_pool1d(x, 4, return_indices=True)
show(values, places, values.grad_fn.name(), places.requires_grad)
values.sum().backward()
show(x.grad)
with torch.no_grad():
    show(torch.max_pool1d(x, 3, stride=2, padding=1, ceil_mode=True), torch.max_pool1d(x, 3).grad_fn)
show(F.max_pool2d(torch.full((1, 3, 3), -float("inf")), 2, stride=2, padding=1, return_indices=True))
show(F.max_pool2d(torch.arange(9).reshape(1, 3, 3), (2, 3), stride=1))


# %% Average pooling: padding, divisors and its gradient
F = torch.nn.functional
x = torch.arange(16.0).reshape(1, 4, 4).requires_grad_()
y = F.avg_pool2d(x, 3, stride=2, padding=1)
show(
    y,
    y.grad_fn.name(),
    F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
    F.avg_pool2d(x, 3, 2, 1, divisor_override=2),
)
show(F.avg_pool2d(x, 3, ceil_mode=True), F.avg_pool1d(x, 2), F.lp_pool2d(x, 2.0, 2))
show(torch.autograd.grad(y.pow(2).sum(), x))
show(F.avg_pool2d(torch.arange(-8, 8).reshape(1, 4, 4), 2))
for call in (
    lambda: F.avg_pool2d(x, 0),
    lambda: F.avg_pool2d(x, 2, padding=2),
    lambda: F.avg_pool2d(x, 9),
    lambda: F.max_pool2d(x[0], 2),
    lambda: F.avg_pool2d(x.bool(), 2),
    lambda: F.max_pool2d(),
):
    try:
        call()
    except Exception as error:
        show(type(error).__name__, error)


# %% Adaptive pooling
F = torch.nn.functional
x = torch.tensor([[[3.0, 1.0, 4.0, 1.0, 5.0], [9.0, 2.0, 6.0, 5.0, 3.0]]], requires_grad=True)
y = F.adaptive_avg_pool2d(x, (None, 2))
show(y, y.grad_fn.name(), F.adaptive_avg_pool2d(x, 1).grad_fn.name())
values, places = F.adaptive_max_pool2d(x, (1, 3), return_indices=True)
show(values, places, torch.autograd.grad(values.sum() + y.sum(), x))
show(F.adaptive_avg_pool1d(x, 3), torch.adaptive_max_pool1d(x, 2))
for size in ((1, 2, 3), -1):
    try:
        F.adaptive_avg_pool2d(x, size)
    except Exception as error:
        show(type(error).__name__, error)


# %% Pooling and back
F = torch.nn.functional
x = torch.tensor([[[1.0, 4.0, 2.0, 3.0], [8.0, 5.0, 7.0, 6.0]]], requires_grad=True)
values, places = F.max_pool2d(x, 2, return_indices=True)
y = F.max_unpool2d(values, places, 2)
show(y, y.grad_fn.name(), F.max_unpool2d(values, places, 2, output_size=(1, 3, 5)))
show(torch.autograd.grad(y.pow(2).sum(), x))
for call in (
    lambda: F.max_unpool2d(values, places + 8, 2),
    lambda: F.max_unpool2d(values, places.int(), 2),
    lambda: F.max_unpool2d(values, places, 2, output_size=(9, 9)),
):
    try:
        call()
    except Exception as error:
        show(type(error).__name__, error)
torch.manual_seed(3)
show(F.fractional_max_pool2d(torch.arange(64.0).reshape(1, 1, 8, 8), 2, output_size=4))


# %% Padding of every mode
F = torch.nn.functional
x = torch.arange(1.0, 7.0).reshape(1, 2, 3).requires_grad_()
for mode in ("constant", "reflect", "replicate", "circular"):
    y = F.pad(x, (2, 1), mode)
    show(mode, y, y.grad_fn.name(), y._version)
    show(torch.autograd.grad(y.pow(2).sum(), x))
show(F.pad(x, (-1, 2, 1, 0), value=7.0), torch.constant_pad_nd(x, (0, 1, 1, 0, 0, 1), 2).shape)
show(F.pad(torch.tensor([True, False]), (1, 1), value=1), F.pad(torch.tensor([1, 2]), (1, 0), value=2.7))
for pad, mode in (
    ((1,), "constant"),
    ((3, 0), "reflect"),
    ((4, 0), "circular"),
    ((1, 1, 1, 1, 1, 1), "replicate"),
    ((1, 1), "mirror"),
    ((-2, -2), "constant"),
    ((-2, -2), "replicate"),
):
    try:
        F.pad(x, pad, mode)
    except Exception as error:
        show(type(error).__name__, error)


# %% Interpolation of every mode
F = torch.nn.functional
x = torch.tensor([[[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]], requires_grad=True)
image = x[None]
for mode in ("nearest", "nearest-exact", "bilinear", "bicubic", "area"):
    y = F.interpolate(image, (3, 4), mode=mode)
    show(mode, y, y.grad_fn.name())
    show(torch.autograd.grad((y * y).sum(), x))
show(
    F.interpolate(image, scale_factor=1.7, mode="bilinear", align_corners=True),
    F.interpolate(x, scale_factor=2, mode="linear"),
)
show(F.interpolate(image, scale_factor=0.7, mode="bilinear", antialias=True), F.upsample(image, 2))
show(F.interpolate(image.to(torch.uint8), (3, 5), mode="bicubic"))
for arguments in (
    {},
    {"size": 2, "scale_factor": 2.0},
    {"size": (2, 2, 2)},
    {"size": 3, "mode": "linear"},
    {"size": 3, "align_corners": True},
    {"size": 0},
    {"size": 3, "mode": "cubic"},
):
    try:
        F.interpolate(image, **arguments)
    except Exception as error:
        show(type(error).__name__, error)


# %% The mean of an image, looked at through a turned grid
F = torch.nn.functional
x = torch.arange(12.0, dtype=torch.float64).reshape(1, 1, 3, 4).requires_grad_()
turn = torch.tensor([[[0.8, -0.6, 0.1], [0.6, 0.8, -0.2]]], dtype=torch.float64, requires_grad=True)
grid = F.affine_grid(turn, (1, 1, 2, 3), align_corners=False)
show(grid, grid.grad_fn.name())
for mode in ("bilinear", "nearest", "bicubic"):
    for padding in ("zeros", "border", "reflection"):
        y = F.grid_sample(x, grid, mode, padding, align_corners=True)
        show(mode, padding, y, y.grad_fn.name())
        show(torch.autograd.grad(y.pow(2).sum(), (x, turn), retain_graph=True))
show(F.grid_sample(x, grid).shape)
for call in (
    lambda: F.grid_sample(x, grid, "linear"),
    lambda: F.grid_sample(x, grid[..., :1]),
    lambda: F.affine_grid(turn, (1, 1, 2)),
):
    try:
        call()
    except Exception as error:
        show(type(error).__name__, error)


# %% Pixels and channels shuffled
x = torch.arange(8.0).reshape(1, 4, 1, 2).requires_grad_()
y = torch.pixel_shuffle(x, 2)
show(y, y.grad_fn.name(), torch.pixel_unshuffle(y, 2), torch.channel_shuffle(x, 2))
show(torch.autograd.grad((y * torch.arange(8.0).reshape(1, 1, 2, 4)).sum(), x))
for call in (
    lambda: torch.pixel_shuffle(x, 3),
    lambda: torch.pixel_unshuffle(x, 2),
    lambda: torch.channel_shuffle(x, 3),
    lambda: torch.pixel_shuffle(x, 0),
):
    try:
        call()
    except RuntimeError as error:
        show(error)


# %% A small network learns to tell lines from columns
F = torch.nn.functional
torch.manual_seed(0)
images = torch.zeros(8, 1, 6, 6)
for i in range(4):
    images[i, 0, i + 1] = 1.0
    images[i + 4, 0, :, i + 1] = 1.0
labels = torch.tensor([0.0] * 4 + [1.0] * 4)
w1 = (torch.randn(3, 1, 3, 3) * 0.5).requires_grad_()
b1 = torch.zeros(3, requires_grad=True)
w2 = (torch.randn(1, 3, 4, 4) * 0.3).requires_grad_()
for step in range(30):
    hidden = torch.relu(F.conv2d(images, w1, b1))
    score = F.conv2d(hidden, w2).flatten()
    loss = ((torch.sigmoid(score) - labels) ** 2).mean()
    if step % 10 == 0:
        show(step, loss)
    for p in (w1, b1, w2):
        p.grad = None
    loss.backward()
    with torch.no_grad():
        for p in (w1, b1, w2):
            p -= 1.0 * p.grad
show(loss < 0.2)


# %% Large enough for a batch to be computed in parts
F = torch.nn.functional
x = torch.linspace(-1, 1, 3 * 4 * 200 * 200, dtype=torch.float64).reshape(3, 4, 200, 200).requires_grad_()
w = torch.linspace(-1, 2, 6 * 4 * 3 * 3, dtype=torch.float64).reshape(6, 4, 3, 3).requires_grad_()
y = F.conv2d(x, w, stride=(1, 2), padding=1)
z = F.conv_transpose2d(y.cos(), w, stride=(1, 2), padding=1)
show(y.shape, y.sum(), y[1, 2, 3, :5], z.shape, z.abs().sum())
gx, gw = torch.autograd.grad((z * z).mean(), (x, w))
show(gx.abs().sum(), gx[2, 1, 5, :4], gw[3, 2])


# %% No channels, no images, no elements
F = torch.nn.functional


def one(*shape):
    leaves.append(torch.ones(shape, requires_grad=True))
    return leaves[-1]


def tried(call):
    leaves.clear()
    try:
        result = call()
        result.sum().backward()
    except RuntimeError as error:
        show(str(error))
    else:
        show(result, result.grad_fn, [leaf.grad for leaf in leaves])


leaves = []
for dim, conv, transposed in (
    (1, F.conv1d, F.conv_transpose1d),
    (2, F.conv2d, F.conv_transpose2d),
    (3, F.conv3d, F.conv_transpose3d),
):
    kernel, image, none = (3,) * dim, (5,) * dim, (0,) * dim
    tried(lambda: conv(one(2, 0, *image), one(4, 0, *kernel), one(4)))
    tried(lambda: conv(one(2, 0, *image), one(4, 0, *kernel), padding=1, stride=2, dilation=2))
    tried(lambda: conv(one(2, 0, *image), one(4, 0, *kernel), padding="same"))
    tried(lambda: conv(one(0, *image), one(4, 0, *kernel)))
    tried(lambda: conv(one(0, 0, *image), one(4, 0, *kernel), groups=2))
    tried(lambda: conv(one(0, 3, *image), one(4, 3, *kernel)))
    tried(lambda: conv(one(2, 3, *image), one(0, 3, *kernel)))
    tried(lambda: conv(one(2, 3, *none), one(4, 3, *kernel), padding=2))
    tried(lambda: transposed(one(2, 0, *image), one(0, 4, *kernel)))
    tried(lambda: transposed(one(0, 3, *image), one(3, 4, *kernel)))
    tried(lambda: transposed(one(2, 3, *none), one(3, 4, *kernel)))
    # Of floats PyTorch has an error of oneDNN's.
    attempt(lambda: transposed(torch.ones(2, 3, *image).double(), torch.ones(3, 0, *kernel).double()))
layer = torch.nn.Conv2d(0, 4, 3)
layer(torch.ones(2, 0, 5, 5)).sum().backward()
show(layer.weight.grad, layer.bias.grad)
first = torch.autograd.grad(F.conv2d(one(2, 0, 5, 5), one(4, 0, 3, 3)).sum(), leaves[-2:], create_graph=True)
show(first)


# %% Gradients of convolutions, by themselves
G = torch.nn.grad
draw = lambda *shape: (torch.arange(1.0, 1 + math.prod(shape)).view(shape) % 5 - 2).double().requires_grad_()
for dim, options in (
    (1, {"stride": 2, "padding": [1]}),
    (2, {"dilation": (2, 1)}),
    (2, {"groups": 2}),
    (3, {"padding": 1}),
):
    x, w = draw(2, 4, *(5,) * dim), draw(6, 4 // options.get("groups", 1), *(2,) * dim)
    y = getattr(torch.nn.functional, f"conv{dim}d")(x, w, **options)
    go = draw(*y.shape)
    of_x = getattr(G, f"conv{dim}d_input")(x.shape, w, go, **options)
    of_w = getattr(G, f"conv{dim}d_weight")(x, list(w.shape), go, **options)
    show(of_x.sum(), of_w, of_x.grad_fn, of_w.grad_fn)
    show([torch.equal(a, b) for a, b in zip((of_x, of_w), torch.autograd.grad(y, [x, w], go), strict=True)])
    show([g.sum() for g in torch.autograd.grad((of_x * of_x).sum() + (of_w * of_w).sum(), [x, w, go])])
attempt(lambda: G.conv2d_input((2, 4, 6), torch.ones(6, 4, 2, 2), torch.ones(2, 6, 5, 5)))
attempt(lambda: G.conv2d_weight(torch.ones(2, 4, 6, 6), (6, 3, 2, 2), torch.ones(2, 6, 5, 5)))
attempt(lambda: G.conv1d_input((2, 4, 6), torch.ones(6, 4, 2), torch.ones(2, 6, 5), stride=(1, 1)))


# %% Adaptive pooling to many windows, and of long rows
# Windows are taken one by one, or a place of each at a time.
for sizes, output in (
    ((5,), (100_000,)),
    ((130,), (131,)),
    ((1000,), (70,)),
    ((70_000,), (3,)),
    ((3, 200), (300, 70)),
    ((66, 2, 3), (70, 1, 67)),
):
    values = (torch.arange(2 * math.prod(sizes)).view(1, 2, *sizes) // 3 % 4).double()
    values[0, 0, ..., 0], values[0, 1, ..., 1] = math.inf, math.nan
    for kind, options in (("avg", {}), ("max", {"return_indices": True})):
        x = values.clone().requires_grad_()
        pooled = getattr(torch.nn.functional, f"adaptive_{kind}_pool{len(sizes)}d")(x, output, **options)
        y, *indices = pooled if options else (pooled,)
        (y * (torch.arange(y.numel()).view(y.shape) % 5)).sum().backward()
        show(y.stride(), y[0, :, ..., :70], [i[0, 0, ..., :70] for i in indices], x.grad[0, :, ..., :70])
