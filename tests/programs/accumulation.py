def t(f):
    try: show(f())
    except Exception as e: show(type(e).__name__, e)
x = torch.ones(2, 3, requires_grad=True)
(x * 2).sum().backward(); g = x.grad; s = g.data_ptr(); (x * 3).sum().backward(); show(x.grad is g, g.data_ptr() == s, g, g._version, g.requires_grad)
x.grad = None; (x * 2).sum().backward(); show(x.grad is g); x.grad.zero_(); show(x.grad._version); (x * 2).sum().backward(create_graph=True); show(x.grad is g, x.grad.requires_grad, x.grad.grad_fn and x.grad.grad_fn.name())
g2 = x.grad; (x * x).sum().backward(create_graph=True); show(x.grad is g2, x.grad.grad_fn.name(), x.grad._version, g2._version); (x * x).sum().backward(); show(x.grad.requires_grad, x.grad)
x.grad = None; y = x * 1; y.retain_grad(); y.sum().backward(); show(x.grad.stride(), y.grad.stride(), x.grad.data_ptr() == y.grad.data_ptr(), x.grad is y.grad)
z = torch.ones(3, 2).t().requires_grad_(); (z * 2).sum().backward(); show(z.grad.stride()); z.grad = None; z.sum().backward(); show(z.grad.stride(), z.grad._version); z.grad = None; z.exp().t().sum().backward(); show(z.grad.stride())
e = torch.ones(1, 3).expand(2, 3).detach().requires_grad_(); t(lambda: e.sum().backward()); show(e.grad, e.grad.stride()); n = torch.ones(4, 6)[:2, ::2].detach().requires_grad_(); n.sum().backward(); show(n.grad.stride()); n.grad = None; (n * 2).sum().backward(); show(n.grad.stride())
w = torch.ones(3, requires_grad=True); v = torch.ones(3, requires_grad=True); (w + v).sum().backward(); show(w.grad.data_ptr() == v.grad.data_ptr(), w.grad._version, v.grad._version, w.grad.stride())
w.grad = None; w.backward(torch.ones(3)); show(w.grad); u = torch.ones(3); w.grad = None; w.backward(u); show(w.grad is u, w.grad.data_ptr() == u.data_ptr()); w.backward(u); show(u, w.grad); u.add_(1); show(w.grad)
w.grad = None; (w * 1).backward(u); show(w.grad.data_ptr() == u.data_ptr(), u)
# ---
def t(f):
    try: show(f())
    except Exception as e: show(type(e).__name__, e)
x = torch.ones(2, 3, requires_grad=True)
for v in (3, 'a', torch.ones(3), torch.ones(2, 3, dtype=torch.float64), torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 3, dtype=torch.complex64), None, torch.ones(3, 2).t(), torch.ones(2, 3, requires_grad=True), torch.ones(1, 3), np.ones((2, 3)), [1.], torch.ones(2, 3).requires_grad_() * 2):
    t(lambda: setattr(x, 'grad', v)); t(lambda: x.grad)
t(lambda: setattr(x, 'grad', x)); x.grad = torch.ones(2, 3); g = x.grad; (x * 2).sum().backward(); show(g, x.grad is g); t(lambda: delattr(x, 'grad')); show(x.grad)
i = torch.ones(2, dtype=torch.int64); t(lambda: setattr(i, 'grad', torch.ones(2))); t(lambda: setattr(i, 'grad', torch.ones(2, dtype=torch.int64))); show(i.grad)
y = x * 2; t(lambda: setattr(y, 'grad', torch.ones(2, 3))); t(lambda: y.grad)
n = torch.ones(2); n.grad = torch.zeros(2); show(n.grad, n.requires_grad)
x.grad = torch.ones(2, 3).t().contiguous().t(); (x * 1).sum().backward(); show(x.grad.stride(), x.grad)
x.grad = torch.ones(2, 1).expand(2, 3); t(lambda: (x * 1).sum().backward())
x.grad = torch.ones(2, 3)[:, :]; b = torch.zeros(2, 3); x.grad = b.view(2, 3); (x * 1).sum().backward(); show(b, b._version)
# ---
def t(f):
    try: show(f())
    except Exception as e: show(type(e).__name__, e)
