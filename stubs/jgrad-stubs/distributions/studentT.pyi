from jgrad.extra.distributions.studentT import *
