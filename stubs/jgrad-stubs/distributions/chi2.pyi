from jgrad.extra.distributions.chi2 import *
