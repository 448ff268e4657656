"""Messages between the main process and its workers: any picklable object, over a connection.

The memory of tensors and NumPy arrays travels beside the pickled structure and is read straight into its new place. Only what
a message shows of a storage is sent: a row of a large tensor costs a row. What overlaps is sent once, so tensors that share elements
still share them on the other side.
"""

from __future__ import annotations

import io
import os
import pickle
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, NamedTuple

import numpy as np

from jgrad.dtypes import dtype
from jgrad.kernels import libraries
from jgrad.storage import Storage
from jgrad.tensor import Tensor, _rebuild

_SMALL = 2**14  # bytes that travel within the structure, as a message of their own would cost more


class Segment(NamedTuple):
    """Memory that some tensors of a message lie in: where it began and ended, and its bytes in one or more pieces."""

    start: int
    end: int
    pieces: list[memoryview]


class Packed(NamedTuple):
    """A message that is ready to be sent: the pickled structure, the places of its buffers (segment, first byte, end), the segments."""

    structure: bytes
    places: list[tuple[int, int, int]]
    segments: list[Any]


STOP = Packed(b"", [], [])  # the last order that a worker gets


def packed(message: Any) -> Packed:
    """Pickle a message. Raises what pickling raises."""
    buffers: list[pickle.PickleBuffer] = []
    file = io.BytesIO()
    _Pickler(file, 5, True, buffers.append).dump(message)
    return Packed(file.getvalue(), *_merged([buffer.raw() for buffer in buffers]))


def _merged(buffers: list[memoryview]) -> tuple[list[tuple[int, int, int]], list[Any]]:
    """Segments of memory that hold all buffers, and where each buffer lies in them."""
    starts = [np.frombuffer(buffer, np.uint8).__array_interface__["data"][0] for buffer in buffers]
    places = [(0, 0, 0)] * len(buffers)
    segments: list[Segment] = []
    for i in sorted(range(len(buffers)), key=starts.__getitem__):
        start, end = starts[i], starts[i] + buffers[i].nbytes
        last = segments[-1] if segments else None
        if last is None or start >= last.end:
            last = Segment(start, end, [buffers[i]])
            segments.append(last)
        elif end > last.end:
            last.pieces.append(buffers[i][last.end - start :])
            last = segments[-1] = last._replace(end=end)
        places[i] = len(segments) - 1, start - last.start, end - last.start
    return places, [s.pieces[0] if len(s.pieces) == 1 else b"".join(s.pieces) for s in segments]


def send(connection: Connection, message: Packed) -> None:
    """Send a message. Waits while the other side is not reading."""
    memory = [len(segment) if len(segment) > _SMALL else bytes(segment) for segment in message.segments]
    connection.send_bytes(pickle.dumps((message.structure, message.places, memory), 5))
    for segment in message.segments:
        if len(segment) > _SMALL:
            _write(connection, segment)


def receive(connection: Connection) -> Packed:
    """Read a message. Raises EOFError or OSError if the other side is gone."""
    structure, places, memory = pickle.loads(connection.recv_bytes())
    segments = []
    for content in memory:
        if isinstance(content, bytes):
            segments.append(np.frombuffer(bytearray(content), np.uint8))
        else:
            segments.append(np.empty(content, np.uint8))
            _read(connection, segments[-1])
    return Packed(structure, places, segments)


# A Connection copies what it reads. Where it is a file, reading straight into the array is nearly twice as fast.

if hasattr(os, "readv"):

    def _write(connection: Connection, memory: Any) -> None:
        left = memoryview(memory)
        while left:
            left = left[os.write(connection.fileno(), left) :]

    def _read(connection: Connection, array: Any) -> None:
        left = memoryview(array)
        while left:
            count = os.readv(connection.fileno(), [left])
            if not count:
                raise EOFError
            left = left[count:]

else:

    def _write(connection: Connection, memory: Any) -> None:
        connection.send_bytes(memory)

    def _read(connection: Connection, array: Any) -> None:
        connection.recv_bytes_into(array)


def unpacked(message: Packed) -> Any:
    """The object that was packed, over the memory that was received."""
    buffers = [message.segments[number][start:end] for number, start, end in message.places]
    return pickle.loads(message.structure, buffers=buffers)


class _Pickler(ForkingPickler):
    def reducer_override(self, obj: Any) -> Any:
        if type(obj) is not Tensor or not isinstance(obj._a, np.ndarray):
            return NotImplemented  # of what lies on a GPU the tensor itself knows how it travels
        if obj.requires_grad and not obj.is_leaf:
            raise RuntimeError(
                "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing process "
                "boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing (e.g., putting it on "
                "the queue)."
            )
        obj._warn_of_hooks()
        array = obj._a
        lowest, end = np.lib.array_utils.byte_bounds(array) if array.size else (0, 0)
        storage = Storage.of(array)
        first = lowest - storage.data_ptr() if array.size else 0
        memory = pickle.PickleBuffer(storage.bytes()[first : first + end - lowest])
        return _tensor_over, (memory, obj.dtype, array.shape, array.strides, obj.requires_grad)


def _tensor_over(memory: Any, kind: dtype, shape: tuple, strides: tuple, requires_grad: bool) -> Tensor:
    if isinstance(memory, memoryview):  # what was read-only there; here it is the reader's own
        memory = memory.obj
    array = libraries.NUMPY.kernels.over(memory, shape, kind.numpy, 0, strides)
    return _rebuild(array, kind, 0, shape, strides, requires_grad)
