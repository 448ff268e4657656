"""Random programs on PyTorch, watched and unwatched: everything that can be seen must be the same, to the last bit.

`python -m tests.mirrors.watched SEED COUNT` runs many of them, cuts each that differs down to the statements it needs, and prints it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import random
import sys
import weakref
from collections.abc import Callable
from typing import Any

import torch

from jgrad.mirrors.torch import library, private
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.scope import Scope
from tests.same_as_torch.random_programs import Run, always_warning, program, worded

DEADLOCKED = 300  # seconds after which a program has hung


class Exact(Run):
    """A run that keeps what was logged, bit by bit."""

    def __init__(self) -> None:
        super().__init__(torch)
        self.shown: list[Any] = []
        self.prelude["log"] = lambda *values: self.log.append([exactly(v) for v in values])
        self.prelude["held"].clear()

    def run(self, statements: list[str], every: bool) -> None:
        for i, statement in enumerate(statements):
            outcome = self.step(statement)
            self.shown.append((outcome, list(self.log)))
            if every or i + 1 == len(statements):
                self.shown.append(seen(self.names))


def exactly(value: Any) -> Any:
    """What can be seen of a value that a program logs."""
    if isinstance(value, torch.Tensor):
        return tuple(value.shape), value.dtype, value.requires_grad, bits(value)
    if isinstance(value, (tuple, list)):
        return [exactly(v) for v in value]
    if isinstance(value, dict):
        return [
            (k, exactly(v)) for k, v in value.items() if k != "jgrad"
        ]  # the named exception: a node's metadata
    return value.name() if hasattr(value, "name") else worded(repr(value))


def bits(t: Any) -> Any:
    """The elements of a tensor, also of one that requires grad."""
    try:
        return t.detach().clone().numpy(force=True).tobytes()
    except RuntimeError as error:
        return worded(str(error))


def seen(names: dict[str, Any]) -> dict[str, Any]:
    """All that can be seen of the variables of a program. Objects are numbered as they are met, so that identity is compared."""
    numbers: dict[int, int] = {}
    kept: list[Any] = []  # so that no address is used twice

    def number(value: Any) -> int | None:
        if value is None:
            return None
        kept.append(value)
        return numbers.setdefault(id(value), len(numbers))

    return {
        name: tensor(t, number) if isinstance(t, torch.Tensor) else worded(repr(t))
        for name, t in names.items()
    }


def tensor(t: Any, number: Callable[[Any], int | None]) -> dict[str, Any]:
    """All that can be seen of a tensor."""
    try:
        node, leaf = t.grad_fn, t.is_leaf
    except RuntimeError as error:  # a view that is no longer what its graph says
        node, leaf = worded(str(error)), None
    try:
        grad = t.grad if leaf or t.retains_grad else None
    except RuntimeError as error:
        grad = worded(str(error))
    storage = t.untyped_storage()
    return {
        "id": number(t), "type": type(t).__name__, "shape": tuple(t.shape), "stride": t.stride(), "offset": t.storage_offset(), "dtype": t.dtype,
        "storage": number(storage), "bytes": storage.nbytes(), "bits": bits(t), "version": version(t),
        "requires_grad": t.requires_grad, "retains_grad": t.retains_grad, "is_leaf": leaf, "output_nr": t.output_nr, "inference": t.is_inference(),
        "base": number(t._base), "hooks": [*map(worded, map(repr, (t._backward_hooks or {}).values()))],
        "after": len(t._post_accumulate_grad_hooks or ()),
        "graph": node if node is None or isinstance(node, str) else graph(node),
        "grad": None if grad is None else grad if isinstance(grad, str) else tensor(grad, number),
    }  # fmt: skip


def version(t: Any) -> Any:
    """How often the memory of a tensor was written to; inference tensors don't know."""
    try:
        return t._version
    except RuntimeError as error:
        return worded(str(error))


def graph(root: Any) -> list[Any]:
    """The nodes behind a node: their names, edges, order, and what they have saved."""
    order: dict[Any, int] = {root: 0}
    todo, found = [root], []
    for n in todo:
        for f, _ in n.next_functions:
            if f is not None and f not in order:
                order[f] = len(order)
                todo.append(f)
    for n in todo:
        edges = [(None if f is None else order[f], i) for f, i in n.next_functions]
        found.append((n.name(), edges, [k for k in n.metadata if k != "jgrad"], saved(n)))
    ages = sorted(range(len(todo)), key=lambda i: todo[i]._sequence_nr())
    return [found, ages]


def saved(n: Any) -> list[Any]:
    """What a node has saved, with versions; no hook is run."""
    found: list[Any] = []
    for name in dir(type(n)):
        if not name.startswith("_raw_saved_"):
            continue
        try:
            raws = getattr(n, name)
        except RuntimeError as error:
            found.append((name, worded(str(error))))
            continue
        for raw in raws if isinstance(raws, (tuple, list)) else [raws]:
            if raw is None or not private.saved_can_be_read or raw.unpack_hook is not None:
                found.append((name, raw is None))
                continue
            try:
                data = raw.data
            except RuntimeError as error:
                found.append((name, worded(str(error))))
                continue
            if isinstance(data, torch.Tensor):
                found.append((name, tuple(data.shape), version(data), bits(data)))
            else:
                found.append((name, data is None))
    return found


