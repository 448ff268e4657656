from jgrad.extra.distributions.laplace import *
