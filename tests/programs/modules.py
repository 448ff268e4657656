# %% Parameters
from collections import OrderedDict

nn = torch.nn
p = nn.Parameter(torch.tensor([1.0, 2.0]))
show(
    p, type(p).__name__, isinstance(p, torch.Tensor), isinstance(p, nn.Parameter), p.requires_grad, p.is_leaf
)
show(
    p * 2,
    type(p * 2).__name__,
    type(p.data).__name__,
    type(p.detach()).__name__,
    type(p.clone()).__name__,
    type(p[0]).__name__,
)
import copy, pickle

q = copy.deepcopy(p)
show(q, type(q).__name__, q.data_ptr() == p.data_ptr())
q = pickle.loads(pickle.dumps(p))
show(q, type(q).__name__)
q = copy.copy(p)
show(type(q).__name__, q.requires_grad)
t = torch.zeros(2)
p = nn.Parameter(t)
with torch.no_grad():
    p.add_(1)
    show(nn.Parameter(t).requires_grad, nn.Parameter(t, requires_grad=False))
show(t, t._version, p._version)
p.sum().backward()
show(p.grad, type(p.grad).__name__, (p**2).grad_fn, (p * 1).grad_fn.next_functions[0][0].variable is p)
nn.Parameter(torch.tensor([1, 2]))


# %% Buffers
nn = torch.nn
b = nn.Buffer(torch.ones(2))
show(type(b).__name__, isinstance(b, nn.Buffer), isinstance(torch.ones(2), nn.Buffer), b.persistent, b)


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Buffer(torch.ones(2))
        self.b = nn.Buffer(torch.ones(2), persistent=False)
        self.register_buffer("c", None)
        self.w = nn.Parameter(torch.ones(3))


m = M()
show(m, list(m.state_dict()), [n for n, _ in m.named_buffers()], m._non_persistent_buffers_set)
m.b = torch.zeros(1)
show(list(m.state_dict()), m.b)
m.c = torch.zeros(2)
show(list(m.state_dict()))
del m.a
show(list(m.state_dict()), hasattr(m, "a"))
m.w = None
show(list(m.state_dict()), m.w)
m.a


# %% What may be assigned and registered
nn = torch.nn
m = nn.Linear(2, 3)
attempt(lambda: setattr(m, "weight", torch.ones(3, 2)))
attempt(lambda: setattr(m, "weight", 3))
attempt(lambda: m.register_parameter("weight.x", None))
attempt(lambda: m.register_parameter("", None))
attempt(lambda: m.register_parameter(3, None))
attempt(lambda: m.register_parameter("forward", None))
attempt(lambda: m.register_parameter("x", torch.ones(2)))
attempt(lambda: m.register_parameter("x", [1]))
attempt(lambda: m.register_buffer("weight", torch.ones(2)))
attempt(lambda: m.register_buffer("x", 3))
attempt(lambda: m.register_buffer("x.y", None))
attempt(lambda: m.add_module("weight", nn.ReLU()))
attempt(lambda: m.add_module("x", 3))
attempt(lambda: m.add_module("x.y", nn.ReLU()))
attempt(lambda: m.add_module("", nn.ReLU()))
attempt(lambda: m.add_module(3, nn.ReLU()))
m.child = nn.ReLU()
attempt(lambda: setattr(m, "child", 3))
attempt(lambda: m.get_submodule("child.x"))
attempt(lambda: m.get_submodule("weight"))
attempt(lambda: m.get_parameter("nothing"))
attempt(lambda: m.get_parameter("child"))
attempt(lambda: m.get_buffer("weight"))
attempt(lambda: m.train(3))
attempt(lambda: m.missing)
attempt(lambda: delattr(m, "missing"))
attempt(lambda: m.to(torch.int64))
attempt(lambda: nn.Module(3))
attempt(lambda: nn.Module(a=3))
attempt(lambda: nn.Module()(3))
attempt(lambda: m(torch.ones(3)))
attempt(lambda: m.cuda())


class Early(nn.Module):
    def __init__(self):
        self.w = nn.Parameter(torch.ones(2))


attempt(Early)


class Early2(nn.Module):
    def __init__(self):
        self.w = nn.Linear(1, 1)


