"""What the user calls the tensors; see Note [Names] in `jgrad/trace/capture.py`."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jgrad.tensor import Tensor

if TYPE_CHECKING:
    from jgrad.trace.capture import Recorder

LOCAL = (
    "\0"  # stands before the names of a function's variables, which may be other things than the global ones
)
ITEMS = 64  # items of one list, dict or object that are looked at
SEARCHED = 200  # things looked into under one name
DEPTH = 4

# A function that uses these may hold the very dictionary that frame.f_locals gives, so that one is left alone.
READS_LOCALS = frozenset(("locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe"))

TENSOR, SEQUENCE, MAPPING, INSTANCE, OTHER = range(5)
TRANSPARENT = ("_parameters", "_buffers", "_modules")  # model.weight, not model._parameters['weight']


class Names:
    """Which tensor each name means, kept up to date by looking; `shown` has what is told of it."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.shown: dict[int, list[list]] = {}  # tensor -> [since which step, the name that is shown]
        self.bound: dict[str, int] = {}
        self.inside: dict[str, dict[str, int]] = {}  # variable -> names of what lies in it
        self.names_of: dict[int, list[str]] = {}
        self.kinds: dict[type, int] = {
            type(None): OTHER,
            types.ModuleType: OTHER,
            int: OTHER,
            float: OTHER,
            str: OTHER,
        }
        self.function: types.CodeType | None = None
        self.locals: set[str] = set()
        self._addresses: list[int] = []  # of what the global names meant when they were last looked at
        self._met = 0  # tensors that were known then
        self._containers: dict[str, None] = {}  # names of what is looked into

    def look_global(self) -> None:
        """Read what the global names mean now."""
        scope, tensors = self.recorder.scope, self.recorder.tensors
        names, get = scope.names, scope.namespace.get
        addresses = [*map(id, map(get, names))]
        before = self._addresses
        fresh = tensors[self._met :]
        if addresses != before or (fresh and not self._fresh(fresh).isdisjoint(addresses)):
            if len(before) != len(addresses):
                before = [0] * len(addresses)
            new = self._fresh(fresh)
            self._addresses = addresses
            for name, now, then in zip(names, addresses, before, strict=True):
                if now != then or now in new:
                    value = get(name)
                    if self._see(name, value):
                        self._containers.setdefault(name)
                    else:
                        self._containers.pop(name, None)
                elif name in self._containers:
                    self._look_inside(name, get(name))
        else:
            for name in self._containers:
                self._look_inside(name, get(name))
        self._met = len(tensors)

    def _fresh(self, records: Iterable[Any]) -> set[int]:
        """The addresses of tensors that are new, one of which may be that of something a name meant before."""
        return {id(record()) for record in records}

    def look(self, namespace: Mapping[str, Any], names: Iterable[str], prefix: str) -> None:
        """Read what these names mean now."""
        for name in names:
            self._see(prefix + name, namespace.get(name))

    def _see(self, name: str, value: Any) -> bool:
        """Note what a name means now; whether that is something to look into."""
        record = self.recorder.tensor_of.get(id(value))
        if record is not None and record() is value:
            if self.bound.get(name) != record.id:
                self._forget(name)
                self._bind(name, record.id)
            return False
        old = self.recorder.scope.old  # what names mean that will be replaced unread
        if name in old:
            if old[name] == id(value):
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
            self._bind(name, self.recorder.known_tensor(value, None).id)
        else:
            if name in self.bound:
                self._forget(name)
            self._look_inside(name, value)
            return True
        return False

    def look_local(self, frame: Any) -> None:
        """Read the variables of a function of the traced code; those of a function that has returned are over."""
        code = frame.f_code
        if code is not self.function:
            caller = None if self.function is None else _running(self.function, frame.f_back)
            if caller is not None:
                self._read(
                    caller
                )  # what it has named since its last operation, before the function it calls names that too
            else:
                for name in self.locals:
                    self._forget(name)
                self.locals.clear()
            self.function = code
        self._read(frame)

    def _read(self, frame: Any) -> None:
        code = frame.f_code
        if not READS_LOCALS.isdisjoint(code.co_names):
            return
        variables = frame.f_locals
        names = [n for n in variables if n not in ("self", "cls") and n[0] != "."]
        within = self.recorder.scope.within
        if within is not None and within[0] is code:
            names = [n for n in names if n in within[1]]
        self.locals.update([LOCAL + n for n in names])
        self.look(variables, names, LOCAL)
        if type(variables) is dict:
            variables.clear()  # before Python 3.13 a frame keeps this copy, and so whatever the function deletes

    def leave_functions(self) -> None:
        """The traced code is at its top level: no function's variables are alive."""
        if self.function is not None:
            for name in self.locals:
                self._forget(name)
            self.locals.clear()
            self.function = None

    def name_the_rest(self, namespace: Mapping[str, Any]) -> None:
        """Names for tensors that the code did not name itself, such as the leaves of a graph that was there before."""
        tensor_of = self.recorder.tensor_of
        for name, value in list(namespace.items()):
            record = tensor_of.get(id(value))
            if record is not None and record() is value and record.id not in self.shown and name[:1] != "_":
                self.shown[record.id] = [[record.raw[1], name]]

    def _classify(self, cls: type) -> int:
        if issubclass(cls, Tensor):
            kind = TENSOR
        elif issubclass(cls, (list, tuple)):
            kind = SEQUENCE
        elif issubclass(cls, dict):
            kind = MAPPING
        elif issubclass(cls, (type, types.ModuleType, types.FunctionType)):
            kind = OTHER
        else:
            # Objects of the user's own classes, and of jgrad's (modules, optimizers); not the insides of whatever else is around.
            module = getattr(cls, "__module__", "")
            own = module == self.recorder.scope.module or (
                module.startswith("jgrad.") and not module.startswith("jgrad.trace")
            )
            kind = INSTANCE if own and getattr(cls, "__dictoffset__", 0) else OTHER
        self.kinds[cls] = kind
        return kind

    def _look_inside(self, name: str, value: Any) -> None:
        found = {path: self.recorder.known_tensor(t, None).id for path, t in self._tensors_in(name, value)}
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

    def _tensors_in(self, name: str, value: Any) -> Iterator[tuple[str, Any]]:
        todo = [(name, value, 0, False)]
        seen = {id(value)}
        for path, thing, depth, attributes in todo:  # grows while it is walked
            for key, item in self._items(thing, attributes):
                kind = self.kinds.get(item.__class__)
                kind = self._classify(item.__class__) if kind is None else kind
                where = (
                    path if key in TRANSPARENT else f"{path}{key}" if key.startswith("[") else f"{path}.{key}"
                )
                if kind == TENSOR:
                    yield where, item
                elif kind != OTHER and depth < DEPTH and len(todo) < SEARCHED and id(item) not in seen:
                    seen.add(id(item))
                    inside = key in TRANSPARENT
                    todo.append((where, item, depth + (not inside), inside))

    def _items(self, thing: Any, attributes: bool) -> Iterator[tuple[str, Any]]:
        """What lies in a container or object, with the key as code writes it; `attributes`: a dict that an object shows as attributes."""
        kind = self.kinds[thing.__class__]
        if kind == SEQUENCE:
            for i, item in enumerate(
                list.__iter__(thing) if isinstance(thing, list) else tuple.__iter__(thing)
            ):
                if i == ITEMS:
                    return
                yield f"[{i}]", item
        else:
            pairs = list(dict.items(thing) if kind == MAPPING else vars(thing).items())[:ITEMS]
            for key, item in pairs:
                if kind == INSTANCE:
                    yield key, item
                elif attributes:
                    yield (
                        (f"[{key}]" if key.isdigit() else key),
                        item,
                    )  # the layers of a Sequential have numbers
                elif isinstance(key, (str, int)):
                    yield (key if key in TRANSPARENT else f"[{key!r:.40}]"), item

    def _bind(self, name: str, number: int) -> None:
        self.bound[name] = number
        names = self.names_of.setdefault(number, [])
        names.append(name)
        if len(names) == 1:
            self._show(number, name)

    def _unbind(self, name: str) -> None:
        number = self.bound.pop(name, None)
        if number is not None:
            names = self.names_of[number]
            first = names[0] == name
            names.remove(name)
            if first:
                self._show(number, names[0] if names else "")

    def _forget(self, name: str) -> None:
        self._unbind(name)
        for path in self.inside.pop(name, ()):
            self._unbind(path)

    def _show(self, number: int, name: str) -> None:
        names, name = self.shown.setdefault(number, []), name.removeprefix(LOCAL)
        if name != (names[-1][1] if names else ""):
            names.append([self.recorder.kept - 1, name[:80]])


def _running(code: types.CodeType, frame: Any) -> Any:
    """The frame in which a function runs, seen from one that it may have called."""
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame
