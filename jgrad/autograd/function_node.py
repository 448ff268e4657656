"""The node of a `Function`, which is also the `ctx` that its `forward` and `backward` get."""

from __future__ import annotations

from typing import Any, NoReturn

from jgrad import manual, warn
from jgrad.devices import CPU
from jgrad.dispatch import tangents
from jgrad.dispatch.saved import Packed, RawSaved, SavedTensor
from jgrad.engine.gradients import as_tensor
from jgrad.engine.hooks import users_code
from jgrad.graph import levels
from jgrad.graph.node import FREED, Node
from jgrad.kernels import libraries
from jgrad.kernels.lazy import resolved
from jgrad.tensor import Tensor


class FunctionCtx:
    """What `forward` and `setup_context` call on `ctx`."""

    to_save: Any
    saved_for_forward: Any
    dirty_tensors: Any
    non_differentiable: Any
    materialize_grads: bool

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep these tensors (or None) for backward, which finds them as `ctx.saved_tensors`, and raises if they were written to."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep these tensors (or None) for `jvp`."""
        for tensor in tensors:
            if not (isinstance(tensor, Tensor) or tensor is None):
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Mark inputs that forward wrote to; it must return them too."""
        self.dirty_tensors = tensors

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Nothing: shared memory is noticed anyway."""
        warn.say(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. Note that calls to `set_()` are "
            "not tracked",
            FutureWarning,
        )

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Mark outputs that have no gradient, such as indices."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward gets zeros (the default) or None for outputs that are not used."""
        self.materialize_grads = value


class BackwardCFunction(Node, FunctionCtx):
    """The node that a `Function` leaves behind as the `grad_fn` of its results. It is also the `ctx` of its `forward` and `backward`."""

    __slots__ = (
        "needs_input_grad",
        "to_save",
        "saved_for_forward",
        "in_jvp",
        "dirty_tensors",
        "non_differentiable",
        "materialize_grads",
        "_outputs",
        "_metadata",
        "_place",
        "_dtypes",
        "_entries",
    )
    _forward_cls: Any
    _takes_none = True
    materializes = False

    def __init__(self) -> None:
        super().__init__((), None, None)
        self.needs_input_grad: tuple[bool, ...] = ()
        self.to_save = self.saved_for_forward = self.dirty_tensors = self.non_differentiable = None
        self.materialize_grads = True
        self.in_jvp: levels.Level | None = None  # the level whose tangents `jvp` is asked for
        self._outputs = 1
        self._place: Any = CPU
        self._metadata: list[tuple | None] = []  # shape and dtype of each output, None if it is no tensor
        self._dtypes: tuple = ()  # of the arguments, None for what is no tensor
        self._entries: Any = ()  # SavedTensors or None, FREED after backward

    __repr__ = object.__repr__

    def __dir__(self) -> list[str]:
        return list(object.__dir__(self))

    def __call__(self, *grads: Any) -> NoReturn:
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    @property
    def saved_tensors(self) -> tuple:
        """What `save_for_backward` was given, checked: raises if it was written to or freed since; in `jvp` what `save_for_forward` was."""
        if self.in_jvp is not None:
            kept = self.saved_for_forward or ()
            return tuple([t if t is None else tangents.stripped(t, self.in_jvp) for t in kept])
        return tuple([None if entry is None else entry.restore(self) for entry in self._entries])

    @property
    def saved_variables(self) -> tuple:
        """The older name of `saved_tensors`."""
        warn.say("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple:
        return tuple([RawSaved(self, "tensors", i) for i, _ in enumerate(self._entries)])

    # What these work with.
    def kept(self, name: str, index: int) -> Any:
        entry = FREED if self._entries is FREED else self._entries[index]
        return entry.packed or entry if isinstance(entry, SavedTensor) else entry

    def looked_at(self, name: str, index: int) -> Any:
        entry = self._entries[index]
        return None if entry is None else entry.restore(self)

    def keep_packed(self, name: str, index: int, packed: Packed) -> None:
        entry = self._entries[index]
        entry.packed, entry.tensor, entry.array = packed, None, None

    def metadata_of(self, output_nr: int) -> tuple:
        return self._metadata[output_nr]  # type: ignore[return-value]

    # What the engine calls ----------------------------------------------------------------------------------------------------

    def apply(self, grad: Any, needed: Any) -> tuple:
        __tracebackhide__ = True
        return tuple([None if g is None else resolved(g._a) for g in self._differentiate(grad, False)])

    def apply_public(self, grad: Any, needed: Any) -> tuple:
        __tracebackhide__ = True
        return self._differentiate(grad, True)

    def _differentiate(self, grad: Any, create_graph: bool) -> tuple:
        """The user's backward with the gradients as tensors; its results for the arguments that are tensors, checked."""
        __tracebackhide__ = True
        gradients = list(grad) if self._outputs > 1 else [grad]
        for nr, metadata in enumerate(self._metadata):
            if gradients[nr] is None and self.materialize_grads and metadata is not None:
                shape, dtype = metadata
                gradients[nr] = libraries.full(0, shape, dtype, self._place)
        with users_code(create_graph):
            results = self._forward_cls._backward_of_user()(self, *map(as_tensor, gradients))
        if not isinstance(results, tuple):
            results = (results,)
        return self._checked(results)

    def _checked(self, results: tuple) -> tuple[Tensor | None, ...]:
        """What the user's backward returned, one for each argument of forward: those for the arguments that are tensors."""
        name, expected = self.name(), len(self._dtypes)
        if len(results) > expected and all([r is None for r in results[expected:]]):
            results = results[:expected]
        if len(results) != expected:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {expected}, got {len(results)})"
            )
        found: list[Tensor | None] = []
        for position, (result, dtype) in enumerate(zip(results, self._dtypes, strict=True), 1):
            if dtype is not None:
                if result is not None and not isinstance(result, Tensor):
                    raise RuntimeError(f"expected Variable or None (got {type(result).__name__})")
                found.append(result)
            elif result is not None:
                raise RuntimeError(
                    f"function {name} returned a gradient different than None at position {position}, but the corresponding forward input "
                    "was not a Variable"
                )
        tensors = [dtype for dtype in self._dtypes if dtype is not None]
        for edge, result, dtype in zip(self._next, found, tensors, strict=True):
            if edge is None or result is None or (kind := result._a.dtype.kind) not in "biuc":
                continue
            if (kind == "c") != (dtype.kind == "c"):
                raise RuntimeError(
                    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be true, but got false.  "
                    "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
                )
        return tuple(found)

    def release(self) -> bool:
        self._entries = FREED
        return True

    def _formulas(self) -> dict[str, str]:
        return {}

    def _saved(self) -> list[tuple]:
        return [
            (name, entry.restore(self), entry.version)
            for name, entry in self._entries_by_name()
            if entry.packed is None and entry.cell[0] == entry.version
        ]

    def _saved_results(self) -> tuple[tuple[int, str], ...]:
        return tuple(
            [
                (e.output_nr, name)
                for name, e in self._entries_by_name()
                if e.tensor is None and e.packed is None
            ]
        )

    def _entries_by_name(self) -> list[tuple[str, SavedTensor]]:
        entries = () if self._entries is FREED else self._entries
        return [(f"saved_tensors[{i}]", e) for i, e in enumerate(entries) if e is not None]


for _class in (FunctionCtx, BackwardCFunction):
    _class.__module__ = "jgrad.autograd.function"  # where users find them


manual.attach(__name__)
