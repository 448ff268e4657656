"""Element-wise functions as CUDA kernels: a function is run once on stand-ins of its arguments, and the steps it takes are written down.

A launch costs more than most functions of one element, and memory is read and written at each. So a function that is marked as `fused`
runs first with a `Traced` for each array and a `Number` for each number; ufuncs, `where`, casts and writes to its own results are recorded
with the dtypes that NumPy's rules give them, and become the body of one ElementwiseKernel, kept for these dtypes. Numbers are arguments of
the kernel. If the function compares one with something, what came out is a guard: where it would come out otherwise, another kernel is made.
Whatever else a function does (it looks at a shape, reduces, calls what is no ufunc) raises Untraceable; such a function runs step by step.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy

from jgrad.kernels.cupy.language import INTEGERS_TOO, PREAMBLE, TYPES, UFUNCS, literal
from jgrad.kernels.cupy.layout import ordered


class Untraceable(Exception):
    """The function does what can't be part of an element-wise kernel."""


class Trace:
    """The steps of one run, in the language that `language.py` describes: one value to a line, by ufuncs' names."""

    def __init__(self, array: type) -> None:
        self.array = array
        # By value: its line, and the values it is made from.
        self.steps: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.numbers: list[Number] = []  # which the kernel takes as arguments
        self.guards: list[Callable[[list], bool]] = []

    def step(self, name: str, inner: str, outer: Any, values: list[str]) -> Traced:
        """One value more: a function of others, computed in one type, in this dtype."""
        new = f"v{len(self.steps)}"
        kind = TYPES[outer.char]
        line = f"const {kind} {new} = static_cast<{kind}>(np_{name}<{inner}>({', '.join(values)}));"
        self.steps[new] = line, tuple(values)
        return Traced(self, outer, new)

    def value(self, given: Any, dtype: Any) -> str:
        """An argument of a step in this dtype, as it is written there."""
        if type(given) is Traced:
            return given.text if given.dtype == dtype else given.astype(dtype).text
        if type(given) is Number:
            given.check(dtype)
            # As an argument of a step it is rounded by conversion, but half precision is computed in single.
            return given.astype(dtype).text if dtype.char == "e" else given.name()
        if isinstance(given, numpy.generic | bool | int | float):
            return literal(
                numpy.asarray(given).astype(dtype) if isinstance(given, numpy.generic) else dtype.type(given)
            )
        raise Untraceable(f"{type(given).__name__} as an operand")

    def call(
        self, name: str, args: tuple, where: Any = True, out: Any = None, dtype: Any = None, **options: Any
    ) -> Any:
        """A ufunc of NumPy's."""
        if options.pop("order", "K") != "K" or options or where is not True:
            raise Untraceable(f"{name} with options")
        ufunc = getattr(numpy, name)
        name = ufunc.__name__
        if len(args) > ufunc.nin:
            args, out = args[: ufunc.nin], args[ufunc.nin]
        if isinstance(out, tuple):
            (out,) = out
        signature = (*[None] * ufunc.nin, numpy.dtype(dtype)) if dtype is not None else (None,) * ufunc.nargs
        given = tuple([_kind(a) for a in args])
        *inner, outer = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout), signature=signature)
        kinds = {d.char for d in inner} | {outer.char}
        if name not in UFUNCS or ufunc.nout > 1 or not kinds <= TYPES.keys() or len(set(inner)) > 1:
            raise Untraceable(f"{name} of {', '.join(map(str, given))}")
        first = inner[0]
        if first.kind != "f" and name not in INTEGERS_TOO:
            raise Untraceable(f"{name} of {first}")
        values = [self.value(a, first) for a in args]
        if name in ("conjugate", "positive"):
            made = Traced(self, outer, values[0])
        else:
            if first.kind == "f":
                name = {"absolute": "fabs"}.get(name, name)
            elif first.kind == "b":
                name = {"invert": "logical_not"}.get(name, name)
            made = self.step(name, computed(first), outer, values)
        return made if out is None else out.become(made)

    def where(self, condition: Any, a: Any, b: Any) -> Traced:
        kinds = [_kind(x) for x in (a, b)]
        weak = [k(0) if isinstance(k, type) else k for k in kinds]
        dtype = numpy.result_type(*weak)
        if dtype.char not in TYPES:
            raise Untraceable(f"where of {dtype}")
        mask = condition if _kind(condition) == numpy.bool else self.call("not_equal", (condition, 0))
        chosen = [self.value(mask, numpy.dtype(bool)), self.value(a, dtype), self.value(b, dtype)]
        return self.step("where", computed(dtype), dtype, chosen)


