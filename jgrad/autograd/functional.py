"""Products with Jacobians and Hessians of functions of tensors; `torch.autograd.functional`.

All are made of backward passes. What multiplies a Jacobian from the right (`jvp`, `hvp`) goes backward twice: the gradient is linear in
the gradient it begins with, and its derivative with respect to that is the transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import jgrad
from jgrad import manual
from jgrad.engine.differentiate import grad
from jgrad.graph import grad_mode
from jgrad.tensor import Tensor

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]

Function = Callable[..., Any]

# The errors of `strict=True` about a derivative that does not depend on an input, by the pass that found it ...
UNUSED = {
    "back": "The output of the user-provided function is independent of input {i}. This is not allowed in strict mode.",
    "back_trick": "The gradient with respect to the input is independent of entry {i} in the grad_outputs when using the double backward "
    "trick to compute forward mode gradients. This is not allowed in strict mode.",
    "double_back": "The jacobian of the user-provided function is independent of input {i}. This is not allowed in strict mode.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {i} in the grad_jacobian. This is not allowed "
    "in strict mode as it prevents from using the double backward trick to replace forward mode AD.",
}
# ... and of a tensor through which no gradient flows, by what it is.
CUT_OFF = {
    "outputs": "Output {i} of the user-provided function does not require gradients. The outputs must be computed in a differentiable "
    "manner from the input when running in strict mode.",
    "grad_inputs": "The gradient with respect to input {i} is independent of the inputs of the user-provided function. This is not "
    "allowed in strict mode.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to input {i} is "
    "independent of the input. This is not allowed in strict mode. You should ensure that your function is twice differentiable and that "
    "the jacobian depends on the inputs (this would be violated by a linear function for example).",
    "hessian": "The hessian of the user-provided function with respect to input {i} is independent of the input. This is not allowed in "
    "strict mode. You should ensure that your function is thrice differentiable and that the hessian depends on the inputs.",
}


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple:
    """The value of a function at `inputs`, and the product `v @ J` of a vector with its Jacobian J there."""
    with grad_mode.enable_grad():
        several, inputs = _inputs(inputs, "vjp", create_graph)
        many, outputs = _outputs(func(*inputs), "vjp", strict)
        if v is not None:
            v = _vector(v, outputs, many, "vjp", create_graph)
        elif len(outputs) != 1 or outputs[0].numel() != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
            )
    with grad_mode.set_grad_enabled(create_graph or grad_mode.is_grad_enabled()):
        product = _filled(_grad(outputs, inputs, v, create_graph), inputs, strict, create_graph, "back")
    return _returned(outputs, many, create_graph), _returned(product, several, create_graph)


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple:
    """The value of a function at `inputs`, and the product `J @ v` of its Jacobian J there with a vector: the derivative along `v`."""
    with grad_mode.enable_grad():
        several, inputs = _inputs(inputs, "jvp", create_graph)
        v = _vector_for_inputs(v, inputs, several, "jvp", create_graph)
        many, outputs = _outputs(func(*inputs), "jvp", strict)
        weights = tuple([jgrad.zeros_like(out, requires_grad=True) for out in outputs])
        gradients = _grad(outputs, inputs, weights, True)
        _check_connected(gradients, "grad_inputs", strict)
    with grad_mode.set_grad_enabled(create_graph or grad_mode.is_grad_enabled()):
        product = _filled(
            _grad(gradients, weights, v, create_graph), outputs, strict, create_graph, "back_trick"
        )
    return _returned(outputs, many, create_graph), _returned(product, many, create_graph)


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of a function: the derivative of each element of the output with respect to each element of the inputs."""
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than inputs, '
            '"forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(
                'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported together (yet). '
                'Please either set `create_graph=False` or `strategy="reverse-mode"`.'
            )
        return _jacobian_by_columns(func, inputs, strict, vectorize)
    with grad_mode.enable_grad():
        several, inputs = _inputs(inputs, "jacobian", create_graph)
        many, outputs = _outputs(func(*inputs), "jacobian", strict)
        if vectorize:
            if strict:
                raise RuntimeError(
                    "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. Please either "
                    "set `strict=False` or `vectorize=False`."
                )
            rows = _all_rows(inputs, outputs, create_graph)
        else:
            rows = [_rows(i, out, inputs, create_graph, strict) for i, out in enumerate(outputs)]
        result = [_returned(row, several, create_graph) for row in rows]
    return tuple(result) if many else result[0]


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function that returns one number: its second derivatives with respect to the elements of the inputs."""
    several, inputs = _as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def number(*inputs: Tensor) -> Tensor:
        output = func(*inputs)
        _check_one_number(*_outputs(output, "hessian", strict), "hessian")
        return output.squeeze()

    def gradient(*inputs: Tensor) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            inputs = tuple([t.requires_grad_(True) for t in inputs])
        result = jacobian(number, inputs, create_graph=True)
        _check_connected(result, "jacobian", strict)
        return result

    rows = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return rows if several else rows[0][0]


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple:
    """The value of a function that returns one number, and the product `v @ H` of a vector with its Hessian H."""
    with grad_mode.enable_grad():
        several, inputs, v, outputs, jacobian = _first_order(func, inputs, v, "vhp", create_graph, strict)
    with grad_mode.set_grad_enabled(create_graph or grad_mode.is_grad_enabled()):
        product = _filled(
            _grad(jacobian, inputs, v, create_graph), inputs, strict, create_graph, "double_back"
        )
    return _returned(outputs, False, create_graph), _returned(product, several, create_graph)


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple:
    """The value of a function that returns one number, and the product `H @ v` of its Hessian H with a vector."""
    with grad_mode.enable_grad():
        several, inputs, v, outputs, jacobian = _first_order(func, inputs, v, "hvp", create_graph, strict)
        weights = tuple([jgrad.zeros_like(t, requires_grad=True) for t in inputs])
        again = _grad(jacobian, inputs, weights, True)
        _check_connected(jacobian, "hessian", strict)
    with grad_mode.set_grad_enabled(create_graph or grad_mode.is_grad_enabled()):
        product = _filled(
            _grad(again, weights, v, create_graph), inputs, strict, create_graph, "double_back_trick"
        )
    return _returned(outputs, False, create_graph), _returned(product, several, create_graph)


# The parts they share ---------------------------------------------------------------------------------------------------------


def _as_tuple(value: Any, what: str, name: str) -> tuple[bool, tuple]:
    """Whether a tuple of tensors was given rather than a tensor, and the tuple."""
    several = isinstance(value, tuple)
    for i, t in enumerate(value if several else (value,)):
        if not isinstance(t, Tensor):
            which = f"value at index {i}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the {which} has type {type(t)}."
            )
    return several, value if several else (value,)


def _inputs(inputs: Any, name: str, create_graph: bool) -> tuple[bool, tuple]:
    several, inputs = _as_tuple(inputs, "inputs", name)
    return several, _fresh(inputs, create_graph, True)


def _fresh(tensors: tuple, create_graph: bool, requires_grad: bool) -> tuple:
    """New tensors, so that the function's arguments differ from the same tensors that it knows otherwise."""
    return tuple(
        [
            t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_(requires_grad)
            for t in tensors
        ]
    )


