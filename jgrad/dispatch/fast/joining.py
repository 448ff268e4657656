"""The fast path of `cat` and `stack`: floats of one dtype, and a dimension."""

from __future__ import annotations

from types import FunctionType

from jgrad.dispatch import fast
from jgrad.dispatch.fast.function import General
from jgrad.dispatch.overload import Overload
from jgrad.dispatch.recording import edge_lines, new_node_lines
from jgrad.dispatch.source import Source, is_no_tensor, load


def is_joining(overload: Overload) -> bool:
    """Whether an overload joins a list of tensors along a dimension, and nodes save no tensor."""
    return overload.tensor_list == 0 and len(overload.params) == 2 and overload.promote == "default"


def joining_path(overload: Overload, general: General) -> FunctionType:
    """The fast path of such an overload, with `general(args, kwargs)` for everything else."""
    made = load(source(overload), f"fast {overload.schema.overload}", "fast", {**fast.NAMES})
    needs = {"kernel": overload.kernel, "node_class": overload.node, "report": overload.report}
    return fast.bound(made, general=general, **needs)


def source(overload: Overload) -> str:
    """Its source; names are as in `FunctionSource`."""
    tensors, dim = overload.names_of_params
    code = Source()
    give_up = "return general(args, kwargs)"
    with code.block("def fast(*args, **kwargs):"):
        code.add("__tracebackhide__ = True")
        code.add("if not now.ENABLED or kwargs or not 0 < len(args) < 3:", f"    {give_up}")
        code.add(
            f"{tensors} = args[0]",
            f"{dim} = {overload.params[1].default!r} if len(args) == 1 else args[1]",
            f"if ({tensors}.__class__ is not tuple and {tensors}.__class__ is not list) or {dim}.__class__ is not int:",
            f"    {give_up}",
            "recording = not grad_mode.may_be_off or grad_mode.mode.enabled",
            "common_dtype = None",
            "needs_grad = False",
            "arrays = []",
            "edges = []",
        )
        with code.block(f"for tensor in {tensors}:"):
            _operand(code, give_up)
        code.add(
            "if common_dtype is None or (libraries.unusual and any([array.__class__ is not ndarray for array in arrays])):",
            f"    {give_up}",
            f"result = plain_tensor(kernel(arrays, {dim}))",
        )
        with code.block("if needs_grad:"):
            code.add(*new_node_lines("tuple(edges)", "result._a"))
            for value in overload.recording.values:
                code.add(*value.lines(overload.names_of_params[value.position], "arrays", ""))
            code.add("result._rg = True", "result._fn = node")
        with code.block("if now.WATCHING:"):
            code.add(
                f"values = list({tensors})",
                f"report('op', {overload.name!r}, [values, {dim}], values, (result,), result._fn)",
            )
        code.add("return result")
    return code.text()


def _operand(code: Source, give_up: str) -> None:
    """Check one of the tensors, and note its array and its edge."""
    code.add(
        f"if {is_no_tensor('tensor')}:",
        f"    {give_up}",
        "array = tensor._a",
        "if array.dtype is not common_dtype:",
        "    if common_dtype is not None or (array.dtype is not F32 and array.dtype is not F64):",
        f"        {give_up}",
        "    common_dtype = array.dtype",
        "arrays.append(array)",
    )
    with code.block("if recording:"):
        code.add(*edge_lines("edge", "tensor"))
        # A view made under no_grad, as in `FunctionSource.recording`.
        code.add("if edge is not None:", "    needs_grad = True")
        code.add("elif tensor._view is not None and tensor._view.base._rg:", f"    {give_up}")
        code.add("edges.append(edge)")
