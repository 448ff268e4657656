"""Index maps: which cell of what an index operation reads goes to which cell of what it writes, forward and backward.

All operations of the family are brought to one form, a list of moves, so that a view needs to know none of them. A large map keeps a window
of its moves, and of each tensor the rows and columns that those touch; the totals are counted on the whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from jgrad.kernels.numpy.memory import Array, owner
from jgrad.tensor import Tensor
from jgrad.tracing.record.contents import on_host, texts

WHOLE = 600  # moves that are kept without a window
WINDOW = (2, 6, 6)  # of more: along the last three dimensions of what moves; along earlier ones the first
ROWS, COLUMNS, SLICES = 12, 8, 8  # kept of a tensor; up to ROWS columns if those are all
COUNTED = 1 << 20  # moves up to which all are counted

SOURCES = {
    "scatter": "src", "scatter_add": "src", "scatter_reduce": "src", "index_add": "source", "index_copy": "source", "index_fill": "value",
    "index_reduce": "source", "index_put": "values", "masked_scatter": "source", "masked_fill": "value", "put": "source",
}  # fmt: skip
GATHERS = ("gather", "index_select", "masked_select", "take", "index", "embedding")
FAMILY = frozenset((*SOURCES, *GATHERS))
SIGNS = {
    "sum": "+=", "add": "+=", "prod": "*=", "multiply": "*=", "amax": "max=", "amin": "min=", "mean": "mean=",
}  # fmt: skip
SHARES = {  # what a source gets of the gradient of a cell in which several met
    "prod": "times what it was multiplied with", "mean": "divided by how many met", "amax": "if it was the largest; equals share it",
    "amin": "if it was the smallest; equals share it",
}  # fmt: skip
CALLED = {"index": "x[index]", "index_put_": "x[index] = values"}  # as users write what has another name
LETTERS = "ijklmnpq"


class Side(NamedTuple):
    """A tensor that a map reads or writes."""

    name: str
    array: Any
    number: int | None = None  # in the document


class Cells:
    """A cell of a tensor for each move: coordinates along its dimensions, as arrays that broadcast to the space of the moves. Nothing of
    the size of all moves is made before it is asked for: a map must not cost more than its operation."""

    def __init__(self, at: Sequence[Any], shape: Sequence[int], every: bool = False) -> None:
        """`every`: each cell of the tensor comes exactly once."""
        self.at, self.shape, self.every = at, shape, every

    def numbers(self, space: Sequence[int], limits: Sequence[int] | None = None) -> Any:
        """The cells counted in reading order, along each dimension of the space only as many as `limits` allows."""
        found: Any = np.zeros((), np.int64)
        for coordinates, n in zip(self.at, self.shape, strict=True):
            c = coordinates
            if limits is not None:
                c = c[tuple([slice(k if e > 1 else None) for e, k in zip(c.shape, limits, strict=True)])]
            if c.size and c.min() < 0:
                c = np.where(c < 0, c + n, c)
            found = found * n + c
        return np.broadcast_to(found, [min(n, k) for n, k in zip(space, limits or space, strict=True)])


class Moves(NamedTuple):
    """What goes where: for each place of a space the cell of the index, the one of self, and the one of the source or of out."""

    arrays: list[Side]  # of the index
    # The dimensions of self that they replace; [] for a mask; None: cells are counted in reading order.
    by: list[int] | None
    space: Sequence[int]
    cells: Cells
    there: Cells
    other: Cells
    # How a rule writes a place of the other side (of a mask, one of the mask) and one of self: "[i][j]", "[index[i][j]][j]".
    at: tuple[str, str]

    @property
    def total(self) -> int:
        return math.prod(self.space)


class IndexMap:
    """The map of an operation as the document has it, `made`, with what the map of its backward needs."""

    def __init__(
        self,
        name: str,
        inputs: tuple,
        outputs: tuple,
        arguments: dict[str, Any],
        before: Any,
        number_of: Callable,
        counted: int = COUNTED,
    ) -> None:
        """`before`: the contents of the target's storage before a write, None if they were too many to keep. `counted`: how many moves at
        most may be looked at one by one, beyond those that are kept."""
        op = self.op = name.rstrip("_")
        target, out = inputs[0], outputs[0]
        now = on_host(target._a)
        self.gathers = op in GATHERS
        if op in ("masked_fill", "masked_scatter"):
            # What they copy takes the shape that it has together with the mask.
            now = np.broadcast_to(now, out._a.shape)
        self.whose = "weight" if op == "embedding" else "self"
        given = None if self.gathers else _first(arguments, SOURCES[op], "value")
        source = on_host(given._a) if isinstance(given, Tensor) else None
        self.learns = isinstance(given, Tensor) and given.requires_grad
        self.named = "value" if source is None else SOURCES.get(op, "")
        self.counted = counted
        self.padding = arguments.get("padding_idx", -1) if op == "embedding" else -1
        self.moves = _moves(op, arguments, now.shape, source, number_of)
        self.reduce = arguments.get("reduce") or ("sum" if arguments.get("accumulate") else None)
        if op in ("scatter_add", "index_add"):
            self.reduce = "sum"
        alpha = arguments.get("alpha", 1)
        self.factor = "" if alpha == 1 else f"{alpha} * "
        self.shapes = now.shape, None if source is None else source.shape, out._a.shape
        if self.gathers:
            words = self._make_read(target, now, out, number_of)
        else:
            kept = bool(arguments.get("include_self", True))
            words = self._make_write(target, now, out, given, source, before, kept, number_of)
        along = f" along dim {arguments['dim']}" if arguments.get("dim") is not None else ""
        self.made |= {
            "op": name,
            "dim": arguments.get("dim"),
            "description": f"{CALLED.get(name, name)}{along}; {words}",
        }
        if out.requires_grad:
            self.made["backward_rule"] = "; ".join(self._backward_rules())

    def _make_read(self, target: Tensor, now: Array, out: Tensor, number_of: Callable) -> str:
        """Make the map of an operation that reads the cells which its index names; what it does, in words."""
        read, written = Side(self.whose, now, number_of(target)), Side("out", on_host(out._a), number_of(out))
        m = self.moves
        self.made = _map(m, read, written, m.there, m.other, True, None, self.counted)
        if m.arrays[0].name == "mask":
            return f"out has the cells of {self.whose} where the mask is True"
        return f"each cell of out reads the cell of {self.whose} that its index names"

    def _make_write(
        self,
        target: Tensor,
        now: Array,
        out: Tensor,
        given: Any,
        source: Array | None,
        before: Array | None,
        with_self: bool,
        number_of: Callable,
    ) -> str:
        """Make the map of an operation that writes `given`, a tensor (its elements are `source`) or a number, to the cells which its index
        names; what it does, in words. `with_self`: what was there counts in a reduction."""
        m = self.moves
        read = Side(self.named, source, None if source is None else number_of(given))
        written = Side("self", on_host(out._a), number_of(out))
        self.made = _map(m, read, written, m.other, m.there, False, self.reduce, self.counted, self.factor)
        after, number = self.made["target"], number_of(target)
        old: Array | None = now
        if target is out:
            offset = target.storage_offset() * now.itemsize
            old = None if before is None else np.ndarray(now.shape, now.dtype, before, offset, now.strides)
            number = None  # which is what it is now, not before
        after["title"] = "self after"
        if old is not None:
            self.made["before"] = _grid(Side("self", old, number), after.get("kept"))
            self.made["before"]["title"] = "self before"
        if source is None:
            self.made["value"] = texts([given], np.asarray(given).dtype)[0]
        if self.reduce is None:
            return "no reduction: what comes replaces what was there"
        start = "starting from" if with_self else "without"
        return f"reduction {self.reduce}: values that meet in a cell are combined, {start} what was there"

    @property
    def cells(self) -> int:
        """How many cells it holds: what it costs a document."""
        return sum(
            len(g["elements"]) for g in (self.made["target"], *self.made["indices"], self.made["source"]) if g
        )

    @property
    def _gained(self) -> str | None:
        """The reduction of a source's gradient: one cell of it may have gone to several places."""
        return None if math.prod(self.shapes[1] or ()) >= self.moves.total else "sum"

    def _backward_rules(self) -> list[str]:
        """The rules of its backward, of each of its gradients."""
        if self.gathers:
            return [_rule(self.moves, f"grad_{self.whose}", "grad", False, "+=", "", self.shapes[2])]
        rules = ["grad_self = grad" + ("" if self.reduce else ", but 0 where self was written")]
        share = f", {SHARES[self.reduce]}" if self.reduce in SHARES else ""
        if self.learns:
            sign = SIGNS.get(self._gained or "", "=")
            rules.append(
                _rule(self.moves, f"grad_{self.named}", "grad", True, sign, self.factor, self.shapes[1])
            )
        return [rule + share for rule in rules]

    def _without_padding(self) -> Moves:
        """The moves but those from the row of an embedding that is padding: no gradient goes back to it."""
        m = self.moves
        if self.padding is None or self.padding < 0 or m.total > COUNTED:
            return m
        kept = m.there.numbers(m.space).ravel() // max(self.shapes[0][1], 1) != self.padding
        if kept.all():
            return m
        flat = [
            Cells([c.numbers(m.space).ravel()[kept]], [math.prod(c.shape)])
            for c in (m.cells, m.there, m.other)
        ]
        return m._replace(space=(int(kept.sum()),), cells=flat[0], there=flat[1], other=flat[2])

    def backward(self, step: int, arrived: Any, sent: Sequence) -> dict | None:
        """The map of the backward of what was `step`; None if these are not the gradients of what it read and wrote."""
        m = self.moves
        kept, gained, arrived = (
            None if g is None else on_host(g) for g in (*(*sent, None, None)[:2], arrived)
        )
        shape = self.shapes[0]
        shapes = zip((kept, gained, arrived), self.shapes, strict=True)
        if arrived is None or any(g is not None and g.shape != s for g, s in shapes):
            return None
        read = Side("grad", arrived)
        rules = self._backward_rules()
        if self.gathers:
            if kept is None:
                return None
            m = self._without_padding()
            made = _map(
                m, read, Side(f"grad_{self.whose}", kept), m.other, m.there, False, "sum", self.counted
            )
        elif gained is not None:
            share = "part of " if self.reduce in SHARES else self.factor
            if self.op == "index_fill" and m.total <= COUNTED:  # whose gradient counts a place once
                there, once = np.unique(m.there.numbers(m.space), return_index=True)
                cells = m.cells.numbers(m.space).ravel()[once]
                size = math.prod(shape)
                m = m._replace(space=there.shape, cells=Cells([cells], [size]), there=Cells([there], [size]))
            made = _map(
                m,
                read,
                Side(f"grad_{self.named}", gained),
                m.there,
                m.other,
                True,
                self._gained,
                self.counted,
                share,
            )
            if kept is not None:
                made["before"] = _grid(Side("grad_self", kept), made["source"].get("kept"))
        elif kept is not None and self.reduce is None:
            # Each cell goes where it is, or nowhere: no arrows.
            made = _map(m, read, Side("grad_self", kept), m.there, m.there, True, None, self.counted)
            made |= {
                "moves": [],
                "results": [],
                "target_counts": [0] * len(made["target_counts"]),
                "summary": "",
            }
            rules = rules[:1]
        else:
            return None
        if not self.gathers:
            made["drops_overwritten"] = self.reduce is None
        rule, *others = reversed(rules)
        return made | {
            "op": self.made["op"], "dim": self.made["dim"], "forward_step": step, "rule": rule, "description": "; ".join(["backward", *others]),
        }  # fmt: skip


