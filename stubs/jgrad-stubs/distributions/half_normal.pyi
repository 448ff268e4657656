from jgrad.extra.distributions.half_normal import *
