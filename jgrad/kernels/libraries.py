"""The array libraries, and the kernels bound to each.

The kernels are written once, on NumPy (`numpy/`, a file per chapter). For another array library the very same source runs again with that
library as `np` (`bind`), so the two can't differ by oversight. Where a library needs other functions, a file of the chapter's name in its own
folder (`cupy/`) replaces them.

Code above the kernels asks for the library of the arrays at hand (`library_of`, `library_among`) and never for a device. As long as no other library was
bound, `several` is False and nobody asks at all.
"""

from __future__ import annotations

import builtins
import contextlib
import types
from collections.abc import Callable, Iterable
from functools import cached_property
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from jgrad import dtypes

if TYPE_CHECKING:
    from pathlib import Path

several = False  # whether there may be arrays of other libraries than NumPy
unusual = False  # whether there may be arrays that fast paths leave to others: of other libraries, lazy ones, or of narrow floats
many = False  # whether one of them has several devices, so that one must be made the current one


class _LinAlgError(RuntimeError):
    """The error of a matrix that is singular or not positive-definite, and of an iteration that did not converge; the same class for every library.

    >>> try:
    ...     jgrad.linalg.cholesky(-jgrad.eye(2))
    ... except jgrad.linalg.LinAlgError:
    ...     print("not positive-definite")
    not positive-definite
    """


class Library:
    """An array library, the kernels bound to it, and the type of device its arrays are on."""

    kernels: Any
    general = False  # whether its arrays are left to the general path alone

    def __init__(self, device: str, np: Any, kernels: Any = None) -> None:
        self.device, self.np = device, np
        self.array: type = np.ndarray
        if kernels is not None:
            self.bind_kernels(kernels)

    def bind_kernels(self, kernels: Any) -> None:
        """Bind the kernels, and the helpers of formulas, to this library."""
        self.kernels = kernels
        for function in _formulas:
            setattr(kernels, function.__name__, self.lower(function))

    @cached_property
    def counterparts(self) -> dict[Any, Any]:
        """By kernel on NumPy: the one bound to this library."""
        return {f: vars(self.kernels)[name] for name, f in vars(NUMPY.kernels).items() if callable(f)}

    def counterpart(self, kernel: Any) -> Any:
        """What stands for a kernel on NumPy; any other function is taken as it is."""
        return self.counterparts.get(kernel, kernel)

    @cached_property
    def many(self) -> bool:
        """Whether there are several devices of the type."""
        return self.device == "cuda" and self.np.cuda.runtime.getDeviceCount() > 1

    def on_device(self, device: Any) -> Any:
        """A block in which new arrays are on this device."""
        return contextlib.nullcontext() if self.device != "cuda" else self.np.cuda.Device(device.index or 0)

    def into(self, kernel: Callable, raw: list[Any], target: Any) -> bool:
        """Whether the library could have a kernel write its result into an array, among its arguments, at once."""
        return False

    def lower(self, formula: Callable) -> Callable:
        """A formula bound to the kernels; see Note [One formula, two lowerings] in `jgrad/dispatch/declare.py`."""
        assert isinstance(formula, types.FunctionType)
        assert formula.__closure__ is None, "a formula can only use the names of its module"
        return types.FunctionType(
            formula.__code__, vars(self.kernels), formula.__name__, formula.__defaults__
        )


def library_of(array: Any) -> Library:
    """The library of an array. Python's and NumPy's numbers, and arrays that only hold a geometry, are NumPy's."""
    return _BY_ARRAY.get(array.__class__, NUMPY)


def library_among(arrays: Iterable[Any]) -> Library:
    """The first library other than NumPy that one of these is an array of, else NumPy."""
    for a in arrays:
        found = _BY_ARRAY.get(a.__class__, NUMPY)
        if found is not NUMPY:
            return found
    return NUMPY