attempt(Early2)
attempt(lambda: nn.Sequential(nn.ReLU())[3])
attempt(lambda: nn.Sequential(3))
attempt(lambda: nn.ModuleList(3))
attempt(lambda: nn.ModuleList([nn.ReLU()])[1])
attempt(lambda: nn.ModuleDict(3))
attempt(lambda: nn.Sequential(nn.ReLU()) * 0)
attempt(lambda: nn.Sequential(nn.ReLU()) + 1)
attempt(lambda: nn.Conv2d(3, 4, 3, groups=2))
attempt(lambda: nn.Conv2d(4, 3, 3, groups=2))
attempt(lambda: nn.Conv2d(4, 3, 3, groups=0))
attempt(lambda: nn.Conv2d(4, 3, 3, padding="same", stride=2))
attempt(lambda: nn.ConvTranspose2d(4, 3, 3, padding_mode="reflect"))
attempt(lambda: nn.BatchNorm1d(3)(torch.ones(3)))
attempt(lambda: nn.BatchNorm2d(3)(torch.ones(3)))
attempt(lambda: nn.GroupNorm(2, 3))
attempt(lambda: nn.Dropout(2))
attempt(lambda: nn.Softmax2d()(torch.ones(2)))
attempt(lambda: nn.Unflatten(0, 3))
attempt(lambda: nn.Unflatten(0, (3, 1.5)))
attempt(lambda: nn.Embedding(3, 2, padding_idx=5))
attempt(lambda: nn.Embedding(3, 2, _weight=torch.ones(2, 2)))
attempt(lambda: nn.Hardtanh(1, 0))
attempt(lambda: nn.MultiMarginLoss(3))
attempt(lambda: nn.TripletMarginLoss(-1))
attempt(lambda: nn.ParameterList([torch.ones(2)])())
attempt(lambda: nn.ReLU(1, 2))


# %% A tree of modules: names, printing, apply
nn = torch.nn


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.act = nn.ReLU()

    def forward(self, x):
        return x + self.act(self.fc(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(4) for _ in range(3)] + [nn.Identity(), nn.Tanh()])
        self.heads = nn.ModuleDict({"a": nn.Linear(4, 2), "b": nn.Linear(4, 3, bias=False)})
        self.scale = nn.ParameterList([torch.ones(2), nn.Parameter(torch.zeros(2, 3)), 7])
        self.named = nn.ParameterDict({"x": torch.ones(1), "y": nn.Parameter(torch.ones(2))})
        self.shared = self.blocks[0]
        self.empty = nn.Sequential()

    def extra_repr(self):
        return "first=1\nsecond=2"


m = Net()
show(m)
show([n for n, _ in m.named_parameters()])
show([n for n, _ in m.named_modules()])
show([n for n, _ in m.named_modules(remove_duplicate=False)])
show([n for n, _ in m.named_children()], len(list(m.children())), len(list(m.modules())))
show(list(m.state_dict()))
show(m.state_dict()._metadata)
show(
    [n for n, _ in m.named_parameters(prefix="p", recurse=False)],
    [n for n, _ in m.blocks.named_parameters(recurse=True)][:2],
)
show(m.training, m.eval().training, m.blocks[0].act.training, m.train().blocks[0].act.training)
show(
    m.get_submodule("blocks.0.fc"),
    m.get_parameter("heads.a.bias").shape,
    list(m.heads),
    "a" in m.heads,
    len(m.blocks),
)
show(len(m.scale), m.scale[2], type(m.scale[0]).__name__, list(m.named.keys()), m.named["x"])
names = []
m.apply(lambda mod: names.append(type(mod).__name__))
show(names)
m.requires_grad_(False)
show(any(p.requires_grad for p in m.parameters()))


# %% Sequential
nn = torch.nn
s = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
show(s[0], s[-1], s[1:], len(s), [type(x).__name__ for x in s])
s.append(nn.Sigmoid())
s.insert(1, nn.Tanh())
show(s)
del s[0]
show(s, list(s.state_dict()))
show(s.pop(0), s + nn.Sequential(nn.GELU()), nn.Sequential(nn.ReLU()) * 2)
s[0] = nn.ELU()
show(s)
from collections import OrderedDict

