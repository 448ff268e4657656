"""Selective checkpoints: a policy says of each operator whether its result is kept, or computed again in the backward pass.

The first run asks the policy after each operator, and keeps what it says. The second run meets the same operators in the same order. Where a result was
kept, the operator gets it in place of a computation, and is recorded as usual. Views, and the positions of random generators, are made again in any
case: a view must show the memory of the second run, and what is drawn later must be the same.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from jgrad import manual, ops
from jgrad.dispatch.intercepting import give, intercepting, not_intercepted
from jgrad.tensor import Tensor


class CheckpointPolicy(enum.Enum):
    """What the policy of a selective checkpoint answers for an operator."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


class SelectiveCheckpointContext:
    """The first argument of the policy of a selective checkpoint."""

    def __init__(self, *, is_recompute: bool, op_output: Any = None) -> None:
        self.is_recompute, self.op_output = is_recompute, op_output


class Kept:
    """A result that is kept, and the versions of its tensors."""

    def __init__(self, result: Any, in_place: bool) -> None:
        self.result = result
        # (PyTorch looks at the version before a write counts. So what a write gave always counts as changed.)
        self.versions = [version - in_place for version in _versions(result)]

    def checked(self, may_have_changed: bool) -> list[Any]:
        """The raw arrays, unless somebody has written to them."""
        if not may_have_changed and _versions(self.result) != self.versions:
            raise RuntimeError("Tensor cached during selective activation checkpoint has been mutated")
        return [t._a for t in _tensors(self.result)]


def _without_history(result: Any) -> Any:
    """A result, or a tuple or list of results, that shares memory and versions, but has no graph."""
    if isinstance(result, list):
        return [t.detach() for t in result]
    return tuple([t.detach() for t in result]) if isinstance(result, tuple) else result.detach()


def _tensors(result: Any) -> list[Tensor]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _versions(result: Any) -> list[int]:
    return [t._version for t in _tensors(result)]


_AGAIN, _USED = object(), object()
_MISMATCH = (
    "This can happen if the operations in the checkpointed region are nondeterministic or depend on global state that changed between "
    "forward and backward."
)
SAC_IGNORED_OPS = frozenset({ops.aten.detach.default})
Storage = dict[Any, dict[int, Any]]


class FirstContext:
    """The block of the first run. Each call of an operator has a number among the calls of that operator."""

    def __init__(self, policy: Callable[..., Any], storage: Storage) -> None:
        self.policy, self.storage = policy, storage
        self.counts: dict[Any, int] = defaultdict(int)
        self.open: list[AbstractContextManager] = []

    def __enter__(self) -> FirstContext:
        self.open.append(block := intercepting(self.around))
        block.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.open.pop().__exit__(*error)

    def numbered(self, op: Any) -> int:
        number = self.counts[op]
        self.counts[op] += 1
        return number

    def around(self, overload: Any, in_place: bool, values: list[Any], run: Callable[[], Any]) -> Any:
        with not_intercepted():
            op = ops.aten.called(overload, in_place, values)
            result = run()
            if op in SAC_IGNORED_OPS:
                return result
            output = _without_history(result)
            args, kwargs = _as_given(overload, values)
            number = self.numbered(op)
            answer = self.policy(
                SelectiveCheckpointContext(is_recompute=False, op_output=output), op, *args, **kwargs
            )
            keep = answer in (True, CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE)
            self.storage[op][number] = Kept(output, in_place) if keep else _AGAIN
        return result


class SecondContext(FirstContext):
    """The block of the second run."""

    def __init__(self, storage: Storage, may_have_changed: bool) -> None:
        super().__init__(lambda *args, **kwargs: False, storage)
        self.may_have_changed = may_have_changed

    def __enter__(self) -> FirstContext:
        self.counts.clear()
        return super().__enter__()

    def around(self, overload: Any, in_place: bool, values: list[Any], run: Callable[[], Any]) -> Any:
        with not_intercepted():
            op = ops.aten.called(overload, in_place, values)
            if op in SAC_IGNORED_OPS:
                return run()
            kept = self.entry(op, self.numbered(op))
            if kept is _AGAIN:
                return run()
            if not overload.view:
                give(_stored(kept.checked(self.may_have_changed), overload, in_place, values))
            return run()

    def entry(self, op: Any, number: int) -> Any:
        """What was kept of this call; it can be used once."""
        calls = self.storage.get(op)
        if calls is None:
            raise RuntimeError(f"{op} encountered during backward but not found in storage. {_MISMATCH}")
        kept = calls.get(number)
        if kept is None:
            raise RuntimeError(
                f"{op} invocation index {number} encountered during backward but not found in storage. {_MISMATCH}"
            )
        if kept is _USED:
            raise RuntimeError(
                "Trying to backward an extra time. You are only allowed to backward once on any region computed under selective "
                "activation checkpoint."
            )
        if kept is not _AGAIN:
            calls[number] = _USED
        return kept


def _stored(arrays: list[Any], overload: Any, in_place: bool, values: list[Any]) -> Callable[..., Any]:
    """What stands in the place of a kernel: it gives the arrays, or writes them to the target."""

    draws = overload.body.__module__ == "jgrad.ops.random" or overload.name in (
        "native_dropout",
        "rrelu_with_noise",
    )

    def given(compute: Callable[[], Any], raw: list[Any]) -> Any:
        if draws:  # what is drawn later must be the same
            compute()
        if in_place:
            values[0]._a[...] = arrays[0]
            return values[0]._a
        return arrays[0] if overload.outputs == 1 else tuple(arrays)

    return given


def _as_given(overload: Any, values: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments as PyTorch's dispatcher passes them: lists for sizes, nothing for what has its default."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for p, value in zip(overload.params, values, strict=True):
        value = list(value) if isinstance(value, tuple) else value
        if not p.keyword_only:
            args.append(value)
        elif value != p.default:
            kwargs[p.name] = value
    positional = [p for p in overload.params if not p.keyword_only]
    while args and not (p := positional[len(args) - 1]).required and args[-1] is p.default:
        args.pop()
    return args, kwargs


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False
) -> tuple[AbstractContextManager, AbstractContextManager]:
    """The contexts of a checkpoint that keeps the results of some operators, and computes the others again in the backward pass."""
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            if not isinstance(op, ops.aten.OpOverload):
                hint = (
                    "Please update the OpOverloadPacket to a specific OpOverload.For example, if you have `torch.ops.aten.mm`, change it to "
                    "`torch.ops.aten.mm.default`."
                )
                raise ValueError(
                    f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}. "
                    f"{hint if isinstance(op, ops.aten.OpOverloadPacket) else ''}"
                )
        chosen = policy_fn_or_list

        def policy(ctx: Any, op: Any, *args: Any, **kwargs: Any) -> bool:
            return op in chosen

    elif callable(policy_fn_or_list):
        policy = policy_fn_or_list
    else:
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    storage: Storage = defaultdict(dict)
    return FirstContext(policy, storage), SecondContext(storage, allow_cache_entry_mutation)


for _class in (CheckpointPolicy, SelectiveCheckpointContext):
    _class.__module__ = "jgrad.utils.checkpoint"
create_selective_checkpoint_contexts.__module__ = "jgrad.utils.checkpoint"


manual.attach(__name__)
