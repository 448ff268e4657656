"""All rows. They are declared when their files are imported."""

from benchmarks import (  # noqa: F401
    array_rows,
    index_rows,
    layer_rows,
    overhead_rows,
    second_order_rows,
    small_rows,
    training_rows,
)
from benchmarks.rows import ROWS

__all__ = ["ROWS"]
