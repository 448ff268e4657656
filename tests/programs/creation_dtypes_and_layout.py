# %% Printing of rows, views, leaves, results and other dtypes
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
show(x, x[0], x.t(), x.requires_grad_(), (x * 2), (x * 2).sum(), x > 1, x.long(), x.double())


# %% Printing of scalars, empty tensors, small, large and special numbers
show(
    torch.tensor(1),
    torch.tensor(1.0),
    torch.tensor([]),
    torch.tensor([1e-8, 1.0]),
    torch.tensor([1000000.0, 1.5]),
    torch.zeros(0, 3),
    torch.tensor([True]),
    torch.ones(2, dtype=torch.float16),
    torch.tensor([1.5, float("nan"), float("inf")]),
)


# %% Printing of long tensors is cut
x = torch.arange(2000.0)
show(x, torch.ones(1001), torch.zeros(100, 100))


# %% tensor() of a string
torch.tensor("a")


# %% tensor() of rows of different lengths
torch.tensor([[1, 2], [3]])


# %% tensor() of a number followed by a row
torch.tensor([1, [2]])


# %% tensor() of a row followed by a number
torch.tensor([[1], 2])


# %% tensor(None)
torch.tensor(None)


# %% tensor() of a dict
torch.tensor({})


# %% tensor() of an integer that is too large
torch.tensor(2**63)


# %% tensor() of a number that its dtype does not hold
torch.tensor([300], dtype=torch.uint8)


# %% tensor() of numbers, arrays, ranges and nested sequences
show(
    torch.tensor([-1], dtype=torch.uint8),
    torch.tensor([1.7], dtype=torch.int32),
    torch.tensor([1, 2.0]),
    torch.tensor([True, 1]),
    torch.tensor([1, 2j]),
    torch.tensor(np.ones(2)),
    torch.tensor(np.float32(2)),
    torch.tensor([np.float64(2)]),
    torch.tensor([torch.tensor(1.0), 2]),
    torch.tensor(range(3)),
    torch.tensor([[], []]).shape,
    torch.tensor(((1, 2), (3, 4))),
)


# %% tensor() of a complex number as float32
torch.tensor(1j, dtype=torch.float32)


# %% tensor() with a number as dtype
torch.tensor([1], dtype=3)


# %% to() of an unknown place
torch.tensor([1.0]).to("foo")


# %% zeros of a string
torch.zeros("a")


# %% zeros of a number and a string
torch.zeros(2, "a")


# %% zeros of a list with a string
torch.zeros([2, "a"])


# %% zeros of a float
torch.zeros(2.5)


# %% zeros of a negative size
torch.zeros(-1)


# %% full without a value
torch.full((2,))


# %% full of a single size
torch.full(2, 1)


# %% arange of a string
torch.arange("a")


# %% arange whose step has the wrong sign
torch.arange(5, 0)


# %% arange whose step is zero
torch.arange(1, 5, 0)


# %% zeros of integers that require grad
torch.zeros(2, requires_grad=True, dtype=torch.int64)


# %% zeros with an unknown keyword
torch.zeros(2, foo=1)


# %% zeros_like of a list
torch.zeros_like([1])


# %% from_numpy of a list
torch.from_numpy([1])


# %% from_numpy of strings
torch.from_numpy(np.array(["a"]))


# %% from_numpy of an array with negative strides
torch.from_numpy(np.ones(3)[::-1])


# %% as_tensor, full, arange, and strides of what is made like another
show(
    torch.as_tensor(np.arange(3)),
    torch.full((), 3.0).shape,
    torch.full([2], True),
    torch.arange(3.0),
    torch.arange(1, 2, 0.3),
    torch.zeros(2, 3).t().clone().stride(),
    torch.ones_like(torch.zeros(2, 3).t()).stride(),
    torch.zeros(2, 3).t().contiguous().stride(),
    torch.zeros(2, 3).t().double().stride(),
    (torch.zeros(2, 3).t() + 1).stride(),
    torch.zeros(2, 3).t().exp().stride(),
    torch.ones(3).expand(2, 3).clone().stride(),
    torch.ones(3, 1).expand(3, 2).clone().stride(),
)


# %% Strides of results of a permuted tensor
x = torch.zeros(2, 3, 4).permute(2, 0, 1)
show(
    (x + 1).stride(),
    (x + torch.ones(4, 2, 3)).stride(),
    x.exp().stride(),
    x.sum(0).stride(),
    x.clone().stride(),
    x.detach().stride(),
    torch.zeros_like(x).stride(),
    (x * x).stride(),
    (x > 0).stride(),
    x.double().stride(),
    x.to(torch.int64).stride(),
    x.mean(1, keepdim=True).stride(),
    torch.where(x > 0, x, x).stride(),
)


