"""The values and contents of a trace document: what arrays held, as text, and how large gradients were."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jgrad.tracing.document.bfloat16 import INFINITE, NONE, codes
from jgrad.tracing.document.rounds import encoded
from jgrad.tracing.document.schema import Bands, Contents, Value
from jgrad.tracing.record.contents import (
    ENDS,
    F64,
    Ends,
    Held,
    band_size,
    bands_of,
    dtype_name,
    not_finite,
    plain,
    rows_of_floats,
    texts,
)


def cells_of(raw: tuple[int, Held], dtype: Any) -> Contents:
    """`Contents` of a trace document. `fill_texts` adds the elements, if there are any."""
    numel, held = raw
    if held is None:
        return {"numel": numel, "elements": [], "head": 0, "tail": 0}
    if isinstance(held, Ends):
        return {
            "numel": numel,
            "elements": [],
            "head": ENDS,
            "tail": ENDS,
            "bands": _bands(numel, held, dtype),
        }
    return {"numel": numel, "elements": [], "head": numel, "tail": 0}


def _bands(numel: int, held: Ends, dtype: Any) -> Bands:
    means, least, largest = held.bands or bands_of(np.frombuffer(held.sample, dtype), held.step, numel)
    style = [x for x in (least, largest) if x is not None]
    if dtype.kind in "biu":
        written = [str(bool(x)) if dtype.kind == "b" else str(int(x)) for x in style]
    else:
        written = texts(style, F64)
    first, last = written or (None, None)
    return {
        "size": band_size(numel),
        "step": held.step,
        "means": encoded(np.frombuffer(means).astype(np.float32)),
        "least": first,
        "largest": last,
    }


def holds_nan(cells: Contents) -> bool | None:
    """Whether contents hold nan; None if that is not known, since not all elements were read."""
    if _shows(cells, "nan"):
        return True
    if any(code != NONE and abs(code) > INFINITE for code in _means(cells)):
        return True
    whole = cells["head"] == cells["numel"] or ("bands" in cells and cells["bands"]["step"] == 1)
    return False if whole else None


def holds_infinity(cells: Contents) -> bool:
    """Whether contents hold an infinity, as far as that is known."""
    return (
        _shows(cells, "inf") or _shows(cells, "-inf") or any(abs(code) == INFINITE for code in _means(cells))
    )


def _shows(cells: Contents, what: str) -> bool:
    """Whether one of the printed elements is nan or infinite. Of a complex number a part may be: "nan+0.j"."""
    texts = cells["elements"]
    return what in texts or (bool(texts) and texts[0].endswith("j") and any(what in text for text in texts))


def _means(cells: Contents) -> list[int]:
    """The means of a large storage's bands, as codes."""
    return codes(cells["bands"]["means"]) if "bands" in cells else []


def value_of(raw: tuple) -> Value:
    """`Value` of a trace document; if there is any text, `fill_texts` adds it."""
    shape, dtype, data, measured = raw
    value: Any = {"shape": list(shape), "dtype": dtype_name(dtype), "elements": None}
    if data is not None:
        return value
    if measured.__class__ is float:
        return value | {"norm": plain(math.sqrt(measured))}
    return value | measured


def as_value(raw: tuple | None) -> Value | None:
    """`Value` of a trace document with its text."""
    value = None if raw is None else value_of(raw)
    if value is not None and raw is not None and raw[2] is not None:
        fill_texts([(value, raw[1], raw[2])])
    return value


def fill_texts(unfilled: Sequence[tuple[Value | Contents, Any, bytes]]) -> None:
    """Add the text of their elements to values and contents: (it, dtype, bytes). Those of one dtype and length are written together, which
    takes a third of the time."""
    for (dtype, size), group in _alike(unfilled).items():
        kind = dtype.kind
        elements = _rows([data for _, _, data in group], dtype)
        rows = elements.tolist()
        if kind in "fV" and size:
            texts_of_rows = rows_of_floats(elements.astype(np.float64))
        else:
            texts_of_rows = [texts(row, dtype) for row in rows]
        for (it, _, _), row, text in zip(group, rows, texts_of_rows, strict=True):
            it["elements"] = text
            if kind in "fiuV" and "shape" in it:
                it |= _measured(row)


def _measured(elements: list) -> dict[str, Any]:
    """The norm of what is kept in full, and how many elements are no numbers."""
    norm = math.hypot(*elements)
    if norm - norm == 0:
        return {"norm": plain(norm) if elements else None}
    known = [x for x in elements if x == x]
    nan, inf = len(elements) - len(known), len([x for x in known if x - x != 0])
    return {"norm": plain(math.hypot(*known)) if known else None} | not_finite(nan, inf)


def fill_changed(writes: Sequence[tuple[Any, Any, bytes, bytes]]) -> None:
    """Fill in the places that small writes changed: (write, dtype, contents before, contents after)."""
    for (dtype, _), group in _alike(writes).items():
        before, after = (_rows([one[k] for one in group], dtype) for k in (2, 3))
        differs = before != after
        if dtype.kind in "fcV":
            differs &= (before == before) | (after == after)
        rows, places = np.nonzero(differs)
        ends, found = np.searchsorted(rows, np.arange(len(group) + 1)).tolist(), places.tolist()
        for (write, *_), begin, end in zip(group, ends, ends[1:], strict=False):
            write["changed_elements"] = found[begin:end]


def _alike(todo: Sequence[tuple]) -> dict[tuple[Any, int], list[tuple]]:
    """Entries (it, dtype, bytes, ...) whose contents are of one dtype and length."""
    found: dict[tuple[Any, int], list] = {}
    for one in todo:
        found.setdefault((one[1], len(one[2])), []).append(one)
    return found


def _rows(contents: list[bytes], dtype: Any) -> Any:
    return np.frombuffer(b"".join(contents), dtype).reshape(len(contents), len(contents[0]) // dtype.itemsize)