def _kind(given: Any) -> Any:
    """What decides about dtypes: a dtype, or the type of a Python number, which is weak."""
    if type(given) is Number:
        return type(given.value)
    if type(given) is Traced or isinstance(given, numpy.generic):
        return given.dtype
    if type(given) is bool:
        return numpy.dtype(bool)
    if type(given) in (int, float):
        return type(given)
    raise Untraceable(f"{type(given).__name__} as an operand")


def computed(dtype: Any) -> str:
    """The type in which functions of this dtype are computed."""
    return "float" if dtype.char == "e" else TYPES[dtype.char]


class Traced:
    """Stands for an array in a function that is traced. It has a dtype and can be computed with; all else is refused."""

    def __init__(self, trace: Trace, dtype: Any, text: str) -> None:
        self.trace, self.dtype, self.text = trace, dtype, text

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # for isinstance(a, np.ndarray)
        return self.trace.array

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def real(self) -> Traced:
        return self

    def __getattr__(self, name: str) -> Any:
        raise Untraceable(f".{name}")

    def _refuse(self, *args: Any, **options: Any) -> Any:
        raise Untraceable("what is no step of an element-wise kernel")

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __array__ = _refuse
    __len__ = __iter__ = __getitem__ = __matmul__ = __rmatmul__ = __divmod__ = __rdivmod__ = _refuse

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **options: Any) -> Any:
        if method != "__call__":
            raise Untraceable(f"{ufunc.__name__}.{method}")
        return self.trace.call(ufunc.__name__, args, **options)

    def become(self, other: Traced) -> Traced:
        """Takes the values of another, as a write to this array would."""
        if self.text.startswith("x"):
            raise Untraceable("a write to an argument")
        if not numpy.can_cast(other.dtype, self.dtype, "same_kind"):
            raise Untraceable(f"{other.dtype} into {self.dtype}")
        self.text = self.trace.value(other, self.dtype)
        return self

    def astype(self, dtype: Any, order: str = "K", casting: str = "unsafe", copy: bool = True) -> Traced:
        dtype = numpy.dtype(dtype)
        if dtype == self.dtype:
            return Traced(self.trace, dtype, self.text) if copy else self
        if dtype.char not in TYPES or (self.dtype.kind == "f" and dtype.kind in "iu"):
            raise Untraceable(f"{self.dtype} as {dtype}")
        return self.trace.step("cast", computed(self.dtype), dtype, [self.text])

    def special(self, name: str) -> Traced:
        """A function of one float that is no ufunc of NumPy's."""
        if self.dtype.kind != "f":
            raise Untraceable(f"{name} of {self.dtype}")
        return self.trace.step(name, computed(self.dtype), self.dtype, [self.text])

    def copy(self, order: str = "C") -> Traced:
        return Traced(self.trace, self.dtype, self.text)

    def clip(self, low: Any = None, high: Any = None, out: Any = None) -> Traced:
        made = self
        if low is not None:
            made = self.trace.call("maximum", (made, low))
        if high is not None:
            made = self.trace.call("minimum", (made, high))
        return made if out is None else out.become(made)

    def __setitem__(self, index: Any, value: Any) -> None:
        if index is not Ellipsis or type(value) is not Traced:
            raise Untraceable("a write to a part")
        self.become(value)


OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder", "pow": "power",
    "lshift": "left_shift", "rshift": "right_shift", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
}  # fmt: skip
COMPARISONS = {
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "eq": "equal",
    "ne": "not_equal",
}
for _short, _name in OPERATORS.items():
    setattr(Traced, f"__{_short}__", lambda a, b, name=_name: a.trace.call(name, (a, b)))
    setattr(Traced, f"__r{_short}__", lambda a, b, name=_name: a.trace.call(name, (b, a)))
    setattr(Traced, f"__i{_short}__", lambda a, b, name=_name: a.trace.call(name, (a, b), out=a))
POWERS = {2: "square", 0.5: "sqrt", -1: "reciprocal"}  # as NumPy's operator computes them


def _power(a: Traced, b: Any) -> Any:
    short = POWERS.get(b) if type(b) in (int, float) and a.dtype.kind == "f" else None
    return a.trace.call(short, (a,)) if short else a.trace.call("power", (a, b))


setattr(Traced, "__pow__", _power)  # noqa: B010
for _short, _name in COMPARISONS.items():
    setattr(Traced, f"__{_short}__", lambda a, b, name=_name: a.trace.call(name, (a, b)))
for _short, _name in {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}.items():
    setattr(Traced, f"__{_short}__", lambda a, name=_name: a.trace.call(name, (a,)))


class Number:
    """Stands for a number among the arguments, and for what is computed from it: its value, and how it follows from the arguments."""

    __array_ufunc__ = None
    text: str | None = None

    def __init__(self, trace: Trace, value: Any, make: Callable[[list], Any]) -> None:
        self.trace, self.value, self.make = trace, value, make

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self.value)

    @property
    def real(self) -> Number:
        return self

    @property
    def imag(self) -> int:
        return 0

    def __getattr__(self, name: str) -> Any:
        raise Untraceable(f".{name} of a number")

    def __bool__(self) -> bool:
        return _guarded(operator.ne, self, 0)

    def check(self, dtype: Any) -> None:
        """Refuse a dtype in which it might not fit."""
        if dtype.kind != "f" and not (type(self.value) is int and dtype == numpy.int64):
            raise Untraceable(f"a number among {dtype}")

    def name(self) -> str:
        """Its name as an argument of the kernel."""
        if self.text is None:
            self.text = f"s{len(self.trace.numbers)}"
            self.trace.numbers.append(self)
        return self.text

    def astype(self, dtype: Any) -> Traced:
        """As an array of one element."""
        dtype = numpy.dtype(dtype)
        self.check(dtype)
        return self.trace.step(
            "cast", "double" if isinstance(self.value, float) else "long long", dtype, [self.name()]
        )

    def _refuse(self, *args: Any) -> Any:
        raise Untraceable("a number that must be known")

    __float__ = __int__ = __index__ = __complex__ = __hash__ = _refuse


def _of_numbers(f: Callable[..., Any], *args: Any) -> Any:
    """A function of numbers as one more Number."""
    if not all([type(a) is Number or type(a) in (int, float) for a in args]):
        return NotImplemented
    trace = next(a.trace for a in args if type(a) is Number)
    makes = [a.make if type(a) is Number else lambda numbers, a=a: a for a in args]
    value = f(*[a.value if type(a) is Number else a for a in args])
    return Number(trace, value, lambda numbers: f(*[make(numbers) for make in makes]))


def _guarded(f: Callable[..., bool], a: Number, b: Any) -> Any:
    """A comparison: how it comes out now, and a guard that it does so."""
    made = _of_numbers(f, a, b)
    if made is NotImplemented:
        return made
    a.trace.guards.append(lambda numbers: made.make(numbers) == made.value)
    return made.value


def _methods(short: str) -> None:
    """An operator of numbers."""
    f = getattr(operator, short)
    if short in COMPARISONS:
        setattr(Number, f"__{short}__", lambda a, b: _guarded(f, a, b))
    elif short in ("neg", "abs"):
        setattr(Number, f"__{short}__", lambda a: _of_numbers(f, a))
    else:
        setattr(Number, f"__{short}__", lambda a, b: _of_numbers(f, a, b))
        setattr(Number, f"__r{short}__", lambda a, b: _of_numbers(f, b, a))


