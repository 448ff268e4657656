# %% TensorDataset and the bare classes
D = torch.utils.data
x = torch.arange(12.0).reshape(6, 2)
d = D.TensorDataset(x, torch.arange(6))
show(len(d), d[2], d[-1], d[1:3], d[[0, 5]], d[torch.tensor([1, 1])], d.tensors[0] is x, d[0][0]._base is x)


attempt(lambda: d[6])
attempt(lambda: D.TensorDataset(x, torch.arange(5)))
attempt(lambda: D.TensorDataset())
attempt(lambda: D.TensorDataset(x, torch.tensor(1.0)))
attempt(lambda: D.Dataset()[0])
attempt(lambda: len(D.Dataset()))
attempt(lambda: D.IterableDataset())
attempt(lambda: list(D.Sampler()))
attempt(lambda: len(D.Sampler()))
attempt(lambda: D.Sampler([1]))
show(D.Dataset[int], D.Sampler[int], D.DataLoader[int])


# %% StackDataset
D = torch.utils.data


s = D.StackDataset(D.TensorDataset(torch.arange(3)), "abc")
show(len(s), s[1], s.__getitems__([2, 0]), s.__getitems__([]), s.datasets)
s = D.StackDataset(a=[1, 2, 3], b=D.Subset("xyz", [2, 1, 0]))
show(len(s), s[-1], s.__getitems__([2, 0]), s.__getitems__([]), s.datasets["a"])


class Lazy(D.Dataset):
    def __len__(self):
        return 3

    def __getitems__(self, indices):
        return [7] * (len(indices) - 1)


attempt(lambda: D.StackDataset(Lazy(), "abc").__getitems__([0, 1]))
attempt(lambda: D.StackDataset(a=Lazy(), b="abc").__getitems__([0, 1]))
attempt(lambda: D.StackDataset("ab", a="bc"))
attempt(lambda: D.StackDataset("ab", "abc"))
attempt(lambda: D.StackDataset(a="ab", b="abc"))
attempt(lambda: D.StackDataset())
attempt(lambda: D.StackDataset(D.Dataset()))
show(list(D.DataLoader(D.StackDataset(a=[1, 2, 3], b="xyz"), batch_size=2)))


# %% ConcatDataset and ChainDataset
D = torch.utils.data


c = D.ConcatDataset(iter(["ab", [1, 2, 3], "z"]))
show(
    len(c),
    [c[i] for i in range(-6, 6)],
    c.cumulative_sizes,
    c.cummulative_sizes,
    D.ConcatDataset.cumsum(["ab", "c"]),
)
attempt(lambda: c[6])
attempt(lambda: c[-7])
attempt(lambda: D.ConcatDataset([]))


class It(D.IterableDataset):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))

    def __len__(self):
        return self.n


attempt(lambda: D.ConcatDataset([It(1)]))
both = It(2) + It(3)
show(
    type(both).__name__,
    list(both),
    len(both),
    isinstance(both, D.IterableDataset),
    list(D.DataLoader(both, batch_size=2)),
)
attempt(lambda: list(It(1) + "ab"))
attempt(lambda: len(It(1) + "ab"))
t = D.TensorDataset(torch.arange(2)) + D.TensorDataset(torch.arange(3))
show(type(t).__name__, len(t), t[3])
show(len(D.ChainDataset([])), list(D.ChainDataset([])))


# %% Subset
D = torch.utils.data


d = D.TensorDataset(torch.arange(10))
s = D.Subset(d, [9, 3, 5])
show(len(s), s[0], s[[0, 2]], s.__getitems__([1, 2]), s.indices, list(D.DataLoader(s, batch_size=2)))
attempt(lambda: s[3])


class Own(D.Subset):
    def __getitem__(self, i):
        return -1


attempt(lambda: Own(d, [1]))


class Both(Own):
    def __getitems__(self, indices):
        return [self[i] for i in indices]


show(list(D.DataLoader(Both(d, [1, 2]), batch_size=2)))
show(list(D.DataLoader(D.Subset(D.Subset(d, [4, 5, 6]), [2, 0]), batch_size=2)))


