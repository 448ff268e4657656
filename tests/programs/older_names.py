# %% Mixed precision under its older names
import warnings

with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    x, w = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
    with torch.cuda.amp.autocast():
        show((x @ w).dtype)
    with torch.cpu.amp.autocast():
        show((x @ w).dtype)
    with torch.cpu.amp.autocast(enabled=False):
        show((x @ w).dtype)
    for scaler in (
        torch.cuda.amp.GradScaler(),
        torch.cpu.amp.GradScaler(init_scale=4.0),
        torch.GradScaler("cpu", init_scale=2.0),
    ):
        show(scaler.is_enabled(), scaler.scale(torch.tensor(3.0)))

    class Double(torch.autograd.Function):
        @staticmethod
        @torch.cuda.amp.custom_fwd
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @torch.cuda.amp.custom_bwd
        def backward(ctx, grad):
            return grad * 2

    Double.apply(w).sum().backward()
    show(w.grad)
show([(type(s.message).__name__, str(s.message)) for s in seen])

# %% The CPU under the names of CUDA
show(
    torch.cpu.is_available(), torch.cpu.is_initialized(), torch.cpu.device_count(), torch.cpu.current_device()
)
torch.cpu.synchronize()
torch.cpu.set_device("cpu")
stream, first = torch.cpu.Stream(), torch.cpu.current_stream()
with torch.cpu.stream(stream):
    show(torch.cpu.current_stream() is stream)
with torch.cpu.stream(None):
    show(torch.cpu.current_stream() is first)
show(torch.cpu.current_stream() is first, torch.cpu.Event().query(), torch.version.cuda, torch.version.debug)

# %% Initial values and clipping under their older names
import warnings

with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    for name in (
        "uniform",
        "normal",
        "constant",
        "eye",
        "dirac",
        "xavier_uniform",
        "kaiming_normal",
        "orthogonal",
        "sparse",
    ):
        torch.manual_seed(0)
        t = torch.empty((3, 3, 3) if name == "dirac" else (3, 3))
        more = {"constant": (2.0,), "sparse": (0.5,)}.get(name, ())
        show(name, getattr(torch.nn.init, name)(t, *more) is t, t)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    w.sum().backward()
    show(torch.nn.utils.clip_grad_norm([w], 1.0), w.grad)
    show(
        torch.nn.utils.clip_grad.clip_grad_norm_([w], 0.5),
        torch.nn.utils.convert_parameters.parameters_to_vector([w]),
    )
show([(type(s.message).__name__, str(s.message)) for s in seen])

# %% Batch normalization of several processes in one
torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Sequential(torch.nn.BatchNorm1d(4, affine=False))
)
model[2][0].eval()
same = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)
show(same is model, same)
show(
    [type(m).__name__ for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)],
    model[2][0].training,
)
x = torch.randn(5, 3)
model(x).pow(2).sum().backward()
show(model[1].weight.grad, model[1].running_mean, model[1].num_batches_tracked, model[2][0].running_mean)
alone = torch.nn.SyncBatchNorm.convert_sync_batchnorm(torch.nn.BatchNorm2d(2, momentum=None))
show(alone(torch.arange(16.0).view(2, 2, 2, 2)), alone.running_var, alone.process_group)
attempt(lambda: torch.nn.SyncBatchNorm(2)(torch.ones(2)))
attempt(lambda: torch.nn.SyncBatchNorm(2)(torch.ones(2, 0)))

# %% Helpers of layers
from collections import OrderedDict

u = torch.nn.modules.utils
show(u._single(1), u._pair(3), u._pair([1, 2]), u._triple(2), u._quadruple((1, 2)), u._pair.__name__)
state = torch.nn.DataParallel(torch.nn.Linear(1, 1)).state_dict()
u.consume_prefix_in_state_dict_if_present(state, "module.")
show(list(state), dict(state._metadata))

# %% A softmax of frequent and rare classes
torch.manual_seed(0)
softmax = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 6, 9], div_value=2.0, head_bias=True)
show(softmax, [tuple(p.shape) for p in softmax.parameters()], softmax.cutoffs, softmax.head_size)
x, target = torch.randn(7, 8, requires_grad=True), torch.tensor([0, 11, 4, 8, 2, 7, 5])
result = softmax(x, target)
show(result.output, result.loss, type(result).__name__, result._fields)
result.loss.backward()
show(x.grad, softmax.tail[1][0].weight.grad)
show(softmax.log_prob(x).exp().sum(1), softmax.log_prob(x), softmax.predict(x), softmax.predict(x[:1]))
show(softmax(x[0], target[0]), softmax(x, torch.zeros(7, dtype=torch.long)).loss)
attempt(lambda: softmax(x, target[:3]))
attempt(lambda: softmax(x, torch.full((7,), 12)))
attempt(lambda: softmax(x[None], target))
attempt(lambda: softmax(x, target[0]))
attempt(lambda: softmax(x, target[None]))
for cutoffs in ([], [3, 2], [0, 2], [12], [3, 3], [1.5]):
    attempt(lambda: torch.nn.AdaptiveLogSoftmaxWithLoss(4, 12, cutoffs))