n = nn.Sequential(OrderedDict([("a", nn.Linear(1, 1)), ("b", nn.ReLU())]))
show(n, n.a, list(n.state_dict()), n[0] is n.a)
l = nn.ModuleList([nn.ReLU()])
l.extend([nn.ReLU(), nn.Tanh()])
l += [nn.Tanh()]
l.insert(0, nn.ELU())
show(l, l[1:3], l.pop(1), l + [nn.GELU()])
d = nn.ModuleDict([["x", nn.ReLU()]])
d["y"] = nn.Tanh()
d.update({"z": nn.ELU()})
show(d, list(d.keys()), list(d.items())[0], d.pop("x"), len(d))
d.clear()
show(d)
pd = nn.ParameterDict({"a": torch.ones(2)})
pd["b"] = torch.zeros(1)
show(
    pd,
    pd.get("c"),
    pd.setdefault("c", torch.ones(3)),
    list(pd),
    pd.popitem()[0],
    (pd | nn.ParameterDict({"q": torch.ones(1)})),
)
pl = nn.ParameterList([torch.ones(2)])
pl.append(torch.zeros(1))
pl.extend([nn.Parameter(torch.ones(1))])
pl[0] = torch.zeros(3)
show(pl, pl[1:], len(list(pl.parameters())), list(pl.state_dict()))


# %% load_state_dict and its errors
nn = torch.nn
torch.manual_seed(0)
a, b = nn.Linear(2, 3), nn.Linear(2, 3)
show(a.load_state_dict(b.state_dict()), torch.equal(a.weight, b.weight), a.weight is not b.weight)
sd = b.state_dict()
show(
    sd["weight"].requires_grad,
    sd["weight"].data_ptr() == b.weight.data_ptr(),
    type(sd["weight"]).__name__,
    type(sd).__name__,
)
sd = OrderedDict(sd) if False else dict(sd)
sd["extra"] = torch.ones(1)
del sd["bias"]
r = a.load_state_dict(sd, strict=False)
show(r, r.missing_keys, r.unexpected_keys)
try:
    a.load_state_dict(sd)
except RuntimeError as e:
    show(e)
n = nn.Sequential(a, nn.BatchNorm1d(3))
try:
    n.load_state_dict(
        {"0.weight": torch.ones(2, 2), "0.bias": 3, "2.x": torch.ones(1), "0.weight.z": torch.ones(1)}
    )
except RuntimeError as e:
    show(e)
c = nn.Linear(2, 3)
c.load_state_dict(b.state_dict(), assign=True)
show(c.weight.data_ptr() == b.weight.data_ptr(), type(c.weight).__name__, c.weight.requires_grad)
show(list(n.state_dict(prefix="net.")), n.state_dict(keep_vars=True)["0.weight"].requires_grad)
a.load_state_dict(3)


# %% Extra state, and hooks of state_dict
nn = torch.nn


class Extra(nn.Module):
    def get_extra_state(self):
        return {"k": 1}

    def set_extra_state(self, state):
        show("set", state)


m = nn.Sequential(Extra())
show(m.state_dict())
show(m.load_state_dict(m.state_dict()))
h = m.register_state_dict_post_hook(lambda mod, sd, prefix, meta: sd.pop("0._extra_state") and None)
show(m.state_dict())
h.remove()
m.register_state_dict_pre_hook(lambda mod, prefix, keep: show("pre", prefix, keep))
m.register_load_state_dict_pre_hook(lambda mod, sd, prefix, *rest: show("load", list(sd), prefix))
m.register_load_state_dict_post_hook(lambda mod, keys: show("loaded", keys))
m.load_state_dict(m.state_dict())
m.load_state_dict({}, strict=True)


# %% Forward hooks and pre-hooks
nn = torch.nn
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
h1 = m.register_forward_pre_hook(lambda mod, args: (args[0] * 2,))
h2 = m.register_forward_hook(lambda mod, args, out: show("hook", args, out.shape))
x = torch.ones(1, 2)
show(m(x))
h1.remove()
show(m(x))
h2.remove()
m[0].register_forward_hook(lambda mod, args, kw, out: out * 0 + len(kw), with_kwargs=True)
m[0].register_forward_hook(lambda mod, args, out: show("first"), prepend=True)
show(m(x))


class K(nn.Module):
    def forward(self, x, k=1):
        if k == 3:
            raise ValueError("three")
        return x * k


k = K()
k.register_forward_pre_hook(lambda mod, args, kw: (args, {"k": kw["k"] + 1}), with_kwargs=True)
k.register_forward_hook(lambda mod, args, out: show("always", out), always_call=True)
show(k(x, k=1))
k(x, k=2)