# %% random_split
D = torch.utils.data


def attempt(f):
    try:
        show([s.indices for s in f()])
    except Exception as e:
        show(type(e), e)


torch.manual_seed(3)
g = torch.Generator().manual_seed(42)
attempt(lambda: D.random_split(range(10), [3, 7], generator=g))
attempt(lambda: D.random_split(range(10), [3, 7]))
attempt(lambda: D.random_split(range(10), (0.5, 0.25, 0.25)))
attempt(lambda: D.random_split(range(30), [0.3, 0.3, 0.4], g))
attempt(lambda: D.random_split(range(11), [1 / 3] * 3, None))
attempt(lambda: D.random_split(range(2), [0.1, 0.1, 0.8]))
attempt(lambda: D.random_split(range(1), [1]))
attempt(lambda: D.random_split(range(3), [0, 3]))
attempt(lambda: D.random_split(range(3), [1, 1]))
attempt(lambda: D.random_split(range(3), [0.5, 0.4]))
attempt(lambda: D.random_split(range(3), [1.5, -0.5]))
attempt(lambda: D.random_split(range(3), [-0.5, 1.5]))
attempt(lambda: D.random_split(range(3), [4, -1]))
attempt(lambda: D.random_split(range(0), []))
attempt(lambda: D.random_split(range(3), []))
attempt(lambda: D.random_split(D.Dataset(), [1]))
a, b = D.random_split(D.TensorDataset(torch.arange(5)), [2, 3])
show(type(a).__name__, len(a), a.dataset is b.dataset, list(a), torch.rand(2))


# %% RandomSampler
D = torch.utils.data


torch.manual_seed(5)
r = D.RandomSampler(range(7))
show(list(r), list(r), len(r), r.num_samples, r.replacement)
show(
    list(D.RandomSampler(range(7), num_samples=3)),
    list(D.RandomSampler(range(7), num_samples=17)),
    torch.rand(1),
)
show(list(D.RandomSampler(range(7), True, 70)), torch.rand(1))
g = torch.Generator().manual_seed(8)
show(
    list(D.RandomSampler(range(7), generator=g)),
    list(D.RandomSampler(range(5), True, generator=g)),
    torch.rand(1, generator=g),
    torch.rand(1),
)
show(list(D.RandomSampler(range(4), num_samples=8, generator=g)), torch.rand(1, generator=g))
it = iter(D.RandomSampler(range(4), True, 40, generator=g))
next(it)
show(torch.rand(1, generator=g))
attempt(lambda: D.RandomSampler(range(0)))
attempt(lambda: D.RandomSampler(range(3), replacement=1))
attempt(lambda: D.RandomSampler(range(3), num_samples=0))
attempt(lambda: D.RandomSampler(range(3), num_samples=2.0))
attempt(lambda: D.RandomSampler(range(3), True, num_samples=True))
attempt(lambda: D.RandomSampler(iter([1])))
attempt(lambda: list(D.RandomSampler(range(0), num_samples=2)))
grown = [1]
r = D.RandomSampler(grown)
grown += [2, 3]
show(len(r), sorted(r))
show(list(D.SequentialSampler("abc")), len(D.SequentialSampler("abc")), torch.rand(1))


# %% Samplers of subsets and by weights
D = torch.utils.data


torch.manual_seed(6)
s = D.SubsetRandomSampler([3, 1, 4, 1, 5, 9])
show(list(s), list(s), len(s), torch.rand(1))
g = torch.Generator().manual_seed(8)
show(
    list(D.SubsetRandomSampler(torch.arange(3), generator=g)),
    list(D.SubsetRandomSampler([])),
    torch.rand(1, generator=g),
)
w = D.WeightedRandomSampler([0.1, 0.9, 0.4, 0.7, 3.0, 0.6], 5)
show(list(w), list(w), len(w), w.weights, torch.rand(1))
show(list(D.WeightedRandomSampler(torch.tensor([9, 4, 5, 2, 3]), 5, replacement=False)), torch.rand(1))
show(list(D.WeightedRandomSampler(np.array([0.9, 0.4, 0.05]), 3, False, g)), torch.rand(1, generator=g))
for f in (
    lambda: D.WeightedRandomSampler([1.0], 0),
    lambda: D.WeightedRandomSampler([1.0], True),
    lambda: D.WeightedRandomSampler([1.0], 2.0),
    lambda: D.WeightedRandomSampler([1.0], 1, replacement=1),
    lambda: D.WeightedRandomSampler([[1.0]], 1),
    lambda: D.WeightedRandomSampler(1.0, 1),
    lambda: list(D.WeightedRandomSampler([1.0], 2, False)),
    lambda: list(D.WeightedRandomSampler([-1.0, 2.0], 2)),
    lambda: list(D.WeightedRandomSampler([0.0], 2)),
):
    attempt(f)


