from jgrad.extra.distributions.kumaraswamy import *
