"""Random programs of everything that touches autograd; after their statements both libraries must show the same.

A program is text, so that a failure can be read and run. Statements that fail are part of it: they must fail alike.
`tests/same_as_torch/test_random_programs.py` runs hundreds of them in CI; `python -m tests.same_as_torch.random_programs SEED COUNT` runs as many as one likes, cuts each
that differs down to the statements it needs and prints it.
"""

from __future__ import annotations

import contextlib
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import torch

import jgrad
from jgrad.dispatch import fast
from jgrad.graph import grad_mode

# What programs find defined: Functions of all kinds, hooks that write into `log`, pairs for saved_tensors_hooks.
PRELUDE = """
import copy, pickle
import numpy as np
F = torch.nn.functional
Function, graph, autograd = torch.autograd.Function, torch.autograd.graph, torch.autograd

class Square(Function):
    @staticmethod
    def forward(ctx, x): ctx.save_for_backward(x); return x * x
    @staticmethod
    def backward(ctx, g): log("Square", ctx.needs_input_grad, g); return 2 * g * ctx.saved_tensors[0]

class Exp(Function):  # saves its result
    @staticmethod
    def forward(ctx, x): y = x.exp(); ctx.save_for_backward(y); return y
    @staticmethod
    def backward(ctx, g): return g * ctx.saved_tensors[0]

class Product(Function):  # with setup_context, and a number among its arguments
    @staticmethod
    def forward(x, k, y): return x * k * y
    @staticmethod
    def setup_context(ctx, inputs, output): ctx.save_for_backward(inputs[0], inputs[2]); ctx.k = inputs[1]
    @staticmethod
    def backward(ctx, g): x, y = ctx.saved_tensors; log("Product", ctx.needs_input_grad); return g * ctx.k * y, None, g * ctx.k * x

class Triple_(Function):  # in place
    @staticmethod
    def forward(ctx, x): x.mul_(3); ctx.mark_dirty(x); return x
    @staticmethod
    def backward(ctx, g): log("Triple_", g); return g * 3

class Add_(Function):  # in place, two arguments
    @staticmethod
    def forward(ctx, x, y): x.add_(y); ctx.mark_dirty(x); return x
    @staticmethod
    def backward(ctx, g): return g, g

class Lies(Function):  # writes without saying so
    @staticmethod
    def forward(ctx, x): x.add_(1); return x * 2
    @staticmethod
    def backward(ctx, g): return g * 2

class Same(Function):  # returns its input
    @staticmethod
    def forward(ctx, x): return x
    @staticmethod
    def backward(ctx, g): log("Same", g); return g * 5

class Second(Function):  # returns one of its inputs as it is
    @staticmethod
    def forward(ctx, x, y): return x * 2, y
    @staticmethod
    def backward(ctx, g, h): log("Second", g, h); return g * 2, h * 7

class View(Function):  # returns a view of its input
    @staticmethod
    def forward(ctx, x): return x.view(-1)
    @staticmethod
    def backward(ctx, g): return g.view(2, 2) * 2

class TwoViews(Function):
    @staticmethod
    def forward(ctx, x): return x[0], x[1:]
    @staticmethod
    def backward(ctx, g, h): log("TwoViews", g, h); return torch.cat([g[None], h])

class Ends(Function):  # several outputs, one of them an index
    @staticmethod
    def forward(ctx, x):
        i = x.argmax(); ctx.shape = x.shape
        ctx.mark_non_differentiable(i)
        return x.sum(), x * 1.5, i
    @staticmethod
    def backward(ctx, g, h, i): log("Ends", g, h, i); return g.expand(ctx.shape) + 1.5 * h

class Constant(Function):  # an output that is not differentiable, though a float
    @staticmethod
    def forward(ctx, x): y, z = x * 2, x * 3; ctx.mark_non_differentiable(z); return y, z
    @staticmethod
    def backward(ctx, g, h): log("Constant", g, h); return 2 * g

class Input(Function):  # its input marked as not differentiable
    @staticmethod
    def forward(ctx, x): ctx.mark_non_differentiable(x); return x
    @staticmethod
    def backward(ctx, g): return g

class Nones(Function):  # hears None for what was not used
    @staticmethod
    def forward(ctx, x, y): ctx.set_materialize_grads(False); return x * 2, y * 3
    @staticmethod
    def backward(ctx, g, h): log("Nones", g, h); return None if g is None else 2 * g, None if h is None else 3 * h

class Zero(Function):  # no gradient at all
    @staticmethod
    def forward(ctx, x): return x.clone()
    @staticmethod
    def backward(ctx, g): return None

class Once(Function):
    @staticmethod
    def forward(ctx, x): ctx.save_for_backward(x); return x ** 3
    @staticmethod
    @autograd.function.once_differentiable
    def backward(ctx, g): return 3 * g * ctx.saved_tensors[0] ** 2

class Inner(Function):  # differentiates inside
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            x = x.detach().requires_grad_(); y = (x ** 3).sum()
        ctx.save_for_backward(*autograd.grad(y, x))
        return y.detach()
    @staticmethod
    def backward(ctx, g): return g * ctx.saved_tensors[0]

class Wrong(Function):  # a gradient of the wrong shape
    @staticmethod
    def forward(ctx, x): return x * 1
    @staticmethod
    def backward(ctx, g): return torch.ones(3, dtype=torch.float64)

class Many(Function):  # too many gradients
    @staticmethod
    def forward(ctx, x): return x * 1
    @staticmethod
    def backward(ctx, g): return g, g

def logs(name): return lambda *values: log(name, *values)
def times(name, k): return lambda g: (log(name, g), g * k)[1]
def clears(t): log("accumulated", t.grad); t.grad = None
def twice(name): return lambda gi, go: (log(name, gi, go), tuple(None if g is None else g * 2 for g in gi))[1]
def before(name): return lambda go: (log(name, go), tuple(None if g is None else g * 3 for g in go))[1]
def pack(t): return t
def unpack(t): return t.clone()
def to_numpy(t): return (t.detach().numpy(force=True).copy(), t.requires_grad)
def to_tensor(content): return torch.tensor(content[0])
def clones(grads): return [torch.zeros(2, dtype=torch.float64) if g is None else g.clone(memory_format=torch.contiguous_format) for g in grads]
held = []
def sink(t): held.append(t.view_as(t).grad_fn.next_functions[0][0]); return held[-1]
def saved(fn): return [(n, getattr(fn, n)) for n in dir(fn) if n in ("_saved_self", "_saved_other", "_saved_result")]
"""

