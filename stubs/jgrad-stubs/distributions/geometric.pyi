from jgrad.extra.distributions.geometric import *
