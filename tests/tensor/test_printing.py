"""What a tensor's repr says is what PyTorch's says."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import jgrad
from jgrad import dtypes, printing

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.quick

DTYPES = [d.name for d in dtypes.OF_NUMPY]
NARROW = [d.name for d in dtypes.NARROW]


@pytest.fixture(autouse=True)
def default_options():
    yield
    for library in (torch, jgrad):
        library.set_printoptions(profile="default")
        library.set_default_dtype(library.float32)


def texts(array, **keywords):
    theirs = repr(torch.tensor(array, **keywords)).replace("torch.", "jgrad.")
    return repr(jgrad.tensor(array, **keywords)), theirs


def same(array, **keywords):
    ours, theirs = texts(array, **keywords)
    assert ours == theirs


FLOATS = [
    [1.0, 2.0, 3.0],
    1.0,
    -0.0,
    [99.0, 2.0, 3.0],
    [[1.0, -1.0], [1.0, -1.0]],
    [2.7183],
    [-0.4],
    [3.14159, 10.0],
    [1e-5, 1.0],
    [4.4972e-04, 8.5017e-02, 5.9424e-01],
    [1e6, 1.0],
    [1e8, 1e8],
    [1.0001e8],
    [1e9],
    12345678.0,
    [math.nan, math.inf],
    [math.nan, 1.0],
    [0.0, math.nan],
    [0.0, 0.0],
    [1.5, -math.inf],
    [0.5, 0.0],
    [1e-4],
    [9.9e-5],
    [1000.0, 1.0],
    [1001.0, 1.0],
    [1000.5, 1.0005],
    math.nan,
    1e-30,
    1e30,
    [1e38, 1e-38],
    [[0.1, 1e5], [math.inf, 0.0]],
    [123456.789],
    [0.00012345, 0.1],
    [-1000.25, 2.0],
    [1e4, -1e-3],
]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("values", FLOATS)
def test_values(values, dtype):
    with np.errstate(over="ignore"):
        array = np.array(values).astype(dtype)
    same(array)
    if dtype.startswith("complex"):
        same(array * array.dtype.type(0.5 - 0.25j))
        same(array.conj())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape",
    [
        (),
        (0,),
        (2, 0),
        (0, 3),
        (1,),
        (6,),
        (40,),
        (3, 4),
        (2, 30),
        (2, 3, 4),
        (1, 2, 1, 2),
        (1001,),
        (1000,),
        (8, 200),
        (2000, 1),
        (7, 8, 30),
        (2, 5, 3, 40),
    ],
)
def test_shapes(shape, dtype):
    number = math.prod(shape)
    for scale in (1, 0.37):
        array = ((np.arange(number) - number // 3) * scale).reshape(shape).astype(dtype)
        same(array)
        if array.dtype.kind in "fc":
            same(array, requires_grad=True)


def test_values_that_are_not_shown_do_not_widen_the_columns():
    array = np.zeros(2000, np.float32)
    array[1000] = 1e20
    array[0] = 1.5
    same(array)
    array[1] = 1e20
    assert "e+20" in texts(array)[0]
    same(array)


@pytest.mark.parametrize(
    "options",
    [
        {"precision": 2},
        {"precision": 0},
        {"precision": 8},
        {"linewidth": 40},
        {"linewidth": 20},
        {"linewidth": 5},
        {"threshold": 5},
        {"threshold": 0},
        {"edgeitems": 1, "threshold": 5},
        {"edgeitems": 0, "threshold": 5},
        {"edgeitems": 0},
        {"sci_mode": True},
        {"sci_mode": False},
        {"profile": "short"},
        {"profile": "full"},
        {"profile": "full", "precision": 1},
        {"profile": "other"},
    ],
)
def test_options(options):
    for library in (torch, jgrad):
        library.set_printoptions(**options)
    arrays = [
        np.linspace(-1, 1, 13),
        np.float32(2.5),
        np.arange(24).reshape(4, 6),
        np.linspace(0, 1e5, 1200).reshape(40, 30),
    ]
    arrays += [
        np.arange(12.0),
        np.zeros((2, 0)),
        np.array([1e-7, 3]),
        np.arange(20) * (0.5 + 1j),
        np.ones((9, 9), bool),
        np.zeros(9),
    ]
    for array in arrays:
        same(array)


def test_options_last_until_the_next_call():
    from torch import _tensor_str

    for calls in (
        [{"precision": 2, "sci_mode": True}],
        [{"linewidth": 60}],
        [{"profile": "short"}],
        [{"sci_mode": False}, {}],
    ):
        for library in (torch, jgrad):
            for options in calls:
                library.set_printoptions(**options)
        assert printing.get_printoptions() == _tensor_str.get_printoptions()
    with printing.printoptions(precision=7):
        assert printing.get_printoptions()["precision"] == 7
    assert printing.get_printoptions() == _tensor_str.get_printoptions()


@pytest.mark.parametrize(
    ("default", "dtype"),
    [
        (default, dtype)
        for default in ("float16", "float32", "float64")
        for dtype in DTYPES
        if not (default == "float16" and dtype.startswith("complex"))  # complex32
    ],
)
def test_the_default_dtype_is_not_said(dtype, default):
    for library in (torch, jgrad):
        library.set_default_dtype(getattr(library, default))
    for shape in ((2,), (0,), (0, 2)):
        same(np.ones(shape, dtype))


@pytest.mark.parametrize("n", range(1, 30))
def test_suffixes_wrap_at_the_line_width(n):
    def grown(library):
        x = library.tensor([0.5] * n, dtype=library.float64, requires_grad=True)
        y = library.ones((2, n), requires_grad=True)
        return [
            repr(t).replace("torch.", "jgrad.")
            for t in (x, x * 2, x.sum(), y, y + 1, y[:, :0], (x * 2)[1:].exp())
        ]

    assert grown(jgrad) == grown(torch)


PROGRAMS = [
    "x = torch.ones(3, requires_grad=True); y = x.clone(); y.copy_(x)",
    "x = torch.ones(3, requires_grad=True); y = x * 1; y[0] = 2.0; y[:2].mul_(3)",
    "x = torch.ones(3, requires_grad=True); y = x.detach()",
    "x = torch.ones(3, requires_grad=True); y = x.view(3, 1).t()",
    "x = torch.ones(2, 2)\nwith torch.no_grad(): y = x[0]\ny.requires_grad_()",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_grad_fn(program):
    found = []
    for library in (torch, jgrad):
        names = {"torch": library}
        exec(program, names)
        found.append(repr(names["y"]).replace("torch.", "jgrad."))
    assert found[0] == found[1]


def test_a_grad_fn_that_cannot_be_made_is_invalid():
    def made(library):
        x = library.ones(2, requires_grad=True) * 1
        with library.no_grad():
            y = x[0]
        x.add_(1)
        y.detach().add_(1)
        return repr(y)

    assert made(jgrad) == made(torch)


def test_printing_watches_nothing_and_changes_nothing():
    from jgrad import observer

    class Watcher(observer.Observer):
        def op(self, *_):
            raise AssertionError("an operation ran")

    x = jgrad.ones((40, 40), requires_grad=True) * 2
    version = x._version
    with observer.observe(Watcher()):
        repr(x)
    assert x._version == version


elements = st.one_of(
    st.floats(width=32),
    st.sampled_from([0.0, -0.0, math.inf, math.nan, 1.0, 100.0, 0.5, 1e-4, 1e8]),
    st.integers(-9999, 9999).map(float),
)


@given(
    array=st.one_of(
        arrays.arrays(
            np.float32, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7), elements=elements
        ),
        arrays.arrays(np.int64, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7)),
        arrays.arrays(
            np.complex64,
            arrays.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=5),
            elements=st.complex_numbers(width=64),
        ),
    ),
    threshold=st.sampled_from([1000, 8]),
    edgeitems=st.sampled_from([3, 1]),
    linewidth=st.integers(10, 100),
    precision=st.integers(0, 6),
    sci_mode=st.sampled_from([None, None, True, False]),
)
@settings(max_examples=300, derandomize=True)
def test_any_array_under_any_options(array, **options):
    for library in (torch, jgrad):
        library.set_printoptions(**options)
    same(array)


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("values", FLOATS)
def test_narrow_floats(values, dtype):
    if dtype == "float8_e8m0fnu" and not np.isfinite(values).all():
        return  # which PyTorch takes for numbers that are shown, and has no signs
    ours = jgrad.tensor(values, dtype=getattr(jgrad, dtype))
    theirs = torch.tensor(values, dtype=getattr(torch, dtype))
    assert repr(ours) == repr(theirs).replace("torch.", "jgrad.")
    assert str(ours.tolist()) == str(theirs.tolist())
