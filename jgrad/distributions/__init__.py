"""Probability distributions: `torch.distributions`.

A distribution is made of tensors and gives samples (`sample`, and with gradients `rsample`) and probabilities (`log_prob`, `cdf`,
`entropy`, `kl_divergence`, ...) that are differentiable functions of them. There is a file for each family; what they share is in
`distribution.py`, `constraints.py`, `transforms.py` and `kl.py`. Most families are in `jgrad/extra/`.
"""

from typing import Any as _Any

from jgrad import loading as _loading
from jgrad.distributions import constraints as constraints
from jgrad.distributions import transforms as transforms
from jgrad.distributions.bernoulli import Bernoulli
from jgrad.distributions.categorical import Categorical
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.independent import Independent
from jgrad.distributions.kl import kl_divergence, register_kl
from jgrad.distributions.mixture_same_family import MixtureSameFamily
from jgrad.distributions.normal import Normal
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import (
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    IndependentTransform,
    SigmoidTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from jgrad.distributions.uniform import Uniform

__all__ = [
    "AffineTransform",
    "Bernoulli",
    "Categorical",
    "ComposeTransform",
    "Distribution",
    "ExpTransform",
    "ExponentialFamily",
    "Independent",
    "IndependentTransform",
    "MixtureSameFamily",
    "Normal",
    "SigmoidTransform",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "identity_transform",
    "kl_divergence",
    "register_kl",
    *_loading.public_of(__name__),
]


def __getattr__(name: str) -> _Any:
    return _loading.offered(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_loading.names_of(__name__)})
