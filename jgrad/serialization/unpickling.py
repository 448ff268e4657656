"""The unpickler of `weights_only=True`: it knows the instructions of `torch.save`, and calls nothing but what is on the list of safe names.

`pickle.Unpickler` would be faster. It can't be used, because its instructions call `__setstate__` and set attributes on anything that is on the
stack. This one has no recursion, and never holds more than some hundred bytes for each byte of the file:

- a string or a container is never longer than what is left of the file,
- the functions that copy their arguments may copy no more in total than the file has bytes,
- keys of dictionaries are hashed only if they are small: a tuple that contains itself twice, fifty levels deep, takes years to hash.
"""

from __future__ import annotations

import _compat_pickle
import codecs
import os
import pickle
import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from pickle import decode_long
from types import ModuleType
from typing import IO, Any

from jgrad import warn
from jgrad.devices import device
from jgrad.nn import Parameter
from jgrad.serialization import names, rebuilding
from jgrad.serialization.archive import read_exactly
from jgrad.serialization.errors import LoadError, UsersError, blocked_module, damaged, refused, unknown_global
from jgrad.tensor import Size, Tensor

BLOCKED = ("sys", "os", "posix", "nt")  # modules of which nothing can be allowed
LARGEST_KEY = 1000  # elements of nested tuples
DEEPEST_KEY = 50

safe: set[Any] = set()  # what the user allows: classes and functions, or pairs of one and its name


def names_of_safe() -> dict[str, Any]:
    """What the user allows, by the whole name in files."""
    found = {}
    for given in safe:
        if isinstance(given, tuple):
            if len(given) != 2:
                raise ValueError(
                    f"Expected tuple of length 2 (global, str of callable full path), but got tuple of length: {len(given)}"
                )
            value, name = given
            if type(name) is not str:
                raise TypeError(
                    f"Expected second item in tuple to be str of callable full path, but got: {type(name)}"
                )
        else:
            value = given
            name = ".".join(names.torch_name(value) or (value.__module__, value.__qualname__))
        found[name] = value
    return found


def in_python_3(module: str, name: str) -> tuple[str, str]:
    """The names of Python 3 for those of Python 2, which protocol 2 still writes."""
    module_only = _compat_pickle.IMPORT_MAPPING.get(module, module), name
    return _compat_pickle.NAME_MAPPING.get((module, name), module_only)


