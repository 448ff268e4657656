"""From the call of an operator to its kernel: declarations, the matching of arguments, promotion, recording, fast paths.

Begin to read with `declare.py`. It lists the order in which to read the other files.
"""

from jgrad.dispatch.declare import composite, formula, op
from jgrad.dispatch.operators import TABLE, Op, alias_of, document, install_operator, install_swapped, public
from jgrad.dispatch.options import Options
from jgrad.dispatch.overload import AnyOverload, Composite, Overload
from jgrad.dispatch.schema import NUMBERS

__all__ = [
    "op", "composite", "formula", "alias_of", "install_operator", "install_swapped", "document", "public", "TABLE", "Op", "Options", "Overload", "Composite",
    "AnyOverload", "NUMBERS",
]  # fmt: skip
