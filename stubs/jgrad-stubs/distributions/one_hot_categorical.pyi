from jgrad.extra.distributions.one_hot_categorical import *
