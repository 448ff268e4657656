"""Optimizer: groups of parameters, their options and the state kept for them; `torch.optim.Optimizer`."""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

import jgrad
from jgrad import manual, observer
from jgrad.graph.node import RemovableHandle
from jgrad.nn.modules.module import reset_gradient
from jgrad.optim import options
from jgrad.tensor import Tensor
from jgrad.warn import say

Options = dict[str, Any]  # of an optimizer or of a group of parameters, by name
State = dict[str, Any]  # what is kept for a parameter, by name
States = defaultdict[Any, State]  # by parameter

REFUSED = "{name} does not support sparse gradients"
required: Any = type("_Required", (), {"__repr__": lambda self: "<required parameter>"})()
_HOOKS = (
    "step_pre",
    "step_post",
    "state_dict_pre",
    "state_dict_post",
    "load_state_dict_pre",
    "load_state_dict_post",
)

_of_all: dict[str, OrderedDict[int, Callable]] = {"step_pre": OrderedDict(), "step_post": OrderedDict()}


def register_optimizer_step_pre_hook(hook: Callable) -> RemovableHandle:
    """Call a function each time before `step` of any optimizer."""
    return RemovableHandle(_of_all["step_pre"], hook)


def register_optimizer_step_post_hook(hook: Callable) -> RemovableHandle:
    """Call a function each time after `step` of any optimizer."""
    return RemovableHandle(_of_all["step_post"], hook)