for _short in ("add", "sub", "mul", "truediv", "pow", "neg", "abs", *COMPARISONS):
    _methods(_short)


class Body:
    """The lines of a kernel that make these values, and what they take: arrays by their place among the arguments, and numbers."""

    def __init__(self, trace: Trace, dtypes: list, results: list[Traced]) -> None:
        needed = _needed(trace, [r.text for r in results])
        self.lines = [line for value, (line, _) in trace.steps.items() if value in needed]
        self.arrays = [i for i in range(len(dtypes)) if f"x{i}" in needed]
        numbers = [n for n in trace.numbers if n.text in needed]
        self.numbers = [n.make for n in numbers]
        self.takes = [(dtypes[i], f"x{i}") for i in self.arrays]
        self.takes += [(numpy.dtype(type(n.value)), n.name()) for n in numbers]

    def parameters(self) -> str:
        return ", ".join([f"{dtype.name} {name}" for dtype, name in self.takes])

    def given(self, arrays: list, numbers: list) -> tuple[list, list]:
        """What the kernel is called with, of all the arguments."""
        return [arrays[i] for i in self.arrays], [make(numbers) for make in self.numbers]


def _needed(trace: Trace, values: list[str]) -> set[str]:
    """All that these values are made from, and they themselves."""
    found: set[str] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if value not in found:
            found.add(value)
            waiting.extend(trace.steps[value][1] if value in trace.steps else ())
    return found


class Program:
    """An element-wise kernel, and the form of what it returns."""

    LEAST = 2  # steps, below which CuPy has a kernel of its own

    def __init__(self, cupy: Any, name: str, trace: Trace, dtypes: list, result: Any) -> None:
        self.several = result.__class__ is tuple
        self.cupy, results = cupy, result if self.several else (result,)
        made = [r for r in results if r is not None]
        if not made or any([type(r) is not Traced or r.text.startswith("x") for r in made]):
            raise Untraceable("what it returns")
        self.body = Body(trace, dtypes, made)
        if len(self.body.lines) < self.LEAST:
            raise Untraceable("a single step")
        self.guards = trace.guards
        self.places = [r is not None for r in results]
        # Results of fewer arrays than others may be smaller than these.
        sources = [sorted(int(v[1:]) for v in _needed(trace, [r.text]) if v[0] == "x") for r in made]
        self.sources = sources if any([s != sources[0] for s in sources]) else []
        self.dtypes = [r.dtype for r in made]
        gives = [f"{r.dtype.name} y{i}" for i, r in enumerate(made)]
        lines = [*self.body.lines, *[f"y{i} = {r.text};" for i, r in enumerate(made)]]
        self.kernel = cupy.ElementwiseKernel(
            self.body.parameters(), ", ".join(gives), "\n".join(lines), _name_of(name), preamble=PREAMBLE
        )

    def __call__(self, arrays: list, numbers: list, target: Any = None) -> Any:
        given, more = self.body.given(arrays, numbers)
        if self.sources:
            shapes = {numpy.broadcast_shapes(*[arrays[i].shape for i in s]) for s in self.sources}
            if len(shapes) > 1:
                raise ValueError("results of different shapes")
        if target is not None:
            if self.dtypes != [target.dtype]:
                raise ValueError("another array than the kernel would make")
            return self.kernel(*given, *more, target)
        several = [a for a in given if not isinstance(a, numpy.generic)]
        if all([a._c_contiguous for a in several]):
            found = self.kernel(*given, *more)
        else:
            turned, back = ordered(self.cupy, several)
            each = iter(turned)
            found = self.kernel(*[a if isinstance(a, numpy.generic) else next(each) for a in given], *more)
            found = (
                tuple([f.transpose(back) for f in found])
                if found.__class__ is tuple
                else found.transpose(back)
            )
        if not self.several:
            return found
        each = iter(found if found.__class__ is tuple else (found,))
        return tuple([next(each) if there else None for there in self.places])