LEAVES = [
    "torch.tensor([[1.5, -2.0], [0.5, 3.0]], dtype=torch.float64, requires_grad={flag})",
    "torch.tensor([[0.3, 1.2], [2.5, -0.7]], dtype=torch.float64, requires_grad={flag})",
    "torch.arange(4.0, dtype=torch.float64, requires_grad={flag})",
    "torch.ones(2, dtype=torch.float64, requires_grad={flag})",
    "torch.tensor(0.5, dtype=torch.float64, requires_grad={flag})",
    "torch.tensor([0.25, -1.0], dtype=torch.float64, requires_grad={flag})",
    "torch.zeros(2, 2, dtype=torch.float64)",
    "torch.rand(2, 2, dtype=torch.float64, requires_grad={flag})",
    "torch.full((2, 2), 0.75, dtype=torch.float64).requires_grad_({flag})",
]
OTHER_LEAVES = [
    "torch.tensor([[0.5, -1.5], [2.0, 0.25]], requires_grad={flag})",
    "torch.randn(2, 2, requires_grad={flag})",
    "torch.tensor([1 + 2j, -0.5j], dtype=torch.complex128, requires_grad={flag})",
    "torch.tensor([[1 + 1j, 0.5], [2j, -1 - 0.5j]], dtype=torch.complex128, requires_grad={flag})",
    "torch.tensor([[1, 0], [3, 2]])", "torch.tensor([0, 1])", "torch.tensor([1, 2], dtype=torch.int32)", "torch.tensor([True, False])",
    "torch.tensor([[True, False], [True, True]])", "torch.ones(2, 1, 2, dtype=torch.float64, requires_grad={flag})",
    "torch.zeros(0, 2, dtype=torch.float64, requires_grad={flag})", "torch.ones(1, dtype=torch.float64).expand(2, 2)",
    "torch.eye(2, dtype=torch.float64).t().requires_grad_({flag})", "torch.nn.Parameter(torch.tensor([2.0, -1.0], dtype=torch.float64))",
    "torch.tensor([[1.0, 2.0], [float('nan'), float('inf')]], dtype=torch.float64, requires_grad={flag})",
    "torch.linspace(0, 1, 4, dtype=torch.float64).view(2, 2).requires_grad_({flag})",
]  # fmt: skip
VIEWS = [
    "{a}[0]", "{a}[1:]", "{a}[..., 0]", "{a}[::2]", "{a}[None]", "{a}.view(-1)", "{a}.view(2, 2)", "{a}.t()", "{a}.reshape(-1)",
    "{a}.transpose(0, -1)", "{a}.unsqueeze(-1)", "{a}.squeeze()", "{a}.expand(2, 2)", "{a}.narrow(0, 0, 1)", "{a}.unbind()[0]",
    "{a}.split(1)[0]", "{a}.chunk(2)[-1]", "{a}.flatten()", "{a}.view_as({b})", "{a}.permute(1, 0)", "{a}.detach()", "{a}.data",
    "{a}.select(-1, 1)", "{a}.as_strided((2,), (1,), 0)", "{a}.contiguous()", "{a}.view(-1)[1:]", "{a}.t()[0]",
    "{a}.diagonal()", "{a}.unfold(0, 2, 1)", "{a}.movedim(0, -1)", "{a}.swapaxes(0, -1)", "{a}.tensor_split(2)[0]", "{a}.mT",
    "{a}.real", "{a}.imag", "torch.view_as_real({a})", "torch.view_as_complex({a})", "{a}.as_strided((2, 2), (1, 2), 0)", "{a}.view(1, 4)[0]",
    "{a}[:, 1]", "{a}[0, 1:]", "{a}[0][1]", "{a}.hsplit(2)[1]", "{a}.unflatten(0, (1, -1))", "{a}.expand_as({b})", "{a}.broadcast_to((2, 2))",
    "{a}.ravel()", "{a}.T", "{a}[1]", "{a}[:1]", "{a}.reshape(2, 2)", "{a}.to({a}.dtype)", "{a}.squeeze(0)",
    "torch.atleast_2d({a})", "{a}.alias()" , "torch.ops_alias" , "{a}.new_tensor({b})", "{a}.requires_grad_()", "torch.real({a})",
]  # fmt: skip
VIEWS = [v for v in VIEWS if v not in ("{a}.alias()", "torch.ops_alias")]
SEVERAL_VIEWS = [
    "{n}, {m} = {a}.unbind()", "{n}, {m} = {a}.split(1)", "{n}, {m} = {a}.chunk(2)", "{n}, {m} = {a}.unbind(1)", "{n}, {m} = {a}",
    "{n}, {m} = {a}.view(-1)[:2].split([1, 1])", "{n}, {m} = {a}.tensor_split(2)", "{n}, {m} = {a}[:1], {a}[1:]",
]  # fmt: skip
VALUES = [
    "{a} * {b}", "{a} + {b}", "{a} * 2", "{a} - {b}", "{a}.exp()", "{a}.sigmoid()", "{a} ** 2", "{a}.sum()", "{a}.clone()", "{a}.tanh()",
    "{a}.mean()", "-{a}", "{a}.relu()", "{a} / {b}", "{a}[[0, 1]]", "{a} @ {b}", "{a}.to(torch.float32)", "torch.cat([{a}, {b}])",
    "torch.where({a} > 1, {a}, {b})", "{a}.detach().clone()", "torch.stack([{a}, {b}])", "{a}.sqrt()", "{a}.log()", "{a}.abs()",
    "{a}.max(0)[0]", "{a}.max()", "{a}.sort()[0]", "{a}.cumsum(0)", "{a}.var()", "{a}.softmax(0)", "{a}.flip(0)", "{a}.repeat(2)",
    "{a}.prod()", "{a}.clamp(0, 1)", "{a}.logsumexp(0)", "{a}.topk(1)[0]", "{a}.norm()", "torch.maximum({a}, {b})", "torch.lerp({a}, {b}, 0.5)",
    "torch.zeros_like({a})", "{a}.index_select(0, torch.tensor([0]))", "{a}.masked_fill({b} > 1, 0.5)", "{a}.sum(0)",
    "{a}.double()", "{a}.to(torch.complex128)", "{a}.long()", "{a} > {b}", "{a} == {b}", "{a}.bool()", "~{a}", "{a} & {b}", "{a} // 2", "{a} % 2",
    "2 - {a}", "1 / {a}", "2 ** {a}.contiguous()", "{a} ** {b}", "{a}.gather(0, torch.tensor([[0, 1]]))", "{a}.take_along_dim(torch.tensor([1]), 0)",
    "{a}.scatter(0, torch.tensor([[0, 0]]), {b})", "{a}.scatter_add(0, torch.tensor([[1, 0]]), {b})", "{a}.index_add(0, torch.tensor([0, 0]), {b})",
    "{a}.index_put((torch.tensor([0, 0]),), {b}, accumulate=True)", "{a}[{a} > 0]", "{a}[{b}]", "{a}.masked_select({b} > 0)", "{a}.tril()",
    "{a}.diag()", "{a}.trace()", "({a} * torch.tensor([[1.0, 2.0], [0.5, 3.0]], dtype=torch.float64)).det()", "torch.linalg.inv({a})", "torch.linalg.solve({a}, {b})", "torch.einsum('ij,jk->ik', {a}, {b})",
    "torch.outer({a}, {b})", "{a}.dot({b})", "torch.addmm({a}, {b}, {b})", "F.linear({a}, {b})", "F.layer_norm({a}, (2,))",
    "F.mse_loss({a}, {b})", "F.cross_entropy({a}, torch.tensor([0, 1]))", "F.dropout({a}, 0.5)", "F.pad({a}, (1, 0))", "F.gelu({a})",
    "{a}.roll(1, 0)", "{a}.tile(2)", "{a}.repeat_interleave(2, 0)", "{a}.cumprod(0)", "{a}.std(0)", "{a}.contiguous().median()", "{a}.amax(0)", "{a}.min()",
    "{a}.log_softmax(-1)", "{a}.atan2({b})", "torch.hypot({a}, {b})", "torch.complex({a}, {b})", "torch.polar({a}, {b})", "{a}.angle()",
    "{a}.sgn()", "{a}.nan_to_num()", "{a}.argmax()", "{a}.nonzero()", "{a}.any()", "torch.addcmul({a}, {b}, {b}, value=2)", "{a}.square()",
    "{a}.rsqrt()", "{a}.floor()", "{a}.copysign({b})", "{a}.fmod({b})", "{a}.cross({b})", "torch.cdist({a}, {b})", "torch.kron({a}, {b})",
    "{a}.new_zeros(2)", "torch.ones_like({a}, requires_grad=True)", "{a}.mul({b}).add({a})", "{a}.contiguous().view(-1)", "torch.rand_like({a})",
    "torch.tensor({a}.tolist(), requires_grad=True)", "torch.tensor({a}.numpy(force=True).copy())", "torch.as_tensor({a})", "{a}.float()", "torch.asarray({a})",
    "torch.fft.fft({a} + torch.zeros(2)).abs()", "{a}.select_scatter({b}, 0, 0)", "{a}.slice_scatter({b}, 0, 0, 1)", "{a}.diagonal_scatter({b})",
    "{a}.index_copy(0, torch.tensor([1]), {b})", "{a}.as_strided_scatter({b}, (2,), (1,))" , "{a}.sum((0, 1), keepdim=True)",
    "torch.autograd.grad({a}.sum(), {b}, create_graph=True)[0] * 2", "{a}.unique()", "{a}.bernoulli(0.5)", "{a}.frac()", "{a}.where({b} > 0, 0.0)",
]  # fmt: skip
VALUES = [v for v in VALUES if "as_strided_scatter" not in v]
SEVERAL_VALUES = [
    "{n}, {m} = {a}.sort(0)", "{n}, {m} = {a}.topk(1)", "{n}, {m} = {a}.max(0)", "{n}, {m} = {a}.contiguous().median(0)", "{n}, {m} = torch.std_mean({a})",
    "{n}, {m} = torch.var_mean({a}, 0)", "{n}, {m} = {a}.aminmax(dim=0)", "{n}, {m} = torch.linalg.slogdet({a})", "{n}, {m} = {a}.min(-1)",
    "{n}, {m} = torch.linalg.qr({a})", "{n}, {m} = {a}.cummax(0)", "{n}, {m} = torch.linalg.eigh({a})", "{n}, {m} = {a}.kthvalue(1)",
    "{n}, {m} = torch.frexp({a})", "{n}, {m} = torch.meshgrid({a}.view(-1), {b}.view(-1), indexing='ij')", "{n}, {m} = torch.broadcast_tensors({a}, {b})",
]  # fmt: skip
WRITES = [
    "{a}.mul_({b})", "{a}.add_(1)", "{a}.add_({b}, alpha=2)", "{a}.exp_()", "{a}.zero_()", "{a}.fill_(0.25)", "{a}.copy_({b})",
    "{a}.sigmoid_()", "{a}[0] = 2.0", "{a}[0] = {b}", "{a}[..., 0] = {b}", "{a} += {b}", "{a} *= 3", "{a}.sub_({b})", "{a}.pow_(2)",
    "{a}.fill_({b})", "{a}[{a} > 1] = 0.5", "{a}.tanh_()", "{a}.data.mul_(2)", "{a}.detach().add_(1)", "{a}.neg_()", "{a}.div_({b})",
    "{a}[[0]] = {b}", "{a}.uniform_()", "{a}.masked_fill_({b} > 1, 0.5)", "{a}.t_()", "{a}.squeeze_()", "{a}.unsqueeze_(0)",
    "{a}.transpose_(0, -1)", "{a}.as_strided_((2,), (1,))", "{a}.clamp_(0, 1)", "{a}.cumsum_(0)", "{a}.diagonal().mul_(2)",
    "{a}.index_fill_(0, torch.tensor([0]), 2.0)", "{a}.fill_diagonal_(3)", "{a}.addcmul_({a}, {b})", "{a}.lerp_({b}, 0.5)",
    "{a}[0].mul_({b})", "{a}.view(-1)[1:].mul_(2)", "{a}.t().add_({b})", "{a}[1:][0] = {b}", "{a}.unbind()[0].mul_(2)", "{a}.real.mul_(2)",
    "{a}.imag[0] = 2", "torch.view_as_real({a}).mul_(3)", "{a}.scatter_(0, torch.tensor([[0, 0]]), {b})", "{a}.relu_()", "{a}.sqrt_()",
    "{a}.scatter_add_(0, torch.tensor([[1, 0]]), {b})", "{a}.index_add_(0, torch.tensor([0, 0]), {b})", "{a}.index_copy_(0, torch.tensor([1]), {b})",
    "{a}.index_put_((torch.tensor([0, 0]),), {b}, accumulate=True)", "torch.add({a}, {a}, out={b})",
    "torch.mul({a}, 2, out={b})", "{a}.addmm_({b}, {c})", "{a}.normal_()", "{a}.bernoulli_(0.5)", "{a}.random_(0, 10)", "{a}.gt_({b}.detach())",
    "{a}[:, 0] = {b}", "{a}[{b}] = 1", "{a}[torch.tensor([0, 1]), torch.tensor([1, 0])] = {b}", "{a}.swapaxes_(0, 1)", "{a} /= 2", "{a} **= 2",
    "{a} -= {b}", "{a}.expand(2, 2)[0].mul_(2)", "{a}.reciprocal_()", "{a}.abs_()", "{a}.log_()", "{a}.tril_()", "{a}.squeeze_(0)",
    "{a}[0][0] = 7", "{a}[...] = {b}", "{a}[:] = {a} * 2", "F.relu({a}, inplace=True)", "{a}.copy_({b}.detach())", "{a}.cumprod_(0)",
    "{a}.erfinv_()", "{a}.put_(torch.tensor([0]), {b})", "{a}.floor_()", "{a}[None].mul_(2)", "{a}.detach_().mul_(2)",
    "torch.ops_", "{a}.index_reduce_(0, torch.tensor([0, 0]), {b}, 'prod')", "graph.increment_version({a})",
]  # fmt: skip
WRITES = [w for w in WRITES if w != "torch.ops_"]
# (register_hook on a view that is no longer valid crashes PyTorch; reading its grad_fn raises first.)
STATES = [
    "{a}.requires_grad_()", "{a}.requires_grad_(False)", "{a}.requires_grad = True", "{a}.detach_()", "{a}.retain_grad()", "{a}.retain_grad()",
    "{a}.grad = None", "{a}.grad = torch.ones_like({a})", "{a}.grad.zero_()", "{a}.grad_fn; {a}.register_hook(lambda g: g * 2)", "del {a}",
    "{a}.data = {a}.detach() + 1", "{a}.grad.mul_(2)", "{a}.requires_grad_().retain_grad()", "{a}.data = {b}.data", "{a}.data = {b}",
    "{a}.set_({b})", "{a}.set_({b}.detach())", "{a}.resize_(2, 2).zero_()", "{a}.resize_(2).zero_()", "{a}.resize_as_({b}).zero_()", "{a}.detach().resize_(1, 2).zero_()",
    "{n} = copy.copy({a})", "{n} = copy.deepcopy({a})", "{n} = pickle.loads(pickle.dumps({a}))", "{n}, {m} = copy.deepcopy([{a}, {b}])",
    "{n}, {m} = pickle.loads(pickle.dumps(({a}, {a})))", "{a}.grad = {b}", "{a}.grad = {a}.grad * 2", "{n} = {a}.grad.detach().clone()", "{a}.grad.requires_grad_()",
    "{n} = {a}.grad.clone()", "{a}.grad += 1", "del {a}.grad", "log({a}.grad_fn(torch.ones_like({a})))", "log({a}.grad_fn.next_functions)",
    "log(saved({a}.grad_fn))", "log({a}.grad_fn.metadata, {a}.grad_fn.name())", "log({a}.is_leaf, {a}.requires_grad, {a}.grad is {b}.grad)",
    "log({a}.tolist(), {a}.item())", "log({a}.is_contiguous(), {a}.is_set_to({b}), {a}._is_view(), {a}._base is {b}._base)",
    "log(bool({a}.any()), len({a}), {a}.is_complex())", "log(torch.equal({a}, {b}), torch.allclose({a}, {b}))", "log({a}.grad_fn._sequence_nr() > {b}.grad_fn._sequence_nr())",
    "{n} = torch.zeros(2, 2, dtype=torch.float64); {n}.copy_({a})", "{n} = {a}; {n} += 1", "{a} = {a} * 2", "{a} = {a}.detach()", "{a}, {b} = {b}, {a}",
]  # fmt: skip
HOOKS = [
    "{a}.grad_fn; {h} = {a}.register_hook(logs('{a}'))", "{a}.grad_fn; {h} = {a}.register_hook(times('{a}', 3))", "{h} = {a}.register_post_accumulate_grad_hook(clears)",
    "{h} = {a}.register_post_accumulate_grad_hook(lambda t: log('after', t.grad))", "{h} = {a}.grad_fn.register_hook(logs('post {a}'))",
    "{h} = {a}.grad_fn.register_hook(twice('post {a}'))", "{h} = {a}.grad_fn.register_prehook(logs('pre {a}'))",
    "{h} = {a}.grad_fn.register_prehook(before('pre {a}'))", "{o}.remove()", "{o}.remove()", "{a}.grad_fn; {b}.grad_fn; {h} = graph.register_multi_grad_hook([{a}, {b}], logs('all'))",
    "{a}.grad_fn; {b}.grad_fn; {h} = graph.register_multi_grad_hook([{a}, {b}], logs('any'), mode='any')", "{a}.retain_grad()", "{a}.retain_grad()",
    "{h} = sink({a}).register_hook(logs('sink {a}'))",
    "{h} = sink({a}).register_prehook(before('sink {a}'))", "{a}.grad_fn; {a}.register_hook(lambda g: None)",
    "{a}.grad_fn; {a}.register_hook(lambda g: 3)", "{a}.grad_fn; {a}.register_hook(lambda g: g[None])", "{a}.grad_fn; {a}.register_hook(lambda g: {b}.detach().clone())",
    "{a}.grad_fn; {a}.register_hook(lambda g: log('mode', torch.is_grad_enabled(), g.requires_grad))",
    "{a}.grad_fn; {a}.register_hook(lambda g: g.clone().mul_(2))",
]  # fmt: skip
BACKWARD = [
    "{a}.backward()", "{a}.sum().backward()", "{a}.sum().backward(retain_graph=True)", "{a}.backward(torch.ones_like({a}))",
    "{a}.sum().backward(inputs=[{b}])", "{n}, = clones(autograd.grad({a}.sum(), {b}, retain_graph=True))",
    "({a} * {b}).sum().backward()", "({a} ** 2).sum().backward(create_graph=True)", "{a}.abs().sum().backward(retain_graph=True)",
    "autograd.backward([{a}, {b}], [torch.ones_like({a}), torch.ones_like({b})])", "autograd.backward([{a}.sum(), {b}.sum()], retain_graph=True)",
    "{a}.sum().backward(inputs=[{a}, {b}], retain_graph=True)", "{a}.backward({b}.detach())", "{a}.backward({b}, retain_graph=True, create_graph=True)",
    "{n}, {m} = clones(autograd.grad(({a} * {b}).sum(), [{a}, {b}]))", "{n}, {m} = clones(autograd.grad({a}.sum(), [{a}, {b}], allow_unused=True, retain_graph=True))",
    "{n}, {m} = clones(autograd.grad({a}.sum(), [{b}, {c}], materialize_grads=True, retain_graph=True))", "{n}, = clones(autograd.grad({a}.sum(), {b}, create_graph=True))",
    "{n}, = clones(autograd.grad({a}, {b}, {a}.detach(), retain_graph=True))", "{n}, = clones(autograd.grad(({a} ** 3).sum(), {b}, create_graph=True))",
    "{n}, = clones(autograd.grad({a}, {b}, torch.ones_like({a}), create_graph=True, allow_unused=True))", "{a}.real.sum().backward(retain_graph=True)",
    "{n}, = clones(autograd.grad([{a}.sum(), {b}.sum()], {c}, retain_graph=True))", "{a}.mean().backward(gradient=torch.tensor(2.0, dtype=torch.float64))",
    "{n}, = clones(autograd.grad(autograd.grad(({a} ** 3).sum(), {a}, create_graph=True)[0].sum(), {b}, allow_unused=True))",
    "{n}, = clones(autograd.grad({a}.sum(), graph.get_gradient_edge({b}), retain_graph=True))", "{a}.grad.sum().backward()",
]  # fmt: skip
FUNCTIONS = [
    "{n} = Square.apply({a})", "{n} = Exp.apply({a})", "{n} = Product.apply({a}, 2, {b})", "{n} = Triple_.apply({a})", "{n} = Add_.apply({a}, {b})",
    "{n} = Same.apply({a})", "{n}, {m} = Second.apply({a}, {b})", "{n} = View.apply({a})", "{n}, {m} = TwoViews.apply({a})",
    "{n}, {m}, {k} = Ends.apply({a})", "{n}, {m} = Constant.apply({a})", "{n} = Input.apply({a})", "{n}, {m} = Nones.apply({a}, {b})",
    "{n} = Zero.apply({a})", "{n} = Once.apply({a})", "{n} = Inner.apply({a})", "{n} = Wrong.apply({a})", "{n} = Many.apply({a})", "{n} = Lies.apply({a})",
    "{n} = Triple_.apply({a}[0])", "{n} = Triple_.apply({a}.clone())", "{n} = Same.apply({a}.view(-1))", "Triple_.apply({a})", "{n} = Square.apply({a} * {b}).sum()",
]  # fmt: skip
MODES = [
    *[""] * 14, "with torch.no_grad(): ", "with torch.no_grad(): ", "with torch.set_grad_enabled(False): ", "with torch.enable_grad(): ",
    "with torch.inference_mode(): ", "with torch.inference_mode(), torch.inference_mode(False): ", "with torch.no_grad(), torch.enable_grad(): ",
    "with graph.saved_tensors_hooks(pack, unpack): ", "with graph.saved_tensors_hooks(to_numpy, to_tensor): ", "with graph.save_on_cpu(): ",
    "with graph.disable_saved_tensors_hooks('off'): ",
]  # fmt: skip
# NumPy's arrays and scalars as operands, as indices and as what is written. (`numpy.bool_` and `numpy.complex64` differ on purpose.)
NUMPY = [
    "{n} = {a} * np.array([2.0, 3.0])", "{n} = np.array([[2.0, -1.0], [0.5, 3.0]]) + {a}", "{n} = np.float64(2) * {a}", "{n} = {a} ** np.int64(2)",
    "{n} = {a}[np.array([0, 1])]", "{n} = {a}[np.array([True, False])]", "{n} = {a}[np.int64(0)]", "{n} = {a}[..., np.int32(-1)]", "{a}.add_(np.float64(2))",
    "{n} = torch.from_numpy(np.ones((2, 2)))", "{n} = torch.as_tensor(np.array([1.0, 2.0]))", "{n} = torch.tensor(np.float32(2), requires_grad=True)",
    "{n} = torch.add({a}, np.float64(1.5))", "{n} = {a} > np.float64(1)", "{n} = {a} / np.float32(2)", "{n} = {a} - np.int64(1)", "{n} = np.float32(1) - {a}",
    "{n} = np.int64(3) / {a}", "{n} = {a} @ np.ones((2, 2))", "{a}[0] = np.array([1.0, 2.0])", "{a}.fill_(np.float64(3))", "{a} += np.ones(2)", "{a} *= np.float64(0.5)",
    "{a}[np.array([1, 0])] = {b}", "{a}[np.array([0])] = np.float64(2)", "{n} = torch.where({a} > 0, {a}, np.float64(0))", "{n} = {a}.clamp(np.float64(0), np.float64(1))",
    "{n} = torch.from_numpy(np.arange(4.0)).requires_grad_()", "log(np.sum({a}.detach().numpy(force=True)))", "log(np.asarray({a}.detach()).tolist())",
    "{n} = {a} == np.array([1.0, 2.0])", "log(float({a}.detach().numpy(force=True).max()))", "{n} = {a}.view(-1).detach().numpy() * {b}", "{n} = np.ones((2, 2)) / {a}",
    "{n} = {a}.sum(np.int64(0))", "{n} = {a}.reshape(np.int64(-1))", "{n} = {a} % np.float64(2)", "{n} = {a} // np.int64(2)", "{n} = torch.pow(np.float64(2), {a})",
    "{n} = torch.full((np.int64(2),), np.float64(1.5))", "{n} = {a}.new_tensor(np.array([1.0, 2.0]))", "{n} = {a}.roll(np.int64(1), np.int64(0))", "{n} = -np.float64(1) + {a}",
]  # fmt: skip
# Tensors without elements, and what is made of them.
EMPTY = [
    "{n} = {a}[:0]", "{n} = {a}[..., :0]", "{n} = {a}.narrow(0, 0, 0)", "{n} = {a}[[]]", "{n} = {a}[{a} > 1000]", "{n} = torch.zeros(0, dtype=torch.float64, requires_grad=True)",
    "{n} = torch.ones(2, 0, dtype=torch.float64, requires_grad=True)", "{n} = torch.cat([{a}, {a}[:0]])", "{n} = {a}[:0].sum()", "{n} = {a}[:0].prod()", "{n} = {a}[:0].mean()",
    "{n} = {a}[:0].max(0)[0]", "{n} = {a}[:0].max()", "{n} = {a}[:0].sort(0)[0]", "{n} = {a}[:0].cumsum(0)", "{n} = {a}[:0].logsumexp(0)", "{n} = {a}[:0].softmax(0)",
    "{n} = {a}[:0].var(0)", "{n} = {a}[:0] @ {b}", "{n} = {a}[:0].t() @ {a}[:0]", "{n} = F.linear({a}[:0], {b})", "{a}[:0] = {b}", "{a}[:0].mul_(2)", "{a}[..., :0] = 1.0",
    "{n} = {a}[:0].view(-1)", "{n} = {a}[:0].reshape(2, 0)", "{n}, = {a}[:0].split(1)", "{n} = torch.stack([{a}[:0], {a}[:0]])", "{n} = {a}[:0].norm()", "{n} = {a}[:0].repeat(2)",
    "{n} = {a}.index_select(0, torch.tensor([], dtype=torch.long))", "{n} = {a}.index_add(0, torch.tensor([], dtype=torch.long), {a}[:0])", "{n} = {a}[:0].expand(0, 2)",
    "{n} = F.mse_loss({a}[:0], {a}[:0])", "{n} = F.cross_entropy({a}[:0], torch.tensor([], dtype=torch.long))", "{n} = {a}[:0].any()", "{n} = {a}[:0].all()", "{n} = {a}[:0].unique()",
    "{n} = {a}[:0].nonzero()", "{n} = {a}[:0].argmax(0)", "{n} = {a}[:0].std()", "{n} = {a}[:0].median()", "{n} = {a}[:0].flip(0)", "{n} = {a}[:0].diagonal()", "{n} = {a}[:0, :0].det()",
    "{n} = torch.linalg.inv({a}[:0, :0])", "{n} = torch.einsum('ij,jk->ik', {a}[:0], {b})", "{n} = torch.cdist({a}[:0], {b})", "{n} = {a}[:0].dot({b}[:0])", "{n} = {a}[:0].tril()",
    "{n} = F.layer_norm({a}[:0], (2,))", "{n} = F.pad({a}[:0], (1, 1))", "{a}[:0].sum().backward(retain_graph=True)", "{n} = {a}[:0].amax(0)", "{n} = {a}[:0].gather(0, torch.zeros(0, 2, dtype=torch.long))",
]  # fmt: skip
# Optimizers and schedules: h0, h1, ... are theirs too, so a program calls the methods of each on the others, which fails alike.
SCHEDULES = [
    "{h} = torch.optim.SGD([{a}], lr=0.1, momentum=0.9)", "{h} = torch.optim.SGD([{a}, {b}], lr=0.5, weight_decay=0.1, nesterov=True, momentum=0.5)", "{h} = torch.optim.Adam([{a}], lr=0.1)",
    "{h} = torch.optim.AdamW([{{'params': [{a}]}}, {{'params': [{b}], 'lr': 0.5}}], lr=0.1, amsgrad=True)", "{h} = torch.optim.RMSprop([{a}], lr=0.1, centered=True)",
    "{h} = torch.optim.Adagrad([{a}], lr=0.1, lr_decay=0.1)", "{h} = torch.optim.Rprop([{a}])", "{h} = torch.optim.Adamax([{a}], maximize=True)",
    *["{o}.step()"] * 4, *["{o}.zero_grad()"] * 2, "{o}.zero_grad(set_to_none=False)", "{n} = {o}.step(lambda: {a}.sum())", "{o}.add_param_group({{'params': [{b}], 'lr': 0.3}})",
    "{h} = torch.optim.lr_scheduler.StepLR({o}, 2, gamma=0.5)", "{h} = torch.optim.lr_scheduler.ExponentialLR({o}, 0.9)", "{h} = torch.optim.lr_scheduler.CosineAnnealingLR({o}, 3)",
    "{h} = torch.optim.lr_scheduler.LambdaLR({o}, lambda k: 1 / (k + 1))", "{h} = torch.optim.lr_scheduler.MultiStepLR({o}, [1, 3])", "{h} = torch.optim.lr_scheduler.LinearLR({o}, total_iters=3)",
    "{h} = torch.optim.lr_scheduler.OneCycleLR({o}, 1.0, total_steps=4)", "{h} = torch.optim.lr_scheduler.ReduceLROnPlateau({o}, patience=0)", "{h} = torch.optim.lr_scheduler.CyclicLR({o}, 0.1, 1.0, step_size_up=2)",
    "{h} = torch.optim.lr_scheduler.SequentialLR({o}, [torch.optim.lr_scheduler.ConstantLR({o}), torch.optim.lr_scheduler.PolynomialLR({o})], [2])",
    "{h} = torch.optim.lr_scheduler.ChainedScheduler([torch.optim.lr_scheduler.StepLR({o}, 1), torch.optim.lr_scheduler.ExponentialLR({o}, 0.5)])",
    "{h} = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts({o}, 2)", "{h} = torch.optim.lr_scheduler.MultiplicativeLR({o}, lambda k: 0.5)",
    "{o}.step({a}.detach().sum().item())", "log({o}.get_last_lr())", "log([g['lr'] for g in {o}.param_groups])", "{o}.param_groups[0]['lr'] = 0.25", "log({o}.last_epoch)",
    "log(len({o}.state_dict()['state']), {o}.state_dict()['param_groups'])", "{o}.load_state_dict({o}.state_dict())", "{h} = copy.deepcopy({o})", "log(sorted({o}.state_dict()))",
    "{h} = {o}.register_step_post_hook(lambda *a: log('stepped'))", "torch.nn.utils.clip_grad_norm_([{a}, {b}], 1.0)",
    *["{a}.grad = torch.ones_like({a})"] * 2, *["({a} * {a}).sum().backward()"] * 3,
]  # fmt: skip

