"""How an operator is declared, and what is made from the declaration.

    @op("mul(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method inplace out")
    class mul:
        \"\"\"Multiply two tensors element by element.\"\"\"

        self = lambda grad, other: grad * conj(other)
        other = lambda grad, self: grad * conj(self)

The schema is PyTorch's (see `jgrad/dispatch/schema.py`). The kernel is the function of the same name in `jgrad.kernels.numpy`; it gets the
raw arrays in the order of the schema. Each lambda is the derivative for the argument it is named after, and *its parameters are what
backward needs*: `grad` (`grads` for several results), any argument, `result`, and `NAME_shape`, `NAME_strides`, `NAME_dtype` or
`NAME_device` for that much of an argument. Nothing else is saved, and nothing at all for an input that needs no gradient.

Note [One formula, two lowerings]: a formula is written once, with the names of its module, where `conj` and `exp` are the public
operators. If it runs on tensors, these operators are recorded; `create_graph=True` needs this. (`arithmetic.py` gives `2 * x` in a formula
the node that it has in PyTorch's C++.) For first derivatives, the same code object is bound to the names of `jgrad.kernels.numpy`, where `conj` and
`exp` are NumPy's. Then it runs on raw arrays, without the overhead of operators.

Note [Tracebacks]: functions between the user's line and an error set `__tracebackhide__`, which IPython and pytest use. The user sees
only the own line and PyTorch's error text.

From one declaration come: the function, the method, `name_`, `out=`, the node class (`MulBackward0`) with its `_saved_*`, both backward
passes, the docstring, and what the recorder reports of it. `TABLE` lists all operators; `Options` explains what a declaration can state.

Read the package in this order: this file; `options.py`; `declaration.py`, which reads declarations; `facts.py`, what is known after that;
`schema.py` and `matching.py` for arguments; `overload.py`, the general path of a call, with `promotion.py` and `out.py`; `recording.py`,
`recorded.py`, `node_classes.py`, `backward.py` and `arithmetic.py` for nodes; `operators.py`, which installs functions and methods; and `fast/`, the fast
paths.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from jgrad import manual
from jgrad.dispatch.declaration import Declaration
from jgrad.dispatch.operators import TABLE, Op, document, install
from jgrad.dispatch.options import Options
from jgrad.kernels import libraries

OPTION_NAMES = frozenset(Options.__annotations__)


def op(schema: str, **options: Unpack[Options]) -> Callable[[type], Any]:
    """Declare an operator, or one more overload of it, by the class that follows; returns the public function."""

    def declare(body: type) -> Callable[..., Any]:
        return _declared(schema, body, options).function

    return declare


def composite(schema: str, **options: Unpack[Options]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an operator by the function that follows, which calls other operators. Autograd records only those."""

    def declare(body: Callable[..., Any]) -> Callable[..., Any]:
        return _declared(schema, body, options).function

    return declare


def formula(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a helper of formulas: it runs on tensors as it stands, and on raw arrays bound to the kernels, under the same name."""
    libraries.add_formula(function)
    return function


def _declared(schema: str, body: type | Callable[..., Any], options: Options) -> Op:
    """The operator with this declaration added. The first one of its name installs it."""
    if not OPTION_NAMES.issuperset(options):
        raise TypeError(f"{schema}: no such option: {', '.join(options.keys() - OPTION_NAMES)}")
    name = schema.partition("(")[0].partition(".")[0]
    namespace = options.get("namespace", "")
    key = f"{namespace}.{name.removeprefix(namespace + '_')}" if namespace else name
    first = key not in TABLE
    operator = TABLE[key] = Op(name, options) if first else TABLE[key]
    operator.declarations.append(Declaration(operator, schema, body, options))
    if not operator.doc and body.__doc__:
        entry = name if "<locals>" in body.__qualname__ else body.__qualname__
        operator.doc = body.__doc__ = manual.text(body.__module__, entry, body.__doc__)
    if first:
        install(operator)
    else:
        document(operator)
    return operator
