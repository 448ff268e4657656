from jgrad.extra.nn.modules.adaptive import *
