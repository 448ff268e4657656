from jgrad.extra.distributions.von_mises import *