def _held(index: Array) -> Any:
    """The elements of an index for as long as its map lives: a copy where they lie in the memory of another library, which may be gone by then."""
    host = on_host(index)
    return host if owner(host).base is None else host.copy()


def _first(arguments: dict[str, Any], *names: str) -> Any:
    return next((arguments[k] for k in names if arguments.get(k) is not None), None)


# Where cells go -------------------------------------------------------------------------------------------------------------------------


def _moves(op: str, arguments: dict[str, Any], shape: tuple, source: Any, number_of: Callable) -> Moves:
    """How an operation moves the cells of a `self` of this shape."""
    whole = shape or (1,)
    if op in ("index", "index_put", "embedding"):
        indices = arguments["indices"]
        return _subscripts(whole, [indices] if isinstance(indices, Tensor) else indices, source, number_of)
    given = _first(arguments, "index", "mask")
    array, number = _held(given._a), number_of(given)
    here = _letters(array.ndim)
    if op.startswith("masked_"):
        spread = np.broadcast_shapes(whole, array.shape)
        hit = np.flatnonzero(np.broadcast_to(array, spread))
        other = (
            _source(source, hit.shape)
            if op == "masked_fill"
            else Cells([np.arange(hit.size)], hit.shape, True)
        )
        side = Side("mask", array, number)
        return Moves(
            [side],
            [],
            hit.shape,
            _reduced(hit, spread, array.shape),
            _reduced(hit, spread, whole),
            other,
            (_broadcast_letters(array.shape, spread), _broadcast_letters(shape, spread)),
        )
    if op in ("take", "put"):
        side, own = Side("index", array, number), Cells(_grid_of(array.shape), array.shape, True)
        there = Cells([array], [math.prod(whole)])
        return Moves([side], None, array.shape, own, there, own, (here, f".flatten()[index{here}]"))
    dim = arguments["dim"]
    dim = dim + len(whole) if dim < 0 else dim
    letters = [f"[{x}]" for x in LETTERS[: len(shape)]]
    at = [*letters]
    by = [dim] if shape else []
    if op.startswith("index_"):
        flat = array.reshape(-1)
        space = (*whole[:dim], flat.size, *whole[dim + 1 :])
        grid = _grid_of(space)
        own = Cells([grid[dim]], flat.shape)
        placed = flat.reshape((-1,) + (1,) * (len(space) - dim - 1))
        there = Cells([*grid[:dim], placed.reshape((1,) * dim + placed.shape), *grid[dim + 1 :]], whole)
        other = Cells(grid, space, True) if op == "index_select" else _source(source, space)
        at[dim : dim + 1] = [f"[index{letters[dim] if array.ndim else ''}]"] if shape else []
        side = Side("index", flat, number)
    else:
        full = array.reshape(array.shape or (1,))
        space, grid = full.shape, _grid_of(full.shape)
        own = Cells(grid, space, True)
        there = Cells([*grid[:dim], full, *grid[dim + 1 :]], whole)
        other = own if op == "gather" else _source(source, space)
        if source is not None and source.ndim:
            other = Cells(grid, source.shape, source.shape == space)
        at[dim : dim + 1] = [f"[index{''.join(letters)}]"] if shape else []
        side = Side("index", array, number)
    return Moves([side], by, space, own, there, other, ("".join(letters), "".join(at)))


