from jgrad.extra.signal.windows import *
