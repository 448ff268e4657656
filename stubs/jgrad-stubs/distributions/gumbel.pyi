from jgrad.extra.distributions.gumbel import *
