from jgrad.extra.quasirandom import *
