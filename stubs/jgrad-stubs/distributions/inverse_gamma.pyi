from jgrad.extra.distributions.inverse_gamma import *
