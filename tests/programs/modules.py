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

# %% A Parameter with a hook is stored without a warning, a tensor with one
import io, pickle, warnings

for x in (torch.nn.Parameter(torch.ones(2)), torch.ones(2, requires_grad=True)):
    x.register_hook(len)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        pickle.dumps(x), torch.save(x, io.BytesIO())
    show(len(said))


# %% Hooks of all modules
m = torch.nn.modules.module
nn = torch.nn


class Plus(nn.Module):
    def forward(self, x, y=None):
        return x * 2 + (x if y is None else y)


def say(name):
    return lambda *_: show(name)


x = torch.ones(2, requires_grad=True)
layer = nn.Sigmoid()
layer.register_forward_hook(lambda mod, args, out: show("forward", args[0].grad_fn, out.grad_fn.name()))
layer.register_full_backward_hook(say("full"))
layer.register_full_backward_pre_hook(say("full pre"))
layer.register_forward_pre_hook(say("pre"))
handles = [
    m.register_module_forward_pre_hook(say("all: pre")),
    m.register_module_forward_hook(say("all: forward")),
    m.register_module_full_backward_hook(say("all: full")),
    m.register_module_full_backward_pre_hook(say("all: full pre")),
]
out = layer(x * 1)
show(out.grad_fn.name())
out.sum().backward()
attempt(lambda: m.register_module_backward_hook(print))
for handle in handles:
    handle.remove()
for hook, register, options in (
    (
        lambda mod, args, kwargs, out: show(args, kwargs),
        m.register_module_forward_hook,
        {"with_kwargs": True},
    ),
    (lambda mod, args, out: out * 2, m.register_module_forward_hook, {}),
    (lambda mod, args: (args[0] * 2,), m.register_module_forward_pre_hook, {}),
    (lambda mod, before, after: (before[0] * 100,), m.register_module_full_backward_hook, {}),
    (lambda mod, after: (after[0] * 10,), m.register_module_full_backward_pre_hook, {}),
):
    handle = register(hook, **options)
    x.grad = None
    out = Plus()(x, y=x.detach())
    out.sum().backward()
    show(out.tolist(), x.grad)
    handle.remove()
handle = m.register_module_forward_hook(lambda *_: show("always"), always_call=True)
attempt(lambda: nn.Linear(3, 3)(x))
handle.remove()
attempt(lambda: nn.Linear(3, 3)(x))


# %% Hooks that see what modules get
m = torch.nn.modules.module
nn = torch.nn
handles = [
    m.register_module_parameter_registration_hook(lambda mod, name, p: show("parameter", name, p.shape)),
    m.register_module_buffer_registration_hook(lambda mod, name, b: show("buffer", name)),
    m.register_module_module_registration_hook(
        lambda mod, name, child: show("module", name, type(child).__name__)
    ),
]
s = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
s.extra = nn.ReLU()
s.add_module("more", nn.ReLU())
s[1].running_mean = torch.ones(2)
s[0].weight = nn.Parameter(torch.ones(2, 2))
s[0].bias = None
s.extra = None
s.register_buffer("b", None)
for handle in handles:
    handle.remove()
handles = [
    m.register_module_parameter_registration_hook(lambda mod, name, p: nn.Parameter(p * 0)),
    m.register_module_buffer_registration_hook(lambda mod, name, b: b * 0 + 7),
    m.register_module_module_registration_hook(lambda mod, name, child: nn.Tanh()),
]
show(nn.Sequential(nn.Linear(2, 2)))
layer = nn.BatchNorm1d(2)
layer.running_mean = torch.ones(2)
layer.mine = nn.Parameter(torch.ones(2))
show(layer.weight, layer.running_mean, layer.mine)
for handle in handles:
    handle.remove()
show(nn.Sequential(nn.ReLU()))


# %% Older backward hooks of modules
nn = torch.nn


class Two(nn.Module):
    def forward(self, x, y=None):
        return (x * 2, x + (0 if y is None else y))


class Named(nn.Module):
    def forward(self, x, *_):
        return {"none": None, "a": x * 2}


class Listed(nn.Module):
    def forward(self, x, *_):
        return [x * 2, x.exp()]


class Once(nn.Module):
    def forward(self, x, *_):
        return x.exp()


class Same(nn.Module):
    def forward(self, x, *_):
        return x


class Number(nn.Module):
    def forward(self, x, *_):
        return 3


x = torch.ones(2, requires_grad=True)
for kind in (nn.Sigmoid, Two, Named, Listed, Once, Same, Number):
    layer = kind()
    layer.register_backward_hook(lambda mod, before, after: show(type(mod).__name__, before, after))
    for args in ((x,), (x * 1,), (x * 1, 3), (torch.ones(2),)):

        def backward():
            out = layer(*args)
            out = out["a"] if isinstance(out, dict) else out
            (out if isinstance(out, torch.Tensor) else sum(out)).sum().backward()

        if kind is not nn.Sigmoid or len(args) == 1:
            attempt(backward)
for first, second in (
    ("register_backward_hook", "register_full_backward_hook"),
    ("register_full_backward_hook", "register_backward_hook"),
):
    layer = nn.Sigmoid()
    handle = getattr(layer, first)(lambda *_: None)
    attempt(lambda: getattr(layer, second)(print))
    handle.remove()
    attempt(lambda: getattr(layer, second)(print))
for made in (lambda g: (g * 3,), lambda g: (g, g)):
    layer = nn.Sigmoid()
    handle = layer.register_backward_hook(lambda mod, before, after: made(before[0]))
    x.grad = None
    attempt(lambda: layer(x).sum().backward())
    show(x.grad)
    handle.remove()
attempt(lambda: layer(x).sum().backward())


# %% A hook that is removed leaves none of its options
layer = torch.nn.Sigmoid()
for register, options in (
    (layer.register_forward_hook, {"with_kwargs": True, "always_call": True}),
    (layer.register_forward_pre_hook, {"with_kwargs": True}),
):
    handle = register(print, **options)
    show([len(getattr(layer, name)) for name in dir(layer) if name.startswith("_forward_")])
    handle.remove()
    show([len(getattr(layer, name)) for name in dir(layer) if name.startswith("_forward_")])
