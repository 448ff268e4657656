"""What dispatch calls while a level is open: this module registers itself as `levels.rules`."""

import sys

from jgrad.graph import levels
from jgrad.transforms import batching_layers as batching_layers  # more rules
from jgrad.transforms import batching_rules as batching_rules
from jgrad.transforms.batching import check_shared_draw as check_shared_draw
from jgrad.transforms.batching import compute as compute
from jgrad.transforms.batching import reshape_in_place as reshape_in_place
from jgrad.transforms.batching import write as write
from jgrad.transforms.batching import write_to_shared as write_to_shared
from jgrad.transforms.forward import propagate as propagate
from jgrad.transforms.forward import propagate_write as propagate_write
from jgrad.transforms.tracking import text as text

levels.rules = sys.modules[__name__]
