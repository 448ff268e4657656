"""What is known about PyTorch's operators and functions before they run."""

from __future__ import annotations

from typing import Any

import torch

from jgrad.mirrors.torch.private import takes_numbers
from jgrad.observer import SHOWN_NAMES

SHOWN = SHOWN_NAMES | {
    "lift_fresh": "tensor", "_log_softmax": "log_softmax", "_softmax": "softmax", "_index_put_impl_": "index_put_",
    "linalg_vector_norm": "vector_norm",
}  # fmt: skip
LIKE = {"new_" + name: name for name in ("zeros", "ones", "full", "empty")}
# Operators that make nothing and write to nothing a user can see:
UNSEEN = frozenset(
    ("_local_scalar_dense", "is_same_size", "_version", "record_stream", "_has_compatible_shallow_copy_type")
)


class Plan:
    """What is known about an operator from its schema."""

    __slots__ = (
        "skip",
        "name",
        "names",
        "writes",
        "view",
        "fresh",
        "moves",
        "counts_not",
        "factory",
        "plain",
        "internal",
        "shown",
        "tensors",
    )

    def __init__(self, operator: Any) -> None:
        schema = operator._schema
        namespace, _, name = schema.name.partition("::")
        self.skip = namespace == "profiler" or name in UNSEEN
        self.name = SHOWN.get(name, name if name.startswith("__") else name.lstrip("_"))
        self.names = [a.name for a in schema.arguments]
        aliases = [a.alias_info for a in schema.arguments]
        self.writes = [i for i, alias in enumerate(aliases) if alias is not None and alias.is_write]
        self.view = not self.writes and any(r.alias_info is not None for r in schema.returns)
        # Whether it changes the tensor itself, not its elements: `t_()`, `resize_()`.
        self.moves = torch.Tag.inplace_view in operator.tags or name == "detach_"
        self.counts_not = (
            name == "native_batch_norm"
        )  # it writes to the statistics, and its schema does not say so
        self.fresh = name == "lift_fresh"  # what `torch.tensor` makes
        types = [str(a.type) for a in schema.arguments]
        self.factory = not any(one in ("Tensor", "List[Tensor]") for one in types)
        # Whether it makes one tensor from tensors and plain values, and nothing else has to be reported:
        self.plain = (
            not (self.writes or self.fresh or self.moves or name in ("detach", "set_") or name in LIKE)
            and len(schema.returns) == 1
            and str(schema.returns[0].type) == "Tensor"
            and not any("List[Tensor]" in one or "List[Optional[Tensor]]" in one for one in types)
        )
        self.internal = name in (
            "detach",
            "scalar_tensor",
            "clone",
            "new_empty_strided",
        )  # operators that PyTorch also runs for its own use
        # The places of arguments that must be tensors: PyTorch hands a number in a graph to modes as a plain number.
        self.tensors = (
            () if takes_numbers(name) else tuple([i for i, one in enumerate(types) if one == "Tensor"])
        )
        self.shown = [
            None if n in ("self", "input") else n for n in self.names
        ]  # names of arguments that are reported

    def named(self, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by their names."""
        return dict(zip(self.names, args, strict=False)) | kwargs

    def written_unseen(self, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
        """The statistics that batch normalization writes to."""
        named = self.named(args, kwargs) if self.counts_not else {}
        return [
            named[n]
            for n in ("running_mean", "running_var")
            if named.get("training") and named[n] is not None
        ]

    def written(self, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
        """The arguments that it writes to."""
        return [args[i] if i < len(args) else kwargs.get(self.names[i]) for i in self.writes]


known_plans: dict[Any, Plan] = {}


def plan_of(operator: Any) -> Plan:
    found = known_plans.get(operator)
    if found is None:
        found = known_plans[operator] = Plan(operator)
    return found


# What a call is to a watch:
READS, CALLS, SETS, COMPOSES = range(4)

SETTERS = {
    torch.Tensor.grad.__set__: "grad", torch.Tensor.grad.__delete__: "grad", torch.Tensor.data.__set__: "data",
    torch.Tensor.requires_grad.__set__: "marked", torch.Tensor.requires_grad_: "marked", torch.Tensor.retain_grad: "marked",
    torch.Tensor.register_hook: "marked", torch.Tensor.register_post_accumulate_grad_hook: "marked",
}  # fmt: skip
GETTERS = (
    "shape", "dtype", "device", "grad", "requires_grad", "is_leaf", "grad_fn", "_version", "_base", "layout", "output_nr", "retains_grad",
    "ndim", "_backward_hooks", "_post_accumulate_grad_hooks", "is_cuda", "is_sparse", "is_quantized", "is_meta", "names",
)  # fmt: skip
READERS = {
    getattr(torch.Tensor, name).__get__ for name in GETTERS if hasattr(getattr(torch.Tensor, name, None), "__get__")
} | {
    getattr(torch.Tensor, name)
    for name in ("dim", "size", "stride", "numel", "is_floating_point", "is_complex", "storage_offset", "is_contiguous", "data_ptr",
                 "untyped_storage", "element_size", "__len__", "__hash__", "_is_view", "is_inference", "is_conj", "is_neg", "nelement")
}  # fmt: skip
# Under a dispatch mode, PyTorch composes these from other operators. So they run without one: see `Watch.composed`.
COMPOSED = frozenset((
    "reshape", "flatten", "matmul", "__matmul__", "__rmatmul__", "einsum", "tensordot", "bilinear", "inner", "unflatten", "reshape_as",
    "linear", "one_hot", "quantile", "nanquantile", "det", "logdet", "slogdet", "rrelu", "rrelu_", "cosine_similarity", "cdist", "set_",
    "detach_", "__deepcopy__",
))  # fmt: skip
LENDS = frozenset(
    ("numpy", "__array__", "__dlpack__", "from_numpy", "to_dlpack", "_to_dlpack", "asarray", "as_tensor")
)
DETACHES = frozenset(("detach", "detach_", "data", "_make_subclass", "tensor", "as_tensor", "__new__"))
ALWAYS_SEEN = (torch.Tensor.backward, torch.autograd.grad, torch.autograd.backward)
DATA = torch.Tensor.data.__get__


class Call:
    """What is known about a function of PyTorch that users call."""

    __slots__ = ("name", "kind", "what", "lends", "always_seen")

    def __init__(self, function: Any) -> None:
        self.name = "data" if function == DATA else getattr(function, "__name__", "").partition(".")[0]
        self.what = SETTERS.get(function, "")
        self.kind = SETS if self.what else READS if function in READERS else CALLS
        if self.kind == CALLS and (
            self.name in COMPOSED or self.name.startswith(("linalg_", "_foreach_", "_fused_"))
        ):
            self.kind = COMPOSES
        self.lends = self.name in LENDS
        self.always_seen = function in ALWAYS_SEEN


def written_by(name: str, args: tuple) -> list[Any]:
    """The arguments that a function on lists of tensors writes to, such as `torch._foreach_mul_`."""
    packet = getattr(torch.ops.aten, name)
    return plan_of(getattr(packet, packet.overloads()[0])).written(args, {})


known_calls: dict[Any, Call] = {}


def call_of(function: Any) -> Call:
    found = known_calls.get(function)
    if found is None:
        found = known_calls[function] = Call(function)
    return found
