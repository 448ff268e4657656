from jgrad.extra.distributions.beta import *
