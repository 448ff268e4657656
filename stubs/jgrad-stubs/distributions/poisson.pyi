from jgrad.extra.distributions.poisson import *
