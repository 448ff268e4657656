# %% In-place methods called with too many, too few or the wrong arguments
def refused(call):
    try:
        eval(call, {"x": torch.ones(3), "i": torch.tensor([0, 1, 2]), "o": Other()})
        show(call)
    except TypeError as error:
        show(call, error)


class Other:
    pass


calls = (
    "",
    "1, 2",
    "1, 2, 3",
    "1, 2, 3, 4",
    "'a'",
    "None",
    "x, 'a'",
    "x, x, x, x",
    "x, x, 's'",
    "0, i, 'a'",
    "0, [0, 1], x",
    "foo=1",
    "x, foo=1",
    "x, out=x",
    "[1, 2]",
    "o",
    "x, alpha='a'",
    "x, other=1",
    "other='a'",
    "()",
    "1, generator=3",
)
for name in (
    "add_",
    "sub_",
    "mul_",
    "multiply_",
    "zero_",
    "abs_",
    "absolute_",
    "detach_",
    "requires_grad_",
    "copy_",
    "fill_",
    "bitwise_and_",
    "bitwise_left_shift_",
    "clamp_",
    "clip_",
    "addcmul_",
    "addmm_",
    "bernoulli_",
    "scatter_",
    "scatter_add_",
    "index_add_",
    "index_put_",
    "put_",
    "transpose_",
    "round_",
    "renorm_",
    "resize_as_",
    "map_",
    "fill_diagonal_",
    "greater_",
    "arctan2_",
    "fix_",
    "masked_fill_",
    "pow_",
    "normal_",
    "lerp_",
):
    for call in calls:
        refused(f"x.{name}({call})")


# %% Sizes that are no integers
# Sizes that are no integers: PyTorch looks at the first one when it chooses a signature, at the others when it unpacks them.
def refused(call):
    try:
        show(
            call,
            eval(
                call,
                {"torch": torch, "x": torch.arange(6.0), "m": torch.ones(2, 3), "o": torch.ones(1, 1, 3)},
            ).tolist(),
        )
    except TypeError as error:
        show(call, error)


for call in (
    "x.reshape(2, 3.0)",
    "x.reshape(2.0, 3)",
    "x.reshape((2.0, 3))",
    "x.reshape()",
    "torch.reshape(x, (2, 3.))",
    "torch.reshape(x, 2, 3)",
    "x.view(2, 'a')",
    "x.view((2, 3.0))",
    "x.view(6, True)",
    "torch.zeros(2, 'a')",
    "torch.zeros((2., 3))",
    "torch.zeros(2.0)",
    "torch.randn(3, 2.5)",
    "torch.full((3.,), 1)",
    "m.sum((0, 'a'))",
    "m.mean((0, 1.))",
    "m.permute(0, 1.5)",
    "m.permute((1, 0.))",
    "m.permute('a')",
    "m.permute()",
    "m.flip(0, 1.)",
    "m.flip(0.)",
    "m.expand(2, 3.)",
    "m.repeat(2, 2.)",
    "m.tile(2, 2.)",
    "m.roll((1, 2.), (0, 1))",
    "m.unflatten(0, (1, 2.))",
    "m.as_strided((2, 2.), (1, 1))",
    "m.resize_(2, 3.)",
    "m.resize_('a')",
    "torch.rot90(m, 1, [0, 1.])",
    "torch.nn.functional.pad(m, (1, 1.))",
    "o.squeeze(0, 1)",
    "o.squeeze(0, 1.0)",
    "o.squeeze((0, 1))",
    "torch.squeeze(o, 0, 1)",
    "m.count_nonzero(0, 1)",
    "m.sum(0, dim=1)",
    "torch.flip(m, 0)",
):
    refused(call)


# %% Errors name an operation as it was called
# Another name of an operation is the name in its errors; numbers in the place of tensors.
def refused(call):
    try:
        show(call, eval(call, {"torch": torch, "x": torch.ones(3), "b": torch.tensor([1, 2])}))
    except TypeError as error:
        show(call, error)


for call in (
    "torch.absolute(1)",
    "torch.special.expit(1)",
    "torch.special.psi(1)",
    "torch.concat(1)",
    "torch.concatenate(torch.ones(2))",
    "torch.row_stack(1)",
    "torch.clip(x, 1, 2, 3)",
    "torch.clip(x, 'a')",
    "torch.arctan2(x, 1)",
    "torch.greater(x, 'a')",
    "torch.fix(1)",
    "torch.negative(1)",
    "x.greater('a')",
    "x.arctan(1)",
    "x.fix(foo=1)",
    "torch.bitwise_and(1, b)",
    "torch.bitwise_and(b, 1)",
    "b.bitwise_or('a')",
    "b.bitwise_or()",
    "torch.add(1, 2)",
    "torch.add(x, x, x)",
    "torch.add(x, x, x, x, x)",
    "torch.add(1)",
    "torch.gather(x, index=b)",
    "torch.cumsum(x, 0, 0)",
    "torch.round(x, decimals='a')",
    "x.copy_(src=x)",
    "x.clone().copy_(other=x)",
    "x.sum(axis=0, foo=1)",
):
    refused(call)
