"""The options of a declaration, and presets of the options that many declarations share."""

from collections.abc import Callable
from typing import Any, Literal, TypedDict


class Options(TypedDict, total=False):
    """What a declaration can state next to its schema, its docstring and its formulas. All options may be left out."""

    # Under which names users find the operator.

    forms: str
    """Which of "function method inplace function_ out" exist; "function_" is `jgrad.abs_`. Without the option: "function method"."""

    namespace: str
    """The module of the function if it is not `jgrad` itself: "linalg"."""

    varargs: bool
    """The method takes its last list of ints one by one too: `x.view(2, 3)`."""

    deprecated: str
    """Older signatures that are still accepted with a warning, separated by "; "."""

    also: str
    """One further signature, which is accepted without a warning."""

    # What computes the result.

    kernel: str
    """The name of the kernel if it is not the name of the operator."""

    usually: str
    """Of a composite: another operator, whose fast path it takes, and a kernel for that path. The kernel raises ValueError if it does
    not apply."""

    warns: bool
    """The kernel may warn. No call may run it twice, so there is no fast path: a fast path that gives up has run the kernel already."""

    result_writes: int | dict[str, int] | Callable[..., int]
    """How often PyTorch writes to the result after it has made it: the version of the result. A dict has it by the kind of NumPy's dtype of the
    first argument; such arguments are left to the general path. A function computes it from the arguments of the kernel. With a number or a
    function the operator has no fast path. Without the option: never."""

    crosses_devices: bool
    """The arguments may be on several devices."""

    # Dtypes.

    promote: Literal["default", "float"]
    """The operands are converted to their common dtype. "float" converts integers to the default float dtype."""

    promoted: str
    """The names of the arguments that take part in the promotion, if not all tensors do."""

    numbers: Literal["any", "either", "other"]
    """Python numbers may stand for tensors: "any" of them, "either" of two but not both, or any "other" than the first."""

    row_major: bool
    """The result is contiguous, whatever the strides of the operands are."""

    boolean: bool
    """The result is bool, whatever the operands are."""

    refuses: Literal["subtraction", "integer_division", "lerp", "ldexp", "mvlgamma"]
    """Which check the operands must pass before they get their common dtype: `refuse_NAME` of the kernels raises PyTorch's error."""

    numbers_in_single: bool
    """A half-precision tensor and a Python number are computed in single precision."""

    refuses_overflow: bool
    """A Python number that the common dtype can't hold is refused. Without the option integers wrap around, as in C."""

    keeps_dtype: bool
    """The result may have a dtype without gradients although an argument requires grad, which is an error: an integer self keeps its dtype in
    `where` and the like, and products of nothing have the second matrix's."""

    c_names: bool
    """Errors about dtypes name them as C does: "long int"."""

    # Derivatives.

    node: str
    """The name of the node class if it is not NameBackward and the number of the overload."""

    undifferentiable: bool
    """The result requires grad, and backward raises an error when it reaches the node: "derivative for aten::NAME is not implemented"."""

    constant: str
    """Names of floating-point results that have no gradient. (Integers and bools never have one.)"""

    derived: dict[str, Callable[..., Any]]
    """More names for formulas, each with the function that computes it from all arguments."""

    gradient_writes: int
    """How often PyTorch writes to the gradients that the formulas make: the version of such a gradient. Without the option: never."""

    real_gradient: bool | str
    """Complex results have no derivative. A string is the name of the operator in PyTorch's error."""

    # Transforms.

    batches: Literal["elementwise", "dim", "leading", "images", "examples", "dynamic"]
    """How the operator runs on a whole batch under `vmap`. "elementwise": element by element. "dim": along the same dimension, one further
    back. "leading": with the batch as the first dimension, which the kernel allows anyway. "images": with as many times more images.
    "examples": one example after the other. "dynamic": not at all, since the shape of the result depends on values. Without the option an
    operator that promotes its operands runs element by element, one with a rule in `jgrad/transforms` by that rule, any other example by
    example."""

    # Writes: in place and to `out=`.

    inplace_cast_error: str
    """The error of the in-place form on integers, if it is not the usual one; {result} is the dtype of the result, {target} that of the
    target."""

    inplace_resizes: bool
    """The in-place form gives the target the shape of the result, as `out=` gets it."""

    checks_overlap: bool | Literal["target", "all", "operands", "all operands"]
    """Which overlap of memory an in-place write refuses. True: within the target, and with the operands unless they are the same elements.
    "all": the same elements too. "target": within the target alone. "operands", "all operands": as True and "all", but with the first
    operand alone, and not within the target. False: none."""

    checked_before_overlap: str
    """What PyTorch checks before it looks at overlap of memory: `refuse_NAME` of the kernels raises the error, for the arguments of the kernel."""

    exclusive: bool
    """`out=` may not be one of the inputs."""

    out_dtype: str
    """Which dtype `out=` may have. "exact": that of the result. "castable": one that holds the result; "castable NAME": the same, with an
    error that names NAME. "truth": bool or uint8. Any other text: that of the result, or else this text is the error, in which {out} is
    the dtype of `out=`, {result} that of the result, and {name} its name among several."""

    out_layout: Literal["result", "empty"]
    """When an `out=` that is resized gets the strides of the result: always ("result"), or if it was empty ("empty")."""

    out_resized_silently: bool
    """An `out=` of another shape is resized without a warning."""

    broadcasts_with_out: bool
    """The first argument broadcasts against `out=`, as an operand of one more tensor."""

    draws_into_out: bool
    """The kernel of a draw gets `out=` as one more argument: it draws in the dtype and in the order of memory of this array."""

    out_name: str
    """The name of the operator in PyTorch's error about `out=` and gradients."""

    without_out: bool
    """This overload takes no `out=`, although others of the operator do."""

    out_copied: bool
    """`out=` receives a recorded copy of the result instead of refusing gradients."""


