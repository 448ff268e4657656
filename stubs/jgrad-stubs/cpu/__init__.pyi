from jgrad.extra.cpu import *
