# %% Printing of layers
nn = torch.nn
for layer in [
    nn.Linear(2, 3),
    nn.Linear(2, 3, bias=False),
    nn.Bilinear(2, 3, 4),
    nn.Identity(3, a=4),
    nn.Flatten(),
    nn.Unflatten(1, (2, 3)),
    nn.Conv1d(2, 4, 3),
    nn.Conv2d(
        2, 4, (3, 5), stride=2, padding=(1, 2), dilation=2, groups=2, bias=False, padding_mode="reflect"
    ),
    nn.Conv2d(2, 4, 3, padding="same"),
    nn.Conv3d(2, 4, 3, padding=1),
    nn.ConvTranspose1d(2, 4, 3),
    nn.ConvTranspose2d(2, 4, 3, 2, 1, 1),
    nn.ConvTranspose3d(2, 4, 3, dilation=2),
    nn.MaxPool1d(2),
    nn.MaxPool2d(2, 1, 1, ceil_mode=True),
    nn.MaxPool3d((1, 2, 3)),
    nn.MaxUnpool1d(2),
    nn.MaxUnpool2d(2, 1),
    nn.AvgPool1d(2),
    nn.AvgPool2d((2, 1)),
    nn.AvgPool3d(2, 3),
    nn.LPPool1d(2, 3),
    nn.LPPool2d(2, 3, 1),
    nn.AdaptiveAvgPool1d(3),
    nn.AdaptiveAvgPool2d((None, 2)),
    nn.AdaptiveAvgPool3d(1),
    nn.AdaptiveMaxPool1d(2),
    nn.AdaptiveMaxPool2d(2),
    nn.AdaptiveMaxPool3d((1, 2, 3)),
    nn.FractionalMaxPool2d(2, output_size=3),
    nn.ReflectionPad1d(2),
    nn.ReflectionPad2d((1, 2, 3, 4)),
    nn.ReplicationPad2d(1),
    nn.ZeroPad2d(2),
    nn.ConstantPad1d(2, 3.5),
    nn.ConstantPad3d(1, 0),
    nn.CircularPad2d(1),
    nn.ReLU(),
    nn.ReLU(True),
    nn.ReLU6(),
    nn.RReLU(),
    nn.Threshold(0.1, 20),
    nn.Hardtanh(-2, 2, inplace=True),
    nn.Sigmoid(),
    nn.Hardsigmoid(),
    nn.Tanh(),
    nn.SiLU(),
    nn.Mish(),
    nn.Hardswish(),
    nn.ELU(),
    nn.ELU(2.0, True),
    nn.CELU(),
    nn.SELU(),
    nn.GLU(),
    nn.GELU(),
    nn.GELU("tanh"),
    nn.Hardshrink(),
    nn.LeakyReLU(),
    nn.LogSigmoid(),
    nn.Softplus(),
    nn.Softshrink(),
    nn.PReLU(),
    nn.PReLU(3),
    nn.Softsign(),
    nn.Tanhshrink(),
    nn.Softmin(1),
    nn.Softmax(1),
    nn.Softmax2d(),
    nn.LogSoftmax(dim=-1),
    nn.BatchNorm1d(3),
    nn.BatchNorm2d(3, affine=False),
    nn.BatchNorm3d(3, momentum=None, track_running_stats=False),
    nn.InstanceNorm1d(3),
    nn.InstanceNorm2d(3, affine=True),
    nn.InstanceNorm3d(3),
    nn.LayerNorm(3),
    nn.LayerNorm([2, 3], elementwise_affine=False),
    nn.LayerNorm(3, bias=False),
    nn.GroupNorm(1, 3),
    nn.RMSNorm(3),
    nn.LocalResponseNorm(2),
    nn.Dropout(),
    nn.Dropout1d(0.2),
    nn.Dropout2d(0.1, True),
    nn.Dropout3d(),
    nn.AlphaDropout(),
    nn.FeatureAlphaDropout(),
    nn.Embedding(3, 2),
    nn.Embedding(3, 2, padding_idx=-1, max_norm=1, norm_type=1, scale_grad_by_freq=True, sparse=True),
    nn.EmbeddingBag(3, 2),
    nn.Upsample(scale_factor=2),
    nn.Upsample((2, 3), mode="bilinear"),
    nn.UpsamplingNearest2d(2),
    nn.UpsamplingBilinear2d(scale_factor=2),
    nn.PixelShuffle(2),
    nn.PixelUnshuffle(2),
    nn.ChannelShuffle(2),
    nn.CosineSimilarity(),
    nn.PairwiseDistance(),
    nn.Fold((2, 3), 2),
    nn.Unfold(2),
    nn.L1Loss(),
    nn.MSELoss(reduction="sum"),
    nn.CrossEntropyLoss(),
    nn.NLLLoss(),
    nn.BCELoss(),
    nn.BCEWithLogitsLoss(),
    nn.KLDivLoss(),
    nn.SmoothL1Loss(),
    nn.HuberLoss(),
    nn.CTCLoss(),
    nn.TripletMarginLoss(),
    nn.GaussianNLLLoss(),
    nn.TripletMarginWithDistanceLoss(),
    nn.PoissonNLLLoss(),
]:
    show(layer, list(layer.state_dict()))


