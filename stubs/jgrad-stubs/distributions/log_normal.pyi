from jgrad.extra.distributions.log_normal import *
