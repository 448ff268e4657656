"""Sparse tensors, compared with PyTorch: operators that refuse, random sums, files. (`tests/programs_on_cpu` has programs.)"""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad.dispatch.operators import TABLE
from jgrad.kernels import sparse
from jgrad.tensor import Tensor

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.quick


# No operator gives a wrong answer for a sparse tensor: it has PyTorch's answer, or it raises an error where PyTorch does. ------------------


def made(library: Any, dtype: str = "float32") -> Any:
    values = library.tensor([3.0, 4.0, 5.0, 0.5], dtype=getattr(library, dtype))
    return library.sparse_coo_tensor([[0, 1, 1, 0], [2, 0, 2, 2]], values, (2, 3))


def outcome(library: Any, call: Any) -> Any:
    """The dense elements of what a call gives, or None for an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library.manual_seed(0)
        try:
            result = call(made(library))
        except Exception as error:
            return error
    if isinstance(result, library.Tensor):
        return (result.layout is library.sparse_coo), np.asarray(result.to_dense().detach())
    return result


# What gives something else than elements, or what is different by design (docs/differences.md).
APART = {"type", "resize_as_", "set_", "resize_", "storage", "storage_type", "cuda", "bfloat16"}
METHODS = sorted(
    name
    for name in dir(jgrad.Tensor)
    if not name.startswith(("_", "new"))
    and name not in APART
    and callable(getattr(jgrad.Tensor, name))
    and hasattr(torch.Tensor, name)
)


def arguments(library: Any) -> list[tuple]:
    dense = library.full((2, 3), 2.0)
    return [
        (),
        (made(library),),
        (dense,),
        (2,),
        (0,),
        (0, 1),
        (library.ones(3, 2),),
        (dense, dense),
        (made(library), made(library)),
        ([dense],),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
def test_method_has_pytorchs_answer_or_refuses(name: str) -> None:
    for k in range(len(arguments(jgrad))):
        ours = outcome(jgrad, lambda x, k=k: getattr(x, name)(*arguments(jgrad)[k]))
        if isinstance(ours, Exception):
            assert not isinstance(ours, (AssertionError, UnboundLocalError, NameError)), ours
            continue
        theirs = outcome(torch, lambda x, k=k: getattr(x, name)(*arguments(torch)[k]))
        if isinstance(ours, tuple) and isinstance(ours[1], np.ndarray):
            if isinstance(theirs, Exception):
                dense = getattr(made(jgrad).to_dense(), name)(
                    *[a.to_dense() if isinstance(a, Tensor) else a for a in arguments(jgrad)[k]]
                )
                np.testing.assert_allclose(ours[1], np.asarray(dense), rtol=1e-5)
            else:
                assert ours[0] == theirs[0]
                np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-5)


@pytest.mark.parametrize(
    "name", sorted(n for n, o in TABLE.items() if "function" in o.forms and hasattr(torch, n))
)
def test_function_of_a_dense_and_a_sparse_tensor(name: str) -> None:
    """The sparse one is the second argument."""

    def call(library: Any, x: Any) -> Any:
        return getattr(library, name)(library.full((2, 3), 2.0), x)

    ours = outcome(jgrad, lambda x: call(jgrad, x))
    if isinstance(ours, tuple) and len(ours) == 2 and isinstance(ours[1], np.ndarray):
        theirs = outcome(torch, lambda x: call(torch, x))
        assert not isinstance(theirs, Exception), theirs
        np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-5)


WRITES = """
s.mul_(2)
s.mul_(L.tensor(2.0))
s.mul_(L.ones(2, 3))
s.mul_(s)
s.div_(2)
s.neg_()
s.pow_(2)
s.sqrt_()
s.abs_()
s.add_(s)
s.zero_()
s.copy_(s)
s.__setitem__(0, 1)
s.__setitem__(..., 1)
s.__setitem__(0, L.ones(3))
s.__setitem__(L.tensor([0]), 1)
s.__setitem__(slice(None), s)
""".strip().splitlines()


@pytest.mark.parametrize("coalesced", [False, True])
@pytest.mark.parametrize("write", WRITES)
def test_write_to_a_sparse_tensor(write: str, coalesced: bool) -> None:
    seen = []
    for library in (jgrad, torch):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            s = made(library).coalesce() if coalesced else made(library)
        try:
            eval(write, {"s": s, "L": library})
            seen.append((s.is_coalesced(), s._version, s.to_dense().tolist()))
        except Exception as error:
            text = f"{type(error).__name__}: {error}".replace("jgrad.", "torch.")
            seen.append(text.partition(" This could be because")[0])
    assert seen[0] == seen[1]


def test_array_refuses_to_be_read() -> None:
    """Whatever NumPy does with a sparse array, it gets an error and no numbers."""
    a = made(jgrad)._a
    for read in (
        np.asarray,
        np.array,
        np.sum,
        np.exp,
        np.max,
        lambda x: x[0],
        lambda x: np.zeros((2, 3)) * x,
        lambda x: np.where(x, x, x),
        lambda x: x.max(),
        list,
    ):
        with pytest.raises((TypeError, NotImplementedError)):
            read(a)
    target = np.zeros((2, 3), np.float32)
    with pytest.raises(TypeError):
        target[...] = a


# Algorithms -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_random_sums(seed: int) -> None:
    """Indices, values and the flag of sums and products of random tensors are PyTorch's."""
    rng = random.Random(seed)
    sparse_dim, dense_dim = rng.choice([(1, 0), (2, 0), (1, 1), (3, 0), (2, 1)])
    shape = [rng.randint(1, 4) for _ in range(sparse_dim + dense_dim)]

    def parts() -> tuple:
        n = rng.randint(0, 6)
        indices = [[rng.randrange(shape[d]) for _ in range(n)] for d in range(sparse_dim)]
        values = np.array(
            [rng.randint(-3, 3) for _ in range(n * int(np.prod(shape[sparse_dim:])))], np.float32
        )
        return (
            np.array(indices, np.int64).reshape(sparse_dim, n),
            values.reshape(n, *shape[sparse_dim:]),
            rng.random() < 0.5,
        )

    first, second = parts(), parts()
    dim, index = rng.randrange(len(shape)), [rng.randrange(shape[0]) for _ in range(3)]

    def results(library: Any) -> list:
        def tensor(p: tuple) -> Any:
            x = library.sparse_coo_tensor(library.tensor(p[0]), library.tensor(p[1]), shape)
            return x.coalesce() if p[2] else x

        a, b = tensor(first), tensor(second)
        found = [
            a + b,
            a - b,
            a * b,
            a.coalesce(),
            a.to_dense(),
            library.sparse.sum(a, dim),
            a.clone().add_(b, alpha=2),
        ]
        if len(shape) == sparse_dim == 2:
            found += [
                library.mm(a, b.t()),
                a @ library.ones(shape[1], 2),
                library.sparse.mm(a, library.ones(shape[1], 2)),
            ]
        found += [
            a.index_select(0, library.tensor(index)),
            library.ones(shape) + a,
            library.ones(shape).sparse_mask(a),
            library.cat([a, b], dim),
        ]
        return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for ours, theirs in zip(results(jgrad), results(torch), strict=True):
            assert ours.is_sparse == theirs.is_sparse
            np.testing.assert_allclose(ours.to_dense().numpy(), theirs.to_dense().numpy())


