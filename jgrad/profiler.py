"""The names of `torch.profiler`. jgrad measures no times: `%%trace` shows what a cell does, Python's cProfile where its time goes."""

from __future__ import annotations

import enum
from contextlib import ContextDecorator
from typing import Any, NoReturn

from jgrad import manual


class record_function(ContextDecorator):
    """A block, or a function if it is used as a decorator, with a name for the profiler. It has no effect here, where there is no profiler."""

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name, self.args = name, args

    def __enter__(self) -> record_function:
        return self

    def __exit__(self, *error: Any) -> None:
        pass


class ProfilerActivity(enum.Enum):
    """What PyTorch's profiler can watch."""

    CPU = 0
    XPU = 1
    CUDA = 3


class profile:
    """PyTorch's profiler, which jgrad does not have: raises NotImplementedError."""

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            "jgrad has no profiler: %%trace shows the operations of a cell, and Python's cProfile measures their times"
        )


manual.attach(__name__)