# %% Layers: initial numbers and results
nn = torch.nn
torch.manual_seed(3)
layers = [
    nn.Linear(3, 2),
    nn.Bilinear(2, 3, 2),
    nn.Conv1d(2, 3, 2),
    nn.Conv2d(1, 2, 2),
    nn.ConvTranspose2d(1, 2, 2),
    nn.Embedding(2, 3, padding_idx=0),
    nn.EmbeddingBag(2, 2),
    nn.PReLU(2),
    nn.BatchNorm1d(2),
    nn.LayerNorm(2),
    nn.RMSNorm(2),
]
for layer in layers:
    for name, value in layer.state_dict().items():
        show(type(layer).__name__, name, value)


# %% Initializers
nn, init = torch.nn, torch.nn.init
torch.manual_seed(1)
show(
    init.uniform_(torch.empty(2, 3)),
    init.uniform_(torch.empty(3), -1, 1),
    init.normal_(torch.empty(2, 3), 1, 2),
)
show(
    init.constant_(torch.empty(2), 0.3),
    init.ones_(torch.empty(2)),
    init.zeros_(torch.empty(2)),
    init.eye_(torch.empty(2, 3)),
)
show(init.dirac_(torch.empty(2, 2, 3)), init.dirac_(torch.empty(4, 2, 1, 3), 2))
show(
    init.xavier_uniform_(torch.empty(2, 3)),
    init.xavier_normal_(torch.empty(2, 3), 2.0),
    init.xavier_uniform_(torch.empty(2, 3, 2)),
)
show(
    init.kaiming_uniform_(torch.empty(2, 3)),
    init.kaiming_normal_(torch.empty(2, 3), mode="fan_out", nonlinearity="relu"),
)
show(
    init.trunc_normal_(torch.empty(3, 3)),
    init.trunc_normal_(torch.empty(3, 3), std=0.02),
    init.trunc_normal_(torch.empty(3, 3), 0, 1, 2, 2.5),
)
show(init.trunc_normal_(torch.empty(4), 0, 1, -0.2, 0.1))
show(
    init.orthogonal_(torch.empty(3, 3)),
    init.orthogonal_(torch.empty(2, 3), 2),
    init.orthogonal_(torch.empty(3, 2)),
    init.orthogonal_(torch.empty(2, 2, 2)),
)
show(init.sparse_(torch.empty(4, 3), 0.3))
show(
    [init.calculate_gain(n) for n in ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu")],
    init.calculate_gain("leaky_relu", 0.2),
)
p = nn.Parameter(torch.zeros(2, 2))
show(init.ones_(p) is p, p, p._version)
show(init.kaiming_uniform_(torch.empty(0, 2)))
attempt(lambda: init.kaiming_uniform_(torch.empty(2)))
attempt(lambda: init.kaiming_uniform_(torch.empty(2, 2), mode="x"))
attempt(lambda: init.calculate_gain("x"))
attempt(lambda: init.calculate_gain("leaky_relu", True))
attempt(lambda: init.eye_(torch.empty(2)))
attempt(lambda: init.dirac_(torch.empty(2)))
attempt(lambda: init.orthogonal_(torch.empty(2)))
attempt(lambda: init.sparse_(torch.empty(2), 0.1))
attempt(lambda: init.dirac_(torch.empty(3, 2, 3), 2))


# %% Batch normalization and its statistics
nn = torch.nn
torch.manual_seed(0)
bn = nn.BatchNorm1d(2)
x = torch.tensor([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]])
show(bn(x), bn.running_mean, bn.running_var, bn.num_batches_tracked)
bn.eval()
show(bn(x))
bn = nn.BatchNorm1d(2, momentum=None)
bn(x)
bn(x + 1)
show(bn.running_mean, bn.num_batches_tracked)
show(
    nn.BatchNorm1d(2, track_running_stats=False)(x),
    nn.InstanceNorm1d(2)(x.t().reshape(1, 2, 3)),
    nn.InstanceNorm1d(2)(x.t()),
)
show(nn.LayerNorm(2)(x), nn.GroupNorm(1, 2)(x), nn.RMSNorm(2)(x))
show(nn.Dropout(0.5)(x), nn.Dropout(0.5).eval()(x))
e = nn.Embedding(3, 2, padding_idx=1)
out = e(torch.tensor([[0, 1], [1, 2]]))
show(out)
out.sum().backward()
show(e.weight.grad)
show(
    nn.Embedding.from_pretrained(torch.ones(2, 2)).weight,
    nn.Embedding.from_pretrained(torch.ones(2, 2), freeze=False).weight.requires_grad,
)
show(nn.EmbeddingBag(3, 2, mode="sum")(torch.tensor([[0, 1]])).shape)
show(nn.Softmax(dim=1)(x), nn.Softmax()(x), nn.LogSoftmax()(x))