# %% Conversion of a module to another dtype
nn = torch.nn
m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
m(torch.randn(4, 2)).sum().backward()
w = m[0].weight
m.double()
show(m[0].weight is w, w.dtype, w.grad.dtype, m[1].running_mean.dtype, m[1].num_batches_tracked.dtype)
m.half()
show(w.dtype)
m.float()
show(w.dtype, w.requires_grad, type(w).__name__)
m.to(torch.float64)
show(w.dtype)
m.to("cpu", dtype=torch.float32)
show(w.dtype)
m.to(torch.ones(1, dtype=torch.float64))
show(w.dtype)
show(m.to("cpu") is m)
m.zero_grad(set_to_none=False)
show(w.grad)
m.zero_grad()
show(w.grad)
m.type(torch.float32)
show(w.dtype, m[1].num_batches_tracked.dtype)
import copy, pickle

n = copy.deepcopy(m)
show(n, n[0].weight is not w, torch.equal(n[0].weight, w), n[0].weight.requires_grad)
n = pickle.loads(pickle.dumps(m))
show(n, torch.equal(n[0].weight, w), type(n[0].weight).__name__, n.training)


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


# %% Training of a small image classifier
nn = torch.nn
torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1, bias=False),
    nn.BatchNorm2d(4),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Dropout(0.2),
    nn.Linear(16, 3),
)
x = torch.randn(12, 1, 4, 4)
y = torch.randint(3, (12,))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
loss_fn = nn.CrossEntropyLoss()
for step in range(20):
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    if step % 5 == 0:
        show("%.3f" % loss.item())
model.eval()
with torch.no_grad():
    out = model(x)
show(["%.2f" % v for v in out[0].tolist()], out.requires_grad, out.argmax(1))


# %% Training with every optimizer
nn = torch.nn


def train(make):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = torch.randn(8, 3)
    y = x.sum(1, keepdim=True).sin()
    o = make(m)
    for _ in range(20):
        o.zero_grad()
        loss = nn.functional.mse_loss(m(x), y)
        loss.backward()
        o.step()
    show(o)
    show(
        "%.4f" % loss.item(),
        {k: sorted(v) for k, v in o.state_dict()["state"].items()},
        list(o.state_dict()["param_groups"][0].items()),
    )
    return m, o


optim = torch.optim
for make in [
    lambda m: optim.SGD(m.parameters(), lr=0.1),
    lambda m: optim.SGD(m.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-3),
    lambda m: optim.SGD(m.parameters(), lr=0.01, momentum=0.9, dampening=0.5, maximize=True),
    lambda m: optim.Adam(m.parameters(), lr=0.01),
    lambda m: optim.Adam(m.parameters(), lr=0.01, amsgrad=True, weight_decay=0.1, maximize=True),
    lambda m: optim.AdamW(m.parameters(), lr=0.01),
    lambda m: optim.AdamW(m.parameters(), lr=torch.tensor(0.01)),
    lambda m: optim.RMSprop(m.parameters()),
    lambda m: optim.RMSprop(m.parameters(), centered=True, momentum=0.5, weight_decay=0.1),
    lambda m: optim.Adagrad(m.parameters(), lr=0.1, lr_decay=0.1, initial_accumulator_value=0.1),
    lambda m: optim.Adadelta(m.parameters(), weight_decay=0.1),
    lambda m: optim.Adamax(m.parameters()),
    lambda m: optim.SGD(
        [{"params": m[0].parameters(), "lr": 0.2}, {"params": m[2].parameters(), "momentum": 0.5}], lr=0.1
    ),
]:
    train(make)


# %% SGD with a closure, and its state
optim = torch.optim
p = torch.ones(2, requires_grad=True)
q = torch.ones(1, requires_grad=True)
o = optim.SGD([p], lr=0.1, momentum=0.5)
show(o.state, o.param_groups, o.defaults)


def closure():
    o.zero_grad()
    loss = (p**2).sum()
    loss.backward()
    return loss


show(o.step(closure), p, p._version, p.is_leaf)
show(o.step(), o.state_dict())
o.add_param_group({"params": q, "lr": 1.0})
show(len(o.param_groups), o)
n = optim.SGD([{"params": [p]}, {"params": [q]}], lr=0.3, momentum=0.1)
n.load_state_dict(o.state_dict())
show(n, n.state_dict(), n.state[p]["momentum_buffer"] is o.state[p]["momentum_buffer"])
o.zero_grad(set_to_none=False)
show(p.grad, q.grad)
o.zero_grad()
show(p.grad)
names = optim.SGD([("p", p), ("q", q)])
show(names.param_groups[0]["param_names"], names.state_dict()["param_groups"][0]["param_names"])
import copy, pickle

