from jgrad.extra.distributions.multivariate_normal import *