# %% Layers for sequences and images
nn = torch.nn
torch.manual_seed(0)
x = torch.randn(2, 3, 6)
img = torch.randn(2, 4, 6, 6)
for layer in [
    nn.Conv1d(3, 4, 3, padding=1, padding_mode="circular"),
    nn.Conv1d(3, 3, 3, padding="same", padding_mode="reflect"),
    nn.MaxPool1d(2),
    nn.AvgPool1d(2),
    nn.AdaptiveAvgPool1d(2),
    nn.LPPool1d(2, 2),
    nn.ReflectionPad1d(1),
    nn.ConstantPad1d(1, 2.0),
    nn.ZeroPad1d(1),
    nn.CircularPad1d(1),
    nn.ConvTranspose1d(3, 2, 3),
]:
    y = layer(x)
    show(type(layer).__name__, y.shape, y.sum())
for layer in [
    nn.Conv2d(4, 2, 3, groups=2, stride=2),
    nn.ConvTranspose2d(4, 2, 3, stride=2),
    nn.MaxPool2d(2),
    nn.AvgPool2d(3, 1, 1),
    nn.AdaptiveMaxPool2d(2),
    nn.BatchNorm2d(4),
    nn.InstanceNorm2d(4),
    nn.GroupNorm(2, 4),
    nn.PixelShuffle(2),
    nn.Upsample(scale_factor=2),
    nn.Upsample(3, mode="bilinear"),
    nn.Unfold(2),
    nn.ReplicationPad2d(1),
    nn.ChannelShuffle(2),
    nn.Dropout2d(0.5),
    nn.PReLU(4),
    nn.GLU(1),
    nn.LocalResponseNorm(2),
    nn.Flatten(),
    nn.Unflatten(1, (2, 2)),
]:
    y = layer(img)
    show(type(layer).__name__, y.shape, y.abs().sum(), y.grad_fn is None)
