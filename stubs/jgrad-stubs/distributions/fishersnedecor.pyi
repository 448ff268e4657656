from jgrad.extra.distributions.fishersnedecor import *
