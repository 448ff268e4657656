"""Settings of `linear_cross_entropy` that save memory."""

from __future__ import annotations

import dataclasses

from jgrad import dtypes, manual

# What "auto" stands for: (acc_policy, chunking_method).
_AUTO_NARROW = ("accurate", "aspect_ratio")
_AUTO = ("compact", "aspect_ratio:2")


@dataclasses.dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """How `linear_cross_entropy` goes through its rows in chunks, so that the scores of all rows never exist at once."""

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: dtypes.dtype | None = None

    def __post_init__(self) -> None:
        if self.acc_policy not in ("auto", "accurate", "balanced", "compact"):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        if self.chunking_method not in (None, "auto"):
            name, colon, factor = self.chunking_method.partition(":")
            if name != "aspect_ratio" or (colon and not (factor.isdigit() and int(factor) > 0)):
                raise ValueError(f"invalid chunking_method: {self.chunking_method!r}")
        size = self.batch_chunk_size
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")
        floats = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
        if self.acc_dtype is not None and self.acc_dtype not in floats:
            names = ", ".join(["None", *[repr(known) for known in floats]])
            raise ValueError(
                f"acc_dtype must be one of {{{names}}}, got {self.acc_dtype!r}. Pass acc_dtype=None to let the op pick automatically."
            )

    def _adjust(
        self, rows: int, in_features: int, num_classes: int, dtype: dtypes.dtype
    ) -> LinearCrossEntropyOptions:
        """These options for one call, with nothing left to choose."""
        narrow = dtype in (dtypes.float16, dtypes.bfloat16)
        policy, method = _AUTO_NARROW if narrow else _AUTO
        if self.acc_policy != "auto":
            policy = self.acc_policy
        if self.chunking_method != "auto":
            method = self.chunking_method  # type: ignore[assignment]
        elif self.batch_chunk_size is not None:
            method = None  # type: ignore[assignment]
        size = rows if self.batch_chunk_size is None else min(self.batch_chunk_size, rows)
        if method is not None:
            size = _by_aspect_ratio(rows, in_features, num_classes, int(method.partition(":")[2] or 1))
            if self.batch_chunk_size not in (None, size):
                raise ValueError(
                    f"batch_chunk_size (={self.batch_chunk_size}) and chunking_method ('{method}') give different chunk sizes "
                    f"({self.batch_chunk_size} vs {size}); pass only one."
                )
        acc_dtype = self.acc_dtype
        if acc_dtype is None:
            acc_dtype = dtypes.float32 if narrow and self.acc_policy == "auto" else dtype
        return dataclasses.replace(
            self,
            acc_policy=policy,
            chunking_method=method,
            batch_chunk_size=max(1, size),
            acc_dtype=acc_dtype,
        )


def _by_aspect_ratio(rows: int, in_features: int, num_classes: int, factor: int) -> int:
    """The rows of a chunk whose scores are as large as the input: the next power of two, a `factor`th of it."""
    ratio = -(-num_classes // in_features)
    least = -(-rows // ratio)
    return min((1 << (least - 1).bit_length()) // factor, rows)


manual.attach(__name__)
