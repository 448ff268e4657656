"""The cases of a test: its dtypes and parameters, and a class for the CPU."""

from __future__ import annotations

import inspect
import itertools
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, NamedTuple

# Of the cases of a test, one in so many is run, and at least one.
ONE_IN = 10
CHOSEN: set[str] = set()
"""The tests that are run, as `Class.test_case`. If there are none, one in ten cases of each test is run."""


class Case(NamedTuple):
    name: str
    arguments: dict[str, Any]
    decorators: list[Any]


class subtest:
    def __init__(self, arg_values: Any, name: str | None = None, decorators: Sequence[Any] = ()) -> None:
        self.values, self.name, self.decorators = arg_values, name, decorators


def marked(key: str) -> Callable[..., Any]:
    """A decorator that stores what it is given on the test."""

    def mark(*values: Any, **_: Any) -> Callable[[Any], Any]:
        def keep(test: Any) -> Any:
            setattr(test, key, values)
            return test

        return keep

    return mark


def tolerances(by_dtype: Mapping[Any, Any]) -> Callable[[Any], Any]:
    def keep(test: Any) -> Any:
        test.tolerances = {**getattr(test, "tolerances", {}), **by_dtype}
        return test

    return keep


def parametrize(names: str, values: Any, name_fn: Callable[..., str] | None = None) -> Callable[[Any], Any]:
    def keep(test: Any) -> Any:
        parameters = names.replace(" ", "").split(",")
        test.parameters = [(parameters, list(values), name_fn), *getattr(test, "parameters", [])]
        return test

    return keep


def one_parameter(names: list[str], value: Any, number: int, name_fn: Any) -> Case:
    label, decorators = None, []
    if isinstance(value, subtest):
        value, label, decorators = value.values, value.name, list(value.decorators)
    parts = (value,) if len(names) == 1 else tuple(value)
    arguments = dict(zip(names, parts, strict=True))
    if label is None and name_fn:
        label = name_fn(*parts)
    return Case(
        label or "_".join(written(*item, number) for item in arguments.items()), arguments, decorators
    )


def written(name: str, value: Any, number: int) -> str:
    return f"{name}_{value}" if isinstance(value, str | int | float | bool) else f"{name}{number}"


def joined(cases: Sequence[Case]) -> Case:
    arguments = {name: value for case in cases for name, value in case.arguments.items()}
    decorators = [decorator for case in cases for decorator in case.decorators]
    return Case("_".join(filter(None, (case.name for case in cases))), arguments, decorators)


def combinations(test: Any) -> Iterator[Case]:
    """Each choice of the parameters of a test."""
    choices = [
        [one_parameter(names, value, number, name_fn) for number, value in enumerate(values)]
        for names, values, name_fn in getattr(test, "parameters", [])
    ]
    return map(joined, itertools.product(*choices))


def of_dtypes(test: Any) -> Iterator[Case]:
    """Each dtype, or group of dtypes, of a test."""
    parameter = "dtypes" if "dtypes" in inspect.signature(test).parameters else "dtype"
    for value in getattr(test, "dtypes_of_cpu", None) or getattr(test, "dtypes", None) or ():
        group = value if isinstance(value, tuple | list) else [value]
        label = "_".join(str(dtype).rpartition(".")[2] for dtype in group)
        yield Case(label, {parameter: value}, [])


def chosen(cls: str, test: str, cases: list[Case]) -> list[Case]:
    """The cases that are run, with the names of their tests: always the same, whichever the library has besides."""
    named = [case._replace(name=f"{test}_{case.name}" if case.name else test) for case in cases]
    if CHOSEN:
        return [case for case in named if f"{cls}.{case.name}" in CHOSEN]
    by_chance = sorted(named, key=lambda case: zlib.crc32(case.name.encode()))
    return by_chance[: -(-len(named) // ONE_IN)]


def tests_of(cls: type) -> dict[str, Any]:
    return {
        name: test for name in dir(cls) if name.startswith("test") and callable(test := getattr(cls, name))
    }


def bound(test: Any, case: Case) -> Any:
    @wraps(test)
    def run(self: Any) -> Any:
        dtype = case.arguments.get("dtype")
        self.tolerance = getattr(test, "tolerances", {}).get(dtype, 0.0) if dtype is not None else 0.0
        return test(self, **case.arguments)

    # unittest and inspect would see the parameters of the test.
    del run.__wrapped__
    for decorator in case.decorators:
        run = decorator(run)
    return run


def instantiate_parametrized_tests(cls: type) -> type:
    for name, test in tests_of(cls).items():
        if hasattr(test, "parameters"):
            setattr(cls, name, None)
            for case in chosen(cls.__name__, name, list(combinations(test))):
                setattr(cls, case.name, bound(test, case))
    return cls


def on_the_cpu(name: str, test: Any, cls: str) -> Iterator[tuple[str, Any]]:
    parameters = inspect.signature(test).parameters
    if "devices" in parameters:
        return
    cpu = Case("cpu", {"device": "cpu"} if "device" in parameters else {}, [])
    dtypes = list(of_dtypes(test)) or [Case("", {}, [])]
    cases = [joined([of, cpu, dtype]) for of in combinations(test) for dtype in dtypes]
    for case in chosen(cls, name, cases):
        yield case.name, bound(test, case)


def instantiate_device_type_tests(cls: type, scope: dict[str, Any], except_for: Any = None, only_for: Any = None, **_: Any) -> None:  # fmt: skip
    """The class of a device that PyTorch's tests make, for the CPU alone."""
    del scope[cls.__name__]
    if only_for and "cpu" not in ((only_for,) if isinstance(only_for, str) else only_for):
        return
    name_of_class = cls.__name__ + "CPU"
    made: dict[str, Any] = {"device_type": "cpu", "__module__": cls.__module__}
    for name, test in tests_of(cls).items():
        made[name] = None
        made.update(on_the_cpu(name, test, name_of_class))
    # They call `super(self.__class__, self)`, so the class itself must have them.
    for name in ("setUp", "tearDown"):
        if name in vars(cls):
            made[name] = vars(cls)[name]
            delattr(cls, name)
    scope[name_of_class] = type(name_of_class, (cls,), made)
