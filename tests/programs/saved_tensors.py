# %% allow_mutation_on_saved_tensors
g = torch.autograd.graph
with g.allow_mutation_on_saved_tensors() as ctx:
    a = torch.ones(2, 3, requires_grad=True)
    b = a.clone()
    out = (b**2).sum()
    b.sin_()
    show(b, b._version)
    out.sum().backward()
    show(a.grad)
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    c = a * 1
    d = c * c
    e = c.exp()
    e2 = e * 2
    c.mul_(5)
    e.zero_()
    (d.sum() + e2.sum()).backward()
    show(a.grad, c, e)
    a.grad = None
    c = a * 1
    d = c.exp()
    d.add_(1)
    d.sum().backward()
    show(a.grad)
    c = a.clone()
    d = c * c
    c.detach()[0] = 5
    d.sum().backward()
    show(a.grad, c)
    c = a.clone()
    d = c * c
    c.data.mul_(0)
    d.sum().backward()
    show(a.grad, c)
    c = a.clone()
    d = c * c
    torch.add(c.detach(), 1, out=c.detach())
    d.sum().backward()
    show(a.grad)
    c = a.clone()
    d = c * c
    c += a
    d.sum().backward()
    show(a.grad, c.grad_fn.name())
    c = a.clone()
    v = c.view(2, 1)
    d = v * v
    c.fill_(3.0)
    d.sum().backward()
    show(a.grad)
    with torch.no_grad():
        a.mul_(2)
    d = a * a
    with torch.no_grad():
        a.mul_(2)
    d.sum().backward()
    show(a.grad)
    try:
        with g.allow_mutation_on_saved_tensors():
            pass
    except RuntimeError as e:
        show(e)
show(d.grad_fn.name())


# %% Backward outside of allow_mutation_on_saved_tensors
g = torch.autograd.graph
with g.allow_mutation_on_saved_tensors():
    a = torch.ones(2, requires_grad=True)
    d = a * a
d.sum().backward()


# %% Backward within another allow_mutation_on_saved_tensors
g = torch.autograd.graph
with g.allow_mutation_on_saved_tensors():
    a = torch.ones(2, requires_grad=True)
    d = a * a
with g.allow_mutation_on_saved_tensors():
    d.sum().backward()


# %% Hooks of a saved tensor
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x * x
z = y.exp()
n = y.grad_fn
r = n._raw_saved_self
attempt(lambda: r.register_hooks(lambda t: show("pack", t) or t * 2, lambda t: show("unpack", t) or t / 2))
attempt(lambda: r.register_hooks(lambda t: t, lambda t: t))
attempt(lambda: n._saved_self)
attempt(lambda: n._raw_saved_self.register_hooks(lambda t: t, lambda t: t))
y.sum().backward(retain_graph=True)
show(x.grad)
q = z.grad_fn._raw_saved_result
q.register_hooks(lambda t: show("pack", t) or t.numpy(), lambda a: show("unpack") or torch.from_numpy(a))
attempt(lambda: z.grad_fn._saved_result)
z.sum().backward()
show(x.grad)
attempt(lambda: q.register_hooks(lambda t: t, lambda t: t))
attempt(lambda: type(z.grad_fn._raw_saved_result).__name__)
attempt(lambda: z.grad_fn._saved_result)
w = x * 3
attempt(lambda: w.grad_fn._saved_self)
attempt(lambda: w.grad_fn._saved_other)
c = torch.ones(2)
w = x * c
attempt(lambda: w.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t))
attempt(lambda: w.grad_fn._raw_saved_other.register_hooks(lambda t: t.add_(1), lambda t: t))
attempt(lambda: w.grad_fn._raw_saved_nothing)


# %% Saved tensors of a Function
x = torch.tensor([2.0, 3.0], requires_grad=True)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        r = a * 2
        ctx.save_for_backward(a, None, r)
        return r

    @staticmethod
    def backward(ctx, g):
        show(ctx.saved_tensors)
        return g, None