# %% Strides of products, joins and selections of a transposed tensor
a = torch.ones(2, 3).t()
show(
    (a @ torch.ones(2, 2)).stride(),
    torch.cat([a, a]).stride(),
    torch.cat([a, a], 1).stride(),
    torch.stack([a, a]).stride(),
    a[[0, 1]].stride(),
    a[a > 0].stride(),
    a.gather(0, torch.zeros(3, 2, dtype=torch.int64)).stride(),
    a.index_select(0, torch.tensor([0])).stride(),
)


# %% True division of integers in place
a = torch.tensor([1, 2, 3])
a /= 2


# %% A float added to integers in place
a = torch.tensor([1, 2, 3])
a += 1.5


# %% Augmented assignments of integers
a = torch.tensor([1, 2, 3])
a *= 2
a -= 1
a //= 2
a **= 2
show(a, a._version)


# %% Minus of booleans
a = torch.tensor([True, False])
-a


# %% Subtraction of booleans
a = torch.tensor([True, False])
a - a


# %% Logic and sums of booleans
a = torch.tensor([True, False])
show(~a, a & True, a | a, a ^ a, a + a, a * 2, a.sum())


# %% Integers floor-divided by zero
torch.tensor([1, 2]) // 0


# %% Integers modulo zero
torch.tensor([1, 2]) % 0


# %% Division, floor division and remainder with signs and zeros
show(
    torch.tensor([1.0, 2.0]) // 0,
    torch.tensor([1, 2]) / 0,
    torch.tensor([5, -5]) % 3,
    torch.tensor([5.0, -5.0]) % -3,
    torch.tensor([5, -5]) // 3,
    torch.tensor([-7.5]) // 2,
)


# %% Integers to a negative power
torch.tensor([1, 2]) ** -1


# %% Powers of tensors and numbers
show(
    torch.tensor([1, 2]) ** 2,
    torch.tensor([1.0, 2.0]) ** -1,
    torch.tensor([4.0]) ** 0.5,
    2 ** torch.tensor([1, 2]),
    2.0 ** torch.tensor([1, 2]),
    torch.tensor([2]) ** torch.tensor([3.0]),
    torch.pow(2, torch.tensor([1.0, 2.0])),
    torch.tensor(2) ** 2,
)


# %% Promotion of dtypes
show(
    torch.tensor([1, 2], dtype=torch.int32) + torch.tensor(1),
    torch.tensor([1, 2], dtype=torch.int32) + torch.tensor(1.0),
    torch.tensor([1.0], dtype=torch.float16) + torch.tensor(1.0, dtype=torch.float64),
    torch.tensor([1.0]) + torch.tensor([1.0], dtype=torch.float64),
    torch.tensor([1], dtype=torch.uint8) + torch.tensor([1], dtype=torch.int8),
    torch.tensor([1], dtype=torch.uint8) + 300,
    torch.tensor([1], dtype=torch.int8) * 200,
    torch.tensor(True) + True,
    torch.tensor([1.0]) * 1j,
)


# %% Comparisons
show(
    torch.tensor([1.0, 2.0]) == torch.tensor([1.0, 3.0]),
    torch.tensor([1]) < 2.5,
    torch.tensor([1]) != None,
    torch.tensor(1) == 1,
    torch.equal(torch.ones(2), torch.ones(2)),
    torch.allclose(torch.ones(2), torch.ones(2) + 1e-9),
)


# %% Conversions to dtypes and devices, and which of them copy
x = torch.ones(2, requires_grad=True)
y = x.to(torch.float64)
show(
    y,
    y.dtype,
    x.to(torch.float32) is x,
    x.float() is x,
    x.to("cpu") is x,
    x.type(torch.float64),
    x.type(),
    x.int(),
    x.to(torch.float32, copy=True),
)
y.sum().backward()
show(x.grad)


# %% detach shares memory and is a leaf
x = torch.ones(2, requires_grad=True)
d = x.detach()
show(d._base, d.is_leaf, d.requires_grad, d.data_ptr() == x.data_ptr())
d.requires_grad_()
show(d.requires_grad, x.requires_grad)


# %% detach_ of a view
x = torch.ones(2, requires_grad=True)
y = x * 2
v = y[0:1]
v.detach_()


# %% A view of a view has the same base and version
x = torch.ones(3)
y = x.view(3)
z = y.view(1, 3)
show(z._base is x, y._is_view(), x._is_view(), z._version)
x.add_(1)
show(z._version, z)


# %% Two views of one result written in turn
x = torch.zeros(2, 3, requires_grad=True)
y = x + 0
z = y.view(-1)
z[0] = 1
w = y.t()
w.mul_(2)
show(z.grad_fn.name(), w.grad_fn.name(), y.grad_fn.name(), y._version)
y.sum().backward()
show(x.grad)


