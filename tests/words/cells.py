"""The cells and programs of the page of all words."""

from __future__ import annotations

# Title -> cells, with blank lines between them. What a line magic prints is on the page.
ASKED = {
    "A leaf": """
%%trace --no-show --name first
w = jgrad.ones(2, requires_grad=True)
x = jgrad.ones(2)
v = w.detach()
y = (w * x).sum()
y.backward()

%why w

%why x

%why v

%why y

%why w.grad

%why y.grad

%why w.is_leaf
""",
    "Memory": """
%%trace --no-show
import numpy
n = numpy.ones(3, numpy.float32)
a = jgrad.from_numpy(n)
b = a[1:]
c = a.data
same = a
d = jgrad.ones(4)[1:]
e = jgrad.ones(3)
e.add_(1)
e.mul_(2)
c.mul_(2)

%why a

%why b

%why c

%why d

%why e
""",
    "A module and an optimizer": """
%%trace --no-show
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 1)
net.extra = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
other = jgrad.ones(1, requires_grad=True)

%why net

%why net.extra

%why other

%why opt

%why opt.step()

%why net.weight.grad

net(jgrad.ones(1, 2)).sum().backward()

%why opt.step()

opt.param_groups[0]["lr"] = 0.

%why opt.step()

opt.zero_grad(set_to_none=False)
opt.param_groups[0]["lr"] = 0.1

%why opt.step()

%why opt.zero_grad()
""",
    "An optimizer that holds other tensors": """
w = jgrad.ones(1, requires_grad=True)
b = jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.1)
(b * 2).backward()

%why opt.step()

opt = jgrad.optim.SGD([w, b], lr=0.1)

%why opt.step()

b.grad = jgrad.full((1,), 1e-9)

%why opt.step()
""",
    "nan": """
%%trace --no-show
x = jgrad.tensor([0., 1.], requires_grad=True)
y = x.log() * x
z = y.sum()

%why z

big = jgrad.ones(100)
nans = jgrad.full((100,), jgrad.nan)

%why nans
""",
    "Trying out backward()": """
w = jgrad.ones(2, requires_grad=True)
b = jgrad.ones(1, requires_grad=True)
y = (w * w).sum() + b
d = jgrad.ones(1)

%why y.backward()

%why (w * 2).backward()

%why d.backward()

%why jgrad.autograd.grad(y, [w])

%why (jgrad.ones(1, requires_grad=True) * 2).backward()

%why y.sum(7)

%why float(b)
""",
    "An error in a cell that was not traced": """
w = jgrad.ones(2, requires_grad=True)
y = w.exp()
y.add_(1)
y.sum().backward()

%why

%why w.grad

w.detach().numpy().nosuch()

%why

1 / 0

%why
""",
    "An error in a traced cell": """
%%trace --no-show
w = jgrad.ones(2, requires_grad=True)
y = w.exp()
y.add_(1)
y.sum().backward()

%why

%why w.grad
""",
    "The words of an error or a warning": """
%why "Trying to backward through the graph a second time"

%why "element 0 of tensors does not require grad and does not have a grad_fn"

%why "one of the variables needed for gradient computation has been modified by an inplace operation"

%why "no such words"

%why Trying to backward through the graph a second time

%why no such words
""",
    "Nothing to explain": """
%why

%%trace --no-show
x = jgrad.ones(2)

%why

%why x.nosuch

%why nosuch.grad

%why 3

%why 1 + 1

held = [x]

%why held

%why held.grad
""",
    "%grad": """
w = jgrad.ones(2, requires_grad=True)
u = jgrad.ones(1, requires_grad=True)
i = jgrad.ones(2, dtype=jgrad.int64)
held = [w]

%grad

%grad 3

%grad nosuch

%grad w +

%grad w * 2

%grad (w * 2).sum() wrt

%grad w.sum() wrt u

%grad w.sum() wrt i

%grad w.sum() wrt held

%grad w.sum().item() wrt w

%grad w.sum() --depth 2

%grad w.sum() --order 0

%grad w.view(7)

%grad (w + u).sum() wrt v[0]
""",
    "The other magics": """
w = jgrad.ones(2, requires_grad=True)
x = jgrad.ones(2)

%accumulate w

%storage

%storage n

%graph x

%storage x --live

%scatter

%scatter w * 2

%leaves w

%compare

%compare a

%compare a b

%%trace --no-show --name a
(w * 2).sum().backward()

%%trace --no-show --name b
(w * 3).sum().backward()

%accumulate x

%compare a b

%compare a nosuch

%leaves

%attributes w, x
""",
    "No leaves": """
%leaves
""",
    "Gradients that are None": """
%%trace --no-show
w = jgrad.ones(2, requires_grad=True)
with jgrad.no_grad():
    a = w * 2
b = w.detach()
c = (w > 0).float() * 2
k = jgrad.tensor([1, 2])
first = w[0]
y = w * 2
y.sum().backward()
y.retain_grad()
w.grad = None
g, = jgrad.autograd.grad((w ** 2).sum(), w)

%why w.grad

%why a.grad

%why b.grad

%why c.grad

%why k.grad

%why first.grad

%why y.grad

%why g.grad
""",
}