show(nn.ConvTranspose2d(4, 2, 3, stride=2)(img, output_size=[14, 14]).shape)
v, i = nn.MaxPool2d(2, return_indices=True)(img)
show(nn.MaxUnpool2d(2)(v, i).sum())
nn.ConvTranspose2d(4, 2, 3, stride=2)(img, output_size=[20, 14])


# %% Losses as modules
nn = torch.nn
torch.manual_seed(0)
x, y = torch.randn(4, 3, requires_grad=True), torch.randn(4, 3)
t = torch.tensor([0, 2, 1, 1])
p = x.sigmoid()
show(
    nn.L1Loss()(x, y),
    nn.MSELoss()(x, y),
    nn.MSELoss(reduction="none")(x, y).shape,
    nn.SmoothL1Loss(beta=0.5)(x, y),
    nn.HuberLoss(delta=0.5)(x, y),
)
show(
    nn.CrossEntropyLoss(label_smoothing=0.1)(x, t),
    nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0]))(x, t),
    nn.NLLLoss(ignore_index=1)(x.log_softmax(1), t),
)
show(
    nn.BCELoss()(p, t.unsqueeze(1).expand(4, 3) / 2),
    nn.BCEWithLogitsLoss(pos_weight=torch.ones(3) * 2)(x, (y > 0).float()),
    nn.KLDivLoss(reduction="batchmean")(x.log_softmax(1), y.softmax(1)),
)
show(
    nn.PoissonNLLLoss()(x, y.abs()),
    nn.GaussianNLLLoss()(x, y, y.abs() + 1),
    nn.HingeEmbeddingLoss()(x, y.sign()),
    nn.SoftMarginLoss()(x, y.sign()),
)
show(
    nn.MultiMarginLoss()(x, t),
    nn.MultiLabelSoftMarginLoss()(x, (y > 0).float()),
    nn.MarginRankingLoss(0.1)(x, y, y.sign()),
    nn.TripletMarginLoss()(x, y, y + 1),
)
show(
    nn.CosineEmbeddingLoss()(x, y, torch.ones(4)),
    nn.CosineSimilarity()(x, y),
    nn.PairwiseDistance(keepdim=True)(x, y),
    nn.TripletMarginWithDistanceLoss()(x, y, y + 1),
)
show(nn.MSELoss(size_average=False)(x, y), nn.L1Loss(reduce=False)(x, y).shape)
w = nn.CrossEntropyLoss(weight=torch.ones(3))
show(w.weight, list(w.state_dict()))


# %% Layers that wait for their first input
nn = torch.nn
torch.manual_seed(0)
m = nn.Sequential(
    nn.LazyConv2d(4, 3, padding=1), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2)
)
show(m, list(m.state_dict()), m[0].weight, m[1].running_mean, isinstance(m[0].weight, nn.Parameter))
o = torch.optim.SGD(m.parameters(), 0.1)
m.double()
show(m[0].weight.dtype, m[4].has_uninitialized_params(), nn.parameter.is_lazy(m[4].bias))
weight = m[0].weight
for use in (
    lambda: weight + 1,
    lambda: weight.sum(),
    lambda: weight.numel(),
    lambda: weight.tolist(),
    lambda: weight.normal_(),
    lambda: weight.detach(),
    lambda: weight[0],
):
    try:
        use()
    except ValueError as e:
        show(str(e)[:43], str(e)[-60:])
