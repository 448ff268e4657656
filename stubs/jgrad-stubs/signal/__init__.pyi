from jgrad.extra.signal import *
