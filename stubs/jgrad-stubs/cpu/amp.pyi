from jgrad.extra.cpu.amp import *
