from jgrad.extra.distributions.binomial import *