# %% BatchSampler
D = torch.utils.data


for drop in (False, True):
    b = D.BatchSampler(D.SequentialSampler(range(10)), 3, drop)
    show(list(b), len(b))
    b = D.BatchSampler([5, 6, 7, 8], 2, drop)
    show(list(b), len(b))
    show(
        list(D.BatchSampler([], 2, drop)),
        len(D.BatchSampler([], 2, drop)),
        list(D.BatchSampler("ab", 5, drop)),
    )
    attempt(lambda: list(D.BatchSampler((i for i in range(5)), 2, drop)))
    attempt(lambda: len(D.BatchSampler((i for i in range(5)), 2, drop)))
for size, drop in ((0, False), (True, False), (2.0, False), ("2", False), (2, 1), (2, None), (-1, 1)):
    attempt(lambda: D.BatchSampler([1], size, drop))
torch.manual_seed(1)
b = D.BatchSampler(D.RandomSampler(range(5)), 2, False)
show(list(b), list(b), torch.rand(1))


# %% DistributedSampler
D = torch.utils.data


torch.manual_seed(1)
for n, replicas, shuffle, drop in (
    (10, 3, True, False),
    (10, 3, False, True),
    (2, 5, True, False),
    (2, 5, True, True),
    (9, 3, True, True),
    (0, 2, False, False),
    (7, 1, True, False),
):
    for rank in range(replicas):
        s = D.DistributedSampler(range(n), replicas, rank, shuffle, seed=3, drop_last=drop)
        show(list(s), len(s), s.total_size, s.num_samples)
        s.set_epoch(2)
        show(list(s), s.epoch)
attempt(lambda: D.DistributedSampler(range(3), 2, 2))
attempt(lambda: D.DistributedSampler(range(3), 2, -1))
attempt(lambda: D.DistributedSampler(range(3)))
attempt(lambda: D.DistributedSampler(range(3), 2))
attempt(lambda: D.DistributedSampler(range(3), rank=0))
attempt(lambda: D.DistributedSampler(D.Dataset(), 2, 0))
show(torch.rand(1))


# %% default_collate of everything it takes
from collections import namedtuple, OrderedDict, defaultdict, deque, UserDict, UserList
from types import MappingProxyType

D = torch.utils.data
Point = namedtuple("Point", "x y")


class Keyed(dict):
    pass


keyed = Keyed(a=1)
keyed.more = "kept"


class Sequenced(list):
    pass


class Fixed(tuple):
    pass