KINDS = [
    *[VIEWS] * 5, *[VALUES] * 6, *[WRITES] * 6, *[STATES] * 3, *[BACKWARD] * 4, *[HOOKS] * 3, *[FUNCTIONS] * 2, SEVERAL_VIEWS, SEVERAL_VALUES,
]  # fmt: skip


# What the statements of a program are of: those above, or also many of one of the others.
MIXTURES = [
    KINDS,
    [*KINDS, *[NUMPY] * 12],
    [*KINDS, *[EMPTY] * 12],
    [*KINDS, *[SCHEDULES] * 40],
    [*KINDS, *[NUMPY, EMPTY, SCHEDULES] * 8],
]


def program(choose: Callable[[list], Any], longest: int = 14, kinds: list[list[str]] = KINDS) -> list[str]:
    """Statements over the variables v0, v1, ... (and handles of hooks h0, h1, ...); each new result gets the next name."""
    count, handles = choose([1, 2, 2, 3]), 0
    statements = []
    for i in range(count):
        leaf = choose(choose([LEAVES, LEAVES, OTHER_LEAVES]))
        statements.append(f"v{i} = {leaf.format(flag=choose(['True', 'True', 'False']))}")
    for _ in range(choose(list(range(3, longest + 1)))):
        kind = choose(kinds)
        text = choose(kind)
        if kind is VIEWS or kind is VALUES:
            text = "{n} = " + text
        recent = [f"v{i}" for i in range(max(0, count - 5), count)]
        a, b, c = (choose(recent) for _ in range(3))
        other = f"h{choose(list(range(handles)))}" if handles else "h0"
        new = {"n": f"v{count}", "m": f"v{count + 1}", "k": f"v{count + 2}", "h": f"h{handles}"}
        count += sum(["{" + name + "}" in text for name in "nmk"])
        handles += "{h}" in text
        statements.append(choose(MODES) + text.format(a=a, b=b, c=c, o=other, **new))
    return statements


