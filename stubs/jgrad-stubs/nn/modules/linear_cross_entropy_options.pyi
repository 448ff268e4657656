from jgrad.extra.nn.modules.linear_cross_entropy_options import *
