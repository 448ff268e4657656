from jgrad.extra.nn.utils.older_norms import *
