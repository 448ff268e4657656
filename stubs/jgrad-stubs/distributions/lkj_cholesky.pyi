from jgrad.extra.distributions.lkj_cholesky import *