class Source:
    """The bytes of a pickle in a file. What is read is never larger than what is left of the file."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        position = file.tell()
        self.left = self.size = file.seek(0, os.SEEK_END) - position
        file.seek(position)

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count > self.left:
            raise damaged("it ends too early")
        self.left -= count
        return read_exactly(self.file, count)

    def line(self) -> str:
        """The text up to the end of the line."""
        line = self.file.readline()
        self.left -= len(line)
        if not line.endswith(b"\n"):
            raise damaged("it ends too early")
        return line[:-1].decode("utf-8")

    def number(self, form: str) -> Any:
        """The next number, in a format of `struct`."""
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]


class Unpickler:
    """Reads one pickle. `persistent_load` gives the storage for what the file holds of it."""

    def __init__(
        self, source: Source, persistent_load: Callable[[tuple], Any], encoding: str = "utf-8"
    ) -> None:
        self.source, self.persistent_load, self.encoding = source, persistent_load, encoding
        self.stack: list[Any] = []
        self.marked: list[list[Any]] = []  # the stacks below the marks
        self.memo: dict[int, Any] = {}
        self.allowed = names.allowed()
        self.by_user = names_of_safe()
        self.may_copy = source.size

    def load(self) -> Any:
        """The object. Raises `LoadError` whatever is wrong with the pickle."""
        try:
            while True:
                instruction = self.source.take(1)
                if instruction == pickle.STOP:
                    return self.stack.pop()
                action = ACTIONS.get(instruction)
                if action is None:
                    raise refused(f"Unsupported operand {instruction[0]}")
                action(self)
        except (LoadError, UsersError, OSError, MemoryError, Warning):
            raise
        except Exception as error:
            raise damaged(f"{type(error).__name__}: {error}") from error

    # Names and calls ----------------------------------------------------------------------------------------------------------

    def push_global(self) -> None:
        module, name = in_python_3(self.source.line(), self.source.line())
        whole = f"{module}.{name}"
        if module in BLOCKED:
            raise blocked_module(whole, module)
        if whole in self.allowed:
            self.stack.append(self.allowed[whole])
        elif whole in self.by_user:
            self.stack.append(self.by_user[whole])
        elif whole in BUILTIN:
            self.stack.append(BUILTIN[whole])
        elif whole in names.MISSING:
            raise rebuilding.missing(whole)
        else:
            raise unknown_global(whole)

    def _by_user(self, value: Any) -> bool:
        return any([value is allowed for allowed in self.by_user.values()])

    def reduce(self) -> None:
        arguments, function = self.stack.pop(), self.stack.pop()
        if type(arguments) is not tuple:
            raise damaged("the arguments of a call are not a tuple")
        if self._by_user(function):
            self.stack.append(function(*arguments))
            return
        call = CALLS.get(id(function))
        if call is None:
            text = f"Trying to call reduce for unrecognized function {_shown(function)}"
            raise refused(
                text + (f" which belongs to {function.__self__}" if hasattr(function, "__self__") else "")
            )
        for argument in arguments:
            self._count_copy(argument)
            for part in argument if type(argument) is tuple else ():
                self._count_copy(part)
        self.stack.append(call(*arguments))

    def _count_copy(self, value: Any) -> None:
        if isinstance(value, (str, bytes, list, tuple, dict)):
            self.may_copy -= len(value)
            if self.may_copy < 0:
                raise damaged("what it copies is larger than the file")

    def new(self) -> None:
        arguments, cls = self.stack.pop(), self.stack.pop()
        if self._by_user(cls):
            self.stack.append(cls.__new__(cls, *arguments))
        elif cls is Parameter:
            self.stack.append(rebuilding.rebuild_parameter(*arguments) if arguments else Parameter())
        elif isinstance(cls, type) and id(cls) in CALLS:
            self.stack.append(CALLS[id(cls)](*arguments))
        else:
            raise refused(
                "Can only create new object for nn.Parameter or classes allowlisted via `add_safe_globals` but got "
                f"{_shown(cls)}"
            )

    def build(self) -> None:
        state, target = self.stack.pop(), self.stack[-1]
        self._count_copy(state)
        if type(target) is OrderedDict:
            target.__dict__.update(state)
        elif type(target) in (Tensor, Parameter):
            _set_state(target, state)
        elif not self._by_user(type(target)):
            raise refused(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted via `add_safe_globals`, but got "
                f"{type(target)}"
            )
        elif hasattr(target, "__setstate__"):
            target.__setstate__(state)
        else:
            attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
            target.__dict__.update(attributes or {})
            for name, value in (slots or {}).items():
                setattr(target, name, value)

    def push_storage(self) -> None:
        saved = self.stack.pop()
        if type(saved) is not tuple:
            raise refused(f"persistent_load id must be tuple or int, but got {type(saved)}")
        kind = saved[0] if saved else None
        if kind not in ("storage", b"storage"):
            raise refused(f"Only persistent_load of storage is allowed, but got {_shown(kind)}")
        self.stack.append(self.persistent_load(saved[1:]))

    # Containers ---------------------------------------------------------------------------------------------------------------

    def mark(self) -> None:
        self.marked.append(self.stack)
        self.stack = []

    def since_mark(self) -> list[Any]:
        items, self.stack = self.stack, self.marked.pop()
        return items

    def make_tuple(self) -> None:
        items = self.since_mark()
        self.stack.append(tuple(items))

    def tuple_of(self, count: int) -> None:
        if len(self.stack) < count:
            raise damaged("a tuple has too few elements")
        self.stack[-count:] = [tuple(self.stack[-count:])]

    def append(self) -> None:
        item = self.stack.pop()
        self._list("append").append(item)

    def extend(self) -> None:
        items = self.since_mark()
        self._list("extend").extend(items)

    def _list(self, doing: str) -> list[Any]:
        target = self.stack[-1]
        if type(target) is not list:
            raise refused(
                f"Can only {doing} {'to ' if doing == 'append' else ''}lists, but got {type(target)}"
            )
        return target

    def set_item(self) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._set_items("SETITEM", [key, value])

    def set_items(self) -> None:
        items = self.since_mark()
        self._set_items("SETITEMS", items)

    def _set_items(self, instruction: str, items: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) not in (dict, OrderedDict, Counter):
            raise refused(
                f"Can only {instruction} for dict, collections.OrderedDict, collections.Counter, but got {type(target)}"
            )
        if len(items) % 2:
            raise damaged("a key has no value")
        for key, value in zip(items[::2], items[1::2], strict=True):
            target[checked_key(key)] = value

    # Values -------------------------------------------------------------------------------------------------------------------

    def push_text(self) -> None:
        self.stack.append(self.source.take(self.source.number("<I")).decode("utf-8", "surrogatepass"))

    def push_old_text(self) -> None:
        content = self.source.take(self.source.number("<B"))
        self.stack.append(content if self.encoding == "bytes" else content.decode(self.encoding))

    def push_long(self) -> None:
        self.stack.append(decode_long(self.source.take(self.source.number("<B"))))

    def get(self, index: int) -> None:
        if index not in self.memo:
            raise damaged(f"it refers to an object {index} that it does not have")
        self.stack.append(self.memo[index])

    def put(self, index: int) -> None:
        self.memo[index] = self.stack[-1]

    def protocol(self) -> None:
        number = self.source.number("<B")
        if number != 2:
            warn.say(
                f"Detected pickle protocol {number} in the checkpoint, which was not the default pickle protocol used by `torch.load` (2). "
                "The weights_only Unpickler might not support all instructions implemented by this protocol, please file an issue for adding "
                "support if you encounter this."
            )


def checked_key(key: Any) -> Any:
    """A key of a dictionary or an element of a set, after a look whether it can be hashed in a reasonable time."""
    level, left, depth = [key] if isinstance(key, tuple) else [], LARGEST_KEY, DEEPEST_KEY
    while level:
        left, depth = left - sum([len(part) for part in level]), depth - 1
        if left < 0 or depth < 0:
            raise damaged("a key is too large")
        level = [item for part in level for item in part if isinstance(item, tuple)]
    return key


def _shown(value: Any) -> str:
    """A value in an error message, without walking through what it contains."""
    return f"{type(value)}" if isinstance(value, (list, tuple, dict, set, str, bytes)) else f"{value}"


def _set_state(target: Tensor, state: Any) -> None:
    """Set the state of a tensor as files before PyTorch 0.4 hold it."""
    if len(state) == 4:
        made = rebuilding.rebuild_tensor(*state)
        target.set_(made.untyped_storage(), made.storage_offset(), made.shape, made.stride())
        return
    if len(state) == 5:
        target.data, state = state[0], (state[3], state[4], state[2])
    requires_grad, _, _ = state
    target.requires_grad_(requires_grad)


def _encoded(text: Any, encoding: Any = "utf-8") -> bytes:
    """Bytes, which protocol 2 writes as text."""
    if type(text) is not str or encoding not in ("latin1", "latin-1", "utf-8", "ascii"):
        raise damaged("bytes are not made from text")
    return codecs.encode(text, encoding)


def _bytearray(*content: Any) -> bytearray:
    if [type(part) for part in content] not in ([], [bytes]):
        raise damaged("a bytearray is not made from bytes")
    return bytearray(*content)


def _device(kind: Any, index: Any = None) -> device:
    if type(kind) is not str or not (index is None or (type(index) is int and index >= 0)):
        raise damaged("a device has no name")
    return device(kind, index)


def _set(items: Any = ()) -> set[Any]:
    return {checked_key(item) for item in items}


def _ordered(items: Any = ()) -> OrderedDict[Any, Any]:
    pairs = items.items() if isinstance(items, dict) else items
    return OrderedDict([(checked_key(key), value) for key, value in pairs])


def _counter(items: Any = ()) -> Counter[Any]:
    counted: Counter[Any] = Counter()
    if isinstance(items, dict):
        counted.update(items)
    elif len(items):
        raise damaged("a Counter is not made from a dictionary")
    return counted


def _complex(real: Any = 0, imag: Any = 0) -> complex:
    if type(real) not in (int, float) or type(imag) not in (int, float):
        raise damaged("a complex number is not made from numbers")
    return complex(real, imag)


def _size(extents: Any = ()) -> Size:
    if type(extents) not in (list, tuple) or any([type(extent) is not int for extent in extents]):
        raise damaged("a Size is not made from numbers")
    return Size(extents)


BUILTIN: dict[str, Any] = {
    "collections.OrderedDict": OrderedDict,
    "collections.Counter": Counter,
    "_codecs.encode": codecs.encode,
    "builtins.bytearray": bytearray,
    "builtins.set": set,
    "builtins.complex": complex,
}
_CALLS: list[tuple[Any, Callable[..., Any]]] = [
    (OrderedDict, _ordered),
    (Counter, _counter),
    (codecs.encode, _encoded),
    (bytearray, _bytearray),
    (set, _set),
    (complex, _complex),
    (Size, _size),
    (device, _device),
    *[
        (function, function)
        for function in (*rebuilding.FUNCTIONS, rebuilding.rebuild_from_type_v2, rebuilding.get_layout)
    ],
]
CALLS = {id(value): call for value, call in _CALLS}  # ids, as not everything on the stack can be hashed

ACTIONS: dict[bytes, Callable[[Unpickler], None]] = {
    pickle.GLOBAL: Unpickler.push_global,
    pickle.REDUCE: Unpickler.reduce,
    pickle.NEWOBJ: Unpickler.new,
    pickle.BUILD: Unpickler.build,
    pickle.BINPERSID: Unpickler.push_storage,
    pickle.MARK: Unpickler.mark,
    pickle.TUPLE: Unpickler.make_tuple,
    pickle.TUPLE1: lambda self: self.tuple_of(1),
    pickle.TUPLE2: lambda self: self.tuple_of(2),
    pickle.TUPLE3: lambda self: self.tuple_of(3),
    pickle.APPEND: Unpickler.append,
    pickle.APPENDS: Unpickler.extend,
    pickle.SETITEM: Unpickler.set_item,
    pickle.SETITEMS: Unpickler.set_items,
    pickle.NONE: lambda self: self.stack.append(None),
    pickle.NEWFALSE: lambda self: self.stack.append(False),
    pickle.NEWTRUE: lambda self: self.stack.append(True),
    pickle.EMPTY_TUPLE: lambda self: self.stack.append(()),
    pickle.EMPTY_LIST: lambda self: self.stack.append([]),
    pickle.EMPTY_DICT: lambda self: self.stack.append({}),
    pickle.EMPTY_SET: lambda self: self.stack.append(set()),
    pickle.BININT: lambda self: self.stack.append(self.source.number("<i")),
    pickle.BININT1: lambda self: self.stack.append(self.source.number("<B")),
    pickle.BININT2: lambda self: self.stack.append(self.source.number("<H")),
    pickle.BINFLOAT: lambda self: self.stack.append(self.source.number(">d")),
    pickle.BINUNICODE: Unpickler.push_text,
    pickle.SHORT_BINSTRING: Unpickler.push_old_text,
    pickle.LONG1: Unpickler.push_long,
    pickle.BINGET: lambda self: self.get(self.source.number("<B")),
    pickle.LONG_BINGET: lambda self: self.get(self.source.number("<I")),
    pickle.BINPUT: lambda self: self.put(self.source.number("<B")),
    pickle.LONG_BINPUT: lambda self: self.put(self.source.number("<I")),
    pickle.PROTO: Unpickler.protocol,
}


def full(
    pickle_module: ModuleType,
    file: IO[bytes],
    persistent_load: Callable[[Any], Any],
    arguments: dict[str, Any],
) -> Any:
    """The unpickler of `weights_only=False`, which calls whatever the file names."""

    class FullUnpickler(pickle_module.Unpickler):  # type: ignore[name-defined]
        def find_class(self, module: str, name: str) -> Any:
            return names.find(module, name) if names.is_torch(module) else super().find_class(module, name)

    unpickler = FullUnpickler(file, **arguments)
    unpickler.persistent_load = persistent_load
    return unpickler