def result_library(values: list[Any]) -> Library:
    """The library of an operation's arguments. Numbers and 0-d arrays on the CPU come along, and so do index arrays; raises PyTorch's
    error for anything else that is on another device."""
    arrays = [a for v in values for a in (v if v.__class__ in (list, tuple) else (v,)) if is_array(a)]
    library = library_among(arrays)
    if library is NUMPY:
        return library
    first = next((a for a in arrays if a.ndim or a.__class__ is not np.ndarray), arrays[0])
    for value in values:
        for a in value if value.__class__ is tuple else ():
            if is_array(a) and a.__class__ is not np.ndarray and device_name(a) != device_name(first):
                raise RuntimeError(
                    f"indices should be either on cpu or on the same device as the indexed tensor ({device_name(first)})"
                )
        for a in value if value.__class__ is list else (value,):
            if (
                is_array(a)
                and (a.ndim or a.__class__ is not np.ndarray)
                and device_name(a) != device_name(first)
            ):
                if library.device == "meta":
                    raise RuntimeError(
                        f"Tensor on device {device_name(a)} is not on the expected device {device_name(first)}!"
                    )
                raise RuntimeError(
                    "Expected all tensors to be on the same device, but found at least two devices, "
                    f"{device_name(first)} and {device_name(a)}!"
                )
    for i, value in enumerate(values):
        if value.__class__ is np.ndarray:
            # A number travels as an argument of the kernel, with its dtype.
            values[i] = library.kernels.from_host(value) if value.ndim else value[()]
        elif value.__class__ is tuple and any([a.__class__ is np.ndarray for a in value]):
            values[i] = tuple(
                [library.kernels.from_host(a) if a.__class__ is np.ndarray else a for a in value]
            )
    return library


# Note [Several devices]: on a machine with several GPUs, CuPy computes on the current one, wherever the arrays are. So the device is chosen
# at the few ways in: the general path of an operation (fast paths leave it to that), each step of a backward pass, and whatever else touches
# raw arrays. On other machines `many` is False and nobody asks.


_AS_IT_IS = contextlib.nullcontext()


def device_guard(values: Iterable[Any]) -> Any:
    """A block in which the device of the first of these tensors and arrays is the current one."""
    if many:
        for value in values:
            for v in value if value.__class__ in (list, tuple) else (value,):
                if (found := device_that_holds(v)) is not None:
                    return found
    return _AS_IT_IS


def set_device_of(array: Any) -> None:
    """Make the device of this array the current one, if it is one of several; for use in a `current_device_guard` block."""
    if (found := device_that_holds(array)) is not None:
        found.use()


def current_device_guard() -> Any:
    """A block that makes other devices the current one (`set_device_of`). At its end, the one from before is current again."""
    library = next(library for library in _BY_DEVICE.values() if library.many)
    return library.np.cuda.Device()


def device_that_holds(value: Any) -> Any:
    """The device of a tensor or an array as its library knows it; None for the CPU and for what is no array."""
    while hasattr(value, "value"):  # an example of a batch
        value = value.value
    array = getattr(value, "_a", value)
    return None if library_of(array).device == "cpu" else array.device


def device_name(array: Any) -> str:
    """The device of an array as PyTorch writes it: cpu, cuda:0."""
    library = library_of(array)
    has_number = library.device not in ("cpu", "meta")
    return f"{library.device}:{array.device.id}" if has_number else library.device


def full(value: Any, shape: tuple, dtype: Any, device: Any) -> Any:
    """A new array on a device, filled with a number."""
    library = library_on(device)
    with library.on_device(device):
        return library.np.full(shape, value, dtype)


def moved(array: Any, device: Any, non_blocking: bool = False) -> Any:
    """The array on a device: itself if it is there, else a copy with the same order of strides, for which a program that copies from
    pinned memory need not wait."""
    source, target = library_of(array), library_on(device)
    if source is target and (target.device != "cuda" or array.device.id == (device.index or 0)):
        return array
    if source.device == "meta":
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    with target.on_device(device):
        if source is target:
            return target.kernels.from_neighbour(array)
        return target.kernels.from_host(source.kernels.to_host(array), non_blocking)


