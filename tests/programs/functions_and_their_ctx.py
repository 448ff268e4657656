x = torch.ones(4)
with torch.no_grad(): v = x[1:]
torch.nn.functional.softmax(v); v.var(dim=0, correction=5); torch.nn.functional.log_softmax(v)
w = torch.ones(4, requires_grad=True)
with torch.no_grad(): v = w[1:]
torch.nn.functional.softmax(v); v.var(dim=0, correction=5); torch.nn.functional.log_softmax(v)
v.var(correction=3); v.std(correction=3)
# ---
import copy
x = torch.ones(2, requires_grad=True); show(copy.copy(x)._version, copy.deepcopy(x)._version, copy.copy(torch.ones(2))._version)
# ---
def t(f):
    try: show(f())
    except Exception as e: show(type(e).__name__, e)
x = torch.tensor([1., 2.], requires_grad=True)
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b=3): ctx.save_for_backward(a); ctx.k = b; return a * b
    @staticmethod
    def backward(ctx, g): return g * ctx.k, None
y = F.apply(x); n = y.grad_fn
t(lambda: n.saved_variables); t(lambda: n.dirty_tensors); t(lambda: n.non_differentiable); t(lambda: n.to_save); t(lambda: n.needs_input_grad); t(lambda: n.saved_for_forward); t(lambda: n.k); t(lambda: n._forward_cls is F); t(lambda: n.saved_tensors)
y = F.apply(x); n = y.grad_fn; t(lambda: n._sequence_nr() >= 0); t(lambda: n.name()); t(lambda: n.next_functions); t(lambda: n.metadata); t(lambda: [(m.shape, m.dtype) for m in n._input_metadata]); t(lambda: isinstance(n, torch.autograd.function.BackwardCFunction)); t(lambda: F._backward_cls is type(n))
t(lambda: F.apply()); t(lambda: F.apply(x, 1, 2)); t(lambda: F()); t(lambda: F.forward(None, x)); t(lambda: F.backward(3, 4)); t(lambda: F.apply(3)); t(lambda: F.apply(None)); t(lambda: F.apply(torch.tensor([1, 2])).requires_grad); t(lambda: F.apply(x.to(torch.complex64)))
class B(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *args): return args
    @staticmethod
    def backward(ctx, *g): show(len(g), ctx.needs_input_grad); return g
t(lambda: B.apply(x, x, 3, 'a', None, torch.tensor(1))); a = B.apply(x, x * 2, 3)
t(lambda: (a[0].sum() + a[1].sum()).backward()); show(x.grad)
class R(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): return a * 2
    @staticmethod
    def backward(ctx, g): return self_returned[0]
for r in (3, None, torch.ones(3), torch.ones(2, 2), torch.ones(1), torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.float64), torch.ones(2, dtype=torch.complex64), (torch.ones(2), torch.ones(2)), (torch.ones(2), None), [torch.ones(2)], (), torch.ones(2, requires_grad=True), 'a'):
    self_returned = [r]; x.grad = None
    t(lambda: R.apply(x).sum().backward()); t(lambda: x.grad)
for ret in (3, None, 'a', (1, 2), [torch.ones(2)], (torch.ones(2), 3), {}, ()):
    class O(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a): return ret
        @staticmethod
        def backward(ctx, *g): return None
    t(lambda: O.apply(x))
# ---
def t(f):
    try: show(f())
    except Exception as e: show(type(e).__name__, e)
x = torch.tensor([1., 2.], requires_grad=True)
class D(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b): ctx.mark_dirty(a); a.add_(b); return a
    @staticmethod
    def backward(ctx, g): return g, g * 2
y = x * 1; z = D.apply(y, x); show(z is y, y.grad_fn.name(), y._version); z.sum().backward(); show(x.grad)
t(lambda: D.apply(x, x)); t(lambda: D.apply((x * 1)[:1], x[:1])); y = x * 1; v = y[:1]; D.apply(v, x[:1]); show(y.grad_fn.name(), v.grad_fn.name(), y); x.grad = None; y.sum().backward(); show(x.grad)
with torch.no_grad(): t(lambda: D.apply(x, x)); show(x, x._version)
class N(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): i = a.argmax(); b = a * 1; c = a.detach() * 2; ctx.mark_non_differentiable(i, c); return i, b, c
    @staticmethod
    def backward(ctx, gi, gb, gc): show(gi, gb, gc); return gb
i, b, c = N.apply(x); show(i, b, c, i.requires_grad, c.requires_grad); b.sum().backward()
class S(torch.autograd.Function):
    @staticmethod
    def forward(a, b): return a * b
    @staticmethod
    def setup_context(ctx, inputs, output): ctx.save_for_backward(*inputs); show(len(inputs), output)
    @staticmethod
    def backward(ctx, g): a, b = ctx.saved_tensors; return g * b, g * a
t(lambda: S.apply(x, x).sum().backward()); t(lambda: S.apply(x)); t(lambda: S.apply(a=x, b=x) if False else S.apply(x, b=x))
class OD(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): return a * 2
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g): return g * 2
g, = torch.autograd.grad(OD.apply(x).sum(), x, create_graph=True); show(g); t(lambda: g.sum().backward())
g, = torch.autograd.grad(OD.apply(x * x).sum(), x, create_graph=True); show(g, g.requires_grad); t(lambda: g.sum().backward())
# ---
def t(f):
    try: show(f())
    except Exception as e: show(type(e).__name__, e)
show([n for n in ('backward', 'grad', 'Function', 'Variable', 'detect_anomaly', 'enable_grad', 'grad_mode', 'gradcheck', 'gradgradcheck', 'graph', 'functional', 'forward_ad', 'function', 'inference_mode', 'no_grad', 'set_detect_anomaly', 'set_grad_enabled', 'set_multithreading_enabled', 'anomaly_mode') if hasattr(torch.autograd, n)])
with torch.autograd.set_multithreading_enabled(False): t(lambda: (torch.ones(2, requires_grad=True) * 2).sum().backward())
show(torch.autograd.grad_mode.no_grad is torch.no_grad, torch.autograd.anomaly_mode.detect_anomaly is torch.autograd.detect_anomaly)
show(torch.autograd.grad_mode.__name__.split('.')[-1], torch.autograd.function.once_differentiable.__name__, torch.autograd.function.FunctionCtx.__name__)
