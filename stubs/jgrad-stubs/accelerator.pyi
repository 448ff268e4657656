from jgrad.cuda.accelerator import *