class Optimizer:
    """The base class of all optimizers. An optimizer changes parameters in place, after backward has computed their gradients."""

    def __init__(self, params: Any, defaults: Options) -> None:
        self.defaults = defaults
        self._prepare_hooks()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + jgrad.typename(params)
            )
        self.state: States = defaultdict(dict)
        self.param_groups: list[Options] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    # Of an optimizer that `jgrad.optim` has, in PyTorch's order: its parameters after `params`, its options as `state_dict()` lists them, those that
    # are checked, and those that are always True.
    _signature = ""
    _options = ""
    _checks = ""
    _fixed: tuple[str, ...] = ()
    _sparse_error = ""  # what is said of a sparse gradient, with {name} for the class; "": it is taken

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        made: Options = {}
        if "_signature" in vars(cls):
            made["__init__"] = options.initializer(cls)
        if "step" in vars(cls):
            made["step"] = _with_hooks(cls.step)
        # Written as assignments they would hide the parameters of the stubs from Jedi, which completes in Jupyter.
        for name, method in made.items():
            setattr(cls, name, method)

    _scheduled: Any = None  # the `step` on which a scheduler looks
    _opt_called = False  # whether a step was made since then

    def _prepare_hooks(self) -> None:
        for kind in _HOOKS:
            self.__dict__.setdefault(f"_optimizer_{kind}_hooks", OrderedDict())

    def _begin(self, params: Any, given: Options) -> None:
        """What `__init__` does in an optimizer with a `_signature`."""
        Optimizer.__init__(self, params, self._checked(given))

    def _checked(self, given: Options) -> Options:
        """The options among the arguments of `__init__`; raises PyTorch's error for what it refuses."""
        given = {**given, **dict.fromkeys(self._fixed, True)}
        chosen = {name: given[name] for name in self._options.split()}
        for name in self._checks.split():
            options.check(name, chosen)
        options.refuse_variants(chosen)
        return chosen

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare_hooks()

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"{chr(10) if i else ''}Parameter Group {i}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        given = param_group["params"]
        if isinstance(given, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change "
                "between runs. Please use a list instead."
            )
        members = [given] if isinstance(given, Tensor) else list(given)
        names = [member[0] for member in members if isinstance(member, tuple)]
        params = [member[1] if isinstance(member, tuple) else member for member in members]
        param_group["params"] = params
        if names:
            if len(names) != len(params):
                raise ValueError(
                    "all optimizer params should be with/without names. Some param names are missing"
                )
            param_group["param_names"] = names
        for param in params:
            if not isinstance(param, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {jgrad.typename(param)}"
                )
            if not (self.defaults.get("differentiable") or param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
            param_group.setdefault(name, default)
        if len(params) != len(set(params)):
            say(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
                "github.com/pytorch/pytorch/issues/40967 for more information",
            )
        others: set[Tensor] = set()
        for group in self.param_groups:
            others.update(group["params"])
            if ("param_names" in param_group) != ("param_names" in group):
                kind = "with names" if "param_names" in param_group else "without names"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param group "
                    f"{kind} to the optimizer"
                )
        if not others.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Remove the gradients of all parameters. Without this, the next backward adds to them."""
        for group in self.param_groups:
            for param in group["params"]:
                reset_gradient(param, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters that have a gradient, in place. Parameters whose `grad` is None stay as they are.

        With `differentiable=True` the step is recorded, and the parameters must not be leaves that require grad.
        """
        if type(self).update is Optimizer.update:
            raise NotImplementedError
        loss = None
        with jgrad.set_grad_enabled(bool(self.defaults.get("differentiable"))):
            if closure is not None:
                with jgrad.enable_grad():
                    loss = closure()
            for group in self.param_groups:
                given = [(param, grad) for param in group["params"] if (grad := param.grad) is not None]
                if self._sparse_error and any([grad.is_sparse for _, grad in given]):
                    raise RuntimeError(self._sparse_error.format(name=type(self).__name__))
                for param, grad in given:
                    self.prepare(param, grad, group, self.state)
                for param, grad in given:
                    self.update(param, -grad if group.get("maximize") else grad, group, self.state)
        return loss

    def prepare(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        """Set what is kept for a parameter, before its first step. (All parameters of a group come before the first update, as in PyTorch.)"""

    def update(self, param: Tensor, grad: Tensor, group: Options, states: States) -> None:
        """Change one parameter. A derived class writes this, or a `step` of its own."""
        raise NotImplementedError

    # State --------------------------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """The state of the optimizer, to be saved: what is kept for each parameter, and the options of the groups. The parameters are not in it."""
        for hook in self._hooks("state_dict_pre"):
            hook(self)
        numbers: dict[Tensor, int] = {}
        groups: list[dict[str, Any]] = []
        for group in self.param_groups:
            start = sum([len(g["params"]) for g in groups])
            # (A parameter that a group has twice gets the last of its numbers, as in PyTorch.)
            numbers.update({p: i for i, p in enumerate(group["params"], start) if p not in numbers})
            packed = {key: value for key, value in group.items() if key != "params"}
            groups.append({**packed, "params": [numbers[param] for param in group["params"]]})
        state = {numbers[key] if isinstance(key, Tensor) else key: value for key, value in self.state.items()}
        result: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in self._hooks("state_dict_post"):
            changed = hook(self, result)
            result = result if changed is None else changed
        return result

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state that `state_dict()` returned. Its tensors take the dtype and the device of their parameters."""
        state_dict = state_dict.copy()
        for hook in self._hooks("load_state_dict_pre"):
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        saved = deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        pairs = list(zip(self.param_groups, saved, strict=True))
        if any(len(own["params"]) != len(new["params"]) for own, new in pairs):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        params = {
            number: param
            for own, new in pairs
            for number, param in zip(new["params"], own["params"], strict=True)
        }
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            state[params.get(key, key)] = _cast(params[key], value) if key in params else value
        for own, new in pairs:
            new["params"] = own["params"]
            if "param_names" in own:
                new.setdefault("param_names", own["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._hooks("load_state_dict_post"):
            hook(self)

    # Hooks --------------------------------------------------------------------------------------------------------------------

    def _hooks(self, kind: str) -> list[Callable]:
        return list(self.__dict__[f"_optimizer_{kind}_hooks"].values())

    def _step_hooks(self, kind: str) -> list[Callable]:
        """Those of this optimizer, and those of all, which are the outer ones."""
        own, all_ = self._hooks(kind), [*_of_all[kind].values()]
        return [*all_, *own] if kind == "step_pre" else [*own, *all_]

    def _register(self, kind: str, hook: Callable, prepend: bool = False) -> RemovableHandle:
        hooks = self.__dict__[f"_optimizer_{kind}_hooks"]
        handle = RemovableHandle(hooks, hook)
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle

    def register_step_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function each time before `step`."""
        return self._register("step_pre", hook)

    def register_step_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call a function each time after `step`."""
        return self._register("step_post", hook)

    def register_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call a function each time before `state_dict`."""
        return self._register("state_dict_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call a function each time after `state_dict`."""
        return self._register("state_dict_post", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call a function each time before `load_state_dict`."""
        return self._register("load_state_dict_pre", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call a function each time after `load_state_dict`."""
        return self._register("load_state_dict_post", hook, prepend)


def _with_hooks(step: Callable) -> Callable:
    @functools.wraps(step)
    def run(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        given: tuple = (self, *args)
        for hook in self._step_hooks("step_pre"):
            changed = hook(self, given, kwargs)
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                    )
                given, kwargs = changed
        self._opt_called = True  # a scheduler asks; also of a step that raises
        result = step(*given, **kwargs)
        if (watch := observer.current) is not None:
            params = tuple([p for group in self.param_groups for p in group["params"]])
            observer.report_no_effect("step", params)
            watch.stepped(self)
        elif (listener := observer.listener) is not None:
            listener.stepped(self)
        for hook in self._step_hooks("step_post"):
            hook(self, given, kwargs)
        return result

    return run


Optimizer.step = _with_hooks(Optimizer.step)  # type: ignore[method-assign]


def _cast(param: Tensor, value: Any, key: Any = None) -> Any:
    """Loaded state, its tensors in the dtype and on the device of the parameter; but the count of steps stays what it is."""
    if isinstance(value, Tensor) and key != "step":
        return value.to(param.device, param.dtype if param.is_floating_point() else None)
    if isinstance(value, Tensor):
        return value
    if isinstance(value, dict):
        return {name: _cast(param, part, name) for name, part in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return type(value)(_cast(param, part) for part in value)  # type: ignore[call-arg]
    return value


manual.attach(__name__)
