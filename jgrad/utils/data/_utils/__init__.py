"""What a DataLoader consists of: how samples become batches, and the workers that make them; `torch.utils.data._utils`."""

from jgrad.utils.data._utils import collate as collate
from jgrad.utils.data._utils import fetch as fetch
from jgrad.utils.data._utils import pin_memory as pin_memory
from jgrad.utils.data._utils import worker as worker
