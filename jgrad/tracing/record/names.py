"""The names by which the user's code knows tensors; see Note [Names] in `jgrad/tracing/record/recorder.py`."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import FrameType
from typing import Any

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.record.declared import read
from jgrad.tracing.record.models import LOCAL, Models, clipped, path_of
from jgrad.tracing.record.outlines import (
    INSTANCE,
    ITEMS,
    MAPPING,
    MODULE,
    OTHER,
    SEQUENCE,
    TENSOR,
    Outline,
    fields_of_module,
    items_of_sequence,
)
from jgrad.tracing.record.records import TensorMet
from jgrad.tracing.record.registry import Registry
from jgrad.tracing.record.scope import Scope, globals_of, mentioned
from jgrad.tracing.record.unheld import Unheld

LATER = 1_000  # items of a longer list that are looked at in the end
SEARCHED = 200  # containers and objects looked into under one name
DEPTH = 4

# A function that calls one of these may hold the very dictionary that frame.f_locals gives. Its variables are not read.
READS_LOCALS = frozenset(("locals", "vars", "dir", "eval", "exec"))
READS_FRAMES = frozenset(("_getframe", "currentframe"))  # also of a module


def reads_locals(code: types.CodeType) -> bool:
    """Whether a function may look at its variables as a dict, which would show that they were read before. (`model.eval()` does not, nor does
    what pytest makes of an assertion.)"""
    names = code.co_names
    return not READS_FRAMES.isdisjoint(names) or (
        not READS_LOCALS.isdisjoint(names) and not READS_LOCALS.isdisjoint(globals_of(code))
    )


# Values that change all the time and hold no tensors; their addresses are not compared.
PLAIN = frozenset((int, float, bool, str))
NUMBER = -1

MODULES = 256  # modules under one name; a larger model is read when it is met, and again in the end


class Reading:
    """Variables that are read again and again, the global ones or those of a function that runs: `keys` are their names in the code, `names` those
    that are noted. The other fields hold what was found last."""

    __slots__ = ("keys", "names", "places", "code", "frame", "addresses", "known", "within")

    def __init__(self, keys: tuple[str, ...], names: tuple[str, ...], frame: FrameType | None = None) -> None:
        self.keys, self.names, self.places = keys, names, range(len(keys))
        self.code = None if frame is None else frame.f_code
        self.frame = id(frame)
        self.addresses: list[int] = [0] * len(keys)
        self.known: list[Any] = [None] * len(keys)  # the records of tensors at these addresses
        self.within: list[bool] = [False] * len(keys)  # whether it is looked into


class Names:
    """Which tensor each name means. Variables are read after each statement; changes are appended to `bindings`, from which `update` makes `shown`."""

    def __init__(self, registry: Registry, scope: Scope) -> None:
        self.registry = registry
        self.scope = scope
        self.models = Models(registry)
        self.unheld = Unheld(self.models)
        # (since which step, name, the tensor it means or None):
        self.bindings: list[tuple[int, str, int | None]] = []
        self.bound: dict[str, int] = {}
        self.inside: dict[str, dict[str, int]] = {}  # variable -> names of the tensors in it
        # Variable -> what the last search in it came to; None if that was too much:
        self._outlines: dict[str, Outline | None] = {}
        self.kinds: dict[type, int] = {
            type(None): OTHER,
            types.ModuleType: OTHER,
            int: OTHER,
            float: OTHER,
            str: OTHER,
        }
        self.globals = Reading(scope.names, scope.names)
        self.functions: list[Reading] = []  # those that run, the innermost at the end
        # (function, depth) -> it, its variables, their names:
        self._variables: dict[tuple[int, int], tuple] = {}
        self.shown: dict[int, list[list]] = {}  # tensor -> [since which step, the name that is shown]
        self._names_of: dict[int, list[str]] = {}
        self._means: dict[str, int] = {}
        self._read_to = 0  # how many of `bindings` are in the three dictionaries above
        self._rest: list[tuple[int, list]] = []  # for tensors without any other name

    def add(self, code: types.CodeType) -> None:
        """Follow the global variables that a function names too."""
        reading, scope = self.globals, self.scope
        found = dict.fromkeys(n for n in mentioned(code) if scope.may_be_a_tensor(n))
        fresh = tuple([n for n in found if n not in reading.keys])
        reading.keys = reading.names = reading.keys + fresh
        reading.places = range(len(reading.keys))
        reading.addresses += [0] * len(fresh)
        reading.known += [None] * len(fresh)
        reading.within += [False] * len(fresh)

    def look(self, reading: Reading, get: Callable[[str], Any], deep: bool = True) -> None:
        """Read what these variables mean now; not `deep`: without looking into them."""
        record_of = self.registry.record_of
        addresses, known, within = reading.addresses, reading.known, reading.within
        foreign = mirrors.known if mirrors.loaded else None
        for i, value, record in zip(reading.places, map(get, reading.keys), known):  # noqa: B905
            if addresses[i] == id(value):
                if record is not None:
                    tensor = record()
                    if tensor is not None and (
                        tensor is value or (foreign is not None and foreign.get(id(value)) is tensor)
                    ):
                        continue
                elif not isinstance(value, Tensor) and (foreign is None or mirrors.mirror(value) is value):
                    if within[i] and deep:
                        self._look_inside(reading.names[i], value)
                    continue
            elif value.__class__ in PLAIN and addresses[i] == NUMBER and record is None:
                continue
            addresses[i] = NUMBER if value.__class__ in PLAIN else id(value)
            if foreign is not None:
                value = mirrors.mirror(value)
            within[i] = self._see(reading.names[i], value)
            known[i] = record_of(value)

    def _see(self, name: str, value: Any) -> bool:
        """Note what a name means now. Returns whether that is a container or object to look into again."""
        record = self.registry.record_of(value)
        if record is not None:
            if self.bound.get(name) != record.id:
                if name in self.inside:
                    self._forget(name)
                self._bind(name, record.id)
            return False
        old = self.scope.old  # addresses of values that the code replaces before it reads them
        if name in old:
            if old[name] == id(value) and value.__class__ not in PLAIN:
                return False
            del old[name]
        kind = self.kinds.get(value.__class__)
        if kind is None:
            kind = self._classify(value.__class__)
        if kind == OTHER:
            if name in self.bound or name in self.inside:
                self._forget(name)
        elif kind == TENSOR:
            self._forget(name)
            if not value._waits:
                self._bind(name, self.registry.known_tensor(value, None).id)
        else:
            if name in self.bound:
                self._forget(name)
            self._look_inside(name, value)
            return kind != MODULE or self._outlines[name] is not None  # else it is a large model
        return False

    def look_local(self, frame: FrameType, deep: bool = True) -> None:
        """Read the variables of a function of the traced code, and forget those of functions that have returned."""
        running = self.functions
        if not running or running[-1].frame != id(frame) or running[-1].code is not frame.f_code:
            self._enter(frame)
        self._read(frame, deep)

    def _enter(self, frame: FrameType) -> None:
        """Have `functions` end with the one that runs in this frame."""
        depths = {reading.frame: depth for depth, reading in enumerate(self.functions, 1)}
        caller: FrameType | None = frame
        while caller is not None:
            depth = depths.get(id(caller), 0)
            if depth and self.functions[depth - 1].code is caller.f_code:
                self.leave_functions(depth)
                break
            caller = caller.f_back
        else:
            self.leave_functions()
        if caller is not frame:
            if caller is not None:
                self._read(caller)  # what it has named since its last operation
            self.functions.append(Reading(*self._variables_of(frame.f_code), frame))
            code = frame.f_code
            if code.co_argcount and code.co_varnames[0] == "self" and code.co_name != "__init__":
                holder = frame.f_locals.get("self")
                if self._kind_of(holder) == MODULE:
                    self.meet(holder)

    def meet(self, holder: Any) -> None:
        """A module has run, or an optimizer has made a step. A framework may hold it where no variable of the program does."""
        if not self.unheld.is_new(holder):
            return
        name = self.unheld.name_of(holder)
        if mirrors.is_optimizer(holder):
            self.unheld.add(name, holder, [])
            return
        tensors = self._numbered(name, holder)
        named = {*self.bound.values()}
        if not all(number in named for number, _ in tensors):
            self.unheld.add(name, holder, tensors)  # else it is a part of what a variable holds

    def _numbered(self, name: str, module: Any) -> list[tuple[int, str]]:
        found = self._tensors_in(name, module, by_class=True)
        return [(self.registry.known_tensor(tensor, None).id, path) for path, tensor in found]

    def name_by_class(self) -> None:
        """Note names for the tensors of what no variable holds, if they have none yet: `Net.head.weight`."""
        for model, tensors in self.unheld.left():
            holder = model.reference()
            if holder is not None and not mirrors.is_optimizer(holder):
                tensors = self._numbered(model.name, holder)  # it may have more by now
            for number, name in tensors:
                self._rest.append((number, [read(TensorMet, self.registry.tensors[number].raw).born, name]))

    def _variables_of(self, code: types.CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The variables of a function, and their names: those of a function that it calls, or of itself once more, are others."""
        depth = len(self.functions) + 1
        found = self._variables.get((id(code), depth))
        if found is None:
            names = dict.fromkeys((*code.co_varnames, *code.co_cellvars, *code.co_freevars))
            within = self.scope.within
            if within is not None and within[0] is code:
                names = {n: None for n in names if n in within[1]}
            hidden = reads_locals(code)
            keys = tuple([n for n in names if n not in ("self", "cls") and n[0] != "." and not hidden])
            prefixed = tuple([LOCAL * depth + key for key in keys])
            found = self._variables[id(code), depth] = (code, keys, prefixed)
        return found[1], found[2]

    def _read(self, frame: FrameType, deep: bool = True) -> None:
        reading = self.functions[-1]
        if reading.keys:
            variables = frame.f_locals
            self.look(reading, variables.get, deep)
            if type(variables) is dict:
                variables.clear()  # before Python 3.13 a frame keeps this copy, and so whatever the function deletes

    def leave_functions(self, depth: int = 0) -> None:
        """Forget the variables of functions that have returned: only the outermost `depth` still run."""
        while len(self.functions) > depth:
            for name in reversed(self.functions.pop().names):
                self._forget(name)

    def name_the_rest(self, namespace: Mapping[str, Any], taken: Mapping[str, Any] = {}) -> None:
        """Note names for tensors that the code did not name itself, such as the leaves of a graph that was there before, the parameters of a model
        of which the code names only the optimizer, the state of optimizers, and what comes late in a long list. A name that means something else among those that are `taken`
        gets that of its module: "lib.net"."""
        variables = [
            (name if taken.get(name, value) is value else f"{namespace.get('__name__', '')}.{name}", value)
            for name, value in list(namespace.items())
            if name[:1] != "_"
        ]
        for name, value in variables:
            self._name_if_nameless(name, value)
            if isinstance(value, (list, tuple)):
                items = list.__iter__(value) if isinstance(value, list) else tuple.__iter__(value)
                for i, item in enumerate(islice(items, ITEMS, LATER), ITEMS):
                    self._name_if_nameless(f"{name}[{i}]", item)
        for name, value in variables:
            if (
                self.kinds.get(value.__class__, MODULE) == MODULE
                and self._classify(value.__class__) == MODULE
            ):
                for path, tensor in self._tensors_in(name, value):
                    self._name_if_nameless(path, tensor)
        optimizers = [(name, value) for name, value in variables if mirrors.is_optimizer(value)]
        if optimizers:
            self.update()
        for name, value in optimizers:
            self.models.notice(name, value)
            for path, tensor in self._state_of(name, value):
                self._name_if_nameless(path, tensor)

    def _name_if_nameless(self, name: str, value: Any) -> None:
        record = self.registry.record_of(mirrors.mirror(value))
        if record is not None:
            self._rest.append((record.id, [read(TensorMet, record.raw).born, name]))

    def _state_of(self, name: str, optimizer: Any) -> Iterator[tuple[str, Any]]:
        """The parameters and the state tensors of an optimizer: `opt.state[model.weight]['exp_avg']`."""
        for i, group in enumerate(vars(optimizer).get("param_groups", ())):
            for j, parameter in enumerate(group["params"]):
                called = f"{name}.param_groups[{i}]['params'][{j}]"
                yield called, parameter
                record = self.registry.record_of(mirrors.mirror(parameter))
                names = [] if record is None else [n for _, n in self.shown.get(record.id, ()) if n]
                for key, item in optimizer.state.get(parameter, {}).items():
                    yield f"{name}.state[{names[-1] if names else called}][{key!r}]", item

    def _classify(self, cls: type) -> int:
        if issubclass(cls, Tensor):
            kind = TENSOR
        elif issubclass(cls, (list, tuple)):
            kind = SEQUENCE
        elif issubclass(cls, dict):
            kind = MAPPING
        elif issubclass(cls, (type, types.ModuleType, types.FunctionType)):
            kind = OTHER
        elif any(c.__module__ in mirrors.MODULE_FILES and c.__name__ == "Module" for c in cls.__mro__):
            kind = MODULE
        else:
            # Objects of the user's own classes, and of the libraries' (optimizers); other objects are not looked into.
            module = getattr(cls, "__module__", "")
            own = module == self.scope.module or (
                module.startswith(("jgrad.", "torch.optim."))
                and not module.startswith(("jgrad.trace", "jgrad.notebook"))
            )
            kind = INSTANCE if own and getattr(cls, "__dictoffset__", 0) else OTHER
        self.kinds[cls] = kind
        return kind

    def _kind_of(self, value: Any) -> int:
        """What a value is; its class may be new, since an object may get another class (a Lazy layer does)."""
        kind = self.kinds.get(value.__class__)
        return self._classify(value.__class__) if kind is None else kind

    def _look_inside(self, name: str, value: Any) -> None:
        registry, outline = self.registry, self._outlines.get(name)
        if outline is not None and outline.fits(value, registry.tensor_of):
            return
        outline = Outline()
        tensors = self._tensors_in(name, value, outline=outline)
        found = {path: registry.known_tensor(t, None).id for path, t in tensors}
        outline.met(registry.tensor_of)
        self._outlines[name] = outline if len(outline.holders) <= SEARCHED + MODULES else None
        before = self.inside.get(name, {})
        if found == before:
            return
        for path in before.keys() - found.keys():
            self._unbind(path)
        for path, number in found.items():
            if self.bound.get(path) != number:
                self._unbind(path)
                self._bind(path, number)
        self.inside[name] = found

    def _tensors_in(
        self, name: str, value: Any, by_class: bool = False, outline: Outline | None = None
    ) -> Iterator[tuple[str, Any]]:
        """The tensors in a container or object, with their names. Of modules all are found, whatever their number and depth. `by_class`: see `Models.notice`.
        `outline`: where to note what was come to."""
        outline = outline or Outline()
        # Layers come first: what they hold is called after them, and not after a list that a framework keeps of it.
        layers, rest = deque([(name, value, 0, 0)]), deque[tuple[str, Any, int, int]]()
        seen = {id(value)}
        others = 0
        models = [(name, value)] if self._is_model(value) else []
        while layers or rest:
            path, holder, depth, parent = (layers or rest).popleft()
            number = outline.add(holder, self._kind_of(holder), (parent, id(holder)))
            keeps = mirrors.is_optimizer(holder)  # lists of its own, whose names no user wrote
            for key, raw in self._items(holder):
                if keeps and key.startswith("_"):
                    continue
                item = mirrors.mirror(raw)
                kind = self._kind_of(item)
                where = f"{path}{key}" if key.startswith("[") else f"{path}.{key}"
                if kind == MODULE and key.startswith("_") and self._kind_of(holder) == MODULE:
                    where = path_of(path, key, holder)
                if kind == TENSOR:
                    outline.add_tensor(number, raw, item, not item._waits)
                    if not item._waits:
                        yield where, item
                elif kind == OTHER:
                    if mirrors.is_tensor(item):
                        outline.add_tensor(number, raw, item, False)
                elif id(item) not in seen:
                    if kind != MODULE:
                        others += 1
                        if depth >= DEPTH or others > SEARCHED:
                            continue
                    seen.add(id(item))
                    if kind == MODULE:
                        layers.append((where, item, 0, number))
                    else:
                        rest.append((where, item, depth + 1, number))
                    if kind == MODULE and self._kind_of(holder) == MODULE:
                        continue  # a layer
                    if kind in (MODULE, INSTANCE) and self._is_model(item):
                        models.append((where, item))
        for where, model in models:  # after their tensors were met
            self.models.notice(where, model, by_class)

    def _is_model(self, value: Any) -> bool:
        """Whether something is a module or an optimizer."""
        return self._kind_of(value) == MODULE or mirrors.is_optimizer(value)

    def _items(self, holder: Any) -> Iterator[tuple[str, Any]]:
        """What is in a container or object, with the key as code writes it."""
        kind = self._kind_of(holder)
        if kind == SEQUENCE:
            for i, item in enumerate(items_of_sequence(holder)):
                yield f"[{i}]", item
        elif kind == MODULE:
            for fields in fields_of_module(holder):
                for key, item in list(fields.items()):
                    # The layers of a Sequential have numbers.
                    yield (
                        f"[{key}]" if key.isdigit() else key,
                        item,
                    )
        else:
            for key, item in list(dict.items(holder) if kind == MAPPING else vars(holder).items())[:ITEMS]:
                if kind == INSTANCE:
                    yield key, item
                elif isinstance(key, (str, int)):
                    yield f"[{key!r:.40}]", item

    def _bind(self, name: str, number: int) -> None:
        self.bound[name] = number
        self.bindings.append((self.registry.kept - 1, name, number))

    def _unbind(self, name: str) -> None:
        if self.bound.pop(name, None) is not None:
            self.bindings.append((self.registry.kept - 1, name, None))

    def _forget(self, name: str) -> None:
        if name in self.bound:
            self._unbind(name)
        self._outlines.pop(name, None)
        # The last ones first: so the name that is shown of a tensor is not followed by its other names.
        for path in reversed([*self.inside.pop(name, ())]):
            self._unbind(path)

    def renumber(
        self, bindings: list[tuple[int, str, int | None]], numbers: Mapping[int | None, int]
    ) -> None:
        """Take over bindings with new numbers of steps and tensors. `numbers`: the new number of each old one; those that it lacks are gone."""
        self.bindings = bindings
        self.bound = {name: numbers[n] for name, n in self.bound.items() if n in numbers}
        self.inside = {
            variable: {name: numbers[n] for name, n in found.items() if n in numbers}
            for variable, found in self.inside.items()
        }
        self._rest = [(numbers[n], named) for n, named in self._rest if n in numbers]
        self.unheld.renumber(numbers)
        self.shown, self._names_of, self._means, self._read_to = {}, {}, {}, 0

    # What is shown ----------------------------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Bring `shown` up to date. If a tensor has several names, the first one is shown."""
        fresh, self._read_to = self.bindings[self._read_to :], len(self.bindings)
        for step, name, number in fresh:
            before = self._means.pop(name, None)
            if before is not None:
                names = self._names_of[before]
                first = names[0] == name
                names.remove(name)
                if first:
                    self._show(step, before, names[0] if names else "")
            if number is not None:
                self._means[name] = number
                names = self._names_of.setdefault(number, [])
                names.append(name)
                if len(names) == 1:
                    self._show(step, number, name)
        for number, shown in self._rest:
            known_as = self.shown.get(number, [])
            known = [name for _, name in known_as if name]
            if all(".param_groups[" in name for name in known):
                self.shown[number] = [shown]
            elif not known_as[-1][1]:  # the variable of a loop over a long list means its next item by now
                known_as[-1][1] = clipped(shown[1])
        self._rest.clear()

    def _show(self, step: int, number: int, name: str) -> None:
        names, name = self.shown.setdefault(number, []), clipped(name.lstrip(LOCAL))
        if name != (names[-1][1] if names else ""):
            names.append([step, name])
