"""What the rules ask of the recordings that a user made before."""

from __future__ import annotations

from typing import Any, Protocol

from jgrad.graph.node import Node
from jgrad.tensor import Tensor
from jgrad.tracing.document.schema import TraceDocument


class Recorded(Protocol):
    """A recording: its document, and which numbers living objects have in it. `jgrad.trace.Trace` is one."""

    @property
    def document(self) -> TraceDocument:
        """The trace document."""

    @property
    def elements(self) -> dict[int, bytes]:
        """All elements of a storage's contents, by the address of what the document has of them."""

    def number_of(self, tensor: Tensor) -> int | None:
        """The number of a tensor in the document, None if it is not there."""

    def number_of_node(self, node: Node | None) -> int | None:
        """The number of a backward node in the document, None if it is not there."""

    def counter_of(self, cell: Any) -> int | None:
        """The number of a version counter (`tensor._counter`) in the document, None if it is not there."""

    def living(self, number: int) -> Tensor | None:
        """The tensor that has this number in the document, None if it is gone."""

    def ended_with(self, error: BaseException) -> bool:
        """Whether this very exception, and not one like it, ended the recorded block."""