# Presets ----------------------------------------------------------------------------------------------------------------------
# Options that many declarations share. A declaration takes them by `**FLOATING`, and may add others.

INTERNAL: Options = {"forms": ""}
"""No public name: called by functions of `jgrad.nn.functional`, composites and formulas."""

POINTWISE: Options = {"promote": "default", "forms": "function method inplace out"}
"""Computes element by element, in the common dtype of the operands."""

POINTWISE_EVERYWHERE: Options = {**POINTWISE, "forms": "function method inplace function_ out"}
"""POINTWISE, with the in-place form as a function too: `jgrad.ceil_`."""

FLOATING: Options = {"promote": "float", "forms": "function method inplace out"}
"""Computes element by element in floating point. Integers are converted to the default float dtype."""

FLOATING_EVERYWHERE: Options = {**FLOATING, "forms": "function method inplace function_ out"}
"""FLOATING, with the in-place form as a function too: `jgrad.exp_`."""

ARITHMETIC: Options = {**POINTWISE, "numbers": "any"}
"""POINTWISE, with Python numbers in place of tensors."""

BITWISE: Options = {**POINTWISE, "numbers": "either"}
"""POINTWISE, with a Python number in place of one of two tensors."""

COMPARISON: Options = {**POINTWISE, "numbers": "other", "boolean": True}
"""POINTWISE, with a result of bools. A Python number may stand for the second operand."""

SPECIAL: Options = {"namespace": "special", "promote": "float", "forms": "function out"}
"""A function of `jgrad.special`, which computes element by element in floating point."""

FFT: Options = {"namespace": "fft", "forms": "function out"}
"""A function of `jgrad.fft`."""

FUNCTIONAL: Options = {"namespace": "nn.functional", "forms": "function out"}
"""A function of `jgrad.nn.functional` with `out=`."""

LINALG: Options = {"namespace": "linalg", "forms": "function out"}
"""A function of `jgrad.linalg`."""

LAPACK: Options = {**LINALG, "out_layout": "result"}
"""LINALG for what LAPACK computes. Its matrices are column-major, and so becomes an `out=` that is resized."""