def _subscripts(whole: tuple, indices: Sequence, source: Any, number_of: Callable) -> Moves:
    """x[i, j], x[:, i], x[mask] and the like."""
    arrays: list[Any] = []
    given = [None if i is None else _held(i._a) for i in indices]
    for i in given:
        arrays += np.nonzero(i) if i is not None and i.dtype in (np.bool_, np.uint8) else [i]
    arrays += [None] * (len(whole) - len(arrays))
    by = [d for d, i in enumerate(arrays) if i is not None]
    spread = np.broadcast_shapes(*[arrays[d].shape for d in by])
    # Where the dimensions of the index arrays stand among those of the result.
    first = by[0] if by == list(range(by[0], by[0] + len(by))) else 0
    rest = [n for n, i in zip(whole, arrays, strict=True) if i is None]
    space = (*rest[:first], *spread, *rest[first:])
    grid = _grid_of(space)
    others = iter(grid[:first] + grid[first + len(spread) :])
    behind = (1,) * (len(rest) - first)
    placed = [
        next(others) if i is None else np.broadcast_to(i, spread).reshape((1,) * first + spread + behind)
        for i in arrays
    ]
    there, other = (
        Cells(placed, whole),
        Cells(grid, space, True) if source is None else _source(source, space),
    )
    own = Cells(grid[first : first + len(spread)], spread)
    known = [Side("mask", a, number_of(i)) for i, a in zip(indices, given, strict=False) if i is not None]
    if len(known) == 1 and (mask := known[0].array).dtype in (np.bool_, np.uint8):
        own = Cells([np.flatnonzero(mask).reshape((1,) * first + spread + behind)], [mask.size])
        letters = [f"[{x}]" for x in LETTERS[: first + mask.ndim]]
        return Moves(known, [], space, own, there, other, ("".join(letters[first:]), "".join(letters)))
    number = {id(side.array): side.number for side in known if side.array.shape == spread}
    names = ["index"] if len(by) == 1 else [f"index{k}" for k in range(len(by))]
    index = [
        Side(name, np.broadcast_to(arrays[d], spread), number.get(id(arrays[d])))
        for name, d in zip(names, by, strict=True)
    ]
    letters = [f"[{x}]" for x in LETTERS[: len(space)]]
    mine = "".join(letters[first : first + len(spread)])
    free = iter(letters[:first] + letters[first + len(spread) :])
    at = [f"[{names[by.index(d)]}{mine}]" if d in by else next(free) for d in range(len(whole))]
    return Moves(index, by, space, own, there, other, ("".join(letters), "".join(at)))