for batch in (
    [torch.ones(2), torch.zeros(2)],
    [torch.tensor(1), torch.tensor(2)],
    [torch.ones(2, requires_grad=True)] * 2,
    [torch.ones(2), torch.ones(2, dtype=torch.float64)],
    [np.ones(2), np.zeros(2)],
    [np.float32(1), np.float32(2)],
    [np.int8(1), np.int8(2)],
    [np.bool_(True), np.bool_(False)],
    [np.array(1), np.array(2)],
    [np.float64(1), np.float64(2)],
    [1, 2],
    [1.5, 2.5],
    [True, False],
    [1, 2.5],
    [1j, 2j],
    ["a", "b"],
    [b"a", b"b"],
    ("a", "b"),
    [2**62, 1],
    [{"a": 1, "b": torch.ones(1)}, {"b": torch.zeros(1), "a": 3}],
    [OrderedDict(a=1), OrderedDict(a=2)],
    [defaultdict(list, a=1)] * 2,
    [UserDict(a=1)] * 2,
    [MappingProxyType({"a": 1})] * 2,
    [keyed, {"a": 2}],
    [Point(1, 2.0), Point(3, 4.0)],
    [(1, "a"), (2, "b")],
    [[1, 2], [3, 4]],
    [[], []],
    [deque([1, 2])] * 2,
    [UserList([1, 2])] * 2,
    [Sequenced([1, 2])] * 2,
    [Fixed((1, 2))] * 2,
    [range(2), range(2)],
    [[{"a": (1, [2.0, "x"])}], [{"a": (3, [4.0, "y"])}]],
    [bytearray(b"ab")] * 2,
    [(torch.ones(2), 1), (torch.zeros(2), 2)],
):
    out = D.default_collate(batch)
    show(
        type(out).__name__,
        out,
        getattr(out, "dtype", None),
        getattr(out, "more", None),
        getattr(out, "grad_fn", None) and out.grad_fn.name(),
    )


# %% What default_collate refuses
D = torch.utils.data
for batch in (
    [None],
    [object],
    [{1, 2}],
    [np.array(["a"])],
    [np.array([object()])],
    [np.str_("a")],
    [[1, 2], [3]],
    [(1,), (2, 3)],
    [{"a": 1}, {"b": 1}],
    [torch.ones(2), torch.ones(3)],
    [torch.ones(2), 3],
    [1, "a"],
    [],
    [np.ones(2), np.ones(3)],
    [{"a": None}],
    [[None]],
    [1.5, "a"],
    [(1, 2), 3],
    [2**63, 1],
    [np.datetime64("2020-01-01")],
    [slice(1)],
    3,
):
    try:
        show(D.default_collate(batch))
    except Exception as e:
        show(type(e), e)


# %% default_convert
from collections import namedtuple, OrderedDict, defaultdict, deque, UserDict, UserList
from types import MappingProxyType

D = torch.utils.data
Point = namedtuple("Point", "x y")


class Fixed(tuple):
    pass


for data in (
    torch.ones(1),
    np.ones(2),
    np.float32(2),
    np.int64(3),
    np.bool_(True),
    np.array(1),
    np.array(["a"]),
    np.array([None]),
    np.str_("a"),
    1,
    1.5,
    "a",
    b"a",
    None,
    {1},
    range(2),
    {"a": np.ones(1), "b": [np.zeros(1)]},
    OrderedDict(a=np.ones(1)),
    defaultdict(list, a=np.ones(1)),
    UserDict(a=np.ones(1)),
    MappingProxyType({"a": np.ones(1)}),
    Point(np.ones(1), 2),
    (np.ones(1), 2),
    [np.ones(1), "x"],
    deque([np.ones(1)]),
    UserList([np.ones(1)]),
    Fixed((1, 2)),
    bytearray(b"ab"),
    np.ones(2) > 0,
    object,
):
    out = D.default_convert(data)
    show(type(out).__name__, out)
a = np.ones(2)
t = D.default_convert([a])[0]
a[0] = 5
show(t)
t = torch.ones(1)
show(D.default_convert(t) is t)
for data in (np.datetime64("2020-01-01"), np.array(["2020-01-01"], "datetime64[D]"), np.void(b"ab")):
    try:
        show(D.default_convert(data))
    except Exception as e:
        show(type(e), e)


# %% collate with rules for more classes
collate = torch.utils.data._utils.collate


class Mine:
    def __init__(self, v):
        self.v = v


def add(batch, *, collate_fn_map=None):
    return sum(m.v for m in batch)


show(
    collate.collate([Mine(1), Mine(2)], collate_fn_map={Mine: add}),
    collate.collate([[Mine(1)], [Mine(2)]], collate_fn_map={Mine: add, **collate.default_collate_fn_map}),
)


class Sub(Mine):
    pass


show(collate.collate([Sub(1), Sub(2)], collate_fn_map={(int, Mine): add}))
try:
    collate.collate([1, 2])