softmax.reset_parameters()
show(softmax.head.weight)

# %% A linear map and its cross entropy in one
torch.manual_seed(0)
loss = torch.nn.LinearCrossEntropyLoss(
    4, 3, out_features=(2,), bias=True, label_smoothing=0.1, weight=torch.tensor([1.0, 2.0, 0.5])
)
x = torch.randn(5, 4, requires_grad=True)
loss(x, torch.randint(3, (5, 2))).backward()
show(loss, x.grad, loss.linear.weight.grad, list(loss.state_dict()))
show(torch.nn.LinearCrossEntropyLoss(4, 3, reduction="none")(x, torch.tensor([0, 1, 2, 0, -100])))
attempt(lambda: torch.nn.LinearCrossEntropyLoss(4, 3, weight=torch.ones(2)))
attempt(lambda: torch.nn.LinearCrossEntropyLoss(4, 3, label_smoothing=2.0))
logs = torch.randn(2, 3, 2, 2).log_softmax(1)
show(torch.nn.NLLLoss2d()(logs, torch.zeros(2, 2, 2, dtype=torch.long)))

# %% Attention with a width of keys that does not fit
attention = torch.nn.MultiheadAttention(4, 2, kdim=3, vdim=2)
attempt(lambda: attention(torch.ones(2, 4), torch.ones(2, 4), torch.ones(2, 2)))
attempt(lambda: attention(torch.ones(2, 4), torch.ones(2, 3), torch.ones(2, 3)))
attempt(lambda: attention(torch.ones(2, 4), torch.ones(3, 3), torch.ones(2, 2)))

# %% Copies and states of schedules
import copy
import warnings

optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    other = copy.deepcopy(schedule)
    other.step()
    other.step()
    show(
        other.optimizer.param_groups[0]["lr"],
        optimizer.param_groups[0]["lr"],
        [str(s.message).partition("https")[0] for s in seen],
    )
S = torch.optim.lr_scheduler
optimizer.step()
for made in (
    schedule,
    S.LambdaLR(optimizer, lambda e: 0.9**e),
    S.OneCycleLR(optimizer, 0.1, 9),
    S.ReduceLROnPlateau(optimizer),
):
    show(
        made.state_dict() if not isinstance(made, S.ReduceLROnPlateau) else list(made.state_dict()),
        type(made).__name__,
    )
show(
    [
        getattr(S, n).__module__.partition(".")[2]
        for n in ("StepLR", "OneCycleLR", "CyclicLR", "SequentialLR", "ChainedScheduler", "LRScheduler")
    ]
)
layer = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Linear(1, 1))
attempt(
    lambda: torch.func.functional_call(
        layer, {"b": torch.ones(1), "a": torch.ones(1)}, (torch.ones(1),), strict=True
    )
)


# %% The types of tensors: on which device, and no base classes
show(torch.Storage is torch.FloatStorage)
names = ["FloatTensor", "HalfTensor", "BFloat16Tensor", "DoubleTensor"]
names += ["LongTensor", "IntTensor", "ShortTensor", "CharTensor", "ByteTensor", "BoolTensor"]
for name in names:
    here, there = getattr(torch, name), getattr(torch.cuda, name)
    show(here, there, there.__module__.partition(".")[2], there.dtype, here.is_cuda, there.is_cuda)
    for device in ("cpu", "meta"):
        x = torch.ones(2, dtype=here.dtype, device=device)
        show([isinstance(x, kind) for kind in (here, there, (here, there))])
    for call in (
        lambda: there(2),
        lambda: there([1.0]),
        lambda: type("Mine", (here,), {}),
        lambda: type("Mine", (there,), {}),
        lambda: torch.set_default_tensor_type(there),
        lambda: torch.set_default_tensor_type(f"torch.cuda.{name}"),
    ):
        attempt(call)
attempt(lambda: torch.set_default_tensor_type("torch.cuda.NoTensor"))
show(torch.get_default_dtype())


# %% Storages without memory
typed, untyped = torch.storage.TypedStorage, torch.UntypedStorage
show(typed is torch.TypedStorage, torch.storage.UntypedStorage is untyped)
for make in (
    lambda: untyped(3, device="meta"),
    lambda: torch.empty(3, device="meta").untyped_storage(),
    lambda: typed(3, dtype=torch.float32, device="meta"),
    lambda: torch.empty(3, device="meta").storage(),
    lambda: untyped(0, device="meta"),
):
    s = make()
    show(s, len(s), s.nbytes(), s.device, s.data_ptr())
    for call in (
        lambda: s[0],
        lambda: s[-1],
        lambda: s[100],
        lambda: s[:1],
        lambda: s.tolist(),
        lambda: list(s),
        lambda: s.clone(),
        lambda: s.cpu(),
        lambda: s.copy_(make()),
    ):
        attempt(call)