c = copy.deepcopy(o)
show(c, c.param_groups[0]["params"][0] is p)
h = o.register_step_pre_hook(lambda opt, args, kw: show("pre", len(args), kw))
o.register_step_post_hook(lambda opt, args, kw: show("post", len(args)))
o.step()
h.remove()
o.step(closure=closure)


# %% What optimizers refuse
optim = torch.optim
p = torch.ones(2, requires_grad=True)
attempt(lambda: optim.SGD(p, lr=0.1))
attempt(lambda: optim.SGD([], lr=0.1))
attempt(lambda: optim.SGD([3], lr=0.1))
attempt(lambda: optim.SGD([p * 2], lr=0.1))
attempt(lambda: optim.SGD([p], lr=-1))
attempt(lambda: optim.SGD([p], lr=0.1, momentum=-1))
attempt(lambda: optim.SGD([p], lr=0.1, weight_decay=-1))
attempt(lambda: optim.SGD([p], lr=0.1, nesterov=True))
attempt(lambda: optim.SGD([p], lr=torch.ones(2)))
attempt(lambda: optim.SGD([{"params": {p}}]))
attempt(lambda: optim.SGD([{"params": p}, {"params": p}]))
attempt(lambda: optim.SGD([p, p]))
attempt(lambda: optim.SGD([p]).add_param_group(3))
attempt(lambda: optim.SGD([("a", p), torch.ones(1)]))
attempt(lambda: optim.SGD([p]).load_state_dict({"state": {}, "param_groups": []}))
attempt(lambda: optim.SGD([p]).load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]}))
attempt(lambda: optim.Adam([p], lr=-1))
attempt(lambda: optim.Adam([p], eps=-1))
attempt(lambda: optim.Adam([p], betas=(1, 0)))
attempt(lambda: optim.Adam([p], betas=(0, 1)))
attempt(lambda: optim.Adam([p], weight_decay=-1))
attempt(lambda: optim.RMSprop([p], alpha=-1))
attempt(lambda: optim.RMSprop([p], momentum=-1))
attempt(lambda: optim.Adagrad([p], lr_decay=-1))
attempt(lambda: optim.Adagrad([p], initial_accumulator_value=-1))
attempt(lambda: optim.Adadelta([p], rho=2))
attempt(lambda: optim.Optimizer([p], {}).step())
attempt(lambda: optim.SGD([p], fused=True, foreach=True))
attempt(lambda: optim.lr_scheduler.StepLR(3, 1))
attempt(lambda: optim.lr_scheduler.StepLR(optim.SGD([p]), 1, last_epoch=3))
attempt(lambda: optim.lr_scheduler.LambdaLR(optim.SGD([p]), [1, 2]))
attempt(lambda: optim.lr_scheduler.ConstantLR(optim.SGD([p]), 2))
attempt(lambda: optim.lr_scheduler.LinearLR(optim.SGD([p]), 2))
attempt(lambda: optim.lr_scheduler.ReduceLROnPlateau(optim.SGD([p]), factor=2))
attempt(lambda: optim.lr_scheduler.ReduceLROnPlateau(optim.SGD([p]), "x"))


# %% Schedules
S = torch.optim.lr_scheduler
p = torch.ones(1, requires_grad=True)
for make in [
    lambda o: S.StepLR(o, 3, 0.5),
    lambda o: S.MultiStepLR(o, [2, 4, 4]),
    lambda o: S.ExponentialLR(o, 0.9),
    lambda o: S.LambdaLR(o, lambda e: 1 / (1 + e)),
    lambda o: S.MultiplicativeLR(o, lambda e: 0.95),
    lambda o: S.ConstantLR(o),
    lambda o: S.LinearLR(o),
    lambda o: S.PolynomialLR(o, 4, 2.0),
    lambda o: S.CosineAnnealingLR(o, 4, 0.01),
]:
    o = torch.optim.SGD([p], lr=0.1)
    s = make(o)
    rates = [s.get_last_lr()]
    for _ in range(10):
        o.step()
        s.step()
        rates.append(o.param_groups[0]["lr"])
    show(type(s).__name__, rates, sorted(s.state_dict()))
o = torch.optim.SGD([p], lr=0.1)
s = S.ReduceLROnPlateau(o, patience=1)
for metric in [3, 2, 2, 2, 2, 2.5, torch.tensor(2.0), 1]:
    s.step(metric)
    show(o.param_groups[0]["lr"], s.num_bad_epochs, s.best)
