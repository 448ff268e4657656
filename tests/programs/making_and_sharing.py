# %% The constructor Tensor
attempt(lambda: torch.Tensor(2, 3).shape)
attempt(lambda: torch.Tensor([1, 2]))
attempt(lambda: torch.Tensor())
attempt(lambda: torch.Tensor(3).shape)
attempt(lambda: torch.Tensor(torch.ones(2)))
attempt(lambda: torch.Tensor(2.5))
attempt(lambda: torch.Tensor(np.ones(2)))
attempt(lambda: torch.Tensor(torch.ones(2, dtype=torch.int64)))


# %% The constructors of dtypes
attempt(lambda: torch.FloatTensor([1, 2]))
attempt(lambda: torch.LongTensor([1, 2]))
attempt(lambda: torch.ByteTensor([1, 2]))
attempt(lambda: torch.LongTensor(2, 3).shape)
attempt(lambda: torch.LongTensor([1.5]))
attempt(lambda: torch.FloatTensor)
attempt(lambda: isinstance(torch.ones(2), torch.FloatTensor))
attempt(lambda: isinstance(torch.ones(2), torch.LongTensor))
attempt(lambda: torch.FloatTensor.dtype)
attempt(lambda: torch.FloatTensor(np.ones(2)))
attempt(lambda: torch.BoolTensor([True, False]))
attempt(lambda: torch.HalfTensor([1]))


# %% Tensor of sizes, of a tuple and of a bool
attempt(lambda: torch.Tensor(size=(2,)).shape)
attempt(lambda: torch.Tensor(torch.Size([2, 3])).shape)
attempt(lambda: torch.Tensor((2, 3)))
attempt(lambda: torch.Tensor(True))


# %% type() with classes and with their names
attempt(lambda: torch.tensor([1, 2]).type(torch.FloatTensor))
attempt(lambda: torch.ones(2).type("torch.LongTensor"))


# %% Variable
attempt(lambda: torch.autograd.Variable(torch.ones(2), requires_grad=True))
attempt(lambda: torch.autograd.Variable(torch.ones(2)))
attempt(lambda: isinstance(torch.ones(2), torch.autograd.Variable))


# %% logspace, range and linspace
attempt(lambda: torch.logspace(0, 2, 3))
attempt(lambda: torch.logspace(0, 2, 3, base=2))
attempt(lambda: torch.logspace(-10, 10, 5))
attempt(lambda: torch.logspace(0, 4, 5, dtype=torch.int64))
attempt(lambda: torch.logspace(0, 1, -1))
attempt(lambda: torch.range(0, 3))
attempt(lambda: torch.range(1, 2, 0.5))


# %% empty_permuted, frombuffer and other sources
attempt(lambda: torch.empty_permuted((2, 3, 4), (1, 0, 2)).stride())
attempt(lambda: torch.frombuffer(bytearray(b"abcdefgh"), dtype=torch.int32))
attempt(lambda: torch.frombuffer(bytearray(b"abcdefgh"), dtype=torch.uint8, count=3, offset=2))
attempt(lambda: torch.frombuffer(bytearray(b"abc"), dtype=torch.int32))
attempt(lambda: torch.frombuffer(b"abcd", dtype=torch.int32))


# %% result_type
attempt(lambda: torch.result_type(torch.ones(2, dtype=torch.int32), 1.5))
attempt(lambda: torch.result_type(1, 1.5))
attempt(lambda: torch.result_type(torch.tensor(1), torch.ones(2)))


# %% finfo and iinfo
attempt(lambda: torch.finfo(torch.float32))
attempt(lambda: torch.finfo())
attempt(lambda: torch.iinfo(torch.int8))
attempt(lambda: torch.finfo(torch.int8))
attempt(lambda: torch.iinfo(torch.float32))
attempt(
    lambda: (
        torch.finfo(torch.float16).eps,
        torch.finfo(torch.float64).tiny,
        torch.finfo(torch.float32).smallest_normal,
        torch.finfo(torch.float32).resolution,
        torch.finfo(torch.float32).dtype,
        torch.finfo(torch.complex64).max,
    )
)
attempt(lambda: torch.iinfo(torch.uint8).max)


# %% The constants
attempt(lambda: (torch.pi, torch.e, torch.inf, torch.nan, torch.newaxis))


