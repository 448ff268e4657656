"""Sums of products by Einstein's convention, carried out as PyTorch does: operands brought into one order of dimensions, then multiplied
two by two with `bmm`."""

from __future__ import annotations

import functools
import math
from typing import Any

from jgrad.dispatch.signatures import shown_as
from jgrad.errors import class_name
from jgrad.ops.by_name import bmm
from jgrad.tensor import Tensor

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@shown_as(lambda equation, *operands: None)
def einsum(*args: Any) -> Tensor:
    """Sums of products of tensors, by Einstein's convention: each letter of the equation stands for a dimension."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list"
        )
    if isinstance(args[0], Tensor):
        equation, operands = _from_lists(args)
    else:
        equation, operands = args[0], list(args[1:])
    if not isinstance(equation, str):
        raise TypeError(f"einsum(): argument 'equation' (position 1) must be str, not {class_name(equation)}")
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        return einsum(equation, *operands[0])
    if not operands:
        raise RuntimeError("einsum(): must provide at least one operand")
    for number, operand in enumerate(operands):
        if not isinstance(operand, Tensor):
            raise TypeError(
                f"expected Tensor as element {number} in argument 1, but got {class_name(operand)}"
            )
    alignments, kept, ndim = _plan(equation, tuple([t._a.shape for t in operands]))
    terms = [_aligned(t, *alignment) for t, alignment in zip(operands, alignments, strict=True)]
    return _contract(terms, kept, ndim)


def _from_lists(args: tuple) -> tuple[str, list]:
    """The equation that operands with lists of subscripts stand for."""

    def text(subscripts: Any) -> str:
        letters = ""
        for s in subscripts:
            if s is Ellipsis:
                letters += "..."
            elif not isinstance(s, int) or not 0 <= s < 52:
                raise ValueError(
                    "einsum(): subscript in subscript list is not within the valid range [0, 52)"
                )
            else:
                letters += LETTERS[s]
        return letters

    pairs = len(args) // 2
    equation = ",".join([text(args[2 * i + 1]) for i in range(pairs)])
    if len(args) % 2:
        equation += "->" + text(args[-1])
    return equation, [args[2 * i] for i in range(pairs)]


def _subscripts(text: str, where: str, position: int) -> list[str]:
    """The letters of a term, with "..." as one of them."""
    found: list[str] = []
    i = 0
    while i < len(text):
        letter = text[i]
        if letter == ".":
            if "..." in found:
                raise RuntimeError(
                    f"einsum(): found '.' for {where} {'for which' if where != 'output' else 'but'} an ellipsis "
                    f"{'was already found' if where != 'output' else '(...) was already found'}"
                )
            if text[i : i + 3] != "...":
                raise RuntimeError(
                    f"einsum(): found '.' for {where} that is not part of any ellipsis{'' if where != 'output' else ' (...)'}"
                )
            found.append("...")
            i += 3
            continue
        if letter != " ":
            if letter not in LETTERS:
                raise RuntimeError(
                    f"einsum(): invalid subscript given at index {position + i} in the equation string, subscripts must be in [a-zA-Z]"
                )
            found.append(letter)
        i += 1
    return found


@functools.lru_cache(256)
def _plan(equation: str, shapes: tuple) -> tuple[list[tuple], int, int]:
    """How to bring each operand into the common order (see `_aligned`), how many dimensions the result has, and how many there are."""
    inputs, output = _parse(equation, shapes)
    others = {a for found in inputs for a in found} - set(output)
    order = output + sorted([a for a in others if not isinstance(a, str)])
    order += [a for a in LETTERS if a in others]
    alignments = []
    for found in inputs:
        labels, diagonals, i = list(found), [], 0
        while i < len(labels):
            first = labels.index(labels[i])
            if first == i:
                i += 1
            else:
                diagonals.append((first, i))
                del labels[i]
        missing = [a for a in order if a not in labels]
        places = labels + missing
        alignments.append((diagonals, len(missing), tuple([places.index(a) for a in order])))
    return alignments, len(output), len(order)


def _parse(equation: str, shapes: tuple) -> tuple[list[list], list]:
    """The subscripts of each operand and of the result. Dimensions under an ellipsis get numbers, counted from the last (-1)."""
    left, arrow, right = equation.partition("->")
    terms, position, inputs = left.split(","), 0, []
    for number, term in enumerate(terms):
        found = _subscripts(term, f"operand {number}", position)
        position += len(term) + 1
        if number >= len(shapes):
            raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
        inputs.append(found)
    if len(terms) < len(shapes):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    covered = 0  # dimensions under the ellipsis
    for number, (found, shape) in enumerate(zip(inputs, shapes, strict=True)):
        ndim, letters = len(shape), len(found) - ("..." in found)
        if "..." in found:
            if letters > ndim:
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({letters}) is more than the number of dimensions ({ndim}) for "
                    f"operand {number}"
                )
            covered = max(covered, ndim - letters)
            i = found.index("...")
            found[i : i + 1] = range(letters - ndim, 0)
        elif letters != ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({letters}) does not match the number of dimensions ({ndim}) for "
                f"operand {number} and no ellipsis was given"
            )
    seen: dict[Any, int] = {}
    for number, (found, shape) in enumerate(zip(inputs, shapes, strict=True)):
        mine: dict[Any, int] = {}
        for label, size in zip(found, shape, strict=True):
            if label in mine and mine[label] != size:
                raise RuntimeError(
                    f"einsum(): subscript {label} is repeated for operand {number} but the sizes don't match, {size} != {mine[label]}"
                )
            mine[label] = size
            if seen.get(label, 1) != 1 and size not in (1, seen[label]):
                what = f"subscript {label}" if isinstance(label, str) else "dimension under the ellipsis"
                raise RuntimeError(
                    f"einsum(): {what} has size {size} for operand {number} which does not broadcast with previously seen size "
                    f"{seen[label]}"
                )
            seen[label] = max(size, seen.get(label, size)) if size != 0 else 0
    numbers = list(range(-covered, 0))
    if not arrow:
        once = [a for a in seen if isinstance(a, str) and sum(found.count(a) for found in inputs) == 1]
        return inputs, numbers + sorted(once)
    output = _subscripts(right, "output", len(left) + 2)
    for i, label in enumerate(output):
        if label == "...":
            continue
        if label in output[:i]:
            raise RuntimeError(f"einsum(): output subscript {label} appears more than once in the output")
        if label not in seen:
            raise RuntimeError(
                f"einsum(): output subscript {label} does not appear in the equation for any input operand"
            )
    if "..." in output:
        i = output.index("...")
        output[i : i + 1] = numbers
    return inputs, output


def _contract(terms: list, kept: int, ndim: int) -> Tensor:
    """Multiply from left to right; a dimension that the result lacks is summed as soon as no later operand has it."""
    summed = range(kept, ndim)
    if len(terms) == 1:
        return terms[0].sum(list(summed)) if summed else terms[0]
    # How many of the operands not yet multiplied (and of the product so far) have each dimension.
    count = {d: sum(t._a.shape[d] != 1 for t in terms) for d in summed}
    product = terms[0]
    for term in terms[1:]:
        joined: list[int] = []
        left: list[int] = []
        right: list[int] = []
        for d in summed:
            here, there = product._a.shape[d] != 1, term._a.shape[d] != 1
            if here and there:
                count[d] -= 1
                if count[d] == 1:
                    joined.append(d)
                    count[d] = 0
            elif count[d] == 1 and (here or there):
                (left if here else right).append(d)
                count[d] = 0
        if left:
            product = product.sum(left, keepdim=True)
        if right:
            term = term.sum(right, keepdim=True)
        product = _product(product, term, joined)
    return product.view(product._a.shape[:kept]) if summed else product


def _aligned(t: Tensor, diagonals: list, missing: int, order: tuple) -> Tensor:
    """An operand with its dimensions in the common order, size 1 where it has none; of repeated subscripts the diagonal."""
    for first, second in diagonals:
        t = t.diagonal(0, first, second).movedim(-1, first)
    for _ in range(missing):
        t = t.unsqueeze(-1)
    return t.permute(order)


def _product(a: Tensor, b: Tensor, joined: list[int]) -> Tensor:
    """The product of two aligned operands, summed over the dimensions `joined` (kept with size 1).

    The operand whose dimensions all come first in the result stands on the left, so that the result is in order."""
    if not joined:
        return a * b
    both: list[int] = []
    left: list[int] = []
    right: list[int] = []
    shapes = a._a.shape, b._a.shape
    for d in range(len(shapes[0])):
        here, there = shapes[0][d] != 1, shapes[1][d] != 1
        if d in joined:
            continue
        (both if here and there else left if here else right).append(d)
    if left and right and right[-1] < left[0]:
        a, b, left, right, shapes = b, a, right, left, shapes[::-1]

    def size(dims: list[int], shape: tuple) -> int:
        return math.prod([shape[d] for d in dims])

    batch, m, n = size(both, shapes[0]), size(left, shapes[0]), size(right, shapes[1])
    inner = size(joined, shapes[0])
    result = bmm(
        a.permute(tuple(both + left + joined + right)).reshape((batch, m, inner)),
        b.permute(tuple(both + joined + right + left)).reshape((batch, inner, n)),
    )
    placed = both + left + joined + right
    sizes = [shapes[0][d] for d in both + left] + [1] * len(joined) + [shapes[1][d] for d in right]
    return result.view(tuple(sizes)).permute(tuple([placed.index(d) for d in range(len(placed))]))