o = torch.optim.SGD([p], lr=0.1)
s = S.StepLR(o, 2)
s.get_lr()
s.step()
s.step(5)
show(s.get_last_lr())
t = S.StepLR(torch.optim.SGD([p], lr=0.1), 2)
t.load_state_dict(s.state_dict())
show(t.last_epoch, t.get_last_lr())


# %% Utilities: vectors of parameters, clipping
nn, utils = torch.nn, torch.nn.utils
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
v = utils.parameters_to_vector(m.parameters())
show(v)
utils.vector_to_parameters(torch.arange(9.0), m.parameters())
show(list(m.parameters()))
(m(torch.ones(3, 2)) ** 2).sum().backward()
show(utils.clip_grad_norm_(m.parameters(), 1.0), [p.grad for p in m.parameters()])
show(utils.clip_grad_norm_(m.parameters(), 0.5, norm_type=float("inf")), m[0].weight.grad)
utils.clip_grad_value_(m.parameters(), 0.1)
show(m[0].weight.grad, utils.clip_grad_norm_([], 1.0), utils.clip_grad_norm_(m[0].weight, 10, 1))
m[0].weight.grad.fill_(float("nan"))
utils.clip_grad_norm_(m.parameters(), 1.0, error_if_nonfinite=True)


# %% Backward hooks of modules
nn = torch.nn
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
h = m[0].register_full_backward_hook(lambda mod, gi, go: show("hook", gi, go))
m[1].register_full_backward_hook(lambda mod, gi, go: (gi[0] * 2,))
x = torch.ones(1, 2, requires_grad=True)
y = m(x)
show(y.grad_fn, y.grad_fn.next_functions)
y.sum().backward()
show(x.grad, m[0].weight.grad)
h.remove()
m[0].register_full_backward_pre_hook(lambda mod, go: (go[0] * 0 + 1,))
m(x).sum().backward()
show(x.grad)
n = nn.Linear(2, 1)
n.register_full_backward_hook(lambda mod, gi, go: show("none", gi, go))
n(torch.ones(1, 2)).sum().backward()
with torch.no_grad():
    show(n(torch.ones(1, 2)).grad_fn)


class Two(nn.Module):
    def forward(self, a, b, k):
        return a * b, a + k, k


t = Two()
t.register_full_backward_hook(lambda mod, gi, go: show(gi, go))
u, v, k = t(x, torch.ones(2), 3)
show(u.requires_grad, k)
(u.sum() + v.sum()).backward()
n.register_full_backward_hook(lambda mod, gi, go: (None, None))
n(x).sum().backward()


# %% A parameter comes back from a file as a parameter
import io

torch.manual_seed(0)
layer = torch.nn.Linear(2, 1)
f = io.BytesIO()
torch.save(layer.state_dict(keep_vars=True), f)
f.seek(0)
found = torch.load(f, weights_only=True)
show([type(t).__name__ for t in found.values()], found["weight"], found["bias"].requires_grad)
other = torch.nn.Linear(2, 1)
show(other.load_state_dict(found))
show(other.weight)


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


# %% Modules: zero_grad, frozen parts, buffers, in-place ReLU, eval
# nn.Module: zero_grad, requires_grad_ of a part, buffers, parameters in lists, in-place ReLU, eval and no_grad.
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(inplace=True), torch.nn.Linear(3, 1))
x = torch.ones(4, 2)
net(x).sum().backward()
show([tuple(p.grad.shape) for p in net.parameters()])
net.zero_grad()
show([p.grad for p in net.parameters()])
net[0].requires_grad_(False)
net(x).sum().backward()
show([p.grad is None for p in net.parameters()])
net.eval()
show(net(x).requires_grad, net.training)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
opt.step()
opt.zero_grad()
show([p.grad for p in net.parameters()])
opt.zero_grad(set_to_none=False)
try:
    torch.optim.SGD([], lr=0.1)
except ValueError as error:
    show(error)
try:
    torch.optim.SGD(net(x), lr=0.1)
except Exception as error:
    show(type(error).__name__, error)
try:
    torch.optim.SGD([net(x)], lr=0.1)
except Exception as error:
    show(type(error).__name__, error)
y = torch.relu(net[0](x))
y.add_(1)
try:
    y.sum().backward()
    show("fine")
except RuntimeError as error:
    show(error)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [torch.nn.Linear(2, 2)]
        self.w = torch.ones(2, requires_grad=True)
        self.p = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("b", torch.zeros(2))


show([n for n, _ in Net().named_parameters()], list(Net().state_dict()), Net())
try:
    net(torch.ones(4, 3))
except RuntimeError as error:
    show(error)
