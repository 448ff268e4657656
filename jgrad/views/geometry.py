"""Where the elements of a tensor lie in its storage, and in words."""

from __future__ import annotations

from jgrad.tracing.document.schema import TraceStorage, TraceTensor

LETTERS = ["i", "j", "k", "l", "m", "n"]


def size_of(shape: list[int]) -> int:
    n = 1
    for extent in shape:
        n *= extent
    return n


def place_of(t: TraceTensor, index: list[int]) -> int:
    """The position in its storage, in elements of its own dtype, of an element of a tensor."""
    at = t["storage_offset"]
    for d in range(len(index)):
        at += index[d] * t["stride"][d]
    return at


def unravel(e: int, shape: list[int]) -> list[int]:
    """The index of the e-th element in row-major order."""
    position = [0] * len(shape)
    for d in range(len(shape) - 1, -1, -1):
        position[d] = e % max(shape[d], 1)
        e //= max(shape[d], 1)
    return position


def scale_of(s: TraceStorage, t: TraceTensor) -> tuple[int, int]:
    """How many elements of a tensor have the size of how many elements of its storage: (2, 1) for the real view of complex numbers."""
    cell = s["itemsize"]
    own = int("".join(c for c in t["dtype"] if c.isdigit()) or 8) // 8
    return max(cell // own, 1), max(own // cell, 1)


def ends_of(t: TraceTensor, scale: tuple[int, int]) -> tuple[int, int]:
    """The first and the last element of its storage that a tensor reads. If the tensor has no elements, the last is before the first."""
    elements, cells = scale
    low = t["storage_offset"]
    high = low
    for d in range(len(t["shape"])):
        reach = (t["shape"][d] - 1) * t["stride"][d]
        if reach < 0:
            low += reach
        else:
            high += reach
    first = low * cells // elements
    return first, first - 1 if 0 in t["shape"] else ((high + 1) * cells + elements - 1) // elements - 1


def covers(t: TraceTensor, numel: int) -> bool:
    """Whether a tensor reads all elements of its storage, each at one index only, or at those of a dimension with stride 0."""
    dims = [d for d in range(len(t["shape"])) if t["stride"][d] != 0 and t["shape"][d] > 1]
    dims.sort(key=lambda d: abs(t["stride"][d]))
    expected = 1
    for d in dims:
        if abs(t["stride"][d]) != expected:
            return False
        expected *= t["shape"][d]
    return expected == numel and 0 not in t["shape"]


def rule_of(t: TraceTensor) -> tuple[str, str]:
    """The stride rule as words: ("[i, j]", "3·i + j")."""
    index: list[str] = []
    said = "" if t["storage_offset"] == 0 else f"{t['storage_offset']:,}"
    for d in range(len(t["shape"])):
        stride = t["stride"][d]
        letter = LETTERS[d] if d < len(LETTERS) else f"i{d}"
        if t["shape"][d] == 1:
            letter = "0"
        index.append(letter)
        if stride == 0 or letter == "0":
            continue
        term = letter if abs(stride) == 1 else f"{abs(stride):,}·{letter}"
        sign = " − " if stride < 0 else " + "
        said = said + sign + term if said else "−" + term if stride < 0 else term
    return "[" + ", ".join(index) + "]" if index else "", said or "0"


def repeats(t: TraceTensor) -> int:
    """How often each element is seen because of strides of 0."""
    n = 1
    for d in range(len(t["shape"])):
        if t["stride"][d] == 0:
            n *= t["shape"][d]
    return n


def index_text(t: TraceTensor, places: list[list[int]]) -> str:
    """The index at which a tensor reads an element of its storage: "1,2", or "1,*" if a stride of 0 repeats it; empty if it does not read it.

    If a tensor reads an element at several indexes for another reason (overlapping windows), the text is how often. In more than three
    dimensions the index is the one in row-major order.
    """
    if not places:
        return ""
    if not t["shape"]:
        return "·"
    if len(places) > 1:
        return f"×{len(places)}"
    if len(t["shape"]) > 3:
        flat = 0
        for i, n in zip(places[0], t["shape"], strict=True):
            flat = flat * n + max(i, 0)
        return f"#{flat}"
    return ",".join(["*" if i < 0 else str(i) for i in places[0]])


def indexes(t: TraceTensor, e: int, scale: tuple[int, int] = (1, 1)) -> list[list[int]]:
    """The indexes at which a tensor reads element e of its storage, at most nine; -1 means every index of a dimension with stride 0."""
    found: list[list[int]] = []
    dims = [d for d in range(len(t["shape"])) if t["stride"][d] != 0]
    dims.sort(key=lambda d: -abs(t["stride"][d]))
    index = [-1 if n > 1 else 0 for n in t["shape"]]
    if 0 not in t["shape"]:
        elements, cells = scale
        # With the sign of its stride turned, an index counts from the other end.
        low = t["storage_offset"]
        for d in dims:
            low += min((t["shape"][d] - 1) * t["stride"][d], 0)
        for part in range(elements):
            _search(t, dims, 0, e // cells * elements + part - low, index, found)
    for known in found:
        for d in dims:
            if t["stride"][d] < 0:
                known[d] = t["shape"][d] - 1 - known[d]
    return found


def _search(
    t: TraceTensor, dims: list[int], at: int, rest: int, index: list[int], found: list[list[int]]
) -> None:
    """Go through the dimensions from the largest stride to the smallest. What the later dimensions can reach limits the index in this one."""
    if len(found) == 9:
        return
    if at == len(dims):
        if rest == 0:
            found.append(list(index))
        return
    d = dims[at]
    stride = abs(t["stride"][d])
    reach = 0
    for later in dims[at + 1 :]:
        reach += (t["shape"][later] - 1) * abs(t["stride"][later])
    low = max((rest - reach + stride - 1) // stride, 0)
    high = min(rest // stride, t["shape"][d] - 1)
    for i in range(low, min(high, low + 128) + 1):  # more than a few indexes only if windows overlap
        index[d] = i
        _search(t, dims, at + 1, rest - i * stride, index, found)
