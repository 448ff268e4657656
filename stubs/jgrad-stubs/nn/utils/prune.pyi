from jgrad.extra.nn.utils.prune import *