def _outputs(outputs: Any, name: str, strict: bool) -> tuple[bool, tuple]:
    many, outputs = _as_tuple(outputs, "outputs of the user-provided function", name)
    _check_connected(outputs, "outputs", strict)
    return many, outputs


def _vector(v: Any, like: tuple, several: bool, name: str, create_graph: bool) -> tuple:
    """What to multiply with, which must have the shapes of `like`."""
    v = _fresh(_as_tuple(v, "v", name)[1], create_graph, False)
    if len(v) != len(like):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}."
            if several
            else "The given v should contain a single Tensor."
        )
    for i, (given, expected) in enumerate(zip(v, like, strict=True)):
        if given.shape != expected.shape:
            which = f"Entry {i} in " if several else ""
            raise RuntimeError(
                f"{which}v has invalid size: should be {expected.shape} but got {given.shape}."
            )
    return v


def _vector_for_inputs(v: Any, inputs: tuple, several: bool, name: str, create_graph: bool) -> Any:
    if v is not None:
        return _vector(v, inputs, several, name, create_graph)
    if len(inputs) != 1 or inputs[0].numel() != 1:
        raise RuntimeError(
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element."
        )
    return None


def _first_order(
    func: Function, inputs: Any, v: Any, name: str, create_graph: bool, strict: bool
) -> tuple[bool, tuple, Any, tuple, tuple]:
    """What `vhp` and `hvp` begin with: whether there are several inputs, these, the vector, the output and its gradient."""
    several, inputs = _inputs(inputs, name, create_graph)
    v = _vector_for_inputs(v, inputs, several, name, create_graph)
    many, outputs = _outputs(func(*inputs), name, strict)
    _check_one_number(many, outputs, name)
    gradient = _grad(outputs, inputs, None, True)
    _check_connected(gradient, "jacobian", strict)
    return several, inputs, v, outputs, gradient


def _check_one_number(many: bool, outputs: tuple, name: str) -> None:
    if many:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )


def _check_connected(tensors: Any, what: str, strict: bool) -> None:
    for i, t in enumerate(tensors if strict else ()):
        if t is None:
            raise RuntimeError(UNUSED["back"].format(i=i))
        if not t.requires_grad:
            raise RuntimeError(CUT_OFF[what].format(i=i))


