"""Module: what layers and models are made of; `torch.nn.Module`."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

import jgrad
from jgrad import dtypes, manual, observer
from jgrad.devices import device
from jgrad.dispatch.signatures import OMITTED, shown_as
from jgrad.graph.node import RemovableHandle
from jgrad.nn.modules import everywhere
from jgrad.nn.modules.everywhere import (
    register_module_backward_hook as register_module_backward_hook,
)
from jgrad.nn.modules.everywhere import (
    register_module_buffer_registration_hook as register_module_buffer_registration_hook,
)
from jgrad.nn.modules.everywhere import (
    register_module_forward_hook as register_module_forward_hook,
)
from jgrad.nn.modules.everywhere import (
    register_module_forward_pre_hook as register_module_forward_pre_hook,
)
from jgrad.nn.modules.everywhere import (
    register_module_full_backward_hook as register_module_full_backward_hook,
)
from jgrad.nn.modules.everywhere import (
    register_module_full_backward_pre_hook as register_module_full_backward_pre_hook,
)
from jgrad.nn.modules.everywhere import (
    register_module_module_registration_hook as register_module_module_registration_hook,
)
from jgrad.nn.modules.everywhere import (
    register_module_parameter_registration_hook as register_module_parameter_registration_hook,
)
from jgrad.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter, is_lazy
from jgrad.ops.constructors import typename
from jgrad.tensor import Tensor
from jgrad.warn import say


class _IncompatibleKeys(namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")):
    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


# Where a Module keeps what: dictionaries by name, and hooks by number.
_HOOKS = (
    "_forward_hooks",
    "_forward_pre_hooks",
    "_backward_hooks",
    "_backward_pre_hooks",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)
_OPTIONS = ("_forward_hooks_with_kwargs", "_forward_hooks_always_called", "_forward_pre_hooks_with_kwargs")


class _WithoutModule:
    """A hook that does not take the module."""

    def __init__(self, hook: Callable) -> None:
        self.hook = hook

    def __call__(self, module: Module, *args: Any) -> Any:
        return self.hook(*args)


class Module:
    """The base class of all layers and models: a tree of named parameters, buffers and further modules."""

    _version = 1  # of what `state_dict()` holds
    training: bool
    call_super_init: bool = False
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]

    @shown_as(lambda self: None)
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = type(self).__name__
        if kwargs and not self.call_super_init:
            raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
        if args and not self.call_super_init:
            raise TypeError(f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given")
        state = self.__dict__
        state["training"] = True
        state["_parameters"], state["_buffers"], state["_modules"] = {}, {}, {}
        state["_non_persistent_buffers_set"] = set()
        for hooks in _HOOKS:
            state[hooks] = OrderedDict()
        for option in _OPTIONS:
            state[option] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    if TYPE_CHECKING:
        forward: Callable[..., Any]  # so that a derived class may have any parameters
    else:

        def forward(self, *input: Any) -> Any:
            """What the module computes. Every derived class writes its own; this one raises NotImplementedError."""
            raise NotImplementedError(
                f'Module [{type(self).__name__}] is missing the required "forward" function'
            )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        state = self.__dict__
        hooked = (
            state["_forward_hooks"]
            or state["_forward_pre_hooks"]
            or state["_backward_hooks"]
            or state["_backward_pre_hooks"]
            or everywhere.hooks
        )
        watching = observer.current
        if watching is None:
            return self._call_with_hooks(args, kwargs) if hooked else self.forward(*args, **kwargs)
        watching.entered(self)
        try:
            return self._call_with_hooks(args, kwargs) if hooked else self.forward(*args, **kwargs)
        finally:
            watching.left(self)

    def _call_with_hooks(self, args: tuple, kwargs: dict) -> Any:
        __tracebackhide__ = True
        result, called = None, set()
        try:
            for number, hook in [*everywhere.calls("forward_pre"), *self._forward_pre_hooks.items()]:
                if number in self._forward_pre_hooks_with_kwargs:
                    changed = hook(self, args, kwargs)
                    if changed is not None:
                        if not (isinstance(changed, tuple) and len(changed) == 2):
                            raise RuntimeError(
                                "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                                f"but got {changed}."
                            )
                        args, kwargs = changed
                else:
                    changed = hook(self, args)
                    if changed is not None:
                        args = changed if isinstance(changed, tuple) else (changed,)
            on_the_way_back = self._backward_hooks_of_call()
            if on_the_way_back is not None:
                args = on_the_way_back.around_inputs(args)
            result = self.forward(*args, **kwargs)
            for number, hook in [*everywhere.calls("forward"), *self._forward_hooks.items()]:
                called.add(number)
                changed = self._run_forward_hook(number, hook, args, kwargs, result)
                result = result if changed is None else changed
            return result if on_the_way_back is None else on_the_way_back.around_outputs(args, result)
        except Exception:
            always = self._forward_hooks_always_called | everywhere.always_called
            for number, hook in [*everywhere.calls("forward"), *self._forward_hooks.items()]:
                if number in always and number not in called:
                    try:
                        self._run_forward_hook(number, hook, args, kwargs, result)
                    except Exception as error:
                        say(
                            "module forward hook with ``always_call=True`` raised an exception that was silenced as another "
                            f"error was raised in forward: {error}",
                        )
            raise

    def _run_forward_hook(self, number: int, hook: Callable, args: tuple, kwargs: dict, result: Any) -> Any:
        with_kwargs = number in self._forward_hooks_with_kwargs or number in everywhere.taking_kwargs
        return hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)

    def _backward_hooks_of_call(self) -> Any:
        full, older = everywhere.backward_hooks()
        (older if self.__dict__.get("_older_backward_hooks") else full).extend(self._backward_hooks.values())
        pre_hooks = [
            *[call for _, call in everywhere.calls("backward_pre")],
            *self._backward_pre_hooks.values(),
        ]
        if not (full or older or pre_hooks):
            return None
        from jgrad.nn.modules.backward_hooks import BackwardHooks

        return BackwardHooks(self, full, pre_hooks, older)

    # Parts --------------------------------------------------------------------------------------------------------------------

    def _check_name(self, kind: str, name: Any, among: dict) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        got = f", got: {name}" if kind == "module" else ""
        if hasattr(self, name) and name not in among and kind == "module":
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in among:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name. To assign a Parameter as an attribute does the same."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To express "
                f"'{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        if everywhere.registrations and param is not None:
            param = everywhere.registered("parameter", self, name, param)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a buffer under a name: a tensor that belongs to the state of the module but is not trained, for example a running mean."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = everywhere.registered("buffer", self, name, tensor)
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(
            name
        )

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a child module under a name. To assign a Module as an attribute does the same."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name("module", name, self._modules)
        self._modules[name] = everywhere.registered("module", self, name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """Add a child module under a name. It is the same as `add_module`."""
        self.add_module(name, module)

    def __getattr__(self, name: str) -> Any:
        # Only asked for what is no ordinary attribute.
        state = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            if kind in state and name in state[kind]:
                return state[kind][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        state = self.__dict__
        parameters, modules, buffers = state.get("_parameters"), state.get("_modules"), state.get("_buffers")
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_buffers", "_modules")
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_parameters", "_buffers")
            modules[name] = everywhere.registered("module", self, name, value)
        elif modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            modules[name] = everywhere.registered("module", self, name, value)
        elif isinstance(value, Tensor) and isinstance(value, Buffer):
            if buffers is None:
                raise AttributeError("cannot assign buffer before Module.__init__() call")
            self._forget(name, "_parameters", "_modules")
            self.register_buffer(name, value, value.persistent)
        elif buffers is not None and name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
                )
            buffers[name] = everywhere.registered("buffer", self, name, value)
        else:
            object.__setattr__(self, name, value)

    def _forget(self, name: str, *kinds: str) -> None:
        """Nothing of another kind keeps the name of what is now assigned."""
        self.__dict__.pop(name, None)
        for kind in kinds:
            self.__dict__[kind].pop(name, None)
        if "_buffers" in kinds:
            self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        for kind in (self._parameters, self._buffers, self._modules):
            if name in kind:
                del kind[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*super().__dir__(), *self._parameters, *self._modules, *self._buffers}
        return sorted(name for name in names if not name[:1].isdigit())

    def get_submodule(self, target: str) -> Module:
        """The module with a dotted name, for example "encoder.layers.0"."""
        found = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise AttributeError(f"{found._get_name()} has no attribute `{name}`")
            found = getattr(found, name)
            if not isinstance(found, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return found

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module in the place of a dotted name."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        path, _, name = target.rpartition(".")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with a dotted name, for example "0.weight"."""
        return self._part(target, "_parameters", "is not an nn.Parameter")

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with a dotted name, for example "1.running_mean"."""
        return self._part(target, "_buffers", "is not a buffer")

    def _part(self, target: str, kind: str, otherwise: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        if module.__dict__[kind].get(name) is None:
            raise AttributeError(f"`{name}` {otherwise}")
        return getattr(module, name)

    # Iteration ----------------------------------------------------------------------------------------------------------------

    def named_modules(
        self, memo: set | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all modules below it, with their dotted names. A module that is used in several places comes once."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                below = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, below, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module and all modules below it. A module that is used in several places comes once."""
        return (module for _, module in self.named_modules(remove_duplicate=remove_duplicate))

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules that were assigned to this one, with their names. The modules below them are left out."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The modules that were assigned to this one. The modules below them are left out."""
        return (module for _, module in self.named_children())

    def _named_members(
        self, get_members_fn: Callable, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = (
            self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
            if recurse
            else [(prefix, self)]
        )
        for path, module in modules:
            for name, member in get_members_fn(module):
                if member is None or id(member) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(member))
                yield f"{path}.{name}" if path else name, member

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters of this module and of the modules below it, with their dotted names. A parameter that is used in several places comes once."""
        return self._named_members(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters of this module and of the modules below it. An optimizer takes them."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers of this module and of the modules below it, with their dotted names. A buffer that is used in several places comes once."""
        return self._named_members(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers of this module and of the modules below it. A buffer that is used in several places comes once."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    # Changes of the whole tree ------------------------------------------------------------------------------------------------

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Does what `jgrad.compile` does, in place, which is nothing: jgrad runs each operator at once. Takes its options."""
        jgrad.compile(self, *args, **kwargs)

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call a function with every module below this one, and then with this one. It is often used to set initial weights."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        """Replace what parameters, gradients and buffers hold; parameters stay the same objects."""
        for module in self.children() if recurse else ():
            module._apply(fn)
        with jgrad.no_grad():
            for parameter in self._parameters.values():
                if isinstance(parameter, UninitializedParameter):
                    parameter._like = fn(parameter._like)
                elif parameter is not None:
                    grad = parameter.grad
                    parameter.grad = None
                    parameter.data = fn(parameter)
                    if grad is not None:
                        parameter.grad = fn(grad).requires_grad_(grad.requires_grad)
        for name, buffer in self._buffers.items():
            if isinstance(buffer, UninitializedBuffer):
                buffer._like = fn(buffer._like)
            elif buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    @shown_as(
        lambda self, device=OMITTED, dtype=None, non_blocking=False, *, memory_format=None, tensor=OMITTED: (
            None
        )
    )
    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Move all parameters and buffers to a device, or convert them to a dtype, in place. Integers and bools keep their dtype."""
        if kwargs.get("copy"):
            raise RuntimeError(".to() does not accept copy argument")
        memory_format = kwargs.pop("memory_format", None)
        given = jgrad.empty(0, dtype=jgrad.bool).to  # what Tensor.to makes of the arguments
        target: Any = kwargs.get("dtype")
        for argument in (*args, *kwargs.values()):
            if isinstance(argument, dtypes.dtype):
                target = argument
            elif isinstance(argument, Tensor):
                target = argument.dtype
        place: Any = given(*args, **kwargs).device if args or kwargs else None
        if not any(
            isinstance(a, (str, device, Tensor)) or a.__class__ is int for a in (*args, *kwargs.values())
        ):
            place = None  # a dtype alone moves nothing
        if target is not None and not (target.is_floating_point or target.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={target}"
            )
        if target is not None and target.is_complex:
            say(
                "Complex modules are a new feature under active development whose design may change, and some modules might not work "
                "as expected when using complex tensors as parameters or buffers. Please file an issue at "
                "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a complex module does not work as expected.",
            )

        def placed(t: Tensor) -> Tensor:
            kind = t.dtype if target is None or not (t.is_floating_point() or t.is_complex()) else target
            where = t.device if place is None else place
            if t.is_meta and where.type != "meta":
                raise NotImplementedError(
                    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when "
                    "moving module from meta to a different device."
                )
            if memory_format is not None and t.dim() in (4, 5):
                return t.to(where, kind, memory_format=memory_format)
            return t.to(where, kind)

        return self._apply(placed)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Move all parameters and buffers to a device without their values, in place. The new values are whatever is in memory there."""
        return self._apply(lambda t: jgrad.empty_like(t, device=device), recurse=recurse)

    def share_memory(self) -> Any:
        """Move all parameters and buffers, and their gradients, to memory that other processes can have too. Returns the module itself."""
        for tensor in (*self.parameters(), *self.buffers()):
            tensor.share_memory_()
            if tensor.grad is not None:
                tensor.grad.share_memory_()
        return self

    def _floating(self, target: Any) -> Any:
        return self._apply(lambda t: t.to(target) if t.is_floating_point() else t)

    def float(self) -> Self:
        """Convert all floating point parameters and buffers to float32, in place. Returns the module itself."""
        return self._floating(jgrad.float32)

    def double(self) -> Self:
        """Convert all floating point parameters and buffers to float64, in place. Returns the module itself."""
        return self._floating(jgrad.float64)

    def half(self) -> Self:
        """Convert all floating point parameters and buffers to float16, in place. Returns the module itself."""
        return self._floating(jgrad.float16)

    def bfloat16(self) -> Self:
        """Convert all floating point parameters and buffers to bfloat16, in place. Returns the module itself."""
        return self._floating(jgrad.bfloat16)

    def type(self, dst_type: Any) -> Self:
        """Convert all parameters and buffers to a dtype, in place. This includes integers and bools."""
        return self._apply(lambda t: t.type(dst_type))

    def cpu(self) -> Self:
        """Move all parameters and buffers to the CPU, in place. Returns the module itself."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Self:
        """Move all parameters and buffers to a GPU, in place."""
        return self._apply(lambda t: t.cuda(device))

    def train(self, mode: bool = True) -> Self:
        """Switch training mode on or off, in this module and all below it. Dropout and batch normalization behave differently in the two modes."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Switch training mode off, in this module and all below it. It is the same as `train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set whether the parameters of this module and of all below it require grad. With False they are frozen: they get no gradient."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Remove the gradients of all parameters. Without this, the next backward adds to them."""
        for parameter in self.parameters():
            reset_gradient(parameter, set_to_none)

    # Hooks --------------------------------------------------------------------------------------------------------------------

    def _register(self, hooks: str, hook: Callable, prepend: bool = False, *options: str) -> RemovableHandle:
        handle = RemovableHandle(self.__dict__[hooks], hook, *[self.__dict__[option] for option in options])
        if prepend:
            self.__dict__[hooks].move_to_end(handle.id, last=False)
        return handle

    def register_forward_pre_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call a function each time before `forward`."""
        options = ("_forward_pre_hooks_with_kwargs",) if with_kwargs else ()
        return self._register("_forward_pre_hooks", hook, prepend, *options)

    def register_forward_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call a function each time after `forward`, for example to look at what a layer computes."""
        options = ("_forward_hooks_with_kwargs",) * with_kwargs + (
            "_forward_hooks_always_called",
        ) * always_call
        return self._register("_forward_hooks", hook, prepend, *options)

    def register_backward_hook(self, hook: Callable) -> RemovableHandle:
        """An older form of `register_full_backward_hook`, which sees the last node of the module alone. It is deprecated."""
        self._check_backward_hooks(older=True)
        return self._register("_backward_hooks", hook)

    def _check_backward_hooks(self, older: bool) -> None:
        if self.__dict__.setdefault("_older_backward_hooks", older) is not older:
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
            )

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call a function when backward has computed the gradients of the module's inputs."""
        self._check_backward_hooks(older=False)
        return self._register("_backward_hooks", hook, prepend)

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call a function when backward has computed the gradients of the module's outputs, before it goes through the module."""
        return self._register("_backward_pre_hooks", hook, prepend)

    # State --------------------------------------------------------------------------------------------------------------------

    def get_extra_state(self) -> Any:
        """What else `state_dict()` contains for this module. A derived class may write its own; it is only called then."""
        raise RuntimeError(_NEVER_CALLED.format("get"))

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` returned. A class that has one of these methods needs the other too."""
        raise RuntimeError(_NEVER_CALLED.format("set"))

    def register_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function each time before `state_dict()` collects the state of this module."""
        return self._register("_state_dict_pre_hooks", hook)

    def register_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function each time after `state_dict()` has collected the state of this module."""
        return self._register("_state_dict_hooks", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function each time before `load_state_dict()` loads the state of this module."""
        return self._register("_load_state_dict_pre_hooks", hook)

    def _register_state_dict_hook(self, hook: Callable) -> RemovableHandle:
        """As `register_state_dict_post_hook`, but what the hook returns replaces the dictionary."""
        handle = self._register("_state_dict_hooks", hook)
        self.__dict__["_state_dict_hooks_that_replace"] = {*self._replacing(), handle.id}
        return handle

    def _replacing(self) -> set[int]:
        return self.__dict__.get("_state_dict_hooks_that_replace", set())

    def _register_load_state_dict_pre_hook(
        self, hook: Callable, with_module: bool = False
    ) -> RemovableHandle:
        """As `register_load_state_dict_pre_hook`; without `with_module`, the hook does not get the module."""
        return self._register("_load_state_dict_pre_hooks", hook if with_module else _WithoutModule(hook))

    def register_load_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function each time after `load_state_dict()` has loaded the state of this module."""
        return self._register("_load_state_dict_post_hooks", hook)

    def _persistent(self) -> dict[str, Any]:
        """Parameters and buffers that `state_dict()` has, by name."""
        buffers = {n: b for n, b in self._buffers.items() if n not in self._non_persistent_buffers_set}
        return {n: t for n, t in (*self._parameters.items(), *buffers.items()) if t is not None}

    def _has_extra(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(Module, method)

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """All parameters and persistent buffers of this module and of the modules below it, by their dotted names."""
        if args:
            say(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.",
                FutureWarning,
            )
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == "" else prefix
            keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for number, hook in self._state_dict_hooks.items():
            changed = hook(self, destination, prefix, local_metadata)
            if changed is not None:
                if number not in self._replacing():
                    raise RuntimeError("state_dict post-hook must return None")
                destination = changed
        return destination

    def _save_to_state_dict(self, destination: dict, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._persistent().items():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if self._has_extra("get_extra_state"):
            destination[f"{prefix}_extra_state"] = self.get_extra_state()

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> Any:
        """Load a state that `state_dict()` returned into the parameters and buffers of the same names."""
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata  # type: ignore[attr-defined]

        def load(module: Module, state: Any, prefix: str) -> None:
            about = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                about["assign_to_params_buffers"] = assign
            for hook in module._load_state_dict_pre_hooks.values():
                hook(module, state, prefix, about, True, missing, unexpected, errors)
            module._load_from_state_dict(state, prefix, about, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    below = f"{prefix}{name}."
                    load(child, {k: v for k, v in state.items() if k.startswith(below)}, below)
            incompatible = _IncompatibleKeys(missing, unexpected)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, incompatible) is not None:
                    raise AssertionError(
                        "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if "
                        "incompatible_keys need to be modified, it should be done inplace."
                    )

        load(self, state_dict, "")
        if strict:
            for what, names in (("Unexpected", unexpected), ("Missing", missing)):
                if names:
                    listed = ", ".join(f'"{name}"' for name in names)
                    errors.insert(0, f"{what} key(s) in state_dict: {listed}. ")
        if errors:
            listed = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}")
        return _IncompatibleKeys(missing, unexpected)

    def _load_from_state_dict(
        self,
        state_dict: dict,
        prefix: str,
        local_metadata: dict,
        strict: bool,
        missing_keys: list,
        unexpected_keys: list,
        error_msgs: list,
    ) -> None:
        """Load this module's own part; classes whose state changed over time have their own."""
        persistent = self._persistent()
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, tensor in persistent.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            given = state_dict[key]
            if not isinstance(given, Tensor):
                error_msgs.append(
                    f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
                    f"received {type(given)}"
                )
            elif is_lazy(tensor):
                pass  # what waits is loaded as what waits: a LazyModule gives it the shape of anything else before
            elif tensor.shape != given.shape and not (tensor.ndim == 0 and given.shape == (1,)):
                error_msgs.append(
                    f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in current "
                    f"model is {tensor.shape}."
                )
            else:
                given = given[0] if tensor.shape != given.shape else given
                with jgrad.no_grad():
                    if not assign:
                        tensor.copy_(given)
                    elif isinstance(tensor, Parameter):
                        same = isinstance(given, Parameter)
                        setattr(self, name, given if same else Parameter(given, tensor.requires_grad))
                    else:
                        setattr(self, name, given)
        extra = f"{prefix}_extra_state"
        if self._has_extra("set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first, *below = key[len(prefix) :].split(".", 1)
                    if first not in (self._modules if below else persistent):
                        unexpected_keys.append(key)

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)

    # Text ---------------------------------------------------------------------------------------------------------------------

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """The part of the module's text that stands in the parentheses. A derived class writes its own."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr().split("\n") if self.extra_repr() else []
        children = [f"({name}): {indented(repr(module))}" for name, module in self._modules.items()]
        if len(own) <= 1 and not children:
            return f"{self._get_name()}({''.join(own)})"
        return "\n  ".join([self._get_name() + "(", *own, *children]) + "\n)"


_NEVER_CALLED = (
    "Reached a code path in Module.{}_extra_state() that should never be called. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
)


def indented(text: str) -> str:
    """A text whose lines after the first begin with two spaces more."""
    return text.replace("\n", "\n  ")


def reset_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Forget a gradient, or fill it with zeros."""
    grad = parameter.grad
    if grad is None:
        return
    if set_to_none:
        parameter.grad = None
        return
    if grad.grad_fn is not None:
        grad.detach_()
    else:
        grad.requires_grad_(False)
    grad.zero_()


Class = TypeVar("Class", bound=type)


def fields(signature: str, shown: str = "") -> Callable[[Class], Class]:
    """A class decorator for layers that keep what they are given and compute with it.

    `signature` is that of `__init__`, each parameter of which becomes an attribute. `shown` lists what the text of the layer says: `name` as
    `name=value`, `name?` the same but only if true, `.name` the bare value, `name!` the value's repr.
    """
    names = names_in(signature)

    def decorate(cls: Class) -> Class:
        lines = [
            f"def __init__(self{', ' if signature else ''}{signature}) -> None:",
            "    Module.__init__(self)",
        ]
        lines += [f"    self.{name} = {name}" for name in names]
        found: dict[str, Any] = {}
        exec("from __future__ import annotations\n" + "\n".join(lines), {"Module": Module}, found)
        init: Any = found["__init__"]
        init.__qualname__, init.__module__ = f"{cls.__name__}.__init__", cls.__module__
        if "__init__" not in vars(cls):
            cls.__init__ = init  # type: ignore[misc]
        if "extra_repr" not in vars(cls) and shown:
            cls.extra_repr = lambda self: ", ".join(_shown(self, shown.split()))  # type: ignore[attr-defined]
        return cls

    return decorate


def names_in(signature: str) -> list[str]:
    """The names of the parameters of a signature."""
    names = [part.partition(":")[0].partition("=")[0].strip() for part in signature.split(", ")]
    return [name for name in names if name and name != "*"]


def _shown(module: Any, words: list[str]) -> Iterator[str]:
    for word in words:
        value = getattr(module, word.strip(".?!"))
        if word[0] == ".":
            yield str(value)
        elif word[-1] == "!":
            yield f"{word[:-1]}={value!r}"
        elif word[-1] != "?":
            yield f"{word}={value}"
        elif value:
            yield f"{word[:-1]}={value}"


manual.attach(__name__)