# What can be seen --------------------------------------------------------------------------------------------------------------


def graph(node: Any) -> list[Any]:
    """The nodes behind a grad_fn and how they are connected, numbered as they are met."""
    numbers: dict[Any, int] = {}
    found: list[Any] = []

    def visit(node: Any) -> int | None:
        if node is None:
            return None
        if node not in numbers:
            numbers[node] = len(numbers)
            place = len(found)
            found.append(None)
            found[place] = (node.name(), [(visit(f), i) for f, i in node.next_functions])
        return numbers[node]

    visit(node)
    return found


def worded(text: str) -> str:
    """A message without what the libraries cannot share: names of modules, addresses, the place in PyTorch's sources."""
    text = text.partition(" (Triggered")[0].partition("\nException raised from")[0]
    # Which PyTorch reads anywhere for a 0-d result.
    text = re.sub("dimension 0 with size [0-9]+$", "dimension 0", text)
    text = re.sub("<function .*? at", "<function at", text)
    text = re.sub(r",\s+device='cuda:\d'", "", text)
    return re.sub("0x[0-9a-f]+", "", text).replace("torch.", "jgrad.")


def state(names: dict[str, Any], library: Any, whole_graphs: bool) -> dict[str, Any]:
    """All that can be seen of all variables, apart from the values themselves."""
    storages: dict[Any, str] = {}
    shown: dict[str, Any] = {}
    # (What PyTorch makes of inference tensors outside inference mode has been written to more often.)
    counting = not inferring(names, library)
    for name, t in names.items():
        if not isinstance(t, library.Tensor):
            shown[name] = worded(repr(t))
            continue
        place = t.untyped_storage().data_ptr() if t.numel() else name
        base = next((n for n, other in names.items() if other is t._base), t._base is not None)
        seen = {
            # A stride that is never taken says nothing, and NumPy keeps no geometry of empty arrays.
            "stride": [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1 and t.numel()],
            "offset": t.storage_offset() if t.numel() else 0, "shape": tuple(t.shape), "dtype": worded(str(t.dtype)),
            "memory of": storages.setdefault(place, name), "version": t._version if counting else None,
            "requires_grad": t.requires_grad, "retains_grad": t.retains_grad, "base": base if counting else None, "output_nr": t.output_nr,
            "is_inference": t.is_inference(), "type": type(t).__name__,
        }  # fmt: skip
        try:
            seen["graph"] = graph(t.grad_fn) if whole_graphs else t.grad_fn and t.grad_fn.name()
            seen["is_leaf"] = t.is_leaf
        except RuntimeError as error:  # a view that is no longer what its graph says
            seen["graph"] = worded(str(error))
        grad = grad_of(t)
        # Strides and versions of gradients tell how they were computed, which is each library's own affair.
        seen["grad"] = (
            None if grad is None else (tuple(grad.shape), grad.requires_grad, worded(str(grad.dtype)))
        )
        shown[name] = seen
    return shown


