from jgrad.extra.optim.muon import *
