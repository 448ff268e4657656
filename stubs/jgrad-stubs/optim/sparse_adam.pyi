from jgrad.extra.optim.sparse_adam import *