# %% Predicates: is_complex, is_floating_point, is_nonzero, is_same_size
attempt(lambda: torch.is_complex(torch.ones(2)))
attempt(lambda: torch.is_floating_point(torch.ones(2)))
attempt(lambda: torch.is_nonzero(torch.ones(1)))
attempt(lambda: torch.is_nonzero(torch.ones(2)))
attempt(lambda: torch.is_nonzero(torch.ones(0)))
attempt(lambda: torch.is_same_size(torch.ones(2), torch.ones(2)))
attempt(lambda: torch.is_signed(torch.ones(2)))
attempt(lambda: torch.numel(torch.ones(2, 3)))
attempt(lambda: torch.is_inference(torch.ones(2)))
attempt(lambda: torch.get_device(torch.ones(2)))
attempt(lambda: torch.ones(2).get_device())
attempt(lambda: torch.set_default_device("cpu"))
attempt(lambda: torch.set_default_device(None))  # else every later program runs under a mode of PyTorch's
with torch.device("cpu") as place, torch.device("cpu"):
    show(place, torch.ones(2).device, torch.get_default_device())
attempt(lambda: torch.set_default_tensor_type(torch.DoubleTensor))
attempt(lambda: torch.ones(2))
attempt(lambda: torch.set_default_tensor_type("torch.FloatTensor"))
attempt(lambda: torch.set_default_tensor_type(torch.LongTensor))
attempt(lambda: torch.set_default_tensor_type("x"))


# %% Typed and untyped storages
import warnings

warnings.filterwarnings("ignore", "TypedStorage")  # comes once per process


x = torch.arange(6.0).view(2, 3)
attempt(lambda: x.storage())
attempt(lambda: len(x.storage()))
attempt(lambda: x.storage()[2])
attempt(lambda: x.storage().data_ptr() == x.data_ptr())
attempt(lambda: x.storage().tolist())
attempt(lambda: x.storage().dtype)
attempt(lambda: x.storage_type())
attempt(lambda: x.untyped_storage()[0])
attempt(lambda: x.untyped_storage().tolist()[:4])
attempt(lambda: x.storage().size())
attempt(lambda: x.storage().nbytes())
attempt(lambda: x.untyped_storage())


# %% dim_order, is_set_to and new
x = torch.arange(6.0).view(2, 3)
attempt(lambda: x.dim_order())
attempt(lambda: x.t().dim_order())
attempt(lambda: x.is_set_to(x))
attempt(lambda: x.is_set_to(x.view(2, 3)))
attempt(lambda: x.is_set_to(x[0]))
attempt(lambda: x.new([1, 2]))
attempt(lambda: x.new(2).shape)
attempt(lambda: x.new().shape)
attempt(lambda: x.new_empty_strided((2, 2), (1, 2)).stride())
attempt(lambda: x.pin_memory())
attempt(lambda: x.const_data_ptr() == x.data_ptr())
attempt(lambda: x.fill_diagonal_(9.0))
attempt(lambda: x.resolve_conj() is x)
attempt(lambda: x.is_conj())
attempt(lambda: x.is_neg())
attempt(lambda: x.names)


# %% ndimension, has_names and nelement
x = torch.arange(6.0).view(2, 3)
attempt(lambda: x.ndimension())
attempt(lambda: x.has_names())
attempt(lambda: x.nelement())


# %% apply_ and map_
x = torch.arange(6.0).view(2, 3)
attempt(lambda: x.apply_(lambda v: v + 1))
attempt(lambda: x.map_(x, lambda a, b: a * b))
attempt(lambda: x.t().apply_(lambda v: -v))
attempt(lambda: torch.ones(2, requires_grad=True).apply_(abs))


# %% DLPack
x = torch.arange(6.0).view(2, 3)
attempt(lambda: np.from_dlpack(x))
attempt(lambda: torch.from_dlpack(np.arange(3)))
attempt(lambda: torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x)).data_ptr() == x.data_ptr())
attempt(lambda: torch.ones(2, requires_grad=True).__dlpack__())
attempt(lambda: torch.from_dlpack(x).data_ptr() == x.data_ptr())


