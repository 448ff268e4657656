"""PyTorch's tensors as the recorder and the magics see them: see `jgrad/mirrors/__init__.py`.

- `memory.py`: arrays over the memory of its tensors
- `tensors.py`, `nodes.py`: mirrors of its tensors and nodes
- `plans.py`: what is known of its operators and functions before they run
- `watch.py`: reports to the observer what its operators do
- `passes.py`: reports to the observer what a backward pass does
- `private.py`: its private names that are used
"""

from jgrad.mirrors.torch.library import LIBRARY as LIBRARY
