from jgrad.extra.distributions.relaxed_bernoulli import *
