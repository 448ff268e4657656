from jgrad.extra.distributions.exponential import *