# Title -> a program. All its steps and notes are on the page.
STEPS = {
    "Leaves, operations, views, a backward pass": """
x = jgrad.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
y = x * x
t = x.t()
a, b = y.split([1, 2], 1)
d = x.detach()
c = x.data
k = y.clone()
y.retain_grad()
loss = (a.sum() + (b * t.t()[:, 1:]).sum()) * 2
loss.backward()
""",
    "Writes": """
a = jgrad.zeros(4)
a.add_(1)
a[0] = 2
a[1:].mul_(2)
out = jgrad.zeros(3)
out.scatter_(0, jgrad.tensor([1]), jgrad.ones(1))
out.t_()
b = jgrad.ones(3)
b.data = out
import numpy
n = out.numpy()
n[0] = 7
c = out * 1
a.resize_(5)
m = jgrad.nn.BatchNorm1d(2)
m(jgrad.ones(3, 2))
""",
    "Gradients that meet, hooks, clearing": """
w = jgrad.ones(1, requires_grad=True)
w.register_hook(lambda g: g * 10)
(w * 2 + w * 3).backward()
(w * 4).backward()
w.grad.mul_(2)
w.grad.zero_()
w.grad = jgrad.ones(1)
w.grad = None
opt = jgrad.optim.SGD([w], lr=0.1)
opt.step()
opt.zero_grad()
(w * 2).backward()
opt.step()
g, = jgrad.autograd.grad((w ** 2).sum(), w)
s = jgrad.ones(8, requires_grad=True)
(s * 2).sum().backward()
v = s.relu() + s.relu() + s.relu() + s.relu() + s.relu() + s.relu()
v.sum().backward()
""",
    "A layer, a custom Function, an error": """
class Same(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        return grad * 2
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 1)
y = net(jgrad.ones(1, 2))
z = Same.apply(y)
z.sum().backward()
z.sum().backward()
""",
}

SMALL = """
x = jgrad.tensor([1., 2., 3.], requires_grad=True)
y = x * x
d = y.detach()
c = x.clone()
v = c[1:]
v.mul_(2)
loss = y.sum() + c.sum()
loss.backward()
(x * 2).sum().backward()
x.grad = None
"""
FAILED = """
x = jgrad.ones(3, requires_grad=True)
y = x.exp()
y.mul_(2)
e = jgrad.ones(3).expand(2, 3)
y.sum().backward()
"""
SCATTERED = """
out = jgrad.zeros(3)
src = jgrad.ones(4, requires_grad=True)
r = out.scatter_add(0, jgrad.tensor([1, 1, 2, 2]), src)
g = r.gather(0, jgrad.tensor([0, 2]))
"""
LOOP = """
w = jgrad.ones(1, requires_grad=True)
for i in range(9):
    y = w * 2
    y.backward()
"""
# Title -> (program, view, cursor).
SEEN = {
    "Timeline": (SMALL, "timeline", None),
    "Timeline of a loop": (LOOP, "timeline", None),
    "Storage, in the middle": (SMALL, "storage", 6),
    "Storage after a write to what is saved": (FAILED, "storage", None),
    "Graph, before backward": (SMALL, "graph", 8),
    "Graph, after backward": (SMALL, "graph", None),
    "Graph of an error": (FAILED, "graph", None),
    "Graph of a loop": (LOOP, "graph", None),
    "Accumulation": (SMALL, "accumulation", None),
    "Accumulation, before a backward": (SMALL, "accumulation", 1),
    "Scatter": (SCATTERED, "scatter", 4),
    "Gather": (SCATTERED, "scatter", None),
}
