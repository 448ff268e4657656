from jgrad.extra.distributions.relaxed_categorical import *
