"""How layers run on a whole batch at once: convolutions, pooling, normalizations, losses of classes, tables and indexing.

More rules for `batching.py`, which see. Most of them make one of the dimensions that an operation treats alike longer by the batch.
"""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import TABLE
from jgrad.dispatch.batched import Batched, everywhere, tensors_among, whole_array
from jgrad.kernels import libraries
from jgrad.ops.creation import ones
from jgrad.ops.from_data import tensor
from jgrad.ops.ranges import arange
from jgrad.tensor import Tensor
from jgrad.transforms.batching import Result, plain, results_of, rule, size_of_batch, way


def run(name: str, arguments: list[Any]) -> Any:
    """An operation by its name."""
    return TABLE[name].overloads[0].run(arguments)


def is_shared(*tensors: Batched | None) -> bool:
    """Whether these are the same for all examples."""
    return all([t is None or t.bdim is None for t in tensors])


def value_of(t: Batched | None) -> Tensor | None:
    return None if t is None else t.value


def folded(t: Tensor, dim: int = 0) -> Tensor:
    """The batch, which is in front, made part of another dimension of the examples."""
    t = t if dim == 0 else t.movedim(0, dim)
    shape = t._a.shape
    return t.reshape((*shape[:dim], shape[dim] * shape[dim + 1], *shape[dim + 2 :]))


