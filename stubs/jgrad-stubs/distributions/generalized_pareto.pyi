from jgrad.extra.distributions.generalized_pareto import *