def inferring(names: dict[str, Any], library: Any) -> bool:
    return any([isinstance(t, library.Tensor) and t.is_inference() for t in names.values()])


def numbers(names: dict[str, Any], library: Any) -> list[np.ndarray]:
    """The values of all variables and of their gradients."""
    tensors = [t for t in names.values() if isinstance(t, library.Tensor)]
    gradients = [g for t in tensors if (g := grad_of(t)) is not None]
    return [t.detach().clone().numpy(force=True) for t in tensors + gradients]


def grad_of(t: Any) -> Any:
    """The gradient, unless asking for it warns or fails."""
    try:
        return t.grad if t.is_leaf or t.retains_grad else None
    except RuntimeError:
        return None


def described(value: Any, library: Any, arrays: list[np.ndarray]) -> Any:
    """What a hook saw: text, while the numbers go into `arrays`."""
    if isinstance(value, library.Tensor):
        arrays.append(value.detach().clone().numpy(force=True))
        return tuple(value.shape), worded(str(value.dtype)), value.requires_grad
    if isinstance(value, (tuple, list)):
        return [described(v, library, arrays) for v in value]
    if isinstance(value, float):
        arrays.append(np.array(value))
        return "number"
    return value.name() if hasattr(value, "name") else worded(repr(value))


class Run:
    """One library in the middle of a program, with its tensors on a device (None: wherever it makes them by itself)."""

    preludes: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, library: Any, device: str | None = None) -> None:
        self.module, self.device = library, device
        self.names: dict[str, Any] = {}
        self.log: list[Any] = []
        self.arrays: list[np.ndarray] = []
        if library.__name__ not in self.preludes:
            scope = self.preludes[library.__name__] = {"torch": library}
            exec(PRELUDE, scope)
        self.prelude = self.preludes[library.__name__]
        self.prelude["log"] = lambda *values: self.log.append(described(values, library, self.arrays))
        library.manual_seed(0)

    def step(self, statement: str) -> list[str]:
        """Execute one statement; its error and its warnings."""
        scope = {**self.prelude, **self.names}
        self.log.clear()
        self.arrays.clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")
            shown = []
            try:
                with self.module.device(self.device) if self.device else contextlib.nullcontext():
                    exec(statement, scope)
            except Exception as error:
                shown.append(worded(f"{type(error).__name__}: {error}"))
        self.names = {k: v for k, v in scope.items() if re.fullmatch(r"[vh]\d+", k)}
        texts = [worded(str(w.message)) for w in caught]
        # Backward passes use index_reduce too; of `tensor * array` PyTorch makes a warning of NumPy's for its developers.
        return shown + [
            text for text in texts if not re.search("index_reduce\\(\\) is in beta|__array_wrap__ must", text)
        ]

    def variables(self) -> dict[str, Any]:
        return {k: v for k, v in self.names.items() if k[0] == "v" and isinstance(v, self.module.Tensor)}


