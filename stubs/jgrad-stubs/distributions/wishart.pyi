from jgrad.extra.distributions.wishart import *