except Exception as e:
    show(type(e), e)
show(
    len(collate.default_collate_fn_map),
    collate.default_collate_err_msg_format,
    collate.np_str_obj_array_pattern,
)
collate.default_collate_fn_map[Mine] = add
show(torch.utils.data.default_collate([Mine(1), Mine(2)]))
del collate.default_collate_fn_map[Mine]


# %% Options of DataLoader that exclude each other
D = torch.utils.data


class It(D.IterableDataset):
    def __iter__(self):
        return iter(range(5))

    def __str__(self):
        return "It"


it = It()
for options in (
    dict(num_workers=-1),
    dict(timeout=-1),
    dict(prefetch_factor=2),
    dict(num_workers=1, prefetch_factor=-1),
    dict(persistent_workers=True),
    dict(shuffle=True, sampler=[1]),
    dict(batch_sampler=[[1]], batch_size=2),
    dict(batch_sampler=[[1]], shuffle=True),
    dict(batch_sampler=[[1]], sampler=[1]),
    dict(batch_sampler=[[1]], drop_last=True),
    dict(batch_size=None, drop_last=True),
    dict(batch_size=0),
    dict(batch_size=1.5),
    dict(batch_size=True),
    dict(drop_last=1),
    dict(multiprocessing_context="fork"),
    dict(multiprocessing_context="nope", num_workers=1),
    dict(multiprocessing_context=3, num_workers=1),
    dict(batch_size="2"),
    dict(shuffle=True, generator=3),
    dict(sampler=3),
):
    attempt(lambda: len(D.DataLoader(range(3), **options)))
for options in (
    dict(shuffle=True),
    dict(shuffle=False),
    dict(shuffle=0),
    dict(sampler=[1]),
    dict(batch_sampler=[[1]]),
    dict(batch_size=None, drop_last=True),
    dict(drop_last=True, batch_size=2),
    dict(shuffle=True, sampler=[1]),
    dict(shuffle="x"),
):
    attempt(lambda: list(D.DataLoader(it, **options)))
attempt(lambda: D.DataLoader([], shuffle=True))
attempt(lambda: list(D.DataLoader([])))
attempt(lambda: list(D.DataLoader(range(3), timeout=1)))
attempt(lambda: list(D.DataLoader({"a": 1}, sampler=["a"])))
attempt(lambda: list(D.DataLoader({"a": 1})))
attempt(lambda: list(D.DataLoader({"a": 1})))
attempt(lambda: list(D.DataLoader(range(3), 2, False, None, None, 0, list)))
attempt(lambda: list(D.DataLoader(D.Dataset(), sampler=[1])))
attempt(lambda: D.DataLoader(D.Dataset()))
attempt(lambda: len(D.DataLoader(D.Dataset())))


# %% Attributes of a DataLoader
D = torch.utils.data
loader = D.DataLoader(range(3), batch_size=2, num_workers=0)
for name in ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"):
    try:
        setattr(loader, name, 1)
    except ValueError as e:
        show(e)
loader.collate_fn = list
loader.num_workers = 0
loader.mine = 1
show(
    list(loader),
    loader.batch_size,
    loader.drop_last,
    loader.timeout,
    loader.num_workers,
    loader.pin_memory,
    loader.pin_memory_device,
    loader.prefetch_factor,
    loader.persistent_workers,
    loader.in_order,
    loader.generator,
    loader.worker_init_fn,
    loader.multiprocessing_context,
    type(loader.sampler).__name__,
    type(loader.batch_sampler).__name__,
    loader.dataset,
)


class Mine(D.DataLoader):
    pass


try:
    Mine(range(3)).batch_size = 3
except ValueError as e:
    show(e)
it = iter(loader)
show(len(it), iter(it) is it, type(it).__name__)
import pickle, copy

try:
    pickle.dumps(it)
except NotImplementedError as e:
    show(e)
show(list(copy.deepcopy(loader)), len(copy.copy(loader)))
show(
    D.DataLoader(range(3)).collate_fn is D.default_collate,
    D.DataLoader(range(3), batch_size=None).collate_fn is D.default_convert,
    D.get_worker_info(),
)
show(
    D.DataLoader(range(3), batch_sampler=[[1]]).batch_size,
    D.DataLoader(range(3), batch_size=None).batch_sampler,
)


