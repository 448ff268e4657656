"""Which of equal elements PyTorch chooses, and in which order it leaves them, where it sorts and selects without being asked for stability.

That is decided by the algorithms of the C++ library it is built with on Linux: quicksort by the median of three with insertion sort for what is
short, heaps, and quickselect. They are followed here step by step, on lists of Python integers (`keys`, smallest first); slow, so that only
small rows with equal elements are sent here.
"""

from __future__ import annotations

from typing import Any

FEW = 8192  # elements (of rows that have equal ones) for which PyTorch's order is followed
SHORT = 16  # what is not longer is sorted by insertion, which is stable

Pair = Any  # (key, position)


def sorted_positions(keys: list[int]) -> list[int]:
    pairs = [(key, i) for i, key in enumerate(keys)]
    sort(pairs, 0, len(pairs))
    return [i for _, i in pairs]


def first_positions(keys: list[int], k: int, in_order: bool) -> list[int]:
    """The positions of the k smallest, as topk leaves them."""
    pairs = [(key, i) for i, key in enumerate(keys)]
    n = len(pairs)
    if k * 64 <= n:
        select_by_heap(pairs, 0, k, n)
        sort_heap(pairs, 0, k)
    elif k:
        select(pairs, k - 1)
        if in_order:
            sort(pairs, 0, k - 1)
    return [i for _, i in pairs[:k]]


def kth_position(keys: list[int], k: int) -> int:
    """The position of the k-th smallest (from 0), as kthvalue finds it by quickselect."""
    a = [(key, i) for i, key in enumerate(keys)]
    low, high = 0, len(a) - 1

    def order(i: int, j: int) -> None:
        if a[i][0] > a[j][0]:
            a[i], a[j] = a[j], a[i]

    while high > low + 1:
        middle = low + (high - low) // 2
        a[middle], a[low + 1] = a[low + 1], a[middle]
        order(low + 1, high)
        order(low, high)
        order(low + 1, low)
        pivot, i, j = a[low][0], low + 1, high
        while True:
            i += 1
            while a[i][0] < pivot:
                i += 1
            j -= 1
            while a[j][0] > pivot:
                j -= 1
            if j < i:
                break
            a[i], a[j] = a[j], a[i]
        a[low], a[j] = a[j], a[low]
        if j <= k:
            low = i
        if j >= k:
            high = j - 1
    if high == low + 1:
        order(low, high)
    return a[k][1]


# ----- The algorithms of the C++ library, on a[first:last] -----


def sort(a: list[Pair], first: int, last: int) -> None:
    if last - first < 2:
        return
    sort_roughly(a, first, last, 2 * ((last - first).bit_length() - 1))
    end = min(first + SHORT, last)
    insert_all(a, first, end)
    for i in range(end, last):
        insert(a, i)


def sort_roughly(a: list[Pair], first: int, last: int, depth: int) -> None:
    """Until nothing unsorted is longer than SHORT."""
    while last - first > SHORT:
        if depth == 0:
            select_by_heap(a, first, last, last)
            sort_heap(a, first, last)
            return
        depth -= 1
        cut = partition(a, first, last)
        sort_roughly(a, cut, last, depth)
        last = cut


def select(a: list[Pair], nth: int) -> None:
    """Put the element there that belongs there, smaller ones before it."""
    first, last = 0, len(a)
    depth = 2 * (last.bit_length() - 1)
    while last - first > 3:
        if depth == 0:
            select_by_heap(a, first, nth + 1, last)
            a[first], a[nth] = a[nth], a[first]
            return
        depth -= 1
        cut = partition(a, first, last)
        if cut <= nth:
            first = cut
        else:
            last = cut
    insert_all(a, first, last)


def partition(a: list[Pair], first: int, last: int) -> int:
    """Divide around the median of the second, the middle and the last element; gives the beginning of the larger ones."""
    x, y, z = first + 1, first + (last - first) // 2, last - 1
    low, high = (x, y) if a[x][0] < a[y][0] else (y, x)
    median = high if a[high][0] < a[z][0] else z if a[low][0] < a[z][0] else low
    a[first], a[median] = a[median], a[first]
    pivot, i, j = a[first][0], first + 1, last
    while True:
        while a[i][0] < pivot:
            i += 1
        j -= 1
        while pivot < a[j][0]:
            j -= 1
        if not i < j:
            return i
        a[i], a[j] = a[j], a[i]
        i += 1


def insert_all(a: list[Pair], first: int, last: int) -> None:
    for i in range(first + 1, last):
        pair = a[i]
        if pair[0] < a[first][0]:
            a[first + 1 : i + 1] = a[first:i]
            a[first] = pair
        else:
            insert(a, i)


def insert(a: list[Pair], i: int) -> None:
    """Among the sorted ones before it, one of which is not larger."""
    pair = a[i]
    while pair[0] < a[i - 1][0]:
        a[i] = a[i - 1]
        i -= 1
    a[i] = pair


def select_by_heap(a: list[Pair], first: int, middle: int, last: int) -> None:
    """The smallest elements form a heap at the beginning."""
    n = middle - first
    for parent in range((n - 2) // 2, -1, -1) if n > 1 else ():
        sift(a, first, parent, n, a[first + parent])
    for i in range(middle, last):
        if a[i][0] < a[first][0]:
            pair, a[i] = a[i], a[first]
            sift(a, first, 0, n, pair)


def sort_heap(a: list[Pair], first: int, last: int) -> None:
    while last - first > 1:
        last -= 1
        pair, a[last] = a[last], a[first]
        sift(a, first, 0, last - first, pair)


def sift(a: list[Pair], first: int, hole: int, n: int, pair: Pair) -> None:
    """Put a pair into a heap with a hole: the hole sinks to the bottom, then the pair rises."""
    top = child = hole
    while child < (n - 1) // 2:
        child = 2 * (child + 1)
        if a[first + child][0] < a[first + child - 1][0]:
            child -= 1
        a[first + hole] = a[first + child]
        hole = child
    if n % 2 == 0 and child == (n - 2) // 2:
        child = 2 * child + 1
        a[first + hole] = a[first + child]
        hole = child
    while hole > top and a[first + (hole - 1) // 2][0] < pair[0]:
        a[first + hole] = a[first + (hole - 1) // 2]
        hole = (hole - 1) // 2
    a[first + hole] = pair
