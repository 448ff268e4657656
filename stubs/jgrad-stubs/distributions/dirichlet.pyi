from jgrad.extra.distributions.dirichlet import *