# %% asarray
x = torch.arange(6.0).view(2, 3)
attempt(lambda: torch.asarray(3.0))
attempt(lambda: torch.asarray(np.float32(2)))
attempt(lambda: torch.asarray([1, 2], dtype=torch.float32))
attempt(lambda: torch.asarray(bytearray(b"ab")))


# %% NumPy's functions on tensors
import warnings

warnings.simplefilter("ignore", DeprecationWarning)


x = torch.arange(6.0).view(2, 3)
attempt(lambda: np.asarray(x))
attempt(lambda: x.__array__().dtype)
attempt(lambda: np.sin(x))
attempt(lambda: np.add(x, 1))
attempt(lambda: np.ones(2) + torch.ones(2))
attempt(lambda: torch.ones(2) + np.ones(2))
attempt(lambda: np.float64(2) * torch.ones(2))
attempt(lambda: torch.ones(2) * np.float64(2))
attempt(lambda: x.to(torch.int8).numpy().dtype)
attempt(lambda: np.array([torch.tensor(1.0), torch.tensor(2.0)]))
attempt(lambda: torch.tensor(np.array(3)))
attempt(lambda: torch.tensor([np.float32(1), 2]))


# %% Default dtype and complex
x = torch.arange(6.0).view(2, 3)
attempt(lambda: torch.get_default_dtype())
attempt(lambda: torch.complex(torch.ones(2), torch.zeros(2, dtype=torch.float64)))


# %% layout and pin_memory
x = torch.arange(6.0).view(2, 3)
attempt(lambda: torch.tensor([1, 2], layout=torch.strided))
attempt(lambda: torch.ones(2, pin_memory=True))


# %% asarray shares memory with an array
array = np.arange(3)
a = torch.asarray(array)
attempt(lambda: a.data_ptr() == array.ctypes.data)
attempt(lambda: torch.asarray(a) is a)
attempt(lambda: torch.asarray(a, copy=True).data_ptr() == a.data_ptr())


# %% multinomial, and what it refuses
torch.manual_seed(0)


p = torch.tensor([0.1, 0.2, 0.7])
attempt(lambda: torch.multinomial(torch.ones(2, 2, 2), 1))
attempt(lambda: torch.multinomial(torch.ones(3, dtype=torch.int64), 1))
attempt(lambda: torch.multinomial(p, 0))
attempt(lambda: torch.multinomial(p, 4))
attempt(lambda: torch.multinomial(torch.tensor([1.0, -1]), 1))
attempt(lambda: torch.multinomial(torch.zeros(3), 1))
attempt(lambda: torch.multinomial(torch.zeros(3), 1, True))
attempt(lambda: torch.multinomial(torch.zeros(3), 2, True))
attempt(lambda: torch.multinomial(torch.tensor([float("nan")]), 1))
attempt(lambda: torch.multinomial(torch.empty(0), 1))
attempt(lambda: torch.multinomial(torch.empty(2, 0), 1))
attempt(lambda: torch.multinomial(torch.empty(0, 2), 1).shape)
attempt(lambda: torch.multinomial(torch.tensor(1.0), 1))


# %% poisson, binomial and what they refuse
attempt(lambda: torch.poisson(torch.tensor([-1.0])))
attempt(lambda: torch.poisson(torch.tensor([1])))
attempt(lambda: torch.binomial(torch.tensor([5.0]), torch.tensor([2.0])))
attempt(lambda: torch.binomial(torch.tensor([5]), torch.tensor([0.5])))
attempt(lambda: torch.binomial(torch.tensor([-5.0]), torch.tensor([0.5])))
attempt(lambda: torch.binomial(torch.tensor([5.0], dtype=torch.float64), torch.tensor([0.5])))


# %% Distributions in place, and what they refuse
torch.manual_seed(0)


attempt(lambda: torch.empty(3).geometric_(0))
attempt(lambda: torch.empty(3).geometric_(1.5))
attempt(lambda: torch.empty(3).cauchy_(0, -1))
attempt(lambda: torch.empty(3, dtype=torch.int64).cauchy_())
attempt(lambda: torch.empty(3).log_normal_(0, -1))
attempt(lambda: torch.empty(3, dtype=torch.int64).log_normal_())
attempt(lambda: torch.empty(3, dtype=torch.int64).geometric_(0.5))
attempt(lambda: torch.empty(3, dtype=torch.bool).geometric_(0.5))
attempt(lambda: torch.empty(3, dtype=torch.complex64).geometric_(0.5))