@contextlib.contextmanager
def recorded(statements: list[str], names: dict[str, Any]) -> Any:
    """A block that is recorded as a cell is."""
    t: Any = Trace("cell", max_steps=4000)
    t._source = Source(statements)
    with t.recording(Scope("<string>", names, [f"v{i}" for i in range(40)])) as outcome:
        yield t
    assert outcome.error is None, outcome.error


def state_of_torch() -> tuple:
    """What a block may leave behind in PyTorch: modes, patches, hooks, switches, the random stream."""
    return (
        torch._C._len_torch_function_stack(), torch._C._len_torch_dispatch_stack(), torch.is_grad_enabled(), torch.is_inference_mode_enabled(),
        id(vars(torch.autograd.Function)["apply"]), id(torch.autograd.graph._engine_run_backward), id(torch.autograd._engine_run_backward),
        id(torch.nn.functional.has_torch_function), id(torch.from_numpy), id(torch.compile), id(vars(torch.nn.Parameter)["__new__"]),
        torch.get_rng_state().numpy().tobytes(),
    )  # fmt: skip


def alive(run: Exact) -> int:
    """How many tensors of a run outlive its variables. What it logged is text."""
    references = [weakref.ref(t) for t in run.names.values() if isinstance(t, torch.Tensor)]
    references += [
        weakref.ref(t.untyped_storage()) for t in run.names.values() if isinstance(t, torch.Tensor)
    ]
    run.names.clear()
    run.prelude["held"].clear()
    gc.collect()
    return sum(reference() is not None for reference in references)


def difference(statements: list[str], every: bool) -> str | None:
    """How a program differs when it is watched; None if it does not."""
    faulthandler.dump_traceback_later(DEADLOCKED, exit=True)
    try:
        plain = Exact()
        plain.run(statements, every)
        after = state_of_torch()
        watched = Exact()
        # The names are looked at in a dictionary that follows the run's.
        with recorded(statements, Names(watched)) as t:
            watched.run(statements, every)
        if state_of_torch() != after:
            return "what is left in PyTorch differs"
        if t.failures:
            return f"the recorder failed: {t.failures[0]!r}"
        at = next(
            (i for i, (a, b) in enumerate(zip(plain.shown, watched.shown, strict=True)) if a != b), None
        )
        if at is not None:
            return place_of_difference(plain.shown[at], watched.shown[at])
        if alive(plain) < alive(watched):
            return "something is kept alive"
        if library.watches or library._undo or library._undo_observing:
            return "PyTorch is still watched"
        assert t.document
        return None
    finally:
        faulthandler.cancel_dump_traceback_later()


class Names(dict):
    """The variables of a run, as a namespace that the recorder looks at."""

    def __init__(self, run: Exact) -> None:
        super().__init__()
        self.run = run

    def get(self, name: Any, default: Any = None) -> Any:
        return self.run.names.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self.run.names

    def items(self) -> Any:
        return self.run.names.items()


def place_of_difference(a: Any, b: Any, path: str = "") -> str:
    """Where two descriptions differ first."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return next(place_of_difference(a[k], b[k], f"{path}.{k}") for k in a if a[k] != b[k])
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and len(a) == len(b):
        return next(
            place_of_difference(x, y, f"{path}[{i}]")
            for i, (x, y) in enumerate(zip(a, b, strict=True))
            if x != y
        )
    return f"{path}: unwatched {a!r}, watched {b!r}"


def shortest(statements: list[str], every: bool, found: str) -> tuple[list[str], str]:
    """The program without the statements that its difference does not need."""
    i = len(statements) - 1
    while i >= 0:
        shorter = statements[:i] + statements[i + 1 :]
        still = difference(shorter, every) if shorter else None
        if still is not None:
            statements, found = shorter, still
        i -= 1
    return statements, found


def programs(seed: int, count: int) -> list[tuple[list[str], bool]]:
    """Programs, and whether each is looked at after every statement."""
    return [(program(random.Random(number).choice), number % 2 == 0) for number in range(seed, seed + count)]


def main(seed: int, count: int) -> int:
    """Run `count` programs from `seed` on; how many differ."""
    kinds: set[str] = set()
    different = 0
    with always_warning():
        for statements, every in programs(seed, count):
            found = difference(statements, every)
            if found is not None:
                different += 1
                cut, found = shortest(statements, every, found)
                if found not in kinds:
                    kinds.add(found)
                    print("\n".join(cut), found, "", sep="\n", flush=True)
    print(f"{different} of {count} programs differ")
    return different


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])) > 0)