# %% Two overlapping views, one multiplied by the other
x = torch.ones(3, requires_grad=True)
y = x.clone()
a = y[:2]
b = y[1:]
a.mul_(b)
show(y, a, b)
y.sum().backward()
show(x.grad)


# %% A view taken before its base is written to
x = torch.ones(3, requires_grad=True)
y = x.clone()
z = y.view(3)
y *= 2
show(z.grad_fn.name(), z)
(z * 3).sum().backward()
show(x.grad)


# %% A view taken before its base is detached in place
x = torch.ones(3, requires_grad=True)
y = x.clone()
z = y[0]
y.detach_()
show(z.requires_grad)


# %% A view of a plain tensor that requires grad and is written to
x = torch.ones(3)
v = x[:2]
v.requires_grad_()
show(v.requires_grad, x.requires_grad, v.is_leaf)
v.add_(1)


# %% A plain base that requires grad after a view was taken
x = torch.ones(3)
v = x[:2]
x.requires_grad_()
show(v.requires_grad, v.is_leaf)
v.mul_(2)


# %% A leaf is kept alive by its graph
x = torch.ones(2, requires_grad=True)
y = x.exp()
del x
y.sum().backward()
show(y.grad_fn.next_functions[0][0].variable.grad)


# %% The AccumulateGrad of a leaf is one object
x = torch.ones(2, requires_grad=True)
y = x * 2
n = y.grad_fn
show(
    n.next_functions[0][0] is n.next_functions[0][0],
    n.next_functions[0][0].variable is x,
    n.metadata,
    n.requires_grad if hasattr(n, "requires_grad") else "",
)


# %% retain_grad of a result does not reach its leaf
x = torch.ones(2, requires_grad=True)
a = x * 2
a.retain_grad()
b = a * 3
b.sum().backward()
show(a.grad, a.retains_grad, x.retains_grad)


# %% retain_grad before a write in place
x = torch.ones(2, requires_grad=True)
a = x * 1
a.retain_grad()
a.mul_(3)
(a * 2).sum().backward()
show(a.grad, x.grad)


# %% retain_grad of what does not require grad
x = torch.ones(2)
x.retain_grad()


# %% Data written between two backward passes
x = torch.ones(2, requires_grad=True)
y = x * x
y.sum().backward(retain_graph=True)
x.data.mul_(2)
y.sum().backward()
show(x.grad)


# %% backward(gradient=)
x = torch.ones(2, requires_grad=True)
y = (x * x).sum()
y.backward(gradient=torch.tensor(3.0))
show(x.grad)
(x * x).backward(gradient=torch.tensor([1.0, 0.1]))
show(x.grad)


# %% grad() with grad_outputs of another shape
x = torch.ones(2, requires_grad=True)
torch.autograd.grad((x * x).sum(), x, grad_outputs=torch.tensor([1.0, 2.0]))


# %% grad() with grad_outputs, and with several outputs
x = torch.ones(2, requires_grad=True)
show(
    torch.autograd.grad(x * x, x, grad_outputs=torch.ones(2)),
    torch.autograd.grad([x.sum(), (x * x).sum()], [x]),
)


# %% grad() without inputs
torch.autograd.grad(torch.ones(2, requires_grad=True).sum(), [])


# %% backward() with an empty list of inputs
x = torch.ones(2, requires_grad=True)
x.sum().backward(inputs=[])


# %% backward(inputs=) of a tensor that is not a leaf
x = torch.ones(2, requires_grad=True)
y = x * 2
z = (y * y).sum()
z.backward(inputs=[y])
show(y.grad, x.grad)


# %% grad() of a result and a leaf at once
x = torch.ones(2, requires_grad=True)
y = x * 2
z = (y * y).sum()
show(torch.autograd.grad(z, [y, x]))


# %% zeros into out=, with requires_grad
x = torch.empty(3)
show(torch.zeros(3, out=x, requires_grad=True) is x, x.requires_grad, x.is_leaf)
with torch.no_grad():
    torch.ones(3, out=x)
show(x)


# %% Factories into out=, with requires_grad
show(
    [
        f(3, out=torch.empty(0), requires_grad=True).requires_grad
        for f in (torch.arange, torch.rand, torch.randn, torch.eye, torch.randperm)
    ]
)


# %% Integers as out= of zeros that require grad
torch.zeros(3, out=torch.tensor([1]), requires_grad=True)


# %% empty_strided with too few strides
torch.empty_strided((2, 3), (1,))


# %% eye of a negative size
torch.eye(3, -1)


