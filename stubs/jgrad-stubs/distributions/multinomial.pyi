from jgrad.extra.distributions.multinomial import *
