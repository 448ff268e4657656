from jgrad.extra.cuda.amp import *