attempt(lambda: weight.shape)
twin = __import__("copy").deepcopy(m[0])
other = nn.Sequential(
    nn.LazyConv2d(4, 3, padding=1), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2)
)
x = torch.randn(2, 3, 5, 5, dtype=torch.float64)
loss = m(x).square().sum()
loss.backward()
o.step()
show(m, m[0].weight is weight, weight.shape, type(weight).__name__, f"{m(x).sum().item():.5f}")
show(m[0]._forward_pre_hooks, list(m.state_dict()))
show(twin, twin.weight, twin.weight.dtype)
other.double().load_state_dict(m.state_dict())
show(other, other[4].weight.shape, torch.equal(other[0].weight, m[0].weight))
show(f"{other(x).sum().item():.5f}", other)
for make, shape in [
    (lambda: nn.LazyConv1d(3, 2), (2, 4, 5)),
    (lambda: nn.LazyConv3d(2, 2, groups=2), (1, 4, 3, 3, 3)),
    (lambda: nn.LazyConv2d(2, 2, groups=2), (1, 3, 3, 3)),
    (lambda: nn.LazyConv2d(2, 2, bias=False), (3, 3, 3)),
    (lambda: nn.LazyConvTranspose1d(4, 2, stride=2, groups=2), (2, 6, 3)),
    (lambda: nn.LazyConvTranspose2d(2, 3, output_padding=1, stride=2), (1, 3, 2, 2)),
    (lambda: nn.LazyConvTranspose3d(1, 2), (1, 2, 2, 2, 2)),
    (lambda: nn.LazyBatchNorm1d(affine=False), (4, 3)),
    (lambda: nn.LazyBatchNorm3d(track_running_stats=False, bias=False), (2, 3, 2, 2, 2)),
    (lambda: nn.LazyInstanceNorm1d(affine=True, track_running_stats=True), (2, 3, 4)),
    (lambda: nn.LazyInstanceNorm2d(), (2, 3, 4, 4)),
    (lambda: nn.LazyInstanceNorm3d(affine=True), (2, 3, 2, 2, 2)),
    (lambda: nn.LazyConv1d(2, 2), (2, 3, 4, 5)),
]:

    def first():
        torch.manual_seed(1)
        layer = make()
        show(layer)
        y = layer(torch.randn(shape))
        show(
            layer,
            y.shape,
            f"{y.sum().item():.4f}",
            {n: tuple(v.shape) for n, v in layer.state_dict().items()},
        )

    attempt(first)
lazy = nn.LazyLinear(3, bias=False)
lazy.load_state_dict({"weight": torch.ones(3, 2)})
attempt(lambda: lazy(torch.ones(1, 3)))
show(lazy(torch.ones(1, 2)), lazy)


