"""`torch.autograd.grad_mode`: the grad modes under the name by which programs import them."""

from jgrad.graph.grad_mode import (
    enable_grad as enable_grad,
)
from jgrad.graph.grad_mode import (
    inference_mode as inference_mode,
)
from jgrad.graph.grad_mode import (
    no_grad as no_grad,
)
from jgrad.graph.grad_mode import (
    set_grad_enabled as set_grad_enabled,
)
from jgrad.graph.grad_mode import (
    set_multithreading_enabled as set_multithreading_enabled,
)