def _grid_of(shape: Sequence[int]) -> list[Any]:
    """The coordinates of all places of a shape."""
    return list(np.ogrid[tuple([slice(n) for n in shape])]) if len(shape) else []


def _source(source: Any, space: Sequence[int]) -> Cells:
    """The cells of a source that goes to all places of a space: one of its own for each, or one for several. A number has one cell."""
    shape = () if source is None else source.shape
    kept = _grid_of(space)[len(space) - len(shape) :]
    at = [np.zeros((1,) * len(space), np.int64) if n == 1 else c for n, c in zip(shape, kept, strict=True)]
    return Cells(at, shape, tuple(shape) == tuple(space))


def _reduced(hit: Any, spread: tuple, shape: tuple) -> Cells:
    """Cells of what was broadcast to `spread`, by their numbers there."""
    if shape == spread:
        return Cells([hit], [math.prod(shape)])
    at = np.unravel_index(hit, spread)[len(spread) - len(shape) :]
    return Cells([c * (n > 1) for c, n in zip(at, shape, strict=True)], shape)


def _letters(n: int) -> str:
    return "".join([f"[{x}]" for x in LETTERS[:n]])


def _broadcast_letters(shape: tuple, spread: tuple) -> str:
    """How a rule writes a place of what was broadcast from one shape to another: "[j]" of a row in a matrix."""
    last = zip(shape, spread[len(spread) - len(shape) :], LETTERS[len(spread) - len(shape) :], strict=False)
    return "".join([f"[{x}]" if n == m else "[0]" for n, m, x in last])


