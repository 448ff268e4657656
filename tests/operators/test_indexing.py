"""Random indices and random chains of shapes: both libraries read, write, refuse and differentiate alike.

Everything is drawn as text, so that a failure can be read and run.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jgrad

torch = pytest.importorskip("torch")

CHECKS = settings(max_examples=300, derandomize=True, suppress_health_check=list(HealthCheck))
LAYOUTS = {
    "contiguous": "torch.arange({n}, dtype=torch.{dtype}).reshape({shape})",
    "transposed": "torch.arange({n}, dtype=torch.{dtype}).reshape({backwards}).permute({reverse})",
    "gapped": "torch.arange(2 * {n}, dtype=torch.{dtype}).reshape({doubled})[..., ::2]",
    "offset": "torch.arange({n} + 3, dtype=torch.{dtype})[3:].reshape({shape})",
}


@pytest.fixture(autouse=True, scope="module")
def always_warn():
    for library in (torch, jgrad):
        library.set_warn_always(True)
    yield
    for library in (torch, jgrad):
        library.set_warn_always(False)


@st.composite
def tensors(draw: Any, most: int = 4) -> tuple[str, tuple[int, ...]]:
    """The text that makes a tensor, and its shape."""
    shape = tuple(draw(st.lists(st.sampled_from([0, 1, 2, 3, 3]), max_size=most)))
    # (NumPy keeps no strides for empty arrays.)
    layout = draw(st.sampled_from(list(LAYOUTS))) if shape and 0 not in shape else "contiguous"
    dtype = draw(st.sampled_from(["float32", "float64", "int64"]))
    text = LAYOUTS[layout].format(
        n=int(np.prod(shape)), dtype=dtype, shape=shape, backwards=shape[::-1], reverse=tuple(range(len(shape)))[::-1],
        doubled=(*shape[:-1], 2 * shape[-1]) if shape else (),
    )  # fmt: skip
    if dtype != "int64" and draw(st.booleans()):
        text += ".detach().requires_grad_()"
    return text, shape


@st.composite
def indices(draw: Any, shape: tuple[int, ...]) -> str:
    """The text of what stands between the brackets; mostly right, sometimes wrong."""
    items: list[str] = []
    d = 0
    for _ in range(draw(st.integers(0, len(shape) + 1))):
        n = shape[d] if d < len(shape) else 2
        place = st.integers(-n, n - 1) if n else st.just(0)
        kind = draw(
            st.sampled_from(
                ["int", "slice", "slice", "None", "...", "long", "long", "matrix", "int32", "mask", "masks", "list", "truths", "array", "0-d", "bool", "far", "range"]
            )
        )  # fmt: skip
        d += kind not in ("None", "...", "bool")
        if kind == "int":
            items.append(str(draw(place)))
        elif kind == "slice":
            ends = st.sampled_from(["", "0", "1", "-1", "-2", "5", "-7"])
            items.append(f"{draw(ends)}:{draw(ends)}:{draw(st.sampled_from(['', '1', '2', '3']))}")
        elif kind == "None" or (kind == "..." and kind not in items):
            items.append(kind)
        elif kind in ("long", "int32"):
            dtype = "int64" if kind == "long" else "int32"
            items.append(f"torch.tensor({draw(st.lists(place, max_size=3))}, dtype=torch.{dtype})")
        elif kind == "matrix":
            rows = draw(st.lists(st.lists(place, min_size=2, max_size=2), min_size=1, max_size=2))
            items.append(f"torch.tensor({rows})")
        elif kind in ("mask", "truths"):
            truths = draw(st.lists(st.booleans(), min_size=n, max_size=n))
            items.append(f"torch.tensor({truths}, dtype=torch.bool)" if kind == "mask" else str(truths))
        elif kind == "masks":
            d += 1
            items.append(
                f"torch.arange({int(np.prod(shape[d - 2 : d]))}).reshape({shape[d - 2 : d]}) % 2 == 0"
            )
        elif kind == "list":
            items.append(str(draw(st.lists(place, max_size=2))))
        elif kind == "array":
            items.append(f"np.array({draw(st.lists(place, min_size=1, max_size=2))})")
        elif kind == "0-d":
            items.append(f"torch.tensor({draw(st.one_of(place, st.booleans()))})")
        elif kind == "bool":
            items.append(str(draw(st.booleans())))
        elif kind == "far":
            items.append(draw(st.sampled_from(["9", "-9", "torch.tensor([9])", "[0, 9]", "::-1", "1.5"])))
        elif kind == "range":
            items.append(f"range({n})")
    return ", ".join(items) + "," if items and draw(st.booleans()) else ", ".join(items) or "()"


def name(node: Any) -> str | None:
    return None if node is None else node.name()


def seen(t: Any) -> dict[str, Any]:
    """What a user can see of a tensor. (The strides of dimensions that are never stepped along say nothing.)"""
    node = t.grad_fn
    steps = [(s, n) for s, n in zip(t.stride(), t.shape, strict=True) if n > 1] if t.numel() else []
    return {
        "shape": tuple(t.shape), "stride": steps, "offset": t.storage_offset() if t.numel() else 0, "values": t.tolist(), "view": t._is_view(),
        "dtype": str(t.dtype)[6:], "node": name(node), "next": [name(f) for f, _ in node.next_functions] if node is not None else None,
        "version": t._version, "requires_grad": t.requires_grad, "contiguous": t.is_contiguous(),
    }  # fmt: skip


def weighed(library: Any, t: Any) -> Any:
    """A sum in which each element counts differently."""
    return (t * library.arange(1, t.numel() + 1, dtype=t.dtype).reshape(t.shape)).sum()


def outcome(library: Any, program: str) -> list[Any]:
    """What the tensors named in a program look like afterwards, the gradient of `x`, or the error; and the warnings."""
    scope: dict[str, Any] = {"torch": library, "np": np}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")
        try:
            exec(program, scope)
            y = scope["y"]
            shown = [seen(t) for t in (y if isinstance(y, (tuple, list)) else (y,))]
            last = y[-1] if isinstance(y, (tuple, list)) and y else y
            if isinstance(last, library.Tensor) and last.requires_grad:
                leaves = [scope[k] for k in ("x", "v") if k in scope and scope[k].requires_grad]
                gradients = library.autograd.grad(weighed(library, last), leaves, allow_unused=True)
                shown.append([g if g is None else g.tolist() for g in gradients])
        except Exception as error:
            text = str(error).partition("\nException raised from")[0]  # where in PyTorch's sources
            shown = [type(error).__name__, text.replace("torch.", "").replace("jgrad.", "")]
    return [
        *shown,
        sorted(
            {
                str(w.message).partition(" (Triggered")[0].replace("torch.", "").replace("jgrad.", "")
                for w in caught
            }
        ),
    ]


def agree(program: str) -> None:
    theirs, ours = outcome(torch, program), outcome(jgrad, program)
    assert ours == theirs, f"\n{program}\ntorch: {theirs}\njgrad: {ours}"


@CHECKS
@given(st.data())
def test_reading(data):
    text, shape = data.draw(tensors())
    agree(f"x = {text}\ny = x[{data.draw(indices(shape))}]")


@CHECKS
@given(st.data())
def test_writing(data):
    text, shape = data.draw(tensors(3))
    key = data.draw(indices(shape))
    program = f"x = {text}\ny = x * 1\n"
    try:
        place = tuple(eval(f"t[{key}]", {"torch": torch, "np": np, "t": torch.zeros(shape)}).shape)
    except Exception:
        place = ()
    kind = data.draw(st.sampled_from(["number", "whole", "ones", "less", "more"]))
    if kind == "number":
        agree(program + f"y[{key}] = {data.draw(st.sampled_from([7, 2.5, True, -1]))}")
        return
    # (Where an index names an element twice, which value stays is up to the order of memory: one value for all.)
    size = {"whole": place, "ones": (1,) * len(place), "less": place[1:], "more": (2, *place)}[kind]
    dtype = "x.dtype" if data.draw(st.integers(0, 9)) else "torch.int32"
    grad = ".requires_grad_()" if dtype == "x.dtype" and "float" in text and data.draw(st.booleans()) else ""
    agree(program + f"v = torch.full({size}, 5, dtype={dtype}){grad}\ny[{key}] = v")


@st.composite
def steps(draw: Any, shape: tuple[int, ...]) -> str:
    """One operation on `y`, a tensor of this shape; mostly right."""
    ndim = len(shape)
    d = draw(st.integers(-ndim, ndim - 1) if ndim else st.sampled_from([0, -1]))
    e = draw(st.integers(-ndim, ndim - 1) if ndim else st.sampled_from([0, -1]))
    n = shape[d] if ndim else 1
    k, m = draw(st.integers(0, n)), draw(st.integers(1, 3))
    order = draw(st.permutations(range(ndim)))
    numel = int(np.prod(shape))
    other = draw(st.sampled_from([(-1,), (1, -1), shape[::-1], (*shape, 1), (1, *shape), (2, -1), (numel,)]))
    return draw(
        st.sampled_from(
            [
                f"y.permute({order})", f"torch.permute_copy(y, {order})", f"y.transpose({d}, {e})", "y.t()", "y.T", "y.mT", "y.mH", f"y.movedim({d}, {e})",
                f"y.movedim(({d}, {e}), ({e}, {d}))", f"y.unsqueeze({d})", "y.squeeze()", f"y.squeeze({d})", f"y.squeeze(({d}, {e}))", f"y.view({other})",
                f"y.reshape({other})", f"torch.view_copy(y, {other})", f"y.expand({(m, *shape)})", f"y.broadcast_to({(m, *shape)})", f"y.select({d}, {k - 1})",
                f"y.narrow({d}, {k}, {n - k})", f"y[{k}::{m}]", f"y.split({m}, {d})", f"y.split([{k}, {n - k}], {d})", f"y.chunk({m}, {d})", f"y.unbind({d})",
                f"y.tensor_split({m}, {d})", f"y.tensor_split(({k}, {m}), {d})", f"y.hsplit({m})", f"y.vsplit([{k}])", f"y.dsplit({m})", f"y.diagonal({k - 1}, {d}, {e})",
                f"y.unfold({d}, {k}, {m})", f"y.unflatten({d}, ({n}, 1))", f"y.unflatten({d}, (-1, {m}))", "y.flatten()", f"y.flatten({d}, {e})", "y.ravel()", "y.contiguous()",
                "y.clone()", f"y.repeat({(m,) * ndim})", f"y.tile(({m},))", f"y.diag_embed({k})", f"y.tril({k - 1})", f"y.triu({k - 1})", f"torch.cat((y, y), {d})",
                f"torch.stack((y, y), {d})", "torch.hstack((y, y))", "torch.vstack((y, y))", "torch.dstack((y, y))", "torch.column_stack((y, y))", f"y.index_select({d}, torch.tensor([0, 0]))",
                "y.take(torch.tensor([[0, -1]]))", f"y.select_scatter(y.select({d}, 0) * 2, {d}, -1)", f"y.sum_to_size({tuple(draw(st.sampled_from([1, s])) for s in shape)})", "-y",
                f"y.index_fill({d}, torch.tensor([-1]), 3)" if numel else "y * 2", f"y.unsafe_chunk({m}, {d})", "y.nonzero()", "y.view(torch.int32)" if k == 1 and numel else "y.view_as(y)",
            ]
        )
    )  # fmt: skip


@CHECKS
@given(st.data())
def test_chains_of_shapes(data):
    text, shape = data.draw(tensors())
    program = f"x = {text}\ny = x"
    for _ in range(data.draw(st.integers(1, 5))):
        program += f"\ny = {data.draw(steps(shape))}"
        scope: dict[str, Any] = {"torch": torch}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(program, scope)
        except Exception:
            break
        y = scope["y"]
        if isinstance(y, (tuple, list)):
            if not y:
                break
            program += "\ny = y[-1]"
            y = y[-1]
        shape = tuple(y.shape)
        if y.numel() > 300:
            break
    agree(program)