def _grad(outputs: tuple, inputs: tuple, weights: tuple | None, create_graph: bool, **options: Any) -> tuple:
    """`autograd.grad` of those outputs that a gradient can flow through."""
    pairs = [
        (out, w)
        for out, w in zip(outputs, weights or (None,) * len(outputs), strict=True)
        if out is not None and out.requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    outs, ws = zip(*pairs, strict=True)
    return grad(outs, inputs, ws, create_graph=create_graph, allow_unused=True, **options)


def _filled(found: tuple, like: tuple, strict: bool, create_graph: bool, stage: str) -> tuple:
    """Gradients with zeros, or under `strict` an error, where none came."""
    if strict:
        for i, g in enumerate(found):
            if g is None:
                raise RuntimeError(UNUSED[stage].format(i=i))
            if create_graph and not g.requires_grad:
                derivative = "hessian" if "double" in stage else "jacobian"
                raise RuntimeError(_not_differentiable(derivative, i))
    return tuple([jgrad.zeros_like(t) if g is None else g for g, t in zip(found, like, strict=True)])


def _not_differentiable(derivative: str, i: int) -> str:
    return (
        f"The {derivative} of the user-provided function is independent of input {i}. This is not allowed in strict mode when "
        "create_graph=True."
    )


def _returned(tensors: Any, several: bool, create_graph: bool) -> Any:
    """Results as users get them: without history unless it was asked for."""
    result = tuple(tensors) if create_graph else tuple([t.detach() for t in tensors])
    return result if several else result[0]


# Jacobians --------------------------------------------------------------------------------------------------------------------


def _rows(i: int, out: Tensor, inputs: tuple, create_graph: bool, strict: bool) -> list[Tensor]:
    """The derivatives of output number `i` with respect to each input, by one backward pass per element."""
    columns: list[list[Tensor]] = [[] for _ in inputs]
    for j in range(out.numel()):
        found = _grad((out.reshape(-1)[j],), inputs, None, create_graph, retain_graph=True)
        for k, (column, g, t) in enumerate(zip(columns, found, inputs, strict=True)):
            if strict and g is None:
                raise RuntimeError(
                    f"Output {i} of the user-provided function is independent of input {k}. This is not allowed in strict mode."
                )
            if strict and create_graph and not g.requires_grad:
                raise RuntimeError(_not_differentiable("jacobian", i))
            column.append(jgrad.zeros_like(t) if g is None else g)
    return [jgrad.stack(column).view(out.shape + t.shape) for column, t in zip(columns, inputs, strict=True)]


def unit_vectors(tensors: Iterable[Tensor], start: int = 0, stop: int | None = None) -> list[Tensor]:
    """Rows of the identity over the elements of all these tensors, cut into a part per tensor, in its shape."""
    tensors = list(tensors)
    total, before, parts = sum(t.numel() for t in tensors), 0, []
    for t in tensors:
        part = jgrad.zeros(
            (total if stop is None else stop) - start, t.numel(), dtype=t.dtype, device=t.device
        )
        part.diagonal(start - before).fill_(1)
        parts.append(part.view(len(part), *t.shape))
        before += t.numel()
    return parts


def _all_rows(inputs: tuple, outputs: tuple, create_graph: bool) -> list[list[Tensor]]:
    """`_rows` of every output by one backward pass over a batch of gradients."""
    sizes = [out.numel() for out in outputs]
    flat = tuple([out.reshape(-1) for out in outputs])
    found = _grad(flat, inputs, tuple(unit_vectors(flat)), create_graph, is_grads_batched=True)
    blocks = [
        (jgrad.zeros_like(t).expand((sum(sizes), *t.shape)) if g is None else g).split(sizes)
        for g, t in zip(found, inputs, strict=True)
    ]
    return [
        [block[i].view(out.shape + t.shape) for block, t in zip(blocks, inputs, strict=True)]
        for i, out in enumerate(outputs)
    ]


def _jacobian_by_columns(func: Function, inputs: Any, strict: bool, vectorize: bool) -> Any:
    """The Jacobian by forward-mode differentiation along every unit vector of the inputs at once."""
    if strict:
        raise RuntimeError(
            'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported together (yet). Please '
            'either set `strict=False` or `strategy="reverse-mode"`.'
        )
    several, inputs = _as_tuple(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
        )
    # (Neither module is needed by those who go backward.)
    from jgrad.autograd import forward_ad
    from jgrad.dispatch import batched
    from jgrad.graph import levels

    directions = unit_vectors(inputs)
    with levels.level(directions[0].shape[0], of_function=False) as level, forward_ad.dual_level():
        duals = [
            forward_ad.make_dual(t, batched.wrap(along, 0, level))
            for t, along in zip(inputs, directions, strict=True)
        ]
        many, outputs = _as_tuple(func(*duals), "outputs", "jacobian")
        parts = [forward_ad.unpack_dual(out) for out in outputs]
        columns = [
            batched.unwrap(jgrad.zeros_like(primal) if tangent is None else tangent, 0, level)
            for primal, tangent in parts
        ]
    sizes = [t.numel() for t in inputs]
    result = [
        [
            block.permute(*range(1, block.ndim), 0).reshape((*out.shape, *t.shape))
            for block, t in zip(column.split(sizes), inputs, strict=True)
        ]
        for column, out in zip(columns, outputs, strict=True)
    ]
    # (Lists, where the other ways give tuples, as PyTorch does it.)
    rows: Any = result if several else tuple([row[0] for row in result])
    return rows if many else rows[0]


manual.attach(__name__)
