# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from jgrad import return_types
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator
from jgrad.tensor import Number, Size as _Size, Tensor, layout as _layout
from jgrad.optim.optimizer import Optimizer
class Adam(Optimizer):
    """Adam divides a running mean of the gradient by the root of a running mean of its square, so each number has steps of its own size.
    
    Both means begin at zero and are corrected for that. The size of a step is about the learning rate, whatever the size of the gradients.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        betas: how much of the running means of the gradient and of its square stays at each step, each from 0 to below 1
        eps: added to the divisor, so that it is not zero
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        amsgrad: whether to divide by the largest running mean of squares so far, instead of the current one
        foreach, capturable, fused: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
        decoupled_weight_decay: whether the parameter is multiplied by 1 - lr * weight_decay, and the gradient stays as it is
    
    >>> w = jgrad.tensor([1., 1.], requires_grad=True)
    >>> optimizer = jgrad.optim.Adam([w], lr=0.1)
    >>> (w * jgrad.tensor([100., -0.01])).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.1000], requires_grad=True)
    """
    def __init__(self, params: Any, lr: Any = 0.001, betas: tuple[Any, Any] = ..., eps: _float = 1e-08, weight_decay: _float = 0, amsgrad: _bool = False, *, foreach: _bool | None = None, maximize: _bool = False, capturable: _bool = False, differentiable: _bool = False, fused: _bool | None = None, decoupled_weight_decay: _bool = False) -> None:
        ...
class AdamW(Adam):
    """Adam with decoupled weight decay: the decay multiplies the parameter by itself, and is not part of the gradient.
    
    Like Adam, it divides a running mean of the gradient by the root of a running mean of its square. So the size of a step is about the learning
    rate.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        betas: how much of the running means of the gradient and of its square stays at each step, each from 0 to below 1
        eps: added to the divisor, so that it is not zero
        weight_decay: before each step the parameter is multiplied by 1 - lr * weight_decay
        amsgrad: whether to divide by the largest running mean of squares so far, instead of the current one
        maximize: whether to go up instead of down: to maximize the loss
        foreach, capturable, fused: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([10.], requires_grad=True)
    >>> optimizer = jgrad.optim.AdamW([w], lr=0.5, weight_decay=0.5)
    >>> (0 * w).sum().backward()
    >>> optimizer.step()
    >>> w  # 10 * (1 - lr * weight_decay)
    tensor([7.5000], requires_grad=True)
    """
    def __init__(self, params: Any, lr: Any = 0.001, betas: tuple[Any, Any] = ..., eps: _float = 1e-08, weight_decay: _float = 0.01, amsgrad: _bool = False, *, maximize: _bool = False, foreach: _bool | None = None, capturable: _bool = False, differentiable: _bool = False, fused: _bool | None = None) -> None:
        ...
class NAdam(Optimizer):
    """Adam whose momentum looks one step ahead, as Nesterov's momentum does.
    
    It divides a running mean of the gradient by the root of a running mean of its square. The momentum grows to its full value in the first steps.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        betas: how much of the running means of the gradient and of its square stays at each step, each from 0 to below 1
        eps: added to the divisor, so that it is not zero
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        momentum_decay: how fast the momentum grows to its full value
        decoupled_weight_decay: whether the parameter is multiplied by 1 - lr * weight_decay, and the gradient stays as it is
        foreach, capturable: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([1., 1.], requires_grad=True)
    >>> optimizer = jgrad.optim.NAdam([w], lr=0.1)
    >>> for _ in range(3):
    ...     optimizer.zero_grad()
    ...     (w * jgrad.tensor([100., -0.01])).sum().backward()
    ...     optimizer.step()
    >>> w  # steps do not depend on the size of the gradients
    tensor([0.7428, 1.2572], requires_grad=True)
    """
    def __init__(self, params: Any, lr: Any = 0.002, betas: tuple[_float, _float] = ..., eps: _float = 1e-08, weight_decay: _float = 0, momentum_decay: _float = 0.004, decoupled_weight_decay: _bool = False, *, foreach: _bool | None = None, maximize: _bool = False, capturable: _bool = False, differentiable: _bool = False) -> None:
        ...
