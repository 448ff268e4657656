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
class SGD(Optimizer):
    """Stochastic gradient descent: each step subtracts the learning rate times the gradient.
    
    With momentum, it subtracts the learning rate times a running sum of gradients, `sum = momentum * sum + gradient`.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        momentum: how much of the running sum of gradients stays at each step; 0 means that only the current gradient counts
        dampening: from the second step on, the gradient is multiplied by 1 - dampening before it is added to the running sum
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        nesterov: whether to use Nesterov's momentum, which looks one step ahead; it needs a momentum and no dampening
        maximize: whether to go up instead of down: to maximize the loss
        foreach, fused: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([10.], requires_grad=True)
    >>> optimizer = jgrad.optim.SGD([w], lr=1, momentum=0.5)
    >>> for _ in range(3):
    ...     optimizer.zero_grad()
    ...     (2 * w).sum().backward()
    ...     optimizer.step()
    ...     print(w.item())  # the running sums are 2, 3 and 3.5
    8.0
    5.0
    1.5
    """
    def __init__(self, params: Any, lr: Any = 0.001, momentum: _float = 0, dampening: _float = 0, weight_decay: Any = 0, nesterov: _bool = False, *, maximize: _bool = False, foreach: _bool | None = None, differentiable: _bool = False, fused: _bool | None = None) -> None:
        ...
class ASGD(Optimizer):
    """Averaged stochastic gradient descent: steps that become smaller and smaller, and an average of the parameters after step `t0`.
    
    Step t has the size `lr / (1 + lambd * lr * t) ** alpha`. `optimizer.state[parameter]["ax"]` is the average; the parameter itself stays what
    gradient descent makes of it.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the learning rate, which scales the steps, a number or a tensor of one element
        lambd: how fast parameters and steps become smaller
        alpha: the power with which the steps become smaller
        t0: the step after which the average begins
        weight_decay: the parameter times this number is added to its gradient, which draws the parameter to zero
        foreach, capturable: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([4.], requires_grad=True)
    >>> optimizer = jgrad.optim.ASGD([w], lr=0.25, lambd=0, t0=0)
    >>> for _ in range(3):
    ...     optimizer.zero_grad()
    ...     (w ** 2).sum().backward()
    ...     optimizer.step()
    ...     print(w.item(), optimizer.state[w]["ax"].item())
    2.0 2.0
    1.0 1.0
    0.5 0.75
    """
    def __init__(self, params: Any, lr: Any = 0.01, lambd: _float = 0.0001, alpha: _float = 0.75, t0: _float = 1000000.0, weight_decay: _float = 0, foreach: _bool | None = None, maximize: _bool = False, differentiable: _bool = False, capturable: _bool = False) -> None:
        ...
class Rprop(Optimizer):
    """Resilient backpropagation: each number has a step of its own, and only the sign of the gradient counts.
    
    The step grows while the gradient keeps its sign. When the sign changes, the step shrinks, and the number stays where it is for one step.
    
    Args:
        params: the parameters: an iterable of tensors, of (name, tensor) pairs, or of dicts {"params": ..., "lr": ...}: groups with own options
        lr: the first step of every number, a number or a tensor of one element
        etas: the two factors by which a step shrinks and grows
        step_sizes: the smallest and the largest step
        capturable, foreach: accepted, but without effect in jgrad; in PyTorch, a choice of implementation
        maximize: whether to go up instead of down: to maximize the loss
        differentiable: must be False in jgrad, which does not record steps; True raises NotImplementedError
    
    >>> w = jgrad.tensor([0., 0.], requires_grad=True)
    >>> optimizer = jgrad.optim.Rprop([w], lr=1, etas=(0.5, 2))
    >>> for _ in range(3):
    ...     optimizer.zero_grad()
    ...     (w * jgrad.tensor([-1000., 0.001])).sum().backward()
    ...     optimizer.step()
    ...     print(w.tolist())  # steps of 1, 2 and 4
    [1.0, -1.0]
    [3.0, -3.0]
    [7.0, -7.0]
    """
    def __init__(self, params: Any, lr: Any = 0.01, etas: tuple[_float, _float] = ..., step_sizes: tuple[_float, _float] = ..., *, capturable: _bool = False, foreach: _bool | None = None, maximize: _bool = False, differentiable: _bool = False) -> None:
        ...
