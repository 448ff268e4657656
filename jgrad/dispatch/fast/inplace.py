"""The fast path of in-place forms: float tensors of one dtype, a target with memory of its own, and nothing to record."""

from __future__ import annotations

from types import FunctionType

import numpy as np

from jgrad.dispatch import fast
from jgrad.dispatch.fast.fits import WITHOUT_ALPHA, fits_inplace
from jgrad.dispatch.fast.function import IF_WATCHED, General, maybe_input, report_line, unpacked
from jgrad.dispatch.overload import AnyOverload, Overload
from jgrad.dispatch.schema import Param
from jgrad.dispatch.source import Source, is_no_tensor, is_tensor, load


def inplace_path(overload: AnyOverload, general: General) -> FunctionType:
    """The fast path of an operator that writes to a tensor, with `general(args, kwargs)` for everything else."""
    if not isinstance(overload, Overload) or not fits_inplace(overload):
        return unpacked(general)
    text = InplaceSource(overload).write()
    made = load(text, f"fast {overload.schema.overload} in place", "fast", {**fast.NAMES})
    return fast.bound(made, kernel=WITHOUT_ALPHA.get(overload.name, overload.kernel), general=general)


class InplaceSource:
    """Writes the source of the fast path of an in-place form; names are as in `FunctionSource`."""

    def __init__(self, overload: Overload) -> None:
        self.overload = overload
        self.params = overload.params
        self.required = [p for p in self.params if p.required]
        self.first = self.required[0].name
        self.kernel = WITHOUT_ALPHA.get(overload.name, overload.kernel)
        # A number that may be given by name: alpha, value.
        self.factor = next((p.name for p in self.params if p.keyword_only and p.kind == "Number"), None)
        self.arrays = {p.name: f"{p.name}_array" for p in self.required if p.is_tensor}
        numbers = bool(overload.schema.numbers) and not overload.writes
        self.uncertain = [name for name in self.arrays if numbers and name != self.first]
        self.code = Source()

    def write(self) -> str:
        """The source."""
        code = self.code
        with code.block("def fast(*args, **kwargs):"):
            code.add("__tracebackhide__ = True")
            self.arguments()
            self.target()
            for param in self.required[1:]:
                self.operand(param)
            self.give_up_if("needs_grad and not (grad_mode.may_be_off and not grad_mode.mode.enabled)")
            if isinstance(self.kernel, np.ufunc):
                self.ufunc_call()
            else:
                self.kernel_call()
            self.end()
        return code.text()

    def give_up(self) -> None:
        """The line that leaves the call to the general path."""
        self.code.add("return general(args, kwargs)")

    def give_up_if(self, test: str) -> None:
        """The lines that do so if a test is true."""
        with self.code.block(f"if {test}:"):
            self.give_up()

    def arguments(self) -> None:
        """Unpack the arguments: those without a default by position, and maybe one number by name."""
        code, required = self.code, self.required
        no_keywords = " or kwargs" if self.factor is None else ""
        self.give_up_if(f"not now.ENABLED or len(args) != {len(required)}{no_keywords}")
        code.add(f"{', '.join([p.name for p in required])}, = args")
        for p in self.params:
            if not p.required:
                code.add(f"{p.name} = {p.default!r}")
        if self.factor is not None:
            with code.block("if kwargs:"):
                code.add(f"{self.factor} = kwargs.get({self.factor!r})")
                self.give_up_if(f"len(kwargs) != 1 or {self.factor}.__class__ not in (float, int)")

    def target(self) -> None:
        """Check the tensor that is written to."""
        name, array = self.first, self.arrays[self.first]
        self.give_up_if(is_no_tensor(name))
        self.code.add(f"{array} = {name}._a", f"common_dtype = {array}.dtype")
        self.give_up_if(
            f"{array}.__class__ is not ndarray or {array}.base is not None or (common_dtype is not F32 and common_dtype is not F64)"
        )
        self.give_up_if(f"{name}._view is not None or {name}._vc.__class__ is InferenceCell")
        self.code.add(f"needs_grad = {name}._rg")

    def operand(self, param: Param) -> None:
        """Check another argument: a tensor, or a number."""
        name, code = param.name, self.code
        if not param.is_tensor:
            self.give_up_if(f"{name}.__class__ is not float and {name}.__class__ is not int")
            return
        array = self.arrays[name]
        with code.block(f"if {is_tensor(name)}:"):
            if name in self.uncertain:
                code.add(f"{name}_is_tensor = True")
            code.add(f"{array} = {name}._a")
            self.give_up_if(
                f"{array}.dtype is not common_dtype or {array}.__class__ is not ndarray or {array}.base is not None"
            )
            code.add(f"needs_grad = needs_grad or {name}.requires_grad")
        if name in self.uncertain:
            with code.block(f"elif {name}.__class__ is float or {name}.__class__ is int:"):
                code.add(f"{name}_is_tensor = False", f"{array} = {name}")
        with code.block("else:"):
            self.give_up()

    def writing(self) -> None:
        """Announce the write to the observer."""
        self.code.add(IF_WATCHED, f"    watch.writing({self.first})")

    def ufunc_call(self) -> None:
        """Have a ufunc write its result to the target."""
        code, target = self.code, self.arrays[self.first]
        for name, array in list(self.arrays.items())[1:]:
            certain = f"{name}_is_tensor and " if name in self.uncertain else ""
            self.give_up_if(f"{certain}{array}.shape != {target}.shape")
        operands = [self.arrays.get(p.name, p.name) for p in self.required]
        if self.factor is not None:
            last = operands[-1]
            code.add(f"if {self.factor} != 1:", f"    {last} = {last} * {self.factor}")
        self.writing()
        code.add(f"kernel({', '.join(operands)}, {target})")

    def kernel_call(self) -> None:
        """Call a kernel, which writes to the target itself or returns the result."""
        target = self.arrays[self.first]
        self.writing()
        self.code.add(
            "try:",
            f"    result = kernel({', '.join([self.arrays.get(p.name, p.name) for p in self.params])})",
            "except (ValueError, OverflowError, TypeError):",
            "    result = MISSING",
        )
        self.give_up_if("result is MISSING")
        if not self.overload.writes:
            self.give_up_if(f"result.dtype is not common_dtype or result.shape != {target}.shape")
            self.code.add(f"{target}[...] = result")

    def end(self) -> None:
        """Count the write, report it to the observer, and return the target."""
        name = self.overload.op.name if self.overload.writes else self.overload.name + "_"
        inputs = [maybe_input(n, f"{n}_is_tensor" if n in self.uncertain else "") for n in self.arrays]
        report = report_line(self.overload, "write", name, inputs, [self.first], "None")
        self.code.add(
            f"version_cell = {self.first}._vc",
            "if version_cell is None:",
            f"    {self.first}._vc = [1]",
            "else:",
            "    version_cell[0] += 1",
            IF_WATCHED,
            f"    {report}",
            f"return {self.first}",
        )