class Writer(Program):
    """A kernel that writes into an array, which of CuPy's own needs one more."""

    LEAST = 1


class Sum:
    """A kernel of a sum: each element is made by a function of the body, and added."""

    def __init__(self, cupy: Any, name: str, trace: Trace, dtypes: list, result: Any) -> None:
        if type(result) is not Traced:
            raise Untraceable("what it returns")
        self.body, self.guards = Body(trace, dtypes, [result]), trace.guards
        kind = computed(result.dtype)
        takes = ", ".join([f"const {TYPES[dtype.char]} {name}" for dtype, name in self.body.takes])
        lines = "\n".join([*self.body.lines, f"return {result.text};"])
        element = f"__device__ inline {kind} element({takes}) {{\n{lines}\n}}"
        self.kernel = cupy.ReductionKernel(
            self.body.parameters(), f"{result.dtype.name} y", f"element({', '.join([n for _, n in self.body.takes])})",
            "a + b", "y = a", "0", _name_of(name), reduce_type=kind, preamble=f"{PREAMBLE}\n{element}",
        )  # fmt: skip

    def __call__(self, arrays: list, numbers: list, axis: Any, keepdims: bool = False) -> Any:
        given, more = self.body.given(arrays, numbers)
        return self.kernel(*given, *more, axis=axis, keepdims=keepdims)


def _name_of(function: str) -> str:
    """The name of a kernel, as profilers show it."""
    return f"jgrad_{function.strip('_') if function.isidentifier() else 'formula'}"


class Fused:
    """A function and its kernels, by what its arguments are. `kind` is what is made of it, `plain` how it runs without."""

    def __init__(
        self, cupy: Any, function: Callable, kind: Any = Program, plain: Callable | None = None
    ) -> None:
        self.cupy, self.function, self.array = cupy, function, cupy.ndarray
        self.kind, self.plain = kind, plain or function
        self.programs: dict[tuple, list[Any]] = {}
        self.refused: dict[tuple, str] = {}  # why it runs step by step

    def __call__(self, args: tuple, *options: Any) -> Any:
        key: list[Any] = []
        arrays: list[Any] = []
        numbers: list[Any] = []
        for a in args:
            kind = type(a)
            if kind is self.array:
                key.append(a.dtype.char)
                arrays.append(a)
            elif kind is float or (kind is int and -(2**63) <= a < 2**63):
                key.append(kind)
                numbers.append(a)
            elif a is None or kind is bool or kind is str:
                key.append((kind, a))
            elif isinstance(a, numpy.generic):
                key.append((a.dtype.char,))
                arrays.append(a)
            else:
                return self.plain(*args, *options)
        found = tuple(key)
        if not any([type(a) is self.array for a in arrays]) or found in self.refused:
            return self.plain(*args, *options)
        for program in self.programs.get(found, ()):
            if all([guard(numbers) for guard in program.guards]):
                break
        else:
            try:
                program = self.traced(args)
            except Exception as error:
                result = self.plain(*args, *options)  # which may raise too, if it refuses what it was given
                self.refused[found] = f"{type(error).__name__}: {error}"
                return result
            self.programs.setdefault(found, []).append(program)
        try:
            return program(arrays, numbers, *options)
        except ValueError:  # shapes that don't go together, of which each function has its own words
            return self.plain(*args, *options)

    def traced(self, args: tuple) -> Any:
        """The kernel for arguments like these."""
        trace = Trace(self.array)
        given: list[Any] = []
        dtypes: list[Any] = []
        count = 0
        for a in args:
            if type(a) is self.array or isinstance(a, numpy.generic):
                if a.dtype.char not in TYPES:
                    raise Untraceable(f"arrays of {a.dtype}")
                given.append(Traced(trace, a.dtype, f"x{len(dtypes)}"))
                dtypes.append(a.dtype)
            elif type(a) in (int, float):
                given.append(Number(trace, a, operator.itemgetter(count)))
                count += 1
            else:
                given.append(a)
        return self.kind(self.cupy, self.function.__name__, trace, dtypes, self.function(*given))
