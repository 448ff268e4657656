"""Reports to the observer what PyTorch does in a thread: its operators, and what users set on tensors.

Note [Three views of one call]: a function mode sees what a user calls (`F.linear`). A dispatch mode sees the operators that this call runs
(`t`, `addmm`; jgrad has operators with the same names). But it sees them before autograd has given the result its `grad_fn`. So an operator
waits as `_pending` until the next one begins, or until the user's call is over. Then it is reported, with its grad_fn.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import RLock, get_ident
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
import torch
from torch._subclasses import FakeTensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from jgrad import observer
from jgrad.mirrors.torch import nodes, plans, tensors
from jgrad.mirrors.torch.plans import (
    COMPOSES,
    DETACHES,
    LENDS,
    MARKS,
    READS,
    SETS,
    SPECTRA,
    Call,
    Plan,
    call_of,
    known_calls,
    known_plans,
    plan_of,
    written_by,
)
from jgrad.mirrors.torch.private import (
    attends_by_products,
    computes_tangents,
    is_wrapped,
    missing,
    operator_begins,
    others_dispatch,
    put_back,
    put_dispatch_mode,
    put_function_mode,
    remove_dispatch_mode,
    remove_function_mode,
    runs_alone,
    set_aside,
    without_dispatch,
    without_functions,
)
from jgrad.mirrors.torch.tensors import (
    Mirror,
    all_in,
    current,
    mirror,
    mirrored,
    refresh_sharers,
    with_mirrors,
)
from jgrad.storage import expose

is_inference_mode_enabled = torch.is_inference_mode_enabled
TorchTensor = torch.Tensor

MOVES = ("set_", "detach_")  # change the tensor object, not its elements
OPERATORS_SHOWN = {
    "__matmul__": "matmul", "__rmatmul__": "matmul", "__deepcopy__": "deepcopy",
}  # fmt: skip
OF_DATA = frozenset(("tensor", "new_tensor", "as_tensor"))
EACH = {"norm": "vector_norm"}  # what an operation on lists does with each tensor, if it is called otherwise
NOT_FOLLOWED = "{}. The trace does not follow it. What comes out is seen when it is used next."
# What a DataLoader and its samplers draw is no step, as with jgrad's.
DRAWS = frozenset(("torch.utils.data.sampler", "torch.utils.data.dataloader"))
LOOKS = frozenset(("_get_grad_fn_or_grad_acc",))  # functions of PyTorch's that make a view to find a node
ITS_OWN = ("importlib._bootstrap", "torch._prims", "torch._decomp", "torch._refs", "torch._subclasses")
COMPILER = ("torch._dynamo", "torch._inductor", "torch._functorch")  # it computes with fake tensors
RESHAPES = frozenset(("reshape", "reshape_as", "flatten", "unflatten"))


class Functions(TorchFunctionMode):
    """The function mode: it sees what the user calls."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        __tracebackhide__ = True
        watch = self.watch
        if watch.busy or watch.inside or observer.current is None:
            watch.passed_on += 1
            try:
                return func(*args, **(kwargs or {}))
            finally:
                watch.passed_on -= 1
        call = known_calls.get(func) or call_of(func)
        if call.kind == READS:
            return func(*args, **(kwargs or {}))
        caller = sys._getframe(1)
        if caller.f_globals.get("__name__") in DRAWS or caller.f_code.co_name in LOOKS:
            return watch.unseen(func, args, kwargs or {})
        return watch.called(call, func, args, kwargs or {}, caller)