# %% pickle and copies: strides, sharing, leaves
import copy, pickle

x = torch.arange(6.0).view(2, 3).t()
y = pickle.loads(pickle.dumps(x))
show(y, y.stride(), y.is_leaf)
w = torch.ones(2, requires_grad=True)
show(pickle.loads(pickle.dumps(w)), pickle.loads(pickle.dumps(w * 2)))
a, b = copy.deepcopy((x, x[0]))
show(a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr())


# %% save and load
import io
from collections import OrderedDict

x = torch.arange(6.0).view(2, 3)
w = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)
f = io.BytesIO()
torch.save(OrderedDict(x=x, row=x[1], w=w, rest=[1, 2.5, None, True, "text", (torch.tensor(3), x.t())]), f)
f.seek(0)
found = torch.load(f)
show(type(found).__name__, found)
show(
    found["row"].untyped_storage().data_ptr() == found["x"].untyped_storage().data_ptr(),
    found["rest"][5][1].stride(),
)
show(found["w"].requires_grad, found["w"].is_leaf)


# %% Memory shared through DLPack
x = torch.arange(6.0)
y = np.from_dlpack(x)
y[0] = 9
show(x)
z = torch.from_dlpack(np.arange(3))
show(z, z.dtype)
back = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x))
back.add_(1)
show(x)


# %% fill_diagonal_
attempt(lambda: torch.zeros(5, 2).fill_diagonal_(1, wrap=True))
attempt(lambda: torch.zeros(2, 5).fill_diagonal_(1, True))
attempt(lambda: torch.zeros(2, 2, 2).fill_diagonal_(1))
attempt(lambda: torch.zeros(2, 3, 2).fill_diagonal_(1))
attempt(lambda: torch.zeros(2).fill_diagonal_(1))
x = torch.ones(5, 2, requires_grad=True)
y = x * 2
y.fill_diagonal_(7, True)
show(y.grad_fn.name())
y.sum().backward()
show(x.grad)


# %% In-place changes of shape
x = torch.ones(2, 3, requires_grad=True)
y = x * torch.arange(6.0).view(2, 3)
v = y.view(6)
y.t_()
show(y.grad_fn.name(), y.shape, y.stride(), y._version, v.grad_fn.name(), v._version)
y.unsqueeze_(0).squeeze_().transpose_(0, 1).swapaxes_(0, 1).swapdims_(0, 1)
show(y.grad_fn.name(), y.shape, y._version)
v.mul_(2)
show(y.grad_fn.name(), y)
y.sum().backward()
show(x.grad)


# %% unsqueeze_ of a row, and squeeze_
x = torch.ones(2, 3, requires_grad=True)
y = x * 2
v = y[0]
v.unsqueeze_(0)
show(v.grad_fn.name(), v._is_view(), v._base is y, v._version, y.grad_fn.name(), v.shape)
v.mul_(3)
show(v.grad_fn.name(), y.grad_fn.name())
y.sum().backward()
show(x.grad)
x.t_()


# %% as_strided_ of a result, and t_ of a chunk
x = torch.ones(2, 3, requires_grad=True)
y = x * 2
y.as_strided_((2,), (1,))
show(y.grad_fn.name(), y)
y.sum().backward()
show(x.grad)
c = (x * 2).chunk(2)
c[0].t_()


# %% resize_
x = torch.arange(6.0)
show(x.resize_(2, 2), x._version, x.untyped_storage().nbytes())
show(x.resize_(8)[:6], x.resize_as_(torch.ones(3)), x._version)
w = torch.arange(6.0)
v = w[:2]
show(v.resize_(4), w)
torch.ones(2, requires_grad=True).resize_(3)


# %% set_
x = torch.ones(3)
y = torch.zeros(2)
x.set_(y)
show(x, x._version, x.data_ptr() == y.data_ptr())
x.set_(y.untyped_storage(), 1, (1,), (1,))
show(x, x.storage_offset(), x.set_().shape)
w = torch.ones(2, requires_grad=True)
show((w * 2).set_(y).grad_fn.name())
torch.ones(2, dtype=torch.int64).set_(y)


