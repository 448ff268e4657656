"""The subset of Python that is translated: a function for each construct. Its result must be the same in both languages.

A value that went through `anything` has a type that the translator does not know, so that the operators of `js/src/python.ts` are used.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cached_property
from operator import itemgetter
from typing import Any, Generic, NotRequired, TypedDict, TypeVar, cast

T = TypeVar("T")
LIMIT = 3
LEFT, RIGHT = 10, "right"
WORDS: dict[str, int] = {"one": 1, "two": 2}
NAME = re.compile(r"(old )?([a-z]+)\Z")
DIGITS = re.compile(r"\[(\d+)\]", re.ASCII)
second = itemgetter(1)


def anything(x: Any) -> Any:
    return x


class Point(TypedDict):
    x: int
    y: int | None
    name: NotRequired[str]
    rest: NotRequired[list[Point]]


class History(dict[int, list[T]], Generic[T]):
    def add(self, key: int, what: T) -> None:
        known = self.get(key)
        if known is None:
            self[key] = [what]
        else:
            known.append(what)

    def latest(self, key: int) -> T | None:
        known = self.get(key, [])
        return known[-1] if known else None


class Counter:
    """A class with attributes, methods, properties and a closure that uses `self`."""

    def __init__(self, begin: int, step: int = 2) -> None:
        self.value, self.step = begin, step
        self.seen: list[int] = []
        self.computed = 0

    def advance(self, times: int = 1) -> int:
        def once() -> None:
            self.value += self.step
            self.seen.append(self.value)

        for _ in range(times):
            once()
        return self.value

    @property
    def double(self) -> int:
        return self.value * 2

    @cached_property
    def kept(self) -> list[int]:
        self.computed += 1
        return [self.value]


# Numbers and texts ------------------------------------------------------------------------------------


def arithmetic() -> Any:
    a, b = 7, -2
    return [
        a + b,
        a - b,
        a * b,
        a // b,
        a % b,
        -a % 5,
        7.5 // 2,
        7 / 2,
        -a,
        abs(b),
        int(-3.7),
        int("12"),
        float("1.5") * 2,
    ]


def augmented() -> Any:
    n, s, xs, d = 1, "a", [1, 2], {1: 5}
    n += 2
    n *= 5
    n -= 1
    n //= 4
    s += "b"
    xs[1] += 5
    d[1] += 1
    p: Point = {"x": 1, "y": None}
    p["x"] += 4
    return [n, s, xs, d[1], p["x"]]


def comparisons() -> Any:
    a, b, c = 1, 2, 2
    return [
        a < b <= c,
        a < b < c,
        a == b,
        b == c,
        a != b,
        b >= c,
        [1, [2]] == [1, [2]],
        (1, 2) != (1, 3),
        "a" < "b",
        None is None,
    ]


def comparisons_of_anything() -> Any:
    xs, none = anything([1, [2]]), anything(None)
    return [
        xs == anything([1, [2]]),
        xs == anything([1]),
        none == anything(None),
        none is None,
        xs is not None,
        anything("a") == "a",
    ]


def truth() -> Any:
    return [
        [bool(x) for x in [0, 1, -1]], [bool(s) for s in ["", "a"]], [bool(xs) for xs in [[], [0]]], bool({}), bool(set()), bool({1: 2}),
        not [], not "a", bool(None),
    ]  # fmt: skip


def truth_of_anything() -> Any:
    return [1 if anything(x) else 0 for x in [0, 1, "", "a", [], [0], None, {}, {1: 2}, set(), {1}, False]]


def and_or() -> Any:
    empty: list[int] = []
    return [
        0 or 5,
        "" or "x",
        empty or [1],
        [2] or [1],
        3 and 4,
        0 and 4,
        empty and [1],
        [1] and [2],
        anything([]) or 7,
        anything([0]) and 7,
        None or "n",
    ]


def conditional() -> Any:
    return ["yes" if n > 1 else "no" for n in (1, 2)]


def texts() -> Any:
    s = "  Backward of Back  "
    return [
        s.strip(), s.rstrip(), s.lstrip(), s.find("Back"), s.rfind("Back"), "a,b,,c".split(","), s.replace("Back", "$&"), s.strip().startswith("Back"),
        s.endswith(("x", " ")), "aB".lower(), "aB".upper(), "12".isdigit(), "1a".isdigit(), "".isdigit(), ", ".join(["a", "b"]), "abc"[1:], "abc"[-1], "abc"[0],
        "x" * 3, "x" * -1, 2 * "ab", "ab" in "cabd", len("abc"), "\"quoted\" `${x}` \\ \n",
    ]  # fmt: skip


def formats() -> Any:
    n: int | None = None
    return [
        f'{1234567:,} of {12} {"text"} `${{x}}` "q" \\',
        f"{n}",
        f"{True}",
        f"{anything(None)} {anything(2)}",
        str(5),
        str(anything("s")),
        f"{-1234:,}",
        f"{LIMIT}",
    ]


def characters() -> Any:
    return [[ord(ch) for ch in "a漢😀"], list("a😀b")[1], "".join(list("漢😀")[0:1])]


# Lists, sets, dicts -----------------------------------------------------------------------------------


def lists() -> Any:
    xs = [3, 1, 2]
    xs.append(5)
    xs.extend([8, 9])
    xs.insert(1, 7)
    last = xs.pop()
    xs[0] = 30
    ys = [*xs, last, *[0] * 2]
    return [
        xs,
        last,
        ys,
        xs[1:3],
        xs[:-1],
        xs[-2:],
        xs[:0],
        xs[9:],
        xs[-0:],
        xs[-1],
        len(xs),
        xs + [1],
        [0, 1] * 2,
        xs.index(7),
        list(xs) == xs,
        [] + [1],
    ]


def lists_of_lists() -> Any:
    xs = [[1, 2], [3]]
    return [[3] in xs, [4] in xs, xs.index([3]), [1, 2] not in xs, anything([3]) in anything(xs)]


def tuples() -> Any:
    pair = (1, "a")
    n, s = pair
    (a, b), *rest = [(1, 2), (3, 4), (5, 6)]
    a, b = b, a
    return [n, s, pair[0], pair[-1], [a, b], rest, (1, 2) + (3,), [*pair, 2]]


def sorting() -> Any:
    pairs = [(2, "b"), (1, "z"), (2, "a")]
    numbers = [10, 9, 1, 100]
    numbers.sort()
    pairs.sort(key=lambda p: p[1])
    return [
        sorted({3, 11, 2}), sorted([(2, 1), (1, 5), (1, 2), (1,)]), sorted(pairs), sorted(pairs, key=lambda p: -p[0]), numbers, pairs, sorted(["b", "B", "a"]),
        sorted(pairs, key=second),
    ]  # fmt: skip


def extremes() -> Any:
    empty: list[int] = []
    return [
        max(1, 3, 2),
        min(2.5, 1),
        max([4, 9, 2]),
        min([4, 9, 2]),
        max(empty, default=-1),
        max([n for n in (1, 2)] + [0]),
        min({5, 3}),
        max("abc"),
    ]


def sets() -> Any:
    s = {1, 2}
    s.add(3)
    s.update([4, 5])
    more = set([5, 6]) | {7}
    return [
        sorted(s),
        3 in s,
        9 not in s,
        len(s),
        sorted(more),
        sorted(n for n in s if n > 3),
        sorted({n % 2 for n in s}),
        sorted(list(set())),
    ]


def dicts() -> Any:
    d: dict[int, list[str]] = {}
    d.setdefault(1, []).append("a")
    d.setdefault(1, []).append("b")
    d[2] = ["c"]
    named: dict[str, int] = {}
    named["x"] = named.get("x", 0) + 1
    by = {k: v for k, v in [(1, "one"), (2, "two")]}
    copy = dict(by)
    copy[3] = "three"
    return [
        d[1], d.get(9), d.get(9, ["none"]), 2 in d, 3 not in d, len(d), list(d), list(d.items()), list(d.values()), list(named.items()), by[2], len(by), len(copy),
        list(WORDS), WORDS["two"], [k for k in d], {1: "a"}[1], list(d.keys()),
    ]  # fmt: skip


def records() -> Any:
    p: Point = {"x": 1, "y": None}
    q: Point = {**p, "x": 5, "name": "q"}
    p["y"] = 3
    return [
        p["x"], p["y"], q["x"], q["y"], "name" in p, "name" in q, p.get("name"), p.get("name", "unnamed"), q.get("y", 7), q.get("rest", []), sorted(q), [k for k in p],
        {"a": 1, "b": 2}[RIGHT[:0] + "b"], list({"a": 1, "b": 2}.items()), len(dict(q)),
    ]  # fmt: skip


def subscripts_of_anything() -> Any:
    xs, d, r = anything([1, 2, 3]), anything({1: "a"}), anything({"x": [4]})
    n = -1
    xs[0] = 9
    d[2] = "b"
    r["y"] = 5
    return [
        xs[1],
        xs[n],
        d[1],
        d[2],
        r["x"],
        r["y"],
        2 in d,
        9 in d,
        3 in xs,
        "x" in r,
        len(xs),
        len(d),
        xs[1:],
        d.get(5, "none"),
        r.get("z"),
        [k for k in d],
        xs + [4],
        xs * 2,
    ]


def comprehensions() -> Any:
    rows = [[1, 2], [3]]
    return [
        [n * 2 for n in (1, 2, 3)], [n for n in (1, 2, 3) if n != 2], [n for row in rows for n in row if n > 1], [(a, b) for a in "ab" for b in range(2)],
        [x for x, _ in [(1, 2), (3, 4)]], [{"x": n, "y": None} for n in range(2)], any(n > 2 for n in (1, 3)), all([n > 2 for n in (1, 3)]), any([]), all([]),
        any(n for row in rows for n in row), [i for i, n in enumerate([5, 6])], [a * b for a, b in zip([1, 2], [3, 4], strict=True)], len([1 for n in (1, 2) if n > 1]),
        any(n > 1 for n in (1, 2) if n != 2), [ch for ch in "a😀"], sum_of(n for n in (1, 2)),
    ]  # fmt: skip


def sum_of(numbers: Any) -> int:
    total = 0
    for n in numbers:
        total += n
    return total


def scopes_of_comprehensions() -> Any:
    n = 5
    xs = [n for n in range(3)]
    return [n, xs, [n + m for m in xs]]


# Statements -------------------------------------------------------------------------------------------


def loops() -> Any:
    seen: list[Any] = []
    for i in range(5):
        if i == 1:
            continue
        if i == 4:
            break
        seen.append(i)
    for i in range(5, 0, -2):
        seen.append(i)
    for i in range(2, 4):
        seen.append(i)
        i = 100
    seen.append(i)
    for a, (b, c) in [(1, (2, 3))]:
        seen.append(a + b + c)
    n = 3
    while n:
        n -= 1
    for k, v in {1: "a"}.items():
        seen.append([k, v])
    for k in {7: 1, 8: 2}:
        seen.append(k)
    for ch in "漢😀":
        seen.append(ch)
    for n in range(len(seen)):
        seen.append(n)
    return [seen, n]


def counters() -> Any:
    seen: list[Any] = []
    later: list[Any] = []
    for i in range(3):
        for j in range(i, 3):
            if j == 2:
                continue
            seen.append((i, j))
    for i in range(2):
        seen.append([i * n for n in range(i + 1)])
    k = 2
    for k in range(k):
        seen.append(k)
    for m in range(3):
        later.append(lambda: m)  # noqa: B023  (the last value, at each call)
    for n in range(4):
        if n == 2:
            break
    size = len(seen)
    for at in range(size):
        size += at
    return [seen, k, [call() for call in later], n, size]


def branches() -> Any:
    found = []
    for n in range(4):
        if n == 0:
            found.append("zero")
        elif n in (1, 2):
            pass
        else:
            found.append("many")
    return found


def walrus() -> Any:
    xs, found = [3, 2, 0, 1], []
    while (n := xs[len(found)]) and len(found) < 3:
        found.append(n)
    if (m := len(found)) > 1:
        found.append(m)
    return found


def functions() -> Any:
    def inner(n: int, by: int = 2) -> int:
        return n * by + outer

    outer = 100
    double: Callable[[int], int] = lambda n: n * 2
    return [
        inner(1),
        inner(1, 3),
        double(4),
        optional(1),
        optional(1, c=5),
        optional(1, 2, 3),
        starred("a", 1, 2),
        starred("b"),
        starred("c", *[7, 8]),
        nothing(),
        new(1),
    ]


def optional(a: int, b: int = 2, c: int = 3) -> list[int]:
    return [a, b, c]


def starred(first: str, *rest: int) -> Any:
    return [first, list(rest)]


def nothing() -> None:
    return


def new(var: int) -> int:
    this, function = var, 2  # words of JavaScript
    return this + function


def classes() -> Any:
    c = Counter(1)
    h: History[str] = History()
    h.add(1, "a")
    h.add(1, "b")
    d = Counter(5, step=5)
    return [
        c.advance(),
        c.advance(times=2),
        c.double,
        c.seen,
        c.kept,
        c.advance(),
        c.kept,
        c.computed,
        h.latest(1),
        h.latest(2),
        len(h),
        1 in h,
        list(h),
        d.advance(),
        not History(),
    ]


def globals_of_the_module() -> Any:
    return [LIMIT, LEFT, RIGHT]


# The library ------------------------------------------------------------------------------------------


def expressions() -> Any:
    found = NAME.match("old name")
    none = NAME.match("other name?")
    plain = NAME.match("name")
    return [
        found[1] if found else None, found[2] if found else None, none is None, plain[1] if plain else 0, [m[1] for m in DIGITS.finditer("a[1][22]")],
        [m.start() for m in DIGITS.finditer("a[1][22]")], DIGITS.sub(r"<\1>$", "x[3].y[4]"), bool(DIGITS.search("x[5]")), re.search("b+", "abbc")[0],
    ]  # fmt: skip


def library() -> Any:
    xs = [1, 3, 3, 5]
    return [
        math.prod([2, 3, 4]), math.prod([]), math.floor(-1.5), math.ceil(1.2), bisect_left(xs, 3), bisect_right(xs, 3), bisect_left([(1, "a"), (4, "b")], 2, key=itemgetter(0)),
        isinstance(anything("s"), str), isinstance(anything(1), str), cast(int, anything(5)) + 1,
    ]  # fmt: skip