class Operators(TorchDispatchMode):
    """The dispatch mode: it sees the operators that a call runs."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # else the first operation would wait for torch._dynamo to be imported, and each for its guard

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        return True

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        __tracebackhide__ = True
        watch = self.watch
        if watch.busy or observer.current is None:
            return func(*args, **(kwargs or {}))
        return watch.ran(func, args, kwargs or {})


# An operator that has run and is not reported yet: its plan, its arguments, and its result. The result is None if the operator is a factory:
# see `Watch.ran`.
Pending = tuple[Plan, tuple, dict[str, Any], Any]


class Pass(NamedTuple):
    """A backward pass in progress."""

    depth: int  # how many calls of the user were in progress when it began
    recorded: bool  # whether autograd records the pass (`create_graph=True`)


class Watch:
    """Reports to the observer what PyTorch does in this thread."""

    def __init__(self, failures: list[Exception], reporting: set[str]) -> None:
        self.failures = failures
        self.reporting = reporting  # the names of the libraries that have reported something
        self.busy = False  # whether code of ours runs, whose operations are not recorded
        self.calls: list[str] = []  # the functions that the user has called, the innermost at the end
        self.data: tuple = ()  # the arguments of the last call that makes a tensor of data
        self.passes: list[Pass] = []
        # The addresses of the mirrors of nodes and leaves that have hooks of ours.
        self.hooked: set[int] = set()
        self.functions = Functions(self)
        self.operators = Operators(self)
        # The large gradients of the last pass, by the addresses of the mirrors of their leaves: (the gradient, its version, what
        # `Observer.keep` would return).
        self.measured: dict[int, tuple[Any, int, Any]] = {}
        self.thread = get_ident()  # the one that is watched now: see `acts_here`
        self.turn = RLock()  # one thread of the engine at a time reports what it does
        self.inside = False  # whether an operator is running: its own calls, such as itself by its Python name, are not the user's calls
        self.aside = False  # whether the dispatch mode is off the stack, as in a backward pass
        self.inferring = False  # whether the block was in inference mode at any time
        self._pending: Pending | None = None
        self._caller: FrameType | None = None  # the code that made the innermost of `calls`
        self._said_missing = 0  # how many sentences of `missing` were reported
        self.left = False  # whether the block is over
        self.passed_on = 0  # calls of the user's in which PyTorch has taken the function mode off the stack, and that nobody looks at
        self.looks = False  # whether the modes are on the stacks
        # How many modes of others were on the two stacks when the block began:
        self._below = torch._C._len_torch_function_stack(), torch._C._len_torch_dispatch_stack()

    def __enter__(self) -> Watch:
        self._look(True)
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        self.left = self.busy = True
        self._look(False)

    def _look(self, look: bool) -> None:
        """Put the modes on the stacks of this thread, or take them off."""
        if look and not self.looks:
            self.looks = True
            put_dispatch_mode(self.operators, self._below[1])
            put_function_mode(self.functions, self._below[0])
        elif self.looks and not look:
            self.looks = False
            try:
                remove_function_mode(self.functions)
            finally:
                remove_dispatch_mode(self.operators)

    def settle(self, observed: bool) -> None:
        """Have the modes on the stacks only while there is an observer: in a long run the recorder falls asleep and wakes. Within a call or a backward pass
        this must wait, because PyTorch itself changes the stacks there."""
        if (
            not (self.busy or self.calls or self.passes or self.passed_on or self.left)
            and self.thread == get_ident()
        ):
            self._look(observed)

    def quietly(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function of ours. Its operations are not recorded, and its errors don't reach the user's program."""
        before, self.busy = self.busy, True
        guard = without_dispatch()
        try:
            if not torch._C._len_torch_function_stack():
                return function(*args)
            with without_functions():  # a mode of the user's is not to see them
                return function(*args)
        except Exception as error:
            self.failures.append(error)
        finally:
            del guard
            self.busy = before

    def acts_here(self) -> bool:
        """Whether this thread is the watched one. While that waits for a backward pass, the engine may run nodes in threads of its own: those of tensors on a
        device, and those of passes within passes within passes. Only these have our modes and our hooks, and take its place."""
        thread = get_ident()
        if thread != self.thread:
            if not self.passes:
                return False
            self.move_to(thread)
        return True

    def move_to(self, thread: int) -> None:
        """Go on in a thread."""
        before, self.thread = self.thread, thread
        if before != thread:
            observer.move(before, thread)

    # Operators --------------------------------------------------------------------------------------------------------------------

    def called(self, call: Call, func: Any, args: tuple, kwargs: dict, caller: FrameType) -> Any:
        """The user called something. `caller`: from where."""
        __tracebackhide__ = True
        if call.kind == SETS:
            return self.set(call.what, func, args, kwargs)
        self.calls.append(call.name)
        if call.name in OF_DATA:
            self.data = args
        outer, self._caller = self._caller, caller
        result = None
        aside, self.aside = self.aside, False
        if aside:
            put_back(self.operators)
        try:
            if (
                (call.kind == COMPOSES and not self.quietly(is_plain, call.name, args, kwargs))
                or (
                    (self.inferring or is_inference_mode_enabled())
                    and self._infers(args)
                    and not call.always_seen
                )
            ) and not others_dispatch(all_in(args) + all_in(kwargs.values())):
                result = self.composed(call.name, func, args, kwargs)
                return result
            if call.direct and not kwargs and (direct := call.direct.get((*map(type, args),))) is not None:
                result = self._ran_alone(*direct, func, args)
                return result
            result = func(*args, **kwargs)
            if call.lends and args:
                self.quietly(self._lend, args[0], result)
            waiting = self._pending
            if waiting is not None and waiting[0].direct == call.name and not kwargs:
                call.learn(waiting[0], args, waiting[1])
            return result
        finally:
            if self._pending is not None:
                self.flush(result)
            self.calls.pop()
            self._caller = outer
            if aside:
                self.aside = set_aside(self.operators)

    def _ran_alone(self, plan: Plan, in_list: bool, func: Any, args: tuple) -> Any:
        """Run a call that is a single operator, and is known to be the one of this plan. So it does not need the dispatch mode, which costs more than the
        operator. `in_list`: see `Call.direct`."""
        __tracebackhide__ = True
        if (
            self.passes
            or not runs_alone()
            or any([isinstance(a, TorchTensor) and is_wrapped(a) for a in args])
        ):
            return func(*args)
        if self._pending is not None:
            self.flush(inside=True)
        operator_begins()
        guard = without_dispatch()
        try:
            result = func(*args)
        finally:
            del guard
        self._pending = plan, (args[0], [*args[1:]]) if in_list else args, {}, result
        return result

    def gave_memory(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """The user called `Tensor.set_()`, which no function mode sees."""
        __tracebackhide__ = True
        if (
            self.inside
            or not self.acts_here()
            or others_dispatch(all_in(args))
            or (args[0].is_meta and is_its_own_on_meta(False))
        ):
            return func(*args, **kwargs)
        self.quietly(mirrored, all_in(args))
        return self.composed("set_", func, args, kwargs)

    def unseen(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """Call something that is not recorded."""
        __tracebackhide__ = True
        self.flush()
        self.busy = True
        try:
            return func(*args, **kwargs)
        finally:
            self.busy = False

    def _infers(self, args: tuple) -> bool:
        """Whether a call makes or gets inference tensors. PyTorch composes operators on them in another way under a dispatch mode."""
        if is_inference_mode_enabled():
            self.inferring = True
            return True
        return any([t.is_inference() for t in all_in(args)])

    def ran(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """An operator runs."""
        __tracebackhide__ = True
        plan = known_plans.get(func) or plan_of(func)
        if (
            plan.skip
            or not self.acts_here()
            or ((plan.internal or self.passes) and self._is_internal(plan, args))
        ):
            return func(*args, **kwargs)
        waiting = self._pending
        if waiting is not None and waiting[0].fresh and self.calls and args and args[0] is waiting[3]:
            result = func(*args, **kwargs)  # `torch.tensor(array)` copies what it made of the array's memory
            self._pending = (*waiting[:3], result)
            return result
        if waiting is not None:
            if waiting[0].name == "clone" and self.calls and plan.writes and waiting[1][0] is args[0]:
                self._pending = None  # a copy that the in-place operator saves of what it overwrites
            self.flush(inside=True)
        if (plan.writes and not plan.moves) or plan.counts_not:
            self.quietly(self._before_write, plan.written(args, kwargs) or plan.written_unseen(args, kwargs))
        for i in plan.tensors:
            if i < len(args) and not isinstance(args[i], torch.Tensor):
                args = (*args[:i], tensor_of(args[i]), *args[i + 1 :])
        self.inside = True
        operator_begins()
        try:
            result = func(*args, **kwargs)
        finally:
            self.inside = False
        # PyTorch passes the result of a factory on only if nothing else refers to it. Otherwise it makes another tensor from it. So we don't keep it.
        made = (
            self.calls and self.calls[-1] == plan.name
            if plan.like
            else plan.factory and not all_in(args) and not all_in(kwargs.values())
        )
        held = None if made else result
        if plan.name == "alias" and self.calls and self.calls[-1] == "as_subclass":
            held = None  # which PyTorch 2.4 refuses to make of what is held
        self._pending = plan, args, kwargs, held
        return result

    def _is_internal(self, plan: Plan, args: tuple) -> bool:
        """Whether an operator is a part of what PyTorch does for itself."""
        if self.passes and not self.passes[-1].recorded and len(self.calls) <= self.passes[-1].depth:
            return True  # it is an operator of a node, and the gradients of nodes are reported separately
        outer = self.calls[-1] if self.calls else ""
        if plan.name == "clone" and (outer in AUGMENTS or (outer.endswith("_") and not outer.endswith("__"))):
            return True  # an in-place operator saves a copy of what it overwrites
        called = outer and not (self.passes and len(self.calls) <= self.passes[-1].depth)
        if not called and plan.name in ("new_empty_strided", "detach"):
            return True  # the beginning of a copy that becomes a `.grad`; a saved result that is unpacked
        if plan.name == "scalar_tensor":
            return outer != "scalar_tensor"
        if plan.name == "detach":
            if outer in LENDS:
                return True
            if self._pending is not None and outer and outer not in DETACHES:
                return any(t is args[0] for t in all_in([self._pending[3]]))  # a node keeps its result
        return False

    def _before_write(self, targets: list[Any]) -> None:
        if observer.current is None:
            return
        tensors.careful = True
        try:
            found = mirrored(all_in(targets))
            if len(found) == 1:
                observer.current.writing(found[0])
            elif found:
                observer.current.writing_several(found)
        finally:
            tensors.careful = False

    def flush(self, result: Any = None, inside: bool = False) -> None:
        """Report the operator that waits. `result`: the result of the user's call, if this call is over. `inside`: whether it is still in progress."""
        waiting, self._pending = self._pending, None
        if waiting is None or observer.current is None or self.busy:
            return
        plan, args, kwargs, made = waiting
        if made is None:
            made = result
        if made.__class__ is TorchTensor and made.is_meta and is_its_own_on_meta(inside):
            return
        # See Note [Views under way] in `jgrad/mirrors/torch/tensors.py`.
        if inside or self.passes:
            tensors.careful = True
            tensors.made = (*map(id, all_in([made])),) if plan.view else ()
        self.busy = True
        try:
            if not plan.plain or kwargs or not self._report_plain(plan, args, made):
                guard = without_dispatch()
                try:
                    self._report(plan, args, kwargs, made)
                finally:
                    del guard
            while self._said_missing < len(missing):
                observer.current.not_followed(f"{missing[self._said_missing]}.")
                self._said_missing += 1
        except Exception as error:
            self.failures.append(error)
        finally:
            self.busy = False
            if tensors.careful:
                tensors.careful = False
                tensors.made = ()

    def _report_plain(self, plan: Plan, args: tuple, result: Any) -> bool:
        """Report an operator that made one new tensor, as most operators do. It does what `_report` does, without the parts for other operators.
        False if the operator did not make one new tensor, or if a tensor has no mirror."""
        if result.__class__ is not TorchTensor or id(result) in tensors.tensors:
            return False
        if tensors.careful and not plan.view and result._base is not None:
            return False  # see Note [Views under way] in `jgrad/mirrors/torch/tensors.py`
        ins: list[Any] = []
        arguments: dict[str, Any] = {}
        for name, value in zip(plan.shown, args):  # noqa: B905
            if isinstance(value, TorchTensor):
                value = current(value)
                if value is None:
                    return False  # `_report` says so
                ins.append(value)
            if name is not None:
                arguments[name] = value
        made = tensors.mirror_of_result(result, plan.view)
        if made is None:
            return False
        self.reporting.add("torch")
        out, node = made
        kind = "view" if plan.view else "op" if ins else "create"
        observer.current.op(plan.name, kind, (*ins,), (out,), node, arguments, self._caller)  # type: ignore[union-attr]
        return True

    def _report(self, plan: Plan, args: tuple, kwargs: dict[str, Any], result: Any) -> None:
        self.reporting.add("torch")
        name = plan.name
        if plan.fresh:
            self._report_new(result)
            return
        named = plan.named(args, kwargs)
        results, targets = all_in([result]), all_in(plan.written(args, kwargs))
        unread = {plan.names[i] for i in plan.writes}
        if isinstance(named.get("indices"), (list, tuple)):
            unread.add("indices")  # jgrad's own operators do not report the tensors in an index either
        inputs = all_in([value for key, value in named.items() if key not in unread])
        made = results if not targets else targets if torch.is_grad_enabled() else ()
        node = self._new_node(made[0]) if made else None
        ins = mirrored([t for t in inputs if not targets or t is not targets[0]])
        if name == "detach" and self.calls and self.calls[-1] == "data":
            name = "data"
        elif name == "detach" and results:
            self._share_counter(results[0], ins)
        arguments = {k: with_mirrors(v) for k, v in named.items() if k not in ("self", "input")}
        if plan.moves:
            m = current(targets[0])
            if m is not None:
                tensors.fresh(m, targets[0])
                observer.current.op(name, "view", (m, *ins), (m,), node, {})  # type: ignore[union-attr]
            return
        if targets:
            for t in targets:
                read = mirrored([one for one in inputs if one is not t])
                self._report_write(name, t, read, node, arguments)
            return
        outs = mirrored(results)
        if len(outs) < len(results) or len(ins) < len(inputs):
            unseen = next(t for t in (*results, *inputs) if mirror(t) is None)
            if not (isinstance(unseen, FakeTensor) and is_within(COMPILER, sys._getframe(1))):
                self.not_followed(tensors.why_none(unseen))
        if outs:
            if name in plans.LIKE:  # `x.new_zeros(2)` reads nothing of x
                name, ins = plans.LIKE[name], ()
            kind = "view" if plan.view else "op" if ins else "create"
            observer.current.op(name, kind, ins, outs, node, arguments, self._caller)  # type: ignore[union-attr]
        for m in mirrored(plan.written_unseen(args, kwargs)):
            observer.current.op(name, "write", (m,), (m,), None, {})  # type: ignore[union-attr]

    def _report_new(self, result: Any) -> None:
        """Report the tensor that `torch.tensor` made. If PyTorch made it from a number that is written to a tensor, it is not a tensor of the user."""
        m = mirror(result)
        if m is None:
            return
        if self.calls and self.calls[-1] in ("__setitem__", "fill_"):
            m.wrapped_number = True
        else:
            name = self.calls[-1] if self.calls and self.calls[-1] in OF_DATA else "tensor"
            of = mirrored(all_in([d for d in self.data if isinstance(d, (list, tuple))]))
            self.data = ()
            observer.current.op(name, "op" if of else "create", of, (m,), None, {})  # type: ignore[union-attr]

    def _report_write(self, name: str, target: Any, ins: tuple, node: Any, arguments: dict[str, Any]) -> None:
        m = mirror(target)
        if m is not None:
            self._changed(m, target)
            observer.current.op(name, "write", (m, *ins), (m,), node, arguments)  # type: ignore[union-attr]

    def _changed(self, m: Mirror, target: Any) -> None:
        """A tensor was written to: bring its mirror up to date, and the mirrors of other tensors on its memory."""
        if m._inference:  # PyTorch counts no writes to it
            m._vc[0] += 1  # type: ignore[index]
        # (If a view is written to without recording, PyTorch makes a new node for it when it is used next. We must not cause this.)
        tensors.fresh(m, target, unasked=not torch.is_grad_enabled())
        refresh_sharers(m)

    def _new_node(self, first: Any) -> Any:
        """The mirror of the node that an operator made, None if it made none. `first`: the first tensor that it made or wrote to."""
        if tensors.careful and first._base is not None and id(first) not in tensors.made:
            first = first._base
        try:
            fn = first.grad_fn
        except RuntimeError:  # a write has made the grad_fn of this view invalid
            return None
        if fn is None or nodes.KEY in fn.metadata:
            return None
        return nodes.node(fn, first._version, first if first.grad_fn is fn else None)

    def _share_counter(self, result: Any, ins: tuple[Mirror, ...]) -> None:
        """The result of `detach()` has the version counter of its argument, and autograd does not treat it as a view."""
        known = id(result) in tensors.tensors
        m = mirror(result)
        if m is not None and ins and not known:
            m._vc, m._view = ins[0]._vc, None

    def composed(self, name: str, func: Any, args: tuple, kwargs: dict) -> Any:
        """Run a call that PyTorch composes in another way under a dispatch mode. It runs without the mode, and is reported as one operation."""
        __tracebackhide__ = True
        if name == "linear" and self.quietly(is_product_and_sum, args, kwargs):
            # Under a mode PyTorch adds the bias out of place, so that the result has another version.
            return torch.matmul(args[0], args[1].t()).add_(args[2])
        self.flush()
        given = all_in(args) + all_in(kwargs.values())
        targets: list[Any] = []
        if "out" in kwargs:
            targets = all_in([kwargs["out"]])
        elif name.startswith(("_foreach_", "_fused_")) and name.endswith("_"):
            targets = all_in(written_by(name, args))
        elif name not in MOVES and ((name.endswith("_") and not name.endswith("__")) or name in WRITERS):
            targets = given[:1]
        if targets:
            self.quietly(self._before_write, targets)
        guard = without_dispatch()
        operator_begins()
        before, self.inside = self.inside, True
        try:
            result = func(*args, **kwargs)
        finally:
            self.inside = before
            del guard
        self.quietly(self._report_composed, OPERATORS_SHOWN.get(name, name), given, result, targets)
        return result

    def _report_composed(self, name: str, given: list[Any], result: Any, targets: list[Any]) -> None:
        self.reporting.add("torch")
        if targets:
            self._report_writes(name, given, targets)
            return
        if (
            name.startswith("_foreach_")
            and isinstance(result, (list, tuple))
            and len(given) % len(result) == 0
        ):
            self._report_each(name.removeprefix("_foreach_"), given, result)
            return
        if name in MOVES:
            self._report_moved(name, given, result)
            return
        ins, outs = mirrored(given), mirrored(all_in([result]))
        if outs and not any(o is i for o in outs for i in ins):
            view = any(o._memory is i._memory for o in outs for i in ins)
            kind = "view" if view else "op" if ins else "create"
            if view and name in RESHAPES:
                name = "view" if ins[0]._a.flags.c_contiguous else "reshape"
            observer.current.op(name, kind, ins, outs, outs[0]._fn, {})  # type: ignore[union-attr]
            if name == "deepcopy" and ins and ins[0]._grad is not None and outs[0]._grad is not None:
                self._report_copied_grad(ins[0], outs[0])

    def _report_moved(self, name: str, given: list[Any], result: Any) -> None:
        """Report an operation that changed the tensor object, not its elements."""
        m = mirror(result)
        if m is not None:
            # (If nothing is recorded, a view gets a new node when it is used next. We must not cause this.)
            tensors.fresh(m, result, unasked=not torch.is_grad_enabled())
            read = (m, *mirrored([t for t in given if t is not result]))
            observer.current.op(name, "view", read, (m,), m._fn, {})  # type: ignore[union-attr]

    def _report_each(self, name: str, given: list[Any], results: Any) -> None:
        """Report one operation on lists as one for each place in the lists."""
        for i, result in enumerate(results):
            ins, outs = mirrored(given[i :: len(results)]), mirrored([result])
            if outs:
                name = EACH.get(name, name)
                observer.current.op(name, "op", ins, outs, outs[0]._fn, {})  # type: ignore[union-attr]

    def _report_copied_grad(self, of: Mirror, copied: Mirror) -> None:
        """`copy.deepcopy()` has copied the `.grad` of a tensor too."""
        grad: Any = copied._grad
        observer.current.op("deepcopy", "op", (of._grad,), (grad,), None, {})  # type: ignore[union-attr]
        observer.current.grad_assigned(copied, None, grad._a)  # type: ignore[union-attr]

    def _report_writes(self, name: str, given: list[Any], targets: list[Any]) -> None:
        """Report one operation that wrote to one or several tensors, as one write for each tensor. If it got several lists of the same length, the
        tensors at the same place in them belong together."""
        among = [t for t in given if not any(t is w for w in targets)]
        together = len(targets) > 1 and len(among) % len(targets) == 0
        for i, target in enumerate(targets):
            m = mirror(target)
            if m is not None:
                others = mirrored(among[i :: len(targets)] if together else among)
                self._changed(m, target)
                recorded = len(targets) == 1 and torch.is_grad_enabled()
                node = m._fn if recorded else None
                shown = (
                    name.removeprefix("_foreach").removeprefix("_fused").lstrip("_")
                    if together or len(targets) > 1
                    else name
                )
                observer.current.op(shown, "write", (m, *others), (m,), node, {})  # type: ignore[union-attr]

    def _lend(self, given: Any, result: Any) -> None:
        """A tensor now shares its memory with other code, such as NumPy, which may write to it."""
        if isinstance(given, torch.Tensor):
            m = mirror(given)
            if m is not None:
                expose(m._a)
        elif isinstance(given, np.ndarray) and isinstance(result, torch.Tensor):
            m = mirror(result)
            if m is not None and np.shares_memory(m._a, given):
                self._pending = None
                self._report_made("from_numpy", result)

    # What users set ---------------------------------------------------------------------------------------------------------------

    def set(self, what: str, func: Any, args: tuple, kwargs: dict) -> Any:
        """The user sets an attribute of a tensor: its `.grad`, its `.data`, whether it requires grad, or a hook."""
        __tracebackhide__ = True
        self.flush()
        m, kept = self.quietly(self._before_set, what, args[0]) or (None, None)
        self.calls.append(what)
        try:
            result = func(*args, **kwargs)
        finally:
            self.calls.pop()
            self._pending = None
        if m is not None and observer.current is not None:
            self.quietly(self._after_set, what, m, args, kept)
        return result

    def _before_set(self, what: str, t: Any) -> tuple[Mirror | None, Any]:
        m = current(t)
        if m is None:
            return None, None
        if what in MARKS:
            observer.current.marking(m)  # type: ignore[union-attr]
            return m, (m.requires_grad, m.retains_grad)
        before = m._grad if what == "grad" else None
        return m, None if before is None else before._a.copy()

    def _after_set(self, what: str, m: Mirror, args: tuple, kept: Any) -> None:
        watch: Any = observer.current
        tensors.fresh(m, args[0])
        if what == "grad":
            now = m._grad
            # (of a tensor that keeps no gradient, `.grad` can't be read without a warning)
            if now is not None or len(args) < 2 or args[1] is None:
                watch.grad_assigned(m, kept, None if now is None else now._a)
        elif what == "data":
            watch.op("data", "view", (m, *mirrored(all_in(args[1:]))), (m,), None, {})
        else:
            if what in MARKS and (m.requires_grad, m.retains_grad) != kept:
                refresh_sharers(m)  # a view of a tensor that requires grad does, too
                watch.marked(what, m)
            if m._fn is not None and m._fn._extras is not None:
                watch.hookable(m._fn)

    def applied(self, cls: type, args: tuple, result: Any) -> None:
        """A custom Function ran."""
        self.flush()
        self.quietly(self._report_applied, cls, args, result)

    def _report_applied(self, cls: type, args: tuple, result: Any) -> None:
        # (A tensor that was known before has got another grad_fn.)
        outs = (*[tensors.fresh(m, t) for t in all_in([result]) if (m := mirror(t)) is not None],)
        others = {str(i): a for i, a in enumerate(args) if not isinstance(a, torch.Tensor)}
        if outs:
            observer.current.op(cls.__name__, "op", mirrored(all_in(args)), outs, outs[0]._fn, others)  # type: ignore[union-attr]

    def entered(self, module: Any) -> Any:
        """The forward of a module begins. Returns the observer to which `left_layer` reports."""
        self.flush()
        seen = observer.current
        self.quietly(seen.entered, module)  # type: ignore[union-attr]
        return seen

    def left_layer(self, seen: Any, module: Any) -> None:
        """It ended."""
        self.flush()
        self.quietly(seen.left, module)

    def made(self, name: str, result: Any) -> None:
        """A tensor was made on memory of other code, without an operator."""
        if self._pending is not None and self._pending[0].fresh:
            self._pending = None  # a part of it
        self.flush()
        self.quietly(self._report_made, name, result)

    def _report_made(self, name: str, result: Any) -> None:
        m = mirror(result)
        if observer.current is not None and m is not None:
            expose(m._a)
            observer.current.op(name, "create", (), (m,), None, {})

    def counted(self, given: list[Any]) -> None:
        """`increment_version()` was called."""
        self.flush()
        self.quietly(self._report_counted, given)

    def _report_counted(self, given: list[Any]) -> None:
        for m in mirrored(given):
            observer.current.op("increment_version", "view", (m,), (m,), None, {})  # type: ignore[union-attr]

    def wrapped(self, data: Any, result: Any) -> None:
        """A Parameter was made from a tensor. It shares the tensor's memory."""
        self.flush()
        self.quietly(self._report_wrapped, data, result)

    def _report_wrapped(self, data: Any, result: Any) -> None:
        m, of = mirror(result), mirrored(all_in([data]))
        if observer.current is not None and m is not None and of:
            m._vc = of[0]._vc
            observer.current.op("detach", "view", of, (m,), None, {})

    def compiled(self, begins: bool) -> None:
        """Compiled code begins, or ends. It is not recorded."""
        if begins and not self.calls and not self.busy:
            self.flush()
            self.not_followed("code that torch.compile has made runs")
        self.pause(begins)

    def pause(self, begins: bool) -> None:
        """Something begins, or ends, in which our modes may not be."""
        if not self.calls and not self.busy:
            self.flush()
            self._look(not begins and observer.current is not None)

    def not_followed(self, what: str) -> None:
        """Something runs that is not recorded."""
        if observer.current is not None and not is_internal(sys._getframe(1)):
            self.reporting.add("torch")
            self.quietly(observer.current.not_followed, NOT_FOLLOWED.format(what))

    def runs_elsewhere(self, what: str) -> None:
        """Another thread does something that is not recorded. This is called in that thread."""
        seen = observer.current
        if seen is not None and not self.left:
            self.reporting.add("torch")
            seen.not_followed(NOT_FOLLOWED.format(what))

    def leave(self) -> None:
        """Called in a forked process: nothing is reported from now on."""
        self.busy = True
        self._look(False)

    def clipped_nothing(self, parameters: list[Any]) -> None:
        """`clip_grad_norm_` was called, and no parameter has a gradient."""
        self.flush()
        if observer.current is not None:
            self.quietly(lambda: observer.report_no_effect("clip_grad_norm_", mirrored(parameters)))

    def stepped(self, optimizer: Any, *_: Any) -> None:
        """An optimizer has made a step."""
        if get_ident() == self.thread and not self.busy:
            self.flush()
            self.quietly(self._report_stepped, optimizer)
            self.settle(observer.current is not None)

    def _report_stepped(self, optimizer: Any) -> None:
        if observer.current is not None:
            params = [p for group in optimizer.param_groups for p in group["params"]]
            observer.report_no_effect("step", mirrored(params))
            observer.current.stepped(optimizer)
        elif (listener := observer.listener) is not None:
            listener.stepped(optimizer)


def tensor_of(number: Any) -> Any:
    """The tensor that PyTorch makes from a number in a graph."""
    wide = {float: torch.float64, complex: torch.complex128}
    return torch.tensor(number, dtype=wide.get(type(number)))


def is_internal(frame: FrameType | None) -> bool:
    """Whether a module is being imported, or PyTorch computes something for its own use. Then the computation is not the user's."""
    return is_within(ITS_OWN, frame)


def is_within(modules: tuple[str, ...], frame: FrameType | None) -> bool:
    """Whether a frame, or one that called it, is in one of these modules."""
    while frame is not None and not frame.f_globals.get("__name__", "").startswith(modules):
        frame = frame.f_back
    return frame is not None


def is_its_own_on_meta(inside: bool) -> bool:
    """Whether PyTorch computes on the device meta for its own use: where a tangent is zero, and for fake tensors. `inside`: whether a call of the user's is in
    progress."""
    return (inside and computes_tangents()) or is_internal(sys._getframe(1))


def is_plain(name: str, args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether PyTorch composes this call in the same way with and without a dispatch mode."""
    given = all_in(args)
    if name in ("matmul", "__matmul__", "__rmatmul__"):
        return _multiplies_plainly(given[::-1] if name == "__rmatmul__" else given)
    if name == "linear":
        return bool(given) and (
            given[0].dim() == 2
            or given[0].is_contiguous()
            or (len(given) == 2 and _is_contiguous_or_copied(given[0], given[0].shape[-1:]))
        )
    if name == "inner":
        return False
    if name == "scaled_dot_product_attention":
        return not attends_by_products(args, kwargs)  # which reshape keys that aren't contiguous
    if name in SPECTRA:
        return torch.is_grad_enabled() and any(t.requires_grad for t in given)
    return _copies(name, args, kwargs)


def is_product_and_sum(args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether a call of `linear()` is a product of matrices, to which the bias is added in place."""
    if len(args) != 3 or kwargs or not all([type(t) in tensors.PLAIN and not is_wrapped(t) for t in args]):
        return False
    first = args[0]
    return (
        runs_alone()
        and not is_inference_mode_enabled()
        and not any([t.is_inference() for t in args])
        and first.dim() > 2
        and not first.is_contiguous()
        and _is_contiguous_or_copied(first, first.shape[-1:])
    )


def _multiplies_plainly(given: list[Any]) -> bool:
    """Whether `matmul` makes no view of a tensor that isn't contiguous: PyTorch makes another one under a dispatch mode (`view`, not `_reshape_alias`)."""
    if all(t.dim() <= 2 for t in given):
        return True
    if len(given) != 2:
        return False
    a, b = given
    if b.dim() <= 2:
        return bool(a.is_contiguous())
    return a.shape[:-2] == b.shape[:-2] and all(_is_contiguous_or_copied(t, t.shape[-2:]) for t in given)


def _is_contiguous_or_copied(t: Any, kept: tuple[int, ...]) -> bool:
    """Whether a tensor is no view in another order after all dimensions before `kept` became one."""
    if t.is_contiguous():
        return True
    m = mirror(t)
    return m is not None and _must_copy(m._a, (-1, *kept))


def _must_copy(array: Any, shape: tuple[int, ...]) -> bool:
    """Whether no view of an array has a shape."""
    try:
        array.reshape(shape, copy=False)
    except ValueError:
        return True
    except TypeError:  # an older NumPy
        return False
    return False


def _copies(name: str, args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether a call of `reshape()` copies."""
    if name not in ("reshape", "flatten") or not args or args[0].is_contiguous():
        return False
    m = mirror(args[0])
    if m is None:
        return False
    if name == "reshape":
        sizes = args[1:] or (kwargs.get("shape", ()),)
        shape = sizes[0] if isinstance(sizes[0], (tuple, list)) else sizes
    else:
        start, end = [*args[1:], *kwargs.values(), *(0, -1)[len(args) + len(kwargs) - 1 :]][:2]
        start, end = start % max(m._a.ndim, 1), end % max(m._a.ndim, 1)
        shape = (*m._a.shape[:start], -1, *m._a.shape[end + 1 :])
    return _must_copy(m._a, tuple(shape))


AUGMENTS = frozenset(
    (
        "__iadd__", "__imul__", "__isub__", "__itruediv__", "__ifloordiv__", "__ipow__", "__iand__", "__ior__", "__ixor__",
        "__ilshift__", "__irshift__", "__imod__", "__idiv__",
    )
)  # fmt: skip
WRITERS = AUGMENTS | {"__setitem__"}