# As the document has it -----------------------------------------------------------------------------------------------------------------


def _map(
    m: Moves,
    read: Side,
    written: Side,
    taken: Cells,
    put: Cells,
    gathers: bool,
    reduce: str | None,
    counted: int,
    factor: str = "",
) -> dict[str, Any]:
    """The window of the moves, the parts of tensors that it touches, and what is true of the whole."""
    n, space, limits = m.total, m.space, None
    if n > WHOLE:
        limits = [1] * (len(space) - 3) + [*(WINDOW[-len(space) :] if len(space) > 1 else (COLUMNS,))]
    cells, from_cells, to_cells = (c.numbers(space, limits).ravel() for c in (m.cells, taken, put))
    source = None if read.array is None else _grid(read, _kept(read.array.shape, from_cells))
    out = _grid(written, _kept(written.array.shape, to_cells))
    if source is None:
        from_cells = np.full(cells.shape, -1)
    sign = SIGNS.get(reduce or "", "=")
    other = written if gathers else read
    rule = _rule(
        m, written.name, read.name, gathers, sign, factor, None if other.array is None else other.array.shape
    )
    undefined = not gathers and reduce is None and source is not None and read.array.size > 1
    made: dict[str, Any] = {
        "rule": rule, "gathers": gathers, "reduce": reduce, "undefined_order": undefined, "assignment": sign, "factor": factor,
        "indexed_dims": m.by, "indices": [_grid(side, _kept(side.array.shape, cells)) for side in m.arrays], "source": source, "value": None,
        "before": None, "target": out, "moves": np.stack([cells, from_cells, to_cells], 1).tolist(), "total_moves": n,
    }  # fmt: skip
    counting = space if n <= counted else None
    made["target_counts"], hit = _counts(put, counting, to_cells, written.array, out)
    made["source_counts"], used = (
        ([], None) if source is None else _counts(taken, counting, from_cells, read.array, source)
    )
    results = texts(_at(written.array, to_cells).tolist(), written.array.dtype)
    others = [0] * len(results) if gathers or hit is None else (_at(hit, to_cells) - 1).tolist()
    made["results"] = [
        f"{s} ({plural(k, 'other write')} to this cell)" if k > 0 else s
        for s, k in zip(results, others, strict=True)
    ]
    facts = [plural(n, "read" if gathers else "write")]
    facts += ["too many to look for cells that meet"] if counting is None else _facts(made, hit, used)
    made["summary"] = ", ".join(facts)
    return made


