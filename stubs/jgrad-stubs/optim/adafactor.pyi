from jgrad.extra.optim.adafactor import *
