from jgrad.extra.distributions.constraint_registry import *