def _counts(
    cells: Cells, space: Sequence[int] | None, kept: Any, array: Any, grid: dict[str, Any]
) -> tuple[list[int], Any]:
    """How many moves there are for each cell of a grid, and for each of the whole tensor. With no space, too many to count: 1 for those
    of the moves that are kept, else -1."""
    at = grid.get("kept")
    if cells.every:
        return [1] * len(grid["elements"]), np.broadcast_to(np.int64(1), array.shape)
    if space is None:
        numbers = Cells(np.ix_(*(at or map(range, array.shape))), array.shape).numbers(
            [len(k) for k in at or []] or array.shape
        )
        return np.where(np.isin(numbers, kept), 1, -1).ravel().tolist(), None
    counts = np.bincount(
        cells.numbers(space).ravel().astype(np.intp, copy=False), minlength=array.size
    ).reshape(array.shape)
    return _part(counts, at).ravel().tolist(), counts


def _at(array: Any, cells: Any) -> Any:
    return array[np.unravel_index(cells, array.shape)] if array.ndim else np.broadcast_to(array, cells.shape)


def _facts(made: dict[str, Any], hit: Any, used: Any) -> list[str]:
    facts = []
    name = "" if used is None else made["source"]["name"]
    unused = 0 if used is None else int(used.size - np.count_nonzero(used))
    if made["gathers"]:
        often = int(np.count_nonzero(used > 1))
        facts += [f"{plural(often, 'cell')} of {name} read more than once"] if often else []
        return facts + ([f"{unused:,} not read"] if unused else [])
    collisions = int(np.count_nonzero(hit > 1))
    if collisions:
        kept = f"combined by {made['reduce']}" if made["reduce"] else "all write the same value"
        kept = "PyTorch doesn't say which value stays" if made["undefined_order"] else kept
        facts.append(f"{plural(collisions, 'collision')}: {kept}")
    facts.append(f"{plural(int(hit.size - np.count_nonzero(hit)), 'cell')} untouched")
    return facts + ([f"{plural(unused, 'cell')} of {name} not used"] if unused else [])


def _rule(m: Moves, to: str, of: str, gathers: bool, sign: str, factor: str, other: tuple | None) -> str:
    """The rule with letters: "self[index[i][j]][j] = src[i][j]". `other`: the shape of what is not self."""
    here, there = m.at
    whole = bool(other) and math.prod(other or ()) >= m.total
    if m.arrays[0].name == "mask":
        where = f"where mask{here} is True"
        if gathers:
            cells = (
                f"the cells of {of} {where}, in reading order"
                if whole
                else f"the sum of the cells of {of} {where}"
            )
            return f"{to} = {cells}"
        return f"{to}{there} {sign} {'the next cell of ' if whole else ''}{of} {where}"
    here = here if whole else ""
    return f"{to}{here} {sign} {factor}{of}{there}" if gathers else f"{to}{there} {sign} {factor}{of}{here}"


def _kept(shape: tuple, cells: Any) -> list[list[int]] | None:
    """The coordinates, along each dimension, that are kept of a tensor: what the cells touch, filled up from the start; None: all."""
    limits: list[int] = []
    left = SLICES
    for d, n in enumerate(reversed(shape)):
        limits.insert(0, min(n, ROWS if d == 1 or n <= ROWS else COLUMNS) if d < 2 else min(n, left))
        left = left if d < 2 else max(left // max(limits[0], 1), 1)
    if limits == list(shape):
        return None
    kept = []
    for n, k, touched in zip(shape, limits, np.unravel_index(cells, shape), strict=True):
        kept.append(sorted([*dict.fromkeys([*np.unique(touched)[:k].tolist(), *range(min(n, 2 * k))])][:k]))
    return kept


def _part(array: Any, at: list[list[int]] | None) -> Any:
    return array if at is None else array[np.ix_(*at)]


def _grid(side: Side, at: list[list[int]] | None) -> dict[str, Any]:
    """A `Grid` of the document: a tensor, or what is kept of it."""
    array = side.array
    grid: dict[str, Any] = {"tensor": side.number, "name": side.name, "shape": list(array.shape)}
    if at is not None:
        grid["kept"] = at
    return grid | {"elements": texts(_part(array, at).ravel().tolist(), array.dtype)}


def plural(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
