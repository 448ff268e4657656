"""Parameters that may be given as probabilities or as logits; the other form is computed when it is asked for."""

from __future__ import annotations

from typing import Any

from jgrad.distributions.utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits
from jgrad.tensor import Size, Tensor


def refuse_unless_one(probs: Any, logits: Any) -> None:
    """Refuse both and none."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class _Either:
    @property
    def _param(self) -> Tensor:
        """The form that was given."""
        return next(value for name, value in self.__dict__.items() if name in ("probs", "logits"))

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter."""
        return self._param.size()


class Binary(_Either):
    """Probabilities of one of two outcomes, or their log-odds, log(p / (1 - p))."""

    def _set(self, probs: Any, logits: Any, *others: Any) -> tuple[Tensor, ...]:
        """Keep the parameter that is given, broadcast with other tensors, which are returned in its dtype."""
        refuse_unless_one(probs, logits)
        *others, given = broadcast_all(*others, logits if probs is None else probs)  # type: ignore[assignment]
        setattr(self, "logits" if probs is None else "probs", given)
        return tuple([other.type_as(given) for other in others])

    @lazy_property
    def probs(self) -> Tensor:
        """Probabilities."""
        return logits_to_probs(self.logits, is_binary=True)

    @lazy_property
    def logits(self) -> Tensor:
        """Log-odds."""
        return probs_to_logits(self.probs, is_binary=True)


class OneOfMany(_Either):
    """Probabilities of several outcomes along the last dimension, or their logarithms, each known up to a constant factor or summand."""

    def _set(self, probs: Tensor | None, logits: Tensor | None) -> None:
        """Keep the parameter that is given, normalized."""
        refuse_unless_one(probs, logits)
        given, name = (logits, "logits") if probs is None else (probs, "probs")
        assert given is not None
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if name == "probs":
            self.probs = given / given.sum(-1, keepdim=True)
        else:
            self.logits = given - given.logsumexp(dim=-1, keepdim=True)

    @lazy_property
    def probs(self) -> Tensor:
        """Probabilities."""
        return logits_to_probs(self.logits)

    @lazy_property
    def logits(self) -> Tensor:
        """Logarithms of probabilities."""
        return probs_to_logits(self.probs)
