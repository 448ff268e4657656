from jgrad.extra.distributions.cauchy import *