y = F.apply(x, 1)
n = y.grad_fn
show(len(n._raw_saved_tensors), [type(s).__name__ for s in n._raw_saved_tensors])
n._raw_saved_tensors[0].register_hooks(
    lambda t: show("pack", t) or t * 2, lambda t: show("unpack", t) or t / 2
)
n._raw_saved_tensors[2].register_hooks(
    lambda t: show("pack", t) or t * 2, lambda t: show("unpack", t) or t / 2
)
attempt(lambda: n._raw_saved_tensors[1].register_hooks(lambda t: t, lambda t: t))
y.sum().backward()
attempt(lambda: n.saved_tensors)
attempt(lambda: n._raw_saved_tensors)
i = torch.tensor([0, 1])
n = (x * 1).unsqueeze(0)[:, i].grad_fn
attempt(lambda: n._saved_indices)
attempt(lambda: len(n._raw_saved_indices))
n._raw_saved_indices[1].register_hooks(lambda t: show("pack", t) or t, lambda t: show("unpack") or t)
attempt(lambda: n._saved_indices)
attempt(lambda: n._saved_self_sym_sizes)


# %% Metadata of nodes
x = torch.ones(2, 3, requires_grad=True)
a, b = x.split(1)
n = a.grad_fn
for k in (n, (x * x).grad_fn, x.sum().grad_fn, n.next_functions[0][0]):
    attempt(lambda: [(m.shape, m.dtype, m.device, m.is_nested_tensor) for m in k._input_metadata])
    attempt(lambda: k.metadata)
    k.metadata["a"] = 1
    attempt(lambda: k.metadata)
    attempt(lambda: k.requires_grad)
    attempt(lambda: k.name())
    attempt(lambda: k.next_functions)
    attempt(lambda: setattr(k, "metadata", {}))
    attempt(lambda: setattr(k, "foo", 1))
    attempt(lambda: setattr(k, "next_functions", ()))
    attempt(lambda: k(1))
    attempt(lambda: k())
    attempt(lambda: k._register_hook_dict(3) if False else None)
n = (x * x).grad_fn
s = n._sequence_nr()
attempt(lambda: n._set_sequence_nr(s + 5))
attempt(lambda: n._sequence_nr() - s)
attempt(lambda: n.next_functions[0][0]._sequence_nr())
attempt(lambda: n._set_sequence_nr("a"))
k = (x * x).grad_fn
m = k(torch.ones(2, 3)) if False else (x * x).grad_fn
attempt(lambda: m._sequence_nr() > k._sequence_nr())
attempt(lambda: n == n)
attempt(lambda: hash(n) == hash(n))
attempt(lambda: isinstance(n, torch.autograd.graph.Node))
attempt(lambda: type(n).__name__)
attempt(lambda: type(n).__mro__[-1])
attempt(lambda: repr(n))
attempt(lambda: n.nothing)
attempt(lambda: n.next_functions[0][0].variable is x)
attempt(lambda: (x * x).grad_fn.next_functions[0][0] is (x + 1).grad_fn.next_functions[0][0])
show(
    [
        sorted(d for d in dir(k) if not d.startswith("__") and d != "_register_hook_dict")
        for k in (
            n,
            n.next_functions[0][0],
            x.sum(1).grad_fn,
            x.exp().grad_fn,
            x.clone().view(6)[1:].mul_(2)._base.grad_fn,
        )
    ]
)
n = x.sum(1, keepdim=True).grad_fn
show(n._saved_dim, n._saved_keepdim, n._saved_self_sym_sizes)
show(
    x[1:2].grad_fn._saved_dim,
    x[1:2].grad_fn._saved_start,
    x[1:2].grad_fn._saved_end,
    x[1:].grad_fn._saved_step,
    x[1:].grad_fn._saved_self_sym_sizes,
)
show(
    (x**2).grad_fn._saved_exponent,
    x.clamp(0).grad_fn._saved_min,
    x.clamp(0).grad_fn._saved_max,
    x.permute(1, 0).grad_fn._saved_dims,
    x.expand(2, 2, 3).grad_fn._saved_self_sym_sizes,
    (x * 3).grad_fn._saved_other,
    x.view(-1).grad_fn._saved_self_sym_sizes,
    torch.cat([x, x]).grad_fn._saved_dim,
)
attempt(lambda: torch.cat([x, x]).grad_fn._saved_tensors_args_scalartypes)
attempt(lambda: x.add(x, alpha=2).grad_fn._saved_alpha)
attempt(lambda: x.softmax(-1).grad_fn._saved_dim)
attempt(lambda: x.var(0).grad_fn._saved_correction)
attempt(lambda: x.var(0).grad_fn._saved_dim)
attempt(lambda: x.prod(0).grad_fn._saved_keepdim)
attempt(lambda: torch.nn.functional.leaky_relu(x).grad_fn._saved_negative_slope)


