from jgrad.extra.distributions.lowrank_multivariate_normal import *
