"""Whether a container or object still holds what it held when it was searched for tensors.

Variables are looked into after each statement, and mostly nothing has changed. So a search notes the addresses of all that it came to, and
the next look compares them, holder by holder. That takes a tenth of the time of a search. An outline keeps nothing alive: it has addresses, classes, and
records, which are weak references.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from operator import is_
from typing import Any, NamedTuple

from jgrad.mirrors.known import known
from jgrad.tracing.record.records import TensorRecord

ITEMS = 64  # items of one list, dict or object that are looked at

TENSOR, SEQUENCE, MAPPING, INSTANCE, MODULE, OTHER = range(6)
# The fields in which an nn.Module has its tensors and layers.
REGISTERED = (
    "_parameters",
    "_buffers",
    "_modules",
)
# The other fields that each nn.Module has:
OWN_FIELDS = frozenset((
    "training", *REGISTERED, "_non_persistent_buffers_set", "_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks",
    "_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks_with_kwargs",
))  # fmt: skip


class Holder(NamedTuple):
    """A container or object that a search came to."""

    parent: int  # the number of the holder in which it was found; of the first one itself
    place: int  # where it is among the parts of that holder
    cls: type
    parts_of: Callable[[Any], list[Any]]
    addresses: list[int]  # of its parts
    places: dict[int, int]  # address -> where it is among them


class Outline:
    """What a search came to."""

    __slots__ = ("holders", "_tensors", "_unusable", "_records")

    def __init__(self) -> None:
        self.holders: list[Holder] = []
        # (number of the holder, place, address of the tensor or its mirror)
        self._tensors: list[tuple[int, int, int]] = []
        # Tensors without a mirror, or without a shape yet, and their classes.
        self._unusable: list[tuple[int, int, type]] = []
        # The records of the tensors, once all are met.
        self._records: list[TensorRecord] = []

    def add(self, holder: Any, kind: int, parent: tuple[int, int]) -> int:
        """The search came to this holder. Returns its number. `parent`: the number of the holder in which it was found, and the address of it there."""
        parts_of = PARTS[kind]
        addresses = [*map(id, parts_of(holder))]
        number, address = parent
        place = self.holders[number].places[address] if self.holders else 0
        places = dict(zip(addresses, range(len(addresses)), strict=True))
        self.holders.append(Holder(number, place, holder.__class__, parts_of, addresses, places))
        return len(self.holders) - 1

    def add_tensor(self, number: int, raw: Any, tensor: Any, is_usable: bool) -> None:
        """Among the parts of a holder is a tensor. `tensor`: its mirror, or itself."""
        place = self.holders[number].places[id(raw)]
        if is_usable:
            self._tensors.append((number, place, id(tensor)))
        else:
            self._unusable.append((number, place, raw.__class__))

    def met(self, tensor_of: Mapping[int, TensorRecord]) -> None:
        """All tensors have records now."""
        self._records = [tensor_of[address] for _, _, address in self._tensors]

    def fits(self, value: Any, tensor_of: Mapping[int, TensorRecord]) -> bool:
        """Whether a search would come to the same."""
        found: list[list[Any]] = []
        for parent, place, cls, parts_of, addresses, _ in self.holders:
            holder = found[parent][place] if found else value
            if holder.__class__ is not cls:
                return False
            parts = parts_of(holder)
            if [*map(id, parts)] != addresses:
                return False
            found.append(parts)
        # At the address of a tensor may be another one by now. (Records and tensors are compared by identity; their `==` is something else.)
        tensors = [found[number][place] for number, place, _ in self._tensors]
        tensors = [*map(known.get, map(id, tensors), tensors)]
        records = self._records
        return (
            all(map(is_, map(tensor_of.get, map(id, tensors)), records))
            and all(map(is_, [record() for record in records], tensors))
            and all([found[number][place].__class__ is cls for number, place, cls in self._unusable])
        )


def items_of_sequence(holder: Any) -> list[Any]:
    """The first items of a list or tuple. No method of a class of the user's runs."""
    items = list.__iter__(holder) if isinstance(holder, list) else tuple.__iter__(holder)
    return [*islice(items, ITEMS)]


def fields_of_module(module: Any) -> list[dict[str, Any]]:
    """What an nn.Module has by name: its parameters, buffers and layers, then other attributes."""
    held = vars(module)
    fields = [_registered(held, key) for key in REGISTERED]
    if not held.keys() <= OWN_FIELDS:
        fields.append({key: item for key, item in held.items() if key not in OWN_FIELDS})
    return fields


def _parts_of_module(module: Any) -> list[Any]:
    held = vars(module)
    names, parts = [*held], [*held.values()]
    if "training" in held:
        parts[names.index("training")] = None  # which holds nothing, and changes with every `eval()`
    parts += names
    for name in REGISTERED:
        fields = _registered(held, name)
        parts += fields
        parts += fields.values()
    return parts


def _registered(held: dict[str, Any], name: str) -> dict[str, Any]:
    """What a module holds under a name; nothing if it is not in a dictionary, as in modules of torch.jit."""
    fields = held.get(name)
    return fields if isinstance(fields, dict) else {}


def _parts_of_mapping(held: Any) -> list[Any]:
    return [*islice(dict.__iter__(held), ITEMS), *islice(dict.values(held), ITEMS)]


def _parts_of_instance(holder: Any) -> list[Any]:
    return _parts_of_mapping(getattr(holder, "__dict__", {}))


# What a holder of a kind has: keys and values.
PARTS: dict[int, Callable[[Any], list[Any]]] = {
    SEQUENCE: items_of_sequence, MAPPING: _parts_of_mapping, INSTANCE: _parts_of_instance, MODULE: _parts_of_module,
}  # fmt: skip
