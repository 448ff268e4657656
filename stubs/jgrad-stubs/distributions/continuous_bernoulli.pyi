from jgrad.extra.distributions.continuous_bernoulli import *
