x = torch.ones(2, requires_grad=True)
h = x.register_post_accumulate_grad_hook(lambda p: show('post', p is x, p.grad))
x.register_post_accumulate_grad_hook(lambda p: setattr(p, 'grad', None))
(x * 2).sum().backward(); show(x.grad)
h.remove()
(x * 2).sum().backward(); show(x.grad)
torch.autograd.grad((x * 2).sum(), x)
for f in (lambda: (x * 2).register_post_accumulate_grad_hook(print), lambda: torch.ones(2).register_post_accumulate_grad_hook(print)):
    try: f()
    except RuntimeError as e: show(e)
y = torch.ones(2, requires_grad=True)
y.register_hook(lambda g: show('tensor', g)); y.register_post_accumulate_grad_hook(lambda p: show('accumulated', p.grad, torch.is_grad_enabled()))
(y * 2).sum().backward(); (y * 2).sum().backward(create_graph=True)
# ---
x = torch.ones(2, requires_grad=True)
x.register_post_accumulate_grad_hook(lambda p: 3)
x.sum().backward()
# ---
from_ = torch.autograd.graph
x = torch.ones(2, requires_grad=True); y = x.exp()
e = from_.get_gradient_edge(x); show(type(e).__name__, e.node, e.output_nr, e.node.variable is x, e[1])
e = from_.get_gradient_edge(y); show(e.node is y.grad_fn, e.output_nr)
a, b = y.split(1); show(from_.get_gradient_edge(b).output_nr)
show(torch.autograd.grad(y.sum(), e), torch.autograd.grad(from_.get_gradient_edge(x * 3), x, torch.ones(2)))
show(torch.autograd.grad((x * 3).sum(), from_.get_gradient_edge(x)))
torch.autograd.backward(from_.get_gradient_edge(x * 3), torch.ones(2)); show(x.grad)
from_.get_gradient_edge(torch.ones(2))
# ---
from_ = torch.autograd.graph
x = torch.ones(2, requires_grad=True)
y = x * 1; z = y * y
show(y._version); from_.increment_version(y); show(y._version); from_.increment_version([y, y]); show(y._version)
try: z.sum().backward()
except RuntimeError as e: show(e)
show(issubclass(type(z.grad_fn), from_.Node), isinstance(z.grad_fn, from_.Node), isinstance(3, from_.Node))
from_.increment_version(3)
# ---
from_ = torch.autograd.graph
a, b, c = (torch.ones(2, requires_grad=True) for _ in range(3))
h = from_.register_multi_grad_hook((a, b, c), lambda gs: show('all', gs))
(a * b).sum().backward(retain_graph=True); (a * b).sum().backward(); (a * b * c).sum().backward()
h.remove(); (a * b).sum().backward()
from_.register_multi_grad_hook((a, b, c), lambda g: show('any', g), mode='any')
(a * b * 3).sum().backward()
try: from_.register_multi_grad_hook((a, b), show, mode='some')
except ValueError as e: show(e)
from_.register_multi_grad_hook((a, torch.ones(2)), show)
# ---
x = torch.tensor([1., 2.], requires_grad=True)
y = x * 3
show(y.grad_fn(torch.ones(2)), (x * x).grad_fn(torch.ones(2)), (x * x).sum().grad_fn(torch.tensor(2.)), y.grad_fn.next_functions[0][0].variable is x)
show(callable(y.grad_fn), isinstance(y.grad_fn, torch.autograd.graph.Node))
y.grad_fn.next_functions[0][0](torch.ones(2)); show(x.grad)