# %% t_ of three dimensions
torch.ones(2, 3, 4).t_()


# %% Seeds of the rarer distributions
for seed in (0, 3):
    torch.manual_seed(seed)
    show(
        torch.empty(5).log_normal_(),
        torch.empty(2, 3, dtype=torch.float64).cauchy_(1, 2),
        torch.empty(6).geometric_(0.3),
    )
    show(torch.poisson(torch.tensor([[0.0, 1, 3], [9.9, 10, 200]])), torch.poisson(torch.full((40,), 37.5)))
    show(torch.binomial(torch.full((12,), 7.0), torch.linspace(0, 1, 12)))
    show(
        torch.binomial(
            torch.full((3, 30), 1000.0, dtype=torch.float64), torch.full((30,), 0.9, dtype=torch.float64)
        )
    )
    show(
        torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2),
        torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 20, True),
    )
    show(torch.multinomial(torch.rand(4, 5), 1), torch.multinomial(torch.rand(4, 5), 3), torch.rand(2))


# %% Ranges written to tensors of other shapes and dtypes
def into(make, *arguments):
    for out in (
        torch.zeros(2, 3).narrow(1, 1, 2),
        torch.zeros(3, 2).t()[1:],
        torch.zeros(1, 3),
        torch.zeros(0),
        torch.zeros(4, dtype=torch.float64),
        torch.zeros(4, dtype=torch.int64),
    ):
        make(*arguments, out=out)
        show(out, out.stride(), out._base)


for arguments in ((0, 3), (0.0, 3.0)):
    into(torch.range, *arguments)
into(torch.arange, 4)
into(torch.linspace, 0, 3, 4)
for value in (np.float64(0.5), np.bool_(True), 3, [1, 2]):
    for copy in (None, False, True):
        attempt(lambda: torch.asarray(value, copy=copy))
image = torch.ones(1, 2, 3, 4)
last = image.contiguous(memory_format=torch.channels_last)
for images in ((last, last), (last, image), (image, image)):
    for out in (torch.empty(0), torch.empty(2, 2), torch.empty(1, 4, 3, 4)):
        show(torch.cat(images, 1, out=out).stride())


# %% A storage given to tensor()
import warnings

warnings.simplefilter("ignore")  # typed storages are deprecated
a = torch.arange(6.0).reshape(2, 3)
typed, untyped = a.storage(), a.untyped_storage()
for storage in (typed, untyped):
    for dtype in (None, torch.float32, torch.int64, torch.int32):
        attempt(lambda: torch.tensor(storage, dtype=dtype))
shared = torch.tensor(untyped, dtype=torch.float32)
shared[0] = 7
show(a, shared.requires_grad, torch.tensor(typed, requires_grad=True))


# %% clone, deepcopy and pickle of leaves and of others
import copy, pickle

x = torch.ones(2, requires_grad=True)
x.grad = torch.full((2,), 5.0)
y = x * 2
for make in (
    lambda: copy.copy(x),
    lambda: copy.deepcopy(x),
    lambda: pickle.loads(pickle.dumps(x)),
    lambda: copy.deepcopy(y),
    lambda: copy.copy(y),
    lambda: pickle.loads(pickle.dumps(y)),
    lambda: copy.deepcopy(y.detach()),
    lambda: copy.deepcopy([x, x])[0],
    lambda: copy.deepcopy(torch.nn.Parameter(x.detach())),
):
    try:
        r = make()
        show(r, r.is_leaf, r.requires_grad, r.grad, r.data_ptr() == x.data_ptr(), r._version)
    except Exception as error:
        show(type(error).__name__, error)


# %% A part of nothing as out= takes the memory that begins at its place
x = torch.zeros(4)
torch.add(torch.ones(2), 1, out=x[2:2])
show(x)
y = torch.zeros(2, 2)
part, whole = y[:, 1][1:1], y.view(-1)
torch.add(torch.ones(3), 1, out=part)
show(part.storage_offset(), part, y, whole, y.untyped_storage().nbytes())
z = torch.zeros(3)
same = z[:2]
torch.arange(5.0, out=z)
show(z, same, z.untyped_storage().nbytes())
show(attempt(lambda: torch.add(torch.ones(3), 1, out=torch.from_numpy(np.zeros(2)))))