def agree(seen: list[str], expected: list[str]) -> bool:
    """Whether errors and warnings are the same. A view that is no longer valid may be refused for something else that is wrong, and of
    two arguments that don't fit either may come first."""
    if list(dict.fromkeys(seen)) == list(dict.fromkeys(expected)):
        return True
    if not (seen and expected and "Error: " in seen[0] and "Error: " in expected[0]):
        return False
    invalid = "is a view and its base" in expected[0] or expected[0].startswith(INVALID_VIEW)
    return invalid or all([ARGUMENT.search(text[0]) for text in (seen, expected)])


# Complaints about an argument. Of dtypes, shapes and memory that don't fit, libraries may find either first.
ARGUMENT = re.compile(
    "some elements of the input tensor and the written-to|more than one element of the written-to|must be a matrix|not implemented for|"
    "tensors used as indices must be|The size of tensor|doesn't match the broadcast|Index tensor must have|Dimension out of range|"
    "Inference tensors cannot be saved|must have the same dtype|expected to have the same dtype|same number of elements|"
    "with a bool tensor is not supported|a leaf Variable that requires grad is being used|setStorage: sizes|Bad in-place call|cdist only supports|X1 and X2 must have|fill_ only supports|too many indices|"
    "inputs can be Tensors|element 0 of tensors does not require grad|is not supported for complex|Dimension specified as 0|Number of indices|"
    "received an invalid combination|shapes cannot be multiplied|expanded size|expected scalar type|ZeroDivisionError|is being modified inplace|index_copy_\\(\\):|"
    "source tensor shape|must have the same scalar type|doesn't broadcast|shape mismatch|can't be cast|cannot resize"
)


