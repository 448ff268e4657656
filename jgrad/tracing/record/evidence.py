"""What a training loop works on: the targets of its losses, the scale of its inputs, its units that are dead or saturated.

Rules about training that fails in silence need these figures, and the values themselves are not kept. So they are taken while operators are recorded: by the
names of operators, which are the same on jgrad and on PyTorch. While the recorder sleeps nothing is taken. Of a place that is met often only some calls
are looked at, and of a large array only some rows; what is kept is bounded.

A loss is known by the operator that compares a prediction with a target, or by its parts as one writes them by hand: a difference, its squares,
their mean. Whether backward calls began at it is noted too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jgrad.tracing.record.contents import silent

if TYPE_CHECKING:
    from jgrad.tensor import Tensor
    from jgrad.tracing.record.records import Place, TensorRecord

Array = np.ndarray
PLACES = 24  # losses, and other things of one kind, that are noted
SITES = 48  # layers with weights, and activations
TARGETS = 1 << 15  # elements of targets that are kept of a loss
COLUMNS = 256  # columns of targets that are told apart
LABELS = 1000  # classes whose labels are counted
ALWAYS = 24  # calls of a place that are all looked at; of later ones one of SOME
SOME = 8
LOOKED_AT = 1 << 14  # elements of an array that are looked at
KEPT = 64  # looks at an activation that are kept
SAMPLES = 4  # rows that a look at units needs at least
MEANINGS = 512  # tensors of a round whose meaning is kept
FLAT = 0.99  # a sigmoid or tanh beyond it is saturated
SCALED = 1e-3  # how far the sum of the probabilities of a row may be from 1
REGRESSION = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


class Objective:
    """A loss at one place: how often it was computed, and what its targets were."""

    def __init__(self, op: str, place: Place | None) -> None:
        self.op = op
        self.place = place
        self.calls = 0
        self.roots = 0  # backward calls that began at it
        self.factor = 1.0  # by which its mean was multiplied before backward
        self.plain = True  # whether it is the plain mean of the losses of elements
        self.width: int | None = None  # classes among which it decides
        self.labels: Array | None = None  # how often each label was met
        self.distinct = 0  # different labels of a call, added up
        self.sizes = 0  # labels of a call, added up
        self.rows: list[Array] = []  # targets, a row for each sample
        self.room = TARGETS
        self.wrong_sums = 0.0  # the share of rows of probabilities whose sum is not 1, added up
        self.looks = 0
        self.unnormalized = (
            0.0  # how far rows of logarithms of probabilities are from adding up to 1, added up
        )

    def add_labels(self, labels: Array) -> None:
        """Count the labels of a call."""
        flat = labels.ravel()
        flat = flat[flat >= 0]
        if not flat.size or int(flat.max()) >= LABELS:
            return
        counts = np.bincount(flat, minlength=0 if self.labels is None else len(self.labels))
        self.distinct += int((counts > 0).sum())
        self.sizes += len(flat)
        if self.labels is not None and len(self.labels) < len(counts):
            self.labels = np.pad(self.labels, (0, len(counts) - len(self.labels)))
        self.labels = counts if self.labels is None else self.labels + counts

    def add_targets(self, targets: Array) -> None:
        """Keep some targets of a call."""
        if self.room <= 0 or not targets.size or targets.dtype.kind not in "fiub":
            return
        rows = targets.reshape(len(targets), -1) if targets.ndim > 1 else targets.reshape(-1, 1)
        if rows.shape[1] > COLUMNS:
            rows = rows[:, :: -(-rows.shape[1] // COLUMNS)].reshape(-1, 1)
        rows = rows[: max(self.room // rows.shape[1], 1)]
        if self.rows and self.rows[0].shape[1] != rows.shape[1]:
            return
        self.room -= rows.size
        self.rows.append(rows.astype(np.float64))


class Weight:
    """A layer with weights: what came into it."""

    def __init__(self, record: TensorRecord, inside: int, units: int, values: Array) -> None:
        self.record = record
        self.inside, self.units = inside, units
        self.calls = 0
        self.first = False  # whether its input was computed from no parameter
        self.trained: list[float] = []  # the squares of the rms of its inputs, while gradients were recorded
        self.evaluated: list[float] = []  # and while they were not
        rows = values.reshape(units, -1) if values.shape[0] == units else values.reshape(-1, units).T
        self.alike = units > 1 and bool(rows.any() and (rows == rows[0]).all())
        self.spread = float(rows.std()) * math.sqrt(inside)


class Activation:
    """The outputs of an activation at one place."""

    def __init__(self, op: str, place: Place | None) -> None:
        self.op = op
        self.place = place
        self.calls = 0
        self.units = 0
        # Of looks: the call, and which units were not 0 for all samples.
        self.alive: list[tuple[int, bytes]] = []
        # Of looks: the share of saturated elements, the first ones and the last one.
        self.flat: list[float] = []
        self.spread = 0.0  # over the samples, in the last look


class Meaning(NamedTuple):
    """What a tensor is on the way to a loss."""

    kind: str
    what: Any = None


class Evidence:
    """All of this of one recording."""

    def __init__(self, record_of: Any) -> None:
        self._record_of = record_of
        self.objectives: dict[tuple[str, int], Objective] = {}
        self.weights: dict[TensorRecord, Weight] = {}
        self.activations: dict[tuple[str, int, int], Activation] = {}
        # By place: the probability with which a dropout drops an element.
        self.dropouts: dict[int, tuple[Place | None, float]] = {}
        # By operator and place: calls of a softmax, and those over a dimension of size 1.
        self.softmaxes: dict[tuple[str, int], tuple[Place | None, int, int]] = {}
        self.passes = 0  # backward calls
        self._meanings: dict[TensorRecord, Meaning] = {}
        self._ordinals: dict[tuple[str, int], int] = {}

    def close(self) -> None:
        """The block is over: refer to its recorder no more."""
        self._record_of = None
        self._meanings.clear()

    def began(self, root: TensorRecord | None) -> None:
        """A backward call begins at a tensor; None: at several."""
        self.passes += 1
        meaning = None if root is None else self._meanings.get(root)
        if meaning is not None and meaning.kind == "loss":
            objective, factor = meaning.what
            objective.roots += 1
            objective.factor = factor
        self._meanings.clear()
        self._ordinals.clear()

    @silent
    def note(
        self,
        name: str,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        arguments: dict[str, Any],
        place: Place | None,
    ) -> None:
        """An operator of WATCHED has run."""
        # A tensor that can't be recorded, such as one of a subclass, is not among these.
        if inputs and outputs:
            WATCHED[name](self, name, inputs, outputs, arguments, place)

    # Losses -----------------------------------------------------------------------------------------------------------------------

    def _mean(self, tensor: Tensor, kind: str, what: Any = None) -> None:
        record = self._record_of(tensor)
        if record is not None:
            if len(self._meanings) >= MEANINGS:
                self._meanings.clear()
            self._meanings[record] = Meaning(kind, what)

    def _meaning(self, tensor: Tensor) -> Meaning | None:
        return self._meanings.get(self._record_of(tensor)) if self._meanings else None

    def _objective(self, op: str, place: Place | None) -> Objective | None:
        key = op, id(place)
        found = self.objectives.get(key)
        if found is None and len(self.objectives) < PLACES:
            found = self.objectives[key] = Objective(op, place)
        if found is not None:
            found.calls += 1
        return found

    def _of_classes(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        """nll_loss, which is the second half of cross_entropy."""
        if len(inputs) < 2:
            return
        scores, labels = inputs[0], inputs[1]
        made = self._meaning(scores)
        whole = made is not None and made.kind == "log_softmax" and made.what is place
        objective = self._objective("cross_entropy" if whole else "nll_loss", place)
        if objective is None or not _readable(labels._a, "iu") or not _readable(scores._a, "f"):
            return
        shape = scores._a.shape
        objective.width = shape[1] if len(shape) > 1 else shape[0]
        objective.plain = arguments.get("weight") is None and arguments.get("reduction", 1) == 1
        known = labels._a
        ignored = arguments.get("ignore_index", -100)
        objective.add_labels(known[known != ignored] if ignored >= 0 else known)
        if not whole and _due(objective.calls) and len(shape) > 1:
            rows = scores._a.astype(np.float64)
            largest = rows.max(1, keepdims=True)
            sums = np.log(np.exp(rows - largest).sum(1)) + largest[:, 0]
            objective.unnormalized += float(np.abs(sums).mean())
            objective.looks += 1
        self._mean(outputs[0], "loss", (objective, 1.0))

    def _of_targets(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        """A loss whose target has the shape of the prediction."""
        objective = self._objective(name, place)
        if objective is None or len(inputs) < 2 or not _readable(inputs[1]._a, "fiub"):
            return
        target, prediction = inputs[1], inputs[0]
        if target._a.shape != prediction._a.shape:
            objective.plain = False
        plain = arguments.get("weight") is None and arguments.get("pos_weight") is None
        scale = float(arguments.get("beta", arguments.get("delta", 1.0)) or 0.0)
        objective.plain &= plain and scale == 1.0
        objective.add_targets(target._a)
        reduction = arguments.get("reduction", 1)
        if reduction == 2:
            self._mean(outputs[0], "loss", (objective, float(prediction._a.size)))
        elif reduction == 1:
            self._mean(outputs[0], "loss", (objective, 1.0))

    def _difference(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        """prediction - target, or target - prediction, of which one was computed from parameters."""
        if len(inputs) < 2 or outputs[0]._fn is None:
            return
        one, other = inputs[0], inputs[1]
        target = other if one.requires_grad else one
        if one.requires_grad == other.requires_grad or one._a.shape != other._a.shape or one._a.size < 2:
            return
        if _readable(target._a, "fiub"):
            self._mean(outputs[0], "difference", _some_rows(target._a).copy())

    def _parts(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        """The squares or magnitudes of differences; a probability times its logarithm."""
        made = self._meaning(inputs[0])
        if made is None:
            if name == "mul" and len(inputs) > 1:
                self._products(inputs, place)
            return
        if made.kind == "difference":
            squared = (
                name == "square"
                or (name == "pow" and arguments.get("exponent") == 2)
                or (name == "mul" and len(inputs) > 1 and inputs[1] is inputs[0])
            )
            if squared or name == "abs":
                self._mean(outputs[0], "mse_loss" if squared else "l1_loss", made.what)
        elif made.kind == "log_softmax" and name == "mul" and len(inputs) > 1:
            self._products(inputs, place)
        elif made.kind == "loss" and name == "mul":
            self._scaled(made, outputs[0], arguments.get("other"))

    def _products(self, inputs: Any, place: Any) -> None:
        """log_softmax(...) * target: what cross_entropy does with probabilities as targets."""
        for scores, target in (inputs, inputs[::-1]) if len(inputs) == 2 else ():
            made = self._meaning(scores)
            if (
                made is not None
                and made.kind == "log_softmax"
                and made.what is place
                and not target.requires_grad
            ):
                objective = self._objective("cross_entropy", place)
                if (
                    objective is not None
                    and _readable(target._a, "f")
                    and target._a.ndim > 1
                    and target._a.shape[1] > 1
                ):
                    sums = target._a.sum(1)
                    objective.plain = False
                    objective.wrong_sums += float((np.abs(sums - 1) > SCALED).mean())
                    objective.looks += 1
                return

    def _reduced(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        """The mean or the sum of the losses of all elements."""
        made = self._meaning(inputs[0])
        if made is None or outputs[0]._a.size != 1:
            return
        if made.kind in ("mse_loss", "l1_loss"):
            objective = self._objective(made.kind, place)
            if objective is not None:
                objective.add_targets(made.what)
                factor = 1.0 if name == "mean" else float(inputs[0]._a.size)
                self._mean(outputs[0], "loss", (objective, factor))
        elif made.kind == "loss":
            self._mean(outputs[0], "loss", made.what)

    def _divided(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        made = self._meaning(inputs[0])
        other = arguments.get("other")
        if made is not None and made.kind == "loss" and isinstance(other, (int, float)) and other:
            self._scaled(made, outputs[0], 1 / other)

    def _scaled(self, made: Meaning, output: Tensor, factor: Any) -> None:
        if isinstance(factor, (int, float)):
            objective, before = made.what
            self._mean(output, "loss", (objective, before * factor))

    def _softmax(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        shape, dim = inputs[0]._a.shape, arguments.get("dim")
        if name == "log_softmax":
            self._mean(outputs[0], name, place)
        if not shape or not isinstance(dim, int) or outputs[0]._fn is None:
            return
        key = name, id(place)
        if key in self.softmaxes or len(self.softmaxes) < PLACES:
            _, calls, narrow = self.softmaxes.get(key, (place, 0, 0))
            self.softmaxes[key] = place, calls + 1, narrow + (shape[dim] == 1)

    # Layers -----------------------------------------------------------------------------------------------------------------------

    def _affine(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        """A layer with weights."""
        weight = came = None
        for t in inputs:
            parameter = t if t._base is None else t._base
            if t._a.ndim < 2:
                continue
            if parameter._fn is None and parameter.requires_grad and parameter._a.ndim > 1:
                weight = weight or (parameter, t)
            else:
                came = t if came is None else came
        if weight is None or came is None or not _readable(came._a, "f"):
            return
        parameter, as_used = weight
        record = self._record_of(parameter)
        site = self.weights.get(record)
        if site is None:
            if record is None or len(self.weights) >= SITES or not _readable(parameter._a, "f"):
                return
            shape = parameter._a.shape
            across = as_used is parameter and name in ("mm", "matmul", "addmm")
            units = shape[-1] if across else shape[0]
            inside = max(parameter._a.size // max(units, 1), 1)
            site = self.weights[record] = Weight(record, inside, units, parameter._a)
        site.calls += 1
        if outputs[0]._fn is None:
            if len(site.evaluated) < KEPT:
                site.evaluated.append(_square(came._a))
        elif _due(site.calls) and len(site.trained) < KEPT:
            site.first = site.first or not came.requires_grad
            site.trained.append(_square(came._a))

    def _activation(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        array = outputs[0]._a
        if outputs[0]._fn is None or not _readable(array, "f") or array.ndim < 2 or len(array) < SAMPLES:
            return
        name = name.rstrip("_")
        at = name, id(place)
        ordinal = self._ordinals[at] = self._ordinals.get(at, -1) + 1
        site = self.activations.get((*at, ordinal))
        if site is None:
            if len(self.activations) >= SITES:
                return
            site = self.activations[*at, ordinal] = Activation(name, place)
        site.calls += 1
        if not _due(site.calls):
            return
        some = _some_rows(array)
        units = some.shape[1] if some.ndim == 4 else some.shape[-1]
        if name == "relu":
            axes = tuple(d for d in range(some.ndim) if d != (1 if some.ndim == 4 else some.ndim - 1))
            if units != site.units:
                site.units, site.alive = units, []
            if len(site.alive) >= KEPT:  # the last ones count
                site.alive = site.alive[::2]
            site.alive.append((site.calls, (some > 0).any(axis=axes).tobytes()))
        else:
            site.units = units
            flat = np.abs(some) > FLAT if name == "tanh" else np.abs(some - 0.5) > FLAT - 0.5
            site.flat = [*site.flat[:2], float(flat.mean())]
        site.spread = float(some.std(0).mean())

    def _drawn(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        """bernoulli_(p): the first half of a dropout."""
        keep = arguments.get("p")
        if isinstance(keep, float) and outputs[0]._a.size > len(outputs[0]._a):
            self._mean(outputs[0], "mask", keep)

    def _dropped(self, name: str, inputs: Any, outputs: Any, arguments: Any, place: Any) -> None:
        """div_(p): the second half, which scales what is kept."""
        made = self._meaning(outputs[0])
        if made is None or made.kind != "mask" or arguments.get("other") != made.what:
            return
        if id(place) in self.dropouts or len(self.dropouts) < PLACES:
            _, most = self.dropouts.get(id(place), (place, 0.0))
            self.dropouts[id(place)] = place, max(most, 1 - made.what)


def _readable(array: Any, kinds: str) -> bool:
    """Whether the elements of an array can be read without waiting for a device."""
    return array.__class__ is Array and array.dtype.kind in kinds and array.size > 0


def _due(call: int) -> bool:
    """Whether a call of a place is looked at."""
    return call <= ALWAYS or call % SOME == 0


def _some_rows(array: Array) -> Array:
    """An array, or some rows of a large one."""
    return array if array.size <= LOOKED_AT else array[:: -(-array.size // LOOKED_AT)]


def _square(array: Array) -> float:
    """The mean of the squares of the elements, of a large array of some."""
    # In whatever order: a weight is mostly given transposed, and to copy that takes longer than to multiply by it.
    flat = array.ravel("K")
    flat = flat[:: -(-flat.size // LOOKED_AT)] if flat.size > LOOKED_AT else flat
    wide = flat.astype(np.float64)
    return float(np.dot(wide, wide)) / len(wide)


WATCHED = {
    **dict.fromkeys(("nll_loss", "nll_loss2d", "nll_loss_nd"), Evidence._of_classes),
    **dict.fromkeys((*REGRESSION, "binary_cross_entropy", "binary_cross_entropy_with_logits"), Evidence._of_targets),
    "sub": Evidence._difference,
    **dict.fromkeys(("pow", "square", "abs", "mul"), Evidence._parts),
    **dict.fromkeys(("mean", "sum"), Evidence._reduced),
    "div": Evidence._divided,
    **dict.fromkeys(("softmax", "log_softmax"), Evidence._softmax),
    **dict.fromkeys(("addmm", "mm", "matmul", "linear", "conv1d", "conv2d", "conv3d", "convolution", "lstm", "gru", "rnn_tanh", "rnn_relu"), Evidence._affine),
    **dict.fromkeys(("relu", "relu_", "sigmoid", "sigmoid_", "tanh", "tanh_"), Evidence._activation),
    "bernoulli_": Evidence._drawn,
    "div_": Evidence._dropped,
}  # fmt: skip
