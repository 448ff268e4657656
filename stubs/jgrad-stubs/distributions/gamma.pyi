from jgrad.extra.distributions.gamma import *
