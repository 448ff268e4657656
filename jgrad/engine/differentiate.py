"""`backward` and `grad`: what users call, with PyTorch's checks of what they pass; `engine` does the work."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from jgrad import manual, observer, warn
from jgrad.devices import CPU, device
from jgrad.dispatch import batched
from jgrad.dispatch.recorded import RecordedNode
from jgrad.dtypes import REAL
from jgrad.engine import graph_task
from jgrad.engine.gradients import Gradient, as_tensor, expandable
from jgrad.engine.graph_task import AnyEdge, GraphTask, Root
from jgrad.errors import class_name
from jgrad.graph import grad_mode, levels, overriding
from jgrad.graph.node import AccumulateGrad, Edge, GradientEdge
from jgrad.graph.view import edge_to
from jgrad.kernels import libraries
from jgrad.kernels.lazy import resolved
from jgrad.tensor import Tensor, _plain


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Compute the sum of gradients of `tensors` with respect to the graph's leaves and add it to their `.grad`."""
    __tracebackhide__ = True
    if grad_variables is not None:
        warn.say("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if inputs is not None and not (inputs := _as_tuple(inputs)):
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    if levels.anywhere and levels.inside_function():
        raise RuntimeError(
            "backward() called inside a functorch transform. This is not supported, please use functorch.grad or functorch.vjp instead or "
            "call backward() outside of functorch transforms."
        )
    outputs = _as_tuple(tensors)
    _differentiate(outputs, grad_tensors, retain_graph, create_graph, True, inputs)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The sum of gradients of `outputs` with respect to each of `inputs`, as a tuple; no `.grad` is changed."""
    __tracebackhide__ = True
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if not only_inputs:
        warn.say(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts of the graph, "
            "please use torch.autograd.backward.",
            FutureWarning,
        )
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    outputs, inputs = _as_tuple(outputs), _as_tuple(inputs)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if is_grads_batched:
        found = _differentiate_batch(outputs, grad_outputs, retain_graph, create_graph, inputs)
    else:
        found = _differentiate(outputs, grad_outputs, retain_graph, create_graph, False, inputs)
    results: list[Any] = []
    for i, (g, tensor) in enumerate(zip(found, inputs, strict=True)):
        if g is None:
            if materialize_grads:
                if isinstance(tensor, GradientEdge):
                    raise RuntimeError(
                        "materialize_grads cannot be used when the given input is a GradientEdge"
                    )
                g = _plain(libraries.full(0, tensor._a.shape, tensor._a.dtype, tensor.device))
                g.requires_grad = create_graph
            elif not allow_unused:
                raise RuntimeError(
                    f"The differentiated Tensor at index {i} appears to not have been used in the graph. Set allow_unused=True if this is "
                    "the desired behavior."
                )
        results.append(as_tensor(g))
    return tuple(results)


def _as_tuple(tensors: Any) -> tuple:
    return (tensors,) if isinstance(tensors, (Tensor, GradientEdge)) else tuple(tensors)


def _edge(place: Any) -> Any:
    """The edge, as the engine has it, to a tensor or a GradientEdge."""
    if isinstance(place, Tensor):
        return edge_to(place)
    if isinstance(place.node, AccumulateGrad):
        return place.node.variable
    return Edge(place.node, place.output_nr) if place.output_nr else place.node


def _device_of(place: Any) -> device:
    """The device of the gradients that arrive here: that of the first leaf that they can reach."""
    return next(
        (t.device for t in graph_task.count_dependencies([(_edge(place), None)]) if isinstance(t, Tensor)),
        CPU,
    )


def _like(place: Any) -> Tensor:
    """A tensor of the shape and dtype of the gradients that arrive here."""
    if isinstance(place, Tensor):
        return place
    if not isinstance(place, GradientEdge):
        raise AssertionError("Expected output to be a torch.Tensor")
    if place.output_nr >= place.node._outputs:
        raise IndexError("tuple index out of range")
    shape, dtype = place.node.metadata_of(place.output_nr)
    tensor = _plain(
        libraries.full(0, shape, dtype, _device_of(place)) if libraries.several else np.empty(shape, dtype)
    )
    tensor._rg = True
    return tensor


def _differentiate(
    outputs: Sequence[Any],
    grad_outputs: Any,
    retain_graph: bool | None,
    create_graph: bool,
    accumulate: bool,
    inputs: tuple | None,
) -> list[Gradient]:
    """Check the arguments of `backward` (which accumulates) and `grad`, and run the pass. Returns the gradients of `inputs` for `grad`."""
    __tracebackhide__ = True
    if grad_outputs is None:
        grad_outputs = (None,) * len(outputs)
    elif isinstance(grad_outputs, Tensor):
        grad_outputs = (grad_outputs,)
    else:
        grad_outputs = tuple(grad_outputs)
    grads: list[Tensor] = []
    for output, grad in zip(outputs, grad_outputs):  # noqa: B905
        grads.append(_root_gradient(_like(output), grad, len(grads)))
    if len(outputs) != len(grads):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(grads)} gradients")
    keep_graph = _truth(create_graph if retain_graph is None else retain_graph)
    create_graph = _truth(create_graph)
    # Examples of a batch, and tangents, are known to the public operations alone.
    on_tensors = create_graph or bool(levels.anywhere and levels.stack.levels)
    roots: list[Root] = []
    for output, grad in zip(outputs, grads):  # noqa: B905  (`strict` takes as long as all the rest of the loop)
        roots.append(_root(output, grad, len(roots), on_tensors))
    captures = None if inputs is None else _captures(inputs, accumulate)
    if create_graph and accumulate:
        warn.once(
            "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause "
            "a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this function, make "
            "sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak.",
        )
    task = GraphTask(roots, keep_graph, on_tensors, captures, accumulate)
    # Without an `ExitStack`, which costs as much as two nodes.
    if not (on_tensors or libraries.many or graph_task.following):
        if (watch := observer.current) is not None:
            with _watched(watch, outputs, grads, inputs):
                return task.run()
        found = task.run()
        if (listener := observer.listener) is not None:
            listener.ran(tuple(outputs), inputs, task.dependencies)
        return found
    with contextlib.ExitStack() as stack:
        for block in _surroundings(task, create_graph, outputs, grads, inputs):
            stack.enter_context(block)
        return task.run()


def _truth(flag: Any) -> bool:
    """A flag that may be an integer, as in PyTorch."""
    return flag if flag.__class__ is bool else bool(operator.index(flag))


def _root(output: Any, grad: Tensor, index: int, on_tensors: bool) -> Root:
    """Where the pass begins for one output, and with which gradient."""
    edge = _edge(output)
    if edge is None:
        raise RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")
    node = graph_task.target_of(edge)
    if isinstance(node, RecordedNode) and not on_tensors:
        shape, got = node.metadata_of(graph_task.number_of(edge))[0], grad._a.shape
        if shape != got and not expandable(shape, got):  # `.data` of another shape was assigned
            raise RuntimeError(
                f"invalid gradient at index {index} - got {list(got)} but expected shape compatible with {list(shape)}"
            )
    return edge, grad if on_tensors else resolved(grad._a)


def _captures(inputs: tuple, accumulate: bool) -> list[AnyEdge]:
    """The edges of the tensors to which the pass is limited."""
    for place in inputs:
        if not isinstance(place, (Tensor, GradientEdge)):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {class_name(place)}")
    if accumulate:
        for tensor in inputs:
            if isinstance(tensor, Tensor):
                tensor.retain_grad()
    if not all([isinstance(t, GradientEdge) or t.requires_grad for t in inputs]):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    return [_edge(t) for t in inputs]


def _surroundings(
    task: GraphTask, create_graph: bool, outputs: Sequence[Any], grads: list[Tensor], inputs: tuple | None
) -> Iterator[AbstractContextManager]:
    """The blocks in which a pass runs, from the outermost, where it needs any."""
    if (watch := observer.current) is not None:
        yield _watched(watch, outputs, grads, inputs)
    elif (listener := observer.listener) is not None:
        yield _Heard(listener, outputs, inputs, task)
    if libraries.many:
        yield libraries.current_device_guard()
    if overriding.in_use:  # the formulas are the engine's own affair
        yield overriding.DisableTorchFunction()
    if task.on_tensors and grad_mode.is_grad_enabled() is not create_graph:
        yield grad_mode.set_grad_enabled(create_graph)
    if graph_task.following:
        yield graph_task.following_task(task)


def _watched(
    watch: observer.Observer, outputs: Sequence[Any], grads: list[Tensor], inputs: tuple | None
) -> _Watched:
    return _Watched(watch, tuple(map(_like, outputs)), tuple([g._a for g in grads]), inputs)


class _Watched(AbstractContextManager):
    """A block whose beginning and end are reported to the observer."""

    def __init__(self, watch: observer.Observer, *begun: Any) -> None:
        self.watch = watch
        self.begun = begun

    def __enter__(self) -> None:
        self.watch.backward(*self.begun)

    def __exit__(self, kind: object, error: BaseException | None, where: object) -> None:
        self.watch.backward_done(error)


class _Heard(AbstractContextManager):
    """A block whose end is reported to a listener."""

    def __init__(
        self, listener: observer.Listener, outputs: Sequence[Any], inputs: tuple | None, task: GraphTask
    ) -> None:
        self.listener = listener
        self.outputs, self.inputs, self.task = outputs, inputs, task

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.listener.ran(tuple(self.outputs), self.inputs, self.task.dependencies)


def _differentiate_batch(
    outputs: tuple, grad_outputs: Any, retain_graph: bool | None, create_graph: bool, inputs: tuple
) -> list[Any]:
    """One backward pass for a whole batch of gradients; the batch is their first dimension."""
    __tracebackhide__ = True
    given = (None,) * len(outputs) if grad_outputs is None else _as_tuple(grad_outputs)
    batches = [g for g in given if g is not None]
    for i, (output, g) in enumerate(zip(outputs, given, strict=False)):
        if g is None:
            _root_gradient(_like(output), None, i)
        elif not g._a.ndim:
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to "
                "a number"
            )
        elif g._a.shape[1:] != _like(output)._a.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The sizes of the "
                "remaining dimensions are expected to match the shape of corresponding output, but a mismatch was detected: "
                f"grad_output[{i}] has a shape of torch.Size({list(g._a.shape[2:])}) and output[{i}] has a shape of torch.Size({list(_like(output)._a.shape)}). If you only want "
                "some tensors in `grad_output` to be considered batched, consider using vmap."
            )
    sizes = [g._a.shape[0] for g in batches]
    if len(set(sizes)) > 1:
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension"
        )
    if not sizes:
        return _differentiate(outputs, given, retain_graph, create_graph, False, inputs)
    with levels.level(sizes[0], of_function=False) as level:
        wrapped = tuple([g if g is None else batched.wrap(g, 0, level) for g in given])
        found = _differentiate(outputs, wrapped, retain_graph, create_graph, False, inputs)
        return [None if g is None else batched.unwrap(g, 0, level) for g in found]


# The gradients with which the backward pass of a scalar begins; read-only, since all passes share them.
ONE = {d: _plain(np.ones((), d)) for d in map(np.dtype, (np.float32, np.float64))}
for _one in ONE.values():
    _one._a.flags.writeable = False


def _root_gradient(output: Any, gradient: Any, index: int) -> Any:
    """The gradient to start from: the one given, checked, or one for a scalar."""
    if gradient is None:
        elsewhere = libraries.several and output.device.type != "cpu"
        if output._a.shape == () and output._a.dtype in ONE and not elsewhere:
            return ONE[output._a.dtype]
        if output.requires_grad:
            if output._a.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if output._a.dtype.kind not in REAL:
                raise RuntimeError(
                    f"grad can be implicitly created only for real scalar outputs but got torch.{output.dtype.name}"
                )
        return _plain(libraries.full(1, output._a.shape, output._a.dtype, output.device))
    if (
        gradient.__class__ is Tensor
        and gradient._a.shape == output._a.shape
        and gradient._a.dtype is output._a.dtype
        and not libraries.several
    ):
        return gradient
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {class_name(gradient)}")
    if gradient._a.shape != output._a.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{index}] has a shape of torch.Size({list(gradient._a.shape)}) and output[{index}] has a shape "
            f"of torch.Size({list(output._a.shape)})."
        )
    if gradient.dtype.is_complex != output.dtype.is_complex:
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[{index}] has a dtype of torch.{gradient.dtype.name} and output[{index}] has a dtype of torch.{output.dtype.name}."
        )
    if gradient._a.dtype != output._a.dtype:
        gradient = gradient.to(output.dtype)
    return gradient


def _backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Compute the gradient of this tensor with respect to the leaves of the graph and add it to their `.grad`."""
    __tracebackhide__ = True
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


_backward.__name__, _backward.__qualname__ = "backward", "Tensor.backward"
Tensor.backward = _backward  # type: ignore[attr-defined]


overriding.offer(globals(), ("backward", "grad"))
manual.attach(__name__)
