from jgrad.extra.distributions.weibull import *
