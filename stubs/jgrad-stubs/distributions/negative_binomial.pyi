from jgrad.extra.distributions.negative_binomial import *
