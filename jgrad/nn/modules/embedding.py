"""Tables of vectors that are looked up by integers."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn import init
from jgrad.nn.modules.module import Module
from jgrad.nn.parameter import Parameter
from jgrad.tensor import Tensor


class _Table(Module):
    def _prepare(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None,
        weight: Any,
        freeze: bool,
        **made: Any,
    ) -> None:
        Module.__init__(self)
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError(self._outside)
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        if weight is None:
            shape = (num_embeddings, embedding_dim)
            self.weight = Parameter(jgrad.empty(shape, **made), requires_grad=not freeze)
            self.reset_parameters()
        else:
            if list(weight.shape) != [num_embeddings, embedding_dim]:
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(weight, requires_grad=not freeze)

    _outside = "Padding_idx must be within num_embeddings"

    def reset_parameters(self) -> None:
        """Give the vectors new random numbers of the standard normal distribution; the vector of the padding becomes zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with jgrad.no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _unusual(self) -> list[str]:
        words = [f"{self.num_embeddings}, {self.embedding_dim}"]
        if self.max_norm is not None:
            words.append(f"max_norm={self.max_norm}")
        if self.norm_type != 2:
            words.append(f"norm_type={self.norm_type}")
        if self.scale_grad_by_freq is not False:
            words.append(f"scale_grad_by_freq={self.scale_grad_by_freq}")
        return words


class Embedding(_Table):
    """A table of trained vectors: it gives the vector of each integer of its input, for example of the numbers of words."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self._prepare(
            num_embeddings, embedding_dim, padding_idx, _weight, _freeze, device=device, dtype=dtype
        )
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    def extra_repr(self) -> str:
        words = self._unusual()
        if self.padding_idx is not None:
            words.insert(1, f"padding_idx={self.padding_idx}")
        return ", ".join([*words, "sparse=True"] if self.sparse else words)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """Make an Embedding from vectors that already exist."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        return cls(
            *embeddings.shape,
            padding_idx=padding_idx,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            sparse=sparse,
            _weight=embeddings,
            _freeze=freeze,
        )


class EmbeddingBag(_Table):
    """A table of trained vectors: it gives the sum, mean or maximum of the vectors that belong to each bag of integers."""

    _outside = "padding_idx must be within num_embeddings"

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self._prepare(num_embeddings, embedding_dim, padding_idx, _weight, False, device=device, dtype=dtype)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.mode, self.sparse = scale_grad_by_freq, mode, sparse
        self.include_last_offset = include_last_offset

    def forward(
        self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None
    ) -> Tensor:
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        words = [*self._unusual(), f"mode={self.mode!r}"]
        return ", ".join(words if self.padding_idx is None else [*words, f"padding_idx={self.padding_idx}"])

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, max_norm: float | None = None, **more: Any
    ) -> EmbeddingBag:
        """Make an EmbeddingBag from vectors that already exist."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        bag = cls(*embeddings.shape, _weight=embeddings, max_norm=max_norm, **more)
        bag.weight.requires_grad = not freeze
        return bag


manual.attach(__name__)
