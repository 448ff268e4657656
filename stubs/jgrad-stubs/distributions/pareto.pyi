from jgrad.extra.distributions.pareto import *