# %% Batches and the random numbers that a DataLoader draws
D = torch.utils.data
torch.manual_seed(0)
data = D.TensorDataset(torch.arange(7.0), torch.arange(7))
show(torch.rand(1))
show(list(D.DataLoader(data, batch_size=3)))
show(torch.rand(1))
loader = D.DataLoader(data, batch_size=3, shuffle=True)
show(torch.rand(1))
show(list(loader))
show(torch.rand(1))
show(list(loader))
show(torch.rand(1))
it = iter(loader)
show(torch.rand(1))
next(it)
show(torch.rand(1))
g = torch.Generator().manual_seed(1)
loader = D.DataLoader(data, batch_size=4, shuffle=True, generator=g)
show(list(loader), torch.rand(1), torch.rand(1, generator=g))
show(list(loader), torch.rand(1), torch.rand(1, generator=g))
for options in (
    dict(batch_size=None),
    dict(batch_size=None, shuffle=True),
    dict(batch_sampler=[[0, 1], [5]]),
    dict(sampler=[3, 3, 1], batch_size=2),
    dict(sampler=torch.tensor([1, 2])),
    dict(drop_last=True, batch_size=3, shuffle=True),
    dict(batch_size=None, sampler=[[0, 1], [2]]),
    dict(sampler=D.SubsetRandomSampler([1, 2, 3])),
    dict(batch_sampler=D.BatchSampler(D.RandomSampler(data, True, 9), 4, True)),
    dict(batch_size=100),
):
    loader = D.DataLoader(data, **options)
    show(len(loader), list(loader), torch.rand(1))


# %% Iterable datasets whose length is wrong
D = torch.utils.data


class It(D.IterableDataset):
    def __init__(self, n, say):
        self.n, self.say = n, say

    def __iter__(self):
        return iter(range(self.n))

    def __len__(self):
        return self.say

    def __repr__(self):
        return "It()"


for n, say, options in (
    (5, 5, {}),
    (5, 3, {}),
    (5, 1, dict(batch_size=2)),
    (5, 7, dict(batch_size=2)),
    (5, 2, dict(batch_size=None)),
    (5, 5, dict(batch_size=2, drop_last=True)),
    (0, 0, {}),
):
    loader = D.DataLoader(It(n, say), **options)
    show(list(loader))
    show(len(loader))
    show(list(loader))
    try:
        show(len(iter(loader)))
    except Exception as e:
        show(type(e), e)


class Unsized(D.IterableDataset):
    def __iter__(self):
        yield from (torch.rand(1) for _ in range(3))


torch.manual_seed(2)
loader = D.DataLoader(Unsized(), batch_size=2)
show(list(loader), torch.rand(1))
try:
    len(loader)
except TypeError as e:
    show(e)
it = iter(loader)
show(next(it))
show(next(it))
for _ in range(2):
    try:
        next(it)
    except StopIteration as e:
        show("over", e)


# %% How a DataLoader asks its dataset for items
D = torch.utils.data


class Shows:
    def __len__(self):
        return 5

    def __getitem__(self, i):
        show("item", i)
        return i


class Many(Shows):
    def __getitems__(self, i):
        show("items", i)
        return list(i)


class Off(Shows):
    __getitems__ = None


for cls in (Shows, Many, Off):
    show(list(D.DataLoader(cls(), batch_size=2, collate_fn=lambda b: ("collated", b))))
show(list(D.DataLoader(Many(), batch_size=None)))


class Fails(Shows):
    def __getitem__(self, i):
        if i == 2:
            raise KeyError("no two")
        return i


it = iter(D.DataLoader(Fails(), batch_size=2))
show(next(it))
for _ in range(3):
    try:
        show(next(it))
    except BaseException as e:
        show(type(e), e)


class Samples(D.Sampler):
    def __init__(self):
        self.count = 0

    def __iter__(self):
        self.count += 1
        show("begun", self.count)
        return iter([1, 0])