class RAdam(Optimizer):
    """Adam that makes its first steps without the mean square of the gradient, until enough gradients are known for it.
    
    These first steps are the learning rate times the running mean of the gradient. Later the mean is divided by the root of the mean square, with a
    correction that grows to 1.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        betas: how much of the running means of the gradient and of its square stays at each step, each from 0 to below 1
        eps: added to the divisor, so that it is not zero
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        decoupled_weight_decay: whether the parameter is multiplied by 1 - lr * weight_decay, and the gradient stays as it is
        foreach, capturable: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([1.], requires_grad=True)
    >>> optimizer = jgrad.optim.RAdam([w], lr=0.25)
    >>> (2 * w).sum().backward()
    >>> optimizer.step()
    >>> w  # 1 - 0.25 * 2
    tensor([0.5000], requires_grad=True)
    """
    def __init__(self, params: Any, lr: Any = 0.001, betas: tuple[_float, _float] = ..., eps: _float = 1e-08, weight_decay: _float = 0, decoupled_weight_decay: _bool = False, *, foreach: _bool | None = None, maximize: _bool = False, capturable: _bool = False, differentiable: _bool = False) -> None:
        ...
class Adamax(Optimizer):
    """Adam that divides by the largest gradient so far, instead of the root of the mean square.
    
    At each step the largest absolute value becomes smaller by the second of `betas`, so old gradients are forgotten.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        betas: how much of the running mean of the gradient, and of its largest absolute value, stays at each step
        eps: added to the absolute value of the gradient
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        foreach, capturable: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([1., 1.], requires_grad=True)
    >>> optimizer = jgrad.optim.Adamax([w], lr=0.1)
    >>> (w * jgrad.tensor([100., -0.01])).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.1000], requires_grad=True)
    """
    def __init__(self, params: Any, lr: Any = 0.002, betas: tuple[_float, _float] = ..., eps: _float = 1e-08, weight_decay: _float = 0, foreach: _bool | None = None, *, maximize: _bool = False, differentiable: _bool = False, capturable: _bool = False) -> None:
        ...
class RMSprop(Optimizer):
    """RMSprop divides the gradient by the root of a running mean of its square, so each number has steps of its own size.
    
    The running mean begins at zero, so the first steps are larger: the first one is `lr / sqrt(1 - alpha)`.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        alpha: how much of the running mean of the squared gradient stays at each step
        eps: added to the divisor, so that it is not zero
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        momentum: how much of the running sum of divided gradients stays at each step; 0 means that only the current one counts
        centered: whether to divide by the standard deviation of the gradient, instead of its root mean square
        capturable, foreach: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([1., 1.], requires_grad=True)
    >>> optimizer = jgrad.optim.RMSprop([w], lr=0.1, alpha=0.75)
    >>> (w * jgrad.tensor([100., -0.01])).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000, 1.2000], requires_grad=True)
    """
    def __init__(self, params: Any, lr: Any = 0.01, alpha: _float = 0.99, eps: _float = 1e-08, weight_decay: _float = 0, momentum: _float = 0, centered: _bool = False, capturable: _bool = False, foreach: _bool | None = None, maximize: _bool = False, differentiable: _bool = False) -> None:
        ...
class Adagrad(Optimizer):
    """Adagrad divides the gradient by the root of the sum of its squares in all steps so far, so steps become smaller and smaller.
    
    Numbers that rarely have a gradient keep large steps.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        lr_decay: at step t the learning rate is divided by 1 + (t - 1) * lr_decay
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        initial_accumulator_value: what the sum of squares begins with
        eps: added to the divisor, so that it is not zero
        foreach, fused: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([0.], requires_grad=True)
    >>> optimizer = jgrad.optim.Adagrad([w], lr=1)
    >>> for _ in range(4):
    ...     before = w.item()
    ...     optimizer.zero_grad()
    ...     (-5 * w).sum().backward()
    ...     optimizer.step()
    ...     print(round(w.item() - before, 3))  # 1 / sqrt(step)
    1.0
    0.707
    0.577
    0.5
    """
    def __init__(self, params: Any, lr: Any = 0.01, lr_decay: _float = 0, weight_decay: _float = 0, initial_accumulator_value: _float = 0, eps: _float = 1e-10, foreach: _bool | None = None, *, maximize: _bool = False, differentiable: _bool = False, fused: _bool | None = None) -> None:
        ...
class Adadelta(Optimizer):
    """Adadelta scales the gradient by a ratio: the root mean square of past steps, divided by that of past gradients.
    
    So steps need no learning rate to have a fitting size. They begin small, since there are no past steps.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        rho: how much of the two running means stays at each step
        eps: added to both running means before their roots are taken
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        foreach, capturable: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([1., 1.], requires_grad=True)
    >>> optimizer = jgrad.optim.Adadelta([w])
    >>> (w * jgrad.tensor([100., -10.])).sum().backward()
    >>> optimizer.step()
    >>> w  # steps of the same size
    tensor([0.9968, 1.0032], requires_grad=True)
    """
    def __init__(self, params: Any, lr: Any = 1.0, rho: _float = 0.9, eps: _float = 1e-06, weight_decay: _float = 0, foreach: _bool | None = None, *, capturable: _bool = False, maximize: _bool = False, differentiable: _bool = False) -> None:
        ...