# %% The mode inside of saved_tensors_hooks
g = torch.autograd.graph
x = torch.tensor([2.0, 3.0], requires_grad=True)
w = x * 2
w.detach_()
with g.saved_tensors_hooks(
    lambda t: show("pack", torch.is_grad_enabled(), t.requires_grad) or t,
    lambda t: show("unpack", torch.is_grad_enabled()) or t,
):
    y = x * x
    z = y.exp()
show(y.grad_fn._saved_self is x)
z.sum().backward(retain_graph=True)
torch.autograd.grad(z.sum(), x, create_graph=True)
with torch.no_grad():
    y.grad_fn._saved_self


# %% saved_tensors_hooks and higher derivatives
g = torch.autograd.graph
x = torch.tensor([2.0, 3.0], requires_grad=True)
with g.saved_tensors_hooks(lambda t: t * 2, lambda t: t):
    y = x.exp()
(gr,) = torch.autograd.grad(y.sum(), x, create_graph=True)
show(gr, gr.grad_fn.name())
show(torch.autograd.grad(gr.sum(), x))
with g.saved_tensors_hooks(lambda t: t.detach(), lambda t: t * 1):
    y = x**3
(gr,) = torch.autograd.grad(y.sum(), x, create_graph=True)
show(gr)
show(torch.autograd.grad(gr.sum(), x))


# %% saved_tensors_hooks of what cannot be called
g = torch.autograd.graph
x = torch.tensor([2.0, 3.0], requires_grad=True)
attempt(lambda: g.saved_tensors_hooks(1, 2).__enter__())
# %% saved_tensors_hooks that raise
g = torch.autograd.graph
x = torch.tensor([2.0, 3.0], requires_grad=True)


def boom(t):
    raise ValueError("no")


try:
    with g.saved_tensors_hooks(boom, boom):
        x * x
except ValueError as e:
    show(e)
show((x * x).grad_fn._saved_self)
with g.saved_tensors_hooks(lambda t: t, boom):
    y = x * x
try:
    y.sum().backward()
except ValueError as e:
    show(e)
y.sum().backward()


# %% saved_tensors_hooks and versions
g = torch.autograd.graph
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x * 1
with g.saved_tensors_hooks(lambda t: t, lambda t: t):
    z = y * y
    e = y.exp()
y.add_(1)
e.add_(1)
z.sum().backward(retain_graph=True)
show(x.grad)
e.sum().backward()
show(x.grad)
with g.saved_tensors_hooks(lambda t: t + 1, lambda t: t - 1):
    z = (x * x).view(2, 1)[0] * torch.ones(1).add_(1) * x.exp_() if False else (x * x * 2).sin()
show(z.grad_fn._saved_self, z.grad_fn._saved_self.grad_fn is z.grad_fn.next_functions[0][0])
with g.save_on_cpu(pin_memory=False, device_type="cuda"):
    z = x * x
show(z.grad_fn._saved_self is x, z.grad_fn._saved_self)
z.sum().backward()
show(x.grad)


