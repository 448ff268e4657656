from jgrad.extra.distributions.logistic_normal import *
