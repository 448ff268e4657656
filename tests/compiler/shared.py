"""What the processes of the tests of shared memory do."""

from __future__ import annotations

from typing import Any


def write(x: Any, middle: Any, there: Any, back: Any) -> None:
    """Write to what was given as an argument and to what comes by a queue, and send tensors until the answer says that they have come."""
    x += 1
    middle[0] = 7
    sent = there.get()
    sent.mul_(10)
    made = sent.new_ones(4)
    back.put((made, made[1:], sent.new_ones(2).requires_grad_(), sent))
    there.get()


def train(layer: Any) -> None:
    layer.weight.data.fill_(3)


def conversation(library: Any, method: str) -> list[Any]:
    """A program of two processes, and what it shows."""
    context = library.multiprocessing.get_context(method)
    there, back = context.Queue(), context.Queue()
    x = library.zeros(3).share_memory_()
    middle = x[1:]
    process = context.Process(target=write, args=(x, middle, there, back))
    process.start()
    sent = library.ones(2)
    there.put(sent)
    made, part, leaf, returned = back.get()
    there.put("they have come")
    process.join()
    made.fill_(5)
    layer = library.nn.Linear(2, 1).share_memory()
    learner = context.Process(target=train, args=(layer,))
    learner.start()
    learner.join()
    return [
        (x.tolist(), middle.tolist(), middle._base is x, sent.tolist(), sent.is_shared(), part.tolist()),
        (leaf.requires_grad, leaf.is_leaf, returned.data_ptr() == sent.data_ptr(), made.is_shared()),
        (part.untyped_storage().data_ptr() == made.untyped_storage().data_ptr(), part.storage_offset()),
        (process.exitcode, learner.exitcode, layer.weight.tolist()),
    ]