# %% saved_tensors_hooks with a Function that writes
g = torch.autograd.graph
x = torch.tensor([2.0, 3.0], requires_grad=True)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        ctx.mark_dirty(a)
        return a.mul_(2)

    @staticmethod
    def backward(ctx, gr):
        return gr * 2


seen = []
with g.saved_tensors_hooks(lambda t: seen.append(t) or len(seen) - 1, lambda i: seen[i]):
    y = F.apply(x * 1)
    y.sum().backward()
    show(x.grad, len(seen))
    with g.saved_tensors_hooks(lambda t: "inner", lambda s: torch.ones(2)):
        z = x * x
    w = x * x
show(z.grad_fn._saved_self, w.grad_fn._saved_self, len(seen))
with g.disable_saved_tensors_hooks("first"):
    with g.disable_saved_tensors_hooks("second"):
        try:
            g.saved_tensors_hooks(lambda t: t, lambda t: t).__enter__()
        except RuntimeError as e:
            show(e)
    try:
        g.saved_tensors_hooks(lambda t: t, lambda t: t).__enter__()
    except RuntimeError as e:
        show(e)


# %% A gradient that does not fit releases nothing
v = torch.rand(2, 2, requires_grad=True)
w = torch.ones(2, 2, requires_grad=True)
y = v.scatter_add(0, torch.tensor([[1, 0]]), w)
attempt(lambda: y.sum().backward())
attempt(lambda: y.sum().backward())
attempt(lambda: torch.autograd.grad(y.sum(), v))


# %% Writing to what backward saved
# In-place on what backward saved: which operations mind, and which do not.
for name, op in {
    "mul": lambda t: t * t,
    "add": lambda t: t + t,
    "exp": torch.exp,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "pow2": lambda t: t**2,
    "pow1": lambda t: t**1,
    "sum": lambda t: t.sum(),
    "sin": torch.sin,
    "tanh": torch.tanh,
    "max": lambda t: t.max(),
    "sort": lambda t: t.sort()[0],
    "mulc": lambda t: t * 3,
    "div": lambda t: 3 / t,
    "abs": torch.abs,
    "clamp": lambda t: t.clamp(0, 2),
    "softmax": lambda t: t.softmax(0),
    "norm": torch.norm,
    "prod": torch.prod,
    "cumsum": lambda t: t.cumsum(0),
    "where": lambda t: torch.where(t > 1, t, 0.0),
    "matmul": lambda t: t @ t,
    "std": lambda t: t.std(),
    "index": lambda t: t[[0, 1]],
    "log": torch.log,
    "sqrt": torch.sqrt,
    "dropout": lambda t: torch.nn.functional.dropout(t, 0.0),
    "mean": torch.mean,
    "var": torch.var,
    "logsumexp": lambda t: t.logsumexp(0),
    "gather": lambda t: t.gather(0, torch.tensor([0, 0])),
    "flip": lambda t: t.flip(0),
}.items():
    for write in ("input", "result"):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x + 0
        z = op(y)
        (y if write == "input" else z).detach().add_(1)
        try:
            z.sum().backward()
            show(name, write, x.grad)
        except RuntimeError as error:
            show(name, write, str(error).partition(";")[0])


# %% Saved tensors and versions
# Saved tensors and versions, as a curious user finds them.
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
z = y * x
s = z.sum()
n = z.grad_fn
show(
    n._saved_self,
    n._saved_other,
    y.grad_fn._saved_result is y,
    y.grad_fn._saved_result.grad_fn is y.grad_fn,
    n.next_functions[1][0].variable is x,
    n.metadata,
    n.name(),
    n.requires_grad if hasattr(n, "requires_grad") else None,
    s.grad_fn._saved_self_sym_sizes,
    len(s.grad_fn.next_functions),
)
s.backward()
for code in (
    "n._saved_self",
    "y.grad_fn._saved_result",
    "s.grad_fn._saved_self_sym_sizes",
    "n(torch.ones(2))",
    "n.next_functions",
):
    try:
        show(code, eval(code))
    except Exception as error:
        show(code, type(error).__name__, error)