def beyond(statement: str, seen: list[str], expected: list[str]) -> bool:
    """Whether the program enters where both go different ways: PyTorch writes to an inference tensor before it refuses to, and asks too
    much of a leaf under no_grad. Where both refuse alike what writes nothing, they are where they were."""
    inference = "Inplace update to inference" in str(expected)
    if seen == expected and not inference and not MAY_HAVE_WRITTEN.search(statement):
        return False
    return any([text in said for text in ODD for said in expected + seen])


# In place, into what is given, in part (an index of several elements), or into other memory.
MAY_HAVE_WRITTEN = re.compile(
    r"[a-z]_\(|_\.apply|out=|\[(?:np|v\d|torch).* = |backward|\.data = |resize|\bset_\("
)


ODD = (
    "An output with one or more elements was resized",  # the storage may have to grow
    "_will_engine_execute_node",  # whose answer depends on how the pass was begun
    "Inplace update to inference tensor",
    "'NoneType' object has no attribute 'next_functions'",
    "Expected dtype int32/int64 for index",  # of an index whose .data was assigned
    "storage that is not resizable",  # since it was shown to NumPy
    "is out of bounds for dimension",  # PyTorch may have written in part
    "out of bounds for storage",  # there may be more memory than elements
    "Inference tensors cannot be saved",  # what is saved is compared elsewhere
    "INTERNAL ASSERT",
    "MKL FFT error",  # of an empty tensor
    "ZeroTensors are immutable",  # PyTorch's own gradient of sgn(), which it then adds to
)


INVALID_VIEW = (
    "RuntimeError: A view was created in no_grad mode and its base",
    "RuntimeError: A view was created in inference mode and its base",
    "RuntimeError: Output 0 of",
)


def overlapping(statement: str, names: dict[str, Any]) -> bool:
    """Whether a write reads from other elements of the memory it writes to: PyTorch gives no order for that."""
    found = re.search(r"(v\d+)(?:\.data|\.detach\(\))?(?:\[.*\] = |\.\w+_\(| .= )", statement)
    if (
        found
        and isinstance(target := names.get(found[1]), torch.Tensor)
        and repeats(target, "index" in statement or "[" in statement)
    ):
        return True
    if "apply" in statement and any([repeats(t) for t in names.values() if isinstance(t, torch.Tensor)]):
        return True
    found = re.search(r"(v\d+)(\.t\(\))?(?:\[.*\] = |\.\w+_\(| .= )(.*)", statement)
    if found is None or not isinstance(target := names.get(found[1]), torch.Tensor):
        return False
    # (of a view that can't be used any more there is no other view)
    target = target.detach().t() if found[2] and target.ndim <= 2 else target
    for source in [names.get(name) for name in re.findall(r"v\d+", found[3])]:
        shared = isinstance(source, torch.Tensor) and memory(source) == memory(target)
        if shared and (geometry(source) != geometry(target) or "addmm_" in statement):
            return True
    return False


def memory(t: Any) -> int:
    return t.untyped_storage().data_ptr()


def geometry(t: Any) -> tuple:
    return t.shape, t.stride(), t.data_ptr()


def repeats(t: Any, indexed: bool = False) -> bool:
    """Whether elements of a tensor overlap in memory, as the windows of unfold() do (those of expand() are refused, but by index)."""
    strides = t.stride()
    places = {sum(i * s for i, s in zip(index, strides, strict=True)) for index in np.ndindex(*t.shape)}
    return len(places) < t.numel() and (0 not in strides or indexed)


def half_way(names: dict[str, Any]) -> bool:
    """Whether the program came to tensors that PyTorch itself is of two minds about: inference tensors or integers that require grad."""
    tensors = [t for t in names.values() if isinstance(t, torch.Tensor) and t.requires_grad]
    return any([t.is_inference() or not (t.is_floating_point() or t.is_complex()) for t in tensors])