class Scale(nn.modules.lazy.LazyModuleMixin, nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.UninitializedParameter()

    def initialize_parameters(self, x):
        self.scale.materialize(x.shape[-1:])
        nn.init.ones_(self.scale)

    def forward(self, x):
        return x * self.scale


s = Scale()
show(s(torch.ones(2, 3)), s, s.scale)


class Forgetful(nn.modules.lazy.LazyModuleMixin, nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.UninitializedParameter(requires_grad=False)


attempt(lambda: Forgetful()(torch.ones(2)))
show(Forgetful().scale.requires_grad)


# %% Batch normalization fused with the layer before it
nn, utils = torch.nn, torch.nn.utils
torch.manual_seed(0)
for layer in (nn.Conv1d(2, 4, 2), nn.Conv2d(2, 4, 2, bias=False), nn.ConvTranspose2d(2, 4, 2)):
    d = layer.weight.dim() - 2
    norm = getattr(nn, f"BatchNorm{d}d")(4, affine=d == 1 or layer.bias is not None)
    x = torch.randn(3, 2, *[5] * d)
    norm(layer(x))
    if norm.affine:
        norm.weight.data.mul_(2)
        norm.bias.data.add_(1)
    attempt(lambda: utils.fuse_conv_bn_eval(layer, norm))
    layer.eval(), norm.eval()
    layer.weight.requires_grad_(False)
    fused = utils.fuse_conv_bn_eval(layer, norm, "Transpose" in type(layer).__name__)
    show(fused, fused.weight, fused.bias, (fused(x) - norm(layer(x))).abs().max() < 1e-5)
for features in (4, 1):
    layer, norm = nn.Linear(3, 4, bias=features == 4).eval(), nn.BatchNorm1d(features).eval()
    fused = utils.fuse_linear_bn_eval(layer, norm)
    show(fused, fused.weight, fused.bias)
attempt(lambda: utils.fuse_linear_bn_eval(layer, nn.BatchNorm1d(3).eval()))
attempt(lambda: utils.fuse_linear_bn_eval(layer, nn.BatchNorm1d(4, track_running_stats=False).eval()))
attempt(
    lambda: utils.fusion.fuse_linear_bn_weights(
        layer.weight, None, *torch.ones(2, 4), 1e-5, torch.ones(4), torch.ones(4)
    )
)


# %% Random windows over no images, and blocks without cuDNN
F = torch.nn.functional
x = torch.ones(0, 3, 8, 8, requires_grad=True)
y = F.fractional_max_pool2d(x, 2, output_size=(4, 4))
y.sum().backward()
show(y, x.grad, F.fractional_max_pool3d(torch.ones(0, 3, 8, 8, 8), 2, output_size=(4, 4, 4)))
show(attempt(lambda: F.fractional_max_pool2d(torch.ones(1, 0, 8, 8), 2, output_size=(4, 4))))
show(attempt(lambda: F.fractional_max_pool3d(torch.ones(1, 3, 0, 8, 8), 2, output_size=(4, 4, 4))))
cudnn = torch.backends.cudnn
with cudnn.flags(enabled=False, benchmark=True):
    show(cudnn.enabled, cudnn.benchmark, cudnn.allow_tf32, cudnn.is_acceptable(torch.ones(1)))
show(cudnn.enabled, cudnn.benchmark, attempt(lambda: cudnn.flags(unknown=1)))


# %% A parameter that functional_call adds is there in the call alone
class Counting(torch.nn.Linear):
    def forward(self, x):
        return len(list(self.parameters())), "extra" in self._parameters, hasattr(self, "extra")


layer, x = Counting(1, 1), torch.ones(1, 1)
for extra in (torch.nn.Parameter(torch.ones(1)), torch.ones(1)):
    show(torch.func.functional_call(layer, {"extra": extra}, x))
    show(list(layer._parameters), hasattr(layer, "extra"), len(list(layer.parameters())))


# %% Recurrent layers of nothing, and windows that do not fit
for cell in (torch.nn.RNNCell(10, 0), torch.nn.GRUCell(10, 0)):
    show(cell(torch.ones(3, 10), torch.ones(3, 0)).shape)
attempt(
    lambda: [
        s.shape for s in torch.nn.LSTMCell(10, 0)(torch.ones(3, 10), (torch.ones(3, 0), torch.ones(3, 0)))
    ]
)
for layer in (torch.nn.RNN, torch.nn.LSTM, torch.nn.GRU):
    attempt(lambda: layer(5, 6)(torch.ones(0, 10, 5)))
    attempt(lambda: layer(5, 6, batch_first=True)(torch.ones(10, 0, 5)))
    attempt(lambda: layer(5, 6)(torch.ones(10, 0, 5))[0].shape)
attempt(lambda: torch.nn.Fold((4, 5), (2, 2), dilation=8)(torch.ones(1, 12, 12)))
attempt(lambda: torch.nn.functional.interpolate(torch.ones(1, 1, 2, 2), scale_factor=1e20, mode="bilinear"))


# %% Modules that call the next class
class Mixin:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.mixed = True


class Mixed(torch.nn.Module, Mixin):
    pass


for call in (False, True):
    Mixed.call_super_init = call
    attempt(lambda: hasattr(Mixed(), "mixed"))
    attempt(lambda: Mixed(1))
    attempt(lambda: Mixed(x=1))
