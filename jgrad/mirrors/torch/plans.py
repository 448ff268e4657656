"""What is known about PyTorch's operators and functions before they run."""

from __future__ import annotations

from typing import Any

import torch

from jgrad.mirrors.torch.private import is_one_operator, takes_numbers
from jgrad.observer import SHOWN_NAMES

SHOWN = SHOWN_NAMES | {
    "lift_fresh": "tensor", "_log_softmax": "log_softmax", "_softmax": "softmax", "_index_put_impl_": "index_put_",
    "linalg_vector_norm": "vector_norm", "_is_all_true": "all",
    "__lshift__": "bitwise_left_shift", "__rshift__": "bitwise_right_shift", "__ilshift__": "bitwise_left_shift_",
    "__irshift__": "bitwise_right_shift_",
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
        "like",
        "plain",
        "direct",
        "internal",
        "shown",
        "tensors",
    )

    def __init__(self, operator: Any) -> None:
        schema = operator._schema
        namespace, _, name = schema.name.partition("::")
        # (See `processes.py` for c10d.)
        self.skip = namespace in ("profiler", "c10d") or name in UNSEEN
        self.name = SHOWN.get(name, name if name.startswith("__") else name.lstrip("_"))
        self.names = [a.name for a in schema.arguments]
        aliases = [a.alias_info for a in schema.arguments]
        self.writes = [i for i, alias in enumerate(aliases) if alias is not None and alias.is_write]
        self.view = not self.writes and any(r.alias_info is not None for r in schema.returns)
        # Whether it changes the tensor itself, not its elements: `t_()`, `resize_()`.
        self.moves = torch.Tag.inplace_view in operator.tags or name == "detach_"
        # It writes to the statistics, and its schema does not say so.
        self.counts_not = name == "native_batch_norm"
        self.fresh = name == "lift_fresh"  # what `torch.tensor` makes
        types = [str(a.type) for a in schema.arguments]
        self.factory = not any(one in ("Tensor", "List[Tensor]") for one in types)
        self.like = name.endswith("_like")  # `zeros_like`, a factory if the user calls it
        # Whether it makes one tensor from tensors and plain values, and nothing else has to be reported:
        self.plain = (
            not (self.writes or self.fresh or self.moves or name in ("detach", "set_") or name in LIKE)
            and len(schema.returns) == 1
            and str(schema.returns[0].type) == "Tensor"
            and not any("List[Tensor]" in one or "List[Optional[Tensor]]" in one for one in types)
        )
        # Operators that PyTorch also runs for its own use.
        self.internal = name in (
            "detach",
            "scalar_tensor",
            "clone",
            "new_empty_strided",
        )
        # The name of the function that is this operator alone, if it is plain and not one that PyTorch also runs for its own use:
        own = self.plain and not (self.skip or self.internal or self.factory or self.like or self.counts_not)
        self.direct = name if own and is_one_operator(operator) else ""
        # The places of arguments that must be tensors: PyTorch hands a number in a graph to modes as a plain number.
        self.tensors = (
            () if takes_numbers(name) else tuple([i for i, one in enumerate(types) if one == "Tensor"])
        )
        # Names of arguments that are reported.
        self.shown = [None if n in ("self", "input") else n for n in self.names]

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
    torch.Tensor.requires_grad.__set__: "requires_grad", torch.Tensor.requires_grad_: "requires_grad_", torch.Tensor.retain_grad: "retain_grad",
    torch.Tensor.register_hook: "hook", torch.Tensor.register_post_accumulate_grad_hook: "hook",
}  # fmt: skip
# Setters that change what autograd does.
MARKS = frozenset(("requires_grad", "requires_grad_", "retain_grad"))
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
    "linear", "scaled_dot_product_attention", "one_hot", "quantile", "nanquantile", "rrelu", "rrelu_", "set_", "detach_", "__deepcopy__",
    "argsort", "isclose", "isreal",  # each of which is one operator of jgrad's
))  # fmt: skip
# Of the functions on matrices these are composed in the same way with and without a mode, and as jgrad composes them.
PLAIN_LINALG = frozenset((
    "linalg_cholesky", "linalg_cholesky_ex", "linalg_cross", "linalg_det", "linalg_diagonal", "linalg_eig", "linalg_eigh",
    "linalg_householder_product", "linalg_inv", "linalg_inv_ex", "linalg_ldl_factor", "linalg_ldl_factor_ex", "linalg_ldl_solve", "linalg_lu",
    "linalg_lu_factor", "linalg_lu_factor_ex", "linalg_lu_solve", "linalg_multi_dot", "linalg_qr", "linalg_slogdet", "linalg_solve",
    "linalg_solve_ex", "linalg_solve_triangular", "linalg_svd", "linalg_vector_norm",
))  # fmt: skip
# These compute vectors, too, where a gradient may be needed, and always under a mode.
SPECTRA = frozenset(("linalg_eigvals", "linalg_eigvalsh", "linalg_svdvals"))
LENDS = frozenset(
    ("numpy", "__array__", "__dlpack__", "from_numpy", "to_dlpack", "_to_dlpack", "asarray", "as_tensor")
)
DETACHES = frozenset(("detach", "detach_", "data", "_make_subclass", "tensor", "as_tensor", "__new__"))
ALWAYS_SEEN = (torch.Tensor.backward, torch.autograd.grad, torch.autograd.backward)
DATA = torch.Tensor.data.__get__


PLAIN_ARGUMENTS = frozenset((torch.Tensor, torch.nn.Parameter, int, float, bool))


class Call:
    """What is known about a function of PyTorch that users call."""

    __slots__ = ("name", "kind", "what", "lends", "always_seen", "direct")

    def __init__(self, function: Any) -> None:
        self.name = "data" if function == DATA else getattr(function, "__name__", "").partition(".")[0]
        self.what = SETTERS.get(function, "")
        self.kind = SETS if self.what else READS if function in READERS else CALLS
        if (
            self.kind == CALLS
            and (self.name in COMPOSED or self.name.startswith(("linalg_", "_foreach_", "_fused_")))
            and self.name not in PLAIN_LINALG
        ):
            self.kind = COMPOSES
        self.lends = self.name in LENDS
        self.always_seen = getattr(function, "__wrapped__", function) in ALWAYS_SEEN
        # The operator that the call is, by the classes of its arguments, if it is a single one with the same arguments:
        # And whether it gets all but the first in a list, as `x.view(2, 3)` does.
        self.direct: dict[tuple[type, ...], tuple[Plan, bool]] = {}

    def learn(self, plan: Plan, given: tuple, args: tuple) -> None:
        """Note that a call with these arguments ran this operator with those."""
        kinds = (*map(type, given),)
        if self.kind == CALLS and PLAIN_ARGUMENTS.issuperset(kinds) and given and given[0] is args[0]:
            in_list = len(args) == 2 and {*kinds[1:]} == {int} and [*given[1:]] == args[1]
            if in_list or (len(given) == len(args) and all(map(_is_same, given, args))):
                self.direct[kinds] = plan, in_list


def _is_same(a: Any, b: Any) -> bool:
    """Whether two arguments are one. (To compare a number with a tensor would be an operator.)"""
    return a is b or not (isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor) or a != b)


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