def pinned(array: Any) -> Any:
    """A copy of a NumPy array, with its strides, in memory that does not move. CuPy, which is in use by then, allocates it."""
    allocate = _BY_DEVICE["cuda"].np.cuda.alloc_pinned_memory
    item = array.itemsize
    cells = 1 + sum([(n - 1) * s // item for n, s in zip(array.shape, array.strides, strict=True)])
    cells = cells if array.size else 0
    root = NUMPY.kernels.over(allocate(cells * item), (cells,), array.dtype)
    copy = NUMPY.kernels.over(root, array.shape, array.dtype, 0, array.strides)
    copy[...] = array
    return copy


def is_pinned(array: Any) -> bool:
    """Whether an array is in memory of the host that does not move."""
    library = registered("cuda")
    return library is not None and isinstance(
        NUMPY.kernels.owner(array).base, library.np.cuda.PinnedMemoryPointer
    )


def values(array: Any) -> Any:
    """The array in the memory of the host, to read values of: the device is waited for, so errors that it found come now."""
    return library_of(array).kernels.to_host(array) if several else array


def is_array(value: Any) -> bool:
    """Whether this is a raw array of any library."""
    return value.__class__ in _BY_ARRAY


def as_array(value: Any) -> Any:
    """A result as an array: NumPy gives some as scalars. An int becomes int64 on every machine."""
    if value.__class__ in _BY_ARRAY:
        return value
    return np.asarray(value, np.int64 if value.__class__ is int else None)


def library_on(device: Any) -> Library:
    """The library of a device."""
    return _BY_DEVICE[device.type]


def add_formula(function: Callable) -> None:
    """Bind a helper of derivative formulas to the kernels of every library, under its own name."""
    _formulas.append(function)
    for library in _BY_DEVICE.values():
        setattr(library.kernels, function.__name__, library.lower(function))


def registered(device: str) -> Library | None:
    """The library of a type of device, if there is one by now."""
    return _BY_DEVICE.get(device)


def register(library: Library) -> None:
    """From now on there may be arrays of this library."""
    global several, unusual, many
    _BY_ARRAY[library.array] = _BY_DEVICE[library.device] = library
    several = unusual = True
    many = library.many


def unregister(library: Library) -> None:
    """Undo `register`, which tests do."""
    global several, unusual, many
    del _BY_ARRAY[library.array], _BY_DEVICE[library.device]
    several, many = len(_BY_DEVICE) > 1, any([left.many for left in _BY_DEVICE.values()])
    unusual = several or dtypes.narrow_in_use or len(_BY_ARRAY) > len(_BY_DEVICE)


def register_classes(*classes: type, library: Library | None = None) -> None:
    """From now on there may be arrays of these classes, on the CPU: subclasses of NumPy's, or those of a library of their own."""
    global unusual
    _BY_ARRAY.update(dict.fromkeys(classes, library or NUMPY))
    unusual = True


def is_known(cls: type) -> bool:
    """Whether arrays of this class have a library by now."""
    return cls in _BY_ARRAY


def register_shown_class(cls: type, library: Library) -> None:
    """From now on there may be arrays of this class, which are only looked at: no operator gets one."""
    _BY_ARRAY[cls] = library


def _on_narrow() -> None:
    global unusual
    unusual = True


dtypes.listeners.append(_on_narrow)


def bind(package: str, modules: dict[str, Any], replacements: Path) -> Any:
    """The kernels as a package of this name, run with other modules in the place of those they import ("numpy": ...).

    The kernels are written once, with `np` for NumPy. To have them for CuPy, their source runs a second time, and there `import numpy` gives CuPy:
    each module gets builtins of its own, with an `__import__` that knows `modules`. So a kernel needs no parameter for its library, and a call
    of another kernel finds the one of the same library.

    The folder `replacements` holds files named like chapters. Each runs in the namespace of its chapter, after it, and replaces functions.
    """
    from pathlib import Path  # takes a tenth of all of `import jgrad`

    text = Path(__file__).parent / "numpy"
    loaded: dict[str, ModuleType] = {}

    def import_(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        if name == "jgrad.kernels" and "numpy" in (fromlist or ()):
            return types.SimpleNamespace(numpy=chapter("__init__"))
        if name == "jgrad.kernels.numpy":
            for part in fromlist or ():
                if (text / f"{part}.py").exists():
                    setattr(chapter("__init__"), part, chapter(part))
        if name.startswith("jgrad.kernels.numpy"):
            return chapter(name.removeprefix("jgrad.kernels.numpy").removeprefix(".") or "__init__")
        found = modules.get(name.partition(".")[0])
        return builtins.__import__(name, globals, locals, fromlist, level) if found is None else found

    def chapter(name: str) -> ModuleType:
        if name not in loaded:
            module = loaded[name] = ModuleType(package if name == "__init__" else f"{package}.{name}")
            vars(module)["__builtins__"] = {**vars(builtins), "__import__": import_}
            for folder in (text, replacements):
                if (path := folder / f"{name}.py").exists() and not (
                    folder == replacements and name == "__init__"
                ):
                    code = SourceFileLoader(module.__name__, str(path)).get_code(module.__name__)
                    assert code is not None
                    exec(code, vars(module))
        return loaded[name]

    return chapter("__init__")


_formulas: list[Callable] = []

NUMPY = Library("cpu", np)  # `jgrad.kernels` gives it its kernels, which look at `several` too
_BY_ARRAY: dict[type, Library] = {np.ndarray: NUMPY}
_BY_DEVICE: dict[str, Library] = {"cpu": NUMPY}
