from jgrad.extra.distributions.half_cauchy import *