def test_embedding_of_many_rows_makes_nothing_dense() -> None:
    """A step with SparseAdam touches the rows of the batch; no array as large as the weight is made."""
    import tracemalloc

    emb = jgrad.nn.Embedding(200_000, 16, sparse=True)
    optimizer = jgrad.optim.SparseAdam(emb.parameters(), lr=0.1)
    rows = jgrad.randint(0, 200_000, (64,))

    def step() -> None:
        optimizer.zero_grad()
        (emb(rows) ** 2).sum().backward()
        optimizer.step()

    step()
    tracemalloc.start()
    step()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < emb.weight.nbytes / 10


def test_dense_operators_do_not_look_for_sparse_tensors() -> None:
    """The source of a fast path has no test for them."""
    x = jgrad.ones(2)
    path = (x * x, type(x).__mul__)[1]
    assert "sparse" not in str(path.__code__.co_names)
    assert sparse.LIBRARY.general


def test_files_of_both_libraries(tmp_path: Path) -> None:
    for writer, reader in ((torch, jgrad), (jgrad, torch)):
        x = made(writer)
        writer.save([x, x.coalesce()], tmp_path / "x.pt")
        loaded = reader.load(tmp_path / "x.pt")
        assert [a.is_coalesced() for a in loaded] == [False, True]
        for a in loaded:
            assert a.layout is reader.sparse_coo
            np.testing.assert_array_equal(np.asarray(a.to_dense()), np.asarray(x.to_dense()))
