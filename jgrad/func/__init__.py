"""Functions made of functions: derivatives (`grad`, `vjp`, `jvp`, Jacobians) and batches (`vmap`), freely nested; `torch.func`."""

from jgrad.func.module_state import functional_call, replace_all_batch_norm_modules_, stack_module_state
from jgrad.func.transforms import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from jgrad.func.vmap import vmap
from jgrad.transforms.tracking import debug_unwrap

__all__ = [
    "debug_unwrap",
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]
