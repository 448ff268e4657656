"""Probability distributions: `torch.distributions`.

A distribution is made of tensors and gives samples (`sample`, and with gradients `rsample`) and probabilities (`log_prob`, `cdf`,
`entropy`, `kl_divergence`, ...) that are differentiable functions of them. There is a file for each family; what they share is in
`distribution.py`, `constraints.py`, `transforms.py`, `constraint_registry.py` and `kl.py`.
"""

from jgrad.distributions import constraints as constraints
from jgrad.distributions import transforms as transforms
from jgrad.distributions.bernoulli import Bernoulli
from jgrad.distributions.beta import Beta
from jgrad.distributions.binomial import Binomial
from jgrad.distributions.categorical import Categorical
from jgrad.distributions.cauchy import Cauchy
from jgrad.distributions.chi2 import Chi2
from jgrad.distributions.constraint_registry import biject_to, transform_to
from jgrad.distributions.continuous_bernoulli import ContinuousBernoulli
from jgrad.distributions.dirichlet import Dirichlet
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.exponential import Exponential
from jgrad.distributions.fishersnedecor import FisherSnedecor
from jgrad.distributions.gamma import Gamma
from jgrad.distributions.generalized_pareto import GeneralizedPareto
from jgrad.distributions.geometric import Geometric
from jgrad.distributions.gumbel import Gumbel
from jgrad.distributions.half_cauchy import HalfCauchy
from jgrad.distributions.half_normal import HalfNormal
from jgrad.distributions.independent import Independent
from jgrad.distributions.inverse_gamma import InverseGamma
from jgrad.distributions.kl import kl_divergence, register_kl
from jgrad.distributions.kumaraswamy import Kumaraswamy
from jgrad.distributions.laplace import Laplace
from jgrad.distributions.lkj_cholesky import LKJCholesky
from jgrad.distributions.log_normal import LogNormal
from jgrad.distributions.logistic_normal import LogisticNormal
from jgrad.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from jgrad.distributions.mixture_same_family import MixtureSameFamily
from jgrad.distributions.multinomial import Multinomial
from jgrad.distributions.multivariate_normal import MultivariateNormal
from jgrad.distributions.negative_binomial import NegativeBinomial
from jgrad.distributions.normal import Normal
from jgrad.distributions.one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from jgrad.distributions.pareto import Pareto
from jgrad.distributions.poisson import Poisson
from jgrad.distributions.relaxed_bernoulli import RelaxedBernoulli
from jgrad.distributions.relaxed_categorical import RelaxedOneHotCategorical
from jgrad.distributions.studentT import StudentT
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import (
    AbsTransform,
    AffineTransform,
    CatTransform,
    ComposeTransform,
    CorrCholeskyTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from jgrad.distributions.uniform import Uniform
from jgrad.distributions.von_mises import VonMises
from jgrad.distributions.weibull import Weibull
from jgrad.distributions.wishart import Wishart

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "Bernoulli",
    "Beta",
    "Binomial",
    "CatTransform",
    "Categorical",
    "Cauchy",
    "Chi2",
    "ComposeTransform",
    "ContinuousBernoulli",
    "CorrCholeskyTransform",
    "CumulativeDistributionTransform",
    "Dirichlet",
    "Distribution",
    "ExpTransform",
    "Exponential",
    "ExponentialFamily",
    "FisherSnedecor",
    "Gamma",
    "GeneralizedPareto",
    "Geometric",
    "Gumbel",
    "HalfCauchy",
    "HalfNormal",
    "Independent",
    "IndependentTransform",
    "InverseGamma",
    "Kumaraswamy",
    "LKJCholesky",
    "Laplace",
    "LogNormal",
    "LogisticNormal",
    "LowRankMultivariateNormal",
    "LowerCholeskyTransform",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "Pareto",
    "Poisson",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StackTransform",
    "StickBreakingTransform",
    "StudentT",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "VonMises",
    "Weibull",
    "Wishart",
    "biject_to",
    "identity_transform",
    "kl_divergence",
    "register_kl",
    "transform_to",
]