s = Samples()
loader = D.DataLoader(Shows(), sampler=s)
it = iter(loader)
show("made")
show(list(it))
show(list(loader))
try:
    len(loader)
except TypeError as e:
    show(type(e))


# %% Pinning of what a DataLoader gives
D = torch.utils.data
loader = D.DataLoader(D.TensorDataset(torch.arange(3)), pin_memory=True)
if not torch.cuda.is_available():
    show(list(loader))
    show(D.DataLoader(range(3), pin_memory=True, pin_memory_device="cuda", batch_size=3).pin_memory_device)
    list(D.DataLoader(range(3), pin_memory=True, pin_memory_device="cuda"))
pin = torch.utils.data._utils.pin_memory.pin_memory
from collections import namedtuple, OrderedDict, UserList


class Pins:
    def pin_memory(self):
        return "pinned"


Point = namedtuple("Point", "x y")
for data in (
    Pins(),
    [Pins(), 1],
    (Pins(), "a"),
    {"a": Pins()},
    Point(Pins(), b"x"),
    OrderedDict(a=[Pins()]),
    UserList([Pins()]),
    3,
    None,
    range(2),
):
    show(type(pin(data)).__name__, pin(data))


# %% WorkerInfo and the names of torch.utils.data
D = torch.utils.data
from dataclasses import FrozenInstanceError

W = torch.utils.data._utils.worker.WorkerInfo
info = W(1, 2, 3, "data")
show(info, info.id, info.num_workers, info.seed, info.dataset)
try:
    info.id = 3
except FrozenInstanceError as e:
    show(e)
show(sorted(n for n in D.__all__ if n[0].isupper() and "Pipe" not in n and "DataChunk" not in n))


# %% Training from loaders, one of which never ends
D = torch.utils.data
nn = torch.nn
torch.manual_seed(0)
x = torch.randn(90, 5)
y = (x.sum(1) > 0).long()
train, test = D.random_split(D.TensorDataset(x, y), [0.7, 0.3])
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)


class Repeated(D.Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        while True:
            yield from self.sampler


class Endless(D.DataLoader):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        object.__setattr__(self, "batch_sampler", Repeated(self.batch_sampler))
        self.batches = super().__iter__()

    def __len__(self):
        return len(self.batch_sampler.sampler)

    def __iter__(self):
        return (next(self.batches) for _ in range(len(self)))


weights = [1.0 + i % 3 for i in range(len(train))]
for loader in (
    D.DataLoader(train, 16, True),
    Endless(train, 16, True),
    D.DataLoader(train, 8, sampler=D.WeightedRandomSampler(weights, 40), drop_last=True),
):
    for epoch in range(2):
        total = 0.0
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(inputs), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        show(len(loader), f"{total:.4f}")
net.eval()
show(sum((net(a).argmax(1) == b).sum().item() for a, b in D.DataLoader(test, 32)))


# %% A training program with loaders of several kinds
D = torch.utils.data
nn = torch.nn
torch.manual_seed(0)
x = torch.randn(90, 5)
y = (x.sum(1) > 0).long()
train, test = D.random_split(D.TensorDataset(x, y), [0.7, 0.3])
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)


class Repeated(D.Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        while True:
            yield from self.sampler


class Endless(D.DataLoader):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        object.__setattr__(self, "batch_sampler", Repeated(self.batch_sampler))
        self.batches = super().__iter__()

    def __len__(self):
        return len(self.batch_sampler.sampler)

    def __iter__(self):
        return (next(self.batches) for _ in range(len(self)))


weights = [1.0 + i % 3 for i in range(len(train))]
for loader in (
    D.DataLoader(train, 16, True),
    Endless(train, 16, True),
    D.DataLoader(train, 8, sampler=D.WeightedRandomSampler(weights, 40), drop_last=True),
):
    for epoch in range(2):
        total = 0.0
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(inputs), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        show(len(loader), f"{total:.4f}")
net.eval()
show(sum((net(a).argmax(1) == b).sum().item() for a, b in D.DataLoader(test, 32)))