for x in (torch.ones(2), torch.ones(2, dtype=torch.float64)):
    for name in ("bitwise_not_", "bitwise_and_", "bitwise_xor_", "bitwise_left_shift_"):
        try:
            getattr(x, name)(*([] if "not" in name else [1]))
        except NotImplementedError as error:
            show(error)


# %% Hooks that return something else than gradients
import collections
import numpy as np


class Mine:
    pass


def tried(register, returned):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    register(y, lambda *_: returned)
    try:
        y.sum().backward()
        show(x.grad)
    except (TypeError, RuntimeError) as error:
        show(type(error).__name__, str(error))


for returned in (
    np.ones(3),
    np.float32(1),
    1.0,
    "s",
    [torch.ones(3)],
    Mine(),
    Mine,
    collections.OrderedDict(),
    (1.0,),
    (np.ones(3),),
    (torch.ones(4),),
):
    tried(lambda y, hook: y.register_hook(hook), returned)
    tried(lambda y, hook: y.grad_fn.register_hook(hook), returned)
    tried(lambda y, hook: y.grad_fn.register_prehook(hook), returned)


# %% Hooks of a module: a tuple, as long as what they were given
x = torch.ones(2, 3, requires_grad=True)
for returned in (
    torch.ones(7),
    torch.ones(1, 2, 3),
    torch.ones(1, 9),
    (torch.ones(7),),
    (torch.ones(2, 3),),
    [torch.ones(2, 3)],
    (1.0,),
    1.0,
    (),
):
    for name in ("register_full_backward_hook", "register_full_backward_pre_hook"):
        layer = torch.nn.Linear(3, 3)
        getattr(layer, name)(lambda *_: returned)
        try:
            x.grad = None
            layer(x).sum().backward()
            show(x.grad.shape)
        except (TypeError, RuntimeError) as error:
            show(type(error).__name__, str(error))


# %% Names of results
try:
    torch.ones(2, 2).max(0).value
except AttributeError as error:
    show(error)


# %% Which of several errors comes first
C, B = torch.tensor([1j, 2]), torch.tensor([True, False])
x = torch.ones(2)
attempt_each(
    lambda: torch.histc(B),
    lambda: torch.histc(B, min=0, max=3),
    lambda: torch.histc(C),
    lambda: torch.histc(C, min=0, max=3),
    lambda: torch.histc(C, bins=0),
    lambda: torch.histogram(C, bins=3),
    lambda: torch.aminmax(C[0], dim=0),
    lambda: torch.aminmax(C, dim=0),
    lambda: torch.clamp(x, C, C),
    lambda: torch.clamp(x, C),
    lambda: torch.clamp(x, max=C),
    lambda: torch.clamp(C, x),
    lambda: x.clone().clamp_(C, C),
    lambda: x.clone().clamp_(max=C),
    lambda: x[:1].clone().ldexp_(B),
    lambda: B.clone().cumsum_(0, dtype=torch.float32),
    lambda: B.clone().cumprod_(0),
    lambda: torch.mode(C.requires_grad_()[0], 0),
    lambda: torch.stft(torch.ones(10).bool(), 4, return_complex=True),
    lambda: x.masked_scatter_(torch.ones(2, 2), x),
    lambda: x.masked_scatter_(torch.ones(2, 2).bool(), x),
)
grid = torch.zeros(1, 2, 2, 2)
for dtype in (torch.int64, torch.bool, torch.complex64, torch.float16, torch.float64):
    attempt(lambda: torch.nn.functional.grid_sample(torch.ones(1, 1, 2, 2).to(dtype), grid))


# %% Python functions on elements: other shapes and dtypes
plus = lambda *values: sum(values)
for x in (torch.zeros(2, 3), torch.zeros(3), torch.zeros(3, dtype=torch.float64)):
    for other in (
        torch.ones(3),
        torch.ones(2, 1),
        torch.ones(2),
        torch.ones(2, 3),
        torch.ones(()),
        torch.ones(3).int(),
    ):
        attempt(lambda: x.clone().map_(other, plus))
        attempt(lambda: x.clone().map2_(other, torch.ones(()), plus))
        attempt(lambda: x.clone().map2_(torch.ones(()), other, plus))


# %% Memory formats of sparse tensors
s = torch.eye(3).to_sparse()
for format in (torch.preserve_format, torch.contiguous_format, torch.channels_last, torch.channels_last_3d):
    for call in (torch.empty_like, torch.zeros_like, torch.ones_like, torch.rand_like):
        attempt(lambda: call(s, memory_format=format))
    attempt(lambda: s.clone(memory_format=format))
show(torch.zeros_like(s).layout, torch.empty_like(s).shape)


# %% Writes to expanded tensors by masks and indices
mask, at = torch.tensor([True, False, True]), torch.tensor([0])
for write in (
    lambda x: x.masked_fill_(mask, 2.0),
    lambda x: x.masked_fill_(mask, torch.tensor(2.0)),
    lambda x: x.index_fill_(0, at, 2.0),
    lambda x: x.index_put_((at,), torch.tensor(2.0)),
    lambda x: x.__setitem__(mask, 2.0),
    lambda x: x.__setitem__(mask, torch.tensor(2.0)),
    lambda x: x.index_add_(0, at, torch.ones(1)),
):
    for _ in range(2):
        attempt(lambda: write(torch.ones(1).expand(3)))
