"""The hooks of nodes and leaves. The engine does not report when a hook is registered, so the recorder searches for them."""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Iterator
from functools import partial
from types import CodeType
from typing import Any

from jgrad.tracing.record.records import Hook
from jgrad.tracing.record.registry import Registry
from jgrad.tracing.record.user_code import UserCode


def find_hooks(registry: Registry, filename: str, user: UserCode, since: int) -> None:
    """Add to the records of nodes the hooks that they, or their leaves, have now, each as often as it is registered. `filename` is that of the traced code, `user` knows
    the user's other code, `since` is the number of the step from which new hooks count."""

    def add(number: int, own: list[dict], extras: Any, after: list[dict]) -> None:
        before, behind = ([], []) if extras is None else ([extras.pre_hooks], [extras.post_hooks])
        kinds = {"hook": own, "prehook": before, "node hook": behind, "post-accumulate hook": after}
        node = registry.nodes[number]
        known = Counter((hook.kind, hook.name, hook.where) for hook in node.hooks)
        found = Counter((kind, *_described(hook, filename, user)) for kind, hook in _flat(kinds))
        for described, count in found.items():
            new = [Hook(since, *described)] * (count - known[described])
            node.hooks = [*node.hooks, *new]

    for number in registry.accumulators.values():
        leaf: Any = registry.nodes[number]()
        rare = None if leaf is None else leaf._rare
        if rare is not None:
            accumulator = None if rare.accumulator is None else rare.accumulator()
            extras = None if accumulator is None else accumulator._extras
            add(number, [rare.hooks], extras, [rare.after_accumulation])
    for reference in registry.hookables:
        found: Any = reference()
        record = None if found is None else registry.node_of.get(id(found))
        if record is not None and found._extras is not None:
            add(record.id, [*found._extras.tensor_hooks.values()], found._extras, [])


def _flat(kinds: dict[str, list[dict]]) -> Iterator[tuple[str, Any]]:
    """(kind, hook) of all hooks. A hook of a module is called by one of a node, which knows it."""
    for kind, tables in kinds.items():
        for hook in [h for table in tables for h in table.values()]:
            method = hook.__func__ if isinstance(hook, types.MethodType) else None
            if method is None or method.__module__ != "jgrad.nn.modules.backward_hooks":
                yield kind, hook
            else:
                yield from [("module hook", users) for users in hook.__self__.called_by(hook)]


def _described(hook: Any, filename: str, user: UserCode) -> tuple[str, int | CodeType | None]:
    """The name of a hook, and its first line if the traced code defines it, or its code if other code of the user's does."""
    while isinstance(hook, partial):
        hook = hook.func
    if isinstance(hook, types.MethodType):
        hook = hook.__func__
    if not isinstance(hook, types.FunctionType):
        return type(hook).__name__, None
    code = hook.__code__
    if code.co_filename == filename:
        return hook.__name__, code.co_firstlineno
    return hook.__name__, code if user.has(code, hook.__globals__) else None