def reshapes_a_leaf(statement: str, names: dict[str, Any]) -> bool:
    """Whether a leaf gets another shape under no_grad: the graph that it is in already is for the old one, of which jgrad knows nothing."""
    found = re.search(r"(v\d+)\.(?:(?:t|squeeze|unsqueeze|transpose|as_strided)_\(|data = )", statement)
    target = names.get(found[1]) if found else None
    try:
        return isinstance(target, torch.Tensor) and target.requires_grad and target.is_leaf
    except RuntimeError:  # a view that is no longer valid
        return False


class Different(AssertionError):
    """The statement after which the libraries differ, and in what."""

    def __init__(self, number: int, statements: list[str], what: str) -> None:
        self.number = number
        super().__init__("\n" + "\n".join([*statements[:number], statements[number] + "   # <--", what]))


def shows_all(said: list[str]) -> bool:
    """Whether whatever was written by a statement that is refused shows in the values, and not only in how large the memory is."""
    return not any(["resized" in text or "storage" in text for text in said])


def show_the_same(ours: Run, theirs: Run, whole_graphs: bool) -> bool:
    """Whether both libraries are where they were, as far as one can see."""
    a, b = ours.variables(), theirs.variables()
    if state(a, jgrad, whole_graphs) != state(b, torch, whole_graphs):
        return False
    pairs = zip(numbers(a, jgrad), numbers(b, torch), strict=True)
    return all([x.shape == y.shape and np.allclose(x, y, rtol=1e-5, equal_nan=True) for x, y in pairs])


def compare(statements: list[str], every: bool, device: str | None = None) -> bool:
    """Run a program on both sides, ours on a device; look after every statement or only at the end (looking makes grad_fns of views
    anew). A statement whose result PyTorch leaves open is left out. Returns whether the program was run to its end: it stops where both may
    have gone different ways, or where PyTorch contradicts itself."""
    ours, theirs = Run(jgrad, device), Run(torch)
    tolerance = 1e-9
    whole_graphs = True
    statements = [*statements, "pass"]  # after which both are looked at, however the last statement ended
    for number, statement in enumerate(statements):
        if overlapping(statement, theirs.names) or reshapes_a_leaf(statement, theirs.names):
            continue
        odd = re.search(r"\.data = |\.set_\(|pickle|resize|copy\.|create_graph", statement)
        if odd and ("inference_mode()" in statement or inferring(theirs.names, torch)):
            continue  # PyTorch makes a tensor of it that is an inference tensor in part
        expected, seen = theirs.step(statement), ours.step(statement)
        if half_way(theirs.names):
            return False
        if beyond(statement, seen, expected) and not (
            seen == expected and shows_all(expected) and show_the_same(ours, theirs, whole_graphs)
        ):
            return False
        # What a derivative is computed by when it is recorded itself is each library's own affair.
        whole_graphs = whole_graphs and "create_graph" not in statement
        if not agree(seen, expected):
            raise Different(number, statements, f"jgrad: {seen}\ntorch: {expected}")
        if any(["Error: " in text for text in expected]):
            continue  # how far it came is each library's own affair
        if ours.log != theirs.log:
            raise Different(number, statements, f"jgrad logs: {ours.log}\ntorch logs: {theirs.log}")
        logged = list(zip(ours.arrays, theirs.arrays, strict=True))
        if every or number + 1 == len(statements):
            a, b = (
                state(ours.variables(), jgrad, whole_graphs),
                state(theirs.variables(), torch, whole_graphs),
            )
            odd = {
                (name, key): (a[name][key], b[name][key])
                for name in b
                if isinstance(b[name], dict) and isinstance(a[name], dict)
                for key in b[name]
                if a[name].get(key) != b[name][key]
            }
            if a != b:
                raise Different(number, statements, f"(jgrad, torch): {odd or (a, b)}")
            logged += zip(numbers(ours.variables(), jgrad), numbers(theirs.variables(), torch), strict=True)
        if any([y.dtype == np.float32 for _, y in logged]):
            tolerance = 1e-5
        for x, y in logged:
            if y.dtype.kind == "c" and not np.isfinite(y).all():
                continue  # which parts of a complex number become nan differs from library to library
            if not np.allclose(x, y, rtol=tolerance, atol=tolerance / 10, equal_nan=True):
                raise Different(number, statements, f"jgrad: {x}\ntorch: {y}")
    for name in theirs.variables():
        a, b = (worded(repr(run.names[name])) for run in (ours, theirs))
        if not (same_text(a, b) or "complex" in a):  # the last digits decide on the form of complex numbers
            raise Different(len(statements) - 1, statements, f"jgrad: {a}\ntorch: {b}")
    return True


NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]\d+)?")


def same_text(a: str, b: str) -> bool:
    """Whether two texts are the same but for the last printed digit of their numbers."""
    a, b = (re.sub(r"[-+](0\.0*(?!\d))|\s", r"\1", text) for text in (a, b))
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=True)
    return all([x == y or abs(float(x) - float(y)) <= 2e-4 * max(1, abs(float(y))) for x, y in pairs])


@contextlib.contextmanager
def always_warning() -> Iterator[None]:
    """Warnings that come once per process come every time."""
    before = [(library, library.is_warn_always_enabled()) for library in (torch, jgrad)]
    for library, _ in before:
        library.set_warn_always(True)
    yield
    for library, always in before:
        library.set_warn_always(always)


# Many of them ------------------------------------------------------------------------------------------------------------------


def difference(statements: list[str], every: bool) -> Different | None:
    try:
        compare(statements, every)
    except Different as found:
        return found
    return None


def shortest(statements: list[str], every: bool, found: Different) -> tuple[list[str], Different]:
    """The program without the statements that its difference does not need."""
    statements = statements[: found.number + 1]
    i = len(statements) - 2
    while i >= 0:
        shorter = statements[:i] + statements[i + 1 :]
        still = difference(shorter, every)
        if still is not None and "NameError" not in str(still):
            statements, found = shorter[: still.number + 1], still
            i = min(i, len(statements) - 1)
        i -= 1
    return statements, found


def forget_inferred() -> None:
    """Withdraw the request for the general path that leaves of the last program hold. It must not be open when a test sets `fast.ENABLED`."""
    grad_mode.leaves_inferred.clear()
    grad_mode.ask_for_general_path()


def run_many(seed: int, count: int) -> tuple[int, int]:
    """Run `count` programs from `seed` on, alternately looked at after every statement, at the end, and without fast paths. Prints the ways in
    which they differ. Returns how many differ, and how many were not run to their end."""
    seen: set[str] = set()
    different = stopped = 0
    with always_warning():
        for number in range(seed, seed + count):
            choose = random.Random(number).choice
            statements = program(choose, kinds=choose(MIXTURES))
            forget_inferred()
            fast.ENABLED, every = number % 3 != 2, number % 3 != 1
            print(number, file=sys.stderr, end="\r")
            try:
                stopped += not compare(statements, every)
                continue
            except Different as error:
                found = error
            different += 1
            _, found = shortest(statements, every, found)
            kind = re.sub(r"\bv?\d+\b", "", str(found).partition("# <--")[2])[:120]
            if kind not in seen:
                seen.add(kind)
                print(f"===== {number}{found}\n", flush=True)
    print(
        f"{count} programs, {different} of them differ, in {len(seen)} ways; {stopped} were not run to their end"
    )
    return different, stopped


def main(seed: int, count: int) -> int:
    """How many of `count` programs from `seed` on differ."""
    return run_many(seed, count)[0]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])) > 0)