# %% Tensors in lists
# Tensors in lists: the first of a depth stands for a number, later ones for rows.
ones = torch.ones
for data in (
    [ones(2), ones(2)],
    [ones(1), ones(1)],
    [ones(1, 1), 2.0],
    [[ones(2)]],
    [ones(()), ones(())],
    [ones(0)],
    (ones(2),),
    [ones(2), [1.0, 2.0]],
    [[1.0, 2.0], ones(2)],
    [ones(2), 1.0],
    [[ones(1), 3], [4, ones(1, dtype=torch.int64)]],
    [ones((), requires_grad=True), ones(())],
    [torch.tensor(True), torch.tensor(2)],
    [1.0, ones(1)],
    [1.0, ones(2)],
):
    show(result_or_error(lambda: torch.tensor(data)))


# %% The same in each run
torch.use_deterministic_algorithms(True)
try:
    show(torch.get_deterministic_debug_mode(), torch.are_deterministic_algorithms_enabled())
    for dtype in (torch.float32, torch.float16, torch.int32, torch.uint8, torch.int64, torch.bool):
        show(torch.empty(2, dtype=dtype), torch.empty_like(torch.ones(2), dtype=dtype))
    show(
        torch.ones(1).new_empty(2),
        torch.empty_strided((2,), (2,)),
        torch.empty_permuted((2, 1), (1, 0)),
        torch.ones(1).resize_(3),
    )
    x = torch.ones(4)
    attempt(lambda: x.put_(torch.tensor([0, 1]), torch.ones(2)))
    show(x.put_(torch.tensor([0, 0]), torch.ones(2), True))
    for d in (1, 2, 3):
        where = torch.zeros((1, 1) + (1,) * d, dtype=torch.long)
        attempt(lambda: getattr(torch.nn.functional, f"max_unpool{d}d")(where.float(), where, 2))
    torch.set_deterministic_debug_mode("warn")
    show(
        torch.get_deterministic_debug_mode(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        x.put_(torch.tensor([0]), torch.ones(1)),
    )
    torch.utils.deterministic.fill_uninitialized_memory = False
    show(torch.empty(2).shape)
    torch.utils.deterministic.fill_uninitialized_memory = True
    for mode in (0, 3, "default", "other", 2.0):
        attempt(lambda: show(torch.set_deterministic_debug_mode(mode), torch.get_deterministic_debug_mode()))
finally:
    torch.use_deterministic_algorithms(False)
attempt(lambda: torch.use_deterministic_algorithms(1))
attempt(lambda: torch.use_deterministic_algorithms(True, warn_only=1))
for precision in ("high", "highest", "other", 1):
    attempt(lambda: show(torch.set_float32_matmul_precision(precision), torch.get_float32_matmul_precision()))
for threads in (0, -1, 1.5, "a"):
    attempt(lambda: torch.set_num_threads(threads))


# %% Memory that is filled where results must be the same
torch.use_deterministic_algorithms(True)
show(torch.empty(2, 2, out=torch.zeros(1)), torch.empty(1, out=torch.zeros(1)))
show(torch.empty(2, 2, out=torch.zeros(1))._version, torch.empty(1, out=torch.zeros(1))._version)
for t in (torch.ones(2), torch.ones(2).long(), torch.ones(2).bool(), torch.ones(4).short()[:1]):
    show(t.resize_(5))
torch.use_deterministic_algorithms(False)

# %% Spacings of gradient, and dimensions of a number
x = torch.tensor([[1.0, 2, 4], [3, 5, 9]])
for spacing in ((torch.ones(2),), [1.0], [1.0, 2.0], [1.0, 2.0, 3.0], torch.tensor(2.0), 2.0):
    attempt(lambda: torch.gradient(x, spacing=spacing))
    attempt(lambda: torch.gradient(x, spacing=spacing, dim=0))
for name in ("cummax", "cummin", "cumsum", "logcumsumexp"):
    attempt(lambda: getattr(torch, name)(torch.tensor(1.0), 100))


# %% Narrow floats go to the meta device as all dtypes do
for name in ("bfloat16", "float8_e5m2", "float16", "float32", "int8", "complex64"):
    dtype = getattr(torch, name)
    x = torch.ones(2, 3).to(dtype)
    for call in (
        lambda: x.to("meta"),
        lambda: x[:, 1:].to("meta"),
        lambda: x.t().to("meta", torch.float32),
        lambda: torch.ones(2, 3).to("meta", dtype),
        lambda: x.to("meta").to(torch.float32),
        lambda: x.to("meta").clone(),
        lambda: torch.cat([x.to("meta")] * 2),
    ):
        attempt(lambda: (lambda r: (r.device, r.dtype, r.shape, r.stride()))(call()))
show({p.device.type for p in torch.nn.Linear(2, 2).bfloat16().to("meta").parameters()})