m = torch.nn.Linear(2, 1); 
with torch.no_grad(): m.weight.fill_(1.); m.bias.fill_(2.)
o = torch.optim.SGD(m.parameters(), lr=0.1)
m(torch.ones(3, 2)).sum().backward(); g = m.weight.grad
o.zero_grad(set_to_none=False); show(m.weight.grad is g, g); m(torch.ones(3, 2)).sum().backward(); show(m.weight.grad is g, g)
o.zero_grad(); show(m.weight.grad, g); m.zero_grad(); m(torch.ones(3, 2)).sum().backward(); m.zero_grad(set_to_none=False); show(m.weight.grad, m.bias.grad)
m(torch.ones(3, 2)).sum().backward(create_graph=True); g = m.weight.grad; show(g.requires_grad, g.grad_fn and g.grad_fn.name()); o.zero_grad(set_to_none=False); show(m.weight.grad, m.weight.grad is g, m.weight.grad.requires_grad)
m.requires_grad_(False); m.zero_grad(); show(m.weight.grad)
# ---
x = torch.ones(2, requires_grad=True)
y = x.clone(); y.retain_grad(); z = y * 3; z.sum().backward(retain_graph=True); g = y.grad; z.sum().backward(retain_graph=True); show(y.grad, y.grad is g, g)
z.sum().backward(create_graph=True); show(y.grad, y.grad.requires_grad, y.grad is g)
y.grad = None; z.sum().backward(); show(y.grad)
w = x * 2; w.retain_grad(); w.retain_grad(); show(w.retains_grad); w.detach_(); show(w.retains_grad, w.grad)
q = torch.ones(2); 
try: q.retain_grad()
except RuntimeError as e: show(e)
x.retain_grad(); show(x.retains_grad)
with torch.no_grad(): w = x * 2
try: w.retain_grad()
except RuntimeError as e: show(e)
# ---
def t(f):
    try: show(f())
    except Exception as e: show(type(e).__name__, e)
x = torch.tensor(2., requires_grad=True)
y = x ** 3; g, = torch.autograd.grad(y, x, create_graph=True); h, = torch.autograd.grad(g, x, create_graph=True); k, = torch.autograd.grad(h, x, create_graph=True); show(y, g, h, k); t(lambda: torch.autograd.grad(k, x)); t(lambda: torch.autograd.grad(k, x))
y = x * 3; g, = torch.autograd.grad(y, x, create_graph=True); show(g, g.requires_grad, g.grad_fn); t(lambda: torch.autograd.grad(g, x)); t(lambda: g.backward())
y = x.detach() * 2; t(lambda: torch.autograd.grad(y, x))
y = (x * 2).detach().requires_grad_(); t(lambda: torch.autograd.grad(y * 3, x)); t(lambda: torch.autograd.grad(y * 3, [x, y], allow_unused=True))
y = x.sin(); z = y.cos(); t(lambda: torch.autograd.grad(z, [y, x])); t(lambda: torch.autograd.grad(z, x)); t(lambda: y.backward()); show(x.grad)
with torch.no_grad(): t(lambda: torch.autograd.grad((x * 2), x))
y = x * 2
with torch.no_grad(): t(lambda: torch.autograd.grad(y, x, create_graph=True)); show(torch.is_grad_enabled())
y = x * x
with torch.no_grad(): g, = torch.autograd.grad(y, x, create_graph=True); show(g, g.requires_grad)
show(torch.autograd.grad(g, x))
with torch.inference_mode(): t(lambda: (x * x).backward())
y = x * x
with torch.inference_mode(): t(lambda: y.backward())
show(x.grad)