def unfolded(t: Tensor, size: int, dim: int = 0) -> Tensor:
    """The batch in front again."""
    shape = t._a.shape
    t = t.reshape((*shape[:dim], size, shape[dim] // size, *shape[dim + 1 :]))
    return t if dim == 0 else t.movedim(dim, 0)


# Whatever treats each image of several, or each channel of one, by itself -------------------------------------------------------


@way("images")
def image_by_image(overload: Any, values: list[Any]) -> list[Result] | None:
    tensors, size = tensors_among(values), size_of_batch(values)
    if not size or len({(t._a.ndim, t._a.shape[:1]) for t in tensors}) > 1 or tensors[0]._a.ndim < 2:
        return None
    some: Any = next(t for t in tensors if t.bdim is not None)
    arguments = [folded(everywhere(v, some)) if isinstance(v, Batched) else v for v in values]
    returned = overload.run(arguments)
    several = returned if isinstance(returned, (tuple, list)) else (returned,)
    return [(unfolded(t, size), 0) for t in several]


# Convolutions -------------------------------------------------------------------------------------------------------------------


@rule("convolution")
def convolved(overload: Any, values: list[Any]) -> list[Result] | None:
    """With one kernel for all, the images of all examples; with a kernel each, the examples' channels side by side in groups."""
    source, weight, bias, *geometry, groups = values
    size, transposed = size_of_batch(values), geometry[3]
    if not size or source._a.ndim != weight._a.ndim:
        return None
    if is_shared(weight, bias):
        result = overload.run([folded(source.front), weight.value, value_of(bias), *geometry, groups])
        return results_of(unfolded(result, size), 0)
    if transposed:
        return None
    result = overload.run(
        [
            folded(everywhere(source, source), 1),
            folded(everywhere(weight, weight)),
            None if bias is None else folded(everywhere(bias, bias)),
            *geometry,
            groups * size,
        ]
    )
    return results_of(unfolded(result, size, 1), 0)


@rule("convolution_backward")
def convolved_backward(overload: Any, values: list[Any]) -> list[Result] | None:
    grad, source, weight, *geometry, groups, output_mask = values
    size, transposed = size_of_batch(values), geometry[3]
    if (
        not size
        or grad._a.ndim != weight._a.ndim
        or (transposed and (output_mask[1] or not is_shared(weight)))
    ):
        return None
    g: Any = everywhere(grad, grad)
    results: list[Result] = []
    none: Result = (g.new_empty((0,)), None)
    if not output_mask[0]:
        results.append(none)
    elif is_shared(weight):
        shape = (size * source._a.shape[0], *source._a.shape[1:])
        found = run("convolution_input", [folded(g), weight.value, shape, *geometry, groups])
        results.append((unfolded(found, size), 0))
    else:
        shape = (source._a.shape[0], size * source._a.shape[1], *source._a.shape[2:])
        kernels = folded(everywhere(weight, weight))
        found = run("convolution_input", [folded(g, 1), kernels, shape, *geometry, groups * size])
        results.append((unfolded(found, size, 1), 0))
    if output_mask[1]:
        images, shape = (
            folded(everywhere(source, source), 1),
            (size * weight._a.shape[0], *weight._a.shape[1:]),
        )
        found = run("convolution_weight", [folded(g, 1), images, shape, *geometry, groups * size])
        results.append((unfolded(found, size), 0))
    else:
        results.append(none)
    results.append((g.sum((1, *range(3, g._a.ndim))), 0) if output_mask[2] else none)
    return results


# Normalizations -----------------------------------------------------------------------------------------------------------------

SHARED_STATISTICS = (
    "Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in place, were not batched.\nIf "
    "you are using a module and do not need eval mode, please set `track_running_stats` to be False.If you are using a prebuilt module and "
    "do not need eval mode, please see the functorch website for resources on how to patch your module to work with vmap"
)


def scaled(results: list[Result], weight: Batched | None, bias: Batched | None, shape: tuple) -> list[Result]:
    """Normalized examples times weights, plus biases, of their own; as examples these have this shape."""
    (unit, bdim), *others = results
    t: Any = unit if bdim == 0 else unit.unsqueeze(0)
    for operand, combine in ((weight, "mul"), (bias, "add")):
        if operand is not None:
            t = getattr(t, combine)(everywhere(operand, operand).reshape((-1, *shape)))
    return [(t, 0), *others]


@rule("native_layer_norm")
def normalized_layers(overload: Any, values: list[Any]) -> list[Result]:
    source, shape, weight, bias, eps = values
    along, bdim = (source.value, None) if source.bdim is None else (source.front, 0)
    if not is_shared(weight, bias):
        unit = results_of(overload.run([along, shape, None, None, eps]), bdim)
        return scaled(unit, weight, bias, (1,) * (source._a.ndim - len(shape)) + tuple(shape))
    return results_of(overload.run([along, shape, value_of(weight), value_of(bias), eps]), bdim)


@rule("native_group_norm")
def normalized_groups(overload: Any, values: list[Any]) -> list[Result] | None:
    source, weight, bias, samples, *others = values
    size = size_of_batch(values)
    if source.bdim is None or not size or not is_shared(weight, bias):
        return None
    returned = overload.run([folded(source.front), value_of(weight), value_of(bias), samples * size, *others])
    return [(unfolded(t, size), 0) for t in returned]


@rule("native_batch_norm")
def normalized_batches(overload: Any, values: list[Any]) -> list[Result] | None:
    """In training the examples' channels are further channels; with fixed statistics the examples are a longer batch."""
    source, weight, bias, mean, variance, training, *others = values
    size, differs = size_of_batch(values), source.bdim is not None
    if training and differs and not (mean is None and variance is None) and is_shared(mean, variance):
        raise RuntimeError(SHARED_STATISTICS)
    if not size or not is_shared(mean, variance):
        return None
    if not is_shared(weight, bias):
        unit = [source, None, None, mean, variance, training, *others]
        found = normalized_batches(overload, unit)
        shape = (1, source._a.shape[1], *(1,) * (source._a.ndim - 2))
        return None if found is None else scaled(found, weight, bias, shape)
    if not differs:
        return results_of(overload.run(plain(values)), None)
    if not training:
        result, *empty = overload.run([folded(source.front), *plain(values[1:])])
        return [(unfolded(result, size), 0), *[(t, None) for t in empty]]
    repeated = [None if t is None else t.value.repeat((size,)) for t in (weight, bias)]
    returned = overload.run([folded(source.front, 1), *repeated, None, None, True, *others])
    return [(unfolded(returned[0], size, 1), 0), *[(unfolded(t, size), 0) for t in returned[1:]]]


# Losses of classes --------------------------------------------------------------------------------------------------------------

MEAN, SUM = 1, 2


def at_targets(
    scores: Batched, target: Batched, weight: Batched | None, ignored: int
) -> tuple[Any, Any, int]:
    """The targets with the class dimension put in, the weight of each (nothing for what is ignored), and which dimension that is."""
    dim = 1 if scores._a.ndim == 1 else 2
    classes: Any = everywhere(target, scores).unsqueeze(dim)
    left_out = classes == ignored
    classes = classes.masked_fill(left_out, 0)
    shape = classes._a.shape
    if weight is None:
        weights = ones(shape, dtype=scores.dtype, device=scores.device)
    elif weight.bdim is None:
        table: Any = weight.value
        weights = table[classes]
    else:
        weights = weight.front.gather(1, classes.reshape((shape[0], -1))).reshape(shape)
    return classes, weights.masked_fill(left_out, 0), dim


@rule("nll_loss_forward", "nll_loss2d_forward")
def loss_of_classes(overload: Any, values: list[Any]) -> list[Result] | None:
    scores, target, weight, reduction, ignored = values
    x: Any = everywhere(scores, target)
    size = size_of_batch(values)
    if not size or not is_valid(target, scores._a.shape[0 if scores._a.ndim == 1 else 1], ignored):
        return None  # example by example, which raises the right error
    classes, weights, dim = at_targets(scores, target, weight, ignored)
    losses = -x.gather(dim, classes) * weights
    if reduction not in (MEAN, SUM):
        return [(losses.squeeze(dim), 0), (x.new_zeros(()), None)]
    inside = tuple(range(1, losses._a.ndim))
    total, result = weights.sum(inside), losses.sum(inside)
    return [(result / total if reduction == MEAN else result, 0), (total, 0)]


def is_valid(target: Batched, classes: int, ignored: int) -> bool:
    """Whether every target is a class, or ignored."""
    numbers = whole_array(target)
    valid = ((numbers >= 0) & (numbers < classes)) | (numbers == ignored)

    def error() -> Exception:
        return IndexError(f"Target {numbers[~valid].reshape(-1)[0].item()} is out of bounds.")

    return libraries.library_of(numbers).kernels.all_or_refused_later(valid, error)


@rule("nll_loss_backward", "nll_loss2d_backward")
def loss_of_classes_backward(overload: Any, values: list[Any]) -> list[Result] | None:
    grad, scores, target, weight, reduction, ignored, total = values
    if not size_of_batch(values):
        return None
    classes, weights, dim = at_targets(scores, target, weight, ignored)
    g: Any = everywhere(grad, scores)
    if reduction in (MEAN, SUM):
        g = g / everywhere(total, scores) if reduction == MEAN else g
        g = g.reshape((g._a.shape[0], *(1,) * (classes._a.ndim - 1)))
    else:
        g = g.unsqueeze(dim)
    shape = (classes._a.shape[0], *scores._a.shape)
    return results_of(g.new_zeros(shape).scatter(dim, classes, -weights * g), 0)


# Tables and indexing ------------------------------------------------------------------------------------------------------------


def in_own_table(indices: Batched, rows: int) -> Tensor:
    """Indices into the examples' tables, one below the other."""
    own: Any = everywhere(indices, indices)
    size = own._a.shape[0]
    return own + rows * arange(size, dtype=own.dtype, device=own.device).reshape(
        (size, *(1,) * indices._a.ndim)
    )


@rule("embedding")
def looked_up(overload: Any, values: list[Any]) -> list[Result] | None:
    weight, indices, padding, *others = values
    if is_shared(weight):
        return results_of(overload.run([weight.value, indices.front, padding, *others]), 0)
    if padding >= 0 or not size_of_batch(values):
        return None
    rows = in_own_table(indices, weight._a.shape[0])
    return results_of(overload.run([folded(weight.front), rows, padding, *others]), 0)


@rule("embedding_dense_backward")
def looked_up_backward(overload: Any, values: list[Any]) -> list[Result] | None:
    grad, indices, rows, padding, by_frequency = values
    size = size_of_batch(values)
    if not size:
        return None
    places = in_own_table(indices, rows)
    found = unfolded(overload.run([everywhere(grad, grad), places, rows * size, -1, by_frequency]), size)
    return results_of(
        found.index_fill(1, tensor([padding], device=found.device), 0) if padding >= 0 else found, 0
    )


class Places:
    """What arrays of indices name in a batch of arrays, as indices of one array that has the batch as its first dimension."""

    def __init__(self, indices: tuple, size: int) -> None:
        at = [n for n, i in enumerate(indices) if i is not None]
        given = [indices[n] for n in at]
        self.ndim = max(i._a.ndim for i in given)
        self.adjacent = at == list(range(at[0], at[-1] + 1))
        self.first, self.count = at[0], len(at)
        self.arrays = [None if i is None else self.aligned(i) for i in indices]
        self.examples = arange(size).reshape((size, *(1,) * self.ndim))
        # NumPy puts what the indices name in front unless they are next to each other, as it does in each example.
        self.moved = self.adjacent and self.first > 0

    def aligned(self, index: Batched) -> Tensor:
        if index.bdim is None:
            return index.value
        front = index.front
        return front.reshape((front._a.shape[0], *(1,) * (self.ndim - index._a.ndim), *front._a.shape[1:]))

    def of_batch(self) -> tuple:
        return (self.examples, *self.arrays)

    def in_example(self, t: Tensor) -> Tensor:
        """What was named, with its dimensions where they are in an example."""
        there = tuple(range(1 + self.first, 1 + self.first + self.ndim))
        return t.movedim(tuple(range(1, 1 + self.ndim)), there) if self.moved and self.ndim else t

    def in_front(self, t: Tensor) -> Tensor:
        there = tuple(range(1 + self.first, 1 + self.first + self.ndim))
        return t.movedim(there, tuple(range(1, 1 + self.ndim))) if self.moved and self.ndim else t


def has_mask(indices: tuple) -> bool:
    return any([i is not None and i._a.dtype.kind == "b" for i in indices])


@rule("index")
def indexed(overload: Any, values: list[Any]) -> list[Result] | None:
    source, indices = values
    if has_mask(indices):
        raise RuntimeError(
            "vmap: We do not support batching operators that can support dynamic shape. Attempting to batch over indexing with a boolean "
            "mask."
        )
    size = size_of_batch(values)
    if not size:
        return None
    places = Places(indices, size)
    if source.bdim is None:
        return results_of(
            overload.run([source.value, tuple(places.arrays)]), places.first if places.adjacent else 0
        )
    if is_shared(*indices) and places.adjacent:
        return results_of(overload.run([source.front, (None, *places.arrays)]), 0)
    return results_of(places.in_example(overload.run([source.front, places.of_batch()])), 0)


@rule("index_backward")
def indexed_backward(overload: Any, values: list[Any]) -> list[Result] | None:
    grad, shape, indices = values
    size = size_of_batch(values)
    if not size or has_mask(indices):
        return None
    places = Places(indices, size)
    g = places.in_front(everywhere(grad, grad))
    return results_of(overload.run([g, (size, *shape), places.of_batch()]), 0)


@rule("_index_put")
def put(overload: Any, values: list[Any]) -> list[Result] | None:
    source, indices, given, accumulate = values
    size = size_of_batch(values)
    if not size or has_mask(indices):
        return None
    places = Places(indices, size)
    if places.moved:
        return None
    ndim = places.ndim + source._a.ndim - places.count
    if given.bdim is not None:
        front = given.front
        new = front.reshape((size, *(1,) * (ndim - given._a.ndim), *front._a.shape[1:]))
    else:
        new = given.value
    return results_of(overload.run([everywhere(source, source), places.of_batch(), new, accumulate]), 0)


@rule("_unsafe_view")
def reshaped(overload: Any, values: list[Any]) -> list[Result]:
    source, shape = values
    return results_of(overload.run([source.front.contiguous(), (source.front._a.shape[0], *shape)]), 0)


@rule("_drop_dim")
def dropped(overload: Any, values: list[Any]) -> list[Result]:
    source, dim = values
    return results_of(overload.run([source.front, dim + 1]), 0)
